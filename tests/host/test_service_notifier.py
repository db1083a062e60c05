"""The messages to systemd, received by a socket like that of systemd."""

from __future__ import annotations

import os
import re
import signal
import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.helpers.pty_terminal import CASINO, PATIENCE
from tests.host.loopback_server import host
from tui_casino.host.config import Config
from tui_casino.host.processes import BEAT, READY, ServiceNotifier
from tui_casino.host.supervisor import DRAIN, stop_seconds
from tui_casino.structs import replace

Receive = Callable[[], tuple[str, int]]
"""Waits for a message, and returns it with the process that sent it."""
_CREDENTIALS = struct.Struct("iii")


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "notify")


@pytest.fixture
def receive(address: str) -> Iterator[Receive]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(address)
        line.settimeout(PATIENCE)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)

        def take() -> tuple[str, int]:
            raw, [(_, _, sender)], _, _ = line.recvmsg(4096, socket.CMSG_SPACE(_CREDENTIALS.size))
            return raw.decode(), _CREDENTIALS.unpack(sender)[0]

        yield take


def test_message_reaches_a_socket_without_a_path() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("")  # the system chooses an abstract name
        ServiceNotifier(line.getsockname().decode().replace("\0", "@", 1)).send(BEAT)
        line.settimeout(PATIENCE)
        assert line.recv(4096) == b"WATCHDOG=1"


@pytest.mark.parametrize("address", ["", "/nonexistent/notify", "x" * 200])
def test_message_without_a_receiver_is_dropped(address: str) -> None:
    ServiceNotifier(address).send(READY)


def test_full_queue_of_the_receiver_does_not_block(address: str, receive: Receive) -> None:
    for _ in range(5000):
        ServiceNotifier(address).send(BEAT)
    assert receive()[0] == BEAT


@pytest.mark.parametrize("grace", [0, 30, 300])
def test_stopping_server_asks_for_more_time_than_its_processes_take(
    grace: int, address: str, receive: Receive
) -> None:
    config = replace(Config(), grace=grace)
    ServiceNotifier(address).stopping(stop_seconds(config))
    state, extension = receive()[0].split("\n")
    assert state == "STOPPING=1"
    match = re.fullmatch(r"EXTEND_TIMEOUT_USEC=(\d+)", extension)
    assert match
    assert int(match[1]) > (grace + DRAIN) * 1_000_000


@pytest.mark.prove
def test_server_reports_that_it_is_ready_not_stuck_and_stopping(
    address: str, receive: Receive, tmp_path: Path
) -> None:
    program = ("env", f"NOTIFY_SOCKET={address}", *CASINO)
    with host(tmp_path / "home", program=program) as house:
        seen: dict[str, set[int]] = {}
        beats = 0
        while READY not in seen or beats < 3:
            message, sender = receive()
            seen.setdefault(message, set()).add(sender)
            beats += message == BEAT
        _, gateway, _ = house.helpers
        assert seen == {READY: {house.process.pid}, BEAT: {gateway}}
        os.kill(gateway, signal.SIGKILL)
        while (beat := receive()) == (BEAT, gateway):
            pass
        assert beat[0] == BEAT, "the next gateway"
        assert house.stop() == 0
        while (last := receive()[0]) == BEAT:
            pass
    assert last == f"STOPPING=1\nEXTEND_TIMEOUT_USEC={(DRAIN + 3) * 1_000_000:.0f}"
