"""What a session plays with: the ledger, and where chance comes from. The cage has both.

The arcade knows no more of either than this. No session opens the ledger of the house, and none
has the seed of a sitting for money before the sitting ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ...house.house import Again
from ...house.lobby import Fresh
from ...records.ledger import Ledger
from ...records.logbook import Logbook
from .cage_chance import again, fresh, publish
from .cage_ledger import CageLedger
from .cage_line import CageLine
from .cage_logbook import CageLogbook


@dataclass(frozen=True, slots=True)
class Means:
    """The player's ledger, what makes the source of a fair shuffle, and what makes one again.

    A commitment that is shown before its sitting begins goes through ``publish`` first.
    ``gone`` tells whether they cannot be had any more: the session had better end. Where several
    hosts are one house a ``logbook`` keeps the player's logs for the others.
    """

    ledger: Ledger
    fresh: Fresh
    publish: Callable[[str], None]
    again: Again
    gone: Callable[[], bool]
    logbook: Logbook | None


def means_over(line: CageLine, *, shared: bool = False) -> Means:
    """Give what the cage has for the player whose line this is; his logs if they are ``shared``.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, logbook = CageLedger(line), CageLogbook(line) if shared else None
    return Means(
        ledger,
        partial(fresh, line),
        partial(publish, line),
        partial(again, line),
        line.look,
        logbook,
    )
