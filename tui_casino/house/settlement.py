"""Settle sessions that cannot be resumed by paying out the money recorded in the ledger."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from ..gamekit.definition import Games
from ..inputs.files import BadFile, os_error_reason
from ..records.ledger import Ledger, LedgerSitting, OpenSitting
from ..records.session_log import LogInUse
from ..structs import replace
from .resumption import reopen_table
from .sitting import House


class UnresumableSitting(Struct, frozen=True):
    """An open session that cannot be resumed, with the ``reason``; settling it pays ``owed``."""

    entry: OpenSitting
    player: str
    reason: str


def unresumable_sittings(
    house: House,
    ledger: Ledger,
    games: Games,
    playing: Collection[str] = (),
    *,
    every: bool = False,
) -> list[UnresumableSitting]:
    """Return all players' open sessions that cannot be resumed, or ``every`` open session.

    Sessions of players who are ``playing`` elsewhere, and sessions whose logs another program is
    writing, are left out. Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    unresumable = []
    for booked in ledger.books().sittings:
        if booked.closed is not None or booked.player in playing or booked.game not in games:
            continue  # another program may resume it
        entry = ledger.open_sitting(booked.id)
        resumes = "it can be resumed" if every else None
        if entry is not None and (
            reason := _why_stuck(house, ledger, games, booked, entry, resumes)
        ):
            unresumable.append(UnresumableSitting(entry, booked.player, reason))
    return unresumable


def _why_stuck(
    house: House,
    ledger: Ledger,
    games: Games,
    booked: LedgerSitting,
    entry: OpenSitting,
    resumes: str | None,
) -> str | None:
    at_home = replace(house, ledger=ledger, player=booked.player)
    try:
        sitting = reopen_table(at_home, ledger, games[entry.game], entry)
    except LogInUse:
        return None
    except BadFile as error:
        return str(error)
    except OSError as error:
        return f"{entry.log}: cannot be opened: {os_error_reason(error)}"
    if sitting is not None:
        sitting.close()
    return resumes if sitting is not None else None


def settle_sitting(house: House, ledger: Ledger, entry: OpenSitting) -> bool:
    """Pay out what the ledger owes a session; return false if it was settled in the meantime.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    return ledger.cash_out(entry.id, entry.owed, entry.checkpoint.mark, house.clock())


def refund_sitting(house: House, ledger: Ledger, games: Games, entry: OpenSitting) -> None:
    """End a session at the last step of its log, refund the bet and reveal the seed.

    If it cannot be resumed, settle it with :func:`settle_sitting`. Raises ``OSError`` if the last
    line cannot be written, :class:`~tui_casino.records.session_log.LogInUse` and
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    try:
        if entry.game not in games:
            raise BadFile(entry.log, f"{entry.game} is not a game of this program")
        sitting = reopen_table(replace(house, ledger=ledger), ledger, games[entry.game], entry)
    except BadFile:
        settle_sitting(house, ledger, entry)
        return
    if sitting is not None:
        with sitting:
            sitting.leave(refund=True)
