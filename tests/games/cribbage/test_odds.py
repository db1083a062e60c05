"""The exact odds of the show: published figures, and a count of suits by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import pytest

from tests.helpers.quick_cases import first_of
from tui_casino.cards.card import PACK, RANKS, Card, Hand, Rank
from tui_casino.games.cribbage.brains.odds import HANDS
from tui_casino.games.cribbage.brains.odds import odds_of as found_odds_of
from tui_casino.games.cribbage.machine.rules import ACC, TRAINER, RuleSet
from tui_casino.games.cribbage.machine.scoring import Fifteens, Pairs, Runs, ShowHand

# Steven S. Lumetta, "Amusing Cribbage Facts", 2007: hands by points from 0 to 29.
PUBLISHED = """
    1009008 99792 2813796 505008 2855676 697508 1800268 751324 1137236 361224
    388740 51680 317340 19656 90100 9168 58248 11196 2708 0
    8068 2496 444 356 3680 0 0 0 76 4
"""
ZERO_CRIBS = (
    1_022_208  # where the crib flushes with five cards only; Wikipedia, "Cribbage statistics"
)


odds_of = cache(found_odds_of)
STANDARD = [pytest.param(rules, id=rules.name) for rules in (TRAINER, ACC)]
"""The rule sets whose hands score what they score everywhere; a house's own may differ."""


@pytest.mark.parametrize("rules", first_of([TRAINER, ACC]), ids=lambda rules: rules.name)
def test_counts_of_cribbage_hands_by_points_equal_the_published_ones(rules: RuleSet) -> None:
    hand = odds_of(rules).hand
    assert [hand[points] for points in range(30)] == list(map(int, PUBLISHED.split()))
    assert hand.total == HANDS == 12_994_800
    assert round(hand.mean, 6) == Fraction(4_769_152, 1_000_000)


def test_counts_of_cribs_by_points_equal_the_published_ones() -> None:
    assert odds_of(ACC).crib[0] == ZERO_CRIBS


def test_crib_of_the_trainer_is_scored_like_a_hand() -> None:
    odds = odds_of(TRAINER)
    assert odds.crib == odds.hand


@pytest.mark.parametrize("rules", STANDARD)
def test_counts_of_hands_and_cribs_by_points_equal_a_count_by_suits(rules: RuleSet) -> None:
    odds = odds_of(rules)
    assert nonzero(odds.hand.counts) == by_suits(four_suited=4)
    assert nonzero(odds.crib.counts) == by_suits(four_suited=4 if rules is TRAINER else 0)


def nonzero(counts: object) -> dict[int, int]:
    assert isinstance(counts, dict)
    return {points: count for points, count in counts.items() if count}


def by_suits(four_suited: int) -> dict[int, int]:
    """Count all hands from their ranks: the rules score these, and suits are counted by hand."""
    counts: Counter[int] = Counter()
    for kept in combinations_with_replacement(RANKS, 4):
        hands = prod(comb(4, kept.count(rank)) for rank in set(kept))
        flushes = 4 if len(set(kept)) == 4 else 0
        for starter in RANKS:
            if kept.count(starter) == 4:
                continue
            points = of_ranks(*kept, starter)
            ways = hands * (4 - kept.count(starter))
            # a starter of a rank that is held cannot be of the flush's suit
            five = 0 if starter in kept else flushes
            four = 3 * flushes
            # each jack is met by the starter of its suit, unless that is held; a jack meets none
            jacks = hands * kept.count(Rank.JACK) * (4 - kept.count(starter)) // 4
            jacks = 0 if starter is Rank.JACK else jacks
            with_five = five if Rank.JACK in kept and starter is not Rank.JACK else 0
            counts[points + 5 + 1] += with_five
            counts[points + 5] += five - with_five
            counts[points + four_suited] += four
            counts[points + 1] += jacks - with_five
            counts[points] += ways - five - four - (jacks - with_five)
    return {points: count for points, count in counts.items() if count}


KNOWN: dict[tuple[Rank, ...], int] = {}


def of_ranks(*ranks: Rank) -> int:
    key = tuple(sorted(ranks))
    if key not in KNOWN:
        hand: Hand = ()
        for rank in key:
            hand += (next(c for c in PACK if c.rank is rank and c not in hand),)
        shown = ShowHand(hand[:4], hand[4])
        rules = (Fifteens(), Runs(), Pairs())
        KNOWN[key] = sum(score.points for rule in rules for score in rule.scores(shown))
    return KNOWN[key]


def test_the_highest_hand_is_three_fives_and_the_jack_with_its_five() -> None:
    fives = [Card.parse(text) for text in ("5C", "5D", "5H")]
    shown = ShowHand((*fives, Card.parse("JS")), Card.parse("5S"))
    assert sum(score.points for rule in TRAINER.show for score in rule.scores(shown)) == 29
    assert max(points for points, count in odds_of(TRAINER).hand.counts.items() if count) == 29
