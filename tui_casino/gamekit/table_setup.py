"""Everything that decides how a session starts: options, croupier, players and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeAlias

from msgspec import Struct, field

from ..engine.chance import ChanceSource
from ..engine.croupier import Croupier, ShuffledShoe
from ..engine.game import O, Seat
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
