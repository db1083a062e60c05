"""Compute the plan for later choices of hands that are played out.

Hands are dealt to all seats, and at each choice of the planning seat its row is copied, so that
every act is tried with the same cards. Then the choices are made from the last to the first: in
each spot, the seat stays in, and bets, with all hands from a certain strength on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tui_casino.cards.poker import CARD_CODES, strengths_of_codes
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw.brains.playouts.acts import (
    BET,
    BOLD_SHARE,
    CALL,
    CHECK,
    RAISE,
    BettingSpot,
    Floats,
    Int64s,
    Strengths,
)
from tui_casino.games.five_card_draw.brains.playouts.playout import SPOTS, Playout
from tui_casino.games.five_card_draw.brains.playouts.range_dealer import (
    DECISIONS,
    Deals,
    natural_keeps,
    read_hands,
)
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.state import Options, Phase, Stakes, State
from tui_casino.structs import replace

HANDS = 40_000
"""The hands dealt for each number of opponents and each place of the planning seat."""
UNUSUAL = 0.5
"""How often the planning seat draws another number of cards than the algorithm."""
FEW = 100
"""A spot that was reached less often has no plan."""
ME = Seat(0)
_IMPOSSIBLE = -1e6


class LaterChoice(NamedTuple):
    """The rows that have to choose, and their alternatives.

    The rows themselves continue with a check or a call. The rows of ``bold_rows`` begin as copies
    of ``rows`` and continue with a bet or a raise; they are -1 where that is not allowed.
    ``folded`` is the gain of folding, or very low if that is not possible.
    """

    rows: Int64s
    spots: Int64s
    strength: Strengths
    folded: Floats
    bold_rows: Int64s


class PlanningPlayout(Playout):
    """Tries all acts at each choice of the seat, and plans them."""

    BY_ROW = (
        *("deal", "drew", "final", "is_strong", "stacks", "put_in", "alive", "decisions", "bets"),
        *("pending", "raises", "top", "left", "paid_first"),
    )

    def __init__(self, view: State, deals: Deals) -> None:
        super().__init__(view, ME, deals, deals.final[:, ME], deals.drawn[:, ME])
        self.later: list[LaterChoice] = []

    def act(self, rows: Int64s, spot: BettingSpot, usual: npt.NDArray[np.intp]) -> None:
        """Continue with a check or a call, and in copies with a bet or a raise."""
        opened, spots = np.asarray(spot.opened), self.spots(rows, spot)
        can_bet = np.where(opened, spot.can_raise, True)
        paid = (self.put_in[ME, rows] - self.view.put_in[ME]).astype(np.float64)
        copied, strength = np.full(len(rows), -1), self.strength(ME, rows)
        copied[can_bet] = self.copy_rows(rows[can_bet])
        folded = np.where(opened, -paid, _IMPOSSIBLE)
        self.later.append(LaterChoice(rows, spots, strength, folded, copied))
        self.put(ME, rows, np.where(opened, CALL, CHECK))
        self.put(ME, copied[can_bet], np.where(opened, RAISE, BET)[can_bet])

    def copy_rows(self, rows: Int64s) -> Int64s:
        """Append copies of rows, and return their numbers."""
        first = len(self.deal)
        for name in self.BY_ROW:
            values = getattr(self, name)
            setattr(self, name, np.concatenate([values, values[..., rows]], axis=-1))
        return np.arange(first, first + len(rows))

    def plan(self) -> dict[int, list[tuple[Strengths, Floats]]]:
        """Return the strengths of the hands in each spot, and the gains of the three acts."""
        gains = self.gains()
        found: dict[int, list[tuple[Strengths, Floats]]] = {}
        for choice in reversed(self.later):
            raised = np.where(choice.bold_rows < 0, _IMPOSSIBLE, gains[choice.bold_rows])
            values = np.array([choice.folded, gains[choice.rows], raised])
            chosen = values.argmax(axis=0)
            for spot in np.unique(choice.spots).tolist():
                here = np.flatnonzero(choice.spots == spot)
                own = choice.strength[here]
                found.setdefault(spot, []).append((own, values[:, here]))
                stay, bet = best_marks(own, values[:, here])
                chosen[here] = (own >= stay) + (own >= bet).astype(np.intp)
            chosen = np.where((chosen == 2) & (choice.bold_rows < 0), 1, chosen)
            gains[choice.rows] = values[chosen, np.arange(len(chosen))]
        return found


def best_marks(strength: Strengths, values: Floats) -> tuple[int, int]:
    """Return from which strengths on to stay in, and to bet, so that the gains are the highest.

    ``values`` holds the gains of giving up, staying in and betting: (3, n).
    """
    order = np.argsort(strength, kind="stable")
    ascending = strength[order]
    sums = np.zeros((3, len(order) + 1))
    np.cumsum(values[:, order], axis=1, out=sums[:, 1:])
    cuts = np.flatnonzero(np.diff(ascending.astype(np.int64), prepend=-1, append=1 << 16))
    given_up = sums[0, cuts] - sums[1, cuts]
    stayed = np.maximum.accumulate(given_up) + sums[1, cuts] - sums[2, cuts]
    bet = int(stayed.argmax())
    stay = int(given_up[: bet + 1].argmax())
    marks = [1, *ascending[1:].tolist(), (1 << 16) - 1]
    return marks[cuts[stay]], marks[cuts[bet]]


def build_plan(hands: int = HANDS) -> Strengths:
    """Return the plan for one to three opponents, and each place of the planning seat."""
    rng = np.random.default_rng(1)
    found: dict[int, list[tuple[Strengths, Floats]]] = {}
    for opponents in (1, 2, 3):
        for place in range(opponents + 1):
            view = opening_view(opponents, place)
            play = PlanningPlayout(view, deal_all(rng, opponents + 1, hands))
            for phase in (Phase.OPENING, Phase.CLOSING):
                play.begin(phase)
                play.play_round(view.dealt_in[0])
            for spot, parts in play.plan().items():
                found.setdefault(spot, []).extend(parts)
    plan = np.zeros((SPOTS, 2), np.uint16)
    for spot, parts in found.items():
        strength = np.concatenate([one for one, _ in parts])
        if len(strength) >= FEW:
            plan[spot] = best_marks(strength, np.concatenate([two for _, two in parts], axis=1))
    return plan


def opening_view(opponents: int, place: int) -> State:
    """Return a position before the first bet, in which seat 0 acts at this place."""
    state = game.start(Options(opponents, Stakes.LIMIT))
    seats, ante = state.options.seats, state.options.betting.ante
    begun = replace(
        state,
        dealt_in=(*seats[-place:], *seats[:-place]) if place else seats,
        put_in=(ante,) * len(seats),
        stacks=tuple(stack - ante for stack in state.stacks),
    )
    return game.begin_betting(begun, Phase.OPENING).state


def deal_all(rng: np.random.Generator, seats: int, hands: int) -> Deals:
    """Deal hands to all seats, which draw by the algorithm; seat 0 often draws otherwise."""
    pack = np.broadcast_to(np.arange(52, dtype=np.uint8), (hands, 52))
    cards = rng.permuted(pack, axis=1).T
    strength, final = np.zeros((2, hands, seats), np.uint16)
    hope, drawn = np.zeros((hands, seats), np.int8), np.zeros((hands, seats), np.int64)
    codes = np.array(CARD_CODES, np.int32)
    for seat in range(seats):
        own, more = cards[9 * seat : 9 * seat + 5], codes[cards[9 * seat + 5 : 9 * seat + 9]]
        dealt = read_hands(own, np.zeros(hands, np.int64))
        kept, drew = dealt.kept, dealt.drawn
        if seat == ME:
            other, numbers = rng.random(hands) < UNUSUAL, rng.integers(0, 4, hands)
            drew = np.where(other, numbers, drew)
            for number in range(4):
                kept = np.where(other & (numbers == number), natural_keeps(own, number), kept)
        for number in range(4):
            kept = kept + np.where(drew > number, more[number], 0).astype(np.int32)
        strength[:, seat], hope[:, seat] = dealt.strength, dealt.hope
        final[:, seat], drawn[:, seat] = strengths_of_codes(kept), drew
    bold = rng.random((hands, seats)) < BOLD_SHARE
    bluffs = rng.random((hands, seats, 2, DECISIONS))
    return Deals(strength, hope, final, drawn, bold, bluffs, np.zeros((hands, 5), np.int32))
