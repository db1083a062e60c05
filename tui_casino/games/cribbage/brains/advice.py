"""What the coaches say of a position: the best choices, and what a choice costs beside them."""

from __future__ import annotations

from fractions import Fraction

from ....cards.card import BACK, Hand, show
from ....engine.game import Seat
from ....gamekit.adviser import Mistake
from ..machine.moves import Action, Discard, Lay
from ..machine.state import Phase, State
from .discards import Weighed, weigh
from .habits import good_players
from .pegging import SAMPLES, Advice, Position, advise

MOST_LINES = 6
"""How many discards the coach lists."""
TOLD = 3
"""How many it names in a line."""


def advice(view: State, seat: Seat) -> tuple[str, ...]:
    """Say the best choices of a seat that is to discard or to lay a card; else nothing."""
    if _discards(view, seat):
        head = f"{'crib for':<8}{'hand':>7}{'crib':>7}{'all':>7}"
        return (head, *map(_discard_line, _weighed(view, seat)[:MOST_LINES]))
    if _lays(view, seat):
        return ("in the rest of the play", *map(_lay_line, _advised(view, seat)))
    return ()


def in_a_line(view: State, seat: Seat) -> str | None:
    """Say the best choices in one line; ``None`` where there is nothing to choose."""
    if _discards(view, seat):
        told = [f"{show(one.discard)} {float(one.ev):+.2f}" for one in _weighed(view, seat)]
        return f"Best for the crib, points expected: {', '.join(told[:TOLD])}"
    if _lays(view, seat):
        told = [f"{one.card} {one.ev:+.2f} ± {one.error:.2f}" for one in _advised(view, seat)]
        return f"Best to lay, points expected to the end of the play: {', '.join(told)}"
    return None


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Say what a choice costs beside the best, in points expected; nothing for the best.

    A card as good as the best by the sample, within two standard errors, is no mistake.
    """
    match action:
        case Discard(places) if _discards(view, seat):
            chosen = {view.hands[seat][place - 1] for place in places}
            weighed = _weighed(view, seat)
            cost = weighed[0].ev - next(one.ev for one in weighed if {*one.discard} == chosen)
            return Mistake(cost, Discard(_places(view, seat, weighed[0].discard))) if cost else None
        case Lay(place) if _lays(view, seat) and len(view.able(seat)) > 1:
            card, advised = view.hands[seat][place - 1], _advised(view, seat)
            best = advised[0]
            lost = best.ev - next(one.ev for one in advised if one.card == card)
            if lost > 2 * best.error:
                better = Lay(*_places(view, seat, (best.card,)))
                return Mistake(Fraction(lost).limit_denominator(SAMPLES), better)
    return None


def _places(view: State, seat: Seat, cards: Hand) -> tuple[int, ...]:
    return tuple(view.hands[seat].index(card) + 1 for card in cards)


def _discards(view: State, seat: Seat) -> bool:
    return view.phase is Phase.DISCARD and seat in view.waiting and BACK not in view.hands[seat]


def _lays(view: State, seat: Seat) -> bool:
    return view.phase is Phase.PLAY and view.player == seat and bool(view.able(seat))


def _weighed(view: State, seat: Seat) -> tuple[Weighed, ...]:
    """Weigh the discards against an opponent who throws as good players do."""
    dealer = seat == view.dealer
    weights = good_players().against(dealer)
    return weigh(view.hands[seat], dealer, view.options.rule_set, weights)


def _advised(view: State, seat: Seat) -> tuple[Advice, ...]:
    return advise(Position.of(view, seat), view.options.rule_set)


def _discard_line(one: Weighed) -> str:
    hand, crib = one.hand[0] / one.hand[1], one.crib[0] / one.crib[1]
    sign = "+" if one.dealer else "-"
    return f"{show(one.discard):<8}{hand:>7.2f}{f'{sign}{crib:.2f}':>7}{float(one.ev):>7.2f}"


def _lay_line(one: Advice) -> str:
    return f"{one.card!s:<8}{one.ev:>+7.2f}  error {one.error:.2f}"
