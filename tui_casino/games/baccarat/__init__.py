"""Baccarat: punto banco, played by fixed rules and followed on five roads."""

from ...gamekit.adviser import Adviser
from ...gamekit.parts import Parts
from .brains.adviser import beside
from .brains.expectation import expect, law
from .brains.players import PLAYERS
from .face import words
from .face.moment import moment
from .face.tally import begin
from .machine import game

PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    adviser=Adviser(expect=expect, law=law, beside=beside),
    moment=moment,
)
