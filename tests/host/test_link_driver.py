"""The driver of a session, with an app that shows one word."""

from __future__ import annotations

import asyncio
import socket

from textual.app import App, ComposeResult
from textual.driver import Driver
from textual.screen import Screen
from textual.widgets import Static

from tui_casino.host.session.gateway_link import GatewayLink
from tui_casino.host.session.link_driver import LinkDriver
from tui_casino.host.session_protocol import FrameType, Hello, pack_frame, read_frame
from tui_casino.tui.widgets.base_screen import BaseScreen


class Ground(BaseScreen, Screen[None]):
    """A screen as all of the arcade's are."""


class Word(App[None]):
    def __init__(self, link: GatewayLink) -> None:
        self.link = link
        super().__init__()

    def get_driver_class(self) -> type[Driver]:
        return LinkDriver

    def get_default_screen(self) -> Screen[None]:
        return Ground()

    def compose(self) -> ComposeResult:
        yield Static("sesquipedalian")


async def test_all_is_painted_anew_when_that_is_asked_for() -> None:
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    hello = Hello("a1", "Ann", "/nowhere", 40, 10, {}, 512, 60, 64)
    link = await GatewayLink.connect(theirs, hello)
    running = asyncio.create_task(Word(link).run_async())

    async def painted() -> None:
        while (frame := await read_frame(reader)) is not None:
            if b"sesquipedalian" in frame[1]:
                return

    try:
        await asyncio.wait_for(painted(), 5)
        writer.write(pack_frame(FrameType.REPAINT))
        await asyncio.wait_for(painted(), 5)
    finally:
        writer.write(pack_frame(FrameType.END))
        await asyncio.wait_for(running, 5)
        await link.bye("")
        writer.close()
