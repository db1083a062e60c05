"""Validate display names: they must be unique, printable and unlike all other players' names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ..inputs.errors import BadInput
from ..records.log_header import LONGEST_NAME, name_fault

RESERVED = (
    *("admin", "casino", "computer", "croupier", "dealer", "guest", "host", "house", "moderator"),
    *("operator", "root", "system", "tui casino"),
)
"""Words with which no name may begin, even after "The", because the name would look official."""

_SCRIPTS = {
    **dict.fromkeys(("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK", "IDEOGRAPHIC"), "East"),
    **{"HANGUL": "East", "LATIN": "Latin", "GREEK": "Greek", "CYRILLIC": "Cyrillic"},
    **{"ARMENIAN": "Armenian", "GEORGIAN": "Georgian", "HEBREW": "Hebrew", "ARABIC": "Arabic"},
    **{"DEVANAGARI": "Devanagari", "BENGALI": "Bengali", "TAMIL": "Tamil", "THAI": "Thai"},
}
"""Recommended scripts of UAX #31: the first word of their letters' Unicode names."""
ACCEPTED = (
    "letters of Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Devanagari, Bengali, "
    "Tamil, Thai, Chinese, Japanese or Korean, the digits 0 to 9, spaces and ASCII signs"
)
_SIGNS = "·’‐・"  # between letters of names, as in Catalan, O’Neill and Japanese
_BRACKETS = "()[]{}<>"
_NO_FORM_OF_ASCII = frozenset("æœøßđðþłħŋıŧə")
"""Letters of Latin alphabets that are not ASCII letters with marks."""
_MOST_MARKS = 3
"""The maximum number of marks on one letter."""

_LOOK_ALIKE = {
    # letters after case folding; some look like a Latin letter only as capitals
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
"""Pairs of letters that look like one other letter."""


def skeleton(name: str) -> str:
    """Return the same text for all names that look alike, regardless of case and marks.

    This follows section 4 of UTS #39 (Unicode Security Mechanisms) for letters that look like Latin
    ones; ``i`` and ``l`` count as the same letter.

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
    """Return the number of columns that a text occupies in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def validate_name(text: str) -> str:
    """Check a name and return it in its stored form, in which a blank never follows another.

    So no name looks like a place on a board, such as ``1  Ann: cost 0.00 bets (you)``. Raises
    :class:`BadInput`.
    """
    name = unicodedata.normalize("NFC", " ".join(filter(None, text.split(" "))))
    if not name:
        raise BadInput("a name needs a letter or a digit")
    if fault := name_fault(name):
        raise BadInput(fault)
    if (width := text_width(name)) > LONGEST_NAME:
        raise BadInput(f"a name is up to {LONGEST_NAME} columns wide; this one has {width}")
    if not any(unicodedata.category(letter)[0] in "LN" for letter in name):
        raise BadInput("a name needs a letter or a digit")
    if ":" in name:
        raise BadInput("a name has no colon, because boards write one after each name")
    if name[0] in _BRACKETS or name[-1] in _BRACKETS:
        raise BadInput("a name does not begin or end with a bracket, because (you) marks your own")
    if skeleton(name).removeprefix("the").startswith(tuple(map(skeleton, RESERVED))):
        raise BadInput(f"{name} could be taken for the server itself; choose another name")
    for word in name.split(" "):
        _check_word(word)
    return name


def _check_word(word: str) -> None:
    """Check that a word has only letters of one script that is accepted in names.

    This is the restriction in section 5.2 of UTS #39, with only a few scripts, none of which has
    invisible letters. Raises :class:`BadInput`.
    """
    scripts, marks = list[str](), _MOST_MARKS
    for letter in word:
        if (letter.isascii() and not letter.isalpha()) or letter in _SIGNS:
            marks = _MOST_MARKS  # no combining marks are allowed on punctuation
            continue
        category, script = unicodedata.category(letter), _script(letter)
        if category[0] == "M":
            marks += 1
        else:
            marks = 0
        if script is None or marks > _MOST_MARKS:
            named = unicodedata.name(letter, "not a character")
            raise BadInput(
                f"U+{ord(letter):04X} ({named.lower()}) cannot be used there; use {ACCEPTED}"
            )
        if script and script not in scripts:
            scripts.append(script)
    if len(scripts) > 1:
        raise BadInput(
            f"use letters of one script in each word; {word} has {' and '.join(scripts)}"
        )


def _script(letter: str) -> str | None:
    """Return the script of a letter or a mark.

    The script is empty for a mark that all scripts share, and ``None`` for a refused letter.
    """
    first, _, rest = unicodedata.name(letter, "").partition(" ")
    category = unicodedata.category(letter)
    if first == "COMBINING":
        return "" if unicodedata.combining(letter) else None  # some marks are invisible
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
        return None  # part of a syllable; some are invisible
    return script
