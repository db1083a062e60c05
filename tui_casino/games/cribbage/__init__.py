"""Cribbage: a trainer that counts every combination, and the game to 121."""

from typing import TYPE_CHECKING

from ...engine.game import Seat
from ...gamekit.adviser import Adviser
from ...gamekit.definition import Choices, GameDefinition, GameRecords, HotSeat, Points
from ...gamekit.lazy import LazyModule
from ...gamekit.measure import Measure
from .brains.players import PLAYERS
from .face.log import trainer_log
from .face.moment import moment_to_all, secret
from .face.positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game
from .machine.moves import Go, Next
from .machine.rules import ACC
from .machine.state import Form, Options, State

if TYPE_CHECKING:
    from .brains import adviser, kinds, prospects  # numpy, late
else:
    adviser = LazyModule(".brains.adviser", __package__)
    kinds = LazyModule(".brains.kinds", __package__)
    prospects = LazyModule(".brains.prospects", __package__)


def _chance(view: State, seat: Seat) -> float | None:
    chance = prospects.prospect(view, seat)
    return None if chance is None else 100 * chance


CHANCE = Measure("CHANCE TO WIN", _chance, unit=" %", ends=(0.0, 100.0))
"""The course of a game to 121; a round of the trainer has none but the points."""


def measure(options: Options) -> Measure[State] | None:
    """Say what the course of a sitting is drawn by, if not by the points ahead."""
    target = options.rule_set.target
    return CHANCE if options.form is Form.GAME and target == ACC.target else None


def score(view: State, seat: Seat) -> tuple[int, int]:
    """Give the points of a seat, and of the other."""
    return view.points[seat], view.points[1 - seat]


DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=Choices(
        deliberate=lambda action: not isinstance(action, Go | Next),
        may_undo=lambda options: options.open,
    ),
    points=Points(score, resumable=lambda options: options.form is Form.GAME),
    hot_seat=HotSeat(secret, moment_to_all),
    records=GameRecords(own_log=trainer_log, measure=measure),
    adviser=Adviser(
        judge=adviser.judge,
        worths=adviser.worths,
        kind=kinds.kind,
    ),
    positions=PRACTICE,
)
