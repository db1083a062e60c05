"""A step back in the trainer: the round up to the last choice again, in a log of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.face.table_catalog import CribbageSetup, seating_of
from tui_casino.games.cribbage.machine.state import TRAINING, Discard, Options, Phase
from tui_casino.house.lobby import AnySitting, new_source, sit_down
from tui_casino.house.sitting import House
from tui_casino.inputs.files import BadFile
from tui_casino.records.log_header import BranchOrigin
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.screen_reader import table as console

SEED = 7
ROUND = ("x 1 2", "p 1", "p 2", "p 3", "g", "p 4", "n", "n", "n")
"""A whole round of this seed."""


def sat_down(folder: Path, options: Options = TRAINING) -> AnySitting:
    setup = CribbageSetup(options, java=SEED, log=folder / "cribbage.log")
    seating = seating_of(setup)
    house, source = House(folder / "logs", None, "player"), new_source(None, seating.source)
    return sit_down(house, DEFINITION, seating, source)


def type_in(sitting: AnySitting, *lines: str) -> list[str]:
    said: list[str] = []
    console.play_at_table(sitting, lines, said.append, said.append)
    return said


def test_repeating_an_undone_choice_gives_the_same_table_state(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    sitting.table.run()
    before = sitting.table.state
    sitting.table.submit(sitting.dialogue.seat, Discard((1, 2)))
    sitting.table.run()
    one = sitting.table.state
    assert sitting.step_back()
    assert sitting.table.state == before
    sitting.table.submit(sitting.dialogue.seat, Discard((1, 2)))
    sitting.table.run()
    assert sitting.table.state == one, "Java's generator stands where it stood"
    sitting.leave()


def test_log_after_an_undo_names_its_parent_and_both_logs_verify(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    type_in(sitting, "x 1 2", "p 1", "u", "p 2", "q")
    old, new = (read_log(path) for path in sorted((tmp_path / "logs").iterdir(), key=_parents))
    assert old.end is not None
    assert (old.end.why, old.header.parent) == ("taken back", None)
    parent = new.header.parent
    assert parent is not None
    assert parent.log == old.path.name
    assert [line.do for line in old.steps()][: parent.step] == [line.do for line in new.steps()][
        : parent.step
    ]
    for log in (old, new):
        verdict = verify_log(DEFINITION, log)
        assert (verdict.proof, verdict.shuffle_checked) == (ProofLevel.CONSISTENT, True)


def _parents(path: Path) -> bool:
    return isinstance(read_log(path).header.parent, BranchOrigin)


def test_trainer_log_is_rewritten_after_a_step_back(tmp_path: Path) -> None:
    type_in(sat_down(tmp_path), "x 1 2", "u", "x 1 3", "q")
    again = (tmp_path / "cribbage.log").read_text()
    type_in(sat_down(tmp_path), "x 1 3", "q")
    assert (tmp_path / "cribbage.log").read_text() == again


def test_undo_before_the_first_choice_is_refused(tmp_path: Path) -> None:
    said = type_in(sat_down(tmp_path), "x 1 2", "p 1", "u", "u", "u", "q")
    assert said[-1] == "u: you have not made a choice yet"


def test_undo_after_the_round_takes_back_real_choices_only(tmp_path: Path) -> None:
    """A forced card, a go and the key that continues are not choices."""
    sitting = sat_down(tmp_path)
    said = type_in(sitting, *ROUND)
    assert "The game is over: the round has been played; u takes back, q leaves." in said
    assert sitting.step_back()
    assert sitting.table.state.phase is Phase.PLAY
    assert sitting.table.state.unplayed(sitting.dialogue.seat) == sitting.table.state.hands[1][2:]
    assert sitting.step_back()
    assert sitting.table.state.unplayed(sitting.dialogue.seat) == sitting.table.state.hands[1][1:]
    sitting.leave()


def test_round_taken_back_is_not_counted_in_the_tally(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path)
    type_in(sitting, *ROUND)
    assert sitting.dialogue.tally.rounds == 1
    sitting = sat_down(tmp_path)
    type_in(sitting, *ROUND, "u")
    assert sitting.dialogue.tally.rounds == 0


def test_undo_is_unavailable_with_hidden_cards(tmp_path: Path) -> None:
    sitting = sat_down(tmp_path, Options())
    said = type_in(sitting, "?", "u", "q")
    assert said[-1] == "u: choices are final against opponents"
    assert "a step back" not in "\n".join(said)


def test_undo_changes_nothing_if_its_new_log_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = sat_down(tmp_path)
    sitting.table.run()
    sitting.table.submit(sitting.dialogue.seat, Discard((1, 2)))
    sitting.table.run()
    state, path = sitting.table.state, sitting.log.path

    def refuse(_: object) -> None:
        raise BadFile("cribbage.log", "the log cannot be written: No space left on device")

    monkeypatch.setattr(sitting, "hearer", refuse)
    said = type_in(sitting, "u")
    assert said[-1].endswith("No space left on device; your choice cannot be taken back")
    assert (sitting.table.state, sitting.log.path) == (state, path)
    assert [*(tmp_path / "logs").iterdir()] == [path]
