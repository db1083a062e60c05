"""The kinds of mistakes of cribbage, and the habits: groups of kinds, named in a player's words.

The kind of a discard is the crib's owner and what was lost; the kind of a card is the spot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from ....cards.card import Card
from ....engine.game import Seat
from ....gamekit.adviser import OTHER_HABIT, ActFrequency, Decision, Habit, MistakeKind, compare_act
from ..machine.rules import play_scores, points_of, show_scores
from ..machine.scoring import FIFTEEN, total_of
from ..machine.state import Action, Discard, Lay, Phase, State
from .adviser import is_to_lay, is_without_advice, weigh_discards
from .discards import DiscardValue
from .known_rules import check_known

OWN, OTHERS = "discard to your own crib", "discard to their crib"
LEAD, NEW_COUNT = "the lead", "the first card of a new count"
BELOW, BEYOND = "a card below 15", "a card from 15 on"
PAIR, RUN = "broke a pair", "broke a run"
POINTS, CUTS = "kept fewer points", "kept fewer good cuts"
LESS, MORE = "gave your crib less", "gave their crib more"
MISSED, LEFT = "missed points", "let the opponent score more"


def kind(view: State, seat: Seat, action: Action, better: Action) -> MistakeKind:
    """Return the kind of a mistake.

    Raises ``TypeError`` for actions that are never analysed, and ``ValueError`` for rules that the
    adviser does not know.
    """
    check_known(view.options.rule_set)
    match action, better:
        case Discard(), Discard():
            spot = OWN if seat == view.dealer else OTHERS
            slip = _largest_loss(view, seat, action, better)
            if slip == POINTS:
                slip = next(iter(_broken_only(view, seat, action, better)), POINTS)
            return MistakeKind(spot, slip)
        case Lay(), Lay():
            points, best = (
                _points_of_lay(view, seat, card_played) for card_played in (action, better)
            )
            return MistakeKind(_spot(view), MISSED if points < best else LEFT)
    raise TypeError(f"only discards and cards played are analysed, not {action}, {better}")


def spot(view: State, seat: Seat) -> str:
    """Return the name of the kind of choice that a seat has.

    The text is empty if it has no choice, or under rules without an adviser.
    """
    if is_without_advice(view, seat):
        return ""
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


def breaks(view: State, seat: Seat, action: Discard) -> dict[str, bool]:
    """Return what a seat could break, a pair or a run, and whether this discard breaks it.

    A pair is broken if one of its cards is kept and another is discarded. A run is broken if the
    hand contains a run and the four kept cards do not.
    """
    hand = [card.rank for card in view.hands[seat]]
    discarded = [hand[place - 1] for place in action.places]
    kept = [rank for place, rank in enumerate(hand, 1) if place not in action.places]
    broken = {}
    if len({*hand}) < len(hand):
        broken[PAIR] = not {*kept}.isdisjoint(discarded)
    if _has_run(hand):
        broken[RUN] = not _has_run(kept)
    return broken


def _has_run(ranks: Iterable[int]) -> bool:
    return any({rank, rank + 1, rank + 2} <= {*ranks} for rank in ranks)


def _broken_only(view: State, seat: Seat, action: Discard, better: Discard) -> Iterator[str]:
    """Yield what an action breaks and the better one keeps."""
    kept = breaks(view, seat, better)
    return (slip for slip, broken in breaks(view, seat, action).items() if broken > kept[slip])


def _parts(view: State, seat: Seat, discard: Discard) -> tuple[Fraction, Fraction, Fraction]:
    """Return the sure points, the average that a starter adds, and the crib's signed average."""
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


DISCARDS = {
    PAIR: Habit("breaking a pair for the crib", "break a pair"),
    RUN: Habit("breaking a run for the crib", "break a run"),
    POINTS: Habit("breaking up scoring cards for the crib"),
    CUTS: Habit("keeping cards few starters improve"),
}
BY_CRIB = {
    OWN: {**DISCARDS, LESS: Habit("discarding too little to your own crib")},
    OTHERS: {**DISCARDS, MORE: Habit("discarding too much to their crib")},
}
IN_THE_PLAY = {
    MISSED: Habit("missing points in the play"),
    LEFT: Habit("letting the opponent score in the play"),
}


def habit_of(kind: MistakeKind) -> Habit:
    """Return the habit of a kind of mistake."""
    return BY_CRIB.get(kind.spot, IN_THE_PLAY).get(kind.slip, OTHER_HABIT)


def act_frequencies(decision: Decision[State, Action]) -> Mapping[str, ActFrequency]:
    """Return which pairs and runs a discard breaks, and which of them the best discard breaks."""
    view, seat, action, best = decision.view, decision.seat, decision.action, decision.best
    if not (isinstance(action, Discard) and isinstance(best, Discard)):
        return {}
    perfect = breaks(view, seat, best)
    return {
        slip: compare_act(done=broken, benchmark=perfect[slip])
        for slip, broken in breaks(view, seat, action).items()
    }
