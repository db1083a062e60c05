"""Every game has a golden session, and plays it to the letter and to the byte."""

from __future__ import annotations

from pathlib import Path

from tests.golden.write import golden, replayed
from tests.helpers.quick_cases import by_game
from tui_casino.gamekit.registry import GameListing
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import read_log


@by_game
def test_golden_session_is_replayed_byte_for_byte(listing: GameListing, tmp_path: Path) -> None:
    files = golden(listing)
    assert files.typed.exists(), f"write {files.typed}, then python -m tests.golden.write"
    said, log = replayed(listing, tmp_path)
    assert said == files.said.read_text()
    assert log == files.log.read_bytes()


@by_game
def test_golden_session_types_every_command_of_the_game(listing: GameListing) -> None:
    words = listing.definition().words
    typed = {line.split()[0] for line in golden(listing).typed.read_text().splitlines() if line}
    assert {*words.verbs, *words.questions} <= typed
    assert "?" in typed


@by_game
def test_golden_log_verifies_as_consistent_with_its_shuffle_checked(listing: GameListing) -> None:
    log = read_log(golden(listing).log)
    verdict = verify_log(listing.definition(), log)
    assert verdict.proof is ProofLevel.CONSISTENT
    assert verdict.shuffle_checked
    assert len(log.lines) > 40
