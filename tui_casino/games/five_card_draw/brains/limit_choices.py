"""The limit adviser's answer: all choices of a seat, and the ranges behind their EVs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.memo import memoize
from ....cards.poker import STRENGTHS, HandCategory, category_of, rank_hand
from ....gamekit.adviser import SURE_ERRORS
from ..machine.state import Action, Bet, Call, Check, Fold, Phase, Raise, State
from .equilibrium.betting_tree import SMALL_BET
from .equilibrium.hand_buckets import Floats, class_count, class_of_strength
from .equilibrium.opponent_ranges import ActValue, Response, blueprint_ranges
from .players import find_close_index
from .pot_odds import EvBasis, PotOdds, pot_odds_of

TIE_MARGIN = 0.1
"""The difference, in credits, below which choices count as equally good."""

VALUE_ERRORS: Mapping[tuple[EvBasis, Phase], float] = {
    (EvBasis.SOLUTION, Phase.OPENING): 0.015,
    (EvBasis.SOLUTION, Phase.DRAW): 0.01,
    (EvBasis.SOLUTION, Phase.CLOSING): 0.025,
    (EvBasis.ROUGH, Phase.OPENING): 0.2,
    (EvBasis.ROUGH, Phase.DRAW): 0.075,
    (EvBasis.ROUGH, Phase.CLOSING): 0.12,
}
"""The standard errors of EVs, as shares of the pot; about 95% of EVs are off by at most twice that.

They were measured on several hundred decisions of a player who plays the solution, and of one who
plays at random, against an opponent who plays the solution, by comparison with real deals. The
heuristics were measured on decisions of two players who play the solution. Errors arise because
card removal is approximated by ranks, and after the draw by classes of final hands.
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


class LimitChoice(Struct, frozen=True):
    """An action, its EV relative to folding in credits, and how often the blueprint chooses it.

    The frequency is 0 for all choices at a decision that the blueprint never reaches with the hand.
    ``responses`` are those of the only opponent, with their EVs, if it plays the solution. A choice
    that was played out has its own ``error``, the error of the difference from the best as
    ``gap_error``, and the chance that ``all_fold`` to it.
    """

    action: Action
    value: float
    frequency: float
    responses: tuple[Response, ...] = ()
    error: float | None = None
    gap_error: float | None = None
    all_fold: float = 0.0


class OpponentRange(Struct, frozen=True):
    """Chances that an opponent's hand is in a higher category, better in the same one, or worse."""

    seat: int
    higher_category: float
    better_in_category: float
    worse: float


class LimitAdvice(Struct, frozen=True):
    """All choices, best first, and the figures behind them.

    ``error`` is the standard error of the EVs in credits; the EV of folding is exactly 0.
    ``win_chance`` is the chance to win if nobody bets again. ``category`` is the category of the
    seat's own hand, and ``rivals`` are the opponents' ranges relative to it.
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
        """The choice with the highest EV."""
        return self.choices[0]

    @property
    def has_frequencies(self) -> bool:
        """Whether the blueprint ever reaches this decision with the hand."""
        return any(choice.frequency for choice in self.choices)

    def choice_for(self, action: Action) -> LimitChoice | None:
        """Return the choice with an action, or ``None``."""
        return next((choice for choice in self.choices if choice.action == action), None)

    def error_of(self, choice: LimitChoice) -> float:
        """Return the standard error of the EV of a choice, in credits."""
        own = self.error if choice.error is None else choice.error
        return 0.0 if isinstance(choice.action, Fold) else own

    def gap_error_of(self, choice: LimitChoice) -> float:
        """Return the standard error of the difference between the EVs of the best and a choice."""
        return self.error if choice.gap_error is None else choice.gap_error

    def is_clearly_worse(self, choice: LimitChoice) -> bool:
        """Return whether the EVs prove that a choice is worse than the best."""
        return self.best.value - choice.value > SURE_ERRORS * self.gap_error_of(choice)

    def ties_best(self, choice: LimitChoice) -> bool:
        """Return whether the EV of a choice is within `TIE_MARGIN` of the best."""
        return self.best.value - choice.value < TIE_MARGIN


def rank_acts(
    acts: Sequence[ActValue], frequencies: Floats, put_in: int
) -> tuple[LimitChoice, ...]:
    """Return acts as choices, best first, with EVs in credits relative to folding."""
    return sort_by_value(
        LimitChoice(
            ACTION_OF_LETTER[act.letter],
            0.0 if act.letter == "f" else SMALL_BET * act.value + put_in,
            share,
            tuple(each._replace(value=SMALL_BET * each.value + put_in) for each in act.responses),
        )
        for act, share in zip(acts, frequencies.tolist(), strict=True)
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
    """Combine choices with the chance to win and the opponents' ranges into advice."""
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
    """Summarise an opponent's range; half of the hands in the seat's own class count as better."""
    shares = weights / weights.sum()
    higher = float(shares[_categories() > category].sum())
    better_share = float(shares[own + 1 :].sum() + shares[own] / 2) - higher
    return OpponentRange(seat, higher, better_share, 1 - higher - better_share)


@memoize()
def _categories() -> npt.NDArray[np.int32]:
    """Return the category of each class of final hands."""
    categories = np.zeros(class_count(), np.int32)
    categories[class_of_strength()[1:]] = [category_of(strength) for strength in STRENGTHS]
    return categories


def close_index_after_call(name: str) -> int:
    """Return the index in `CLOSES` of the close that follows if the next player checks or calls."""
    bets = name.count("r") + ("b" in name)
    return find_close_index(bets, name.startswith("b"))


def sort_by_value(choices: Iterable[LimitChoice]) -> tuple[LimitChoice, ...]:
    """Sort choices by their EV, highest first."""
    return tuple(sorted(choices, key=lambda choice: -choice.value))


def usual_first(ranked: tuple[LimitChoice, ...], margin: float) -> tuple[LimitChoice, ...]:
    """Put the blueprint's usual choice first if its EV is within a margin of the best."""
    usual = max(ranked, key=lambda choice: choice.frequency)
    if usual.frequency < 0.5 or ranked[0].value - usual.value > margin:
        return ranked
    return (usual, *(choice for choice in ranked if choice is not usual))
