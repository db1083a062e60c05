"""What the trainer tells of a moment, in figures: what each choice is worth, and the dealer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from types import MappingProxyType

from ....gamekit.number_formats import percent
from ....tui.draw.number_formats import with_minus_signs
from ....tui.draw.table_rows import TableRow, TableRows, TonedLine
from ..brains.choice_costs import LEAST_COST
from ..brains.odds import BUST, FINALS, PlayerChoice
from ..brains.trainer_data import TrainerData
from ..machine.rules import FOURTEEN

NAMES: Mapping[PlayerChoice, tuple[str, str]] = MappingProxyType(
    {
        PlayerChoice.HIT: ("h", "Hit"),
        PlayerChoice.STAND: ("s", "Stand"),
        PlayerChoice.DOUBLE: ("d", "Double"),
        PlayerChoice.SPLIT: ("p", "Split"),
        PlayerChoice.INSURE: ("i", "Insure"),
        PlayerChoice.DECLINE: ("n", "No insurance"),
    }
)
"""The key of each choice, and what it is called."""
PLAYS = (PlayerChoice.HIT, PlayerChoice.STAND, PlayerChoice.DOUBLE, PlayerChoice.SPLIT)


@dataclass(frozen=True, slots=True)
class ChoiceEv:
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


def list_choice_ev(reading: TrainerData, why: Callable[[str], str]) -> tuple[ChoiceEv, ...]:
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
            ChoiceEv(
                *NAMES[choice],
                worth=with_minus_signs(f"{advice.bet * value:+.2f}"),
                cost="best" if best else f"{advice.cost(choice):.2f}",
                wins=percent(outcome.wins, 0) if outcome and told else "",
                pushes=percent(outcome.pushes, 0) if outcome and told else "",
                share=value / most,
                best=best,
            )
        )
    if not reading.position.asked:
        names = [NAMES[play] for play in PLAYS if play not in advice.values]
        found += [ChoiceEv(key, name, why=why(key)) for key, name in names]
    return tuple(found)


def choice_ev_rows(found: tuple[ChoiceEv, ...], *, costs: bool) -> TableRows:
    """Write the choices under each other, with what the others cost if there is room."""
    name = max(len(one.name) for one in found)
    wide = max(len(one.worth) for one in found)
    cost = max(len(one.cost) for one in found)
    rows = [TableRow((("WORTH", "gold"),), (("cost", "muted"),) if costs else ())]
    for one in found:
        words = f" {one.name:<{name}} "
        if not one.worth:
            rows.append(TableRow(((one.key + words, "faint"),)))
            continue
        tone = "best" if one.best else ""
        line: TonedLine = ((one.key, "gold"), (words, tone), (f"{one.worth:>{wide}}", tone))
        shown = (f"{one.cost:>{cost}}", "good" if one.best else "muted")
        rows.append(TableRow(line, (shown,) if costs else (), one.key))
    return tuple(rows)


def dealer_rows(reading: TrainerData, *, all_of_them: bool) -> TableRows:
    """Write what the dealer ends on, each total for itself or some of them together.

    His 31 is for itself where it is insured against.
    """
    ends = reading.ends
    rows = [TableRow((("dealer ends on", "muted"),))]
    asked = reading.position.asked
    found = dict(_ends(ends) if all_of_them else _some_ends(ends, asked=asked))
    wide = max(map(len, found))
    for name, chance in found.items():
        tone = "good" if name == "bust" else ""
        rows.append(
            TableRow(((f"{name:<{wide}}", tone),), ((f"{percent(chance, 1):>7}", "muted"),))
        )
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
