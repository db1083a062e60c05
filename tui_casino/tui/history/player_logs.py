"""The games, accounts and logs of the player, for the history and statistics screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...gamekit.registry import DEFINITIONS, GAMES
from ...house.sitting import House
from ...inputs.errors import BadInput
from ...records.cache import Cache
from ...records.ledger import SittingAccount
from ...records.log_catalog import CatalogEntry, list_logs
from ...teacher.answers import AnswerFile
from ...teacher.mistake_queue import MistakeQueue
from ...teacher.mistakes import ReviewedSitting, review_sittings
from ...teacher.overview import MistakeOverview, mistake_overview

TITLES: Mapping[str, str] = {game.slug: game.title for game in GAMES}


def titles_with_mistakes() -> Iterator[str]:
    """Yield the titles of the games in which recorded choices can be evaluated."""
    for game in GAMES:
        if game.definition().adviser.has_judge:
            yield game.title


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
