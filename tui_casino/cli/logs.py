"""``tui-casino logs``: list the recorded sessions of a folder, and remove old ones."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from ..engine.money import dollars
from ..gamekit.registry import DEFINITIONS
from ..gamekit.simulation_runner import progress_bar
from ..house.paths import cache_file, log_folder
from ..inputs.errors import BadInput
from ..inputs.numbers import count_noun, parse_age, parse_size
from ..inputs.sanitize import printable
from ..records.cache import Cache
from ..records.codec import ascii_json
from ..records.ledger import SittingAccount
from ..records.log_catalog import CatalogEntry, filter_logs, list_logs
from ..records.prune import log_damage, logs_before, logs_over_size, remove_log
from .console import confirm, warn
from .help_texts import shown_name
from .house_setup import ledger_to_read
from .parser import add_game_option

T = TypeVar("T")


def accounts(patience: float | None) -> Mapping[str, SittingAccount]:
    """Return all sessions in the ledger. Raises :class:`~tui_casino.records.ledger.LedgerError`."""
    ledger = ledger_to_read(patience)
    if ledger is None:
        return {}
    with closing(ledger):
        return ledger.accounts()


def selected_logs(args: Namespace, since: int | None = None) -> list[CatalogEntry]:
    """List the logs of the game, folder and player that the arguments select.

    Raises :class:`BadInput`.
    """
    folder = log_folder(args.log_dir, args.environ)
    if args.log_dir and not folder.exists():
        raise BadInput(f"--log-dir: {args.log_dir}: there is no such folder")
    entries = list_logs(folder, DEFINITIONS, accounts(args.patience))
    return filter_logs(entries, game=args.game, player=args.player, since=since)


def with_progress(reviews: Iterable[T], total: int) -> Iterator[T]:
    """Yield the reviews of ``total`` sessions, and show the progress on a terminal."""
    with progress_bar("sessions", total, sys.stderr) as progress:
        for done, review in enumerate(reviews, 1):
            yield review
            if progress:
                progress(done)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", help="the folder (default: your own logs)"
    )
    add_game_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per session")
    pruning = parser.add_argument_group(
        "removing", "Sessions that are open or in play are never removed."
    )
    pruning.add_argument(
        "--prune",
        action="store_true",
        help="remove the logs that --older-than or --larger-than selects",
    )
    limits = pruning.add_mutually_exclusive_group()
    limits.add_argument(
        "--older-than", metavar="AGE", help="logs that began longer ago, such as 90d"
    )
    limits.add_argument(
        "--larger-than",
        metavar="SIZE",
        help="the oldest logs, until the rest are smaller than SIZE, such as 500MB",
    )
    pruning.add_argument("--yes", action="store_true", help="do not ask first")


def run(args: Namespace) -> int:
    """Print the logs of a folder, or remove some. Raises :class:`BadInput`."""
    if args.prune and not (args.older_than or args.larger_than):
        raise BadInput("--prune needs --older-than AGE or --larger-than SIZE")
    if not args.prune and (args.older_than or args.larger_than or args.yes):
        raise BadInput("--older-than, --larger-than and --yes need --prune")
    folder = log_folder(args.folder, args.environ)
    if args.folder and not folder.exists():
        raise BadInput(f"{args.folder}: there is no such folder")
    try:
        known = accounts(args.patience)
    except BadInput as error:
        if args.prune:  # only the ledger knows which sessions are open
            raise
        known = {}
        warn(f"{error}; results and open sessions are not shown")
    entries = filter_logs(list_logs(folder, DEFINITIONS, known), game=args.game)
    if args.prune:
        return _prune(args, entries)
    _print(entries, args.json)
    return 0


def _prune(args: Namespace, entries: list[CatalogEntry]) -> int:
    if args.older_than:
        now = time.time_ns() // 1_000_000
        age = parse_age("--older-than", args.older_than)
        going = logs_before(entries, now - age, _is_intact)
    else:
        size = parse_size("--larger-than", args.larger_than)
        going = logs_over_size(entries, size, _is_intact)
    _print(going, args.json)
    if not going:
        warn("there is nothing to remove")
        return 0
    otherwise = "nothing was removed; --yes removes without asking"
    if not args.yes and not confirm(f"permanently remove {_logs(going)}?", otherwise):
        return 0
    removed, cache, ledger = [], Cache(cache_file()), ledger_to_read(args.patience)
    try:
        for entry in going:
            if reason := remove_log(entry, ledger, cache):
                warn(f"{entry.path} was not removed: {reason}")
            else:
                removed.append(entry)
    finally:
        if ledger is not None:
            ledger.close()
    warn(f"removed: {_logs(removed)}")
    return 0


def _is_intact(entry: CatalogEntry) -> bool:
    """Read a whole log; if it is damaged, warn that it stays."""
    if damage := log_damage(entry.path):
        warn(f"{entry.path} stays, because it is damaged: {damage}")
    return damage is None


def _print(entries: list[CatalogEntry], as_json: bool) -> None:
    if as_json:
        for entry in entries:
            print(ascii_json(_described(entry)))
        return
    if entries:
        print(
            f"{'began (UTC)':<16}  {'game':<14} {'length':>8} {'steps':>9}  {'ended':<12}"
            f"{'result':>11} {'size':>8}  log"
        )
    for entry in entries:
        print(_line(entry))
        for remark in entry.notes:
            print(f"{'':<18}{remark}")
    print(_logs(entries))


def _line(entry: CatalogEntry) -> str:
    at = datetime.fromtimestamp(entry.started / 1000, UTC)
    began = f"{at:%Y-%m-%d %H:%M}" if entry.started else "-"
    length = "-"
    if entry.length is not None and not entry.fault:
        length = str(timedelta(seconds=entry.length // 1000))
    ending = entry.shown_status or "-"
    result = dollars(entry.result) if entry.result is not None else "-"
    steps = f"{entry.steps:,}" if entry.steps else "-"
    game = shown_name(entry.game) if entry.game else "-"
    return (
        f"{began:<16}  {game:<14} {length:>8} {steps:>9}  {ending:<12}"
        f"{result:>11} {_size(entry.size):>8}  {printable(entry.path.name)}"
    )


def _described(entry: CatalogEntry) -> dict[str, Any]:
    return {
        "log": printable(str(entry.path)),
        "game": entry.game,
        "players": entry.players,
        "player": entry.player,
        "began": entry.started,
        "ended": entry.ended,
        "steps": entry.steps,
        "ending": entry.ending and entry.ending.value,
        "why": entry.reason,
        "result": entry.result,
        "size": entry.size,
        "parent": entry.parent,
        "remarks": entry.notes,
    }


def _logs(entries: list[CatalogEntry]) -> str:
    number = count_noun(len(entries), "log")
    return f"{number}, {_size(sum(entry.size for entry in entries))}"


def _size(size: int) -> str:
    if size < 1000:
        return f"{size} B"
    for unit in ("KB", "MB"):
        size = round(size / 1000)
        if size < 1000:
            return f"{size} {unit}"
    return f"{size / 1000:.1f} GB"
