"""The words of 31 with drawn cards, for the console: the dealer's fan beside the player's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from ....cards.card import Hand
from ....cards.text_art import CardSize, GlyphSet, fan_as_text
from ....engine.game import Seat
from ..machine.moves import DEALER, CardDealt, Event, InsuranceAsked, RoundOver, TurnAsked
from ..machine.rules import total_of
from . import words
from .words import hand_owner, say_total

_WIDTH = 79
_BETWEEN = "   "


def card_art_lines(event: Event, seat: Seat | None) -> tuple[str, ...]:
    """Say what happened, and draw the table where the player is asked and at the end."""
    said = words.lines(event, seat)
    match event:
        case CardDealt():  # all are drawn together
            return ()
        case InsuranceAsked(dealer=dealer, hand=hand):
            return (*_table(dealer, [hand]), *said)
        case TurnAsked(hands=hands, dealer=dealer):
            return (*_table(dealer, hands), *said)
        case RoundOver(dealer=dealer, hands=settled):
            return (*_table(dealer, [hand.cards for hand in settled]), *said)
    return said


def _table(dealer: Hand, hands: Sequence[Hand]) -> tuple[str, ...]:
    """Draw the dealer's hand and the player's side by side, in more rows if they are too wide."""
    drawn = [_hand(DEALER, dealer, len(hands))]
    drawn += [_hand(place, hand, len(hands)) for place, hand in enumerate(hands)]
    rows: list[list[str]] = []
    for block in drawn:
        beside = _beside(rows[-1], block) if rows else []
        if beside and max(map(len, beside)) <= _WIDTH:
            rows[-1] = beside
        else:
            rows.append(block)
    return tuple(line.rstrip() for row in rows for line in row)


def _beside(left: list[str], right: list[str]) -> list[str]:
    width = max(map(len, left))
    pairs = zip_longest(left, right, fillvalue="")
    return [f"{one:<{width}}{_BETWEEN}{other}" for one, other in pairs]


def _hand(place: int, cards: Hand, hands: int) -> list[str]:
    title = f"{hand_owner(place, hands)}: {say_total(total_of(cards))}"
    return [title, *fan_as_text(cards, CardSize.SMALL, GlyphSet.ASCII)]


WORDS = replace(words.WORDS, lines=card_art_lines)
