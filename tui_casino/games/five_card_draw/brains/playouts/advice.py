"""EVs at limit tables that are not solved: the hand is dealt and played to its end, many times.

With two or three opponents, or with stacks too short for all possible bets, a choice is worth what
the seat wins on average if the rest of the hand is played. All choices of a position are tried with
the same cards and the same dice, so the error of the difference between two of them is known, and
is smaller than the errors of both. Choices that are clearly worse than the best are dropped early;
the others are played on until the best is clear, or nearly equal.

Opponents bet like the computer players of a mixed table, a third of them like ``algorithm`` and the
others like ``tight`` and ``exact``, and discard by the course's algorithm. After its choice, the
seat follows a plan that wins the most against them on average (`playout`). Hands are dealt to
opponents in proportion to how often such players would have acted and drawn as they did (Bayes'
rule); acts that they would never choose are counted as rare. A view does not say in which order
players acted, so all possible orders are weighed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import add
from typing import NamedTuple

import numpy as np

from .....cards.memo import memoize
from .....cards.poker import STRENGTHS, HandCategory, category_of, rank_hand, strength_of
from .....engine.game import Seat
from .....gamekit.adviser import SURE_ERRORS
from ...machine import game
from ...machine.rules import Positions, every_discard
from ...machine.state import Action, Bet, Check, Discard, Fold, Phase, Raise, State
from ..limit_choices import LimitAdvice, LimitChoice, OpponentRange, sort_by_value
from ..players import discard_exactly
from ..pot_odds import EvBasis, pot_odds_of
from .acts import Bools, Floats, Strengths
from .playout import final_strengths, play_out
from .range_dealer import Deals, RangeDealer

_SCREENED, _DEALS, _MOST_ROUNDS = 200, 1_000, 8
"""The deals with which discards are screened, those of a round, and the most rounds."""
_CLOSE = 1
"""Differences with errors below half of this, in credits, are not played on."""
_CLEARLY = 3
"""A choice that is behind by more than this many errors is dropped."""
_NEAR, _ACCURATE = 5, 1
"""Choices less than 5 credits behind the best are compared with an error of at most 1 credit."""


class _Sample(NamedTuple):
    """The gains of a choice in each deal, where all others folded, and the deals."""

    gains: list[Floats]
    folds: list[Bools]
    deals: list[Deals]

    def plus(self, other: _Sample) -> _Sample:
        """Return the results of both."""
        return _Sample._make(map(add, self, other))

    @property
    def gained(self) -> Floats:
        return np.concatenate(self.gains)

    def behind(self, best: _Sample) -> tuple[float, float]:
        """Return how far this is behind the best, and the standard error of this difference."""
        return _mean_and_error(best.gained - self.gained)


def _mean_and_error(sample: Floats) -> tuple[float, float]:
    return float(sample.mean()), float(sample.std(ddof=1)) / len(sample) ** 0.5


def advise_played_out(view: State, seat: Seat) -> LimitAdvice:
    """Return the EV of each choice from hands played to their ends.

    Discards that are clearly worse than the best in a few deals are not played on.
    """
    dealer, choices = RangeDealer(view, seat), legal_choices(view, seat)
    discards = discard_exactly(view.hands[seat]) if view.phase is Phase.OPENING else ()

    def play(count: int, numbers: Collection[int]) -> dict[int, _Sample]:
        deals, chosen = dealer.deal(count), [choices[number] for number in numbers]
        results = zip(*play_out(view, seat, deals, chosen, discards), strict=True)
        samples = (_Sample([gained], [folds], [deals]) for gained, folds in results)
        return dict(zip(numbers, samples, strict=True))

    screened: dict[int, _Sample] = {}
    left: Collection[int] = range(len(choices))
    if view.phase is Phase.DRAW:
        screened = play(_SCREENED, left)
        top = screened[_best(screened)]
        left = [n for n, one in screened.items() if not _is_settled(*one.behind(top))]
    later = play(_DEALS, left)
    for _ in range(_MOST_ROUNDS - 1):
        top = later[_best(later)]
        gaps = [one.behind(top) for one in later.values()]
        if all(_is_settled(*gap) or SURE_ERRORS * gap[1] <= _CLOSE for gap in gaps):
            break
        more = play(_DEALS, left)
        later = {number: one.plus(more[number]) for number, one in later.items()}
    best = _best(later)
    ranked = _ranked(choices, (screened, later), best)
    return _advice(view, seat, discards, ranked, later[best].deals)


def _best(samples: Mapping[int, _Sample]) -> int:
    return max(samples, key=lambda number: float(samples[number].gained.mean()))


def _is_settled(gap: float, error: float) -> bool:
    """Return whether a choice is known to be worse than the best, and by about how much."""
    return gap > _CLEARLY * error and (gap >= _NEAR or error <= _ACCURATE)


def legal_choices(view: State, seat: Seat) -> list[Action]:
    """Return all choices of a seat that has to bet or to discard."""
    if view.phase is Phase.DRAW:
        return [Discard(each) for each in every_discard(view.hands[seat])]
    return [offer.kind() for offer in game.offers(view, seat) if not offer.barred]


def _ranked(
    choices: Sequence[Action], rounds: Sequence[Mapping[int, _Sample]], best: int
) -> tuple[LimitChoice, ...]:
    """Return all choices, best first; the EV of one that was dropped follows from its gap."""
    value, ranked = float(rounds[-1][best].gained.mean()), []
    for number, action in enumerate(choices):
        last = next(samples for samples in reversed(rounds) if number in samples)
        own = last[number]
        gap, gap_error = own.behind(last[best])
        if isinstance(action, Fold):
            value_of, error = 0.0, 0.0
        else:
            value_of, error = value - gap, _mean_and_error(own.gained)[1]
            if isinstance(action, Check):
                value_of = max(value_of, 0.0)  # a fold may follow
        folds = float(np.concatenate(own.folds).mean()) * isinstance(action, Bet | Raise)
        ranked.append(LimitChoice(action, value_of, 0.0, (), error, gap_error, folds))
    return sort_by_value(ranked)


def _advice(
    view: State,
    seat: Seat,
    discards: Positions,
    ranked: tuple[LimitChoice, ...],
    shown: Sequence[Deals],
) -> LimitAdvice:
    deals = Deals._make(np.concatenate(fields) for fields in zip(*shown, strict=True))
    first = ranked[0].action
    gone = first.positions if isinstance(first, Discard) else discards
    own_finals = deals.final[:, seat]
    if view.phase is not Phase.CLOSING:
        own_finals = final_strengths(view.hands[seat], gone, deals)
    rivals = [other for other in view.alive if other != seat]
    others = deals.final[:, rivals]
    top = others.max(axis=1)
    ties = (others == top[:, None]).sum(axis=1)
    wins = np.where(own_finals > top, 1.0, np.where(own_finals == top, 1 / (1 + ties), 0.0))
    category = rank_hand(view.hands[seat]).category
    ranges = tuple(
        _rival(other, deals.final[:, other], strength_of(view.hands[seat]), category)
        for other in rivals
        if view.phase is Phase.CLOSING
    )
    return LimitAdvice(
        ranked,
        ranked[0].error or 0.0,
        float(wins.mean()),
        pot_odds_of(view, seat),
        category,
        ranges,
        EvBasis.PLAYED_OUT,
    )


def _rival(seat: int, finals: Strengths, own: int, category: HandCategory) -> OpponentRange:
    higher = float((finals >= _above(category)).mean())
    better = float((finals > own).mean() + (finals == own).mean() / 2)
    return OpponentRange(seat, higher, better - higher, 1 - better)


@memoize()
def _above(category: HandCategory) -> int:
    """Return the lowest strength of a higher category."""
    return next((each for each in STRENGTHS if category_of(each) > category), len(STRENGTHS) + 1)
