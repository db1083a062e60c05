"""``tui-casino ledger rebuild``: the purses made again from the logs."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from tests.helpers.command_runner import Ran, output, run
from tests.helpers.ledger_sessions import (
    ME,
    PURSED,
    chained,
    house_in,
    ledger_of,
    lines_of,
    only_open,
    play_on,
    play_round_out,
    played,
    sit,
    write,
)
from tests.helpers.narrow import instance_of, not_none
from tests.helpers.random_play import seed_of
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.house.lobby import AnySitting, resume, review_open_sittings
from tui_casino.house.paths import ledger_file
from tui_casino.house.sitting import House
from tui_casino.records.ledger import (
    LOAN_CENTS,
    OPENING_BALANCE,
    LedgerContents,
    LedgerLost,
    LedgerSitting,
    Marker,
)
from tui_casino.records.ledger_rebuild import UnbookedSitting, rebuild_purses
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

DATA = Path(__file__).parents[1] / "data" / "old-logs"
POKER = listing_of("video-poker")
BACCARAT = listing_of("baccarat")
HAVE = {listing.slug: listing.definition() for listing in (POKER, BACCARAT)}


@pytest.fixture
def house() -> Iterator[House]:
    """The house of the commands, with a clock that advances."""
    moments = count(1_767_225_600_000, 1000)
    house = house_in(ledger_file().parent, lambda: next(moments))
    house = replace(house, logs=ledger_file().parent / "sessions")
    yield house
    ledger_of(house).close()


def books() -> LedgerContents:
    with closing(SqliteLedger.look_at(ledger_file())) as ledger:
        return ledger.books()


def lose(house: House) -> LedgerContents:
    """Delete the ledger and SQLite's files next to it; return its contents."""
    ledger = ledger_of(house)
    held = ledger.books()
    ledger.close()
    for file in ledger_file().parent.glob("ledger.db*"):
        file.unlink()
    return held


def again(*more: str, typed: str = "") -> Ran:
    ran = run(["ledger", "rebuild", *more], typed)
    assert ran.code == (2 if "nothing was changed" in ran.err else 0), ran
    return ran


def old_ledgers() -> list[Path]:
    return sorted(ledger_file().parent.glob("ledger.db.kept-*"))


def staked(house: House) -> AnySitting:
    sitting = sit(POKER, house, 5)
    play_on(sitting, 20)
    while not sitting.staked:
        play_on(sitting, 1)
    return sitting


def from_logs(held: LedgerContents) -> list[tuple[object, ...]]:
    """Give what logs tell of sittings: neither seeds, nor how far a round had gone."""
    return [
        (
            *(one.id, one.player, one.game, one.log, one.opened, one.bought_in, one.cashed_out),
            *(one.checkpoint.head, one.checkpoint.last),
        )
        for one in held.sittings
    ]


# ---- a ledger that is gone ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "listings",
    [
        pytest.param((POKER, BACCARAT), id="two games"),
        pytest.param(PURSED, id="all", marks=pytest.mark.prove),
    ],
)
def test_lost_ledger_is_rebuilt_to_the_cent(
    listings: tuple[GameListing, ...], house: House
) -> None:
    for number, listing in enumerate(listings):
        played(listing, house, number)
    held = lose(house)
    assert held.balances != ((ME, OPENING_BALANCE),)
    ran = again("--yes")
    assert f"balance of {ME}: unknown becomes" in ran.out
    assert books().balances == held.balances
    assert books().markers == held.markers == ()
    assert from_logs(books()) == from_logs(held)
    for one in held.sittings:
        said = run(["verify", one.log])
        assert said.out.startswith("authentic: ")
        assert said.out.endswith("the ledger confirms its first line and its last line\n")
    assert old_ledgers() == []


def test_ledger_rebuild_without_yes_shows_changes_and_writes_nothing(house: House) -> None:
    log = played(POKER, house).log.path
    lose(house)
    for typed in ("", "n\n", "what\n"):
        ran = again(typed=typed)
        assert f"there is no ledger {ledger_file()}" in ran.out
        assert log.stem in ran.out
        assert "the logs do not show" in ran.out
        assert "nothing was changed" in ran.err
        assert not ledger_file().exists()
    assert "the ledger was written" in again(typed="y\n").out
    assert ledger_file().stat().st_mode & 0o777 == 0o600


def test_second_ledger_rebuild_changes_nothing(house: House) -> None:
    played(POKER, house)
    staked(house).close()
    lose(house)
    again("--yes")
    held = books()
    for more in ((), ("--yes",)):
        assert "nothing to change" in again(*more).out
        assert (books(), old_ledgers()) == (held, [])


def test_ledger_rebuild_returns_an_open_bet_to_the_balance(house: House) -> None:
    sitting = staked(house)
    sitting.close()
    cents = sitting.cents
    lose(house)
    assert "it was open and its seed is lost, so the bet is given back" in again("--yes").out
    (one,) = books().sittings
    assert (one.bought_in, one.cashed_out) == (OPENING_BALANCE, cents)
    assert books().balances == ((ME, cents),)
    with closing(SqliteLedger(ledger_file())) as ledger:
        found = review_open_sittings(replace(house, ledger=ledger), HAVE)
    assert (found.waiting, found.notes) == ((), ())


def test_ledger_rebuild_pays_a_session_that_ended_without_a_ledger(house: House) -> None:
    """The log was ended though the cash-out could not be claimed: nothing is lost."""
    sitting = staked(house)
    play_round_out(sitting)
    ledger_file().unlink()
    with pytest.raises(LedgerLost):
        sitting.leave()
    sitting.close()
    ledger_of(house).close()
    again("--yes")
    assert books().balances == ((ME, sitting.cents),)


def test_ledger_rebuild_ignores_the_log_of_an_unplayed_session(house: House) -> None:
    sit(POKER, house).close()
    lose(house)
    assert "nothing to change" in again().out


# ---- loans, and money that no log explains ------------------------------------------------------


def test_ledger_rebuild_infers_a_loan_from_the_buy_in(house: House) -> None:
    """With 0.99 nobody can bet at video poker, so the house lent."""
    lost = (
        LedgerSitting("lost", ME, "faro", "/gone", None, 1, OPENING_BALANCE, 2, 99),
        LedgerSitting("low", ME, "faro", "/gone", None, 3, 0, 4, 0),
    )
    ledger = ledger_of(house)
    ledger.amend(LedgerContents(), LedgerContents(((ME, 99),), (), lost))
    before = ledger.books()
    sitting = played(POKER, house)
    assert sitting.lent == LOAN_CENTS
    held = ledger.books()
    ledger.amend(held, before)  # an old copy, so to speak
    ran = again("--yes")
    assert "1,000.00, because the balance was too small for a bet" in ran.out
    assert "the logs do not explain" not in ran.out
    assert books().markers == held.markers == (Marker(ME, held.sittings[2].opened, LOAN_CENTS),)
    assert books().balances == held.balances


def test_ledger_rebuild_books_an_unexplained_buy_in_as_a_loan(house: House) -> None:
    """The log of a sitting that was won is gone: more was brought than there had been."""
    ledger = ledger_of(house)
    ledger.amend(LedgerContents(), LedgerContents(((ME, OPENING_BALANCE + 500_00),), (), ()))
    sitting = played(POKER, house)
    assert sitting.table.options.credit == 1500
    lose(house)
    ran = again("--yes")
    assert "500.00, to cover a buy-in that the logs do not explain" in ran.out
    (marker,) = books().markers
    assert (marker.player, marker.cents) == (ME, 500_00)
    assert books().balances == ((ME, sitting.cents),)
    assert f"balance of {ME}" in ran.out
    assert ran.out.split(f"balance of {ME}")[1].startswith(
        f": unknown becomes {sitting.cents // 100:,}.00, debt 500.00"
    )


def unbooked(booked: LedgerSitting) -> UnbookedSitting:
    return UnbookedSitting(booked, ended=True, too_poor=lambda cents: cents < 100)


def test_ledger_rebuild_books_a_buy_in_above_a_loan_as_unexplained() -> None:
    one = LedgerSitting("one", ME, "toy", "/1", None, 10, OPENING_BALANCE, 20, 0)
    two = LedgerSitting("two", ME, "toy", "/2", None, 30, LOAN_CENTS + 7, 40, 5)
    with_poor = [unbooked(one), unbooked(two)]
    made = rebuild_purses(LedgerContents(), with_poor)
    assert made.loans == (Marker(ME, 30, LOAN_CENTS),)
    assert made.unexplained == (Marker(ME, 30, 7),)
    assert made.after.balances == ((ME, 5),)


def test_buy_in_of_the_whole_balance_needs_no_loan() -> None:
    one = LedgerSitting("one", ME, "toy", "/1", None, 10, OPENING_BALANCE, 20, 99)
    two = LedgerSitting("two", ME, "toy", "/2", None, 30, 99, 40, 5)
    made = rebuild_purses(LedgerContents(), [unbooked(one), unbooked(two)])
    assert (made.loans, made.unexplained) == ((), ())
    assert made.after.balances == ((ME, 5),)


def test_ledger_rebuild_handles_two_simultaneous_tables_of_one_balance() -> None:
    """What lies at the one table cannot be brought to the other: it comes back when it is left."""
    one = LedgerSitting("one", ME, "toy", "/1", None, 10, 400_00, 40, 900_00)
    two = LedgerSitting("two", ME, "toy", "/2", None, 20, 600_00, 30, 0)
    three = LedgerSitting("three", ME, "toy", "/3", None, 50, 900_00, 60, 1)
    made = rebuild_purses(LedgerContents(), map(unbooked, (three, two, one)))
    assert (made.loans, made.unexplained) == ((), ())
    assert [sitting.id for sitting in made.after.sittings] == ["one", "two", "three"]
    assert made.after.balances == ((ME, 1),)


# ---- a ledger that is there ---------------------------------------------------------------------


def test_ledger_rebuild_does_not_change_an_intact_ledger(house: House) -> None:
    for number, listing in enumerate((POKER, BACCARAT)):
        played(listing, house, number)
    staked(house).close()
    held = ledger_of(house).books()
    assert "nothing to change" in again("--yes").out
    assert (books(), old_ledgers()) == (held, [])


def test_ledger_rebuild_lists_its_changes_and_keeps_the_old_ledger(house: House) -> None:
    """A new ledger was begun and played on; then the logs of before come to it."""
    first = played(POKER, house, 1)
    lose(house)
    ledger = SqliteLedger(ledger_file())
    later = replace(house, ledger=ledger)
    second = played(POKER, later, 2)
    held = ledger.books()
    net = first.cents + second.cents - 2 * OPENING_BALANCE
    ran = again("--yes")
    assert f"the ledger {ledger_file()} has 1 session\n" in ran.out
    assert "1 known, 1 new, 0 of free play (ignored), 0 left out" in ran.out
    lent = sum(one.cents for one in books().markers)
    assert lent == max(0, OPENING_BALANCE - first.cents), (
        "what the second one brought more than was left"
    )
    assert books().balances == ((ME, OPENING_BALANCE + net + lent),)
    (copy,) = old_ledgers()
    assert f"the old one was kept as {copy}" in ran.out
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(SqliteLedger.look_at(copy)) as old:
        assert old.books() == held
    ledger.close()


def test_ledger_rebuild_keeps_the_seed_of_an_open_session_to_resume(house: House) -> None:
    other = replace(house, player="bob")
    path = played(POKER, other, 2).log.path
    ledger = instance_of(SqliteLedger, ledger_of(house))
    ledger._db.execute("delete from sitting")  # bob's is forgotten
    sitting = staked(house)
    sitting.close()
    entry = only_open(house)
    ran = again("--yes")
    assert path.stem in ran.out
    assert sitting.id not in ran.out
    assert only_open(house) == entry
    assert entry.seed == seed_of(5)
    taken_up = not_none(resume(house, POKER.definition(), entry))
    taken_up.close()


def test_ledger_rebuild_does_not_report_unplayed_sessions_without_a_log(house: House) -> None:
    played(POKER, house, 0)
    ran = again("--yes")
    assert len(books().sittings) == 1
    assert "without a log" not in ran.out


def test_ledger_rebuild_keeps_entries_of_sessions_without_a_log(house: House) -> None:
    played(POKER, house, 1).log.path.unlink()
    waits = staked(house)
    waits.close()
    waits.log.path.unlink()
    held = ledger_of(house).books()
    ran = again("--yes")
    assert "1 finished session without a log; the entries in the ledger stay" in ran.out
    assert f"{waits.log.path} is missing; its session is open" in ran.out
    assert "nothing to change" in ran.out
    assert books() == held


def test_ledger_rebuild_corrects_a_balance_changed_by_hand(house: House) -> None:
    sitting = played(POKER, house)
    with closing(sqlite3.connect(ledger_file())) as db, db:
        db.execute("update purse set cents = 5")
    assert f"balance of {ME}: 0.05 becomes {sitting.cents // 100:,}.00" in again("--yes").out
    assert books().balances == ((ME, sitting.cents),)


def test_ledger_rebuild_books_deleted_loans_again(house: House) -> None:
    lost = LedgerSitting("lost", ME, "faro", "/gone", None, 1, OPENING_BALANCE, 2, 0)
    more = LedgerSitting("more", ME, "faro", "/gone", None, 3, LOAN_CENTS, 4, 10)
    made = rebuild_purses(LedgerContents(((ME, 10),), (), (lost, more)), ())
    assert made.after.balances == ((ME, 10),)
    assert made.after.markers == (Marker(ME, 3, LOAN_CENTS),)


def test_ledger_rebuild_renames_a_damaged_ledger_before_replacing_it(house: House) -> None:
    played(POKER, house)
    held = lose(house)
    ledger_file().write_bytes(b"this is no ledger" * 999)
    ran = again()
    assert "cannot be used" in ran.out
    assert ledger_file().read_bytes() == b"this is no ledger" * 999
    again("--yes")
    assert books().balances == held.balances
    (aside,) = old_ledgers()
    assert aside.read_bytes() == b"this is no ledger" * 999


def test_ledger_rebuild_renames_the_wal_file_of_a_deleted_ledger(house: House) -> None:
    sitting = played(POKER, house)
    wal = ledger_file().with_name("ledger.db-wal")
    raw = wal.read_bytes()
    assert raw
    ledger_file().unlink()
    again("--yes")
    assert books().balances == ((ME, sitting.cents),)
    assert raw in [file.read_bytes() for file in old_ledgers()]


@pytest.mark.parametrize("trouble", ["locked", "newer"])
def test_ledger_rebuild_does_not_replace_a_locked_or_newer_ledger(
    trouble: str, house: House
) -> None:
    sitting = played(POKER, house)
    ledger_of(house).close()
    with closing(sqlite3.connect(ledger_file(), isolation_level=None)) as db:
        if trouble == "newer":
            db.execute("pragma user_version = 99")
        else:
            db.execute("update purse set cents = 5")
            db.execute("begin immediate")
        err = output("ledger", "rebuild", "--yes", patience=0, code=2).err
        assert ("locked" if trouble == "locked" else "newer program") in err
        if trouble == "locked":
            db.execute("rollback")
    assert sitting.log.path.exists()
    assert [file for file in old_ledgers() if file.stat().st_size == 0] == []
    with closing(sqlite3.connect(ledger_file())) as db:
        assert db.execute("select count(*) from sitting").fetchone() == (1,)


# ---- logs that do not count ---------------------------------------------------------------------


def test_ledger_rebuild_restores_the_balance_of_each_player(house: House) -> None:
    mine = played(POKER, house, 1)
    theirs = played(POKER, replace(house, player="bob"), 2)
    lose(house)
    again("--yes", "--player", "bob")
    assert books().balances == (("bob", theirs.cents),)
    again("--yes")
    assert books().balances == ((ME, mine.cents), ("bob", theirs.cents))


def test_ledger_rebuild_leaves_out_and_reports_invalid_logs(house: House) -> None:
    path = played(POKER, house, 1).log.path
    in_play = sit(POKER, replace(house, player="cat"), 2)
    play_on(in_play, 10)
    lose(house)
    lines = lines_of(path)
    end = {**lines[-1], "end": {**lines[-1]["end"], "money": [9_999_999]}}
    write(path, chained([*lines[:-1], end]))
    (house.logs / "torn.jsonl").write_text('{"format"')
    shutil.copy(DATA / "format-2.jsonl", house.logs / "old.jsonl")
    whist = path.read_bytes().replace(b'"game":"video-poker"', b'"game":"whist"', 1)
    (house.logs / "whist.jsonl").write_bytes(whist)
    ran = again()
    assert "left out whist.jsonl: whist is not a game of this program" in ran.out
    assert f"left out {path.name}: line {len(lines)}: the result does not match the play" in ran.out
    assert "left out torn.jsonl: " in ran.out
    assert "left out old.jsonl: format 2 does not record who played" in ran.out
    assert f"left out {in_play.log.path.name}: it is being played" in ran.out
    assert "0 known, 0 new, 0 of free play (ignored), 5 left out" in ran.out
    assert "nothing to change" in ran.out
    in_play.close()


def test_ledger_rebuild_ignores_free_play(house: House) -> None:
    some = [game for game in GAMES if game.slug in ("video-poker", "baccarat", "cribbage")]
    for listing in some:
        played(listing, replace(house, ledger=None))
    lose(house)
    ran = again()
    assert f"0 known, 0 new, {len(some)} of free play (ignored), 0 left out" in ran.out


def test_ledger_rebuild_counts_copies_of_a_log_once(house: House) -> None:
    sitting = played(POKER, house, 1)
    path = sitting.log.path
    shutil.copy(path, path.with_name("copy.jsonl"))
    write(path.with_name("a-cut-copy.jsonl"), lines_of(path)[:20])
    assert "nothing to change" in again().out, "the ledger knows them all"
    lose(house)
    again("--yes")
    assert books().balances == ((ME, sitting.cents),)
    (one,) = books().sittings
    assert one.checkpoint.last == read_log(path).hash


def test_ledger_rebuild_reports_a_missing_log_folder() -> None:
    err = output("ledger", "rebuild", "--log-dir", "nowhere", code=2).err
    assert "there is no such folder" in err
    assert "nothing to change" in again().out, "no logs, no ledger"


# ---- who comes back is told ---------------------------------------------------------------------


def test_new_ledger_with_old_logs_suggests_a_rebuild(house: House) -> None:
    played(POKER, house, 1)
    lose(house)
    with closing(SqliteLedger(ledger_file())) as ledger:
        fresh = replace(house, ledger=ledger)
        (note,) = review_open_sittings(fresh, HAVE).notes
        assert "tui-casino ledger rebuild" in note
        assert review_open_sittings(replace(fresh, player="bob"), HAVE).notes == ()
        played(POKER, fresh, 2)
        assert review_open_sittings(fresh, HAVE).notes == (), "whoever plays on has seen it"


def test_new_player_gets_no_suggestion_to_rebuild(house: House) -> None:
    played(POKER, replace(house, ledger=None))
    (house.logs / "torn.jsonl").write_text('{"format"')
    assert ledger_of(house).new
    assert review_open_sittings(house, HAVE).notes == ()
