"""How a visit by lines begins: with all the rooms of the house."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ..engine.chance import CommittedSource
from ..gamekit.seating import Say
from ..house.desk import Desk
from ..house.house import House
from ..house.limits import Pastime
from ..house.lobby import Fresh
from ..house.memory import Memory
from ..house.settings import Settings
from .figures import mistakes_room, statistics_room
from .menu import Visit, word_room
from .practice import practice_room
from .records import records_room
from .settings import Keeper, settings_room
from .table import Waits
from .voice import Verbosity, Voice


def begin(
    house: House,
    typed: Iterable[str],
    write: Say,
    settings: Settings,
    file: Path | None,
    held_by: str,
    *,
    memory: Memory,
    waits: Waits,
    seed: int | None = None,
    word: str = "",
    fresh: Fresh = CommittedSource,
    troubles: Sequence[str] = (),
) -> Visit:
    """Give a visit with all rooms.

    What was ``typed`` are its lines, and ``write`` takes a line that is said. ``file`` keeps the
    settings, if there is a place for it.
    """
    pastime = Pastime(house.clock, memory, settings.limits)
    desk = Desk(replace(house, pastime=pastime), memory, seed, word, fresh)

    def apply(changed: Settings) -> None:
        voice.level = Verbosity(changed.verbosity)
        pastime.limits = changed.limits
        if not house.afar:
            desk.house = replace(house, name=house.name or changed.name.strip() or None)

    keeper = Keeper(settings, file, apply)

    def level(chosen: Verbosity) -> None:
        keeper.change(replace(keeper.settings, verbosity=chosen.value), voice.say)

    voice = Voice(typed, write, Verbosity(settings.verbosity), on_level=level)
    apply(settings)
    every = (
        records_room(lambda: desk.house),
        statistics_room(lambda: desk.house),
        mistakes_room(lambda: desk.house),
        practice_room(lambda: desk.house),
        *([] if seed is not None else [word_room(desk)]),
        settings_room(keeper, named_here=not house.afar),
    )
    return Visit(desk, voice, held_by, every, waits, troubles)
