"""Whole games by the policy of `bulk_play`, played out to check `win_chances`.

Each game is simulated from its first deal until a player has 121 points; nothing is calculated
backwards from the end. This command compares the shares of games won from four scores with the
table:

    python -m tests.build_data.cribbage.game_simulation [GAMES] [--jobs N] [--seed S]

The default is 1,000,000 games from each score. The games depend only on the seed, whether they are
played on one core, several cores or a cluster.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from math import sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import BitGenerator

from tui_casino.cards.card import PACK
from tui_casino.engine.chance import SEED_LIMIT
from tui_casino.engine.monte_carlo import OutcomeCounts, ReportProgress, count_rounds
from tui_casino.engine.parallel import ONE_JOB, Workers
from tui_casino.gamekit.simulation_runner import (
    add_worker_options,
    progress_bar,
    workers_from_options,
)
from tui_casino.games.cribbage.brains.bulk_play import PlayedDeals, play_deals, points_by_starter
from tui_casino.games.cribbage.brains.win_chances import TARGET, shipped_win_chances
from tui_casino.games.cribbage.machine.rules import ACC, points_of, starter_scores
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.numbers import parse_number
from tui_casino.inputs.sanitize import printable

from .win_chances import shuffled

Integers: TypeAlias = npt.NDArray[np.int64]

GAMES = 1_000_000
MOST_GAMES = 10**9
MOST_ERRORS = 4
"""The largest accepted difference between a share and the table, in standard errors."""
SCORES = ((0, 0), (60, 60), (100, 110), (110, 100))
"""Scores from which games start: points of the first dealer and of the pone."""
BLOCK = 1 << 13
"""The number of games played together."""


def games_won(
    dealer: int,
    pone: int,
    games: int,
    seed: int,
    workers: Workers = ONE_JOB,
    progress: ReportProgress | None = None,
) -> int:
    """Play games from a score, and return how many the first dealer wins.

    Raises the errors of :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    play = partial(_play, dealer, pone)
    counts = count_rounds(
        play, 2, games, seed, block=BLOCK, at_once=1, workers=workers, processes=True,
        progress=progress,
    )  # fmt: skip
    return int(counts[0])


def _play(dealer: int, pone: int, stream: BitGenerator, games: int) -> OutcomeCounts:
    """Return the number of games won by the first dealer, and by the other player."""
    points = np.tile(np.array([[dealer], [pone]]), games)
    wins, deals = np.zeros(2, np.int64), 0  # by player: the first dealer, then the other player
    while points.shape[1]:
        deal = play_deals(shuffled(stream, points.shape[1]))
        winner = _add_deal(points, deal, dealer=deals % 2)
        wins += np.bincount(winner[winner >= 0], minlength=2)
        points, deals = points[:, winner < 0], deals + 1
    return wins


def _add_deal(points: Integers, deal: PlayedDeals, dealer: int) -> Integers:
    """Add the points of a deal to both players' scores; return each game's winner, or -1.

    ``dealer`` is the player, 0 or 1, who deals. After a game is won, points are still added.
    """
    winner = np.full(points.shape[1], -1)
    for player, points_gained in _in_order(deal, dealer):
        points[player] += points_gained
        winner[(winner < 0) & (points[player] >= TARGET)] = player
    return winner


def _in_order(deal: PlayedDeals, dealer: int) -> Iterator[tuple[int, Integers]]:
    """Yield the points of all deals in the order in which they are scored, each with its player."""
    pone, starters = 1 - dealer, deal.undealt[:, :1]
    heels = np.array([points_of(starter_scores(card, ACC)) for card in PACK])
    yield dealer, heels[starters[:, 0]]
    for event in deal.events.astype(np.int64):
        yield pone, np.maximum(event, 0)
        yield dealer, np.maximum(-event, 0)
    yield pone, points_by_starter(deal.pone, starters, ACC)[:, 0]
    yield dealer, points_by_starter(deal.dealer, starters, ACC)[:, 0]
    yield dealer, points_by_starter(deal.crib, starters, ACC, crib=True)[:, 0]


def main(*arguments: str) -> int:
    """Play from four scores and print a table; return 1 if a share is 4 standard errors off."""
    parser = ArgumentParser(
        prog="games", description="play games and compare the chances to win with the table"
    )
    parser.add_argument("games", metavar="GAMES", nargs="?", default=str(GAMES))
    parser.add_argument("--seed", metavar="S", default="7")
    add_worker_options(parser, "the games", "1")
    args = parser.parse_args(arguments)
    try:
        workers = workers_from_options(args, usual=1)
        games = parse_number("GAMES", args.games, 1, MOST_GAMES)
        seed = parse_number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)
        return _compare(games, seed, workers)
    except BadInput as error:
        message = f"{printable(str(error))}\n"
        sys.stderr.write(message)
        return 2


def _compare(games: int, seed: int, workers: Workers) -> int:
    text = (
        f"{games:,} games from each score, seed {seed}\n\n"
        "| dealer–pone | the dealer won | the table | standard errors |\n|---|---:|---:|---:|\n"
    )
    sys.stdout.write(text)
    worst = 0.0
    for dealer, pone in SCORES:
        with progress_bar(f"games from {dealer}–{pone}", games, sys.stderr) as progress:
            share = games_won(dealer, pone, games, seed, workers, progress) / games
        expected = shipped_win_chances().chance(dealer, pone, True)
        error = sqrt(expected * (1 - expected) / games)
        errors_off = (share - expected) / error
        worst = max(worst, abs(errors_off))
        text = f"| {dealer}–{pone} | {share:.3%} ± {error:.3%} | {expected:.3%} | "
        sys.stdout.write(f"{text}{errors_off:+.2f} |\n")
        sys.stdout.flush()
    return int(worst > MOST_ERRORS)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
