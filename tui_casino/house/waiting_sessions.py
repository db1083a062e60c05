"""Sessions that wait to be resumed: with a bet at stake, or in a game for points."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..records.ledger import OpenSitting


class WaitingSession(NamedTuple):
    """A session that waits to be resumed; ``entry`` is its ledger entry, if it is for money."""

    game: str
    log: Path
    entry: OpenSitting | None = None


class WaitingSummary(NamedTuple):
    """The state in which the player left a waiting session.

    ``text`` describes it in a few words, ``time`` is in milliseconds since 1970, and ``staked`` is
    the money at stake, in cents.
    """

    text: str
    time: int
    staked: int
