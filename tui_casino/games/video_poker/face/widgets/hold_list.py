"""The list next to the cards: the ranked holds of this hand, or the most recent hands."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from .....cards.card import Hand
from .....gamekit.number_formats import percent, rounded_cost
from .....tui.draw.bars import bar
from .....tui.draw.number_formats import signed_count
from .....tui.draw.segments import BARE, LineBuilder, join_pieces
from .....tui.draw.styles import LineStyles, Look, line_styles_of, style_of
from .....tui.widgets.line_widget import LineWidget
from ...brains.adviser import HoldRanking
from ..tally import row_in_words

WIDE = 45
"""The smallest width, in columns, that also shows a bar and how often a hold pays."""
ALL, NOTHING = "all five", "none"


class PlayedHand(NamedTuple):
    """A finished hand: its final cards, the row that paid it, and its net result in credits."""

    hand: Hand
    row: str | None
    net: int


class HoldListView(LineWidget):
    """The holds with EV and cost while the trainer is on, otherwise the most recent hands."""

    def __init__(self, *, classes: str) -> None:
        super().__init__(classes=classes)
        self._ranking: HoldRanking | None = None
        self._held_places: tuple[int, ...] = ()
        self._last_hands: tuple[PlayedHand, ...] | None = ()
        self._trains = False
        self._drawn_of: object = None
        self._strips: dict[tuple[int, bool], Strip] = {}

    def show(
        self,
        ranking: HoldRanking | None,
        held_places: tuple[int, ...],
        last_hands: tuple[PlayedHand, ...] | None,
        *,
        trains: bool,
    ) -> None:
        """Set what is shown: the ranking, the held positions, and the hands with the last first.

        Without a ranking the list of holds stays blank. In practice, which has no earlier hands,
        ``last_hands`` is ``None`` and nothing is listed.
        """
        shown_before = self._shown()
        self._ranking, self._held_places = ranking, held_places
        self._last_hands, self._trains = last_hands, trains
        if self._shown() != shown_before:
            self.refresh()

    def _shown(self) -> object:
        if self._trains:
            return self._ranking, self._held_places
        return self._last_hands

    def _draw(self, look: Look, area: Size) -> Iterator[Strip]:
        if area.height < 2:
            return
        if not self._trains:
            yield from self._draw_hands(look, area)
            return
        inks, wide = line_styles_of(look.palette), area.width >= WIDE
        all_holds = area.height > 32
        head = LineBuilder(look.tier).put(
            1, "ALL 32 HOLDS" if all_holds else "BEST HOLDS", inks.gold
        )
        columns = _columns(area.width)
        head.put_before(columns.worth, "EV", inks.muted)
        head.put_before(columns.cost, "cost", inks.muted)
        if wide:
            head.put_before(columns.pays, "pays", inks.muted)
        yield head.strip(area.width)
        if (ranking := self._ranking) is None:
            return
        for place in _places(ranking, self._held_places, 32 if all_holds else area.height - 2):
            selected = ranking.holds[place].positions == self._held_places
            yield self._hold(ranking, place, selected, area.width, look)
        if not all_holds:
            foot = LineBuilder(look.tier).put(1, "o", inks.gold).put(4, "all 32", inks.text)
            foot.put_before(columns.cost, "in credits", inks.muted)
            yield foot.strip(area.width)

    def _hold(
        self, ranking: HoldRanking, place: int, selected: bool, width: int, look: Look
    ) -> Strip:
        """Return the strip of a hold, from the cache if possible: a mark changes only two holds."""
        drawn_of = ranking, width, look
        if drawn_of != self._drawn_of:
            self._drawn_of, self._strips = drawn_of, {}
        if (place, selected) not in self._strips:
            self._strips[place, selected] = _hold_strip(ranking, place, selected, width, look)
        return self._strips[place, selected]

    def _draw_hands(self, look: Look, area: Size) -> Iterator[Strip]:
        if self._last_hands is None:
            return
        inks, wide = line_styles_of(look.palette), area.width >= WIDE
        yield join_pieces([(" LAST HANDS", inks.gold)], area.width, look.tier)
        if not self._last_hands:
            yield join_pieces([(" none yet", inks.muted)], area.width, look.tier)
        for hand in self._last_hands[: area.height - 1]:
            row = LineBuilder(look.tier)
            row.put(1, row_in_words(hand.row or "nothing"), inks.text if hand.row else inks.muted)
            if wide:
                row.put(25, " ".join(card.symbol for card in hand.hand), inks.muted)
            net = signed_count(hand.net)
            row.put_before(area.width - 1, net, net_ink(hand, inks))
            yield row.strip(area.width)


def net_ink(hand: PlayedHand, inks: LineStyles) -> Style:
    """Return the style of a hand's net result: gain, loss or neither."""
    return inks.good if hand.net > 0 else inks.bad if hand.net < 0 else inks.text


def _places(ranking: HoldRanking, held_places: tuple[int, ...], rows: int) -> list[int]:
    """Return the ranks of the holds to list: the best, and also the marked one."""
    places = [*range(min(rows, len(ranking.holds)))]
    selected = ranking.index_of(held_places)
    return places if selected in places else [*places[:-1], selected]


class _Columns(NamedTuple):
    """The columns at which the figures end, and the column at which the bar begins."""

    worth: int
    cost: int
    pays: int
    bar: int


def _columns(width: int) -> _Columns:
    if width < WIDE:
        return _Columns(width - 9, width - 1, 0, 0)
    return _Columns(width - 17, width - 8, width - 1, 24)


def _hold_strip(ranking: HoldRanking, place: int, selected: bool, width: int, look: Look) -> Strip:
    """Draw a hold: the best in green, the marked one highlighted in gold with its cost in red."""
    palette, hold, best = look.palette, ranking.holds[place], not ranking.holds[place].cost
    inks, columns, wide = line_styles_of(palette), _columns(width), width >= WIDE
    row = LineBuilder(look.tier, style_of(palette.text, palette.lit) if selected else BARE)
    name = inks.gold if selected else inks.good if best else inks.muted
    if selected:
        row.put(0, ">" if look.palette.lit == "ansi_default" else " ", inks.gold)
    if wide:
        row.put_before(3, str(place + 1), inks.muted)
    row.put(5 if wide else 1, hold_name(ranking.hand, hold.positions, 18 if wide else 13), name)
    if wide:
        part = float(hold.ev / ranking.best.ev) if ranking.best.ev else 0.0
        room = columns.worth - columns.bar - 8
        ink = palette.gold if selected else palette.good if best else palette.faint
        row.put(columns.bar, bar(part, room, look.tier), style_of(ink, palette.lit))
    row.put_before(
        columns.worth,
        credits_text(hold.ev),
        inks.good if best else inks.strong if selected else inks.text,
    )
    cost = "best" if best else credits_text(rounded_cost(ranking.best.ev, hold.ev))
    row.put_before(columns.cost, cost, inks.good if best else inks.bad if selected else inks.muted)
    if wide:
        row.put_before(columns.pays, percent(hold.outcomes.share_paid, 0), inks.text)
    return row.strip(width)


def credits_text(credits: Fraction | float) -> str:
    """Format an amount of credits, with two decimals below 1,000."""
    return f"{float(credits):,.{2 if credits < 1000 else 0}f}"


def hold_name(hand: Hand, positions: tuple[int, ...], room: int = 99) -> str:
    """Name a hold by its cards, without spaces if the name is longer than ``room``."""
    if len(positions) == len(hand):
        return ALL
    cards = [hand[place - 1].symbol for place in positions]
    spaced = " ".join(cards)
    return (spaced if len(spaced) <= room else "".join(cards)) or NOTHING
