"""Values of hands, from examples and from the published counts of all hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK, RANKS, SUITS, Card, Hand, Suit, parse_hand
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.games.video_poker.machine.rules import NOTHING, PayTable, Row, fits, row_of

DOUBLE_BONUS = load("double-bonus-10-7")
JACKS_OR_BETTER = load("jacks-or-better-9-6")


def row_name(cards: Hand, table: PayTable = DOUBLE_BONUS, coins: int = 5) -> str:
    row = row_of(table, cards, coins)
    return row.name if row else NOTHING


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("TS JS QS KS AS", "ROYAL FLUSH"),
        ("QD AD TD KD JD", "ROYAL FLUSH"),
        ("9S TS JS QS KS", "STRAIGHT FLUSH"),
        ("5H 4H 3H 2H AH", "STRAIGHT FLUSH"),
        ("AC AD AH AS KC", "FOUR ACES"),
        ("2C 2D 2H 2S KC", "FOUR 2-4"),
        ("3C AD 3D 3H 3S", "FOUR 2-4"),
        ("4C 4D 4H 4S 5C", "FOUR 2-4"),
        ("5C 5D 5H 5S 4C", "FOUR 5-K"),
        ("TC TD 9H TH TS", "FOUR 5-K"),
        ("KC KD KH KS AC", "FOUR 5-K"),
        ("AC AD AH 2S 2C", "FULL HOUSE"),
        ("2C 2D AH AS AC", "FULL HOUSE"),
        ("2C 4C 6C 8C TC", "FLUSH"),
        ("JS QS KS AS 2S", "FLUSH"),
        ("AC 2D 3H 4S 5C", "STRAIGHT"),
        ("TC JD QH KS AC", "STRAIGHT"),
        ("8C 6D TH 7S 9C", "STRAIGHT"),
        ("2C 2D 2H KS AC", "THREE OF A KIND"),
        ("JC JD 9H 9S 2C", "TWO PAIR"),
        ("2C 2D 3H 3S AC", "TWO PAIR"),
        ("JC JD 2H 3S 4C", "JACKS OR BETTER"),
        ("QC QD 2H 3S 4C", "JACKS OR BETTER"),
        ("KC KD 2H 3S 4C", "JACKS OR BETTER"),
        ("AC 9D 2H 3S AD", "JACKS OR BETTER"),
        ("TC TD AH KS QC", NOTHING),
        ("2C 2D AH KS QC", NOTHING),
        ("AC KD QH JS 9C", NOTHING),
        ("QC KD AH 2S 3C", NOTHING),
        ("KC AD 2H 3S 4C", NOTHING),
        ("JC QD KH AS 2C", NOTHING),
        ("2C 3D 4H 5S 7C", NOTHING),
        ("2C 4C 6C 8C TD", NOTHING),
    ],
)
def test_double_bonus_assigns_each_hand_to_its_pay_row(cards: str, row: str) -> None:
    assert row_name(parse_hand(cards)) == row


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("AC AD AH AS KC", "FOUR OF A KIND"),
        ("2C 2D 2H 2S KC", "FOUR OF A KIND"),
        ("2C 2D 2H KS KC", "FULL HOUSE"),
        ("TC TD AH KS QC", NOTHING),
    ],
)
def test_jacks_or_better_has_one_four_of_a_kind_and_pays_no_tens(cards: str, row: str) -> None:
    assert row_name(parse_hand(cards), JACKS_OR_BETTER) == row


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("AS AS AS AS AS", "FOUR ACES"),
        ("7S 7S 7S 7S 7S", "FOUR 5-K"),
        ("7S 7S 7S 7S 8S", "FOUR 5-K"),
        ("7S 7S 7S 8S 8S", "FULL HOUSE"),
        ("7S 7S 8S 8S 9S", "FLUSH"),
        ("JS JS 2S 3S 4S", "FLUSH"),
        ("AS AS 2S 3S 4S", "FLUSH"),
        ("7S 7S 7S 2C 3D", "THREE OF A KIND"),
        ("JS JS 2C 2C 3D", "TWO PAIR"),
        ("7S 7S 8C 9D TH", NOTHING),
    ],
)
def test_hand_with_repeated_cards_gets_the_highest_pay_that_fits(cards: str, row: str) -> None:
    assert row_name(parse_hand(cards)) == row


def test_hand_that_fits_two_rows_gets_the_higher_pay() -> None:
    table = PayTable(
        "odd", "Odd", (Row("FLUSH", (1, 2, 3, 4, 50)), Row("JACKS OR BETTER", (2, 4, 6, 8, 10)))
    )
    jacks = parse_hand("JS JS 2S 3S 4S")
    assert row_name(jacks, table, coins=4) == "JACKS OR BETTER"
    assert row_name(jacks, table, coins=5) == "FLUSH"


def test_upper_of_two_pay_rows_with_equal_pays_counts() -> None:
    two_pair = parse_hand("JC JD 9H 9S 2C")  # both rows pay one credit a coin
    upper, lower = Row("JACKS OR BETTER", (1, 2, 3, 4, 5)), Row("TWO PAIR", (1, 2, 3, 4, 5))
    assert row_of(PayTable("x", "x", (upper, lower)), two_pair, 5) is upper
    assert row_of(PayTable("x", "x", (lower, upper)), two_pair, 5) is lower


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("TENS OR BETTER", "TC TD 2H 3S 4C", "9C 9D AH KS QC"),
        ("ACES OR BETTER", "AC AD 2H 3S 4C", "KC KD AH 3S 4C"),
        ("TWOS OR BETTER", "2C 2D AH 3S 4C", "2C 3D 4H 6S 8C"),
        ("FOUR OF A KIND", "9C 9D 9H 9S 2C", "9C 9D 9H 2S 2C"),
        ("FOUR ACES WITH 2-4", "AC AD AH AS 3C", "AC AD AH AS 5C"),
        ("FOUR 2-4 WITH A-4", "2C 2D 2H 2S AC", "2C 2D 2H 2S 5C"),
        ("FOUR 2-4 WITH A-4", "4C 4D 4H 4S 3C", "AC AD AH AS 3C"),
        ("FOUR A-3", "AC AD AH AS 9C", "4C 4D 4H 4S 9C"),
        ("FOUR J-A", "AC AD AH AS 9C", "TC TD TH TS 9C"),
        ("FOUR ACES WITH 2-4", "AC AD AH AS 2C", "2C 2D 2H 2S AC"),
        ("FOUR 2-4 WITH A-A", "3C 3D 3H 3S AC", "3C 3D 3H 3S 2C"),
        ("FOUR J-K WITH J-A", "JC JD JH JS QC", "JC JD JH JS TC"),
        ("FOUR T-Q", "TC TD TH TS 2C", "KC KD KH KS 2C"),
        ("FOUR SIXES", "6C 6D 6H 6S 2C", "7C 7D 7H 7S 6C"),
        ("FOUR A-A", "AC AD AH AS 2C", "AC AD AH 2S 2C"),
    ],
)
def test_name_of_a_pay_row_decides_which_hands_it_pays(name: str, yes: str, no: str) -> None:
    assert fits(name, parse_hand(yes))
    assert not fits(name, parse_hand(no))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "PAIR",
        "royal flush",
        "ROYAL  FLUSH",
        " FLUSH",
        "FLUSH\n",
        "JACK OR BETTER",
        "ONES OR BETTER",
        "FOUR",
        "FOUR K-5",
        "FOUR 1-4",
        "FOUR B-C",
        "FOUR ZEROS",
        "FOUR ACES WITH",
        "FOUR ACES WITH KNAVES",
        "FOUR ACES WITH 4-2",
        "FOUR ACES WITH 2-4 WITH 2-4",
        "FIVE ACES",
    ],
)
def test_pay_table_row_with_an_unknown_hand_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"is not the name of a hand; give one of ROYAL FLUSH, "):
        fits(name, PACK[:5])


@pytest.mark.parametrize(
    "pays",
    [(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (0, 2, 3, 4, 5), (1, 2, 3, 4, 1_000_001)],
    ids=value_id,
)
def test_pay_table_row_without_five_valid_pays_is_refused(pays: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"'FLUSH' needs five pays of 1 to 1,000,000 credits"):
        Row("FLUSH", pays)


def test_pay_table_row_without_a_hand_name_is_refused() -> None:
    with pytest.raises(ValueError, match="'PAIR' is not the name of a hand"):
        Row("PAIR", (1, 2, 3, 4, 5))


def test_pay_table_with_repeated_rows_is_refused() -> None:
    row = Row("FLUSH", (1, 2, 3, 4, 5))
    for rows in (), (row, row):
        with pytest.raises(ValueError, match="needs rows of different names"):
            PayTable("odd", "Odd", rows)


def kinds_of_hand() -> Iterator[tuple[Hand, int]]:
    """Return an example of each kind of hand in one pack, and the number of such hands."""
    for ranks in combinations_with_replacement(RANKS, 5):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        of_one_suit = 4 if len(counts) == 5 else 0
        if of_one_suit:
            yield tuple(Card(rank, SUITS[0]) for rank in ranks), of_one_suit
        suits = [SUITS[ranks[:at].count(rank)] for at, rank in enumerate(ranks)]
        if of_one_suit:
            suits[0] = SUITS[1]
        ways = prod(comb(4, n) for n in counts.values()) - of_one_suit
        yield tuple(map(Card, ranks, suits)), ways


def test_counts_of_all_hands_by_pay_row_equal_the_published_ones() -> None:
    totals: Counter[str] = Counter()
    for cards, ways in kinds_of_hand():
        totals[row_name(cards)] += ways
    # en.wikipedia.org/wiki/Poker_probability, the fours and pairs shared out by their ranks
    assert totals == {
        "ROYAL FLUSH": 4,
        "STRAIGHT FLUSH": 36,
        "FOUR ACES": 624 * 1 // 13,
        "FOUR 2-4": 624 * 3 // 13,
        "FOUR 5-K": 624 * 9 // 13,
        "FULL HOUSE": 3_744,
        "FLUSH": 5_108,
        "STRAIGHT": 10_200,
        "THREE OF A KIND": 54_912,
        "TWO PAIR": 123_552,
        "JACKS OR BETTER": 1_098_240 * 4 // 13,
        NOTHING: 1_302_540 + 1_098_240 * 9 // 13,
    }


@given(st.permutations(PACK), st.permutations(SUITS), st.permutations(range(5)))
def test_pay_row_of_a_hand_does_not_depend_on_order_or_suits(
    pack: list[Card], suits: list[Suit], order: list[int]
) -> None:
    cards = tuple(pack[:5])
    swap = dict(zip(SUITS, suits, strict=True))
    other = tuple(Card(cards[at].rank, swap[cards[at].suit]) for at in order)
    assert row_name(other) == row_name(cards)
