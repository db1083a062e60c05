"""Compare the levels of five-card draw with two players at the real table.

    python tests/studies/draw_levels.py [--short] [HANDS] [--jobs N]

Print Markdown: the credits that the first level wins per hand, with a 95% interval. Every hand
begins with full stacks. Each seed is dealt twice, and the levels change seats in between. The
hands are the same on any number of cores, and on a cluster.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from tests.bench.measure import heading, options
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.parallel import ONE_JOB, Workers, map_blocks
from tui_casino.engine.table import Table
from tui_casino.gamekit.simulation_runner import add_worker_options, workers_from_options
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.levels import PLAYERS, PRESENT, levels_at
from tui_casino.games.five_card_draw.machine.state import STACK, Options, Stakes

HANDS, FEW = 4_000, 100
BLOCK = 50
"""The number of seeds that are played together."""


def main(hands: int, workers: Workers = ONE_JOB) -> None:
    print(heading("numpy"))
    print(f"{hands:,} hands each\n\n| table | level | against | wins per hand |\n|---|---|---|--:|")
    for stakes in Stakes.ANTE, Stakes.LIMIT:
        levels = levels_at(Options(opponents=1, stakes=stakes))
        for one, other in combinations(levels, 2):
            seeds = hands // 2
            block = partial(match, stakes, one, other, seeds)
            blocks = map_blocks(block, -(-seeds // BLOCK), workers)
            won = [share for shares in blocks for share in shares]
            error = 1.96 * stdev(won) / sqrt(len(won))
            print(f"| {stakes.value} | {one} | {other} | {fmean(won):+.2f} ± {error:.2f} |")


def match(stakes: Stakes, one: str, other: str, seeds: int, number: int) -> list[float]:
    """Play the seeds of a block; return what the first level won per hand for each seed.

    The two hands of a seed are not independent.
    """
    some = range(number * BLOCK, min((number + 1) * BLOCK, seeds))
    return [fmean(play(stakes, one, other, 2 * n + seat) for seat in (0, 1)) for n in some]


def play(stakes: Stakes, one: str, other: str, number: int) -> int:
    """Play one hand; return what the first level won."""
    seat = number % 2
    players = {Seat(seat): PLAYERS[PRESENT[one]](), Seat(1 - seat): PLAYERS[PRESENT[other]]()}
    heads_up = Options(opponents=1, stakes=stakes)
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, heads_up, ShuffledShoe(), SeededSource(number // 2), players
    )
    while not (table.state.winners and table.state.phase.value == "rest"):
        table.advance()
    assert not table.bus.faults
    return int(table.state.stacks[seat]) - STACK


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("hands", metavar="HANDS", nargs="?", type=int, default=HANDS)
    add_worker_options(parser, "the hands", "1")
    chosen = parser.parse_args()
    main(FEW if chosen.short else chosen.hands, workers_from_options(chosen, usual=1))
