"""How computer players bet with many hands, and which acts may have led to a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .....cards.memo import memoize
from .....cards.poker import STRENGTHS, HandCategory, HandRank, hand_rank_of
from .....engine.game import Seat
from .....structs import replace
from ...machine import game
from ...machine.state import Action, Bet, Call, Check, Fold, Phase, Raise, State
from ..players import DRAW_PRICE, LOOSE, PAIR_PRICE, TIGHT, PlayStyle
from ..pot_odds import pot_odds_of

Bools: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]
Int64s: TypeAlias = npt.NDArray[np.int64]
Strengths: TypeAlias = npt.NDArray[np.uint16]

CHECK, BET, FOLD, CALL, RAISE = range(5)
NUMBER_OF: Mapping[type[Action], int] = {
    Check: CHECK,
    Bet: BET,
    Fold: FOLD,
    Call: CALL,
    Raise: RAISE,
}

_STYLES: tuple[PlayStyle, PlayStyle] = (TIGHT, LOOSE)
"""The style of careful players, and of bold ones."""
BOLD_SHARE = 1 / 3
"""How many opponents of a mixed table are bold."""
BLUFF_ODDS = np.array([1 / style.bluff for style in _STYLES])
_UNLIKELY = 0.002
"""How often a player chooses an act that the model never chooses."""


def _weakest(mark: HandRank) -> int:
    """Return the lowest strength that reaches a threshold."""
    return next(each for each in STRENGTHS if hand_rank_of(each) >= mark)


@memoize()
def _thresholds() -> npt.NDArray[np.uint16]:
    """Return the strengths to open, raise and stay: (act, bold, against strong opponents)."""
    table = np.empty((3, len(_STYLES), 2), np.uint16)
    for bold, style in enumerate(_STYLES):
        for act, mark in enumerate((style.opens, style.raises, style.stays)):
            lifted = mark
            if mark.category < HandCategory.THREE_OF_A_KIND:
                lifted = HandRank(HandCategory(mark.category + 1), ())
            table[act, bold] = _weakest(mark), _weakest(lifted)
    return table


@memoize(maxsize=len(HandCategory))
def weakest(category: HandCategory) -> int:
    """Return the lowest strength of a category or a higher one."""
    return _weakest(HandRank(category, ()))


_NEVER = 1_000_000
_HOPE_PRICES = np.array(
    [_NEVER, *(DRAW_PRICE[is_inside].denominator for is_inside in (False, True))]
)
"""The highest prices before the draw, as one part in this many, by the kind of the draw."""
_PAIR_PRICES = {phase: PAIR_PRICE[phase].denominator for phase in PAIR_PRICE}


class BettingSpot(NamedTuple):
    """The situation of players who have to bet; each field may be an array of n hands.

    ``call`` is the price, and ``pot`` is the amount that they can win with it, including the call.
    """

    phase: Phase
    opened: bool | Bools
    can_raise: bool | Bools
    call: int | Int64s
    pot: int | Int64s
    strong: bool | Bools


def choose_acts(
    spot: BettingSpot,
    strength: Strengths,
    hope: npt.NDArray[np.int8],
    bold: bool | Bools,
    bluffs: bool | Bools,
) -> npt.NDArray[np.intp]:
    """Return the numbers of the acts that n hands choose, as `players` chooses them one by one."""
    marks = _thresholds()[:, np.asarray(bold, np.intp), np.asarray(spot.strong, np.intp)]
    opens, raises, stays = (strength >= mark for mark in marks)
    prices = np.full(strength.shape, _NEVER)
    if spot.phase is Phase.OPENING:
        prices = _HOPE_PRICES[hope]
    prices = np.where(strength >= weakest(HandCategory.ONE_PAIR), _PAIR_PRICES[spot.phase], prices)
    cheap = np.asarray(spot.call) * prices <= spot.pot
    hopeful = hope > 0 if spot.phase is Phase.OPENING else np.zeros(strength.shape, np.bool_)
    stays = stays | np.where(bold, hopeful, cheap)
    raises = np.asarray(spot.can_raise) & (raises | (np.asarray(bold) & bluffs))
    facing = np.where(raises, RAISE, np.where(stays, CALL, FOLD))
    return np.where(spot.opened, facing, np.where(opens | bluffs, BET, CHECK))


def act_chance(
    spot: BettingSpot, act: int, strength: Strengths, hope: npt.NDArray[np.int8], bold: bool
) -> Floats:
    """Return how often n hands choose an act."""
    odds = BLUFF_ODDS[int(bold)]
    with_bluff, without = (
        choose_acts(spot, strength, hope, bold, bluffs) == act for bluffs in (True, False)
    )
    chance: Floats = np.maximum(odds * with_bluff + (1 - odds) * without, _UNLIKELY)
    return chance


# ---- the acts so far -----------------------------------------------------------------------------


class PastAct(NamedTuple):
    """An act of a seat: what it saw before, and the number of the act."""

    seat: int
    spot: BettingSpot
    act: int


_MOST_ORDERS = 300
"""More orders of acts than this are not weighed."""


def past_acts(view: State, phase: Phase) -> list[tuple[PastAct, ...]]:
    """Return all orders of acts of a betting round that lead to a position.

    The round is the present one, or the first round if it is over.
    """
    return [*islice(_orders(_round_start(view, phase), view, phase), _MOST_ORDERS)]


def _round_start(view: State, phase: Phase) -> State:
    """Return the state in which a betting round began."""
    is_first, ante = phase is Phase.OPENING, view.options.betting.ante
    paid = tuple(min(each, ante) for each in view.put_in) if is_first else _paid_before_draw(view)
    entries = zip(view.stacks, view.put_in, paid, strict=True)
    start = replace(
        view,
        stacks=tuple(stack + now - before for stack, now, before in entries),
        put_in=paid,
        folded=() if is_first else _folded_first(view),
        opener=None if is_first else view.opener,
        betting=None,
    )
    return game.begin_betting(start, phase).state


def _folded_first(view: State) -> tuple[int, ...]:
    """Return the seats that folded before the draw."""
    if view.phase is Phase.OPENING:
        return view.folded
    return tuple(seat for seat in view.folded if view.drawn[seat] is None)


def _orders(state: State, goal: State, phase: Phase) -> Iterator[tuple[PastAct, ...]]:
    """Yield the orders of acts that lead from a state to the goal, by trying all."""
    is_last = goal.phase is phase
    folded = goal.folded if is_last else _folded_first(goal)
    if state.phase is not phase or state.betting is None:
        if not is_last and state.folded == folded and _paid_before_draw(goal) == state.put_in:
            yield ()
        return
    if is_last and (state.betting, state.folded) == (goal.betting, folded):
        yield ()
        return
    (seat, *rest), limit = state.betting.pending, _paid_before_draw(goal)
    if is_last:
        limit = goal.put_in
    for offer in game.offers(state, Seat(seat)):
        if offer.barred:
            continue
        action = offer.kind()
        ends = not rest and not isinstance(action, Bet | Raise)
        if is_last and ends:
            continue
        if isinstance(action, Fold) and (seat not in folded or len(state.alive) == 2):
            continue
        if isinstance(action, Bet) and phase is Phase.OPENING and seat != goal.opener:
            continue
        after = game.step(state, Seat(seat), action).state
        if after.put_in[seat] > limit[seat] or after.folded != folded[: len(after.folded)]:
            continue
        for later in _orders(after, goal, phase):
            yield (PastAct(seat, spot_of(state, seat), NUMBER_OF[type(action)]), *later)


def _paid_before_draw(view: State) -> tuple[int, ...]:
    if view.phase is not Phase.CLOSING or view.betting is None:
        return view.put_in
    return tuple(paid - bet for paid, bet in zip(view.put_in, view.betting.bets, strict=True))


def spot_of(state: State, seat: int) -> BettingSpot:
    """Return what a seat sees when it has to bet."""
    price, betting = pot_odds_of(state, seat), state.betting
    assert betting is not None
    offers = game.offers(state, Seat(seat))
    strong = state.phase is Phase.CLOSING and any(
        (state.drawn[other] or 0) <= 1 for other in state.alive if other != seat
    )
    return BettingSpot(
        state.phase,
        betting.opened,
        any(offer.kind is Raise and not offer.barred for offer in offers),
        price.call if price else 0,
        price.pot + price.call if price else 0,
        strong,
    )
