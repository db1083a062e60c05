"""A host's list of promises: what it committed to, against the logs it gives out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.helpers.command_runner import output, run
from tests.helpers.ledger_sessions import (
    PURSED,
    chained,
    clock,
    lines_of,
    play_on,
    play_round_out,
    sit,
    write,
)
from tests.helpers.narrow import not_none
from tui_casino.house.settlement import settle_sitting
from tui_casino.house.sitting import House
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import LOAN_CENTS, LedgerError, OpenSitting
from tui_casino.records.promises import Promise, check_promises, read_promises
from tui_casino.records.session_log import line_hash, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

host = pytest.importorskip("tui_casino.host.commitment_log", reason="hosts run on Unix")
"""Only there is a list written; it is read everywhere."""


@pytest.fixture
def house(tmp_path: Path) -> House:
    from tui_casino.host.data_folder import DataFolder

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


def test_session_writes_a_commitment_before_its_first_card_and_at_its_end(
    house: House, tmp_path: Path
) -> None:
    sitting = sit(PURSED[0], house)
    log = read_log(sitting.log.path)
    assert not log.lines, "no card is dealt yet"
    (begun,) = read_promises(tmp_path / "promises.log")
    assert (begun.commitment, begun.head) == (log.header.source.value, log.head)
    assert check_promises(log, (begun,)).begun == begun
    play_on(sitting, 12)
    play_round_out(sitting)
    sitting.leave()
    log = read_log(sitting.log.path)
    promises = read_promises(tmp_path / "promises.log")
    assert [one.n for one in promises] == [1, 2]
    assert promises[1].last == log.hash
    assert check_promises(log, promises).ended == promises[1]
    assert (tmp_path / "promises.log").stat().st_mode & 0o077 == 0
    raw = (tmp_path / "promises.log").read_bytes()
    assert str(log.end and log.end.seed).encode() not in raw


def test_verify_finds_that_a_forged_log_differs_from_the_commitment_log(
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
    why = "its first line differs from the committed one (entry 1)"
    assert says(lines) == f"differs from the commitment log: {why}"
    lines = lines_of(path)
    lines[3]["at"] += 1
    assert "its last line differs from the one recorded" in says(lines)
    lines = lines_of(path)
    assert (
        says(lines[:-1])
        == "differs from the commitment log: it is cut off: the session was over (entry 2)"
    )
    (tmp_path / "other.jsonl").write_bytes(path.read_bytes())
    ran = run(options)
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith(
        "committed: entry 1 was made on 2026-01-01 00:00 UTC"
    )
    over(house, 2)
    last = promises.read_bytes().splitlines(keepends=True)[2:]
    (tmp_path / "end").write_bytes(b"".join(last))
    ran = run([*options[:2], "--promises", str(tmp_path / "end")])
    assert (ran.code, "no line has the commitment" in ran.out) == (1, True)
    output(*options[:2], "--promises", str(promises), "--promises", str(tmp_path / "end"))


def listed(path: Path, promises: Sequence[Promise]) -> Path:
    """Write a list whose numbers and hashes hold, as a house can that makes it up."""
    before, lines = "", list[bytes]()
    for number, one in enumerate(promises, 1):
        lines.append(replace(one, n=number, prev=before).line())
        before = line_hash(lines[-1])
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


HOUR = 3_600_000
LISTS: dict[str, tuple[Callable[[Promise, Promise], list[Promise]], str]] = {
    "a commitment after the end": (
        lambda begun, ended: [replace(begun, at=ended.at + HOUR), ended],
        "its commitment is later than its first card (entry 1)",
    ),
    "the end before the beginning": (
        lambda begun, ended: [ended, begun],
        "its end comes before its beginning (entry 1)",
    ),
    "one commitment for two logs": (
        lambda begun, ended: [begun, replace(begun, sitting="other", head="0" * 64), ended],
        "its commitment was used for two logs with different first lines (entry 2)",
    ),
}


@pytest.mark.parametrize("harm", LISTS)
def test_commitment_log_out_of_order_is_refused(harm: str, house: House, tmp_path: Path) -> None:
    path = over(house)
    make, why = LISTS[harm]
    begun, ended = read_promises(tmp_path / "promises.log")
    made = listed(tmp_path / "made", make(begun, ended))
    read_promises(made)  # its chain holds
    ran = run(["verify", str(path), "--promises", str(made)])
    assert (ran.code, ran.out.splitlines()[-1]) == (1, f"differs from the commitment log: {why}")
    made = listed(tmp_path / "made", [begun, ended])
    assert run(["verify", str(path), "--promises", str(made)]).code == 0


def test_verify_refuses_two_commitment_logs_that_contradict_each_other(
    house: House, tmp_path: Path
) -> None:
    """Somebody has fetched a list that the house says otherwise by now."""
    path = over(house)
    begun, ended = read_promises(tmp_path / "promises.log")
    others = [replace(begun, sitting=name, commitment=name, head=name) for name in "abc"]
    older = listed(tmp_path / "older", [begun, ended, others[0], others[1]])
    newer = listed(tmp_path / "newer", [begun, ended, others[2]])
    longer = listed(tmp_path / "longer", [begun, ended, *others])
    elsewhere = listed(tmp_path / "elsewhere", others)

    def verdict_line(*lists: Path) -> str:
        options = [word for one in lists for word in ("--promises", str(one))]
        ran = run(["verify", str(path), *options])
        line: str = ran.out.splitlines()[-1]
        assert line.startswith("committed: ") is (ran.code == 0)
        return line

    for lists in ((older, newer), (newer, older), (longer, newer)):
        assert verdict_line(*lists).startswith(
            "differs from the commitment log: two commitment logs disagree: "
        )
        assert verdict_line(*lists).endswith("(entry 3)")
    for lists in ((older, longer), (longer, older), (newer, elsewhere), (elsewhere, newer)):
        assert verdict_line(*lists).startswith("committed: entry 1"), (
            "of two times, or of two hosts"
        )
    end = tmp_path / "end"
    end.write_bytes(b"".join(longer.read_bytes().splitlines(keepends=True)[2:]))
    assert verdict_line(older, end).startswith("committed: ")
    assert verdict_line(newer, end).startswith(
        "differs from the commitment log: two commitment logs disagree"
    )


def test_settled_unfinished_session_agrees_with_the_commitment_log(
    house: House, tmp_path: Path
) -> None:
    sitting = sit(PURSED[0], house)
    play_on(sitting, 12)
    play_round_out(sitting)
    sitting.close()
    assert house.ledger is not None
    (entry,) = house.ledger.open_sittings("ann")
    assert settle_sitting(house, house.ledger, entry)
    path, promises = sitting.log.path, str(tmp_path / "promises.log")
    ran = run(["verify", str(path), "--promises", promises])
    assert (ran.code, ran.out.splitlines()[-1].split("; ")[-1]) == (
        0,
        "entry 2 says that it was settled unfinished",
    )
    write(path, lines_of(path)[:3])
    ran = run(["verify", str(path), "--promises", promises])
    assert (ran.code, "it is cut off: the session was over" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [lines[0].replace(b'"n":1', b'"n":2'), *lines[1:]], ":2: it does not have"),
        (lambda lines: [lines[0], *lines[2:]], ":2: it does not have the hash"),
        (lambda lines: [b"{}\n", *lines], ":1: not an entry"),
        (lambda lines: [lines[0].replace(b'"head"', b'"last"')], ":1: not an entry"),
        (lambda lines: [lines[0].replace(b'"prev":""', b'"prev":"ab"')], ":1: the first entry"),
        (lambda lines: [lines[0][:40]], ":1: it has no entries"),
    ],
    ids=[
        "number changed",
        "entry left out",
        "empty entry added",
        "key renamed",
        "first entry names a hash before it",
        "cut in its first line",
    ],
)
def test_commitment_log_with_changed_or_missing_lines_is_refused(
    change: object, why: str, house: House, tmp_path: Path
) -> None:
    for number in (1, 2):
        over(house, number)
    lines = (tmp_path / "promises.log").read_bytes().splitlines(keepends=True)
    assert callable(change)
    (tmp_path / "changed").write_bytes(b"".join(change(lines)))
    with pytest.raises(BadFile, match=why):
        read_promises(tmp_path / "changed")


def test_torn_line_is_cut_but_a_damaged_commitment_log_stops_the_server(
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
    ledger = not_none(house.ledger)
    purse = ledger.balance("ann")
    with pytest.raises(LedgerError, match=r"the commitment log .* is damaged"):
        sit(PURSED[0], house, 3)
    assert ledger.balance("ann") == purse, "what is not promised is not booked"
    assert not ledger.open_sittings("ann")
    promises.unlink()
    promises.mkdir()
    with pytest.raises(LedgerError, match="no cards are dealt without"):
        sit(PURSED[0], house, 3)


def test_loan_is_written_to_the_audit_log_only_with_a_buy_in(house: House, tmp_path: Path) -> None:
    ledger = not_none(house.ledger)
    ledger.lend("ann", LOAN_CENTS, 1)
    assert (ledger.balance("ann"), ledger.debt("ann")) == (2 * LOAN_CENTS, LOAN_CENTS)
    assert not (tmp_path / "audit").exists()
    ledger.buy_in(OpenSitting("s", "g", tmp_path, b"x" * 32, 5), "ann", 2, 7)
    (file,) = (tmp_path / "audit").iterdir()
    assert {"what": "loan", "player": "ann", "cents": 7}.items() <= json.loads(
        file.read_text()
    ).items()


def test_grouped_entries_sync_the_commitment_log_once_before_booking(
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
    assert ledger.checkpoint("s0", 1, "m", 5)
    ledger.cash_out("s0", 5, "last", 4)
    assert synced == [(3, 0)], "nor is it later: what is booked takes along what is promised"
