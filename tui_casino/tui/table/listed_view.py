"""The trainer's list of a table: the choices of a game, or the values of its adviser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct
from textual.timer import Timer
from textual.widget import Widget

from ...engine.game import A, E, O, S, Seat
from ...engine.offers import Offer
from ...gamekit.adviser import SURE_ERRORS, ActionValue, gap_error
from ...gamekit.definition import AnyDefinition, GameDefinition
from ...gamekit.number_formats import percent, rounded_cost, with_sign
from ...gamekit.tally import T
from ...structs import replace
from ..draw.canvas import TonedLine
from ..draw.choice_list import BEST, EITHER, SPACE, YOURS, ChoiceList, ChoiceRow
from ..widgets.lists import ChoiceListView
from .background_tasks import BackgroundTasks
from .paced_view import PacedView


class RankedChoice(Struct, Generic[A], frozen=True):
    """A choice with its EV in the table's unit; equal choices share one.

    ``short`` is its name where there is little room, ``figures`` are texts for the headings of the
    ranking, and ``key`` is the key that makes it. With ``ties_best``, it may be as good as the best
    choice.
    """

    actions: tuple[A, ...]
    name: str
    value: Fraction | float
    short: str = ""
    figures: tuple[str, ...] = ()
    key: str = ""
    ties_best: bool = False


class ChoiceRanking(Struct, Generic[A], frozen=True):
    """The choices, best first; the other fields are those of :class:`.ChoiceList`.

    With ``in_percent``, the values are chances and not EVs. The ``impossible`` choices follow the
    others. ``chosen`` are the actions of the highlighted choice with its label; without them, it is
    the choice that Space makes. Costs are those against the ``best`` action, by default the first.
    """

    kind: str
    choices: tuple[RankedChoice[A], ...]
    note: str = ""
    headings: tuple[str, ...] = ()
    value: str = "EV"
    details: tuple[TonedLine, ...] = ()
    in_percent: bool = False
    impossible: tuple[ChoiceRow, ...] = ()
    chosen: tuple[str, tuple[A, ...]] | None = None
    best: A | None = None

    @property
    def best_choice(self) -> RankedChoice[A]:
        """The choice with the ``best`` action."""
        return next((one for one in self.choices if self.best in one.actions), self.choices[0])

    def as_list(self, spaced: Sequence[A]) -> ChoiceList:
        """Return the list to draw; ``spaced`` are the actions of Space, the last one counts."""
        label, lit = (SPACE, spaced[-1:]) if self.chosen is None else self.chosen
        best = self.best_choice
        widest = float(best.value - min(choice.value for choice in self.choices)) or 1.0
        rows = tuple(
            ChoiceRow(
                choice.name,
                self._value_text(choice.value),
                self._cost_text(choice, best),
                choice.short,
                max(0.0, float(best.value - choice.value) / widest),
                choice.figures,
                choice.key,
                label if any(action in lit for action in choice.actions) else "",
            )
            for choice in self.choices
        )
        return ChoiceList(
            self.kind,
            (*rows, *self.impossible),
            self.note,
            self.headings,
            self.value,
            self.details,
        )

    @property
    def with_all_costs(self) -> ChoiceRanking[A]:
        """The ranking with the cost of each choice, even if it is about as good as the best."""
        choices = tuple(replace(choice, ties_best=False) for choice in self.choices)
        return replace(self, choices=choices)

    def _value_text(self, value: Fraction | float) -> str:
        if self.in_percent:
            return percent(value, 0)
        size = abs(float(value))
        figure = f"{size:,.{2 if size < 1000 else 0}f}"
        return with_sign(float(value) if round(size, 2) else 0, figure)

    def _cost_text(self, choice: RankedChoice[A], best: RankedChoice[A]) -> str:
        if choice.value == best.value:
            return BEST
        if choice.ties_best:
            return EITHER
        if self.in_percent:
            return f"{round(100 * best.value) - round(100 * choice.value)}%"
        cost = rounded_cost(best.value, choice.value)
        return f"{cost:,.{2 if cost < 1000 else 0}f}"


def rank_values(
    definition: AnyDefinition, view: Any, seat: Seat, values: Sequence[ActionValue[A]]
) -> ChoiceRanking[A]:
    """Return the ranking of the values that an adviser gives, best first."""
    best, words = values[0], definition.words.spoken
    choices = (
        RankedChoice(
            (one.action,),
            words.describe(definition.format_action(view, seat, one.action)),
            definition.in_units(one.value),
            ties_best=float(best.value - one.value) <= SURE_ERRORS * gap_error(best, one),
        )
        for one in values
    )
    return ChoiceRanking("choices", tuple(choices), f"in {definition.unit_name}")


PRIMARY = "screen.primary"
"""The action of Space."""
USUAL_ROWS = 7
"""The most rows of the trainer's list below a table."""
NOTICED = 0.1
"""The seconds after which a calculation is noticed, and between two moves of its bar."""


P = TypeVar("P")
"""A position to analyse: a state as a seat sees it, or the part of it that matters."""
D = TypeVar("D")
"""The trainer's knowledge of a position."""


class Analysis(Generic[P, D]):
    """The trainer's analysis of one position at a time, computed on a thread.

    ``data`` is ``None`` while the analysis ``is_running``, and if there is no position. ``ready``
    is called when the data of the present position are known.
    """

    def __init__(self, owner: Widget, ready: Callable[[], None]) -> None:
        self._owner, self._ready, self._tasks = owner, ready, BackgroundTasks(owner)
        self.forget()

    def forget(self) -> None:
        """Begin without a position."""
        self.position: P | None = None
        self.data: D | None = None
        self.is_running = False

    def begin(self, position: P | None, analyse: Callable[[P], D]) -> None:
        """Forget the data of other positions, and analyse this one unless that has been done."""
        if position == self.position:
            return
        self.position, self.data, self.is_running = position, None, position is not None
        if position is None:
            return

        def found(data: D) -> None:
            self.data, self.is_running = data, False
            self._ready()

        def is_current() -> bool:
            return self._owner.is_attached and self.position is position

        self._tasks.run("analysis", partial(analyse, position), found, is_current)


class ListedView(PacedView, Generic[O, S, A, E, T]):
    """The part of a table's view that fills the trainer's list and shows its calculation.

    ``analysis`` contains the values of the game's adviser, or a game's own analysis.
    """

    definition: GameDefinition[O, S, A, E, T]
    seen: S
    seat: Seat
    trains = False
    guesses_first = False
    keeps_list: ClassVar[bool] = False
    """Whether the list stays after a choice, until the next one or until the game clears it."""

    @property
    def weighs(self) -> bool:
        """Whether the trainer shows figures before a choice: it is on, and you do not guess first.

        The verdict on a choice is shown in any case while the trainer is on.
        """
        return self.trains and not self.guesses_first

    @property
    def offers(self) -> tuple[Offer[A], ...]:
        """The actions available to the seat."""
        raise NotImplementedError

    @property
    def default_actions(self) -> tuple[A, ...]:
        """The actions of Space."""
        raise NotImplementedError

    def present(self, view: S) -> None:
        """Draw the state as the seat sees it, and its meters."""
        raise NotImplementedError

    # ---- what a game may add --------------------------------------------------------------

    def analysed_position(self, view: S) -> Any | None:
        """Return what the trainer analyses in a state, or ``None`` if it has nothing to analyse."""
        has_choice = self.usual_list is not None and self.weighs and self.offers
        return view if has_choice else None

    def analyse(self, position: Any) -> Any:
        """Return the analysis of a position; this is called on a thread."""
        return self.definition.adviser.values(position, self.seat)

    def analysis_ended(self) -> None:
        """Show the analysis of the current position."""
        self.present(self.seen)
        self.refresh_bindings()

    def rank_choices(self) -> ChoiceRanking[A] | None:
        """Return the choices with their EVs for the trainer's list, or ``None`` if it has none.

        This is called while the trainer is on. A game that does not override it has the values of
        its adviser in a list below its table.
        """
        values = self.analysis.data
        return rank_values(self.definition, self.seen, self.seat, values) if values else None

    @property
    def is_calculating(self) -> bool:
        return self.analysis.is_running

    @property
    def knows_values(self) -> bool:
        """Whether the EVs of the current choices are known, so that a costly one can be held back.

        This is false while the trainer is off or still computes, and while the player guesses.
        """
        is_current = self.analysis.position == self.analysed_position(self.seen)
        return self.weighs and is_current and bool(self.analysis.data)

    @property
    def leading_action(self) -> str:
        """The first action in the hint line: the best choice if its EV is shown, or else Space.

        While Space does nothing, a game gives another action.
        """
        ranking = self.rank_choices() if self.knows_values else None
        best = ranking.best_choice if ranking is not None and ranking.choices else None
        if best is None or not best.key or best.actions[0] in self.default_actions:
            return PRIMARY
        return f"word('{best.key}')"

    # ---- the list -------------------------------------------------------------------------

    def prepare_list(self) -> None:
        """Begin without values; called once."""
        self._calculation: Timer | None = None
        self._calculation_frame = 0
        self.kept_ranking: ChoiceRanking[A] | None = None
        self.analysis: Analysis[Any, Any] = Analysis(self, self.analysis_ended)
        is_usual = type(self).rank_choices is ListedView.rank_choices
        has_list = is_usual and self.definition.adviser.has_action_values
        self.usual_list = ChoiceListView(classes="usual-list") if has_list else None

    def begin_analysis(self, view: S) -> None:
        """Analyse the position of a state, unless this has been done."""
        self.analysis.begin(self.analysed_position(view), self.analyse)

    def show_usual_list(self) -> None:
        """Show the list below the table if the game has no list of its own."""
        if self.usual_list is not None:
            self.usual_list.show_fitted(self.choice_list, USUAL_ROWS)

    @property
    def choice_list(self) -> ChoiceList | None:
        """The trainer's list; ``None`` while the trainer is off, and if there is no choice."""
        if not self.weighs:
            return None
        if self.is_calculating:
            self._watch_calculation()
            return ChoiceList("choices", frame=self._calculation_frame)
        if (ranking := self.rank_choices()) is not None:
            self.kept_ranking = None
        else:
            ranking = self.kept_ranking
        return None if ranking is None else ranking.as_list(self.default_actions)

    def keep_ranking(self, action: A) -> None:
        """Keep the list as it is at a choice, which is highlighted, until there is another."""
        if self.knows_values and (ranking := self.rank_choices()) is not None:
            self.kept_ranking = replace(ranking, chosen=(YOURS, (action,)))

    def _watch_calculation(self) -> None:
        """Move the bar of the list from time to time until the EVs are known."""
        if self._calculation is None and self.is_attached:
            self._calculation_frame = 0
            self._calculation = self.set_interval(NOTICED, self._move_bar)

    def _move_bar(self) -> None:
        if self._calculation is not None and not (self.is_calculating and self.weighs):
            self._calculation.stop()
            self._calculation = None
        elif self.animates or not self._calculation_frame:
            self._calculation_frame += 1
            self.present(self.seen)
