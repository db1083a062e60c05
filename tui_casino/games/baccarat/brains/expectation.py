"""The result of a coup's bets from a full shoe: mean, variance and distribution."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ....gamekit.adviser import Expectation
from ..machine.moves import CoupOver, Event
from ..machine.rules import DECKS, Bets
from ..machine.state import Options
from .joint_odds import JointOdds, joint_odds_of
from .odds import full_shoe

if TYPE_CHECKING:
    from ....gamekit.distributions import ReturnDistribution


def expect(options: Options, event: Event) -> Expectation | None:
    """Return the mean and variance of the amount that a coup's bets return, in cents.

    Return ``None`` for the known shoe, which has no random cards, and for other events.
    """
    if not isinstance(event, CoupOver) or not options.decks:
        return None
    return _expectation(options.decks, options.commission, event.bets)


@lru_cache(maxsize=1 << 10)
def _expectation(decks: int, commission: bool, bets: Bets) -> Expectation:
    return Expectation(*_joint(decks).mean_and_variance(bets, commission))


@lru_cache(maxsize=len(DECKS))
def _joint(decks: int) -> JointOdds:
    return joint_odds_of(full_shoe(decks))


def distribution(options: Options, event: Event) -> ReturnDistribution | None:
    """Return the distribution of the amount that a coup's bets return together, in cents.

    Return ``None`` for the known shoe, which has no random cards, and for other events.
    """
    if not isinstance(event, CoupOver) or not options.decks:
        return None
    return _distribution(options.decks, options.commission, event.bets)


@lru_cache(maxsize=1 << 10)
def _distribution(decks: int, commission: bool, bets: Bets) -> ReturnDistribution:
    chances = _joint(decks).distribution(bets, commission)
    return tuple((amount, float(chance)) for amount, chance in sorted(chances.items()))
