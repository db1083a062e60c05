"""A server starts, refuses to start, and stops; its sessions are sandboxed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command_runner import output
from tests.helpers.pty_terminal import ROOT
from tests.host.load_clients import open_files
from tests.host.loopback_server import (
    AS_ROOT,
    Host,
    alive,
    at_terminal,
    connected,
    deal,
    host,
    new_key,
    until,
    visiting,
)
from tui_casino.host.config import Config, parse_address, read_config
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.storage import note_books
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile

# ---- what it is told --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "127.0.0.1", "127.0.0.1:", ":22", "::1:22", "a:65536", "a:-1"]
)
def test_invalid_listening_address_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not a listening address"):
        parse_address(text)


def test_server_settings_file_overrides_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "serve.toml").write_text('ssh = "[::1]:0"\nguests = 3\nmemory = 100\n')
    assert read_config(tmp_path / "serve.toml") == Config(ssh="[::1]:0", guests=3, memory=100)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\nguest = 3", r"serve\.toml:2.*unknown key 'guest'"),
        ("guests = -1", ":1: guests is -1; it must be a whole number from 0"),
        ("idle = 1.5", "idle is 1.5"),
        ("guests = true", "guests is True"),
        ("ssh = 22", "not a listening address"),
        ('database = "db"', ":1: --database: give a URL like"),
        ("database = 5", "--database: give a URL like"),
        ("guests = ", "is not TOML"),
    ],
)
def test_wrong_server_settings_file_is_refused_with_its_line(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "serve.toml").write_text(text)
    with pytest.raises(BadFile, match=why):
        read_config(tmp_path / "serve.toml")


def test_impossible_options_are_refused_before_the_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        where = f"127.0.0.1:{occupied.getsockname()[1]}"
        for options, reason in (
            (["--ssh", "nowhere"], "not a listening address"),
            (["--guests", "many"], "not a whole number"),
            (["--config", "none.toml"], "none.toml: cannot be read"),
            (["--ssh", where], "cannot listen"),
            (["--data", "/dev/null"], "cannot be used"),
            (["--database", "mysql://x"], "URL like postgresql://"),
            (
                ["--database", "postgresql://ann:geheim@/x?host=/nowhere"],
                "--database: the database",
            ),
        ):
            out, err = output("serve", "--data", "data", *AS_ROOT, *options, code=2)
            assert reason in err
            assert not out
            assert "geheim" not in err
    lock = DataFolder(tmp_path / "data").lock()
    serve = ("serve", "--data", "data", "--ssh", "127.0.0.1:0")
    assert "another server is running" in output(*serve, *AS_ROOT, code=2).err
    os.close(lock)


def test_server_refuses_to_run_as_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    serve = ("serve", "--data", "data", "--ssh", "127.0.0.1:0")
    assert "serve does not run as root" in output(*serve, code=2).err
    assert not (tmp_path / "data").exists()


def test_player_folders_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    for before in (None, 0o755):
        if before is not None:
            data.players.chmod(before)
        os.close(data.lock())
        assert data.players.stat().st_mode & 0o777 == 0o700


def test_ledger_in_another_place_is_reported(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    files, database = Config(), Config(database="postgresql://casino@db.example/casino")
    assert note_books(files, data) is None
    assert note_books(files, data) is None
    assert "contains a ledger and players of its own" in (note_books(database, data) or "")
    assert note_books(database, data) is None
    assert "was in a database" in (note_books(files, data) or "")
    data.books.unlink()  # as an older program left it
    data.ledger.touch()
    assert note_books(files, data) is None
    data.books.unlink()
    assert "contains a ledger and players of its own" in (note_books(database, data) or "")


async def reached(house: Host) -> bool:
    try:
        async with connected(house, new_key()):
            return True
    except OSError:
        return False


# ---- its end ----------------------------------------------------------------------------------


async def test_terminated_server_ends_visits_and_leaves_no_process(
    tmp_path: Path,
) -> None:
    key = new_key()
    with host(tmp_path / "host") as house:
        player = house.add_player(key, "Ann")
        async with visiting(house, key) as visitor:
            await deal(visitor)
            below = house.children()
            assert len(below) == 4
            house.process.send_signal(signal.SIGTERM)
            assert "The server is shutting down" in await visitor.output()
            await until(lambda: house.process.poll() is not None)
        assert house.process.returncode == 0
        assert not any(alive(process) for process in below)
        assert house.warnings.read_text() == ""
        assert (await reached(house)) is False
    (log,) = (house.data.player(player.id) / "sessions").glob("*.jsonl")
    assert log.stat().st_mode & 0o077 == 0


async def test_draining_server_refuses_new_connections_immediately(tmp_path: Path) -> None:
    """Connected players can continue; a balancer sees that nobody listens any more."""
    key = new_key()
    with host(tmp_path / "host", config="grace = 2\n") as house:
        house.add_player(key, "Ann")
        async with visiting(house, key) as visitor:
            await visitor.sees("Ann")
            house.process.send_signal(signal.SIGTERM)
            await visitor.sees("The server will shut down in 2 seconds")
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", house.port)
            assert not visitor.ended.is_set()
            await visitor.output()


@pytest.mark.prove
async def test_open_hand_waits_after_any_server_process_is_killed(tmp_path: Path) -> None:
    key = new_key()
    with host(tmp_path / "host") as house:
        house.add_player(key, "Ann")
        async with visiting(house, key) as visitor:
            await deal(visitor)
            os.kill(house.helpers[1], signal.SIGKILL)  # the gateway
            await visitor.output()
        await until(lambda: len(house.helpers) == 3 and not house.sessions)
        async with visiting(house, key) as visitor:
            await visitor.sees("waiting:")
            os.kill(house.helpers[0], signal.SIGKILL)  # the zygote: who is here stays
            await visitor.type_until("1", "Draw")
        async with visiting(house, key) as visitor:
            await visitor.sees("waiting:")
            await visitor.type_until("1", "Draw")
            await until(lambda: len(house.helpers) == 3)
            os.kill(house.helpers[0], signal.SIGKILL)  # the cage: nobody plays on without it
            assert "The server had to restart" in await visitor.output()
        async with visiting(house, key) as visitor:
            await visitor.sees("waiting:")
            below = house.children()
            house.process.kill()
            await until(lambda: not any(alive(process) for process in below))
        key_before = house.data.host_key.read_bytes()
    with host(tmp_path / "host") as house:
        assert house.data.host_key.read_bytes() == key_before
        async with visiting(house, key) as visitor:
            await visitor.sees("waiting:")


@pytest.mark.prove
async def test_two_hundred_visits_leave_no_processes_or_files(tmp_path: Path) -> None:
    """Half of them are cut before there is a menu; processes and descriptors are as before."""
    config = "grace = 0\nlogins = 10000\n"
    with host(tmp_path / "host", "--guests", "4", config=config) as house:
        keys = [new_key() for _ in range(4)]
        for key, name in zip(keys, ("Ann", "Bob", "Cleo", "Dora"), strict=True):
            house.add_player(key, name)

        async def come_and_go(number: int, cut: bool) -> None:
            key = None if number % 5 == 4 else keys[number % 4]
            user = "player" if key else "guest"
            async with connected(house, key, user) as conn, at_terminal(conn) as visitor:
                if not cut:
                    await visitor.sees("balance 1,000.00")
                conn.abort()

        async def all_gone() -> list[int]:
            await until(lambda: not house.sessions)
            await asyncio.sleep(1)
            return [*map(open_files, house.helpers)]

        for number in range(8):
            await come_and_go(number, cut=False)
        before = await all_gone()
        for first in range(0, 200, 4):
            batch = range(first, first + 4)
            await asyncio.gather(*(come_and_go(n, cut=n % 2 == 0) for n in batch))
        assert await all_gone() == before
        assert len(house.children()) == 3
        assert not [*house.data.guests.iterdir()]


# ---- confinement ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("does", "ends"),
    [
        ("bytearray(200 << 20)", "MemoryError"),
        ("open('x', 'wb').truncate(1 << 40)", "OSError"),
        ("[os.open('/dev/null', 0) for _ in range(200)]", "OSError"),
        ("print(open('/proc/self/status').read())", "NoNewPrivs:\t1"),
        pytest.param("while True: pass", -signal.SIGXCPU, marks=pytest.mark.prove),
    ],
)
def test_remote_session_process_has_resource_limits(
    does: str, ends: str | int, tmp_path: Path
) -> None:
    module = "tui_casino.host.session.sandbox"
    script = f"import os\nfrom {module} import limit_process\nlimit_process(100, 1)\n{does}"
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    if isinstance(ends, int):
        assert ended.returncode == ends
    else:
        assert ends in ended.stdout + ended.stderr
