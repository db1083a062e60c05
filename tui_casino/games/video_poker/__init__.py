"""Video poker: five cards are dealt, some are held, the rest are drawn, and the hand is paid."""

from ...gamekit.adviser import Adviser
from ...gamekit.definition import ChoiceRules, GameDefinition
from .brains.adviser import action_values, judge
from .brains.expectation import distribution, expect
from .brains.mistake_kinds import kind
from .brains.players import PLAYERS
from .face.practice_positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game

DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=ChoiceRules(may_undo=lambda options: True),
    adviser=Adviser(
        judge, expect=expect, action_values=action_values, distribution=distribution, kind=kind
    ),
    positions=PRACTICE,
)
