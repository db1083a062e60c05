"""Five-card draw for several people: who is dealt in, is asked, sees what, and has which money."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.helpers.random_play import cards_in, seed_of, swap
from tui_casino.cards.card import BACK, PACK, Card, parse_hand
from tui_casino.engine.chance import CommittedSource, SeededSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.event_bus import ALL_CARDS, TableUpdate
from tui_casino.engine.game import AskSeats, IllegalAction, Seat, SittingOver, is_asked
from tui_casino.engine.seating import NOBODY, Join, Leave, SeatLeft, SitOut
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw.machine import game, shared_game
from tui_casino.games.five_card_draw.machine import state as m
from tui_casino.games.five_card_draw.machine.shared_game import Options
from tui_casino.records.codec import encode

AtTable = Table[Any, Any, Any, Any]
ANN, BOB, CAT, DAN = map(Seat, range(4))

# Bob acts first and gets a pair of aces, Ann has king high and deals
TWO = parse_hand("AC KD AD 9H 4C 7S 8D 5C 2S 3D") + parse_hand("QC QD QH QS JC JD JH JS TC TD")


def at(options: Options, cards: tuple[Card, ...] | None = None) -> AtTable:
    players = dict.fromkeys(map(Seat, range(options.seats)))
    if cards is None:
        return Table(shared_game, options, ShuffledShoe(), CommittedSource(seed_of(0)), {**players})
    return Table(shared_game, options, FixedShoe(cards), SeededSource(0), {**players})


def do(table: AtTable, seat: Seat, action: Any) -> None:
    table.submit(seat, action)
    table.run()


def time_over(table: AtTable, seat: Seat) -> None:
    assert seat in shared_game.awaited(table.state)
    do(table, seat, shared_game.default(table.state, seat))


def view(table: AtTable, seat: Seat) -> m.State:
    return shared_game.seen(table.state, (), seat).state


def asks(table: AtTable, seat: Seat) -> bool:
    """Whether the game for one person asks the seat, with what the seat sees."""
    return is_asked(game.turn(view(table, seat)), seat)


def two_at_a_table(options: Options | None = None) -> AtTable:
    table = at(options or Options(3), TWO)
    do(table, ANN, Join(100))
    do(table, BOB, Join(60))
    return table


def test_hand_of_two_begins_once_both_are_ready() -> None:
    table = at(Options(3), TWO)
    do(table, ANN, Join(100))
    assert not asks(table, ANN), "nobody else is there"
    assert not shared_game.awaited(table.state)
    do(table, BOB, Join(60))
    assert asks(table, ANN)
    assert asks(table, BOB)
    assert not shared_game.awaited(table.state), "nobody is ready yet"
    do(table, ANN, m.Play())
    assert not asks(table, ANN)
    assert shared_game.awaited(table.state) == (BOB,)
    assert shared_game.doing(table.state, ANN) == "ready"
    do(table, BOB, m.Play())
    play = table.state.play
    assert play.dealt_in == (BOB, ANN), "Ann deals, because nobody sits in the last seat"
    assert play.stacks == (95, 55, 0)
    assert shared_game.awaited(table.state) == (BOB,)
    assert shared_game.doing(table.state, ANN) == ""


def test_bets_and_the_draw_move_the_money_of_both() -> None:
    """Bob's aces win antes of 5 and bets of 10 and 20: he has 60 + 35, Ann 100 - 35."""
    table = two_at_a_table()
    for seat in (ANN, BOB):
        do(table, seat, m.Play())
    assert view(table, BOB).hands[ANN] == (BACK,) * 5
    assert view(table, CAT).hands[:2] == ((BACK,) * 5,) * 2
    do(table, BOB, m.Bet())
    assert shared_game.doing(table.state, BOB) == "bets"
    assert not asks(table, BOB)
    do(table, ANN, m.Call())
    do(table, BOB, m.Discard(()))
    assert shared_game.doing(table.state, BOB) == "stands pat"
    do(table, ANN, m.Discard((4, 5)))
    assert shared_game.doing(table.state, ANN) == "draws 2"
    do(table, BOB, m.Bet())
    do(table, ANN, m.Call())
    # Ann drew a pair of queens
    assert table.state.play.stacks == (65, 95, 0)
    assert shared_game.money(table.state, BOB).free == 95
    assert asks(table, ANN)
    assert asks(table, BOB)


def test_clock_checks_folds_and_stands_pat() -> None:
    table = two_at_a_table()
    do(table, ANN, m.Play())
    do(table, BOB, m.Play())
    time_over(table, BOB)
    assert shared_game.doing(table.state, BOB) == "checks"
    do(table, ANN, m.Check())
    time_over(table, BOB)
    assert table.state.play.drawn[BOB] == 0
    do(table, ANN, m.Discard(()))
    do(table, BOB, m.Bet())
    time_over(table, ANN)
    assert shared_game.doing(table.state, ANN) == "folded"
    assert table.state.play.stacks == (95, 65, 0)


def test_seat_that_sits_out_is_not_waited_for_and_is_dealt_in_when_it_wants() -> None:
    table = at(Options(3))
    for seat in (ANN, BOB, CAT):
        do(table, seat, Join(100))
    do(table, ANN, m.Play())
    do(table, CAT, m.Play())
    time_over(table, BOB)
    assert set(table.state.play.dealt_in) == {ANN, CAT}
    assert shared_game.doing(table.state, BOB) == "sits out"
    assert view(table, BOB).hands[ANN] == view(table, BOB).hands[CAT] == (BACK,) * 5
    for _ in range(10):
        if shared_game.awaited(table.state):
            time_over(table, shared_game.awaited(table.state)[0])
    assert asks(table, BOB), "Bob may come back"
    do(table, ANN, m.Play())
    assert shared_game.awaited(table.state) == (CAT,)
    do(table, BOB, m.Play())
    do(table, CAT, m.Play())
    assert set(table.state.play.dealt_in) == {ANN, BOB, CAT}


def test_two_seats_that_sit_out_let_nobody_play_alone() -> None:
    table = two_at_a_table()
    do(table, ANN, m.Play())
    time_over(table, BOB)
    assert table.state.play.phase is m.Phase.REST
    assert not shared_game.awaited(table.state)
    do(table, BOB, m.Play())
    assert table.state.play.dealt_in == (BOB, ANN)


def test_who_sits_down_during_a_hand_plays_from_the_next_one_on() -> None:
    table = at(Options(3))
    do(table, ANN, Join(100))
    do(table, BOB, Join(60))
    do(table, ANN, m.Play())
    do(table, BOB, m.Play())
    do(table, CAT, Join(200))
    assert shared_game.money(table.state, CAT).free == 200
    assert table.state.play.stacks[CAT] == 0
    assert view(table, CAT).stacks == (95, 55, 200)
    with pytest.raises(IllegalAction):
        do(table, ANN, Leave())
    for seat in (BOB, ANN) * 3:
        time_over(table, seat)
    assert table.state.play.stacks[CAT] == 200
    for seat in (ANN, BOB, CAT):
        do(table, seat, m.Play())
    assert set(table.state.play.dealt_in) == {ANN, BOB, CAT}


def test_who_cannot_pay_the_ante_is_paid_out_and_the_table_goes_on() -> None:
    """Ann has the aces; Bob, with 7 credits, calls with his last 2 and loses."""
    table = at(Options(2), TWO)
    do(table, ANN, Join(100))
    do(table, BOB, Join(7))
    heard: list[TableUpdate[Any, Any]] = []
    table.bus.subscribe(ALL_CARDS, heard.append)
    do(table, ANN, m.Play())
    do(table, BOB, m.Play())
    do(table, ANN, m.Bet())
    do(table, BOB, m.Call())
    do(table, ANN, m.Discard(()))
    do(table, BOB, m.Discard(()))
    assert heard[-1].events[-1] == SeatLeft(BOB, 0)
    seen = shared_game.seen(heard[-1].state, heard[-1].events, BOB)
    assert seen.state.hands[BOB] == parse_hand("KD 9H 7S 5C 3D")
    assert seen.state.stacks[BOB] == 0
    assert game.turn(seen.state) == SittingOver("out of credit")
    assert table.state.play.stacks == (107, 0)
    do(table, BOB, Join(50))
    assert asks(table, ANN)


def test_seat_taken_again_sees_no_card_of_the_one_before() -> None:
    table = two_at_a_table()
    do(table, ANN, m.Play())
    do(table, BOB, m.Play())
    do(table, BOB, m.Bet())
    do(table, ANN, m.Fold())
    do(table, BOB, Leave())
    do(table, BOB, Join(50))
    seen = view(table, BOB)
    assert not {*cards_in(seen)} - {BACK}
    assert asks(table, BOB)


@pytest.mark.parametrize("computers", [NOBODY, "algorithm"])
def test_cards_of_somebody_who_left_are_not_those_of_who_sits_there_now(computers: str) -> None:
    table = at(Options(3, computers=computers))
    do(table, ANN, Join(100))
    do(table, BOB, Join(60))
    do(table, CAT, Join(60))
    for seat in (ANN, BOB, CAT):
        do(table, seat, m.Play())
    while shared_game.awaited(table.state):
        (seat,) = shared_game.awaited(table.state)
        betting = table.state.play.betting
        draws = table.state.play.phase is m.Phase.DRAW
        opened = betting is not None and betting.opened
        do(table, seat, m.Discard(()) if draws else m.Call() if opened else m.Bet())
    hands = view(table, ANN).hands
    assert {*cards_in(hands[BOB])} - {BACK}, "there was a showdown"
    do(table, BOB, Leave())
    kept = hands[BOB] if computers == NOBODY else ()
    assert view(table, ANN).hands == (hands[ANN], kept, hands[CAT])
    do(table, BOB, Join(60))
    for seat in (ANN, CAT):
        assert view(table, seat).hands[BOB] == ()
        assert BOB not in view(table, seat).winners
        assert view(table, seat).hands[ANN] == hands[ANN]
    assert not {*cards_in(view(table, BOB))}, "nor does Bob see the hand before"


def test_computer_plays_the_seat_that_is_free_and_whoever_takes_it_waits_for_the_next_hand() -> (
    None
):
    table = at(Options(2, computers="algorithm"), TWO)
    assert table.state.play.stacks == (400, 400)
    do(table, ANN, Join(50))
    assert table.state.play.stacks == (50, 400)
    assert asks(table, ANN), "there is a computer to play with"
    do(table, ANN, m.Play())
    assert shared_game.computer_seat(table.state) is None
    assert shared_game.awaited(table.state) == (ANN,)
    do(table, BOB, Join(30))
    do(table, ANN, m.Bet())
    assert shared_game.computer_seat(table.state) == BOB
    assert not shared_game.awaited(table.state)
    assert not {*cards_in(view(table, BOB))}
    assert shared_game.money(table.state, BOB).free == 30
    do(table, BOB, m.Fold())
    assert table.state.play.stacks == (55, 30)
    assert asks(table, BOB)
    assert not {*cards_in(view(table, BOB))}, "the computer has folded them"
    do(table, BOB, Leave())
    assert table.state.play.stacks == (55, 400)


def test_options_without_stakes_or_with_too_many_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 4 seats, not 5"):
        Options(5)
    with pytest.raises(ValueError, match="has stakes"):
        Options(2, m.Stakes.NOTHING)


class _Dice:
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def below(self, n: int, /) -> int:
        return self._dice.randrange(n)


def random_action(table: AtTable, dice: random.Random) -> tuple[Seat, Any]:
    """Return a random action of a seat, mostly of one that the game asks."""
    state = table.state
    if (computer := shared_game.computer_seat(state)) is not None and dice.random() < 0.8:
        offers = game.offers(game.view(state.play, computer), computer)
        playable = [one for one in offers if one.barred is None]
        return computer, dice.choice(playable).sample(_Dice(dice))
    awaited = shared_game.awaited(state)
    if awaited and dice.random() < 0.3:
        return awaited[0], shared_game.default(state, awaited[0])
    turn = shared_game.turn(state)
    assert isinstance(turn, AskSeats)
    seats = [seat for seat in turn.seats if shared_game.offers(state, seat)]
    seat = dice.choice(awaited if awaited and dice.random() < 0.7 else seats)
    able: list[Any] = [one for one in shared_game.offers(state, seat) if one.barred is None]
    plays = [one for one in able if one.kind not in (Leave, SitOut)]
    offer = dice.choice(plays if plays and dice.random() < 0.9 else able)
    if offer.kind is Join:
        return seat, Join(dice.choice([5, 12, 40, 400]))
    return seat, offer.sample(_Dice(dice))


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("computers", ["none", "algorithm"])
def test_credits_add_up_and_hidden_cards_stay_hidden_in_random_play(
    computers: str, number: int
) -> None:
    """Exchange cards that a seat may not see: what it sees stays the same to the byte."""
    dice = random.Random(number)
    table = at(Options(4, computers=computers))
    heard: list[TableUpdate[Any, Any]] = []
    table.bus.subscribe(ALL_CARDS, heard.append)
    hands = 0
    for _ in range(700):
        before = table.state
        if table.waiting:
            seat, action = random_action(table, dice)
            table.submit(seat, action)
        else:
            actor, action = table.ask()
            table.play(actor, action)
        (update,) = heard
        heard.clear()
        hands += table.state.play.phase is m.Phase.REST and before.play.phase is not m.Phase.REST
        check_money(before, action, update)
        check_views(update, dice)
        assert not isinstance(shared_game.turn(table.state), SittingOver)
    assert hands > 20


def check_money(before: shared_game.State, action: Any, update: TableUpdate[Any, Any]) -> None:
    """Check each stack after a step, given the same step of the game for one person."""
    after: shared_game.State = update.state
    free = 400 if after.options.has_computers else 0
    left = {event.seat: event.credit for event in update.events if isinstance(event, SeatLeft)}
    plays = not isinstance(action, Join | Leave | SitOut | m.Play)
    played = game.step(before.play, update.actor, action).state if plays else before.play
    ended = any(isinstance(event, m.HandOver) for event in update.events)
    for seat in map(Seat, range(4)):
        had, has, stack = before.people[seat], after.people[seat], played.stacks[seat]
        own = has is not None and has.arrives is None
        if ended and own and had is not None and had.arrives is not None:
            stack = had.arrives
        elif ended and stack < 5:
            assert left.get(seat) == (None if had is None else stack)
            stack = free
        elif update.actor == seat and isinstance(action, Join) and own:
            stack = action.cents
        elif update.actor == seat and isinstance(action, Leave):
            arrives = had is not None and had.arrives is not None
            assert had is not None
            assert left[seat] == (had.arrives if arrives else stack)
            stack = stack if arrives else free
        assert after.play.stacks[seat] == stack
    if not free:
        came = action.cents if isinstance(action, Join) else 0
        assert total(after) == total(before) + came - sum(left.values())


def total(state: shared_game.State) -> int:
    """Return the credits of everybody at the table, with what is at stake."""
    credits = [shared_game.money(state, Seat(seat)) for seat in range(4)]
    return sum(one.free + one.staked for one in credits)


def check_views(update: TableUpdate[Any, Any], dice: random.Random) -> None:
    """Check that a seat's view is the same if cards that it may not see are exchanged."""
    state, events = update.state, update.events
    used = {*cards_in(state), *cards_in(events)} - {BACK}
    for seat in map(Seat, range(4)):
        if state.people[seat] is None:
            continue
        seen = shared_game.seen(state, events, seat)
        viewed = shared_game.view(state, seat)
        known = {*cards_in((seen, viewed))}
        hidden = sorted(used - known, key=str)
        if not hidden:
            continue
        one = dice.choice(hidden)
        others = sorted({*PACK} - known - {one}, key=str)
        other_state, other_events = swap((state, events), one, dice.choice(others))
        again = shared_game.seen(other_state, other_events, seat)
        assert encode(again) == encode(seen)
        assert encode(shared_game.view(other_state, seat)) == encode(viewed)
