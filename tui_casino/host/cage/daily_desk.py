"""The daily deals in the cage: their seeds, the boards, and everybody's answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from msgspec import Struct

from ...gamekit.registry import GAMES
from ...house.daily_board import Board, BoardKind, boards_of, days_of
from ...inputs.files import os_error_reason
from ...records.ledger import LedgerError
from ..daily_results import AnswerCounts, DailyResults
from ..daily_seeds import DailySeeds


class DailyDesk(Struct, frozen=True):
    """Answers questions about the daily deals. All methods may raise :class:`LedgerError`."""

    seeds: DailySeeds
    results: DailyResults

    def boards(self, kind: BoardKind, player: str) -> tuple[Board, ...]:
        """Return the boards of all games as a player sees them."""
        with _ledger_errors():
            tries = self.results.read(days_of(kind, self.seeds.today))
        return boards_of(kind, (game.slug for game in GAMES), tries, player)

    def answers(self, day: date, game: str) -> AnswerCounts:
        """Count everybody's answers in a deal whose day is over."""
        if not self.seeds.is_over(day):
            raise LedgerError("everybody's answers are shown when the day is over")
        with _ledger_errors():
            return self.results.answers(day, game)


@contextmanager
def _ledger_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = os_error_reason(error)
        raise LedgerError(f"the daily results cannot be read: {reason}") from None
