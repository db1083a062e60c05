"""Cribbage: a trainer that counts every combination, and the game to 121."""

from functools import partial

from ...engine.game import Seat
from ...engine.seated_game import SeatedGame
from ...engine.seating import DAY, MINUTE, NOBODY, OFFER_SECONDS, SharedPlay
from ...gamekit.adviser import Adviser, Habits, LevelCost
from ...gamekit.definition import (
    ChoiceRules,
    CurveMetric,
    DailyDeal,
    GameDefinition,
    HotSeat,
    PointsScoring,
    RecordHooks,
)
from ...gamekit.table_catalog import TableSetup
from .brains.lazy import adviser, luck, mistake_kinds, reasons, win_chances
from .brains.players import PLAYERS, SHARED_TABLE_CHOICES
from .face.original_trainer_files import trainer_log
from .face.practice_positions import PRACTICE
from .face.table_catalog import rules_text
from .face.tally import begin, result_rows
from .face.words import WORDS, needs_private_view, public_moment
from .machine import game
from .machine.rules import ACC
from .machine.state import (
    Action,
    Event,
    GameForm,
    Go,
    Next,
    Options,
    RoundOver,
    State,
    TableOptions,
)


def _chance(view: State, seat: Seat) -> float | None:
    chance = win_chances.in_game_chance(view, seat)
    return None if chance is None else 100 * chance


CHANCE = CurveMetric("CHANCE TO WIN", _chance, unit="%", ends=(0.0, 100.0))
"""The chance to win, for the graph of a game to 121; the graph of a single round shows points."""


def measure(options: Options) -> CurveMetric[State] | None:
    """Return the number that the graph of a session shows; ``None`` means the lead in points."""
    target = options.rule_set.target
    return CHANCE if options.form is GameForm.GAME and target == ACC.target else None


def score(view: State, seat: Seat) -> tuple[int, int]:
    """Return the points of a seat, and those of its opponent."""
    return view.points[seat], view.points[1 - seat]


def shared_rules(options: TableOptions) -> str:
    """Return the rules of a table with others in a few words."""
    offer = f", computer after {OFFER_SECONDS} s" * (options.computer != NOBODY)
    return f"{rules_text(options)}, {options.rule_set.title} rules{offer}"


SEATED = SeatedGame[TableOptions, State, Action, Event](game, TableOptions)
STRONG_LOSS = 13.0
"""The average cost of a strong player's mistakes in 100 rounds, in points.

This is the cost of the level ``master`` against itself in games to 121, measured in 1,500 rounds
with a standard error of 1.1. It plays for the chance to win, and therefore gives up some points.
"""
LEVELS = (
    LevelCost("level expert", 0.8),
    LevelCost("level greedy", 28.4),
    LevelCost("level random", 147.0),
)
"""The costs of levels in 100 choices, in points.

They were measured in 3,008, 1,129 and 553 choices, with standard errors of 0.1, 1.7 and 9. The
master is left out: it plays for the chance to win, so points do not show its strength.
"""
DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    choices=ChoiceRules(
        deliberate=lambda action: not isinstance(action, Go | Next),
        may_undo=lambda options: options.open,
    ),
    points=PointsScoring(score, resumable=lambda options: options.form is GameForm.GAME),
    hot_seat=HotSeat(needs_private_view, public_moment),
    records=RecordHooks(own_log=trainer_log, measure=measure, ending=result_rows),
    adviser=Adviser(
        judge=adviser.judge,
        action_values=adviser.action_values,
        kind=mistake_kinds.kind,
        habits=Habits(mistake_kinds.habit_of, "the trainer"),
        frequencies=mistake_kinds.act_frequencies,
        luck=luck.luck,
        fair=luck.fair,
        strong_loss=STRONG_LOSS,
        levels=LEVELS,
        reason=reasons.reason,
        columns=reasons.columns,
    ),
    positions=PRACTICE,
    daily=DailyDeal(
        lambda: TableSetup(Options(), players={Seat(0): "expert", Seat(1): None}), rounds=2
    ),
    shared=SharedPlay[Options](
        SEATED,
        SEATED.game_options,
        describe=shared_rules,
        seconds=MINUTE,
        choices=SHARED_TABLE_CHOICES,
        paces={"minute": MINUTE, "day": DAY},
        computer=partial(SEATED.computer_turn, PLAYERS),
        computer_name=SEATED.computer_name,
        ends_round=lambda event: isinstance(event, RoundOver),
    ),
)
