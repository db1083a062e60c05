"""The limit adviser: the EV of each choice, and how often the solution makes it.

Between two players with full stacks, the EVs are those of the solution: the opponent's range
follows from everything the opponent did; it continues with the blueprint, and the player with the
best choices (`equilibrium.opponent_ranges`). All other positions are played out against computer
players (`playouts`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ....cards.card import Hand
from ....cards.memo import memoize
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Mistake
from ....gamekit.lazy_import import LazyModule
from ..machine.rules import HAND_CARDS, Positions, allowed_draw_counts, every_discard
from ..machine.state import Action, Discard, Phase, State
from .equilibrium import blueprint
from .equilibrium.betting_tree import FIRST, NODES, SMALL_BET
from .equilibrium.hand_buckets import NUMBERS, Floats
from .equilibrium.opponent_ranges import blueprint_ranges
from .equilibrium.traversal import DrawState
from .limit_choices import (
    LETTER_OF_ACTION,
    LimitAdvice,
    LimitChoice,
    close_index_after_call,
    make_limit_advice,
    rank_acts,
    sort_by_value,
)
from .odds import hold_mask
from .players import decision_name, first_round_close_index, fits_blueprint, has_known_bets
from .pot_odds import EvBasis

if TYPE_CHECKING:  # late: loads numpy.random
    from .playouts import advice as playouts_advice
else:
    playouts_advice = LazyModule(".playouts.advice", __package__)

USUAL_FREQUENCY = 0.1
"""A choice that the solution makes at least this often is not a mistake."""
UNSOLVED_TOLERANCE = 1.0
"""The smallest cost, in credits, that counts as a mistake outside the solution."""
CACHE_SIZE = 16
_DECISIONS = frozenset(node.name for node in NODES)


def is_limit_decision(view: State, seat: Seat) -> bool:
    """Return whether a seat at a known limit table has to choose between bets or discards."""
    hand = (*view.hands[seat], *view.thrown[seat]) if view.hands else ()
    if not has_known_bets(view.options) or seat not in view.alive:
        return False
    if len(view.hands[seat]) < HAND_CARDS or len({*hand}) < len(hand):
        return False
    if view.phase is Phase.DRAW:
        return view.drawing[:1] == (seat,) and not view.waiting
    return view.betting is not None and view.betting.pending[:1] == (seat,)


def advise_limit(view: State, seat: Seat) -> LimitAdvice | None:
    """Return the advice for a seat, or ``None`` if it has nothing to choose at a limit table.

    This takes up to 0.1 seconds, or 0.4 seconds if the position is played out. The first call takes
    another 0.1 seconds. The latest results are cached.
    """
    return _advise(view, seat) if is_limit_decision(view, seat) else None


@memoize(maxsize=CACHE_SIZE)
def _advise(view: State, seat: Seat) -> LimitAdvice:
    if basis_of(view) is EvBasis.SOLUTION:
        return _solved(view, seat)
    return playouts_advice.advise_played_out(view, seat)


def basis_of(view: State) -> EvBasis:
    """Return the method by which the choices at a limit table can be analysed."""
    return EvBasis.SOLUTION if fits_blueprint(view) else EvBasis.PLAYED_OUT


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Return the cost of a choice in credits, or ``None`` if it is as good as the best.

    Choices that the solution makes often count as equally good, because the difference does not
    matter against the solution, and because the EVs are not accurate to a tenth of a credit.
    Outside the solution, a choice is a mistake only if it is clearly worse.
    """
    advice = advise_limit(view, seat)
    chosen = advice.choice_for(action) if advice else None
    if advice is None or chosen is None or advice.ties_best(chosen):
        return None
    cost = advice.best.value - chosen.value
    if advice.basis is not EvBasis.SOLUTION:
        is_mistake = cost >= UNSOLVED_TOLERANCE and advice.is_clearly_worse(chosen)
    elif advice.has_frequencies:
        is_mistake = chosen.frequency < USUAL_FREQUENCY
    else:  # the solution never comes here, so only the EVs could prove a mistake
        is_mistake = advice.is_clearly_worse(chosen)
    best = advice.best.action
    return Mistake(Fraction(round(1000 * cost), 1000), best) if is_mistake else None


def action_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Return all choices of a seat with their EV in credits, best first."""
    advice = advise_limit(view, seat)
    if advice is None:
        return ()
    return tuple(
        ActionValue(one.action, one.value, advice.error_of(one), one.gap_error)
        for one in advice.choices
    )


def wins_against(view: State, seat: Seat, action: Action) -> float | None:
    """Return the chance to beat the hands that call a bet or raise, or that bet after a check.

    Before the draw, the seat then draws the cards that win most showdowns. Return ``None`` for
    other actions, for a check that ends the round, and outside the solution.
    """
    letter = LETTER_OF_ACTION.get(type(action), "")
    if letter not in ("b", "r", "k") or view.betting is None:
        return None
    if basis_of(view) is not EvBasis.SOLUTION:
        return None
    place, name = view.dealt_in.index(seat), decision_name(view.betting, view.dealt_in) + letter
    if name not in _DECISIONS:
        return None
    ranges, hand = blueprint_ranges(), view.hands[seat]
    if view.phase is Phase.OPENING:
        called = f"{name}b" if letter == "k" else name
        return _best_draw(hand, place, close_index_after_call(called))[0]
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    state = (first, dealer, first_round_close_index(view))
    weights = ranges.final_weights(1 - place, state, (*hand, *view.thrown[seat]))
    reach = ranges.closing_reach(1 - place, state, weights)
    rest = reach[f"{name}b"] if letter == "k" else reach[f"{name}c"]
    return float(ranges.win_chances(rest)[ranges.final_of(hand)])


def opponent_reach(view: State, seat: Seat) -> float | None:
    """Return how often the only opponent, at the GTO level, plays as it did in this round.

    Before the draw and after it, this is the share of the hands with which it makes these bets.
    Return ``None`` if it has not bet, called or checked, and outside the solution.
    """
    if view.betting is None or basis_of(view) is not EvBasis.SOLUTION:
        return None
    ranges, place = blueprint_ranges(), view.dealt_in.index(seat)
    name = decision_name(view.betting, view.dealt_in)
    if view.phase is Phase.OPENING:
        reach = ranges.opening_reach(1 - place, view.hands[seat])
    else:
        first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
        state = (first, dealer, first_round_close_index(view))
        cards = (*view.hands[seat], *view.thrown[seat])
        weights = ranges.final_weights(1 - place, state, cards)
        reach = ranges.closing_reach(1 - place, state, weights)
    return float(reach[name].sum() / reach[""].sum()) if name else None


def showdown_chance(view: State, seat: Seat, discards: Positions) -> float | None:
    """Return the chance to win with a discard if nobody bets again; ``None`` if it is unknown."""
    if view.phase is not Phase.DRAW or basis_of(view) is not EvBasis.SOLUTION:
        return None
    ranges, hand, place = blueprint_ranges(), view.hands[seat], view.dealt_in.index(seat)
    first_drew = None if place == FIRST else view.drawn[view.dealt_in[FIRST]]
    states = _draw_states(place, len(discards), first_round_close_index(view), first_drew)
    weights = np.sum([ranges.final_weights(1 - place, one, hand) for one in states], axis=0)
    return float(ranges.final_shares(hand)[hold_mask(hand, discards)] @ ranges.win_chances(weights))


# ---- the solved game ---------------------------------------------------------------------------


def _solved(view: State, seat: Seat) -> LimitAdvice:
    place = view.dealt_in.index(seat)
    if view.phase is Phase.OPENING:
        return _opening(view, seat, place)
    return _draw(view, seat, place) if view.phase is Phase.DRAW else _closing(view, seat, place)


def _opening(view: State, seat: Seat, position: int) -> LimitAdvice:
    assert view.betting is not None
    ranges, hand, name = (
        blueprint_ranges(),
        view.hands[seat],
        decision_name(view.betting, view.dealt_in),
    )
    frequencies = ranges.opening_frequencies(position, hand, name)
    values = ranges.opening_values(position, hand, name)
    _, weights, final_shares, _ = _best_draw(hand, position, close_index_after_call(name))
    return make_limit_advice(
        view,
        seat,
        rank_acts(values, frequencies, view.put_in[seat]),
        final_shares,
        (),
        EvBasis.SOLUTION,
        weights,
    )


def _best_draw(hand: Hand, position: int, close_index: int) -> tuple[float, Floats, Floats, int]:
    """Return the draw that wins most: the chance, the opponent's weights, own shares, the number.

    This is not the solution's draw, in which hands that never come here stand pat.
    """
    ranges, results = blueprint_ranges(), []
    for number in allowed_draw_counts(hand):
        final_shares = ranges.final_shares(hand)[
            hold_mask(hand, blueprint.discard_positions(hand, number))
        ]
        states = _draw_states(position, number, close_index)
        weights = np.sum(
            [ranges.final_weights(1 - position, state, hand) for state in states], axis=0
        )
        wins = float(final_shares @ ranges.win_chances(weights))
        results.append((wins, weights, final_shares, number))
    return max(results, key=lambda one: one[0])


def _draw_states(
    position: int, number: int, close_index: int, first_drew: int | None = None
) -> list[DrawState]:
    """Return the states after a draw by the seat at this position, for each draw of the other."""
    if position == FIRST:
        return [(number, other, close_index) for other in NUMBERS]
    others = NUMBERS if first_drew is None else (first_drew,)
    return [(other, number, close_index) for other in others]


def _draw(view: State, seat: Seat, position: int) -> LimitAdvice:
    ranges, hand, close_index = blueprint_ranges(), view.hands[seat], first_round_close_index(view)
    first_drew = None if position == FIRST else view.drawn[view.dealt_in[FIRST]]
    frequencies, final_shares = (
        ranges.draw_frequencies(position, close_index, first_drew, hand),
        ranges.final_shares(hand),
    )
    values = ranges.discard_values(position, close_index, first_drew, hand, every_discard(hand))
    choices = []
    for discards, small_bets in values.items():
        value = SMALL_BET * small_bets
        is_usual = discards == blueprint.discard_positions(hand, len(discards))
        share = float(frequencies[len(discards)]) if is_usual else 0.0
        choices.append(LimitChoice(Discard(discards), value + view.put_in[seat], share))
    ranked = sort_by_value(choices)
    best = ranked[0].action
    assert isinstance(best, Discard)
    states = _draw_states(position, len(best.positions), close_index, first_drew)
    weights = np.sum([ranges.final_weights(1 - position, state, hand) for state in states], axis=0)
    rivals = () if first_drew is None else (view.dealt_in[FIRST],)
    best_finals = final_shares[hold_mask(hand, best.positions)]
    return make_limit_advice(view, seat, ranked, best_finals, rivals, EvBasis.SOLUTION, weights)


def _closing(view: State, seat: Seat, position: int) -> LimitAdvice:
    assert view.betting is not None
    ranges, hand, name = (
        blueprint_ranges(),
        view.hands[seat],
        decision_name(view.betting, view.dealt_in),
    )
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    state, cards = (first, dealer, first_round_close_index(view)), (*hand, *view.thrown[seat])
    own = ranges.final_of(hand)
    frequencies = ranges.closing_frequencies(position, state, own, name)
    values = ranges.closing_values(position, state, hand, cards, name)
    weights = ranges.closing_reach(
        1 - position, state, ranges.final_weights(1 - position, state, cards)
    )[name]
    final_shares = np.zeros(len(weights), np.float32)
    final_shares[own] = 1
    choices = rank_acts(values, frequencies, view.put_in[seat])
    return make_limit_advice(
        view, seat, choices, final_shares, (view.dealt_in[1 - position],), EvBasis.SOLUTION, weights
    )
