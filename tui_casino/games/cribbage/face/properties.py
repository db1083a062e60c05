"""The trainer's properties file: Java style, ``#`` comments and ``key=value``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike
from typing import Any

from msgspec import Struct

from ....inputs.files import BadFile, read_text
from ....inputs.numbers import either, is_integer, parse_integer
from ....records.log_header import HUMAN
from ..brains.players import PLAYERS
from ..machine.rules import RULE_SETS

PROPERTIES_NAME = "cribbage.properties"
LEAST_SEED, MOST_SEED = -(2**31), 2**31 - 1
"""The range of Java's ``int``."""


def class_of(player: str) -> str:
    """Return a player's class name in the original program; the player is named as in logs."""
    return f"cribbage.{player.capitalize()}Player"


PLAYER_NAMES = {class_of(player): player for player in (HUMAN, *PLAYERS)}
"""The players by their class names in the original program."""
_BOOLEANS = {"true": True, "false": False}


class Properties(Struct, frozen=True):
    """The values of a properties file; a missing value is ``None``.

    ``players`` are named as in session logs, by seat. ``animate`` switches the animation on the
    screen.
    """

    seed: int | None = None
    animate: bool | None = None
    players: tuple[str | None, str | None] = (None, None)
    rules: str | None = None


def read_properties(path: PathLike[str]) -> Properties:
    """Read a properties file; if a key is repeated, the last value counts, as in Java.

    Raises :class:`BadFile` with line and column for a line that is not ``key=value``, an unknown
    key, or an invalid value.
    """
    values: dict[str, Any] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.lstrip()[0] in "#!":
            continue
        match = re.fullmatch(r"\s*([^\s=:]+)\s*[=:]\s*(.*?)\s*", line)
        if match is None:
            column = len(line) - len(line.lstrip()) + 1
            raise BadFile(path, f"{line.strip()!r} is not key=value", number, column)
        key, value = match.groups()
        try:
            values[key] = _value(key, value)
        except KeyError:
            reason = f"unknown key {key!r}; known keys: {', '.join(_KEYS)}"
            raise BadFile(path, reason, number, match.start(1) + 1) from None
        except ValueError as error:
            raise BadFile(path, f"{key}: {error}", number, match.start(2) + 1) from None
    return Properties(
        values.get("Seed"),
        values.get("Animate"),
        (values.get("Player0"), values.get("Player1")),
        values.get("Rules"),
    )


def _seed(text: str) -> int:
    if not is_integer(text) or not LEAST_SEED <= parse_integer(text) <= MOST_SEED:
        raise ValueError(
            f"{text!r} is not a seed; give a whole number from {LEAST_SEED} to {MOST_SEED}"
        )
    return parse_integer(text)


def _one_of(text: str, allowed: Mapping[str, object]) -> str:
    if text not in allowed:
        raise ValueError(f"{text!r} is not known; give one of {either(allowed)}")
    return text


_KEYS = ("Seed", "Animate", "Player0", "Player1", "Rules")


def _value(key: str, text: str) -> object:
    match key:
        case "Seed":
            return _seed(text)
        case "Animate":
            return _BOOLEANS[_one_of(text, _BOOLEANS)]
        case "Player0" | "Player1":
            return PLAYER_NAMES[_one_of(text, PLAYER_NAMES)]
        case "Rules":
            return _one_of(text, RULE_SETS)
    raise KeyError(key)
