"""The list of all games. The modules of a game are imported when first used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ..inputs.errors import BadInput

if TYPE_CHECKING:  # so that the list of games loads quickly
    from .definition import AnyDefinition, GameCommand
    from .table_catalog import TableCatalog


class GameListing(NamedTuple):
    """A game as the menu and the command line show it.

    ``line`` describes it in a few words to new players. ``table`` is the title of the default
    table, and ``cards`` are the cards in the menu's picture. ``odds`` says what the command
    ``odds`` prints for this game, and ``has_daily`` whether the game has a daily deal.
    """

    slug: str
    title: str
    line: str
    table: str = ""
    cards: str = ""
    odds: str = "its exact odds"
    has_daily: bool = False

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
        tables: TableCatalog[Any] = import_module(f"{self.package}.face.table_catalog").TABLES
        return tables


GAMES: tuple[GameListing, ...] = (
    GameListing(
        "video-poker",
        "Video poker",
        "Hold, draw, and get paid by the table",
        "Double Bonus 10/7",
        "AS KS QS JS TS",
        "the return of a pay table, and the risk of ruin",
        has_daily=True,
    ),
    GameListing(
        "baccarat",
        "Baccarat",
        "Punto banco with all five roads",
        "8 decks, 5% commission",
        "7C JD 2H",
        "the chance and the house edge of every bet",
    ),
    GameListing(
        "five-card-draw",
        "Five-card draw",
        "Poker against computer opponents",
        "An ante of 5, 3 opponents",
        "4H 4D AC KH 7S",
        "the chance of each hand, as dealt and after the draw",
        has_daily=True,
    ),
    GameListing(
        "thirty-one",
        "Hit Me",
        "Like blackjack, but closest to 31 wins",
        "The usual rules",
        "TC AH 9D",
        "the dealer's totals, and the EV of each choice against them",
        has_daily=True,
    ),
    GameListing(
        "cribbage",
        "Cribbage",
        "Discard, peg and count, with a trainer",
        "The trainer, against random play",
        "5H 5S 5D JC",
        "the scores of hands and cribs, and the chance of winning from a score",
        has_daily=True,
    ),
)

TITLES: Mapping[str, str] = {game.slug: game.title for game in GAMES}


class _Definitions(Mapping[str, "AnyDefinition"]):
    """The definitions of all games by slug; a game is imported when it is looked up."""

    def __getitem__(self, slug: str) -> AnyDefinition:
        if slug not in self:
            raise KeyError(slug)
        return listing_of(slug).definition()

    def __contains__(self, slug: object) -> bool:
        return any(game.slug == slug for game in GAMES)

    def __iter__(self) -> Iterator[str]:
        return (game.slug for game in GAMES)

    def __len__(self) -> int:
        return len(GAMES)


DEFINITIONS: Mapping[str, AnyDefinition] = _Definitions()


def find_listing(slug: str | None) -> GameListing | None:
    """Return the game with this slug, or ``None`` if this program does not have it."""
    return next((game for game in GAMES if game.slug == slug), None)


def slug_of(name: str) -> str:
    """Return the slug of the game with this name, or an unknown name as it is.

    >>> slug_of("hit-me"), slug_of("cribbage")
    ('thirty-one', 'cribbage')
    """
    titles = {game.title.lower().replace(" ", "-"): game.slug for game in GAMES}
    return titles.get(name.lower(), name)


def listing_of(slug: str) -> GameListing:
    """Return the game with this slug. Raises :class:`BadInput` for an unknown slug."""
    if (listing := find_listing(slug)) is not None:
        return listing
    slugs = ", ".join(game.slug for game in GAMES)
    raise BadInput(f"there is no game {slug!r}; the games are {slugs}")


def lower_title(title: str) -> str:
    """Return a game's title as written within a sentence; proper names keep their capitals.

    >>> lower_title("Video poker"), lower_title("Hit Me")
    ('video poker', 'Hit Me')
    """
    return title if title.istitle() and " " in title else title[:1].lower() + title[1:]


def title_of(slug: str) -> str:
    """Return a game's title; for an unknown game its slug in quotation marks."""
    return repr(slug) if (listing := find_listing(slug)) is None else listing.title
