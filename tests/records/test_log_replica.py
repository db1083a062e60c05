"""The lines of logs are kept beside their files, where whoever takes a sitting up finds them."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tests.helpers.ledger_sessions import play_on
from tui_casino.engine.chance import CommittedSource
from tui_casino.gamekit.registry import listing_of
from tui_casino.house.lobby import AnySitting, sit_down
from tui_casino.house.sitting import House
from tui_casino.inputs.errors import BadInput
from tui_casino.records.ledger import LedgerError
from tui_casino.records.log_replica import LogReplica, restore_all_logs, restore_log
from tui_casino.records.session_log import LogWriteError, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

LISTING = listing_of("video-poker")


class Book:
    """A log replica in memory, which can be out of reach; it notes what had to be sure."""

    def __init__(self) -> None:
        self.logs: dict[str, list[bytes]] = {}
        self.sure: list[int] = []
        self.away = False

    def append(self, log: str, number: int, line: bytes, *, lasting: bool) -> None:
        if self.away:
            raise OSError(errno.EIO, "the database is away")
        lines = self.logs.setdefault(log, [])
        if number not in (len(lines), len(lines) + 1):
            raise OSError(errno.EIO, "there is another log than this")
        lines[number - 1 :] = [line]
        if lasting:
            self.sure.append(number)

    def check(self) -> None:
        assert not self.away

    def sizes(self) -> dict[str, int]:
        return {name: len(self.text(name)) for name in self.logs}

    def text(self, log: str) -> bytes:
        return b"".join(line + b"\n" for line in self.logs.get(log, ()))

    def forget(self, log: str) -> None:
        self.logs.pop(log, None)


@pytest.fixture
def book() -> Book:
    return Book()


def house_with(folder: Path, book: LogReplica | None) -> House:
    return House(folder / "logs", SqliteLedger(folder / "ledger.db"), "ann", log_replica=book)


def sitting_at(house: House) -> AnySitting:
    definition = LISTING.definition()
    return sit_down(house, definition, LISTING.tables().setup(), CommittedSource(b"s" * 32))


def test_replica_gets_each_log_line_and_syncs_each_choice(tmp_path: Path, book: Book) -> None:
    sitting = sitting_at(house_with(tmp_path, book))
    play_on(sitting, 60)
    sitting.leave()
    assert book.text(sitting.id) == sitting.log.path.read_bytes()
    chosen = [line.n + 1 for line in read_log(sitting.log.path).steps() if line.by is not None]
    assert chosen
    assert book.sure == chosen, "the first line is line 1"


def test_step_that_cannot_be_replicated_changes_neither_log_nor_table(
    tmp_path: Path, book: Book
) -> None:
    sitting = sitting_at(house_with(tmp_path, book))
    play_on(sitting, 7)
    raw, steps, state = sitting.log.path.read_bytes(), sitting.log.steps, sitting.table.state
    book.away = True
    for _ in range(2):
        with pytest.raises(LogWriteError, match="the database is away"):
            play_on(sitting, 1)
        assert (sitting.log.path.read_bytes(), sitting.log.steps) == (raw, steps)
        assert sitting.table.state == state
    book.away = False
    play_on(sitting, 20)
    sitting.leave()
    assert book.text(sitting.id) == sitting.log.path.read_bytes()
    assert not sitting.take_news()


def test_log_lines_lost_by_the_database_are_replicated_again(tmp_path: Path, book: Book) -> None:
    """A line that need not be durable may be lost if a database fails and the host survives."""
    sitting = sitting_at(house_with(tmp_path, book))
    play_on(sitting, 7)
    for left in (-1, -3, 0):
        del book.logs[sitting.id][left:]
        play_on(sitting, 1)
        assert book.text(sitting.id) == sitting.log.path.read_bytes()
    book.logs[sitting.id][2:] = [b"of somebody else"]
    with pytest.raises(LogWriteError, match="another log"):
        play_on(sitting, 1)


def test_session_refused_at_its_start_leaves_no_log_and_no_replica(
    tmp_path: Path, book: Book
) -> None:
    house = house_with(tmp_path, book)
    assert house.ledger is not None
    house.ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        sitting_at(house)
    book.away = True
    with pytest.raises(BadInput, match="the database is away"):
        sitting_at(House(tmp_path / "logs", None, "ann", log_replica=book))
    assert not book.logs
    assert not [*(tmp_path / "logs").iterdir()]


def test_logs_are_restored_from_the_replica(tmp_path: Path, book: Book) -> None:
    book.logs = {"20260101-one": [b"a", b"bc"], "20260101-two": [b"d"], "../three": [b"e"]}
    assert restore_all_logs(book, tmp_path / "logs") == 2
    one, two = (tmp_path / "logs" / f"20260101-{name}.jsonl" for name in ("one", "two"))
    assert (one.read_bytes(), two.read_bytes()) == (b"a\nbc\n", b"d\n")
    assert one.stat().st_mode & 0o077 == 0
    assert [*tmp_path.iterdir()] == [tmp_path / "logs"], "no name leads elsewhere"
    one.write_bytes(b"a\nbc\nonly here, and never answered\n")
    two.unlink()
    own = one.with_name("own.jsonl")
    own.write_bytes(b"own")
    assert restore_all_logs(book, tmp_path / "logs") == 2
    assert (one.read_bytes(), two.read_bytes(), own.read_bytes()) == (b"a\nbc\n", b"d\n", b"own")
    assert restore_all_logs(book, tmp_path / "logs") == 0


def test_log_that_is_not_in_the_replica_is_not_restored(tmp_path: Path, book: Book) -> None:
    """Anybody may ask for any name, and must not fill the disk with empty files."""
    book.logs = {"20260101-one": [b"a"]}
    for name in ("20260101-none", "20260101-one"):
        restore_log(book, tmp_path / "logs", name)
    assert [one.name for one in tmp_path.rglob("*.jsonl")] == ["20260101-one.jsonl"]
