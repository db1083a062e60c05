"""The program under floods from its terminal: its memory stays bounded, and it ends with it."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import termios
from pathlib import Path

import pytest

from tests.helpers.input_floods import FLOODS, at_a_table, flood, peak
from tests.helpers.pty_terminal import Terminal

pytestmark = pytest.mark.prove

MEMORY = 60_000
"""Kilobytes that a flood, or a vast window, may add at its height."""


def drain(terminal: Terminal) -> None:
    """Take what the program writes, until it has been quiet for a while, or has ended."""
    while terminal.process.poll() is None and select.select([terminal.master], [], [], 1.0)[0]:
        os.read(terminal.master, 1 << 16)


@pytest.mark.parametrize("name", FLOODS)
def test_flood_of_input_takes_no_memory_and_program_ends(name: str, tmp_path: Path) -> None:
    with at_a_table(tmp_path) as terminal:
        before = peak(terminal)
        flood(terminal, FLOODS[name])
        assert peak(terminal) - before < MEMORY
        terminal.hang_up()
        terminal.ended()
    assert not [*(tmp_path / "tmp").glob("tui-casino-error-*")]


@pytest.mark.parametrize("shell", ["", "trap '' HUP; "], ids=["usual", "nohup"])
def test_program_ends_with_a_terminal_whose_output_is_not_read(shell: str, tmp_path: Path) -> None:
    """What it writes is not taken: its writer stands, and all who wait for him."""
    with at_a_table(tmp_path, shell) as terminal:
        flood(terminal, b"d 1 2 " * 10_000, reads=False)
        terminal.hang_up()
        terminal.ended()


def test_idle_program_ends_with_its_terminal(tmp_path: Path) -> None:
    for shell in ("", "trap '' HUP; "):
        with at_a_table(tmp_path, shell) as terminal:
            terminal.hang_up()
            terminal.ended()


def test_huge_window_takes_little_memory(tmp_path: Path) -> None:
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
