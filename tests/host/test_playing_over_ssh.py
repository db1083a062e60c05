"""Playing over SSH: balances, seats, and lost connections."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path
from shutil import copy

import pytest

from tests.helpers.external_programs import program_path
from tests.helpers.pty_terminal import Terminal, environment
from tests.host.loopback_server import (
    Host,
    Visitor,
    at_terminal,
    connected,
    deal,
    new_key,
    until,
    visiting,
)
from tui_casino.engine.chance import CommittedSource
from tui_casino.host.identities import Identities
from tui_casino.house.settings import Settings
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

OLD_LOG = Path(__file__).parents[1] / "data" / "old-logs" / "video-poker.jsonl"
BUY_IN = 100 * Settings().buy_in
NOT_OVER = "that session is not over; its log is available afterwards"


def purse(house: Host, player: str) -> int:
    ledger = SqliteLedger(house.data.ledger)
    try:
        return ledger.balance(player)
    finally:
        ledger.close()


async def not_shown_round(visitor: Visitor) -> None:
    await visitor.sees("1 of 5")
    await visitor.type_until("\x1b", lambda text: "1 of 5" not in text)


async def test_new_ssh_player_resumes_a_cut_hand_and_verifies_its_log(house: Host) -> None:
    key = new_key()
    async with connected(house, key) as conn, at_terminal(conn) as visitor:
        await visitor.sees("choose a player name.")
        screen = await visitor.type_until("\x7f" * 10 + "Zoë\r", "Zoë")
        await visitor.sees("balance 1,000.00")
        await not_shown_round(visitor)
        await deal(visitor)
        conn.abort()  # the line is cut
    book = Identities(house.data.identities)
    player = book.player_of(key.get_fingerprint("sha256"))
    book.close()
    assert player is not None
    assert player.name == "Zoë"
    (log,) = (house.data.player(player.id) / "sessions").glob("*.jsonl")
    who = read_log(log).header.who[0]
    assert who == player
    async with visiting(house, key) as visitor:
        screen = await visitor.sees("waiting:")
        assert "Zoë" in screen
        await visitor.type_until("1", "Draw")
        await visitor.commit(lambda text: "Resume" in text or b"RoundPaid" in log.read_bytes())
        if b"RoundPaid" not in log.read_bytes():  # it warns before a pair is thrown away
            visitor.type(" ")
        await until(lambda: b"RoundPaid" in log.read_bytes())
        await visitor.type_until("q\r", "Play video poker")
    end = read_log(log).end
    assert end is not None
    rest = OPENING_BALANCE - BUY_IN
    assert purse(house, player.id) == rest + 100 * end.money[0], "the hand gave the difference"
    async with connected(house, key) as conn:
        own = await conn.run(f"log {log.name}")
    assert str(own.stdout).encode() == log.read_bytes()
    async with connected(house, key) as conn:
        own = await conn.run(f"verify {log.stem}")
    assert own.exit_status == 0
    assert str(own.stdout).startswith("authentic: ")
    assert str(end.seed) in str(own.stdout)
    log.write_bytes(log.read_bytes().replace(b'"RoundPaid"', b'"RoundLost"'))
    async with connected(house, key) as conn:
        own = await conn.run(f"verify {log.stem}")
    assert own.exit_status == 1
    assert str(own.stdout).startswith("differs: line ")


async def test_name_is_asked_for_until_it_is_valid(house: Host) -> None:
    key = new_key()
    async with connected(house, key, "taken") as conn, at_terminal(conn) as first:
        await first.sees("choose a player name")
        text = await first.type_until("\x15Bob\u3164\r", "hangul filler")
        assert "use letters of Latin" in " ".join(text.split())
        await first.type_until("Ottokar\x15Ottmar", "> Ottmar")
        async with visiting(house, key, "Quick") as second:
            await second.sees("choose a player name")
            await second.type_until("\r", "Quick  balance")
            await first.type_until("\r", "Quick  balance")
            assert "continues there" in await second.output()


async def test_two_players_have_separate_balances_and_logs(house: Host) -> None:
    ann, bob = new_key(), new_key()
    one, two = house.add_player(ann, "Ann"), house.add_player(bob, "Bob")
    async with visiting(house, ann) as first, visiting(house, bob) as second:
        await deal(first)
        assert purse(house, one.id) == OPENING_BALANCE - BUY_IN, "the buy-in is at the table"
        assert purse(house, two.id) == OPENING_BALANCE
        screen = await second.sees("Play video poker")
        assert "waiting" not in screen
        assert "Ann" not in screen
        await second.type_until("r", "History")
        async with connected(house, bob) as conn:
            (log,) = (house.data.player(one.id) / "sessions").glob("*.jsonl")
            theirs = await conn.run(f"log {log.name}")
            assert theirs.exit_status == 2
            assert "you have no log" in str(theirs.stdout)
    async with connected(house, ann) as conn:
        own = await conn.run(f"log {log.stem}")
        assert (own.exit_status, own.stdout) == (2, f"{NOT_OVER}\n"), "it has all cards open"


FOREIGN = "\x1b]0;owned\x07\x1b\\\n52;c;QQ==\u202e"
"""Ends a string for the terminal, begins another, and a line."""
STRING = re.compile(rb"\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)")


async def copies(visitor: Visitor, key: str, says: str) -> str:
    """Press a key that copies; give what the terminal is handed, as xterm reads it."""
    await asyncio.sleep(0.05)  # a key within 30 ms of another would be part of a paste
    before = len(visitor.raw)
    await visitor.type_until(key, says)
    await until(lambda: b"\x1b]52" in visitor.raw[before:])
    [string] = STRING.findall(bytes(visitor.raw[before:]))
    where, clipboard, coded = string.split(b";")
    assert (where, clipboard) == (b"52", b"c")
    return b64decode(coded, validate=True).decode()


async def test_copied_text_reaches_the_remote_clipboard(house: Host) -> None:
    """The command that fetches a log, and its last hash; nothing breaks out of a log's name."""
    key = new_key()
    sessions = house.data.player(house.add_player(key, "Yan").id) / "sessions"
    sessions.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = sessions / f"{FOREIGN}.jsonl"
    copy(OLD_LOG, log)
    async with visiting(house, key) as visitor:
        await visitor.sees("Play video poker")
        visitor.type("r")
        await visitor.sees("consistent")  # the line is chosen, and its details are shown
        named = await copies(visitor, "y", "Sent to the terminal's clipboard: ")
        assert named == r"log \x1b]0;owned\x07\x1b\\n52;c;QQ==\u202e"
        await asyncio.sleep(0.05)  # a key within 30 ms of a letter would be part of a paste
        await visitor.type_until("v", "y copies the hash")
        assert (
            await copies(visitor, "y", "Sent to the terminal's clipboard: ") == read_log(log).hash
        )
        sequences = STRING.findall(bytes(visitor.raw))
        assert all(string.startswith(b"52;c;") for string in sequences), "the name is not obeyed"


def memory_of(process: int) -> bytes:
    """Give all that a process has written, or could."""
    content = bytearray()
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            where, rights, *_ = line.split()
            if rights.startswith("rw") and "[v" not in line:
                start, end = (int(number, 16) for number in where.split("-"))
                memory.seek(start)
                with suppress(OSError):
                    content += memory.read(end - start)
    return bytes(content)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no system to look into a process")
async def test_session_process_does_not_contain_the_seed_of_its_hand(house: Host) -> None:
    key = new_key()
    player = house.add_player(key, "Jo")
    async with visiting(house, key) as visitor:
        await deal(visitor)
        ledger = SqliteLedger.look_at(house.data.ledger)
        (entry,) = ledger.open_sittings(player.id)
        ledger.close()
        assert entry.seed is not None
        commitment = CommittedSource(entry.seed).spec.value
        memories = [memory_of(process) for process in house.sessions]
        assert any(commitment.encode() in memory for memory in memories), "it would be found"
        for memory in memories:
            assert entry.seed not in memory
            assert entry.seed.hex().encode() not in memory
            assert b64encode(entry.seed) not in memory


async def test_second_login_takes_over_the_seat(house: Host) -> None:
    key = new_key()
    player = house.add_player(key, "Cleo")
    async with visiting(house, key) as first:
        await deal(first)
        async with visiting(house, key) as second:
            assert "You connected from somewhere else" in await first.output()
            await second.sees("waiting:")
            await second.type_until("1", "Draw")
    assert purse(house, player.id) == OPENING_BALANCE - BUY_IN


async def test_one_guest_can_play_on_committed_cards_and_leaves_no_files(house: Host) -> None:
    async with visiting(house, None, "guest") as visitor:
        await visitor.sees("Guest 1")
        assert [*house.data.guests.iterdir()]
        async with visiting(house, None, "guest") as other:
            assert "No more guests can play" in await other.output()
        await not_shown_round(visitor)
        await deal(visitor)
        (log,) = house.data.guests.glob("*/sessions/*.jsonl")
        assert log.stem in house.data.promises.read_text(), "he is promised his cards, too"
    await until(lambda: not [*house.data.guests.iterdir()])


async def test_killed_session_affects_only_its_own_player(house: Host) -> None:
    keys = new_key(), new_key()
    for key, name in zip(keys, ("Dora", "Emil"), strict=True):
        house.add_player(key, name)
    await until(lambda: not house.sessions)
    async with visiting(house, keys[0]) as first:
        await deal(first)
        (session,) = house.sessions
        async with visiting(house, keys[1]) as second:
            await second.sees("Emil")
            os.kill(session, signal.SIGKILL)
            assert "The session ended unexpectedly" in await first.output()
            await deal(second)
            logs = [read_log(log) for log in house.data.root.glob("players/*/sessions/*.jsonl")]
            seeds = {log.header.source.value for log in logs}
            assert len(seeds) == len(logs) > 1, "no two sessions have drawn the same"
    async with visiting(house, keys[0]) as first:
        await first.sees("waiting:")
        await first.type_until("1", "Draw")


@pytest.mark.prove
async def test_hanging_session_gives_up_its_seat(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Gil")
    await until(lambda: not house.sessions)
    async with visiting(house, key) as first:
        await deal(first)
        (session,) = house.sessions
        os.kill(session, signal.SIGSTOP)
        async with visiting(house, key) as second:
            await second.sees("waiting:")
            assert "You connected from somewhere else" in await first.output()
            assert session not in house.sessions


@pytest.mark.prove
async def test_dead_zygote_is_restarted_and_sessions_continue(house: Host) -> None:
    key, other = new_key(), new_key()
    house.add_player(key, "Fay")
    house.add_player(other, "Gus")
    async with visiting(house, key) as visitor:
        await visitor.sees("Fay")
        zygote = house.helpers[0]
        os.kill(zygote, signal.SIGKILL)
        async with visiting(house, other) as late:
            await late.sees("Gus")
        await deal(visitor)
    await until(lambda: len(house.helpers) == 3)


async def test_window_size_is_limited_and_can_change(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Hal")
    async with (
        connected(house, key) as conn,
        at_terminal(conn, columns=20_000, rows=20_000) as vast,
    ):
        await vast.sees("Hal")
        assert max(len(line) for line in vast.text.splitlines()) <= 300
        assert not any(line for line in vast.text.splitlines()[100:])
        for columns in range(60, 101):
            vast.resize(columns, 24)
        await vast.sees(lambda text: re.fullmatch(r".{91}1,000\.00", text.splitlines()[0]))


def test_openssh_client_reaches_the_menu_and_can_quit(house: Host, tmp_path: Path) -> None:
    key = new_key()
    house.add_player(key, "Ida")
    key.write_private_key(tmp_path / "id")
    (tmp_path / "id").chmod(0o600)
    known = tmp_path / "known"
    public = subprocess.run(
        [program_path("ssh-keygen"), "-y", "-f", house.data.host_key],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    known.write_text(f"[127.0.0.1]:{house.port} {public}")
    ssh = [
        *(program_path("ssh"), "-F", "none", "-i", str(tmp_path / "id"), "-o", "IdentitiesOnly=yes")
    ]
    ssh += ["-o", f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=yes"]
    ssh += ["-p", str(house.port), "ida@127.0.0.1"]
    result = subprocess.run([*ssh, "version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("tui-casino ")
    with Terminal(ssh, environment(tmp_path), 100, 30) as terminal:
        terminal.wait_for("Play video poker")
        assert "Ida" in terminal.text
        terminal.type("\x11")
        assert terminal.process.wait(20) == 0
