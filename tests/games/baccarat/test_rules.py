"""The rules of punto banco: all values, all cases of the table, all outcomes of all bets."""

from __future__ import annotations

from itertools import product

import pytest

from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import PACK, RANKS, Card, parse_hand
from tui_casino.games.baccarat.machine.rules import (
    KNOWN_SHOE,
    SPOTS,
    BetSpot,
    Coup,
    CoupOutcome,
    Hand,
    HandSide,
    Options,
    burn_count,
    coup_of,
    is_natural,
    is_pair,
    must_hit,
    next_to_receive,
    outcome_of,
    payout,
    value_of,
)


def of(text: str) -> Hand:
    return Hand(cards=parse_hand(text))


def worth(value: int) -> Hand:
    """Return a hand of two cards with this value."""
    return of(f"{'A23456789T'[value - 1]}C KD")


def card_worth(value: int) -> Card:
    return Card.parse(f"{'TA23456789'[value]}S")


# ---- the course's classes ------------------------------------------------------------------------


def test_card_values_are_pips_with_0_for_tens_and_court_cards() -> None:
    values = [value_of(Card.parse(f"{rank.letter}H")) for rank in RANKS]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("cards", "value"),
    [("", 0), ("2C 3D", 5), ("6C 8D", 4), ("KC QD", 0), ("9C 9D 9H", 7), ("AC TD", 1)],
)
def test_baccarat_hand_value_is_the_last_digit_of_the_sum(cards: str, value: int) -> None:
    assert value_of(of(cards)) == value


def test_baccarat_hand_is_printed_with_card_names_and_an_empty_one_as_dot() -> None:
    assert str(Hand()) == "."
    assert str(of("TS TD AH")) == "10 of Spades,10 of Diamonds,Ace of Hearts"


def test_full_hand_accepts_no_fourth_card() -> None:
    full = Hand()
    for card in parse_hand("2C 3C 4C"):
        full = full.receive(card)
    assert full.receive(PACK[0]) is full
    assert len(full) == 3


@pytest.mark.parametrize("positional", [3, (), PACK[:2]], ids=repr)
def test_hand_refuses_a_positional_argument_when_it_is_made(positional: object) -> None:
    with pytest.raises(TypeError):
        Hand(positional)  # type: ignore[call-arg,arg-type]


@pytest.mark.parametrize("capacity", [0, 1, 3, 5], ids=labelled("capacity {}"))
def test_hand_is_constructed_with_its_capacity_and_without_cards(capacity: int) -> None:
    hand = Hand(capacity=capacity)
    assert (len(hand), str(hand), hand.get(0)) == (0, ".", None)
    dealt = parse_hand("2C 3C 4C 5C 6C 7C")
    for card in dealt:
        hand = hand.receive(card)
    assert hand.cards == dealt[:capacity]
    assert len(hand) == capacity


def test_hand_get_returns_none_outside_the_hand() -> None:
    two = of("2C 3C")
    assert [two.get(index) for index in (-1, 0, 1, 2, 99)] == [
        None,
        *parse_hand("2C 3C"),
        None,
        None,
    ]


def test_receiving_a_card_returns_a_new_hand_and_keeps_the_old_one() -> None:
    empty = Hand()
    assert len(empty.receive(PACK[0])) == 1
    assert len(empty) == 0


@pytest.mark.parametrize("value", range(10), ids=labelled("value {}"))
def test_two_cards_worth_8_or_9_are_a_natural(value: int) -> None:
    assert is_natural(worth(value)) == (value in (8, 9))


@pytest.mark.parametrize("value", range(10), ids=labelled("value {}"))
def test_hand_of_5_or_less_hits_if_no_third_card_was_drawn(value: int) -> None:
    assert must_hit(worth(value)) == (value in (0, 1, 2, 3, 4, 5))


TABLE = {
    "2 3": {0, 1, 2, 3, 4},
    "4 5": {0, 1, 2, 3, 4, 5},
    "6 7": {0, 1, 2, 3, 4, 5, 6},
    "8": {0, 1, 2},
    "A 9 T J Q K": {0, 1, 2, 3},
}
"""The course's table: the banker's hands that receive a card, by the player's third card."""


@pytest.mark.parametrize(
    ("ranks", "hits"),
    TABLE.items(),
    ids=lambda value: value if isinstance(value, str) else f"hits on {value_id(value)}",
)
def test_banker_hits_according_to_the_third_card_of_the_player(ranks: str, hits: set[int]) -> None:
    for rank in ranks.split():
        third = Card.parse(f"{rank}H")
        assert {value for value in range(10) if must_hit(third, worth(value))} == hits


def test_table_of_third_cards_has_every_rank() -> None:
    assert sorted(" ".join(TABLE).split()) == sorted(rank.letter for rank in RANKS)


def test_higher_baccarat_value_wins_and_equal_values_tie() -> None:
    for ours, theirs in product(range(10), range(10)):
        says = "Tie" if ours == theirs else "Player" if ours > theirs else "Banker"
        assert outcome_of(worth(ours), worth(theirs)) == says


# ---- the order of the coup -----------------------------------------------------------------------


def test_first_four_cards_go_to_player_and_banker_alternately() -> None:
    player, banker, order = Hand(), Hand(), []
    for card in parse_hand("5C KD KC 2D"):  # player 5, banker 2
        side = next_to_receive(player, banker)
        order.append(side)
        if side is HandSide.PLAYER:
            player = player.receive(card)
        else:
            banker = banker.receive(card)
    assert order == [HandSide.PLAYER, HandSide.BANKER, HandSide.PLAYER, HandSide.BANKER]
    assert next_to_receive(player, banker) is HandSide.PLAYER


@pytest.mark.parametrize("ours", range(10), ids=labelled("player has {}"))
@pytest.mark.parametrize("theirs", range(10), ids=labelled("banker has {}"))
def test_next_card_goes_to_the_hand_that_must_draw_or_to_nobody(ours: int, theirs: int) -> None:
    player, banker = worth(ours), worth(theirs)
    first = next_to_receive(player, banker)
    if ours >= 8 or theirs >= 8:
        assert first is None
    elif ours >= 6:
        assert first is (HandSide.BANKER if theirs <= 5 else None)
        if first:
            assert next_to_receive(player, banker.receive(PACK[0])) is None
    else:
        assert first is HandSide.PLAYER
        for value in range(10):
            after = player.receive(card_worth(value))
            hits = must_hit(card_worth(value), banker)
            assert next_to_receive(after, banker) is (HandSide.BANKER if hits else None)
            assert next_to_receive(after, banker.receive(PACK[0])) is None


def test_known_shoe_has_the_prescribed_cards() -> None:
    symbols = (
        "3♣, 3♦, 2♣, 5♣, 4♣, 10♣, 5♦, 10♦, 9♦, 9♠, 2♦, 3♥, 8♥, 7♠, 8♦, 7♥, 5♥, J♣, J♦, A♦, K♠, "
        "6♦, 7♥, 3♠, A♣, 3♣, 4♥, 4♠, 8♣, 4♦, 3♥, 9♣, 10♥, 10♠, 4♣, 10♠, 2♦, 5♥, K♥, 5♦, K♠, 8♦, "
        "10♥, 9♥, J♠"
    )
    assert ", ".join(card.symbol for card in KNOWN_SHOE) == symbols
    assert len(KNOWN_SHOE) == 45


def test_burn_count_follows_from_the_rank() -> None:
    assert [burn_count(Card.parse(f"{rank.letter}D")) for rank in RANKS] == [
        *range(1, 11),
        10,
        10,
        10,
    ]


# ---- coups and bets ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "banker", "coup"),
    [
        ("3C 2C", "3D 5C", Coup(CoupOutcome.BANKER, 8, natural=True)),
        ("4C 5D", "TC TD", Coup(CoupOutcome.PLAYER, 9, natural=True, banker_pair=True)),
        ("9D 2D 8H", "9S 3H 7S", Coup(CoupOutcome.TIE, 9)),
        ("6C 6D 6H", "KC TD 8D", Coup(CoupOutcome.TIE, 8, player_pair=True)),
        ("TC JC 6H", "KC KD 5D", Coup(CoupOutcome.PLAYER, 6, banker_pair=True)),
    ],
    ids=value_id,
)
def test_coup_records_outcome_winning_value_pairs_and_natural(
    player: str, banker: str, coup: Coup
) -> None:
    assert coup_of(of(player), of(banker)) == coup


def test_pair_needs_two_cards_of_equal_rank() -> None:
    assert is_pair(of("KC KD"))
    assert not is_pair(of("KC QD"))  # both worth nothing
    assert not is_pair(of("KC QD QH"))
    assert not is_pair(of("KC"))


BRINGS = {  # spot, outcome: cents that 100 credits bring back, by hand
    (BetSpot.PLAYER, CoupOutcome.PLAYER): 20_000,
    (BetSpot.PLAYER, CoupOutcome.BANKER): 0,
    (BetSpot.PLAYER, CoupOutcome.TIE): 10_000,
    (BetSpot.BANKER, CoupOutcome.PLAYER): 0,
    (BetSpot.BANKER, CoupOutcome.BANKER): 19_500,
    (BetSpot.BANKER, CoupOutcome.TIE): 10_000,
    (BetSpot.TIE, CoupOutcome.PLAYER): 0,
    (BetSpot.TIE, CoupOutcome.BANKER): 0,
    (BetSpot.TIE, CoupOutcome.TIE): 90_000,
}


@pytest.mark.parametrize(("bet", "brings"), BRINGS.items(), ids=value_id)
def test_main_bets_are_paid_by_outcome(bet: tuple[BetSpot, CoupOutcome], brings: int) -> None:
    spot, outcome = bet
    for value in range(10):
        assert payout(spot, 100, Coup(outcome, value), Options()) == brings
        without = brings
        if bet == (BetSpot.BANKER, CoupOutcome.BANKER):
            without = 15_000 if value == 6 else 20_000
        assert payout(spot, 100, Coup(outcome, value), Options(commission=False)) == without


@pytest.mark.parametrize("outcome", CoupOutcome)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    product((False, True), repeat=2),
    ids=["no pair", "Banker pair", "Player pair", "both pairs"],
)
def test_pair_bets_are_paid_11_to_1(outcome: CoupOutcome, ours: bool, theirs: bool) -> None:
    coup = Coup(outcome, 7, player_pair=ours, banker_pair=theirs)
    assert payout(BetSpot.PLAYER_PAIR, 10, coup, Options()) == (12_000 if ours else 0)
    assert payout(BetSpot.BANKER_PAIR, 10, coup, Options()) == (12_000 if theirs else 0)


@pytest.mark.parametrize("credits", [5, 7, 13, 25, 99, 499], ids=labelled("{} credits"))
def test_commission_is_exact_to_the_cent(credits: int) -> None:
    won = Coup(CoupOutcome.BANKER, 7)
    assert 100 * payout(BetSpot.BANKER, credits, won, Options()) == 100 * (100 * credits) + 95 * (
        100 * credits
    )
    half = Coup(CoupOutcome.BANKER, 6)
    assert 2 * payout(BetSpot.BANKER, credits, half, Options(commission=False)) == 3 * 100 * credits


def test_bet_spots_have_the_documented_limits() -> None:
    assert [(spot.min_bet, spot.max_bet) for spot in SPOTS] == [
        (5, 500),
        (5, 500),
        (1, 100),
        (1, 100),
        (1, 100),
    ]
    assert [spot.label for spot in SPOTS] == [
        "Player",
        "Banker",
        "Tie",
        "Player pair",
        "Banker pair",
    ]
