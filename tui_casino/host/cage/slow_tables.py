"""Tables by correspondence: their players come and go, and their seats wait for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from ...engine.seating import DAY, Leave, by_correspondence
from ...inputs.numbers import count_noun
from ...records.shared_tables import SharedTable
from ...records.table_replica import TableReplica

Replica: TypeAlias = TableReplica[Any, Any, Any, Any]

MOST_SLOW = 20
"""The maximum number of open tables by correspondence that one player has made."""
MOST_MISSED = 3
"""A seat is left once it has missed this number of choices in a row."""
WAITING_DAYS = 7
"""The days after which a table is closed at which somebody still waits for others."""
NOBODY_CAME = f"nobody came in {count_noun(WAITING_DAYS, 'day')}"


def is_slow(table: SharedTable) -> bool:
    """Return whether a table is played by correspondence."""
    return by_correspondence(table.seconds or 0)


def too_many_own(
    tables: Iterable[SharedTable], player: str, most: int, making: int, *, slow: bool
) -> str:
    """Return why a player cannot make one more table, or "".

    ``most`` is the limit of other tables than those by correspondence. The player is ``making``
    some of the same kind now.
    """
    made = sum(one.player == player and is_slow(one) == slow for one in tables)
    if made + making < (MOST_SLOW if slow else most):
        return ""
    if slow:
        return f"you have made {MOST_SLOW} tables by correspondence already; leave one first"
    return f"you have made {most} tables already; an empty one closes after an hour"


def expire(replica: Replica) -> None:
    """Play for the seats whose time is over; a seat that missed too many choices is left."""
    replica.expire()
    if not is_slow(replica.entry):
        return
    for seat, one in [*replica.occupants.items()]:
        is_gone = replica.missed(seat) >= MOST_MISSED and seat in replica.occupants
        if is_gone and replica.offers(seat, Leave):
            replica.act(seat, Leave(), one.player)


def waits_in_vain(replica: Replica, now: int) -> bool:
    """Return whether somebody has waited too long for others, so that the game has not begun."""
    has_begun = replica.due is not None or bool(replica.why_over)
    is_late = now - replica.entry.made >= 1000 * DAY * WAITING_DAYS
    return is_slow(replica.entry) and not has_begun and bool(replica.occupants) and is_late


def close_unused(replica: Replica) -> None:
    """Let those who have waited in vain leave, and close the table."""
    for seat, one in [*replica.occupants.items()]:
        replica.act(seat, Leave(), one.player)
    replica.finish(NOBODY_CAME)
