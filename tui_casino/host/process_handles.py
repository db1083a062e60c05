"""Handles of session processes, reported by the zygote that forked them.

The gateway kills the processes that are reported here, so a compromised session must not be able to
change the report. If the system has process handles (Linux 5.3 or newer), the report includes one.
The handle always refers to the process that was forked, even if another process now has its number.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ..inputs.files import read_bytes

NICE, BEHIND = 5, 19
"""The niceness of a normal session, and of one that uses too much processor time."""
_NUMBER = struct.Struct(">I")
_MOST = 64 << 10  # bytes in a list of children


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
                yield from map(int, read_bytes(listing, _MOST).split())


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
