"""Five-card draw against computer opponents, for nothing, for an ante, or with two bets."""

from ...gamekit.parts import Parts
from .brains.levels import PLAYERS
from .face import words
from .face.history import history
from .face.moment import moment
from .face.tally import begin
from .machine import game

PARTS = Parts(game, words, begin, PLAYERS, history=history, moment=moment)
