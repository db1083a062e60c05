"""The layout of every screen in windows of all sizes: nothing covered, cut or left empty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from textual.events import Resize
from textual.geometry import Region, Size
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    STILL,
    _idle,
    arcade,
    lines,
    practice,
    press,
    run_app,
    settle,
    type_line,
    until,
)
from tests.helpers.narrow import instance_of
from tests.helpers.screen_walks import Shoot, Walk, key_of, shoot_after, walk_of
from tests.tui.layout_faults import faults_of, is_in_figure, largest_blank
from tests.tui.snapshots import HOUSE_WALKS, HOUSES, SEED
from tests.tui.test_practice import JUDGED, house_of
from tui_casino.gamekit.action_grammar import format_command
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.sitting import House
from tui_casino.tui.history.leaks_screen import LeaksScreen
from tui_casino.tui.positions.position_screen import PositionScreen
from tui_casino.tui.positions.verdict_screen import VerdictScreen
from tui_casino.tui.practice.screen import PracticeScreen
from tui_casino.tui.table.screen import TableScreen

WIDTHS, HEIGHTS = range(40, 221), range(15, 71)
STEP = 10
"""Every tenth width and height is used for a scene, so ten scenes have all of them."""
FEW_SCENES = {"house": 4}
"""The step of a walk with fewer scenes."""
SOME_WIDTHS = (60, 80, 104, 132, 200)
QUICK = ((40, 15), (120, 40))
ONE_SIZE = ((132, 43),)
"""A window just wide enough for the widest layout of a table, so its side panel is narrow."""
FRAME = 4
"""The rows of the title, the meters and the two lines of keys."""
LANDSCAPE = 104
"""The columns from which the room of a table must be used; narrow and tall windows may be empty."""
LARGE_TABLES = {"video-poker", "baccarat", "five-card-draw", "thirty-one", "cribbage"}
"""The games that use this room; the table of a new game need not, as in the tutorial."""


async def the_teacher(pilot: Pilot[None], shoot: Shoot) -> None:
    """Look at the leaks and the mistakes, and answer a position of each game."""
    await press(pilot, "l")
    leaks = instance_of(LeaksScreen, pilot.app.screen)
    await until(pilot, lambda: leaks.studied is not None)
    await shoot("leaks")
    await press(pilot, "escape", "m")
    await until(pilot, lambda: isinstance(pilot.app.screen, PracticeScreen))
    practice_screen = instance_of(PracticeScreen, pilot.app.screen)
    await until(pilot, lambda: not practice_screen.reading)  # later logs have costlier mistakes
    await shoot("mistakes")
    await press(pilot, "space")
    for number in range(4):
        await until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen))
        table = instance_of(PositionScreen, pilot.app.screen)
        await shoot(f"position-{number}")
        at = table.at
        row = at.definition.adviser.values(at.view, at.seat)[-1]
        await type_line(pilot, f":{format_command(row.action, at.definition.words.verbs)}")
        await until(pilot, lambda: isinstance(pilot.app.screen, VerdictScreen))
        await shoot(f"verdict-{number}")
        await press(pilot, "space")


def first_deal(listing: GameListing) -> Walk:
    """Return a short walk: the table of a game before a bet, and with the trainer after a deal."""

    async def walk(pilot: Pilot[None], shoot: Shoot) -> None:
        await shoot_after(pilot, shoot, "before-bet", key_of(listing.slug))
        await press(pilot, "t", "space")
        await settle(pilot)
        await shoot("trainer")

    return walk


SHORT_WALKS: Mapping[str, Walk] = {
    f"{listing.slug}, first deal": first_deal(listing) for listing in GAMES
}
WALKS: Mapping[str, Walk] = {
    **HOUSE_WALKS,
    "teacher": the_teacher,
    **{listing.slug: walk_of(listing) for listing in GAMES},
}


def house_for(walk: str, folder: Path) -> House:
    """Return the house in which a walk takes place."""
    return house_of(folder, *JUDGED) if walk == "teacher" else HOUSES.get(walk, practice)(folder)


def sizes_of(scene: int, step: int = STEP) -> Iterator[tuple[int, int]]:
    """Return the windows for a scene: many widths, each with another height, and many heights."""
    start = scene % step
    for place, width in enumerate(WIDTHS[start::step]):
        yield width, HEIGHTS[(37 * place + 11 * scene) % len(HEIGHTS)]
    for height in HEIGHTS[start::step]:
        yield SOME_WIDTHS[scene % len(SOME_WIDTHS)], height


async def lay_out(pilot: Pilot[None], width: int, height: int) -> None:
    """Give the window a size and wait until the screen has it; no worker is waited for."""
    size, app = Size(width, height), pilot.app
    assert app._driver is not None
    app._driver._size = size
    app.post_message(Resize(size, size))
    for _ in range(3):
        await _idle()
        app.screen._on_timer_update()
    while len(lines(app)[0]) != width or app.screen.size != size:
        await _idle()
        app.screen._on_timer_update()


async def examine(
    walk: str, folder: Path, sizes: Sequence[tuple[int, int]] | None = None
) -> Mapping[str, str]:
    """Take a walk; return what is wrong with each scene and size, described once for each scene."""
    faults: dict[str, str] = {}
    scenes = 0
    app = arcade(house_for(walk, folder), settings=STILL, seed=SEED)

    async with run_app(app) as pilot:

        async def shoot(scene: str) -> None:
            nonlocal scenes
            before, scenes = app.size, scenes + 1
            for width, height in sizes or sizes_of(scenes, FEW_SCENES.get(walk, STEP)):
                await lay_out(pilot, width, height)
                for fault in (*faults_of(app), *blank_half(app.screen)):
                    faults.setdefault(f"{scene}: {fault}", f"{width}x{height}")
            await lay_out(pilot, *before)

        await {**WALKS, **SHORT_WALKS}[walk](pilot, shoot)
    return faults


def blank_half(screen: object) -> Iterator[str]:
    """Report a blank half of a table; other screens, and positions, show all that they have."""
    if not isinstance(screen, TableScreen) or isinstance(screen, PositionScreen):
        return
    if screen.size.width < LANDSCAPE or screen.definition.game.slug not in LARGE_TABLES:
        return
    text = lines(screen.app)[1 : 1 - FRAME]
    blank = largest_blank(text)
    if 2 * blank.area > screen.size.width * len(text):
        yield f"{blank} is blank"


@pytest.mark.parametrize(
    ("walk", "sizes"),
    [
        pytest.param("video-poker", QUICK, id="video-poker, two sizes"),
        *(pytest.param(walk, ONE_SIZE, id=walk) for walk in SHORT_WALKS),
        *(pytest.param(walk, None, marks=pytest.mark.prove, id=walk) for walk in WALKS),
    ],
)
async def test_layout_check_finds_no_fault_in_any_window_and_size(
    walk: str, sizes: Sequence[tuple[int, int]] | None, tmp_path: Path
) -> None:
    assert not await examine(walk, tmp_path, sizes)


def test_layout_check_covers_every_width_and_height() -> None:
    for scene, step in ((1, STEP), (3, STEP), (1, 4)):
        sizes = {size for later in range(scene, scene + step) for size in sizes_of(later, step)}
        assert {width for width, _ in sizes} == {*WIDTHS}
        assert {height for _, height in sizes} == {*HEIGHTS}


def test_layout_check_detects_cuts_within_a_figure() -> None:
    text = "a 1,234.50% b"
    assert [place for place in range(len(text) + 1) if is_in_figure(text, place)] == [*range(3, 11)]
    assert not is_in_figure("to 121, and", 7)


def test_layout_check_finds_the_largest_blank_rectangle() -> None:
    text = ["x    ", "x x  ", "x x  ", "    x"]
    assert largest_blank(text) == Region(3, 0, 2, 3)
    assert largest_blank(["xx"]) == Region()
