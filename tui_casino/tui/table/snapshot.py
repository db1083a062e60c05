"""The state of a table as one seat sees it, with its panel, figures and statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from msgspec import Struct, field
from textual.content import Content

from ...engine.chance import SourceSpec
from ...engine.croupier import CroupierSpec
from ...engine.game import A, E, O, S, Seat
from ...gamekit.adviser import Decision
from ...gamekit.definition import GameDefinition
from ...gamekit.tally import T
from ...gamekit.words import SEAT_NAMES
from ...structs import replace
from ..draw.plots import sparkline
from ..widgets.text_blocks import PANEL_WIDTH

if TYPE_CHECKING:  # a replay has no session
    from ...house.sitting import Sitting

ContentLike: TypeAlias = Content | str


MOST_MISTAKES = 20
"""The maximum number of mistakes that the totals keep for a session."""
MOST_POSTPONED = 1_000
"""The maximum number of choices that wait for their evaluation; the oldest are dropped."""
MOST_UNDONE = 50
"""The maximum number of successive choices that can be undone in the totals."""


class PostponedChoice(Struct, Generic[S, A], frozen=True):
    """A choice that is not evaluated yet: the view before it, and the action."""

    view: S
    action: A


class SeatTotals(Struct, Generic[S, A], frozen=True):
    """The totals of a seat's rounds and evaluated choices since the player sat down here.

    ``bankroll`` is the seat's money in whole dollars, at the start and after each round. Costs are
    in the game's units. ``costliest`` holds the costliest mistakes, up to :data:`MOST_MISTAKES`, in
    the order in which they were made. ``undo_points`` are the views before the latest choices, up
    to :data:`MOST_UNDONE`, each with the totals at that time. ``postponed`` are the choices that
    are not evaluated yet, oldest first, up to :data:`MOST_POSTPONED`.
    """

    bankroll: tuple[int, ...] = ()
    choices: int = 0
    mistakes: int = 0
    cost: Fraction = Fraction(0)
    worth: Fraction | float = Fraction(0)
    last: Decision[S, A] | None = None
    last_mistake: Decision[S, A] | None = None
    costliest: tuple[Decision[S, A], ...] = ()
    undo_points: tuple[tuple[S, SeatTotals[S, A]], ...] = ()
    postponed: tuple[PostponedChoice[S, A], ...] = ()

    def with_choice(self, choice: PostponedChoice[S, A]) -> SeatTotals[S, A]:
        """Return the totals with one more choice that waits for its evaluation."""
        undo_points = (*self.undo_points, (choice.view, replace(self, undo_points=())))
        return replace(
            self,
            undo_points=undo_points[-MOST_UNDONE:],
            postponed=(*self.postponed, choice)[-MOST_POSTPONED:],
        )

    def without_choice(self, choice: PostponedChoice[S, A]) -> SeatTotals[S, A]:
        """Return the totals without a choice that waited for its evaluation."""
        return replace(self, postponed=tuple(one for one in self.postponed if one is not choice))

    def with_decision(self, decision: Decision[S, A]) -> SeatTotals[S, A]:
        """Return the totals with one more evaluated choice."""
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

    @property
    def displayed_mistakes(self) -> str:
        """The number of mistakes; it is not 0 but unknown while a first one may be found."""
        return "…" if self.postponed and not self.mistakes else f"{self.mistakes:,}"

    def displayed_cost(self, in_units: Callable[[Fraction | float], float] = float) -> float:
        """Return the total cost in a table's units; a single mistake costs what lists show."""
        if len(self.costliest) == self.mistakes == 1:
            return self.costliest[0].displayed_cost(in_units)
        return in_units(self.cost)

    def undone_to(self, view: S) -> SeatTotals[S, A]:
        """Return the totals without the choices since this view, which were taken back."""
        for place, (seen, totals) in reversed([*enumerate(self.undo_points)]):
            if seen == view:
                return replace(totals, bankroll=self.bankroll, undo_points=self.undo_points[:place])
        return self

    def continued_from(self, before: SeatTotals[S, A]) -> SeatTotals[S, A]:
        """Return the totals for a new session: earlier choices still count, earlier money does not.

        The last decision is cleared.
        """
        return replace(before, bankroll=self.bankroll, last=None)

    def with_bankroll(self, dollars: int) -> SeatTotals[S, A]:
        """Return the totals with the money after one more round."""
        return replace(self, bankroll=(*self.bankroll, dollars))


def _keep_costliest(mistakes: tuple[Decision[S, A], ...]) -> tuple[Decision[S, A], ...]:
    """Remove the cheapest mistake if there are too many."""
    if len(mistakes) <= MOST_MISTAKES:
        return mistakes
    cheapest = min(mistakes, key=lambda one: one.cost)
    return tuple(one for one in mistakes if one is not cheapest)


class TableInfo(Struct, Generic[O, S, A, E, T], frozen=True):
    """The fixed facts of a table: game, options, players, source of the cards.

    ``players`` are the computer players' names by seat, with ``None`` for humans. ``names`` are the
    names of humans, and ``others`` those of people elsewhere who play at this table. ``panel``
    holds the titles of the side panel's sections, and ``folder`` is the player's own folder, if
    any. ``shared`` is true if several humans play at this keyboard; ``seat`` is then one of their
    seats.
    """

    definition: GameDefinition[O, S, A, E, T]
    options: O
    seat: Seat
    players: Mapping[Seat, str | None]
    origin: SourceSpec
    croupier: CroupierSpec
    panel: tuple[str, ...] = ()
    folder: Path | None = None
    shared: bool = False
    names: tuple[str, ...] = SEAT_NAMES
    others: Mapping[Seat, str] = MappingProxyType({})


class TableSnapshot(Struct, Generic[S, A, T], frozen=True):
    """The table as a seat sees it; the panel, figures and statistics are made from it.

    ``selection`` holds the values marked now, and ``recent_lines`` the lines that the view has
    kept. ``plain`` allows ASCII only, ``weighs`` is true while the trainer is on, and ``unaided``
    while nobody is helped.
    """

    view: S
    seat: Seat
    tally: T
    selection: tuple[Any, ...] = ()
    totals: SeatTotals[S, A] = field(default_factory=SeatTotals)
    recent_lines: tuple[str, ...] = ()
    plain: bool = False
    weighs: bool = False
    unaided: bool = False


class PanelSection(Struct, Generic[S, A, T], frozen=True):
    """A section of the side panel: its title, and the function that writes it.

    The function runs on a thread, so it may compute. If there are too many lines, ``tail`` shows
    the last ones and lets the section fill the remaining rows.
    """

    title: str
    write: Callable[[TableSnapshot[S, A, T]], ContentLike]
    tail: bool = False


def bankroll_plot(snapshot: TableSnapshot[S, A, T]) -> str:
    """Plot the seat's money after each of its rounds, for a section of the panel."""
    return sparkline(snapshot.totals.bankroll, PANEL_WIDTH, snapshot.plain)


class FiguresPage(Struct, frozen=True):
    """A page of figures with a title; without lines, only the title is shown as a message."""

    title: str
    lines: tuple[str, ...]


class ChartPage(Struct, frozen=True):
    """A chart of the best choices with its title; without text, the title is shown as a message."""

    title: str
    text: ContentLike = ""


class ReferenceLines(Struct, frozen=True):
    """Reference lines for the bankroll graph, as net results in dollars, and their label."""

    lines: tuple[tuple[float, ...], ...]
    label: str


class StatisticsPage(Struct, frozen=True):
    """A session's statistics: counts, expected counts, and the report that is exported.

    ``expected`` runs on a thread, because it may take a while. ``columns`` are the widths that the
    window needs with the figures one below the other, and side by side. ``bands`` also runs on a
    thread; it returns the expected range of the bankroll during a number of rounds. The bankroll is
    shown only if the game is played ``for_money``.
    """

    counts: str
    expected: Callable[[], str]
    report: Mapping[str, Any]
    columns: tuple[int, int]
    bands: Callable[[int], ReferenceLines] | None = None
    for_money: bool = True


def table_info_of(
    sitting: Sitting[O, S, A, E, T], panel_titles: tuple[str, ...]
) -> TableInfo[O, S, A, E, T]:
    """Return the facts about a session's table that do not change."""
    table = sitting.table
    return TableInfo(
        sitting.definition,
        table.options,
        sitting.dialogue.seat,
        {
            seat: None if player is None else name
            for (seat, player), name in zip(
                table.players.items(), sitting.log.header.players, strict=True
            )
        },
        table.source.spec,
        table.croupier.kind,
        panel_titles,
        sitting.house.folder,
        sitting.dialogue.shared,
        sitting.dialogue.names,
    )
