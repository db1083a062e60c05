"""Parse and format whole numbers."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"[+-]?[0-9]+")


_DIGITS = 18  # more are beyond any purse, and int() refuses thousands of them


def is_integer(word: str) -> bool:
    """Tell whether a word is a whole number, its sign included."""
    return _WHOLE.fullmatch(word) is not None


def parse_integer(word: str) -> int:
    """Read a whole number, its sign included; beyond 18 digits it is only said to be huge.

    Raises ``ValueError`` for anything else; unlike ``int`` it takes neither ``1_000`` nor the
    digits of other scripts.
    """
    if not is_integer(word):
        raise ValueError(f"{word!r} is not a whole number")
    sign, digits = (-1 if word[0] == "-" else 1), word.lstrip("+-0") or "0"
    return sign * (int(digits) if len(digits) <= _DIGITS else 10**_DIGITS)


def count_noun(count: int, noun: str) -> str:
    """Write a count with its noun: ``1 log``, ``2,000 logs``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"
