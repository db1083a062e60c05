"""Two humans at one keyboard: each is asked in turn, and neither sees the other's cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.arcade_pilot import practice
from tests.helpers.command_runner import output
from tui_casino.cards.card import Card
from tui_casino.engine.game import Seat, SittingOver
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.face.original_trainer_files import LOG_NAME
from tui_casino.games.cribbage.face.table_catalog import TABLES, CribbageSetup, seating_of
from tui_casino.games.cribbage.machine.state import TRAINING, CountingMode, Options, Phase
from tui_casino.house.lobby import AnySitting, sit_down
from tui_casino.house.resumption import resume_from_log
from tui_casino.house.unfinished_games import waiting_summary
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.log_header import HUMAN
from tui_casino.records.playback import Playback
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.records.session_statistics import compute_statistics
from tui_casino.records.summaries import ExclusionReason, review_logs
from tui_casino.screen_reader import table as console
from tui_casino.structs import replace
from tui_casino.tui.history.log_list import LogRow
from tui_casino.tui.history.preview import load_preview
from tui_casino.tui.replay.seat_view import SeatView, SittingNotOver

SEED = 55510
HIDDEN = replace(TRAINING, open=False)


def sat_down(folder: Path, options: Options = HIDDEN) -> AnySitting:
    seating = seating_of(CribbageSetup(options, (HUMAN, HUMAN), java=SEED))
    assert seating.source is not None
    return sit_down(practice(folder), DEFINITION, seating, seating.source(None))


def typed(sitting: AnySitting) -> Iterator[str]:
    """Type what plays a sitting to its end: Enter for who is to come, then the first on offer."""
    while True:
        dialogue = sitting.dialogue
        if dialogue.hidden:
            yield ""
            continue
        state = sitting.table.state
        match state.phase:
            case Phase.DISCARD:
                yield "x 1 2"
            case Phase.PLAY:
                able = state.playable(dialogue.seat)
                yield f"p {state.hands[dialogue.seat].index(able[0]) + 1}" if able else "g"
            case Phase.SHOW if state.options.counting is not CountingMode.TABLE:
                yield "c 2"
            case _:
                yield "n"


def cards_in(text: str) -> set[Card]:
    return {Card.parse(word) for word in re.findall(r"\b[2-9TJQKA][CDHS]\b", text)}


def secrets(sitting: AnySitting, eyes: Seat | None) -> set[Card]:
    """Give the cards that these eyes must not see: undealt ones cannot be told by anybody."""
    state, seen = sitting.table.state, sitting.table.view(eyes)
    every = {*state.hands[0], *state.hands[1], *state.discards[0], *state.discards[1]}
    return every - {*seen.hands[0], *seen.hands[1], *seen.discards[0], *seen.discards[1]}


@pytest.mark.parametrize("counting", CountingMode)
def test_console_for_two_players_hides_each_hand_from_the_opponent(
    tmp_path: Path, counting: CountingMode
) -> None:
    sitting = sat_down(tmp_path, replace(HIDDEN, counting=counting))
    told: list[str] = []

    def say(line: str) -> None:
        told.append(line)
        eyes = None if sitting.dialogue.hidden else sitting.dialogue.viewer
        assert not cards_in(line) & secrets(sitting, eyes), line

    console.play_at_table(sitting, typed(sitting), say, say)
    assert isinstance(DEFINITION.game.turn(sitting.table.state), SittingOver)
    asked = [line for line in told if line.endswith("press Enter to see your cards")]
    assert len(asked) >= 2 + 4
    assert {line[:5] for line in asked} == {"North", "South"}
    assert not any("You" in line for line in told if "Your cards" not in line)


def test_screen_is_cleared_before_the_next_player_reads(tmp_path: Path) -> None:
    said: list[str] = []
    lines = ["", "x 1 2", "", "x 1 2", "", "q"]
    console.play_at_table(
        sat_down(tmp_path), lines, said.append, said.append, lambda: said.append("--")
    )
    points = "You have 0 points, your opponent"
    assert said == [
        *("--", "South deals and has the crib.", "North: press Enter to see your cards"),
        f"North: {points} 0. Your cards: 1) 2C 2) 2H 3) 7C 4) QC 5) QD 6) KH",
        *("--", "North gives two cards to the crib.", "South: press Enter to see your cards"),
        f"South: {points} 0. Your cards: 1) AD 2) AH 3) TD 4) JS 5) QH 6) KC",
        *("--", "South gives two cards to the crib.", "The starter is JH."),
        "South scores 2 for a jack turned up: 2.",
        "North: press Enter to see your cards",
        f"North: {points} 2. Count 0. Your cards: 1) 7C 2) QC 3) QD 4) KH",
    ]


def test_input_typed_ahead_is_not_used_for_the_opponent(tmp_path: Path) -> None:
    said: list[str] = []
    sitting = sat_down(tmp_path)
    console.play_at_table(sitting, ["x 1 2", "", "x 1 2", "x 3 4", "q"], said.append, said.append)
    assert "first press Enter, North" in said
    assert said[-1] == "first press Enter, South"
    assert sitting.table.state.waiting == (1,)
    assert sitting.ending is not None, "q leaves, whoever sits there"


def test_one_continue_at_the_show_applies_to_both_players(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    assert [*_until_shown(sitting)]
    assert sitting.table.state.shown == 0
    sitting.dialogue.switch_seat()
    sitting.dialogue.answer("n")
    assert sitting.table.state.shown == 1, "both are ready"
    assert sitting.table.state.waiting == (0, 1), "neither is ready for the hand after it"
    assert sitting.dialogue.viewer is None


def test_switching_seats_hides_all_cards_until_the_player_looks(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    sitting.table.run()
    dialogue = sitting.dialogue
    dialogue.switch_seat()
    assert (dialogue.seat, dialogue.viewer, dialogue.hidden) == (0, None, True)
    assert dialogue.switch_seat(looking=True)
    assert (dialogue.seat, dialogue.viewer, dialogue.hidden) == (0, 0, False)
    assert not dialogue.switch_seat(), "a player who looks is still the viewer"
    assert dialogue.viewer == 0


def _until_shown(sitting: AnySitting) -> Iterator[str]:
    sitting.table.run()
    for line in typed(sitting):
        if sitting.table.state.phase is Phase.SHOW:
            return
        if line:
            sitting.dialogue.answer(line)
        else:
            sitting.dialogue.switch_seat(looking=True)
        yield line


def test_two_players_with_open_cards_are_not_asked_to_press_enter(tmp_path: Path) -> None:
    said: list[str] = []
    sitting = sat_down(tmp_path, TRAINING)
    console.play_at_table(sitting, ["x 1 2", "x 1 2", "u", "q"], said.append, said.append)
    assert not any("press Enter" in line for line in said)
    assert "North gives 2C 2H to the crib and keeps 1) 7C 2) QC 3) QD 4) KH" in said
    assert sitting.table.state.waiting == (1,), "the last choice was taken back"


def test_game_for_two_is_logged_resumed_and_replayed(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    lines = _until_shown(sitting)
    for _ in range(7):
        next(lines)
    sitting.close()  # as if the program had been killed
    with resume_from_log(practice(tmp_path), DEFINITION, sitting.log.path) as again:
        assert again.table.state == sitting.table.state
        assert again.dialogue.viewer is None, "nobody looks before he has said so"
        console.play_at_table(again, typed(again), lambda line: None, lambda line: None)
    log = read_log(sitting.log.path)
    assert log.header.players == ("human", "human")
    assert verify_log(DEFINITION, log).proof is ProofLevel.CONSISTENT
    head = (tmp_path / LOG_NAME).read_text().splitlines()[1:5]
    assert head == [
        *("cribbage.HumanPlayer,P0", "cribbage.HumanPlayer,P1"),
        *("deal,P0,[2C,2H,7C,QC,QD,KH]", "deal,P1,[AD,AH,TD,JS,QH,KC]"),
    ]


def test_unfinished_game_for_two_is_offered_to_both(tmp_path: Path) -> None:
    with sat_down(tmp_path, Options()) as sitting:
        sitting.table.run()
        assert waiting_summary(DEFINITION, sitting.log.path).text == "0 to 0, South's crib"
        named = waiting_summary(DEFINITION, sitting.log.path, ("Bob", "Ann"))
        assert named.text == "0 to 0, Ann's crib"


def test_points_in_the_tally_of_each_player_equal_the_score(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    console.play_at_table(sitting, typed(sitting), lambda line: None, lambda line: None)
    for seat in (Seat(0), Seat(1)):
        sitting.dialogue.seat = seat
        tally = sitting.dialogue.tally
        points = sitting.table.state.points
        assert tally.pegged + tally.hands + tally.cribs == points[seat]
        assert tally.against == points[1 - seat]


def test_game_for_two_is_left_out_of_statistics(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    console.play_at_table(sitting, typed(sitting), lambda line: None, lambda line: None)
    games = {"cribbage": DEFINITION}
    (reviewed,) = review_logs(list_logs(tmp_path / "logs", games, {}), games, Cache(None))
    assert reviewed.summary is not None, "the records tell how it ended"
    assert reviewed.summary.score == sitting.table.state.points
    found = compute_statistics([reviewed], games)
    assert found.left_out == {ExclusionReason.SHARED: 1}
    assert found.practice.report()["games"] == {}


def test_cribbage_table_for_two_seats_two_humans() -> None:
    seating = TABLES.setup("two")
    assert seating.players == {Seat(0): None, Seat(1): None}
    assert seating.practice, "there is nothing to be won from oneself"
    assert not seating.options.open
    assert TABLES.name_of(seating) == "two"
    assert TABLES.describe(seating.options, ("human", "human")) == "to 121, two players"


def test_history_hides_the_hands_of_an_open_game_for_two(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    while sitting.table.advance():
        pass
    path = sitting.log.path
    sitting.close()
    assert secrets(sitting, None)
    for form in ((), ("--text",), ("--json",), ("--states",)):
        told = output("replay", *form, str(path)).out
        assert told
        assert cards_in(told).isdisjoint(secrets(sitting, None))
    with (
        Playback(DEFINITION, path, Cache(None)) as recording,
        pytest.raises(SittingNotOver, match="shown once the session is over"),
    ):
        SeatView(recording)
    (entry,) = list_logs(path.parent, {DEFINITION.game.slug: DEFINITION}, {})
    found = load_preview(LogRow(entry), None, lambda log: None, lambda: True)
    assert found is not None
    assert (found.proof, found.good) == ("consistent", True), "nothing is wrong with it"
    assert found.review is None
    assert found.view is None
