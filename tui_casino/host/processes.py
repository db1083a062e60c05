"""The processes of a server: handles, the table of children, titles, messages to systemd.

The zygote reports handles of the session processes that it forked. The gateway kills the processes
that are reported here, so a compromised session must not be able to change the report. If the
system has process handles (Linux 5.3 or newer), the report includes one. The handle always refers
to the process that was forked, even if another process now has its number.

The supervisor records the starts and process ids of its children in shared memory. All child
processes inherit this memory; only the supervisor writes to it.
"""

from __future__ import annotations

import asyncio
import ctypes
import mmap
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from ..inputs.files import read_bytes

NICE, BEHIND = 5, 19
"""The niceness of a normal session, and of one that uses too much processor time."""
_NUMBER = struct.Struct(">I")
_LONGEST_LIST = 64 << 10  # bytes in a list of children


class ProcessHandle:
    """A process that can be killed: its ``number`` and, if available, a handle."""

    def __init__(self, number: int, handle: int | None = None) -> None:
        self.number, self._handle, self._over = number, handle, False

    def kill(self) -> None:
        """Kill the process if it is still running."""
        if self._over:
            return
        with suppress(OSError):
            if self._handle is None:
                os.kill(self.number, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    @property
    def seconds(self) -> float:
        """The processor seconds of the process and its children; 0 if they are not reported."""
        return _seconds(self.number) + sum(map(_seconds, _begun_by(self.number)))

    @property
    def threads(self) -> int:
        """The number of threads of the process; 0 if the system does not report it."""
        with suppress(OSError):
            return len(os.listdir(f"/proc/{self.number}/task"))
        return 0

    def give_way(self, niceness: int) -> bool:
        """Set the niceness of the process group; return false if the system does not allow that.

        A higher niceness is always allowed. A lower one is allowed only to root, or within
        ``RLIMIT_NICE``.
        """
        if self._over:
            return False
        try:
            os.setpriority(os.PRIO_PGRP, self.number, niceness)
        except OSError:
            return False
        return True

    def may_return(self) -> bool:
        """Return whether the system allows restoring the usual priority; leave it at that."""
        return self.give_way(NICE + 1) and self.give_way(NICE)

    async def dead(self, seconds: float) -> None:
        """Wait at most ``seconds`` until the process has ended; a slow disk may delay its end."""
        if self._handle is None:
            return
        await _readable(self._handle, seconds)

    def close(self) -> None:
        """Release the handle, so that no other process with the same number can be killed."""
        self._over = True
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _seconds(process: int) -> float:
    with suppress(OSError, AttributeError):
        return time.clock_gettime(~process << 3 | 2)  # as clock_getcpuclockid(3) does
    return 0.0


def _begun_by(process: int) -> Iterator[int]:
    """Yield the ids of a process's children, if the system reports them."""
    with suppress(OSError):  # the process has ended
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError):  # the thread has ended
                listing = Path(f"/proc/{process}/task/{thread}/children")
                yield from map(int, read_bytes(listing, _LONGEST_LIST).split())


def send_process(report: socket.socket, process: int) -> None:
    """Report a child that was just forked and has not been waited for yet."""
    handles = []
    with suppress(AttributeError, OSError):
        handles.append(os.pidfd_open(process))
    try:
        with suppress(OSError):  # the gateway may have ended
            socket.send_fds(report, [_NUMBER.pack(process)], handles)
    finally:
        for handle in handles:
            os.close(handle)


async def receive_process(report: socket.socket) -> ProcessHandle | None:
    """Wait for a report; return ``None`` if the zygote has died, or could not fork."""
    await _readable(report.fileno())
    try:
        raw, handles, _, _ = socket.recv_fds(report, _NUMBER.size, 1)
    except OSError:
        return None
    if len(raw) != _NUMBER.size:
        return None
    (number,) = _NUMBER.unpack(raw)
    return ProcessHandle(number, handles[0] if handles else None)


async def _readable(descriptor: int, seconds: float | None = None) -> None:
    loop, there = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, there.set)
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await there.wait()
    finally:
        loop.remove_reader(descriptor)


_ROW = struct.Struct("=QQ")
CHILDREN = ("zygote", "gateway", "cage")
_LONGEST_STAT = 4096  # bytes in /proc/PID/stat


class ProcessTable:
    """A row per child: how often it was started, and its process id.

    ``sandbox`` maps each part of the sandbox to its version, or to 0 if the system lacks it.
    """

    def __init__(self, sandbox: Mapping[str, int]) -> None:
        self.sandbox = sandbox
        self._memory = mmap.mmap(-1, _ROW.size * len(CHILDREN))

    def note_start(self, name: str, process: int) -> None:
        """Record that a child was started."""
        at = _ROW.size * CHILDREN.index(name)
        _ROW.pack_into(self._memory, at, self._row(name)[0] + 1, process)

    def _row(self, name: str) -> tuple[int, int]:
        starts, process = _ROW.unpack_from(self._memory, _ROW.size * CHILDREN.index(name))
        return int(starts), int(process)

    def restarts(self) -> dict[str, int]:
        """Return how often each child was restarted."""
        return {name: max(0, self._row(name)[0] - 1) for name in CHILDREN}

    @property
    def zygote(self) -> int:
        """The zygote's process id; 0 before it starts."""
        return self._row("zygote")[1]


def processor_seconds(process: int) -> tuple[float, float]:
    """Return the processor seconds of a process, and of its children that have ended.

    Both are 0 if the system does not report them (``/proc/PID/stat`` of proc(5), fields 14 to 17).
    """
    with suppress(OSError, ValueError, IndexError):
        fields = read_bytes(f"/proc/{process}/stat", _LONGEST_STAT).rpartition(b")")[2].split()
        own, ended = (sum(map(int, fields[first : first + 2])) for first in (11, 13))
        tick = os.sysconf("SC_CLK_TCK")
        return own / tick, ended / tick
    return 0.0, 0.0


PROGRAM = "tui-casino"
_ARGUMENTS = slice(
    45, 47
)  # fields of /proc/self/stat after the name: the command line's addresses, proc(5)
_LONGEST_TITLE = 4096  # bytes in /proc/self/stat
_SET_NAME = 15  # PR_SET_NAME of <linux/prctl.h>


def set_process_title(name: str) -> None:
    """Set the title of this process, such as ``gateway``; has an effect only on Linux."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_SET_NAME, f"casino-{name}".encode(), 0, 0, 0)
    with suppress(OSError, ValueError):
        fields = read_bytes("/proc/self/stat", _LONGEST_TITLE).rpartition(b")")[2].split()
        start, end = map(int, fields[_ARGUMENTS])
        length = end - start
        if length > 0:  # 0 without the permission to know
            title = f"{PROGRAM}: {name}".encode()[: length - 1]
            ctypes.memmove(start, title.ljust(length, b"\0"), length)


READY = "READY=1"
BEAT = "WATCHDOG=1"
"""The server is not stuck; see ``WatchdogSec`` in the unit."""


class ServiceNotifier(Struct, frozen=True):
    """Sends messages to the socket in ``NOTIFY_SOCKET``; does nothing without an ``address``.

    The protocol is that of ``sd_notify(3)``. An address that begins with ``@`` is in Linux's
    abstract namespace.
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
