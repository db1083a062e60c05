"""What the advisers say of a position: the best choices in a list, or in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....cards.card import show
from ....engine.game import Seat
from ..machine.state import State

if TYPE_CHECKING:
    from ..brains.discards import Weighed
    from ..brains.pegging import Advice

MOST_LINES = 6
"""How many discards the adviser lists."""
TOLD = 3
"""How many it names in a line."""


def advice(view: State, seat: Seat) -> tuple[str, ...]:
    """Say the best choices of a seat that is to discard or to lay a card; else nothing."""
    from ..brains.adviser import advised, weighed  # numpy, late

    if discards := weighed(view, seat):
        head = f"{'crib for':<8}{'hand':>7}{'crib':>7}{'all':>7}"
        return (head, *map(_discard_line, discards[:MOST_LINES]))
    if cards := advised(view, seat):
        return ("in the rest of the play", *map(_lay_line, cards))
    return ()


def in_a_line(view: State, seat: Seat) -> str | None:
    """Say the best choices in one line; ``None`` where there is nothing to choose."""
    from ..brains.adviser import advised, weighed  # numpy, late

    if discards := weighed(view, seat):
        told = [f"{show(one.discard)} {float(one.ev):+.2f}" for one in discards[:TOLD]]
        return f"Best for the crib, points expected: {', '.join(told)}"
    if cards := advised(view, seat):
        told = [f"{one.card} {one.ev:+.2f} ± {one.error:.2f}" for one in cards]
        return f"Best to lay, points expected to the end of the play: {', '.join(told)}"
    return None


def _discard_line(one: Weighed) -> str:
    hand, crib = one.hand[0] / one.hand[1], one.crib[0] / one.crib[1]
    sign = "+" if one.dealer else "-"
    return f"{show(one.discard):<8}{hand:>7.2f}{f'{sign}{crib:.2f}':>7}{float(one.ev):>7.2f}"


def _lay_line(one: Advice) -> str:
    return f"{one.card!s:<8}{one.ev:>+7.2f}  error {one.error:.2f}"
