"""A player's answers in practice, stored forever: one line of JSON per answer.

The file is a record, no cache: it is only added to, and a line that cannot be read costs nothing
but itself. It names mistakes by their logs' names, so that these may be moved together.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ..inputs.files import open_regular, os_error_reason, read_bytes
from ..records.codec import decode, encode

MOST_BYTES_READ = 1 << 26
"""Bytes of the file that are read; an answer takes some 200."""
DAYS_TO_LEARN = 2
"""On so many days a mistake has to be answered right, then it is learnt."""
DAY_MILLISECONDS = 86_400_000
"""Milliseconds; a day begins at 0:00 UTC."""

MistakeKey: TypeAlias = tuple[str, str, int]
"""A mistake: its game, its log's name, and the step."""


@dataclass(frozen=True, slots=True)
class PracticeAnswer:
    """An answer: who gave it, when (milliseconds since 1970), to what, and whether it was right.

    ``log`` is the name of a mistake's log and ``step`` its step there; of a drill, which was in no
    log, nothing and 0. ``spot`` is where the choice was, as :class:`~..gamekit.adviser.Kind` has
    it; ``cost`` is what the answer cost in the game's units, ``seconds`` how long it took.
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
        """The mistake that it was the answer to."""
        return self.game, self.log, self.step


class AnswerFile:
    """The answers of one player; without a ``path`` they last as long as the program runs."""

    def __init__(self, path: Path | None, player: str) -> None:
        self._path, self.player = path, player
        self._kept: list[PracticeAnswer] | None = None

    def all(self) -> tuple[PracticeAnswer, ...]:
        """Give the player's answers, the oldest first; what cannot be read is left out."""
        if self._kept is None:
            self._kept = [] if self._path is None else [*_read(self._path, self.player)]
        return tuple(self._kept)

    def add(self, answer: PracticeAnswer) -> str:
        """Keep an answer; say why it will not last, if it cannot be written."""
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
        except ValueError:  # cut off, or of another program
            continue
        if answer.player == player:
            yield answer


def _append(path: Path, line: bytes) -> None:
    """Add a line in one write, behind the end of a line that was cut off. Raises ``OSError``."""
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
    """Give the mistakes that were answered right on a day, counted from 1970."""
    return frozenset(
        a.key for a in answers if a.log and a.right and a.at // DAY_MILLISECONDS == day
    )


def count_correct_days(answers: Iterable[PracticeAnswer]) -> Mapping[MistakeKey, int]:
    """Count for each mistake the days on which it was answered right.

    Of a day only the first answer counts: who has seen the verdict knows it.
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
