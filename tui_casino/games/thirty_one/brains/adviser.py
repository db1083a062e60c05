"""The adviser: the EV of each choice, the best choice, and the cost of the others.

EVs are computed from the cards left in the shoe. Part of the EV of a split is sampled, with a
standard error. If the round could use up the shoe, so that the discards would be shuffled in, whole
rounds are dealt instead, and all EVs are sampled.

The cost of a choice is computed only as precisely as needed. Most choices are clearly the best
according to the odds of an infinite shoe, or of a shoe in which drawn cards are put back
(`replacement_odds`). The odds of the actual shoe are computed only if neither is conclusive.

The expected return of a round and its variance are those of perfect play from an infinite shoe.
With two decks, a player who follows the dealer's rule has an edge that differs by 0.02% of the bet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ....cards.card import Card, whole_packs
from ....cards.memo import memoize
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Expectation, Mistake
from ....gamekit.lazy_import import LazyModule
from ....structs import replace
from ..machine import state as m
from ..machine.rules import CENTS, DECKS, LIMIT, VALUES, Rules, Total, may_split
from .odds import (
    HandInPlay,
    PlayerChoice,
    card_total,
    dealer_odds,
    house_edge,
    infinite_shoe_values,
    perfect_play,
)

if TYPE_CHECKING:  # late: needs numpy
    from . import round_variance, sampled_ev, shoe_dealer_odds, shoe_odds, split_odds
    from .shoe_odds import ChoiceOutcome
    from .split_odds import SplitEstimate, SplitShoe
else:
    sampled_ev = LazyModule(".sampled_ev", __package__)
    round_variance = LazyModule(".round_variance", __package__)
    shoe_dealer_odds = LazyModule(".shoe_dealer_odds", __package__)
    shoe_odds = LazyModule(".shoe_odds", __package__)
    split_odds = LazyModule(".split_odds", __package__)


ACTIONS: Mapping[
    PlayerChoice, type[m.Hit | m.Stand | m.Double | m.Split | m.Insure | m.Decline]
] = MappingProxyType(
    {
        PlayerChoice.HIT: m.Hit,
        PlayerChoice.STAND: m.Stand,
        PlayerChoice.DOUBLE: m.Double,
        PlayerChoice.SPLIT: m.Split,
        PlayerChoice.INSURE: m.Insure,
        PlayerChoice.DECLINE: m.Decline,
    }
)
"""The action of each choice."""
MOST_BUST = 40
"""The highest hard total of any hand: 30 and a drawn ten."""
CACHE_SIZE = 16
"""The number of positions whose advice is cached."""


# ---- the decision ----------------------------------------------------------------------------


class ThirtyOnePosition(Struct, frozen=True):
    """A decision of the player, with cards by value: 1 for an ace, to 10.

    - ``remaining``: the number of cards of each of the ten values that have not been dealt.
    - ``covered``: the credit covers another bet of this size. Later bets are assumed to be covered.
    - ``pair``: the rules allow the hand to be split.
    - ``hands``: the number of hands that the player has already.
    - ``insured``: the side bet is open, and no hand has stood on 14 yet. So the next hand that
      stands on 14 gains from it.
    - ``insurance_asked``: the player has to decide whether to take insurance.
    - ``waiting_hands``: the other hands that are still to be played.
    - ``discards``: the number of cards of each value from earlier rounds. They would be shuffled in
      if the shoe ran out.
    """

    hand: tuple[int, ...]
    up_card: int
    remaining: tuple[int, ...]
    bet: int
    rules: Rules
    covered: bool = True
    pair: bool = False
    hands: int = 1
    insured: bool = False
    insurance_asked: bool = False
    waiting_hands: tuple[tuple[int, ...], ...] = ()
    discards: tuple[int, ...] = (0,) * 10

    @property
    def total(self) -> Total:
        """The total of the hand."""
        result = Total(0)
        for value in self.hand:
            result = result.plus(value)
        return result

    @property
    def may_run_out(self) -> bool:
        """Whether the round could use up the shoe in the worst case.

        The cards left are compared, in points, with the most that the round can draw. No hand draws
        a card on a hard total above 30, so a hand of a split may go bust with up to 40. But the
        dealer draws only if a hand has at most 31, possibly a finished one. With an open side bet,
        the dealer always draws.
        """
        pairs = self.pair + sum(len(set(hand)) == 1 for hand in self.waiting_hands)
        extra_hands = 0
        if self.covered and (pairs or len(self.hand) == 1):
            matching_cards = self.remaining[self.hand[0] - 1]
            extra_hands = min(self.rules.most_hands - self.hands, pairs + matching_cards)
        drawn = LIMIT - sum(self.hand) + LIMIT - 1 - self.up_card
        drawn += sum(MOST_BUST - sum(hand) for hand in self.waiting_hands) + MOST_BUST * extra_hands
        has_finished_hand = self.hands > 1 + len(self.waiting_hands)
        drawn += (MOST_BUST - LIMIT) * (self.insured or self.insurance_asked or has_finished_hand)
        return sum(value * count for value, count in enumerate(self.remaining, 1)) <= drawn


def position_of(view: m.State) -> ThirtyOnePosition | None:
    """Return the player's decision, or ``None`` if the player has no hand to decide on."""
    insurance_asked = view.phase is m.Phase.INSURANCE
    place = 0 if insurance_asked else view.active
    if place is None or view.waiting:
        return None
    hand, rules = view.hands[place], view.options.rules
    return ThirtyOnePosition(
        hand=tuple(map(_value, hand.cards)),
        up_card=_value(view.dealer[0]),
        remaining=_remaining_counts(view),
        bet=hand.bet // CENTS,
        rules=rules,
        covered=view.credit >= hand.bet,
        pair=may_split(hand.cards, len(view.hands), rules),
        hands=len(view.hands),
        insured=view.insurance > 0 and not any(other.on_14 for other in view.hands),
        insurance_asked=insurance_asked,
        waiting_hands=tuple(
            tuple(map(_value, other.cards)) for other in view.hands[place + 1 :] if not other.done
        ),
        discards=_value_counts(view.discards),
    )


def _value(card: Card) -> int:
    return VALUES[card.rank]


def _remaining_counts(view: m.State) -> tuple[int, ...]:
    """Count the cards of each value left from two packs; a known deck may have contained more."""
    table = (card for hand in view.hands for card in hand.cards)
    dealt = _value_counts((*view.discards, *table, *view.dealer))
    return tuple(
        max(0, all_ - count)
        for all_, count in zip(_value_counts(whole_packs(DECKS)), dealt, strict=True)
    )


def _value_counts(cards: Iterable[Card]) -> tuple[int, ...]:
    counts = Counter(map(_value, cards))
    return tuple(counts[value] for value in range(1, 11))


# ---- the advice ------------------------------------------------------------------------------


class ThirtyOneAdvice(Struct, frozen=True):
    """The EV of each choice per dollar of the first bet, and that bet in dollars.

    ``errors`` holds the standard errors of EVs that are partly sampled. ``outcomes`` holds more
    details about EVs that were computed from the shoe.
    """

    values: Mapping[PlayerChoice, float]
    bet: int
    outcomes: Mapping[PlayerChoice, ChoiceOutcome] = field(default_factory=dict)
    errors: Mapping[PlayerChoice, float] = field(default_factory=dict)

    @property
    def best(self) -> PlayerChoice:
        """The choice with the highest EV."""
        return max(self.values, key=lambda choice: self.values[choice])

    def cost(self, choice: PlayerChoice) -> float:
        """Return the cost of a choice in dollars."""
        return self.bet * (self.values[self.best] - self.values[choice])


@memoize(maxsize=CACHE_SIZE)
def advise(
    position: ThirtyOnePosition, *, exact: bool = False, brief: bool = False
) -> ThirtyOneAdvice:
    """Compute the EV of every choice that the rules and the credit allow.

    This takes up to 0.2 seconds, and twice as long for the first position with each up card.
    ``exact`` has the same meaning as in :func:`.shoe_odds.choice_outcomes`. With ``brief``, no
    outcomes are returned. Raises ``ValueError`` for a hand that leaves no choice.
    """
    total, cards = position.total, len(position.hand)
    if not cards or total.points >= LIMIT:
        raise ValueError(f"a hand of {total.points} with {cards} cards leaves no choice")
    if position.may_run_out:
        return _sampled_advice(position)
    evaluate = _insurance_advice if position.insurance_asked else _shoe_advice
    return evaluate(position, exact, brief)


def advise_infinite_shoe(position: ThirtyOnePosition) -> ThirtyOneAdvice:
    """Return advice based on an infinite shoe; this is quick but ignores which cards are gone."""
    rules, up_card, covered = position.rules, position.up_card, position.covered
    if position.insurance_asked:
        insured, plain = (
            perfect_play(rules, up_card, covered, insured_value) for insured_value in (True, False)
        )
        first = position.hand[0]
        insured_value, plain_value = (
            float(insured.first_card_ev(first)),
            float(plain.first_card_ev(first)),
        )
        return ThirtyOneAdvice(
            {PlayerChoice.INSURE: insured_value, PlayerChoice.DECLINE: plain_value}, position.bet
        )
    holding = HandInPlay(position.total, len(position.hand), position.pair, position.hands)
    return ThirtyOneAdvice(
        infinite_shoe_values(rules, up_card, covered, position.insured, holding), position.bet
    )


def _sampled_advice(position: ThirtyOnePosition) -> ThirtyOneAdvice:
    """Estimate the EV of the choices by dealing rounds from the actual shoe."""
    rules, covered, odds = position.rules, position.covered, position.rules.insurance
    return_on_31 = (odds.paid + odds.staked) / odds.staked

    sampled_position = sampled_ev.SampledPosition(
        position.hand,
        position.waiting_hands,
        position.up_card,
        position.remaining,
        position.discards,
        rules,
        position.hands,
        rules.most_hands if covered else position.hands,
        return_on_31 * position.insured,
    )
    estimates: dict[PlayerChoice, SplitEstimate] = {}
    if position.insurance_asked:
        for choice in (PlayerChoice.INSURE, PlayerChoice.DECLINE):
            insured = choice is PlayerChoice.INSURE
            insured_position = replace(
                sampled_position, insurance_return=return_on_31 * insured, insurance_opened=insured
            )
            (estimates[choice],) = sampled_ev.sample_values(
                insured_position, (None,), perfect_play(rules, 1, covered, insured)
            ).values()
    else:
        choices = tuple(advise_infinite_shoe(position).values)
        estimates |= sampled_ev.sample_values(
            sampled_position,
            choices,
            perfect_play(rules, position.up_card, covered, position.insured),
        )
    return ThirtyOneAdvice(
        {choice: estimate.value for choice, estimate in estimates.items()},
        position.bet,
        errors={choice: estimate.error for choice, estimate in estimates.items()},
    )


def _shoe_advice(position: ThirtyOnePosition, exact: bool, brief: bool) -> ThirtyOneAdvice:
    cards, shoe = position.hand, split_shoe_of(position)
    matching_cards = position.remaining[cards[0] - 1]
    pair_estimate: SplitEstimate | None = None

    def pair(other_value: float, hit_value: float) -> float:
        nonlocal pair_estimate
        remaining = *shoe.remaining[: cards[0] - 1], matching_cards - 1, *shoe.remaining[cards[0] :]
        shoe_after_pair = replace(shoe, remaining=remaining)
        if split_odds.is_split_never_best(
            cards[0], shoe_after_pair, other_value, single_hand=hit_value
        ):
            return other_value
        estimate = split_odds.estimate_split(cards[0], shoe_after_pair)
        pair_estimate = estimate if estimate.value > other_value else None
        return estimate.value

    can_pair = len(cards) == 1 and position.covered and matching_cards > 0
    outcomes = outcomes_without_split(
        position, pair if can_pair else None, exact=exact, brief=brief
    )
    values = {choice: outcome.gain for choice, outcome in outcomes.items()}
    errors = dict.fromkeys(values, 0.0)
    if pair_estimate is not None:  # the next card may make a pair that is split
        errors[PlayerChoice.HIT] = pair_estimate.error * matching_cards / sum(position.remaining)
    if can_split(position):
        estimate = split_odds.estimate_split(cards[0], shoe, position.hands + 1)
        values[PlayerChoice.SPLIT], errors[PlayerChoice.SPLIT] = estimate.value, estimate.error
    return ThirtyOneAdvice(values, position.bet, {} if brief else outcomes, errors)


def outcomes_without_split(
    position: ThirtyOnePosition,
    split_value: Callable[[float, float], float] | None = None,
    *,
    exact: bool = False,
    brief: bool = False,
) -> dict[PlayerChoice, ChoiceOutcome]:
    """Compute the outcome of each choice for a hand that is not split.

    If the next card may make a pair, ``split_value`` returns the EV of the pair, as in
    :data:`.shoe_odds.SplitValue`.
    """
    rules, cards = position.rules, len(position.hand)
    return shoe_odds.choice_outcomes(
        position.total,
        position.up_card,
        position.remaining,
        rules,
        cards=cards,
        double=can_double(position),
        insurance=insurance_return(position),
        split=split_value,
        exact=exact,
        brief=brief,
    )


def can_split(position: ThirtyOnePosition) -> bool:
    """Return whether the hand may be split."""
    return position.pair and position.covered and position.hands < position.rules.most_hands


def split_shoe_of(position: ThirtyOnePosition) -> SplitShoe:
    """Return the cards left and the rules, from which the EV of a split is computed."""
    return split_odds.SplitShoe(
        position.up_card,
        position.remaining,
        position.rules,
        position.covered,
        insurance_return(position),
    )


def insurance_return(position: ThirtyOnePosition) -> float:
    """Return the payout of an open side bet on 31, per dollar staked; 0 without a side bet."""
    odds = position.rules.insurance
    return (odds.paid + odds.staked) / odds.staked if position.insured else 0.0


def can_double(position: ThirtyOnePosition) -> bool:
    """Return whether credit and splits allow doubling in this turn."""
    return position.covered and (position.hands == 1 or position.rules.double_after_split)


def _insurance_advice(position: ThirtyOnePosition, exact: bool, brief: bool) -> ThirtyOneAdvice:
    """Compute the EV of the side bet, including its effect on the play of the hand."""
    odds = position.rules.insurance
    chance = chance_of_31(position.up_card, position.remaining, position.rules)
    side_value = chance * (odds.paid + odds.staked) / odds.staked - 1
    values, errors = {}, {}
    for choice in (PlayerChoice.INSURE, PlayerChoice.DECLINE):
        insured = choice is PlayerChoice.INSURE
        hand = _shoe_advice(replace(position, insurance_asked=False, insured=insured), exact, brief)
        values[choice] = hand.values[hand.best] + insured * side_value
        errors[choice] = hand.errors[hand.best]
    return ThirtyOneAdvice(values, position.bet, errors=errors)


def chance_of_31(up_card: int, remaining: tuple[int, ...], rules: Rules) -> float:
    """Return the chance that the dealer's usual play ends on 31, from the cards left."""
    return shoe_dealer_odds.dealer_ends(up_card, remaining, rules)[LIMIT]


def action_values(view: m.State, seat: Seat) -> tuple[ActionValue[m.Action], ...]:
    """Return the EV of each choice in cents, best first."""
    position = position_of(view)
    if position is None:
        return ()
    advice = advise(position, brief=True)
    ranked = sorted(advice.values.items(), key=lambda entry: -entry[1])
    cents = CENTS * advice.bet
    return tuple(
        ActionValue(ACTIONS[choice](), cents * value, cents * advice.errors.get(choice, 0.0))
        for choice, value in ranked
    )


# ---- the cost of a choice --------------------------------------------------------------------

MILLION = 10**6
CLEAR = 0.25
"""A choice that leads by this share of a bet in an infinite shoe is the best one.

In 1,800 positions from play with leads of 0.25, or of 0.15 and at least 40 cards left, the choice
always stayed ahead by at least 0.05. A smaller lead saves no time, because `replacement_odds`
decide the other positions quickly.
"""
CLEAR_BY_SHARES = 0.1
"""A choice that leads by this share of a bet if drawn cards are put back is the best one.

The lead was overestimated by at most 0.029 in 2,859 positions from play, and by at most 0.041 in
210 positions with fewer than 30 cards left.
"""
LEAST_COST = 1e-4
"""Costs below this share of the bet are smaller than the errors of the EVs for a short shoe."""


def judge(view: m.State, seat: Seat, action: m.Action) -> Mistake[m.Action] | None:
    """Return the cost of a choice in cents, or ``None`` for the best choice and for a bet."""
    choice = next((choice for choice, kind in ACTIONS.items() if isinstance(action, kind)), None)
    position = position_of(view)
    if choice is None or position is None:
        return None
    if _is_clearly_best(position, choice) or _is_clearly_best_by_shares(position, choice):
        return None
    if _needs_sampling(position) and is_surely_best(position, choice):
        return None
    advice = advise(position, brief=True)
    cost = advice.cost(choice)
    if cost < LEAST_COST * position.bet:
        return None
    # all costs have the same denominator, because many of them are added up
    return Mistake(Fraction(round(CENTS * cost * MILLION), MILLION), ACTIONS[advice.best]())


def _is_clearly_best(position: ThirtyOnePosition, choice: PlayerChoice) -> bool:
    """Return whether a choice leads by so much that the cards left in the shoe do not matter."""
    if position.may_run_out:
        return False
    return _leads_by(advise_infinite_shoe(position).values, choice, CLEAR)


def _is_clearly_best_by_shares(position: ThirtyOnePosition, choice: PlayerChoice) -> bool:
    """Return whether a choice would lead by enough if drawn cards were put back; ignore splits.

    Without splits, the EV of hitting can only be too low, because the next card may make a pair.
    So with one card, only hitting can pass this check.
    """
    if position.insurance_asked or position.may_run_out or can_split(position):
        return False
    if len(position.hand) == 1 and choice is not PlayerChoice.HIT:
        return False
    from .replacement_odds import replacement_values  # late: seldom needed

    values = replacement_values(
        position.total,
        position.up_card,
        position.remaining,
        position.rules,
        cards=len(position.hand),
        double=can_double(position),
        insurance=insurance_return(position),
    )
    return _leads_by(values, choice, CLEAR_BY_SHARES)


def _leads_by(values: Mapping[PlayerChoice, float], choice: PlayerChoice, lead: float) -> bool:
    others = (value for other, value in values.items() if other is not choice)
    return all(values[choice] - value >= lead for value in others)


def _needs_sampling(position: ThirtyOnePosition) -> bool:
    """Return whether the advice may include a split, which takes longer."""
    may_pair = len(position.hand) == 1 and position.covered
    return may_pair or can_split(position)


def is_surely_best(position: ThirtyOnePosition, choice: PlayerChoice) -> bool:
    """Return whether a choice is the best one for any EV of a split, which is not sampled.

    Without splits, the EV of hitting can only be too low, because the next card may make a pair.
    So with one card, only hitting can pass this check.
    """
    if position.insurance_asked or position.may_run_out or choice is PlayerChoice.SPLIT:
        return False
    if len(position.hand) == 1 and choice is not PlayerChoice.HIT:
        return False
    gains = {
        other: outcome.gain
        for other, outcome in outcomes_without_split(position, brief=True).items()
    }
    if gains[choice] < max(gains.values()):
        return False
    if not can_split(position):
        return True
    return split_odds.is_split_never_best(
        position.hand[0], split_shoe_of(position), gains[choice], position.hands + 1
    )


# ---- the trainer's data ----------------------------------------------------------------------

LOW, HIGH = range(2, 7), (1, 10)
"""The values that count up and down in the high-low count."""
DECK = 52


class TrainerData(Struct, frozen=True):
    """The EV of each choice, and the chance of each of the dealer's final totals.

    ``has_enough_cards`` means that the shoe certainly has enough cards for the round. Otherwise the
    EVs are sampled, and the chances of the dealer's totals are those of an infinite shoe.
    """

    position: ThirtyOnePosition
    advice: ThirtyOneAdvice
    dealer_finals: Mapping[int, float]
    has_enough_cards: bool


def read_trainer_data(position: ThirtyOnePosition) -> TrainerData:
    """Compute all data, which takes as long as :func:`advise`."""
    up_card, rules, has_enough_cards = position.up_card, position.rules, not position.may_run_out
    if has_enough_cards:
        ends = shoe_dealer_odds.dealer_ends(up_card, position.remaining, rules)
    else:
        ends = {
            end: float(chance) for end, chance in dealer_odds(card_total(up_card), rules).items()
        }
    return TrainerData(position, advise(position), ends, has_enough_cards)


def high_low_count(remaining: Sequence[int]) -> float:
    """Return the high-low count of a shoe per deck left.

    ``remaining`` counts the cards by value, aces first. Each missing card from two to six counts 1,
    and each missing ace, ten or face card counts -1; a full shoe has equal numbers of both groups.

    >>> round(high_low_count((8, 0, 8, 8, 8, 8, 8, 8, 8, 32)), 2)  # all twos are gone
    4.33
    """
    running = sum(remaining[value - 1] for value in HIGH) - sum(
        remaining[value - 1] for value in LOW
    )
    return DECK * running / sum(remaining) if any(remaining) else 0.0


# ---- the expected return of a round ----------------------------------------------------------


def expect(options: m.Options, event: m.Event) -> Expectation | None:
    """Return the mean and the variance of the payout of a round's bets, in cents.

    The first bet of the round is expected to lose the house edge. Further stakes in the round are
    expected to return their full amount, whether or not perfect play would make them.
    """
    if not isinstance(event, m.RoundOver):
        return None
    edge, variance = _edge_and_variance(options.rules)
    return Expectation(event.wagered - edge * event.bet, variance * event.bet**2)


@lru_cache(maxsize=32)
def _edge_and_variance(rules: Rules) -> tuple[Fraction, Fraction]:
    return house_edge(rules), Fraction(
        round_variance.mean_and_variance(rules)[1]
    ).limit_denominator(10**9)
