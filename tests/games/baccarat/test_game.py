"""The table: bets and limits, the shoe from burn card to cut card, and exact money."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import BACK, PACK, Card, parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.event_bus import ALL_CARDS, TableUpdate
from tui_casino.engine.game import IllegalAction, Refusal, Seat, SittingOver
from tui_casino.engine.money import Money
from tui_casino.engine.table import Table
from tui_casino.games.baccarat import DEFINITION
from tui_casino.games.baccarat.machine import game
from tui_casino.games.baccarat.machine.rules import (
    KNOWN_SHOE,
    NO_BETS,
    BetSpot,
    CoupOutcome,
    Options,
)
from tui_casino.games.baccarat.machine.state import (
    Action,
    AfterDraw,
    Bet,
    BurnCard,
    Burnt,
    Clear,
    CoupOver,
    CutCard,
    Event,
    InitialDeal,
    Phase,
    Play,
    Repeat,
    ShoeFinished,
    State,
)
from tui_casino.structs import replace

AtTable = Table[Options, State, Action, Event]
SEAT = Seat(0)
PLAIN = Options(burn=False, cut_card=0)


def table_of(cards: str | tuple[Card, ...], options: Options = PLAIN) -> AtTable:
    known = parse_hand(cards) if isinstance(cards, str) else cards
    return started(Table(game, options, FixedShoe(known), SeededSource(0), {SEAT: None}))


def started(table: AtTable) -> AtTable:
    table.run()
    return table


def shuffled(options: Options, seed: int = 1) -> AtTable:
    return started(Table(game, options, ShuffledShoe(), SeededSource(seed), {SEAT: None}))


def do(table: AtTable, *acts: Action) -> list[Event]:
    said: list[Event] = []
    stop = table.bus.subscribe(SEAT, lambda told: said.extend(told.events))
    for action in acts:
        table.submit(SEAT, action)
        table.run()
    stop()
    return said


def over(said: list[Event]) -> CoupOver:
    return next(event for event in said if isinstance(event, CoupOver))


def why_not(table: AtTable, action: Action) -> tuple[Refusal, str]:
    before = table.state
    with pytest.raises(IllegalAction) as refused:
        table.submit(SEAT, action)
    assert table.state is before
    return refused.value.kind, refused.value.reason


BANKER_WINS = "3C 3D 2C 5C"  # 5 against a natural 8
PLAYER_WINS = "4C TC 5D TD"  # a natural 9 against a pair of nothing
TIE = "9D 9S 2D 3H 8H 7S"  # 9 to 9 with three cards each
SPARE = " 2C" * 12  # so that further coups could follow


# ---- the coup ------------------------------------------------------------------------------------


def test_natural_8_or_9_ends_the_coup_without_third_cards() -> None:
    said = do(table_of(BANKER_WINS + SPARE), Play())
    kinds = [type(event) for event in said]
    assert InitialDeal in kinds
    assert AfterDraw not in kinds
    assert over(said).outcome is CoupOutcome.BANKER


def test_after_draw_event_is_sent_also_when_both_hands_stand() -> None:
    said = do(table_of("7C 6D TC KD" + SPARE), Play())
    assert isinstance(said[-2], AfterDraw)
    assert over(said).outcome is CoupOutcome.PLAYER


def test_cards_of_a_finished_coup_stay_until_the_next_coup_begins() -> None:
    table = table_of(TIE + SPARE)
    do(table, Play())
    assert (len(table.state.player), len(table.state.banker)) == (3, 3)
    table.submit(SEAT, Play())
    assert (len(table.state.player), len(table.state.banker)) == (0, 0)


# ---- bets ----------------------------------------------------------------------------------------


def test_bets_are_settled_to_the_cent() -> None:
    table = table_of(BANKER_WINS + SPARE)
    said = do(table, Bet(25, BetSpot.PLAYER), Bet(25, BetSpot.BANKER), Bet(10, BetSpot.TIE), Play())
    assert over(said).bets == (25, 25, 10, 0, 0)
    assert over(said).paid == (0, 4875, 0, 0, 0)  # 25.00 back and 25.00 less 1.25
    assert over(said).credit == table.state.credit == 100_000 - 6_000 + 4_875
    assert table.state.bets == NO_BETS


def test_tied_coup_returns_bets_on_player_and_banker() -> None:
    table = table_of(TIE + SPARE)
    said = do(table, Bet(25, BetSpot.PLAYER), Bet(100, BetSpot.BANKER), Bet(2, BetSpot.TIE), Play())
    assert over(said).paid == (2_500, 10_000, 1_800, 0, 0)


def test_winning_pair_bets_are_paid_11_to_1() -> None:
    table = table_of(PLAYER_WINS + SPARE)
    said = do(table, Bet(1, BetSpot.PLAYER_PAIR), Bet(3, BetSpot.BANKER_PAIR), Play())
    assert over(said).paid == (0, 0, 0, 0, 3_600)


def test_banker_win_with_six_pays_half_without_commission() -> None:
    cards = "2C 3D 2D 3C 8S" + SPARE  # player 2, banker 6: 4 with an 8, on 6 the banker stands
    table = table_of(cards, replace(PLAIN, commission=False))
    said = do(table, Bet(25, BetSpot.BANKER), Play())
    assert str(over(said).banker) == "3 of Diamonds,3 of Clubs"
    assert over(said).paid == (0, 3_750, 0, 0, 0)


def test_bet_that_exceeds_the_limit_of_its_spot_is_refused() -> None:
    table = table_of(TIE + SPARE, replace(PLAIN, credit=200_000))
    do(table, Bet(5, BetSpot.PLAYER), Bet(1, BetSpot.PLAYER), Bet(494, BetSpot.PLAYER))
    assert table.state.bets == (500, 0, 0, 0, 0)
    assert why_not(table, Bet(1, BetSpot.PLAYER)) == (Refusal.BARRED, "the limit on Player is 500")
    assert why_not(table, Bet(101, BetSpot.TIE))[0] is Refusal.VALUE
    assert why_not(table, Bet(4, BetSpot.BANKER))[0] is Refusal.VALUE
    assert why_not(table, Bet(0, BetSpot.TIE))[0] is Refusal.VALUE
    do(table, Bet(100, BetSpot.TIE))
    assert table.state.free == 200_000 - 60_000


def test_baccarat_bet_above_the_credit_is_refused() -> None:
    table = table_of(TIE + SPARE, replace(PLAIN, credit=1_099))
    do(table, Bet(6, BetSpot.PLAYER))
    assert why_not(table, Bet(5, BetSpot.BANKER)) == (Refusal.BARRED, "beyond your credit")
    do(table, Bet(4, BetSpot.TIE))
    assert why_not(table, Bet(1, BetSpot.TIE)) == (Refusal.BARRED, "beyond your credit")


def test_clear_returns_bets_and_repeat_places_the_last_bets_again() -> None:
    table = table_of(f"{TIE} {BANKER_WINS}{SPARE}")
    assert why_not(table, Clear()) == (Refusal.BARRED, "there are no bets to clear")
    assert why_not(table, Repeat()) == (Refusal.BARRED, "there are no bets to repeat")
    do(table, Bet(25, BetSpot.PLAYER), Clear())
    assert (table.state.bets, table.state.free) == (NO_BETS, 100_000)
    do(table, Bet(25, BetSpot.PLAYER), Bet(1, BetSpot.TIE), Play())
    do(table, Bet(7, BetSpot.BANKER), Repeat())
    assert table.state.bets == (25, 0, 1, 0, 0)
    do(table, Play())
    assert table.state.bets == NO_BETS


def test_repeat_places_the_last_bets_also_after_a_coup_without_bets() -> None:
    table = table_of(f"{TIE} {BANKER_WINS}{SPARE}")
    do(table, Bet(5, BetSpot.BANKER), Play(), Play(), Repeat())
    assert table.state.bets == (0, 5, 0, 0, 0)


def test_repeating_bets_beyond_the_credit_is_refused() -> None:
    table = table_of(BANKER_WINS + SPARE, replace(PLAIN, credit=1_500))
    do(table, Bet(10, BetSpot.PLAYER), Play())
    assert table.state.credit == 500
    assert why_not(table, Repeat()) == (Refusal.BARRED, "beyond your credit")


def test_bets_count_as_staked_money_only_after_the_coup_is_dealt() -> None:
    table = table_of(TIE + SPARE)
    do(table, Bet(25, BetSpot.TIE))
    assert game.money(table.state, SEAT) == Money(100_000, 0)
    table.submit(SEAT, Play())
    assert game.money(table.state, SEAT) == Money(97_500, 2_500)


def test_game_ends_without_credit_for_a_bet() -> None:
    table = table_of(BANKER_WINS + SPARE, replace(PLAIN, credit=599))
    do(table, Bet(5, BetSpot.PLAYER), Play())
    assert table.state.credit == 99
    assert game.turn(table.state) == SittingOver("out of credit")


# ---- the shoe ------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [8, 6, 1], ids=labelled("{} decks"))
def test_baccarat_shoe_has_all_cards_of_its_decks(decks: int) -> None:
    table = shuffled(Options(decks=decks, burn=False))
    assert table.state.stock == 52 * decks
    assert table.state.unseen == (4 * decks,) * 13


@pytest.mark.parametrize(("card", "burns"), [("AC", 1), ("7D", 7), ("TH", 10), ("KS", 10)])
def test_burn_card_sets_the_number_of_burnt_cards(card: str, burns: int) -> None:
    said: list[Event] = []
    table: AtTable = Table(
        game, Options(), FixedShoe(parse_hand(card) + PACK[:30]), SeededSource(0), {SEAT: None}
    )
    table.bus.subscribe(SEAT, lambda told: said.extend(told.events))
    table.run()
    assert BurnCard(Card.parse(card), burns) in said
    assert said.count(Burnt(BACK)) == burns
    assert table.state.stock == 30 - burns
    # what nobody saw is among the unseen still
    assert sum(table.state.unseen) == 416 - 1


def test_burnt_cards_are_hidden_from_players() -> None:
    told: dict[str, list[TableUpdate[State, Event]]] = {"house": [], "player": [], "watcher": []}
    table: AtTable = Table(
        game, Options(), FixedShoe(parse_hand("2C 9D 9H") + PACK), SeededSource(0), {SEAT: None}
    )
    table.bus.subscribe(ALL_CARDS, told["house"].append)
    table.bus.subscribe(SEAT, told["player"].append)
    table.bus.subscribe(None, told["watcher"].append)
    table.run()
    burnt = {
        who: [event for step in steps for event in step.events if isinstance(event, Burnt)]
        for who, steps in told.items()
    }
    assert burnt == {
        "house": [Burnt(Card.parse("9D")), Burnt(Card.parse("9H"))],
        "player": [Burnt(BACK)] * 2,
        "watcher": [Burnt(BACK)] * 2,
    }


def test_one_more_coup_is_played_after_the_cut_card() -> None:
    # 14 cards lie behind the cut card; it comes out before the 15th from the end is gone
    cards = (
        parse_hand(BANKER_WINS)
        + parse_hand(BANKER_WINS)
        + parse_hand(BANKER_WINS)
        + parse_hand("2C " * 10)
    )
    table = table_of(cards, replace(PLAIN, cut_card=14))
    assert table.state.stock == 22
    assert CutCard() not in do(table, Play())  # 22 to 18
    assert CutCard() not in do(table, Play())  # 18 to 14: it lies on top now
    said = do(table, Play())
    assert said[0] == CutCard()
    assert not table.state.finished
    said = do(table, Play())
    assert said[-1] == ShoeFinished(4)
    assert table.state.finished


def test_one_more_coup_is_played_after_a_cut_card_in_mid_coup() -> None:
    cards = parse_hand(BANKER_WINS) + parse_hand(BANKER_WINS) + parse_hand("2C " * 8)
    table = table_of(cards, replace(PLAIN, cut_card=14))
    said = do(table, Play())  # 16 to 12
    assert [type(event).__name__ for event in said].index("CutCard") == 2
    assert do(table, Play())[-1] == ShoeFinished(2)


def test_finished_shoe_refuses_bets_and_the_next_starts_again() -> None:
    table = shuffled(Options(decks=1), seed=5)
    while not table.state.finished:
        do(table, Play())
    barred = Refusal.BARRED, "the shoe is finished; d begins the next"
    assert why_not(table, Bet(5, BetSpot.PLAYER)) == barred
    assert why_not(table, Repeat()) == barred
    assert table.state.coups
    do(table, Play())
    assert (table.state.phase, table.state.coups) == (Phase.BET, ())
    assert table.state.stock + 1 <= 51
    do(table, Bet(5, BetSpot.PLAYER), Play())
    assert len(table.state.coups) == 1


def test_baccarat_shoe_never_runs_out_after_the_cut_card() -> None:
    for seed in range(40):
        table = shuffled(Options(decks=1), seed)
        while not table.state.finished:
            do(table, Play())
            assert table.state.stock >= 2


def test_baccarat_game_ends_if_the_shoe_has_too_few_cards_for_a_coup() -> None:
    table = table_of("2C 3C 4C 5C 6C")
    assert game.turn(table.state) == SittingOver("not enough cards in the shoe")


def test_known_shoe_ends_with_its_last_card() -> None:
    options = Options(decks=0)
    table = started(Table(game, options, FixedShoe(KNOWN_SHOE), SeededSource(0), {SEAT: None}))
    for _ in range(9):
        do(table, Play())
    assert table.state.stock == 0
    assert sum(table.state.unseen) == 0
    assert game.turn(table.state) == SittingOver("the known shoe is finished")


@pytest.mark.parametrize(("name", "value"), [("credit", -1), ("decks", 7), ("cut_card", 3)])
def test_baccarat_options_with_an_invalid_value_are_refused(name: str, value: int) -> None:
    wrong: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=f"not {value}|like {value}"):
        Options(**wrong)


def test_computer_that_backs_banker_bets_until_its_last_five_credits() -> None:
    players = {SEAT: DEFINITION.players["banker"]()}
    table: AtTable = Table(game, Options(credit=2_000), ShuffledShoe(), SeededSource(3), players)
    for _ in range(2_000):
        if not table.advance():
            break
    assert sum(table.state.last) == 5
