"""A host's list of promises: what it committed to, against the logs it gives out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.contract.sittings import (
    PURSED,
    chained,
    clock,
    lines_of,
    play_on,
    play_round_out,
    sit,
    write,
)
from tests.fuzz.running import run
from tui_casino.house.sitting import House
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import LOAN, LedgerError, OpenSitting
from tui_casino.records.log import read
from tui_casino.records.promises import kept, read_promises
from tui_casino.records.sqlite_ledger import SqliteLedger

host = pytest.importorskip("tui_casino.host.witness", reason="hosts run on Unix")
"""Only there is a list written; it is read everywhere."""


@pytest.fixture
def house(tmp_path: Path) -> House:
    from tui_casino.host.folders import DataFolder

    data = DataFolder(tmp_path)
    return House(
        tmp_path / "logs",
        SqliteLedger(data.ledger, None, host.HouseWitness(data)),
        "ann",
        clock=clock,
    )


def over(house: House, number: int = 1) -> Path:
    sitting = sit(PURSED[0], house, number)
    play_on(sitting, 12)
    play_round_out(sitting)
    sitting.leave()
    return sitting.log.path


def test_a_sitting_is_promised_before_its_first_card_and_at_its_end(
    house: House, tmp_path: Path
) -> None:
    sitting = sit(PURSED[0], house)
    log = read(sitting.log.path)
    assert not log.lines, "no card is dealt yet"
    (begun,) = read_promises(tmp_path / "promises.log")
    assert (begun.commitment, begun.head) == (log.header.source.value, log.head)
    assert kept(log, (begun,)).begun == begun
    play_on(sitting, 12)
    play_round_out(sitting)
    sitting.leave()
    log = read(sitting.log.path)
    promises = read_promises(tmp_path / "promises.log")
    assert [one.n for one in promises] == [1, 2]
    assert promises[1].last == log.hash
    assert kept(log, promises).ended == promises[1]
    assert (tmp_path / "promises.log").stat().st_mode & 0o077 == 0
    raw = (tmp_path / "promises.log").read_bytes()
    assert str(log.end and log.end.seed).encode() not in raw


def test_a_log_that_was_made_anew_is_not_the_one_that_was_promised(
    house: House, tmp_path: Path
) -> None:
    """The house knows the seed, so a chain that holds and a shuffle that fits are no proof."""
    path = over(house)
    lines = lines_of(path)
    promises = tmp_path / "promises.log"
    options = ["verify", str(tmp_path / "other.jsonl"), "--promises", str(promises)]

    def says(changed: list[dict[str, object]]) -> str:
        write(tmp_path / "other.jsonl", chained(changed))
        ran = run(options)
        assert ran.code == 1
        return ran.out.splitlines()[-1]

    lines[0]["program"] = "somebody's"
    assert says(lines) == "not as promised: its first line is another than was promised (number 1)"
    lines = lines_of(path)
    lines[3]["at"] += 1
    assert "its last line is another than the house had" in says(lines)
    lines = lines_of(path)
    assert says(lines[:-1]) == "not as promised: it is cut: the session was over (number 2)"
    (tmp_path / "other.jsonl").write_bytes(path.read_bytes())
    ran = run(options)
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("promised: number 1 is of 2026-01-01 00:00 UTC")
    over(house, 2)
    last = promises.read_bytes().splitlines(keepends=True)[2:]
    (tmp_path / "end").write_bytes(b"".join(last))
    ran = run([*options[:2], "--promises", str(tmp_path / "end")])
    assert (ran.code, "no line promises the commitment" in ran.out) == (1, True)
    ran = run([*options[:2], "--promises", str(promises), "--promises", str(tmp_path / "end")])
    assert ran.code == 0, "of several hosts, or of several times"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [lines[0].replace(b'"n":1', b'"n":2'), *lines[1:]], ":2: it does not hold"),
        (lambda lines: [lines[0], *lines[2:]], ":2: it does not hold the hash"),
        (lambda lines: [b"{}\n", *lines], ":1: not a promise"),
        (lambda lines: [lines[0].replace(b'"head"', b'"last"')], ":1: not a promise"),
        (lambda lines: [lines[0].replace(b'"prev":""', b'"prev":"ab"')], ":1: the first promise"),
        (lambda lines: [lines[0][:40]], ":1: it holds no promise"),
    ],
)
def test_a_list_that_was_changed_does_not_hold(
    change: object, why: str, house: House, tmp_path: Path
) -> None:
    for number in (1, 2):
        over(house, number)
    lines = (tmp_path / "promises.log").read_bytes().splitlines(keepends=True)
    assert callable(change)
    (tmp_path / "changed").write_bytes(b"".join(change(lines)))
    with pytest.raises(BadFile, match=why):
        read_promises(tmp_path / "changed")


def test_a_torn_line_is_cut_and_a_damaged_list_stops_the_house(
    house: House, tmp_path: Path
) -> None:
    over(house)
    promises = tmp_path / "promises.log"
    whole = promises.read_bytes()
    promises.write_bytes(whole + b'{"n":3,"at":17')
    assert len(read_promises(promises)) == 2
    over(house, 2)
    assert promises.read_bytes().startswith(whole)
    assert len(read_promises(promises)) == 4
    promises.write_bytes(whole + b"nonsense\n")
    ledger = house.ledger
    assert ledger is not None
    purse = ledger.purse("ann")
    with pytest.raises(LedgerError, match=r"the list of promises .* is damaged"):
        sit(PURSED[0], house, 3)
    assert ledger.purse("ann") == purse, "what is not promised is not booked"
    assert not ledger.open_sittings("ann")
    promises.unlink()
    promises.mkdir()
    with pytest.raises(LedgerError, match="no card is dealt without"):
        sit(PURSED[0], house, 3)


def test_loans_are_noted(house: House, tmp_path: Path) -> None:
    ledger = house.ledger
    assert ledger is not None
    ledger.lend("ann", LOAN, 1)
    assert (ledger.purse("ann"), ledger.lent("ann")) == (2 * LOAN, LOAN)
    assert not (tmp_path / "audit").exists()
    ledger.buy_in(OpenSitting("s", "g", tmp_path, b"x" * 32, 5), "ann", 2, 7)
    (file,) = (tmp_path / "audit").iterdir()
    assert {"what": "loan", "player": "ann", "cents": 7}.items() <= json.loads(
        file.read_text()
    ).items()


def test_what_is_booked_together_is_put_on_the_disk_once(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, synced = house.ledger, []
    assert isinstance(ledger, SqliteLedger)

    def sync(file: int) -> None:
        lines = (tmp_path / "promises.log").read_bytes().count(b"\n")
        booked = SqliteLedger.look_at(tmp_path / "ledger.db")
        synced.append((lines, len(booked.books().sittings)))
        booked.close()

    monkeypatch.setattr(os, "fsync", sync)
    with ledger.together(lasting=True):
        for number in range(3):
            ledger.buy_in(OpenSitting(f"s{number}", "g", tmp_path, b"x" * 32, 5), "ann", 2)
    assert synced == [(3, 0)], "before it is booked"
    ledger.lend("ann", 1, 3)
    assert ledger.mark("s0", 1, "m", 5)
    ledger.cash_out("s0", 5, "last", 4)
    assert synced == [(3, 0)], "nor is it later: what is booked takes along what is promised"
