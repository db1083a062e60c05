"""Measure the trainer's first and later advice of each game, and the memory that it needs.

    python tests/bench/bench_first_advice.py [--short]

Print a Markdown table. For each deal a new process prepares a game, as at an open table, and asks
for the advice that the screen shows, for this deal and then for another one. The times are
processor time of the whole process, and include the modules that only the advice loads. One more
process per game comes first and compiles the modules.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

from tests.bench.measure import chosen, heading
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.registry import listing_of
from tui_casino.house.sitting import PRACTICE

MEGABYTES = 90
"""The most resident memory of a process that has given advice, without the screen."""
FULL, SHORT = 7, 1
ME = Seat(0)
WEIGHED = ("hold", "play", "discard", "opening")
"""The phases of choices with advice."""


class Goal(NamedTuple):
    """The milliseconds that the first and a later advice may take."""

    first: float
    later: float


class Measured(NamedTuple):
    """Milliseconds of the first and the second advice, and resident megabytes around the first."""

    first: float
    later: float
    before: float
    after: float


GOALS = {
    "video-poker": Goal(30, 2),
    "thirty-one": Goal(40, 20),
    "cribbage": Goal(40, 15),
    "five-card-draw": Goal(60, 20),
}


def main(deals: int) -> None:
    """Print the table."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does
    print(heading("numpy"))
    print("| game | first, ms | goal | later, ms | goal | MB before | MB after | goal | met |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    with TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled  # modules are compiled, as when installed
        for slug, goal in GOALS.items():
            report(slug, goal, [in_new_process(slug, deal) for deal in range(-1, deals)][1:])


def in_new_process(slug: str, deal: int) -> Measured:
    """Measure two deals in a process that has not given advice."""
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        return other.submit(measure, slug, deal).result()


def report(slug: str, goal: Goal, rows: Sequence[Measured]) -> None:
    """Print a row with the medians."""
    first, later, before, after = map(median, zip(*rows, strict=True))
    met = first <= goal.first and later <= goal.later and after <= MEGABYTES
    print(f"| {slug} | {first:.0f} | {goal.first:g} | {later:.1f} | {goal.later:g} ", end="")
    print(f"| {before:.0f} | {after:.0f} | {MEGABYTES} | {'yes' if met else '**no**'} |")


def measure(slug: str, deal: int) -> Measured:
    """Ask for the advice on the first choices of two deals."""
    sys.dont_write_bytecode = False
    (first, second), advise = list(choices(slug, deal)), advice_of(slug)
    gc.freeze()  # as the program does after its start
    before, start = resident(), process_time()
    assert advise(first)
    middle, after = process_time(), resident()
    assert advise(second)
    return Measured(1e3 * (middle - start), 1e3 * (process_time() - middle), before, after)


def choices(slug: str, deal: int) -> Iterator[Any]:
    """Yield what a player sees at the first weighed choice of two deals."""
    definition = listing_of(slug).definition()
    game = definition.game
    for number in (abs(2 * deal), abs(2 * deal + 1)):
        options = game.Options(opponents=1) if slug == "five-card-draw" else game.Options()
        options = game.sit(options, PRACTICE // game.unit)
        # opponents are not needed before the first choice
        players = dict.fromkeys(map(Seat, range(game.seats(options))))
        table = Table(game, options, ShuffledShoe(), SeededSource(number), players)
        while True:
            table.run()
            turn = game.turn(table.state)
            assert isinstance(turn, AskSeats), turn
            seat = turn.seats[0]
            if seat == ME and table.state.phase.value in WEIGHED:
                break
            first = game.offers(table.state, seat)[0]
            table.submit(seat, first.kind(*(first.defaults or ())))
        yield table.view(ME)


def advice_of(slug: str) -> Callable[[Any], object]:
    """Return the function that the screen calls, after loading what an open table has loaded."""
    folder = f"tui_casino.games.{slug.replace('-', '_')}"
    import_module(f"{folder}.face.table_view")
    brains, face = f"{folder}.brains.", f"{folder}.face."
    match slug:
        case "video-poker":
            rank = import_module(f"{brains}adviser").rank_holds
            return lambda view: rank(view.options.paytable, view.hand, view.coins)
        case "thirty-one":
            adviser = import_module(f"{brains}adviser")
            return lambda view: adviser.read_trainer_data(adviser.position_of(view))
        case "cribbage":
            find = import_module(f"{face}choice_advice").advise_before_choice
        case _:
            find = import_module(f"{face}advice").weigh_position
    return lambda view: find(view, ME)


def resident() -> float:
    """Return the megabytes of resident memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
