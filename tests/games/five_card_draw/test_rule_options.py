"""A new option for the bets: the table follows it, and advice follows or is not given."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.games.five_card_draw.test_limit_adviser import PAIR, drawing, facing, opening
from tui_casino.engine.game import Seat, Shoe
from tui_casino.games.five_card_draw.brains import limit_adviser, mistakes
from tui_casino.games.five_card_draw.brains.gto_chart import chart_for
from tui_casino.games.five_card_draw.brains.luck import fair
from tui_casino.games.five_card_draw.brains.players import fits_blueprint
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.betting import BettingRules
from tui_casino.games.five_card_draw.machine.state import (
    Discard,
    Fold,
    Options,
    Phase,
    Play,
    Raise,
    Stakes,
    State,
)
from tui_casino.structs import replace

ME = Seat(0)


class HouseOptions(Options, frozen=True):
    """Options with one more: the rules of betting."""

    house: BettingRules = BettingRules()

    @property
    def betting(self) -> BettingRules:
        """The rules of betting that this house has chosen."""
        return self.house


HOUSES = {
    "an ante of 10": BettingRules(ante=10),
    "bets of 10 and 40": BettingRules(sizes=(10, 40)),
    "one raise": BettingRules(most_raises=1),
}

POSITIONS = {"opening": opening(PAIR), "discards": drawing(PAIR), "facing a bet": facing(PAIR)}


def at_house(view: State, house: BettingRules) -> State:
    """Return the same position at a table with other rules of betting."""
    options = HouseOptions(view.options.opponents, view.options.stakes, house=house)
    return replace(view, options=options)


ADVICE: dict[str, Callable[[State], object]] = {
    "advice": lambda view: limit_adviser.advise_limit(view, ME),
    "EVs": lambda view: mistakes.action_values(view, ME) or None,
    "the chart": lambda view: chart_for(view, ME),
    "the solution": lambda view: fits_blueprint(view) or None,
    "the value of a place": lambda view: fair(view, ME) or None,
}


@pytest.mark.parametrize("view", POSITIONS.values(), ids=POSITIONS)
@pytest.mark.parametrize("advice", ADVICE.values(), ids=ADVICE)
def test_limit_advice_is_only_given_for_the_limits_that_it_knows(
    advice: Callable[[State], object], view: State
) -> None:
    assert advice(at_house(view, BettingRules())) is not None
    for house in HOUSES.values():
        assert advice(at_house(view, house)) is None


def test_choice_under_unknown_limits_is_not_judged() -> None:
    view, worst = drawing(PAIR), Discard((1, 2, 4))
    assert mistakes.judge(at_house(view, BettingRules()), ME, worst) is not None
    for house in HOUSES.values():
        assert mistakes.judge(at_house(view, house), ME, worst) is None


def test_ev_at_an_ante_table_follows_a_doubled_ante() -> None:
    """The EVs come from the pot: all are twice as large."""
    view = drawing(PAIR, Stakes.ANTE)
    richer = replace(
        at_house(view, BettingRules(ante=10)), put_in=tuple(2 * paid for paid in view.put_in)
    )
    plain = {each.action: each.value for each in mistakes.action_values(view, ME)}
    double = {each.action: each.value for each in mistakes.action_values(richer, ME)}
    assert plain
    assert double == {action: 2 * value for action, value in plain.items()}


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
def test_table_is_played_under_its_own_rules_of_betting(house: BettingRules) -> None:
    view = at_house(facing(PAIR), house)
    raised = game.step(view, ME, Raise()).state
    assert raised.put_in[0] - view.put_in[0] == 40  # 20 to call, and the bet's size again
    barred = {offer.kind: offer.barred for offer in game.offers(raised, Seat(1))}
    assert (barred[Raise] is not None) == (house.most_raises == 1)
    assert game.step(raised, Seat(1), Fold()).state.phase is not Phase.CLOSING
    begun = game.start(view.options)
    begun = game.step(game.step(begun, ME, Play()).state, None, Shoe(52)).state
    assert begun.put_in == (house.ante, house.ante)
