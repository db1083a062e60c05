"""Floods of input from a terminal, and a program at a table that receives them."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

from tests.helpers.pty_terminal import Terminal, casino

FLOOD = 2.0
"""The longest duration of a flood, in seconds."""
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
    """The largest memory of the program so far, in kilobytes."""
    status = Path(f"/proc/{terminal.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def flood(terminal: Terminal, raw: bytes, *, reads: bool = True) -> None:
    """Send as much as the program accepts in some seconds; ignore its output."""
    rest, until = memoryview(raw), time.monotonic() + FLOOD
    os.set_blocking(terminal.master, False)
    while rest and time.monotonic() < until:
        able, ready, _ = select.select([terminal.master] * reads, [terminal.master], [], 0.1)
        if able:
            os.read(terminal.master, 1 << 16)
        if ready:
            rest = rest[os.write(terminal.master, rest[: 1 << 16]) :]


def at_a_table(home: Path, shell: str = "") -> Terminal:
    terminal = casino(home, "video-poker", "--seed", "1", shell=shell)
    terminal.wait_for("CREDIT")
    terminal.rest(0.3)
    return terminal
