"""Measure how fast the program starts and reads its own logs.

    python tests/bench/bench_start.py [--short]

Print Markdown tables. The programs of the first table take turns, and a result is the median of
all turns, so other load on the machine affects all of them. A computer player plays the log
of the second table here. Its commands are timed completely; the rate does not include the start,
which is that of ``--help``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.measure import chosen, heading, once
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import listing_of
from tui_casino.house.sitting import House, begin_sitting

CREDIT, SEED = 1_000_000, 5
PYTHON = [sys.executable, "-c"]
PROGRAM = [sys.executable, "-m", "tui_casino"]


class Sizes(NamedTuple):
    """The amount of work: starts, turns, rounds of the log."""

    starts: int
    turns: int
    rounds: int


FULL = Sizes(starts=21, turns=5, rounds=1_000)
SHORT = Sizes(starts=1, turns=1, rounds=50)


def main(sizes: Sizes) -> None:
    """Print both tables. Raises ``AssertionError`` if a command fails."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {f"XDG_{kind}_HOME": folder for kind in ("CONFIG", "STATE", "DATA")}
        print(heading("numpy", "textual"))
        help_takes = starts(sizes.starts)
        print()
        records(Path(folder), help_takes, sizes)


def starts(count: int) -> float:
    """Print the times of the start and of its parts; return that of ``--help``."""
    commands = {
        "`python -c pass`": [*PYTHON, "pass"],
        "`python -c 'import argparse'`": [*PYTHON, "import argparse"],
        "`tui-casino --help`": [*PROGRAM, "--help"],
        "`tui-casino video-poker --help`": [*PROGRAM, "video-poker", "--help"],
        "`python -c 'import numpy'`": [*PYTHON, "import numpy"],
        "`python -c 'import textual.app'`": [*PYTHON, "import textual.app"],
    }
    times = in_turns(commands, count)
    base = next(iter(times.values()))
    print("| start | milliseconds | times bare Python |")
    print("|---|---:|---:|")
    for name, time in times.items():
        print(f"| {name} | {1000 * time:.1f} | {time / base:.2f} |")
    return times["`tui-casino --help`"]


def records(folder: Path, start: float, sizes: Sizes) -> None:
    """Print how fast a log is replayed and verified."""
    log, steps = played(folder, sizes.rounds)
    size = log.stat().st_size / 1024
    commands = {
        "`replay`": [*PROGRAM, "replay", str(log)],
        "`replay --json`": [*PROGRAM, "replay", str(log), "--json"],
        "`verify`": [*PROGRAM, "verify", str(log)],
    }
    print(f"A log of {sizes.rounds:,} rounds of video poker: {steps:,} steps, {size:,.0f} KiB.\n")
    print("| command | seconds | steps per second |")
    print("|---|---:|---:|")
    for name, time in in_turns(commands, sizes.turns).items():
        print(f"| {name} | {time:.2f} | {steps / (time - start):,.0f} |")


def in_turns(commands: dict[str, list[str]], turns: int) -> dict[str, float]:
    """Return the median of the seconds of each command, after one turn that does not count."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(turns + 1):
        for name, command in commands.items():
            taken = once(partial(_run, command))
            if turn:
                times[name].append(taken)
    return {name: median(taken) for name, taken in times.items()}


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    assert not done.returncode, command


def played(folder: Path, rounds: int) -> tuple[Path, int]:
    """Play a session by the 34-line strategy; return its log and its number of steps."""
    listing = listing_of("video-poker")
    definition: AnyDefinition = listing.definition()
    house = House(folder / "logs", None, "bench")
    options = definition.game.sit(definition.game.Options(), CREDIT)
    sitting = begin_sitting(
        house, definition, options, ShuffledShoe(), SeededSource(SEED), {Seat(0): "list"}
    )
    tally, steps = definition.tally(Seat(0)), 0
    while tally.rounds < rounds:
        for event in sitting.table.play(*sitting.table.ask()):
            tally = tally.add(event)
        steps += 1
    sitting.leave()
    return sitting.log.path, steps


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
