"""Describe the rounds that are over to somebody who watches a table, with open cards only.

The lines are made from the events of the table's log as a person without a seat hears them. Nothing
of a round is given before it is over, not even that somebody sat down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from ...engine.game import Seat
from ...engine.seating import (
    SITS_OUT,
    ComputerJoined,
    SeatLeft,
    SeatReady,
    SeatSitsOut,
    SeatTaken,
    SharedPlay,
    seat_name,
)
from ...gamekit.definition import AnyDefinition
from ...gamekit.registry import listing_of
from ...gamekit.words import Words, with_names
from ...house.shared_tables import WatchedRounds
from ...records.table_replica import WatchedRow
from .table_answers import SHOWN, Replica, TableRefusal
from .table_talk import TableTalk


def watched_by(player: str, after: int, talk: TableTalk, replica: Replica) -> WatchedRounds:
    """Return what a player who watches sees after a row. Raises :class:`TableRefusal`.

    Players at the table have their seats to see it from, and all that a watcher sees.
    """
    code, here = replica.entry.code, {one.player for one in replica.occupants.values()}
    if player in here:
        raise TableRefusal(f"you sit at the table {code}, and see more from your seat")
    if any((one, player) in talk.blocks for one in {replica.entry.player, *here}):
        raise TableRefusal(f"there is no table {code}")
    return watched_rounds(replica, after, talk.name_of)


def watched_rounds(replica: Replica, after: int, name_of: Callable[[str], str]) -> WatchedRounds:
    """Return the lines about the rounds that are over, after a row; 0 begins with the last one.

    An empty line parts two rounds. The answer ends with the round in which it has more than
    :data:`.table_answers.SHOWN` lines.
    """
    definition = listing_of(replica.entry.game).definition()
    shared = definition.shared
    assert shared is not None, "the table is for several people"
    why = replica.why_ended or replica.why_over
    ends = [*islice(replica.rows_with(shared.ends_round, after), 1 if after > 0 else 2)]
    first = max(after, 0) if len(ends) < 2 else ends[1]
    last = replica.rows - 1 if why else max(ends, default=first)
    lines, at, is_parted = list[str](), first, after > 0
    reporter = _Reporter(replica, definition, shared, name_of, first)
    for row in replica.watched(first + 1, last):
        if found := (*reporter.lines(row),):
            lines += ["", *found] if is_parted else found
            is_parted = False
        if any(map(shared.ends_round, row.events)):
            at, is_parted = row.number, True
            if len(lines) >= SHOWN:
                break
    else:
        at = max(first, last)
    is_frozen = replica.entry.frozen is not None and not why
    return WatchedRounds((*lines,), at, is_frozen, why if at >= last else "")


class _Reporter:
    """Reports rows in lines with the names of those who play.

    If somebody takes the seat of a computer during a round, the computer plays it to its end.
    """

    def __init__(
        self,
        replica: Replica,
        definition: AnyDefinition,
        shared: SharedPlay[Any],
        name_of: Callable[[str], str],
        first: int,
    ) -> None:
        self._shared, self._words, self._name_of = shared, definition.words, name_of
        solo = tuple(map(seat_name, range(replica.seats)))
        self._usual = solo if shared.is_solo else definition.words.seat_names
        self._seats = tuple(map(Seat, range(replica.seats)))
        changes = (one for one in replica.changes if one.row <= first)
        self._players = {one.seat: one.player for one in changes}
        self._arriving = dict[Seat, str | None]()
        self._is_dealt = False  # since the last round

    def lines(self, row: WatchedRow) -> Iterable[str]:
        """Return the lines about a row; what several seats hear is reported once."""
        self._is_dealt = self._is_dealt or row.actor is None
        found = dict[str, None]()
        for event in row.events:
            is_taken = isinstance(event, SeatTaken)
            if is_taken and self._is_dealt and self._shared.computer_name(row.view, event.seat):
                self._arriving[event.seat] = row.player
            elif is_taken:
                self._players[event.seat] = row.player
            for line in self._event_lines(event, row):
                found[line] = None
            if isinstance(event, SeatLeft):
                self._players[event.seat] = None
                self._arriving.pop(event.seat, None)
            if self._shared.ends_round(event):
                self._players |= self._arriving
                self._arriving, self._is_dealt = {}, False
        return found

    def _event_lines(self, event: Any, row: WatchedRow) -> Iterable[str]:
        names = [self._name(seat, row) for seat in self._seats]
        match event:
            case SeatTaken() if row.player is not None:
                yield f"{self._name_of(row.player)} sits down."
            case SeatLeft(seat) if (player := self._arriving.get(seat)) is not None:
                yield f"{self._name_of(player)} leaves."
            case ComputerJoined(seat):
                yield f"{names[seat]} sits down."
            case SeatLeft(seat):
                yield f"{names[seat]} leaves."
            case SeatSitsOut(seat):
                yield f"{names[seat]} {SITS_OUT}."
            case _:
                for line in event_lines(self._shared, self._words, event):
                    yield with_names(line, names, self._usual)

    def _name(self, seat: Seat, row: WatchedRow) -> str:
        if (player := self._players.get(seat)) is not None:
            return self._name_of(player)
        return self._shared.computer_name(row.view, seat) or self._usual[seat]


def event_lines(
    shared: SharedPlay[Any], words: Words[Any, Any, Any, Any], event: Any
) -> tuple[str, ...]:
    """Return the lines about an event as a person without a seat hears it, with usual names."""
    if shared.watched is not None:
        return shared.watched(event)
    if isinstance(event, SeatReady):
        return ()
    spoken = words.spoken.lines(event, None)
    return words.lines(event, None) if spoken is None else spoken
