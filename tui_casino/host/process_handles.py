"""Handles of session processes, reported by the zygote that forked them.

A gateway kills by what it is told here, so whoever took over a session must have no say in it.
Where the system has handles for processes (Linux from 5.3 on) one comes along: it is of the very
process that was forked, even when that has ended and another one has its number.
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
"""How nice a session is to the gateway and the cage; and one that wants more than its share."""
_NUMBER = struct.Struct(">I")
_MOST = 64 << 10  # bytes that the system tells of children


class ProcessHandle:
    """A process that can be ended: its ``number`` and, where there are any, a handle to it."""

    def __init__(self, number: int, handle: int | None = None) -> None:
        self.number, self._handle, self._over = number, handle, False

    def kill(self) -> None:
        """End it at once, if it is there still."""
        if self._over:
            return
        with suppress(OSError):
            if self._handle is None:
                os.kill(self.number, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    @property
    def seconds(self) -> float:
        """The processor time that it and those it began have used; 0 where that is not told."""
        return _seconds(self.number) + sum(map(_seconds, _begun_by(self.number)))

    @property
    def threads(self) -> int:
        """How many threads it has; 0 where the system does not tell."""
        with suppress(OSError):
            return len(os.listdir(f"/proc/{self.number}/task"))
        return 0

    def give_way(self, niceness: int) -> bool:
        """Let it and all that it began be as nice as this; false if the system does not let us.

        To be nicer is always allowed, less so only to root, or where ``RLIMIT_NICE`` says so.
        """
        if self._over:
            return False
        try:
            os.setpriority(os.PRIO_PGRP, self.number, niceness)
        except OSError:
            return False
        return True

    async def dead(self, seconds: float) -> None:
        """Wait until it has ended, so long at most: a disk that does not answer may keep it."""
        if self._handle is None:
            return
        await _readable(self._handle, seconds)

    def close(self) -> None:
        """Let go of it: from now on nothing can happen to it, or to who has its number then."""
        self._over = True
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _seconds(process: int) -> float:
    with suppress(OSError, AttributeError):
        return time.clock_gettime(~process << 3 | 2)  # as clock_getcpuclockid(3) has it
    return 0.0


def _begun_by(process: int) -> Iterator[int]:
    """Give the children of all its threads; none where the system does not tell."""
    for listing in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            yield from map(int, read_bytes(listing, _MOST).split())


def send_process(report: socket.socket, process: int) -> None:
    """Tell of a child that was forked just now, and is not waited for yet."""
    handles = []
    with suppress(AttributeError, OSError):
        handles.append(os.pidfd_open(process))
    try:
        with suppress(OSError):  # the gateway may be gone
            socket.send_fds(report, [_NUMBER.pack(process)], handles)
    finally:
        for handle in handles:
            os.close(handle)


async def receive_process(report: socket.socket) -> ProcessHandle | None:
    """Wait until one is told of; nothing if the zygote has died, or could not fork."""
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
