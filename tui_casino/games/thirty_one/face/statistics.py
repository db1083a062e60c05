"""The statistics screen of 31: how hands ended, and how they would in the battle of dealers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ....tui.table.statistics import StatisticsScreen
from ..machine.game import slug
from ..machine.rules import FOURTEEN
from ..machine.state import State
from .tally import Tally, table

if TYPE_CHECKING:
    from ..brains.odds import Ending

BY_THE_RULE = "By the dealer's rule"


class ThirtyOneStatistics(StatisticsScreen):
    """Hands and money of the sitting, and what the dealer's rule would lead to."""

    columns = (38, 80)

    def __init__(self, tally: Tally, view: State, bankroll: Sequence[int]) -> None:
        super().__init__(slug, table(tally, view.credit), tally.report(), bankroll)
        self._rules = view.options.rules

    def expected(self) -> str:
        """Give the exact shares of a player who follows the dealer's rule."""
        from ..brains.odds import (  # a moment's work, off the screen's thread
            battle_back,
            battle_endings,
        )

        endings = battle_endings(self._rules)

        def share(holds: Callable[[Ending], bool]) -> Fraction:
            return sum((chance for end, chance in endings.items() if holds(end)), Fraction(0))

        def on_14(end: Ending) -> bool:
            return end[0] == FOURTEEN

        won = share(lambda end: battle_back(end) == 2)
        won_on_14 = share(lambda end: on_14(end) and battle_back(end) == 2)
        expected = {
            "You win": won,
            "Push": share(lambda end: battle_back(end) == 1),
            "The dealer wins": share(lambda end: battle_back(end) == 0),
            "You are bust": share(lambda end: end[1] is None),
            "Lost to his 14": share(lambda end: end[1] == FOURTEEN),
            "You stand on 14": share(on_14),
            "of these won": won_on_14 / share(on_14),
            "of all wins": won_on_14 / won,
            "Return": sum((battle_back(end) * p for end, p in endings.items()), Fraction(0)),
        }
        return "\n".join(
            (
                f"{BY_THE_RULE:<22}{'expected':>12}",
                *(f"{name:<22}{100 * float(part):>10.2f} %" for name, part in expected.items()),
                "Expected: from an endless shoe",
            )
        )
