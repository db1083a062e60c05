"""The ledger: one purse a player, in cents; money moves at the buy-in and at the cash-out.

Between the two it is in the sitting, and the sitting's log is the truth. The ledger binds that log:
it keeps the hash of its first line from the buy-in on, and at the end of each round that of the
last line, so that nobody goes on with another log, or with less of it. The seed of an open sitting
waits here too, so that a broken one can be taken up, until it is revealed.

This is what every ledger does, wherever it is kept; :mod:`.sqlite_ledger` keeps one in a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from ..inputs.errors import BadInput
from .redo_log import RedoLog

OPENING_BALANCE = 1_000_00
"""A new player's purse, in cents."""
LOAN_CENTS = 1_000_00
"""What the house lends a player who cannot make the smallest bet, in cents."""


class LedgerError(BadInput):
    """The ledger cannot be used: what is wrong with it, and where it is.

    A server shows its players ``public`` where there is one: where the ledger is concerns nobody
    but the operator.
    """

    public: str | None = None

    @property
    def shown(self) -> str:
        """Give what a player may read."""
        return str(self) if self.public is None else self.public


class LedgerBusy(LedgerError):
    """Another program is writing the ledger; a moment later it may be free."""


class LedgerDamaged(LedgerError):
    """What is kept there is no ledger, or one that damage has made nonsense of."""


class LedgerUnsure(LedgerError):
    """Whoever keeps the ledger went away before he answered: it may have been done, or not."""


class LedgerLost(LedgerError):
    """The ledger is not what it was told any more: it was deleted, replaced or cut meanwhile."""

    def __init__(self, what: str, name: str) -> None:
        super().__init__(
            f"the ledger {what} while in use, so nothing is paid: leave and start again; if your "
            f"purse is not right then, tui-casino ledger rebuild makes it from the logs ({name})"
        )


@dataclass(frozen=True, slots=True)
class LogCheckpoint:
    """What a ledger knows of a sitting's log, all of it hashes of lines.

    ``head`` is that of the first line, ``mark`` that of step ``steps``, which ended a round, and
    ``last`` that of the last line once the sitting is over. A sitting that an older program began
    has no ``head``; without a ``mark`` no round has ended yet.
    """

    head: str | None = None
    steps: int = 0
    mark: str | None = None
    last: str | None = None

    @property
    def settled(self) -> bool:
        """Whether the sitting was paid by what the ledger knows, not by the end of its log."""
        return self.last is not None and self.last == self.mark


NO_CHECKPOINT = LogCheckpoint()


@dataclass(frozen=True, slots=True)
class OpenSitting:
    """A sitting that has not been cashed out: its log, its seed, what was bought in (cents).

    ``held`` is what the player had at the end of the last round that is known, in cents.
    """

    id: str
    game: str
    log: Path
    seed: bytes | None = field(repr=False)
    bought: int
    known: LogCheckpoint = NO_CHECKPOINT
    held: int | None = None

    @property
    def owed(self) -> int:
        """What it pays, in cents, if its log is lost: as if the log had been cut back.

        That is what the player had after the last round that is known, or what was bought in. A
        bet made since then is given back.
        """
        return self.bought if self.held is None else self.held


class MoneyMovement(NamedTuple):
    """What changed a player's money: a finished sitting of a ``game``, or a loan, which has none.

    ``at`` is when, in milliseconds since 1970, ``cents`` what was won, lost, or lent, and ``log``
    the path of the sitting's log.
    """

    at: int
    game: str
    cents: int
    log: str


@dataclass(frozen=True, slots=True)
class SittingAccount:
    """Whose a sitting is, what was bought in and, once it is over, cashed out (cents)."""

    player: str
    bought: int
    cashed: int | None


class PlayerWinnings(NamedTuple):
    """What a player has won, less what he lost, in cents, and in how many sittings with a bet.

    What the house lent is in no sitting, and so in no such sum.
    """

    player: str
    won: int
    sittings: int


class Marker(NamedTuple):
    """What the house lent a player, in cents, and when."""

    player: str
    at: int
    cents: int


@dataclass(frozen=True, slots=True)
class LedgerSitting:
    """All that a ledger holds of a sitting; ``closed`` and ``cashed`` are nothing while it is open.

    ``held`` is as in :class:`OpenSitting`. Times are milliseconds since 1970, sums are in cents,
    and ``log`` is a path.
    """

    id: str
    player: str
    game: str
    log: str
    seed: bytes | None = field(repr=False)
    opened: int
    bought: int
    closed: int | None
    cashed: int | None
    known: LogCheckpoint = NO_CHECKPOINT
    held: int | None = None


@dataclass(frozen=True, slots=True)
class LedgerContents:
    """All that a ledger holds: a purse in cents by player, markers and sittings, in order."""

    purses: tuple[tuple[str, int], ...] = ()
    markers: tuple[Marker, ...] = ()
    sittings: tuple[LedgerSitting, ...] = ()


class LedgerWitness(Protocol):
    """Who is told before a sitting is booked, and may refuse: what it raises undoes the booking."""

    def shows(self, commitment: str, at: int) -> None:
        """Hear of a commitment that is shown to a player before a sitting begins."""
        ...

    def begins(self, sitting: OpenSitting, player: str, at: int, loan: int) -> None:
        """Hear of a buy-in, before the first card."""
        ...

    def ends(self, sitting: str, last_hash: str | None, at: int) -> None:
        """Hear of a cash-out."""
        ...

    def settle(self, redo: RedoLog | None = None) -> None:
        """See that what was heard outlasts the machine, once for all that is booked together.

        It is on the disk by itself after this, or once that is committed which ``redo`` is part of.
        """
        ...

    def recover(self, redo: RedoLog) -> None:
        """Write again what was only kept there when the machine went down."""
        ...


class Ledger(Protocol):
    """The book of all players of a house. Every method raises :class:`LedgerError`.

    Several programs may have it open at once, and any thread may use it.
    """

    @property
    def name(self) -> str:
        """What messages call it: where it is."""
        ...

    @property
    def lasts(self) -> bool:
        """Whether it outlasts the program: else nothing that is broken off can be taken up."""
        ...

    @property
    def new(self) -> bool:
        """Whether it was begun when it was opened."""
        ...

    def purse(self, player: str) -> int:
        """Give a player's purse in cents; a new player's is :data:`OPENING_BALANCE`."""
        ...

    def lent(self, player: str) -> int:
        """Give the sum of a player's markers, in cents."""
        ...

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the purse to a new sitting, first a loan against a marker to it."""
        ...

    def lend(self, player: str, cents: int, at: int) -> None:
        """Move a loan to a player's purse against a marker, without a sitting."""
        ...

    def mark(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Note an open sitting's steps, the hash of the last, and the money after it, in cents.

        Quick, and never waits for the disk: after a power cut the last notes may be gone. False if
        another program writes just now; the next note makes up for it.
        """
        ...

    def confirm(self, sitting: str, known: LogCheckpoint) -> None:
        """See that whoever opens the ledger anew finds there what is known of a sitting.

        Raises :class:`LedgerLost`; one that was settled meanwhile is let pass.
        """
        ...

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, once: false if that was done before.

        ``last_hash`` is that of the log's last line; the seed, revealed there, is forgotten here.
        """
        ...

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Give a sitting, if it waits to be taken up or cashed out."""
        ...

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List a player's sittings that wait to be taken up or cashed out, oldest first."""
        ...

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """List all sittings of a player, or of all, by their id, which is the name of the log."""
        ...

    def moves(self, player: str) -> list[MoneyMovement]:
        """List a player's finished sittings with a bet, and loans, oldest first."""
        ...

    def known(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Tell what is known of a log, if anything.

        It is found by its path, or by the ``hashes`` of its first or last line: logs may be moved
        about.
        """
        ...

    def books(self) -> LedgerContents:
        """Give all that it holds."""
        ...

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Put other books in the place of those ``before``, unless they have changed since."""
        ...

    def close(self) -> None:
        """Close the book, once nobody is at it; whoever waits for it is refused."""
        ...
