"""What is advised in a position: all choices in a list, or the best in a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....cards.card import Card, show
from ....engine.game import Seat
from ..machine.state import State

if TYPE_CHECKING:
    from ..brains.discards import Weighed
    from ..brains.pegging import Advice

TOLD = 3
"""How many choices are named in a line."""


def signs(cards: tuple[Card, ...]) -> str:
    """Name cards by their signs, as the screen does."""
    return " ".join(card.symbol for card in cards)


def advice(view: State, seat: Seat) -> tuple[str, ...]:
    """Weigh all choices of a seat that is to discard or to lay a card; else nothing."""
    from ..brains.adviser import advised, weighed  # numpy, late

    if discards := weighed(view, seat):
        head = f"{'throw':<8}{'hand':>7}{'crib':>7}{'worth':>8}{'cost':>7}"
        return (head, *(_discard_line(one, discards[0]) for one in discards))
    if cards := advised(view, seat):
        head = f"{'lay':<8}{'worth':>8}{'error':>7}{'cost':>7}"
        how = "by a sample" if any(one.error for one in cards) else "every hand counted"
        rest = f"Points of the rest of the play, less the other's, {how}."
        return (head, *(_lay_line(one, cards[0]) for one in cards), "", rest)
    return ()


def in_a_line(
    view: State, seat: Seat, named: Callable[[tuple[Card, ...]], str] = show
) -> str | None:
    """Say the best choices in one line; ``None`` where there is nothing to choose."""
    from ..brains.adviser import advised, weighed  # numpy, late

    if discards := weighed(view, seat):
        told = [f"{named(one.discard)} {float(one.ev):+.2f}" for one in discards[:TOLD]]
        return f"Best for the crib, points expected: {', '.join(told)}"
    if cards := advised(view, seat):
        told = [f"{named((one.card,))} {_estimate(one)}" for one in cards]
        return f"Best to lay, points expected to the end of the play: {', '.join(told)}"
    return None


def _estimate(one: Advice) -> str:
    return f"{one.ev:+.2f} ± {one.error:.2f}" if one.error else f"{one.ev:+.2f}"


def _discard_line(one: Weighed, best: Weighed) -> str:
    hand, crib = one.hand[0] / one.hand[1], one.crib[0] / one.crib[1]
    sign = "+" if one.dealer else "-"
    worth = f"{hand:>7.2f}{f'{sign}{crib:.2f}':>7}{float(one.ev):>8.2f}"
    return f"{signs(one.discard):<8}{worth}{_cost(float(best.ev - one.ev))}"


def _lay_line(one: Advice, best: Advice) -> str:
    error = f"{one.error:.2f}" if one.error else "exact"
    return f"{one.card.symbol:<8}{one.ev:>+8.2f}{error:>7}{_cost(best.ev - one.ev)}"


def _cost(cost: float) -> str:
    return f"{cost:>7.2f}" if cost else f"{'best':>7}"
