"""What the screen says of numbers that are typed otherwise than they are read."""

from __future__ import annotations

from ....tui.table.view import Refuses


def refusal_of(line: str, word: str) -> Refuses | None:
    """Say what is wrong with numbers that are written otherwise than they are read, if they are."""
    numbers = line.replace(",", " ").split()[1:]
    if word in ("b", "h") and "," in line:
        return Refuses(line, "numbers stand apart:", " ".join((word, *numbers)))
    if word == "h" and len({*numbers}) < len(numbers):
        return Refuses(line, "each place once:", " ".join((word, *dict.fromkeys(numbers))))
    return None
