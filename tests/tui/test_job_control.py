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
def test_a_shell_has_the_terminal_until_it_brings_the_program_back(
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
            terminal.type(" ")
            terminal.wait_for(shows)
        terminal.type("\x11")
        terminal.wait_for(" icanon")


def test_it_is_painted_anew_after_a_stop_that_it_did_not_see(tmp_path: Path) -> None:
    with casino(tmp_path, "video-poker") as terminal:
        terminal.wait_for("1-5 Bet")
        terminal.rest(0.3)
        terminal.raw.clear()
        terminal.signal(signal.SIGSTOP)
        terminal.signal(signal.SIGCONT)
        terminal.wait_until(lambda: b"VIDEO POKER" in terminal.raw)
        terminal.type(" ")
        terminal.wait_for("1-5 Hold")


def test_keys_arrive_after_a_stop_during_which_the_shell_changed_the_terminal(
    tmp_path: Path,
) -> None:
    with casino(tmp_path, "video-poker") as terminal:
        terminal.wait_for("1-5 Bet")
        terminal.rest(0.3)
        terminal.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOWAIT)
        termios.tcsetattr(terminal.master, termios.TCSANOW, terminal.lines_before)
        terminal.raw.clear()
        terminal.signal(signal.SIGCONT)
        terminal.wait_until(lambda: b"VIDEO POKER" in terminal.raw)
        terminal.type(" ")
        terminal.wait_for("1-5 Hold")
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert terminal.spoilt() == []


def test_a_signal_to_go_on_may_come_at_any_moment(tmp_path: Path) -> None:
    """A terminal that hangs up sends one, too, and the program may be writing to it just then."""
    with casino(tmp_path, "video-poker") as terminal:
        terminal.wait_for("CREDIT")
        for _ in range(300):
            terminal.signal(signal.SIGCONT)
            terminal.type("?")
            terminal.watch(0.002)
        terminal.type("\x11")
        assert terminal.ended() == 0
