"""Pay tables: the built-in ones in ``data/``, and a player's own files in the same format.

A table is a TOML file with a title and a row for each hand that pays, the highest first. A row is
either the pay per coin bet, or a list of five pays for bets of 1 to 5 coins::

    title = "Double Bonus 10/7"

    [pays]
    "ROYAL FLUSH" = [250, 500, 750, 1000, 4000]
    "STRAIGHT FLUSH" = 50

A table's short name is the name of its file without ``.toml``. :mod:`.rules` lists the valid row
names. The built-in tables are the usual ones of these two games; the numbers in their names are the
payouts for a full house and a flush. All Double Bonus tables pay 5 for a straight.
"""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

from ....inputs.errors import BadInput
from ....inputs.files import TomlFile, UserPath, read_toml, short_repr
from .rules import MAX_COINS, MOST_PAY, PayTable, Row, fours_of, is_title

DEFAULT = "double-bonus-10-7"

_DATA = Path(__file__).parents[1] / "data"


@lru_cache(1)
def names() -> tuple[str, ...]:
    """Return the short names of the built-in pay tables, sorted."""
    return tuple(sorted(path.stem for path in _DATA.glob("*.toml")))


def load(name_or_path: str, cwd: Path | None = None) -> PayTable:
    """Load the built-in table with this short name, or the file at this path.

    Relative paths start in ``cwd``; if it is ``None``, no files are read. Raises :class:`BadInput`
    if neither exists, and :class:`BadFile`, with the line if it is known, for a file that is not a
    valid pay table.
    """
    if name_or_path in names():
        return _built_in(name_or_path)
    file = UserPath(Path(name_or_path), cwd) if cwd and name_or_path else None
    if file is None or not os.path.exists(file):  # unlike Path.exists, it accepts any text
        raise BadInput(
            f"{name_or_path!r} is not a pay table: give the path of a TOML file, "
            f"or one of {', '.join(names())}"
        )
    return _read(file)


@lru_cache(32)
def _built_in(name: str) -> PayTable:
    return _read(_DATA / f"{name}.toml")


def _read(path: PathLike[str]) -> PayTable:
    file = read_toml(path, "a pay table", ("title", "pays"))
    return PayTable(Path(path).stem.encode(errors="replace").decode(), _title(file), _rows(file))


def _title(file: TomlFile) -> str:
    if "title" not in file.values:
        file.refuse('the title is missing; write one, like title = "Double Bonus 10/7"')
    title = file.values["title"]
    if not isinstance(title, str) or not is_title(title):
        file.refuse(f"title is {short_repr(title)}; it must be one line of plain text", "title")
    return title


def _rows(file: TomlFile) -> tuple[Row, ...]:
    pays = file.values.get("pays")
    if pays is None:
        file.refuse('the section [pays] is missing; it must list the rows, like "FULL HOUSE" = 10')
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
        if type(pay) is not int or not 1 <= pay <= maximum:  # not isinstance: a bool is an int
            noun = "a pay" if listed else "a pay per coin"
            reason = (
                f"{name!r} pays {short_repr(pay)}; {noun} must be a whole number from 1 to "
                f"{maximum:,}"
            )
            file.refuse(reason, "pays", name)
    if not listed:
        return tuple(value * coins for coins in range(1, MAX_COINS + 1))
    if len(pays) != MAX_COINS:
        reason = f"{name!r} has {len(pays)} pays; a list must have five, for bets of 1 to 5 coins"
        file.refuse(reason, "pays", name)
    for lower, higher in pairwise(pays):
        if lower > higher:
            reason = f"{name!r} pays {lower} and then {higher}; a higher bet must not pay less"
            file.refuse(reason, "pays", name)
    return tuple(pays)


def _meaning(name: str) -> object:
    """Return a value that is equal for all names of a row: ``FOUR ACES`` and ``FOUR A-A``."""
    fours, kickers = fours_of(name) or ((), ())
    return (
        frozenset((four, kicker) for four in fours for kicker in kickers if four is not kicker)
        or name
    )
