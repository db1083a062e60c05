"""Five-card draw: a deal, one draw, a showdown; for nothing, for an ante, or with two bets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from ...cards import BACK, PACK, Card, Hand
from ...core import (
    Ask,
    Chance,
    Deal,
    Money,
    NeedCard,
    NeedShoe,
    Offer,
    OneOf,
    Over,
    Seat,
    Shoe,
    Some,
    Step,
    Turn,
)
from ...poker_hands import display_order, rank_hand
from .betting import MOST_RAISES, Betting, Pot, pots_of
from .rules import (
    HAND_CARDS,
    MOST_DISCARDS,
    MOST_FROM_AN_ACE,
    MOST_OPPONENTS,
    POSITIONS,
    all_but_an_ace,
    kept,
    split_pot,
    winners,
)

slug = "five-card-draw"
unit = 100  # a credit is one dollar
HUMAN = Seat(0)
ANTE = 5
STACK = 400
LIMITS = (10, 20)
"""The size of bets before the draw and after it."""


class Stakes(Enum):
    """What is played for."""

    NOTHING = "nothing"
    ANTE = "ante"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Options:
    """How many opponents, what is played for, and the credits that the first seat brings.

    At the table with an ante each opponent brings as much as the first seat, with fixed limit
    400, and so does the first seat at most. Raises ``ValueError`` for what no table has.
    """

    opponents: int = MOST_OPPONENTS
    stakes: Stakes = Stakes.LIMIT
    credit: int = STACK

    def __post_init__(self) -> None:
        if not 1 <= self.opponents <= MOST_OPPONENTS:
            raise ValueError(f"there are 1 to {MOST_OPPONENTS} opponents, not {self.opponents}")
        if self.credit < 0:
            raise ValueError(f"a credit is not negative, like {self.credit}")

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats, the human's first."""
        return tuple(range(self.opponents + 1))


@dataclass(frozen=True, slots=True)
class Play:
    """Have the next hand dealt."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the cards at these positions, in rising order, and draw as many; none: stand pat."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Give up the hand."""


@dataclass(frozen=True, slots=True)
class Check:
    """Stay in without a bet, while there is none."""


@dataclass(frozen=True, slots=True)
class Call:
    """Match the bet, or put in all that is left."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Open the betting with the limit, or with all that is left."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Match the bet and add the limit, or all that is left."""


Action: TypeAlias = Play | Discard | Fold | Check | Call | Bet | Raise
actions: tuple[type[Action], ...] = (Play, Discard, Fold, Check, Call, Bet, Raise)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The deck was shuffled."""


@dataclass(frozen=True, slots=True)
class HandBegun:
    """The cards are being dealt to these seats, in this order; each has paid the ante."""

    seats: tuple[int, ...]
    ante: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card came to a seat: in the deal, or drawn for a discard."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DrawAsked:
    """It is a seat's turn to discard; its hand in order of importance."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat has discarded these cards."""

    seat: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class Acted:
    """What a seat did in a betting round: the action's name, and the credits that it put in."""

    seat: int
    act: str
    chips: int


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand at the showdown, in order of importance, and what it is in words."""

    seat: int
    hand: Hand
    name: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """The hand is decided: who won, and by seat what was put in and what came back."""

    winners: tuple[int, ...]
    put_in: tuple[int, ...]
    won: tuple[int, ...]
    shown: bool


Event: TypeAlias = (
    Shuffled | HandBegun | CardDealt | DrawAsked | Discarded | Acted | HandShown | HandOver
)
events: tuple[type[Event], ...] = (
    Shuffled,
    HandBegun,
    CardDealt,
    DrawAsked,
    Discarded,
    Acted,
    HandShown,
    HandOver,
)


class Phase(Enum):
    """How far the hand is."""

    REST = "rest"
    SHUFFLE = "shuffle"
    DEAL = "deal"
    OPENING = "opening"
    DRAW = "draw"
    CLOSING = "closing"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class State:
    """A hand at one moment; a finished one stays until the next begins.

    All tuples are by seat but for these: ``dealt_in`` are the seats of this hand in the order in
    which they act, ``waiting`` those that get a card next, ``drawing`` those that have not
    discarded yet. ``put_in`` is what lies in the pot, ``thrown`` what was discarded, ``drawn``
    how many cards that were (``None`` before it was a seat's turn).
    """

    options: Options
    stacks: tuple[int, ...]
    phase: Phase = Phase.REST
    dealer: int = 0
    stock: int = 0
    played: int = 0
    dealt_in: tuple[int, ...] = ()
    folded: tuple[int, ...] = ()
    hands: tuple[Hand, ...] = ()
    thrown: tuple[Hand, ...] = ()
    drawn: tuple[int | None, ...] = ()
    put_in: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    drawing: tuple[int, ...] = ()
    betting: Betting | None = None
    open: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats that can win the hand, in the order in which they act."""
        return tuple(seat for seat in self.dealt_in if seat not in self.folded)

    @property
    def pot(self) -> int:
        """What lies in the middle, in credits."""
        return sum(self.put_in)


def sit(options: Options, purse: int) -> Options:
    """Bring the whole purse to the table with an ante, a stack of 400 to fixed limit."""
    return replace(options, credit=min(purse, STACK) if _is_limit(options) else purse)


def _is_limit(options: Options) -> bool:
    return options.stakes is Stakes.LIMIT


def seats(options: Options) -> int:
    """Count the human and the opponents."""
    return len(options.seats)


def start(options: Options) -> State:
    """Begin with everybody's stack; the last seat deals first, so that the human acts first."""
    none = options.stakes is Stakes.NOTHING
    theirs = 0 if none else STACK if _is_limit(options) else options.credit
    stacks = (0 if none else options.credit, *[theirs] * options.opponents)
    nothing = (0,) * len(stacks)
    return State(
        options,
        stacks,
        dealer=len(stacks) - 1,
        hands=((),) * len(stacks),
        thrown=((),) * len(stacks),
        drawn=(None,) * len(stacks),
        put_in=nothing,
    )


def can_play(state: State) -> tuple[int, ...]:
    """Give the seats that can pay the ante, in the order from the dealer's left."""
    least = 0 if state.options.stakes is Stakes.NOTHING else ANTE
    count = len(state.stacks)
    in_turn = ((state.dealer + 1 + step) % count for step in range(count))
    return tuple(seat for seat in in_turn if state.stacks[seat] >= least)


def turn(state: State) -> Turn:
    """Shuffle and deal, let each seat bet and draw in turn, and rest until the next hand."""
    match state.phase:
        case Phase.REST:
            playing = can_play(state)
            if HUMAN not in playing:
                return Over("out of credit")
            if len(playing) == 1:
                return Over("nobody else can pay the ante")
            return Ask(HUMAN)
        case Phase.SHUFFLE:
            return NeedShoe(PACK)
        case Phase.SHORT:
            return Over("not enough cards in the deck")
    if state.waiting:
        return NeedCard()
    if state.phase is Phase.DRAW:
        return Ask(Seat(state.drawing[0]))
    assert state.betting is not None
    return Ask(Seat(state.betting.pending[0]))


def offers(state: State) -> tuple[Offer[Action], ...]:
    """Deal; or bet, call, raise, fold; or discard."""
    asked = turn(state)
    if not isinstance(asked, Ask):
        return ()
    match state.phase:
        case Phase.REST:
            return (Offer(Play),)
        case Phase.DRAW:
            hand = state.hands[asked.seat]
            some: Offer[Action] = Offer(Discard, (Some(POSITIONS, 0, MOST_DISCARDS),), usual=((),))
            four = all_but_an_ace(hand)
            return (some, Offer(Discard, (OneOf(four),))) if four else (some,)
    return _betting_offers(state, asked.seat)


def _betting_offers(state: State, seat: int) -> tuple[Offer[Action], ...]:
    betting = state.betting
    assert betting is not None
    if not betting.opened:
        return Offer(Check), Offer(Bet)
    more: str | None = None
    if betting.raises == MOST_RAISES:
        more = "three raises are the limit"
    elif state.stacks[seat] <= betting.owes(seat):
        more = "that is beyond your chips"
    elif not any(state.stacks[other] for other in state.alive if other != seat):
        more = "nobody else has chips left"
    return Offer(Call), Offer(Raise, barred=more), Offer(Fold)


def step(state: State, action: Action | Chance) -> Step[State, Event]:
    """Do what was offered, or take what the croupier gave."""
    match action:
        case Shoe(stock):
            return _begin(state, stock)
        case Deal(card):
            return _card(state, card)
        case Play():
            return Step(replace(state, phase=Phase.SHUFFLE))
        case Discard(positions):
            return _discard(state, positions)
    return _bet(state, action)


# ---- the deal ----------------------------------------------------------------------------------


def _begin(state: State, stock: int) -> Step[State, Event]:
    playing = can_play(state)
    if stock < len(playing) * (HAND_CARDS + MOST_FROM_AN_ACE):
        return Step(replace(state, stock=stock, phase=Phase.SHORT))
    ante = 0 if state.options.stakes is Stakes.NOTHING else ANTE
    count = len(state.stacks)
    paid = tuple(ante * (seat in playing) for seat in range(count))
    state = replace(
        state,
        phase=Phase.DEAL,
        stock=stock,
        played=state.played + 1,
        stacks=tuple(stack - chips for stack, chips in zip(state.stacks, paid, strict=True)),
        dealt_in=playing,
        folded=(),
        hands=((),) * count,
        thrown=((),) * count,
        drawn=(None,) * count,
        put_in=paid,
        waiting=playing * HAND_CARDS,
        betting=None,
        open=(),
        winners=(),
    )
    return Step(state, (Shuffled(), HandBegun(playing, ante)))


def _card(state: State, card: Card) -> Step[State, Event]:
    seat, *waiting = state.waiting
    hand = (*state.hands[seat], card)
    if len(hand) == HAND_CARDS:
        hand = display_order(hand)
    state = replace(
        state,
        stock=state.stock - 1,
        hands=_with(state.hands, seat, hand),
        waiting=tuple(waiting),
    )
    dealt = CardDealt(seat, card)
    if waiting:
        return Step(state, (dealt,))
    if state.phase is Phase.DEAL:
        return _and(dealt, _open_betting(state, Phase.OPENING))
    return _and(dealt, _next_to_draw(state))


def _with(values: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    return (*values[:seat], hand, *values[seat + 1 :])


def _and(event: Event, after: Step[State, Event]) -> Step[State, Event]:
    return Step(after.state, (event, *after.events))


# ---- the draw ----------------------------------------------------------------------------------


def _begin_drawing(state: State) -> Step[State, Event]:
    state = replace(state, phase=Phase.DRAW, drawing=state.alive, betting=None)
    return Step(state, (_asked(state),))


def _asked(state: State) -> Event:
    seat = state.drawing[0]
    return DrawAsked(seat, state.hands[seat])


def _next_to_draw(state: State) -> Step[State, Event]:
    state = replace(state, drawing=state.drawing[1:])
    if state.drawing:
        return Step(state, (_asked(state),))
    return _open_betting(state, Phase.CLOSING)


def _discard(state: State, positions: tuple[int, ...]) -> Step[State, Event]:
    seat = state.drawing[0]
    hand = state.hands[seat]
    gone = tuple(hand[position - 1] for position in positions)
    drawn = tuple(len(gone) if place == seat else count for place, count in enumerate(state.drawn))
    state = replace(
        state,
        hands=_with(state.hands, seat, kept(hand, positions)),
        thrown=_with(state.thrown, seat, gone),
        drawn=drawn,
        waiting=(seat,) * len(gone),
    )
    told = Discarded(seat, gone)
    return Step(state, (told,)) if gone else _and(told, _next_to_draw(state))


# ---- the bets ----------------------------------------------------------------------------------


def _open_betting(state: State, phase: Phase) -> Step[State, Event]:
    opening = phase is Phase.OPENING
    after = _begin_drawing if opening else _showdown
    if not _is_limit(state.options):
        return after(state)
    able = tuple(seat for seat in state.alive if state.stacks[seat])
    if len(able) < 2:
        return after(state)
    size = LIMITS[0 if opening else 1]
    betting = Betting(size, (0,) * len(state.stacks), able)
    return Step(replace(state, phase=phase, betting=betting))


def _bet(state: State, action: Action) -> Step[State, Event]:
    betting = state.betting
    assert betting is not None
    seat = betting.pending[0]
    stack, owes = state.stacks[seat], betting.owes(seat)
    chips = 0
    match action:
        case Call():
            chips = min(stack, owes)
        case Bet():
            chips = min(stack, betting.size)
        case Raise():
            chips = min(stack, owes + betting.size)
        case Fold():
            state = replace(state, folded=(*state.folded, seat))
    told = Acted(seat, type(action).__name__.lower(), chips)
    if not chips:
        betting = betting.passes()
    else:
        state = replace(
            state,
            stacks=_plus(state.stacks, seat, -chips),
            put_in=_plus(state.put_in, seat, chips),
        )
        betting = betting.puts(chips, _others(state, seat))
    state = replace(state, betting=betting)
    if len(state.alive) == 1:
        return _and(told, _pay(state, ()))
    if betting.pending:
        return Step(state, (told,))
    opening = state.phase is Phase.OPENING
    return _and(told, _begin_drawing(state) if opening else _showdown(state))


def _plus(values: tuple[int, ...], seat: int, chips: int) -> tuple[int, ...]:
    return tuple(value + chips * (place == seat) for place, value in enumerate(values))


def _others(state: State, seat: int) -> tuple[int, ...]:
    """Give the seats that can answer, beginning left of this one."""
    at = state.dealt_in.index(seat)
    in_turn = (*state.dealt_in[at + 1 :], *state.dealt_in[:at])
    return tuple(other for other in in_turn if other in state.alive and state.stacks[other])


# ---- the end -----------------------------------------------------------------------------------


def _showdown(state: State) -> Step[State, Event]:
    shown = tuple(
        HandShown(seat, state.hands[seat], rank_hand(state.hands[seat]).name)
        for seat in state.alive
    )
    return _pay(replace(state, open=state.alive), shown)


def _pay(state: State, shown: Iterable[Event]) -> Step[State, Event]:
    won = (0,) * len(state.stacks)
    for pot in pots_of(state.put_in, state.alive):
        shares = split_pot(pot.credits, _winners(state, pot), state.dealer, len(state.stacks))
        won = tuple(map(sum, zip(won, shares, strict=True)))
    best = _winners(state, Pot(0, state.alive))
    over = HandOver(best, state.put_in, won, bool(state.open))
    staked = state.options.stakes is not Stakes.NOTHING
    state = replace(
        state,
        phase=Phase.REST,
        stacks=tuple(map(sum, zip(state.stacks, won, strict=True))),
        put_in=(0,) * len(state.stacks),
        betting=None,
        winners=best,
    )
    if staked:
        state = replace(state, dealer=_next_dealer(state))
    return Step(state, (*shown, over))


def _winners(state: State, pot: Pot) -> tuple[int, ...]:
    if len(pot.seats) == 1:
        return pot.seats
    return winners({seat: state.hands[seat] for seat in pot.seats})


def _next_dealer(state: State) -> int:
    """Move the deal to the next seat that can play on."""
    return next(iter(can_play(state)), state.dealer)


# ---- what a seat may know ------------------------------------------------------------------------


def view(state: State, seat: Seat) -> State:
    """Show the seat's own cards and those of the showdown; discards are nobody else's business."""
    open_to = {seat, *state.open}
    return replace(
        state,
        hands=tuple(
            hand if place in open_to else _backs(hand) for place, hand in enumerate(state.hands)
        ),
        thrown=tuple(
            cards if place == seat else _backs(cards) for place, cards in enumerate(state.thrown)
        ),
    )


def _backs(cards: Hand) -> Hand:
    return (BACK,) * len(cards)


def hear(state: State, event: Event, seat: Seat) -> Event:
    """Tell all but the cards that come to others, or that they discard."""
    match event:
        case CardDealt(other, _) if other != seat:
            return CardDealt(other, BACK)
        case DrawAsked(other, hand) if other != seat:
            return DrawAsked(other, _backs(hand))
        case Discarded(other, cards) if other != seat:
            return Discarded(other, _backs(cards))
    return event


def money(state: State, seat: Seat) -> Money:
    """Give the seat's stack, and what it has in the pot."""
    return Money(state.stacks[seat], state.put_in[seat])
