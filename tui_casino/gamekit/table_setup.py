"""Everything that decides how a session starts: options, croupier, players and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

from ..engine.chance import ChanceSource
from ..engine.croupier import Croupier, ShuffledShoe
from ..engine.game import O, Seat
from .words import Words

PrintLine = Callable[[str], None]
CourseDialogue = Callable[[Any, Iterator[str], PrintLine, PrintLine], None]
"""Leads a dialogue with these typed lines; says the game's lines, and those about the program."""

SeedSourceFactory = Callable[[int | None], ChanceSource]
"""Gives the source for the number that a player gave as ``--seed``, if he did."""
EventListener = Callable[[Any], None]
"""Hears each event whole: where a human plays, once all that it tells lies open to him."""
ListenerFactory = Callable[[ChanceSource], EventListener]


@dataclass(frozen=True, slots=True)
class TableSetup(Generic[O]):
    """How a session starts: options, croupier, and the player of each seat (``None``: the human).

    * ``practice`` is play that does not change the balance, as with a known deck.
    * ``explicit`` says that the player asked for these options.
    * ``dialogue`` leads the console session in its own words; ``words`` replace the game's.
    * ``source`` makes a chance source that replaces the house's. ``listener`` makes, from the
      source, a function that gets every event from the first on, such as a log of the game's own.
    * ``animate=False`` shows everything without motion.
    * ``variants_of`` names the table of which this is the default variant: the screen asks the
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
