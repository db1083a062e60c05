"""Video poker: deal five, hold any, draw, and be paid by the table."""

from ...gamekit.adviser import Adviser
from ...gamekit.parts import Parts
from .brains.adviser import judge, worths
from .brains.expectation import expect, law
from .brains.kinds import kind
from .brains.players import PLAYERS
from .face import words
from .face.moment import cards_of, moment
from .face.posing import POSING
from .face.tally import begin
from .machine import game

PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: True,
    adviser=Adviser(judge, expect=expect, worths=worths, law=law, kind=kind),
    moment=moment,
    cards_of=cards_of,
    posing=POSING,
)
