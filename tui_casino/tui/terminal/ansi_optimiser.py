r"""The terminal's pen: the same picture with fewer bytes.

Textual sets every piece of text's colours anew and resets them behind it. A pen knows what the
terminal writes with already, and says only what changes. Strings for the terminal itself are left
out, because they may change more than a picture.

>>> red, blue = "\x1b[38;2;200;0;0;48;2;9;9;9m", "\x1b[1;38;2;0;0;200;48;2;9;9;9m"
>>> Pen().lean(f"{red}A\x1b[0m{red}  \x1b[0m{blue}B\x1b[0m")
'\x1b[38;2;200;0;0;48;2;9;9;9mA  \x1b[38;2;0;0;200;1mB\x1b[m'
>>> Pen().lean("A\x1b]52;c;QQ==\x07\x1b[1mB\x1bPtmux;\x1b\\")
'A\x1b[1mB'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_STYLE_OR_MOVE = re.compile(r"\x1b\[([\d;:]*)m|\n?\x1b\[\d+;\d+H")
_STRING = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # to the operating system
    r"|\x1b[PX^_](?:[^\x1b]|\x1b[^\\])*(?:\x1b\\)?"  # to a device, an application and others
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
"""What switches which attributes off; the others are only switched off all at once."""
_OFF_FOR = {attribute: off for off, attributes in _OFF.items() for attribute in attributes}
_UNSEEN = frozenset("123")
"""Attributes that a blank does not show."""

_COLOUR_LENGTHS = {"2": 5, "5": 3}


class _Style(NamedTuple):
    """Colours as they are asked for, or the terminal's own; and attributes."""

    ink: str = ""
    ground: str = ""
    attributes: frozenset[str] = frozenset()


_PLAIN = _Style()


class AnsiOptimiser:
    """What the terminal writes with, from one piece of output to the next."""

    def __init__(self) -> None:
        self._now = _PLAIN

    def optimise(self, output: str) -> str:
        """Give output that shows the same, and leaves the terminal in the same state."""
        output = _STRING.sub("", output)
        now = then = self._now
        pieces: list[str] = []
        at = 0
        for found in _STYLE_OR_MOVE.finditer(output):
            start, end = found.span()
            if start > at:
                text = output[at:start]
                if now != then and not (text.isspace() and _same_blank(text, now, then)):
                    pieces.append(_change(now, then))
                    now = then
                pieces.append(text)
            if (codes := found[1]) is None:  # a move, by which a new line before it is undone
                pieces.append(found[0].removeprefix("\n"))
            else:
                then = _after(then, codes)
            at = end
        if now != then:
            pieces.append(_change(now, then))
        pieces.append(output[at:])
        self._now = then
        return "".join(pieces)


def _same_blank(text: str, now: _Style, then: _Style) -> bool:
    """Tell whether blanks look the same in both styles."""
    return (
        text.strip(" ") == ""
        and now.ground == then.ground
        and now.attributes | then.attributes <= _UNSEEN
    )


@lru_cache(maxsize=4096)
def _after(style: _Style, codes: str) -> _Style:
    """Give the style after a sequence of codes."""
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
    """Give the codes one by one, those of a colour together."""
    rest = codes.split(";")
    while rest:
        colour = rest[0] in ("38", "48")
        count = _COLOUR_LENGTHS.get(rest[1], 1) if colour and len(rest) > 1 else 1
        yield ";".join(rest[:count])
        del rest[:count]


@lru_cache(maxsize=4096)
def _change(now: _Style, then: _Style) -> str:
    """Give the shortest sequence that makes one style of another."""
    whole = [code for code in (then.ink, then.ground, *sorted(then.attributes)) if code]
    anew = ";".join(["0", *whole]) if whole else ""
    gone = now.attributes - then.attributes
    if any(attribute not in _OFF_FOR for attribute in gone):
        return f"\x1b[{anew}m"
    offs = sorted({_OFF_FOR[attribute] for attribute in gone})
    kept = now.attributes.difference(*(_OFF[off] for off in offs))
    steps = [*offs, *sorted(then.attributes - kept)]
    if now.ground != then.ground:
        steps.insert(0, then.ground or "49")
    if now.ink != then.ink:
        steps.insert(0, then.ink or "39")
    step = ";".join(steps)
    return f"\x1b[{min(step, anew, key=len)}m"
