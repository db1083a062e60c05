"""The deal of a day and a game: its number, table and shuffle.

On a player's own machine they depend only on the date. A server has a secret seed for each deal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from msgspec import Struct

from ..engine.chance import ChanceSource, CommittedSource, SourceSpec
from ..gamekit.definition import AnyDefinition, DailyDeal
from ..gamekit.table_catalog import AnyTableSetup
from ..house.house import DailyServer
from ..inputs.errors import BadInput
from ..records.codec import decode, encode
from ..records.log_header import HUMAN, LogHeader

LABEL = "tui-casino daily 1"
"""The label and the version of all daily deals.

A change of a seed, a table, a bet or a number of rounds needs the next number.
"""
OPEN = "the deal follows from the date, so nobody can be kept from looking ahead"
SEALED = "the cards are sealed: the server reveals its seed when the day is over"
OVER = "the seed of this deal is public, so nobody can play it any longer"
FIRST_DAY = date(2026, 1, 5)
"""The day with the number 0."""


def day_of(at: int) -> date:
    """Return the day (UTC) of a time in milliseconds since 1970.

    Raises :class:`BadInput` for a day before the first daily deal: the clock must be wrong.
    """
    day = datetime.fromtimestamp(at / 1000, UTC).date()
    if day < FIRST_DAY:
        raise BadInput(
            f"the clock says {day}, but the daily deals begin on {FIRST_DAY}; set the clock"
        )
    return day


class DayDeal(Struct, frozen=True):
    """The deal of a day and a game; ``sealed`` is the shuffle of a server.

    Raises :class:`BadInput` for a game without a daily deal.
    """

    day: date
    game: AnyDefinition
    sealed: ChanceSource | None = None

    def __post_init__(self) -> None:
        if self.game.daily is None:
            raise BadInput(f"{self.slug} has no daily deal, because it has no choices to judge")

    @property
    def slug(self) -> str:
        """The name of the game in logs and commands."""
        return self.game.game.slug

    @property
    def daily(self) -> DailyDeal[Any]:
        """The game's declaration of its daily deal."""
        assert self.game.daily is not None
        return self.game.daily

    @property
    def number(self) -> int:
        """The number of days since the first day."""
        return (self.day - FIRST_DAY).days

    @property
    def source(self) -> ChanceSource:
        """The shuffle; on a player's own machine its seed is the SHA-256 of ``LABEL|GAME|DAY``."""
        if self.sealed is not None:
            return self.sealed
        text = f"{LABEL}|{self.slug}|{self.day.isoformat()}"
        return CommittedSource(hashlib.sha256(text.encode()).digest())

    @property
    def over(self) -> bool:
        """Whether a server has revealed the seed: no try can be begun or resumed any more."""
        return self.sealed is not None and self.sealed.seed is not None

    @property
    def secrecy(self) -> str:
        """A sentence that says whether a player can look at the cards before the try."""
        return OPEN if self.sealed is None else OVER if self.over else SEALED

    @property
    def spec(self) -> SourceSpec:
        """The public part of the shuffle; its value, the commitment, identifies the deal."""
        return self.source.spec

    @property
    def setup(self) -> AnyTableSetup:
        """The table, with a new croupier."""
        return self.daily.setup()

    def deals(self, header: LogHeader) -> bool:
        """Return whether a log with this first line began with the same table and the same cards.

        If not, it is a try of a different deal, such as one of another version of the program.
        """
        setup = self.setup
        players = tuple(who or HUMAN for _, who in sorted(setup.players.items()))
        return (
            header.options == decode(encode(setup.options), dict)
            and header.players == players
            and header.croupier == setup.croupier.kind
            and header.source == self.spec
            and header.seat is None
        )


def deals_of(
    day: date, games: Mapping[str, AnyDefinition], server: DailyServer | None = None
) -> tuple[DayDeal, ...]:
    """Return the deals of a day, one for each game with choices, in the order of the games.

    A ``server`` has shuffles of its own. Raises
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    return tuple(
        DayDeal(day, game, None if server is None else server.source(day, slug))
        for slug, game in games.items()
        if game.daily is not None
    )


def day_before(day: date) -> date:
    """Return the previous day."""
    return day - timedelta(days=1)
