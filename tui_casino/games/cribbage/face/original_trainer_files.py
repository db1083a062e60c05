"""The files of the original trainer: its properties, and its log of events.

XX
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from msgspec import Struct

from ....engine.chance import ChanceSource, SourceSpec
from ....gamekit.table_catalog import EventListener
from ....inputs.files import BadFile, UserPath, open_regular, os_error_reason, read_text
from ....inputs.numbers import is_integer, list_words, parse_integer
from ....records.log_header import HUMAN
from ..brains.players import PLAYERS
from ..machine import state as m
from ..machine.rules import RULE_SETS
from ..machine.scoring import bracketed

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
        raise ValueError(f"{text!r} is not known; give one of {list_words(allowed, 'or')}")
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


LOG_NAME = "cribbage.log"


def head_lines(origin: SourceSpec, players: Sequence[str]) -> tuple[str, ...]:
    """Return the lines before the deal: the seed, unless it is secret, and the players' classes.

    ``players`` are named as in session logs.
    """
    seed = () if origin.kind == "committed" else (f"seed,{origin.value}",)
    return (*seed, *(f"{class_of(name)},P{seat}" for seat, name in enumerate(players)))


def log_lines(event: m.Event) -> tuple[str, ...]:
    """Return the lines of an event, or an empty tuple if the event is not logged."""
    match event:
        case m.HandDealt(seat, hand):
            return (f"deal,P{seat},{bracketed(hand)}",)
        case m.Discarded(seat, cards, _):
            return (f"discard,P{seat},{bracketed(cards)}",)
        case m.StarterTurned(card):
            return (f"starter,{card}",)
        case m.Laid(seat, count, card):
            return (f"play,P{seat},{count},{card}",)
        case m.HandShown(seat, starter, hand, _):
            return (f"show,P{seat},{starter}+{bracketed(hand)}",)
        case m.Scored(seat, total, points, kind, cards, part):
            scored = f"score,P{seat},{total},{points},{kind}"
            return (scored if part is m.RoundPart.PLAY else f"{scored},{bracketed(cards)}",)
    return ()


class TrainerLogFile:
    """A log that is written line by line, so that it can be read during the round.

    :meth:`begin` or the first event replaces the file of an earlier run. Lines that could not be
    written are kept, and written with the next line. Raises
    :class:`~tui_casino.inputs.files.BadFile` if a line cannot be written.
    """

    def __init__(self, path: PathLike[str], head: Iterable[str]) -> None:
        self.path = path
        self._waiting, self._flags = [*head], os.O_CREAT | os.O_TRUNC

    def begin(self) -> None:
        """Create the file, or empty it; the head is written with the first event.

        A seed in the head reveals all cards, so the head waits until the deal may be known.
        """
        self._write(())

    def __call__(self, event: m.Event) -> None:
        """Write the line of an event."""
        if lines := log_lines(event):
            self._waiting += lines
            self._write(self._waiting)
            self._waiting = []

    def _write(self, lines: Iterable[str]) -> None:
        try:
            file = open_regular(self.path, os.O_WRONLY | self._flags, 0o666)
            with os.fdopen(file, "w", encoding="utf-8", newline="\n") as text:
                text.writelines(f"{line}\n" for line in lines)
        except OSError as error:
            reason = f"the log cannot be written: {os_error_reason(error)}"
            raise BadFile(self.path, reason) from None
        self._flags = os.O_CREAT | os.O_APPEND


def trainer_log(
    options: m.Options, players: Sequence[str], source: ChanceSource, cwd: Path | None
) -> EventListener | None:
    """Return the listener that writes the log of a trainer's round into the folder ``cwd``.

    Returns ``None`` for a game to 121, which has a log only with ``--log``.
    """
    if cwd is None or options.form is not m.GameForm.ROUND:
        return None
    return TrainerLogFile(UserPath(LOG_NAME, cwd), head_lines(source.spec, players))
