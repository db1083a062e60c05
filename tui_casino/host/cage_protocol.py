"""The requests that a session sends to the cage, and the answers: one per request, in order.

A message is its length followed by MessagePack. Requests do not say who is asking: the cage knows
that from the gateway, which opened the connection (see :class:`CageHello`). A request that names
another ``player`` is refused. A source of chance is identified by its public commitment, which is
the SHA-256 of its seed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from ..house.daily_ranking import BoardKind
from ..records.ledger import (
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerLost,
    LedgerUnsure,
    LogCheckpoint,
    OpenSitting,
)
from ..structs import DECODER_LOCK

HEAD = struct.Struct(">I")
LONGEST = 1 << 20
"""The maximum size of a request in bytes. For answers it is :data:`LONGEST_ANSWER`."""
LONGEST_ANSWER = 64 << 20
PATIENCE = 20
"""Seconds to wait for an answer."""
MOST_WAIT = 10.0
"""The maximum number of seconds that an answer waits for something to happen at a table."""


class CageHello(msgspec.Struct, frozen=True):
    """Identifies the owner of the attached connection; only the gateway can send this message.

    ``folder`` is the absolute path of the player's folder. A guest's ledger is in memory and lasts
    only as long as the connection. If several servers share one database, ``seat`` is the token of
    the player's seat here. ``is_operator`` says that the gateway asks for itself or the operator.
    """

    player: str
    folder: str
    guest: bool = False
    seat: str | None = None
    is_operator: bool = False

    def packed(self) -> bytes:
        """Encode as bytes."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def unpacked(cls, raw: bytes) -> CageHello:
        """Decode from bytes. Raises ``ValueError``."""
        hello: CageHello = _decoder(cls).decode(raw)
        return hello


# ---- the dealer -------------------------------------------------------------------------------


class _Request(msgspec.Struct, frozen=True, tag=True):
    """A request; the docstring of each subclass says what the answer is."""


class _OfPlayer(_Request, frozen=True):
    player: str


class _OfSitting(_Request, frozen=True):
    sitting: str


class _OfLog(_Request, frozen=True):
    log: str


class ChooseSeed(_Request, frozen=True):
    """Choose a seed. Answer: its commitment."""


class PublishCommitment(_Request, frozen=True):
    """Add the commitment of a chosen seed to the commitment log. Answer: nothing."""

    commitment: bytes


class RevealSeed(_Request, frozen=True):
    """Reveal a seed and stop dealing from it. Answer: the seed."""

    commitment: bytes


class ShuffleShoe(_Request, frozen=True):
    """Make a shoe of these cards, each written as two letters. Answer: nothing."""

    commitment: bytes
    client_seed: str
    shoe: int
    pack: str


class DrawCard(_Request, frozen=True):
    """Deal a card from a shoe; ``index`` counts from 0. Answer: the card as two letters."""

    commitment: bytes
    shoe: int
    index: int


class DrawBlock(_Request, frozen=True):
    """Draw random words for a choice, or for a picked card. Answer: one block of a stream."""

    commitment: bytes
    client_seed: str
    occasion: str
    block: int


class ReadDailySeed(_Request, frozen=True):
    """Look up the daily deal of a day. Answer: its commitment, and its seed if the day is over.

    Guests have no daily deal; for them the answer is nothing.
    """

    day: date
    game: str


class ReadDailyBoard(_Request, frozen=True):
    """Look up the results of all games. Answer: the boards as this player sees them."""

    kind: BoardKind


class ReadDailyAnswers(_Request, frozen=True):
    """Count everybody's answers in a deal whose day is over. Answer: the counts."""

    day: date
    game: str


# ---- the methods of the ledger ---------------------------------------------------------------


class IsLedgerDurable(_Request, frozen=True):
    """Answer: whether the ledger still exists after the program has ended."""


class ReadBalance(_OfPlayer, frozen=True):
    """Answer: the balance of the player, in cents."""


class ReadDebt(_OfPlayer, frozen=True):
    """Answer: the debt of the player, in cents."""


class RepayDebt(_OfPlayer, frozen=True):
    """Pay a part of the player's debt, in cents, from the balance."""

    cents: int
    at: int


class BuyIn(_Request, frozen=True):
    """Begin a session; its seed, which the cage has chosen, is identified by its commitment."""

    sitting: OpenSitting
    player: str
    at: int
    loan: int


class MarkProgress(_OfSitting, frozen=True):
    """Store a checkpoint of a session. Answer: whether that was possible."""

    steps: int
    mark: str
    cents: int


class ConfirmKnown(_OfSitting, frozen=True):
    """Check that the ledger has this checkpoint of a session."""

    checkpoint: LogCheckpoint


class CashOut(_OfSitting, frozen=True):
    """End a session. Answer: whether it was open."""

    cents: int
    last_hash: str | None
    at: int


class FindOpenSitting(_OfSitting, frozen=True):
    """Answer: the session if it is open, otherwise nothing."""


class ListOpenSittings(_OfPlayer, frozen=True):
    """Answer: the player's open sessions."""


class ListAccounts(_Request, frozen=True):
    """Answer: the player's sessions; the keys are their ids."""


class ListMoneyMoves(_OfPlayer, frozen=True):
    """Answer: the player's finished sessions, loans and repayments."""


class LookUpLog(_Request, frozen=True):
    """Answer: the ledger's checkpoint of one of the player's logs."""

    log: Path
    hashes: tuple[str, ...]


# ---- log lines, kept for other servers -------------------------------------------------------


class AppendLogLine(_OfLog, frozen=True):
    """Store the next line of a log."""

    number: int
    line: bytes
    durable: bool


class ListLogSizes(_Request, frozen=True):
    """Answer: the size of each stored log in bytes."""


class ReadLog(_OfLog, frozen=True):
    """Answer: the contents of a stored log."""


class ForgetLog(_OfLog, frozen=True):
    """Forget the log of a session that never began."""


# ---- shared tables ----------------------------------------------------------------------------


class MakeTable(_Request, frozen=True):
    """Make a table for several people. Answer: its code.

    Everybody sees a table that ``is_listed``; others sit down only with its code.
    """

    game: str
    options: dict[str, str]
    is_listed: bool = False


class ListTables(_Request, frozen=True):
    """Answer: a :class:`TableLine` for each table that the player sees, or for that of a code."""

    code: str | None = None


class ReadTableLog(_Request, frozen=True):
    """Answer: the log of a closed table at which the player sat, as bytes."""

    code: str


class JoinTable(_Request, frozen=True):
    """Take a free seat at a table with the buy-in of a session.

    The ``entropy`` is for the shuffles; sessions of an older program send none.
    """

    code: str
    seat: int
    sitting: OpenSitting
    entropy: str = ""


class FindSeat(_Request, frozen=True):
    """Answer: the player's :class:`OwnSeat` at a table, or nothing."""

    code: str


class ListPaidSeats(_Request, frozen=True):
    """Answer: the player's seats that were paid out while the player was away."""


class ReadStay(_Request, frozen=True):
    """Read what happened at such a seat from row ``first`` on. Answer: a :class:`TableNews`."""

    code: str
    sitting: str
    first: int


class EndSeatLog(_Request, frozen=True):
    """Store the hash of the last line of the log of such a seat."""

    sitting: str
    last_hash: str


class ActAtTable(_Request, frozen=True):
    """Play an action of the player's seat, given by its name and fields.

    It was chosen ``after`` a row. ``last_hash`` is that of the own log's last line, if
    the seat is left. Answer: the number of its row, or nothing if the table has continued.
    """

    code: str
    action: dict[str, Any]
    after: int | None = None
    last_hash: str | None = None


class MarkSeat(_Request, frozen=True):
    """Store which line of the player's own log ended a round, and its hash."""

    code: str
    steps: int
    mark: str


class SayAtTable(_Request, frozen=True):
    """Say a phrase, given by its number, to those who sit at the player's table."""

    code: str
    phrase: int


class BlockPlayer(_Request, frozen=True):
    """Block somebody who sits at a table, given by name, or no longer block them.

    Their phrases do not reach the player, and the player's tables do not admit them. The tables of
    each are not listed for the other. No ``code`` is necessary if ``on`` is false.
    """

    code: str
    name: str
    on: bool = True


class ListBlocked(_Request, frozen=True):
    """Answer: the names of those whom the player blocks."""


class ReadTable(_Request, frozen=True):
    """Read a table from row ``first`` on. Answer: a :class:`TableNews`.

    It has the phrases after the time ``heard``. If there is nothing new, the answer waits for it,
    for at most ``wait`` seconds.
    """

    code: str
    first: int
    wait: float = 0.0
    heard: int = 0


class WatchTable(_Request, frozen=True):
    """Read the rounds that are over at a table, after a row. Answer: a :class:`WatchedRounds`.

    If there are none, the answer waits for the end of a round, for at most ``wait`` seconds.
    """

    code: str
    after: int
    wait: float = 0.0


# ---- the operator -----------------------------------------------------------------------------


class OperateTable(_Request, frozen=True):
    """Freeze, thaw or close a table. Answer: the number of players who were paid out."""

    code: str
    action: Literal["freeze", "thaw", "close"]


class CountTables(_Request, frozen=True):
    """Answer: a :class:`TableCounts`, or nothing if this server has no tables."""


class TableCount(msgspec.Struct, frozen=True):
    """The ``number`` of tables of a game in a state, which is open or frozen."""

    game: str
    state: str
    number: int


class TableCounts(msgspec.Struct, frozen=True):
    """Figures about the tables with others, and the number of ``seats`` that people have taken.

    Since the start of the cage, ``rows`` were appended. The times of the last append and of the
    slowest one are in seconds, with the wait for the disk.
    """

    tables: tuple[TableCount, ...]
    seats: int
    rows: int
    last_append: float
    slowest_append: float


CageRequest: TypeAlias = (
    ChooseSeed
    | PublishCommitment
    | RevealSeed
    | ShuffleShoe
    | DrawCard
    | DrawBlock
    | ReadDailySeed
    | ReadDailyBoard
    | ReadDailyAnswers
    | IsLedgerDurable
    | ReadBalance
    | ReadDebt
    | RepayDebt
    | BuyIn
    | MarkProgress
    | ConfirmKnown
    | CashOut
    | FindOpenSitting
    | ListOpenSittings
    | ListAccounts
    | ListMoneyMoves
    | LookUpLog
    | AppendLogLine
    | ListLogSizes
    | ReadLog
    | ForgetLog
    | MakeTable
    | ListTables
    | ReadTableLog
    | JoinTable
    | FindSeat
    | ListPaidSeats
    | ReadStay
    | EndSeatLog
    | ActAtTable
    | MarkSeat
    | SayAtTable
    | BlockPlayer
    | ListBlocked
    | ReadTable
    | WatchTable
    | OperateTable
    | CountTables
)


# ---- answers ----------------------------------------------------------------------------------


class RequestDone(msgspec.Struct, frozen=True, tag=True):
    """The answer to a request that was carried out."""

    value: msgspec.Raw


class RequestRefused(msgspec.Struct, frozen=True, tag=True):
    """The answer to a request that was refused; ``kind`` is a key of :data:`_KINDS`."""

    kind: str
    reason: str


_KINDS = {
    kind.__name__: kind
    for kind in (LedgerError, LedgerBusy, LedgerDamaged, LedgerLost, LedgerUnsure)
}


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be encoded")


def _made(kind: type[Any], value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError(f"not a {kind.__name__}")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_plain)


@lru_cache(maxsize=32)  # one per type of request or answer
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    with DECODER_LOCK:
        return msgspec.msgpack.Decoder(kind, dec_hook=_made)


def pack_message(message: object) -> bytes:
    """Encode a request or an answer as a message."""
    raw = _ENCODER.encode(message)
    return HEAD.pack(len(raw)) + raw


def done_message(value: object) -> bytes:
    """Encode the answer to a request that was carried out."""
    return pack_message(RequestDone(msgspec.Raw(_ENCODER.encode(value))))


def refusal_message(error: LedgerError, hide: Callable[[str], str] = str) -> bytes:
    """Encode a refusal; ``hide`` removes text that players may not read."""
    kind = type(error).__name__
    return pack_message(
        RequestRefused(kind if kind in _KINDS else LedgerError.__name__, hide(error.shown))
    )


def unpack_request(raw: bytes) -> CageRequest:
    """Decode a request. Raises ``ValueError``."""
    request: CageRequest = _decoder(CageRequest).decode(raw)
    return request


def unpack_answer(raw: bytes, kind: Any) -> Any:
    """Decode an answer of this type.

    Raises :class:`LedgerError` for a refusal, and ``ValueError`` for bytes that are not an answer.
    """
    answer: RequestDone | RequestRefused = _decoder(RequestDone | RequestRefused).decode(raw)
    if isinstance(answer, RequestRefused):
        known = _KINDS.get(answer.kind, LedgerError)
        error = known.__new__(known)
        LedgerError.__init__(
            error, answer.reason
        )  # one of the classes makes its message in __init__
        raise error
    return _decoder(kind).decode(answer.value)
