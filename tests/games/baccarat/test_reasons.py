"""The reason of a bet: its house edge against that of the best bet, with published figures."""

from __future__ import annotations

import pytest

from tests.helpers.narrow import not_none
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import ValuesScope
from tui_casino.games.baccarat import DEFINITION
from tui_casino.games.baccarat.brains.adviser import reason
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.games.baccarat.machine.state import Bet

PUBLISHED = {BetSpot.BANKER: 0.010579, BetSpot.PLAYER: 0.012351, BetSpot.TIE: 0.143596}
"""The house edges of a new shoe of eight decks with 5% commission."""


@pytest.mark.parametrize("spot", PUBLISHED)
def test_reason_of_a_bet_names_the_published_edges(spot: BetSpot) -> None:
    view = DEFINITION.game.start(DEFINITION.game.sit(DEFINITION.game.Options(), 1_000))
    decision = not_none(DEFINITION.decision(view, Seat(0), Bet(10, spot), ValuesScope.OF_ALL))
    found = not_none(reason(decision))
    figures = dict(found.figures)
    assert float(figures["edge"]) == pytest.approx(PUBLISHED[spot], abs=1e-6)
    assert float(figures["best edge"]) == pytest.approx(PUBLISHED[BetSpot.BANKER], abs=1e-6)
    assert ("the best bet is Banker with 1.06%" in found.cause[0]) == (spot is not BetSpot.BANKER)
    assert found.rule.startswith("Every bet loses")
