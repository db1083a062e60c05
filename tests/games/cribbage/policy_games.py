"""Deals and games between two players with the documented policy, simulated one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.build_data.cribbage.win_chances import shuffled
from tui_casino.cards.card import PACK, Card
from tui_casino.engine.game import Deal, Seat, Shoe
from tui_casino.engine.monte_carlo import seeded_generator
from tui_casino.games.cribbage.brains.bulk_play import PlayedDeals, play_deals
from tui_casino.games.cribbage.brains.discards import shipped_frequencies, weigh
from tui_casino.games.cribbage.brains.play_policy import policy_for
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores
from tui_casino.games.cribbage.machine.state import (
    Action,
    Discard,
    Go,
    Lay,
    Next,
    Options,
    Phase,
    Scored,
    State,
)

AT_ONCE = 1 << 13


def by_the_machine(pack: list[Card]) -> Iterator[tuple[str, int, int]]:
    """Play a deal by the game's rules; yield part, seat and points of each score.

    The pack begins with the six cards of each seat, pone first, and the starter.
    """
    state = game.step(game.start(Options()), None, Shoe(len(pack))).state
    for pair in zip(pack[:6], pack[6:12], strict=True):
        for card in pair:
            state = game.step(state, None, Deal(card)).state
    step = game.step(state, Seat(0), _throw(state, 0))
    step = game.step(step.state, Seat(1), _throw(step.state, 1))
    step = game.step(step.state, None, Deal(pack[12]))
    while True:
        for event in step.events:
            if isinstance(event, Scored):
                yield event.part.value, event.seat, event.points
        state = step.state
        if state.phase is Phase.REST:
            return
        if state.phase is Phase.SHOW:
            step = game.step(state, Seat(state.waiting[0]), Next())
        else:
            step = game.step(state, Seat(state.player), _lay(state))


def _throw(state: State, seat: int) -> Action:
    dealer, hand = seat == state.dealer, state.hands[seat]
    gone = weigh(hand, dealer, ACC, shipped_frequencies().weights_against(dealer))[0].discard
    return Discard(tuple(sorted(hand.index(card) + 1 for card in gone)))


def _lay(state: State) -> Action:
    seat = state.player
    able = state.playable(seat)
    if not able:
        return Go()
    ranks = tuple(sorted(card.rank - 1 for card in able))
    laid = tuple(card.rank - 1 for card in state.segment)
    best = policy_for(ACC).choose(ranks, laid, len(state.unplayed(1 - seat)))
    card = next(card for card in able if card.rank - 1 == best)
    return Lay(state.hands[seat].index(card) + 1)


def counted(deals: PlayedDeals, number: int, starter: Card) -> Iterator[tuple[str, int, int]]:
    """Yield the scores of a deal with a starter, in order: part, seat (dealer: 1), points."""
    if starter.rank.letter == "J":
        yield "starter", 1, 2
    for points in deals.events[:, number].tolist():
        if points:
            yield "play", int(points < 0), abs(points)
    for part, seat, cards in (
        ("hand", 0, deals.pone[number]),
        ("hand", 1, deals.dealer[number]),
        ("crib", 1, deals.crib[number]),
    ):
        hand = tuple(PACK[card] for card in cards)
        yield part, seat, points_of(show_scores(hand, starter, ACC, part == "crib"))


def games_won(dealer: int, pone: int, games: int, seed: int) -> int:
    """Play games from a score simultaneously; count the games that the first dealer wins."""
    scores = [[dealer, pone] for _ in range(games)]  # the first dealer's, the other's
    deals_first, won, running, block = True, 0, list(range(games)), 0
    start = seeded_generator(seed)
    while running:
        on = []
        for begin in range(0, len(running), AT_ONCE):
            some = running[begin : begin + AT_ONCE]
            packs = shuffled(start.jumped(block), len(some))
            block += 1
            deals = play_deals(packs)
            for number, which in enumerate(some):
                starter = PACK[int(deals.undealt[number, 0])]
                winner = _deal(scores[which], deals_first, counted(deals, number, starter))
                won += winner == 0
                if winner is None:
                    on.append(which)
        running, deals_first = on, not deals_first
    return won


def _deal(scores: list[int], first_deals: bool, told: Iterator[tuple[str, int, int]]) -> int | None:
    for _, seat, points in told:
        who = 1 - seat if first_deals else seat  # seat 1 deals; who is 0 for the first dealer
        scores[who] += points
        if scores[who] >= ACC.target:
            return who
    return None


def ordered(packs: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> list[list[Card]]:
    return [[PACK[card] for card in pack] for pack in packs.tolist()]
