"""Requests that a view makes of its screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct
from textual.screen import Screen

from ...engine.game import A
from ...gamekit.table_setup import AnyTableSetup
from ..widgets.hint_line import HintMessage


class DoActions(Struct, Generic[A], frozen=True):
    """Carry out actions one after the other, until one is refused."""

    actions: tuple[A, ...]


class EnterLine(Struct, frozen=True):
    """Carry out a line as if the player had typed it."""

    line: str


class SitDown(Struct, frozen=True):
    """Leave, and sit down again with a different seating."""

    change: Callable[[AnyTableSetup], AnyTableSetup]


class OpenWindow(Struct, frozen=True):
    """Open a page of text, or a window of the game."""

    window: Screen[Any]


class ViewChanged(Struct, frozen=True):
    """The player changed something else in the view, such as the trainer setting."""


class SelectionChanged(Struct, frozen=True):
    """The player marked or unmarked a value of the offer; the view has already drawn this."""


class TurnPage(Struct, frozen=True):
    """Show the next page of the view."""


class MotionEnded(Struct, frozen=True):
    """The animation of a showdown or a win has ended."""


class ShowRefusal(Struct, frozen=True):
    """Show why something is refused: the word or key, the reason, and what would be accepted."""

    word: str
    reason: str
    hint: str = ""


class ShowMessage(Struct, frozen=True):
    """Show a message of the view instead of the hints."""

    message: HintMessage


class EvaluateChoices(Struct, frozen=True):
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
