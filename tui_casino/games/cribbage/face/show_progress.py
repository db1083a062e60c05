"""The show of a round, page by page: which hands were counted, and which one is being read."""

from __future__ import annotations

from dataclasses import replace

from ..machine.moves import Event, HandCounted, HandShown, Scored
from ..machine.state import State
from .count_pages import CountPage


class ShowProgress:
    """Pages of the hands that were shown, in their order; ``told`` combinations of one are shown.

    Where players count themselves the table goes on at once: then a page that was counted is
    ``held`` until it is turned, and those after it wait; but a hand of ``me`` that is counted, as
    who types ahead does, comes at once.
    """

    def __init__(self, me: int | None) -> None:
        self._me = me
        self.pages: list[CountPage] = []
        self.at = self.told = 0
        self.held = False

    @property
    def page(self) -> CountPage | None:
        """The page that is shown."""
        return self.pages[self.at] if self.pages else None

    @property
    def last(self) -> bool:
        """Whether no other page waits behind it."""
        return self.at >= len(self.pages) - 1

    @property
    def telling(self) -> bool:
        """Whether combinations of the page are still to be told."""
        return self.page is not None and self.told < len(self.page.scores)

    def clear(self) -> None:
        """Begin another round."""
        self.pages, self.at, self.told, self.held = [], 0, 0, False

    def hear(self, event: Event, state: State, holds: bool) -> None:
        """Take note of an event that led to a state; ``holds`` keeps a counted page in sight."""
        match event:
            case HandShown(seat, starter, hand, crib):
                self.pages.append(CountPage(seat, hand, starter, crib, state.points, state.back))
                if not self.held:
                    self._open_last()
            case HandCounted(seat, scores, said) if self.pages:
                self.pages[-1] = replace(self.pages[-1], scores=scores, said=said, counted=True)
                if not self.held or seat == self._me:
                    self._open_last()
                    self.held = holds
            case Scored(seat, _, points, kind, _, _) if self.pages and self.pages[-1].counted:
                page = self.pages[-1]
                first, second = page.gained
                gained = (first + points, second) if seat == 0 else (first, second + points)
                muggins = page.muggins + (points if kind == "muggins" else 0)
                self.pages[-1] = replace(page, gained=gained, muggins=muggins)
        if self.pages and isinstance(event, HandCounted | Scored):
            self.pages[-1] = replace(self.pages[-1], points=state.points, back=state.back)

    def turn(self) -> None:
        """Go to the next page, which is read in its turn unless it is to be counted first."""
        if self.last:
            self.held = False
            return
        self.at += 1
        page = self.pages[self.at]
        self.held, self.told = page.counted, len(page.scores)

    def _open_last(self) -> None:
        self.at = len(self.pages) - 1
        self.told = len(self.pages[self.at].scores)
