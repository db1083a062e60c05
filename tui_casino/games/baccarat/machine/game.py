"""Punto banco as a state machine: bets, coups by fixed rules, and the end of the shoe."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain

from ....cards.card import BACK, RANKS, Card
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
from ....engine.offers import IntRange, Offer, OneOf
from ....structs import replace
from . import rules
from . import state as m
from .rules import Options as Options
from .state import actions as actions
from .state import events as events

slug = "baccarat"
unit = 1  # amounts are in cents, because of the commission


def sit(options: Options, purse: int) -> Options:
    """Return the options with the player's whole balance as credit."""
    return replace(options, credit=purse)


def seats(options: Options) -> int:
    """Return the number of seats: one person bets; player and banker are only hands."""
    return 1


def start(options: Options) -> m.State:
    """Return the state before the first shoe."""
    return m.State(options, options.credit)


def turn(state: m.State) -> Turn:
    """Return what has to happen next: a shoe, a card, an action of the player, or the end."""
    if state.phase in (m.Phase.BURN, m.Phase.COUP):
        return NeedCard()
    if state.credit < m.SMALLEST_BET:
        return SittingOver("out of credit")
    if state.phase is m.Phase.SHUFFLE:
        return NeedShoe(state.options.pack)
    if state.finished and not state.options.decks:
        return SittingOver("the known shoe is finished")
    if state.finished and not state.coups:
        return SittingOver("not enough cards in the shoe")
    return AskSeats((m.PLAYER,))


def offers(state: m.State, seat: Seat) -> tuple[Offer[m.Action], ...]:
    """Return the legal actions: deal, bet within limits and credit, repeat, clear."""
    if not is_asked(turn(state), seat):
        return ()
    finished = "the shoe is finished; d begins the next" if state.finished else None
    has_bets = any(state.bets)
    repeat_barred = finished
    if not finished and not any(state.last):
        repeat_barred = "there are no bets to repeat"
    elif not finished and rules.CENTS * sum(state.last) > state.credit:
        repeat_barred = "beyond your credit"
    chips = state.free // rules.CENTS
    bets = (
        _bet_offers(spot, staked, min(chips, spot.max_bet), finished)
        for spot, staked in zip(rules.SPOTS, state.bets, strict=True)
    )
    return (
        Offer(m.Play),
        *chain.from_iterable(bets),
        Offer(m.Repeat, barred=repeat_barred),
        Offer(m.Clear, barred=None if has_bets else "there are no bets to clear"),
    )


@lru_cache(maxsize=1024)
def _bet_offers(
    spot: rules.BetSpot, staked: int, chips: int, finished: str | None
) -> tuple[Offer[m.Action], ...]:
    """Offer bets on a spot with ``staked`` credits, if the credit allows ``chips`` more."""
    low, high = 1 if staked else spot.min_bet, spot.max_bet - staked
    spot_slot = OneOf((spot,))
    if low > high:
        full = f"the limit on {spot.label} is {spot.max_bet}"
        return (Offer(m.Bet, (IntRange(1, spot.max_bet), spot_slot), barred=finished or full),)
    if finished or chips < low:
        return (
            Offer(m.Bet, (IntRange(low, high), spot_slot), barred=finished or "beyond your credit"),
        )
    fine: Offer[m.Action] = Offer(m.Bet, (IntRange(low, min(high, chips)), spot_slot))
    if chips >= high:
        return (fine,)
    return fine, Offer(m.Bet, (IntRange(chips + 1, high), spot_slot), barred="beyond your credit")


def step(state: m.State, actor: Seat | None, action: m.Action | Chance) -> Step[m.State, m.Event]:
    """Apply a player's action, or a shoe or card from the croupier."""
    match action:
        case Shoe(stock):
            return _shoe(state, stock)
        case Deal(card) if state.phase is m.Phase.BURN:
            return _burn(state, card)
        case Deal(card):
            return _deal(state, card)
        case m.Bet(credits, spot):
            place = rules.SPOTS.index(spot)
            amounts = (
                staked_there + credits * (index == place)
                for index, staked_there in enumerate(state.bets)
            )
            return _place_bets(state, rules.bets_of(amounts))
        case m.Clear():
            return _place_bets(state, rules.NO_BETS)
        case m.Repeat():
            return _place_bets(state, state.last)
        case m.Play() if state.finished:
            return Step(
                replace(state, phase=m.Phase.SHUFFLE, player=rules.NO_CARDS, banker=rules.NO_CARDS)
            )
        case m.Play():
            staked = replace(
                state,
                phase=m.Phase.COUP,
                credit=state.free,
                last=state.bets if any(state.bets) else state.last,
                player=rules.NO_CARDS,
                banker=rules.NO_CARDS,
            )
            return Step(staked)


def _place_bets(state: m.State, bets: rules.Bets) -> Step[m.State, m.Event]:
    return Step(replace(state, bets=bets), (m.BetsLaid(bets),))


def _shoe(state: m.State, stock: int) -> Step[m.State, m.Event]:
    counts = Counter(card.rank for card in state.options.pack)
    burn = state.options.burn and state.options.decks > 0 and stock > 0
    state = replace(
        state,
        stock=stock,
        phase=m.Phase.BURN if burn else m.Phase.BET,
        unseen=tuple(counts[rank] for rank in RANKS),
        burn_card=None,
        coups_left=None,
        coups=(),
    )
    return Step(state, (m.ShoeBegun(stock),))


def _take_card(state: m.State, card: Card) -> m.State:
    """Take a card from the shoe face up."""
    unseen = list(state.unseen)
    unseen[RANKS.index(card.rank)] -= 1
    return replace(state, stock=state.stock - 1, unseen=tuple(unseen))


def _burn(state: m.State, card: Card) -> Step[m.State, m.Event]:
    event: m.Event
    if state.burn_card is None:
        state = replace(_take_card(state, card), burn_card=card)
        cards_to_burn = min(rules.burn_count(card), state.stock)
        event = m.BurnCard(card, cards_to_burn)
    else:
        state = replace(state, stock=state.stock - 1)
        cards_to_burn = state.burning - 1
        event = m.Burnt(card)
    phase = m.Phase.BURN if cards_to_burn else m.Phase.BET
    return Step(replace(state, burning=cards_to_burn, phase=phase), (event,))


def _deal(state: m.State, card: Card) -> Step[m.State, m.Event]:
    events: list[m.Event] = []
    options = state.options
    cut = options.decks and options.cut_card and state.coups_left is None
    if cut and state.stock <= options.cut_card:
        state = replace(state, coups_left=2)  # this coup and one more
        events.append(m.CutCard())
    side = rules.next_to_receive(state.player, state.banker)
    assert side is not None, "a finished coup needs no card"
    state = _take_card(state, card)
    if side is rules.HandSide.PLAYER:
        state = replace(state, player=state.player.receive(card))
    else:
        state = replace(state, banker=state.banker.receive(card))
    events.append(m.CardDealt(side, card))
    player, banker = state.player, state.banker
    if len(player) == len(banker) == 2:
        events.append(m.InitialDeal(player, banker))
    if rules.next_to_receive(player, banker) is not None:
        return Step(state, tuple(events))
    natural = rules.coup_of(player, banker).natural
    if not natural:
        events.append(m.AfterDraw(player, banker))
    return _pay(state, events)


def _pay(state: m.State, events: list[m.Event]) -> Step[m.State, m.Event]:
    coup = rules.coup_of(state.player, state.banker)
    payouts = [
        rules.payout(spot, credits, coup, state.options)
        for spot, credits in zip(rules.SPOTS, state.bets, strict=True)
    ]
    credit = state.credit + sum(payouts)
    coup_over = m.CoupOver(
        state.player, state.banker, coup.outcome, state.bets, rules.bets_of(payouts), credit
    )
    coups_left = None if state.coups_left is None else state.coups_left - 1
    state = replace(
        state,
        phase=m.Phase.BET,
        credit=credit,
        bets=rules.NO_BETS,
        coups=(*state.coups, coup),
        coups_left=coups_left,
    )
    if state.finished:
        return Step(state, (*events, coup_over, m.ShoeFinished(len(state.coups))))
    return Step(state, (*events, coup_over))


def view(state: m.State, seat: Seat | None) -> m.State:
    """Return the whole state: it never contains the hidden burnt cards."""
    return state


def hear(state: m.State, event: m.Event, seat: Seat | None) -> m.Event:
    """Return the event, with the face of a burnt card hidden."""
    return m.Burnt(BACK) if isinstance(event, m.Burnt) else event


def money(state: m.State, seat: Seat) -> Money:
    """Return the credit, including bets before the deal, and the bets of a coup being dealt."""
    return Money(state.credit, rules.CENTS * sum(state.bets) if state.phase is m.Phase.COUP else 0)
