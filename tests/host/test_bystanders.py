"""Misbehaving sessions, and clients that flood or stall, do not disturb other players."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median

import pytest
from asyncssh.constants import MSG_CHANNEL_WINDOW_ADJUST, MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, String, UInt32

from tests.helpers.input_floods import FLOODS
from tests.helpers.pty_terminal import PATIENCE
from tests.host.attacks import ATTACKS, NARROW, attack
from tests.host.load_clients import (
    MENU,
    Player,
    come_in,
    enrol,
    holds,
    nobody_left,
    session_of,
    sit_down,
    stake,
)
from tests.host.loopback_server import Host, alive, at_video_poker, host, new_key, until, visiting
from tests.host.misbehaving_host import ACTS, PROGRAM
from tui_casino.host.processes import BEHIND, NICE
from tui_casino.host.rate_limits import BURST
from tui_casino.host.session.sandbox import FILE_SIZE, FILES, OOM_SCORE

CONFIG = "grace = 0\nlogins = 1000\nmemory = 64\nidle = 20\nlogs = 1\n"
"""A player who waits for a session that hangs is idle for the ten seconds until it is ended."""
_PROVE = (pytest.mark.prove,)
SMALL_PACKETS = 350
"""With an empty packet that asyncssh sends after each one, they have 25 KB."""
FLOOD = 120_000
"""Bytes; the gateway reads 32 KB of a connection in a second."""


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server whose sessions misbehave on request."""
    folder = tmp_path_factory.mktemp("bad")
    with host(folder, "--metrics", "127.0.0.1:0", config=CONFIG, program=PROGRAM) as started:
        yield started


def niceness_of(player: Player) -> int | None:
    """The niceness of a player's session; ``None`` before there is one."""
    with suppress(AssertionError):
        return os.getpriority(os.PRIO_PROCESS, session_of(player))
    return None


def peak(process: int) -> int:
    """The most memory that a process had, in kilobytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


@pytest.mark.prove
@pytest.mark.parametrize(
    "act",
    [
        pytest.param(act, marks=_PROVE * (act in ("crash", "spin")))
        for act in ACTS
        if act not in ("multiply", "probe")
    ],
)
async def test_crashed_or_hanging_session_disturbs_nobody_and_its_hand_waits(
    bad: Host, act: str
) -> None:
    """It ends or does not answer any more; its hand waits, and it holds nobody else up."""
    one, other = enrol(bad, 2, f"{act} player")
    async with come_in(one) as line:
        await line.shows(MENU)
        await line.still()
        await sit_down(line, "video-poker")
        await stake(line, "video-poker")
        session = session_of(one)
        os.kill(session, ACTS[act])
        assert len(await holds(other, 1.0)) == 4
    async with come_in(one) as line:
        await line.shows("waiting:")
    assert not alive(session)


async def test_session_that_starts_very_many_threads_is_ended(bad: Host) -> None:
    (player,) = enrol(bad, 1, "Many")
    async with come_in(player) as line:
        await line.shows(MENU)
        await line.still()
        session = session_of(player)
        os.kill(session, ACTS["multiply"])
        await until(lambda: not alive(session))
        await line.shows("ended unexpectedly")


async def test_session_process_has_limits_that_it_cannot_raise(bad: Host) -> None:
    (player,) = enrol(bad, 1, "Limited")
    async with come_in(player) as line:
        await line.shows(MENU)
        process = Path(f"/proc/{session_of(player)}")
        limits = {row[:26].strip(): row[26:].split()[:2] for row in limits_of(process)}
        status = (process / "status").read_text()
        score = int((process / "oom_score_adj").read_text())
        held = {os.readlink(one) for one in (process / "fd").iterdir()}
    for what, limit in (("open files", FILES), ("file size", FILE_SIZE), ("core file size", 0)):
        assert limits[f"Max {what}"] == [str(limit)] * 2
    for what in ("data size", "cpu time"):
        assert "unlimited" not in limits[f"Max {what}"]
    assert "NoNewPrivs:\t1" in status
    assert score == OOM_SCORE
    assert not {one for one in held if one.startswith(str(bad.data.root.resolve() / "lock"))}


def limits_of(process: Path) -> list[str]:
    return (process / "limits").read_text().splitlines()


@pytest.mark.prove
@pytest.mark.parametrize(
    "name",
    [
        "keys",
        *(
            pytest.param(name, marks=_PROVE)
            for name in ("digits", "parameters", "mouse", "paste", "nonsense")
        ),
    ],
)
async def test_flood_of_input_is_mostly_dropped_and_takes_little_memory(
    bad: Host, name: str
) -> None:
    """Few of its keys pass, the session needs no more memory, and its player can still act."""
    (player,) = enrol(bad, 1, f"flood of {name}")
    async with come_in(player) as line:
        await line.shows(MENU)
        await line.still()
        await sit_down(line, "video-poker")
        session, passed = session_of(player), bad.metric("keys_total")
        before, read = peak(session), bad.metric("received_bytes_total")
        assert line.chan is not None
        line.chan.write(FLOODS[name][:FLOOD])
        await until(lambda: bad.metric("received_bytes_total") >= read + FLOOD * 0.9)
        line.press("")
        line.chan.change_terminal_size(90, 30)
        assert await line.still() > 0
        assert bad.metric("keys_total") - passed < 4 * BURST
        if name == "keys":
            await until(lambda: os.getpriority(os.PRIO_PROCESS, session) == BEHIND)
        assert peak(session) - before < 20_000


async def test_player_who_floods_window_sizes_gets_low_priority_and_others_do_not(
    bad: Host,
) -> None:
    calm, *foes = enrol(bad, 3, "sizes, only")
    async with come_in(calm) as line:
        await line.shows(MENU)
        attacking = asyncio.create_task(attack("sizes", foes, PATIENCE))
        for foe in foes:
            await until(lambda: niceness_of(foe) == BEHIND)  # noqa: B023 - called within the loop
        assert niceness_of(calm) == NICE
        attacking.cancel()
    await nobody_left(bad.helpers[0])


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (MSG_GLOBAL_REQUEST, (String("x"), Boolean(False))),
        (MSG_CHANNEL_WINDOW_ADJUST, (UInt32(0), UInt32(1))),
    ],
    ids=["requests", "windows of a byte"],
)
async def test_many_small_packets_count_as_a_flood_before_their_bytes_do(
    bad: Host, kind: int, content: Sequence[bytes]
) -> None:
    (player,) = enrol(bad, 1, f"packets {kind}")
    async with come_in(player) as line:
        await line.shows(MENU)
        await line.still()
        assert line.chan is not None
        conn, floods = line.chan.get_connection(), bad.metric("floods_total")
        for _ in range(SMALL_PACKETS):
            conn.send_packet(kind, *content)
        await until(lambda: bad.metric("floods_total") > floods)
        line.press("")
        line.chan.change_terminal_size(90, 30)
        assert await line.still() > 0


@pytest.mark.prove
async def test_player_with_full_log_storage_cannot_begin_a_session(bad: Host) -> None:
    key = new_key()
    player = bad.add_player(key, "Collector")
    logs = bad.data.player(player.id) / "sessions"
    async with visiting(bad, key) as visitor:
        await visitor.sees("Play video poker")
        logs.mkdir(exist_ok=True)
        (logs / "much").write_bytes(b"x" * (1 << 20))
        await visitor.type_until("1", "Deal for")
        await visitor.type_until("\x1b", "Play video poker")
        (logs / "more").write_bytes(b"x")
        visitor.type("1")
        shown = " ".join((await visitor.sees("your logs have reached")).split())
        assert "your logs have reached the limit of 1 MB" in shown


async def test_export_is_refused_on_a_server(bad: Host) -> None:
    key = new_key()
    player = bad.add_player(key, "Exporter")
    folder = bad.data.player(player.id)
    async with visiting(bad, key) as visitor:
        await at_video_poker(visitor)
        visitor.type("\x1bOQ")  # F2
        await visitor.sees("─ Statistics ─")  # the key bar also has the word
        await visitor.type_until("e", "There is no folder to export to.")
    assert not [*folder.rglob("*.csv"), *folder.rglob("*statistics*.json")]


@pytest.mark.prove
async def test_idle_remote_player_is_disconnected(bad: Host) -> None:
    key = new_key()
    bad.add_player(key, "Sleeper")
    async with visiting(bad, key) as visitor:
        await visitor.sees("Sleeper")
        assert "You were idle for too long" in await visitor.output()


async def test_client_that_does_not_read_is_repainted_when_it_reads_again(bad: Host) -> None:
    (player,) = enrol(bad, 1, "Slow")
    async with come_in(player, window=NARROW) as line:
        await line.shows(MENU)
        await line.still()
        await sit_down(line, "baccarat")
        assert line.chan is not None
        line.chan.pause_reading()
        dropped, sizes = bad.metric("frames_dropped_total"), 0
        while bad.metric("frames_dropped_total") == dropped:
            sizes += 1
            assert sizes < 400, "it takes all"
            line.chan.change_terminal_size(100 + sizes % 2, 30)  # paints everything
            await asyncio.sleep(0.05)
        line.press("")
        line.chan.resume_reading()
        assert await line.shows("BACCARAT") > 0


@pytest.mark.prove
@pytest.mark.parametrize("name", [*ATTACKS])
async def test_other_player_connects_and_plays_during_every_attack(bad: Host, name: str) -> None:
    """A player connects during the flood, and all their keys are answered."""
    calm, *foes = enrol(bad, 4, f"{name[-20:]}, player")
    foes = [foe._replace(source="127.0.0.2") for foe in foes]
    attacking = asyncio.create_task(attack(name, foes, 4))
    await asyncio.sleep(0.5)
    assert len(await holds(calm, 1.0)) == 4
    await attacking
    await nobody_left(bad.helpers[0])


@pytest.mark.prove
@pytest.mark.parametrize("name", ["key exchanges", "lines"])
async def test_keys_of_other_players_are_hardly_delayed_by_attacks(bad: Host, name: str) -> None:
    """Where one address could take the whole gateway they were fifty times as late and more."""
    calm, *foes = enrol(bad, 6, f"{name}, other")
    foes = [foe._replace(source="127.0.0.2") for foe in foes]
    quiet = median(await holds(calm, 2.0))
    attacking = asyncio.create_task(attack(name, foes, 6))
    await asyncio.sleep(0.5)
    assert median(await holds(calm, 2.0)) < 20 * quiet
    await attacking
    await nobody_left(bad.helpers[0])
