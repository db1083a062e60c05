"""The commands of the operator, with the server running and stopped."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.helpers.command_runner import Ran, run
from tests.helpers.ledger_sessions import PURSED, house_in, play_on, played, sit
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import value_id
from tests.host.loopback_server import Host, deal, host, new_key, until, visiting
from tui_casino.host.backup import restore
from tui_casino.host.commitment_log import CommitmentLogWriter
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.identities import Identities
from tui_casino.house.house import House
from tui_casino.house.resumption import resume_from_ledger
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import LOAN_CENTS, OPENING_BALANCE
from tui_casino.records.promises import read_promises
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

KEY = "SHA256:" + "a" * 43


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    """A data folder where no host is at work."""
    folder = DataFolder(tmp_path / "data")
    folder.root.mkdir()
    with closing(Identities(folder.identities)) as book:
        book.enrol(KEY, "Ann", 1)
        book.enrol("SHA256:b", "Bob", 1)
    return folder


def admin(data: DataFolder, *arguments: str) -> Ran:
    return run(["admin", "--data", str(data.root), *arguments])


def audited(data: DataFolder) -> list[str]:
    (file,) = data.audit.glob("*.jsonl")
    return [json.loads(line)["what"] for line in file.read_text().splitlines()]


def test_admin_commands_change_players_keys_names_and_money_and_are_audited(
    data: DataFolder, tmp_path: Path
) -> None:
    lines = admin(data, "players").out.splitlines()
    assert [line.split()[1:3] for line in lines] == [["Ann", "1,000.00"], ["Bob", "1,000.00"]]
    assert admin(data, "grant", "ann", "50").out.startswith("Ann: balance 1,050.00, debt 50.00")
    assert "debt 50.00" in admin(data, "players").out
    new_key().write_public_key(tmp_path / "new.pub")
    output = admin(data, "keys", "Ann", "--add", str(tmp_path / "new.pub")).out.splitlines()
    assert len(output) == 2
    assert admin(data, "revoke", KEY).out == "revoked; Ann has 1 key left\n"
    assert "revoked" in admin(data, "keys", "Ann").out.splitlines()[0]
    assert "cannot log in now" in admin(data, "revoke", output[1].split()[0]).out
    assert "Bob will be called Bertha" in admin(data, "rename", "Bob", "Bertha").out
    assert audited(data) == ["granted", "key added", "key revoked", "key revoked", "renamed"]
    assert "the server is not running" in admin(data, "stats").out


def test_admin_bans_have_a_reason_and_an_end_and_can_be_lifted(data: DataFolder) -> None:
    assert admin(data, "ban").out == "no bans\n"
    output = admin(data, "ban", "Ann", "--reason", "words", "--for", "3d").out
    assert output.startswith("1  player Ann (")
    assert output.endswith("UTC: words\n")
    admin(data, "ban", "192.0.2.0/24", "--reason", "a flood")
    admin(data, "ban", KEY, "--reason", "bot", "--until", "2999-01-01")
    listed = admin(data, "ban").out.splitlines()
    assert [line.split()[1] for line in listed] == ["player", "address", "key"]
    assert listed[1] == "2  address 192.0.2.0/24: a flood"
    assert "until 2999-01-01 00:00 UTC: bot" in listed[2]
    assert (
        admin(data, "unban", "1").out
        == admin(data, "unban", "192.0.2.0/24").out
        == "1 ban lifted\n"
    )
    assert len(admin(data, "ban").out.splitlines()) == 1
    file = next(data.audit.glob("*.jsonl")).read_text()
    assert '"address":"192.0.2.0/24"' in file, "so that it is taken out in time"


def test_admin_prints_a_sentence_for_an_empty_list_of_players_or_bans(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "empty")
    data.root.mkdir()
    Identities(data.identities).close()
    assert admin(data, "players").out.startswith("no players yet")
    assert admin(data, "ban").out == "no bans\n"


def test_ban_names_the_addresses_that_it_excepts(data: DataFolder) -> None:
    for target, excepted in (("127.0.0.7", "127.0.0.0/8"), ("::/0", "::1"), ("192.0.2.7", "")):
        output = admin(data, "ban", target, "--reason", "a flood").out.splitlines()
        assert [line.split()[0] for line in output[1:]] == [excepted] * bool(excepted)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["keys", "Cleo"], "there is no player 'Cleo'"),
        (["keys", "Ann", "--add", "SHA256:x"], "is not a fingerprint"),
        (["keys", "Ann", "--add", "none.pub"], "cannot be read"),
        (["revoke", "SHA256:x"], "no player has the key"),
        (["rename", "Ann", "B0b"], "the name B0b is taken, or too similar"),
        (["rename", "Ann", "a\x1bb"], "a name has no hidden characters"),
        (["grant", "Ann", "-5"], "DOLLARS: -5 is out of range"),
        (["grant", "Ann", "1.5"], "is not a whole number"),
        (["ban", "Ann"], "--reason is missing"),
        (["ban", "Ann", "--reason", "x", "--for", "3y"], "--for: '3y' cannot be used"),
        (["ban", "Ann", "--reason", "x", "--until", "2001-01-01"], "is in the past"),
        (["ban", "10.0.0.0/40", "--reason", "x"], "there is no player '10.0.0.0/40'"),
        (["unban", "7"], "there is no ban '7'"),
        (["kick", "Ann"], "no server is running in"),
        (["drain"], "no server is running in"),
        (["restore", "none.tar"], "is not empty"),
    ],
    ids=value_id,
)
def test_impossible_admin_request_is_refused_in_one_line_with_code_2(
    arguments: list[str], why: str, data: DataFolder
) -> None:
    ran = admin(data, *arguments)
    assert ran.code == 2
    assert why in ran.err
    assert len(ran.err.splitlines()) == 1


def test_admin_refuses_a_folder_without_a_server_and_does_not_create_it(tmp_path: Path) -> None:
    ran = admin(DataFolder(tmp_path / "other"), "players")
    assert (ran.code, "is not the data folder of a server" in ran.err) == (2, True)
    assert not (tmp_path / "other").exists()


# ---- while it runs ----------------------------------------------------------------------------


async def test_kick_and_ban_end_a_visit_immediately(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Kurt")
    async with visiting(house, key) as visitor:
        await visitor.sees("Kurt")
        assert (
            admin(house.data, "kick", "Kurt", "--reason", "Tea").out == "the visit of Kurt ends\n"
        )
        assert "Tea" in await visitor.output()
    await until(
        lambda: admin(house.data, "kick", "Kurt").err.endswith("this player is not online\n")
    )
    async with visiting(house, key) as visitor:
        await visitor.sees("Kurt")
        assert "1 visit ended" in admin(house.data, "ban", "Kurt", "--reason", "No").out
        assert "You are banned here: No" in await visitor.output()


@pytest.mark.prove
async def test_backup_with_an_open_hand_restores_the_same_server(tmp_path: Path) -> None:
    key = new_key()
    with host(tmp_path / "host") as house:
        player = house.add_player(key, "Ann")
        async with visiting(house, key) as visitor:
            await deal(visitor)
            assert "tui_casino_sessions 1" in admin(house.data, "stats").out
            assert admin(house.data, "backup", str(tmp_path / "backup.tar")).code == 0
        assert admin(house.data, "drain", "--wait").out.startswith("shutting down")
        assert not house.data.is_in_use()
        await until(lambda: house.process.poll() is not None)
        assert not house.data.control.exists()
    restored = tmp_path / "again" / "data"
    ran = admin(DataFolder(restored), "restore", str(tmp_path / "backup.tar"))
    assert ran.code == 0, ran.out + ran.err
    assert (
        "1 player, 1 session; open sessions that were ended, with their bets given back: 1"
        in ran.out
    )
    assert ran.out.endswith("the ledger, the logs and the commitment log agree\n")
    assert (
        "is not empty" in admin(DataFolder(restored), "restore", str(tmp_path / "backup.tar")).err
    )
    keys = [path.read_bytes() for path in (house.data.host_key, house.data.daily_key)]
    with host(tmp_path / "again") as house:
        assert [house.data.host_key.read_bytes(), house.data.daily_key.read_bytes()] == keys
        async with visiting(house, key) as visitor:
            await deal(visitor)
        (log, _) = sorted((house.data.player(player.id) / "sessions").glob("*.jsonl"))
    assert read_log(log).over, "what was open is ended"


# ---- backups ----------------------------------------------------------------------------------


@pytest.fixture
def played_in(data: DataFolder) -> Iterator[House]:
    """A player's house in the data folder: a sitting that is over, and one that is open."""
    with closing(Identities(data.identities)) as book:
        player = book.find("Ann").id
    made = house_in(data.root)
    ledger = SqliteLedger(data.ledger)
    house = House(data.player(player) / "sessions", ledger, player, clock=made.clock)
    played(PURSED[0], house)
    sitting = sit(PURSED[0], house, 2)
    while not sitting.staked:
        play_on(sitting, 1)
    sitting.close()
    CommitmentLogWriter(data.promises).begins(sitting.id, "c", "h", 1)
    yield house
    ledger.close()


def test_restore_ends_an_open_session_and_returns_its_bet(
    played_in: House, data: DataFolder, tmp_path: Path
) -> None:
    """Its player may know the coming cards by then, so the bet is given back."""
    old = not_none(played_in.ledger)
    (open_then,) = old.open_sittings(played_in.player)
    assert admin(data, "backup", str(tmp_path / "b.tar")).code == 0
    assert (tmp_path / "b.tar").stat().st_mode & 0o777 == 0o600
    assert "exists already" in admin(data, "backup", str(tmp_path / "b.tar")).err
    before = open_then.log.read_bytes()
    restored = DataFolder(tmp_path / "again")
    report = restore(tmp_path / "b.tar", restored)
    assert (report.open, report.faults) == (1, ())
    path = restored.root / open_then.log.relative_to(data.root)
    folders = [folder for folder in restored.root.rglob("*") if folder.is_dir()]
    assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}
    log = read_log(path)
    assert log.end is not None
    assert log.end.seed == (open_then.seed or b"").hex()
    with closing(SqliteLedger(restored.ledger)) as ledger:
        assert ledger.open_sittings(played_in.player) == []
        assert (
            ledger.balance(played_in.player) == old.balance(played_in.player) + open_then.bought_in
        )
        assert (
            verify_log(PURSED[0].definition(), log, ledger.checkpoint_of(path)).proof
            is ProofLevel.AUTHENTIC
        )
    assert read_promises(restored.promises)[-1].last == log.hash
    assert open_then.log.read_bytes() == before, "the host that was backed up goes on"
    assert {path.name for path in restored.root.iterdir()} >= {"players", "promises.log"}
    assert not (restored.root / ".restoring").exists()


def test_session_that_cannot_be_resumed_is_settled_by_a_restore(
    played_in: House, data: DataFolder, tmp_path: Path
) -> None:
    old = not_none(played_in.ledger)
    (open_then,) = old.open_sittings(played_in.player)
    open_then.log.unlink()
    assert admin(data, "backup", str(tmp_path / "b.tar")).code == 0
    report = restore(tmp_path / "b.tar", restored := DataFolder(tmp_path / "again"))
    assert report.faults == (f"{open_then.id}: the session is open, and its log is missing",)
    with closing(SqliteLedger(restored.ledger)) as ledger:
        assert ledger.open_sittings(played_in.player) == []
        assert ledger.balance(played_in.player) == old.balance(played_in.player) + open_then.owed


# ---- sessions that cannot be resumed ----------------------------------------------------------


def test_admin_settle_pays_the_last_known_amount_only_with_yes(
    played_in: House, data: DataFolder
) -> None:
    ledger = not_none(played_in.ledger)
    assert (
        admin(data, "settle", "--yes").out
        == "nothing to settle: every open session can be resumed\n"
    )
    (entry,) = ledger.open_sittings(played_in.player)
    entry.log.write_bytes(b"")
    purse = ledger.balance(played_in.player)
    result = admin(data, "settle")
    assert f"{entry.id} of {played_in.player}: {entry.log}:1: " in result.out
    assert "nothing was settled" in result.err
    assert ledger.balance(played_in.player) == purse
    assert f"{entry.id} is settled" in admin(data, "settle", "--yes").out
    assert ledger.balance(played_in.player) == purse + entry.owed
    assert audited(data) == ["settled"]
    file = next(data.audit.glob("*.jsonl")).read_text()
    assert f'"sitting":"{entry.id}","cents":{entry.owed}' in file
    assert "nothing to settle" in admin(data, "settle", "--yes").out


def test_admin_settle_all_also_ends_resumable_sessions(played_in: House, data: DataFolder) -> None:
    """As after a database was restored: players may know the seeds."""
    ledger = not_none(played_in.ledger)
    (entry,) = ledger.open_sittings(played_in.player)
    purse = ledger.balance(played_in.player)
    assert (
        f"{entry.id} of {played_in.player}: it can be resumed" in admin(data, "settle", "--all").out
    )
    assert admin(data, "settle", "--all", "--yes").code == 0
    assert ledger.balance(played_in.player) == purse + entry.owed
    log = read_log(entry.log)
    verdict = verify_log(
        PURSED[0].definition(), log, ledger.checkpoint_of(entry.log, (log.head, log.hash))
    )
    assert verdict.proof is not ProofLevel.DIFFERS


def test_session_played_during_a_backup_is_restored_without_faults(
    played_in: House, data: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds between the copy of the ledger and the copy of the logs are settled from the logs."""
    copy = SqliteLedger.copy_to
    ledger = not_none(played_in.ledger)

    def then_play(self: SqliteLedger, path: Path) -> None:
        copy(self, path)
        played(PURSED[0], played_in, 3)  # it begins and ends behind the copy: it is left out
        (entry,) = ledger.open_sittings(played_in.player)
        resumed = not_none(resume_from_ledger(played_in, ledger, PURSED[0].definition(), entry))
        play_on(resumed, 3)
        resumed.close()

    ledger.lend(played_in.player, LOAN_CENTS, 1)
    monkeypatch.setattr(SqliteLedger, "copy_to", then_play)
    assert admin(data, "backup", str(tmp_path / "b.tar")).code == 0
    monkeypatch.setattr(SqliteLedger, "copy_to", copy)
    restored = DataFolder(tmp_path / "again")
    report = restore(tmp_path / "b.tar", restored)
    assert (report.sittings, report.open, report.faults) == (2, 1, ())
    assert len(list(restored.root.glob("players/*/sessions/*.jsonl"))) == 2


def test_changed_or_cut_backup_is_refused_and_restores_no_files(
    played_in: House, data: DataFolder, tmp_path: Path
) -> None:
    admin(data, "backup", str(tmp_path / "b.tar"))
    whole = (tmp_path / "b.tar").read_bytes()
    restored = DataFolder(tmp_path / "again")
    for number, (changed, reason) in enumerate(
        (
            (whole.replace(b'"RoundPaid"', b'"RoundLost"', 1), "was changed after the backup"),
            (whole[: len(whole) // 2], "is not a complete backup"),
            (b"", "is not a complete backup"),
            (b"x" * 2048, "is not a complete backup"),
        )
    ):
        file = tmp_path / f"{number}.tar"
        file.write_bytes(changed)
        with pytest.raises(BadFile, match=reason):
            restore(file, restored)
        assert not [*restored.root.iterdir()]


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "players/../../evil", "control"])
def test_backup_with_an_unsafe_path_is_refused(name: str, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "b.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(BadInput, match="does not belong in a backup"):
        restore(tmp_path / "b.tar", DataFolder(tmp_path / "deep" / "again"))
    assert not [*tmp_path.rglob("*evil*")]


def test_restore_reports_inconsistent_ledger_and_logs_with_code_1(
    played_in: House, data: DataFolder, tmp_path: Path
) -> None:
    """The files are restored anyway: the operator decides what to do with them."""
    ledger = not_none(played_in.ledger)
    (log,) = (one.log for one in ledger.open_sittings(played_in.player))
    log.write_bytes(log.read_bytes()[:-200] + b"\n")
    books = ledger.books()
    ledger.amend(books, type(books)(((played_in.player, OPENING_BALANCE + 1),), (), books.sittings))
    admin(data, "backup", str(tmp_path / "b.tar"))
    ran = admin(DataFolder(tmp_path / "again"), "restore", str(tmp_path / "b.tar"))
    assert ran.code == 1
    assert "fault: " in ran.out
    assert f"the balance of {played_in.player} is not the sum of" in ran.out
    assert log.stem in ran.out
