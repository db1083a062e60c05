"""Computer players derived from the blueprint: levels and styles.

Between two players with full stacks, they use the frequencies of their profile
(`equilibrium.player_profiles`). Otherwise they play like the exact player, except that at fixed
limit they use heuristic EVs (`heuristic_ev`) for a share of their choices. The weaker a player is,
the larger this share is, and the less the player distinguishes similar EVs. A style adds to the EV
of folding, betting or raising.
"""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from ....engine.game import Seat
from ....engine.offers import Dice
from ..machine.state import Action, Stakes, State
from .equilibrium_player import PHASES, choose_from_blueprint, fits_blueprint
from .lazy import player_profiles
from .players import CAREFUL_EXACT, Offers

if TYPE_CHECKING:
    from .equilibrium.blueprint_lookup import Blueprint
    from .limit_choices import LimitChoice

BLUEPRINT_LEVELS = ("novice", "casual", "regular", "strong", "blueprint")
"""The levels, weakest first."""
STYLES = ("tight", "loose", "aggressive", "passive")
ANY = "any"
"""One of the styles, or none, chosen at random at the player's first decision."""
HIDDEN = ".hidden"

_STYLED = 0.3
_SHARP = 0.5
_DULL = 20.0
_LEANING = 2.0
_SIDES = 10_000


class StylePlayer:
    """Plays a level and a style of the blueprint."""

    def __init__(self, level: str, style: str = "") -> None:
        self.level, self.style = level, style

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        """Choose an action with the frequencies of the player's profile."""
        if self.style == ANY:
            self.style = (*STYLES, "")[dice.below(len(STYLES) + 1)]
        rough = view.options.stakes is Stakes.LIMIT and not fits_blueprint(view)
        if rough and view.phase in PHASES and dice.below(_SIDES) < self._heuristic_share * _SIDES:
            return self._choose_heuristically(view, seat, dice)
        return choose_from_blueprint(self._blueprint, view, seat, offers, dice)

    def _blueprint(self) -> Blueprint:
        return player_profiles.profile_blueprint(self.level, self.style)

    def _choose_heuristically(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Choose at random, with weights exponential in the EV divided by the temperature."""
        from .heuristic_ev import advise_heuristically  # late: needs numpy
        from .limit_adviser import is_limit_decision  # late: needs numpy

        if not is_limit_decision(view, seat):  # a deck file may contain a card twice
            return CAREFUL_EXACT.choose(view, seat, (), dice)
        advice = advise_heuristically(view, seat)
        best = advice.best.value
        weights = [
            exp((self._biased_value(one) - best) / self._temperature) for one in advice.choices
        ]
        index, point = 0, dice.below(_SIDES) / _SIDES * sum(weights)
        while index < len(weights) - 1 and point >= weights[index]:
            point -= weights[index]
            index += 1
        return advice.choices[index].action

    @property
    def _heuristic_share(self) -> float:
        """The share of decisions made by heuristic EVs instead of like the exact player."""
        return max(
            2 * player_profiles.LEVELS[self.level].blur, _STYLED if self.style in STYLES else 0.0
        )

    @property
    def _temperature(self) -> float:
        return _SHARP + _DULL * player_profiles.LEVELS[self.level].blur

    def _biased_value(self, choice: LimitChoice) -> float:
        """Return the EV of an action in credits, with the bias of the player's style."""
        from .limit_choices import LETTER_OF_ACTION  # late: needs numpy

        letter = LETTER_OF_ACTION.get(type(choice.action), "")
        factor = player_profiles.STYLES[self.style].get(letter, 1.0) if self.style else 1.0
        return choice.value + _LEANING * log(factor)
