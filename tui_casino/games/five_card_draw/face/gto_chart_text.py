"""GTO charts as rows of text, and those of the most common decisions as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import fill
from types import MappingProxyType
from typing import Any

from ....gamekit.number_formats import percent, with_sign
from ....records.codec import ascii_json
from ....tui.draw.text import capitalize
from ..brains.equilibrium.betting_tree import CLOSES, DEALER, FIRST, NODES, SEATS
from ..brains.gto_chart import GroupFrequencies, GtoChart, Spot, group_frequencies
from ..brains.mistakes import AFTER, BEFORE, FACING
from ..machine.rules import MOST_FROM_AN_ACE
from ..machine.state import Phase

CHOICES: Mapping[str, str] = MappingProxyType(
    {"k": "check", "b": "bet", "f": "fold", "c": "call", "r": "raise", "0": "pat"}
)
"""The names of choices; a number of cards to draw stands for itself."""
LABEL, CELL = 22, 8
"""The columns of a group's name and of a frequency."""
VISIBLE = 0.005
"""Drawing four cards has a column only if a group does it at least this often."""
NEVER = "-"
MEANING = "How often the GTO level makes each choice, by group of hands."
ABSENT = "It hardly ever gets here with groups marked -."
NOBODY = "The GTO level hardly ever gets here: it does not play this way with any hand."


def title_of(chart: GtoChart) -> str:
    """Return the decision as a title, which also says whether the chart is only roughly right."""
    name = spot_name(chart.spot)
    return capitalize(name) if chart.is_exact else f"Roughly: {name}"


def spot_name(spot: Spot) -> str:
    """Describe a decision: ``before the draw, facing a bet``."""
    own, other = spot.drew[spot.position], spot.drew[1 - spot.position]
    if spot.phase is Phase.DRAW:
        return "the draw" if other is None else f"the draw: opponent {_drew(other)}"
    opened = "b" in spot.acts
    facing = FACING[0] if not opened else FACING[2] if "r" in spot.acts else FACING[1]
    if spot.phase is Phase.OPENING:
        return f"{BEFORE}, {facing}"
    return f"{AFTER}, {facing}: you {_drew(own or 0)}, opponent {_drew(other or 0)}"


def _drew(number: int) -> str:
    return f"drew {number}" if number else "stood pat"


def is_reached(chart: GtoChart) -> bool:
    """Return whether the solution brings any group to the decision."""
    return any(row.frequencies for row in chart.rows)


def columns_of(chart: GtoChart) -> dict[int, str]:
    """Return the choices to show: for each index, the heading of its column."""
    choices = enumerate(chart.spot.choices)
    heads = {index: CHOICES.get(choice, choice) for index, choice in choices}
    if chart.spot.phase is Phase.DRAW:
        fours = (row.frequencies[MOST_FROM_AN_ACE] for row in chart.rows if row.frequencies)
        if max(fours, default=0) < VISIBLE:
            del heads[MOST_FROM_AN_ACE]
    return heads


def table_rows(chart: GtoChart) -> Iterator[str]:
    """Yield the column headings and a row for each group, or nothing if no hand gets here."""
    if not is_reached(chart):
        return
    columns = columns_of(chart)
    heads = "".join(f"{head:>{CELL - 1}} " for head in columns.values())
    yield f"{'':<{LABEL + 2}}{heads}".rstrip()
    for row in chart.rows:
        mark = "> " if row.group == chart.own_group else "  "
        cells = "".join(f"{cell:>{CELL}}" for cell in _cells(chart, row))
        yield f"{mark}{row.group:<{LABEL}}{cells}".rstrip()


def _cells(chart: GtoChart, row: GroupFrequencies) -> Iterator[str]:
    if not row.frequencies:
        yield f"{NEVER} "
        return
    for index in columns_of(chart):
        share = percent(row.frequencies[index], 0)
        lit = row.group == chart.own_group and index == row.usual
        yield f"[{share}]" if lit else f"{share} "


def own_rows(chart: GtoChart) -> Iterator[str]:
    """Yield a row with the EVs of your hand, if the chart has columns for them."""
    if chart.own_values and is_reached(chart):
        values = (chart.own_values[index] for index in columns_of(chart))
        cells = "".join(f"{_signed(value):>{CELL - 1}} " for value in values)
        yield f"  {'EV of your hand':<{LABEL}}{cells}".rstrip()


def _signed(value: float | None) -> str:
    if value is None:
        return NEVER
    cents = round(100 * value)
    return with_sign(cents, f"{abs(cents) / 100:.2f}")


def notes(chart: GtoChart) -> Iterator[str]:
    """Yield sentences about the meaning of a chart, and whether it is exact."""
    yield MEANING if is_reached(chart) else NOBODY
    if is_reached(chart) and not all(row.frequencies for row in chart.rows):
        yield ABSENT
    if chart.players > 2:
        reason = f"{chart.players} players were dealt in"
    elif not chart.is_exact:
        reason = "a stack is too short for all bets"
    else:
        return
    yield (
        "The chart is a blueprint for two players with enough chips. "
        f"Here {reason}, so it is only roughly right."
    )


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


def charts_as_json() -> str:
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


def charts_as_text() -> str:
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


MARK = 2
"""The columns of the mark before the group of your hand."""
DECISIONS = {
    "": "First to act",
    "k": "After a check",
    "b": "Facing a bet",
    "kb": "After check, bet",
    "br": "After bet, raise",
}


def charts_before_draw(opponents: int) -> Iterator[str]:
    """Yield the charts of the most common decisions before the draw."""
    yield "The GTO level before the draw, two players"
    if opponents > 1:
        yield f"Against {opponents} opponents this is only roughly right."
    for acts, when in DECISIONS.items():
        spot = Spot(Phase.OPENING, len(acts) % len(SEATS), acts)
        heads, *rows = table_rows(GtoChart(spot, group_frequencies(spot)))
        yield ""
        yield f"{when}{heads[len(when) + MARK :]}"
        yield from (row[MARK:] for row in rows)
    yield ""
