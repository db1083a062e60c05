"""The coach of the limit table: what each choice is worth, and how often the solution makes it.

Between two at full stakes the worths are those of the solution: the opponent's hands are read from
all that he did, and both go on as the blueprint does (`equilibrium.reading`). Elsewhere, where two
remain, the last round of bets is solved anew (`last_round`); else worths are a rough reckoning of
our own from the same hands (`rough`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ....cards.memo import memoize
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Mistake
from ..machine.moves import Action, Discard, Fold
from ..machine.rules import (
    HAND_CARDS,
    every_discard,
)
from ..machine.state import Phase, Stakes, State
from . import heuristic_ev, last_round_solver
from .equilibrium import blueprint_lookup
from .equilibrium.betting_tree import FIRST, SMALL_BET
from .equilibrium.hand_buckets import NUMBERS
from .equilibrium.opponent_ranges import blueprint_ranges
from .equilibrium.traversal import DecisionPoint
from .equilibrium_player import decision_name, first_round_way, fits_blueprint
from .ev_basis import EvBasis
from .limit_choices import (
    LimitAdvice,
    LimitChoice,
    allowed_draw_counts,
    closing_way_by_call,
    make_limit_advice,
    rank_acts,
    sort_by_value,
)
from .odds import hold_mask

USUAL_FREQUENCY = 0.1
"""What the solution itself does as often as this is no mistake."""
HEURISTIC_TOLERANCE = 1.0
"""Credits: what is only roughly reckoned is a mistake from here on."""
CACHE_SIZE = 16


def is_limit_decision(view: State, seat: Seat) -> bool:
    """Tell whether a seat of the limit table has to choose between bets or discards now."""
    hand = (*view.hands[seat], *view.thrown[seat]) if view.hands else ()
    if view.options.stakes is not Stakes.LIMIT or seat not in view.alive:
        return False
    if len(view.hands[seat]) < HAND_CARDS or len({*hand}) < len(hand):
        return False
    if view.phase is Phase.DRAW:
        return view.drawing[:1] == (seat,) and not view.waiting
    return view.betting is not None and view.betting.pending[:1] == (seat,)


def advise_limit(view: State, seat: Seat) -> LimitAdvice | None:
    """Weigh what a seat may do; ``None`` where it has nothing to choose at the limit table.

    Takes up to a tenth of a second, and some tenths the first time. The last ones are kept.
    """
    return _weighed(view, seat) if is_limit_decision(view, seat) else None


@memoize(maxsize=CACHE_SIZE)
def _weighed(view: State, seat: Seat) -> LimitAdvice:
    match _basis(view):
        case EvBasis.SOLUTION:
            return _solved(view, seat)
        case EvBasis.LAST_ROUND:
            return last_round_solver.advise_last_round(view, seat)
    return heuristic_ev.advise_heuristically(view, seat)


def _basis(view: State) -> EvBasis:
    """Tell by what the choices of a seat that has some are weighed."""
    if fits_blueprint(view):
        return EvBasis.SOLUTION
    return EvBasis.LAST_ROUND if last_round_solver.fits_round(view) else EvBasis.ROUGH


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Say what a choice costs beside the best, in credits; nothing for one that is as good.

    What the solution itself does often is as good: between such acts it does not matter to a
    player like it, and the worths are not sure to the tenth of a credit.
    """
    if (
        is_limit_decision(view, seat)
        and _basis(view) is EvBasis.ROUGH
        and view.phase is not Phase.DRAW
    ):
        return None  # who bets by rough worths loses to the algorithm: they prove nobody wrong
    weighed = advise_limit(view, seat)
    chosen = weighed.of(action) if weighed else None
    if weighed is None or chosen is None or weighed.as_good(chosen):
        return None
    cost = weighed.best.value - chosen.value
    solved = weighed.basis is EvBasis.SOLUTION
    if chosen.often >= USUAL_FREQUENCY if solved else cost < HEURISTIC_TOLERANCE:
        return None
    return Mistake(Fraction(round(1000 * cost), 1000), weighed.best.action)


def worths(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Give all that a seat may choose with its worth in credits, the best first."""
    weighed = advise_limit(view, seat)
    if weighed is None:
        return ()
    return tuple(
        ActionValue(one.action, one.value, 0.0 if isinstance(one.action, Fold) else weighed.error)
        for one in weighed.choices
    )


# ---- between two -------------------------------------------------------------------------------


def _solved(view: State, seat: Seat) -> LimitAdvice:
    place = view.dealt_in.index(seat)
    if view.phase is Phase.OPENING:
        return _opening(view, seat, place)
    return _draw(view, seat, place) if view.phase is Phase.DRAW else _closing(view, seat, place)


def _opening(view: State, seat: Seat, place: int) -> LimitAdvice:
    assert view.betting is not None
    book, hand, name = (
        blueprint_ranges(),
        view.hands[seat],
        decision_name(view.betting, view.dealt_in),
    )
    often = book.policies[place][DecisionPoint("opening", name)][
        :, blueprint_lookup.bucket_of(hand)
    ]
    values = book.opening(place, hand, name)
    way = closing_way_by_call(name)
    found = []
    for number in allowed_draw_counts(
        hand
    ):  # not the solution's own: where it never comes it stands pat
        kept = book.becomes(hand)[hold_mask(hand, blueprint_lookup.discard_positions(hand, number))]
        ends = [(number, n, way) if place == FIRST else (n, number, way) for n in NUMBERS]
        likely = np.sum([book.finals(1 - place, at, hand) for at in ends], axis=0)
        found.append((float(kept @ book.beats(likely)), kept, likely))
    _, kept, likely = max(found, key=lambda one: one[0])
    return make_limit_advice(
        view,
        seat,
        rank_acts(name, values, often, view.put_in[seat]),
        kept,
        (),
        EvBasis.SOLUTION,
        likely,
    )


def _draw(view: State, seat: Seat, place: int) -> LimitAdvice:
    book, hand, way = blueprint_ranges(), view.hands[seat], first_round_way(view)
    seen = None if place == FIRST else view.drawn[view.dealt_in[FIRST]]
    often, becomes = book.drawing(place, way, seen, hand), book.becomes(hand)
    worth = {
        number: book.drawn(place, way, seen, hand, number) for number in allowed_draw_counts(hand)
    }
    choices = []
    for gone in every_discard(hand):
        value = SMALL_BET * float(becomes[hold_mask(hand, gone)] @ worth[len(gone)])
        usual = gone == blueprint_lookup.discard_positions(hand, len(gone))
        share = float(often[len(gone)]) if usual else 0.0
        choices.append(LimitChoice(Discard(gone), value + view.put_in[seat], share))
    found = sort_by_value(choices)
    best = found[0].action
    assert isinstance(best, Discard)
    number = len(best.positions)
    ends = [(number, n, way) for n in NUMBERS] if seen is None else [(seen, number, way)]
    likely = np.sum([book.finals(1 - place, at, hand) for at in ends], axis=0)
    rivals = () if seen is None else (view.dealt_in[FIRST],)
    kept = becomes[hold_mask(hand, best.positions)]
    return make_limit_advice(view, seat, found, kept, rivals, EvBasis.SOLUTION, likely)


def _closing(view: State, seat: Seat, place: int) -> LimitAdvice:
    assert view.betting is not None
    book, hand, name = (
        blueprint_ranges(),
        view.hands[seat],
        decision_name(view.betting, view.dealt_in),
    )
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    at, cards = (first, dealer, first_round_way(view)), (*hand, *view.thrown[seat])
    own = book.final_of(hand)
    often = book.policies[place][DecisionPoint("closing", name)][(slice(None), *at, own)]
    values = book.closing(place, at, hand, cards, name)
    likely = book.after(1 - place, at, book.finals(1 - place, at, cards), name)
    ends = np.zeros(len(likely), np.float32)
    ends[own] = 1
    choices = rank_acts(name, values, often, view.put_in[seat])
    return make_limit_advice(
        view, seat, choices, ends, (view.dealt_in[1 - place],), EvBasis.SOLUTION, likely
    )
