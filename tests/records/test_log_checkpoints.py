"""The ledger binds the log: no other log is resumed, and no part of it can be removed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command_runner import output, run
from tests.helpers.ledger_sessions import (
    ME,
    PURSED,
    Lines,
    chained,
    house_in,
    ledger_of,
    lines_of,
    only_open,
    play_on,
    play_round_out,
    sit,
    step,
    verdict_of,
    write,
)
from tests.helpers.narrow import instance_of, not_none
from tests.helpers.random_play import seed_of
from tui_casino.gamekit.registry import GameListing, listing_of
from tui_casino.house.lobby import AnySitting, resume, review_open_sittings
from tui_casino.house.paths import ledger_file
from tui_casino.house.sitting import House, SittingEnding
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import OPENING_BALANCE, LedgerError, LedgerLost, LogCheckpoint
from tui_casino.records.replay import ProofLevel
from tui_casino.records.session_log import LogWriter, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

by_game = pytest.mark.parametrize("listing", PURSED, ids=lambda listing: listing.slug)
POKER = listing_of("video-poker")
HAVE = {POKER.slug: POKER.definition()}


@pytest.fixture
def house() -> House:
    """The house of the commands."""
    return replace(house_in(ledger_file().parent), logs=ledger_file().parent / "sessions")


def sit_until_staked(listing: GameListing, house: House, rounds: int = 2) -> AnySitting:
    """Play so many rounds, and then on until a bet is at stake and a card lies there."""
    sitting = sit(listing, house, 3)
    for _ in range(rounds):
        while not sitting.staked:
            play_on(sitting, 1)
        play_round_out(sitting)
    while not sitting.staked:
        play_on(sitting, 1)
    play_on(sitting, 2)
    assert sitting.staked
    return sitting


def killed(sitting: AnySitting) -> Path:
    """Leave behind what a killed program leaves; give the log."""
    sitting.close()
    return sitting.log.path


# ---- what the ledger comes to know -------------------------------------------------------------


@by_game
def test_ledger_records_a_checkpoint_after_each_round(listing: GameListing, house: House) -> None:
    sitting = sit(listing, house, 3)
    path, ended = sitting.log.path, 0
    head = read_log(path).head
    known = LogCheckpoint(head=head)
    for _ in range(70):
        before = sitting.staked
        if not step(sitting):
            break
        if before and not sitting.staked:
            ended += 1
            assert sitting.binding is not None
            sitting.binding.wait()
            known = LogCheckpoint(head, sitting.log.steps, read_log(path).hash)
        assert only_open(house).checkpoint == known
    assert ended > 1
    play_round_out(sitting)
    assert sitting.leave() is SittingEnding.CASHED_OUT
    last = not_none(ledger_of(house).checkpoint_of(path))
    assert (last.head, last.last) == (head, read_log(path).hash)


def test_leaving_with_an_open_bet_records_a_checkpoint(house: House) -> None:
    sitting = sit_until_staked(POKER, house)
    assert sitting.leave() is SittingEnding.BROKEN_OFF
    assert only_open(house).checkpoint.steps == sitting.log.steps
    assert only_open(house).checkpoint.mark == sitting.log.hash


def test_resumed_session_records_further_checkpoints(house: House) -> None:
    killed(sit_until_staked(POKER, house))
    before = only_open(house).checkpoint
    again = not_none(resume(house, POKER.definition(), only_open(house)))
    play_round_out(again)
    after = only_open(house).checkpoint
    assert after.steps == again.log.steps > before.steps
    assert after.head == before.head is not None
    assert again.leave() is SittingEnding.CASHED_OUT
    assert verdict_of(again.log.path, house).proof is ProofLevel.AUTHENTIC


# ---- logs that were rewritten while the sitting was open ---------------------------------------


def headed(lines: Lines, **changed: object) -> Lines:
    return chained([{**lines[0], **changed}, *lines[1:]])


def change_client_seed(lines: Lines) -> Lines:
    return headed(lines, source={**lines[0]["source"], "word": "chosen"})


def choose_cards(lines: Lines) -> Lines:
    """The cards of one's choice, and nothing played yet: the finding of 1,000,995.00."""
    cards = ["AS", "KS", "QS", "JS", "TS"] * 10
    return headed(lines[:1], croupier={"name": "cards", "cards": cards})


def change_options(lines: Lines) -> Lines:
    return headed(lines[:1], options={**lines[0]["options"], "paytable": None})


def change_start_time(lines: Lines) -> Lines:
    return headed(lines, at=lines[0]["at"] + 1)


def truncate_after_step_4(lines: Lines) -> Lines:
    return lines[:5]


def truncate_after_the_first_line(lines: Lines) -> Lines:
    return lines[:1]


def change_step(lines: Lines) -> Lines:
    return chained([*lines[:4], {**lines[4], "at": lines[4]["at"] + 1}, *lines[5:]])


FORGERIES: dict[str, tuple[Callable[[Lines], Lines], int]] = {
    "changed client seed": (change_client_seed, 1),
    "chosen cards": (choose_cards, 1),
    "changed options": (change_options, 1),
    "changed start time": (change_start_time, 1),
    "truncated after step 4": (truncate_after_step_4, 5),
    "truncated after the first line": (truncate_after_the_first_line, 1),
    "changed step": (change_step, 0),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_log_of_an_open_session_is_not_resumed_and_pays_nothing(
    forgery: str, house: House
) -> None:
    path = killed(sit_until_staked(POKER, house))
    ledger, entry, whole = ledger_of(house), only_open(house), path.read_bytes()
    purse = ledger.balance(ME)
    make, line = FORGERIES[forgery]
    write(path, make(lines_of(path)))
    forged = path.read_bytes()
    assert forged != whole
    with pytest.raises(BadFile) as refused:
        resume(house, POKER.definition(), entry)
    if line == 1 and forgery == "changed options":  # nobody can sit down so at all
        assert str(path) in str(refused.value)
    else:
        assert "nothing is paid, and your money stays in the ledger until the original log" in str(
            refused.value
        )
        assert refused.value.line == (line or entry.checkpoint.steps + 1)
    found = review_open_sittings(house, HAVE)
    assert not found.waiting
    assert "cannot be resumed" in found.notes[0]
    assert "ledger settle" in found.notes[0]  # the way out, if the log never comes back
    assert (ledger.balance(ME), only_open(house), path.read_bytes()) == (purse, entry, forged)
    said = run(["verify", str(path)])
    assert said.code == (2 if forgery == "changed options" else 1), said
    path.write_bytes(whole)
    again = not_none(resume(house, POKER.definition(), entry))
    again.close()


def test_log_cut_back_and_replayed_differently_is_refused(house: House) -> None:
    """Whoever lost knows the cards: the log cut back to before, and gone on with as they are."""
    sitting = sit_until_staked(POKER, house)
    path, entry = killed(sitting), only_open(house)
    other = house_in(house.logs.parent / "other")
    played_otherwise = sit(POKER, other, 3)
    play_on(played_otherwise, 6)
    write(path, chained([lines_of(path)[0], *lines_of(killed(played_otherwise))[1:]]))
    with pytest.raises(BadFile, match="the ledger recorded"):
        resume(house, POKER.definition(), entry)
    assert only_open(house) == entry


def test_log_ended_by_hand_before_its_checkpoint_is_refused(house: House) -> None:
    """The machine's owner can end the log, but not at a round before the last one in the ledger."""
    path = killed(sit_until_staked(POKER, house))
    entry, lines = only_open(house), lines_of(path)
    assert entry.seed is not None
    end = {"end": {"why": "left", "money": [1000], "seed": entry.seed.hex()}, "at": 1, "prev": ""}
    write(path, chained([lines[0], end]))
    assert verdict_of(path).proof is ProofLevel.CONSISTENT
    assert (
        verdict_of(path, house).reason
        == f"it ends here, but the ledger recorded {entry.checkpoint.steps} steps"
    )
    with pytest.raises(BadFile, match="nothing is paid"):
        resume(house, POKER.definition(), entry)
    assert only_open(house) == entry


def test_log_cut_back_to_its_last_checkpoint_is_accepted(house: House) -> None:
    """As the page on formats says."""
    path = killed(sit_until_staked(POKER, house))
    entry, lines = only_open(house), lines_of(path)
    assert entry.checkpoint.steps < len(lines) - 1
    write(path, lines[: entry.checkpoint.steps + 1])
    assert resume(house, POKER.definition(), entry) is None, "nothing was at stake there"


def test_session_of_an_older_program_resumes_without_a_checkpoint(house: House) -> None:
    path = killed(sit_until_staked(POKER, house))
    ledger = instance_of(SqliteLedger, ledger_of(house))
    ledger._db.execute("update sitting set head = null, steps = 0, mark = null")
    write(path, change_start_time(lines_of(path)))
    again = not_none(resume(house, POKER.definition(), only_open(house)))
    play_round_out(again)
    assert only_open(house).checkpoint == LogCheckpoint(None, again.log.steps, again.log.hash)
    assert again.leave() is SittingEnding.CASHED_OUT
    assert run(["verify", str(path)]).out.endswith("the ledger confirms its last line\n")


# ---- what verify says of it ---------------------------------------------------------------------


def test_verify_reports_the_lines_covered_by_the_ledger(house: House, tmp_path: Path) -> None:
    sitting = sit(POKER, house, 3)
    path = sitting.log.path

    def coverage_text() -> str:
        out = output("verify", str(path)).out
        return out.rstrip().rsplit("; ", 1)[1]

    assert coverage_text() == "the ledger confirms its first line"
    play_on(sitting, 30)
    play_round_out(sitting)
    steps = sitting.log.steps
    assert coverage_text() == f"the ledger confirms its first line and step {steps}"
    sitting.leave()
    assert coverage_text() == "the ledger confirms its first line and its last line"
    (elsewhere := tmp_path / "elsewhere.jsonl").write_bytes(path.read_bytes())
    path = elsewhere
    assert coverage_text() == "the ledger confirms its first line and its last line"
    write(path, change_start_time(lines_of(path)))
    assert coverage_text() == "it has no ledger entry, like all free play"


def test_verify_detects_a_cut_copy_of_a_log_by_the_ledger(house: House, tmp_path: Path) -> None:
    path = killed(sit_until_staked(POKER, house))
    copy = write(tmp_path / "copy.jsonl", lines_of(path)[:4])
    out = output("verify", str(copy), code=1).out
    assert f"{copy}:4: step 3: it ends here, but the ledger recorded" in out


# ---- a ledger that is lost in mid-play ----------------------------------------------------------


def test_ledger_lost_during_play_is_reported_once_at_the_end_of_the_round(house: House) -> None:
    sitting = sit_until_staked(POKER, house)
    assert sitting.take_news() == []
    ledger_file().unlink()
    for _ in range(2):
        play_round_out(sitting)
        play_on(sitting, 20)
    play_round_out(sitting)
    (news,) = sitting.take_news()  # once
    assert "was deleted while in use" in news
    assert "tui-casino ledger rebuild" in news
    assert sitting.take_news() == []


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_leaving_without_a_ledger_raises_an_error_until_it_is_rebuilt(
    suffix: str, house: House
) -> None:
    """The log is ended, the seed revealed: it has all that the purse can be made from again."""
    sitting = sit_until_staked(POKER, house)
    play_round_out(sitting)
    file = ledger_file().with_name(ledger_file().name + suffix)
    file.unlink()
    for _ in range(2):
        with pytest.raises(LedgerLost):
            sitting.leave()
    assert sitting.ending is None
    sitting.close()
    end = not_none(read_log(sitting.log.path).end)
    assert end.seed == seed_of(3).hex()
    ledger_of(house).close()
    again = SqliteLedger(ledger_file())
    if suffix:  # the book itself is there: the next start pays by the log
        assert "was cashed out" in review_open_sittings(replace(house, ledger=again), HAVE).notes[0]
        assert again.balance(ME) == sitting.cents
    else:
        assert again.balance(ME) == OPENING_BALANCE
        (note,) = review_open_sittings(replace(house, ledger=again), HAVE).notes
        assert "tui-casino ledger rebuild" in note
        assert run(["ledger", "rebuild", "--yes"]).code == 0
        assert again.balance(ME) == sitting.cents
    again.close()


def test_leaving_with_a_bet_but_without_a_ledger_raises_an_error(house: House) -> None:
    sitting = sit_until_staked(POKER, house)
    ledger_file().unlink()
    with pytest.raises(LedgerLost):
        sitting.leave()
    assert sitting.ending is None
    assert read_log(sitting.log.path).end is None
    sitting.close()


def test_older_ledger_restored_during_play_is_detected(house: House) -> None:
    sitting = sit(POKER, house, 3)
    copy = ledger_file().with_name("copy.db")
    ledger = instance_of(SqliteLedger, ledger_of(house))
    ledger.copy_to(copy)
    play_on(sitting, 30)
    play_round_out(sitting)
    os.replace(copy, ledger_file())
    with pytest.raises(LedgerLost, match="was replaced"):
        sitting.leave()
    sitting.close()
    ledger.close()
    again = SqliteLedger(ledger_file())
    assert again.balance(ME) == 0, "as it was at the buy-in"
    again.close()


def test_console_reports_a_lost_ledger_and_claims_no_cash_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The ledger goes while somebody plays; the farewell says so, and what to do."""
    step = LogWriter.step

    def deletes(log: LogWriter, *args: Any) -> None:
        step(log, *args)
        if log.steps == 8:
            ledger_file().unlink()

    monkeypatch.setattr(LogWriter, "step", deletes)
    ran = run(["video-poker", "--console"], "b 5\nd\nh\nb 5\nd\nh\nq\n")
    assert ran.err.count("was deleted while in use") == 2
    assert "tui-casino ledger rebuild" in ran.err
    assert "you cash out" not in ran.err
    assert "your money stays at the table" in ran.err


def test_failed_ledger_checkpoint_is_reported_once(house: House) -> None:
    sitting = sit_until_staked(POKER, house)
    ledger_of(house).close()
    play_round_out(sitting)
    (news,) = sitting.take_news()
    assert "cannot be used" in news
    play_on(sitting, 20)
    play_round_out(sitting)
    assert sitting.take_news() == []
    with pytest.raises(LedgerError):
        sitting.leave()
    sitting.close()


def test_free_play_records_no_checkpoints(house: House, tmp_path: Path) -> None:
    practice = House(tmp_path / "logs", None, ME)
    sitting = sit(POKER, practice)
    assert sitting.binding is None
    play_on(sitting, 20)
    assert sitting.take_news() == []
    sitting.close()
