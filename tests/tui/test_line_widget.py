"""Lines that are drawn: finished as Textual would finish them, and what differs between two."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.filter import Monochrome
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tests.helpers.arcade_pilot import STILL, arcade, practice, press, run_app, shuffles
from tests.helpers.screen_walks import LOOKS, UNICODE, key_of
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.settings import Settings
from tui_casino.tui.draw.card_art import text_to_strip
from tui_casino.tui.draw.segments import BARE
from tui_casino.tui.theme import PALETTES
from tui_casino.tui.widgets.line_widget import BlankWidget, LineWidget
from tui_casino.tui.widgets.painter import LEAST_GAP, changed_spans

WIDTH = 12
LETTERS = "ab♠─ 王牌"
styles = st.sampled_from(
    [BARE, Style(bold=True), Style(bold=False), Style(color="red"), Style(color="#102030")]
)


def cells(strip: Iterable[Segment]) -> list[tuple[str, Style]]:
    """Give the cells of a line; the second of a wide character is empty."""
    return [
        cell
        for text, style, _ in strip
        for letter in text
        for cell in [(letter, style or BARE), ("", style or BARE)][: cell_len(letter)]
    ]


# ---- finished lines -----------------------------------------------------------------------------


class Plain(LineWidget):
    """Its lines as Textual finishes them: borders, padding and filters are looked for each time."""

    def render_line(self, y: int) -> Strip:
        """Give a line as it was drawn, on the widget's own ground."""
        lines, ground = self._drawn(self.size), self.visual_style.rich_style
        return (lines[y] if y < len(lines) else Strip.blank(self.size.width)).apply_style(ground)


QUICK = (("baccarat", UNICODE),)
CASES = tuple(
    pytest.param(
        listing,
        look,
        id=f"{listing.slug}-{look}",
        marks=() if (listing.slug, look) in QUICK else pytest.mark.prove,
    )
    for listing in GAMES
    for look in LOOKS
)


@pytest.mark.parametrize(("listing", "look"), CASES)
async def test_lines_of_the_line_widget_equal_those_of_textual(
    tmp_path: Path, listing: GameListing, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all themes, with filters and without."""
    monkeypatch.setattr(LineWidget, "render_line", Plain.render_line)
    app = arcade(practice(tmp_path), LOOKS[look], STILL, fresh=shuffles(1))
    async with run_app(app, 132, 43) as pilot:
        await press(pilot, key_of(listing.slug), "space", "2", "space")
        for theme in PALETTES:
            app.apply_settings(Settings(theme=theme, animation=False))
            await press(pilot, "2")
            drawn = [widget for widget in app.screen.query(LineWidget) if widget.size]
            assert drawn
            for widget in drawn:
                compare(widget)
                app._filters.append(Monochrome())
                compare(widget)
                app._filters.pop()


def compare(widget: LineWidget) -> None:
    """Check that a widget's lines are as Textual would finish them, whole and in part."""
    whole = widget.size.region
    parts = (whole, whole.shrink((0, 1, 0, 2)), Region(1, 1, 3, 1))
    for crop in filter(whole.contains_region, parts):
        widget._styles_cache.clear()
        own, its = widget.render_lines(crop), Widget.render_lines(widget, crop)
        assert [*map(cells, own)] == [*map(cells, its)], widget


# ---- a text in strips ---------------------------------------------------------------------------

spans = st.tuples(styles, st.integers(0, WIDTH), st.integers(0, WIDTH + 3))


@example("abab", BARE, [(Style(bold=True), 2, 4), (Style(bold=False), 0, 4)])
@given(st.text(LETTERS, max_size=WIDTH), styles, st.lists(spans, max_size=5))
def test_line_widget_strip_equals_the_rendering_of_rich(
    plain: str, style: Style, spans: list[tuple[Style, int, int]]
) -> None:
    text = Text(plain, style)
    for over, start, end in spans:
        text.stylize(over, start, end)
    rendered = text.render(Console())
    assert cells(text_to_strip(text)) == cells(rendered)


# ---- what differs -------------------------------------------------------------------------------


def fitted(pieces: list[tuple[str, Style]]) -> Strip:
    return Strip([Segment(*piece) for piece in pieces if piece[0]]).adjust_cell_length(WIDTH, BARE)


lines = st.lists(st.tuples(st.text(LETTERS, max_size=5), styles), max_size=4).map(fitted)
changed = lines.flatmap(
    lambda old: st.tuples(
        st.just(old),
        st.tuples(st.integers(0, WIDTH), lines, st.integers(0, WIDTH)).map(
            lambda put: Strip.join(
                [old.crop(0, put[0]), put[1].crop(0, put[2]), old.crop(put[0] + put[2])]
            ).adjust_cell_length(WIDTH, BARE)
        ),
    )
)


@given(st.one_of(st.tuples(lines, lines), changed))
def test_painting_the_changed_spans_of_a_line_gives_the_new_line(two: tuple[Strip, Strip]) -> None:
    old, new = two
    spans = changed_spans(old, new, WIDTH)
    painted, after = [*cells(old)], cells(new)
    for start, end in spans:
        assert cells(new.crop(start, end)) == after[start:end], "a wide character was cut"
        painted[start:end] = after[start:end]
    assert painted == [*after]
    assert bool(spans) <= (old != new)


@given(lines, st.integers(0, WIDTH - 1))
def test_line_widget_paints_only_the_changed_cell(line: Strip, place: int) -> None:
    """Where the style of a blank line changes in one column, that column is the piece."""
    blank = Strip.blank(WIDTH, BARE)
    dot = Strip([Segment("x", Style(bold=True))])
    new = Strip.join([blank.crop(0, place), dot, blank.crop(place + 1)])
    assert changed_spans(blank, new, WIDTH) == [(place, place + 1)]


@given(st.one_of(st.none(), lines), st.integers(1, WIDTH - 1))
def test_line_widget_paints_a_line_of_different_length_completely(
    line: Strip | None, width: int
) -> None:
    assert changed_spans(line, Strip.blank(width), width) == [(0, width)]


@given(st.sets(st.integers(0, WIDTH - 1), min_size=1))
def test_line_widget_paints_over_short_gaps_between_changes(places: set[int]) -> None:
    letters = "".join("x" if place in places else " " for place in range(WIDTH))
    spans = changed_spans(Strip.blank(WIDTH, BARE), Strip([Segment(letters, BARE)]), WIDTH)
    assert {x for start, end in spans for x in range(start, end)} >= places
    assert all(start in places and end - 1 in places for start, end in spans)
    assert all(later - end >= LEAST_GAP for (_, end), (later, _) in pairwise(spans))


# ---- widgets that only arrange others -----------------------------------------------------------


@pytest.mark.parametrize("slug", [game.slug for game in GAMES])
async def test_only_one_of_the_lines_of_a_blank_widget_is_rendered(
    slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[int] = []
    render = Widget.render_line

    def counted(widget: Widget, y: int) -> Strip:
        rendered.append(y)
        return render(widget, y)

    async with run_app(arcade(practice(tmp_path)), 132, 43) as pilot:
        await press(pilot, key_of(slug))
        nodes = pilot.app.screen.walk_children(BlankWidget, with_self=True)
        blank = [widget for widget in nodes if widget.size and not widget.gutter]
        assert len(blank) > 3
        monkeypatch.setattr(Widget, "render_line", counted)
        for widget in blank:
            for crop in (widget.size.region, Region(1, 1, 3, 2), Region(0, 0, 2, 0)):
                widget._styles_cache.clear()
                its = Widget.render_lines(widget, crop)
                widget._styles_cache.clear()
                rendered.clear()
                assert widget.render_lines(crop) == its
                assert len(rendered) == min(1, crop.height)
