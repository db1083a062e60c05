"""A Textual driver for a remote terminal, which it reaches through the gateway."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, TextIO

from textual import constants
from textual.events import Resize
from textual.geometry import Size

from ...inputs.escape_limiter import PATIENCE
from ...tui.terminal.driver import GuardedDriver
from ...tui.terminal.input_reader import InputReader
from ..session_protocol import FrameType, unpack_size
from .gateway_link import GatewayLink

MOMENT = 0.11
"""Seconds after which an Escape was the key itself."""
LOOK = 0.02
PIECE = 64
MOST_WAITING = 64 << 10
"""Bytes that wait for the app; more are dropped."""
_KITTY = 0b11001  # tell keys apart, report all of them, with their text
_MOUSE = ("1000", "1003", "1015", "1006")


class LinkedApp(Protocol):
    """An app whose terminal is at the other end of a link."""

    link: GatewayLink


class LinkDriver(GuardedDriver):
    """Reads and writes frames; one thread is enough for it, that of the app's loop."""

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
        """Give the size that the gateway told last."""
        return self._link.columns, self._link.rows

    def write(self, data: str) -> None:
        """Write what shows the same with fewer bytes."""
        self._link.output(self.optimise(data).encode(errors="replace"))

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
        self._listening = self.loop.create_task(self._listen())

    def disable_input(self) -> None:
        """Read no more."""
        if self._pumping is not None:
            self._pumping.cancel()
        if self._listening is not None:
            self._listening.cancel()

    def stop_application_mode(self) -> None:
        """Leave the terminal as it was."""
        self.disable_input()
        self._mouse_reports(on=False)
        self.write("\x1b[?2004l\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l")

    def _mouse_reports(self, *, on: bool) -> None:
        if self.mouse:
            self.write("".join(f"\x1b[?{mode}{'h' if on else 'l'}" for mode in _MOUSE))

    # ---- what comes -----------------------------------------------------------------------

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
        """Read on while the app keeps up, and soon again; then what was begun is taken as it is."""
        if self._pumping is not None:
            self._pumping.cancel()
        wait = MOMENT
        if self._waiting and not self.backlog.is_full:
            self._quiet = 0
            piece = bytes(self._waiting[:PIECE])
            del self._waiting[:PIECE]
            for message in self._intake.feed(piece):
                self.process_message(message)
            wait = 0.0 if self._waiting else MOMENT
        elif self._waiting:
            wait = self._wait_for_room()
        else:
            self._quiet += 1
            for message in self._intake.tick():
                self.process_message(message)
        reschedule = self._waiting or self._quiet <= PATIENCE
        self._pumping = self.loop.call_later(wait, self._pump) if reschedule else None

    def _wait_for_room(self) -> float:
        """Give the seconds until the next look; a call that measures may be lost with a screen."""
        now = self.loop.time()
        if now - self._stuck > 1.0:
            self._stuck = now
            self.backlog.probe_again()
        return LOOK

    def _resized(self) -> None:
        size = Size(*self.window_size())
        self.send_message(Resize(size, size))

    def _repaint(self) -> None:
        """Paint everything: nobody knows what the terminal shows, or writes with."""
        self._optimiser = None
        self.write("\x1b[m")
        self.app.screen.refresh(layout=True)
        self.app.screen.refresh()  # a layout alone paints what it changes

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
