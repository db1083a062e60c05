"""The driver of a session, with an app that shows one word."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.driver import Driver
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Static

from tests.host.loopback_server import until
from tui_casino.host.session import link_driver
from tui_casino.host.session.link_driver import LinkDriver
from tui_casino.host.session_protocol import FrameType, GatewayLink, Hello, pack_frame, read_frame
from tui_casino.tui.widgets.base_screen import BaseScreen


class Ground(BaseScreen, Screen[None]):
    """A screen as all of the arcade's are."""


class Word(App[None]):
    keys: ClassVar[list[str]] = []

    def on_key(self, event: Key) -> None:
        self.keys.append(event.key)

    def __init__(self, link: GatewayLink) -> None:
        self.link = link
        super().__init__()

    def get_driver_class(self) -> type[Driver]:
        return LinkDriver

    def get_default_screen(self) -> Screen[None]:
        return Ground()

    def compose(self) -> ComposeResult:
        yield Static("sesquipedalian")


@asynccontextmanager
async def running() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Run the app, and give the gateway's end of its link."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    hello = Hello("a1", "Ann", "/nowhere", 40, 10, {}, 512, 60, 64)
    link = await GatewayLink.connect(theirs, hello)
    app = asyncio.create_task(Word(link).run_async())
    try:
        await asyncio.wait_for(painted(reader), 5)
        yield reader, writer
    finally:
        writer.write(pack_frame(FrameType.END))
        await asyncio.wait_for(app, 5)
        await link.bye("")
        writer.close()


async def painted(reader: asyncio.StreamReader) -> None:
    while (frame := await read_frame(reader)) is not None:
        if b"sesquipedalian" in frame[1]:
            return


async def test_remote_screen_is_repainted_on_request() -> None:
    async with running() as (reader, writer):
        writer.write(pack_frame(FrameType.REPAINT))
        await asyncio.wait_for(painted(reader), 5)


async def test_arrow_key_received_in_two_pieces_is_not_read_as_escape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pieces are further apart than the time after which the parser takes it for a key."""
    monkeypatch.setattr(link_driver, "UNFINISHED", 60.0)
    Word.keys.clear()
    async with running() as (_reader, writer):
        writer.write(pack_frame(FrameType.INPUT, b"\x1b"))
        await asyncio.sleep(2 * link_driver.MOMENT)
        writer.write(pack_frame(FrameType.INPUT, b"[C"))
        writer.write(pack_frame(FrameType.INPUT, b"d"))
        await until(lambda: Word.keys[-1:] == ["d"])
    assert Word.keys == ["right", "d"]
