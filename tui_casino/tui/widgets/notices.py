"""Notices: one at a time, in the title row of the screen."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from textual.app import App
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from ...inputs.sanitize import printable

KEPT = 50
"""The maximum number of earlier notices that can still be read."""


class Notice(NamedTuple):
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
        """Return the notice that is currently shown on a screen."""
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
        """The notice that is currently shown on this screen."""
        app = self.app
        return app.notices.shown_on(self.screen) if isinstance(app, HasNotices) else None
