"""The best play of every hand against every card of the dealer's, from an infinite shoe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..machine.rules import LIMIT, Rules, Total
from .odds import Choice, Holding, Play, Values, up_card

UPS = (*range(2, 11), 1)
"""The dealer's cards as a chart has them, an ace last."""


@dataclass(frozen=True, slots=True)
class Row:
    """A hand's best play: ``kind`` and ``name`` say which, as ``soft`` and ``18``.

    ``plays`` has a code for each up card, 1 for an ace: ``H`` hit, ``S`` stand, ``P`` split,
    ``D`` double, or else hit, ``d`` double, or else stand.
    """

    kind: str
    name: str
    plays: Mapping[int, str]


def chart(rules: Rules) -> tuple[Row, ...]:
    """Work out every row; with totals that two cards can make, of two cards."""
    plays = {up: Play(rules, up) for up in UPS}
    return tuple(
        Row(kind, name, {up: _code(play.values(holding)) for up, play in plays.items()})
        for kind, name, holding in _holdings()
    )


def _holdings() -> Iterator[tuple[str, str, Holding]]:
    for value in UPS:
        yield "first card", card_name(value), Holding(up_card(value), 1)
    for points in range(4, LIMIT):
        yield "hard", str(points), Holding(Total(points), 2 if points <= 20 else 3)
    for points in range(13, LIMIT):
        yield "soft", str(points), Holding(Total(points, 1), 2 if points <= 21 else 3)
    for points in range(22, LIMIT):
        yield "two soft", str(points), Holding(Total(points, 2), 2 if points == 22 else 3)
    for value in UPS:
        name = card_name(value)
        yield "pair", f"{name}-{name}", Holding(up_card(value).plus(value), 2, pair=True)


def card_name(value: int) -> str:
    """Name a card by its value, 1 for an ace."""
    return "A" if value == 1 else str(value)


def _code(values: Values) -> str:
    best = max(values, key=lambda choice: values[choice])
    if best is Choice.DOUBLE:
        return "D" if values[Choice.HIT] > values[Choice.STAND] else "d"
    return {Choice.HIT: "H", Choice.STAND: "S", Choice.SPLIT: "P"}[best]


def as_lines(rows: tuple[Row, ...]) -> Iterator[str]:
    """Give a chart as text; rows of a kind that are alike are one, as ``22-30``."""
    yield f"{'':<18}" + "".join(f"{card_name(up):>4}" for up in UPS)
    for names, row in _alike(rows):
        label = f"{row.kind} {names}"
        yield f"{label:<18}" + "".join(f"{row.plays[up]:>4}" for up in UPS)


def _alike(rows: tuple[Row, ...]) -> Iterator[tuple[str, Row]]:
    first = rows[0]
    for row, following in zip(rows, (*rows[1:], None), strict=True):
        if following and (following.kind, following.plays) == (first.kind, first.plays):
            continue
        yield row.name if row is first else f"{first.name} to {row.name}", first
        if following:
            first = following
