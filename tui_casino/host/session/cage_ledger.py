"""The ledger as a session has it: that of its own player, in the cage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ...records.ledger import Account, Books, Known, LedgerError, Move, OpenSitting
from ..requests import (
    Accounts,
    Begun,
    BuyIn,
    CashOut,
    Confirm,
    KnownLog,
    Lent,
    Mark,
    Moves,
    OpenAll,
    OpenOne,
    Purse,
)
from .cage_line import CageLine

NAME = "the ledger of the house"


class CageLedger:
    """A :class:`~tui_casino.records.ledger.Ledger` of one player.

    For the seed of a sitting it gives and takes the commitment, by which the cage knows it.
    """

    name = NAME

    def __init__(self, line: CageLine) -> None:
        self._line = line
        self.lasts: bool = line.ask(Begun(), bool)
        self.new = not self.lasts

    def purse(self, player: str) -> int:
        """Give the player's purse in cents."""
        return self._line.ask(Purse(player), int)

    def lent(self, player: str) -> int:
        """Give the sum of his markers, in cents."""
        return self._line.ask(Lent(player), int)

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the purse to a new sitting, first a loan against a marker to it."""
        self._line.ask(BuyIn(sitting, player, at, loan), None)

    def mark(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Note an open sitting's steps, the hash of the last, and the money after it, in cents."""
        return self._line.ask(Mark(sitting, steps, mark, cents), bool)

    def confirm(self, sitting: str, known: Known) -> None:
        """See that the ledger still knows this of a sitting."""
        self._line.ask(Confirm(sitting, known), None)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, once: false if that was done before."""
        return self._line.ask(CashOut(sitting, cents, last_hash, at), bool)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Give a sitting, if it waits to be taken up or cashed out."""
        return self._line.ask(OpenOne(sitting), OpenSitting | None)

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List the player's sittings that wait, oldest first."""
        return self._line.ask(OpenAll(player), list[OpenSitting])

    def accounts(self, player: str | None = None) -> dict[str, Account]:
        """List the player's own sittings, whoever is asked about: there are no others here."""
        return self._line.ask(Accounts(), dict[str, Account])

    def moves(self, player: str) -> list[Move]:
        """List the player's finished sittings and loans, oldest first."""
        return self._line.ask(Moves(player), list[Move])

    def known(self, log: Path, hashes: Sequence[str] = ()) -> Known | None:
        """Tell what is known of a log of the player's own, if anything."""
        return self._line.ask(KnownLog(log, tuple(hashes)), Known | None)

    def books(self) -> Books:
        """Refuse: nobody sees all of it from here."""
        self._refuse()

    def amend(self, before: Books, after: Books) -> None:
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
