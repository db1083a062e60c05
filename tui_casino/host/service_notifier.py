"""Messages to systemd, which starts the server: the protocol of ``sd_notify(3)``."""

from __future__ import annotations

import socket
from contextlib import suppress

from msgspec import Struct

READY = "READY=1"
BEAT = "WATCHDOG=1"
"""The server is not stuck; see ``WatchdogSec`` in the unit."""


class ServiceNotifier(Struct, frozen=True):
    """Sends messages to the socket in ``NOTIFY_SOCKET``; does nothing without an ``address``.

    An address that begins with ``@`` is in Linux's abstract namespace.
    """

    address: str = ""

    def send(self, message: str) -> None:
        """Send a message without waiting; a lost one does no harm, because the next one follows."""
        if not self.address:
            return
        name = self.address.replace("@", "\0", 1) if self.address[0] == "@" else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(message.encode(), name)

    def stopping(self, seconds: float) -> None:
        """Report that the server stops, and ask for time to do so, whatever the unit allows."""
        self.send(f"STOPPING=1\nEXTEND_TIMEOUT_USEC={round(seconds * 1_000_000)}")
