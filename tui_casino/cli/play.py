"""Sit down at a table from the command line: house, purse, broken sittings, console."""

from __future__ import annotations

import sys
import tempfile
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from .. import console
from ..arguments import number
from ..chance import SEED_LIMIT
from ..commands import Seating
from ..core import dollars
from ..errors import BadInput, write_error
from ..lobby import AnyParts, AnySitting, look_in, resume, sit_down
from ..places import ledger_file, log_folder
from ..records.ledger import Ledger
from ..records.log import InUse
from ..registry import GAMES
from ..sitting import House, Left

LONGEST_NAME = 40
RECALLED_LINES = 4
BUY_IN_LIMIT = 10**12


def play_on_console(parts: AnyParts, seating: Seating, args: Namespace) -> int:
    """Play a sitting on the console, a broken one first if there is one; give the exit code."""
    with ExitStack() as closing:
        seed = seed_of(args)
        house = open_house(args, closing, practice=seed is not None or seating.practice)
        if seating.talk:
            sitting = _begin(house, parts, seating, seed)
            left = console.converse(sitting, seating.talk, console.typed("> "), print, _warn)
        else:
            sitting = _broken(house, parts, seating) or _begin(house, parts, seating, seed)
            left = console.play(sitting, console.typed("> "), print, _warn)
        _say_farewell(sitting, left)
    return 0


def seed_of(args: Namespace) -> int | None:
    """Read ``--seed``. Raises :class:`~tui_casino.errors.BadInput`."""
    return None if args.seed is None else number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)


def open_house(args: Namespace, closing: ExitStack, practice: bool, name: str = "player") -> House:
    """Open the ledger, unless for practice; a guest's is kept in memory, the logs with it.

    ``name`` is the player's where the arguments name nobody.
    """
    logs = log_folder(args.log_dir) if args.log_dir or not args.guest else None
    if logs is None:
        logs = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="tui-casino-")))
    buy_in = None
    if args.buy_in is not None:
        buy_in = 100 * number("--buy-in", args.buy_in, 1, BUY_IN_LIMIT)
    name = args.player if args.player is not None else name
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadInput(f"--player: {name!r} is no name; a name is up to {LONGEST_NAME} letters")
    if practice:
        return House(logs, None, name, buy_in)
    ledger = Ledger(None if args.guest else ledger_file())
    closing.callback(ledger.close)
    return House(logs, ledger, name, buy_in)


def _broken(house: House, parts: AnyParts, seating: Seating) -> AnySitting | None:
    """Settle what was broken off, and give the first sitting of this game that goes on."""
    found = look_in(house, {game.slug: game.parts() for game in GAMES})
    for note in found.notes:
        _warn(note)
    for entry in found.waiting:
        if entry.game != parts.game.slug:
            _warn(f"a sitting of {entry.game} waits for you with a bet at stake")
    for entry in found.waiting:
        if entry.game == parts.game.slug:
            try:
                sitting = resume(house, parts, entry)
            except InUse:
                continue
            if sitting is not None:
                _warn("your sitting was broken off with a bet at stake; it goes on where it was")
                wanted = parts.game.sit(seating.options, entry.bought // parts.game.unit)
                if seating.chosen and wanted != sitting.table.options:
                    _warn("it keeps the options it was begun with; leave it to sit down with yours")
                print("\n".join(sitting.dialogue.recall()[-RECALLED_LINES:]))
                return sitting
    return None


def _begin(house: House, parts: AnyParts, seating: Seating, seed: int | None) -> AnySitting:
    sitting = sit_down(house, parts, seating, seed)
    if sitting.lent:
        _warn(f"your purse was too small for a bet: the house lends you {dollars(sitting.lent)}")
    origin = sitting.table.source.origin
    if origin.kind == "committed" and sitting.table.croupier.kind.name == "shuffled":
        _warn(f"the shuffle is committed to: {origin.value}")
    if not seating.talk:
        _warn(f"you sit down with {dollars(sitting.cents)}; ? helps, q leaves")
    return sitting


def _say_farewell(sitting: AnySitting, left: Left | None) -> None:
    if sitting.table.faults:
        report = write_error(sitting.table.faults[0])
        _warn(f"something went wrong on the side; what happened is written to {report}")
    if left is Left.BROKEN_OFF:
        _warn("your bet stays at the table: start again to go on")
    elif left is Left.CASHED_OUT and sitting.house.ledger is not None:
        purse = sitting.house.ledger.purse(sitting.house.player)
        _warn(f"you cash out {dollars(sitting.cents)}; your purse holds {dollars(purse)}")
    if sitting.log.path.parent == log_folder(None) or sitting.house.keeps:
        _warn(f"the session log is {sitting.log.path}")


def _warn(line: str) -> None:
    print(line, file=sys.stderr)
