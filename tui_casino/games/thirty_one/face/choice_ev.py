"""The trainer's table of a position: the EV of each choice, and the dealer's final totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING

from ....gamekit.number_formats import percent
from ....tui.draw.canvas import TableRow, TableRows
from ....tui.draw.choice_list import ChoiceRow
from ....tui.table.choice_ranking import ChoiceRanking, RankedChoice
from ..brains.adviser import ACTIONS
from ..brains.choice_costs import LEAST_COST
from ..brains.odds import BUST, FINALS, PlayerChoice
from ..brains.trainer_data import TrainerData
from ..machine.moves import Action
from ..machine.rules import FOURTEEN

if TYPE_CHECKING:  # late: computed only for the trainer
    from ..brains.shoe_odds import ChoiceOutcome

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


def rank_plays(
    reading: TrainerData, reason_for: Callable[[str], str], basis: str
) -> ChoiceRanking[Action]:
    """Return the choices of a position, best first, followed by the impossible choices.

    ``reason_for`` returns why a key cannot be used, and ``basis`` says how the EVs were computed.
    """
    advice = reading.advice
    ranked = sorted(advice.values, key=lambda choice: -advice.values[choice])
    best = advice.values[ranked[0]]
    choices: Iterator[RankedChoice[Action]] = (
        RankedChoice(
            (ACTIONS[choice](),),
            NAMES[choice][1],
            advice.bet * (best if best - value < LEAST_COST else value),
            figures=_chances(advice.outcomes.get(choice)),
            key=NAMES[choice][0],
        )
        for choice, value in ((one, advice.values[one]) for one in ranked)
    )
    impossible = [] if reading.position.insurance_asked else [*PLAYS]
    names = [NAMES[play] for play in impossible if play not in advice.values]
    return ChoiceRanking(
        "choices",
        tuple(choices),
        "" if basis else "in dollars",
        ("wins", "pushes"),
        details=(((basis, "faint"),),) if basis else (),
        impossible=tuple(ChoiceRow(name, key=key, reason=reason_for(key)) for key, name in names),
    )


def _chances(outcome: ChoiceOutcome | None) -> tuple[str, ...]:
    if outcome is None or isnan(outcome.wins):
        return ("", "")
    return percent(outcome.wins, 0), percent(outcome.pushes, 0)


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
