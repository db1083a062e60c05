"""How often the stated errors of costs hold, for sessions drawn from the rounds of a player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from tests.helpers.narrow import not_none
from tests.helpers.played_steps import played_steps
from tests.helpers.scripted_sessions import ME, ROUNDS_PER_SESSION, Choose, by_chart, by_level
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.game import Deal, Seat, is_asked
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.machine.game import Hold, Options, Phase
from tui_casino.records.log_header import HUMAN
from tui_casino.records.result_split import ResultSplit
from tui_casino.structs import replace

ERRORS = 2


class Round(NamedTuple):
    """A round in the game's units: its result without luck and fair, its bets, its mistakes."""

    play: float
    wagered: int
    costs: tuple[float, ...]


def video_poker_rounds(at_random: float, number: int, seed: int) -> Iterator[Round]:
    """Hold by the list of 34 lines, and this share of the hands at random."""
    definition, dice = DEFINITIONS["video-poker"], Random(seed)
    start = definition.game.start(Options())
    for _ in range(number):
        hand = tuple(dice.sample(PACK, 5))
        held = advise(hand).positions
        if dice.random() < at_random:
            held = tuple(place for place in range(1, 6) if dice.random() < 0.5)
        view = replace(start, phase=Phase.HOLD, hand=hand, coins=5)
        mistake = not_none(definition.adviser.judge)(view, ME, Hold(held))
        costs = () if mistake is None else (float(mistake.cost),)
        yield Round(-sum(costs), 5, costs)


def played_rounds(
    game: str,
    level: str,
    at_random: float,
    number: int,
    seed: int,
    options: Any = None,
    opponents: str = "",
) -> list[Round]:
    """Let a computer player play, and make this share of the choices at random."""
    found, session = list[Round](), 0
    while len(found) < number:
        session += 1
        choose = by_chart if level == "chart" else by_level(game, level)
        choose = _mixed(DEFINITIONS[game], choose, at_random, Random(f"{seed} {session}"))
        found += _session(DEFINITIONS[game], choose, options, opponents, f"{seed} {session}")
    return found[:number]


def _mixed(definition: AnyDefinition, choose: Choose, share: float, dice: Random) -> Choose:
    def chosen(view: Any, able: Any, source: Any) -> Any:
        action = choose(view, able, source)
        if not definition.is_choice(view, ME, action) or dice.random() >= share:
            return action
        return dice.choice(able).sample(source)

    return chosen


def _session(
    definition: AnyDefinition, choose: Choose, options: Any, opponents: str, seed: str
) -> Iterator[Round]:
    game, adviser = definition.game, definition.adviser
    options = options or game.Options()
    others = [Seat(seat) for seat in range(1, game.seats(options))]
    players = {ME: choose} | {each: by_level(game.slug, opponents, each) for each in others}
    names = (HUMAN, *[opponents] * len(others))
    tally, luck, start, costs = definition.tally(ME), 0.0, None, list[float]()
    source = SeededSource(Random(seed).getrandbits(32))
    for step, events in played_steps(definition, options, players, names, Random(seed), source):
        if start is None and isinstance(step.action, Deal):
            start = step.before
        luck += not_none(not_none(adviser.luck)(step))
        if is_asked(game.turn(step.before), ME):
            decision = definition.decision(game.view(step.before, ME), ME, step.action)
            if decision is not None and decision.mistake is not None:
                costs.append(float(decision.cost))
        earlier = tally
        for event in events:
            tally = tally.add(game.hear(step.after, event, ME))
        if tally.rounds == earlier.rounds:
            continue
        wagered = tally.wagered - earlier.wagered
        net = tally.won - earlier.won - wagered + _lead(definition, step.after)
        net -= _lead(definition, start)
        yield Round(net - luck - adviser.fair(start, ME), wagered, tuple(costs))
        luck, start, costs = 0.0, None, []
        if tally.rounds == ROUNDS_PER_SESSION:
            return


def _lead(definition: AnyDefinition, state: Any) -> int:
    if definition.points is None:
        return 0
    mine, other = definition.points.score(state, ME)
    return mine - other


def split_of(rounds: Sequence[Round], *, points: bool) -> ResultSplit:
    """Return the split of a session with these rounds."""
    costs = [cost for each in rounds for cost in each.costs]
    return ResultSplit(
        play=Fraction(sum(each.play for each in rounds)),
        mistakes=len(costs),
        cost=Fraction(sum(costs)),
        rounds=len(rounds),
        squares=sum(each.play**2 for each in rounds),
        wagered=sum(each.wagered for each in rounds),
        costliest=max(costs, default=0.0),
        points=points,
    )


def play_coverage(
    pool: Sequence[Round], rounds: int, sessions: int, dice: Random, *, points: bool = False
) -> float:
    """Return in what share of sessions the play of the pool is within two errors of the play."""
    true = rounds * sum(each.play for each in pool) / len(pool)
    right = 0
    for _ in range(sessions):
        split = split_of(dice.choices(pool, k=rounds), points=points)
        right += abs(float(split.play) - true) <= ERRORS * not_none(split.error)
    return right / sessions
