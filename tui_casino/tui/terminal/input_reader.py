"""Turn a terminal's input into messages for the app, within limits, for any driver."""

from __future__ import annotations

import asyncio
import re
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from threading import Event
from time import monotonic
from typing import Any

from textual.app import App
from textual.events import Key, Paste
from textual.message import Message

from ...inputs.escape_limiter import ESCAPE, NO_KEY, EscapeLimiter
from ..textual_compat import XTermParser

LONGEST = 32
"""The maximum length of an escape sequence; Textual would treat a longer one as typed text."""
MOST = 16
"""The maximum number of messages that may wait in the app, even if its terminal is gone."""
AT_ONCE = 0.03
"""Characters that follow a letter within this many seconds were not typed by hand."""
APART = 0.11
"""A key that follows an Escape after this many seconds was not pressed together with Alt."""
FLOOD, FLOOD_RATE = 100.0, 100.0
"""The number of characters that may arrive together, and the average number per second.

A held key repeats more slowly, and no line is typed faster; a paste without marks arrives faster.
"""
FLOOD_ENDS = 0.3
"""Seconds without input that end a flood."""
REPEATS, REPEATS_WITHIN = 4, 0.33
"""The number of equal characters that count as a held key if they arrive within these seconds.

The slowest usual rates of repetition are 11 per second; a player's finger is slower.
"""
REPEAT_ENDS = 0.5
"""Seconds without a character after which its key is no longer held."""
UNFINISHED = 0.3
"""Seconds to wait for the rest of a key, such as an arrow; it may arrive late over the network."""
LATE = 1.0
"""Seconds after an Escape in which the rest of its sequence may arrive over a slow connection."""
_CONTINUES = re.compile(r"\[|O[A-Za-z]")  # what follows the Escape of a key that was cut in two
_REST = re.compile(r"\[[ -?]*[@-~]|O[A-DFHP-S]\Z|[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\)")
_REST_OF_CSI, _REST_OF_STRING = (
    re.compile(r"[ -?]*[@-~]"),
    re.compile(r"\\|[^\x07\x1b]*(?:\x07|\x1b\\)"),
)
_STRINGS = ("\x1bP", "\x1b]", "\x1bX", "\x1b^", "\x1b_")
_MOUSE = re.compile(r"\x1b\[<[\d;-]+[Mm]")
_BEGINNINGS = {"\x1b[M", "\x1b[["}  # single characters follow: a click, a key of the Linux console
_C1 = {0x80 + ord(end) - 0x40: ESCAPE + end for end in "[PX]^_\\O"}
"""Control characters that stand for two characters each, by the table of ECMA-48."""
_MODIFIED = re.compile(
    r"(?:ctrl\+)?(?:shift\+)?(?P<key>space|enter|\r)|shift\+(?P<shifted>backspace|escape)|ctrl\+@"
)
"""Keys that are the same with Shift or Ctrl, which may still be held from the key before.

``ctrl+@`` is how terminals without the kitty protocol send Ctrl+Space.
"""
_CHARACTERS = {"space": " ", "enter": "\r", "backspace": "\x7f"}
_KEYPAD = {
    "add": ("plus", "+"),
    "subtract": ("minus", "-"),
    "multiply": ("asterisk", "*"),
    "divide": ("slash", "/"),
    "decimal": ("full_stop", "."),
    "separator": ("comma", ","),
    "equal": ("equals_sign", "="),
}
"""Keys of the keypad under the kitty protocol, and the keys that other terminals send for them."""
_LOOK, _AGAIN = 0.05, 1.0  # seconds: between two checks whether to stop, and until the next probe


class InputFlooded(Message):
    """Characters arrive so fast that they must be a paste without marks; they are dropped."""


class RepeatedKey(Key):
    """A character that a held key repeats; widgets handle it like any other key."""


RepeatedKey.handler_name = Key.handler_name  # a class body cannot set it


class KeyRepetition:
    """Recognises a held key by the rate at which its character arrives.

    The rate works in every terminal. The event types of the kitty protocol would double the input,
    because they also report each release.
    """

    def __init__(self) -> None:
        self._key, self._is_held = "", False
        self._times = deque[float](maxlen=REPEATS)

    def end(self) -> None:
        """Record that a different key was pressed."""
        self._key = ""

    def add(self, key: Key, now: float) -> Key:
        """Return a character that was typed now, as a :class:`RepeatedKey` if its key is held."""
        if key.key != self._key or now - self._times[-1] > REPEAT_ENDS:
            self._key, self._is_held = key.key, False
            self._times.clear()
        self._times.append(now)
        close = len(self._times) == REPEATS and now - self._times[0] <= REPEATS_WITHIN
        self._is_held = self._is_held or close
        return RepeatedKey(key.key, key.character) if self._is_held else key


class KeyFilter(EscapeLimiter):
    """Also removes answers of the terminal, which the parser would read as typed text, or wait on.

    A control sequence passes if the parser understands it: keys, mouse, paste and focus, and the
    answers that Textual asked for. An unfinished sequence is dropped after a pause, except for an
    Escape with one more character, which is a key with Alt.
    """

    def flush(self) -> str:
        """Return the input that was held back, if it may have been typed."""
        begun = self._paste_room is None and is_control(self._held)
        is_dropped = begun and not _is_understood(self._held)  # some keys of rxvt end in a dollar
        released, held = self._released, super().flush()
        if not is_dropped:
            return held
        return NO_KEY if released else ""

    def _allows(self, token: str) -> bool:
        return not is_control(token) or _is_understood(token)


def is_control(text: str) -> bool:
    """Return whether a text begins with a control sequence or string of the terminal."""
    return len(text) > 2 and text.startswith(("\x1b[", *_STRINGS))


def _is_understood(token: str) -> bool:
    """Return whether the parser takes a control sequence for one event, and not for typed text."""
    if token in _BEGINNINGS or _MOUSE.fullmatch(token):
        return True
    if token.startswith(_STRINGS):
        return False
    parser = XTermParser()
    try:
        [*parser.feed(token)]
        return not [*parser.feed(ESCAPE + NO_KEY)]  # what it waits on would come as keys first
    except Exception:  # such as a code point that does not exist
        return False


def is_pastable(key: Key) -> bool:
    """Return whether a key may be part of a pasted text: a character, or the end of a line."""
    return key.is_printable or key.key in ("enter", "ctrl+j", "tab")


def usual_key(key: Key) -> Key:
    """Return the key that terminals without the kitty protocol send for a key.

    It has no meaningless modifiers, and no name of its own on the keypad.
    """
    if key.key in _KEYPAD:
        name, character = _KEYPAD[key.key]
        return Key(name, key.character or character)
    if match := _MODIFIED.fullmatch(key.key):
        name = match["key"] or match["shifted"] or "space"
        name = "enter" if name == "\r" else name
        return Key(name, _CHARACTERS.get(name))
    return key


class InputReader:
    """Reads input; drops input that cannot be parsed, and then reads the next key normally.

    Characters that arrive together, with a letter among them, are treated as a paste, so that none
    of them acts as a key. They were pasted in a terminal that does not mark pastes, or typed as a
    line over a slow connection. Digits and spaces without letters are keys, however fast they
    arrive. A flood of characters is dropped, with all other keys in it, until a pause; it yields
    only one :class:`InputFlooded`.

    A sequence may arrive in two pieces. If :meth:`tick` has already dropped the first piece, or
    treated an Escape as a key, the second piece is dropped.

    The repetitions of a held key are marked as such.
    """

    def __init__(self, debug: bool = False, clock: Callable[[], float] = monotonic) -> None:
        self._debug, self._limiter, self._clock = debug, KeyFilter(LONGEST), clock
        self._parser = XTermParser(debug)
        self._decode = getincrementaldecoder("utf-8")("ignore").decode
        self._last = -inf  # when input last arrived
        self._rest: re.Pattern[str] | None = None  # of a sequence that began before the last pause
        self._room, self._floods = FLOOD, False  # for characters; whether they are being dropped
        self._lettered = -inf  # when a letter last arrived; reset by keys other than characters
        self._repetition = KeyRepetition()

    @property
    def is_unfinished(self) -> bool:
        """Whether the input so far may be the beginning of a key."""
        return bool(self._limiter.held)

    def feed(self, raw: bytes) -> Iterator[Message]:
        """Parse new input, and yield its messages."""
        now, keys, text = self._clock(), list[Key](), self._decode(raw).translate(_C1)
        pause, self._last = now - self._last, now
        if self._rest is not None and pause < LATE and (rest := self._rest.match(text)):
            text = text[rest.end() :]
        elif self._limiter.held == ESCAPE and pause > APART and not _CONTINUES.match(text):
            yield from self.tick()
        self._rest = None
        if pause < FLOOD_ENDS:
            self._room = min(FLOOD, self._room + pause * FLOOD_RATE)
        else:
            self._room, self._floods = FLOOD, False
        messages = [*self._parsed(self._limiter.filter(text))]
        self._room -= sum(isinstance(each, Key) and is_pastable(each) for each in messages)
        if self._room < 0 and not self._floods:
            self._floods = True
            yield InputFlooded()
        for message in messages:
            if self._floods and isinstance(message, Key):
                continue
            if isinstance(message, Key) and message.is_printable:
                keys.append(message)
            else:
                yield from self._joined(keys, now)
                keys.clear()
                if isinstance(message, Key):
                    self._lettered = -inf
                    self._repetition.end()
                yield message
        yield from self._joined(keys, now)

    def _joined(self, keys: list[Key], now: float) -> Iterator[Message]:
        """Yield neighbouring characters as a pasted text, or as keys."""
        text = "".join(key.character or "" for key in keys)
        follows = now - self._lettered < AT_ONCE
        lettered = any(map(str.isalpha, text))
        if text and (follows or (lettered and len(text) > 1)):
            self._repetition.end()
            yield Paste(text)
        else:
            for key in keys:
                yield self._repetition.add(key, now)
        if lettered or (text and follows):
            self._lettered = now

    def tick(self) -> Iterator[Message]:
        """Yield the messages of unfinished sequences, after a moment without input."""
        held = self._limiter.held
        if held == ESCAPE:
            self._rest = _REST
        elif is_control(held):
            self._rest = _REST_OF_STRING if held.startswith(_STRINGS) else _REST_OF_CSI
        yield from self._parsed(self._limiter.flush())
        yield from self._parsed(None)

    def _parsed(self, text: str | None) -> Iterator[Message]:
        if text == "":
            return  # the parser would take this for the end of input
        try:
            messages = self._parser.tick() if text is None else self._parser.feed(text)
            for message in messages:
                yield usual_key(message) if isinstance(message, Key) else message
        except Exception:  # unexpected input, such as a code point that does not exist
            before, self._parser = self._parser, XTermParser(self._debug)
            self._parser.mouse_pixels = before.mouse_pixels
            self._parser.terminal_size = before.terminal_size
            self._parser.terminal_pixel_size = before.terminal_pixel_size


class MessageBacklog:
    """Counts the messages that an app has received but not yet handled.

    After every few messages a callback passes through the queues of the app, its screen, and the
    focused widget. When the callback arrives, the earlier messages are done. Messages are sent
    from one thread, and the app may run in another.
    """

    def __init__(self, app: App[Any], loop: asyncio.AbstractEventLoop) -> None:
        self._app, self._loop = app, loop
        self._sent = self._probed = self._done = 0
        self._room = Event()

    @property
    def is_full(self) -> bool:
        """Whether the maximum number of messages is waiting."""
        return self._sent - self._done >= MOST

    def count(self) -> None:
        self._sent += 1
        if self._sent - max(self._probed, self._done) >= MOST // 2:
            self._probe()

    def wait(self, stop: Callable[[], bool]) -> bool:
        """Wait for room, outside the app's thread; return false once ``stop`` returns true.

        A callback may be lost with the screen that it passed through, so another follows after a
        second.
        """
        retry_at = monotonic() + _AGAIN
        while self.is_full:
            if stop():
                return False
            self._room.clear()
            if self.is_full and not self._room.wait(_LOOK) and monotonic() > retry_at:
                self._probe()
                retry_at = monotonic() + _AGAIN
        return True

    def probe_again(self) -> None:
        """Send another callback without waiting, in case earlier callbacks were lost."""
        self._probe()

    def _probe(self) -> None:
        self._probed = self._sent
        asyncio.run_coroutine_threadsafe(self._through_app(self._sent), self._loop)

    async def _through_app(self, sent: int) -> None:
        if not self._app.call_later(partial(self._through_screen, sent)):
            self._arrive(sent)

    def _through_screen(self, sent: int) -> None:
        stack = self._app.screen_stack
        if not (stack and stack[-1].call_later(partial(self._through_focused, sent))):
            self._arrive(sent)

    def _through_focused(self, sent: int) -> None:
        focused = self._app.screen_stack[-1].focused if self._app.screen_stack else None
        if focused is None or not focused.call_later(self._arrive, sent):
            self._arrive(sent)

    def _arrive(self, sent: int) -> None:
        self._done = max(self._done, sent)
        self._room.set()
