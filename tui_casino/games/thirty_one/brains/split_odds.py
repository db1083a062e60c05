"""What splitting is worth with the cards that are left: all its hands come from the same shoe.

A hand that is played without a look at the others' cards is worth what it is alone: the cards that
it does not see are any of those that are left, whoever draws them first. So what blind play of all
hands gains is exact. What looking adds is sampled: rounds are dealt, each hand is played as is best
for itself with all the cards that lie open by then, and what that gains beside blind play from the
same shoe is worked out, not drawn. It is little and scatters little, so that a few hundred rounds
tell it to some thousandths of a bet.

No hand is played worse for the sake of another; that would add less than can be told here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt

import numpy as np
import numpy.typing as npt

from ....cards.once import once
from ..machine.rules import FOURTEEN, LIMIT, STANDS_AT, Rules, Total
from .newton import ORDER, VALUES, Floats, Ints, moved, terms, values_at
from .odds import BUST, FINALS, WEIGHTS, up_card
from .shoe_odds import Hands, dealer_around, player

ROUNDS = 256
"""So many rounds are played: what looking adds is skewed, and an error of fewer would not hold."""
INSURED = 4
"""So many times as many with a side bet, of which the second hand on 14 gains nothing more."""
LEAST_ERROR = 5e-4
"""No smaller error is stated, for what is seldom may not have come up at all; twice as much where
more than two hands can be made, of which Newton's formula is off by up to 0.0007 with 30 cards."""
FEW = 28
"""With fewer cards left Newton's formula of the third order is used for what looking adds, too."""
SELDOM = 1e-4
"""Hands that come up less often count as bust in what looking adds, whoever plays them."""
STAND, HIT, DOUBLE = range(3)

_ON_31 = FINALS.index(LIMIT)
_KINDS = (0, FOURTEEN, *range(STANDS_AT, BUST))  # totals that the dealer's finals tell apart
_SIGNS = np.array(
    [
        [
            -1.0 if final == FOURTEEN else np.sign(points - (0 if final == BUST else final))
            for final in FINALS
        ]
        for points in _KINDS
    ]
)
_SIGNS[0, FINALS.index(BUST)] = 1.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a bet of 1 gains, and the standard error of that: 0 where it is exact."""

    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class _Tree:
    """What may be drawn to a total from a shoe; all is as in :class:`.shoe_odds.Ways`."""

    counts: Ints
    points: Ints
    on: npt.NDArray[np.bool_]
    nexts: Ints
    levels: tuple[slice, ...]


@dataclass(frozen=True, slots=True)
class _Worth:
    """What standing with each hand of a tree, and with twice the bet, gains in so many cases."""

    stand: Floats
    twice: Floats


@dataclass(frozen=True, slots=True)
class Shoe:
    """The cards that are left beside an up card, and how a split may be played from there.

    ``insurance``: what an open side bet returns on 31, 0 without one.
    """

    up: int
    left: tuple[int, ...]
    rules: Rules
    double: bool = True
    insurance: float = 0.0


@once(most=64)
def split(value: int, shoe: Shoe, hands: int = 2) -> Estimate:
    """Estimate what splitting two cards of a value, 1 for an ace, gains for a bet of 1.

    ``hands`` are there then. The same question always has the same answer.
    """
    rounds = ROUNDS * (INSURED if shoe.insurance else 1)
    return Splitting(value, shoe, hands).estimate(
        np.random.default_rng([value, *shoe.left]), rounds
    )


class Splitting:
    """The hands of a split: all begin with a card of one value."""

    def __init__(self, value: int, shoe: Shoe, hands: int) -> None:
        self._value, self._shoe, self._first = value, shoe, hands
        self._left = np.array(shoe.left, np.int64)
        self._most = shoe.rules.most_hands
        self._order = ORDER if sum(shoe.left) < FEW else 2
        share = 1 / WEIGHTS[value] if shoe.rules.split_same_rank else 1.0
        self._doubles = shoe.double and shoe.rules.double_after_split
        self._two_cards = shoe.rules.double_two_cards
        self._share = share  # of the cards of this value, those that may be split
        self._tree = lru_cache(maxsize=16)(self._tree_of)
        self._differences = _differences(shoe)
        self._alone = lru_cache(maxsize=32)(self._alone_from)
        self._gain = lru_cache(maxsize=128)(self._blind)

    def estimate(self, dice: np.random.Generator, rounds: int = ROUNDS) -> Estimate:
        """Give what blind play gains, and what looking added in so many rounds."""
        return self.told(self.looked(dice, rounds))

    def told(self, looked: Floats) -> Estimate:
        """Give what blind play gains, and what looking added on average of these rounds."""
        error = float(np.std(looked, ddof=1)) / sqrt(len(looked))
        least = LEAST_ERROR * (1 if self._most == 2 else 2)
        return Estimate(self.blind + float(np.mean(looked)), max(error, least))

    @property
    def blind(self) -> float:
        """What it gains if no hand looks at the others, exactly."""
        return self._gain(2, self._first, 0, 0)

    # ---- blind play ------------------------------------------------------------------------------

    def _blind(self, pending: int, made: int, known: int, gone: int) -> float:
        """Give what hands with one card each gain, if none looks at the others.

        Of the cards of the split's value so many are known to be gone by those who play, and so
        many are. Hands are split on where that is better, if it were known.
        """
        if not pending:
            return 0.0
        alone, _ = self._alone(known, gone)
        gain = alone + self._gain(pending - 1, made, known, gone)
        size = self._left.sum() - gone
        mates = self._left[self._value - 1] - gone
        if self.splits_on(pending, made, known) and mates > 0:
            chance = self._share * mates / size
            _, pair = self._alone(known, gone)
            others = self._gain(pending - 1, made, known, gone + 1)
            gain += chance * (
                self._gain(pending + 1, made + 1, known + 1, gone + 1) - pair - others
            )
        return float(gain)

    def splits_on(self, pending: int, made: int, known: int) -> bool:
        """Tell whether the hand in play is split again if its next card is of the value, too."""
        if made >= self._most or self._left[self._value - 1] <= known:
            return False
        _, pair = self._alone(known, known)
        others = self._gain(pending - 1, made, known, known + 1)
        return self._gain(pending + 1, made + 1, known + 1, known + 1) > pair + others

    def _alone_from(self, known: int, gone: int) -> tuple[float, float]:
        """Give what a hand of one card gains, and with a second one of its value."""
        tree = self._tree(up_card(self._value), 0.0)
        cases = np.zeros((2, VALUES), np.int64)
        cases[:, self._value - 1] = gone, known
        worth = self._worth(tree, moved(self._differences, cases), np.full(2, 1.0))
        _, _, gain = self._play(tree, worth, worth, cases, cards=1)
        return float(gain[0, 0]), float(gain[tree.nexts[0, self._value - 1], 0])

    # ---- looking ---------------------------------------------------------------------------------

    def looked(self, dice: np.random.Generator, rounds: int) -> Floats:
        """Deal rounds, and give what looking gained in each beside blind play."""
        table = _Table(self._left, dice, rounds, self._most)
        made = np.full(rounds, self._first)
        known = np.zeros(rounds, np.int64)
        bonus, gained = np.ones(rounds), np.zeros(rounds)
        table.deal(np.arange(rounds), 2)
        while table.waiting.any():
            again = self._to_split(table, made, known, dice)
            table.waiting[again] -= 1
            made[again] += 1
            known[again] += 1
            table.deal(again, 2)
            playing = np.flatnonzero(table.waiting)
            playing = np.setdiff1d(playing, again)
            seconds = table.second[playing, table.waiting[playing] - 1]
            for second in np.unique(seconds).tolist():
                mine = playing[seconds == second]
                for times in np.unique(known[mine]).tolist():
                    here = mine[known[mine] == times]
                    more, on_14 = self._look(table, here, second, times, bonus[here])
                    gained[here] += more
                    bonus[here[on_14]] = 0.0
            table.waiting[playing] -= 1
        return gained

    def _to_split(self, table: _Table, made: Ints, known: Ints, dice: np.random.Generator) -> Ints:
        """Choose the rounds in which the hand in play is split again."""
        playing = np.flatnonzero(table.waiting)
        seconds = table.second[playing, table.waiting[playing] - 1]
        pairs = playing[(seconds == self._value - 1) & (made[playing] < self._most)]
        wanted = [
            self.splits_on(int(table.waiting[one]), int(made[one]), int(known[one]))
            for one in pairs
        ]
        again = np.array(wanted, bool) & (dice.random(len(pairs)) < self._share)
        return np.asarray(pairs[again])

    def _look(
        self, table: _Table, here: Ints, second: int, known: int, bonus: Floats
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Play a hand in some rounds: what looking gains, and where it stood on 14."""
        tree = self._tree(up_card(self._value).plus(second + 1), SELDOM)
        blind = np.zeros((1, VALUES), np.int64)
        blind[0, self._value - 1] += known
        blind[0, second] += 1
        cases = np.concatenate([table.gone[here], blind])
        differences = moved(self._differences[: terms(self._order)], cases)
        whole = self._worth(tree, differences, np.ones(len(cases)))
        worth = (
            self._worth(tree, differences, np.append(bonus, 1.0)) if (bonus < 1).any() else whole
        )
        plays, best, usual = self._play(tree, worth, whole, cases, cards=2)
        at = table.draw(tree, here, plays)
        on_14 = tree.points[np.minimum(at, len(tree.points) - 1)] == FOURTEEN
        return best[0, :-1] - usual[0, :-1], on_14 & (at < len(tree.points))

    # ---- a hand ----------------------------------------------------------------------------------

    def _tree_of(self, total: Total, seldom: float) -> _Tree:
        """List what may come of a total, but for what comes up as seldom as this."""
        ways = player(total)
        counts = ways.hands.counts
        there = np.flatnonzero(_reached(ways.hands, self._left) > seldom)
        number = np.full(len(counts) + 1, len(there))
        number[there] = np.arange(len(there))
        cards = ways.hands.cards[there]
        starts = np.searchsorted(cards, np.arange(cards[-1] + 2))
        levels = tuple(slice(*ends) for ends in pairwise(starts.tolist()))
        hands = ways.hands
        return _Tree(
            counts[there], hands.points[there], hands.on[there], number[ways.nexts[there]], levels
        )

    def _worth(self, tree: _Tree, differences: Floats, bonus: Floats) -> _Worth:
        """Give what standing gains, bust in the last row; ``bonus``: a 14 makes his 31 likelier."""
        stand = np.empty((len(tree.points) + 1, differences.shape[2]))
        for kind, points in enumerate(_KINDS):
            low = (tree.points < STANDS_AT) & (tree.points != FOURTEEN)
            rows = np.flatnonzero(tree.points == points if points else low)
            stand[rows] = values_at(tree.counts[rows], differences[:, kind])
        stand[-1] = -1.0
        twice = 2 * stand
        if self._shoe.insurance:
            rows = np.flatnonzero(tree.points == FOURTEEN)
            more = self._shoe.insurance * values_at(tree.counts[rows], differences[:, -1]) * bonus
            stand[rows] += more
            twice[rows] += more
        return _Worth(stand, twice)

    def _chances(self, tree: _Tree, level: slice, cases: Ints) -> Iterator[tuple[Ints, Floats]]:
        """Give by value drawn the hands it makes, and its chance in each case."""
        left = self._left - cases
        cards = tree.counts[level].sum(axis=1)
        size = np.maximum(left.sum(axis=1)[None] - cards[:, None], 1)
        for value in range(VALUES):
            count = np.maximum(left[:, value][None] - tree.counts[level, value][:, None], 0)
            yield tree.nexts[level, value], count / size

    def _play(
        self, tree: _Tree, worth: _Worth, whole: _Worth, cases: Ints, *, cards: int
    ) -> tuple[npt.NDArray[np.int8], Floats, Floats]:
        """Choose by hand and case what is best: the plays, what they gain, and what the last do.

        That is: what is gained in each case by the plays of the last one, with ``whole`` worths.
        """
        best, usual = worth.stand.copy(), whole.stand.copy()
        plays = np.zeros((len(tree.points), len(cases)), np.int8)
        for number, level in reversed(list(enumerate(tree.levels))):
            hit, hit_so, twice, twice_so = np.zeros((4, *best[level].shape))
            for nexts, chance in self._chances(tree, level, cases):
                hit += chance * best[nexts]
                hit_so += chance * usual[nexts]
                if self._doubles:
                    twice += chance * worth.twice[nexts]
                    twice_so += chance * whole.twice[nexts]
            gain, play = best[level], plays[level]
            goes_on = np.broadcast_to(tree.on[level, None], gain.shape)
            if cards + number == 1:  # the second card comes by itself
                gain[:], play[:] = hit, HIT
            else:
                _take(gain, play, hit, HIT, goes_on)
                if self._doubles and (cards + number == 2 or not self._two_cards):
                    _take(gain, play, twice, DOUBLE, goes_on)
            last = play[:, -1:]
            usual[level] = np.where(
                last == HIT, hit_so, np.where(last == DOUBLE, twice_so, usual[level])
            )
        return plays, best, usual


def _take(
    gain: Floats, play: npt.NDArray[np.int8], other: Floats, name: int, may: npt.NDArray[np.bool_]
) -> None:
    """Put a choice in place of what is worse, where it may be made."""
    better = (other > gain) & may
    gain[better] = other[better]
    play[better] = name


def _reached(hands: Hands, left: Ints) -> Floats:
    """Give the chance of each hand to come up if one draws and draws."""
    chance = hands.ways.astype(np.float64)
    size, cards = int(left.sum()), hands.cards
    for value in range(VALUES):
        chance *= _falling(int(left[value]), hands.counts[:, value])
    of_all = _falling(size, cards)
    return np.asarray(np.divide(chance, of_all, out=np.zeros_like(chance), where=of_all > 0))


def _falling(count: int, factors: Ints) -> Floats:
    """Give c (c - 1) … with so many factors each."""
    most = np.maximum(count - np.arange(factors.max(initial=0)), 0)
    return np.asarray(np.cumprod(np.append(1.0, most))[factors])


class _Table:
    """Rounds of a split side by side: what is gone, and the second cards of hands to be played."""

    def __init__(self, left: Ints, dice: np.random.Generator, rounds: int, most: int) -> None:
        self._left, self._dice = left, dice
        self.gone = np.zeros((rounds, VALUES), np.int64)
        self.second = np.zeros((rounds, most), np.int64)
        self.waiting = np.zeros(rounds, np.int64)

    def _card(self, here: Ints) -> Ints:
        """Draw a card in some rounds."""
        rest = np.cumsum(self._left - self.gone[here], axis=1)
        drawn = (self._dice.random(len(here)) * rest[:, -1])[:, None] >= rest
        cards = np.minimum(drawn.sum(axis=1), VALUES - 1)
        self.gone[here, cards] += 1
        return np.asarray(cards)

    def deal(self, here: Ints, cards: int) -> None:
        """Give so many hands their second card; the one that is played first comes last."""
        for _ in range(cards):
            self.second[here, self.waiting[here]] = self._card(here)
            self.waiting[here] += 1

    def draw(self, tree: _Tree, here: Ints, plays: npt.NDArray[np.int8]) -> Ints:
        """Play a hand in some rounds, and give the one it becomes; the last number is bust."""
        at = np.zeros(len(here), np.int64)
        going = np.arange(len(here))
        while len(going):
            play = plays[at[going], going]
            going, play = going[play != STAND], play[play != STAND]
            at[going] = tree.nexts[at[going], self._card(here[going])]
            going = going[(play == HIT) & (at[going] < len(tree.points))]
        return at


def _differences(shoe: Shoe) -> Floats:
    """Give the differences of what standing gains by kind of total, and of what 14 adds to 31."""
    soft = shoe.rules.dealer_hits_soft
    usual = dealer_around(shoe.up, soft, False, shoe.left)
    to_31 = dealer_around(shoe.up, soft, True, shoe.left)[:, _ON_31]
    found = usual @ _SIGNS.T
    found[:, _KINDS.index(FOURTEEN)] = -2 * to_31
    found[0, _KINDS.index(FOURTEEN)] += 1
    return np.column_stack([found, to_31 - usual[:, _ON_31]])
