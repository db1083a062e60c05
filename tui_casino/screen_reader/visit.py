"""Start a visit in screen-reader mode, with the menu and all its rooms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..daily.session import read_day
from ..engine.chance import CommittedSource
from ..gamekit.registry import DEFINITIONS
from ..gamekit.table_catalog import PrintLine
from ..house.desk import Desk, describe_goal
from ..house.house import House
from ..house.limits import PlayTimer
from ..house.lobby import SourceFactory
from ..house.settings import (
    LONGEST_NAME,
    ONLY_NOW,
    SETTING_CHOICES,
    WARNINGS,
    SettingChoices,
    Settings,
    save,
)
from ..house.visit_state import VisitState
from ..inputs.errors import BadInput
from ..structs import replace
from ..teacher.goals import offered_goals
from ..teacher.overview import own_goal
from .daily import daily_entry
from .menu import MenuEntry, ScreenReaderVisit, client_seed_entry, repay_entry
from .own_logs import own_mistakes
from .practice import practice_entry
from .records import records_entry
from .statistics_menu import mistakes_entry, statistics_entry
from .table import Waits
from .tables_room import tables_entry
from .voice import BACK, HELPS, PromptOption, Verbosity, Voice, ask_text, browse, choose

FOR_EYES = ("theme", "four_colour", "card_style", "animation", "pace")
CHOICES = tuple(sorted(SETTING_CHOICES, key=lambda one: one.key in FOR_EYES))
"""The settings, with those that matter only on the screen at the end."""


class SettingsKeeper(Struct):
    """Stores a player's settings in a ``file``; ``apply`` is called after each change."""

    settings: Settings
    file: Path | None
    apply: Callable[[Settings], None]

    def change(self, changed: Settings, say: PrintLine) -> None:
        """Apply changed settings immediately and save them; if they cannot be saved, say why."""
        before, self.settings = self.settings, changed
        self.apply(changed)
        try:
            if self.file is None:
                raise BadInput(f"{ONLY_NOW}: there is no folder for them")
            save(self.file, changed, before)
        except BadInput as error:
            say(str(error))


def settings_entry(keeper: SettingsKeeper, *, named_here: bool) -> MenuEntry:
    """Return the menu entry of the settings; ``named_here`` adds the player's name to them."""

    def enter(voice: Voice) -> None:
        for choice in browse(voice, "Settings", lambda: _options(keeper.settings, named_here)):
            if choice == len(CHOICES):
                _rename(voice, keeper)
            else:
                _change(voice, keeper, CHOICES[choice])

    return MenuEntry(
        "Settings", "screen reader, verbosity, limits, and how the screen looks", enter
    )


def _options(settings: Settings, named_here: bool) -> list[PromptOption]:
    options = [
        PromptOption(f"{one.title}, {one.current(settings)}", one.help_text) for one in CHOICES
    ]
    if named_here:
        options.append(PromptOption(f"Name, {settings.name or 'none'}", "Your name at the table."))
    return options


def _change(voice: Voice, keeper: SettingsKeeper, value: SettingChoices[Any]) -> None:
    words: Sequence[Any] = [*value.words]
    choice = choose(voice, value.title, [PromptOption(value.words[one]) for one in words])
    if choice is not None:
        keeper.change(value.change(keeper.settings, words[choice]), voice.say)


def _rename(voice: Voice, keeper: SettingsKeeper) -> None:
    hint = "Press only Enter to keep it, or type b to go back."
    typed = ask_text(voice, f"Type your name, at most {LONGEST_NAME} letters. {hint}")
    if typed.strip().lower() in (*BACK, *HELPS):
        return
    name = "".join(letter for letter in typed if letter.isprintable())[:LONGEST_NAME].strip()
    if name:
        keeper.change(replace(keeper.settings, name=name), voice.say)
        voice.say(f"Your name is {name}")


def goal_entry(desk: Desk, has_daily: Callable[[], bool]) -> MenuEntry:
    """Return the menu entry of the goal, which is listed while goals are on."""

    def played() -> bool | None:
        if desk.goal is None or not desk.goal.is_daily or not has_daily():
            return None
        return any(one.finished for one in read_day(desk.house, DEFINITIONS).tries)

    def enter(voice: Voice) -> None:
        house = desk.house
        voice.say(f"Now: {describe_goal(desk.goal, played())}.")
        queue = own_mistakes(voice, house)
        goals = offered_goals(own_goal(queue.admitted, house.clock()), has_daily=has_daily())
        options = [PromptOption(describe_goal(goal)) for goal in goals]
        if (place := choose(voice, "A goal for your sessions", options)) is not None:
            desk.memory.has_goal(goals[place])

    return MenuEntry("Goal", "for your sessions", enter, is_listed=lambda: desk.has_goals)


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
    table: str | None = None,
    watches: bool = False,
) -> ScreenReaderVisit:
    """Return a visit whose menu contains all rooms.

    With the code of a ``table`` with others, it begins there, or ``watches`` it.

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
        tables_entry(desk, wait_notice),
        *([] if seed is not None else [client_seed_entry(desk)]),
        settings_entry(keeper, named_here=not house.remote),
        repay_entry(desk),
        goal_entry(desk, daily.is_listed),
    )
    return ScreenReaderVisit(desk, voice, enabled_by, every, wait_notice, troubles, table, watches)
