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
import re
import reprlib
import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from ...cards import RANKS, SUITS, Card, Hand
from ...errors import BadInput
from ...files import BadFile, read_text
from .rules import MAX_COINS, MOST_PAY, PayTable, Row, fits

DEFAULT = "double-bonus-10-7"
MOST_BYTES = 10_000  # tomllib needs 20 s for 64 kB of a.a.a.a…

_DATA = Path(__file__).with_name("data")


def names() -> tuple[str, ...]:
    """Give the short names of the pay tables that ship, sorted."""
    return tuple(sorted(path.stem for path in _DATA.glob("*.toml")))


def load(name_or_path: str) -> PayTable:
    """Read the table of this short name, or else the file at this path.

    Raises :class:`BadInput` if it is neither, and :class:`BadFile`, with the line as far as it
    is known, for a file that is no pay table.
    """
    if name_or_path in names():
        return _read(_DATA / f"{name_or_path}.toml")
    if not os.path.exists(name_or_path):  # unlike Path.exists, of any text at all
        raise BadInput(
            f"{name_or_path!r} is no pay table: give the path of a TOML file, "
            f"or one of {', '.join(names())}"
        )
    return _read(Path(name_or_path))


def _read(path: Path) -> PayTable:
    if not path.is_file():  # a device may have no end
        raise BadFile(path, "is not a file; a pay table is a TOML file")
    if (size := path.stat().st_size) > MOST_BYTES:
        raise BadFile(path, f"has {size:,} bytes; a pay table has at most {MOST_BYTES:,}")
    return _Source(path, read_text(path)).table()


@dataclass(frozen=True, slots=True)
class _Source:
    """The text of a pay table, which refuses with the line of the key that is wrong."""

    path: Path
    text: str

    def table(self) -> PayTable:
        document = self._document()
        for key in document:
            if key not in ("title", "pays"):
                self._refuse(f"unknown key {key!r}; a pay table has a title and [pays]", key)
        return PayTable(
            self.path.stem.encode(errors="replace").decode(),
            self._title(document),
            self._rows(document),
        )

    def _document(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            raise BadFile(self.path, "is nested too deeply for a pay table") from None
        except tomllib.TOMLDecodeError as error:
            self._refuse_syntax(str(error))
        except ValueError:  # Python reads no whole number of more than 4,300 digits
            raise BadFile(
                self.path, f"has a number too long to read; a pay is at most {MOST_PAY:,}"
            ) from None

    def _title(self, document: dict[str, Any]) -> str:
        if "title" not in document:
            self._refuse('there is no title; write one, like title = "Double Bonus 10/7"')
        title = document["title"]
        if not isinstance(title, str) or not title.strip() or not title.isprintable():
            self._refuse(f"title is {_show(title)}; it must be one line of plain text", "title")
        return title

    def _rows(self, document: dict[str, Any]) -> tuple[Row, ...]:
        pays = document.get("pays")
        if pays is None:
            self._refuse('there is no [pays]; it has the rows, like "FULL HOUSE" = 10')
        if not isinstance(pays, dict) or not pays:
            self._refuse(
                f'pays is {_show(pays)}; it must have rows, like "FULL HOUSE" = 10', "pays"
            )
        rows: list[Row] = []
        known: dict[object, str] = {}
        for name, value in pays.items():
            amounts = self._amounts(name, value)
            try:
                rows.append(Row(name, amounts))
            except ValueError as error:
                self._refuse(str(error), "pays", name)
            other = known.setdefault(_meaning(name), name)
            if other is not name:
                why = f"{name!r} pays the same hands as {other!r}; keep one of them"
                self._refuse(why, "pays", name)
        return tuple(rows)

    def _amounts(self, name: str, value: Any) -> tuple[int, ...]:
        listed = isinstance(value, list)
        pays = value if listed else [value]
        most = MOST_PAY if listed else MOST_PAY // MAX_COINS
        for pay in pays:
            if type(pay) is not int or not 1 <= pay <= most:  # a bool is an int too
                what = "a pay" if listed else "a pay for each coin"
                why = f"{name!r} pays {_show(pay)}; {what} is a whole number, 1 to {most:,}"
                self._refuse(why, "pays", name)
        if not listed:
            return tuple(value * coins for coins in range(1, MAX_COINS + 1))
        if len(pays) != MAX_COINS:
            why = f"{name!r} has a list of {len(pays)} pays; a list has one for each bet of 1 to 5"
            self._refuse(why, "pays", name)
        for less, more in pairwise(pays):
            if less > more:
                why = f"{name!r} pays {less} and then {more}; a higher bet must not pay less"
                self._refuse(why, "pays", name)
        return tuple(pays)

    def _refuse(self, why: str, *keys: str) -> NoReturn:
        raise BadFile(self.path, why, self._line(*keys))

    def _refuse_syntax(self, why: str) -> NoReturn:
        line, column = self.text.rstrip().count("\n") + 1, None  # if it is "at end of document"
        if place := re.search(r"line (\d+), column (\d+)\)$", why):
            line, column = int(place[1]), int(place[2])
        words = self.text.split("\n")[line - 1]
        why = f"is not TOML: {why.partition(' (at ')[0]}, in {_show(words)}"
        raise BadFile(self.path, why, line, column) from None

    def _line(self, *keys: str) -> int | None:
        """Find the line of a key, given after those of the tables it is in; or ``None``."""
        rest = self.text
        for key in keys:
            pattern = rf"""^[^#\n]*?(["']?){re.escape(key)}\1\s*[].=]"""
            match = re.search(pattern, rest, re.MULTILINE)
            if match is None:
                return None
            rest = rest[match.end() :]
        return self.text.count("\n") - rest.count("\n") + 1 if keys else None


def _show(value: Any) -> str:
    try:
        return reprlib.repr(value)
    except ValueError:  # nor prints one
        return "a number of thousands of digits"


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
