"""Admit a visitor from SSH or the web client, run the visit, and clean up after it.

A connection leads to a remote terminal, either over SSH (``ssh_channel.py``) or in a browser
(``web/``). This module has the parts that both need: bans and rate limits, guests, one visit per
player, seats at several servers, counters and the audit log.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from ...inputs.errors import BadInput
from ...inputs.files import make_folder
from ...records.ledger import LedgerError
from ...records.log_header import Identity
from ..config import Config
from ..data_folder import DataFolder
from ..identities import Identities
from ..rate_limits import JobLimit
from ..session_protocol import Hello
from . import visit as visits
from .admission import AdmissionControl, AdmissionRefused
from .boards import Leaderboard
from .daily_judge import DailyJudge

if TYPE_CHECKING:
    from .shared_seats import SharedSeats

BYTES = 64 << 10
"""The maximum number of bytes read from a visitor per second; a quarter for a paste."""
RESTORE = (
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?7h\x1b[<u\x1b[?1049l"
    b"\x1b[?25h\x1b[?1004l\x1b[m"
)
"""The control sequences that restore the terminal if the session did not."""
RESUME = (
    b"\x18\x1b[?2026l\x1b[m\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?25l"
    b"\x1b[?1004h\x1b[?2004h\x1b[?7l"
)
"""The control sequences that prepare a terminal to join a running session."""
REASONS = MappingProxyType(
    {
        visits.IDLE: "idle",
        visits.LONG: "longest",
        visits.STALLED: "stalled",
        visits.FULL: "full folder",
        visits.BROKE_OFF: "broke off",
        visits.TAKEN_OVER: "taken over",
        visits.CLOSED: "drain",
    }
)
"""The audit log's reason for the end of a visit, for each message to the visitor."""
BRINGING = "One moment: moving your seat here from another server."


class GatewayServices(Struct, frozen=True):
    """The services that all connections of the gateway share.

    ``slow_jobs`` limits commands that take a long time. ``admission`` decides who may log in, and
    ``daily`` judges daily deals. ``shared_seats`` exist if several servers share one database.
    """

    config: Config
    data: DataFolder
    identities: Identities
    registry: visits.VisitRegistry
    admission: AdmissionControl
    sockets: visits.ProcessSockets
    slow_jobs: JobLimit
    leaders: Leaderboard
    daily: DailyJudge
    shared_seats: SharedSeats | None = None


class Visitor(Struct, frozen=True):
    """A connected client: the ``fingerprint`` of its key (guests have none), and its address.

    ``login`` is the user name of the login, which is suggested as a player name.
    """

    fingerprint: str | None
    login: str
    address: str


class VisitorTerminal(visits.RemoteTerminal, Protocol):
    """The terminal of a visitor; ``size`` is its current columns and rows."""

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows, within limits."""
        ...

    @property
    def environ(self) -> dict[str, str]:
        """The part of the terminal's environment that is used."""
        ...

    @property
    def edits(self) -> bool:
        """Whether the client shows and edits typed lines itself."""
        ...

    @property
    def table(self) -> str | None:
        """The code of the table with others at which the visitor wants to sit down."""
        return None

    @property
    def watches(self) -> bool:
        """Whether the visitor wants to watch that table instead."""
        return False

    @property
    def disconnected(self) -> bool:
        """Whether the visitor has left."""
        ...

    def say(self, text: str) -> None:
        """Write plain text while no session is drawing on the terminal."""
        ...

    def attach(self, visit: visits.Visit) -> None:
        """Pass all further input to this visit."""
        ...


TURNED_AWAY = (BadInput, visits.HouseFull, AdmissionRefused, visits.SessionUnavailable, OSError)
"""Errors that refuse a visitor or prevent a visit."""


def refusal_text(error: Exception) -> str:
    """Return the message for a visitor who was refused."""
    match error:
        case visits.SessionUnavailable():
            return "No session can be started right now. Please try again later."
        case OSError():
            return f"That is not possible right now: {error.strerror}."
        case LedgerError():
            return error.shown
    return str(error)


def clamp_size(config: Config, columns: int, rows: int) -> tuple[int, int]:
    """Limit the columns and rows of a window."""
    return min(max(columns, 1), config.columns), min(max(rows, 1), config.rows)


async def admit(house: GatewayServices, caller: Visitor) -> Identity | None:
    """Admit a visitor and return the player, or ``None`` for guests and new keys.

    Raises :class:`AdmissionRefused` and :class:`BadInput`.
    """
    player = None
    if caller.fingerprint is not None:
        player = await asyncio.to_thread(house.identities.player_of, caller.fingerprint)
    await house.admission.admit(caller.fingerprint, player, caller.address)
    return player


async def play_as_guest(house: GatewayServices, caller: Visitor, line: VisitorTerminal) -> None:
    """Run a visit without a key. Raises :data:`TURNED_AWAY`."""
    with house.registry.guest() as guest:
        async with _folder_of_guest(house.data) as folder:
            await _play(house, caller, line, guest.identity, folder, guest=True)


async def play_as_player(
    house: GatewayServices, caller: Visitor, line: VisitorTerminal, player: Identity
) -> None:
    """Run the visit of an admitted player. Raises :data:`TURNED_AWAY`."""
    folder = house.data.player(player.id)
    await asyncio.to_thread(make_folder, folder)
    await _play(house, caller, line, player, folder)


def make_hello(
    house: GatewayServices,
    line: VisitorTerminal,
    identity: Identity,
    folder: Path,
    *,
    guest: bool = False,
) -> Hello:
    """Return the greeting for a session process."""
    columns, rows = line.size
    return Hello(
        player=identity.id,
        name=identity.name,
        folder=str(folder),
        guest=guest,
        columns=columns,
        rows=rows,
        environ=line.environ,
        edits=line.edits,
        memory=house.config.memory,
        processor=house.config.processor,
        logs=house.config.logs,
        table=None if guest else line.table,
        watches=line.watches,
    )


async def _play(
    house: GatewayServices,
    caller: Visitor,
    line: VisitorTerminal,
    identity: Identity,
    folder: Path,
    *,
    guest: bool = False,
) -> None:
    counts = house.admission.counts
    visit = visits.Visit(
        make_hello(house, line, identity, folder, guest=guest), house.config, line, counts
    )
    visit.fingerprint, visit.address = caller.fingerprint, caller.address
    visit.on_daily = house.daily.judge_tries
    if not guest:
        house.daily.judge_missing(lambda: [identity])
    try:
        await house.registry.enter(visit)
    except visits.HouseFull:
        house.admission.refuse("full", caller.address, caller.fingerprint)
        raise
    counts.sessions += 1
    house.admission.note(
        "enters",
        player=identity.id,
        name=identity.name,
        key=caller.fingerprint,
        address=caller.address,
    )
    try:
        if line.disconnected:
            return
        async with AsyncExitStack() as seated:
            if house.shared_seats is not None and not guest:
                wait = partial(line.say, BRINGING)
                seat = house.shared_seats.seat(
                    identity.id, lambda: line.disconnected or visit.ending, wait
                )
                visit.assign_seat(await seated.enter_async_context(seat))
            line.attach(visit)
            visit.resize(*line.size)
            await visit.play(house.sockets)
    except TURNED_AWAY as error:
        visit.farewell = refusal_text(error)
        raise
    finally:
        visit.ended.set()
        house.registry.leave(visit)
        house.admission.note("leaves", player=identity.id, reason=_reason(visit, line))
    if not visit.clean_exit:
        if not visit.by_lines:  # screen-reader mode does not change the terminal
            line.write(RESTORE)
        visit.farewell = visit.farewell or visits.BROKE_OFF
    line.say(visit.farewell)


def _reason(visit: visits.Visit, line: VisitorTerminal) -> str:
    """Return why a visit ended, in the words of the audit log."""
    if visit.farewell in REASONS:
        return REASONS[visit.farewell]
    if visit.farewell:
        return f"message: {visit.farewell}"
    return "hung up" if line.disconnected else "left"


@asynccontextmanager
async def _folder_of_guest(data: DataFolder) -> AsyncIterator[Path]:
    """Make a folder for a guest; remove it after the visit, even if the session was killed."""
    data.guests.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = tempfile.mkdtemp(dir=data.guests)
    try:
        yield Path(os.path.abspath(folder))
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))
