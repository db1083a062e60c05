"""Resume a broken-off session from its log, at the step where it stopped.

Those for money by the ledger, which has the seed and what was bought in; those for practice by
their log alone, which tells its seed in the first line.
"""

from __future__ import annotations

from pathlib import Path

from ..engine.chance import make_source
from ..engine.game import A, E, O, S
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..records.ledger import Ledger, OpenSitting
from ..records.replay import LogMismatch, check_chain, check_checkpoint, make_table, rerun_log
from ..records.session_log import LogWriter, SessionLog
from .dialogue import Dialogue
from .game_log import attach_game_log
from .sitting import House, Sitting


def resume_from_ledger(
    house: House,
    ledger: Ledger,
    definition: GameDefinition[O, S, A, E, T],
    entry: OpenSitting,
) -> Sitting[O, S, A, E, T] | None:
    """Go on with a sitting that was broken off, at the very step; settle it if nothing is staked.

    Gives ``None`` if it is settled: cashed out here, or by another program meanwhile. Raises as
    :func:`reopen_table`.
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
) -> Sitting[O, S, A, E, T] | None:
    """Set up the table of an open sitting as its log leaves it; nothing is written or paid.

    Gives ``None`` if it was settled meanwhile. Raises
    :class:`~tui_casino.records.session_log.LogInUse` if another program plays it, :class:`BadFile`
    if its log cannot be played on (money and log stay as they are), ``OSError`` and
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    try:
        log, session_log = LogWriter.resume(entry.log, house.clock, house.logbook)
    except FileNotFoundError:
        if ledger.open_sitting(entry.id) is None:  # settled meanwhile, with nothing played
            return None
        raise BadFile(entry.log, "is missing; the money waits until it is back") from None
    try:
        now = ledger.open_sitting(entry.id)  # looked up again now that the log is ours alone
        if now is None:
            log.close()
            return None
        return _at_table(house, definition, entry.id, log, session_log, now)
    except BaseException:
        log.close()
        raise


def resume_from_log(
    house: House, definition: GameDefinition[O, S, A, E, T], path: Path
) -> Sitting[O, S, A, E, T]:
    """Go on with a sitting for practice that was cut off, in its own log.

    ``house`` is one for practice. Raises :class:`~tui_casino.records.session_log.LogInUse` if
    another program plays it, :class:`BadFile` if it cannot be played on,
    and ``OSError``.
    """
    log, session_log = LogWriter.resume(path, house.clock, house.logbook)
    try:
        if session_log.end is not None:
            raise BadFile(path, "it has ended")
        return _at_table(house, definition, path.stem, log, session_log, None)
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
) -> Sitting[O, S, A, E, T]:
    path = session_log.path
    try:
        restore, seed = house.restore_source or make_source, session_log.header.seed
        if entry is not None:
            source = restore(session_log.header.source, entry.seed)
        else:
            source = make_source(session_log.header.source, bytes.fromhex(seed) if seed else None)
        if source is None:
            raise BadFile(path, "its seed is not in the ledger")
        check_chain(session_log)
        table = make_table(definition, session_log, source)
        dialogue = Dialogue(table, definition)  # hears again all that was said
        attach_game_log(house, definition, table, session_log.header.players)
        humans = table.humans
        brought = sum(definition.game.money(table.state, seat).free for seat in humans)
        if entry is not None and brought * definition.game.unit != entry.bought_in:
            raise BadFile(path, f"the ledger knows a buy-in of {entry.bought_in} cents", 1)
        if entry is not None:
            _check_bound(session_log, entry)
        rerun_log(table, session_log)
    except LogMismatch as differs:  # which card the shuffle has instead is not for the player yet
        raise BadFile(path, "it is not as it was written", differs.line) from None
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadFile(path, f"cannot be played on: {error}") from None
    log.follower, table.bus.recorder = house.follower(definition, path), log.step
    sitting = Sitting(name, house, definition, table, dialogue, log)
    if entry is not None:
        sitting.bind(entry.checkpoint)
    return sitting


def _check_bound(session_log: SessionLog, entry: OpenSitting) -> None:
    """Refuse a log that is not the one that was bought in with, or less of it than was played."""
    try:
        check_checkpoint(session_log, entry.checkpoint)
    except LogMismatch as differs:
        reason = (
            f"{differs.reason}; "
            "nothing is paid, and the money waits until the log is back as it was"
        )
        raise BadFile(session_log.path, reason, differs.line) from None
