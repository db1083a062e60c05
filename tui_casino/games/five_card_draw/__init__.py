"""Five-card draw against computer opponents, for nothing, for an ante, or with two bets."""

from ...parts import Parts
from . import game, words
from .history import history
from .players import PLAYERS
from .tally import begin

PARTS = Parts(game, words, begin, PLAYERS, history=history)
