"""The list of games in the menu: two-line rows, or tiles with cards on a wide screen."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import NamedTuple

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from ...cards.card import Card
from ...gamekit.number_formats import signed_money
from ...inputs.numbers import count_noun
from ..draw.canvas import Canvas, CanvasRow
from ..draw.card_art import CardSize, fan_strips
from ..draw.card_art import CardState as Art
from ..draw.look import (
    LineStyles,
    Look,
    graph_style,
    line_styles_of,
    result_colour,
    rule_style,
    style_of,
)
from ..draw.plots import bankroll_bars
from ..draw.segments import centre_strip, text_width, truncate_at_word
from ..draw.text import SIGNS
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import LineWidget

SIGN = (
    "▀█▀ █ █ █   █▀▀ █▀█ █▀▀ █ █▀█ █▀█",
    " █  █▄█ █   █▄▄ █▀█ ▄▄█ █ █ █ █▄█",
)
NAME, TILE_NAME = 5, 30
"""The columns at which names begin, in rows and in tiles."""
TILES = 66
"""The minimum width at which games are shown as tiles."""
TILE, USUAL_TILE, LARGEST_TILE = 4, 6, 10
"""The minimum rows of a tile, the most without the program's name above, and the maximum."""
LARGE = 9
"""The minimum rows of a tile at which its cards are drawn larger."""
BROADEST = 108
"""The maximum width of the list; on wider screens both sides stay empty."""
BESIDE = 38
"""The number of columns of a row that the bankroll graph cannot use."""
LEAST_BARS, USUAL_BARS, MOST_BARS = 6, 14, 40
"""Columns of the bankroll graph: the minimum (with less room there is no graph), the usual width
and the maximum."""
ROOM = 17
"""Columns reserved for the name of a room."""

ROOMY = 3
"""The rows of a game with an empty row below it."""
HEAD = "net after each session, total"
"""The head above the bars and the figures of the games."""


class GameEntry(NamedTuple):
    """A game as the menu offers it.

    ``table`` is the table at which the player would sit down, ``line`` a short description, and
    ``waits`` the position of an interrupted session, as in ``waiting: hand 14``.
    ``course`` holds the cumulative net result in cents, starting with 0 before the first session.
    """

    key: str
    title: str
    table: str
    line: str = ""
    waits: str = ""
    course: tuple[int, ...] = ()
    cards: str = ""

    @property
    def net(self) -> str:
        """The net result of all sessions."""
        return signed_money(self.course[-1]) if self.course else ""


class RoomEntry(NamedTuple):
    """A room in the menu: its key, its name, and a short description.

    ``more`` is the end of the description, which is left out if it does not fit.
    """

    key: str
    name: str
    words: str
    more: str = ""


class GameListLayout(NamedTuple):
    """The layout: ``each`` rows per game, with ``shown`` games visible from the ``first`` on.

    The games begin at row ``top``, the rooms at row ``rooms``. ``sign`` is the row of the program's
    name, and ``rule`` that of the line above the rooms, if there is space for them. ``entered`` is
    the number of rooms shown. If space is short, games take precedence, and the keys of the
    remaining rooms are only in the key bar.
    """

    each: int
    first: int
    shown: int
    top: int
    rooms: int
    entered: int
    sign: int | None = None
    rule: int | None = None


class GameList(LineWidget):
    """The games with a cursor, the rooms below them, and notices."""

    class Chosen(Message):
        """The player clicked on a game; ``place`` is its index."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    class Entered(Message):
        """The player clicked on a room; ``key`` is the room's key."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__(id="games")
        self._offers: tuple[GameEntry, ...] = ()
        self._rooms: tuple[RoomEntry, ...] = ()
        self._notes: tuple[str, ...] = ()
        self._moves = self._moves_key = ""
        self._at, self.moved = 0, False

    def show(
        self, offers: Iterable[GameEntry], rooms: Iterable[RoomEntry], notes: Iterable[str] = ()
    ) -> None:
        """Show these games, rooms and notes; redraw only if something changed."""
        before = self._shown()
        self._offers, self._rooms, self._notes = (*offers,), (*rooms,), (*notes,)
        self._at = min(self._at, max(0, len(self._offers) - 1))
        if self._shown() != before:
            self.refresh()

    def show_moves(self, text: str, key: str) -> None:
        """Show in a line above everything at which tables it is the player's move.

        The ``key`` opens the tables with other people.
        """
        moves = f"{text} ({key})" if text else ""
        if moves != self._moves:
            self._moves, self._moves_key = moves, key
            self.refresh()

    @property
    def at(self) -> int:
        return self._at

    @property
    def first_game(self) -> Region:
        plan = self.plan(self.size)
        return Region(self.region.x, self.region.y + plan.top, self.size.width, plan.each)

    def go_to(self, place: int) -> None:
        """Move the cursor to a game; the last game is followed by the first."""
        self.moved = True
        self._at = place % max(1, len(self._offers))
        self.refresh()

    # ---- layout ---------------------------------------------------------------------------

    def plan(self, area: Size) -> GameListLayout:
        """Return the layout for this area, below the line with the player's moves."""
        if not self._moves:
            return self._plan(area)
        plan = self._plan(area - Size(0, 1))
        sign = None if plan.sign is None else plan.sign + 1
        rule = None if plan.rule is None else plan.rule + 1
        return plan._replace(top=plan.top + 1, rooms=plan.rooms + 1, sign=sign, rule=rule)

    def _plan(self, area: Size) -> GameListLayout:
        """Return the layout for this area: each game gets as many rows as fit."""
        games, noted, rooms = len(self._offers), len(self._noted(area.width)), len(self._rooms)
        below = rooms + noted
        layouts = [(ROOMY, False), (2, False)]
        if area.width >= TILES:
            signed = [(each, True) for each in range(LARGEST_TILE, TILE - 1, -1)]
            plain = [(each, False) for each in range(USUAL_TILE, TILE - 1, -1)]
            layouts = [*signed, *plain, *layouts]
        for each, sign in layouts:
            spare = area.height - each * games - 1 - below
            if spare >= (len(SIGN) + 2 if sign else 0):
                top = len(SIGN) + 2 if sign else min(1, spare)
                end = top + each * games
                return GameListLayout(each, 0, games, top, end + 1, rooms, 1 if sign else None, end)
        entered = max(1, min(rooms, area.height - 2 * games - noted))
        count = min(games, max(1, (area.height - entered - noted) // 2))
        first = min(max(0, self._at - count + 1), games - count)
        return GameListLayout(2, first, count, 0, 2 * count, entered)

    def _noted(self, width: int) -> list[str]:
        return [line for note in self._notes for line in wrap(note, max(20, width - 4))]

    def on_click(self, event: events.Click) -> None:
        plan = self.plan(self.size)
        place, room = plan.first + (event.y - plan.top) // plan.each, event.y - plan.rooms
        if self._moves and event.y == 0:
            self.post_message(self.Entered(self._moves_key))
        elif plan.top <= event.y < plan.top + plan.each * plan.shown:
            self.post_message(self.Chosen(place))
        elif 0 <= room < plan.entered:
            self.post_message(self.Entered(self._rooms[room].key))

    # ---- drawing --------------------------------------------------------------------------

    def _shown(self) -> object:
        return self._offers, self._rooms, self._notes, self._at, self._moves

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        plan, inks = self.plan(area), line_styles_of(look.palette)
        width = min(area.width, BROADEST)
        canvas = Canvas(width, area.height, look)
        rows = canvas.rows()
        if self._moves:
            is_long = text_width(self._moves) > width - 4
            short = f"{self._moves.partition(':')[0]} ({self._moves_key})"
            rows[0].put(2, short if is_long else self._moves, inks.gold)
        if plan.sign is not None:
            self._draw_sign(rows[plan.sign :], look, inks)
        paint = _paint_tile if plan.each >= TILE else _paint_rows
        pictured = self._pictured(width)
        if paint is _paint_tile or pictured:
            self._draw_head(rows, plan, inks)
        for place in range(plan.first, plan.first + plan.shown):
            if own := rows[plan.top + plan.each * (place - plan.first) :][: plan.each]:
                paint(own, (self._offers[place], place == self._at, look, inks), pictured)
        if plan.rule is not None and plan.rule < area.height:
            rows[plan.rule].put(2, "─" * (width - 4), rule_style(look.palette))
        self._draw_rooms(rows[plan.rooms :], plan.entered, look, inks)
        return [centre_strip(strip, area.width) for strip in canvas.strips()]

    def _pictured(self, width: int) -> range:
        """Return the columns of the bankroll graphs in two-line rows, the same for all games."""
        figures = max((len(offer.net) for offer in self._offers), default=0)
        names = max((len(offer.title) for offer in self._offers), default=0)
        end = width - 3 - max(figures, 7)
        wide = min(max(USUAL_BARS, width - BESIDE), MOST_BARS, end - NAME - names - 1)
        return range(end - wide, end) if wide >= LEAST_BARS else range(0)

    def _draw_head(self, rows: list[CanvasRow], plan: GameListLayout, inks: LineStyles) -> None:
        """Write what the bars are, if there is a row above the games."""
        if plan.top > bool(self._moves) and any(offer.course for offer in self._offers):
            row = rows[plan.top - 1]
            row.put_before(row.width - 2, HEAD, inks.muted)

    def _draw_sign(self, rows: list[CanvasRow], look: Look, inks: LineStyles) -> None:
        if look.tier is GlyphSet.ASCII:
            rows[0].put(TILE_NAME, "T U I   C A S I N O", inks.gold)
            return
        for row, line in zip(rows, SIGN, strict=False):
            row.put(TILE_NAME, line, inks.gold)

    def _draw_rooms(
        self, rows: list[CanvasRow], entered: int, look: Look, inks: LineStyles
    ) -> None:
        below = iter(rows)
        for room, row in zip(self._rooms[:entered], below, strict=False):
            row.put(2, room.key, inks.gold)
            row.put(NAME, room.name, inks.strong)
            space = row.width - 1 - NAME - ROOM
            words = room.words + room.more
            if len(words) > space:
                words = truncate_at_word(room.words, space, look.tier)
            row.put(NAME + ROOM, words, inks.muted)
        for note, row in zip(self._noted(self.size.width), below, strict=False):
            row.put(2, note, inks.muted)


PaintState = tuple[GameEntry, bool, Look, LineStyles]
"""A game, whether the cursor is on it, the look, and the styles of its lines."""


def _paint_rows(rows: list[CanvasRow], what: PaintState, pictured: range) -> None:
    """Draw a game in two rows: name and net result, then the table or waiting session."""
    offer, lit, look, inks = what
    first, *second = rows[:2]
    _light(rows[:2], 0, lit, look, inks)
    first.put(2, offer.key, inks.gold)
    first.put(NAME, offer.title, inks.gold if lit else inks.strong)
    if offer.course:
        _picture(first, pictured, what)
        first.put_before(
            first.width - 2, offer.net, style_of(result_colour(offer.course[-1], look.palette))
        )
    for row in second:  # in a window of few rows there is none
        _state(row, NAME, offer.waits, offer.table if offer.course else offer.line, look, inks)


def _paint_tile(rows: list[CanvasRow], what: PaintState, pictured: range) -> None:
    """Draw a game as a tile: its cards, name, table, waiting session and bankroll graph."""
    offer, lit, look, inks = what
    _light(rows, 1, lit, look, inks)
    name, table, state, money, *_ = rows[(len(rows) - TILE) // 2 :]
    cards = tuple(map(Card.parse, offer.cards.split()))
    size = CardSize.SMALL if len(rows) >= LARGE else CardSize.TINY
    fan = fan_strips(cards, size, [Art.NORMAL] * len(cards), look, pictures=True)
    for row, strip in zip(rows[(len(rows) - size.height) // 2 :], fan, strict=False):
        row.join(4, strip)
    right = name.width - 4
    name.put(TILE_NAME - 3, offer.key, inks.gold)
    name.put(TILE_NAME, offer.title, inks.gold if lit else inks.strong)
    table.put(TILE_NAME, offer.table or offer.line, inks.muted)
    if offer.waits or offer.table:
        _state(state, TILE_NAME, offer.waits, offer.line, look, inks)
    if offer.course:
        name.put_before(right, offer.net, style_of(result_colour(offer.course[-1], look.palette)))
        sittings = len(offer.course) - 1
        table.put_before(right, count_noun(sittings, "session"), inks.muted)
        wide = min(MOST_BARS, right - TILE_NAME)
        _picture(money, range(TILE_NAME, TILE_NAME + wide), what)


def _light(rows: list[CanvasRow], left: int, lit: bool, look: Look, inks: LineStyles) -> None:
    if lit:
        ground = style_of(look.palette.text, look.palette.panel)
        for row in rows:
            row.ground(left, row.width - 1, ground)
            row.put(left, SIGNS[look.tier]["cursor"], inks.gold)


def _state(row: CanvasRow, x: int, waits: str, else_: str, look: Look, inks: LineStyles) -> None:
    if waits:
        row.put(x, f"{SIGNS[look.tier]['waits']} {waits}", inks.gold, row.width - 2)
    else:
        row.put(x, truncate_at_word(else_, row.width - 2 - x, look.tier), inks.muted)


def _picture(row: CanvasRow, columns: range, what: PaintState) -> None:
    offer, lit, look, _ = what
    if columns:
        colour = graph_style(result_colour(offer.course[-1], look.palette), look.palette, lit=lit)
        row.put(columns.start, bankroll_bars(offer.course, len(columns), look), colour)
