"""Counters and gauges of the gateway, in the text format of Prometheus.

The format is described at https://prometheus.io/docs/instrumenting/exposition_formats/. The metrics
contain no names, addresses, cards or seeds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct, field

from ..cage_protocol import TableCounts
from ..processes import ProcessTable, processor_seconds


class GatewayCounters(Struct):
    """Counts since the start of the gateway; ``refusals`` has a count for each reason.

    ``visits`` is the current number of visits with a session process.
    """

    visits: int = 0
    connects: int = 0
    sessions: int = 0
    keys: int = 0
    received: int = 0
    sent: int = 0
    dropped: int = 0
    floods: int = 0
    refusals: Counter[str] = field(default_factory=Counter)


class GatewayGauges(Struct, frozen=True):
    """The current numbers of sessions, guests and connections, and the session processes."""

    processes: tuple[int, ...]
    sessions: int
    guests: int
    connections: int
    unauthenticated: int


class ConnectionCount(NamedTuple):
    """The numbers of open connections, and of those that have not logged in."""

    open: int
    unauthenticated: int


def exposition(
    counts: GatewayCounters,
    present: GatewayGauges,
    board: ProcessTable,
    tables: TableCounts | None = None,
) -> str:
    """Return all metrics as text; those of tables with others are missing if there are none."""
    lines = [*_lines(counts, present, board), *(() if tables is None else _table_lines(tables))]
    return "".join(f"{line}\n" for line in lines)


def _table_lines(counts: TableCounts) -> Iterator[str]:
    open_tables = {f'game="{one.game}",state="{one.state}"': one.number for one in counts.tables}
    what = "Tables with others that are not closed, by game and state."
    yield from _family("tables", "gauge", what, open_tables)
    yield from _metric("table_seats", "gauge", "Seats that people have taken there.", counts.seats)
    what = "Rows appended to the logs of tables since the start of the cage."
    yield from _metric("table_rows_total", "counter", what, counts.rows)
    seconds = {
        'append="last"': round(counts.last_append, 6),
        'append="slowest"': round(counts.slowest_append, 6),
    }
    what = "Seconds of the last append to a table, and of the slowest since the start of the cage."
    yield from _family("table_append_seconds", "gauge", what, seconds)


def _lines(counts: GatewayCounters, present: GatewayGauges, board: ProcessTable) -> Iterator[str]:
    yield from _metric(
        "sessions", "gauge", "Visits open now, including those of guests.", present.sessions
    )
    yield from _metric("guests", "gauge", "Guest sessions open now.", present.guests)
    yield from _metric("connections", "gauge", "Connections open now.", present.connections)
    what = "Connections open now that have not logged in."
    yield from _metric("unauthenticated_connections", "gauge", what, present.unauthenticated)
    yield from _metric(
        "connects_total", "counter", "Connections accepted or refused.", counts.connects
    )
    yield from _metric("sessions_total", "counter", "Sessions started.", counts.sessions)
    reasons = {f'reason="{reason}"': counts.refusals[reason] for reason in sorted(counts.refusals)}
    yield from _family("refusals_total", "counter", "Refusals by reason.", reasons)
    yield from _metric("keys_total", "counter", "Key presses passed to sessions.", counts.keys)
    yield from _metric(
        "received_bytes_total", "counter", "Bytes received from visitors.", counts.received
    )
    yield from _metric("sent_bytes_total", "counter", "Bytes sent to visitors.", counts.sent)
    what = "Frames dropped for slow connections."
    yield from _metric("frames_dropped_total", "counter", what, counts.dropped)
    what = "Pauses of a second in reading from a connection that sent too much."
    yield from _metric("floods_total", "counter", what, counts.floods)
    restarts = {f'process="{name}"': number for name, number in board.restarts().items()}
    yield from _family("restarts_total", "counter", "Restarts of server processes.", restarts)
    parts = {f'part="{part}"': held for part, held in board.sandbox.items()}
    what = "Sandbox of sessions: Landlock version, system call filter; 0 if missing."
    yield from _family("fence", "gauge", what, parts)
    zygote, ended = processor_seconds(board.zygote)
    living = sum(processor_seconds(process)[0] for process in present.processes)
    seconds = {
        'process="gateway"': round(time.process_time(), 2),
        'process="zygote"': zygote,
        'process="sessions"': round(ended + living, 2),
    }
    what = "Processor time in seconds."
    yield from _family("processor_seconds_total", "counter", what, seconds)


def _metric(name: str, kind: str, what: str, value: float) -> Iterator[str]:
    return _family(name, kind, what, {"": value})


def _family(
    name: str, kind: str, what: str, values: dict[str, int] | dict[str, float]
) -> Iterator[str]:
    yield f"# HELP tui_casino_{name} {what}"
    yield f"# TYPE tui_casino_{name} {kind}"
    for label, value in values.items():
        yield f"tui_casino_{name}{f'{{{label}}}' if label else ''} {value}"
