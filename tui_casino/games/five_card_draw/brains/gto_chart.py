"""The GTO chart of a decision: how often the solution makes each choice with each group of hands.

The groups are those of `mistakes`. The frequency of a group is the mean over its hands. Each
hand is weighted by how often it is dealt (after the draw: made), times how often the player's own
choices in the solution bring it to this decision. The opponent's cards are left out of the weights.
With them, frequencies before the draw would differ by at most 2.2 percentage points, mostly by less
than 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards import hand_indexing
from ....cards.card import Rank
from ....cards.memo import memoize
from ....cards.poker import (
    STRENGTHS,
    HandCategory,
    category_of,
    hand_rank_of,
    strengths_of_indices,
)
from ....engine.game import Seat
from ..machine.state import Discard, Phase, State
from .equilibrium.betting_tree import CLOSES, FIRST, ROOT, SEATS
from .equilibrium.hand_buckets import (
    NUMBERS,
    Floats,
    class_count,
    class_of_strength,
    hand_buckets,
)
from .equilibrium.opponent_ranges import BlueprintRanges, blueprint_ranges, node_by_name
from .equilibrium.traversal import (
    DRAW,
    DecisionPoint,
    Policy,
    propagate_reach,
    round_policy,
    state_shares,
)
from .heuristic_ev import main_pair
from .limit_adviser import advise_limit
from .limit_choices import LETTER_OF_ACTION
from .mistakes import DRAWS, HIGH, MADE, PAIRS, group_of, made_group
from .players import fits_blueprint

GROUPS = (*MADE, *DRAWS, *PAIRS, *HIGH)
"""The groups of hands before the draw and at the draw, the strongest first."""
FINAL_GROUPS = (*MADE, *PAIRS, *HIGH)
"""The groups of hands after the draw."""

_ACE_HIGH = 14
"""The rank of an ace in a hand's ranking."""
RARE = 0.001
"""Groups with a smaller share of the range have no frequencies: their hands are exceptions."""
_LEAST = 1e-6
"""The smallest share of all hands of a seat for which frequencies after the draw are shown."""
_CERTAIN = 10
"""A group must be this many times as frequent as all hands that only a tremble brings here."""


class Spot(Struct, frozen=True):
    """A decision of a player who has not looked at their cards yet.

    ``position`` is the first seat or the dealer. ``acts`` identifies a decision of the betting
    tree, and ``close_index`` how the first round closed. ``drew`` are the numbers of cards that the
    first seat and the dealer drew; ``None`` before their turn.
    """

    phase: Phase
    position: int
    acts: str = ""
    close_index: int = 0
    drew: tuple[int | None, int | None] = (None, None)

    @property
    def choices(self) -> tuple[str, ...]:
        """The choices: letters as in the betting tree, or numbers of cards to draw."""
        if self.phase is Phase.DRAW:
            return tuple(map(str, NUMBERS))
        return tuple(node_by_name(self.acts).acts)


class GroupFrequencies(Struct, frozen=True):
    """A group of hands: its share of the range, and how often it makes each choice.

    ``frequencies`` is empty if the solution never or hardly ever brings the group to this decision.
    """

    group: str
    share: float
    frequencies: tuple[float, ...]

    @property
    def usual(self) -> int | None:
        """The index of the most frequent choice."""
        if not self.frequencies:
            return None
        return max(range(len(self.frequencies)), key=self.frequencies.__getitem__)


class GtoChart(Struct, frozen=True):
    """The chart of a decision, and the hand of the player who has to choose.

    ``own_group`` is the group of the hand, and ``own_values`` are the EVs of its choices in
    credits; ``None`` for a choice that is not allowed. ``players`` were dealt in. The solution
    ``is_exact`` for two players whose stacks are long enough.
    """

    spot: Spot
    rows: tuple[GroupFrequencies, ...]
    own_group: str = ""
    own_values: tuple[float | None, ...] = ()
    players: int = 2
    is_exact: bool = True


def chart_for(view: State, seat: Seat) -> GtoChart | None:
    """Return the chart of a seat's decision, or ``None`` if it has no decision at a limit table.

    With more than two players, the seat and its main opponent are treated as if nobody else were
    playing.
    """
    advice = advise_limit(view, seat)
    if advice is None:
        return None
    spot = spot_of(view, seat)
    values: dict[str, float] = {}
    for choice in advice.choices:  # best first
        action = choice.action
        name = (
            str(len(action.positions))
            if isinstance(action, Discard)
            else LETTER_OF_ACTION[type(action)]
        )
        values.setdefault(name, choice.value)
    return GtoChart(
        spot,
        group_frequencies(spot),
        group_of(view.hands[seat], before=view.phase is not Phase.CLOSING),
        tuple(map(values.get, spot.choices)),
        len(view.dealt_in),
        fits_blueprint(view),
    )


def spot_of(view: State, seat: Seat) -> Spot:
    """Return the decision of the two-player game that a seat faces, or comes closest to."""
    pair = main_pair(view, seat)
    seats = (seat, pair.other) if pair.position == FIRST else (pair.other, seat)
    first_drew, dealer_drew = (view.drawn[each] for each in seats)
    return Spot(
        view.phase,
        pair.position,
        pair.decision,
        0 if view.phase is Phase.OPENING else pair.close_index,
        (first_drew, dealer_drew),
    )


@memoize(maxsize=64)
def group_frequencies(spot: Spot) -> tuple[GroupFrequencies, ...]:
    """Return how often each group of hands makes each choice, the strongest group first."""
    ranges = blueprint_ranges()
    if spot.phase is Phase.CLOSING:
        return _rows(FINAL_GROUPS, *_final_weights(ranges, spot))
    policy = ranges.policies[spot.position]
    if spot.phase is Phase.DRAW:
        name = CLOSES[spot.close_index].name
        frequencies = state_shares(policy, DRAW, *_draw_state(spot))
    else:
        name, frequencies = spot.acts, policy[DecisionPoint("opening", spot.acts)]
    weights = _dealt_weights() * _opening_reach(policy, spot.position, name)
    return _rows(GROUPS, weights, frequencies)


def _rows(
    groups: tuple[str, ...], weights: npt.NDArray[np.float64], policy: Floats
) -> tuple[GroupFrequencies, ...]:
    """Average a policy, (choices, hands), over the groups' weights, (groups, hands)."""
    totals = weights.sum(axis=1)
    sums = weights @ policy.T.astype(np.float64)
    range_total = totals.sum() or 1.0
    return tuple(
        GroupFrequencies(
            group,
            float(total / range_total),
            tuple((chosen / chosen.sum()).tolist()) if total >= RARE * range_total else (),
        )
        for group, total, chosen in zip(groups, totals, sums, strict=True)
    )


def _opening_reach(policy: Policy, seat: int, name: str) -> Floats:
    """Return how often a seat's own choices bring each bucket to a node of the first round."""
    everywhere = np.ones(hand_buckets().buckets, np.float32)
    return propagate_reach(ROOT, seat, policy, "opening", everywhere)[name]


def _draw_state(spot: Spot) -> tuple[int, ...]:
    """Return what the player at the spot knows before its draw."""
    return (*(() if spot.position == FIRST else (spot.drew[FIRST] or 0,)), spot.close_index)


def _final_weights(ranges: BlueprintRanges, spot: Spot) -> tuple[npt.NDArray[np.float64], Floats]:
    """Return the weights of the final hands, (groups, finals), and the policy at the decision.

    The weights at the start of the round come from the file of reach probabilities. That file also
    contains hands that never draw this number of cards, with a small probability, the tremble.
    Groups whose weight could be due to it are left out. After a bet or a raise of the seat there
    are no such hands: at a decision that they never reach, the solution checks or folds.
    """
    position, (first, dealer) = spot.position, (number or 0 for number in spot.drew)
    state = (first, dealer, spot.close_index)
    start = ranges.second_round_reach[position][state]
    policy = round_policy(ranges.policies[position], state, ranges.all_finals)
    reach = propagate_reach(ROOT, position, policy, "closing", start)[spot.acts]
    weights = _group_of_finals() * reach
    has_bet = {"b", "r"} & {*spot.acts[position :: len(SEATS)]}
    least = _LEAST if has_bet else _CERTAIN * _tremble_weight(ranges, spot)
    weights[weights.sum(axis=1) < max(least, _LEAST)] = 0
    return weights, policy[DecisionPoint("closing", spot.acts)]


def _tremble_weight(ranges: BlueprintRanges, spot: Spot) -> float:
    """Return how often only the tremble makes a seat draw as it did."""
    number, seat, state, drawn = spot.drew[spot.position] or 0, spot.position, _draw_state(spot), []
    for policy, draws in (
        (ranges.opponent_policy(seat), ranges.draw_policy(seat, *state)),
        (ranges.policies[seat], state_shares(ranges.policies[seat], DRAW, *state)),
    ):
        reach = _opening_reach(policy, seat, CLOSES[spot.close_index].name)
        drawn.append(ranges.dealt * reach * draws[number])
    return float(np.maximum(drawn[0] - drawn[1], 0).sum())


# ---- the groups of all hands -------------------------------------------------------------------


@memoize()
def _dealt_weights() -> npt.NDArray[np.float64]:
    """Return the share of deals that are in a group and in a bucket: (groups, buckets)."""
    hands = hand_buckets()
    group = group_of_classes()
    return np.stack([hands.by_bucket(hands.deals * (group == each)) for each in range(len(GROUPS))])


def group_of_classes() -> npt.NDArray[np.int64]:
    """Return the index in `GROUPS` of each class of `hand_indexing.hand_classes`.

    The result is that of `mistakes.group_of`, for all hands together.
    """
    cards = hand_indexing.hand_classes().cards
    strengths = strengths_of_indices(cards.T)
    category = np.array([0, *map(category_of, STRENGTHS)])[strengths]
    top = np.array([0, *(hand_rank_of(strength).ranks[0] for strength in STRENGTHS)])[strengths]
    suited = np.max([(cards // 13 == suit).sum(axis=0) for suit in range(4)], axis=0) == 4
    ranks = np.bitwise_or.reduce(1 << (cards % 13).astype(np.int64), axis=0)
    lowest = range(Rank.TWO - Rank.ACE, Rank.JACK - Rank.ACE)  # open at both ends
    in_sequence = np.any([(ranks >> low & 0b1111) == 0b1111 for low in lowest], axis=0)
    pair = category == HandCategory.ONE_PAIR
    drawing = ~pair | (top < Rank.JACK)
    tests = (
        category >= HandCategory.STRAIGHT,
        category == HandCategory.THREE_OF_A_KIND,
        category == HandCategory.TWO_PAIR,
        drawing & suited,
        drawing & in_sequence,
        pair & (top >= Rank.KING),
        pair & (top >= Rank.JACK),
        pair,
        top == _ACE_HIGH,
    )
    return np.select(tests, range(len(tests)), len(tests))


@memoize()
def _group_of_finals() -> npt.NDArray[np.float64]:
    """Return 1 where a class of final hands belongs to a group: (groups, finals).

    No class contains hands of two groups, because its hands have the same main rank.
    """
    indices = np.zeros(class_count(), np.intp)
    for strength in STRENGTHS:
        indices[class_of_strength()[strength]] = FINAL_GROUPS.index(
            made_group(hand_rank_of(strength))
        )
    members: npt.NDArray[np.float64] = np.arange(len(FINAL_GROUPS))[:, None] == indices
    return members.astype(np.float64)
