"""Places where the painter leaves a widget to Textual, without losing any output."""

from __future__ import annotations

import asyncio
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import textual
from textual.app import App, ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from tests.helpers.arcade_pilot import arcade, practice, press, settle, shuffles
from tests.helpers.screen_walks import key_of
from tests.tui.emulated_terminal import check, run_on_emulator, textual_rows
from tui_casino.cards.card import BACK, parse_hand
from tui_casino.tui.draw.card_art import CardState
from tui_casino.tui.draw.look import Look
from tui_casino.tui.theme import FELT
from tui_casino.tui.widgets import painter
from tui_casino.tui.widgets.cards import CardRow, CardView
from tui_casino.tui.widgets.line_widget import HasLook
from tui_casino.tui.widgets.painter import SOON, HasPainter, PaintedWidget, Painter, painter_for
from tui_casino.tui.widgets.text_blocks import TextBlock


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[Widget]:
    """Give the widgets that the painter paints, in order."""
    widgets: list[Widget] = []
    pieces = Painter.pieces_of

    def noted(self: Painter, widget: PaintedWidget, region: Region) -> Any:
        widgets.append(widget)
        return pieces(self, widget, region)

    monkeypatch.setattr(Painter, "pieces_of", noted)
    return widgets


async def test_painter_is_not_used_with_an_unknown_version_of_textual(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(painter, "version_of_textual", lambda: "9.0.0")
    app = arcade(practice(tmp_path), fresh=shuffles(1))
    async with run_on_emulator(app) as pilot:
        assert app.painter is None
        await press(pilot, key_of("video-poker"))
        for key in ("space", "1", "3", "space", "plus", "f1", "escape"):
            await press(pilot, key)
            await check(pilot, f"after {key}")


def test_textual_version_is_read_from_its_folder_or_package_metadata(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert painter.version_of_textual() == version("textual")
    monkeypatch.setattr(textual, "__file__", str(tmp_path / "textual" / "__init__.py"))
    assert painter.version_of_textual() == version("textual")  # nothing lies beside it
    (tmp_path / "textual-9.1.0.dist-info").mkdir()
    assert painter.version_of_textual() == "9.1.0"


class Bare(HasLook, HasPainter, App[None]):
    """A row of cards, a text, and a window with more cards than there is room for."""

    CSS = """
    Screen { layers: below above; }
    CardRow { height: 8; }
    #over { layer: above; width: 12; height: 3; offset: 30 2; background: red; display: none; }
    #cut { height: 5; }
    """
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.painter = painter_for(self)
        self.look = Look(FELT, soft=True)

    def compose(self) -> ComposeResult:
        yield CardRow(5, labelled=True)
        yield TextBlock("What is said", id="said")
        with VerticalScroll(id="cut"):
            yield CardView(id="part")
        yield Static("over", id="over")


CARDS = (parse_hand("TS JS QS KS AS"), parse_hand("2H 3D 4C 5S 6H"), (BACK,) * 3)


async def deal(pilot: Pilot[None], when: str) -> None:
    """Change all that the painter paints, and look at the screen each time."""
    app = pilot.app
    below = app.screen_stack[0]
    for number, cards in enumerate(CARDS):
        below.query_one(CardRow).show(cards, [CardState.HELD], ["HELD"] * number)
        below.query_one("#said", TextBlock).update(f"Said {number} times", layout=False)
        below.query_one("#part", CardView).show(cards[0])
        await check(pilot, f"{when}, {number}")


@pytest.mark.painter
async def test_painter_paints_visible_widgets_directly(painted: list[Widget]) -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        await deal(pilot, "in the open")
        assert {*app.query_one(CardRow).views, app.query_one("#said")} == {*painted}


@pytest.mark.painter
async def test_painter_does_not_paint_covered_widgets(painted: list[Widget]) -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        app.query_one("#over").display = True
        await check(pilot, "as it is covered")
        await deal(pilot, "under it")
        over = app.query_one("#over").region
        covered = {view for view in app.query_one(CardRow).views if view.region.overlaps(over)}
        assert covered
        assert {*app.query_one(CardRow).views} - covered == {*painted} - {app.query_one("#said")}
        app.query_one("#over").display = False
        await check(pilot, "as it is open again")
        await deal(pilot, "in the open again")
        assert covered <= {*painted}


@pytest.mark.painter
async def test_painter_does_not_paint_widgets_that_are_cut_off(painted: list[Widget]) -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        box = app.query_one("#cut")
        for y in (0, 1, 2):
            box.scroll_to(y=y, animate=False, force=True)
            await deal(pilot, f"scrolled by {y}")
        assert app.query_one("#part") not in painted
        box.styles.height = 7
        await check(pilot, "when there is room")
        await deal(pilot, "in sight")
        assert app.query_one("#part") in painted


class Window(ModalScreen[None]):
    CSS = "Window { align: center middle; } #window { width: 30; height: 5; background: blue; }"

    def compose(self) -> ComposeResult:
        with Vertical(id="window"):
            yield TextBlock("In the window", id="here")


@pytest.mark.painter
async def test_painter_skips_screens_below_the_top(painted: list[Widget]) -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        app.push_screen(Window())
        await deal(pilot, "below")
        assert not painted
        app.screen.query_one("#here", TextBlock).update("Said there", layout=False)
        await check(pilot, "in the window")
        assert painted == [app.screen.query_one("#here")]
        app.pop_screen()
        app.screen.query_one(CardRow).show(CARDS[0])  # before it is painted again
        await deal(pilot, "on top")
        assert len(painted) > 1


async def test_painter_waits_for_the_end_of_a_batch_update(painted: list[Widget]) -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        before = textual_rows(app)
        with app.batch_update():
            for cards in CARDS[:2]:
                app.query_one(CardRow).show(cards)
                await asyncio.sleep(0.01)
        assert not painted
        await check(pilot, "behind the batch")
        assert textual_rows(app) != before


LATER = (
    partial(Widget.refresh, layout=True),
    lambda message: message.styles.__setattr__("margin", (2, 0)),
    lambda message: message.styles.__setattr__("display", "none"),
    lambda message: message.update("Two\nlines"),
    lambda message: message.remove(),
)


@pytest.mark.parametrize(
    "moves", LATER, ids=["layout requested", "margin set", "hidden", "text changed", "removed"]
)
async def test_changes_made_before_a_pending_layout_are_painted(moves: Any) -> None:
    """Before it is asked for, between, and behind it."""
    for turns in range(3):
        app = Bare()
        async with run_on_emulator(app) as pilot:
            row, part = app.query_one(CardRow), app.query_one("#part", CardView)
            row.show(CARDS[0])
            moves(app.query_one("#said"))
            row.show(CARDS[1], [CardState.HELD] * 5)
            for _ in range(turns):
                await asyncio.sleep(0)
            part.show(CARDS[2][0])
            row.show(CARDS[2])
            await check(pilot, f"{turns} turns later", anew=True)


@pytest.mark.painter
async def test_painter_waits_for_a_pending_layout(painted: list[Widget]) -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        app.screen.refresh(layout=True)
        await deal(pilot, "behind the layout")
        assert app.query_one(CardRow).views[4] in painted
        painted.clear()
        app.screen.refresh(layout=True)
        app.query_one(CardRow).show(CARDS[0])
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not painted


async def test_text_that_grows_is_laid_out_again() -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        app.query_one("#said", TextBlock).update("Two\nlines")
        await check(pilot, "with two lines", anew=True)
        assert app.query_one("#said").size.height == 2


ONE, OTHER, THIRD = (parse_hand(f"{card} JS QS KS AS") for card in ("TS", "2H", "2D"))


async def test_lines_read_by_the_mouse_do_not_count_as_painted() -> None:
    """The mouse asks for a line that has changed in a batch; then it changes again."""
    app = Bare()
    async with run_on_emulator(app) as pilot:
        row = app.query_one(CardRow)
        row.show(ONE)
        await check(pilot)
        with app.batch_update():
            row.show(OTHER)
            await asyncio.sleep(2 * SOON)  # the painter leaves it to Textual
            x, y = row.views[0].region.offset
            app.screen.get_style_at(x + 1, y + 1)
        row.show(THIRD)
        await asyncio.sleep(2 * SOON)  # before Textual's own painting
        await check(pilot, "behind the batch")


async def test_change_painted_by_textual_can_be_reverted_by_the_painter() -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        row = app.query_one(CardRow)
        row.show(ONE)
        await check(pilot)
        row.show(OTHER)
        app.screen.refresh()
        app.screen._on_timer_update()  # in the moment before the painter comes
        row.show(ONE)
        await check(pilot, "as it was before")


async def test_removed_widget_leaves_no_text_on_the_screen() -> None:
    app = Bare()
    async with run_on_emulator(app) as pilot:
        row = app.query_one(CardRow)
        row.show(CARDS[0])
        row.remove()
        row.views[0].show(CARDS[1][0])
        await check(pilot, "as it has gone", anew=True)


class Broken(CardView):
    def _shown(self) -> object:
        if self.card is not None:
            raise LookupError("no such card")
        return super()._shown()


class BrokenTable(Bare):
    def compose(self) -> ComposeResult:
        yield Broken()


async def break_it(painted: list[Widget]) -> None:
    app = BrokenTable()
    async with app.run_test() as pilot:
        await settle(pilot)
        view = app.query_one(Broken)
        view.card = CARDS[0][0]
        view.refresh()
        await asyncio.sleep(0.1)
        assert painted == [view]
        assert not app.is_running


async def test_error_while_painting_ends_the_app(painted: list[Widget]) -> None:
    with pytest.raises(LookupError, match="no such card"):
        await break_it(painted)
