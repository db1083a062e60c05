"""What a visitor asks for over SSH: a terminal to play at, or one of a few commands; no more."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import asyncssh

from ...inputs.errors import BadInput
from ...inputs.plain import plain
from ...records.clock import now
from ...records.header import LONGEST_NAME, Identity
from ..config import Config
from ..folders import DataFolder
from ..frames import Hello
from ..identities import Identities
from .entry import Entry, Refused
from .floor import Floor, Full
from .key_verbs import answer_on_keys
from .leaders import Leaders
from .prompt import TypedLine
from .verbs import HELP, Checked, answer, log_of
from .visit import BROKE_OFF, Doors, NoRoom, Visit

if TYPE_CHECKING:
    from .cluster import Cluster

ENVIRONMENT = ("COLORTERM", "NO_COLOR", "LANG")
"""What is believed of a client's environment, beside TERM."""
VALUE_LIMIT = 64
BYTES = 64 << 10
"""That are read of a visitor in a second; a paste has a quarter of it."""
LINGER = 5.0
"""Seconds that a client has to close its connection, once its one channel is closed."""
REFUSED, FAILED = 2, 1
RESTORE = (
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?7h\x1b[<u\x1b[?1049l"
    b"\x1b[?25h\x1b[?1004l\x1b[m"
)
"""Makes a terminal usable again that a session has left as it was."""
BRINGING = "One moment: your seat is brought here from another host."
ASK = "Welcome. This key is new here: what shall we call you?"


@dataclass(frozen=True, slots=True)
class House:
    """What the gateway has of the house, for all its visitors.

    ``answering`` is held by commands: so many are answered at once. ``entry`` says who may. A
    ``cluster`` is there where several hosts are one house.
    """

    config: Config
    data: DataFolder
    identities: Identities
    floor: Floor
    entry: Entry
    doors: Doors
    answering: asyncio.Semaphore
    leaders: Leaders
    cluster: Cluster | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who has connected: the ``fingerprint`` of his key, which guests have not, and from where.

    ``login`` is the name that was logged in with: it is offered as a player's.
    """

    fingerprint: str | None
    login: str
    address: str


class Left(Exception):
    """The visitor went before he had come in."""


class Channel(asyncssh.SSHServerSession[bytes]):
    """The one channel of a connection; ``begun`` is called when it is known what it is for."""

    def __init__(self, house: House, caller: Caller, begun: Callable[[], None]) -> None:
        self._begun = begun
        self._house, self._caller = house, caller
        self._chan: asyncssh.SSHServerChannel[bytes] | None = None
        self._term: str | None = None
        self._size = (80, 24)
        self._command: str | None = None
        self._given: dict[str, str] = {}
        self._bytes, self._since, self._deaf = 0, 0.0, False
        self._visit: Visit | None = None
        self._typing: asyncio.Queue[bytes] = asyncio.Queue(64)
        self._task: asyncio.Task[None] | None = None

    # ---- what asyncssh calls --------------------------------------------------------------

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """Take the channel, and what of a client's environment is believed.

        asyncssh would keep as much of it as is sent, and tells nobody.
        """
        self._chan = chan

        def take(packet: asyncssh.packet.SSHPacket) -> bool:
            name, value = packet.get_string(), packet.get_string()
            packet.check_end()
            if name not in map(str.encode, ENVIRONMENT) or len(value) > VALUE_LIMIT:
                return False
            self._given[name.decode()] = value.decode("ascii", "replace")
            return True

        setattr(chan, "_process_env_request", take)  # noqa: B010 - there is no other way

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the session go: what is at stake waits."""
        if self._chan is not None:  # there is no second one to wait for
            asyncio.get_running_loop().call_later(LINGER, self._chan.get_connection().close)
        self._chan = None
        if self._visit is not None:
            self._visit.end("")
        elif self._task is not None:
            self._task.cancel()

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """Note what the terminal is."""
        self._term = term_type
        self._size = self._clamped(*term_size[:2])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Hand on a size, within bounds."""
        self._size = self._clamped(width, height)
        if self._visit is not None:
            self._visit.resized(*self._size)

    def shell_requested(self) -> bool:
        """Agree; what is missing is said once there is a channel to say it on."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Agree; the commands there are answer for themselves."""
        self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse sftp and all others."""
        return False

    def session_started(self) -> None:
        """Begin."""
        self._begun()
        self._task = asyncio.get_running_loop().create_task(self._serve())

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        """Hand on what is typed; who sends much is heard again in a while."""
        loop = asyncio.get_running_loop()
        self._house.entry.counts.received += len(data)
        if loop.time() - self._since > 1.0:
            self._since, self._bytes = loop.time(), 0
        self._bytes += len(data)
        if self._bytes > BYTES and not self._deaf and self._chan is not None:
            self._deaf = True
            self._chan.pause_reading()
            loop.call_later(1.0, self._hear_again)
        if self._visit is not None:
            self._visit.typed(data)
        else:
            with suppress(asyncio.QueueFull):
                self._typing.put_nowait(data[:256])

    def _hear_again(self) -> None:
        self._deaf = False
        if self._chan is not None:
            self._chan.resume_reading()

    def eof_received(self) -> bool:
        """Take the end of input for the end of the visit."""
        if self._visit is not None:
            self._visit.end("")
        return True

    # ---- the terminal of a visit ----------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send to the visitor, if he is there."""
        if self._chan is not None:
            self._house.entry.counts.sent += len(data)
            self._chan.write(data)

    def waiting(self) -> int:
        """Give the bytes that his line has not taken, those of the channel and the connection.

        asyncssh sees to the first alone, and a client that reads nothing may open a wide window.
        """
        if self._chan is None:
            return 0
        transport = getattr(self._chan.get_connection(), "_transport", None)
        below = transport.get_write_buffer_size() if transport is not None else 0
        return self._chan.get_write_buffer_size() + int(below)

    def _clamped(self, columns: int, rows: int) -> tuple[int, int]:
        config = self._house.config
        return min(max(columns, 1), config.columns), min(max(rows, 1), config.rows)

    def _say(self, text: str) -> None:
        end = "\r\n" if self._term is not None else "\n"
        lines = (plain(line) for line in text.splitlines())
        self.write("".join(f"{line}{end}" for line in lines).encode(errors="replace"))

    # ---- the visit ------------------------------------------------------------------------

    async def _serve(self) -> None:
        code = 0
        try:
            if self._command is not None:
                code = await self._answer(self._command)
            elif self._term is None:
                raise BadInput(f"a terminal is needed to play: ssh -t; {HELP}")
            else:
                await self._come_in()
        except (BadInput, Full, Refused) as error:
            self._say(str(error))
            code = REFUSED
        except NoRoom:
            self._say("No table can be had just now; come again later.")
            code = FAILED
        except (Left, TimeoutError):
            self._say("")
        except OSError as error:
            self._say(f"That cannot be done just now: {error.strerror}.")
            code = FAILED
        finally:
            if self._chan is not None:
                self._chan.exit(code)

    async def _answer(self, command: str) -> int:
        house, player = self._house, await self._admitted()
        said = await asyncio.to_thread(
            answer_on_keys, command, self._caller.fingerprint, player, house.identities, now()
        )
        if said is not None:
            house.entry.note("keys", key=self._caller.fingerprint, command=command.split()[0])
            self._say(said)
            return 0
        verb = next(iter(command.split()), "")[:VALUE_LIMIT]
        house.entry.note(
            "asks", verb=verb, key=self._caller.fingerprint, address=self._caller.address
        )
        async with house.answering:
            if house.cluster is not None and player is not None and (name := log_of(command)):
                folder = house.data.player(player.id) / "sessions"
                await house.cluster.bring(player.id, folder, name)
            found = await asyncio.to_thread(
                answer, command, player, house.floor, house.data, house.leaders
            )
            match found:
                case str():
                    self._say(found)
                case bytes():
                    self.write(found)
                case Checked(log) if player is not None:
                    folder = house.data.player(player.id)
                    hello = self._greeting(player, folder)
                    visit = Visit(replace(hello, verify=str(log)), house.config, self)
                    await visit.play(house.doors)
                    self._say(visit.said)
                    return FAILED if visit.said else 0
        return 0

    async def _admitted(self) -> Identity | None:
        """Give who it is, if he is known. Raises :class:`Refused` and :class:`BadInput`."""
        house, caller = self._house, self._caller
        player = None
        if caller.fingerprint is not None:
            player = await asyncio.to_thread(house.identities.player_of, caller.fingerprint)
        await house.entry.admit(caller.fingerprint, player, caller.address)
        return player

    async def _come_in(self) -> None:
        house, player = self._house, await self._admitted()
        if self._caller.fingerprint is None:
            with house.floor.guest() as guest:
                async with _folder_of_guest(house.data) as folder:
                    await self._play(guest.identity, folder, guest=True)
        else:
            if player is None:
                async with asyncio.timeout(house.config.idle):
                    player = await self._introduced(self._caller.fingerprint)
            folder = house.data.player(player.id)
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            await self._play(player, folder)

    async def _introduced(self, fingerprint: str) -> Identity:
        """Ask a new player for a name until it is one. Raises :class:`Left`."""
        self._say(ASK)
        decoder = getincrementaldecoder("utf-8")("replace")
        offered = self._caller.login if self._caller.login.isprintable() else ""
        while True:
            line = TypedLine(LONGEST_NAME)
            line.text = offered[:LONGEST_NAME]
            self.write(f"> {line.text}".encode(errors="replace"))
            while not line.done:
                typed = decoder.decode(await self._typing.get())
                self.write(line.feed(typed).encode(errors="replace"))
                if line.left:
                    raise Left
            self._say("\n")
            try:
                enrol = self._house.identities.enrol
                return await asyncio.to_thread(enrol, fingerprint, line.text, now())
            except BadInput as error:
                self._say(f"{error}.")
                offered = ""

    def _greeting(self, who: Identity, folder: Path, *, guest: bool = False) -> Hello:
        config = self._house.config
        return Hello(
            player=who.id,
            name=who.name,
            folder=str(folder),
            guest=guest,
            columns=self._size[0],
            rows=self._size[1],
            environ=self._environ(),
            memory=config.memory,
            processor=config.processor,
        )

    async def _play(self, who: Identity, folder: Path, *, guest: bool = False) -> None:
        house, config = self._house, self._house.config
        caller, counts = self._caller, house.entry.counts
        visit = Visit(self._greeting(who, folder, guest=guest), config, self, counts)
        visit.fingerprint, visit.address = caller.fingerprint, caller.address
        try:
            await house.floor.enter(visit)
        except Full:
            house.entry.refuse("full", caller.address, caller.fingerprint)
            raise
        counts.sessions += 1
        house.entry.note(
            "enters", player=who.id, name=who.name, key=caller.fingerprint, address=caller.address
        )
        try:
            if self._chan is None:
                return
            async with AsyncExitStack() as seated:
                if house.cluster is not None and not guest:
                    left = partial(self._gone_from, visit)
                    wait = partial(self._say, BRINGING)
                    visit.sit(
                        await seated.enter_async_context(house.cluster.seat(who.id, left, wait))
                    )
                self._visit = visit
                visit.resized(*self._size)
                await visit.play(house.doors)
        finally:
            visit.gone.set()
            house.floor.leave(visit)
            house.entry.note("leaves", player=who.id)
        if not visit.orderly:
            self.write(RESTORE)
            visit.said = visit.said or BROKE_OFF
        self._say(visit.said)

    def _gone_from(self, visit: Visit) -> bool:
        return self._chan is None or visit.ending

    def _environ(self) -> dict[str, str]:
        return {"TERM": (self._term or "")[:VALUE_LIMIT], **self._given}


@asynccontextmanager
async def _folder_of_guest(data: DataFolder) -> AsyncIterator[Path]:
    """Give a guest a folder as long as he stays; not even a killed session leaves one behind."""
    data.guests.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = tempfile.mkdtemp(dir=data.guests)
    try:
        yield Path(os.path.abspath(folder))
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))
