"""A game's description of positions, so that their choices can be practised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from ..cards.card import BACK, Card, Hand
from ..engine.game import O, S, Seat
from ..inputs.errors import BadInput


@dataclass(frozen=True, slots=True)
class PracticePositions(Generic[O, S]):
    """How positions of a game are sorted, described, typed in and dealt, for practice.

    * ``spot`` names the kind of choice that a seat has, as the ``spot`` of the game's kinds of
      mistakes; nothing if it has no choice, or if its choices are not judged. ``spots`` lists all
      names.
    * ``told`` describes for the console all that the seat sees and what it is asked.
    * ``typed`` puts typed cards into a position of the same table. It returns ``None`` if that
      position does not take them; then others are tried. It raises
      :class:`~..inputs.errors.BadInput` for a text that no position takes. ``right`` says what may
      be typed.
    * ``dealt`` returns the options of the table at which drills are dealt, given those at which the
      player played. ``against`` is the computer player there; by default the first one.
    """

    spot: Callable[[S, Seat], str]
    told: Callable[[S, Seat], tuple[str, ...]]
    typed: Callable[[S, Seat, str], S | None]
    right: str
    spots: Callable[[], tuple[str, ...]]
    dealt: Callable[[O], O] = lambda options: options
    against: str = ""


def parse_cards(text: str, least: int, most: int, *, packs: int = 1) -> Hand:
    """Read cards with white space or commas between: ``KS 10h A♦``.

    Raises :class:`BadInput` for what is no card, for too few or too many, and for one that is there
    more often than the packs have it.
    """
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        try:
            card = Card.parse(word.upper().replace("10", "T") if word.isascii() else word)
        except ValueError:
            card = BACK
        if card is BACK:
            raise BadInput(f"{word!r} is no card; a card is like KS, TH or 2c")
        cards.append(card)
        if cards.count(card) > packs:
            raise BadInput(f"{card} is there {'twice' if packs == 1 else 'too often'}")
    if not least <= len(cards) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise BadInput(f"{wanted} cards are wanted, not {len(cards)}")
    return tuple(cards)


def number_cards(hand: Hand) -> str:
    """Write cards with their places, as they are chosen by: ``1) 2C 2) 2H``."""
    return " ".join(f"{place}) {card}" for place, card in enumerate(hand, 1))
