"""The limits of a server over SSH: number of visits, their length, and rates."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest

from tests.helpers.external_programs import program_path
from tests.helpers.parameter_ids import value_id
from tests.helpers.pty_terminal import PATIENCE
from tests.host.attacks import NARROW
from tests.host.load_clients import MENU, come_in, enrol, session_of
from tests.host.loopback_server import Host, at_terminal, connected, host, new_key, visiting
from tui_casino.host.config import Config
from tui_casino.host.gateway.visit import FULL, LONG, STALLED
from tui_casino.inputs.errors import BadInput

pytestmark = pytest.mark.prove
CONFIG = "grace = 0\nsessions = 2\nlogins = 1000\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host with two places."""
    with host(tmp_path_factory.mktemp("small"), config=CONFIG) as started:
        yield started


async def test_full_server_refuses_new_players_but_not_a_seated_one(small: Host) -> None:
    one, two, three = enrol(small, 3, "Many")
    async with come_in(one) as first, come_in(two) as second:
        await first.shows(MENU)
        await second.shows(MENU)
        async with come_in(three) as late:
            await late.shows("The server is full")
            await asyncio.wait_for(late.ended.wait(), PATIENCE)
        async with come_in(two) as third:  # whoever has a seat may take it along
            await third.shows(MENU)


async def test_remote_visit_ends_with_a_message_after_the_longest_time(tmp_path: Path) -> None:
    with host(tmp_path / "host", config="grace = 0\nlongest = 10\n") as house:
        key = new_key()
        house.add_player(key, "Lingerer")
        async with visiting(house, key) as visitor:
            await visitor.sees("Lingerer")
            while not visitor.ended.is_set():
                visitor.type("\x1b[B")
                await asyncio.sleep(0.5)
            assert LONG.partition(".")[0] in visitor.text


async def test_visit_ends_when_its_folder_fills_the_disk(tmp_path: Path) -> None:
    """The file stands for what hostile code in the session would write; another visit goes on."""
    with host(tmp_path / "host", config="grace = 0\nlogs = 1\n") as house:
        greedy, other = new_key(), new_key()
        player = house.add_player(greedy, "Greedy")
        house.add_player(other, "Modest")
        async with visiting(house, greedy) as visitor, visiting(house, other) as bystander:
            await visitor.sees("Greedy")
            await bystander.sees("Modest")
            with open(house.data.player(player.id) / "filler", "wb") as file:
                os.posix_fallocate(file.fileno(), 0, 140 << 20)
            await asyncio.wait_for(visitor.ended.wait(), PATIENCE)
            assert FULL.partition(".")[0] in visitor.text
            await bystander.type_until("1", "Deal for")


async def test_client_that_reads_nothing_for_half_a_minute_is_disconnected(small: Host) -> None:
    (player,) = enrol(small, 1, "Stuck")
    async with come_in(player, window=NARROW) as line:
        await line.shows(MENU)
        await line.still()
        session = Path(f"/proc/{session_of(player)}")
        assert line.chan is not None
        line.chan.pause_reading()
        until = perf_counter() + 2 * Config().stalled
        for number in range(1 << 20):
            if not session.exists():
                break
            assert perf_counter() < until, "it is there still"
            line.chan.change_terminal_size(100 + number % 2, 30)  # paints everything
            await asyncio.sleep(0.25)
        line.press("")
        line.chan.resume_reading()
        await line.shows(STALLED)


async def test_window_sizes_reported_over_ssh_are_limited(small: Host) -> None:
    """A few of two hundred sizes within a second are painted, and the last one is.

    More would exceed the limit of input per second (``ssh_server.HEARD``): they would be read only
    after seconds of rest.
    """
    (player,) = enrol(small, 1, "Dragger")
    async with connected(small, player.key) as conn, at_terminal(conn) as visitor:
        await visitor.sees("Dragger")
        before = len(visitor.raw)
        visitor.resize(101, 30)
        await visitor.sees(lambda text: text.splitlines()[0][:101].rstrip().endswith("1,000.00"))
        await asyncio.sleep(0.5)
        once = len(visitor.raw) - before
        assert visitor.process is not None
        for number in range(200):
            visitor.process.change_terminal_size(80 + number % 20, 30)
            if number % 20 == 0:
                await asyncio.sleep(0.1)
        visitor.resize(90, 24)
        await visitor.sees(lambda text: text.splitlines()[0][:90].rstrip().endswith("1,000.00"))
        assert len(visitor.raw) - before < 40 * once


async def test_visible_process_data_names_no_player_and_no_cards(small: Host) -> None:
    (player,) = enrol(small, 1, "Secretive")
    async with come_in(player) as line:
        await line.shows(MENU)
        process = Path(f"/proc/{session_of(player)}")
        command = (process / "cmdline").read_bytes().rstrip(b"\0")
        assert command == b"tui-casino: session", "the same for every player"
        assert b"ecretive" not in (process / "comm").read_bytes()


async def test_typed_name_is_shown_literally_without_control_characters(small: Host) -> None:
    name = "a [bold red]Bo[/] b"
    async with connected(small, new_key()) as conn, at_terminal(conn) as visitor:
        await visitor.sees("choose a player name.")
        await visitor.type_until("\x7f" * 10 + "\u202e\x07\x1b[31m\x9b5n" + name + "\r", name)
        await visitor.sees("1,000.00")
        assert name in visitor.text


# ---- OpenSSH's client ----------------------------------------------------------------------------


@pytest.fixture
def ssh(small: Host, tmp_path: Path) -> list[str]:
    """OpenSSH's client with a key of its own."""
    path = tmp_path / "id"
    new_key().write_private_key(path)
    path.chmod(0o600)
    options = {"StrictHostKeyChecking": "no", "UserKnownHostsFile": "/dev/null"}
    options |= {"IdentitiesOnly": "yes", "BatchMode": "yes", "ControlPath": f"{tmp_path}/line"}
    arguments = [f"-o{name}={value}" for name, value in options.items()]
    return [program_path("ssh"), "-F", "none", "-i", str(path), "-p", str(small.port), *arguments]


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    return subprocess.run(
        words, capture_output=True, text=True, timeout=PATIENCE, env=environ, check=False
    )


def test_ssh_connection_has_only_one_channel(ssh: list[str]) -> None:
    with subprocess.Popen(
        [*ssh, "-M", "-N", "-f", "x@127.0.0.1"], stderr=subprocess.DEVNULL
    ) as asks:
        assert asks.wait(PATIENCE) == 0
    try:
        first = ran(*ssh, "-S", ssh[-1].partition("ControlPath=")[2], "x@127.0.0.1", "version")
        assert (first.returncode, first.stdout[:10]) == (0, "tui-casino")
        second = ran(*ssh, "-oProxyCommand=false", "x@127.0.0.1", "version")
        assert second.returncode != 0
        assert "tui-casino" not in second.stdout
    finally:
        ran(*ssh, "-O", "exit", "x@127.0.0.1")


@pytest.mark.parametrize(
    "options",
    [
        ("-oPreferredAuthentications=password",),
        ("-oPreferredAuthentications=keyboard-interactive",),
        ("-oPreferredAuthentications=hostbased,gssapi-with-mic",),
    ],
    ids=value_id,
)
def test_ssh_login_without_a_public_key_is_refused(
    ssh: list[str], options: tuple[str, ...]
) -> None:
    result = ran(*ssh, *options, "x@127.0.0.1", "version")
    assert result.returncode == 255
    assert "Permission denied (publickey)" in result.stderr


def test_ssh_version_is_answered_despite_other_environment_variables(ssh: list[str]) -> None:
    result = ran(*ssh, "-oSetEnv=LD_PRELOAD=/x.so TEXTUAL=debug LANG=C", "x@127.0.0.1", "version")
    assert (result.returncode, result.stdout[:10]) == (0, "tui-casino")


def test_remote_socket_forwarding_is_refused(ssh: list[str], tmp_path: Path) -> None:
    there = f"{tmp_path}/there"
    result = ran(*ssh, "-N", "-oExitOnForwardFailure=yes", "-R", f"{there}:/x", "x@127.0.0.1")
    assert result.returncode != 0
    assert not Path(there).exists()


def test_metrics_address_outside_loopback_is_refused() -> None:
    from tui_casino.host.config import parse_loopback

    assert parse_loopback("[::1]:0") == ("::1", 0)
    for where in ("0.0.0.0:9125", "192.0.2.1:9125", "casino.example:9125"):
        with pytest.raises(BadInput, match="reached from outside"):
            parse_loopback(where)
