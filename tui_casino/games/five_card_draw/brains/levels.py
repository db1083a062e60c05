"""The levels and styles of computer players, the exploiter, and the players at each table.

Between two players with full stacks, levels and styles use the frequencies of their profile, which
is derived from the blueprint (`equilibrium.player_profiles`). Otherwise they play like the exact
player, except that at fixed limit they use heuristic EVs (`heuristic_ev`) for a share of their
choices. The weaker a player is, the larger this share is, and the less the player distinguishes
similar EVs. A style adds to the EV of folding, betting or raising.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import exp, log
from typing import TYPE_CHECKING

from ....engine.game import ComputerPlayer, Seat
from ....engine.offers import Dice
from ....engine.seating import NOBODY, ComputerTurn, TableChoice, seats_choice
from ..machine import game
from ..machine.shared_game import COMPUTERS, MOST_SEATS, computer_seat
from ..machine.shared_game import State as SharedState
from ..machine.state import HUMAN, Action, Bet, Options, Phase, Raise, Stakes, State
from . import players
from .lazy import player_profiles
from .players import (
    CAREFUL_EXACT,
    EQUILIBRIUM,
    SOLVED_PHASES,
    EquilibriumPlayer,
    Offers,
    choose_from_blueprint,
    fits_blueprint,
)

if TYPE_CHECKING:
    from .equilibrium.blueprint import Blueprint
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
        if (
            rough
            and view.phase in SOLVED_PHASES
            and dice.below(_SIDES) < self._heuristic_share * _SIDES
        ):
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


EXPLOITER = "exploiter"


class Exploiter:
    """Counters opponents who bet, or fold to a bet, at an unusual rate after the draw.

    It plays the blueprint, except for a counter-strategy in at most the share `MOST` of the hands.
    The larger and the more certain the deviation, the more often it counters. It bets more against
    an opponent who folds too often, and less against one who folds too seldom. It folds less
    against an opponent who bets too often, and more against one who bets too seldom. A counter
    changes only choices that the blueprint mixes.

    A counter lasts for the whole hand. So the best response to the mixture cannot win more than the
    best responses to its parts, and the risk is at most `MOST` of what can be won against the
    counter.
    """

    MOST = 0.5
    FOLDS, BETS = 0.55, 0.22
    """The blueprint's frequencies of folding to a bet, and of betting first, after the draw.

    They were counted in 7,200 hands that the blueprint played against itself.
    """
    BOLD = 5.0
    """The share of hands to counter in, per unit of deviation from the expected frequency."""
    DOUBT = 15
    """The number of observations that reduce an estimated deviation by half."""
    COUNTERS = (("bluffing", "checking"), ("calling", "folding"))
    """The counters to folding too often or too seldom, and to betting too often or too seldom."""
    ROUNDS: tuple[Phase, ...] = (Phase.CLOSING,)
    """The betting rounds in which the opponent's answers to bets are counted."""

    def __init__(self) -> None:
        self._player = StylePlayer("blueprint")
        self._fold_counts, self._bet_counts = [0, 0], [0, 0]
        self._hand = -1
        self._pending_bet: tuple[int, int] | None = (
            None  # the hand of its bet, and its stack if all fold
        )

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        """Record what the opponent did, and choose an action."""
        self._record_opponent(view, seat)
        self._choose_counter(view, dice)
        action = self._player.choose(view, seat, offers, dice)
        if isinstance(action, Bet | Raise) and view.phase in self.ROUNDS:
            self._pending_bet = view.played, view.stacks[seat] + view.pot
        return action

    def _choose_counter(self, view: State, dice: Dice) -> None:
        if view.played != self._hand:
            self._hand, self._player.style = view.played, self._counter(dice)

    def _record_opponent(self, view: State, seat: Seat) -> None:
        if self._pending_bet is not None:
            hand, stack = self._pending_bet
            chips = view.stacks[seat] + view.put_in[seat]
            between = view.phase is Phase.REST
            self._fold_counts[0] += view.played == hand + (not between) and chips == stack
            self._fold_counts[1] += 1
            self._pending_bet = None
        # only bets of an opponent who acts first are counted: after a check the round is not over
        behind = view.phase is Phase.CLOSING and view.dealt_in[0] != seat
        if behind and view.betting is not None and not view.betting.raises:
            self._bet_counts[0] += view.betting.opened
            self._bet_counts[1] += 1

    def _counter(self, dice: Dice) -> str:
        """Choose the counter for this hand; an empty text means none."""
        folds, bets = (
            self._deviation(self._fold_counts, self.FOLDS),
            self._deviation(self._bet_counts, self.BETS),
        )
        deviation, counters = max(
            zip((folds, bets), self.COUNTERS, strict=True), key=lambda one: abs(one[0])
        )
        if dice.below(_SIDES) >= min(self.BOLD * abs(deviation), self.MOST) * _SIDES:
            return ""
        return counters[0] if deviation > 0 else counters[1]

    def _deviation(self, counts: list[int], expected: float) -> float:
        """Return a share's deviation from the expected one, made smaller if the counts are low."""
        hits, total = counts
        return (hits + self.DOUBT * expected) / (total + self.DOUBT) - expected


class LegacyExploiter(Exploiter):
    """The earlier version, which never counted a fold; kept so that its logs can be verified.

    It used whole styles as counters, and chose a counter again at each action.
    """

    FOLDS, BETS, BOLD = 0.45, 0.4, 2.0
    COUNTERS = (("aggressive", "passive"), ("loose", "tight"))
    ROUNDS = (Phase.OPENING, Phase.CLOSING)

    def _choose_counter(self, view: State, dice: Dice) -> None:
        self._player.style = self._counter(dice)

    def _record_opponent(self, view: State, seat: Seat) -> None:
        if self._pending_bet is not None:
            hand, stack = self._pending_bet
            chips = view.stacks[seat] + view.put_in[seat]
            self._fold_counts[0] += view.played == hand + 1 and chips == stack
            self._fold_counts[1] += 1
            self._pending_bet = None
        betting = view.betting
        if view.phase is Phase.CLOSING and betting is not None and not betting.raises:
            self._bet_counts[0] += betting.opened
            self._bet_counts[1] += 1


_SHOWN: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {
    "algorithm": lambda: players.ALGORITHM,
    "tight": lambda: players.TIGHT_ONE,
    "exact": lambda: players.EXACT,
    "tight.2": lambda: players.CAREFUL,
    "exact.2": lambda: players.CAREFUL_EXACT,
    EQUILIBRIUM: EquilibriumPlayer,
    EXPLOITER: LegacyExploiter,
    f"{EXPLOITER}.2": Exploiter,
    **{level: partial(StylePlayer, level) for level in BLUEPRINT_LEVELS},
    **{
        f"{level}-{style}": partial(StylePlayer, level, style)
        for level in BLUEPRINT_LEVELS
        for style in (*STYLES, ANY)
    },
}
PLAYERS: Mapping[str, Callable[[], ComputerPlayer[State, Action]]] = {
    **_SHOWN,
    **{name + HIDDEN: player for name, player in _SHOWN.items()},
}
"""All computer players by their names in logs; the names of hidden players end in `HIDDEN`."""
PRESENT: Mapping[str, str] = {
    "algorithm": "algorithm",
    "tight": "tight.2",
    "exact": "exact.2",
    EQUILIBRIUM: EQUILIBRIUM,
    EXPLOITER: f"{EXPLOITER}.2",
    **{level: level for level in BLUEPRINT_LEVELS},
}
"""The current player name of each level."""
SOLVED = EQUILIBRIUM
LEVELS = ("algorithm", "tight", "exact")
"""The levels at every table with stakes."""
AT_LIMIT = (*BLUEPRINT_LEVELS, EXPLOITER)
"""The levels at every table with betting."""
ALGORITHM = "algorithm"
"""The only level at the classic table."""
MIXED = "mixed"


def levels_at(options: Options) -> tuple[str, ...]:
    """Return the levels that a table offers, without ``MIXED``."""
    match options.stakes, options.opponents:
        case Stakes.NOTHING, _:
            return (ALGORITHM,)
        case Stakes.LIMIT, 1:
            return (*LEVELS, *AT_LIMIT, SOLVED)
        case Stakes.LIMIT, _:
            return (*LEVELS, *AT_LIMIT)
    return LEVELS


def seats_of(
    opponents: int, level: str, style: str = "", *, hidden: bool = False
) -> Mapping[Seat, str | None]:
    """Return the players of a table by seat: the human, and opponents of a level.

    Mixed opponents get different levels. ``style`` is one of `STYLES`, ``MIXED`` for different
    styles, or empty; only the levels in `BLUEPRINT_LEVELS` have styles. ``hidden`` players' levels
    and styles are not shown.
    """
    levels = [LEVELS[place % len(LEVELS)] for place in range(opponents)]
    if level != MIXED:
        levels = [level] * opponents
    names = [PRESENT[who] for who in levels]
    if style:
        styles = [*STYLES] if style == MIXED else [style]
        names = [f"{name}-{styles[place % len(styles)]}" for place, name in enumerate(names)]
    ending = HIDDEN if hidden else ""
    return {HUMAN: None} | {Seat(place): who + ending for place, who in enumerate(names, 1)}


def level_of(player: str) -> str:
    """Return the level and style of a player from its name in a log: ``strong tight``."""
    return player.partition(".")[0].replace("-", " ")


def is_hidden(player: str) -> bool:
    """Return whether a player's level and style are hidden."""
    return player.endswith(HIDDEN)


# ---- shared tables -----------------------------------------------------------------------------

SHARED_TABLE_CHOICES = (
    seats_choice(2, MOST_SEATS),
    TableChoice(
        "stakes",
        "Which stakes?",
        {Stakes.LIMIT.value: "fixed limit, bets of 10 and 20", Stakes.ANTE.value: "an ante of 5"},
        Stakes.LIMIT.value,
        Stakes,
    ),
    TableChoice(
        "computers",
        "Who plays in free seats?",
        {NOBODY: "nobody", **{level: f"computers, {level}" for level in COMPUTERS}},
        NOBODY,
    ),
)
"""The choices of a player who makes a table."""
_COMPUTER_NAMES = ("Dora", *players.NAMES[1:])


def computer_turn(state: SharedState) -> ComputerTurn[Action] | None:
    """Return the turn of a computer, which plays with what its seat may see; otherwise ``None``."""
    if (seat := computer_seat(state)) is None:
        return None
    chosen = PLAYERS[PRESENT[state.options.computers]]()
    view = game.view(state.play, seat)
    return ComputerTurn(seat, partial(chosen.choose, view, seat, game.offers(view, seat)))


def computer_name(state: SharedState, seat: Seat) -> str:
    """Return the name of the computer in a free seat; empty if there is none."""
    return _COMPUTER_NAMES[seat] if state.options.has_computers else ""
