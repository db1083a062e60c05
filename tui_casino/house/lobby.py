"""Sit down at a table: settle or find broken-off sessions, then open a new one.

Console and screen both come through here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..engine.chance import ChanceSource, CommittedSource, SeededSource
from ..engine.money import dollars
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import title_of
from ..gamekit.table_setup import AnyTableSetup, SeedSourceFactory
from ..inputs.errors import BadInput
from ..inputs.files import BadFile, folder_reason, os_error_reason
from ..records.ledger import OpenSitting
from ..records.session_log import LogInUse
from .house import House, OpenSittingsReport
from .resumption import resume_from_ledger
from .sitting import PRACTICE, Sitting, begin_sitting

AnySitting = Sitting[Any, Any, Any, Any, Any]

SourceFactory = Callable[[], ChanceSource]
"""Makes a source whose seed nobody knows yet."""


def review_open_sittings(house: House, games: Mapping[str, AnyDefinition]) -> OpenSittingsReport:
    """Cash out every broken sitting that has nothing staked; find the others.

    ``games`` are those of this program by their slugs. Nothing is lost by what cannot be settled
    now: a note says why it waits. Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    waiting: list[OpenSitting] = []
    stuck: list[OpenSitting] = []
    notes: list[str] = []
    for entry in house.ledger.open_sittings(house.player) if house.ledger else ():
        named = title_of(entry.game)
        if entry.game not in games:
            notes.append(f"a session at {named} is open, a game that this program does not have")
            continue
        try:
            sitting = resume(house, games[entry.game], entry)
        except LogInUse:
            notes.append(f"your session at {named} is being played in another program")
        except BadFile as error:
            stuck.append(entry)
            notes.append(_unresumable_reason(house, entry, error))
        except (BadInput, OSError) as error:
            reason = (
                os_error_reason(error)
                if house.remote and isinstance(error, OSError)
                else str(error)
            )
            notes.append(f"your session at {named} waits: {reason}")
        else:
            if sitting is None:
                purse = dollars(house.ledger.balance(house.player)) if house.ledger else ""
                notes.append(
                    f"an interrupted session at {named} is cashed out; your purse holds {purse}"
                )
            else:
                sitting.close()
                waiting.append(entry)
    if house.ledger is not None and house.ledger.new and (lost := lost_ledger_warning(house)):
        notes.append(lost)
    return OpenSittingsReport(tuple(waiting), tuple(notes), tuple(stuck))


def _unresumable_reason(house: House, entry: OpenSitting, error: BadFile) -> str:
    """Say why a sitting cannot be resumed, what it pays, and how; no path of another machine."""
    reason = str(error)
    if house.remote:
        reason = f"its log{'' if error.line is None else f', line {error.line}'}: {error.reason}"
    last = "after its last round that is known" if entry.last_money is not None else "at its start"
    return (
        f"your session at {title_of(entry.game)} cannot be played on: {reason}. You had "
        f"{dollars(entry.owed)} {last}: {house.settle_hint}"
    )


def lost_ledger_warning(house: House) -> str:
    """Say that the ledger knows no sitting although there are logs of some for money, if so.

    Reads the first lines of the logs.
    """
    ledger = house.ledger
    try:
        if ledger is None or not ledger.persistent or house.remote or ledger.accounts(house.player):
            return ""
        from ..records.ledger_rebuild import has_money_logs  # late: hardly ever needed

        has_logs = has_money_logs(house.logs, house.player)
    except BadInput:  # what cannot be read says so where it is needed
        return ""
    if not has_logs:
        return ""
    return (
        "the ledger is new, but there are logs of sessions for money: if it was lost, "
        "tui-casino ledger rebuild makes your purse again from them"
    )


def resume(house: House, definition: AnyDefinition, entry: OpenSitting) -> AnySitting | None:
    """Take up a sitting of this house's ledger; ``None`` if it is settled now.

    Raises as :func:`~tui_casino.house_setup.resumption.resume_from_ledger`.
    """
    if house.ledger is None:
        raise BadInput("for practice nothing is kept that could be taken up")
    return resume_from_ledger(house, house.ledger, definition, entry)


def new_source(
    seed: int | None, own: SeedSourceFactory | None = None, factory: SourceFactory = CommittedSource
) -> ChanceSource:
    """Make the chance of a new sitting: a fresh seed, or that of a number, for practice.

    ``own`` makes the game's own source, if it has one; ``factory`` makes one with a secret seed.
    Raises :class:`BadInput` for a seed it cannot use.
    """
    if own is not None:
        return own(seed)
    return factory() if seed is None else SeededSource(seed)


def announce_source(house: House, factory: SourceFactory) -> ChanceSource:
    """Make a source whose commitment is shown to the player before words are asked for.

    It goes on the house's public list first, if there is one. Raises
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    source = factory()
    if house.publish_commitment is not None:
        house.publish_commitment(source.spec.value)
    return source


def mix_client_seed(client_seed: str, source: ChanceSource) -> ChanceSource:
    """Mix a player's word into a source whose commitment has been shown.

    Raises :class:`BadInput` for a word that is none, and where nothing is committed to.
    """
    try:
        return source.with_client_seed(client_seed)
    except ValueError as error:
        raise BadInput(str(error)) from None


def sit_down(
    house: House, definition: AnyDefinition, seating: AnyTableSetup, source: ChanceSource
) -> AnySitting:
    """Begin a sitting; for practice with :data:`PRACTICE` or the house's limit.

    A numbered ``source`` is repeatable, so the house must be one for practice. Raises
    :class:`BadInput` if the log cannot be begun, and what the ledger raises.
    """
    options = seating.options
    if house.ledger is None:
        purse = PRACTICE if house.buy_in is None else house.buy_in
        options = definition.game.sit(options, purse // definition.game.unit)
    try:
        return begin_sitting(
            house, definition, options, seating.croupier, source, seating.players, seating.listener
        )
    except OSError as error:
        if house.remote:
            raise BadInput(f"the log cannot be begun: {os_error_reason(error)}") from None
        raise BadInput(
            f"the log cannot be begun in {house.logs}: {folder_reason(house.logs, error)}; "
            "choose a folder with --log-dir"
        ) from None
