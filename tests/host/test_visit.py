"""A visit's timeouts and limits, with a simulated session."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from tui_casino.host.cage_protocol import CageHello
from tui_casino.host.config import Config
from tui_casino.host.data_folder import ENTRY, folder_size
from tui_casino.host.gateway import visit as visits
from tui_casino.host.gateway.visit import (
    ARRIVAL,
    BROKE_OFF,
    BURST,
    CLOSED,
    FULL,
    IDLE,
    KEY,
    KEYS,
    LASTING_BURST,
    LONG,
    RECOVERY,
    SHARE,
    STALLED,
    TAKEN_OVER,
    TOGETHER,
    CpuShare,
    HouseFull,
    ProcessSockets,
    SessionUnavailable,
    Visit,
    VisitRegistry,
)
from tui_casino.host.processes import BEHIND, NICE, ProcessHandle, _begun_by, send_process
from tui_casino.host.rate_limits import BURST as KEY_BURST
from tui_casino.host.session_protocol import FrameType, Hello, pack_frame, read_frame, unpack_size
from tui_casino.structs import replace

ANN = Hello("a1", "Ann", "/nowhere", 80, 24, {}, 512, 60, 512)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("TICK", 0.01), ("PING", 0.05), ("SETTLE", 0.01), ("PATIENCE", 0.05)):
        monkeypatch.setattr(visits, name, seconds)


class Line(Struct):
    """A visitor's terminal that accepts a given number of bytes."""

    taken: bytearray = field(default_factory=bytearray)
    stuck: int = 0

    def write(self, data: bytes) -> None:
        self.taken += data

    def unsent_bytes(self) -> int:
        return self.stuck


class Played(Struct):
    """A running visit, its terminal, and the session's end of its connection."""

    visit: Visit
    line: Line
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    task: asyncio.Task[None]
    report: socket.socket

    async def forked(self, process: int) -> None:
        """Report the session's process, as a zygote does."""
        send_process(self.report, process)
        while self.visit.process is None:
            await asyncio.sleep(0.001)

    async def next(self, kind: FrameType) -> bytes:
        """Read on to a frame of a kind."""
        while True:
            frame = await asyncio.wait_for(read_frame(self.reader), 5)
            assert frame is not None, f"it ended without {kind}"
            if frame[0] is kind:
                return frame[1]

    async def leaves(self, said: str = "") -> None:
        self.writer.write(pack_frame(FrameType.BYE, said.encode()))
        self.writer.close()
        self.report.close()  # nobody was forked
        await asyncio.wait_for(self.task, 5)


@contextmanager
def two_doors() -> Iterator[tuple[ProcessSockets, socket.socket, socket.socket]]:
    """Give both doors, and the ends where zygote and cage would be."""
    with ExitStack() as closing:
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2)]
        for end in (end for pair in pairs for end in pair):
            closing.enter_context(end).setblocking(False)
        (to_zygote, zygote), (to_cage, cage) = pairs
        yield ProcessSockets(to_zygote, to_cage), zygote, cage


@asynccontextmanager
async def playing(
    hello: Hello = ANN, *, early_size: tuple[int, int] | None = None, **limits: Any
) -> AsyncIterator[Played]:
    with two_doors() as (doors, zygote, cage):
        line = Line()
        visit = Visit(hello, Config(**limits), line)
        if early_size is not None:
            visit.resize(*early_size)
            await asyncio.sleep(0.01)
        task = asyncio.create_task(visit.play(doors))
        await asyncio.sleep(0.01)
        raw, (number, asks, hears, tells), _, _ = socket.recv_fds(zygote, 1 << 14, 4)
        assert Hello.unpacked(raw) == hello
        for end in (asks, hears):
            raw, (answers,), _, _ = socket.recv_fds(cage, 1 << 14, 1)
            assert CageHello.unpacked(raw) == CageHello(hello.player, hello.folder)
            with socket.socket(fileno=end) as one, socket.socket(fileno=answers) as other:
                one.send(b"asked")
                assert other.recv(9) == b"asked", "it is one line"
        reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=number))
        try:
            with socket.socket(fileno=tells) as report:
                yield Played(visit, line, reader, writer, task, report)
        finally:
            writer.close()
            await asyncio.wait_for(task, 5)
            assert visit.ended.is_set()


async def test_visit_passes_input_output_and_farewell_between_client_and_session() -> None:
    async with playing() as played:
        played.visit.handle_input(b"1")
        assert await played.next(FrameType.INPUT) == b"1"
        await played.next(FrameType.PING)
        played.writer.write(pack_frame(FrameType.PONG))
        played.visit.notify("closing")
        assert await played.next(FrameType.TELL) == b"closing"
        played.writer.write(pack_frame(FrameType.OUTPUT, b"\x1b[Hhello"))
        await played.leaves("so long")
    assert played.line.taken == b"\x1b[Hhello"
    assert (played.visit.farewell, played.visit.clean_exit) == ("so long", True)


async def test_all_piped_input_lines_reach_the_session_before_the_end_of_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A visit may be piped: nothing of it is lost, and its end comes last."""
    monkeypatch.setattr(visits, "TICK", 0.05)
    sent = b"".join(b"line %d\n" % number for number in range(int(KEY_BURST) + 30))
    sleeps = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(sleeps, start_new_session=True) as process:
        async with playing() as played:
            played.visit.by_lines = True
            await played.forked(process.pid)
            played.visit.handle_input(sent)
            taken = bytearray(await played.next(FrameType.INPUT))
            assert taken == b"".join(sent.splitlines(keepends=True)[: int(KEY_BURST)])
            while os.getpriority(os.PRIO_PROCESS, process.pid) != BEHIND:  # it counts as a flood
                await asyncio.sleep(0.01)
            played.visit.end_input()
            while len(taken) < len(sent):
                taken += await played.next(FrameType.INPUT)
            assert taken == sent
            await played.next(FrameType.END)
            await played.leaves()


@pytest.mark.parametrize(
    ("seldom", "does"),
    [(10.0, "[time.sleep(0.001) for _ in range(60_000)]"), (0.01, "time.sleep(60)")],
    ids=["measured while it works", "measured seldom while it sleeps"],
)
async def test_session_whose_folder_grows_too_large_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seldom: float, does: str
) -> None:
    monkeypatch.setattr(visits, "MEASURE", 0.01)
    monkeypatch.setattr(visits, "SELDOM", seldom)
    monkeypatch.setattr(visits, "SPARE", -1)
    with subprocess.Popen([sys.executable, "-c", f"import time; {does}"]) as process:
        async with playing(replace(ANN, folder=str(tmp_path)), logs=1) as played:
            await played.forked(process.pid)
            (tmp_path / "below").mkdir()
            (tmp_path / "below" / "small").write_bytes(bytes(1 << 10))
            await asyncio.sleep(0.05)
            assert process.poll() is None
            (tmp_path / "below" / "large").write_bytes(b"x" * (1 << 20))
            assert await asyncio.to_thread(process.wait, 5) == -signal.SIGKILL
            await asyncio.wait_for(played.task, 5)
            assert (played.visit.farewell, played.visit.clean_exit) == (FULL, False)


async def test_folder_of_a_session_that_does_nothing_is_not_measured_again_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = list[str]()

    def measure(folder: str, limit: int) -> int:
        measured.append(folder)
        return 0

    monkeypatch.setattr(visits, "MEASURE", 0.001)
    monkeypatch.setattr(visits, "folder_size", measure)
    does = "print(flush=True); input()\nwhile not time.sleep(0.001): pass"
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", f"import time; {does}"], **pipes) as process:
        async with playing(replace(ANN, folder=str(tmp_path))) as played:
            assert process.stdin is not None
            assert process.stdout is not None
            await asyncio.to_thread(process.stdout.readline)
            await played.forked(process.pid)
            while not measured:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            before = len(measured)
            await asyncio.sleep(0.05)
            assert len(measured) <= before + 1, "it waits for input, since it was reported"
            process.stdin.write(b"\n")
            process.stdin.flush()
            while len(measured) < before + 5:
                await asyncio.sleep(0.01)
            process.kill()


def test_folder_size_includes_each_entry_and_stops_at_the_limit(tmp_path: Path) -> None:
    assert folder_size(str(tmp_path / "missing"), 10) == 0
    for number in range(10):
        (tmp_path / str(number)).touch()
    (tmp_path / "link").symlink_to("/")
    assert folder_size(str(tmp_path), 1 << 30) == 11 * ENTRY
    assert folder_size(str(tmp_path), 4 * ENTRY) == 5 * ENTRY


async def test_many_frames_of_one_session_do_not_block_others() -> None:
    async with playing() as played:
        played.writer.write(pack_frame(FrameType.OUTPUT, b"x") * 1000)
        turns = 0
        while len(played.line.taken) < 1000:
            turns += 1
            await asyncio.sleep(0)
        assert turns > 500
        await played.leaves()


async def test_idle_visit_is_ended_with_a_message() -> None:
    async with playing(idle=0) as played:
        await played.next(FrameType.END)
        await played.leaves()
    assert played.visit.farewell == IDLE


async def test_session_that_vanishes_is_reported_as_broken_off() -> None:
    async with playing() as played:
        played.writer.close()
        played.report.close()
    assert (played.visit.farewell, played.visit.clean_exit) == (BROKE_OFF, False)


@pytest.mark.parametrize("frame", [b"\xff" * 9, pack_frame(FrameType.OUTPUT)[:1] + b"\xff" * 4])
async def test_session_that_sends_an_invalid_frame_is_ended(frame: bytes) -> None:
    async with playing() as played:
        played.writer.write(frame)
        played.report.close()
        await asyncio.wait_for(played.visit.ended.wait(), 5)
    assert played.visit.farewell == BROKE_OFF


@pytest.mark.parametrize("told", [False, True], ids=["without a request", "after a request to end"])
async def test_session_that_hangs_is_killed(told: bool) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        async with playing(stalled=0 if not told else 30, leaving=0) as played:
            await played.forked(process.pid)
            await asyncio.sleep(0.02)
            if told:
                played.visit.end("go")
            assert await asyncio.to_thread(process.wait, 5) == -9


@pytest.mark.parametrize("last", [b"", pack_frame(FrameType.BYE)])
async def test_session_that_closes_its_connection_but_lives_is_killed(last: bytes) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        async with playing() as played:
            await played.forked(process.pid)
            played.writer.write(last)
            played.writer.close()
            await asyncio.wait_for(played.visit.ended.wait(), 5)
            assert process.poll() == -9


async def test_session_cannot_choose_its_process_id() -> None:
    """One that was taken over would have whatever runs as the same user killed."""
    sleeps = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(sleeps) as process, subprocess.Popen(sleeps) as other:
        async with playing() as played:
            played.writer.write(struct.pack(">BII", 16, 4, other.pid))  # as it once could
            await played.forked(process.pid)
            played.writer.write(struct.pack(">BII", max(FrameType) + 1, 4, other.pid))
            await asyncio.wait_for(played.visit.ended.wait(), 5)
        assert (process.poll(), other.poll()) == (-9, None)
        played.visit.kill()
        assert other.poll() is None
        other.kill()


async def test_session_reported_after_its_end_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        async with playing() as played:
            played.writer.close()
            await asyncio.sleep(0.02)
            assert not played.visit.ended.is_set()
            send_process(played.report, process.pid)
            await asyncio.wait_for(played.visit.ended.wait(), 5)
            assert process.poll() == -9


async def test_visit_ends_after_the_longest_time_allowed() -> None:
    async with playing(longest=0) as played:
        await played.next(FrameType.END)
        await played.leaves()
    assert played.visit.farewell == LONG


async def test_slow_connection_is_repainted_when_it_has_caught_up() -> None:
    async with playing() as played:
        played.line.stuck = 1 << 20
        played.writer.write(pack_frame(FrameType.OUTPUT, b"lost"))
        await asyncio.sleep(0.05)
        played.line.stuck = 0
        await played.next(FrameType.REPAINT)
        played.writer.write(pack_frame(FrameType.OUTPUT, b"whole"))
        await played.leaves()
    assert played.line.taken == b"whole"


async def test_connection_that_stays_unread_during_a_visit_is_closed() -> None:
    async with playing(stalled=0) as played:
        played.line.stuck = 1 << 20
        played.writer.write(pack_frame(FrameType.OUTPUT, b"lost"))
        await played.next(FrameType.END)
        await played.leaves()
    assert played.visit.farewell == STALLED


async def test_reported_window_sizes_are_limited_and_the_last_one_is_sent() -> None:
    async with playing() as played:
        for columns in range(80, 180):
            played.visit.resize(columns, 24)
            await asyncio.sleep(0)
        sizes = [unpack_size(await played.next(FrameType.SIZE))]
        while sizes[-1] != (179, 24):
            sizes.append(unpack_size(await played.next(FrameType.SIZE)))
    assert len(sizes) <= 3


async def test_window_size_reaches_a_session_that_was_not_yet_connected() -> None:
    async with playing(early_size=(90, 30)) as played:
        assert unpack_size(await played.next(FrameType.SIZE)) == (90, 30)


async def test_window_size_reaches_a_session_that_reads_nothing_for_a_while() -> None:
    async with playing(backlog=1) as played:
        for _ in range(40):
            played.visit.notify("x" * 30_000)
        played.visit.resize(90, 30)
        await asyncio.sleep(0.01)
        assert unpack_size(await played.next(FrameType.SIZE)) == (90, 30)


async def test_dragging_a_window_for_long_sends_fewer_sizes_and_the_last() -> None:
    async with playing(dragged=2, sizes=1) as played:
        for columns in (81, 82):
            played.visit.resize(columns, 24)
            assert unpack_size(await played.next(FrameType.SIZE)) == (columns, 24)
        for columns in (83, 84):
            played.visit.resize(columns, 24)
        assert unpack_size(await played.next(FrameType.SIZE)) == (84, 24), "the last one counts"


class Worker(ProcessHandle):
    """A process whose processor time the test sets."""

    def __init__(self, may_return: bool) -> None:
        super().__init__(0)
        self.used, self.niceness, self._may_return = 0.0, NICE, may_return

    @property
    def seconds(self) -> float:
        return self.used

    def give_way(self, niceness: int) -> bool:
        if niceness < self.niceness and not self._may_return:
            return False
        self.niceness = niceness
        return True


def watched(
    worker: Worker, seconds: float, *, uses: float = 0.0, visits: int = 1, **events: Any
) -> list[int]:
    """Return the niceness of a new visit at each check, four times a second.

    ``uses`` is its processor time per second, ``events`` what happens between two checks.
    """
    share, niceness = CpuShare(), list[int]()
    for step in range(round(4 * seconds)):
        worker.used += uses / 4
        share.update(worker, 100.0 + step / 4, visits=visits, **events)
        niceness.append(worker.niceness)
    return niceness


@pytest.mark.parametrize(
    "may_return", [False, True], ids=["may not raise its priority", "may raise its priority"]
)
def test_flooding_session_has_low_priority_until_it_is_quiet(may_return: bool) -> None:
    share, worker = CpuShare(), Worker(may_return)
    share.update(worker, 100.0, visits=1)
    assert worker.niceness == NICE
    share.update(worker, 100.25, visits=1, floods=True)
    assert worker.niceness == BEHIND
    share.update(worker, 100.25 + RECOVERY / 2, visits=1)
    assert worker.niceness == BEHIND
    share.update(worker, 100.25 + 1.01 * RECOVERY, visits=1)
    assert worker.niceness == (NICE if may_return else BEHIND)


@pytest.mark.parametrize("uses", [0.5, 1.0])
def test_busy_session_has_low_priority_within_the_seconds_it_may_use(uses: float) -> None:
    niceness = watched(Worker(True), 8.0, uses=uses)
    first = niceness.index(BEHIND)
    assert {*niceness[first:]} == {BEHIND}, "it stays behind while it is busy"
    assert uses * (first + 1) / 4 <= ARRIVAL + (first + 1) / 4 * (SHARE + uses)
    assert uses * (first + 1) / 4 > ARRIVAL


def test_session_that_was_quiet_is_behind_after_half_a_second_of_work() -> None:
    share, worker = CpuShare(), Worker(True)
    for step in range(100):
        worker.used += 0.02 if step else ARRIVAL / 2
        share.update(worker, 100.0 + step / 4, visits=1)
        assert worker.niceness == NICE
    for step in (100, 101):
        worker.used += 0.25
        share.update(worker, 100.0 + step / 4, visits=1)
    assert worker.niceness == BEHIND


@pytest.mark.parametrize(
    ("uses", "keys"),  # keys between two checks
    [(SHARE, 0), (SHARE + 4 * KEY, 1), (SHARE + KEYS * KEY, 30)],
    ids=["its share", "four keys a second", "many keys"],
)
def test_session_that_uses_its_share_and_its_keys_keeps_its_priority(
    uses: float, keys: int
) -> None:
    assert {*watched(Worker(True), 60.0, uses=0.99 * uses, keys=keys)} == {NICE}
    assert BEHIND in watched(Worker(True), 60.0, uses=uses + 0.05, keys=keys)


def test_share_of_a_session_depends_on_the_number_of_visits() -> None:
    visits = 100 * (os.cpu_count() or 1)
    assert TOGETHER / 100 < SHARE
    assert {*watched(Worker(True), 60.0, uses=0.004, visits=visits)} == {NICE}
    assert BEHIND in watched(Worker(True), 60.0, uses=0.05, visits=visits)
    assert {*watched(Worker(True), 60.0, uses=0.05)} == {NICE}


def test_window_sizes_that_are_not_passed_on_count_as_processor_time() -> None:
    assert watched(Worker(True), 1.0, sizes=50)[0] == BEHIND
    assert {*watched(Worker(True), 60.0, sizes=1)} == {NICE}, "a few sizes are normal"


def test_priority_that_cannot_be_restored_is_lowered_only_after_much_work() -> None:
    niceness = watched(Worker(False), 60.0, uses=0.5)
    used = 0.5 * (niceness.index(BEHIND) + 1) / 4
    assert used >= LASTING_BURST + ARRIVAL - BURST
    assert niceness[-1] == BEHIND


async def test_flood_of_window_sizes_gives_a_session_low_priority_until_it_ends() -> None:
    sleeps = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(sleeps, start_new_session=True) as process:
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        async with playing() as played:
            await played.forked(process.pid)
            while os.getpriority(os.PRIO_PROCESS, process.pid) != BEHIND:
                for columns in range(80, 180):
                    played.visit.resize(columns, 24)
                await asyncio.sleep(0.01)
            if played.visit.process is not None and os.geteuid() == 0:
                while os.getpriority(os.PRIO_PROCESS, process.pid) != NICE:
                    played.writer.write(pack_frame(FrameType.PONG))
                    await asyncio.sleep(0.01)
            process.kill()
            await played.leaves()


def test_session_process_can_be_given_low_priority_until_it_is_closed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True
    ) as child:
        process = ProcessHandle(child.pid)
        assert process.seconds > 0
        if process.may_return():
            assert os.getpriority(os.PRIO_PROCESS, child.pid) == NICE
        assert process.give_way(BEHIND)
        assert os.getpriority(os.PRIO_PROCESS, child.pid) == BEHIND
        process.kill()
        process.close()
        assert not process.may_return()
        assert not process.give_way(BEHIND)


async def test_processor_time_and_priority_of_a_session_include_child_processes() -> None:
    begins = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    with subprocess.Popen([sys.executable, "-c", begins], start_new_session=True) as child:
        process = ProcessHandle(child.pid)
        while process.seconds < 0.5:
            await asyncio.sleep(0.02)
        assert process.give_way(BEHIND)
        for number in _begun_by(child.pid):
            assert os.getpriority(os.PRIO_PROCESS, number) == BEHIND
        os.killpg(child.pid, signal.SIGKILL)


async def test_visit_is_refused_without_a_zygote() -> None:
    with two_doors() as (doors, zygote, _):
        zygote.close()
        with pytest.raises(SessionUnavailable):
            await Visit(ANN, Config(), Line()).play(doors)


# ---- the floor --------------------------------------------------------------------------------


async def test_last_of_three_simultaneous_logins_of_a_player_gets_the_seat() -> None:
    floor = VisitRegistry(9, 0)
    first, *others = [Visit(ANN, Config(), Line()) for _ in range(3)]
    await floor.enter(first)
    entering = [asyncio.create_task(floor.enter(visit)) for visit in others]
    await asyncio.sleep(0)
    assert first.farewell == TAKEN_OVER
    assert not any(task.done() for task in entering)
    first.ended.set()
    await asyncio.sleep(0.01)
    assert [task.done() for task in entering] == [True, False]
    assert others[0].farewell == TAKEN_OVER
    others[0].ended.set()
    await asyncio.gather(*entering)
    assert floor.names == ["Ann"]
    floor.leave(first)
    assert floor.names == ["Ann"], "who is off the floor takes nobody with him"


async def test_players_are_notified_before_the_server_closes() -> None:
    floor = VisitRegistry(9, 0)
    async with playing() as played:
        await floor.enter(played.visit)
        closing = asyncio.create_task(floor.close(0.05))
        assert b"will shut down" in await played.next(FrameType.TELL)
        await played.next(FrameType.END)
        assert not closing.done()
        await played.leaves()
        await asyncio.wait_for(closing, 5)
    assert played.visit.farewell == CLOSED


async def test_full_or_closed_server_admits_nobody() -> None:
    floor = VisitRegistry(1, 1)
    visit = Visit(ANN, Config(), Line())
    await floor.enter(visit)
    bob = Hello("b2", "Bob", "/nowhere", 80, 24, {}, 512, 60, 512)
    with pytest.raises(HouseFull, match="full"):
        await floor.enter(Visit(bob, Config(), Line()))
    with floor.guest() as guest:
        assert guest.identity.name == "Guest 1"
        with pytest.raises(HouseFull, match="No more guests"), floor.guest():
            pass
    closing = asyncio.create_task(floor.close(0))
    await asyncio.sleep(0)
    assert visit.farewell == CLOSED
    visit.ended.set()
    await closing
    with pytest.raises(HouseFull, match="shutting down"):
        await floor.enter(Visit(ANN, Config(), Line()))
