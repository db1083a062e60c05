"""Computer opponents: the course's algorithm, a tighter player, and two that use odds.

Each player has three thresholds for its hand: the weakest hand to open the betting, to raise, and
to stay in with. After the draw the thresholds rise if others have drawn at most one card, because
these probably hold more than a pair. A player whose hand is below the threshold still stays in for
a low price with a pair or, before the draw, if one card may complete a straight or flush.

The equilibrium player plays the solution of the limit table for two. It looks up its hand in the
blueprint and chooses at random with the frequencies found there. The solution does not cover other
tables, more than one opponent, or stacks too short for all possible bets. In these cases it plays
like the exact player.

A log contains the names of its players, and verification replays their choices. So a player whose
play changes gets a new name, such as ``tight.2``, and the old player stays unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct

from ....cards.card import RANKS, Card, Hand, Rank
from ....cards.poker import HandCategory, HandRank, is_flush, rank_hand, straight_high
from ....engine.game import Seat
from ....engine.offers import Dice, Offer
from ..machine import state as m
from ..machine.betting import ANTE, LIMITS, Betting, BettingRules
from ..machine.rules import MOST_OPPONENTS, Positions, check_hand
from .equilibrium.betting_tree import CLOSES, FIRST, MOST_PUT_IN
from .lazy import blueprint, odds
from .pot_odds import pot_odds_of

if TYPE_CHECKING:
    from .equilibrium.blueprint import Blueprint


class AlgorithmStep(Enum):
    """The steps, in the order in which they are tried."""

    PAIR_OR_BETTER = "one pair or better"
    FOUR_OF_A_SUIT = "four of a suit"
    FOUR_IN_SEQUENCE = "four in sequence"
    ACE = "an ace"
    TWO_HIGHEST = "the two highest"

    @property
    def words(self) -> str:
        """The cards that are kept, in plain English."""
        return self.value


class AlgorithmDecision(Struct, frozen=True):
    """The computer's decision: the step that applies, and the positions of the discards."""

    step: AlgorithmStep
    discards: Positions


def decide(hand: Sequence[Card]) -> AlgorithmDecision:
    """Choose the discards of the CS 342 project: use the first of its five steps that applies.

    Raises ``ValueError`` unless the hand is five different cards.

    >>> from tui_casino.cards.card import parse_hand
    >>> decide(parse_hand("4S 9H 2S KS 7S"))
    AlgorithmDecision(step=<AlgorithmStep.FOUR_OF_A_SUIT: 'four of a suit'>, discards=(2,))
    >>> decide(parse_hand("AC 2D 3H 4S 9C")).step.words
    'four in sequence'
    >>> decide(parse_hand("7C 2D KH 9S 4C")).discards
    (1, 2, 5)

    The course leaves two points open. "Discard all other cards" is taken to discard the fifth card
    from four of a kind, and nothing from a straight, a flush or a full house. An ace is low or high
    in a sequence of four, as in a straight: A-2-3-4 and J-Q-K-A are sequences, and K-A-2-3 is not.
    """
    check_hand(hand)
    step, kept_cards = _choose(hand)
    discards = tuple(position for position, card in enumerate(hand, 1) if card not in kept_cards)
    return AlgorithmDecision(step, discards)


def _choose(hand: Sequence[Card]) -> tuple[AlgorithmStep, Sequence[Card]]:
    """Return the first step that applies, and the cards it keeps."""
    ranks = [card.rank for card in hand]
    matched = [card for card in hand if ranks.count(card.rank) > 1]
    if matched:
        return AlgorithmStep.PAIR_OR_BETTER, matched
    if is_flush(hand) or straight_high(hand):
        return AlgorithmStep.PAIR_OR_BETTER, hand
    suits = [card.suit for card in hand]
    suited = [card for card in hand if suits.count(card.suit) == 4]
    if suited:
        return AlgorithmStep.FOUR_OF_A_SUIT, suited
    present = set(ranks)
    for four in _SEQUENCES:
        if four <= present:
            return AlgorithmStep.FOUR_IN_SEQUENCE, [card for card in hand if card.rank in four]
    if Rank.ACE in ranks:
        return AlgorithmStep.ACE, [card for card in hand if card.rank is Rank.ACE]
    # cards sort with the ace low, but this hand has no ace
    return AlgorithmStep.TWO_HIGHEST, sorted(hand)[-2:]


_UPWARDS = (*RANKS, Rank.ACE)
_SEQUENCES = tuple(frozenset(_UPWARDS[low : low + 4]) for low in range(11))  # A-2-3-4 to J-Q-K-A


Offers: TypeAlias = tuple[Offer[m.Action], ...]

NAMES = ("You", "Ada", "Blaise", "Carl")
"""The names of the seats."""
COURSE_NAMES = ("You", *(f"Computer Player {n + 1}" for n in range(MOST_OPPONENTS)))
"""The course's names of the seats, for the classic table."""


def names_at(options: m.Options) -> tuple[str, ...]:
    """Return the names of the seats at a table."""
    return COURSE_NAMES if options.stakes is m.Stakes.NOTHING else NAMES


class PlayStyle(Struct, frozen=True):
    """How a player bets: the weakest hands to open, to raise and to stay in with.

    One in ``bluff`` bets is a bluff.
    """

    opens: HandRank
    raises: HandRank
    stays: HandRank
    bluff: int


LOOSE = PlayStyle(
    opens=HandRank(HandCategory.ONE_PAIR, (Rank.NINE,)),
    raises=HandRank(HandCategory.TWO_PAIR, ()),
    stays=HandRank(HandCategory.ONE_PAIR, ()),
    bluff=8,
)
TIGHT = PlayStyle(
    opens=HandRank(HandCategory.ONE_PAIR, (Rank.JACK,)),
    raises=HandRank(HandCategory.THREE_OF_A_KIND, ()),
    stays=HandRank(HandCategory.ONE_PAIR, (Rank.TEN,)),
    bluff=20,
)


class BettingStrategy(Protocol):
    """A betting strategy."""

    def __call__(
        self, view: m.State, seat: Seat, offers: Offers, dice: Dice, style: PlayStyle
    ) -> m.Action:
        """Choose to check, bet, call, raise or fold."""
        ...


class RuleBasedPlayer(Struct, frozen=True):
    """A computer player: a rule for discards, a betting strategy, and its thresholds."""

    discards: Callable[[Hand], tuple[int, ...]]
    bets: BettingStrategy
    style: PlayStyle

    def choose(self, view: m.State, seat: Seat, offers: Offers, dice: Dice) -> m.Action:
        """Choose to deal, to draw or to bet."""
        match view.phase:
            case m.Phase.REST:
                return m.Play()
            case m.Phase.DRAW:
                return m.Discard(self.discards(view.hands[seat]))
        return self.bets(view, seat, offers, dice, self.style)


# ---- discards ----------------------------------------------------------------------------------


def discard_by_algorithm(hand: Hand) -> tuple[int, ...]:
    """Discard by the course's algorithm."""
    return decide(hand).discards


def discard_exactly(hand: Hand) -> tuple[int, ...]:
    """Discard for the best chance to beat a final hand of the algorithm, ties counted half."""
    standings = odds.standings_after_each_discard(hand)
    return max(standings, key=lambda discards: standings[discards])


# ---- betting -----------------------------------------------------------------------------------


def bet_boldly(view: m.State, seat: Seat, offers: Offers, dice: Dice, style: PlayStyle) -> m.Action:
    """Bet by the thresholds, and sometimes bluff with a bet or a raise, whatever the hand."""
    ranking = rank_hand(view.hands[seat])
    bluffs = dice.below(style.bluff) == 0
    lift = _strong_opponents(view, seat)
    allowed = _allowed_actions(offers)
    if m.Check in allowed:
        return m.Bet() if bluffs or _reaches(ranking, style.opens, lift) else m.Check()
    if m.Raise in allowed and (bluffs or _reaches(ranking, style.raises, lift)):
        return m.Raise()
    stays = _reaches(ranking, style.stays, lift) or _is_drawing(view, seat)
    return m.Call() if stays else m.Fold()


def bet_carefully(
    view: m.State, seat: Seat, offers: Offers, dice: Dice, style: PlayStyle
) -> m.Action:
    """Bluff only by opening, never raise without a hand, and stay in if the price is low."""
    hand, lift = view.hands[seat], _strong_opponents(view, seat)
    ranking = rank_hand(hand)
    allowed = _allowed_actions(offers)
    if m.Check in allowed:
        bluffs = dice.below(style.bluff) == 0
        return m.Bet() if bluffs or _reaches(ranking, style.opens, lift) else m.Check()
    if m.Raise in allowed and _reaches(ranking, style.raises, lift):
        return m.Raise()
    price = pot_odds_of(view, seat)
    cheap = price is not None and price.need <= _price_limit(hand, ranking, view.phase)
    return m.Call() if cheap or _reaches(ranking, style.stays, lift) else m.Fold()


def _allowed_actions(offers: Offers) -> set[type[m.Action]]:
    return {type(action) for offer in offers if not offer.barred for action in offer.all()}


def _strong_opponents(view: m.State, seat: Seat) -> int:
    """Count the opponents who probably hold two pair or better, because they drew at most one."""
    if view.phase is not m.Phase.CLOSING:
        return 0
    return sum((view.drawn[other] or 0) <= 1 for other in view.alive if other != seat)


def _reaches(ranking: HandRank, mark: HandRank, lift: int) -> bool:
    """Return whether a hand reaches a threshold, one category higher against strong opponents."""
    if lift and mark.category < HandCategory.THREE_OF_A_KIND:
        mark = HandRank(HandCategory(mark.category + 1), ())
    return ranking >= mark


def _is_drawing(view: m.State, seat: Seat) -> bool:
    """Return whether a hand before the draw needs one card for a flush or a straight."""
    step = decide(view.hands[seat]).step
    return view.phase is m.Phase.OPENING and step in _HOPES


_HOPES = (AlgorithmStep.FOUR_OF_A_SUIT, AlgorithmStep.FOUR_IN_SEQUENCE)


DRAW_PRICE = {True: Fraction(1, 10), False: Fraction(1, 4)}
"""The highest price for a draw, as a share of the pot; the key says whether it may need an inside
card.

The hand is completed by 4, 8 or 9 of the 47 unseen cards; bets won after the draw justify the rest
of the price.
"""
PAIR_PRICE = {m.Phase.OPENING: Fraction(1, 5), m.Phase.CLOSING: Fraction(1, 8)}
"""The highest price for any pair, as a share of the pot including the call."""


def _price_limit(hand: Hand, ranking: HandRank, phase: m.Phase) -> Fraction:
    """Return the highest price at which a hand below the threshold calls, as a share of the pot."""
    if ranking.category >= HandCategory.ONE_PAIR:
        return PAIR_PRICE[phase]
    decision = decide(hand)
    if phase is m.Phase.OPENING and decision.step in _HOPES:
        kept_cards = [card for place, card in enumerate(hand, 1) if place not in decision.discards]
        is_sequence = decision.step is AlgorithmStep.FOUR_IN_SEQUENCE
        return DRAW_PRICE[is_sequence and any(card.rank is Rank.ACE for card in kept_cards)]
    return Fraction(0)


# ---- the players -------------------------------------------------------------------------------

ALGORITHM = RuleBasedPlayer(discard_by_algorithm, bet_boldly, LOOSE)
"""Draws by the course's algorithm, and bets often."""
TIGHT_ONE = RuleBasedPlayer(discard_by_algorithm, bet_boldly, TIGHT)
EXACT = RuleBasedPlayer(discard_exactly, bet_boldly, TIGHT)
CAREFUL = RuleBasedPlayer(discard_by_algorithm, bet_carefully, TIGHT)
CAREFUL_EXACT = RuleBasedPlayer(discard_exactly, bet_carefully, TIGHT)


EQUILIBRIUM = "equilibrium"
_ACTS: Mapping[str, m.Action] = {
    "k": m.Check(),
    "b": m.Bet(),
    "f": m.Fold(),
    "c": m.Call(),
    "r": m.Raise(),
}


class EquilibriumPlayer:
    """Plays near equilibrium against one opponent at fixed limit, and otherwise like ``exact``.

    Verification of a log replays its choices, so another blueprint would need another player name.
    """

    def choose(self, view: m.State, seat: Seat, offers: Offers, dice: Dice) -> m.Action:
        """Choose an action with the frequencies of the blueprint."""
        return choose_from_blueprint(blueprint.blueprint, view, seat, offers, dice)


def choose_from_blueprint(
    load_blueprint: Callable[[], Blueprint], view: m.State, seat: Seat, offers: Offers, dice: Dice
) -> m.Action:
    """Choose by the frequencies of a blueprint, or like ``exact`` if it does not cover the hand."""
    if view.phase not in SOLVED_PHASES or not fits_blueprint(view):
        return CAREFUL_EXACT.choose(view, seat, offers, dice)
    blueprint, hand = load_blueprint(), view.hands[seat]
    position = view.dealt_in.index(seat)
    if view.phase is m.Phase.OPENING:
        assert view.betting is not None
        name = decision_name(view.betting, view.dealt_in)
        return _ACTS[blueprint.opening(position, name, hand, dice)]
    close_index = first_round_close_index(view)
    first_drew = None if position == FIRST else view.drawn[view.dealt_in[FIRST]]
    if view.phase is m.Phase.DRAW:
        return m.Discard(blueprint.discards(position, close_index, first_drew, hand, dice))
    assert view.betting is not None
    name = decision_name(view.betting, view.dealt_in)
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    return _ACTS[blueprint.closing(position, (first, dealer, close_index), name, hand, dice)]


def first_round_close_index(view: m.State) -> int:
    """Return the index in `CLOSES` of how the first round between two players closed."""
    bet_now = max(view.betting.bets) if view.betting else 0
    bets = (max(view.put_in) - bet_now - ANTE) // LIMITS[0]
    opened_first = view.opener is not None and view.dealt_in.index(view.opener) == FIRST
    return find_close_index(bets, opened_first)


def find_close_index(bets: int, opened_first: bool) -> int:
    """Return the index in `CLOSES` of a round with this number of bets, opened by either seat."""
    letter = "b" if opened_first else "k"
    indices = (index for index, close in enumerate(CLOSES) if close.bets == bets)
    return next(index for index in indices if CLOSES[index].name[0] == letter or not bets)


SOLVED_PHASES = (m.Phase.OPENING, m.Phase.DRAW, m.Phase.CLOSING)


def has_known_bets(options: m.Options) -> bool:
    """Return whether a table has the limits that the solution and the limit adviser know."""
    return options.stakes is m.Stakes.LIMIT and options.betting == BettingRules()


def fits_blueprint(view: m.State) -> bool:
    """Return whether the solution covers a hand: two players at fixed limit with enough chips."""
    return (
        has_known_bets(view.options)
        and len(view.dealt_in) == 2
        and all(view.stacks[seat] + view.put_in[seat] >= MOST_PUT_IN for seat in view.dealt_in)
    )


def decision_name(betting: Betting, dealt_in: tuple[int, ...]) -> str:
    """Return the tree's name for a decision: the acts of the betting round so far."""
    dealers_turn = dealt_in.index(betting.pending[0]) != FIRST
    if not betting.opened:
        return "k" if dealers_turn else ""
    opened_by_dealer = (betting.raises % 2 == 0) != dealers_turn
    return ("kb" if opened_by_dealer else "b") + "r" * betting.raises
