"""The boards that SSH clients can print: ``ssh HOST top`` and ``ssh HOST daily``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import date
from math import inf
from threading import Lock

from ...engine.money import dollars
from ...gamekit.registry import GAMES, title_of
from ...house.daily_ranking import TITLES, BoardKind, board_lines, boards_of, days_of, empty_text
from ...inputs.errors import BadInput
from ...records.clock import now
from ...records.ledger import PlayerWinnings
from ...records.log_header import Identity
from ..daily_deals import DailyResults, open_days
from ..identities import Identities
from ..storage import HostLedger

SHOWN = 20
FRESH = 60.0
"""How many seconds the list is cached: computing it reads every session ever played."""
NOBODY = "Nobody has finished a session yet.\n"


class Leaderboard:
    """The players by winnings; ``open_ledger`` may return ``None``. Thread-safe."""

    def __init__(
        self, identities: Identities, open_ledger: Callable[[], HostLedger | None]
    ) -> None:
        self._identities, self._open_ledger = identities, open_ledger
        self._cached: Sequence[tuple[str, PlayerWinnings]] = ()
        self._until, self._lock = -inf, Lock()

    def text(self, player: Identity | None, now: float) -> str:
        """Return the leaderboard as text; if ``player`` is not among the first, add their rank.

        ``now`` is a monotonic time in seconds. Raises :class:`~tui_casino.inputs.errors.BadInput`.
        """
        with self._lock:
            if now >= self._until:
                self._cached, self._until = [*self._looked_up()], now + FRESH
            standings = self._cached
        shown = [
            f"{place:5}  {'+' * (one.won > 0) + dollars(one.won):>16}  in {one.sittings:,} session"
            f"{'' if one.sittings == 1 else 's'}  {name}\n"
            for place, (name, one) in enumerate(standings, 1)
            if place <= SHOWN or (player is not None and one.player == player.id)
        ]
        return "".join(shown) or NOBODY

    def _looked_up(self) -> Iterator[tuple[str, PlayerWinnings]]:
        ledger = self._open_ledger()
        if ledger is None:
            return
        with closing(ledger):
            standings = ledger.standings()
        names = {known.identity.id: known.identity.name for known in self._identities.players()}
        for one in standings:
            if one.player in names:
                yield names[one.player], one


HELP = "daily [today|yesterday|week|runs|DAY]"
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def daily_text(
    command: str, player: Identity | None, results: DailyResults, identities: Identities
) -> str:
    """Return the answer to a command such as ``daily week``.

    This may take a while. Raises :class:`BadInput`, and ``OSError``.
    """
    today = open_days(now())[-1]
    match command.split()[1:]:
        case []:
            kind, days = BoardKind.TODAY, days_of(BoardKind.TODAY, today)
        case [word] if word in [*BoardKind]:
            kind = BoardKind(word)
            days = days_of(kind, today)
        case [word] if (day := _parsed_day(word)) is not None:
            kind, days = BoardKind.TODAY, (day,)
        case _:
            raise BadInput(f"the command is {HELP}; a DAY is written like {today}")
    title = str(days[0]) if len(days) == 1 else TITLES[kind]
    boards = boards_of(
        kind,
        (game.slug for game in GAMES),
        results.read(days, identities.names()),
        "" if player is None else player.id,
    )
    lines = [f"Daily deal, {title} (UTC)"]
    for board in boards:
        if board.players:
            lines += ["", title_of(board.game), *board_lines(board)]
    if len(lines) == 1:
        lines.append(empty_text(kind))
    return "".join(f"{line}\n" for line in lines)


def _parsed_day(word: str) -> date | None:
    try:
        return date.fromisoformat(word) if _DAY.fullmatch(word) else None
    except ValueError:
        return None
