"""The adviser of the limit table: EVs, frequencies, and what counts as a mistake."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.helpers.narrow import instance_of, not_none
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import Hand, parse_hand
from tui_casino.cards.poker import HandCategory
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains import limit_adviser
from tui_casino.games.five_card_draw.brains.adviser import advise
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import DEALER, FIRST
from tui_casino.games.five_card_draw.brains.equilibrium.opponent_ranges import blueprint_ranges
from tui_casino.games.five_card_draw.brains.limit_adviser import advise_limit
from tui_casino.games.five_card_draw.brains.limit_choices import LimitAdvice
from tui_casino.games.five_card_draw.brains.mistakes import action_values, judge
from tui_casino.games.five_card_draw.brains.players import first_round_close_index
from tui_casino.games.five_card_draw.brains.pot_odds import EvBasis
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Bet,
    Call,
    Check,
    Discard,
    Fold,
    Options,
    Phase,
    Raise,
    Stakes,
    State,
)
from tui_casino.structs import replace

ME = Seat(0)
PAIR = parse_hand("QH QD AC 9S 5D")
ROYAL = parse_hand("AS KS QS JS TS")
NOTHING = parse_hand("9H 7D 5C 4S 2D")


def limit(opponents: int = 1) -> State:
    seats = tuple(range(opponents + 1))
    state = start(Options(opponents=opponents, stakes=Stakes.LIMIT))
    nobody: tuple[int | None, ...] = (None,) * len(seats)
    return replace(
        state, dealt_in=seats, drawn=nobody, put_in=(5,) * len(seats), stacks=(395,) * len(seats)
    )


def facing(cards: Hand, *, drew: tuple[int, int] = (3, 1), stack: int = 375) -> State:
    """After checks before the draw, the second seat has bet 20 after a check."""
    return replace(
        limit(),
        phase=Phase.CLOSING,
        hands=(cards, ()),
        thrown=((), ()),
        drawn=drew,
        put_in=(5, 25),
        stacks=(stack, 375),
        betting=Betting(20, (0, 20), (0,)),
    )


def opening(cards: Hand) -> State:
    return replace(
        limit(),
        phase=Phase.OPENING,
        hands=(cards, ()),
        thrown=((), ()),
        betting=Betting(10, (0, 0), (0, 1)),
    )


def drawing(cards: Hand, stakes: Stakes = Stakes.LIMIT, opponents: int = 1) -> State:
    state = limit(opponents)
    return replace(
        state,
        options=Options(opponents, stakes),
        phase=Phase.DRAW,
        hands=(cards, *[()] * opponents),
        thrown=((),) * (opponents + 1),
        drawing=state.dealt_in,
    )


def limit_advice(view: State) -> LimitAdvice:
    found = not_none(advise_limit(view, ME))
    return found


@pytest.mark.prove
def test_adviser_raises_with_a_royal_flush_and_evs_its_call_at_30() -> None:
    weighed = limit_advice(facing(ROYAL, drew=(0, 1)))
    assert weighed.best.action == Raise()
    assert weighed.win_chance == pytest.approx(1, abs=0.001)
    fold = not_none(weighed.choice_for(Fold()))
    assert fold.value == 0
    call = not_none(weighed.choice_for(Call()))
    assert call.value == pytest.approx(30, abs=0.1)  # it calls, and wins the pot
    assert weighed.rivals[0].worse == pytest.approx(1, abs=0.001)


def test_adviser_folds_a_weak_hand_to_a_bet() -> None:
    weighed = limit_advice(facing(NOTHING))
    assert weighed.best.action == Fold()
    assert weighed.pot_odds is not None
    assert weighed.pot_odds.need == Fraction(2, 5)
    assert weighed.win_chance < weighed.pot_odds.need


def test_mixed_choices_have_equal_ev() -> None:
    """In equilibrium, a hand that sometimes calls and sometimes folds wins nothing by either."""
    book, mixed = blueprint_ranges(), 0
    for text in ("QH QD AC 9S 5D", "KH KD 7C 9S 5D", "AH AD 7C 9S 5D", "TH TD 7C 9S 5D"):
        weighed = limit_advice(facing(parse_hand(text), drew=(3, 3)))
        call = not_none(weighed.choice_for(Call()))
        if 0.1 < call.frequency < 0.9:
            mixed += 1
            assert abs(call.value) < 1.5
    assert book is blueprint_ranges()
    assert mixed


def test_shares_of_better_and_worse_opponent_hands_add_up_to_1() -> None:
    weighed = limit_advice(facing(PAIR))
    assert weighed.category is HandCategory.ONE_PAIR
    (rival,) = weighed.rivals
    assert rival.higher_category + rival.better_in_category + rival.worse == pytest.approx(1)
    assert rival.worse == pytest.approx(weighed.win_chance, abs=1e-5)


def test_gto_frequencies_of_all_choices_add_up_to_1() -> None:
    for view in (opening(PAIR), drawing(PAIR), facing(PAIR)):
        assert sum(choice.frequency for choice in limit_advice(view).choices) == pytest.approx(
            1, abs=1e-5
        )


def test_adviser_never_discards_a_pair_and_counts_that_as_a_mistake() -> None:
    weighed = limit_advice(drawing(PAIR))
    best = instance_of(Discard, weighed.best.action)
    assert {1, 2}.isdisjoint(best.positions)
    mistake = not_none(judge(drawing(PAIR), ME, Discard((1, 2))))
    assert mistake.best == best
    assert mistake.cost > 1
    assert judge(drawing(PAIR), ME, best) is None


def test_every_allowed_discard_has_an_ev() -> None:
    found = action_values(drawing(PAIR), ME)
    assert len(found) == 27  # 26 discards, and the one that keeps only the ace
    values = [float(one.value) for one in found]
    assert values == sorted(values, reverse=True)


def test_call_with_a_negative_ev_is_judged_a_mistake() -> None:
    mistake = not_none(judge(facing(NOTHING), ME, Call()))
    assert mistake.best == Fold()
    assert mistake.cost > 5
    assert judge(facing(NOTHING), ME, Fold()) is None
    assert judge(opening(parse_hand("AS AD AC 9H 5C")), ME, Check()) is None, "it does so often"


def test_limit_adviser_gives_nothing_without_a_choice_or_a_valid_hand() -> None:
    resting = replace(facing(PAIR), phase=Phase.REST, betting=None)
    assert advise_limit(resting, ME) is None
    assert advise_limit(facing(PAIR), Seat(1)) is None
    assert action_values(resting, ME) == ()
    repeated = facing((PAIR[0], PAIR[0], *PAIR[2:]))
    assert advise_limit(repeated, ME) is None


@pytest.mark.parametrize(
    "view",
    [facing(PAIR, stack=30), facing(PAIR, stack=5)],
    ids=["30 credits left", "5 credits left"],
)
def test_last_round_with_short_stacks_is_played_out(view: State) -> None:
    weighed = limit_advice(view)
    assert weighed.basis is EvBasis.PLAYED_OUT
    assert {type(choice.action) for choice in weighed.choices} >= {Call, Fold}


@pytest.mark.parametrize("opponents", [2, 3], ids=labelled("{} opponents"))
def test_limit_evs_with_three_or_four_players_are_played_out(opponents: int) -> None:
    seats = range(1, opponents + 1)
    state = limit(opponents)
    view = replace(
        state,
        phase=Phase.CLOSING,
        hands=(PAIR, *[()] * opponents),
        thrown=((),) * (opponents + 1),
        drawn=(3, *[3] * opponents),
        betting=Betting(20, (0,) * (opponents + 1), state.dealt_in),
    )
    weighed = limit_advice(view)
    assert weighed.basis is EvBasis.PLAYED_OUT
    assert [rival.seat for rival in weighed.rivals] == [*seats]
    assert {type(choice.action) for choice in weighed.choices} == {Check, Bet}
    alone = limit_advice(replace(view, folded=tuple(range(2, opponents + 1))))
    assert alone.basis is EvBasis.PLAYED_OUT
    assert weighed.win_chance < alone.win_chance
    draw = limit_advice(drawing(PAIR, opponents=opponents))
    assert draw.basis is EvBasis.PLAYED_OUT
    assert isinstance(draw.best.action, Discard)


def test_bluff_against_two_players_is_a_mistake() -> None:
    state = limit(2)
    bets = replace(
        state,
        phase=Phase.CLOSING,
        hands=(NOTHING, (), ()),
        thrown=((), (), ()),
        drawn=(3, 3, 3),
        betting=Betting(20, (0, 0, 0), state.dealt_in),
    )
    mistake = not_none(judge(bets, ME, Bet()))
    assert mistake.best == Check()
    assert judge(bets, ME, Check()) is None


@pytest.mark.parametrize("opponents", [1, 3], ids=labelled("{} opponents"))
def test_ev_of_a_call_includes_the_draw_of_a_hand_that_the_solution_folds(opponents: int) -> None:
    """King high sometimes wins after a call, because three of its cards are replaced."""
    state = limit(opponents)
    bets = (0, 10, *[0] * (opponents - 1))
    view = replace(
        state,
        phase=Phase.OPENING,
        dealt_in=(*range(1, opponents + 1), 0),
        hands=(parse_hand("KD TH 8S 5D 4S"), *[()] * opponents),
        thrown=((),) * (opponents + 1),
        put_in=tuple(5 + bet for bet in bets),
        folded=tuple(range(2, opponents + 1)),
        betting=Betting(10, bets, (0,)),
        opener=1,
    )
    weighed = limit_advice(view)
    assert 0.05 < weighed.win_chance < 0.4
    if opponents > 1:
        call = not_none(weighed.choice_for(Call()))
        assert call.value > -10


def test_discard_that_was_played_out_needs_a_cost_of_one_credit_for_a_mistake() -> None:
    view = drawing(PAIR, opponents=2)
    weighed = limit_advice(view)
    for choice in weighed.choices:
        gap = weighed.best.value - choice.value
        expected = gap >= limit_adviser.UNSOLVED_TOLERANCE and weighed.is_clearly_worse(choice)
        assert (judge(view, ME, choice.action) is not None) == expected


@pytest.mark.parametrize(
    ("cards", "best"),
    [("KC KD 9H 7S 4C", (3, 4, 5)), ("AH JH 8H 3H 4C", (5,))],
    ids=["a pair of kings", "four hearts"],
)
def test_plain_discards_are_best_against_two_players(cards: str, best: tuple[int, ...]) -> None:
    weighed = limit_advice(drawing(parse_hand(cards), opponents=2))
    assert weighed.basis is EvBasis.PLAYED_OUT
    assert weighed.best.action == Discard(best)


@pytest.mark.parametrize("cards", ["8D 8C 9S 6S 3H", "KC JH 9S 8C 6D"])
def test_choice_never_reached_in_the_solution_is_a_mistake_beyond_2_errors(cards: str) -> None:
    """It never raises with these hands and then faces another raise, so it has no frequencies."""
    view = replace(
        opening(parse_hand(cards)),
        put_in=(25, 35),
        stacks=(375, 365),
        betting=Betting(10, (20, 30), (0,), raises=2),
    )
    weighed = limit_advice(view)
    assert weighed.basis is EvBasis.SOLUTION
    assert not weighed.has_frequencies
    for choice in weighed.choices:
        gap = weighed.best.value - choice.value
        assert (judge(view, ME, choice.action) is not None) == (gap > 2 * weighed.error)


def test_choice_that_was_played_out_is_a_mistake_if_it_is_clearly_worse() -> None:
    """With five credits left, the solution for two does not cover the hand."""
    for cards in (NOTHING, PAIR, parse_hand("TS TD 8C 5D 4S")):
        view = replace(opening(cards), stacks=(5, 375))
        weighed = limit_advice(view)
        assert weighed.basis is EvBasis.PLAYED_OUT
        for choice in weighed.choices:
            gap = weighed.best.value - choice.value
            expected = gap >= limit_adviser.UNSOLVED_TOLERANCE and weighed.is_clearly_worse(choice)
            assert (judge(view, ME, choice.action) is not None) == expected


@pytest.mark.parametrize(
    ("cards", "mistakes", "best"),
    [
        ("AH KC 8D 6S 3C", (Call(), Raise()), Fold()),
        ("9H 9C 9D 5S 5C", (Fold(),), None),
        ("QH QD AC 9S 5D", (Call(), Raise()), Fold()),
    ],
    ids=value_id,
)
def test_calls_and_folds_against_several_players_are_judged(
    cards: str, mistakes: tuple[Action, ...], best: Action | None
) -> None:
    """After the draw, the seat answers a bet and a call of two players who drew one card."""
    state = limit(2)
    view = replace(
        state,
        phase=Phase.CLOSING,
        hands=(parse_hand(cards), (), ()),
        thrown=((),) * 3,
        drawn=(2, 1, 1),
        put_in=(15, 35, 35),
        stacks=(385, 365, 365),
        betting=Betting(20, (0, 20, 20), (0,)),
    )
    for action in (Call(), Fold(), Raise()):
        found = judge(view, ME, action)
        if action in mistakes:
            assert not_none(found).best == (best or not_none(found).best)
        elif best is not None:
            assert found is None


def test_ev_of_a_discard_with_antes_is_pot_times_win_chance() -> None:
    view = drawing(PAIR, Stakes.ANTE)
    told = not_none(advise(view, ME))
    found = action_values(view, ME)
    assert {one.action: float(one.value) for one in found} == {
        Discard(gone): pytest.approx(10 * win.chance) for gone, win in told.wins.items()
    }
    assert all(0 < one.error < 0.06 for one in found)
    assert found[0].action == Discard(told.best)
    assert judge(view, ME, Discard(told.best)) is None
    wrong = not_none(judge(view, ME, Discard(())))
    lost = told.wins[told.best].chance - told.wins[()].chance
    assert float(wrong.cost) == pytest.approx(10 * lost, abs=1e-3)
    assert action_values(drawing(PAIR, Stakes.NOTHING), ME) == ()


def test_ev_with_antes_depends_on_the_cards_that_opponents_drew() -> None:
    """A pair of queens has a lower EV against a pat hand than against a draw of four cards."""
    base = drawing(PAIR, Stakes.ANTE, opponents=2)
    values = [
        float(action_values(replace(base, drawn=(None, drew, drew)), ME)[0].value)
        for drew in (0, 4)
    ]
    assert values[0] < values[1] / 2


def test_cost_below_two_standard_errors_is_not_a_mistake() -> None:
    view = drawing(PAIR, Stakes.ANTE)
    told = not_none(advise(view, ME))
    best = told.wins[told.best].chance
    judged = {gone: judge(view, ME, Discard(gone)) is not None for gone in told.wins}
    assert judged == {
        gone: best - win.chance > 2 * win.error_behind_best for gone, win in told.wins.items()
    }
    assert set(judged.values()) == {False, True}


def test_index_of_the_first_betting_round_depends_on_who_opened() -> None:
    base = replace(drawing(PAIR), put_in=(15, 15))
    assert first_round_close_index(replace(base, opener=FIRST)) != first_round_close_index(
        replace(base, opener=DEALER)
    )


def test_draw_state_keeps_the_opener_after_a_raise() -> None:
    game = DEFINITION.game
    state = opening(PAIR)
    opened = game.step(state, ME, Bet()).state
    assert opened.opener == ME
    raised = game.step(opened, Seat(1), Raise()).state
    assert raised.opener == ME


@pytest.mark.parametrize("cards", ["8S 8H TH 7H 6H", "KS KH 7C 7S 2H", "AC QD 9H 6S 3C"])
def test_value_of_a_call_uses_the_best_draw_after_it(cards: str) -> None:
    """Also if the solution never calls with the hand, so that it has no draw for it there."""
    hand = parse_hand(cards)
    raised = replace(
        limit(),
        put_in=(15, 25),
        stacks=(385, 375),
        phase=Phase.OPENING,
        hands=(hand, ()),
        thrown=((), ()),
        betting=Betting(10, (10, 20), (0,), 1),
        opener=0,
    )
    called = replace(
        raised, put_in=(25, 25), stacks=(375, 375), phase=Phase.DRAW, betting=None, drawing=(0, 1)
    )
    call, draw = limit_advice(raised).choice_for(Call()), limit_advice(called)
    assert call is not None
    assert call.value == pytest.approx(draw.best.value - 10, abs=0.01)
    assert draw.has_frequencies == (call.frequency > 0)
