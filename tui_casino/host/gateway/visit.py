"""The gateway's end of a session, and the open visits, at most one per player.

A visit relays input and output, checks timeouts and kills the session's process.

Sessions share the processor fairly. All start with the same priority. A session may use a little
processor time in each second, and more for each key that the player presses. The priority of a
session that has used more, or that is flooded with input, is lowered. It is restored soon
afterwards if the system allows that (``RLIMIT_NICE``). Otherwise the player's next visit starts
with the usual priority, and a session may use much more before its priority is lowered.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from msgspec import Struct

from ...structs import replace
from ..cage_protocol import CageHello
from ..config import Config
from ..data_folder import folder_size
from ..identities import Guest
from ..processes import BEHIND, NICE, ProcessHandle, receive_process
from ..rate_limits import InputGate, LineGate, PaceLimit
from ..session_protocol import LINES, FrameType, Hello, pack_frame, pack_size, read_frame
from .metrics import GatewayCounters

SHARE, TOGETHER = 0.1, 0.5
"""The part of a core that a session may use in the long run, and the part of all cores that all
sessions may use together; keys are not counted in either.
"""
KEY, KEYS = 0.015, 10.0
"""Seconds of processor time that a session may use for a key, and for how many keys per second."""
SIZE = 0.02
"""Seconds that a window size counts for if it arrives too quickly and is not passed on."""
ARRIVAL, BURST = 0.75, 0.25
"""Seconds of processor time that a new session may use, and a quiet session in a burst."""
LASTING_BURST = 5.0
"""The same if the usual priority cannot be restored."""
RECOVERY = 2.0
"""Seconds of quiet after which the usual priority is restored at the latest."""


class CpuShare:
    """Watches one session; ``behind`` says whether it has the lower priority."""

    def __init__(self) -> None:
        self.behind = False
        self._burst, self._budget = BURST, ARRIVAL
        self._updated: float | None = None
        self._used = 0.0

    def update(
        self,
        process: ProcessHandle,
        now: float,
        *,
        visits: int,
        keys: int = 0,
        sizes: int = 0,
        floods: bool = False,
    ) -> None:
        """Count the processor time since the last call, and set the priority.

        ``visits`` is the number of visits to the server. ``keys`` and ``sizes`` count the keys that
        were passed on and the window sizes that were not, since the last call. ``floods`` reports
        other input that was not passed on.
        """
        took = 0.0 if self._updated is None else now - self._updated
        share = min(SHARE, TOGETHER * (os.cpu_count() or 1) / visits)
        used = process.seconds
        # negative after a child has ended, because its time is no longer included
        spent = max(0.0, used - self._used) + SIZE * sizes
        earned = took * share + KEY * min(keys, KEYS * took)
        self._updated, self._used = now, used
        self._budget = min(max(self._burst, self._budget), self._budget + earned - spent)
        at_first = not self.behind and self._burst == BURST
        if self._budget < 0 and at_first and not process.may_return():
            self._burst = LASTING_BURST
            self._budget += LASTING_BURST - BURST
        debt = -RECOVERY * share
        self._budget = debt if floods else max(debt, self._budget)
        if self._budget < 0:
            self.behind = self.behind or process.give_way(BEHIND)
        elif self.behind:
            self.behind = not process.give_way(NICE)


TICK = 0.25
"""Seconds between two checks of a visit's timeouts and its processor time."""
PING = 10.0
MEASURE, SELDOM = 1.0, 10.0
"""Seconds between two measurements of the session's folder, at least and at most.

A session that uses no processor time writes nothing, so its folder is measured seldom.
"""
PAUSE = 20.0
"""The least time between two measurements, as a multiple of the time that the first one takes."""
SPARE = 128
"""Megabytes that the folder may have in addition to twice the limit of its logs."""
RELEASE = 0.1
"""Seconds between two checks whether lines that arrived too quickly may pass."""
SETTLE = 0.1
"""Seconds between two checks whether a slow connection has caught up."""
THREADS = 64 + (os.cpu_count() or 1)
"""The maximum number of threads in a session; a session with more is killed."""
BROKE_OFF = "The session ended unexpectedly. Connect again to finish an open hand."
IDLE = "You were idle for too long. Connect again to finish an open hand."
STALLED = "Your connection stopped accepting data."
FULL = "Your folder on the server is too large. Ask the operator to remove files."
LONG = "You have reached the time limit for a visit. Connect again to finish an open hand."
PATIENCE = 10.0
"""How many seconds a greeting waits while no session can be forked."""


class RemoteTerminal(Protocol):
    """The terminal of a visitor at the other end of a connection."""

    def write(self, data: bytes) -> None:
        """Send data."""
        ...

    def unsent_bytes(self) -> int:
        """Return the number of bytes that are still to be sent."""
        ...


class SessionUnavailable(Exception):
    """No session process could be started."""


async def send_sockets(door: socket.socket, message: bytes, *lines: socket.socket) -> None:
    """Send a message and sockets through a door to another process, when there is room.

    Raises :class:`SessionUnavailable` after a while, because the receiver may be dead.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while True:
        try:
            socket.send_fds(door, [message], [line.fileno() for line in lines])
        except (BlockingIOError, InterruptedError):
            if loop.time() > until:
                raise SessionUnavailable from None
            await asyncio.sleep(SETTLE)
        except OSError:
            raise SessionUnavailable from None
        else:
            return


class ProcessSockets(Struct, frozen=True):
    """The sockets over which the gateway sends connections to the zygote and the cage.

    Neither socket blocks. A process that was restarted receives the connections that were sent in
    the meantime.
    """

    zygote: socket.socket
    cage: socket.socket


class Visit:
    """One visit as the gateway sees it. ``name`` is the visitor's display name.

    ``ended`` is set once the process has ended and released its locks. ``farewell`` is the last
    message to the visitor; ``clean_exit`` says whether the session restored the terminal.
    ``fingerprint`` identifies the visitor's key, and ``address`` is the client's; ``process`` is
    known once the zygote has reported it. ``by_lines`` says whether the visit is in screen-reader
    mode. ``on_daily`` is called when the player has finished a daily deal.
    """

    def __init__(
        self,
        hello: Hello,
        config: Config,
        terminal: RemoteTerminal,
        counts: GatewayCounters | None = None,
    ) -> None:
        self.name, self.player = hello.name, hello.player
        self.fingerprint: str | None = None
        self.process: ProcessHandle | None = None
        self.address = ""
        self._counts = GatewayCounters() if counts is None else counts
        self.ended = asyncio.Event()
        self.farewell, self.clean_exit = "", False
        self._hello, self._config, self._terminal = hello, config, terminal
        self.on_daily: Callable[[Hello], None] | None = None
        self._gate, self._line_gate, self._share = InputGate(), LineGate(), CpuShare()
        self._releasing: asyncio.TimerHandle | None = None
        self._input_over = False
        self.by_lines = bool(hello.environ.get(LINES))
        self._loop = asyncio.get_running_loop()
        self._started = self._last_input = self._last_frame = self._loop.time()
        self._stuck_since: float | None = None
        self._killed = False
        self._writer: asyncio.StreamWriter | None = None
        self._size = hello.columns, hello.rows
        self._sizing: asyncio.TimerHandle | None = None
        self._pace = PaceLimit(config.resizes, config.sizes, config.dragged)
        self._sizes_dropped = 0
        self._kill_timer: asyncio.TimerHandle | None = None
        self._settling: asyncio.TimerHandle | None = None

    # ---- the process ----------------------------------------------------------------------

    async def play(self, sockets: ProcessSockets) -> None:
        """Start a session process, and relay input and output until it ends.

        Raises :class:`SessionUnavailable`.
        """
        ours, theirs = socket.socketpair()
        report, report_writer = socket.socketpair()
        for end in (ours, report):
            end.setblocking(False)
        tasks: list[asyncio.Task[None]] = []
        try:
            with theirs, report_writer:
                await self._greet(sockets, theirs, report_writer)
            reader, self._writer = await asyncio.open_connection(sock=ours)
            if self._size != (self._hello.columns, self._hello.rows):
                self._send(pack_size(*self._size))  # it was resized before it was connected
            if self._line_gate.waits:
                self._release()
            if self._kill_timer is not None:  # it was asked to end before it was connected
                self._send(pack_frame(FrameType.END))
            tasks += map(self._loop.create_task, (self._tick(), self._measure()))
            self._counts.visits += 1
            try:
                await self._carry(reader, report)
            finally:
                self._counts.visits -= 1
        finally:
            ours.close()
            report.close()
            for timer in (self._sizing, self._kill_timer, self._settling, self._releasing):
                if timer is not None:
                    timer.cancel()
            for task in tasks:
                task.cancel()
            if self._writer is not None:
                self._writer.close()
            self.ended.set()

    async def _greet(
        self, sockets: ProcessSockets, line: socket.socket, report: socket.socket
    ) -> None:
        """Send the greeting and the session's sockets to the zygote, and two sockets to the cage.

        Only the gateway tells the cage whose socket it is. Only the zygote reports, over
        ``report``, which process it has forked for the session. Raises :class:`SessionUnavailable`.
        """
        hello = self._hello
        caller = CageHello(hello.player, hello.folder, hello.guest, hello.seat)
        with ExitStack() as closing:
            ours: list[socket.socket] = []
            for _ in range(2):  # one for requests, one for the news of tables
                own, theirs = map(closing.enter_context, socket.socketpair())
                await send_sockets(sockets.cage, caller.packed(), theirs)
                ours.append(own)
            await send_sockets(sockets.zygote, hello.packed(), line, *ours, report)

    async def _carry(self, reader: asyncio.StreamReader, report: socket.socket) -> None:
        birth = self._loop.create_task(self._receive_process(report))
        try:
            while (frame := await read_frame(reader)) is not None:
                kind, payload = frame
                self._last_frame = self._loop.time()
                match kind:
                    case FrameType.OUTPUT:
                        self._show(payload)
                    case FrameType.LINES:
                        self.by_lines = True
                    case FrameType.PLAYED if self.on_daily is not None:
                        self.on_daily(self._hello)
                    case FrameType.BYE:
                        self.clean_exit = True
                        self.farewell = self.farewell or payload.decode(errors="replace")
                        self._start_kill_timer()
                    case _:
                        pass
                await asyncio.sleep(0)  # read_frame does not yield while frames are buffered
        except ValueError:
            self.kill()
        finally:
            self.kill()  # the process may have closed its connection but still be running
            await self._wait_until_dead(birth)
        if not self.clean_exit:
            self.farewell = self.farewell or BROKE_OFF

    @property
    def ending(self) -> bool:
        """Whether the visit has been asked to end."""
        return self._kill_timer is not None

    def assign_seat(self, seat: str) -> None:
        """Set the seat's token before :meth:`play`, if several servers share one database."""
        self._hello = replace(self._hello, seat=seat)

    async def _receive_process(self, report: socket.socket) -> None:
        """Receive the process handle; kill the process if the visit has been asked to end."""
        self.process = await receive_process(report)
        if self._killed and self.process is not None:
            self.process.kill()

    async def _wait_until_dead(self, birth: asyncio.Task[None]) -> None:
        """Wait until a killed process has ended, even if its handle has not arrived yet."""
        await asyncio.wait({birth}, timeout=self._config.leaving)
        birth.cancel()
        if self.process is not None:
            await self.process.dead(self._config.leaving)
            self.process.close()

    def end(self, reason: str) -> None:
        """Ask the session to close its tables and end; kill it if it does not."""
        if self._kill_timer is None:
            self.farewell = reason
            self._send(pack_frame(FrameType.END))
            self._start_kill_timer()

    def _start_kill_timer(self) -> None:
        if self._kill_timer is None:
            self._kill_timer = self._loop.call_later(self._config.leaving, self.kill)

    def kill(self) -> None:
        """Kill the session's process, which releases its locks."""
        self._killed = True
        if self.process is not None:
            self.process.kill()
        if self._writer is not None:
            self._writer.close()

    def notify(self, text: str) -> None:
        """Show the visitor a message."""
        self._send(pack_frame(FrameType.TELL, text.encode(errors="replace")))

    def _send(self, frame: bytes) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(frame)

    # ---- from the terminal ----------------------------------------------------------------

    def handle_input(self, data: bytes) -> None:
        """Pass the visitor's input on to the session, within the limits."""
        self._last_input = self._loop.time()
        if self.by_lines:
            self._handle_lines(data)
            return
        before = self._gate.keys
        passed = self._gate.feed(data, self._last_input)
        self._counts.keys += self._gate.keys - before
        if passed and self._writer is not None and self._queued() < self._config.backlog:
            self._send(pack_frame(FrameType.INPUT, passed))

    def _handle_lines(self, data: bytes) -> None:
        """Pass lines on; lines that arrive too quickly, or before the session exists, wait."""
        self._line_gate.hold(data)
        if self._writer is not None and self._releasing is None:
            self._release()

    def _release(self) -> None:
        """Pass on the lines that the limits allow, once the session has taken the previous ones."""
        self._releasing, gate = None, self._line_gate
        if self._queued() < self._config.backlog:
            before = gate.keys
            if passed := gate.take(self._loop.time()):
                self._send(pack_frame(FrameType.INPUT, passed))
            self._counts.keys += gate.keys - before
        if gate.waits:
            self._releasing = self._loop.call_later(RELEASE, self._release)
        elif self._input_over:
            self.end("")

    def end_input(self) -> None:
        """End the visit once all input has been passed on."""
        self._input_over = True
        if not self._line_gate.waits:
            self.end("")

    def _queued(self) -> int:
        return 0 if self._writer is None else self._writer.transport.get_write_buffer_size()

    def resize(self, columns: int, rows: int) -> None:
        """Pass on a window size; if sizes arrive too quickly, pass on only the newest."""
        self._size = columns, rows
        if self._sizing is not None:
            self._sizes_dropped += 1
            return
        wait = self._pace.wait(self._loop.time())
        self._sizing = self._loop.call_later(wait, self._hand_on_size)

    def _hand_on_size(self) -> None:
        if self._queued() >= self._config.backlog:  # the last size must not be lost
            self._sizing = self._loop.call_later(SETTLE, self._hand_on_size)
            return
        self._sizing = None
        self._pace.take(self._loop.time())
        self._send(pack_size(*self._size))

    # ---- to the terminal ------------------------------------------------------------------

    def _show(self, data: bytes) -> None:
        """Send a frame, or drop it if too many bytes are unsent; everything is repainted later."""
        if self._stuck_since is None and self._terminal.unsent_bytes() <= self._config.backlog:
            self._terminal.write(data)
            return
        self._counts.dropped += 1
        if self._stuck_since is None:
            self._stuck_since = self._loop.time()
            self._settling = self._loop.call_later(SETTLE, self._settle)

    def _settle(self) -> None:
        if self._terminal.unsent_bytes() > self._config.backlog // 4:
            self._settling = self._loop.call_later(SETTLE, self._settle)
        else:
            self._stuck_since = self._settling = None
            self._send(pack_frame(FrameType.REPAINT))

    def repaint(self) -> None:
        """Ask the session to repaint everything, for a new or a cleared terminal."""
        self._send(pack_frame(FrameType.REPAINT))

    async def _measure(self) -> None:
        """Kill the session if its folder becomes so large that it may fill the disk."""
        limit, due, used, took = 2 * self._config.logs + SPARE << 20, 0.0, 0.0, 0.0
        while True:
            seconds = 0.0 if self.process is None else self.process.seconds
            began = self._loop.time()
            if seconds != used or began >= due:
                size = await asyncio.to_thread(folder_size, self._hello.folder, limit)
                if size > limit:
                    break
                took = self._loop.time() - began
                used, due = seconds, began + SELDOM
            await asyncio.sleep(min(SELDOM, max(MEASURE, PAUSE * took)))
        self.farewell = FULL
        self.kill()

    # ---- timeouts -------------------------------------------------------------------------

    async def _tick(self) -> None:
        """Check that the visitor, the connection and the session are still active."""
        config, last_ping = self._config, self._loop.time()
        keys = dropped = sizes = 0
        while True:
            await asyncio.sleep(TICK)
            now = self._loop.time()
            if self.process is not None:
                before, keys = keys, self._gate.keys + self._line_gate.keys
                self._share.update(
                    self.process,
                    now,
                    visits=self._counts.visits,
                    keys=keys - before,
                    sizes=self._sizes_dropped - sizes,
                    floods=self._gate.dropped > dropped or self._line_gate.waits,
                )
                dropped, sizes = self._gate.dropped, self._sizes_dropped
                if self.process.threads > THREADS:
                    self.farewell = self.farewell or BROKE_OFF
                    self.kill()
            if now - self._last_input > config.idle:
                self.end(IDLE)
            if now - self._started > config.longest:
                self.end(LONG)
            if self._stuck_since is not None and now - self._stuck_since > config.stalled:
                self.end(STALLED)
            if now - self._last_frame > PING + config.stalled:
                self.farewell = self.farewell or BROKE_OFF
                self.kill()
            elif now - self._last_frame > PING and now - last_ping > PING:
                last_ping = now
                self._send(pack_frame(FrameType.PING))


TAKEN_OVER = "You connected from somewhere else, and your visit continues there."
CLOSED = "The server is shutting down. Connect again later to finish an open hand."


class HouseFull(Exception):
    """There is no room for another visit; the text says why."""


class VisitRegistry:
    """All open visits to a server: at most ``sessions``, and at most ``guests`` by guests."""

    def __init__(self, sessions: int, guests: int) -> None:
        self._sessions, self._most_guests = sessions, guests
        self._visits: dict[str, Visit] = {}
        self._guests: set[int] = set()
        self.closed = False

    @property
    def names(self) -> list[str]:
        """The display names of all visitors, sorted."""
        return sorted(visit.name for visit in self._visits.values())

    @property
    def visits(self) -> list[Visit]:
        """The visits that are open now."""
        return [*self._visits.values()]

    @property
    def guests(self) -> int:
        """The number of guests."""
        return len(self._guests)

    @contextmanager
    def guest(self) -> Iterator[Guest]:
        """Hold a guest number while the context lasts. Raises :class:`HouseFull`."""
        if len(self._guests) >= self._most_guests:
            raise HouseFull(
                "No more guests can play right now. Try again later, or use an SSH key."
            )
        number = next(n for n in range(1, self._most_guests + 1) if n not in self._guests)
        self._guests.add(number)
        try:
            yield Guest(number)
        finally:
            self._guests.discard(number)

    async def enter(self, visit: Visit) -> None:
        """End any earlier visit of the same player, and register a visit.

        Raises :class:`HouseFull`. Call :meth:`leave` at the end of the visit.
        """
        while (before := self._visits.get(visit.player)) is not None:
            before.end(TAKEN_OVER)
            await before.ended.wait()
            self.leave(before)
        if self.closed:  # no await from here on, so that no other visit can be registered
            raise HouseFull(CLOSED)
        if len(self._visits) >= self._sessions:
            raise HouseFull("The server is full. Please try again later.")
        self._visits[visit.player] = visit

    def leave(self, visit: Visit) -> None:
        """Remove a visit; do nothing if it was removed before."""
        if self._visits.get(visit.player) is visit:
            del self._visits[visit.player]

    def send_away(self, player: str) -> bool:
        """End the visit of a player who now plays at another server.

        Returns false if there is no such visit.
        """
        visit = self._visits.get(player)
        if visit is not None:
            visit.end(TAKEN_OVER)
        return visit is not None

    async def close(self, grace: float) -> None:
        """Refuse new visits, warn all visitors, and end every visit after ``grace`` seconds."""
        self.closed = True
        if self._visits and grace:
            for visit in self._visits.values():
                visit.notify(
                    f"The server will shut down in {grace:.0f} seconds. "
                    "You can finish an open hand later."
                )
            await asyncio.sleep(grace)
        for visit in [*self._visits.values()]:
            visit.end(CLOSED)
        await asyncio.gather(*(visit.ended.wait() for visit in [*self._visits.values()]))
