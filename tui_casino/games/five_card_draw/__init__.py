"""Five-card draw against computer opponents: without stakes, with an ante, or at fixed limit."""

from typing import TYPE_CHECKING

from ...engine.game import Seat
from ...gamekit.adviser import ActionValue, Adviser, Habits
from ...gamekit.definition import ChoiceRules, GameDefinition, RecordHooks
from ...gamekit.lazy_import import LazyModule
from .brains.levels import PLAYERS
from .face.hand_history import hand_histories
from .face.phh import phh_hands
from .face.practice_positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game
from .machine.moves import Action, Play
from .machine.state import State

if TYPE_CHECKING:
    from .brains import (  # late: needs numpy
        act_frequencies,
        choice_costs,
        habits,
        mistake_kinds,
        pot_odds,
        reasons,
    )
else:
    act_frequencies = LazyModule(".brains.act_frequencies", __package__)
    choice_costs = LazyModule(".brains.choice_costs", __package__)
    habits = LazyModule(".brains.habits", __package__)
    mistake_kinds = LazyModule(".brains.mistake_kinds", __package__)
    pot_odds = LazyModule(".brains.pot_odds", __package__)
    reasons = LazyModule(".brains.reasons", __package__)


def alternatives(view: State, seat: Seat, action: Action) -> tuple[ActionValue[Action], ...]:
    """Return the values of a seat's choices, from the limit adviser or else from pot odds."""
    return choice_costs.action_values(view, seat) or pot_odds.alternatives(view, seat, action)


STRONG_LOSS = 0.6
"""The average cost of a strong player's mistakes in 100 rounds, in bets.

This is the cost of the level ``strong`` against the GTO level at the limit table for two.
"""
DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=ChoiceRules(deliberate=lambda action: not isinstance(action, Play)),
    records=RecordHooks(as_text=hand_histories, as_phh=phh_hands),
    adviser=Adviser(
        judge=choice_costs.judge,
        action_values=choice_costs.action_values,
        alternative_values=alternatives,
        kind=mistake_kinds.kind,
        habits=Habits(habits.habit_of, "the GTO level", flawless=False),
        frequencies=act_frequencies.act_frequencies,
        strong_loss=STRONG_LOSS,
        reason=reasons.reason,
        columns=reasons.columns,
    ),
    positions=PRACTICE,
)
