"""Small windows over a screen: pages, lists, input lines, questions, and waiting for the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar

from rich.segment import Segment
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from ..inputs.errors import BadInput
from ..records.ledger import LedgerBusy
from .draw.report_style import style_report
from .draw.text import transliterate, with_negative_numbers
from .terminal.detection import GlyphSet
from .widgets.command_line import is_function_key
from .widgets.line_widget import look_of
from .widgets.text_blocks import wrap_lines
from .window import BROAD, CORNERS, EDGE_ROWS, FRAME, Window, free_rows, open_over, window_columns

MARKS = {True: ">", False: "▌"}
"""The mark before the option at the cursor, in ASCII and otherwise."""


class SafeOptionList(OptionList):
    """A list to choose from; Page Up and Page Down do nothing before it is laid out."""

    def action_page_up(self) -> None:
        """Move up by a page, if the list is laid out."""
        if self._is_laid_out:
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """Move down by a page, if the list is laid out."""
        if self._is_laid_out:
            super().action_page_down()  # type: ignore[no-untyped-call]

    def on_click(self, event: Click) -> None:
        """Ignore a click on an option that is still painted but no longer in the list."""
        place = event.style.meta.get("option")
        if place is not None and place >= self.option_count:
            event.prevent_default()

    @property
    def _is_laid_out(self) -> bool:
        return bool(self.scrollable_content_region) or self.highlighted is None


class MarkedOptionList(SafeOptionList):
    """A list in a window, with a cursor mark that is visible without colours."""

    def render_line(self, y: int) -> Strip:
        """Put the mark in the empty column before the option."""
        strip = super().render_line(y)
        style = next((segment.style for segment in strip), None)
        if style is None or style.meta.get("option", -1) != self.highlighted:
            return strip
        mark = Segment(MARKS[self.app.has_class("-ascii")], style)
        return Strip([mark, *strip.crop(1)], strip.cell_length)


TITLE_EDGES = 6
"""Columns of a window's upper edge that its title cannot use."""
DIGITS = "1234567890"
"""The digits that number the lines of a list."""
FIGURES = "figures"
"""The action that opens the odds."""


class TextPage(Window[None]):
    """A page of text under a title; any of its keys closes it. Only plain text is wrapped.

    The function keys of the screen below do nothing here. If they closed the page, a player who
    then pressed Escape to close it would leave that screen.

    The text may depend on the number of columns for it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space", "dismiss", "Close", id="page.close")
    ]

    def __init__(self, title: str, text: str | Content | Callable[[int], str]) -> None:
        super().__init__(classes="modal")
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Lay out the text, which scrolls if it is longer than the window."""
        with VerticalScroll(classes="window", can_focus=True) as window:
            window.border_title = Content(self._title)
            yield Static(id="text", markup=False)

    def on_resize(self) -> None:
        columns = window_columns(self.app.size.width, aside=self.has_class("-aside"))
        text, tier = self._text, look_of(self).tier
        if isinstance(text, Content):
            content = Content(transliterate(text.plain, tier), [*text.spans])
        else:
            words = text if isinstance(text, str) else text(columns)
            plain = transliterate(with_negative_numbers(words), tier)
            plain = wrap_lines(plain, columns)
            content = style_report(plain, ascii_only=tier is not GlyphSet.UNICODE)
        self.query_one("#text", Static).update(content)
        (window,) = self.query(".window").results(VerticalScroll)
        window.styles.min_width = min(len(self._title) + TITLE_EDGES, self.app.size.width)
        self.place_window()

    def place_window(self) -> None:
        """Place the window; subclasses keep the subject of the text visible."""


def open_game_window(screen: Screen[Any], window: Screen[Any]) -> None:
    """Open a game's window over its table; a page of text leaves the cards visible."""
    open_over(screen, window, aside=isinstance(window, TextPage))


class OddsWindow(TextPage):
    """A page about the cards on the table; keys without an action here go to the game below.

    Such a key also closes the page, because it is then out of date. In a narrow terminal it is
    placed above or below ``weighed``, the widget that it describes, if there are enough rows.
    ``opener`` is the action that opens the page.
    """

    def __init__(
        self,
        title: str,
        text: str | Content,
        weighed: Widget | None = None,
        opener: str = FIGURES,
    ) -> None:
        super().__init__(title, text)
        self._cards, self._opener = weighed, opener

    def on_mount(self) -> None:
        if self._cards is not None:
            laid_out = self._cards.screen.screen_layout_refresh_signal
            laid_out.subscribe(self, lambda screen: self.place_window())

    def place_window(self) -> None:
        """Place the window below or above the widget that it describes."""
        columns, rows = self.app.size
        text, room = str(self.query_one("#text", Static).content), None
        if self._cards is not None and columns < BROAD:
            rows_wanted = text.count("\n") + 1 + EDGE_ROWS
            room = free_rows(self._cards.region, rows - FRAME, rows_wanted)
        (window,) = self.query(".window").results(VerticalScroll)
        self.set_class(room is not None, "-near")
        if room is None:
            for rule in ("margin", "max_height"):
                window.styles.clear_rule(rule)
        else:
            window.styles.margin = (room.start, 0, 0, 0)
            window.styles.max_height = len(room)

    def on_key(self, event: events.Key) -> None:
        """Close, and pass the key on; the key that opened the page only closes it."""
        active = self.active_bindings.get(event.key)
        closes = active is not None and active.node is self
        goes_on = event.is_printable or is_function_key(event.key)
        if self._stray.text_before(event.time) or closes or not goes_on:
            return
        event.prevent_default()
        if not self.is_current:  # it is closing already
            return
        event.stop()
        behind = self.app.screen_stack[-2].active_bindings
        opened = (one for one in behind.values() if one.binding.action == self._opener)
        self.dismiss()
        if event.key not in {one.binding.key for one in opened}:
            self.app.post_message(events.Key(event.key, event.character))


class TerminalTooSmall(Window[None]):
    """A request for a larger window, shown while the terminal is too small for a table."""

    edge = ""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(classes="too-small")
        self._minimum = columns, rows

    def compose(self) -> ComposeResult:
        """Lay out the request, in as few words as possible."""
        yield Static(self._text, markup=False)

    @property
    def _text(self) -> str:
        columns, rows = self._minimum
        return f"Please enlarge the window to at least {columns}x{rows}."

    @property
    def keys_text(self) -> str:
        return "ctrl+q quits"

    def write(self, words: str, *, bad: bool = False) -> None:
        """Show this text below the request, because this window has no edges."""
        self.query_one(Static).update(f"{self._text}\n{words}".rstrip())


class ChoiceDialog(Window[str | None]):
    """A list of choices, with the ``present`` one selected; Escape cancels.

    A digit chooses the line that begins with it. Unless each line begins with its own digit, the
    first ten lines are numbered.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "Close", id="choice.close"),
        Binding("space", "choose", "Choose", id="choice.choose"),
    ]

    def __init__(self, title: str, choices: Mapping[str, str], present: str | None = None) -> None:
        super().__init__(classes="modal")
        by_digit = {text.partition(" ")[0]: name for name, text in choices.items()}
        keys = " ".join(by_digit)
        if len(by_digit) < len(choices) or not by_digit.keys() <= {*DIGITS}:
            by_digit = dict(zip(DIGITS, choices, strict=False))
            keys = f"1-{min(len(by_digit), 9)}"
            digits = {name: digit for digit, name in by_digit.items()}
            choices = {name: f"{digits.get(name, ' ')}  {text}" for name, text in choices.items()}
        self._title, self._choices, self._present = title, choices, present
        self._by_digit, self._keys = by_digit, keys

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="window", can_focus=False) as window:
            window.border_title = Content(self._title)
            yield MarkedOptionList(
                *(Option(text, id=name) for name, text in self._choices.items()),
                compact=True,
                markup=False,
            )

    @property
    def keys_text(self) -> str:
        return f"{self._keys} choose, Esc closes"

    def on_mount(self) -> None:
        (window,) = self.query(".window").results(VerticalScroll)
        columns = max(len(self.keys_text) + CORNERS, len(self._title) + TITLE_EDGES)
        window.styles.min_width = min(columns, self.app.size.width)
        if self._present is not None:
            options = self.query_one(MarkedOptionList)
            options.highlighted = options.get_option_index(self._present)

    def on_key(self, event: events.Key) -> None:
        chosen = self._by_digit.get(event.character or "")
        if chosen is not None and not self._stray.text_before(event.time):
            event.stop()
            event.prevent_default()
            self.dismiss(chosen)

    def action_choose(self) -> None:
        """Choose the line at the cursor, as Enter does."""
        self.query_one(MarkedOptionList).action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


class InputDialog(Window[str | None]):
    """Asks the player to type a line of text; Escape cancels."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", id="line.close")
    ]
    edge = "Enter, Esc"

    def __init__(self, title: str, text: str) -> None:
        super().__init__(classes="modal")
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="window question", can_focus=False) as window:
            window.border_title = Content(self._title)
            yield Static(self._text, markup=False)
            line = Input(compact=True)
            line.cursor_blink = False
            yield line

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class ConfirmationDialog(Window[bool]):
    """A yes-or-no question; Escape means no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="question.yes"),
        Binding("n,escape", "answer(False)", "No", id="question.no"),
        Binding("left,right", "other", show=False),
    ]
    edge = ""

    def __init__(self, title: str, text: str, yes: str, no: str) -> None:
        super().__init__(classes="modal")
        self._title, self._text, self._yes, self._no = title, text, yes, no

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="window question", can_focus=False) as window:
            window.border_title = Content(self._title)
            yield Static(self._text, markup=False)
            with Horizontal(classes="buttons"):
                yield from self._buttons()

    def _buttons(self) -> Iterator[Button]:
        yield Button(Content(f"{self._yes} (y)"), id="yes", compact=True)
        yield Button(Content(f"{self._no} (n, Esc)"), id="no", compact=True)

    @property
    def keys_text(self) -> str:
        """The keys of this window, which the buttons also show."""
        return f"y {self._yes}, n or Esc {self._no}"

    def on_mount(self) -> None:
        """Focus No, so that Enter does no harm."""
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)

    def action_other(self) -> None:
        self.focus_next(Button)


T = TypeVar("T")

PAUSE = 0.5
"""Seconds between two attempts."""
WAITS = """\
Another program is writing to the ledger.
This window waits until it is done. Nothing is lost meanwhile."""


class LedgerBusyDialog(Window[T | BadInput | OSError | None], Generic[T]):
    """The window, which returns the first successful result, an error, or ``None`` if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "give_up", "Give up", id="ledger.give_up")
    ]
    edge = "Esc gives up"

    def __init__(self, attempt: Callable[[], Awaitable[T]]) -> None:
        super().__init__(classes="modal")
        self._attempt = attempt
        self._given_up = asyncio.Event()

    def compose(self) -> ComposeResult:
        with Vertical(classes="window") as window:
            window.border_title = "Ledger in use"
            yield Static(WAITS, id="text", markup=False)

    def on_mount(self) -> None:
        self._try()

    @work(exclusive=True, group="attempt", name="action_wait")
    async def _try(self) -> None:
        result: T | BadInput | OSError
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._given_up.wait(), PAUSE)
                self.dismiss(None)
                return
            try:
                result = await self._attempt()
            except LedgerBusy:
                continue
            except (BadInput, OSError) as error:
                result = error
            self.dismiss(result)
            return

    def action_give_up(self) -> None:
        """Stop trying; wait for a running attempt, because it may just have succeeded."""
        self._given_up.set()
