"""The title bar of a screen, its message line, and the notices that the title row shows."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from rich.style import Style
from textual.app import App
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from ...inputs.sanitize import printable
from ..draw.canvas import Canvas
from ..draw.look import Look, line_styles_of
from ..draw.segments import (
    LineBuilder,
    centre_strip,
    drop_trailing_parts,
    text_width,
    truncate_at_word,
)
from ..draw.text import transliterate
from ..terminal.detection import GlyphSet
from .hint_line import MARKS as SIGNS
from .line_widget import LineWidget

KEPT = 50
"""The maximum number of earlier notices that can still be read."""


class Notice(Struct, frozen=True):
    """A line, whether it reports a problem, and the seconds for which it is shown."""

    text: str
    bad: bool = False
    seconds: float = 0.0


def make_notice(
    text: str, title: str = "", *, bad: bool = False, seconds: float | None = None
) -> Notice:
    """Make a one-line notice; by default, it is shown as long as it takes to read."""
    words = printable(" ".join(f"{title}: {text}".split() if title else text.split()))
    return Notice(words, bad, 2 + len(words) / 15 if seconds is None else seconds)


class Notices:
    """Shows notices one after the other, each on the screen that was open when it was added.

    A notice is dropped if its screen is closed before its turn. ``history`` holds the last notices
    of all screens, oldest first.
    """

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self.history: deque[Notice] = deque(maxlen=KEPT)
        self._waiting: deque[tuple[Screen[Any], Notice]] = deque(maxlen=KEPT)
        self._shown: tuple[Screen[Any], Notice] | None = None
        self._timer: Timer | None = None

    def add(self, notice: Notice) -> None:
        """Add a notice, and show it after the earlier ones on this screen."""
        self.history.append(notice)
        place = self._place()
        if place is None:
            return
        self._waiting.append((place, notice))
        if self._shown is None or self._shown[0] is not place:
            self._next()

    def shown_on(self, screen: Screen[Any]) -> Notice | None:
        return self._shown[1] if self._shown is not None and self._shown[0] is screen else None

    def clear(self) -> None:
        """Stop showing notices that were added so far."""
        self._waiting.clear()
        self._next()

    def _place(self) -> Screen[Any] | None:
        """Return the topmost full screen, below any windows."""
        whole = (screen for screen in reversed(self._app.screen_stack) if not screen.is_modal)
        return next(whole, None)

    def _next(self) -> None:
        before, self._shown = self._shown, None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        place = self._place()
        while self._waiting and self._shown is None:
            if (entry := self._waiting.popleft())[0] is place:
                self._shown = entry
                self._timer = self._app.set_timer(entry[1].seconds, self._next)
        for screen, _ in filter(None, (before, self._shown)):
            for line in screen.query(NoticeLine):
                line.refresh()


class HasNotices:
    """An app with notices, as :class:`NoticeLine` requires."""

    notices: Notices


class NoticeLine(Widget):
    """A line that shows notices instead of its usual text."""

    @property
    def notice(self) -> Notice | None:
        app = self.app
        return app.notices.shown_on(self.screen) if isinstance(app, HasNotices) else None


MARKS = {"win": ("★ ", " ★"), "great win": ("★ ★ ★  ", "  ★ ★ ★"), "bad": ("! ", "")}
PLAIN_MARKS = {"win": ("* ", " *"), "great win": ("* * *  ", "  * * *"), "bad": ("! ", "")}
Note = tuple[str, str]
"""A text and its tone: ``good``, ``bad``, ``gold``, ``muted``, or empty."""
GAP = "  "
REST = "ctrl+p: Notices"
"""The hint after a notice that is cut off; it says where all notices can be read."""


Head = tuple[int, str]
"""The column before which a heading ends, and the heading."""


class TitleBar(NoticeLine, LineWidget):
    """The screen's title, a subtitle, and notes at the right edge.

    Notes are short states such as ``trainer`` or ``free play``. If space is short, the parts of the
    subtitle after its dots are left out first. Column headings, and then a text ``aside`` after the
    subtitle, are written where space is left. A notice replaces everything except the title while
    it is shown, and also the title if it needs the space.
    """

    def __init__(self, title: str, subtitle: str = "", *notes: Note) -> None:
        super().__init__()
        self._title, self._subtitle, self._notes = title, subtitle, notes
        self._heads: tuple[Head, ...] = ()
        self._aside: tuple[str, ...] = ()

    def head(self, heads: tuple[Head, ...]) -> None:
        """Show headings for the columns below the title bar."""
        if heads != self._heads:
            self._heads = heads
            self.refresh()

    def add_aside(self, texts: tuple[str, ...]) -> None:
        """Show the first of these texts for which there is room after the subtitle, if any."""
        if texts != self._aside:
            self._aside = texts
            self.refresh()

    def describe(self, subtitle: str, *notes: Note) -> None:
        if (subtitle, notes) != (self._subtitle, self._notes):
            self._subtitle, self._notes = subtitle, notes
            self.refresh()

    def _shown(self) -> object:
        return self._title, self._subtitle, self._notes, self._heads, self._aside, self.notice

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, width = line_styles_of(look.palette), area.width
        sign = "" if look.tier is GlyphSet.ASCII else "♠ "
        name = f"{sign}{self._title.upper()}"
        if (notice := self.notice) is not None:
            yield _notice_strip(notice, name, width, look)
            return
        held = [*self._notes]
        while held and 1 + len(name) + 2 + _length(held) + 1 > width:
            held.pop(0)
        room = width - 2 - len(name) - 2 - (_length(held) + 2 if held else 0)
        subtitle = drop_trailing_parts(transliterate(self._subtitle, look.tier), room, look.tier)
        canvas = Canvas(width, 1, look)
        canvas.write(1, 0, name, inks.gold)
        after = canvas.write(1 + len(name) + 2, 0, subtitle, inks.muted)
        x = width - 1 - _length(held)
        for words, tone in held:
            x = canvas.write(x, 0, words, inks.style(tone or "strong")) + len(GAP)
        for end, words in self._heads:
            begin = end - len(words)
            if begin > 1 and canvas.is_blank(begin - 2, end + 2, 0):
                canvas.write(begin, 0, words, inks.muted)
        after += len(GAP) if subtitle else 0
        for text in self._aside:
            end = after + len(text) + len(GAP)
            if end < width and canvas.is_blank(after, end, 0):
                canvas.write(after, 0, text, inks.muted)
                break
        yield from canvas.strips()


def _notice_strip(notice: Notice, name: str, width: int, look: Look) -> Strip:
    """Draw a notice after the title, or instead of it if there is not enough room."""
    inks, mark = line_styles_of(look.palette), SIGNS[look.tier]["refused" if notice.bad else "told"]
    words = notice.text
    before = f" {name}  "
    if len(before) + 2 + text_width(words) >= width:
        before = " "
    room, rest = width - len(before) - 3, ""
    if text_width(words) > room:
        rest = f" {REST}" if room > 2 * len(REST) else ""
        words = truncate_at_word(words, room - len(rest), look.tier)
    ink = inks.bad if notice.bad else inks.good
    line = LineBuilder(look.tier).add(before, inks.gold).add(mark, ink)
    line.add(f" {words}", ink if notice.bad else inks.strong)
    return line.add(rest, inks.muted).strip()


def _length(notes: Sequence[Note]) -> int:
    return text_width(GAP.join(words for words, _ in notes))


class MessageLine(LineWidget):
    """A message to the player, in one line above the cards."""

    def __init__(self) -> None:
        super().__init__()
        self._message: tuple[tuple[str, ...], str] = (("",), "")
        self._verdict: tuple[tuple[str, ...], str] = ((), "")
        self._verdict_is_new = False

    @property
    def content(self) -> str:
        """The message and the verdict, with their marks."""
        return GAP.join(filter(None, self._texts(plain=False)))

    @property
    def text(self) -> str:
        """The message in its longest text, without marks."""
        return self._message[0][0]

    @property
    def is_warning(self) -> bool:
        return self._message[1] == "bad"

    def say(self, text: str, kind: str = "", shorter: Iterable[str] = ()) -> None:
        """Show a message of a kind: ``win``, ``great win``, ``bad`` or empty.

        Signs mark it as well as colours. If it does not fit, one of the ``shorter`` texts is shown.
        """
        if ((texts := (text, *shorter)), kind) != self._message:
            self._message, self._verdict_is_new = (texts, kind), False
            self.refresh()

    def show_verdict(self, texts: tuple[str, ...] = (), kind: str = "") -> None:
        """Show a verdict after all messages from now on: the longest of its texts that fits.

        The kind is ``bad`` for a mistake, and otherwise empty. If a mistake does not fit next to
        the message, it is shown instead of it until the next message. Without texts, show no
        verdict.
        """
        if (texts, kind) != self._verdict:
            self._verdict, self._verdict_is_new = (texts, kind), True
            self.refresh()

    def _texts(self, *, plain: bool) -> tuple[str, str]:
        """Return the message and the verdict, each in the longest text that fits."""
        message, verdict = (
            _marked(texts, kind, plain=plain) for texts, kind in (self._message, self._verdict)
        )
        width = self.size.width or sys.maxsize  # before the layout, everything fits
        if self.is_warning:  # about the next choice
            verdict = []
        least = text_width(verdict[-1]) + len(GAP) if verdict and self._verdict[1] else 0
        text = next((one for one in message if text_width(one) + least <= width), None)
        if text is None:  # only one of the two fits
            return ("", verdict[-1]) if least and self._verdict_is_new else (message[-1], "")
        room = width - (text_width(text) + len(GAP)) * bool(text)
        return text, next((one for one in verdict if text_width(one) <= room), "")

    def _shown(self) -> object:
        return self._message, self._verdict, self._verdict_is_new

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, plain = line_styles_of(look.palette), look.tier is not GlyphSet.UNICODE
        message, verdict = self._texts(plain=plain)
        ink = {"win": inks.good, "bad": inks.bad}.get(self._message[1], inks.gold)
        line = LineBuilder(look.tier).add(message, ink + Style(bold=True))
        if verdict:
            tone = inks.bad if self._verdict[1] else inks.good
            line.add(GAP * bool(message)).add(verdict, tone + Style(bold=True))
        yield centre_strip(line.cut(area.width, at_word=True).strip(), area.width)


def _marked(texts: Iterable[str], kind: str, *, plain: bool) -> list[str]:
    before, after = (PLAIN_MARKS if plain else MARKS).get(kind, ("", ""))
    return [f"{before}{text}{after}" if text else "" for text in texts]
