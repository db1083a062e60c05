"""Heuristic EVs of choices in games that were not solved, by which weaker players choose.

With two or three opponents, or with stacks too short for all possible bets, each opponent is given
the range that the two-player solution has after the same draw and the same bets; the other players
are ignored. Opponents are treated as independent. They call a bet or a raise, or fold to it, as in
the solution, and nobody bets after that; a check or a call ends the betting. A player who plays by
these EVs can be exploited.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from msgspec import Struct

from ....engine.game import Seat
from ....gamekit.adviser import SURE_ERRORS
from ..machine.betting import ANTE, LIMITS
from ..machine.rules import allowed_draw_counts, every_discard
from ..machine.state import Action, Bet, Discard, Phase, Raise, State
from .equilibrium import blueprint
from .equilibrium.betting_tree import DEALER, FIRST, NODES
from .equilibrium.hand_buckets import NUMBERS, Floats
from .equilibrium.opponent_ranges import blueprint_ranges, node_by_name
from .equilibrium.traversal import DecisionPoint, state_shares
from .limit_choices import (
    ACTION_OF_LETTER,
    VALUE_ERRORS,
    LimitAdvice,
    LimitChoice,
    close_index_after_call,
    make_limit_advice,
    sort_by_value,
    usual_first,
)
from .odds import hold_mask
from .players import find_close_index
from .pot_odds import EvBasis, chips_for, winnable_chips

_MOST_BETS = 4
_CALL = 1
"""The index of a call among the acts of a player who faces a bet."""
_NAMES = {node.name for node in NODES}


class HeadsUpPair(Struct, frozen=True):
    """A seat and one of its opponents, treated as if nobody else were playing.

    ``position`` is the seat's position in that game, and ``decision`` is the name of its decision
    in the betting round.
    """

    other: int
    position: int
    close_index: int
    decision: str
    raiser: bool


def advise_heuristically(view: State, seat: Seat) -> LimitAdvice:
    """Estimate the EV of each choice of a seat."""
    pairs = _pairs(view, seat)
    if view.phase is Phase.DRAW:
        return _draw(view, seat, pairs, main_pair(view, seat))
    return _bets(view, seat, pairs, main_pair(view, seat))


def main_pair(view: State, seat: Seat) -> HeadsUpPair:
    """Return a seat and its main opponent: the one with the highest bet, or the next to act."""
    return max(_pairs(view, seat), key=lambda pair: _bet(view, pair.other))


def _pairs(view: State, seat: Seat) -> list[HeadsUpPair]:
    return [heads_up_pair(view, seat, other) for other in view.alive if other != seat]


def heads_up_pair(view: State, seat: int, other: int) -> HeadsUpPair:
    """Map a seat and an opponent to the two positions of the solved game."""
    position = FIRST if view.dealt_in.index(seat) < view.dealt_in.index(other) else DEALER
    bet_now = max(view.betting.bets) if view.betting else 0
    chips_before = 0 if view.phase is Phase.OPENING else max(view.put_in) - bet_now - ANTE
    seat_opened = view.opener == seat if view.opener in (seat, other) else True
    close_index = find_close_index(
        min(-(-chips_before // LIMITS[0]), _MOST_BETS), seat_opened == (position == FIRST)
    )
    name = ""
    if view.betting is not None:
        if not view.betting.opened:
            name = "" if position == FIRST else "k"
        else:
            dealer_opened = (view.betting.raises % 2 == 0) == (position == FIRST)
            name = ("kb" if dealer_opened else "b") + "r" * view.betting.raises
            if view.phase is Phase.OPENING:
                close_index = close_index_after_call(name)
    return HeadsUpPair(other, position, close_index, name, bet_now > 0 and _raiser(view) == other)


def _raiser(view: State) -> int:
    """Return the seat that bet or raised last; the others have acted since or have still to act."""
    assert view.betting is not None
    highest_bet, last = max(view.betting.bets), view.betting.pending[-1]
    start = view.dealt_in.index(last) + 1
    order = (*view.dealt_in[start:], *view.dealt_in[:start])
    return next(seat for seat in order if view.betting.bets[seat] == highest_bet)


def _bet(view: State, seat: int) -> int:
    return view.betting.bets[seat] if view.betting else 0


# ---- the draw ----------------------------------------------------------------------------------


def _draw(view: State, seat: Seat, pairs: Sequence[HeadsUpPair], main: HeadsUpPair) -> LimitAdvice:
    ranges, hand = blueprint_ranges(), view.hands[seat]
    first_drew = view.drawn[main.other] if main.position == DEALER else None
    frequencies, final_shares = (
        ranges.draw_frequencies(main.position, main.close_index, first_drew or 0, hand),
        ranges.final_shares(hand),
    )
    opponent_ranges: dict[int, list[Floats]] = {}
    win_chances: dict[int, Floats] = {}
    usual_discards = [
        blueprint.discard_positions(hand, number) for number in allowed_draw_counts(hand)
    ]
    choices = []
    pot = winnable_chips(view.put_in, seat, 0)
    for discards in every_discard(hand):
        number = len(discards)
        if number not in win_chances:
            opponent_ranges[number] = [opponent_finals(view, seat, pair, number) for pair in pairs]
            win_chances[number] = np.prod(
                [ranges.win_chances(each) for each in opponent_ranges[number]], axis=0
            )
        wins = float(final_shares[hold_mask(hand, discards)] @ win_chances[number])
        share = float(frequencies[number]) * (discards == usual_discards[number])
        choices.append(LimitChoice(Discard(discards), pot * wins, share))
    error = VALUE_ERRORS[EvBasis.ROUGH, Phase.DRAW] * view.pot
    best = usual_first(sort_by_value(choices), SURE_ERRORS * error)
    action = best[0].action
    assert isinstance(action, Discard)
    best_ranges = opponent_ranges[len(action.positions)]
    best_finals = final_shares[hold_mask(hand, action.positions)]
    return make_limit_advice(view, seat, best, best_finals, (), EvBasis.ROUGH, *best_ranges)


def opponent_finals(view: State, seat: int, pair: HeadsUpPair, draw_count: int | None) -> Floats:
    """Return the weights of an opponent's final hands at the start of the second round."""
    ranges, cards = blueprint_ranges(), (*view.hands[seat], *view.thrown[seat])
    own_drew, opponent_drew = (
        view.drawn[seat] if draw_count is None else draw_count,
        view.drawn[pair.other],
    )
    numbers = NUMBERS if opponent_drew is None else (opponent_drew,)
    total = sum(
        ranges.final_weights(1 - pair.position, (own_drew or 0, n, pair.close_index), cards)
        if pair.position == FIRST
        else ranges.final_weights(1 - pair.position, (n, own_drew or 0, pair.close_index), cards)
        for n in numbers
    )
    weights: Floats = np.asarray(total, np.float32)
    return weights


# ---- bets --------------------------------------------------------------------------------------


def _bets(view: State, seat: Seat, pairs: Sequence[HeadsUpPair], main: HeadsUpPair) -> LimitAdvice:
    ranges, hand, opening = blueprint_ranges(), view.hands[seat], view.phase is Phase.OPENING
    draw_count = view.drawn[seat]
    if opening:
        final_shares, draw_count = _best_draw_finals(view, seat, pairs)
        decision = DecisionPoint("opening", main.decision)
        state: tuple[int, ...] = (blueprint.bucket_of(hand),)
    else:
        final_shares = np.zeros(len(ranges.all_finals), np.float32)
        final_shares[ranges.final_of(hand)] = 1
        decision = DecisionPoint("closing", main.decision)
        state = (*draw_state(view, seat, main), ranges.final_of(hand))
    frequencies = state_shares(ranges.policies[main.position], decision, *state)
    opponent_ranges = [_betting_range(view, seat, pair, draw_count) for pair in pairs]
    shares = dict(zip(node_by_name(main.decision).acts, frequencies.tolist(), strict=True))
    choices = []
    for letter, share in shares.items():
        action = ACTION_OF_LETTER[letter]
        value = 0.0
        if isinstance(action, Bet | Raise):
            value = _raise_value(
                view, seat, action, [*zip(pairs, opponent_ranges, strict=True)], final_shares
            )
        elif letter != "f":
            chips = chips_for(action, view, seat)
            wins = float(
                final_shares
                @ np.prod([ranges.win_chances(each) for each in opponent_ranges], axis=0)
            )
            value = wins * winnable_chips(view.put_in, seat, chips) - chips
        choices.append(LimitChoice(action, value, share))
    rivals = () if opening else tuple(pair.other for pair in pairs)
    allowed = [choice for choice in choices if _is_real_raise(view, seat, choice.action)]
    return make_limit_advice(
        view, seat, sort_by_value(allowed), final_shares, rivals, EvBasis.ROUGH, *opponent_ranges
    )


def _best_draw_finals(view: State, seat: int, pairs: Sequence[HeadsUpPair]) -> tuple[Floats, int]:
    """Return the final hands after the draw that wins most often, and how many cards it draws.

    The solution's own draw cannot be used: it stands pat with hands that never reach this position.
    """
    ranges, hand = blueprint_ranges(), view.hands[seat]
    results = []
    for number in allowed_draw_counts(hand):
        final_shares = ranges.final_shares(hand)[
            hold_mask(hand, blueprint.discard_positions(hand, number))
        ]
        beats = [ranges.win_chances(_betting_range(view, seat, pair, number)) for pair in pairs]
        results.append((float(final_shares @ np.prod(beats, axis=0)), final_shares, number))
    _, final_shares, number = max(results, key=lambda one: one[0])
    return final_shares, number


def _is_real_raise(view: State, seat: int, action: Action) -> bool:
    """Return whether an action is possible: a raise must put in more than a call."""
    owes = view.betting.owes(seat) if view.betting else 0
    if not isinstance(action, Raise):
        return True
    others = any(view.stacks[other] for other in view.alive if other != seat)
    return others and chips_for(action, view, seat) > owes


def draw_state(view: State, seat: int, pair: HeadsUpPair) -> tuple[int, int, int]:
    """Return both players' draws, and how their first round is assumed to have closed."""
    own_drew, opponent_drew = view.drawn[seat] or 0, view.drawn[pair.other] or 0
    return (
        (own_drew, opponent_drew, pair.close_index)
        if pair.position == FIRST
        else (opponent_drew, own_drew, pair.close_index)
    )


def _betting_range(view: State, seat: int, pair: HeadsUpPair, draw_count: int | None) -> Floats:
    weights = opponent_finals(view, seat, pair, draw_count)
    if view.phase is Phase.OPENING or not _bet(view, pair.other):
        return weights
    state, opponent = draw_state(view, seat, pair), 1 - pair.position
    if pair.raiser:
        return blueprint_ranges().closing_reach(opponent, state, weights)[pair.decision]
    facing = DecisionPoint("closing", "kb" if opponent == FIRST else "b")
    calls: Floats = weights * blueprint_ranges().opponent_round(opponent, state)[facing][_CALL]
    return calls


def _raise_value(
    view: State,
    seat: int,
    action: Action,
    opponents: Sequence[tuple[HeadsUpPair, Floats]],
    final_shares: Floats,
) -> float:
    """Return the EV of a bet or a raise, if the callers show their hands without another bet."""
    ranges = blueprint_ranges()
    chips = chips_for(action, view, seat)
    answers = [
        _call_chance_and_range(view, seat, action, pair, weights) for pair, weights in opponents
    ]
    total = 0.0
    for calling in product((False, True), repeat=len(answers)):
        share = float(
            np.prod([c if y else 1 - c for y, (c, _) in zip(calling, answers, strict=True)])
        )
        callers = [pair.other for y, (pair, _) in zip(calling, opponents, strict=True) if y]
        level = view.put_in[seat] + chips
        put_in = tuple(
            min(max(paid, level), paid + stack) if other in (*callers, seat) else paid
            for other, (paid, stack) in enumerate(zip(view.put_in, view.stacks, strict=True))
        )
        beats = [
            ranges.win_chances(each) for y, (_, each) in zip(calling, answers, strict=True) if y
        ]
        wins = float(final_shares @ np.prod(beats, axis=0)) if beats else 1.0
        total += share * (wins * winnable_chips(put_in, seat, 0) - chips)
    return total


def _call_chance_and_range(
    view: State, seat: int, action: Action, pair: HeadsUpPair, weights: Floats
) -> tuple[float, Floats]:
    """Return how often an opponent stays in, and its range of hands if it does."""
    ranges, opponent = blueprint_ranges(), 1 - pair.position
    name = pair.decision + ("b" if isinstance(action, Bet) else "r")
    if not view.stacks[pair.other] or name not in _NAMES:
        return 1.0, weights
    if view.phase is Phase.OPENING:
        reach = ranges.opening_reach(opponent, view.hands[seat])[name]
        folds = float(
            ranges.opponent_policy(opponent)[DecisionPoint("opening", name)][0]
            @ reach
            / reach.sum()
        )
        own_drew = int(
            ranges.draw_frequencies(pair.position, pair.close_index, 0, view.hands[seat]).argmax()
        )
        next_pair = HeadsUpPair(pair.other, pair.position, close_index_after_call(name), name, True)
        return 1 - folds, opponent_finals(view, seat, next_pair, own_drew)
    policy = ranges.opponent_round(opponent, draw_state(view, seat, pair))
    staying = weights * (1 - policy[DecisionPoint("closing", name)][0])
    return float(staying.sum() / weights.sum()), staying
