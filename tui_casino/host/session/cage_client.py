"""A session's connection to the cage, and the ledger, log replica and chance source behind it.

A session makes one request at a time, from any thread. No session process opens the server's
ledger, and none has the seed of a money session before that session ends: each card is requested
when it is dealt.
"""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn, TypeVar, overload

from msgspec import Struct

from ...cards.card import Card
from ...engine.chance import (
    ChanceSource,
    CommittedSource,
    DiceStream,
    SourceSpec,
    check_client_seed,
    make_source,
)
from ...engine.offers import Dice
from ...house.daily_ranking import AnswerCounts, Board, BoardKind
from ...house.house import SourceRestorer
from ...house.lobby import SourceFactory
from ...house.shared_tables import OwnSeat, TableLine, TableNews, WatchedRounds
from ...records.ledger import (
    Ledger,
    LedgerContents,
    LedgerError,
    LedgerUnsure,
    LogCheckpoint,
    MoneyMovement,
    OpenSitting,
    SittingAccount,
)
from ...records.log_replica import LogReplica
from ...records.session_log import LogWriteError
from ...records.shared_tables import PaidSeat
from .. import cage_protocol as wire
from ..daily_deals import DailySeed

T = TypeVar("T")
GONE = "The server had to restart. Connect again to finish an open hand."
_PIECE = 64 << 10
_TIMEVAL = struct.Struct("ll")


class CageGone(LedgerUnsure):
    """The cage no longer answers."""

    def __init__(self) -> None:
        super().__init__("the server is restarting; connect again")


class CageClient:
    """Sends requests to the cage and waits for the answers."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._lock = line, Lock()
        line.setblocking(True)
        # socket.settimeout would also make check_disconnected wait
        for way in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            line.setsockopt(socket.SOL_SOCKET, way, _TIMEVAL.pack(wire.PATIENCE, 0))
        self.disconnected = False

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._line.fileno()

    def ask(self, request: wire.CageRequest, kind: type[T] | Any) -> T:
        """Send a request and return its answer, which is of the type ``kind``.

        Raises :class:`LedgerError` if it is refused, and :class:`CageGone` if the cage does not
        answer.
        """
        with self._lock:
            if self.disconnected:
                raise CageGone
            try:
                self._line.sendall(wire.pack_message(request))
                raw = self._read()
            except OSError:
                self.disconnected = True
                raise CageGone from None
        try:
            answer: T = wire.unpack_answer(raw, kind)
        except LedgerError:
            raise
        except ValueError:
            raise CageGone from None
        return answer

    def _read(self) -> bytes:
        got = bytearray()
        length: int | None = None
        while length is None or len(got) < length:
            piece = self._line.recv(_PIECE)
            if not piece:
                raise ConnectionResetError
            got += piece
            if length is None and len(got) >= wire.HEAD.size:
                (length,) = wire.HEAD.unpack(got[: wire.HEAD.size])
                del got[: wire.HEAD.size]
                if length > wire.LONGEST_ANSWER:
                    raise ConnectionAbortedError
        return bytes(got)

    def check_disconnected(self) -> bool:
        """Return immediately whether the cage has closed the connection."""
        try:
            closed = self._line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return self.disconnected
        except OSError:
            closed = True
        self.disconnected = self.disconnected or closed
        return self.disconnected

    def close(self) -> None:
        """Close the connection."""
        self._line.close()


NAME = "the server's ledger"


class CageLedger:
    """A :class:`~tui_casino.records.ledger.Ledger` of one player.

    It replaces a session's seed with the commitment, by which the cage finds the seed.
    """

    name = NAME

    def __init__(self, line: CageClient) -> None:
        self._line = line
        self.persistent: bool = line.ask(wire.IsLedgerDurable(), bool)
        self.new = not self.persistent

    def balance(self, player: str) -> int:
        """Return the player's balance in cents."""
        return self._line.ask(wire.ReadBalance(player), int)

    def debt(self, player: str) -> int:
        """Return the player's debt in cents."""
        return self._line.ask(wire.ReadDebt(player), int)

    def repay(self, player: str, cents: int, at: int) -> None:
        """Pay a part of the player's debt from the balance."""
        self._line.ask(wire.RepayDebt(player, cents, at), None)

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Add the loan to the balance, and move the buy-in from the balance to a new session."""
        self._line.ask(wire.BuyIn(sitting, player, at, loan), None)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Store an open session's number of steps, last hash, and money in cents."""
        return self._line.ask(wire.MarkProgress(sitting, steps, mark, cents), bool)

    def confirm(self, sitting: str, known: LogCheckpoint) -> None:
        """Check that the ledger still has this checkpoint of a session."""
        self._line.ask(wire.ConfirmKnown(sitting, known), None)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a session's money to the balance; return false if that was already done."""
        return self._line.ask(wire.CashOut(sitting, cents, last_hash, at), bool)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return a session if it is open."""
        return self._line.ask(wire.FindOpenSitting(sitting), OpenSitting | None)

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List the player's open sessions, the oldest first."""
        return self._line.ask(wire.ListOpenSittings(player), list[OpenSitting])

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """List the player's own sessions, whatever ``player`` is: the cage shows no others."""
        return self._line.ask(wire.ListAccounts(), dict[str, SittingAccount])

    def movements(self, player: str) -> list[MoneyMovement]:
        """List the player's finished sessions, loans and repayments, the oldest first."""
        return self._line.ask(wire.ListMoneyMoves(player), list[MoneyMovement])

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Return the ledger's checkpoint of one of the player's logs, if there is one."""
        return self._line.ask(wire.LookUpLog(log, tuple(hashes)), LogCheckpoint | None)

    def books(self) -> LedgerContents:
        """Refuse: a session cannot see the whole ledger."""
        self._refuse()

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Refuse: a session cannot rewrite the ledger."""
        self._refuse()

    def lend(self, player: str, cents: int, at: int) -> None:
        """Refuse: a session can borrow only as part of a buy-in."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise LedgerError(f"a session cannot do that with {NAME}; only the operator can")

    def close(self) -> None:
        """Close the connection."""
        self._line.close()


class CageLogReplica:
    """A :class:`~tui_casino.records.log_replica.LogReplica` for the player of this connection."""

    def __init__(self, line: CageClient) -> None:
        self._line = line

    def append(self, log: str, number: int, line: bytes, *, lasting: bool) -> None:
        """Store the next line, or replace the last one."""
        self._ask(wire.AppendLogLine(log, number, line, lasting), None)

    def check(self) -> None:
        """Do nothing: the cage checks before it writes."""

    def sizes(self) -> dict[str, int]:
        """Return the size of each log in bytes, with line feeds."""
        result: dict[str, int] = self._ask(wire.ListLogSizes(), dict[str, int])
        return result

    def text(self, log: str) -> bytes:
        """Return the contents of a log."""
        result: bytes = self._ask(wire.ReadLog(log), bytes)
        return result

    def forget(self, log: str) -> None:
        """Forget the log of a session that never began."""
        self._ask(wire.ForgetLog(log), None)

    def _ask(self, request: wire.CageRequest, kind: Any) -> Any:
        try:
            return self._line.ask(request, kind)
        except LedgerError as error:
            raise OSError(errno.EIO, str(error)) from None


class CageSource:
    """A source whose seed is in the cage. Reading ``seed`` reveals it, and no more cards are dealt.

    A failed request raises :class:`~tui_casino.records.session_log.LogWriteError`, like a log line
    that cannot be written: the step has not happened, and the table waits.
    """

    def __init__(self, line: CageClient, origin: SourceSpec) -> None:
        self._line, self._origin = line, origin
        self._revealed: CommittedSource | None = None

    @property
    def seed(self) -> bytes | None:
        """The seed, which the cage reveals when this property is read.

        Raises :class:`LedgerError`, for example if the cage does not know the seed.
        """
        if self._revealed is None:
            revealed = CommittedSource(
                self._line.ask(wire.RevealSeed(self.stored_seed), bytes), self._origin.word
            )
            if revealed.spec != self._origin:
                raise LedgerError("the seed is not the one that was committed to")
            self._revealed = revealed
        return self._revealed.seed

    @property
    def spec(self) -> SourceSpec:
        """The commitment, and the player's client seed."""
        return self._origin

    @property
    def stored_seed(self) -> bytes:
        """The commitment, which the cage uses to find the seed."""
        return bytes.fromhex(self._origin.value)

    def with_client_seed(self, word: str, /) -> ChanceSource:
        """Return the source with a client seed mixed in. Raises ``ValueError``."""
        check_client_seed(word)
        return CageSource(self._line, SourceSpec("committed", self._origin.value, word))

    def dice(self, occasion: str, /) -> Dice:
        """Return the dice for an occasion: from the cage, or from the seed once it is revealed."""
        if self._revealed is not None:
            return self._revealed.dice(occasion)
        return _CageDice(self._line, self.stored_seed, self._origin.word, occasion)


class _CageDice(DiceStream):
    """The dice for one occasion: they give random words for a choice, but only cards for a shoe."""

    def __init__(
        self, line: CageClient, commitment: bytes, client_seed: str, occasion: str
    ) -> None:
        super().__init__(b"", occasion)
        self._line, self._commitment, self._client_seed = line, commitment, client_seed
        self._occasion = occasion

    def block(self, number: int) -> bytes:
        """Request eight words from the stream."""
        request = wire.DrawBlock(self._commitment, self._client_seed, self._occasion, number)
        try:
            return self._line.ask(request, bytes)
        except LedgerError as error:
            raise LogWriteError(errno.EIO, str(error)) from None

    def shuffle(self, pack: Sequence[Card], /) -> Sequence[Card]:
        """Request a shoe; its cards are requested one by one when they are dealt."""
        shoe = int(self._occasion.removeprefix("shoe "))
        named = "".join(map(str, pack))
        try:
            self._line.ask(wire.ShuffleShoe(self._commitment, self._client_seed, shoe, named), None)
        except LedgerError as error:
            raise LogWriteError(errno.EIO, str(error)) from None
        return _CageShoe(self._line, self._commitment, shoe, len(pack))


class _CageShoe(Sequence[Card]):
    """The cards of a shoe; each is requested when it is read."""

    def __init__(self, line: CageClient, commitment: bytes, shoe: int, cards: int) -> None:
        self._line, self._commitment, self._shoe, self._cards = line, commitment, shoe, cards

    def __len__(self) -> int:
        return self._cards

    @overload
    def __getitem__(self, at: int) -> Card: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Card]: ...

    def __getitem__(self, at: int | slice) -> Card | Sequence[Card]:
        if isinstance(at, slice):
            raise TypeError("cards are dealt one by one")
        try:
            return Card.parse(self._line.ask(wire.DrawCard(self._commitment, self._shoe, at), str))
        except LedgerError as error:
            raise LogWriteError(errno.EIO, str(error)) from None


def new_source(line: CageClient) -> CageSource:
    """Request a new seed, and return a source with its commitment. Raises :class:`LedgerError`."""
    digest: bytes = line.ask(wire.ChooseSeed(), bytes)
    return CageSource(line, SourceSpec("committed", digest.hex()))


def publish_commitment(line: CageClient, commitment: str) -> None:
    """Publish a commitment before it is shown. Raises :class:`LedgerError`."""
    line.ask(wire.PublishCommitment(bytes.fromhex(commitment)), None)


def restore_source(
    line: CageClient, origin: SourceSpec, stored: bytes | None
) -> ChanceSource | None:
    """Return the source of an open session; ``stored`` is what the ledger has instead of its seed.

    Raises ``ValueError`` if ``stored`` belongs to another session.
    """
    if origin.kind != "committed":
        return make_source(origin)
    if stored is None:
        return None
    source = CageSource(line, origin)
    if source.stored_seed != stored:
        raise ValueError("the seed is not the one that was committed to")
    return source


class SealedSource(CageSource):
    """The source of today's daily deal, whose seed is not revealed before the day is over."""

    @property
    def seed(self) -> None:
        """``None``: others still play the deal."""
        return None


class CageTables:
    """The :class:`~tui_casino.house.shared_tables.SharedTablesClient` of a session.

    ``news`` is a second connection, on which answers may take long.
    """

    def __init__(self, line: CageClient, news: CageClient) -> None:
        self._line, self._news = line, news

    def list(self) -> Sequence[TableLine]:
        """Return a line about each open table that the player sees, the oldest first."""
        lines: tuple[TableLine, ...] = self._line.ask(wire.ListTables(), tuple[TableLine, ...])
        return lines

    def make(self, game: str, options: dict[str, str], *, is_listed: bool) -> str:
        """Make a table, and return its code."""
        return self._line.ask(wire.MakeTable(game, options, is_listed), str)

    def find(self, code: str) -> TableLine | None:
        """Return a line about an open table; ``None`` if there is none with this code."""
        return next(iter(self._line.ask(wire.ListTables(code), tuple[TableLine, ...])), None)

    def join(self, code: str, seat: int, sitting: OpenSitting, entropy: str = "") -> None:
        """Take a free seat with the buy-in of a session, and with entropy for the shuffles."""
        self._line.ask(wire.JoinTable(code, seat, sitting, entropy), type(None))

    def seat(self, code: str) -> OwnSeat | None:
        """Return the player's seat, if the player sits there."""
        return self._line.ask(wire.FindSeat(code), OwnSeat | None)

    def act(
        self, code: str, action: dict[str, Any], after: int | None, last_hash: str | None = None
    ) -> int | None:
        """Play an action of the player's seat, chosen after a row; return the number of its row."""
        return self._line.ask(wire.ActAtTable(code, action, after, last_hash), int | None)

    def mark(self, code: str, steps: int, mark: str) -> None:
        """Store which line of the player's own log ended a round, and its hash."""
        self._line.ask(wire.MarkSeat(code, steps, mark), None)

    def read(self, code: str, first: int, wait: float, heard: int = 0) -> TableNews:
        """Return what happened from row ``first`` on; wait for it if it is nothing."""
        line = self._news if wait else self._line
        return line.ask(wire.ReadTable(code, first, wait, heard), TableNews)

    def watch(self, code: str, after: int, wait: float) -> WatchedRounds:
        """Return the lines about the rounds that are over, after a row; wait if there are none."""
        line = self._news if wait else self._line
        return line.ask(wire.WatchTable(code, after, wait), WatchedRounds)

    def say(self, code: str, phrase: int) -> None:
        """Say a phrase, given by its number, to those who sit at the table."""
        self._line.ask(wire.SayAtTable(code, phrase), type(None))

    def block(self, code: str, name: str, *, on: bool) -> None:
        """Block somebody who sits at a table, or no longer block them, for which any code does."""
        self._line.ask(wire.BlockPlayer(code, name, on), type(None))

    def paid(self) -> Sequence[PaidSeat]:
        """Return the player's seats that were paid out while the player was away."""
        seats: tuple[PaidSeat, ...] = self._line.ask(wire.ListPaidSeats(), tuple[PaidSeat, ...])
        return seats

    def read_stay(self, code: str, sitting: str, first: int) -> TableNews:
        """Return what happened at such a seat from row ``first`` on."""
        return self._line.ask(wire.ReadStay(code, sitting, first), TableNews)

    def end_log(self, sitting: str, last_hash: str) -> None:
        """Store the hash of the last line of the log of such a seat."""
        self._line.ask(wire.EndSeatLog(sitting, last_hash), type(None))

    def blocked(self) -> Sequence[str]:
        """Return the names of those whom the player blocks."""
        names: tuple[str, ...] = self._line.ask(wire.ListBlocked(), tuple[str, ...])
        return names


class CageDaily:
    """The :class:`~tui_casino.house.house.DailyServer` of a session.

    ``report`` tells the gateway about a finished try.
    """

    def __init__(self, line: CageClient, report: Callable[[], object]) -> None:
        self._line, self._report = line, report

    def report(self) -> None:
        """Ask the gateway to judge a try that the player has finished."""
        self._report()

    def source(self, day: date, game: str) -> ChanceSource:
        """Return the source of a deal. Raises :class:`LedgerError`."""
        found: DailySeed = self._line.ask(wire.ReadDailySeed(day, game), DailySeed)
        if found.seed is not None:
            return CommittedSource(found.seed)
        return SealedSource(self._line, SourceSpec("committed", found.commitment.hex()))

    def boards(self, kind: BoardKind) -> tuple[Board, ...]:
        """Return the boards of all games. Raises :class:`LedgerError`."""
        boards: tuple[Board, ...] = self._line.ask(wire.ReadDailyBoard(kind), tuple[Board, ...])
        return boards

    def answers(self, day: date, game: str) -> AnswerCounts:
        """Count everybody's answers in a deal whose day is over. Raises :class:`LedgerError`."""
        counts: AnswerCounts = self._line.ask(
            wire.ReadDailyAnswers(day, game), dict[str, dict[str, int]]
        )
        return counts


class SessionResources(Struct, frozen=True):
    """The player's ledger, and functions that make and restore sources of fair shuffles.

    A commitment is passed to ``publish_commitment`` before it is shown. ``disconnected`` returns
    whether the cage has closed its connection, so that the session should end. If several servers
    share one database, ``log_replica`` keeps the player's logs for the other servers.
    """

    ledger: Ledger
    new_source: SourceFactory
    publish_commitment: Callable[[str], None]
    restore_source: SourceRestorer
    disconnected: Callable[[], bool]
    log_replica: LogReplica | None


def resources_over(line: CageClient, *, shared: bool = False) -> SessionResources:
    """Return the resources that the cage offers to the player of this connection.

    There is a log replica only if several servers share a database (``shared``). Raises
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, log_replica = CageLedger(line), CageLogReplica(line) if shared else None
    return SessionResources(
        ledger,
        partial(new_source, line),
        partial(publish_commitment, line),
        partial(restore_source, line),
        line.check_disconnected,
        log_replica,
    )
