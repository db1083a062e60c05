"""What the player at a view wants: values that the view hands to the screen around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from textual.screen import Screen

from ...engine.game import A
from ...gamekit.seating import AnySeating
from ..widgets.hints import Said


@dataclass(frozen=True, slots=True)
class Acts(Generic[A]):
    """The player does something, or some things in a row until one is refused."""

    actions: tuple[A, ...]


@dataclass(frozen=True, slots=True)
class Types:
    """The player says a line, as if it had been typed."""

    line: str


@dataclass(frozen=True, slots=True)
class SitsDown:
    """The player wants to sit down anew, in another way than now."""

    change: Callable[[AnySeating], AnySeating]


@dataclass(frozen=True, slots=True)
class Opens:
    """The player wants to see a page of text, or a window of the game's own."""

    window: Screen[Any]


@dataclass(frozen=True, slots=True)
class Changes:
    """The player has changed something of the view's own: marks, or the trainer."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The player has read what the view held before him, and wants to see what comes after it."""


@dataclass(frozen=True, slots=True)
class Refuses:
    """The view says why something cannot be done: the word or key, why, and what would be right."""

    word: str
    why: str
    right: str = ""


@dataclass(frozen=True, slots=True)
class Tells:
    """The view says something that was done well, or what it cost, in place of the hints."""

    said: Said


Wish: TypeAlias = Acts[A] | Types | SitsDown | Opens | Changes | Turns | Refuses | Tells
