"""Every game has a golden session, and plays it to the letter and to the byte."""

from __future__ import annotations

from pathlib import Path

from tests.cases import by_game
from tests.golden.write import golden, replayed
from tui_casino.gamekit.registry import Listing
from tui_casino.records.log import read
from tui_casino.records.replay import Proof, verify


@by_game
def test_it_is_played_to_the_byte(listing: Listing, tmp_path: Path) -> None:
    files = golden(listing)
    assert files.typed.exists(), f"write {files.typed}, then python -m tests.golden.write"
    said, log = replayed(listing, tmp_path)
    assert said == files.said.read_text()
    assert log == files.log.read_bytes()


@by_game
def test_it_says_every_word_of_the_game(listing: Listing) -> None:
    words = listing.definition().words
    typed = {line.split()[0] for line in golden(listing).typed.read_text().splitlines() if line}
    assert {*words.verbs, *words.questions} <= typed
    assert "?" in typed


@by_game
def test_its_log_verifies(listing: Listing) -> None:
    log = read(golden(listing).log)
    verdict = verify(listing.definition(), log)
    assert verdict.proof is Proof.CONSISTENT
    assert verdict.shuffle_checked
    assert len(log.lines) > 40
