"""Hand histories of the limit table in PHH, the poker hand history format (TOML).

The format is described in Kim, "Recording and Describing Poker Hands" (2024), and read by pokerkit.
The format has no code for five-card draw; :data:`VARIANT` is this program's proposal. Its hands use
the fields of the other fixed-limit games. In the format, all players discard before anybody draws.
At this table each player draws immediately, so the draws are written after all discards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from ....cards.card import BACK, Card
from ..brains.players import NAMES
from ..machine.moves import (
    Acted,
    CardDealt,
    Discarded,
    DrawAsked,
    Event,
    HandBegun,
    HandOver,
    HandShown,
)
from ..machine.rules import HAND_CARDS
from ..machine.state import LIMITS, Stakes, State

VARIANT = "F5D"
"""The code for fixed-limit five-card draw, formed like those for other games (``F7S``)."""


class _Hand(Struct):
    """A hand being recorded: its seats in order, the cards, and the actions."""

    number: int
    seats: tuple[int, ...]
    ante: int
    stacks: list[int]
    dealt: dict[int, list[Card]] = field(default_factory=dict)
    first_round: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    draws: dict[int, list[Card]] = field(default_factory=dict)
    second_round: list[str] = field(default_factory=list)
    bets: dict[int, int] = field(default_factory=dict)

    def name(self, seat: int) -> str:
        """Return the name of a seat in the format: p1 acts first."""
        return f"p{self.seats.index(seat) + 1}"

    def add(self, event: Event) -> None:
        """Record an event."""
        match event:
            case CardDealt(seat, card):
                cards = self.dealt.setdefault(seat, [])
                target = cards if len(cards) < HAND_CARDS else self.draws.setdefault(seat, [])
                target.append(card)
            case DrawAsked():
                self.bets = {}
            case Discarded(seat, discards):
                self.discards.append(
                    " ".join(filter(None, (self.name(seat), "sd", _cards(discards))))
                )
            case Acted(seat, act, chips):
                (self.second_round if self.discards else self.first_round).append(
                    self._act(seat, act, chips)
                )
            case HandShown(seat, hand, _):
                self.second_round.append(f"{self.name(seat)} sm {_cards(hand)}")

    def _act(self, seat: int, act: str, chips: int) -> str:
        name = self.name(seat)
        self.bets[seat] = self.bets.get(seat, 0) + chips
        if act in ("bet", "raise"):
            return f"{name} cbr {self.bets[seat]}"
        return f"{name} f" if act == "fold" else f"{name} cc"

    def lines(self, over: HandOver, state: State) -> Iterator[str]:
        """Yield the hand as one TOML table; a file can contain many."""
        low, high = LIMITS
        seats = self.seats
        dealt = [f"d dh {self.name(seat)} {_cards(self.dealt[seat])}" for seat in seats]
        drawn = [
            f"d dh {self.name(seat)} {_cards(self.draws[seat])}"
            for seat in seats
            if seat in self.draws
        ]
        actions = [*dealt, *self.first_round, *self.discards, *drawn, *self.second_round]
        yield f"[{self.number}]"
        yield f'variant = "{VARIANT}"'
        yield "ante_trimming_status = true"
        yield f"antes = {[self.ante] * len(seats)}"
        yield f"blinds_or_straddles = {[0] * len(seats)}"
        yield f"small_bet = {low}"
        yield f"big_bet = {high}"
        yield f"starting_stacks = {self.stacks}"
        yield "actions = ["
        yield from (f'  "{action}",' for action in actions)
        yield "]"
        yield f"players = [{', '.join(_quoted(NAMES[seat]) for seat in seats)}]"
        yield f"finishing_stacks = {[state.stacks[seat] for seat in seats]}"
        yield f"winnings = {[over.won[seat] for seat in seats]}"
        yield f"hand = {self.number}"
        yield ""


def phh_hands(moments: Iterable[tuple[State, tuple[Event, ...]]]) -> Iterator[str]:
    """Yield the finished hands of a limit table; other tables have no bets and yield nothing."""
    hand: _Hand | None = None
    for state, events in moments:
        if state.options.stakes is not Stakes.LIMIT:
            return
        for event in events:
            match event:
                case HandBegun(seats, ante):
                    stacks = [state.stacks[seat] + state.put_in[seat] for seat in seats]
                    hand = _Hand(state.played, seats, ante, stacks)
                case HandOver() if hand is not None:
                    yield from hand.lines(event, state)
                    hand = None
                case _ if hand is not None:
                    hand.add(event)


def _cards(cards: Sequence[Card]) -> str:
    """Format cards as PHH does, such as ``AsKd``, with ``??`` for an unknown card."""
    texts = ("??" if card == BACK else str(card) for card in cards)
    return "".join(text[0] + text[1].lower() for text in texts)


def _quoted(name: str) -> str:
    return f'"{name}"'
