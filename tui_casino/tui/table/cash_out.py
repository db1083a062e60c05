"""Leave a session, and describe the result to the player."""

from __future__ import annotations

from contextlib import suppress

from ...engine.money import dollars
from ...house.lobby import AnySitting
from ...house.sitting import SittingEnding
from ...inputs.files import BadFile
from ...records.ledger import LedgerError
from ...records.replay import SEED_MATCHES, describe_seed
from ...records.session_log import read_log
from ..draw.text import capitalize

TRY_KEPT = "Your try is kept: you can resume it until the day ends (UTC)."


def cash_out(sitting: AnySitting, *, keep: bool = True) -> str:
    """Leave a session, and return a message for the player, which may be empty.

    With ``keep``, an unfinished game for points or daily deal stays open.

    Raises the errors of :meth:`~tui_casino.house.sitting.Sitting.leave`.
    """
    ending = sitting.leave(keep=keep)
    if sitting.log.header.daily is not None:
        return TRY_KEPT if ending is SittingEnding.BROKEN_OFF else ""
    if ending is SittingEnding.BROKEN_OFF:
        return "Your bet stays on the table." if sitting.staked else "Your game is kept."
    if ending is SittingEnding.UNPLAYED:
        return ""
    if sitting.house.ledger is None:
        cents = sitting.cents
        return f"You leave with {dollars(cents)}; this was free play." if cents else ""
    repaid = f" {dollars(sitting.repaid)} repays debt." if sitting.repaid else ""
    return f"You cash out {dollars(sitting.cents)}.{repaid}{_seed_text(sitting)}"


def top_up_offer(sitting: AnySitting, credit: str) -> tuple[str, ...]:
    """Return texts that offer a new session with a full buy-in, or nothing if it is not possible.

    The texts begin with what the ``$`` command says of the credit, and get shorter.
    """
    house, cents = sitting.house, 0
    if house.ledger is not None and not (sitting.staked or sitting.for_points):
        with suppress(LedgerError):  # the credit is said in any case
            whole = house.ledger.balance(house.player) + sitting.cents
            cents = max(0, house.limit_buy_in(whole) - sitting.cents)
    offer = f"$ again brings {dollars(cents)} more"
    return (f"{credit}. {offer}, in a new session", offer) if cents else ()


def _seed_text(sitting: AnySitting) -> str:
    try:
        text = describe_seed(read_log(sitting.log.path))
    except BadFile:  # the log no longer exists; the menu's page reports that
        return ""
    if text is None:
        return ""
    label, seed = text.split(": ")
    if label != SEED_MATCHES:
        return f" {capitalize(label)}: {seed[:8]}..."
    return f" v checks the shuffle, seed {seed[:8]}..."
