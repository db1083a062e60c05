"""The count of a hand as players say it, combination by combination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..machine.scoring import Score

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "starter": "a jack turned up",
        "fifteen": "fifteen",
        "thirtyone": "thirty-one",
        "go": "the last card",
        "run3": "a run of three",
        "run4": "a run of four",
        "run5": "a run of five",
        "run6": "a run of six",
        "run7": "a run of seven",
        "pair2": "a pair",
        "pair3": "three of a kind",
        "pair4": "four of a kind",
        "flush4": "a flush",
        "flush5": "a flush of five",
        "jack": "the right jack",
        "count": "the count",
        "muggins": "muggins",
    }
)
"""The spoken names of the kinds of scores."""

_UNITS = (
    "nothing",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def score_name(kind: str) -> str:
    """Return the name of a kind of score; a kind that is not in the table keeps its log name."""
    return NAMES.get(kind, kind)


def number_in_words(number: int) -> str:
    """Return a number from 0 to 99 in words; return a higher number in figures."""
    if number > 99:
        return str(number)
    if number < len(_UNITS):
        return _UNITS[number]
    tens, units = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_UNITS[units]}" if units else "")


def count_aloud(scores: Sequence[Score]) -> str:
    """Return the spoken count of a hand: "fifteen two, fifteen four, and a pair is six"."""
    phrases, total = [], 0
    for score in scores:
        total += score.points
        verb = " " if score.kind == "fifteen" else " is "
        phrases.append(f"{score_name(score.kind)}{verb}{number_in_words(total)}")
    if not phrases:
        return number_in_words(0)
    if len(phrases) > 1 and scores[-1].kind != "fifteen":
        phrases[-1] = f"and {phrases[-1]}"
    return ", ".join(phrases)
