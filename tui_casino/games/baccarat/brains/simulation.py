"""Bulk simulation of baccarat: coups from full shoes, each dealt card by card.

Each coup uses one random 64-bit word. The 2**64 words are divided into as many equal ranges as
there are ordered draws of six cards. A word outside all ranges (one in 7,000 with 8 decks) is
rejected and replaced. The number of the range is written with six digits, the first below N for N
cards, the next below N - 1, and so on. The digits pick the cards like a Fisher-Yates shuffle that
stops after six cards: each digit is a place in the shoe, and when its card is taken, the last
card moves there. So each range gives a different draw, and all draws are equally likely.

The cards go to player, banker, player, banker; the last two go to the sides that receive a third
card. This module only classifies coups by each side's two-card total, by whether each side has a
pair, and by the values of the last two cards. The rules then decide the ending of each class.
`engine.monte_carlo` plays the coups in blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from math import perm, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
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
from ..machine import rules
from .odds import CARD_OF_VALUE, CoupEnding, ending_of, hand_of

Ranks: TypeAlias = npt.NDArray[np.uint8]
"""The six cards of each coup as indices into `RANKS`, in the order dealt; shape (6, coups)."""

Places: TypeAlias = npt.NDArray[np.uint16]
"""The six cards of each coup: their places in the shoe (the first is 0), in shape (6, coups)."""

_CLASS_SHAPE = (2, 10, 2, 10, 10, 10)
"""The player's pair and total, the banker's pair and total, and the values of the last cards."""


class Simulation(Struct, frozen=True):
    """The result: the coups that each spot wins, and the seed that repeats the simulation.

    ``banker_six`` counts the coups that the banker wins with 6.
    """

    decks: int
    seed: int
    coups: int
    counts: Mapping[rules.BetSpot, int]
    banker_six: int


def simulate(
    decks: int,
    coups: int,
    *,
    seed: int | None = None,
    workers: Workers = ALL_CORES,
    progress: ReportProgress | None = None,
) -> Simulation:
    """Play a number of coups, each from a full shoe of 8, 6 or 1 decks.

    ``seed`` is any whole number; without one a random seed is used and returned. The same seed
    gives the same counts with any ``workers`` (default: all cores). ``progress`` is called many
    times per second with the number of coups played; an exception from it ends the simulation, as
    an interrupt does. Raises ``ValueError`` for values out of range, and the errors of
    :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    if decks not in rules.DECKS:
        raise ValueError(f"a shoe has 8, 6 or 1 decks, not {decks}")
    if coups < 1:
        raise ValueError(f"the number of coups must be 1 or more, not {coups}")
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
        rules.BetSpot.PLAYER: by_ending[CoupEnding.PLAYER],
        rules.BetSpot.BANKER: by_ending[CoupEnding.BANKER] + by_ending[CoupEnding.BANKER_SIX],
        rules.BetSpot.TIE: by_ending[CoupEnding.TIE],
        rules.BetSpot.PLAYER_PAIR: int(counts_by_class[1].sum()),
        rules.BetSpot.BANKER_PAIR: int(counts_by_class[:, :, 1].sum()),
    }
    return Simulation(decks, seed, coups, wins, by_ending[CoupEnding.BANKER_SIX])


def _play(decks: int, stream: BitGenerator, coups: int) -> OutcomeCounts:
    return np.bincount(coup_classes(deal(stream, decks, coups)), minlength=prod(_CLASS_SHAPE))


# ---- cards -----------------------------------------------------------------------------------


def deal(stream: BitGenerator, decks: int, coups: int) -> Ranks:
    """Deal six cards from a full shoe for each coup, with the next words of a stream."""
    size = len(PACK) * decks
    places = ordered_draws(_fair_numbers(stream, coups, perm(size, rules.COUP_CARDS)), size)
    return (places // np.uint16(len(SUITS) * decks)).astype(np.uint8)


def ordered_draws(numbers: npt.NDArray[np.uint64], size: int) -> Places:
    """Return the ordered draw of six cards that belongs to each number.

    A shoe of N cards (6 <= N <= 416) has N (N - 1) … (N - 5) draws. The numbers run from 0 to one
    less than that, and each belongs to a different draw.
    """
    places = _digits(numbers, size)
    for card in reversed(
        range(rules.COUP_CARDS)
    ):  # backwards: the earlier rows must still be digits
        for earlier in reversed(range(card)):
            last = np.uint16(size - 1 - earlier)
            np.copyto(places[card], last, where=places[card] == places[earlier])
    return places


def _fair_numbers(stream: BitGenerator, count: int, below: int) -> npt.NDArray[np.uint64]:
    """Draw numbers below a limit, all equally likely."""
    share = np.uint64(2**64 // below)
    numbers: npt.NDArray[np.uint64] = stream.random_raw(count) // share
    while (rejected := np.flatnonzero(numbers >= below)).size:
        numbers[rejected] = stream.random_raw(rejected.size) // share
    return numbers


def _digits(numbers: npt.NDArray[np.uint64], size: int) -> Places:
    """Write numbers as six digits: the first is below the shoe's size, the next below one less."""
    digits = np.empty((rules.COUP_CARDS, len(numbers)), np.uint16)
    lower_half = np.uint64(perm(size - 3, 3))
    halves = numbers // lower_half
    _write_digits(digits[:3], halves, size)
    _write_digits(digits[3:], numbers - halves * lower_half, size - 3)
    return digits


def _write_digits(digits: Places, numbers: npt.NDArray[np.uint64], below: int) -> None:
    quotients = numbers.astype(np.uint32)  # three digits fit in 32 bits, where division is faster
    for place in reversed(range(1, len(digits))):
        base = np.uint32(below - place)
        next_quotients = quotients // base
        digits[place] = quotients - next_quotients * base
        quotients = next_quotients
    digits[0] = quotients


# ---- classes of coups ------------------------------------------------------------------------


def coup_classes(ranks: Ranks) -> npt.NDArray[np.uint16]:
    """Return the class of each coup as an index into the flattened `_CLASS_SHAPE`."""
    rows = len(RANKS) * ranks
    player = _hands().take(rows[0] + ranks[2], mode="clip")
    banker = _hands().take(rows[1] + ranks[3], mode="clip")
    last = _values().take(rows[4] + ranks[5], mode="clip")
    sort: npt.NDArray[np.uint16] = (player * np.uint16(20) + banker) * np.uint16(100) + last
    return sort


@memoize()
def _hands() -> npt.NDArray[np.uint16]:
    """Return whether any two ranks are a pair, and their total, as one number below 20."""
    return _of_two_ranks(lambda one, other: _pair_and_total(rules.Hand(cards=(one, other))))


@memoize()
def _values() -> npt.NDArray[np.uint16]:
    """Return the values of each combination of two ranks, as one number below 100."""
    return _of_two_ranks(lambda one, other: 10 * rules.value_of(one) + rules.value_of(other))


def _of_two_ranks(number: Callable[[Card, Card], int]) -> npt.NDArray[np.uint16]:
    cards = [Card(rank, Suit.CLUBS) for rank in RANKS]
    return np.array([number(*two) for two in product(cards, repeat=2)], np.uint16)


def _pair_and_total(hand: rules.Hand) -> int:
    return 10 * rules.is_pair(hand) + rules.value_of(hand)


@memoize()
def _endings() -> npt.NDArray[np.uint8]:
    """Return the endings by the rules, indexed by both totals and the values of the last cards."""
    endings = [_ending_of_class(*sort) for sort in product(range(10), repeat=4)]
    return np.array(endings, np.uint8).reshape(10, 10, 10, 10)


def _ending_of_class(player_total: int, banker_total: int, fifth: int, sixth: int) -> CoupEnding:
    player, banker = hand_of(player_total), hand_of(banker_total)
    shoe = iter((CARD_OF_VALUE[fifth], CARD_OF_VALUE[sixth]))
    while side := rules.next_to_receive(player, banker):
        if side is rules.HandSide.PLAYER:
            player = player.receive(next(shoe))
        else:
            banker = banker.receive(next(shoe))
    return ending_of(rules.coup_of(player, banker))
