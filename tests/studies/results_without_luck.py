"""Measure results without luck: whether they are unbiased, and how many fewer rounds they need.

    python tests/studies/results_without_luck.py [--short] [GAME ...]

Print a Markdown table. Results are per round, in bets of 20 dollars, points or credits, with
standard errors. The last column is the ratio of the variances: how many times fewer rounds give
the same error. Raises ``AssertionError`` if the mean of the luck is more than three standard errors
from zero. `video_poker_luck.py` measures video poker.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from typing import Any, NamedTuple

from tests.bench.measure import heading, options
from tests.helpers.narrow import not_none
from tests.helpers.scripted_sessions import ROUNDS_PER_SESSION, Choose, by_chart, by_level
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.game import AskSeats, Deal, NeedCard, NeedShoe, Seat, Shoe
from tui_casino.gamekit.adviser import PlayedStep
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.cribbage.machine import state as cribbage
from tui_casino.games.five_card_draw.machine import state as draw
from tui_casino.records.log_header import HUMAN

ME = Seat(0)


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
    definition, done = DEFINITIONS[match.game], 0
    choose = by_chart if match.player == "chart" else by_level(match.game, match.player)
    for session in count():
        for one in play_session(definition, match, choose, session):
            yield one
            done += 1
            if done == match.rounds:
                return


def play_session(
    definition: AnyDefinition, match: Match, choose: Choose, session: int
) -> Iterator[Round]:
    """Play a session; yield its rounds."""
    game, luck_of = definition.game, not_none(definition.adviser.luck)
    seated = match.options or game.Options()
    others = {
        Seat(seat): definition.players[match.opponents]() for seat in range(1, game.seats(seated))
    }
    state, tally, source = game.start(seated), definition.tally(ME), SeededSource(session)
    players = (match.player if match.known else HUMAN, *[match.opponents] * len(others))
    random, stock = Random(f"{match.game} {session}"), list[Any]()
    luck, fair, lead = 0.0, 0.0, None
    for step in count():
        seat: Seat | None = None
        match game.turn(state):
            case NeedShoe(cards):
                stock = random.sample(cards, len(cards))
                action: Any = Shoe(len(stock))
            case NeedCard():
                action = Deal(stock.pop())
                if lead is None:
                    lead, fair = _lead(definition, state), definition.adviser.fair(state, ME)
            case AskSeats((seat, *_)):
                view, dice = game.view(state, seat), source.dice(f"step {step}")
                able = tuple(one for one in game.offers(view, seat) if one.barred is None)
                player = others.get(seat)
                action = (
                    choose(view, able, dice)
                    if player is None
                    else player.choose(view, seat, able, dice)
                )
            case _:
                return
        before, result = state, game.step(state, seat, action)
        state = result.state
        if not isinstance(action, Shoe):
            luck += not_none(luck_of(PlayedStep(before, action, state, ME, players)))
        earlier = tally
        for event in result.events:
            tally = tally.add(game.hear(state, event, ME))
        if tally.rounds > earlier.rounds:
            net = tally.won - earlier.won - tally.wagered + earlier.wagered
            yield Round(net + _lead(definition, state) - (lead or 0), luck, fair)
            luck, lead = 0.0, None
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
