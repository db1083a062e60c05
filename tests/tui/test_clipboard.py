"""Copying by OSC 52: what is written to which terminal, and that nothing else gets through."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.widgets import Static

from tests.helpers.arcade_pilot import arcade, notes, press, run_app, shuffles, text, with_purse
from tui_casino.records.session_log import read_log
from tui_casino.tui.terminal.detection import (
    Clipboard,
    ColourDepth,
    GlyphSet,
    TerminalCapabilities,
    detect_clipboard,
)
from tui_casino.tui.terminal.driver import GuardedDriver
from tui_casino.tui.terminal.output import LONGEST, copy_sequence

NONE, PLAIN, TMUX, SCREEN = Clipboard


@pytest.mark.parametrize(
    ("words", "clipboard"),
    [
        ("TERM=xterm", PLAIN),
        ("TERM=xterm-256color", PLAIN),
        ("TERM=xterm-kitty", PLAIN),
        ("TERM=alacritty WT_SESSION=1", PLAIN),
        ("TERM=xterm-256color TERM_PROGRAM=iTerm.app", PLAIN),
        ("TERM=xterm-256color TERM_PROGRAM=Apple_Terminal", NONE),
        ("TERM=linux", NONE),
        ("TERM=dumb COLORTERM=truecolor", NONE),
        ("TERM=vt100", NONE),
        ("TERM=vt220", NONE),
        ("", NONE),
        ("TERM=tmux-256color", TMUX),  # as over SSH, where nothing else is handed on
        ("TERM=screen-256color TMUX=/tmp/t TERM_PROGRAM=Apple_Terminal", TMUX),
        ("TERM=screen", SCREEN),
        ("TERM=xterm-256color STY=1.tty", SCREEN),
        ("TERM=screen.xterm-256color STY=1.tty", SCREEN),
    ],
)
def test_clipboard_support_is_detected_from_the_environment(
    words: str, clipboard: Clipboard
) -> None:
    environ = dict(word.split("=", 1) for word in words.split())
    assert detect_clipboard(environ) is clipboard


def unwrapped(written: str) -> str:
    """Read as xterm does."""
    (found,) = re.findall(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", written)
    return b64decode(found, validate=True).decode()


@pytest.mark.parametrize("line", ["A♠", "/home/ann/" + "x" * 900 + ".jsonl", "", "\x1b]0;no\x07"])
def test_copied_text_is_encoded_for_each_kind_of_terminal(line: str) -> None:
    assert unwrapped(copy_sequence(line, PLAIN)) == line
    bare, through = copy_sequence(line, TMUX).split("\x1bPtmux;")
    assert unwrapped(bare) == line
    assert through.endswith("\x1b\\")
    assert unwrapped(through.removesuffix("\x1b\\").replace("\x1b\x1b", "\x1b")) == line
    pieces = re.findall(r"\x1bP(.*?)\x1b\\", copy_sequence(line, SCREEN), re.DOTALL)
    assert all(len(piece) <= 250 for piece in pieces)
    assert unwrapped("".join(pieces)) == line
    assert copy_sequence(line, NONE) == ""


def test_copying_a_text_with_too_many_bytes_is_refused() -> None:
    copy_sequence("x" * LONGEST, PLAIN)
    with pytest.raises(ValueError, match="too many to copy"):
        copy_sequence("♠" * LONGEST, PLAIN)


class Written(GuardedDriver):
    """A driver that keeps what it would write."""

    def __init__(self) -> None:
        self.app: Any = SimpleNamespace(cast=None)
        self.written: list[str] = []

    def write(self, data: str) -> None:
        self.written.append(self.optimise(data))

    def start_application_mode(self) -> None: ...

    def disable_input(self) -> None: ...

    def stop_application_mode(self) -> None: ...


@pytest.mark.parametrize(
    "string",
    [
        "\x1b]52;c;QQ==\x07",  # what copies, but not by us
        "\x1b]52;c;QQ==\x1b\\",
        "\x1b]0;a title\x07",
        "\x1b]8;;file:///etc/passwd\x1b\\",
        "\x1bPtmux;\x1b\x1b]52;c;QQ==\x07\x1b\\",
        "\x1bP$q m\x1b\\",
        "\x1b_Ga=T\x1b\\",
        "\x1b^private\x1b\\",
    ],
)
def test_terminal_driver_removes_control_strings_that_are_not_its_own(string: str) -> None:
    driver = Written()
    driver.write(f"A{string}B")
    driver.write(string)
    driver.copy("A", PLAIN)
    driver.copy("A", NONE)
    driver.write(string)
    assert driver.written == ["AB", "", "\x1b]52;c;QQ==\x07", ""]


async def test_y_copies_the_log_path_or_on_the_proof_page_the_last_hash(tmp_path: Path) -> None:
    terminal = TerminalCapabilities(ColourDepth.TRUE, GlyphSet.UNICODE, PLAIN)
    app = arcade(with_purse(tmp_path), terminal, fresh=shuffles(7))
    async with run_app(app, width=200) as pilot:
        await press(pilot, "y")
        assert notes(app)[-1] == "There is no log here."
        await press(pilot, "1", "space", "space", "escape")
        path = app.desk.last_cashed_out()
        assert path is not None
        await press(pilot, "y")
        assert notes(app)[-1] == f"Sent to the terminal's clipboard: {path}"
        assert app.clipboard == str(path)
        await press(pilot, "v")
        await pilot.app.workers.wait_for_complete()
        await press(pilot, "y")
        assert app.clipboard == read_log(path).hash
        assert f"Sent to the terminal's clipboard: {read_log(path).hash[:12]}…" in text(app)
        await press(pilot, "escape", "r", "y")
        assert app.clipboard == str(path)
        await press(pilot, "enter", "y")
        assert notes(app)[-1] == f"Sent to the terminal's clipboard: {path}"


async def test_log_path_is_shown_if_the_terminal_cannot_copy(tmp_path: Path) -> None:
    app = arcade(with_purse(tmp_path), fresh=shuffles(7))
    async with run_app(app, width=200) as pilot:
        await press(pilot, "1", "space", "space", "escape", "y")
        assert "Copy it by hand:" in text(app)
        shown = str(app.screen.query_one("#text", Static).content)
        assert str(app.desk.last_cashed_out()) in shown.replace("\n", "")
        assert app.clipboard == ""


@pytest.mark.parametrize("clipboard", [TMUX, SCREEN])
async def test_path_sent_through_a_multiplexer_is_also_shown(
    clipboard: Clipboard, tmp_path: Path
) -> None:
    terminal = TerminalCapabilities(ColourDepth.TRUE, GlyphSet.UNICODE, clipboard)
    app = arcade(with_purse(tmp_path), terminal, fresh=shuffles(7))
    async with run_app(app, width=200) as pilot:
        await press(pilot, "1", "space", "space", "escape", "y")
        path = str(app.desk.last_cashed_out())
        assert app.clipboard == path
        assert "Sent to the terminal's clipboard. If it did not arrive" in text(app)
        shown = str(app.screen.query_one("#text", Static).content)
        assert path in shown.replace("\n", "")
