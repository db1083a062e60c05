"""The boards of a server: everybody's results by cost, per game.

This module knows no game, so that the processes of a server that have no games can use it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter

from msgspec import Struct

from ..inputs.numbers import count_noun

SHOWN = 20
"""The number of places on a board; below them, a player sees only their own."""
BEST_DAYS, WEEK = 5, 7
"""The number of days that count in a week, and the length of a week."""
DAYS = 30
"""The number of days of which a server keeps results."""
_COST = re.compile("[0-9]+(/[1-9][0-9]*)?")
SMALLEST = Fraction(1, 200)
"""Smaller costs would be 0.00."""


AnswerCounts = Mapping[str, Mapping[str, int]]
"""How often each answer was given, by the key of its question."""


class BoardKind(StrEnum):
    """The boards that each game has."""

    TODAY = "today"
    YESTERDAY = "yesterday"
    WEEK = "week"
    RUNS = "runs"


TITLES = {
    BoardKind.TODAY: "today",
    BoardKind.YESTERDAY: "yesterday",
    BoardKind.WEEK: f"best {BEST_DAYS} of the last {WEEK} days",
    BoardKind.RUNS: f"longest run of best choices in {DAYS} days",
}


def empty_text(kind: BoardKind) -> str:
    """Return the sentence that replaces boards without a place."""
    has_done = "has a run of best choices" if kind is BoardKind.RUNS else "has finished a deal"
    return f"Nobody {has_done} yet."


class JudgedTry(Struct, frozen=True):
    """A finished try that the server has played again and judged.

    ``cost`` is a fraction in ``unit``, which is bets or points. ``marks`` has a ``1`` for each best
    choice and a ``0`` for each other one, in order. Raises ``ValueError`` for an invalid value.
    """

    day: date
    game: str
    player: str
    name: str
    cost: str
    unit: str
    marks: str

    def __post_init__(self) -> None:
        if not _COST.fullmatch(self.cost) or set(self.marks) - {"0", "1"}:
            raise ValueError("a cost is a fraction of at least 0, and marks are 0 or 1")

    @property
    def amount(self) -> Fraction:
        """The cost as a number."""
        return Fraction(self.cost)


class Standing(Struct, frozen=True):
    """A place on a board: equal results share a rank. ``own`` says whether it is the reader's.

    ``amount`` is the cost, or the length of a run. ``marks`` are those of a try, or of the days
    that the board covers: ``1`` for a day without a mistake, ``0`` for another one, and ``-`` for a
    day without a try.
    """

    rank: int
    name: str
    result: str
    own: bool = False
    amount: float = 0.0
    marks: str = ""


class Board(Struct, frozen=True):
    """A board of a game: its first places, and the reader's own place if it is a lower one.

    ``players`` is the number of players on the whole board.
    """

    game: str
    standings: tuple[Standing, ...]
    players: int


def cost_text(cost: Fraction, unit: str) -> str:
    """Return a cost with two decimals and its unit: ``0.12 bets``."""
    few = 0 < cost < SMALLEST
    return f"less than 0.01 {unit}" if few else f"{float(cost):.2f} {unit}"


def days_of(kind: BoardKind, today: date) -> tuple[date, ...]:
    """Return the days that a board covers, oldest first."""
    first, last = {
        BoardKind.TODAY: (0, 0),
        BoardKind.YESTERDAY: (1, 1),
        BoardKind.WEEK: (WEEK - 1, 0),
        BoardKind.RUNS: (DAYS - 1, 0),
    }[kind]
    return tuple(today - timedelta(days=back) for back in range(first, last - 1, -1))


def boards_of(
    kind: BoardKind,
    games: Iterable[str],
    tries: Iterable[JudgedTry],
    player: str,
    days: Sequence[date] = (),
) -> tuple[Board, ...]:
    """Return a board of each game from the tries of its days, as ``player`` sees it.

    ``days`` are the days that the board covers; without them, a week has no marks. Today's marks
    would help those who still play the deal, so only a player with a result sees them.
    """
    by_game: Mapping[str, list[JudgedTry]] = defaultdict(list)
    for one in sorted(tries, key=attrgetter("day")):
        by_game[one.game].append(one)
    return tuple(_board(kind, game, by_game[game], player, days) for game in games)


class _Entry(Struct, frozen=True):
    """A player's result: the smaller the ``key``, the better; equal keys share a rank."""

    key: tuple[Fraction | int, ...]
    text: str
    last: JudgedTry
    amount: float
    marks: str = ""


def _board(
    kind: BoardKind, game: str, tries: Sequence[JudgedTry], player: str, days: Sequence[date]
) -> Board:
    entries = sorted(_entries(kind, tries, days), key=lambda one: (one.key, one.last.name))
    standings: list[Standing] = []
    rank, knows = 0, kind is not BoardKind.TODAY or any(one.player == player for one in tries)
    for place, entry in enumerate(entries):
        rank = rank if place and entries[place - 1].key == entry.key else place + 1
        own = entry.last.player == player
        if place < SHOWN or own:
            name, amount = entry.last.name, entry.amount
            marks = entry.marks if knows else ""
            standings.append(Standing(rank, name, entry.text, own, amount, marks))
    return Board(game, tuple(standings), len(entries))


def _entries(kind: BoardKind, tries: Sequence[JudgedTry], days: Sequence[date]) -> Iterator[_Entry]:
    by_player: dict[str, list[JudgedTry]] = defaultdict(list)
    for one in tries:
        by_player[one.player].append(one)
    for mine in by_player.values():
        last = mine[-1]
        if kind is BoardKind.RUNS:
            if streak := longest_streak("".join(one.marks for one in mine)):
                yield _Entry((-streak,), count_noun(streak, "best choice"), last, streak)
            continue
        best = sorted(one.amount for one in mine)[:BEST_DAYS]
        cost = sum(best, Fraction(0))
        text = f"cost {cost_text(cost, last.unit)}"
        if kind is BoardKind.WEEK:
            text += f", {count_noun(len(best), 'day')}"
            marks = {one.day: "0" if "0" in one.marks else "1" for one in mine}
            strip = "".join(marks.get(day, "-") for day in days)
            yield _Entry((-len(best), cost), text, last, float(cost), strip)
        else:
            text += f", {last.marks.count('1')} of {len(last.marks)} best"
            yield _Entry((cost,), text, last, float(cost), last.marks)


def longest_streak(marks: str) -> int:
    """Return the length of the longest streak of best choices.

    >>> longest_streak("1101110")
    3
    """
    return max(map(len, marks.split("0")))


def board_lines(board: Board) -> Iterator[str]:
    """Yield the places of a board as lines of text."""
    for one in board.standings:
        yield f"{one.rank:>5}  {one.name}: {one.result}{' (you)' * one.own}"
