"""Computer players made of the blueprint: levels, styles, and one that counters what it has seen.

Between two at full stakes they look up how often a character does what (`equilibrium.characters`).
Elsewhere they play as the exact one does, but at the limit table the weaker one the more often by
what its acts are worth roughly (`rough`), of which it does not tell apart what differs by little; a
style adds there to the worth of folding, betting or raising.
"""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from ....engine.game import Seat
from ....engine.offers import Dice
from ..machine.moves import Action, Bet, Raise
from ..machine.state import Phase, Stakes, State
from .players import CAREFUL_EXACT, Offers
from .solved import PHASES, choose_by, fits

if TYPE_CHECKING:
    from .coach import Choice
    from .equilibrium.lookup import Blueprint

BLUEPRINT_LEVELS = ("novice", "casual", "regular", "strong", "blueprint")
"""The weakest first."""
STYLES = ("tight", "loose", "aggressive", "passive")
ANY = "any"
"""One of the styles, or none: the dice say which as the player sits down."""
EXPLOITER = "exploiter"
HIDDEN = ".hidden"

_STYLED = 0.3
_SHARP = 0.5
_DULL = 20.0
_LEANING = 2.0
_SIDES = 10_000


class Styled:
    """Plays a level and a style of the blueprint."""

    def __init__(self, level: str, style: str = "") -> None:
        self.level, self.style = level, style

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        """Choose as often as the character does."""
        if self.style == ANY:
            self.style = (*STYLES, "")[dice.below(len(STYLES) + 1)]
        rough = view.options.stakes is Stakes.LIMIT and not fits(view)
        if rough and view.phase in PHASES and dice.below(_SIDES) < self._roughly * _SIDES:
            return self._reckoned(view, seat, dice)
        return choose_by(self._book, view, seat, offers, dice)

    def _book(self) -> Blueprint:
        from .equilibrium.characters import played  # numpy, late

        return played(self.level, self.style)

    def _reckoned(self, view: State, seat: Seat, dice: Dice) -> Action:
        """Choose by what acts are worth: in a credit more there is e times the chance, or so."""
        from .coach import weighs
        from .rough import reckon  # a proof asks again: what learns is not the same everywhere

        if not weighs(view, seat):  # cards that repeat, as a file may have them
            return CAREFUL_EXACT.choose(view, seat, (), dice)
        weighed = reckon(view, seat)
        best = weighed.best.value
        weights = [exp((self._liked(one) - best) / self._dullness) for one in weighed.choices]
        at, point = 0, dice.below(_SIDES) / _SIDES * sum(weights)
        while at < len(weights) - 1 and point >= weights[at]:
            point -= weights[at]
            at += 1
        return weighed.choices[at].action

    @property
    def _roughly(self) -> float:
        """Give how often it reckons roughly where it could play as the exact one does."""
        from .equilibrium.characters import LEVELS

        return max(2 * LEVELS[self.level].blur, _STYLED if self.style else 0.0)

    @property
    def _dullness(self) -> float:
        from .equilibrium.characters import LEVELS

        return _SHARP + _DULL * LEVELS[self.level].blur

    def _liked(self, choice: Choice) -> float:
        """Give what an act is worth to the player in credits, with his leaning."""
        from .coach import LETTERS
        from .equilibrium.characters import STYLES

        letter = LETTERS.get(type(choice.action), "")
        factor = STYLES[self.style].get(letter, 1.0) if self.style else 1.0
        return choice.value + _LEANING * log(factor)


class Exploiter:
    """Counters what it has seen of the other: how often he folds to a bet, and how often he bets.

    It plays the blueprint, and a style as often as `MOST` at most, the more the surer it is:
    against one who folds too often it bets more, against one who does not it bets less; against
    one who bets too often it folds less, against one who seldom does it folds more. To play a
    style so often can lose at most that share of what can be won of the style.
    """

    MOST = 0.5
    FOLDS, BETS = 0.45, 0.4
    """About how often the blueprint folds to a bet after the draw, and bets there after a check."""
    DOUBT = 15
    """Deeds that have to be seen until it is half sure."""

    def __init__(self) -> None:
        self._plays = Styled("blueprint")
        self._folded, self._bet_at = [0, 0], [0, 0]
        self._waits: tuple[int, int] | None = None  # the hand of its bet, its stack if all fold

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        """Take note of what the other did, and choose."""
        self._note(view, seat)
        self._plays.style = self._counter(dice)
        action = self._plays.choose(view, seat, offers, dice)
        if isinstance(action, Bet | Raise) and view.betting is not None:
            self._waits = view.played, view.stacks[seat] + view.pot
        return action

    def _note(self, view: State, seat: Seat) -> None:
        if self._waits is not None:
            hand, stack = self._waits
            now = view.stacks[seat] + view.put_in[seat]
            self._folded[0] += view.played == hand + 1 and now == stack
            self._folded[1] += 1
            self._waits = None
        betting = view.betting
        if view.phase is Phase.CLOSING and betting is not None and not betting.raises:
            self._bet_at[0] += betting.opened
            self._bet_at[1] += 1

    def _counter(self, dice: Dice) -> str:
        """Give the style of this act, or none."""
        folds, bets = self._off(self._folded, self.FOLDS), self._off(self._bet_at, self.BETS)
        off, styles = (folds, ("aggressive", "passive"))
        if abs(bets) > abs(folds):
            off, styles = bets, ("loose", "tight")
        if dice.below(_SIDES) >= min(2 * abs(off), self.MOST) * _SIDES:
            return ""
        return styles[0] if off > 0 else styles[1]

    def _off(self, seen: list[int], usual: float) -> float:
        """Give how far a share is from the usual, drawn towards it where little was seen."""
        some, whole = seen
        return (some + self.DOUBT * usual) / (whole + self.DOUBT) - usual
