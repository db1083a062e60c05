"""Play at a table in screen-reader mode: read commands and report events."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from ..engine.game import SittingOver
from ..engine.money import dollars
from ..gamekit.table_catalog import CourseDialogue, PrintLine
from ..house.seat_dialogue import Dialogue
from ..house.sitting import Sitting, SittingEnding
from ..house.table_commands import HouseVerb, house_verb
from ..inputs.errors import BadInput, report_fault
from ..records.ledger import LedgerError
from ..records.replay import describe_seed
from ..records.session_log import LogWriteError, read_log

Waits = Callable[[], AbstractContextManager[None]]
"""Makes a context that tells the player if the work inside has to wait for the ledger."""
RECALLED_LINES = 8
_BACK_HELP = """\
  u      take back your last choice
  U      compare your choices in this position
"""
UNDO_HELP = ("u: take back your last choice", "U: compare your choices in this position")
_HOUSE_HELP = """\
  ?      this help
  q      leave the table and cash out"""


def play_at_table(
    sitting: Sitting[Any, Any, Any, Any, Any],
    lines: Iterable[str],
    say: PrintLine,
    warn: PrintLine,
    clear: Callable[[], None] = lambda: None,
    wait_notice: Waits = nullcontext,
    *,
    keep: bool = False,
) -> SittingEnding | None:
    """Play a session until it is over, the input ends, or the player leaves.

    ``say`` prints a line of the game, ``warn`` a message about the program. ``clear`` hides earlier
    output before another player looks at their cards. With ``keep``, an unfinished game for points
    is kept for later, like a session with a bet at stake. Return how the session was left, or
    ``None`` if the last line of its log could not be written; the session is then still open.
    """
    dialogue, rest = sitting.dialogue, iter(lines)
    pending: list[str] = []  # typed, but not carried out yet, because the log cannot be written
    while True:
        told: list[str] = []
        try:
            told += dialogue.listen()
            while pending:
                told += dialogue.reply(pending[0])
                del pending[0]
                told += dialogue.listen()
        except LogWriteError as error:
            _tell(told, say)
            then = "Free some space, then press Enter to continue"
            if sitting.house.remote:
                needs = "The server needs more disk space. " * (error.errno != errno.EIO)
                then = f"{needs}Press Enter to try again"  # else its ledger or a table refuses
            warn(
                f"the log cannot be written: {error.strerror}; nothing is lost. {then}, "
                "or leave with q"
            )
        else:
            if dialogue.hidden:
                clear()
            _tell(told, say)
            _tell(sitting.take_news(), warn)
            if due := sitting.reminder():
                warn(due)
            if not _handed_over(dialogue, rest, say):
                break
            turn = sitting.table.game.turn(sitting.table.state)
            if isinstance(turn, SittingOver):
                can_undo = sitting.may_undo and sitting.for_points
                say(f"The game is over: {turn.reason}{'; u takes back, q leaves' * can_undo}.")
                if not can_undo:
                    break
        line = next(rest, None)
        if line is None:
            break
        match house_verb(line, may_undo=sitting.may_undo):
            case HouseVerb.LEAVE:
                break
            case HouseVerb.HELP:
                back = _BACK_HELP if sitting.may_undo else ""
                rules = sitting.definition.words.help(sitting.table.view(dialogue.viewer))
                say(f"{rules}\n{back}{_HOUSE_HELP}")
            case HouseVerb.BACK:
                _step_back(sitting, say, warn)
                dialogue = sitting.dialogue
            case HouseVerb.COMPARE:
                _compare(sitting, say, warn)
            case None if house_verb(line, may_undo=True):
                say(f"{line.strip()}: {sitting.why_final}")
            case None if line.strip():
                pending.append(line)
    return _leave(sitting, warn, wait_notice, keep=keep)


def _handed_over(
    dialogue: Dialogue[Any, Any, Any, Any, Any], rest: Iterator[str], say: PrintLine
) -> bool:
    """Pass a shared keyboard to the acting player; return false if a player leaves instead.

    The acting player's cards are shown after they press Enter. Lines that the other player has
    typed ahead are discarded.
    """
    seat, covered = dialogue.seat_to_act, dialogue.hidden
    if seat is None or not dialogue.shared:
        return True
    if covered:
        say(f"{dialogue.names[seat]}: press Enter to see your cards")
        for line in rest:
            if house_verb(line, may_undo=False) is HouseVerb.LEAVE:
                return False
            if not line.strip():
                break
            say(f"first press Enter, {dialogue.names[seat]}")
        else:
            return False
    if dialogue.switch_seat(looking=covered):
        at = dialogue.situation()
        if hand := dialogue.definition.words.hand(at.view, seat):
            say(f"{dialogue.names[seat]}: {hand}")
        elif any(offer.domains for offer in at.offers):
            say(f"{dialogue.names[seat]}:")
        if prompt := dialogue.definition.words.prompt(at.view, seat):
            say(prompt)
    return True


def _step_back(sitting: Sitting[Any, Any, Any, Any, Any], say: PrintLine, warn: PrintLine) -> None:
    try:
        if sitting.step_back():
            _tell(sitting.dialogue.recall()[-RECALLED_LINES:], say)
        else:
            say("u: you have not made a choice yet")
    except OSError as error:
        warn(f"the log cannot be written: {error.strerror}; your choice cannot be taken back")
    except BadInput as error:
        warn(f"{error}; your choice cannot be taken back")


def _compare(sitting: Sitting[Any, Any, Any, Any, Any], say: PrintLine, warn: PrintLine) -> None:
    try:
        _tell(sitting.compare(), say)
    except BadInput as error:
        warn(str(error))


def converse(
    sitting: Sitting[Any, Any, Any, Any, Any],
    talk: CourseDialogue,
    lines: Iterable[str],
    say: PrintLine,
    warn: PrintLine,
    wait_notice: Waits = nullcontext,
) -> SittingEnding | None:
    """Run a game's own dialogue at a table; return the same values as :func:`play_at_table`."""
    try:
        talk(sitting.dialogue, iter(lines), say, warn)
    except LogWriteError as error:
        warn(f"the log cannot be written: {error.strerror}")
    return _leave(sitting, warn, wait_notice)


def _leave(
    sitting: Sitting[Any, Any, Any, Any, Any],
    warn: PrintLine,
    wait_notice: Waits = nullcontext,
    *,
    keep: bool = False,
) -> SittingEnding | None:
    try:
        with wait_notice():
            return sitting.leave(keep=keep)
    except LogWriteError as error:
        warn(f"the log cannot be finished: {error.strerror}; your money stays at the table")
    except LedgerError as error:
        warn(f"{error}; your money stays at the table")
    finally:
        _tell(sitting.take_news(), warn)
    return None


def farewell(
    sitting: Sitting[Any, Any, Any, Any, Any],
    ending: SittingEnding | None,
    usual: Path | None = None,
) -> Iterator[str]:
    """Yield what happened to the money of a session that was left, and where its log is."""
    for fault in sitting.table.bus.faults[:1]:
        if isinstance(fault, BadInput):
            yield str(fault)
        else:
            yield report_fault(fault, "a background task failed")
    yield from money_lines(sitting, ending)
    if ending is SittingEnding.CASHED_OUT and (proof := describe_seed(read_log(sitting.log.path))):
        yield proof
    if ending is SittingEnding.UNPLAYED:
        yield "nothing was played, so there is no log"
    elif sitting.log.path.parent == usual or sitting.house.can_resume:
        yield f"the log is {sitting.log.path}"


def money_lines(
    sitting: Sitting[Any, Any, Any, Any, Any], ending: SittingEnding | None
) -> Iterator[str]:
    """Yield lines about what happened to the money of a session."""
    if ending is SittingEnding.BROKEN_OFF:
        if sitting.shared_table is not None:
            yield sitting.why_seat_waits
        elif sitting.staked:
            yield "your bet stays on the table: start the game again to resume"
        else:
            yield "your game is saved: start it again to resume"
    elif (
        ending in (SittingEnding.CASHED_OUT, SittingEnding.UNPLAYED)
        and sitting.house.ledger is not None
    ):
        balance = sitting.house.ledger.balance(sitting.house.player)
        repaid = f"; {dollars(sitting.repaid)} of it repays your debt" if sitting.repaid else ""
        yield f"you cash out {dollars(sitting.cents)}{repaid}; your balance is {dollars(balance)}"


def _tell(lines: Iterable[str], say: PrintLine) -> None:
    for line in lines:
        say(line)
