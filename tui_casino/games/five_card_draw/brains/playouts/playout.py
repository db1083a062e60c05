"""Play many deals to the end of the hand.

After the choice that is played out, the seat follows a plan. In each spot it has the lowest
strengths with which to stay in, and with which to bet or raise. They are the best ones on average
over all hands against the computer players of a mixed table.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .....cards.card import Hand
from .....cards.memo import memoize
from .....cards.poker import CARD_CODES, strengths_of_codes
from ...machine.rules import Positions, kept_cards
from ...machine.state import Action, Discard, Phase, State
from .acts import (
    BET,
    BLUFF_ODDS,
    CALL,
    CHECK,
    FOLD,
    NUMBER_OF,
    RAISE,
    BettingSpot,
    Bools,
    Floats,
    Int64s,
    Strengths,
    choose_acts,
)
from .range_dealer import Deals

_CHIPS = np.int16
"""Less memory is faster; no stack is larger than 1,600 credits, those of four players."""
_WHOLE = 12
"""A pot can be divided by any number of winners if a credit has this many parts."""
_OF_GRADE = np.array([[CHECK, CHECK, BET], [FOLD, CALL, RAISE]])
"""The act of a hand that gives up, stays in or bets, without a bet to answer and with one."""


PLAN_PATH = Path(__file__).parents[2] / "data" / "later_plan.zz"
SPOTS = 6 * 5 * 5 * 5 * 2 * 2
"""The number of spots."""


@memoize()
def later_plan() -> Strengths:
    """Return the shipped plan, in shape (spots, 2); it is 0 in spots that were never reached."""
    return unpack_plan(PLAN_PATH.read_bytes())


def unpack_plan(data: bytes) -> Strengths:
    """Return the plan of a file."""
    return np.frombuffer(zlib.decompress(data), "<u2").reshape(SPOTS, 2)


def pack_plan(plan: Strengths) -> bytes:
    """Return a plan as the contents of its file."""
    return zlib.compress(plan.astype("<u2").tobytes(), 9)


class Playout:
    """n deals at one position, which are played to the end of the hand together.

    Rows are deals, or several copies of them with different choices of the seat. Its later choices
    follow the plan.
    """

    def __init__(
        self, view: State, seat: int, deals: Deals, final: Strengths, drew: Int64s
    ) -> None:
        self.view, self.seat, self.deals, self.order = view, seat, deals, view.dealt_in
        rows, seats = len(final), len(view.stacks)
        self.deal, self.drew = np.arange(rows) % len(deals.bold), drew
        self.paid_first = np.zeros(rows, _CHIPS)
        self.final = deals.final.T[:, self.deal]
        self.is_strong = deals.drawn.T[:, self.deal] <= 1
        self.final[seat], self.is_strong[seat] = final, drew <= 1
        self.stacks = np.tile(np.array(view.stacks, _CHIPS)[:, None], rows)
        self.put_in = np.tile(np.array(view.put_in, _CHIPS)[:, None], rows)
        self.alive = np.zeros((seats, rows), np.bool_)
        self.alive[list(view.alive)] = True
        self.bets, self.raises = np.zeros((seats, rows), _CHIPS), np.zeros(rows, np.int8)
        self.decisions = np.zeros((seats, rows), np.int8)
        self.pending = np.zeros((seats, rows), np.bool_)
        self.top, self.left = np.zeros(rows, _CHIPS), np.full(rows, len(view.alive), np.int8)

    def begin(self, phase: Phase) -> None:
        """Begin a betting round where at least two players could bet."""
        self.phase = phase
        self.size = self.view.options.betting.sizes[phase is Phase.CLOSING]
        self.paid_first = self.put_in[self.seat].copy()
        self.bets[:], self.raises[:], self.decisions[:], self.top[:] = 0, 0, 0, 0
        can_bet = self.alive & (self.stacks > 0)
        self.pending = can_bet & (can_bet.sum(axis=0) > 1)

    def resume(self) -> None:
        """Continue the present betting round of the position."""
        betting = self.view.betting
        assert betting is not None
        self.phase, self.size = self.view.phase, betting.size
        self.bets[:], self.raises[:] = np.array(betting.bets)[:, None], betting.raises
        self.top[:] = max(betting.bets)
        self.paid_first = self.put_in[self.seat] - self.bets[self.seat]
        self.pending[list(betting.pending)] = True

    def play_round(self, first: int, acts: npt.NDArray[np.intp] | None = None) -> None:
        """Play a round from a seat on; ``acts`` are that seat's acts at its first turn."""
        at = self.order.index(first)
        if acts is not None:
            self.put(first, np.arange(len(acts)), acts)
            at += 1
        while self.pending.any():
            seat = self.order[at % len(self.order)]
            if len(rows := np.flatnonzero(self.pending[seat])):
                spot, acts = self._acts(seat, rows)
                if seat == self.seat:
                    self.act(rows, spot, acts)
                else:
                    self.put(seat, rows, acts)
            at += 1

    def act(self, rows: Int64s, spot: BettingSpot, usual: npt.NDArray[np.intp]) -> None:
        """Make a later choice of the seat; where the plan is unknown, the ``usual`` one."""
        marks, strength = later_plan()[self.spots(rows, spot)], self.strength(self.seat, rows)
        grade = (strength[:, None] >= marks).sum(axis=1)
        acts = _OF_GRADE[np.asarray(spot.opened, np.intp), grade]
        acts = np.where((acts == RAISE) & ~np.asarray(spot.can_raise), CALL, acts)
        self.put(self.seat, rows, np.where(marks[:, 1] > 0, acts, usual))

    def spots(self, rows: Int64s, spot: BettingSpot) -> Int64s:
        """Return the numbers of what the seat sees except its cards, as rows of the plan."""
        hope = self.deals.hope[self.deal[rows], self.seat]
        is_first, ante = self.phase is Phase.OPENING, self.view.options.betting.ante
        paid = (self.paid_first[rows] - ante) // self.view.options.betting.sizes[0]
        parts: tuple[tuple[Any, int], ...] = (
            (0 if is_first else 1 + np.clip(paid, 0, 4), 6),
            (hope if is_first else self.drew[rows], 5),
            (self.raises[rows] + np.asarray(spot.opened), 5),
            (self.left[rows], 5),
            (spot.strong, 2),
            (self.pending[:, rows].sum(axis=0) > 1, 2),
        )
        numbers = np.zeros(len(rows), np.int64)
        for value, most in parts:
            numbers = numbers * most + value
        return numbers

    def strength(self, seat: int, rows: Int64s) -> Strengths:
        """Return the strength of a seat's hand before or after the draw."""
        is_first = self.phase is Phase.OPENING
        strength: Strengths = (
            self.deals.strength[self.deal[rows], seat] if is_first else self.final[seat, rows]
        )
        return strength

    def _acts(self, seat: int, rows: Int64s) -> tuple[BettingSpot, npt.NDArray[np.intp]]:
        top, deals = self.top[rows], self.deal[rows]
        stack, owes = self.stacks[seat, rows], top - self.bets[seat, rows]
        call = np.minimum(stack, owes)
        level = self.put_in[seat, rows] + call
        others = self.alive[:, rows]
        others[seat] = False
        can_raise = (
            (self.raises[rows] < self.view.options.betting.most_raises)
            & (stack > owes)
            & (others & (self.stacks[:, rows] > 0)).any(axis=0)
        )
        second = int(self.phase is Phase.CLOSING)
        spot = BettingSpot(
            self.phase,
            top > 0,
            can_raise,
            call,
            np.minimum(self.put_in[:, rows], level).sum(axis=0) + call,
            (others & self.is_strong[:, rows]).any(axis=0) & np.full(len(rows), second > 0),
        )
        bold = self.deals.bold[deals, seat]
        numbers = self.deals.bluffs[deals, seat, second, self.decisions[seat, rows]]
        self.decisions[seat, rows] += 1
        bluffs = numbers < BLUFF_ODDS[bold.astype(np.intp)]
        strength = self.strength(seat, rows)
        return spot, choose_acts(spot, strength, self.deals.hope[deals, seat], bold, bluffs)

    def put(self, seat: int, rows: Int64s, acts: npt.NDArray[np.intp]) -> None:
        """Let a seat act in these rows."""
        top, stack = self.top[rows], self.stacks[seat, rows]
        owes = top - self.bets[seat, rows]
        raised = (acts == BET) | (acts == RAISE)
        wanted = owes * ((acts == CALL) | raised) + np.array(self.size, _CHIPS) * raised
        chips = np.minimum(stack, wanted)
        folded = rows[acts == FOLD]
        self.alive[seat, folded], self.pending[seat, rows] = False, False
        self.left[folded] -= 1
        for amounts, sign in ((self.stacks, -1), (self.put_in, 1), (self.bets, 1)):
            amounts[seat, rows] += sign * chips
        grew = self.bets[seat, rows] > top
        self.raises[rows] += grew & (top > 0)
        again = rows[grew]
        self.pending[:, again] = self.alive[:, again] & (self.stacks[:, again] > 0)
        self.pending[seat, again] = False
        self.top[again] = self.bets[seat, again]
        self.pending[:, folded[self.left[folded] == 1]] = False

    def gains(self) -> Floats:
        """Return what the seat gains in each row, relative to folding at the position."""
        put_in = self.put_in[self.seat] - self.view.put_in[self.seat]
        gains: Floats = self._winnings() / _WHOLE - put_in
        return gains

    def _winnings(self) -> npt.NDArray[np.int32]:
        """Return what the seat wins of the pots at the end, in twelfths of a credit."""
        seat, paid = self.seat, self.put_in
        best, levels = np.where(self.alive, self.final, 0), np.where(self.alive, paid, 0)
        levels.sort(axis=0)
        won, below = np.zeros((2, paid.shape[1]), np.int32)
        for level in levels:
            if not (level > below).any():
                continue
            layer = (np.minimum(paid, level) - np.minimum(paid, below)).sum(axis=0)
            entitled = np.where(paid >= level, best, 0)
            top = entitled.max(axis=0)
            winners = np.maximum((entitled == top).sum(axis=0), 1)
            won += np.where((entitled[seat] == top) & (top > 0), _WHOLE * layer // winners, 0)
            below = level
        return won


def play_out(
    view: State,
    seat: int,
    deals: Deals,
    choices: Sequence[Action],
    discards: Positions,
) -> tuple[Floats, Bools]:
    """Play out n deals after each choice: the gains in credits, relative to folding now.

    ``discards`` is what the seat discards after a choice before the draw. Also return where all
    others folded. Both results have the shape (choices, n).
    """
    count, hand = len(deals.bold), view.hands[seat]
    gone = [each.positions if isinstance(each, Discard) else discards for each in choices]
    drew = [len(each) for each in gone]
    if view.phase is Phase.CLOSING:
        drew = [view.drawn[seat] or 0] * len(choices)
        final = np.tile(deals.final[:, seat], len(choices))
    else:
        own = {each: final_strengths(hand, each, deals) for each in {*gone}}
        final = np.concatenate([own[each] for each in gone])
    play = Playout(view, seat, deals, final, np.repeat(drew, count))
    if view.phase is not Phase.DRAW:
        play.resume()
        play.play_round(seat, np.repeat([NUMBER_OF[type(each)] for each in choices], count))
    if view.phase is not Phase.CLOSING:
        play.begin(Phase.CLOSING)
        play.play_round(view.dealt_in[0])
    folded = play.alive[seat] & (play.left == 1)
    return play.gains().reshape(-1, count), folded.reshape(-1, count)


def final_strengths(hand: Hand, gone: Positions, deals: Deals) -> Strengths:
    """Return the seat's final hand in each deal after a discard."""
    kept = sum(CARD_CODES[card.index] for card in kept_cards(hand, gone))
    return strengths_of_codes(deals.own_codes[:, len(gone)] + np.int32(kept))
