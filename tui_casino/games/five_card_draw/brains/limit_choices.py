"""The limit adviser's answer: all choices of a seat, and the ranges they are weighed against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ....cards.card import Hand
from ....cards.memo import memoize
from ....cards.poker import STRENGTHS, HandCategory, category_of, rank_hand
from ..machine.moves import Action, Bet, Call, Check, Fold, Raise
from ..machine.rules import (
    MOST_DISCARDS,
    MOST_FROM_AN_ACE,
    has_ace,
)
from ..machine.state import Phase, State
from .equilibrium import hand_classes
from .equilibrium.betting_tree import SMALL_BET
from .equilibrium.hand_buckets import Floats
from .equilibrium.opponent_ranges import blueprint_ranges, node_by_name
from .equilibrium_player import find_close_index
from .ev_basis import EvBasis
from .pot_odds import PotOdds, pot_odds_of

TIE_MARGIN = 0.1
"""Credits: choices that differ by less are as good as each other."""

VALUE_ERRORS: Mapping[tuple[EvBasis, Phase], float] = {
    (EvBasis.SOLUTION, Phase.OPENING): 0.012,
    (EvBasis.SOLUTION, Phase.DRAW): 0.01,
    (EvBasis.SOLUTION, Phase.CLOSING): 0.025,
    (EvBasis.LAST_ROUND, Phase.CLOSING): 0.05,
    (EvBasis.ROUGH, Phase.OPENING): 0.2,
    (EvBasis.ROUGH, Phase.DRAW): 0.075,
    (EvBasis.ROUGH, Phase.CLOSING): 0.12,
}
"""How far values are off, as shares of the pot: about 95 of 100 are off by two of these at most.

Measured on some hundred decisions of hands between two who play the solution, against deals from
one pack in which both play on as it does. The two rougher ways were asked about the same decisions.
The causes: cards that are gone are weighed by ranks, after the draw by classes of final hands.
"""

ACTION_OF_LETTER: Mapping[str, Action] = {
    "k": Check(),
    "b": Bet(),
    "f": Fold(),
    "c": Call(),
    "r": Raise(),
}
LETTER_OF_ACTION: Mapping[type[Action], str] = {
    type(act): letter for letter, act in ACTION_OF_LETTER.items()
}


@dataclass(frozen=True, slots=True)
class LimitChoice:
    """An act, what it brings in credits beside folding, and how often the blueprint does it."""

    action: Action
    value: float
    frequency: float


@dataclass(frozen=True, slots=True)
class OpponentRange:
    """What an opponent may hold: a higher category than one's own, a better of it, or less."""

    seat: int
    higher_category: float
    better_in_category: float
    worse: float


@dataclass(frozen=True, slots=True)
class LimitAdvice:
    """All choices, the best first, and what they are weighed by.

    ``error`` is the standard error of their values in credits; folding is worth exactly nothing.
    ``win_chance`` is that to win if no more is bet; ``category`` is one's own, which the ``rivals``
    stand beside.
    """

    choices: tuple[LimitChoice, ...]
    error: float
    win_chance: float
    pot_odds: PotOdds | None
    category: HandCategory
    rivals: tuple[OpponentRange, ...]
    basis: EvBasis

    @property
    def best(self) -> LimitChoice:
        """The choice worth most."""
        return self.choices[0]

    def choice_for(self, action: Action) -> LimitChoice | None:
        """Give a choice by its action."""
        return next((choice for choice in self.choices if choice.action == action), None)

    def ties_best(self, choice: LimitChoice) -> bool:
        """Tell whether a choice differs from the best by next to nothing."""
        return self.best.value - choice.value < TIE_MARGIN


def rank_acts(
    name: str, values: Floats, frequencies: Floats, put_in: int
) -> tuple[LimitChoice, ...]:
    """Give the acts of a decision, the best first; worths come in sb from the hand's beginning."""
    rows = zip(node_by_name(name).acts, values.tolist(), frequencies.tolist(), strict=True)
    return sort_by_value(
        LimitChoice(
            ACTION_OF_LETTER[letter], 0.0 if letter == "f" else SMALL_BET * value + put_in, share
        )
        for letter, value, share in rows
    )


def make_limit_advice(
    view: State,
    seat: int,
    choices: tuple[LimitChoice, ...],
    final_shares: Floats,
    rivals: tuple[int, ...],
    basis: EvBasis,
    *opponent_ranges: Floats,
) -> LimitAdvice:
    """Put choices with the chances of a hand that ends so, against finals that are so likely."""
    ranges, hand = blueprint_ranges(), view.hands[seat]
    chance = np.prod([ranges.win_chances(each) for each in opponent_ranges], axis=0)
    own, category = ranges.final_of(hand), rank_hand(hand).category
    rival_ranges = tuple(
        _rival(other, each, own, category)
        for other, each in zip(rivals, opponent_ranges, strict=False)
    )
    error, wins = VALUE_ERRORS[basis, view.phase] * view.pot, float(final_shares @ chance)
    return LimitAdvice(choices, error, wins, pot_odds_of(view, seat), category, rival_ranges, basis)


def _rival(seat: int, weights: Floats, own: int, category: HandCategory) -> OpponentRange:
    """Sum up what an opponent may hold; half of the finals of one's own class are better."""
    shares = weights / weights.sum()
    higher = float(shares[_categories() > category].sum())
    better_share = float(shares[own + 1 :].sum() + shares[own] / 2) - higher
    return OpponentRange(seat, higher, better_share, 1 - higher - better_share)


@memoize()
def _categories() -> npt.NDArray[np.int32]:
    """Give the category of each class of finals."""
    categories = np.zeros(hand_classes.class_count(), np.int32)
    categories[hand_classes.class_of_strength()[1:]] = [
        category_of(strength) for strength in STRENGTHS
    ]
    return categories


def close_index_after_call(name: str) -> int:
    """Give the way in which the first round closes if the decision is to check or to call."""
    bets = name.count("r") + ("b" in name)
    return find_close_index(bets, name.startswith("b"))


def allowed_draw_counts(hand: Hand) -> range:
    """Give how many cards may be drawn."""
    return range(MOST_FROM_AN_ACE + 1 if has_ace(hand) else MOST_DISCARDS + 1)


def sort_by_value(choices: Iterable[LimitChoice]) -> tuple[LimitChoice, ...]:
    """Put the choices worth most first."""
    return tuple(sorted(choices, key=lambda choice: -choice.value))
