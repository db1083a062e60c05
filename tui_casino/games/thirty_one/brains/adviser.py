"""The adviser: what each choice is worth, which is the best, and what another one costs.

Every choice is worth what it is with the cards that are left in the shoe; splitting is sampled in
part, and says how far that may be off. Only where the round could use the shoe up, so that the
discards would be shuffled in, are rounds dealt out instead, and all of it is sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ....cards.card import Card, whole_packs
from ....cards.memo import memoize
from ....engine.game import Seat
from ....gamekit.adviser import ActionValue
from ..machine.moves import Action, Decline, Double, Hit, Insure, Split, Stand
from ..machine.rules import CENTS, DECKS, LIMIT, VALUES, Rules, Total, may_split
from ..machine.state import Phase, State
from .lazy import sampled_ev, shoe_dealer_odds, shoe_odds, split_odds
from .odds import HandInPlay, PerfectPlay, PlayerChoice

if TYPE_CHECKING:
    from .shoe_odds import ChoiceOutcome
    from .split_odds import SplitEstimate, SplitShoe

ACTIONS: Mapping[PlayerChoice, type[Hit | Stand | Double | Split | Insure | Decline]] = (
    MappingProxyType(
        {
            PlayerChoice.HIT: Hit,
            PlayerChoice.STAND: Stand,
            PlayerChoice.DOUBLE: Double,
            PlayerChoice.SPLIT: Split,
            PlayerChoice.INSURE: Insure,
            PlayerChoice.DECLINE: Decline,
        }
    )
)
"""How each choice is made."""
MOST_BUST = 40
"""No hand has more points, with aces counted as 1: it had 30, and drew a ten."""
CACHE_SIZE = 16
"""Positions whose advice is kept: screen, panel, judge and replay ask for the same."""


# ---- what there is to decide -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThirtyOnePosition:
    """What a player has to decide, cards by value: 1 for an ace, to 10.

    ``left`` counts the ten values that have not been dealt. ``covered``: the credit covers one more
    bet, and so, it is taken, those that may follow. ``pair``: the hand may be split by the rules
    of the house, ``hands`` are there already. ``insured``: the side bet is open, and no hand has
    stood on 14 yet, so that one which does gains by it; ``asked``: whether to open it has to be
    decided now. ``waiting`` are the other hands that are still to be played, and ``gone`` counts
    the cards of the rounds before, which would be shuffled in.
    """

    hand: tuple[int, ...]
    up: int
    left: tuple[int, ...]
    bet: int
    rules: Rules
    covered: bool = True
    pair: bool = False
    hands: int = 1
    insured: bool = False
    asked: bool = False
    waiting: tuple[tuple[int, ...], ...] = ()
    gone: tuple[int, ...] = (0,) * 10

    @property
    def total(self) -> Total:
        """What the hand counts."""
        total = Total(0)
        for value in self.hand:
            total = total.plus(value)
        return total

    @property
    def may_run_out(self) -> bool:
        """Whether the round could want a card when none is left, however its cards come.

        Nobody draws with more than 30 points, aces counted as 1. Hands of a split may go bust with
        up to 40, but one that the dealer draws against has 31 at most; that may be one which is
        over, and against insured ones he always draws.
        """
        pairs = self.pair + sum(len(set(hand)) == 1 for hand in self.waiting)
        more = 0
        if self.covered and (pairs or len(self.hand) == 1):
            mates = self.left[self.hand[0] - 1]
            more = min(self.rules.most_hands - self.hands, pairs + mates)
        drawn = LIMIT - sum(self.hand) + LIMIT - 1 - self.up
        drawn += sum(MOST_BUST - sum(hand) for hand in self.waiting) + MOST_BUST * more
        over = self.hands > 1 + len(self.waiting)
        drawn += (MOST_BUST - LIMIT) * (self.insured or self.asked or over)
        return sum(value * count for value, count in enumerate(self.left, 1)) <= drawn


def position_of(view: State) -> ThirtyOnePosition | None:
    """Give what the player has to decide; ``None`` if that is the bet, or nothing."""
    asked = view.phase is Phase.INSURANCE
    place = 0 if asked else view.active
    if place is None or view.waiting:
        return None
    hand, rules = view.hands[place], view.options.rules
    return ThirtyOnePosition(
        hand=tuple(map(_value, hand.cards)),
        up=_value(view.dealer[0]),
        left=_left(view),
        bet=hand.bet // CENTS,
        rules=rules,
        covered=view.credit >= hand.bet,
        pair=may_split(hand.cards, len(view.hands), rules),
        hands=len(view.hands),
        insured=view.insurance > 0 and not any(other.on_14 for other in view.hands),
        asked=asked,
        waiting=tuple(
            tuple(map(_value, other.cards)) for other in view.hands[place + 1 :] if not other.done
        ),
        gone=_counted(view.discards),
    )


def _value(card: Card) -> int:
    return VALUES[card.rank]


def _left(view: State) -> tuple[int, ...]:
    """Count by value what has not been dealt of two packs; a known deck may have had more."""
    table = (card for hand in view.hands for card in hand.cards)
    gone = _counted((*view.discards, *table, *view.dealer))
    return tuple(
        max(0, all_ - out) for all_, out in zip(_counted(whole_packs(DECKS)), gone, strict=True)
    )


def _counted(cards: Iterable[Card]) -> tuple[int, ...]:
    found = Counter(map(_value, cards))
    return tuple(found[value] for value in range(1, 11))


# ---- what it is worth ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThirtyOneAdvice:
    """What each choice on offer gains for each dollar of the first bet, and that bet in dollars.

    ``errors`` are the standard errors of those that are sampled in part; ``outcomes`` say more of
    those that were worked out from the shoe as it stands.
    """

    values: Mapping[PlayerChoice, float]
    bet: int
    outcomes: Mapping[PlayerChoice, ChoiceOutcome] = field(default_factory=dict)
    errors: Mapping[PlayerChoice, float] = field(default_factory=dict)

    @property
    def best(self) -> PlayerChoice:
        """The choice worth most."""
        return max(self.values, key=lambda choice: self.values[choice])

    def cost(self, choice: PlayerChoice) -> float:
        """Give what a choice is expected to lose, in dollars, beside the best."""
        return self.bet * (self.values[self.best] - self.values[choice])


@memoize(maxsize=CACHE_SIZE)
def advise(
    position: ThirtyOnePosition, *, exact: bool = False, brief: bool = False
) -> ThirtyOneAdvice:
    """Value every choice that the rules and the credit allow.

    Takes up to a fifth of a second, and the first time against a card as long again. ``exact``: as
    :func:`.shoe_odds.choice_outcomes` has it; ``brief``: no outcomes are told. Raises
    ``ValueError`` for a hand that has nothing to decide.
    """
    total, cards = position.total, len(position.hand)
    if not cards or total.points >= LIMIT:
        raise ValueError(f"a hand of {total.points} with {cards} cards has nothing to decide")
    if position.may_run_out:
        return _dealt_out(position)
    weighed = _insurance if position.asked else _from_the_shoe
    return weighed(position, exact, brief)


def advise_infinite_shoe(position: ThirtyOnePosition) -> ThirtyOneAdvice:
    """Value the same from an infinite shoe: quickly, but for the cards that are gone."""
    rules, up, covered = position.rules, position.up, position.covered
    if position.asked:
        insured, plain = (_play(rules, up, covered, taken) for taken in (True, False))
        first = position.hand[0]
        taken, left = float(insured.of_first_card(first)), float(plain.of_first_card(first))
        return ThirtyOneAdvice(
            {PlayerChoice.INSURE: taken, PlayerChoice.DECLINE: left}, position.bet
        )
    holding = HandInPlay(position.total, len(position.hand), position.pair, position.hands)
    return ThirtyOneAdvice(_endless(rules, up, covered, position.insured, holding), position.bet)


def _dealt_out(position: ThirtyOnePosition) -> ThirtyOneAdvice:
    """Value what is on offer from an infinite shoe by rounds from this one."""
    rules, covered, odds = position.rules, position.covered, position.rules.insurance
    back = (odds.paid + odds.staked) / odds.staked

    moment = sampled_ev.SampledPosition(
        position.hand,
        position.waiting,
        position.up,
        position.left,
        position.gone,
        rules,
        position.hands,
        rules.most_hands if covered else position.hands,
        back * position.insured,
    )
    told: dict[PlayerChoice, SplitEstimate] = {}
    if position.asked:
        for choice in (PlayerChoice.INSURE, PlayerChoice.DECLINE):
            taken = choice is PlayerChoice.INSURE
            here = replace(moment, back=back * taken, opened=taken)
            (told[choice],) = sampled_ev.sample_values(
                here, (None,), _play(rules, 1, covered, taken)
            ).values()
    else:
        offered = tuple(advise_infinite_shoe(position).values)
        told |= sampled_ev.sample_values(
            moment, offered, _play(rules, position.up, covered, position.insured)
        )
    return ThirtyOneAdvice(
        {choice: found.value for choice, found in told.items()},
        position.bet,
        errors={choice: found.error for choice, found in told.items()},
    )


@lru_cache(1 << 12)
def _endless(
    rules: Rules, up: int, covered: bool, insured: bool, holding: HandInPlay
) -> Mapping[PlayerChoice, float]:
    values = _play(rules, up, covered, insured).values(holding)
    return MappingProxyType({choice: float(value) for choice, value in values.items()})


@lru_cache(64)
def _play(rules: Rules, up: int, covered: bool, insured: bool) -> PerfectPlay:
    return PerfectPlay(rules, up, double=covered, split=covered, insured=insured)


def _from_the_shoe(position: ThirtyOnePosition, exact: bool, brief: bool) -> ThirtyOneAdvice:
    cards, shoe = position.hand, split_shoe_of(position)
    mates = position.left[cards[0] - 1]
    came: SplitEstimate | None = None

    def pair(beside: float) -> float:
        nonlocal came
        left = *shoe.left[: cards[0] - 1], mates - 1, *shoe.left[cards[0] :]
        behind = replace(shoe, left=left)
        if split_odds.is_split_never_best(cards[0], behind, beside):
            return beside
        found = split_odds.estimate_split(cards[0], behind)
        came = found if found.value > beside else None
        return found.value

    may_pair = len(cards) == 1 and position.covered and mates > 0
    outcomes = outcomes_without_split(
        position, pair if may_pair else None, exact=exact, brief=brief
    )
    values = {choice: outcome.gain for choice, outcome in outcomes.items()}
    errors = dict.fromkeys(values, 0.0)
    if came is not None:  # the pair is split, if it comes
        errors[PlayerChoice.HIT] = came.error * mates / sum(position.left)
    if can_split(position):
        found = split_odds.estimate_split(cards[0], shoe, position.hands + 1)
        values[PlayerChoice.SPLIT], errors[PlayerChoice.SPLIT] = found.value, found.error
    return ThirtyOneAdvice(values, position.bet, {} if brief else outcomes, errors)


def outcomes_without_split(
    position: ThirtyOnePosition,
    pair: Callable[[float], float] | None = None,
    *,
    exact: bool = False,
    brief: bool = False,
) -> dict[PlayerChoice, ChoiceOutcome]:
    """Work out what comes of a hand that is not split; ``pair`` tells what one that comes gains."""
    rules, cards = position.rules, len(position.hand)
    return shoe_odds.choice_outcomes(
        position.total,
        position.up,
        position.left,
        rules,
        cards=cards,
        double=can_double(position),
        insurance=insurance_return(position),
        split=pair,
        exact=exact,
        brief=brief,
    )


def can_split(position: ThirtyOnePosition) -> bool:
    """Tell whether splitting is on offer."""
    return position.pair and position.covered and position.hands < position.rules.most_hands


def split_shoe_of(position: ThirtyOnePosition) -> SplitShoe:
    """Give the cards that are left, and how a split may be played from there."""
    return split_odds.SplitShoe(
        position.up, position.left, position.rules, position.covered, insurance_return(position)
    )


def insurance_return(position: ThirtyOnePosition) -> float:
    """Give what an open side bet returns on 31 for each dollar of it; 0 without one."""
    odds = position.rules.insurance
    return (odds.paid + odds.staked) / odds.staked if position.insured else 0.0


def can_double(position: ThirtyOnePosition) -> bool:
    """Tell whether doubling is on offer in this turn, as far as the credit and splits go."""
    return position.covered and (position.hands == 1 or position.rules.double_after_split)


def _insurance(position: ThirtyOnePosition, exact: bool, brief: bool) -> ThirtyOneAdvice:
    """Value the side bet with all that it changes in the play of the hand."""
    odds = position.rules.insurance
    chance = chance_of_31(position.up, position.left, position.rules)
    side = chance * (odds.paid + odds.staked) / odds.staked - 1
    values, errors = {}, {}
    for choice in (PlayerChoice.INSURE, PlayerChoice.DECLINE):
        insured = choice is PlayerChoice.INSURE
        hand = _from_the_shoe(replace(position, asked=False, insured=insured), exact, brief)
        values[choice] = hand.values[hand.best] + insured * side
        errors[choice] = hand.errors[hand.best]
    return ThirtyOneAdvice(values, position.bet, errors=errors)


def chance_of_31(up: int, left: tuple[int, ...], rules: Rules) -> float:
    """Give the chance that the dealer's usual play ends on 31, from the cards that are left."""
    return shoe_dealer_odds.dealer_ends(up, left, rules)[LIMIT]


def worths(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
    """Give what each choice gains on average, in cents, the best first."""
    position = position_of(view)
    if position is None:
        return ()
    advice = advise(position, brief=True)
    ranked = sorted(advice.values.items(), key=lambda one: -one[1])
    cents = CENTS * advice.bet
    return tuple(
        ActionValue(ACTIONS[choice](), cents * value, cents * advice.errors.get(choice, 0.0))
        for choice, value in ranked
    )
