"""Choices made at one moment, taken back and made otherwise, side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.ledger_sessions import act_and_run
from tests.helpers.narrow import not_none
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.games import thirty_one, video_poker
from tui_casino.games.thirty_one.machine.state import Options as ThirtyOneOptions
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options
from tui_casino.house.lobby import AnySitting
from tui_casino.house.sitting import House, begin_sitting, branch_sitting
from tui_casino.inputs.files import BadFile
from tui_casino.records.cache import Cache
from tui_casino.records.playback import Playback
from tui_casino.records.seat_steps import FinishedRound
from tui_casino.records.session_log import read_log
from tui_casino.records.tried_choices import find_alternatives, format_alternatives
from tui_casino.screen_reader import table as console
from tui_casino.structs import replace

ME = Seat(0)
DEFINITION = video_poker.DEFINITION
NOTHING_KEPT = Cache(None)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "logs", None, "player")


def sit(house: House, seed: int = 5) -> AnySitting:
    return begin_sitting(
        house, DEFINITION, Options(), ShuffledShoe(), SeededSource(seed), {ME: None}
    )


def fork_and_actions(path: Path) -> tuple[int, tuple[object, ...]]:
    laid = not_none(find_alternatives(DEFINITION, path, NOTHING_KEPT))
    fork, made = laid
    return fork, tuple(one.action for one in made)


def test_list_of_alternatives_shows_cost_and_outcome_of_each_choice(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw(), Hold((1, 2)))
    assert find_alternatives(DEFINITION, sitting.log.path, NOTHING_KEPT) is None
    sitting.step_back()
    act_and_run(sitting, Hold((3,)))
    sitting.step_back()
    act_and_run(sitting, Hold((2, 4, 5)))
    laid = not_none(find_alternatives(DEFINITION, sitting.log.path, NOTHING_KEPT))
    fork, made = laid
    hands = [one.action for one in made]
    assert hands == [Hold((1, 2)), Hold((3,)), Hold((2, 4, 5))]
    view = next(
        recording.moment_at(fork).state
        for recording in [Playback(DEFINITION, sitting.log.path, NOTHING_KEPT)]
    )
    judged = [DEFINITION.adviser.mistake(view, ME, hand) for hand in hands]
    assert [one.mistake for one in made] == judged
    assert made[0].round == FinishedRound(5, 5), (
        "5H KD 7C TH KC: a pair of kings gives the bet back"
    )
    assert made[1].round == FinishedRound(5, 0)
    assert made[2].mistake is None
    lines = [*format_alternatives(DEFINITION, fork, made)]
    assert lines[0] == f"Your choices after step {fork}, latest last:"
    assert lines[1].startswith("  1  h 1 2    costs 0.84 on average; best: h 2 4 5")
    assert lines[2].strip() == "0.00"
    assert "  3  h 2 4 5  no mistake" in lines


def test_alternative_whose_round_is_not_finished_is_listed_as_such(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw())
    sitting.step_back()
    act_and_run(sitting, Bet(3), Draw())
    laid = not_none(find_alternatives(DEFINITION, sitting.log.path, NOTHING_KEPT))
    assert [one.round for one in laid[1]] == [None, None]
    assert [line.strip() for line in format_alternatives(DEFINITION, *laid)][2::2] == [
        "round not finished"
    ] * 2


def test_list_of_alternatives_has_only_choices_at_the_last_fork(house: House) -> None:
    """Back twice leads to an earlier moment; the choices in between belong to another."""
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw(), Hold((1, 2)))
    sitting.step_back()
    act_and_run(sitting, Hold((3,)))
    sitting.step_back()
    sitting.step_back()
    act_and_run(sitting, Bet(3))
    fork, actions = fork_and_actions(sitting.log.path)
    assert fork == 1, "the new shoe"
    assert actions == (Bet(5), Bet(3))


def test_choice_in_a_branch_is_compared_with_the_recorded_choice(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw(), Hold((1, 2)))
    sitting.leave()
    hold = next(line.n for line in read_log(sitting.log.path).steps() if line.do["is"] == "Hold")
    other = branch_sitting(house, DEFINITION, sitting.log.path, hold - 1)
    act_and_run(other, Hold(()))
    assert fork_and_actions(other.log.path) == (hold - 1, (Hold((1, 2)), Hold(())))
    other.leave()


def test_list_of_alternatives_after_an_undo_has_only_the_old_choice(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5))
    sitting.step_back()
    assert fork_and_actions(sitting.log.path)[1] == (Bet(5),)


def test_list_of_alternatives_ends_at_a_missing_parent_log(house: House) -> None:
    sitting = sit(house)
    first = sitting.log.path
    act_and_run(sitting, Bet(5))
    sitting.step_back()
    act_and_run(sitting, Bet(4))
    sitting.step_back()
    act_and_run(sitting, Bet(3))
    assert fork_and_actions(sitting.log.path)[1] == (Bet(5), Bet(4), Bet(3))
    first.unlink()
    assert fork_and_actions(sitting.log.path)[1] == (Bet(4), Bet(3))
    sitting.log.path.unlink()
    with pytest.raises(BadFile):
        find_alternatives(DEFINITION, sitting.log.path, NOTHING_KEPT)


def test_logs_that_name_each_other_as_parents_do_not_loop(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5))
    sitting.leave()
    first, _, rest = sitting.log.path.read_text().partition("\n")
    header = json.loads(first) | {"parent": {"log": sitting.log.path.name, "step": 0}}
    circle = sitting.log.path
    circle.write_text(json.dumps(header) + "\n" + rest)
    assert fork_and_actions(circle) == (0, (Bet(5),))


def test_parent_log_is_searched_only_in_the_same_folder(house: House, tmp_path: Path) -> None:
    """A header may name any file; none but a neighbour is opened."""
    sitting = sit(house)
    act_and_run(sitting, Bet(5))
    sitting.leave()
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(sitting.log.path.read_bytes())
    first, _, rest = sitting.log.path.read_text().partition("\n")
    header = json.loads(first) | {"parent": {"log": "../outside.jsonl", "step": 0}}
    sitting.log.path.write_text(json.dumps(header) + "\n" + rest)
    assert fork_and_actions(sitting.log.path)[1] == (Bet(5),)


def test_console_lists_compared_choices_after_an_undo(house: House) -> None:
    definition = thirty_one.DEFINITION
    options = replace(ThirtyOneOptions(), credit=100_000)
    sitting = begin_sitting(house, definition, options, ShuffledShoe(), SeededSource(7), {ME: None})
    said: list[str] = []
    console.play_at_table(sitting, ["b 20", "s", "U", "u", "h", "U", "q"], said.append, said.append)
    assert "no choice was undone in this position" in said
    at = said.index("Your choices after step 4, latest last:")
    first, *_, second, end = said[at + 1 :]
    assert first.startswith("  1  s  costs ")
    assert first.endswith(" on average; best: h")
    assert second == "  2  h  no mistake"
    assert end.strip() == "round not finished"
    assert "     -20.00" in said[at + 1 :]
