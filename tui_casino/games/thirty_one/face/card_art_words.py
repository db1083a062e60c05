"""The console texts of Hit Me with card drawings: the dealer's fan next to the player's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ....cards.card import Hand
from ....cards.text_art import CardSize, GlyphSet, fan_as_text
from ....engine.game import Seat
from ....structs import replace
from ..machine.rules import total_of
from ..machine.state import DEALER, CardDealt, Event, InsuranceAsked, RoundOver, TurnAsked
from . import words
from .summary import hand_owner, say_total

_WIDTH = 79
_BETWEEN = "   "


def card_art_lines(event: Event, seat: Seat | None) -> tuple[str, ...]:
    """Describe an event, and draw the table when the player has to choose and at the end."""
    lines = words.lines(event, seat)
    match event:
        case CardDealt():  # all cards are drawn together
            return ()
        case InsuranceAsked(dealer=dealer, hand=hand):
            return (*_table(dealer, [hand]), *lines)
        case TurnAsked(hands=hands, dealer=dealer):
            return (*_table(dealer, hands), *lines)
        case RoundOver(dealer=dealer, hands=settled):
            return (*_table(dealer, [hand.cards for hand in settled]), *lines)
    return lines


def _table(dealer: Hand, hands: Sequence[Hand]) -> tuple[str, ...]:
    """Draw the dealer's and the player's hands side by side, in several rows if too wide."""
    blocks = [_hand(DEALER, dealer, len(hands))]
    blocks += [_hand(place, hand, len(hands)) for place, hand in enumerate(hands)]
    rows: list[list[str]] = []
    for block in blocks:
        joined = _join_blocks(rows[-1], block) if rows else []
        if joined and max(map(len, joined)) <= _WIDTH:
            rows[-1] = joined
        else:
            rows.append(block)
    return tuple(line.rstrip() for row in rows for line in row)


def _join_blocks(left: list[str], right: list[str]) -> list[str]:
    width = max(map(len, left))
    pairs = zip_longest(left, right, fillvalue="")
    return [f"{one:<{width}}{_BETWEEN}{other}" for one, other in pairs]


def _hand(place: int, cards: Hand, hands: int) -> list[str]:
    title = f"{hand_owner(place, hands)}: {say_total(total_of(cards))}"
    return [title, *fan_as_text(cards, CardSize.SMALL, GlyphSet.ASCII)]


WORDS = replace(words.WORDS, lines=card_art_lines)
