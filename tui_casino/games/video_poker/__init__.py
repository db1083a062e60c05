"""Video poker: deal five, hold any, draw, and be paid by the table."""

from ...parts import Parts
from . import game, words
from .players import PLAYERS
from .tally import begin

PARTS = Parts(game, words, begin, PLAYERS)
