"""The games of the house, one line a game; what belongs to a game is imported when it is used."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from .core import Seat
from .croupier import Croupier, ShuffledShoe
from .parts import Parts


@dataclass(frozen=True, slots=True)
class Seating:
    """How a sitting shall begin: options, croupier, and who sits where (``None``: the human).

    ``practice`` is play that must not touch the purse, as with a known deck.
    """

    options: Any
    croupier: Croupier = field(default_factory=ShuffledShoe)
    players: Mapping[Seat, str | None] = field(default_factory=lambda: {Seat(0): None})
    practice: bool = False


class GameCommand(Protocol):
    """A game's own part of the command line: the module ``command`` in its folder.

    Its functions raise :class:`~tui_casino.files.BadInput` for what cannot be used.
    """

    def add_arguments(self, parser: ArgumentParser, /) -> None:
        """Declare the game's own options and modes."""
        ...

    def run(self, args: Namespace, /) -> int | None:
        """Run the mode that was asked for and give its exit code; ``None`` to sit down and play."""
        ...

    def seating(self, args: Namespace, /) -> Seating:
        """Say how to sit down."""
        ...

    def add_odds_arguments(self, parser: ArgumentParser, /) -> None:
        """Declare the options of ``tui-casino odds GAME``."""
        ...

    def odds(self, args: Namespace, /) -> int:
        """Print the game's exact odds and give the exit code."""
        ...


@dataclass(frozen=True, slots=True)
class Listing:
    """A game as the menu and the command line show it."""

    slug: str
    line: str

    @property
    def package(self) -> str:
        """The name of the game's folder as a package."""
        return f"{__package__}.games.{self.slug.replace('-', '_')}"

    def parts(self) -> Parts[Any, Any, Any, Any]:
        """Import the game."""
        parts: Parts[Any, Any, Any, Any] = import_module(self.package).PARTS
        return parts

    def command(self) -> GameCommand:
        """Import the game's part of the command line."""
        command: GameCommand = import_module(f"{self.package}.command")
        return command


GAMES: tuple[Listing, ...] = (
    Listing("video-poker", "Double Bonus 10/7: hold, draw, and know what every hold is worth"),
)
