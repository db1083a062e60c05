"""What the running gateway answers: the operator on his socket, a monitor on a port of loopback."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from ...records.codec import decode, encode
from ..board import Board
from ..control import LONGEST, Answer, Request
from .counts import Counts, Present, exposition
from .entry import Entry
from .floor import Floor

PATIENCE = 5.0
"""Seconds that somebody has to ask."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Who answers; ``drain`` has the whole host end, ``connections`` counts those that are open."""

    floor: Floor
    entry: Entry
    counts: Counts
    board: Board
    connections: Callable[[], int]
    drain: Callable[[], None]

    def figures(self) -> str:
        """Give what a monitor reads."""
        visits = self.floor.visits
        processes = tuple(visit.process.number for visit in visits if visit.process is not None)
        present = Present(processes, len(visits), self.floor.guests, self.connections())
        return exposition(self.counts, present, self.board)

    # ---- the operator ---------------------------------------------------------------------

    async def answer(self, request: Request) -> Answer:
        """Do what the operator wants."""
        match request.do:
            case "stats":
                return Answer(self.figures())
            case "drain":
                self.drain()
                return Answer(f"draining; {len(self.floor.visits)} are told")
            case "kick":
                visits = [visit for visit in self.floor.visits if visit.player == request.player]
                for visit in visits:
                    visit.end(request.why)
                return Answer("kicked") if visits else Answer(error="he is not here")
            case "look":
                return Answer(f"{await self.look()} of those who were here had to go")

    async def look(self) -> int:
        """End all visits that may not be any more; give how many. Raises :class:`BadInput`."""
        number = 0
        for visit in self.floor.visits:
            why = await self.entry.unwelcome(visit.player, visit.fingerprint, visit.address)
            if why is not None:
                visit.end(why)
                number += 1
        return number

    async def serve_operator(self, listening: socket.socket, token: str) -> asyncio.Server:
        """Begin to answer on the operator's socket whoever shows the token."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError, TimeoutError, ValueError):
                try:
                    async with asyncio.timeout(PATIENCE):
                        line = await reader.readline()
                    request = decode(line, Request)
                    if request.allowed(token):
                        answer = await self.answer(request)
                    else:
                        answer = Answer(error="that is not the token of this server")
                except ValueError as error:
                    answer = Answer(error=str(error))
                writer.write(encode(answer) + b"\n")
                await writer.drain()
            writer.close()

        return await asyncio.start_unix_server(serve, sock=listening, limit=LONGEST)

    # ---- a monitor ------------------------------------------------------------------------

    async def serve_monitor(self, listening: socket.socket) -> asyncio.Server:
        """Begin to answer ``GET /metrics``."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
                async with asyncio.timeout(PATIENCE):
                    asked = await reader.readuntil(b"\r\n\r\n")
                found = asked.startswith(b"GET /metrics ")
                body = self.figures().encode() if found else b"it is at /metrics\n"
                status = b"200 OK" if found else b"404 Not Found"
                writer.write(
                    b"HTTP/1.1 %b\r\nContent-Type: text/plain; version=0.0.4\r\n"
                    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (status, len(body), body)
                )
                await writer.drain()
            writer.close()

        return await asyncio.start_server(serve, sock=listening, limit=1 << 14)
