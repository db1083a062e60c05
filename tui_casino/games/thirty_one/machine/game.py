"""Hit Me: a bet, one card each, the player's turn, the dealer's turn, and payment."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.card import Card, Rank, whole_packs
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
from ....engine.money import Money, dollars
from ....engine.offers import IntRange, Offer
from ....structs import replace
from . import state as m
from .rules import (
    CENTS,
    DECKS,
    LEAST_ROUND,
    LEAST_STOCK,
    LIMIT,
    MAXIMUM,
    MINIMUM,
    PURSE,
    Rules,
    dealer_draws,
    dealer_stop,
    may_double,
    may_split,
    payout,
    total_of,
)
from .state import Options as Options
from .state import actions as actions
from .state import events as events

slug = "thirty-one"
unit = 1  # cents, because insurance may pay fractional odds
PLAYER = Seat(0)


def sit(options: Options, purse: int) -> Options:
    """Return the options with the player's balance as credit, at most the usual starting credit."""
    return replace(options, credit=min(purse, CENTS * PURSE))


def seats(options: Options) -> int:
    """Return 1: one player bets, and the dealer is the house."""
    return 1


def start(options: Options) -> m.State:
    """Return the state before the first round, with the credit of the options and no shoe."""
    return m.State(options, options.credit)


def turn(state: m.State) -> Turn:
    """Return who must act next: the croupier or the player."""
    if state.waiting:
        return NeedCard() if state.stock else NeedShoe(state.discards)
    match state.phase:
        case m.Phase.INSURANCE | m.Phase.PLAY:
            return AskSeats((PLAYER,))
        case m.Phase.VOID:
            return SittingOver("the cards are used up, and the round is void")
    if state.credit < CENTS * MINIMUM:
        return SittingOver(f"your credit is below {MINIMUM}")
    if state.phase is m.Phase.SHUFFLE:
        return NeedShoe(whole_packs(DECKS))
    if state.stock < LEAST_ROUND:
        reason = "too few cards are left for a round"
        return SittingOver(reason if state.stock else "the cards are used up")
    return AskSeats((PLAYER,))


def offers(state: m.State, seat: Seat) -> tuple[Offer[m.Action], ...]:
    """Return the possible actions: bets, insurance, or plays that the credit covers."""
    if not is_asked(turn(state), seat):
        return ()
    match state.phase:
        case m.Phase.BET:
            return tuple(_bets(state))
        case m.Phase.INSURANCE:
            return Offer(m.Decline), Offer(m.Insure)
    return tuple(_plays(state))


def _bets(state: m.State) -> Iterator[Offer[m.Action]]:
    usual = (state.last or MINIMUM,)
    highest_bet = min(MAXIMUM, state.credit // CENTS)
    yield Offer(m.Bet, (IntRange(MINIMUM, highest_bet),), defaults=usual)
    if highest_bet < MAXIMUM:
        reason = f"your credit is {dollars(state.credit)}"
        yield Offer(m.Bet, (IntRange(highest_bet + 1, MAXIMUM),), barred=reason, defaults=usual)


def _plays(state: m.State) -> Iterator[Offer[m.Action]]:
    hand, rules = _active(state), state.options.rules
    first, second = (m.Stand, m.Hit) if state.offers_14 else (m.Hit, m.Stand)
    yield Offer(first)
    yield Offer(second)
    if state.credit < hand.bet:
        return
    if may_double(hand.cards, len(state.hands), rules):
        yield Offer(m.Double)
    if may_split(hand.cards, len(state.hands), rules):
        yield Offer(m.Split)


def _active(state: m.State) -> m.PlayerHand:
    assert state.active is not None, "no hand is in play"
    return state.hands[state.active]


def step(state: m.State, actor: Seat | None, action: m.Action | Chance) -> Step[m.State, m.Event]:
    """Apply an action of the player, or a card or shoe from the croupier."""
    step = play(state, action)
    if not awaits_dealer(step.state):
        return step
    if dealer_draws_against(step.state):
        return Step(replace(step.state, waiting=(m.DEALER,)), step.events)
    settled = settle(step.state)
    return Step(settled.state, (*step.events, *settled.events))


def play(state: m.State, action: m.Action | Chance) -> Step[m.State, m.Event]:
    """Apply an action up to the dealer's next decision, which :func:`step` then makes."""
    match action:
        case Shoe(stock):
            return _shoe(state, stock)
        case Deal(card):
            return _deal_card(state, card)
        case m.Bet(amount):
            return _bet(state, amount)
        case m.Insure():
            stake = state.hands[0].bet
            state = replace(state, credit=state.credit - stake, insurance=stake, phase=m.Phase.PLAY)
            return _continue(state, m.Insured(stake))
        case m.Decline():
            return _continue(replace(state, phase=m.Phase.PLAY), m.Declined())
    place = state.active
    assert place is not None, "no hand is in play"
    hand, count = state.hands[place], len(state.hands)
    match action:
        case m.Hit():
            return Step(replace(state, waiting=(place,)))
        case m.Stand():
            event = m.Stood(place, hand.total.points, count)
            return _continue(_replace_hand(state, place, replace(hand, stood=True)), event)
        case m.Double():
            state = _replace_hand(state, place, replace(hand, bet=2 * hand.bet, doubled=True))
            state = replace(state, credit=state.credit - hand.bet, waiting=(place,))
            return Step(state, (m.Doubled(place, 2 * hand.bet, count),))
        case m.Split():
            split_hands = (m.PlayerHand(hand.bet, (card,)) for card in hand.cards)
            hands = *state.hands[:place], *split_hands, *state.hands[place + 1 :]
            credit = state.credit - hand.bet
            state = replace(state, credit=credit, hands=hands, waiting=(place, place + 1))
            return Step(state, (m.PairSplit(hand.bet),))


def _replace_hand(state: m.State, place: int, hand: m.PlayerHand) -> m.State:
    return replace(state, hands=(*state.hands[:place], hand, *state.hands[place + 1 :]))


# ---- the cards -----------------------------------------------------------------------------------


def _shoe(state: m.State, stock: int) -> Step[m.State, m.Event]:
    in_round = bool(state.waiting)
    if in_round and not stock:
        return void(state)
    phase = state.phase if in_round else m.Phase.BET
    state = replace(state, stock=stock, discards=(), phase=phase)
    return Step(state, (m.ShoeBegun(stock, in_round),) if stock else ())


def void(state: m.State) -> Step[m.State, m.Event]:
    """Return the stakes of a round for which no card is left."""
    back = state.staked
    state = replace(state, credit=state.credit + back, phase=m.Phase.VOID, waiting=())
    return Step(state, (m.RoundVoid(back),))


def _bet(state: m.State, amount: int) -> Step[m.State, m.Event]:
    bet = CENTS * amount
    state = replace(
        state,
        credit=state.credit - bet,
        phase=m.Phase.DEAL,
        last=amount,
        dealer=(),
        hands=(m.PlayerHand(bet),),
        insurance=0,
        waiting=(0, m.DEALER),
    )
    return Step(state, (m.RoundBegun(bet),))


def _deal_card(state: m.State, card: Card) -> Step[m.State, m.Event]:
    place, *waiting = state.waiting
    state = replace(state, stock=state.stock - 1, waiting=tuple(waiting))
    if place == m.DEALER:
        cards = (*state.dealer, card)
        state = replace(state, dealer=cards)
    else:
        hand = state.hands[place]
        cards = (*hand.cards, card)
        state = _replace_hand(state, place, replace(hand, cards=cards, stood=hand.doubled))
    event = m.CardDealt(place, cards, len(state.hands))
    return Step(state, (event,)) if waiting else _continue(state, event)


def _continue(state: m.State, *events: m.Event) -> Step[m.State, m.Event]:
    """Continue: ask the player, or leave the next decision to the dealer."""
    if state.phase is m.Phase.DEAL:
        hand = state.hands[0]
        if state.dealer[0].rank is Rank.ACE and state.credit >= hand.bet:
            event = m.InsuranceAsked(hand.bet, state.dealer, hand.cards)
            return Step(replace(state, phase=m.Phase.INSURANCE), (*events, event))
        state = replace(state, phase=m.Phase.PLAY)
    if state.active is not None:
        hands = tuple(hand.cards for hand in state.hands)
        return Step(state, (*events, m.TurnAsked(state.active, hands, state.dealer)))
    return Step(replace(state, phase=m.Phase.DEALER), events)


def awaits_dealer(state: m.State) -> bool:
    """Return whether all hands are played, and the dealer has to decide."""
    return state.phase is m.Phase.DEALER and not state.waiting


def dealer_draws_against(state: m.State) -> bool:
    """Return whether any of the hands, or the insurance, requires the dealer to draw again."""
    rules = state.options.rules
    live = {hand.on_14 for hand in state.hands if not hand.total.bust}
    if not live and state.insurance:
        live = {False}
    return any(
        dealer_draws(dealer_stop(state.dealer, rules, only_31=on_14), rules, only_31=on_14)
        for on_14 in live
    )


def settle(state: m.State) -> Step[m.State, m.Event]:
    """Compare the hands with the dealer's cards, and pay the round out."""
    rules = state.options.rules
    hands = tuple(_settled(hand, state, rules) for hand in state.hands)
    wins_insurance = state.insurance and total_of(state.dealer).points == LIMIT
    insurance_back = (
        state.insurance + rules.insurance.winnings(state.insurance) if wins_insurance else 0
    )
    credit = state.credit + sum(hand.back for hand in hands) + insurance_back
    first = state.hands[0]
    bet = first.bet // (2 if first.doubled else 1)
    event = m.RoundOver(state.dealer, bet, hands, state.insurance, insurance_back, credit)
    on_table = (card for hand in state.hands for card in hand.cards)
    state = replace(
        state,
        phase=m.Phase.SHUFFLE if state.stock < LEAST_STOCK else m.Phase.BET,
        credit=credit,
        discards=(*state.discards, *on_table, *state.dealer),
    )
    return Step(state, (event,))


def _settled(hand: m.PlayerHand, state: m.State, rules: Rules) -> m.Settled:
    points = hand.total.points
    against = dealer_stop(state.dealer, rules, only_31=hand.on_14).points
    back = 0 if hand.total.bust else payout(hand.bet, points, against, on_14=hand.on_14)
    return m.Settled(hand.cards, hand.bet, back, against, hand.on_14)


# ---- hidden information --------------------------------------------------------------------------


def view(state: m.State, seat: Seat | None) -> m.State:
    """Return the whole state: every card is face up."""
    return state


def hear(state: m.State, event: m.Event, seat: Seat | None) -> m.Event:
    """Return the whole event: nothing is hidden."""
    return event


def money(state: m.State, seat: Seat) -> Money:
    """Return the credit, and the money at stake in the round."""
    return Money(state.credit, state.staked)
