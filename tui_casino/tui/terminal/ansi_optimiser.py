r"""Produce the same screen with fewer bytes of ANSI sequences.

Textual sets the colours of every piece of text again, and resets them after it. The optimiser
knows the current style of the terminal, and writes only the differences. Control strings
addressed to the terminal are left out, because they may affect more than the screen.

>>> red, blue = "\x1b[38;2;200;0;0;48;2;9;9;9m", "\x1b[1;38;2;0;0;200;48;2;9;9;9m"
>>> AnsiOptimiser().optimise(f"{red}A\x1b[0m{red}  \x1b[0m{blue}B\x1b[0m")
'\x1b[38;2;200;0;0;48;2;9;9;9mA  \x1b[38;2;0;0;200;1mB\x1b[m'
>>> AnsiOptimiser().optimise("A\x1b]52;c;QQ==\x07\x1b[1mB\x1bPtmux;\x1b\\")
'A\x1b[1mB'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

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
