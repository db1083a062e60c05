"""Cribbage as a state machine: deal, discards, starter, play and show."""

from __future__ import annotations

from collections.abc import Sequence

from ....cards.card import PACK, Card
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
from ....engine.offers import IntRange, Offer, OneOf, Subset
from ....structs import replace
from .rules import (
    DEALT,
    DISCARDS,
    HANDS,
    last_scores,
    play_scores,
    points_of,
    show_scores,
    starter_scores,
)
from .scoring import MOST, Score
from .state import (
    FIRST_DEALER,
    SEATS,
    Action,
    CardDealt,
    Count,
    CountingMode,
    Discard,
    Discarded,
    Event,
    GameForm,
    GameOver,
    Go,
    GoSaid,
    HandCounted,
    HandDealt,
    HandShown,
    Laid,
    Lay,
    Next,
    Options,
    Phase,
    Placed,
    RoundBegun,
    RoundOver,
    RoundPart,
    Scored,
    StarterTurned,
    State,
    actions,
    events,
    pair_with,
)
from .state import hear as hear
from .state import view as view

__all__ = [
    "Options",
    "actions",
    "events",
    "hear",
    "money",
    "offers",
    "seats",
    "sit",
    "slug",
    "start",
    "step",
    "turn",
    "unit",
    "view",
]

slug = "cribbage"
unit = 1  # cribbage is played for points only
CARDS_A_ROUND = len(SEATS) * DEALT + 1
_PLACES = tuple(range(1, DEALT + 1))


def sit(options: Options, purse: int) -> Options:
    """Return the options unchanged: cribbage does not use the balance."""
    return options


def seats(options: Options) -> int:
    """Return the number of players."""
    return len(SEATS)


def start(options: Options) -> State:
    """Return the state before the first deal; seat 1 deals first."""
    return State(options)


def turn(state: State) -> Turn:
    """Return what has to happen next: a shoe, a card, an action of a seat, or the end."""
    match state.phase:
        case Phase.SHUFFLE:
            return NeedShoe(PACK)
        case Phase.DEAL | Phase.STARTER:
            return NeedCard()
        case Phase.PLAY:
            return AskSeats((Seat(state.player),))
        case Phase.SHOW if state.options.counting is not CountingMode.TABLE:
            return AskSeats((Seat(state.on_show[0]),))
        case Phase.OVER:
            return SittingOver(_end_reason(state.options))
        case Phase.SHORT:
            return SittingOver("not enough cards in the deck")
    return AskSeats((Seat(state.waiting[0]),))


def _end_reason(options: Options) -> str:
    if options.games > 1:
        return f"{options.games} {options.form.value}s have been played"
    if options.form is GameForm.ROUND:
        return "the round has been played"
    return f"a player has {options.rule_set.target} points"


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    """Return what a seat may do: discard two cards, play a card, say go, count, or continue.

    A count may be any number up to the target, because the highest possible hand depends on the
    rules.
    """
    if not is_asked(turn(state), seat):
        return ()
    match state.phase:
        case Phase.DISCARD:
            return (Offer(Discard, (Subset(_PLACES, DISCARDS, DISCARDS),)),)
        case Phase.PLAY:
            return _play_offers(state, seat)
        case Phase.SHOW if state.options.counting is not CountingMode.TABLE:
            return (Offer(Count, (IntRange(0, state.options.rule_set.target),)),)
    return (Offer(Next),)


def _play_offers(state: State, seat: int) -> tuple[Offer[Action], ...]:
    hand = state.hands[seat]
    places = tuple(hand.index(card) + 1 for card in state.playable(seat))
    if not places:
        return (Offer(Go),)
    return (Offer(Lay, (OneOf(places),), defaults=places if len(places) == 1 else None),)


def step(state: State, actor: Seat | None, action: Action | Chance) -> Step[State, Event]:
    """Apply an action that was offered, or a card or shoe from the croupier."""
    match action:
        case Shoe(stock):
            return _begin(state, stock)
        case Deal(card) if state.phase is Phase.DEAL:
            return _deal(state, card)
        case Deal(card):
            return _turn_up(state, card)
        case Discard(places):
            return _discard(state, places)
        case Lay(place):
            return _play_card(state, place)
        case Go():
            return _say_go(state)
        case Count(points):
            return _score_hand(state, points)
        case Next():
            return _next(state)


def _prepend_events(events: Sequence[Event], step: Step[State, Event]) -> Step[State, Event]:
    return Step(step.state, (*events, *step.events))


# ---- points ------------------------------------------------------------------------------------


def _award(state: State, seat: int, scores: Sequence[Score], part: RoundPart) -> Step[State, Event]:
    """Add scores one after the other; in a game, stop at the score that reaches the target."""
    target = state.options.rule_set.target if state.options.form is GameForm.GAME else None
    points_before = total = state.points[seat]
    events: list[Event] = []
    winner = None
    for score in scores:
        total += score.points
        if target is not None and total >= target:
            total, winner = target, seat
        events.append(Scored(seat, total, score.points, score.kind, score.cards, part))
        if winner is not None:
            break
    if not events:
        return Step(state)
    other = 1 - seat
    points, back_pegs = (total, state.points[other]), (points_before, state.back[other])
    if seat == 1:
        points, back_pegs = points[::-1], back_pegs[::-1]
    return Step(replace(state, points=points, back=back_pegs, winner=winner), tuple(events))


def _end_round(state: State) -> Step[State, Event]:
    events: list[Event] = [RoundOver(state.points)]
    game_ended = state.winner is not None or state.options.form is GameForm.ROUND
    if state.winner is not None:
        game_over = _game_over(state, state.winner)
        events.append(game_over)
        first, second = state.won
        counts = state.options.rule_set.win + game_over.worth - 1
        games_won = (first + counts, second) if state.winner == 0 else (first, second + counts)
        state = replace(state, won=games_won)
    games_played = state.played + game_ended
    phase = Phase.OVER if games_played == state.options.games else Phase.REST
    return Step(replace(state, phase=phase, played=games_played, waiting=SEATS), tuple(events))


def _game_over(state: State, winner: int) -> GameOver:
    behind = state.points[1 - winner]
    skunks = sum(behind <= line for line in state.options.rule_set.skunks)
    return GameOver(winner, state.points, 1 + skunks)


# ---- the deal ----------------------------------------------------------------------------------


def _begin(state: State, stock: int) -> Step[State, Event]:
    if stock < CARDS_A_ROUND:
        return Step(replace(state, phase=Phase.SHORT))
    state = State(
        state.options,
        phase=Phase.DEAL,
        dealer=state.dealer,
        played=state.played,
        won=state.won,
        points=state.points,
        back=state.back,
        player=state.pone,
    )
    return Step(state, (RoundBegun(state.dealer),))


def _deal(state: State, card: Card) -> Step[State, Event]:
    seat = state.pone if len(state.hands[0]) == len(state.hands[1]) else state.dealer
    state = replace(state, hands=pair_with(state.hands, seat, (*state.hands[seat], card)))
    events: list[Event] = [CardDealt(seat, card)]
    if any(len(hand) < DEALT for hand in state.hands):
        return Step(state, tuple(events))
    hands = (tuple(sorted(state.hands[0])), tuple(sorted(state.hands[1])))
    waiting = (state.pone, state.dealer)
    events += [HandDealt(place, hands[place]) for place in waiting]
    return Step(replace(state, phase=Phase.DISCARD, hands=hands, waiting=waiting), tuple(events))


def _discard(state: State, places: tuple[int, ...]) -> Step[State, Event]:
    seat, *waiting = state.waiting
    hand = state.hands[seat]
    discarded = tuple(hand[place - 1] for place in places)
    kept_cards = tuple(card for card in hand if card not in discarded)
    state = replace(
        state,
        phase=Phase.DISCARD if waiting else Phase.STARTER,
        hands=pair_with(state.hands, seat, kept_cards),
        discards=pair_with(state.discards, seat, discarded),
        waiting=tuple(waiting),
    )
    return Step(state, (Discarded(seat, discarded, kept_cards),))


def _turn_up(state: State, card: Card) -> Step[State, Event]:
    state = replace(state, phase=Phase.PLAY, starter=card)
    scores = starter_scores(card, state.options.rule_set)
    award = _award(state, state.dealer, scores, RoundPart.STARTER)
    events = (StarterTurned(card), *award.events)
    if award.state.winner is not None:
        return _prepend_events(events, _end_round(award.state))
    return Step(award.state, events)


# ---- the play ----------------------------------------------------------------------------------


def _play_card(state: State, place: int) -> Step[State, Event]:
    seat = state.player
    card = state.hands[seat][place - 1]
    state = replace(state, laid=(*state.laid, Placed(seat, card)))
    scores = play_scores(state.segment, state.options.rule_set)
    award = _award(state, seat, scores, RoundPart.PLAY)
    events = (Laid(seat, state.count, card), *award.events)
    state = award.state
    if state.winner is not None:
        return _prepend_events(events, _end_round(state))
    if state.count == MOST:
        state = _new_segment(state)
    elif not state.go:
        state = replace(state, player=1 - seat)
    return _prepend_events(events, _play_on(state))


def _say_go(state: State) -> Step[State, Event]:
    events = (GoSaid(state.player),)
    return _prepend_events(events, _play_on(replace(state, go=True, player=1 - state.player)))


def _new_segment(state: State) -> State:
    return replace(state, begun=len(state.laid), go=False, player=1 - state.player)


def _play_on(state: State) -> Step[State, Event]:
    """Pass the turn to a player who can act, or go to the show."""
    events: tuple[Event, ...] = ()
    while any(map(state.unplayed, SEATS)):
        seat = state.player
        if state.playable(seat) or (state.unplayed(seat) and not state.go):
            return Step(state, events)
        if state.go:
            award = _last_card(state)
            events += award.events
            if award.state.winner is not None:
                return _prepend_events(events, _end_round(award.state))
            state = _new_segment(award.state)
        else:  # a player without cards does not say go
            state = replace(state, go=True, player=1 - seat)
    award = _last_card(state)
    events += award.events
    state = replace(award.state, phase=Phase.SHOW)
    if state.winner is not None:
        return _prepend_events(events, _end_round(state))
    if state.options.counting is CountingMode.TABLE:
        return Step(replace(state, waiting=SEATS), events)
    return _prepend_events(events, _show(state))


def _last_card(state: State) -> Step[State, Event]:
    if not state.segment:  # it ended on 31
        return Step(state)
    scores = last_scores(state.segment, state.options.rule_set)
    return _award(state, state.laid[-1].seat, scores, RoundPart.PLAY)


# ---- the show ----------------------------------------------------------------------------------


def _next(state: State) -> Step[State, Event]:
    state = replace(state, waiting=state.waiting[1:])
    if state.waiting:
        return Step(state)
    if state.phase is Phase.SHOW:
        return _show(state)
    if state.options.form is GameForm.GAME and state.winner is None:
        return Step(replace(state, phase=Phase.SHUFFLE, dealer=state.pone))
    # In a series the first deal alternates between the seats; in the trainer, seat 1 always deals.
    dealer = FIRST_DEALER
    if state.options.form is GameForm.GAME and state.played % 2:
        dealer = 1 - FIRST_DEALER
    nothing = (0, 0)
    return Step(replace(state, phase=Phase.SHUFFLE, dealer=dealer, points=nothing, back=nothing))


def _show(state: State) -> Step[State, Event]:
    """Show the next hand, and count it unless its owner must."""
    state = replace(state, shown=state.shown + 1)
    seat, hand, crib = state.on_show
    assert state.starter is not None
    events = (HandShown(seat, state.starter, hand, crib),)
    if state.options.counting is not CountingMode.TABLE:
        return Step(state, events)
    return _prepend_events(events, _score_hand(state, None))


def _worth(state: State) -> tuple[Score, ...]:
    assert state.starter is not None
    _, hand, crib = state.on_show
    return show_scores(hand, state.starter, state.options.rule_set, crib)


def _score_hand(state: State, claimed_points: int | None) -> Step[State, Event]:
    """Score the hand that was shown: all of it, or only what its owner has claimed."""
    seat, hand, crib = state.on_show
    scores = _worth(state)
    worth = points_of(scores)
    events: tuple[Event, ...] = (HandCounted(seat, scores, claimed_points),)
    awards = [(seat, scores)]
    if claimed_points is not None and claimed_points < worth:
        awards = [(seat, (Score("count", claimed_points, hand),))] if claimed_points else []
        if state.options.counting is CountingMode.MUGGINS:
            awards.append((1 - seat, (Score("muggins", worth - claimed_points, hand),)))
    for scorer, deserved in awards:
        award = _award(state, scorer, deserved, RoundPart.CRIB if crib else RoundPart.HAND)
        state, events = award.state, events + award.events
        if state.winner is not None:
            break
    return _prepend_events(events, _after_hand(state))


def _after_hand(state: State) -> Step[State, Event]:
    if state.winner is not None or state.shown == HANDS:
        return _end_round(state)
    if state.options.counting is CountingMode.TABLE:
        return Step(replace(state, waiting=SEATS))
    return _show(state)


def money(state: State, seat: Seat) -> Money:
    """Return nothing: cribbage is played for points only."""
    return Money(0)
