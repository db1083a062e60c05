"""The program under floods from its terminal: its memory stays bounded, and it ends with it."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import termios
import time
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal, casino

pytestmark = pytest.mark.prove

MEMORY = 60_000
"""Kilobytes that a flood, or a vast window, may add at its height."""
FLOOD = 2.0
"""Seconds of a flood, at most."""
SOON = 1.0
"""Seconds in which the program ends once its terminal is gone."""
FLOODS = {
    "digits": b"\x1b[" + b"9" * 200_000,
    "parameters": b"\x1b[" + b"1;" * 165_000,
    "sequences": b"\x1b[1;1z" * 50_000,
    "mouse": b"".join(b"\x1b[<35;%d;%dM" % (n % 80, n % 24) for n in range(400_000)),
    "wheel": b"\x1b[<65;5;5M\x1b[<64;5;5M" * 100_000,
    "keys": b"d 1 2 " * 100_000,
    "letters": b"x" * 500_000,
    "arrows": b"\x1b[A\x1b[B" * 100_000,
    "paste": b"\x1b[200~" + b"h 1 2 " * 500_000 + b"\x1b[201~",
    "sizes": b"\x1b[48;20000;20000;1;1t\x1b[48;24;80;480;800t" * 20_000,
    "nonsense": b"\xff\xfe\x1b[99999999999u\xc3" * 50_000,
}


def peak(terminal: Terminal) -> int:
    """The most memory that the program had, in kilobytes."""
    status = Path(f"/proc/{terminal.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def flood(terminal: Terminal, raw: bytes, *, reads: bool = True) -> None:
    """Send as much as is taken in a while; what the program writes is not looked at."""
    rest, until = memoryview(raw), time.monotonic() + FLOOD
    os.set_blocking(terminal.master, False)
    while rest and time.monotonic() < until:
        able, ready, _ = select.select([terminal.master] * reads, [terminal.master], [], 0.1)
        if able:
            os.read(terminal.master, 1 << 16)
        if ready:
            rest = rest[os.write(terminal.master, rest[: 1 << 16]) :]


def drain(terminal: Terminal) -> None:
    """Take what the program writes, until it has been quiet for a while, or has ended."""
    while terminal.process.poll() is None and select.select([terminal.master], [], [], 1.0)[0]:
        os.read(terminal.master, 1 << 16)


def ends_soon(terminal: Terminal) -> None:
    terminal.hang_up()
    begun = time.monotonic()
    terminal.ended()
    assert time.monotonic() - begun < SOON


def at_a_table(home: Path, shell: str = "") -> Terminal:
    terminal = casino(home, "video-poker", "--seed", "1", shell=shell)
    terminal.wait_for("CREDIT")
    terminal.rest(0.3)
    return terminal


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_takes_no_memory_and_the_program_goes_with_its_terminal(
    name: str, tmp_path: Path
) -> None:
    with at_a_table(tmp_path) as terminal:
        before = peak(terminal)
        flood(terminal, FLOODS[name])
        assert peak(terminal) - before < MEMORY
        ends_soon(terminal)
    assert not [*(tmp_path / "tmp").glob("tui-casino-error-*")]


@pytest.mark.parametrize("shell", ["", "trap '' HUP; "], ids=["usual", "nohup"])
def test_it_goes_with_a_terminal_that_nobody_reads(shell: str, tmp_path: Path) -> None:
    """What it writes is not taken: its writer stands, and all who wait for him."""
    with at_a_table(tmp_path, shell) as terminal:
        flood(terminal, b"d 1 2 " * 10_000, reads=False)
        ends_soon(terminal)


def test_it_goes_with_a_terminal_where_nothing_happens(tmp_path: Path) -> None:
    for shell in ("", "trap '' HUP; "):
        with at_a_table(tmp_path, shell) as terminal:
            ends_soon(terminal)


def test_a_window_without_measure(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as terminal:
        before = peak(terminal)
        for columns, rows in ((20_000, 20_000), (65_535, 24), (80, 65_535)):
            size = struct.pack("HHHH", rows, columns, 0, 0)
            fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, size)
            drain(terminal)
        assert peak(terminal) - before < MEMORY
        os.write(terminal.master, b"\x11")
        drain(terminal)
        assert terminal.process.poll() == 0, "Ctrl+Q is answered"
