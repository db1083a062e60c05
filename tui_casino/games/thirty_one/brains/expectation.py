"""The expectation of a round of Hit Me: the exact edge of perfect play, and the variance.

Both are those of the infinite shoe; by the dealer's rule, two decks differ by 0.02% of the bet.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ....gamekit.adviser import Expectation
from ..machine.moves import Event, RoundOver
from ..machine.rules import Rules
from ..machine.state import Options
from .lazy import round_variance
from .odds import house_edge


def expect(options: Options, event: Event) -> Expectation | None:
    """Return what a round's bets pay back on average, and the variance, in cents.

    The first bet of the round loses the house edge. Further stakes in the round count at their face
    value, whether or not perfect play would make them.
    """
    if not isinstance(event, RoundOver):
        return None
    edge, variance = _edge_and_variance(options.rules)
    return Expectation(event.wagered - edge * event.bet, variance * event.bet**2)


@lru_cache(maxsize=32)
def _edge_and_variance(rules: Rules) -> tuple[Fraction, Fraction]:
    return house_edge(rules), Fraction(
        round_variance.mean_and_variance(rules)[1]
    ).limit_denominator(10**9)
