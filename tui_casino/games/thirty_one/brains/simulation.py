"""The battle of the dealers by the million: the player plays by the dealer's rule, too.

The player stops on 14, and from 27 on; only a soft 27 he draws to. Rounds are played side by side
in lanes, one step at a time: whoever still draws gets a card. A lane plays a session, rounds one
after the other from a shoe of its own, and each session has its fixed number of rounds. If lanes
stopped after a time instead, short rounds would count too often.

A shoe is shuffled as it is dealt: the next card is any of those that are left, as the shuffle by
Fisher and Yates has it. A number below n is a word of 32 bits times n, cut off, so that no card
is likelier than another by more than one part in 40 million. `bulk` says how blocks are played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import BitGenerator

from ....cards.card import RANKS, whole_packs
from ....cards.memo import memoize
from ....engine.monte_carlo import OutcomeCounts, ReportProgress, count_rounds, random_seed
from ....engine.parallel import ALL_CORES, Workers
from ..machine.rules import FOURTEEN, LEAST_STOCK, VALUES, Rules, Total, dealer_draws
from .odds import BUST, FINALS, WEIGHTS, Ending

SESSION = 64
"""Rounds of a session, which begins with a new shoe: some six shoes."""
BLOCK = 1 << 19
"""Rounds of a block, enough lanes to outweigh the calls."""

NOT_PLAYED = len(FINALS)
"""The dealer's final of a round that the player's bust ends."""
ENDINGS: tuple[Ending, ...] = tuple(product(FINALS, (*FINALS, None)))
"""The ways in which rounds end."""
KINDS = (len(FINALS), NOT_PLAYED + 1)
"""How rounds end: the place of the player's final in `FINALS`, then that of the dealer's."""

Ints = npt.NDArray[np.int64]
EndingsListener: TypeAlias = Callable[[Ints], None]
"""Is told how some rounds more have ended: how many of each kind, in the order of `ENDINGS`."""
Lanes = npt.NDArray[np.intp]
Places = npt.NDArray[np.uint8]


class LaneShoes(Protocol):
    """A shoe for each lane."""

    def begin(self) -> None:
        """Begin a round in every lane."""
        ...

    def draw(self, lanes: Lanes) -> Places:
        """Deal a card in each of these lanes: its value, 1 for an ace."""
        ...


class InfiniteShoes:
    """Shoes without end: each card is any of the thirteen ranks."""

    def __init__(self, stream: BitGenerator) -> None:
        self._stream = stream

    def begin(self) -> None:
        """Begin a round: nothing to do."""

    def draw(self, lanes: Lanes) -> Places:
        """Deal a card in each of these lanes."""
        ranks = _random_words(self._stream, len(lanes)) * np.uint64(len(RANKS)) >> np.uint64(32)
        return _OF_RANK.take(ranks.astype(np.intp), mode="clip")


class FiniteShoes:
    """Shoes of so many decks, shuffled anew when fewer than 30 cards are left."""

    def __init__(self, stream: BitGenerator, decks: int, lanes: int) -> None:
        pack = np.array([VALUES[card.rank] for card in whole_packs(decks)], np.uint8)
        self._stream, self._size = stream, len(pack)
        self._cards = np.tile(pack, lanes)  # lane after lane; what was dealt lies at its end
        self._remaining = np.full(lanes, self._size, np.uint64)

    def begin(self) -> None:
        """Begin a round: shuffle where too few cards are left."""
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
    """Give words of 32 bits."""
    words = stream.random_raw(-(-count // 2)).view(np.uint32)[:count]
    return np.asarray(words.astype(np.uint64))


_OF_RANK: Places = np.array([VALUES[rank] for rank in RANKS], np.uint8)


# ---- a round in every lane -------------------------------------------------------------------


def play_rounds(shoes: LaneShoes, lanes: int, rules: Rules) -> Places:
    """Play a round in each lane, and give how it ends, as a place among `KINDS`."""
    shoes.begin()
    everybody = np.arange(lanes)
    players = _next_state(_EMPTY, shoes.draw(everybody))
    dealers = _next_state(_EMPTY, shoes.draw(everybody))
    _draw_on(shoes, players, everybody, _goes_on(True))
    player_finals = _finals().take(players, mode="clip")
    on_14 = player_finals == FINALS.index(FOURTEEN)
    bust = player_finals == FINALS.index(BUST)
    dealers += np.where(on_14, _TO_31, np.uint8(0))
    _draw_on(shoes, dealers, np.flatnonzero(~bust), _goes_on(rules.dealer_hits_soft))
    dealer_finals = np.where(bust, np.uint8(NOT_PLAYED), _finals().take(dealers, mode="clip"))
    return player_finals * np.uint8(KINDS[1]) + dealer_finals


def _draw_on(
    shoes: LaneShoes, states: Places, lanes: Lanes, goes_on: npt.NDArray[np.bool_]
) -> None:
    """Draw in these lanes until nobody goes on; a lane that stops is left out from then on."""
    lane_states = states.take(lanes, mode="clip")
    while True:
        drawing = np.flatnonzero(goes_on.take(lane_states, mode="clip"))
        if not len(drawing):
            return
        lanes = lanes.take(drawing, mode="clip")
        lane_states = _next_state(lane_states.take(drawing, mode="clip"), shoes.draw(lanes))
        states[lanes] = lane_states


# A state is a total as a number, from 0, where nothing is dealt, to bust; and once more behind
# these for the dealer who draws to 31, because the player stands on 14.

_TOTALS = (*(Total(points, soft) for soft in range(3) for points in range(BUST)), Total(BUST))
_TO_31 = np.uint8(len(_TOTALS))
_EMPTY = np.uint8(0)


def _next_state(states: Places | np.uint8, values: Places) -> Places:
    return _steps().take(states * np.uint16(_STEPS) + values, mode="clip")


_STEPS = 16  # places for the steps from each state: a power of 2 above the greatest value


@memoize()
def _steps() -> Places:
    """Give the state that each state and value lead to, at `_STEPS` times the state."""
    numbers = {total: number for number, total in enumerate(_TOTALS)}
    steps = np.zeros((2, len(_TOTALS), _STEPS), np.uint8)
    for number, total in enumerate(_TOTALS):
        for value in WEIGHTS:
            next_total = total.plus(value)
            # some of these totals no hand can have: what comes of them is all the same
            next_number = numbers.get(next_total, numbers[Total(BUST)])
            steps[:, number, value] = next_number, next_number + _TO_31
    return steps.ravel()


@memoize(maxsize=2)
def _goes_on(hits_soft: bool) -> npt.NDArray[np.bool_]:
    rules = Rules(dealer_hits_soft=hits_soft)
    return np.array(
        [dealer_draws(total, rules, only_31=goal) for goal in (False, True) for total in _TOTALS]
    )


@memoize()
def _finals() -> Places:
    """Give the place of each state's points in `FINALS`; of those that nobody ends on, bust's."""
    points = [total.points if total.points in FINALS else BUST for total in _TOTALS]
    return np.array([FINALS.index(each) for each in points * 2], np.uint8)


# ---- the battle ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DealerBattle:
    """What came of it: how often rounds ended in which way, and the seed that repeats them.

    ``decks`` is ``None`` for a shoe without end.
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
    """Play so many rounds from shoes of so many decks, or without end for ``None``.

    ``seed`` is any whole number; without one the system gives it. The same seed has the same
    counts whoever the ``workers`` are: all cores, if not given. ``progress`` is told the number of
    rounds played; what it raises ends the battle. ``listener`` is told more, and sooner, by the
    threads that play, which it may end in the same way; by a cluster it is told nothing. Raises
    ``ValueError`` for what is out of range, and as :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    if decks is not None and decks < 1:
        raise ValueError(f"a shoe has a deck or more, not {decks}")
    if rounds < 1:
        raise ValueError(f"the number of rounds is 1 or more, not {rounds}")
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
    """Give how often rounds ended in which way, from their numbers in the order of `ENDINGS`."""
    return {end: n for end, n in zip(ENDINGS, counts.tolist(), strict=True) if n}
