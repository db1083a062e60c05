"""Many players at once, in a separate process, who measure how fast a server responds.

The output is not drawn by an emulator, because that would take longer than the measured times.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import perf_counter
from types import MappingProxyType
from typing import Any, NamedTuple

import asyncssh

from tests.bench.pty_program import _STYLE
from tests.helpers.pty_terminal import PATIENCE
from tests.host.loopback_server import NEW, Host, connected, new_key
from tui_casino.gamekit.registry import GAMES

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "video-poker": " 135 ",
        "baccarat": "11 ",
        "five-card-draw": " ck1 ",
        "thirty-one": "1 hs n",
        "cribbage": "12 1g 2 ",
    }
)
"""The keys pressed at a game's table, again and again; not every key does something each time."""
STAKES: Mapping[str, str] = MappingProxyType(
    {"video-poker": " ", "five-card-draw": " ", "thirty-one": " "}
)
"""The keys that begin a hand, at tables where a hand then waits for the player."""
MENU = "TUI CASINO"
AT_ONCE = 4
"""The number of players who log in at the same time."""
ANSWERED = 2.0
"""Seconds after which a key is considered to have no effect."""
AT_REST = 0.1
"""Seconds without output after which no motion is going on."""
STILL = 0.4
"""Seconds without output after which a screen is complete."""


class Player(NamedTuple):
    """A player's login: the port, the exported key, and the folder of the player's sessions.

    ``source`` is the player's address.
    """

    port: int
    secret: bytes
    folder: str
    source: str = "127.0.0.1"

    @property
    def key(self) -> asyncssh.SSHKey:
        return asyncssh.import_private_key(self.secret)


def enrol(house: Host, number: int, called: str = "Player") -> list[Player]:
    """Register this number of players."""
    players = []
    for n in range(number):
        key = new_key()
        folder = house.data.player(house.add_player(key, f"{called} {n}").id)
        players.append(Player(house.port, key.export_private_key(), str(folder.resolve())))
    return players


class Line(asyncssh.SSHClientSession[bytes]):
    """A terminal that only records the output and its times."""

    def __init__(self) -> None:
        self.raw = bytearray()
        self.pressed = self.newest = perf_counter()
        self.answered: float | None = None
        self.ended = asyncio.Event()
        self._came = asyncio.Event()
        self._since = 0
        self.chan: asyncssh.SSHClientChannel[bytes] | None = None

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.chan = chan

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        self.newest = perf_counter()
        if self.answered is None:
            self.answered = self.newest
        self.raw += data
        self._came.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()
        self._came.set()

    @property
    def shown(self) -> str:
        """The output since the last key, without colours and cursor movements."""
        return _STYLE.sub(b"", self.raw[self._since :]).decode(errors="replace")

    def press(self, keys: str) -> None:
        assert self.chan is not None
        self.answered, self._since = None, len(self.raw)
        self.pressed = perf_counter()
        self.chan.write(keys.encode())

    async def shows(self, *words: str) -> float:
        """Wait until one of these texts has appeared since the last key; return the seconds."""

        async def look() -> None:
            while not any(word in self.shown for word in words):
                assert not self.ended.is_set(), f"it ended without {words}: {self.shown[-300:]}"
                self._came.clear()
                await self._came.wait()

        try:
            await asyncio.wait_for(look(), PATIENCE)
        except TimeoutError:
            raise AssertionError(f"{words} did not appear: {self.shown[-500:]}") from None
        return self.newest - self.pressed

    async def first_output(self, seconds: float) -> float | None:
        """Return the seconds from the last key to the first output; ``None`` if there is none."""

        async def look() -> None:
            while self.answered is None and not self.ended.is_set():
                self._came.clear()
                await self._came.wait()

        with suppress(TimeoutError):
            await asyncio.wait_for(look(), seconds)
        return None if self.answered is None else self.answered - self.pressed

    async def still(self) -> float:
        """Wait until the screen is complete; return the seconds from the last key until then."""
        late = perf_counter() + PATIENCE
        while self.answered is None or perf_counter() - self.newest < STILL:
            assert perf_counter() < late, "there was no output"
            assert not self.ended.is_set(), f"it ended: {self.shown[-300:]}"
            await asyncio.sleep(STILL / 8)
        return self.newest - self.pressed


@asynccontextmanager
async def come_in(player: Player, window: int = 2 << 20) -> AsyncIterator[Line]:
    """Open a connection that accepts this number of unread bytes; its first key is the login."""
    knocked = perf_counter()
    async with connected(player, player.key, local_addr=(player.source, 0)) as conn:
        line = Line()
        line.pressed = knocked
        colours: Any = {name: value for name, value in NEW.items() if name != "TERM"}
        await conn.create_session(
            lambda: line,
            term_type=NEW["TERM"],
            term_size=(100, 30),
            env=colours,
            encoding=None,
            window=window,
        )
        try:
            yield line
        finally:
            conn.abort()


async def sit_down(line: Line, slug: str) -> float:
    """Open a game's table from the menu; return the seconds until it is shown."""
    line.press(str([game.slug for game in GAMES].index(slug) + 1))
    return await line.still()


async def stake(line: Line, slug: str) -> None:
    """Play until something is at stake."""
    for key in STAKES.get(slug, "1"):
        line.press(key)
        await line.still()


# ---- a host that is busy -------------------------------------------------------------------------


def processor(processes: Sequence[int]) -> float:
    """Return the processor time of processes with all their threads, in seconds."""
    return sum(time.clock_gettime(~process << 3 | 2) for process in processes)


def own_memory(process: int) -> int:
    """Return the private memory of a process in bytes."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    return 1024 * sum(int(s.split()[1]) for s in text.splitlines() if s.startswith("Private_"))


def living(processes: Sequence[int]) -> list[int]:
    """Return processes; replace the parent of sessions (-PID) with all its sessions."""
    alive = [process for process in processes if process > 0]
    return alive + [child for parent in processes if parent < 0 for child in _children(-parent)]


def _children(process: int) -> list[int]:
    with suppress(OSError):
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
        return [int(word) for word in text.split()]
    return []


def below(process: int) -> list[int]:
    """Return all processes below a process."""
    children = _children(process)
    return children + [other for child in children for other in below(child)]


def session_of(player: Player) -> int:
    """Return the process of a player's session, whose working folder is the player's."""
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            if os.readlink(link) == player.folder:
                return int(link.parent.name)
    raise AssertionError(f"nobody works in {player.folder}")


async def nobody_left(zygote: int) -> None:
    """Wait until the last session has ended."""
    late = perf_counter() + PATIENCE
    while living([-zygote]):
        assert perf_counter() < late, "sessions do not end"
        await asyncio.sleep(0.05)


class Stage(NamedTuple):
    """Some players who press keys: their number, the keys of each per second, and the duration.

    Each player begins anywhere in a round and presses keys at random moments of their own, as a
    Poisson process, but each of them only once the screen has answered the last one and is at rest.
    """

    lines: int
    rate: float
    seconds: float


class Heard(NamedTuple):
    """The result of a stage: seconds from key to paint, keys, processor time by process, bytes."""

    stage: Stage
    took: list[float]
    keys: int
    work: Mapping[str, float]
    size: int


async def crowd(
    players: Sequence[Player], stages: Sequence[Stage], processes: Mapping[str, Sequence[int]]
) -> list[Heard]:
    """Spread all players over the games, and press keys; ``processes`` are given by their roles."""
    slugs, heard, door = cycle(KEYS), [], asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:

        async def enter(player: Player, slug: str) -> tuple[Line, str]:
            async with door:
                line = await stack.enter_async_context(come_in(player))
                await line.shows(MENU)
                await line.still()
                await sit_down(line, slug)
            return line, slug

        seated = list[tuple[Line, str]]()
        for stage in stages:
            new = players[len(seated) : stage.lines]
            seated += await asyncio.gather(*(enter(player, next(slugs)) for player in new))
            heard.append(await _press(seated[: stage.lines], stage, processes))
    return heard


async def _press(
    seated: Sequence[tuple[Line, str]], stage: Stage, processes: Mapping[str, Sequence[int]]
) -> Heard:
    took, keys = list[float](), 0
    start = perf_counter() + 0.1
    work = {name: processor(living(numbers)) for name, numbers in processes.items()}
    size = sum(len(line.raw) for line, _ in seated)

    async def one(number: int, line: Line, slug: str) -> None:
        nonlocal keys
        chance, due = Random(number), start
        begins = chance.randrange(len(KEYS[slug]))
        for key in islice(cycle(KEYS[slug]), begins, None):
            due += chance.expovariate(stage.rate)
            if due > start + stage.seconds:
                return
            await asyncio.sleep(due - perf_counter())
            while (rest := line.newest + AT_REST - perf_counter()) > 0:
                await asyncio.sleep(rest)  # a frame of the last key's motion is not an answer
            line.press(key)
            keys += 1
            if (answered := await line.first_output(ANSWERED)) is not None:
                took.append(answered)

    await asyncio.gather(*(one(n, *each) for n, each in enumerate(seated)))
    work = {name: processor(living(numbers)) - work[name] for name, numbers in processes.items()}
    size = sum(len(line.raw) for line, _ in seated) - size
    return Heard(stage, took, keys, work, size)


# ---- how soon one comes in -----------------------------------------------------------------------


class Entered(NamedTuple):
    """Seconds from the connection to the menu and from the key to the table; the menu's bytes."""

    menu: float
    table: float
    size: int


async def enter_and_go(player: Player, slug: str, count: int) -> list[Entered]:
    """Log in, open a table and leave, again and again."""
    results = []
    for _ in range(count):
        async with come_in(player) as line:
            menu = await line.shows(MENU)
            await line.still()
            size = len(line.raw)
            line.press(str([game.slug for game in GAMES].index(slug) + 1))
            table = await line.shows("F1")
            results.append(Entered(menu, table, size))
            await line.still()
            line.press("\x1b")
            await line.still()
    return results


async def memories(
    players: Sequence[Player], slug: str, zygote: int, keys: int = 0
) -> list[tuple[int, int]]:
    """Return the private memory of each session at a table in play, in bytes.

    Measure it again after more keys, which also make the trainer analyse choices.
    """
    await nobody_left(zygote)
    lines = list[Line]()
    async with AsyncExitStack() as stack:
        for player in players:
            line = await stack.enter_async_context(come_in(player))
            await line.shows(MENU)
            await line.still()
            await sit_down(line, slug)
            await stake(line, slug)
            lines.append(line)
        staked = [own_memory(process) for process in living([-zygote])]
        for key in islice(cycle(KEYS[slug]), keys):
            for line in lines:
                line.press(key)
            await asyncio.sleep(2 * STILL)
        played = [own_memory(process) for process in living([-zygote])]
        return [*zip(staked, played, strict=True)]


# ---- bystanders ----------------------------------------------------------------------------------


async def holds(player: Player, seconds: float, every: float = 0.25) -> list[float]:
    """Hold and release a card, again and again; return the seconds from each key to its paint."""
    async with come_in(player) as line:
        await line.shows(MENU)
        await line.still()
        await sit_down(line, "video-poker")
        if "Draw" not in line.shown:
            await stake(line, "video-poker")
        took = []
        for number in range(round(seconds / every)):
            line.press("12"[number % 2])  # between deals they set the bet
            await asyncio.sleep(every)
            late = perf_counter() + PATIENCE
            while line.answered is None:
                assert perf_counter() < late, "a key had no effect"
                await asyncio.sleep(0.01)
            took.append(line.answered - line.pressed)
        return took


# ---- what is taken up ----------------------------------------------------------------------------


async def stake_all(players: Sequence[Player], supervisor: int) -> None:
    """Let all players have a bet at stake, and then kill every process of the server."""
    door, slugs = asyncio.Semaphore(AT_ONCE), cycle(STAKES)
    async with AsyncExitStack() as stack:

        async def enter(player: Player, slug: str) -> None:
            async with door:
                line = await stack.enter_async_context(come_in(player))
                await line.shows(MENU)
                await line.still()
                await sit_down(line, slug)
                await stake(line, slug)

        await asyncio.gather(*(enter(player, next(slugs)) for player in players))
        for process in (supervisor, *below(supervisor)):
            os.kill(process, signal.SIGKILL)


class TakenUp(NamedTuple):
    """Seconds from the connection to the menu with a waiting session, and then to the table."""

    menu: float
    table: float


async def take_up_all(players: Sequence[Player], supervisor: int) -> tuple[list[TakenUp], float]:
    """Let all players resume their sessions, and stop the server while all are connected.

    Also return the seconds until the server has ended.
    """
    door, slugs = asyncio.Semaphore(1), cycle(STAKES)
    async with AsyncExitStack() as stack:

        async def enter(player: Player, slug: str) -> TakenUp:
            async with door:
                line = await stack.enter_async_context(come_in(player))
                menu = await line.shows("waiting:")
                await line.still()
                line.press(str([game.slug for game in GAMES].index(slug) + 1))
                table = await line.shows("F1")
                return TakenUp(menu, table)

        results = await asyncio.gather(*(enter(player, next(slugs)) for player in players))
        started = perf_counter()
        os.kill(supervisor, signal.SIGTERM)
        while _runs(supervisor):
            await asyncio.sleep(0.02)
        return results, perf_counter() - started


def _runs(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


# ---- coming and going ----------------------------------------------------------------------------


async def come_and_go(players: Sequence[Player], count: int) -> None:
    """Connect and disconnect this number of times, half of them before the menu appears."""
    places = [asyncio.Lock() for _ in players]

    async def once(number: int) -> None:
        async with places[number % len(players)], come_in(players[number % len(players)]) as line:
            if number % 2:
                await line.shows(MENU)

    for first in range(0, count, len(players)):
        await asyncio.gather(*map(once, range(first, min(first + len(players), count))))


def open_files(process: int) -> int:
    """Return the number of open files of a process; only root can see those of the cage."""
    try:
        return len(os.listdir(f"/proc/{process}/fd"))
    except PermissionError:
        return 0
