"""Bulk simulation of baccarat: coups from full shoes, each dealt card by card.

A coup takes one 64-bit word of chance. The words are cut into as many equal shares as there are
ordered draws of six cards; what is left over of 2**64 is in no share, and such a word, one in
7,000 with 8 decks, is thrown back for another. A share's number is read as six digits, the first
below N for N cards, the next below N - 1, and so on. They pick the cards as a shuffle by Fisher
and Yates does that stops after six: a digit is a place in the shoe, and when its card is taken
the last card moves there. So each share deals another draw, and each draw is exactly as likely
as any other.

The six go to player, banker, player, banker, and the last two to those who receive them. Coups
are only sorted here, by the totals and pairs of two cards each and the values of the last two.
How a coup of each sort ends is asked of the rules. `engine.monte_carlo` plays them
in blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import perm, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import BitGenerator

from ....cards.card import PACK, RANKS, SUITS, Card, Suit
from ....cards.memo import memoize
from ....engine.monte_carlo import (
    ROUNDS_PER_BLOCK,
    OutcomeCounts,
    ReportProgress,
    count_rounds,
    random_seed,
)
from ....engine.parallel import ALL_CORES, Workers
from ..machine.rules import (
    COUP_CARDS,
    DECKS,
    BetSpot,
    Hand,
    HandSide,
    coup_of,
    is_pair,
    next_to_receive,
    value_of,
)
from .odds import CARD_OF_VALUE, CoupEnding, ending_of, hand_of

Ranks: TypeAlias = npt.NDArray[np.uint8]
"""Six cards of each coup as places in `RANKS`, shape (6, coups), in the order of the shoe."""

Places: TypeAlias = npt.NDArray[np.uint16]
"""Six cards of each coup as places in the shoe from 0, shape (6, coups)."""

_CLASS_SHAPE = (2, 10, 2, 10, 10, 10)
"""The player's pair and total, the banker's pair and total, and the values of the last two."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came of it: with how many coups each spot wins, and the seed that repeats them.

    ``banker_six`` are those of the banker's that he won with 6.
    """

    decks: int
    seed: int
    coups: int
    counts: Mapping[BetSpot, int]
    banker_six: int


def simulate(
    decks: int,
    coups: int,
    *,
    seed: int | None = None,
    workers: Workers = ALL_CORES,
    progress: ReportProgress | None = None,
) -> Simulation:
    """Play so many coups, each from a full shoe of 8, 6 or 1 decks.

    ``seed`` is any whole number; without one the system gives it, and the report tells it. The
    same seed has the same counts whoever the ``workers`` are: all cores, if not given.
    ``progress`` is told the number of coups played, many times a second; what it raises ends the
    simulation, as an interrupt does. Raises ``ValueError`` for what is out of range, and as
    :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    if decks not in DECKS:
        raise ValueError(f"a shoe has 8, 6 or 1 decks, not {decks}")
    if coups < 1:
        raise ValueError(f"the number of coups is 1 or more, not {coups}")
    if seed is None:
        seed = random_seed()
    counts_by_class = count_rounds(
        partial(_play, decks),
        prod(_CLASS_SHAPE),
        coups,
        seed,
        block=ROUNDS_PER_BLOCK,
        workers=workers,
        progress=progress,
    ).reshape(_CLASS_SHAPE)
    by_total = counts_by_class.sum(axis=(0, 2))
    by_ending = {ending: int(by_total[_endings() == ending].sum()) for ending in CoupEnding}
    wins = {
        BetSpot.PLAYER: by_ending[CoupEnding.PLAYER],
        BetSpot.BANKER: by_ending[CoupEnding.BANKER] + by_ending[CoupEnding.BANKER_SIX],
        BetSpot.TIE: by_ending[CoupEnding.TIE],
        BetSpot.PLAYER_PAIR: int(counts_by_class[1].sum()),
        BetSpot.BANKER_PAIR: int(counts_by_class[:, :, 1].sum()),
    }
    return Simulation(decks, seed, coups, wins, by_ending[CoupEnding.BANKER_SIX])


def _play(decks: int, stream: BitGenerator, coups: int) -> OutcomeCounts:
    return np.bincount(coup_classes(deal(stream, decks, coups)), minlength=prod(_CLASS_SHAPE))


# ---- cards -----------------------------------------------------------------------------------


def deal(stream: BitGenerator, decks: int, coups: int) -> Ranks:
    """Deal six cards from a full shoe for each coup, with the next words of a stream."""
    size = len(PACK) * decks
    places = ordered_draws(_fair_numbers(stream, coups, perm(size, COUP_CARDS)), size)
    return (places // np.uint16(len(SUITS) * decks)).astype(np.uint8)


def ordered_draws(numbers: npt.NDArray[np.uint64], size: int) -> Places:
    """Give the ordered draw of six cards that each number stands for.

    There are N (N - 1) … (N - 5) draws from a shoe of N cards, with 6 <= N <= 416, and as many
    numbers from 0, each for another draw.
    """
    places = _digits(numbers, size)
    for card in reversed(range(COUP_CARDS)):  # the rows before it are digits still
        for earlier in reversed(range(card)):
            last = np.uint16(size - 1 - earlier)
            np.copyto(places[card], last, where=places[card] == places[earlier])
    return places


def _fair_numbers(stream: BitGenerator, count: int, below: int) -> npt.NDArray[np.uint64]:
    """Draw numbers below a limit, each as likely as any other."""
    share = np.uint64(2**64 // below)
    numbers: npt.NDArray[np.uint64] = stream.random_raw(count) // share
    while (rejected := np.flatnonzero(numbers >= below)).size:
        numbers[rejected] = stream.random_raw(rejected.size) // share
    return numbers


def _digits(numbers: npt.NDArray[np.uint64], size: int) -> Places:
    """Write numbers with six digits, the first below the size of the shoe, the next one less."""
    digits = np.empty((COUP_CARDS, len(numbers)), np.uint16)
    lower_half = np.uint64(perm(size - 3, 3))
    halves = numbers // lower_half
    _write_digits(digits[:3], halves, size)
    _write_digits(digits[3:], numbers - halves * lower_half, size - 3)
    return digits


def _write_digits(digits: Places, numbers: npt.NDArray[np.uint64], below: int) -> None:
    quotients = numbers.astype(np.uint32)  # three digits: dividing them is much faster so
    for place in reversed(range(1, len(digits))):
        base = np.uint32(below - place)
        next_quotients = quotients // base
        digits[place] = quotients - next_quotients * base
        quotients = next_quotients
    digits[0] = quotients


# ---- what the rules make of them -------------------------------------------------------------


def coup_classes(ranks: Ranks) -> npt.NDArray[np.uint16]:
    """Sort coups by `_SORTS`: a number is a place among all of them."""
    rows = len(RANKS) * ranks
    player = _hands().take(rows[0] + ranks[2], mode="clip")
    banker = _hands().take(rows[1] + ranks[3], mode="clip")
    last = _values().take(rows[4] + ranks[5], mode="clip")
    sort: npt.NDArray[np.uint16] = (player * np.uint16(20) + banker) * np.uint16(100) + last
    return sort


@memoize()
def _hands() -> npt.NDArray[np.uint16]:
    """Give pair and total of each two ranks, as one number below 20."""
    return _of_two_ranks(lambda one, other: _pair_and_total(Hand(cards=(one, other))))


@memoize()
def _values() -> npt.NDArray[np.uint16]:
    """Give both values of each two ranks, as one number below 100."""
    return _of_two_ranks(lambda one, other: 10 * value_of(one) + value_of(other))


def _of_two_ranks(number: Callable[[Card, Card], int]) -> npt.NDArray[np.uint16]:
    cards = [Card(rank, Suit.CLUBS) for rank in RANKS]
    return np.array([number(*two) for two in product(cards, repeat=2)], np.uint16)


def _pair_and_total(hand: Hand) -> int:
    return 10 * is_pair(hand) + value_of(hand)


@memoize()
def _endings() -> npt.NDArray[np.uint8]:
    """Ask the rules how coups end, by both totals of two cards and the values of the last two."""
    endings = [_ending_of_class(*sort) for sort in product(range(10), repeat=4)]
    return np.array(endings, np.uint8).reshape(10, 10, 10, 10)


def _ending_of_class(player_total: int, banker_total: int, fifth: int, sixth: int) -> CoupEnding:
    player, banker = hand_of(player_total), hand_of(banker_total)
    shoe = iter((CARD_OF_VALUE[fifth], CARD_OF_VALUE[sixth]))
    while side := next_to_receive(player, banker):
        if side is HandSide.PLAYER:
            player = player.receive(next(shoe))
        else:
            banker = banker.receive(next(shoe))
    return ending_of(coup_of(player, banker))
