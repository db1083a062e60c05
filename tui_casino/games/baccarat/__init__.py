"""Baccarat: punto banco, played by fixed rules and followed on five roads."""

from ...parts import Parts
from . import game, words
from .expectation import expect
from .players import PLAYERS
from .tally import begin

PARTS = Parts(game, words, begin, PLAYERS, expect=expect)
