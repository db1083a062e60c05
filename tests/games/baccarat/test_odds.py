"""The exact odds, compared with published counts and with all orders of small shoes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import perm
from random import Random

import pytest

from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tui_casino.cards.card import RANKS, Card, Rank, Suit, parse_hand, whole_packs
from tui_casino.gamekit.adviser import Expectation
from tui_casino.games.baccarat.brains.odds import (
    Odds,
    Unseen,
    expect,
    full_shoe,
    joint_odds_of,
    odds_of,
    rank_counts,
)
from tui_casino.games.baccarat.machine.rules import (
    CENTS,
    NO_BETS,
    SPOTS,
    Bets,
    BetSpot,
    Coup,
    CoupOutcome,
    Hand,
    HandSide,
    Options,
    bets_of,
    coup_of,
    next_to_receive,
    payout,
)
from tui_casino.games.baccarat.machine.state import BetsLaid, CoupOver

COMMISSION, FREE = Options(), Options(commission=False)

# ---- published figures -----------------------------------------------------------------------

PUBLISHED_COUNTS = {  # banker, player, tie: the Wizard of Odds; casinoexploit.com for 6 decks
    8: (2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216),
    6: (403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288),
}
PUBLISHED_EDGES = {  # in %: banker, player, tie, a pair at 11:1, as the Wizard of Odds prints them
    8: ("1.06", "1.24", "14.36", "10.36"),
    6: ("1.06", "1.24", "14.44", "11.25"),
    1: ("1.01", "1.29", "15.75", "29.41"),
}


def percent(edge: Fraction, places: int) -> str:
    return f"{100 * float(edge):.{places}f}"


@pytest.mark.parametrize("decks", PUBLISHED_COUNTS)
def test_outcome_counts_of_full_shoes_equal_the_published_ones(decks: int) -> None:
    odds = odds_of(full_shoe(decks))
    assert (odds.banker, odds.player, odds.tie) == PUBLISHED_COUNTS[decks]
    assert odds.total == perm(52 * decks, 6) == sum(PUBLISHED_COUNTS[decks])


def test_number_of_six_card_draws_from_eight_decks_equals_the_published_one() -> None:
    assert odds_of(full_shoe(8)).total == 4_998_398_275_503_360


@pytest.mark.parametrize("decks", PUBLISHED_EDGES)
def test_house_edges_of_full_shoes_equal_the_published_ones(decks: int) -> None:
    odds = odds_of(full_shoe(decks))
    spots = (BetSpot.BANKER, BetSpot.PLAYER, BetSpot.TIE, BetSpot.PLAYER_PAIR)
    assert (
        tuple(percent(odds.edge(spot, COMMISSION), 2) for spot in spots) == PUBLISHED_EDGES[decks]
    )
    assert odds.edge(BetSpot.BANKER_PAIR, COMMISSION) == odds.edge(BetSpot.PLAYER_PAIR, COMMISSION)


@pytest.mark.parametrize(
    ("spot", "edge"),
    [
        (BetSpot.BANKER, "1.0579"),
        (BetSpot.PLAYER, "1.2351"),
        (BetSpot.TIE, "14.3596"),
        (BetSpot.PLAYER_PAIR, "10.3614"),
        (BetSpot.BANKER_PAIR, "10.3614"),
    ],
)
def test_house_edges_of_eight_decks_equal_published_ones_to_four_places(
    spot: BetSpot, edge: str
) -> None:
    assert percent(odds_of(full_shoe(8)).edge(spot, COMMISSION), 4) == edge


def test_edge_of_banker_without_commission_equals_that_of_jacobson() -> None:
    odds = odds_of(full_shoe(8))
    assert odds.banker_six == 269_232_304_455_680
    assert percent(odds.edge(BetSpot.BANKER, FREE), 4) == "1.4581"


def test_commission_changes_only_the_edge_of_banker() -> None:
    odds = odds_of(full_shoe(6))
    differ = [spot for spot in SPOTS if odds.edge(spot, COMMISSION) != odds.edge(spot, FREE)]
    assert differ == [BetSpot.BANKER]


@pytest.mark.parametrize("decks", [1, 2, 6, 8], ids=labelled("{} decks"))
def test_chance_of_a_pair_equals_that_of_two_equal_ranks(decks: int) -> None:
    odds = odds_of(full_shoe(decks))
    matches = Fraction(4 * decks - 1, 52 * decks - 1)
    assert odds.chance(BetSpot.PLAYER_PAIR) == odds.chance(BetSpot.BANKER_PAIR) == matches


# ---- small shoes, card by card ---------------------------------------------------------------


def played(cards: Sequence[Card]) -> Coup:
    """Deal a coup from these six cards, using only the rules."""
    hands = {HandSide.PLAYER: Hand(), HandSide.BANKER: Hand()}
    shoe = iter(cards)
    while side := next_to_receive(hands[HandSide.PLAYER], hands[HandSide.BANKER]):
        hands[side] = hands[side].receive(next(shoe))
    return coup_of(hands[HandSide.PLAYER], hands[HandSide.BANKER])


@cache
def dealt_out(shoe: tuple[Card, ...]) -> Counter[Coup]:
    """Play every ordered draw of six cards; equal draws are only played once."""
    draws = Counter(permutations([card.rank for card in shoe], 6))
    coups: Counter[Coup] = Counter()
    for ranks, count in draws.items():
        coups[played([Card(rank, Suit.HEARTS) for rank in ranks])] += count
    return coups


def assert_as_dealt_out(shoe: Sequence[Card]) -> None:
    coups = dealt_out(tuple(shoe))
    odds = odds_of(rank_counts(shoe))

    def those(coup: Iterable[Coup]) -> int:
        return sum(coups[each] for each in coup)

    assert odds.total == coups.total()
    assert odds.player == those(c for c in coups if c.outcome is CoupOutcome.PLAYER)
    assert odds.banker == those(c for c in coups if c.outcome is CoupOutcome.BANKER)
    assert odds.tie == those(c for c in coups if c.outcome is CoupOutcome.TIE)
    assert odds.banker_six == those(
        c for c in coups if c.outcome is CoupOutcome.BANKER and c.value == 6
    )
    assert odds.pair == those(c for c in coups if c.player_pair)
    assert odds.pair == those(c for c in coups if c.banker_pair)
    for spot in SPOTS:
        for options in (COMMISSION, FREE):
            back = sum(n * payout(spot, 1, coup, options) for coup, n in coups.items())
            assert odds.edge(spot, options) == 1 - Fraction(back, CENTS * coups.total())


@pytest.mark.parametrize(
    "shoe",
    [
        "AC 2C 3C 4C 5C 6C",
        "AC AD AH AS AC AD",
        "TC JC QC KC TD JD",
        "9C 9D 9H 9S TC TD",
        "AC 2C 3C 4C 5C 6C 7C",
        "2C 2D 5H KS KC 9C 4D",
        "6C 6D 6H 7C 7D 7H TC",
        "3C 3D 8C 8D AC TC 4C",
    ],
)
def test_outcome_odds_of_small_shoes_equal_enumeration(shoe: str) -> None:
    assert_as_dealt_out(parse_hand(shoe))


@pytest.mark.parametrize("number", range(8), ids=labelled("shoe {}"))
def test_odds_of_shoes_with_6_or_7_cards_equal_enumeration(number: int) -> None:
    random = Random(number)
    assert_as_dealt_out(random.sample(whole_packs(random.choice((1, 6, 8))), random.choice((6, 7))))


# ---- shoes -----------------------------------------------------------------------------------


def test_rank_counts_count_the_cards_of_each_rank() -> None:
    assert rank_counts(whole_packs(8)) == full_shoe(8) == (32,) * 13
    assert rank_counts(parse_hand("AC AD TS KH")) == (2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1)


def test_odds_of_a_shoe_of_eights_equal_a_hand_calculation() -> None:
    nothing_but_eights = tuple(20 * (rank is Rank.EIGHT) for rank in RANKS)
    assert odds_of(nothing_but_eights) == Odds(0, 0, perm(20, 6), 0, perm(20, 6), perm(20, 6))
    assert odds_of(nothing_but_eights).edge(BetSpot.TIE, COMMISSION) == -8


@pytest.mark.parametrize(
    ("unseen", "why"),
    [
        ((0,) * 13, "a coup needs 6 cards, but only 0 are left"),
        ((5,) + (0,) * 12, "a coup needs 6 cards, but only 5 are left"),
        ((32,) * 12, "a shoe needs 13 counts of 0 or more"),
        ((32,) * 14, "a shoe needs 13 counts of 0 or more"),
        ((-1,) + (32,) * 12, "13 counts of 0 or more"),
    ],
    ids=["empty", "five cards", "12 ranks", "14 ranks", "a negative count"],
)
def test_odds_of_a_shoe_without_enough_cards_are_refused(unseen: Unseen, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        odds_of(unseen)


EIGHT = tuple(Random(7).sample(whole_packs(1), 8))


@pytest.mark.parametrize(
    "options", first_of([COMMISSION, FREE]), ids=["commission", "no commission"]
)
def test_mean_and_variance_of_bets_equal_enumeration(options: Options) -> None:
    coups, joint = dealt_out(EIGHT), joint_odds_of(rank_counts(EIGHT))
    for bets in (
        (5, 0, 0, 0, 0),
        (0, 7, 0, 0, 0),
        (10, 25, 3, 0, 0),
        (0, 100, 20, 0, 0),
        (0, 0, 0, 6, 0),
        (0, 0, 0, 0, 9),
        (5, 0, 0, 6, 0),
        (3, 8, 2, 6, 9),
    ):
        backs = {
            coup: sum(
                payout(spot, credits, coup, options)
                for spot, credits in zip(SPOTS, bets, strict=True)
            )
            for coup in coups
        }
        mean = Fraction(sum(n * backs[coup] for coup, n in coups.items()), coups.total())
        square = Fraction(sum(n * backs[coup] ** 2 for coup, n in coups.items()), coups.total())
        assert joint.mean_and_variance(bets, options) == (mean, square - mean**2)


def test_joint_odds_of_pairs_and_outcomes_equal_enumeration() -> None:
    """A small shoe with many pairs, including two ranks of equal value."""
    shoe = parse_hand("KS KH KD QS QH 5S 5H 5D 3C")
    coups, joint = dealt_out(shoe), joint_odds_of(rank_counts(shoe))
    found: Counter[tuple[CoupOutcome, bool, bool]] = Counter()
    for coup, count in joint.draws.items():
        found[coup.outcome, coup.player_pair, coup.banker_pair] += count
    dealt: Counter[tuple[CoupOutcome, bool, bool]] = Counter()
    for coup, count in coups.items():
        dealt[coup.outcome, coup.player_pair, coup.banker_pair] += count
    assert +found == dealt
    assert dealt[CoupOutcome.BANKER, True, True] > 0


@pytest.mark.parametrize(
    ("bets", "ratio"),
    [
        ((1, 0, 0, 1, 0), 1.019),
        ((1, 0, 0, 0, 1), 0.9805),
        ((0, 1, 0, 1, 0), 0.982),
        ((0, 1, 0, 0, 1), 1.020),
    ],
    ids=[
        "Player and Player pair",
        "Player and Banker pair",
        "Banker and Player pair",
        "Banker and Banker pair",
    ],
)
def test_variance_with_pair_bets_differs_from_independent_bets(bets: Bets, ratio: float) -> None:
    """The expected numbers come from another program, which counts all draws."""
    joint = joint_odds_of(full_shoe(8))
    alone = [
        joint.mean_and_variance(
            bets_of(credits * (place == at) for place, credits in enumerate(bets)),
            COMMISSION,
        )[1]
        for at in range(len(SPOTS))
    ]
    assert float(sum(alone) / joint.mean_and_variance(bets, COMMISSION)[1]) == pytest.approx(
        ratio, abs=6e-4
    )


def test_mean_return_of_all_bets_equals_their_sum_less_the_house_edges() -> None:
    odds, bets = odds_of(full_shoe(8)), (100, 50, 25, 10, 5)
    joint = joint_odds_of(full_shoe(8))
    assert joint.total == odds.total
    mean, variance = joint.mean_and_variance(bets, COMMISSION)
    kept = sum(CENTS * c * odds.edge(spot, COMMISSION) for spot, c in zip(SPOTS, bets, strict=True))
    assert mean == CENTS * sum(bets) - kept
    assert variance > 0
    assert joint.mean_and_variance(NO_BETS, COMMISSION) == (Fraction(0), Fraction(0))


def test_expectation_of_a_coup_depends_on_decks_commission_and_bets() -> None:
    """The known shoe has no odds; otherwise they depend on shoe, commission and bets."""

    def over(bets: Bets) -> CoupOver:
        return CoupOver(Hand(), Hand(), CoupOutcome.TIE, bets, NO_BETS, 0)

    bets = (0, 20, 0, 0, 0)
    for decks, commission in ((8, True), (6, True), (8, False)):
        options = Options(decks=decks, commission=commission)
        expected = expect(options, over(bets))
        assert expected is not None
        edge = odds_of(full_shoe(decks)).edge(BetSpot.BANKER, options)
        assert expected.mean == 20 * CENTS * (1 - edge)
    assert expect(Options(decks=0), over(bets)) is None
    assert expect(Options(), BetsLaid(bets)) is None
    assert expect(Options(), over(NO_BETS)) == Expectation()
