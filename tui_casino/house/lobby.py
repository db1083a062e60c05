"""Settle or find interrupted sessions, and sit down at a table for a new one.

Both the console and the screen use this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.chance import ChanceSource, CommittedSource, SeededSource
from ..engine.money import dollars
from ..gamekit.definition import AnyDefinition, Games
from ..gamekit.registry import title_of
from ..gamekit.table_catalog import AnyTableSetup, SeedSourceFactory
from ..inputs.errors import BadInput
from ..inputs.files import BadFile, folder_reason, os_error_reason
from ..records.ledger import OpenSitting
from ..records.session_log import LogInUse
from ..structs import replace
from .house import House, OpenSittingsReport
from .resumption import SeatIsHeld, resume_from_ledger
from .sitting import PRACTICE, Sitting, begin_sitting

AnySitting = Sitting[Any, Any, Any, Any, Any]

MOST_SEATS = 2
"""The maximum number of seats at tables with others that have a message each."""
SourceFactory = Callable[[], ChanceSource]
"""Makes a source with a new secret seed."""


def review_open_sittings(
    house: House, games: Games, table: str | None = None
) -> OpenSittingsReport:
    """Cash out every interrupted session with nothing at stake; return the other open sessions.

    ``games`` are the games of this program by slug. A session that cannot be settled yet keeps its
    money, and a message gives the reason. There is no message about a seat at the ``table`` with
    others to which the player is coming. Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    waiting: list[OpenSitting] = []
    stuck: list[OpenSitting] = []
    notes: list[str] = []
    seats: dict[str, str] = {}  # by the codes of their tables
    for booked in house.ledger.open_sittings(house.player) if house.ledger else ():
        named, hint = title_of(booked.game), booked.log
        entry = replace(booked, log=house.locate(hint))
        if not house.remote and hint.exists() and not hint.samefile(entry.log):
            notes.append(
                f"these records are a copy: your session at {named} continues here, and {hint} "
                "stays as it is"
            )
        if entry.game not in games:
            notes.append(f"a session at {named} is open, but this program does not have that game")
            continue
        try:
            sitting = resume(house, games[entry.game], entry)
        except LogInUse:
            notes.append(f"your session at {named} is being played in another program")
        except SeatIsHeld as held:
            seats[held.code] = str(held)
        except BadFile as error:
            stuck.append(entry)
            notes.append(_unresumable_reason(house, entry, error))
        except (BadInput, OSError) as error:
            reason = (
                os_error_reason(error)
                if house.remote and isinstance(error, OSError)
                else str(error)
            )
            notes.append(f"your session at {named} cannot be opened now: {reason}")
        else:
            if sitting is None:
                purse = dollars(house.ledger.balance(house.player)) if house.ledger else ""
                notes.append(
                    f"an interrupted session at {named} was cashed out; your balance is {purse}"
                )
            else:
                sitting.close()
                waiting.append(entry)
    if house.ledger is not None and house.ledger.new and (lost := lost_ledger_warning(house)):
        notes.append(lost)
    told = [text for code, text in seats.items() if code != table]
    if len(told) > MOST_SEATS:
        told = [f"{len(told)} seats at tables wait for you: ssh HOST table lists them"]
    kept = tuple(seats.values()) if len(seats) <= MOST_SEATS else tuple(told)
    return OpenSittingsReport(tuple(waiting), (*told, *notes), tuple(stuck), kept)


def _unresumable_reason(house: House, entry: OpenSitting, error: BadFile) -> str:
    """Explain why a session cannot be resumed and how to pay it out; hide paths if remote."""
    reason = str(error)
    if house.remote:
        reason = f"its log{'' if error.line is None else f', line {error.line}'}: {error.reason}"
    last = "after its last known round" if entry.last_money is not None else "at its start"
    return (
        f"your session at {title_of(entry.game)} cannot be resumed: {reason}. You had "
        f"{dollars(entry.owed)} {last}: {house.settle_hint}"
    )


def lost_ledger_warning(house: House) -> str:
    """Return a warning if the ledger has no sessions but the folder has logs of money sessions.

    Reads only the first lines of the logs.
    """
    ledger = house.ledger
    try:
        if ledger is None or not ledger.persistent or house.remote or ledger.accounts(house.player):
            return ""
        from ..records.ledger_rebuild import has_money_logs  # late: hardly ever needed

        has_logs = has_money_logs(house.logs, house.player)
    except BadInput:  # an unreadable folder is reported where it is needed
        return ""
    if not has_logs:
        return ""
    return (
        "the ledger is new, but there are logs of money sessions; if the old one was lost, "
        "tui-casino ledger rebuild restores your balance"
    )


def resume(house: House, definition: AnyDefinition, entry: OpenSitting) -> AnySitting | None:
    """Resume a session from this house's ledger; return ``None`` if it has been settled.

    Raises the errors of :func:`~tui_casino.house.resumption.resume_from_ledger`.
    """
    if house.ledger is None:
        raise BadInput("free play has no sessions to resume")
    return resume_from_ledger(house, house.ledger, definition, entry)


def new_source(
    seed: int | None, own: SeedSourceFactory | None = None, factory: SourceFactory = CommittedSource
) -> ChanceSource:
    """Return the source for a new session: a source with a new secret seed, or a numbered one.

    A numbered source is for free play only. ``own`` makes the source if the game has its own kind
    of source; ``factory`` makes a source with a secret seed. Raises :class:`BadInput` for an
    invalid seed.
    """
    if own is not None:
        return own(seed)
    return factory() if seed is None else SeededSource(seed)


def announce_source(house: House, factory: SourceFactory) -> ChanceSource:
    """Make a source whose commitment is shown before the player is asked for a client seed.

    The commitment is published first, if the house has a public list. Raises
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    source = factory()
    if house.publish_commitment is not None:
        house.publish_commitment(source.spec.value)
    return source


def mix_client_seed(client_seed: str, source: ChanceSource) -> ChanceSource:
    """Mix a client seed into a source whose commitment has been shown.

    Raises :class:`BadInput` for an invalid client seed, and for a source without a commitment.
    """
    try:
        return source.with_client_seed(client_seed)
    except ValueError as error:
        raise BadInput(str(error)) from None


def sit_down(
    house: House,
    definition: AnyDefinition,
    seating: AnyTableSetup,
    source: ChanceSource,
    *,
    borrow: bool = False,
) -> AnySitting:
    """Start a session; in free play the player brings the house's buy-in, or :data:`PRACTICE`.

    A numbered ``source`` is repeatable, so the house must be in free play. With ``borrow``, the
    house lends money if the balance is below the smallest bet. Raises :class:`BadInput` if the log
    cannot be created, :class:`.LoanNeeded`, and the errors of the ledger.
    """
    options = seating.options
    if house.ledger is None:
        purse = PRACTICE if house.buy_in is None else house.buy_in
        options = definition.game.sit(options, purse // definition.game.unit)
    try:
        sitting = begin_sitting(
            house,
            definition,
            options,
            seating.croupier,
            source,
            seating.players,
            seating.listener,
            borrow=borrow,
        )
    except OSError as error:
        if house.remote:
            raise BadInput(f"the log cannot be created: {os_error_reason(error)}") from None
        raise BadInput(
            f"the log cannot be created in {house.logs}: {folder_reason(house.logs, error)}; "
            "choose a folder with --log-dir"
        ) from None
    sitting.has_bets = seating.dialogue is None
    return sitting
