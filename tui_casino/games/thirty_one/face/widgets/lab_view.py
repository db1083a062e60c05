"""The rules lab: options to switch, and the house edge with them."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct
from textual.geometry import Region

from .....gamekit.number_formats import percent
from .....structs import replace
from .....tui.draw.canvas import (
    Canvas,
    ClickTarget,
    TableRow,
    TonedLine,
    line_width,
    write_line,
    write_rows,
)
from .....tui.draw.look import line_styles_of, style_of
from .....tui.draw.plots import draw_bar
from .....tui.draw.text import with_minus_signs
from .....tui.terminal.detection import GlyphSet
from ...brains.rules_lab import OPTIONS
from ...brains.two_deck_edges import EdgeEstimate
from ...machine.rules import Rules

SCALE = Fraction(1, 10)
"""The house edge at the right end of the bar."""
BOXES = {
    GlyphSet.UNICODE: ("□", "■"),
    GlyphSet.CP437: ("[ ]", "[x]"),
    GlyphSet.ASCII: ("[ ]", "[x]"),
}


class LabState(Struct, frozen=True):
    """A set of rules to try: its house edge, and the effect of each option, once known.

    ``usual_edge`` is the house edge under the usual rules, ``two_deck_edge`` the house edge with
    two fresh decks, and ``cursor`` the index of the selected option, if any.
    """

    rules: Rules
    usual_edge: Fraction | None = None
    edge: Fraction | None = None
    effects: tuple[Fraction, ...] = ()
    two_deck_edge: EdgeEstimate | None = None
    cursor: int | None = None

    def with_cursor(self, number: int) -> LabState:
        """Return the lab with the cursor on an option."""
        return replace(self, cursor=number)


def edge_line(lab: LabState) -> TonedLine:
    """Return the house edge with the usual rules, and with the current rules."""
    return (
        ("house edge ", "muted"),
        (_percent(lab.usual_edge), "strong"),
        (" now ", "muted"),
        (_percent(lab.edge), "bad" if lab.edge != lab.usual_edge else "strong"),
    )


def paint_lab(canvas: Canvas, place: Region, lab: LabState) -> list[ClickTarget]:
    """Paint the lab with as many options as fit; return the click target of each."""
    edge = edge_line(lab)
    start = write_line(canvas, place.x, place.y, (("RULES LAB ", "gold"),))
    if start + line_width(edge) > place.right:
        edge = (("edge ", "muted"), *edge[1:])
    write_line(canvas, place.right - line_width(edge), place.y, edge)
    options = OPTIONS[: place.height - 3]
    boxes = BOXES[canvas.look.tier]
    rows = []
    for number, option in enumerate(options):
        is_on = option.holds(lab.rules)
        effect = lab.effects[number] if lab.effects else None
        tone = "strong" if is_on else "muted"
        line: TonedLine = ((f"{boxes[is_on]} ", "gold" if is_on else "muted"), (option.words, tone))
        rows.append(TableRow(line, ((_added(effect), _tone(effect, is_on)),), str(number)))
    if lab.cursor is not None:
        lit = style_of("ansi_default", canvas.look.palette.lit)
        canvas.write(place.x, place.y + 1 + lab.cursor, " " * place.width, lit)
        write_line(canvas, place.x - 2, place.y + 1 + lab.cursor, ((">", "gold"),))
    spots = write_rows(canvas, place.x, place.y + 1, place.width, tuple(rows))
    _bar(canvas, Region(place.x, place.y + 1 + len(options), place.width, 2), lab)
    return spots


def _bar(canvas: Canvas, place: Region, lab: LabState) -> None:
    edge = lab.edge
    if lab.two_deck_edge is not None:
        line: TonedLine = (("two decks ", "muted"), (percent(lab.two_deck_edge.value), "strong"))
        write_line(canvas, place.x + (place.width - line_width(line)) // 2, place.y, line)
    write_line(canvas, place.x, place.y, ((percent(0, 0), "faint"),))
    scale_label = percent(SCALE, 0)
    write_line(canvas, place.right - len(scale_label), place.y, ((scale_label, "faint"),))
    share = max(Fraction(0), min((edge or 0) / SCALE, Fraction(1)))
    ink = line_styles_of(canvas.look.palette).bad
    draw_bar(canvas, place.x, place.y + 1, round(place.width * share), place.width, ink)


def _percent(edge: Fraction | None) -> str:
    return "…" if edge is None else percent(edge)


def _added(effect: Fraction | None) -> str:
    if effect is None:
        return "…"
    text = f"{float(100 * effect):+.2f}"
    return "0.00" if text[1:] == "0.00" else with_minus_signs(text)


def _tone(effect: Fraction | None, is_on: bool) -> str:
    if not is_on or effect is None:
        return "muted"
    return "bad" if effect > 0 else "good" if effect < 0 else "muted"
