"""The ledger of a session: sends each call to the cage, for its own player."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ...records.ledger import (
    LedgerContents,
    LedgerError,
    LogCheckpoint,
    MoneyMovement,
    OpenSitting,
    SittingAccount,
)
from ..cage_protocol import (
    BuyIn,
    CashOut,
    ConfirmKnown,
    FindOpenSitting,
    IsLedgerDurable,
    ListAccounts,
    ListMoneyMoves,
    ListOpenSittings,
    LookUpLog,
    MarkProgress,
    ReadBalance,
    ReadDebt,
)
from .cage_client import CageClient

NAME = "the server's ledger"


class CageLedger:
    """A :class:`~tui_casino.records.ledger.Ledger` of one player.

    Instead of the seed of a sitting it uses the commitment, by which the cage knows the seed.
    """

    name = NAME

    def __init__(self, line: CageClient) -> None:
        self._line = line
        self.persistent: bool = line.ask(IsLedgerDurable(), bool)
        self.new = not self.persistent

    def balance(self, player: str) -> int:
        """Return the player's balance in cents."""
        return self._line.ask(ReadBalance(player), int)

    def debt(self, player: str) -> int:
        """Return the player's debt in cents."""
        return self._line.ask(ReadDebt(player), int)

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the balance to a new sitting, after adding a loan to the balance."""
        self._line.ask(BuyIn(sitting, player, at, loan), None)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Note an open sitting's steps, the hash of the last one, and its money then (cents)."""
        return self._line.ask(MarkProgress(sitting, steps, mark, cents), bool)

    def confirm(self, sitting: str, known: LogCheckpoint) -> None:
        """Check that the ledger still has this checkpoint of a sitting."""
        self._line.ask(ConfirmKnown(sitting, known), None)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the balance, once; return false if that was done before."""
        return self._line.ask(CashOut(sitting, cents, last_hash, at), bool)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return a sitting if it is open."""
        return self._line.ask(FindOpenSitting(sitting), OpenSitting | None)

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List the player's open sittings, the oldest first."""
        return self._line.ask(ListOpenSittings(player), list[OpenSitting])

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """List the player's own sittings, whatever ``player`` is: there are no others here."""
        return self._line.ask(ListAccounts(), dict[str, SittingAccount])

    def movements(self, player: str) -> list[MoneyMovement]:
        """List the player's finished sittings and loans, the oldest first."""
        return self._line.ask(ListMoneyMoves(player), list[MoneyMovement])

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Return what the ledger knows about a log of the player, if anything."""
        return self._line.ask(LookUpLog(log, tuple(hashes)), LogCheckpoint | None)

    def books(self) -> LedgerContents:
        """Refuse: a session cannot see the whole ledger."""
        self._refuse()

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Refuse: a session cannot rewrite the ledger."""
        self._refuse()

    def lend(self, player: str, cents: int, at: int) -> None:
        """Refuse: a session only borrows with a buy-in."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise LedgerError(f"a session cannot do that with {NAME}; only the operator can")

    def close(self) -> None:
        """Close the connection."""
        self._line.close()
