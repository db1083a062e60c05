"""Judge the daily deals that players finish, each player in a session process of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from ...inputs.errors import write_crash_report
from ...records.clock import now
from ...records.codec import decode
from ...structs import replace
from ..config import Config
from ..daily_results import DailyResults, Judgement
from ..daily_seeds import open_days
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
        self._config, self._sockets, self._jobs = config, sockets, jobs
        self.results = DailyResults(data.daily)
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, set[date]] = {}

    def judge_tries(self, hello: Hello) -> None:
        """Judge the player's tries that have no result yet, in the background.

        A player has at most one job that runs and one that waits, however often a session asks. A
        job that waits until a seed is revealed still judges the tries of that day.
        """
        if hello.guest:
            return
        if hello.player not in self._waiting:
            self._waiting[hello.player] = set()
            task = asyncio.get_running_loop().create_task(self._judge(hello))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._waiting[hello.player].update(open_days(now()))

    async def _judge(self, hello: Hello) -> None:
        try:
            async with self._jobs.slot(f"daily {hello.player}"):
                for day in sorted(self._waiting.pop(hello.player)):
                    await self._judge_day(hello, day)
        except (SessionUnavailable, OSError):
            return  # the next finished try, or the next look at a board, asks again
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
