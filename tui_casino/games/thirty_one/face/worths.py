"""What the trainer tells of a moment, in figures: what each choice is worth, and the dealer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from types import MappingProxyType

from ....gamekit.formats import percent
from ....tui.draw.formats import minus
from ....tui.draw.tables import Line, Row, Rows
from ..brains.judging import LEAST_COST
from ..brains.odds import BUST, FINALS, Choice
from ..brains.reading import Reading
from ..machine.rules import FOURTEEN

NAMES: Mapping[Choice, tuple[str, str]] = MappingProxyType(
    {
        Choice.HIT: ("h", "Hit"),
        Choice.STAND: ("s", "Stand"),
        Choice.DOUBLE: ("d", "Double"),
        Choice.SPLIT: ("p", "Split"),
        Choice.INSURE: ("i", "Insure"),
        Choice.DECLINE: ("n", "No insurance"),
    }
)
"""The key of each choice, and what it is called."""
PLAYS = (Choice.HIT, Choice.STAND, Choice.DOUBLE, Choice.SPLIT)


@dataclass(frozen=True, slots=True)
class Worth:
    """A choice with its figures as text; ``share`` of the greatest worth is how long its bar is.

    One that cannot be made has no figures; ``why`` says why.
    """

    key: str
    name: str
    worth: str = ""
    cost: str = ""
    wins: str = ""
    pushes: str = ""
    share: float = 0
    best: bool = False
    why: str = ""


def worths(reading: Reading, why: Callable[[str], str]) -> tuple[Worth, ...]:
    """Give the choices of a moment, the best first; behind them what cannot be done.

    ``why`` says of a key why that is so.
    """
    advice = reading.advice
    ranked = sorted(advice.values, key=lambda choice: -advice.values[choice])
    most = max(map(abs, advice.values.values())) or 1
    found = []
    for choice in ranked:
        value, outcome = advice.values[choice], advice.outcomes.get(choice)
        best = advice.values[ranked[0]] - value < LEAST_COST
        told = outcome is not None and not isnan(outcome.wins)
        found.append(
            Worth(
                *NAMES[choice],
                worth=minus(f"{advice.bet * value:+.2f}"),
                cost="best" if best else f"{advice.cost(choice):.2f}",
                wins=percent(outcome.wins, 0) if outcome and told else "",
                pushes=percent(outcome.pushes, 0) if outcome and told else "",
                share=value / most,
                best=best,
            )
        )
    if not reading.position.asked:
        names = [NAMES[play] for play in PLAYS if play not in advice.values]
        found += [Worth(key, name, why=why(key)) for key, name in names]
    return tuple(found)


def worth_rows(found: tuple[Worth, ...], *, costs: bool) -> Rows:
    """Write the choices under each other, with what the others cost if there is room."""
    name = max(len(one.name) for one in found)
    wide = max(len(one.worth) for one in found)
    cost = max(len(one.cost) for one in found)
    rows = [Row((("WORTH", "gold"),), (("cost", "muted"),) if costs else ())]
    for one in found:
        words = f" {one.name:<{name}} "
        if not one.worth:
            rows.append(Row(((one.key + words, "faint"),)))
            continue
        tone = "best" if one.best else ""
        line: Line = ((one.key, "gold"), (words, tone), (f"{one.worth:>{wide}}", tone))
        shown = (f"{one.cost:>{cost}}", "good" if one.best else "muted")
        rows.append(Row(line, (shown,) if costs else (), one.key))
    return tuple(rows)


def ends_rows(reading: Reading, *, all_of_them: bool) -> Rows:
    """Write what the dealer ends on, each total for itself or some of them together.

    His 31 is for itself where it is insured against.
    """
    ends = reading.ends
    rows = [Row((("dealer ends on", "muted"),))]
    asked = reading.position.asked
    found = dict(_ends(ends) if all_of_them else _some_ends(ends, asked=asked))
    wide = max(map(len, found))
    for name, chance in found.items():
        tone = "good" if name == "bust" else ""
        rows.append(Row(((f"{name:<{wide}}", tone),), ((f"{percent(chance, 1):>7}", "muted"),)))
    return tuple(rows)


def _ends(ends: Mapping[int, float]) -> Iterator[tuple[str, float]]:
    yield "bust", ends[BUST]
    for final in FINALS:
        if final != BUST:
            yield str(final), ends[final]


def _some_ends(ends: Mapping[int, float], *, asked: bool) -> Iterator[tuple[str, float]]:
    yield "bust", ends[BUST]
    yield "27, 28", ends[27] + ends[28]
    if asked:
        yield "29, 30", ends[29] + ends[30]
        yield "31", ends[31]
    else:
        yield "29 to 31", ends[29] + ends[30] + ends[31]
    yield str(FOURTEEN), ends[FOURTEEN]
