"""Read TOML files that a player writes, within limits; errors name the line."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike
from typing import Any, NoReturn

from .files import BadFile, read_text

MOST_BYTES = 10_000  # tomllib needs 20 s for 64 kB of a.a.a.a…


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file's values, and its text, where the lines of their keys are found."""

    path: PathLike[str]
    text: str
    values: dict[str, Any]

    def refuse(self, reason: str, *keys: str) -> NoReturn:
        """Raise :class:`BadFile` with the line of a key, given as :meth:`line_of` wants it."""
        raise BadFile(self.path, reason, self.line_of(*keys)) from None

    def unknown(self, keys: Collection[str]) -> BadFile | None:
        """Give the error of the first key that is none of these, if there is one."""
        strange = next((key for key in self.values if key not in keys), None)
        if strange is None:
            return None
        reason = f"unknown key {strange!r}; there are {', '.join(keys)}"
        return BadFile(self.path, reason, self.line_of(strange))

    def line_of(self, *keys: str) -> int | None:
        """Find the line of a key, given after those of the tables it is in; or ``None``."""
        rest = self.text
        for key in keys:  # on its line before any comment, and not the end of a longer one
            pattern = rf"""^[^#\n]*?(?<![\w-])(["']?){re.escape(key)}\1\s*[].=]"""
            match = re.search(pattern, rest, re.MULTILINE)
            if match is None:
                return None
            rest = rest[match.end() :]
        return self.text.count("\n") - rest.count("\n") + 1 if keys else None


def read_toml(path: PathLike[str], what: str, keys: Collection[str]) -> TomlFile:
    """Read the file of ``what``, such as "a pay table", which has no other keys than these.

    Raises :class:`BadFile` with line and column, as far as they are known.
    """
    file = parse_toml(path, read_text(path, MOST_BYTES), what)
    if error := file.unknown(keys):
        raise error
    return file


def parse_toml(path: PathLike[str], text: str, what: str) -> TomlFile:
    """Read a text, with any keys, as what stands in a file, or shall stand there.

    Raises as :func:`read_toml`.
    """
    import tomllib  # late: the start reads no such file, unless there are settings

    try:
        return TomlFile(path, text, tomllib.loads(text))
    except RecursionError:
        raise BadFile(path, f"is nested too deeply for {what}") from None
    except tomllib.TOMLDecodeError as error:
        reason, _, where = str(error).rpartition(" (at ")
        line, column = text.rstrip().count("\n") + 1, None  # if it is "at end of document"
        if place := re.match(r"line (\d+), column (\d+)\)$", where):
            line, column = int(place[1]), int(place[2])
        words = short_repr(text.split("\n")[line - 1])
        raise BadFile(path, f"is not TOML: {reason}, in {words}", line, column) from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        before, *rest = re.split(r"\d(?:_?\d){4300}", text, maxsplit=1)
        reason = f"has a number too long to read; {what} has none so long"
        raise BadFile(path, reason, before.count("\n") + 1 if rest else None) from None


def short_repr(value: object) -> str:
    """Give a value for a message, cut short if it is long."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python prints no number of thousands of digits
        return "a number of thousands of digits"
