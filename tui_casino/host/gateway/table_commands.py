"""The commands about tables with other people: list them, and make one."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Sequence
from contextlib import closing
from typing import Any, TypeVar

from ...engine.seating import by_correspondence, pace_text
from ...gamekit.registry import slug_of, title_of
from ...house.shared_tables import TableLine
from ...inputs.errors import BadInput
from ...inputs.numbers import count_noun
from ...records.ledger import LedgerError
from ...records.log_header import Identity
from .. import cage_protocol as wire
from .reception import GatewayServices
from .visit import send_sockets

T = TypeVar("T")
USAGE = (
    "table lists tables; table new GAME [--OPTION VALUE ...] [--open] makes one; "
    "ssh -t HOST table CODE sits down, and with --watch it watches; "
    "table log CODE prints the log of a closed one"
)
NO_TABLES = "there are no open tables; table new baccarat makes one\n"
WATCH = "--watch"
_CODE = re.compile("[A-Za-z0-9]{4}")


def is_visit_to_table(words: Sequence[str]) -> bool:
    """Return whether a command is that of a visitor who wants to sit at a table, or to watch it."""
    match words:
        case ["table", code] | ["table", code, "--watch"]:
            return bool(_CODE.fullmatch(code))
    return False


async def table_text(words: Sequence[str], player: Identity | None, house: GatewayServices) -> str:
    """Return the answer to a command. Raises :class:`BadInput`."""
    if player is None:
        raise BadInput("tables are for players: log in once with ssh -t, and choose a name")
    caller, cage = wire.CageHello(player.id, str(house.data.player(player.id))), house.sockets.cage
    match words:
        case ["table"]:
            lines: list[TableLine]
            lines = await ask_cage(cage, caller, wire.ListTables(), list[TableLine])
            return "".join(f"{text}\n" for text in map(_line, lines)) or NO_TABLES
        case ["table", "new", game, *options]:
            is_listed = "--open" in options
            request = wire.MakeTable(slug_of(game), _options(options), is_listed)
            code: str = await ask_cage(cage, caller, request, str)
            return f"{code}\nssh -t HOST table {code} sits down there\n"
        case ["table", "log", code]:
            log: bytes = await ask_cage(cage, caller, wire.ReadTableLog(code.upper()), bytes)
            return log.decode()
    raise BadInput(USAGE)


def _options(words: Sequence[str]) -> dict[str, str]:
    """Return the options of a new table, which the cage checks: ``--seats 3``."""
    rest = [word for word in words if word != "--open"]
    names, values = rest[::2], rest[1::2]
    if len(names) != len(values) or not all(name.startswith("--") for name in names):
        raise BadInput(USAGE)
    return {name[2:]: value for name, value in zip(names, values, strict=True)}


def _line(line: TableLine) -> str:
    names = ", ".join(one.name for one in line.seats if not one.is_free) or "nobody yet"
    free = count_noun(sum(one.is_free for one in line.seats), "free seat")
    played = ", played by computers" * any(
        one.is_free and one.state == "computer" for one in line.seats
    )
    pace = f"; {pace_text(line.seconds)}" * by_correspondence(line.seconds)
    move = "; your move" * (line.asked_until is not None)
    stopped = "; stopped by the operator for a while" * (line.state == "frozen")
    return f"{line.code}  {title_of(line.game)}: {names}; {free}{played}{pace}{move}{stopped}"


async def ask_cage(
    cage: socket.socket,
    caller: wire.CageHello,
    request: wire.CageRequest,
    kind: type[T] | Any,
    patience: float = wire.PATIENCE,
) -> T:
    """Send a request to the cage through the socket that leads there.

    Raises :class:`LedgerError`, and ``OSError``.
    """
    ours, theirs = socket.socketpair()
    with closing(ours):
        with closing(theirs):
            await send_sockets(cage, caller.packed(), theirs)
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            writer.write(wire.pack_message(request))
            async with asyncio.timeout(patience):
                (length,) = wire.HEAD.unpack(await reader.readexactly(wire.HEAD.size))
                raw = await reader.readexactly(length)
        except (asyncio.IncompleteReadError, TimeoutError):
            raise LedgerError("the server is restarting; try again") from None
        finally:
            writer.close()
    answer: T = wire.unpack_answer(raw, kind)
    return answer
