"""The limit adviser: the EV of each choice, and how often the solution makes it.

Between two players with full stacks, the EVs are those of the solution: the opponent's range
follows from everything the opponent did, and both players continue with the blueprint
(`equilibrium.opponent_ranges`). Otherwise, if two players remain, the last betting round is solved
(`last_round_solver`). In all other positions the EVs are heuristic, from the same ranges
(`heuristic_ev`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ....cards.card import Hand
from ....cards.memo import memoize
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue, Mistake
from ..machine.moves import Action, Discard, Fold, Raise
from ..machine.rules import HAND_CARDS, Positions, every_discard
from ..machine.state import Phase, Stakes, State
from . import heuristic_ev, last_round_solver
from .equilibrium import blueprint_lookup
from .equilibrium.betting_tree import FIRST, NODES, SMALL_BET
from .equilibrium.hand_buckets import NUMBERS, Floats
from .equilibrium.opponent_ranges import blueprint_ranges
from .equilibrium.second_round_values import DrawState
from .equilibrium.traversal import DecisionPoint
from .equilibrium_player import decision_name, first_round_close_index, fits_blueprint
from .ev_basis import EvBasis
from .limit_choices import (
    LETTER_OF_ACTION,
    LimitAdvice,
    LimitChoice,
    allowed_draw_counts,
    close_index_after_call,
    make_limit_advice,
    rank_acts,
    sort_by_value,
)
from .odds import hold_mask

USUAL_FREQUENCY = 0.1
"""A choice that the solution makes at least this often is not a mistake."""
HEURISTIC_TOLERANCE = 1.0
"""The smallest cost, in credits, that counts as a mistake if EVs are heuristic."""
CACHE_SIZE = 16
_DECISIONS = frozenset(node.name for node in NODES)


def is_limit_decision(view: State, seat: Seat) -> bool:
    """Return whether a seat at a limit table has to choose between bets or discards now."""
    hand = (*view.hands[seat], *view.thrown[seat]) if view.hands else ()
    if view.options.stakes is not Stakes.LIMIT or seat not in view.alive:
        return False
    if len(view.hands[seat]) < HAND_CARDS or len({*hand}) < len(hand):
        return False
    if view.phase is Phase.DRAW:
        return view.drawing[:1] == (seat,) and not view.waiting
    return view.betting is not None and view.betting.pending[:1] == (seat,)


def advise_limit(view: State, seat: Seat) -> LimitAdvice | None:
    """Return the advice for a seat, or ``None`` if it has nothing to choose at a limit table.

    This takes up to 0.1 seconds; the first call takes a few tenths of a second. The latest results
    are cached.
    """
    return _advise(view, seat) if is_limit_decision(view, seat) else None


@memoize(maxsize=CACHE_SIZE)
def _advise(view: State, seat: Seat) -> LimitAdvice:
    match basis_of(view):
        case EvBasis.SOLUTION:
            return _solved(view, seat)
        case EvBasis.LAST_ROUND:
            return last_round_solver.advise_last_round(view, seat)
    return heuristic_ev.advise_heuristically(view, seat)


def basis_of(view: State) -> EvBasis:
    """Return the method by which the choices at a limit table can be analysed."""
    if fits_blueprint(view):
        return EvBasis.SOLUTION
    return EvBasis.LAST_ROUND if last_round_solver.fits_round(view) else EvBasis.ROUGH


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Return the cost of a choice in credits, or ``None`` if it is as good as the best.

    Choices that the solution makes often count as equally good, because the difference does not
    matter against the solution, and because the EVs are not accurate to a tenth of a credit.
    """
    if (
        is_limit_decision(view, seat)
        and basis_of(view) is EvBasis.ROUGH
        and view.phase is not Phase.DRAW
    ):
        # a player who bets by heuristic EVs loses to the algorithm, so they cannot prove a mistake
        return None
    advice = advise_limit(view, seat)
    chosen = advice.choice_for(action) if advice else None
    if advice is None or chosen is None or advice.ties_best(chosen):
        return None
    cost = advice.best.value - chosen.value
    solved = advice.basis is EvBasis.SOLUTION
    if chosen.frequency >= USUAL_FREQUENCY if solved else cost < HEURISTIC_TOLERANCE:
        return None
    return Mistake(Fraction(round(1000 * cost), 1000), advice.best.action)


def action_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Return all choices of a seat with their EV in credits, best first."""
    advice = advise_limit(view, seat)
    if advice is None:
        return ()
    return tuple(
        ActionValue(one.action, one.value, 0.0 if isinstance(one.action, Fold) else advice.error)
        for one in advice.choices
    )


class Response(NamedTuple):
    """How often the opponent folds to a bet or raise, or bets after a check.

    ``wins`` is the chance to beat the hands with which it does not fold, or bets. Before the draw
    these are the hands that call, and the seat then draws the cards that win most showdowns.
    """

    share: float
    wins: float


def response_to(view: State, seat: Seat, action: Action) -> Response | None:
    """Return the opponent's response to a bet, a raise or a check, if it plays the solution.

    Return ``None`` for other actions, for a check that ends the round, and outside the solution.
    """
    letter = LETTER_OF_ACTION.get(type(action), "")
    if letter not in ("b", "r", "k") or view.betting is None:
        return None
    if basis_of(view) is not EvBasis.SOLUTION:
        return None
    place, name = view.dealt_in.index(seat), decision_name(view.betting, view.dealt_in) + letter
    if name not in _DECISIONS:
        return None
    ranges, other = blueprint_ranges(), 1 - place
    answer = f"{name}{'b' if letter == 'k' else 'f'}"
    if view.phase is Phase.OPENING:
        reach = ranges.opening_reach(other, view.hands[seat])
        called = answer if letter == "k" else name
        wins = _best_draw(view.hands[seat], place, close_index_after_call(called))[0]
        return Response(float(reach[answer].sum() / reach[name].sum()), wins)
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    state = (first, dealer, first_round_close_index(view))
    weights = ranges.final_weights(other, state, (*view.hands[seat], *view.thrown[seat]))
    before, after = (ranges.reach_after(other, state, weights, one) for one in (name, answer))
    rest = after if letter == "k" else before - after
    own = ranges.final_of(view.hands[seat])
    return Response(float(after.sum() / before.sum()), float(ranges.win_chances(rest)[own]))


def bets_after_draw(view: State, seat: Seat, action: Action) -> Response | None:
    """Return how often the opponent bets after the draw if the seat calls, or raises and is called.

    ``wins`` is then the chance to beat the hands that bet. If the seat acts first, it checks.
    Return ``None`` after the draw, and outside the solution.
    """
    if view.phase is not Phase.OPENING or view.betting is None:
        return None
    if basis_of(view) is not EvBasis.SOLUTION:
        return None
    ranges, hand, place = blueprint_ranges(), view.hands[seat], view.dealt_in.index(seat)
    acts = decision_name(view.betting, view.dealt_in) + "r" * isinstance(action, Raise)
    other, close_index = 1 - place, close_index_after_call(acts)
    _, _, final_shares, number = _best_draw(hand, place, close_index)
    total, name = 0.0, "kb" if place == FIRST else "b"
    betting: Floats = np.zeros_like(final_shares)
    for state in _draw_states(place, number, close_index):
        weights = ranges.final_weights(other, state, hand)
        betting += ranges.reach_after(other, state, weights, name)
        total += float(weights.sum())
    wins = float(final_shares @ ranges.win_chances(betting))
    return Response(float(betting.sum()) / total, wins)


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
    frequencies = ranges.policies[position][DecisionPoint("opening", name)][
        :, blueprint_lookup.bucket_of(hand)
    ]
    values = ranges.opening_values(position, hand, name)
    _, weights, final_shares, _ = _best_draw(hand, position, close_index_after_call(name))
    return make_limit_advice(
        view,
        seat,
        rank_acts(name, values, frequencies, view.put_in[seat]),
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
            hold_mask(hand, blueprint_lookup.discard_positions(hand, number))
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
    draw_values = {
        number: ranges.draw_values(position, close_index, first_drew, hand, number)
        for number in allowed_draw_counts(hand)
    }
    choices = []
    for discards in every_discard(hand):
        value = SMALL_BET * float(
            final_shares[hold_mask(hand, discards)] @ draw_values[len(discards)]
        )
        is_usual = discards == blueprint_lookup.discard_positions(hand, len(discards))
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
    frequencies = ranges.policies[position][DecisionPoint("closing", name)][
        (slice(None), *state, own)
    ]
    values = ranges.closing_values(position, state, hand, cards, name)
    weights = ranges.reach_after(
        1 - position, state, ranges.final_weights(1 - position, state, cards), name
    )
    final_shares = np.zeros(len(weights), np.float32)
    final_shares[own] = 1
    choices = rank_acts(name, values, frequencies, view.put_in[seat])
    return make_limit_advice(
        view, seat, choices, final_shares, (view.dealt_in[1 - position],), EvBasis.SOLUTION, weights
    )
