"""The daily deals of the server, over the connection to the cage."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from ...engine.chance import ChanceSource, CommittedSource, SourceSpec
from ...house.daily_board import AnswerCounts, Board, BoardKind
from ..cage_protocol import ReadDailyAnswers, ReadDailyBoard, ReadDailySeed
from ..daily_seeds import DailySeed
from .cage_client import CageClient
from .cage_source import CageSource


class SealedSource(CageSource):
    """The source of today's daily deal, whose seed is not revealed before the day is over."""

    @property
    def seed(self) -> None:
        """``None``: others still play the deal."""
        return None


class CageDaily:
    """The :class:`~tui_casino.house.house.DailyServer` of a session.

    ``report`` tells the gateway about a finished try.
    """

    def __init__(self, line: CageClient, report: Callable[[], object]) -> None:
        self._line, self._report = line, report

    def report(self) -> None:
        """Ask the gateway to judge a try that the player has finished."""
        self._report()

    def source(self, day: date, game: str) -> ChanceSource:
        """Return the source of a deal. Raises :class:`LedgerError`."""
        found: DailySeed = self._line.ask(ReadDailySeed(day, game), DailySeed)
        if found.seed is not None:
            return CommittedSource(found.seed)
        return SealedSource(self._line, SourceSpec("committed", found.commitment.hex()))

    def boards(self, kind: BoardKind) -> tuple[Board, ...]:
        """Return the boards of all games. Raises :class:`LedgerError`."""
        boards: tuple[Board, ...] = self._line.ask(ReadDailyBoard(kind), tuple[Board, ...])
        return boards

    def answers(self, day: date, game: str) -> AnswerCounts:
        """Count everybody's answers in a deal whose day is over. Raises :class:`LedgerError`."""
        counts: AnswerCounts = self._line.ask(
            ReadDailyAnswers(day, game), dict[str, dict[str, int]]
        )
        return counts
