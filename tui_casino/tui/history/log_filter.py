"""The filter and the sort order of the list of logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from .columns import STATES, LogRow, search_text, state_of
from .player_logs import TITLES

ALL = "all"


def _by_mistakes(row: LogRow) -> int:
    return -(row.summary.mistakes or 0) if row.summary else 0


ORDERS: Mapping[str, Callable[[LogRow], Any]] = {
    "newest first": lambda row: 0,
    "by result": lambda row: (row.entry.result is None, -(row.entry.result or 0)),
    "by mistakes": _by_mistakes,
    "by length": lambda row: -(row.entry.length or 0),
    "stars first": lambda row: not row.label.star,
    "by game": lambda row: TITLES.get(row.entry.game or "", ""),
}
"""The sort orders of the list; ties are sorted newest first."""


class LogFilter(Struct):
    """Filters logs by game, state and words, and sorts them.

    The player can switch only to games and states that occur in the list.
    """

    game: str | None = None
    state: str = ALL
    order: str = "newest first"
    query: str = ""

    def apply(self, rows: Iterable[LogRow]) -> list[LogRow]:
        """Return the logs that pass the filter, sorted."""
        words = self.query.casefold().split()
        chosen = [row for row in rows if self._matches(row, words)]
        chosen.sort(key=ORDERS[self.order])
        return chosen

    def _matches(self, row: LogRow, words: list[str]) -> bool:
        if self.game not in (None, row.entry.game):
            return False
        if self.state not in (ALL, state_of(row.entry)):
            return False
        return not words or all(map(search_text(row).__contains__, words))

    def clear(self) -> bool:
        """Let every log pass; return whether some did not before."""
        before = (self.game, self.state, self.query)
        self.game, self.state, self.query = every = None, ALL, ""
        return before != every

    def next_game(self, rows: Iterable[LogRow]) -> None:
        """Show only logs of the next game, or of all games again."""
        present = {row.entry.game for row in rows}
        choices = [None, *(slug for slug in TITLES if slug in present)]
        place = choices.index(self.game) if self.game in choices else 0
        self.game = choices[(place + 1) % len(choices)]

    def next_state(self, rows: Iterable[LogRow]) -> None:
        """Show only logs in the next state, or in all states again."""
        present = {state_of(row.entry) for row in rows}
        choices = [ALL, *(state for state in STATES if state in present)]
        place = choices.index(self.state) if self.state in choices else 0
        self.state = choices[(place + 1) % len(choices)]

    def next_order(self) -> None:
        """Switch to the next order."""
        orders = [*ORDERS]
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
