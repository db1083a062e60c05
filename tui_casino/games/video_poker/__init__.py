"""Video poker: five cards are dealt, some are held, the rest are drawn, and the hand is paid."""

from ...gamekit.adviser import Adviser, Habits, LevelCost
from ...gamekit.definition import ChoiceRules, DailyDeal, GameDefinition
from ...gamekit.table_catalog import TableSetup
from .brains.adviser import action_values, distribution, expect, judge
from .brains.mistake_kinds import habit_of, kind
from .brains.players import PLAYERS
from .brains.reasons import columns, reason
from .face.practice_positions import PRACTICE
from .face.tally import begin
from .face.words import WORDS
from .machine import game
from .machine.rules import MAX_COINS

STRONG_LOSS = 0.468
"""The average cost of a strong player's mistakes in 100 rounds, in bets.

This is the exact cost of the 34-line strategy, averaged over the five shipped pay tables: a strong
player knows one strategy by heart, and uses it at every table.
"""
DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=ChoiceRules(may_undo=lambda options: True),
    adviser=Adviser(
        judge,
        expect=expect,
        action_values=action_values,
        distribution=distribution,
        kind=kind,
        habits=Habits(habit_of, "perfect play"),
        exact=True,
        strong_loss=STRONG_LOSS,
        levels=(LevelCost("the 34-line list", STRONG_LOSS),),
        reason=reason,
        columns=columns,
    ),
    positions=PRACTICE,
    daily=DailyDeal(lambda: TableSetup(game.Options()), 10, game.Bet(MAX_COINS), stake=MAX_COINS),
)
