"""The teller: answers the requests of one player's line, and lets him at nobody else's."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ...inputs.files import reason
from ...records.clock import now
from ...records.ledger import LedgerBusy, LedgerError, LedgerLost, OpenSitting
from ...records.logbook import Logbook
from ..requests import (
    Accounts,
    Append,
    Begun,
    Block,
    BuyIn,
    Caller,
    CashOut,
    Confirm,
    Draw,
    Forget,
    Fresh,
    KnownLog,
    Lent,
    Mark,
    Moves,
    OpenAll,
    OpenOne,
    Publish,
    Purse,
    Request,
    Reveal,
    Shuffle,
    Sizes,
    Text,
)
from .dealer import Dealer
from .scribe import Scribe, Weight

T = TypeVar("T")

Audit = Callable[[str], None]
"""Is told what nobody asks for by accident."""
NOT_YOURS = "that is another player's"
NOT_KEPT = "logs are kept in their files alone"


class Teller:
    """Stands between a line and the book; whose line it is the ``caller`` says, not the line.

    Where several hosts are one house the player's logs are kept in a ``logbook``, too.
    """

    def __init__(
        self, caller: Caller, scribe: Scribe, audit: Audit, logbook: Logbook | None = None
    ) -> None:
        self._logbook = logbook
        self._caller, self._player = caller, caller.player
        self._scribe, self._book, self._audit = scribe, scribe.book, audit
        self._sittings: dict[str, bytes | None] = {}  # his own, and by what their seeds are known
        self._seeds: list[bytes | None] = []
        self.dealer = Dealer(lambda: self._seeds)

    async def answer(self, request: Request) -> Any:
        """Give the answer to a request. Raises :class:`LedgerError`."""
        match request:
            case Fresh():
                return self.dealer.fresh()
            case Publish(source):
                self.dealer.seed(source)
                await self._move(lambda: self._book.publish(source.hex(), now()), Weight.MOVES)
                return None
            case Reveal(source):
                return self.dealer.reveal(source)
            case Shuffle(source, word, shoe, pack):
                return self.dealer.shuffle(source, word, shoe, pack)
            case Draw(source, shoe, at):
                return self.dealer.draw(source, shoe, at)
            case Block(source, word, occasion, block):
                return self.dealer.block(source, word, occasion, block)
            case Begun():
                return self._book.lasts
            case BuyIn():
                return await self._buy_in(request)
            case Mark() | Confirm() | CashOut() | OpenOne():
                return await self._about(request)
            case Append() | Sizes() | Text() | Forget():
                return await self._about_lines(request)
            case _:
                return await self._looked_up(request)

    # ---- the player's own -----------------------------------------------------------------

    async def _looked_up(
        self, request: Purse | Lent | OpenAll | Accounts | Moves | KnownLog
    ) -> Any:
        book, do, player = self._book, self._scribe.do, self._player
        match request:
            case Purse(asked):
                self._check(asked)
                return await do(lambda: book.purse(player))
            case Lent(asked):
                self._check(asked)
                return await do(lambda: book.lent(player))
            case OpenAll(asked):
                self._check(asked)
                return await self._open()
            case Moves(asked):
                self._check(asked)
                return await do(lambda: book.moves(player))
            case Accounts():
                return await do(lambda: book.accounts(player))
            case KnownLog(log, hashes):
                self._check_path(log)
                return await do(lambda: book.known(log, hashes))

    async def _open(self) -> list[OpenSitting]:
        """List the open sittings, with commitments for seeds."""
        found = await self._scribe.do(lambda: self._book.open_sittings(self._player))
        self._seeds = [one.seed for one in found]
        shown = [
            replace(one, seed=None if one.seed is None else hashlib.sha256(one.seed).digest())
            for one in found
        ]
        self._sittings.update((one.id, one.seed) for one in shown)
        return shown

    async def _buy_in(self, request: BuyIn) -> None:
        sitting, digest = request.sitting, request.sitting.seed
        self._check(request.player)
        self._check_path(sitting.log)
        if digest is None:
            raise LedgerError("a session for money has its shuffle from the house")
        whole = replace(sitting, seed=self.dealer.seed(digest))
        try:
            await self._move(
                lambda: self._book.buy_in(whole, self._player, request.at, request.loan),
                Weight.MOVES,
            )
        except LedgerBusy:
            raise
        except LedgerError:
            self.dealer.closed(digest)  # it may be on the list: no other log may have it
            raise
        self.dealer.opened(digest)
        self._sittings[sitting.id] = digest

    async def _about(self, request: Mark | Confirm | CashOut | OpenOne) -> Any:
        """Answer what is asked about a sitting, if it is his: of others' there is none here."""
        name, book, do = request.sitting, self._book, self._scribe.do
        if name not in self._sittings:
            await self._open()
        ours = name in self._sittings
        if not ours and await do(lambda: book.open_sitting(name)) is not None:
            self._refuse(f"the session {name}")
        match request:
            case Mark(_, steps, mark, cents):
                if ours:
                    note = partial(book.mark, name, steps, mark, cents)
                    return await self._move(note, Weight.NOTES)
                raise LedgerLost("has forgotten this session", book.name)
            case Confirm(_, known):
                if ours:
                    return await do(lambda: book.confirm(name, known))
                raise LedgerLost("was replaced by another or older one", book.name)
            case CashOut(_, cents, last_hash, at):
                paid = ours and await self._move(
                    lambda: book.cash_out(name, cents, last_hash, at), Weight.MOVES
                )
                if paid and (digest := self._sittings[name]) is not None:
                    self.dealer.closed(digest)
                return paid
            case OpenOne():
                return next((one for one in await self._open() if one.id == name), None)

    async def _move(self, job: Callable[[], T], weight: Weight) -> T:
        """Have something written, as long as the player sits at this host."""
        logbook = self._logbook
        if logbook is None:
            return await self._scribe.do(job, weight)

        def do() -> T:
            try:
                logbook.check()
            except OSError as error:
                raise LedgerError(reason(error)) from None
            return job()

        return await self._scribe.do(do, weight)

    async def _about_lines(self, request: Append | Sizes | Text | Forget) -> Any:
        """Answer for the logbook, which knows the player's own logs alone."""
        book, do = self._logbook, self._scribe.do
        if book is None:
            raise LedgerError(NOT_KEPT)
        try:
            match request:
                case Append(log, number, line, lasting):
                    weight = Weight.MOVES if lasting else Weight.NOTES
                    await do(lambda: book.append(log, number, line, lasting=lasting), weight)
                case Sizes():
                    return await do(book.sizes)
                case Text(log):
                    return await do(lambda: book.text(log))
                case Forget(log):
                    await do(lambda: book.forget(log), Weight.NOTES)
        except OSError as error:
            raise LedgerError(reason(error)) from None

    # ---- and nobody else's ----------------------------------------------------------------

    def _check(self, player: str) -> None:
        if player != self._player:
            self._refuse(f"the player {player}")

    def _check_path(self, path: Path) -> None:
        if ".." in path.parts or not path.is_relative_to(self._caller.folder):
            self._refuse(f"the log {path}")

    def _refuse(self, what: str) -> None:
        self._audit(f"a session of the player {self._player} asked for {what}: refused")
        raise LedgerError(NOT_YOURS)
