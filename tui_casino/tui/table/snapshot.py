"""The state of a table as one seat sees it, and the panel, figures and statistics made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, TypeAlias

from textual.content import Content

from ...engine.game import A, S, Seat
from ...gamekit.adviser import Decision
from ...gamekit.tally import T
from ..draw.plots import sparkline
from ..widgets.panel import PANEL_WIDTH

ContentLike: TypeAlias = Content | str


MOST_MISTAKES = 20
"""The most mistakes of a session that the totals keep."""


@dataclass(frozen=True, slots=True)
class SeatTotals(Generic[S, A]):
    """The totals of a seat's rounds and judged choices since it sat down at this screen.

    ``bankroll`` is the seat's money in whole dollars, at the start and after each round. Costs are
    in the game's units. ``costliest`` holds the costliest mistakes, up to :data:`MOST_MISTAKES`, in
    the order in which they were made.
    """

    bankroll: tuple[int, ...] = ()
    choices: int = 0
    mistakes: int = 0
    cost: Fraction = Fraction(0)
    worth: Fraction | float = Fraction(0)
    last: Decision[S, A] | None = None
    last_mistake: Decision[S, A] | None = None
    costliest: tuple[Decision[S, A], ...] = ()

    def with_decision(self, decision: Decision[S, A]) -> SeatTotals[S, A]:
        """Return the totals with one more judged choice."""
        wrong = decision.mistake is not None
        return replace(
            self,
            choices=self.choices + 1,
            mistakes=self.mistakes + wrong,
            cost=self.cost + decision.cost,
            worth=self.worth + (decision.value or 0),
            last=decision,
            last_mistake=decision if wrong else self.last_mistake,
            costliest=_keep_costliest((*self.costliest, decision)) if wrong else self.costliest,
        )

    def continued_from(self, before: SeatTotals[S, A]) -> SeatTotals[S, A]:
        """Return the totals of a new session: earlier choices still count, earlier money does not.

        The last decision is cleared.
        """
        return replace(before, bankroll=self.bankroll, last=None)

    def with_bankroll(self, dollars: int) -> SeatTotals[S, A]:
        """Return the totals with the money after one more round."""
        return replace(self, bankroll=(*self.bankroll, dollars))


def _keep_costliest(mistakes: tuple[Decision[S, A], ...]) -> tuple[Decision[S, A], ...]:
    """Leave out the cheapest mistake if there are too many."""
    if len(mistakes) <= MOST_MISTAKES:
        return mistakes
    cheapest = min(mistakes, key=lambda one: one.cost)
    return tuple(one for one in mistakes if one is not cheapest)


@dataclass(frozen=True, slots=True)
class TableSnapshot(Generic[S, A, T]):
    """The table as a seat sees it, the basis of panel, figures and statistics.

    ``selection`` holds the values marked now, and ``recent_lines`` the lines that the view has
    kept. ``plain`` allows ASCII only, and ``weighs`` is true while the trainer is on.
    """

    view: S
    seat: Seat
    tally: T
    selection: tuple[Any, ...] = ()
    totals: SeatTotals[S, A] = field(default_factory=SeatTotals)
    recent_lines: tuple[str, ...] = ()
    plain: bool = False
    weighs: bool = False


@dataclass(frozen=True, slots=True)
class PanelSection(Generic[S, A, T]):
    """A section of the side panel: its title, and the function that writes it.

    The function runs on a thread, so it may compute. If there are too many lines, ``tail`` shows
    the last ones and lets the section fill the remaining rows. A section that ``weighs`` shows that
    the trainer is calculating until its text is ready.
    """

    title: str
    write: Callable[[TableSnapshot[S, A, T]], ContentLike]
    tail: bool = False
    weighs: bool = False


def bankroll_plot(snapshot: TableSnapshot[S, A, T]) -> str:
    """Plot the seat's money after each of its rounds, for a section of the panel."""
    return sparkline(snapshot.totals.bankroll, PANEL_WIDTH, snapshot.plain)


@dataclass(frozen=True, slots=True)
class FiguresPage:
    """A page of figures with a title; without lines, only the title is shown as a message."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferenceLines:
    """Reference lines for the bankroll graph, as net results in dollars, and their label."""

    lines: tuple[tuple[float, ...], ...]
    label: str


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    """A session's statistics: counts, expected counts, and the report that is exported.

    ``expected`` runs on a thread, because it may take a while. ``columns`` are the widths of the
    figures one below the other, and side by side. ``bands`` also runs on a thread; it returns the
    expected range of the bankroll after a number of rounds.
    """

    counts: str
    expected: Callable[[], str]
    report: Mapping[str, Any]
    columns: tuple[int, int]
    bands: Callable[[int], ReferenceLines] | None = None
