"""The daily deals of a server: their secret seeds, and everybody's judged tries.

There is one seed per day and game, and all are derived from one key. The commitments to the seeds
are published some days ahead. A seed is revealed when its day is over. ``docs/formats.md``
describes the derivation.

The results have a file for each day. Only the gateway writes these files, in a folder that no
session can see.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import hmac
import os
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from ..engine.chance import SEED_BYTES
from ..gamekit.registry import GAMES
from ..house.daily_ranking import DAYS, AnswerCounts, JudgedTry
from ..inputs.errors import BadInput
from ..inputs.files import make_folder, open_regular, os_error_reason, read_bytes, write_atomically
from ..records.clock import Clock, now
from ..records.codec import decode, encode
from ..records.ledger import LedgerError
from ..records.promises import daily_name
from ..structs import replace

LABEL = "tui-casino sealed daily 1"
"""The label and the version of the seeds of all daily deals."""
AHEAD = 7
"""The number of days whose commitments are published before they begin."""
BEHIND = 60
"""The number of past days whose seeds are published if they were not, as after a long pause."""
GRACE = 10
"""Minutes after midnight (UTC) in which tries that began on the day can still be finished."""
_KEY = re.compile(rb"[0-9a-f]{64}\n?")
_LONGEST = 100
_DAY = 24 * 60 * 60 * 1000


class DailySeed(Struct, frozen=True):
    """The commitment to the seed of a deal, and the ``seed`` if its day is over."""

    commitment: bytes
    seed: bytes | None


class DailySeeds(Struct, frozen=True):
    """The seeds that follow from a server's secret key."""

    key: bytes
    clock: Clock = now

    def __repr__(self) -> str:  # without the key, because a repr may end up in a traceback
        return type(self).__name__

    def seed(self, day: date, game: str) -> bytes:
        """Return the seed of a day's deal: HMAC-SHA256(key, ``LABEL|GAME|DAY``)."""
        return hmac.digest(self.key, f"{LABEL}|{game}|{day.isoformat()}".encode(), hashlib.sha256)

    def commitment(self, day: date, game: str) -> bytes:
        """Return the commitment to a seed, which is its SHA-256 hash."""
        return hashlib.sha256(self.seed(day, game)).digest()

    def is_over(self, day: date) -> bool:
        """Return whether a day and the time to finish its tries have passed."""
        return day < open_days(self.clock())[0]

    def look_up(self, day: date, game: str) -> DailySeed:
        """Return the commitment to a deal, and its seed once the day is over.

        Raises :class:`LedgerError` for a day that has not begun yet.
        """
        if day > self.today:
            raise LedgerError(f"the daily deal of {day} has not begun yet")
        seed = self.seed(day, game)
        return DailySeed(self.commitment(day, game), seed if self.is_over(day) else None)

    def commitments(self) -> Iterator[tuple[str, str]]:
        """Yield the commitments of the current and the next days, each with its name."""
        today = self.today
        for later in range(AHEAD + 1):
            day = today + timedelta(days=later)
            for game in GAMES:
                if game.has_daily:
                    yield daily_name(day, game.slug), self.commitment(day, game.slug).hex()

    def revealed(self) -> Iterator[tuple[str, str]]:
        """Yield the seeds of the last days that are over, each with its deal's name."""
        days = (self.today - timedelta(days=back) for back in range(1, BEHIND + 1))
        for day in filter(self.is_over, days):
            for game in GAMES:
                yield daily_name(day, game.slug), self.seed(day, game.slug).hex()

    @property
    def next_reveal(self) -> float:
        """The number of seconds until the seeds of the current or the last day can be revealed."""
        return (_DAY - (self.clock() - GRACE * 60_000) % _DAY) / 1000

    @property
    def today(self) -> date:
        """The current day (UTC)."""
        return open_days(self.clock())[-1]


def open_days(at: int) -> tuple[date, ...]:
    """Return the days whose tries can be finished at a time in milliseconds since 1970.

    This is the current day (UTC), and in the first :data:`GRACE` minutes also the day before.
    """
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return tuple(sorted({(moment - timedelta(minutes=GRACE)).date(), moment.date()}))


def read_daily_seeds(path: Path, clock: Clock = now) -> DailySeeds:
    """Read the key from a file, or create it if there is none. Raises :class:`BadInput`.

    A key that others can read is refused: anyone who has it knows all cards of the daily deals.
    """
    try:
        if not path.exists():
            key = secrets.token_bytes(SEED_BYTES).hex()
            write_atomically(path, f"{key}\n".encode(), durable=True)
        if path.stat().st_mode & 0o077:
            raise BadInput(f"the key {path} can be read by others; chmod 600 {path}")
        text = read_bytes(path, _LONGEST)
    except OSError as error:
        raise BadInput(f"the key {path} cannot be used: {os_error_reason(error)}") from None
    if not _KEY.fullmatch(text):
        raise BadInput(f"the key {path} is damaged: it must be one line of 64 hexadecimal digits")
    return DailySeeds(bytes.fromhex(text.decode().strip()), clock)


ANSWER_DAYS = 8
"""The number of days of which everybody's answers are kept."""
LONGEST = 1 << 28
"""The maximum number of bytes in a file: some hundred thousand tries."""
_NAME = re.compile(r"(\d{4}-\d\d-\d\d)(-answers)?\.jsonl")
R = TypeVar("R", bound=Struct)


class JudgedAnswers(Struct, frozen=True):
    """A player's answers in a try: pairs of a question's key and the choice in words."""

    game: str
    answers: tuple[tuple[str, str], ...]


class Judgement(Struct, frozen=True):
    """A judged try with its answers, as a session process reports it."""

    result: JudgedTry
    answers: JudgedAnswers


class DailyResults(Struct, frozen=True):
    """The results in a folder. All methods may raise ``OSError``."""

    folder: Path

    def add(self, judgements: Iterable[Judgement], today: date) -> None:
        """Add results, one per player, game and day; remove results that are no longer needed."""
        make_folder(self.folder)
        with self._lock():
            for judged in judgements:
                new = judged.result
                if not any(
                    (one.game, one.player) == (new.game, new.player) for one in self.read([new.day])
                ):
                    # on a full disk, answers may be missing, but they are never counted twice
                    _append(self._results(new.day), new)
                    _append(self._answers(new.day), judged.answers)
        self._prune(today)

    def read(
        self, days: Iterable[date], names: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[JudgedTry, ...]:
        """Return the tries of some days; lines that cannot be read are left out.

        ``names`` are the current names of players by id. A player who is not there has the name
        that they had when the try was judged.
        """
        tries = (one for day in days for one in _read(self._results(day), JudgedTry))
        return tuple(replace(one, name=names.get(one.player, one.name)) for one in tries)

    def answers(self, day: date, game: str) -> AnswerCounts:
        """Count everybody's answers in a game on a day."""
        counts: dict[str, Counter[str]] = {}
        for one in _read(self._answers(day), JudgedAnswers):
            if one.game == game:
                for key, answer in one.answers:
                    counts.setdefault(key, Counter())[answer] += 1
        return counts

    def _results(self, day: date) -> Path:
        return self.folder / f"{day.isoformat()}.jsonl"

    def _answers(self, day: date) -> Path:
        return self.folder / f"{day.isoformat()}-answers.jsonl"

    @contextmanager
    def _lock(self) -> Iterator[None]:
        lock = open_regular(self.folder / "lock", os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _prune(self, today: date) -> None:
        for path in self.folder.iterdir():
            if named := _NAME.fullmatch(path.name):
                kept = ANSWER_DAYS if named[2] else DAYS
                with suppress(ValueError):  # a file of the operator without a valid date
                    if date.fromisoformat(named[1]) < today - timedelta(days=kept):
                        path.unlink(missing_ok=True)


def _append(path: Path, record: Struct) -> None:
    """Append a line; after a crash in the middle of a line, begin a new one."""
    file = open_regular(path, os.O_RDWR | os.O_CREAT)
    try:
        end = os.lseek(file, 0, os.SEEK_END)
        torn = end > 0 and os.pread(file, 1, end - 1) != b"\n"
        line = b"\n" * torn + encode(record) + b"\n"
        if os.pwrite(file, line, end) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(file)
    finally:
        os.close(file)


def _read(path: Path, kind: type[R]) -> Sequence[R]:
    try:
        raw = read_bytes(path, LONGEST)
    except FileNotFoundError:
        return ()
    found: list[R] = []
    for line in raw.splitlines():
        with suppress(ValueError):
            found.append(decode(line, kind))
    return found
