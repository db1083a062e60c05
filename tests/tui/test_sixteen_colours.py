"""The look of 16 colours can be read, whatever a terminal takes these for."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from tests.helpers.screen_walks import LOOKS
from tests.tui.sixteen_colours import ALL, SIXTEENS, Sixteen
from tests.tui.test_snapshots import KEPT
from tests.tui.test_themes import contrast
from tui_casino.tui.terminal.detection import ColourDepth
from tui_casino.tui.theme import NONE, SIXTEEN

THIN: Mapping[tuple[str, str], float] = {
    ("macOS Terminal, Basic", "bright_red"): 4.3,
    ("macOS Terminal, Pro", "bright_red"): 4.3,
    ("Windows Terminal, One Half Light", "bright_red"): 3.5,
}
"""Where red is too dark, or black too light. These come with 256 colours: one chooses sixteen."""

every = pytest.mark.parametrize("known", SIXTEENS, ids=lambda known: known.name)


def enough(known: Sixteen, ink: str) -> float:
    return THIN.get((known.name, ink), 4.5)


@every
def test_sixteen_colour_palettes_are_readable_on_black(known: Sixteen) -> None:
    """Whatever ground it has of its own: this look brings a black one, where black is darkest."""
    palette, real = SIXTEEN, known.colours()
    grounds = {palette.bg, palette.surface, palette.panel, palette.face, palette.lit, palette.back}
    assert grounds == {"ansi_default"}
    real["default"] = real["bright_white"]  # of inks, as BLACK_GROUND has it
    for colour in (
        *(palette.text, palette.muted, palette.gold, palette.good, palette.bad),
        *(palette.red, palette.blue, palette.faint, palette.held, palette.win),
        *(palette.spades, palette.hearts, palette.diamonds, palette.clubs),
    ):
        ink = colour.removeprefix("ansi_")
        assert contrast(real[ink], real["black"]) >= enough(known, ink), ink
    gold, ink = (one.removeprefix("ansi_") for one in (palette.gold, palette.ink))
    assert contrast(real["black"], real[gold]) >= 4.5, "the row chosen"
    assert contrast(real[ink], real["black"]) >= 3, "backs, which nobody reads"


@every
def test_theme_without_colours_uses_those_of_the_terminal(known: Sixteen) -> None:
    assert {NONE.text, NONE.muted, NONE.gold, NONE.bg, NONE.face} == {"ansi_default"}
    assert contrast(f"#{known.ink}", f"#{known.ground}") >= 4.5


def test_documented_low_contrasts_of_terminal_colours_are_correct() -> None:
    palettes = {known.name: known.colours() for known in SIXTEENS}
    for (name, ink), minimum in THIN.items():
        assert minimum <= contrast(palettes[name][ink], palettes[name]["black"]) < 4.5


def pair_of(style: str) -> tuple[str, str]:
    """Give ink and ground of a style in words, as a terminal has them."""
    ink, _, rest = re.sub(r"color\((\d+)\)", lambda n: ALL[int(n[1])], style).partition(" on ")
    ground, *attributes = rest.split()
    return (ground, ink) if "reverse" in attributes else (ink, ground)


def pairs() -> set[tuple[str, str]]:
    """Give ink and ground of all letters, figures and suits in the kept pictures of this look."""
    pairs = set()
    for kept in KEPT:
        if LOOKS[kept.look].colours is ColourDepth.FEW:
            for line, marks in zip(kept.text, kept.styles, strict=True):
                for character, mark in zip(line, marks, strict=False):
                    if character.isalnum() or character in "♠♥♦♣":
                        pairs.add(pair_of(kept.legend[mark]))
    return pairs


PAIRS = pairs()


@every
def test_colours_on_all_screens_are_readable(known: Sixteen) -> None:
    """In the pictures that are kept of menu, records and games, with windows and without."""
    assert {("bright_white", "black"), ("black", "bright_yellow")} < PAIRS
    assert {ink for ink, ground in PAIRS if ground == "black"} > {"bright_red", "bright_green"}
    real = known.colours()
    for ink, ground in PAIRS:
        minimum = min(enough(known, ink), enough(known, ground))
        assert contrast(real[ink], real[ground]) >= minimum, (ink, ground)
