"""The toy: a small whole game of hidden cards and stakes, for two who are asked at once."""

from tui_casino.gamekit.definition import GameDefinition

from .brains.players import PLAYERS
from .face.tally import Tally
from .face.words import WORDS
from .machine import game

DEFINITION = GameDefinition(game, WORDS, Tally, PLAYERS)
