"""Hints for typed numbers that look like another command."""

from __future__ import annotations

from ....tui.table.view_requests import ShowRefusal


def number_refusal(line: str, word: str) -> ShowRefusal | None:
    """Say what is wrong with numbers that are written otherwise than they are read, if they are."""
    numbers = line.replace(",", " ").split()[1:]
    once = " ".join((word, *dict.fromkeys(numbers)))
    if word == "h" and "," in line:
        return ShowRefusal(line, "numbers stand apart:", f"{once} holds these places")
    if word == "h" and len({*numbers}) < len(numbers):
        return ShowRefusal(line, "each place once:", f"{once} holds these places")
    return None
