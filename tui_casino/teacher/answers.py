"""A player's answers in practice, stored permanently as a file with one JSON line per answer.

The file is a record, not a cache. Lines are only appended, and an unreadable line is skipped. The
file refers to mistakes by the names of their logs, so the logs may be moved to another folder.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from ..inputs.files import open_regular, os_error_reason, read_bytes
from ..records.codec import decode, encode

MOST_BYTES_READ = 1 << 26
"""At most this many bytes of the file are read; an answer takes about 200 bytes."""
DAYS_TO_LEARN = 2
"""The number of days with a correct answer until a mistake counts as learned."""
DAY_MILLISECONDS = 86_400_000
"""The number of milliseconds in a day; a day begins at 0:00 UTC."""

MistakeKey: TypeAlias = tuple[str, str, int]
"""The identity of a mistake: its game, the name of its log, and the step."""


class PracticeAnswer(Struct, frozen=True):
    """A player's answer to a practice position, and whether it was correct.

    ``at`` is the time in milliseconds since 1970. ``log`` is the name of the mistake's log and
    ``step`` its step there; for a drill they are "" and 0. ``spot`` is the spot of the choice, as
    in :class:`~..gamekit.adviser.MistakeKind`. ``cost`` is the cost of the answer in the game's
    units, and ``seconds`` is the time the answer took.
    """

    player: str
    at: int
    game: str
    spot: str
    log: str
    step: int
    right: bool
    cost: float
    seconds: float

    @property
    def key(self) -> MistakeKey:
        """The key of the mistake that was answered."""
        return self.game, self.log, self.step


class AnswerFile:
    """One player's answers; without a ``path``, they are only kept in memory."""

    def __init__(self, path: Path | None, player: str) -> None:
        self._path, self.player = path, player
        self._kept: list[PracticeAnswer] | None = None

    def all(self) -> tuple[PracticeAnswer, ...]:
        """Return the player's answers, oldest first, without unreadable lines."""
        if self._kept is None:
            self._kept = [] if self._path is None else [*_read(self._path, self.player)]
        return tuple(self._kept)

    def add(self, answer: PracticeAnswer) -> str:
        """Add an answer; return "", or the reason why it cannot be written to the file."""
        self.all()
        assert self._kept is not None
        self._kept.append(answer)
        if self._path is None:
            return ""
        try:
            _append(self._path, encode(answer))
        except OSError as error:
            return os_error_reason(error)
        return ""


def _read(path: Path, player: str) -> Iterable[PracticeAnswer]:
    try:
        lines = read_bytes(path, MOST_BYTES_READ).splitlines()
    except OSError:
        return
    for line in lines:
        try:
            answer = decode(line, PracticeAnswer)
        except ValueError:  # cut off, or written by another version
            continue
        if answer.player == player:
            yield answer


def _append(path: Path, line: bytes) -> None:
    """Append a line in one write, after a line feed if the last line is incomplete.

    Raises ``OSError``.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = open_regular(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        end = os.lseek(file, 0, os.SEEK_END)
        torn = b""
        if end:
            os.lseek(file, end - 1, os.SEEK_SET)
            torn = b"" if os.read(file, 1) == b"\n" else b"\n"
        os.write(file, torn + line + b"\n")
    finally:
        os.close(file)


def correct_on(answers: Iterable[PracticeAnswer], day: int) -> frozenset[MistakeKey]:
    """Return the mistakes that were answered correctly on a day (days since 1970)."""
    return frozenset(
        a.key for a in answers if a.log and a.right and a.at // DAY_MILLISECONDS == day
    )


def count_correct_days(answers: Iterable[PracticeAnswer]) -> Mapping[MistakeKey, int]:
    """Count the days on which each mistake was answered correctly.

    Only the first answer of a day counts, because after it the player has seen the solution.
    """
    first: dict[tuple[MistakeKey, int], PracticeAnswer] = {}
    for answer in answers:
        if answer.log:
            place = answer.key, answer.at // DAY_MILLISECONDS
            if place not in first or answer.at < first[place].at:
                first[place] = answer
    days: defaultdict[MistakeKey, int] = defaultdict(int)
    for (key, _), answer in first.items():
        days[key] += answer.right
    return days
