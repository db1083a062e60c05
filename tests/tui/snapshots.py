"""Walk through every screen and write snapshots: ``python -m tests.tui.snapshots [GAME ...]``.

A snapshot is plain text: the screen's characters line by line, below them a letter for the style
of each cell, and the meaning of the letters. Read every changed file before you commit it, because
the tests expect its contents.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from shutil import copy
from string import ascii_letters, digits
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from unittest.mock import patch

from msgspec.structs import fields
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot

import tests.conftest  # noqa: F401  # one BLAS thread, as in the tests: sums are the same then
from tests.daily.play import DAY, best, deal_of, noon, play, worst
from tests.daily.server import Server
from tests.golden.write import OLD
from tests.helpers.arcade_pilot import (
    ME,
    STILL,
    arcade,
    practice,
    press,
    resize,
    run_app,
    settle,
    strike,
    until,
    with_purse,
)
from tests.helpers.ledger_sessions import act
from tests.helpers.screen_walks import (
    LEAST,
    LOOKS,
    OTHER_LOOKS,
    PLAIN_LOOKS,
    SHAPES,
    SMALL,
    UNICODE,
    Shoot,
    Trip,
    Walk,
    shoot_after,
    trips_of,
)
from tests.helpers.shared_table import Client, Desk
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import GAMES
from tui_casino.games import video_poker
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.games.baccarat.machine.state import Bet
from tui_casino.games.cribbage.machine import state as cribbage
from tui_casino.games.five_card_draw.machine import state as draw
from tui_casino.games.thirty_one.machine import state as hit_me
from tui_casino.games.video_poker.machine import game as poker
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace
from tui_casino.tui.app import Arcade
from tui_casino.tui.menu import screen as menu
from tui_casino.tui.table.shared import TableWithOthers
from tui_casino.tui.theme import Palette

FOLDER = Path(__file__).parent / "snapshots"
SEED = 144
TOO_SMALL = (39, 14)


# ---- the walks --------------------------------------------------------------------------------


async def the_house(pilot: Pilot[None], shoot: Shoot) -> None:
    """The menu of a player with a past, and all screens that open from it."""
    await shoot("menu")
    await shoot_after(pilot, shoot, "help", "f1")
    await shoot_after(pilot, shoot, "statistics", "escape", "f2")
    await shoot_after(pilot, shoot, "settings", "escape", "f3", "down")


async def the_records(pilot: Pilot[None], shoot: Shoot) -> None:
    """The list of logs, a replay with a mistake, its end, and the statistics of all logs."""
    await shoot_after(pilot, shoot, "list", "r", "down")
    await shoot_after(pilot, shoot, "help", "f1")
    await shoot_after(pilot, shoot, "damaged", "escape", "s", "s")
    await shoot_after(pilot, shoot, "mistake", "s", "home", "enter", "m")
    await shoot_after(pilot, shoot, "guess", "t", "z")
    await press(pilot, "escape", "t")
    await shoot_after(pilot, shoot, "replay-help", "f1")
    await press(pilot, "escape", "c")
    await settle(pilot)
    await shoot("curve")
    await shoot_after(pilot, shoot, "go-to", "escape", "n")
    await shoot_after(pilot, shoot, "end", "escape", "end")
    await shoot_after(pilot, shoot, "statistics", "escape", "escape", "f2")
    await shoot_after(pilot, shoot, "statistics-of-a-game", "left", "left")
    await shoot_after(pilot, shoot, "statistics-help", "f1")


async def the_daily_deal(pilot: Pilot[None], shoot: Shoot) -> None:
    """The room of the daily deal, and the result of a finished try."""
    await shoot_after(pilot, shoot, "room", "d")
    await shoot_after(pilot, shoot, "result", "space", "right")


async def the_daily_boards(pilot: Pilot[None], shoot: Shoot) -> None:
    """The boards of a server, and the result of a finished try with its place."""
    await shoot_after(pilot, shoot, "board", "d", "b")
    await shoot_after(pilot, shoot, "field", "escape", "space")


OTHERS = ("grace", "Christopher")
AnyTable: TypeAlias = TableWithOthers[Any, Any, Any, Any, Any]


async def the_table_with_others(pilot: Pilot[None], shoot: Shoot) -> None:
    """The room of tables, and one at which two others sit: with their bets, and after a coup."""
    await shoot_after(pilot, shoot, "room", "j")
    await press(pilot, "escape")
    screen, desk = await with_the_others(pilot)
    others_do(desk, Bet(25, BetSpot.BANKER), Bet(5, BetSpot.TIE))
    await until(pilot, lambda: all(one.doing for one in screen.seat.others()))
    screen._show_people()
    await shoot_after(pilot, shoot, "bets", "1")
    await strike(pilot, "space")
    await until(pilot, lambda: desk.replica.state.bettors[2].is_ready)
    desk.expire()
    await until(pilot, lambda: len(screen.table.state.coups) == 1 and screen.table.waiting)
    await settle(pilot)
    await shoot("coup")
    await press(pilot, "escape")


async def with_the_others(pilot: Pilot[None]) -> tuple[AnyTable, Desk]:
    """Sit down at the table with others."""
    app = pilot.app
    assert isinstance(app, Arcade)
    await app.desk.sit_with_others("K7QX")
    await settle(pilot)
    screen = app.screen
    assert isinstance(screen, TableWithOthers)
    client = screen.sitting.house.shared_tables
    assert isinstance(client, Client)
    return screen, client.desk


def others_do(desk: Desk, *actions: object) -> None:
    """Let the others act, each at their own seat."""
    with desk.changed:
        for seat, action in enumerate(actions):
            desk.replica.act(Seat(seat), action, OTHERS[seat])
        desk.changed.notify_all()


async def hit_me_with_others(pilot: Pilot[None], shoot: Shoot) -> None:
    """A round of Hit Me that all play at the same time."""
    screen, desk = await with_the_others(pilot)
    others_do(desk, hit_me.Bet(20), hit_me.Bet(50))
    await strike(pilot, "space")
    await until(pilot, lambda: screen.table.state.hands and screen.table.waiting)
    await settle(pilot)
    screen._show_people()
    await shoot("round")
    await press(pilot, "escape")


async def draw_with_others(pilot: Pilot[None], shoot: Shoot) -> None:
    """A hand of five-card draw with two others, who have checked and bet."""
    screen, desk = await with_the_others(pilot)
    others_do(desk, draw.Play(), draw.Play())
    await strike(pilot, "space")
    await until(pilot, lambda: desk.replica.state.play.betting)
    others_do(desk, draw.Check(), draw.Bet())
    await until(pilot, lambda: screen.table.state.betting and screen.table.waiting)
    await settle(pilot)
    screen._show_people()
    await shoot("hand")
    await press(pilot, "escape")


async def cribbage_with_another(pilot: Pilot[None], shoot: Shoot) -> None:
    """The first discard of a cribbage game with somebody else, who has discarded."""
    screen, desk = await with_the_others(pilot)
    await until(pilot, lambda: screen.table.state.hands[1])
    others_do(desk, cribbage.Discard((1, 2)))
    await until(pilot, lambda: screen.table.waiting)
    await settle(pilot)
    screen._show_people()
    await shoot("discard")
    await press(pilot, "escape")


async def only_the_menu(pilot: Pilot[None], shoot: Shoot) -> None:
    """The smallest menu, and the request for a larger window in a smaller one."""
    await shoot("menu")
    await resize(pilot, *TOO_SMALL)
    await shoot("too-small")


# ---- the trips --------------------------------------------------------------------------------


HOUSE_WALKS: Mapping[str, Walk] = {
    "house": the_house,
    "records": the_records,
    "daily": the_daily_deal,
    "daily-server": the_daily_boards,
    "with-others": the_table_with_others,
    "with-others-hit-me": hit_me_with_others,
    "with-others-draw": draw_with_others,
    "with-others-cribbage": cribbage_with_another,
}
TRIPS = (
    *(
        Trip(folder, walk, size, look)
        for folder, walk in HOUSE_WALKS.items()
        for size, look in SHAPES
    ),
    *(Trip("house", only_the_menu, LEAST, look) for look in PLAIN_LOOKS),
    Trip("records", the_records, LEAST, UNICODE),
    Trip("daily", the_daily_deal, LEAST, UNICODE),
    *(Trip("records", the_records, SMALL, look) for look in OTHER_LOOKS),
    *(trip for listing in GAMES for trip in trips_of(listing)),
)


async def pictures(trip: Trip, folder: Path) -> dict[Path, str]:
    """Run a trip with a house in this folder; return the text of each snapshot file.

    Only in the house's own trips does the menu load what it shows after a second of rest. Elsewhere
    it would depend on the speed of the machine whether a picture of the menu shows it.
    """
    house = HOUSES.get(trip.folder, practice)(folder)
    app = arcade(house, LOOKS[trip.look], STILL, seed=SEED)
    taken: dict[Path, str] = {}

    async def shoot(scene: str) -> None:
        width, height = app.size
        name = f"{scene}-{width}x{height}-{trip.look}.txt"
        assert FOLDER / trip.folder / name not in taken
        taken[FOLDER / trip.folder / name] = picture(app)

    rest = menu.REST if trip.folder in HOUSES else 86_400.0
    with patch.object(menu, "REST", rest):
        async with run_app(app, *trip.size) as pilot:
            await trip.walk(pilot, shoot)
    return taken


def lived_in(folder: Path) -> House:
    """Return the house of a player who has played before and left with a bet at stake."""
    house = with_purse(folder)
    assert house.ledger is not None
    for number, (bought, cashed) in enumerate([(1000, 1123), (1123, 400), (400, 400)]):
        entry = OpenSitting(f"session {number}", "video-poker", folder, None, 100 * bought)
        house.ledger.buy_in(entry, ME, at=number)
        house.ledger.cash_out(entry.id, 100 * cashed, None, at=number)
    source, seat = SeededSource(SEED), Seat(0)
    definition = video_poker.DEFINITION
    sitting = begin_sitting(
        house, definition, definition.game.Options(), ShuffledShoe(), source, {seat: None}
    )
    act(sitting, poker.Bet(5), poker.Draw())
    sitting.leave()
    house.ledger.buy_in(OpenSitting("other", "faro", folder, None, 0), ME, at=9)
    return house


def with_records(folder: Path) -> House:
    """Return a house for free play with an old log of every game, and a damaged log."""
    house = practice(folder)
    house.logs.mkdir()
    for listing in GAMES:
        copy(OLD / f"{listing.slug}.jsonl", house.logs)
    house.logs.joinpath("damaged.jsonl").write_text("not a log\n")
    return house


def with_daily(folder: Path) -> House:
    """Return a house for free play with a finished and an unfinished daily deal."""
    house = replace(practice(folder), clock=lambda: noon(DAY))
    rules = cycle((best, worst, best))
    play(house, deal_of("video-poker"), lambda values: next(rules)(values))
    play(house, deal_of("thirty-one"), best, 1)
    return house


def with_server(folder: Path) -> House:
    """Return the house of a server's player with a finished daily deal."""
    server = Server()
    server.name = "Bob"
    house = replace(practice(folder), clock=lambda: noon(DAY), remote=True, daily=server)
    deal = replace(deal_of("video-poker"), sealed=server.source(DAY, "video-poker"))
    rules = cycle((best, worst, best))
    play(house, deal, lambda values: next(rules)(values))
    return house


def with_others(
    folder: Path, game: str = "baccarat", seats: int | None = 3, buy_in: int = 400_00
) -> House:
    """Return the house of a player whom others await at a table."""
    options = {} if seats is None else {"seats": seats}
    desk = Desk(SqliteLedger(folder / "ledger.db"), game, options)
    for seat, name in enumerate(OTHERS[: desk.replica.seats - 1]):
        sitting = OpenSitting(name, game, folder / f"{name}.jsonl", None, buy_in)
        Client(desk, name).join("K7QX", seat, sitting)
    tables = Client(desk, ME)
    return House(folder / "logs", desk.ledger, ME, clock=desk.clock, shared_tables=tables)


HOUSES: Mapping[str, Callable[[Path], House]] = {
    "house": lived_in,
    "records": with_records,
    "daily": with_daily,
    "daily-server": with_server,
    "with-others": with_others,
    "with-others-hit-me": partial(with_others, game="thirty-one"),
    "with-others-draw": partial(with_others, game="five-card-draw"),
    "with-others-cribbage": partial(with_others, game="cribbage", seats=None, buy_in=0),
}
"""The walks whose snapshots need a house with a past instead of a new one."""

# ---- a picture --------------------------------------------------------------------------------

LETTERS = ascii_letters + digits + "!#$%&*+-/<=>?@^~"
COMMON = "."


def picture(app: Arcade) -> str:
    """Return the screen as text: its characters, the styles of its cells, and their meanings."""
    rows = [[*cells(app, strip)] for strip in app.screen._compositor.render_strips()]
    counts = Counter(style for row in rows for _, style in row)
    common = max(counts, key=lambda style: counts[style])
    letters = {common: COMMON}
    for style in counts:  # in their order on the screen
        if style != common:
            letters[style] = LETTERS[len(letters) - 1]
    text = ["".join(character for character, _ in row).rstrip() for row in rows]
    styles = ["".join(letters[style] for _, style in row) for row in rows]
    legend = [f"{letter} {style}" for style, letter in letters.items()]
    rule = "-" * app.size.width
    return "\n".join([*text, rule, *styles, rule, *legend, ""])


def cells(app: Arcade, strip: Iterable[Segment]) -> Iterator[tuple[str, str]]:
    """Return the cells of a line with their styles in words."""
    for text, style, _ in strip:
        inked, bare = in_words(app, style, True), in_words(app, style, False)
        for character in text:
            yield character, inked if character.strip() else bare


def in_words(app: Arcade, style: Style | None, inked: bool) -> str:
    """Describe a style in the words of the palette; without ``inked`` leave out the text colour."""
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
    """Return the palette's name for a colour, the first one if there are several."""
    if palette.bg.startswith("ansi_"):
        return {}
    colours = [f.name for f in fields(palette) if str(getattr(palette, f.name)).startswith("#")]
    return {getattr(palette, name): name for name in reversed(colours)}


def main(*folders: str) -> None:
    """Write the snapshots of these folders, or of all folders."""
    wanted = folders or ("*",)
    for old in (old for folder in wanted for old in FOLDER.glob(f"{folder}/*.txt")):
        old.unlink()
    for trip in TRIPS:
        if folders and trip.folder not in folders:
            continue
        with TemporaryDirectory() as folder:
            for path, text in asyncio.run(pictures(trip, Path(folder))).items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
