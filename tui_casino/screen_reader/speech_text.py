"""Text for a voice or a Braille display, with words for cards and commas between columns."""

from __future__ import annotations

import re

from ..cards.card import Card, Suit

_PIPS = "10|[2-9TJQKA]"
_SIGNS = {suit.symbol: suit.letter for suit in Suit if suit is not Suit.BACK}
_CARD = re.compile(rf"(?<![\w'])({_PIPS})([SHDC{''.join(_SIGNS)}])(?![\w'])")
_ALONE = str.maketrans({suit.symbol: f" {suit.word}" for suit in Suit if suit is not Suit.BACK})
"""Suit symbols that do not belong to a card."""
_DRAWN = re.compile("[\u2500-\u259f\u2800-\u28ff]+")
"""Box drawing, blocks, and graphs of Braille dots."""
_RULE = re.compile(r"[-=_ |+]*[-=_|]{3,}[-=_ |+]*")
"""A line that only separates other lines."""
_COLUMNS = re.compile(r"(?<=[^\s,:;.]) {2,}(?=\S)")
_TIGHT = re.compile(r"(?<= of )([SHDC][a-z]+),(?=\w)")
"""Names of cards separated by a comma without a space."""
_GAPS = re.compile(r" {2,}")
_MINUS = re.compile(r"(?<![\w.)])[-\u2212](?=\d)")
_READ_AS = str.maketrans({"\u2212": "-", "\u00b7": ",", "\u2013": "-", "\u2026": "..."})


def speech_text(line: str, *, cards: bool = True) -> str | None:
    """Return a line for reading aloud; ``None`` if it only separates other lines.

    With ``cards``, cards and minus signs are said in words, otherwise by letters. Drawings are left
    out, and the columns of a table are separated by commas.

    >>> speech_text("player's hand TS 5H")
    "player's hand ten of spades, five of hearts"
    >>> speech_text("You have 1) AD 2) 4S", cards=False)
    'You have 1) AD 2) 4S'
    >>> speech_text("EV \N{MINUS SIGN}5.00")
    'EV minus 5.00'
    >>> speech_text("Rounds                   0   a round")
    'Rounds, 0, a round'
    >>> speech_text("------------") is None
    True
    """
    line = _MINUS.sub("minus ", line) if cards else line
    line = _DRAWN.sub(" ", line.translate(_READ_AS)).strip()
    if not line or _RULE.fullmatch(line):
        return None
    line = _TIGHT.sub(r"\1, ", _GAPS.sub(" ", _COLUMNS.sub(", ", line)))
    return (_named(line) if cards else _CARD.sub(_letters, line)).translate(_ALONE)


def _letters(found: re.Match[str]) -> str:
    return _card(found).rank.letter + _card(found).suit.letter


def _card(found: re.Match[str]) -> Card:
    pip, suit = found.groups()
    return Card.parse(("T" if pip == "10" else pip) + _SIGNS.get(suit, suit))


def _named(line: str) -> str:
    """Replace the cards in a line with their names in words, with commas between adjacent cards."""
    line = _CARD.sub(lambda found: f"\x00{card_in_words(_card(found))}", line)
    first, *rest = re.split(r"(?= (?:\d\) )?\x00)", line)
    joined = first
    for piece in rest:
        follows = re.search(r"\x00\w+ of \w+$", joined) is not None
        joined += f",{piece}" if follows else piece
    return joined.replace("\x00", "")


_FROM_TWO = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_NUMBERS = {str(number): word for number, word in enumerate(_FROM_TWO, 2)}
_WORDS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace", **_NUMBERS}


def card_in_words(card: Card) -> str:
    """Return a card's name in words: ``ten of spades``."""
    return f"{_WORDS[card.rank.letter]} of {card.suit.word.lower()}"
