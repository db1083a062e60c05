"""After a power cut every sitting resumes or is settled to the cent; no key waits for the disk."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.helpers import power_cut
from tests.helpers.ledger_sessions import (
    ME,
    PURSED,
    house_in,
    ledger_of,
    only_open,
    play_on,
    play_round_out,
    sit,
    verdict_of,
)
from tests.helpers.quick_cases import first_of
from tests.house.test_killed_process import playing_program
from tui_casino.gamekit.registry import GameListing, listing_of
from tui_casino.house.house import House
from tui_casino.house.lobby import AnySitting, resume, review_open_sittings
from tui_casino.house.sitting import SittingEnding
from tui_casino.records.ledger import OPENING_BALANCE, OpenSitting
from tui_casino.records.replay import ProofLevel
from tui_casino.records.session_log import LogWriter, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

POKER = listing_of("video-poker")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = house_in(tmp_path)
    yield house
    ledger_of(house).close()


def cut_off(listing: GameListing, home: Path, dice: random.Random) -> int:
    """Let a program play, and cut its power at any step; give how many logs lost something."""
    with playing_program(listing, home, dice, "tests.helpers.power_cut") as playing:
        playing.kill()
    return power_cut.cut(home / "journal", home)


@pytest.mark.parametrize("listing", first_of(PURSED), ids=lambda listing: listing.slug)
def test_power_cut_during_play_leaves_no_money_locked(listing: GameListing, tmp_path: Path) -> None:
    dice, definition, harmed = random.Random(listing.slug), listing.definition(), 0
    for _ in range(4):
        harmed += cut_off(listing, tmp_path, dice)
        with closing(SqliteLedger(tmp_path / "tui-casino" / "ledger.db")) as ledger:
            house = House(tmp_path / "tui-casino" / "sessions", ledger, ME)
            found = review_open_sittings(house, {listing.slug: definition})
            assert not [note for note in found.notes if "cannot be resumed" in note]
            for entry in found.waiting:
                sitting = resume(house, definition, entry)
                assert sitting is not None
                with sitting:
                    play_round_out(sitting)
                    assert sitting.leave() is SittingEnding.CASHED_OUT
            assert ledger.open_sittings(ME) == []
            accounts = ledger.accounts()
            won = sum((one.cashed_out or 0) - one.bought_in for one in accounts.values())
            assert ledger.balance(ME) == OPENING_BALANCE + ledger.debt(ME) + won
            for path in house.logs.glob("*.jsonl"):
                if path.stem in accounts:
                    assert verdict_of(path, house).proof is ProofLevel.AUTHENTIC
        power_cut.settle(tmp_path / "journal", tmp_path)
    assert harmed, "nothing was cut"


class Disk:
    """A slow disk, which does nothing until the test allows it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sync_begun, self.goes = threading.Event(), threading.Event()
        sync = LogWriter.sync

        def slow(log: LogWriter) -> None:
            self.sync_begun.set()
            assert self.goes.wait(60)
            sync(log)

        monkeypatch.setattr(LogWriter, "sync", slow)


def play_rounds(sitting: AnySitting, rounds: int) -> None:
    """Play a number of rounds without waiting for anything."""
    for _ in range(rounds):
        while not sitting.staked:
            play_on(sitting, 1)
        while sitting.staked:
            play_on(sitting, 1)


def test_player_does_not_wait_for_the_disk_between_rounds(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = sit(POKER, house, 3)
    before = only_open(house).checkpoint
    disk = Disk(monkeypatch)
    play_rounds(sitting, 1)
    assert disk.sync_begun.wait(60)
    first = sitting.log.steps
    play_rounds(sitting, 2)
    assert sitting.log.steps > first
    assert only_open(house).checkpoint == before, "the ledger is never ahead of the disk"
    disk.goes.set()
    assert sitting.binding is not None
    sitting.binding.wait()
    assert only_open(house).checkpoint.steps == sitting.log.steps
    assert only_open(house).checkpoint.mark == sitting.log.hash
    sitting.leave()


def test_session_log_is_synced_before_buy_in_and_cash_out(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first line and its name before the buy-in, its last line before the cash-out."""
    monkeypatch.setattr(os, "fsync", os.fsync)
    power_cut.record(journal := tmp_path / "journal")
    ledger = ledger_of(house)
    cuts: list[int] = []
    buy_in, cash_out = ledger.buy_in, ledger.cash_out

    def buys_in(entry: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        cuts.append(power_cut.cut(journal, house.logs))
        assert read_log(entry.log).head == entry.checkpoint.head
        buy_in(entry, player, at, loan)

    def cashes_out(name: str, cents: int, last: str | None, at: int) -> bool:
        cuts.append(power_cut.cut(journal, house.logs))
        assert read_log(house.logs / f"{name}.jsonl").hash == last
        return cash_out(name, cents, last, at)

    monkeypatch.setattr(ledger, "buy_in", buys_in)
    monkeypatch.setattr(ledger, "cash_out", cashes_out)
    sitting = sit(POKER, house, 3)
    play_rounds(sitting, 1)
    sitting.leave()
    assert cuts == [0, 0]


def test_log_that_could_not_be_synced_is_reported_and_rewritten(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a failed sync left unwritten no later one writes: the pages count as clean."""
    sitting = sit(POKER, house, 3)
    before, sync = only_open(house).checkpoint, os.fsync

    def fails(file: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", fails)
        play_rounds(sitting, 1)
        assert sitting.binding is not None
        sitting.binding.wait()
    assert only_open(house).checkpoint == before
    (news,) = sitting.take_news()
    assert news == "the log cannot be written to the disk: Input/output error"
    inode = sitting.log.path.stat().st_ino
    synced: list[int] = []

    def notes(file: int) -> None:
        synced.append(os.fstat(file).st_ino)
        sync(file)

    monkeypatch.setattr(os, "fsync", notes)
    play_rounds(sitting, 1)
    sitting.binding.wait()
    assert (again := sitting.log.path.stat().st_ino) != inode
    assert again in synced
    assert "the disk failed to store the log; it has been restored" in sitting.take_news()
    assert only_open(house).checkpoint.mark == sitting.log.hash
    sitting.leave()
    assert verdict_of(sitting.log.path, house).proof is ProofLevel.AUTHENTIC
