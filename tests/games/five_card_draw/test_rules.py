"""The rules of five-card draw: discards, showdowns and pots."""

from __future__ import annotations

from itertools import chain, combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK, Card, Hand, format_cards, parse_hand
from tui_casino.cards.poker import rank_hand
from tui_casino.games.five_card_draw.machine.rules import (
    POSITIONS,
    DiscardFault,
    Positions,
    all_but_an_ace,
    allowed_draw_counts,
    every_discard,
    fault_of,
    has_ace,
    kept_cards,
    showdown,
    split_pot,
    winners,
)

HANDS = st.permutations(PACK).map(lambda pack: tuple(pack[:5]))
NO_ACE = parse_hand("KH TD TC 6S 2C")
ONE_ACE = parse_hand("AS KH TD TC 6S")  # the source's own example
TWO_ACES = parse_hand("AS KH AD TC 6S")


# ---- discards --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealt", "discards", "fault"),
    [
        (NO_ACE, (), None),
        (NO_ACE, (1,), None),
        (NO_ACE, (5, 1, 3), None),
        (NO_ACE, (1, 2, 3, 4), DiscardFault.TOO_MANY),
        (NO_ACE, (1, 2, 3, 4, 5), DiscardFault.TOO_MANY),
        (ONE_ACE, (2, 3, 4, 5), None),
        (ONE_ACE, (5, 4, 3, 2), None),
        (ONE_ACE, (1, 2, 3), None),
        (ONE_ACE, (1, 2, 3, 4), DiscardFault.NOT_AN_ACE),
        (ONE_ACE, (1, 2, 3, 4, 5), DiscardFault.FOUR_AT_MOST),
        (TWO_ACES, (2, 3, 4, 5), None),
        (TWO_ACES, (1, 2, 4, 5), None),
        (TWO_ACES, (1, 3, 4, 5), DiscardFault.NOT_AN_ACE),
        (NO_ACE, (0,), DiscardFault.NO_SUCH_CARD),
        (NO_ACE, (6,), DiscardFault.NO_SUCH_CARD),
        (NO_ACE, (-1, 2), DiscardFault.NO_SUCH_CARD),
        (NO_ACE, (2, 2), DiscardFault.REPEATED),
        (NO_ACE, (1, 2, 3, 3), DiscardFault.REPEATED),
        (ONE_ACE, (2, 3, 4, 4), DiscardFault.REPEATED),
        (NO_ACE, (7, 7, 7, 7), DiscardFault.NO_SUCH_CARD),
    ],
    ids=value_id,
)
def test_discard_is_checked_and_forbidden_ones_get_their_fault(
    dealt: Hand, discards: Positions, fault: DiscardFault | None
) -> None:
    assert fault_of(dealt, discards) is fault


@pytest.mark.parametrize(
    ("dealt", "aces"),
    [(NO_ACE, 0), (ONE_ACE, 1), (TWO_ACES, 2)],
    ids=["no ace", "one ace", "two aces"],
)
def test_four_cards_may_be_discarded_for_each_ace(dealt: Hand, aces: int) -> None:
    assert has_ace(dealt) == (aces > 0)
    fours = all_but_an_ace(dealt)
    assert len(fours) == aces
    assert {kept_cards(dealt, four)[0].rank.letter for four in fours} <= {"A"}
    assert len(list(every_discard(dealt))) == 26 + aces
    assert [*allowed_draw_counts(dealt)] == [0, 1, 2, 3, 4][: 5 if aces else 4]


@given(HANDS)
def test_list_of_all_discards_has_exactly_those_without_a_fault(dealt: Hand) -> None:
    every = chain.from_iterable(combinations(POSITIONS, size) for size in range(6))
    assert [gone for gone in every if not fault_of(dealt, gone)] == sorted(
        every_discard(dealt), key=lambda gone: (len(gone), gone)
    )


def test_kept_cards_have_the_order_of_the_dealt_hand() -> None:
    assert format_cards(kept_cards(ONE_ACE, (4, 2))) == "AS TD 6S"
    assert kept_cards(ONE_ACE, ()) == ONE_ACE
    assert kept_cards(ONE_ACE, POSITIONS) == ()


# ---- who wins --------------------------------------------------------------------------------


def test_showdown_lists_sorted_cards_hand_name_and_winner_of_each_seat() -> None:
    shown = showdown(
        {
            0: parse_hand("4S TD TC 4H TH"),
            2: parse_hand("AS 3H 5S 2C 4D"),
            3: parse_hand("9C KC 4C 2C 7C"),
        }
    )
    assert [
        (one.seat, format_cards(one.cards), one.ranking.name, one.is_winner) for one in shown
    ] == [
        (0, "TD TC TH 4S 4H", "a full house, tens over fours", True),
        (2, "5S 4D 3H 2C AS", "a straight, five high", False),
        (3, "KC 9C 7C 4C 2C", "a flush, king high", False),
    ]


def test_equal_hands_of_different_suits_tie() -> None:
    hands = {
        seat: parse_hand(text) for seat, text in enumerate(("AC KC QC JC 9D", "AD KD QD JD 9H"))
    }
    assert winners(hands) == (0, 1)
    hands[2] = parse_hand("2C 2D 3H 4S 6S")
    assert winners(hands) == (2,)
    hands[3] = parse_hand("2H 2S 3C 4D 6H")
    assert winners(hands) == (2, 3)
    hands[3] = parse_hand("2H 2S 3C 4D 7H")
    assert winners(hands) == (3,)


def test_tied_winners_are_listed_in_the_order_of_the_given_seats() -> None:
    royal = {
        seat: parse_hand(f"A{suit} K{suit} Q{suit} J{suit} T{suit}")
        for seat, suit in enumerate("CDHS")
    }
    assert winners(royal) == (0, 1, 2, 3)
    assert winners({seat: royal[seat] for seat in (3, 1)}) == (3, 1)


@given(st.permutations(PACK), st.integers(1, 4))
def test_winners_are_the_seats_with_the_highest_hand(pack: list[Card], seats: int) -> None:
    ranks = {seat: rank_hand(pack[5 * seat : 5 * seat + 5]) for seat in range(seats)}
    best = tuple(seat for seat, rank in ranks.items() if rank == max(ranks.values()))
    assert winners({seat: pack[5 * seat : 5 * seat + 5] for seat in ranks}) == best


def test_showdown_of_invalid_hands_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a hand"):
        showdown({})
    with pytest.raises(ValueError, match="five different cards"):
        winners({0: parse_hand("AC KC QC JC")})


# ---- pots ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pot", "winning", "dealer", "shares"),
    [
        (20, (2,), 0, (0, 0, 20, 0)),
        (20, (0, 3), 1, (10, 0, 0, 10)),
        (15, (0, 3), 1, (7, 0, 0, 8)),  # seat 3 comes before seat 0 to the left of seat 1
        (15, (0, 3), 3, (8, 0, 0, 7)),  # the dealer comes last
        (15, (0, 3), 0, (7, 0, 0, 8)),
        (20, (0, 1, 2), 0, (6, 7, 7, 0)),
        (20, (0, 1, 2), 1, (7, 6, 7, 0)),
        (19, (0, 1, 2), 1, (6, 6, 7, 0)),
        (3, (0, 1, 2, 3), 2, (1, 1, 0, 1)),
        (0, (1,), 1, (0, 0, 0, 0)),
    ],
    ids=value_id,
)
def test_pot_is_split_among_winners_independently_of_their_order(
    pot: int, winning: tuple[int, ...], dealer: int, shares: tuple[int, ...]
) -> None:
    for order in permutations(winning):
        assert split_pot(pot, order, dealer, 4) == shares


@given(st.integers(0, 10_000), st.integers(1, 4), st.data())
def test_shares_of_a_split_pot_add_up_to_the_pot(pot: int, seats: int, data: st.DataObject) -> None:
    winning = data.draw(st.sets(st.integers(0, seats - 1), min_size=1))
    dealer = data.draw(st.integers(0, seats - 1))
    shares = split_pot(pot, winning, dealer, seats)
    assert sum(shares) == pot
    assert [shares[seat] for seat in range(seats) if seat not in winning] == [0] * (
        seats - len(winning)
    )
    won = [shares[seat] for seat in winning]
    assert max(won) - min(won) <= 1
    left = sorted(winning, key=lambda seat: (seat - dealer - 1) % seats)
    assert [shares[seat] for seat in left] == sorted(won, reverse=True)


@pytest.mark.parametrize(
    ("pot", "winning", "dealer"),
    [(-1, (0,), 0), (10, (), 0), (10, (4,), 0), (10, (-1,), 0), (10, (0,), 4)],
    ids=value_id,
)
def test_splitting_an_invalid_pot_is_refused(
    pot: int, winning: tuple[int, ...], dealer: int
) -> None:
    with pytest.raises(ValueError, match=r"a pot must be 0 or more|must be seats 0 to 3"):
        split_pot(pot, winning, dealer, 4)
