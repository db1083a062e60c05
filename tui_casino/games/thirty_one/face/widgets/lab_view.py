"""The rules lab: options to switch, and the edge of the house as it moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from textual.geometry import Region

from .....gamekit.formats import percent
from .....tui.draw.bars import draw_bar
from .....tui.draw.canvas import Canvas
from .....tui.draw.formats import minus
from .....tui.draw.styles import inks_of, style_of
from .....tui.draw.tables import Line, Row, Spot, length, write, write_rows
from .....tui.terminal.detection import Tier
from ...brains.lab import OPTIONS
from ...brains.two_decks import Edge
from ...machine.rules import Rules

SCALE = Fraction(1, 10)
"""The edge at the right end of the bar."""
BOXES = {Tier.UNICODE: ("□", "■"), Tier.CP437: ("[ ]", "[x]"), Tier.ASCII: ("[ ]", "[x]")}


@dataclass(frozen=True, slots=True)
class Lab:
    """A house to try: its rules, and its edge and what each option adds, once they are known.

    ``usual`` is the edge of the game's own rules, ``fresh`` that from two fresh decks, ``at`` the
    option a cursor is on, if one is.
    """

    rules: Rules
    usual: Fraction | None = None
    edge: Fraction | None = None
    effects: tuple[Fraction, ...] = ()
    fresh: Edge | None = None
    at: int | None = None

    def looked_at(self, number: int) -> Lab:
        """Give the lab with the cursor on an option."""
        return replace(self, at=number)


def edge_line(lab: Lab) -> Line:
    """Say what the house keeps by the game's own rules, and now."""
    return (
        ("house edge ", "muted"),
        (_percent(lab.usual), "strong"),
        (" now ", "muted"),
        (_percent(lab.edge), "bad" if lab.edge != lab.usual else "strong"),
    )


def paint_lab(canvas: Canvas, place: Region, lab: Lab) -> list[Spot]:
    """Paint it, as many of the options as there is room for; gives where each is clicked on."""
    edge = edge_line(lab)
    write(canvas, place.x, place.y, (("RULES LAB", "gold"),))
    write(canvas, place.right - length(edge), place.y, edge)
    shown = OPTIONS[: place.height - 3]
    boxes = BOXES[canvas.look.tier]
    rows = []
    for number, option in enumerate(shown):
        on = option.holds(lab.rules)
        effect = lab.effects[number] if lab.effects else None
        tone = "strong" if on else "muted"
        line: Line = ((f"{boxes[on]} ", "gold" if on else "muted"), (option.words, tone))
        rows.append(Row(line, ((_added(effect), _tone(effect, on)),), str(number)))
    if lab.at is not None:
        lit = style_of("ansi_default", canvas.look.palette.lit)
        canvas.write(place.x, place.y + 1 + lab.at, " " * place.width, lit)
        write(canvas, place.x - 2, place.y + 1 + lab.at, ((">", "gold"),))
    spots = write_rows(canvas, place.x, place.y + 1, place.width, tuple(rows))
    _bar(canvas, Region(place.x, place.y + 1 + len(shown), place.width, 2), lab)
    return spots


def _bar(canvas: Canvas, place: Region, lab: Lab) -> None:
    edge = lab.edge
    if lab.fresh is not None:
        line: Line = (("two decks ", "muted"), (percent(lab.fresh.value), "strong"))
        write(canvas, place.x + (place.width - length(line)) // 2, place.y, line)
    write(canvas, place.x, place.y, (("0 %", "faint"),))
    most = percent(SCALE, 0)
    write(canvas, place.right - len(most), place.y, ((most, "faint"),))
    share = max(Fraction(0), min((edge or 0) / SCALE, Fraction(1)))
    ink = inks_of(canvas.look.palette).bad
    draw_bar(canvas, place.x, place.y + 1, round(place.width * share), place.width, ink)


def _percent(edge: Fraction | None) -> str:
    return "…" if edge is None else percent(edge)


def _added(effect: Fraction | None) -> str:
    if effect is None:
        return "…"
    text = f"{float(100 * effect):+.2f}"
    return "0.00" if text[1:] == "0.00" else minus(text)


def _tone(effect: Fraction | None, on: bool) -> str:
    if not on or effect is None:
        return "muted"
    return "bad" if effect > 0 else "good" if effect < 0 else "muted"
