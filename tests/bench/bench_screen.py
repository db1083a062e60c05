"""Measure how long the screen takes to paint, and how many bytes it writes.

    python tests/bench/bench_screen.py [--short]

Print a Markdown table. The programs run on pseudo-terminals of 80x24 in full colour, each with
its own folders and ``--seed 5``. A plain Textual app of the same kind takes turns in the
same run: a list to begin with, then five cards as ``Static``, an ``Input`` and a ``Footer``, as
in the framework's tutorial.

Times are medians on this machine; their ratios are similar on other machines. Bytes depend little
on the machine: paints that follow each other closely are written together, so a slow machine writes
less.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench import plain_app
from tests.bench.measure import chosen, heading
from tests.bench.pty_program import Program, Window, Written, running, surroundings

WINDOW = Window()
PAINT_BUDGET, TOGGLE_BUDGET, DRAW_BUDGET = 25_000, 1_400, 12_000
START_BUDGET = 400

OURS = (sys.executable, "-m", "tui_casino", "--seed", "5")
AT_TABLE = (sys.executable, "-m", "tui_casino", "video-poker", "--seed", "5")
PLAIN = plain_app.COMMAND
WITHOUT_MOTION = {"TEXTUAL_ANIMATIONS": "none"}


class Sizes(NamedTuple):
    """The amount of work: starts, openings, holds, rounds, idle seconds."""

    starts: int
    openings: int
    toggles: int
    rounds: int
    idle: float


FULL = Sizes(starts=11, openings=7, toggles=60, rounds=40, idle=3.0)
SHORT = Sizes(starts=1, openings=1, toggles=2, rounds=2, idle=0.5)


class Row(NamedTuple):
    """A line of the report: our figure, that of the plain app, and the target."""

    name: str
    ours: float
    plain: float | None
    budget: float | None
    unit: str


def main(sizes: Sizes) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        environ = surroundings(Path(folder), WINDOW)
        print(heading("textual"))
        report([*starts(environ, sizes), *openings(environ, sizes), *at_the_table(environ, sizes)])


def report(rows: Sequence[Row]) -> None:
    """Print the rows with the plain app's figures and the targets."""
    print(f"| {WINDOW} | ours | plain app | ratio | target | met |")
    print("|---|---:|---:|---:|---:|---|")
    for name, ours, plain, budget, unit in rows:
        beside = "" if plain is None else f"{plain:,.0f} {unit}"
        ratio = f"{ours / plain:.2f}" if plain else ""
        limit = "" if budget is None else f"{budget:,.0f} {unit}"
        kept = "" if budget is None else "yes" if ours <= budget else "**no**"
        print(f"| {name} | {ours:,.0f} {unit} | {beside} | {ratio} | {limit} | {kept} |")


# ---- what is measured ------------------------------------------------------------------------


def starts(environ: dict[str, str], sizes: Sizes) -> Iterator[Row]:
    """Start both programs in turn, and ours directly at a table."""
    programs = {
        "menu": (OURS, "TUI CASINO"),
        "table": (AT_TABLE, "VIDEO POKER"),
        "plain": (PLAIN, plain_app.HALL),
    }
    found: dict[str, list[Written]] = {name: [] for name in programs}
    for turn in range(sizes.starts + 1):
        for name, (command, words) in programs.items():
            with running(command, environ, WINDOW) as program:
                written = program.shown(words)
            if turn:  # the first start of each program compiled its bytecode
                found[name].append(written)
    plain = found.pop("plain")
    for name, ours in found.items():
        first, beside = first_paint(ours), first_paint(plain)
        yield Row(f"start to first paint: {name}", first, beside, START_BUDGET, "ms")
        yield Row(f"bytes of the start: {name}", size(ours), size(plain), PAINT_BUDGET, "B")


def openings(environ: dict[str, str], sizes: Sizes) -> Iterator[Row]:
    """Open the table from the menu in both programs."""
    ours: list[Written] = []
    plain: list[Written] = []
    for _ in range(sizes.openings):
        for command, found in ((OURS, ours), (PLAIN, plain)):
            with running(command, environ, WINDOW) as program:
                found.append(open_table(program, command))
    yield Row("open the table: first paint", first_paint(ours), first_paint(plain), None, "ms")
    yield Row("open the table: last paint", last_paint(ours), last_paint(plain), None, "ms")
    yield Row("open the table: bytes", size(ours), size(plain), PAINT_BUDGET, "B")


def at_the_table(environ: dict[str, str], sizes: Sizes) -> Iterator[Row]:
    """Hold cards, draw and stay idle in both programs."""
    with ExitStack() as stack:
        ours, plain = (stack.enter_context(running(c, environ, WINDOW)) for c in (OURS, PLAIN))
        still = stack.enter_context(running(OURS, environ | WITHOUT_MOTION, WINDOW))
        for program, command in ((ours, OURS), (still, OURS), (plain, PLAIN)):
            open_table(program, command)
            program.press(" ")  # deals
        yield from toggles(ours, plain, sizes.toggles)
        yield from draws(ours, still, plain, sizes.rounds)
        us, them = (len(program.idle(sizes.idle).text) for program in (ours, plain))
        yield Row(f"bytes in {sizes.idle:g} s of idling", us, them, 0, "B")


def open_table(program: Program, command: Sequence[str]) -> Written:
    """Choose the table from the first list of a program."""
    words, key = (plain_app.HALL, "\r") if command is PLAIN else ("TUI CASINO", "1")
    program.shown(words)
    return program.press(key)


def toggles(ours: Program, plain: Program, count: int) -> Iterator[Row]:
    """Hold and release each card, in turn."""
    keys = [str(number // 2 % 5 + 1) for number in range(count)]
    found = [(ours.press(key), plain.press(key)) for key in keys]
    us, them = ([pair[side] for pair in found] for side in (0, 1))
    yield Row("hold toggle: key to paint", last_paint(us), last_paint(them), None, "ms")
    yield Row("hold toggle: bytes", size(us), size(them), TOGGLE_BUDGET, "B")
    yield Row("hold toggle: bytes, maximum", most(us), most(them), TOGGLE_BUDGET, "B")


def draws(ours: Program, still: Program, plain: Program, rounds: int) -> Iterator[Row]:
    """Draw three and five new cards and deal again; the plain app always shows five."""
    found: dict[str, list[Written]] = {}
    beside: list[Written] = []
    for number in range(rounds):
        for motion, program in (("", ours), (", no animation", still)):
            held = "12" if number % 2 else ""
            for key in held:
                program.press(key)
            drawn = program.press(" ")
            won = b" pays " in drawn.plain
            kind = f"draw of {5 - len(held)}, {'won' if won else 'lost'}{motion}"
            found.setdefault(kind, []).append(drawn)
            found.setdefault(f"deal{motion}", []).append(program.press(" "))
        beside.append(plain.press(" "))
    for name, us in sorted(found.items()):
        yield Row(f"{name}: bytes", size(us), size(beside), DRAW_BUDGET, "B")
        yield Row(f"{name}: bytes, most", most(us), most(beside), DRAW_BUDGET, "B")
        if "no animation" in name:
            yield Row(f"{name}: last paint", last_paint(us), last_paint(beside), None, "ms")


def first_paint(found: Sequence[Written]) -> float:
    """Return the median of the milliseconds to the first paint."""
    return 1000 * median(written.first for written in found)


def last_paint(found: Sequence[Written]) -> float:
    """Return the median of the milliseconds to the last paint."""
    return 1000 * median(written.last for written in found)


def size(found: Sequence[Written]) -> float:
    """Return the median of the bytes."""
    return median(len(written.text) for written in found)


def most(found: Sequence[Written]) -> int:
    """Return the largest number of bytes."""
    return max(len(written.text) for written in found)


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
