"""The statistics of Hit Me: how hands ended, and the shares expected with the dealer's rule."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ....gamekit.number_formats import percent
from ....tui.table.snapshot import StatisticsPage, TableSnapshot
from ..brains.odds import Ending, battle_endings, battle_return
from ..machine.moves import Action
from ..machine.rules import FOURTEEN, Rules
from ..machine.state import State
from .tally import Tally, table

BY_THE_RULE = "By the dealer's rule"


def statistics(snapshot: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's hands and money, and the shares expected with the dealer's rule."""
    tally, view = snapshot.tally, snapshot.view
    return StatisticsPage(
        counts=table(tally, view.credit),
        expected=lambda: expected_text(view.options.rules),
        report=tally.report(),
        columns=(38, 80),
    )


def expected_text(rules: Rules) -> str:
    """Return the exact shares of results for a player who follows the dealer's rule."""
    endings = battle_endings(rules)

    def share(matches: Callable[[Ending], bool]) -> Fraction:
        return sum((chance for end, chance in endings.items() if matches(end)), Fraction(0))

    def on_14(end: Ending) -> bool:
        return end[0] == FOURTEEN

    won = share(lambda end: battle_return(end) == 2)
    won_on_14 = share(lambda end: on_14(end) and battle_return(end) == 2)
    expected = {
        "You win": won,
        "Push": share(lambda end: battle_return(end) == 1),
        "The dealer wins": share(lambda end: battle_return(end) == 0),
        "You are bust": share(lambda end: end[1] is None),
        "Lost to the dealer's 14": share(lambda end: end[1] == FOURTEEN),
        "You stand on 14": share(on_14),
        "Wins among the 14s": won_on_14 / share(on_14),
        "14s among the wins": won_on_14 / won,
        "Return": sum((battle_return(end) * p for end, p in endings.items()), Fraction(0)),
    }
    return "\n".join(
        (
            f"{BY_THE_RULE:<22}{'expected':>12}",
            *(f"{name:<22}{percent(part):>12}" for name, part in expected.items()),
            "Expected: from an infinite shoe",
        )
    )
