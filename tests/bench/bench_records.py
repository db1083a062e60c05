"""How fast recorded sessions are listed, opened and gone about in, beside plainer ways.

    python tests/bench/bench_records.py [STEPS]

Prints Markdown. The folder has 10,000 logs, copies of sittings of every game for practice under
other names and times; the plainer way reads each of them whole. The long log is one sitting of
video poker of a million steps, played here, which takes some minutes; it is opened from what was
kept meanwhile. A log of another machine has to be worked out once, as a screen does in the
background. Steps are sought at random places, and just before a frame, which is the worst place;
the plainer way replays the log from its beginning to the step. Figures are medians, but what takes
longer than a second is done once.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, sleep

from tui_casino.engine.chance import NumberedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.offers import Dice, Offer
from tui_casino.gamekit.parts import AnyParts
from tui_casino.gamekit.registry import GAMES
from tui_casino.games.video_poker.machine.game import Action, Bet, Draw, Hold, Phase, State
from tui_casino.house.sitting import House, begin
from tui_casino.records.cache import Cache
from tui_casino.records.folds import fold_all
from tui_casino.records.log import read
from tui_casino.records.playback import EVERY, Playback
from tui_casino.records.replay import options_of, replay
from tui_casino.records.shelf import entries
from tui_casino.records.watch import Mark

LOGS = 10_000
STEPS = 1_000_000
TURNS, SEEKS, SEED = 5, 200, 5
REST = 0.05
GOLDEN = Path(__file__).parent.parent / "golden"
ALL_GAMES = {game.slug: game.parts for game in GAMES}


def main(steps: int) -> None:
    """Print both tables."""
    print(f"{cpu()}, {os.cpu_count()} cores; Python {platform.python_version()}; ", end="")
    print(f"load {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as folder:
        listing(Path(folder) / "many", Cache(Path(folder) / "cache.db"))
        print()
        seeking(Path(folder) / "long", Cache(Path(folder) / "cache.db"), steps)


# ---- many logs -------------------------------------------------------------------------------


def listing(folder: Path, cache: Cache) -> None:
    """List 10,000 logs, and fold them."""
    folder.mkdir()
    kinds = [path.read_bytes() for path in sorted(GOLDEN.glob("*/session.jsonl"))]
    for number in range(LOGS):
        header, rest = kinds[number % len(kinds)].split(b"\n", 1)
        began = 1_767_225_600_000 + 60_000 * number
        first = header.replace(b'"at":1767225600000', b'"at":%d' % began)
        (folder / f"{number:05}.jsonl").write_bytes(first + b"\n" + rest)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{LOGS:,} logs, {size / 1e6:,.0f} MB.\n")
    print("| of all logs | seconds | times the list |")
    print("|---|---:|---:|")
    found = entries(folder, ALL_GAMES, {})
    results = {entry.path: (entry.steps, entry.result) for entry in found}
    assert {path: steps_and_result(path) for path in folder.iterdir()} == results
    ways = {
        "the list, from first and last lines": lambda: entries(folder, ALL_GAMES, {}),
        "every log read whole": lambda: [steps_and_result(path) for path in folder.iterdir()],
    }
    turns = [{name: once(way) for name, way in ways.items()} for _ in range(TURNS)]
    took = {name: median(turn[name] for turn in turns) for name in ways}
    ours, *_ = took.values()
    for name, seconds in took.items():
        row(name, seconds, ours)
    fold = found[:1_000]
    row("statistics of 1,000, replayed", once(lambda: list(fold_all(fold, ALL_GAMES, cache))), ours)
    row("statistics of 1,000, kept", once(lambda: list(fold_all(fold, ALL_GAMES, cache))), ours)


def steps_and_result(path: Path) -> tuple[int, int]:
    """Read a log whole for the figures of the list."""
    log = read(path)
    assert log.end is not None
    game = ALL_GAMES[log.header.game]().game
    state = game.start(options_of(game, log))
    brought = game.money(state, Seat(0)).free
    return len(log.lines), game.unit * (log.end.money[0] - brought)


# ---- a long log ------------------------------------------------------------------------------


class Quick:
    """Bets 1 and holds the first two cards: what counts is the log, not the play."""

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        """Choose without a thought."""
        match view.phase:
            case Phase.BET:
                return Bet(1)
            case Phase.DEAL:
                return Draw()
            case _:
                return Hold((1, 2))


def seeking(folder: Path, cache: Cache, steps: int) -> None:
    """Play a long log, open it, and go about in it; work it out as if another had written it."""
    parts = replace(ALL_GAMES["video-poker"](), players={"quick": Quick})
    path = played(folder, parts, steps, cache)
    bare = Cache(None)
    first = once(lambda: Playback(parts, path, bare).close())
    with Playback(parts, path, Cache(folder / "other.db")) as recording:
        assert recording.steps == steps
        work = once(lambda: list(recording.index()))
    opening = median(once(lambda: Playback(parts, path, cache).close()) for _ in range(TURNS))
    random = Random(SEED)
    with Playback(parts, path, cache) as recording:
        assert recording.indexed >= steps - 20 * EVERY, "kept while it was played"
        [*recording.index()]
        places = [random.randint(1, steps) for _ in range(SEEKS)]
        worst = [EVERY * random.randint(1, steps // EVERY) for _ in range(SEEKS)]
        seeks = times(recording.at, places)
        ends = times(recording.at, worst)
        recording.at(steps // 2)
        near = times(recording.at, range(steps // 2, steps // 2 - 100, -1))
        wins = times(partial(recording.next, Mark.WIN), places)
        some = steps // 10
        plain = once(lambda: to_step(parts, path, some))
        ours = once(lambda: recording.at(some))
    size = path.stat().st_size / 1e6
    print(f"A log of {steps:,} steps, {size:,.0f} MB; a frame every {EVERY} steps; ", end="")
    print(f"load {os.getloadavg()[0]:.1f}.\n")
    print("| of the long log | milliseconds |")
    print("|---|---:|")
    for name, seconds in {
        "open, nothing kept": first,
        "open, kept while it was played": opening,
        "any step": median(seeks),
        "any step, the slowest": max(seeks),
        "a step just before a frame": median(ends),
        "a step just before a frame, the slowest": max(ends),
        "one step back": median(near),
        "the next win": median(wins),
        f"step {some:,}": ours,
        f"step {some:,}, replayed from the beginning": plain,
    }.items():
        print(f"| {name} | {1000 * seconds:,.2f} |")
    print(f"\nReplayed from the beginning takes {plain / ours:,.0f} times as long. ", end="")
    print(f"A log of another machine is worked out once in {work:.0f} s, ", end="")
    print(f"{steps / work:,.0f} steps a second.")


def played(folder: Path, parts: AnyParts, steps: int, cache: Cache) -> Path:
    """Play a sitting of so many steps, with a rest after every 500, shorter than any person's."""
    options = parts.game.sit(parts.game.Options(), steps)
    source, seats = NumberedSource(SEED), {Seat(0): "quick"}
    with ThreadPoolExecutor(1) as workers:
        house = House(folder, None, "bench", cache=cache.path, workers=workers)
        sitting = begin(house, parts, options, ShuffledShoe(), source, seats)
        for step in range(steps):
            sitting.table.advance()
            if step % EVERY == EVERY - 1:
                sleep(REST)
        sitting.leave()
    return sitting.log.path


def to_step(parts: AnyParts, path: Path, step: int) -> None:
    """ReplayTable a log from its beginning."""
    for played in replay(parts.game, read(path)):
        if played.line.n == step:
            return


# ---- time ------------------------------------------------------------------------------------


def row(name: str, seconds: float, base: float) -> None:
    """Print a row of the first table."""
    print(f"| {name} | {seconds:.2f} | {seconds / base:.2f} |")


def times(job: Callable[[int], object], steps: Iterable[int]) -> list[float]:
    """Measure a call for each step."""
    return [once(partial(job, step)) for step in steps]


def once(job: Callable[[], object]) -> float:
    """Measure a call."""
    start = perf_counter()
    job()
    return perf_counter() - start


def cpu() -> str:
    """Name the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS)
