"""The result of a try: its choices and their cost, the run of days, and the text to share."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from typing import Any

from msgspec import Struct

from ..gamekit.adviser import Decision
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import title_of
from ..gamekit.verdict import action_text, amount_text, describe_position
from ..house.daily_board import cost_text
from ..inputs.numbers import count_noun
from ..records.log_review import decision_at
from ..records.replay import log_options, replay_log
from ..records.seat_steps import reviewed_seat, walk_steps
from ..records.session_log import SessionLog
from .deal import DayDeal, day_before

BEST, OTHER = "■", "□"
PLAIN_BEST, PLAIN_OTHER = "#", "."
ROW = 20
"""The number of marks in a row of the text to share."""
WEEK = 7
"""The number of days in which one missed day does not break a run."""


def judged_choices(definition: AnyDefinition, log: SessionLog) -> Iterator[Decision[Any, Any]]:
    """Yield the player's choices in a log, in order; forced actions are left out.

    The judge is :meth:`.GameDefinition.decision`, as everywhere. This may take seconds. Raises the
    errors of :func:`~tui_casino.records.replay.replay_log`.
    """
    seat = reviewed_seat(log.header)
    start = definition.game.start(log_options(definition.game, log))
    steps = replay_log(definition.game, log)
    for step in walk_steps(definition, seat, start, definition.tally(seat), steps):
        if (decision := decision_at(definition, seat, step)) is not None:
            yield decision


class DailyResult(Struct, frozen=True):
    """The result of a finished try.

    ``marks`` says of each choice, in order, whether it was a best one; ``cost`` is the sum of all
    costs in the game's units. ``decisions`` are the choices themselves, if they are known.
    """

    deal: DayDeal
    marks: tuple[bool, ...]
    cost: Fraction
    decisions: tuple[Decision[Any, Any], ...] = ()

    @property
    def choices(self) -> int:
        """The number of choices."""
        return len(self.marks)

    @property
    def best(self) -> int:
        """The number of best choices."""
        return sum(self.marks)

    @property
    def cost_in_units(self) -> float:
        """The cost in credits, dollars or points."""
        return self.deal.game.in_units(self.cost)

    @property
    def bets(self) -> Fraction | None:
        """The cost in bets; ``None`` in a game for points."""
        stake = self.deal.daily.stake
        return self.cost / stake if stake else None

    @property
    def shared_cost(self) -> str:
        """The cost as it is shared: in bets, or in points."""
        return self.cost_text if self.bets is None else cost_text(self.bets, "bets")

    @property
    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield each choice as the key of its question and the choice in words.

        Everybody has the same keys in the same position of a deal, whatever they chose before.
        """
        game = self.deal.game
        for choice in self.decisions:
            asked = "\n".join(describe_position(game, choice.view, choice.seat))
            key = hashlib.sha256(f"{choice.round}\n{asked}".encode()).hexdigest()[:16]
            yield key, action_text(game, choice, choice.action, past=True)

    @property
    def cost_text(self) -> str:
        """The cost in the game's unit: ``0.60 credits``."""
        return f"{amount_text(self.deal.game, self.cost)} {self.deal.game.unit_name}"


def result_of(deal: DayDeal, log: SessionLog) -> DailyResult:
    """Return the result of a finished try. Raises the errors of :func:`judged_choices`."""
    choices = (*judged_choices(deal.game, log),)
    marks = tuple(one.mistake is None for one in choices)
    cost = sum((one.cost for one in choices), Fraction(0))
    return DailyResult(deal, marks, cost, choices)


def run_length(is_played: Callable[[date], bool], day: date) -> int:
    """Return the number of days played in the run that ends on a day.

    One missed day in seven does not break a run, and does not count.
    """
    length, missed = 0, None
    while True:
        if is_played(day):
            length += 1
        elif missed is not None and (missed - day).days < WEEK:
            return length
        else:
            missed = day
        day = day_before(day)


def share_text(result: DailyResult, run: int, *, plain: bool = False) -> str:
    """Return the text to share, which contains no card; ``plain`` uses ASCII characters only."""
    best, other, dot = (PLAIN_BEST, PLAIN_OTHER, "-") if plain else (BEST, OTHER, "·")
    marks = "".join(best if mark else other for mark in result.marks)
    rows = [marks[at : at + ROW] for at in range(0, len(marks), ROW)]
    figures = f" {dot} ".join(
        (
            f"{result.best} of {result.choices} best",
            f"cost {result.shared_cost}",
            f"run {count_noun(run, 'day')}",
        )
    )
    title = title_of(result.deal.slug)
    name = title if title == "Hit Me" else title.lower()
    head = f"TUI Casino daily {result.deal.number} {dot} {name}"
    return "\n".join([head, *rows[:-1], f"{rows[-1] if rows else ''}  {figures}"])
