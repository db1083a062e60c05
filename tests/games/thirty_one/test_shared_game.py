"""Hit Me for several people: everybody plays by the rules for one, against the same dealer."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.thirty_one.tables import ENOUGH
from tests.helpers.random_play import seed_of
from tui_casino.cards.card import Card, parse_hand, whole_packs
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.game import (
    AskSeats,
    Deal,
    IllegalAction,
    NeedCard,
    NeedShoe,
    Seat,
    Shoe,
    SittingOver,
    check_legal,
)
from tui_casino.engine.money import Money
from tui_casino.engine.seating import Join, Leave, SeatLeft, SitOut
from tui_casino.engine.table import Table
from tui_casino.games.thirty_one.machine import game, shared_game
from tui_casino.games.thirty_one.machine import state as m
from tui_casino.games.thirty_one.machine.rules import DECKS, Rules, total_of
from tui_casino.structs import replace

ANN, BOB, CAT = Seat(0), Seat(1), Seat(2)
MONEY = 1_000_00
HIT, STAND, DOUBLE, SPLIT = m.Hit(), m.Stand(), m.Double(), m.Split()


class Played:
    """A table at which these people sit, with these cards; ``told`` is what each seat heard."""

    def __init__(self, cards: str, *money: int, rules: Rules | None = None, seats: int = 3) -> None:
        options = shared_game.Options(seats, m.Options(rules or Rules()))
        players = dict.fromkeys(map(Seat, range(seats)))
        croupier = FixedShoe(parse_hand(cards)) if cards else ShuffledShoe()
        source = CommittedSource(seed_of(0))
        self.table: Table[Any, Any, Any, Any] = Table(
            shared_game, options, croupier, source, players
        )
        self.told: dict[Seat, list[m.Event]] = {seat: [] for seat in players}
        self.left: dict[Seat, int] = {}
        self.table.bus.subscribe(None, self._hear)
        self.table.run()
        for seat, cents in enumerate(money or (MONEY, MONEY)):
            self.act(Seat(seat), Join(cents))

    def _hear(self, update: Any) -> None:
        for seat, told in self.told.items():
            told += shared_game.seen(update.state, update.events, seat).events
        self.left |= {one.seat: one.credit for one in update.events if isinstance(one, SeatLeft)}

    def act(self, seat: Seat, *actions: Any) -> None:
        for action in actions:
            self.table.submit(seat, action)
            self.table.run()

    def bet(self, *dollars: int) -> None:
        for seat, amount in enumerate(dollars):
            self.act(Seat(seat), m.Bet(amount))

    @property
    def state(self) -> shared_game.State:
        state: shared_game.State = self.table.state
        return state

    def seen(self, seat: Seat) -> m.State:
        return shared_game.seen(self.state, (), seat).state

    def over(self, seat: Seat) -> m.RoundOver:
        return [one for one in self.told[seat] if isinstance(one, m.RoundOver)][-1]

    def net(self, seat: Seat) -> int:
        """The result of the last round, in dollars."""
        over = self.over(seat)
        return (over.won - over.wagered) // 100

    def doing(self, seat: Seat) -> str:
        return shared_game.doing(self.state, seat)

    def asks(self, seat: Seat) -> set[Any]:
        offers = shared_game.offers(self.state, seat)
        return {offer.kind for offer in offers if offer.barred is None}


# ---- bets ----------------------------------------------------------------------------------------


def test_round_begins_once_everybody_has_bet() -> None:
    table = Played("9C 8D TS" + ENOUGH)
    assert shared_game.awaited(table.state) == (), "no clock runs before the first bet"
    table.act(ANN, m.Bet(50))
    assert shared_game.awaited(table.state) == (BOB,)
    assert table.doing(ANN) == "bets 50.00"
    assert shared_game.money(table.state, ANN) == Money(MONEY), "it is not at stake yet"
    waiting = table.seen(ANN)
    assert (waiting.phase, waiting.waiting, waiting.credit) == (
        m.Phase.DEAL,
        (0, m.DEALER),
        950_00,
    )
    assert isinstance(game.turn(waiting), NeedCard)
    table.act(BOB, m.Bet(20))
    assert [table.doing(seat) for seat in (ANN, BOB)] == ["9C = 9", "8D = 8"]
    assert shared_game.money(table.state, ANN) == Money(950_00, 50_00)
    assert table.seen(ANN).dealer == table.seen(BOB).dealer == parse_hand("TS")
    assert shared_game.awaited(table.state) == (ANN, BOB), "both play at the same time"


def test_one_person_alone_plays() -> None:
    table = Played("9C TD KH 7S" + ENOUGH, MONEY)
    table.act(ANN, m.Bet(20), STAND)
    assert table.over(ANN).dealer == parse_hand("TD KH 7S")
    assert table.net(ANN) == -20


def test_somebody_whose_time_to_bet_is_over_sits_out_and_may_bet_next_time() -> None:
    table = Played("9C TD KH 7S 5C 6C 7C" + ENOUGH)
    with pytest.raises(IllegalAction):
        table.act(BOB, SitOut())  # as long as nobody has bet
    table.act(ANN, m.Bet(20))
    assert shared_game.default(table.state, BOB) == SitOut()
    table.act(BOB, SitOut())
    assert table.doing(BOB) == "sits out"
    assert isinstance(game.turn(table.seen(BOB)), NeedCard), "Bob is asked nothing"
    assert table.seen(BOB).dealer == parse_hand("TD")
    assert shared_game.awaited(table.state) == (ANN,)
    table.act(ANN, STAND)
    assert not [one for one in table.told[BOB] if not isinstance(one, m.ShoeBegun)]
    assert shared_game.money(table.state, BOB) == Money(MONEY)
    assert table.doing(BOB) == ""
    table.bet(20, 30)
    assert table.doing(BOB) == "6C = 6"


def test_somebody_who_sits_out_may_leave_during_the_round() -> None:
    table = Played("9C TD KH 7S" + ENOUGH)
    table.act(ANN, m.Bet(20))
    with pytest.raises(IllegalAction):
        table.act(ANN, Leave())
    table.act(BOB, SitOut(), Leave())
    assert table.left == {BOB: MONEY}
    table.act(ANN, STAND)
    assert table.net(ANN) == -20


def test_round_begins_if_the_last_one_who_has_not_bet_leaves() -> None:
    table = Played("9C TD KH 7S" + ENOUGH)
    table.act(ANN, m.Bet(20))
    table.act(BOB, Leave())
    assert table.doing(ANN) == "9C = 9"


def test_nobody_joins_during_a_round() -> None:
    table = Played("9C 8D TS" + ENOUGH)
    table.bet(20, 20)
    with pytest.raises(IllegalAction):
        table.act(CAT, Join(MONEY))


# ---- hands ---------------------------------------------------------------------------------------


def test_cards_are_dealt_in_the_order_in_which_they_are_asked_for() -> None:
    table = Played("9C 8D TS 2H 3H 4H" + ENOUGH)
    table.bet(20, 20)
    table.act(BOB, HIT)
    table.act(ANN, HIT)
    table.act(BOB, HIT)
    assert [table.doing(seat) for seat in (ANN, BOB)] == ["9C 3H = 12", "8D 2H 4H = 14"]


def test_both_are_compared_with_the_same_dealer() -> None:
    """29 wins against the dealer's 28, and 27 loses; each hears only their own hand."""
    table = Played("9C 7D TS TH TD TC TC KC 8S" + ENOUGH)
    table.bet(50, 20)
    table.act(ANN, HIT)
    table.act(BOB, HIT)
    table.act(ANN, HIT, STAND)
    assert table.doing(ANN) == "stands on 29"
    done = table.seen(ANN)
    assert (done.phase, done.waiting) == (m.Phase.DEALER, (m.DEALER,)), "Bob still plays"
    table.act(BOB, HIT, STAND)
    dealer = parse_hand("TS KC 8S")
    assert table.over(ANN).dealer == table.over(BOB).dealer == dealer
    assert (table.net(ANN), table.net(BOB)) == (50, -20)
    assert [one.credit for one in table.state.bettors if one] == [1_050_00, 980_00]
    places = [
        (one.place, len(one.cards)) for one in table.told[BOB] if isinstance(one, m.CardDealt)
    ]
    dealer_cards = [(m.DEALER, 1), (m.DEALER, 2), (m.DEALER, 3)]
    assert places == [(0, 1), dealer_cards[0], (0, 2), (0, 3), *dealer_cards[1:]]


def test_dealer_does_not_draw_if_everybody_is_bust() -> None:
    table = Played("TC TD 5S TH KC 2S TD KD 3S" + ENOUGH)
    table.bet(20, 20)
    table.act(ANN, HIT, HIT, HIT)
    assert table.doing(ANN) == "bust with 32"
    table.act(BOB, HIT, HIT, HIT)
    assert table.doing(BOB) == "bust with 33"
    assert table.over(ANN).dealer == parse_hand("5S")
    assert (table.net(ANN), table.net(BOB)) == (-20, -20)


def test_dealer_draws_on_against_a_14_and_stops_earlier_for_others() -> None:
    """The dealer stands on 28 against Bob, and draws on because Ann stands on 14."""
    table = Played("5C TD TH 9C TS KC 8D 9D" + ENOUGH)
    table.bet(20, 20)
    table.act(ANN, HIT)
    assert table.seen(ANN).offers_14
    table.act(ANN, STAND)
    table.act(BOB, HIT, STAND)
    assert table.over(BOB).dealer == parse_hand("TH KC 8D 9D")
    assert [one.against for one in table.over(BOB).hands] == [28]
    assert (table.net(ANN), table.net(BOB)) == (20, -20)


def test_dealer_who_stops_on_14_beats_everybody_but_a_14() -> None:
    """Against the 14 the dealer goes on from 14, and is bust."""
    table = Played("5C TD TH 9C TS AC 4D TD TD" + ENOUGH)
    table.bet(20, 20)
    table.act(ANN, HIT, STAND)
    table.act(BOB, HIT, HIT)
    assert table.doing(BOB) == "31"
    dealer = table.over(BOB).dealer
    assert dealer == parse_hand("TH 4D TD TD")
    assert [one.against for one in table.over(BOB).hands] == [14]
    assert (table.net(ANN), table.net(BOB)) == (20, -20)


def test_somebody_who_cannot_pay_for_insurance_is_not_asked() -> None:
    table = Played("9C 8D 7H AS" + ENOUGH, MONEY, MONEY, 25_00)
    table.bet(50, 20, 20)
    phases = [table.seen(seat).phase for seat in (ANN, BOB, CAT)]
    assert phases == [m.Phase.INSURANCE, m.Phase.INSURANCE, m.Phase.PLAY]


def test_each_answers_the_insurance_for_themselves() -> None:
    """The dealer ends on 31, for which insurance pays even money."""
    table = Played("9C 8D AS KC KD" + ENOUGH)
    table.bet(50, 20)
    assert table.asks(ANN) == table.asks(BOB) == {m.Insure, m.Decline}
    assert shared_game.default(table.state, BOB) == m.Decline()
    table.act(ANN, m.Insure())
    assert shared_game.money(table.state, ANN) == Money(900_00, 100_00)
    assert m.Insured not in map(type, table.told[BOB])
    table.act(ANN, STAND)
    table.act(BOB, m.Decline(), STAND)
    assert table.over(BOB).dealer == parse_hand("AS KC KD")
    assert (table.net(ANN), table.net(BOB)) == (0, -20)


def test_double_and_split_at_the_same_time() -> None:
    """Ann splits two eights; Bob doubles between her cards; the dealer ends on 27."""
    table = Played("8C 9D TH 8H 7D KC KS TC 2C TS 7S" + ENOUGH)
    table.bet(20, 20)
    table.act(ANN, HIT)
    table.act(BOB, HIT)
    table.act(ANN, SPLIT)
    assert table.doing(ANN) == "8C KC = 18 and 8H KS = 18"
    table.act(BOB, DOUBLE)
    assert table.doing(BOB) == "stands on 26"
    table.act(ANN, HIT, STAND)
    assert table.doing(ANN) == "stands on 20 and 8H KS = 18"
    assert shared_game.default(table.state, ANN) == STAND
    table.act(ANN, STAND)
    assert table.over(ANN).dealer == parse_hand("TH TS 7S")
    assert (table.net(ANN), table.net(BOB)) == (-40, -40)
    assert [one.bet for one in table.over(ANN).hands] == [20_00, 20_00]


def test_somebody_with_less_than_the_minimum_bet_is_paid_out_and_still_sees_the_hand() -> None:
    table = Played("9C 8D TS KC 9H" + ENOUGH, 35_00, MONEY)
    table.bet(20, 20)
    events: list[Any] = []
    table.table.bus.subscribe(None, lambda update: events.append(update))
    table.act(ANN, STAND)
    table.act(BOB, STAND)
    assert table.left == {ANN: 15_00}
    assert table.state.bettors[ANN] is None
    last = next(one for one in events if any(isinstance(e, SeatLeft) for e in one.events))
    seen = shared_game.seen(last.state, last.events, ANN).state
    assert [hand.cards for hand in seen.hands] == [parse_hand("9C")]
    assert (seen.credit, seen.dealer) == (15_00, parse_hand("TS KC 9H"))
    assert isinstance(game.turn(seen), SittingOver)


# ---- the shoe ------------------------------------------------------------------------------------


def test_table_with_more_seats_is_shuffled_earlier() -> None:
    assert [shared_game.least_stock(shared_game.Options(n)) for n in (2, 5)] == [30 + 4, 30 + 4 * 4]


def test_discards_are_shuffled_if_the_shoe_is_used_up() -> None:
    """The cards on the table are not among them, and no seat counts them as in the shoe."""
    table = Played("", seats=2)
    table.bet(20, 20)
    state = table.state
    hands = [hand.cards for one in state.bettors if one for hand in one.hands]
    on_table = (*hands[0], *hands[1], *state.dealer)
    gone = Counter(whole_packs(DECKS)) - Counter(on_table)
    empty = replace(state, stock=0, discards=tuple(gone.elements()))
    if table.asks(ANN) == {m.Insure, m.Decline}:
        empty = shared_game.step(empty, ANN, m.Decline()).state
    hit = shared_game.step(empty, ANN, HIT).state
    assert shared_game.turn(hit) == NeedShoe(tuple(gone.elements()))
    shuffled = shared_game.step(hit, None, Shoe(gone.total()))
    assert shuffled.events == (m.ShoeBegun(101, True),)
    for seat in (ANN, BOB):
        seen = shared_game.seen(shuffled.state, shuffled.events, seat)
        assert seen.events == (m.ShoeBegun(101, True),)
        assert (seen.state.stock, len(seen.state.discards)) == (101, 1), "the card of the other"
    assert isinstance(shared_game.turn(shuffled.state), NeedCard)


def test_round_is_void_if_no_card_is_left_and_everybody_gets_their_stakes_back() -> None:
    table = Played("9C 8D TS 2C", MONEY, MONEY, 500_00)
    table.act(ANN, m.Bet(50))
    table.act(BOB, m.Bet(20))
    table.act(CAT, SitOut())
    table.act(ANN, DOUBLE)
    table.act(BOB, HIT)
    assert table.left == {ANN: MONEY, BOB: MONEY, CAT: 500_00}
    assert table.told[ANN][-1] == m.RoundVoid(100_00)
    assert table.told[BOB][-1] == m.RoundVoid(20_00)
    assert isinstance(shared_game.turn(table.state), SittingOver)


# ---- random play ---------------------------------------------------------------------------------


class Dice:
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def below(self, n: int, /) -> int:
        return self._dice.randrange(n)


@pytest.mark.parametrize("number", range(4))
def test_each_seat_is_paid_as_alone_and_money_and_cards_add_up(number: int) -> None:
    """Own choices with the own cards and the dealer's, played alone, give the same."""
    dice = random.Random(number)
    played = Played("", 500_00, 60_00, seats=5, rules=Rules(most_hands=2 + number % 3))
    table, moves = played.table, Moves(played.state)
    brought, gone, rounds = 560_00, 0, 0
    for _ in range(800):
        turn = shared_game.turn(table.state)
        assert isinstance(turn, AskSeats)
        seat = dice.choice(turn.seats)
        able = [one for one in shared_game.offers(table.state, seat) if one.barred is None]
        offer = dice.choice(able)
        if offer.kind is Leave and dice.random() < 0.9:
            continue
        actor: Seat | None = seat
        action: Any = offer.sample(Dice(dice))
        if offer.kind is Join:
            action = Join(dice.randrange(20_00, 300_00))
            brought += action.cents
        while True:
            before = table.state
            events = table.play(actor, action)
            moves.note(before, actor, action)
            for event in events:
                match event:
                    case SeatLeft(_, credit):
                        gone += credit
                    case shared_game.SeatHeard(at, _, m.RoundOver() as over):
                        gone += over.wagered - over.won
                        rounds += 1
                        moves.check(at, over)
            money = [shared_game.money(table.state, Seat(at)) for at in range(5)]
            assert sum(one.free + one.staked for one in money) + gone == brought
            _assert_cards_add_up(table.state)
            if table.waiting:
                break
            actor, action = table.ask()
    assert rounds > 40


class Moves:
    """The choices and cards of each seat in a round, and the cards of the dealer."""

    def __init__(self, state: shared_game.State) -> None:
        self.table = state.options.table
        self.own: dict[Seat, list[Any]] = {}
        self.credit: dict[Seat, int] = {}
        self.dealer: list[Deal] = []

    def note(self, before: shared_game.State, actor: Seat | None, action: Any) -> None:
        match action:
            case m.Bet():
                assert actor is not None
                self.own[actor], self.credit[actor] = [action], before.present[actor].credit
                self.dealer = []
            case Deal() if before.waiting[0][0] == m.DEALER:
                self.dealer.append(action)
            case Deal():
                self.own[Seat(before.waiting[0][0])].append(action)
            case Join() | Leave() | SitOut() | Shoe():
                pass
            case _:
                assert actor is not None
                self.own[actor].append(action)

    def check(self, seat: Seat, over: m.RoundOver) -> None:
        first, *rest = self.dealer
        bet, card, *own = self.own[seat]
        state = m.State(self.table, self.credit[seat], m.Phase.BET, 104)
        steps = [bet, card, first, *own, *rest]
        events: list[m.Event] = []
        for action in steps:
            if any(isinstance(event, m.RoundOver) for event in events):
                break  # the dealer drew on against somebody else
            actor = None if isinstance(action, Deal) else game.PLAYER
            check_legal(game, state, actor, action)
            step = game.step(state, actor, action)
            state, events = step.state, [*step.events]
        alone = events[-1]
        assert isinstance(alone, m.RoundOver)
        assert over.dealer[: len(alone.dealer)] == alone.dealer
        against = [one.against for one in over.hands]
        hands = tuple(
            replace(hand, against=drawn) if total_of(hand.cards).bust else hand
            for hand, drawn in zip(alone.hands, against, strict=True)
        )
        is_31 = total_of(over.dealer).points == 31
        back = 2 * over.insurance * is_31  # also if the dealer drew on against somebody else
        credit = alone.credit - alone.insurance_back + back
        assert over == replace(
            alone, dealer=over.dealer, hands=hands, insurance_back=back, credit=credit
        )


def _assert_cards_add_up(state: shared_game.State) -> None:
    """What a seat sees and the rest of the shoe are two packs."""
    for seat in state.present if state.stock else ():
        one = shared_game.bettor_at(state, seat)
        seen: list[Card] = [*one.discards]
        if state.phase is m.Phase.PLAY:
            seen += [card for hand in one.hands for card in hand.cards]
            seen += one.dealer
        assert len(seen) + one.stock == 52 * DECKS
        assert not Counter(seen) - Counter(whole_packs(DECKS))
