"""The texts about results, shared by the screen, the lines of text and the clipboard."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from ..gamekit.adviser import Decision
from ..gamekit.registry import title_of
from ..gamekit.verdict import action_text, amount_text, own_cost
from ..house.daily_ranking import Board
from ..inputs.numbers import count_noun
from .session import DailyResult

BEST, OTHER = "■", "□"
PLAIN_BEST, PLAIN_OTHER = "#", "."
ROW = 20
"""The number of marks in a row of the text to share."""
MINUTE = 60_000
"""Milliseconds per minute."""
DAY_MINUTES = 24 * 60


def headline(result: DailyResult) -> tuple[str, ...]:
    """Return how good a result is: the number of best choices, and the cost in each unit."""
    cost = f"cost {result.shared_cost}"
    if result.bets is not None:
        cost += f", {result.cost_text}"
    return f"{result.best} of {result.choices} best", cost


def place_text(board: Board) -> str:
    """Return the player's place on a board, such as ``place 4 of 27``; "" without one."""
    rank = next((one.rank for one in board.standings if one.own), None)
    return "" if rank is None else f"place {rank} of {board.players:,}"


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


class ChoiceText(Struct, frozen=True):
    """A choice in words: whose it is, the action, its EV if it is known, and its cost."""

    who: str
    action: str
    ev: str
    cost: str


def choice_texts(result: DailyResult, decision: Decision[Any, Any]) -> tuple[ChoiceText, ...]:
    """Return the player's choice and, if it was a mistake, the best one."""
    game = result.deal.game
    evs = {one.action: amount_text(game, one.value) for one in decision.values}
    did = action_text(game, decision, decision.action, past=True)
    ev = evs.get(decision.action, "")
    if decision.mistake is None:
        return (ChoiceText("you", did, ev, "best"),)
    best = action_text(game, decision, decision.best, past=True)
    cost = f"cost {own_cost(game, decision)} {game.unit_name}"
    return ChoiceText("you", did, ev, cost), ChoiceText(
        "best", best, evs.get(decision.best, ""), ""
    )


class FieldAnswer(Struct, frozen=True):
    """A choice of some of the players; ``own`` says whether it is also the reader's."""

    action: str
    count: int
    total: int
    own: bool

    def __str__(self) -> str:
        return f"{self.count} of {self.total}"


def field_answers(counts: Mapping[str, int], own: str) -> tuple[FieldAnswer, ...]:
    """Return what everybody chose, most frequent first."""
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return tuple(FieldAnswer(text, count, total, text == own) for text, count in ranked)


def time_left(at: int) -> str:
    """Return the time from ``at``, in milliseconds since 1970, to the next deal: ``5 h 12 min``.

    A minute that has begun counts.
    """
    moment = datetime.fromtimestamp(at / 1000, UTC)
    hours, minutes = divmod(DAY_MINUTES - 60 * moment.hour - moment.minute, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
