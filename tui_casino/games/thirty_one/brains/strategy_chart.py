"""Perfect play for every hand against every up card, from an infinite shoe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from ....cards.memo import memoize
from ..machine.rules import LIMIT, Rules, Total
from .adviser import ThirtyOnePosition
from .odds import HandInPlay, PerfectPlay, PlayerChoice, Values, card_total

UP_CARDS = (*range(2, 11), 1)
"""The dealer's cards in the order of the chart, an ace last."""
FIRST, PAIR = "first card", "pair"
KINDS = ("hard", "soft", "two soft")
"""The kind of each row that is not a pair; the index is the number of aces that count 11."""


class ChartRow(Struct, frozen=True):
    """A row of the strategy chart: ``kind`` and ``name`` of the hand, such as ``soft`` and ``18``.

    ``plays`` has a code for each up card, 1 for an ace: ``H`` hit, ``S`` stand, ``P`` split, ``D``
    double (or hit, if doubling is not allowed), ``d`` double (or stand).
    """

    kind: str
    name: str
    plays: Mapping[int, str]


@memoize(maxsize=8)
def build_chart(rules: Rules) -> tuple[ChartRow, ...]:
    """Compute every row; if two cards can make a total, its row is for two-card hands."""
    plays = {up_card: PerfectPlay(rules, up_card) for up_card in UP_CARDS}
    return tuple(
        ChartRow(
            kind,
            name,
            {up_card: _play_code(play.values(holding)) for up_card, play in plays.items()},
        )
        for kind, name, holding in _chart_hands()
    )


def _chart_hands() -> Iterator[tuple[str, str, HandInPlay]]:
    for value in UP_CARDS:
        yield FIRST, card_name(value), HandInPlay(card_total(value), 1)
    for points in range(4, LIMIT):
        yield KINDS[0], str(points), HandInPlay(Total(points), 2 if points <= 20 else 3)
    for points in range(13, LIMIT):
        yield KINDS[1], str(points), HandInPlay(Total(points, 1), 2 if points <= 21 else 3)
    for points in range(22, LIMIT):
        yield KINDS[2], str(points), HandInPlay(Total(points, 2), 2 if points == 22 else 3)
    for value in UP_CARDS:
        name = card_name(value)
        yield PAIR, f"{name}-{name}", HandInPlay(card_total(value).plus(value), 2, pair=True)


def row_names() -> Iterator[str]:
    """Return the names of the rows, such as ``soft 18``."""
    return (f"{kind} {name}" for kind, name, _ in _chart_hands())


def card_name(value: int) -> str:
    """Name a card by its value, 1 for an ace."""
    return "A" if value == 1 else str(value)


def _play_code(values: Values) -> str:
    best = max(values, key=lambda choice: values[choice])
    if best is PlayerChoice.DOUBLE:
        return "D" if values[PlayerChoice.HIT] > values[PlayerChoice.STAND] else "d"
    return {PlayerChoice.HIT: "H", PlayerChoice.STAND: "S", PlayerChoice.SPLIT: "P"}[best]


def chart_lines(rows: tuple[ChartRow, ...]) -> Iterator[str]:
    """Yield the chart as text; equal rows of a kind are merged, such as ``22 to 30``."""
    yield f"{'':<18}" + "".join(f"{card_name(up_card):>4}" for up_card in UP_CARDS)
    for group in merge_equal_rows(rows):
        first, last = group[0], group[-1]
        label = f"{first.kind} {first.name}" + f" to {last.name}" * (last is not first)
        yield f"{label:<18}" + "".join(f"{first.plays[up_card]:>4}" for up_card in UP_CARDS)


def merge_equal_rows(rows: Iterable[ChartRow]) -> Iterator[tuple[ChartRow, ...]]:
    """Group equal adjacent rows of a kind."""
    for _, group in groupby(rows, lambda row: (row.kind, row.plays)):
        yield tuple(group)


def chart_cell_of(position: ThirtyOnePosition) -> tuple[str, str]:
    """Return the kind and the name of the row that a position belongs to."""
    first, total = position.hand[0], position.total
    if len(position.hand) == 1:
        return FIRST, card_name(first)
    if position.pair and position.covered:
        return PAIR, f"{card_name(first)}-{card_name(first)}"
    return KINDS[total.soft], str(total.points)
