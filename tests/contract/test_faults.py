"""Faults of files and clocks while any game is played: said plainly, and no money is lost."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.command_runner import output
from tests.helpers.ledger_sessions import (
    ME,
    PURSED,
    chained,
    clock,
    house_in,
    ledger_of,
    lines_of,
    only_open,
    play_on,
    play_round_out,
    played,
    sit,
    step,
    verdict_of,
    write,
)
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled
from tui_casino.gamekit.registry import GameListing
from tui_casino.house.lobby import AnySitting, resume, review_open_sittings
from tui_casino.house.sitting import House, SittingEnding
from tui_casino.inputs.files import BadFile
from tui_casino.records.clock import LAST_MOMENT, now
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.log_header import SEAT_FORMAT
from tui_casino.records.replay import ProofLevel
from tui_casino.records.session_log import LogInUse, LogWriteError, LogWriter, read_log

by_game = pytest.mark.parametrize("listing", PURSED, ids=lambda listing: listing.slug)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return house_in(tmp_path)


def in_play(listing: GameListing, house: House) -> AnySitting:
    """Play until something is at stake, and the next step is the croupier's or the human's."""
    sitting = sit(listing, house)
    while not (sitting.staked and sitting.log.steps > 8):
        assert step(sitting)
    return sitting


def change_a_byte(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    written(path, bytes(raw))


def written(path: Path, raw: bytes) -> None:
    """Write into a file that is open elsewhere, and keep it the same file."""
    with path.open("r+b") as file:
        file.truncate(0)
        file.write(raw)
    os.utime(path)


CHANGED = "another program changed the log"
HARM: dict[str, tuple[Callable[[Path], object], str | None]] = {
    "deleted": (Path.unlink, "the log was deleted"),
    "moved away": (lambda path: shutil.move(path, path.with_suffix(".moved")), "was deleted"),
    "folder deleted": (lambda path: shutil.rmtree(path.parent), "the log was deleted"),
    "byte changed": (change_a_byte, CHANGED),
    "emptied": (lambda path: written(path, b""), CHANGED),
    "truncated": (
        lambda path: written(path, path.read_bytes()[:-40]),
        "another program changed the log",
    ),
    "line appended": (lambda path: written(path, path.read_bytes() + b'{"n":9}\n'), None),
    "touched": (lambda path: os.utime(path, (1, 1)), None),
}
"""What somebody else does to an open log, and what is said of it; a mere touch is nothing."""


@by_game
@pytest.mark.parametrize("harm", HARM)
def test_damage_to_the_log_during_play_is_repaired_and_reported(
    listing: GameListing, harm: str, house: House
) -> None:
    do, said = HARM[harm]
    sitting = in_play(listing, house)
    path, before = sitting.log.path, sitting.log.path.read_bytes()
    do(path)
    assert sitting.log.take_repaired() == []
    play_on(sitting, 3)
    assert path.read_bytes().startswith(before)
    assert path.read_bytes() != before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    notes = sitting.log.take_repaired()
    assert len(notes) == (said is not None)
    assert all(said in note for note in notes if said)
    with pytest.raises(LogInUse):  # the file that stands there now is locked
        LogWriter.resume(path, clock)
    play_round_out(sitting)
    assert sitting.leave() is SittingEnding.CASHED_OUT
    assert ledger_of(house).balance(ME) == sitting.cents
    assert verdict_of(path, house).proof is ProofLevel.AUTHENTIC


@by_game
def test_log_deleted_before_cash_out_is_restored_by_its_last_line(
    listing: GameListing, house: House
) -> None:
    sitting = in_play(listing, house)
    play_round_out(sitting)
    sitting.log.path.unlink()
    assert sitting.leave() is SittingEnding.CASHED_OUT
    assert verdict_of(sitting.log.path, house).proof is ProofLevel.AUTHENTIC
    assert ledger_of(house).balance(ME) == sitting.cents


@by_game
def test_play_stops_while_another_file_has_the_place_of_the_log(
    listing: GameListing, house: House
) -> None:
    """As an editor leaves one: play pauses until it is moved away."""
    sitting = in_play(listing, house)
    path, state, raw = sitting.log.path, sitting.table.state, sitting.log.path.read_bytes()
    path.unlink()
    path.write_text("somebody's")
    with pytest.raises(LogWriteError, match="another file has taken its place"):
        play_on(sitting, 1)
    assert path.read_text() == "somebody's"
    assert sitting.table.state == state
    path.unlink()
    play_on(sitting, 1)
    assert path.read_bytes().startswith(raw)


@by_game
@pytest.mark.parametrize("harm", ["deleted", "byte changed"])
def test_full_disk_during_the_repair_of_a_log_pauses_the_game(
    listing: GameListing, harm: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = in_play(listing, house)
    path, state = sitting.log.path, sitting.table.state
    HARM[harm][0](path)

    def full(file: int, data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        with pytest.raises(LogWriteError, match="No space"):
            play_on(sitting, 1)
    assert sitting.table.state == state
    play_round_out(sitting)
    sitting.leave()
    assert [file.name for file in path.parent.iterdir()] == [path.name], "nothing left beside it"
    assert verdict_of(path, house).proof is ProofLevel.AUTHENTIC


@by_game
def test_money_of_a_killed_session_stays_booked_until_its_log_is_restored(
    listing: GameListing, house: House
) -> None:
    sitting = in_play(listing, house)
    raw = sitting.log.path.read_bytes()
    sitting.log.path.unlink()
    sitting.close()
    found = review_open_sittings(house, {listing.slug: listing.definition()})
    assert (
        "not found; your money is safe in the ledger until this file is restored" in found.notes[0]
    )
    assert ledger_of(house).balance(ME) == OPENING_BALANCE - only_open(house).bought_in
    sitting.log.path.write_bytes(raw)
    again = not_none(resume(house, listing.definition(), only_open(house)))
    assert again.table.state == sitting.table.state
    again.close()


# ---- clocks -----------------------------------------------------------------------------------


@by_game
def test_session_with_a_clock_set_back_resumes_pays_and_verifies(
    listing: GameListing, tmp_path: Path
) -> None:
    times = iter(range(2_000_000_000_000, 0, -86_400_000))
    house = house_in(tmp_path, lambda: next(times))
    sitting = in_play(listing, house)
    state = sitting.table.state
    sitting.close()
    again = not_none(resume(house, listing.definition(), only_open(house)))
    assert again.table.state == state
    play_round_out(again)
    again.leave()
    assert verdict_of(again.log.path, house).proof is ProofLevel.AUTHENTIC
    assert ledger_of(house).balance(ME) == again.cents
    assert len(ledger_of(house).movements(ME)) == 1
    sit(listing, house).leave()


@pytest.mark.parametrize("seconds", [-(10**10), 0, 10**12], ids=labelled("{} seconds since 1970"))
def test_log_written_with_a_clock_far_from_today_is_authentic(
    seconds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: seconds * 10**9)
    assert 0 <= now() < LAST_MOMENT
    house = house_in(tmp_path, now)
    sitting = played(PURSED[0], house)
    assert verdict_of(sitting.log.path, house).proof is ProofLevel.AUTHENTIC


# ---- newer programs ---------------------------------------------------------------------------


@by_game
def test_open_session_of_a_newer_program_is_reported_and_left_unchanged(
    listing: GameListing, house: House
) -> None:
    sitting = in_play(listing, house)
    path = sitting.log.path
    sitting.close()
    newer = lines_of(path)
    newer[0]["format"] = 99
    raw = write(path, chained(newer)).read_bytes()
    found = review_open_sittings(house, {listing.slug: listing.definition()})
    assert found.waiting == ()
    assert (
        f"written by a newer program: format 99, this one reads 1 to {SEAT_FORMAT}"
        in found.notes[0]
    )
    assert path.read_bytes() == raw
    assert ledger_of(house).balance(ME) == OPENING_BALANCE - only_open(house).bought_in
    with pytest.raises(BadFile, match="newer program"):
        read_log(path)


def test_ledger_of_a_newer_program_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    """Nothing is played on it, and a log is then verified without it, which is said."""
    from tui_casino.house.paths import ledger_file

    house = house_in(ledger_file().parent)
    path = played(PURSED[0], house).log.path
    assert house.ledger is not None
    house.ledger.close()  # else what it wrote may get into the file later
    db = sqlite3.connect(ledger_file())
    db.execute("pragma user_version = 7")
    db.close()
    before = ledger_file().read_bytes()
    err = output(PURSED[0].slug, "--console", code=2).err
    assert "written by a newer program (version 7, this one knows 2)" in err
    out, err = output("verify", str(path))
    assert out.startswith("consistent")
    assert "the ledger cannot be read" in err
    assert "newer program" in err
    assert ledger_file().read_bytes() == before
