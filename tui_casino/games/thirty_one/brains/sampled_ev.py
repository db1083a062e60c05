"""The EV of each choice, estimated by sampling, for rounds that could use up the shoe.

If no card is left during a round, the cards of earlier rounds are shuffled in and dealt. So the
rest of the shoe is shuffled for each of several hundred rounds, followed by the discards. Every
choice is tried with the same cards. The round continues with perfect play for an infinite shoe,
which gains a little less than perfect play for this shoe. The standard errors are a few hundredths
of a bet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import TypeVar

from msgspec import Struct

from ..machine.rules import LIMIT, SAFE_TOTAL, Rules, Total, dealer_draws, payout
from .odds import WEIGHTS, HandInPlay, PerfectPlay, PlayerChoice, card_total
from .split_odds import SplitEstimate

ROUNDS = 400
"""The number of rounds dealt for each choice; dealing and playing them takes about 100 ms."""
LEAST = 2
"""The stated error is at least this number divided by the rounds: rare events may be missing."""


class SampledPosition(Struct, frozen=True):
    """A decision, with cards by value: the hand, the waiting hands, and the cards left and used.

    ``hands`` is the current number of hands, and ``most_hands`` the most that splitting can make.
    An open side bet pays back ``insurance_return`` on 31. If this decision opens the side bet
    (``insurance_opened``), the EVs include its whole gain. Otherwise they include only how much a
    hand that stands on 14 increases that gain.
    """

    hand: tuple[int, ...]
    waiting_hands: tuple[tuple[int, ...], ...]
    up_card: int
    remaining: tuple[int, ...]
    discards: tuple[int, ...]
    rules: Rules
    hands: int
    most_hands: int
    insurance_return: float = 0.0
    insurance_opened: bool = False


C = TypeVar("C", PlayerChoice, None)


def sample_values(
    position: SampledPosition, choices: Sequence[C], play: PerfectPlay, rounds: int = ROUNDS
) -> dict[C, SplitEstimate]:
    """Return the EV of each choice for a bet of 1; ``None`` as a choice means the best one.

    ``play`` is the perfect play against the up card, used after the choice. The result is always
    the same, because the seed is derived from the position.
    """
    dice = Random(_seed_text(position, rounds))
    table = _Table(position, play)
    gains: dict[C, list[float]] = {choice: [] for choice in choices}
    for _ in range(rounds):
        order, ranks = _order(dice, position), dice.randrange(1 << 32)
        for choice in choices:
            gains[choice].append(table.gain(choice, _cards(order, ranks)))
    return {one: _estimate(each) for one, each in gains.items()}


def _seed_text(position: SampledPosition, rounds: int) -> str:
    """Return the seed of the dice. It contains old names so that each position keeps its sample."""
    return (
        f"(Moment(hand={position.hand!r}, waiting={position.waiting_hands!r},"
        f" up={position.up_card!r}, left={position.remaining!r}, gone={position.discards!r},"
        f" rules={position.rules!r}, hands={position.hands!r}, most={position.most_hands!r},"
        f" back={position.insurance_return!r}, opened={position.insurance_opened!r}), {rounds!r})"
    )


def _estimate(gains: list[float]) -> SplitEstimate:
    error = stdev(gains) / sqrt(len(gains))
    return SplitEstimate(fmean(gains), max(error, LEAST / len(gains)))


def _order(dice: Random, position: SampledPosition) -> list[int]:
    """Shuffle the cards left, followed by the shuffled discards."""
    order = []
    for counts in (position.remaining, position.discards):
        pack = [value for value, count in enumerate(counts, 1) for _ in range(count)]
        dice.shuffle(pack)
        order += pack
    return order


def _cards(order: list[int], seed: int) -> Iterator[int]:
    """Yield the cards, and then random cards if even the discards are not enough."""
    yield from order
    dice, ranks = Random(seed), [v for v, weight in WEIGHTS.items() for _ in range(weight)]
    while True:
        yield dice.choice(ranks)


class _Table:
    """Plays rounds from a position to their end."""

    def __init__(self, position: SampledPosition, play: PerfectPlay) -> None:
        self._position, self._play = position, play
        self._cache: dict[HandInPlay, PlayerChoice] = {}

    def gain(self, choice: PlayerChoice | None, cards: Iterator[int]) -> float:
        """Return the gain of a choice in a round; waiting hands only use up cards."""
        position, hand_count = self._position, self._position.hands
        pending = deque([(list(position.hand), True)])
        pending += [(list(hand), False) for hand in position.waiting_hands]
        finished: list[tuple[Total, int]] = []
        forced = choice
        while pending:
            hand, is_ours = pending.popleft()
            bet, total = 1, _total(hand)
            while bet == 1 and total.points < LIMIT:
                move, forced = forced or self._best(hand, total, hand_count), None
                if move is PlayerChoice.STAND:
                    break
                if move is PlayerChoice.SPLIT:
                    hand_count += 1
                    first, other = hand
                    hand = [first, next(cards)]
                    pending.appendleft(([other, next(cards)], is_ours))
                else:
                    hand.append(next(cards))
                    bet = 2 if move is PlayerChoice.DOUBLE else 1
                total = _total(hand)
            if is_ours:
                finished.append((total, bet))
        return self._settle(finished, cards)

    def _best(self, hand: list[int], total: Total, hand_count: int) -> PlayerChoice:
        pair = len(hand) == 2 and hand[0] == hand[1] and hand_count < self._position.most_hands
        holding = HandInPlay(total, min(len(hand), 3), pair, hand_count)
        if holding not in self._cache:
            values = self._play.values(holding)
            self._cache[holding] = max(values, key=lambda choice: values[choice])
        return self._cache[holding]

    def _settle(self, finished: list[tuple[Total, int]], cards: Iterator[int]) -> float:
        position = self._position
        if not position.insurance_return and all(total.bust for total, _ in finished):
            return -sum(bet for _, bet in finished)
        usual_total = last_total = self._deal_to_dealer(
            card_total(position.up_card), cards, only_31=False
        )
        gain = (
            position.insurance_return * (usual_total.points == LIMIT) - 1
            if position.insurance_opened
            else 0.0
        )
        if any(total.points == SAFE_TOTAL for total, _ in finished):
            last_total = self._deal_to_dealer(usual_total, cards, only_31=True)
            gain += position.insurance_return * (
                (last_total.points == LIMIT) - (usual_total.points == LIMIT)
            )
        for total, bet in finished:
            on_14 = total.points == SAFE_TOTAL
            end = (last_total if on_14 else usual_total).points
            gain += -bet if total.bust else bet * (payout(1, total.points, end, on_14=on_14) - 1)
        return gain

    def _deal_to_dealer(self, total: Total, cards: Iterator[int], *, only_31: bool) -> Total:
        while dealer_draws(total, self._position.rules, only_31=only_31):
            total = total.plus(next(cards))
        return total


def _total(hand: Sequence[int]) -> Total:
    total = Total(0)
    for value in hand:
        total = total.plus(value)
    return total
