from collections.abc import Sequence
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.widget import Widget

from tui_casino.cards.card import Card, parse_hand
from tui_casino.tui.draw.card_art import CardSize, CardState, fan_size
from tui_casino.tui.draw.look import Look
from tui_casino.tui.theme import FELT, MIDNIGHT, NONE
from tui_casino.tui.widgets.cards import CardRow, CardView, card_spacing
from tui_casino.tui.widgets.line_widget import HasLook
from tui_casino.tui.widgets.painter import HasPainter, StripPieces, painter_for

ROYAL = parse_hand("TS JS QS KS AS")


class Table(HasLook, App[None]):
    """A table with these widgets on it, which notes down what is pressed."""

    CSS = "CardRow { height: 8; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, *widgets: Widget, look: Look | None = None) -> None:
        super().__init__()
        self.widgets = widgets
        self.look = look or Look(FELT, soft=True)
        self.pressed: list[CardView] = []

    def compose(self) -> ComposeResult:
        yield from self.widgets

    def on_card_view_pressed(self, event: CardView.Pressed) -> None:
        self.pressed.append(event.view)


def text(widget: Widget) -> list[str]:
    return [line.text for line in widget.render_lines(widget.size.region)]


@pytest.fixture
def repainted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Widget, tuple[Region, ...]]]:
    """What widgets ask to have repainted, in order."""
    calls: list[tuple[Widget, tuple[Region, ...]]] = []
    refresh = CardView.refresh

    def noted(self: CardView, *regions: Region, **how: bool) -> CardView:
        calls.append((self, regions))
        return refresh(self, *regions, **how)

    monkeypatch.setattr(CardView, "refresh", noted)
    return calls


async def test_click_on_a_card_or_its_label_reports_that_card() -> None:
    row = CardRow(5, labelled=True)
    app = Table(row)
    async with app.run_test() as pilot:
        row.show(ROYAL)
        await pilot.click(row.views[2])
        await pilot.click(row.views[4], offset=(4, 7))  # its label
        await pilot.click(row, offset=(1, 1))  # the table
        await pilot.pause()
        assert app.pressed == [row.views[2], row.views[4]]
        assert CardView.Pressed(row.views[0]).control is row.views[0]


async def test_only_the_card_that_differs_is_repainted(
    repainted: list[tuple[Widget, tuple[Region, ...]]],
) -> None:
    row = CardRow(5, labelled=True)
    async with Table(row).run_test() as pilot:
        row.show(ROYAL)
        await pilot.pause()
        repainted.clear()

        row.show(ROYAL)
        assert repainted == []

        row.show(ROYAL, [CardState.NORMAL, CardState.HELD], ["", " HELD "])
        assert [view for view, _ in repainted] == [row.views[1]]
        assert "HELD" in text(row.views[1])[-1]


class Easel(HasPainter, Table):
    """A table whose painter's pieces are noted down: where each begins, and what it says."""

    def __init__(self, *widgets: Widget) -> None:
        super().__init__(*widgets)
        self.painter = painter_for(self)
        self.painted: list[tuple[int, int, str]] = []

    def _display(self, screen: Any, renderable: Any) -> None:
        if isinstance(renderable, StripPieces):
            self.painted += [(x, y, strip.text) for x, y, strip in renderable.pieces]


@pytest.mark.painter
async def test_only_changed_parts_of_a_card_are_painted() -> None:
    view = CardView(Card.parse("4H"), labelled=True)
    view.styles.height = 8
    easel = Easel(view)
    async with easel.run_test() as pilot:
        await pilot.pause()
        x, y = view.region.offset
        for before in ("3H", "4H"):  # what stands there is known by then
            view.show(Card.parse(before))
            await pilot.pause(0.1)
        easel.painted.clear()
        view.show(Card.parse("5H"))
        await pilot.pause(0.1)
        assert easel.painted == [(x + 1, y + 1, "5"), (x + 4, y + 3, "♥"), (x + 7, y + 5, "5")]
        easel.painted.clear()
        view.show(Card.parse("5H"), label="[1]")
        await pilot.pause(0.1)
        assert easel.painted == [(x + 3, y + 7, "[1]")]


@pytest.mark.parametrize(
    ("width", "height", "labelled", "lines"),
    [
        (9, 7, False, 7),
        (9, 8, True, 8),
        (12, 7, False, 7),
        (9, 6, False, 5),
        (5, 4, False, 4),
        (4, 1, False, 1),
    ],
    ids=["9x7", "9x8 with a label", "12x7", "9x6", "5x4", "4x1"],
)
async def test_card_takes_the_largest_size_that_fits_its_widget(
    width: int, height: int, labelled: bool, lines: int
) -> None:
    view = CardView(Card.parse("TC"), label="[1]", labelled=labelled)
    view.styles.width, view.styles.height = width, height
    async with Table(view, look=Look(NONE)).run_test():
        drawn = text(view)
        assert len(drawn) == height
        assert [len(line) for line in drawn] == [width] * height
        assert sum(bool(line.strip()) for line in drawn) == lines
        assert "10♣" in "".join(drawn)


async def test_card_set_before_its_widget_is_mounted_is_drawn() -> None:
    view = CardView()
    view.show(Card.parse("AS"))
    async with Table(view).run_test():
        assert "A♠" in text(view)[1]


async def test_card_widget_is_drawn_in_a_new_look_on_refresh() -> None:
    view = CardView(Card.parse("AS"))
    app = Table(view)
    async with app.run_test() as pilot:
        assert text(view)[0] == "▄▄▄▄▄▄▄▄▄"
        app.look = Look(MIDNIGHT)
        view.refresh()
        await pilot.pause()
        assert text(view)[0] == "╭───────╮"


@pytest.mark.parametrize(
    ("count", "width", "height", "touching", "size", "gap"),
    [
        (5, 80, 7, True, CardSize.NORMAL, 1),
        (5, 80, 9, True, CardSize.LARGE, 1),
        (5, 48, 7, True, CardSize.NORMAL, 0),  # no room for gaps, and none needed between boxes
        (5, 48, 7, False, CardSize.SMALL, 1),
        (5, 39, 7, True, CardSize.SMALL, 1),
        (6, 80, 5, False, CardSize.SMALL, 1),
        (6, 30, 5, True, CardSize.TINY, 0),
        (8, 10, 1, False, CardSize.CHIP, 1),
    ],
    ids=[
        "7 rows",
        "9 rows",
        "no room for gaps",
        "gaps are needed",
        "39 columns",
        "six cards",
        "six cards, 30 columns",
        "one row",
    ],
)
def test_card_row_uses_the_largest_cards_that_fit(
    count: int, width: int, height: int, touching: bool, size: CardSize, gap: int
) -> None:
    assert card_spacing(count, width, height, touching=touching) == (size, gap)


async def test_card_row_is_centred() -> None:
    row = CardRow(5, labelled=True)
    async with Table(row).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert [view.region for view in row.views] == [
            Region(15 + 10 * place, 0, 9, 8) for place in range(5)
        ]


async def test_card_row_shows_empty_places_and_refuses_extra_cards() -> None:
    row = CardRow(3)
    async with Table(row).run_test():
        row.show(ROYAL[:2])
        assert [view.card for view in row.views] == [*ROYAL[:2], None]
        with pytest.raises(ValueError, match="4 cards for 3 places"):
            row.show(ROYAL[:4])


@pytest.mark.parametrize(
    ("cards", "width", "height", "size"),
    [
        (ROYAL, 80, 7, CardSize.NORMAL),
        (ROYAL, 22, 7, CardSize.NORMAL),  # 4 for the ten, 3 times 3, and the ace whole
        (ROYAL, 21, 7, CardSize.SMALL),
        (ROYAL, 22, 4, CardSize.TINY),
        (ROYAL, 22, 1, CardSize.CHIP),
        ((), 22, 9, CardSize.LARGE),
    ],
    ids=[
        "wide",
        "just wide enough for normal cards",
        "a column too narrow",
        "4 rows",
        "1 row",
        "no cards",
    ],
)
def test_card_fan_uses_the_largest_size_that_fits_all_cards(
    cards: Sequence[Card], width: int, height: int, size: CardSize
) -> None:
    assert fan_size(cards, width, height) is size
