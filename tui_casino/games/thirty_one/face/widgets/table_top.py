"""The table itself: the dealer's cards over the player's hands, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.geometry import Region
from textual.strip import Strip

from .....cards.card import Hand
from .....tui.draw.canvas import Canvas
from .....tui.draw.card_art import CardSize, CardState, card_strips, fan_size, fan_strips, fan_width
from .....tui.draw.felt import draw_table
from .....tui.draw.styles import line_styles_of
from .....tui.draw.table_rows import (
    ClickTarget,
    TableRows,
    TonedLine,
    line_width,
    rows_width,
    write_centred,
    write_line,
    write_rows,
)
from .....tui.widgets.line_widget import CanvasWidget

LARGEST = next(iter(CardSize))
INNER = 48
"""Columns that a table without a rim takes at most: beyond, the eye would wander."""
ROOMY = (56, 21)
"""Columns and rows from which on a table may be round."""
HIGH = 26
"""Rows from which on the cards of another table are large, too."""
BESIDE = 18
"""Columns from which on a hand is a fan beside others, and no line of chips."""
FULL_ENDS = 9
"""Rows of the dealer's cards from which on each of his totals has a row."""


@dataclass(frozen=True, slots=True)
class HandScene:
    """A hand: its cards, how they are drawn, and what stands over them.

    ``brief`` is said of it where it is no more than a line.
    """

    cards: Hand
    art: CardState
    name: TonedLine
    total: TonedLine
    brief: TonedLine = ()


@dataclass(frozen=True, slots=True)
class ThirtyOneScene:
    """All that lies and stands on the table.

    ``active`` is the hand that is played. Of ``beside``, the rows by the hand, the second is for
    less room; ``ends`` are those by the dealer, all of them or some, ``shoe`` those on his other
    side, and ``awaited`` draws the place of his next card. ``round`` lets the table have a rim,
    with the rows beside the hand on one line below it.
    """

    dealer: HandScene
    hands: tuple[HandScene, ...] = ()
    active: int | None = None
    awaited: bool = True
    beside: tuple[TableRows, TableRows] = ((), ())
    ends: tuple[TableRows, TableRows] = ((), ())
    shoe: TableRows = ()
    round: bool = False


NOTHING = ThirtyOneScene(HandScene((), CardState.NORMAL, (), ()))


class TableTop(CanvasWidget):
    """Draws a :class:`ThirtyOneScene` as large as possible; ``pressed`` gets clicks as keys."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        super().__init__()
        self._scene, self._pressed = NOTHING, pressed
        self._spots: list[ClickTarget] = []

    def show(self, scene: ThirtyOneScene) -> None:
        """Show this from now on."""
        if scene != self._scene:
            self._scene = scene
            self.refresh()

    def _shown(self) -> object:
        return self._scene

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked on."""
        for region, key in self._spots:
            if region.contains(event.x, event.y):
                self._pressed(key)

    def _paint(self, canvas: Canvas) -> None:
        self._spots = []
        roomy = canvas.width >= ROOMY[0] and canvas.height >= ROOMY[1]
        if roomy and self._scene.round:
            self._paint_round(canvas)
        else:
            self._paint_plain(canvas)

    # ---- a round table --------------------------------------------------------------------

    def _paint_round(self, canvas: Canvas) -> None:
        scene, width, height = self._scene, canvas.width, canvas.height
        draw_table(canvas, Region(1, 0, width - 2, height))
        middle = width // 2
        foot = bool(scene.beside[0])
        theirs, ours = heights(height - 8 - foot)
        top = 2 + (height - 8 - foot - theirs - ours) // 3
        write_centred(canvas, middle, top - 1, _title(scene.dealer))
        left, right = self._dealer(canvas, middle, top, theirs, width // 2, centred=True)
        rows = scene.ends[theirs < FULL_ENDS]
        gap = 3
        if (beside := rows_width(rows)) and left - gap - beside > 6:
            y = top + max(0, theirs - len(rows)) // 2
            write_rows(canvas, left - gap - beside, y, beside, rows)
        if (beside := rows_width(scene.shoe)) and right + gap + beside < width - 6:
            write_rows(canvas, right + gap, top + 1, beside, scene.shoe)
        y = top + theirs + 1 + (height - 8 - foot - theirs - ours) // 3
        self._hands_beside(canvas, Region(6, y, width - 12, ours + 2))
        if foot:
            self._foot(canvas, middle, y + ours + 3)

    def _hands_beside(self, canvas: Canvas, place: Region) -> None:
        """Draw the hands side by side, each with its name and its total over it."""
        hands = self._scene.hands
        each, rows = place.width // max(1, len(hands)), place.height - 2
        for number, hand in enumerate(hands):
            middle = place.x + each * number + each // 2
            yours = len(hands) > 1 and number == self._scene.active
            name = (*hand.name, (", yours to play" * yours, "gold"))
            write_centred(canvas, middle, place.y, name)
            write_centred(canvas, middle, place.y + 1, hand.total)
            size = fan_size(hand.cards, each - 1, rows)
            strips = self._fan(canvas, hand, size)
            wide = fan_width(hand.cards, size) if hand.cards else size.width
            canvas.put(middle - wide // 2, place.y + 2, strips)

    def _foot(self, canvas: Canvas, middle: int, y: int) -> None:
        """Write the rows beside the hand under it, one after the other."""
        rows = self._scene.beside[0]
        x = middle - (sum(row.width + 1 for row in rows) - 1) // 2
        for row in rows:
            end = write_line(canvas, x, y, row.line)
            if row.key:
                self._spots.append((Region(x, y, end - x, 1), row.key))
            x = end + 1

    # ---- a table without a rim ------------------------------------------------------------

    def _paint_plain(self, canvas: Canvas) -> None:
        scene, height = self._scene, canvas.height
        inner = min(canvas.width, INNER)
        x = (canvas.width - inner) // 2 + (2 if inner >= 40 else 1)
        room = inner - 3
        beside = len(scene.hands) > 1 and scene.active is None and self._fit_beside(room)
        lines = () if beside else self._resting()
        between = max(1, len(lines) if scene.active is not None else 0)
        theirs, ours = heights(
            height - 2 - between, CardSize.LARGE if height >= HIGH else CardSize.NORMAL
        )
        spare = height - 2 - theirs - ours
        zone = min(spare, max(3, between))
        top = (spare - zone) // 2
        write_line(canvas, x, top, _title(scene.dealer))
        _, right = self._dealer(canvas, x, top + 1, theirs, room, centred=False)
        rows = scene.ends[theirs < FULL_ENDS]
        if rows and len(rows) <= theirs and right + 2 + rows_width(rows) <= x + room:
            y = top + 1 + (theirs - len(rows)) // 2
            write_rows(canvas, right + 2, y, rows_width(rows), rows)
        y = top + 1 + theirs
        if scene.active is None or not lines:
            canvas.write(
                x - 1, y + zone // 2, "─" * room, line_styles_of(canvas.look.palette).faint
            )
        else:
            for place, line in enumerate(lines):
                self._chips(canvas, x, y + (zone - len(lines)) // 2 + place, room, line)
        y += zone
        if beside:
            self._columns(canvas, Region(x, y, room, ours + 1))
        elif scene.active is None and len(scene.hands) > 1:
            write_line(canvas, x, y, (("YOUR HANDS", "gold"),))
            for place, line in enumerate(lines):
                self._chips(canvas, x, y + 1 + place, room, line)
        else:
            self._own(canvas, Region(x, y, room, ours + 1))

    def _resting(self) -> tuple[HandScene, ...]:
        """Give the hands that are a line each."""
        hands, active = self._scene.hands, self._scene.active
        if len(hands) < 2:
            return ()
        return tuple(hand for place, hand in enumerate(hands) if place != active)

    def _fit_beside(self, room: int) -> bool:
        return room // len(self._scene.hands) >= BESIDE

    def _own(self, canvas: Canvas, place: Region) -> None:
        """Draw the hand in play, with the rows beside it for which there is room."""
        scene, rows = self._scene, place.height - 1
        if not scene.hands:
            return
        hand = scene.hands[scene.active or 0]
        write_line(canvas, place.x, place.y, _title(hand))
        full, brief = scene.beside
        for beside in (full, brief, ()):
            taken = rows_width(beside)
            size = fan_size(hand.cards, place.width - taken - 2 * bool(taken), rows)
            if not beside or size.height >= min(rows, CardSize.SMALL.height):
                break
        canvas.put(place.x, place.y + 1, self._fan(canvas, hand, size))
        y = place.y + 1 + max(0, rows - len(beside)) // 3
        x = place.right - taken
        if len(beside) > rows:
            y = place.y
            beside = beside[: place.height] if x > place.x + line_width(_title(hand)) else ()
        self._spots += write_rows(canvas, x, y, taken, beside)

    def _columns(self, canvas: Canvas, place: Region) -> None:
        """Draw the hands of a round that is over side by side."""
        hands = self._scene.hands
        each = place.width // len(hands)
        for number, hand in enumerate(hands):
            x = place.x + each * number
            write_line(canvas, x, place.y, hand.brief)
            size = fan_size(hand.cards, each - 1, place.height - 1)
            canvas.put(x, place.y + 1, self._fan(canvas, hand, size))

    def _chips(self, canvas: Canvas, x: int, y: int, room: int, hand: HandScene) -> None:
        """Draw a hand as a line of chips, and what is to be said of it at the right."""
        end = write_line(canvas, x, y, hand.name[:1]) + 1
        start = x + room - line_width(hand.brief)
        if end + fan_width(hand.cards, CardSize.CHIP) <= start:
            canvas.put(end, y, fan_strips(hand.cards, CardSize.CHIP, self._arts(hand), canvas.look))
        write_line(canvas, start, y, hand.brief)

    # ---- cards ----------------------------------------------------------------------------

    def _dealer(
        self, canvas: Canvas, x: int, y: int, rows: int, room: int, *, centred: bool
    ) -> tuple[int, int]:
        """Draw the dealer's cards, and the place of the next one; gives where they begin and end.

        ``x`` is where they begin, or the middle of all.
        """
        scene = self._scene
        size = fan_size(scene.dealer.cards, room, rows)
        if centred:
            wide = max(size.width, fan_width(scene.dealer.cards, size))
            x -= (wide + (1 + size.width) * bool(scene.awaited and scene.dealer.cards)) // 2
        strips = self._fan(canvas, scene.dealer, size)
        canvas.put(x, y, strips)
        end = x + max(size.width, fan_width(scene.dealer.cards, size))
        if scene.awaited and scene.dealer.cards and size is not CardSize.CHIP:
            canvas.put(end + 1, y, card_strips(None, size, CardState.NORMAL, canvas.look))
            end += 1 + size.width
        return x, end

    def _fan(self, canvas: Canvas, hand: HandScene, size: CardSize) -> tuple[Strip, ...]:
        if not hand.cards:
            return card_strips(None, size, CardState.NORMAL, canvas.look)
        return tuple(fan_strips(hand.cards, size, self._arts(hand), canvas.look))

    def _arts(self, hand: HandScene) -> tuple[CardState, ...]:
        return (hand.art,) * len(hand.cards)


def _title(hand: HandScene) -> TonedLine:
    return (*hand.name, ("  ", ""), *hand.total)


def heights(rows: int, most: CardSize = LARGEST) -> tuple[int, int]:
    """Share rows among the dealer's cards and the player's: as large as both can be.

    None is larger than ``most``.

    >>> heights(14), heights(12), heights(7)
    ((7, 7), (5, 7), (1, 5))
    """
    every = [size.height for size in CardSize if size.height <= most.height]
    pairs = [(theirs, ours) for theirs in every for ours in every if theirs + ours <= rows]
    return max(pairs, key=lambda pair: (min(pair), pair[1]), default=(1, 1))
