"""How often the GTO level acts as the player did, for each decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ....engine.game import Seat
from ....gamekit.adviser import Decision
from ....gamekit.habits import ActFrequency, compare_act
from ..machine.rules import every_discard
from ..machine.state import Action, Discard, Phase, State
from .ev_basis import EvBasis
from .limit_adviser import advise_limit, basis_of, is_limit_decision
from .mistake_kinds import slip_of


def act_frequencies(decision: Decision[State, Action]) -> Mapping[str, ActFrequency]:
    """Return how often the GTO level makes each choice in the position of a decision.

    The frequencies are those of the solution for the very hand, position and bets, or those of the
    last round solved for this pot. So their average over decisions is exact; no ranges are
    averaged. Choices without frequencies are not compared, but discards count as possible. The
    advice is usually in the cache, because the judge has just used it.
    """
    view, seat = decision.view, decision.seat
    is_solved = is_limit_decision(view, seat) and basis_of(view) is not EvBasis.ROUGH
    advice = advise_limit(view, seat) if is_solved else None
    if advice is None or not advice.has_frequencies:
        return _discards(view, seat)
    mine, shares = slip_of(decision.action), defaultdict[str, float](float)
    for choice in advice.choices:
        shares[slip_of(choice.action)] += choice.frequency
    return {slip: compare_act(done=slip == mine, benchmark=share) for slip, share in shares.items()}


def _discards(view: State, seat: Seat) -> Mapping[str, ActFrequency]:
    if view.phase is not Phase.DRAW:
        return {}
    return {slip_of(Discard(cards)): ActFrequency(1) for cards in every_discard(view.hands[seat])}
