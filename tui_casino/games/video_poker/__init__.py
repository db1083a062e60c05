"""Video poker: deal five, hold any, draw, and be paid by the table."""

from ...parts import Parts
from . import game, words
from .expectation import expect
from .players import PLAYERS
from .tally import begin
from .trainer import mistake

PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: True,
    judge=mistake,
    quick_judge=mistake,
    expect=expect,
)
