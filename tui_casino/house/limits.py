"""Limits that a player sets himself: of time, of losses, and a word now and then about the time.

All are off unless he sets them. A limit that is reached ends no round: it lets no new one begin at
a table for money, till the next day or till he sets it anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from ..engine.money import dollars
from ..records.clock import Clock
from ..records.ledger import Ledger
from .visit_state import VisitState

MINUTE = 60_000
"""Milliseconds."""
AWAY = 5 * MINUTE
"""Milliseconds between two deeds at a table that count as play; what is longer, nobody played."""
KEPT_EVERY = MINUTE
"""Milliseconds of play after which they are written down."""


@dataclass(frozen=True, slots=True)
class PlayerLimits:
    """Minutes between reminders, minutes a day at tables for money, cents lost a day; 0: none."""

    reminder: int = 0
    time: int = 0
    loss: int = 0


class PlayTimer:
    """How long a player has been here, and how long he has played for money today.

    The latter is kept in the ``memory``, from visit to visit.
    """

    def __init__(
        self, clock: Clock, memory: VisitState, limits: PlayerLimits | None = None
    ) -> None:
        self._clock, self._memory = clock, memory
        self.limits = limits or PlayerLimits()
        self._began, self._reminded = clock(), 0
        self._last: int | None = None
        self._unkept = 0

    @property
    def day(self) -> str:
        """Today, by the clock of the place where the program runs."""
        return local_day(self._clock())

    def sits_down(self) -> None:
        """Count from now on what is played."""
        self._last = self._clock()

    def plays(self) -> None:
        """Count the time since the last deed, as far as it was spent at the table."""
        now, last = self._clock(), self._last
        self._last = now
        if last is not None and local_day(last) == local_day(now):
            self._unkept += min(max(0, now - last), AWAY)
        if self._unkept >= KEPT_EVERY:
            self.keep()

    def keep(self) -> None:
        """Write down what was played."""
        if self._unkept:
            self._memory.has_played(self.day, self._memory.played(self.day) + self._unkept)
            self._unkept = 0

    @property
    def played(self) -> int:
        """Milliseconds played today."""
        return self._memory.played(self.day) + self._unkept

    def reached(self, lost: int) -> str:
        """Say which limit is reached, and what helps; ``lost`` is in cents, today's."""
        if 0 < self.limits.loss <= lost:
            limit = f"{dollars(self.limits.loss)} lost"
        elif 0 < self.limits.time * MINUTE <= self.played:
            limit = _minutes(self.limits.time)
        else:
            return ""
        return f"no new round today, your limit of {limit} is reached (F3 Settings)"

    def due(self) -> str:
        """Say how long the player has been here, if it is time for that."""
        every, here = self.limits.reminder, (self._clock() - self._began) // MINUTE
        if not every or here // every <= self._reminded // every:
            return ""
        self._reminded = here
        return f"you have been here for {_minutes(here)}"


class DailyLimits:
    """What a player has lost today, and whether a sitting of his may go on for another round."""

    def __init__(self, ledger: Ledger, player: str, sitting: str, pastime: PlayTimer) -> None:
        self._ledger, self._player, self._sitting = ledger, player, sitting
        self._pastime = pastime
        self._day, self._even = "", 0  # with so many cents nothing is won or lost today
        pastime.sits_down()

    def bars(self, cents: int, *, staked: bool) -> str:
        """Say why no new round begins for who has so many cents; nothing within one.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        self._pastime.plays()
        if staked:
            return ""
        lost = self._lost(cents) if self._pastime.limits.loss else 0
        return self._pastime.reached(lost)

    def ends(self) -> None:
        """Write down what was played."""
        self._pastime.keep()

    def _lost(self, cents: int) -> int:
        day = self._pastime.day
        if not self._day:
            entry = self._ledger.open_sitting(self._sitting)
            bought = cents if entry is None else entry.bought_in
            moves = self._ledger.movements(self._player)
            won = sum(move.cents for move in moves if move.game and local_day(move.at) == day)
            self._day, self._even = day, bought - won
        elif day != self._day:
            self._day, self._even = day, cents
        return self._even - cents


def local_day(at: int) -> str:
    """Give the day of a moment in milliseconds since 1970, where the program runs."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone().date().isoformat()


def _minutes(count: int) -> str:
    hours, minutes = divmod(count, 60)
    told = [f"{hours} hour{'s' * (hours != 1)}"] if hours else []
    if minutes or not hours:
        told.append(f"{minutes} minute{'s' * (minutes != 1)}")
    return " and ".join(told)
