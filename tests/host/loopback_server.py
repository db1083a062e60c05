"""A server on a loopback port, and players who connect over SSH."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.request import urlopen

import asyncssh
import pyte

from tests.helpers.pty_terminal import _UNKNOWN, CASINO, PATIENCE, been_here, environment
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.identities import Identities
from tui_casino.records.log_header import Identity
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.tui.table.live import READING_SECONDS
from tui_casino.tui.terminal.input_reader import AT_ONCE
from tui_casino.tui.widgets.command_line import AGAIN

READY = re.compile(r"listening on 127\.0\.0\.1:(\d+), host key (SHA256:\S+)\n")
AS_ROOT = ("--as-root",) * (os.geteuid() == 0)
"""The server refuses to run as root without this; a container may only have root."""
NEW = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


class Door(Protocol):
    """The address for logins: that of one host, or one for several hosts."""

    @property
    def port(self) -> int: ...


def _started(process: int) -> int:
    """Return when a process began, in ticks since the boot; ids begin again at some number."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])


class Host:
    """A running ``tui-casino serve``; ``output`` is its output on both streams."""

    def __init__(
        self,
        home: Path,
        *options: str,
        config: str = "grace = 0\n",
        program: Sequence[str] = CASINO,
    ) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.data = DataFolder(home / "data")
        (home / "serve.toml").write_text(config)
        where = ("--data", "data", "--ssh", "127.0.0.1:0")
        self.warnings = home / "warnings"
        with self.warnings.open("w") as warnings:
            self.process = subprocess.Popen(
                [*program, "serve", *where, "--config", "serve.toml", *AS_ROOT, *options],
                cwd=home,
                env=environment(home, NO_COLOR="1", COLUMNS="7"),
                stdout=subprocess.PIPE,
                stderr=warnings,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        ready = READY.fullmatch(self.process.stdout.readline())
        assert ready, self.warnings.read_text()
        self.port, self.fingerprint = int(ready[1]), ready[2]
        self.monitor = ""
        if "--metrics" in options:
            self.monitor = self.process.stdout.readline().split()[-1]

    def children(self) -> dict[int, int]:
        """Return all processes of the server below the first, each with its parent."""
        parents = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parents[int(folder.name)] = int(
                    (folder / "stat").read_text().rpartition(")")[2].split()[1]
                )
        below = {self.process.pid}
        for _ in range(3):
            below |= {process for process, parent in parents.items() if parent in below}
        return {process: parents[process] for process in below - {self.process.pid}}

    @property
    def helpers(self) -> list[int]:
        """Return zygote, gateway and cage, in the order of their start."""
        children = self.children().items()
        own = (process for process, parent in children if parent == self.process.pid)
        return sorted(own, key=lambda process: (_started(process), process))

    @property
    def sessions(self) -> list[int]:
        """Return the processes of the sessions."""
        return sorted(p for p, parent in self.children().items() if parent != self.process.pid)

    def metric(self, name: str) -> float:
        """Return a metric without labels, such as ``connects_total``."""
        with urlopen(self.monitor, timeout=10) as response:
            lines = response.read().decode().splitlines()
        return next(
            float(line.split()[1]) for line in lines if line.startswith(f"tui_casino_{name} ")
        )

    def add_player(self, key: asyncssh.SSHKey, name: str) -> Identity:
        """Register a player who has already seen the tour."""
        book = Identities(self.data.identities)
        player = book.enrol(key.get_fingerprint("sha256"), name, 1)
        book.close()
        been_here(self.data.player(player.id) / "visits.json")
        return player

    def kill(self) -> None:
        """Kill all processes at once, as when a machine fails."""
        for process in (self.process.pid, *self.children()):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        for process in (*self.children(), self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        return code


@contextmanager
def host(
    home: Path, *options: str, config: str = "grace = 0\n", program: Sequence[str] = CASINO
) -> Iterator[Host]:
    started = Host(home, *options, config=config, program=program)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.stop()
        assert started.process.stdout is not None
        started.process.stdout.close()


def accounts(house: Host, players: Sequence[str]) -> list[tuple[int, dict[str, int]]]:
    """Return the balance and the open buy-ins of each player by id, in cents."""
    with closing(SqliteLedger.look_at(house.data.ledger)) as ledger:
        return [
            (
                ledger.balance(who),
                {sitting.id: sitting.bought_in for sitting in ledger.open_sittings(who)},
            )
            for who in players
        ]


def new_key() -> asyncssh.SSHKey:
    return asyncssh.generate_private_key("ssh-ed25519")


@asynccontextmanager
async def connected(
    host: Door, key: asyncssh.SSHKey | None, user: str = "player", **options: Any
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    async with asyncssh.connect(
        "127.0.0.1",
        host.port,
        username=user,
        client_keys=None if key is None else [key],
        known_hosts=None,
        config=None,
        agent_path=None,
        **options,
    ) as conn:
        yield conn


class Visitor:
    """A player at a remote terminal."""

    def __init__(self, columns: int = 100, rows: int = 30) -> None:
        emulator: Any = pyte  # mostly untyped
        self._screen = emulator.Screen(columns, rows)
        self._stream = emulator.ByteStream(self._screen)
        self.raw = bytearray()
        self.process: asyncssh.SSHClientProcess[bytes] | None = None
        self._changed = asyncio.Event()
        self.ended = asyncio.Event()

    async def watch(self, process: asyncssh.SSHClientProcess[bytes]) -> None:
        self.process = process
        with suppress(asyncssh.Error):  # the connection was cut
            while data := await process.stdout.read(1 << 16):
                self.raw += data
                self._stream.feed(_UNKNOWN.sub(b"", data))
                self._changed.set()
        self.ended.set()
        self._changed.set()

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    def type(self, keys: str | bytes) -> None:
        assert self.process is not None
        self.process.stdin.write(keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns: int, rows: int) -> None:
        assert self.process is not None
        self._screen.reset()
        self._screen.resize(rows, columns)
        self.process.change_terminal_size(columns, rows)

    async def sees(self, what: str | Callable[[str], object]) -> str:
        """Wait until the screen shows a text; return the whole screen."""

        async def look() -> None:
            while not (what in self.text if isinstance(what, str) else what(self.text)):
                self._changed.clear()
                await self._changed.wait()
                assert not self.ended.is_set() or (isinstance(what, str) and what in self.text)

        try:
            await asyncio.wait_for(look(), PATIENCE)
        except (TimeoutError, AssertionError):
            raise AssertionError(f"{what} was not seen:\n{self.text}") from None
        return self.text

    async def type_until(self, keys: str | bytes, what: str | Callable[[str], object]) -> str:
        """Type keys, wait until the screen shows a text, and return the screen.

        The screen may have answered the keys before so soon that these would count as pasted.
        """
        await asyncio.sleep(AT_ONCE)
        self.type(keys)
        return await self.sees(what)

    async def commit(self, what: str | Callable[[str], object]) -> str:
        """Press Space, and once more if the question had appeared too shortly before."""

        def shows(text: str) -> bool:
            return what in text if isinstance(what, str) else bool(what(text))

        if not shows(await self.type_until(" ", lambda text: shows(text) or AGAIN in text)):
            await asyncio.sleep(READING_SECONDS)
            await self.type_until(" ", shows)
        return self.text

    async def output(self) -> str:
        """Wait until the visit is over; return the screen."""
        await asyncio.wait_for(self.ended.wait(), PATIENCE)
        return self.text


@asynccontextmanager
async def at_terminal(
    conn: asyncssh.SSHClientConnection,
    environ: Mapping[str, str] = NEW,
    columns: int = 100,
    rows: int = 30,
    command: str | None = None,
) -> AsyncIterator[Visitor]:
    """Open a terminal over a connection, for a command if there is one."""
    visitor = Visitor(min(columns, 320), min(rows, 120))
    process: Any = await conn.create_process(
        command,
        term_type=environ.get("TERM", "xterm-256color"),
        term_size=(columns, rows),
        env={name: value for name, value in environ.items() if name != "TERM"},
        encoding=None,
    )
    watching = asyncio.create_task(visitor.watch(process))
    try:
        yield visitor
    finally:
        with suppress(asyncssh.Error, OSError):
            process.close()
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


@asynccontextmanager
async def visiting(
    host: Door, key: asyncssh.SSHKey | None, user: str = "player", **options: Any
) -> AsyncIterator[Visitor]:
    """Connect, open a terminal, and yield it."""
    async with connected(host, key, user) as conn, at_terminal(conn, **options) as visitor:
        yield visitor


async def at_video_poker(visitor: Visitor) -> None:
    """Open the table from the menu."""
    await visitor.sees("Play video poker")
    visitor.type("1")
    await visitor.sees("Deal for")


async def deal(visitor: Visitor) -> str:
    """Open a table of video poker and deal; return the screen with the hand."""
    await at_video_poker(visitor)
    visitor.type(" ")
    return await visitor.sees("Draw")


async def until(true: Callable[[], bool]) -> None:
    """Wait until a condition holds for which there is no event."""
    for _ in range(int(PATIENCE / 0.05)):
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{true} did not come true")


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
