"""The table seen from above: both hands, and the spots for bets on an arc before them.

A window without room for the felt has the hands side by side, and a line of spots below them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.style import Style
from textual.geometry import Region
from textual.message import Message

from .....cards.text_art import CardSize
from .....gamekit.number_formats import signed_money
from .....tui.draw.canvas import Canvas
from .....tui.draw.card_art import CardState, card_strips
from .....tui.draw.felt import box_lines, draw_table
from .....tui.draw.look import line_styles_of, result_tone, style_of
from .....tui.draw.text import empty_mark
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import CanvasWidget, ContentWidget
from ...machine import rules

if TYPE_CHECKING:
    from textual import events


LEAST = 78, 9
"""The smallest felt, in columns and rows."""
SIDE = 15
"""Columns on each side of the hands on a low felt, for their names and the outer spots."""
BOX = 5
"""The rows of a spot in a frame: its name, what it pays, the bet, the last result."""
USUAL, WIDEST, ROOMY = 15, 23, 130
"""The columns of a spot, those of a spot on a wide felt, and the columns of such a felt."""
ARC = (3, 1, 0, 1, 3)
"""The rows by which each spot lies above the middle one."""
GAP = 2


class FeltLayout(Struct, frozen=True):
    """The place and shape of the felt, and the places of both hands' cards and names, and spots.

    A name begins at its point on a ``framed`` felt. On a low one, the name, total and result are
    one below the other; the player's end at the point, and the banker's begin there.
    """

    felt: Region
    exponent: float
    card: CardSize
    cards: dict[rules.HandSide, tuple[int, int]]
    names: dict[rules.HandSide, tuple[int, int]]
    spots: tuple[Region, ...]
    framed: bool


def hand_width(card: CardSize) -> int:
    """Return the width of a whole hand, with a column between two cards."""
    return rules.CAPACITY * (card.width + 1) - 1


@lru_cache(8)
def layout_for(width: int, height: int) -> FeltLayout | None:
    """Return the layout with the largest cards that fit, or ``None`` if there is no room."""
    for card in (CardSize.GIANT, CardSize.LARGE, CardSize.NORMAL, CardSize.SMALL):
        rows = 1 + card.height + BOX + max(ARC)
        if width >= 2 * hand_width(card) + 3 * GAP + card.width and height >= rows + 2:
            return _high(width, height, card)
    return _low(width, height) if width >= LEAST[0] and height >= LEAST[1] else None


def _high(width: int, height: int, card: CardSize) -> FeltLayout:
    """Lay out a felt with all spots below the hands, each in a frame."""
    spare = height - 2 - (1 + card.height + BOX + max(ARC))
    top, middle = 1 + spare // 2, width // 2
    between = max(GAP, (width - 2 * hand_width(card)) // 6)
    left = {
        rules.HandSide.PLAYER: middle - between // 2 - hand_width(card),
        rules.HandSide.BANKER: middle + (between + 1) // 2,
    }
    margin = width // 24
    room = min((width - 2 * margin) // len(rules.SPOTS) - 1, WIDEST if width >= ROOMY else USUAL)
    step = (width - 2 * margin - room) // (len(rules.SPOTS) - 1)
    first = middle - (step * (len(rules.SPOTS) - 1) + room) // 2
    bottom = height - 1 - (spare - spare // 2) // 2 - BOX
    return FeltLayout(
        Region(0, 0, width, height),
        4.0,
        card,
        {side: (x, top + 1) for side, x in left.items()},
        {side: (x, top) for side, x in left.items()},
        tuple(
            Region(first + place * step, bottom - rise, room, BOX) for place, rise in enumerate(ARC)
        ),
        framed=True,
    )


def _low(width: int, height: int) -> FeltLayout:
    """Lay out a felt of nine rows, with the outer spots at the sides of the hands."""
    card, middle, y = CardSize.SMALL, width // 2, (height - LEAST[1]) // 2
    player, banker = middle - GAP - hand_width(card), middle + GAP
    outer, inner = (y + 4, SIDE - 2), (y + 6, SIDE + 1)
    left, right = player - SIDE + 1, banker + hand_width(card) + 1
    step = inner[1] + 1
    spots = (
        Region(left, outer[0], outer[1], 2),
        *(
            Region(middle - inner[1] // 2 + place * step, inner[0], inner[1], 2)
            for place in (-1, 0, 1)
        ),
        Region(right, outer[0], outer[1], 2),
    )
    return FeltLayout(
        Region(0, y, width, LEAST[1]),
        6.0,
        card,
        {rules.HandSide.PLAYER: (player, y + 1), rules.HandSide.BANKER: (banker, y + 1)},
        {rules.HandSide.PLAYER: (player - 2, y + 1), rules.HandSide.BANKER: (right + 1, y + 1)},
        spots,
        framed=False,
    )


BOLD = Style(bold=True)
NAMES = {rules.HandSide.PLAYER: "PLAYER", rules.HandSide.BANKER: "BANKER"}
SHORT = {
    rules.BetSpot.PLAYER: "PLAYER",
    rules.BetSpot.BANKER: "BANKER",
    rules.BetSpot.TIE: "TIE",
    rules.BetSpot.PLAYER_PAIR: "P PAIR",
    rules.BetSpot.BANKER_PAIR: "B PAIR",
}
CHIPS = {GlyphSet.UNICODE: "●", GlyphSet.CP437: "•", GlyphSet.ASCII: "o"}
Piece = tuple[str, Style]


class SideScene(Struct, frozen=True):
    """One of the two hands; ``states`` says how to draw each of its cards."""

    hand: rules.Hand = rules.NO_CARDS
    states: tuple[CardState, ...] = ()
    natural: bool = False
    wins: bool = False


class BaccaratScene(Struct, frozen=True):
    """Everything that the table shows.

    ``last`` holds the bets of the coup whose cards are shown, and ``nets`` the net result of each
    of them in cents.
    """

    player: SideScene = SideScene()
    banker: SideScene = SideScene()
    bets: rules.Bets = rules.NO_BETS
    last: rules.Bets = rules.NO_BETS
    nets: rules.Bets = rules.NO_BETS

    @property
    def shows_last(self) -> bool:
        """Whether a spot shows its bet of the last coup, because there is no bet for the next."""
        return any(self.last) and not any(self.bets)


class BaccaratTable(ContentWidget[BaccaratScene], CanvasWidget):
    """The hands and the betting spots; the spots can be clicked."""

    class Pressed(Message):
        """Posted when a spot is clicked."""

        def __init__(self, spot: rules.BetSpot) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self, options: rules.Options) -> None:
        super().__init__(BaccaratScene(), id="bac-table")
        self._options = options

    def _paint(self, canvas: Canvas) -> None:
        layout = layout_for(canvas.width, canvas.height)
        if layout is None:
            _Row(canvas, self.content).paint()
        else:
            _Felt(canvas, self.content, layout, self._options).paint()

    @property
    def spot_regions(self) -> tuple[Region, ...]:
        """The place of each spot within the widget."""
        if layout := layout_for(*self.size):
            return layout.spots
        room = self.size.width // len(rules.SPOTS)
        return tuple(
            Region(place * room, self.size.height - 1, room, 1) for place in range(len(rules.SPOTS))
        )

    def on_click(self, event: events.Click) -> None:
        """Post :class:`Pressed` for the clicked spot."""
        for spot, region in zip(rules.SPOTS, self.spot_regions, strict=True):
            if region.contains(event.x, event.y):
                self.post_message(self.Pressed(spot))


class _Painter:
    """Paints on a canvas in the colours of its theme."""

    def __init__(self, canvas: Canvas, scene: BaccaratScene) -> None:
        self.canvas, self.scene = canvas, scene
        self.inks = line_styles_of(canvas.look.palette)
        self.sides = {rules.HandSide.PLAYER: scene.player, rules.HandSide.BANKER: scene.banker}

    def hand(self, x: int, y: int, side: rules.HandSide, card: CardSize) -> None:
        """Draw a hand with its empty places."""
        scene, look = self.sides[side], self.canvas.look
        for place in range(rules.CAPACITY):
            state = scene.states[place] if place < len(scene.states) else CardState.NORMAL
            strips = card_strips(scene.hand.get(place), card, state, look)
            self.canvas.put(x + place * (card.width + 1), y, strips)

    def name(self, side: rules.HandSide) -> list[Piece]:
        """Return a hand's name and total, and after the coup its result."""
        palette, scene = self.canvas.look.palette, self.sides[side]
        colour = palette.blue if side is rules.HandSide.PLAYER else palette.red
        total = f" {rules.value_of(scene.hand)}" if scene.hand != rules.NO_CARDS else ""
        pieces = [(NAMES[side], style_of(colour) + BOLD), (f" {total}", self.inks.strong)]
        if scene.natural:
            pieces.append((" NATURAL ", self.inks.strong + Style(reverse=True)))
        if scene.wins:
            star = "★" if self.canvas.look.tier is GlyphSet.UNICODE else "*"
            pieces.append((f"{star} WINS", self.inks.best))
        return pieces


class _Felt(_Painter):
    """Paints the felt, with spots like seats at a table."""

    def __init__(
        self, canvas: Canvas, scene: BaccaratScene, layout: FeltLayout, options: rules.Options
    ) -> None:
        super().__init__(canvas, scene)
        self.layout, self._options = layout, options

    def paint(self) -> None:
        draw_table(self.canvas, self.layout.felt, self.layout.exponent)
        for side in rules.HandSide:
            self.hand(*self.layout.cards[side], side, self.layout.card)
            self._name(side)
        for place, region in enumerate(self.layout.spots):
            if self.layout.framed:
                self._frame(place, region)
            else:
                self._block(place, region)

    def _name(self, side: rules.HandSide) -> None:
        (x, y), pieces = self.layout.names[side], self.name(side)
        if self.layout.framed:
            for text, style in pieces:
                x = self.canvas.write(x, y, text, style) + 2 * (text.strip() != NAMES[side])
            return
        lines = [pieces[:2], *([piece] for piece in pieces[2:])]
        for row, line in enumerate(lines, y):
            start = x - sum(len(text) for text, _ in line) if side is rules.HandSide.PLAYER else x
            for text, style in line:
                start = self.canvas.write(start, row, text, style)

    def _ink(self, place: int) -> Style:
        """Return the style of a spot's name and frame: gold with your bet, green if it won."""
        if self.scene.bets[place]:
            return self.inks.gold
        if self.scene.last[place]:
            return self.inks.best if self.scene.nets[place] > 0 else self.inks.text
        return self.inks.muted

    def _spot_name(self, place: int, edges: int) -> str:
        """Return a spot's key and name; all names are short if one of them does not fit."""
        spots = zip(rules.SPOTS, self.layout.spots, strict=True)
        fit = all(len(f"{place} {one.label}") <= region.width - edges for one, region in spots)
        spot = rules.SPOTS[place]
        return f"{place + 1} {spot.label if fit else SHORT[spot].capitalize()}"

    def _block(self, place: int, region: Region) -> None:
        """Paint a spot of two rows: its name, and the bet, the last result, or what it pays."""
        palette, spot, width = self.canvas.look.palette, rules.SPOTS[place], region.width
        ground = style_of(palette.text, palette.bg)
        for row in range(region.height):
            self.canvas.write(region.x, region.y + row, " " * width, ground)
        self.canvas.write(
            region.x + 1, region.y, self._spot_name(place, 2), self._ink(place) + BOLD
        )
        if bet := self.scene.bets[place]:
            text, ink = f"{CHIPS[self.canvas.look.tier]} {bet}", self.inks.gold
        elif self.scene.last[place]:
            net = self.scene.nets[place]
            text, ink = f"last {signed_money(net)}", self._net_ink(net)
            text = text if len(text) < width else signed_money(net)
        else:
            text, ink = spot.pays(self._options), self.inks.muted
        self.canvas.write(region.x + 1, region.y + 1, text[: width - 1], ink)

    def _frame(self, place: int, region: Region) -> None:
        """Paint a spot in a frame: what it pays, what is bet, and the last result."""
        look, spot, width = self.canvas.look, rules.SPOTS[place], region.width
        palette, ink = look.palette, self._ink(place)
        frame = style_of(palette.rim, palette.bg)
        if self.scene.bets[place] or self.scene.last[place]:
            frame += ink
        for row, line in enumerate(box_lines(width, region.height, look.tier), region.y):
            self.canvas.write(region.x, row, line, frame)
        inset = 2 if width >= USUAL else 1
        room = width - 2 * inset
        name = f" {self._spot_name(place, 2 * inset + 2)} "
        self.canvas.centre(region.x + width // 2, region.y, (name, ink + BOLD))
        bet, net, blank = self.scene.bets[place], self.scene.nets[place], empty_mark(look.tier)
        played = bool(self.scene.last[place])
        rows = (
            ("pays", spot.pays(self._options), self.inks.text),
            ("bet", str(bet) if bet else blank, self.inks.gold if bet else self.inks.muted),
            ("last", signed_money(net) if played else blank, self._net_ink(net)),
        )
        for row, (label, figure, style) in enumerate(rows, region.y + 1):
            if len(label) + 1 + len(figure) <= room:
                self.canvas.write(region.x + inset, row, label, self.inks.muted)
            self.canvas.write(region.right - inset - len(figure), row, figure, style)

    def _net_ink(self, net: int) -> Style:
        return self.inks.style(result_tone(net))


class _Row(_Painter):
    """Paints the hands side by side, and the spots in one line below."""

    def paint(self) -> None:
        half = self.canvas.width // 2
        card = CardSize.fitting((half + 1) // rules.CAPACITY - 1, self.canvas.height - 2)
        for place, side in enumerate(rules.HandSide):
            middle = place * half + half // 2
            pieces = self.name(side)
            spaced = [(f"{text}  " if n else text, style) for n, (text, style) in enumerate(pieces)]
            self.canvas.centre(middle, 0, *spaced)
            self.hand(middle - hand_width(card) // 2, 1, side, card)
        room = max(1, self.canvas.width // len(rules.SPOTS))
        for place in range(len(rules.SPOTS)):
            text = spot_text(place, self.scene, room)
            self.canvas.write(place * room, self.canvas.height - 1, text[:room], self._ink(place))

    def _ink(self, place: int) -> Style:
        if self.scene.shows_last:
            return self.inks.best if self.scene.nets[place] > 0 else self.inks.muted
        return self.inks.gold if self.scene.bets[place] else self.inks.muted


def spot_text(place: int, scene: BaccaratScene, room: int) -> str:
    """Return a spot's name and its bet; after a coup, the result of its bet."""
    return next(text for text in _spot_texts(place, scene, room) if text)


def _spot_texts(place: int, scene: BaccaratScene, room: int) -> Iterator[str]:
    spot, short = rules.SPOTS[place], rules.SPOTS[place].value.upper()
    credits = scene.last[place] if scene.shows_last else scene.bets[place]
    names = [f" {place + 1} {SHORT[spot]} "] if room >= 14 else []
    names += [f" {place + 1} {short} "] if room >= 11 else []
    names += [f"{place + 1}{short}"]
    if not credits:
        yield names[0]
        return
    if not scene.shows_last:
        yield f"{names[0]}({credits})"
    net = signed_money(scene.nets[place])  # without brackets, which would mark a bet
    whole = net.removesuffix(".00")
    results = (f"last {net}", net, whole)
    texts = (f"{name.rstrip()} {result}" for result in results for name in names)
    yield from (text for text in texts if len(text) - text.startswith(" ") < room)
    close = f"{names[-1]}{whole}"
    yield close if len(close) < room else whole
