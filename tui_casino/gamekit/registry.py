"""The list of all games; the modules of a game are imported at their first use."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..inputs.errors import BadInput

if TYPE_CHECKING:  # the list of games alone shall be quick to load
    from .command import GameCommand
    from .definition import AnyDefinition
    from .tables import TableCatalog


@dataclass(frozen=True, slots=True)
class GameListing:
    """A game as the menu and the command line show it.

    ``line`` says what it is to who has never played it; ``table`` is the title of its usual table,
    and ``cards`` are those of its picture, by their letters. ``odds`` is what the command ``odds``
    prints of it.
    """

    slug: str
    title: str
    line: str
    table: str = ""
    cards: str = ""
    odds: str = "its exact odds"

    @property
    def package(self) -> str:
        """The name of the game's folder as a package."""
        return f"tui_casino.games.{self.slug.replace('-', '_')}"

    def definition(self) -> AnyDefinition:
        """Import the game."""
        definition: AnyDefinition = import_module(self.package).DEFINITION
        return definition

    def command(self) -> GameCommand:
        """Import the game's part of the command line."""
        command: GameCommand = import_module(f"{self.package}.face.command").COMMAND
        return command

    def tables(self) -> TableCatalog[Any]:
        """Import the game's tables."""
        tables: TableCatalog[Any] = import_module(f"{self.package}.face.tables").TABLES
        return tables


GAMES: tuple[GameListing, ...] = (
    GameListing(
        "video-poker",
        "Video poker",
        "Every hold weighed against the pay table",
        "Double Bonus 10/7",
        "AS KS QS JS TS",
        "the return of a pay table, and the risk of ruin",
    ),
    GameListing(
        "baccarat",
        "Baccarat",
        "Punto banco with all five roads",
        "8 decks, 5 % commission",
        "7C JD 2H",
        "the chance and the house edge of every bet",
    ),
    GameListing(
        "five-card-draw",
        "Five-card draw",
        "Against computers that read your discards",
        "An ante of 5, 3 opponents",
        "4H 4D AC KH 7S",
        "how often each kind of hand comes, dealt and after the draw",
    ),
    GameListing(
        "thirty-one",
        "Hit me",
        "Blackjack's cousin: closest to 31 wins",
        "The usual rules",
        "TC AH 9D",
        "the dealer's totals, and what each choice is worth against them",
    ),
    GameListing(
        "cribbage",
        "Cribbage",
        "A trainer that counts every combination",
        "The trainer, against random play",
        "5H 5S 5D JC",
        "the scores of hands and cribs, and the chance to win from a score",
    ),
)


def listing_of(slug: str) -> GameListing:
    """Return a game by its slug. Raises :class:`BadInput` for a slug that no game has."""
    for game in GAMES:
        if game.slug == slug:
            return game
    slugs = ", ".join(game.slug for game in GAMES)
    raise BadInput(f"there is no game {slug!r}; there are {slugs}")


def title_of(slug: str) -> str:
    """Give a game's title; of a game that is none of ours its slug, in quotation marks."""
    return next((game.title for game in GAMES if game.slug == slug), repr(slug))
