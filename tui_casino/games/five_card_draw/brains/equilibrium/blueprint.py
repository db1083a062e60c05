"""The *blueprint*, which is both seats' policies: its file, the arrivals, and lookups of hands.

The first line of the blueprint is JSON, with the metrics of the solution. The rest is compressed
with zlib and has one byte per frequency, in units of 1/120. It contains both seats' policies for
the model with the kernel and for the model with two packs. The first act of each decision is left
out, because frequencies add up to 1. At a decision that a seat's own play never reaches, the
frequencies have no meaning; the file stores the first act there.

The *arrivals* are how often each seat reaches round two with each final hand. Computing them takes
seconds, because every hand is combined with every possible draw. So they are stored next to the
blueprint, compressed with zlib. Only the first three bytes of each four-byte number are stored,
each in a plane of its own. This is exact to one part in 65,536.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from .....cards import hand_indexing
from .....cards.card import Card, Hand
from .....cards.memo import memoize
from .....engine.offers import Dice
from .....inputs.errors import BadInput
from .betting_tree import CLOSES, FIRST, NODES, SEATS
from .hand_buckets import NUMBERS, Floats, class_count, class_of_hand, hand_buckets, play_tables
from .traversal import (
    DRAW,
    PARTS,
    DecisionPoint,
    Policies,
    Policy,
    StoredPolicy,
    policy_shapes,
    state_shares,
)

PATH = Path(__file__).parents[2] / "data" / "equilibrium.zz"
ARRIVALS_PATH = PATH.with_name("arrivals.zz")

T = TypeVar("T")
PolicyPair = tuple[Policies, Policies]
"""The policies in the model with the kernel, and in the model with two packs."""


class SolutionMetrics(Struct, frozen=True):
    """The value of a solution, its exploitability, and its opening frequencies.

    Values are the first seat's, in credits per hand: ``value`` in the model with the kernel;
    ``true_value`` of the same policies with real deals from one pack, with its standard error; and
    ``packs_value`` with two packs. ``exploitability_mb`` is measured in the model. ``true_mb``, the
    better of two tests with real deals, is a lower bound, with its standard error. ``opens`` and
    ``bets_after_check`` are shares of hands. ``facing_bet`` are the shares of the dealer's hands
    that fold, call and raise after a bet.
    """

    value: float
    true_value: float
    true_value_error: float
    exploitability_mb: float
    true_mb: float
    true_error_mb: float
    opens: float
    bets_after_check: float
    facing_bet: tuple[float, float, float]
    packs_value: float
    packs_exploitability_mb: float


class BlueprintHeader(Struct, frozen=True):
    """The header of the file: the sizes of the model, the iterations, and the metrics."""

    buckets: int
    finals: int
    rounds: int
    figures: SolutionMetrics


def unpack_policies(body: bytes, buckets: int, finals: int) -> PolicyPair:
    """Return the policies of both models from the compressed part of the file.

    Raises ``ValueError`` if the data does not fit the numbers of buckets and finals.
    """
    first, second = (unpack_model(body, buckets, finals, model) for model in range(2))
    return first, second


def unpack_model(body: bytes, buckets: int, finals: int, model: int = 0) -> Policies:
    """Return the policies of one of the models, the one with the kernel first.

    The data after the model is not decompressed. Raises the errors of :func:`unpack_policies`.
    """
    orders = [[*policy_order(buckets, finals, seat)] for seat in SEATS]
    size = sum((acts - 1) * prod(shape) for order in orders for _, (acts, *shape) in order)
    try:
        # a byte after the last model shows that the file has too much data
        reader = zlib.decompressobj()
        data = reader.decompress(body, size * (model + 1) + 1)
    except zlib.error as fault:
        raise ValueError(f"not compressed with zlib: {fault}") from None
    if len(data) != size * (model + 1) + (not model) or (model and not reader.eof):
        raise ValueError(f"there are {len(data)} frequencies, but {2 * size} are needed")
    parts, start = np.frombuffer(data, np.uint8), size * model
    policies = []
    for order in orders:
        policy: dict[DecisionPoint, npt.NDArray[np.uint8]] = {}
        for place, (acts, *shape) in order:
            end = start + (acts - 1) * prod(shape)
            policy[place] = parts[start:end].reshape(acts - 1, *shape)
            start = end
        policies.append(StoredPolicy(policy))
    return policies[0], policies[1]


def read_head(path: Path = PATH) -> BlueprintHeader:
    """Read only the header. Raises ``BadInput`` for a file of another kind, and ``OSError``."""
    with path.open("rb") as file:
        return _head(path, file.readline())


def read_blueprint(path: Path = PATH) -> tuple[BlueprintHeader, PolicyPair]:
    """Read the header and the policies, in 0.1 seconds. Raises the errors of :func:`read_head`."""
    return _read(path, unpack_policies)


def read_played_policies(path: Path = PATH) -> Policies:
    """Read only the policies for play. Raises the errors of :func:`read_head`."""
    return _read(path, unpack_model)[1]


def _read(path: Path, unpack: Callable[[bytes, int, int], T]) -> tuple[BlueprintHeader, T]:
    line, _, body = path.read_bytes().partition(b"\n")
    head = _head(path, line)
    try:
        return head, unpack(body, head.buckets, head.finals)
    except ValueError as fault:
        raise _unfit(path, fault) from None


def _head(path: Path, line: bytes) -> BlueprintHeader:
    try:
        fields = json.loads(line)
        figures = fields.pop("figures")
        facing = tuple(figures.pop("facing_bet"))
        return BlueprintHeader(**fields, figures=SolutionMetrics(**figures, facing_bet=facing))
    except (ValueError, TypeError, AttributeError, KeyError) as fault:
        raise _unfit(path, fault) from None


def _unfit(path: Path, fault: Exception) -> BadInput:
    return BadInput(
        f"{path}: not a blueprint file ({fault}); run `make equilibrium` to write it again"
    )


def policy_order(
    buckets: int, finals: int, seat: int
) -> Iterator[tuple[DecisionPoint, tuple[int, ...]]]:
    """Yield the decision points of a seat in the order of the file, with their shapes."""
    yield from sorted(policy_shapes(buckets, finals, seat).items())


# ---- the arrivals --------------------------------------------------------------------------------

TREMBLE = np.float32(1e-4)
"""How often an opponent is assumed to make choices that the blueprint never makes."""

PLANES = (24, 16, 8)
"""The lowest bits of the three stored bytes of a number."""


def add_tremble(policy: Policy) -> Policy:
    """Return a policy that makes every choice with a small probability."""
    return {place: mix_tremble(shares) for place, shares in policy.items()}


def mix_tremble(shares: Floats) -> Floats:
    """Return a decision's frequencies, acts on the first axis, of which none is 0."""
    return shares * (1 - TREMBLE) + TREMBLE / len(shares)


def read_arrivals(path: Path = ARRIVALS_PATH) -> tuple[Floats, Floats]:
    """Read the two arrays of reach probabilities.

    Each has shape (5, 5, closes, finals); the first two axes are the numbers of cards that the
    first seat and the dealer drew. Raises ``BadInput`` for another kind of file, and ``OSError``.
    """
    dealer_known_shape = len(NUMBERS), len(CLOSES), class_count()
    both_known_shape = len(NUMBERS), *dealer_known_shape
    first = prod(dealer_known_shape)
    try:
        planes = np.frombuffer(zlib.decompress(path.read_bytes()), np.uint8)
        planes = planes.reshape(len(PLANES), first + prod(both_known_shape))
    except (zlib.error, ValueError) as fault:
        message = f"{path}: not a file of reach probabilities ({fault}); run `make equilibrium`"
        raise BadInput(message) from None
    bits = sum(
        plane.astype(np.uint32) << shift for plane, shift in zip(planes, PLANES, strict=True)
    )
    shares: Floats = np.asarray(bits, np.uint32).view(np.float32)
    own = np.repeat(shares[:first].reshape(dealer_known_shape)[:, None], len(NUMBERS), axis=1)
    return own, shares[first:].reshape(both_known_shape).copy()


_ACTS = {node.name: node.acts for node in NODES}


class Blueprint:
    """Both seats' policies in the model with the kernel, for lookups of single hands."""

    def __init__(self, policies: Policies) -> None:
        self.policies = policies

    def opening(self, seat: int, name: str, hand: Hand, dice: Dice) -> str:
        """Choose an act of the first round; return its letter."""
        place = DecisionPoint("opening", name)
        frequencies = state_shares(self.policies[seat], place, bucket_of(hand))
        return _ACTS[name][_choose(frequencies, dice)]

    def discards(
        self, seat: int, close_index: int, first_drew: int | None, hand: Hand, dice: Dice
    ) -> tuple[int, ...]:
        """Choose the positions of the cards to discard.

        ``close_index`` is the index in `CLOSES` of how the first round closed. ``first_drew`` is
        the number of cards that the first seat drew; only the dealer knows it.
        """
        known = () if seat == FIRST else (first_drew or 0,)
        state = (*known, close_index, bucket_of(hand))
        frequencies = state_shares(self.policies[seat], DRAW, *state)
        return discard_positions(hand, _choose(frequencies, dice))

    def closing(
        self, seat: int, state: tuple[int, int, int], name: str, hand: Hand, dice: Dice
    ) -> str:
        """Choose an act of the second round; return its letter.

        ``state`` holds how many cards the first seat drew, how many the dealer drew, and how the
        first round closed.
        """
        place = DecisionPoint("closing", name)
        frequencies = state_shares(self.policies[seat], place, *state, class_of_hand(hand))
        return _ACTS[name][_choose(frequencies, dice)]


@memoize()
def blueprint() -> Blueprint:
    """Read the blueprint that ships with the game. The first call takes a twentieth of a second."""
    return Blueprint(read_played_policies())


def _choose(frequencies: Floats, dice: Dice) -> int:
    return int(np.searchsorted(_cumulative_parts(frequencies), dice.below(PARTS), side="right"))


def played_chances(frequencies: Floats) -> list[float]:
    """Return the chances with which a blueprint player makes choices with these frequencies."""
    parts: list[float] = (np.diff(_cumulative_parts(frequencies), prepend=0) / PARTS).tolist()
    return parts


def _cumulative_parts(frequencies: Floats) -> Floats:
    rounded: Floats = np.rint(np.cumsum(frequencies) * PARTS)
    return rounded


def discard_positions(hand: Hand, number: int) -> tuple[int, ...]:
    """Return the positions of the cards that the solution discards if it draws ``number`` cards."""
    place, renamed = _class_and_cards(hand)
    mask = int(hand_buckets().masks[number, place])
    held = {card for bit, card in enumerate(sorted(renamed)) if mask >> bit & 1}
    return tuple(position for position, card in enumerate(renamed, 1) if card not in held)


def bucket_of(hand: Hand) -> int:
    """Return the bucket of a hand."""
    return int(hand_buckets().bucket[_class_and_cards(hand)[0]])


@lru_cache(maxsize=64)  # advice on a hand asks hundreds of times
def _class_and_cards(hand: Hand) -> tuple[int, tuple[int, ...]]:
    """Return the class of a hand, and its card indices with the suits renamed as in the class.

    The suits of a class are sorted by their ranks as bits, in descending order.
    """
    ranks = {card.suit: 0 for card in hand}
    for card in hand:
        ranks[card.suit] |= 1 << _rank(card)
    order = sorted(ranks, key=lambda suit: ranks[suit], reverse=True)
    renamed = tuple(13 * order.index(card.suit) + _rank(card) for card in hand)
    number = hand_indexing.deal_numbers(np.array([sorted(renamed)]))[0]
    return int(np.searchsorted(play_tables().numbers, number)), renamed


def _rank(card: Card) -> int:
    return card.index % 13
