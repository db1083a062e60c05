"""The driver's own parts, without a program."""

from __future__ import annotations

import os
import pty

from tui_casino.tui.terminal.driver import EndOfInput, is_terminal


def test_input_ends_with_its_terminal() -> None:
    """A thread that reads a terminal which was hung up would else never rest."""
    master, slave = pty.openpty()
    end = EndOfInput(slave)
    assert not end.is_set()
    assert is_terminal(slave)
    os.close(master)
    assert end.is_set()
    assert not is_terminal(slave)
    os.close(slave)
    assert end.is_set(), "closed altogether"


def test_input_ends_when_it_is_told_to() -> None:
    master, slave = pty.openpty()
    end = EndOfInput(slave)
    end.set()
    assert end.is_set()
    end.clear()
    assert not end.is_set()
    os.close(master)
    os.close(slave)
