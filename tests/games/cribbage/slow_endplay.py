"""A second, slow solution of the rest of the play, written only from the documents.

To find the possible hands of the opponent, it checks by the rules whether the play so far was
possible with each hand. Scores, policy and search are independent code.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from random import Random
from typing import TypeAlias

from msgspec import Struct

from tui_casino.cards.card import PACK, Card, Hand
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.state import Action, Go, Lay, Options, Phase, State
from tui_casino.structs import replace

Ranks: TypeAlias = tuple[int, ...]
Worlds: TypeAlias = dict[Ranks, int]


def begun(random: Random) -> State:
    """Deal and discard at random, up to the play."""
    cards = random.sample(PACK, 13)
    hands = tuple(sorted(cards[:4])), tuple(sorted(cards[4:8]))
    discards = tuple(sorted(cards[8:10])), tuple(sorted(cards[10:12]))
    dealer = random.randrange(2)
    return State(
        Options(), Phase.PLAY, dealer, hands=hands, discards=discards, starter=cards[12],
        player=1 - dealer,
    )  # fmt: skip


def some_position(random: Random) -> tuple[State, list[Action], State]:
    """Play at random up to a choice; return the first state, the actions, and the last state."""
    while True:
        start = state = begun(random)
        way: list[Action] = []
        moments: list[tuple[int, State]] = []
        while state.phase is Phase.PLAY:
            able = state.playable(state.player)
            if len({card.rank for card in able}) > 1:
                moments.append((len(way), state))
            way.append(_one_of(random, state, able))
            state = game.step(state, Seat(state.player), way[-1]).state
        if moments:
            length, found = random.choice(moments)
            return start, way[:length], found


def _one_of(random: Random, state: State, able: Hand) -> Action:
    return Lay(state.hands[state.player].index(random.choice(able)) + 1) if able else Go()


def may_hold(start: State, way: list[Action], end: State) -> Worlds:
    """Return the possible hands of the opponent by rank, each with its number of ways."""
    seat, other = end.player, 1 - end.player
    known = {*end.hands[seat], *end.discards[seat], end.starter, *(p.card for p in end.laid)}
    left = [card for card in PACK if card not in known]
    laid = tuple(placed.card for placed in end.laid if placed.seat == other)
    worlds: Worlds = {}
    copies = {rank: sum(card.rank == rank for card in left) for rank in range(1, 14)}
    for ranks in combinations_with_replacement(range(1, 14), 4 - len(laid)):
        ways = 1
        for rank in set(ranks):
            ways *= comb(copies[rank], ranks.count(rank))
        if ways and _agrees(start, way, end, (*laid, *_cards_of(ranks, left))):
            worlds[ranks] = ways
    return worlds


def _cards_of(ranks: Ranks, left: list[Card]) -> Iterator[Card]:
    for rank in set(ranks):
        yield from [card for card in left if card.rank == rank][: ranks.count(rank)]


def _agrees(start: State, way: list[Action], end: State, his: Hand) -> bool:
    """Return whether the play was possible if the opponent had this hand."""
    other = 1 - end.player
    hands = (start.hands[0], his) if other else (his, start.hands[1])
    state = replace(start, hands=hands)
    laid = iter([placed.card for placed in end.laid if placed.seat == other])
    for action in way:
        if state.phase is not Phase.PLAY:
            return False
        does = Lay(his.index(next(laid)) + 1) if _lays(state, other, action) else action
        if not any(offer.kind is type(does) for offer in game.offers(state, Seat(state.player))):
            return False
        state = game.step(state, Seat(state.player), does).state
    return (state.laid, state.player, state.go, state.begun) == (
        end.laid, end.player, end.go, end.begun,
    )  # fmt: skip


def _lays(state: State, other: int, action: Action) -> bool:
    return state.player == other and isinstance(action, Lay)


# ---- scores and policy, by rank ----------------------------------------------------------------


def count(ranks: Ranks) -> int:
    return sum(min(rank, 10) for rank in ranks)


@lru_cache(1 << 20)
def scored(laid: Ranks) -> int:
    """Return the score for the last of these cards."""
    points = 2 if count(laid) in (15, 31) else 0
    alike = next((n for n, rank in enumerate(laid[::-1]) if rank != laid[-1]), len(laid))
    points += alike * (alike - 1)
    for size in range(len(laid), 2, -1):
        end = sorted(laid[len(laid) - size :])
        if end == list(range(end[0], end[0] + size)):
            return points + size
    return points


@lru_cache(1 << 20)
def policy(able: Ranks, laid: Ranks, held: int) -> int:
    """Return the card with the most points now minus the expected reply; of equals, the highest."""

    def worth(card: int) -> Fraction:
        then = (*laid, card)
        answers = sum(
            (4 - then.count(rank)) * scored((*then, rank))
            for rank in range(1, 14)
            if then.count(rank) < 4 and count(then) + min(rank, 10) <= 31
        )
        return scored(then) - Fraction(held * answers, 52)

    return max(able, key=lambda card: (worth(card), card))


# ---- the search --------------------------------------------------------------------------------


class Spot(Struct, frozen=True):
    """My cards, the cards on the table, who played last, who said go, whose turn it is (me: 0)."""

    mine: Ranks
    laid: Ranks
    last: int | None
    gone: frozenset[int]
    turn: int


def exact(spot: Spot, worlds: Worlds, card: int, best: bool) -> Fraction:
    """Return the mean of my points minus the opponent's if I play this card.

    After that, the opponent plays by the policy. I play in the best way if ``best``, otherwise also
    by the policy.
    """
    return Fraction(_laid(spot, worlds, card, best), sum(worlds.values()))


def _laid(spot: Spot, worlds: Worlds, card: int, best: bool) -> int:
    """Return the value after the player to act plays a card; the worlds no longer contain it."""
    sign = -1 if spot.turn else 1
    laid = (*spot.laid, card)
    ways = sum(worlds.values())
    won = sign * scored(laid) * ways
    mine = spot.mine
    if spot.turn == 0:
        mine = tuple(sorted(mine[: mine.index(card)] + mine[mine.index(card) + 1 :]))
    if count(laid) == 31:
        return won + _value(Spot(mine, (), None, frozenset(), 1 - spot.turn), worlds, best)
    turn = spot.turn if 1 - spot.turn in spot.gone else 1 - spot.turn
    return won + _value(Spot(mine, laid, spot.turn, spot.gone, turn), worlds, best)


def _value(spot: Spot, worlds: Worlds, best: bool) -> int:
    ways = sum(worlds.values())
    if not spot.mine and all(not held for held in worlds):
        return 0 if spot.last is None else (-ways if spot.last else ways)
    if spot.turn == 0:
        able = tuple(rank for rank in spot.mine if count(spot.laid) + min(rank, 10) <= 31)
        if not able:
            return _passed(spot, worlds, best)
        if best:
            return max(_laid(spot, worlds, card, best) for card in set(able))
        his = len(next(iter(worlds)))
        return _laid(spot, worlds, policy(able, spot.laid, his), best)
    acts: dict[int | None, Worlds] = {}
    for held, part in worlds.items():
        fits = tuple(rank for rank in held if count(spot.laid) + min(rank, 10) <= 31)
        act = policy(fits, spot.laid, len(spot.mine)) if fits else None
        rest = list(held)
        if act is not None:
            rest.remove(act)
        acts.setdefault(act, {})[tuple(rest)] = part
    return sum(
        _passed(spot, then, best) if act is None else _laid(spot, then, act, best)
        for act, then in acts.items()
    )


def _passed(spot: Spot, worlds: Worlds, best: bool) -> int:
    """Return the value after a go: the opponent continues, or the count restarts."""
    gone = spot.gone | {spot.turn}
    if len(gone) < 2:
        return _value(Spot(spot.mine, spot.laid, spot.last, gone, 1 - spot.turn), worlds, best)
    ways = sum(worlds.values())
    one = -ways if spot.last else ways
    return one + _value(Spot(spot.mine, (), None, frozenset(), 1 - spot.turn), worlds, best)
