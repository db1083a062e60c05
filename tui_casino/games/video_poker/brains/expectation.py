"""The result of a round with perfect play: mean, variance and distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....cards.memo import memoize
from ....gamekit.adviser import Expectation
from ..machine.game import Event, Options, RoundPaid
from ..machine.rules import PayTable
from .lazy import odds

if TYPE_CHECKING:
    from ....gamekit.distributions import ReturnDistribution


def expect(options: Options, event: Event) -> Expectation | None:
    """Return the mean and variance of a round's pay with perfect play, in credits.

    Return ``None`` for events that do not end a round.
    """
    return _expectation(options.paytable, event.coins) if isinstance(event, RoundPaid) else None


@memoize(maxsize=64)  # enough for a dozen tables at every bet
def _expectation(paytable: PayTable, coins: int) -> Expectation:
    optimum = odds.odds_of(paytable, coins).report("optimal")
    return Expectation(optimum.credits, optimum.variance * coins**2)


def distribution(options: Options, event: Event) -> ReturnDistribution | None:
    """Return the distribution of a round's pay with perfect play, in credits.

    Return ``None`` for events that do not end a round.
    """
    return _distribution(options.paytable, event.coins) if isinstance(event, RoundPaid) else None


@memoize(maxsize=64)
def _distribution(paytable: PayTable, coins: int) -> ReturnDistribution:
    optimum = odds.odds_of(paytable, coins).report("optimal")
    total = optimum.total
    counts = zip(optimum.pays, optimum.counts, strict=True)
    return tuple((pay, count / total) for pay, count in counts)
