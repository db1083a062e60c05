"""The way in: what was broken off is settled or found waiting, then one sits down.

Console and screen both come through here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .chance import CommittedSource, NumberedSource, Source
from .commands import Seating
from .core import dollars
from .errors import BadInput
from .parts import Parts
from .records.ledger import OpenSitting
from .records.log import InUse
from .sitting import PRACTICE, House, Sitting, begin, take_up

AnyParts = Parts[Any, Any, Any, Any]
AnySitting = Sitting[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found at the start: sittings that wait with a bet at stake, and what to say."""

    waiting: tuple[OpenSitting, ...]
    notes: tuple[str, ...]


def look_in(house: House, games: Mapping[str, AnyParts]) -> Found:
    """Cash out every broken sitting that has nothing staked; find the others.

    ``games`` are those of this program by their slugs. Nothing is lost by what cannot be settled
    now: a note says why it waits. Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    waiting: list[OpenSitting] = []
    notes: list[str] = []
    for entry in house.ledger.open_sittings(house.player) if house.ledger else ():
        if entry.game not in games:
            notes.append(f"a sitting of {entry.game} is open, which this program does not have")
            continue
        try:
            found = resume(house, games[entry.game], entry)
        except InUse:
            notes.append(f"a sitting of {entry.game} is being played by another program")
        except (BadInput, OSError) as error:
            notes.append(f"a sitting of {entry.game} waits, but cannot be played on: {error}")
        else:
            if found is None:
                purse = dollars(house.ledger.purse(house.player)) if house.ledger else ""
                notes.append(f"a broken sitting of {entry.game} is cashed out; purse {purse}")
            else:
                found.leave()
                waiting.append(entry)
    return Found(tuple(waiting), tuple(notes))


def resume(house: House, parts: AnyParts, entry: OpenSitting) -> AnySitting | None:
    """Take up a sitting of this house's ledger; ``None`` if it is settled now.

    Raises as :func:`~tui_casino.sitting.take_up`.
    """
    if house.ledger is None:
        raise BadInput("for practice nothing is kept that could be taken up")
    return take_up(house, house.ledger, parts, entry)


def sit_down(house: House, parts: AnyParts, seating: Seating, seed: int | None) -> AnySitting:
    """Begin a sitting; for practice with :data:`PRACTICE` or the house's limit.

    A number as ``seed`` is repeatable, so the house must be one for practice. Raises
    :class:`BadInput` if the log cannot be begun, and what the ledger raises.
    """
    options = seating.options
    if house.ledger is None:
        purse = PRACTICE if house.buy_in is None else house.buy_in
        options = parts.game.sit(options, purse // parts.game.unit)
    source: Source = CommittedSource() if seed is None else NumberedSource(seed)
    try:
        return begin(house, parts, options, seating.croupier, source, seating.players)
    except OSError as error:
        raise BadInput(
            f"the session log cannot be begun in {house.logs}: {error.strerror or error}; "
            "choose a folder with --log-dir"
        ) from None
