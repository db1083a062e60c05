"""The show of a round, page by page: the hands counted so far and the page on the screen."""

from __future__ import annotations

from ....structs import replace
from ..machine.moves import Event, HandCounted, HandShown, Scored
from ..machine.state import State
from .count_pages import CountPage


class ShowProgress:
    """The pages of the hands at the show, in order; ``rows_shown`` combinations are visible.

    If players count their own hands, the game does not wait until a count has been read. So a
    counted page is ``paused`` until the player turns the page, and later pages wait. A counted hand
    of ``me`` appears immediately even then, because the player may have typed ahead.
    """

    def __init__(self, me: int | None) -> None:
        self._me = me
        self.pages: list[CountPage] = []
        self.page_index = self.rows_shown = 0
        self.paused = False

    @property
    def page(self) -> CountPage | None:
        """The page on the screen."""
        return self.pages[self.page_index] if self.pages else None

    @property
    def last(self) -> bool:
        """Whether this is the last page so far."""
        return self.page_index >= len(self.pages) - 1

    @property
    def has_hidden_rows(self) -> bool:
        """Whether some combinations of the page are not visible yet."""
        return self.page is not None and self.rows_shown < len(self.page.scores)

    def clear(self) -> None:
        """Remove all pages, for the next round."""
        self.pages, self.page_index, self.rows_shown, self.paused = [], 0, 0, False

    def update(self, event: Event, state: State, pause: bool) -> None:
        """Apply an event that led to this state; ``pause`` keeps a counted page on the screen."""
        match event:
            case HandShown(seat, starter, hand, crib):
                self.pages.append(CountPage(seat, hand, starter, crib, state.points, state.back))
                if not self.paused:
                    self._open_last()
            case HandCounted(seat, scores, claimed_points) if self.pages:
                self.pages[-1] = replace(
                    self.pages[-1], scores=scores, claimed_points=claimed_points, counted=True
                )
                if not self.paused or seat == self._me:
                    self._open_last()
                    self.paused = pause
            case Scored(seat, _, points, kind, _, _) if self.pages and self.pages[-1].counted:
                page = self.pages[-1]
                first, second = page.points_gained
                points_gained = (first + points, second) if seat == 0 else (first, second + points)
                muggins = page.muggins + (points if kind == "muggins" else 0)
                self.pages[-1] = replace(page, points_gained=points_gained, muggins=muggins)
        if self.pages and isinstance(event, HandCounted | Scored):
            self.pages[-1] = replace(self.pages[-1], points=state.points, back_pegs=state.back)

    def turn_page(self) -> None:
        """Turn to the next page, which pauses as well if its hand has been counted."""
        if self.last:
            self.paused = False
            return
        self.page_index += 1
        page = self.pages[self.page_index]
        self.paused, self.rows_shown = page.counted, len(page.scores)

    def _open_last(self) -> None:
        self.page_index = len(self.pages) - 1
        self.rows_shown = len(self.pages[self.page_index].scores)
