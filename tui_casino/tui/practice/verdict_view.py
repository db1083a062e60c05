"""The verdict, drawn: the cards, a sentence, and every alternative with its worth, best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from textual.geometry import Size

from ...cards.card import BACK, Card, Hand
from ..draw.canvas import Canvas, CanvasRow
from ..draw.card_art import Size as CardSize
from ..draw.card_art import State, caption_strip, card_strips
from ..draw.styles import Inks, Look, inks_of, softened, style_of
from ..terminal.detection import Tier
from ..widgets.drawn import CanvasWidget

SIGNS = {Tier.UNICODE: ("▶", "◆", "◇"), Tier.CP437: (">", "*", "o"), Tier.ASCII: (">", "*", "o")}
"""What marks the best alternative, that which was chosen now, and that of then."""
BAR = {Tier.UNICODE: "█", Tier.CP437: "█", Tier.ASCII: "="}
MARGIN = 2
ROOMY = 19
"""Rows from which on the cards are pictures; with fewer they are a line."""
MOST_CARDS = 8
FIGURE = 9
"""Columns of a worth, and of a cost."""
LABEL = 6
BROADEST = 110
"""Columns that the list takes at most."""
NAME, BARS = 22, 30
"""Columns of a name at least, and of a bar at most."""


@dataclass(frozen=True, slots=True)
class Line:
    """An alternative: its name, worth and cost as they are written, and what the cost is."""

    name: str
    worth: str
    cost: str
    share: float
    best: bool
    now: bool
    then: bool


@dataclass(frozen=True, slots=True)
class Told:
    """All that a verdict tells. ``best`` and ``now`` are the cards that these choices name."""

    right: bool
    sentence: str
    more: tuple[str, ...]
    standing: str
    best: Hand
    now: Hand
    lines: tuple[Line, ...]

    @property
    def cards(self) -> Hand:
        """The cards that the standing begins with."""
        found: list[Card] = []
        for word in self.standing.split():
            try:
                card = Card.parse(word)
            except ValueError:
                break
            if card is BACK:
                break
            found.append(card)
        return tuple(found)


def in_sight(lines: Sequence[Line], first: int, room: int) -> Sequence[Line]:
    """Give the lines for which there is room, from one on; at first what was chosen is there."""
    if first:
        return lines[first : first + room]
    below = [line for line in lines[room:] if line.now or line.then]
    kept = [*lines[:room]]
    for line in below:  # in place of the last that nobody chose
        spare = [place for place, one in enumerate(kept) if not (one.best or one.now or one.then)]
        if spare:
            del kept[spare[-1]]
            kept.append(line)
    return kept


class VerdictPage(CanvasWidget):
    """The verdict on a choice; of a long list as much as fits, from :attr:`first` on."""

    def __init__(self, told: Told) -> None:
        super().__init__(id="verdict-page")
        self._told, self.first = told, 0

    def scroll_by(self, rows: int) -> None:
        """Show the list from another place on."""
        room = max(1, self.size.height - self._head(self.size) - 2)
        most = max(0, len(self._told.lines) - room)
        first = max(0, min(most, self.first + rows))
        if first != self.first:
            self.first = first
            self.refresh()

    def _shown(self) -> object:
        return self._told, self.first

    def _pictured(self, area: Size) -> bool:
        cards = self._told.cards
        return 0 < len(cards) <= MOST_CARDS and area.height >= ROOMY and area.width >= 76

    def _head(self, area: Size) -> int:
        """Count the rows over the list."""
        told = self._told
        if self._pictured(area):
            return 7
        lines = len([*self._sentences(area.width - 2 * MARGIN)])
        return min(lines + bool(told.standing) + 1, max(3, area.height // 2))

    def _sentences(self, width: int) -> Iterator[tuple[str, bool]]:
        for place, sentence in enumerate((self._told.sentence, *self._told.more)):
            for line in wrap(sentence, max(12, width)):
                yield line, place == 0

    def _paint(self, canvas: Canvas) -> None:
        look, area = canvas.look, canvas.size
        inks, told, rows = inks_of(look.palette), self._told, canvas.rows()
        head = self._head(area)
        x = MARGIN
        if self._pictured(area):
            x = self._draw_cards(rows[1:], look) + 3
            said = rows[1:head]
        else:
            for row in rows[:1]:
                row.put(MARGIN, told.standing, inks.strong)
            said = rows[bool(told.standing) : head]
        lines = self._sentences(area.width - x - MARGIN)
        for row, (line, first) in zip(said, lines, strict=False):
            ink = inks.text if not first else inks.good if told.right else inks.bad
            row.put(x, line, ink)
        self._draw_list(rows[head:], look, inks)

    def _draw_cards(self, rows: list[CanvasRow], look: Look) -> int:
        """Draw the cards, and under them which were chosen; give the column behind them."""
        told, size, x = self._told, CardSize.TINY, MARGIN
        for card in told.cards:
            best, now = card in told.best, card in told.now
            state = State.WINNING if best else State.HELD if now else State.NORMAL
            for row, line in zip(rows, card_strips(card, size, state, look), strict=False):
                row.join(x, line)
            words = "best" if best else "now" if now else ""
            if len(rows) > size.height and words:
                rows[size.height].join(x, caption_strip(words, size.width, state, look))
            x += size.width + 1
        return x

    def _draw_list(self, rows: list[CanvasRow], look: Look, inks: Inks) -> None:
        if not rows:
            return
        lines, width = self._told.lines, min(rows[0].width, BROADEST)
        longest = max(NAME, *(len(line.name) for line in lines))
        name = min(longest, max(10, width - 4 - 2 * FIGURE - LABEL))
        worth = 4 + name + FIGURE
        cost = worth + FIGURE
        bars = range(cost + 2, min(cost + 2 + BARS, width - LABEL - MARGIN))
        head, body = rows[0], rows[1:]
        head.right(worth, "worth", inks.muted)
        head.right(cost, "cost", inks.muted)
        shown = in_sight(lines, self.first, len(body))
        more = len(lines) - self.first - len(shown)
        head.put(
            2, f"all {len(lines)}, best first" if not more else f"{more} more below", inks.gold
        )
        best, now, then = SIGNS[look.tier]
        for row, line in zip(body, shown, strict=False):
            if line.now or line.then:
                row.ground(0, width, style_of(look.palette.text, look.palette.panel))
            sign, ink = ("", inks.text)
            if line.then:
                sign, ink = then, inks.bad
            if line.best:
                sign, ink = best, inks.good
            if line.now:
                sign, ink = (now, inks.gold) if not line.best else (best, inks.good)
            row.put(MARGIN - 1, sign, ink)
            row.put(4, line.name, ink, 4 + name)
            row.right(worth, line.worth, ink if line.now else inks.text)
            dear = inks.bad if line.now or line.then else inks.muted
            row.right(cost, line.cost, inks.good if line.best else dear)
            if len(bars) > 4:
                wide = round(line.share * len(bars))
                row.put(bars.start, BAR[look.tier] * wide, softened(look.palette.bad, look.palette))
            label = "now" if line.now else "then" if line.then else ""
            row.right(width - MARGIN + 1, label, inks.gold if line.now else inks.bad)
