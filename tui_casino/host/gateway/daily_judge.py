"""Judge the daily deals that players finish, and print the boards for ``ssh HOST daily``."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from ...gamekit.registry import GAMES, title_of
from ...house.daily_board import TITLES, BoardKind, board_lines, boards_of, days_of
from ...inputs.errors import BadInput, write_crash_report
from ...records.clock import now
from ...records.codec import decode
from ...records.log_header import Identity
from ...structs import replace
from ..config import Config
from ..daily_results import DailyResults, Judgement
from ..daily_seeds import GRACE
from ..data_folder import DataFolder
from ..rate_limits import JobLimit
from ..session_protocol import Hello
from .visit import ProcessSockets, SessionUnavailable, Visit

HELP = "daily [today|yesterday|week|runs|DAY]"
LONGEST = 1 << 20
"""The maximum number of bytes in a session's report on a player's tries of a day."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


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


def open_days(at: int) -> tuple[date, ...]:
    """Return the days whose tries can be finished at a time in milliseconds since 1970."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    days = (moment - timedelta(minutes=GRACE)).date(), moment.date()
    return tuple(sorted(set(days)))


def _parsed(report: bytes) -> Iterator[Judgement]:
    for line in report.splitlines():
        with suppress(ValueError):
            yield decode(line, Judgement)


def daily_text(command: str, player: Identity | None, results: DailyResults) -> str:
    """Return the answer to a command such as ``daily week``.

    This may take a while. Raises :class:`BadInput`, and ``OSError``.
    """
    today = datetime.fromtimestamp(now() / 1000, UTC).date()
    match command.split()[1:]:
        case []:
            kind, days = BoardKind.TODAY, days_of(BoardKind.TODAY, today)
        case [word] if word in [*BoardKind]:
            kind = BoardKind(word)
            days = days_of(kind, today)
        case [word] if (day := _parsed_day(word)) is not None:
            kind, days = BoardKind.TODAY, (day,)
        case _:
            raise BadInput(f"the command is {HELP}; a DAY is written like {today}")
    title = str(days[0]) if len(days) == 1 else TITLES[kind]
    boards = boards_of(
        kind,
        (game.slug for game in GAMES),
        results.read(days),
        "" if player is None else player.id,
    )
    lines = [f"Daily deal, {title} (UTC)"]
    for board in boards:
        if board.players:
            lines += ["", title_of(board.game), *board_lines(board)]
    if len(lines) == 1:
        lines.append("Nobody has finished a deal yet.")
    return "".join(f"{line}\n" for line in lines)


def _parsed_day(word: str) -> date | None:
    try:
        return date.fromisoformat(word) if _DAY.fullmatch(word) else None
    except ValueError:
        return None
