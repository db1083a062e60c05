"""Clients that do not read: their backlog is limited, and their connections are closed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from asyncssh.constants import MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, String

from tests.helpers.pty_terminal import PATIENCE
from tests.host.attacks import NARROW
from tests.host.load_clients import MENU, come_in, enrol, session_of
from tests.host.loopback_server import Host, at_terminal, connected, host, new_key, until
from tests.host.short_timeouts import PROGRAM
from tests.host.test_admission import audited
from tests.host.test_bystanders import peak
from tui_casino.host.gateway.ssh_commands import is_slow
from tui_casino.host.gateway.visit import STALLED
from tui_casino.records.log_header import Identity

CONFIG = "grace = 0\nidle = 60\n"
LOG = "20260101-120000-video-poker-abcdef"
MEGABYTES = 20
READERS = 8
WIDE = (1 << 31) - 1
GOLDEN = Path(__file__).parents[1] / "golden" / "video-poker" / "session.jsonl"
HEADER = GOLDEN.read_bytes().splitlines(keepends=True)[0]
ENDED = b'{"end":{"why":"left","money":[1],"seed":null},"at":1,"prev":""}\n'


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host that closes stuck connections after a second."""
    with host(tmp_path_factory.mktemp("quick"), config=CONFIG, program=PROGRAM) as started:
        yield started


class Deaf(asyncssh.SSHClientSession[bytes]):
    """A client that reads nothing and accepts nothing more."""

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        chan.pause_reading()

    def session_started(self) -> None:
        raise AssertionError("it was told not to read")


@asynccontextmanager
async def deaf(
    house: Host, key: asyncssh.SSHKey, command: str, window: int
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """Ask something, and read none of the answer; with a wide window not even from the network."""
    async with connected(house, key) as conn:
        options: Any = {"encoding": None, "window": window}
        session = asyncio.ensure_future(conn.create_session(Deaf, command, **options))
        await asyncio.sleep(0.3)
        if window == WIDE:
            getattr(conn, "_transport").pause_reading()  # noqa: B009
        yield conn
        session.cancel()
        conn.abort()


def long_log(house: Host, player: Identity) -> bytes:
    """Write the log of a sitting that is over; give its bytes."""
    line = b'{"n":1,"' + b"x" * 1000 + b'"}\n'
    raw = HEADER + line * (MEGABYTES * 1000) + ENDED
    folder = house.data.player(player.id) / "sessions"
    folder.mkdir(exist_ok=True)
    (folder / f"{LOG}.jsonl").write_bytes(raw)
    return raw


@pytest.mark.prove
async def test_ssh_client_that_never_reads_is_disconnected(quick: Host) -> None:
    async with deaf(quick, new_key(), "version", 1) as conn:
        await asyncio.wait_for(conn.wait_closed(), PATIENCE)


@pytest.mark.prove
async def test_unread_long_answers_take_little_gateway_memory(quick: Host) -> None:
    """Before they were sent in pieces, each reader had the whole answer kept for it."""
    key, gateway = new_key(), quick.helpers[1]
    long_log(quick, quick.add_player(key, "Hoarder"))
    before = peak(gateway)
    async with AsyncExitStack() as stack:
        conns = [
            await stack.enter_async_context(deaf(quick, key, f"log {LOG}", WIDE))
            for _ in range(READERS)
        ]
        await asyncio.sleep(0.5)
        assert peak(gateway) - before < READERS * MEGABYTES * 1000 // 4
        for conn in conns:
            getattr(conn, "_transport").resume_reading()  # noqa: B009 - it sees the end only so
            await asyncio.wait_for(conn.wait_closed(), PATIENCE)


async def test_long_ssh_answer_is_sent_completely(quick: Host) -> None:
    key = new_key()
    raw = long_log(quick, quick.add_player(key, "Archivist"))
    async with connected(quick, key) as conn:
        result = await conn.run(f"log {LOG}", encoding=None)
    assert result.exit_status == 0
    assert result.stdout == raw


async def test_ssh_promises_command_sends_complete_lines_from_the_given_number(quick: Host) -> None:
    list_of = quick.data.promises
    before = list_of.read_bytes() if list_of.exists() else None
    try:
        lines = [b"%d %s\n" % (number, b"x" * 99) for number in range(1, 2000)]
        list_of.write_bytes(b"".join(lines) + b"torn")
        for command, first in (("promises", 1), ("promises 1500", 1500), ("promises 9999", 2000)):
            async with connected(quick, new_key()) as conn:
                result = await conn.run(command, encoding=None)
            assert (result.exit_status, result.stdout) == (0, b"".join(lines[first - 1 :]))
    finally:
        list_of.unlink()
        if before is not None:
            list_of.write_bytes(before)


@pytest.mark.prove
async def test_ssh_connection_of_a_player_who_stops_reading_is_closed(quick: Host) -> None:
    (player,) = enrol(quick, 1, "Stuck")
    async with come_in(player, window=NARROW) as line:
        await line.shows(MENU)
        await line.still()
        session = Path(f"/proc/{session_of(player)}")
        assert line.chan is not None
        conn = line.chan.get_connection()
        line.chan.pause_reading()
        for number in range(1 << 10):
            if not session.exists():
                break
            line.chan.change_terminal_size(100 + number % 2, 30)  # paints everything
            await asyncio.sleep(0.1)
        await asyncio.wait_for(conn.wait_closed(), PATIENCE)
    leaving = [entry for entry in audited(quick) if entry["what"] == "leaves"]
    assert leaving[-1]["reason"] == "stalled", STALLED


@pytest.mark.prove
async def test_unfinished_repeated_key_exchange_ends_the_ssh_connection(quick: Host) -> None:
    """Until its end all other output would be kept for the client."""
    async with connected(quick, new_key()) as conn, at_terminal(conn) as visitor:
        await visitor.sees("choose a player name.")
        getattr(conn, "_send_kexinit")()  # noqa: B009
        setattr(conn, "_kexinit_sent", True)  # noqa: B010
        transport = getattr(conn, "_transport")  # noqa: B009
        transport.pause_reading()
        await asyncio.sleep(3.0)
        transport.resume_reading()
        await asyncio.wait_for(conn.wait_closed(), PATIENCE)


async def test_long_commands_do_not_delay_short_ones(quick: Host) -> None:
    """While no process can be had for them six checks wait, of which two may be under way."""
    keys = [new_key() for _ in range(3)]
    for number, key in enumerate(keys):
        long_log(quick, quick.add_player(key, f"Checker {number}"))
    async with AsyncExitStack() as stack:
        os.kill(quick.helpers[0], signal.SIGSTOP)  # the zygote
        try:
            for key in (*keys, *keys):
                conn = await stack.enter_async_context(connected(quick, key))
                stack.callback(asyncio.ensure_future(conn.run(f"verify {LOG}")).cancel)
            await asyncio.sleep(0.5)
            for command in ("who", "version", "top"):
                async with connected(quick, new_key()) as other:
                    result = await asyncio.wait_for(other.run(command), PATIENCE)
                assert result.exit_status == 0
        finally:
            os.kill(quick.helpers[0], signal.SIGCONT)
    await until(lambda: not quick.sessions)


async def test_answers_to_a_cut_ssh_connection_are_dropped_without_a_log_line(quick: Host) -> None:
    key = new_key()
    quick.add_player(key, "Gus")
    cuts = 0
    for _ in range(8):
        async with connected(quick, key) as conn:
            transport = getattr(conn, "_transport")  # noqa: B009
            transport.pause_reading()
            for _ in range(3000):
                conn.send_packet(MSG_GLOBAL_REQUEST, String(b"x@y"), Boolean(True))
            await asyncio.sleep(0.05)
            reset = struct.pack("ii", 1, 0)  # no data is sent after the end, not even what waits
            end = transport.get_extra_info("socket")
            if end.fileno() >= 0:  # on a busy machine the server may have cut it already
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
                transport.abort()
                cuts += 1
    assert cuts
    async with connected(quick, key) as conn:
        assert (await conn.run("who")).exit_status == 0
    assert "raised exception" not in quick.warnings.read_text()


@pytest.mark.parametrize(
    ("command", "slow"),
    [
        ("top", True),
        ("daily", True),
        ("verify x", True),
        ("who", False),
        ("help", False),
        ("", False),
    ],
)
def test_commands_that_read_many_files_take_turns(command: str, slow: bool) -> None:
    assert is_slow(command) is slow
