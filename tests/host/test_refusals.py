"""Every way out of the game is refused, with a message."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import cast

import asyncssh
import pytest

from tests.helpers.external_programs import program_path
from tests.host.loopback_server import Host, connected, new_key, until, visiting
from tests.host.test_web_server import KEY, served
from tui_casino import __version__
from tui_casino.host.gateway.admission import UnknownConnections
from tui_casino.host.gateway.boards import FRESH, NOBODY, SHOWN, Leaderboard
from tui_casino.host.gateway.reception import Visitor
from tui_casino.host.gateway.ssh_channel import SshChannel
from tui_casino.host.gateway.ssh_server import OpenConnections
from tui_casino.host.identities import Identities
from tui_casino.inputs.errors import BadInput
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger


@pytest.fixture
async def client(house: Host) -> AsyncIterator[asyncssh.SSHClientConnection]:
    async with connected(house, new_key()) as conn:
        yield conn


async def test_ssh_commands_version_and_who_are_answered(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Wilma")
    async with visiting(house, key) as visitor:
        await visitor.sees("Wilma")
        for command, says in (("version", f"tui-casino {__version__}\n"), ("who", "Wilma\n")):
            async with connected(house, new_key()) as conn:
                result = await conn.run(command)
            assert (result.exit_status, result.stdout) == (0, says)


async def test_ssh_who_on_an_empty_server_says_so_and_help_is_answered(house: Host) -> None:
    for command, says in (
        ("who", "nobody is connected\n"),
        ("help", "help\n  list these commands\n"),
    ):
        async with connected(house, new_key()) as conn:
            result = await conn.run(command)
        assert result.exit_status == 0
        assert cast("str", result.stdout).startswith(says)


async def test_ssh_top_lists_winnings_and_finished_sessions_of_each_player(house: Host) -> None:
    keys = [new_key() for _ in range(2)]
    outputs = []
    for key, name in zip(keys, ("Wanda", "Walter"), strict=True):
        player = house.add_player(key, name)
        with closing(SqliteLedger(house.data.ledger)) as ledger:
            for cashed in (50_000, 60_000):
                sitting = f"{name}-{cashed}"
                log = house.data.player(player.id) / "sessions" / f"{sitting}.jsonl"
                ledger.buy_in(OpenSitting(sitting, "toy", log, b"seed", 50_000), player.id, 1)
                if name == "Walter" or cashed == 60_000:
                    ledger.cash_out(sitting, cashed, "h", 2)
    for key in keys:
        async with connected(house, key) as conn:
            outputs.append(str((await conn.run("top")).stdout))
    assert outputs[0] == outputs[1], "it is looked up once a minute"
    lines = [line.split(maxsplit=1)[1] for line in outputs[0].splitlines()]
    assert "+100.00  in 1 session  Wanda" in lines
    assert "+100.00  in 2 sessions  Walter" in lines


def test_ssh_top_lists_the_first_players_and_the_asking_one(tmp_path: Path) -> None:
    with closing(Identities(tmp_path / "identities.db")) as book:
        players = [book.enrol(f"key {n}", f"Player {n}", 1) for n in range(SHOWN + 3)]
        ledger = SqliteLedger(None)
        shown = Leaderboard(book, lambda: ledger)
        for n, player in enumerate(players[1:]):
            ledger.buy_in(OpenSitting(player.id, "toy", tmp_path, b"", 99), player.id, 1)
            ledger.cash_out(player.id, 99 - n, None, 2)
        lines = shown.text(players[-1], 0.0).splitlines()
        assert [line.split()[-1] for line in lines] == [*map(str, range(1, SHOWN + 1)), "22"]
        assert lines[-1].split()[:2] == ["22", "-0.21"]
        assert len(shown.text(None, FRESH / 2).splitlines()) == SHOWN
        with pytest.raises(BadInput, match="closed"):
            shown.text(None, FRESH)  # it was closed after the first look
    assert Leaderboard(book, lambda: None).text(None, 0.0) == NOBODY


@pytest.mark.parametrize(
    "command",
    [
        "sh",
        "id; who",
        "scp -t /tmp",
        "log ../../ledger",
        "log",
        "verify /etc/passwd",
        "who\x1b[2J",
        "v" * 9000,
    ],
)
async def test_unknown_ssh_command_is_refused_with_code_2_and_a_sentence(
    client: asyncssh.SSHClientConnection, command: str
) -> None:
    result = await client.run(command)
    assert result.exit_status == 2
    assert isinstance(result.stdout, str)
    assert result.stdout.startswith(("there is no such command", "you have no log"))
    assert "\x1b" not in result.stdout


async def test_ssh_login_without_a_terminal_is_refused_a_shell(
    client: asyncssh.SSHClientConnection,
) -> None:
    result = await client.run()
    assert result.exit_status == 2
    assert "playing needs a terminal" in str(result.stdout)


async def test_ssh_sftp_subsystem_is_refused(
    client: asyncssh.SSHClientConnection,
) -> None:
    with pytest.raises(asyncssh.ChannelOpenError):
        await client.start_sftp_client()


async def test_ssh_local_port_forwarding_is_refused(
    client: asyncssh.SSHClientConnection, house: Host
) -> None:
    with pytest.raises(asyncssh.ChannelOpenError):
        await client.open_connection("127.0.0.1", house.port)
    with pytest.raises(asyncssh.ChannelOpenError):
        await client.open_unix_connection("/run/x.sock")


async def test_ssh_remote_port_forwarding_is_refused(
    client: asyncssh.SSHClientConnection, tmp_path: Path
) -> None:
    with pytest.raises(asyncssh.ChannelListenError):
        await client.start_server(lambda *_: True, "127.0.0.1", 0)
    with pytest.raises(asyncssh.ChannelListenError):
        await client.start_unix_server(lambda *_: True, str(tmp_path / "x.sock"))


async def test_ssh_tunnels_are_refused(client: asyncssh.SSHClientConnection) -> None:
    with pytest.raises(asyncssh.ChannelOpenError):
        await client.create_tun(lambda: asyncssh.SSHTunTapSession())


async def test_ssh_x11_is_refused_to_a_client_that_also_forwards_its_agent(
    house: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client asks for both; the session has no way to either."""
    monkeypatch.setenv("DISPLAY", "127.0.0.1:7")
    async with connected(house, new_key(), agent_forwarding=True) as conn:
        with pytest.raises(asyncssh.ChannelOpenError, match="X11"):
            await conn.create_process("version", x11_forwarding=True)


async def test_second_ssh_channel_of_a_connection_is_refused(house: Host) -> None:
    async with connected(house, new_key()) as conn:
        assert (await conn.run("version")).exit_status == 0
        with pytest.raises(asyncssh.ChannelOpenError):
            await conn.run("version")


async def test_only_terminal_variables_of_a_client_environment_are_accepted(house: Host) -> None:
    """The others, and values too long, make no difference: no file is written, no theme is lost."""
    key = new_key()
    player = house.add_player(key, "Vera")
    environ = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1" * 70}
    environ |= {"HOME": "/", "TEXTUAL_SCREENSHOT": "1", "LD_PRELOAD": "/x.so", "LC_ALL": "C"}
    environ |= {"TUI_CASINO_LOG_DIR": "/tmp/elsewhere", "COLUMNS": "9"}
    async with visiting(house, key, environ=environ) as visitor:
        await visitor.sees("Vera")
        assert b"38;2;" in visitor.raw, "in all colours"
        assert "♠" in visitor.text
        await until(lambda: len(house.sessions) == 1)  # those before may be leaving still
        (session,) = house.sessions
        environment = Path(f"/proc/{session}/environ").read_bytes()
        for name in ("TEXTUAL_SCREENSHOT", "LD_PRELOAD", "elsewhere"):
            assert name.encode() not in environment
        assert Path(f"/proc/{session}/cwd").resolve() == house.data.player(player.id)


@pytest.mark.prove
async def test_flood_of_environment_variables_is_ignored(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Eva")
    flood = {f"X{number}": "x" * 400 for number in range(40)}
    async with visiting(house, key, environ={"LANG": "C", **flood}) as visitor:
        await visitor.sees("Eva")
        assert "\u2660" not in visitor.text, "the locale asks for plain letters"


@pytest.mark.prove
async def test_client_that_floods_input_is_read_again_later(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Flo")
    async with visiting(house, key) as visitor:
        await visitor.sees("Play video poker")
        visitor.type(b"\x1b[" + b"9" * 200_000 + b"u")
        await asyncio.sleep(0.1)
        await visitor.type_until("\x1b[B", "Play baccarat")


@pytest.mark.parametrize(
    ("terminal", "has_256"), [("xterm-256color", True), ("xterm", False), ("vt100", False)]
)
async def test_session_uses_256_colours_only_if_its_terminal_type_has_them(
    house: Host, terminal: str, has_256: bool
) -> None:
    key = new_key()
    house.add_player(key, f"Term {terminal}")
    async with visiting(house, key, environ={"TERM": terminal}) as visitor:
        await visitor.sees("Play video poker")
    assert b"38;2;" not in visitor.raw
    assert (b"38;5;" in visitor.raw) is has_256


# ---- who may come in --------------------------------------------------------------------------


async def test_ssh_login_without_a_key_is_refused(house: Host) -> None:
    for options in ({"password": "x"}, {}):
        with pytest.raises(asyncssh.PermissionDenied):
            async with connected(house, None, "root", **options):
                pass


class Forger(asyncssh.SSHClient):
    """Shows a key that is somebody else's, and signs with one of its own."""

    def __init__(self, shown: asyncssh.SSHKey) -> None:
        self.shown, self.tries = shown, 0

    def public_key_auth_requested(self) -> asyncssh.SSHKeyPair:
        self.tries += 1
        (pair,) = asyncssh.load_keypairs([self.shown])
        own = new_key()
        setattr(pair, "sign", lambda data: own.sign(data, b"ssh-ed25519"))  # noqa: B010
        return pair


async def test_ssh_login_with_an_unsigned_key_is_refused_within_six_tries(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Victim")
    forger = Forger(key.convert_to_public())
    options = {"known_hosts": None, "config": None, "agent_path": None, "username": "x"}
    with pytest.raises(asyncssh.DisconnectError, match="too many tries"):
        await asyncssh.create_connection(lambda: forger, "127.0.0.1", house.port, **options)
    assert forger.tries <= 6


def test_host_key_is_private_ed25519_with_the_announced_fingerprint(house: Host) -> None:
    assert house.data.host_key.stat().st_mode & 0o777 == 0o600
    assert house.data.root.stat().st_mode & 0o777 == 0o700
    shown = subprocess.run(
        [program_path("ssh-keygen"), "-l", "-f", house.data.host_key],
        capture_output=True,
        text=True,
        check=True,
    )
    assert house.fingerprint in shown.stdout
    assert "ED25519" in shown.stdout


class Connection:
    """A connection that can only be aborted."""

    aborted = False

    def abort(self) -> None:
        self.aborted = True


def test_new_client_takes_a_place_from_the_most_crowded_address() -> None:
    refused: list[tuple[str, str]] = []
    unknown = UnknownConnections(4, lambda *reason: refused.append(reason))
    addresses = ("1.1.1.1", "2001:db8::1", "2001:db8::2", "2.2.2.2", "3.3.3.3", "4.4.4.4")
    conns = [Connection() for _ in addresses]
    for conn, address in zip(conns, addresses, strict=True):
        unknown.add(conn, address)
    assert refused == [("crowded", "2001:db8::1"), ("crowded", "1.1.1.1")]
    assert [conn.aborted for conn in conns] == [True, True, False, False, False, False]
    assert len(unknown) == 4


def test_new_client_replaces_the_oldest_unidentified_but_no_known_one() -> None:
    refused: list[tuple[str, str]] = []
    connections = OpenConnections(3, 2, lambda *reason: refused.append(reason))
    first, second, third, fourth = (Connection() for _ in range(4))

    def add(conn: Connection, address: str) -> bool:
        return connections.add(cast(asyncssh.SSHServerConnection, conn), address)

    assert add(first, "1.1.1.1")
    connections.mark_known(cast(asyncssh.SSHServerConnection, first))
    assert add(second, "2.2.2.2")
    assert add(third, "3.3.3.3")
    assert not refused
    assert add(fourth, "4.4.4.4")
    assert [conn.aborted for conn in (first, second, third, fourth)] == [False, True, False, False]
    assert refused == [("crowded", "2.2.2.2")]
    for conn in (third, fourth):
        connections.mark_known(cast(asyncssh.SSHServerConnection, conn))
    assert not add(Connection(), "5.5.5.5"), "nobody who has logged in loses a place"
    assert refused[1:] == [("full", "5.5.5.5")]


@pytest.mark.parametrize(
    ("size", "accepted"),
    [(1, False), (1023, False), (1024, True)],
    ids=["1 byte", "1023 bytes", "accepted: 1024 bytes"],
)
async def test_ssh_channel_with_tiny_packets_is_refused(
    house: Host, size: int, accepted: bool
) -> None:
    async with connected(house, new_key()) as conn:
        if accepted:
            assert (await conn.run("version", max_pktsize=size)).exit_status == 0
        else:
            with pytest.raises((asyncssh.DisconnectError, asyncssh.ChannelOpenError)):
                await conn.run("version", max_pktsize=size)


async def test_version_is_answered_without_the_player_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[str] = []

    def fails(*asked: object) -> None:
        raise BadInput("the database is away")

    monkeypatch.setattr(Identities, "player_of", fails)
    monkeypatch.setattr(SshChannel, "say", lambda channel, text: answers.append(text))
    async with served(tmp_path) as site:
        channel = SshChannel(site.house, Visitor(KEY, "me", "127.0.0.1"), lambda: None)
        assert await channel._answer("version") == 0
        assert answers == [f"tui-casino {__version__}\n"]
        with pytest.raises(BadInput, match="away"):
            await channel._answer("top")


async def test_ssh_dsa_keys_are_not_accepted(house: Host) -> None:
    key = asyncssh.generate_private_key("ssh-dss")
    with pytest.raises(asyncssh.PermissionDenied):
        async with connected(house, key, signature_algs=["ssh-dss"]):
            pass


async def test_rsa_keys_do_not_sign_with_sha_1(house: Host) -> None:
    key = asyncssh.generate_private_key("ssh-rsa", key_size=2048)
    async with connected(house, key) as conn:
        assert (await conn.run("version")).exit_status == 0
    with pytest.raises(asyncssh.DisconnectError, match="SHA-2"):
        async with connected(house, key, signature_algs=["ssh-rsa"]):
            pass
