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
    """Nobody more can come in; its text says of whom there are too many."""


class VisitRegistry:
    """All visits of a host, at most so many, of which so many are guests'."""

    def __init__(self, sessions: int, guests: int) -> None:
        self._sessions, self._most_guests = sessions, guests
        self._visits: dict[str, Visit] = {}
        self._guests: set[int] = set()
        self.closed = False

    @property
    def names(self) -> list[str]:
        """Give the names of all who are here, in order."""
        return sorted(visit.name for visit in self._visits.values())

    @property
    def visits(self) -> list[Visit]:
        """Give all visits of now."""
        return [*self._visits.values()]

    @property
    def guests(self) -> int:
        """Count the guests."""
        return len(self._guests)

    @contextmanager
    def guest(self) -> Iterator[Guest]:
        """Give a guest a number as long as he stays. Raises :class:`HouseFull`."""
        if len(self._guests) >= self._most_guests:
            raise HouseFull("There is no room for another guest; come again later, or with a key.")
        number = next(n for n in range(1, self._most_guests + 1) if n not in self._guests)
        self._guests.add(number)
        try:
            yield Guest(number)
        finally:
            self._guests.discard(number)

    async def enter(self, visit: Visit) -> None:
        """Let a visit begin, when the one before it of the same player is gone.

        Raises :class:`HouseFull`. Who enters has to :meth:`leave`.
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
        """Take a visit that is gone off the floor; one that is off it stays so."""
        if self._visits.get(visit.player) is visit:
            del self._visits[visit.player]

    def send_away(self, player: str) -> bool:
        """Ask a player's visit to end, for he sits elsewhere now; false if he is not here."""
        visit = self._visits.get(player)
        if visit is not None:
            visit.end(TAKEN_OVER)
        return visit is not None

    async def close(self, grace: float) -> None:
        """Let nobody in any more, tell all, and end every visit when the grace is over."""
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
