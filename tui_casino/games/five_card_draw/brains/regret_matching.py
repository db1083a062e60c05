"""A betting round between two players, solved by regret matching over classes of final hands.

The method is CFR+ (Tammelin, 2014): negative regrets are set to 0, and later iterations count more.
For speed, one array holds all nodes of the round and another all acts of one player, with one row
per node or act and one column per final hand.

The solver of the whole game, in `tests/build_data`, also uses `match_regrets`. Otherwise it
differs: it uses another discount, and its tree has a draw and 225 states between the two rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from .equilibrium.hand_buckets import Floats

ROUNDS = 100
"""The number of iterations; a best response then wins about a twentieth of a credit more."""
_NOTHING = np.float32(1e-30)


def match_regrets(weights: Floats, total: Floats, even: Floats) -> Floats:
    """Regret matching: return the weights divided by ``total``, or ``even`` where it is 0."""
    shares: Floats = np.where(total > _NOTHING, weights / np.maximum(total, _NOTHING), even)
    return shares


class SubgameEnd(Struct, frozen=True):
    """An end of the round: what each player wins with the better hand, and with the worse hand.

    Both are in credits, less what the player put in since the round began. After a fold they are
    equal.
    """

    number: int
    if_better: tuple[int, int]
    if_worse: tuple[int, int]


class SubgameDecision(Struct, frozen=True):
    """A decision of one of the players: its acts by their letters, and the nodes they lead to."""

    number: int
    player: int
    acts: str
    children: tuple[SubgameDecision | SubgameEnd, ...]


SubgameNode: TypeAlias = SubgameDecision | SubgameEnd


def solve_subgame(
    root: SubgameDecision, ranges: tuple[Floats, Floats], kernel: Floats, rounds: int = ROUNDS
) -> tuple[Floats, ...]:
    """Solve a round: return the frequency of each act with each final hand, for each decision.

    ``ranges`` are the weights of both players' final hands as the round begins. ``kernel`` is how
    often two of them occur together, the first player's along the first axis. The results have
    shape (acts, finals).
    """
    nodes = _NodeOrder(root)
    first, second = (_Side(nodes, player, ranges[player]) for player in (0, 1))
    ends = _TerminalValues(nodes, second, 0, kernel), _TerminalValues(nodes, first, 1, kernel.T)
    for number in range(1, rounds + 1):
        for side, end in zip((first, second), ends, strict=True):
            side.learn(number, nodes.values(side, end.values()))
    return _by_decision(first, second)


class _Decision(NamedTuple):
    """A decision: its number and node, the nodes it leads to, and its rows in the act arrays.

    ``reach_row`` is the row of `_Side.reach` with its player's reach at this node.
    """

    number: int
    node: int
    children: slice
    acts: slice
    reach_row: int


class _NodeOrder:
    """The nodes of a round, ordered so that the children of each decision are adjacent.

    Every node comes after its parent; the root is the first.
    """

    def __init__(self, root: SubgameDecision) -> None:
        self.nodes: list[SubgameNode] = [root]
        self.children: list[slice] = []  # by node; an end has no children
        for node in self.nodes:  # the list grows meanwhile
            begin = len(self.nodes)
            if isinstance(node, SubgameDecision):
                self.nodes += node.children
            self.children.append(slice(begin, len(self.nodes)))

    def values(self, side: _Side, ends: Floats) -> Floats:
        """Compute the value of each node from the ends upwards: (nodes, finals), in place."""
        for number in reversed(range(len(self.nodes))):
            node = self.nodes[number]
            if isinstance(node, SubgameDecision):
                acts = ends[self.children[number]]
                if node.player != side.player:
                    np.add.reduce(acts, axis=0, out=ends[number])
                else:
                    shares = side.shares[side.acts_of[number]]
                    np.add.reduce(acts * shares, axis=0, out=ends[number])
        return ends


class _Side:
    """One of the players: the regrets and ``shares`` of all its acts, and the reach of its hands.

    ``reach`` holds the weights of the hands as the round begins, and then after each of the
    player's own acts; other acts do not change them.
    """

    def __init__(self, nodes: _NodeOrder, player: int, weights: Floats) -> None:
        self.player, self.decisions = player, []
        self.acts_of: dict[int, slice] = {}
        self.row_of_node = [0] * len(nodes.nodes)  # of ``reach``, by node
        rows = 0
        for number, node in enumerate(nodes.nodes):
            children = nodes.children[number]
            self.row_of_node[children] = [self.row_of_node[number]] * (
                children.stop - children.start
            )
            if isinstance(node, SubgameDecision) and node.player == player:
                acts = slice(rows, rows := rows + len(node.acts))
                self.row_of_node[children] = range(1 + acts.start, 1 + acts.stop)
                self.acts_of[number] = acts
                self.decisions.append(
                    _Decision(node.number, number, children, acts, self.row_of_node[number])
                )
        sizes = [one.acts.stop - one.acts.start for one in self.decisions]
        self._even = np.repeat([np.float32(1 / size) for size in sizes], sizes)[:, None]
        self._decision = np.repeat(np.arange(len(sizes)), sizes)
        self._parent_nodes = np.repeat([one.node for one in self.decisions], sizes)
        self._reach_rows = np.repeat([one.reach_row for one in self.decisions], sizes)
        self._child_nodes = np.concatenate(
            [np.arange(one.children.start, one.children.stop) for one in self.decisions]
            or [np.zeros(0, np.intp)]
        )
        self.reach: Floats = np.empty((1 + rows, len(weights)), np.float32)
        self.reach[0] = weights
        self._regrets, self._sums = np.zeros((2, rows, len(weights)), np.float32)
        self.play(self.match(self._regrets))

    def play(self, shares: Floats) -> None:
        """Set the share of each act, and update the reach."""
        self.shares = shares
        for one in self.decisions:
            child_reach = self.reach[1 + one.acts.start : 1 + one.acts.stop]
            np.multiply(self.reach[one.reach_row], shares[one.acts], out=child_reach)

    def learn(self, number: int, values: Floats) -> None:
        """Add the regrets of an iteration, and play by the new regrets."""
        self._regrets += values[self._child_nodes] - values[self._parent_nodes]
        np.maximum(self._regrets, 0, out=self._regrets)
        self._sums += number * self.reach[self._reach_rows] * self.shares
        self.play(self.match(self._regrets))

    def match(self, weights: Floats) -> Floats:
        """Return the weights of acts as shares of their decision, or equal shares if all are 0."""
        sums = np.empty((len(self.decisions), weights.shape[1]), np.float32)
        for row, one in enumerate(self.decisions):
            np.add.reduce(weights[one.acts], axis=0, out=sums[row])
        return match_regrets(weights, sums[self._decision], self._even)

    @property
    def average(self) -> Floats:
        """The average shares of each act over all iterations."""
        return self.match(self._sums)


class _TerminalValues:
    """The values of the ends of a round for one player, given the other player's reach."""

    def __init__(self, nodes: _NodeOrder, other: _Side, player: int, kernel: Floats) -> None:
        ends = [
            (number, each)
            for number, each in enumerate(nodes.nodes)
            if isinstance(each, SubgameEnd)
        ]
        showdowns = [
            (number, each)
            for number, each in ends
            if each.if_better[player] != each.if_worse[player]
        ]
        self._other, self._meeting_matrices = other, _meeting_matrices(kernel)
        self._values: Floats = np.empty((len(nodes.nodes), len(kernel)), np.float32)
        self._ends, self._showdowns = (
            np.array([number for number, _ in pairs]) for pairs in (ends, showdowns)
        )
        self._met_rows, self._met_index = np.unique(
            [other.row_of_node[number] for number, _ in ends], return_inverse=True
        )
        self._won_rows, self._won_index = np.unique(
            np.array([other.row_of_node[number] for number, _ in showdowns], np.intp),
            return_inverse=True,
        )
        self._loss_values = _column([each.if_worse[player] for _, each in ends])
        self._win_gains = _column(
            [each.if_better[player] - each.if_worse[player] for _, each in showdowns]
        )

    def values(self) -> Floats:
        """Return the value of each end with each final hand: (nodes, finals), others unset."""
        met_reach, won = (
            self._other.reach[rows] @ meets
            for rows, meets in zip(
                (self._met_rows, self._won_rows), self._meeting_matrices, strict=True
            )
        )
        self._values[self._ends] = met_reach[self._met_index] * self._loss_values
        if len(self._showdowns):
            self._values[self._showdowns] += won[self._won_index] * self._win_gains
        return self._values


def _by_decision(*sides: _Side) -> tuple[Floats, ...]:
    policies: dict[int, Floats] = {}
    for side in sides:
        shares = side.average
        policies |= {one.number: shares[one.acts].copy() for one in side.decisions}
    return tuple(policies[number] for number in sorted(policies))


def _column(values: Sequence[int]) -> Floats:
    return np.array(values, np.float32)[:, None]


def _meeting_matrices(kernel: Floats) -> tuple[Floats, Floats]:
    """Return how often own final hands meet others and beat them: (other, own); ties count half."""
    count = len(kernel)
    own, other = np.arange(count)[:, None], np.arange(count)[None]
    wins = ((np.sign(own - other) + 1) / 2).astype(np.float32)
    return np.ascontiguousarray(kernel.T), np.ascontiguousarray((kernel * wins).T)
