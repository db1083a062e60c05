"""The parts of video poker's screen, as they are drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.helpers.arcade_pilot import arcade, lines, practice, press, run_app, table
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tui_casino.games.video_poker.face.tally import row_in_words
from tui_casino.games.video_poker.face.widgets.pay_table import PayTableView
from tui_casino.tui.draw.look import style_of
from tui_casino.tui.draw.plots import bar
from tui_casino.tui.draw.segments import LineBuilder
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT

INK = style_of(FELT.text)


@pytest.mark.parametrize(
    ("share", "tier", "drawn"),
    [
        (0.0, GlyphSet.UNICODE, "    "),
        (0.001, GlyphSet.UNICODE, "▏   "),
        (0.5, GlyphSet.UNICODE, "██  "),
        (0.6, GlyphSet.UNICODE, "██▍ "),
        (1.0, GlyphSet.UNICODE, "████"),
        (1.5, GlyphSet.UNICODE, "████"),
        (0.6, GlyphSet.CP437, "██▌ "),
        (0.6, GlyphSet.ASCII, "##  "),
        (0.001, GlyphSet.ASCII, "#   "),
    ],
)
def test_share_bar_is_drawn_with_the_glyphs_of_the_terminal(
    share: float, tier: GlyphSet, drawn: str
) -> None:
    assert bar(share, 4, tier) == drawn


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("FOUR 5-K", "four 5-K"),
        ("FOUR 2-4/A-4", "four 2-4/A-4"),
        ("JACKS OR BETTER", "jacks or better"),
        ("nothing", "nothing"),
    ],
)
def test_pay_row_names_are_lower_case_except_ranks(row: str, words: str) -> None:
    assert row_in_words(row) == words


def test_parts_of_a_built_row_start_at_their_columns() -> None:
    row = LineBuilder(GlyphSet.ASCII).put(1, "J♠", INK).put_before(9, "−5", INK)
    strip = row.strip(12)
    assert (strip.text, strip.cell_length) == (" Js    -5   ", 12)
    row.put(10, "too long", INK)
    assert cell_len(row.strip(12).text) == 12


@pytest.mark.parametrize("width", first_of([80, 132, 90, 160, 200], 2), ids=labelled("{} columns"))
async def test_headings_of_the_pay_table_are_above_their_columns(
    tmp_path: Path, width: int
) -> None:
    """In the title, or in the upper line of the box, where the bet's follows the bet."""
    app = arcade(practice(tmp_path), game="video-poker", seed=1)
    async with run_app(app, width, 43) as pilot:
        for coins in (5, 4):
            await press(pilot, str(coins))
            top = table(pilot.app).view.query_one(PayTableView).region.y
            boxed = table(pilot.app).view.query_one(PayTableView).boxed
            head, royal = lines(pilot.app)[top if boxed else top - 1], lines(pilot.app)[top + boxed]
            assert (f"bet {coins}" in head) == boxed, "the title has no room above low bets"
            if boxed:
                end = head.index(f"bet {coins}") + len("bet 5")
                pays = {5: "4000", 4: "1000"}[coins]
                assert royal[:end].replace(",", "").endswith(pays)
            assert head.index("hits") + len("hits") == royal.index("—") + 1
