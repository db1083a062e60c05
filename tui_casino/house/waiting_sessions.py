"""Sessions that wait to be resumed: with a bet at stake, or in a game for points."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..records.ledger import OpenSitting


class WaitingSession(NamedTuple):
    """A session that waits to be resumed; ``entry`` is the ledger's, if it is for money."""

    game: str
    log: Path
    entry: OpenSitting | None = None


class WaitingSummary(NamedTuple):
    """The moment at which a session that waits was left.

    ``said`` describes it in a few words, ``at`` is its time (milliseconds since 1970), ``staked``
    the money at stake, in cents.
    """

    said: str
    at: int
    staked: int
