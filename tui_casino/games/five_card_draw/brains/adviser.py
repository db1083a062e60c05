"""The adviser: what each discard makes of a hand, and how often the hand then wins.

Chances by category are exact. The chance to win the showdown is sampled, with its standard error:
the opponents that are alive hold hands from the cards this seat has not seen, from which the
course's algorithm discards as many as they did, where they have drawn; then all draw from the
same pack. What an opponent bets tells this model nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards import hand_indexing
from ....cards.card import Card, Hand
from ....cards.memo import memoize
from ....cards.poker import (
    CARD_CODES,
    STRENGTHS,
    HandCategory,
    category_of,
    strength_of,
    strengths_of_codes,
)
from ....engine.game import Seat
from ..machine.rules import HAND_CARDS, MOST_FROM_AN_ACE, Positions, every_discard, kept_cards
from ..machine.state import Phase, State
from .odds import CategoryCounts, after_each_discard, algorithm_keeps

SAMPLES = 10_000
"""Deals sampled for all discards together: errors are half a percent at most."""

CACHE_SIZE = 16
"""Positions whose advice is kept: screen, panel and page ask for the same."""

Int32s: TypeAlias = npt.NDArray[np.int32]
Int64s: TypeAlias = npt.NDArray[np.int64]
Shares: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WinEstimate:
    """A sampled share of the pot, ties split, from 0 to 1, and its standard error.

    ``behind`` is the standard error of how much less that is than the best discard's share. All
    discards meet the same deals, so it is smaller than the two errors together.
    """

    chance: float
    error: float
    behind: float


@dataclass(frozen=True, slots=True)
class DiscardAdvice:
    """What may be done with a hand: by discard, the exact categories and the chance to win."""

    hand: Hand
    chances: dict[Positions, CategoryCounts]
    wins: dict[Positions, WinEstimate]

    @property
    def best(self) -> Positions:
        """The discard that won most of the sample; of equal ones the first."""
        return max(self.wins, key=lambda gone: self.wins[gone].chance)


def advise(
    view: State, seat: Seat, *, samples: int = SAMPLES, seed: int | None = None
) -> DiscardAdvice | None:
    """Weigh what a seat may do; after its draw that is only to stand pat.

    All discards meet the same deals, so that differences are surer than the errors say. The seed
    comes from the position if none is given. Gives ``None`` without a hand in play: before the
    deal, after the showdown, for a seat that has folded, and for one whose cards repeat, as those
    of a card file may. The advice for the last positions is kept.
    """
    hand, thrown = view.hands[seat], view.thrown[seat]
    playing = view.phase in (Phase.OPENING, Phase.DRAW, Phase.CLOSING)
    if not playing or len(hand) < HAND_CARDS or seat not in view.alive:
        return None
    if len({*hand, *thrown}) < len(hand) + len(thrown):
        return None
    others = tuple(view.drawn[other] for other in view.alive if other != seat)
    return _advice(hand, thrown, others, view.drawn[seat] is None, samples, seed)


@memoize(maxsize=CACHE_SIZE)
def _advice(
    hand: Hand,
    thrown: Hand,
    others: tuple[int | None, ...],
    waits: bool,
    samples: int,
    seed: int | None,
) -> DiscardAdvice:
    ways: list[Positions] = list(every_discard(hand)) if waits else [()]
    wins = sample_wins(hand, ways, others, thrown, samples=samples, seed=seed)
    exact = after_each_discard(hand)
    return DiscardAdvice(hand, {gone: exact[gone] for gone in ways}, wins)


def sample_wins(
    hand: Hand,
    ways: list[Positions],
    others: Sequence[int | None],
    seen: Hand = (),
    *,
    samples: int = SAMPLES,
    seed: int | None = None,
) -> dict[Positions, WinEstimate]:
    """Sample the chance to win, for each way to discard.

    ``others`` tells for each opponent how many cards he drew, ``None`` before his draw. ``seen``
    are cards that nobody else can have. The first call takes a second more. Raises
    ``ValueError`` for less than two samples.
    """
    if samples < 2:
        raise ValueError(f"an error needs two samples, not {samples}")
    drawn, finals = _played_out(hand, others, seen, samples, seed)
    best = finals.max(axis=0, initial=0)
    equal = (finals == best).sum(axis=0)
    mine = np.cumsum([np.zeros(samples, np.int32), *drawn], axis=0, dtype=np.int32)
    shares = {gone: _shares(hand, gone, mine[len(gone)], best, equal) for gone in ways}
    chances = {gone: float(share.mean()) for gone, share in shares.items()}
    most = shares[max(ways, key=chances.__getitem__)]
    return {
        gone: WinEstimate(chances[gone], _error(share), _error(most - share))
        for gone, share in shares.items()
    }


@dataclass(frozen=True, slots=True)
class SampledRange:
    """What an opponent may hold: the sampled shares of two pair or more, and of a better hand."""

    seat: int
    two_pair: float
    better: float


def sample_ranges(view: State, seat: Seat, *, samples: int = SAMPLES) -> tuple[SampledRange, ...]:
    """Tell what the opponents may hold who are in after the draw; nobody before it.

    The model is that of :func:`advise`. Raises ``ValueError`` unless the hand is five different
    cards.
    """
    if view.phase is not Phase.CLOSING or seat not in view.alive:
        return ()
    hand, rivals = view.hands[seat], tuple(other for other in view.alive if other != seat)
    others = [view.drawn[other] for other in rivals]
    _, finals = _played_out(hand, others, view.thrown[seat], samples)
    mine, pairs = strength_of(hand), np.int32(_least(HandCategory.TWO_PAIR))
    return tuple(
        SampledRange(other, float((held >= pairs).mean()), float((held > mine).mean()))
        for other, held in zip(rivals, finals, strict=True)
    )


def _least(category: HandCategory) -> int:
    return next(strength for strength in STRENGTHS if category_of(strength) >= category)


def _played_out(
    hand: Hand,
    others: Sequence[int | None],
    seen: Hand,
    samples: int,
    seed: int | None = None,
) -> tuple[list[Int32s], npt.NDArray[np.int32]]:
    """Give the codes of what the seat may draw, and the strengths that the others end with."""
    known = [card.index for card in (*hand, *seen)]
    told = [HAND_CARDS + 1 if count is None else count for count in others]
    rng = np.random.default_rng([*told, *known] if seed is None else seed)
    used = np.int64(sum(1 << card for card in known))
    stubs, held, counts = _rivals(rng, others, used, samples)
    drawn = [_draw(rng, stubs) for _ in range(MOST_FROM_AN_ACE)]
    finals = np.empty((len(others), samples), np.int32)
    for rival, (codes, count) in enumerate(zip(held, counts, strict=True)):
        for number in range(int(count.max(initial=0))):
            codes = codes + np.where(count > number, _draw(rng, stubs), 0).astype(np.int32)
        finals[rival] = strengths_of_codes(codes)
    return drawn, finals


@dataclass(frozen=True, slots=True)
class _Deals:
    """All deals: their cards as 52 bits, the codes of those the algorithm keeps, its discards."""

    cards: Int64s
    kept: Int32s
    discards: npt.NDArray[np.uint8]

    def without(self, used: np.int64) -> npt.NDArray[np.bool_]:
        """Tell which of them hold no used card."""
        free = np.empty(len(self.cards), np.bool_)
        for start in range(0, len(free), _BLOCK):
            end = start + _BLOCK
            free[start:end] = self.cards[start:end] & used == 0
        return free

    def among(self, free: npt.NDArray[np.bool_], count: int | None) -> Int64s:
        """Give the numbers of those that are free, with so many discards unless that is unknown."""
        return np.flatnonzero(free if count is None else free & (self.discards == count))


_BLOCK = 1 << 15
"""Deals that are compared at once: what stays in the processor's cache takes half the time."""


@memoize()
def _deals() -> _Deals:
    deals = hand_indexing.all_deals().T
    keeps = algorithm_keeps(deals)
    codes = np.array(CARD_CODES, np.int32)
    cards = np.zeros(hand_indexing.DEAL_COUNT, np.int64)
    held = np.zeros(hand_indexing.DEAL_COUNT, np.int32)
    for place, keep in zip(deals, keeps, strict=True):
        cards |= np.int64(1) << place.astype(np.int64)
        held += np.where(keep, codes[place], 0).astype(np.int32)
    return _Deals(cards, held, (HAND_CARDS - keeps.sum(axis=0)).astype(np.uint8))


def _rivals(
    rng: np.random.Generator, others: Sequence[int | None], used: np.int64, samples: int
) -> tuple[Int64s, list[Int32s], list[npt.NDArray[np.uint8]]]:
    """Deal each opponent a hand: the cards now out of the pack, what each keeps and discards.

    Hands are drawn for all opponents at once and thrown away together where two share a card:
    dealing one after the other would favour hands that leave few to the next.
    """
    deals = _deals()
    free = deals.without(used)
    among = {count: deals.among(free, count) for count in set(others)}
    chosen = np.empty((len(others), 0), np.int64)
    while chosen.shape[1] < samples:
        tried = np.empty((len(others), 2 * samples), np.int64)
        for rival, count in enumerate(others):
            tried[rival] = rng.choice(among[count], 2 * samples)
        together = np.bitwise_or.reduce(deals.cards[tried], axis=0)
        apart = np.bitwise_count(together) == HAND_CARDS * len(others)
        chosen = np.concatenate([chosen, tried[:, apart]], axis=1)
    chosen = chosen[:, :samples]
    out = np.bitwise_or.reduce(deals.cards[chosen], axis=0) | used
    return out, [deals.kept[rival] for rival in chosen], [deals.discards[r] for r in chosen]


def _draw(rng: np.random.Generator, out: Int64s) -> Int32s:
    """Draw a card for each sample, its code, and put it into ``out``."""
    card = rng.integers(0, 52, len(out))
    wanting = np.flatnonzero(out >> card & 1)
    while len(wanting):
        again = rng.integers(0, 52, len(wanting))
        card[wanting] = again
        wanting = wanting[out[wanting] >> again & 1 == 1]
    out |= np.int64(1) << card
    return _CODES[card]


_CODES = np.array(CARD_CODES, np.int32)


def _shares(
    hand: Sequence[Card], gone: Positions, drawn: Int32s, best: Int32s, equal: Int64s
) -> Shares:
    """Give the share of the pot that each sampled deal brings with a discard."""
    if gone:
        held = sum(CARD_CODES[card.index] for card in kept_cards(hand, gone))
        mine = strengths_of_codes(drawn + np.int32(held))
    else:
        mine = np.full(best.shape, strength_of(hand), np.uint16)
    return np.where(mine > best, 1.0, np.where(mine == best, 1 / (1 + equal), 0.0))


def _error(sample: Shares) -> float:
    """Give the standard error of the mean of a sample."""
    return float(sample.std(ddof=1)) / sqrt(len(sample))
