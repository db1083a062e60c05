"""Measure how fast recorded sessions are listed, opened and searched.

    python tests/bench/bench_records.py [--short] [STEPS]

Print Markdown tables. The folder has 10,000 logs, which are copies of sessions of every game in
free play with different names and times. The plain way reads each log completely. The long log
is one session of video poker with a million steps. It is played here, which takes some minutes,
and opened with the frames made during play.

A log from another machine has no frames. A screen computes them once, in the background.
Steps are requested at random places, and just before a frame, which is the slowest place. The
plain way replays the log from its beginning. Results are medians, except for jobs of more than a
second, which run once.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import sleep
from typing import NamedTuple

from tests.bench.measure import heading, once, options, seconds
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.offers import Dice, Offer
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.video_poker.machine.game import Action, Bet, Draw, Hold, Phase, State
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.cache import FRAME_INTERVAL, Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.playback import Playback, ReplayMark
from tui_casino.records.replay import log_options, replay_log
from tui_casino.records.session_log import read_log
from tui_casino.records.summaries import review_logs
from tui_casino.structs import replace

SEED = 5
REST = 0.05
GOLDEN = Path(__file__).parent.parent / "golden"


class Sizes(NamedTuple):
    """The amount of work: logs listed, logs reviewed, steps of the long log, requests, turns."""

    logs: int
    folds: int
    steps: int
    seeks: int
    turns: int


FULL = Sizes(logs=10_000, folds=1_000, steps=1_000_000, seeks=200, turns=5)
SHORT = Sizes(logs=200, folds=20, steps=10_000, seeks=20, turns=1)


def main(sizes: Sizes) -> None:
    """Print both tables. Raises ``AssertionError`` if the list differs from the logs."""
    print(heading())
    with tempfile.TemporaryDirectory() as folder:
        listing(Path(folder) / "many", Cache(Path(folder) / "cache.db"), sizes)
        print()
        seeking(Path(folder) / "long", Cache(Path(folder) / "cache.db"), sizes)


# ---- many logs -------------------------------------------------------------------------------


def listing(folder: Path, cache: Cache, sizes: Sizes) -> None:
    """List many logs, and review some of them."""
    folder.mkdir()
    kinds = [path.read_bytes() for path in sorted(GOLDEN.glob("*/session.jsonl"))]
    for number in range(sizes.logs):
        header, rest = kinds[number % len(kinds)].split(b"\n", 1)
        began = 1_767_225_600_000 + 60_000 * number
        first = header.replace(b'"at":1767225600000', b'"at":%d' % began)
        (folder / f"{number:05}.jsonl").write_bytes(first + b"\n" + rest)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{sizes.logs:,} logs, {size / 1e6:,.0f} MB.\n")
    print("| of all logs | seconds | times the list |")
    print("|---|---:|---:|")
    found = list_logs(folder, DEFINITIONS, {})
    results = {entry.path: (entry.steps, entry.result) for entry in found}
    assert {path: steps_and_result(path) for path in folder.iterdir()} == results
    ways = {
        "the list, from first and last lines": lambda: list_logs(folder, DEFINITIONS, {}),
        "every log read completely": lambda: [steps_and_result(path) for path in folder.iterdir()],
    }
    turns = [{name: once(way) for name, way in ways.items()} for _ in range(sizes.turns)]
    took = {name: median(turn[name] for turn in turns) for name in ways}
    ours, *_ = took.values()
    for name, time in took.items():
        row(name, time, ours)
    some = found[: sizes.folds]
    for how in ("replayed", "kept"):
        reviewed = once(lambda: list(review_logs(some, DEFINITIONS, cache)))
        row(f"statistics of {len(some):,}, {how}", reviewed, ours)


def steps_and_result(path: Path) -> tuple[int, int | None]:
    """Read a log completely for the figures of the list; a game for points has no result."""
    log = read_log(path)
    assert log.end is not None
    definition = DEFINITIONS[log.header.game]
    if definition.points:
        return len(log.lines), None
    game = definition.game
    state = game.start(log_options(game, log))
    brought = game.money(state, Seat(0)).free
    return len(log.lines), game.unit * (log.end.money[0] - brought)


# ---- a long log ------------------------------------------------------------------------------


class Quick:
    """A player who bets 1 and holds the first two cards; only the log matters."""

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        """Choose by a fixed rule."""
        match view.phase:
            case Phase.BET:
                return Bet(1)
            case Phase.DEAL:
                return Draw()
            case _:
                return Hold((1, 2))


def seeking(folder: Path, cache: Cache, sizes: Sizes) -> None:
    """Play a long log, open and search it, and compute its frames as if from another machine."""
    steps = sizes.steps
    definition = replace(DEFINITIONS["video-poker"], players={"quick": Quick})
    path = played(folder, definition, steps, cache)
    bare = Cache(None)
    first = once(lambda: Playback(definition, path, bare).close())
    with Playback(definition, path, Cache(folder / "other.db")) as recording:
        assert recording.steps == steps
        work = once(lambda: list(recording.index()))
    opening = seconds(lambda: Playback(definition, path, cache).close(), sizes.turns)
    random = Random(SEED)
    with Playback(definition, path, cache) as recording:
        assert recording.indexed >= steps - 20 * FRAME_INTERVAL, "kept while it was played"
        [*recording.index()]
        places = [random.randint(1, steps) for _ in range(sizes.seeks)]
        worst = [
            FRAME_INTERVAL * random.randint(1, steps // FRAME_INTERVAL) for _ in range(sizes.seeks)
        ]
        seeks = times(recording.moment_at, places)
        ends = times(recording.moment_at, worst)
        recording.moment_at(steps // 2)
        near = times(recording.moment_at, range(steps // 2, steps // 2 - 100, -1))
        wins = times(partial(recording.next_mark, ReplayMark.WIN), places)
        some = steps // 10
        plain = once(lambda: to_step(definition, path, some))
        ours = once(lambda: recording.moment_at(some))
    size = path.stat().st_size / 1e6
    print(
        f"A log of {steps:,} steps, {size:,.0f} MB; a frame every {FRAME_INTERVAL} steps; ", end=""
    )
    print(f"load {os.getloadavg()[0]:.1f}.\n")
    print("| of the long log | milliseconds |")
    print("|---|---:|")
    for name, time in {
        "open, without cached frames": first,
        "open, with frames cached during play": opening,
        "any step": median(seeks),
        "any step, the slowest": max(seeks),
        "a step just before a frame": median(ends),
        "a step just before a frame, the slowest": max(ends),
        "one step back": median(near),
        "the next win": median(wins),
        f"step {some:,}": ours,
        f"step {some:,}, replayed from the beginning": plain,
    }.items():
        print(f"| {name} | {1000 * time:,.2f} |")
    print(f"\nReplayed from the beginning takes {plain / ours:,.0f} times as long. ", end="")
    print(f"The frames of a log from another machine are computed once in {work:.0f} s, ", end="")
    print(f"{steps / work:,.0f} steps per second.")


def played(folder: Path, definition: AnyDefinition, steps: int, cache: Cache) -> Path:
    """Play a session of a number of steps, with a short pause after every 500."""
    options = definition.game.sit(definition.game.Options(), steps)
    source, seats = SeededSource(SEED), {Seat(0): "quick"}
    with ThreadPoolExecutor(1) as workers:
        house = House(folder, None, "bench", cache=cache.path, workers=workers)
        sitting = begin_sitting(house, definition, options, ShuffledShoe(), source, seats)
        for step in range(steps):
            sitting.table.advance()
            if step % FRAME_INTERVAL == FRAME_INTERVAL - 1:
                sleep(REST)
        sitting.leave()
    return sitting.log.path


def to_step(definition: AnyDefinition, path: Path, step: int) -> None:
    """Replay a log from its beginning."""
    for played in replay_log(definition.game, read_log(path)):
        if played.line.n == step:
            return


# ---- time ------------------------------------------------------------------------------------


def row(name: str, time: float, base: float) -> None:
    """Print a row of the first table."""
    print(f"| {name} | {time:.2f} | {time / base:.2f} |")


def times(job: Callable[[int], object], steps: Iterable[int]) -> list[float]:
    """Time a call for each step."""
    return [once(partial(job, step)) for step in steps]


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("steps", metavar="STEPS", nargs="?", type=int, default=FULL.steps)
    asked = parser.parse_args()
    main(SHORT if asked.short else FULL._replace(steps=asked.steps))
