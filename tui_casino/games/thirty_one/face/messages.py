"""What is said over the cards: what to do, and how a round ended; each time in fewer words, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ....engine.money import dollars
from ....tui.draw.glyphs import capitalize
from ..brains.odds import PlayerChoice
from ..brains.trainer_data import TrainerData
from ..machine.moves import (
    Action,
    Decline,
    Double,
    Hit,
    Insure,
    RoundOver,
    Settled,
    Split,
    Stand,
)
from ..machine.rules import LIMIT, MAXIMUM, MINIMUM, may_double, may_split, total_of
from ..machine.state import State
from .words import hand_reason, say_total, worth

WORDS: Mapping[type[Action], tuple[str, str]] = MappingProxyType(
    {
        Hit: ("h", "hit"),
        Stand: ("s", "stand"),
        Double: ("d", "double"),
        Split: ("p", "split"),
        Insure: ("i", "insurance"),
        Decline: ("n", "no insurance"),
    }
)
"""The word for each deed, and what it is called in a sentence."""


def ask_for_choice(view: State, place: int) -> Iterator[str]:
    """Ask what to do with a hand, each time in fewer words."""
    hand = view.hands[place]
    name = f"Hand {place + 1}: " if len(view.hands) > 1 else ""
    if view.offers_14:
        yield f"{name}14! Stand, or hit?"
        return
    can = ["hit", "stand"]
    rules, covered = view.options.rules, view.credit >= hand.bet
    if covered and may_double(hand.cards, len(view.hands), rules):
        can.append("double")
    if covered and may_split(hand.cards, len(view.hands), rules):
        can.append("split")
    *most, last = can
    question = f"{', '.join(most)} or {last}?"
    against = view.dealer[0].rank.pip
    yield capitalize(f"{name}{say_total(hand.total)} against {against}: {question}")
    yield capitalize(f"{name}{question}")


def ending_messages(over: RoundOver) -> Iterator[str]:
    """Say how a round ended, each time in fewer words."""
    net = over.won - over.wagered
    brought = worth(net)
    if len(over.hands) == 1:
        (hand,) = over.hands
        if over.insurance:
            insured = worth(over.insurance_back - over.insurance)
            bet = worth(hand.back - hand.bet)
            yield f"{hand_reason(hand)}: {bet}; insurance: {insured}"
            yield f"In all, with the insurance, {brought}"
        else:
            yield f"{hand_reason(hand)}: {brought}"
            yield f"{short_reason(hand)}: {brought}"
    elif over.insurance:
        yield f"In all, with the insurance, {brought}"
    else:
        yield f"Together {brought}"
    yield f"In all {brought}"


def short_reason(hand: Settled) -> str:
    """Say what decided a hand, in fewer words than on the console."""
    points = total_of(hand.cards).points
    if hand.on_14:
        return "Your 14 stands" if hand.back else "Dealer has 31"
    if points > LIMIT or hand.against <= LIMIT:
        return hand_reason(hand).replace("The dealer", "Dealer")
    return "He is bust"


def bet_limit_message(bet: int, most: int) -> str:
    """Say why this cannot be bet, in dollars: it is beyond a limit of the house or the credit."""
    if bet < MINIMUM:
        return "less is not taken here."
    return "more is not taken here." if most == MAXIMUM else "your credit covers no more."


def ev_source_message(reading: TrainerData | None, bet: int) -> str:
    """Say what the worths are of, and how far they may be off; ``bet`` is in cents."""
    of = f"in dollars of a bet of {dollars(bet)}"
    if reading is None:
        return of
    if not reading.whole:
        error = reading.advice.bet * max(reading.advice.errors.values())
        return f"{of}, dealt out to the end of the shoe; off by some {error:.2f}"
    error = reading.advice.bet * reading.advice.errors.get(PlayerChoice.SPLIT, 0.0)
    split = f"; the split is off by some {error:.2f}" if error >= 0.005 else ""
    return f"{of}, from this very shoe{split}"
