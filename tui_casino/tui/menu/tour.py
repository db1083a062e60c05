"""The tour for a first-time visitor: short steps, each next to the part of the menu it explains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.containers import VerticalScroll
from textual.content import Content
from textual.css.scalar import Scalar, ScalarOffset
from textual.geometry import Offset, Region
from textual.renderables.background_screen import BackgroundScreen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from ..window import PassingWindow
from .game_list import GameList

CLEAR = Color(0, 0, 0, 0)


class Spotlight:
    """A dimmed screen with a ``region`` that keeps its colours."""

    def __init__(self, dimmed: BackgroundScreen, region: Region) -> None:
        self._dimmed, self._region = dimmed, region

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lit = BackgroundScreen(self._dimmed.screen, CLEAR)
        rows = (self._rows(one, console, options) for one in (self._dimmed, lit))
        left, right = self._region.x, self._region.right
        for y, (dark, light) in enumerate(zip(*rows, strict=True)):
            row = dark
            if self._region.y <= y < self._region.bottom:
                width = dark.cell_length
                parts = dark.crop(0, left), light.crop(left, right), dark.crop(right, width)
                row = Strip.join(parts)
            yield from row
            yield Segment.line()

    @staticmethod
    def _rows(
        background: BackgroundScreen, console: Console, options: ConsoleOptions
    ) -> Iterable[Strip]:
        return (Strip(line) for line in console.render_lines(background, options, pad=False))


NOTHING = Region(0, 0, 0, 0)
WIDTH, LEFT = 60, 4
"""The columns of the window, if there is room, and of the space at its left."""


class TourStep(NamedTuple):
    """A step: its title and text, and selectors of widgets; it explains the first visible one.

    In the list of games, it explains only the first game.
    """

    title: str
    text: str
    subjects: tuple[str, ...]


STEPS = (
    TourStep(
        "What you can do",
        "This line shows each action that you can take now, with its key. Space does the "
        "action next to its name: Play, Deal, Call 20. Grey actions are not available yet; "
        "press the key of one to see why.",
        ("HintLine",),
    ),
    TourStep(
        "Where you can go",
        "This line shows where you can go from here; the key to leave is at its right end. F1 "
        "explains the current screen, and F2 shows your results.",
        ("KeyBar",),
    ),
    TourStep(
        "The games",
        "A game opens with its digit. If you leave with a bet at stake, the table waits for you, "
        "and its row says so. Each shuffle is fixed before you bet: v checks every card of your "
        "last session.",
        ("GameList",),
    ),
    TourStep(
        "Your money",
        "All money is play money. Your balance, your debt and your results are here. Once you have "
        "played, m shows your mistakes again, and l shows which habits cost the most.",
        ("PlayerPanel", "TitleBar"),
    ),
    TourStep(
        "Your first hand",
        "Space deals a hand of video poker. There, t switches the trainer on: it shows the EV "
        "(expected value) of each choice before you make it.",
        ("GameList",),
    ),
)
"""The steps; the last one ends with a hand."""


class Tour(PassingWindow[bool]):
    """Shows the steps in order; the result is whether the player wants to be dealt a hand."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter,right", "step(1)", "Next", id="tour.next"),
        Binding("left,backspace", "step(-1)", "Back", id="tour.back"),
        Binding("escape,q", "dismiss(False)", "Close", id="tour.close"),
    ]

    def __init__(self) -> None:
        super().__init__(classes="modal tour")
        self._at = 0
        self._text = Static(id="tour", markup=False)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="window question", can_focus=False) as self._window:
            yield self._text

    def on_mount(self) -> None:
        self._show()
        self.screen_layout_refresh_signal.subscribe(self, lambda screen: self._place())

    def _show(self) -> None:
        step, last = STEPS[self._at], self._at == len(STEPS) - 1
        self._window.border_title = Content(f"{step.title}, {self._at + 1} of {len(STEPS)}")
        self.edge = "Space deals, Esc ends" if last else "Space continues, Esc ends"
        self.name_keys()
        self._text.update(step.text)
        self._place()
        self.refresh()

    @property
    def _subject(self) -> Region:
        """The region that the current step explains."""
        menu = self.app.screen_stack[-2]
        for selector in STEPS[self._at].subjects:
            for widget in menu.query(selector).results(Widget):
                if widget.display:
                    return widget.first_game if isinstance(widget, GameList) else widget.region
        return NOTHING

    def _place(self) -> None:
        """Place the window at the left of its subject, or else below or above it."""
        subject, (columns, rows) = self._subject, self.app.size
        beside = subject.x > columns // 2
        width = min(WIDTH, subject.x if beside else columns)
        height = self._window.outer_size.height
        x, y = (subject.x - width, subject.y + 1) if beside else (LEFT, subject.bottom)
        if y + height > rows:
            y = subject.y - height
        styles, at = self._window.styles, Offset(max(0, min(x, columns - width)), max(0, y))
        if styles.offset != ScalarOffset.from_offset(at) or styles.width != Scalar.from_number(
            width
        ):
            styles.width, styles.offset = width, at

    def render(self) -> RenderableType:
        """Draw the menu behind the window, dimmed except for the subject of the step."""
        background = super().render()
        if isinstance(background, BackgroundScreen):
            return Spotlight(background, self._subject)
        return background

    def action_step(self, step: int) -> None:
        """Show the next or the previous step; after the last one, ask for a hand."""
        self._at = max(0, self._at + step)
        if self._at == len(STEPS):
            self.dismiss(True)
        else:
            self._show()
