"""Walk through every screen and write what is seen there: ``python -m tests.tui.snapshots``.

A picture is plain text: the screen's characters line by line, below them a letter for the style
of each cell, and what the letters stand for. Read every changed file by eye before it is
committed: what stands there is what tests expect.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from shutil import copy
from string import ascii_letters, digits
from tempfile import TemporaryDirectory

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot

from tests.golden.write import OLD
from tests.tui.houses import (
    ME,
    STILL,
    arcade,
    opened,
    practice,
    press,
    resize,
    settle,
    stopped_after,
    strike,
    until,
    with_purse,
)
from tui_casino.cards.card import hand
from tui_casino.engine.chance import NumberedSource
from tui_casino.engine.croupier import CardFile, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit import registry
from tui_casino.gamekit.seating import Seating
from tui_casino.games import video_poker
from tui_casino.games.cribbage.face.tables import seating_of, trainer
from tui_casino.games.five_card_draw.brains.algorithm import decide
from tui_casino.games.thirty_one.machine.state import Options as Options31
from tui_casino.games.video_poker.machine.game import Bet, Draw
from tui_casino.house.sitting import House, begin
from tui_casino.records.ledger import OpenSitting
from tui_casino.tui.app import Arcade
from tui_casino.tui.look.palette import Palette
from tui_casino.tui.modals import Page, Question
from tui_casino.tui.table.screen import GameScreen
from tui_casino.tui.terminal.detection import Colours, Terminal, Tier

FOLDER = Path(__file__).parent / "snapshots"
SEED = 144
SIZES = ((80, 24), (132, 43), (60, 20))
LEAST = (40, 15)
TOO_SMALL = (39, 14)
UNICODE, ASCII = "unicode", "ascii"
LOOKS: Mapping[str, Terminal] = {
    UNICODE: Terminal(Colours.TRUE, Tier.UNICODE),
    ASCII: Terminal(Colours.TRUE, Tier.ASCII),
    "cp437": Terminal(Colours.FEW, Tier.CP437),
    "256-colours": Terminal(Colours.MANY, Tier.UNICODE),
    "no-colour": Terminal(Colours.NONE, Tier.UNICODE),
}

ROUND = 12345
"""The seed of a round of cribbage."""

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


# ---- the walks --------------------------------------------------------------------------------


async def the_house(pilot: Pilot[None], shoot: Shoot) -> None:
    """The menu of a player with a past, and all that opens from it."""
    shoot("menu")
    await press(pilot, "f1")
    shoot("help")
    await press(pilot, "escape", "f2")
    shoot("statistics")
    await press(pilot, "escape", "f3", "down")
    shoot("settings")


async def the_records(pilot: Pilot[None], shoot: Shoot) -> None:
    """The list of logs, a replay with a mistake, its end, and what all of them come to."""
    await press(pilot, "r", "down")
    shoot("list")
    await press(pilot, "f1")
    shoot("help")
    await press(pilot, "escape", "s", "s", "s")
    shoot("damaged")
    await press(pilot, "s", "home", "enter", "m")
    shoot("mistake")
    await press(pilot, "f1")
    shoot("replay-help")
    await press(pilot, "escape", "g")
    shoot("go-to")
    await press(pilot, "escape", "end")
    shoot("end")
    await press(pilot, "escape", "escape", "f2")
    shoot("statistics")
    await press(pilot, "left", "left")
    shoot("statistics-of-a-game")
    await press(pilot, "f1")
    shoot("statistics-help")


async def cribbage_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """A round of the trainer from a known seed, and the beginning of a game; all that opens."""
    await press(pilot, str(1 + [game.slug for game in registry.GAMES].index("cribbage")))
    table = pilot.app.screen
    assert isinstance(table, GameScreen)
    table.leave_for(seating_of(replace(trainer(), java=ROUND)))
    await settle(pilot)
    pilot.app.clear_notifications()
    shoot("before-bet")
    await press(pilot, "f4")
    shoot("tables")
    await press(pilot, "escape", "f1")
    shoot("help")
    await press(pilot, "escape", "2", "5")
    shoot("discarding")
    await press(pilot, "a")
    await until(pilot, lambda: isinstance(pilot.app.screen, Page))
    await settle(pilot)
    shoot("coach")
    await press(pilot, "escape", "x", "space", "1")
    shoot("typing")
    await press(pilot, "space", "2", "enter", "1")
    shoot("play")
    await press(pilot, "2", "3", "4", "space")
    shoot("lost")
    await press(pilot, "space")
    shoot("won")
    await press(pilot, "v")
    shoot("log")
    await press(pilot, "escape", "f2")
    shoot("statistics")
    await press(pilot, "escape", "space")
    shoot("crib")
    await press(pilot, "f4", "down", "down", "enter")
    await settle(pilot)
    pilot.app.clear_notifications()
    shoot("game")
    await press(pilot, "escape")
    shoot("leaving")


async def only_the_menu(pilot: Pilot[None], shoot: Shoot) -> None:
    """The menu, and the request for a larger window, at the size where it begins."""
    shoot("menu")
    await resize(pilot, *TOO_SMALL)
    shoot("too-small")


async def video_poker_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Two rounds of video poker, one won and one lost, and all that opens on the way."""
    await press(pilot, "1")
    shoot("before-bet")
    await press(pilot, "f4")
    shoot("pay-tables")
    await press(pilot, "escape", "f1")
    shoot("help")
    await press(pilot, "escape", "space", "2", "4")
    shoot("holding")
    await press(pilot, "o")
    shoot("odds")
    await press(pilot, "escape", "escape")
    shoot("leaving")
    await press(pilot, "n", "space")
    shoot("won")
    await press(pilot, "f2")
    shoot("statistics")
    await press(pilot, "escape", "space", "t", "5", "space")
    shoot("warned")
    await press(pilot, "h", "space", "2")
    shoot("typing")
    await press(pilot, "enter")
    shoot("lost")
    await press(pilot, "3")
    shoot("bet-chosen")
    await stop_in_the_deal(pilot, 3)
    shoot("dealing")


async def baccarat_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Coups of baccarat with and without bets, and all that opens on the way."""
    await press(pilot, "2")
    shoot("before-bet")
    await press(pilot, "f4")
    shoot("tables")
    await press(pilot, "escape", "f1")
    shoot("help")
    await press(pilot, "escape", "plus", "1", "1", "3", "minus", "4")
    shoot("bets")
    await press(pilot, "c", "b", "space", "2", "5", "space", "b")
    shoot("typing")
    await press(pilot, "enter", "space")
    shoot("tie")
    await press(pilot, "a")
    shoot("odds")
    await press(pilot, "escape", "r", "space")
    shoot("won")
    await press(pilot, *["r", "space"] * 2)
    shoot("lost")
    await press(pilot, *["space"] * 20)
    shoot("roads")
    await press(pilot, "v")
    shoot("all-roads")
    await press(pilot, "escape", "f2")
    shoot("statistics")
    await press(pilot, "escape", "1")
    await stop_in_the_deal(pilot, 3)
    shoot("dealing")
    await strike(pilot, "escape")
    await until(pilot, lambda: isinstance(pilot.app.screen, Question))
    await settle(pilot, workers=False)
    shoot("leaving")


async def some_coups(pilot: Pilot[None], shoot: Shoot) -> None:
    """Baccarat's table alone, in other looks."""
    await press(pilot, "2", "1", "space", *["r", "space"] * 15)
    shoot("roads")


async def five_card_draw_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Hands of five-card draw, lost and won, and a hand with bets; all that opens on the way."""
    await press(pilot, "3")
    shoot("before-bet")
    await press(pilot, "f4")
    shoot("tables")
    await press(pilot, "escape", "f1")
    shoot("help")
    await press(pilot, "escape", "space", "4", "5")
    shoot("holding")
    await press(pilot, "a")
    shoot("advice")
    await press(pilot, "x", "space", "5")
    shoot("typing")
    await press(pilot, "enter")
    shoot("lost")
    await press(pilot, "f4", "home", "enter")  # one opponent is soon beaten
    for _ in range(20):  # as the algorithm plays
        table = pilot.app.screen
        assert isinstance(table, GameScreen)
        await press(pilot, "space")
        await press(pilot, *map(str, decide(table.view.hands[0]).discards), "space")
        if 0 in table.view.winners:
            break
    shoot("won")
    await press(pilot, "f2")
    shoot("statistics")
    await press(pilot, "escape", "f4", "down", "down", "down", "down", "down", "enter")
    await press(pilot, "space", "k")
    shoot("bets")
    await press(pilot, "escape")
    shoot("leaving")


ROUNDS_OF_31 = hand("7C 9D 7H KS 9C 5D  8H AS 8C 2D 3H TS TC KD 9H  5S 6C 4D")
"""Known cards: a 14 that wins; an insured split that loses; one more round."""


async def thirty_one_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Rounds of 31 with all that is asked on the way, from known cards."""
    await press(pilot, "4")
    shoot("before-bet")
    await press(pilot, "f4")
    shoot("tables")
    await press(pilot, "escape", "f1")
    shoot("help")
    await press(pilot, "escape")
    table = pilot.app.screen
    assert isinstance(table, GameScreen)
    table.leave_for(Seating(Options31(), CardFile(ROUNDS_OF_31), practice=True))
    await settle(pilot)
    pilot.app.clear_notifications()
    await press(pilot, "2", "right", "b", "space", "5")
    shoot("typing")
    await press(pilot, "0", "enter", "h")
    shoot("fourteen")
    await press(pilot, "s")
    shoot("won")
    await press(pilot, "f2")
    shoot("statistics")
    await press(pilot, "escape", "3", "left", "space")
    shoot("insurance")
    await press(pilot, "i", "h", "p", "h", "s", "h")
    shoot("split")
    await press(pilot, "escape")
    shoot("leaving")
    await press(pilot, "n", "s")
    shoot("lost")
    await press(pilot, "space", "h", "o")
    await until(pilot, lambda: isinstance(pilot.app.screen, Page))
    await settle(pilot)
    shoot("odds")


async def a_round(pilot: Pilot[None], shoot: Shoot) -> None:
    """The table alone, in other looks."""
    await press(pilot, "1", "space", "2", "4")
    shoot("holding")
    await press(pilot, "space")
    shoot("won")


async def at_the_least_size(pilot: Pilot[None], shoot: Shoot) -> None:
    """What must fit the smallest window."""
    await press(pilot, "1", "space", "2", "4")
    shoot("holding")
    await press(pilot, "escape")
    shoot("leaving")
    await press(pilot, "n", "f4")
    shoot("first-finish")
    await press(pilot, "space", "f1")
    shoot("help")


async def stop_in_the_deal(pilot: Pilot[None], cards: int) -> None:
    """Deal, and look at the table while so many cards lie there."""
    with stopped_after(cards) as stopped:
        await strike(pilot, "space")
        await until(pilot, stopped)


# ---- the trips --------------------------------------------------------------------------------


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


GAMES: Mapping[str, Walk] = {
    "video-poker": video_poker_table,
    "baccarat": baccarat_table,
    "five-card-draw": five_card_draw_table,
    "thirty-one": thirty_one_table,
    "cribbage": cribbage_table,
}
"""A game's walk, by its slug."""

TRIPS = (
    *(
        Trip(folder, walk, size, look)
        for folder, walk in {"house": the_house, "records": the_records, **GAMES}.items()
        for size, look in SHAPES
    ),
    *(Trip("house", only_the_menu, LEAST, look) for look in (UNICODE, ASCII)),
    Trip("records", the_records, LEAST, UNICODE),
    *(
        Trip("records", the_records, SIZES[0], look)
        for look in LOOKS
        if look not in (UNICODE, ASCII)
    ),
    *(Trip("video-poker", at_the_least_size, LEAST, look) for look in (UNICODE, ASCII)),
    *(Trip("baccarat", some_coups, LEAST, look) for look in (UNICODE, ASCII)),
    *(
        Trip(folder, walk, SIZES[0], look)
        for folder, walk in {"video-poker": a_round, "baccarat": some_coups}.items()
        for look in LOOKS
        if look not in (UNICODE, ASCII)
    ),
)


async def pictures(trip: Trip, folder: Path) -> dict[Path, str]:
    """Go on a trip, with a house in this folder; give what is to stand in which file."""
    house = HOUSES.get(trip.folder, practice)(folder)
    app = arcade(house, LOOKS[trip.look], STILL, seed=SEED)
    taken: dict[Path, str] = {}

    def shoot(scene: str) -> None:
        width, height = app.size
        name = f"{scene}-{width}x{height}-{trip.look}.txt"
        assert FOLDER / trip.folder / name not in taken
        taken[FOLDER / trip.folder / name] = picture(app)

    async with opened(app, *trip.size) as pilot:
        await trip.walk(pilot, shoot)
    return taken


def lived_in(folder: Path) -> House:
    """Give the house of a player who has played before, and left with a bet at stake."""
    house = with_purse(folder)
    assert house.ledger is not None
    for number, (bought, cashed) in enumerate([(1000, 1123), (1123, 400), (400, 400)]):
        entry = OpenSitting(f"sitting {number}", "video-poker", folder, None, 100 * bought)
        house.ledger.buy_in(entry, ME, at=number)
        house.ledger.cash_out(entry.id, 100 * cashed, None, at=number)
    source, seat = NumberedSource(SEED), Seat(0)
    parts = video_poker.PARTS
    sitting = begin(house, parts, parts.game.Options(), ShuffledShoe(), source, {seat: None})
    for action in (Bet(5), Draw()):
        sitting.table.run()
        sitting.table.submit(seat, action)
    sitting.leave()
    house.ledger.buy_in(OpenSitting("other", "faro", folder, None, 0), ME, at=9)
    return house


def with_records(folder: Path) -> House:
    """Give a house for practice with an old log of every game, and a damaged one."""
    house = practice(folder)
    house.logs.mkdir()
    for listing in registry.GAMES:
        copy(OLD / f"{listing.slug}.jsonl", house.logs)
    house.logs.joinpath("damaged.jsonl").write_text("not a log\n")
    return house


HOUSES: Mapping[str, Callable[[Path], House]] = {"house": lived_in, "records": with_records}
"""Whose pictures are taken in another house than a new one."""

# ---- a picture --------------------------------------------------------------------------------

LETTERS = ascii_letters + digits + "!#$%&*+-/<=>?@^~"
COMMON = "."


def picture(app: Arcade) -> str:
    """Write down the screen: its characters, the styles of its cells, and what these are."""
    rows = [[*cells(app, strip)] for strip in app.screen._compositor.render_strips()]
    counts = Counter(style for row in rows for _, style in row)
    common = max(counts, key=lambda style: counts[style])
    letters = {common: COMMON}
    for style in counts:  # as they come, line by line
        if style != common:
            letters[style] = LETTERS[len(letters) - 1]
    text = ["".join(character for character, _ in row).rstrip() for row in rows]
    styles = ["".join(letters[style] for _, style in row) for row in rows]
    legend = [f"{letter} {style}" for style, letter in letters.items()]
    rule = "-" * app.size.width
    return "\n".join([*text, rule, *styles, rule, *legend, ""])


def cells(app: Arcade, strip: Iterable[Segment]) -> Iterator[tuple[str, str]]:
    """Give the cells of a line with their styles in words."""
    for text, style, _ in strip:
        inked, bare = in_words(app, style, True), in_words(app, style, False)
        for character in text:
            yield character, inked if character.strip() else bare


def in_words(app: Arcade, style: Style | None, inked: bool) -> str:
    """Say a style in the palette's words; the ink of a blank cell is not seen."""
    style = style or Style.null()
    names = colour_names(app.look.palette)

    def name(colour: Color | None) -> str:
        return "default" if colour is None else names.get(colour.name, colour.name)

    seen = ["bold", "dim", "italic", "underline", "strike", "reverse", "blink"]
    seen = [attribute for attribute in seen if getattr(style, attribute)]
    if not inked and not {"underline", "strike", "reverse"} & {*seen}:
        return f"on {name(style.bgcolor)}"
    return " ".join([name(style.color), "on", name(style.bgcolor), *seen])


@cache
def colour_names(palette: Palette) -> Mapping[str, str]:
    """Give the palette's own name of a colour, the first one if it has several."""
    if palette.bg.startswith("ansi_"):
        return {}
    colours = [f.name for f in fields(palette) if str(getattr(palette, f.name)).startswith("#")]
    return {getattr(palette, name): name for name in reversed(colours)}


def main() -> None:
    for old in FOLDER.glob("*/*.txt"):
        old.unlink()
    for trip in TRIPS:
        with TemporaryDirectory() as folder:
            for path, text in asyncio.run(pictures(trip, Path(folder))).items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
