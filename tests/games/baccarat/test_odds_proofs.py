"""The exact odds proved by brute force: every order of six values, and by play.

The rules are asked how each of the 10**6 sequences of six values ends, in the order of the shoe.
A sequence comes up in as many ways as there are cards of its first value, times those of its
second that are then left, and so on. No total, pair of hands or overlap comes into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import perm, sqrt
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from tui_casino.cards.card import RANKS, Card, Rank, Suit, whole_packs
from tui_casino.games.baccarat.brains.odds import Odds, Unseen, full_shoe, odds_of, rank_counts
from tui_casino.games.baccarat.brains.simulation import simulate
from tui_casino.games.baccarat.machine.rules import (
    DECKS,
    SPOTS,
    CoupOutcome,
    Hand,
    HandSide,
    coup_of,
    next_to_receive,
    value_of,
)

pytestmark = [
    pytest.mark.prove,
    pytest.mark.xdist_group("baccarat odds"),  # what its tests share is worked out once
]

COUPS = 100_000_000
BANKER, BANKER_SIX, PLAYER, TIE = range(4)

Endings = npt.NDArray[np.uint8]

SEQUENCES = np.indices((10,) * 6, np.uint8).reshape(6, -1)


def ending(cards: Sequence[Card]) -> int:
    hands = {HandSide.PLAYER: Hand(), HandSide.BANKER: Hand()}
    shoe = iter(cards)
    while side := next_to_receive(hands[HandSide.PLAYER], hands[HandSide.BANKER]):
        hands[side] = hands[side].receive(next(shoe))
    coup = coup_of(hands[HandSide.PLAYER], hands[HandSide.BANKER])
    if coup.outcome is CoupOutcome.BANKER:
        return BANKER_SIX if coup.value == 6 else BANKER
    return PLAYER if coup.outcome is CoupOutcome.PLAYER else TIE


@pytest.fixture(scope="module")
def endings() -> Endings:
    """Return the ending of each of the `SEQUENCES`."""
    cards = [Card(Rank(value or Rank.KING), Suit.SPADES) for value in range(10)]
    return np.fromiter(map(ending, product(cards, repeat=6)), np.uint8, 10**6)


def counted(unseen: Unseen, endings: Endings) -> Odds:
    """Count draws by their sequences of values; all numbers are below 2**53."""
    of_value = np.zeros(10, np.int64)
    for rank, count in zip(RANKS, unseen, strict=True):
        of_value[value_of(Card(rank, Suit.SPADES))] += count
    ways = np.ones(10**6, np.int64)
    for place, values in enumerate(SEQUENCES):
        ways *= of_value[values] - (SEQUENCES[:place] == values).sum(axis=0)
    banker, banker_six, player, tie = (int(ways[endings == kind].sum()) for kind in range(4))
    shoe = np.repeat(np.arange(13), unseen)
    pairs = int((shoe[:, None] == shoe).sum()) - len(shoe)  # a card is no pair with itself
    return Odds(
        banker=banker + banker_six,
        player=player,
        tie=tie,
        banker_six=banker_six,
        pair=pairs * perm(len(shoe) - 2, 4),
        total=int(ways.sum()),
    )


@pytest.mark.parametrize("decks", DECKS)
def test_odds_of_full_shoes_equal_brute_force(decks: int, endings: Endings) -> None:
    assert odds_of(full_shoe(decks)) == counted(full_shoe(decks), endings)


def test_odds_of_partly_dealt_shoes_equal_brute_force(endings: Endings) -> None:
    random = Random("left of a shoe")
    for _ in range(150):
        shoe = whole_packs(random.choice(DECKS))
        left = rank_counts(random.sample(shoe, random.randint(6, len(shoe))))
        assert odds_of(left) == counted(left, endings), left


def test_odds_of_tiny_shoes_equal_brute_force(endings: Endings) -> None:
    random = Random("tiny")
    for size in range(6, 31):
        for _ in range(4):
            left = rank_counts(random.sample(whole_packs(8), size))
            assert odds_of(left) == counted(left, endings), left


def test_odds_of_shoes_without_some_ranks_equal_brute_force(endings: Endings) -> None:
    random = Random("lacking")
    for _ in range(100):
        left = tuple(random.choice((0, 0, 0, 1, 1, 2, 32)) for _ in RANKS)
        if sum(left) >= 6:
            assert odds_of(left) == counted(left, endings), left


@pytest.mark.parametrize("decks", DECKS)
def test_hundred_million_coups_agree_with_the_exact_odds(decks: int) -> None:
    odds = odds_of(full_shoe(decks))
    came = simulate(decks, COUPS, seed=34)
    counts = [(spot.label, came.counts[spot], odds.draws(spot)) for spot in SPOTS]
    for name, count, draws in [*counts, ("Banker with 6", came.banker_six, odds.banker_six)]:
        chance = draws / odds.total
        error = sqrt(COUPS * chance * (1 - chance))
        assert abs(count - COUPS * chance) < 4 * error, name
