"""The teller: it answers one player's ledger requests, and refuses those about other players."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ...inputs.files import os_error_reason
from ...records.clock import now
from ...records.ledger import LedgerBusy, LedgerError, LedgerLost, OpenSitting
from ...records.log_replica import LogReplica
from ...structs import replace
from .. import cage_protocol as wire
from .daily_desk import DailyDesk
from .dealer import Dealer
from .ledger_writer import Durability, LedgerWriter
from .table_desk import TableDesk
from .table_operator import TableOperator

T = TypeVar("T")

AuditNote = Callable[[str], None]
"""Called with a line for the audit log when a request cannot be an accident."""
NOT_YOURS = "that belongs to another player"
NOT_KEPT = "this server keeps logs in files only"


class Teller:
    """Checks the requests of one connection and answers them from the ledger.

    The gateway says whose connection it is (``caller``); the connection itself cannot. If several
    servers share one database, the player's logs are also kept in a ``log_replica``. Guests have no
    ``daily`` deals and no ``tables`` with others.
    """

    def __init__(
        self,
        caller: wire.CageHello,
        scribe: LedgerWriter,
        audit: AuditNote,
        log_replica: LogReplica | None = None,
        daily: DailyDesk | None = None,
        tables: TableDesk | None = None,
    ) -> None:
        self._log_replica, self._daily, self._tables = log_replica, daily, tables
        self._caller, self._player = caller, caller.player
        self._scribe, self._book, self._audit = scribe, scribe.book, audit
        self._sittings: dict[
            str, bytes | None
        ] = {}  # the player's open sessions, with commitments instead of seeds
        self._seeds: list[bytes | None] = []
        self.dealer = Dealer(lambda: self._seeds)

    async def answer(self, request: wire.CageRequest) -> Any:
        """Answer a request. Raises :class:`LedgerError`."""
        match request:
            case wire.ChooseSeed():
                return self.dealer.choose_seed()
            case wire.PublishCommitment(source):
                self.dealer.seed(source)
                await self._move(lambda: self._book.publish(source.hex(), now()), Durability.MOVES)
                return None
            case wire.RevealSeed(source):
                return self.dealer.reveal(source)
            case wire.ShuffleShoe(source, word, shoe, pack):
                return self.dealer.shuffle(source, word, shoe, pack)
            case wire.DrawCard(source, shoe, at):
                return self.dealer.draw(source, shoe, at)
            case wire.DrawBlock(source, word, occasion, block):
                return self.dealer.block(source, word, occasion, block)
            case wire.ReadDailySeed(day, game):
                if self._daily is None:
                    return None
                return await asyncio.to_thread(self._daily.look_up, day, game, self.dealer)
            case wire.ReadDailyBoard(kind):
                async with (desk := self._daily_desk).reading:
                    return await asyncio.to_thread(desk.boards, kind, self._player)
            case wire.ReadDailyAnswers(day, game):
                async with (desk := self._daily_desk).reading:
                    return await asyncio.to_thread(desk.answers, day, game)
            case (
                wire.MakeTable()
                | wire.ListTables()
                | wire.ReadTableLog()
                | wire.JoinTable()
                | wire.FindSeat()
                | wire.ActAtTable()
                | wire.MarkSeat()
                | wire.SayAtTable()
                | wire.BlockPlayer()
                | wire.ListBlocked()
                | wire.ListPaidSeats()
                | wire.ReadStay()
                | wire.EndSeatLog()
                | wire.ReadTable()
                | wire.WatchTable()
            ):
                return await self._at_table(request)
            case wire.OperateTable() | wire.CountTables():
                return await self._operate(request)
            case wire.IsLedgerDurable():
                return self._book.persistent
            case wire.BuyIn():
                return await self._buy_in(request)
            case wire.RepayDebt(who, cents, at):
                self._check(who)
                repay = partial(self._book.repay, self._player, cents, at)
                return await self._move(repay, Durability.MOVES)
            case (
                wire.MarkProgress() | wire.ConfirmKnown() | wire.CashOut() | wire.FindOpenSitting()
            ):
                return await self._about(request)
            case wire.AppendLogLine() | wire.ListLogSizes() | wire.ReadLog() | wire.ForgetLog():
                return await self._about_lines(request)
            case _:
                return await self._looked_up(request)

    @property
    def _daily_desk(self) -> DailyDesk:
        if self._daily is None:
            raise LedgerError("guests have no daily deal")
        return self._daily

    async def _at_table(
        self,
        request: wire.MakeTable
        | wire.ListTables
        | wire.ReadTableLog
        | wire.JoinTable
        | wire.FindSeat
        | wire.ActAtTable
        | wire.MarkSeat
        | wire.SayAtTable
        | wire.BlockPlayer
        | wire.ListBlocked
        | wire.ListPaidSeats
        | wire.ReadStay
        | wire.EndSeatLog
        | wire.ReadTable
        | wire.WatchTable,
    ) -> Any:
        """Answer a request about the tables of several people."""
        if (tables := self._tables) is None:
            raise LedgerError("guests cannot play with others")
        if isinstance(code := getattr(request, "code", None), str):
            await tables.look_up(code)
        match request:
            case wire.MakeTable(game, options, is_listed):
                return await tables.make(self._player, game, options, is_listed=is_listed)
            case wire.ListTables(code):
                return await tables.list(self._player, code)
            case wire.ReadTableLog(code):
                return await tables.log(self._player, code)
            case wire.JoinTable(code, seat, sitting, entropy):
                self._check_path(sitting.log)
                return await tables.join(self._player, code, seat, sitting, entropy)
            case wire.FindSeat(code):
                return await tables.find(self._player, code)
            case wire.ActAtTable(code, action, after, last_hash):
                return await tables.act(self._player, code, action, after, last_hash)
            case wire.MarkSeat(code, steps, mark):
                return await tables.mark(self._player, code, steps, mark)
            case wire.SayAtTable(code, phrase):
                return await tables.say(self._player, code, phrase)
            case wire.BlockPlayer(code, name, on):
                return await tables.block(self._player, code, name, on=on)
            case wire.ListBlocked():
                return await tables.blocked(self._player)
            case wire.ListPaidSeats():
                return await tables.paid.list(self._player)
            case wire.ReadStay(code, sitting_id, first):
                return await tables.paid.read(self._player, code, sitting_id, first)
            case wire.EndSeatLog(sitting_id, last_hash):
                return await tables.paid.end_log(self._player, sitting_id, last_hash)
            case wire.ReadTable(code, first, wait, heard):
                wait = min(wait, wire.MOST_WAIT)
                return await tables.read(self._player, code, first, wait, heard)
            case wire.WatchTable(code, after, wait):
                wait = min(wait, wire.MOST_WAIT)
                return await tables.watch(self._player, code, after, wait)

    async def _operate(self, request: wire.OperateTable | wire.CountTables) -> Any:
        """Answer the gateway itself, or the operator."""
        if not self._caller.is_operator:
            self._refuse("a command of the operator", "only the operator can do that")
        tables = self._tables
        match request:
            case wire.CountTables():
                return None if tables is None else await TableOperator(tables).counts()
            case _ if tables is None:
                raise LedgerError("this server has no tables with others")
            case wire.OperateTable(code, "freeze"):
                return await TableOperator(tables).freeze(code)
            case wire.OperateTable(code, "thaw"):
                return await TableOperator(tables).thaw(code)
            case wire.OperateTable(code, "close"):
                return await TableOperator(tables).close(code)

    # ---- the player's own records ---------------------------------------------------------

    async def _looked_up(
        self,
        request: wire.ReadBalance
        | wire.ReadDebt
        | wire.ListOpenSittings
        | wire.ListAccounts
        | wire.ListMoneyMoves
        | wire.LookUpLog,
    ) -> Any:
        book, do, player = self._book, self._scribe.do, self._player
        match request:
            case wire.ReadBalance(who):
                self._check(who)
                return await do(lambda: book.balance(player))
            case wire.ReadDebt(who):
                self._check(who)
                return await do(lambda: book.debt(player))
            case wire.ListOpenSittings(who):
                self._check(who)
                return await self._open()
            case wire.ListMoneyMoves(who):
                self._check(who)
                return await do(lambda: book.movements(player))
            case wire.ListAccounts():
                return await do(lambda: book.accounts(player))
            case wire.LookUpLog(log, hashes):
                self._check_path(log)
                return await do(lambda: book.checkpoint_of(log, hashes))

    async def _open(self) -> list[OpenSitting]:
        """List the open sessions, with commitments instead of seeds."""
        sittings = await self._scribe.do(lambda: self._book.open_sittings(self._player))
        self._seeds = [one.seed for one in sittings]
        shown = [
            replace(one, seed=None if one.seed is None else hashlib.sha256(one.seed).digest())
            for one in sittings
        ]
        self._sittings.update((one.id, one.seed) for one in shown)
        return shown

    async def _buy_in(self, request: wire.BuyIn) -> None:
        sitting, digest = request.sitting, request.sitting.seed
        self._check(request.player)
        self._check_path(sitting.log)
        if digest is None:
            raise LedgerError("a money session needs a shuffle by the server")
        whole = replace(sitting, seed=self.dealer.seed(digest))
        try:
            await self._move(
                lambda: self._book.buy_in(whole, self._player, request.at, request.loan),
                Durability.MOVES,
            )
        except LedgerBusy:
            raise
        except LedgerError:
            self.dealer.closed(digest)  # it may be published, so no other session may use it
            raise
        self.dealer.opened(digest)
        self._sittings[sitting.id] = digest

    async def _about(
        self, request: wire.MarkProgress | wire.ConfirmKnown | wire.CashOut | wire.FindOpenSitting
    ) -> Any:
        """Answer a request about one of this player's sessions; refuse other players' sessions."""
        name, book, do = request.sitting, self._book, self._scribe.do
        if name not in self._sittings:
            await self._open()
        ours = name in self._sittings
        if not ours and await do(lambda: book.open_sitting(name)) is not None:
            self._refuse(f"the session {name}")
        match request:
            case wire.MarkProgress(_, steps, mark, cents):
                if ours:
                    note = partial(book.checkpoint, name, steps, mark, cents)
                    return await self._move(note, Durability.NOTES)
                raise LedgerLost("lost this session", book.name)
            case wire.ConfirmKnown(_, known):
                if ours:
                    return await do(lambda: book.confirm(name, known))
                raise LedgerLost("was replaced by another or older one", book.name)
            case wire.CashOut() if self._tables is not None and await self._tables.pays(name):
                raise LedgerError("the table of this session pays it out")
            case wire.CashOut(_, cents, last_hash, at):
                paid = ours and await self._move(
                    lambda: book.cash_out(name, cents, last_hash, at), Durability.MOVES
                )
                if paid and (digest := self._sittings[name]) is not None:
                    self.dealer.closed(digest)
                return paid
            case wire.FindOpenSitting():
                return next((one for one in await self._open() if one.id == name), None)

    async def _move(self, job: Callable[[], T], weight: Durability) -> T:
        """Run a job that writes, if the player still has their seat at this server."""
        log_replica = self._log_replica
        if log_replica is None:
            return await self._scribe.do(job, weight)

        def do() -> T:
            try:
                log_replica.check()
            except OSError as error:
                raise LedgerError(os_error_reason(error)) from None
            return job()

        return await self._scribe.do(do, weight)

    async def _about_lines(
        self, request: wire.AppendLogLine | wire.ListLogSizes | wire.ReadLog | wire.ForgetLog
    ) -> Any:
        """Answer a request to the log replica, which contains only this player's logs."""
        book, do = self._log_replica, self._scribe.do
        if book is None:
            raise LedgerError(NOT_KEPT)
        try:
            match request:
                case wire.AppendLogLine(log, number, line, lasting):
                    weight = Durability.MOVES if lasting else Durability.NOTES
                    await do(lambda: book.append(log, number, line, lasting=lasting), weight)
                case wire.ListLogSizes():
                    return await do(book.sizes)
                case wire.ReadLog(log):
                    return await do(lambda: book.text(log))
                case wire.ForgetLog(log):
                    await do(lambda: book.forget(log), Durability.NOTES)
        except OSError as error:
            raise LedgerError(os_error_reason(error)) from None

    # ---- refusals ------------------------------------------------------------------------

    def _check(self, player: str) -> None:
        if player != self._player:
            self._refuse(f"the player {player}")

    def _check_path(self, path: Path) -> None:
        if ".." in path.parts or not path.is_relative_to(self._caller.folder):
            self._refuse(f"the log {path}")

    def _refuse(self, what: str, reason: str = NOT_YOURS) -> None:
        self._audit(f"a session of the player {self._player} asked for {what}: refused")
        raise LedgerError(reason)
