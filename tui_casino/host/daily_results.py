"""The judged tries of a server's daily deals, and everybody's answers: a file for each day.

Only the gateway writes these files, in a folder that no session can see.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from ..house.daily_board import DAYS, AnswerCounts, JudgedTry
from ..inputs.files import make_folder, open_regular, read_bytes
from ..records.codec import decode, encode
from ..structs import replace

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
