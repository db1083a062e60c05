"""The ledger of a session, which sends each call for its own player to the cage."""

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
    RepayDebt,
)
from .cage_client import CageClient

NAME = "the server's ledger"


class CageLedger:
    """A :class:`~tui_casino.records.ledger.Ledger` of one player.

    It replaces a session's seed with the commitment, by which the cage finds the seed.
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

    def repay(self, player: str, cents: int, at: int) -> None:
        """Pay a part of the player's debt from the balance."""
        self._line.ask(RepayDebt(player, cents, at), None)

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Add the loan to the balance, and move the buy-in from the balance to a new session."""
        self._line.ask(BuyIn(sitting, player, at, loan), None)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Store an open session's number of steps, last hash, and money in cents."""
        return self._line.ask(MarkProgress(sitting, steps, mark, cents), bool)

    def confirm(self, sitting: str, known: LogCheckpoint) -> None:
        """Check that the ledger still has this checkpoint of a session."""
        self._line.ask(ConfirmKnown(sitting, known), None)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a session's money to the balance; return false if that was already done."""
        return self._line.ask(CashOut(sitting, cents, last_hash, at), bool)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return a session if it is open."""
        return self._line.ask(FindOpenSitting(sitting), OpenSitting | None)

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List the player's open sessions, the oldest first."""
        return self._line.ask(ListOpenSittings(player), list[OpenSitting])

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """List the player's own sessions, whatever ``player`` is: the cage shows no others."""
        return self._line.ask(ListAccounts(), dict[str, SittingAccount])

    def movements(self, player: str) -> list[MoneyMovement]:
        """List the player's finished sessions, loans and repayments, the oldest first."""
        return self._line.ask(ListMoneyMoves(player), list[MoneyMovement])

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Return the ledger's checkpoint of one of the player's logs, if there is one."""
        return self._line.ask(LookUpLog(log, tuple(hashes)), LogCheckpoint | None)

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
