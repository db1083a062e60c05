"""The odds of a hand in play from the actual shoe: every card that is gone counts.

What a player may draw to a total is listed once (:mod:`.shoe_dealer_odds` does the same for the
dealer); for a shoe, only the chances are worked out. The player draws from the same shoe as the
dealer, so the dealer's final totals are needed for each of up to some ten thousand hands. They are
exact for hands with up to three further cards. For longer hands, which are rare, they come from
Newton's formula of the third order, with a small error that `docs/theory/hit-me.md` states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.memo import memoize
from ..machine.rules import FOURTEEN, LIMIT, STANDS_AT, Rules, Total
from .newton_interpolation import KEYS, ORDER, Floats, Ints, NewtonFormula, term_count
from .odds import BUST, FINALS, WEIGHTS, PlayerChoice
from .shoe_dealer_odds import (
    DrawnHands,
    dealer_differences,
    dealer_outcomes,
    evaluate_totals,
    list_drawn_hands,
)

SplitValue: TypeAlias = float | Callable[[float], float]
"""What splitting gains; or who tells it, asked with what the best gains that is done otherwise."""

KINDS = (0, FOURTEEN, *range(STANDS_AT, BUST))
"""Totals that the dealer's finals tell apart; the first stands for all others."""


_KIND_OF = np.array([KINDS.index(total) if total in KINDS else 0 for total in range(BUST)])


def kinds_of(points: Ints) -> Ints:
    """Give which of the :data:`KINDS` totals are of."""
    return np.asarray(_KIND_OF.take(points))


@dataclass(frozen=True, slots=True)
class DrawTree:
    """What a player may draw to a total; ``nexts`` (hands, 10) are the hands one card further.

    The place after the last hand stands for all bust hands. The next hands that are not bust are
    also listed: ``children`` by hand, and the values ``drawn_values`` that lead to them. Those of
    hand i begin at ``first_child[i]``, which rises. ``gains`` works out the part that depends on
    the shoe.
    """

    hands: DrawnHands
    nexts: Ints
    children: Ints
    drawn_values: Ints
    parent: Ints
    first_child: Ints
    gains: NewtonFormula


def next_live_hands(nexts: Ints, on: npt.NDArray[np.bool_]) -> tuple[Ints, Ints, Ints, Ints]:
    """List the next hands that are not bust: them, the values drawn, what they come of, and where.

    A hand that goes on has some: an ace is never too much. The last tells where its own begin.
    """
    parent, drawn = np.nonzero((nexts < len(nexts)) & on[:, None])
    return nexts[parent, drawn], drawn, parent, np.searchsorted(parent, np.arange(len(nexts)))


@memoize(maxsize=64)  # some 60 totals
def player_draw_tree(total: Total) -> DrawTree:
    """List what a player may draw to a total, worked out once."""
    hands = list_drawn_hands(total, evaluate_totals(lambda total: total.points < LIMIT))
    keys = hands.counts @ KEYS
    order = np.argsort(keys)
    next_keys = keys[:, None] + KEYS
    places = order[np.minimum(np.searchsorted(keys, next_keys, sorter=order), len(keys) - 1)]
    nexts = np.where(keys[places] == next_keys, places, len(keys))
    gains = NewtonFormula(hands.counts, kinds_of(hands.points))
    return DrawTree(hands, nexts, *next_live_hands(nexts, hands.draws_again), gains)


@dataclass(frozen=True, slots=True)
class ChoiceOutcome:
    """What a choice leads to if the best follows: its gain for a bet of 1, and how often it wins.

    ``wins`` and ``pushes`` are chances; the rest is lost. A side bet is in the gain alone.
    """

    gain: float
    wins: float
    pushes: float


def choice_values(
    total: Total,
    up_card: int,
    remaining: Sequence[int],
    rules: Rules,
    *,
    cards: int,
    double: bool,
    insurance: float = 0,
    split: SplitValue | None = None,
) -> dict[PlayerChoice, float]:
    """Give what standing, hitting and doubling gain for a bet of 1, from the cards that are left.

    ``remaining`` counts the cards by value, aces first. ``cards`` is the number of cards in the
    hand, and ``double`` says whether doubling is on offer in this turn. An open side bet returns
    ``insurance`` on 31; the values contain only what standing on 14 adds to it. With a single card,
    ``split`` is the value of splitting, as in :data:`SplitValue`: of two tens, one in four are of a
    rank.
    """
    outcomes = choice_outcomes(
        total,
        up_card,
        remaining,
        rules,
        cards=cards,
        double=double,
        insurance=insurance,
        split=split,
    )
    return {choice: outcome.gain for choice, outcome in outcomes.items()}


def choice_outcomes(
    total: Total,
    up_card: int,
    remaining: Sequence[int],
    rules: Rules,
    *,
    cards: int,
    double: bool,
    insurance: float = 0,
    split: SplitValue | None = None,
    exact: bool = False,
    brief: bool = False,
) -> dict[PlayerChoice, ChoiceOutcome]:
    """Give what comes of standing, hitting and doubling; all is as in :func:`choice_values`.

    Where a pair is split for its ``split`` value, that wins and pushes so often is not known: NaN.
    So it is if it shall be ``brief``, which is quicker.
    ``exact``: the dealer's chances are worked out for every hand, which may take ten seconds.
    """
    rows = 1 if brief else len(FINAL_RESULTS)
    results, on_14 = _cached_standing_values(total, tuple(remaining), up_card, rules, exact, rows)
    outcomes = _best(
        total, remaining, rules, results, insurance * on_14, cards=cards, double=double, split=split
    )
    missing = (nan,) * (len(FINAL_RESULTS) - rows)
    return {choice: ChoiceOutcome(*map(float, row), *missing) for choice, row in outcomes.items()}


def perfect_play_values(
    total: Total,
    remaining: Sequence[int],
    rules: Rules,
    gains: Floats,
    side: Floats,
    *,
    cards: int,
    double: bool,
    split: SplitValue | None = None,
) -> dict[PlayerChoice, float]:
    """Give what each choice gains where it is known what standing does.

    ``gains`` has that for each hand of :func:`player_draw_tree`, and ``side`` what a side bet adds
    to it; all else is as in :func:`choice_values`.
    """
    outcomes = _best(
        total, remaining, rules, gains[None], side, cards=cards, double=double, split=split
    )
    return {choice: float(gain) for choice, (gain,) in outcomes.items()}


def _best(
    total: Total,
    remaining: Sequence[int],
    rules: Rules,
    results: Floats,
    side: Floats,
    *,
    cards: int,
    double: bool,
    split: SplitValue | None = None,
) -> dict[PlayerChoice, Floats]:
    """Give what comes of each choice: the rows of ``results`` (rows, hands), the first the gain.

    By that the best is chosen; the other rows go along with it. Who is bust has lost 1, and
    nothing in the other rows.
    """
    tree = player_draw_tree(total)
    hands, going = tree.hands, tree.hands.draws_again
    shoes = hands.remaining_after(np.array(remaining, np.int64))
    size = shoes.sum(axis=1)
    chance = shoes[tree.parent, tree.drawn_values] / np.maximum(size, 1)[tree.parent]
    has_cards = (size > 0)[
        going
    ]  # cards are left: a bust has lost 1, so all is counted from there on
    starts = tree.first_child[going]
    stand, doubled_stand = _stakes(results, side)
    if double:
        doubled = np.add.reduceat(
            chance * _above_bust(doubled_stand, 2)[:, tree.children], starts, axis=1
        )
        doubled[0] -= 2 * has_cards
    best = stand.copy()
    levels = np.searchsorted(hands.cards, np.arange(hands.cards[-1] + 2))
    going_before = np.concatenate([[0], np.cumsum(going)])  # of those who go on
    for level in reversed(range(len(levels) - 1)):
        rows = slice(going_before[levels[level]], going_before[levels[level + 1]])
        if rows.start < rows.stop:
            level_hands = levels[level] + np.flatnonzero(going[levels[level] : levels[level + 1]])
            begin = starts[rows.start]
            end = starts[rows.stop] if rows.stop < len(starts) else len(chance)
            next_values = _above_bust(best, 1)[:, tree.children[begin:end]]
            hit = np.add.reduceat(chance[begin:end] * next_values, starts[rows] - begin, axis=1)
            hit[0] -= has_cards[rows]
            best_move = _better_of(stand[:, level_hands], hit)
            if double and (cards + level == 2 or not rules.double_two_cards):
                best_move = _better_of(best_move, doubled[:, rows])
            best[:, level_hands] = best_move
        if level == 1 and split is not None:
            pair_hand = tree.nexts[0, (1 if total.soft else total.points) - 1]
            share = 1 / WEIGHTS[total.points] if rules.split_same_rank and not total.soft else 1
            gain = split(float(best[0, pair_hand])) if callable(split) else split
            if gain > best[0, pair_hand]:
                split_result = np.full(len(results), np.nan)
                split_result[0] = gain
                best[:, pair_hand] += share * (split_result - best[:, pair_hand])
    choices = {PlayerChoice.STAND: stand[:, 0], PlayerChoice.HIT: hit[:, 0]}
    if double and (cards == 2 or not rules.double_two_cards):
        choices[PlayerChoice.DOUBLE] = doubled[:, 0]
    return choices


def _above_bust(rows: Floats, bust: int) -> Floats:
    """Give what is more than the loss of being bust."""
    gains = rows.copy()
    gains[0] += bust
    return gains


def _stakes(results: Floats, side: Floats) -> tuple[Floats, Floats]:
    """Give what standing leads to for a bet of 1 and for the double; the side bet stays."""
    stand, doubled = results.copy(), results.copy()
    stand[0] = results[0] + side
    doubled[0] = 2 * results[0] + side
    return stand, doubled


def _better_of(one: Floats, other: Floats) -> Floats:
    """Choose for each hand by the first row."""
    return np.asarray(np.where(other[0] > one[0], other, one))


@memoize(maxsize=16)  # of some 300 KB at most: judge and advice ask for the same
def _cached_standing_values(
    total: Total, remaining: tuple[int, ...], up_card: int, rules: Rules, exact: bool, rows: int
) -> tuple[Floats, Floats]:
    """Give what :func:`standing_values` gives; nobody may change it."""
    return standing_values(
        player_draw_tree(total),
        np.array(remaining, np.int64),
        up_card,
        rules,
        exact=exact,
        rows=rows,
    )


def standing_values(
    tree: DrawTree, shoe: Ints, up_card: int, rules: Rules, *, exact: bool, rows: int = 3
) -> tuple[Floats, Floats]:
    """Give what standing with each hand gains, wins and pushes, and how a 14 makes 31 likelier.

    Only so many ``rows`` are given of the three.
    """
    hands = tree.hands
    shoes = hands.remaining_after(shoe)
    is_possible = (hands.counts <= shoe).all(axis=1)
    on_31, on_14 = FINALS.index(LIMIT), hands.points == FOURTEEN
    if exact or is_possible.sum() <= term_count(
        ORDER
    ):  # of a short shoe few hands come: it is as quick
        chances = np.zeros((len(shoes), len(FINALS)))
        chances[is_possible] = (
            dealer_outcomes(up_card, rules.dealer_hits_soft, False).chances(shoes[is_possible]).T
        )
        results = np.einsum("hf,rhf->rh", chances, FINAL_RESULTS[:rows, kinds_of(hands.points)])
        usual_31 = chances[on_14, on_31]
    else:
        difference_table = dealer_differences(
            up_card, rules.dealer_hits_soft, False, tuple(shoe.tolist())
        )
        results = tree.gains.values(
            np.einsum("sf,rkf->skr", difference_table, FINAL_RESULTS[:rows])
        ).T.copy()
        usual_31 = results[0, on_14]
    gain_of_31 = np.zeros(len(shoes))
    if on_14.any():
        to_31 = dealer_outcomes(up_card, rules.dealer_hits_soft, True).chances(shoes[on_14])[on_31]
        results[:, on_14] = (1 - 2 * to_31, 1 - to_31, np.zeros_like(to_31))[:rows]
        gain_of_31[on_14] = to_31 - usual_31
    return results, gain_of_31


def _final_results() -> Floats:
    """Give what each final of the dealer's means to each of the `KINDS`: gain, win and push.

    It is worse, equal or better than a total, and his 14 beats them all. Who stands on 14 meets no
    such final: for him stands there, in place of the gain, whether it is 31.
    """
    finals = np.array(FINALS)
    ours = np.array(KINDS)[:, None]
    signs = np.sign(np.where(finals == BUST, 0, finals) - ours)
    signs[0] = np.where(finals == BUST, -1, 1)
    signs[:, FINALS.index(FOURTEEN)] = 1
    results = np.stack([-signs, signs < 0, signs == 0]).astype(np.float64)
    results[0, KINDS.index(FOURTEEN)] = finals == LIMIT
    return results


FINAL_RESULTS = _final_results()
