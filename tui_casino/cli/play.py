"""Sit down at a table from the command line: house, purse, broken sittings, console."""

from __future__ import annotations

import sys
import tempfile
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from .. import console
from ..arguments import number
from ..chance import CommittedSource, NumberedSource, Source
from ..commands import Seating
from ..files import BadInput
from ..parts import Parts
from ..places import ledger_file, log_folder
from ..records.ledger import Ledger
from ..records.log import InUse
from ..sitting import PRACTICE, House, Left, Settled, Sitting, begin, take_up

AnyParts = Parts[Any, Any, Any, Any]
AnySitting = Sitting[Any, Any, Any, Any]

RECALLED_LINES = 4
SEED_LIMIT = 10**18 - 1
BUY_IN_LIMIT = 10**12


def sit_down(parts: AnyParts, seating: Seating, args: Namespace) -> int:
    """Play a sitting on the console, a broken one first if there is one; give the exit code."""
    with ExitStack() as closing:
        house, source = _house(seating, args, closing)
        sitting = _broken(house, parts) or _begin(house, parts, seating, source)
        left = console.play(sitting, console.typed("> "), print, _warn)
        _say_farewell(sitting, left)
    return 0


def _house(seating: Seating, args: Namespace, closing: ExitStack) -> tuple[House, Source]:
    """Open the ledger, unless this is practice; a guest's is kept in memory, the logs with it."""
    logs = log_folder(args.log_dir) if args.log_dir or not args.guest else None
    if logs is None:
        logs = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="tui-casino-")))
    buy_in = None
    if args.buy_in is not None:
        buy_in = 100 * number("--buy-in", args.buy_in, 1, BUY_IN_LIMIT)
    if args.seed is not None:
        seed = number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)
        return House(logs, None, args.player, buy_in), NumberedSource(seed)
    if seating.practice:
        return House(logs, None, args.player, buy_in), CommittedSource()
    ledger = Ledger(None if args.guest else ledger_file())
    closing.callback(ledger.close)
    return House(logs, ledger, args.player, buy_in), CommittedSource()


def _begin(house: House, parts: AnyParts, seating: Seating, source: Source) -> AnySitting:
    options = seating.options
    if house.ledger is None:
        purse = PRACTICE if house.buy_in is None else house.buy_in
        options = parts.game.sit(options, purse // parts.game.unit)
    try:
        sitting = begin(house, parts, options, seating.croupier, source, seating.players)
    except OSError as error:
        raise BadInput(
            f"the session log cannot be begun in {house.logs}: {error.strerror or error}; "
            "choose a folder with --log-dir"
        ) from None
    if sitting.lent:
        _warn(f"your purse was too small for a bet: the house lends you {dollars(sitting.lent)}")
    origin = sitting.table.source.origin
    if origin.kind == "committed":
        _warn(f"the shuffle is committed to: {origin.value}")
    return sitting


def _broken(house: House, parts: AnyParts) -> AnySitting | None:
    """Settle what was broken off, and give the first sitting of this game that goes on."""
    if house.ledger is None:
        return None
    from ..registry import GAMES

    for entry in house.ledger.open_sittings(house.player):
        its_parts = next((game.parts() for game in GAMES if game.slug == entry.game), None)
        if its_parts is None:
            _warn(f"a sitting of {entry.game} is open, a game that this program does not have")
            continue
        try:
            found = take_up(house, house.ledger, its_parts, entry)
        except InUse:
            continue
        except (BadInput, OSError) as error:
            _warn(f"a sitting of {entry.game} waits, but its log cannot be played on: {error}")
            continue
        if isinstance(found, Settled):
            _warn(f"a sitting of {entry.game} that was broken off is settled: {found.value}")
        elif found.parts.game.slug == parts.game.slug:
            _warn("your sitting was broken off with a bet at stake; it goes on where it was")
            print("\n".join(found.dialogue.recall()[-RECALLED_LINES:]))
            return found
        else:
            found.leave()
            _warn(f"a sitting of {entry.game} waits for you with a bet at stake")
    return None


def _say_farewell(sitting: AnySitting, left: Left | None) -> None:
    if left is Left.BROKEN_OFF:
        _warn("your bet stays at the table: start again to go on")
    elif left is Left.CASHED_OUT and sitting.house.ledger is not None:
        purse = sitting.house.ledger.purse(sitting.house.player)
        _warn(f"you cash out {dollars(sitting.cents)}; your purse holds {dollars(purse)}")
    _warn(f"the session log is {sitting.log.path}")


def dollars(cents: int) -> str:
    """Print cents as ``1,000.00``."""
    return f"{cents // 100:,}.{cents % 100:02}"


def _warn(line: str) -> None:
    print(line, file=sys.stderr)
