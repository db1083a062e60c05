"""The daily deals in the cage: their seeds, the boards, and everybody's answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import partial
from threading import Lock

from ...gamekit.registry import GAMES
from ...house.daily_ranking import AnswerCounts, Board, BoardKind, boards_of, days_of
from ...inputs.errors import BadInput
from ...inputs.files import os_error_reason
from ...records.ledger import LedgerError
from ..commitment_log import HouseWitness
from ..daily_deals import GRACE, DailyResults, DailySeed, DailySeeds
from .dealer import Dealer


class DailyDesk:
    """Answers questions about the daily deals. All methods may raise :class:`LedgerError`.

    ``names`` returns the current names of all players by id; it may raise :class:`BadInput`.

    Hold ``reading`` during :meth:`boards` and :meth:`answers`, which may read many results: several
    at the same time would delay all deals.
    """

    def __init__(
        self,
        seeds: DailySeeds,
        results: DailyResults,
        witness: HouseWitness,
        names: Callable[[], Mapping[str, str]],
    ) -> None:
        self._seeds, self._results, self._witness, self._names = seeds, results, witness, names
        self._announced: date | None = None
        self._announcing = Lock()
        self.reading = asyncio.Lock()

    def announce(self) -> None:
        """Publish the commitments of the next deals, and the seeds of the last ones."""
        with self._announcing:
            today, seeds = self._seeds.today, self._seeds
            self._witness.announces(
                dict(seeds.commitments()), dict(seeds.revealed()), seeds.clock()
            )
            self._announced = today

    @property
    def next_reveal(self) -> float:
        """The number of seconds until the next seeds can be published."""
        return self._seeds.next_reveal

    def is_over(self, day: date) -> bool:
        """Return whether the seeds of a day may be public.

        Once they are published, the day is over for good, even if the clock is set back.
        """
        return self._seeds.is_over(day) or self._witness.has_revealed(day)

    def look_up(self, day: date, game: str, dealer: Dealer) -> DailySeed:
        """Return a deal's commitment, which is published before ``dealer`` deals from the seed.

        The seed is returned only if the day is over; it is published before, so that the day stays
        over if the clock is set back.
        """
        if game not in (one.slug for one in GAMES):  # the dealer keeps a seed for each game
            raise LedgerError("there is no such game")
        found = self._seeds.look_up(day, game)
        if found.seed is not None and not self._witness.has_revealed(day):
            self.announce()
        if found.seed is None:
            if self._announced != self._seeds.today:
                self.announce()
            if self.is_over(day):
                return DailySeed(found.commitment, self._seeds.seed(day, game))
            dealer.know(self._seeds.seed(day, game), partial(self.is_over, day))
        return found

    def boards(self, kind: BoardKind, player: str) -> tuple[Board, ...]:
        """Return the boards of all games as a player sees them."""
        with _ledger_errors():
            days = days_of(kind, self._seeds.today)
            tries = self._results.read(days, self._names())
        return boards_of(kind, (game.slug for game in GAMES), tries, player, days)

    def answers(self, day: date, game: str) -> AnswerCounts:
        """Count everybody's answers in a deal whose day is over."""
        if not self.is_over(day):
            raise LedgerError(
                f"everybody's answers are shown {GRACE} minutes after the day ends (UTC)"
            )
        with _ledger_errors():
            return self._results.answers(day, game)


@contextmanager
def _ledger_errors() -> Iterator[None]:
    try:
        yield
    except BadInput as error:
        raise LedgerError(str(error)) from None
    except OSError as error:
        reason = os_error_reason(error)
        raise LedgerError(f"the daily results cannot be read: {reason}") from None
