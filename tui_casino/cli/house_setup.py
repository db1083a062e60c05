"""Prepare a command that plays: open the ledger, and read the player, buy-in and shuffle.

Rarely used modules are imported when they are needed, so that the menu opens quickly.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from ..house.house import House, LazyExecutor
from ..house.paths import PLAYER, answers_file, cache_file, ledger_file, log_folder
from ..inputs.errors import BadInput
from ..inputs.numbers import parse_number
from ..records.ledger import Ledger, LedgerBusy, LedgerDamaged, LedgerError
from ..records.sqlite_ledger import PATIENCE, SqliteLedger, is_locked
from ..structs import replace

if TYPE_CHECKING:
    from ..gamekit.table_catalog import PrintLine


PREFIX = "tui-casino-guest-"
YOUNG = 60.0
"""Seconds for which a new folder counts as in use, because it may not be locked yet."""


@contextmanager
def guest_folder() -> Iterator[Path]:
    """Make and lock a folder until the program ends; remove old folders that are not locked."""
    _clear(Path(tempfile.gettempdir()), time.time() - YOUNG)
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        held = _lock_folder(Path(name))
        try:
            yield Path(name)
        finally:
            if held is not None:
                os.close(held)


def _lock_folder(folder: Path) -> int | None:
    """Lock a folder and return its descriptor, or ``None`` if another program has the lock."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _clear(parent: Path, before: float) -> None:
    """Remove this user's folders that are old enough and not locked."""
    with suppress(OSError):
        for folder in parent.glob(f"{PREFIX}*"):
            with suppress(OSError):
                status = folder.lstat()  # any user can create entries there
                own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
                if own and status.st_mtime < before and (held := _lock_folder(folder)) is not None:
                    shutil.rmtree(folder, ignore_errors=True)
                    os.close(held)


AFTER = 0.3
"""Seconds to wait before the notice is printed."""


@contextmanager
def ledger_wait_notice(
    ledger: Path | None, warn: PrintLine, patience: float | None = None
) -> Iterator[None]:
    """Print a notice if the code in this context has to wait for the ledger.

    ``patience`` is the longest wait in seconds.
    """
    seconds = PATIENCE if patience is None else patience

    def notice() -> None:
        if ledger is not None and is_locked(ledger):  # otherwise something else takes so long
            warn(
                f"another program is writing the ledger {ledger}; "
                f"waiting up to {seconds:g} seconds for it"
            )

    if ledger is None:
        yield
        return
    timer = Timer(AFTER, notice)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


BUY_IN_LIMIT = 10**12


def seed_of(args: Namespace) -> int | None:
    """Read ``--seed``. Raises :class:`~tui_casino.inputs.errors.BadInput`."""
    if args.seed is None:
        return None
    from ..engine.chance import SEED_LIMIT  # late: the menu needs no shuffle

    return parse_number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)


def client_seed_of(args: Namespace) -> str | None:
    """Read ``--word``: ``None`` without it, an empty text if the player is to be asked for words.

    Raises :class:`~tui_casino.inputs.errors.BadInput`.
    """
    word: str | None = args.word
    if word is None:
        return None
    if args.seed is not None:
        raise BadInput("--word: with --seed the shuffle is already known; give only one of the two")
    from ..engine.chance import check_client_seed  # late: the menu needs no shuffle

    try:
        check_client_seed(word)
    except ValueError as error:
        raise BadInput(f"--word: {error}") from None
    return word


def open_house(args: Namespace, closing: ExitStack, practice: bool) -> House:
    """Open the house; with ``practice``, open it for free play, without its ledger.

    A guest's ledger is kept in memory, and the logs in a temporary folder. Without ``--player`` the
    player is :data:`PLAYER`, who may choose a name later.
    """
    if args.log_dir or not args.guest:
        logs = args.cwd / log_folder(args.log_dir, args.environ)
    else:
        logs = closing.enter_context(guest_folder())
    buy_in = None
    if args.buy_in is not None:
        buy_in = 100 * parse_number("--buy-in", args.buy_in, 1, BUY_IN_LIMIT)
    name = _name(args)
    cache = None if args.guest else cache_file()
    workers = LazyExecutor()
    closing.callback(workers.close)
    house = House(
        logs,
        None,
        PLAYER if name is None else name,
        buy_in,
        cache=cache,
        name=name,
        workers=workers,
        folder=args.cwd,
        answers=None if args.guest else answers_file(),
    )
    if practice:
        return replace(house, archive=_archive(args, closing))
    ledger = _ledger(args)
    closing.callback(ledger.close)
    return replace(house, ledger=ledger)


def _ledger(args: Namespace) -> SqliteLedger:
    """Open the ledger. The messages of its errors tell the player what to do."""
    try:
        return SqliteLedger(None if args.guest else ledger_file(), args.patience)
    except LedgerBusy:
        raise
    except LedgerDamaged as error:
        way = "tui-casino ledger rebuild restores it from the logs"
        raise LedgerDamaged(f"{error}; {way}") from None
    except LedgerError as error:
        raise LedgerError(f"{error}; --guest plays without it") from None


def ledger_to_read(patience: float | None) -> Ledger | None:
    """Open the ledger, if there is one. Raises :class:`~tui_casino.records.ledger.LedgerError`."""
    return SqliteLedger.look_at(ledger_file(), patience) if ledger_file().exists() else None


def _name(args: Namespace) -> str | None:
    name: str | None = args.player
    if name is not None:
        from ..records.log_header import name_fault  # late: not in the menu

        if fault := name_fault(name):
            raise BadInput(f"--player: {name!r}: {fault}")
    return name


def _archive(args: Namespace, closing: ExitStack) -> Ledger | None:
    """Open the ledger for reading only; return ``None`` if it cannot be read."""
    archive = None
    if not args.guest:
        with suppress(BadInput):
            archive = ledger_to_read(args.patience)
    if archive is not None:
        closing.callback(archive.close)
    return archive
