"""The first line of a session log: everything that starts the same session again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..engine.chance import SourceSpec
from ..engine.croupier import CroupierSpec
from ..inputs.files import BadFile
from .clock import LAST_MOMENT
from .codec import Fields, decode, encode, to_builtins

LOG_FORMAT = 4
"""The newest format: 2 may have a player's word in the source, 3 a seed that is told at once, and
4 says who plays."""
LONGEST_NAME = 40
MOST_STEPS = 10**12
HUMAN = "human"


def is_player_name(text: str) -> bool:
    """Tell whether a player can be called so: a line of up to :data:`LONGEST_NAME` characters."""
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST_NAME


@dataclass(frozen=True, slots=True)
class Identity:
    """Who plays: by an ``id`` that never changes, and the ``name`` that he went by at the time.

    Raises ``ValueError`` for an id or a name that is none, see :func:`is_player_name`.
    """

    id: str
    name: str

    def __post_init__(self) -> None:
        if not is_player_name(self.id) or not is_player_name(self.name):
            raise ValueError(f"a player's id and name are lines of 1 to {LONGEST_NAME} characters")


SeatIdentities = tuple[Identity | None, ...]
"""Who plays, an entry a seat; ``None`` is a computer player."""


@dataclass(frozen=True, slots=True)
class BranchOrigin:
    """Where a sitting branched off from another: that log's name, and its last common step.

    Raises ``ValueError`` for what is no number of steps.
    """

    log: str
    step: int

    def __post_init__(self) -> None:
        if not 0 <= self.step <= MOST_STEPS:
            raise ValueError(f"it cannot go on after step {self.step} of another log")


@dataclass(frozen=True, slots=True)
class LogHeader:
    """The first line: all that starts the same sitting again, but the seed.

    Where no money is at stake a committed ``seed`` stands here, too, in hexadecimal: there is
    nothing to keep it from, and the sitting can be gone on with wherever it was cut off. ``who``
    is empty in logs of formats that did not say it yet.
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


def encode_header(header: LogHeader) -> bytes:
    """Write a header; a word, a seed and who plays have no key where there is none, as before."""
    fields: Fields = to_builtins(header)
    if not header.source.word:
        del fields["source"]["word"]
    if header.seed is None:
        del fields["seed"]
    if not header.who:
        del fields["who"]
    return encode(fields)


@dataclass(frozen=True, slots=True)
class _Versioned:
    format: int


def decode_header(path: Path, line: bytes) -> LogHeader:
    """Read the first line of a log. Raises :class:`BadFile`."""
    if not line:
        raise BadFile(path, "no complete first line: not a log, or cut off before it began", 1)
    try:
        version = _version_of(path, line)
        if version > LOG_FORMAT:
            reason = (
                f"written by a newer program: format {version}, this one knows 1 to {LOG_FORMAT}"
            )
            raise BadFile(path, reason, 1)
        if version < 1:
            raise BadFile(path, f"there is no format {version}; there are 1 to {LOG_FORMAT}", 1)
        header = decode(line, LogHeader)
        if version < 2 and header.source.word:
            raise ValueError(f"format {version} has no word in its source")
        check_identities(version, header.players, header.who)
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


def check_identities(version: int, players: tuple[str, ...], who: SeatIdentities) -> None:
    """Refuse what does not say of each seat who plays, from format 4 on. Raises ``ValueError``."""
    if version < 4:
        if who:
            raise ValueError(f"format {version} does not say who plays")
        return
    if len(who) != len(players):
        raise ValueError(f"it says of {len(who)} seats who plays, and {len(players)} players sit")
    for seat, (player, one) in enumerate(zip(players, who, strict=True)):
        if player == HUMAN and one is None:
            raise ValueError(f"it does not say who plays at seat {seat}, where a human sits")
        if player != HUMAN and one is not None:
            raise ValueError(f"somebody is said to play at seat {seat}, where a computer sits")
