"""Validate display names: unique, printable and not confusable with another player's."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ..inputs.errors import BadInput
from ..records.log_header import LONGEST_NAME, is_player_name

RESERVED = (
    *("admin", "casino", "computer", "croupier", "dealer", "guest", "host", "house", "moderator"),
    *("operator", "root", "system", "tui casino"),
)
"""What no name begins with, also after "The": it would be taken for the house's."""

_SCRIPTS = {
    **dict.fromkeys(("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK", "IDEOGRAPHIC"), "East"),
    **{"HANGUL": "East", "LATIN": "Latin", "GREEK": "Greek", "CYRILLIC": "Cyrillic"},
    **{"ARMENIAN": "Armenian", "GEORGIAN": "Georgian", "HEBREW": "Hebrew", "ARABIC": "Arabic"},
    **{"DEVANAGARI": "Devanagari", "BENGALI": "Bengali", "TAMIL": "Tamil", "THAI": "Thai"},
}
"""Scripts of the recommended ones of UAX #31, by how names of letters begin; some go together."""
ACCEPTED = (
    "letters of Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Devanagari, Bengali, "
    "Tamil, Thai, Chinese, Japanese or Korean, the digits 0 to 9, spaces and ASCII signs"
)
_SIGNS = "·’‐・"  # between letters of names, as in Catalan, O’Neill and Japanese
_NO_FORM_OF_ASCII = frozenset("æœøßđðþłħŋıŧə")
"""Letters of Latin alphabets that are no letter of ASCII with a mark."""
_MOST_MARKS = 3
"""On one letter."""

_LOOK_ALIKE = {
    # after case folding, so one for both cases: that of the capital, if that looks like Latin
    **dict(zip("аеорсухіјѕһԁӏьвкмнтгпԛԝѵ", "aeopcyxijshdlbbkmhtrnqwv", strict=True)),
    **dict(zip("αβγεζηικμνορτυχωϲϳ", "abyezhikmnoptyxwcj", strict=True)),
    **dict(zip("աոսօցհզքո", "wnuoghqpn", strict=True)),
    **dict(zip("0135|!$", "olesils", strict=True)),
    **{"ı": "i", "ɑ": "a", "ɡ": "g", "ʟ": "l", "ø": "o", "ł": "l", "đ": "d", "ħ": "h"},
    **{"þ": "p", "ð": "d", "ŋ": "n", "ŧ": "t", "ə": "e", "ҽ": "e"},
    **dict(zip("וןסاه", "llolo", strict=True)),
    **dict(zip("エカタトニハロへり", "工力夕卜二八口ヘリ", strict=True)),
}
_SAME = {"rn": "m", "vv": "w", "cl": "d"}
"""Letters that look like another one side by side."""


def skeleton(name: str) -> str:
    """Give what is the same for all names that look alike, in any case and with any marks.

    After UTS #39 (Unicode Security Mechanisms), section 4, for letters that look like Latin ones;
    ``i`` and ``l`` count as one.

    >>> skeleton("Ann") == skeleton("АNN") == skeleton("a n n")
    True
    """
    plain = "".join(_plain(name))
    for two, one in _SAME.items():
        plain = plain.replace(two, one)
    return plain.replace("i", "l")


def _plain(name: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    for letter in folded:
        if unicodedata.category(letter)[0] in "LNS" or letter in "!":
            yield _LOOK_ALIKE.get(letter, letter)


def text_width(text: str) -> int:
    """Count the columns that a text takes up in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def validate_name(text: str) -> str:
    """Give a name as it is kept. Raises :class:`BadInput` that says what is wrong with it."""
    name = unicodedata.normalize("NFC", " ".join(filter(None, text.split(" "))))
    if not name:
        raise BadInput("a name needs a letter or a digit")
    if not is_player_name(name) or text_width(name) > LONGEST_NAME:
        raise BadInput(f"a name is one line of plain text, up to {LONGEST_NAME} columns wide")
    if not any(unicodedata.category(letter)[0] in "LN" for letter in name):
        raise BadInput("a name needs a letter or a digit")
    if skeleton(name).removeprefix("the").startswith(tuple(map(skeleton, RESERVED))):
        raise BadInput(f"{name} would be taken for the house; choose another name")
    for word in name.split(" "):
        _check_word(word)
    return name


def _check_word(word: str) -> None:
    """See that each character is one that names are written with, and all letters of one script.

    This is the restriction of UTS #39, section 5.2, with few scripts: letters that cannot be seen
    or that only look like others are in none of them. Raises :class:`BadInput`.
    """
    scripts, marks = list[str](), _MOST_MARKS
    for letter in word:
        if (letter.isascii() and not letter.isalpha()) or letter in _SIGNS:
            marks = _MOST_MARKS  # no mark belongs there
            continue
        category, script = unicodedata.category(letter), _script(letter)
        if category[0] == "M":
            marks += 1
        else:
            marks = 0
        if script is None or marks > _MOST_MARKS:
            named = unicodedata.name(letter, "no character")
            raise BadInput(
                f"U+{ord(letter):04X} ({named.lower()}) cannot be in a name there: a name has "
                f"{ACCEPTED}"
            )
        if script and script not in scripts:
            scripts.append(script)
    if len(scripts) > 1:
        raise BadInput(
            f"all letters of a word are of one script; {word} has {' and '.join(scripts)}"
        )


def _script(letter: str) -> str | None:
    """Give the script of a letter or a mark, empty for a mark of all; nothing if it is refused."""
    first, _, rest = unicodedata.name(letter, "").partition(" ")
    category = unicodedata.category(letter)
    if first == "COMBINING":
        return "" if unicodedata.combining(letter) else None  # some marks cannot be seen
    script = _SCRIPTS.get(first)
    if category == "Lm":
        return script if letter in "ー々" else None
    if (
        category not in ("Lu", "Ll", "Lo", "Mn", "Mc")
        or unicodedata.normalize("NFKC", letter) != letter
    ):
        return None
    if script == "Latin":
        base = unicodedata.normalize("NFD", letter)[0]
        return script if base.isascii() or letter.lower() in _NO_FORM_OF_ASCII else None
    if first == "HANGUL" and not rest.startswith("SYLLABLE"):
        return None  # a part of one; some cannot be seen
    return script
