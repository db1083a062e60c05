"""Texts for any terminal: its characters, signed numbers, times, and names cut to fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...engine.money import dollars
from ...gamekit.number_formats import MINUS
from ..terminal.detection import GlyphSet

SIGNS = {
    GlyphSet.UNICODE: {
        "cursor": "▌",
        "waits": "●",
        "won": "▲",
        "lost": "▼",
        "even": "·",
        "wall": "│",
    },
    GlyphSet.CP437: {
        "cursor": "▌",
        "waits": "•",
        "won": "▲",
        "lost": "▼",
        "even": "·",
        "wall": "│",
    },
    GlyphSet.ASCII: {
        "cursor": ">",
        "waits": "*",
        "won": "+",
        "lost": "-",
        "even": "=",
        "wall": "|",
    },
}
_ASCII = str.maketrans(
    {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "−": "-", "·": "-", "×": "x", "±": "~", "…": "."}
    | {"←": "<", "→": ">", "↑": "^", "↓": "v", "▲": "^", "▼": "v", "●": "*", "✓": "*", "✗": "x"}
    | {"★": "*", "─": "-", "━": "=", "│": "|", "┃": "|", "▌": ">", "–": "-", "“": '"', "”": '"'}
)
_CONSOLE = str.maketrans("−…×–“”▲▼●✓✗★‹›", '-.x-""^v•√x*<>')


def transliterate(text: str, tier: GlyphSet) -> str:
    """Transliterate a text into the glyphs of a tier."""
    if tier is GlyphSet.UNICODE:
        return text
    return text.translate(_ASCII if tier is GlyphSet.ASCII else _CONSOLE)


def capitalize(text: str) -> str:
    """Capitalize the first letter, and leave the other letters unchanged."""
    return text[:1].upper() + text[1:]


def empty_mark(tier: GlyphSet) -> str:
    """Return the text to show instead of a count that does not exist."""
    return "-" if tier is GlyphSet.ASCII else "─" if tier is GlyphSet.CP437 else "—"


SUMS = ("rounds", "wagered", "won", "net", "return_percent", "return")
"""Figures of a game's report that the screen already shows; within a group, they are in cents."""

SHARE = "share"
"""The last word in the names of figures that are shown as percentages."""


def with_negative_numbers(text: str) -> str:
    """Write negative numbers in a text with minus signs; keep hyphens within words.

    >>> with_negative_numbers("hit  -0.47, 34-line strategy")
    'hit  −0.47, 34-line strategy'
    """
    return re.sub(r"(?<!\S)-(?=\d)", MINUS, text)


def game_figures(
    report: Mapping[str, Any], names: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield groups of a game's counts, each with the names and values of its counts.

    The first group has no name. It contains the counts outside of groups, without :data:`SUMS`;
    ``names`` replaces names of these counts.
    """
    ungrouped = _figures({key: value for key, value in report.items() if key not in SUMS})
    yield "", [(names.get(name, name), figure) for name, figure in ungrouped]
    for group, counts in report.items():
        if isinstance(counts, Mapping) and counts:
            flat = _figures(counts)
            nested = (
                (f"{key.replace('_', ' ')} {name}", figure)
                for key, value in counts.items()
                if isinstance(value, Mapping)
                for name, figure in _figures(value)
            )
            yield group.replace("_", " "), [*flat, *nested]


def full_names(
    groups: Iterable[tuple[str, list[tuple[str, str]]]],
) -> Iterator[tuple[str, str]]:
    """Yield the counts of all groups, each with the name of its group before its own."""
    for group, rows in groups:
        yield from ((f"{group} {name}".strip(), figure) for name, figure in rows)


def _figures(counts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in counts.items():
        name = key.replace("_", " ")
        if isinstance(value, float):
            yield name, f"{value:.2%}" if name.endswith(SHARE) else f"{value:,.4g}"
        elif isinstance(value, int):
            yield name, dollars(value) if key in SUMS else f"{value:,}"


def fit_names(names: Sequence[str], room: int) -> list[str]:
    """Fit each name into some columns, with an ellipsis for the words that are left out.

    A name keeps as much of its beginning and its end as possible, but no two names become equal.
    Both sides of a colon stay readable if there is room for them.
    """
    used = {name for name in names if len(name) <= room}
    fitted = []
    for name in names:
        if len(name) > room:
            shorter = (short for short in _shortened(name, room) if short not in used)
            name = next(shorter, name[:room])
            used.add(name)
        fitted.append(name)
    return fitted


def _shortened(name: str, room: int) -> Iterator[str]:
    """Yield a name without some of its words, the longest and most balanced texts first.

    A name such as "Low pair: held an ace" first keeps the first words on both sides of the colon.
    """
    first, colon, last = name.partition(": ")
    pairs = dict[str, tuple[float, int]]()
    for one, kept in _cut(first) if colon else ():
        for two, also_kept in _cut(last):
            if two.find("…") in (-1, len(two) - 1) and len(text := f"{one}: {two}") <= room:
                share = min(sum(kept) / len(first), sum(also_kept) / len(last))
                pairs.setdefault(text, (-share, abs(kept[0] - kept[1])))
    yield from sorted(pairs, key=pairs.__getitem__)
    texts = dict[str, tuple[int, int]]()
    for text, (head, tail) in _cut(name, 0):
        if len(text) <= room:
            texts.setdefault(text, (-len(text), abs(head - tail)))
    yield from sorted(texts, key=texts.__getitem__)


def _cut(text: str, least: int = 1) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield a text and shorter ones, with the lengths of the beginning and the end that are kept.

    Shorter texts begin with at least ``least`` words.
    """
    words = text.split(" ")
    yield text, (len(text), 0)
    for first in range(least, len(words)):
        for last in range(first + 1, len(words) + 1):
            head, tail = " ".join(words[:first]), " ".join(words[last:])
            shorter = f"{head}… {tail}".strip() if head else f"…{tail}"
            yield shorter, (len(head), len(tail))
