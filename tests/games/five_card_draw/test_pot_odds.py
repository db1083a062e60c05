"""The price of a call: the chance needed by hand, and the EV by paying out every showdown."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.games.five_card_draw.brains.pot_odds import (
    PotOdds,
    betting_values,
    chips_for,
    pot_odds_of,
)
from tui_casino.games.five_card_draw.machine.betting import Betting, pots_of
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Bet,
    Call,
    Check,
    Fold,
    Options,
    Phase,
    Raise,
    State,
)
from tui_casino.structs import replace

ME = 0


def moment(
    bets: tuple[int, ...],
    before: tuple[int, ...],
    stacks: tuple[int, ...],
    folded: tuple[int, ...] = (),
) -> State:
    """Return a round after the draw from each seat's bet in it, chips put in before, and stack."""
    return replace(
        start(Options(opponents=len(bets) - 1)),
        phase=Phase.CLOSING,
        dealt_in=tuple(range(len(bets))),
        folded=folded,
        stacks=stacks,
        put_in=tuple(map(sum, zip(bets, before, strict=True))),
        betting=Betting(20, bets, (ME,)),
    )


TWO_CALL = moment((0, 20, 20, 0), (5, 5, 5, 5), (975, 970, 1015, 995), folded=(3,))


def test_price_of_a_call_follows_from_the_pot() -> None:
    price = pot_odds_of(TWO_CALL, ME)
    assert price == PotOdds(call=20, pot=60)
    assert price.need == Fraction(1, 4)  # 20 of the 80 in the pot afterwards


def test_player_who_owes_nothing_has_no_price() -> None:
    assert pot_odds_of(moment((0, 0), (5, 5), (400, 400)), ME) is None
    assert pot_odds_of(replace(TWO_CALL, folded=(0, 3)), ME) is None
    assert pot_odds_of(start(Options()), ME) is None


def test_pot_odds_of_a_short_stack_count_only_the_amount_it_can_match() -> None:
    """With 5 left, a player can win 5 of each bet, and all antes."""
    view = moment((0, 20, 20), (5, 5, 5), (5, 380, 380))
    assert pot_odds_of(view, ME) == PotOdds(call=5, pot=25)
    (main, *_) = pots_of((10, 25, 25), (0, 1, 2))
    assert main.credits == 25 + 5


@pytest.mark.parametrize(
    ("action", "chips"),
    [(Call(), 20), (Raise(), 40), (Fold(), 0), (Check(), 0), (Bet(), 20)],
    ids=value_id,
)
def test_chips_put_in_by_an_action_are_limited_by_the_stack(action: Action, chips: int) -> None:
    assert chips_for(action, TWO_CALL, ME) == chips
    assert chips_for(action, replace(TWO_CALL, stacks=(7, 9, 9, 9)), ME) == min(chips, 7)
    assert chips_for(action, replace(TWO_CALL, betting=None), ME) == 0


def paid_out(view: State, action: Action, chance: Fraction) -> Fraction:
    """Value an act by its two showdowns: the seat wins all that it can, or nothing."""
    chips = chips_for(action, view, ME)
    put_in = [view.put_in[ME] + chips, *view.put_in[1:]]
    if isinstance(action, Bet | Raise):
        for other in view.alive:
            more = min(max(0, put_in[ME] - put_in[other]), view.stacks[other])
            put_in[other] += more * (other != ME)
    pots = pots_of(put_in, view.alive)
    return chance * sum(pot.credits for pot in pots if ME in pot.seats) - chips


@pytest.mark.parametrize(
    "view",
    [
        TWO_CALL,
        moment((0, 20), (15, 15), (400, 380)),
        moment((20, 40, 20), (15, 15, 15), (11, 380, 9)),
        moment((0, 20, 12), (5, 5, 5), (3, 100, 0)),
    ],
    ids=["two called and one folded", "one opponent", "short stacks", "an opponent is all in"],
)
@pytest.mark.parametrize(
    "chance", [Fraction(0), Fraction(31, 100), Fraction(1)], ids=labelled("wins {}")
)
def test_evs_against_a_bet_equal_a_hand_calculation(view: State, chance: Fraction) -> None:
    acts: list[Action] = [Call(), Raise(), Fold()]
    found = dict(betting_values(view, ME, acts, chance))
    assert found == {
        Call(): paid_out(view, Call(), chance),
        Raise(): paid_out(view, Raise(), chance),
        Fold(): 0,
    }


def test_evs_before_a_bet_equal_a_hand_calculation() -> None:
    view = moment((0, 0, 0), (15, 15, 5), (400, 12, 380), folded=(2,))
    found = dict(betting_values(view, ME, [Check(), Bet()], Fraction(1, 2)))
    assert found == {Check(): Fraction(35, 2), Bet(): Fraction(35 + 20 + 12, 2) - 20}


def test_call_at_the_exact_price_has_no_ev() -> None:
    ((_, worth),) = betting_values(TWO_CALL, ME, [Call()], Fraction(1, 4))
    assert worth == 0
