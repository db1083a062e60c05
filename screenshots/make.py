"""Take pictures of the program: run it without a terminal, press keys, write SVGs and recordings.

    python screenshots/make.py            write all files, and delete those that are no longer made
    python screenshots/make.py GAME ...   write only the files of these games
    python screenshots/make.py --check    write nothing; exit code 1 if a file differs

Every run makes the same bytes on any machine: the shuffle is seeded, the clock is stopped,
animation is off, and a picture is taken when the program is idle. The pictures of a game are its
:data:`MOMENTS`; a game without any is shown as its table opens, in all :data:`MODES`. Each game
also has a recording. The moving picture of the README is made from the recording of the tour.
"""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from animation import animated, still
from recordings import ROUNDS, TOUR, Film
from sample_daily import DAILY_FOLDER, daily_house, play_daily_samples
from sample_play import play_samples, sample_house

from tui_casino.gamekit.registry import GAMES
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace
from tui_casino.tui.terminal.detection import ColourDepth, GlyphSet, TerminalCapabilities, prepare

if TYPE_CHECKING:
    from textual.pilot import Pilot

HERE = Path(__file__).parent
TINY, SMALL, LARGE, VAST = (60, 20), (80, 24), (132, 43), (200, 60)
STILL = Settings(animation=False)


@dataclass(frozen=True)
class Mode:
    """A terminal, and its player's settings."""

    size: tuple[int, int] = SMALL
    colours: ColourDepth = ColourDepth.TRUE
    tier: GlyphSet = GlyphSet.UNICODE
    settings: Settings = STILL


@dataclass(frozen=True)
class Moment:
    """The state after some commands and keys; ``mode`` ``None`` means one picture in every mode."""

    commands: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    mode: Mode | None = None


@dataclass(frozen=True)
class Scene:
    """A picture of a moment in a game, or in the menu if ``game`` is ``None``.

    In the folder ``samples``, if given, are the sessions of `sample_play`. With a ``walk``, the
    picture is the one of its second name on the tests' walk of the first.
    """

    game: str | None
    seed: int | None
    moment: Moment
    mode: Mode
    samples: Path | None = None
    walk: tuple[str, str] | None = None


SIZES: Mapping[str, Mode] = {
    f"{columns}x{lines}": Mode((columns, lines)) for columns, lines in (TINY, SMALL, LARGE, VAST)
}
MODES: Mapping[str, Mode] = {
    **SIZES,
    "midnight": Mode(LARGE, settings=Settings(theme="midnight", animation=False)),
    "256-colours": Mode(colours=ColourDepth.MANY),
    "16-colours": Mode(colours=ColourDepth.FEW),
    "no-colour": Mode(colours=ColourDepth.NONE),
    "ascii": Mode(tier=GlyphSet.ASCII),
}


def rounds(holds: str) -> tuple[str, ...]:
    """Return the commands for rounds of video poker, from the positions held in each round."""
    return tuple(line for held in holds.split() for line in ("b 5", "d", " ".join(("h", *held))))


EARLIER = rounds("1245 35 25 24 5 34 1234 123 1245 24 123 235 5 34")
"""The best holds of the first rounds."""

COUPS = ("b 25 p", "b 5 t", "d", *("r", "d") * 30, "c", "b 25 b", "b 1 bp", "d")
"""Enough coups of baccarat to fill the roads."""

SPLIT = ("b 50", "i", "h", "p")
"""A round of Hit Me with insurance and a split; the first hand is a 14."""

TOUR_GAME = "video-poker"

SEEDS: Mapping[str, int] = {
    "video-poker": 30,
    "baccarat": 9,
    "five-card-draw": 5,
    "thirty-one": 399,
    "cribbage": 55510,
}

MOMENTS: Mapping[str, Mapping[str, Moment]] = {
    "video-poker": {
        "": Moment(EARLIER, ("space", "1", "3", "5")),
        "win": Moment(keys=("space", "1", "2", "4", "5", "space"), mode=Mode()),
        "trainer": Moment(EARLIER, ("t", "space", "1", "3", "5"), Mode()),
        "advice": Moment(keys=("space", "a"), mode=Mode()),
        "help": Moment(keys=("f1",), mode=Mode()),
        "statistics": Moment(EARLIER, ("f2",), Mode(LARGE)),
    },
    "baccarat": {
        "": Moment(COUPS),
        "bets": Moment(COUPS, ("1", "plus", "2", "3"), Mode()),
        "odds": Moment(COUPS, ("a",), Mode()),
        "roads": Moment(COUPS, ("v",), Mode(LARGE)),
        "statistics": Moment(COUPS, ("f2",), Mode(LARGE)),
    },
    "five-card-draw": {
        "": Moment(("d", "x 1", "d"), ("3", "4", "5")),
        "small": Moment(("d", "x 1", "d"), ("3", "4", "5"), Mode(TINY, tier=GlyphSet.ASCII)),
        "win": Moment(("d", "x 1", "d", "x 3 4 5"), mode=Mode()),
        "help": Moment(keys=("f1",), mode=Mode()),
    },
    "thirty-one": {
        "": Moment(SPLIT),
        "insurance": Moment(SPLIT[:1], mode=Mode()),
        "result": Moment((*SPLIT, "s", "h", "s"), mode=Mode()),
        "odds": Moment(SPLIT, ("o",), Mode()),
        "trainer": Moment(SPLIT, ("t",), Mode(LARGE)),
        "statistics": Moment((*SPLIT, "s", "h", "s"), ("f2",), Mode(LARGE)),
    },
    "cribbage": {
        "": Moment(("x 4 6", "p 2", "p 1")),
        "discard": Moment(keys=("4", "6"), mode=Mode()),
        "adviser": Moment(keys=("o",), mode=Mode()),
        "show": Moment(("x 4 6", "p 2", "p 1", "p 3", "p 4", "n", "n"), mode=Mode()),
    },
}
"""The moments of each game; the one without a name is pictured in every mode."""

AS_IT_OPENS: Mapping[str, Moment] = {"": Moment()}
"""The moments of a game that has none of its own."""


ROOMS: Mapping[str, Moment] = {
    "menu": Moment(),
    "records": Moment(keys=("r",)),
    "replay": Moment(keys=("r", "enter", "m")),
    "proof": Moment(keys=("r", "v")),
    "mistakes": Moment(keys=("m",)),
    "position": Moment(keys=("m", "down", "space")),
    "verdict": Moment(keys=("m", "down", "space", "1", "2", "space")),
    "leaks": Moment(keys=("l",)),
    "statistics": Moment(keys=("f2", "right")),
    "settings": Moment(keys=("f3",)),
}
"""The screens outside the games, with recorded sessions; pictured in every size."""

DAILY: Mapping[str, Moment] = {
    "daily": Moment(keys=("d",)),
    "daily-result": Moment(keys=("d", "space")),
    "daily-boards": Moment(keys=("d", "b")),
    "daily-lesson": Moment(keys=("d", "l", "1")),
}
"""The rooms of the daily deal on a server; pictured in two sizes."""

OTHERS: Mapping[str, tuple[str, str]] = {
    "tables": ("with-others", "room"),
    "others-baccarat": ("with-others", "bets"),
    "others-five-card-draw": ("with-others-draw", "hand"),
    "others-thirty-one": ("with-others-hit-me", "round"),
    "others-cribbage": ("with-others-cribbage", "discard"),
}
"""The room of tables with others, and a table of each game; pictured in two sizes."""


def main() -> int:
    """Run the command line and return the exit code."""
    parser = ArgumentParser(description="Take the pictures of the program.")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    parser.add_argument("games", metavar="GAME", nargs="*", help="only the files of these games")
    args = parser.parse_args()
    check, games = args.check, args.games
    with TemporaryDirectory() as samples:
        if not games:
            play_samples(Path(samples))
            play_daily_samples(Path(samples, DAILY_FOLDER))
            picture("", Scene(None, None, ROOMS["leaks"], Mode(), Path(samples)))  # fills the cache
        return make(games, Path(samples), check=check)


def make(games: Sequence[str], samples: Path, *, check: bool) -> int:
    """Write or compare the files of these games, or all files; return the exit code."""
    wanted = {name: scene for name, scene in scenes(samples) if not games or scene.game in games}
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:
        pictures = pool.map(picture, wanted, wanted.values())
        played = [game.slug for game in GAMES if not games or game.slug in games]
        films = pool.map(film, played)
        tour = pool.submit(film, TOUR_GAME, tour=True) if TOUR_GAME in played else None
        made = {f"{name}.svg": svg.encode() for name, svg in zip(wanted, pictures, strict=True)}
        made |= {f"{slug}.cast": cast for slug, cast in zip(played, films, strict=True)}
        if tour:
            made["tour.cast"] = tour.result()
            made["tour.svg"] = animated(tour.result().decode()).encode()
    there = {
        path.name: path.read_bytes()
        for pattern in ("*.svg", "*.cast")
        for path in HERE.glob(pattern)
        if not games or path.name in made
    }
    differ = sorted(name for name in made.keys() | there if made.get(name) != there.get(name))
    for name in differ:
        if check:
            sys.stderr.write(f"{name} {difference(name in made, name in there)}\n")
        elif name in made:
            (HERE / name).write_bytes(made[name])
        else:
            (HERE / name).unlink()
    return 1 if check and differ else 0


def difference(made: bool, there: bool) -> str:
    """Describe how a file on disk differs from the files that the program makes."""
    if not there:
        return "is missing"
    return "differs from what the program shows" if made else "is no longer made"


def scenes(samples: Path) -> Iterator[tuple[str, Scene]]:
    """Yield the name and the scene of every picture."""
    for name, moment in ROOMS.items():
        for size, mode in SIZES.items():
            yield f"{name}-{size}", Scene(None, None, moment, mode, samples)
    for name, moment in DAILY.items():
        for size in (SMALL, LARGE):
            where = samples / DAILY_FOLDER
            yield f"{name}-{size[0]}x{size[1]}", Scene(None, None, moment, Mode(size), where)
    for name, walk in OTHERS.items():
        for size in (SMALL, LARGE):
            yield f"{name}-{size[0]}x{size[1]}", Scene(None, None, Moment(), Mode(size), walk=walk)
    yield "menu-ascii", Scene(None, None, Moment(), Mode(tier=GlyphSet.ASCII))
    for game in GAMES:
        slug = game.slug
        for name, moment in MOMENTS.get(slug, AS_IT_OPENS).items():
            modes = MODES if moment.mode is None else {"": moment.mode}
            for suffix, mode in modes.items():
                full_name = "-".join(filter(None, (slug, name, suffix)))
                yield full_name, Scene(slug, SEEDS.get(slug, 1), moment, mode)


def picture(name: str, scene: Scene) -> str:
    """Take a picture; its title is its name."""
    with TemporaryDirectory() as folder:
        take = _taken if scene.walk is None else _walked
        return still(asyncio.run(take(scene, Path(folder))), name)


def film(slug: str, tour: bool = False) -> bytes:
    """Record a game, or the tour."""
    with TemporaryDirectory() as folder:
        return asyncio.run(_filmed(slug, Path(folder), tour))


async def _filmed(slug: str, folder: Path, tour: bool) -> bytes:
    scene = Scene(slug, SEEDS.get(slug, 1), Moment(), Mode())
    recorded = Film(folder / "film.cast")
    async with _opened(scene, folder) as pilot:
        if tour:
            for step in TOUR:
                await pilot.press(step.key)
                await _quiet(pilot)
                recorded.shot(pilot.app, step.seconds, step.caption)
            return recorded.ended()
        recorded.shot(pilot.app)
        for command in ROUNDS.get(slug, ()):
            await _do(pilot, command)
            recorded.shot(pilot.app)
    return recorded.ended()


async def _taken(scene: Scene, folder: Path) -> str:
    async with _opened(scene, folder) as pilot:
        for command in scene.moment.commands:
            await _do(pilot, command)
        for key in scene.moment.keys:
            await pilot.press(key)
            await _quiet(pilot)
        film = Film(folder / "still.cast", scene.mode.size)
        film.shot(pilot.app)
        taken = film.ended().decode()
        assert "no such key" not in taken, f"{scene.moment.keys}: not a key there"
        return taken


async def _walked(scene: Scene, folder: Path) -> str:
    """Take a picture on a walk of the tests, who play at the other seats."""
    assert scene.walk is not None
    trip, wanted = scene.walk
    prepare(TerminalCapabilities(scene.mode.colours, scene.mode.tier), os.environ)
    if str(HERE.parent) not in sys.path:
        sys.path.append(str(HERE.parent))
    from tests.helpers.arcade_pilot import arcade, run_app  # after prepare, as in the program
    from tests.tui.snapshots import HOUSE_WALKS, HOUSES

    taken = dict[str, str]()

    async def shoot(name: str) -> None:
        film = Film(folder / f"{name}.cast", scene.mode.size)
        film.shot(pilot.app)
        taken[name] = film.ended().decode()

    async with run_app(arcade(HOUSES[trip](folder)), *scene.mode.size) as pilot:
        await HOUSE_WALKS[trip](pilot, shoot)
    return taken[wanted]


async def _do(pilot: Pilot[None], command: str) -> None:
    """Run a command directly: each key press of a pilot takes a tenth of a second."""
    from tui_casino.tui.table.live import LiveTable

    assert isinstance(pilot.app.screen, LiveTable)
    pilot.app.screen.do(command)
    await _quiet(pilot)


@asynccontextmanager
async def _opened(scene: Scene, folder: Path) -> AsyncIterator[Pilot[None]]:
    """Run the app for a scene."""
    terminal = TerminalCapabilities(scene.mode.colours, scene.mode.tier)
    ansi_color = prepare(terminal, os.environ)
    from tui_casino.tui.app import Arcade, StartOptions  # after prepare, as in the program

    purse = SqliteLedger(None) if scene.game is None else None  # the menu shows a balance
    house = House(folder, purse, "player", clock=lambda: 0)
    if scene.samples and scene.samples.name == DAILY_FOLDER:
        house = daily_house(scene.samples)
    elif scene.samples:
        is_proof = scene.moment == ROOMS["proof"]  # it would show the path of the folder
        house = replace(sample_house(scene.samples), remote=is_proof)
    start = StartOptions(
        house,
        terminal,
        scene.mode.settings,
        folder / "settings.toml",
        scene.seed,
        scene.game,
    )
    stopwatch = "tui_casino.tui.positions.position_screen.monotonic"
    # the menu reads the sessions after a rest; whether a key comes before it must not matter
    with patch(stopwatch, lambda: 0.0), patch("tui_casino.tui.menu.screen.REST", 3600.0):
        async with Arcade(start, ansi_color).run_test(size=scene.mode.size) as pilot:
            await _quiet(pilot)
            yield pilot


async def _quiet(pilot: Pilot[None]) -> None:
    """Wait until all work is done and the screen is painted, as the tests do."""
    if str(HERE.parent) not in sys.path:
        sys.path.append(str(HERE.parent))
    from tests.helpers.arcade_pilot import settle  # not above: it imports the app

    await settle(pilot)


if __name__ == "__main__":
    sys.exit(main())
