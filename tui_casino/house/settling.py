"""Sittings whose logs cannot be gone on with: paid out as the ledger knows them, when asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..gamekit.parts import AnyParts
from ..inputs.files import BadFile
from ..records.ledger import Booked, Ledger, OpenSitting
from ..records.log import InUse
from .resuming import take_up
from .sitting import House


@dataclass(frozen=True, slots=True)
class Stuck:
    """An open sitting that cannot be gone on with, ``why``, and what the ledger would pay (cents).

    That is what the player had at the end of the last round that the ledger knows, or what was
    bought in: as much as if the log had been cut back to there. A bet made after it is given back.
    """

    entry: OpenSitting
    player: str
    why: str
    cents: int


def stuck(house: House, ledger: Ledger, games: Mapping[str, Callable[[], AnyParts]]) -> list[Stuck]:
    """Find the open sittings of all players whose logs cannot be gone on with.

    Looking settles those with nothing at stake whose logs are whole, as any start does. Raises
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    found = []
    for booked in ledger.books().sittings:
        entry = ledger.open_sitting(booked.id) if booked.closed is None else None
        if entry is not None and (why := _why_stuck(house, ledger, games, booked, entry)):
            cents = entry.bought if entry.held is None else entry.held
            found.append(Stuck(entry, booked.player, why, cents))
    return found


def _why_stuck(
    house: House,
    ledger: Ledger,
    games: Mapping[str, Callable[[], AnyParts]],
    booked: Booked,
    entry: OpenSitting,
) -> str | None:
    if entry.game not in games:
        return None  # another program may go on with it
    at_home = replace(house, ledger=ledger, player=booked.player)
    try:
        sitting = take_up(at_home, ledger, games[entry.game](), entry)
    except InUse:
        return None
    except BadFile as error:
        return str(error)
    except OSError as error:
        return f"{entry.log}: cannot be opened: {error.strerror}"
    if sitting is not None:
        sitting.close()
    return None


def settle(house: House, ledger: Ledger, one: Stuck) -> bool:
    """Pay out a sitting that is stuck; false if it was settled meanwhile.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    return ledger.cash_out(one.entry.id, one.cents, one.entry.known.mark, house.clock())
