"""Baccarat: punto banco with fixed drawing rules, and five roads of past coups."""

from ...engine.seating import SharedPlay, seats_choice
from ...gamekit.adviser import Adviser
from ...gamekit.definition import GameDefinition
from .brains.adviser import reason, spot_values
from .brains.odds import distribution, expect
from .brains.players import PLAYERS
from .face.table_catalog import rules_text
from .face.tally import begin
from .face.words import WORDS, watched_lines
from .machine import game, shared_game
from .machine.rules import Options
from .machine.state import CoupOver

DEFINITION = GameDefinition(
    game,
    WORDS,
    begin,
    PLAYERS,
    adviser=Adviser(
        expect=expect,
        distribution=distribution,
        alternative_values=spot_values,
        reason=reason,
        exact=True,
    ),
    shared=SharedPlay[Options](
        shared_game,
        shared_game.options_for_one,
        shared_game.doing,
        lambda options: rules_text(options.table),
        is_solo=True,
        choices=(seats_choice(2, shared_game.MOST_SEATS),),
        ends_round=lambda event: isinstance(event, CoupOver),
        watched=watched_lines,
    ),
)
