"""The machine: the deal, the crib, the starter, the play with its goes, the show, the game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.cribbage.rounds import FIRST, SECOND, KnownRound, known, round_at_show, trainer
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import Card, format_cards, parse_hand
from tui_casino.engine.game import (
    AskSeats,
    IllegalAction,
    NeedShoe,
    Refusal,
    Seat,
    SittingOver,
    apply_action,
)
from tui_casino.engine.money import Money
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import TRAINER, points_of, show_scores
from tui_casino.games.cribbage.machine.scoring import Fifteens
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    Action,
    Count,
    CountingMode,
    Discard,
    GameForm,
    Go,
    GoSaid,
    HandCounted,
    Lay,
    Next,
    Options,
    RoundOver,
    RoundPart,
    Scored,
    State,
)
from tui_casino.structs import replace

GAME = Options()


def played(cards: str) -> str:
    """Play these cards, ``go`` where it is said, from hands that have them; the log of it.

    The cards of seat 0 are the red ones, those of seat 1 the black ones.
    """
    laid = [Card.parse(word) for word in cards.split() if word != "go"]
    hands = [[card for card in laid if (card.suit.letter in "DH") == red] for red in (True, False)]
    spare = [parse_hand("KD KH"), parse_hand("KC KS")]
    assert all(len(cards) == 4 for cards in hands)
    first, second = (format_cards((*mine, *two)) for mine, two in zip(hands, spare, strict=True))
    round = known(first, second, "9S")
    round.discard("KD KH", "KC KS")
    begin = len(round.log)
    round.lay(cards)
    return " ".join(round.log[begin:])


# ---- deal, crib, starter -----------------------------------------------------------------------


def test_six_cards_each_are_dealt_one_at_a_time_starting_with_pone() -> None:
    round = known(FIRST, SECOND, "AS")
    assert round.log == ["deal,P0,[2H,4D,6S,8C,TD,KC]", "deal,P1,[3H,5D,7S,9C,JD,QC]"]
    assert round.asked_seat == 0


def test_cribbage_hands_are_sorted_in_ascending_order() -> None:
    round = known("KC TD 8C 6S 4D 2H", SECOND, "AS")
    assert format_cards(round.state.hands[0]) == FIRST


def test_both_discard_before_the_starter_is_turned_up() -> None:
    round = known(FIRST, SECOND, "AS")
    round.do(Discard((1, 6)))
    assert (round.asked_seat, round.state.starter) == (1, None)
    round.do(Discard((2, 3)))
    assert round.state.starter is Card.parse("AS")
    assert format_cards(round.state.crib) == "2H 5D 7S KC"
    assert format_cards(round.state.hands[0]) == "4D 6S 8C TD"
    assert round.asked_seat == 0


@pytest.mark.parametrize(
    "places",
    [(), (1,), (1, 1), (2, 1), (1, 2, 3), (0, 1), (1, 7)],
    ids=[
        "no cards",
        "one card",
        "the same card twice",
        "descending",
        "three cards",
        "position 0",
        "position 7",
    ],
)
def test_discard_of_anything_but_two_different_own_cards_is_refused(
    places: tuple[int, ...],
) -> None:
    with pytest.raises(IllegalAction) as refused:
        known(FIRST, SECOND, "AS").do(Discard(places))
    assert refused.value.kind is Refusal.VALUE


def test_a_jack_turned_up_scores_two_for_the_dealer() -> None:
    round = known(FIRST, SECOND, "JH")
    round.discard("2H KC", "3H QC")
    assert round.log[-2:] == ["starter,JH", "score,P1,2,2,starter,[JH]"]
    assert round.state.points == (0, 2)


# ---- the play ----------------------------------------------------------------------------------


def test_players_alternate_and_each_card_scores_all_it_completes() -> None:
    assert played("2D 3C 4D 6C AH 5C 7H go QC") == (
        "play,P0,2,2D play,P1,5,3C play,P0,9,4D score,P0,3,3,run3 play,P1,15,6C "
        "score,P1,2,2,fifteen play,P0,16,AH play,P1,21,5C score,P1,8,6,run6 play,P0,28,7H "
        "score,P0,10,7,run7 score,P0,11,1,go play,P1,10,QC score,P1,9,1,go"
    )


def test_31_ends_a_segment_without_a_go_and_the_opponent_leads() -> None:
    assert played("TD TC 9D 2C TH 3C 4D 5C") == (
        "play,P0,10,TD play,P1,20,TC score,P1,2,2,pair2 play,P0,29,9D play,P1,31,2C "
        "score,P1,4,2,thirtyone play,P0,10,TH play,P1,13,3C play,P0,17,4D play,P1,22,5C "
        "score,P1,7,3,run3 score,P1,8,1,go"
    )


def test_31_with_the_last_card_of_the_round_scores_no_go() -> None:
    ending = "play,P0,9,9H play,P1,13,4C play,P0,21,8H play,P1,31,TS score,P1,6,2,thirtyone"
    assert played("TD TC 9D 2C 9H 4C 8H TS").endswith(ending)


def test_opponent_continues_to_play_after_a_go() -> None:
    assert played("TD 9C TH AC go AS 8H 7C QD") == (
        "play,P0,10,TD play,P1,19,9C play,P0,29,TH play,P1,30,AC play,P1,31,AS "
        "score,P1,2,2,thirtyone score,P1,4,2,pair2 play,P0,8,8H play,P1,15,7C "
        "score,P1,6,2,fifteen play,P0,25,QD score,P0,1,1,go"
    )


def test_unanswered_go_scores_and_the_opponent_leads() -> None:
    assert played("TD TC 9D go 9C 8D 8C go 6C 7D") == (
        "play,P0,10,TD play,P1,20,TC score,P1,2,2,pair2 play,P0,29,9D score,P0,1,1,go "
        "play,P1,9,9C play,P0,17,8D play,P1,25,8C score,P1,4,2,pair2 play,P1,31,6C "
        "score,P1,6,2,thirtyone play,P0,7,7D score,P0,2,1,go"
    )


def test_player_without_cards_is_skipped_without_a_go() -> None:
    round = known("AD 2D 3D 4D KD KH", "TC TS JC QC KC KS", "9S")
    round.discard("KD KH", "KC KS")
    round.lay("AD TC 2D TS 3D go 4D")
    assert round.log[-1] == "score,P0,1,1,go"
    round.lay("JC QC")
    assert [event for event in round.heard if isinstance(event, GoSaid)] == [GoSaid(1)]
    assert round.log[-3:] == ["play,P1,10,JC", "play,P1,20,QC", "score,P1,1,1,go"]


@pytest.mark.parametrize(
    ("cards", "action", "refusal"),
    [
        pytest.param("4D 5D", Lay(1), Refusal.VALUE, id="a card that has been played"),
        pytest.param("", Go(), Refusal.MOMENT, id="a go with a playable card"),
    ],
)
def test_wrong_action_during_the_play_is_refused_with_its_kind(
    cards: str, action: Action, refusal: Refusal
) -> None:
    round = known(FIRST, SECOND, "AS")
    round.discard("2H KC", "3H QC")
    round.lay(cards)
    with pytest.raises(IllegalAction) as refused:
        round.do(action)
    assert refused.value.kind is refusal


def test_card_that_would_exceed_31_is_refused() -> None:
    round = known("TD TH JD JH AD AH", "TC TS JC JS KC KS", "9S")
    round.discard("AD AH", "KC KS")
    round.lay("TD TC TH")
    assert round.offers[0].kind is Go
    with pytest.raises(IllegalAction) as refused:
        round.do(Lay(1))
    assert refused.value.kind is Refusal.MOMENT


def test_pairs_do_not_score_across_segments_of_the_play() -> None:
    log = played("TD JC AH TC 9D 9C 2H 3C")
    assert "play,P1,31,TC score,P1,2,2,thirtyone play,P0,9,9D" in log
    assert log.split()[7] == "score,P1,4,2,pair2"  # of this segment's nines


# ---- the show ----------------------------------------------------------------------------------


def test_hands_are_shown_by_pone_by_the_dealer_and_last_the_crib() -> None:
    round = round_at_show()
    round.finish()
    lines = [line for line in round.log if line.startswith("show")]
    assert lines == [
        "show,P0,AS+[4D,6S,8C,TD]",
        "show,P1,AS+[5D,7S,9C,JD]",
        "show,P1,AS+[2H,3H,QC,KC]",
    ]
    assert game.turn(round.state) == SittingOver("the round has been played")


def test_each_hand_is_shown_when_both_are_ready() -> None:
    round = round_at_show()
    assert round.asked_seat == 0
    round.do(Next())
    assert (round.asked_seat, round.state.shown) == (1, 0)
    round.do(Next())
    assert (round.asked_seat, round.state.shown) == (0, 1)


def test_crib_points_go_to_the_dealer() -> None:
    round = round_at_show()
    round.finish()
    crib = [e for e in round.heard if isinstance(e, Scored) and e.part is RoundPart.CRIB]
    assert {event.seat for event in crib} == {1}
    assert [event.kind for event in crib] == ["fifteen", "fifteen", "run3"]


# ---- counting oneself --------------------------------------------------------------------------


def counted(counting: CountingMode, said: int) -> tuple[KnownRound, tuple[int, int]]:
    """Let seat 0, whose hand is worth 4, say what it counts; the points that this brings."""
    round = round_at_show(replace(TRAINING, counting=counting))
    before = round.state.points
    assert game.turn(round.state) == AskSeats((Seat(0),))
    round.do(Count(said))
    after = round.state.points
    return round, (after[0] - before[0], after[1] - before[1])


def worth_of_the_hand() -> int:
    round = round_at_show()
    round.do(Next(), Next())
    (event,) = (e for e in round.heard if isinstance(e, HandCounted))
    return sum(score.points for score in event.scores)


def test_example_hand_used_for_muggins_tests_scores_four() -> None:
    """4D 6S 8C TD with the ace: 4 10 A and 6 8 A."""
    assert worth_of_the_hand() == 4


@pytest.mark.parametrize(
    ("counting", "said", "brings"),
    [
        (CountingMode.SELF, 4, (4, 0)),
        (CountingMode.SELF, 2, (2, 0)),
        (CountingMode.SELF, 0, (0, 0)),
        (CountingMode.SELF, 9, (4, 0)),
        (CountingMode.MUGGINS, 4, (4, 0)),
        (CountingMode.MUGGINS, 2, (2, 2)),
        (CountingMode.MUGGINS, 0, (0, 4)),
        (CountingMode.MUGGINS, 9, (4, 0)),
    ],
    ids=value_id,
)
def test_missed_points_are_lost_or_go_to_the_opponent(
    counting: CountingMode, said: int, brings: tuple[int, int]
) -> None:
    round, brought = counted(counting, said)
    assert brought == brings
    (event,) = (e for e in round.heard if isinstance(e, HandCounted))
    assert (event.said, sum(score.points for score in event.scores)) == (said, 4)


def test_owner_counts_the_hand_and_dealer_counts_the_crib() -> None:
    round, _ = counted(CountingMode.SELF, 4)
    assert round.asked_seat == 1
    round.do(Count(0))
    assert round.asked_seat == 1
    round.do(Count(0))
    assert game.turn(round.state) == SittingOver("the round has been played")


def test_typed_count_above_121_is_refused() -> None:
    round = round_at_show(replace(TRAINING, counting=CountingMode.SELF))
    with pytest.raises(IllegalAction):
        round.do(Count(122))
    round.do(Count(121))


def test_more_than_29_can_be_claimed_if_the_rules_pay_more(monkeypatch: pytest.MonkeyPatch) -> None:
    rich = replace(TRAINER, name="rich", show=(Fifteens(points=20),))
    monkeypatch.setattr("tui_casino.games.cribbage.machine.state.RULE_SETS", {"rich": rich})
    round = round_at_show(Options("rich", GameForm.ROUND, counting=CountingMode.SELF, open=True))
    worth = points_of(show_scores(round.state.hands[0], round.state.starter, rich))
    assert worth > 29
    before = round.state.points[0]
    round.do(Count(worth))
    assert round.state.points[0] == before + worth


# ---- what holds in every round -----------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(st.integers(-(2**31), 2**31 - 1), st.sampled_from(["random", "greedy"]))
def test_every_round_ends_with_all_cards_played(seed: int, who: str) -> None:
    table, heard = trainer(seed, "random", who)
    table.run()
    state: State = table.state
    assert isinstance(game.turn(state), SittingOver)
    assert len(state.laid) == 8
    assert {placed.card for placed in state.laid} == {*state.hands[0], *state.hands[1]}
    (over,) = (event for event in heard if isinstance(event, RoundOver))
    totals = [0, 0]
    for event in heard:
        if isinstance(event, Scored):
            totals[event.seat] += event.points
            assert event.total == totals[event.seat]
    assert tuple(totals) == over.points == state.points


def test_cribbage_game_asks_for_a_shoe_first() -> None:
    assert isinstance(game.turn(game.start(TRAINING)), NeedShoe)


def test_cribbage_game_has_no_money_at_stake() -> None:
    assert game.money(game.start(TRAINING), Seat(0)) == Money(0, 0)


def test_card_numbers_in_the_play_refer_to_the_four_kept_cards() -> None:
    round = known(FIRST, SECOND, "AS")
    round.discard("2H KC", "3H QC")
    round.do(Lay(1))
    assert format_cards(round.state.hands[0]) == "4D 6S 8C TD"
    round.do(Lay(4))
    assert [format_cards([placed.card]) for placed in round.state.laid] == ["4D", "JD"]


def test_same_action_applied_twice_to_a_state_gives_equal_results() -> None:
    round = known(FIRST, SECOND, "AS")
    before = round.state
    one = apply_action(game, before, Seat(0), Discard((1, 2)))
    other = apply_action(game, before, Seat(0), Discard((1, 2)))
    assert one == other
