"""Measure how long it takes to compute the costs of all choices in many sessions.

    python tests/bench/bench_teacher.py [--short]

Print Markdown tables. A simple computer player plays sessions of every game and makes one
choice in eight at random. A session ends after some rounds, or with the game. Another process
plays them, so this process begins without any tables. The choices are analysed as for the list of
mistakes and the leaks, the first time and from the cache.

Another process reads the cache, like the program of a returning player: the costs, and the whole
queue, from the folder to the pending tasks. Times are processor time of all threads. A
loop in plain Python is timed in the same run before, between and after them, for the ratios.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import NamedTuple

from tests.bench.measure import chosen, heading, loop
from tests.helpers.random_play import Wild
from tui_casino.engine.chance import DiceStream, SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing
from tui_casino.house.sitting import PRACTICE, House, begin_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.teacher.mistake_queue import AnswerFile, MistakeQueue
from tui_casino.teacher.mistakes import ReviewedSitting, StakesFilter, review_sittings


class Sizes(NamedTuple):
    """The amount of work: sessions, and the largest number of rounds in each."""

    logs: int
    rounds: int


FULL, SHORT = Sizes(logs=1_000, rounds=12), Sizes(logs=10, rounds=3)
PLAIN = {"cribbage": "greedy", "baccarat": "banker"}
"""The computer player by game; in other games it is the first one."""
WILD = 8
COLD, WARM = 60, 0.3
"""The targets in seconds for a thousand sessions."""


def main(sizes: Sizes) -> None:
    """Print both tables. Raises ``AssertionError`` if the cache differs from the computed costs."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does
    with tempfile.TemporaryDirectory() as name:
        folder, kept = Path(name) / "logs", Path(name) / "cache.db"
        with ProcessPoolExecutor(1, get_context("spawn")) as other:
            other.submit(play, folder, sizes).result()
        print(heading("numpy"))
        loops = [loop()]
        times, first = weighed(folder, kept)
        loops.append(loop())
        with ProcessPoolExecutor(1, get_context("spawn")) as other:
            again, opened, second = other.submit(reopened, folder, kept).result()
        assert second == sum(len(each.mistakes) for each in first)
        loops.append(loop())
    mean_loop = sum(loops) / len(loops)
    rows = (
        ("the first time", sum(times.values()), COLD),
        ("from the cache", again, WARM),
        ("the queue, opened", opened, WARM),
    )
    mean = sum(each.entry.steps for each in first) / len(first)
    rounds = sum(each.rounds for each in first) / len(first)
    found = sum(len(each.mistakes) for each in first)
    print(
        f"{len(first):,} sessions of {len(DEFINITIONS)} games: {mean:.0f} lines of a log and "
        f"{rounds:.1f} rounds on average, {found:,} mistakes.\n"
    )
    print("| the costs of all choices | seconds | times the loop | target | met |")
    print("|---|---:|---:|---:|---|")
    for what, took, most in rows:
        said = "yes" if took <= most else "**no**"
        print(f"| {what} | {took:,.2f} | {took / mean_loop:,.2f} | {most:g} | {said} |")
    print(f"\nThe loop took {mean_loop:.2f} s, at its fastest {min(loops):.2f}.")
    print("\n| the first time | sessions | ms per session | ms per round |")
    print("|---|---:|---:|---:|")
    for game in DEFINITIONS:
        mine = [each for each in first if each.entry.game == game]
        if mine:
            cost, played = 1_000 * times[game], sum(each.rounds for each in mine)
            print(f"| {game} | {len(mine):,} | {cost / len(mine):,.1f} | {cost / played:,.2f} |")


def weighed(folder: Path, kept: Path) -> tuple[dict[str, float], list[ReviewedSitting]]:
    """Analyse all sessions or read the cache; return the seconds by game, and the costs.

    Sessions of games without a trainer only add their time.
    """
    times: dict[str, float] = dict.fromkeys((*DEFINITIONS, ""), 0.0)
    found: list[ReviewedSitting] = []
    cache, start = Cache(kept), process_time()
    for each in review_sittings(list_logs(folder, DEFINITIONS, {}), DEFINITIONS, cache):
        game = each.entry.game
        assert game is not None
        if isinstance(each, ReviewedSitting):
            found.append(each)
        now = process_time()
        times[game] += now - start
        start = now
    times[""] += process_time() - start  # the time to save the last results
    return times, found


def reopened(folder: Path, kept: Path) -> tuple[float, float, int]:
    """Read the cache and open the queue; return both times, and the number of tasks."""
    for _ in DEFINITIONS.values():  # imports the games
        pass
    start = process_time()
    for _ in review_sittings(list_logs(folder, DEFINITIONS, {}), DEFINITIONS, Cache(kept)):
        pass
    read, start = process_time() - start, process_time()
    queue = MistakeQueue(AnswerFile(None, "bench"))
    queue.chosen_stakes = StakesFilter.ALL  # the shuffles are numbered
    for each in review_sittings(list_logs(folder, DEFINITIONS, {}), DEFINITIONS, Cache(kept)):
        if isinstance(each, ReviewedSitting):
            queue.add(each)
    assert queue.groups()
    waiting = queue.pending()
    return read, process_time() - start, len(waiting)


def play(folder: Path, sizes: Sizes) -> None:
    """Play the sessions, one game after the other in turn."""
    listings = [game for game in GAMES if game.definition().adviser.has_judge]
    for number in range(sizes.logs):
        sit(listings[number % len(listings)], folder, number, sizes.rounds)


def sit(listing: GameListing, folder: Path, number: int, rounds: int) -> None:
    """Play a session with a limited number of rounds."""
    definition = listing.definition()
    options = definition.game.sit(definition.game.Options(), PRACTICE // definition.game.unit)
    plain = PLAIN.get(listing.slug, next(iter(definition.players)))
    who = {Seat(seat): plain if seat else None for seat in range(definition.game.seats(options))}
    ours, wild = definition.players[plain](), Wild()
    clock = count(1_767_225_600_000 + 3_600_000 * number, 1_000)
    house = House(folder, None, "bench", clock=lambda: next(clock))
    with begin_sitting(
        house, definition, options, ShuffledShoe(), SeededSource(number), who
    ) as sitting:
        table, seat = sitting.table, Seat(0)
        dice = DiceStream(number.to_bytes(32), "bench")
        while sitting.dialogue.tally.rounds < rounds:
            table.run()
            if not isinstance(definition.game.turn(table.state), AskSeats):
                break
            view = table.view(seat)
            offers = definition.game.offers(view, seat)
            if all(offer.barred for offer in offers):
                break
            player = ours if dice.below(WILD) else wild
            table.submit(seat, player.choose(view, seat, offers, dice))
            sitting.dialogue.recall()
        sitting.leave()


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
