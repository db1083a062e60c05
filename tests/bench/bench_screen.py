"""What the screen costs on a terminal: time to paint, and bytes that are written.

    python tests/bench/bench_screen.py

Prints Markdown. Programs run on real pseudo-terminals of 80x24 in all colours, with folders of
their own and ``--seed 5``: ours, and beside it in the same run, taking turns, a plain Textual app
of the same kind (a list to begin with; five cards as ``Static``, an ``Input``, a ``Footer``),
written as the framework's tutorial would. Times are medians; they hold for this machine, and
their ratios more widely. Bytes hardly depend on the machine: paints that follow each other
closely are written as one, so that a slow one writes less.
"""

from __future__ import annotations

import fcntl
import os
import platform
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

COLUMNS, ROWS = 80, 24
STARTS, OPENINGS, TOGGLES, ROUNDS = 11, 7, 60, 40
IDLE = 3.0
QUIET = 0.3
"""Seconds without output after which a program is taken to have finished; a deal pauses less."""
PATIENCE = 5.0
"""Seconds in which a key must show something."""

PAINT_BUDGET, TOGGLE_BUDGET, DRAW_BUDGET = 25_000, 1_400, 12_000
START_BUDGET = 400

STYLE = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")
OURS = [sys.executable, "-m", "tui_casino", "--seed", "5"]
AT_TABLE = [sys.executable, "-m", "tui_casino", "video-poker", "--seed", "5"]
PLAIN = [sys.executable, "-c", "import bench_screen; bench_screen.plain()"]  # with bytecode, too
WITHOUT_MOTION = {"TEXTUAL_ANIMATIONS": "none"}


class Written(NamedTuple):
    """What a program wrote: how much, and the seconds to the first and to the last of it."""

    text: bytes
    first: float
    last: float


class Program:
    """A program on a pseudo-terminal."""

    def __init__(self, command: Sequence[str], environ: dict[str, str]) -> None:
        self.started = perf_counter()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            try:
                size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                os.execve(command[0], list(command), environ)
            finally:
                os._exit(127)

    def shown(self, words: str) -> Written:
        """Read until words are on the screen, then on until all is quiet.

        ``first`` is when the words had come. Raises ``TimeoutError`` if they do not.
        """
        text, shown = b"", 0.0
        while not shown:
            if not self._waits(PATIENCE):
                raise TimeoutError(f"{words!r} never came: {text[-500:]!r}")
            text += self._read()
            if words.encode() in STYLE.sub(b"", text):
                shown = perf_counter() - self.started
        rest = self._rest(self.started)
        return Written(text + rest.text, shown, max(shown, rest.last))

    def press(self, key: str) -> Written:
        """Press a key, and read until all is quiet. Raises ``TimeoutError`` if nothing comes."""
        pressed = perf_counter()
        os.write(self.terminal, key.encode())
        if not self._waits(PATIENCE):
            raise TimeoutError(f"{key!r} shows nothing")
        return self._rest(pressed)

    def idle(self, seconds: float) -> int:
        """Give the bytes written while nothing is done."""
        until, count = perf_counter() + seconds, 0
        while (left := until - perf_counter()) > 0:
            if self._waits(left):
                count += len(self._read())
        return count

    def close(self) -> None:
        """End the program."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def _rest(self, since: float) -> Written:
        text, first, last = b"", 0.0, 0.0
        while self._waits(QUIET):
            text += self._read()
            last = perf_counter() - since
            first = first or last
        return Written(text, first, last)

    def _waits(self, seconds: float) -> bool:
        return bool(select.select([self.terminal], [], [], seconds)[0])

    def _read(self) -> bytes:
        return os.read(self.terminal, 65_536)


class Row(NamedTuple):
    """A line of the report: ours and the plain app's figure, and what ours should not exceed."""

    name: str
    ours: float
    plain: float | None
    budget: float | None
    unit: str


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        environ = surroundings(folder)
        print(f"{cpu()}, {os.cpu_count()} cores; Python {platform.python_version()}; ", end="")
        print(f"load {os.getloadavg()[0]:.1f}\n")
        report([*starts(environ), *openings(environ), *at_the_table(environ)])


def report(rows: Sequence[Row]) -> None:
    """Print the rows, each beside the plain app and its budget."""
    print("| 80x24, truecolor | ours | plain app | ratio | budget | kept |")
    print("|---|---:|---:|---:|---:|---|")
    for name, ours, plain, budget, unit in rows:
        beside = "" if plain is None else f"{plain:,.0f} {unit}"
        ratio = f"{ours / plain:.2f}" if plain else ""
        limit = "" if budget is None else f"{budget:,.0f} {unit}"
        kept = "" if budget is None else "yes" if ours <= budget else "**no**"
        print(f"| {name} | {ours:,.0f} {unit} | {beside} | {ratio} | {limit} | {kept} |")


# ---- what is measured ------------------------------------------------------------------------


def starts(environ: dict[str, str]) -> Iterator[Row]:
    """Start both programs in turns, and ours at a table at once."""
    programs = {
        "menu": (OURS, "TUI CASINO"),
        "table": (AT_TABLE, "VIDEO POKER"),
        "plain": (PLAIN, "PLAIN HALL"),
    }
    found: dict[str, list[Written]] = {name: [] for name in programs}
    for turn in range(STARTS + 1):
        for name, (command, words) in programs.items():
            with running(command, environ) as program:
                written = program.shown(words)
            if turn:  # the first of each made the bytecode
                found[name].append(written)
    plain = found.pop("plain")
    for name, ours in found.items():
        first, beside = first_paint(ours), first_paint(plain)
        yield Row(f"start to first paint: {name}", first, beside, START_BUDGET, "ms")
        yield Row(f"bytes of the start: {name}", size(ours), size(plain), PAINT_BUDGET, "B")


def openings(environ: dict[str, str]) -> Iterator[Row]:
    """Open the table from the menu, in both programs."""
    ours: list[Written] = []
    plain: list[Written] = []
    for _ in range(OPENINGS):
        for command, found in ((OURS, ours), (PLAIN, plain)):
            with running(command, environ) as program:
                found.append(open_table(program, command))
    yield Row("open the table: first paint", first_paint(ours), first_paint(plain), None, "ms")
    yield Row("open the table: last paint", last_paint(ours), last_paint(plain), None, "ms")
    yield Row("open the table: bytes", size(ours), size(plain), PAINT_BUDGET, "B")


def at_the_table(environ: dict[str, str]) -> Iterator[Row]:
    """Hold cards, draw and do nothing, in both programs."""
    with ExitStack() as stack:
        ours, plain = (stack.enter_context(running(c, environ)) for c in (OURS, PLAIN))
        still = stack.enter_context(running(OURS, environ | WITHOUT_MOTION))
        for program, command in ((ours, OURS), (still, OURS), (plain, PLAIN)):
            open_table(program, command)
            program.press(" ")  # deals
        yield from toggles(ours, plain)
        yield from draws(ours, still, plain)
        idle = ours.idle(IDLE), plain.idle(IDLE)
        yield Row(f"bytes in {IDLE:.0f} s of idling", *idle, 0, "B")


def open_table(program: Program, command: Sequence[str]) -> Written:
    """Choose the table from the list that a program begins with."""
    words, key = ("PLAIN HALL", "\r") if command is PLAIN else ("TUI CASINO", "1")
    program.shown(words)
    return program.press(key)


def toggles(ours: Program, plain: Program) -> Iterator[Row]:
    """Hold each card and let it go, in turns."""
    keys = [str(number // 2 % 5 + 1) for number in range(TOGGLES)]
    found = [(ours.press(key), plain.press(key)) for key in keys]
    us, them = ([pair[side] for pair in found] for side in (0, 1))
    yield Row("hold toggle: key to paint", last_paint(us), last_paint(them), None, "ms")
    yield Row("hold toggle: bytes", size(us), size(them), TOGGLE_BUDGET, "B")
    yield Row("hold toggle: bytes, most", most(us), most(them), TOGGLE_BUDGET, "B")


def draws(ours: Program, still: Program, plain: Program) -> Iterator[Row]:
    """Draw three and five new cards and deal again; the plain app has five new cards each time."""
    found: dict[str, list[Written]] = {}
    beside: list[Written] = []
    for number in range(ROUNDS):
        for motion, program in (("", ours), (", no motion", still)):
            held = "12" if number % 2 else ""
            for key in held:
                program.press(key)
            drawn = program.press(" ")
            won = b" pays " in STYLE.sub(b"", drawn.text)
            kind = f"draw of {5 - len(held)}, {'won' if won else 'lost'}{motion}"
            found.setdefault(kind, []).append(drawn)
            found.setdefault(f"deal{motion}", []).append(program.press(" "))
        beside.append(plain.press(" "))
    for name, us in sorted(found.items()):
        yield Row(f"{name}: bytes", size(us), size(beside), DRAW_BUDGET, "B")
        yield Row(f"{name}: bytes, most", most(us), most(beside), DRAW_BUDGET, "B")
        if "no motion" in name:
            yield Row(f"{name}: last paint", last_paint(us), last_paint(beside), None, "ms")


def first_paint(found: Sequence[Written]) -> float:
    """Give the median of the milliseconds to the first paint."""
    return 1000 * median(written.first for written in found)


def last_paint(found: Sequence[Written]) -> float:
    """Give the median of the milliseconds to the last paint."""
    return 1000 * median(written.last for written in found)


def size(found: Sequence[Written]) -> float:
    """Give the median of the bytes."""
    return median(len(written.text) for written in found)


def most(found: Sequence[Written]) -> int:
    """Give the most bytes."""
    return max(len(written.text) for written in found)


# ---- programs --------------------------------------------------------------------------------


@contextmanager
def running(command: Sequence[str], environ: dict[str, str]) -> Iterator[Program]:
    """Run a program for a while."""
    program = Program(command, environ)
    try:
        yield program
    finally:
        program.close()


def surroundings(folder: str) -> dict[str, str]:
    """Give an environment in which nothing of the player's own is read or written."""
    here = Path(__file__).parent
    kinds = ("CONFIG", "STATE", "DATA", "CACHE")
    return {f"XDG_{kind}_HOME": folder for kind in kinds} | {
        "HOME": folder,
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join((str(here), str(here.parent.parent))),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }


def cpu() -> str:
    """Name the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def plain() -> None:
    """Run the plain app."""
    from textual.app import App, ComposeResult
    from textual.binding import Binding
    from textual.containers import Horizontal
    from textual.screen import Screen
    from textual.widgets import Footer, Input, OptionList, Static

    class Card(Static):
        """A card: a box with its name in the corners."""

        def show(self, name: str) -> None:
            self.update(f"{name}\n\n   {name[-1]}\n\n     {name}")

    class Table(Screen[None]):
        """Five cards over a line to type into."""

        BINDINGS = [  # noqa: RUF012 - as Textual's tutorial has it
            Binding("space", "draw", "Draw", priority=True),
            *(
                Binding(str(n), f"hold({n})", "Hold", show=n == 1, priority=True)
                for n in range(1, 6)
            ),
        ]
        CSS = """
        Table Horizontal { height: 1fr; align: center middle; }
        Card { width: 9; height: 7; border: round white; background: white; color: black; }
        Card.held { border: heavy orange; }
        """
        drawn = 0

        def compose(self) -> ComposeResult:
            yield Static("PLAIN TABLE")
            with Horizontal():
                for number in range(5):
                    yield Card(id=f"card{number + 1}")
            yield Input()
            yield Footer()

        def on_mount(self) -> None:
            self.action_draw()

        def action_draw(self) -> None:
            for card in self.query(Card):
                self.drawn += 1
                card.remove_class("held")
                card.show("23456789TJQKA"[self.drawn % 13] + "♣♦♥♠"[self.drawn % 4])

        def action_hold(self, number: int) -> None:
            self.query_one(f"#card{number}").toggle_class("held")

    class Plain(App[None]):
        """A list of games, and the table."""

        def compose(self) -> ComposeResult:
            yield Static("PLAIN HALL")
            yield OptionList(*(f"Game {number}" for number in range(1, 6)))
            yield Footer()

        def on_option_list_option_selected(self) -> None:
            self.push_screen(Table())

    Plain().run()


if __name__ == "__main__":
    main()
