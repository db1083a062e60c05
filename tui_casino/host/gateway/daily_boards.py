"""The boards of the daily deals that ``ssh HOST daily`` prints."""

from __future__ import annotations

import re
from datetime import date

from ...gamekit.registry import GAMES, title_of
from ...house.daily_board import TITLES, BoardKind, board_lines, boards_of, days_of
from ...inputs.errors import BadInput
from ...records.clock import now
from ...records.log_header import Identity
from ..daily_deals import DailyResults, open_days
from ..identities import Identities

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
        lines.append("Nobody has finished a deal yet.")
    return "".join(f"{line}\n" for line in lines)


def _parsed_day(word: str) -> date | None:
    try:
        return date.fromisoformat(word) if _DAY.fullmatch(word) else None
    except ValueError:
        return None
