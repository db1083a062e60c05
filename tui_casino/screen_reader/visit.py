"""Start a visit in screen-reader mode, with the menu and all its rooms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..engine.chance import CommittedSource
from ..gamekit.table_catalog import PrintLine
from ..house.desk import Desk
from ..house.house import House
from ..house.limits import PlayTimer
from ..house.lobby import SourceFactory
from ..house.settings import WARNINGS, Settings
from ..house.visit_state import VisitState
from ..structs import replace
from .daily import daily_entry
from .menu import ScreenReaderVisit, client_seed_entry, repay_entry
from .practice import practice_entry
from .records import records_entry
from .settings import SettingsKeeper, goal_entry, settings_entry
from .statistics_menu import mistakes_entry, statistics_entry
from .table import Waits
from .voice import Verbosity, Voice


def begin_visit(
    house: House,
    typed: Iterable[str],
    write: PrintLine,
    settings: Settings,
    file: Path | None,
    enabled_by: str,
    *,
    memory: VisitState,
    wait_notice: Waits,
    seed: int | None = None,
    client_seed: str = "",
    new_source: SourceFactory = CommittedSource,
    troubles: Sequence[str] = (),
) -> ScreenReaderVisit:
    """Return a visit whose menu contains all rooms.

    ``typed`` yields the player's lines, and ``write`` prints a line. The settings are stored in
    ``file``, or nowhere if that is ``None``.
    """
    pastime = PlayTimer(house.clock, memory, settings.limits)
    house = replace(house, play_timer=pastime, seat_names=settings.seat_names)
    desk = Desk(house, memory, seed, client_seed, new_source)

    def apply(changed: Settings) -> None:
        voice.level = Verbosity(changed.verbosity)
        voice.warned_share = WARNINGS[changed.warn]
        pastime.limits = changed.limits
        desk.has_goals = changed.goals
        desk.house = replace(
            desk.house,
            buy_in=house.buy_in or (changed.buy_in_cents if house.ledger else None),
            repays_debt=changed.repay_debt,
        )
        if not house.remote:
            name = house.name or changed.name.strip() or None
            desk.house = replace(desk.house, name=name)

    keeper = SettingsKeeper(settings, file, apply)

    def level(chosen: Verbosity) -> None:
        keeper.change(replace(keeper.settings, verbosity=chosen.value), voice.say)

    voice = Voice(typed, write, Verbosity(settings.verbosity), on_level=level)
    apply(settings)
    daily = daily_entry(lambda: desk.house, lambda: keeper.settings.daily)
    every = (
        records_entry(lambda: desk.house),
        statistics_entry(lambda: desk.house),
        mistakes_entry(lambda: desk.house),
        practice_entry(lambda: desk.house),
        daily,
        *([] if seed is not None else [client_seed_entry(desk)]),
        settings_entry(keeper, named_here=not house.remote),
        repay_entry(desk),
        goal_entry(desk, daily.is_listed),
    )
    return ScreenReaderVisit(desk, voice, enabled_by, every, wait_notice, troubles)
