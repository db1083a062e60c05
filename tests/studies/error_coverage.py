"""Measure how often the play of a session plus and minus two errors contains the player's mean.

    python tests/studies/error_coverage.py [--short] [GAME ...]

Print a Markdown table. Each player plays a number of rounds. Sessions of 50, 200 and 1,000 rounds
are then drawn from these rounds, so that the mean is known. The last share of a name is how many of
its choices are random.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from tests.bench.measure import heading, options
from tests.helpers.cost_coverage import Round, play_coverage, played_rounds, video_poker_rounds
from tui_casino.games.cribbage.machine import state as cribbage
from tui_casino.games.five_card_draw.machine import state as draw

LIMIT_FOR_TWO = draw.Options(opponents=1, credit=10_000)
CRIBBAGE = cribbage.Options(form=cribbage.GameForm.ROUND, games=20)


class Player(NamedTuple):
    """A computer player that makes a share of its choices at random, and its number of rounds."""

    game: str
    level: str
    at_random: float
    rounds: int
    options: Any = None
    opponents: str = ""


PLAYERS = (
    *(Player("video-poker", "list", share, 30_000) for share in (0.0, 0.01, 0.1, 0.3, 1.0)),
    *(Player("thirty-one", "chart", share, 2_000) for share in (0.0, 0.01, 0.1, 1.0)),
    Player("thirty-one", "dealer", 0.0, 2_000),
    *(
        Player("five-card-draw", level, share, 500, LIMIT_FOR_TWO, "equilibrium")
        for level, share in (
            ("strong", 0.0),
            ("regular", 0.0),
            ("casual", 0.0),
            ("novice", 0.0),
            ("strong", 0.03),
        )
    ),
    *(
        Player("cribbage", level, share, 500, CRIBBAGE, "greedy")
        for level, share in (
            ("expert", 0.0),
            ("greedy", 0.0),
            ("random", 0.0),
            ("expert", 0.05),
            ("greedy", 0.3),
        )
    ),
)
LENGTHS = (50, 200, 1_000)
SESSIONS, SHORT = 2_000, 20


def main(players: Sequence[Player], sessions: int, *, short: bool) -> None:
    """Print the table."""
    print(heading("numpy"))
    print(f"| game | player | rounds | {' | '.join(f'{length:,} rounds' for length in LENGTHS)} |")
    print("|---|---|---:|---:|---:|---:|")
    for player in players:
        pool = rounds_of(player, SHORT if short else player.rounds)
        shares = [
            play_coverage(pool, length, sessions, Random(length), points=player.game == "cribbage")
            for length in LENGTHS
        ]
        figures = " | ".join(f"{share:.1%}" for share in shares)
        name = f"{player.level}, {player.at_random:.0%} at random"
        print(f"| {player.game} | {name} | {len(pool):,} | {figures} |", flush=True)


def rounds_of(player: Player, number: int) -> list[Round]:
    """Play this number of rounds."""
    if player.game == "video-poker":
        return [*video_poker_rounds(player.at_random, number, 1)]
    game, level, share = player.game, player.level, player.at_random
    return played_rounds(game, level, share, number, 1, player.options, player.opponents)


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    asked = parser.parse_args()
    chosen = [each for each in PLAYERS if not asked.games or each.game in asked.games]
    main(chosen, SHORT if asked.short else SESSIONS, short=asked.short)
