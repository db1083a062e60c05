"""Fixed-limit betting, and side pots of players who are all in, by examples worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parameter_ids import value_id
from tui_casino.games.five_card_draw.machine.betting import Betting, Pot, pots_of


@pytest.mark.parametrize(
    ("put_in", "alive", "pots"),
    [
        ((5, 5, 5, 5), (0, 1, 2, 3), (Pot(20, (0, 1, 2, 3)),)),
        # the fourth folded after the ante: those five stay in the main pot
        ((15, 15, 15, 5), (0, 1, 2), (Pot(50, (0, 1, 2)),)),
        # the first is all in for 10
        ((10, 20, 20, 5), (0, 1, 2), (Pot(35, (0, 1, 2)), Pot(20, (1, 2)))),
        # two players all in for different amounts make two side pots
        (
            (10, 25, 40, 40),
            (0, 1, 2, 3),
            (Pot(40, (0, 1, 2, 3)), Pot(45, (1, 2, 3)), Pot(30, (2, 3))),
        ),
        # nobody could match the last ten, so they are returned
        ((30, 20), (0, 1), (Pot(40, (0, 1)), Pot(10, (0,)))),
        # the second folded after putting in more than the first's all-in
        ((10, 20, 30), (0, 2), (Pot(30, (0, 2)), Pot(30, (2,)))),
        ((0, 0), (0, 1), ()),
    ],
    ids=value_id,
)
def test_main_pot_and_side_pots_are_split_by_the_amounts_put_in(
    put_in: tuple[int, ...], alive: tuple[int, ...], pots: tuple[Pot, ...]
) -> None:
    assert pots_of(put_in, alive) == pots


@given(st.lists(st.integers(0, 60), min_size=2, max_size=4), st.sets(st.integers(0, 3), min_size=1))
def test_pots_add_up_to_the_amounts_put_in_and_limit_each_win(
    put_in: list[int], seats: set[int]
) -> None:
    alive = tuple(seat for seat in sorted(seats) if seat < len(put_in)) or (0,)
    highest = max(put_in)
    put_in[alive[0]] = highest  # somebody still in the hand has matched everything
    pots = pots_of(put_in, alive)
    assert sum(pot.credits for pot in pots) == sum(put_in)
    for small, large in zip(pots[1:], pots, strict=False):
        assert set(small.seats) < set(large.seats)
    for seat in alive:  # nobody can win more from another player than they have put in
        most = sum(min(paid, put_in[seat]) for paid in put_in)
        assert sum(pot.credits for pot in pots if seat in pot.seats) <= most or len(pots) == 1


def test_betting_round_equals_a_hand_calculation() -> None:
    betting = Betting(10, (0, 0, 0), (0, 1, 2))
    betting = betting.passes()  # the first checks
    assert (betting.pending, betting.opened) == ((1, 2), False)
    betting = betting.puts(10, (2, 0))  # the second bets
    assert (betting.pending, betting.raises, betting.owes(2)) == ((2, 0), 0, 10)
    betting = betting.puts(20, (0, 1))  # the third raises
    assert (betting.pending, betting.raises, betting.owes(0)) == ((0, 1), 1, 20)
    betting = betting.passes()  # the first folds
    betting = betting.puts(10)  # the second calls
    assert betting.pending == ()
    assert betting.bets == (0, 20, 20)


def test_call_for_less_does_not_reopen_the_betting() -> None:
    betting = Betting(10, (0, 0, 0), (0, 1, 2)).puts(10, (1, 2)).puts(4, (2, 0))
    assert betting.pending == (2,)
    assert betting.raises == 0
