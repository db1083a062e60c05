"""What the adviser says of a hold: on a page, in a line, and to the records of the sitting."""

from __future__ import annotations

from typing import TypeAlias

from textual.content import Content

from ....engine.game import Seat
from ....tui.table.glance import Figures, Glance, Judged
from ..brains import adviser
from ..machine.game import Action, Hold, State
from .tally import Tally

HandGlance: TypeAlias = Glance[State, Action, Tally]


def figures(glance: HandGlance) -> Figures:
    """Give the figures of the cards that are marked now."""
    weighed = adviser.weigh(glance.view, glance.draft)
    if weighed is None:
        return Figures("There is no hand to weigh now.", ())
    return Figures(f"Holding {places(glance.draft)}", tuple(odds_text(weighed).plain.split("\n")))


def odds_text(weighed: adviser.Weighed) -> Content:
    """Say what the hold can become, what it is worth, and what list and optimum would hold."""
    outcomes = weighed.outcomes
    lines = [
        Content(f"{row.lower():<20}{100 * count / outcomes.total:>9.4f}%")
        for row, count in outcomes.hands.items()
        if count
    ]
    lines.append(Content.styled(f"worth{float(weighed.value):>25.4f}", "bold"))
    lines.append(Content(f"list  {places(weighed.by_list):<12}{float(weighed.list_value):>12.4f}"))
    lines.append(Content(f"best  {places(weighed.best):<12}{float(weighed.best_value):>12.4f}"))
    if weighed.list_cost:
        lines.append(Content(f"the list costs {float(weighed.list_cost):.4f}"))
    return Content("\n").join(lines)


def advice(glance: HandGlance) -> tuple[str, ...]:
    """Say what to hold and its exact value; nothing where that is not known."""
    weighed = adviser.weigh(glance.view, ())
    if weighed is None:
        return ()
    if weighed.list_cost:
        return (
            f"The list holds {places(weighed.by_list)}, the optimum {places(weighed.best)}: "
            f"{float(weighed.list_cost):.4f} better",
        )
    return (f"Hold {places(weighed.best)}: {weighed.line}, worth {float(weighed.best_value):.3f}",)


def weigh(view: State, seat: Seat, action: Action) -> Judged[State, Action] | None:
    """Weigh a hold, with its value in expected credits; nothing where it cannot be known."""
    weighed = adviser.weigh(view, action.positions) if isinstance(action, Hold) else None
    if weighed is None:
        return None
    return Judged(view, action, adviser.judge(view, seat, action), weighed.value)


def places(positions: tuple[int, ...]) -> str:
    """Print positions: ``1 4``, or ``nothing``."""
    return " ".join(map(str, positions)) or "nothing"
