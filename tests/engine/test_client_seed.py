"""A word of the player's own in the shuffle: mixed in, logged, verified, and asked for."""

from __future__ import annotations

import hashlib
import hmac
import io
import os
import sys
from pathlib import Path

import pytest

from tests.helpers.command_runner import output, run
from tests.helpers.ledger_sessions import (
    PURSED,
    chained,
    house_in,
    lines_of,
    only_open,
    play_on,
    played,
    sit,
    verdict_of,
    write,
)
from tests.helpers.parameter_ids import value_id
from tests.helpers.quick_cases import by_game
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import CommittedSource, SourceSpec, make_source
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import NeedShoe
from tui_casino.gamekit.registry import GameListing
from tui_casino.house.lobby import resume
from tui_casino.house.paths import log_folder
from tui_casino.inputs.files import BadFile
from tui_casino.records.log_header import LOG_FORMAT
from tui_casino.records.replay import ProofLevel
from tui_casino.records.session_log import read_log

SEED = bytes(range(32))
ROUND = "b 1\nd\nh\nq\n"
"""A round of video poker; without one no log is kept."""
by_purse = pytest.mark.parametrize("listing", PURSED, ids=lambda listing: listing.slug)


def dealt(source: CommittedSource) -> list[str]:
    croupier = ShuffledShoe()
    dice = source.dice("shoe 1")
    croupier.shoe(NeedShoe(PACK), dice)
    return [str(croupier.card(dice).card) for _ in PACK]


def test_dealing_key_is_the_hmac_of_the_client_seed() -> None:
    key = hmac.digest(SEED, "word|Glück".encode(), hashlib.sha256)
    assert dealt(CommittedSource(SEED, "Glück")) == dealt(CommittedSource(key))


def test_different_client_seeds_deal_different_cards_under_one_commitment() -> None:
    sources = [CommittedSource(SEED, word) for word in ("", "a", "b", "A", "a ")]
    assert len({tuple(dealt(source)) for source in sources}) == len(sources)
    assert {source.spec.value for source in sources} == {hashlib.sha256(SEED).hexdigest()}
    assert {source.seed for source in sources} == {SEED}


@pytest.mark.parametrize("word", ["a\nb", "\x1b[2J", "x" * 101, "\ud800"])
def test_invalid_client_seed_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="one line of up to 100 characters"):
        CommittedSource(SEED, word)
    with pytest.raises(ValueError, match="one line of up to 100 characters"):
        SourceSpec("committed", "", word)


def test_client_seed_is_refused_for_a_source_without_a_committed_seed() -> None:
    with pytest.raises(ValueError, match="committed"):
        SourceSpec("numbered", "3", "word")
    assert (
        make_source(SourceSpec("committed", hashlib.sha256(SEED).hexdigest(), "w"), SEED)
        is not None
    )


@by_game
def test_log_records_the_client_seed_and_verify_uses_it(
    listing: GameListing, tmp_path: Path
) -> None:
    house = house_in(tmp_path)
    path = played(listing, house, word="sesame").log.path
    header = lines_of(path)[0]
    assert header["format"] == LOG_FORMAT
    assert header["source"]["word"] == "sesame"
    proof = ProofLevel.AUTHENTIC if listing in PURSED else ProofLevel.CONSISTENT
    assert verdict_of(path, house).proof is proof
    assert verdict_of(path).shuffle_checked
    said = run(["verify", str(path)])
    assert "every card follows from the committed seed and the client seed" in said.out


@by_purse
def test_interrupted_session_resumes_with_its_client_seed(
    listing: GameListing, tmp_path: Path
) -> None:
    house = house_in(tmp_path)
    sitting = sit(listing, house, word="sesame")
    while not (sitting.staked and sitting.log.steps > 8):
        play_on(sitting, 1)
    sitting.close()
    again = resume(house, listing.definition(), only_open(house))
    assert again is not None
    assert again.table.state == sitting.table.state
    assert again.table.source.spec.word == "sesame"
    again.log.close()


@by_purse
def test_log_header_without_a_client_seed_has_only_kind_and_value(
    listing: GameListing, tmp_path: Path
) -> None:
    header = lines_of(played(listing, house_in(tmp_path)).log.path)[0]
    assert header["format"] == LOG_FORMAT
    assert set(header["source"]) == {"kind", "value"}


def test_log_of_format_1_with_a_client_seed_is_refused(tmp_path: Path) -> None:
    """A reader of format 1 would not see it, and find other cards."""
    lines = lines_of(played(PURSED[0], house_in(tmp_path), word="sesame").log.path)
    lines[0]["format"] = 1
    with pytest.raises(BadFile, match="format 1 cannot have a client seed in its source"):
        read_log(write(tmp_path / "log.jsonl", chained(lines)))


# ---- on the console ---------------------------------------------------------------------------


def test_console_asks_for_the_client_seed_after_the_commitment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    err = output(PURSED[0].slug, "--console", "--word", typed=f"open sesame\n{ROUND}").err
    (log,) = log_folder(None, os.environ).glob("*.jsonl")
    header = lines_of(log)[0]
    assert header["source"]["word"] == "open sesame"
    said = err.splitlines()
    assert header["source"]["value"] in said[0]
    assert "type any words as your client seed" in said[1]
    assert said[2].endswith("your client seed: open sesame")
    seed = lines_of(log)[-1]["end"]["seed"]
    assert any(line.endswith(f"the seed matches the commitment: {seed}") for line in said)


def test_client_seed_given_with_the_word_option_is_recorded_in_the_log(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([PURSED[0].slug, "--console", "--word", "sesame"], ROUND).code == 0
    (log,) = log_folder(None, os.environ).glob("*.jsonl")
    assert lines_of(log)[0]["source"]["word"] == "sesame"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--word", "x", "--seed", "3"], "give only one of the two"),
        (["--word", "a\nb"], "one line of up to 100 characters"),
        (["--word", "x" * 101], "one line of up to 100 characters"),
    ],
    ids=value_id,
)
def test_bad_client_seeds_on_the_command_line_are_refused(arguments: list[str], why: str) -> None:
    assert why in output(PURSED[0].slug, "--console", *arguments, typed="q\n", code=2).err
    assert not log_folder(None, os.environ).exists()


def test_client_seed_for_a_table_with_known_cards_is_refused() -> None:
    err = output("baccarat", "-test", "--word", "x", typed="", code=2).err
    assert "the cards of this table are not shuffled" in err


def test_word_option_without_a_value_on_the_screen_refers_to_menu_key_w(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for stream in ("stdin", "stdout", "stderr"):
        terminal = io.StringIO()
        terminal.isatty = lambda: True  # type: ignore[method-assign]
        monkeypatch.setattr(sys, stream, terminal)
    from tui_casino.cli import main

    assert main([PURSED[0].slug, "--word"]) == 2
    assert "w in the menu asks for it" in terminal.getvalue()
