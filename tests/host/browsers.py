"""A headless browser, driven by its DevTools, and a connection to a server that can be cut."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse

from tests.helpers.external_programs import program_path
from tests.helpers.pty_terminal import PATIENCE

LOOK = 0.05
SCREEN = """(() => {
  const buffer = window.term?.buffer.active, lines = [];
  for (let y = 0; y < (window.term?.rows ?? 0); y++)
    lines.push(buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? "");
  return lines.join("\\n");
})()"""

PIXELS = """(async () => {
  const bytes = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  const all = canvas.getImageData(0, 0, picture.width, picture.height).data, rows = [];
  for (let from = 0; from < all.length; from += 4 * picture.width)
    rows.push([...all.slice(from, from + 4 * picture.width)].filter((_, n) => n %% 4 === 1));
  return rows;
})()"""


class Tab:
    """A tab of the browser, which opens pages and reads them like a visitor."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self.text: list[str] = []
        """The errors that the browser reports: of scripts, and of the content security policy."""
        self.requested_urls: list[str] = []
        """The addresses of all requests."""
        self.sockets = 0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._socket:
            told = json.loads(message.data)
            if "id" in told:
                self._answers.pop(told["id"]).set_result(told)
            elif told["method"] == "Network.requestWillBeSent":
                self.requested_urls.append(told["params"]["request"]["url"])
            elif told["method"] == "Network.webSocketHandshakeResponseReceived":
                self.sockets += 1
            elif told["method"] == "Runtime.exceptionThrown":
                self.text.append(json.dumps(told["params"]["exceptionDetails"]))
            elif told["method"] == "Log.entryAdded":
                entry = told["params"]["entry"]
                if entry["level"] == "error" and entry["source"] != "network":
                    self.text.append(entry["text"])

    async def do(self, method: str, **values: Any) -> Any:
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": values})
        result = await asyncio.wait_for(answer, PATIENCE)
        assert "error" not in result, result
        return result["result"]

    async def open(self, url: str) -> None:
        for part in ("Network", "Runtime", "Log", "Page"):
            await self.do(f"{part}.enable")
        # only a page with the focus can use the clipboard; on a busy machine it gets the focus late
        await self.do("Emulation.setFocusEmulationEnabled", enabled=True)
        await self.do("Page.navigate", url=url)

    async def gives(self, script: str) -> Any:
        result = await self.do(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    async def sees(self, what: str) -> str:
        """Wait until the terminal's buffer contains a text; return the whole buffer."""
        return await self.until(SCREEN, what)

    async def reads(self, what: str) -> str:
        """Wait until the page around the terminal shows a text."""
        return await self.until("document.body?.innerText ?? ''", what)

    async def until(self, script: str, what: str) -> str:
        """Wait until the result of a script contains a text; return the whole result."""
        text = ""
        for _ in range(int(PATIENCE / LOOK)):
            if what in (text := str(await self.gives(script))):
                return text
            await asyncio.sleep(LOOK)
        raise AssertionError(f"{what} was not seen:\n{text}\n{self.text}")

    async def presses(self, keys: str) -> None:
        for key in keys:
            text = "\r" if key == "\n" else key
            await self.do("Input.dispatchKeyEvent", type="keyDown", text=text, key=key)
            await self.do("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def clicks(self, what: str) -> None:
        """Click on a text in the terminal."""
        lines = (await self.sees(what)).split("\n")
        row = next(n for n, line in enumerate(lines) if what in line)
        column = lines[row].index(what) + len(what) // 2
        place = await self.gives(
            "(() => { const box = document.querySelector('.xterm-screen').getBoundingClientRect();"
            f" return [box.x + box.width * {column + 0.5} / term.cols,"
            f" box.y + box.height * {row + 0.5} / term.rows]; }})()"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            await self.do(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="none" if kind == "mouseMoved" else "left",
                clickCount=1,
            )

    async def clicks_button(self, name: str) -> None:
        await self.until(f"document.getElementById('{name}')?.hidden === false", "True")
        await self.gives(f"document.getElementById('{name}').click()")

    async def connects(self, times: int) -> None:
        """Wait until this number of sockets were opened, and the last one has sent something."""
        for _ in range(int(PATIENCE / LOOK)):
            if self.sockets >= times:
                await self.until("document.getElementById('state')?.textContent === ''", "True")
                return
            await asyncio.sleep(LOOK)
        raise AssertionError(f"{self.sockets} sockets, not {times}: {self.text}")

    async def is_sized(self, width: int, height: int) -> None:
        await self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=0,
            mobile=False,
        )

    async def pixels(self, x: int, y: int, width: int, height: int) -> list[list[int]]:
        """Return the brightness of each device pixel of a part of the page, row by row."""
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        picture = (await self.do("Page.captureScreenshot", clip=clip))["data"]
        rows: list[list[int]] = await self.gives(PIXELS % picture)
        return rows

    async def close(self) -> None:
        self._reading.cancel()
        with suppress(asyncio.CancelledError):
            await self._reading


@asynccontextmanager
async def browser(folder: Path, pixel_ratio: float = 1) -> AsyncIterator[Tab]:
    """Run Chromium with its own profile.

    The ratio of device pixels to CSS pixels is an option of the process, because the emulation of
    DevTools draws a canvas at the wrong size.
    """
    process = await asyncio.create_subprocess_exec(
        program_path("chromium"),
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--remote-debugging-port=0",
        "--window-size=1100,760",
        f"--force-device-scale-factor={pixel_ratio}",
        f"--user-data-dir={folder}",
        "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        port_file = folder / "DevToolsActivePort"
        for _ in range(int(PATIENCE / LOOK)):
            if port_file.exists() and port_file.read_text().count("\n"):
                break
            await asyncio.sleep(LOOK)
        port = port_file.read_text().split()[0]
        async with ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                (page,) = [one for one in await answer.json() if one["type"] == "page"]
            async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                tab = Tab(socket)
                yield tab
                await tab.close()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class Cable:
    """Forwards bytes from its own port ``to`` another one, and can cut the connection."""

    def __init__(self) -> None:
        self._writers = set[asyncio.StreamWriter]()
        self.port = self.to = 0

    @asynccontextmanager
    async def plugged(self) -> AsyncIterator[Cable]:
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.pull()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def pull(self) -> None:
        """Cut all current connections."""
        for writer in [*self._writers]:
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, back}
        with suppress(OSError):
            await asyncio.gather(_copy(reader, back), _copy(there, writer))
        self._writers -= {writer}


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()
