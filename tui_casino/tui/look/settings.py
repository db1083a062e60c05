"""A player's settings, in a TOML file of the platform's configuration folder.

Whatever is not in the file is as usual::

    theme = "midnight"      # felt, felt-256, midnight, sixteen, none; else by the terminal
    four_colour = true      # diamonds blue and clubs green
    card_style = "boxed"    # or "soft"; else by the terminal
    animation = false       # cards that are dealt one by one
    name = "Ann"

    [keys]                  # what keys do has names; each can have several keys
    game.help = "f1, h"
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...inputs.toml import read_toml, show
from .palette import PALETTES

if TYPE_CHECKING:
    from textual.binding import Binding

CARD_STYLES = ("soft", "boxed")
LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class Settings:
    """What a player has chosen; ``None`` leaves it to the terminal.

    ``keys`` gives bindings, by their id, other keys than their own, as ``App.set_keymap`` wants
    them: ``"f1,question_mark"``.
    """

    theme: str | None = None
    four_colour: bool = False
    card_style: str | None = None
    animation: bool = True
    name: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be. Raises :class:`BadSetting`."""
        _one_of("theme", self.theme, tuple(PALETTES))
        _one_of("card_style", self.card_style, CARD_STYLES)
        for key in ("four_colour", "animation"):
            if not isinstance(value := getattr(self, key), bool):
                raise BadSetting(f"{key} is {show(value)}; it is true or false", key)
        if not _is_line(self.name) or len(self.name) > LONGEST_NAME:
            why = f"one line of plain text, up to {LONGEST_NAME} letters"
            raise BadSetting(f"name is {show(self.name)}; it is {why}", "name")
        if not isinstance(self.keys, Mapping):
            raise BadSetting(
                f'keys is {show(self.keys)}; it has lines like game.help = "f1"', "keys"
            )
        for name, keys in self.keys.items():
            if not _is_line(keys) or not all(key.strip() for key in keys.split(",")):
                why = f'{show(name)} is {show(keys)}; it has keys with commas between: "f1, h"'
                raise BadSetting(why, "keys", name)


class BadSetting(BadInput):
    """A value is none that its setting can have; ``keys`` lead to it through the file."""

    def __init__(self, why: str, *keys: str) -> None:
        self.keys = keys
        super().__init__(why)


def load(path: Path) -> Settings:
    """Read the settings; where there is no file, they are as usual.

    Raises :class:`BadFile` with the line, as far as it is known, of what is wrong.
    """
    if not os.path.lexists(path):
        return Settings()
    file = read_toml(path, "a settings file", [setting.name for setting in fields(Settings)])
    if isinstance(keys := file.values.get("keys"), dict):
        file.values["keys"] = _flat(keys)
    try:
        return Settings(**file.values)
    except BadSetting as error:
        *table, key = error.keys
        line = file.line_of(*error.keys) or file.line_of(*table, *key.split("."))
        raise BadFile(path, str(error), line) from None


def save(path: Path, settings: Settings) -> None:
    """Write what is not as usual, all of it or nothing; of two who write, the last is read.

    Raises :class:`BadInput` if it cannot be written; the settings then hold for this run.
    """
    import tomli_w  # late: most runs change nothing

    usual = Settings()
    chosen = {
        setting.name: value
        for setting in fields(Settings)
        if (value := getattr(settings, setting.name)) != getattr(usual, setting.name)
    }
    try:
        _replace(Path(os.path.realpath(path)), tomli_w.dumps(chosen))
    except OSError as error:
        why = f"cannot be written: {error.strerror}; the settings hold for this run only"
        raise BadFile(path, why) from None


def _replace(path: Path, text: str) -> None:
    """Write a file in one go: whoever reads it sees the old one whole or the new one whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def clashes(keymap: Mapping[str, str], bindings: Iterable[Binding]) -> list[str]:
    """Say what is wrong with a player's keys, for bindings that can all be used at one time.

    That is a key that several of them now have, of which Textual quietly takes all but one away;
    and a key that not every terminal sends.
    """
    from textual.binding import Binding  # late: settings are read before Textual is imported

    holders: dict[str, dict[str, Binding]] = {}
    problems = []
    for binding in bindings:
        keys = keymap.get(binding.id or "", binding.key)
        for held in Binding.make_bindings([binding.with_key(keys)]):
            holders.setdefault(held.key, {})[_call(held)] = held
            if held.id in keymap and not _survives(held.key):
                why = _FRAGILE.get(held.key, "not every terminal sends it, or it is no key's name")
                problems.append(f"{held.key} for {_call(held)}: {why}")
    for key, sharing in holders.items():
        if len(sharing) > 1 and any(held.id in keymap for held in sharing.values()):
            problems.append(f"{key} is the key of {' and of '.join(sharing)}; only one can have it")
    return problems


def unknown_ids(keymap: Mapping[str, str], bindings: Iterable[Binding]) -> list[str]:
    """Say which names in a player's keys none of all the program's bindings has."""
    known = {binding.id for binding in bindings if binding.id}
    names = ", ".join(sorted(known))
    strangers = sorted(keymap.keys() - known)
    return [f"nothing is called {name!r}; there are {names}" for name in strangers]


_SURVIVORS = {"space", "enter", "escape", "up", "down", "left", "right", "tab", "backspace"}
_SURVIVORS |= {"home", "end", "pageup", "pagedown", "insert", "delete", "ctrl+q", "ctrl+p"}
_SURVIVORS |= {f"f{number}" for number in range(1, 13)}
_FRAGILE = {
    "ctrl+a": "GNU screen keeps it for itself",
    "ctrl+b": "tmux keeps it for itself",
    "ctrl+c": "it interrupts programs",
    "ctrl+h": "many terminals send it as backspace",
    "ctrl+i": "terminals send it as tab",
    "ctrl+j": "many terminals send it as enter",
    "ctrl+m": "terminals send it as enter",
    "ctrl+enter": "many terminals send it as enter",
    "shift+enter": "many terminals send it as enter",
    "ctrl+s": "it can stop the terminal",
    "ctrl+z": "it suspends programs",
}


def _survives(key: str) -> bool:
    """Tell if every terminal sends a key, and nothing on the way keeps it."""
    from textual.keys import key_to_character

    character = key_to_character(key)
    return key in _SURVIVORS or (character is not None and "!" <= character <= "~")


def _call(binding: Binding) -> str:
    """Give what a player calls a binding: what it says, and how the settings name it."""
    words = binding.description or binding.action
    return f"{words} ({binding.id})" if binding.id else words


def _flat(keys: dict[str, Any]) -> dict[str, Any]:
    """Join a binding's id again: TOML reads ``game.help`` as a table ``game`` with ``help``."""
    flat: dict[str, Any] = {}
    for name, value in keys.items():
        parts = value if isinstance(value, dict) else {}
        flat |= {f"{name}.{part}": keys for part, keys in parts.items()} or {name: value}
    return flat


def _one_of(key: str, value: object, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        choices = ", ".join(known)
        raise BadSetting(f"{key} is {show(value)}; it is one of {choices}", key)


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()
