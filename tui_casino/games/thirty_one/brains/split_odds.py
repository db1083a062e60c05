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

from dataclasses import dataclass
from functools import lru_cache, partial
from math import sqrt

import numpy as np
import numpy.typing as npt

from ....cards.memo import memoize
from ..machine.rules import FOURTEEN, LIMIT, Rules
from .newton_interpolation import (
    KEYS,
    ORDER,
    VALUES,
    Floats,
    Ints,
    second_order,
    shift_differences,
    term_count,
    values_at,
)
from .odds import FINALS, WEIGHTS, up_card
from .shoe_dealer_odds import dealer_differences
from .shoe_odds import FINAL_RESULTS, KINDS
from .split_trees import SplitTree, build_split_tree, hand_values, standing_estimates

ROUNDS = 256
"""So many rounds are played: what looking adds is skewed, and an error of fewer would not hold."""
INSURED = 4
"""So many times as many with a side bet, of which the second hand on 14 gains nothing more."""
LEAST_ERROR = 5e-4
"""No smaller error is stated, for what is seldom may not have come up at all; twice as much where
more than two hands can be made, of which Newton's formula is off by up to 0.0007 with 30 cards."""
MOST_LOOKING = 0.05
"""More than looking adds where two hands are made without a side bet, from 28 cards or more: of
300 such shoes it was 0.014 at most."""
FEW_CARDS = 28
"""With fewer cards left Newton's formula of the third order is used for what looking adds, too."""
RARE_HAND = 1e-4
"""Hands that come up less often count as bust in what looking adds, whoever plays them."""
STAND, HIT, DOUBLE = range(3)

_ON_31 = FINALS.index(LIMIT)


@dataclass(frozen=True, slots=True)
class SplitEstimate:
    """What a bet of 1 gains, and the standard error of that: 0 where it is exact."""

    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class _Worth:
    """What standing with each hand of a tree, and with twice the bet, gains in so many cases."""

    stand: Floats
    twice: Floats


@dataclass(frozen=True, slots=True)
class SplitShoe:
    """The cards that are left beside an up card, and how a split may be played from there.

    ``insurance``: what an open side bet returns on 31, 0 without one.
    """

    up: int
    left: tuple[int, ...]
    rules: Rules
    double: bool = True
    insurance: float = 0.0


@memoize(maxsize=64)
def estimate_split(value: int, shoe: SplitShoe, hands: int = 2) -> SplitEstimate:
    """Estimate what splitting two cards of a value, 1 for an ace, gains for a bet of 1.

    ``hands`` are there then. The same question always has the same answer.
    """
    rounds = ROUNDS * (INSURED if shoe.insurance else 1)
    return _splitting(value, shoe, hands).estimate(
        np.random.default_rng([value, *shoe.left]), rounds
    )


def is_split_never_best(value: int, shoe: SplitShoe, beside: float, hands: int = 2) -> bool:
    """Tell whether a split is surely worth less than what gains so much, without a sample."""
    if shoe.insurance or shoe.rules.most_hands > 2 or sum(shoe.left) < FEW_CARDS:
        return False
    return _splitting(value, shoe, hands).blind + MOST_LOOKING < beside


@memoize()
def _splitting(value: int, shoe: SplitShoe, hands: int) -> SplitSampler:
    """Keep the last one: who cannot rule it out wants to know what it is worth."""
    return SplitSampler(value, shoe, hands)


class SplitSampler:
    """The hands of a split: all begin with a card of one value."""

    def __init__(self, value: int, shoe: SplitShoe, hands: int) -> None:
        self._value, self._shoe, self._first = value, shoe, hands
        self._left = np.array(shoe.left, np.int64)
        self._most = shoe.rules.most_hands
        self._order = ORDER if sum(shoe.left) < FEW_CARDS else 2
        share = 1 / WEIGHTS[value] if shoe.rules.split_same_rank else 1.0
        self._doubles = shoe.double and shoe.rules.double_after_split
        self._two_cards = shoe.rules.double_two_cards
        self._share = share  # of the cards of this value, those that may be split
        self._differences = _differences(shoe)
        self._tree = lru_cache(maxsize=16)(partial(build_split_tree, self._left))
        self._usual = lru_cache(maxsize=16)(
            partial(standing_estimates, differences=self._differences)
        )
        self._alone = lru_cache(maxsize=32)(self._alone_from)
        self._gain = lru_cache(maxsize=128)(self._blind)

    def estimate(self, dice: np.random.Generator, rounds: int = ROUNDS) -> SplitEstimate:
        """Give what blind play gains, and what looking added in so many rounds."""
        return self.told(self.looked(dice, rounds))

    def told(self, looked: Floats) -> SplitEstimate:
        """Give what blind play gains, and what looking added on average of these rounds."""
        error = float(np.std(looked, ddof=1)) / sqrt(len(looked))
        least = LEAST_ERROR * (1 if self._most == 2 else 2)
        return SplitEstimate(self.blind + float(np.mean(looked)), max(error, least))

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
        worth = self._worth(tree, cases, np.full(2, 1.0), ORDER)
        _, _, gain = self._play(tree, worth, worth, cases, cards=1)
        mate = tree.nexts[0, self._value - 1]
        return float(gain[0, 0]), float(gain[mate, 0]) if mate < len(gain) else -1.0

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
        tree = self._tree(up_card(self._value).plus(second + 1), RARE_HAND)
        blind = np.zeros((1, VALUES), np.int64)
        blind[0, self._value - 1] += known
        blind[0, second] += 1
        gone, has_bonus = table.gone[here], bonus == 1
        _, some, alike = np.unique(
            gone @ KEYS * 2 + has_bonus, return_index=True, return_inverse=True
        )
        cases = np.concatenate([gone[some], blind])
        whole = self._worth(tree, cases, np.ones(len(cases)), self._order)
        worth = whole
        if not has_bonus.all():
            worth = self._worth(tree, cases, np.append(bonus[some], 1.0), self._order)
        plays, best, usual = self._play(tree, worth, whole, cases, cards=2)
        at = table.draw(tree.nexts, here, plays[:, alike])
        on_14 = tree.points[np.minimum(at, len(tree.points) - 1)] == FOURTEEN
        return (best[0] - usual[0])[alike], on_14 & (at < len(tree.points))

    # ---- a hand ----------------------------------------------------------------------------------

    def _worth(self, tree: SplitTree, cases: Ints, bonus: Floats, order: int) -> _Worth:
        """Give what standing gains by hand and case; ``bonus``: a 14 makes his 31 likelier."""
        ours = self._differences[: term_count(order), : len(KINDS)]
        if tree.whole is not None:
            stand = tree.whole.formula.values(shift_differences(ours, cases))[tree.whole.hands]
        elif order == ORDER:
            stand = hand_values(tree, shift_differences(ours, cases))
        else:
            usual, slopes = self._usual(tree)
            stand = usual[:, None] + slopes @ cases.T + second_order(ours, cases)[tree.kinds]
        twice = 2 * stand
        if self._shoe.insurance:
            rows = np.flatnonzero(tree.points == FOURTEEN)
            differences = shift_differences(self._differences[: term_count(order), -1:], cases)
            more = self._shoe.insurance * values_at(tree.counts[rows], differences[:, 0]) * bonus
            stand[rows] += more
            twice[rows] += more
        return _Worth(stand, twice)

    def _play(
        self, tree: SplitTree, worth: _Worth, whole: _Worth, cases: Ints, *, cards: int
    ) -> tuple[npt.NDArray[np.int8], Floats, Floats]:
        """Choose by hand and case what is best: the plays, what they gain, and what the last do.

        That is: what is gained in each case by the plays of the last one, with ``whole`` worths.
        """
        # gains count from a bust (0); hands are the last axis, because they outnumber the cases
        after = [worth.stand.T + 1, whole.stand.T + 1]
        if self._doubles:
            after += [worth.twice.T + 2] + [whole.twice.T + 2] * (worth is not whole)
        gain = np.array(after, order="C")
        plays = np.zeros(gain.shape[1:], np.int8)
        gone, gone_in_all = cases.astype(np.float64), cases.sum(axis=1)[:, None]
        for level in reversed(tree.levels):
            chance = np.maximum(level.left - gone.take(level.drawn, axis=1), 0)
            came = np.add.reduceat(gain.take(level.child, axis=2) * chance, level.first, axis=2)
            came /= np.maximum(level.size - gone_in_all, 1)
            rows, number = level.rows, cards + int(tree.counts[level.rows[0]].sum())
            play = np.full(came.shape[1:], STAND, np.int8)
            best, usual = gain[:2].take(rows, axis=2)
            if number == 1:  # the second card comes by itself
                best, play[:] = came[0], HIT
            else:
                _take(best, play, came[0], HIT)
                if self._doubles and (number == 2 or not self._two_cards):
                    _take(best, play, came[2] - 1, DOUBLE)
            usual = np.where(play[-1] == HIT, came[1], usual)
            if self._doubles:
                usual = np.where(play[-1] == DOUBLE, came[-1] - 1, usual)
            gain[0, :, rows], gain[1, :, rows], plays[:, rows] = best.T, usual.T, play
        return plays.T, gain[0].T - 1, gain[1].T - 1


def _take(gain: Floats, play: npt.NDArray[np.int8], other: Floats, name: int) -> None:
    """Put a choice in place of what is worse."""
    better = other > gain
    np.copyto(gain, other, where=better)
    play[better] = name


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

    def draw(self, nexts: Ints, here: Ints, plays: npt.NDArray[np.int8]) -> Ints:
        """Play a hand in some rounds, and give the one it becomes; the last number is bust."""
        at = np.zeros(len(here), np.int64)
        going = np.arange(len(here))
        while len(going):
            play = plays[at[going], going]
            going, play = going[play != STAND], play[play != STAND]
            at[going] = nexts[at[going], self._card(here[going])]
            going = going[(play == HIT) & (at[going] < len(nexts))]
        return at


def _differences(shoe: SplitShoe) -> Floats:
    """Give the differences of what standing gains by kind of total, and of what 14 adds to 31."""
    soft = shoe.rules.dealer_hits_soft
    usual = dealer_differences(shoe.up, soft, False, shoe.left)
    to_31 = dealer_differences(shoe.up, soft, True, shoe.left)[:, _ON_31]
    found = usual @ FINAL_RESULTS[0].T
    found[:, KINDS.index(FOURTEEN)] = -2 * to_31
    found[0, KINDS.index(FOURTEEN)] += 1
    return np.column_stack([found, to_31 - usual[:, _ON_31]])
