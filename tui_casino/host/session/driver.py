"""The driver of a terminal that is somewhere else: it speaks with the gateway."""

from __future__ import annotations

import asyncio
from codecs import getincrementaldecoder
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, TextIO

from textual import constants
from textual._xterm_parser import XTermParser
from textual.events import Resize
from textual.geometry import Size

from ...tui.terminal.driver import Guarded
from ..frames import Kind, size_of
from .link import Link

_KITTY = 0b11001  # tell keys apart, report all of them, with their text
_MOUSE = ("1000", "1003", "1015", "1006")


class Linked(Protocol):
    """An app whose terminal is at the other end of a link."""

    link: Link


class LinkDriver(Guarded):
    """Reads and writes frames; one thread is enough for it, that of the app's loop."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        linked: Linked = app
        self._link = linked.link
        self._parser = XTermParser(self._debug)
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._listening: asyncio.Task[None] | None = None
        self._ticking: asyncio.TimerHandle | None = None

    def window_size(self) -> tuple[int, int]:
        """Give the size that the gateway told last."""
        return self._link.columns, self._link.rows

    def write(self, data: str) -> None:
        """Write what shows the same with fewer bytes."""
        self._link.output(self.lean(data).encode(errors="replace"))

    # ---- begin and end --------------------------------------------------------------------

    def start_application_mode(self) -> None:
        """Take the terminal over, as far as the other end lets its program have it."""
        self._resized()
        self.write("\x1b[?1049h")
        self._mouse_reports(on=True)
        self.write("\x1b[?25l\x1b[?1004h")
        if not constants.DISABLE_KITTY_KEY:
            self.write(f"\x1b[>{_KITTY}u")
        self.write("\x1b[?2026$p")  # can it show a picture at once?
        self.write("\x1b[?2004h\x1b[?7l")
        self._listening = self._loop.create_task(self._listen())

    def disable_input(self) -> None:
        """Read no more."""
        if self._ticking is not None:
            self._ticking.cancel()
        if self._listening is not None:
            self._listening.cancel()

    def stop_application_mode(self) -> None:
        """Leave the terminal as it was."""
        self.disable_input()
        self._mouse_reports(on=False)
        self.write("\x1b[?2004l\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l")

    def _mouse_reports(self, *, on: bool) -> None:
        if self._mouse:
            self.write("".join(f"\x1b[?{mode}{'h' if on else 'l'}" for mode in _MOUSE))

    # ---- what comes -----------------------------------------------------------------------

    async def _listen(self) -> None:
        while (frame := await self._link.read()) is not None:
            kind, payload = frame
            match kind:
                case Kind.INPUT:
                    self._take(payload)
                case Kind.SIZE:
                    self._link.columns, self._link.rows = size_of(payload)
                    self._resized()
                case Kind.PING:
                    self._link.pong()
                case Kind.TELL:
                    self._app.notify(payload.decode(errors="replace"), severity="warning")
                case Kind.REPAINT:
                    self._repaint()
                case Kind.END:
                    break
                case _:
                    continue
        self._app.exit()

    def _take(self, data: bytes) -> None:
        text = self._decoder.decode(data)
        if not text:  # to the parser that is the end
            return
        try:
            for message in self._parser.feed(text):
                self.process_message(message)
        except Exception:  # the parser meets what it never thought of
            self._parser = XTermParser(self._debug)
            return
        if self._ticking is not None:
            self._ticking.cancel()
        self._ticking = self._loop.call_later(constants.ESCAPE_DELAY + 0.01, self._tick)

    def _tick(self) -> None:
        """Let the parser take an Escape that nothing followed for a key."""
        try:
            for message in self._parser.tick():
                self.process_message(message)
        except Exception:
            self._parser = XTermParser(self._debug)

    def _resized(self) -> None:
        size = Size(*self.window_size())
        self.send_message(Resize(size, size))

    def _repaint(self) -> None:
        """Paint everything: nobody knows what the terminal shows, or writes with."""
        self._pen = None
        self.write("\x1b[m")
        self._app.refresh(layout=True)
        self._app.screen.refresh(layout=True)

    # ---- what a terminal far away does not do ----------------------------------------------

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Open nothing: the browser would be the host's."""

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,
        save_path: Path,
        open_method: Literal["browser", "download"] = "download",
        encoding: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
    ) -> None:
        """Write nothing: the file would be the host's."""
        binary.close()
