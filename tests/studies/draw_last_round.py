"""Compare three ways to bet in the last round of five-card draw with three players.

    python tests/studies/draw_last_round.py [--short] [TABLES]

A player of the level `exact` until the draw plays against two others of a level. If two players
remain in the last betting round, it bets in one of three ways: by the marks of `exact`, by the
trainer's estimate, or by the round solved again. Each table plays three hands, so that each seat
acts first once. All three ways play the same tables with the same shuffles.

Print Markdown: the result per hand in credits, and the difference from betting by marks, with a
95% interval.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tests.bench.measure import heading, options
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import ComputerPlayer, Seat
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw.brains import heuristic_ev, last_round_solver
from tui_casino.games.five_card_draw.brains.levels import PLAYERS, PRESENT
from tui_casino.games.five_card_draw.brains.limit_choices import LimitAdvice
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Options,
    Phase,
    Play,
    Stakes,
    State,
)

TABLES, FEW = 600, 10
HANDS, ME = 3, Seat(0)
AGAINST = ("algorithm", "tight", "exact")
Reckons: TypeAlias = Callable[[State, Seat], LimitAdvice]
WAYS: dict[str, Reckons | None] = {
    "by marks": None,
    "roughly": heuristic_ev.advise_heuristically,
    "solved anew": last_round_solver.advise_last_round,
}


def main(tables: int) -> None:
    print(heading("numpy"))
    print(f"{tables:,} tables of {HANDS} hands\n")
    print(
        "| against two | the last round | credits per hand | gain over marks |\n|---|---|--:|--:|"
    )
    for level in AGAINST:
        won = {way: played(level, reckons, tables) for way, reckons in WAYS.items()}
        for way, each in won.items():
            more = mean_with_margin(each - won["by marks"]) if way != "by marks" else ""
            print(f"| {level} | {way} | {mean_with_margin(each)} | {more} |", flush=True)


def mean_with_margin(won: npt.NDArray[np.float64]) -> str:
    return f"{won.mean():+.2f} ± {1.96 * won.std(ddof=1) / np.sqrt(len(won)):.2f}"


def played(level: str, reckons: Reckons | None, tables: int) -> npt.NDArray[np.float64]:
    """Return the result of a hand at each table, in credits."""
    found = []
    for number in range(tables):
        seed = sha256(f"last round {number}".encode()).digest()
        others: dict[Seat, ComputerPlayer[State, Action] | None] = {
            Seat(place): PLAYERS[PRESENT[level]]() for place in (1, 2)
        }
        table = Table(
            game,
            Options(opponents=2, stakes=Stakes.LIMIT),
            ShuffledShoe(),
            CommittedSource(seed),
            {ME: None, **others},
        )
        start = table.state.stacks[ME]
        own, hands = PLAYERS[PRESENT["exact"]](), 0
        while True:
            table.run()
            if table.state.phase is Phase.REST:
                if hands == HANDS or len(table.state.stacks) - table.state.stacks.count(0) < 3:
                    break
                hands += 1
                table.submit(ME, Play())
                continue
            view = table.view(ME)
            if reckons is not None and last_round_solver.fits_round(view):
                action = reckons(view, ME).best.action
            else:
                dice = table.source.dice(f"own choice {hands} {view.phase} {view.betting}")
                action = own.choose(view, ME, table.game.offers(view, ME), dice)
            table.submit(ME, action)
        found.append((table.state.stacks[ME] - start) / hands)
    return np.array(found)


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("tables", metavar="TABLES", nargs="?", type=int, default=TABLES)
    chosen = parser.parse_args()
    main(FEW if chosen.short else chosen.tables)
