"""Quick odds of a hand, as if each card were drawn from the cards left and put back.

The odds take into account the cards that are gone, but not the cards that will still be drawn in
this round. So EVs are wrong by a few hundredths of a bet if few cards are left. They take a third
of a millisecond to compute, and are accurate enough if one choice is by far the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul

from ..machine.rules import LIMIT, SAFE_TOTAL, Rules, Total, payout
from .odds import BUST, FINALS, DrawingTotals, PlayerChoice, card_total, drawing_totals

VALUES = range(1, 11)
_BUST = BUST * 3
"""The index of all bust hands; other totals have three indices per number of points."""


def replacement_values(
    total: Total,
    up_card: int,
    remaining: Sequence[int],
    rules: Rules,
    *,
    cards: int,
    double: bool,
    insurance: float = 0,
) -> Mapping[PlayerChoice, float]:
    """Return the EV of standing, hitting and doubling for a bet of 1.

    The arguments are those of :func:`.shoe_odds.choice_values`; splits are ignored.
    """
    size = sum(remaining)
    shares = [count / size for count in remaining]
    usual, to_31 = (
        _dealer(up_card, shares, drawing_totals(rules, only_31=only)) for only in (False, True)
    )
    bonus_on_14 = insurance * (to_31[LIMIT] - usual[LIMIT])
    gains = [_gain(points, to_31 if points == SAFE_TOTAL else usual) for points in range(BUST)]
    side = [bonus_on_14 * (points == SAFE_TOTAL) for points in range(BUST)]
    stand, doubled, best = ([-1.0] * (_BUST + 1) for _ in range(3))
    doubled[_BUST] = -2.0
    choices: dict[PlayerChoice, float] = {}
    for place, current, nexts in _reachable_totals(total):
        stand_value = gains[current.points] + side[current.points]
        stand[place] = best[place] = stand_value
        doubled[place] = 2 * gains[current.points] + side[current.points]
        if current.points == LIMIT:
            continue
        hit_value = sum(map(mul, shares, [best[next_place] for next_place in nexts]))
        choices = {PlayerChoice.STAND: stand_value, PlayerChoice.HIT: hit_value}
        if double and ((current == total and cards == 2) or not rules.double_two_cards):
            choices[PlayerChoice.DOUBLE] = sum(
                map(mul, shares, [doubled[next_place] for next_place in nexts])
            )
        best[place] = max(choices.values())
    return choices


def _dealer(up_card: int, shares: Sequence[float], drawing: DrawingTotals) -> dict[int, float]:
    """Return the chance of each of the dealer's final totals."""
    reach = [0.0] * (_BUST + 1)
    start, *_ = plan = _dealer_plan(up_card, drawing)
    reach[start[0]] = 1.0
    finals = dict.fromkeys(FINALS, 0.0)
    for place, points, nexts in plan:
        chance = reach[place]
        if not nexts:
            finals[points] += chance
            continue
        for share, next_place in zip(shares, nexts, strict=True):
            reach[next_place] += chance * share
    return finals


def _gain(points: int, finals: Mapping[int, float]) -> float:
    on_14 = points == SAFE_TOTAL
    return sum(chance * payout(1, points, end, on_14=on_14) for end, chance in finals.items()) - 1


# ---- successors of totals ----------------------------------------------------------------------


@lru_cache(maxsize=64)  # about 60 totals
def _reachable_totals(total: Total) -> tuple[tuple[int, Total, tuple[int, ...]], ...]:
    """List the totals that can follow a total, itself last, each with its and the next indices."""
    totals = {total}
    pending = [total]
    while pending:
        current = pending.pop()
        for value in VALUES if current.points < LIMIT else ():
            next_total = current.plus(value)
            if not next_total.bust and next_total not in totals:
                totals.add(next_total)
                pending.append(next_total)
    # the points decide ties, because the order of sums changes their last digits
    order = sorted(totals, key=lambda entry: (10 * entry.soft - entry.points, entry.points))
    return tuple(
        (
            _place(entry),
            total if entry == total else entry,
            tuple(_place(entry.plus(v)) for v in range(1, 11)),
        )
        for entry in order
    )


@lru_cache(maxsize=40)  # ten cards, two rules, two goals
def _dealer_plan(
    up_card: int, drawing: DrawingTotals
) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """List the dealer's totals in drawing order; final totals have no successors."""
    steps = [
        (place, current.points, nexts if current in drawing else ())
        for place, current, nexts in reversed(_reachable_totals(card_total(up_card)))
    ]
    return (*steps, (_BUST, BUST, ()))


def _place(total: Total) -> int:
    return _BUST if total.bust else 3 * total.points + total.soft
