"""The recorded sessions of the house's player: list them, review them, and name their tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ..gamekit.registry import DEFINITIONS, GameListing, find_listing
from ..inputs.errors import BadInput
from ..inputs.sanitize import printable
from ..records.cache import Cache
from ..records.codec import build_struct, decode
from ..records.ledger import SittingAccount
from ..records.log_catalog import CatalogEntry, list_logs
from ..teacher.mistake_queue import AnswerFile, MistakeQueue
from ..teacher.mistakes import ReviewedSitting, review_sittings
from ..teacher.overview import MistakeOverview, mistake_overview
from .house import House

USUAL = 1 << 12
"""The maximum size of options, in bytes, for which the name of a table is cached."""


def own_accounts(house: House, warn: Callable[[str], object]) -> Mapping[str, SittingAccount]:
    """Ask the ledger which player each session belongs to; report errors to ``warn``."""
    try:
        return house.books.accounts() if house.books else {}
    except BadInput as error:
        warn(str(error))
        return {}


def own_logs(house: House, accounts: Mapping[str, SittingAccount]) -> list[CatalogEntry]:
    """List the logs of the house's player and those without an owner, newest first.

    Raises :class:`~tui_casino.inputs.files.BadFile` for a folder that cannot be read.
    """
    entries = list_logs(house.logs, DEFINITIONS, accounts)
    return [entry for entry in entries if entry.is_owned_by(house.player)]


def read_overview(
    house: House, answers: AnswerFile, still: Callable[[], bool]
) -> MistakeOverview | None:
    """Review the player's sessions, quickly if they are in the cache; return their overview.

    Return ``None`` if nothing counts, or as soon as ``still`` returns false. Raises
    :class:`~tui_casino.inputs.errors.BadInput`.
    """
    queue = MistakeQueue(answers, house.clock)
    entries = own_logs(house, own_accounts(house, lambda reason: None))
    for each in review_sittings(entries, DEFINITIONS, Cache(house.cache), still):
        if isinstance(each, ReviewedSitting):
            queue.add(each)
    return mistake_overview(queue, house.clock()) if still() and queue.sittings else None


def table_of(entry: CatalogEntry) -> str:
    """Describe the table and the opponents of a session; return an empty text if unknown."""
    if (listing := find_listing(entry.game)) is None:
        return ""
    describe = _table if len(entry.options) <= USUAL else _table.__wrapped__
    return describe(listing, entry.options, entry.players)


@lru_cache(maxsize=1 << 10)
def _table(listing: GameListing, options: bytes, players: tuple[str, ...]) -> str:
    try:
        table_options: Any = build_struct(decode(options, dict), listing.definition().game.Options)
    except (ValueError, TypeError):
        return ""
    return printable(listing.tables().describe(table_options, players))


class ProgressTicker:
    """A callable that returns true every ``seconds``, so that progress is reported regularly."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._last = seconds, time.monotonic()

    def __call__(self) -> bool:
        """Return whether it is time to report again."""
        now = time.monotonic()
        if now - self._last <= self._seconds:
            return False
        self._last = now
        return True
