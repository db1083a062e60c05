"""Five-card draw: a deal, one draw and a showdown, with or without an ante and bets."""

from __future__ import annotations

from collections.abc import Iterable

from ....cards.card import BACK, PACK, Card, Hand
from ....cards.poker import rank_hand, sort_for_display
from ....engine.game import (
    AskSeats,
    Chance,
    Deal,
    NeedCard,
    NeedShoe,
    Seat,
    Shoe,
    SittingOver,
    Step,
    Turn,
    is_asked,
)
from ....engine.money import Money
from ....engine.offers import Offer, OneOf, Subset
from ....structs import replace
from . import state as m
from .betting import Betting, pots_of
from .rules import (
    HAND_CARDS,
    MOST_DISCARDS,
    MOST_FROM_AN_ACE,
    POSITIONS,
    all_but_an_ace,
    kept_cards,
    split_pot,
    winners,
)
from .state import Options as Options
from .state import actions as actions
from .state import events as events

slug = "five-card-draw"
unit = 100  # a credit is one dollar


def sit(options: Options, purse: int) -> Options:
    """Bring the whole balance to an ante table, but at most 400 credits to a limit table."""
    return replace(options, credit=min(purse, m.STACK) if _is_limit(options) else purse)


def _is_limit(options: Options) -> bool:
    return options.stakes is m.Stakes.LIMIT


def seats(options: Options) -> int:
    """Return the number of players, the human included."""
    return len(options.seats)


def start(options: Options) -> m.State:
    """Return the state before the first hand. The last seat deals, so the human acts first."""
    none = options.stakes is m.Stakes.NOTHING
    least = m.STACK if _is_limit(options) and not options.are_even else 0
    opponent_stack = 0 if none else max(least, options.credit)
    stacks = (0 if none else options.credit, *[opponent_stack] * options.opponents)
    zeros = (0,) * len(stacks)
    return m.State(
        options,
        stacks,
        dealer=len(stacks) - 1,
        hands=((),) * len(stacks),
        thrown=((),) * len(stacks),
        drawn=(None,) * len(stacks),
        put_in=zeros,
    )


def can_play(state: m.State) -> tuple[int, ...]:
    """Return the seats that can be dealt in: they are there, and can pay the ante.

    The order begins at the dealer's left.
    """
    ante = state.options.betting.ante
    count = len(state.stacks)
    in_turn = ((state.dealer + 1 + step) % count for step in range(count))
    return tuple(seat for seat in in_turn if state.stacks[seat] >= ante and seat not in state.away)


def turn(state: m.State) -> Turn:
    """Return who must act next: the croupier, a player who must bet or draw, or the starters."""
    match state.phase:
        case m.Phase.REST:
            playing = can_play(state)
            starters = tuple(Seat(seat) for seat in state.starters if seat in playing)
            if not starters:
                return SittingOver("out of credit")
            if len(playing) == 1:
                return SittingOver("nobody else can pay the ante")
            return AskSeats(starters)
        case m.Phase.SHUFFLE:
            return NeedShoe(PACK)
        case m.Phase.SHORT:
            return SittingOver("not enough cards in the deck")
    if state.waiting:
        return NeedCard()
    if state.phase is m.Phase.DRAW:
        return AskSeats((Seat(state.drawing[0]),))
    assert state.betting is not None
    return AskSeats((Seat(state.betting.pending[0]),))


def offers(state: m.State, seat: Seat) -> tuple[Offer[m.Action], ...]:
    """Return the actions that a seat can choose: deal, bets, or discards."""
    if not is_asked(turn(state), seat):
        return ()
    match state.phase:
        case m.Phase.REST:
            return (Offer(m.Play),)
        case m.Phase.DRAW:
            hand = state.hands[seat]
            offer: Offer[m.Action] = Offer(
                m.Discard, (Subset(POSITIONS, 0, MOST_DISCARDS),), defaults=((),)
            )
            four_card_discards = all_but_an_ace(hand)
            return (
                (offer, Offer(m.Discard, (OneOf(four_card_discards),)))
                if four_card_discards
                else (offer,)
            )
    return _betting_offers(state, seat)


def _betting_offers(state: m.State, seat: int) -> tuple[Offer[m.Action], ...]:
    betting = state.betting
    assert betting is not None
    if not betting.opened:
        return Offer(m.Check), Offer(m.Bet)
    bar: str | None = None
    if betting.raises == state.options.betting.most_raises:
        bar = "there can be only three raises"
    elif state.stacks[seat] <= betting.owes(seat):
        bar = "you do not have enough chips"
    elif not any(state.stacks[other] for other in state.alive if other != seat):
        bar = "no opponent has chips left"
    return Offer(m.Call), Offer(m.Raise, barred=bar), Offer(m.Fold)


def step(state: m.State, actor: Seat | None, action: m.Action | Chance) -> Step[m.State, m.Event]:
    """Apply an action of a seat, or a card or shoe from the croupier."""
    match action:
        case Shoe(stock):
            return _begin(state, stock)
        case Deal(card):
            return _deal_card(state, card)
        case m.Play():
            return Step(replace(state, phase=m.Phase.SHUFFLE))
        case m.Discard(positions):
            return _discard(state, positions)
    return _bet(state, action)


# ---- the deal ----------------------------------------------------------------------------------


def _begin(state: m.State, stock: int) -> Step[m.State, m.Event]:
    playing = can_play(state)
    if stock < len(playing) * (HAND_CARDS + MOST_FROM_AN_ACE):
        return Step(replace(state, stock=stock, phase=m.Phase.SHORT))
    ante = state.options.betting.ante
    count = len(state.stacks)
    paid = tuple(ante * (seat in playing) for seat in range(count))
    state = replace(
        state,
        phase=m.Phase.DEAL,
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
        opener=None,
    )
    return Step(state, (m.Shuffled(), m.HandBegun(playing, ante)))


def _deal_card(state: m.State, card: Card) -> Step[m.State, m.Event]:
    seat, *waiting = state.waiting
    hand = (*state.hands[seat], card)
    if len(hand) == HAND_CARDS:
        hand = sort_for_display(hand)
    state = replace(
        state,
        stock=state.stock - 1,
        hands=_replace_hand(state.hands, seat, hand),
        waiting=tuple(waiting),
    )
    event = m.CardDealt(seat, card)
    if waiting:
        return Step(state, (event,))
    if state.phase is m.Phase.DEAL:
        return _prepend(event, begin_betting(state, m.Phase.OPENING))
    return _prepend(event, _next_to_draw(state))


def _replace_hand(values: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    return (*values[:seat], hand, *values[seat + 1 :])


def _prepend(event: m.Event, next_step: Step[m.State, m.Event]) -> Step[m.State, m.Event]:
    return Step(next_step.state, (event, *next_step.events))


# ---- the draw ----------------------------------------------------------------------------------


def _begin_drawing(state: m.State) -> Step[m.State, m.Event]:
    state = replace(state, phase=m.Phase.DRAW, drawing=state.alive, betting=None)
    return Step(state, (_draw_event(state),))


def _draw_event(state: m.State) -> m.Event:
    seat = state.drawing[0]
    return m.DrawAsked(seat, state.hands[seat])


def _next_to_draw(state: m.State) -> Step[m.State, m.Event]:
    state = replace(state, drawing=state.drawing[1:])
    if state.drawing:
        return Step(state, (_draw_event(state),))
    return begin_betting(state, m.Phase.CLOSING)


def _discard(state: m.State, positions: tuple[int, ...]) -> Step[m.State, m.Event]:
    seat = state.drawing[0]
    hand = state.hands[seat]
    discards = tuple(hand[position - 1] for position in positions)
    draw_counts = tuple(
        len(discards) if place == seat else count for place, count in enumerate(state.drawn)
    )
    state = replace(
        state,
        hands=_replace_hand(state.hands, seat, kept_cards(hand, positions)),
        thrown=_replace_hand(state.thrown, seat, discards),
        drawn=draw_counts,
        waiting=(seat,) * len(discards),
    )
    event = m.Discarded(seat, discards)
    return Step(state, (event,)) if discards else _prepend(event, _next_to_draw(state))


# ---- the bets ----------------------------------------------------------------------------------


def begin_betting(state: m.State, phase: m.Phase) -> Step[m.State, m.Event]:
    """Begin a betting round, or skip it if fewer than two players could bet."""
    opening = phase is m.Phase.OPENING
    next_phase = _begin_drawing if opening else _showdown
    if not _is_limit(state.options):
        return next_phase(state)
    bettors = tuple(seat for seat in state.alive if state.stacks[seat])
    if len(bettors) < 2:
        return next_phase(state)
    size = state.options.betting.sizes[0 if opening else 1]
    betting = Betting(size, (0,) * len(state.stacks), bettors)
    events = tuple(m.HandHeld(seat, state.hands[seat]) for seat in state.alive)
    return Step(replace(state, phase=phase, betting=betting), events)


def _bet(state: m.State, action: m.Action) -> Step[m.State, m.Event]:
    betting = state.betting
    assert betting is not None
    seat = betting.pending[0]
    stack, owes = state.stacks[seat], betting.owes(seat)
    chips = 0
    match action:
        case m.Call():
            chips = min(stack, owes)
        case m.Bet():
            chips = min(stack, betting.size)
            if state.phase is m.Phase.OPENING:
                state = replace(state, opener=seat)
        case m.Raise():
            chips = min(stack, owes + betting.size)
        case m.Fold():
            state = replace(state, folded=(*state.folded, seat))
    event = m.Acted(seat, type(action).__name__.lower(), chips)
    if not chips:
        betting = betting.passes()
    else:
        state = replace(
            state,
            stacks=_add_chips(state.stacks, seat, -chips),
            put_in=_add_chips(state.put_in, seat, chips),
        )
        betting = betting.puts(chips, _others(state, seat))
    state = replace(state, betting=betting)
    if len(state.alive) == 1:
        return _prepend(event, _pay(state, ()))
    if betting.pending:
        return Step(state, (event,))
    opening = state.phase is m.Phase.OPENING
    return _prepend(event, _begin_drawing(state) if opening else _showdown(state))


def _add_chips(values: tuple[int, ...], seat: int, chips: int) -> tuple[int, ...]:
    return tuple(value + chips * (place == seat) for place, value in enumerate(values))


def _others(state: m.State, seat: int) -> tuple[int, ...]:
    """Return the other seats that can still act, beginning to the left of this one."""
    position = state.dealt_in.index(seat)
    in_turn = (*state.dealt_in[position + 1 :], *state.dealt_in[:position])
    return tuple(other for other in in_turn if other in state.alive and state.stacks[other])


# ---- the end -----------------------------------------------------------------------------------


def _showdown(state: m.State) -> Step[m.State, m.Event]:
    events = tuple(
        m.HandShown(seat, state.hands[seat], rank_hand(state.hands[seat]).name)
        for seat in state.alive
    )
    return _pay(replace(state, open=state.alive), events)


def _pay(state: m.State, events: Iterable[m.Event]) -> Step[m.State, m.Event]:
    won = (0,) * len(state.stacks)
    for pot in pots_of(state.put_in, state.alive):
        best = _winners(state, pot.seats)
        shares = split_pot(pot.credits, best, state.dealer, len(state.stacks))
        won = tuple(map(sum, zip(won, shares, strict=True)))
    best = _winners(state, state.alive)
    over = m.HandOver(best, state.put_in, won, bool(state.open))
    staked = state.options.stakes is not m.Stakes.NOTHING
    state = replace(
        state,
        phase=m.Phase.REST,
        stacks=tuple(map(sum, zip(state.stacks, won, strict=True))),
        put_in=(0,) * len(state.stacks),
        betting=None,
        winners=best,
    )
    if staked:
        state = replace(state, dealer=_next_dealer(state))
    return Step(state, (*events, over))


def _winners(state: m.State, seats: tuple[int, ...]) -> tuple[int, ...]:
    if len(seats) == 1:
        return seats
    return winners({seat: state.hands[seat] for seat in seats})


def _next_dealer(state: m.State) -> int:
    """Return the next seat that can pay the ante; it deals the next hand."""
    return next(iter(can_play(state)), state.dealer)


def money(state: m.State, seat: Seat) -> Money:
    """Return the seat's stack, and its chips in the pot."""
    return Money(state.stacks[seat], state.put_in[seat])


def view(state: m.State, seat: Seat | None) -> m.State:
    """Return the state with all cards hidden except the seat's own and those of the showdown.

    An observer without a seat sees only the cards shown at the showdown.
    """
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


def hear(state: m.State, event: m.Event, seat: Seat | None) -> m.Event:
    """Return the event with other seats' dealt, held and discarded cards hidden."""
    match event:
        case m.CardDealt(other, _) if other != seat:
            return m.CardDealt(other, BACK)
        case m.HandHeld(other, hand) if other != seat:
            return m.HandHeld(other, _backs(hand))
        case m.DrawAsked(other, hand) if other != seat:
            return m.DrawAsked(other, _backs(hand))
        case m.Discarded(other, cards) if other != seat:
            return m.Discarded(other, _backs(cards))
    return event
