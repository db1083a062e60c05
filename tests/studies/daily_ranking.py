"""Measure whether a week of daily deals orders players by their strength.

    python tests/studies/daily_ranking.py [--short]

A thousand computer players of eight levels play the daily deals of video poker in a week. Each
plays by the list of 34 lines, but holds at random in some hands: in none at the best level, and in
every hand at the worst. Then they play as many hands with cards of their own. Print a Markdown
table, and the rank correlation (Spearman's, ties at their mean rank) of the levels of all players
with their costs and with the money that they lost. Raises ``AssertionError`` if it is below 0.95
for the costs, or not much lower for the money lost with cards of their own.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from hashlib import sha256
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tests.bench.measure import chosen, heading
from tests.helpers.narrow import instance_of
from tui_casino.cards.card import Hand
from tui_casino.daily.deal import DayDeal
from tui_casino.engine.chance import ChanceSource, CommittedSource
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games import video_poker
from tui_casino.games.video_poker.brains.adviser import judge
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options, Phase, State

RANDOM_HOLDS = (0.0, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.0)
FIRST = date(2026, 11, 23)
DAYS, PLAYERS, FEW = 7, 125, 1
ME = Seat(0)

Floats = npt.NDArray[np.float64]


class Week(NamedTuple):
    """A player's costs and losses in a week, and losses with other cards, in credits."""

    cost: float
    lost: float
    lost_alone: float


def main(players: int) -> None:
    """Print the table and the correlations."""
    print(heading("numpy"))
    print("| holds at random | players | cost | lost | lost with own cards |")
    print("|---:|---:|---:|---:|---:|")
    weeks: list[Week] = []
    for share in RANDOM_HOLDS:
        names = [f"{share} {number}" for number in range(players)]
        weeks += [play_week(share, name) for name in names]
        means = " | ".join(f"{mean:.1f}" for mean in np.array(weeks[-players:]).mean(axis=0))
        print(f"| {share:.0%} | {players} | {means} |", flush=True)
    levels = np.repeat(np.arange(len(RANDOM_HOLDS)), players)
    cost, lost, alone = (correlation(levels, column) for column in np.array(weeks).T)
    print(f"| rank correlation | {len(weeks)} | {cost:.3f} | {lost:.3f} | {alone:.3f} |")
    if players > FEW:
        assert cost >= 0.95, "costs do not order the players"
        assert alone < cost - 0.3, "money orders the players"


def play_week(share: float, name: str) -> Week:
    """Play the daily deals of a week, and seven deals with cards of the player's own."""
    random, total = Random(name), np.zeros(3)
    for day in range(DAYS):
        deal = DayDeal(FIRST + timedelta(day), video_poker.DEFINITION)
        total[:2] += play_deal(deal, deal.source, share, random)
        own = CommittedSource(sha256(f"{name} {day}".encode()).digest())
        total[2] += play_deal(deal, own, share, random)[1]
    return Week(*total.tolist())


def play_deal(
    deal: DayDeal, source: ChanceSource, share: float, random: Random
) -> tuple[float, float]:
    """Play a daily deal; return the cost and the loss."""
    setup, game, bet = deal.setup, deal.game.game, instance_of(Bet, deal.daily.bet)
    table = Table(game, setup.options, setup.croupier, source, {ME: None})
    hands, cost, before = 0, 0.0, game.money(table.state, ME).free
    while hands < deal.daily.rounds or table.state.phase is Phase.HOLD:
        if table.state.phase is Phase.HOLD:
            action, price = choose(table.state, share, random)
            cost, hands = cost + price, hands + 1
            table.submit(ME, action)
        elif table.waiting:
            kinds = {offer.kind for offer in game.offers(table.state, ME)}
            table.submit(ME, bet if Bet in kinds else Draw())
        table.run()
    return cost, before - game.money(table.state, ME).free


def choose(state: State, share: float, random: Random) -> tuple[Hold, float]:
    """Choose the cards to hold; return the cost of the choice."""
    held = by_list(state.hand)
    if random.random() < share:
        held = tuple(place for place in range(1, 6) if random.random() < 0.5)
    return Hold(held), cost_of(state.options, state.coins, state.hand, held)


@cache
def by_list(hand: Hand) -> tuple[int, ...]:
    """Return the cards that the list holds."""
    return advise(hand).positions


@cache
def cost_of(options: Options, coins: int, hand: Hand, held: tuple[int, ...]) -> float:
    """Return the cost of holding these cards, in credits."""
    view = State(options, 0, phase=Phase.HOLD, coins=coins, hand=hand)
    mistake = judge(view, ME, Hold(held))
    return float(mistake.cost) if mistake else 0.0


def correlation(first: Floats | npt.NDArray[np.int64], second: Floats) -> float:
    """Return Spearman's rank correlation."""
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def ranks(values: Floats | npt.NDArray[np.int64]) -> Floats:
    """Return the rank of each value; equal values share their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    after = np.cumsum(counts)
    mean_rank: Floats = after - (counts - 1) / 2
    return mean_rank[place]


if __name__ == "__main__":
    main(chosen(__doc__, PLAYERS, FEW))
