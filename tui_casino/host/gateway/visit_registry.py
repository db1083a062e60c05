"""The visits that are open now, at most one per player."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from ..identities import Guest
from .visit import Visit

TAKEN_OVER = "You came in again elsewhere, and your seat went with you."
CLOSED = "The house closes. What is at stake waits at its table: come in again later."


class HouseFull(Exception):
    """There is no room for another visit; the text says why."""


class VisitRegistry:
    """All open visits of a host: at most ``sessions``, of which at most ``guests`` are guests."""

    def __init__(self, sessions: int, guests: int) -> None:
        self._sessions, self._most_guests = sessions, guests
        self._visits: dict[str, Visit] = {}
        self._guests: set[int] = set()
        self.closed = False

    @property
    def names(self) -> list[str]:
        """The display names of all visitors, sorted."""
        return sorted(visit.name for visit in self._visits.values())

    @property
    def visits(self) -> list[Visit]:
        """The visits that are open now."""
        return [*self._visits.values()]

    @property
    def guests(self) -> int:
        """The number of guests."""
        return len(self._guests)

    @contextmanager
    def guest(self) -> Iterator[Guest]:
        """Reserve a guest number while the context lasts. Raises :class:`HouseFull`."""
        if len(self._guests) >= self._most_guests:
            raise HouseFull("There is no room for another guest; come again later, or with a key.")
        number = next(n for n in range(1, self._most_guests + 1) if n not in self._guests)
        self._guests.add(number)
        try:
            yield Guest(number)
        finally:
            self._guests.discard(number)

    async def enter(self, visit: Visit) -> None:
        """Register a visit, after an earlier visit of the same player has ended.

        Raises :class:`HouseFull`. Call :meth:`leave` at the end of the visit.
        """
        while (before := self._visits.get(visit.player)) is not None:
            before.end(TAKEN_OVER)
            await before.ended.wait()
            self.leave(before)
        if self.closed:  # nothing is waited for from here on: nobody slips in between
            raise HouseFull(CLOSED)
        if len(self._visits) >= self._sessions:
            raise HouseFull("The house is full; come again later.")
        self._visits[visit.player] = visit

    def leave(self, visit: Visit) -> None:
        """Remove a visit; does nothing if it was removed before."""
        if self._visits.get(visit.player) is visit:
            del self._visits[visit.player]

    def send_away(self, player: str) -> bool:
        """End a player's visit, who now plays at another host; false if there is none."""
        visit = self._visits.get(player)
        if visit is not None:
            visit.end(TAKEN_OVER)
        return visit is not None

    async def close(self, grace: float) -> None:
        """Refuse new visits, warn all visitors, and end every visit after ``grace`` seconds."""
        self.closed = True
        if self._visits and grace:
            for visit in self._visits.values():
                visit.notify(
                    f"The house closes in {grace:.0f} seconds. What is at stake will wait."
                )
            await asyncio.sleep(grace)
        for visit in [*self._visits.values()]:
            visit.end(CLOSED)
        await asyncio.gather(*(visit.ended.wait() for visit in [*self._visits.values()]))
