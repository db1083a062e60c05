"""Real sessions of any game, with a ledger on disk and a random human at the first seat."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.helpers.random_play import seed_of
from tui_casino.engine.chance import CommittedSource, DiceStream
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.gamekit.table_catalog import AnyTableSetup
from tui_casino.games.cribbage.face.table_catalog import TABLES
from tui_casino.house.lobby import AnySitting
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.clock import Clock
from tui_casino.records.codec import encode
from tui_casino.records.ledger import Ledger, OpenSitting
from tui_casino.records.replay import Verification, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

ME = "ann"
PURSED = tuple(game for game in GAMES if not game.tables().setup().practice)
"""The games whose usual table is for money; sessions of other games are not in the ledger."""

OTHER_TABLES = {"cribbage": TABLES.setup("greedy")}


def clock() -> int:
    return 1_767_225_600_000  # the first moment of 2026


def house_in(folder: Path, clock: Clock = clock) -> House:
    return House(folder / "logs", SqliteLedger(folder / "ledger.db"), ME, clock=clock)


def ledger_of(house: House) -> Ledger:
    assert house.ledger is not None
    return house.ledger


def only_open(house: House) -> OpenSitting:
    (entry,) = ledger_of(house).open_sittings(ME)
    return entry


def seating_at(listing: GameListing) -> AnyTableSetup:
    """Return the usual table, or another one of the game if it has its own source of chance."""
    return OTHER_TABLES.get(listing.slug) or listing.tables().setup()


def sit(listing: GameListing, house: House, number: int = 1, word: str = "") -> AnySitting:
    """Begin a session as from the menu, with a known committed shuffle, and a loan if needed."""
    seating, definition = seating_at(listing), listing.definition()
    house = replace(house, ledger=None) if seating.practice else house
    source = CommittedSource(seed_of(number), word)
    where = definition, seating.options, seating.croupier, source, seating.players
    return begin_sitting(house, *where, borrow=True)


def step(sitting: AnySitting) -> bool:
    """Play a step, the human's at random; return false if the session is over."""
    table = sitting.table
    if not table.waiting:
        return table.advance()
    turn = table.game.turn(table.state)
    if not isinstance(turn, AskSeats):
        return False
    dice = DiceStream(b"human", str(sitting.log.steps))
    (seat,) = turn.seats
    able = [offer for offer in table.game.offers(table.view(seat), seat) if offer.barred is None]
    table.submit(seat, able[dice.below(len(able))].sample(dice))
    return True


def act(sitting: AnySitting, *actions: object) -> None:
    """Make choices at the first seat, each one when the seat is asked."""
    for action in actions:
        sitting.table.run()
        sitting.table.submit(Seat(0), action)


def act_and_run(sitting: AnySitting, *actions: object) -> None:
    """Make choices at the first seat, and continue until it is asked again."""
    act(sitting, *actions)
    sitting.table.run()


def play_on(sitting: AnySitting, steps: int) -> None:
    """Play a number of steps, or until the session is over."""
    for _ in range(steps):
        if not step(sitting):
            return


def play_round_out(sitting: AnySitting) -> None:
    """Play until nothing is at stake, so the player can leave and the ledger has a checkpoint."""
    while sitting.staked and step(sitting):
        pass
    if sitting.binding is not None:
        sitting.binding.wait()


def played(
    listing: GameListing, house: House, number: int = 1, steps: int = 60, word: str = ""
) -> AnySitting:
    """Play a session, and cash out."""
    sitting = sit(listing, house, number, word)
    play_on(sitting, steps)
    play_round_out(sitting)
    sitting.leave()
    return sitting


def cents(listing: GameListing, state: Any) -> int:
    """Return the human's money, free and staked."""
    game = listing.definition().game
    money = game.money(state, Seat(0))
    return game.unit * (money.free + money.staked)


def verdict_of(path: Path, house: House | None = None) -> Verification:
    """Verify a log as the program does, with the ledger of a house or without one."""
    log = read_log(path)
    definition = listing_of(log.header.game).definition()
    known = None if house is None else ledger_of(house).checkpoint_of(path, (log.head, log.hash))
    return verify_log(definition, log, known)


Lines = list[dict[str, Any]]


def lines_of(path: Path) -> Lines:
    """Read a log without the program's code; return one dictionary per line."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def write(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    """Write lines as a log, with the hashes in them unchanged."""
    path.write_bytes(b"".join(encode(line) + b"\n" for line in lines))
    return path


def chained(lines: Lines) -> Lines:
    """Renumber the steps and recompute the hash chain, as a forger who knows the format could."""
    made: Lines = [lines[0]]
    for number, line in enumerate(lines[1:], 1):
        new = dict(line)
        if "n" in new:
            new["n"] = number
        new["prev"] = hashlib.sha256(encode(made[-1])).hexdigest()
        made.append(new)
    return made
