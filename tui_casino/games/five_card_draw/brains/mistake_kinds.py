"""The kinds of mistakes: the stage of the hand, the hand held, and the action taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from ....cards.card import Hand, Rank
from ....cards.poker import HandCategory, HandRank, rank_hand
from ....engine.game import Seat
from ....gamekit.adviser import MistakeKind
from ..machine.rules import HAND_CARDS
from ..machine.state import Action, Bet, Call, Check, Discard, Fold, Phase, Raise, Stakes, State

DONE: Mapping[type, str] = MappingProxyType(
    {Check: "checked", Bet: "bet", Fold: "folded", Call: "called", Raise: "raised"}
)
"""The past tense of each betting action."""
ALL_BUT_ONE = HAND_CARDS - 1
JUDGED = 2
"""The largest number of players for which bets are judged; with more, EVs are too inaccurate."""
BEFORE, AFTER = "before the draw", "after the draw"
FACING = ("opening", "facing a bet", "facing a raise")
MADE = ("a straight or better", "three of a kind", "two pair")
DRAWS = ("4 to a flush", "4 to a straight")
PAIRS = ("aces or kings", "queens or jacks", "a low pair")
HIGH = ("ace high", "no pair")
PAT = "stood pat"


def kind(view: State, seat: Seat, action: Action, better: Action) -> MistakeKind:
    """Return the kind of a mistake. Raises ``TypeError`` for actions that are never judged."""
    group = group_of(view.hands[seat], before=view.phase is not Phase.CLOSING)
    match action, better:
        case Discard(), Discard():
            return MistakeKind(f"the draw with {group}", slip_of(action))
        case Discard(), _:
            raise TypeError(f"a discard cannot be compared with {better}")
    if type(action) not in DONE:
        raise TypeError(f"only bets and discards are judged, not {action}")
    return MistakeKind(f"{_facing(view)} {_when(view)} with {group}", slip_of(action))


def slip_of(action: Action) -> str:
    """Name what a player did with a bet or a discard."""
    if isinstance(action, Discard):
        return f"discarded {len(action.positions)}" if action.positions else PAT
    return DONE[type(action)]


def _when(view: State) -> str:
    return AFTER if view.phase is Phase.CLOSING else BEFORE


def spot(view: State, seat: Seat) -> str:
    """Name a seat's decision; return an empty text if the trainer does not judge this table."""
    if seat >= len(view.hands) or len({*view.hands[seat]}) < HAND_CARDS or view.waiting:
        return ""
    stakes, phase = view.options.stakes, view.phase
    group = group_of(view.hands[seat], before=phase is not Phase.CLOSING)
    if phase is Phase.DRAW:
        to_act = stakes is not Stakes.NOTHING and view.drawing[:1] == (seat,)
        return f"the draw with {group}" if to_act else ""
    to_act = view.betting is not None and view.betting.pending[:1] == (seat,)
    if not to_act or stakes is not Stakes.LIMIT or len(view.dealt_in) > JUDGED:
        return ""
    return f"{_facing(view)} {_when(view)} with {group}"


def spots() -> tuple[str, ...]:
    """Return all names that :func:`spot` can return."""
    before_groups = (*MADE, *DRAWS, *PAIRS, *HIGH)
    after_groups = (*MADE, *PAIRS, *HIGH)
    bets = [
        f"{facing} {when} with {group}"
        for when, groups in ((BEFORE, before_groups), (AFTER, after_groups))
        for facing in FACING
        for group in groups
    ]
    return (*bets, *(f"the draw with {group}" for group in before_groups))


def group_of(hand: Hand, *, before: bool) -> str:
    """Name the group of a hand; ``before`` the draw, also name its flush or straight draw."""
    ranking = rank_hand(hand)
    if before and ranking.category <= HandCategory.ONE_PAIR and (name := _draw(hand, ranking)):
        return name
    return made_group(ranking)


def made_group(ranking: HandRank) -> str:
    """Name the group of a hand without regard to draws."""
    if ranking.category >= HandCategory.STRAIGHT:
        return MADE[0]
    if ranking.category is HandCategory.THREE_OF_A_KIND:
        return MADE[1]
    if ranking.category is HandCategory.TWO_PAIR:
        return MADE[2]
    if ranking.category is HandCategory.ONE_PAIR:
        return PAIRS[0] if ranking.ranks[0] >= Rank.KING else _pair(ranking)
    return HIGH[0] if ranking.ranks[0] > Rank.KING else HIGH[1]


def _pair(ranking: HandRank) -> str:
    return PAIRS[1] if ranking.ranks[0] >= Rank.JACK else PAIRS[2]


def _draw(hand: Hand, ranking: HandRank) -> str:
    """Name a draw to a flush or open-ended straight; return "" without one or with a high pair."""
    if ranking.category is HandCategory.ONE_PAIR and ranking.ranks[0] >= Rank.JACK:
        return ""
    if max(Counter(card.suit for card in hand).values()) == ALL_BUT_ONE:
        return DRAWS[0]
    fours = (hand[:place] + hand[place + 1 :] for place in range(HAND_CARDS))
    return DRAWS[1] if any(_open(four) for four in fours) else ""


def _open(four: Hand) -> bool:
    """Return whether four cards are in sequence and open at both ends."""
    ranks = sorted(card.rank for card in four)
    return ranks == list(range(ranks[0], ranks[0] + ALL_BUT_ONE)) and ranks[0] > Rank.ACE


def _facing(view: State) -> str:
    assert view.betting is not None
    if not view.betting.opened:
        return FACING[0]
    return FACING[2] if view.betting.raises else FACING[1]
