"""A house that goes down at any point: what it promised stands on its list when it is back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from tui_casino.records.ledger import LedgerError, LogCheckpoint, OpenSitting
from tui_casino.records.promises import read_promises
from tui_casino.records.redo_log import SqliteRedoLog
from tui_casino.records.sqlite_ledger import SqliteLedger

book = pytest.importorskip("tui_casino.host.commitment_log", reason="hosts run on Unix")
"""Only there is a list written."""


def opened(folder: Path) -> SqliteLedger:
    from tui_casino.host.commitment_log import HouseWitness
    from tui_casino.host.data_folder import DataFolder

    data = DataFolder(folder)
    return SqliteLedger(data.ledger, None, HouseWitness(data))


def begin(ledger: SqliteLedger, name: str) -> None:
    sitting = OpenSitting(
        name, "toy", Path(f"/{name}.jsonl"), b"x" * 32, 5, LogCheckpoint(f"head {name}")
    )
    ledger.buy_in(sitting, "ann", 1)


def end(ledger: SqliteLedger, name: str) -> None:
    assert ledger.cash_out(name, 5, f"last {name}", 2)


def listed(folder: Path) -> bytes:
    return (folder / "promises.log").read_bytes()


def check(folder: Path) -> None:
    """See that what is booked is promised, and nothing else but what was about to be."""
    promises = read_promises(folder / "promises.log")
    begun = {one.sitting: one.head for one in promises if one.head is not None}
    over = {one.sitting: one.last for one in promises if one.last is not None}
    with closing(SqliteLedger.look_at(folder / "ledger.db")) as ledger:
        for one in ledger.books().sittings:
            assert begun[one.id] == one.checkpoint.head
            assert one.closed is None or over[one.id] == one.checkpoint.last


@pytest.fixture
def synced() -> Iterator[list[int]]:
    """Give the sizes of the list as it was put on the disk."""
    found: list[int] = []
    with patch.object(book.os, "fsync", lambda file: found.append(os.fstat(file).st_size)):
        yield found


def test_ledger_entries_do_not_sync_the_commitment_log_separately(
    tmp_path: Path, synced: list[int]
) -> None:
    """By the commit, which takes along what it promises; the list itself comes later."""
    with closing(opened(tmp_path)) as ledger:
        begin(ledger, "a")
        assert synced == [len(listed(tmp_path))], "it was not known what is on the disk"
        for name in "bcd":
            begin(ledger, name)
            end(ledger, name)
    assert len(synced) == 1


def test_commitment_log_cut_by_a_power_failure_is_completed(
    tmp_path: Path, synced: list[int]
) -> None:
    """Cut anywhere behind what was put on the disk, or full of zeros there."""
    with closing(opened(tmp_path)) as ledger:
        for name in "abc":
            begin(ledger, name)
        end(ledger, "b")
    whole, (safe,) = listed(tmp_path), synced
    for size in range(safe, len(whole), 41):
        for lost in (b"", b"\0" * (len(whole) - size)):
            (tmp_path / "promises.log").write_bytes(whole[:size] + lost)
            opened(tmp_path).close()
            assert listed(tmp_path) == whole, size
    with closing(opened(tmp_path)) as ledger:
        end(ledger, "c")
    assert listed(tmp_path).startswith(whole)
    check(tmp_path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda whole: b"", "its end is missing"),
        (lambda whole: whole.replace(b"head b", b"head x"), "was changed; restore"),
    ],
    ids=["emptied", "changed"],
)
def test_changed_commitment_log_is_not_overwritten(
    change: Callable[[bytes], bytes], why: str, tmp_path: Path
) -> None:
    with closing(opened(tmp_path)) as ledger:
        begin(ledger, "a")
        begin(ledger, "b")
    changed = change(listed(tmp_path))
    (tmp_path / "promises.log").write_bytes(changed)
    with pytest.raises(LedgerError, match=why):
        opened(tmp_path)
    assert listed(tmp_path) == changed


def test_redo_log_does_not_grow_without_bound(
    tmp_path: Path, synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "MOST_KEPT", 1_000)
    with closing(opened(tmp_path)) as ledger:
        for number in range(30):
            begin(ledger, f"s{number}")
            redo = SqliteRedoLog(ledger._db)
            span, kept = redo.span(), redo.stored()
            assert span is not None
            assert kept is not None
            assert (kept.start, kept.end) == span
            assert span[1] == len(listed(tmp_path))
            assert span[1] - span[0] <= 1_000
    assert 3 < len(synced) < 10


def test_commitment_log_with_entries_of_guests_is_restored_completely(
    tmp_path: Path, synced: list[int]
) -> None:
    """As where guests are promised, who are in no ledger, and where a booking was refused."""
    with closing(opened(tmp_path)) as ledger:
        begin(ledger, "a")
        beside = book.CommitmentLogWriter(tmp_path / "promises.log")
        beside.begins("guest", "c", "h", 1)
        refuses = patch.object(SqliteRedoLog, "keep", side_effect=LedgerError("no room"))
        with refuses, pytest.raises(LedgerError, match="no room"):
            begin(ledger, "refused")
        begin(ledger, "b")
    whole = listed(tmp_path)
    assert [one.sitting for one in read_promises(tmp_path / "promises.log")] == [
        *("a", "guest", "refused", "b")
    ]
    (tmp_path / "promises.log").write_bytes(whole[: synced[0]])
    opened(tmp_path).close()
    assert listed(tmp_path) == whole


POINTS = {
    "before the commitment": (book.CommitmentLogWriter, "_append", False),
    "after the commitment": (book.CommitmentLogWriter, "_append", True),
    "before the redo entry": (SqliteRedoLog, "keep", False),
    "after the redo entry": (SqliteRedoLog, "keep", True),
    "before the list is synced": (SqliteRedoLog, "begin", False),
    "after the list is synced": (SqliteRedoLog, "begin", True),
    "before the booking": (book.CommitmentLogWriter, "settle", False),
    "after everything is settled": (book.CommitmentLogWriter, "settle", True),
}


QUICK = "after the redo entry", "before the list is synced"


@pytest.mark.parametrize(
    "point", [*QUICK, *(pytest.param(p, marks=pytest.mark.prove) for p in POINTS if p not in QUICK)]
)
def test_commitment_log_has_every_booked_session_after_a_kill_at_any_point(
    tmp_path: Path, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move is looked at as a kill leaves it at this point, and as a power cut does."""
    monkeypatch.setattr(book, "MOST_KEPT", 300)
    owner, name, behind = POINTS[point]
    do, sync, sizes = getattr(owner, name), os.fsync, list[int]()
    house = tmp_path / "house"
    images: list[tuple[Path, int]] = []

    def synced(file: int) -> None:
        sync(file)
        sizes.append(os.fstat(file).st_size)

    def passes(*arguments: object) -> None:
        if behind:
            do(*arguments)
        if sizes:  # else there is nothing yet
            images.append((tmp_path / f"image {len(images)}", sizes[-1]))
            shutil.copytree(house, images[-1][0])
        if not behind:
            do(*arguments)

    monkeypatch.setattr(os, "fsync", synced)
    with patch.object(owner, name, passes), closing(opened(house)) as ledger:
        for number in range(4):
            begin(ledger, f"s{number}")
            if number % 2:
                end(ledger, f"s{number}")
    assert len(images) >= 2
    assert len(sizes) >= 2
    for killed, size in images:
        cut = killed.with_suffix(".cut")
        shutil.copytree(killed, cut)
        os.truncate(cut / "promises.log", size)
        for left in (killed, cut):
            with closing(opened(left)) as ledger:
                check(left)
                begin(ledger, "and on")
                end(ledger, "and on")
            check(left)
