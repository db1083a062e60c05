"""The commands of the operator for servers that share a database."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.helpers.command_runner import Ran, output, run
from tests.helpers.ledger_sessions import PURSED, sit
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.host.cage.table_answers import shared_play
from tui_casino.host.config import Config
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.seat_leases import SeatLeases
from tui_casino.host.storage import open_books, open_identities
from tui_casino.house.house import House
from tui_casino.records.clock import now
from tui_casino.records.ledger import OPENING_BALANCE, LogCheckpoint, OpenSitting
from tui_casino.records.log_header import Identity
from tui_casino.records.postgres import Postgres
from tui_casino.records.postgres_stores import PostgresLedger, PostgresLogReplica
from tui_casino.records.shared_tables import SharedRow, SharedTable
from tui_casino.records.table_replica import TableReplica
from tui_casino.structs import replace

KEY = "SHA256:" + "a" * 43


@pytest.fixture
def config(database: str) -> Config:
    return Config(database=database)


@pytest.fixture
def hosts(tmp_path: Path) -> tuple[DataFolder, DataFolder]:
    """Two data folders of hosts of which none is at work."""
    folders = DataFolder(tmp_path / "a"), DataFolder(tmp_path / "b")
    for one in folders:
        one.root.mkdir()
        one.host_key.touch()
    return folders


@pytest.fixture
def ann(config: Config, hosts: tuple[DataFolder, DataFolder]) -> Identity:
    with closing(open_identities(config, hosts[0])) as book:
        return book.enrol(KEY, "Ann", 1)


def test_admin_changes_on_one_server_apply_on_the_other(
    config: Config, hosts: tuple[DataFolder, DataFolder], ann: Identity, tmp_path: Path
) -> None:
    (tmp_path / "serve.toml").write_text(f'database = "{config.database}"\n')

    def admin_on_first(*arguments: str) -> Ran:
        named = ["--database", str(config.database)]
        return run(["admin", "--data", str(hosts[0].root), *named, *arguments])

    def admin_on_second(*arguments: str) -> Ran:
        named = ["--config", str(tmp_path / "serve.toml")]
        return run(["admin", "--data", str(hosts[1].root), *named, *arguments])

    assert admin_on_first("grant", "ann", "50").out.startswith("Ann: balance 1,050.00, debt 50.00")
    assert "Ann  1,050.00  debt 50.00  1 key" in admin_on_second("players").out
    assert admin_on_first("ban", "Ann", "--reason", "words").out.startswith("1  player Ann (")
    assert admin_on_second("ban").out == admin_on_first("ban").out
    assert admin_on_second("unban", "Ann").out == "1 ban lifted\n"
    assert admin_on_first("rename", "Ann", "Anna").code == 0
    assert admin_on_second("revoke", KEY).out.splitlines()[0].endswith("Anna has 0 keys left")
    assert "players 1, bans 0" in admin_on_first("stats").out
    assert not hosts[0].identities.exists()
    assert not hosts[1].ledger.exists()
    notes = [next(one.audit.glob("*.jsonl")).read_text() for one in hosts]
    assert ['"banned"' in note for note in notes] == [True, False], "each host has its own"


def test_list_of_tables_names_those_that_this_program_cannot_read(
    config: Config, hosts: tuple[DataFolder, DataFolder], ann: Identity
) -> None:
    """Servers of two versions may share a database."""
    options = ["admin", "--data", str(hosts[0].root), "--database", str(config.database), "tables"]
    with closing(PostgresLedger(Postgres(str(config.database)), hosts[0].root)) as ledger:
        tables, shared = ledger.shared_tables(), shared_play("baccarat")
        own = SharedTable("ABCD", "baccarat", ann.id, 1, b"seed")
        TableReplica.create(
            *(tables, own, shared.game, shared.options_of({}), ShuffledShoe(), now), shared.seconds
        )
        tables.create(SharedTable("K7QX", "chess", ann.id, 1, b"seed"), [SharedRow(b"{}")])
    games = "baccarat, five-card-draw, thirty-one, cribbage"
    why = f"chess cannot be played by several people; these games can: {games}"
    left_out = f"the table K7QX is left out: {why}\n"
    for more in ([], ["--json"]):
        ran = run([*options, *more])
        assert (ran.code, ran.err) == (1, left_out)
        assert "ABCD" in ran.out
        assert "K7QX" not in ran.out


def test_backup_and_restore_are_refused_for_a_shared_database(
    config: Config, hosts: tuple[DataFolder, DataFolder], tmp_path: Path
) -> None:
    options = ["admin", "--data", str(hosts[0].root), "--database", str(config.database)]
    for command in ("backup", "restore"):
        ran = run([*options, command, str(tmp_path / "file")])
        assert (ran.code, "pg_dump" in ran.err) == (2, True)
    assert not (tmp_path / "file").exists()


def test_admin_without_the_database_option_is_refused_and_creates_no_file(
    hosts: tuple[DataFolder, DataFolder],
) -> None:
    err = output("admin", "--data", str(hosts[0].root), "players", code=2).err
    assert "if the ledger is in a database, give --database or --config" in err
    assert not hosts[0].identities.exists()


def test_missing_database_is_named_without_its_password(
    hosts: tuple[DataFolder, DataFolder],
) -> None:
    url = "postgresql://casino:hunter2@127.0.0.1:1/casino"
    ran = output("admin", "--data", str(hosts[0].root), "--database", url, "players", code=2)
    assert "the database postgresql://127.0.0.1:1/casino cannot be used" in ran.err
    assert "hunter2" not in ran.out + ran.err


def test_each_server_commits_to_its_own_entries(
    config: Config, hosts: tuple[DataFolder, DataFolder], ann: Identity
) -> None:
    """A sitting that begins at one and ends at the other has a line in the list of each."""
    log = hosts[0].player(ann.id) / "sessions" / "s1.jsonl"
    sitting = OpenSitting("s1", "toy", log, b"seed", OPENING_BALANCE, LogCheckpoint(head="first"))
    with closing(open_books(config, hosts[0])[0]) as ledger:
        ledger.buy_in(sitting, ann.id, 1)
    with closing(open_books(config, hosts[1])[0]) as ledger:
        (waiting,) = ledger.open_sittings(ann.id)
        assert waiting.log == hosts[1].root / log.relative_to(hosts[0].root)
        ledger.cash_out("s1", 5, "last", 2)
    lists = [one.promises.read_text() for one in hosts]
    assert ['"head":"first"' in one for one in lists] == [True, False]
    assert ['"last":"last"' in one for one in lists] == [False, True]


def test_settle_ends_only_idle_sessions_whose_log_no_server_has(
    config: Config, hosts: tuple[DataFolder, DataFolder], ann: Identity
) -> None:
    """A log that only another server has is not lost; one that no server has is settled."""
    assert config.database is not None
    options = ["--database", config.database, "settle", "--yes"]

    def settled() -> str:
        return run(["admin", "--data", str(hosts[1].root), *options]).out

    with closing(Postgres(config.database)) as database:
        seats = SeatLeases(database)
        token = seats.take(ann.id)
        assert token is not None
        with closing(open_books(config, hosts[0])[0]) as ledger:
            house = House(hosts[0].player(ann.id) / "sessions", ledger, ann.id, 100_00)
            log_replica = PostgresLogReplica(database, ann.id, token)
            sitting = sit(PURSED[0], replace(house, log_replica=log_replica))
            lost = sit(PURSED[0], house)
            for one in (sitting, lost):
                one.close()
                one.log.path.unlink()
            assert "nothing to settle" in settled(), "she sits at a table"
            seats.end()
            output = settled()
            assert f"{lost.id} is settled" in output
            assert f"{sitting.id} is settled" not in output
            (waiting,) = ledger.open_sittings(ann.id)
            assert waiting.id == sitting.id
