"""Parse and format whole numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WHOLE = re.compile(r"[+-]?[0-9]+")


_DIGITS = 18  # enough for any balance; int() refuses thousands of digits


def is_integer(word: str) -> bool:
    """Return whether a word is a whole number, with or without a sign."""
    return _WHOLE.fullmatch(word) is not None


def parse_integer(word: str) -> int:
    """Parse a whole number with or without a sign; clamp the result between -10**18 and 10**18.

    Raises ``ValueError`` for anything else. Unlike ``int`` this accepts neither ``1_000`` nor the
    digits of other scripts.
    """
    if not is_integer(word):
        raise ValueError(f"{word!r} is not a whole number")
    sign, digits = (-1 if word[0] == "-" else 1), word.lstrip("+-0") or "0"
    return sign * (int(digits) if len(digits) <= _DIGITS else 10**_DIGITS)


def either(names: Iterable[str]) -> str:
    """Join the values that an argument accepts, for an error message.

    >>> either(["8", "6", "1"]), either(["rebuild"])
    ('8, 6 or 1', 'rebuild')
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def count_noun(count: int, noun: str) -> str:
    """Format a count with its noun: ``1 log``, ``2,000 logs``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"
