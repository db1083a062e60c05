"""Solve the last betting round between two players, if the solution does not cover it.

This is the case if other players have folded, or if a stack is too short for all possible bets. The
two players' ranges at the start of the round come from :mod:`.heuristic_ev`. From there the round
is a game of its own, with the actual stacks. It is solved by regret matching (`regret_matching`)
over the classes of final hands; pairs of classes are weighted by the card-removal kernel. The
advice is only as accurate as the two ranges; the solution of the round itself is nearly exact.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec import Struct

from ....cards.memo import memoize
from ....engine.game import Seat
from ....structs import replace
from ..machine.betting import LIMITS, MOST_RAISES, Betting, pots_of
from ..machine.state import Phase, State
from .equilibrium.betting_tree import DEALER, FIRST
from .equilibrium.hand_buckets import Floats
from .equilibrium.opponent_ranges import blueprint_ranges
from .equilibrium.traversal import DrawState as Drawn
from .heuristic_ev import draw_state, heads_up_pair, opponent_finals
from .limit_choices import (
    ACTION_OF_LETTER,
    LimitAdvice,
    LimitChoice,
    make_limit_advice,
    sort_by_value,
)
from .pot_odds import EvBasis
from .regret_matching import SubgameDecision, SubgameEnd, SubgameNode, solve_subgame

CACHE_SIZE = 256
"""The number of cached solutions, about 40 KB each.

Rounds with the same pot and the same numbers of cards drawn share a solution. In 250 sessions
against three opponents, about two hundred different solutions were needed.
"""


class ChipState(Struct, frozen=True):
    """The betting, the stacks and the pot at one point of the round."""

    betting: Betting
    stacks: tuple[int, ...]
    put_in: tuple[int, ...]


class RoundSolution(Struct, frozen=True):
    """A solved round: for each decision, the frequency of each act with each final hand."""

    root: SubgameDecision
    policy: tuple[Floats, ...]


def fits_round(view: State) -> bool:
    """Return whether exactly two players are in the last round, and its actions can be inferred."""
    return view.phase is Phase.CLOSING and len(view.alive) == 2 and _acts_so_far(view) is not None


def advise_last_round(view: State, seat: Seat) -> LimitAdvice:
    """Return the advice for a seat's bet, in about 50 ms; :func:`fits_round` must be true."""
    path = _acts_so_far(view)
    assert path is not None
    ranges, hand, two = blueprint_ranges(), view.hands[seat], _players_of(view)
    (other,) = (each for each in view.alive if each != seat)
    pair, player = heads_up_pair(view, seat, other), two.index(seat)
    root = grow_tree(_round_start(view), two)
    assert isinstance(root, SubgameDecision)
    solution = _solution(root, draw_state(view, seat, pair))
    weights = opponent_finals(view, seat, pair, view.drawn[seat])
    own = ranges.final_of(hand)
    node: SubgameNode = solution.root
    for letter in path:
        assert isinstance(node, SubgameDecision)
        act = node.acts.index(letter)
        if node.player != player:
            weights = weights * solution.policy[node.number][act]
        node = node.children[act]
    assert isinstance(node, SubgameDecision)
    paid = view.betting.bets[seat] if view.betting else 0
    total = float(weights.sum())
    choices = []
    for act, letter in enumerate(node.acts):
        value = 0.0
        if letter != "f":
            value = _value(node.children[act], player, own, weights, solution.policy) / total + paid
        choices.append(
            LimitChoice(
                ACTION_OF_LETTER[letter], value, float(solution.policy[node.number][act][own])
            )
        )
    final_shares = np.zeros(len(weights), np.float32)
    final_shares[own] = 1
    return make_limit_advice(
        view, seat, sort_by_value(choices), final_shares, (other,), EvBasis.LAST_ROUND, weights
    )


def _value(
    node: SubgameNode, player: int, own: int, weights: Floats, policy: tuple[Floats, ...]
) -> float:
    """Return the value of a player's final hand against the weighted hands of the other player."""
    if isinstance(node, SubgameEnd):
        wins = float(weights[:own].sum() + weights[own] / 2)
        return wins * node.if_better[player] + (float(weights.sum()) - wins) * node.if_worse[player]
    shares, acts = policy[node.number], range(len(node.acts))
    if node.player == player:
        return sum(
            float(shares[act][own]) * _value(node.children[act], player, own, weights, policy)
            for act in acts
            if shares[act][own]
        )
    return sum(
        _value(node.children[act], player, own, weights * shares[act], policy) for act in acts
    )


# ---- the table ---------------------------------------------------------------------------------


def _players_of(view: State) -> tuple[int, int]:
    """Return the two players in the order in which they act."""
    first, second = (seat for seat in view.dealt_in if seat in view.alive)
    return first, second


def _acts_so_far(view: State) -> str | None:
    """Return the two players' acts in this round, or ``None`` if no acts lead to these bets."""
    betting = view.betting
    if betting is None or not betting.pending:
        return None
    players = _players_of(view)
    player = players.index(betting.pending[0]) if betting.pending[0] in players else 0
    path = "k" * player
    if betting.opened:
        opener = (betting.raises + 1 + player) % 2
        path = "k" * opener + "b" + "r" * betting.raises
    chips = _round_start(view)
    node: SubgameNode = grow_tree(chips, players)
    for letter in path:
        if not isinstance(node, SubgameDecision) or letter not in node.acts:
            return None
        chips = _chips_after(chips, players, letter)
        node = node.children[node.acts.index(letter)]
    is_decision = isinstance(node, SubgameDecision) and players[node.player] == betting.pending[0]
    return path if is_decision and chips.betting.bets == betting.bets else None


def _round_start(view: State) -> ChipState:
    """Return the chips as they were at the start of this round."""
    assert view.betting is not None
    bets = view.betting.bets
    pending = tuple(seat for seat in _players_of(view) if view.stacks[seat] + bets[seat])
    stacks = tuple(map(sum, zip(view.stacks, bets, strict=True)))
    put_in = tuple(paid - bet for paid, bet in zip(view.put_in, bets, strict=True))
    return ChipState(Betting(LIMITS[1], (0,) * len(bets), pending), stacks, put_in)


def _chips_after(chips: ChipState, players: tuple[int, int], letter: str) -> ChipState:
    """Return the chips after the next player has checked, bet, called or raised."""
    seat = chips.betting.pending[0]
    other = players[1 - players.index(seat)]
    owes, size = chips.betting.owes(seat), chips.betting.size
    wanted = {"k": 0, "b": size, "c": owes, "r": owes + size}[letter]
    paid = min(chips.stacks[seat], wanted)
    answers = (other,) if chips.stacks[other] else ()
    betting = chips.betting.puts(paid, answers) if paid else chips.betting.passes()
    return ChipState(betting, _plus(chips.stacks, seat, -paid), _plus(chips.put_in, seat, paid))


def _plus(values: tuple[int, ...], seat: int, chips: int) -> tuple[int, ...]:
    return tuple(value + chips * (place == seat) for place, value in enumerate(values))


@lru_cache(maxsize=64)  # the same round is usually asked for several times
def grow_tree(chips: ChipState, players: tuple[int, int]) -> SubgameNode:
    """Build the tree of a round from the chips at its start."""
    return _grow(chips, players, [0, 0])


def _grow(chips: ChipState, players: tuple[int, int], numbers: list[int]) -> SubgameNode:
    """Build the tree below a state, and number its decisions and ends consecutively."""
    betting = chips.betting
    if not betting.pending:
        return _end(chips, players, players, numbers)
    seat = betting.pending[0]
    player = players.index(seat)
    owes = betting.owes(seat)
    acts = "kb"
    if owes:
        may_raise = betting.raises < MOST_RAISES and chips.stacks[seat] > owes
        acts = "fcr" if may_raise and chips.stacks[players[1 - player]] else "fc"
    number = numbers[0]
    numbers[0] += 1
    children: list[SubgameNode] = []
    for letter in acts:
        if letter == "f":
            folded = replace(chips, betting=betting.passes())
            children.append(_end(folded, players, (players[1 - player],), numbers))
        else:
            children.append(_grow(_chips_after(chips, players, letter), players, numbers))
    return SubgameDecision(number, player, acts, tuple(children))


def _end(
    chips: ChipState, players: tuple[int, int], alive: tuple[int, ...], numbers: list[int]
) -> SubgameEnd:
    """Share out the pots at an end of the round, for the better and for the worse hand."""
    number = numbers[1]
    numbers[1] += 1
    paid = [chips.betting.bets[seat] for seat in players]
    if len(alive) == 1:
        winnings = tuple(sum(chips.put_in) * (seat in alive) for seat in players)
        won = (winnings[0] - paid[0], winnings[1] - paid[1])
        return SubgameEnd(number, won, won)
    pots = pots_of(chips.put_in, alive)
    if_better = [sum(pot.credits for pot in pots if seat in pot.seats) for seat in players]
    if_worse = [sum(pot.credits for pot in pots if pot.seats == (seat,)) for seat in players]
    return SubgameEnd(
        number,
        (if_better[0] - paid[0], if_better[1] - paid[1]),
        (if_worse[0] - paid[0], if_worse[1] - paid[1]),
    )


@memoize(maxsize=CACHE_SIZE)
def _solution(root: SubgameDecision, drawn: Drawn) -> RoundSolution:
    ranges = blueprint_ranges()
    reach = ranges.second_round_reach[FIRST][drawn], ranges.second_round_reach[DEALER][drawn]
    return RoundSolution(root, solve_subgame(root, reach, ranges.final_kernel(drawn)))
