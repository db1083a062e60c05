"""The table: order of play, the draw, the bets, the moving deal, and the credits."""

from __future__ import annotations

from typing import Any

import pytest

from tui_casino.cards.card import BACK, Card, format_cards, parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.event_bus import ALL_CARDS
from tui_casino.engine.game import IllegalAction, Refusal, Seat, SittingOver
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.state import (
    Acted,
    Action,
    Bet,
    Call,
    CardDealt,
    Check,
    Discard,
    Discarded,
    DrawAsked,
    Event,
    Fold,
    HandBegun,
    HandHeld,
    HandOver,
    HandShown,
    Options,
    Phase,
    Play,
    Raise,
    Stakes,
    State,
)
from tui_casino.structs import replace

AtTable = Table[Options, State, Action, Event]
FOR_NOTHING = Options(opponents=1, stakes=Stakes.NOTHING)
FOR_AN_ANTE = Options(opponents=1, stakes=Stakes.ANTE, credit=100)
LIMIT = Options(opponents=2)

# dealt in turn: the first gets a pair of aces, the second king high
TWO = parse_hand("AC KD AD 9H 4C 7S 8D 5C 2S 3D") + parse_hand("QC QD QH QS JC JD JH JS")
# three hands: kings, queen high, a pair of twos
THREE = parse_hand("KC QD 2C KD 9H 2D 4C 7S 8D 6D 5C TS 3S 3D JC") + parse_hand(
    "AC AD AH AS TC TD TH 9C 9D 9S 8C 8H"
)


def at(options: Options, cards: tuple[Card, ...]) -> AtTable:
    """Sit down at a table where the test plays every seat."""
    players = {Seat(seat): None for seat in options.seats}
    table: AtTable = Table(game, options, FixedShoe(cards), SeededSource(0), players)
    table.run()
    return table


def do(table: AtTable, *acts: tuple[int, Action]) -> list[Event]:
    said: list[Event] = []
    stop = table.bus.subscribe(ALL_CARDS, lambda told: said.extend(told.events))
    for seat, action in acts:
        table.submit(Seat(seat), action)
        table.run()
    stop()
    return said


def why_not(table: AtTable, seat: int, action: Action) -> tuple[Refusal, str]:
    with pytest.raises(IllegalAction) as refused:
        table.submit(Seat(seat), action)
    return refused.value.kind, refused.value.reason


def over(said: list[Event]) -> HandOver:
    return next(event for event in said if isinstance(event, HandOver))


# ---- the course's game ---------------------------------------------------------------------------


def test_cards_are_dealt_one_at_a_time_in_seat_order() -> None:
    assert game.start(FOR_NOTHING).stock == 0
    table = at(FOR_NOTHING, TWO)
    said = do(table, (0, Play()))
    assert table.state.stock == len(TWO) - 10
    assert HandBegun((0, 1), 0) in said
    assert (
        format_cards(table.state.hands[0]) == "AC AD 8D 4C 2S"
    )  # the pair first, then high to low
    assert format_cards(table.state.hands[1]) == "KD 9H 7S 5C 3D"
    assert said[-1] == DrawAsked(0, table.state.hands[0])


def test_each_seat_draws_after_its_discard_and_then_hands_are_shown() -> None:
    table = at(FOR_NOTHING, TWO)
    do(table, (0, Play()), (0, Discard((3, 4, 5))))
    assert format_cards(table.state.hands[0]) == "QC QD QH AC AD"
    assert format_cards(table.state.thrown[0]) == "8D 4C 2S"
    assert table.state.drawn == (3, None)
    said = do(table, (1, Discard((2, 3, 4))))
    assert format_cards(table.state.hands[1]) == "JC JD KD QS 3D"
    assert [event for event in said if isinstance(event, HandShown)] == [
        HandShown(0, parse_hand("QC QD QH AC AD"), "a full house, queens over aces"),
        HandShown(1, parse_hand("JC JD KD QS 3D"), "a pair of jacks"),
    ]
    assert over(said) == HandOver((0,), (0, 0), (0, 0), shown=True)
    assert table.state.phase is Phase.REST


def test_four_cards_may_be_discarded_only_with_an_ace() -> None:
    table = at(FOR_NOTHING, TWO)
    do(table, (0, Play()))
    assert why_not(table, 0, Discard((1, 2, 3, 4)))[0] is Refusal.VALUE
    assert why_not(table, 0, Discard((1, 2, 3, 4, 5)))[0] is Refusal.VALUE
    assert why_not(table, 0, Discard((0, 1)))[0] is Refusal.VALUE
    assert why_not(table, 1, Discard(()))[0] is Refusal.TURN
    do(table, (0, Discard((2, 3, 4, 5))))
    assert format_cards(table.state.hands[0]) == "QC QD QH QS AC"
    assert why_not(table, 1, Discard((2, 3, 4, 5)))[0] is Refusal.VALUE, "a king is no ace"
    do(table, (1, Discard(())))
    assert table.state.drawn == (4, 0)


def test_standing_pat_keeps_all_five_cards_of_the_hand() -> None:
    table = at(FOR_NOTHING, TWO)
    do(table, (0, Play()), (0, Discard(())), (1, Discard(())))
    assert format_cards(table.state.hands[0]) == "AC AD 8D 4C 2S"
    assert table.state.winners == (0,)


def test_first_seat_always_begins_without_stakes() -> None:
    options = replace(FOR_NOTHING, opponents=2)
    players = {Seat(seat): None for seat in options.seats}
    table: AtTable = Table(game, options, ShuffledShoe(), SeededSource(1), players)
    for _ in range(3):
        do(table, (0, Play()))
        assert table.state.dealt_in == (0, 1, 2)
        do(table, (0, Discard(())), (1, Discard(())), (2, Discard(())))


# ---- what others may see -------------------------------------------------------------------------


def test_hands_and_discards_are_hidden_until_the_showdown() -> None:
    table = at(FOR_NOTHING, TWO)
    do(table, (0, Play()), (0, Discard((3, 4, 5))))
    seen = table.view(Seat(1))
    assert seen.hands[0] == (BACK,) * 5
    assert seen.thrown[0] == (BACK,) * 3
    assert seen.drawn == (3, None)
    do(table, (1, Discard(())))
    seen = table.view(Seat(1))
    assert seen.hands[0] == table.state.hands[0]
    assert seen.thrown[0] == (BACK,) * 3, "what was thrown away is never shown"


def test_spectator_sees_hands_only_at_the_showdown_and_never_discards() -> None:
    table = at(FOR_NOTHING, TWO)
    heard: list[Event] = []
    table.bus.subscribe(None, lambda told: heard.extend(told.events))
    do(table, (0, Play()), (0, Discard((3, 4, 5))))
    assert table.view(None).hands == ((BACK,) * 5,) * 2
    assert table.view(None).thrown == ((BACK,) * 3, ())
    assert Discarded(0, (BACK,) * 3) in heard
    assert {event.hand for event in heard if isinstance(event, DrawAsked)} == {(BACK,) * 5}
    assert {event.card for event in heard if isinstance(event, CardDealt)} == {BACK}
    do(table, (1, Discard(())))
    assert table.view(None).hands == table.state.hands
    assert table.view(None).thrown == ((BACK,) * 3, ())
    assert [event.hand for event in heard if isinstance(event, HandShown)] == [*table.state.hands]


# ---- the ante ------------------------------------------------------------------------------------


def test_winner_takes_the_antes_and_the_deal_passes_to_the_next_seat() -> None:
    table = at(FOR_AN_ANTE, TWO + TWO)
    said = do(table, (0, Play()), (0, Discard(())), (1, Discard(())))
    assert over(said) == HandOver((0,), (5, 5), (10, 0), shown=True)
    assert table.state.stacks == (105, 95)
    assert table.state.dealer == 0
    assert game.can_play(table.state) == (1, 0), "the second seat acts first now"


def test_tied_best_hands_split_the_pot() -> None:
    # both hold ace high with the same ranks
    cards = parse_hand("AC AD KD KH 9C 9D 7S 7H 2S 2D") + parse_hand("QC QD QH QS JC JD JH JS")
    table = at(FOR_AN_ANTE, cards)
    said = do(table, (0, Play()), (0, Discard(())), (1, Discard(())))
    assert over(said) == HandOver((0, 1), (5, 5), (5, 5), shown=True)


def test_player_who_cannot_pay_the_ante_is_not_dealt_in() -> None:
    table = at(replace(FOR_AN_ANTE, credit=5), TWO)
    do(table, (0, Play()), (0, Discard(())), (1, Discard(())))
    assert table.state.stacks == (10, 0)
    assert game.turn(table.state) == SittingOver("nobody else can pay the ante")
    poor = game.start(replace(FOR_AN_ANTE, credit=4))
    assert game.turn(poor) == SittingOver("out of credit")


# ---- two rounds of bets --------------------------------------------------------------------------


def test_limit_hand_takes_bets_before_and_after_the_draw() -> None:
    table = at(LIMIT, THREE)
    do(table, (0, Play()))
    assert table.state.stacks == (395, 395, 395)
    said = do(table, (0, Bet()), (1, Fold()), (2, Call()))
    assert said[:2] == [Acted(0, "bet", 10), Acted(1, "fold", 0)]
    assert table.state.pot == 35
    do(table, (0, Discard((3, 4, 5))), (2, Discard(())))
    said = do(table, (0, Check()), (2, Bet()), (0, Raise()), (2, Call()))
    assert Acted(0, "raise", 40) in said
    assert over(said).put_in == (55, 5, 55)
    assert over(said).won == (115, 0, 0)
    assert [event.seat for event in said if isinstance(event, HandShown)] == [0, 2]
    assert table.state.stacks == (395 - 50 + 115, 395, 395 - 50)


def test_seat_sees_its_hand_before_it_bets() -> None:
    table = at(LIMIT, THREE)
    said = do(table, (0, Play()))
    assert said[-3:] == [HandHeld(seat, table.state.hands[seat]) for seat in (0, 1, 2)]
    assert game.hear(table.state, said[-3], Seat(0)) == said[-3]
    assert game.hear(table.state, said[-3], Seat(1)) == HandHeld(0, (BACK,) * 5)
    do(table, (0, Bet()), (1, Fold()), (2, Call()), (0, Discard((3, 4, 5))))
    said = do(table, (2, Discard(())))
    assert said[-2:] == [
        HandHeld(0, parse_hand("AC AD AH KC KD")),
        HandHeld(2, parse_hand("2C 2D JC TS 8D")),
    ]


def test_fourth_raise_in_a_betting_round_is_refused() -> None:
    table = at(LIMIT, THREE)
    do(table, (0, Play()), (0, Bet()), (1, Raise()), (2, Raise()), (0, Raise()))
    assert why_not(table, 1, Raise()) == (Refusal.BARRED, "there can be only three raises")
    assert why_not(table, 1, Check())[0] is Refusal.MOMENT
    do(table, (1, Call()), (2, Call()))
    assert table.state.put_in == (45, 45, 45)
    assert table.state.phase is Phase.DRAW


def test_hand_is_not_shown_if_all_others_fold() -> None:
    table = at(LIMIT, THREE)
    said = do(table, (0, Play()), (0, Bet()), (1, Fold()), (2, Fold()))
    assert over(said) == HandOver((0,), (15, 5, 5), (25, 0, 0), shown=False)
    assert table.view(Seat(1)).hands[0] == (BACK,) * 5


def test_player_all_in_plays_only_for_the_main_pot() -> None:
    table = at(replace(LIMIT, credit=12), THREE)
    do(table, (0, Play()), (0, Bet()))
    assert table.state.stacks[0] == 0
    assert table.state.put_in[0] == 12
    said = do(
        table,
        (1, Raise()),
        (2, Call()),
        (0, Discard(())),
        (1, Discard(())),
        (2, Discard(())),
        (1, Check()),
        (2, Check()),
    )
    # the kings win 36 in the main pot; the twos beat queen high for the rest
    assert over(said).put_in == (12, 22, 22)
    assert over(said).won == (36, 0, 20)


def test_hand_ends_if_the_deck_runs_out() -> None:
    table = at(LIMIT, THREE[:26])
    do(table, (0, Play()))
    assert game.turn(table.state) == SittingOver("not enough cards in the deck")
    assert table.state.put_in == (0, 0, 0)


@pytest.mark.parametrize(("name", "value"), [("opponents", 0), ("opponents", 4), ("credit", -1)])
def test_five_card_draw_options_with_an_invalid_value_are_refused(name: str, value: int) -> None:
    wrong: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=str(value)):
        Options(**wrong)
