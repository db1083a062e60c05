"""Admission: bans with reasons, added and removed keys, rate limits and connection limits."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import asyncssh
import pytest

from tests.helpers.external_programs import program_path
from tests.helpers.narrow import not_none
from tests.helpers.pty_terminal import PATIENCE
from tests.host.loopback_server import Host, connected, host, new_key, until, visiting
from tui_casino.host.addresses import household, parse_ip, parse_network
from tui_casino.host.audit_log import DAY, AuditLog
from tui_casino.host.cage_protocol import HEAD, refusal_message, unpack_answer
from tui_casino.host.config import Config
from tui_casino.host.control_socket import ControlAnswer, ControlRequest, send_request, token_path
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.gateway.admission import AdmissionControl
from tui_casino.host.gateway.metrics import GatewayCounters
from tui_casino.host.identities import BanTarget, Identities
from tui_casino.host.rate_limits import ConcurrencyLimit, JobLimit, RateLimit
from tui_casino.inputs.errors import BadInput
from tui_casino.records.clock import now
from tui_casino.records.codec import decode, encode
from tui_casino.records.ledger import LedgerError

STRICT = "grace = 0\nexcepted = []\nconnections = 3\nconnects = 40\nlogins = 4\n"


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host to which loopback is an address like any other."""
    folder = tmp_path_factory.mktemp("strict")
    with host(folder, "--guests", "1", "--metrics", "127.0.0.1:0", config=STRICT) as started:
        yield started


async def says(house: Host, key: asyncssh.SSHKey, command: str) -> tuple[int | None, str]:
    async with connected(house, key) as conn:
        result = await conn.run(command)
    return result.exit_status, str(result.stdout)


def audited(house: Host) -> list[dict[str, object]]:
    return [
        json.loads(line)
        for file in house.data.audit.glob("*.jsonl")
        for line in file.read_text().splitlines()
    ]


# ---- keys -------------------------------------------------------------------------------------


async def test_added_key_joins_the_account_and_a_revoked_key_ends_its_visit(house: Host) -> None:
    old, new = new_key(), new_key()
    prints = [key.get_fingerprint("sha256") for key in (old, new)]
    player = house.add_player(old, "Ottilie")
    assert "connect once" in (await says(house, new, "add-key"))[1]
    code, output = await says(house, old, "add-key")
    assert code == 0
    word = output.split("use-code ")[1].split()[0]
    assert (await says(house, old, f"use-code {word}"))[0] == 2
    assert await says(house, new, f"use-code {word}") == (0, "This key now belongs to Ottilie.\n")
    code, output = await says(house, new, "keys")
    assert output.count("SHA256:") == 2
    assert output.splitlines()[1].endswith("in use now")
    assert (await says(house, new, f"remove-key {prints[1]}"))[0] == 2
    assert (await says(house, new, f"remove-key {prints[0]}"))[0] == 0
    code, output = await says(house, old, "who")
    assert (code, "This key was revoked" in output) == (2, True)
    async with visiting(house, old) as visitor:
        assert "This key was revoked" in await visitor.output()
    async with visiting(house, new) as visitor:
        await visitor.sees("Ottilie")
        with closing(Identities(house.data.identities)) as book:
            book.revoke(prints[1], now())
        answer = not_none(send_request(house.data.control, ControlRequest("look")))
        assert answer.text.startswith("1 visit ended")
        assert "This key was revoked" in await visitor.output()
    assert {"what": "enters", "player": player.id, "key": prints[1]}.items() <= next(
        line for line in audited(house) if line.get("player") == player.id
    ).items()


@pytest.mark.parametrize(("login", "offered"), [("zelda", "> zelda"), ("root", ">")])
async def test_ssh_login_name_is_offered_as_player_name_if_it_is_allowed(
    house: Host, login: str, offered: str
) -> None:
    async with visiting(house, new_key(), login) as visitor:
        text = await visitor.sees("\n>")
        assert text.split("choose a player name.\n")[1].split("\n")[0] == offered


async def test_audit_log_records_reasons_for_leaving_and_failed_codes(house: Host) -> None:
    key, stranger = new_key(), new_key()
    player = house.add_player(key, "Paula")
    async with visiting(house, key) as visitor:
        await visitor.sees("Paula")
        async with visiting(house, key) as elsewhere:
            await elsewhere.sees("Paula")
            await visitor.output()
            elsewhere.type("q")
            await elsewhere.output()
    async with visiting(house, key) as visitor:
        await visitor.sees("Paula")
    await until(lambda: len(leaving_reasons(house, player.id)) == 3)
    assert leaving_reasons(house, player.id) == ["taken over", "left", "hung up"]
    assert (await says(house, stranger, "use-code ABCDEFGHIJKL"))[0] == 2
    assert {
        "what": "refused",
        "reason": "use-code",
        "address": "127.0.0.1",
        "key": stranger.get_fingerprint("sha256"),
    }.items() <= audited(house)[-1].items()


def leaving_reasons(house: Host, player: str) -> list[object]:
    lines = [line for line in audited(house) if line["what"] == "leaves"]
    return [line["reason"] for line in lines if line["player"] == player]


def test_server_announces_its_next_host_key(tmp_path: Path) -> None:
    """OpenSSH's client takes it into its list of known hosts by itself."""
    key, next_key = new_key(), new_key()
    data = DataFolder(tmp_path / "host" / "data")
    data.root.mkdir(parents=True)
    for path, one in ((data.next_key, next_key), (tmp_path / "id", key)):
        one.write_private_key(path)
        path.chmod(0o600)
    with host(tmp_path / "host") as house:
        used = asyncssh.read_private_key(data.host_key).export_public_key().decode()
        known = tmp_path / "known"
        known.write_text(f"[127.0.0.1]:{house.port} {used}")
        options = {
            "IdentityFile": tmp_path / "id",
            "IdentitiesOnly": "yes",
            "UserKnownHostsFile": known,
            "StrictHostKeyChecking": "yes",
            "UpdateHostKeys": "yes",
        }
        result = subprocess.run(
            [
                *(program_path("ssh"), "-F", "none", "-p", str(house.port)),
                *(f"-o{name}={value}" for name, value in options.items()),
                *("127.0.0.1", "version"),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
    assert result.stdout.startswith("tui-casino ")
    keys = {line.split()[2] for line in known.read_text().splitlines()}
    assert keys == {
        one.export_public_key().decode().split()[1]
        for one in (next_key, asyncssh.read_private_key(data.host_key))
    }


# ---- bans -------------------------------------------------------------------------------------


async def test_ban_of_player_or_key_shows_reason_and_end_and_loopback_is_exempt(
    house: Host,
) -> None:
    key, other = new_key(), new_key()
    player = house.add_player(key, "Rudi")
    with closing(Identities(house.data.identities)) as book:
        async with visiting(house, key) as visitor:
            await visitor.sees("Rudi")
            book.ban(BanTarget.PLAYER, player.id, "bad words", now(), now() + DAY)
            assert send_request(house.data.control, ControlRequest("look")) is not None
            assert "You are banned here until" in await visitor.output()
            assert "bad words" in visitor.text
        async with visiting(house, key) as visitor:
            assert "bad words" in await visitor.output()
        assert "bad words" in (await says(house, key, "who"))[1]
        fingerprint = other.get_fingerprint("sha256")
        book.ban(BanTarget.KEY, fingerprint, "no bots", now(), None)
        code, output = await says(house, other, "who")
        assert (code, output) == (2, "You are banned here: no bots\n")
        book.ban(BanTarget.ADDRESS, "127.0.0.0/8", "a flood", now(), now() + DAY)
        assert (await says(house, new_key(), "version"))[0] == 0, "loopback stands for many"
        book.unban([ban.number for ban in book.bans(now())], now())
    assert (await says(house, key, "who"))[0] == 0
    assert {"what": "refused", "reason": "ban-key", "key": fingerprint}.items() <= next(
        line for line in audited(house) if line.get("reason") == "ban-key"
    ).items()


async def test_banned_address_is_refused_before_login(strict: Host) -> None:
    with closing(Identities(strict.data.identities)) as book:
        ban = book.ban(BanTarget.ADDRESS, "127.0.0.0/24", "a flood of yours", now(), None)
        with pytest.raises(asyncssh.DisconnectError, match="You are banned here: a flood of yours"):
            async with connected(strict, new_key()):
                pass
        book.unban([ban.number], now())
    assert (await says(strict, new_key(), "version"))[0] == 0


# ---- how often, how many ----------------------------------------------------------------------


async def test_connections_per_address_are_limited(strict: Host) -> None:
    async with connected(strict, new_key()), connected(strict, new_key()):
        async with connected(strict, new_key()):
            with pytest.raises((OSError, asyncssh.Error)):
                async with connected(strict, new_key()):
                    pass
        async with connected(strict, new_key()) as conn:
            assert (await conn.run("version")).exit_status == 0
    assert any(line.get("reason") == "at-once" for line in audited(strict))


async def banner(house: Host, source: str) -> bytes:
    """Connect from an address, say nothing, and hang up; give what the host said first."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port, local_addr=(source, 0))
    try:
        return await asyncio.wait_for(reader.read(64), PATIENCE)
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_connection_rate_per_address_is_limited(strict: Host) -> None:
    outputs = []
    for _ in range(45):
        outputs.append(await banner(strict, "127.0.0.7"))
        if not outputs[-1]:
            break
    assert 35 <= sum(map(bool, outputs)) <= 44, "the host had time to let go of those before"
    assert await banner(strict, "127.0.0.8"), "another address is not concerned"


@pytest.mark.prove
async def test_unfinished_handshakes_and_idle_logins_are_closed(house: Host) -> None:
    """They keep their places for twenty seconds, and the first makes room for a newcomer."""
    async with connected(house, new_key()) as idle:
        halves = [await asyncio.open_connection("127.0.0.1", house.port) for _ in range(50)]
        for reader, _ in halves:
            assert (await reader.readline()).startswith(b"SSH-2.0-")
        assert (await says(house, new_key(), "version"))[0] == 0
        assert await asyncio.wait_for(halves[0][0].read(), 5) == b"", "long before its time"
        for reader, writer in halves:
            await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
        await asyncio.wait_for(idle.wait_closed(), PATIENCE)
    assert (await says(house, new_key(), "version"))[0] == 0


async def test_unidentified_connections_per_address_are_limited(tmp_path: Path) -> None:
    """Half a handshake keeps its place for a while; it keeps nobody else's."""
    config = Config(strangers=2, connections=3, excepted=("192.0.2.9",))
    with closing(Identities(tmp_path / "identities.db")) as book:
        entry = AdmissionControl(config, book, AuditLog(tmp_path / "audit"), GatewayCounters())
        address = "2001:db8::1"
        first, second, third = (entry.admit_connection(address) for _ in range(3))
        assert first is not None
        assert second is not None
        assert third is None
        assert entry.admit_connection("192.0.2.1")
        assert all(entry.admit_connection("192.0.2.9") for _ in range(9))
        for _ in range(2):  # it counts once
            first.mark_known()
        assert [entry.admit_connection(address) is not None for _ in range(2)] == [True, False]
        for _ in range(2):
            first.release()
        with second:
            pass
        assert [entry.admit_connection(address) is not None for _ in range(2)] == [True, False]
        assert dict(entry.counts.refusals) == {"strangers": 3}


async def test_login_rate_per_key_is_limited(strict: Host) -> None:
    key = new_key()
    for _ in range(4):
        assert (await says(strict, key, "version"))[0] == 0
    code, output = await says(strict, key, "version")
    assert (code, "Too many attempts" in output) == (2, True)
    assert (await says(strict, new_key(), "version"))[0] == 0


async def test_metrics_are_served_on_loopback_and_name_nobody(strict: Host) -> None:
    key = new_key()
    player = strict.add_player(key, "Quirin")
    async with visiting(strict, key) as visitor:
        await visitor.sees("Quirin")
        answer = not_none(send_request(strict.data.control, ControlRequest("stats")))
        with urllib.request.urlopen(strict.monitor, timeout=10) as response:
            assert response.headers["Content-Type"] == "text/plain; version=0.0.4"
            text = response.read().decode()
    figures = {
        line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
        for line in text.splitlines()
        if not line.startswith("#")
    }
    assert figures["tui_casino_sessions"] == 1
    assert figures["tui_casino_sessions_total"] >= 1
    assert figures["tui_casino_sent_bytes_total"] > 1000
    assert figures['tui_casino_processor_seconds_total{process="zygote"}'] > 0
    assert figures['tui_casino_restarts_total{process="gateway"}'] == 0
    assert set(figures) >= {
        "tui_casino_keys_total",
        "tui_casino_frames_dropped_total",
        "tui_casino_connects_total",
        "tui_casino_table_seats",
        "tui_casino_table_rows_total",
        'tui_casino_table_append_seconds{append="slowest"}',
    }
    for secret in ("Quirin", player.id, "SHA256", "127.0.0"):
        assert secret not in text + answer.text
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(strict.monitor.replace("metrics", "x"), timeout=10)


def test_control_socket_requires_its_token(strict: Host) -> None:
    token = token_path(strict.data.control)
    assert token.stat().st_mode & 0o777 == 0o600
    for shown in ("", "0" * len(token.read_text())):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(10)
            line.connect(str(strict.data.control))
            line.sendall(encode(ControlRequest("drain", token=shown)) + b"\n")
            assert "token" in decode(line.recv(1 << 12), ControlAnswer).error
    answer = not_none(send_request(strict.data.control, ControlRequest("stats")))
    assert "tui_casino_sessions" in answer.text


def test_control_socket_keeps_the_field_names_of_older_versions() -> None:
    request = ControlRequest("kick", player="P1", reason="noise", token="T")
    assert encode(request) == b'{"do":"kick","player":"P1","why":"noise","token":"T"}'
    assert encode(ControlAnswer("kicked")) == b'{"said":"kicked","error":""}'


@pytest.mark.skipif(sys.platform != "linux", reason="other systems show no command lines so")
async def test_each_server_process_is_named_by_its_role(strict: Host) -> None:
    key = new_key()
    strict.add_player(key, "Named")
    async with visiting(strict, key) as visitor:
        await visitor.sees("Named")
        named = [
            Path(f"/proc/{process}/cmdline").read_bytes().rstrip(b"\0").decode()
            for process in (*strict.helpers, *strict.sessions)
        ]
        names = [Path(f"/proc/{p}/comm").read_text().strip() for p in strict.helpers]
    assert sorted(named[:3]) == [f"tui-casino: {what}" for what in ("cage", "gateway", "zygote")]
    assert set(named[3:]) == {"tui-casino: session"}
    assert sorted(names) == ["casino-cage", "casino-gateway", "casino-zygote"]


def test_rate_limit_allows_the_given_number_per_minute() -> None:
    rate = RateLimit(3)
    assert [rate.take("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert rate.take("b", 0.0)
    assert not rate.take("a", 19.0)
    assert rate.take("a", 20.1)
    assert [rate.take("a", 1000.0) for _ in range(4)] == [True, True, True, False]


async def test_job_limit_runs_one_job_per_player_and_at_most_two_in_all() -> None:
    work, done, peak = JobLimit(2), list[str](), 0

    async def one(who: str) -> None:
        nonlocal peak
        async with work.slot(who):
            done.append(who)
            peak = max(peak, len(done))
            assert len({*done}) == len(done)
            await asyncio.sleep(0)
            done.remove(who)

    await asyncio.gather(*(one(who) for who in "aaaabbbcc"))
    assert peak == 2


def test_connection_slot_of_an_address_can_be_taken_again_once_released() -> None:
    limit = ConcurrencyLimit(1)
    assert limit.take("a")
    assert not limit.take("a")
    assert limit.take("b")
    limit.release("a")
    assert limit.take("a")


def test_ipv6_household_counts_as_one_and_invalid_networks_are_refused() -> None:
    same = [household(parse_ip(text)) for text in ("2001:db8::1", "2001:db8::ffff:1")]
    assert same[0] == same[1] != household(parse_ip("2001:db8:0:1::1"))
    assert household(parse_ip("::ffff:192.0.2.1")) == "192.0.2.1"
    for text in ("", "10.0.0.0/40", "10.0.0.1/8", "home"):
        with pytest.raises(BadInput, match="not an IP address or a network"):
            parse_network(text)


# ---- the audit log ----------------------------------------------------------------------------


def test_audit_entry_after_a_torn_line_starts_on_a_new_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk cuts a line short; the next entry starts on a new line."""
    audit, real = AuditLog(tmp_path / "audit", lambda: DAY), os.write
    audit.note("enters", player="a1")
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda file, line: real(file, line[:20]))
        with pytest.raises(OSError, match="No space left"):
            audit.note("leaves", player="a1")
    audit.note("enters", player="a2")
    audit.note("leaves", player="a2")
    (file,) = (tmp_path / "audit").iterdir()
    first, torn, *rest = file.read_text().splitlines()
    assert len(torn) == 20
    assert [json.loads(line)["player"] for line in (first, *rest)] == ["a1", "a2", "a2"]


def test_error_messages_to_players_hide_the_data_folder(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    error = LedgerError(f"the ledger {data.ledger} cannot be used: full ({data.promises})")
    with pytest.raises(LedgerError, match=r"^the ledger ledger\.db cannot be used: full \(pro"):
        unpack_answer(refusal_message(error, data.hide)[HEAD.size :], None)
    log = data.player("a1") / "sessions" / "x.jsonl"
    assert data.hide(f"{log}:4: torn; '{log}'") == "x.jsonl:4: torn; 'x.jsonl'"
    data.root.mkdir()
    data.identities.write_text("nonsense" * 99)
    with pytest.raises(BadInput, match=r"^identities\.db cannot be used: "):
        Identities(data.identities)


def test_addresses_are_removed_from_old_audit_entries(tmp_path: Path) -> None:
    time = [100 * DAY]
    audit = AuditLog(tmp_path / "audit", lambda: time[0])
    audit.note("enters", player="a1", name="Zo\u202eë", address="192.0.2.1", key=None)
    time[0] += 90 * DAY
    audit.note("enters", player="b2", address="192.0.2.2")
    audit.blank(90)
    assert len(list((tmp_path / "audit").iterdir())) == 2
    time[0] += DAY
    audit.blank(90)
    old, new = sorted((tmp_path / "audit").iterdir())
    assert old.name == "1970-04-11.blanked.jsonl"
    assert json.loads(old.read_text()) == {
        "at": 100 * DAY,
        "what": "enters",
        "player": "a1",
        "name": "Zo\u202eë",
    }
    assert old.read_text().isascii()
    assert "192.0.2.2" in new.read_text()
    assert {path.stat().st_mode & 0o777 for path in (old, new)} == {0o600}
