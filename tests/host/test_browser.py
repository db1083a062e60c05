"""The web client in a headless browser; the terminal's buffer is read as text."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from tests.host.browsers import SCREEN, Cable, Tab, browser
from tests.host.loopback_server import Host, connected, host, new_key, visiting
from tui_casino.host.control_socket import ControlRequest, send_request
from tui_casino.host.gateway.visit import TAKEN_OVER

pytestmark = pytest.mark.prove

PAGE = re.compile(r"web client at (\S+)/, listening on 127\.0\.0\.1:(\d+)\n")
COLOURS = """
new Set([...document.querySelectorAll('.xterm-rows span')]
  .map((one) => getComputedStyle(one).backgroundColor)).size > 2
"""
"""Whether the fallback draws some, which the content security policy has to allow."""
LOSE_CONTEXT = """
document.querySelector('.xterm-screen canvas:not([class])').getContext('webgl2')
  .getExtension('WEBGL_lose_context').loseContext()
"""
BLOCKS = """
(async () => {
  document.getElementById('terminal').hidden = false;
  document.getElementById('entrance').hidden = true;
  const frame = () => new Promise(requestAnimationFrame);
  term.options.fontSize = %d;
  await frame();
  const half = '\\u2580'.repeat(8) + '\\r\\n', whole = half.replaceAll('\\u2580', '\\u2588');
  await new Promise((done) => term.write('\\x1bc\\x1b[?25l' + whole.repeat(7) + half, done));
  await frame();
  await frame();
  const box = document.querySelector('.xterm-screen').getBoundingClientRect();
  const [width, height] = [box.width / term.cols, box.height / term.rows];
  return [box.x, box.y, Math.floor(8 * width), Math.floor(7.5 * height)];
})()
"""
"""Fill 8 columns of 7.5 rows; return the position and size in CSS pixels."""
FONTS = "[...document.fonts].map((font) => font.status).join()"
LOG = """
[...document.querySelectorAll('[role=log] p')].map((one) => one.textContent).join('\\n')
"""
"""The lines that were printed and typed."""
READ_OUT = "document.querySelector('.xterm-accessibility')?.innerText ?? ''"


@asynccontextmanager
async def page(folder: Path, pixel_ratio: float = 1) -> AsyncIterator[tuple[Host, Cable, Tab]]:
    """Have a host with a page, behind a line that can be cut, and a browser."""
    async with Cable().plugged() as cable:
        with served(folder, cable) as house:
            async with browser(folder / "browser", pixel_ratio) as tab:
                yield house, cable, tab
            assert house.warnings.read_text().count("\n") <= 1, "but that it runs as root"


@contextmanager
def served(folder: Path, cable: Cable) -> Iterator[Host]:
    """Start the host at the other end of the line."""
    options = ("--guests", "2", "--web", "127.0.0.1:0", "--web-url", cable.url)
    with host(folder / "host", *options, config="grace = 0\n") as house:
        assert house.process.stdout is not None
        match = PAGE.fullmatch(house.process.stdout.readline())
        assert match is not None
        assert match[1] == cable.url
        cable.to = int(match[2])
        yield house


async def test_browser_guest_can_play_resize_reconnect_copy_and_read_by_lines(
    tmp_path: Path,
) -> None:
    async with page(tmp_path) as (house, cable, tab):
        await tab.open(cable.url)
        await tab.reads("Play as a guest")
        await tab.clicks_button("guest")
        await tab.sees("balance 1,000.00")
        await tab.until(FONTS, "loaded,loaded")

        await tab.presses("2")
        await tab.sees("Place your bets")
        await tab.presses("1")
        await tab.sees("BET 5 ")
        await tab.presses(" ")
        assert re.search(r"Winner: |Tie", await tab.sees("1 coup,"))
        await tab.clicks("2 Banker")
        await tab.sees("BET 5 ")

        columns = await tab.gives("term.cols")
        await tab.is_sized(1400, 800)
        beyond = f".split('\\n').some((line) => line.indexOf('Esc Leave') > {columns})"
        await tab.until(SCREEN + beyond, "True")

        sessions = house.sessions
        assert len(sessions) == 1
        cable.pull()
        await tab.connects(2)
        await tab.presses("2")
        await tab.sees("BET 10 ")
        await tab.do("Page.reload")
        await tab.connects(3)
        await tab.sees("BET 10 ")
        await tab.clicks("3 Tie")
        await tab.sees("BET 15 ")
        assert house.sessions == sessions, "it is the same session all the time"

        await tab.do(
            "Browser.grantPermissions",
            permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
        )
        await tab.gives(r"term.write('\x1b]52;c;c2VzcXVpcGVkYWxpYW4=\x07')")
        await tab.until("navigator.clipboard.readText()", "sesquipedalian")

        await tab.clicks_button("reader")
        await tab.until(READ_OUT, "BACCARAT")
        assert tab.text == []
        assert {url.startswith(f"{cable.url}/") for url in tab.requested_urls} == {True}


async def test_browser_coup_in_screen_reader_mode_survives_a_lost_connection(
    tmp_path: Path,
) -> None:
    async with page(tmp_path) as (house, cable, tab):
        await tab.open(cable.url)
        await tab.reads("Play as a guest")
        await tab.clicks_button("by-lines")
        await tab.clicks_button("guest")
        await tab.until(LOG, "screen-reader mode, turned on by the button of the web client.")
        await tab.until(LOG, "q quits")
        await tab.presses("2\n1\n")
        await tab.until(LOG, "burnt")  # one card after an ace, otherwise several
        await tab.presses("b 25 p\n")
        await tab.until(LOG, "> b 25 p\nYour bets: 25 on Player.")
        await tab.presses("d\n")
        text = await tab.until(LOG, "your credit is")
        assert re.search(r"\n(Player|Banker) wins\.|\nTie\.", text)
        assert "\x1b" not in text
        tree = (await tab.do("Accessibility.getFullAXTree"))["nodes"]
        named = {(one["role"]["value"], one.get("name", {}).get("value")) for one in tree}
        assert {("log", "Output"), ("textbox", "Command"), ("button", "Send")} <= named

        sessions, gateway = house.sessions, cable.to
        cable.to = 0
        cable.pull()
        await tab.until("document.getElementById('state').textContent !== ''", "True")
        await tab.presses("b 5 <b>\n")
        await tab.reads("was not sent")
        cable.to = gateway
        await tab.connects(2)
        await tab.presses("\n")
        text = await tab.until(LOG, "\n> b 5 <b>\n")
        assert text.count("screen-reader mode, turned on by") == 1, "nothing is told twice"
        await tab.do("Page.reload")
        await tab.reads("Type repeat for the last lines")
        log_text = await tab.until(LOG, "\n> b 5 <b>\n")
        assert log_text.startswith(text)
        assert house.sessions == sessions, "it is the same session all the time"

        typed = "document.getElementById('line').value"
        await tab.presses("b 5\nb 10\nb 10\nwhere")
        for key, line in (
            ("ArrowUp", "b 10"),  # a line that was sent twice counts once
            ("ArrowUp", "b 5"),
            ("ArrowDown", "b 10"),
            ("ArrowDown", "where"),
        ):
            await tab.do("Input.dispatchKeyEvent", type="keyDown", key=key)
            assert await tab.gives(typed) == line
        await tab.gives("document.getElementById('line').value = ''")

        await tab.presses("q\nq\n")
        await tab.reads("Your visit is over.")
        assert "Goodbye." in await tab.gives(LOG)
        assert tab.text == []
        assert {url.startswith(f"{cable.url}/") for url in tab.requested_urls} == {True}


async def test_browser_player_logs_in_with_a_link_and_has_one_seat(tmp_path: Path) -> None:
    key = new_key()
    async with page(tmp_path) as (house, cable, tab):
        house.add_player(key, "Ann")
        async with connected(house, key) as conn:
            output = str((await conn.run("link", check=True)).stdout)
        link = output.split()[0]
        assert link.startswith(f"{cable.url}/#")
        await tab.open(link)
        await tab.sees("Ann  balance 1,000.00")
        assert await tab.gives("location.href") == f"{cable.url}/"
        assert await tab.gives("document.cookie") == "", "no script reads it"

        async with visiting(house, key) as visitor:
            await visitor.sees("Ann")
            await tab.reads(TAKEN_OVER)
            await tab.clicks_button("again")
            await tab.sees("Ann  balance 1,000.00")
            assert TAKEN_OVER in await visitor.output()

        await tab.clicks_button("leave")
        await tab.reads("This browser is not logged in")
        await tab.do("Page.navigate", url=f"{cable.url}/#{link.partition('#')[2]}")
        await tab.reads("used already")
        assert tab.text == []


@pytest.mark.parametrize("pixel_ratio", [1, 1.25, 2])
async def test_block_characters_have_no_gaps(tmp_path: Path, pixel_ratio: float) -> None:
    async with page(tmp_path, pixel_ratio) as (_, cable, tab):
        await tab.open(cable.url)
        await tab.reads("Play as a guest")
        assert await tab.gives("devicePixelRatio") == pixel_ratio
        for size in (11, 14, 15, 18):
            x, y, width, height = await tab.gives(BLOCKS % size)
            inside = [row[1:-1] for row in (await tab.pixels(x, y, width, height))[1:-1]]
            assert len(inside) > 100 * pixel_ratio - 10
            assert {pixel for row in inside for pixel in row} == {222}, size
        assert tab.text == []


async def test_phone_has_all_buttons_in_one_row(tmp_path: Path) -> None:
    async with page(tmp_path) as (_, cable, tab):
        await tab.is_sized(390, 844)
        await tab.open(cable.url)
        await tab.clicks_button("guest")
        await tab.sees("balance 1,000.00")
        assert await tab.gives("document.getElementById('terminal').offsetTop") < 50
        tree = (await tab.do("Accessibility.getFullAXTree"))["nodes"]
        roles = [one for one in tree if one["role"]["value"] in ("heading", "button")]
        assert [one["name"]["value"] for one in roles] == [
            "TUI Casino",
            "Smaller text",
            "Larger text",
            "Read screen aloud",
            "Screen-reader mode",
            "Log out",
        ]


async def test_smaller_window_shows_nothing_beyond_its_last_column(tmp_path: Path) -> None:
    async with page(tmp_path) as (_, cable, tab):
        await tab.is_sized(1400, 844)
        await tab.open(cable.url)
        await tab.clicks_button("guest")
        await tab.sees("balance 1,000.00")
        await tab.presses("1")
        await tab.sees("Deal for 5")
        await tab.presses(" ")
        await tab.sees("[5]")
        await tab.is_sized(390, 844)
        await tab.sees("CREDIT 395")
        edge = 9 * await tab.gives("term.cols")
        assert edge > 380
        beyond = await tab.pixels(edge, 60, 390 - edge, 780)
        assert {pixel for row in beyond for pixel in row} == {20}, "the colour of the page"


async def test_terminal_is_drawn_with_elements_if_webgl_stops_working(tmp_path: Path) -> None:
    async with page(tmp_path) as (_, cable, tab):
        await tab.open(cable.url)
        await tab.clicks_button("guest")
        await tab.sees("balance 1,000.00")
        assert not await tab.gives(COLOURS)
        await tab.gives(LOSE_CONTEXT)
        await tab.until(COLOURS, "True")
        await tab.presses("2")
        await tab.until("document.querySelector('.xterm-rows').innerText", "Place your bets")
        await tab.until("document.querySelector('.xterm-screen').offsetWidth <= innerWidth", "True")
        assert tab.text == []


async def test_web_client_returns_by_itself_when_its_server_restarts(tmp_path: Path) -> None:
    async with page(tmp_path) as (house, cable, tab):
        await tab.open(cable.url)
        await tab.clicks_button("guest")
        await tab.sees("balance 1,000.00")
        answer = await asyncio.to_thread(send_request, house.data.control, ControlRequest("stats"))
        assert answer is not None
        assert re.search(r"^tui_casino_connections [1-9]", answer.text, re.MULTILINE)
        assert await asyncio.to_thread(house.stop) == 0
        await tab.reads("The server does not answer. Trying again")
        with served(tmp_path, cable):
            await tab.connects(2)
            await tab.sees("balance 1,000.00")
