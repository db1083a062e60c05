"""Pay tables as data: those that ship in ``data/``, and a player's own files of the same form.

A table is a TOML file: a title, and a row for each hand that pays, the highest first. A row has
what it pays for every coin bet, or its five pays for bets of 1 to 5 coins::

    title = "Double Bonus 10/7"

    [pays]
    "ROYAL FLUSH" = [250, 500, 750, 1000, 4000]
    "STRAIGHT FLUSH" = 50

A table's short name is the name of its file without ``.toml``. The rows' names are those that
:mod:`.rules` knows. The tables that ship are the usual ones of these two games, named after what
they pay for a full house and a flush; Double Bonus ones all pay 5 for a straight.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

from ....cards.card import RANKS, SUITS, Card, Hand
from ....inputs.errors import BadInput
from ....inputs.files import UserPath
from ....inputs.toml_files import TomlFile, read_toml, short_repr
from .rules import MAX_COINS, MOST_PAY, PayTable, Row, fits, is_title

DEFAULT = "double-bonus-10-7"

_DATA = Path(__file__).parents[1] / "data"


def names() -> tuple[str, ...]:
    """Give the short names of the pay tables that ship, sorted."""
    return tuple(sorted(path.stem for path in _DATA.glob("*.toml")))


def load(name_or_path: str, cwd: Path | None = None) -> PayTable:
    """Read the table of this short name, or else the file at this path.

    ``cwd`` is the folder that a path leads from; without one no file is read.

    Raises :class:`BadInput` if it is neither, and :class:`BadFile`, with the line as far as it
    is known, for a file that is no pay table.
    """
    if name_or_path in names():
        return _read(_DATA / f"{name_or_path}.toml")
    file = UserPath(Path(name_or_path), cwd) if cwd and name_or_path else None
    if file is None or not os.path.exists(file):  # unlike Path.exists, of any text at all
        raise BadInput(
            f"{name_or_path!r} is not a pay table: give the path of a TOML file, "
            f"or one of {', '.join(names())}"
        )
    return _read(file)


def _read(path: PathLike[str]) -> PayTable:
    file = read_toml(path, "a pay table", ("title", "pays"))
    return PayTable(Path(path).stem.encode(errors="replace").decode(), _title(file), _rows(file))


def _title(file: TomlFile) -> str:
    if "title" not in file.values:
        file.refuse('there is no title; write one, like title = "Double Bonus 10/7"')
    title = file.values["title"]
    if not isinstance(title, str) or not is_title(title):
        file.refuse(f"title is {short_repr(title)}; it must be one line of plain text", "title")
    return title


def _rows(file: TomlFile) -> tuple[Row, ...]:
    pays = file.values.get("pays")
    if pays is None:
        file.refuse('there is no [pays]; it has the rows, like "FULL HOUSE" = 10')
    if not isinstance(pays, dict) or not pays:
        file.refuse(
            f'pays is {short_repr(pays)}; it must have rows, like "FULL HOUSE" = 10', "pays"
        )
    rows: list[Row] = []
    names_by_meaning: dict[object, str] = {}
    for name, value in pays.items():
        amounts = _amounts(file, name, value)
        try:
            rows.append(Row(name, amounts))
        except ValueError as error:
            file.refuse(str(error), "pays", name)
        other = names_by_meaning.setdefault(_meaning(name), name)
        if other is not name:
            reason = f"{name!r} pays the same hands as {other!r}; keep one of them"
            file.refuse(reason, "pays", name)
    return tuple(rows)


def _amounts(file: TomlFile, name: str, value: Any) -> tuple[int, ...]:
    listed = isinstance(value, list)
    pays = value if listed else [value]
    maximum = MOST_PAY if listed else MOST_PAY // MAX_COINS
    for pay in pays:
        if type(pay) is not int or not 1 <= pay <= maximum:  # a bool is an int too
            noun = "a pay" if listed else "a pay for each coin"
            reason = f"{name!r} pays {short_repr(pay)}; {noun} is a whole number, 1 to {maximum:,}"
            file.refuse(reason, "pays", name)
    if not listed:
        return tuple(value * coins for coins in range(1, MAX_COINS + 1))
    if len(pays) != MAX_COINS:
        reason = f"{name!r} has a list of {len(pays)} pays; a list has one for each bet of 1 to 5"
        file.refuse(reason, "pays", name)
    for lower, higher in pairwise(pays):
        if lower > higher:
            reason = f"{name!r} pays {lower} and then {higher}; a higher bet must not pay less"
            file.refuse(reason, "pays", name)
    return tuple(pays)


@lru_cache(maxsize=1 << 6)  # the tables that ship share their rows
def _meaning(name: str) -> object:
    """Give what tells a row from all others: fours have several names, like ``FOUR A-A``."""
    return tuple(fits(name, hand) for hand in _fours()) if name.startswith("FOUR") else name


@cache
def _fours() -> tuple[Hand, ...]:
    """Give four of every rank with a kicker of every other."""
    return tuple(
        (*(Card(four, suit) for suit in SUITS), Card(kicker, SUITS[0]))
        for four in RANKS
        for kicker in RANKS
        if kicker is not four
    )
