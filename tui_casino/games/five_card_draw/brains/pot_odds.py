"""Pot odds: the price of a call, the chance to win that it needs, and the EV of each action.

The chance needed to break even is exact. The EV assumes a showdown without another bet: a call puts
in what is owed, and every player still in calls a bet or a raise. `EvBasis` lists the other ways in
which EVs are computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from fractions import Fraction

from msgspec import Struct

from ....engine.game import Seat
from ....gamekit.adviser import ActionValue
from ..machine import game
from ..machine.state import Action, Bet, Call, Check, Discard, Fold, Raise, Stakes, State
from .lazy import adviser


class EvBasis(Enum):
    """How an EV was computed, from the most to the least accurate."""

    SOLUTION = "the solution for two"
    PLAYED_OUT = "played out against computer players"
    ROUGH = "a rough estimate"


class PotOdds(Struct, frozen=True):
    """The price of a call, and what the caller can win in addition to it, both in credits."""

    call: int
    pot: int

    @property
    def need(self) -> Fraction:
        """How often the call has to win to break even, from 0 to 1."""
        return Fraction(self.call, self.pot + self.call)


def pot_odds_of(view: State, seat: int) -> PotOdds | None:
    """Return the pot odds of a seat, or ``None`` if it owes nothing."""
    if view.betting is None or seat not in view.alive:
        return None
    call = min(view.betting.owes(seat), view.stacks[seat])
    if not call:
        return None
    return PotOdds(call, winnable_chips(view.put_in, seat, call) - call)


def chips_for(action: Action, view: State, seat: int) -> int:
    """Return the chips that a betting action puts in, at most the seat's stack."""
    betting = view.betting
    if betting is None:
        return 0
    wanted = {
        Call: betting.owes(seat),
        Bet: betting.size,
        Raise: betting.owes(seat) + betting.size,
    }
    return min(wanted.get(type(action), 0), view.stacks[seat])


def betting_values(
    view: State, seat: int, actions: Sequence[Action], chance: Fraction
) -> Iterator[tuple[Action, Fraction]]:
    """Yield the EV of each betting action in credits, relative to folding."""
    for action in actions:
        chips = chips_for(action, view, seat)
        match action:
            case Fold():
                yield action, Fraction(0)
            case Check() | Call():
                yield action, chance * winnable_chips(view.put_in, seat, chips) - chips
            case Bet() | Raise():
                level = view.put_in[seat] + chips
                put_in_after = tuple(
                    min(max(paid, level), paid + stack) if other in view.alive else paid
                    for other, (paid, stack) in enumerate(
                        zip(view.put_in, view.stacks, strict=True)
                    )
                )
                yield action, chance * winnable_chips(put_in_after, seat, 0) - chips


def discard_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Return the EV of each discard in credits: its share of the pot.

    In free play, where there is no pot, the EV is the chance to win, from 0 to 1. Chances and
    errors are those of :func:`.adviser.advise`.
    """
    advice = adviser.advise(view, seat)
    if advice is None:
        return ()
    nothing = view.options.stakes is Stakes.NOTHING
    pot = 1 if nothing else winnable_chips(view.put_in, seat, 0)
    return tuple(
        ActionValue(Discard(discards), pot * win.chance, pot * win.error)
        for discards, win in advice.wins.items()
    )


def alternatives(view: State, seat: Seat, action: Action) -> tuple[ActionValue[Action], ...]:
    """Return the EV of the alternatives to a bet or a discard, in credits.

    Discards are valued as in :func:`discard_values`, and bets by the chance to win with the best
    discard.
    """
    if isinstance(action, Discard):
        return discard_values(view, seat)
    advice = adviser.advise(view, seat)
    if advice is None:
        return ()
    acts = [offer.kind() for offer in game.offers(view, seat) if not offer.barred]
    win = advice.wins[advice.best]
    never, always = (betting_values(view, seat, acts, Fraction(chance)) for chance in (0, 1))
    return tuple(
        ActionValue(
            act, float(low + (high - low) * Fraction(win.chance)), float(high - low) * win.error
        )
        for (act, low), (_, high) in zip(never, always, strict=True)
    )


def winnable_chips(put_in: Sequence[int], seat: int, chips: int) -> int:
    """Return the credits that the seat can win after putting in ``chips`` more, including these."""
    level = put_in[seat] + chips
    return sum(min(paid, level) for paid in put_in) + chips
