"""The arcade on an emulated terminal, compared with the screen that Textual would paint."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import pyte
from rich.color import ColorSystem
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import settle
from tui_casino.tui.terminal.driver import GuardedDriver
from tui_casino.tui.widgets.painter import HasPainter

TRIES = 200
"""The largest number of checks whether a screen has come to rest."""

_emulator: Any = pyte  # most of it has no types
_COLOURS, _TRUE_COLOUR, _DIM, _BLINK, _NOT_DIM, _NO_BLINK = (38, 48), 2, 2, 5, 22, 25


class Cell(NamedTuple):
    """The visible parts of a cell; a blank cell only has a background."""

    text: str
    style: tuple[object, ...]


Row = tuple[Cell, ...]


class Emulator(_emulator.Screen):  # type: ignore[misc]
    """A terminal's screen; dim text is stored as blinking, because the emulator has no dim."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self._feed = _emulator.Stream(self).feed
        self._rows: dict[int, Row] = {}

    def write(self, output: str) -> None:
        """Process a program's output."""
        self._feed(output)

    def select_graphic_rendition(self, *codes: int, **private: bool) -> None:
        """Set the style of the next characters."""
        super().select_graphic_rendition(*_dim_blinks(codes), **private)

    def seen(self) -> list[Row]:
        """Return the visible cells, line by line."""
        for y in self.dirty:
            self._rows[y] = tuple(_cell(self.buffer[y][x]) for x in range(self.columns))
        self.dirty.clear()
        return [self._rows[y] for y in range(self.lines)]


def _dim_blinks(codes: tuple[int, ...]) -> Iterator[int]:
    rest = iter(codes)
    for code in rest:
        if code in _COLOURS:
            kind = next(rest)
            yield from (code, kind, *(next(rest) for _ in range(3 if kind == _TRUE_COLOUR else 1)))
        elif code == _NOT_DIM:
            yield from (_NOT_DIM, _NO_BLINK)
        else:
            yield _BLINK if code == _DIM else code


def _cell(char: Any) -> Cell:
    text, ink, ground, bold, italics, underscore, strike, reverse, dim = char
    if text == " " and not (underscore or strike or reverse):
        return Cell(text, (ground,))
    return Cell(text, (ink, ground, bold, italics, underscore, strike, reverse, dim))


class OnEmulator(GuardedDriver, HeadlessDriver):
    """A driver with an emulated terminal; it writes the same output as the real driver."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.screen = Emulator(*self.window_size())

    @property
    def is_headless(self) -> bool:
        """Return false, so the app writes its output."""
        return False

    def terminal_size(self) -> tuple[int, int]:
        """Return the size set by the tests."""
        columns, rows = self._get_terminal_size()
        return columns, rows

    def write(self, data: str) -> None:
        """Show output on the emulated screen."""
        columns, rows = self.window_size()
        self.screen.resize(rows, columns)
        self.screen.write(self.optimise(data))


@asynccontextmanager
async def run_on_emulator(
    app: App[None], width: int = 80, height: int = 24
) -> AsyncIterator[Pilot[None]]:
    """Run an app on an emulated terminal; compare the screen at the beginning and at the end."""
    app.driver_class = OnEmulator
    app.console._color_system = ColorSystem.TRUECOLOR  # whatever this process runs on
    async with app.run_test(headless=False, size=(width, height), notifications=True) as pilot:
        await settle(pilot)
        compare(app, "as it begins")
        yield pilot
        await rest(pilot)
        compare(app, "as it ends", anew=True)


# ---- what is compared ---------------------------------------------------------------------------


def terminal_rows(app: App[Any]) -> list[Row]:
    """Return the terminal's screen after all output so far."""
    driver = app._driver
    assert isinstance(driver, OnEmulator)
    return driver.screen.seen()


def textual_rows(app: App[Any], anew: bool = False) -> list[Row]:
    """Return the screen as Textual would paint it completely, without cached lines."""
    compositor = app.screen._compositor
    for widget in compositor.visible_widgets if anew else ():
        widget._styles_cache.clear()
        widget._dirty_regions.add(widget.outer_size.region)  # rendered again but not painted
    due = {*compositor._dirty_regions}
    update = compositor.render_update(full=True, screen_stack=app._background_screens)
    compositor._dirty_regions |= due
    assert isinstance(update, LayoutUpdate)
    lines = ("".join(part.render(app.console) for part in line) for line in update.strips)
    return [_row(line, app.size.width) for line in lines]


@lru_cache(1 << 12)
def _row(line: str, width: int) -> Row:
    screen = Emulator(width, 1)
    screen.write(line)
    (row,) = screen.seen()
    return row


def compare(app: App[Any], when: str = "", anew: bool = False) -> None:
    """Check cell by cell that the terminal shows what Textual would paint."""
    now, should = terminal_rows(app), textual_rows(app, anew)
    if now == should:
        return
    at = [(y, x) for y, row in enumerate(should) for x, c in enumerate(row) if now[y][x] != c]
    state = "at rest" if resting(app) else "at work"
    differences = [f"{len(at)} cells differ {when} on {app.screen!r}, {state}"]
    for y in sorted({y for y, _ in at})[:5]:
        x = next(x for line, x in at if line == y)
        widget, _ = app.screen.get_widget_at(x, y)
        differences += [f"line {y} column {x}, {widget!r}: {now[y][x]} should be {should[y][x]}"]
        differences += ["".join(cell.text for cell in rows[y]) for rows in (now, should)]
    raise AssertionError("\n".join(differences))


# ---- when it is compared ------------------------------------------------------------------------


def resting(app: App[Any]) -> bool:
    """Return whether there is nothing left to paint."""
    screen, driver = app.screen, app._driver
    painter = app.painter if isinstance(app, HasPainter) else None
    return not (
        (isinstance(driver, OnEmulator) and app.size != driver.window_size())
        or screen._layout_required
        or screen._dirty_widgets
        or screen._compositor._dirty_regions
        or (painter is not None and painter._waiting)
        or any(w._repaint_required or w._layout_required for w in screen._compositor.widgets)
    )


async def rest(pilot: Pilot[None]) -> None:
    """Wait until there is nothing left to paint; the croupier may still be dealing.

    Check twice, because a widget that the painter has just left to Textual may have sent its screen
    a message that the screen has not received yet.
    """
    quiet = 0
    for _ in range(TRIES):
        await settle(pilot, workers=False)
        quiet = quiet + 1 if resting(pilot.app) else 0
        if quiet == 2:
            return


async def check(pilot: Pilot[None], when: str = "", anew: bool = False) -> None:
    """Wait until there is nothing left to paint, and compare."""
    await rest(pilot)
    compare(pilot.app, when, anew)
