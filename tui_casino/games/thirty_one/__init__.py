"""Hit me, 31 style: closer to 31 than the dealer, or stand on 14."""

from ...gamekit.adviser import Adviser
from ...gamekit.lazy import LazyFunction
from ...gamekit.parts import Parts
from .brains.expectation import expect
from .brains.players import PLAYERS
from .face import words
from .face.moment import moment
from .face.posing import POSING
from .face.tally import begin
from .machine import game

PARTS = Parts(
    game,
    words,
    begin,
    PLAYERS,
    takes_back=lambda options: True,
    adviser=Adviser(
        judge=LazyFunction(".brains.judging", "judge", __package__),
        expect=expect,
        worths=LazyFunction(".brains.adviser", "worths", __package__),
        kind=LazyFunction(".brains.kinds", "kind", __package__),
    ),
    moment=moment,
    prompt=words.prompt,
    posing=POSING,
)
