"""Hit me, 31 style: closer to 31 than the dealer, or stand on 14."""

from typing import TYPE_CHECKING

from ...gamekit.adviser import Adviser
from ...gamekit.definition import Choices, GameDefinition
from ...gamekit.lazy import LazyModule
from .brains.expectation import expect
from .brains.players import PLAYERS
from .face.positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game

if TYPE_CHECKING:
    from .brains import adviser, judging, kinds  # numpy, late
else:
    adviser = LazyModule(".brains.adviser", __package__)
    judging = LazyModule(".brains.judging", __package__)
    kinds = LazyModule(".brains.kinds", __package__)

DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=Choices(may_undo=lambda options: True),
    adviser=Adviser(
        judge=judging.judge,
        expect=expect,
        worths=adviser.worths,
        kind=kinds.kind,
    ),
    positions=PRACTICE,
)
