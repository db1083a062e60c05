"""The way in: what was broken off is settled or found waiting, then one sits down.

Console and screen both come through here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..engine.chance import CommittedSource, NumberedSource, Source
from ..engine.money import dollars
from ..gamekit.parts import AnyParts
from ..gamekit.registry import title_of
from ..gamekit.seating import AnySeating, SourceMaker
from ..inputs.errors import BadInput
from ..records.ledger import OpenSitting
from ..records.log import InUse
from .house import Found, House
from .resuming import take_up
from .sitting import PRACTICE, Sitting, begin

AnySitting = Sitting[Any, Any, Any, Any, Any]

Fresh = Callable[[], Source]
"""Makes a source whose seed nobody knows yet."""


def look_in(house: House, games: Mapping[str, AnyParts]) -> Found:
    """Cash out every broken sitting that has nothing staked; find the others.

    ``games`` are those of this program by their slugs. Nothing is lost by what cannot be settled
    now: a note says why it waits. Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    waiting: list[OpenSitting] = []
    notes: list[str] = []
    for entry in house.ledger.open_sittings(house.player) if house.ledger else ():
        named = title_of(entry.game)
        if entry.game not in games:
            notes.append(f"a session at {named} is open, a game that this program does not have")
            continue
        try:
            found = resume(house, games[entry.game], entry)
        except InUse:
            notes.append(f"your session at {named} is being played in another program")
        except (BadInput, OSError) as error:
            notes.append(
                f"your session at {named} waits, but cannot be played on: {error}; "
                "if its log is lost, tui-casino ledger settle pays it out"
            )
        else:
            if found is None:
                purse = dollars(house.ledger.purse(house.player)) if house.ledger else ""
                notes.append(
                    f"an interrupted session at {named} is cashed out; your purse holds {purse}"
                )
            else:
                found.close()
                waiting.append(entry)
    if _seems_lost(house):
        notes.append(
            "the ledger is new, but there are logs of sessions for money: if it was lost, "
            "tui-casino ledger rebuild makes your purse again from them"
        )
    return Found(tuple(waiting), tuple(notes))


def _seems_lost(house: House) -> bool:
    ledger = house.ledger
    if ledger is None or not ledger.new or not ledger.lasts or ledger.accounts():
        return False
    from ..records.rebuild import any_for_money  # late: hardly ever needed

    try:
        return any_for_money(house.logs, house.player)
    except BadInput:  # a folder that cannot be read: to sit down there says so
        return False


def resume(house: House, parts: AnyParts, entry: OpenSitting) -> AnySitting | None:
    """Take up a sitting of this house's ledger; ``None`` if it is settled now.

    Raises as :func:`~tui_casino.house.resuming.take_up`.
    """
    if house.ledger is None:
        raise BadInput("for practice nothing is kept that could be taken up")
    return take_up(house, house.ledger, parts, entry)


def new_source(
    seed: int | None, own: SourceMaker | None = None, fresh: Fresh = CommittedSource
) -> Source:
    """Make the chance of a new sitting: a fresh seed, or that of a number, for practice.

    ``own`` makes the game's own, if it has one; ``fresh`` makes sources of seeds nobody knows.
    Raises :class:`BadInput` for a seed it cannot use.
    """
    if own is not None:
        return own(seed)
    return fresh() if seed is None else NumberedSource(seed)


def mix_in(word: str, source: Source) -> Source:
    """Mix a player's word into a source whose commitment has been shown.

    Raises :class:`BadInput` for a word that is none, and where nothing is committed to.
    """
    try:
        return source.mixed(word)
    except ValueError as error:
        raise BadInput(str(error)) from None


def sit_down(house: House, parts: AnyParts, seating: AnySeating, source: Source) -> AnySitting:
    """Begin a sitting; for practice with :data:`PRACTICE` or the house's limit.

    A numbered ``source`` is repeatable, so the house must be one for practice. Raises
    :class:`BadInput` if the log cannot be begun, and what the ledger raises.
    """
    options = seating.options
    if house.ledger is None:
        purse = PRACTICE if house.buy_in is None else house.buy_in
        options = parts.game.sit(options, purse // parts.game.unit)
    try:
        return begin(
            house, parts, options, seating.croupier, source, seating.players, seating.hearer
        )
    except OSError as error:
        raise BadInput(
            f"the log cannot be begun in {house.logs}: {_why_not(house.logs, error)}; "
            "choose a folder with --log-dir"
        ) from None


def _why_not(folder: Path, error: OSError) -> str:
    """Say why nothing can be written in a folder; the system has odd words for a file there."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            if not place.is_dir():
                return f"{'that' if place == folder else place} is a file, and no folder"
            break
    return error.strerror or str(error)
