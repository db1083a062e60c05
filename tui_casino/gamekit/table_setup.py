"""What a game gives to the command line: its own options, modes and odds, and how to sit down."""

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
    """How a sitting shall begin: options, croupier, and who sits where (``None``: the human).

    ``practice`` is play that must not touch the purse, as with a known deck. ``chosen`` tells
    that the player asked for these options. For the console, ``talk`` is a conversation of the
    game's own in place of the words of the table, and ``words`` are to be spoken instead of the
    game's. ``source`` makes a source of the game's own, in place of the house's. ``hearer`` makes,
    from the source, who shall hear the events from the first on: a log of the game's own, for
    example. ``animate=False`` shows all without motion. ``asks`` names the table of the game at
    which this is the usual way to sit: on the screen the player is asked for his way before.
    """

    options: O
    croupier: Croupier = field(default_factory=ShuffledShoe)
    players: Mapping[Seat, str | None] = field(default_factory=lambda: {Seat(0): None})
    practice: bool = False
    chosen: bool = False
    talk: CourseDialogue | None = None
    words: Words[Any, Any, Any, Any] | None = None
    source: SeedSourceFactory | None = None
    hearer: ListenerFactory | None = None
    animate: bool = True
    asks: str | None = None


AnyTableSetup: TypeAlias = TableSetup[Any]
