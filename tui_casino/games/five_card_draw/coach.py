"""The coach: what each discard makes of a hand, and how often the hand then wins.

Chances by category are exact. The chance to win the showdown is sampled, with its standard error:
the opponents that are alive get hands from the cards this seat has not seen, and draw by the
course's algorithm, as this seat draws from the same pack. That an opponent bets, or how many
cards he drew, tells this model nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ...cards import PACK, Card, Hand
from ...core import Seat
from ...poker_hands import CODES, bulk_strength_of_codes, strength_of
from .game import Phase, State
from .odds import Chances, after_each_discard, algorithm_keeps
from .rules import HAND_CARDS, MOST_FROM_AN_ACE, Positions, every_discard, kept

SAMPLES = 10_000
"""Deals sampled for all discards together: errors are half a percent at most."""

Int32s: TypeAlias = npt.NDArray[np.int32]
Shares: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Win:
    """A sampled share of the pot, ties split, from 0 to 1, and its standard error."""

    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class Coaching:
    """What may be done with a hand: by discard, the exact categories and the chance to win."""

    hand: Hand
    chances: dict[Positions, Chances]
    wins: dict[Positions, Win]

    @property
    def best(self) -> Positions:
        """The discard that won most of the sample; of equal ones the first."""
        return max(self.wins, key=lambda gone: self.wins[gone].chance)


def coach(
    view: State, seat: Seat, *, samples: int = SAMPLES, seed: int | None = None
) -> Coaching | None:
    """Weigh what a seat may do; after its draw that is only to stand pat.

    All discards meet the same deals, so that differences are surer than the errors say. The seed
    comes from the position if none is given. Gives ``None`` without a hand in play: before the
    deal, after the showdown, and for a seat that has folded.
    """
    hand = view.hands[seat]
    playing = view.phase in (Phase.OPENING, Phase.DRAW, Phase.CLOSING)
    if not playing or len(hand) < HAND_CARDS or seat not in view.alive:
        return None
    drawn = view.drawn[seat] is not None
    ways: list[Positions] = [()] if drawn else list(every_discard(hand))
    others = len(view.alive) - 1
    wins = wins_of(hand, ways, others, view.thrown[seat], samples=samples, seed=seed)
    exact = after_each_discard(hand)
    return Coaching(hand, {gone: exact[gone] for gone in ways}, wins)


def wins_of(
    hand: Hand,
    ways: list[Positions],
    others: int,
    seen: Hand = (),
    *,
    samples: int = SAMPLES,
    seed: int | None = None,
) -> dict[Positions, Win]:
    """Sample the chance to win against so many opponents, for each way to discard.

    ``seen`` are cards that nobody else can have. Raises ``ValueError`` for less than two samples.
    """
    if samples < 2:
        raise ValueError(f"an error needs two samples, not {samples}")
    known = [card.index for card in (*hand, *seen)]
    rng = np.random.default_rng([others, *known] if seed is None else seed)
    out = [card for card in PACK if card.index not in known]
    drawn, rivals = _deal(rng, out, others, samples)
    best, equal = _best(rivals)
    return {gone: _win(hand, gone, drawn, best, equal) for gone in ways}


def _deal(
    rng: np.random.Generator, out: list[Card], others: int, samples: int
) -> tuple[Int32s, Int32s]:
    """Deal codes for this seat to draw, in (4, n), and the final strengths of others, in (o, n)."""
    stub = np.repeat(np.array([[card.index] for card in out], np.int32), samples, axis=1)
    row = np.arange(samples)
    each = HAND_CARDS + MOST_FROM_AN_ACE
    for place in range(MOST_FROM_AN_ACE + others * each):
        other = rng.integers(place, len(stub), samples)
        taken = stub[other, row]
        stub[other, row] = stub[place]
        stub[place] = taken
    codes = np.array(CODES, np.int32)
    finals = np.empty((others, samples), np.int32)
    for number in range(others):
        first = MOST_FROM_AN_ACE + number * each
        held = stub[first : first + HAND_CARDS]
        keeps = algorithm_keeps(held)
        # he keeps an ace at least, so that four cards are enough; each discard has its own
        spare = np.cumsum(~keeps, axis=0) - 1 + first + HAND_CARDS
        final = np.where(keeps, held, stub[np.where(keeps, first, spare), row])
        finals[number] = bulk_strength_of_codes(*codes[final])
    return codes[stub[:MOST_FROM_AN_ACE]], finals


def _best(finals: Int32s) -> tuple[Int32s, Int32s]:
    """Give the best strength of each deal, and how many opponents have it."""
    best = finals.max(axis=0, initial=0)
    return best, np.asarray((finals == best).sum(axis=0), np.int32)


def _win(hand: Hand, gone: Positions, drawn: Int32s, best: Int32s, equal: Int32s) -> Win:
    stay = kept(hand, gone)
    held = sum(CODES[card.index] for card in stay)
    if gone:
        mine = bulk_strength_of_codes(drawn[: len(gone)].sum(axis=0, dtype=np.int32) + held)
    else:
        mine = np.full(best.shape, strength_of(hand), np.uint16)
    shares: Shares = np.where(mine > best, 1.0, np.where(mine == best, 1 / (1 + equal), 0.0))
    return Win(float(shares.mean()), float(shares.std(ddof=1)) / sqrt(len(shares)))
