"""The adviser of a game: what choices cost and why, the values of actions, and habits.

A reason consists of sentences with checked figures that explain a choice's cost. The figures of all
alternatives are columns, which a list of alternatives shows next to the EV. Habits are groups of
mistakes in a player's words, with how often a strong player acts like that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias

from msgspec import Struct

from ..engine.game import A, Deal, E, O, S, Seat
from ..structs import replace
from .number_formats import rounded_cost

if TYPE_CHECKING:
    from .distributions import ReturnDistribution


Figure: TypeAlias = tuple[str, Fraction | float]
"""The name of a figure that a sentence states, and its exact value, not rounded."""


class Reason(Struct, frozen=True):
    """Why a choice is a mistake, or why it is right.

    ``cause`` has one or two sentences, and ``rule`` a rule of thumb that holds in this position, or
    "". ``figures`` holds all figures of the sentences, so that tests can compare them with
    independent computations.
    """

    cause: tuple[str, ...]
    rule: str = ""
    figures: tuple[Figure, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the cause, then the rule of thumb."""
        return (*self.cause, self.rule) if self.rule else self.cause


class FigureColumn(Struct, Generic[A], frozen=True):
    """A column of a list of alternatives: its heading, and a text for each action.

    An action without a figure is missing in ``texts``.
    """

    heading: str
    texts: Mapping[A, str]


class Habit(Struct, frozen=True):
    """The name of a habit, such as ``calling too loosely before the draw``.

    Some acts are only mistakes when they are done too often. Their habit has the verb of the act,
    such as ``call``, and is compared with how often the benchmark player does the same. Without a
    verb, every case is a mistake.
    """

    name: str
    act: str = ""


OTHER_HABIT = Habit("other mistakes")
"""The habit of all kinds that no habit of the game contains."""


class ActFrequency(NamedTuple):
    """How often an act was possible, and how often the player and the benchmark player did it.

    ``compared`` counts the cases in which the benchmark player's frequency is known. In these cases
    the player did it ``done`` times, and ``benchmark`` is the sum of the frequencies.
    """

    possible: int = 0
    compared: int = 0
    done: int = 0
    benchmark: float = 0.0

    def plus(self, other: ActFrequency) -> ActFrequency:
        """Return the sums of the figures of both."""
        return ActFrequency(
            self.possible + other.possible,
            self.compared + other.compared,
            self.done + other.done,
            self.benchmark + other.benchmark,
        )


NO_FREQUENCY = ActFrequency()


def compare_act(*, done: bool, benchmark: float) -> ActFrequency:
    """Return the frequencies of an act that was possible once."""
    return ActFrequency(1, 1, int(done), benchmark)


ActFrequencies: TypeAlias = dict[str, dict[str, ActFrequency]]
"""Frequencies of acts by the spot and the slip of the kind of mistake that the act may be."""


def add_frequencies(sums: ActFrequencies, more: Mapping[str, Mapping[str, ActFrequency]]) -> None:
    """Add frequencies to sums, act by act."""
    for spot, acts in more.items():
        own = sums.setdefault(spot, {})
        for slip, frequency in acts.items():
            own[slip] = own.get(slip, NO_FREQUENCY).plus(frequency)


class MistakeKind(Struct, frozen=True):
    """A kind of mistake: the spot in which it is made, and the error.

    Both are short English texts, the same for all mistakes of a kind, such as ``4 to a flush`` and
    ``held high pair``. Different actions in the same situation have the same ``spot``.
    """

    spot: str
    slip: str

    def __str__(self) -> str:
        return f"{self.spot}: {self.slip}"

    @property
    def label(self) -> str:
        """The kind as it is shown to players, with the mistake in the past tense.

        In the text of ``str``, which JSON, caches and drills keep, one mistake reads like a rule.
        """
        return str(self).replace(": Discard everything", ": discarded everything")


UNNAMED_MISTAKE = MistakeKind("a choice", "not the best")
"""The kind of all mistakes in games that do not name kinds."""


class LevelCost(NamedTuple):
    """The cost of a computer player's mistakes per 100 choices, in bets or points."""

    name: str
    cost: float


class Habits(Struct, frozen=True):
    """The habits of a game: each kind of mistake belongs to exactly one.

    ``of_kind`` returns the habit of a kind. It only reads the kind, so it also works for mistakes
    in old caches. ``benchmark`` is the player with which the habits are compared; it is empty if
    there is none. It is ``flawless`` if it makes no mistakes at all by the game's judge.
    """

    of_kind: Callable[[MistakeKind], Habit] = lambda kind: OTHER_HABIT
    benchmark: str = ""
    flawless: bool = True


NO_HABITS = Habits()
"""The habits of games that declare none."""


class Mistake(Struct, Generic[A], frozen=True):
    """A choice that was not the best: its average cost, and the best action.

    The cost is in the game's units and above 0.
    """

    cost: Fraction
    best: A
    kind: MistakeKind = UNNAMED_MISTAKE


SURE_ERRORS = 2
"""A figure is clearly too high or too low only if it is off by more than this many errors."""


class ActionValue(Struct, Generic[A], frozen=True):
    """An action, its EV in the game's units, and the standard error of the EV.

    The error is 0 if the value is exact, or only rounded. ``gap_error`` is the standard error of
    the difference from the best EV, if it was measured.
    """

    action: A
    value: Fraction | float
    error: float = 0.0
    gap_error: float | None = None


def gap_error(one: ActionValue[A], two: ActionValue[A]) -> float:
    """Return the standard error of the difference between two EVs, one of which is the best."""
    measured = [each.gap_error for each in (one, two) if each.gap_error is not None]
    return max(measured or (one.error, two.error))


class ValuesScope(Enum):
    """The decisions for which the values of all alternatives are computed."""

    NONE = "none"
    OF_MISTAKES = "mistakes"
    OF_ALL = "all"


class Decision(Struct, Generic[S, A], frozen=True):
    """A choice that a seat made, and its cost.

    ``view`` is what the seat saw before the choice, and ``spot`` is the spot as in
    :class:`MistakeKind`. ``values`` contains the values of the alternatives, best first, if they
    were requested. A decision from a log has its ``step``, its ``round`` (from 1), the time ``at``
    (milliseconds since 1970), the ``game`` and the ``log``. In a written decision, the view and the
    actions are texts, and ``bet`` is the bet in which its cost is counted, in the game's units; it
    is 0 if nothing was bet before the first card.
    """

    seat: Seat
    view: S
    action: A
    spot: str
    mistake: Mistake[A] | None = None
    values: tuple[ActionValue[A], ...] = ()
    step: int = 0
    round: int = 0
    at: int = 0
    game: str = ""
    log: Path = Path()
    bet: int = 0

    @property
    def cost(self) -> Fraction:
        """The EV that the choice lost, in the game's units; 0 if no better action is known."""
        return self.mistake.cost if self.mistake else Fraction(0)

    @property
    def best(self) -> A:
        """The best known action: the chosen one, unless it is a mistake."""
        return self.mistake.best if self.mistake else self.action

    @property
    def kind(self) -> MistakeKind:
        """The kind of the mistake; for other choices only the spot."""
        return self.mistake.kind if self.mistake else MistakeKind(self.spot, "")

    def displayed_cost(self, in_units: Callable[[Fraction | float], float] = float) -> float:
        """Return the cost in a table's units, rounded to two decimals.

        If the EVs are known, this is the difference of the rounded EVs: players see all three.
        """
        evs = {one.action: in_units(one.value) for one in self.values}
        best, own = evs.get(self.best), evs.get(self.action)
        if best is not None and own is not None and own < best:
            return rounded_cost(best, own)
        return round(in_units(self.cost), 2)

    def cost_of(self, alternative: ActionValue[A]) -> float:
        """Return the EV that an alternative loses compared with the best action, or 0.

        For the chosen action, this is the ``cost``.
        """
        if alternative.action == self.action:
            return float(self.cost)
        first = self.values[0].value
        top = next((one.value for one in self.values if one.action == self.best), first)
        return max(0.0, float(max(top, first)) - float(alternative.value))

    @property
    def value(self) -> Fraction | float | None:
        """The EV of the chosen action; ``None`` if no values were requested."""
        return next((one.value for one in self.values if one.action == self.action), None)


class Expectation(Struct, frozen=True):
    """The mean and variance of the amount that bets return, including returned stakes.

    The mean is in the game's units, the variance in their squares. Expectations of independent
    rounds can be added.
    """

    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def __add__(self, other: Expectation) -> Expectation:
        return Expectation(self.mean + other.mean, self.variance + other.variance)


class PlayedStep(Struct, Generic[S, A], frozen=True):
    """A step of a finished session: the whole state before and after it, and whose luck is asked.

    ``players`` are the names of the players by seat, as in the session log.
    """

    before: S
    action: A | Deal
    after: S
    seat: Seat
    players: Sequence[str]


SIGNIFICANT_ERRORS = 2
"""The number of standard errors above which a difference is a mistake, in games without a judge."""


class Adviser(Struct, Generic[O, S, A, E], frozen=True):
    """The functions that compute a game's odds and judge choices; each of them is optional.

    * ``judge`` evaluates an action of a seat, given the seat's view before the action. It returns a
      mistake, or ``None`` if no better action is known. All costs on the screen come from this
      function.
    * ``kind`` returns the kind of a mistake, given the view, the seat, the action and the best
      action. If both actions are the same, it names only the ``spot``. It raises ``TypeError`` or
      ``ValueError`` for actions that are never weighed.
    * ``action_values`` returns the values of all choices in a view, the best first, or an empty
      tuple if there is no choice.
    * ``alternative_values`` returns the values of an action and of its alternatives. It is for
      games with too many choices to list, or in which no choice is called a mistake.
    * ``expect`` returns the expected return of a round's bets, given the event that ends the round.
      ``distribution`` returns its distribution. Both return ``None`` for other events.

    * ``reason`` returns the reason of a decision with its values, or ``None`` if it has none. It
      compares a mistake with the best action. It compares any other choice with the rival given, or
      with the next best.
    * ``columns`` returns figures of all alternatives of a decision, such as how often each wins.
    * ``habits`` groups the kinds of mistakes. For a judged decision, ``frequencies`` returns how
      often the player and the game's benchmark player chose each act that was possible.
    * ``luck`` returns the luck of a seat in a step. For a chance event, such as a card dealt or a
      computer player's random choice, this is a value of the state after it, minus the mean of the
      values after all events that were possible, weighted by their chances; for other steps it is
      0. So the expected luck is zero, whatever the values are: better ones leave less chance in the
      results without luck. It returns ``None`` if the chances are not known. Source: Burch et al.,
      *AIVAT*, 2018.
    * ``fair`` returns what a seat wins on average in a round by its place at the table, given the
      state before the first card. The standard error of the results without luck leaves it out.
    * ``exact`` states that ``expect`` is exact, and for perfect play if there is a ``judge``, whose
      costs are exact then. So the luck of a round follows from them (:class:`.SplitRounds`).
    * ``bet`` returns the size of a bet at a table, in the game's units, in which pages that compare
      games count costs. It returns 0 where this is what was bet on the round before its first card.
    * ``strong_loss`` is what a strong player loses by mistakes in 100 rounds, in bets or in points.
      Lists that contain several games are sorted by costs relative to it.
    * ``levels`` are computer players with the costs of their mistakes, strongest first.

    Only :meth:`.GameDefinition.decision` uses an adviser to judge choices.
    """

    judge: Callable[[S, Seat, A], Mistake[A] | None] | None = None
    expect: Callable[[O, E], Expectation | None] | None = None
    action_values: Callable[[S, Seat], tuple[ActionValue[A], ...]] | None = None
    distribution: Callable[[O, E], ReturnDistribution | None] | None = None
    alternative_values: Callable[[S, Seat, A], tuple[ActionValue[A], ...]] | None = None
    kind: Callable[[S, Seat, A, A], MistakeKind] | None = None
    reason: Callable[[Decision[S, A], A | None], Reason | None] | None = None
    columns: Callable[[Decision[S, A]], tuple[FigureColumn[A], ...]] = lambda decision: ()
    habits: Habits = NO_HABITS
    frequencies: Callable[[Decision[S, A]], Mapping[str, ActFrequency]] | None = None
    luck: Callable[[PlayedStep[S, A]], float | None] | None = None
    fair: Callable[[S, Seat], float] = lambda state, seat: 0.0
    exact: bool = False
    bet: Callable[[O], int] = lambda options: 0
    strong_loss: float = 1.0
    levels: tuple[LevelCost, ...] = ()

    @property
    def has_judge(self) -> bool:
        """Whether the adviser finds mistakes."""
        return self.judge is not None

    @property
    def has_action_values(self) -> bool:
        """Whether the adviser can evaluate all choices before the player chooses."""
        return self.action_values is not None

    @property
    def has_alternatives(self) -> bool:
        """Whether the adviser can evaluate the alternatives of a choice."""
        return self.action_values is not None or self.alternative_values is not None

    def values(self, view: S, seat: Seat) -> tuple[ActionValue[A], ...]:
        """Return the EV of each choice in a view, best first, or nothing if there is no choice."""
        return self.action_values(view, seat) if self.action_values else ()

    def alternatives(self, view: S, seat: Seat, action: A) -> tuple[ActionValue[A], ...]:
        """Return the values of an action and of its alternatives, the best first.

        Return nothing if there was no choice, or if the values are not known.
        """
        values: tuple[ActionValue[A], ...] = ()
        if self.alternative_values is not None:
            values = self.alternative_values(view, seat, action)
        elif self.action_values is not None:
            values = self.action_values(view, seat)
        if all(worth.action != action for worth in values):
            return ()
        return tuple(sorted(values, key=lambda worth: -worth.value))

    def mistake(
        self, view: S, seat: Seat, action: A, values: tuple[ActionValue[A], ...] = ()
    ) -> Mistake[A] | None:
        """Return an action as a mistake; ``None`` if no better action is known.

        Pass the ``values`` of the alternatives to save time if they are known. If the adviser has
        no judge, these values decide: an action is a mistake if the best one leads by more than
        :data:`SIGNIFICANT_ERRORS` standard errors.
        """
        lost: Fraction | float = 0
        if values:
            chosen = next(worth for worth in values if worth.action == action)
            best = values[0]
            lost = best.value - chosen.value
            if not lost:
                return None  # nothing is better, so the slow judge need not be asked
        if self.judge is not None:
            mistake = self.judge(view, seat, action)
            if mistake is None or self.kind is None:
                return mistake
            return replace(mistake, kind=self.kind(view, seat, action, mistake.best))
        if not lost or lost <= SIGNIFICANT_ERRORS * hypot(best.error, chosen.error):
            return None
        return Mistake(Fraction(lost), best.action)

    def spot(self, view: S, seat: Seat, action: A) -> str | None:
        """Return the spot of a good choice; ``None`` for actions that are never judged."""
        if self.kind is None:
            return UNNAMED_MISTAKE.spot
        try:
            return self.kind(view, seat, action, action).spot
        except (TypeError, ValueError):  # such as a bet before the deal
            return None
