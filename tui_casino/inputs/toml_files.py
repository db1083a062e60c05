"""Read TOML files that players write, with limits, and with errors that name the line."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Collection
from os import PathLike
from typing import Any, NoReturn

from msgspec import Struct

from .files import BadFile, read_text

MOST_BYTES = 10_000  # a larger limit is unsafe: tomllib needs 20 s for 64 kB of a.a.a.a…


class TomlFile(Struct, frozen=True):
    """The values of a TOML file, and its text, which is searched for the line numbers of keys."""

    path: PathLike[str]
    text: str
    values: dict[str, Any]

    def refuse(self, reason: str, *keys: str) -> NoReturn:
        """Raise :class:`BadFile` with the line number of a key, given as for :meth:`line_of`."""
        raise BadFile(self.path, reason, self.line_of(*keys)) from None

    def unknown(self, keys: Collection[str]) -> BadFile | None:
        """Return the error for the first unknown key, or ``None``."""
        strange = next((key for key in self.values if key not in keys), None)
        if strange is None:
            return None
        reason = f"unknown key {strange!r}; the keys are {', '.join(keys)}"
        return BadFile(self.path, reason, self.line_of(strange))

    def line_of(self, *keys: str) -> int | None:
        """Return the line number of a key, or ``None``; give the tables that contain it first."""
        rest = self.text
        for key in keys:  # before any comment on its line, and not as the end of a longer key
            pattern = rf"""^[^#\n]*?(?<![\w-])(["']?){re.escape(key)}\1\s*[].=]"""
            match = re.search(pattern, rest, re.MULTILINE)
            if match is None:
                return None
            rest = rest[match.end() :]
        return self.text.count("\n") - rest.count("\n") + 1 if keys else None


def read_toml(path: PathLike[str], what: str, keys: Collection[str]) -> TomlFile:
    """Read a TOML file that may have only these keys; ``what`` describes it ("a pay table").

    Raises :class:`BadFile`, with line and column if they are known.
    """
    file = parse_toml(path, read_text(path, MOST_BYTES), what)
    if error := file.unknown(keys):
        raise error
    return file


def parse_toml(path: PathLike[str], text: str, what: str) -> TomlFile:
    """Parse a TOML text with any keys; error messages name the ``path``.

    Raises the errors of :func:`read_toml`.
    """
    import tomllib  # late: a start without a settings file does not need it

    try:
        return TomlFile(path, text, tomllib.loads(text))
    except RecursionError:
        raise BadFile(path, f"is nested too deeply for {what}") from None
    except tomllib.TOMLDecodeError as error:
        reason, _, where = str(error).rpartition(" (at ")
        line, column = text.rstrip().count("\n") + 1, None  # for "at end of document"
        if place := re.match(r"line (\d+), column (\d+)\)$", where):
            line, column = int(place[1]), int(place[2])
        words = short_repr(text.split("\n")[line - 1])
        raise BadFile(path, f"is not TOML: {reason}, in {words}", line, column) from None
    except ValueError:  # Python does not parse whole numbers of more than 4,300 digits
        before, *rest = re.split(r"\d(?:_?\d){4300}", text, maxsplit=1)
        reason = f"has a number with too many digits for {what}"
        raise BadFile(path, reason, before.count("\n") + 1 if rest else None) from None


def short_repr(value: object) -> str:
    """Return a value's representation for a message, shortened if it is long."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python does not print numbers of thousands of digits
        return "a number of thousands of digits"
