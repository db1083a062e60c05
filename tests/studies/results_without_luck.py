"""Measure results without luck: whether they are unbiased, and how many fewer rounds they need.

    python tests/studies/results_without_luck.py [--short] [GAME ...]

Print a Markdown table. Results are per round, in bets of 20 dollars, points or credits, with
standard errors. The last column is the ratio of the variances: how many times fewer rounds give
the same error. Raises ``AssertionError`` if the mean of the luck is more than three standard errors
from zero. `video_poker_luck.py` measures video poker.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, islice
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from typing import Any, NamedTuple

from tests.bench.measure import heading, options
from tests.helpers.narrow import not_none
from tests.helpers.played_steps import played_steps
from tests.helpers.scripted_sessions import ME, ROUNDS_PER_SESSION, by_chart, by_level
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.game import Deal, Seat
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.cribbage.machine import state as cribbage
from tui_casino.games.five_card_draw.machine import state as draw
from tui_casino.records.log_header import HUMAN


class Match(NamedTuple):
    """A game, its options, the player and its opponents, and the number of rounds."""

    game: str
    player: str
    opponents: str
    rounds: int
    options: Any = None
    scale: float = 1.0
    known: bool = False


CRIBBAGE = cribbage.Options(form=cribbage.GameForm.ROUND, games=20)
LIMIT_FOR_TWO = draw.Options(opponents=1, credit=10_000)
MATCHES = (
    Match("thirty-one", "chart", "", 500_000, scale=2_000),
    Match("thirty-one", "dealer", "", 500_000, scale=2_000),
    Match("cribbage", "expert", "expert", 3_000, CRIBBAGE),
    Match("cribbage", "greedy", "greedy", 30_000, CRIBBAGE),
    Match("cribbage", "random", "greedy", 30_000, CRIBBAGE),
    Match("five-card-draw", "equilibrium", "equilibrium", 10_000, LIMIT_FOR_TWO, known=True),
    Match("five-card-draw", "equilibrium", "equilibrium", 10_000, LIMIT_FOR_TWO),
    Match("five-card-draw", "strong", "equilibrium", 10_000, LIMIT_FOR_TWO),
    Match("five-card-draw", "casual", "equilibrium", 10_000, LIMIT_FOR_TWO),
    Match("five-card-draw", "strong", "strong", 10_000, LIMIT_FOR_TWO),
    Match("five-card-draw", "strong", "strong", 10_000, LIMIT_FOR_TWO, known=True),
    Match("five-card-draw", "strong", "strong", 10_000, draw.Options()),
    Match("five-card-draw", "strong", "strong", 10_000, draw.Options(stakes=draw.Stakes.ANTE)),
)
SHORT = 20


class Round(NamedTuple):
    """The result of a round, its luck and its fair result, in the game's units."""

    net: float
    luck: float
    fair: float


def main(matches: tuple[Match, ...]) -> None:
    """Print the table."""
    print(heading("numpy"))
    print("| game | player | rounds | result | without luck | luck | variances |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for match in matches:
        rounds = [*play(match)]
        nets = [one.net / match.scale for one in rounds]
        lucks = [one.luck / match.scale for one in rounds]
        plays = [net - luck for net, luck in zip(nets, lucks, strict=True)]
        figures = " | ".join(
            f"{fmean(one):+.4f} ± {error(one):.4f}" for one in (nets, plays, lucks)
        )
        ratio = pvariance(nets) / pvariance(plays)
        name = f"{match.player} against {match.opponents}" if match.opponents else match.player
        print(f"| {match.game} | {name} | {len(nets):,} | {figures} | {ratio:,.1f} |", flush=True)
        assert abs(fmean(lucks)) <= 3 * error(lucks), "the result without luck is biased"


def error(values: list[float]) -> float:
    """Return the standard error of a mean."""
    return sqrt(pvariance(values) / len(values))


def play(match: Match) -> Iterator[Round]:
    """Play sessions until this number of rounds is over."""
    sessions = (play_session(match, number) for number in count())
    yield from islice(chain.from_iterable(sessions), match.rounds)


def play_session(match: Match, number: int) -> Iterator[Round]:
    """Play a session; yield its rounds."""
    definition = DEFINITIONS[match.game]
    game, luck_of = definition.game, not_none(definition.adviser.luck)
    options = match.options or game.Options()
    others = [Seat(seat) for seat in range(1, game.seats(options))]
    choose = by_chart if match.player == "chart" else by_level(match.game, match.player)
    players = {ME: choose} | {seat: by_level(match.game, match.opponents, seat) for seat in others}
    names = (match.player if match.known else HUMAN, *[match.opponents] * len(others))
    tally, luck, start = definition.tally(ME), 0.0, None
    cards, source = Random(f"{match.game} {number}"), SeededSource(number)
    for step, events in played_steps(definition, options, players, names, cards, source):
        if start is None and isinstance(step.action, Deal):
            start = step.before
        luck += not_none(luck_of(step))
        earlier = tally
        for event in events:
            tally = tally.add(game.hear(step.after, event, ME))
        if tally.rounds == earlier.rounds:
            continue
        net = tally.won - earlier.won - tally.wagered + earlier.wagered
        net += _lead(definition, step.after) - _lead(definition, start)
        yield Round(net, luck, definition.adviser.fair(start, ME))
        luck, start = 0.0, None
        if tally.rounds == ROUNDS_PER_SESSION:
            return


def _lead(definition: AnyDefinition, state: Any) -> int:
    if definition.points is None:
        return 0
    mine, other = definition.points.score(state, ME)
    return mine - other


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    asked = parser.parse_args()
    main(
        tuple(
            match._replace(rounds=SHORT if asked.short else match.rounds)
            for match in MATCHES
            if not asked.games or match.game in asked.games
        )
    )
