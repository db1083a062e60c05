"""Judge a player's finished daily deals, in a process of its own that no player controls."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ...daily.deal import deals_of
from ...daily.session import read_try
from ...gamekit.registry import DEFINITIONS
from ...house.daily_board import JudgedTry
from ...house.house import House
from ..daily_deals import JudgedAnswers, Judgement


def judge_day(house: House, day: date) -> Iterator[Judgement]:
    """Yield a judgement of each finished try of a day; a try that does not count has none.

    Every log is played again with the server's own cards. This may take seconds. Raises
    :class:`~tui_casino.inputs.errors.BadInput`.
    """
    for deal in deals_of(day, DEFINITIONS, house.daily):
        result = read_try(house, deal).result()
        if result is not None:
            bets, slug = result.bets, deal.slug
            cost, unit = (result.cost, deal.game.unit_name) if bets is None else (bets, "bets")
            marks = "".join("01"[mark] for mark in result.marks)
            yield Judgement(
                JudgedTry(day, slug, house.player, house.display_name, str(cost), unit, marks),
                JudgedAnswers(slug, tuple(result.answers)),
            )
