"""The ranked discards of a hand: equal ones in one row, with cost and best starters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ....cards.card import Hand
from ....engine.game import Seat
from ..machine.state import State
from .adviser import weigh_discards
from .discards import DiscardValue
from .par import PAR
from .starters import starters_of


@dataclass(frozen=True, slots=True)
class RankedDiscard:
    """A discard, or several that are worth the same and differ in suits alone.

    ``names`` are the two cards as they are called, a card of any suit by its rank alone.
    ``choices`` are the places of the cards in the hand, for each of them. ``ev`` are the points
    expected of the hand, with the crib for the dealer and without it for the other; ``hand`` and
    ``crib`` are its parts, and ``cost`` is what is lost beside the best. ``best`` and ``worst``
    are starters, by the points of the hand with them.
    """

    names: tuple[str, str]
    choices: tuple[tuple[int, ...], ...]
    ev: Fraction
    hand: Fraction
    crib: Fraction
    cost: Fraction
    best: tuple[str, ...]
    worst: tuple[str, ...]

    @property
    def bare_ranks(self) -> tuple[str, ...]:
        """The ranks that stand for cards of any suit."""
        return tuple(dict.fromkeys(name for name in self.names if name[-1].isalnum()))


@dataclass(frozen=True, slots=True)
class DiscardRanking:
    """All discards of a hand, the best first; ``par`` is what the best bring in all deals."""

    rows: tuple[RankedDiscard, ...]
    dealer: bool
    par: float

    def row_of(self, places: Sequence[int]) -> RankedDiscard | None:
        """Give the row of two cards, by their places in the hand."""
        return next((row for row in self.rows if tuple(places) in row.choices), None)


def rank_discards(view: State, seat: Seat) -> DiscardRanking | None:
    """Rank the discards of a seat; ``None`` unless it is to discard."""
    every = weigh_discards(view, seat)
    if not every:
        return None
    groups: dict[object, list[DiscardValue]] = {}
    for one in every:
        alike = (tuple(card.rank for card in one.discard), one.hand, one.crib)
        groups.setdefault(alike, []).append(one)
    hand = view.hands[seat]
    rows = tuple(_ranked_discard(group, every[0].ev, hand, view) for group in groups.values())
    dealer = seat == view.dealer
    return DiscardRanking(rows, dealer, PAR[dealer])


def _ranked_discard(
    group: Sequence[DiscardValue], best: Fraction, hand: Hand, view: State
) -> RankedDiscard:
    first = group[0]
    names = tuple(
        card.symbol if all(one.discard[place] is card for one in group) else card.rank.pip
        for place, card in enumerate(first.discard)
    )
    kept_cards = tuple(card for card in hand if card not in first.discard)
    starters = starters_of(kept_cards, hand, view.options.rule_set)
    return RankedDiscard(
        (names[0], names[1]),
        tuple(tuple(hand.index(card) + 1 for card in one.discard) for one in group),
        first.ev,
        Fraction(*first.hand),
        Fraction(*first.crib),
        best - first.ev,
        starters.best,
        starters.worst,
    )
