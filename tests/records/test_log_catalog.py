"""The shelf: what a glance at a log's ends tells, whatever lies in the folder; and pruning."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.golden.write import golden
from tests.helpers.ledger_sessions import act_and_run
from tui_casino.engine.chance import CommittedSource, SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing
from tui_casino.games import cribbage
from tui_casino.games.cribbage.machine.state import GameForm
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options
from tui_casino.house.sitting import House, Sitting, begin_sitting
from tui_casino.inputs.files import BadFile
from tui_casino.records.cache import Cache
from tui_casino.records.ledger import Ledger
from tui_casino.records.log_catalog import (
    CatalogEntry,
    SittingStatus,
    filter_logs,
    hold_lock,
    list_logs,
    make_entry,
)
from tui_casino.records.prune import log_damage, logs_before, logs_over_size, remove_log
from tui_casino.records.session_log import LogInUse, LogWriter, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

ME = Seat(0)
AnySitting = Sitting[Any, Any, Any, Any, Any]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return SqliteLedger(tmp_path / "ledger.db")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return tmp_path / "logs"


class Time:
    """A clock that is set by hand."""

    at = 1_767_225_600_000

    def __call__(self) -> int:
        return self.at


def sit(logs: Path, ledger: Ledger | None, clock: Time | None = None) -> AnySitting:
    house = House(logs, ledger, "ann", clock=clock or Time())
    return begin_sitting(
        house, DEFINITION, Options(), ShuffledShoe(), CommittedSource(b"s" * 32), {ME: None}
    )


ROUND = (Bet(5), Draw(), Hold(()))


def one(logs: Path, ledger: Ledger | None) -> CatalogEntry:
    (found,) = list_logs(logs, DEFINITIONS, ledger.accounts() if ledger else {})
    return found


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_catalog_entry_agrees_with_the_complete_log(listing: GameListing, tmp_path: Path) -> None:
    path = golden(listing).log
    found, log = make_entry(path, DEFINITIONS, {}), read_log(path)
    assert log.end is not None
    game = listing.definition().game
    brought = game.money(game.start(game.sit(game.Options(), 100_000 // game.unit)), ME).free
    assert found.fault is None
    assert found.game == listing.slug
    assert found.players == log.header.players
    assert found.steps == len(log.lines)
    assert (found.ending, found.reason) == (SittingStatus.LEFT, "left")
    net = game.unit * (log.end.money[0] - brought)
    assert found.result == (None if listing.definition().points else net)
    assert (found.size, found.torn, found.parent) == (path.stat().st_size, 0, None)
    assert found.player is None


def test_catalog_entry_has_duration_player_and_result(logs: Path, ledger: Ledger) -> None:
    clock = Time()
    sitting = sit(logs, ledger, clock)
    clock.at += 90_000
    act_and_run(sitting, *ROUND)
    sitting.leave()
    found = one(logs, ledger)
    assert (found.player, found.length, found.finished) == ("ann", 90_000, True)
    assert found.result == ledger.balance("ann") - 100_000
    practice = make_entry(found.path, DEFINITIONS, {})
    assert practice.player is None
    assert practice.result == found.result  # reckoned from the log


def test_log_status_is_open_in_play_cut_off_or_finished(logs: Path, ledger: Ledger) -> None:
    sitting = sit(logs, ledger)
    act_and_run(sitting, *ROUND, Bet(5), Draw())
    assert one(logs, ledger).ending is SittingStatus.IN_PLAY
    sitting.leave()
    assert (one(logs, ledger).ending, one(logs, ledger).result) == (SittingStatus.OPEN, None)
    shutil.rmtree(logs)

    practice = sit(logs, None)
    act_and_run(practice, Bet(5))
    assert one(logs, None).ending is SittingStatus.IN_PLAY
    practice.log.close()
    assert one(logs, None).ending is SittingStatus.CUT_OFF
    shutil.rmtree(logs)

    poor = begin_sitting(
        House(logs, None, "ann", clock=Time()),
        DEFINITION,
        Options(credit=5),
        ShuffledShoe(),
        SeededSource(3),
        {ME: None},
    )
    act_and_run(poor, *ROUND)
    poor.leave()
    assert (one(logs, None).ending, one(logs, None).reason) == (SittingStatus.OVER, "out of credit")
    assert one(logs, None).result == -500


def test_ended_session_that_is_not_cashed_out_is_open(logs: Path, ledger: Ledger) -> None:
    sitting = sit(logs, ledger)
    act_and_run(sitting, *ROUND)
    sitting.leave()
    known = {name: replace(a, cashed_out=None) for name, a in ledger.accounts().items()}
    (found,) = list_logs(logs, DEFINITIONS, known)
    assert (found.ending, found.finished) == (SittingStatus.OPEN, False)


def test_missing_end_of_a_cashed_out_session_is_damage(logs: Path, ledger: Ledger) -> None:
    sitting = sit(logs, ledger)
    act_and_run(sitting, *ROUND)
    sitting.leave()
    lines = sitting.log.path.read_bytes().splitlines(keepends=True)
    sitting.log.path.write_bytes(b"".join(lines[:-1]))
    assert one(logs, ledger).notes == (
        "damaged: its end is missing: the ledger recorded its cash-out",
    )


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "no complete first line"),
        (b'{"format":1', "no complete first line"),
        (b"\xff\xfe\x00binary\n\x00", "not the first line of a log"),
        (b'{"format":9,"new":true}\n', "written by a newer program: format 9, this one reads"),
        (b'{"format":1}\n', "not the first line"),
        (b"x" * 3_000_000, "no complete first line"),
        (b"[" * 50_000 + b"\n", "not the first line"),
    ],
)
def test_invalid_log_is_listed_in_the_catalog_with_the_reason(
    raw: bytes, why: str, logs: Path
) -> None:
    logs.mkdir()
    (logs / "odd.jsonl").write_bytes(raw)
    found = one(logs, None)
    assert found.fault is not None
    assert why in found.fault
    assert (found.size, found.finished, found.result) == (len(raw), False, None)
    assert found.notes[0].startswith("damaged: ")


def test_unreadable_entries_of_the_log_folder_are_listed_with_the_reason(logs: Path) -> None:
    logs.mkdir()
    (logs / "folder.jsonl").mkdir()
    os.mkfifo(logs / "pipe.jsonl")
    (logs / "link.jsonl").symlink_to(logs / "nothing")
    (logs / "sparse.jsonl").touch()
    os.truncate(logs / "sparse.jsonl", (512 << 20) + 1)
    (logs / "notes.txt").write_text("not a log, and not listed")
    found = {e.path.stem: e.fault for e in list_logs(logs, DEFINITIONS, {})}
    assert found == {
        "folder": "Is a directory",
        "pipe": "it is a pipe; give a regular file",
        "link": "it no longer exists",
        "sparse": "it has 536,870,913 bytes; at most 536,870,912 are allowed",
    }
    assert make_entry(logs / "gone.jsonl", DEFINITIONS, {}).fault == "it no longer exists"
    assert list_logs(logs / "nothing", DEFINITIONS, {}) == []
    with pytest.raises(BadFile, match="Not a directory"):
        list_logs(logs / "notes.txt", DEFINITIONS, {})


def damaged(path: Path, line: int, old: bytes, new: bytes) -> CatalogEntry:
    lines = path.read_bytes().splitlines(keepends=True)
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    path.write_bytes(b"".join(lines))
    return make_entry(path, DEFINITIONS, {})


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return Path(shutil.copy(golden(GAMES[0]).log, tmp_path / "log.jsonl"))


def test_session_with_a_clock_set_back_has_no_duration_in_the_catalog(log: Path) -> None:
    found = damaged(log, -1, b'"at":1767225600000', b'"at":1767225500000')
    assert (found.length, found.fault) == (None, None)
    assert found.notes == ("the clock went backwards while it was played",)


def test_catalog_names_damage_in_the_first_and_last_lines_of_a_log(log: Path) -> None:
    raw = log.read_bytes()
    assert "result" in (damaged(log, -1, b'"money":[', b'"money":[],"x":[').fault or "")
    log.write_bytes(raw)
    assert "last step" in (damaged(log, -2, b'"n":', b'"m":').fault or "")
    log.write_bytes(raw)
    assert "result" in (damaged(log, 0, b'"credit":', b'"debit":').fault or "")
    log.write_bytes(raw)
    found = damaged(log, 0, b'"game":"video-poker"', b'"game":"whist"')
    assert (found.game, found.fault, found.result) == ("whist", None, None)
    log.write_bytes(raw + b'{"torn"')
    assert make_entry(log, DEFINITIONS, {}).notes == ("7 bytes after its last line are ignored",)
    log.write_bytes(raw[: raw.index(b"\n") + 1])
    assert (make_entry(log, DEFINITIONS, {}).steps, make_entry(log, DEFINITIONS, {}).ending) == (
        0,
        SittingStatus.CUT_OFF,
    )


def test_catalog_reports_an_impossible_time_in_a_log_as_damage(log: Path) -> None:
    found = damaged(log, -1, b'"at":1767225600000', b'"at":1' + b"0" * 18)
    assert "not a time in milliseconds since 1970" in (found.fault or "")
    assert found.length == 0


def test_catalog_does_not_believe_an_end_that_follows_other_lines(log: Path) -> None:
    found = damaged(log, -2, b'"at":1767225600000', b'"at":1767225600001')
    assert found.fault == "its last line does not follow the line before it"
    assert found.result is None


def doubled(raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    return b"".join([*lines[:4], lines[3], *lines[4:]])


def without_a_line(raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    return b"".join([*lines[:4], *lines[5:]])


MIDDLES: dict[str, Callable[[bytes], bytes]] = {
    "a line twice": doubled,
    "a line missing": without_a_line,
    "two logs": lambda raw: raw + raw,
    "NaN": lambda raw: raw.replace(b'"n":2,', b'"n":NaN,', 1),
    "CR LF": lambda raw: raw.replace(b"\n", b"\r\n", 3),
}


@pytest.mark.parametrize("spoil", MIDDLES.values(), ids=MIDDLES)
def test_damage_in_the_middle_of_a_log_is_found_before_it_is_removed(
    log: Path, spoil: Callable[[bytes], bytes]
) -> None:
    assert log_damage(log) is None
    log.write_bytes(spoil(raw := log.read_bytes()))
    assert log.read_bytes() != raw
    assert make_entry(log, DEFINITIONS, {}).finished, "its ends do not show the damage"
    assert (log_damage(log) or "").startswith("line ")


@given(cut=st.integers(0, 20_000), byte=st.integers(0, 255), at=st.integers(-300, 900))
def test_any_file_gets_a_catalog_entry_without_an_exception(cut: int, byte: int, at: int) -> None:
    """Cut anywhere it says what reading the whole says; changed anywhere it is an entry still."""
    raw = golden(GAMES[0]).log.read_bytes()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_bytes(raw[:cut])
        found = make_entry(path, DEFINITIONS, {})
        if found.fault is not None:
            with pytest.raises(BadFile) as bad:
                read_log(path)
            assert found.fault == bad.value.reason
        else:
            log = read_log(path)
            assert (found.steps, found.torn) == (len(log.lines), log.torn)
            assert found.finished is (log.end is not None)
        at %= len(raw)
        path.write_bytes(raw[:at] + bytes([byte]) + raw[at + 1 :])
        assert make_entry(path, DEFINITIONS, {}).size == len(raw)


def test_log_with_long_first_and_last_lines_is_listed_in_the_catalog(log: Path) -> None:
    first, *rest, end = log.read_bytes().splitlines()
    long = {**json.loads(first), "more": "x" * 100_000}
    why = json.loads(end)
    why["end"]["why"] = "y" * 50_000
    lines = [json.dumps(long).encode(), *rest, json.dumps(why, separators=(",", ":")).encode()]
    log.write_bytes(b"\n".join(lines) + b"\n")
    found = make_entry(log, DEFINITIONS, {})
    assert (found.fault, found.ending, found.steps) == (None, SittingStatus.OVER, len(rest))


@pytest.mark.parametrize("form", GameForm)
def test_unfinished_game_for_points_is_listed_as_resumable(form: GameForm, logs: Path) -> None:
    """Any other practice without an end was cut off; both are gone on with in their own logs."""
    options = cribbage.DEFINITION.game.Options(form=form)
    players = {ME: "greedy", Seat(1): None}
    house = House(logs, None, "ann", clock=Time())
    source = CommittedSource(b"s" * 32)
    sitting = begin_sitting(house, cribbage.DEFINITION, options, ShuffledShoe(), source, players)
    assert one(logs, None).ending is SittingStatus.IN_PLAY
    assert not one(logs, None).resumable
    sitting.log.close()
    found = one(logs, None)
    assert found.ending is (SittingStatus.OPEN if form is GameForm.GAME else SittingStatus.CUT_OFF)
    assert found.resumable
    assert not found.finished


def test_catalog_entry_of_a_branch_names_its_parent(log: Path) -> None:
    found = damaged(log, 0, b'"parent":null', b'"parent":{"log":"first.jsonl","step":7}')
    assert found.notes == ("branched off first.jsonl after step 7",)


def shelf() -> list[CatalogEntry]:
    day = 86_400_000
    common: dict[str, Any] = {"game": "baccarat", "size": 1000, "ending": SittingStatus.LEFT}
    logs: list[tuple[str, int, dict[str, Any]]] = [
        ("f", 6, {"player": "ann", "owners": ("ann",)}),
        ("e", 5, {"game": "video-poker", "ending": SittingStatus.OVER}),
        ("d", 4, {"ending": SittingStatus.OPEN, "owners": ("bob", "ann")}),
        ("c", 3, {"ending": SittingStatus.CUT_OFF}),
        ("b", 2, {"ending": SittingStatus.IN_PLAY}),
        ("a", 1, {"fault": "bad"}),
        ("0", 0, {"player": "bob", "owners": ("bob",)}),
    ]
    return [
        CatalogEntry(Path(f"{name}.jsonl"), **{**common, "started": at * day, **other})
        for name, at, other in logs
    ]


def names(found: list[CatalogEntry]) -> str:
    return "".join(entry.path.stem for entry in found)


def test_logs_are_filtered_by_game_player_and_time() -> None:
    day = 86_400_000
    assert names(filter_logs(shelf())) == "fedcba0"
    assert names(filter_logs(shelf(), game="video-poker")) == "e"
    assert names(filter_logs(shelf(), player="ann")) == "fd", "practice, too, and with others"
    assert names(filter_logs(shelf(), player="bob")) == "d0"
    assert names(filter_logs(shelf(), since=3 * day)) == "fedc"
    assert names(filter_logs(shelf(), since=3 * day, until=5 * day)) == "dc"
    assert names(filter_logs(shelf(), finished=False)) == "dcb"
    assert names(filter_logs(shelf(), finished=True)) == "fea0"


def test_newest_log_is_listed_first_in_the_catalog(logs: Path) -> None:
    clock = Time()
    for hours in (5, 1, 9):
        clock.at = 1_767_225_600_000 + 3_600_000 * hours
        sitting = sit(logs, None, clock)
        act_and_run(sitting, *ROUND)
        sitting.leave()
    began = [found.started for found in list_logs(logs, DEFINITIONS, {})]
    assert began == sorted(began, reverse=True)
    assert len(began) == 3


# ---- pruning ---------------------------------------------------------------------------------


def test_pruning_selects_finished_logs_by_age_and_size() -> None:
    """Never one that has not ended, nor one that is damaged; the oldest first."""
    day = 86_400_000

    def every(entry: CatalogEntry) -> bool:
        return True

    assert names(logs_before(shelf(), 100 * day, every)) == "0ef"
    assert names(logs_before(shelf(), 5 * day, every)) == "0"
    assert logs_before([replace(entry, torn=6) for entry in shelf()], 100 * day, every) == []
    assert logs_before(shelf(), 0, every) == []
    assert logs_over_size(shelf(), 7000, every) == []
    assert names(logs_over_size(shelf(), 6999, every)) == "0"
    assert names(logs_over_size(shelf(), 5000, every)) == "0e"
    assert names(logs_over_size(shelf(), 0, every)) == "0ef"
    oldest, *_ = logs_before(shelf(), 100 * day, every)

    def others(entry: CatalogEntry) -> bool:
        return entry.path != oldest.path

    assert names(logs_before(shelf(), 100 * day, others)) == "ef"
    assert names(logs_over_size(shelf(), 6999, others)) == "e"


def test_removing_a_log_also_removes_its_cache_entries(logs: Path, tmp_path: Path) -> None:
    sitting = sit(logs, None)
    act_and_run(sitting, *ROUND)
    sitting.leave()
    found = one(logs, None)
    cache = Cache(tmp_path / "cache.db")
    cache.keep_reviews([(found.path, found.size, found.touched, b"{}")])
    assert remove_log(found, None, cache) is None
    assert not found.path.exists()
    assert cache.reviews() == {}
    assert remove_log(found, None, cache) == "it no longer exists"


def test_log_that_is_open_or_in_play_again_is_not_removed(logs: Path, ledger: Ledger) -> None:
    sitting = sit(logs, ledger)
    found = replace(
        one(logs, ledger), ending=SittingStatus.LEFT
    )  # as if it had been so a moment ago
    nothing = Cache(None)
    assert remove_log(found, ledger, nothing) == "it is being played by another program"
    act_and_run(sitting, Bet(5))
    sitting.leave()
    assert remove_log(found, ledger, nothing) == "its session is open"
    assert found.path.exists()


def test_log_is_locked_while_it_is_removed(log: Path) -> None:
    with hold_lock(log) as free:
        assert free
        with pytest.raises(LogInUse):
            LogWriter.resume(log, Time())
        assert (
            make_entry(log, DEFINITIONS, {}).ending is SittingStatus.LEFT
        )  # looking needs no lock
    writer, _ = LogWriter.resume(log, Time())
    with hold_lock(log) as free:
        assert not free
    writer.close()
