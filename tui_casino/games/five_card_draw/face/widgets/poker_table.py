"""The table with the opponents around it: one canvas, or a row of seats where it is small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich.style import Style

from .....cards.card import BACK, Card, Hand
from .....cards.text_art import FRAMES, CardSize, CardState, corner_index, fan_offset
from .....tui.draw.canvas import Canvas
from .....tui.draw.card_art import card_strips, fan_strips
from .....tui.draw.felt import draw_table
from .....tui.draw.styles import LineStyles, line_styles_of, style_of
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import CanvasWidget
from .table_layout import SIDES, LayoutPoint, OpponentLayout, TableLayout, TableSide, layout_for

CHIPS = {GlyphSet.UNICODE: "●", GlyphSet.CP437: "•", GlyphSet.ASCII: "o"}
FAN_ROWS = 7
"""Rows from which on a row of seats has room for cards."""


@dataclass(frozen=True, slots=True)
class SeatBet:
    """What a seat has done in this round of bets: ``bets``; and what lies before it for that."""

    act: str
    chips: int = 0


@dataclass(frozen=True, slots=True)
class OpponentSeat:
    """An opponent as he sits there now.

    ``style`` is how he plays, ``money`` what lies before him, ``drew`` what he drew, ``words``
    what his hand is, once it is shown.
    """

    name: str
    style: str
    hand: Hand = ()
    state: CardState = CardState.NORMAL
    money: str = ""
    drew: str = ""
    bet: SeatBet | None = None
    words: str = ""
    folded: bool = False
    wins: bool = False
    deals: bool = False


@dataclass(frozen=True, slots=True)
class PokerTableScene:
    """All that the table shows: the opponents, the pot, what was thrown; 0 is not shown.

    ``mine`` is what the player has put in, ``yours`` are the cards that he threw; ``pot`` is
    ``None`` where nothing is played for.
    """

    opponents: tuple[OpponentSeat, ...] = ()
    pot: int | None = None
    mine: int = 0
    thrown: int = 0
    yours: Hand = ()
    deals: bool = False


class PokerTable(CanvasWidget):
    """The table, the seats around it, and all that lies on it."""

    def __init__(self) -> None:
        super().__init__(id="draw-table")
        self._scene = PokerTableScene()

    def show(self, scene: PokerTableScene) -> None:
        """Show this from now on."""
        if scene != self._scene:
            self._scene = scene
            self.refresh()

    @property
    def scene(self) -> PokerTableScene:
        """What it shows."""
        return self._scene

    def _shown(self) -> object:
        return self._scene

    def _paint(self, canvas: Canvas) -> None:
        plan = layout_for(canvas.width, canvas.height)
        if plan is None:
            _Row(canvas).paint(self._scene)
        else:
            _Table(canvas, plan).paint(self._scene)


class _Painter:
    """Paints on a canvas with the inks of its look."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.inks = canvas, line_styles_of(canvas.look.palette)

    def name(self, x: int, y: int, who: OpponentSeat, width: int, *, disc: bool = False) -> None:
        """Write name and style about a column; the style gives way."""
        inks = self.inks
        ink = inks.faint if who.folded else inks.good + Style(bold=True) if who.wins else inks.gold
        pieces = [(who.name, ink)]
        room = width - len(who.name) - 4 * (disc and who.deals)
        if len(who.style) < room:
            pieces.append((f" {who.style}", inks.faint if who.folded else inks.muted))
        if disc and who.deals:
            pieces += [(" ", inks.text), (" D ", self.disc_ink)]
        self.canvas.centre(x, y, *pieces)

    @property
    def disc_ink(self) -> Style:
        """The dealer's disc: dark on bright."""
        palette = self.canvas.look.palette
        if palette.text.startswith("#"):
            return style_of(palette.bg, palette.text) + Style(bold=True)
        return Style(bold=True, reverse=True)

    def fan(self, x: int, y: int, who: OpponentSeat, size: CardSize) -> None:
        """Lay cards down about a column, as far inside the canvas as they can be."""
        hand, look = who.hand, self.canvas.look
        width = sum(fan_offset(card, size) for card in hand[:-1]) + size.width
        left = max(0, min(x - (width + 1) // 2, self.canvas.width - width))
        self.canvas.put(left, y, fan_strips(hand, size, [who.state] * len(hand), look))

    def money(self, x: int, y: int, who: OpponentSeat) -> None:
        """Write what lies before a seat, and what it drew."""
        inks: LineStyles = self.inks
        strong, weak = (inks.faint, inks.faint) if who.folded else (inks.text, inks.muted)
        gap = "  " if who.money and who.drew else ""
        self.canvas.centre(x, y, (who.money, strong), (gap + who.drew, weak))

    def words(self, x: int, y: int, who: OpponentSeat, width: int) -> int:
        """Write what a hand is, in as many lines as it needs; give the row below them."""
        ink = self.inks.good if who.wins else self.inks.text
        for line in wrap(who.words, width):
            self.canvas.centre(x, y, (line, ink))
            y += 1
        return y

    def bet(self, bet: SeatBet) -> tuple[tuple[str, Style], ...]:
        """Give the pieces of a bet with its chip: one that raises names what it raises to."""
        inks, chip = self.inks, CHIPS[self.canvas.look.tier]
        strong = inks.strong
        if not bet.chips:
            return ((bet.act, inks.muted),)
        if bet.act.endswith(" to"):
            return (f"{chip} ", inks.gold), (f"{bet.act} ", inks.muted), (f"{bet.chips:,}", strong)
        return (f"{chip} ", inks.gold), (f"{bet.chips:,} ", strong), (bet.act, inks.muted)

    def write(self, at: LayoutPoint, *pieces: tuple[str, Style], ends: bool = False) -> None:
        """Write pieces from a point on, or so that they end there."""
        x = at.x - ends * sum(len(text) for text, _ in pieces)
        for text, style in pieces:
            x = self.canvas.write(x, at.y, text, style)


class _Table(_Painter):
    """Paints a table with its seats."""

    def __init__(self, canvas: Canvas, plan: TableLayout) -> None:
        super().__init__(canvas)
        self.plan = plan

    def paint(self, scene: PokerTableScene) -> None:
        """Paint all of it."""
        draw_table(self.canvas, self.plan.table, self.plan.exponent)
        self._middle(scene)
        for side, who in zip(SIDES[len(scene.opponents)], scene.opponents, strict=True):
            self._seat(side, self.plan.spots[side], who)

    def _middle(self, scene: PokerTableScene) -> None:
        plan, inks = self.plan, self.inks
        if scene.pot:
            self._pot(scene.pot)
        if scene.mine:
            said = ("you put in ", inks.muted), (f"{scene.mine:,}", inks.strong)
            self.canvas.centre(*plan.mine, *said)
        if scene.deals:
            self.write(plan.disc, (" D ", self.disc_ink))
        if scene.thrown:
            back = card_strips(BACK, plan.card, CardState.NORMAL, self.canvas.look)
            self.canvas.put(*plan.pile, back)
            number = f"{scene.thrown}"
            self.write(plan.number, ("thrown ", inks.muted), (number, inks.strong), ends=True)
        if scene.yours:
            self.write(plan.yours, ("yours", inks.muted))
            self._yours(LayoutPoint(plan.yours.x, plan.yours.y + 1), scene.yours)

    def _yours(self, at: LayoutPoint, cards: Sequence[Card]) -> None:
        look, (x, y) = self.canvas.look, at
        if not self.plan.framed:
            self.write(
                at, (" ".join(corner_index(card, look.tier) for card in cards), self.inks.muted)
            )
            return
        for card in cards:
            self.canvas.put(x, y, card_strips(card, CardSize.CHIP, CardState.NORMAL, look))
            x += CardSize.CHIP.width + 1

    def _pot(self, pot: int) -> None:
        (x, y), inks, figure = self.plan.pot, self.inks, f"{pot:,}"
        if not self.plan.framed:
            self.canvas.centre(x, y, ("POT ", inks.muted), (figure, inks.gold))
            return
        above, sides, _, below = FRAMES[self.canvas.look.tier][CardState.NORMAL]
        for row, line in enumerate((above, sides, sides, below), y - 1):
            self.canvas.centre(x, row, (line[0] + line[1] * 13 + line[2], inks.gold))
        self.canvas.centre(x, y, ("POT", inks.muted))
        self.canvas.centre(x, y + 1, (figure, inks.gold))

    def _seat(self, side: TableSide, spot: OpponentLayout, who: OpponentSeat) -> None:
        self.name(spot.middle, spot.name, who, spot.words)
        if who.folded:
            row = spot.cards + self.plan.card.height // 2
            self.canvas.centre(spot.middle, row, ("folded", self.inks.faint))
        elif who.hand:
            self.fan(spot.middle, spot.cards, who, self.plan.card)
        self.money(spot.middle, spot.money, who)
        bet = spot.bet
        if who.words:
            below = self.words(spot.middle, spot.money + 1, who, spot.words)
            if side is TableSide.TOP:  # his bet lies below his money, too
                bet = LayoutPoint(bet.x, max(bet.y, below))
        if who.bet is not None:
            self.write(bet, *self.bet(who.bet), ends=side is TableSide.RIGHT)
        if who.deals:
            self.write(spot.disc, (" D ", self.disc_ink))


class _Row(_Painter):
    """Paints the seats side by side; where there are few rows, without their cards."""

    def paint(self, scene: PokerTableScene) -> None:
        """Paint all of them."""
        count = max(1, len(scene.opponents))
        for place, who in enumerate(scene.opponents):
            middle = self.canvas.width * (2 * place + 1) // (2 * count)
            self._seat(middle, self.canvas.width // count - 1, who)

    def _seat(self, middle: int, width: int, who: OpponentSeat) -> None:
        height, row = self.canvas.height, 1
        self.name(middle, 0, who, width, disc=True)
        size = CardSize.TINY if height >= FAN_ROWS and width > 16 else CardSize.CHIP
        if who.folded:
            self.canvas.centre(middle, row, ("folded", self.inks.faint))
            row += 1
        elif size is CardSize.TINY:
            if who.hand:
                self.fan(middle, row, who, size)
            row += size.height
        elif who.words:
            cards = "".join(corner_index(card, self.canvas.look.tier) for card in who.hand)
            self.canvas.centre(middle, row, (cards, self.inks.strong))
            row += 1
        if who.words:
            self.words(middle, row, who, width)
            return
        self.money(middle, row, who)
        if who.bet is not None:
            self.canvas.centre(middle, row + 1, *self.bet(who.bet))
