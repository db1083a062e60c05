"""Text in the glyphs of a terminal: transliterated, truncated, and signs for drawings."""

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
    """Spell a text in the glyphs of a tier."""
    if tier is GlyphSet.UNICODE:
        return text
    return text.translate(_ASCII if tier is GlyphSet.ASCII else _CONSOLE)


def truncate_at_word(text: str, width: int, tier: GlyphSet) -> str:
    """Cut a sentence that is too long behind a word, with a sign that it goes on.

    A word that would take more than half of the room with it is cut itself.
    """
    if len(text) <= width:
        return text
    room = max(0, width - 1)
    end = text.rfind(" ", 0, room + 1)
    shortened = text[:end] if 2 * end > room else text[:room]
    return shortened + transliterate("…", tier) * (width > 0)


def truncate(text: str, width: int, tier: GlyphSet) -> str:
    """Cut a text that is too long, with a sign that it goes on."""
    if len(text) <= width:
        return text
    return text[: max(0, width - 1)] + transliterate("…", tier) * (width > 0)


def drop_trailing_parts(text: str, width: int, tier: GlyphSet) -> str:
    """Leave out the last of a text's parts, which have dots between, as long as it is too long."""
    dot = transliterate(" · ", tier)
    while len(text) > width and dot in text:
        text = text[: text.rindex(dot)]
    return truncate(text, width, tier)


def capitalize(text: str) -> str:
    """Begin a line with a capital letter, all other letters as they are."""
    return text[:1].upper() + text[1:]


def empty_mark(tier: GlyphSet) -> str:
    """Give what stands where there is nothing to count."""
    return "-" if tier is GlyphSet.ASCII else "─" if tier is GlyphSet.CP437 else "—"
