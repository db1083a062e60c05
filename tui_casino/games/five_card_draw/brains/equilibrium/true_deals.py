"""How much can be won of a policy on true deals, from one pack: two tests, each a lower bound.

No best response of the true game is known. Each test plays one that is not the best but good,
chosen without sight of the deals on which it is measured; what it wins there more than the policy
itself in the same seat, added up for both seats and halved, is no more than the exploitability.
Deals weigh all that may be bet on them, so that only the cards are left to chance.

- `by_class` learns from other deals: how often its finals meet those of the policy, in place of
  what the kernel says of it, and plays the best response to that after the draw.
- `by_own_cards` knows all the cards that it has seen, those thrown among them, and weighs the
  policy's finals after the draw by the kernel of just these cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import kernel
from .dealt import Side, deal
from .hands import NUMBERS, Floats
from .model import Model
from .passes import DRAW, Decide, Place, Policies, Policy, follow, reach
from .response import best, by
from .second_round import State, ends_expected, here, play
from .tree import CLOSES, ENDS, FIRST, NODES, ROOT, SEATS, Close

STATES: tuple[State, ...] = tuple(
    (first, dealer, way) for first in NUMBERS for dealer in NUMBERS for way in range(len(CLOSES))
)

BLOCK = 50_000

_LEARNED, _HELD_OUT = 0, 1  # parts of the seed: no deal may be learned from and measured on


class Bound(NamedTuple):
    """At least so many mb can be won, and the standard error of that."""

    mb: float
    error: float


def by_class(model: Model, policies: Policies, learned: int, held_out: int, seed: int = 1) -> Bound:
    """Learn a best response by class on so many deals, and play it on others."""
    met = _met(model, policies, learned, seed)
    replies = [_reply(model, policies, met, seat) for seat in SEATS]
    gains = np.empty(0)
    for start in range(0, held_out, BLOCK):
        sides = deal(min(BLOCK, held_out - start), seed, _HELD_OUT, start)
        gain = np.zeros(len(sides[0].bucket))
        for (first, dealer, way), rows, weight in _played(policies, sides):
            at = first, dealer, way
            finals = sides[0].final[first, rows], sides[1].final[dealer, rows]
            for seat in SEATS:
                of_own, of_other = finals[seat], finals[1 - seat]
                met_here = _ends_met(policies[1 - seat], seat, at, of_own, of_other)
                new, old = (
                    play(seat, way, met_here, by(here(policy, at, of_own)))
                    for policy in (replies[seat], policies[seat])
                )
                gain[rows] += weight * (new - old)
        gains = np.concatenate([gains, gain])
    return _bound(gains)


def by_own_cards(model: Model, policies: Policies, deals: int, seed: int = 2) -> Bound:
    """Answer with the best by all cards seen, on so many deals."""
    reached = [reach(model, seat, policies[seat]) for seat in SEATS]
    gains = np.empty(0)
    for start in range(0, deals, BLOCK):
        sides = deal(min(BLOCK, deals - start), seed, _HELD_OUT, start)
        gain = np.zeros(len(sides[0].bucket))
        for (first, dealer, way), rows, weight in _played(policies, sides):
            at = first, dealer, way
            for seat in SEATS:
                number = at[seat], at[1 - seat]
                own, other = sides[seat], sides[1 - seat]
                of_own, of_other = own.final[number[0], rows], other.final[number[1], rows]
                likely = _likely(own.ranks[number[0], rows], number[1])
                likely *= reached[1 - seat].closing[""][at]
                expected = ends_expected(policies[1 - seat], seat, at, of_own, likely)
                chosen: dict[Place, Floats] = {}
                play(seat, way, expected, _noting(chosen))
                met = _ends_met(policies[1 - seat], seat, at, of_own, of_other)
                new = play(seat, way, met, by(chosen))
                old = play(seat, way, met, by(here(policies[seat], at, of_own)))
                gain[rows] += weight * (new - old)
        gains = np.concatenate([gains, gain])
    return _bound(gains)


def _bound(gains: npt.NDArray[np.float64]) -> Bound:
    """Both seats gained, in sb: the mean over the two, in mb."""
    mb = 1000 * gains / 2
    return Bound(float(mb.mean()), float(mb.std() / np.sqrt(len(mb))))


# ---- who comes to the second round ---------------------------------------------------------------

_RARE = 1e-4
"""What is played less often on a deal is left out: it changes less than the last digit told."""


def _played(
    policies: Policies, sides: tuple[Side, Side]
) -> Iterator[tuple[State, npt.NDArray[np.intp], Floats]]:
    """Give by state the deals that come there, and with what chance."""
    first, dealer = sides
    ways = []
    for seat, side in enumerate(sides):
        begun = np.ones(1, np.float32)
        round_of = follow(ROOT, seat, _opening(policies[seat], side), "opening", begun)
        ways.append([np.broadcast_to(round_of[close.name], side.bucket.shape) for close in CLOSES])
    draws = policies[0][DRAW][:, :, first.bucket], policies[1][DRAW][:, :, :, dealer.bucket]
    for one, other, way in STATES:
        weight = ways[0][way] * ways[1][way] * draws[0][one, way] * draws[1][other, one, way]
        rows = np.flatnonzero(weight > _RARE)
        if len(rows):
            yield (one, other, way), rows, weight[rows]


def _opening(policy: Policy, side: Side) -> Policy:
    return {
        place: shares[:, side.bucket]
        for place, shares in policy.items()
        if place.phase == "opening"
    }


# ---- the second round ----------------------------------------------------------------------------


def _ends_met(
    policy: Policy,
    seat: int,
    at: State,
    own: npt.NDArray[np.int32],
    other: npt.NDArray[np.int32],
) -> dict[str, Floats]:
    """Give how often the other's finals come to each end, and whom they beat there."""
    round_of = follow(ROOT, 1 - seat, here(policy, at, other), "closing", np.ones(1, np.float32))
    sign = np.sign(own - other).astype(np.float32)
    return {
        end.name: round_of[end.name] * (sign if isinstance(end, Close) else np.float32(1))
        for end in ENDS
    }


def _noting(chosen: dict[Place, Floats]) -> Decide:
    def decide(place: Place, worths: Floats) -> Floats:
        act = worths.argmax(axis=0)
        chosen[place] = (np.arange(len(worths))[:, None] == act).astype(np.float32)
        return best(place, worths)

    return decide


def _likely(ranks: npt.NDArray[np.uint8], number: int) -> Floats:
    """Give the kernel of the cards seen, (n, 13), with finals that drew so many, (n, finals)."""
    seen = kernel.seen()[number][0]
    likely: Floats = np.ones((len(ranks), len(seen)), np.float32)
    for rank in range(kernel.RANKS):
        likely *= (kernel.SHARES @ seen[:, rank].T).astype(np.float32)[ranks[:, rank]]
    return likely


# ---- learning by class ---------------------------------------------------------------------------

TRUST = 3000
"""The kernel counts as much for a final as so many deals on which it was met."""


def _met(model: Model, policies: Policies, deals: int, seed: int) -> Floats:
    """Count how often each two finals meet in each state: (5, 5, 9, finals, finals)."""
    count = model.finals
    met = np.zeros((len(NUMBERS), len(NUMBERS), len(CLOSES), count * count), np.float32)
    for start in range(0, deals, BLOCK):
        sides = deal(min(BLOCK, deals - start), seed, _LEARNED, start)
        for at, rows, weight in _played(policies, sides):
            pair = sides[0].final[at[0], rows] * count + sides[1].final[at[1], rows]
            np.add.at(met[at], pair, weight)
    return met.reshape(*met.shape[:3], count, count)


def _reply(model: Model, policies: Policies, met: Floats, seat: int) -> Policy:
    """Find the best response after the draw to what was met, and to the kernel where it was not."""
    own, other = (reach(model, one, policies[one]).closing[""] for one in (seat, 1 - seat))
    shapes = {node.name: len(node.acts) for node in NODES if node.seat == seat}
    reply = {
        Place("closing", name): np.zeros((acts, *met.shape[:3], model.finals), np.float32)
        for name, acts in shapes.items()
    }
    finals = np.arange(model.finals, dtype=np.int32)
    for at in STATES:
        show = model.show[at[:2]]
        counted = met[at]
        if seat != FIRST:
            show, counted = show.T, counted.T
        likely = own[at][:, None] * show * other[at]
        whole = likely.sum(axis=1, keepdims=True)
        prior = np.where(whole > 0, likely / np.where(whole > 0, whole, 1), show * other[at])
        chosen: dict[Place, Floats] = {}
        expected = ends_expected(policies[1 - seat], seat, at, finals, counted + TRUST * prior)
        play(seat, at[2], expected, _noting(chosen))
        for place, acts in chosen.items():
            reply[place][(slice(None), *at)] = acts
    return reply
