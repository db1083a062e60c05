"""Counters and gauges of the gateway, in the text format of Prometheus.

https://prometheus.io/docs/instrumenting/exposition_formats/ has the format. No name, address, card
or seed is in it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..process_table import ProcessTable, processor_seconds


@dataclass(slots=True)
class GatewayCounters:
    """What has been since the gateway began; ``refusals`` by their reasons."""

    connects: int = 0
    sessions: int = 0
    keys: int = 0
    received: int = 0
    sent: int = 0
    dropped: int = 0
    refusals: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class GatewayGauges:
    """What is just now: sessions by their processes, guests among them, connections."""

    processes: tuple[int, ...]
    sessions: int
    guests: int
    connections: int


def exposition(counts: GatewayCounters, present: GatewayGauges, board: ProcessTable) -> str:
    """Give all of it as text."""
    return "".join(f"{line}\n" for line in _lines(counts, present, board))


def _lines(counts: GatewayCounters, present: GatewayGauges, board: ProcessTable) -> Iterator[str]:
    yield from _metric("sessions", "gauge", "Who is playing now.", present.sessions)
    yield from _metric("guests", "gauge", "Of them guests.", present.guests)
    yield from _metric("connections", "gauge", "Connections open now.", present.connections)
    yield from _metric("connects_total", "counter", "Connections.", counts.connects)
    yield from _metric("sessions_total", "counter", "Sessions begun.", counts.sessions)
    reasons = {f'reason="{reason}"': counts.refusals[reason] for reason in sorted(counts.refusals)}
    yield from _family("refusals_total", "counter", "Refusals by reason.", reasons)
    yield from _metric("keys_total", "counter", "Keys that passed to sessions.", counts.keys)
    yield from _metric("received_bytes_total", "counter", "From visitors.", counts.received)
    yield from _metric("sent_bytes_total", "counter", "To visitors.", counts.sent)
    what = "Pictures left out for slow lines."
    yield from _metric("frames_dropped_total", "counter", what, counts.dropped)
    restarts = {f'process="{name}"': number for name, number in board.restarts().items()}
    yield from _family("restarts_total", "counter", "Processes begun anew.", restarts)
    parts = {f'part="{part}"': held for part, held in board.sandbox.items()}
    what = "What holds sessions: Landlock's version, a filter of calls; 0 is nothing."
    yield from _family("fence", "gauge", what, parts)
    zygote, ended = processor_seconds(board.zygote)
    living = sum(processor_seconds(process)[0] for process in present.processes)
    seconds = {
        'process="gateway"': round(time.process_time(), 2),
        'process="zygote"': zygote,
        'process="sessions"': round(ended + living, 2),
    }
    what = "Seconds of processor time."
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
