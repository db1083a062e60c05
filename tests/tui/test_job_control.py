"""The program stops for its shell and resumes, whatever it was doing."""

from __future__ import annotations

import os
import signal
import termios
from pathlib import Path

import pytest

from tests.helpers.pty_terminal import CASINO, Terminal, casino, environment

pytestmark = pytest.mark.prove

SHELL = """
set -m
"$@"
while stty -a | grep -o ' icanon' && read line; do fg; done
"""
"""Whenever the program stops, it says so, waits for a line, and brings the program back."""


@pytest.mark.parametrize("key", [True, False], ids=["key", "signal"])
def test_shell_gets_the_terminal_in_line_mode_while_the_program_is_stopped(
    key: bool, tmp_path: Path
) -> None:
    command = ("/bin/sh", "-c", SHELL, "sh", *CASINO, "video-poker")
    with Terminal(command, environment(tmp_path)) as terminal:
        terminal.wait_for("1-5 Bet")
        children = Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children")
        program = int(children.read_text())
        for shows in ("1-5 Hold", "1-5 Bet"):
            if key:
                terminal.type("\x1a")
            else:
                os.kill(program, signal.SIGTSTP)
            terminal.wait_for(" icanon")
            terminal.raw.clear()
            terminal.type("\n")
            terminal.wait_until(lambda: b"VIDEO POKER" in terminal.raw)
            terminal.commit(" ", shows)
        terminal.type_until("\x11", " icanon")


def test_screen_is_repainted_after_an_unannounced_stop(tmp_path: Path) -> None:
    with casino(tmp_path, "video-poker") as terminal:
        terminal.wait_for("1-5 Bet")
        terminal.rest(0.3)
        terminal.raw.clear()
        terminal.signal(signal.SIGSTOP)
        terminal.signal(signal.SIGCONT)
        terminal.wait_until(lambda: b"VIDEO POKER" in terminal.raw)
        terminal.type_until(" ", "1-5 Hold")


def test_keys_are_read_after_the_shell_changed_the_terminal_mode(tmp_path: Path) -> None:
    with casino(tmp_path, "video-poker") as terminal:
        terminal.wait_for("1-5 Bet")
        terminal.rest(0.3)
        terminal.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOWAIT)
        termios.tcsetattr(terminal.master, termios.TCSANOW, terminal.lines_before)
        terminal.raw.clear()
        terminal.signal(signal.SIGCONT)
        terminal.wait_until(lambda: b"VIDEO POKER" in terminal.raw)
        terminal.type_until(" ", "1-5 Hold")
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert terminal.spoilt() == []


def test_program_keeps_running_after_sigcont_at_any_moment(tmp_path: Path) -> None:
    """A terminal that hangs up sends one, too, and the program may be writing to it just then."""
    with casino(tmp_path, "video-poker") as terminal:
        terminal.wait_for("CREDIT")
        for _ in range(300):
            terminal.signal(signal.SIGCONT)
            terminal.type("?")
            terminal.watch(0.002)
        terminal.type("\x11")
        assert terminal.ended() == 0
