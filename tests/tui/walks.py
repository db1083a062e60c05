"""Walks through the arcade, in terminals of all sizes and looks; each game has one of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from textual.pilot import Pilot

from tests.tui.houses import press, stopped_after, strike, table, until
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.tui.terminal.detection import ColourDepth, GlyphSet, TerminalCapabilities

SMALL = (80, 24)
SIZES = (SMALL, (132, 43), (60, 20))
LEAST = (40, 15)
GAME_TESTS = Path(__file__).parents[1] / "games"
UNICODE, ASCII = "unicode", "ascii"
PLAIN_LOOKS = (UNICODE, ASCII)
LOOKS: Mapping[str, TerminalCapabilities] = {
    UNICODE: TerminalCapabilities(ColourDepth.TRUE, GlyphSet.UNICODE),
    ASCII: TerminalCapabilities(ColourDepth.TRUE, GlyphSet.ASCII),
    "cp437": TerminalCapabilities(ColourDepth.FEW, GlyphSet.CP437),
    "256-colours": TerminalCapabilities(ColourDepth.MANY, GlyphSet.UNICODE),
    "no-colour": TerminalCapabilities(ColourDepth.NONE, GlyphSet.UNICODE),
}
OTHER_LOOKS = tuple(look for look in LOOKS if look not in PLAIN_LOOKS)
SHAPES = tuple(
    (size, look)
    for size in SIZES
    for look in (UNICODE, ASCII)
    if look is UNICODE or size[0] <= 80  # plain characters are not another layout
)
"""In what sizes and looks every table is walked through."""

Shoot = Callable[[str], None]
"""Takes a picture of what is on the screen now."""
Walk = Callable[[Pilot[None], Shoot], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Trip:
    """A walk in a terminal of a size and a look; ``folder`` is where its pictures are kept."""

    folder: str
    walk: Walk
    size: tuple[int, int]
    look: str

    @property
    def name(self) -> str:
        return f"{self.folder}-{self.size[0]}x{self.size[1]}-{self.look}"


def key_of(slug: str) -> str:
    """Give the key that opens a game in the menu."""
    return str(1 + [game.slug for game in GAMES].index(slug))


async def stop_in_the_deal(pilot: Pilot[None], cards: int) -> None:
    """Deal, and look at the table while so many cards lie there."""
    with stopped_after(cards) as stopped:
        await strike(pilot, "space")
        await until(pilot, stopped)


def usual_walk(listing: GameListing) -> Walk:
    """Give the walk of a game that has none of its own: Space until a round is won and one lost."""

    async def walk(pilot: Pilot[None], shoot: Shoot) -> None:
        await press(pilot, key_of(listing.slug))
        shoot("before-bet")
        await press(pilot, "f4")
        shoot("tables")
        await press(pilot, "escape", "f1")
        shoot("help")
        await press(pilot, "escape")
        expected = {"won", "lost"}
        for _ in range(200):
            before = table(pilot.app).view.tally
            await press(pilot, "space")
            tally = table(pilot.app).view.tally
            net = tally.won - before.won - (tally.wagered - before.wagered)
            scene = "won" if net > 0 else "lost"
            if tally.rounds > before.rounds and net and scene in expected:
                expected.remove(scene)
                shoot(scene)
            if not expected:
                break
        await press(pilot, "f2")
        shoot("statistics")
        await press(pilot, "escape")
        while not table(pilot.app).sitting.staked:
            await press(pilot, "space")
        await press(pilot, "escape")
        shoot("leaving")

    return walk


def walk_of(listing: GameListing) -> Walk:
    """Give a game's own walk, which stands among its tests, or else the usual one."""
    own = _own(listing)
    if own is None:
        return usual_walk(listing)
    walk: Walk = own.WALK
    return walk


def trips_of(listing: GameListing) -> tuple[Trip, ...]:
    """Give a game's trips: its walk in every shape, and what else its tests walk through."""
    walk = walk_of(listing)
    usual = tuple(Trip(listing.slug, walk, size, look) for size, look in SHAPES)
    arguments: tuple[Trip, ...] = getattr(_own(listing), "OTHER_WALKS", ())
    return (*usual, *arguments)


def _own(listing: GameListing) -> ModuleType | None:
    """Import the walks that stand among the game's tests, if there are any."""
    folder = listing.slug.replace("-", "_")
    if not (GAME_TESTS / folder / "walk.py").exists():
        return None
    return import_module(f"tests.games.{folder}.walk")
