"""The EV of splitting with the cards left: all hands of a split draw from the same shoe.

*Blind play* means that a hand is played without taking the cards of the other hands into account.
Then it has the same EV as a hand on its own, because the unseen cards are in random order,
regardless of which hand draws first. So the EV of blind play is exact. The gain from looking at the
other hands is estimated by sampling: rounds are dealt, and each hand is played in the best way for
itself, given all cards that are face up by then. In each sampled round, the gain over blind play
from the same shoe is computed exactly. It is small and varies little, so a few hundred rounds
determine its mean to a few thousandths of a bet.

No hand sacrifices its own EV for another hand; the gain from doing so would be smaller than this
error.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import pairwise
from math import sqrt

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.memo import memoize
from ..machine.rules import LIMIT, SAFE_TOTAL, Rules, Total
from . import newton_interpolation as newton
from .odds import FINALS, WEIGHTS, card_total, drawing_totals
from .shoe_dealer_odds import DrawnHands, dealer_differences, falling_factorials, list_drawn_hands
from .shoe_odds import (
    FINAL_RESULTS,
    KINDS,
    below_limit,
    kinds_of,
    next_live_hands,
    player_draw_tree,
)


class TreeLevel(Struct, frozen=True):
    """The hands with one number of cards that draw again, as ``rows``, and their next hands.

    ``children`` are the next hands that are not bust, with the values ``drawn_values`` that lead to
    them; those of a row begin at ``first_child``. ``remaining`` is the number of cards of the drawn
    value that are left once the hand has been drawn, and ``size`` is the number of all cards left.
    Both are whole numbers, stored as floats because they are multiplied by floats many times.
    """

    rows: newton.Ints
    first_child: newton.Ints
    children: newton.Ints
    drawn_values: newton.Ints
    remaining: newton.Floats
    size: newton.Floats


class TreeFormula(Struct, frozen=True):
    """The formula for all hands that a shoe could have, and the indices of a tree's hands."""

    formula: newton.NewtonFormula
    hands: newton.Ints


class SplitTree(Struct, frozen=True, eq=False):
    """The hands that can be drawn to a total from a shoe, with next hands as in `DrawTree`.

    ``kinds`` holds the kinds of the totals. ``full_formula`` is set if no rare hands were left out.
    """

    counts: newton.Ints
    points: newton.Ints
    kinds: newton.Ints
    nexts: newton.Ints
    levels: tuple[TreeLevel, ...]
    full_formula: TreeFormula | None


def build_split_tree(remaining: newton.Ints, total: Total, least_chance: float) -> SplitTree:
    """List the hands that can follow a total, except those with at most this chance."""
    hands, reach = _likely_hands(remaining, total, least_chance)
    kept_hands = np.flatnonzero(reach > least_chance)
    new_number = np.full(len(reach) + 1, len(kept_hands))
    new_number[kept_hands] = np.arange(len(kept_hands))
    nexts, counts = new_number[hands.nexts[kept_hands]], hands.counts[kept_hands]
    points = hands.points[kept_hands]
    kinds = kinds_of(points)
    return SplitTree(
        counts,
        points,
        kinds,
        nexts,
        _levels(remaining, counts, nexts),
        None if least_chance else TreeFormula(player_draw_tree(total).gains, kept_hands),
    )


def _likely_hands(
    remaining: newton.Ints, total: Total, least_chance: float
) -> tuple[DrawnHands, newton.Floats]:
    """List hands that include all hands with more than this chance; return also their chances.

    The chance of a hand is a sum over the hands before it, which differ in the last card, of their
    chance times the share of that card. A hand has at most seven different values. So the shares
    add up to at most 1 if the three rarest values still have six cards: then no longer hand has a
    greater chance than the likeliest of the longest hands listed.
    """
    if least_chance and np.sort(remaining)[:3].sum() >= 6:
        hands = _short_hands(total)
        reach, cards = reach_chances(remaining, hands), hands.cards
        if reach[cards == cards[-1]].max() <= least_chance:
            return hands, reach
    hands = player_draw_tree(total).hands
    return hands, reach_chances(remaining, hands)


@memoize(maxsize=64)  # some 60 totals
def _short_hands(total: Total) -> DrawnHands:
    """List the hands that can follow two cards, with about as many cards as likely hands have."""
    hard_points = total.points - 10 * total.soft
    return list_drawn_hands(total, below_limit(), 8 - hard_points // 6)


def _levels(
    remaining: newton.Ints, counts: newton.Ints, nexts: newton.Ints
) -> tuple[TreeLevel, ...]:
    child, drawn, parent, first = next_live_hands(nexts)
    cards, remaining_after = counts.sum(axis=1), np.maximum(remaining - counts, 0)
    count, size = (
        remaining_after[parent, drawn].astype(np.float64),
        remaining_after.sum(axis=1).astype(np.float64),
    )
    ends = np.append(first[1:], len(child))
    going = np.flatnonzero(ends > first)
    starts = np.searchsorted(cards[going], np.arange(cards[-1] + 2))
    levels = []
    for begin, end in pairwise(starts.tolist()):
        if begin < end:
            rows = going[begin:end]
            block = slice(first[rows[0]], ends[rows[-1]])
            offsets = first[rows] - first[rows[0]]
            levels.append(
                TreeLevel(rows, offsets, child[block], drawn[block], count[block], size[rows])
            )
    return tuple(levels)


def reach_chances(remaining: newton.Ints, hands: DrawnHands) -> newton.Floats:
    """Return the chance that each hand comes up if the player keeps drawing."""
    factors, cards = falling_factorials(remaining, int(hands.counts.max())), hands.cards
    product = np.ones(len(cards))
    for value in reversed(range(newton.VALUES)):
        product *= factors[:, value].take(hands.counts[:, value])
    chance = hands.order_counts * product
    denominators = falling_factorials(remaining.sum(keepdims=True), int(cards[-1]))[cards, 0]
    return np.asarray(
        np.divide(chance, denominators, out=np.zeros_like(chance), where=denominators > 0)
    )


def standing_estimates(
    tree: SplitTree, differences: newton.Floats
) -> tuple[newton.Floats, newton.Floats]:
    """Return by the second-order formula the EV of standing, and its slopes: (hands, 10)."""
    stand_differences = differences[: newton.term_count(2), : len(KINDS)]
    crosses = newton.cross_differences(stand_differences)
    slopes = np.zeros(tree.counts.shape)
    for kind in newton.distinct(tree.kinds).tolist():
        rows = tree.kinds == kind
        slopes[rows] = tree.counts[rows] @ crosses[kind]
    return hand_values(tree, stand_differences), slopes


def hand_values(tree: SplitTree, differences: newton.Floats) -> newton.Floats:
    """Return the value of each hand (hands, …) from the differences (sets, kinds, …)."""
    values = np.empty((len(tree.points), *differences.shape[2:]))
    products = newton.binomials(tree.counts, newton.order_of(differences))
    for kind in newton.distinct(tree.kinds).tolist():
        rows = np.flatnonzero(tree.kinds == kind)
        values[rows] = np.tensordot(products[rows], differences[:, kind], 1)
    return values


ROUNDS = 256
"""Rounds per sample. The gain from looking has a skewed distribution, so the error of a smaller
sample would be unreliable.
"""
INSURED = 4
"""With a side bet, samples are larger by this factor: a second hand on 14 gains nothing."""
LEAST_ERROR = 5e-4
"""The smallest standard error that is reported, because a sample may contain no rare events.

It is doubled if more than two hands are possible, because Newton's formula is then off by up to
0.0007 with 30 cards.
"""
MOST_LOOKING = 0.05
"""An upper bound of the gain from looking, with two hands, no side bet, and at least 28 cards.

In 300 such shoes the gain was at most 0.014.
"""
MOST_BLIND_EFFECT = 6.0
"""An upper bound, per card left, of the gain of a split with blind play over two single hands.

A single hand is one that begins with the first card of the pair and draws from the shoe before the
second card. In 876 such shoes the gain was at most 3.04 per card left.
"""
FEW_CARDS = 28
"""With fewer cards left, the gain from looking uses Newton's formula of the third order."""
RARE_HAND = 1e-4
"""Hands with a smaller chance are treated as bust when the gain from looking is computed."""
STAND, HIT, DOUBLE = range(3)

_ON_31 = FINALS.index(LIMIT)


class SplitEstimate(Struct, frozen=True):
    """The EV of a bet of 1, and its standard error, which is 0 if the EV is exact."""

    value: float
    error: float = 0.0


class _StandValues(Struct, frozen=True):
    """For each case, the EV of standing with each hand of a tree, with one bet and with two."""

    stand: newton.Floats
    doubled: newton.Floats


class SplitShoe(Struct, frozen=True):
    """The cards left without the up card, and the rules by which a split is played from there.

    ``insurance`` is what an open side bet pays back on 31, or 0 without a side bet.
    """

    up_card: int
    remaining: tuple[int, ...]
    rules: Rules
    double: bool = True
    insurance: float = 0.0


@memoize(maxsize=64)
def estimate_split(value: int, shoe: SplitShoe, hands: int = 2) -> SplitEstimate:
    """Estimate the EV of splitting two cards of a value, 1 for an ace, for a bet of 1.

    ``hands`` is the number of hands after the split. The same arguments always give the same
    result.
    """
    rounds = ROUNDS * (INSURED if shoe.insurance else 1)
    return _splitting(value, shoe, hands).estimate_gain(
        np.random.default_rng([value, *shoe.remaining]), rounds
    )


def is_split_never_best(
    value: int,
    shoe: SplitShoe,
    threshold: float,
    hands: int = 2,
    *,
    single_hand: float | None = None,
) -> bool:
    """Return whether a split certainly has a lower EV than ``threshold``; no hands are sampled.

    ``single_hand`` is the EV of hitting a card of this value, before another one is dealt. If it
    is known, it usually proves the answer without the EV of blind play.
    """
    cards = sum(shoe.remaining)
    if shoe.insurance or shoe.rules.most_hands > 2 or cards < FEW_CARDS:
        return False
    if (
        single_hand is not None
        and 2 * single_hand + MOST_BLIND_EFFECT / cards + MOST_LOOKING < threshold
    ):
        return True
    return _splitting(value, shoe, hands).blind_gain + MOST_LOOKING < threshold


@memoize()
def _splitting(value: int, shoe: SplitShoe, hands: int) -> SplitSampler:
    """Return a sampler and cache it, because an estimate often follows a check."""
    return SplitSampler(value, shoe, hands)


class SplitSampler:
    """Computes the EV of a split whose hands all begin with a card of one value."""

    def __init__(self, value: int, shoe: SplitShoe, hands: int) -> None:
        self._value, self._shoe, self._first_hands = value, shoe, hands
        self._remaining = np.array(shoe.remaining, np.int64)
        self._most_hands = shoe.rules.most_hands
        self._order = newton.ORDER if sum(shoe.remaining) < FEW_CARDS else 2
        share = 1 / WEIGHTS[value] if shoe.rules.split_same_rank else 1.0
        self._doubles = shoe.double and shoe.rules.double_after_split
        self._two_cards = shoe.rules.double_two_cards
        self._splittable_share = share  # the share of the cards of this value that may be split
        self._differences = _differences(shoe)
        self._tree = lru_cache(maxsize=16)(partial(build_split_tree, self._remaining))
        self._stand_estimates = lru_cache(maxsize=16)(
            partial(standing_estimates, differences=self._differences)
        )
        self._hand_gain = lru_cache(maxsize=32)(self._compute_hand_gain)
        self._blind_gain = lru_cache(maxsize=128)(self._compute_blind_gain)

    def estimate_gain(self, dice: np.random.Generator, rounds: int = ROUNDS) -> SplitEstimate:
        """Return the exact EV of blind play plus the sampled gain from looking at other hands."""
        return self.summarise(self.sample_looking_gains(dice, rounds))

    def summarise(self, gains: newton.Floats) -> SplitEstimate:
        """Return the EV of blind play plus the mean of sampled gains, and the error."""
        error = float(np.std(gains, ddof=1)) / sqrt(len(gains))
        least_error = LEAST_ERROR * (1 if self._most_hands == 2 else 2)
        return SplitEstimate(self.blind_gain + float(np.mean(gains)), max(error, least_error))

    @property
    def blind_gain(self) -> float:
        """The exact EV if no hand considers the other hands' cards."""
        return self._blind_gain(2, self._first_hands, 0, 0)

    # ---- blind play ------------------------------------------------------------------------------

    def _compute_blind_gain(
        self, pending: int, hand_count: int, known_gone: int, removed: int
    ) -> float:
        """Return the EV of hands with one card each, if no hand looks at the others.

        ``known_gone`` is the number of cards of the split's value that the player knows to be gone,
        and ``removed`` the number that are really gone. Hands are split again if that seems better
        given what the player knows.
        """
        if not pending:
            return 0.0
        own_gain, _ = self._hand_gain(known_gone, removed)
        gain = own_gain + self._blind_gain(pending - 1, hand_count, known_gone, removed)
        size = self._remaining.sum() - removed
        matching_cards = self._remaining[self._value - 1] - removed
        if self.is_resplit(pending, hand_count, known_gone) and matching_cards > 0:
            chance = self._splittable_share * matching_cards / size
            _, pair = self._hand_gain(known_gone, removed)
            other_hands = self._blind_gain(pending - 1, hand_count, known_gone, removed + 1)
            gain += chance * (
                self._blind_gain(pending + 1, hand_count + 1, known_gone + 1, removed + 1)
                - pair
                - other_hands
            )
        return float(gain)

    def is_resplit(self, pending: int, hand_count: int, known_gone: int) -> bool:
        """Return whether the hand in play is split again if its next card has the same value."""
        if hand_count >= self._most_hands or self._remaining[self._value - 1] <= known_gone:
            return False
        _, pair = self._hand_gain(known_gone, known_gone)
        other_hands = self._blind_gain(pending - 1, hand_count, known_gone, known_gone + 1)
        return (
            self._blind_gain(pending + 1, hand_count + 1, known_gone + 1, known_gone + 1)
            > pair + other_hands
        )

    def _compute_hand_gain(self, known_gone: int, removed: int) -> tuple[float, float]:
        """Return the EV of a hand of one card, and its EV if the second card has the same value."""
        tree = self._tree(card_total(self._value), 0.0)
        cases = np.zeros((2, newton.VALUES), np.int64)
        cases[:, self._value - 1] = removed, known_gone
        stand_values = self._stand_values(tree, cases, np.full(2, 1.0), newton.ORDER)
        _, _, gain = self._play(tree, stand_values, stand_values, cases, cards=1)
        pair_hand = tree.nexts[0, self._value - 1]
        return float(gain[0, 0]), float(gain[pair_hand, 0]) if pair_hand < len(gain) else -1.0

    # ---- the gain from looking -------------------------------------------------------------------

    def sample_looking_gains(self, dice: np.random.Generator, rounds: int) -> newton.Floats:
        """Deal rounds; return the gain in each from looking at the other hands, over blind play."""
        table = _Table(self._remaining, dice, rounds, self._most_hands)
        hand_count = np.full(rounds, self._first_hands)
        known_gone = np.zeros(rounds, np.int64)
        bonus, gains = np.ones(rounds), np.zeros(rounds)
        table.deal(np.arange(rounds), 2)
        while table.waiting.any():
            splitting = self._rows_to_split(table, hand_count, known_gone, dice)
            table.waiting[splitting] -= 1
            hand_count[splitting] += 1
            known_gone[splitting] += 1
            table.deal(splitting, 2)
            is_playing = table.waiting != 0
            is_playing[splitting] = False
            playing = np.flatnonzero(is_playing)
            second_cards = table.second_cards[playing, table.waiting[playing] - 1]
            for second in newton.distinct(second_cards).tolist():
                same_second = playing[second_cards == second]
                for known_count in newton.distinct(known_gone[same_second]).tolist():
                    group = same_second[known_gone[same_second] == known_count]
                    group_gains, on_14 = self._play_with_look(
                        table, group, second, known_count, bonus[group]
                    )
                    gains[group] += group_gains
                    if self._shoe.insurance:
                        bonus[group[on_14]] = 0.0
            table.waiting[playing] -= 1
        return gains

    def _rows_to_split(
        self,
        table: _Table,
        hand_count: newton.Ints,
        known_gone: newton.Ints,
        dice: np.random.Generator,
    ) -> newton.Ints:
        """Choose the rounds in which the hand in play is split again."""
        playing = np.flatnonzero(table.waiting)
        second_cards = table.second_cards[playing, table.waiting[playing] - 1]
        pairs = playing[
            (second_cards == self._value - 1) & (hand_count[playing] < self._most_hands)
        ]
        may_split = [
            self.is_resplit(int(table.waiting[one]), int(hand_count[one]), int(known_gone[one]))
            for one in pairs
        ]
        chosen = np.array(may_split, bool) & (dice.random(len(pairs)) < self._splittable_share)
        return np.asarray(pairs[chosen])

    def _play_with_look(
        self, table: _Table, rows: newton.Ints, second: int, known_gone: int, bonus: newton.Floats
    ) -> tuple[newton.Floats, npt.NDArray[np.bool_]]:
        """Play a hand in some rounds; return the gain from looking, and whether it stood on 14."""
        tree = self._tree(card_total(self._value).plus(second + 1), RARE_HAND)
        blind_case = np.zeros((1, newton.VALUES), np.int64)
        blind_case[0, self._value - 1] += known_gone
        blind_case[0, second] += 1
        removed, has_bonus = table.removed[rows], bonus == 1
        _, first_rows, case_of_row = np.unique(
            removed @ newton.KEYS * 2 + has_bonus, return_index=True, return_inverse=True
        )
        cases = np.concatenate([removed[first_rows], blind_case])
        full_values = self._stand_values(tree, cases, np.ones(len(cases)), self._order)
        stand_values = full_values
        if not has_bonus.all():
            stand_values = self._stand_values(
                tree, cases, np.append(bonus[first_rows], 1.0), self._order
            )
        plays, best_gain, blind_gain = self._play(tree, stand_values, full_values, cases, cards=2)
        final_hands = table.play_out(tree.nexts, rows, plays[:, case_of_row])
        on_14 = tree.points[np.minimum(final_hands, len(tree.points) - 1)] == SAFE_TOTAL
        return (best_gain[0] - blind_gain[0])[case_of_row], on_14 & (final_hands < len(tree.points))

    # ---- a hand ----------------------------------------------------------------------------------

    def _stand_values(
        self, tree: SplitTree, cases: newton.Ints, bonus: newton.Floats, order: int
    ) -> _StandValues:
        """Return the EV of standing for each hand and case.

        ``bonus`` is 1 for cases in which standing on 14 still increases the gain from insurance,
        else 0.
        """
        stand_differences = self._differences[: newton.term_count(order), : len(KINDS)]
        if tree.full_formula is not None:
            stand = tree.full_formula.formula.values(
                newton.shift_differences(stand_differences, cases)
            )[tree.full_formula.hands]
        elif order == newton.ORDER:
            stand = hand_values(tree, newton.shift_differences(stand_differences, cases))
        else:
            estimates, slopes = self._stand_estimates(tree)
            stand = (
                estimates[:, None]
                + slopes @ cases.T
                + newton.second_order(stand_differences, cases)[tree.kinds]
            )
        doubled = 2 * stand
        if self._shoe.insurance:
            rows = np.flatnonzero(tree.points == SAFE_TOTAL)
            differences = newton.shift_differences(
                self._differences[: newton.term_count(order), -1:], cases
            )
            bonus_gain = (
                self._shoe.insurance
                * newton.values_at(tree.counts[rows], differences[:, 0])
                * bonus
            )
            stand[rows] += bonus_gain
            doubled[rows] += bonus_gain
        return _StandValues(stand, doubled)

    def _play(
        self,
        tree: SplitTree,
        stand_values: _StandValues,
        full_values: _StandValues,
        cases: newton.Ints,
        *,
        cards: int,
    ) -> tuple[npt.NDArray[np.int8], newton.Floats, newton.Floats]:
        """Choose the best play for each hand and case; return the plays and their EVs.

        The last array holds, for each case, the EV of the last case's plays with ``full_values``.
        """
        # gains count from a bust (0); hands are the last axis, because they outnumber the cases
        stacked = [stand_values.stand.T + 1, full_values.stand.T + 1]
        if self._doubles:
            stacked += [stand_values.doubled.T + 2] + [full_values.doubled.T + 2] * (
                stand_values is not full_values
            )
        gain = np.array(stacked, order="C")
        plays = np.zeros(gain.shape[1:], np.int8)
        removed, removed_total = cases.astype(np.float64), cases.sum(axis=1)[:, None]
        for level in reversed(tree.levels):
            chance = level.remaining - removed.take(level.drawn_values, axis=1)
            np.maximum(chance, 0, out=chance)
            next_gain = gain.take(level.children, axis=2)
            next_gain *= chance
            drawn_gain = np.add.reduceat(next_gain, level.first_child, axis=2)
            drawn_gain /= np.maximum(level.size - removed_total, 1)
            drawn_gain[2:] -= 1
            rows, number = level.rows, cards + int(tree.counts[level.rows[0]].sum())
            best_gain, blind_gain = gain[:2].take(rows, axis=2)
            play = (drawn_gain[0] > best_gain).view(np.int8)  # HIT is 1, like a true comparison
            np.maximum(best_gain, drawn_gain[0], out=best_gain)
            if number == 1:  # the second card is dealt automatically
                best_gain, play[:] = drawn_gain[0], HIT
            elif self._doubles and (number == 2 or not self._two_cards):
                np.putmask(play, drawn_gain[2] > best_gain, DOUBLE)
                np.maximum(best_gain, drawn_gain[2], out=best_gain)
            np.copyto(blind_gain, drawn_gain[1], where=play[-1] == HIT)
            if self._doubles:
                np.copyto(blind_gain, drawn_gain[-1], where=play[-1] == DOUBLE)
            gain[0][:, rows], gain[1][:, rows], plays[:, rows] = best_gain, blind_gain, play
        return plays.T, gain[0].T - 1, gain[1].T - 1


class _Table:
    """Parallel rounds of a split: the removed cards, and the second cards of waiting hands."""

    def __init__(
        self, left: newton.Ints, dice: np.random.Generator, rounds: int, most: int
    ) -> None:
        self._remaining, self._dice = left, dice
        self.removed = np.zeros((rounds, newton.VALUES), np.int64)
        self.second_cards = np.zeros((rounds, most), np.int64)
        self.waiting = np.zeros(rounds, np.int64)

    def _draw_card(self, rows: newton.Ints) -> newton.Ints:
        """Draw a card in each of the given rounds."""
        cumulative = np.cumsum(self._remaining - self.removed[rows], axis=1)
        drawn = (self._dice.random(len(rows)) * cumulative[:, -1])[:, None] >= cumulative
        cards = np.minimum(drawn.sum(axis=1), newton.VALUES - 1)
        self.removed[rows, cards] += 1
        return np.asarray(cards)

    def deal(self, rows: newton.Ints, cards: int) -> None:
        """Deal the second card of some hands; the hand that is played first comes last."""
        for _ in range(cards):
            self.second_cards[rows, self.waiting[rows]] = self._draw_card(rows)
            self.waiting[rows] += 1

    def play_out(
        self, nexts: newton.Ints, rows: newton.Ints, plays: npt.NDArray[np.int8]
    ) -> newton.Ints:
        """Play a hand in some rounds, and return the resulting hand; the last index is bust."""
        current = np.zeros(len(rows), np.int64)
        active = np.arange(len(rows))
        while len(active):
            play = plays[current[active], active]
            active, play = active[play != STAND], play[play != STAND]
            current[active] = nexts[current[active], self._draw_card(rows[active])]
            active = active[(play == HIT) & (current[active] < len(nexts))]
        return current


def _differences(shoe: SplitShoe) -> newton.Floats:
    """Return the differences of the EV of standing for each kind, and of what a 14 adds to 31."""
    usual_differences, differences_to_31 = (
        dealer_differences(
            shoe.up_card, drawing_totals(shoe.rules, only_31=only_31), shoe.remaining
        )
        for only_31 in (False, True)
    )
    to_31 = differences_to_31[:, _ON_31]
    differences = usual_differences @ FINAL_RESULTS[0].T
    differences[:, KINDS.index(SAFE_TOTAL)] = -2 * to_31
    differences[0, KINDS.index(SAFE_TOTAL)] += 1
    return np.column_stack([differences, to_31 - usual_differences[:, _ON_31]])
