"""The requests of a session to the cage, and the answers: one per request, in order.

A message is its length and MessagePack. Who asks is nowhere in it: the cage knows that from whoever
made the line, see :class:`CageHello`. A ``player`` that is named all the same is refused if he is
another. A source of chance is known by its commitment, SHA-256 of the seed, which is no secret.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from ..records.ledger import (
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerLost,
    LedgerUnsure,
    LogCheckpoint,
    OpenSitting,
)

HEAD = struct.Struct(">I")
LONGEST = 1 << 20
"""Bytes of a request; an answer may have :data:`LONGEST_ANSWER`, as a long list of results has."""
LONGEST_ANSWER = 64 << 20
PATIENCE = 20
"""Seconds that an answer is waited for."""


class CageHello(msgspec.Struct, frozen=True):
    """Whose line it is that comes with this: said by the gateway, and by nobody else.

    ``folder`` is the player's own, an absolute path. A guest's ledger is in memory, and goes with
    his line. Where several hosts are one house ``seat`` is the token of his seat here.
    """

    player: str
    folder: str
    guest: bool = False
    seat: str | None = None

    def packed(self) -> bytes:
        """Give it as bytes."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def unpacked(cls, raw: bytes) -> CageHello:
        """Read it again. Raises ``ValueError``."""
        return msgspec.msgpack.decode(raw, type=cls)


# ---- the dealer -------------------------------------------------------------------------------


class _Request(msgspec.Struct, frozen=True, tag=True):
    """Something asked; the subclasses say what is answered."""


class _OfPlayer(_Request, frozen=True):
    player: str


class _OfSitting(_Request, frozen=True):
    sitting: str


class _OfLog(_Request, frozen=True):
    log: str


class ChooseSeed(_Request, frozen=True):
    """Choose a seed: its commitment."""


class PublishCommitment(_Request, frozen=True):
    """Put the commitment to a seed that was chosen on the list: nothing is answered."""

    commitment: bytes


class RevealSeed(_Request, frozen=True):
    """The sitting ends, and nothing more is dealt: the seed."""

    commitment: bytes


class ShuffleShoe(_Request, frozen=True):
    """Make a shoe of these cards, two letters each: nothing is answered."""

    commitment: bytes
    client_seed: str
    shoe: int
    pack: str


class DrawCard(_Request, frozen=True):
    """Turn a card of a shoe over, ``index`` counted from 0: the card in two letters."""

    commitment: bytes
    shoe: int
    index: int


class DrawBlock(_Request, frozen=True):
    """Draw for a choice, or for a card that is picked: the words of one block of a stream."""

    commitment: bytes
    client_seed: str
    occasion: str
    block: int


# ---- the ledger, as its protocol has it -------------------------------------------------------


class IsLedgerDurable(_Request, frozen=True):
    """Whether the ledger outlasts the program."""


class ReadBalance(_OfPlayer, frozen=True):
    """What the player has, in cents."""


class ReadDebt(_OfPlayer, frozen=True):
    """What he was lent, in cents."""


class BuyIn(_Request, frozen=True):
    """Begin a sitting; its seed is the commitment of one that was chosen here."""

    sitting: OpenSitting
    player: str
    at: int
    loan: int


class MarkProgress(_OfSitting, frozen=True):
    """Note how far a sitting has come: whether that could be done."""

    steps: int
    mark: str
    cents: int


class ConfirmKnown(_OfSitting, frozen=True):
    """See that this is known of a sitting."""

    checkpoint: LogCheckpoint


class CashOut(_OfSitting, frozen=True):
    """End a sitting: whether it was open."""

    cents: int
    last_hash: str | None
    at: int


class FindOpenSitting(_OfSitting, frozen=True):
    """A sitting, if it is open."""


class ListOpenSittings(_OfPlayer, frozen=True):
    """The player's sittings that are open."""


class ListAccounts(_Request, frozen=True):
    """The player's sittings, by their ids."""


class ListMoneyMoves(_OfPlayer, frozen=True):
    """The player's finished sittings and loans."""


class LookUpLog(_Request, frozen=True):
    """What is known of a log of the player's own."""

    log: Path
    hashes: tuple[str, ...]


# ---- the lines of logs, for other hosts -------------------------------------------------------


class AppendLogLine(_OfLog, frozen=True):
    """Keep the next line of a log."""

    number: int
    line: bytes
    durable: bool


class ListLogSizes(_Request, frozen=True):
    """The bytes of each log that is kept."""


class ReadLog(_OfLog, frozen=True):
    """A log that is kept, as its file."""


class ForgetLog(_OfLog, frozen=True):
    """Forget a log that never began."""


CageRequest: TypeAlias = (
    ChooseSeed
    | PublishCommitment
    | RevealSeed
    | ShuffleShoe
    | DrawCard
    | DrawBlock
    | IsLedgerDurable
    | ReadBalance
    | ReadDebt
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
)


# ---- answers ----------------------------------------------------------------------------------


class RequestDone(msgspec.Struct, frozen=True, tag=True):
    """It was done: what came of it."""

    value: msgspec.Raw


class RequestRefused(msgspec.Struct, frozen=True, tag=True):
    """It was not done; ``kind`` is one of :data:`_KINDS`."""

    kind: str
    reason: str


_KINDS = {
    kind.__name__: kind
    for kind in (LedgerError, LedgerBusy, LedgerDamaged, LedgerLost, LedgerUnsure)
}


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"nothing says {type(value).__name__} here")


def _made(kind: type[Any], value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError(f"no {kind.__name__}")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_plain)


@lru_cache(maxsize=32)  # the types that requests and answers have
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=_made)


def pack_message(message: object) -> bytes:
    """Make a message of a request or an answer."""
    raw = _ENCODER.encode(message)
    return HEAD.pack(len(raw)) + raw


def done_message(value: object) -> bytes:
    """Make the message of what was done."""
    return pack_message(RequestDone(msgspec.Raw(_ENCODER.encode(value))))


def refusal_message(error: LedgerError, hide: Callable[[str], str] = str) -> bytes:
    """Make the message of what was refused; ``hide`` takes out what no player is to read."""
    kind = type(error).__name__
    return pack_message(
        RequestRefused(kind if kind in _KINDS else LedgerError.__name__, hide(error.shown))
    )


def unpack_request(raw: bytes) -> CageRequest:
    """Read a request. Raises ``ValueError``."""
    request: CageRequest = _decoder(CageRequest).decode(raw)
    return request


def unpack_answer(raw: bytes, kind: Any) -> Any:
    """Read an answer of this type. Raises :class:`LedgerError`, and ``ValueError`` for none."""
    answer: RequestDone | RequestRefused = _decoder(RequestDone | RequestRefused).decode(raw)
    if isinstance(answer, RequestRefused):
        known = _KINDS.get(answer.kind, LedgerError)
        error = known.__new__(known)
        LedgerError.__init__(error, answer.reason)  # one of them writes its message itself
        raise error
    return _decoder(kind).decode(answer.value)
