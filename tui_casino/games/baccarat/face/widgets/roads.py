"""The roads: the look of the marks, their layout, the widget, and the page that shows all five."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

from .....tui.draw.canvas import Canvas
from .....tui.draw.look import Look, style_of
from .....tui.terminal.detection import GlyphSet
from .....tui.theme import Palette, sheets_of
from .....tui.widgets.line_widget import LineWidget, look_of
from .....tui.window import Window
from ...machine.rules import Coup, CoupOutcome
from .. import roads

HEAD = 1
STRIP = roads.ROWS // 2
BEADS = 13
DENSE_BEADS = 10
ROAD_HEIGHT = HEAD + roads.ROWS
WITH_STRIP = ROAD_HEIGHT + STRIP
FULL = 2 * ROAD_HEIGHT + 1
DERIVED: tuple[tuple[str, Callable[[Sequence[Coup]], roads.Road[roads.RoadColour]]], ...] = (
    ("EYE", roads.big_eye_boy),
    ("SMALL", roads.small_road),
    ("ROACH", roads.cockroach_pig),
)
"""The derived roads with names that are short enough for every window."""

PAIRS = "' player pair  . banker pair  : both  underlined: natural"
LETTERS = {CoupOutcome.PLAYER: "P", CoupOutcome.BANKER: "B", CoupOutcome.TIE: "T"}


class RoadArt:
    """Draws marks and roads with the colours and glyphs of a look."""

    def __init__(self, look: Look) -> None:
        palette = look.palette
        self.tier = look.tier
        self.coloured = palette.red != palette.blue
        self.blocks = self.coloured and look.tier is not GlyphSet.ASCII
        self.gold = style_of(palette.gold) + Style(bold=True)
        self.muted = style_of(palette.muted)
        self.text = style_of(palette.text)
        self.side = {
            CoupOutcome.PLAYER: palette.blue,
            CoupOutcome.BANKER: palette.red,
            CoupOutcome.TIE: palette.good,
        }
        self.colour = {roads.RoadColour.RED: palette.red, roads.RoadColour.BLUE: palette.blue}
        self._bead = {
            CoupOutcome.PLAYER: self._letter(palette.diamonds, palette),
            CoupOutcome.BANKER: self._letter(palette.hearts, palette),
            CoupOutcome.TIE: self._letter(palette.clubs, palette),
        }

    def _letter(self, ground: str, palette: Palette) -> Style:
        if not self.coloured:
            return style_of(palette.text)
        if ground.startswith("ansi"):
            return style_of(ground) + Style(reverse=True)
        return style_of(palette.face, ground)  # the colours of suits on cards, so readable

    @property
    def full(self) -> str:
        """The mark for Banker and for red."""
        return "x" if self.tier is GlyphSet.ASCII else "■" if self.tier is GlyphSet.CP437 else "●"

    @property
    def hollow(self) -> str:
        return "o" if self.tier is not GlyphSet.UNICODE else "○"

    @property
    def legend(self) -> str:
        """The meaning of the marks, in lines of at most 78 columns."""
        return "\n".join(
            (
                f"Big road: {self.full} banker, {self.hollow} player; a digit counts ties.",
                PAIRS,
                "EYE: the big eye boy, SMALL: the small road, ROACH: the cockroach pig.",
                f"Derived roads: {self.full} red: the shoe repeats a pattern; {self.hollow} blue: "
                "it does not.",
                f"P{self.full} B{self.hollow} before a road: its next mark if Player or Banker "
                "wins.",
            )
        )

    # ---- single marks ---------------------------------------------------------------------

    def bead(self, coup: Coup) -> tuple[str, Style]:
        """Return a bead: the outcome's letter and the dots for pairs, with their style."""
        return LETTERS[coup.outcome] + self.dots(coup), self._bead[coup.outcome]

    def dots(self, coup: Coup) -> str:
        """Return the dots for a coup's pairs: upper for the player's, lower for the banker's."""
        return {
            (False, False): " ",
            (True, False): "'",
            (False, True): ".",
            (True, True): ":",
        }[coup.player_pair, coup.banker_pair]

    def entry(self, entry: roads.RoadEntry) -> tuple[str, Style]:
        """Return a big road cell: the winner's mark, and the number of ties or dots for pairs."""
        coup = entry.coup
        ties = "" if not entry.ties else str(entry.ties) if entry.ties < 10 else "+"
        if coup is None:
            return f"-{ties}", style_of(self.side[CoupOutcome.TIE])
        sign = self.full if coup.outcome is CoupOutcome.BANKER else self.hollow
        return sign + (ties or self.dots(coup)).strip(), style_of(self.side[coup.outcome])

    def derived_mark(self, colour: roads.RoadColour | None) -> tuple[str, Style]:
        """Return a mark of a derived road with its style; a dash for no mark."""
        if colour is None:
            return "-", self.muted
        sign = self.full if colour is roads.RoadColour.RED else self.hollow
        return sign, style_of(self.colour[colour])

    # ---- roads on a canvas ----------------------------------------------------------------

    def draw_title(self, canvas: Canvas, x: int, y: int, title: str) -> None:
        canvas.write(x, y, title, self.gold)

    def draw_bead_plate(
        self, canvas: Canvas, x: int, y: int, columns: int, coups: Sequence[Coup]
    ) -> None:
        """Draw the bead plate, with two characters per cell."""
        self._ground(canvas, x, y, columns, 2)
        for cell in roads.last_columns(roads.bead_plate(coups), columns):
            self.write_cell(
                canvas, x + 2 * cell.column, y + cell.row, cell.mark, *self.bead(cell.mark)
            )

    def draw_big_road(
        self, canvas: Canvas, x: int, y: int, columns: int, coups: Sequence[Coup]
    ) -> None:
        """Draw the big road, with two characters per cell."""
        self._ground(canvas, x, y, columns, 2)
        for cell in roads.last_columns(roads.big_road(coups), columns):
            place = x + 2 * cell.column, y + cell.row
            self.write_cell(canvas, *place, cell.mark.coup, *self.entry(cell.mark))

    def write_cell(
        self, canvas: Canvas, x: int, y: int, coup: Coup | None, signs: str, style: Style
    ) -> None:
        """Write the two characters of a cell; the first is underlined for a natural."""
        natural = coup is not None and coup.natural
        canvas.write(x, y, signs[0], style + Style(underline=True) if natural else style)
        canvas.write(x + 1, y, signs[1:], style)

    def draw_derived(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        columns: int,
        road: roads.Road[roads.RoadColour],
        step: int = 1,
    ) -> None:
        """Draw a derived road in six rows, with ``step`` characters per cell."""
        self._ground(canvas, x, y, columns, step)
        for cell in roads.last_columns(road, columns):
            canvas.write(x + step * cell.column, y + cell.row, *self.derived_mark(cell.mark))

    def draw_half_height(
        self, canvas: Canvas, x: int, y: int, columns: int, road: roads.Road[roads.RoadColour]
    ) -> None:
        """Draw a derived road in three rows: each character is an upper and a lower cell."""
        mark_at = {(cell.column, cell.row): cell.mark for cell in roads.last_columns(road, columns)}
        for column, row in {(column, row // 2) for column, row in mark_at}:
            above, below = (mark_at.get((column, 2 * row + half)) for half in (0, 1))
            if above and below:
                style = style_of(self.colour[above], self.colour[below])
                canvas.write(x + column, y + row, "▀", style)
            else:
                sign, colour = ("▀", above) if above else ("▄", below)
                assert colour is not None
                canvas.write(x + column, y + row, sign, style_of(self.colour[colour]))

    def _ground(self, canvas: Canvas, x: int, y: int, columns: int, step: int) -> None:
        if self.tier is GlyphSet.ASCII or step == 1:  # dots would be too dense to read
            return
        for row in range(roads.ROWS):
            canvas.write(x, y + row, ("·" + " " * (step - 1)) * columns, self.muted)


def draw_roads(
    coups: Sequence[Coup], width: int, height: int, look: Look, more_text: str = ""
) -> list[Strip]:
    """Draw as many roads as fit, each with its newest columns, as ``height`` lines.

    With fewer than 7 rows, only the newest beads are drawn; from 7 rows the bead plate and the big
    road; from 10 rows all five roads; from 15 rows all at full height. If the derived roads do not
    fit, ``more_text`` is written in the corner.
    """
    art, canvas = RoadArt(look), Canvas(width, height, look)
    if height < ROAD_HEIGHT:
        _draw_latest(art, canvas, coups)
        return canvas.strips()
    if height >= FULL:
        _upper(art, canvas, coups)
        _lower(art, canvas, coups)
    elif height < WITH_STRIP:
        _upper(art, canvas, coups)
        canvas.write(width - len(more_text), 0, more_text, art.muted)
    elif art.blocks:
        _upper(art, canvas, coups)
        _strip(art, canvas, coups)
    else:
        _side_by_side(art, canvas, coups)
    return canvas.strips()


def _draw_latest(art: RoadArt, canvas: Canvas, coups: Sequence[Coup]) -> None:
    """Draw the newest beads in one line, if there is no room for a road."""
    art.draw_title(canvas, 0, 0, "LAST")
    for place, coup in enumerate(coups[-((canvas.width - 5) // 2) :]):
        art.write_cell(canvas, 5 + 2 * place, 0, coup, *art.bead(coup))


def _upper(art: RoadArt, canvas: Canvas, coups: Sequence[Coup]) -> None:
    beads = BEADS if canvas.width >= 76 else (canvas.width - 2) // 6
    right = 2 * beads + 2
    art.draw_title(canvas, 0, 0, _bead_title(beads))
    art.draw_title(canvas, right, 0, "BIG ROAD")
    art.draw_bead_plate(canvas, 0, HEAD, beads, coups)
    art.draw_big_road(canvas, right, HEAD, (canvas.width - right) // 2, coups)


def _bead_title(columns: int) -> str:
    return "BEAD PLATE" if columns >= 5 else "BEAD"


def _forecasts(
    coups: Sequence[Coup],
) -> tuple[list[roads.RoadColour | None], list[roads.RoadColour | None]]:
    def marks(cast: roads.RoadForecast) -> list[roads.RoadColour | None]:
        return [cast.big_eye_boy, cast.small_road, cast.cockroach_pig]

    return marks(roads.road_forecast(coups, CoupOutcome.PLAYER)), marks(
        roads.road_forecast(coups, CoupOutcome.BANKER)
    )


def _forecast(
    art: RoadArt, canvas: Canvas, x: int, y: int, letter: str, colour: roads.RoadColour | None
) -> None:
    canvas.write(x, y, letter, art.muted)
    canvas.write(x + 1, y, *art.derived_mark(colour))


def _strip(art: RoadArt, canvas: Canvas, coups: Sequence[Coup]) -> None:
    """Draw the derived roads in three rows, each with its name and its next marks."""
    room = canvas.width // len(DERIVED)
    label = 6
    players, bankers = _forecasts(coups)
    for place, (name, road) in enumerate(DERIVED):
        x = place * room
        art.draw_title(canvas, x, ROAD_HEIGHT, name)
        _forecast(art, canvas, x, ROAD_HEIGHT + 1, "P", players[place])
        _forecast(art, canvas, x, ROAD_HEIGHT + 2, "B", bankers[place])
        art.draw_half_height(canvas, x + label, ROAD_HEIGHT, room - label - 1, road(coups))


def _lower(art: RoadArt, canvas: Canvas, coups: Sequence[Coup]) -> None:
    """Draw the derived roads at full height, side by side."""
    room = canvas.width // len(DERIVED)
    step = 2 if room >= 40 else 1
    players, bankers = _forecasts(coups)
    top = ROAD_HEIGHT + 1
    y = top + min(2, (canvas.height - top - ROAD_HEIGHT) // 2)
    for place, (name, road) in enumerate(DERIVED):
        x = place * room
        art.draw_title(canvas, x, y, name)
        _forecast(art, canvas, x + len(name) + 1, y, "P", players[place])
        _forecast(art, canvas, x + len(name) + 4, y, "B", bankers[place])
        art.draw_derived(canvas, x, y + 1, (room - 1) // step, road(coups), step)


def _side_by_side(art: RoadArt, canvas: Canvas, coups: Sequence[Coup]) -> None:
    """Draw all five roads in six rows, with the next marks and a legend below."""
    derived = 9 if canvas.width >= 78 else 6
    right = canvas.width - len(DERIVED) * (derived + 1)
    beads = min(DENSE_BEADS, right // 5)
    big = 2 * beads + 1
    art.draw_title(canvas, 0, 0, _bead_title(beads))
    art.draw_title(canvas, big, 0, "BIG ROAD")
    art.draw_bead_plate(canvas, 0, HEAD, beads, coups)
    art.draw_big_road(canvas, big, HEAD, (right - big) // 2, coups)
    players, bankers = _forecasts(coups)
    for place, (name, road) in enumerate(DERIVED):
        x = right + place * (derived + 1) + 1
        art.draw_title(canvas, x, 0, name)
        art.draw_derived(canvas, x, HEAD, derived, road(coups))
        _forecast(art, canvas, x, ROAD_HEIGHT, "P", players[place])
        _forecast(art, canvas, x + 3, ROAD_HEIGHT, "B", bankers[place])
    canvas.write(0, ROAD_HEIGHT, "next marks if Player or Banker wins:"[: right - 1], art.muted)
    legend = f"{art.full} banker {art.hollow} player, digit: ties; {art.full} red {art.hollow} blue"
    canvas.write(0, ROAD_HEIGHT + 1, legend, art.muted)
    canvas.write(0, ROAD_HEIGHT + 2, PAIRS, art.muted)


class RoadsView(LineWidget):
    """Shows as many roads as fit; ``more_text`` says which key shows all five."""

    def __init__(self, coups: tuple[Coup, ...] = ()) -> None:
        super().__init__()
        self.coups = coups
        self.more_text = ""

    def show(self, coups: tuple[Coup, ...]) -> None:
        if coups != self.coups:
            self.coups = coups
            self.refresh()

    def set_more_text(self, text: str) -> None:
        """Set the text that says which key shows all roads."""
        if text != self.more_text:
            self.more_text = text
            self.refresh()

    def _shown(self) -> object:
        return self.coups, self.more_text

    def _draw(self, look: Look, area: Size) -> list[Strip]:
        return draw_roads(self.coups, area.width, area.height, look, self.more_text)


class RoadsPage(Window[None]):
    """All five roads at full height, with a legend."""

    CSS_PATH = [*sheets_of("baccarat")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,v", "dismiss", "Close", id="roads.close"),
    ]

    def __init__(self, coups: tuple[Coup, ...]) -> None:
        super().__init__(classes="modal")
        self._coups = coups

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="window roads-window") as window:
            window.border_title = "Roads"
            view = RoadsView(self._coups)
            view.styles.height = FULL
            yield view
            yield Static(RoadArt(look_of(self)).legend, classes="legend", markup=False)
