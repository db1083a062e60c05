"""A Textual driver for a remote terminal that is connected through the gateway."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, TextIO

from textual import constants
from textual.events import Resize
from textual.geometry import Size

from ...inputs.escape_limiter import PATIENCE
from ...tui.terminal.driver import GuardedDriver
from ...tui.terminal.input_reader import UNFINISHED, InputReader
from ..session_protocol import FrameType, GatewayLink, unpack_size

MOMENT = 0.11
"""Seconds without input between two calls that end unfinished input."""
LOOK = 0.02
PIECE = 256
"""The number of bytes that are read together; it must suffice to recognise a flood of keys."""
MOST_WAITING = 64 << 10
"""The maximum number of input bytes that may wait for the app; further bytes are dropped."""
_KITTY = 0b11001  # disambiguate keys, report all as sequences, with text
_MOUSE = ("1000", "1003", "1015", "1006")


class LinkedApp(Protocol):
    """An app whose terminal is at the other end of a link."""

    link: GatewayLink


class LinkDriver(GuardedDriver):
    """Reads and writes frames on the thread of the app's loop."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        linked: LinkedApp = app
        self._link = linked.link
        self._intake, self._waiting = InputReader(self.debug), bytearray()
        self._listening: asyncio.Task[None] | None = None
        self._pumping: asyncio.TimerHandle | None = None
        self._quiet = 0
        self._stuck = 0.0

    def terminal_size(self) -> tuple[int, int]:
        """Return the last size that the gateway sent."""
        return self._link.columns, self._link.rows

    def write(self, data: str) -> None:
        """Write output to the terminal, in an equivalent but shorter form."""
        self._link.output(self.optimise(data).encode(errors="replace"))

    # ---- begin and end --------------------------------------------------------------------

    def start_application_mode(self) -> None:
        """Switch the terminal to the modes that the app needs."""
        self._resized()
        self.write("\x1b[?1049h")
        self._mouse_reports(on=True)
        self.write("\x1b[?25l\x1b[?1004h")
        if not constants.DISABLE_KITTY_KEY:
            self.write(f"\x1b[>{_KITTY}u")
        self.write("\x1b[?2026$p")  # ask whether the terminal supports synchronised output
        self.write("\x1b[?2004h\x1b[?7l")
        self._listening = self.loop.create_task(self._listen())

    def disable_input(self) -> None:
        """Stop reading."""
        if self._pumping is not None:
            self._pumping.cancel()
        if self._listening is not None:
            self._listening.cancel()

    def stop_application_mode(self) -> None:
        """Restore the terminal."""
        self.disable_input()
        self._mouse_reports(on=False)
        self.write("\x1b[?2004l\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l")

    def _mouse_reports(self, *, on: bool) -> None:
        if self.mouse:
            self.write("".join(f"\x1b[?{mode}{'h' if on else 'l'}" for mode in _MOUSE))

    # ---- input ----------------------------------------------------------------------------

    async def _listen(self) -> None:
        while (frame := await self._link.read()) is not None:
            kind, payload = frame
            match kind:
                case FrameType.INPUT if len(self._waiting) <= MOST_WAITING:
                    self._waiting += payload
                    self._pump()
                case FrameType.SIZE:
                    self._link.columns, self._link.rows = unpack_size(payload)
                    self._resized()
                case FrameType.PING:
                    self._link.pong()
                case FrameType.TELL:
                    self.app.notify(payload.decode(errors="replace"), severity="warning")
                case FrameType.REPAINT:
                    self._repaint()
                case FrameType.END:
                    break
                case _:
                    continue
        self.app.exit()

    def _pump(self) -> None:
        """Feed input to the app while it keeps up; after a pause, end an unfinished sequence."""
        if self._pumping is not None:
            self._pumping.cancel()
        wait = MOMENT
        if self._waiting and not self.backlog.is_full:
            self._quiet = 0
            piece = bytes(self._waiting[:PIECE])
            del self._waiting[:PIECE]
            for message in self._intake.feed(piece):
                self.process_message(message)
            if self._waiting:
                wait = 0.0
            elif self._intake.is_unfinished:
                wait = UNFINISHED
        elif self._waiting:
            wait = self._wait_for_room()
        else:
            self._quiet += 1
            for message in self._intake.tick():
                self.process_message(message)
        reschedule = self._waiting or self._quiet <= PATIENCE
        self._pumping = self.loop.call_later(wait, self._pump) if reschedule else None

    def _wait_for_room(self) -> float:
        """Return the seconds until the next check, and measure the backlog again.

        The backlog is measured by a call to the screen. The call is lost if the screen closes, so
        it is repeated every second.
        """
        now = self.loop.time()
        if now - self._stuck > 1.0:
            self._stuck = now
            self.backlog.probe_again()
        return LOOK

    def _resized(self) -> None:
        size = Size(*self.window_size())
        self.send_message(Resize(size, size))

    def _repaint(self) -> None:
        """Repaint everything, because the state of the terminal is unknown."""
        self._optimiser = None
        self.write("\x1b[m")
        self.app.screen.refresh(layout=True)
        self.app.screen.refresh()  # a new layout by itself repaints only what has changed

    # ---- not possible on a remote terminal -------------------------------------------------

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Do nothing: the browser would run on the server."""

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
        """Do nothing: the file would be written on the server."""
        binary.close()
