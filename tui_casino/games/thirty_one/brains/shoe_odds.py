"""The odds of a hand in play from the shoe as it stands: every card counts that is gone.

What a player may draw to a total is listed once (`shoe_dealer` has how); of a shoe, only the
chances are worked out. He takes cards from the same shoe as the dealer, and what the dealer then
ends on is needed for each of up to some ten thousand hands. It is worked out as it is for all
hands of three further cards and fewer, and goes on from there by Newton's formula of the third
order, which is exact for these. On longer ones it is off by little, and they are rare:
`docs/thirty-one.md` says what it comes to.
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

    The place after the last hand is that of all that are bust. The next hands that are not are
    listed, too: ``child`` by hand and value ``drawn``, those of a hand that goes on from its
    ``first`` on, which rises. ``gains`` tells what depends on the shoe of each hand.
    """

    hands: DrawnHands
    nexts: Ints
    child: Ints
    drawn: Ints
    parent: Ints
    first: Ints
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
    wanted = keys[:, None] + KEYS
    places = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    nexts = np.where(keys[places] == wanted, places, len(keys))
    gains = NewtonFormula(hands.counts, kinds_of(hands.points))
    return DrawTree(hands, nexts, *next_live_hands(nexts, hands.on), gains)


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
    up: int,
    left: Sequence[int],
    rules: Rules,
    *,
    cards: int,
    double: bool,
    insurance: float = 0,
    split: SplitValue | None = None,
) -> dict[PlayerChoice, float]:
    """Give what standing, hitting and doubling gain for a bet of 1, from the cards that are left.

    ``left`` counts them by value, aces first. ``cards`` are the hand's; ``double`` says whether
    that is on offer in this turn at all. An open side bet returns ``insurance`` on 31; only what
    standing on 14 adds to it is in the values. With a single card, ``split`` is the value of
    splitting, as :data:`SplitValue` has it: of two tens, one in four are of a rank.
    """
    found = choice_outcomes(
        total, up, left, rules, cards=cards, double=double, insurance=insurance, split=split
    )
    return {choice: outcome.gain for choice, outcome in found.items()}


def choice_outcomes(
    total: Total,
    up: int,
    left: Sequence[int],
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
    ends, on_14 = _standing(total, tuple(left), up, rules, exact, rows)
    found = _best(
        total, left, rules, ends, insurance * on_14, cards=cards, double=double, split=split
    )
    unknown = (nan,) * (len(FINAL_RESULTS) - rows)
    return {choice: ChoiceOutcome(*map(float, law), *unknown) for choice, law in found.items()}


def perfect_play_values(
    total: Total,
    left: Sequence[int],
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
    found = _best(total, left, rules, gains[None], side, cards=cards, double=double, split=split)
    return {choice: float(gain) for choice, (gain,) in found.items()}


def _best(
    total: Total,
    left: Sequence[int],
    rules: Rules,
    ends: Floats,
    side: Floats,
    *,
    cards: int,
    double: bool,
    split: SplitValue | None = None,
) -> dict[PlayerChoice, Floats]:
    """Give what comes of each choice: the rows of ``ends`` (rows, hands), the first the gain.

    By that the best is chosen; the other rows go along with it. Who is bust has lost 1, and
    nothing in the other rows.
    """
    ways = player_draw_tree(total)
    hands, going = ways.hands, ways.hands.on
    shoes = hands.taken_from(np.array(left, np.int64))
    size = shoes.sum(axis=1)
    chance = shoes[ways.parent, ways.drawn] / np.maximum(size, 1)[ways.parent]
    some = (size > 0)[going]  # cards are left: a bust has lost 1, so all is counted from there on
    starts = ways.first[going]
    stand, twice = _stakes(ends, side)
    if double:
        doubled = np.add.reduceat(chance * _above(twice, 2)[:, ways.child], starts, axis=1)
        doubled[0] -= 2 * some
    best = stand.copy()
    levels = np.searchsorted(hands.cards, np.arange(hands.cards[-1] + 2))
    upto = np.concatenate([[0], np.cumsum(going)])  # of those who go on
    for level in reversed(range(len(levels) - 1)):
        rows = slice(upto[levels[level]], upto[levels[level + 1]])
        if rows.start < rows.stop:
            here = levels[level] + np.flatnonzero(going[levels[level] : levels[level + 1]])
            begin = starts[rows.start]
            end = starts[rows.stop] if rows.stop < len(starts) else len(chance)
            after = _above(best, 1)[:, ways.child[begin:end]]
            hit = np.add.reduceat(chance[begin:end] * after, starts[rows] - begin, axis=1)
            hit[0] -= some[rows]
            played = _better(stand[:, here], hit)
            if double and (cards + level == 2 or not rules.double_two_cards):
                played = _better(played, doubled[:, rows])
            best[:, here] = played
        if level == 1 and split is not None:
            mate = ways.nexts[0, (1 if total.soft else total.points) - 1]
            share = 1 / WEIGHTS[total.points] if rules.split_same_rank and not total.soft else 1
            gain = split(float(best[0, mate])) if callable(split) else split
            if gain > best[0, mate]:
                apart = np.full(len(ends), np.nan)
                apart[0] = gain
                best[:, mate] += share * (apart - best[:, mate])
    came = {PlayerChoice.STAND: stand[:, 0], PlayerChoice.HIT: hit[:, 0]}
    if double and (cards == 2 or not rules.double_two_cards):
        came[PlayerChoice.DOUBLE] = doubled[:, 0]
    return came


def _above(rows: Floats, bust: int) -> Floats:
    """Give what is more than the loss of being bust."""
    more = rows.copy()
    more[0] += bust
    return more


def _stakes(ends: Floats, side: Floats) -> tuple[Floats, Floats]:
    """Give what standing leads to for a bet of 1 and for the double; the side bet stays."""
    stand, twice = ends.copy(), ends.copy()
    stand[0] = ends[0] + side
    twice[0] = 2 * ends[0] + side
    return stand, twice


def _better(one: Floats, other: Floats) -> Floats:
    """Choose for each hand by the first row."""
    return np.asarray(np.where(other[0] > one[0], other, one))


@memoize(maxsize=16)  # of some 300 KB at most: judge and advice ask for the same
def _standing(
    total: Total, left: tuple[int, ...], up: int, rules: Rules, exact: bool, rows: int
) -> tuple[Floats, Floats]:
    """Give what :func:`standing_values` gives; nobody may change it."""
    return standing_values(
        player_draw_tree(total), np.array(left, np.int64), up, rules, exact=exact, rows=rows
    )


def standing_values(
    ways: DrawTree, shoe: Ints, up: int, rules: Rules, *, exact: bool, rows: int = 3
) -> tuple[Floats, Floats]:
    """Give what standing with each hand gains, wins and pushes, and how a 14 makes 31 likelier.

    Only so many ``rows`` are given of the three.
    """
    hands = ways.hands
    shoes = hands.taken_from(shoe)
    there = (hands.counts <= shoe).all(axis=1)
    on_31, on_14 = FINALS.index(LIMIT), hands.points == FOURTEEN
    if exact or there.sum() <= term_count(ORDER):  # of a short shoe few hands come: it is as quick
        chances = np.zeros((len(shoes), len(FINALS)))
        chances[there] = dealer_outcomes(up, rules.dealer_hits_soft, False).chances(shoes[there]).T
        ends = np.einsum("hf,rhf->rh", chances, FINAL_RESULTS[:rows, kinds_of(hands.points)])
        usual = chances[on_14, on_31]
    else:
        around = dealer_differences(up, rules.dealer_hits_soft, False, tuple(shoe.tolist()))
        ends = ways.gains.values(np.einsum("sf,rkf->skr", around, FINAL_RESULTS[:rows])).T.copy()
        usual = ends[0, on_14]
    more = np.zeros(len(shoes))
    if on_14.any():
        to_31 = dealer_outcomes(up, rules.dealer_hits_soft, True).chances(shoes[on_14])[on_31]
        ends[:, on_14] = (1 - 2 * to_31, 1 - to_31, np.zeros_like(to_31))[:rows]
        more[on_14] = to_31 - usual
    return ends, more


def _laws() -> Floats:
    """Give what each final of the dealer's means to each of the `KINDS`: gain, win and push.

    It is worse, equal or better than a total, and his 14 beats them all. Who stands on 14 meets no
    such final: for him stands there, in place of the gain, whether it is 31.
    """
    finals = np.array(FINALS)
    ours = np.array(KINDS)[:, None]
    signs = np.sign(np.where(finals == BUST, 0, finals) - ours)
    signs[0] = np.where(finals == BUST, -1, 1)
    signs[:, FINALS.index(FOURTEEN)] = 1
    laws = np.stack([-signs, signs < 0, signs == 0]).astype(np.float64)
    laws[0, KINDS.index(FOURTEEN)] = finals == LIMIT
    return laws


FINAL_RESULTS = _laws()
