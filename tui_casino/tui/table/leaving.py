"""What is said when a player leaves a table."""

from __future__ import annotations

from ...engine.money import dollars
from ...house.lobby import AnySitting
from ...house.sitting import Left
from ...inputs.files import BadFile
from ...records.log import read
from ...records.verdicts import seed_line
from ..widgets.bars import capital

STAKED = """\
It stays at the table with your money. You can go on with this very hand when you come back."""
NOT_KEPT = "You play for practice: this hand is not kept."


def farewell(sitting: AnySitting, left: Left) -> str:
    """Say how a sitting was left; nothing where there is nothing to say."""
    if left is not Left.CASHED_OUT:
        return f"Your {'bet' if sitting.staked else 'game'} waits at the table."
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
