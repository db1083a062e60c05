"""The channel of an SSH client: a terminal to play on, or one of a few commands.

The functions at the top use all the undocumented interfaces of asyncssh that the gateway needs, and
give the reasons. A test fails if a version of asyncssh no longer has these names.
"""

from __future__ import annotations

import asyncio
import os
from codecs import getincrementaldecoder
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import asyncssh
from asyncssh.connection import SSHConnection

from ...inputs.errors import BadInput
from ...inputs.files import open_regular
from ...inputs.sanitize import plain
from ...records.clock import now
from ...records.log_header import LONGEST_NAME, Identity
from ...structs import replace
from ..display_names import validate_name
from ..line_editor import LineEditor
from ..session_protocol import LINES, READER
from .reception import (
    TURNED_AWAY,
    GatewayServices,
    Visitor,
    admit,
    clamp_size,
    make_hello,
    play_as_guest,
    play_as_player,
    refusal_text,
)
from .ssh_commands import (
    HELP,
    FileExcerpt,
    LogToVerify,
    is_slow,
    log_name_of,
    run_command,
    run_key_command,
)
from .table_commands import WATCH, is_visit_to_table, table_text
from .visit import SETTLE, STALLED, SessionUnavailable, Visit

TakePacket: TypeAlias = Callable[[int, int, Any], bool | Awaitable[None]]
_OVERHEAD = 64
"""Bytes to count for each packet in addition to its payload, because packets use memory."""


def transport_of(conn: SSHConnection) -> asyncio.Transport | None:
    """Return the TCP transport, or ``None`` once the connection is closed.

    asyncssh has no flow control below its channels: it neither pauses reading nor reports what the
    system has not sent yet.
    """
    transport: asyncio.Transport | None = getattr(conn, "_transport")  # noqa: B009
    return transport


def unread_bytes(conn: SSHConnection) -> int:
    """Return the number of bytes below the channels that the client has not taken.

    During a key exchange, asyncssh keeps all other packets, without a limit, until the exchange is
    complete.
    """
    transport = transport_of(conn)
    below = 0 if transport is None else transport.get_write_buffer_size()
    held = getattr(conn, "_deferred_packets")  # noqa: B009
    return below + sum(_OVERHEAD + sum(map(len, parts)) for _, parts in held)


def packets_read(conn: SSHConnection) -> int:
    """Return the number of packets that were read since the last key exchange, below 2**32."""
    number: int = getattr(conn, "_recv_seq")  # noqa: B009
    return number


def stop_writing_when_cut(conn: SSHConnection) -> None:
    """Drop all output once the TCP connection is broken.

    asyncssh still answers the packets that it has read, and asyncio logs a line for each answer.
    """
    send: Callable[[bytes], None] = getattr(conn, "_send")  # noqa: B009

    def send_if_open(data: bytes) -> None:
        transport = transport_of(conn)
        if transport is not None and not transport.is_closing():
            send(data)

    setattr(conn, "_send", send_if_open)  # noqa: B010 - mypy: it is a method


def on_data(conn: SSHConnection, take: Callable[..., None]) -> None:
    """Call ``take`` with the data that the connection receives, instead of asyncssh's method.

    asyncssh makes its connections itself, so a subclass would never be used.
    """
    setattr(conn, "data_received", take)  # noqa: B010 - mypy: it is a method


def on_packet(conn: SSHConnection, take: TakePacket) -> None:
    """Call ``take`` with each packet for the connection, instead of asyncssh's method.

    If it returns an awaitable, asyncssh reads no more packets until that is done.
    """
    setattr(conn, "process_packet", take)  # noqa: B010 - mypy: it is a method


def on_environment(
    chan: asyncssh.SSHServerChannel[bytes], take: Callable[[asyncssh.packet.SSHPacket], bool]
) -> None:
    """Call ``take`` with each variable of the client's environment.

    asyncssh itself would keep any number of variables, and has no setting to limit them.
    """
    setattr(chan, "_process_env_request", take)  # noqa: B010 - there is no public way


ENVIRONMENT = ("COLORTERM", "NO_COLOR", "LANG")
"""The variables that are accepted from a client, in addition to TERM."""
VALUE_LIMIT = 64
END = b"\x04"
"""The character that a terminal sends at the end of the input."""
DUMB = "dumb"
"""The TERM of a terminal that can only show lines of text."""
LINGER = 5.0
"""How many seconds a client has to close its connection after everything was sent."""
PIECE = 32 << 10
"""Bytes of a file to read in one step, and the maximum of unsent bytes before the next read."""
REFUSED, FAILED = 2, 1
ASK = "Welcome. This key is new here. Please choose a player name."


class VisitorLeft(Exception):
    """The visitor disconnected before the visit began."""


class SshChannel(asyncssh.SSHServerSession[bytes]):
    """The only channel of a connection; ``on_begin`` is called when a shell or command starts."""

    def __init__(
        self, house: GatewayServices, caller: Visitor, on_begin: Callable[[], None]
    ) -> None:
        self._on_begin = on_begin
        self._house, self._caller = house, caller
        self._chan: asyncssh.SSHServerChannel[bytes] | None = None
        self._conn: SSHConnection | None = None
        self._term: str | None = None
        self._size = (80, 24)
        self._command: str | None = None
        self._table: str | None = None
        self._watches = False
        self._environ: dict[str, str] = {}
        self._visit: Visit | None = None
        self._typing: asyncio.Queue[bytes] = asyncio.Queue(64)
        self._task: asyncio.Task[None] | None = None

    # ---- callbacks of asyncssh ------------------------------------------------------------

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """Store the channel, and accept some variables of the client's environment.

        asyncssh itself would store any number of variables.
        """
        self._chan, self._conn = chan, chan.get_connection()

        def take(packet: asyncssh.packet.SSHPacket) -> bool:
            name, value = packet.get_string(), packet.get_string()
            packet.check_end()
            if name not in map(str.encode, ENVIRONMENT) or len(value) > VALUE_LIMIT:
                return False
            self._environ[name.decode()] = value.decode("ascii", "replace")
            return True

        on_environment(chan, take)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the visit; a bet at stake stays on the table."""
        self._hang_up_soon()  # the client cannot open a second channel
        self._chan = None
        if self._visit is not None:
            self._visit.end("")
        elif self._task is not None:
            self._task.cancel()

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """Note the type and size of the terminal."""
        self._term = term_type
        if term_type == DUMB:
            self._environ[LINES] = f"TERM={DUMB}"
        self._size = clamp_size(self._house.config, *term_size[:2])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Pass on a window size, within limits."""
        self._size = clamp_size(self._house.config, width, height)
        if self._visit is not None:
            self._visit.resize(*self._size)

    def shell_requested(self) -> bool:
        """Accept a shell; if something is missing, such as a terminal, it is reported later."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Accept a command; ``reader`` and ``table CODE`` begin a visit."""
        words = command.split()
        if words == [READER]:
            self._environ[LINES] = f"ssh HOST {READER}"
        elif is_visit_to_table(words):
            self._table, self._watches = words[1].upper(), WATCH in words
        else:
            self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse sftp and all other subsystems."""
        return False

    def session_started(self) -> None:
        """Start serving the channel."""
        self._on_begin()
        self._task = asyncio.get_running_loop().create_task(self._serve())

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        """Pass on typed input."""
        self._house.admission.counts.received += len(data)
        if self._visit is not None:
            self._visit.handle_input(data)
        else:
            with suppress(asyncio.QueueFull):
                self._typing.put_nowait(data if LINES in self._environ else data[:256])

    def eof_received(self) -> bool:
        """End the visit at the end of the input."""
        if self._visit is not None:
            self._visit.end_input()
        else:
            with suppress(asyncio.QueueFull):
                self._typing.put_nowait(END)
        return True

    # ---- the terminal of a visit ----------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send data to the visitor, if connected."""
        if self._chan is not None:
            self._house.admission.counts.sent += len(data)
            self._chan.write(data)

    def unsent_bytes(self) -> int:
        """Return how many bytes on the channel and the connection the client has not taken.

        asyncssh counts only the bytes on the channel, and a client that reads nothing may open a
        wide window.
        """
        if self._chan is None or self._conn is None:
            return 0
        return self._chan.get_write_buffer_size() + unread_bytes(self._conn)

    async def _wait_until_read(self, limit: int = 0) -> None:
        """Wait until at most ``limit`` bytes are still to be sent.

        Raises ``TimeoutError`` if the client takes nothing for the time ``stalled``, and
        :class:`VisitorLeft` if it has disconnected.
        """
        loop, stalled = asyncio.get_running_loop(), self._house.config.stalled
        lowest, since = self.unsent_bytes(), loop.time()
        while (waiting := self.unsent_bytes()) > limit:
            if waiting < lowest:
                lowest, since = waiting, loop.time()
            elif loop.time() - since > stalled:
                raise TimeoutError
            await asyncio.sleep(SETTLE)
        if self._chan is None:
            raise VisitorLeft

    async def _send(self, excerpt: FileExcerpt) -> None:
        """Send part of a file in pieces, each after the client has taken the previous ones.

        Raises the same errors as :meth:`_wait_until_read`, and ``OSError``.
        """
        at = excerpt.begin
        while at < excerpt.end:
            size = min(PIECE, excerpt.end - at)
            self.write(await asyncio.to_thread(_piece, excerpt.path, at, size))
            await self._wait_until_read(PIECE)
            at += size

    def _hang_up_soon(self) -> None:
        if self._conn is not None:
            asyncio.get_running_loop().call_later(LINGER, self._conn.close)

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows, within limits."""
        return self._size

    @property
    def environ(self) -> dict[str, str]:
        """TERM and the other accepted variables."""
        return {"TERM": (self._term or "")[:VALUE_LIMIT], **self._environ}

    @property
    def edits(self) -> bool:
        """Whether the client's terminal edits lines itself, because it is not in raw mode."""
        return self._term is None

    @property
    def table(self) -> str | None:
        """The code of the table with others at which the visitor wants to sit down."""
        return self._table

    @property
    def watches(self) -> bool:
        """Whether the visitor wants to watch that table instead."""
        return self._watches

    @property
    def disconnected(self) -> bool:
        """Whether the client has disconnected."""
        return self._chan is None

    def attach(self, visit: Visit) -> None:
        """Pass all further input to this visit."""
        self._visit = visit
        while (
            LINES in self._environ and not self._typing.empty()
        ):  # input that arrived before the visit
            visit.handle_input(self._typing.get_nowait())

    def say(self, text: str) -> None:
        """Write plain text."""
        end = "\r\n" if self._term is not None else "\n"
        lines = (plain(line) for line in text.splitlines())
        self.write("".join(f"{line}{end}" for line in lines).encode(errors="replace"))

    # ---- the visit ------------------------------------------------------------------------

    async def _serve(self) -> None:
        code = 0
        try:
            if self._command is not None:
                async with asyncio.timeout(self._house.config.idle):
                    code = await self._answer(self._command)
                    await self._wait_until_read()
            elif self._term is None and LINES not in self._environ:
                raise BadInput(f"playing needs a terminal: use ssh -t; {HELP}")
            else:
                await self._come_in()
                if self._visit is None or self._visit.farewell != STALLED:
                    await self._wait_until_read()
        except (VisitorLeft, TimeoutError):
            self.say("")
        except TURNED_AWAY as error:
            self.say(refusal_text(error))
            code = FAILED if isinstance(error, (SessionUnavailable, OSError)) else REFUSED
        finally:
            if self._chan is not None:
                self._chan.exit(code)
                self._hang_up_soon()  # even if the client does not read the rest

    async def _answer(self, command: str) -> int:
        house, caller = self._house, self._caller
        try:
            player = await admit(house, caller)
        except BadInput:
            if command.split() != ["version"]:  # this command works even without the database
                raise
            player = None
        verb = next(iter(command.split()), "")[:VALUE_LIMIT]
        try:
            text = await asyncio.to_thread(
                run_key_command,
                command,
                caller.fingerprint,
                player,
                house.identities,
                house.config.web_url if house.config.web is not None else None,
                now(),
            )
        except BadInput:
            house.admission.refuse(verb, caller.address, caller.fingerprint)
            raise
        if text is not None:
            house.admission.note("keys", key=caller.fingerprint, command=verb)
            self.say(text)
            return 0
        house.admission.note("asks", verb=verb, key=caller.fingerprint, address=caller.address)
        if verb == "table":
            self.say(await table_text(command.split(), player, house))
            return 0
        if not is_slow(command):
            result = await asyncio.to_thread(self._run_command, command, player)
            assert isinstance(result, str), "all other results come from slow commands"
            self.say(result)
            return 0
        async with house.slow_jobs.slot(caller.address if player is None else player.id):
            if (
                house.shared_seats is not None
                and player is not None
                and (name := log_name_of(command))
            ):
                folder = house.data.player(player.id) / "sessions"
                await house.shared_seats.bring(player.id, folder, name)
            if verb == "daily" and player is not None:
                house.daily.judge_missing(lambda: [player])
            result = await asyncio.to_thread(self._run_command, command, player)
            if isinstance(result, LogToVerify) and player is not None:
                return await self._verify(player, result.log)
        if isinstance(result, FileExcerpt):
            await self._send(result)
        elif isinstance(result, str):
            self.say(result)
        return 0

    def _run_command(
        self, command: str, player: Identity | None
    ) -> str | FileExcerpt | LogToVerify:
        house = self._house
        return run_command(command, player, house)

    async def _verify(self, player: Identity, log: Path) -> int:
        house = self._house
        hello = make_hello(house, self, player, house.data.player(player.id))
        visit = Visit(replace(hello, verify=str(log)), house.config, self)
        await visit.play(house.sockets)
        self.say(visit.farewell)
        return FAILED if visit.farewell else 0

    async def _come_in(self) -> None:
        house, caller = self._house, self._caller
        player = await admit(house, caller)
        if caller.fingerprint is None:
            await play_as_guest(house, caller, self)
        else:
            if player is None:
                async with asyncio.timeout(house.config.idle):
                    player = await self._ask_name(caller.fingerprint)
            await play_as_player(house, caller, self, player)

    @property
    def _offered_name(self) -> str:
        """The user name of the login, if a player may have that name."""
        with suppress(BadInput):
            return validate_name(self._caller.login)
        return ""

    async def _ask_name(self, fingerprint: str) -> Identity:
        """Ask a new player for a name until they enter a valid one. Raises :class:`VisitorLeft`."""
        self.say(ASK)
        decoder = getincrementaldecoder("utf-8")("replace")
        raw = self._term is not None  # otherwise the client shows and edits the line
        offered = self._offered_name if raw else ""
        while True:
            line = LineEditor(LONGEST_NAME)
            line.text = offered[:LONGEST_NAME]
            self.write(f"> {line.text}".encode(errors="replace"))
            while not line.done:
                typed = decoder.decode(await self._typing.get())
                shown = line.feed(typed)
                self.write(shown.encode(errors="replace") if raw else b"")
                if line.cancelled:
                    raise VisitorLeft
            self.say("\n")
            try:
                enrol = self._house.identities.enrol
                return await asyncio.to_thread(enrol, fingerprint, line.text, now())
            except BadInput as error:
                whose = self._house.identities.player_of
                known = await asyncio.to_thread(whose, fingerprint)
                if known is not None:  # another connection with this key was faster
                    self.say(f"This key already belongs to {known.name}. Welcome.")
                    return known
                self.say(f"{error}.")
                offered = ""


def _piece(path: Path, offset: int, size: int) -> bytes:
    """Read part of a file. Raises ``OSError``."""
    file = open_regular(path)
    try:
        return os.pread(file, size, offset)
    finally:
        os.close(file)
