"""The odds of a hand in play from the actual shoe, taking every dealt card into account.

The hands that a player can draw to a total are listed once (:mod:`.shoe_dealer_odds` does the same
for the dealer); for a shoe, only their chances are computed. The player draws from the same shoe as
the dealer, so the dealer's final totals are needed for each of up to ten thousand hands. They are
exact for hands with up to three further cards. For longer hands, which are rare, they are estimated
by Newton's formula of the third order, with a small error that `docs/theory/hit-me.md` states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.memo import memoize
from ..machine.rules import DEALER_WINS_ON, LIMIT, SAFE_TOTAL, STANDS_AT, Rules, Total
from .newton_interpolation import ORDER, VALUES, Floats, Ints, NewtonFormula, term_count
from .odds import BUST, FINALS, WEIGHTS, PlayerChoice, drawing_totals
from .shoe_dealer_odds import (
    DrawnHands,
    dealer_differences,
    dealer_outcomes,
    evaluate_totals,
    list_drawn_hands,
)

SplitValue: TypeAlias = float | Callable[[float, float], float]
"""The EV of splitting, or a function that computes it from two EVs without a split.

These are the best EV of the pair, and the EV of hitting its first card.
"""

KINDS = (0, SAFE_TOTAL, *range(STANDS_AT, BUST))
"""The totals for which the dealer's final total matters; the first represents all other totals."""


_KIND_OF = np.array([KINDS.index(total) if total in KINDS else 0 for total in range(BUST)])


def kinds_of(points: Ints) -> Ints:
    """Return the index in :data:`KINDS` of each total."""
    return np.asarray(_KIND_OF.take(points))


class DrawTree(Struct, frozen=True):
    """The hands that a player can draw to a total.

    The next hands that are not bust are also listed: ``children`` by hand, and the values
    ``drawn_values`` that lead to them. Those of hand i begin at ``first_child[i]``, in ascending
    order. The method ``gains.values`` computes the part that depends on the shoe.
    """

    hands: DrawnHands
    children: Ints
    drawn_values: Ints
    parent: Ints
    first_child: Ints
    gains: NewtonFormula


def next_live_hands(nexts: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """List the next hands that are not bust, the values drawn, their parents, and their starts.

    A hand that draws again always has such a next hand, because an ace never makes it bust. The
    starts are the positions where each parent's hands begin.
    """
    places = np.flatnonzero(nexts.ravel() < len(nexts))
    parent, drawn = np.divmod(places, VALUES)
    ends = np.cumsum(np.bincount(parent, minlength=len(nexts)))
    return nexts.ravel()[places], drawn, parent, np.append(0, ends[:-1])


@memoize()
def below_limit() -> npt.NDArray[np.bool_]:
    """Return whether a player may draw to each total, by points and by aces of 11."""
    return evaluate_totals(lambda total: total.points < LIMIT)


@memoize(maxsize=64)  # some 60 totals
def player_draw_tree(total: Total) -> DrawTree:
    """List the hands that a player can draw to a total; computed once."""
    hands = list_drawn_hands(total, below_limit())
    gains = NewtonFormula(hands.counts, kinds_of(hands.points))
    return DrawTree(hands, *next_live_hands(hands.nexts), gains)


class ChoiceOutcome(Struct, frozen=True):
    """The outcome of a choice followed by perfect play: its EV for a bet of 1, and chances.

    ``wins`` and ``pushes`` are chances; otherwise the hand loses. A side bet affects only the EV.
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
    """Return the EV of standing, hitting and doubling for a bet of 1, given the cards left.

    ``remaining`` counts the cards by value, aces first. ``cards`` is the number of cards in the
    hand, and ``double`` says whether doubling is allowed in this turn. An open side bet pays back
    ``insurance`` on 31; the EVs contain only what standing on 14 adds to it. With a single card,
    ``split`` returns the EV of splitting, as in :data:`SplitValue`. If only equal ranks may be
    split, only one in four pairs of tens is counted as a pair.
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
    """Return the outcomes of standing, hitting and doubling; see :func:`choice_values`.

    Chances to win and push are NaN if a pair is split for its ``split`` value, and with ``brief``,
    which is quicker. With ``exact``, the dealer's chances are computed for every hand, which may
    take ten seconds.
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
    """Return the EV of each choice if the EVs of standing are known.

    ``gains`` holds the EV of standing with each hand of :func:`player_draw_tree`, and ``side``
    holds what a side bet adds to it. The other arguments are those of :func:`choice_values`.
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
    """Return the results of each choice from ``results`` (rows, hands); the first row is the EV.

    The first row decides which choice is best; the other rows follow. A bust hand loses 1, and has
    0 in the other rows.
    """
    tree = player_draw_tree(total)
    hands, going = tree.hands, tree.hands.draws_again
    shoes = hands.remaining_after(np.array(remaining, np.int64))
    size = shoes.sum(axis=1)
    chance = shoes[tree.parent, tree.drawn_values] / np.maximum(size, 1).take(tree.parent)
    has_cards = (size > 0)[
        going
    ]  # results are counted relative to a bust, which loses 1 if cards are left
    starts = tree.first_child[going]
    stand, doubled_stand = _stakes(results, side)
    if double:
        next_values = _above_bust(doubled_stand, 2).take(tree.children, axis=1)
        next_values *= chance
        doubled = np.add.reduceat(next_values, starts, axis=1)
        doubled[0] -= 2 * has_cards
    best = stand.copy()
    drawn_cards = hands.cards
    levels = np.searchsorted(drawn_cards, np.arange(drawn_cards[-1] + 2))
    going_before = np.concatenate([[0], np.cumsum(going)])  # counts only the hands that draw again
    for level in reversed(range(len(levels) - 1)):
        rows = slice(going_before[levels[level]], going_before[levels[level + 1]])
        if rows.start < rows.stop:
            level_hands = levels[level] + np.flatnonzero(going[levels[level] : levels[level + 1]])
            begin = starts[rows.start]
            end = starts[rows.stop] if rows.stop < len(starts) else len(chance)
            next_values = best.take(tree.children[begin:end], axis=1)
            next_values[0] += 1
            next_values *= chance[begin:end]
            hit = np.add.reduceat(next_values, starts[rows] - begin, axis=1)
            hit[0] -= has_cards[rows]
            best_move = _better_of(stand[:, level_hands], hit)
            if double and (cards + level == 2 or not rules.double_two_cards):
                best_move = _better_of(best_move, doubled[:, rows])
            best[:, level_hands] = best_move
        if level == 1 and split is not None:
            pair_hand = tree.hands.nexts[0, (1 if total.soft else total.points) - 1]
            share = 1 / WEIGHTS[total.points] if rules.split_same_rank and not total.soft else 1
            gain = split
            if callable(gain):
                after_first = slice(starts[1])
                next_gains = best[0, tree.children[after_first]] + 1
                hit_gain = float(chance[after_first] @ next_gains) - 1
                gain = gain(float(best[0, pair_hand]), hit_gain)
            if gain > best[0, pair_hand]:
                split_result = np.full(len(results), np.nan)
                split_result[0] = gain
                best[:, pair_hand] += share * (split_result - best[:, pair_hand])
    choices = {PlayerChoice.STAND: stand[:, 0], PlayerChoice.HIT: hit[:, 0]}
    if double and (cards == 2 or not rules.double_two_cards):
        choices[PlayerChoice.DOUBLE] = doubled[:, 0]
    return choices


def _above_bust(rows: Floats, bust: int) -> Floats:
    """Return the results with the gain counted from that of a bust hand."""
    gains = rows.copy()
    gains[0] += bust
    return gains


def _stakes(results: Floats, side: Floats) -> tuple[Floats, Floats]:
    """Return the results of standing with one bet and with two; the side bet is not doubled."""
    stand, doubled = results.copy(), results.copy()
    stand[0] = results[0] + side
    doubled[0] = 2 * results[0] + side
    return stand, doubled


def _better_of(one: Floats, other: Floats) -> Floats:
    """Choose for each hand the result with the higher first row."""
    return np.asarray(np.where(other[0] > one[0], other, one))


@memoize(maxsize=16)  # at most about 300 KB; verdict and advice ask for the same
def _cached_standing_values(
    total: Total, remaining: tuple[int, ...], up_card: int, rules: Rules, exact: bool, rows: int
) -> tuple[Floats, Floats]:
    """Return the cached result of :func:`standing_values`; callers must not change it."""
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
    """Return the results of standing with each hand, and how much a 14 raises the chance of 31.

    The results are gain, win and push; only the first ``rows`` of them are returned.
    """
    hands, on_31 = tree.hands, FINALS.index(LIMIT)
    is_possible = (hands.counts <= shoe).all(axis=1)
    on_14 = np.flatnonzero(hands.points == SAFE_TOTAL)
    if exact or is_possible.sum() <= term_count(
        ORDER
    ):  # a short shoe has few possible hands, so this is as quick
        chances = np.zeros((len(hands.counts), len(FINALS)))
        outcomes = dealer_outcomes(up_card, drawing_totals(rules))
        chances[is_possible] = outcomes.chances(shoe - hands.counts[is_possible]).T
        results = np.einsum("hf,rhf->rh", chances, FINAL_RESULTS[:rows, kinds_of(hands.points)])
        usual_31 = chances[on_14, on_31]
    else:
        difference_table = dealer_differences(up_card, drawing_totals(rules), tuple(shoe.tolist()))
        results = tree.gains.values(
            np.einsum("sf,rkf->skr", difference_table, FINAL_RESULTS[:rows])
        ).T.copy()
        usual_31 = results[0, on_14]
    gain_of_31 = np.zeros(len(hands.counts))
    if len(on_14):
        shoes = np.maximum(shoe - hands.counts[on_14], 0)
        to_31 = dealer_outcomes(up_card, drawing_totals(rules, only_31=True)).chances(shoes)[on_31]
        results[:, on_14] = (1 - 2 * to_31, 1 - to_31, np.zeros_like(to_31))[:rows]
        gain_of_31[on_14] = to_31 - usual_31
    return results, gain_of_31


def _final_results() -> Floats:
    """Return the result of each final total for each of the `KINDS`: gain, win and push.

    A final total loses to, equals or beats the player's total; a dealer's 14 beats all totals. For
    a player who stands on 14, the first row instead says whether the final total is 31.
    """
    finals = np.array(FINALS)
    ours = np.array(KINDS)[:, None]
    signs = np.sign(np.where(finals == BUST, 0, finals) - ours)
    signs[0] = np.where(finals == BUST, -1, 1)
    signs[:, FINALS.index(DEALER_WINS_ON)] = 1
    results = np.stack([-signs, signs < 0, signs == 0]).astype(np.float64)
    results[0, KINDS.index(SAFE_TOTAL)] = finals == LIMIT
    return results


FINAL_RESULTS = _final_results()
