"""``tui-casino ledger``: rebuild the ledger from logs, settle sessions without logs."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from ..engine.money import dollars
from ..gamekit.registry import DEFINITIONS
from ..house.paths import PLAYER, ledger_file, log_folder
from ..house.settlement import UnresumableSitting, settle_sitting, unresumable_sittings
from ..house.sitting import House
from ..inputs.errors import BadInput
from ..inputs.files import real_path
from ..inputs.numbers import count_noun
from ..records.ledger import Ledger, LedgerContents, LedgerDamaged, LogCheckpoint, Marker
from ..records.ledger_rebuild import RebuildFindings, RebuiltLedger, find_unbooked, rebuild_purses
from ..records.sqlite_ledger import SqliteLedger
from .console import confirm, say
from .parser import add_subcommand

_UNKNOWN = (
    "the logs do not show sessions whose logs are missing, or which logs are a guest's; the bet",
    "of a hand that was open when the ledger was lost is given back",
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    rebuild = add_subcommand(commands, "ledger rebuild")
    rebuild.add_argument("--log-dir", metavar="DIR", help="the folder of the session logs")
    rebuild.add_argument("--player", metavar="NAME", help="add only the sessions of this player")
    rebuild.add_argument("--yes", action="store_true", help="write the ledger without asking")
    rebuild.set_defaults(run=rebuild_ledger)
    settle = add_subcommand(commands, "ledger settle")
    settle.add_argument("--yes", action="store_true", help="settle them without asking")
    settle.set_defaults(run=settle_sittings)


def run(args: Namespace) -> int:
    """Run the subcommand. Raises :class:`BadInput`."""
    subcommand: Callable[[Namespace], int] = args.run
    return subcommand(args)


def rebuild_ledger(args: Namespace) -> int:
    """Show what the logs contain that the ledger does not, and add it if the player agrees.

    Raises :class:`BadInput`, for example if the ledger is locked or has a newer version.
    """
    file, folder = ledger_file(), real_path(args.cwd / log_folder(args.log_dir, args.environ))
    if args.log_dir and not folder.exists():
        raise BadInput(f"{args.log_dir}: there is no such folder")
    damage: str | None = None
    books = LedgerContents()
    try:
        books = _books(file, args.patience)
    except LedgerDamaged as error:
        damage = str(error)
    findings = find_unbooked(folder, DEFINITIONS, books, args.player)
    rebuilt = rebuild_purses(books, (one for one in findings.unbooked))
    say(_present(file, books, damage))
    for line in _rebuild_lines(folder, findings, rebuilt):
        say(line)
    if rebuilt.after == books and damage is None:
        say("nothing to change")
        return 0
    for line in _UNKNOWN:
        say(line)
    otherwise = "nothing was changed; --yes writes the changes without asking"
    if not args.yes and not confirm("write these changes to the ledger?", otherwise):
        return 0
    backup = _write(file, rebuilt, damage is not None, args.patience)
    say("the ledger was written" + (f"; the old one was kept as {backup}" if backup else ""))
    return 0


def _books(file: Path, patience: float | None) -> LedgerContents:
    if not file.exists():
        return LedgerContents()
    with closing(SqliteLedger.look_at(file, patience)) as ledger:
        return ledger.books()


def _write(
    file: Path, rebuilt: RebuiltLedger, damaged: bool, patience: float | None
) -> Path | None:
    """Write the ledger, keep a copy of the old one, and return the copy's path, if there is one."""
    backup = _beside(file)
    there = False
    if damaged or not file.exists():  # the old ledger's files must not be used with the new one
        for suffix in ("", "-wal", "-shm"):
            part = file.with_name(file.name + suffix)
            if part.exists():
                os.replace(part, backup.with_name(backup.name + suffix))
                there = True
    with closing(SqliteLedger(file, patience)) as ledger:
        if not ledger.new:
            ledger.copy_to(backup)
            there = True
        ledger.amend(rebuilt.before, rebuilt.after)
    return backup if there else None


def _beside(file: Path) -> Path:
    """Return a path next to the ledger that does not exist yet."""
    stamp = f"{file.name}.kept-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    names = (stamp if number == 1 else f"{stamp}-{number}" for number in range(1, 1000))
    free = (file.with_name(name) for name in names)
    return next(path for path in free if not path.exists())


def settle_sittings(args: Namespace) -> int:
    """Show the open sessions that cannot be resumed, and pay them out if the player agrees.

    Raises :class:`BadInput`.
    """
    file = ledger_file()
    if not file.exists():
        raise BadInput(
            f"there is no ledger {file}, so there is nothing to settle; if it was lost, "
            "tui-casino ledger rebuild restores it from the logs"
        )
    house = House(args.cwd / log_folder(None, args.environ), None, PLAYER)
    with closing(SqliteLedger(file, args.patience)) as ledger:
        settle_all(house, ledger, unresumable_sittings(house, ledger, DEFINITIONS), yes=args.yes)
    return 0


def settle_all(
    house: House,
    ledger: Ledger,
    unresumable: Sequence[UnresumableSitting],
    *,
    yes: bool,
    note: Callable[[UnresumableSitting], object] = lambda one: None,
) -> None:
    """Show which sessions would be settled; if agreed, settle them and call ``note`` for each.

    Raises :class:`~tui_casino.records.ledger.LedgerError`, and :class:`BadInput` if nobody can be
    asked.
    """
    for one in unresumable:
        say(f"{one.entry.id} of {one.player}: {one.reason}")
        progress = _progress_text(one.entry.checkpoint)
        say(f"  settling pays {dollars(one.entry.owed)}, {progress}")
    if not unresumable:
        say("nothing to settle: every open session can be resumed")
        return
    say("if a log is found again later, its session cannot be resumed")
    question = f"settle {count_noun(len(unresumable), 'session')}?"
    if not yes and not confirm(question, "nothing was settled; --yes settles without asking"):
        return
    for one in unresumable:
        if settle_sitting(house, ledger, one.entry):
            note(one)
            purse = dollars(ledger.balance(one.player))
            say(f"{one.entry.id} is settled; the balance of {one.player} is {purse}")
            if one.entry.seed is not None:
                say(f"  its seed was {one.entry.seed.hex()}")


def _progress_text(checkpoint: LogCheckpoint) -> str:
    if checkpoint.mark is None:
        return "the buy-in"
    return f"the money after step {checkpoint.steps}, the last one in the ledger"


# ---- output -----------------------------------------------------------------------------------


def _present(file: Path, books: LedgerContents, damage: str | None) -> str:
    if damage is not None:
        return f"{damage}; a new ledger replaces it"
    if not file.exists():
        return f"there is no ledger {file}"
    return f"the ledger {file} has {count_noun(len(books.sittings), 'session')}"


def _rebuild_lines(
    folder: Path, findings: RebuildFindings, rebuilt: RebuiltLedger
) -> Iterator[str]:
    unbooked, left_out = findings.unbooked, findings.left_out
    yield (
        f"logs in {folder}: {findings.known} known, {len(unbooked)} new, "
        f"{findings.practice} of free play (ignored), {len(left_out)} left out"
    )
    for log in sorted(unbooked, key=lambda one: (one.booked.opened, one.booked.id)):
        one = log.booked
        lost = "" if log.ended else "; it was open and its seed is lost, so the bet is given back"
        money = f"{dollars(one.bought_in)} in, {dollars(one.cashed_out or 0)} out"
        yield f"  add {_when(one.opened)} {one.player}, {one.game}: {money} ({one.id}){lost}"
    for name, reason in left_out:
        yield f"  left out {name}: {reason}"
    yield from (
        f"  {_loan(one)}, because the balance was too small for a bet" for one in rebuilt.loans
    )
    yield from (
        f"  {_loan(one)}, to cover a buy-in that the logs do not explain"
        for one in rebuilt.unexplained
    )
    missing = [one for one in rebuilt.before.sittings if not Path(one.log).exists()]
    # a session that was left before any bet has no log and moved no money
    if closed := sum(one.closed is not None and one.cashed_out != one.bought_in for one in missing):
        sessions = count_noun(closed, "finished session")
        yield f"  {sessions} without a log; the entries in the ledger stay"
    for one in missing:
        if one.closed is None:
            money = dollars(one.bought_in)
            yield f"  {one.log} is missing; its session is open with {money} at the table"
    before, after = dict(rebuilt.before.balances), dict(rebuilt.after.balances)
    for player, cents in after.items():
        was, owed = before.get(player), _owed(rebuilt.after, player)
        change = dollars(cents) if was == cents else f"{_amount(was)} becomes {dollars(cents)}"
        yield f"balance of {player}: {change}{f', debt {dollars(owed)}' if owed else ''}"


def _amount(cents: int | None) -> str:
    return "unknown" if cents is None else dollars(cents)


def _owed(books: LedgerContents, player: str) -> int:
    return sum(one.cents for one in books.markers if one.player == player)


def _loan(one: Marker) -> str:
    return f"lent {_when(one.at)} {one.player}: {dollars(one.cents)}"


def _when(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}"
