"""How a player leaves a live table: what is asked, and what is said."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from ...engine.money import dollars
from ...house.lobby import AnySitting
from ...house.sitting import Left
from ...inputs.files import BadFile
from ...records.log import read
from ...records.verdicts import seed_line
from ..draw.glyphs import capital
from ..modals import Confirmation
from ..windows import ask_over
from .playing import AnyPlaying

STAKED = """\
It stays at the table with your money. You can go on with this hand when you come back."""
NOT_KEPT = "This is practice: the hand will not be kept."


async def sure_to_leave(screen: Screen[Any], sitting: AnySitting, playing: AnyPlaying) -> bool:
    """Ask if a bet is at stake, the table standing still: else it might be decided meanwhile."""
    if not sitting.staked:
        return True
    stopped = playing.on
    playing.stop()
    text = STAKED if sitting.house.keeps else NOT_KEPT
    sure = await ask_over(screen, Confirmation("A bet is at stake", text, "Leave", "Stay"))
    if stopped and not sure:
        playing.begin()
    return bool(sure)


def cash_out(sitting: AnySitting) -> str:
    """Leave a sitting, and say how; nothing where there is nothing to say.

    Raises what :meth:`~tui_casino.house.sitting.Sitting.leave` raises.
    """
    left = sitting.leave(keep=True)
    if left is Left.BROKEN_OFF:
        return f"Your {'bet' if sitting.staked else 'game'} waits at the table."
    if left is Left.UNPLAYED:
        return ""
    if sitting.house.ledger is None:
        cents = sitting.cents
        return f"You leave with {dollars(cents)}, for practice." if cents else ""
    return f"You cash out {dollars(sitting.cents)}.{_seed_told(sitting)}"


def _seed_told(sitting: AnySitting) -> str:
    try:
        said = seed_line(read(sitting.log.path))
    except BadFile:  # gone already: the menu's page says so
        return ""
    if said is None:
        return ""
    told, seed = said.split(": ")
    return f"\n{capital(told)}: {seed[:12]}...\nv in the menu checks every card."
