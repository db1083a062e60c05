"""The log of the trainer: byte for byte the original's, seed for seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.cribbage.original_trainer import random_round
from tests.games.cribbage.rounds import log_of
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import Card, parse_hand
from tui_casino.games.cribbage.face.original_trainer_files import TrainerLogFile, log_lines
from tui_casino.games.cribbage.machine.state import CardDealt, GoSaid, Laid, RoundPart, Scored
from tui_casino.inputs.files import BadFile

DATA = Path(__file__).parents[2] / "data" / "cribbage"


@pytest.mark.parametrize("seed", [55510, 12345], ids=labelled("seed {}"))
def test_original_logs_are_reproduced_byte_for_byte(seed: int) -> None:
    assert log_of(seed).encode() == (DATA / f"seed-{seed}.log").read_bytes()


def without_points(line: str) -> str | None:
    """A line as the original's round here gives it: of the scores only starter and go."""
    if not line.startswith("score"):
        return line
    _, player, _, _, kind, *_ = line.split(",")
    return f"score {kind},{player}" if kind in ("starter", "go") else None


@pytest.mark.parametrize(
    "first", [-(2**31), -300, 0, 1248, 30006, 2**31 - 50], ids=labelled("from seed {}")
)
def test_trainer_log_of_any_seed_has_the_cards_and_plays_of_the_original(first: int) -> None:
    for seed in range(first, first + 50):
        lines = [without_points(line) for line in log_of(seed).splitlines()]
        assert [line for line in lines if line is not None] == random_round(seed)


@pytest.mark.parametrize("seed", [55510, 12345, -1], ids=labelled("seed {}"))
def test_trainer_log_has_no_white_space_except_line_ends(seed: int) -> None:
    assert log_of(seed).split() == log_of(seed).splitlines()


def test_points_in_the_trainer_log_add_up_from_line_to_line() -> None:
    for seed in range(200):
        totals = {"P0": 0, "P1": 0}
        for line in log_of(seed).splitlines():
            if line.startswith("score"):
                _, player, total, points, *_ = line.split(",")
                totals[player] += int(points)
                assert totals[player] == int(total)


def test_trainer_log_records_a_jack_as_starter_with_its_two_points() -> None:
    scored = Scored(1, 2, 2, "starter", parse_hand("JH"), RoundPart.STARTER)
    assert log_lines(scored) == ("score,P1,2,2,starter,[JH]",)


def test_scores_of_the_play_are_logged_without_cards() -> None:
    scored = Scored(1, 2, 2, "pair2", parse_hand("QD QH"), RoundPart.PLAY)
    assert log_lines(scored) == ("score,P1,2,2,pair2",)


def test_trainer_log_leaves_out_events_without_points() -> None:
    assert log_lines(CardDealt(0, Card.parse("2C"))) == log_lines(GoSaid(0)) == ()


def test_trainer_log_is_overwritten_and_flushed_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "cribbage.log"
    path.write_text("an older log\n")
    log = TrainerLogFile(path, ["seed,1"])
    log.begin()
    assert not path.read_text()
    log(GoSaid(0))
    assert not path.read_text()
    log(Laid(0, 2, Card.parse("2H")))
    assert path.read_text() == "seed,1\nplay,P0,2,2H\n"
    log(Laid(1, 4, Card.parse("2C")))
    assert path.read_text() == "seed,1\nplay,P0,2,2H\nplay,P1,4,2C\n"


def test_unwritable_trainer_log_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "cribbage.log"
    with pytest.raises(BadFile, match="cannot be written: No such file or directory"):
        TrainerLogFile(path, ["seed,1"]).begin()
    with pytest.raises(BadFile, match="cannot be written: Is a directory"):
        TrainerLogFile(tmp_path, ["seed,1"]).begin()
    with pytest.raises(BadFile, match="null"):
        TrainerLogFile(Path("a\0b"), ["seed,1"]).begin()
