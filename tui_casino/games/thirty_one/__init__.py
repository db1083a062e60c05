"""Hit Me: come closer to 31 than the dealer, or stand on 14."""

from typing import TYPE_CHECKING

from ...engine.seating import SharedPlay, seats_choice
from ...gamekit.adviser import Adviser, Habits, LevelCost
from ...gamekit.definition import ChoiceRules, DailyDeal, GameDefinition
from ...gamekit.lazy_import import LazyModule
from ...gamekit.table_catalog import TableSetup
from .brains.players import PLAYERS
from .face.practice_positions import PRACTICE
from .face.table_catalog import house_title
from .face.tally import begin
from .face.words import WORDS, watched_lines
from .machine import game, shared_game
from .machine.rules import CENTS, MINIMUM
from .machine.state import Bet, Options

if TYPE_CHECKING:
    from .brains import adviser, luck, mistake_kinds, reasons  # late: only a table needs them
else:
    adviser = LazyModule(".brains.adviser", __package__)
    luck = LazyModule(".brains.luck", __package__)
    mistake_kinds = LazyModule(".brains.mistake_kinds", __package__)
    reasons = LazyModule(".brains.reasons", __package__)

STRONG_LOSS = 0.9
"""The average cost of a strong player's mistakes in 100 rounds, in bets.

This is the cost of the strategy chart, measured in 4,000 rounds with a standard error of 0.05. The
chart is right for an infinite shoe, and ignores the cards that are left in the real one.
"""
LEVELS = LevelCost("the strategy chart", 0.19), LevelCost("the dealer", 0.70)
"""The costs of playing by the chart and of the computer player ``dealer``, in 100 choices.

They were measured in 5,508 and 3,064 choices, with standard errors of 0.02 and 0.06. The computer
player hits a soft 27. Playing exactly by the dealer's rule costs 0.87.
"""
DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=ChoiceRules(may_undo=lambda options: True),
    adviser=Adviser(
        judge=adviser.judge,
        expect=adviser.expect,
        action_values=adviser.action_values,
        kind=mistake_kinds.kind,
        habits=Habits(mistake_kinds.habit_of, "perfect play"),
        frequencies=mistake_kinds.act_frequencies,
        luck=luck.luck,
        strong_loss=STRONG_LOSS,
        levels=LEVELS,
        reason=reasons.reason,
        columns=reasons.columns,
    ),
    positions=PRACTICE,
    daily=DailyDeal(lambda: TableSetup(game.Options()), 10, Bet(MINIMUM), stake=CENTS * MINIMUM),
    shared=SharedPlay[Options](
        shared_game,
        shared_game.options_for_one,
        shared_game.doing,
        lambda options: house_title(options.table.rules),
        is_solo=True,
        seconds=20,
        choices=(seats_choice(2, shared_game.MOST_SEATS),),
        ends_round=shared_game.ends_round,
        watched=watched_lines,
    ),
)
