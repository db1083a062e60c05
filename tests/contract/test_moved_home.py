"""A home that was moved, renamed or copied in the middle of a round keeps its money."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.helpers.ledger_sessions import ME, house_in, sit, step
from tests.helpers.narrow import not_none
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.house import House
from tui_casino.house.lobby import resume, review_open_sittings
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

FOR_MONEY = [game for game in GAMES if game.slug != "cribbage"]
by_money_game = pytest.mark.parametrize("listing", FOR_MONEY, ids=lambda listing: listing.slug)


def left_in_mid_round(listing: GameListing, home: Path) -> Path:
    """Leave a session with a bet at stake; return its log."""
    house = house_in(home)
    with sit(listing, house, 1) as sitting:
        while not sitting.staked:
            assert step(sitting)
        assert house.ledger is not None
    house.ledger.close()
    return sitting.log.path


def opened(home: Path, logs: Path) -> House:
    """Return the house of a home, wherever it is now."""
    (ledger,) = home.rglob("*.db")
    return House(home / logs, SqliteLedger(ledger), ME)


@by_money_game
def test_open_session_is_resumed_after_its_home_folder_was_moved(
    listing: GameListing, tmp_path: Path
) -> None:
    home, moved = tmp_path / "home", tmp_path / "moved"
    log = left_in_mid_round(listing, home)
    home.rename(moved)
    house = opened(moved, log.parent.relative_to(home))
    definition = listing.definition()
    report = review_open_sittings(house, {listing.slug: definition})
    assert report.notes == ()
    (entry,) = report.waiting
    assert entry.log == moved / log.relative_to(home)
    sitting = not_none(resume(house, definition, entry))
    with sitting:
        while sitting.staked:
            assert step(sitting)
        sitting.leave()
    assert not home.exists()


@by_money_game
def test_session_resumed_in_a_copied_home_does_not_change_the_original_log(
    listing: GameListing, tmp_path: Path
) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy"
    log = left_in_mid_round(listing, home)
    shutil.copytree(home, copy)
    before = log.read_bytes()
    house = opened(copy, log.parent.relative_to(home))
    definition = listing.definition()
    report = review_open_sittings(house, {listing.slug: definition})
    (note,) = report.notes
    assert "these records are a copy" in note
    assert str(log) in note
    sitting = not_none(resume(house, definition, report.waiting[0]))
    with sitting:
        while sitting.staked:
            assert step(sitting)
        sitting.leave()
    assert log.read_bytes() == before
    original = review_open_sittings(
        opened(home, log.parent.relative_to(home)), {listing.slug: definition}
    )
    assert [one.log for one in original.waiting] == [log]


def test_remote_player_with_a_copied_home_gets_no_note_with_server_paths(tmp_path: Path) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy"
    log = left_in_mid_round(FOR_MONEY[0], home)
    shutil.copytree(home, copy)
    house = replace(opened(copy, log.parent.relative_to(home)), remote=True)
    report = review_open_sittings(house, {FOR_MONEY[0].slug: FOR_MONEY[0].definition()})
    assert report.notes == ()
    assert len(report.waiting) == 1


def test_moved_log_of_a_player_is_located_below_the_new_players_folder(tmp_path: Path) -> None:
    log = tmp_path / "players" / "ann" / "sessions" / "a.jsonl"
    log.parent.mkdir(parents=True)
    log.touch()
    house = House(tmp_path / "players", None, "operator")
    assert house.locate(Path("/old/players/ann/sessions/a.jsonl")) == log
    other = Path("/old/players/bob/sessions/a.jsonl")
    assert house.locate(other) == other
