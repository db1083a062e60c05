"""The trainer's advice as text: the EV of each choice, and the dealer's final totals."""

from __future__ import annotations

from ....gamekit.number_formats import percent
from ..brains.adviser import ThirtyOneAdvice, advise, position_of
from ..brains.odds import BUST, FINALS, dealer_odds, fair_price
from ..machine.rules import total_of
from ..machine.state import State


def advice_lines(view: State) -> tuple[str, ...]:
    """Return the best choice and each choice's EV in credits, or nothing if there is no choice."""
    position = position_of(view)
    if position is None:
        return ()
    lines = ranking(advise(position))
    return (*lines, fair_price(position.rules)) if position.insurance_asked else lines


def odds_lines(view: State) -> tuple[str, ...]:
    """Return the advice and the dealer's final totals, or nothing without a hand in play."""
    lines = advice_lines(view)
    if not lines:
        return ()
    return (
        *lines,
        "",
        "The dealer's final total",
        *dealer_lines(view),
        "Chances from an infinite shoe",
    )


def ranking(advice: ThirtyOneAdvice) -> tuple[str, ...]:
    """Return the best choice, and the EV of each choice in credits, best first."""
    ranked = sorted(advice.values, key=lambda choice: -advice.values[choice])
    return (
        f"Best: {advice.best}. EV in credits:",
        *(f"{choice:<13}{advice.bet * advice.values[choice]:+9.2f}" for choice in ranked),
    )


def dealer_lines(view: State) -> tuple[str, ...]:
    """Return the chances of the dealer's final totals, in general and if you stand on 14.

    The chances are computed for an infinite shoe.
    """
    if position_of(view) is None:
        return ()
    total, rules = total_of(view.dealer), view.options.rules
    usual = dealer_odds(total, rules)
    after_14 = dealer_odds(total, rules, only_31=True)
    return (
        f"{'':<6}{'usual':>10}{'on your 14':>14}",
        *(
            f"{'bust' if final == BUST else final:<6}{percent(usual[final]):>10}"
            f"{percent(after_14[final]) if after_14[final] else '':>14}"
            for final in FINALS
        ),
    )
