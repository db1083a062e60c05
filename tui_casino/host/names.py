"""What a player may be called: a name that is nobody else's, and does not only look like his."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ..inputs.errors import BadInput
from ..records.header import LONGEST_NAME, is_name

RESERVED = ("admin", "casino", "computer", "croupier", "dealer", "guest", "host", "house", "root")
"""Names that would be taken for the house's."""

_LOOK_ALIKE = {
    # after case folding, so one for both cases: that of the capital, if that looks like Latin
    **dict(zip("аеорсухіјѕһԁӏьвкмнтгпԛԝѵ", "aeopcyxijshdlbbkmhtrnqwv", strict=True)),
    **dict(zip("αβγεζηικμνορτυχωϲϳ", "abyezhikmnoptyxwcj", strict=True)),
    **dict(zip("աոսօցհզքո", "wnuoghqpn", strict=True)),
    **dict(zip("0135|!$", "olesils", strict=True)),
    **{"ı": "i", "ɑ": "a", "ɡ": "g", "ʟ": "l", "ø": "o", "ł": "l", "đ": "d", "ħ": "h"},
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


def cells(text: str) -> int:
    """Count the columns that a text takes up in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def checked(text: str) -> str:
    """Give a name as it is kept. Raises :class:`BadInput` that says what is wrong with it."""
    name = unicodedata.normalize("NFC", " ".join(filter(None, text.split(" "))))
    if not name:
        raise BadInput("a name has a letter at least")
    if not is_name(name) or cells(name) > LONGEST_NAME:
        raise BadInput(f"a name is one line of plain text, up to {LONGEST_NAME} columns wide")
    if not any(unicodedata.category(letter)[0] in "LN" for letter in name):
        raise BadInput("a name has a letter or a digit at least")
    if skeleton(name).startswith(tuple(map(skeleton, RESERVED))):
        raise BadInput(f"{name} would be taken for the house; choose another name")
    return name
