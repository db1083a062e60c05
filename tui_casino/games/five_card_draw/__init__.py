"""Five-card draw against computer opponents: without stakes, with an ante, or at fixed limit."""

from typing import TYPE_CHECKING

from ...engine.game import Seat
from ...engine.seating import SharedPlay
from ...gamekit.adviser import ActionValue, Adviser, Habits, LevelCost
from ...gamekit.definition import ChoiceRules, DailyDeal, GameDefinition, RecordHooks
from ...gamekit.lazy_import import LazyModule
from ...gamekit.table_catalog import TableSetup
from .brains import mistakes, pot_odds
from .brains.levels import (
    PLAYERS,
    SHARED_TABLE_CHOICES,
    SOLVED,
    computer_name,
    computer_turn,
    seats_of,
)
from .face.hand_history import hand_histories
from .face.practice_positions import PRACTICE
from .face.table_catalog import stakes_text
from .face.tally import begin
from .face.words import WORDS
from .machine import game, shared_game
from .machine.betting import LIMITS
from .machine.state import Action, HandOver, Options, Play, Stakes, State

if TYPE_CHECKING:
    from .brains import luck, reasons  # late: needs numpy
else:
    luck = LazyModule(".brains.luck", __package__)
    reasons = LazyModule(".brains.reasons", __package__)


def alternatives(view: State, seat: Seat, action: Action) -> tuple[ActionValue[Action], ...]:
    """Return the values of a seat's choices, from the limit adviser or else from pot odds."""
    return mistakes.action_values(view, seat) or pot_odds.alternatives(view, seat, action)


def daily_table() -> TableSetup[Options]:
    """Return the table of the daily deal: fixed limit against one opponent at the GTO level.

    Both stacks last for eight hands with every possible bet, so the values stay those of the
    solution.
    """
    options = Options(opponents=1, stakes=Stakes.LIMIT, credit=DAILY_CREDIT)
    return TableSetup(options, players=seats_of(1, SOLVED))


def bet_of(options: Options) -> int:
    """Return the bet of a table: the small one at fixed limit, and the ante with an ante only."""
    match options.stakes:
        case Stakes.LIMIT:
            return options.betting.sizes[0]
        case Stakes.ANTE:
            return options.betting.ante
    return 0


DAILY_HANDS, DAILY_CREDIT = 8, 1_000
STRONG_LOSS = 1.9
"""The average cost of a strong player's mistakes in 100 rounds, in bets.

This is the cost of the level ``strong`` against the GTO level at the limit table for two, measured
in 1,500 rounds with a standard error of 0.27.
"""
LEVELS = (
    LevelCost("level strong", 0.62),
    LevelCost("level regular", 1.15),
    LevelCost("level casual", 3.4),
    LevelCost("level novice", 3.7),
)
"""The costs of levels in 100 choices, in bets, against the GTO level at the limit table for two.

They were measured in 1,813, 4,178, 3,651 and 815 choices, with standard errors of 0.11, 0.18, 0.7
and 0.9.
"""
DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=ChoiceRules(deliberate=lambda action: not isinstance(action, Play)),
    records=RecordHooks(as_text=hand_histories),
    adviser=Adviser(
        judge=mistakes.judge,
        action_values=mistakes.action_values,
        alternative_values=alternatives,
        kind=mistakes.kind,
        habits=Habits(mistakes.habit_of, "the GTO level", flawless=False),
        frequencies=mistakes.act_frequencies,
        luck=luck.luck,
        fair=luck.fair,
        bet=bet_of,
        strong_loss=STRONG_LOSS,
        levels=LEVELS,
        reason=reasons.reason,
        columns=reasons.columns,
    ),
    positions=PRACTICE,
    daily=DailyDeal(daily_table, DAILY_HANDS, stake=LIMITS[0]),
    shared=SharedPlay[Options](
        shared_game,
        shared_game.options_for_one,
        shared_game.doing,
        lambda options: stakes_text(options.stakes),
        seconds=20,
        bank=60,
        choices=SHARED_TABLE_CHOICES,
        computer=computer_turn,
        computer_name=computer_name,
        ends_round=lambda event: isinstance(event, HandOver),
    ),
)
