"""Rounds from an infinite shoe, by the game's own machine and by a much faster simple program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from tests.games.thirty_one.simple_rules import counted, dealer_stops
from tui_casino.cards.card import RANKS, Card, Rank, Suit
from tui_casino.engine.game import AskSeats, Deal, NeedCard, NeedShoe, Shoe
from tui_casino.games.thirty_one.brains.odds import (
    HandInPlay,
    PerfectPlay,
    PlayerChoice,
    insurance_value,
)
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import VALUES, Rules, Total, may_split, payout
from tui_casino.games.thirty_one.machine.state import (
    Action,
    Bet,
    Decline,
    Double,
    Hit,
    Insure,
    Options,
    Phase,
    RoundOver,
    Split,
    Stand,
    State,
)

BET = 100
CENTS = 100 * BET

MOVES: dict[PlayerChoice, Action] = {
    PlayerChoice.HIT: Hit(),
    PlayerChoice.STAND: Stand(),
    PlayerChoice.DOUBLE: Double(),
    PlayerChoice.SPLIT: Split(),
}


def endless(seed: str) -> Iterator[Rank]:
    random = Random(seed)
    while True:
        yield from random.choices(RANKS, k=1000)


class Best:
    """Plays by the exact EVs of the infinite shoe."""

    def __init__(self, rules: Rules, *, double: bool = True, split: bool = True) -> None:
        @cache
        def play(up: int, insured: bool) -> PerfectPlay:
            return PerfectPlay(rules, up, double=double, split=split, insured=insured)

        @cache
        def choice(up: int, insured: bool, holding: HandInPlay) -> PlayerChoice:
            values = play(up, insured).values(holding)
            return max(values, key=lambda choice: values[choice])

        self.choice = choice
        self.insures = {first: insurance_value(rules, first) > 0 for first in range(1, 11)}


# ---- the machine -----------------------------------------------------------------------------


def machine_rounds(
    rules: Rules, ranks: Iterator[Rank], decide: Callable[[State], Action]
) -> Iterator[RoundOver]:
    """Play one round after another, each with a full shoe and the full credit."""
    options = Options(rules, credit=100 * CENTS)
    while True:
        state = game.start(options)
        over = None
        while over is None:
            match game.turn(state):
                case NeedShoe():
                    step = game.step(state, None, Shoe(10**6))
                case NeedCard():
                    step = game.step(state, None, Deal(Card(next(ranks), Suit.CLUBS)))
                case AskSeats():
                    betting = state.phase is Phase.BET
                    step = game.step(state, game.PLAYER, Bet(BET) if betting else decide(state))
                case ended:
                    raise AssertionError(ended)
            state = step.state
            over = next((event for event in step.events if isinstance(event, RoundOver)), None)
        yield over


def by_the_dealers_rule(state: State) -> Action:
    """Draw to 27, stop on 14, hit a soft 27; never insure."""
    if state.phase is Phase.INSURANCE:
        return Decline()
    assert state.active is not None
    total = state.hands[state.active].total
    stops = total.points == 14 or total.points > 27 or (total.points == 27 and not total.soft)
    return Stand() if stops else Hit()


def by_the_best_play(rules: Rules, best: Best) -> Callable[[State], Action]:
    def decide(state: State) -> Action:
        up = VALUES[state.dealer[0].rank]
        if state.phase is Phase.INSURANCE:
            return Insure() if best.insures[VALUES[state.hands[0].cards[0].rank]] else Decline()
        assert state.active is not None
        hand, several = state.hands[state.active], len(state.hands)
        pair = may_split(hand.cards, several, rules)
        insured = state.insurance > 0 and not any(other.on_14 for other in state.hands)
        return MOVES[
            best.choice(up, insured, HandInPlay(hand.total, len(hand.cards), pair, several))
        ]

    return decide


# ---- the same, plainly -----------------------------------------------------------------------


def gains(rules: Rules, ranks: Iterator[Rank], best: Best) -> Iterator[float]:
    """Play one round after another with perfect play; return the gain of each bet of 1."""
    returned = 1 + rules.insurance.paid / rules.insurance.staked
    while True:
        first, up = next(ranks), VALUES[next(ranks)]
        insured = up == 1 and best.insures[VALUES[first]]
        hands = _played(rules, ranks, best, first, up, insured)
        live = {on_14 for total, _, on_14 in hands if not total.bust}
        finals = {}
        drawn = [up]
        for on_14 in sorted(live or ({False} if insured else set())):
            while not dealer_stops(tuple(drawn), rules.dealer_hits_soft, on_14):
                drawn.append(VALUES[next(ranks)])
            finals[on_14] = counted(drawn)[0]
        gain = 0.0
        for total, bet, on_14 in hands:
            back = 0 if total.bust else payout(bet, total.points, finals[on_14], on_14=on_14)
            gain += back - bet
        if insured:
            gain += returned * (counted(drawn)[0] == 31) - 1
        yield gain


def _played(
    rules: Rules, ranks: Iterator[Rank], best: Best, first: Rank, up: int, insured: bool
) -> list[tuple[Total, int, bool]]:
    waiting = [[first]]
    done: list[tuple[Total, int, bool]] = []
    while waiting:
        cards, bet, on_14 = waiting[0], 1, False
        while not on_14 and bet == 1 and total_of(cards).points < 31:
            several = len(done) + len(waiting)
            pair = may_split(tuple(Card(r, Suit.CLUBS) for r in cards), several, rules)
            total = total_of(cards)
            bonus = insured and not any(before for _, _, before in done)
            choice = best.choice(up, bonus, HandInPlay(total, len(cards), pair, several))
            if choice is PlayerChoice.SPLIT:
                waiting[:1] = [[cards[0], next(ranks)], [cards[1], next(ranks)]]
                cards = waiting[0]
                continue
            if choice is PlayerChoice.STAND:
                on_14 = total.points == 14
                break
            cards.append(next(ranks))
            if choice is PlayerChoice.DOUBLE:
                bet, on_14 = 2, total_of(cards).points == 14
        done.append((total_of(cards), bet, on_14))
        waiting.pop(0)
    return done


def total_of(ranks: list[Rank]) -> Total:
    total = Total(0)
    for rank in ranks:
        total = total.plus(VALUES[rank])
    return total
