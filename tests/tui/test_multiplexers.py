"""Terminals in terminals, and terminals of every kind: the menu opens, and a hand is played."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.pty_terminal import CASINO, Terminal, environment
from tests.tui.multiplexers import in_mosh, in_screen, in_tmux

pytestmark = pytest.mark.prove
TRUE, MANY = r"[34]8;2;\d", r"[34]8;5;(?:1[6-9]|[2-9]\d|\d\d\d)\b"
FEW = r"\b(?:[34]8;5;|3[0-7]\b|4[0-7]\b|9[0-7]\b|10[0-7]\b)"


def play_hand(terminal: Terminal) -> str:
    """Play a hand of video poker from the menu on, and give the table before the draw."""
    terminal.wait_for("Video poker")
    terminal.type_until("1", "Deal for")
    terminal.type_until(" ", "Which cards do you hold")
    terminal.type_until("13", lambda text: text.count("HELD") == 2)
    dealt = terminal.text
    terminal.commit(" ", lambda text: "CREDIT" in text and "Which cards do you hold" not in text)
    terminal.type_until("q\r", "You cash out")
    return dealt


def colours(terminal: Terminal) -> str:
    """Name the richest colours that were asked for."""
    styles = ";".join(
        re.findall(rb"\x1b\[([\d;:]*)m".decode(), terminal.raw.decode(errors="replace"))
    )
    for name, pattern in (("true", TRUE), ("256", MANY), ("16", FEW)):
        if re.search(pattern, styles):
            return name
    return "none"


def copied(terminal: Terminal) -> list[str]:
    """Return the text that the terminal was asked to copy."""
    match = re.findall(rb"\x1b\]52;c?;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)", terminal.raw)
    return [b64decode(text).decode() for text in match]


def copies(terminal: Terminal, home: Path) -> None:
    """Copy where the log is, and look for it in what the terminal is told."""
    terminal.type("y")
    (log,) = (home / "state").rglob("sessions/*.jsonl")
    terminal.wait_until(lambda: str(log) in copied(terminal))


Inside = Callable[..., AbstractContextManager[Terminal]]


@pytest.mark.parametrize(
    ("inside", "settings", "match"),
    [
        (in_tmux, ["set -g set-clipboard on"], "256"),
        (
            in_tmux,
            ["set -g allow-passthrough on", "set -as terminal-features ',xterm*:RGB'"],
            "true",
        ),
        (in_screen, [], "256"),
        (in_mosh, [], "true"),
    ],
    ids=["tmux", "tmux-true", "screen", "mosh"],
)
def test_hand_can_be_played_and_path_copied_in_a_multiplexer(
    inside: Inside, settings: list[str], match: str, tmp_path: Path
) -> None:
    with inside(tmp_path, *settings) as terminal:
        dealt = play_hand(terminal)
        assert len(dealt.splitlines()) == 24
        assert re.search("[♠♥♦♣]", dealt)
        assert colours(terminal) == match
        copies(terminal, tmp_path)
        terminal.type(b"\x11")
        assert terminal.ended() == 0
    assert terminal_is_left(terminal)


def terminal_is_left(terminal: Terminal) -> bool:
    return b"\x1b[?1049l" in terminal.raw or b"[screen is terminating]" in terminal.raw


@pytest.mark.parametrize(
    ("more", "match", "suits"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "true", True),
        ({"TERM": "xterm-256color"}, "256", True),
        ({"TERM": "xterm"}, "16", True),
        ({"TERM": "linux"}, "16", True),
        ({"TERM": "screen"}, "16", True),
        ({"TERM": "vt100"}, "none", True),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "none", True),
        ({"TERM": "xterm", "LANG": "C"}, "16", False),
    ],
    ids=["truecolor", "256-colours", "xterm", "linux", "screen", "vt100", "no-color", "locale-C"],
)
def test_colours_suits_and_copying_fit_each_terminal_type(
    more: dict[str, str], match: str, suits: bool, tmp_path: Path
) -> None:
    variables: dict[str, Any] = {**environment(tmp_path), "COLORTERM": "", **more}
    with Terminal(CASINO, variables) as terminal:
        dealt = play_hand(terminal)
        assert bool(re.search("[♠♥♦♣]", dealt)) == suits
        assert suits or dealt.isascii()
        assert colours(terminal) == match
        if more["TERM"] in ("linux", "vt100"):
            terminal.type_until("y", "Copy it by hand")
            assert not copied(terminal)
            terminal.type("\x1b")
        else:
            copies(terminal, tmp_path)
        terminal.type(b"\x11")
        assert terminal.ended() == 0
        assert terminal.spoilt() == []


def test_screen_in_a_dumb_terminal_is_refused_with_code_2(tmp_path: Path) -> None:
    with Terminal(CASINO, environment(tmp_path, TERM="dumb")) as terminal:
        assert terminal.ended() == 2
        assert "TERM=dumb cannot show the screen" in terminal.text
        assert b"\x1b" not in terminal.raw
