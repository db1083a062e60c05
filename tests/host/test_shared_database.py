"""Several servers with one database: any of them can continue with seats, logs and money."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.helpers.ledger_sessions import (
    PURSED,
    play_on,
    play_round_out,
    seating_at,
    step,
    verdict_of,
)
from tests.helpers.narrow import not_none
from tests.helpers.quick_cases import first_of
from tests.helpers.random_play import seed_of
from tests.host.cage_processes import Cages
from tui_casino.engine.chance import CommittedSource
from tui_casino.gamekit.registry import GameListing
from tui_casino.host import storage
from tui_casino.host.config import Config
from tui_casino.host.seat_leases import SeatLeases
from tui_casino.host.session.cage_client import CageClient, CageLedger, CageLogReplica, new_source
from tui_casino.host.storage import check_database
from tui_casino.house.lobby import AnySitting, resume, review_open_sittings, sit_down
from tui_casino.house.sitting import House
from tui_casino.inputs.errors import BadInput
from tui_casino.records.ledger import OPENING_BALANCE, LedgerError, LogCheckpoint, OpenSitting
from tui_casino.records.log_replica import restore_all_logs
from tui_casino.records.postgres import Cursor, Postgres, Row
from tui_casino.records.postgres_stores import PostgresLedger, PostgresLogReplica
from tui_casino.records.replay import ProofLevel
from tui_casino.records.session_log import LogWriteError, read_log
from tui_casino.structs import replace


@pytest.fixture
def db(database: str) -> Iterator[Postgres]:
    with closing(Postgres(database)) as db:
        yield db


# ---- seats ------------------------------------------------------------------------------------


def test_seat_lease_stays_at_one_server_until_it_is_released(db: Postgres) -> None:
    one, two = SeatLeases(db), SeatLeases(db)
    token = not_none(one.take("ann"))
    assert two.take("bob") is not None
    assert two.take("ann") is None
    assert (one.beat(), two.beat()) == (["ann"], [])
    two.release("ann", token + "x")
    assert two.take("ann") is None
    one.release("ann", token)
    assert one.beat() == []
    assert two.take("ann") is not None
    one.release("ann", token)
    assert one.take("ann") is None, "a token that is over gives nothing back"


def test_later_login_takes_the_seat_from_the_earlier_one(db: Postgres) -> None:
    seats = SeatLeases(db)
    first, second = seats.take("ann"), seats.take("ann")
    assert first is not None
    assert second is not None
    book = PostgresLogReplica(db, "ann", first)
    with pytest.raises(OSError, match="another server"):
        book.append("log", 1, b"line", lasting=False)
    PostgresLogReplica(db, "ann", second).append("log", 1, b"line", lasting=False)


def test_ended_or_dead_server_releases_its_seats(db: Postgres) -> None:
    one, two = SeatLeases(db), SeatLeases(db)
    one.take("ann")
    one.end()
    assert two.take("ann") is not None
    dead = SeatLeases(db, lease=0.0)
    assert dead.take("bob") is not None
    assert two.take("bob") is not None
    assert dead.beat() == []
    assert dead.take("bob") is None, "it was believed dead, and has to ask like all others"


# ---- lines ------------------------------------------------------------------------------------


def seated(db: Postgres, player: str) -> PostgresLogReplica:
    token = not_none(SeatLeases(db).take(player))
    return PostgresLogReplica(db, player, token)


@pytest.mark.parametrize("lasting", [False, True], ids=["may be lost", "lasting"])
def test_replicated_lines_are_read_back_exactly_and_gaps_are_refused(
    db: Postgres, lasting: bool
) -> None:
    book = seated(db, "ann")
    lines = [bytes(range(256)), b"", "é€😀".encode(), b"\\x00"]
    for number, line in enumerate(lines, 1):
        book.append("log", number, line, lasting=lasting)
    text = b"".join(line + b"\n" for line in lines)
    assert book.text("log") == text
    assert book.sizes() == {"log": len(text)}
    for number, line in ((2, b"a"), (6, b"a"), (0, b"a")):
        with pytest.raises(OSError, match="a different log"):
            book.append("log", number, line, lasting=lasting)
    with pytest.raises(OSError, match="a different log"):
        book.append("new", 2, b"a", lasting=lasting)
    assert book.text("log") == text
    book.append("log", 4, b"anew", lasting=lasting)
    text = text.replace(b"\\x00", b"anew")
    assert (book.text("log"), book.sizes()) == (text, {"log": len(text)})


def test_replicated_log_lines_are_inaccessible_to_other_players(db: Postgres) -> None:
    ann, bob = seated(db, "ann"), seated(db, "bob")
    ann.append("log", 1, b"a", lasting=False)
    assert (bob.text("log"), bob.sizes()) == (b"", {})
    bob.forget("log")
    for number in (1, 2):
        with pytest.raises(OSError, match="a different log"):
            bob.append("log", number, b"b", lasting=False)
    assert ann.text("log") == b"a\n"
    ann.forget("log")
    assert ann.sizes() == {}
    assert db.rows("select * from line") == []


@pytest.mark.parametrize(
    ("lasting", "sync"), [(True, "on"), (False, "off")], ids=["durable", "not-durable"]
)
def test_replicated_log_line_is_synced_only_if_it_must_last(
    db: Postgres, lasting: bool, sync: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[object] = []

    def rows(query: str, values: dict[str, object]) -> list[Row]:
        def look(cursor: Cursor, lost: bool) -> list[Row]:
            rows = cursor.execute(query, values).fetchall()
            said.extend(cursor.execute("show synchronous_commit").fetchone() or ())
            return rows

        return db.change(look)

    book = seated(db, "ann")
    monkeypatch.setattr(db, "rows", rows)
    book.append("log", 1, b"a", lasting=lasting)
    assert said == [sync]
    monkeypatch.undo()
    assert db.rows("show synchronous_commit") == [("on",)], "for this line alone"


# ---- sittings ---------------------------------------------------------------------------------


def house_at(folder: Path, db: Postgres, seats: SeatLeases, clock: Callable[[], int]) -> House:
    token = not_none(seats.take("ann"))
    book = PostgresLogReplica(db, "ann", token)
    logs = folder / "players" / "ann" / "sessions"
    restore_all_logs(book, logs)
    return House(logs, PostgresLedger(db, folder), "ann", clock=clock, log_replica=book)


@pytest.mark.parametrize("listing", first_of(PURSED), ids=attrgetter("slug"))
def test_session_resumes_at_another_server(
    listing: GameListing, db: Postgres, tmp_path: Path
) -> None:
    """Broken off there without a word, step by step, at hosts that share nothing but a database."""
    definition, times = listing.definition(), iter(range(1_767_225_600_000, 1 << 62))
    house = house_at(tmp_path / "0", db, SeatLeases(db, lease=0.0), lambda: next(times))
    sitting: AnySitting = sit_down(
        house, definition, seating_at(listing), CommittedSource(seed_of(1))
    )
    before: AnySitting | None = None
    for number in range(1, 5):
        play_on(sitting, 11 * number)
        while not sitting.staked and step(sitting):
            pass
        if not sitting.staked:
            break  # the game is over
        assert sitting.binding is not None
        sitting.binding.wait()  # a lease lasts longer than a note of the ledger
        raw, state = sitting.log.path.read_bytes(), sitting.table.state
        folder = tmp_path / str(number)
        house = house_at(folder, db, SeatLeases(db, lease=0.0), lambda: next(times))
        assert house.ledger is not None
        report = review_open_sittings(house, {listing.slug: definition})
        assert report.notes == ()
        (entry,) = report.waiting
        assert entry.log.read_bytes() == raw
        before, after = sitting, resume(house, definition, entry)
        assert after is not None
        sitting = after
        assert sitting.table.state == state
        assert house.ledger.balance("ann") == OPENING_BALANCE - entry.bought_in
        with pytest.raises(LogWriteError, match="another server"):
            play_on(before, 40)
        assert entry.log.read_bytes() == sitting.log.path.read_bytes() == raw
        before.close()
    assert before is not None
    play_round_out(sitting)
    sitting.leave()
    assert house.ledger is not None
    assert house.ledger.open_sittings("ann") == []
    log = read_log(sitting.log.path)
    assert verdict_of(sitting.log.path, house).proof is ProofLevel.AUTHENTIC
    assert log.end is not None
    ledger = house.ledger
    assert ledger.balance("ann") == OPENING_BALANCE + ledger.movements("ann")[0].cents
    assert house.log_replica is not None
    assert house.log_replica.text(sitting.id) == sitting.log.path.read_bytes()


def test_player_without_a_seat_cannot_move_money(
    db: Postgres, database: str, tmp_path: Path
) -> None:
    """A host that was away for a while, and believes that the player is with it still."""
    config, known = Config(database=database), LogCheckpoint(head="first")
    for name in "ab":
        (tmp_path / name).mkdir()
    with (
        closing(Cages(tmp_path / "a" / "x", config)) as one,
        closing(Cages(tmp_path / "b" / "x", config)) as two,
    ):

        def sit(cages: Cages) -> tuple[CageLedger, CageLogReplica, CageClient]:
            token = SeatLeases(db, lease=0.0).take("ann")
            line = cages.line("ann", str(cages.ledger.parent), seat=token)
            return CageLedger(line), CageLogReplica(line), line

        ledger, book, line = sit(one)
        log = tmp_path / "a" / "s1.jsonl"
        entry = OpenSitting("s1", "toy", log, new_source(line).stored_seed, 100, known)
        ledger.buy_in(entry, "ann", at=1)
        book.append("s1", 1, b"first", lasting=True)
        assert ledger.checkpoint("s1", 1, "x", 100)
        other, theirs, _ = sit(two)
        (waits,) = other.open_sittings("ann")
        assert (waits.log, theirs.text("s1")) == (tmp_path / "b" / "s1.jsonl", b"first\n")
        for way in (
            lambda: ledger.checkpoint("s1", 2, "y", 100),
            lambda: ledger.cash_out("s1", 100, "last", at=2),
            lambda: ledger.buy_in(
                replace(entry, id="s2", seed=new_source(line).stored_seed), "ann", at=2
            ),
        ):
            with pytest.raises(LedgerError, match="another server"):
                way()
        with pytest.raises(OSError, match="another server"):
            book.append("s1", 2, b"second", lasting=True)
        assert other.checkpoint("s1", 2, "y", 100)
        assert other.cash_out("s1", 120, "last", at=2)
        assert ledger.balance("ann") == other.balance("ann") == OPENING_BALANCE + 20


def test_database_without_its_driver_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "find_spec", lambda name: None)
    check_database(Config())
    with pytest.raises(BadInput, match=r"pip install 'tui-casino\[database\]'"):
        check_database(Config(database="postgresql://x"))
    assert "geheim" not in repr(Config(database="postgresql://ann:geheim@x"))


def test_driver_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(url: str) -> None:
        raise ImportError("no pq wrapper available")

    monkeypatch.setattr(storage, "find_spec", lambda name: name)
    monkeypatch.setattr(storage, "postgres", SimpleNamespace(Postgres=fails))
    with pytest.raises(BadInput, match=r"psycopg.*pip install 'tui-casino\[database\]'"):
        check_database(Config(database="postgresql://x"))
