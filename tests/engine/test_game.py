"""The guard and the offers, on the toy game of the contract suite."""

from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.toy.machine.game import Ante, Change, Keep
from tests.helpers.faulty_toy import toy
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import DiceStream
from tui_casino.engine.game import (
    AskSeats,
    Deal,
    IllegalAction,
    NeedCard,
    NeedShoe,
    Refusal,
    Seat,
    Shoe,
    SittingOver,
    apply_action,
    check_legal,
    is_asked,
)
from tui_casino.engine.offers import IntRange, Offer, OneOf, Subset
from tui_casino.structs import replace

GAME: Any = toy().game


def actor_of(state: Any) -> Seat | None:
    turn = GAME.turn(state)
    return turn.seats[0] if isinstance(turn, AskSeats) else None


def play(*actions: Any) -> Any:
    """Play from where both have put their antes in."""
    state = GAME.start(GAME.Options())
    for action in (Ante(), Ante(), *actions):
        state = apply_action(GAME, state, actor_of(state), action).state
    return state


def refusal(state: Any, action: Any) -> tuple[Refusal, str]:
    with pytest.raises(IllegalAction) as refused:
        check_legal(GAME, state, actor_of(state), action)
    return refused.value.kind, refused.value.reason


DEALT = (Shoe(52), Deal(PACK[0]), Deal(PACK[1]))


def test_action_out_of_turn_is_refused() -> None:
    assert refusal(play(), Keep())[0] is Refusal.TURN
    assert refusal(play(), Deal(PACK[0]))[0] is Refusal.TURN
    assert refusal(play(Shoe(52)), Shoe(52))[0] is Refusal.TURN


def test_action_by_a_seat_that_is_not_asked_is_refused() -> None:
    for actor in (None, Seat(7), Seat(-1)):
        with pytest.raises(IllegalAction) as refused:
            check_legal(GAME, play(*DEALT), actor, Keep())
        assert refused.value.kind is Refusal.TURN
    with pytest.raises(IllegalAction):
        check_legal(GAME, play(), Seat(0), Shoe(52))  # a seat is no croupier


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
def test_simultaneously_asked_seats_each_act_once_in_any_order(first: int, second: int) -> None:
    state = play(*DEALT)
    assert GAME.turn(state) == AskSeats((Seat(0), Seat(1)))
    state = apply_action(GAME, state, Seat(first), Keep()).state
    assert GAME.turn(state) == AskSeats((Seat(second),))
    for action in (Keep(), Change(1), Change(3)):
        with pytest.raises(IllegalAction) as refused:
            check_legal(GAME, state, Seat(first), action)
        assert refused.value.kind is Refusal.TURN, "it has answered"
    state = apply_action(GAME, state, Seat(second), Change(1)).state
    assert GAME.turn(state) == NeedCard()
    assert state.changing == (Seat(second),)


def test_seat_that_is_not_asked_or_has_answered_gets_no_offers() -> None:
    state = play(*DEALT)
    kinds = [offer.kind for offer in GAME.offers(state, Seat(0))]
    assert kinds == [offer.kind for offer in GAME.offers(state, Seat(1))] == [Keep, Change]
    answered = apply_action(GAME, state, Seat(1), Change(1)).state
    assert GAME.offers(answered, Seat(1)) == ()
    assert GAME.offers(answered, Seat(0)) == GAME.offers(state, Seat(0))
    assert GAME.offers(play(), Seat(0)) == ()


def test_is_asked_is_true_only_for_a_seat_named_in_the_turn() -> None:
    assert is_asked(AskSeats((Seat(1),)), Seat(1))
    assert is_asked(AskSeats((Seat(0), Seat(1))), Seat(1))
    assert not is_asked(AskSeats((Seat(0),)), Seat(1))
    assert not any(
        is_asked(turn, Seat(0)) for turn in (NeedCard(), NeedShoe(PACK), SittingOver(""))
    )


def test_action_of_a_kind_not_on_offer_is_refused_as_wrong_moment() -> None:
    assert refusal(play(*DEALT), Deal(PACK[5]))[0] is Refusal.MOMENT

    class Fold:
        pass

    assert refusal(play(*DEALT), Fold())[0] is Refusal.MOMENT


def test_invalid_value_is_reported_before_the_reason_that_bars_an_action() -> None:
    short = replace(play(*DEALT), stock=1)
    assert refusal(short, Change(3))[0] is Refusal.VALUE
    assert refusal(short, Change(1)) == (Refusal.BARRED, "too few cards")


def test_finished_game_refuses_every_action() -> None:
    broke = replace(play(), chips=(0, 5))
    for action in (Keep(), Change(1), Shoe(52), Deal(PACK[0])):
        assert refusal(broke, action)[0] is Refusal.TURN


@pytest.mark.parametrize(
    ("slot", "admitted", "refused"),
    [
        (IntRange(1, 5), [1, 5], [0, 6, 1.0, True, "1", None]),
        (OneOf((1, 2)), [1, 2], [0, True, 1.0, "1"]),
        (OneOf(PACK[:3]), [PACK[0], PACK[2]], [PACK[3], "AC"]),
        (
            Subset((1, 2, 3), 1, 2),
            [(1,), (1, 3), (2, 3)],
            [(), (1, 2, 3), (3, 1), (1, 1), (True,), (1.0,), [1], 1, (4,)],
        ),
    ],
    ids=value_id,
)
def test_action_slot_contains_only_its_admitted_values(
    slot: Any, admitted: list[Any], refused: list[Any]
) -> None:
    assert all(slot.contains(value) for value in admitted)
    assert not any(slot.contains(value) for value in refused)


slots = st.one_of(
    st.builds(lambda low, size: IntRange(low, low + size), st.integers(-9, 9), st.integers(0, 9)),
    st.builds(lambda n: OneOf(PACK[:n]), st.integers(1, 6)),
    st.integers(1, 6).flatmap(
        lambda n: st.integers(0, n).flatmap(
            lambda least: st.integers(least, n).map(lambda most: Subset(PACK[:n], least, most))
        )
    ),
)


@given(slots, st.integers())
def test_action_slot_lists_and_samples_only_values_that_it_contains(slot: Any, seed: int) -> None:
    every = list(slot.all())
    assert len(set(every)) == len(every)
    assert all(slot.contains(value) for value in every)
    dice = DiceStream(str(seed).encode(), "sample")
    assert all(slot.sample(dice) in every for _ in range(20))


def test_sampling_a_subset_slot_reaches_every_value() -> None:
    slot = Subset((1, 2, 3, 4, 5), 0, 5)
    dice = DiceStream(b"reach", "sample")
    assert {slot.sample(dice) for _ in range(2000)} == set(slot.all())
    assert len(list(slot.all())) == 32


def test_offer_lists_all_its_actions_and_a_barred_one_contains_none() -> None:
    offer = Offer(Change, (OneOf((1, 2)),))
    assert list(offer.all()) == [Change(1), Change(2)]
    assert list(islice(Offer(Keep).all(), 3)) == [Keep()]
    assert not offer.fits(Keep())
    assert not replace(offer, barred="no").contains(Change(1))
