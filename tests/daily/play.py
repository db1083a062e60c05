"""Play daily deals by a rule, without a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tui_casino.daily.deal import DayDeal
from tui_casino.daily.session import DailySession, open_try
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.house.house import House

DAY = date(2026, 11, 28)
DAILY = [slug for slug, definition in DEFINITIONS.items() if definition.daily is not None]
ME = "ann"
Choose = Callable[[tuple[Any, ...]], Any]
"""Chooses one of the values of all choices, which are listed best first."""


def noon(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp() * 1000)


def house_in(folder: Path, day: date = DAY, player: str = ME) -> House:
    return House(folder / "logs", None, player, clock=lambda: noon(day))


def deal_of(slug: str, day: date = DAY) -> DayDeal:
    return DayDeal(day, DEFINITIONS[slug])


def best(values: tuple[Any, ...]) -> Any:
    return values[0].action


def worst(values: tuple[Any, ...]) -> Any:
    return values[-1].action


def choose(session: DailySession, rule: Choose) -> None:
    """Make the next choice."""
    table, dialogue = session.sitting.table, session.sitting.dialogue
    values = session.deal.game.adviser.values(table.view(dialogue.seat), dialogue.seat)
    assert len(values) > 1, "the player is asked only for choices"
    dialogue.act(rule(values))


def _deal_on(session: DailySession) -> None:
    session.advance()
    while session.round_ended and not session.over:
        session.begin_next()
        session.advance()


def play_on(session: DailySession, rule: Choose, most: int = 1_000) -> int:
    """Make up to this number of choices, and finish the try if it is over; return the number."""
    count = 0
    _deal_on(session)
    while not session.over and count < most:
        choose(session, rule)
        count += 1
        _deal_on(session)
    if session.over:
        session.finish()
    return count


def play(house: House, deal: DayDeal, rule: Choose = best, most: int = 1_000) -> int:
    """Open a try, and play it as :func:`play_on` does."""
    with open_try(house, deal) as session:
        return play_on(session, rule, most)


def logs_in(folder: Path) -> Iterator[Path]:
    return (folder / "logs").glob("*.jsonl")
