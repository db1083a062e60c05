"""A sitting: from buy-in to cash-out, a table with its log and its money."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Generic

from . import __version__
from .chance import Source, source_of
from .core import A, E, O, Over, Player, S, Seat
from .croupier import Croupier
from .dialogue import Dialogue
from .errors import BadInput
from .files import BadFile
from .parts import Parts
from .records.codec import plain
from .records.ledger import LOAN, Ledger, LedgerError, OpenSitting
from .records.log import FORMAT, HUMAN, Clock, End, Header, LogWriter, SessionLog
from .records.replay import Differs, check_chain, rerun, table_of
from .table import Table

PRACTICE = 1_000_00
"""What a player has in cents where no purse is touched."""


def now() -> int:
    """Tell the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class House:
    """Where a program keeps its records, for which player; ``ledger=None`` plays for practice.

    ``buy_in`` limits, in cents, what the player brings to a table; ``None`` is the whole purse.
    """

    logs: Path
    ledger: Ledger | None
    player: str
    buy_in: int | None = None
    clock: Clock = now

    @property
    def keeps(self) -> bool:
        """Whether a sitting that is broken off can be taken up later: a guest's ledger is gone."""
        return self.ledger is not None and self.ledger.path is not None


class Left(Enum):
    """How a sitting was left."""

    CASHED_OUT = "cashed out"
    BROKEN_OFF = "broken off"


@dataclass(slots=True)
class Sitting(Generic[O, S, A, E]):
    """A table in play with its dialogue and log; :meth:`leave` ends it, or it can be taken up.

    ``lent`` says that the house lent money at the buy-in, in cents.
    """

    id: str
    house: House
    parts: Parts[O, S, A, E]
    table: Table[O, S, A, E]
    dialogue: Dialogue[O, S, A, E]
    log: LogWriter
    lent: int = 0
    left: Left | None = None

    @property
    def cents(self) -> int:
        """What the humans of the sitting have, free and staked, in cents."""
        game, state = self.parts.game, self.table.state
        money = [game.money(state, seat) for seat in self._humans]
        return game.unit * sum(m.free + m.staked for m in money)

    @property
    def staked(self) -> bool:
        """Whether a human has a bet at stake."""
        game, state = self.parts.game, self.table.state
        return any(game.money(state, seat).staked for seat in self._humans)

    @property
    def _humans(self) -> list[Seat]:
        return [seat for seat, player in self.table.players.items() if player is None]

    def leave(self) -> Left:
        """Cash out, the seed revealed; with a bet at stake the sitting stays open instead.

        Left already, it only says how. Raises ``OSError`` if the log's last line cannot be
        written, and :class:`~tui_casino.records.ledger.LedgerError`; the sitting is open still.
        """
        if self.left is None:
            self.left = self._leave()
            self.log.close()
        return self.left

    def _leave(self) -> Left:
        if self.staked and self.house.keeps:
            return Left.BROKEN_OFF
        game, state = self.parts.game, self.table.state
        turn = game.turn(state)
        money = [game.money(state, seat) for seat in self.table.players]
        source = self.table.source
        # the last line first: should the ledger fail then, the log still says what is owed
        if not self.log.ended:
            why = turn.why if isinstance(turn, Over) else "left"
            seed = source.seed.hex() if source.seed else None
            self.log.end(End(why, tuple(m.free + m.staked for m in money), seed))
        ledger, at = self.house.ledger, self.house.clock()
        if ledger and not ledger.cash_out(self.id, self.cents, self.log.hash, at):
            raise LedgerError("this sitting has been settled already; nothing more is paid")
        return Left.CASHED_OUT


def begin(
    house: House,
    parts: Parts[O, S, A, E],
    options: O,
    croupier: Croupier,
    source: Source,
    players: Mapping[Seat, str | None],
) -> Sitting[O, S, A, E]:
    """Sit down: buy in, begin the log, set up the table. ``players`` names the computer players.

    The options' own money counts only for practice; else the player brings the purse, and the
    house lends if it is below the smallest bet. Raises ``OSError`` if the log cannot be written,
    and :class:`~tui_casino.records.ledger.LedgerError`; no money has moved then.
    """
    game, at = parts.game, house.clock()
    day = datetime.fromtimestamp(at / 1000, UTC)
    name = f"{day:%Y%m%d-%H%M%S}-{game.slug}-{secrets.token_hex(3)}"
    path = house.logs.resolve() / f"{name}.jsonl"
    lent = 0
    if house.ledger is not None:
        purse = house.ledger.purse(house.player)
        options = game.sit(options, _bring(house, purse) // game.unit)
        if isinstance(game.turn(game.start(options)), Over):
            if house.ledger.open_sittings(house.player):
                raise LedgerError(
                    f"the ledger {house.ledger.path} has your money at another table; "
                    "finish there first"
                )
            lent = LOAN
            options = game.sit(options, _bring(house, purse + LOAN) // game.unit)
    header = Header(
        format=FORMAT,
        game=game.slug,
        options=plain(options),
        players=tuple(who or HUMAN for _, who in sorted(players.items())),
        croupier=croupier.kind,
        source=source.origin,
        program=f"tui-casino {__version__}",
        at=at,
    )
    seats: dict[Seat, Player[S, A] | None] = {
        seat: None if who is None else parts.players[who]() for seat, who in players.items()
    }
    table = Table(game, options, croupier, source, seats)
    # the log is begun, and locked, before any money moves: an open sitting without it is lost
    house.logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    log = LogWriter.begin(path, header, house.clock)
    if house.ledger is not None:
        free = sum(game.money(table.state, s).free for s, who in players.items() if who is None)
        entry = OpenSitting(name, game.slug, path, source.seed, free * game.unit)
        try:
            house.ledger.buy_in(entry, house.player, at, lent)
        except BaseException:
            log.close()
            path.unlink(missing_ok=True)
            raise
    table.record = log.step
    return Sitting(name, house, parts, table, Dialogue(table, parts), log, lent)


def _bring(house: House, purse: int) -> int:
    return purse if house.buy_in is None else min(purse, house.buy_in)


def take_up(
    house: House,
    ledger: Ledger,
    parts: Parts[O, S, A, E],
    entry: OpenSitting,
) -> Sitting[O, S, A, E] | None:
    """Go on with a sitting that was broken off, at the very step; settle it if nothing is staked.

    Gives ``None`` if it is settled: cashed out here, or by another program meanwhile. Raises
    :class:`~tui_casino.records.log.InUse` if another program plays it,
    :class:`~tui_casino.files.BadFile` if its log cannot be played on (money and log stay as they
    are), ``OSError`` and :class:`~tui_casino.records.ledger.LedgerError`.
    """
    try:
        log, found = LogWriter.go_on(entry.log, house.clock)
    except FileNotFoundError:
        raise BadFile(entry.log, "is missing; the money waits until it is back") from None
    try:
        if not ledger.is_open(entry.id):  # looked up again now that the log is ours alone
            log.close()
            return None
        sitting = _at_table(house, parts, entry, log, found)
        if found.end is not None:
            ledger.cash_out(entry.id, sitting.cents, log.hash, house.clock())
            log.close()
            return None
        if not sitting.staked:
            sitting.leave()
            return None
    except BaseException:
        log.close()
        raise
    return sitting


def _at_table(
    house: House,
    parts: Parts[O, S, A, E],
    entry: OpenSitting,
    log: LogWriter,
    found: SessionLog,
) -> Sitting[O, S, A, E]:
    try:
        source = source_of(found.header.source, entry.seed)
        if source is None:
            raise BadFile(entry.log, "its seed is not in the ledger")
        check_chain(found)
        table = table_of(parts, found, source)
        dialogue = Dialogue(table, parts)  # hears again all that was said
        humans = [seat for seat, player in table.players.items() if player is None]
        brought = sum(parts.game.money(table.state, seat).free for seat in humans)
        if brought * parts.game.unit != entry.bought:
            raise BadFile(entry.log, f"the ledger knows a buy-in of {entry.bought} cents", 1)
        rerun(table, found)
    except Differs as differs:  # which card the shuffle has instead is not for the player yet
        raise BadFile(entry.log, "it is not as it was written", differs.line) from None
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadFile(entry.log, f"cannot be played on: {error}") from None
    table.record = log.step
    return Sitting(entry.id, house, parts, table, dialogue, log)
