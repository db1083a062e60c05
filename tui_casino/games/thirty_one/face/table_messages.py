"""Messages above the cards: the question and the result of a round, in several lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ....engine.money import dollars
from ....tui.draw.text import capitalize
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
from .summary import say_total
from .words import hand_reason, net_phrase

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
"""The word for each action, and its name in a sentence."""


def ask_for_choice(view: State, place: int, *, hints: bool = True) -> Iterator[str]:
    """Yield texts of the question for a hand, from the longest to the shortest.

    Without ``hints``, the question about a 14 is the same as about other hands.
    """
    hand = view.hands[place]
    name = f"Hand {place + 1}: " if len(view.hands) > 1 else ""
    if view.offers_14 and hints:
        yield f"{name}14! Stand, or hit?"
        return
    choices = ["hit", "stand"]
    rules, covered = view.options.rules, view.credit >= hand.bet
    if covered and may_double(hand.cards, len(view.hands), rules):
        choices.append("double")
    if covered and may_split(hand.cards, len(view.hands), rules):
        choices.append("split")
    *others, last = choices
    question = f"{', '.join(others)} or {last}?"
    against = view.dealer[0].rank.pip
    yield capitalize(f"{name}{say_total(hand.total)} against {against}: {question}")
    yield capitalize(f"{name}{question}")


def ending_messages(over: RoundOver) -> Iterator[str]:
    """Yield texts for the result of a round, from the longest to the shortest."""
    net = over.won - over.wagered
    total_phrase = net_phrase(net)
    if len(over.hands) == 1:
        (hand,) = over.hands
        if over.insurance:
            insured = net_phrase(over.insurance_back - over.insurance)
            bet = net_phrase(hand.back - hand.bet)
            yield f"{hand_reason(hand)}: {bet}; insurance: {insured}"
            yield f"In total, with insurance, {total_phrase}"
        else:
            yield f"{hand_reason(hand)}: {total_phrase}"
            yield f"{short_reason(hand)}: {total_phrase}"
    elif over.insurance:
        yield f"In total, with insurance, {total_phrase}"
    else:
        yield f"All hands together: {total_phrase}"
    yield f"In total {total_phrase}"
    yield capitalize(total_phrase)


def short_reason(hand: Settled) -> str:
    """Describe the result of a hand in fewer words than on the console."""
    points = total_of(hand.cards).points
    if hand.on_14:
        return "Your 14 wins" if hand.back else "Dealer has 31"
    if points > LIMIT or hand.against <= LIMIT:
        return hand_reason(hand).replace("The dealer", "Dealer")
    return "Dealer is bust"


def bet_limit_message(bet: int, limit: int) -> str:
    """Explain why a bet is not possible: the table's limits or the player's credit."""
    if bet < MINIMUM:
        return f"the minimum bet is {MINIMUM}."
    if limit == MAXIMUM:
        return f"the maximum bet is {MAXIMUM}."
    return "your credit does not cover more."


def ev_source_message(data: TrainerData | None, bet: int) -> str:
    """Say what the EVs shown are based on, and how large their error is; ``bet`` is in cents."""
    basis = f"EV in dollars for a bet of {dollars(bet)}"
    if data is None:
        return basis
    if not data.has_enough_cards:
        error = data.advice.bet * max(data.advice.errors.values())
        return f"{basis}, sampled; standard error {error:.2f}"
    error = data.advice.bet * data.advice.errors.get(PlayerChoice.SPLIT, 0.0)
    split = f"; split: standard error {error:.2f}" if error >= 0.005 else ""
    return f"{basis}, from this shoe{split}"
