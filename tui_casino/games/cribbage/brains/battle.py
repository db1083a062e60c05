"""Battles: two computer players play many games at a real table, on all cores.

Games are played in pairs. Both games of a pair are dealt the same cards, and the players swap seats
between them, which cancels most of the luck with the cards. All errors are calculated over pairs,
because the two games of a pair are not independent. The result of a pair depends only on the seed
and the number of the pair, not on the number of processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import TypeAlias

from msgspec import Struct

from ....engine.chance import SeededSource
from ....engine.croupier import ShuffledShoe
from ....engine.game import Seat
from ....engine.monte_carlo import ReportProgress, random_seed
from ....engine.parallel import ONE_JOB, Workers, map_blocks
from ....engine.table import Table
from ..machine import game
from ..machine.state import Action, Event, GameOver, Options, RoundBegun, State
from .players import PLAYERS

MOST_PAIRS = 10**6
_QUICK_PLAYERS = ("random", "greedy")
_PAIRS_PER_BLOCK = (4, 100)  # at least a second of work; the second number is for two quick players
INTERVAL = 1.96
"""The distance from a mean to the ends of its 95% interval, in standard errors."""

Names: TypeAlias = tuple[str, str]
Numbers: TypeAlias = tuple[int, int]


class BattleGame(Struct, frozen=True):
    """A game: each player's final points, the number of deals, and game points (2 or 3: skunk)."""

    points: Numbers
    deals: int
    worth: int

    @property
    def first_won(self) -> bool:
        """Whether the first player won."""
        return self.points[0] > self.points[1]


GamePair: TypeAlias = tuple[BattleGame, BattleGame]


class PairedMean(Struct, frozen=True):
    """The mean of a value over pairs, and half the width of its 95% interval."""

    value: float
    margin: float

    @classmethod
    def of_values(cls, values: Sequence[float]) -> PairedMean:
        """Return the mean of independent values; there must be at least two."""
        return cls(fmean(values), INTERVAL * stdev(values) / sqrt(len(values)))


class CribbageBattle(Struct, frozen=True):
    """The result of a battle; ``share`` and ``lead`` are those of the first player."""

    players: Names
    rules: str
    seed: int
    pairs: tuple[GamePair, ...]

    @property
    def games(self) -> tuple[BattleGame, ...]:
        """The games of all pairs."""
        return tuple(game for pair in self.pairs for game in pair)

    @property
    def share(self) -> PairedMean:
        """The fraction of games that the first player wins, from 0 to 1.

        The margin is calculated as if one pair more had been won and one more lost, so it is never
        0, even if one player has won every game.
        """
        shares = [fmean(game.first_won for game in pair) for pair in self.pairs]
        return PairedMean(fmean(shares), PairedMean.of_values([*shares, 0, 1]).margin)

    @property
    def lead(self) -> PairedMean:
        """The points per deal by which the first player outscores the second."""
        leads = [
            sum(game.points[0] - game.points[1] for game in pair) / sum(g.deals for g in pair)
            for pair in self.pairs
        ]
        return PairedMean.of_values(leads)

    @property
    def deals(self) -> int:
        """The number of deals in all games."""
        return sum(game.deals for game in self.games)

    def points_a_deal(self, player: int) -> float:
        """Return the points per deal of a player, 0 or 1."""
        return sum(game.points[player] for game in self.games) / self.deals

    def wins(self, player: int) -> int:
        """Return the number of games that a player, 0 or 1, won."""
        return sum(game.first_won is (player == 0) for game in self.games)

    def skunks(self, player: int, worth: int) -> int:
        """Return how many games a player won with a skunk (``worth`` 2) or a double skunk (3)."""
        return sum(g.worth == worth and g.first_won is (player == 0) for g in self.games)


def run_battle(
    players: Names,
    pairs: int,
    *,
    rules: str,
    seed: int | None,
    workers: Workers = ONE_JOB,
    progress: ReportProgress | None = None,
) -> CribbageBattle:
    """Play ``pairs`` pairs of games and return the result.

    ``players`` are two names of `PLAYERS`, and ``rules`` is a name of `RULE_SETS`. Without a
    ``seed``, the system provides it. ``progress`` is called with the number of pairs played. Raises
    ``ValueError`` for fewer than two pairs, and the errors
    of :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    if not 2 <= pairs <= MOST_PAIRS:
        raise ValueError(f"a battle must have 2 to {MOST_PAIRS} pairs of games, not {pairs}")
    seed = random_seed() if seed is None else seed
    block_size = _PAIRS_PER_BLOCK[set(players) <= set(_QUICK_PLAYERS)]
    play = partial(_play_block, players, rules, seed, pairs, block_size)
    game_pairs: list[GamePair] = []
    with closing(map_blocks(play, -(-pairs // block_size), workers)) as blocks:
        for block in blocks:
            game_pairs += block
            if progress:
                progress(len(game_pairs))
    return CribbageBattle(players, rules, seed, tuple(game_pairs))


def _play_block(
    players: Names, rules: str, seed: int, pairs: int, each: int, number: int
) -> tuple[GamePair, ...]:
    first = number * each
    numbers = range(first, min(first + each, pairs))
    return tuple(play_pair(players, rules, seed, pair) for pair in numbers)


def play_pair(players: Names, rules: str, seed: int, number: int) -> GamePair:
    """Play two games with the same cards: the first player sits in seat 0, then in seat 1."""
    return _play(players, rules, seed, number, 0), _play(players, rules, seed, number, 1)


def _play(players: Names, rules: str, seed: int, number: int, seat: int) -> BattleGame:
    table: Table[Options, State, Action, Event] = Table(
        game,
        Options(rules=rules),
        ShuffledShoe(),
        SeededSource(seed * MOST_PAIRS + number),
        {Seat(seat): PLAYERS[players[0]](), Seat(1 - seat): PLAYERS[players[1]]()},
    )
    deals = worth = 0
    while not table.waiting:
        for event in table.play(*table.ask()):
            deals += isinstance(event, RoundBegun)
            if isinstance(event, GameOver):
                worth = event.worth
    points = table.state.points
    return BattleGame((points[seat], points[1 - seat]), deals, worth)
