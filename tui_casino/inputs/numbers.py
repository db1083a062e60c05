"""Parse numbers, durations, sizes and dates; format counts and lists of words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from .errors import BadInput

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


def list_words(words: Iterable[str], last: str = "and") -> str:
    """Join words with commas, and the last two with ``last``.

    >>> list_words(["8", "6", "1"], "or"), list_words(["rebuild"]), list_words([])
    ('8, 6 or 1', 'rebuild', '')
    """
    *others, final = [*words] or [""]
    return f"{', '.join(others)} {last} {final}" if others else final


def count_noun(count: int, noun: str) -> str:
    """Format a count with its noun: ``1 log``, ``2,000 logs``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def parse_number(name: str, text: str, low: int | None = None, high: int | None = None) -> int:
    """Parse a whole number within limits; ``name`` is the option for the error message.

    Raises :class:`BadInput`, which says what is accepted.
    """
    limits = "" if low is None or high is None else f" from {low} to {high}"
    try:
        value = parse_integer(text)
    except ValueError:
        raise BadInput(
            f"{name}: {_short(text)!r} is not a whole number; give one{limits}"
        ) from None
    if (low is not None and value < low) or (high is not None and value > high):
        raise BadInput(f"{name}: {_short(text)} is out of range; give a whole number{limits}")
    return value


def parse_age(name: str, text: str) -> int:
    """Parse an age in hours, days or weeks, such as ``90d``; return milliseconds.

    Raises :class:`BadInput`.
    """
    return _measured(name, text, _TIMES, "hours, days or weeks: 36h, 90d, 12w")


def parse_size(name: str, text: str) -> int:
    """Parse a size such as ``500MB``; return bytes. Raises :class:`BadInput`."""
    return _measured(name, text, _SIZES, "bytes: 800KB, 500MB, 2GB")


def parse_date(name: str, text: str, zone: tzinfo | None = UTC) -> int:
    """Parse a day such as ``2026-01-31``; return its beginning in milliseconds since 1970.

    ``None`` as the ``zone`` is the local one. Raises :class:`BadInput`.
    """
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=zone)
        return int(day.timestamp()) * 1000
    except (ValueError, OverflowError):  # the last days of the calendar may have no local time
        raise BadInput(f"{name}: {_short(text)!r} is not a day; give one like 2026-01-31") from None


_HOUR = 3_600_000
_TIMES = {"h": _HOUR, "d": 24 * _HOUR, "w": 7 * 24 * _HOUR}
_SIZES = {"KB": 10**3, "MB": 10**6, "GB": 10**9}


def _measured(name: str, text: str, units: dict[str, int], right: str) -> int:
    match = re.fullmatch(r"([0-9]{1,9})([A-Za-z]+)", text)
    if not match or match[2] not in units:
        raise BadInput(f"{name}: {_short(text)!r} cannot be used; give {right}")
    return int(match[1]) * units[match[2]]


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:36]}…"
