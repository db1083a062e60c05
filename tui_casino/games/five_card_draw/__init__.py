"""Five-card draw against computer opponents: free play, for an ante, or at fixed limit."""

from typing import TYPE_CHECKING

from ...engine.game import Seat
from ...gamekit.adviser import ActionValue, Adviser
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
    from .brains import choice_costs, mistake_kinds, pot_odds  # late: needs numpy
else:
    choice_costs = LazyModule(".brains.choice_costs", __package__)
    mistake_kinds = LazyModule(".brains.mistake_kinds", __package__)
    pot_odds = LazyModule(".brains.pot_odds", __package__)


def alternatives(view: State, seat: Seat, action: Action) -> tuple[ActionValue[Action], ...]:
    """Return the values of a seat's choices, from the limit adviser or else from pot odds."""
    return choice_costs.action_values(view, seat) or pot_odds.alternatives(view, seat, action)


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
    ),
    positions=PRACTICE,
)
