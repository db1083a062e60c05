"""A player's settings: a TOML file in the platform's configuration folder.

Each setting that is not in the file has its default::

    theme = "midnight"      # felt, felt-256, midnight, sixteen or none; default: automatic
    four_colour = true      # diamonds blue and clubs green
    card_style = "boxed"    # or "soft"; default: automatic
    animation = false       # true: cards are dealt one by one
    pace = "quick"          # or "usual", "slow": how fast the dealer and the opponents are
    warn = "always"         # or "costly", "never": when the trainer warns before a choice
    name = "Ann"
    players = "Ann, Bob"    # two players at one keyboard
    screen_reader = true    # lines of text instead of a screen
    verbosity = "full"      # or "short", "usual": how much screen-reader mode says
    buy_in = 500            # credits that you take to a table; 0: your whole balance
    repay_debt = true       # at the cash-out, winnings repay the debt
    reminder = 30           # minutes between reminders of the time played
    time_limit = 120        # minutes of money play per day
    loss_limit = 200        # credits per day
    daily = false           # the menu does not offer the daily deal
    goals = false           # the menu does not offer goals for a session

    [keys]                  # keys by the id of an action; an action can have several keys
    game.step_back = "u, z"
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct, field

from ..gamekit.lazy_import import LazyModule
from ..inputs.errors import BadInput
from ..inputs.files import (
    MOST_BYTES,
    BadFile,
    TomlFile,
    parse_toml,
    read_text,
    short_repr,
    write_atomically,
)
from ..structs import replace
from .limits import PlayerLimits

if TYPE_CHECKING:
    import tomlkit  # most runs change no setting
    from tomlkit import TOMLDocument
else:
    tomlkit = LazyModule("tomlkit")

THEMES = {
    "felt": "Felt",
    "felt-256": "Felt in 256 colours",
    "midnight": "Midnight, with dark cards",
    "sixteen": "The terminal's 16 colours",
    "none": "No colour",
}
"""Maps the names of the themes to their titles."""
CARD_STYLES = ("soft", "boxed")
VERBOSITIES = ("short", "usual", "full")
PACES = {"quick": 0.5, "usual": 1.0, "slow": 2.0}
"""The factor for all waiting times at a table, for each pace."""
WARNINGS = {"always": Fraction(0), "costly": Fraction(1, 100), "never": None}
"""For each value of ``warn``, the lowest cost, as a share of the stake, that is warned of."""
LONGEST_NAME = 24
MOST_MINUTES, MOST_LOSS = 24 * 60, 1_000_000
"""The highest reminder and time limit in minutes; the highest loss limit and buy-in in credits."""
ONLY_NOW = "the settings apply to this visit only"
"""The beginning of a message; a reason, which may be long, follows it."""


class Settings(Struct, frozen=True):
    """A player's settings; ``None`` means that the terminal decides.

    ``players`` are the names of two players at one keyboard, separated by a comma.
    ``screen_reader`` starts screen-reader mode, and ``verbosity`` is how much it says. With
    ``repay_debt``, winnings repay the debt at the cash-out. ``buy_in`` is the most that the player
    takes to a table, in credits; 0 is the whole balance. ``reminder`` and ``time_limit`` are in
    minutes, ``loss_limit`` is in credits; 0 switches them off. With ``daily``, the menu offers the
    daily deal; with ``goals``, it offers goals for a session. ``keys`` maps binding ids to keys, in
    the format of ``App.set_keymap``: ``"f1,question_mark"``.

    ``limits_unknown`` is not in the file: it is true if an invalid file may set a limit, until the
    player sets one.
    """

    theme: str | None = None
    four_colour: bool = False
    card_style: str | None = None
    animation: bool = True
    pace: str = "usual"
    warn: str = "costly"
    name: str = ""
    players: str = ""
    screen_reader: bool = False
    verbosity: str = "usual"
    buy_in: int = 400
    repay_debt: bool = False
    reminder: int = 0
    time_limit: int = 0
    loss_limit: int = 0
    daily: bool = True
    goals: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    limits_unknown: bool = False

    def __post_init__(self) -> None:
        """Check all values. Raises :class:`BadSetting`."""
        _one_of("theme", self.theme, tuple(THEMES))
        _one_of("card_style", self.card_style, CARD_STYLES)
        _one_of("verbosity", self.verbosity, VERBOSITIES)
        _one_of("pace", self.pace, tuple(PACES))
        _one_of("warn", self.warn, tuple(WARNINGS))
        for key in ("four_colour", "animation", "screen_reader", "repay_debt", "daily", "goals"):
            if not isinstance(value := getattr(self, key), bool):
                raise BadSetting(f"{key} is {short_repr(value)}; it must be true or false", key)
        for key, maximum, unit in (
            ("reminder", MOST_MINUTES, "minutes"),
            ("time_limit", MOST_MINUTES, "minutes"),
            ("loss_limit", MOST_LOSS, "credits"),
            ("buy_in", MOST_LOSS, "credits"),
        ):
            value = getattr(self, key)
            if type(value) is not int or not 0 <= value <= maximum:
                none = "your whole balance" if key == "buy_in" else "off"
                message = f"it must be a whole number of {unit} from 0 ({none}) to {maximum}"
                raise BadSetting(f"{key} is {short_repr(value)}; {message}", key)
        if not _is_line(self.name) or len(self.name) > LONGEST_NAME:
            message = f"one line of plain text with up to {LONGEST_NAME} characters"
            raise BadSetting(f"name is {short_repr(self.name)}; it must be {message}", "name")
        if not _is_line(self.players) or (self.players and not self.seat_names):
            message = f'two different names of up to {LONGEST_NAME} letters, such as "Ann, Bob"'
            raise BadSetting(
                f"players is {short_repr(self.players)}; it must be {message}", "players"
            )
        if not isinstance(self.keys, Mapping):
            raise BadSetting(
                f'keys is {short_repr(self.keys)}; it must have lines such as game.help = "f1"',
                "keys",
            )
        for name, keys in self.keys.items():
            if not _is_line(keys) or not all(key.strip() for key in keys.split(",")):
                value = f"{short_repr(name)} is {short_repr(keys)}"
                raise BadSetting(
                    f'{value}; it must be keys separated by commas, such as "f1, h"', "keys", name
                )

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of two players at one keyboard, or nothing if they are unknown or invalid."""
        return split_names(self.players)

    @property
    def buy_in_cents(self) -> int | None:
        """The most that the player takes to a table, in cents; ``None`` for the whole balance."""
        return 100 * self.buy_in or None

    @property
    def tempo(self) -> float:
        """The factor for all waiting times at a table; it is 0 if animation is off."""
        return PACES[self.pace] if self.animation else 0.0

    @property
    def limits(self) -> PlayerLimits:
        """The limits that the player has set."""
        loss = 100 * self.loss_limit
        return PlayerLimits(self.reminder, self.time_limit, loss, self.limits_unknown)


NAMES = tuple(name for name in Settings.__struct_fields__ if name != "limits_unknown")


def split_names(text: str) -> tuple[str, ...]:
    """Return two different names separated by a comma, or an empty tuple for any other text."""
    names = tuple(name.strip() for name in text.split(","))
    fit = all(0 < len(name) <= LONGEST_NAME and name.isprintable() for name in names)
    return names if fit and len({*names}) == len(names) == 2 else ()


class BadSetting(BadInput):
    """An invalid value of a setting; ``keys`` are the names that lead to it in the file."""

    def __init__(self, reason: str, *keys: str) -> None:
        self.keys = keys
        super().__init__(reason)


def load(path: Path) -> Settings:
    """Read the settings; if there is no file, all settings have their defaults.

    Raises :class:`BadFile` with the line of the error, if it is known.
    """
    return _understood(path, _text(path))


def fallback_settings(path: Path) -> Settings:
    """Return the defaults, for a file that :func:`load` refuses; its limits may be unknown."""
    try:
        text = _text(path)
    except BadFile:
        return Settings(limits_unknown=True)
    return Settings(limits_unknown=any(key in text for key in LIMITS))


def invalid_settings_warning(path: Path) -> str | None:
    """Return a warning about unknown settings in the file, which are ignored and kept.

    Raises :class:`BadFile` for a file that cannot be read.
    """
    error = _toml(path, _text(path)).unknown(NAMES)
    return str(error) if error else None


def _text(path: Path) -> str:
    """Return the text of the file, or "" if there is no file. Raises :class:`BadFile`."""
    return read_text(path, MOST_BYTES) if os.path.lexists(path) else ""


def _understood(path: Path, text: str) -> Settings:
    """Parse the settings in the text of a file. Raises :class:`BadFile`."""
    file = _toml(path, text)
    if isinstance(keys := file.values.get("keys"), dict):
        file.values["keys"] = _flat(keys)
    try:
        return Settings(**{name: file.values[name] for name in NAMES if name in file.values})
    except BadSetting as error:
        *table, key = error.keys
        line = file.line_of(*error.keys) or file.line_of(*table, *key.split("."))
        raise BadFile(path, str(error), line) from None


def _toml(path: Path, text: str) -> TomlFile:
    return parse_toml(path, text, "a settings file")


def save(path: Path, settings: Settings, before: Settings | None = None) -> None:
    """Write the settings that changed since ``before``, or all of them; keep the rest of the file.

    The file is written completely or not at all; if two programs write, the last one wins. An
    invalid file is not changed, because the player's text in it matters more than the change.
    Raises :class:`BadInput` if the file is not written; the settings then apply to this visit only.
    """
    try:
        text = _text(path)
        _understood(path, text)
        edited = _edited(path, text, settings, before)
        _understood(path, edited)
    except BadFile as error:
        raise BadInput(f"{ONLY_NOW}: {error}; the file is not changed") from None
    try:
        file = Path(os.path.realpath(path))  # a symbolic link stays a link
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, edited.encode(), durable=True)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}"
        raise BadInput(f"{ONLY_NOW}: {message}") from None


def _edited(path: Path, text: str, settings: Settings, before: Settings | None) -> str:
    """Return the file's text with these settings; a default is written only if its key exists.

    ``None`` cannot be written: its line is removed. Raises :class:`BadFile`.
    """
    try:
        document, usual = tomlkit.parse(text), Settings()
    except (ValueError, RecursionError) as error:  # tomlkit may refuse a file that tomllib reads
        raise BadFile(path, f"cannot be changed: {error}") from None
    for name in NAMES:
        value = getattr(settings, name)
        if name == "keys" or (before is not None and getattr(before, name) == value):
            continue
        if value is None:
            document.pop(name, None)
        elif name in document:
            if document[name] != value:
                document[name] = value
        elif value != getattr(usual, name):
            document[name] = value
    if before is None or before.keys != settings.keys:
        _edit_keys(document, settings.keys, None if before is None else before.keys)
    return tomlkit.dumps(document)


def _edit_keys(
    document: TOMLDocument, keys: Mapping[str, str], before: Mapping[str, str] | None
) -> None:
    """Write the keys that have changed into the file's table of keys, at the place of each key."""
    if "keys" not in document:
        if not keys:
            return
        document["keys"] = tomlkit.table()
    table: Any = document["keys"]
    written = _flat(table.unwrap())
    before = written if before is None else before
    for name in sorted(before.keys() | keys.keys()):
        if before.get(name) == keys.get(name):
            continue
        holder, key = table, name
        if name in written and name not in table:  # the key has a table of its own
            first, _, key = name.partition(".")
            holder = table[first]
        if name in keys:
            holder[key] = keys[name]
        else:
            holder.pop(key, None)


def _flat(keys: dict[str, Any]) -> dict[str, Any]:
    """Undo TOML's nesting of ids: it reads ``game.help`` as ``help`` in a table ``game``."""
    flat: dict[str, Any] = {}
    for name, value in keys.items():
        parts = value if isinstance(value, dict) else {}
        flat |= {f"{name}.{part}": keys for part, keys in parts.items()} or {name: value}
    return flat


def _one_of(key: str, value: object, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        choices = ", ".join(known)
        raise BadSetting(f"{key} is {short_repr(value)}; it must be one of {choices}", key)


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


LIMITS = "time_limit", "loss_limit"
"""The settings without which no round for money begins, if the file cannot be read."""
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
        if settings.limits_unknown and self.key in LIMITS:
            return "unknown"
        return self.say(self.value(settings))

    def say(self, value: V) -> str:
        """Return the words of a value, which may be one that only the settings file can set."""
        unit = self.unit.removesuffix("s") if value == 1 else self.unit
        return self.words.get(value, f"{value} {unit}".strip())


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
        {0: "off"} | {amount: f"{amount:,} credits" for amount in (50, 100, 200, 500, 1000)},
        "Loss per day; at the limit, no new round begins.",
        lambda settings: settings.loss_limit,
        lambda settings, loss: replace(settings, loss_limit=loss, limits_unknown=False),
        "credits",
    ),
    SettingChoices(
        "buy_in",
        "Buy-in",
        {0: "whole balance"} | {amount: f"{amount:,} credits" for amount in (100, 200, 400, 1000)},
        "The amount you take to a table; an open hand locks only that.",
        lambda settings: settings.buy_in,
        lambda settings, amount: replace(settings, buy_in=amount),
        "credits",
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
