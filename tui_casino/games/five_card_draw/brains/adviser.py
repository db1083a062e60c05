"""The adviser: the final hands that each discard can lead to, and how often they win.

Chances by category are exact. The chance to win the showdown is estimated by sampling, and has a
standard error. Each active opponent holds a hand of cards that this seat has not seen. If the
opponent has already drawn, it is assumed to hold a hand from which the course's algorithm would
discard that number of cards. All players then draw from the same pack. The model ignores the
opponents' bets.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

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
"""The number of deals sampled; all discards share them. Standard errors are at most 0.5%."""

CACHE_SIZE = 16
"""The number of positions with cached advice: screen, panel and page share the advice."""

Int32s: TypeAlias = npt.NDArray[np.int32]
Int64s: TypeAlias = npt.NDArray[np.int64]
Shares: TypeAlias = npt.NDArray[np.float64]


class WinEstimate(Struct, frozen=True):
    """A share of the pot (0 to 1, ties split), estimated by sampling, and its standard error.

    ``error_behind_best`` is the standard error of the difference from the best discard's share. It
    is smaller than the two separate errors suggest, because all discards use the same deals.
    """

    chance: float
    error: float
    error_behind_best: float


class DiscardAdvice(Struct, frozen=True):
    """The advice for a hand: for each discard, exact category counts and the chance to win."""

    hand: Hand
    chances: dict[Positions, CategoryCounts]
    wins: dict[Positions, WinEstimate]

    @property
    def best(self) -> Positions:
        """The discard that won most in the sample; if several tie, the first of them."""
        return max(self.wins, key=lambda discards: self.wins[discards].chance)


def has_hand(view: State, seat: Seat) -> bool:
    """Return whether a seat has a hand in play, of five different cards."""
    hand, discarded = view.hands[seat], view.thrown[seat]
    playing = view.phase in (Phase.OPENING, Phase.DRAW, Phase.CLOSING)
    if not playing or len(hand) < HAND_CARDS or seat not in view.alive:
        return False
    return len({*hand, *discarded}) == len(hand) + len(discarded)


def count_draws(view: State, seat: Seat) -> DiscardAdvice | None:
    """Return the advice without the chances to win, which are sampled and take a second at first.

    Return ``None`` as :func:`advise` does.
    """
    if not has_hand(view, seat):
        return None
    hand = view.hands[seat]
    choices = every_discard(hand) if view.drawn[seat] is None else [()]
    exact = after_each_discard(hand)
    return DiscardAdvice(hand, {discards: exact[discards] for discards in choices}, {})


def advise(
    view: State, seat: Seat, *, samples: int = SAMPLES, seed: int | None = None
) -> DiscardAdvice | None:
    """Analyse all discards that a seat can make; after its draw, analyse only its final hand.

    All discards use the same deals, so the differences between them are more accurate than the
    individual errors suggest. If no ``seed`` is given, it is derived from the position. Return
    ``None`` if the seat has no hand in play: before the deal, after the showdown, after a fold, or
    if the hand contains a card twice, which a deck file may cause. Advice for the latest positions
    is cached.
    """
    if not has_hand(view, seat):
        return None
    hand, discarded = view.hands[seat], view.thrown[seat]
    opponent_draws = tuple(view.drawn[other] for other in view.alive if other != seat)
    return _advice(hand, discarded, opponent_draws, view.drawn[seat] is None, samples, seed)


@memoize(maxsize=CACHE_SIZE)
def _advice(
    hand: Hand,
    discarded: Hand,
    opponent_draws: tuple[int | None, ...],
    may_draw: bool,
    samples: int,
    seed: int | None,
) -> DiscardAdvice:
    choices: list[Positions] = list(every_discard(hand)) if may_draw else [()]
    wins = sample_wins(hand, choices, opponent_draws, discarded, samples=samples, seed=seed)
    exact = after_each_discard(hand)
    return DiscardAdvice(hand, {discards: exact[discards] for discards in choices}, wins)


def sample_wins(
    hand: Hand,
    choices: list[Positions],
    opponent_draws: Sequence[int | None],
    known_cards: Hand = (),
    *,
    samples: int = SAMPLES,
    seed: int | None = None,
) -> dict[Positions, WinEstimate]:
    """Estimate the chance to win with each set of discards by sampling.

    ``opponent_draws`` holds the number of cards that each opponent drew, ``None`` before the draw.
    ``known_cards`` are cards that nobody else can have. The first call takes a second longer.
    Raises ``ValueError`` for fewer than two samples.
    """
    if samples < 2:
        raise ValueError(f"a standard error needs at least two samples, not {samples}")
    drawn, finals = _sample_showdowns(hand, opponent_draws, known_cards, samples, seed)
    best = finals.max(axis=0, initial=0)
    equal = (finals == best).sum(axis=0)
    drawn_codes = np.cumsum([np.zeros(samples, np.int32), *drawn], axis=0, dtype=np.int32)
    shares = {
        discards: _shares(hand, discards, drawn_codes[len(discards)], best, equal)
        for discards in choices
    }
    chances = {discards: float(share.mean()) for discards, share in shares.items()}
    best_share = shares[max(choices, key=chances.__getitem__)]
    return {
        discards: WinEstimate(chances[discards], _error(share), _error(best_share - share))
        for discards, share in shares.items()
    }


class SampledRange(Struct, frozen=True):
    """Sampled chances that an opponent has at least two pair, and that it beats the seat's hand."""

    seat: int
    two_pair: float
    stronger: float


def sample_ranges(view: State, seat: Seat, *, samples: int = SAMPLES) -> tuple[SampledRange, ...]:
    """Estimate the ranges of the opponents still in after the draw; empty at other times.

    The model is that of :func:`advise`. Raises ``ValueError`` unless the hand is five different
    cards.
    """
    if view.phase is not Phase.CLOSING or seat not in view.alive:
        return ()
    hand, rivals = view.hands[seat], tuple(other for other in view.alive if other != seat)
    opponent_draws = [view.drawn[other] for other in rivals]
    _, finals = _sample_showdowns(hand, opponent_draws, view.thrown[seat], samples)
    own_strength, pairs = strength_of(hand), np.int32(_weakest_strength(HandCategory.TWO_PAIR))
    return tuple(
        SampledRange(
            other, float((strengths >= pairs).mean()), float((strengths > own_strength).mean())
        )
        for other, strengths in zip(rivals, finals, strict=True)
    )


def _weakest_strength(category: HandCategory) -> int:
    return next(strength for strength in STRENGTHS if category_of(strength) >= category)


def _sample_showdowns(
    hand: Hand,
    opponent_draws: Sequence[int | None],
    known_cards: Hand,
    samples: int,
    seed: int | None = None,
) -> tuple[list[Int32s], npt.NDArray[np.int32]]:
    """Return the codes of up to four drawn cards, and the opponents' final strengths."""
    card_numbers = [card.index for card in (*hand, *known_cards)]
    draw_seed = [HAND_CARDS + 1 if count is None else count for count in opponent_draws]
    rng = np.random.default_rng([*draw_seed, *card_numbers] if seed is None else seed)
    used = np.int64(sum(1 << card for card in card_numbers))
    stubs, kept_codes, counts = _deal_opponents(rng, opponent_draws, used, samples)
    drawn = [_CODES[draw_cards(rng, stubs)] for _ in range(MOST_FROM_AN_ACE)]
    finals = np.empty((len(opponent_draws), samples), np.int32)
    for rival, (codes, count) in enumerate(zip(kept_codes, counts, strict=True)):
        for number in range(int(count.max(initial=0))):
            drawn_codes = _CODES[draw_cards(rng, stubs)]
            codes = codes + np.where(count > number, drawn_codes, 0).astype(np.int32)
        finals[rival] = strengths_of_codes(codes)
    return drawn, finals


class _Deals(Struct, frozen=True):
    """All deals: their cards as 52 bits, the codes of the cards kept, and the discard counts."""

    cards: Int64s
    kept_codes: Int32s
    discards: npt.NDArray[np.uint8]

    def disjoint_from(self, used: np.int64) -> npt.NDArray[np.bool_]:
        """Return a mask of the deals that contain no used card."""
        mask = np.empty(len(self.cards), np.bool_)
        for start in range(0, len(mask), _BLOCK):
            end = start + _BLOCK
            mask[start:end] = self.cards[start:end] & used == 0
        return mask

    def with_discard_count(self, mask: npt.NDArray[np.bool_], count: int | None) -> Int64s:
        """Return the indices of the masked deals that discard ``count`` cards, or any number."""
        return np.flatnonzero(mask if count is None else mask & (self.discards == count))


_BLOCK = 1 << 15
"""Deals compared together; a block that fits the processor's cache halves the time."""


@memoize()
def _deals() -> _Deals:
    """List all deals, block by block, so that little memory is needed in between."""
    codes, every = np.array(CARD_CODES, np.int32), hand_indexing.all_deals()
    cards = np.zeros(len(every), np.int64)
    codes_kept, discards = np.zeros(len(every), np.int32), np.zeros(len(every), np.uint8)
    for start in range(0, len(every), _BLOCK):
        block = slice(start, start + _BLOCK)
        deals = every[block].T
        keeps = algorithm_keeps(deals)
        for cards_at, keep in zip(deals, keeps, strict=True):
            cards[block] |= np.int64(1) << cards_at.astype(np.int64)
            codes_kept[block] += np.where(keep, codes[cards_at], 0).astype(np.int32)
        discards[block] = HAND_CARDS - keeps.sum(axis=0)
    return _Deals(cards, codes_kept, discards)


def _deal_opponents(
    rng: np.random.Generator, opponent_draws: Sequence[int | None], used: np.int64, samples: int
) -> tuple[Int64s, list[Int32s], list[npt.NDArray[np.uint8]]]:
    """Deal each opponent a hand; return the cards out of the pack, kept codes, and discard counts.

    Hands are drawn for all opponents together, and rejected together if two share a card. Dealing
    one opponent after the other would favour hands that leave few cards for the next.
    """
    deals = _deals()
    free = deals.disjoint_from(used)
    candidates = {count: deals.with_discard_count(free, count) for count in set(opponent_draws)}
    chosen = np.empty((len(opponent_draws), 0), np.int64)
    while chosen.shape[1] < samples:
        attempts = np.empty((len(opponent_draws), 2 * samples), np.int64)
        for rival, count in enumerate(opponent_draws):
            attempts[rival] = rng.choice(candidates[count], 2 * samples)
        cards_held = np.bitwise_or.reduce(deals.cards[attempts], axis=0)
        disjoint = np.bitwise_count(cards_held) == HAND_CARDS * len(opponent_draws)
        chosen = np.concatenate([chosen, attempts[:, disjoint]], axis=1)
    chosen = chosen[:, :samples]
    out_of_pack = np.bitwise_or.reduce(deals.cards[chosen], axis=0) | used
    return (
        out_of_pack,
        [deals.kept_codes[rival] for rival in chosen],
        [deals.discards[r] for r in chosen],
    )


def draw_cards(rng: np.random.Generator, out_of_pack: Int64s) -> Int64s:
    """Draw a card for each sample; return its index, and add the card to ``out_of_pack``."""
    card = rng.integers(0, 52, len(out_of_pack))
    retry = np.flatnonzero(out_of_pack >> card & 1)
    while len(retry):
        redrawn = rng.integers(0, 52, len(retry))
        card[retry] = redrawn
        retry = retry[out_of_pack[retry] >> redrawn & 1 == 1]
    out_of_pack |= np.int64(1) << card
    return card


_CODES = np.array(CARD_CODES, np.int32)


def _shares(
    hand: Sequence[Card], discards: Positions, drawn: Int32s, best: Int32s, ties: Int64s
) -> Shares:
    """Return the share of the pot that a discard wins in each sampled deal."""
    if discards:
        kept_code = sum(CARD_CODES[card.index] for card in kept_cards(hand, discards))
        own_strengths = strengths_of_codes(drawn + np.int32(kept_code))
    else:
        own_strengths = np.full(best.shape, strength_of(hand), np.uint16)
    return np.where(own_strengths > best, 1.0, np.where(own_strengths == best, 1 / (1 + ties), 0.0))


def _error(sample: Shares) -> float:
    """Return the standard error of the mean of a sample."""
    return float(sample.std(ddof=1)) / sqrt(len(sample))
