"""The catalog of a folder's session logs, from the first and last lines of each.

The lines in between are not read, so damage there does not show in the catalog; ``verify`` reads
all lines. In free play, the catalog believes the result in the last line.

The labels of logs (a star and a name) are in one small file next to the logs. The logs themselves
are never changed, because a changed log could not be verified.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ..engine.chance import SourceSpec
from ..engine.game import Seat
from ..gamekit.definition import AnyDefinition, Games
from ..inputs.files import BadFile, open_regular, read_bytes, write_atomically
from ..inputs.numbers import count_noun
from ..inputs.sanitize import plain
from ..structs import replace
from .clock import LAST_MOMENT
from .codec import Raw, build_struct, decode, encode
from .ledger import SittingAccount
from .log_header import (
    HUMAN,
    LOG_FORMAT,
    LONGEST_NAME,
    BranchOrigin,
    SeatIdentities,
    check_identities,
    decode_header,
)
from .session_log import LONGEST_LINE, LONGEST_LOG, decode_end, line_hash, torn_remark

"""The games of this program by slug; a game is imported when its function is called."""

_END = 1 << 12  # bytes read first at the beginning and the end of a log; mostly enough


CASHED_OUT = "cashed out"
"""The status of a session for money that the player has left."""
DAILY_DEAL = "daily deal"
"""The status of a finished daily deal, which is neither left nor cashed out."""


class SittingStatus(Enum):
    """How a session ended, or why it has not ended; the values are the words in JSON."""

    LEFT = "left"
    OVER = "over"
    TAKEN_BACK = "taken back"
    OPEN = "waits"
    IN_PLAY = "being played"
    CUT_OFF = "cut off"

    @property
    def words(self) -> str:
        """The status as players see it."""
        return "waiting" if self is SittingStatus.OPEN else self.value


class CatalogEntry(Struct, frozen=True):
    """A log in the catalog.

    * ``fault`` says what is wrong with a damaged log; the other fields contain the values that
      could still be read.
    * ``started`` and ``ended`` (the time of the last line) are milliseconds since 1970.
      ``changed`` is the file's modification time, in nanoseconds, and ``touched`` the time of any
      change of the file.
    * ``player`` is the player whose money was at stake, according to the ledger; ``None`` in free
      play and for guests. ``owners`` are the ids of the players, according to the log or the
      ledger; older logs of free play have none.
    * ``result`` is the result of a finished session in cents. ``reason`` says why it ended.
    * ``torn`` is the number of bytes of an incomplete last line.
    * ``game``, ``players`` and ``reason`` have no characters that a terminal cannot show.
    * ``options`` are those of the table, as JSON. ``source`` is the public part of the source, and
      ``seed`` is ``None`` until it is revealed. ``known_cards`` is true if they came from a file.
    * ``daily`` is the day of a daily deal, such as ``2026-11-28``.
    """

    path: Path
    size: int = 0
    changed: int = 0
    touched: int = 0
    fault: str | None = None
    game: str | None = None
    players: tuple[str, ...] = ()
    started: int = 0
    ended: int = 0
    steps: int = 0
    ending: SittingStatus | None = None
    reason: str | None = None
    player: str | None = None
    owners: tuple[str, ...] = ()
    result: int | None = None
    parent: BranchOrigin | None = None
    torn: int = 0
    options: bytes = b"{}"
    source: SourceSpec | None = None
    seed: str | None = None
    known_cards: bool = False
    daily: str | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether a player or a script could know the cards: a numbered shuffle, or a card file."""
        return self.known_cards or (self.source is not None and self.source.kind == "numbered")

    @property
    def length(self) -> int | None:
        """The duration of the session in milliseconds; ``None`` if the clock went backwards."""
        return self.ended - self.started if self.ended >= self.started else None

    @property
    def shown_status(self) -> str:
        """The status as players see it; a session for money that was left is cashed out."""
        if self.daily is not None and self.finished:
            return DAILY_DEAL
        if self.ending is SittingStatus.LEFT and self.player is not None:
            return CASHED_OUT
        return self.ending.words if self.ending else ""

    @property
    def finished(self) -> bool:
        """Whether the session has ended."""
        return self.ending in (SittingStatus.LEFT, SittingStatus.OVER, SittingStatus.TAKEN_BACK)

    @property
    def played_out(self) -> bool:
        """Whether a game for points was played to its end, so that its score is a result."""
        return self.finished and (self.ending is SittingStatus.OVER or self.daily is not None)

    @property
    def resumable(self) -> bool:
        """Whether the session is unfinished free play, which can be resumed in the same log."""
        return self.ending is SittingStatus.CUT_OFF or (
            self.ending is SittingStatus.OPEN and not self.player
        )

    def is_owned_by(self, player: str) -> bool:
        """Return whether a player owns the log; everybody owns a log without owners."""
        return not self.owners or player in self.owners

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks on the log in plain words: damage, an incomplete line, its parent."""
        lines = [] if self.fault is None else [f"damaged: {self.fault}"]
        if self.fault is None and self.length is None:
            lines.append("the clock went backwards while it was played")
        if self.torn:
            lines.append(torn_remark(self.torn, ended=self.reason is not None))
        if self.parent is not None:
            lines.append(f"branched off {plain(self.parent.log)} after step {self.parent.step}")
        return tuple(lines)


def list_logs(
    folder: Path, games: Games, accounts: Mapping[str, SittingAccount]
) -> list[CatalogEntry]:
    """Return all logs of a folder, newest first, or an empty list if there is no such folder.

    ``accounts`` are the ledger's sessions. A damaged log raises no error; its entry describes the
    damage. Raises :class:`~tui_casino.inputs.files.BadFile` for a folder that cannot be read.
    """
    entries = [make_entry(path, games, accounts) for path in log_paths(folder)]
    return sorted(entries, key=lambda entry: (entry.started, entry.path.name), reverse=True)


def count_sessions(entries: Iterable[CatalogEntry]) -> str:
    """Count sessions; logs that another log continues after a take-back are counted apart."""
    endings = [entry.ending for entry in entries]
    taken_back = endings.count(SittingStatus.TAKEN_BACK)
    count = count_noun(len(endings) - taken_back, "session")
    return count + (f" + {taken_back:,} taken back" if taken_back else "")


def log_paths(folder: Path) -> list[Path]:
    """Return the paths of all logs of a folder, by name; an empty list if there is no such folder.

    Raises :class:`~tui_casino.inputs.files.BadFile` for a folder that cannot be read.
    """
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(".jsonl")]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise BadFile(
            folder, f"cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None


def filter_logs(
    entries: Iterable[CatalogEntry],
    *,
    game: str | None = None,
    player: str | None = None,
    since: int | None = None,
    until: int | None = None,
    finished: bool | None = None,
) -> list[CatalogEntry]:
    """Return the entries that match all given criteria; ``since`` <= start < ``until``."""
    return [
        entry
        for entry in entries
        if game in (None, entry.game)
        and (player is None or player in entry.owners)
        and (since is None or entry.started >= since)
        and (until is None or entry.started < until)
        and finished in (None, entry.finished)
    ]


def make_entry(path: Path, games: Games, accounts: Mapping[str, SittingAccount]) -> CatalogEntry:
    """Return the entry of a log; its ``fault`` describes what cannot be read."""
    fields: dict[str, Any] = {}  # fields of the entry, as far as they could be read
    try:
        file = open_regular(path, limit=LONGEST_LOG)
        try:
            _read_ends(file, path, fields, games, accounts.get(path.stem))
        finally:
            os.close(file)
    except FileNotFoundError:
        fields["fault"] = "it no longer exists"
    except (OSError, ValueError) as error:
        reason = error.reason if isinstance(error, BadFile) else getattr(error, "strerror", None)
        fields["fault"] = plain(reason or str(error))
    return CatalogEntry(path, **fields)


class _Croupier(Struct, frozen=True):
    """The field of the croupier that the catalog needs."""

    name: str


class _Head(Struct, frozen=True):
    """The fields of the first line that the catalog needs."""

    format: int
    game: str
    options: Raw
    players: tuple[str, ...]
    at: int
    source: SourceSpec
    parent: BranchOrigin | None = None
    seed: str | None = None
    who: SeatIdentities = ()
    croupier: _Croupier | None = None
    daily: str | None = None

    def owners(self, account: SittingAccount | None) -> tuple[str, ...]:
        """Return the ids of the players, according to the log and the ledger."""
        ids = [one.id for one in self.who if one is not None]
        return tuple(dict.fromkeys([*ids, account.player] if account else ids))


class _Last(Struct, frozen=True):
    """The fields of a step that the catalog needs."""

    n: int
    at: int


def _read_ends(
    file: int, path: Path, fields: dict[str, Any], games: Games, account: SittingAccount | None
) -> None:
    """Fill in the fields of an entry. Raises ``OSError`` or ``ValueError`` for a damaged log."""
    status = os.fstat(file)
    fields.update(size=status.st_size, changed=status.st_mtime_ns, touched=modified_at(status))
    first = _first_line(file)
    head = _head(path, first)
    fields.update(game=plain(head.game), players=tuple(map(plain, head.players)))
    fields.update(parent=head.parent, daily=head.daily and plain(head.daily))
    fields.update(started=head.at, ended=head.at, player=account.player if account else None)
    fields.update(owners=head.owners(account), options=bytes(head.options), source=head.source)
    fields.update(seed=None if head.source.kind == "committed" else head.source.value)
    fields.update(known_cards=head.croupier is not None and head.croupier.name == "cards")
    lines, fields["torn"] = _last_lines(file, status.st_size)
    end = decode_end(lines[-1])
    step = lines[-2] if end else lines[-1]
    last = _last(step) if step != first else None
    at = end.at if end else last.at if last else head.at
    if not 0 <= at < LAST_MOMENT:
        raise ValueError(f"its last time is {at}, which is not a time in milliseconds since 1970")
    fields.update(steps=last.n if last else 0, ended=at)
    if end is None:
        if account and account.cashed_out is not None:
            raise ValueError("its end is missing: the ledger recorded its cash-out")
        waits = account or _waits_at_table(games, head)
        unfinished = SittingStatus.OPEN if waits else SittingStatus.CUT_OFF
        fields.update(ending=SittingStatus.IN_PLAY if _in_use(file) else unfinished)
        return
    if end.prev != line_hash(step):
        raise ValueError("its last line does not follow the line before it")
    fields.update(reason=plain(end.end.why))
    if end.end.final:
        fields.update(seed=end.end.seed or head.seed or fields["seed"])
    if account and account.cashed_out is None:  # ended, but not paid
        fields.update(ending=SittingStatus.OPEN)
        return
    by_hand = {
        SittingStatus.LEFT.value: SittingStatus.LEFT,
        SittingStatus.TAKEN_BACK.value: SittingStatus.TAKEN_BACK,
    }
    fields.update(ending=by_hand.get(end.end.why, SittingStatus.OVER))
    if account and account.cashed_out is not None:
        fields.update(result=account.cashed_out - account.bought_in)
    elif head.game in games:
        fields.update(result=_result(games[head.game], head, end.end.money))


def modified_at(status: os.stat_result) -> int:
    """Return when a file was last changed, in nanoseconds: a time that users cannot set."""
    return status.st_ctime_ns


def _head(path: Path, line: bytes) -> _Head:
    try:
        head = decode(line, _Head)
        check_identities(head.format, head.players, head.who)
        if 1 <= head.format <= LOG_FORMAT and 0 <= head.at < LAST_MOMENT:
            return head
    except ValueError:
        pass
    decode_header(path, line)  # raises the exact error
    raise ValueError("not the first line of a log")


def _last(line: bytes) -> _Last:
    try:
        return decode(line, _Last)
    except ValueError as error:
        raise ValueError(f"its last step cannot be read: {error}") from None


def _waits_at_table(games: Games, head: _Head) -> bool:
    """Return whether a log belongs to a game for points that can be resumed from the menu."""
    if head.game not in games or HUMAN not in head.players:
        return False
    try:
        options = bytes(head.options)
        resumable = _is_resumable if len(options) <= _USUAL else _is_resumable.__wrapped__
        return resumable(games[head.game], options)
    except ValueError:  # invalid options; opening the log reports the error
        return False


def _result(definition: AnyDefinition, head: _Head, money: tuple[int, ...]) -> int | None:
    """Return the humans' result in cents; ``None`` without humans, or in a game for points."""
    seats = tuple(seat for seat, name in enumerate(head.players) if name == HUMAN)
    if not seats or definition.points:
        return None
    try:
        options = bytes(head.options)
        bought_in = _bought_in_cents if len(options) <= _USUAL else _bought_in_cents.__wrapped__
        unit, brought = bought_in(definition, options, seats)
        return unit * sum(money[seat] for seat in seats) - brought
    except (ValueError, IndexError) as error:
        raise ValueError(f"its result cannot be computed: {error}") from None


_USUAL = 1 << 12  # bytes of options; longer options are not cached


@lru_cache(maxsize=1 << 10)
def _is_resumable(definition: AnyDefinition, options: bytes) -> bool:
    """Return whether tables with these options can be resumed after leaving."""
    return definition.can_resume(build_struct(decode(options, dict), definition.game.Options))


@lru_cache(maxsize=1 << 10)
def _bought_in_cents(
    definition: AnyDefinition, options: bytes, seats: tuple[int, ...]
) -> tuple[int, int]:
    """Return a game's unit, and the buy-in of these seats in cents."""
    game = definition.game
    state = game.start(build_struct(decode(options, dict), game.Options))
    return game.unit, game.unit * sum(game.money(state, Seat(seat)).free for seat in seats)


def _first_line(file: int) -> bytes:
    """Read up to the first line feed; return nothing if the log has no complete line."""
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
    """Return the last two whole lines (or the only one), and the number of bytes after them."""
    span = _END
    while True:
        tail = os.pread(file, span, max(0, size - span))
        *lines, rest = tail.split(b"\n")
        if span >= size or len(lines) > 2:  # or the first may be incomplete
            return lines[-2:], len(rest)
        if span > 2 * LONGEST_LINE:
            raise ValueError(f"its last lines have more than {LONGEST_LINE:,} bytes")
        span *= 16


def _in_use(file: int) -> bool:
    """Return whether another program has locked the log for writing; if not, lock it."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


@contextmanager
def hold_lock(path: Path) -> Iterator[bool]:
    """Lock a log against writing by other programs; yield false if it was already locked.

    Raises ``OSError``.
    """
    file = open_regular(path, os.O_RDWR)
    try:
        yield not _in_use(file)
    finally:
        os.close(file)


LABEL_FILE_NAME = "labels.json"
_MOST_BYTES = 10_000_000  # a hundred thousand labels


class LogLabel(Struct, frozen=True):
    """The label of a log: whether it has a star, and its name, if any."""

    star: bool = False
    name: str = ""


class _Kept(Struct, frozen=True):
    labels: dict[str, LogLabel] = field(default_factory=dict)


NO_LABEL = LogLabel()


class LabelFile:
    """The labels of a folder of logs, by file name."""

    def __init__(self, folder: Path) -> None:
        """Read the labels. Raises :class:`BadFile` for a file that cannot be read."""
        self._path = folder / LABEL_FILE_NAME
        try:
            self._labels = decode(read_bytes(self._path, _MOST_BYTES), _Kept).labels
        except FileNotFoundError:
            self._labels = {}
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BadFile(self._path, f"cannot be read: {reason}") from None

    def label_of(self, log: Path) -> LogLabel:
        """Return the label of a log."""
        return self._labels.get(log.name, NO_LABEL)

    def star(self, log: Path) -> None:
        """Add a star to a log, or remove it. Raises :class:`BadFile`."""
        label = self.label_of(log)
        self._put(log, replace(label, star=not label.star))

    def rename(self, log: Path, name: str) -> None:
        """Set the name of a log; an empty name removes it. Raises :class:`BadFile`."""
        plain = "".join(letter for letter in name if letter.isprintable())
        self._put(log, replace(self.label_of(log), name=plain.strip()[:LONGEST_NAME]))

    def _put(self, log: Path, label: LogLabel) -> None:
        labels = {**self._labels, log.name: label}
        if label == NO_LABEL:
            del labels[log.name]
        try:
            write_atomically(self._path, encode(_Kept(labels)) + b"\n")
        except OSError as error:
            raise BadFile(self._path, f"cannot be written: {error.strerror}") from None
        self._labels = labels
