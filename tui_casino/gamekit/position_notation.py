"""Write a state as one line of text and read it back, like FEN in chess, for reports and drills.

>>> from tui_casino.games.video_poker.machine.game import State
>>> state = read_notation("options=() credit=995 phase=hold coins=5 hand=KS,QS,7D,2C,2H", State)
>>> state.hand[0].name, state.last
('King of Spades', 5)
>>> write_notation(state)
'options=() credit=995 phase=hold coins=5 hand=KS,QS,7D,2C,2H'

The types of the fields define the notation, so no game needs code for the notation;
`docs/formats.md` describes it. A line describes the state of a table, not how it was reached:
nothing checks whether a game can ever reach it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, Flag
from fractions import Fraction
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Generic, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from ..cards.card import Card
from ..inputs.errors import BadInput
from ..inputs.scanner import Scanner, is_bare_word, quote

LONGEST_NOTATION = 100_000
"""The maximum number of characters in a line, several times what the longest pay table needs."""
MOST_DIGITS = 100
"""The maximum number of digits in a number."""

T = TypeVar("T")


def write_notation(state: object) -> str:
    """Format a struct as a line of printable ASCII, without the fields that have defaults.

    Raises ``TypeError`` for a type that the notation does not support, and for a value that is not
    exactly of its field's type. Raises ``ValueError`` for a line that would be too long to read.
    """
    text = " ".join(_record(type(state)).words(state))
    if len(text) > LONGEST_NOTATION:
        raise ValueError(f"a line has at most {LONGEST_NOTATION:,} characters, not {len(text):,}")
    return text


def read_notation(text: str, cls: type[T]) -> T:
    """Parse a line, written by :func:`write_notation` or by hand, as a struct of this type.

    Raises :class:`BadInput`, whose message contains the invalid word, its place and what is
    expected there. Raises ``TypeError`` for a type that the notation does not support.
    """
    if len(text) > LONGEST_NOTATION:
        raise BadInput(f"a line has at most {LONGEST_NOTATION:,} characters, not {len(text):,}")
    return _record(cls).read_words(Scanner(text))


class _Form(Protocol):
    """The notation of one type; ``alone`` means that the value is a word by itself."""

    def write(self, value: object, alone: bool = False) -> str:
        """Format a value. Raises ``TypeError`` for a value of another type."""
        ...

    def read(self, line: Scanner, alone: bool = False) -> object:
        """Parse the next value of the line. Raises :class:`BadInput`."""
        ...


# ---- simple values -----------------------------------------------------------------------------


class _Plain(Struct, Generic[T], frozen=True):
    """The notation of a value that is one word; ``right`` describes valid words in errors.

    ``parse`` raises ``LookupError`` or ``ValueError`` for invalid words.
    """

    kind: type[T]
    right: str
    show: Callable[[T], str]
    parse: Callable[[str], T]

    def write(self, value: object, alone: bool = False) -> str:
        if not isinstance(value, self.kind) or type(value) is not self.kind:
            raise TypeError(f"{value!r} is not {self.right}")
        return self.show(value)

    def read(self, line: Scanner, alone: bool = False) -> T:
        at = line.position
        word = line.word(self.right)
        try:
            return self.parse(word)
        except (LookupError, ValueError):
            line.misfit(self.right, at)


def _digits(number: int) -> str:
    if abs(number) >= 10**MOST_DIGITS:
        raise ValueError(f"a number in a line has at most {MOST_DIGITS} digits")
    return str(number)


def _whole(word: str) -> int:
    if not re.fullmatch(rf"-?[0-9]{{1,{MOST_DIGITS}}}", word):
        raise ValueError
    return int(word)


def _parts(fraction: Fraction) -> str:
    return f"{_digits(fraction.numerator)}/{_digits(fraction.denominator)}"


def _fraction(word: str) -> Fraction:
    above, below = map(_whole, word.split("/"))
    if below < 1:
        raise ValueError
    return Fraction(above, below)


def _one_of(cls: type[T], words: Mapping[str, T]) -> _Plain[T]:
    shown = {value: word for word, value in words.items()}
    return _Plain(cls, f"one of {', '.join(words)}", shown.__getitem__, words.__getitem__)


_WHOLE = _Plain(int, "a whole number, like 5", _digits, _whole)
_FRACTION = _Plain(Fraction, "a fraction, like 3/7", _parts, _fraction)
_TRUTH = _one_of(bool, {"false": False, "true": True})
_CARD = _Plain(Card, "a card, like KS, or ??", str, Card.parse)


def _enumeration(cls: type[Enum]) -> _Plain[Enum]:
    """Return the notation of an enumeration: its values if all are words, otherwise its names."""
    by_value = all(isinstance(member.value, str) and is_bare_word(member.value) for member in cls)
    return _one_of(cls, {member.value if by_value else member.name: member for member in cls})


class _Text:
    """The notation of a string: a plain word, or any text in quotation marks."""

    def write(self, value: object, alone: bool = False) -> str:
        if type(value) is not str:
            raise TypeError(f"{value!r} is not a string")
        return quote(value)

    def read(self, line: Scanner, alone: bool = False) -> str:
        return line.text('a word, or a text like "full house"')


# ---- compound values ---------------------------------------------------------------------------


class _Maybe(Struct, frozen=True):
    """An optional value; ``None`` is a dash. A tuple is in brackets, so ``(-)`` is not ``None``."""

    form: _Form

    def write(self, value: object, alone: bool = False) -> str:
        return "-" if value is None else self.form.write(value)

    def read(self, line: Scanner, alone: bool = False) -> object:
        return None if line.took_word("-") else self.form.read(line)


class _Tuple(Struct, frozen=True):
    """A tuple: values with commas between them, in brackets if inside another value."""

    forms: tuple[_Form, ...]
    any_number: bool

    def write(self, value: object, alone: bool = False) -> str:
        if type(value) is not tuple or not (self.any_number or len(value) == len(self.forms)):
            raise TypeError(f"{value!r} is not {self._right}")
        forms = self.forms * len(value) if self.any_number else self.forms
        text = ",".join(form.write(part) for form, part in zip(forms, value, strict=True))
        return text if alone else f"({text})"

    def read(self, line: Scanner, alone: bool = False) -> tuple[object, ...]:
        at = line.position
        if not alone and not line.took("("):
            line.misfit(f"{self._right} in brackets")
        values: list[object] = []
        while not (line.word_ended if alone else line.took(")")):
            if values and not line.took(","):
                line.misfit("a comma" if alone else "a comma or the closing bracket")
            if not self.any_number and len(values) == len(self.forms):
                line.refuse(f"expected {self._right}, not more", at)
            values.append(self.forms[0 if self.any_number else len(values)].read(line))
        if not self.any_number and len(values) < len(self.forms):
            line.refuse(f"expected {self._right}, not {len(values)}", at)
        return tuple(values)

    @property
    def _right(self) -> str:
        return "a list" if self.any_number else f"a list of {len(self.forms)}"


# ---- structs -----------------------------------------------------------------------------------


class _Column(Struct, frozen=True):
    """A field of a struct: its name, its notation, and its default if it has one."""

    name: str
    form: _Form
    default: object

    @property
    def needed(self) -> bool:
        return self.default is NODEFAULT


class _Record(Struct, Generic[T], frozen=True):
    """A struct: words of a line, or a list in brackets; names are written only where needed."""

    kind: type[T]
    columns: tuple[_Column, ...]

    def words(self, value: object) -> Iterator[str]:
        """Yield the fields as the words of a line."""
        for column, text in self._texts(value, alone=True):
            yield f"{column.name}={text}"

    def write(self, value: object, alone: bool = False) -> str:
        texts = (
            text if column.needed else f"{column.name}={text}"
            for column, text in self._texts(value)
        )
        return f"({','.join(texts)})"

    def _texts(self, value: object, alone: bool = False) -> Iterator[tuple[_Column, str]]:
        if type(value) is not self.kind:  # a derived class could not be restored
            raise TypeError(f"{value!r} is not exactly of the class {self.kind.__name__}")
        for column in self.columns:
            part = getattr(value, column.name)
            text = column.form.write(part, alone)
            if column.needed or part != column.default:
                yield column, text

    def read_words(self, line: Scanner) -> T:
        """Parse the fields from the words of a line."""
        values: dict[str, object] = {}
        while not line.ended:
            if line.took(" "):
                continue
            self._read_field(line, values, alone=True)
            if not line.word_ended:
                line.misfit("a space or the end")
        return self._made(line, values)

    def read(self, line: Scanner, alone: bool = False) -> T:
        at, values = line.position, dict[str, object]()
        if not line.took("("):
            line.misfit(f"{self.kind.__name__} in brackets")
        while not line.took(")"):
            if values and not line.took(","):
                line.misfit("a comma or the closing bracket")
            self._read_field(line, values)
        return self._made(line, values, at)

    def _read_field(self, line: Scanner, values: dict[str, object], alone: bool = False) -> None:
        at, name = line.position, line.took_name()
        if name is None and not alone:
            name = next((c.name for c in self.columns if c.needed and c.name not in values), None)
        column = next((column for column in self.columns if column.name == name), None)
        if column is None:
            line.misfit(f"one of {', '.join(f'{column.name}=' for column in self.columns)}", at)
        if column.name in values:
            line.refuse(f"{name} is given twice", at)
        values[column.name] = column.form.read(line, alone)

    def _made(self, line: Scanner, values: dict[str, object], at: int | None = None) -> T:
        missing = [c.name for c in self.columns if c.needed and c.name not in values]
        reason = f"{self.kind.__name__} needs {' and '.join(f'{name}=' for name in missing)}"
        if not missing:
            try:
                return self.kind(**values)
            except ValueError as error:
                reason = str(error)
        if at is None:
            raise BadInput(reason) from None
        line.refuse(reason, at)


def _record(cls: type[T]) -> _Record[T]:
    return _Record(cls, _columns(cls))  # type: ignore[arg-type]


@lru_cache(maxsize=64)  # enough for the states of all games, and for tests
def _columns(cls: type[Any], within: tuple[type[Any], ...] = ()) -> tuple[_Column, ...]:
    if not issubclass(cls, Struct) or cls in within:
        reason = "contains itself" if cls in within else "is not a struct"
        raise TypeError(f"{cls.__name__} cannot be written as a line: it {reason}")
    hints = get_type_hints(cls)
    return tuple(
        _Column(field.name, _form(hints[field.name], (*within, cls)), _default(field))
        for field in fields(cls)
    )


def _default(field: FieldInfo) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _form(hint: Any, within: tuple[type[Any], ...]) -> _Form:
    """Return the notation of a type hint. Raises ``TypeError`` if it is not supported."""
    hint = getattr(hint, "__supertype__", hint)  # a NewType, such as a seat
    parts = get_args(hint)
    if hint in _FORMS:
        return _FORMS[hint]
    if get_origin(hint) is tuple:
        any_number = parts[1:] == (...,)
        forms = tuple(_form(part, within) for part in parts if part is not ...)
        return _Tuple(forms, any_number)
    if get_origin(hint) in (Union, UnionType) and len(parts) == 2 and NoneType in parts:
        return _Maybe(_form(parts[parts[0] is NoneType], within))
    if isinstance(hint, type) and issubclass(hint, Enum) and not issubclass(hint, Flag):
        return _enumeration(hint)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _Record(hint, _columns(hint, within))
    raise TypeError(f"{within[-1].__name__} cannot be written as a line: it contains {hint}")


_FORMS: Mapping[Any, _Form] = {
    int: _WHOLE,
    bool: _TRUTH,
    str: _Text(),
    Fraction: _FRACTION,
    Card: _CARD,
}
