"""Several seats asked at once: played, recorded, replayed, rerun and verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.test_records import clock, header_of, record
from tests.contract.toy.brains.players import Keeper
from tests.contract.toy.face.words import lines
from tests.contract.toy.machine.game import SEATS, AllAnswered, Answered, Ante, Keep
from tests.helpers.faulty_toy import ante, toy
from tests.helpers.random_play import AnyTable, fair_table, play, seed_of, with_wild
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.house.seat_dialogue import Dialogue
from tui_casino.records.cache import Cache
from tui_casino.records.ledger import LogCheckpoint
from tui_casino.records.playback import Playback
from tui_casino.records.replay import ProofLevel, make_table, replay_log, rerun_log, verify_log
from tui_casino.records.session_log import LogWriter, SessionLog, SittingResult, read_log

DEFINITION = with_wild(toy())
STEPS = 150
by_humans = pytest.mark.parametrize("humans", [(), (0,), (1,), (0, 1)], ids=str)
Humans = tuple[int, ...]


def answers(log: SessionLog) -> list[int]:
    """Give the seats in the order in which they answered, round by round."""
    return [line.by for line in log.steps() if line.by is not None]


def first_answers(log: SessionLog) -> set[int]:
    return {*answers(log)[::2]}


@by_humans
def test_session_of_simultaneous_seats_is_recorded_and_verified(
    humans: Humans, tmp_path: Path
) -> None:
    path, seed = tmp_path / "log.jsonl", seed_of(11)
    table = record(DEFINITION, path, seed, STEPS, humans)
    log = read_log(path)
    for one, other in zip(answers(log)[::2], answers(log)[1::2], strict=False):
        assert {one, other} == {0, 1}, "each answers once a round"
    *_, last = replay_log(DEFINITION.game, log)
    assert last.state == table.state
    again = fair_table(DEFINITION, seed, humans)
    rerun_log(again, log)
    assert again.state == table.state
    verdict = verify_log(DEFINITION, log, LogCheckpoint(last=log.hash))
    assert verdict.proof is ProofLevel.AUTHENTIC
    assert verdict.shuffle_checked
    with Playback(DEFINITION, path, Cache(None)) as found:
        assert found.moment_at(found.steps).state == table.state


def test_computers_answer_before_humans_in_a_simultaneous_choice(tmp_path: Path) -> None:
    """Computers before humans, by seat; humans among themselves as they like."""
    first = {}
    for humans in ((), (0,), (1,), (0, 1)):
        record(DEFINITION, tmp_path / "log.jsonl", seed_of(12), STEPS, humans)
        first[humans] = first_answers(read_log(tmp_path / "log.jsonl"))
        (tmp_path / "log.jsonl").unlink()
    assert first == {(): {0}, (0,): {1}, (1,): {0}, (0, 1): {0, 1}}


@by_humans
def test_simultaneous_session_cut_after_any_step_resumes_to_the_same_bytes(
    humans: Humans, tmp_path: Path
) -> None:
    """Also between one answer and the other."""
    path, seed = tmp_path / "log.jsonl", seed_of(13)
    whole = record(DEFINITION, path, seed, 40, humans, end=False)
    raw = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(raw) if byte == ord("\n")]
    for end in ends:
        path.write_bytes(raw[:end])
        log, found = LogWriter.resume(path, clock)
        table = make_table(DEFINITION, found, CommittedSource(seed))
        rerun_log(table, found)
        table.bus.recorder = log.step
        play(table, seed, 40 - log.steps)
        log.close()
        assert path.read_bytes() == raw
        assert table.state == whole.state


def test_each_of_two_humans_gets_only_the_lines_meant_for_its_seat() -> None:
    table = fair_table(DEFINITION, seed_of(15), (0, 1))
    ante(table)
    one, other = (Dialogue(table, DEFINITION, seat) for seat in SEATS)
    other.listen()
    assert other.answer("c 1") == [*lines(Answered(SEATS[1], True), SEATS[1])]
    assert other.answer("k") == ["k: it is not your turn"]
    assert one.recall()[-1:] == [*lines(Answered(SEATS[1], None), SEATS[0])]
    one.answer("k")
    assert {*lines(AllAnswered((SEATS[1],)), SEATS[1])} <= {*other.recall()}


@pytest.mark.parametrize("human", SEATS)
def test_verify_rejects_a_log_in_which_a_human_answers_before_a_computer(
    human: Seat, tmp_path: Path
) -> None:
    """The rules allow it; but the table asks computers first, and never wrote such a log."""
    keepers = toy(players={"wild": Keeper})
    seed, computer = seed_of(14), Seat(1 - human)
    verdicts = []
    for order in ((computer, human), (human, computer)):
        path = tmp_path / f"{order[0]}.jsonl"
        players = {seat: None if seat == human else Keeper() for seat in SEATS}
        options, source = keepers.game.Options(), CommittedSource(seed)
        table: AnyTable = Table(keepers.game, options, ShuffledShoe(), source, players)
        log = LogWriter.begin(path, header_of(table), clock)
        table.bus.recorder = log.step
        for seat in (computer, human):
            table.play(seat, Ante())
        for _ in range(3):
            table.advance()
        for seat in order:
            table.play(seat, Keep())
        money = [keepers.game.money(table.state, seat) for seat in SEATS]
        log.end(SittingResult("left", tuple(m.free + m.staked for m in money), seed.hex()))
        log.close()
        assert len([*replay_log(keepers.game, read_log(path))]) == 7
        verdicts.append(verify_log(keepers, read_log(path)))
    right, forged = verdicts
    assert right.proof is ProofLevel.CONSISTENT
    assert (forged.proof, forged.steps, forged.line) == (ProofLevel.DIFFERS, 5, 7)
    assert forged.reason == "the rules refuse this step: it is somebody else's turn"
