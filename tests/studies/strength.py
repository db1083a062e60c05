"""Measure the strength of computer players: the cost of their mistakes per 100 choices.

    python tests/studies/strength.py [--short]

Print a Markdown table. The costs are those that the games list for comparison with human players.
Five-card draw is played against the GTO level at the limit table for two, and cribbage against
random play. The choices of each player are judged as in the history.
"""

from __future__ import annotations

import tempfile
from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple

from tests.bench.measure import chosen, heading
from tests.helpers.scripted_sessions import by_chart, by_level, play_sessions, reviewed_in
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.five_card_draw.brains.players import EQUILIBRIUM
from tui_casino.games.five_card_draw.machine.state import Options


class Measured(NamedTuple):
    """The choices of a computer player, and the cost per 100 of them with its standard error."""

    choices: int
    cost: float
    error: float


ROUNDS = {
    ("video-poker", "list"): 3_000,
    ("five-card-draw", "strong"): 700,
    ("five-card-draw", "regular"): 1_600,
    ("five-card-draw", "casual"): 1_400,
    ("five-card-draw", "novice"): 300,
    ("thirty-one", "chart"): 1_500,
    ("thirty-one", "dealer"): 800,
    ("cribbage", "expert"): 800,
    ("cribbage", "greedy"): 300,
    ("cribbage", "random"): 150,
}
"""The number of rounds that each computer player plays."""
SHORT = 3


def main(rounds: dict[tuple[str, str], int]) -> None:
    """Print the table."""
    print(heading("numpy"))
    print("| game | player | choices | cost per 100 choices |")
    print("|---|---|---:|---:|")
    for (game, level), number in rounds.items():
        choices, cost, error = measure(game, level, number)
        print(f"| {game} | {level} | {choices:,} | {cost:.3f} ± {error:.3f} |", flush=True)


def measure(game: str, level: str, rounds: int) -> Measured:
    """Let a computer player play these rounds, and judge its choices."""
    choose = by_chart if level == "chart" else by_level(game, level)
    options, opponent = (
        (Options(opponents=1), EQUILIBRIUM) if game == "five-card-draw" else (None, "")
    )
    with tempfile.TemporaryDirectory() as folder:
        play_sessions(DEFINITIONS[game], choose, Path(folder), rounds, options, opponent)
        reviewed = reviewed_in(Path(folder))
    choices = sum(sum(each.choices.values()) for each in reviewed)
    costs = [each.cost_of(mistake) for each in reviewed for mistake in each.mistakes]
    costs += [0.0] * (choices - len(costs))
    return Measured(choices, 100 * fmean(costs), 100 * pstdev(costs) / sqrt(choices))


if __name__ == "__main__":
    main(chosen(__doc__, ROUNDS, dict.fromkeys(ROUNDS, SHORT)))
