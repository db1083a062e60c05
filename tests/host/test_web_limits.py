"""The limits of the web server, tested with raw connections that do not follow the rules."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.helpers.parameter_ids import labelled
from tests.host.loopback_server import until
from tests.host.test_web_server import Session, Site, served
from tui_casino.host.gateway.reception import BYTES
from tui_casino.host.session_protocol import FrameType
from tui_casino.host.web import connections
from tui_casino.host.web.connections import FETCHING, FRAME, FrameCounter

MASKED = b"\x80mask"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with served(tmp_path) as site:
        yield site


@asynccontextmanager
async def raw_socket(
    site: Site,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter, Session]]:
    """Open a guest's socket without a client that knows the rules."""
    host = site.url.removeprefix("http://")
    async with site.guest() as browser:
        cookies = "; ".join(f"{one.key}={one.value}" for one in browser.cookie_jar)
    reader, writer = await asyncio.open_connection(*host.split(":"))
    writer.write(
        f"GET /play HTTP/1.1\r\nHost: {host}\r\nOrigin: {site.url}\r\nCookie: {cookies}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert b"101" in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
    size = b'{"columns":80,"rows":24}'
    writer.write(b"\x81" + bytes([0x80 | len(size)]) + bytes(4) + size)
    try:
        yield reader, writer, await site.begins()
    finally:
        writer.close()


async def test_incomplete_web_login_is_answered_and_not_logged_as_a_fault(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(tmp_path, login=0.2) as site:
        host = site.url.removeprefix("http://")
        reader, writer = await asyncio.open_connection(*host.split(":"))
        head = f"POST /enter HTTP/1.1\r\nHost: {host}\r\nOrigin: {site.url}\r\n"
        writer.write(f"{head}Content-Length: 100\r\n\r\nx".encode())
        answer = await asyncio.wait_for(reader.readline(), 5)
        writer.close()
        assert answer.split()[1] == b"408"
        assert caplog.text == ""


@pytest.mark.parametrize(
    ("header", "body", "status"),
    [("Content-Encoding: gzip", b"x" * 20, b"415"), ("X-Left: yes", b"x", None)],
)
async def test_compressed_or_interrupted_request_body_is_not_logged_as_a_fault(
    site: Site, caplog: pytest.LogCaptureFixture, header: str, body: bytes, status: bytes | None
) -> None:
    host = site.url.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    head = f"POST /enter HTTP/1.1\r\nHost: {host}\r\nOrigin: {site.url}\r\n{header}\r\n"
    writer.write(f"{head}Content-Length: 20\r\n\r\n".encode() + body)
    if status is None:
        await until(lambda: site.house.admission.counts.connects == 1)
        writer.close()
        await until(lambda: site.count().open == 0)
    else:
        answer = await asyncio.wait_for(reader.readline(), 5)
        writer.close()
        assert answer.split()[1] == status
    async with site.browser() as browser, browser.get("/who") as answer_to_others:
        assert answer_to_others.status == 200
    assert caplog.text == ""


async def test_new_web_client_replaces_an_idle_connection_without_a_visit(tmp_path: Path) -> None:
    """Connections with a visit stay."""
    async with served(tmp_path, unauthenticated=1) as site, raw_socket(site) as (_, __, session):
        host = site.url.removeprefix("http://").split(":")
        idle = [await asyncio.open_connection(*host) for _ in range(FETCHING)]
        await until(lambda: site.count().unauthenticated == FETCHING)
        async with site.browser() as browser, browser.get("/who") as answer:
            assert answer.status == 200
        assert await asyncio.wait_for(idle[0][0].read(), 5) == b""
        assert not idle[1][0].at_eof()
        assert site.house.admission.counts.refusals["crowded"] >= 1
        for _, writer in idle:
            writer.close()
        session.shows(b"still here")
        assert len(site.house.registry.visits) == 1


@pytest.mark.parametrize("kind", ["empty", "ping", "pong", "pieces"])
async def test_many_empty_websocket_frames_count_as_a_flood(
    site: Site, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A browser that sends many of them is not read for a while, and then read again."""
    monkeypatch.setattr(connections, "REST", 0.05)
    frames = {
        "empty": b"\x82" + MASKED,
        "ping": b"\x89" + MASKED,
        "pong": b"\x8a" + MASKED,
        "pieces": b"\x00" + MASKED,
    }
    first, last = (b"\x02" + MASKED, 0x80) if kind == "pieces" else (b"", 0x82)
    async with raw_socket(site) as (_reader, writer, session):
        assert site.house.admission.counts.floods == 0
        writer.write(first + frames[kind] * (BYTES // FRAME) + bytes([last, 0x81, 0, 0, 0, 0, 49]))
        assert await session.next(FrameType.INPUT) == b"1"
        assert site.house.admission.counts.floods >= 1


async def test_websocket_frame_without_a_mask_closes_the_socket(site: Site) -> None:
    async with raw_socket(site) as (reader, writer, _session):
        writer.write(b"\x82\x011")
        await asyncio.wait_for(reader.read(), 5)
        assert reader.at_eof()


@pytest.mark.parametrize("pieces", [1, 2, 3, 7], ids=labelled("{} pieces"))
def test_websocket_frames_are_counted_wherever_they_are_split(pieces: int) -> None:
    stream = b"".join(
        (
            b"\x82" + MASKED,
            b"\x82\x83mask123",
            b"\x82\xfe\x01\x00mask" + bytes(256),
            b"\x82\xff" + (300).to_bytes(8) + b"mask" + bytes(300),
            b"\x89" + MASKED,
        )
    )
    counter = FrameCounter()
    cut = [stream[at : at + pieces] for at in range(0, len(stream), pieces)]
    assert sum(map(counter.count, cut)) == 5
