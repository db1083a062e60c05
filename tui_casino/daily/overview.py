"""The overview of a day: the tries of all games, and the run of days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

from ..gamekit.definition import AnyDefinition
from ..house.house import House
from ..inputs.numbers import count_noun
from .deal import FIRST_DAY, day_of, deals_of
from .session import DailyTry, played_days, read_try, run_until

STRIP = 14
"""The number of days in the strip of days."""


class DailyOverview(Struct, frozen=True):
    """A day's tries in the order of the games, the run of days, and which of the last days count.

    ``strip`` says of each of the last days whether it was played; today is the last one.
    """

    day: date
    tries: tuple[DailyTry, ...]
    run: int
    strip: tuple[bool, ...]

    @property
    def number(self) -> int:
        """The number of the day's deals."""
        return (self.day - FIRST_DAY).days

    @property
    def played(self) -> str:
        """How many deals are finished: ``2 of 4 played``."""
        return f"{sum(one.finished for one in self.tries)} of {len(self.tries)} played"

    @property
    def run_text(self) -> str:
        """The run in words: ``run 5 days``."""
        return f"run {count_noun(self.run, 'day')}"


def read_day(house: House, games: Mapping[str, AnyDefinition]) -> DailyOverview:
    """Read and verify the tries of the current day and of the run; this may take a while.

    Raises :class:`~tui_casino.inputs.errors.BadInput` if the clock is wrong.
    """
    day = day_of(house.clock())
    tries = tuple(read_try(house, deal) for deal in deals_of(day, games, house.daily))
    is_played = played_days(house, games)
    days = (day - timedelta(days=back) for back in reversed(range(STRIP)))
    return DailyOverview(day, tries, run_until(is_played, day), tuple(map(is_played, days)))


def time_left(at: int) -> str:
    """Return the time from ``at``, in milliseconds since 1970, to the next deal: ``5 h 12 min``."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    hours, minutes = divmod(24 * 60 - 60 * moment.hour - moment.minute, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
