"""The rules of five-card draw: what may be discarded, who wins, and how a pot is split.

The source is the CS 342 project of 2017. Hands rank as in `tui_casino.cards.poker`, which also
names them and orders their cards. Pots are split as is customary in card rooms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import BACK, Card, Hand, Rank, format_cards
from ....cards.poker import HandRank, rank_hand, sort_for_display

HAND_CARDS = 5
MOST_DISCARDS = 3
MOST_FROM_AN_ACE = 4
"""The maximum number of discards if the remaining card is an ace."""

MOST_OPPONENTS = 3

Positions: TypeAlias = tuple[int, ...]
"""Positions in the hand as dealt, counted from 1, in ascending order."""

POSITIONS: Positions = tuple(range(1, HAND_CARDS + 1))


def check_hand(hand: Sequence[Card]) -> None:
    """Raise ``ValueError`` unless these are five different cards, all of them face up."""
    if len(hand) != HAND_CARDS or len(set(hand)) != HAND_CARDS or BACK in hand:
        raise ValueError(f"a hand is five different cards, not {format_cards(hand) or 'none'}")


# ---- discards --------------------------------------------------------------------------------


class DiscardFault(Enum):
    """The reasons why cards cannot be discarded, in the order in which they are checked."""

    NO_SUCH_CARD = "the cards are numbered 1 to 5"
    REPEATED = "a card can be discarded only once"
    NOT_AN_ACE = "four cards can be discarded only if the one kept is an ace"
    TOO_MANY = "up to three cards can be discarded"
    FOUR_AT_MOST = "up to three cards can be discarded, or four to keep only an ace"


def has_ace(hand: Iterable[Card]) -> bool:
    """Return whether the cards include an ace, so that the other four may be discarded."""
    return any(card.rank is Rank.ACE for card in hand)


def allowed_draw_counts(hand: Iterable[Card]) -> range:
    """Return the numbers of cards that a hand may draw."""
    return range(MOST_FROM_AN_ACE + 1 if has_ace(hand) else MOST_DISCARDS + 1)


def all_but_an_ace(hand: Sequence[Card]) -> tuple[Positions, ...]:
    """Return the discards of four of the five cards: one for each ace, which is kept."""
    return tuple(
        tuple(other for other in POSITIONS if other != position)
        for position, card in enumerate(hand, 1)
        if card.rank is Rank.ACE
    )


def fault_of(hand: Sequence[Card], discards: Sequence[int]) -> DiscardFault | None:
    """Return why cards at these positions, in any order, cannot be discarded, or ``None``."""
    if not set(discards) <= set(POSITIONS):
        return DiscardFault.NO_SUCH_CARD
    if len(set(discards)) < len(discards):
        return DiscardFault.REPEATED
    if len(discards) <= MOST_DISCARDS or tuple(sorted(discards)) in all_but_an_ace(hand):
        return None
    if not has_ace(hand):
        return DiscardFault.TOO_MANY
    return (
        DiscardFault.NOT_AN_ACE if len(discards) == MOST_FROM_AN_ACE else DiscardFault.FOUR_AT_MOST
    )


def every_discard(hand: Sequence[Card]) -> Iterator[Positions]:
    """Yield every legal discard, beginning with none: 26, and one more for each ace."""
    for size in range(MOST_DISCARDS + 1):
        yield from combinations(POSITIONS, size)
    yield from all_but_an_ace(hand)


def kept_cards(hand: Sequence[Card], discards: Iterable[int]) -> Hand:
    """Return the cards that are not discarded, in the order dealt."""
    positions = set(discards)
    return tuple(card for position, card in enumerate(hand, 1) if position not in positions)


# ---- the showdown ----------------------------------------------------------------------------


class ShowdownHand(Struct, frozen=True):
    """A seat's hand at the showdown: cards in order of importance, rank, and whether it wins."""

    seat: int
    cards: Hand
    ranking: HandRank
    is_winner: bool


def showdown(hands: Mapping[int, Sequence[Card]]) -> tuple[ShowdownHand, ...]:
    """Compare hands by seat, in the order given; tied hands all win.

    Raises ``ValueError`` without hands, and for a hand that is not five different cards.
    """
    if not hands:
        raise ValueError("a showdown needs a hand")
    rankings = {seat: rank_hand(hand) for seat, hand in hands.items()}
    best = max(rankings.values())
    return tuple(
        ShowdownHand(seat, sort_for_display(hands[seat]), ranking, ranking == best)
        for seat, ranking in rankings.items()
    )


def winners(hands: Mapping[int, Sequence[Card]]) -> tuple[int, ...]:
    """Return the seats with the best hand, in the order given.

    Raises the errors of :func:`showdown`.
    """
    return tuple(hand.seat for hand in showdown(hands) if hand.is_winner)


# ---- the pot ---------------------------------------------------------------------------------


def split_pot(pot: int, winners: Iterable[int], dealer: int, seats: int) -> tuple[int, ...]:
    """Split a pot of whole credits, and return the credits of each of the ``seats``.

    The winners get equal shares. Odd credits go one by one to the winners, beginning to the
    dealer's left; the dealer comes last. Raises ``ValueError`` for a negative pot, without a
    winner, and for a winner or dealer without a seat.
    """
    winning = set(winners)
    if pot < 0:
        raise ValueError(f"a pot must be 0 or more, not {pot}")
    if not winning or not winning | {dealer} <= set(range(seats)):
        raise ValueError(
            f"winners and dealer must be seats 0 to {seats - 1}, not {sorted(winning)} and {dealer}"
        )
    share, odd = divmod(pot, len(winning))
    shares = [0] * seats
    in_turn = [(dealer + 1 + step) % seats for step in range(seats)]
    for place, seat in enumerate(seat for seat in in_turn if seat in winning):
        shares[seat] = share + (place < odd)
    return tuple(shares)
