"""A quick look at a hand: as if each card were drawn from all that are left, and put back.

What is gone counts, and what will be drawn until the round is over does not. So values are off by
some hundredths of a bet where few cards are left, and take a third of a millisecond: enough to see
that a choice is the best where it is so by far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul

from ..machine.rules import FOURTEEN, LIMIT, Rules, Total, dealer_draws, payout
from .odds import BUST, FINALS, PlayerChoice, up_card

VALUES = range(1, 11)
_BUST = BUST * 3
"""Where the values of a hand that is bust stand; of others, three to a number of points."""


def replacement_values(
    total: Total,
    up: int,
    left: Sequence[int],
    rules: Rules,
    *,
    cards: int,
    double: bool,
    insurance: float = 0,
) -> Mapping[PlayerChoice, float]:
    """Give what standing, hitting and doubling gain for a bet of 1.

    All is as in :func:`.shoe_odds.choice_values`, and splits are left out.
    """
    size = sum(left)
    shares = [count / size for count in left]
    usual, to_31 = (_dealer(up, shares, rules.dealer_hits_soft, only) for only in (False, True))
    more_on_14 = insurance * (to_31[LIMIT] - usual[LIMIT])
    gains = [_gain(points, to_31 if points == FOURTEEN else usual) for points in range(BUST)]
    side = [more_on_14 * (points == FOURTEEN) for points in range(BUST)]
    stand, twice, best = ([-1.0] * (_BUST + 1) for _ in range(3))
    twice[_BUST] = -2.0
    found: dict[PlayerChoice, float] = {}
    for place, here, nexts in _below(total):
        stands = gains[here.points] + side[here.points]
        stand[place] = best[place] = stands
        twice[place] = 2 * gains[here.points] + side[here.points]
        if here.points == LIMIT:
            continue
        hits = sum(map(mul, shares, [best[at] for at in nexts]))
        found = {PlayerChoice.STAND: stands, PlayerChoice.HIT: hits}
        if double and ((here == total and cards == 2) or not rules.double_two_cards):
            found[PlayerChoice.DOUBLE] = sum(map(mul, shares, [twice[at] for at in nexts]))
        best[place] = max(found.values())
    return found


def _dealer(up: int, shares: Sequence[float], hits_soft: bool, only_31: bool) -> dict[int, float]:
    """Give the chances of the dealer's finals."""
    comes = [0.0] * (_BUST + 1)
    start, *_ = plan = _plan(up, hits_soft, only_31)
    comes[start[0]] = 1.0
    finals = dict.fromkeys(FINALS, 0.0)
    for place, points, nexts in plan:
        chance = comes[place]
        if not nexts:
            finals[points] += chance
            continue
        for share, at in zip(shares, nexts, strict=True):
            comes[at] += chance * share
    return finals


def _gain(points: int, finals: Mapping[int, float]) -> float:
    on_14 = points == FOURTEEN
    return sum(chance * payout(1, points, end, on_14=on_14) for end, chance in finals.items()) - 1


# ---- what follows what -------------------------------------------------------------------------


@lru_cache(maxsize=64)  # some 60 totals
def _below(total: Total) -> tuple[tuple[int, Total, tuple[int, ...]], ...]:
    """List what may come of a total, itself last: each with its place and those of the next."""
    found = {total}
    todo = [total]
    while todo:
        here = todo.pop()
        for value in VALUES if here.points < LIMIT else ():
            more = here.plus(value)
            if not more.bust and more not in found:
                found.add(more)
                todo.append(more)
    order = sorted(found, key=lambda one: 10 * one.soft - one.points)
    return tuple(
        (
            _place(one),
            total if one == total else one,
            tuple(_place(one.plus(v)) for v in range(1, 11)),
        )
        for one in order
    )


@lru_cache(maxsize=40)  # ten cards, two rules, two goals
def _plan(up: int, hits_soft: bool, only_31: bool) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """List what a dealer may come to, in an order in which he does; no next ones where he stops."""
    rules = Rules(dealer_hits_soft=hits_soft)
    steps = [
        (place, here.points, nexts if dealer_draws(here, rules, only_31=only_31) else ())
        for place, here, nexts in reversed(_below(up_card(up)))
    ]
    return (*steps, (_BUST, BUST, ()))


def _place(total: Total) -> int:
    return _BUST if total.bust else 3 * total.points + total.soft
