"""Hands of the limit table played again by pokerkit, under its own rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pokerkit import Automation, Deck, Opening, Street
from pokerkit.games import Draw, FixedLimitPokerMixin
from pokerkit.hands import StandardHighHand
from pokerkit.notation import parse_action

from tests.games.five_card_draw.test_game import LIMIT
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import Hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.event_bus import ALL_CARDS
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.levels import PLAYERS
from tui_casino.games.five_card_draw.machine.betting import LIMITS
from tui_casino.games.five_card_draw.machine.state import (
    Acted,
    CardDealt,
    Discarded,
    Event,
    HandBegun,
    HandOver,
    HandShown,
    Options,
    State,
)

BETS = 4
"""The most bets of a round: a bet and three raises."""
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class FiveCardDraw(FixedLimitPokerMixin, Draw):
    """The game in pokerkit's terms, with an ante and the limits of this table."""

    deck = Deck.STANDARD
    hand_types = (StandardHighHand,)
    hole_dealing_count = 5

    def __init__(self, ante: int) -> None:
        low, high = LIMITS
        streets = (
            Street(False, (False,) * 5, 0, False, Opening.POSITION, low, BETS),
            Street(False, (), 0, True, Opening.POSITION, high, BETS),
        )
        super().__init__(AUTOMATIONS, streets, True, ante, 0, 0)


Moment = tuple[State, tuple[Event, ...]]


def hands_of(moments: list[Moment]) -> Iterator[tuple[list[int], list[Event], State]]:
    """Yield the chips of each hand's seats before the ante, its events, and the state after it."""
    stacks: list[int] = []
    hand: list[Event] = []
    for state, events in moments:
        for event in events:
            if isinstance(event, HandBegun):
                stacks = [state.stacks[seat] + state.put_in[seat] for seat in event.seats]
                hand = []
            hand.append(event)
            if isinstance(event, HandOver):
                yield stacks, hand, state


def final_stacks(stacks: list[int], hand: list[Event]) -> list[int]:
    """Return the chips after pokerkit has played the hand, by seat in the order of the deal.

    There all players discard before anybody draws, so draws follow the discards.
    """
    begun = hand[0]
    assert isinstance(begun, HandBegun)
    table: Any = FiveCardDraw(begun.ante)(stacks, len(stacks))
    dealt: dict[int, list[Any]] = {seat: [] for seat in begun.seats}
    before: list[str] = []
    discards: list[str] = []
    after: list[str] = []
    bets = dict.fromkeys(begun.seats, 0)
    for event in hand:
        match event:
            case CardDealt(seat, card):
                dealt[seat].append(card)
            case Discarded(seat, cards):
                bets = dict.fromkeys(begun.seats, 0)
                discards.append(f"p{begun.seats.index(seat) + 1} sd {noted(cards)}".strip())
            case Acted(seat, act, chips):
                bets[seat] += chips
                word = {"fold": "f", "check": "cc", "call": "cc"}.get(act, f"cbr {bets[seat]}")
                (after if discards else before).append(f"p{begun.seats.index(seat) + 1} {word}")
            case HandShown(seat, cards, _):
                after.append(f"p{begun.seats.index(seat) + 1} sm {noted(cards)}")
    numbers = [*enumerate(begun.seats, 1)]
    deals = [f"d dh p{number} {noted(tuple(dealt[seat][:5]))}" for number, seat in numbers]
    draws = [
        f"d dh p{number} {noted(tuple(dealt[seat][5:]))}"
        for number, seat in numbers
        if dealt[seat][5:]
    ]
    for action in (*deals, *before, *discards, *draws, *after):
        parse_action(table, action)
    assert table.status is False, "the hand is over"
    return [*table.stacks]


def noted(cards: Hand) -> str:
    """Format cards as pokerkit does, such as ``AsKd``."""
    return "".join(f"{str(card)[0]}{str(card)[1].lower()}" for card in cards)


@pytest.mark.parametrize("opponents", [1, 2, 3], ids=labelled("{} opponents"))
def test_pokerkit_computes_the_same_stacks_for_each_hand(opponents: int) -> None:
    levels = ("algorithm", "tight.2", "algorithm", "tight")[: opponents + 1]
    players = {Seat(seat): PLAYERS[level]() for seat, level in enumerate(levels)}
    options = Options(opponents, LIMIT.stakes)
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, options, ShuffledShoe(), SeededSource(opponents), players
    )
    moments: list[Moment] = []
    table.bus.subscribe(ALL_CARDS, lambda update: moments.append((update.state, update.events)))
    while not (table.state.played == 12 and table.state.phase.value == "rest"):
        table.advance()
    assert not table.bus.faults
    played = [*hands_of(moments)]
    assert len(played) == 12
    for stacks, hand, state in played:
        begun = hand[0]
        assert isinstance(begun, HandBegun)
        assert final_stacks(stacks, hand) == [state.stacks[seat] for seat in begun.seats]
