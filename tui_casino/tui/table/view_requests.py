"""Requests that a view makes of its screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, runtime_checkable

from textual.screen import Screen

from ...engine.game import A
from ...gamekit.table_setup import AnyTableSetup
from ..widgets.hint_strips import HintMessage


@dataclass(frozen=True, slots=True)
class DoActions(Generic[A]):
    """Carry out actions one after the other, until one is refused."""

    actions: tuple[A, ...]


@dataclass(frozen=True, slots=True)
class EnterLine:
    """Carry out a line as if the player had typed it."""

    line: str


@dataclass(frozen=True, slots=True)
class SitDown:
    """Leave, and sit down again with a different seating."""

    change: Callable[[AnyTableSetup], AnyTableSetup]


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """Open a page of text, or a window of the game."""

    window: Screen[Any]


@dataclass(frozen=True, slots=True)
class ViewChanged:
    """The player changed something else in the view, such as the trainer setting."""


@dataclass(frozen=True, slots=True)
class SelectionChanged:
    """The player marked or unmarked a value of the offer; the view has already drawn this."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Show the next page of the view."""


@dataclass(frozen=True, slots=True)
class MotionEnded:
    """The animation of a showdown or a win has ended."""


@dataclass(frozen=True, slots=True)
class ShowRefusal:
    """Show why something is refused: the word or key, the reason, and what would be accepted."""

    word: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ShowMessage:
    """Show a message of the view instead of the hints."""

    message: HintMessage


@dataclass(frozen=True, slots=True)
class EvaluateChoices:
    """Evaluate the choices that were postponed while the trainer was off."""


ViewRequest: TypeAlias = (
    DoActions[A]
    | EnterLine
    | SitDown
    | OpenWindow
    | ViewChanged
    | SelectionChanged
    | TurnPage
    | MotionEnded
    | ShowRefusal
    | ShowMessage
    | EvaluateChoices
)


@runtime_checkable
class ViewScreen(Protocol):
    """A screen that handles the requests of its view; other screens ignore them.

    The view calls :meth:`handle` directly. A message would wait in the screen's queue, and keys
    that were pressed after it would be handled first.
    """

    def handle(self, request: Any, /) -> None:
        """Carry out the request."""
