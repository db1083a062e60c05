"""The cribbage adviser: the EV of a seat's choices, and the cost of a choice."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ....cards.card import BACK, Hand
from ....cards.memo import memoize
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Mistake
from ....gamekit.lazy_import import LazyModule
from ..machine.rules import RuleSet
from ..machine.state import Action, Discard, Lay, Phase, State
from .discards import (
    DiscardSums,
    DiscardValue,
    Weights,
    count_sums,
    discard_cost,
    shipped_frequencies,
    weigh,
)
from .known_rules import unknown_rule

if TYPE_CHECKING:
    from . import bulk_points, pegging, win_chances  # late: need numpy
    from .pegging import PeggingAdvice, PeggingPosition
else:
    bulk_points = LazyModule(".bulk_points", __package__)
    pegging = LazyModule(".pegging", __package__)
    win_chances = LazyModule(".win_chances", __package__)

CACHE_SIZE = 16
"""The number of hands and positions whose advice is cached."""
HANDS_WITHOUT_TABLES = 20
"""About as many hands are counted one by one in the time that NumPy and its tables take."""


def is_without_advice(view: State, seat: Seat) -> bool:
    """Return whether a seat must discard or play a card under rules without an adviser."""
    must_choose = view.phase is Phase.DISCARD and seat in view.waiting
    return (must_choose or is_to_lay(view, seat)) and unknown_rule(
        view.options.rule_set
    ) is not None


def weigh_discards(view: State, seat: Seat) -> tuple[DiscardValue, ...]:
    """Return the discards of a seat with their EVs, best first, or nothing if it need not discard.

    The opponent is assumed to discard as good players do.
    """
    hand, dealer = view.hands[seat], seat == view.dealer
    if view.phase is not Phase.DISCARD or seat not in view.waiting or BACK in hand:
        return ()
    if is_without_advice(view, seat):
        return ()
    return _weigh(hand, dealer, view.options.rule_set)


@memoize(maxsize=CACHE_SIZE)
def _weigh(hand: Hand, dealer: bool, rules: RuleSet) -> tuple[DiscardValue, ...]:
    return weigh(hand, dealer, rules, shipped_frequencies().weights_against(dealer), sum_discards)


def sum_discards(hand: Hand, rules: RuleSet, weights: Weights) -> DiscardSums:
    """Return the sums of the fifteen discards: first counted, after many hands from tables."""
    if count_sums.cache_info().misses < HANDS_WITHOUT_TABLES:
        return count_sums(hand, rules, weights)
    return bulk_points.sum_one_hand(hand, rules, weights)


def discard_win_chances(view: State, seat: Seat) -> dict[Hand, float]:
    """Return each discard's chance to win, or nothing if the game does not go to 121."""
    standing = win_chances.GameStanding.from_view(view, seat)
    if standing is None or not weigh_discards(view, seat):
        return {}
    return win_chances.discard_chances(view.hands[seat], standing, view.options.rule_set)


def weigh_lays(
    view: State, seat: Seat, samples: int | None = None, *, to_win: bool = False
) -> tuple[PeggingAdvice, ...]:
    """Return the cards that a seat may play with their EVs, best first, or nothing if it has none.

    ``to_win`` adds the chances of winning, which are defined only in a game to 121.
    """
    if not is_to_lay(view, seat) or is_without_advice(view, seat):
        return ()
    position, rules = pegging.PeggingPosition.from_view(view, seat), view.options.rule_set
    if not to_win:
        return _advise(position, rules, samples)
    valuation = win_chances.WinChanceValuation.from_view(view, seat)
    return pegging.weigh_cards(position, rules, valuation, samples=samples or pegging.SAMPLES)


@memoize(maxsize=CACHE_SIZE)
def _advise(
    position: PeggingPosition, rules: RuleSet, samples: int | None
) -> tuple[PeggingAdvice, ...]:
    return pegging.weigh_cards(position, rules, samples=samples or pegging.SAMPLES)


def is_to_lay(view: State, seat: Seat) -> bool:
    """Return whether it is the seat's turn to play a card, and it can play one."""
    return view.phase is Phase.PLAY and view.player == seat and bool(view.playable(seat))


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Return the cost of a choice in points, and the best action; ``None`` for the best choice.

    A card within two standard errors of the best is not a mistake, because its EV may be sampled.
    """
    match action:
        case Discard(places) if ranked := weigh_discards(view, seat):
            cost = discard_cost(ranked, [view.hands[seat][place - 1] for place in places])
            return Mistake(cost, Discard(_places(view, seat, ranked[0].discard))) if cost else None
        case Lay(place) if _has_choice_of_ranks(view, seat) and (advice := weigh_lays(view, seat)):
            card = view.hands[seat][place - 1]
            best = advice[0]
            cost_of_card = best.ev - next(one.ev for one in advice if one.card == card)
            cost = Fraction(cost_of_card).limit_denominator(pegging.SAMPLES)
            if cost and cost_of_card > 2 * best.error:  # floating point can separate equal EVs
                return Mistake(cost, Lay(*_places(view, seat, (best.card,))))
    return None


def _has_choice_of_ranks(view: State, seat: Seat) -> bool:
    """Return whether a seat may play cards of different ranks; suits do not matter in the play."""
    return is_to_lay(view, seat) and len({card.rank for card in view.playable(seat)}) > 1


def action_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Return all discards, or all cards that may be played, with their EV in points."""
    if ranked := weigh_discards(view, seat):
        return tuple(
            ActionValue(Discard(_places(view, seat, one.discard)), one.ev) for one in ranked
        )
    return tuple(
        ActionValue(Lay(*_places(view, seat, (one.card,))), one.ev, one.error)
        for one in weigh_lays(view, seat)
    )


def _places(view: State, seat: Seat, cards: Hand) -> tuple[int, ...]:
    return tuple(view.hands[seat].index(card) + 1 for card in cards)
