"""The web server, tested with a plain client: login, and the messages on its socket."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType
from msgspec import Struct, field

from tests.helpers.parameter_ids import value_id
from tests.host.test_visit import two_doors
from tui_casino.host.audit_log import AuditLog
from tui_casino.host.config import Config, read_config, web_page_url
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.gateway.admission import AdmissionControl
from tui_casino.host.gateway.boards import Leaderboard
from tui_casino.host.gateway.daily_judge import DailyJudge
from tui_casino.host.gateway.metrics import ConnectionCount, GatewayCounters
from tui_casino.host.gateway.reception import RESUME, GatewayServices
from tui_casino.host.gateway.ssh_commands import run_key_command
from tui_casino.host.gateway.visit import BROKE_OFF, TAKEN_OVER, VisitRegistry
from tui_casino.host.identities import PASS_LIFE, Identities
from tui_casino.host.rate_limits import JobLimit
from tui_casino.host.session_protocol import (
    LINES,
    FrameType,
    Hello,
    pack_frame,
    read_frame,
    unpack_size,
)
from tui_casino.host.web.browser_terminal import ENDED, MOVED, RecentOutput
from tui_casino.host.web.web_server import FOLDER, LONGEST_MESSAGE, forwarded_address, serve_web
from tui_casino.inputs.errors import BadInput
from tui_casino.records.clock import now

KEY = "SHA256:ann"
SMALL = {"columns": 80, "rows": 24}


class Session(Struct):
    """The session's end of a visit's line."""

    hello: Hello
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    report: socket.socket

    async def next(self, kind: FrameType) -> bytes:
        """Read on to a frame of a kind."""
        while True:
            frame = await asyncio.wait_for(read_frame(self.reader), 5)
            assert frame is not None, f"it ended without {kind}"
            if frame[0] is kind:
                return frame[1]

    def shows(self, data: bytes) -> None:
        self.writer.write(pack_frame(FrameType.OUTPUT, data))

    def leaves(self, said: str = "") -> None:
        self.writer.write(pack_frame(FrameType.BYE, said.encode()))
        self.close()

    def close(self) -> None:
        self.writer.close()
        self.report.close()  # nobody was forked


class Site(Struct):
    """A page that is served, with the end where sessions would be forked."""

    house: GatewayServices
    url: str
    zygote: socket.socket
    count: Callable[[], ConnectionCount]
    sessions: list[Session] = field(default_factory=list)

    async def begins(self) -> Session:
        """Take the next greeting."""
        for _ in range(500):
            try:
                raw, ends, _, _ = socket.recv_fds(self.zygote, 1 << 14, 4)
            except BlockingIOError:
                await asyncio.sleep(0.01)
            else:
                line, *cage, report = (socket.socket(fileno=end) for end in ends)
                for end in cage:
                    end.close()
                pair = await asyncio.open_connection(sock=line)
                self.sessions.append(Session(Hello.unpacked(raw), *pair, report))
                return self.sessions[-1]
        raise AssertionError("nobody came in")

    @asynccontextmanager
    async def browser(self, origin: str | None = None) -> AsyncIterator[ClientSession]:
        headers = {"Origin": self.url if origin is None else origin}
        jar = CookieJar(unsafe=True)  # addresses, too, have cookies here
        async with ClientSession(self.url, headers=headers, cookie_jar=jar) as session:
            yield session

    @asynccontextmanager
    async def guest(self) -> AsyncIterator[ClientSession]:
        async with self.browser() as browser:
            async with browser.post("/enter", json={"guest": True}) as answer:
                assert answer.status == 200
            yield browser


@contextmanager
def listening() -> Iterator[socket.socket]:
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        port.listen()
        yield port


@asynccontextmanager
async def served(folder: Path, **limits: Any) -> AsyncIterator[Site]:
    with two_doors() as (doors, zygote, _cage), listening() as port:
        config = Config(**{"guests": 2, "web": "127.0.0.1:0", **limits})
        url = web_page_url(config, port.getsockname()[1])
        config = Config(**{"guests": 2, "web": "127.0.0.1:0", **limits, "web_url": url})
        data = DataFolder(folder)
        book = Identities(data.identities)
        book.enrol(KEY, "Ann", 1)
        entry = AdmissionControl(config, book, AuditLog(data.audit), GatewayCounters())
        floor = VisitRegistry(config.sessions, config.guests)
        leaders = Leaderboard(book, lambda: None)
        jobs = JobLimit(1)
        judge = DailyJudge(config, data, doors, jobs)
        house = GatewayServices(config, data, book, floor, entry, doors, jobs, leaders, judge)
        here = f"http://127.0.0.1:{port.getsockname()[1]}"
        async with serve_web(port, house) as count:
            site = Site(house, here if url.startswith("https") else url, zygote, count)
            try:
                yield site
            finally:
                for session in site.sessions:
                    session.close()
                await asyncio.wait_for(floor.close(0), 5)
        book.close()


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with served(tmp_path) as site:
        yield site


async def closed(ws: ClientWebSocketResponse) -> tuple[int, str]:
    """Read on to the end; give its code and why."""
    while (message := await asyncio.wait_for(ws.receive(), 5)).type is not WSMsgType.CLOSE:
        assert message.type is WSMsgType.BINARY, message
    return message.data, str(message.extra or "")


# ---- what is served ---------------------------------------------------------------------------


async def test_web_answers_have_security_headers_and_unchanged_files_give_304(site: Site) -> None:
    async with site.browser() as browser:
        for path in ("/", "/page.js", "/vendor/xterm.mjs", "/who", "/nothing", "/..%2fserver.py"):
            async with browser.get(path) as answer:
                assert (answer.status == 404) is (path in ("/nothing", "/..%2fserver.py")), path
                policy = answer.headers["Content-Security-Policy"].split("; ")
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert not [rule for rule in policy if "unsafe" in rule or "*" in rule]
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
        async with browser.get("/vendor/xterm.mjs") as answer:
            assert await answer.read() == (FOLDER / "vendor" / "xterm.mjs").read_bytes()
            tag = {"If-None-Match": answer.headers["ETag"]}
        async with browser.get("/vendor/xterm.mjs", headers=tag) as answer:
            assert answer.status == 304


def test_web_page_has_no_inline_and_no_external_resources() -> None:
    text = (FOLDER / "index.html").read_text()
    assert "style=" not in text
    assert "//" not in text
    for script in text.split("<script")[1:]:
        assert 'src="' in script.partition(">")[0]
        assert script.partition(">")[2].startswith("</script>")


# ---- who is let in ----------------------------------------------------------------------------


async def test_web_request_from_another_origin_is_refused(site: Site) -> None:
    for origin in ("https://evil.example", "null", "", f"{site.url}.evil.example"):
        async with site.browser(origin) as browser:
            async with browser.post("/enter", json={"guest": True}) as answer:
                assert (answer.status, answer.cookies) == (403, {})
            async with browser.get("/play") as answer:
                assert answer.status == 403
    assert site.house.admission.counts.refusals["origin"] == 8


async def test_browser_with_an_unknown_cookie_is_refused_a_websocket(site: Site) -> None:
    async with site.browser() as browser:
        for cookie in ("", "x" * 43, "guest", "guest.\xff", "a" * 3000):
            async with browser.get("/play", headers={"Cookie": f"casino={cookie}"}) as answer:
                assert answer.status in (400, 401)


async def test_login_link_logs_a_browser_in_once_and_leaving_logs_it_out(site: Site) -> None:
    output = run_key_command(
        "link", KEY, site.house.identities.player_of(KEY), site.house.identities, site.url, now()
    )
    link = str(output).split()[0].removeprefix(f"{site.url}/#")
    async with site.browser() as browser:
        async with browser.post("/enter", json={"link": link}) as answer:
            assert answer.status == 200
            cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "Secure" not in cookie
        assert f"Max-Age={PASS_LIFE // 1000}" in cookie
        async with browser.get("/who") as answer:
            assert await answer.json() == {
                "name": "Ann",
                "guest": False,
                "guests": True,
                "ssh": 2222,
            }
        async with browser.ws_connect("/play") as ws:
            await ws.send_json({"columns": 9999, "rows": 0})
            session = await site.begins()
            assert (session.hello.name, session.hello.guest) == ("Ann", False)
            assert (session.hello.columns, session.hello.rows) == (300, 1)
            (visit,) = site.house.registry.visits
            assert (visit.fingerprint, visit.address) == (KEY, "127.0.0.1")
            session.leaves("so long")
            assert await closed(ws) == (ENDED, "so long")
        async with browser.ws_connect("/play") as ws:
            await ws.send_json(SMALL)
            session = await site.begins()
            async with browser.post("/leave", json={}) as answer:
                assert answer.status == 200
            await session.next(FrameType.END)
            session.leaves("gone")
            assert await closed(ws) == (ENDED, "gone")
        async with browser.get("/who") as answer:
            assert (await answer.json())["name"] is None
    async with site.browser() as other, other.post("/enter", json={"link": link}) as answer:
        assert (answer.status, answer.cookies) == (403, {})
        assert "used already" in (await answer.json())["why"]
    assert site.house.admission.counts.refusals["link"] == 1


async def test_login_cookie_behind_tls_is_restricted_to_its_host(tmp_path: Path) -> None:
    url = "https://casino.example"
    async with (
        served(tmp_path, web_url=url) as site,
        site.browser(url) as browser,
        browser.post("/enter", json={"guest": True}) as answer,
    ):
        cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-casino=guest.")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


async def test_web_guest_is_refused_if_guests_are_off(tmp_path: Path) -> None:
    async with (
        served(tmp_path, guests=0) as site,
        site.browser() as browser,
        browser.post("/enter", json={"guest": True}) as answer,
    ):
        assert (answer.status, answer.cookies) == (403, {})


@pytest.mark.parametrize("asked", ["{", "[]", '{"link": 1}', "x" * 600])
async def test_invalid_web_request_is_refused(site: Site, asked: str) -> None:
    async with site.browser() as browser, browser.post("/enter", data=asked) as answer:
        assert answer.status in (400, 413)


# ---- the socket -------------------------------------------------------------------------------


async def test_browser_rejoins_its_session_after_a_cut_connection(site: Site) -> None:
    async with site.guest() as browser:
        async with browser.ws_connect("/play") as ws:
            await ws.send_json(SMALL)
            session = await site.begins()
            session.shows(b"\x1b[Hhello")
            assert (await ws.receive()).data == b"\x1b[Hhello"
            await ws.send_bytes(b"1")
            assert await session.next(FrameType.INPUT) == b"1"
            assert ws._response.connection is not None
            assert ws._response.connection.transport is not None
            ws._response.connection.transport.abort()
        session.shows(b"nobody sees it")
        async with browser.ws_connect("/play") as ws:
            await ws.send_json({"columns": 100, "rows": 30})
            await session.next(FrameType.REPAINT)
            assert (await ws.receive()).data == RESUME
            session.shows(b"all of it")
            assert (await ws.receive()).data == b"all of it"
            while unpack_size(await session.next(FrameType.SIZE)) != (100, 30):
                pass
            assert len(site.house.registry.visits) == 1
            session.leaves()


async def test_second_window_of_a_browser_takes_over_the_game(site: Site) -> None:
    async with site.guest() as browser, browser.ws_connect("/play") as first:
        await first.send_json(SMALL)
        session = await site.begins()
        async with browser.ws_connect("/play") as second:
            await second.send_json(SMALL)
            assert (await closed(first))[0] == MOVED
            await session.next(FrameType.REPAINT)
            assert (await second.receive()).data == RESUME
            session.leaves("so long")
            assert await closed(second) == (ENDED, "so long")


async def test_second_browser_of_a_player_takes_the_seat(site: Site) -> None:
    passes = site.house.identities.passes
    async with site.browser() as one, site.browser() as other:
        for browser in (one, other):
            link = passes.link(KEY, now())
            async with browser.post("/enter", json={"link": link}) as answer:
                assert answer.status == 200
        async with one.ws_connect("/play") as first, other.ws_connect("/play") as second:
            await first.send_json(SMALL)
            session = await site.begins()
            await second.send_json(SMALL)
            await session.next(FrameType.END)
            session.leaves()
            assert await closed(first) == (ENDED, TAKEN_OVER)
            (await site.begins()).leaves("so long")
            assert await closed(second) == (ENDED, "so long")


async def test_web_page_says_that_the_server_is_full(tmp_path: Path) -> None:
    async with (
        served(tmp_path, guests=1) as site,
        site.guest() as one,
        site.guest() as other,
        one.ws_connect("/play") as first,
        other.ws_connect("/play") as second,
    ):
        await first.send_json(SMALL)
        await site.begins()
        await second.send_json(SMALL)
        code, reason = await closed(second)
        assert (code, "No more guests can play" in reason) == (ENDED, True)


async def test_invalid_http_request_is_answered_and_not_logged(
    site: Site, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    port = int(site.url.rpartition(":")[2])
    for sent in (b"\x16\x03\x01\x00\x01", b"GET \x1b[2J HTTP/1.1\r\n\r\n", b"GET / HTTP/9\r\n\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent + b"\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        assert b"400 Bad Request" in answer
        assert b"\r\nX-Content-Type-Options: nosniff\r\n" in answer
        assert b"\r\nServer: tui-casino\r\n" in answer
        assert answer.endswith(b"\r\n\r\nbad request\n")
    assert (caplog.text, *capfd.readouterr()) == ("", "", "")


@pytest.mark.prove
async def test_output_to_a_slow_browser_is_dropped_and_repainted(site: Site) -> None:
    async with site.guest() as browser, browser.ws_connect("/play", max_msg_size=0) as ws:
        await ws.send_json(SMALL)
        session = await site.begins()
        counts = site.house.admission.counts
        while not counts.dropped:
            session.shows(bytes(1 << 20))
            await asyncio.sleep(0)
        repainted = asyncio.create_task(session.next(FrameType.REPAINT))
        had = 0
        while not repainted.done():
            had += len((await asyncio.wait_for(ws.receive(), 5)).data)
            if had == counts.sent:
                break
        await repainted
        session.leaves()


async def test_web_visit_ends_if_the_browser_does_not_return(tmp_path: Path) -> None:
    async with served(tmp_path, stalled=0) as site, site.guest() as browser:
        async with browser.ws_connect("/play") as ws:
            await ws.send_json(SMALL)
            session = await site.begins()
        await session.next(FrameType.END)
        session.leaves()


async def test_binary_first_websocket_message_ends_the_socket_without_a_fault(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with site.guest() as browser, browser.ws_connect("/play") as ws:
        await ws.send_bytes(b"{}")
        assert (await asyncio.wait_for(ws.receive(), 5)).type is WSMsgType.CLOSE
    assert not [*tmp_path.glob("tui-casino-error-*")]


@pytest.mark.parametrize(
    "said", ["x", '{"columns": "a", "rows": 1}', "x" * (LONGEST_MESSAGE + 1)], ids=len
)
async def test_invalid_websocket_message_ends_the_socket(site: Site, said: str) -> None:
    async with site.guest() as browser, browser.ws_connect("/play") as ws:
        await ws.send_json(SMALL)
        session = await site.begins()
        await ws.send_str(said)
        assert (await asyncio.wait_for(ws.receive(), 5)).type is WSMsgType.CLOSE
        session.leaves()


async def test_web_connections_per_address_are_limited(tmp_path: Path) -> None:
    limits = {"excepted": (), "connections": 1}
    async with (
        served(tmp_path, **limits) as site,
        site.guest() as browser,
        browser.ws_connect("/play") as one,
        browser.get("/") as answer,
    ):
        assert answer.status == 200
        await one.send_json(SMALL)
        session = await site.begins()
        assert site.count().open in (1, 2), "the socket, and what the page was fetched by"
        async with browser.get("/play") as refused:
            assert refused.status == 429
        with pytest.raises(ClientError):
            await asyncio.gather(*(browser.get("/who") for _ in range(5)))
        session.leaves()
    assert site.house.admission.counts.refusals["at-once"] > 1


def test_login_link_is_refused_without_a_web_client_or_a_player(tmp_path: Path) -> None:
    book = Identities(tmp_path / "identities.db")
    ann = book.enrol(KEY, "Ann", 1)
    for fingerprint, player, page, reason in (
        (KEY, ann, None, "no web client"),
        ("SHA256:new", None, "http://h", "no player yet"),
        (None, None, "http://h", "no player yet"),
    ):
        with pytest.raises(BadInput, match=reason):
            run_key_command("link", fingerprint, player, book, page, 1)
    book.close()


# ---- line by line -----------------------------------------------------------------------------

IN_LINES = {**SMALL, "lines": True}
BEGIN: dict[str, object] = {"lines": 0, "again": False}


async def next_message(ws: ClientWebSocketResponse) -> dict[str, object] | bytes:
    """Give the next thing that the page is sent."""
    message = await asyncio.wait_for(ws.receive(), 5)
    if message.type is WSMsgType.TEXT:
        return dict(message.json())
    assert message.type is WSMsgType.BINARY, message
    return bytes(message.data)


async def test_web_page_in_screen_reader_mode_gets_the_lines_it_missed(site: Site) -> None:
    async with site.guest() as browser:
        async with browser.ws_connect("/play") as ws:
            await ws.send_json(IN_LINES)
            await ws.send_bytes(b"1\x1b[J\n")
            session = await site.begins()
            assert session.hello.environ == {LINES: "the button of the web client"}
            assert session.hello.edits
            assert await session.next(FrameType.INPUT) == b"1\x1b[J\n"
            assert await next_message(ws) == BEGIN
            assert await next_message(ws) == b"> 1\\x1b[J\n"
            session.shows(b"one\n")
            assert await next_message(ws) == b"one\n"
        session.shows("två\n".encode())
        acknowledged = len(b"> 1\\x1b[J\none\n")
        async with browser.ws_connect("/play") as ws:
            await ws.send_json({**IN_LINES, "heard": acknowledged})
            assert await next_message(ws) == {"lines": acknowledged, "again": True}
            assert await next_message(ws) == "två\n".encode()
        async with browser.ws_connect("/play") as ws:  # a page that was loaded anew has nothing
            await ws.send_json(IN_LINES)
            assert await next_message(ws) == {**BEGIN, "again": True}
            assert await next_message(ws) == "> 1\\x1b[J\none\ntvå\n".encode()
            session.leaves("so long")
            assert await next_message(ws) == b"so long\n"
            assert await closed(ws) == (ENDED, "so long")
        assert len(site.sessions) == 1


async def test_screen_reader_setting_of_the_player_applies_to_the_page(site: Site) -> None:
    async with site.guest() as browser:
        async with browser.ws_connect("/play") as ws:
            await ws.send_json(SMALL)
            session = await site.begins()
            assert LINES not in session.hello.environ
            session.writer.write(pack_frame(FrameType.LINES))
            session.shows(b"one\n")
            assert await next_message(ws) == BEGIN
            assert await next_message(ws) == b"one\n"
            await ws.send_bytes(b"x" * 2_000 + b"\n")
            assert len(await session.next(FrameType.INPUT)) == 2_001, "a line is no flood of keys"
        async with browser.ws_connect("/play") as ws:
            await ws.send_json({**SMALL, "heard": 4})
            assert await next_message(ws) == {"lines": 4, "again": True}
            assert len(await next_message(ws)) < 1_500, "of a line as much stands there as is taken"
            session.close()
            assert await next_message(ws) == f"{BROKE_OFF}\n".encode(), (
                "there is no terminal to restore"
            )
            assert await closed(ws) == (ENDED, BROKE_OFF[:120])


async def test_changing_from_lines_to_the_screen_starts_a_new_web_session(site: Site) -> None:
    async with site.guest() as browser, browser.ws_connect("/play") as first:
        await first.send_json(IN_LINES)
        lines = await site.begins()
        async with browser.ws_connect("/play") as second:
            await second.send_json({**SMALL, "lines": False})
            await lines.next(FrameType.END)
            lines.leaves()
            screen = await site.begins()
            assert screen.hello.environ[LINES] == ""
            assert screen.hello.environ["TERM"] == "xterm-256color"
            assert await next_message(first) == BEGIN
            assert await next_message(first) == f"{TAKEN_OVER}\n".encode()
            assert await closed(first) == (ENDED, TAKEN_OVER)
            screen.shows(b"\x1b[Hhello")
            assert await next_message(second) == b"\x1b[Hhello"
            screen.leaves()


@pytest.mark.prove
async def test_slow_web_page_learns_where_its_lines_continue(site: Site) -> None:
    async with site.guest() as browser, browser.ws_connect("/play", max_msg_size=0) as ws:
        await ws.send_json(IN_LINES)
        session = await site.begins()
        while not site.house.admission.counts.dropped:
            session.shows(b"%999d\n" % 7 * 16)
            await asyncio.sleep(0)
        repainted = asyncio.create_task(session.next(FrameType.REPAINT))
        places = [0]

        async def read() -> None:
            while True:
                match await next_message(ws):
                    case {"lines": int(place)}:
                        assert place >= places[-1], "lines are left out, and none is told twice"
                        places.append(place)
                    case bytes(data):
                        assert data.endswith(b"7\n")
                        places[-1] += len(data)

        reading = asyncio.create_task(read())
        await asyncio.wait({repainted, reading}, return_when=asyncio.FIRST_COMPLETED)
        assert repainted.done()
        reading.cancel()
        session.leaves()


def test_buffer_of_recent_output_drops_whole_old_lines_first() -> None:
    output = RecentOutput(10)
    for number in range(1000, 1004):
        output.add(b"%d\n" % number)
    assert output.since(0) == (10, b"1002\n1003\n")
    assert output.since(15) == (15, b"1003\n")
    assert output.since(20) == (20, b"")
    assert output.since(21) == output.since(-1) == output.since(3)
    output.add(b"a line that is longer than all that is kept")
    assert output.since(0) == (63, b"")


# ---- settings ---------------------------------------------------------------------------------


def test_web_page_address_outside_loopback_needs_the_web_url_setting() -> None:
    assert web_page_url(Config(web="[::1]:0"), 8080) == "http://[::1]:8080"
    assert web_page_url(Config(web="0.0.0.0:1", web_url="https://Casino.example:443/"), 1) == (
        "https://casino.example"
    )
    with pytest.raises(BadInput, match="needs --web-url"):
        web_page_url(Config(web="0.0.0.0:8080"), 8080)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('web = "8080"', "not a listening address"),
        ('web_url = "casino.example"', "not the URL"),
        ('web_url = "https://casino.example/path"', "not the URL"),
        ('web_url = "https://casino.example:99999"', "not the URL"),
        ("forwarded = 1", "true or false"),
    ],
)
def test_bad_web_settings_in_the_config_file_are_refused(
    tmp_path: Path, line: str, why: str
) -> None:
    (tmp_path / "serve.toml").write_text(f"{line}\n")
    with pytest.raises(BadInput, match=why):
        read_config(tmp_path / "serve.toml")


@pytest.mark.parametrize(
    ("peer", "said", "config", "address"),
    [
        ("127.0.0.1", ["192.0.2.1, 192.0.2.7"], Config(forwarded=True), "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.1", "2001:db8::7"], Config(forwarded=True), "2001:db8::7"),
        ("127.0.0.1", ["192.0.2.7"], Config(), "127.0.0.1"),
        ("198.51.100.1", ["192.0.2.7"], Config(forwarded=True), "198.51.100.1"),
        ("127.0.0.1", ["unknown"], Config(forwarded=True), "127.0.0.1"),
        ("127.0.0.1", [], Config(forwarded=True), "127.0.0.1"),
    ],
    ids=value_id,
)
def test_forwarded_address_is_accepted_only_from_configured_proxies(
    peer: str, said: list[str], config: Config, address: str
) -> None:
    assert forwarded_address(peer, said, config) == address
