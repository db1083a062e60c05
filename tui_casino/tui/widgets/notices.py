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
"""Notices that can still be read when they are gone from the screen."""


class Notice(NamedTuple):
    """A line, whether it tells of trouble, and the seconds for which it is shown."""

    text: str
    bad: bool = False
    seconds: float = 0.0


def make_notice(
    text: str, title: str = "", *, bad: bool = False, seconds: float | None = None
) -> Notice:
    """Make a line of what is told; without seconds it is shown as long as it takes to read."""
    words = printable(" ".join(f"{title}: {text}".split() if title else text.split()))
    return Notice(words, bad, 2 + len(words) / 15 if seconds is None else seconds)


class Notices:
    """Shows notices one after the other, each on the screen that was open when it was told.

    One whose screen is left before its turn is not shown any more; ``history`` are the last ones of
    all, the oldest first.
    """

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self.history: deque[Notice] = deque(maxlen=KEPT)
        self._waiting: deque[tuple[Screen[Any], Notice]] = deque(maxlen=KEPT)
        self._shown: tuple[Screen[Any], Notice] | None = None
        self._timer: Timer | None = None

    def add(self, notice: Notice) -> None:
        """Keep a notice, and show it when those before it on this screen have been."""
        self.history.append(notice)
        place = self._place()
        if place is None:
            return
        self._waiting.append((place, notice))
        if self._shown is None or self._shown[0] is not place:
            self._next()

    def shown_on(self, screen: Screen[Any]) -> Notice | None:
        """Give the notice that stands on a screen now."""
        return self._shown[1] if self._shown is not None and self._shown[0] is screen else None

    def clear(self) -> None:
        """Show no more of those told up to now."""
        self._waiting.clear()
        self._next()

    def _place(self) -> Screen[Any] | None:
        """Give the screen on top, below windows."""
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
    """What the line asks of the app: it is one of these, too."""

    notices: Notices


class NoticeLine(Widget):
    """A line in which notices stand in place of what it says else."""

    @property
    def notice(self) -> Notice | None:
        """What is told on this screen now."""
        app = self.app
        return app.notices.shown_on(self.screen) if isinstance(app, HasNotices) else None
