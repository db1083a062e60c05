"""From the bytes that a terminal sends to messages for the app, within bounds; for any driver."""

from __future__ import annotations

import asyncio
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from time import monotonic
from typing import Any

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.message import Message

from .bounds import Sieve

MOST = 16
"""Messages that may wait in the app at one time: it does them even when its terminal is gone."""
_LOOK, _AGAIN = 0.05, 1.0  # seconds: between two looks whether to stop, and until it is asked anew


class Intake:
    """Reads what is typed; what cannot be read is forgotten, and the next key is read again."""

    def __init__(self, debug: bool = False) -> None:
        self._debug, self._sieve = debug, Sieve()
        self._parser = XTermParser(debug)
        self._decode = getincrementaldecoder("utf-8")("ignore").decode

    def feed(self, raw: bytes) -> Iterator[Message]:
        """Give the messages of what has come."""
        yield from self._parsed(self._sieve.passed(self._decode(raw)))

    def tick(self) -> Iterator[Message]:
        """Give those of what has not been finished, for nothing more has come for a moment."""
        yield from self._parsed(self._sieve.rest())
        yield from self._parsed(None)

    def _parsed(self, text: str | None) -> Iterator[Message]:
        if text == "":
            return  # to the parser that were the end
        try:
            yield from self._parser.tick() if text is None else self._parser.feed(text)
        except Exception:  # it meets what it never thought of, such as a letter beyond the last one
            before, self._parser = self._parser, XTermParser(self._debug)
            self._parser.mouse_pixels = before.mouse_pixels
            self._parser.terminal_size = before.terminal_size
            self._parser.terminal_pixel_size = before.terminal_pixel_size


class Valve:
    """Counts the messages that an app was given and has not done with yet.

    Every few messages a call follows them, through the queues of the app, of its screen, and of the
    widget that has the keys: where it has arrived, what went before has been done. One thread
    gives messages, another may be the app's.
    """

    def __init__(self, app: App[Any], loop: asyncio.AbstractEventLoop) -> None:
        self._app, self._loop = app, loop
        self._given = self._asked = self._done = 0
        self._room = Event()

    @property
    def full(self) -> bool:
        """Whether as many wait as may wait."""
        return self._given - self._done >= MOST

    def count(self) -> None:
        """Count a message that is given now."""
        self._given += 1
        if self._given - max(self._asked, self._done) >= MOST // 2:
            self._ask()

    def wait(self, stop: Callable[[], bool]) -> bool:
        """Wait until there is room, not in the app's own thread; false if told to stop before.

        A call may be lost with the screen that it went through: after a second another follows.
        """
        again = monotonic() + _AGAIN
        while self.full:
            if stop():
                return False
            self._room.clear()
            if self.full and not self._room.wait(_LOOK) and monotonic() > again:
                self._ask()
                again = monotonic() + _AGAIN
        return True

    def ask_again(self) -> None:
        """Send another call after those that may be lost; for who cannot :meth:`wait`."""
        self._ask()

    def _ask(self) -> None:
        self._asked = self._given
        asyncio.run_coroutine_threadsafe(self._through_app(self._given), self._loop)

    async def _through_app(self, given: int) -> None:
        if not self._app.call_later(partial(self._through_screen, given)):
            self._arrive(given)

    def _through_screen(self, given: int) -> None:
        stack = self._app.screen_stack
        if not (stack and stack[-1].call_later(partial(self._through_focused, given))):
            self._arrive(given)

    def _through_focused(self, given: int) -> None:
        focused = self._app.screen_stack[-1].focused if self._app.screen_stack else None
        if focused is None or not focused.call_later(self._arrive, given):
            self._arrive(given)

    def _arrive(self, given: int) -> None:
        self._done = max(self._done, given)
        self._room.set()
