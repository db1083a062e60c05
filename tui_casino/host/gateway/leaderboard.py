"""The leaderboard that ``ssh HOST top`` prints: the players by total winnings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from math import inf
from threading import Lock

from ...engine.money import dollars
from ...records.ledger import PlayerWinnings
from ...records.log_header import Identity
from ..identities import Identities
from ..storage import HostLedger

SHOWN = 20
FRESH = 60.0
"""How many seconds the list is cached: computing it reads every session ever played."""
NOBODY = "Nobody has finished a session yet.\n"


class Leaderboard:
    """The players by winnings; ``open_ledger`` may return ``None``. Thread-safe."""

    def __init__(
        self, identities: Identities, open_ledger: Callable[[], HostLedger | None]
    ) -> None:
        self._identities, self._open_ledger = identities, open_ledger
        self._cached: Sequence[tuple[str, PlayerWinnings]] = ()
        self._until, self._lock = -inf, Lock()

    def text(self, player: Identity | None, now: float) -> str:
        """Return the leaderboard as text; if ``player`` is not among the first, add their rank.

        ``now`` is a monotonic time in seconds. Raises :class:`~tui_casino.inputs.errors.BadInput`.
        """
        with self._lock:
            if now >= self._until:
                self._cached, self._until = [*self._looked_up()], now + FRESH
            standings = self._cached
        shown = [
            f"{place:5}  {'+' * (one.won > 0) + dollars(one.won):>16}  in {one.sittings:,} session"
            f"{'' if one.sittings == 1 else 's'}  {name}\n"
            for place, (name, one) in enumerate(standings, 1)
            if place <= SHOWN or (player is not None and one.player == player.id)
        ]
        return "".join(shown) or NOBODY

    def _looked_up(self) -> Iterator[tuple[str, PlayerWinnings]]:
        ledger = self._open_ledger()
        if ledger is None:
            return
        with closing(ledger):
            standings = ledger.standings()
        names = {known.identity.id: known.identity.name for known in self._identities.players()}
        for one in standings:
            if one.player in names:
                yield names[one.player], one
