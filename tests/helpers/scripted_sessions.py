"""Sessions that a player plays by a rule, at real tables with known shuffles, and their review."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.helpers.ledger_sessions import clock
from tests.helpers.random_play import seed_of
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.offers import Dice, Offer
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.thirty_one.brains.adviser import position_of
from tui_casino.games.thirty_one.brains.strategy_chart import build_chart, chart_cell_of
from tui_casino.games.thirty_one.machine import state
from tui_casino.games.thirty_one.machine.rules import MINIMUM
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.teacher.mistakes import ReviewedSitting, review_sittings

ME = Seat(0)
ROUNDS_PER_SESSION = 20
"""Few enough for the stacks of a limit table to stay deep."""
Choose = Callable[[Any, tuple[Offer[Any], ...], Dice], Any]


def play_sessions(
    definition: AnyDefinition,
    choose: Choose,
    folder: Path,
    rounds: int,
    options: Any = None,
    opponent: str = "",
    rounds_per_session: int = ROUNDS_PER_SESSION,
) -> None:
    """Play sessions with this number of rounds together; their logs are in the folder."""
    game, played, number = definition.game, 0, 0
    opponent = opponent or next(iter(definition.players))
    while played < rounds:
        number += 1
        seated = game.sit(options or game.Options(), 100_000 // game.unit)
        players = {
            Seat(seat): None if seat == ME else opponent for seat in range(game.seats(seated))
        }
        source = CommittedSource(seed_of(number))
        house = House(folder, None, "ann", clock=clock)
        sitting = begin_sitting(house, definition, seated, ShuffledShoe(), source, players)
        table, most = sitting.table, min(rounds - played, rounds_per_session)
        while sitting.dialogue.tally.rounds < most:
            if not table.waiting:
                if not table.advance():
                    break
                continue
            view = table.view(ME)
            able = tuple(one for one in game.offers(view, ME) if one.barred is None)
            if not able or not isinstance(game.turn(table.state), AskSeats):
                break
            table.submit(ME, choose(view, able, source.dice(f"me {sitting.log.steps}")))
        played += max(1, sitting.dialogue.tally.rounds)
        sitting.leave()


def reviewed_in(folder: Path, cache: Cache | None = None) -> list[ReviewedSitting]:
    """Return the sessions in a folder that count."""
    logs = list_logs(folder, DEFINITIONS, {})
    found = review_sittings(logs, DEFINITIONS, cache or Cache(None))
    return [each for each in found if isinstance(each, ReviewedSitting)]


def by_level(game: str, level: str, seat: Seat = ME) -> Choose:
    """Choose as a computer player in this seat does."""
    player = DEFINITIONS[game].players[level]()
    return lambda view, able, dice: player.choose(view, seat, able, dice)


def by_chart(view: Any, able: tuple[Offer[Any], ...], dice: Dice) -> Any:
    """Choose by Hit Me's strategy chart, with the smallest bet and without insurance."""
    position, kinds = position_of(view), {offer.kind for offer in able}
    if position is None:
        return state.Bet(MINIMUM)
    if position.insurance_asked:
        return state.Decline()
    rows = {(row.kind, row.name): row for row in build_chart(position.rules)}
    code = rows[chart_cell_of(position)].plays[position.up_card]
    first = {"D": state.Double, "d": state.Double, "P": state.Split, "S": state.Stand}
    wanted = first.get(code, state.Hit)
    otherwise = state.Stand if code == "d" else state.Hit
    return wanted() if wanted in kinds else otherwise()
