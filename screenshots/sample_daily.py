"""Sample daily deals of a server for the pictures: two weeks of tries, and boards with six others.

The tries are real ones with real logs; the server's seeds and the other players are made up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random

from sample_play import LAST_MOMENT

from tui_casino.daily.deal import DayDeal, deals_of
from tui_casino.daily.session import DailySession, open_try, read_try
from tui_casino.engine.chance import CommittedSource
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.gamekit.verdict import action_text
from tui_casino.house.daily_ranking import Board, BoardKind, JudgedTry, boards_of, days_of
from tui_casino.house.house import House

DAILY_FOLDER = "daily"
PLAYER = "player"
TODAY = LAST_MOMENT.date()
DAYS, MISSED = 14, 9
"""The number of days, and the one of them on which nothing was played."""
MISTAKES: Mapping[str, tuple[int, ...]] = {
    "video-poker": (4,),
    "cribbage": (),
    "thirty-one": (2, 7),
}
"""The choices in today's and yesterday's deals that are only the second best."""
OTHERS = ("Ada", "Blaise", "Carl", "Emmy", "Grace", "Kurt")


class _SealedSource(CommittedSource):
    """The shuffle of a day that is not over: a server keeps its seed."""

    seed = None  # type: ignore[assignment]


class SampleServer:
    """The daily deals of a server whose other players always choose at random among the best."""

    def __init__(self, folder: Path, today: date) -> None:
        self._folder, self._today = folder, today

    def report(self) -> None:
        """Do nothing, because every try is judged when it is asked for."""

    def source(self, day: date, game: str) -> CommittedSource:
        """Return the shuffle of a deal, with its seed if its day is over."""
        kind = CommittedSource if day < self._today else _SealedSource
        return kind(hashlib.sha256(f"sample {day} {game}".encode()).digest())

    def boards(self, kind: BoardKind) -> tuple[Board, ...]:
        """Return the boards of all games."""
        days = days_of(kind, TODAY)
        tries = [one for day in days for one in self._tries(day)]
        return boards_of(kind, MISTAKES, tries, PLAYER, days)

    def answers(self, day: date, game: str) -> Mapping[str, Mapping[str, int]]:
        """Return what everybody chose: most of them the best choice."""
        attempt = read_try(_house_on(day, self._folder), self._deal(day, game))
        result, random = attempt.result(), Random(f"{day} {game}")
        assert result is not None
        counts = {}
        for (key, own), choice in zip(result.answers, result.decisions, strict=True):
            best = action_text(result.deal.game, choice, choice.best, past=True)
            counts[key] = {own: 1} | {best: random.randint(3, len(OTHERS))}
        return counts

    def _deal(self, day: date, game: str) -> DayDeal:
        return DayDeal(day, DEFINITIONS[game], self.source(day, game))

    def _tries(self, day: date) -> Iterator[JudgedTry]:
        for game in MISTAKES:
            random = Random(f"{day} {game}")
            result = read_try(_house_on(day, self._folder), self._deal(day, game)).result()
            if result is None:
                continue
            cost, unit = (result.cost, "points") if result.bets is None else (result.bets, "bets")
            marks = "".join("01"[mark] for mark in result.marks)
            yield JudgedTry(day, game, PLAYER, "you", str(cost), unit, marks)
            for name in OTHERS:
                missed = random.randint(0, 4)
                lost = Fraction(missed * random.randint(3, 40), 100)
                others = "0" * missed + "1" * (len(marks) - missed)
                yield JudgedTry(day, game, name, name, str(lost), unit, others)


def _house_on(day: date, folder: Path) -> House:
    noon = int(LAST_MOMENT.replace(day=day.day, month=day.month).timestamp() * 1000)
    server = SampleServer(folder, day)
    return House(folder, None, PLAYER, clock=lambda: noon, remote=True, daily=server)


def daily_house(folder: Path) -> House:
    """Return the house of the sample tries, at the moment after the last one."""
    return _house_on(TODAY, folder)


def play_daily_samples(folder: Path) -> None:
    """Play all sample tries; their logs are written to a folder."""
    folder.mkdir()
    for back in range(DAYS - 1, -1, -1):
        day = TODAY - timedelta(days=back)
        house = _house_on(day, folder)
        for deal in deals_of(day, DEFINITIONS, house.daily):
            recent = back < 2 and deal.slug in MISTAKES
            if recent or (deal.slug == "video-poker" and back != MISSED):
                with open_try(house, deal) as session:
                    _play(session, MISTAKES[deal.slug])


def _play(session: DailySession, mistakes: tuple[int, ...]) -> None:
    """Make the best choices, except for these, and finish the try."""
    table, dialogue, count = session.sitting.table, session.sitting.dialogue, 0
    session.advance()
    while not session.over:
        values = session.deal.game.adviser.values(table.view(dialogue.seat), dialogue.seat)
        dialogue.act(values[min(int(count in mistakes), len(values) - 1)].action)
        count += 1
        session.advance()
        if session.round_ended and not session.over:
            session.begin_next()
            session.advance()
    session.finish()
