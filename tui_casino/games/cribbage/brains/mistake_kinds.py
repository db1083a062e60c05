"""Kinds of mistakes: what a discard lost and in whose crib, and where a card was played."""

from __future__ import annotations

from fractions import Fraction

from ....cards.card import Card
from ....engine.game import Seat
from ....gamekit.adviser import MistakeKind
from ..machine.moves import Action, Discard, Lay
from ..machine.rules import play_scores, points_of, show_scores
from ..machine.scoring import FIFTEEN, total_of
from ..machine.state import Phase, State
from .adviser import is_to_lay, weigh_discards
from .discards import DiscardValue

OWN, OTHERS = "discard to your own crib", "discard to their crib"
LEAD, NEW_COUNT = "the lead", "the first card of a new count"
BELOW, BEYOND = "a card below 15", "a card from 15 on"
POINTS, CUTS = "kept fewer points", "kept fewer good cuts"
LESS, MORE = "gave your crib less", "gave their crib more"
MISSED, LEFT = "missed points", "let the opponent score more"


def kind(view: State, seat: Seat, action: Action, better: Action) -> MistakeKind:
    """Return the kind of a mistake. Raises ``TypeError`` for actions that are never analysed."""
    match action, better:
        case Discard(), Discard():
            spot = OWN if seat == view.dealer else OTHERS
            return MistakeKind(spot, _largest_loss(view, seat, action, better))
        case Lay(), Lay():
            points, best = (
                _points_of_lay(view, seat, card_played) for card_played in (action, better)
            )
            return MistakeKind(_spot(view), MISSED if points < best else LEFT)
    raise TypeError(f"only discards and cards played are analysed, not {action}, {better}")


def spot(view: State, seat: Seat) -> str:
    """Return the kind of choice that a seat has, to discard or to play; empty if it has none."""
    if view.phase is Phase.DISCARD and seat in view.waiting:
        return OWN if seat == view.dealer else OTHERS
    return _spot(view) if is_to_lay(view, seat) and len(view.playable(seat)) > 1 else ""


def _largest_loss(view: State, seat: Seat, action: Discard, better: Discard) -> str:
    """Return where most was lost: in the four cards, in what a starter adds, or in the crib."""
    own_crib = seat == view.dealer
    parts, best_parts = (_parts(view, seat, one) for one in (action, better))
    losses = [best_part - own_part for own_part, best_part in zip(parts, best_parts, strict=True)]
    labels = (POINTS, CUTS, LESS if own_crib else MORE)
    return max(zip(losses, labels, strict=True), key=lambda one: one[0])[1]


def _parts(view: State, seat: Seat, discard: Discard) -> tuple[Fraction, Fraction, Fraction]:
    """Return the points of the four cards, the mean that a starter adds, and the crib's part."""
    hand = view.hands[seat]
    discarded = {hand[place - 1] for place in discard.places}
    value: DiscardValue = next(
        one for one in weigh_discards(view, seat) if set(one.discard) == discarded
    )
    four = tuple(card for card in hand if card not in discarded)
    sure = Fraction(points_of(show_scores(four, None, view.options.rule_set)))
    mean = Fraction(*value.hand)
    return sure, mean - sure, value.ev - mean


def _spot(view: State) -> str:
    if not view.laid:
        return LEAD
    if not view.segment:
        return NEW_COUNT
    return BELOW if total_of(view.segment) < FIFTEEN else BEYOND


def _points_of_lay(view: State, seat: Seat, action: Lay) -> int:
    card: Card = view.hands[seat][action.place - 1]
    return points_of(play_scores((*view.segment, card), view.options.rule_set))
