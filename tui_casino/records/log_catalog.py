"""The shelf: the session logs of a folder at a glance, from their first and last lines alone.

What stands between is not read here, so a log that is whole at both ends is listed as if it were
whole; ``verify`` looks further.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..engine.chance import SourceSpec
from ..engine.game import Seat
from ..gamekit.definition import AnyDefinition
from ..inputs.files import BadFile, open_regular
from ..inputs.sanitize import plain
from .clock import LAST_MOMENT
from .codec import Raw, build_dataclass, decode
from .ledger import SittingAccount
from .log_header import (
    HUMAN,
    LOG_FORMAT,
    BranchOrigin,
    SeatIdentities,
    check_identities,
    decode_header,
)
from .session_log import LONGEST_LINE, LONGEST_LOG, decode_end

Games = Mapping[str, Callable[[], AnyDefinition]]
"""The games of this program by their slugs, each imported when it is called for."""

_END = 1 << 12  # bytes of a log's head and of its tail: mostly enough


class SittingStatus(Enum):
    """How a sitting ended, or why it has not."""

    LEFT = "left"
    OVER = "over"
    TAKEN_BACK = "taken back"
    OPEN = "waits"
    IN_PLAY = "being played"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """A log on the shelf.

    ``fault`` says what is wrong with one that is damaged; what is known of it stands beside.
    ``began`` and ``ended`` are milliseconds since 1970, the latter of the last line; ``changed``
    is the file's own time, in nanoseconds, and ``touched`` when anything at all was changed of it.
    ``player`` is whose money was played, as the ledger
    has it; ``None`` is practice, or a guest. ``owners`` are whose log it is, by their ids: who
    played, as the log or the ledger says; older practice is nobody's. ``result`` is in cents, of a
    sitting that has ended. ``torn`` counts the bytes of a line that was not written to its end.
    ``game``, ``players`` and ``why``, which the log says, are given as they can be shown.
    ``options`` are those of the table, as JSON. ``source`` is where its cards come from, ``seed``
    what is told of that: nothing as long as it is sealed.
    """

    path: Path
    size: int = 0
    changed: int = 0
    touched: int = 0
    fault: str | None = None
    game: str | None = None
    players: tuple[str, ...] = ()
    began: int = 0
    ended: int = 0
    steps: int = 0
    ending: SittingStatus | None = None
    why: str | None = None
    player: str | None = None
    owners: tuple[str, ...] = ()
    result: int | None = None
    parent: BranchOrigin | None = None
    torn: int = 0
    options: bytes = b"{}"
    source: SourceSpec | None = None
    seed: str | None = None

    @property
    def length(self) -> int | None:
        """How long it was in milliseconds; ``None`` if the clock went backwards."""
        return self.ended - self.began if self.ended >= self.began else None

    @property
    def finished(self) -> bool:
        """Whether it has ended, so that nothing more can be won or lost."""
        return self.ending in (SittingStatus.LEFT, SittingStatus.OVER, SittingStatus.TAKEN_BACK)

    @property
    def goes_on(self) -> bool:
        """Whether it is practice without an end, which can be gone on with in its own log."""
        return self.ending is SittingStatus.CUT_OFF or (
            self.ending is SittingStatus.OPEN and not self.player
        )

    def belongs_to(self, player: str) -> bool:
        """Whether a player may call it his own: it is that, or nobody's."""
        return not self.owners or player in self.owners

    @property
    def remarks(self) -> tuple[str, ...]:
        """What should be said of it, in plain words."""
        said = [] if self.fault is None else [f"damaged: {self.fault}"]
        if self.fault is None and self.length is None:
            said.append("the clock went backwards while it was played")
        if self.torn:
            said.append(f"{self.torn} bytes of a torn line are ignored")
        if self.parent is not None:
            said.append(f"branched off {plain(self.parent.log)} after step {self.parent.step}")
        return tuple(said)


def list_logs(
    folder: Path, games: Games, accounts: Mapping[str, SittingAccount]
) -> list[CatalogEntry]:
    """List all logs of a folder, the newest first; none if there is no such folder.

    ``accounts`` are the ledger's sittings. No log raises anything: its entry says what is wrong.
    Raises :class:`~tui_casino.inputs.files.BadFile` for a folder that cannot be read.
    """
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".jsonl")]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise BadFile(
            folder, f"cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    found = [make_entry(folder / name, games, accounts) for name in names]
    return sorted(found, key=lambda entry: (entry.began, entry.path.name), reverse=True)


def filter_logs(
    found: Iterable[CatalogEntry],
    *,
    game: str | None = None,
    player: str | None = None,
    since: int | None = None,
    until: int | None = None,
    finished: bool | None = None,
) -> list[CatalogEntry]:
    """Give the entries of a game, an owner, a time (milliseconds, ``until`` left out), a state."""
    return [
        entry
        for entry in found
        if game in (None, entry.game)
        and (player is None or player in entry.owners)
        and (since is None or entry.began >= since)
        and (until is None or entry.began < until)
        and finished in (None, entry.finished)
    ]


def make_entry(path: Path, games: Games, accounts: Mapping[str, SittingAccount]) -> CatalogEntry:
    """Give a log's entry; what cannot be read is told in it."""
    known: dict[str, Any] = {}  # fields of the entry, as far as they could be read
    try:
        file = open_regular(path, limit=LONGEST_LOG)
        try:
            _glance(file, path, known, games, accounts.get(path.stem))
        finally:
            os.close(file)
    except FileNotFoundError:
        known["fault"] = "it is no longer there"
    except (OSError, ValueError) as error:
        why = error.reason if isinstance(error, BadFile) else getattr(error, "strerror", None)
        known["fault"] = plain(why or str(error))
    return CatalogEntry(path, **known)


@dataclass(frozen=True, slots=True)
class _Head:
    """What a glance needs of the first line."""

    format: int
    game: str
    options: Raw
    players: tuple[str, ...]
    at: int
    source: SourceSpec
    parent: BranchOrigin | None = None
    seed: str | None = None
    who: SeatIdentities = ()

    def owners(self, account: SittingAccount | None) -> tuple[str, ...]:
        """Give the ids of those who played, as the log and the ledger say."""
        ids = [one.id for one in self.who if one is not None]
        return tuple(dict.fromkeys([*ids, account.player] if account else ids))


@dataclass(frozen=True, slots=True)
class _Last:
    """What a glance needs of a step."""

    n: int
    at: int


def _glance(
    file: int, path: Path, known: dict[str, Any], games: Games, account: SittingAccount | None
) -> None:
    """Fill in the fields of an entry. Raises ``OSError`` or ``ValueError`` for a damaged log."""
    status = os.fstat(file)
    known.update(size=status.st_size, changed=status.st_mtime_ns, touched=modified_at(status))
    first = _first_line(file)
    head = _head(path, first)
    known.update(game=plain(head.game), players=tuple(map(plain, head.players)))
    known.update(parent=head.parent)
    known.update(began=head.at, ended=head.at, player=account.player if account else None)
    known.update(owners=head.owners(account), options=bytes(head.options), source=head.source)
    known.update(seed=None if head.source.kind == "committed" else head.source.value)
    lines, known["torn"] = _last_lines(file, status.st_size)
    end = decode_end(lines[-1])
    step = lines[-2] if end else lines[-1]
    last = _last(step) if step != first else None
    at = end.at if end else last.at if last else head.at
    if not 0 <= at < LAST_MOMENT:
        raise ValueError(f"its last time is {at}, which is not a time in milliseconds since 1970")
    known.update(steps=last.n if last else 0, ended=at)
    if end is None:
        if account and account.cashed is not None:
            raise ValueError("its end is missing: the ledger knows that it was cashed out")
        waits = account or _waits(games, head)
        left = SittingStatus.OPEN if waits else SittingStatus.CUT_OFF
        known.update(ending=SittingStatus.IN_PLAY if _in_use(file) else left)
        return
    known.update(why=plain(end.end.why))
    if end.end.final:
        known.update(seed=end.end.seed or head.seed or known["seed"])
    if account and account.cashed is None:  # the last line stands, but the money still waits
        known.update(ending=SittingStatus.OPEN)
        return
    by_hand = {
        SittingStatus.LEFT.value: SittingStatus.LEFT,
        SittingStatus.TAKEN_BACK.value: SittingStatus.TAKEN_BACK,
    }
    known.update(ending=by_hand.get(end.end.why, SittingStatus.OVER))
    if account and account.cashed is not None:
        known.update(result=account.cashed - account.bought)
    elif head.game in games:
        known.update(result=_result(games[head.game], head, end.end.money))


def modified_at(status: os.stat_result) -> int:
    """Give when a file was changed last, in nanoseconds: a time that cannot be set by hand."""
    return status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns


def _head(path: Path, line: bytes) -> _Head:
    try:
        head = decode(line, _Head)
        check_identities(head.format, head.players, head.who)
        if 1 <= head.format <= LOG_FORMAT and 0 <= head.at < LAST_MOMENT:
            return head
    except ValueError:
        pass
    decode_header(path, line)  # says what is wrong
    raise ValueError("not the first line of a log")


def _last(line: bytes) -> _Last:
    try:
        return decode(line, _Last)
    except ValueError as error:
        raise ValueError(f"its last step cannot be read: {error}") from None


def _waits(games: Games, head: _Head) -> bool:
    """Tell whether a game for points waits at its table, as the menu shows it, when it is left."""
    if head.game not in games or HUMAN not in head.players:
        return False
    try:
        options = bytes(head.options)
        keeps = _keeps if len(options) <= _USUAL else _keeps.__wrapped__
        return keeps(games[head.game], options)
    except ValueError:  # a table that cannot be told; who opens the log is told why
        return False


def _result(
    definition: Callable[[], AnyDefinition], head: _Head, money: tuple[int, ...]
) -> int | None:
    """Give what the humans won or lost, in cents; ``None`` without any, or for points."""
    seats = tuple(seat for seat, name in enumerate(head.players) if name == HUMAN)
    if not seats or definition().points:
        return None
    try:
        options = bytes(head.options)
        bring = _brought if len(options) <= _USUAL else _brought.__wrapped__
        unit, brought = bring(definition, options, seats)
        return unit * sum(money[seat] for seat in seats) - brought
    except (ValueError, IndexError) as error:
        raise ValueError(f"its result cannot be computed: {error}") from None


_USUAL = 1 << 12  # bytes of options: of a log that has more, nothing is kept


@lru_cache(maxsize=1 << 10)
def _keeps(definition: Callable[[], AnyDefinition], options: bytes) -> bool:
    """Tell whether tables of these options wait for who leaves them."""
    return definition().can_resume(
        build_dataclass(decode(options, dict), definition().game.Options)
    )


@lru_cache(maxsize=1 << 10)
def _brought(
    definition: Callable[[], AnyDefinition], options: bytes, seats: tuple[int, ...]
) -> tuple[int, int]:
    """Give a game's unit, and the cents that were brought to a table of these options."""
    game = definition().game
    state = game.start(build_dataclass(decode(options, dict), game.Options))
    return game.unit, game.unit * sum(game.money(state, Seat(seat)).free for seat in seats)


def _first_line(file: int) -> bytes:
    """Read up to the first line feed; nothing if there is none, as in a log that never began."""
    size = _END
    while True:
        head = os.pread(file, size, 0)
        line, feed, _ = head.partition(b"\n")
        if feed:
            return line
        if len(head) < size or size > LONGEST_LINE:
            return b""
        size *= 16


def _last_lines(file: int, size: int) -> tuple[list[bytes], int]:
    """Read the last two whole lines, or the first alone, and count the bytes behind them."""
    span = _END
    while True:
        tail = os.pread(file, span, max(0, size - span))
        *lines, rest = tail.split(b"\n")
        if span >= size or len(lines) > 2:  # else the first of them may be the end of a line
            return lines[-2:], len(rest)
        if span > 2 * LONGEST_LINE:
            raise ValueError(f"its last lines have more than {LONGEST_LINE:,} bytes")
        span *= 16


def _in_use(file: int) -> bool:
    """Tell whether a program has the log locked, as all do that write one; if not, lock it."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


@contextmanager
def hold_lock(path: Path) -> Iterator[bool]:
    """Keep all programs from writing a log; tell whether none is doing so.

    Raises ``OSError``.
    """
    file = open_regular(path, os.O_RDWR)
    try:
        yield not _in_use(file)
    finally:
        os.close(file)
