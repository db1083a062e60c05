"""The tables of a game: how a session at one starts, and the named ones with their variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeAlias

from msgspec import Struct, field

from ..engine.chance import ChanceSource
from ..engine.croupier import Croupier, ShuffledShoe
from ..engine.game import O, Seat
from ..inputs.files import UserPath
from .words import Words

PrintLine = Callable[[str], None]
CourseDialogue = Callable[[Any, Iterator[str], PrintLine, PrintLine], None]
"""Conducts a dialogue, given typed lines and two functions that print.

The first function prints the game's lines, the second prints messages about the program."""

SeedSourceFactory = Callable[[int | None], ChanceSource]
"""Returns the chance source for the number given with ``--seed``, or for ``None``."""
EventListener = Callable[[Any], None]
"""Receives each event unfiltered; if a human plays, only when they may know all of its content."""
ListenerFactory = Callable[[ChanceSource], EventListener]


class TableSetup(Struct, Generic[O], frozen=True):
    """How a session starts: options, croupier, and the player of each seat (``None``: the human).

    * ``practice`` means free play, which does not change the balance; a known deck is one reason
      for free play.
    * ``explicit`` means that the player chose these options explicitly.
    * ``dialogue`` conducts the console session instead of the usual dialogue; ``words`` replaces
      the game's words.
    * ``source`` returns a chance source that replaces the house's. ``listener`` returns, given the
      source, a function that receives every event from the first on, such as a game's own log.
    * ``animate=False`` switches animations off.
    * ``variants_of`` is the table of which this is the default variant. The screen then asks the
      player for a variant before the session starts.
    """

    options: O
    croupier: Croupier = field(default_factory=ShuffledShoe)
    players: Mapping[Seat, str | None] = field(default_factory=lambda: {Seat(0): None})
    practice: bool = False
    explicit: bool = False
    dialogue: CourseDialogue | None = None
    words: Words[Any, Any, Any, Any] | None = None
    source: SeedSourceFactory | None = None
    listener: ListenerFactory | None = None
    animate: bool = True
    variants_of: str | None = None


AnyTableSetup: TypeAlias = TableSetup[Any]


NO_FILE = UserPath("", Path())
"""The ``file`` argument of ``setup`` for a table that requests no file."""


class FileRequest(Struct, frozen=True):
    """A file that a table needs before the session starts, such as a card file."""

    title: str
    text: str


class NamedTable(Struct, Generic[O], frozen=True):
    """A table that the player can choose.

    ``setup`` returns the setup of a session there, given the options of the table that the player
    is leaving, and the requested file if there is a ``file_request``. It raises
    :class:`~tui_casino.inputs.errors.BadInput` for a file that cannot be used. ``note`` is a short
    text after the title in lists. ``variants``, such as levels of opponents, are offered next;
    ``setup`` is the default variant.
    """

    title: str
    setup: Callable[[O, UserPath], TableSetup[O]]
    file_request: FileRequest | None = None
    note: str = ""
    variants: TableCatalog[O] | None = None


def fixed_table(title: str, setup: Callable[[], TableSetup[O]], note: str = "") -> NamedTable[O]:
    """Return a table at which a session always starts in the same way."""
    return NamedTable(title, lambda options, file: setup(), note=note)


class FirstVisitQuestion(Struct, frozen=True):
    """The question before a player's first session, and the answer for each table name."""

    question: str
    answers: Mapping[str, str]


class TableCatalog(Struct, Generic[O], frozen=True):
    """All tables of a game with their names, in the order in which they are listed.

    The menu starts at the ``default`` table. ``title`` is the heading of the choice, and ``round``
    is the word for what must be finished before the player may change tables. ``reseat`` says
    whether a player who chooses the present table starts a new session there. ``first`` is the
    question for new players. ``describe`` returns a few words on the table and the opponents of a
    session, given its options and the players' names in the log.
    """

    options: Callable[[], O]
    choices: Mapping[str, NamedTable[O]]
    default: str
    title: str = "Table"
    round: str = "round"
    reseat: bool = True
    first: FirstVisitQuestion | None = None
    describe: Callable[[O, Sequence[str]], str] = lambda options, players: ""

    def setup(self, name: str | None = None) -> TableSetup[O]:
        """Return the setup of a table (by default the default table) that requests no file."""
        return self.choices[self.default if name is None else name].setup(self.options(), NO_FILE)

    def name_of(self, seating: TableSetup[O]) -> str | None:
        """Return the name of the table that has this setup or a variant with it, if there is one.

        Tables that request a file have no fixed setup to compare.
        """
        for name, table in self.choices.items():
            if table.variants is not None and table.variants.name_of(seating) is not None:
                return name
            if table.file_request is None:
                own = self.setup(name)
                if (own.options, own.players) == (seating.options, seating.players):
                    return name
        return None

    @property
    def titles(self) -> Mapping[str, str]:
        """Maps the names of the tables to their titles."""
        return {name: table.title for name, table in self.choices.items()}
