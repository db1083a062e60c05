"""Resume an interrupted session from its log, at the step where it stopped.

Money sessions need the ledger, which contains the seed and the buy-in. Sessions of free play need
only their log, because its first line contains the seed.
"""

from __future__ import annotations

from pathlib import Path

from ..engine.chance import ChanceSource, make_source
from ..engine.croupier import make_croupier
from ..engine.game import A, E, O, S, Seat
from ..engine.seat_table import SeatTable, SeenStep
from ..engine.table import Table
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..records.ledger import Ledger, OpenSitting
from ..records.replay import (
    LogMismatch,
    check_chain,
    check_checkpoint,
    log_options,
    make_table,
    replay_log,
    rerun_log,
)
from ..records.session_log import LogWriter, SessionLog
from .seat_dialogue import Dialogue
from .sitting import House, Sitting, TableElsewhere
from .table_listeners import attach_game_log


class SeatIsHeld(BadInput):
    """A session belongs to a seat at a table with others, which waits for the player there."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(
            f"your seat at the table {code} waits for you: ssh -t HOST table {code} takes you back"
        )


def resume_from_ledger(
    house: House,
    ledger: Ledger,
    definition: GameDefinition[O, S, A, E, T],
    entry: OpenSitting,
) -> Sitting[O, S, A, E, T] | None:
    """Resume an interrupted session at its last step; settle it if nothing is at stake.

    Returns ``None`` if it is settled, either here or by another program in the meantime. Raises the
    errors of :func:`reopen_table`.
    """
    sitting = reopen_table(house, ledger, definition, entry)
    if sitting is None or (sitting.staked and not sitting.log.ended):
        return sitting
    try:
        sitting.leave(refund=True)
    finally:
        sitting.close()
    return None


def reopen_table(
    house: House,
    ledger: Ledger,
    definition: GameDefinition[O, S, A, E, T],
    entry: OpenSitting,
    elsewhere: TableElsewhere[S, A, E] | None = None,
) -> Sitting[O, S, A, E, T] | None:
    """Restore the table of an open session from its log; write nothing and move no money.

    A table with others is ``elsewhere``. Returns ``None`` if the session was settled in the
    meantime. Raises :class:`SeatIsHeld` if it belongs to another table with others,
    :class:`~tui_casino.records.session_log.LogInUse` if another program is playing it,
    :class:`BadFile` if its log cannot be resumed (money and log do not change), ``OSError`` and
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    path = house.locate(entry.log)
    try:
        log, session_log = LogWriter.resume(path, house.clock, house.log_replica)
    except FileNotFoundError:
        if ledger.open_sitting(entry.id) is None:  # settled since, with nothing played
            return None
        raise BadFile(
            path, "not found; your money is safe in the ledger until this file is restored"
        ) from None
    try:
        now = ledger.open_sitting(entry.id)  # looked up again now that the log is locked
        if now is None:
            log.close()
            return None
        code = session_log.header.table
        if code is not None and (elsewhere is None or code != elsewhere.code):
            raise SeatIsHeld(code)
        return _at_table(house, definition, entry.id, log, session_log, now, elsewhere=elsewhere)
    except BaseException:
        log.close()
        raise


def resume_from_log(
    house: House,
    definition: GameDefinition[O, S, A, E, T],
    path: Path,
    daily: ChanceSource | None = None,
) -> Sitting[O, S, A, E, T]:
    """Resume an interrupted session of free play in its own log.

    ``house`` must be in free play. A daily deal is resumed only with its source, ``daily``. Raises
    :class:`~tui_casino.records.session_log.LogInUse` if another program is playing it,
    :class:`BadFile` if it cannot be resumed, and ``OSError``.
    """
    log, session_log = LogWriter.resume(path, house.clock, house.log_replica)
    try:
        if session_log.end is not None:
            raise BadFile(path, "it has ended")
        if session_log.header.daily is not None and daily is None:
            raise BadFile(
                path, f"it is a daily deal, which tui-casino daily {definition.game.slug} resumes"
            )
        return _at_table(house, definition, path.stem, log, session_log, None, daily)
    except BaseException:
        log.close()
        raise


def _at_table(
    house: House,
    definition: GameDefinition[O, S, A, E, T],
    name: str,
    log: LogWriter,
    session_log: SessionLog,
    entry: OpenSitting | None,
    source: ChanceSource | None = None,
    elsewhere: TableElsewhere[S, A, E] | None = None,
) -> Sitting[O, S, A, E, T]:
    path = session_log.path
    try:
        restore, seed = house.restore_source or make_source, session_log.header.seed
        if entry is not None:
            source = restore(session_log.header.source, entry.seed)
        elif source is None:
            source = make_source(session_log.header.source, bytes.fromhex(seed) if seed else None)
        if source is None:
            raise BadFile(path, "its seed is not in the ledger")
        check_chain(session_log)
        table = _table_of(definition, session_log, source, elsewhere)
        dialogue = Dialogue(
            table, definition, names=house.seat_names
        )  # it receives all earlier lines again
        attach_game_log(house, definition, table, session_log.header.players)
        humans = table.humans
        brought = sum(definition.game.money(table.state, seat).free for seat in humans)
        if entry is not None and brought * definition.game.unit != entry.bought_in:
            raise BadFile(path, f"the ledger recorded a buy-in of {entry.bought_in} cents", 1)
        if entry is not None:
            _check_bound(session_log, entry)
        if isinstance(table, SeatTable):
            for played in replay_log(table.game, session_log):
                actor = None if played.line.by is None else Seat(played.line.by)
                row = played.line.row or 0
                table.repeat(SeenStep(row, actor, "", None, played.state, played.events))
        else:
            rerun_log(table, session_log)
    except LogMismatch as differs:  # do not show the real card, which is still secret
        raise BadFile(path, "the log was changed", differs.line) from None
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadFile(path, f"cannot be resumed: {error}") from None
    log.follower, table.bus.recorder = house.follower(definition, path), log.step
    sitting = Sitting(name, house, definition, table, dialogue, log)
    if entry is not None:
        sitting.bind(entry.checkpoint)
    return sitting


def _table_of(
    definition: GameDefinition[O, S, A, E, T],
    log: SessionLog,
    source: ChanceSource,
    elsewhere: TableElsewhere[S, A, E] | None,
) -> Table[O, S, A, E]:
    if elsewhere is None:
        return make_table(definition, log, source)
    options, croupier = log_options(definition.game, log), make_croupier(log.header.croupier)
    return elsewhere.table(definition.game, options, croupier, source)


def _check_bound(session_log: SessionLog, entry: OpenSitting) -> None:
    """Refuse a log that does not match the buy-in, or that ends before the last known step."""
    try:
        check_checkpoint(session_log, entry.checkpoint)
    except LogMismatch as differs:
        reason = (
            f"{differs.reason}; "
            "nothing is paid, and your money stays in the ledger until the original log is restored"
        )
        raise BadFile(session_log.path, reason, differs.line) from None
