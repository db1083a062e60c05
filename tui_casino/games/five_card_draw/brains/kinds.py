"""Kinds of mistakes: the moment of the hand, what was held, and what was done there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from ....cards.card import Hand, Rank
from ....cards.poker import Category, Ranking, rank_hand
from ....engine.game import Seat
from ....gamekit.adviser import Kind
from ..machine.moves import Action, Bet, Call, Check, Discard, Fold, Raise
from ..machine.rules import HAND_CARDS
from ..machine.state import Phase, State

DONE: Mapping[type, str] = MappingProxyType(
    {Check: "checked", Bet: "bet", Fold: "folded", Call: "called", Raise: "raised"}
)
"""What each act is called when it has been made."""
ALL_BUT_ONE = HAND_CARDS - 1


def kind(view: State, seat: Seat, action: Action, better: Action) -> Kind:
    """Name a choice that was not the best. Raises ``TypeError`` for what is never weighed."""
    held = group_of(view.hands[seat], before=view.phase is not Phase.CLOSING)
    match action, better:
        case Discard(gone), Discard():
            return Kind(f"the draw with {held}", f"threw {len(gone)}" if gone else "stood pat")
        case Discard(), _:
            raise TypeError(f"a discard is not weighed against {better}")
    if type(action) not in DONE:
        raise TypeError(f"only bets and discards are weighed, not {action}")
    when = "after the draw" if view.phase is Phase.CLOSING else "before the draw"
    return Kind(f"{_facing(view)} {when} with {held}", DONE[type(action)])


def group_of(hand: Hand, *, before: bool) -> str:
    """Name what a hand is, as its players say it; ``before`` the draw also what it may become."""
    ranking = rank_hand(hand)
    if ranking.category >= Category.STRAIGHT:
        return "a straight or better"
    if ranking.category is Category.THREE_OF_A_KIND:
        return "three of a kind"
    if ranking.category is Category.TWO_PAIR:
        return "two pair"
    if before and (drawn := _draw(hand, ranking)):
        return drawn
    if ranking.category is Category.ONE_PAIR:
        return "aces or kings" if ranking.ranks[0] >= Rank.KING else _pair(ranking)
    return "ace high" if ranking.ranks[0] > Rank.KING else "no pair"


def _pair(ranking: Ranking) -> str:
    return "queens or jacks" if ranking.ranks[0] >= Rank.JACK else "a low pair"


def _draw(hand: Hand, ranking: Ranking) -> str:
    """Name four cards to a flush or an open straight, of a hand without a high pair."""
    if ranking.category is Category.ONE_PAIR and ranking.ranks[0] >= Rank.JACK:
        return ""
    if max(Counter(card.suit for card in hand).values()) == ALL_BUT_ONE:
        return "4 to a flush"
    fours = (hand[:place] + hand[place + 1 :] for place in range(HAND_CARDS))
    return "4 to a straight" if any(_open(four) for four in fours) else ""


def _open(four: Hand) -> bool:
    """Whether four cards are in sequence with a place at both ends."""
    ranks = sorted(card.rank for card in four)
    return ranks == list(range(ranks[0], ranks[0] + ALL_BUT_ONE)) and ranks[0] > Rank.ACE


def _facing(view: State) -> str:
    assert view.betting is not None
    if not view.betting.opened:
        return "opening"
    return "facing a raise" if view.betting.raises else "facing a bet"
