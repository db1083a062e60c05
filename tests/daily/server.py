"""The daily deals of a server without a server, for its players' screens."""

from __future__ import annotations

import hashlib
from datetime import date

from tui_casino.engine.chance import CommittedSource
from tui_casino.house.daily_ranking import Board, BoardKind, Standing
from tui_casino.records.ledger import LedgerError


class Sealed(CommittedSource):
    """The shuffle of a day that is not over, as the server shows it."""

    seed = None  # type: ignore[assignment]


class Server:
    """The daily deals of a server, with these boards and answers."""

    def __init__(self) -> None:
        self.reports, self.late = 0, 0
        self.counts: dict[str, dict[str, int]] = {}
        self.broken, self.name = False, "[b]王小明"

    def source(self, day: date, game: str) -> Sealed:
        if self.broken:
            raise LedgerError("the server is restarting")
        return Sealed(hashlib.sha256(f"{day}{game}".encode()).digest())

    def report(self) -> None:
        self.reports += 1

    def boards(self, kind: BoardKind) -> tuple[Board, ...]:
        if self.broken:
            raise LedgerError("the server is restarting")
        self.late -= 1
        cost = "cost 0.12 bets, 9 of 10 best"
        own = (Standing(2, "Ann", cost, True, 0.12, "1111011111"),) * (self.late < 0)
        first = Standing(1, self.name, f"{kind} cost 0.00 bets, 10 of 10 best", marks="1" * 10)
        games = [Board(slug, (first, *own), 1 + len(own)) for slug in ("video-poker", "cribbage")]
        return (Board("baccarat", (), 0), *games)

    def answers(self, day: date, game: str) -> dict[str, dict[str, int]]:
        return self.counts
