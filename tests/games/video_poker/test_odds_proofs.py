"""The exact odds proved by brute force: every deal and every draw, without sums by class.

Hands that differ by a renaming of suits are found by their definition; the final hands of each
hold are dealt out one by one and counted by strength, which serves all pay tables at once. A
sum of codes rates a hand (`poker.CARD_CODES`), so that a draw is a sum, too. They take minutes,
because an error in one of the 134,459 classes of hands would be invisible in a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb
from multiprocessing import get_context
from random import Random
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pytest

from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import PACK, Card, Hand, format_cards
from tui_casino.cards.hand_indexing import deal_numbers
from tui_casino.cards.poker import CARD_CODES, STRENGTHS, example_hand, strengths_of_codes
from tui_casino.games.video_poker.brains.hand_odds import PayoutDistribution
from tui_casino.games.video_poker.brains.odds import Strategy, hold_masks, odds_of
from tui_casino.games.video_poker.brains.strategy import advise, line_of
from tui_casino.games.video_poker.machine.paytables import DEFAULT, load, names
from tui_casino.games.video_poker.machine.rules import NOTHING, PayTable, row_of

pytestmark = [
    pytest.mark.prove,
    pytest.mark.xdist_group("video poker odds"),  # what its tests share is worked out once
    # from 3.12 on: numpy's own idle threads are there when the workers are forked
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]

Counts: TypeAlias = npt.NDArray[np.int64]
T = TypeVar("T")

DEALS = comb(52, 5)
COMMON = 7_669_695  # what every number of draws divides
WORKERS = 2
TABLES = [load(name) for name in names()]
BETS = [(table, coins) for table in TABLES for coins in (1, 5)]  # 2 to 4 coins pay 1 coin's times
by_bet = pytest.mark.parametrize(
    "bet", range(len(BETS)), ids=[f"{table.name}-{coins}" for table, coins in BETS]
)


class Dealt(NamedTuple):
    """A hand in random order, and the number of deals that only differ from it by suits."""

    cards: Hand
    deals: int


@cache
def every_hand() -> tuple[Dealt, ...]:
    """Return one hand of each class; a class has the same ranks in its sorted suits."""
    flat = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * DEALS)
    cards = flat.reshape(DEALS, 5)
    ranks = np.zeros((DEALS, 4), np.int64)
    for card in cards.T:
        ranks[np.arange(DEALS), card // 13] |= 1 << (card % 13).astype(np.int64)
    ranks.sort(axis=1)
    key = ranks @ (1 << 13 * np.arange(4, dtype=np.int64))
    _, first, deals = np.unique(key, return_index=True, return_counts=True)
    random = Random("dealt in any order")
    return tuple(
        Dealt(tuple(PACK[card] for card in random.sample(dealt, 5)), count)
        for dealt, count in zip(cards[first].tolist(), deals.tolist(), strict=True)
    )


def strengths_after(dealt: Iterable[Card], held: Sequence[Card]) -> Counts:
    """Count the final hands of a hold by strength, over all draws from the other 47 cards."""
    gone = set(dealt)
    stub = [CARD_CODES[card.index] for card in PACK if card not in gone]
    drawn = np.zeros(1, np.int32)
    for size in range(5 - len(held)):
        # of `size` cards, the sets below card i come first, and number comb(i, size)
        drawn = np.concatenate([drawn[: comb(i, size)] + code for i, code in enumerate(stub)])
    kept = sum(CARD_CODES[card.index] for card in held)
    return np.bincount(strengths_of_codes(kept, drawn), minlength=len(STRENGTHS) + 1)


@cache
def row_places(table: PayTable, coins: int) -> npt.NDArray[np.intp]:
    rows = [row_of(table, example_hand(strength), coins) for strength in STRENGTHS]
    return np.array([table.rows.index(row) if row else len(table.rows) for row in rows])


def by_row(table: PayTable, coins: int, strengths: Counts) -> PayoutDistribution:
    """Sum counts of strengths by row; all numbers are below 2**53, so floats are exact."""
    counts = np.bincount(row_places(table, coins), strengths[1:], len(table.rows) + 1)
    rows = (*(row.name for row in table.rows), NOTHING)
    pays = (*(row.pays[coins - 1] for row in table.rows), 0)
    return PayoutDistribution(rows, pays, tuple(counts.astype(np.int64).tolist()), coins)


def shared_out(work: Callable[[Sequence[Dealt]], T]) -> Iterator[T]:
    """Process the hands in blocks, in several processes."""
    hands = every_hand()
    blocks = [hands[start::256] for start in range(256)]
    with get_context("fork").Pool(WORKERS) as pool:
        yield from pool.imap_unordered(work, blocks)


def at(dealt: Hand, positions: Iterable[int]) -> Hand:
    return tuple(dealt[position - 1] for position in positions)


# ---- what strategies come to -----------------------------------------------------------------


@cache
def optimal_masks(bet: int) -> npt.NDArray[np.uint8]:
    return hold_masks(*BETS[bet], "optimal")


def held_by(masks: npt.NDArray[np.uint8], dealt: Hand) -> Hand:
    ascending = sorted(dealt, key=lambda card: card.index)
    mask = masks[deal_numbers(np.array([[card.index for card in ascending]]))[0]]
    return tuple(card for bit, card in enumerate(ascending) if mask >> bit & 1)


def play(hands: Sequence[Dealt]) -> Counts:
    """Count final hands by strategy and strength: perfect play at each bet, then the 34 lines."""
    came = np.zeros((len(BETS) + 1, len(STRENGTHS) + 1), np.int64)
    for cards, deals in hands:
        holds = [held_by(optimal_masks(bet), cards) for bet in range(len(BETS))]
        holds.append(at(cards, advise(cards).positions))
        sets = [frozenset(held) for held in holds]
        for held in set(sets):
            weight = deals * (COMMON // comb(47, 5 - len(held)))
            after = weight * strengths_after(cards, tuple(held))
            came[[other == held for other in sets]] += after
    return came


@pytest.fixture(scope="module")
def played() -> Counts:
    """Return the final hands of all strategies, over all deals and draws."""
    for bet in range(len(BETS)):
        optimal_masks(bet)  # before the workers are forked
    total: Counts = sum(shared_out(play), np.zeros(1, np.int64))
    return total


def test_hold_classes_contain_every_video_poker_deal_once() -> None:
    assert len(every_hand()) == 134_459
    assert sum(dealt.deals for dealt in every_hand()) == DEALS


@by_bet
def test_optimal_return_from_all_deals_equals_the_report(bet: int, played: Counts) -> None:
    compare(bet, "optimal", played[bet])


@by_bet
def test_return_of_the_list_equals_the_report(bet: int, played: Counts) -> None:
    compare(bet, "list", played[-1])


def compare(bet: int, strategy: Strategy, strengths: Counts) -> None:
    table, coins = BETS[bet]
    came, report = by_row(table, coins, strengths), odds_of(table, coins).report(strategy)
    assert came.total == DEALS * COMMON
    assert report == came
    paid = [pay * count for pay, count in zip(report.pays, came.counts, strict=True)]
    mean = Fraction(sum(paid), DEALS * COMMON * coins)
    square = Fraction(
        sum(pay * part for pay, part in zip(report.pays, paid, strict=True)), DEALS * COMMON
    )
    assert report.expected_return == mean
    assert report.variance == square / coins**2 - mean**2


@pytest.mark.parametrize("name", names())
def test_bets_of_one_to_four_coins_have_the_same_return(name: str) -> None:
    table = load(name)
    for strategy in ("optimal", "list"):
        one = odds_of(table, 1).report(strategy)
        for coins in (2, 3, 4):
            report = odds_of(table, coins).report(strategy)
            assert report.counts == one.counts
            assert report.expected_return == one.expected_return
            assert report.variance == one.variance


# ---- the optimum is one ----------------------------------------------------------------------


class Values(NamedTuple):
    """Check the best holds, and find the hands whose tied holds have different outcomes."""

    paid: int
    ties: int
    unlike: tuple[Dealt, ...]


def best_values(bet: int, hands: Sequence[Dealt]) -> Values:
    odds = odds_of(*BETS[bet])
    paid, ties, unlike = 0, 0, []
    for dealt in hands:
        best, *others = odds.holds(dealt.cards)
        paid += dealt.deals * best.total_pay * (COMMON // best.draws)
        tied = [
            other
            for other in others
            if other.total_pay * best.draws == best.total_pay * other.draws
        ]
        if tied:
            ties += 1
            outcomes = odds.outcomes(dealt.cards, best.positions)
            if any(not alike(outcomes, odds.outcomes(dealt.cards, t.positions)) for t in tied):
                unlike.append(dealt)
    return Values(paid, ties, tuple(unlike))


def alike(one: PayoutDistribution, other: PayoutDistribution) -> bool:
    return all(
        a * other.total == b * one.total for a, b in zip(one.counts, other.counts, strict=True)
    )


def values_of_bet(bet: int) -> Values:
    return best_values(bet, every_hand())


@pytest.fixture(scope="module")
def values() -> list[Values]:
    every_hand()
    for table, coins in BETS:
        odds_of(table, coins)
    with get_context("fork").Pool(WORKERS) as pool:
        return pool.map(values_of_bet, range(len(BETS)), chunksize=1)


@by_bet
def test_optimal_return_equals_the_value_of_all_final_hands(bet: int, values: list[Values]) -> None:
    table, coins = BETS[bet]
    expected = Fraction(values[bet].paid, DEALS * COMMON * coins)
    assert odds_of(table, coins).report("optimal").expected_return == expected


def test_holds_of_equal_ev_differ_in_counts_only_in_36_deals_of_two_tables(
    values: list[Values],
) -> None:
    """So the rule for ties (the lowest variance) only affects the counts of two tables.

    In them, with a smaller royal flush, three to a royal flush and a nine to the straight flush
    of that suit and two to that straight are worth the same.
    """
    for (table, coins), found in zip(BETS, values, strict=True):
        assert found.ties > 0
        if coins == 1 and table.name in ("double-bonus-10-6", "double-bonus-9-6"):
            assert sum(dealt.deals for dealt in found.unlike) == 36
            for dealt in found.unlike:
                assert sorted(card.rank.letter for card in dealt.cards) == sorted("TJQA9")
        else:
            assert found.unlike == ()


@pytest.mark.parametrize("number", range(60), ids=labelled("hand {}"))
def test_best_hold_of_each_class_equals_enumeration(number: int) -> None:
    dealt = tuple(Random(f"proof {number}").sample(PACK, 5))
    after = {
        positions: strengths_after(dealt, at(dealt, positions))
        for size in range(6)
        for positions in combinations((1, 2, 3, 4, 5), size)
    }
    for table, coins in BETS:
        credits = {held: by_row(table, coins, came).credits for held, came in after.items()}
        values = odds_of(table, coins).holds(dealt)
        assert {value.positions: value.credits for value in values} == credits
        assert values[0].credits == max(credits.values())


# ---- the list has one value ------------------------------------------------------------------


def plays_of_one_line(hands: Sequence[Dealt]) -> tuple[int, list[str]]:
    """Count the hands with several holds on their line; list those with different outcomes."""
    several, differing = 0, []
    for cards, _ in hands:
        line = advise(cards).line
        plays = [held for size in range(6) for held in combinations(cards, size)]
        on_line = [held for held in plays if line_of(held) == line]
        if len(on_line) > 1:
            several += 1
            came = [strengths_after(cards, held) for held in on_line]
            if any(len({by_row(table, 5, each) for each in came}) > 1 for table in TABLES):
                differing.append(format_cards(cards))
    return several, differing


def test_plays_on_one_strategy_line_have_the_same_outcomes() -> None:
    """So the order dealt, which decides between them, changes no count of a built-in table.

    It would for a pair below jacks: 4-6-7-8 and 6-7-8-T are both an inside straight.
    """
    found = list(shared_out(plays_of_one_line))
    assert sum(several for several, _ in found) > 0
    assert [cards for _, differing in found for cards in differing] == []


def cost_of_list(hands: Sequence[Dealt]) -> Fraction:
    odds = odds_of(load(DEFAULT), 5)
    costs = (deals * odds.cost(cards, advise(cards).positions) for cards, deals in hands)
    return sum(costs, Fraction(0))


def test_strategy_list_returns_less_than_the_optimum_by_its_mistakes() -> None:
    odds = odds_of(load(DEFAULT), 5)
    short = odds.report("optimal").credits - odds.report("list").credits
    assert short == sum(shared_out(cost_of_list), Fraction(0)) / DEALS
