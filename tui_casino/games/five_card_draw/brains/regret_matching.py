"""A round of bets between two, solved by regret matching over the classes of finals.

It is CFR+ (Tammelin, 2014): regrets below nothing are forgotten, and later rounds of learning count
more. What is done hundreds of times goes through arrays in which the places of the round, and the
acts of one player, are side by side: a row each, a column for each final.

`equilibrium/solver` solves the whole game and matches regrets with the same function. The rest
differs: it uses another discount, and its tree has a draw and 225 states between two rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from .equilibrium.hand_buckets import Floats
from .equilibrium.solver import match_regrets

ROUNDS = 100
"""Rounds of learning: a best response then wins about a twentieth of a credit more."""


@dataclass(frozen=True, slots=True)
class SubgameEnd:
    """An end of the round: what each of the two has won if its hand is better, and if not.

    In credits, less what it put in since the round began. A fold is no matter of hands.
    """

    number: int
    better: tuple[int, int]
    worse: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SubgameDecision:
    """A decision of one of the two: its acts by their letters, and what they lead to."""

    number: int
    player: int
    acts: str
    after: tuple[SubgameDecision | SubgameEnd, ...]


SubgameNode: TypeAlias = SubgameDecision | SubgameEnd


def walk_tree(place: SubgameNode) -> Iterator[SubgameNode]:
    """Go through a place and all that comes of it."""
    yield place
    if isinstance(place, SubgameDecision):
        for after in place.after:
            yield from walk_tree(after)


def solve_subgame(
    root: SubgameDecision, likely: tuple[Floats, Floats], kernel: Floats, rounds: int = ROUNDS
) -> tuple[Floats, ...]:
    """Solve a round: how often each act is chosen with each final, (acts, finals) by decision.

    ``likely`` are both players' finals as the round begins, ``kernel`` how often two of them come
    together, the first player's along the first axis.
    """
    course = _Course(root)
    first, second = (_Side(course, player, likely[player]) for player in (0, 1))
    ends = _Ends(course, second, 0, kernel), _Ends(course, first, 1, kernel.T)
    for number in range(1, rounds + 1):
        for side, end in zip((first, second), ends, strict=True):
            side.learn(number, course.worths(side, end.worths()))
    return _by_decision(first, second)


def policy_gains(
    root: SubgameDecision, likely: tuple[Floats, Floats], kernel: Floats, policy: Sequence[Floats]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Give what each player wins by a policy on average, and by the best response to the other."""
    course = _Course(root)
    first, second = (_Side(course, player, likely[player]) for player in (0, 1))
    for side in (first, second):
        side.play(np.concatenate([policy[one.number] for one in side.decisions]))
    ends = _Ends(course, second, 0, kernel), _Ends(course, first, 1, kernel.T)
    total = float(likely[0] @ kernel @ likely[1])
    found = []
    for side, end, own in zip((first, second), ends, likely, strict=True):
        plays = course.worths(side, end.worths())[0].copy()
        best = course.worths(side, end.worths(), best=True)[0]
        found.append((float(plays @ own) / total, float(best @ own) / total))
    return found[0], found[1]


class _Decision(NamedTuple):
    """A decision: its number and place, the places it leads to, its rows among its player's acts.

    ``reached`` is the row of `_Side.reached` with which its player comes there.
    """

    number: int
    place: int
    after: slice
    acts: slice
    reached: int


class _Course:
    """The places of a round in an order in which all that a decision leads to stand together.

    Those before a place stand before it; the root is the first.
    """

    def __init__(self, root: SubgameDecision) -> None:
        self.places: list[SubgameNode] = [root]
        self.after: list[slice] = []  # by place; nothing comes after an end
        for place in self.places:  # which grows meanwhile
            begin = len(self.places)
            if isinstance(place, SubgameDecision):
                self.places += place.after
            self.after.append(slice(begin, len(self.places)))

    def worths(self, side: _Side, ends: Floats, best: bool = False) -> Floats:
        """Work back from the ends to what each place is worth: (places, finals), in place.

        The side plays as it does, or for the best.
        """
        for at in reversed(range(len(self.places))):
            place = self.places[at]
            if isinstance(place, SubgameDecision):
                acts = ends[self.after[at]]
                if place.player != side.player:
                    np.add.reduce(acts, axis=0, out=ends[at])
                elif best:
                    np.maximum.reduce(acts, axis=0, out=ends[at])
                else:
                    shares = side.shares[side.acts_of[at]]
                    np.add.reduce(acts * shares, axis=0, out=ends[at])
        return ends


class _Side:
    """One of the two: its regrets and ``shares`` of all its acts, and how its finals go through.

    ``reached`` has the finals as the round begins, and then after each of its acts: in between
    nothing changes them.
    """

    def __init__(self, course: _Course, player: int, likely: Floats) -> None:
        self.player, self.decisions = player, []
        self.acts_of: dict[int, slice] = {}
        self.row_at = [0] * len(course.places)  # of ``reached``, by place
        rows = 0
        for at, place in enumerate(course.places):
            after = course.after[at]
            self.row_at[after] = [self.row_at[at]] * (after.stop - after.start)
            if isinstance(place, SubgameDecision) and place.player == player:
                acts = slice(rows, rows := rows + len(place.acts))
                self.row_at[after] = range(1 + acts.start, 1 + acts.stop)
                self.acts_of[at] = acts
                self.decisions.append(_Decision(place.number, at, after, acts, self.row_at[at]))
        sizes = [one.acts.stop - one.acts.start for one in self.decisions]
        self._even = np.repeat([np.float32(1 / size) for size in sizes], sizes)[:, None]
        self._decision = np.repeat(np.arange(len(sizes)), sizes)
        self._before = np.repeat([one.place for one in self.decisions], sizes)
        self._came = np.repeat([one.reached for one in self.decisions], sizes)
        self._after = np.concatenate(
            [np.arange(one.after.start, one.after.stop) for one in self.decisions]
            or [np.zeros(0, np.intp)]
        )
        self.reached: Floats = np.empty((1 + rows, len(likely)), np.float32)
        self.reached[0] = likely
        self._regrets, self._sums = np.zeros((2, rows, len(likely)), np.float32)
        self.play(self.matched(self._regrets))

    def play(self, shares: Floats) -> None:
        """Choose each act so often from now on."""
        self.shares = shares
        for one in self.decisions:
            after = self.reached[1 + one.acts.start : 1 + one.acts.stop]
            np.multiply(self.reached[one.reached], shares[one.acts], out=after)

    def learn(self, number: int, worths: Floats) -> None:
        """Regret what acts would have brought more than the decision did, and play by that."""
        self._regrets += worths[self._after] - worths[self._before]
        np.maximum(self._regrets, 0, out=self._regrets)
        self._sums += number * self.reached[self._came] * self.shares
        self.play(self.matched(self._regrets))

    def matched(self, weights: Floats) -> Floats:
        """Share each decision out by the weights of its acts; evenly where they have none."""
        sums = np.empty((len(self.decisions), weights.shape[1]), np.float32)
        for at, one in enumerate(self.decisions):
            np.add.reduce(weights[one.acts], axis=0, out=sums[at])
        return match_regrets(weights, sums[self._decision], self._even)

    @property
    def average(self) -> Floats:
        """How often each act was chosen in all rounds of learning."""
        return self.matched(self._sums)


class _Ends:
    """What the ends of a round are worth to one of the two, by how the other comes there."""

    def __init__(self, course: _Course, other: _Side, player: int, kernel: Floats) -> None:
        ends = [(at, each) for at, each in enumerate(course.places) if isinstance(each, SubgameEnd)]
        shown = [(at, each) for at, each in ends if each.better[player] != each.worse[player]]
        self._other, self._meets = other, _meets(kernel)
        self._worths: Floats = np.empty((len(course.places), len(kernel)), np.float32)
        self._ends, self._shown = (np.array([at for at, _ in some]) for some in (ends, shown))
        self._met, self._met_at = np.unique(
            [other.row_at[at] for at, _ in ends], return_inverse=True
        )
        self._won, self._won_at = np.unique(
            np.array([other.row_at[at] for at, _ in shown], np.intp), return_inverse=True
        )
        self._worse = _column([each.worse[player] for _, each in ends])
        self._more = _column([each.better[player] - each.worse[player] for _, each in shown])

    def worths(self) -> Floats:
        """Give what each end is worth to each final: (places, finals), the other places empty."""
        met, won = (
            self._other.reached[rows] @ meets
            for rows, meets in zip((self._met, self._won), self._meets, strict=True)
        )
        self._worths[self._ends] = met[self._met_at] * self._worse
        if len(self._shown):
            self._worths[self._shown] += won[self._won_at] * self._more
        return self._worths


def _by_decision(*sides: _Side) -> tuple[Floats, ...]:
    found: dict[int, Floats] = {}
    for side in sides:
        shares = side.average
        found |= {one.number: shares[one.acts].copy() for one in side.decisions}
    return tuple(found[number] for number in sorted(found))


def _column(values: Sequence[int]) -> Floats:
    return np.array(values, np.float32)[:, None]


def _meets(kernel: Floats) -> tuple[Floats, Floats]:
    """Give how often an own final meets another, and wins; (other, own), a tie counted half."""
    count = len(kernel)
    own, other = np.arange(count)[:, None], np.arange(count)[None]
    wins = ((np.sign(own - other) + 1) / 2).astype(np.float32)
    return np.ascontiguousarray(kernel.T), np.ascontiguousarray((kernel * wins).T)
