"""Values of positions at the limit table for two if both hands are known.

Both players follow the solution of `equilibrium`, without knowing the other hand. Their mixed
strategies are averaged exactly, and the cards that they will draw over samples. All values are
the winnings of the first seat in credits, counted from the start of the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import Hand
from ..machine.rules import kept_cards
from ..machine.state import ANTE, LIMITS
from .equilibrium.betting_tree import (
    CLOSES,
    DEALER,
    ENDS,
    FIRST,
    FIRST_ROUND_PUT_IN,
    FOLDS,
    ROOT,
    SMALL_BET,
    Child,
    DecisionNode,
    FoldNode,
)
from .equilibrium.blueprint_lookup import (
    blueprint,
    bucket_of,
    discard_positions,
    played_chances,
)
from .equilibrium.hand_buckets import class_of_strength
from .equilibrium.traversal import DRAW, DecisionPoint, Policies
from .sampled_draws import Integers, final_strengths, sample_draws, unseen_cards

Floats: TypeAlias = npt.NDArray[np.floating[Any]]
Shares: TypeAlias = Callable[[DecisionNode], Floats]
"""Returns how often the player to act chooses each act."""


class DrawLine(NamedTuple):
    """How many cards the seats draw, and the index in `CLOSES` of how the first round closed."""

    first_drew: int
    dealer_drew: int
    close: int


def draw_chances(
    policies: Policies, position: int, hand: Hand, close: int, first_drew: int = 0
) -> dict[int, float]:
    """Return how often the player at a position draws each number of cards; never is left out.

    ``first_drew`` is the number that the first seat drew, which the dealer knows.
    """
    policy = policies[position][DRAW][..., close, bucket_of(hand)]
    chances = played_chances(policy if position == FIRST else policy[:, first_drew])
    return {number: chance for number, chance in enumerate(chances) if chance}


def keep(hand: Hand, number: int) -> Hand:
    """Return the cards that the solution keeps if it draws this number."""
    return kept_cards(hand, discard_positions(hand, number))


@lru_cache(maxsize=1 << 4)
def opening_values(first: Hand, dealer: Hand) -> Mapping[str, float]:
    """Return the value of each node of the first round, by its name."""
    drawn, policies = sample_draws(unseen_cards((first, dealer)), 2), blueprint().policies
    lines, chances = list[DrawLine](), list[float]()
    for close in range(len(CLOSES)):
        for one, first_chance in draw_chances(policies, FIRST, first, close).items():
            for other, chance in draw_chances(policies, DEALER, dealer, close, one).items():
                lines.append(DrawLine(one, other, close))
                chances.append(first_chance * chance)
    finals = [
        {number: _classes(keep(hand, number), drawn[:, seat]) for number in numbers}
        for seat, hand, numbers in (
            (FIRST, first, {line.first_drew for line in lines}),
            (DEALER, dealer, {line.dealer_drew for line in lines}),
        )
    ]
    values = closing_values(
        lines,
        np.array([finals[FIRST][line.first_drew] for line in lines]),
        np.array([finals[DEALER][line.dealer_drew] for line in lines]),
    )[ROOT.name]
    ends = {fold.name: np.array(_lost(fold, ANTE + LIMITS[0] * fold.bets)) for fold in FOLDS}
    ends |= {close.name: np.zeros(()) for close in CLOSES}
    for line, chance, value in zip(lines, chances, values.mean(axis=1), strict=True):
        ends[CLOSES[line.close].name] = ends[CLOSES[line.close].name] + chance * value
    buckets = bucket_of(first), bucket_of(dealer)

    def shares(node: DecisionNode) -> Floats:
        return policies[node.seat][DecisionPoint("opening", node.name)][:, buckets[node.seat]]

    return {name: float(value) for name, value in _back_up(ROOT, shares, ends).items()}


def closing_values(
    lines: Sequence[DrawLine], first: Integers, dealer: Integers
) -> Mapping[str, Floats]:
    """Return the value of each node of the second round, by its name.

    ``first`` and ``dealer`` are classes of final hands, in shape (lines, n), as are the values.
    """
    one, other, close = np.array(lines).T[:, :, None]
    put_in, sign = SMALL_BET * np.array(FIRST_ROUND_PUT_IN)[close], np.sign(first - dealer)
    ends: dict[str, Floats] = {}
    for end in ENDS:
        paid = put_in + LIMITS[1] * end.bets
        ends[end.name] = _lost(end, paid) if isinstance(end, FoldNode) else sign * paid
    finals, policies = (first, dealer), blueprint().policies

    def shares(node: DecisionNode) -> Floats:
        policy = policies[node.seat][DecisionPoint("closing", node.name)]
        chosen: Floats = policy[:, one, other, close, finals[node.seat]]
        return chosen

    return _back_up(ROOT, shares, ends)


def value_before_draw(
    position: int, line: DrawLine, hands: tuple[Hand, Hand], unseen: Hand
) -> float:
    """Return the value before the player at a position draws cards.

    ``hands`` are the first seat's and the dealer's. Hands with fewer than five cards are completed
    by samples of the ``unseen`` cards. If the first seat draws, the dealer follows with the
    solution's draws, whatever the ``line`` says.
    """
    first, dealer = hands
    drawn = sample_draws(unseen, 2)
    finals = _classes(first, drawn[:, FIRST])
    draws = {line.dealer_drew: 1.0}
    kept = {line.dealer_drew: dealer}
    if position == FIRST:
        policies = blueprint().policies
        draws = draw_chances(policies, DEALER, dealer, line.close, line.first_drew)
        kept = {number: keep(dealer, number) for number in draws}
    values = closing_values(
        [line._replace(dealer_drew=number) for number in draws],
        np.array([finals] * len(draws)),
        np.array([_classes(hand, drawn[:, DEALER]) for hand in kept.values()]),
    )[ROOT.name]
    return float(values.mean(axis=1) @ list(draws.values()))


def final_class(hand: Hand) -> Integers:
    """Return the class of a final hand, in shape (1,)."""
    return _classes(hand, np.empty((1, 0), np.uint8))


def _classes(kept: Hand, drawn: Integers) -> Integers:
    return class_of_strength()[final_strengths(kept, drawn)]


def _lost(fold: FoldNode, put_in: Any) -> Any:
    """Return what the first seat wins by a fold of a player who has put in this much."""
    return -put_in if fold.seat == FIRST else put_in


def _back_up(child: Child, shares: Shares, ends: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the values of a node and of all nodes below it, from the values of the ends."""
    if not isinstance(child, DecisionNode):
        return {child.name: ends[child.name]}
    values: dict[str, Floats] = {}
    for below in child.children:
        values |= _back_up(below, shares, ends)
    mean = np.zeros(())
    for share, below in zip(shares(child), child.children, strict=True):
        mean = mean + share * values[below.name]
    return values | {child.name: mean}
