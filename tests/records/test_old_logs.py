"""Logs in older formats are read, verified, counted and resumed as before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.golden.write import OLD
from tests.helpers.ledger_sessions import clock, play_on, play_round_out
from tui_casino.engine.game import Seat
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.house.resumption import resume_from_ledger, resume_from_log
from tui_casino.house.sitting import House, branch_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.ledger import LogCheckpoint, OpenSitting
from tui_casino.records.log_catalog import SittingStatus, list_logs
from tui_casino.records.log_header import HUMAN, LOG_FORMAT, BranchOrigin, Identity, encode_header
from tui_casino.records.replay import ProofLevel, log_options, replay_log, verify_log
from tui_casino.records.session_log import SessionLog, read_log
from tui_casino.records.session_statistics import compute_statistics
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.summaries import review_logs

THEN = ("video-poker", "baccarat", "five-card-draw", "thirty-one", "cribbage")
"""The games of the house when logs were of format 1."""
FORMATS = {**dict.fromkeys(THEN, 1), "format-2": 2, "format-3": 3, "format-3-cut-off": 3}
CUT_OFF = "format-3-cut-off"
by_log = pytest.mark.parametrize("name", FORMATS)


@pytest.fixture
def path(name: str, tmp_path: Path) -> Path:
    return Path(shutil.copy(OLD / f"{name}.jsonl", tmp_path))


def definition_of(log: SessionLog) -> AnyDefinition:
    return DEFINITIONS[log.header.game]


def practice(folder: Path) -> House:
    return House(folder, None, "ann", clock=clock, name="Ann B.")


def unended(path: Path) -> bytes:
    """Take the last line away; give the log as it was."""
    raw = path.read_bytes()
    path.write_bytes(raw[: raw.rindex(b"\n", 0, -1) + 1])
    return raw


def test_every_old_format_has_a_test_log() -> None:
    assert {path.stem for path in OLD.iterdir()} == FORMATS.keys()
    assert {*FORMATS.values()} == {*range(1, LOG_FORMAT)}


@by_log
def test_log_of_an_older_format_is_read_replayed_and_verified(name: str, path: Path) -> None:
    log = read_log(path)
    assert (log.header.format, log.header.who) == (FORMATS[name], ())
    assert (log.torn, log.end is None) == (0, name == CUT_OFF)
    assert encode_header(log.header) == log.first
    definition = definition_of(log)
    assert len([*replay_log(definition.game, log)]) == len(log.lines) > 20
    verdict = verify_log(definition, log)
    assert (verdict.proof, verdict.shuffle_checked) == (ProofLevel.CONSISTENT, True)


@by_log
def test_log_of_an_older_format_is_listed_without_an_owner(name: str, path: Path) -> None:
    (found,) = list_logs(path.parent, DEFINITIONS, {})
    assert (found.fault, found.player, found.owners) == (None, None, ())
    assert found.is_owned_by("ann")
    assert found.ending is (SittingStatus.CUT_OFF if name == CUT_OFF else SittingStatus.LEFT)


def test_logs_of_older_formats_count_in_statistics(tmp_path: Path) -> None:
    for old in OLD.iterdir():
        shutil.copy(old, tmp_path)
    found = compute_statistics(
        review_logs(list_logs(tmp_path, DEFINITIONS, {}), DEFINITIONS, Cache(None)), DEFINITIONS
    )
    assert len(found.practice.overall.sittings) == len(FORMATS) - 1
    assert sum(found.left_out.values()) == 1
    for sat in found.practice.overall.sittings:
        log = read_log(sat.entry.path)
        assert log.end is not None
        game = definition_of(log).game
        brought = game.money(game.start(log_options(game, log)), Seat(0)).free
        assert sat.summary.net == game.unit * (log.end.money[0] - brought)


@by_log
def test_branch_of_an_older_format_log_names_its_player(name: str, path: Path) -> None:
    before, old = path.read_bytes(), read_log(path)
    step = len(old.lines) if name == CUT_OFF else len(old.lines) // 2
    with_me = branch_sitting(practice(path.parent), definition_of(old), path, step)
    play_on(with_me, 10)
    with_me.leave()
    assert path.read_bytes() == before
    new = read_log(with_me.log.path)
    assert (new.header.format, new.header.parent) == (LOG_FORMAT, BranchOrigin(path.name, step))
    me = Identity("ann", "Ann B.")
    assert new.header.who == tuple(me if who == HUMAN else None for who in new.header.players)
    assert verify_log(definition_of(new), new).proof is ProofLevel.CONSISTENT


@pytest.mark.parametrize("name", ["baccarat", "thirty-one", "video-poker", "format-2"])
def test_old_format_session_for_money_resumes_to_the_same_bytes(name: str, path: Path) -> None:
    """Without its last line it is an open sitting; settled, it is the same to the byte."""
    whole = read_log(path)
    raw = unended(path)
    definition = definition_of(whole)  # of a game that was left with nothing at stake
    start = definition.game.start(log_options(definition.game, whole))
    bought = definition.game.unit * definition.game.money(start, Seat(0)).free
    assert whole.end is not None
    seed = bytes.fromhex(whole.end.seed or "")
    ledger = SqliteLedger(path.parent / "ledger.db")
    ledger.buy_in(OpenSitting(name, whole.header.game, path, seed, bought), "ann", 1)
    house = House(path.parent, ledger, "ann", clock=clock)
    (entry,) = ledger.open_sittings("ann")
    assert resume_from_ledger(house, ledger, definition, entry) is None
    assert path.read_bytes() == raw
    assert ledger.checkpoint_of(path) == LogCheckpoint(last=whole.hash)
    ledger.close()


@pytest.mark.parametrize("name", [*THEN, "format-3"])
def test_old_format_free_play_resumes_to_the_same_bytes(name: str, path: Path) -> None:
    raw = unended(path)
    resume_from_log(practice(path.parent), definition_of(read_log(path)), path).leave()
    assert path.read_bytes() == raw


@pytest.mark.parametrize("name", [CUT_OFF])
def test_interrupted_old_log_continues_in_its_own_format(name: str, path: Path) -> None:
    before = path.read_bytes()
    definition = definition_of(read_log(path))
    sitting = resume_from_log(practice(path.parent), definition, path)
    assert sitting.staked
    play_on(sitting, 30)
    play_round_out(sitting)
    sitting.leave()
    assert path.read_bytes().startswith(before)
    log = read_log(path)
    assert (log.header.format, log.header.who) == (3, ())
    assert log.end is not None
    assert verify_log(definition, log).shuffle_checked
