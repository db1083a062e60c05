"""Solve the last round of bets between two, for positions that the solution does not cover.

Others may have folded, a stack may be too short for all possible bets, or both. The ranges of the
two as the round begins come from :mod:`.heuristic_ev`. From there on the round is a game of its
own, with the chips as they are. It is solved by regret matching (`regret_matching`) over the
classes of final hands, with pairs of them weighed by the kernel of the cards that are gone. The
answer is as good as those two ranges; the round itself is all but exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ....cards.memo import memoize
from ....engine.game import Seat
from ..machine.betting import MOST_RAISES, Betting, pots_of
from ..machine.state import LIMITS, Phase, State
from .equilibrium.betting_tree import DEALER, FIRST
from .equilibrium.hand_buckets import Floats
from .equilibrium.opponent_ranges import blueprint_ranges
from .equilibrium.second_round_values import DrawState as Drawn
from .ev_basis import EvBasis
from .heuristic_ev import draw_state, heads_up_pair, opponent_finals
from .limit_choices import (
    ACTION_OF_LETTER,
    LimitAdvice,
    LimitChoice,
    make_limit_advice,
    sort_by_value,
)
from .regret_matching import SubgameDecision, SubgameEnd, SubgameNode, solve_subgame

CACHE_SIZE = 256
"""Solutions that are kept, of some 40 KB: rounds with the same chips in the pot, in which both drew
as many, are one and the same. 250 sittings against three had some two hundred of them."""


@dataclass(frozen=True, slots=True)
class ChipState:
    """What lies where in the course of the round."""

    betting: Betting
    stacks: tuple[int, ...]
    put_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundSolution:
    """The round as it is solved: how often each act is chosen with each final, by decision."""

    root: SubgameDecision
    policy: tuple[Floats, ...]


def fits_round(view: State) -> bool:
    """Tell whether two play the last round of bets alone, from its beginning."""
    return view.phase is Phase.CLOSING and len(view.alive) == 2 and _acts_so_far(view) is not None


def advise_last_round(view: State, seat: Seat) -> LimitAdvice:
    """Weigh the bets of a seat; :func:`fits_round` must hold. Takes a twentieth of a second."""
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
    """Give what a final of one player's wins, the other's being met so often."""
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
    """Give the two in the order in which they act."""
    first, second = (seat for seat in view.dealt_in if seat in view.alive)
    return first, second


def _acts_so_far(view: State) -> str | None:
    """Say what the two did in this round; ``None`` if that is not how it came to where it is."""
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
    """Take back what was bet in this round."""
    assert view.betting is not None
    bets = view.betting.bets
    pending = tuple(seat for seat in _players_of(view) if view.stacks[seat] + bets[seat])
    stacks = tuple(map(sum, zip(view.stacks, bets, strict=True)))
    put_in = tuple(paid - bet for paid, bet in zip(view.put_in, bets, strict=True))
    return ChipState(Betting(LIMITS[1], (0,) * len(bets), pending), stacks, put_in)


def _chips_after(chips: ChipState, players: tuple[int, int], letter: str) -> ChipState:
    """Let who is to act check, bet, call or raise."""
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


@lru_cache(maxsize=64)  # who asks for a round asks some times
def grow_tree(chips: ChipState, players: tuple[int, int]) -> SubgameNode:
    """Grow the tree of a round from what lies there."""
    return _grow(chips, players, [0, 0])


def _grow(chips: ChipState, players: tuple[int, int], numbers: list[int]) -> SubgameNode:
    """Grow the tree below a moment; decisions and ends are numbered as they come."""
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
    """Share the pots out, to the better hand and to the other."""
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
