"""Meters: figures with labels, such as credit and bet, on a line or in large digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip

from ..draw.look import Look, line_styles_of, result_tone
from ..draw.segments import LineBuilder, centre_strip
from ..draw.text import MINUS, with_sign
from .line_widget import LineWidget
from .text_blocks import LargeDigits


class Meter(NamedTuple):
    """A figure with its name; ``tone`` is ``gold``, ``good``, ``bad``, or empty.

    ``details`` follows it in grey.
    """

    name: str
    figure: str
    tone: str = ""
    details: str = ""


def net_meter(name: str, amount: int | None, figure: str) -> Meter:
    """Return the meter of a net result, which shows 0 if there is no result yet.

    ``figure`` is the amount without a sign, as the game writes money.
    """
    if amount is None:
        return Meter(name, with_sign(0, "0"))
    return Meter(name, with_sign(amount, figure), result_tone(amount, even=""))


class MeterLine(LineWidget):
    """The meters on one centred line, as many as fit."""

    def __init__(self) -> None:
        super().__init__()
        self.meters: tuple[Meter, ...] = ()

    @property
    def text(self) -> str:
        return "   ".join(_words(meter) for meter in self.meters)

    def show(self, meters: tuple[Meter, ...]) -> None:
        if meters != self.meters:
            self.meters = meters
            self.refresh()

    def _shown(self) -> object:
        return self.meters

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, meters = line_styles_of(look.palette), [*self.meters]
        gap = next((gap for gap in (3, 2) if _width(meters, gap) <= area.width - 2), 1)
        while len(meters) > 1 and _width(meters, gap) > area.width:
            meters.pop()
        line = LineBuilder(look.tier)
        for place, meter in enumerate(meters):
            line.add(" " * gap * bool(place)).add(meter.name.upper(), inks.muted)
            if meter.figure:
                line.add(" ", inks.muted).add(meter.figure, inks.style(meter.tone or "strong"))
            if meter.details:
                line.add(f" {meter.details}", inks.muted)
        yield centre_strip(line.cut(area.width).strip(), area.width)


def _words(meter: Meter) -> str:
    return " ".join(filter(None, (meter.name.upper(), meter.figure, meter.details)))


def _width(meters: Sequence[Meter], gap: int) -> int:
    return sum(len(_words(meter)) for meter in meters) + gap * (len(meters) - 1)


class Meters(Horizontal):
    """The meters; ``large`` ones are also shown in large digits if the stylesheet allows it.

    Between other panels, digits would take rows from the table, so most games have none.
    """

    def __init__(self, *large: str) -> None:
        super().__init__(classes="-digits" if large else "")
        self._large = large
        self.line = MeterLine()
        self._boxes: dict[str, Vertical] = {}
        self._digits = {name: LargeDigits(id=f"meter-{name.replace(' ', '-')}") for name in large}

    def compose(self) -> ComposeResult:
        yield self.line
        for name, digits in self._digits.items():
            with Vertical(classes="meter") as meter:
                meter.border_title = Content(name.upper())
                self._boxes[name] = meter
                yield digits

    def show(self, meters: Iterable[Meter]) -> None:
        """Show these figures, if they have changed."""
        every = tuple(meters)
        if every == self.line.meters:
            return
        self.line.show(every)
        names = {meter.name for meter in every}
        for name, box in self._boxes.items():
            box.display = name in names
        for meter in every if self._digits else ():
            if (digits := self._digits.get(meter.name)) is not None:
                digits.update(meter.figure.replace(MINUS, "-"))
