"""A game of cribbage to its end, and what a seat may know of it."""

from __future__ import annotations

import pytest

from tests.games.cribbage.rounds import FIRST, SECOND, KnownRound, known, round_at_show
from tui_casino.cards.card import BACK, Card, parse_hand
from tui_casino.engine.game import Seat, SittingOver
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    Count,
    CountingMode,
    Discard,
    Discarded,
    GameOver,
    Go,
    HandDealt,
    Next,
    Options,
    Phase,
    Scored,
)
from tui_casino.structs import replace

GAME = Options()


# ---- the game ----------------------------------------------------------------------------------


def near_the_end(round: KnownRound, first: int, second: int) -> None:
    round.table.state = replace(round.state, points=(first, second))


def ending(round: KnownRound) -> GameOver:
    (over,) = (event for event in round.heard if isinstance(event, GameOver))
    return over


def test_two_points_for_a_jack_as_starter_can_win_the_game() -> None:
    round = known(FIRST, SECOND, "JH", GAME)
    near_the_end(round, 100, 119)
    round.discard("2H KC", "3H QC")
    assert ending(round) == GameOver(1, (100, 121), 1)
    assert game.turn(round.state) == SittingOver("a player has 121 points")


def test_points_for_a_pair_can_win_the_game_in_mid_play() -> None:
    round = known("2H 4D 6S 8C TD KC", "2S 4H 6D 8H TC KS", "AS", GAME)
    near_the_end(round, 119, 119)
    round.discard("TD KC", "TC KS")
    round.lay("2H 2S")
    assert ending(round) == GameOver(1, (119, 121), 1)


def test_point_for_the_last_card_can_win_the_game() -> None:
    round = known(FIRST, SECOND, "AS", GAME)
    near_the_end(round, 120, 120)
    round.discard("2H 4D", "3H 5D")
    round.lay("TD JD 8C")
    assert round.offers[0].kind is Go
    round.do(Go())
    assert ending(round).winner == 0


def test_pone_can_win_while_counting_before_the_dealer_counts() -> None:
    round = round_at_show(GAME)
    near_the_end(round, 119, 120)
    round.finish()
    over = ending(round)
    assert over == GameOver(0, (121, 120), 1)
    scored = [event for event in round.heard if isinstance(event, Scored)]
    assert (scored[-1].seat, scored[-1].total, scored[-1].points) == (0, 121, 2)
    assert round.state.shown == 1


def test_points_beyond_the_target_are_not_pegged() -> None:
    round = round_at_show(GAME)
    near_the_end(round, 120, 0)
    round.finish()
    assert ending(round).points[0] == 121
    round = round_at_show(replace(GAME, counting=CountingMode.MUGGINS))
    near_the_end(round, 119, 120)
    round.do(Count(2))  # of four: the opponent would win with the two that are missed
    assert ending(round) == GameOver(0, (121, 120), 1)


@pytest.mark.parametrize(
    ("rules", "loser", "worth", "counts"),
    [
        ("trainer", 91, 1, 1),
        ("trainer", 90, 2, 2),
        ("trainer", 61, 2, 2),
        ("trainer", 60, 3, 3),
        ("trainer", 0, 3, 3),
        ("acc", 91, 1, 2),
        ("acc", 90, 2, 3),  # by 31 points
        ("acc", 60, 2, 3),
        ("acc", 0, 2, 3),
    ],
)
def test_skunks_count_as_two_or_three_games(
    rules: str, loser: int, worth: int, counts: int
) -> None:
    round = known(FIRST, SECOND, "JH", replace(GAME, rules=rules))
    near_the_end(round, loser, 119)
    round.discard("2H KC", "3H QC")
    assert ending(round).worth == worth
    assert round.state.won == (0, counts)


def test_deal_alternates_and_points_carry_over_in_a_game() -> None:
    cards = [*parse_hand(FIRST), *parse_hand(SECOND), Card.parse("AS")] * 2
    round = KnownRound(GAME, cards)
    assert (round.state.dealer, round.asked_seat) == (1, 0)
    round.finish()
    points = round.state.points
    assert sum(points) > 0
    round.do(Next(), Next())
    assert (round.state.dealer, round.asked_seat) == (0, 1)
    assert round.state.points == points


def test_trainer_round_starts_at_zero_with_seat_1_as_dealer() -> None:
    cards = [*parse_hand(FIRST), *parse_hand(SECOND), Card.parse("AS")] * 2
    round = KnownRound(replace(TRAINING, games=2), cards)
    round.finish()
    round.do(Next(), Next())
    assert (round.state.dealer, round.state.points) == (1, (0, 0))


def test_first_deal_alternates_in_a_series() -> None:
    cards = [*parse_hand(FIRST), *parse_hand(SECOND), Card.parse("JH")]
    cards += [*cards[:12], Card.parse("AS")]
    round = KnownRound(replace(GAME, games=2), cards)
    near_the_end(round, 90, 119)
    round.do(Discard((1, 2)), Discard((1, 2)))
    assert round.state.won == (0, 3)
    assert round.state.phase is Phase.REST
    round.do(Next(), Next())
    assert (round.state.dealer, round.state.points, round.state.won) == (0, (0, 0), (0, 3))


def test_unknown_rules_or_zero_games_are_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="unknown rules 'pub'; choose from trainer, acc"):
        Options(rules="pub")
    with pytest.raises(ValueError, match="number of games is 1 to 99"):
        Options(games=0)


def test_too_small_deck_ends_the_session() -> None:
    round = KnownRound(TRAINING, [*parse_hand(FIRST), *parse_hand(SECOND)])
    assert game.turn(round.state) == SittingOver("not enough cards in the deck")


# ---- what a seat may know ------------------------------------------------------------------------


def test_opponent_cards_are_hidden_until_played_or_shown() -> None:
    round = known(FIRST, SECOND, "AS", GAME)
    view = game.view(round.state, Seat(0))
    assert view.hands == (parse_hand(FIRST), (BACK,) * 6)
    round.discard("2H KC", "3H QC")
    view = game.view(round.state, Seat(0))
    assert view.discards == (parse_hand("2H KC"), (BACK,) * 2)
    round.lay("TD JD")
    view = game.view(round.state, Seat(0))
    assert view.hands[1] == (*parse_hand("JD"), BACK, BACK, BACK)
    assert view.unplayed(1) == (BACK,) * 3


def test_crib_is_visible_only_when_it_is_shown() -> None:
    round = round_at_show(GAME)
    round.do(Next(), Next(), Next(), Next())
    assert game.view(round.state, Seat(0)).discards[1] == (BACK, BACK)
    round.do(Next(), Next())
    assert game.view(round.state, Seat(0)).discards[1] == parse_hand("3H QC")


def test_spectator_sees_only_played_and_shown_cards() -> None:
    round = known(FIRST, SECOND, "AS", GAME)
    assert game.view(round.state, None).hands == ((BACK,) * 6,) * 2
    round.discard("2H KC", "3H QC")
    assert game.view(round.state, None).discards == ((BACK,) * 2,) * 2
    round.lay("TD JD")
    view = game.view(round.state, None)
    assert view.hands == (
        (*parse_hand("TD"), BACK, BACK, BACK),
        (*parse_hand("JD"), BACK, BACK, BACK),
    )
    round = round_at_show(GAME)
    round.do(Next(), Next())
    view = game.view(round.state, None)
    assert view.hands[0] == round.state.hands[0]
    assert view.discards == ((BACK,) * 2,) * 2
    round.do(Next(), Next(), Next(), Next())
    assert game.view(round.state, None) == round.state


def test_trainer_round_shows_all_cards_to_every_viewer() -> None:
    round = known(FIRST, SECOND, "AS")
    for viewer in (Seat(0), Seat(1), None):
        assert game.view(round.state, viewer) == round.state


def test_dealt_and_discarded_cards_are_sent_only_to_their_owner() -> None:
    state = known(FIRST, SECOND, "AS", GAME).state
    dealt = HandDealt(0, parse_hand(FIRST))
    assert game.hear(state, dealt, Seat(0)) == dealt
    assert game.hear(state, dealt, Seat(1)) == HandDealt(0, (BACK,) * 6)
    gone = Discarded(0, parse_hand("2H KC"), parse_hand("4D 6S 8C TD"))
    for other in (Seat(1), None):
        assert game.hear(state, gone, other) == Discarded(0, (BACK,) * 2, (BACK,) * 4)
