"""The odds of a hand in play from the shoe as it stands: every card counts that is gone.

A hand that may still come is known by how many cards of each of the ten values it adds. All of
these are listed once for each total to draw on from; of a shoe, only the chances are worked out.
What a dealer ends on is a sum over the hands he may come to: the number of orders that lead there,
times a product of falling factorials of what is left of each value, over that of all cards left.

The player takes cards from the same shoe, and what the dealer then ends on is needed for each of
up to some ten thousand hands. It is worked out as it is for all hands of three further cards and
fewer, and goes on from there by Newton's formula of the third order, which is exact for these. On
longer ones it is off by little, and they are rare: `docs/thirty-one.md` says what it comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ....cards.once import once
from ..machine.rules import FOURTEEN, LIMIT, Rules, Total, dealer_draws
from .newton import ORDER, VALUES, Floats, Ints, near, terms, values_at
from .odds import BUST, FINALS, WEIGHTS, Choice, up_card

_BLOCK = 32  # shoes at a time, so that their products stay in the processor's cache
_ROOM = 5  # bits for a count in the key of a hand: at most 31 cards
_KEYS: Ints = 1 << _ROOM * np.arange(VALUES, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Hands:
    """What may be drawn to a total: counts of each value (hands, 10), in rising number of cards.

    ``ways`` are the orders that lead there without stopping before, ``points`` the totals, and
    ``on`` tells where one draws on. Hands that are bust are left out.
    """

    counts: Ints
    ways: Ints
    points: Ints
    on: npt.NDArray[np.bool_]

    @property
    def cards(self) -> Ints:
        """How many cards each hand adds."""
        return np.asarray(self.counts.sum(axis=1))

    def taken_from(self, shoe: Ints) -> Ints:
        """Give what is left of a shoe (10) without each hand: (hands, 10)."""
        return np.asarray(np.maximum(shoe - self.counts, 0))


def _drawn(start: Total, goes_on: npt.NDArray[np.bool_]) -> Hands:
    """List the hands that come of a total; ``goes_on`` by points and aces of 11."""
    counts, ways = np.zeros((1, VALUES), np.int64), np.ones(1, np.int64)
    rows = []
    while len(counts):
        hard = start.points - 10 * start.soft + counts @ np.arange(1, VALUES + 1)
        alive = hard <= LIMIT
        counts, ways, hard = counts[alive], ways[alive], hard[alive]
        # an ace that once counts 1 does so for good: the total only comes nearer to 31
        soft = np.minimum(start.soft + counts[:, 0], (LIMIT - hard) // 10)
        points = hard + 10 * soft
        on = goes_on[points, soft]
        rows.append((counts, ways, points, on))
        more = (counts[on][:, None] + np.eye(VALUES, dtype=np.int64)).reshape(-1, VALUES)
        keys, first, same = np.unique(more @ _KEYS, return_index=True, return_inverse=True)
        paths = np.zeros(len(keys), np.int64)
        np.add.at(paths, same, np.repeat(ways[on], VALUES))
        counts, ways = more[first], paths
    return Hands(*map(np.concatenate, zip(*rows, strict=True)))


# ---- the dealer ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ends:
    """Hands the dealer stops with, sorted so that what they share is multiplied once.

    ``digits[v]`` are the counts of value v of the rows that are left when the values below it are
    summed up, and ``groups[v]`` where those begin that differ in higher values.
    """

    ways: Floats
    cards: Ints
    digits: tuple[Ints, ...]
    groups: tuple[Ints, ...]
    finals: Ints

    def chances(self, shoes: Ints) -> Floats:
        """Give the chance of each final (finals, shoes) for shoes of such counts (shoes, 10)."""
        blocks = range(0, len(shoes), _BLOCK)
        return np.hstack([self._chances(shoes[first : first + _BLOCK]) for first in blocks])

    def _chances(self, shoes: Ints) -> Floats:
        size = shoes.sum(axis=1)
        of_all = _falling(size, int(self.cards.max()))
        weight = np.divide(1.0, of_all, out=np.zeros_like(of_all), where=of_all > 0)
        came = self.ways[:, None] * weight[self.cards]
        for value, (digits, groups) in enumerate(zip(self.digits, self.groups, strict=True)):
            came *= _falling(shoes[:, value], int(digits.max()))[digits]
            came = np.add.reduceat(came, groups, axis=0)
        chances = np.zeros((len(FINALS), len(shoes)))
        chances[self.finals] = came
        chances[-1] = 1 - chances.sum(axis=0)
        return chances


def _falling(counts: Ints, most: int) -> Floats:
    """Give c (c - 1) … of each count, with 0 to so many factors: (most + 1, counts)."""
    factors = np.maximum(counts - np.arange(most)[:, None], 0).astype(np.float64)
    return np.concatenate([np.ones((1, len(counts))), np.cumprod(factors, axis=0)])


@once(most=40)  # ten cards, two rules, two goals
def dealer(up: int, hits_soft: bool, only_31: bool) -> Ends:
    """List what a dealer may end on who shows a card of this value; or who goes on to 31."""
    rules = Rules(dealer_hits_soft=hits_soft)
    goes_on = _table(lambda total: dealer_draws(total, rules, only_31=only_31))
    hands = _drawn(up_card(up), goes_on)
    ends = ~hands.on
    counts, ways, points = hands.counts[ends], hands.ways[ends], hands.points[ends]
    finals = np.searchsorted(FINALS, points)
    order = np.lexsort((*counts.T, finals))
    counts, finals = counts[order], finals[order]
    ways, cards = ways[order], counts.sum(axis=1)
    digits, groups = [], []
    for value in range(VALUES):
        digits.append(counts[:, value])
        rest = np.column_stack([finals, counts[:, value + 1 :]])
        first = np.flatnonzero(np.any(np.diff(rest, axis=0, prepend=-1), axis=1))
        groups.append(first)
        counts, finals = counts[first], finals[first]
    return Ends(ways.astype(np.float64), cards, tuple(digits), tuple(groups), finals)


def _table(goes_on: Callable[[Total], bool]) -> npt.NDArray[np.bool_]:
    """Ask for every total whether one goes on: by points, and aces of 11."""
    totals = [[Total(points, soft) for soft in range(3)] for points in range(BUST)]
    return np.array([[goes_on(total) for total in row] for row in totals])


# ---- the player ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ways:
    """What a player may draw to a total; ``nexts`` (hands, 10) are the hands one card further.

    The place after the last hand is that of all that are bust.
    """

    hands: Hands
    nexts: Ints


@once(most=32)
def player(total: Total) -> Ways:
    """List what a player may draw to a total, worked out once."""
    hands = _drawn(total, _table(lambda total: total.points < LIMIT))
    keys = hands.counts @ _KEYS
    order = np.argsort(keys)
    wanted = keys[:, None] + _KEYS
    places = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    return Ways(hands, np.where(keys[places] == wanted, places, len(keys)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a choice leads to if the best follows: its gain for a bet of 1, and how often it wins.

    ``wins`` and ``pushes`` are chances; the rest is lost. A side bet is in the gain alone.
    """

    gain: float
    wins: float
    pushes: float


def values(
    total: Total,
    up: int,
    left: Sequence[int],
    rules: Rules,
    *,
    cards: int,
    double: bool,
    insurance: float = 0,
    split: float | None = None,
) -> dict[Choice, float]:
    """Give what standing, hitting and doubling gain for a bet of 1, from the cards that are left.

    ``left`` counts them by value, aces first. ``cards`` are the hand's; ``double`` says whether
    that is on offer in this turn at all. An open side bet returns ``insurance`` on 31; only what
    standing on 14 adds to it is in the values. With a single card, ``split`` is the value of
    splitting: of two tens, one in four are of a rank.
    """
    found = outcomes(
        total, up, left, rules, cards=cards, double=double, insurance=insurance, split=split
    )
    return {choice: outcome.gain for choice, outcome in found.items()}


def outcomes(
    total: Total,
    up: int,
    left: Sequence[int],
    rules: Rules,
    *,
    cards: int,
    double: bool,
    insurance: float = 0,
    split: float | None = None,
    exact: bool = False,
) -> dict[Choice, Outcome]:
    """Give what comes of standing, hitting and doubling; all is as in :func:`values`.

    Where a pair is split for its ``split`` value, that wins and pushes so often is not known: NaN.
    ``exact``: the dealer's chances are worked out for every hand, which may take ten seconds.
    """
    hands, shoe = player(total).hands, np.array(left, np.int64)
    ends, on_14 = standing(hands, shoe, up, rules, exact=exact)
    found = _best(
        total, left, rules, ends, insurance * on_14, cards=cards, double=double, split=split
    )
    return {choice: Outcome(*map(float, law)) for choice, law in found.items()}


def best_play(
    total: Total,
    left: Sequence[int],
    rules: Rules,
    gains: Floats,
    side: Floats,
    *,
    cards: int,
    double: bool,
    split: float | None = None,
) -> dict[Choice, float]:
    """Give what each choice gains where it is known what standing does.

    ``gains`` has that for each hand of :func:`player`, and ``side`` what a side bet adds to it;
    all else is as in :func:`values`.
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
    split: float | None = None,
) -> dict[Choice, Floats]:
    """Give what comes of each choice: the rows of ``ends`` (rows, hands), the first the gain.

    By that the best is chosen; the other rows go along with it. Who is bust has lost 1, and
    nothing in the other rows.
    """
    ways = player(total)
    hands = ways.hands
    shoes = hands.taken_from(np.array(left, np.int64))
    bust = np.zeros((len(ends), 1))
    bust[0] = -1
    stand, twice = (np.append(rows, times * bust, axis=1) for rows, times in _stakes(ends, side))
    chance = shoes / np.maximum(shoes.sum(axis=1), 1)[:, None]
    doubled = (chance * twice[:, ways.nexts]).sum(axis=2)
    best = stand.copy()
    starts = np.searchsorted(hands.cards, np.arange(hands.cards[-1] + 2))
    for level in reversed(range(len(starts) - 1)):
        here = slice(starts[level], starts[level + 1])
        hit = (chance[here] * best[:, ways.nexts[here]]).sum(axis=2)
        played = _better(stand[:, here], hit)
        if double and (cards + level == 2 or not rules.double_two_cards):
            played = _better(played, doubled[:, here])
        best[:, here] = np.where(hands.on[here], played, stand[:, here])
        if level == 1 and split is not None:
            mate = ways.nexts[0, (1 if total.soft else total.points) - 1]
            share = 1 / WEIGHTS[total.points] if rules.split_same_rank and not total.soft else 1
            if split > best[0, mate]:
                apart = np.full(len(ends), np.nan)
                apart[0] = split
                best[:, mate] += share * (apart - best[:, mate])
    came = {Choice.STAND: stand[:, 0], Choice.HIT: hit[:, 0]}
    if double and (cards == 2 or not rules.double_two_cards):
        came[Choice.DOUBLE] = doubled[:, 0]
    return came


def _stakes(ends: Floats, side: Floats) -> Iterator[tuple[Floats, int]]:
    """Give what standing leads to for a bet of 1, and for the double; the side bet is not doubled.

    Beside it stands what is lost by going bust.
    """
    for times in (1, 2):
        rows = ends.copy()
        rows[0] = times * ends[0] + side
        yield rows, times


def _better(one: Floats, other: Floats) -> Floats:
    """Choose for each hand by the first row."""
    return np.asarray(np.where(other[0] > one[0], other, one))


def standing(
    hands: Hands, shoe: Ints, up: int, rules: Rules, *, exact: bool
) -> tuple[Floats, Floats]:
    """Give what standing with each hand gains, wins and pushes, and how a 14 makes 31 likelier."""
    shoes = hands.taken_from(shoe)
    there = (hands.counts <= shoe).all(axis=1)
    if exact or there.sum() <= terms(ORDER):  # of a short shoe few hands come: it is as quick
        chances = np.zeros((len(shoes), len(FINALS)))
        chances[there] = dealer(up, rules.dealer_hits_soft, False).chances(shoes[there]).T
    else:
        around = dealer_around(up, rules.dealer_hits_soft, False, tuple(shoe.tolist()))
        chances = values_at(hands.counts, around)
    # a final of the dealer's is worse, equal or better than a total, and his 14 beats them all
    finals = np.array(FINALS)
    signs = np.sign(np.where(finals == BUST, 0, finals) - hands.points[:, None])
    signs[:, FINALS.index(FOURTEEN)] = 1
    ends = np.stack([(chances * part).sum(axis=1) for part in (-signs, signs < 0, signs == 0)])
    more = np.zeros(len(chances))
    on_14 = hands.points == FOURTEEN
    if on_14.any():
        on_31 = FINALS.index(LIMIT)
        to_31 = dealer(up, rules.dealer_hits_soft, True).chances(shoes[on_14])[on_31]
        ends[:, on_14] = 1 - 2 * to_31, 1 - to_31, np.zeros_like(to_31)
        more[on_14] = to_31 - chances[on_14, on_31]
    return ends, more


@once(most=64)
def dealer_around(up: int, hits_soft: bool, only_31: bool, left: tuple[int, ...]) -> Floats:
    """Give the differences of the dealer's chances around a shoe, for Newton: (sets, finals)."""
    sets, differences = near()
    chances = dealer(up, hits_soft, only_31).chances(np.maximum(np.array(left) - sets, 0))
    return np.asarray(differences @ chances.T)


def dealer_ends(up: int, left: Sequence[int], rules: Rules) -> dict[int, float]:
    """Give the chance of each final of a dealer who shows a card, from the cards that are left."""
    shoes = np.array([left], np.int64)
    chances = dealer(up, rules.dealer_hits_soft, False).chances(shoes)[:, 0]
    return dict(zip(FINALS, map(float, chances), strict=True))
