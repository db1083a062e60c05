"""The mistakes of five-card draw: their cost, their kinds, and the habits that they show.

At fixed limit the limit adviser gives the cost, otherwise the adviser. Both know only what the
player knew: the player's cards, and how many cards the opponents drew. The kind of a mistake names
the stage of the hand, the hand held, and the action taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from ....cards.card import Hand, Rank
from ....cards.poker import HandCategory, HandRank, rank_hand
from ....engine.game import Seat
from ....gamekit.adviser import (
    OTHER_HABIT,
    ActFrequency,
    ActionValue,
    Decision,
    Habit,
    Mistake,
    MistakeKind,
    compare_act,
)
from ..machine.rules import HAND_CARDS, every_discard
from ..machine.state import Action, Bet, Call, Check, Discard, Fold, Phase, Raise, Stakes, State
from .pot_odds import EvBasis, discard_values, winnable_chips

SURE = 2
"""A discard is a mistake if it falls behind the best by more than this many standard errors."""


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Return the cost of a bet or discard in credits, or ``None`` if it is as good as the best."""
    from . import limit_adviser  # late: needs numpy
    from .adviser import advise

    if view.options.stakes is not Stakes.ANTE:
        return limit_adviser.judge(view, seat, action)
    advice = advise(view, seat) if _is_drawing(view, seat) else None
    if advice is None or not isinstance(action, Discard) or action.positions not in advice.wins:
        return None
    chosen, best = advice.wins[action.positions], advice.wins[advice.best]
    if best.chance - chosen.chance <= SURE * chosen.error_behind_best:
        return None
    cost = winnable_chips(view.put_in, seat, 0) * (best.chance - chosen.chance)
    return Mistake(Fraction(round(1000 * cost), 1000), Discard(advice.best))


def action_values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Return all choices of a seat with their EV in credits, best first."""
    from . import limit_adviser  # late: needs numpy

    if view.options.stakes is Stakes.LIMIT:
        return limit_adviser.action_values(view, seat)
    if view.options.stakes is Stakes.NOTHING or not _is_drawing(view, seat):
        return ()
    return tuple(sorted(discard_values(view, seat), key=lambda entry: -entry.value))


def _is_drawing(view: State, seat: Seat) -> bool:
    """Return whether it is the seat's turn to discard."""
    return view.phase is Phase.DRAW and view.drawing[:1] == (seat,) and not view.waiting


DONE: Mapping[type, str] = MappingProxyType(
    {Check: "checked", Bet: "bet", Fold: "folded", Call: "called", Raise: "raised"}
)
"""The past tense of each betting action."""
ALL_BUT_ONE = HAND_CARDS - 1
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
    if not to_act or stakes is not Stakes.LIMIT:
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


def act_frequencies(decision: Decision[State, Action]) -> Mapping[str, ActFrequency]:
    """Return how often the GTO level makes each choice in the position of a decision.

    The frequencies are those of the solution for the very hand, position and bets, or those of the
    last round solved for this pot. So their average over decisions is exact; no ranges are
    averaged. Choices without frequencies are not compared, but discards count as possible. The
    advice is usually in the cache, because the judge has just used it.
    """
    from . import limit_adviser  # late: needs numpy

    view, seat = decision.view, decision.seat
    advice = None
    if limit_adviser.is_limit_decision(view, seat):
        is_solved = limit_adviser.basis_of(view) is not EvBasis.PLAYED_OUT
        advice = limit_adviser.advise_limit(view, seat) if is_solved else None
    if advice is None or not advice.has_frequencies:
        return _discards(view, seat)
    mine, shares = slip_of(decision.action), defaultdict[str, float](float)
    for choice in advice.choices:
        shares[slip_of(choice.action)] += choice.frequency
    return {slip: compare_act(done=slip == mine, benchmark=share) for slip, share in shares.items()}


def _discards(view: State, seat: Seat) -> Mapping[str, ActFrequency]:
    if view.phase is not Phase.DRAW:
        return {}
    return {slip_of(Discard(cards)): ActFrequency(1) for cards in every_discard(view.hands[seat])}


STRONG = (*MADE, PAIRS[0])
"""With these hands, the mistake of a call may be that it was not a raise."""
TIMIDLY = {DONE[Call]: "calling strong hands"}
OPENING = {DONE[Check]: ("checking too often", "check"), DONE[Bet]: ("betting too often", "bet")}
ANSWERS = {
    DONE[Fold]: ("folding too often", "fold"),
    DONE[Call]: ("calling too loosely", "call"),
    DONE[Raise]: ("raising too often", "raise"),
}
STANDING_PAT = Habit("standing pat too often", "stand pat")
WRONG_CARDS = Habit("discarding the wrong cards")


def habit_of(kind: MistakeKind) -> Habit:
    """Return the habit of a kind of mistake."""
    if kind.spot.startswith("the draw with "):
        return STANDING_PAT if kind.slip == PAT else WRONG_CARDS
    when = BEFORE if f" {BEFORE} " in kind.spot else AFTER
    acts = OPENING if kind.spot.startswith(FACING[0]) else ANSWERS
    if kind.slip not in acts:
        return OTHER_HABIT
    name, act = acts[kind.slip]
    if kind.spot.partition(" with ")[2] in STRONG:
        name = TIMIDLY.get(kind.slip, name)
    return Habit(f"{name} {when}", act)
