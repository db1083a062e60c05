"""The list of practice topics: all mistakes, the mistakes of a game, and those of a kind."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...gamekit.adviser import MistakeKind
from ...gamekit.registry import title_of
from ...teacher.mistake_queue import MistakeQueue
from ..draw.canvas import Canvas
from ..draw.look import line_styles_of
from ..draw.text import fit_names
from ..widgets.cursor_list import CursorList, mark_cursor
from ..widgets.line_widget import CanvasWidget

NUMBER, COST, GAME = 7, 15, 15
"""Columns for a number, for a cost with its unit, and for a game's name."""
NARROW, TINY = 70, 66
"""Widths below which the column of learned mistakes and that of the games are left out."""
ALL = "All of them"


class PracticeTopic(Struct, frozen=True):
    """A row: a group of mistakes, the number waiting and learned, and the cost with its unit."""

    game: str | None
    kind: MistakeKind | None
    waiting: int
    cost: str
    learnt: int

    @property
    def words(self) -> str:
        if self.kind is not None:
            return self.kind.label
        return ALL if self.game is None else "all kinds"


def practice_topics(queue: MistakeQueue, game: str | None = None) -> tuple[PracticeTopic, ...]:
    """Return rows for all mistakes, each game (if several) and each kind, costliest first."""
    games = [pile for pile in queue.games() if game in (None, pile.game)]
    waiting = sum(pile.pending for pile in games)
    learnt = sum(pile.learned for pile in games)
    topics = [] if game else [PracticeTopic(None, None, waiting, "", learnt)]
    topics += [
        PracticeTopic(
            pile.game, pile.kind, pile.pending, f"{pile.cost:,.2f} {pile.unit}", pile.learned
        )
        for pile in (*games, *queue.groups(game))
    ]
    return tuple(topics)


class TopicList(CursorList[PracticeTopic], CanvasWidget):
    """The list of topics."""

    def __init__(self) -> None:
        super().__init__(id="piles")
        self._note = ""

    def show(self, rows: Sequence[PracticeTopic], note: str = "") -> None:
        """Show these rows; the cursor stays on its row, or moves to the first if that is gone."""
        before = self.pointed
        self.rows, self._note = tuple(rows), note
        same = [n for n, row in enumerate(rows) if before and self._of(row) == self._of(before)]
        self.at = same[0] if same else 0
        self.refresh()

    @staticmethod
    def _of(row: PracticeTopic) -> object:
        return row.game, row.kind

    def _in_view(self, height: int) -> range:
        return self.visible_rows(max(1, height - 2))

    def place_at(self, y: int) -> int | None:
        in_view = self._in_view(self.size.height)
        return in_view[y - 2] if 0 <= y - 2 < len(in_view) else None

    def _shown(self) -> object:
        return self.rows, self.at, self._note

    def _paint(self, canvas: Canvas) -> None:
        look, area = canvas.look, canvas.size
        inks, rows = line_styles_of(look.palette), canvas.rows()
        learnt = area.width - 2 if area.width >= NARROW else 0
        cost = (learnt - NUMBER - 1) if learnt else area.width - 2
        tiny = area.width < TINY
        waits, number = cost - COST + tiny, NUMBER - 2 - tiny
        words = 3 if tiny else 3 + GAME
        if rows:
            current = self.pointed  # the full name, because the row may cut it
            whole_name = current.words if current is not None and current.kind is not None else ""
            rows[0].put(3, self._note or whole_name, inks.muted, area.width - 1)
        if len(rows) > 1:
            if not tiny:
                rows[1].put(3, "game", inks.muted)
            rows[1].put(words, "kind", inks.muted)
            rows[1].put_before(waits, "waiting", inks.muted)
            rows[1].put_before(cost, "cost", inks.muted)
            if learnt:
                rows[1].put_before(learnt, "learned", inks.muted)
        in_view = self._in_view(area.height)
        labels = [
            title_of(one.game) if tiny and one.game and one.kind is None else one.words
            for one in self.rows
        ]
        names = fit_names(labels, waits - number - words)
        for row, place in zip(rows[2:], in_view, strict=False):
            one, lit = self.rows[place], place == self.at
            if lit:
                mark_cursor(row, 1, area.width - 1, look)
            ink = inks.gold if lit else inks.text
            whole = one.kind is None
            if not tiny:
                row.put(3, title_of(one.game) if one.game else one.words, ink, words - 1)
            if one.game or tiny:
                own = ink if lit or not whole else inks.muted
                row.put(words, names[place], own, waits - number)
            row.put_before(waits, f"{one.waiting:,}", inks.strong if one.waiting else inks.muted)
            row.put_before(cost, one.cost, inks.bad if one.waiting and one.cost else inks.muted)
            if learnt:
                row.put_before(learnt, f"{one.learnt:,}", inks.good if one.learnt else inks.muted)
