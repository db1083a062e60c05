"""The tables of Hit Me: sets of house rules, and known cards from a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import cycle
from os import PathLike
from types import MappingProxyType
from typing import Any

from ....cards.card import SUITS, Card, Hand, Rank
from ....engine.croupier import FixedShoe
from ....gamekit.table_catalog import FileRequest, NamedTable, TableCatalog, TableSetup, fixed_table
from ....inputs.files import BadFile, FileWord, UserPath, read_words
from ....inputs.numbers import parse_integer
from ....structs import replace
from ..machine.rules import Odds, Rules
from ..machine.state import Options

_RIGHT = "a card is a whole number from 1 (ace) to 13 (king)"


def read_deck(path: PathLike[str]) -> Hand:
    """Read a deck file; ranks may repeat, and suits are assigned in turn, clubs first.

    Raises :class:`~tui_casino.inputs.files.BadFile` with the line, the column and the invalid word.
    """
    words = read_words(path)
    if not words:
        raise BadFile(path, f"there are no cards; {_RIGHT}", 1, 1)
    return tuple(
        Card(_rank(path, word), suit) for word, suit in zip(words, cycle(SUITS), strict=False)
    )


def _rank(path: PathLike[str], word: FileWord) -> Rank:
    try:
        number = parse_integer(word.text)
    except ValueError:
        number = 0
    if not 1 <= number <= 13:
        raise BadFile(path, f"{word.text!r} is not a card; {_RIGHT}", word.line, word.column)
    return Rank(number)


HOUSES: Mapping[str, tuple[str, Rules]] = MappingProxyType(
    {
        "usual": ("The usual rules", Rules()),
        "soft": ("The dealer hits a soft 27", Rules(dealer_hits_soft=True)),
        "two": ("Double only on two cards", Rules(double_two_cards=True)),
        "after": ("No double after a split", Rules(double_after_split=False)),
        "rank": ("Split equal ranks, not K-10", Rules(split_same_rank=True)),
        "hands": ("Split to four hands", Rules(most_hands=4)),
        "odds": ("Insurance pays 43:10", Rules(insurance=Odds(43, 10))),
    }
)
"""Maps each set of house rules that can be chosen to its title and its rules."""

_TITLES = {rules: title for title, rules in HOUSES.values()}
_OTHER = {"most_hands": "Split to {} hands", "insurance": "Insurance pays {}"}
"""The titles of values that are not in any set in `HOUSES`."""


def changed_rules(rules: Rules) -> dict[str, str]:
    """Map each rule that differs from the usual rules to its text: ``Insurance pays 4:1``."""
    usual = Rules()
    titles: dict[str, str] = {}
    for rule in Rules.__struct_fields__:
        value: Any = getattr(rules, rule)
        if value != getattr(usual, rule):
            changed = replace(usual, **{rule: value})
            titles[rule] = _TITLES.get(changed) or _OTHER[rule].format(value)
    return titles


def house_title(rules: Rules) -> str:
    """Return the title of a rule set, or a title that lists the changed rules."""
    first, *others = [_TITLES[rules]] if rules in _TITLES else changed_rules(rules).values()
    return ", ".join((first, *(f"{title[0].lower()}{title[1:]}" for title in others)))


def known_cards(options: Options, file: UserPath) -> TableSetup[Options]:
    """Set up free play with the cards of a file, under the rules of these options.

    Raises :class:`~tui_casino.inputs.files.BadFile`.
    """
    options = replace(options, credit=Options().credit)
    return TableSetup(options, FixedShoe(read_deck(file)), practice=True)


def _house(title: str, rules: Rules) -> NamedTable[Options]:
    return fixed_table(title, partial(TableSetup, Options(rules)))


TABLES = TableCatalog(
    Options,
    {name: _house(title, rules) for name, (title, rules) in HOUSES.items()}
    | {
        "deck": NamedTable(
            "Known cards from a file, free play",
            known_cards,
            FileRequest(
                "Known cards", "A file of whole numbers in dealing order, 1 (ace) to 13 (king):"
            ),
        )
    },
    default="usual",
    describe=lambda options, players: house_title(options.rules),
)
