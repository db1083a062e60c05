"""Measure how often cribbage's master beats the expert from scores late in the game.

    python tests/studies/cribbage_master.py [--short]

Print a Markdown table. Games come in pairs with the same random scores and the same cards, and
the players change seats between the two games. The error is computed over pairs. ``tui-casino
cribbage --battle N --players master,expert`` plays whole games; 200,000 of them take two days on
a core.
"""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import NamedTuple

from tests.bench.measure import chosen, heading
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.cribbage.brains.battle import PairedMean
from tui_casino.games.cribbage.brains.players import PLAYERS
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import ACC
from tui_casino.games.cribbage.machine.state import Action, Event, Options, State
from tui_casino.structs import replace


class Sizes(NamedTuple):
    """The number of pairs for each lowest score."""

    pairs: int


FULL = Sizes(pairs=1_000)
SHORT = Sizes(pairs=4)
LOWEST = (90, 105)


class From(ModuleType):
    """The game, starting from given scores instead of 0."""

    def __init__(self, points: tuple[int, int]) -> None:
        super().__init__("cribbage")
        self.__dict__.update(vars(game))
        self.start = lambda options: replace(game.start(options), points=points)


def main(sizes: Sizes) -> None:
    """Print the table."""
    print(heading("numpy"))
    print("| from scores of | pairs of games | the master wins |")
    print("|---|---:|---:|")
    for lowest in LOWEST:
        share = PairedMean.of_values([_share(number, lowest) for number in range(sizes.pairs)])
        told = f"{share.value:.1%} ± {share.margin:.1%}"
        print(f"| {lowest} to {ACC.target - 1} | {sizes.pairs:,} | {told} |")


def _share(number: int, lowest: int) -> float:
    """Play a pair; return the share of its games that the master wins, from 0 to 1."""
    random = Random(number)
    points = random.randrange(lowest, ACC.target), random.randrange(lowest, ACC.target)
    return sum(_wins(number, seat, points) for seat in (0, 1)) / 2


def _wins(number: int, seat: int, points: tuple[int, int]) -> bool:
    players = {Seat(seat): PLAYERS["master"](), Seat(1 - seat): PLAYERS["expert"]()}
    table: Table[Options, State, Action, Event] = Table(
        From(points), Options(), ShuffledShoe(), SeededSource(number), players
    )
    table.run()
    return table.state.winner == seat


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
