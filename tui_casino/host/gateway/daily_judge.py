"""Judge the daily deals that players finish, each player in a session process of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from ...gamekit.registry import GAMES
from ...inputs.errors import BadInput, write_crash_report
from ...records.clock import now
from ...records.codec import decode
from ...records.ledger import LedgerError
from ...records.log_header import Identity, daily_log_name
from ...records.session_log import is_log_over
from ...structs import replace
from ..commitment_log import PublishedDeals
from ..config import Config
from ..daily_deals import DailyResults, Judgement, open_days
from ..data_folder import DataFolder
from ..rate_limits import JobLimit
from ..session_protocol import Hello
from .visit import ProcessSockets, SessionUnavailable, Visit

LONGEST = 1 << 20
"""The maximum number of bytes in a session's report on a player's tries of a day."""


class _Report:
    """Collects what a judging session prints, instead of a terminal."""

    def __init__(self) -> None:
        self.text = b""

    def write(self, data: bytes) -> None:
        """Add a piece, unless the report becomes too long."""
        if len(self.text) + len(data) <= LONGEST:
            self.text += data

    def unsent_bytes(self) -> int:
        """Return 0, because nothing is sent."""
        return 0


class DailyJudge:
    """Judges finished tries, one player at a time, in session processes of their own."""

    def __init__(
        self, config: Config, data: DataFolder, sockets: ProcessSockets, jobs: JobLimit
    ) -> None:
        self._config, self._data, self._sockets, self._jobs = config, data, sockets, jobs
        self._published = PublishedDeals(data.promises)
        self.results = DailyResults(data.daily)
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, set[date]] = {}

    def judge_tries(self, hello: Hello) -> None:
        """Judge the player's tries that have no result yet, in the background.

        A player has at most one job that runs and one that waits, however often a session asks. A
        job that waits until a seed is revealed still judges the tries of that day.
        """
        if hello.guest or not (days := self._open_days()):
            return
        if hello.player not in self._waiting:
            self._waiting[hello.player] = set()
            self._begin(self._judge(hello))
        self._waiting[hello.player].update(days)

    def _open_days(self) -> tuple[date, ...]:
        """Return the days whose tries still count; a day with public seeds is over for good."""
        try:
            return tuple(day for day in open_days(now()) if not self._published.is_revealed(day))
        except LedgerError:
            return ()  # the next login asks again

    def judge_missing(self, players: Callable[[], Iterable[Identity]]) -> None:
        """Judge the tries of these players that are finished but have no result.

        This happens if the gateway ended before it had judged a try. The players are looked up on
        a thread.
        """
        self._begin(self._judge_missing(players))

    async def _judge_missing(self, players: Callable[[], Iterable[Identity]]) -> None:
        config, data = self._config, self._data
        try:
            for one in await asyncio.to_thread(lambda: self._unjudged([*players()])):
                size = config.columns, config.rows
                limits = config.memory, config.processor, config.logs
                folder = str(data.player(one.id))
                self.judge_tries(Hello(one.id, one.name, folder, *size, {}, *limits))
        except (BadInput, OSError):
            return  # the next login asks again

    def _unjudged(self, players: Sequence[Identity]) -> list[Identity]:
        """Return the players with a finished try of an open day that has no result."""
        found = list[Identity]()
        for day in self._open_days():
            judged = {(one.player, one.game) for one in self.results.read([day])}
            found += (one for one in players if self._finished(one.id, day) - judged)
        return found

    def _finished(self, player: str, day: date) -> set[tuple[str, str]]:
        """Return the player with each game whose try is finished on a day."""
        logs, finished = self._data.player(player) / "sessions", set[tuple[str, str]]()
        for game in GAMES:
            with suppress(OSError):  # there is no such log
                if is_log_over(logs / f"{daily_log_name(day, game.slug, player)}.jsonl"):
                    finished.add((player, game.slug))
        return finished

    def _begin(self, job: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _judge(self, hello: Hello) -> None:
        try:
            async with self._jobs.slot(f"daily {hello.player}"):
                for day in sorted(self._waiting.pop(hello.player)):
                    await self._judge_day(hello, day)
        except (SessionUnavailable, OSError):
            return  # the next finished try, look at a board, or login asks again
        except Exception as error:
            write_crash_report(error)

    async def _judge_day(self, hello: Hello, day: date) -> None:
        report = _Report()
        alone = replace(hello, judge=day.isoformat(), seat=None, environ={})
        await Visit(alone, self._config, report).play(self._sockets)
        judged = [
            one
            for one in _parsed(report.text)
            if (one.result.player, one.result.day) == (hello.player, day)
        ]
        if judged:
            await asyncio.to_thread(self.results.add, judged, day)

    async def close(self) -> None:
        """Stop judging."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _parsed(report: bytes) -> Iterator[Judgement]:
    for line in report.splitlines():
        with suppress(ValueError):
            yield decode(line, Judgement)
