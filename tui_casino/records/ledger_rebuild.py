"""Rebuild the balances of a lost or damaged ledger from the session logs.

The contents of the ledger have priority: a session in the ledger is never changed, and never
removed because its log is missing. Sessions for money that the ledger does not contain are added
from their logs, if the logs agree with the rules and the shuffle. Then each balance is the opening
balance, plus the loans, plus the results of all sessions.

Logs do not record loans from the house. A loan must have been made if a player brought more money
to a table than the balance had. It is a regular loan if the balance was too small for a bet there.
Any other missing money cannot be explained by the logs. It is also booked as a loan, so that no
balance is negative.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..engine.game import Seat, SittingOver
from ..gamekit.definition import AnyDefinition, Games
from ..inputs.files import BadFile, open_regular
from .ledger import (
    LOAN_CENTS,
    OPENING_BALANCE,
    LedgerContents,
    LedgerSitting,
    LogCheckpoint,
    Marker,
)
from .log_catalog import CatalogEntry, SittingStatus, list_logs
from .log_header import HUMAN, decode_header
from .replay import ProofLevel, log_options, replay_log, verify_log
from .session_log import SessionLog, line_hash, read_log

CannotAfford = Callable[[int], bool]
"""Returns whether an amount in cents is too small for the smallest bet at a session's table."""


class UnbookedSitting(Struct, frozen=True):
    """A session for money that is missing in the ledger, as read from its log.

    A session that has not ``ended`` is booked with the money on the table, and the bet is returned:
    its seed was only in the ledger, so nobody can finish it.
    """

    booked: LedgerSitting
    ended: bool
    too_poor: CannotAfford


class RebuildFindings(Struct, frozen=True):
    """The differences between the logs of a folder and the ledger.

    ``known`` is the number of logs whose sessions are in the ledger, ``practice`` the number of
    logs of free play. ``left_out`` gives the names of logs that cannot be counted, with the
    reasons.
    """

    unbooked: tuple[UnbookedSitting, ...] = ()
    known: int = 0
    practice: int = 0
    left_out: tuple[tuple[str, str], ...] = ()


class RebuiltLedger(Struct, frozen=True):
    """The ledger before and after, with the regular ``loans`` and the ``unexplained`` loans."""

    before: LedgerContents
    after: LedgerContents
    loans: tuple[Marker, ...] = ()
    unexplained: tuple[Marker, ...] = ()


_LONGEST = 1 << 20  # bytes of a first line


class _LeftOut(ValueError):
    """Raised for a log that is not counted, with the reason."""


def find_unbooked(
    folder: Path, games: Games, books: LedgerContents, player: str | None = None
) -> RebuildFindings:
    """Read the logs of a folder, and verify the sessions for money that the ledger does not have.

    The folder must be given as in the ledger: absolute and without links. With ``player``, only
    this player's logs are read. Raises :class:`~tui_casino.inputs.files.BadFile` for a folder that
    cannot be read.
    """
    names = {one.id for one in books.sittings}
    hashes = {
        hash
        for one in books.sittings
        for hash in (one.checkpoint.head, one.checkpoint.last)
        if hash
    }
    unbooked: dict[str, UnbookedSitting] = {}
    left_out: list[tuple[str, str]] = []
    known = practice = 0
    for entry in list_logs(folder, games, {}):
        if entry.path.stem in names:
            known += 1
            continue
        try:
            log = _for_money(entry, games)
            if log is None:
                practice += 1
            elif not hashes.isdisjoint((log.head, log.hash)):
                known += 1
            elif player is None or player in entry.owners:
                one = _unbooked(games[log.header.game], entry, log)
                if one is not None:
                    unbooked[log.head] = _better(unbooked.get(log.head), one)
        except (_LeftOut, BadFile) as error:
            reason = error.reason if isinstance(error, BadFile) else str(error)
            left_out.append((entry.path.name, reason))
    return RebuildFindings(tuple(unbooked.values()), known, practice, tuple(left_out))


def has_money_logs(folder: Path, player: str) -> bool:
    """Return whether a player has logs of sessions for money; only the first lines are read."""
    for entry in list_logs(folder, {}, {}):
        if entry.fault is None and player in entry.owners and entry.source is not None:
            with suppress(OSError, BadFile), os.fdopen(open_regular(entry.path), "rb") as file:
                header = decode_header(entry.path, file.readline(_LONGEST).rstrip(b"\n"))
                if header.source.kind == "committed" and header.seed is None:
                    return True
    return False


def _better(one: UnbookedSitting | None, other: UnbookedSitting) -> UnbookedSitting:
    """Return the more complete one of two copies of a log."""
    if one is None or (one.ended, one.booked.checkpoint.steps) < (
        other.ended,
        other.booked.checkpoint.steps,
    ):
        return other
    return one


def _for_money(entry: CatalogEntry, games: Games) -> SessionLog | None:
    """Return a log unless it is free play. Raises :class:`BadFile` and ``_LeftOut``."""
    if entry.fault is not None:
        raise _LeftOut(entry.fault)
    if entry.source is None or entry.source.kind != "committed" or HUMAN not in entry.players:
        return None
    if entry.game not in games:
        raise _LeftOut(f"{entry.game} is not a game of this program")
    log = read_log(entry.path)
    if log.header.seed is not None or games[log.header.game].points:
        return None
    if not log.header.who:
        raise _LeftOut(
            f"format {log.header.format} does not record who played, nor always the stakes"
        )
    if entry.ending is SittingStatus.IN_PLAY:
        raise _LeftOut("it is being played; leave its table first")
    return log


def _unbooked(
    definition: AnyDefinition, entry: CatalogEntry, log: SessionLog
) -> UnbookedSitting | None:
    """Return the entry of a verified log; ``None`` if nothing was played yet.

    Raises :class:`BadFile` and ``_LeftOut``.
    """
    if not log.lines and log.end is None:
        return None
    if len(entry.owners) != 1:
        raise _LeftOut("several players sat at this table")
    verdict = verify_log(definition, log)
    if verdict.proof is ProofLevel.DIFFERS:
        raise _LeftOut(f"line {verdict.line}: {verdict.reason}")
    game, options = definition.game, log_options(definition.game, log)
    begin = end = game.start(options)
    for played in replay_log(game, log):
        end = played.state
    seats = [Seat(seat) for seat, who in enumerate(log.header.players) if who == HUMAN]

    def cents(state: Any) -> int:
        money = [game.money(state, seat) for seat in seats]
        return game.unit * sum(one.free + one.staked for one in money)

    def too_poor(home: int) -> bool:
        return isinstance(game.turn(game.start(game.sit(options, home // game.unit))), SittingOver)

    steps = len(log.lines)
    mark = line_hash(log.lines[-1]) if log.lines else None
    booked = LedgerSitting(
        id=entry.path.stem,
        player=entry.owners[0],
        game=game.slug,
        log=str(entry.path),
        seed=None,
        opened=log.header.at,
        bought_in=cents(begin),
        closed=entry.ended,
        cashed_out=cents(end),
        checkpoint=LogCheckpoint(log.head, steps, mark, log.hash),
    )
    return UnbookedSitting(booked, log.end is not None, too_poor)


def rebuild_purses(before: LedgerContents, unbooked: Iterable[UnbookedSitting]) -> RebuiltLedger:
    """Add sessions to the contents of a ledger, and recalculate each balance.

    If there is nothing to add and the balances are consistent, nothing changes.
    """
    added = tuple(unbooked)
    too_poor = {one.booked.id: one.too_poor for one in added}
    every = (*before.sittings, *(one.booked for one in added))
    sittings = tuple(sorted(every, key=lambda one: (one.opened, one.id)))
    purses = dict(before.balances)
    lent: list[Marker] = []
    unexplained: list[Marker] = []
    for player in {*purses, *(one.player for one in sittings)}:
        own = [one for one in sittings if one.player == player]
        markers = [one for one in before.markers if one.player == player]
        if any(one.id in too_poor for one in own) or _purse(own, markers) < 0:
            loans, rest = _missing(player, own, markers, too_poor)
            lent.extend(loans)
            unexplained.extend(rest)
            markers.extend((*loans, *rest))
        purses[player] = _purse(own, markers)
    markers = [*before.markers, *lent, *unexplained]
    markers.sort(key=lambda one: (one.at, one.player, one.cents))
    after = LedgerContents(tuple(sorted(purses.items())), tuple(markers), sittings)
    return RebuiltLedger(before, after, tuple(sorted(lent)), tuple(sorted(unexplained)))


def _purse(sittings: Iterable[LedgerSitting], markers: Iterable[Marker]) -> int:
    net = sum((one.cashed_out or 0) - one.bought_in for one in sittings)
    return OPENING_BALANCE + net + sum(one.cents for one in markers)


def _missing(
    player: str,
    sittings: list[LedgerSitting],
    markers: list[Marker],
    too_poor: Mapping[str, CannotAfford],
) -> tuple[list[Marker], list[Marker]]:
    """Return a player's missing loans: the regular ones, and those for unexplained money."""
    coming = sorted(
        [(one.closed, one.cashed_out or 0, one.id) for one in sittings if one.closed is not None]
        + [(one.at, one.cents, "") for one in markers]
    )
    home, lent, unexplained = OPENING_BALANCE, list[Marker](), list[Marker]()
    for one in sittings:
        while coming and coming[0][0] <= one.opened and coming[0][2] != one.id:
            home += coming.pop(0)[1]
        short = one.bought_in - home
        if short > 0:
            loan = LOAN_CENTS if one.id in too_poor and too_poor[one.id](home) else 0
            rest = max(0, short - loan)
            lent += [Marker(player, one.opened, loan)] if loan else []
            unexplained += [Marker(player, one.opened, rest)] if rest else []
            home += loan + rest
        home -= one.bought_in
    return lent, unexplained
