"""A hand at the show as a page: what was found and missed, and when the page is turned."""

from __future__ import annotations

from tui_casino.cards.card import Card, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.face.counting import CountPage, ShowProgress
from tui_casino.games.cribbage.face.scenes import recap
from tui_casino.games.cribbage.face.table_messages import (
    SeatNames,
    event_sentences,
    hand_worth_text,
)
from tui_casino.games.cribbage.machine.rules import ACC, show_scores
from tui_casino.games.cribbage.machine.state import (
    GameOver,
    HandCounted,
    HandShown,
    Laid,
    Options,
    RoundOver,
    RoundPart,
    Scored,
    State,
)
from tui_casino.structs import replace

NAMES = SeatNames.of_players({Seat(0): "greedy", Seat(1): None}, Seat(1))
DOUBLE_DOUBLE, EIGHT = parse_hand("7H 7S 8D 9C"), Card.parse("8S")


def page(said: int | None, muggins: int = 0) -> CountPage:
    """Four fifteens, four runs of three, two pairs: 24."""
    scores = show_scores(DOUBLE_DOUBLE, EIGHT, ACC)
    return CountPage(
        1, DOUBLE_DOUBLE, EIGHT, False, (0, 0), (0, 0), scores, said, counted=True, muggins=muggins
    )


def test_show_page_marks_combinations_beyond_the_count_as_missed() -> None:
    rows = page(16).rows
    assert [row.total for row in rows] == [2, 4, 6, 8, 11, 14, 17, 20, 22, 24]
    assert [row.claimed for row in rows] == [True] * 6 + [False] * 4
    assert [row.name for row in rows[-2:]] == ["pair of sevens", "pair of eights"]
    assert page(16).missed == 8
    assert all(row.claimed for row in page(None).rows)
    assert page(None).missed == page(24).missed == page(29).missed == 0


def test_show_page_says_if_the_typed_count_is_right_too_high_or_too_low() -> None:
    assert hand_worth_text(page(24), NAMES) == "You counted 24, which is right."
    assert hand_worth_text(page(29), NAMES) == "You counted 29, but it is 24. 5 too many."
    assert hand_worth_text(page(16), NAMES) == (
        "You counted 16, but it is 24. 8 missed: a run of three, a pair."
    )
    assert hand_worth_text(page(16, muggins=8), NAMES) == (
        "You counted 16, but it is 24. 8 missed, and Greedy calls muggins: 8 to Greedy."
    )
    theirs = replace(page(16, muggins=8), seat=0)
    assert hand_worth_text(theirs, NAMES).endswith("and you call muggins: 8 to you.")


def test_recap_of_a_hand_says_where_its_missed_points_went() -> None:
    recapped = [
        recap([one], NAMES)[0].partition(":")[0]
        for one in (page(24), page(16), page(16, muggins=8), replace(page(16, muggins=8), seat=0))
    ]
    assert recapped == [
        "Your hand 24",
        "Your hand 16 of 24",
        "Your hand 16 of 24, 8 to Greedy",
        "Greedy's hand 16 of 24, 8 to you",
    ]


def test_counted_combinations_have_their_usual_cribbage_names() -> None:
    assert page(None).combination_name == "a double double run: four runs and two pairs"
    assert (
        CountPage(0, (), EIGHT, False, (0, 0), (0, 0)).combination_name
        == "nothing, also called nineteen"
    )


def show_of_two_hands(*, holds: bool) -> ShowProgress:
    """Show the opponent's hand, which is counted, and then your own."""
    show, state = ShowProgress(1), State(Options())
    scores = show_scores(DOUBLE_DOUBLE, EIGHT, ACC)
    show.update(HandShown(0, EIGHT, DOUBLE_DOUBLE, False), state, holds)
    show.update(HandCounted(0, scores, 24), state, holds)
    show.update(Scored(0, 24, 24, "count", DOUBLE_DOUBLE, RoundPart.HAND), state, holds)
    show.update(HandShown(1, EIGHT, DOUBLE_DOUBLE, False), state, holds)
    return show


def test_show_page_stays_until_the_player_turns_it() -> None:
    show = show_of_two_hands(holds=True)
    assert (show.page_index, show.paused, show.last) == (0, True, False)
    assert show.pages[0].points_gained == (24, 0)
    show.turn_page()
    assert (show.page_index, show.paused) == (1, False), "one's own is to be counted first"


def test_show_pages_turn_by_themselves_during_a_replay() -> None:
    show = show_of_two_hands(holds=False)
    assert (show.page_index, show.paused) == (1, False)


def test_all_scores_of_a_played_card_are_in_one_sentence() -> None:
    card = Card.parse("5S")
    heard = (
        Laid(1, 15, card),
        Scored(1, 2, 2, "fifteen", (card,), RoundPart.PLAY),
        Scored(1, 5, 3, "run3", (card,), RoundPart.PLAY),
        Scored(1, 6, 1, "go", (card,), RoundPart.PLAY),
    )
    assert event_sentences(heard, NAMES) == [
        "You play 5♠, 15: fifteen for 2 and a run of three for 3.",
        "You score 1 for the last card.",
    ]


def test_message_at_the_end_of_a_game_replaces_the_result_of_the_round() -> None:
    heard = (RoundOver((121, 88)), GameOver(0, (121, 88), 2))
    assert event_sentences(heard, NAMES) == ["Greedy wins 121 to 88 by a skunk."]


def test_show_page_distinguishes_two_players_with_the_same_name() -> None:
    names = SeatNames.of_players({Seat(0): "random", Seat(1): "random"}, None)
    assert (names[0], names[1]) == ("North", "South")
