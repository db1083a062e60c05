"""Back up a running server to one file, and restore and check a server from such a file.

The ledger is copied first, so that the copies of logs and commitments are never older than it. A
log that grows in the meantime does no harm: its session is settled at the end of the copied log. A
log that begins in the meantime is left out, because in the copied ledger its money is still in the
balance. Restoring ends all sessions that were open, except those at tables with others, whose seats
stay taken. These tables are frozen, because their players may know the next cards.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from ..gamekit.registry import DEFINITIONS, GAMES
from ..house.house import House
from ..house.settlement import refund_sitting, settle_sitting
from ..inputs.errors import BadInput
from ..inputs.files import (
    BadFile,
    atomic_writer,
    make_folder,
    open_regular,
    os_error_reason,
    read_bytes,
)
from ..records.clock import now
from ..records.codec import decode, encode
from ..records.ledger import OPENING_BALANCE, LedgerContents, LedgerSitting
from ..records.promises import daily_name, read_promises
from ..records.replay import LogMismatch, check_checkpoint
from ..records.session_log import read_log
from ..records.sqlite_ledger import SqliteLedger
from ..structs import replace
from .commitment_log import HouseWitness
from .daily_deals import open_days, read_daily_seeds
from .data_folder import DataFolder
from .identities import Identities

FORMAT = 1
MANIFEST = "manifest.json"
LONGEST = 1 << 30
"""The maximum number of bytes of a file in a backup."""
_NAME = re.compile(
    r"ledger\.db|identities\.db|promises\.log|host_key(\.next)?|daily_key|daily/[0-9a-z.-]{1,40}|audit/[0-9a-z.-]{1,60}|"
    r"players/[0-9a-f]{1,40}/(sessions/)?[A-Za-z0-9][A-Za-z0-9._-]{0,120}"
)
_CACHE = re.compile(r"records\.db(-wal|-shm)?")


class Manifest(Struct, frozen=True):
    """The contents of a backup: the SHA-256 hash of each file. ``at`` is in milliseconds."""

    format: int
    at: int
    root: str
    files: dict[str, str]


def back_up(data: DataFolder, file: Path, patience: float | None = None) -> Manifest:
    """Write a backup of a server to ``file``, completely or not at all. Raises :class:`BadInput`.

    Only its owner can read the file. Like the data folder, the backup contains the seeds of open
    sessions and the server's private keys.
    """
    data = DataFolder(data.root.resolve())  # the paths in the ledger contain no links either
    try:
        if file.exists():
            raise BadInput(f"{file} exists already; give another name")
        with atomic_writer(file, durable=True) as raw:
            manifest = _write(data, raw, patience)
    except OSError as error:
        raise BadInput(f"the backup {file} cannot be written: {os_error_reason(error)}") from None
    return manifest


def _write(data: DataFolder, raw: io.BufferedWriter, patience: float | None) -> Manifest:
    before = set(_logs(data))
    hashes: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=raw, mode="w") as tar:
        copy = DataFolder(Path(folder))
        with closing(SqliteLedger.look_at(data.ledger, patience)) as ledger:
            ledger.copy_to(copy.ledger)
        with closing(SqliteLedger.look_at(copy.ledger)) as ledger:
            known = {Path(one.log) for one in ledger.books().sittings}
        with closing(Identities(data.identities)) as identities:
            identities.copy_to(copy.identities)
        for name, path in _files(data, copy):
            is_log = path.suffix == ".jsonl" and path.parent.name == "sessions"
            if is_log and path not in before and path not in known:
                continue
            content = _whole(path)
            if content is not None:
                _add(tar, name, content)
                hashes[name] = hashlib.sha256(content).hexdigest()
        manifest = Manifest(FORMAT, now(), str(data.root), hashes)
        _add(tar, MANIFEST, encode(manifest))
    return manifest


def _logs(data: DataFolder) -> Iterator[Path]:
    return data.players.glob("*/sessions/*.jsonl")


def _files(data: DataFolder, copy: DataFolder) -> Iterator[tuple[str, Path]]:
    yield "ledger.db", copy.ledger
    yield "identities.db", copy.identities
    files = [
        data.promises,
        data.host_key,
        data.next_key,
        data.daily_key,
        *sorted(data.audit.glob("*")),
        *sorted(data.daily.glob("*.jsonl")),
    ]
    files += sorted(data.players.glob("*/*")) + sorted(data.players.glob("*/sessions/*"))
    for path in files:
        name = path.relative_to(data.root).as_posix()
        if _NAME.fullmatch(name) and not _CACHE.fullmatch(path.name) and not path.is_symlink():
            yield name, path


def _whole(path: Path) -> bytes | None:
    """Read a file, without a log's incomplete last line; return ``None`` if there is no file."""
    if not path.is_file():
        return None
    try:
        content = read_bytes(path, LONGEST)
    except FileNotFoundError:
        return None
    if path.suffix in (".jsonl", ".log"):
        content = content[: content.rfind(b"\n") + 1]
    return content


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(content), 0o600, now() // 1000
    tar.addfile(member, io.BytesIO(content))


# ---- restore ----------------------------------------------------------------------------------


class RestoreReport(Struct, frozen=True):
    """The numbers of restored players and sessions, and the faults that were found.

    ``open`` counts the sessions that were open at the backup: they were ended and their bets
    refunded. ``tables`` are the codes of the open tables with others, which are frozen.
    """

    at: int
    players: int
    sittings: int
    open: int
    faults: tuple[str, ...]
    tables: tuple[str, ...] = ()


def restore(file: Path, data: DataFolder) -> RestoreReport:
    """Restore a backup into a new or empty data folder, and check everything in it.

    Raises :class:`BadInput` for a damaged backup; the folder is then left empty.
    """
    root = data.root.resolve()
    try:
        if root.exists() and any(root.iterdir()):
            raise BadInput(f"{root} is not empty; give a new or empty folder")
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _kept_apart(root) as apart:
            manifest = _unpack(file, apart.root)
            restored = _check(apart, manifest, DataFolder(root))
            _end_open(apart, DataFolder(root))
            _end_daily_deals(apart)
            for path in sorted(apart.root.iterdir()):
                os.rename(path, root / path.name)
    except OSError as error:
        raise BadInput(f"{file} cannot be restored: {os_error_reason(error)}") from None
    return restored


@contextmanager
def _kept_apart(root: Path) -> Iterator[DataFolder]:
    """Make a temporary folder on the same disk, inside the data folder; remove it at the end."""
    apart = root / ".restoring"
    apart.mkdir(mode=0o700)
    try:
        yield DataFolder(apart)
    finally:
        shutil.rmtree(apart, ignore_errors=True)


def _unpack(file: Path, folder: Path) -> Manifest:
    """Unpack the files of a backup, check their names and hashes, and return its manifest."""
    digests: dict[str, str] = {}
    manifest: Manifest | None = None
    try:
        with (
            os.fdopen(open_regular(file), "rb") as raw,
            tarfile.open(fileobj=raw, mode="r:") as tar,
        ):
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is None or member.size > LONGEST or manifest is not None:
                    raise BadFile(file, f"{member.name} does not belong in a backup")
                whole = content.read()
                if member.name == MANIFEST:
                    manifest = decode(whole, Manifest)
                    continue
                if not _NAME.fullmatch(member.name) or member.name in digests:
                    raise BadFile(file, f"{member.name} does not belong in a backup")
                digests[member.name] = hashlib.sha256(whole).hexdigest()
                _put(folder / member.name, whole)
    except (tarfile.TarError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadFile(file, f"is not a complete backup: {error}") from None
    if manifest is None:
        raise BadFile(file, "is not a complete backup: its end is missing")
    if manifest.format > FORMAT:
        raise BadFile(file, "was written by a newer program; please upgrade")
    for name in sorted({*digests, *manifest.files}):
        if digests.get(name) != manifest.files.get(name):
            raise BadFile(file, f"{name} was changed after the backup was made")
    return manifest


def _put(path: Path, content: bytes) -> None:
    make_folder(path.parent)
    file = open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(file, "wb") as written:
        written.write(content)
        written.flush()
        os.fsync(written.fileno())


def _check(apart: DataFolder, manifest: Manifest, data: DataFolder) -> RestoreReport:
    """Update the paths of the logs in the ledger, and compare the ledger with the logs."""
    faults: list[str] = []
    with closing(SqliteLedger(apart.ledger)) as ledger:
        books, seats = ledger.books(), _freeze_tables(ledger)
        moved = [replace(one, log=_moved(one.log, manifest, data)) for one in books.sittings]
        ledger.amend(books, replace(books, sittings=tuple(moved)))
    for one in books.sittings:
        log = Path(_moved(one.log, manifest, apart))
        if one.closed is None and one.id in seats and log.is_file():
            with suppress(ValueError):  # a damaged log is reported as a fault
                _cut_after(log, seats[one.id].rows)
        if fault := _fault_of(one, log):
            faults.append(f"{one.id}: {fault}")
    faults += (
        f"the balance of {player} is not the sum of their loans and session results"
        for player in _wrong_purses(books)
    )
    if apart.promises.exists():
        try:
            read_promises(apart.promises)
        except BadFile as error:
            faults.append(f"the commitment log, line {error.line}: {error.reason}")
    with closing(Identities(apart.identities)) as identities:
        players = len(identities.players())
    still = sum(one.closed is None and one.id not in seats for one in books.sittings)
    tables = tuple(sorted({one.code for one in seats.values()}))
    return RestoreReport(manifest.at, players, len(books.sittings), still, tuple(faults), tables)


class _TableSize(NamedTuple):
    """The code of a table, and the number of its rows."""

    code: str
    rows: int


def _freeze_tables(ledger: SqliteLedger) -> dict[str, _TableSize]:
    """Freeze the open tables with others; return the table of each session that has sat there."""
    tables, seats = ledger.shared_tables(), dict[str, _TableSize]()
    for entry in tables.open_tables():
        if entry.frozen is None:
            tables.freeze(entry.code, now())
        rows = tables.rows(entry.code)
        size = _TableSize(entry.code, len(rows))
        seats.update((row.sitting, size) for row in rows if row.sitting is not None)
    return seats


def _cut_after(log: Path, rows: int) -> None:
    """Remove the lines of a seat's log that belong to no row of its table in the backup.

    The log may have grown after the ledger was copied, and the table will continue otherwise.
    """
    header, *lines = read_bytes(log, LONGEST).splitlines(keepends=True)
    known = takewhile(lambda line: decode(line, _SeatLine).row in range(rows), lines)
    with atomic_writer(log, durable=True) as raw:
        raw.write(b"".join((header, *known)))


class _SeatLine(Struct, frozen=True):
    """The row of a line in a seat's log; the last line has none."""

    row: int = -1


def _end_open(apart: DataFolder, data: DataFolder) -> None:
    """End the sessions that were open when the backup was made, except seats at open tables.

    A player who continued after the backup has seen the next cards, and also the seed if the
    session ended. So no session may be resumed. A log that is not in the backup is not changed.
    """
    house = House(apart.players, None, "operator")
    with closing(SqliteLedger(apart.ledger, witness=HouseWitness(apart))) as ledger:
        seats = _freeze_tables(ledger)
        for one in ledger.books().sittings:
            is_ended = one.closed is not None or one.id in seats
            entry = None if is_ended else ledger.open_sitting(one.id)
            if entry is None:
                continue
            if entry.log.is_relative_to(data.root):
                log = apart.root / entry.log.relative_to(data.root)
                refund_sitting(house, ledger, DEFINITIONS, replace(entry, log=log))
            else:
                settle_sitting(house, ledger, entry)


def _end_daily_deals(apart: DataFolder) -> None:
    """Publish the seeds of the deals that can be played now, so that they are over for good.

    Players may have played them after the backup, and know the cards. Raises ``LedgerError``.
    """
    if not apart.daily_key.exists():
        return  # the next key deals other cards
    seeds, at = read_daily_seeds(apart.daily_key), now()
    deals = {
        daily_name(day, game.slug): seeds.seed(day, game.slug)
        for day in open_days(at)
        for game in GAMES
    }
    commitments = {name: hashlib.sha256(seed).hexdigest() for name, seed in deals.items()}
    HouseWitness(apart).announces(
        commitments, {name: seed.hex() for name, seed in deals.items()}, at
    )


def _moved(log: str, manifest: Manifest, data: DataFolder) -> str:
    try:
        return str(data.root / Path(log).relative_to(manifest.root))
    except ValueError:  # the log was and still is outside the data folder
        return log


def _fault_of(booked: LedgerSitting, log: Path) -> str:
    """Say how a log differs from the ledger; return an empty text if they agree.

    The log of a finished session may be missing.
    """
    if booked.checkpoint.settled:
        return ""  # settled without its log, which could not be resumed
    if not log.exists():
        return "" if booked.closed is not None else "the session is open, and its log is missing"
    try:
        session_log = read_log(log)
        for number, should, held in session_log.chain():
            if should != held:
                return f"line {number} does not contain the hash of the line before it"
        check_checkpoint(session_log, booked.checkpoint)
    except (BadFile, LogMismatch) as error:
        return f"line {error.line}: {error.reason}"
    return ""


def _wrong_purses(books: LedgerContents) -> Iterator[str]:
    """Yield the players whose balance is not the sum of their loans and session results."""
    should: Counter[str] = Counter({player: OPENING_BALANCE for player, _ in books.balances})
    for one in books.markers:
        should[one.player] += one.cents
    for sitting in books.sittings:
        should[sitting.player] += (sitting.cashed_out or 0) - sitting.bought_in
    for player, cents in books.balances:
        if should[player] != cents:
            yield player
