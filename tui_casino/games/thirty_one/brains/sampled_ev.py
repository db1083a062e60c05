"""A round that could use the shoe up, dealt out: what each choice gains, sampled.

Where no card is left in mid-round, those of the rounds before are shuffled in and dealt on. So what
is left is shuffled for each of some hundred rounds, and the discards behind it; each choice meets
the same cards, and is played on by what is best of an infinite shoe. That is a little less than the
best play gains; the standard errors are some hundredths of a bet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import TypeVar

from ..machine.rules import FOURTEEN, LIMIT, Rules, Total, dealer_draws, payout
from .odds import WEIGHTS, HandInPlay, PerfectPlay, PlayerChoice, up_card
from .split_odds import SplitEstimate

ROUNDS = 400
"""So many rounds are dealt for each choice; some 100 ms."""
LEAST = 2
"""No less than this in all rounds is stated as error: what is seldom may not have come at all."""


@dataclass(frozen=True, slots=True)
class SampledPosition:
    """What is decided, cards by value: the hand, others that wait, what is left, what is gone.

    ``hands`` there are, ``most`` may be made. ``back`` is what an open side bet returns on 31; if
    it is ``opened`` only now, it counts itself, else what a 14 changes in it.
    """

    hand: tuple[int, ...]
    waiting: tuple[tuple[int, ...], ...]
    up: int
    left: tuple[int, ...]
    gone: tuple[int, ...]
    rules: Rules
    hands: int
    most: int
    back: float = 0.0
    opened: bool = False


C = TypeVar("C", PlayerChoice, None)


def sample_values(
    moment: SampledPosition, choices: Sequence[C], play: PerfectPlay, rounds: int = ROUNDS
) -> dict[C, SplitEstimate]:
    """Give what each choice gains for a bet of 1, ``None`` for the best one; always the same.

    ``play`` is the best play against the up card, which follows.
    """
    dice = Random(repr((moment, rounds)))
    table = _Table(moment, play)
    gains: dict[C, list[float]] = {choice: [] for choice in choices}
    for _ in range(rounds):
        order, ranks = _order(dice, moment), dice.randrange(1 << 32)
        for choice in choices:
            gains[choice].append(table.gain(choice, _cards(order, ranks)))
    return {one: _estimate(each) for one, each in gains.items()}


def _estimate(gains: list[float]) -> SplitEstimate:
    error = stdev(gains) / sqrt(len(gains))
    return SplitEstimate(fmean(gains), max(error, LEAST / len(gains)))


def _order(dice: Random, moment: SampledPosition) -> list[int]:
    """Shuffle what is left, and behind it what was dealt before."""
    order = []
    for counts in (moment.left, moment.gone):
        pack = [value for value, count in enumerate(counts, 1) for _ in range(count)]
        dice.shuffle(pack)
        order += pack
    return order


def _cards(order: list[int], seed: int) -> Iterator[int]:
    """Deal them; should not even the discards be enough, any cards after them."""
    yield from order
    dice, ranks = Random(seed), [v for v, weight in WEIGHTS.items() for _ in range(weight)]
    while True:
        yield dice.choice(ranks)


class _Table:
    """Plays rounds out from a moment."""

    def __init__(self, moment: SampledPosition, play: PerfectPlay) -> None:
        self._moment, self._play = moment, play
        self._known: dict[HandInPlay, PlayerChoice] = {}

    def gain(self, choice: PlayerChoice | None, cards: Iterator[int]) -> float:
        """Give what a choice gains in a round; of hands that wait only their cards count."""
        moment, made = self._moment, self._moment.hands
        todo = deque([(list(moment.hand), True)])
        todo += [(list(hand), False) for hand in moment.waiting]
        ended: list[tuple[Total, int]] = []
        forced = choice
        while todo:
            hand, ours = todo.popleft()
            bet, total = 1, _total(hand)
            while bet == 1 and total.points < LIMIT:
                now, forced = forced or self._best(hand, total, made), None
                if now is PlayerChoice.STAND:
                    break
                if now is PlayerChoice.SPLIT:
                    made += 1
                    first, other = hand
                    hand = [first, next(cards)]
                    todo.appendleft(([other, next(cards)], ours))
                else:
                    hand.append(next(cards))
                    bet = 2 if now is PlayerChoice.DOUBLE else 1
                total = _total(hand)
            if ours:
                ended.append((total, bet))
        return self._settled(ended, cards)

    def _best(self, hand: list[int], total: Total, made: int) -> PlayerChoice:
        pair = len(hand) == 2 and hand[0] == hand[1] and made < self._moment.most
        holding = HandInPlay(total, min(len(hand), 3), pair, made)
        if holding not in self._known:
            values = self._play.values(holding)
            self._known[holding] = max(values, key=lambda choice: values[choice])
        return self._known[holding]

    def _settled(self, ended: list[tuple[Total, int]], cards: Iterator[int]) -> float:
        moment = self._moment
        if not moment.back and all(total.bust for total, _ in ended):
            return -sum(bet for _, bet in ended)
        usual = last = self._dealt(up_card(moment.up), cards, only_31=False)
        gain = moment.back * (usual.points == LIMIT) - 1 if moment.opened else 0.0
        if any(total.points == FOURTEEN for total, _ in ended):
            last = self._dealt(usual, cards, only_31=True)
            gain += moment.back * ((last.points == LIMIT) - (usual.points == LIMIT))
        for total, bet in ended:
            on_14 = total.points == FOURTEEN
            end = (last if on_14 else usual).points
            gain += -bet if total.bust else bet * (payout(1, total.points, end, on_14=on_14) - 1)
        return gain

    def _dealt(self, total: Total, cards: Iterator[int], *, only_31: bool) -> Total:
        while dealer_draws(total, self._moment.rules, only_31=only_31):
            total = total.plus(next(cards))
        return total


def _total(hand: Sequence[int]) -> Total:
    total = Total(0)
    for value in hand:
        total = total.plus(value)
    return total
