"""The settings that have a few possible values, with the words for each setting and value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from ..structs import replace
from .settings import PACES, THEMES, VERBOSITIES, Settings

V = TypeVar("V", str, str | None, bool, int)


class SettingChoices(Struct, Generic[V], frozen=True):
    """A setting with a few possible values and the words for each; ``help_text`` explains it."""

    key: str
    title: str
    words: Mapping[V, str]
    help_text: str
    value: Callable[[Settings], V]
    change: Callable[[Settings, V], Settings]
    unit: str = ""

    def current(self, settings: Settings) -> str:
        """Return the words of the current value."""
        return self.say(self.value(settings))

    def say(self, value: V) -> str:
        """Return the words of a value, which may be one that only the settings file can set."""
        return self.words.get(value, f"{value} {self.unit}".strip())


BY_TERMINAL: Mapping[str | None, str] = {None: "automatic"}
ON_OFF = {True: "on", False: "off"}


def _minutes(*choices: int) -> Mapping[int, str]:
    return {0: "off"} | {
        minutes: f"{minutes} minutes"
        if minutes < 60
        else f"{minutes // 60} hour{'s' * (minutes > 60)}"
        for minutes in choices
    }


SETTING_CHOICES: tuple[
    SettingChoices[str] | SettingChoices[str | None] | SettingChoices[bool] | SettingChoices[int],
    ...,
] = (
    SettingChoices(
        "theme",
        "Theme",
        {**BY_TERMINAL, **THEMES},
        "If the terminal cannot show it, automatic is used.",
        lambda settings: settings.theme,
        lambda settings, theme: replace(settings, theme=theme),
    ),
    SettingChoices(
        "four_colour",
        "Four-colour deck",
        ON_OFF,
        "Each suit has its own colour.",
        lambda settings: settings.four_colour,
        lambda settings, on: replace(settings, four_colour=on),
    ),
    SettingChoices(
        "card_style",
        "Card edges",
        {**BY_TERMINAL, "soft": "soft", "boxed": "boxed"},
        "Soft needs full colour and Unicode; boxed has lines.",
        lambda settings: settings.card_style,
        lambda settings, style: replace(settings, card_style=style),
    ),
    SettingChoices(
        "animation",
        "Animation",
        ON_OFF,
        "Cards are dealt one by one; any key finishes a deal.",
        lambda settings: settings.animation,
        lambda settings, on: replace(settings, animation=on),
    ),
    SettingChoices(
        "pace",
        "Pace",
        {pace: pace for pace in PACES},
        "How fast the dealer and opponents act; any key speeds them up.",
        lambda settings: settings.pace,
        lambda settings, pace: replace(settings, pace=pace),
    ),
    SettingChoices(
        "warn",
        "Warnings",
        {"always": "always", "costly": "from 1% of the bet", "never": "never"},
        "From which cost the trainer asks once before a choice.",
        lambda settings: settings.warn,
        lambda settings, warn: replace(settings, warn=warn),
    ),
    SettingChoices(
        "screen_reader",
        "Screen reader",
        ON_OFF,
        "From the next start, play as lines of text.",
        lambda settings: settings.screen_reader,
        lambda settings, on: replace(settings, screen_reader=on),
    ),
    SettingChoices(
        "verbosity",
        "Verbosity",
        {level: level for level in VERBOSITIES},
        "How much screen-reader mode says.",
        lambda settings: settings.verbosity,
        lambda settings, level: replace(settings, verbosity=level),
    ),
    SettingChoices(
        "reminder",
        "Reminder",
        _minutes(15, 30, 60),
        "Shows regularly how long you have been here.",
        lambda settings: settings.reminder,
        lambda settings, minutes: replace(settings, reminder=minutes),
        "minutes",
    ),
    SettingChoices(
        "time_limit",
        "Time limit",
        _minutes(30, 60, 120, 240),
        "Money play per day; at the limit, no new round begins.",
        lambda settings: settings.time_limit,
        lambda settings, minutes: replace(settings, time_limit=minutes, limits_unknown=False),
        "minutes",
    ),
    SettingChoices(
        "loss_limit",
        "Loss limit",
        {0: "off"} | {amount: f"{amount:,} dollars" for amount in (50, 100, 200, 500, 1000)},
        "Loss per day; at the limit, no new round begins.",
        lambda settings: settings.loss_limit,
        lambda settings, loss: replace(settings, loss_limit=loss, limits_unknown=False),
        "dollars",
    ),
    SettingChoices(
        "buy_in",
        "Buy-in",
        {0: "whole balance"} | {amount: f"{amount:,} dollars" for amount in (100, 200, 400, 1000)},
        "The amount you take to a table; an open hand locks only that.",
        lambda settings: settings.buy_in,
        lambda settings, amount: replace(settings, buy_in=amount),
        "dollars",
    ),
    SettingChoices(
        "repay_debt",
        "Repay debt",
        {False: "by key", True: "from winnings"},
        "How you repay the house: in the menu, or at each cash-out.",
        lambda settings: settings.repay_debt,
        lambda settings, on: replace(settings, repay_debt=on),
    ),
    SettingChoices(
        "daily",
        "Daily",
        ON_OFF,
        "The menu offers the daily deal, with the key d.",
        lambda settings: settings.daily,
        lambda settings, on: replace(settings, daily=on),
    ),
    SettingChoices(
        "goals",
        "Goals",
        ON_OFF,
        "A goal for a session, chosen in the menu with the key g.",
        lambda settings: settings.goals,
        lambda settings, on: replace(settings, goals=on),
    ),
)
