"""Run screen-reader mode for one player over a connection to the gateway."""

from __future__ import annotations

import asyncio
import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Lock

from ...gamekit.table_catalog import PrintLine
from ...inputs.sanitize import LONGEST_LINE, printable
from ...screen_reader.menu import ScreenReaderVisit
from ..line_editor import LineEditor
from ..session_protocol import FrameType, GatewayLink

MOST_WAITING = 1 << 12
"""The maximum number of lines that may wait to be read; further lines are dropped."""
SLOW = "Your connection was slow, and some lines were dropped. Type repeat for the last ones."
_ENDS = re.compile("\r\n|[\r\n]")


class LinkInput(Iterator[str]):
    """The lines that arrive over a link; ``echo`` shows typed keys on a raw terminal.

    A line that is too long is cut after one character more than the limit, so that it is refused.
    """

    def __init__(self, show: Callable[[str], None], *, echo: bool) -> None:
        self._show, self._echo = show, echo
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._line, self._lines = LineEditor(LONGEST_LINE + 1), SimpleQueue[str | None]()
        self._after_return = False

    def feed(self, data: bytes) -> None:
        """Add input."""
        text = self._decoder.decode(data)
        if self._after_return and text.startswith("\n"):
            text = text[1:]
        self._after_return = text.endswith("\r")
        *whole, rest = _ENDS.split(text)
        for piece in whole:
            self._type(piece)
            self._end_line()
        self._type(rest)

    def end(self) -> None:
        """End the input."""
        self._lines.put(None)

    def __next__(self) -> str:
        """Wait for the next line. Raises ``StopIteration`` at the end of the input."""
        line = self._lines.get()
        if line is None:
            self._lines.put(None)  # the end, for further calls
            raise StopIteration
        return line

    def _type(self, piece: str) -> None:
        shown = self._line.feed(piece)
        if self._echo and shown:
            self._show(shown)
        if self._line.cancelled:
            self.end()

    def _end_line(self) -> None:
        if self._echo:
            self._show("\r\n")
        if self._lines.qsize() < MOST_WAITING:
            self._lines.put(self._line.text)
        self._line = LineEditor(LONGEST_LINE + 1)


async def run_screen_reader(
    link: GatewayLink,
    begin: Callable[[LinkInput, PrintLine], ScreenReaderVisit],
    ending: Callable[[LinkInput], None],
    *,
    echo: bool,
) -> None:
    """Run a visit on a thread until the player leaves or is disconnected.

    ``begin`` makes the visit, given the input and a function that prints a line. ``ending`` is
    given the input, and ends it once the cage has closed its connection.
    """
    out, ends = OutputBuffer(link), "\r\n" if echo else "\n"

    def say(line: str) -> None:
        out.add(printable(line) + ends)

    typed = LinkInput(out.add, echo=echo)
    ending(typed)
    visit = begin(typed, say)

    def run() -> None:
        try:
            visit.run()
        except StopIteration as error:  # a future cannot hold it, and would wait for ever
            raise RuntimeError("the end of an iterator was not noticed") from error

    loop = asyncio.get_running_loop()
    listening = loop.create_task(_listen(link, typed, say))
    try:
        await loop.run_in_executor(None, run)
    finally:
        listening.cancel()
        out.flush()


class OutputBuffer:
    """Output from any thread, joined into one frame whenever the loop has time to send it."""

    def __init__(self, link: GatewayLink) -> None:
        self._link, self._loop = link, asyncio.get_running_loop()
        self._lock, self._texts = Lock(), list[str]()

    def add(self, text: str) -> None:
        """Add a text to the next output."""
        with self._lock:
            self._texts.append(text)
            first = len(self._texts) == 1
        if first:
            self._loop.call_soon_threadsafe(self.flush)

    def flush(self) -> None:
        """Send the output; called on the loop's thread."""
        with self._lock:
            texts, self._texts = self._texts, []
        if texts:
            self._link.output("".join(texts).encode(errors="replace"))


async def _listen(link: GatewayLink, typed: LinkInput, say: PrintLine) -> None:
    while (frame := await link.read()) is not None:
        kind, payload = frame
        match kind:
            case FrameType.INPUT:
                typed.feed(payload)
            case FrameType.PING:
                link.pong()
            case FrameType.TELL:
                say(payload.decode(errors="replace"))
            case FrameType.REPAINT:
                say(SLOW)
            case FrameType.END:
                break
            case _:
                continue
    typed.end()
