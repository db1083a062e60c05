"""The open visits, at most one per player."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from ..identities import Guest
from .visit import Visit

TAKEN_OVER = "You connected from somewhere else, and your visit continues there."
CLOSED = "The server is shutting down. Connect again later to finish an open hand."


class HouseFull(Exception):
    """There is no room for another visit; the text says why."""


class VisitRegistry:
    """All open visits to a server: at most ``sessions``, and at most ``guests`` by guests."""

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
        """Hold a guest number while the context lasts. Raises :class:`HouseFull`."""
        if len(self._guests) >= self._most_guests:
            raise HouseFull(
                "No more guests can play right now. Try again later, or use an SSH key."
            )
        number = next(n for n in range(1, self._most_guests + 1) if n not in self._guests)
        self._guests.add(number)
        try:
            yield Guest(number)
        finally:
            self._guests.discard(number)

    async def enter(self, visit: Visit) -> None:
        """End any earlier visit of the same player, and register a visit.

        Raises :class:`HouseFull`. Call :meth:`leave` at the end of the visit.
        """
        while (before := self._visits.get(visit.player)) is not None:
            before.end(TAKEN_OVER)
            await before.ended.wait()
            self.leave(before)
        if self.closed:  # no await from here on, so that no other visit can be registered
            raise HouseFull(CLOSED)
        if len(self._visits) >= self._sessions:
            raise HouseFull("The server is full. Please try again later.")
        self._visits[visit.player] = visit

    def leave(self, visit: Visit) -> None:
        """Remove a visit; do nothing if it was removed before."""
        if self._visits.get(visit.player) is visit:
            del self._visits[visit.player]

    def send_away(self, player: str) -> bool:
        """End the visit of a player who now plays at another server.

        Returns false if there is no such visit.
        """
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
                    f"The server will shut down in {grace:.0f} seconds. "
                    "You can finish an open hand later."
                )
            await asyncio.sleep(grace)
        for visit in [*self._visits.values()]:
            visit.end(CLOSED)
        await asyncio.gather(*(visit.ended.wait() for visit in [*self._visits.values()]))
