"""The ledger: one balance per player, in cents; money moves at the buy-in and the cash-out.

Between buy-in and cash-out, the money is in the session, and only the session's log shows how much
it is. So the ledger protects that log: it stores the hash of its first line at the buy-in, and the
hash of its last line after each round, so that nobody can continue with another log or a shortened
one. The ledger also stores the seed of an open session until the seed is revealed, so an
interrupted session can be resumed.

All ledgers implement the protocol :class:`Ledger`; :mod:`.sqlite_ledger` stores a ledger in a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from msgspec import Struct

from ..inputs.errors import BadInput
from ..structs import repr_without
from .redo_log import RedoLog

OPENING_BALANCE = 1_000_00
"""The balance of a new player, in cents."""
LOAN_CENTS = 1_000_00
"""The loan from the house to a player who cannot make the smallest bet, in cents."""


AWAY = "the ledger cannot be reached at the moment"
"""The message to players for any database error; only the operator may see the address."""


class LedgerError(BadInput):
    """The ledger cannot be used; the message says what is wrong and where it is.

    A server shows its players the message ``public`` instead, if there is one, because only the
    operator needs to know where the ledger is.
    """

    public: str | None = None

    @property
    def shown(self) -> str:
        """The message to show to a player."""
        return str(self) if self.public is None else self.public


class LedgerBusy(LedgerError):
    """Another program is writing to the ledger; it may be free a moment later."""


class LedgerDamaged(LedgerError):
    """The file is not a ledger, or it is damaged."""


class BalanceTooLow(LedgerError):
    """The balance is below a buy-in; another program may have moved the money meanwhile."""


class LedgerUnsure(LedgerError):
    """The connection ended before the answer, so the change may or may not have been made."""


class LedgerLost(LedgerError):
    """The ledger was deleted, replaced or shortened while it was in use."""

    def __init__(self, what: str, name: str) -> None:
        super().__init__(
            f"the ledger {what} while in use, so nothing is paid: leave and start again; if your "
            f"balance is wrong then, tui-casino ledger rebuild restores it from the logs ({name})"
        )


class LogCheckpoint(Struct, frozen=True):
    """The hashes of a log's lines that the ledger stores.

    * ``head`` is the hash of the first line; ``None`` if an older program began the session.
    * ``mark`` is the hash of step number ``steps``, which ended a round; ``None`` before that.
    * ``last`` is the hash of the last line once the session is over.
    """

    head: str | None = None
    steps: int = 0
    mark: str | None = None
    last: str | None = None

    @property
    def settled(self) -> bool:
        """Whether the ledger's checkpoint, not the end of the log, decided the payout."""
        return self.last is not None and self.last == self.mark


NO_CHECKPOINT = LogCheckpoint()


class OpenSitting(Struct, frozen=True):
    """A session that has not been cashed out: its log, its seed, and its buy-in (cents).

    ``last_money`` is the player's money after the last round in the checkpoint, in cents.
    """

    id: str
    game: str
    log: Path
    seed: bytes | None
    bought_in: int
    checkpoint: LogCheckpoint = NO_CHECKPOINT
    last_money: int | None = None

    def __repr__(self) -> str:
        return repr_without(self, "seed")

    @property
    def owed(self) -> int:
        """The money that the house pays, in cents, if the log is lost.

        It is the player's money after the last round in the checkpoint, or the buy-in. A later bet
        is returned.
        """
        return self.bought_in if self.last_money is None else self.last_money


class MoneyMovement(NamedTuple):
    """A change of a player's money: a finished session of a ``game``, or a loan without a game.

    ``at`` is the time in milliseconds since 1970, ``cents`` the amount won, lost or lent, and
    ``log`` the path of the session's log. A repayment is a negative loan.
    """

    at: int
    game: str
    cents: int
    log: str


class SittingAccount(Struct, frozen=True):
    """The player of a session, its buy-in and, once it is over, its cash-out (cents)."""

    player: str
    bought_in: int
    cashed_out: int | None


class PlayerWinnings(NamedTuple):
    """A player's wins minus losses, in cents, and the number of sessions with a bet.

    Loans are not included.
    """

    player: str
    won: int
    sittings: int


class Marker(NamedTuple):
    """A loan from the house to a player, in cents, and its time; a repayment is negative."""

    player: str
    at: int
    cents: int


class LedgerSitting(Struct, frozen=True):
    """All data of a session in a ledger; ``closed`` and ``cashed_out`` are ``None`` while open.

    ``last_money`` is as in :class:`OpenSitting`. Times are milliseconds since 1970, amounts are in
    cents, and ``log`` is a path.
    """

    id: str
    player: str
    game: str
    log: str
    seed: bytes | None
    opened: int
    bought_in: int
    closed: int | None
    cashed_out: int | None
    checkpoint: LogCheckpoint = NO_CHECKPOINT
    last_money: int | None = None

    def __repr__(self) -> str:
        return repr_without(self, "seed")


class LedgerContents(Struct, frozen=True):
    """All data of a ledger: each player's balance in cents, loans and repayments, and sessions."""

    balances: tuple[tuple[str, int], ...] = ()
    markers: tuple[Marker, ...] = ()
    sittings: tuple[LedgerSitting, ...] = ()


class LedgerWitness(Protocol):
    """An observer that sees each entry before it is booked, and may raise an error to cancel it."""

    def shows(self, commitment: str, at: int) -> None:
        """Record a commitment that a player sees before a session begins."""
        ...

    def begins(self, sitting: OpenSitting, player: str, at: int, loan: int) -> None:
        """Record a buy-in, before the first card."""
        ...

    def ends(self, sitting: str, last_hash: str | None, at: int) -> None:
        """Record a cash-out."""
        ...

    def settle(self, redo: RedoLog | None = None) -> None:
        """Make the records durable, in one step for all entries that are booked together.

        They are on the disk after this call, or after the commit of the transaction of ``redo``.
        """
        ...

    def recover(self, redo: RedoLog) -> None:
        """Rewrite the records that were only in the redo log when the machine stopped."""
        ...


class Ledger(Protocol):
    """The accounts of all players of a house. Every method may raise :class:`LedgerError`.

    Several programs may have it open at the same time, and any thread may use it.
    """

    @property
    def name(self) -> str:
        """The location of the ledger, for messages."""
        ...

    @property
    def persistent(self) -> bool:
        """Whether the ledger is kept when the program ends; only then can sessions be resumed."""
        ...

    @property
    def new(self) -> bool:
        """Whether opening the ledger created it."""
        ...

    def balance(self, player: str) -> int:
        """Return a player's balance in cents; a new player's is :data:`OPENING_BALANCE`."""
        ...

    def debt(self, player: str) -> int:
        """Return the sum of a player's loans minus the repayments, in cents."""
        ...

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the balance to a new session, after a loan if there is one."""
        ...

    def lend(self, player: str, cents: int, at: int) -> None:
        """Add a loan to a player's balance, without a session."""
        ...

    def repay(self, player: str, cents: int, at: int) -> None:
        """Pay a part of a player's debt from the balance; neither becomes negative."""
        ...

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Record the number of steps, the hash of the last step, and the money in cents.

        The call is fast and never waits for the disk, so a power cut may lose the latest
        checkpoints. Returns ``False`` if another program is writing; the next checkpoint makes up
        for it.
        """
        ...

    def confirm(self, sitting: str, checkpoint: LogCheckpoint) -> None:
        """Check that the stored ledger has this checkpoint of a session.

        Raises :class:`LedgerLost` if not, unless the session has been settled in the meantime.
        """
        ...

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a session's money to the balance; return ``False`` if it was already moved.

        ``last_hash`` is the hash of the log's last line, which reveals the seed; the ledger deletes
        its copy of the seed.
        """
        ...

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return a session if it has not been cashed out; ``None`` otherwise."""
        ...

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List a player's open sessions, oldest first."""
        ...

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """Return all sessions of a player, or of all players; the keys are ids (names of logs)."""
        ...

    def movements(self, player: str) -> list[MoneyMovement]:
        """List a player's finished sessions with a bet, loans and repayments, oldest first."""
        ...

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Return the checkpoint of a log; ``None`` if the ledger does not know the log.

        The log is found by its path, or by the ``hashes`` of its first or last line, because a log
        may have been moved.
        """
        ...

    def books(self) -> LedgerContents:
        """Return all contents of the ledger."""
        ...

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Replace the contents ``before`` with ``after``, unless they have changed since."""
        ...

    def close(self) -> None:
        """Close the ledger once it is no longer in use; callers that are waiting get an error."""
        ...
