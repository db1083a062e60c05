"""The adviser's view of a position: the best choice, the costs, and when there is no advice."""

from __future__ import annotations

from random import Random

import pytest

from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import FixedShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.brains.adviser import (
    ACTIONS,
    ThirtyOneAdvice,
    ThirtyOnePosition,
    _is_clearly_best_by_shares,
    advise,
    chance_of_31,
    is_surely_best,
    position_of,
)
from tui_casino.games.thirty_one.brains.odds import (
    HandInPlay,
    PerfectPlay,
    PlayerChoice,
    card_total,
)
from tui_casino.games.thirty_one.brains.replacement_odds import _reachable_totals
from tui_casino.games.thirty_one.brains.replacement_odds import replacement_values as by_shares
from tui_casino.games.thirty_one.face.advice import ranking
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import CENTS, Odds, Rules
from tui_casino.games.thirty_one.machine.state import Bet, Options, Stand
from tui_casino.structs import replace

SEAT, ONE = Seat(0), SeededSource(1)
FULL = (8,) * 9 + (32,)
USUAL = Rules()


def position(*hand: int, up: int = 6, bet: int = 50) -> ThirtyOnePosition:
    left = list(FULL)
    for value in (*hand, up):
        left[value - 1] -= 1
    return ThirtyOnePosition(hand, up, tuple(left), bet, USUAL)


def test_hit_me_advice_on_14_is_to_stand() -> None:
    advice = advise(position(10, 4))
    assert advice.best is PlayerChoice.STAND
    assert advice.cost(PlayerChoice.STAND) == 0
    assert advice.cost(PlayerChoice.HIT) > 10


def test_cost_of_a_hit_me_choice_is_its_ev_loss_in_dollars() -> None:
    advice = ThirtyOneAdvice(
        {PlayerChoice.HIT: -0.25, PlayerChoice.STAND: -0.5, PlayerChoice.DOUBLE: -1.0}, 40
    )
    assert advice.best is PlayerChoice.HIT
    assert [advice.cost(choice) for choice in advice.values] == [0, 10, 30]


def test_hit_me_advice_names_the_best_choice_and_ranks_choices_by_ev() -> None:
    advice = ThirtyOneAdvice({PlayerChoice.STAND: -0.5, PlayerChoice.HIT: -0.25}, 40)
    assert ranking(advice) == (
        "Best: hit. EV in credits:",
        "hit             -10.00",
        "stand           -20.00",
    )


def test_hit_me_advice_covers_only_affordable_and_legal_choices() -> None:
    pair = replace(position(8, 8), pair=True)
    assert set(advise(pair).values) == {
        PlayerChoice.STAND,
        PlayerChoice.HIT,
        PlayerChoice.DOUBLE,
        PlayerChoice.SPLIT,
    }
    poor = replace(pair, covered=False)
    assert set(advise(poor).values) == {PlayerChoice.STAND, PlayerChoice.HIT}
    two_cards = replace(position(8, 8, 2), rules=Rules(double_two_cards=True))
    assert set(advise(two_cards).values) == {PlayerChoice.STAND, PlayerChoice.HIT}
    no_double = replace(position(8, 9), rules=Rules(double_after_split=False), hands=2)
    assert set(advise(no_double).values) == {PlayerChoice.STAND, PlayerChoice.HIT}


def test_hit_me_evs_depend_on_the_cards_left_in_the_shoe() -> None:
    """With 24, a hit is better if small cards are left; if none below 8 is left, it is bust."""
    small = ThirtyOnePosition((10, 10, 4), 10, (8, 8, 8, 8, 8, 8, 8, 0, 0, 0), 20, USUAL)
    large = replace(small, remaining=(0,) * 7 + (8, 8, 32))
    assert advise(small).values[PlayerChoice.HIT] > advise(small).values[PlayerChoice.STAND]
    assert advise(large).best is PlayerChoice.STAND


def test_shoe_that_could_run_out_is_recognised_and_gives_evs_with_errors() -> None:
    """A player who draws from 20 to 30, and a dealer from 6 to 30, use up 34 points in all."""
    hand = position(10, 10, up=6)
    short = replace(hand, remaining=(0, 0, 0, 1, 0, 0, 0, 0, 0, 3))
    assert short.may_run_out
    assert not replace(short, remaining=(0, 0, 0, 0, 1, 0, 0, 0, 0, 4)).may_run_out
    offered = PerfectPlay(USUAL, 6).values(HandInPlay(card_total(10).plus(10), 2))
    found = advise(short)
    assert found.values.keys() == found.errors.keys() == offered.keys()
    assert all(0 < error < 0.11 for error in found.errors.values())


def test_finished_hands_draw_no_more_cards() -> None:
    """The second of two hands in play, with about forty points left: the first is over."""
    last = replace(
        position(10, 8, up=6), hands=2, remaining=(0, 0, 0, 0, 0, 2, 0, 2, 0, 2), covered=False
    )
    assert not last.may_run_out
    assert replace(last, waiting_hands=((10, 9),)).may_run_out


def test_round_that_starts_with_enough_cards_never_runs_out() -> None:
    """The machine's own minimum: 30 cards before two are dealt."""
    dice = Random(28)
    values = [min(rank, 10) for rank in range(1, 14) for _ in range(8)]
    for _ in range(200):
        shoe = dice.sample(values, 30)
        first, up = shoe.pop(), shoe.pop()
        left = tuple(shoe.count(value) for value in range(1, 11))
        assert not ThirtyOnePosition((first,), up, left, 20, USUAL).may_run_out


def test_ev_of_a_split_is_computed_from_the_cards_left_in_the_shoe() -> None:
    """Threes against a six: hit from an infinite shoe, but split from this one."""
    threes = ThirtyOnePosition((3, 3), 6, (4, 4, 0, 0, 4, 1, 5, 4, 5, 13), 20, USUAL, pair=True)
    advice = advise(threes)
    assert advice.best is PlayerChoice.SPLIT
    assert advice.values[PlayerChoice.SPLIT] > 0.277
    assert 0 < advice.errors[PlayerChoice.SPLIT] < 0.01
    assert [advice.errors[choice] for choice in advice.outcomes] == [0, 0, 0]
    one = advise(replace(threes, hand=(3,), remaining=(4, 4, 1, 0, 4, 1, 5, 4, 5, 13), pair=False))
    assert 0 < one.errors[PlayerChoice.HIT] < advice.errors[PlayerChoice.SPLIT]


def test_ev_of_insurance_is_computed_from_the_cards_left_in_the_shoe() -> None:
    """An ace followed only by tens ends on 31; followed by nines, on 29 and 30."""
    tens = ThirtyOnePosition((10,), 1, (0,) * 9 + (30,), 20, USUAL, insurance_asked=True)
    advice = advise(tens)
    assert advice.values[PlayerChoice.INSURE] - advice.values[
        PlayerChoice.DECLINE
    ] == pytest.approx(1)
    assert chance_of_31(1, tens.remaining, USUAL) == pytest.approx(1)
    nines = replace(tens, remaining=(0,) * 8 + (30, 0))
    advice = advise(nines)
    assert advice.values[PlayerChoice.INSURE] - advice.values[
        PlayerChoice.DECLINE
    ] == pytest.approx(-1)


def test_insurance_at_fair_odds_costs_nothing_if_14_is_impossible() -> None:
    """No 4 is left, nor two cards that make 4, so a ten never becomes 14."""
    left = (0, 0, 0, 0, 8, 8, 8, 8, 8, 32)
    chance = chance_of_31(1, left, USUAL)
    fair = Odds(round(10**6 * (1 - chance) / chance), 10**6)
    advice = advise(
        ThirtyOnePosition((10,), 1, left, 20, Rules(insurance=fair), insurance_asked=True)
    )
    difference = advice.values[PlayerChoice.INSURE] - advice.values[PlayerChoice.DECLINE]
    assert difference == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize(
    ("odds", "best"),
    [(Odds(1), PlayerChoice.DECLINE), (Odds(5), PlayerChoice.INSURE)],
    ids=value_id,
)
def test_insurance_is_advised_only_if_it_pays(odds: Odds, best: PlayerChoice) -> None:
    asked = replace(position(7, up=1), rules=Rules(insurance=odds), insurance_asked=True)
    advice = advise(asked)
    assert set(advice.values) == {PlayerChoice.INSURE, PlayerChoice.DECLINE}
    assert advice.best is best


def test_insured_player_gains_more_by_standing_on_14() -> None:
    hand = position(10, 4, up=1)
    plain, insured = advise(hand), advise(replace(hand, insured=True))
    assert insured.values[PlayerChoice.STAND] > plain.values[PlayerChoice.STAND] + 0.2
    bust_risk = position(10, 10, 8, up=1)
    assert advise(replace(bust_risk, insured=True)).values == advise(bust_risk).values


def test_hit_me_ev_of_one_card_includes_a_later_pair() -> None:
    """If only 4s are left, the next card makes a pair that is better split."""
    fours = ThirtyOnePosition((4,), 6, (0, 0, 0, 30, 0, 0, 0, 0, 0, 0), 20, USUAL)
    pair = replace(fours, hand=(4, 4), pair=True)
    assert advise(fours).values[PlayerChoice.HIT] >= advise(pair).values[PlayerChoice.SPLIT]


@pytest.mark.parametrize("hand", [(), (10, 10, 1), (10, 10, 10, 2)], ids=value_id)
def test_advice_for_a_hand_with_nothing_to_decide_is_refused(hand: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="leaves no choice"):
        advise(position(*hand))


def test_hit_me_judge_costs_a_wrong_choice_and_accepts_the_best() -> None:
    table = Table(
        game, Options(credit=100_000), FixedShoe(parse_hand("KS 9D 8C")), ONE, {SEAT: None}
    )
    table.run()
    table.submit(SEAT, Bet(100))
    table.run()
    view = table.view(SEAT)
    there = not_none(position_of(view))
    told = advise(there)
    assert DEFINITION.adviser.judge is not None
    mistake = not_none(DEFINITION.adviser.judge(view, SEAT, Stand()))
    assert isinstance(mistake.best, ACTIONS[told.best])
    assert float(mistake.cost) == pytest.approx(CENTS * told.cost(PlayerChoice.STAND), abs=1e-4)
    assert DEFINITION.adviser.judge(view, SEAT, mistake.best) is None
    assert DEFINITION.adviser.judge(view, SEAT, Bet(50)) is None


@pytest.mark.parametrize(
    "count", [6, pytest.param(60, marks=pytest.mark.prove)], ids=labelled("{} positions")
)
def test_surely_best_choice_is_best_in_the_full_evaluation(count: int) -> None:
    dice, sure = Random(f"surely {count}"), 0
    for _ in range(count):
        cards = dice.sample(range(1, 11), counts=FULL, k=dice.choice([34, 50, 80]))
        pair = dice.random() < 0.4
        hand = (cards.pop(),) * (1 + pair)
        left = tuple(cards.count(value) for value in range(1, 11))
        there = ThirtyOnePosition(hand, cards[0], left, 10, USUAL, pair=pair)
        found = [choice for choice in advise(there).values if is_surely_best(there, choice)]
        sure += len(found)
        assert all(advise(there).best is choice for choice in found)
    assert sure >= count // 2


@pytest.mark.parametrize(
    "rules", [USUAL, Rules(dealer_hits_soft=True, double_two_cards=True)], ids=value_id
)
def test_evs_by_shares_of_a_full_shoe_equal_those_of_an_infinite_shoe(rules: Rules) -> None:
    back = 1 + rules.insurance.paid / rules.insurance.staked
    for up, cards, insured in ((6, (10, 4), False), (1, (10, 3), True), (10, (1, 1, 7), False)):
        at = replace(position(*cards, up=up), rules=rules, insured=insured)
        exact = PerfectPlay(rules, up, insured=insured).values(HandInPlay(at.total, len(cards)))
        found = by_shares(
            *(at.total, up, FULL, rules), cards=len(cards), double=True, insurance=back * insured
        )
        assert found == pytest.approx({choice: float(value) for choice, value in exact.items()})


@pytest.mark.parametrize(
    "count", [8, pytest.param(150, marks=pytest.mark.prove)], ids=labelled("{} positions")
)
def test_clear_leader_by_remaining_shares_is_the_best_choice(count: int) -> None:
    dice, clear = Random(f"shares {count}"), 0
    for _ in range(count):
        cards = dice.sample(range(1, 11), counts=FULL, k=dice.choice([26, 34, 50, 80]))
        up, first, *rest = cards
        hand = (first, *rest[: dice.randrange(4)])
        left = tuple(rest[len(hand) - 1 :].count(value) for value in range(1, 11))
        there = ThirtyOnePosition(hand, up, left, 10, USUAL)
        if there.total.points >= 31 or there.may_run_out:
            continue
        told = advise(there)
        found = [choice for choice in told.values if _is_clearly_best_by_shares(there, choice)]
        clear += len(found)
        assert found in ([], [told.best])
    assert clear >= count // 3


@pytest.mark.parametrize("up", range(1, 11))
def test_order_of_totals_in_sums_by_shares_does_not_depend_on_the_process(up: int) -> None:
    """Sets of totals are in another order in each process, so nothing may tie."""
    order = [
        (10 * total.soft - total.points, total.points)
        for _, total, _ in _reachable_totals(card_total(up))
    ]
    assert order == sorted(order)
    assert len({*order}) == len(order) > 30
