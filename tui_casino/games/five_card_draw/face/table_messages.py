"""Short messages for the screen, and remarks by the opponents after a hand.

Remarks are based only on what everybody has seen. An opponent's voice does not depend on its level
or style, so a remark never reveals either. The speaker and the phrase depend only on the hand, so a
replay shows the same remarks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto

from ....cards.card import Card, card_symbols
from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ....engine.offers import Offer
from ..brains.players import NAMES
from ..brains.pot_odds import chips_for
from ..machine.betting import ANTE, LIMITS
from ..machine.state import Action, Bet, Call, Discard, HandOver, Phase, Play, Raise, Stakes, State
from .words import who_wins

ACTS = {"check": "checks", "call": "calls", "bet": "bets", "raise": "raises to", "fold": "folds"}
"""The verb for each action of a betting round."""
TITLES = {
    Stakes.NOTHING: "classic table",
    Stakes.ANTE: f"ante {ANTE}",
    Stakes.LIMIT: f"limit {LIMITS[0]}/{LIMITS[1]}",
}
MOMENTS = {
    Phase.OPENING: "before the draw",
    Phase.DRAW: "the draw",
    Phase.CLOSING: "after the draw",
}


def action_phrase(seat: int, me: int, verb: str, names: Sequence[str] = NAMES) -> str:
    """Join a seat's name and a verb: ``You fold``, ``Ada folds``, ``Ada raises to``."""
    if seat != me:
        return f"{names[seat]} {verb}"
    first, *rest = verb.split(" ")
    return " ".join(("You", first.removesuffix("s"), *rest))


def discard_phrase(seat: int, me: int, cards: Sequence[Card], names: Sequence[str] = NAMES) -> str:
    """Describe a discard: list the cards if the seat is ``me``, otherwise say how many."""
    if not cards:
        return action_phrase(seat, me, "stands pat", names)
    if seat == me:
        return f"You discard {card_symbols(cards)}"
    return action_phrase(seat, me, f"draws {len(cards)}", names)


def action_label(action: Action, view: State, seat: int) -> str:
    """Label an action with its amount: ``Call 20``, ``Raise to 40``, ``All-in 5``, ``Draw 2``."""
    chips = chips_for(action, view, seat)
    all_in = chips and chips == view.stacks[seat]
    match action:
        case Play():
            return "Deal"
        case Discard(positions):
            return f"Draw {len(positions)}" if positions else "Stand pat"
        case Raise() if view.betting:
            return f"{'All-in' if all_in else 'Raise'} to {view.betting.bets[seat] + chips}"
        case Call() | Bet():
            return f"{'All-in' if all_in else type(action).__name__} {chips}"
    return type(action).__name__


def winner_phrase(over: HandOver, me: Seat, names: Sequence[str] = NAMES) -> str:
    """Say who won and how many credits, or who tied."""
    winners, won = who_wins(over.winners, me, names), over.won[over.winners[0]]
    return f"{winners} {won:,}" if len(over.winners) == 1 and won else winners


def outcome_phrase(over: HandOver, me: Seat, held: str, names: Sequence[str] = NAMES) -> str:
    """Say who won and why. ``held`` is the winning hand in words, or empty if it was not shown."""
    winners = winner_phrase(over, me, names)
    return f"{winners} with {held}" if held else f"{winners}: all others folded"


def bet_refusal(view: State, offers: Iterable[Offer[Action]], kind: object) -> str:
    """Return why a bet of this kind is not possible now, or nothing if its command says so."""
    for offer in offers:
        if offer.kind is kind:
            return f"{offer.barred}." if offer.barred else ""
    if view.betting is None:
        return "bets are made before the draw and after it."
    if not view.betting.opened:
        return "nobody has bet yet."
    return f"there is already a bet of {max(view.betting.bets)}."


BANTER_INTERVAL = 3
"""An opponent comments on every third hand that gives it a cue."""


class BanterCue(Enum):
    """An occasion for a remark, from the rarest to the most common."""

    BLUFFED = auto()
    """An opponent who stood pat showed less than a pair."""
    BEATEN = auto()
    """An opponent showed three of a kind or more, and lost."""
    WON = auto()
    """An opponent won with a hand that was shown."""
    TOOK = auto()
    """Everybody else folded to an opponent."""


PHRASES: Mapping[int, Mapping[BanterCue, tuple[str, ...]]] = {
    1: {
        BanterCue.BLUFFED: ("Somebody had to bet.", "It looked better face down."),
        BanterCue.BEATEN: ("That was a good hand, once.", "I'd play it again."),
        BanterCue.WON: ("I'll take that.", "As it should be."),
        BanterCue.TOOK: ("Nobody? Thank you.", "You will never know."),
    },
    2: {
        BanterCue.BLUFFED: ("Ha! It was worth a try.", "You had to see it."),
        BanterCue.BEATEN: ("Oh no, with that hand!", "Who gets cards like these?"),
        BanterCue.WON: ("Lovely cards today!", "Now we are talking."),
        BanterCue.TOOK: ("All mine!", "What, no callers?"),
    },
    3: {
        BanterCue.BLUFFED: ("Hm. Caught.", "It works sometimes."),
        BanterCue.BEATEN: ("Of course.", "It's always me."),
        BanterCue.WON: ("About time.", "For once."),
        BanterCue.TOOK: ("Good.", "I was hoping for that."),
    },
}
"""The phrases of the opponent in each seat."""


def banter(view: State, seat: Seat, over: HandOver) -> str:
    """Return an opponent's name and its remark about a hand, or "" for no remark."""
    if view.options.stakes is Stakes.NOTHING:
        return ""
    for cue, who in sorted(_cues(view, seat, over), key=lambda one: one[0].value):
        phrases = PHRASES[who][cue]
        turn, silent = divmod(view.played + who, BANTER_INTERVAL)
        if not silent:
            return f"{NAMES[who]}: {phrases[turn % len(phrases)]}"
    return ""


def _cues(view: State, seat: Seat, over: HandOver) -> Iterator[tuple[BanterCue, int]]:
    alive = view.alive
    for other in alive:
        if other == seat:
            continue
        is_winner = other in over.winners
        if len(alive) == 1:
            yield BanterCue.TOOK, other
            continue
        category = rank_hand(view.hands[other]).category
        if category is HandCategory.HIGH_CARD and view.drawn[other] == 0:
            yield BanterCue.BLUFFED, other
        elif is_winner:
            yield BanterCue.WON, other
        elif category >= HandCategory.THREE_OF_A_KIND:
            yield BanterCue.BEATEN, other
