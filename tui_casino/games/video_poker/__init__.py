"""Video poker: deal five, hold any, draw, and be paid by the table."""

from ...gamekit.adviser import Adviser
from ...gamekit.definition import Choices, GameDefinition
from .brains.adviser import judge, worths
from .brains.expectation import expect, law
from .brains.kinds import kind
from .brains.players import PLAYERS
from .face.positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game

DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=Choices(may_undo=lambda options: True),
    adviser=Adviser(judge, expect=expect, worths=worths, law=law, kind=kind),
    positions=PRACTICE,
)
