"""The exact odds, compared with enumeration, published figures and hand calculations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, islice, pairwise, permutations
from math import comb
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.quick_cases import first_of
from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK, SUITS, Card, Hand, format_cards, parse_hand
from tui_casino.cards.draw_odds import TOTAL_WEIGHT
from tui_casino.cards.poker import STRENGTHS, example_hand, strengths_of_indices
from tui_casino.games.video_poker.brains.hand_odds import HandOdds, PayoutDistribution
from tui_casino.games.video_poker.brains.odds import hold_masks, odds_of
from tui_casino.games.video_poker.brains.strategy import advise, line_of
from tui_casino.games.video_poker.machine.paytables import DEFAULT, load, names
from tui_casino.games.video_poker.machine.rules import NOTHING, PayTable, Row, row_of

DOUBLE_BONUS = load(DEFAULT)
JACKS_OR_BETTER = load("jacks-or-better-9-6")
ALL = (1, 2, 3, 4, 5)

# wizardofodds.com/games/video-poker/strategy/double-bonus/10-7, from the top row to nothing
DOUBLE_BONUS_COUNTS = (
    *(414_860_472, 2_254_539_360, 3_962_537_892, 10_446_264_684, 32_045_992_176),
    *(223_050_658_608, 298_068_519_408, 299_385_345_432, 1_439_168_246_364),
    *(2_484_844_034_580, 3_834_735_881_328, 11_304_853_636_896),
)

# wizardofodds.com/games/video-poker/tables/jacks-or-better, 9/6
JACKS_OR_BETTER_COUNTS = (
    *(493_512_264, 2_178_883_296, 47_093_167_764, 229_475_482_596, 219_554_786_160),
    *(223_837_565_784, 1_484_003_070_324, 2_576_946_164_148, 4_277_372_890_968),
    10_872_274_993_896,
)


def table(name: str, **pays: int) -> PayTable:
    """Make a table with the usual royal flush; keywords are row names, with ``_to_`` for a dash."""
    rows = [Row("ROYAL FLUSH", (250, 500, 750, 1000, 4000))]
    for key, pay in pays.items():
        row = key.replace("_to_", "-").replace("_", " ")
        rows.append(Row(row, tuple(pay * coins for coins in ALL)))
    return PayTable(name, name, tuple(rows))


BELOW_FOURS = {"FULL_HOUSE": 9, "FLUSH": 6, "STRAIGHT": 4, "THREE_OF_A_KIND": 3, "TWO_PAIR": 1}

DOUBLE_DOUBLE_BONUS = table(
    "double-double-bonus-9-6",
    STRAIGHT_FLUSH=50,
    FOUR_ACES_WITH_2_to_4=400,
    FOUR_ACES=160,
    FOUR_2_to_4_WITH_A_to_4=160,
    FOUR_2_to_4=80,
    FOUR_5_to_K=50,
    **BELOW_FOURS,
    JACKS_OR_BETTER=1,
)
BONUS_DELUXE = table(
    "bonus-deluxe-9-6", STRAIGHT_FLUSH=50, FOUR_OF_A_KIND=80, **BELOW_FOURS, JACKS_OR_BETTER=1
)
TRIPLE_BONUS = table(
    "triple-bonus-9-7",
    **{"STRAIGHT_FLUSH": 50, "FOUR_ACES": 240, "FOUR_2_to_4": 120, "FOUR_5_to_K": 75},
    **(BELOW_FOURS | {"FLUSH": 7}),
    KINGS_OR_BETTER=1,
)


# ---- one hand, against the enumeration of its draws ------------------------------------------


@cache
def draws(cards: int) -> npt.NDArray[np.uint8]:
    """Return all ways to draw a number of 47 cards, as places among them."""
    ways = combinations(range(47), cards)
    flat = np.fromiter(chain.from_iterable(ways), np.uint8, cards * comb(47, cards))
    return flat.reshape(comb(47, cards), cards)


@cache
def rows_by_strength(table: PayTable, coins: int) -> npt.NDArray[np.intp]:
    """Return the index of the row that pays each strength; index 0 is unused."""
    rows = [row_of(table, example_hand(strength), coins) for strength in STRENGTHS]
    return np.array([-1] + [table.rows.index(row) if row else len(table.rows) for row in rows])


def final_rows(table: PayTable, coins: int, dealt: Hand, held: Sequence[Card]) -> list[int]:
    """Count the final hands by row, with unpaid hands last, by dealing all of them."""
    stub = np.array([card.index for card in PACK if card not in dealt], np.uint8)
    drawn = stub[draws(5 - len(held))]
    kept = np.array([card.index for card in held], np.uint8)
    final = np.concatenate([np.broadcast_to(kept, (len(drawn), len(held))), drawn], axis=1)
    rows = rows_by_strength(table, coins)[strengths_of_indices(final)]
    counts: list[int] = np.bincount(rows, minlength=len(table.rows) + 1).tolist()
    return counts


def at(dealt: Hand, positions: Iterable[int]) -> Hand:
    return tuple(dealt[position - 1] for position in positions)


FAMOUS = ("KS QS JS TS 4H", "TS JS QS KS AS", "5H 4H 3H 2H AH", "7C 7D 7H 7S AC", "AC AD AS 2C 2H")
RANDOM = [tuple(Random(f"odds {n}").sample(PACK, 5)) for n in range(25)]


@pytest.mark.parametrize(
    "dealt", first_of([*map(parse_hand, FAMOUS), *RANDOM], len(FAMOUS) + 5), ids=format_cards
)
def test_outcomes_of_all_32_holds_equal_enumeration(dealt: Hand) -> None:
    game, coins = (DOUBLE_BONUS, 5) if dealt[0].index % 2 else (DOUBLE_DOUBLE_BONUS, 1)
    odds = odds_of(game, coins)
    values = odds.holds(dealt)
    assert sorted(value.positions for value in values) == sorted(
        chain.from_iterable(combinations(ALL, size) for size in range(6))
    )
    for value in values:
        counts = final_rows(game, coins, dealt, at(dealt, value.positions))
        outcomes = odds.outcomes(dealt, value.positions)
        assert list(outcomes.counts) == counts
        assert value.draws == outcomes.total == comb(47, 5 - len(value.positions))
        assert value.total_pay == sum(map(int.__mul__, odds.pays, counts))
        assert value.credits == outcomes.credits == Fraction(value.total_pay, value.draws)
    worths = [(value.credits, len(value.positions)) for value in values]
    assert worths == sorted(worths, reverse=True)


# ---- one hand, on paper ----------------------------------------------------------------------


def test_odds_of_four_to_a_royal_flush_equal_a_hand_count() -> None:
    outcomes = odds_of(JACKS_OR_BETTER, 5).outcomes(parse_hand("KS QS JS TS 4H"), (1, 2, 3, 4))
    expected = dict.fromkeys(outcomes.rows, 0) | {
        "ROYAL FLUSH": 1,  # AS
        "STRAIGHT FLUSH": 1,  # 9S
        "FLUSH": 7,  # 2S to 8S
        "STRAIGHT": 6,  # AC AD AH 9C 9D 9H
        "JACKS OR BETTER": 9,  # three of each of K, Q, J
        NOTHING: 23,  # the other 47: T T T and 2 to 8 of three suits without 4H
    }
    assert outcomes.hands == expected
    assert outcomes.credits == Fraction(4000 + 250 + 7 * 30 + 6 * 20 + 9 * 5, 47)


def test_odds_of_holding_three_aces_equal_a_hand_count() -> None:
    outcomes = odds_of(DOUBLE_BONUS, 5).outcomes(parse_hand("AC 2D AH 7S AS"), (1, 3, 5))
    expected = dict.fromkeys(outcomes.rows, 0) | {
        "FOUR ACES": 46,  # the ace, with any other card
        "FULL HOUSE": 10 * 6 + 2 * 3,  # a pair of a rank, of which a card of 2 and 7 is gone
        "THREE OF A KIND": 1081 - 46 - 66,
    }
    assert outcomes.hands == expected


def test_cost_of_drawing_to_a_flush_equals_a_hand_calculation() -> None:
    odds, dealt = odds_of(DOUBLE_BONUS, 5), parse_hand("2C 5C 9C KC JC")
    one_card = Fraction(8 * 35 + 6 * 5, 47)  # 8 clubs are left, and 3 cards to pair each of K, J
    assert odds.outcomes(dealt, (2, 3, 4, 5)).credits == one_card
    assert odds.cost(dealt, (2, 3, 4, 5)) == 35 - one_card
    assert odds.cost(dealt, ALL) == 0


def test_cost_of_a_hold_by_the_strategy_list_is_zero_or_more() -> None:
    odds = odds_of(DOUBLE_BONUS, 5)
    costs = [odds.cost(dealt, advise(dealt).positions) for dealt in RANDOM]
    assert min(costs) == 0
    assert all(cost >= 0 for cost in costs)


# ---- one hand, whatever its order and its suits ----------------------------------------------

HANDS = st.permutations(PACK).map(lambda cards: tuple(cards[:5]))


@given(HANDS, st.permutations(range(5)))
def test_order_of_the_cards_changes_only_the_positions_of_a_hold(
    dealt: Hand, order: list[int]
) -> None:
    def valued(cards: Hand) -> dict[frozenset[Card], Fraction]:
        values = odds_of(DOUBLE_BONUS, 5).holds(cards)
        return {frozenset(at(cards, value.positions)): value.credits for value in values}

    assert valued(dealt) == valued(tuple(dealt[place] for place in order))


@given(HANDS, st.permutations(SUITS))
def test_renaming_suits_does_not_change_the_value_of_any_hold(
    dealt: Hand, suits: list[Any]
) -> None:
    renamed = tuple(Card(card.rank, suits[card.suit - 1]) for card in dealt)
    odds = odds_of(DOUBLE_BONUS, 5)
    assert {value.positions: value.total_pay for value in odds.holds(dealt)} == {
        value.positions: value.total_pay for value in odds.holds(renamed)
    }


@pytest.mark.parametrize("game", [DOUBLE_BONUS, DOUBLE_DOUBLE_BONUS], ids=lambda game: game.name)
def test_every_hand_strength_is_assigned_to_the_pay_row_that_pays_it(game: PayTable) -> None:
    odds, rows = odds_of(game, 1), rows_by_strength(game, 1).tolist()
    for strength in STRENGTHS:
        counts = odds.outcomes(example_hand(strength), ALL).counts
        assert counts.index(1) == rows[strength]
        assert sum(counts) == 1


@pytest.mark.parametrize(
    "cards", ["AS AS KD QH 2C", "AS KD QH 2C", "AS KD QH 2C 3C 4C", "AS KD QH 2C ??", ""]
)
def test_odds_are_unknown_unless_there_are_five_different_cards(cards: str) -> None:
    dealt = parse_hand(cards)
    with pytest.raises(
        ValueError, match="exact values are only available for five different cards"
    ):
        odds_of(DOUBLE_BONUS, 5).holds(dealt)
    with pytest.raises(
        ValueError, match="exact values are only available for five different cards"
    ):
        odds_of(DOUBLE_BONUS, 5).outcomes(dealt, ())


@pytest.mark.parametrize("positions", [(0,), (6,), (1, 1), (1, 2, 3, 4, 5, 5)], ids=value_id)
def test_odds_of_a_hold_at_invalid_positions_are_refused(positions: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="different numbers from 1 to 5"):
        odds_of(DOUBLE_BONUS, 5).cost(PACK[:5], positions)


@pytest.mark.parametrize("coins", [0, 6, -1], ids=labelled("{} coins"))
def test_odds_for_an_invalid_number_of_coins_are_refused(coins: int) -> None:
    with pytest.raises(ValueError, match="a bet is 1 to 5 coins"):
        odds_of(DOUBLE_BONUS, coins)


# ---- all hands, against published figures ----------------------------------------------------


def test_double_bonus_counts_equal_the_published_ones() -> None:
    optimum = odds_of(DOUBLE_BONUS, 5).report("optimal")
    assert optimum.counts == DOUBLE_BONUS_COUNTS
    assert optimum.total == TOTAL_WEIGHT == 19_933_230_517_200
    assert float(optimum.expected_return) == 1.0017252235510108
    assert round(float(optimum.variance), 2) == 28.26  # practicalwebtools.com


def test_jacks_or_better_counts_equal_the_published_ones() -> None:
    optimum = odds_of(JACKS_OR_BETTER, 5).report("optimal")
    assert optimum.counts == JACKS_OR_BETTER_COUNTS
    # the fraction that other exact solvers found, too; 99.5439% and 19.51468 are published, by
    # videopokerinfo.com/gamevariance.htm among others
    assert optimum.expected_return == Fraction(1653526326983, 1661102543100)
    assert round(float(optimum.expected_return), 6) == 0.995439
    assert round(float(optimum.variance), 5) == 19.51468


def test_return_with_one_coin_equals_the_known_value() -> None:
    optimum = odds_of(DOUBLE_BONUS, 1).report("optimal")
    assert float(optimum.expected_return) == 0.9910787588270474


# the base games of wizardofodds.com/games/video-poker/tables/dream-card-poker
@pytest.mark.parametrize(
    ("game", "published"),
    [
        (load("jacks-or-better-8-5"), 0.972984),
        (load("double-bonus-9-6"), 0.978062),
        (DOUBLE_DOUBLE_BONUS, 0.989808),
        (BONUS_DELUXE, 0.996417),
        (TRIPLE_BONUS, 0.974504),
    ],
    ids=lambda value: value.name if isinstance(value, PayTable) else "",
)
def test_returns_of_pay_tables_equal_published_ones(game: PayTable, published: float) -> None:
    assert round(float(odds_of(game, 5).report("optimal").expected_return), 6) == published


@pytest.mark.parametrize("name", names())
def test_strategy_list_returns_less_than_the_optimum(name: str) -> None:
    odds = odds_of(load(name), 5)
    optimum, listed = odds.report("optimal"), odds.report("list")
    assert optimum.total == listed.total == TOTAL_WEIGHT
    assert listed.rows == optimum.rows == (*(row.name for row in odds.table.rows), NOTHING)
    assert listed.expected_return < optimum.expected_return


def test_number_of_flushes_by_the_list_does_not_depend_on_the_pays() -> None:
    reports = [odds_of(load(name), coins).report("list") for name in names() for coins in (1, 5)]
    flushes = {report.hands["FLUSH"] for report in reports}
    assert len(flushes) == 1


def test_distribution_of_returns_equals_a_hand_calculation() -> None:
    even = PayoutDistribution(("WIN", NOTHING), (4, 0), (1, 1), coins=2)
    assert (even.total, even.hands) == (2, {"WIN": 1, NOTHING: 1})
    assert (even.credits, even.expected_return) == (Fraction(2), Fraction(1))
    assert even.variance == 1  # half the time 2 credits for each of the bet, half the time none


# ---- a hold for every deal -------------------------------------------------------------------


def held_by(masks: npt.NDArray[np.uint8], dealt: Hand) -> tuple[int, ...]:
    ascending = sorted(dealt, key=lambda card: card.index)
    number = hand_indexing.deal_numbers(np.array([[card.index for card in ascending]]))[0]
    mask = int(masks[number])
    held = [card for bit, card in enumerate(ascending) if mask >> bit & 1]
    return tuple(sorted(dealt.index(card) + 1 for card in held))


@pytest.mark.parametrize("game", [DOUBLE_BONUS, JACKS_OR_BETTER], ids=lambda game: game.name)
def test_bulk_hold_masks_equal_the_best_hold_of_each_hand(game: PayTable) -> None:
    masks, odds = hold_masks(game, 5, "optimal"), odds_of(game, 5)
    assert masks.shape == (hand_indexing.DEAL_COUNT,)
    random = Random("masks")
    for _ in range(800):
        dealt = tuple(random.sample(PACK, 5))
        best = odds.holds(dealt)[0]
        positions = held_by(masks, dealt)
        assert odds.outcomes(dealt, positions).credits == best.credits
        assert len(positions) == len(best.positions)


def test_hold_masks_equal_the_advice_of_the_list() -> None:
    masks, odds = hold_masks(DOUBLE_BONUS, 5, "list"), odds_of(DOUBLE_BONUS, 5)
    random = Random("masks")
    for _ in range(800):
        dealt = tuple(random.sample(PACK, 5))
        advice, positions = advise(dealt), held_by(masks, dealt)
        assert line_of(at(dealt, positions)) == advice.line
        assert odds.outcomes(dealt, positions) == odds.outcomes(dealt, advice.positions)


def test_optimal_hold_does_not_depend_on_the_order_of_the_cards() -> None:
    masks = hold_masks(DOUBLE_BONUS, 5, "optimal")
    dealt = parse_hand("KS 3D QS 9C JS")
    for order in islice(permutations(dealt), 0, None, 7):
        assert set(at(order, held_by(masks, order))) == set(parse_hand("KS QS JS"))


def test_best_hold_among_equal_evs_is_that_of_lowest_variance() -> None:
    """Three to a small royal or to the straight flush below it, at 1 coin: 36 deals in all."""
    table = load("double-bonus-10-6")
    odds = odds_of(table, 1)
    dealt = parse_hand("TS JS QS AS 9S")
    for cards in (dealt, parse_hand("TS JS QS AC 9D")):
        values = odds.holds(cards)
        for better, other in pairwise(values):
            assert better.credits >= other.credits
            if better.credits == other.credits:
                of = [odds.outcomes(cards, each.positions).variance for each in (better, other)]
                assert of[0] <= of[1]
    assert float(odds.report("optimal").variance) == pytest.approx(15.944802, abs=5e-7)
    ties = parse_hand("TS JS QD AS 9S"), parse_hand("TS JS QS AH 9S")
    for cards in ties:
        best, cost = odds.holds(cards)[0], odds.cost_and_best(cards, (1, 2, 3, 4, 5))
        assert cost[1] == best.positions
        assert next(iter(odds.outcomes_by_hold(cards))) == best.positions


RANKS_MATTER = PayTable(
    "no-two-pair",
    "Pairs in every hand",
    tuple(
        Row(name, (pay, pay, pay, pay, 5 * pay))
        for name, pay in (("JACKS OR BETTER", 1), ("FOUR 2-4 WITH A-4", 9), ("STRAIGHT", 3))
    ),
)
"""A pay table whose pairs pay within higher hands as well."""


@pytest.mark.parametrize("coins", [1, 5], ids=labelled("{} coins"))
@pytest.mark.parametrize(
    "game", [*map(load, names()), RANKS_MATTER], ids=lambda game: getattr(game, "name", game)
)
def test_odds_of_single_hands_equal_those_of_the_tables(game: PayTable, coins: int) -> None:
    single, tables = HandOdds(game, coins), odds_of(game, coins)
    random = Random(f"{game.name} {coins}")
    for cards in PACK, [card for card in PACK if card.rank > 8 or card.suit is SUITS[0]]:
        for _ in range(20):
            dealt = tuple(random.sample(cards, 5))
            by_hold = single.outcomes_by_hold(dealt)
            assert [*by_hold.items()] == [*tables.outcomes_by_hold(dealt).items()]
            assert single.holds(dealt) == tables.holds(dealt)
            for held in by_hold:
                assert single.cost_and_best(dealt, held) == tables.cost_and_best(dealt, held)


def test_optimal_masks_equal_the_best_hold_of_each_hand() -> None:
    """Some hundred hands that do not only differ by suits, in ascending order."""
    table = load("double-bonus-10-6")
    odds = odds_of(table, 1)
    masks = odds.masks("optimal")
    cards = hand_indexing.hand_classes().cards
    for place in range(0, len(masks), 1_371):
        dealt = tuple(PACK[index] for index in cards[:, place])
        best = odds.holds(dealt)[0].positions
        assert best == tuple(bit + 1 for bit in range(5) if masks[place] >> bit & 1)
