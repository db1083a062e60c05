"""Hints for players who type card positions in the wrong form."""

from __future__ import annotations

from ....tui.table.view_requests import ShowRefusal


def number_refusal(line: str, word: str) -> ShowRefusal | None:
    """Return a hint about commas or repeated positions after ``h``, or ``None``."""
    numbers = line.replace(",", " ").split()[1:]
    once = " ".join((word, *dict.fromkeys(numbers)))
    if word == "h" and "," in line:
        return ShowRefusal(line, "no commas, please:", f"{once} holds these cards")
    if word == "h" and len({*numbers}) < len(numbers):
        return ShowRefusal(line, "type each position once:", f"{once} holds these cards")
    return None
