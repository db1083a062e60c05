"""Results split into luck and play, and the error of a cost whose costliest kinds are rare.

The mistakes of a short session vary less than those that the player makes in the long run, because
the session probably has not seen the costliest ones. So the plain standard error of a total cost is
too small, and zero without a mistake. Here the variance of a total cost is computed as for a
compound Poisson sum in which the costliest mistake is counted :data:`TAIL` more times, and this
mistake costs at least :data:`UNSEEN` bets or points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Generic

from msgspec import Struct

from ..engine.game import A, Deal, E, O, S, Seat, Shoe
from ..engine.money import dollars
from ..gamekit.adviser import Decision, PlayedStep
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.numbers import count_noun
from .seat_steps import SeatStep

TAIL = 4
"""The number of additional times that the error of a total counts the costliest mistake."""
UNSEEN = 0.4
"""The assumed cost of mistakes not seen yet, if all others were cheaper, in bets or points.

Without a mistake in n rounds, a player probably makes fewer than about four in n rounds. A random
hold in video poker costs 0.65 bets on average.
"""
UPPER = 1.96
"""The 97.5% quantile of the standard normal distribution."""


def total_error(total: float, variance: float, costliest: float, stake: float = 1.0) -> float:
    """Return the standard error of a total cost.

    ``variance`` is that of the total, without the mistakes that were not seen, and ``costliest``
    the cost of the costliest mistake, or 0 without mistakes. All amounts are in the same unit, in
    which ``stake`` is the value of a bet or point.
    """
    return skewed_error(total, variance + TAIL * max(costliest, UNSEEN * stake) ** 2)


def skewed_error(mean: float, variance: float) -> float:
    """Return half the distance from the mean to a gamma distribution's 97.5% quantile.

    The quantile is computed by Wilson and Hilferty's formula. The result is at least the standard
    deviation. So the mean plus and minus two errors contains the true cost about 95 times in 100.
    """
    deviation = sqrt(variance)
    if not mean or not variance:
        return deviation
    shape = mean**2 / variance
    quantile = mean * (1 - 1 / (9 * shape) + UPPER / (3 * sqrt(shape))) ** 3
    return max(deviation, (quantile - mean) / 2)


class ResultSplit(Struct, frozen=True):
    """A net result, split into luck and play; splits of several sessions can be added.

    Amounts are in cents, or in points if ``points`` is true. ``luck`` sums the luck of all chance
    events (:attr:`.Adviser.luck`), so its expectation is zero, and ``play``, the result without
    luck, has the same expectation as the result. ``cost`` is that of the ``mistakes``, which are
    ``None`` if no choice was judged. All sums are over finished rounds (:class:`PlaySums`).

    ``fair`` sums :attr:`.Adviser.fair` over the ``rounds``. ``squares`` sums the squares of the
    differences between a round's result without luck and its fair result. ``wagered`` is the sum of
    all bets, and ``costliest`` the cost of the costliest mistake, or 0 without mistakes.
    """

    net: int = 0
    play: Fraction = Fraction(0)
    mistakes: int | None = 0
    cost: Fraction = Fraction(0)
    rounds: int = 0
    fair: float = 0.0
    squares: float = 0.0
    wagered: int = 0
    costliest: float = 0.0
    points: bool = False

    def __add__(self, other: ResultSplit) -> ResultSplit:
        return ResultSplit(
            self.net + other.net,
            self.play + other.play,
            _sum_of_known(self.mistakes, other.mistakes),
            self.cost + other.cost,
            self.rounds + other.rounds,
            self.fair + other.fair,
            self.squares + other.squares,
            self.wagered + other.wagered,
            max(self.costliest, other.costliest),
            other.points,
        )

    @property
    def luck(self) -> Fraction:
        """The part of the result that came from chance."""
        return self.net - self.play

    @property
    def error(self) -> float | None:
        """The standard error of ``play``, or ``None`` for fewer than two rounds.

        If choices were judged, it allows for costly mistakes that were not seen
        (:func:`.total_error`).
        """
        if self.rounds < 2:
            return None
        spread = max(0.0, self.squares - (float(self.play) - self.fair) ** 2 / self.rounds)
        variance = spread * self.rounds / (self.rounds - 1)
        if self.mistakes is None:
            return sqrt(variance)
        stake = 1.0 if self.points else self.wagered / self.rounds
        return total_error(float(self.cost), variance, self.costliest, stake)

    @property
    def amounts(self) -> tuple[str, str, str]:
        """The result, the luck and the play with their signs, rounded so that they add up."""
        scale = 10 if self.points else 1
        net, play = scale * self.net, round(scale * self.play)
        return self._signed(net), self._signed(net - play), self._signed(play)

    @property
    def name(self) -> str:
        """The name of the play; where no choice can be a mistake, it is the house edge."""
        return "house edge" if self.mistakes is None else "your play"

    @property
    def margin(self) -> str:
        """The standard error of the play, as it follows the play: `` ± 6.00``."""
        return "" if self.error is None else f" ± {self._amount(self.error)}"

    def __str__(self) -> str:
        """Return the split as sentences."""
        net, luck, play = self.amounts
        result = f"You {'lost' if self.net < 0 else 'won'} {net.lstrip('+-')}."
        if self.points:
            result = f"{self._points_in_rounds()}."
        parts = f"{result} Luck: {luck}. {self.name.capitalize()}: {play}{self.margin}"
        if self.mistakes is None:
            return f"{parts}."
        if not self.mistakes:
            return f"{parts}, without a mistake."
        count, cost = count_noun(self.mistakes, "mistake"), self._amount(self.cost)
        if self.play + self.cost > 0:  # the mistakes cost more than the play lost
            return f"{parts}. {count} cost{'s' if self.mistakes == 1 else ''} {cost}."
        return f"{parts}, of which {cost} {'is' if self.mistakes == 1 else 'are'} {count}."

    def _points_in_rounds(self) -> str:
        """Compare the points of both players; the scoreboard shows only the last game's."""
        rounds, lead = count_noun(self.rounds, "finished round"), abs(self.net)
        if not lead:
            return f"In {rounds}, you scored as many points as your opponent"
        more = "more" if self.net > 0 else "fewer"
        points = "point" if lead == 1 else "points"
        return f"In {rounds}, you scored {lead:,} {more} {points} than your opponent"

    def _amount(self, amount: Fraction | float) -> str:
        return f"{float(amount):.1f}" if self.points else dollars(round(amount))

    def _signed(self, amount: int) -> str:
        """Format cents or tenths of a point."""
        text = f"{amount / 10:.1f}" if self.points else dollars(amount)
        return f"{'+' if amount > 0 else ''}{text}"


def _sum_of_known(*counts: int | None) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


class PlaySums(Struct, frozen=True):
    """The sums of :class:`ResultSplit` over finished rounds; ``play`` and ``cost`` are fractions.

    Unfinished rounds are left out, with their mistakes, and so is a round that began in the session
    from which this one branched off.
    """

    net: int
    play: str
    fair: float
    squares: float
    rounds: int
    mistakes: int
    cost: str
    wagered: int
    costliest: float


class SplitRounds(Generic[O, S, A, E, T]):
    """Splits the rounds of a session, one step after the other.

    If the session branched off another one after the first card of a round (``in_round``), that
    round is left out, because it is not known what chance gave before.
    """

    def __init__(
        self,
        definition: GameDefinition[O, S, A, E, T],
        seat: Seat,
        players: Sequence[str],
        in_round: bool = False,
    ) -> None:
        self._definition, self._seat, self._players = definition, seat, players
        self._known = definition.adviser.luck is not None or definition.adviser.exact
        self._skips = in_round
        self._net, self._play, self._fair, self._squares = 0, Fraction(0), 0.0, 0.0
        self._rounds, self._mistakes, self._total_cost = 0, 0, Fraction(0)
        self._wagered, self._costliest = 0, 0.0
        self._begin_round()

    def _begin_round(self) -> None:
        self._luck, self._costs = 0.0, list[Fraction]()
        self._before: S | None = None  # the state before the first card

    @property
    def sums(self) -> PlaySums | None:
        """The sums over the finished rounds; ``None`` if the luck of a round is not known."""
        if not self._known:
            return None
        return PlaySums(
            self._net,
            str(self._play),
            self._fair,
            self._squares,
            self._rounds,
            self._mistakes,
            str(self._total_cost),
            self._wagered,
            self._costliest,
        )

    def add(
        self,
        step: SeatStep[S, A, E, T],
        decision: Decision[S, A] | None,
        mean: Fraction | None,
    ) -> None:
        """Add a step; ``mean`` is the exact expected return of the round that it ends."""
        if not self._known:
            return
        if self._skips:
            self._skips = step.ended is None
            return
        adviser, game, action = self._definition.adviser, self._definition.game, step.played.action
        if decision is not None and decision.mistake is not None:
            self._costs.append(decision.cost)
        if self._before is None and isinstance(action, Deal):
            self._before = step.before
        if action is None:
            self._known = False  # luck depends on cards that others hold
        elif adviser.luck is not None and not isinstance(action, Shoe):
            after = step.played.state
            luck = adviser.luck(PlayedStep(step.before, action, after, self._seat, self._players))
            self._known = luck is not None
            self._luck += luck or 0.0
        if step.ended is None:
            return
        net, fair, cost = step.ended.won - step.ended.wagered, 0.0, sum(self._costs, Fraction(0))
        if self._before is not None:
            net += self._lead_in(step.played.state) - self._lead_in(self._before)
            fair = adviser.fair(self._before, self._seat)
        if adviser.luck is not None:
            play = net - Fraction(self._luck)
        elif mean is not None:
            play = mean - step.ended.wagered - cost
        else:
            self._known = False
            return
        self._rounds += 1
        self._mistakes += len(self._costs)
        self._total_cost += game.unit * cost
        self._wagered += game.unit * step.ended.wagered
        self._costliest = max(
            self._costliest, *(float(game.unit * one) for one in self._costs), 0.0
        )
        self._net += game.unit * net
        self._play += game.unit * play
        self._fair += game.unit * fair
        self._squares += (game.unit * (float(play) - fair)) ** 2
        self._begin_round()

    def _lead_in(self, state: S) -> int:
        """Return by how many points the seat leads; 0 in a game for money."""
        if self._definition.points is None:
            return 0
        mine, other = self._definition.points.score(state, self._seat)
        return mine - other
