"""The limits that players set for themselves: time, losses, and reminders of the time played.

A limit is off unless the player sets it. Reaching a limit does not end a round: it prevents new
rounds of money play until the next day, or until the player changes the limit.
"""

from __future__ import annotations

from msgspec import Struct

from ..engine.money import dollars
from ..inputs.numbers import count_noun
from ..records.clock import MINUTE, Clock, local_date, time_played
from ..records.ledger import Ledger
from .visit_state import VisitState

SAVE_EVERY = MINUTE
"""The time played between two saves, in milliseconds."""


class PlayerLimits(Struct, frozen=True):
    """Minutes between reminders, and minutes of money play and cents lost per day; 0 means off.

    If they are ``unknown``, because the settings file cannot be read, no round may begin.
    """

    reminder: int = 0
    time: int = 0
    loss: int = 0
    unknown: bool = False


class PlayTimer:
    """Measures how long a visit lasts, and how long the player has played for money today.

    The time played is stored in ``memory`` from visit to visit.
    """

    def __init__(
        self, clock: Clock, memory: VisitState, limits: PlayerLimits | None = None
    ) -> None:
        self._clock, self._memory = clock, memory
        self.limits = limits or PlayerLimits()
        self._started, self._reminded = clock(), 0
        self._last: int | None = None
        self._unsaved = 0

    @property
    def day(self) -> str:
        """Today's local date."""
        return local_date(self._clock()).isoformat()

    def start(self) -> None:
        """Start counting the time at a table."""
        self._last = self._clock()

    def record_play(self) -> None:
        """Add the time since the last action to the time played, as :func:`.time_played` counts."""
        now, last = self._clock(), self._last
        self._last = now
        if last is not None and local_date(last) == local_date(now):
            self._unsaved += time_played(last, now)
        if self._unsaved >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Save the time played."""
        if self._unsaved:
            self._memory.has_played(self.day, self._memory.played(self.day) + self._unsaved)
            self._unsaved = 0

    @property
    def played(self) -> int:
        """The time played today in milliseconds."""
        return self._memory.played(self.day) + self._unsaved

    def limit_message(self, lost: int) -> str:
        """Return a message if a limit is reached, or ``""``; ``lost`` is today's loss in cents."""
        if self.limits.unknown:
            return "no new rounds: your limits cannot be read (set them in F3 Settings)"
        if 0 < self.limits.loss <= lost:
            limit = f"loss limit of {dollars(self.limits.loss)} credits"
        elif 0 < self.limits.time * MINUTE <= self.played:
            limit = f"time limit of {_minutes(self.limits.time)}"
        else:
            return ""
        return f"no new rounds today: {limit} reached (F3 Settings)"

    def reminder(self) -> str:
        """Return a reminder of the time played if it is due, or ``""``."""
        every, minutes = self.limits.reminder, (self._clock() - self._started) // MINUTE
        if not every or minutes // every <= self._reminded // every:
            return ""
        self._reminded = minutes
        return f"you have been here for {_minutes(minutes)}"


class DailyLimits:
    """Checks a player's time and loss limits before each round of a money session."""

    def __init__(self, ledger: Ledger, player: str, sitting: str, timer: PlayTimer) -> None:
        self._ledger, self._player, self._sitting = ledger, player, sitting
        self._timer = timer
        self._day, self._even = "", 0  # the money at the table that makes today's result zero
        timer.start()

    def round_refusal(self, cents: int, *, staked: bool) -> str:
        """Return why no new round may begin, or ``""``; ``cents`` is the money at the table.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        self._timer.record_play()
        if staked:
            return ""
        lost = self._loss_today(cents) if self._timer.limits.loss else 0
        return self._timer.limit_message(lost)

    def save(self) -> None:
        """Save the time played."""
        self._timer.save()

    def _loss_today(self, cents: int) -> int:
        day = self._timer.day
        if not self._day:
            entry = self._ledger.open_sitting(self._sitting)
            bought = cents if entry is None else entry.bought_in
            moves = self._ledger.movements(self._player)
            played = (move for move in moves if move.game)
            won = sum(one.cents for one in played if local_date(one.at).isoformat() == day)
            self._day, self._even = day, bought - won
        elif day != self._day:
            self._day, self._even = day, cents
        return self._even - cents


def _minutes(count: int) -> str:
    hours, minutes = divmod(count, 60)
    parts = [count_noun(hours, "hour")] if hours else []
    if minutes or not hours:
        parts.append(count_noun(minutes, "minute"))
    return " and ".join(parts)
