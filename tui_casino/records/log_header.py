"""The first line of a session log: everything needed to start the same session again."""

from __future__ import annotations

import secrets
import unicodedata
from contextlib import suppress
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from ..engine.chance import SourceSpec
from ..engine.croupier import CroupierSpec
from ..inputs.files import BadFile
from .clock import LAST_MOMENT
from .codec import Fields, decode, encode, to_builtins

LOG_FORMAT, SEAT_FORMAT = 4, 5
"""The format of the log of a table, and the newest one, that of a seat at a table with others.

Format 2 added a client seed to the source, format 3 added the seed to the header in free play, and
format 4 added the identities of the players. Format 5 is that of a log with views, which programs
that read only tables must refuse.
"""
LONGEST_NAME = 40
MOST_STEPS = 10**12
HUMAN, OTHER = "human", "other"
"""The player of the log, or one of several at this keyboard; somebody else in the log of a seat."""


def name_fault(text: str) -> str:
    """Return why a text is not a valid name, or an empty text.

    A name is one line of up to :data:`LONGEST_NAME` characters that can be shown.
    """
    if hidden := next((letter for letter in text if not letter.isprintable()), ""):
        called = unicodedata.name(hidden, "a control character").lower()
        return f"a name has no hidden characters; this one has U+{ord(hidden):04X} ({called})"
    if not text.strip():
        return "a name has at least one character"
    if len(text) > LONGEST_NAME:
        return f"a name has up to {LONGEST_NAME} characters; this one has {len(text)}"
    return ""


def is_player_name(text: str) -> bool:
    """Return whether a text is a valid name; see :func:`name_fault`."""
    return not name_fault(text)


class Identity(Struct, frozen=True):
    """A player: the ``id``, which never changes, and the ``name`` at the time of the session.

    Raises ``ValueError`` for an invalid id or name; see :func:`is_player_name`.
    """

    id: str
    name: str

    def __post_init__(self) -> None:
        if not is_player_name(self.id) or not is_player_name(self.name):
            raise ValueError(
                f"a player's id and name must each be one line of 1 to {LONGEST_NAME} characters"
            )


SeatIdentities = tuple[Identity | None, ...]
"""The player in each seat; ``None`` is a computer player."""


class BranchOrigin(Struct, frozen=True):
    """The origin of a branch: the name of the parent log, and the last common step.

    Raises ``ValueError`` for an invalid number of steps.
    """

    log: str
    step: int

    def __post_init__(self) -> None:
        if not 0 <= self.step <= MOST_STEPS:
            raise ValueError(f"it cannot branch after step {self.step} of another log")


class LogHeader(Struct, frozen=True):
    """The first line: everything needed to start the same session again, except a secret seed.

    In free play, the header also contains a committed ``seed`` in hexadecimal. The seed is not
    secret there, so an interrupted session can be resumed. ``who`` is empty in logs of formats
    before 4. ``daily`` is the day of a daily deal, such as ``2026-11-28``. ``table`` is the code of
    a table with others. ``seat`` is the seat whose view of the table the log contains; without it,
    the log contains all actions.
    """

    format: int
    game: str
    options: Fields
    players: tuple[str, ...]
    croupier: CroupierSpec
    source: SourceSpec
    program: str
    at: int
    parent: BranchOrigin | None = None
    seed: str | None = None
    who: SeatIdentities = ()
    daily: str | None = None
    table: str | None = None
    seat: int | None = None


def log_name(slug: str, at: int, daily: date | None = None, player: str = "") -> str:
    """Return the name of a new log, with the time (UTC) at which its session begins.

    A daily deal has the name of :func:`daily_log_name`.
    """
    if daily is not None:
        return daily_log_name(daily, slug, player)
    begun = datetime.fromtimestamp(at / 1000, UTC)
    return f"{begun:%Y%m%d-%H%M%S}-{slug}-{secrets.token_hex(3)}"


def daily_log_name(day: date, slug: str, player: str) -> str:
    """Return the name of the log of a player's daily deal.

    A player has only one log with this name, so a second try cannot begin.
    """
    name = player.encode(errors="backslashreplace")
    return f"{day:%Y%m%d}-000000-{slug}-{sha256(b'daily|' + name).hexdigest()[:6]}"


def encode_header(header: LogHeader) -> bytes:
    """Return a header as a line, without the keys of missing optional values."""
    fields: Fields = to_builtins(header)
    if not header.source.word:
        del fields["source"]["word"]
    for name in ("seed", "who", "daily", "table", "seat"):
        if getattr(header, name) in (None, ()):
            del fields[name]
    return encode(fields)


class _Versioned(Struct, frozen=True):
    format: int


def decode_header(path: Path, line: bytes) -> LogHeader:
    """Return the header of a log. Raises :class:`BadFile`."""
    if not line:
        raise BadFile(path, "no complete first line: not a log, or cut off before it began", 1)
    try:
        version = _version_of(path, line)
        if version > SEAT_FORMAT:
            reason = (
                f"written by a newer program: format {version}, this one reads 1 to {SEAT_FORMAT}"
            )
            raise BadFile(path, reason, 1)
        if version < 1:
            raise BadFile(
                path, f"unknown format {version}; this program reads 1 to {SEAT_FORMAT}", 1
            )
        header = decode(line, LogHeader)
        if version < 2 and header.source.word:
            raise ValueError(f"format {version} cannot have a client seed in its source")
        check_identities(version, header.players, header.who)
        if (header.seat is None) != (version < SEAT_FORMAT):
            raise ValueError(f"format {SEAT_FORMAT}, and only this one, names the seat of a log")
        if header.seat is not None and header.players[header.seat : header.seat + 1] != (HUMAN,):
            raise ValueError(f"nobody sits in the seat {header.seat} of its owner")
        if (header.seat is None) != (header.table is None) or (
            header.seat is not None and header.daily is not None
        ):
            raise ValueError("only the log of a seat names a table, and it has no daily deal")
        if header.daily is not None:
            check_day(header.daily)
        if not 0 <= header.at < LAST_MOMENT:
            raise ValueError(
                f"its time is {header.at}, which is not a time in milliseconds since 1970"
            )
        return header
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(path, f"not the first line of a log: {error}", 1) from None


def _version_of(path: Path, line: bytes) -> int:
    try:
        return decode(line, _Versioned).format
    except ValueError:
        raise BadFile(path, "not the first line of a log: it does not name its format", 1) from None


def check_day(text: str) -> None:
    """Check that a text is a day such as ``2026-11-28``. Raises ``ValueError``."""
    with suppress(ValueError):
        if date.fromisoformat(text).isoformat() == text:
            return
    raise ValueError(f"the day of its daily deal is {text!r}, not a day such as 2026-11-28")


def check_identities(version: int, players: tuple[str, ...], who: SeatIdentities) -> None:
    """Check that a log of format 4 identifies the player of each seat. Raises ``ValueError``."""
    if version < 4:
        if who:
            raise ValueError(f"format {version} cannot name players")
        return
    if len(who) != len(players):
        raise ValueError(f"it names {len(who)} players, but the table has {len(players)}")
    for seat, (player, one) in enumerate(zip(players, who, strict=True)):
        if player == HUMAN and one is None:
            raise ValueError(f"it does not name the human player in seat {seat}")
        if player != HUMAN and one is not None:
            raise ValueError(f"it names a player for seat {seat}, where a computer plays")
