"""Transliterate text into a terminal's glyphs; symbols for drawings."""

from __future__ import annotations

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
    {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "−": "-", "·": "-", "×": "x", "±": "+", "…": "."}
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
