"""The GTO charts of the most common decisions, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import Any

from ....records.codec import ascii_json
from ..brains.equilibrium.betting_tree import CLOSES, DEALER, FIRST, NODES, SEATS
from ..brains.gto_chart import GtoChart, Spot, group_frequencies
from ..machine.state import Phase
from .gto_chart_text import ABSENT, CHOICES, MEANING, spot_name, table_rows

SEAT_NAMES = ("First seat", "Dealer")
COMMON_CLOSES = ("kk", "bc", "kbc")
COMMON_DRAWS = ((3, 3), (3, 1), (1, 3), (1, 1))
"""The numbers of cards that the first seat and the dealer draw."""
COMMON_ACTS = ("", "k", "b", "kb")
DECIMALS, WIDTH = 4, 79


def common_spots() -> Iterator[Spot]:
    """Yield all decisions before the draw, and the most common ones at and after the draw."""
    for node in NODES:
        yield Spot(Phase.OPENING, node.seat, node.name)
    names = [close.name for close in CLOSES]
    for index in map(names.index, COMMON_CLOSES):
        yield Spot(Phase.DRAW, FIRST, close_index=index)
        for first_drew in (3, 1):
            yield Spot(Phase.DRAW, DEALER, close_index=index, drew=(first_drew, None))
    for drew in COMMON_DRAWS:
        for index in map(names.index, COMMON_CLOSES):
            for acts in COMMON_ACTS:
                yield Spot(Phase.CLOSING, len(acts) % len(SEATS), acts, index, drew)


def as_json() -> str:
    """Return one JSON object: for each decision, how often each group makes each choice.

    A group without frequencies hardly ever gets to the decision.
    """
    return ascii_json({"charts": [*map(_as_object, common_spots())]})


def _as_object(spot: Spot) -> dict[str, Any]:
    return {
        "phase": spot.phase.value,
        "seat": spot.position,
        "before_draw": _first_round(spot),
        "after_draw": spot.acts if spot.phase is Phase.CLOSING else "",
        "drew": [*spot.drew],
        "choices": [CHOICES.get(choice, choice) for choice in spot.choices],
        "groups": {
            row.group: {
                "share": round(row.share, DECIMALS),
                "frequencies": [round(share, DECIMALS) for share in row.frequencies],
            }
            for row in group_frequencies(spot)
        },
    }


def _first_round(spot: Spot) -> str:
    """Return the acts of the first round so far, one letter each."""
    return spot.acts if spot.phase is Phase.OPENING else CLOSES[spot.close_index].name


def as_text() -> str:
    """Return the charts one below the other."""
    charts = ["\n".join(_lines(spot)) for spot in common_spots()]
    meaning = fill(f"{MEANING} {ABSENT}", WIDTH)
    return "\n\n".join(("GTO charts of the limit table for two players", meaning, *charts))


def _lines(spot: Spot) -> Iterator[str]:
    yield f"{SEAT_NAMES[spot.position]}, {spot_name(spot)}"
    if letters := _first_round(spot):
        acts = ", ".join(CHOICES[letter] for letter in letters)
        yield f"  before the draw: {acts}"
    yield from table_rows(GtoChart(spot, group_frequencies(spot)))
