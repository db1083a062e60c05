r"""The output to the terminal: line filters, ANSI optimiser, and copies to its clipboard.

The line filters are the last ones of every line of the screen. They remove control characters, and
give 16-colour text a black background.

The optimiser produces the same screen with fewer bytes. Textual sets the colours of every piece of
text again, and resets them after it. The optimiser knows the current style of the terminal, and
writes only the differences. Control strings addressed to the terminal are left out, because they
may affect more than the screen.

>>> red, blue = "\x1b[38;2;200;0;0;48;2;9;9;9m", "\x1b[1;38;2;0;0;200;48;2;9;9;9m"
>>> AnsiOptimiser().optimise(f"{red}A\x1b[0m{red}  \x1b[0m{blue}B\x1b[0m")
'\x1b[38;2;200;0;0;48;2;9;9;9mA  \x1b[38;2;0;0;200;1mB\x1b[m'
>>> AnsiOptimiser().optimise("A\x1b]52;c;QQ==\x07\x1b[1mB\x1bPtmux;\x1b\\")
'A\x1b[1mB'

Text is copied to the clipboard of the player's terminal with OSC 52, which
https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-Operating-System-Commands describes.
Terminals do not answer, so it is unknown whether the text was accepted.

>>> copy_sequence("A♠", Clipboard.PLAIN)
'\x1b]52;c;QeKZoA==\x07'
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from .detection import Clipboard

LONGEST = 4096
"""The maximum size of a text, in bytes before base64 encoding; no Linux path is longer."""

_PIECE = 200
"""The number of bytes that GNU screen passes on together; older versions have a buffer of 256."""
_STYLE_OR_MOVE = re.compile(r"\x1b\[([\d;:]*)m|\n?\x1b\[\d+;\d+H")
_STRING = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # operating-system commands
    r"|\x1b[PX^_](?:[^\x1b]|\x1b[^\\])*(?:\x1b\\)?"  # device, application and other control strings
)
_OFF = {
    "22": ("1", "2"),
    "23": ("3",),
    "24": ("4", "21"),
    "25": ("5", "6"),
    "27": ("7",),
    "28": ("8",),
    "29": ("9",),
}
"""The attributes that each code switches off; only a reset switches off all other attributes."""
_OFF_FOR = {attribute: off for off, attributes in _OFF.items() for attribute in attributes}
_UNSEEN = frozenset("123")
"""Attributes that are invisible on a blank."""

_COLOUR_LENGTHS = {"2": 5, "5": 3}


class _Style(NamedTuple):
    """Colours as codes, empty for the terminal's own, and attributes."""

    ink: str = ""
    ground: str = ""
    attributes: frozenset[str] = frozenset()


_PLAIN = _Style()


class AnsiOptimiser:
    """Follows the terminal's current style from one piece of output to the next."""

    def __init__(self) -> None:
        self._now = _PLAIN

    def optimise(self, output: str) -> str:
        """Return output that has the same effect on the screen and on the terminal's state."""
        output = _STRING.sub("", output)
        now = target = self._now
        pieces: list[str] = []
        at = 0
        for match in _STYLE_OR_MOVE.finditer(output):
            start, end = match.span()
            if start > at:
                text = output[at:start]
                if now != target and not (text.isspace() and _same_blank(text, now, target)):
                    pieces.append(_change(now, target))
                    now = target
                pieces.append(text)
            if (codes := match[1]) is None:  # a cursor move makes a preceding line feed redundant
                pieces.append(match[0].removeprefix("\n"))
            else:
                target = _after(target, codes)
            at = end
        if now != target:
            pieces.append(_change(now, target))
        pieces.append(output[at:])
        self._now = target
        return "".join(pieces)


def _same_blank(text: str, now: _Style, target: _Style) -> bool:
    """Return whether a text consists of blanks that look the same in both styles."""
    return (
        text.strip(" ") == ""
        and now.ground == target.ground
        and now.attributes | target.attributes <= _UNSEEN
    )


@lru_cache(maxsize=4096)
def _after(style: _Style, codes: str) -> _Style:
    """Return the style after a sequence of codes."""
    ink, ground, attributes = style
    for code in _grouped(codes):
        number = int(code) if code.isdigit() else 0
        if code.strip("0") == "":
            ink, ground, attributes = _PLAIN
        elif code in _OFF:
            attributes = attributes.difference(_OFF[code])
        elif code == "39":
            ink = ""
        elif code == "49":
            ground = ""
        elif code.startswith("38") or 30 <= number <= 37 or 90 <= number <= 97:
            ink = code
        elif code.startswith("48") or 40 <= number <= 47 or 100 <= number <= 107:
            ground = code
        else:
            attributes |= {code}
    return _Style(ink, ground, attributes)


def _grouped(codes: str) -> Iterator[str]:
    """Yield the codes one by one, with the codes of a colour joined."""
    rest = codes.split(";")
    while rest:
        colour = rest[0] in ("38", "48")
        count = _COLOUR_LENGTHS.get(rest[1], 1) if colour and len(rest) > 1 else 1
        yield ";".join(rest[:count])
        del rest[:count]


@lru_cache(maxsize=4096)
def _change(now: _Style, target: _Style) -> str:
    """Return the shortest sequence that changes one style into another."""
    whole = [code for code in (target.ink, target.ground, *sorted(target.attributes)) if code]
    anew = ";".join(["0", *whole]) if whole else ""
    removed = now.attributes - target.attributes
    if any(attribute not in _OFF_FOR for attribute in removed):
        return f"\x1b[{anew}m"
    offs = sorted({_OFF_FOR[attribute] for attribute in removed})
    remaining = now.attributes.difference(*(_OFF[off] for off in offs))
    steps = [*offs, *sorted(target.attributes - remaining)]
    if now.ground != target.ground:
        steps.insert(0, target.ground or "49")
    if now.ink != target.ink:
        steps.insert(0, target.ink or "39")
    step = ";".join(steps)
    return f"\x1b[{min(step, anew, key=len)}m"


class PrintableFilter(LineFilter):
    """Replaces unprintable characters in the text of a line, whichever widget it comes from.

    The terminal's own sequences consist of styles and moves, not of text, so they stay. Each
    replacement has the width of its character, because the layout is already done.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments; printable segments are unchanged."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [
            segment
            if segment.text.isprintable()
            else Segment(_cells(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def _cells(text: str) -> str:
    """Return a printable text of the same width, in which a combined character counts as one."""
    letters = (
        letter if letter.isprintable() else (" " if letter.isspace() else "?") * cell_len(letter)
        for letter in text
    )
    return set_cell_size("".join(letters), cell_len(text))


PRINTABLE_FILTER = PrintableFilter()


class BlackBackgroundFilter(LineFilter):
    """Replaces the terminal's own background and text colours by black and bright white.

    Bright colours are legible only on black, and a terminal's own background may be white.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.control
            else Segment(segment.text, _grounded(segment.style or Style.null()))
            for segment in segments
        ]


_INK, _GROUND = RichColor.parse("bright_white"), RichColor.parse("black")


@lru_cache(maxsize=1024)
def _grounded(style: Style) -> Style:
    ink, ground = style.color, style.bgcolor
    own = Style.from_color(
        _INK if ink is None or ink.is_default else None,
        _GROUND if ground is None or ground.is_default else None,
    )
    return style + own


BLACK_BACKGROUND_FILTER = BlackBackgroundFilter()


def copy_sequence(text: str, clipboard: Clipboard) -> str:
    """Return the sequence that copies a text, or an empty string for a terminal without clipboard.

    tmux accepts the bare form if ``set-clipboard`` is on, and the wrapped one if
    ``allow-passthrough`` is on; it drops the other. GNU screen accepts only the wrapped form.
    Raises ``ValueError`` for a text longer than :data:`LONGEST`.
    """
    raw = text.encode(errors="replace")
    if len(raw) > LONGEST:
        raise ValueError(f"{len(raw):,} bytes are too many to copy: {LONGEST:,} at most")
    bare = f"\x1b]52;c;{b64encode(raw).decode()}\x07"
    match clipboard:
        case Clipboard.NONE:
            return ""
        case Clipboard.PLAIN:
            return bare
        case Clipboard.TMUX:
            doubled = bare.replace("\x1b", "\x1b\x1b")
            return f"{bare}\x1bPtmux;{doubled}\x1b\\"
        case Clipboard.SCREEN:
            pieces = (bare[at : at + _PIECE] for at in range(0, len(bare), _PIECE))
            return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
