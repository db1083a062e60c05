"""Measure single decisions, and the table of chances to win at cribbage from nothing.

    python tests/bench/bench_decisions.py [--short]

Print Markdown tables. Positions of Hit Me are random shoes with every pair. Those of draw come from
hands at a mixed table for four, and are played out until the best choice is clear. Positions of
cribbage come from games between simple players and are judged by the trainer and by the master.
Times are processor time, which other work on the machine disturbs less. One decision of each
kind is made before the measurement, so caches are filled as at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from tests.bench.measure import chosen, heading
from tests.build_data.cribbage.win_chances import (
    BLOCKS,
    as_json,
    estimate_win_chances,
)
from tests.games.five_card_draw.mixed_table import mixed_positions
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.offers import Dice, Offer
from tui_casino.engine.table import Table
from tui_casino.games.cribbage.brains.adviser import weigh_lays
from tui_casino.games.cribbage.brains.players import GreedyPlayer, MasterPlayer
from tui_casino.games.cribbage.brains.win_chances import FILE
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.state import Action, Event, Options, Phase, State
from tui_casino.games.five_card_draw.brains.playouts.advice import advise_played_out
from tui_casino.games.five_card_draw.machine import state as draw_state
from tui_casino.games.thirty_one.brains.adviser import ThirtyOnePosition, advise
from tui_casino.games.thirty_one.face.odds_report import parse_position
from tui_casino.games.thirty_one.machine.rules import Rules


class Sizes(NamedTuple):
    """The amount of work: shoes of Hit Me, hands of draw, games of cribbage, blocks of a table."""

    shoes: int
    hands: int
    games: int
    blocks: int


FULL = Sizes(shoes=6, hands=30, games=6, blocks=BLOCKS)
SHORT = Sizes(shoes=1, hands=3, games=1, blocks=2)

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"]
FULL_SHOE = (8,) * 9 + (32,)
TABLE_BYTES = 200_000


class NoDice:
    """Dice that must not be used, because the decisions here need no chance."""

    def below(self, n: int, /) -> int:
        raise AssertionError("a decision draws from the table's dice")


class Noting(GreedyPlayer):
    """A player who makes the first possible choice and records each decision."""

    def __init__(self) -> None:
        self.decisions: list[tuple[State, Seat, tuple[Offer[Action], ...]]] = []

    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        self.decisions.append((view, seat, offers))
        return super().choose(view, seat, offers, dice)


def main(sizes: Sizes) -> None:
    """Print the tables."""
    print(heading("numpy"))
    print("| a choice | number | milliseconds | longest | target | met |")
    print("|---|---:|---:|---:|---:|---|")
    row("31: a pair, with its split", [partial(advise, p) for p in pairs(sizes.shoes)], 200)
    draw = mixed_positions(sizes.hands)
    for stage, what in (
        (draw_state.Phase.OPENING, "a bet before the draw"),
        (draw_state.Phase.DRAW, "a discard"),
        (draw_state.Phase.CLOSING, "a bet after the draw"),
    ):
        played = [partial(advise_played_out, *each) for each in draw if each[0].phase is stage]
        row(f"draw against three: {what}", played, 300)
    noted = list(cribbage(sizes.games))
    lays = [(v, s) for v, s, _ in noted if v.phase is Phase.PLAY and len(ranks(v, s)) > 1]
    row("cribbage: a card, points", [partial(weigh_lays, v, s) for v, s in lays], 100)
    row(
        "cribbage: a card, points and chance to win",
        [partial(weigh_lays, v, s, to_win=True) for v, s in lays],
        100,
    )
    master, dice = MasterPlayer(), NoDice()
    for phase, what in ((Phase.DISCARD, "a discard"), (Phase.PLAY, "a card")):
        moves = [
            partial(master.choose, v, s, o, dice)
            for v, s, o in noted
            if v.phase is phase and (phase is Phase.DISCARD or len(ranks(v, s)) > 1)
        ]
        row(f"the master: {what}", moves, 50)
    start = process_time()
    made = estimate_win_chances(blocks=sizes.blocks)
    taken = process_time() - start
    size, shipped = len(as_json(made)), FILE.stat().st_size
    kept = "yes" if taken <= 60 else "**no**"
    small = "yes" if shipped < TABLE_BYTES else "**no**"
    print("\n| the chances to win from nothing, one core | | target | met |")
    print("|---|---:|---:|---|")
    print(f"| seconds for {made.deals:,} deals | {taken:.1f} | 60 | {kept} |")
    print(f"| bytes as they ship | {shipped:,} | {TABLE_BYTES:,} | {small} |")
    assert size < TABLE_BYTES


def ranks(view: State, seat: Seat) -> set[int]:
    """Return the ranks that a seat may play."""
    return {int(card.rank) for card in view.playable(seat)}


def row(what: str, decisions: Sequence[Callable[[], object]], to_reach: float) -> None:
    """Make decisions, after a first one that is not timed, and print their times."""
    decisions[0]()
    times = [1000 * timed(decision) for decision in decisions]
    kept = "yes" if median(times) <= to_reach else "**no**"
    print(
        f"| {what} | {len(times):,} | {median(times):,.1f} | {max(times):,.1f} "
        f"| {to_reach:,} | {kept} |"
    )


def timed(decision: Callable[[], object]) -> float:
    start = process_time()
    decision()
    return process_time() - start


def pairs(shoes: int) -> Iterable[ThirtyOnePosition]:
    """Yield each pair against an up card, from shoes with 30 to 80 cards left."""
    for number in range(shoes):
        random = Random(number)
        cards = random.sample(range(10), counts=FULL_SHOE, k=random.randint(34, 84))
        for rank in range(10):
            up = random.randrange(10)
            left = [cards.count(value) for value in range(10)]
            yield parse_position(
                " ".join(map(str, left)), f"{RANKS[rank]} {RANKS[rank]}", RANKS[up], Rules()
            )


def cribbage(games: int) -> Iterable[tuple[State, Seat, tuple[Offer[Action], ...]]]:
    """Return the decisions of two players in games to 121."""
    for number in range(games):
        players = [Noting(), Noting()]
        table: Table[Options, State, Action, Event] = Table(
            game,
            Options(),
            ShuffledShoe(),
            SeededSource(number),
            {Seat(0): players[0], Seat(1): players[1]},
        )
        table.run()
        for player in players:
            yield from player.decisions


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
