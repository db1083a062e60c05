"""The named tables of a game: what may be chosen there, on the screen and in the menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from ..engine.game import O
from ..inputs.files import UserPath
from .table_setup import TableSetup

NO_FILE = UserPath("", Path())
"""What a table is told that asks nothing."""


@dataclass(frozen=True, slots=True)
class FileRequest:
    """The file that a table wants before one sits down, such as that of its cards."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class NamedTable(Generic[O]):
    """A table that can be chosen.

    ``sit`` says how one sits down, from the options of the table that one leaves and from the file
    that was given, if the table ``asks`` for one; it raises
    :class:`~tui_casino.inputs.errors.BadInput` for what cannot be used. ``more`` is a word or two
    that stand behind its title in a list. Where there are ways to sit there, such as levels of
    opponents, ``ways`` are asked for next; ``sit`` is the usual one.
    """

    title: str
    sit: Callable[[O, UserPath], TableSetup[O]]
    asks: FileRequest | None = None
    more: str = ""
    ways: TableCatalog[O] | None = None


def fixed_table(title: str, sit: Callable[[], TableSetup[O]], more: str = "") -> NamedTable[O]:
    """Give a table at which one always sits down in the same way, whatever table one leaves."""
    return NamedTable(title, lambda now, typed: sit(), more=more)


@dataclass(frozen=True, slots=True)
class FirstVisitQuestion:
    """What is asked before the first sitting: the question, and the answers by their tables."""

    question: str
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TableCatalog(Generic[O]):
    """All tables of a game, by name, in the order in which they are listed.

    From the menu one sits down at the ``usual`` one. ``title`` says what is chosen, and
    ``round`` what has to be finished before one may change; ``again`` whether one sits down anew
    where the table is chosen at which one sits. Who comes for the first time is asked ``first``,
    if there is such a question: it chooses among the tables of these names. ``describe`` says in a
    few words at what table one sat, and against whom: from its options, and who sat where by their
    names in the log.
    """

    options: Callable[[], O]
    choices: Mapping[str, NamedTable[O]]
    usual: str
    title: str = "Table"
    round: str = "round"
    again: bool = True
    first: FirstVisitQuestion | None = None
    describe: Callable[[O, Sequence[str]], str] = lambda options, players: ""

    def seating(self, name: str | None = None) -> TableSetup[O]:
        """Say how one sits down at a table that asks nothing; without a name, at the usual one."""
        return self.choices[self.usual if name is None else name].sit(self.options(), NO_FILE)

    def name_of(self, seating: TableSetup[O]) -> str | None:
        """Give the name of the table at which one sits so, in whatever way, if it asks nothing."""
        for name, table in self.choices.items():
            if table.ways is not None and table.ways.name_of(seating) is not None:
                return name
            if table.asks is None:
                own = self.seating(name)
                if (own.options, own.players) == (seating.options, seating.players):
                    return name
        return None

    @property
    def titles(self) -> Mapping[str, str]:
        """The titles by name."""
        return {name: table.title for name, table in self.choices.items()}
