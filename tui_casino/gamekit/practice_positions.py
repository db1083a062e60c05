"""The practice positions of a game: how to describe, change and deal them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from msgspec import Struct

from ..cards.card import BACK, Card, Hand
from ..engine.game import O, S, Seat
from ..inputs.errors import BadInput


class PracticePositions(Struct, Generic[O, S], frozen=True):
    """A game's functions for practice: describe, change and deal positions.

    * ``situation`` returns the name of the kind of choice that a seat has, which is the ``spot`` of
      the game's :class:`~.adviser.MistakeKind`. It returns an empty text if the seat has no choice
      or its choices are not judged. ``situations`` returns all names.
    * ``describe`` returns lines for the console: the cards that the seat sees, and its question.
    * ``parse_cards`` puts typed cards into a position of the same table. It returns ``None`` if the
      cards do not fit that position; then other positions are tried. It raises
      :class:`~..inputs.errors.BadInput` for a text that fits no position. ``cards_help`` says what
      may be typed.
    * ``drill_options`` returns the options of the table at which drills are dealt, given the
      options with which the player played. ``opponent`` is the computer player at that table, by
      default the game's first one.
    * ``with_shoe_of`` returns the first position with the cards that are left in the second one, in
      games with a shoe that lasts for several rounds; ``None`` if its own cards are not left there.
    """

    situation: Callable[[S, Seat], str]
    describe: Callable[[S, Seat], tuple[str, ...]]
    parse_cards: Callable[[S, Seat, str], S | None]
    cards_help: str
    situations: Callable[[], tuple[str, ...]]
    drill_options: Callable[[O], O] = lambda options: options
    opponent: str = ""
    with_shoe_of: Callable[[S, S], S | None] | None = None


def parse_cards(text: str, minimum: int, maximum: int, *, packs: int = 1) -> Hand:
    """Parse cards separated by white space or commas: ``KS 10h A♦``.

    Raises :class:`BadInput` for a word that is not a card, for too few or too many cards, and for a
    card that is given more often than ``packs`` contain it.
    """
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        try:
            card = Card.parse(word.upper().replace("10", "T") if word.isascii() else word)
        except ValueError:
            card = BACK
        if card is BACK:
            raise BadInput(f"{word!r} is not a card; write cards like KS, TH or 2c")
        cards.append(card)
        if cards.count(card) > packs:
            raise BadInput(f"{card} is given {'twice' if packs == 1 else 'too often'}")
    if not minimum <= len(cards) <= maximum:
        expected = f"{minimum}" if minimum == maximum else f"{minimum} to {maximum}"
        raise BadInput(f"give {expected} cards, not {len(cards)}")
    return tuple(cards)


def number_cards(hand: Hand) -> str:
    """Format cards with the numbers that the player types to choose them: ``1) 2C 2) 2H``."""
    return " ".join(f"{place}) {card}" for place, card in enumerate(hand, 1))
