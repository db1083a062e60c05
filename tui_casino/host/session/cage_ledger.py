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

NAME = "the ledger of the house"


class CageLedger:
    """A :class:`~tui_casino.records.ledger.Ledger` of one player.

    For the seed of a sitting it gives and takes the commitment, by which the cage knows it.
    """

    name = NAME

    def __init__(self, line: CageClient) -> None:
        self._line = line
        self.persistent: bool = line.ask(IsLedgerDurable(), bool)
        self.new = not self.persistent

    def balance(self, player: str) -> int:
        """Give the player's purse in cents."""
        return self._line.ask(ReadBalance(player), int)

    def debt(self, player: str) -> int:
        """Give the sum of his markers, in cents."""
        return self._line.ask(ReadDebt(player), int)

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the purse to a new sitting, first a loan against a marker to it."""
        self._line.ask(BuyIn(sitting, player, at, loan), None)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Note an open sitting's steps, the hash of the last, and the money after it, in cents."""
        return self._line.ask(MarkProgress(sitting, steps, mark, cents), bool)

    def confirm(self, sitting: str, known: LogCheckpoint) -> None:
        """See that the ledger still knows this of a sitting."""
        self._line.ask(ConfirmKnown(sitting, known), None)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, once: false if that was done before."""
        return self._line.ask(CashOut(sitting, cents, last_hash, at), bool)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Give a sitting, if it waits to be taken up or cashed out."""
        return self._line.ask(FindOpenSitting(sitting), OpenSitting | None)

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List the player's sittings that wait, oldest first."""
        return self._line.ask(ListOpenSittings(player), list[OpenSitting])

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """List the player's own sittings, whoever is asked about: there are no others here."""
        return self._line.ask(ListAccounts(), dict[str, SittingAccount])

    def movements(self, player: str) -> list[MoneyMovement]:
        """List the player's finished sittings and loans, oldest first."""
        return self._line.ask(ListMoneyMoves(player), list[MoneyMovement])

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Tell what is known of a log of the player's own, if anything."""
        return self._line.ask(LookUpLog(log, tuple(hashes)), LogCheckpoint | None)

    def books(self) -> LedgerContents:
        """Refuse: nobody sees all of it from here."""
        self._refuse()

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Refuse: nothing is written anew from here."""
        self._refuse()

    def lend(self, player: str, cents: int, at: int) -> None:
        """Refuse: the house lends with a buy-in alone, else the operator does."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise LedgerError(f"{NAME} is the operator's")

    def close(self) -> None:
        """Hang up."""
        self._line.close()
