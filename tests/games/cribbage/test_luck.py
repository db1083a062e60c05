"""The luck of cribbage's deals and starters: its mean is zero, and good hands are lucky."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from tests.helpers.narrow import not_none
from tui_casino.cards.card import PACK, Card, parse_hand
from tui_casino.engine.game import Deal, Seat, Shoe
from tui_casino.gamekit.adviser import PlayedStep
from tui_casino.games.cribbage.brains.luck import fair, luck, pones_mean_lead
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import RULE_SETS, TRAINER
from tui_casino.games.cribbage.machine.state import Action, Discard, Options, Phase, State

PONE, DEALER = Seat(0), Seat(1)
PLAYERS = ("human", "expert")


def luck_of(before: State, action: Action | Deal, seat: Seat) -> float:
    after = game.step(before, seat if not isinstance(action, Deal) else None, action).state
    return not_none(luck(PlayedStep(before, action, after, seat, PLAYERS)))


def dealt(cards: list[Card], rules: str = "acc") -> tuple[State, float]:
    """Deal twelve cards, the pone's first; return the state and the pone's luck."""
    state, total = game.step(game.start(Options(rules)), None, Shoe(len(PACK))).state, 0.0
    hands = iter(cards[:6]), iter(cards[6:12])
    for place in range(12):
        deal = Deal(next(hands[place % 2]))
        total += luck_of(state, deal, PONE)
        state = game.step(state, None, deal).state
    return state, total


@pytest.mark.parametrize("rules", RULE_SETS)
def test_mean_luck_of_random_deals_is_zero(rules: str) -> None:
    random = Random(f"deals by {rules} rules")
    lucks = [dealt(random.sample(PACK, 12), rules)[1] for _ in range(80)]
    assert abs(fmean(lucks)) < 3 * stdev(lucks) / len(lucks) ** 0.5


def test_mean_luck_of_all_starters_is_zero_for_both_players() -> None:
    state, _ = dealt(Random(1).sample(PACK, 12))
    for seat in (PONE, DEALER):
        state = game.step(state, seat, Discard((2, 5))).state
    assert state.phase is Phase.STARTER
    starters = [
        card for card in PACK if card not in (*state.hands[0], *state.hands[1], *state.crib)
    ]
    lucks = {card: luck_of(state, Deal(card), PONE) for card in starters}
    assert fmean(lucks.values()) == pytest.approx(0, abs=1e-9)
    assert max(lucks.values()) > 1
    for card in starters:
        assert luck_of(state, Deal(card), DEALER) == pytest.approx(-lucks[card])


def test_luck_of_twelve_good_and_bad_cards_is_large() -> None:
    """One player keeps 5 5 5 J, which score 20 without a starter; the other scores little."""
    cards = [*parse_hand("5C 5D 5H JS KD QD"), *parse_hand("AC 3D 6H 9S TC 2H")]
    assert dealt(cards)[1] > 8
    assert dealt([*cards[6:], *cards[:6]])[1] < -6


def test_luck_is_unknown_if_a_card_is_dealt_twice() -> None:
    state, _ = dealt(Random(3).sample(PACK, 12))
    for seat in (PONE, DEALER):
        state = game.step(state, seat, Discard((2, 5))).state
    again = Deal(state.hands[PONE][0])
    starter = game.step(state, None, again).state
    assert luck(PlayedStep(state, again, starter, PONE, PLAYERS)) is None
    state = game.step(game.start(Options()), None, Shoe(len(PACK))).state
    for card in [*PACK[:11], PACK[0]]:
        before, deal = state, Deal(card)
        state = game.step(state, None, deal).state
    assert luck(PlayedStep(before, deal, state, PONE, PLAYERS)) is None


def test_discard_is_a_choice_and_has_no_luck() -> None:
    state, _ = dealt(Random(2).sample(PACK, 12))
    assert luck_of(state, Discard((1, 2)), PONE) == 0


@pytest.mark.parametrize("rules", RULE_SETS)
def test_fair_lead_of_the_dealer_is_about_six_points(rules: str) -> None:
    """DeLynn Colvert's theory of 26: a player gets 16 points as the dealer, and 10 as the pone."""
    state = game.step(game.start(Options(rules)), None, Shoe(len(PACK))).state
    assert fair(state, DEALER) == -fair(state, PONE)
    assert fair(state, DEALER) == pytest.approx(16 - 10, abs=0.1)


def test_lead_of_a_forced_play_is_counted_card_by_card() -> None:
    """Ten, jack, ten: one for the pone's go. Jack, ten, jack: one for the dealer, who also plays
    the last card after the pone's last ten."""
    tens, jacks = (tuple(card.index % 13 for card in parse_hand(hand)) for hand in HANDS)
    assert pones_mean_lead(tens, jacks, TRAINER) == pytest.approx(1 - 2)


HANDS = "TC TD TH TS", "JC JD JH JS"
