"""The dealer simulation: millions of rounds in which both sides follow the dealer's rule.

The player stops on 14, and from 27 on, but hits a soft 27. Rounds are played side by side in lanes,
one step at a time: in each step, every hand that still draws gets a card. A lane plays a fixed
number of consecutive rounds from its own shoe. If lanes stopped after a fixed time instead, short
rounds would be counted too often.

A shoe is shuffled while it is dealt: the next card is any of the cards left, as in the Fisher-Yates
shuffle. A random number below n is a 32-bit word multiplied by n and shifted, so the probabilities
of two cards differ by at most one part in 40 million. `engine.monte_carlo` explains how blocks are
played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from threading import Lock
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from numpy.random import BitGenerator

from ....cards.card import RANKS, whole_packs
from ....cards.memo import memoize
from ....engine.monte_carlo import OutcomeCounts, ReportProgress, count_rounds, random_seed
from ....engine.parallel import ALL_CORES, Workers
from ..machine.rules import LEAST_STOCK, SAFE_TOTAL, VALUES, Rules, Total
from .odds import BUST, FINALS, WEIGHTS, Ending, battle_return, drawing_totals
from .players import BATTLE

SESSION = 64
"""The rounds per session. A session begins with a new shoe and uses about six shoes."""
BLOCK = 1 << 19
"""The rounds per block: enough lanes to outweigh the overhead of calls."""

NOT_PLAYED = len(FINALS)
"""The dealer's final index of a round in which the player was bust."""
ENDINGS: tuple[Ending, ...] = tuple(product(FINALS, (*FINALS, None)))
"""The possible endings of rounds."""
KINDS = (len(FINALS), NOT_PLAYED + 1)
"""The numbers of final indices of the player and of the dealer; an ending is a pair of them."""

Ints = npt.NDArray[np.int64]
EndingsListener: TypeAlias = Callable[[Ints], None]
"""Receives the number of times each ending occurred in further rounds, in the order of `ENDINGS`.
"""
Lanes = npt.NDArray[np.intp]
Places = npt.NDArray[np.uint8]


class LaneShoes(Protocol):
    """A shoe for each lane."""

    def begin(self) -> None:
        """Begin a round in every lane."""
        ...

    def draw(self, lanes: Lanes) -> Places:
        """Deal a card in each of these lanes; return the values, 1 for an ace."""
        ...


class InfiniteShoes:
    """Infinite shoes: each card is any of the thirteen ranks."""

    def __init__(self, stream: BitGenerator) -> None:
        self._stream = stream

    def begin(self) -> None:
        """Begin a round: an infinite shoe is never shuffled."""

    def draw(self, lanes: Lanes) -> Places:
        """Deal a card in each of these lanes."""
        ranks = _random_words(self._stream, len(lanes)) * np.uint64(len(RANKS)) >> np.uint64(32)
        return _OF_RANK.take(ranks.astype(np.intp), mode="clip")


class FiniteShoes:
    """Shoes of some decks, shuffled when fewer than 30 cards are left."""

    def __init__(self, stream: BitGenerator, decks: int, lanes: int) -> None:
        pack = np.array([VALUES[card.rank] for card in whole_packs(decks)], np.uint8)
        self._stream, self._size = stream, len(pack)
        # one lane after another; dealt cards are at the end of each lane
        self._cards = np.tile(pack, lanes)
        self._remaining = np.full(lanes, self._size, np.uint64)

    def begin(self) -> None:
        """Begin a round: shuffle the shoes with too few cards."""
        self._remaining[self._remaining < LEAST_STOCK] = self._size

    def draw(self, lanes: Lanes) -> Places:
        """Deal a card in each of these lanes."""
        remaining = self._remaining.take(lanes, mode="clip")
        first = lanes * self._size
        picked = (_random_words(self._stream, len(lanes)) * remaining >> np.uint64(32)).astype(
            np.intp
        )
        picked += first
        remaining -= np.uint64(1)
        last = first + remaining.astype(np.intp)
        values = self._cards.take(picked, mode="clip")
        self._cards[picked] = self._cards.take(last, mode="clip")
        self._cards[last] = values
        self._remaining[lanes] = remaining
        return values


def _random_words(stream: BitGenerator, count: int) -> npt.NDArray[np.uint64]:
    """Return 32-bit random words."""
    words = stream.random_raw(-(-count // 2)).view(np.uint32)[:count]
    return np.asarray(words.astype(np.uint64))


_OF_RANK: Places = np.array([VALUES[rank] for rank in RANKS], np.uint8)


# ---- a round in every lane -------------------------------------------------------------------


def play_rounds(shoes: LaneShoes, lanes: int, rules: Rules) -> Places:
    """Play a round in each lane, and return the endings as indices in `ENDINGS`."""
    shoes.begin()
    everybody = np.arange(lanes)
    players = _next_state(_EMPTY, shoes.draw(everybody))
    dealers = _next_state(_EMPTY, shoes.draw(everybody))
    _draw_on(shoes, players, everybody, _goes_on(BATTLE))
    player_finals = _final_indices().take(players, mode="clip")
    on_14 = player_finals == FINALS.index(SAFE_TOTAL)
    bust = player_finals == FINALS.index(BUST)
    dealers += np.where(on_14, _TO_31, np.uint8(0))
    _draw_on(shoes, dealers, np.flatnonzero(~bust), _goes_on(rules))
    dealer_finals = np.where(
        bust, np.uint8(NOT_PLAYED), _final_indices().take(dealers, mode="clip")
    )
    return player_finals * np.uint8(KINDS[1]) + dealer_finals


def _draw_on(
    shoes: LaneShoes, states: Places, lanes: Lanes, goes_on: npt.NDArray[np.bool_]
) -> None:
    """Draw in these lanes until no hand draws again; lanes that stop are dropped."""
    lane_states = states.take(lanes, mode="clip")
    while True:
        drawing = np.flatnonzero(goes_on.take(lane_states, mode="clip"))
        if not len(drawing):
            return
        lanes = lanes.take(drawing, mode="clip")
        lane_states = _next_state(lane_states.take(drawing, mode="clip"), shoes.draw(lanes))
        states[lanes] = lane_states


# A state is a total as a number, from 0 (no card) to bust. The same states follow a second time for
# the dealer who draws to 31, because the player stands on 14.

_TOTALS = (*(Total(points, soft) for soft in range(3) for points in range(BUST)), Total(BUST))
_TO_31 = np.uint8(len(_TOTALS))
_EMPTY = np.uint8(0)


def _next_state(states: Places | np.uint8, values: Places) -> Places:
    return _steps().take(states * np.uint16(_STEPS) + values, mode="clip")


_STEPS = 16  # steps per state: a power of 2 above the highest value


@memoize()
def _steps() -> Places:
    """Return the next state for each state and value, at `_STEPS` times the state."""
    numbers = {total: number for number, total in enumerate(_TOTALS)}
    steps = np.zeros((2, len(_TOTALS), _STEPS), np.uint8)
    for number, total in enumerate(_TOTALS):
        for value in WEIGHTS:
            next_total = total.plus(value)
            # no hand can have some of these totals, so their next states do not matter
            next_number = numbers.get(next_total, numbers[Total(BUST)])
            steps[:, number, value] = next_number, next_number + _TO_31
    return steps.ravel()


@memoize(maxsize=4)  # rules that are compared
def _goes_on(rules: Rules) -> npt.NDArray[np.bool_]:
    drawing = [drawing_totals(rules, only_31=only_31) for only_31 in (False, True)]
    return np.array([total in totals for totals in drawing for total in _TOTALS])


@memoize()
def _final_indices() -> Places:
    """Return the index in `FINALS` of each state's points.

    No hand ends with another total, because `_goes_on` refuses such rules; they count as bust here.
    """
    points = [total.points if total.points in FINALS else BUST for total in _TOTALS]
    return np.array([FINALS.index(each) for each in points * 2], np.uint8)


# ---- the simulation ----------------------------------------------------------------------------


class DealerBattle(Struct, frozen=True):
    """The results of a simulation: the number of each ending, and the seed that repeats them.

    ``decks`` is ``None`` for an infinite shoe.
    """

    decks: int | None
    seed: int
    rounds: int
    ends: Mapping[Ending, int]


def run_battle(
    rules: Rules,
    rounds: int,
    *,
    decks: int | None = 2,
    seed: int | None = None,
    workers: Workers = ALL_CORES,
    progress: ReportProgress | None = None,
    listener: EndingsListener | None = None,
) -> DealerBattle:
    """Simulate rounds from shoes of some decks, or from infinite shoes if ``decks`` is ``None``.

    ``seed`` is any whole number; without one, the system provides it. The same seed gives the same
    counts with any ``workers``; the default is all cores. ``progress`` receives the number of
    rounds played; an exception in it ends the simulation. ``listener`` receives the endings, more
    often, from the threads that play, and can end the simulation in the same way; it is not used
    with a cluster. Raises ``ValueError`` for fewer than one deck or round, and the errors of
    :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    if decks is not None and decks < 1:
        raise ValueError(f"a shoe must have at least one deck, not {decks}")
    if rounds < 1:
        raise ValueError(f"the number of rounds must be at least 1, not {rounds}")
    if seed is None:
        seed = random_seed()
    counts = count_rounds(
        partial(_play, rules, decks, listener if workers.cluster is None else None),
        _ALL_KINDS,
        rounds,
        seed,
        block=BLOCK,
        at_once=2,
        workers=workers,
        progress=progress,
    )
    return DealerBattle(decks, seed, rounds, count_endings(counts))


_ALL_KINDS = KINDS[0] * KINDS[1]


def _play(
    rules: Rules,
    decks: int | None,
    listener: EndingsListener | None,
    stream: BitGenerator,
    rounds: int,
) -> OutcomeCounts:
    lanes = -(-rounds // SESSION)
    shoes = InfiniteShoes(stream) if decks is None else FiniteShoes(stream, decks, lanes)
    counts = np.zeros(_ALL_KINDS, np.int64)
    for rounds_done in range(0, rounds, lanes):
        ends = play_rounds(shoes, lanes, rules)[: rounds - rounds_done]
        block_counts = np.bincount(ends, minlength=_ALL_KINDS)
        counts += block_counts
        if listener is not None:
            listener(block_counts)
    return counts


def count_endings(counts: Ints) -> dict[Ending, int]:
    """Return the number of each ending, from counts in the order of `ENDINGS`."""
    return {end: n for end, n in zip(ENDINGS, counts.tolist(), strict=True) if n}


_GAINS: Ints = np.array([battle_return(end) - 1 for end in ENDINGS], np.int64)


class BattleStopped(Exception):
    """Raised if the simulation is stopped before it ends."""


class BattleProgress:
    """Collects the results of a simulation from several threads; any thread may read them."""

    def __init__(self, decks: int | None, seed: int) -> None:
        self._decks, self._seed = decks, seed
        self._lock, self._stopped = Lock(), False
        self._counts: Ints = np.zeros(len(ENDINGS), np.int64)
        self._gain_history: list[tuple[int, float]] = []

    def add_rounds(self, counts: Ints) -> None:
        """Count more finished rounds. Raises :class:`BattleStopped` after :meth:`stop`."""
        with self._lock:
            if self._stopped:
                raise BattleStopped
            self._counts += counts
            rounds = int(self._counts.sum())
            self._gain_history.append((rounds, int(self._counts @ _GAINS) / rounds))

    def stop(self) -> None:
        """Stop the simulation at its next progress report."""
        with self._lock:
            self._stopped = True

    @property
    def result(self) -> DealerBattle | None:
        """The results so far, or ``None`` before the first rounds."""
        with self._lock:
            rounds, ends = int(self._counts.sum()), count_endings(self._counts)
        return DealerBattle(self._decks, self._seed, rounds, ends) if rounds else None

    @property
    def gain_history(self) -> tuple[tuple[int, float], ...]:
        """For each report so far, the number of rounds and the average gain per bet of 1."""
        with self._lock:
            return tuple(self._gain_history)
