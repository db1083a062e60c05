"""The table: the dealer's cards above the player's hands, and rows of text around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from textual import events
from textual.geometry import Region, Size
from textual.strip import Strip

from .....cards.card import Hand
from .....tui.draw.canvas import (
    Canvas,
    ClickTarget,
    TableRows,
    TonedLine,
    line_width,
    rows_width,
    write_centred,
    write_line,
    write_rows,
)
from .....tui.draw.card_art import CardSize, CardState, card_strips, fan_size, fan_strips, fan_width
from .....tui.draw.choice_list import ChoiceList, choice_at, choice_lines, list_widths
from .....tui.draw.felt import draw_table
from .....tui.draw.look import Look, line_styles_of
from .....tui.draw.segments import centre_strip, side_by_side
from .....tui.widgets.line_widget import CanvasWidget, ContentWidget
from .....tui.widgets.lists import ChoiceListView

LARGEST = next(iter(CardSize))
INNER = 48
"""The largest width of a table without a rim; a wider one would be hard to read."""
ROOMY = (56, 21)
"""The fewest columns and rows of a round table."""
HIGH = 26
"""The fewest rows of a plain table with large cards."""
LEAST_FAN_COLUMNS = 18
"""The fewest columns in which a hand is drawn as a fan; with fewer, it is a line of chips."""
BETWEEN_HANDS = 4
"""The columns between two hands whose cards lie side by side."""
FULL_ENDS = 9
"""The fewest rows of the dealer's cards at which each final total is listed separately."""


class HandScene(Struct, frozen=True):
    """A hand: its cards, how they are drawn, and the text above them.

    ``short_text`` is shown if the hand is drawn as a single line.
    """

    cards: Hand
    art: CardState
    name: TonedLine
    total: TonedLine
    short_text: TonedLine = ()


class ThirtyOneScene(Struct, frozen=True):
    """Everything that the table shows.

    ``active`` is the hand in play. The trainer's ``choices`` are shown next to it; without them,
    ``hand_rows`` are rows to show there, and a shorter version for less room. ``dealer_rows`` is
    shown next to the dealer: all totals, or groups of them. ``shoe_rows`` is shown on the dealer's
    other side. With ``next_card_space``, an empty place is drawn for the dealer's next card.
    ``round`` allows a table with a rim; the rows of the hand are then joined to one line below the
    hand.
    """

    dealer: HandScene
    hands: tuple[HandScene, ...] = ()
    active: int | None = None
    next_card_space: bool = True
    choices: ChoiceList | None = None
    hand_rows: tuple[TableRows, TableRows] = ((), ())
    dealer_rows: tuple[TableRows, TableRows] = ((), ())
    shoe_rows: TableRows = ()
    round: bool = False


NOTHING = ThirtyOneScene(HandScene((), CardState.NORMAL, (), ()))


class TableTop(ContentWidget[ThirtyOneScene], CanvasWidget):
    """Draws a :class:`ThirtyOneScene` as large as possible; ``pressed`` gets the key of a click."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        super().__init__(NOTHING)
        self._press_key = pressed
        self._click_targets: list[ClickTarget] = []

    def on_click(self, event: events.Click) -> None:
        for region, key in self._click_targets:
            if region.contains(event.x, event.y):
                self._press_key(key)

    def _paint(self, canvas: Canvas) -> None:
        self._click_targets = []
        roomy = canvas.width >= ROOMY[0] and canvas.height >= ROOMY[1]
        if roomy and self.content.round:
            self._paint_round(canvas)
        else:
            self._paint_plain(canvas)

    # ---- a round table --------------------------------------------------------------------

    def _paint_round(self, canvas: Canvas) -> None:
        scene, width, height = self.content, canvas.width, canvas.height
        draw_table(canvas, Region(1, 0, width - 2, height))
        middle = width // 2
        has_footer = bool(scene.hand_rows[0])
        dealer_height, player_height = heights(height - 8 - has_footer)
        top = 2 + (height - 8 - has_footer - dealer_height - player_height) // 3
        write_centred(canvas, middle, top - 1, _title(scene.dealer))
        dealer_x, dealer_end = self._paint_dealer(
            canvas, middle, top, dealer_height, width // 2, centred=True
        )
        rows = scene.dealer_rows[dealer_height < FULL_ENDS]
        gap = 3
        if (side_width := rows_width(rows)) and dealer_x - gap - side_width > 6:
            y = top + max(0, dealer_height - len(rows)) // 2
            write_rows(canvas, dealer_x - gap - side_width, y, side_width, rows)
        if (
            side_width := rows_width(scene.shoe_rows)
        ) and dealer_end + gap + side_width < width - 6:
            write_rows(canvas, dealer_end + gap, top + 1, side_width, scene.shoe_rows)
        y = top + dealer_height + 1 + (height - 8 - has_footer - dealer_height - player_height) // 3
        self._paint_hands(canvas, Region(6, y, width - 12, player_height + 2))
        if has_footer:
            self._paint_footer(canvas, middle, y + player_height + 3)

    def _paint_hands(self, canvas: Canvas, place: Region) -> None:
        """Draw the hands side by side, each with its name and its total above it."""
        hands = self.content.hands
        hand_width, rows = place.width // max(1, len(hands)), place.height - 2
        for number, hand in enumerate(hands):
            middle = place.x + hand_width * number + hand_width // 2
            is_active = len(hands) > 1 and number == self.content.active
            name = (*hand.name, (", yours to play" * is_active, "gold"))
            write_centred(canvas, middle, place.y, name)
            write_centred(canvas, middle, place.y + 1, hand.total)
            size = fan_size(hand.cards, hand_width - 1, rows)
            strips = self._fan(canvas, hand, size, hand_width - BETWEEN_HANDS)
            canvas.put(middle - strips[0].cell_length // 2, place.y + 2, strips)

    def _paint_footer(self, canvas: Canvas, middle: int, y: int) -> None:
        """Write the hand's rows below it, on one line."""
        rows = self.content.hand_rows[0]
        x = middle - (sum(row.width + 1 for row in rows) - 1) // 2
        for row in rows:
            end = write_line(canvas, x, y, row.line)
            if row.key:
                self._click_targets.append((Region(x, y, end - x, 1), row.key))
            x = end + 1

    # ---- a table without a rim ------------------------------------------------------------

    def _paint_plain(self, canvas: Canvas) -> None:
        scene, height = self.content, canvas.height
        inner = min(canvas.width, INNER)
        x = (canvas.width - inner) // 2 + (2 if inner >= 40 else 1)
        room = inner - 3
        side_by_side = (
            len(scene.hands) > 1 and scene.active is None and self._fits_side_by_side(room)
        )
        resting = () if side_by_side else self._resting_hands()
        line_count = max(1, len(resting) if scene.active is not None else 0)
        dealer_height, player_height = heights(
            height - 2 - line_count, CardSize.LARGE if height >= HIGH else CardSize.NORMAL
        )
        spare_rows = height - 2 - dealer_height - player_height
        zone = min(spare_rows, max(3, line_count))
        top = (spare_rows - zone) // 2
        write_line(canvas, x, top, _title(scene.dealer))
        _, dealer_end = self._paint_dealer(canvas, x, top + 1, dealer_height, room, centred=False)
        rows = scene.dealer_rows[dealer_height < FULL_ENDS]
        if rows and len(rows) <= dealer_height and dealer_end + 2 + rows_width(rows) <= x + room:
            y = top + 1 + (dealer_height - len(rows)) // 2
            write_rows(canvas, dealer_end + 2, y, rows_width(rows), rows)
        y = top + 1 + dealer_height
        if scene.active is None or not resting:
            canvas.write(
                x - 1, y + zone // 2, "─" * room, line_styles_of(canvas.look.palette).faint
            )
        else:
            for place, line in enumerate(resting):
                self._paint_chip_line(canvas, x, y + (zone - len(resting)) // 2 + place, room, line)
        y += zone
        if side_by_side:
            self._paint_finished_hands(canvas, Region(x, y, room, player_height + 1))
        elif scene.active is None and len(scene.hands) > 1:
            write_line(canvas, x, y, (("YOUR HANDS", "gold"),))
            for place, line in enumerate(resting):
                self._paint_chip_line(canvas, x, y + 1 + place, room, line)
        else:
            self._paint_active_hand(canvas, Region(x, y, room, player_height + 1))

    def _resting_hands(self) -> tuple[HandScene, ...]:
        """Return the hands that are drawn as single lines."""
        hands, active = self.content.hands, self.content.active
        if len(hands) < 2:
            return ()
        return tuple(hand for place, hand in enumerate(hands) if place != active)

    def _fits_side_by_side(self, room: int) -> bool:
        return room // len(self.content.hands) >= LEAST_FAN_COLUMNS

    def _paint_active_hand(self, canvas: Canvas, place: Region) -> None:
        """Draw the hand in play, with as many rows next to it as fit."""
        scene, rows = self.content, place.height - 1
        if not scene.hands:
            return
        hand = scene.hands[scene.active or 0]
        write_line(canvas, place.x, place.y, _title(hand))
        for beside in self._besides():
            width = beside.width
            size = fan_size(hand.cards, place.width - width - 2 * bool(width), rows)
            if not width or size.height >= min(rows, CardSize.SMALL.height):
                break
        room = place.width - width - 2 * bool(width)
        canvas.put(place.x, place.y + 1, self._fan(canvas, hand, size, room))
        y = place.y + 1 + max(0, rows - beside.height) // 3
        x = place.right - width
        height = min(rows, beside.height)
        if beside.height > rows:
            y = place.y
            height = place.height * (x > place.x + line_width(_title(hand)))
        self._paint_beside(canvas, Region(x, y, width, height))

    def _besides(self) -> tuple[Size, ...]:
        """Return the possible sizes of what is shown next to the hand, from large to none."""
        if (choices := self.content.choices) is not None:
            return (*(Size(wide, len(choices.rows) + 1) for wide in list_widths(choices)), Size())
        return (*(Size(rows_width(rows), len(rows)) for rows in self.content.hand_rows), Size())

    def _paint_beside(self, canvas: Canvas, place: Region) -> None:
        """Show the trainer's list or the rows of the hand, as far as they fit."""
        if (choices := self.content.choices) is not None:
            canvas.put(place.x, place.y, choice_lines(choices, place.size, canvas.look))
            self._click_targets += [
                (Region(place.x, place.y + line, place.width, 1), choices.rows[at].key)
                for line in range(place.height)
                if (at := choice_at(choices, place.size, 0, line)) is not None
                and choices.rows[at].ev
            ]
            return
        rows = next((one for one in self.content.hand_rows if rows_width(one) <= place.width), ())
        self._click_targets += write_rows(
            canvas, place.x, place.y, place.width, rows[: place.height]
        )

    def _paint_finished_hands(self, canvas: Canvas, place: Region) -> None:
        """Draw the hands of a finished round side by side."""
        hands = self.content.hands
        hand_width = place.width // len(hands)
        for number, hand in enumerate(hands):
            x = place.x + hand_width * number
            write_line(canvas, x, place.y, hand.short_text)
            size = fan_size(hand.cards, hand_width - 1, place.height - 1)
            canvas.put(x, place.y + 1, self._fan(canvas, hand, size, hand_width - BETWEEN_HANDS))

    def _paint_chip_line(self, canvas: Canvas, x: int, y: int, room: int, hand: HandScene) -> None:
        """Draw a hand as a line of chips, with its text on the right."""
        end = write_line(canvas, x, y, hand.name[:1]) + 1
        start = x + room - line_width(hand.short_text)
        if end + fan_width(hand.cards, CardSize.CHIP) <= start:
            canvas.put(end, y, fan_strips(hand.cards, CardSize.CHIP, self._arts(hand), canvas.look))
        write_line(canvas, start, y, hand.short_text)

    # ---- cards ----------------------------------------------------------------------------

    def _paint_dealer(
        self, canvas: Canvas, x: int, y: int, rows: int, room: int, *, centred: bool
    ) -> tuple[int, int]:
        """Draw the dealer's cards and the next card's place; return the start and end columns.

        ``x`` is the column of their left edge or, if ``centred``, of their middle.
        """
        scene = self.content
        size = fan_size(scene.dealer.cards, room, rows)
        has_space = scene.next_card_space and bool(scene.dealer.cards)
        space = (1 + size.width) * has_space
        strips = self._fan(canvas, scene.dealer, size, room - space)
        columns = strips[0].cell_length
        if centred:
            x -= (columns + space) // 2
        canvas.put(x, y, strips)
        end = x + columns
        if has_space and size is not CardSize.CHIP:
            canvas.put(end + 1, y, card_strips(None, size, CardState.NORMAL, canvas.look))
            end += 1 + size.width
        return x, end

    def _fan(self, canvas: Canvas, hand: HandScene, size: CardSize, room: int) -> Sequence[Strip]:
        """Draw a hand side by side if this fits into ``room`` columns, and otherwise as a fan."""
        if not hand.cards:
            return card_strips(None, size, CardState.NORMAL, canvas.look)
        step = size.width + 1
        if size is not CardSize.CHIP and (columns := step * len(hand.cards) - 1) <= room:
            cards = [card_strips(card, size, hand.art, canvas.look) for card in hand.cards]
            return side_by_side(columns, *((step * at, one) for at, one in enumerate(cards)))
        return tuple(fan_strips(hand.cards, size, self._arts(hand), canvas.look))

    def _arts(self, hand: HandScene) -> tuple[CardState, ...]:
        return (hand.art,) * len(hand.cards)


def _title(hand: HandScene) -> TonedLine:
    return (*hand.name, ("  ", ""), *hand.total)


def heights(rows: int, largest: CardSize = LARGEST) -> tuple[int, int]:
    """Divide rows between the dealer's and the player's cards, so that both are large.

    Neither is larger than ``largest``.

    >>> heights(14), heights(12), heights(7)
    ((7, 7), (5, 7), (1, 5))
    """
    sizes = [size.height for size in CardSize if size.height <= largest.height]
    pairs = [
        (dealer_height, player_height)
        for dealer_height in sizes
        for player_height in sizes
        if dealer_height + player_height <= rows
    ]
    return max(pairs, key=lambda pair: (min(pair), pair[1]), default=(1, 1))


MARGIN = 6
"""The margin around the list and the rows of text, in columns."""


class LowerTable(ChoiceListView):
    """The trainer's list, or else rows of text."""

    _rows: TableRows = ()

    @property
    def row_width(self) -> int:
        return max(1, self.size.width - 2 * MARGIN)

    def show_rows(self, choices: ChoiceList | None, rows: TableRows) -> None:
        """Show the list, or these rows if there is none."""
        if choices is None and rows != self._rows:
            self.refresh()
        self._rows = rows
        self.show(choices)

    def _shown(self) -> object:
        return self.choices or self._rows

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inner = Size(max(0, area.width - 2 * MARGIN), area.height)
        if self.choices is not None:
            lines = choice_lines(self.choices, inner, look)
            return [centre_strip(line, area.width) for line in lines]
        canvas = Canvas(area.width, area.height, look)
        write_rows(canvas, MARGIN, 1, inner.width, self._rows[: max(0, area.height - 1)])
        return canvas.strips(None)
