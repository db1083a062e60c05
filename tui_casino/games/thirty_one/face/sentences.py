"""What is said over the cards: what to do, and how a round ended; each time in fewer words, too."""

from __future__ import annotations

from collections.abc import Iterator

from ....tui.widgets.bars import capital
from ..machine.moves import RoundOver, Settled
from ..machine.rules import LIMIT, may_double, may_split, total_of
from ..machine.state import State
from .words import say_total, why, worth


def asked(view: State, place: int) -> Iterator[str]:
    """Ask what to do with a hand, each time in fewer words."""
    hand = view.hands[place]
    name = f"Hand {place + 1}: " if len(view.hands) > 1 else ""
    if view.offers_14:
        yield f"{name}14! Stand, and only a dealer's 31 beats it; or hit?"
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
    yield capital(f"{name}{say_total(hand.total)} against {against}: {question}")
    yield capital(f"{name}{question}")


def endings(over: RoundOver) -> Iterator[str]:
    """Say how a round ended, each time in fewer words."""
    net = over.won - over.wagered
    brought = worth(net)
    if len(over.hands) == 1:
        (hand,) = over.hands
        if over.insurance:
            insured = worth(over.insurance_back - over.insurance)
            bet = worth(hand.back - hand.bet)
            yield f"{why(hand)}: {bet}; insurance: {insured}"
            yield f"In all, with the insurance, {brought}"
        else:
            yield f"{why(hand)}: {brought}"
            yield f"{briefly(hand)}: {brought}"
    elif over.insurance:
        yield f"In all, with the insurance, {brought}"
    else:
        yield f"Together {brought}"
    yield f"In all {brought}"


def briefly(hand: Settled) -> str:
    """Say what decided a hand, in fewer words than on the console."""
    points = total_of(hand.cards).points
    if hand.on_14:
        return "Your 14 stands" if hand.back else "Dealer has 31"
    if points > LIMIT or hand.against <= LIMIT:
        return why(hand).replace("The dealer", "Dealer")
    return "He is bust"
