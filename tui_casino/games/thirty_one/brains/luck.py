"""The luck of each card: how much it changes the expected result of the round.

The values are those of an infinite shoe, and the chances are those of the cards that are left in
the shoe. So the expected luck of each card is zero, and a little of the chance remains in the
results without luck, because the values are not exact.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from ....cards.card import PACK, Card, Rank, whole_packs
from ....engine.game import Deal
from ....gamekit.adviser import PlayedStep
from ..machine import game
from ..machine.rules import (
    DECKS,
    LIMIT,
    VALUES,
    Rules,
    Total,
    dealer_stop,
    may_split,
    payout,
)
from ..machine.state import IN_PLAY, Action, Phase, PlayerHand, State
from .odds import (
    WEIGHTS,
    HandInPlay,
    dealer_odds,
    infinite_shoe_values,
    perfect_play,
)


def luck(step: PlayedStep[State, Action]) -> float | None:
    """Return the luck of a card in cents, and 0 for an action of the player.

    Return ``None`` if the shoe does not hold the rest of two packs, as with a deck from a file.
    """
    before, action = step.before, step.action
    if not isinstance(action, Deal):
        return 0.0
    table = (card for hand in before.hands for card in hand.cards)
    left = Counter(card.rank for card in whole_packs(DECKS))
    left.subtract(card.rank for card in (*before.discards, *table, *before.dealer))
    if left.total() != before.stock or left[action.card.rank] < 1 or min(left.values()) < 0:
        return None
    expected = sum(
        count * expected_credit(game.step(before, None, Deal(_EXAMPLES[rank])).state)
        for rank, count in left.items()
        if count
    )
    return expected_credit(step.after) - expected / before.stock


_EXAMPLES: dict[Rank, Card] = {card.rank: card for card in PACK}


def expected_credit(state: State) -> float:
    """Return the expected credit in cents after the round, with perfect play and no insurance."""
    if state.phase not in IN_PLAY:
        return float(state.credit)
    rules, covered = state.options.rules, state.credit >= state.hands[0].bet
    if not state.dealer:
        ((first,), bet) = state.hands[0].cards, state.hands[0].bet
        return state.credit + bet + bet * _first_card_value(rules, VALUES[first.rank], covered)
    total = float(state.credit)
    for hand in state.hands:
        over = hand.done or state.phase is Phase.DEALER
        total += hand.bet * (1 + (_final_value if over else _value_in_play)(state, hand))
    if state.insurance:
        on_14 = any(hand.on_14 for hand in state.hands)
        chance = _dealer_chances(_dealer_total(state, on_14), rules, on_14)[LIMIT]
        odds = rules.insurance
        total += state.insurance * chance * (odds.paid + odds.staked) / odds.staked
    return total


def _value_in_play(state: State, hand: PlayerHand) -> float:
    """Return the EV of a hand for a bet of 1, if its player may still choose."""
    rules, cards = state.options.rules, hand.cards
    values = infinite_shoe_values(
        rules,
        VALUES[state.dealer[0].rank],
        state.credit >= hand.bet,
        state.insurance > 0 and not any(other.on_14 for other in state.hands),
        HandInPlay(
            hand.total, len(cards), may_split(cards, len(state.hands), rules), len(state.hands)
        ),
    )
    return max(values.values())


def _final_value(state: State, hand: PlayerHand) -> float:
    """Return the EV of a hand for a bet of 1, if its player has no more choice."""
    if hand.total.bust:
        return -1.0
    rules, points = state.options.rules, hand.total.points
    chances = _dealer_chances(_dealer_total(state, hand.on_14), rules, hand.on_14)
    return sum(
        chance * (payout(1, points, final, on_14=hand.on_14) - 1)
        for final, chance in chances.items()
    )


def _dealer_total(state: State, on_14: bool) -> Total:
    return dealer_stop(state.dealer, state.options.rules, only_31=on_14)


@lru_cache(maxsize=1 << 9)
def _dealer_chances(total: Total, rules: Rules, only_31: bool) -> dict[int, float]:
    odds = dealer_odds(total, rules, only_31=only_31)
    return {final: float(chance) for final, chance in odds.items()}


@lru_cache(maxsize=1 << 6)
def _first_card_value(rules: Rules, value: int, covered: bool) -> float:
    """Return the EV of a bet of 1 after the player's first card."""
    evs = (
        weight * perfect_play(rules, up_card, covered, False).first_card_ev(value)
        for up_card, weight in WEIGHTS.items()
    )
    return float(sum(evs)) / sum(WEIGHTS.values())
