"""Deal the cards that a seat does not see, in proportion to how the others have acted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .....cards.poker import CARD_CODES, HandCategory, strengths_of_codes, strengths_of_indices
from .....engine.monte_carlo import seeded_generator
from ...machine.rules import HAND_CARDS, MOST_FROM_AN_ACE
from ...machine.state import Phase, State
from ..adviser import draw_cards
from ..odds import algorithm_keeps
from .acts import (
    BOLD_SHARE,
    BettingSpot,
    Bools,
    Floats,
    Int64s,
    PastAct,
    Strengths,
    act_chance,
    past_acts,
    weakest,
)

_POOL = 1 << 13
"""The number of hands from which those of the opponents are chosen."""
_CARELESS = 0.01
"""How often a player draws another number of cards than the algorithm."""
CODES = np.array(CARD_CODES, np.int32)
_SIZE = MOST_FROM_AN_ACE


class Hands(NamedTuple):
    """n hands before and after the draw.

    ``cards`` are the cards dealt, as bits. ``strength`` and ``hope`` are those before the draw;
    ``kept`` is the sum of the codes of the cards kept, and ``drawn`` the number of the others.
    """

    cards: Int64s
    strength: Strengths
    hope: npt.NDArray[np.int8]
    kept: npt.NDArray[np.int32]
    drawn: npt.NDArray[np.int64]

    def take(self, rows: Int64s) -> Hands:
        """Return the hands with these numbers."""
        return Hands._make(field[rows] for field in self)


def deal_hands(
    rng: np.random.Generator, used: int, count: int
) -> tuple[Hands, npt.NDArray[np.uint8]]:
    """Deal hands of unused cards, each from a whole pack; also return the cards, (5, n)."""
    taken = np.full(count, used, np.int64)
    cards = np.array([draw_cards(rng, taken) for _ in range(HAND_CARDS)], np.uint8)
    return read_hands(cards, taken & ~np.int64(used)), cards


def read_hands(cards: npt.NDArray[np.uint8], bits: Int64s) -> Hands:
    """Return what the algorithm makes of n hands in shape (5, n)."""
    strength, keeps = strengths_of_indices(cards.T), algorithm_keeps(cards)
    kept = np.where(keeps, CODES[cards], 0).sum(axis=0, dtype=np.int32)
    drawn = HAND_CARDS - keeps.sum(axis=0)
    hopeful = (drawn == 1) & (strength < weakest(HandCategory.ONE_PAIR))
    suits = np.where(
        keeps, cards // 13, cards[keeps.argmax(axis=0), np.arange(cards.shape[1])] // 13
    )
    flush = (suits == suits[0]).all(axis=0)
    ace = (keeps & (cards % 13 == 0)).any(axis=0)
    hope = np.where(hopeful, np.where(ace & ~flush, 2, 1), 0).astype(np.int8)
    return Hands(bits, strength, hope, kept, drawn)


def natural_keeps(cards: npt.NDArray[np.uint8], number: int) -> npt.NDArray[np.int32]:
    """Return the codes that hands keep if they draw a number of cards: pairs, then high cards."""
    ranks = cards % 13
    high = np.where(ranks == 0, 13, ranks).astype(np.int64)
    counts = (ranks[:, None] == ranks[None]).sum(axis=0)
    order = np.argsort(-(counts * 16 + high), axis=0, kind="stable")[: HAND_CARDS - number]
    kept: npt.NDArray[np.int32] = np.take_along_axis(CODES[cards], order, axis=0).sum(
        axis=0, dtype=np.int32
    )
    return kept


class Deals(NamedTuple):
    """n deals: each seat's hand, level and final strength, and the cards that the seat draws.

    ``bluffs`` are numbers from 0 to 1: a player bluffs if the number is below its bluffing odds.
    They have the shape (n, seats, rounds, decisions).
    """

    strength: Strengths
    hope: npt.NDArray[np.int8]
    final: Strengths
    drawn: Int64s
    bold: Bools
    bluffs: Floats
    own_codes: npt.NDArray[np.int32]


DECISIONS = 6
"""The most decisions of a player in a betting round."""
_MOST_TRIES = 6
"""How often deals are tried for acts after the draw."""


class RangeDealer:
    """Deals the unseen cards of a position in proportion to how likely all acted as they did.

    The same position always gets the same deals, unless another ``salt`` is given.
    """

    def __init__(self, view: State, seat: int, salt: int = 0) -> None:
        self.view, self.seat = view, seat
        self.hand = view.hands[seat]
        self.rivals = [other for other in view.dealt_in if other != seat]
        seen = (*self.hand, *view.thrown[seat])
        self.used = sum(1 << card.index for card in seen)
        self.rng = np.random.Generator(seeded_generator(_seed(view, seat) + salt))
        self.orders = past_acts(view, Phase.OPENING) or [()]
        self.later = past_acts(view, Phase.CLOSING) if view.phase is Phase.CLOSING else []

    def _refill(self) -> None:
        """Deal new hands from which those of the opponents are chosen."""
        self.pool, cards = deal_hands(self.rng, self.used, _POOL)
        self.pools = {other: self._pool_of(other, cards) for other in self.rivals}
        self._chances: dict[tuple[BettingSpot, int], Floats] = {}
        self.weights = [
            [self._weights(order, other) for other in self.rivals] for order in self.orders
        ]
        masses = np.array([np.prod([each.sum() for each in order]) for order in self.weights])
        self.masses = masses / masses.sum()

    def _pool_of(self, other: int, cards: npt.NDArray[np.uint8]) -> tuple[Hands, Floats]:
        """Return the hands of an opponent, and how likely each of them draws as it did."""
        number = self.view.drawn[other]
        if number is None:
            return self.pool, np.ones(_POOL)
        fits = self.pool.drawn == number
        kept = np.where(fits, self.pool.kept, natural_keeps(cards, number)).astype(np.int32)
        drawn = np.full(_POOL, number, np.int64)
        return self.pool._replace(kept=kept, drawn=drawn), np.where(fits, 1.0, _CARELESS)

    def _weights(self, order: Sequence[PastAct], other: int) -> Floats:
        """Return how likely each hand of the pool acts so, for careful and for bold players."""
        _, drew = self.pools[other]
        weights = np.stack([drew * (1 - BOLD_SHARE), drew * BOLD_SHARE])
        for seat, spot, act in order:
            if seat == other:
                weights *= self._chance(spot, act)
        return weights.ravel()

    def _chance(self, spot: BettingSpot, act: int) -> Floats:
        if (spot, act) not in self._chances:
            strength, hope = self.pool.strength, self.pool.hope
            self._chances[spot, act] = np.stack(
                [act_chance(spot, act, strength, hope, bold) for bold in (False, True)]
            )
        return self._chances[spot, act]

    def deal(self, count: int) -> Deals:
        """Deal about this number of deals."""
        self._refill()
        if not any(self.later):
            return self._deal(count)
        found: list[Deals] = []
        for _ in range(_MOST_TRIES):
            deals = self._deal(2 * count)
            weights = self._later_weights(deals)
            rows = np.flatnonzero(self.rng.random(len(weights)) * weights.max() < weights)
            found.append(Deals._make(field[rows] for field in deals))
            if sum(len(each.bold) for each in found) >= count:
                break
        return Deals._make(np.concatenate(fields)[:count] for fields in zip(*found, strict=True))

    def _later_weights(self, deals: Deals) -> Floats:
        total = np.zeros(len(deals.bold))
        for order in self.later:
            weights = np.ones(len(total))
            for seat, spot, act in order:
                if seat != self.seat:
                    bold = deals.bold[:, seat]
                    chances = [
                        act_chance(spot, act, deals.final[:, seat], deals.hope[:, seat], each)
                        for each in (False, True)
                    ]
                    weights *= np.where(bold, chances[1], chances[0])
            total += weights
        return total

    def _deal(self, count: int) -> Deals:
        chosen = self._choose_hands(count)
        seats = len(self.view.stacks)
        out = np.full(count, self.used, np.int64)
        for rows in chosen:
            out |= self.pool.cards[rows % _POOL]
        strength = np.zeros((count, seats), np.uint16)
        hope, final = np.zeros((count, seats), np.int8), np.zeros((count, seats), np.uint16)
        drawn, bold = np.zeros((count, seats), np.int64), np.zeros((count, seats), np.bool_)
        for other, rows in zip(self.rivals, chosen, strict=True):
            hands = self.pools[other][0].take(rows % _POOL)
            bold[:, other] = rows >= _POOL
            strength[:, other], hope[:, other] = hands.strength, hands.hope
            codes, drawn[:, other] = hands.kept, hands.drawn
            for number in range(int(hands.drawn.max(initial=0))):
                more = CODES[draw_cards(self.rng, out)]
                codes = codes + np.where(hands.drawn > number, more, 0).astype(np.int32)
            final[:, other] = strengths_of_codes(codes)
        own_codes = np.zeros((count, _SIZE + 1), np.int32)
        for number in range(_SIZE):
            own_codes[:, number + 1] = own_codes[:, number] + CODES[draw_cards(self.rng, out)]
        bluffs = self.rng.random((count, seats, 2, DECISIONS))
        own = read_hands(
            np.array([[card.index] for card in self.hand], np.uint8), np.zeros(1, np.int64)
        )
        strength[:, self.seat], hope[:, self.seat] = own.strength, own.hope
        final[:, self.seat] = own.strength
        drawn[:, self.seat] = self.view.drawn[self.seat] or 0
        return Deals(strength, hope, final, drawn, bold, bluffs, own_codes)

    def _choose_hands(self, count: int) -> list[Int64s]:
        """Choose hands that share no card: for each opponent, ``count`` rows of its pool."""
        numbers = self.rng.multinomial(count, self.masses)
        parts = [
            self._disjoint(order, int(number))
            for order, number in zip(self.weights, numbers, strict=True)
            if number
        ]
        rows = np.concatenate(parts, axis=1)
        return [*rows[:, self.rng.permutation(count)]]

    def _disjoint(self, order: Sequence[Floats], count: int) -> Int64s:
        sums = [np.cumsum(weights) for weights in order]
        rows = np.empty((len(order), 0), np.int64)
        while rows.shape[1] < count:
            tries = 8 * (count - rows.shape[1]) + 16
            more = np.array(
                [
                    np.minimum(
                        np.searchsorted(each, self.rng.random(tries) * each[-1], "right"),
                        len(each) - 1,
                    )
                    for each in sums
                ]
            )
            cards = np.bitwise_or.reduce(self.pool.cards[more % _POOL], axis=0)
            fits = np.bitwise_count(cards) == HAND_CARDS * len(order)
            rows = np.concatenate([rows, more[:, fits]], axis=1)
        return rows[:, :count]


def _seed(view: State, seat: int) -> int:
    """Return a seed that depends on all that the seat knows."""
    known = [
        *(card.index for card in (*view.hands[seat], *view.thrown[seat])),
        *(60 if count is None else 61 + count for count in view.drawn),
        *view.put_in,
        *view.stacks,
        *view.folded,
    ]
    return int.from_bytes(b"".join(number.to_bytes(4, "little") for number in known), "little")
