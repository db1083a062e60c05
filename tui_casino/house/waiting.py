"""Sittings that wait to be gone on with: with a bet at stake, or in a game for points."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..records.ledger import OpenSitting


class Waiting(NamedTuple):
    """A sitting of a game that waits; ``entry`` is the ledger's, if it is played for money."""

    game: str
    log: Path
    entry: OpenSitting | None = None


class Moment(NamedTuple):
    """Where a sitting stands that waits.

    ``said`` is that in a few words, ``at`` when it was left (milliseconds since 1970), ``staked``
    what is at stake, in cents.
    """

    said: str
    at: int
    staked: int
