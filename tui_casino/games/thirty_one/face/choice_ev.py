"""The trainer's table of a position: the EV of each choice, and the dealer's final totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from types import MappingProxyType

from ....gamekit.number_formats import percent, rounded_cost
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
"""The key and the name of each choice."""
PLAYS = (PlayerChoice.HIT, PlayerChoice.STAND, PlayerChoice.DOUBLE, PlayerChoice.SPLIT)


@dataclass(frozen=True, slots=True)
class ChoiceEv:
    """A choice with its figures as text; ``share`` (at most 1) sets the length of its bar.

    A choice that is not possible has no figures; ``reason`` says why.
    """

    key: str
    name: str
    value: str = ""
    cost: str = ""
    wins: str = ""
    pushes: str = ""
    share: float = 0
    best: bool = False
    reason: str = ""


def list_choice_ev(reading: TrainerData, reason_for: Callable[[str], str]) -> tuple[ChoiceEv, ...]:
    """Return the choices of a position, best first, followed by the impossible choices.

    ``reason_for`` returns why a key cannot be used.
    """
    advice = reading.advice
    ranked = sorted(advice.values, key=lambda choice: -advice.values[choice])
    best_value = advice.values[ranked[0]]
    largest = max(map(abs, advice.values.values())) or 1
    choices = []
    for choice in ranked:
        value, outcome = advice.values[choice], advice.outcomes.get(choice)
        best = best_value - value < LEAST_COST
        has_chances = outcome is not None and not isnan(outcome.wins)
        choices.append(
            ChoiceEv(
                *NAMES[choice],
                value=with_minus_signs(f"{advice.bet * value:+.2f}"),
                cost="best"
                if best
                else f"{rounded_cost(advice.bet * best_value, advice.bet * value):.2f}",
                wins=percent(outcome.wins, 0) if outcome and has_chances else "",
                pushes=percent(outcome.pushes, 0) if outcome and has_chances else "",
                share=value / largest,
                best=best,
            )
        )
    if not reading.position.insurance_asked:
        names = [NAMES[play] for play in PLAYS if play not in advice.values]
        choices += [ChoiceEv(key, name, reason=reason_for(key)) for key, name in names]
    return tuple(choices)


def choice_ev_rows(choices: tuple[ChoiceEv, ...], *, costs: bool) -> TableRows:
    """Return a row for each choice with its EV, and its cost if there is room."""
    name_width = max(len(choice.name) for choice in choices)
    value_width = max(len(choice.value) for choice in choices)
    cost_width = max(len(choice.cost) for choice in choices)
    rows = [TableRow((("EV (dollars)", "gold"),), (("cost", "muted"),) if costs else ())]
    for choice in choices:
        name_text = f" {choice.name:<{name_width}} "
        if not choice.value:
            rows.append(TableRow(((choice.key + name_text, "faint"),)))
            continue
        tone = "best" if choice.best else ""
        line: TonedLine = (
            (choice.key, "gold"),
            (name_text, tone),
            (f"{choice.value:>{value_width}}", tone),
        )
        cost_text = (f"{choice.cost:>{cost_width}}", "good" if choice.best else "muted")
        rows.append(TableRow(line, (cost_text,) if costs else (), choice.key))
    return tuple(rows)


def dealer_rows(reading: TrainerData, *, all_totals: bool) -> TableRows:
    """Return rows with the chances of the dealer's final totals, separately or in groups.

    If insurance is offered, 31 has a row of its own.
    """
    ends = reading.dealer_finals
    rows = [TableRow((("dealer ends on", "muted"),))]
    insurance_asked = reading.position.insurance_asked
    chances = dict(_ends(ends) if all_totals else _some_ends(ends, insurance_asked=insurance_asked))
    width = max(map(len, chances))
    for name, chance in chances.items():
        tone = "good" if name == "bust" else ""
        rows.append(
            TableRow(((f"{name:<{width}}", tone),), ((f"{percent(chance, 1):>7}", "muted"),))
        )
    return tuple(rows)


def _ends(ends: Mapping[int, float]) -> Iterator[tuple[str, float]]:
    yield "bust", ends[BUST]
    for final in FINALS:
        if final != BUST:
            yield str(final), ends[final]


def _some_ends(ends: Mapping[int, float], *, insurance_asked: bool) -> Iterator[tuple[str, float]]:
    yield "bust", ends[BUST]
    yield "27, 28", ends[27] + ends[28]
    if insurance_asked:
        yield "29, 30", ends[29] + ends[30]
        yield "31", ends[31]
    else:
        yield "29 to 31", ends[29] + ends[30] + ends[31]
    yield str(FOURTEEN), ends[FOURTEEN]
