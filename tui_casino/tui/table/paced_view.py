"""The moments of a table that take time on the screen: cards to watch, showdowns and wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from msgspec import Struct
from textual.timer import Timer
from textual.widget import Widget

from ...structs import replace
from ..draw.card_art import CardState
from ..widgets.line_widget import BlankWidget

COUNTED, GOLDEN, ROYAL = 4, 10, 250
"""The smallest multiples of the bet for a win that counts up, for gold cards, and for gold felt.

No hand but a royal flush pays 250 times the bet or more."""
CARDS = 5
"""The number of steps in which a large win counts up, while its cards turn gold."""
STEP, CARD_STEP, FELT_TIME = 0.1, 0.2, 1.0
"""Seconds for a step of a counted win, for a gold card, and for the gold felt."""


class WinStage(Struct, frozen=True):
    """A frame of a win that pays ``multiple`` times the bet; smaller wins have only one frame.

    A win of 4 to 9 times the bet counts up bet by bet, and its cards have a gold frame. From 10
    times on, the cards turn gold one by one, and the message has three stars on each side. For a
    royal flush, the whole felt is gold at the end.
    """

    multiple: int = 0
    frame: int = 0

    @property
    def steps(self) -> int:
        """The number of frames in which the win counts up."""
        if self.multiple < COUNTED:
            return 1
        return self.multiple if self.multiple < GOLDEN else CARDS

    @property
    def rests(self) -> tuple[float, ...]:
        """The seconds after each frame but the last."""
        if self.multiple < GOLDEN:
            return (STEP,) * (self.steps - 1)
        rests = (CARD_STEP,) * (self.steps - 1)
        return (*rests, CARD_STEP, FELT_TIME) if self.multiple >= ROYAL else rests

    @property
    def kind(self) -> str:
        return "great win" if self.multiple >= GOLDEN else "win"

    @property
    def has_gold_felt(self) -> bool:
        return self.multiple >= ROYAL and self.frame == self.steps

    def counted(self, amount: int) -> int:
        """Return the part of an amount that has been counted."""
        return amount * min(self.frame + 1, self.steps) // self.steps

    def card_state(self, place: int) -> CardState:
        """Return how to draw the winning card at this place, counted from 0."""
        if self.multiple < COUNTED:
            return CardState.WINNING
        gold = self.multiple >= GOLDEN and place <= self.frame
        return CardState.GOLD if gold else CardState.GOLD_FRAME


class TimedFrames:
    """Counts frames, beginning with 0; ``draw`` is called for each frame after the first."""

    def __init__(self, widget: Widget, draw: Callable[[], None]) -> None:
        self._widget, self._draw = widget, draw
        self._rests: tuple[float, ...] = ()
        self._timer: Timer | None = None
        self.frame = 0

    @property
    def is_running(self) -> bool:
        """Whether another frame will follow."""
        return self._timer is not None

    def start(self, rests: Iterable[float]) -> None:
        """Start with frame 0, and show the next frame after each of these rests in seconds."""
        self._stop()
        self.frame, self._rests = 0, tuple(rests)
        self._rest()

    def finish(self) -> bool:
        """Show the last frame immediately; return false if it is already shown."""
        if self._timer is None:
            return False
        self._stop()
        self.frame = len(self._rests)
        self._draw()
        return True

    def _rest(self) -> None:
        if self.frame < len(self._rests):
            self._timer = self._widget.set_timer(self._rests[self.frame], self._next)

    def _next(self) -> None:
        self._timer = None
        self.frame += 1
        self._rest()
        self._draw()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None


class PacedView(BlankWidget):
    """A widget that shows some moments step by step; any key shows the last step.

    ``tempo`` is the factor for all waiting times; it is 0 without motion, in replays and in
    practice. ``celebrates`` is true while the felt is gold for a moment of the game.
    """

    lingers: ClassVar[bool] = False
    """Whether the player's prompt replaces the message about the last action of another player.

    The message then stays for a moment before the player's turn."""

    def __init__(self) -> None:
        super().__init__()
        self.tempo = 0.0
        self.frames = TimedFrames(self, self._show_frame)
        self._win = WinStage()
        self._reveals = 0
        self.celebrates = False

    @property
    def animates(self) -> bool:
        return self.tempo > 0

    def watches_next_card(self, state: Any) -> bool:
        """Return whether the next card is dealt slowly, because the player waits to see it."""
        return False

    def reveal_rests(self) -> tuple[float, ...]:
        """Return the seconds after each step in which the end of the round is revealed."""
        return ()

    def show_moment(self) -> None:
        """Draw the present frame of a showdown or a win."""

    def motion_ended(self) -> None:
        """Handle the end of a motion."""

    @property
    def is_revealing(self) -> bool:
        """Whether the end of the round is not completely shown yet."""
        return self.frames.is_running and self.frames.frame < self._reveals

    @property
    def win(self) -> WinStage:
        """The present frame of the last round's win."""
        return replace(self._win, frame=max(0, self.frames.frame - self._reveals))

    def stage_round(self, wagered: int, won: int) -> None:
        """Begin to show the end of a round, in which ``won`` was paid for the bets."""
        reveals = self.reveal_rests() if self.animates else ()
        self._win = WinStage(won // wagered if wagered and self.animates else 0)
        self._reveals = len(reveals)
        self.frames.start(self.tempo * rest for rest in (*reveals, *self._win.rests))

    def celebrate(self) -> None:
        """Make the felt gold for a moment, as after a royal flush."""
        if self.animates:
            self.celebrates = True
            self.frames.start((self.tempo * FELT_TIME,))
            self.set_class(True, "-gold")

    def finish_motion(self) -> bool:
        """End all motion; return true if it revealed something, so that the key does no more."""
        revealed = self.is_revealing
        self.frames.finish()
        return revealed

    def _show_frame(self) -> None:
        self.celebrates = self.celebrates and self.frames.is_running
        is_gold = self.frames.is_running and (self.celebrates or self.win.has_gold_felt)
        self.set_class(is_gold, "-gold")
        self.show_moment()
        if not self.frames.is_running:
            self.motion_ended()
