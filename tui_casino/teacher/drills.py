"""Drills: new positions of the kinds in which the player's mistakes cost the most.

Computer players play at new tables until a seat has to make a choice of the wanted kind. Only the
player's answers are recorded.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import hypot
from typing import Any

from msgspec import Struct

from ..engine.chance import ChanceSource, CommittedSource
from ..engine.croupier import ShuffledShoe
from ..engine.game import A, E, O, S, Seat, SittingOver, is_asked
from ..engine.offers import Dice
from ..engine.table import Table
from ..gamekit.definition import AnyDefinition, GameDefinition
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..records.log_header import HUMAN
from .leaks import Leak
from .mistake_queue import PracticeAnswer
from .positions import PracticePosition

MOST_CHOICES_TRIED = 16_000
"""The number of choices after which the search for a position gives up.

Some kinds of positions, such as a hard 12 against an ace at Hit Me, occur once in 700 choices.
"""
CHOICES_PER_TABLE = 40
"""A new table is dealt after this many of the player's choices."""
RANDOM_CHOICE_INTERVAL = 4
"""One in this many judged choices is made at random, so that unusual positions also occur."""
DRILL_CENTS = 100_000
"""The player's money at a drill's table, in cents."""
DRILL_SEAT = Seat(0)
ALIKE = 1_000_000


class DrillTarget(Struct, frozen=True):
    """A kind of position for drills: a game and a spot, with its weight among all targets.

    Without a spot, any choice of the game is accepted.
    """

    game: str
    spot: str | None
    weight: float = 1.0


def weigh_targets(leaks: Iterable[Leak]) -> tuple[DrillTarget, ...]:
    """Return the spots of the leaks, weighted by cost and certainty, heaviest first.

    A cost :math:`c` with the standard error :math:`e` is multiplied by its certainty,
    :math:`c^2 / (c^2 + e^2)`. The costs of all mistakes at one spot are added. Costs are relative
    to what a strong player of the game loses, so drills of several games are spread over them.
    """
    costs: defaultdict[tuple[str, str], float] = defaultdict(float)
    errors: defaultdict[tuple[str, str], float] = defaultdict(float)
    for leak in leaks:
        place = leak.game, leak.kind.spot
        costs[place] += leak.relative.cost
        errors[place] = hypot(errors[place], leak.relative.error)
    targets = [
        DrillTarget(game, spot, cost * cost**2 / (cost**2 + errors[game, spot] ** 2))
        for (game, spot), cost in costs.items()
        if cost > 0
    ]
    return tuple(sorted(targets, key=lambda aim: (-aim.weight, aim.game, aim.spot or "")))


def draw_target(among: Sequence[DrillTarget], dice: Dice) -> DrillTarget:
    """Draw a target at random, with probabilities proportional to the weights.

    Raises ``IndexError`` if there are no targets.
    """
    point = dice.below(ALIKE) / ALIKE * sum(aim.weight for aim in among)
    for aim in among:
        point -= aim.weight
        if point < 0:
            return aim
    return among[-1]


class DrillScore(Struct, frozen=True):
    """The result of drills: the numbers of answers and correct answers, and seconds per answer."""

    count: int = 0
    correct: int = 0
    seconds: float = 0.0


def score_answers(answers: Iterable[PracticeAnswer]) -> DrillScore:
    """Return the score of these answers."""
    counted = [*answers]
    if not counted:
        return DrillScore()
    seconds = sum(answer.seconds for answer in counted) / len(counted)
    return DrillScore(len(counted), sum(answer.right for answer in counted), seconds)


def deal_position(
    definition: GameDefinition[O, S, A, E, T],
    options: O,
    spot: str | None,
    source: ChanceSource | None = None,
    shoe: S | None = None,
) -> PracticePosition[O, S, A, E, T] | None:
    """Deal a position with this spot, or with any spot; return ``None`` if none was found.

    With a ``shoe``, only the cards that are left in that position's shoe are dealt.
    """
    positions = definition.positions
    if positions is None:
        return None
    situation_of, at = positions.situation, positions.drill_options(options)
    with_shoe_of = positions.with_shoe_of

    def fits(view: S) -> S | None:
        situation = situation_of(view, DRILL_SEAT)
        if not situation or spot not in (None, situation):
            return None
        return view if shoe is None or with_shoe_of is None else with_shoe_of(view, shoe)

    return _find_position(definition, at, fits, source)


def position_with_cards(
    definition: GameDefinition[O, S, A, E, T],
    options: O,
    text: str,
    source: ChanceSource | None = None,
) -> PracticePosition[O, S, A, E, T] | None:
    """Deal a position and replace its cards with typed ones; ``None`` if none was found.

    Raises :class:`BadInput` for cards that fit no position.
    """
    positions = definition.positions
    if positions is None:
        raise BadInput("this game has no trainer, so it cannot be practised")
    parse_cards, situation_of = positions.parse_cards, positions.situation

    def fits(view: S) -> S | None:
        if not situation_of(view, DRILL_SEAT):
            return None
        changed = parse_cards(view, DRILL_SEAT, text)
        return changed if changed is not None and situation_of(changed, DRILL_SEAT) else None

    return _find_position(definition, positions.drill_options(options), fits, source)


def _find_position(
    definition: GameDefinition[O, S, A, E, T],
    options: O,
    fits: Callable[[S], S | None],
    source: ChanceSource | None,
) -> PracticePosition[O, S, A, E, T] | None:
    """Play at new tables until a position fits; return ``None`` if none does."""
    assert definition.positions is not None
    game = definition.game
    options = game.sit(options, DRILL_CENTS // game.unit)
    opponent = definition.positions.opponent or next(iter(definition.players))
    names = [HUMAN, *[opponent] * (game.seats(options) - 1)]
    tried, number = 0, 0
    seed = secrets.token_bytes(32) if source is None or source.seed is None else source.seed
    while tried < MOST_CHOICES_TRIED:
        number += 1
        table = _table(definition, options, names, CommittedSource(seed, str(number)))
        before = tried
        for _ in range(CHOICES_PER_TABLE):
            table.run()
            turn = game.turn(table.state)
            if isinstance(turn, SittingOver) or not is_asked(turn, DRILL_SEAT):
                break
            tried += 1
            view = game.view(table.state, DRILL_SEAT)
            if (match := fits(view)) is not None:
                return PracticePosition(definition, options, DRILL_SEAT, tuple(names), match)
            if not _play_on(definition, table, view, tried):
                break
        if tried == before:
            return None
    return None


def _table(
    definition: AnyDefinition, options: Any, names: Sequence[str], source: ChanceSource
) -> Any:
    players = {
        Seat(seat): None if name == HUMAN else definition.players[name]()
        for seat, name in enumerate(names)
    }
    return Table(definition.game, options, ShuffledShoe(), source, players)


def _play_on(definition: AnyDefinition, table: Any, view: Any, number: int) -> bool:
    """Play a computer player's choice, or sometimes a random one; return false if none is legal.

    Only judged choices are random, so bets have the usual size.
    """
    positions, offers = definition.positions, definition.game.offers(view, DRILL_SEAT)
    able = [offer for offer in offers if offer.barred is None]
    if not able or positions is None:
        return False
    dice = table.source.dice(f"drill {number}")
    if dice.below(RANDOM_CHOICE_INTERVAL) or not positions.situation(view, DRILL_SEAT):
        name = positions.opponent or next(iter(definition.players))
        table.submit(DRILL_SEAT, definition.players[name]().choose(view, DRILL_SEAT, offers, dice))
    else:
        table.submit(DRILL_SEAT, able[dice.below(len(able))].sample(dice))
    return True
