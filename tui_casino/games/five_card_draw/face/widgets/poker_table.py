"""The widgets of the table: the opponents around it, its layout, and notes next to the hand.

If the screen is small, the opponents are a row of seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from rich.style import Style
from textual.geometry import Region

from .....cards.card import BACK, Card, Hand
from .....cards.text_art import FRAMES, CardSize, CardState, corner_index, fan_offset
from .....structs import replace
from .....tui.draw.canvas import Canvas, TableRow, TableRows, write_rows
from .....tui.draw.card_art import card_strips, fan_strips
from .....tui.draw.felt import draw_table
from .....tui.draw.look import LineStyles, line_styles_of, style_of
from .....tui.draw.text import fit_names
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import CanvasWidget, ContentWidget
from .....tui.widgets.text_blocks import wrap_text
from ...machine.betting import last_acts
from ...machine.state import State
from ..table_messages import ACTS

SIDE_COLUMNS = 16
"""Columns on either side of a large table, for the outer half of the side seats' cards."""


class LayoutPoint(NamedTuple):
    """A column and a row."""

    x: int
    y: int


class TableSide(Enum):
    """The side of an opponent's seat, clockwise from the player's left."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"


SIDES: dict[int, tuple[TableSide, ...]] = {
    1: (TableSide.TOP,),
    2: (TableSide.LEFT, TableSide.RIGHT),
    3: (TableSide.LEFT, TableSide.TOP, TableSide.RIGHT),
}
"""The sides used for each number of opponents, in the order of the seats."""


class OpponentLayout(Struct, frozen=True):
    """The position of everything that belongs to an opponent.

    Name, cards and money are centred on the ``middle`` column, each starting at its row.
    ``text_width`` limits the name of the hand below them. A bet begins at its point, or ends there
    on the right side. ``button`` is the place of the dealer button.
    """

    middle: int
    name: int
    cards: int
    money: int
    text_width: int
    bet: LayoutPoint
    button: LayoutPoint


class TableLayout(Struct, frozen=True):
    """The positions of the table, of the seats around it, and of everything on it.

    ``card`` is the size of the opponents' cards. The ``discard_pile`` is shown above the
    ``discard_count``. ``player_discards`` are the player's own discards, and ``player_bet`` is what
    the player has put in. Each item begins at its point, except ``pot`` and ``player_bet``, which
    are centred on theirs, and ``discard_count``, which ends at its point. A ``framed`` pot has
    three rows.
    """

    table: Region
    exponent: float
    card: CardSize
    spots: dict[TableSide, OpponentLayout]
    pot: LayoutPoint
    framed: bool
    discard_pile: LayoutPoint
    discard_count: LayoutPoint
    player_discards: LayoutPoint
    player_bet: LayoutPoint
    button: LayoutPoint


@lru_cache(8)
def layout_for(width: int, height: int) -> TableLayout | None:
    """Return the layout of the largest table that fits, or ``None`` if none does."""
    for columns, rows, card in ((86, 28, CardSize.NORMAL), (58, 20, CardSize.SMALL)):
        if width >= columns + 2 * SIDE_COLUMNS and height >= rows + 3:
            return _roomy(width, height, columns, rows, card)
    return _narrow(width, height) if width >= 78 and height >= 11 else None


def _narrow(width: int, height: int) -> TableLayout:
    """Lay out a table of 42x10 between the seats, with one row for each item on it."""
    middle, top = width // 2, (height - 11) // 2
    table = Region(middle - 21, top + 1, 42, 10)
    left, right = table.x - 9, table.right + 10

    def point(x: int, y: int) -> LayoutPoint:
        return LayoutPoint(table.x + x, top + y)

    return TableLayout(
        table,
        4.0,
        CardSize.TINY,
        {
            TableSide.LEFT: OpponentLayout(
                left, top + 3, top + 4, top + 8, 17, point(2, 6), point(2, 5)
            ),
            TableSide.TOP: OpponentLayout(
                middle, top, top + 1, top + 5, 18, point(17, 6), point(8, 3)
            ),
            TableSide.RIGHT: OpponentLayout(
                right, top + 3, top + 4, top + 8, 17, point(39, 8), point(38, 5)
            ),
        },
        pot=LayoutPoint(middle, top + 8),
        framed=False,
        discard_pile=point(32, 3),
        discard_count=point(39, 7),
        player_discards=point(3, 7),
        player_bet=LayoutPoint(middle, top + 9),
        button=point(10, 9),
    )


def _roomy(width: int, height: int, columns: int, rows: int, card: CardSize) -> TableLayout:
    """Lay out a large table, with the cards of the seats across its rim."""
    middle, top = width // 2, (height - rows - 2) // 2
    table = Region(middle - columns // 2, top + 2, columns, rows)
    centre, inside = table.y + rows // 2, columns // 7
    side = centre - card.height // 2 - 1
    below, left, right = side + card.height, table.x + inside, table.right - inside
    over = top + 1 + card.height
    return TableLayout(
        table,
        3.0,
        card,
        {
            TableSide.LEFT: OpponentLayout(
                table.x - 8,
                side - 1,
                side,
                below,
                15,
                LayoutPoint(left, side + 1),
                LayoutPoint(left, side),
            ),
            TableSide.TOP: OpponentLayout(
                middle,
                top,
                top + 1,
                over,
                44,
                LayoutPoint(middle - 5, over + 2),
                LayoutPoint(left + 6, over),
            ),
            TableSide.RIGHT: OpponentLayout(
                table.right + 8,
                side - 1,
                side,
                below,
                15,
                LayoutPoint(right, side + 1),
                LayoutPoint(right - 3, side),
            ),
        },
        pot=LayoutPoint(middle, centre),
        framed=True,
        discard_pile=LayoutPoint(right - card.width - 4, centre + 2),
        discard_count=LayoutPoint(right - card.width + 5, centre + 2 + card.height),
        player_discards=LayoutPoint(left, centre + 3),
        player_bet=LayoutPoint(middle, table.bottom - 3),
        button=LayoutPoint(left + 6, table.bottom - 3),
    )


LINE_WIDTH = 12
"""The width of a line, in columns."""


class HandNotes(CanvasWidget):
    """A title with rows below it; the notes are blank if there are no rows."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._text: tuple[str, TableRows] = "", ()

    def show(self, title: str, rows: Iterable[TableRow]) -> None:
        text = title, tuple(rows)
        if text != self._text:
            self._text = text
            self.refresh()

    def _shown(self) -> object:
        return self._text

    def _paint(self, canvas: Canvas) -> None:
        title, rows = self._text
        if rows:
            left = max(0, (canvas.width - LINE_WIDTH + 1) // 2)
            canvas.write(left, 2, title, line_styles_of(canvas.look.palette).gold)
            write_rows(canvas, left, 3, LINE_WIDTH, rows)


CHIPS = {GlyphSet.UNICODE: "●", GlyphSet.CP437: "•", GlyphSet.ASCII: "o"}
FAN_ROWS = 7
"""The minimum height at which a row of seats has room for cards."""


class SeatBet(Struct, frozen=True):
    """A seat's action in this betting round, such as ``bets``, and the chips in front of it."""

    act: str
    chips: int = 0


def bet_before(view: State, seat: int) -> SeatBet | None:
    """Return a seat's last act, according to the bets, in a position without earlier events."""
    if view.betting is None or seat not in view.alive:
        return None
    act = last_acts(view.betting, view.alive, view.stacks).get(seat)
    return None if act is None else SeatBet(ACTS[act], view.betting.bets[seat])


class OpponentSeat(Struct, frozen=True):
    """An opponent at one moment.

    ``style`` is how the opponent plays, ``money`` the stack as text, ``draw_text`` how many cards
    the opponent drew, and ``hand_name`` the name of the hand once it is shown.
    """

    name: str
    style: str
    hand: Hand = ()
    state: CardState = CardState.NORMAL
    money: str = ""
    draw_text: str = ""
    bet: SeatBet | None = None
    hand_name: str = ""
    folded: bool = False
    is_winner: bool = False
    is_dealer: bool = False


class PokerTableScene(Struct, frozen=True):
    """Everything that the table shows: the opponents, the pot and the discards; zeros are hidden.

    ``player_bet`` is what the player has put in, and ``player_discards`` are the cards that the
    player discarded. ``pot`` is ``None`` in free play.
    """

    opponents: tuple[OpponentSeat, ...] = ()
    pot: int | None = None
    player_bet: int = 0
    discard_count: int = 0
    player_discards: Hand = ()
    is_dealer: bool = False


class PokerTable(ContentWidget[PokerTableScene], CanvasWidget):
    """The table, the seats around it, and everything on it."""

    def __init__(self) -> None:
        super().__init__(PokerTableScene(), id="draw-table")

    def _paint(self, canvas: Canvas) -> None:
        plan = layout_for(canvas.width, canvas.height)
        if plan is None:
            _Row(canvas).paint(self.content)
        else:
            _Table(canvas, plan).paint(self.content)


class _Painter:
    """Paints on a canvas in the colours of its theme."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.inks = canvas, line_styles_of(canvas.look.palette)

    def seat_name(
        self, x: int, y: int, opponent: OpponentSeat, width: int, *, with_button: bool = False
    ) -> None:
        """Write the name centred on a column, and the style if there is room."""
        inks = self.inks
        ink = (
            inks.faint
            if opponent.folded
            else inks.good + Style(bold=True)
            if opponent.is_winner
            else inks.gold
        )
        pieces = [(opponent.name, ink)]
        room = width - len(opponent.name) - 4 * (with_button and opponent.is_dealer)
        if len(opponent.style) < room:
            pieces.append((f" {opponent.style}", inks.faint if opponent.folded else inks.muted))
        if with_button and opponent.is_dealer:
            pieces += [(" ", inks.text), (" D ", self.button_ink)]
        self.canvas.centre(x, y, *pieces)

    @property
    def button_ink(self) -> Style:
        """The style of the dealer button: dark on bright."""
        palette = self.canvas.look.palette
        if palette.text.startswith("#"):
            return style_of(palette.bg, palette.text) + Style(bold=True)
        return Style(bold=True, reverse=True)

    def fan(self, x: int, y: int, opponent: OpponentSeat, size: CardSize) -> None:
        """Draw a hand centred on a column, shifted if necessary to stay inside the canvas."""
        hand, look = opponent.hand, self.canvas.look
        width = sum(fan_offset(card, size) for card in hand[:-1]) + size.width
        left = max(0, min(x - (width + 1) // 2, self.canvas.width - width))
        self.canvas.put(left, y, fan_strips(hand, size, [opponent.state] * len(hand), look))

    def money(self, x: int, y: int, opponent: OpponentSeat) -> None:
        """Write the opponent's stack, and how many cards the opponent drew."""
        inks: LineStyles = self.inks
        strong, weak = (inks.faint, inks.faint) if opponent.folded else (inks.text, inks.muted)
        gap = "  " if opponent.money and opponent.draw_text else ""
        self.canvas.centre(x, y, (opponent.money, strong), (gap + opponent.draw_text, weak))

    def hand_name(self, x: int, y: int, opponent: OpponentSeat, width: int) -> int:
        """Write the name of a hand in as many lines as it needs, and return the row below them."""
        ink = self.inks.good if opponent.is_winner else self.inks.text
        for line in wrap_text(opponent.hand_name, width):
            self.canvas.centre(x, y, (line, ink))
            y += 1
        return y

    def bet(self, bet: SeatBet) -> tuple[tuple[str, Style], ...]:
        """Return the pieces of a bet with its chip; a raise shows the amount it raises to."""
        inks, chip = self.inks, CHIPS[self.canvas.look.tier]
        strong = inks.strong
        if not bet.chips:
            return ((bet.act, inks.muted),)
        if bet.act.endswith(" to"):
            return (f"{chip} ", inks.gold), (f"{bet.act} ", inks.muted), (f"{bet.chips:,}", strong)
        return (f"{chip} ", inks.gold), (f"{bet.chips:,} ", strong), (bet.act, inks.muted)

    def write(
        self, point: LayoutPoint, *pieces: tuple[str, Style], align_right: bool = False
    ) -> None:
        """Write pieces that start at a point, or that end there with ``align_right``."""
        x = point.x - align_right * sum(len(text) for text, _ in pieces)
        for text, style in pieces:
            x = self.canvas.write(x, point.y, text, style)


class _Table(_Painter):
    """Paints a table with its seats."""

    def __init__(self, canvas: Canvas, plan: TableLayout) -> None:
        super().__init__(canvas)
        self.layout = plan

    def paint(self, scene: PokerTableScene) -> None:
        draw_table(self.canvas, self.layout.table, self.layout.exponent)
        self._paint_centre(scene)
        for side, opponent in zip(SIDES[len(scene.opponents)], scene.opponents, strict=True):
            self._paint_seat(side, self.layout.spots[side], opponent)

    def _paint_centre(self, scene: PokerTableScene) -> None:
        plan, inks = self.layout, self.inks
        if scene.pot:
            self._paint_pot(scene.pot, self._pot_place(scene))
        if scene.player_bet:
            pieces = ("you put in ", inks.muted), (f"{scene.player_bet:,}", inks.strong)
            self.canvas.centre(*plan.player_bet, *pieces)
        if scene.is_dealer:
            self.write(plan.button, (" D ", self.button_ink))
        if scene.discard_count:
            back = card_strips(BACK, plan.card, CardState.NORMAL, self.canvas.look)
            self.canvas.put(*plan.discard_pile, back)
            number = f"{scene.discard_count}"
            self.write(
                plan.discard_count,
                ("discards ", inks.muted),
                (number, inks.strong),
                align_right=True,
            )
        if scene.player_discards:
            self.write(plan.player_discards, ("yours", inks.muted))
            self._paint_player_discards(
                LayoutPoint(plan.player_discards.x, plan.player_discards.y + 1),
                scene.player_discards,
            )

    def _paint_player_discards(self, point: LayoutPoint, cards: Sequence[Card]) -> None:
        look, (x, y) = self.canvas.look, point
        if not self.layout.framed:
            self.write(
                point, (" ".join(corner_index(card, look.tier) for card in cards), self.inks.muted)
            )
            return
        for card in cards:
            self.canvas.put(x, y, card_strips(card, CardSize.CHIP, CardState.NORMAL, look))
            x += CardSize.CHIP.width + 1

    def _pot_place(self, scene: PokerTableScene) -> LayoutPoint:
        """Return the middle of the pot, which gives way to a long bet in its row."""
        x, y = self.layout.pot
        for side, opponent in zip(SIDES[len(scene.opponents)], scene.opponents, strict=True):
            point = self.layout.spots[side].bet
            if side is TableSide.RIGHT and point.y == y and opponent.bet is not None:
                width = sum(len(text) for text, _ in self.bet(opponent.bet))
                x = min(x, point.x - width - 2 - (len(f"POT {scene.pot:,}") + 1) // 2)
        return LayoutPoint(x, y)

    def _paint_pot(self, pot: int, place: LayoutPoint) -> None:
        (x, y), inks, figure = place, self.inks, f"{pot:,}"
        if not self.layout.framed:
            self.canvas.centre(x, y, ("POT ", inks.muted), (figure, inks.gold))
            return
        above, sides, _, below = FRAMES[self.canvas.look.tier][CardState.NORMAL]
        for row, line in enumerate((above, sides, sides, below), y - 1):
            self.canvas.centre(x, row, (line[0] + line[1] * 13 + line[2], inks.gold))
        self.canvas.centre(x, y, ("POT", inks.muted))
        self.canvas.centre(x, y + 1, (figure, inks.gold))

    def _paint_seat(self, side: TableSide, spot: OpponentLayout, opponent: OpponentSeat) -> None:
        self.seat_name(spot.middle, spot.name, opponent, spot.text_width)
        if opponent.folded:
            row = spot.cards + self.layout.card.height // 2
            self.canvas.centre(spot.middle, row, ("folded", self.inks.faint))
        elif opponent.hand:
            self.fan(spot.middle, spot.cards, opponent, self.layout.card)
        self.money(spot.middle, spot.money, opponent)
        bet = spot.bet
        if opponent.hand_name:
            below = self.hand_name(spot.middle, spot.money + 1, opponent, spot.text_width)
            if side is TableSide.TOP:  # at the top, the bet is also below the stack
                bet = LayoutPoint(bet.x, max(bet.y, below))
        if opponent.bet is not None:
            self.write(bet, *self.bet(opponent.bet), align_right=side is TableSide.RIGHT)
        if opponent.is_dealer:
            self.write(spot.button, (" D ", self.button_ink))


class _Row(_Painter):
    """Paints the seats side by side, without their cards if there are few rows."""

    def paint(self, scene: PokerTableScene) -> None:
        count = max(1, len(scene.opponents))
        width = self.canvas.width // count - 1
        names = fit_names([opponent.name for opponent in scene.opponents], width)
        for place, (name, opponent) in enumerate(zip(names, scene.opponents, strict=True)):
            middle = self.canvas.width * (2 * place + 1) // (2 * count)
            self._paint_seat(middle, width, replace(opponent, name=name))

    def _paint_seat(self, middle: int, width: int, opponent: OpponentSeat) -> None:
        height, row = self.canvas.height, 1
        self.seat_name(middle, 0, opponent, width, with_button=True)
        size = CardSize.TINY if height >= FAN_ROWS and width > 16 else CardSize.CHIP
        if opponent.folded:
            self.canvas.centre(middle, row, ("folded", self.inks.faint))
            row += 1
        elif size is CardSize.TINY:
            if opponent.hand:
                self.fan(middle, row, opponent, size)
            row += size.height
        elif opponent.hand_name:
            cards = "".join(corner_index(card, self.canvas.look.tier) for card in opponent.hand)
            self.canvas.centre(middle, row, (cards, self.inks.strong))
            row += 1
        if opponent.hand_name:
            self.hand_name(middle, row, opponent, width)
            return
        self.money(middle, row, opponent)
        if opponent.bet is not None:
            self.canvas.centre(middle, row + 1, *self.bet(opponent.bet))
