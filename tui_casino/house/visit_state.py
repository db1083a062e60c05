"""The state kept between a player's visits: tables, goal, time played today, the tour.

It is a JSON file next to the ledger, and only this module writes it. Losing the file does no harm:
an unreadable file is treated like a first visit, and errors while writing are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..gamekit.lazy_import import LazyModule
from ..inputs.files import read_bytes, write_atomically

if TYPE_CHECKING:
    from ..records import codec  # a first visit has no file
    from ..teacher.goals import Goal
else:
    codec = LazyModule("..records.codec", __package__)

_LONGEST = 1 << 16  # bytes; a real file has a few hundred


class VisitState:
    """The last tables, the trainer's settings by game, the goal, and whether the tour was shown.

    It also has whether the phrases of others are muted.

    Without a ``path``, the state is kept only while the program runs.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._tables: dict[str, str] = {}
        self._trainers: set[str] = set()
        self._trained = False
        self._guessed: set[str] = set()
        self._shown_round = False
        self._played: tuple[str, int] = ("", 0)
        self._goal: Goal | None = None
        self._is_muted = False
        if path is None:
            return
        with suppress(OSError, ValueError):
            self._take(codec.decode(read_bytes(path, _LONGEST), dict))

    def _take(self, stored: Mapping[str, object]) -> None:
        self._shown_round = stored.get("shown_round") is True
        self._is_muted = stored.get("muted") is True
        if isinstance(tables := stored.get("tables"), dict):
            self._tables = {game: name for game, name in tables.items() if isinstance(name, str)}
        if isinstance(games := stored.get("trainer"), list):
            self._trainers = {game for game in games if isinstance(game, str)}
        if isinstance(games := stored.get("guess_first"), list):
            self._guessed = {game for game in games if isinstance(game, str)}
        self._trained = stored.get("trained") is True or bool(self._trainers)
        if isinstance(goal := stored.get("goal"), dict):
            from ..teacher.goals import Goal  # late: most players have chosen none

            with suppress(ValueError):
                self._goal = codec.build_struct(goal, Goal)
        match stored.get("played"):
            case [str(day), int(milliseconds)] if milliseconds >= 0:
                self._played = day, milliseconds

    @property
    def lasts(self) -> bool:
        """Whether the state is saved for the next visit."""
        return self._path is not None

    def table(self, game: str) -> str | None:
        """Return the name of the last table chosen at a game; the table may no longer exist."""
        return self._tables.get(game)

    def sits_at(self, game: str, table: str) -> None:
        """Store the table chosen at a game."""
        if self._tables.get(game) != table:
            self._tables[game] = table
            self._write()

    def trains(self, game: str) -> bool:
        """Return whether the trainer was on when the player last left a table of this game."""
        return game in self._trainers

    @property
    def has_trained(self) -> bool:
        """Whether the player has ever switched the trainer on."""
        return self._trained

    def guesses_first(self, game: str) -> bool:
        """Return whether the player last guessed first at this game."""
        return game in self._guessed

    def trains_at(
        self, game: str, *, on: bool, used: bool = False, guesses: bool | None = None
    ) -> None:
        """Store whether the trainer is on at a game, and whether it was ``used`` there.

        ``guesses`` says whether the player guesses first; ``None`` keeps what is stored.
        """
        before = self._trainers, self._guessed, self._trained
        self._trainers = self._trainers | {game} if on else self._trainers - {game}
        if guesses is not None:
            self._guessed = self._guessed | {game} if guesses else self._guessed - {game}
        self._trained = self._trained or on or used
        if before != (self._trainers, self._guessed, self._trained):
            self._write()

    @property
    def goal(self) -> Goal | None:
        """The goal that the player has chosen for their sessions."""
        return self._goal

    def has_goal(self, goal: Goal | None) -> None:
        """Store the goal that the player has chosen."""
        self._goal = goal
        self._write()

    @property
    def is_muted(self) -> bool:
        """Whether the phrases of others at a table are not shown."""
        return self._is_muted

    def mute(self, *, on: bool) -> None:
        """Store whether the phrases of others are muted."""
        self._is_muted = on
        self._write()

    @property
    def shown_round(self) -> bool:
        """Whether the player has seen the tour."""
        return self._shown_round

    def has_shown_round(self) -> None:
        """Store that the player has seen the tour."""
        self._shown_round = True
        self._write()

    def played(self, day: str) -> int:
        """Return the milliseconds played for money on a day; only the last day is stored."""
        return self._played[1] if self._played[0] == day else 0

    def has_played(self, day: str, milliseconds: int) -> None:
        """Store the milliseconds played for money on a day, instead of those of an earlier day."""
        self._played = day, milliseconds
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        content: dict[str, object] = {
            "shown_round": self._shown_round,
            "tables": self._tables,
            "played": self._played,
        }
        if self._is_muted:
            content["muted"] = True
        if self._trained:
            content["trained"] = True
        if self._trainers:
            content["trainer"] = sorted(self._trainers)
        if self._guessed:
            content["guess_first"] = sorted(self._guessed)
        if self._goal is not None:
            content["goal"] = self._goal
        text = codec.encode(content)
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(self._path, text)
