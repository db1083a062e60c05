"""Hit me, 31 style: closer to 31 than the dealer, or stand on 14."""

from typing import TYPE_CHECKING

from ...gamekit.adviser import Adviser
from ...gamekit.lazy import LazyModule
from ...gamekit.parts import Parts
from .brains.expectation import expect
from .brains.players import PLAYERS
from .face import words
from .face.moment import moment
from .face.posing import POSING
from .face.tally import begin
from .machine import game

if TYPE_CHECKING:
    from .brains import adviser, judging, kinds  # numpy, late
else:
    adviser = LazyModule(".brains.adviser", __package__)
    judging = LazyModule(".brains.judging", __package__)
    kinds = LazyModule(".brains.kinds", __package__)

PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: True,
    adviser=Adviser(
        judge=judging.judge,
        expect=expect,
        worths=adviser.worths,
        kind=kinds.kind,
    ),
    moment=moment,
    prompt=words.prompt,
    posing=POSING,
)
