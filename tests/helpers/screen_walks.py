"""Walks through the arcade in terminals of all sizes and looks; each game has its own walk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from msgspec import Struct
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import press, stopped_after, strike, table, until
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
    if look is UNICODE or size[0] <= 80  # ASCII characters do not change the layout
)
"""The sizes and looks in which every table is visited."""

Shoot = Callable[[str], Awaitable[None]]
"""Takes a snapshot of the current screen, or examines it in some other way."""
Walk = Callable[[Pilot[None], Shoot], Awaitable[None]]


class Trip(Struct, frozen=True):
    """A walk in a terminal of a size and a look; ``folder`` has its snapshots."""

    folder: str
    walk: Walk
    size: tuple[int, int]
    look: str

    @property
    def name(self) -> str:
        return f"{self.folder}-{self.size[0]}x{self.size[1]}-{self.look}"


def key_of(slug: str) -> str:
    """Return the key that opens a game in the menu."""
    return str(1 + [game.slug for game in GAMES].index(slug))


async def stop_in_the_deal(pilot: Pilot[None], cards: int) -> None:
    """Deal, and stop the deal after this number of cards."""
    with stopped_after(cards) as stopped:
        await strike(pilot, "space")
        await until(pilot, stopped)


async def shoot_after(pilot: Pilot[None], shoot: Shoot, scene: str, *keys: str) -> None:
    """Press keys, and take a snapshot of a scene."""
    await press(pilot, *keys)
    await shoot(scene)


def usual_walk(listing: GameListing) -> Walk:
    """Return a walk for any game: press Space until one round is won and one is lost."""

    async def walk(pilot: Pilot[None], shoot: Shoot) -> None:
        await shoot_after(pilot, shoot, "before-bet", key_of(listing.slug))
        await shoot_after(pilot, shoot, "tables", "f4")
        await shoot_after(pilot, shoot, "help", "escape", "f1")
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
                await shoot(scene)
            if not expected:
                break
        await shoot_after(pilot, shoot, "statistics", "f2")
        await press(pilot, "escape")
        while not table(pilot.app).sitting.staked:
            await press(pilot, "space")
        await shoot_after(pilot, shoot, "leaving", "escape")

    return walk


def walk_of(listing: GameListing) -> Walk:
    """Return the walk among a game's tests, or else the usual walk."""
    own = _own(listing)
    if own is None:
        return usual_walk(listing)
    walk: Walk = own.WALK
    return walk


def trips_of(listing: GameListing) -> tuple[Trip, ...]:
    """Return a game's trips: its walk in every shape, and the other walks of its tests."""
    walk = walk_of(listing)
    usual = tuple(Trip(listing.slug, walk, size, look) for size, look in SHAPES)
    arguments: tuple[Trip, ...] = getattr(_own(listing), "OTHER_WALKS", ())
    return (*usual, *arguments)


def _own(listing: GameListing) -> ModuleType | None:
    """Import the walks among the game's tests, if there are any."""
    folder = listing.slug.replace("-", "_")
    if not (GAME_TESTS / folder / "walk.py").exists():
        return None
    return import_module(f"tests.games.{folder}.walk")
