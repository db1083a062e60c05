"""What a terminal can show, as it is told from the environment."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest
from rich.color import Color, ColorSystem

from tests.helpers.parameter_ids import value_id
from tests.helpers.pty_terminal import PATIENCE
from tui_casino.tui.terminal.detection import (
    ColourDepth,
    GlyphSet,
    TerminalCapabilities,
    detect,
    prepare,
)
from tui_casino.tui.theme import FELT, FELT_256, Palette

TRUE, MANY, FEW, NONE = ColourDepth

TERMINALS = [
    # What the terminal sets; how many colours it has.
    ("TERM=xterm-256color COLORTERM=truecolor", TRUE),
    ("TERM=xterm-256color COLORTERM=24bit", TRUE),
    ("TERM=xterm-256color COLORTERM=TrueColor", TRUE),
    ("TERM=xterm-256color", MANY),
    ("TERM=xterm-256color COLORTERM=", MANY),
    ("TERM=xterm-256color COLORTERM=gnome-terminal", MANY),
    ("TERM=xterm", FEW),
    ("TERM=xterm-16color", FEW),
    ("TERM=xterm-direct", TRUE),
    ("TERM=konsole-direct", TRUE),
    ("TERM=XTERM-256COLOR", MANY),
    ("TERM=alacritty", TRUE),
    ("TERM=foot", TRUE),
    ("TERM=foot-extra", TRUE),
    ("TERM=wezterm", TRUE),
    ("TERM=xterm-ghostty", TRUE),
    ("TERM=ghostty", TRUE),
    ("TERM=xterm-kitty", TRUE),
    ("TERM=rxvt-unicode-256color", MANY),
    ("TERM=st-256color", MANY),
    # Known by their program.
    ("TERM=xterm-256color TERM_PROGRAM=iTerm.app", TRUE),
    ("TERM=xterm-256color LC_TERMINAL=iTerm2", TRUE),
    ("TERM=xterm-256color TERM_PROGRAM=vscode", TRUE),
    ("TERM=xterm-256color TERM_PROGRAM=WezTerm", TRUE),
    ("TERM=xterm-256color TERM_PROGRAM=Apple_Terminal", MANY),
    ("TERM=xterm-256color WT_SESSION=21d5", TRUE),
    ("WT_SESSION=21d5", TRUE),
    # Terminals in terminals: GNU screen hands COLORTERM down, and cannot read what it promises.
    ("TERM=tmux-256color TMUX=/tmp/t", MANY),
    ("TERM=tmux-256color TMUX=/tmp/t COLORTERM=truecolor", TRUE),
    ("TERM=screen-256color TMUX=/tmp/t COLORTERM=truecolor", TRUE),
    ("TERM=screen TMUX=/tmp/t", FEW),
    ("TERM=screen", FEW),
    ("TERM=screen STY=1.tty COLORTERM=truecolor", FEW),
    ("TERM=screen.xterm-256color STY=1.tty COLORTERM=truecolor TERM_PROGRAM=WezTerm", MANY),
    ("TERM=screen-256color STY=1.tty TMUX=/tmp/t COLORTERM=truecolor", MANY),
    # Those that have few, or none.
    ("TERM=linux", FEW),
    ("TERM=linux COLORTERM=truecolor", FEW),
    ("TERM=vt100", NONE),
    ("TERM=vt220", NONE),
    ("TERM=xterm-mono", NONE),
    ("TERM=linux-m", NONE),
    ("TERM=dumb", NONE),
    ("TERM=dumb COLORTERM=truecolor", NONE),
    ("TERM=unknown", NONE),
    ("TERM=", NONE),
    ("", NONE),
    ("TERM=never-heard-of", FEW),
]


def environ(words: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words.split())


@pytest.mark.parametrize(("words", "colours"), TERMINALS)
def test_colour_depth_is_detected_from_the_environment(words: str, colours: ColourDepth) -> None:
    assert detect(environ(words), "utf-8").colours is colours


@pytest.mark.parametrize(("words", "colours"), TERMINALS)
def test_no_color_turns_colours_off(words: str, colours: ColourDepth) -> None:
    """https://no-color.org: when present and not an empty string, whatever its value."""
    assert detect(environ(words) | {"NO_COLOR": "0"}, "utf-8").colours is NONE
    assert detect(environ(words) | {"NO_COLOR": ""}, "utf-8").colours is colours
    assert detect(environ(words), "utf-8", no_colour=True).colours is NONE


@pytest.mark.parametrize(
    ("words", "colours"),
    [
        ("NO_COLOR=1 TERM=xterm-256color COLORTERM=truecolor", TRUE),
        ("NO_COLOR=1 TERM=xterm-256color", MANY),
        ("NO_COLOR=1 TERM=linux", FEW),
        ("TERM=xterm", TRUE),
        ("TERM=never-heard-of", TRUE),
        ("TERM=vt100", TRUE),
        ("", TRUE),
    ],
)
def test_colour_options_override_the_environment(words: str, colours: ColourDepth) -> None:
    assert detect(environ(words), "utf-8", colour=True).colours is colours
    assert detect(environ(words), "utf-8", colour=True, no_colour=True).colours is NONE


@pytest.mark.parametrize(
    ("words", "encoding", "tier"),
    [
        ("LANG=en_US.UTF-8", "utf-8", GlyphSet.UNICODE),
        ("LANG=de_DE.utf8@euro", "utf-8", GlyphSet.UNICODE),
        ("LC_CTYPE=UTF-8", "utf-8", GlyphSet.UNICODE),  # as macOS has it
        ("LANG=C.UTF-8", "UTF-8", GlyphSet.UNICODE),
        ("", "utf-8", GlyphSet.UNICODE),
        ("LANG=en_US", "utf-8", GlyphSet.UNICODE),
        ("LANG=C", "utf-8", GlyphSet.ASCII),
        ("LANG=POSIX", "utf-8", GlyphSet.ASCII),
        ("LC_ALL=C LANG=en_US.UTF-8", "utf-8", GlyphSet.ASCII),
        ("LC_ALL= LC_CTYPE=en_US.UTF-8 LANG=C", "utf-8", GlyphSet.UNICODE),
        ("LC_CTYPE=C.UTF-8 LANG=C", "utf-8", GlyphSet.ASCII),  # as Python leaves LANG=C
        ("LC_CTYPE=C.UTF-8", "utf-8", GlyphSet.UNICODE),
        ("LANG=de_DE.ISO-8859-1", "utf-8", GlyphSet.ASCII),
        ("LANG=de_DE@euro", "iso8859-15", GlyphSet.ASCII),
        ("LANG=en_US.UTF-8", "latin-1", GlyphSet.ASCII),
        ("LANG=en_US.UTF-8", "ascii", GlyphSet.ASCII),
        ("LC_ALL=C", "ANSI_X3.4-1968", GlyphSet.ASCII),
        ("TERM=linux LANG=en_US.UTF-8", "utf-8", GlyphSet.CP437),
        ("TERM=linux LANG=C", "utf-8", GlyphSet.ASCII),
    ],
)
def test_glyph_set_is_detected_from_the_locale(words: str, encoding: str, tier: GlyphSet) -> None:
    assert detect(environ(words), encoding).tier is tier
    assert detect(environ(words), encoding, ascii_only=True).tier is GlyphSet.ASCII


@pytest.mark.parametrize(
    ("colours", "system"), [(TRUE, "truecolor"), (MANY, "256"), (FEW, "standard")]
)
def test_environment_for_textual_names_the_detected_colour_depth(
    colours: ColourDepth, system: str
) -> None:
    prepared = {"NO_COLOR": "1", "TEXTUAL_COLOR_SYSTEM": "auto", "TERM": "xterm"}
    assert prepare(TerminalCapabilities(colours, GlyphSet.UNICODE), prepared) is None
    assert prepared == {"TEXTUAL_COLOR_SYSTEM": system, "TERM": "xterm"}


@pytest.mark.parametrize("before", [{}, {"NO_COLOR": ""}, {"NO_COLOR": "yes"}], ids=value_id)
def test_environment_for_textual_disables_colours_if_none_are_detected(
    before: dict[str, str],
) -> None:
    assert prepare(TerminalCapabilities(NONE, GlyphSet.UNICODE), before) is True
    assert before == {"NO_COLOR": "1", "TEXTUAL_COLOR_SYSTEM": "standard"}


def test_terminal_detection_does_not_import_textual() -> None:
    code = (
        "import sys, tui_casino.tui.terminal.detection, tui_casino.house.settings\n"
        "print([name for name in ('textual', 'rich') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n", run.stderr


@pytest.mark.parametrize(("words", "colours"), TERMINALS)
def test_mouse_support_is_off_only_in_gnu_screen(words: str, colours: ColourDepth) -> None:
    """It would keep an Escape until the next key. Over SSH tmux may look like it."""
    gnu = "STY=" in words or ("TERM=screen" in words and "TMUX=" not in words)
    assert detect(environ(words), "utf-8").mouse == (not gnu)


SHOWN = """
import os, sys
from tui_casino.tui.terminal.detection import detect, prepare
no_colour, colour = "--no-color" in sys.argv, "--color" in sys.argv
terminal = detect(os.environ, "utf-8", no_colour=no_colour, colour=colour)
ansi = prepare(terminal, os.environ)
from textual.app import App
from textual.widgets import Static
from tui_casino.tui.theme import THEMES, theme_for
class Shown(App):
    def __init__(self):
        super().__init__(ansi_color=ansi)
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = theme_for(terminal, None).name
    def compose(self):
        yield Static("[$error bold]blood[/]")
    def on_mount(self):
        self.set_timer(0.2, self.exit)
Shown().run()
"""


def codes(palette: Palette, system: ColorSystem) -> str:
    """Give what switches to the colours of bad news on this palette's ground."""
    ink, ground = (
        Color.parse("default" if name == "ansi_default" else name.removeprefix("ansi_"))
        for name in (palette.bad, palette.bg)
    )
    front = ink.downgrade(system).get_ansi_codes()
    return ";".join(("1", *front, *ground.downgrade(system).get_ansi_codes(foreground=False)))


FELT_CODES = codes(FELT, ColorSystem.TRUECOLOR)
FELT_256_CODES = codes(FELT_256, ColorSystem.EIGHT_BIT)
SIXTEEN_CODES = "1;91;49"
NO_COLOUR_CODES = "1;39;49"


@pytest.mark.parametrize(
    ("words", "option", "style"),
    [
        ("TERM=xterm-256color COLORTERM=truecolor", "", FELT_CODES),
        pytest.param("TERM=alacritty", "", FELT_CODES, marks=pytest.mark.prove),
        ("TERM=xterm-256color", "", FELT_256_CODES),
        pytest.param("TERM=xterm", "", SIXTEEN_CODES, marks=pytest.mark.prove),
        pytest.param("TERM=vt100", "", NO_COLOUR_CODES, marks=pytest.mark.prove),
        ("TERM=xterm COLORTERM=truecolor NO_COLOR=1", "", NO_COLOUR_CODES),
        pytest.param(
            "TERM=xterm COLORTERM=truecolor NO_COLOR=", "", FELT_CODES, marks=pytest.mark.prove
        ),
        ("TERM=xterm-256color NO_COLOR=1", "--color", FELT_256_CODES),
        pytest.param(
            "TERM=xterm-256color COLORTERM=truecolor",
            "--no-color",
            NO_COLOUR_CODES,
            marks=pytest.mark.prove,
        ),
    ],
)
def test_textual_writes_only_colours_that_the_terminal_supports(
    words: str, option: str, style: str
) -> None:
    """A word on a pseudo-terminal, in the colours that this terminal has and no others."""
    inside, outside = pty.openpty()
    inherited = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "COLUMNS": "40", "LINES": "5"}
    program = subprocess.Popen(
        [sys.executable, "-c", SHOWN, option],
        stdin=outside, stdout=outside, stderr=outside, env=inherited | environ(words),
    )  # fmt: skip
    os.close(outside)
    written = b""
    try:
        while block := os.read(inside, 65536):
            written += block
    except OSError:  # how Linux says that the other side is closed
        pass
    finally:
        os.close(inside)
        program.wait(timeout=PATIENCE)
    styles = re.findall(rb"\x1b\[([0-9;]*)mblood", written)
    assert {each.decode() for each in styles} == {style}, written[-2000:]
    if style == NO_COLOUR_CODES:
        used = set(b";".join(re.findall(rb"\x1b\[([0-9;]*)m", written)).split(b";"))
        assert used <= {b"", b"0", b"1", b"2", b"4", b"7", b"39", b"49"}
