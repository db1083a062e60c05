"""Hit Me: come closer to 31 than the dealer, or stand on 14."""

from typing import TYPE_CHECKING

from ...gamekit.adviser import Adviser
from ...gamekit.definition import ChoiceRules, GameDefinition
from ...gamekit.lazy_import import LazyModule
from .brains.expectation import expect
from .brains.players import PLAYERS
from .face.practice_positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game

if TYPE_CHECKING:
    from .brains import adviser, choice_costs, mistake_kinds  # late: needs numpy
else:
    adviser = LazyModule(".brains.adviser", __package__)
    choice_costs = LazyModule(".brains.choice_costs", __package__)
    mistake_kinds = LazyModule(".brains.mistake_kinds", __package__)

DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=ChoiceRules(may_undo=lambda options: True),
    adviser=Adviser(
        judge=choice_costs.judge,
        expect=expect,
        action_values=adviser.action_values,
        kind=mistake_kinds.kind,
    ),
    positions=PRACTICE,
)
