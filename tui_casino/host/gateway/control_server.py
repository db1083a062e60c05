"""Answer the operator on the control socket, and metrics requests on a loopback port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from msgspec import Struct

from ...inputs.numbers import count_noun
from ...records.codec import decode, encode
from ...records.ledger import LedgerError
from .. import cage_protocol as wire
from ..control_socket import LONGEST, ControlAnswer, ControlRequest
from ..processes import ProcessTable
from .admission import AdmissionControl
from .metrics import ConnectionCount, GatewayCounters, GatewayGauges, exposition
from .table_commands import ask_cage
from .visit import VisitRegistry

PATIENCE = 5.0
"""How many seconds a client has to send its request, and the cage to count its tables."""
OPERATOR = wire.CageHello("", "", is_operator=True)


class ControlServer(Struct, frozen=True):
    """Answers the operator and requests for metrics; ``drain`` shuts the server down.

    ``connections`` returns the numbers of open connections. ``cage`` is the socket that leads to
    the cage.
    """

    registry: VisitRegistry
    admission: AdmissionControl
    counts: GatewayCounters
    board: ProcessTable
    connections: Callable[[], ConnectionCount]
    drain: Callable[[], None]
    cage: socket.socket

    async def figures(self) -> str:
        """Return the metrics in the text format of Prometheus."""
        visits = self.registry.visits
        processes = tuple(visit.process.number for visit in visits if visit.process is not None)
        present = GatewayGauges(processes, len(visits), self.registry.guests, *self.connections())
        tables: wire.TableCounts | None = None
        with suppress(LedgerError, OSError):  # the cage is restarting
            kind, request = wire.TableCounts | None, wire.CountTables()
            tables = await ask_cage(self.cage, OPERATOR, request, kind, PATIENCE)
        return exposition(self.counts, present, self.board, tables)

    # ---- the operator ---------------------------------------------------------------------

    async def answer(self, request: ControlRequest) -> ControlAnswer:
        """Carry out a request from the operator."""
        match request.command:
            case "stats":
                return ControlAnswer(await self.figures())
            case "freeze" | "thaw" | "close" as action:
                return await self._operate_table(action, request.table)
            case "drain":
                self.drain()
                return ControlAnswer(
                    f"shutting down; {count_noun(len(self.registry.visits), 'player')} warned"
                )
            case "kick":
                visits = [visit for visit in self.registry.visits if visit.player == request.player]
                for visit in visits:
                    visit.end(request.reason)
                return (
                    ControlAnswer("kicked")
                    if visits
                    else ControlAnswer(error="this player is not online")
                )
            case "look":
                ended = count_noun(await self.review_visits(), "visit")
                return ControlAnswer(f"{ended} ended")

    async def _operate_table(
        self, action: Literal["freeze", "thaw", "close"], code: str
    ) -> ControlAnswer:
        request = wire.OperateTable(code.upper(), action)
        try:
            paid: int | None = await ask_cage(self.cage, OPERATOR, request, int | None)
        except (LedgerError, OSError) as error:
            return ControlAnswer(error=str(error))
        if action == "close":
            return ControlAnswer(f"closed; {count_noun(paid or 0, 'player')} paid out")
        return ControlAnswer("frozen" if action == "freeze" else "open again")

    async def review_visits(self) -> int:
        """End the visits of players who may not stay; return how many. Raises ``BadInput``."""
        number = 0
        for visit in self.registry.visits:
            reason = await self.admission.expulsion_reason(
                visit.player, visit.fingerprint, visit.address
            )
            if reason is not None:
                visit.end(reason)
                number += 1
        return number

    async def serve_operator(self, listening: socket.socket, token: str) -> asyncio.Server:
        """Start answering the requests on the operator's socket that carry the token."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError, TimeoutError, ValueError):
                try:
                    async with asyncio.timeout(PATIENCE):
                        line = await reader.readline()
                    request = decode(line, ControlRequest)
                    if request.allowed(token):
                        answer = await self.answer(request)
                    else:
                        answer = ControlAnswer(error="that is not the token of this server")
                except ValueError as error:
                    answer = ControlAnswer(error=str(error))
                writer.write(encode(answer) + b"\n")
                await writer.drain()
            writer.close()

        return await asyncio.start_unix_server(serve, sock=listening, limit=LONGEST)

    # ---- metrics --------------------------------------------------------------------------

    async def serve_monitor(self, listening: socket.socket) -> asyncio.Server:
        """Start answering ``GET /metrics``."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
                async with asyncio.timeout(PATIENCE):
                    request = await reader.readuntil(b"\r\n\r\n")
                is_metrics = request.startswith(b"GET /metrics ")
                body = (
                    (await self.figures()).encode()
                    if is_metrics
                    else b"the metrics are at /metrics\n"
                )
                status = b"200 OK" if is_metrics else b"404 Not Found"
                writer.write(
                    b"HTTP/1.1 %b\r\nContent-Type: text/plain; version=0.0.4\r\n"
                    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (status, len(body), body)
                )
                await writer.drain()
            writer.close()

        return await asyncio.start_server(serve, sock=listening, limit=1 << 14)
