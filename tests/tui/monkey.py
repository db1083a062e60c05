"""A monkey at the terminal: ``python -m tests.tui.monkey --minutes 60 [--seed N]``.

It presses keys, types lines, clicks and drags, and changes the size of the window, at random, in
one program after the other on a pseudo-terminal. A program may end only by its own keys. Afterwards
every log is verified. It prints its actions; the exit code is 1 after an error.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.helpers.pty_terminal import CASINO, Terminal, environment

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
KEYS = (
    *LETTERS,
    *"0123456789",
    *" \r\r  $?:.,;-+#/",
    *("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"),
    *("\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[1;2A", "\x7f", "\t", "\x1b[Z", "\x10", "\x0e"),
)
"""Escape is rare, below; otherwise few games would be played to their end."""
LINES = (
    *("b 5", "b 1", "d", "h 1 2", "h", "h 1 2 3 4 5", "a", "s", "$", "stats", "?", "u", "o"),
    *("p 10", "player 5", "banker 10", "tie 5", "c", "f", "r", "k", "x 1 2", "x", "raise 20"),
    *("h 9", "b 99999999999", "zz top", "ｂ 5", "b -1", "h 1 1", "\U0001f0a1", "b 5 5", ": :"),
)
ANSWERS = (
    *("\x1b[?0u", "\x1b[8;24;80t", "\x1b[4;600;800t", "\x1b[?62;22c", "\x1b[>0;276;0c", "\x1b[0n"),
    *("\x1b[12;40R", "\x1b]11;rgb:0b0b/1f1f/1818\x07", "\x1bP1$r0m\x1b\\", "\x1b[?997;1n"),
)
"""What terminals answer; no program asked for some of it."""
SIZES = (
    (80, 24),
    (132, 43),
    (40, 15),
    (100, 30),
    (60, 20),
    (200, 60),
    (10, 4),
    (79, 23),
    (160, 50),
    (80, 3),
    (500, 2),
    (1, 1),
)
PROGRAM = 240.0
"""Seconds after which a program that has not ended is stopped."""


class Monkey:
    """Acts at random on a terminal."""

    def __init__(self, random: Random, terminal: Terminal, size: tuple[int, int]) -> None:
        self._random, self._terminal, self._size = random, terminal, size
        self.did = Counter[str]()

    def act(self) -> None:
        """Do one random action."""
        deeds = [self._key, self._line, self._click, self._burst, self._answer]
        deed = self._random.choices(deeds, (60, 15, 12, 8, 3))[0]
        if self._random.random() < 0.02:
            deed = self._resize
        elif self._random.random() < 0.02:
            deed = self._escape
        deed()
        self.did[deed.__name__.strip("_")] += 1

    def _key(self) -> None:
        self._terminal.type(self._random.choice(KEYS))

    def _escape(self) -> None:
        self._terminal.type("\x1b")
        self._terminal.rest(0.1)  # otherwise it would begin an escape sequence

    def _line(self) -> None:
        line = self._random.choice(LINES)
        if self._random.random() < 0.3:
            letters = self._random.choices(LETTERS + " 123456789", k=self._random.randrange(12))
            line = "".join(letters)
        self._terminal.type(f":{line}\r" if self._random.random() < 0.3 else f"{line}\r")

    def _burst(self) -> None:
        self._terminal.type("".join(self._random.choices(KEYS, k=self._random.randrange(2, 30))))

    def _click(self) -> None:
        columns, rows = self._size
        x, y = self._random.randint(1, columns), self._random.randint(1, rows)
        button = self._random.choice((0, 0, 0, 2, 35, 64, 65))  # left, right, motion, wheel
        self._terminal.type(f"\x1b[<{button};{x};{y}M")
        if button < 3:
            self._terminal.type(f"\x1b[<{button};{x};{y}m")

    def _answer(self) -> None:
        self._terminal.type(self._random.choice(ANSWERS))

    def _resize(self) -> None:
        self._size = self._random.choice(SIZES)
        self._terminal.resize(*self._size)


def play(home: Path, random: Random, until: float, actions: int = sys.maxsize) -> Counter[str]:
    """Run one program, for some actions at most; return the actions.

    Raises :class:`AssertionError` if it ends in a wrong way.
    """
    size = random.choice(SIZES)
    with Terminal(CASINO, environment(home), *size) as terminal:
        monkey = Monkey(random, terminal, size)
        terminal.wait_for(lambda text: bool(text.strip()))
        end = min(until, time.monotonic() + PROGRAM)
        while time.monotonic() < end and terminal.process.poll() is None:
            if monkey.did.total() == actions:
                break
            monkey.act()
            terminal.rest(random.choice((0.0, 0.0, 0.01, 0.05, 0.3)))
        code = terminal.process.poll()
        if code is None:
            terminal.process.terminate()
            code = terminal.ended()
            monkey.did["left running"] += 1
        else:
            monkey.did["ended by its keys"] += 1
        reports = [path.read_text() for path in (home / "tmp").glob("tui-casino-error*")]
        report = "\n".join([terminal.text, *reports])
        assert code in {0, -15, 143}, f"exit code {code}:\n{report}"
        assert not reports, report
        return monkey.did


def verify(home: Path) -> int:
    """Verify all logs, and return how many there are."""
    logs = sorted((home / "state").rglob("sessions/*.jsonl"))
    for log in logs:
        command = [sys.executable, "-m", "tui_casino", "verify", str(log)]
        done = subprocess.run(
            command, env=environment(home), cwd=home, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{log}:\n{done.stdout}{done.stderr}"
    return len(logs)


def run(seconds: float, seed: int) -> Counter[str]:
    """Play for this time; return the actions. Raises :class:`AssertionError` after an error."""
    until, did, random = time.monotonic() + seconds, Counter[str](), Random(seed)
    while time.monotonic() < until:
        with TemporaryDirectory() as folder:
            home = Path(folder)
            for _ in range(3):
                if time.monotonic() < until:
                    did += play(home, random, until)
            did["logs"] += verify(home)
    return did


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        did = run(60 * args.minutes, args.seed)
    except AssertionError as error:
        print(f"seed {args.seed}: {error}")
        return 1
    print(", ".join(f"{name} {count:,}" for name, count in did.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
