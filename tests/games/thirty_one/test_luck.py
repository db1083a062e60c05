"""The luck of Hit Me's cards: its mean over all next cards is zero, and examples on paper."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.helpers.narrow import not_none
from tui_casino.cards.card import Card
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.game import Deal, NeedCard, NeedShoe, Seat, Shoe
from tui_casino.gamekit.adviser import PlayedStep
from tui_casino.games.thirty_one.brains.luck import luck
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import Options, Phase, State

ME = Seat(0)
RULES = (
    Rules(),
    Rules(dealer_hits_soft=True, double_two_cards=True, most_hands=4),
    Rules(split_same_rank=True, double_after_split=False, insurance=Odds(3)),
)


def mean_luck(state: State, cards: Counter[Card]) -> float:
    """Return the mean of the luck over all cards that may be dealt next."""
    sums = [
        number
        * not_none(
            luck(PlayedStep(state, Deal(card), game.step(state, None, Deal(card)).state, ME, ()))
        )
        for card, number in cards.items()
    ]
    return sum(sums) / cards.total()


@pytest.mark.parametrize("rules", RULES, ids=["standard", "dealer hits soft 27", "split same rank"])
def test_mean_luck_of_the_next_card_is_zero(rules: Rules) -> None:
    """Rounds with random choices from several shoes, before each of their cards."""
    random, source = Random(repr(rules)), SeededSource(1)
    state, stock = game.start(Options(rules, credit=10**8)), list[Card]()
    phases = set[Phase]()
    for number in range(160):
        match game.turn(state):
            case NeedShoe(cards):
                stock = random.sample(cards, len(cards))
                state = game.step(state, None, Shoe(len(stock))).state
            case NeedCard():
                assert mean_luck(state, Counter(stock)) == pytest.approx(0, abs=1e-5)
                phases.add(state.phase)
                state = game.step(state, None, Deal(stock.pop())).state
            case _:
                able = [one for one in game.offers(state, ME) if one.barred is None]
                action = random.choice(able).sample(source.dice(f"choice {number}"))
                state = game.step(state, ME, action).state
    assert phases == {Phase.DEAL, Phase.PLAY, Phase.DEALER}
