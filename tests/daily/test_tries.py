"""One try per day and game: resumed, never repeated, and counted only with an unchanged log."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.daily.play import (
    DAILY,
    DAY,
    ME,
    best,
    deal_of,
    house_in,
    logs_in,
    play,
    play_on,
    worst,
)
from tests.helpers.narrow import not_none
from tui_casino.daily import deal as deals
from tui_casino.daily import session as sessions
from tui_casino.daily.session import DailyTry, open_try, read_try
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.house.resumption import resume_from_log
from tui_casino.house.sitting import begin_sitting, branch_sitting
from tui_casino.house.unfinished_games import UnfinishedGames
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile
from tui_casino.records.log_header import encode_header
from tui_casino.records.session_log import TAKEN_BACK, LogWriter, SittingResult, line_hash, read_log
from tui_casino.structs import replace

ROOT = Path(__file__).parents[2]
SLUG = "video-poker"


def only_log(folder: Path) -> Path:
    (path,) = logs_in(folder)
    return path


# ---- one try -------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", DAILY)
def test_finished_daily_try_is_not_played_twice(slug: str, tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(slug)
    play(house, deal)
    before = only_log(tmp_path).read_bytes()
    assert read_try(house, deal).finished
    with pytest.raises(BadInput, match="you have played this daily deal"):
        open_try(house, deal)
    assert only_log(tmp_path).read_bytes() == before


@pytest.mark.parametrize("slug", DAILY)
def test_unfinished_daily_try_is_resumed(slug: str, tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(slug)
    play(house, deal, worst, 3)
    assert read_try(house, deal).unfinished
    assert read_try(house, deal).result() is None
    with open_try(house, deal) as session:
        assert session.resumed
        session.advance()
        assert session.describe()
        play_on(session, best)
    result = not_none(read_try(house, deal).result())
    assert all(result.marks[3:])
    whole = house_in(tmp_path / "whole")
    with open_try(whole, deal) as other:
        play_on(other, worst, 3)
        play_on(other, best)
    assert read_try(whole, deal).result() == result


def test_daily_try_is_resumed_after_a_kill_at_any_step(tmp_path: Path) -> None:
    """Cut the log after every line, and within the next one."""
    house, deal = house_in(tmp_path), deal_of(SLUG)
    play(house, deal)
    path = only_log(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    expected = read_try(house, deal).result()
    for count in range(0, len(lines), 7):
        for rest in (b"", lines[count][:9]):
            path.write_bytes(b"".join(lines[:count]) + rest)
            play(house, deal)
            assert read_try(house, deal).result() == expected


def test_each_player_has_a_separate_daily_try(tmp_path: Path) -> None:
    play(house_in(tmp_path), deal_of(SLUG))
    bob = house_in(tmp_path, player="bob\udcff")
    assert read_try(bob, deal_of(SLUG)).log is None
    ann = only_log(tmp_path)
    path = read_try(house_in(tmp_path, player="bob"), deal_of(SLUG)).path
    path.write_bytes(ann.read_bytes())
    assert (
        "does not begin your try" in read_try(house_in(tmp_path, player="bob"), deal_of(SLUG)).fault
    )


# ---- the clock -----------------------------------------------------------------------------------


def test_clock_set_back_shows_the_daily_result_of_that_day(tmp_path: Path) -> None:
    yesterday = DAY - timedelta(days=1)
    play(house_in(tmp_path, yesterday), deal_of(SLUG, yesterday), worst)
    play(house_in(tmp_path), deal_of(SLUG))
    back = house_in(tmp_path, yesterday)
    result = not_none(read_try(back, deal_of(SLUG, deals.day_of(back.clock()))).result())
    assert result.cost > 0
    with pytest.raises(BadInput, match="you have played"):
        open_try(back, deal_of(SLUG, yesterday))


def test_clock_set_forward_plays_the_daily_deal_of_that_day(tmp_path: Path) -> None:
    later = DAY + timedelta(days=400)
    play(house_in(tmp_path, later), deal_of(SLUG, later))
    play(house_in(tmp_path), deal_of(SLUG))
    assert len([*logs_in(tmp_path)]) == 2


def test_daily_try_continues_after_midnight(tmp_path: Path) -> None:
    house = house_in(tmp_path)
    with open_try(house, deal_of(SLUG)) as session:
        play_on(session, best, 4)
        session.sitting.log._clock = house_in(tmp_path, DAY + timedelta(days=1)).clock
        play_on(session, best)
    assert read_try(house, deal_of(SLUG)).finished
    assert read_try(house, deal_of(SLUG, DAY + timedelta(days=1))).log is None


# ---- two programs --------------------------------------------------------------------------------


def test_second_program_cannot_play_a_daily_try_in_play(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    with open_try(house, deal) as session:
        play_on(session, best, 2)
        with pytest.raises(BadInput, match="another program is playing"):
            open_try(house, deal)


def test_second_program_cannot_begin_the_same_daily_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one has read that there is no try, before the first one begins."""
    house, deal, real = house_in(tmp_path), deal_of(SLUG), sessions.read_try
    answers = [DailyTry(deal, real(house, deal).path)]
    with open_try(house, deal) as first:
        play_on(first, best, 1)
        before = only_log(tmp_path).read_bytes()
        monkeypatch.setattr(
            sessions, "read_try", lambda *it: answers.pop() if answers else real(*it)
        )
        with pytest.raises(BadInput, match="another program is playing"):
            open_try(house, deal)
        assert only_log(tmp_path).read_bytes() == before
        play_on(first, best)
    assert real(house, deal).finished


def program(home: Path, *arguments: str) -> subprocess.Popen[str]:
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(home)}
    words = [
        sys.executable,
        "-m",
        "tui_casino",
        "daily",
        *arguments,
        "--log-dir",
        str(home / "logs"),
    ]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        words, env=environ, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
    )


def test_only_one_of_two_processes_plays_a_daily_try(tmp_path: Path) -> None:
    holds = "h 1 2 3 4 5\nd\n" * 10
    both = [program(tmp_path, SLUG), program(tmp_path, SLUG)]
    for process in both:
        assert process.stdin is not None
        process.stdin.write(holds)
        process.stdin.flush()
    printed = [process.communicate(timeout=60) for process in both]
    assert len([*logs_in(tmp_path)]) == 1
    for process, (out, err) in zip(both, printed, strict=True):
        if process.returncode:
            refusals = "another program is playing this", "you have played this daily deal"
            assert any(one in err for one in refusals), err  # the other one may be over
        else:
            assert "10 choices" in out
    assert 0 in [process.returncode for process in both]
    assert (
        len([step for step in read_log(only_log(tmp_path)).steps() if step.do["is"] == "Hold"])
        == 10
    )


def test_killed_program_loses_no_choice_of_a_daily_try(tmp_path: Path) -> None:
    process = program(tmp_path, SLUG)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("h 1 2 3 4 5\nd\n")
    process.stdin.flush()
    asked = 0
    while asked < 2:
        asked += "Which cards do you hold?" in process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len([*logs_in(tmp_path)]) == 1
    again = program(tmp_path, SLUG)
    out, err = again.communicate("h 1 2 3 4 5\nd\n" * 9, timeout=60)
    assert again.returncode == 0, err
    assert "you resume your try" in err
    assert "of 10 choices were best" in out


def test_program_killed_while_beginning_a_daily_try_leaves_no_try(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    path = read_try(house, deal).path
    path.parent.mkdir(parents=True)
    for beginning in (b"", b'{"format":4,"ga'):
        path.write_bytes(beginning)
        assert read_try(house, deal).log is None
        play(house, deal, best, 1)
        assert read_try(house, deal).unfinished
        path.unlink()


def test_daily_log_that_another_program_is_beginning_is_not_removed(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    path = read_try(house, deal).path
    path.parent.mkdir(parents=True)
    writer = LogWriter(path, house.clock, new=True)
    with pytest.raises(BadInput, match="another program is playing"):
        open_try(house, deal)
    assert path.exists()
    writer.close()


# ---- changed logs --------------------------------------------------------------------------------


@pytest.mark.parametrize("finished", [True, False], ids=["finished", "unfinished"])
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"positions":[', b'"positions":[1,', "it was changed by hand near line"),
        (b'"card":"5S"', b'"card":"AS"', "it was changed by hand near line"),
        (b'"daily":"2026-11-28"', b'"daily":"2026-11-27"', "it was changed by hand near line 2"),
        (b'"daily":"2026-11-28"', b'"daily":"never"', "the day of its daily deal is 'never'"),
        (b',"daily":"2026-11-28"', b"", "it was changed by hand near line 2"),
        (b'"program":"', b'"program":"my ', "it was changed by hand near line 2"),
        (b'"is":"Bet","coins":5', b'"is":"Bet","coins":1', "it was changed by hand near line"),
        (b'{"format":4', b'{"format":400', "written by a newer program: format 400"),
        (b'"credit":1000', b'"credit":2000', "it was changed by hand near line 2"),
    ],
)
def test_daily_log_changed_by_hand_does_not_count(
    old: bytes, new: bytes, reason: str, finished: bool, tmp_path: Path
) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    play(house, deal, best, 1_000 if finished else 3)
    path = only_log(tmp_path)
    raw = path.read_bytes()
    assert old in raw
    path.write_bytes(raw.replace(old, new, 1))
    attempt = read_try(house, deal)
    assert attempt.fault.startswith(str(path))
    assert reason in attempt.fault
    assert attempt.fault.endswith("The try does not count, and there is no second one")
    assert not attempt.finished
    assert attempt.result() is None
    with pytest.raises(BadInput, match="does not count"):
        open_try(house, deal)


def chained(lines: list[bytes]) -> bytes:
    """Write lines again with correct hashes."""
    out = lines[:1]
    for line in lines[1:]:
        fields = json.loads(line)
        fields["prev"] = line_hash(out[-1])
        out.append(json.dumps(fields, separators=(",", ":")).encode())
    return b"".join(line + b"\n" for line in out)


def test_daily_log_ended_early_with_new_hashes_does_not_count(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    play(house, deal)
    path = only_log(tmp_path)
    lines = path.read_bytes().splitlines()
    rounds = [n for n, line in enumerate(lines) if b'"RoundPaid"' in line]
    end = json.loads(lines[-1])
    end["end"]["money"] = [json.loads(lines[rounds[6]])["ev"][-1]["credit"]]
    path.write_bytes(chained([*lines[: rounds[6] + 1], json.dumps(end).encode()]))
    assert "the deal is played differently" in read_try(house, deal).fault


def test_daily_log_with_a_choice_taken_back_does_not_count(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    play(house, deal, best, 3)
    log, _ = LogWriter.resume(only_log(tmp_path), house.clock)
    log.end(SittingResult(TAKEN_BACK, (985 + 5,), (deal.source.seed or b"").hex()))
    log.close()
    assert "The try does not count" in read_try(house, deal).fault


def test_daily_log_with_a_different_bet_and_new_hashes_does_not_count(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    setup, other = deal.setup, house_in(tmp_path / "other")
    with begin_sitting(
        other, deal.game, setup.options, setup.croupier, deal.source, setup.players, daily=DAY
    ) as sitting:
        for line in ("b 1", "d", "h"):
            sitting.dialogue.answer(line)
    house.logs.mkdir()
    sitting.log.path.rename(read_try(house, deal).path)
    assert (
        "line 3 was changed by hand: the deal is played differently" in read_try(house, deal).fault
    )


def test_daily_try_of_another_program_version_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    with monkeypatch.context() as other:
        other.setattr(deals, "LABEL", "tui-casino daily 0")
        play(house, deal)
        assert read_try(house, deal).finished
    assert "begun with another version" in read_try(house, deal).fault
    with pytest.raises(BadInput, match="another version"):
        open_try(house, deal)


def test_daily_log_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    path = read_try(house, deal).path
    path.mkdir(parents=True)
    assert read_try(house, deal).fault == f"{path}: cannot be read: Is a directory"
    with pytest.raises(BadInput, match="cannot be read"):
        open_try(house, deal)


def test_file_in_place_of_the_daily_folder_is_reported(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    house.logs.write_text("a file")
    assert read_try(house, deal).log is None
    with pytest.raises(BadInput, match="logs is a file, not a folder; choose a folder"):
        open_try(house, deal)


# ---- the rest of the program ---------------------------------------------------------------------


def test_daily_try_is_resumed_only_by_the_daily_command(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of("cribbage")
    play(house, deal, best, 3)
    path = only_log(tmp_path)
    with pytest.raises(BadFile, match="tui-casino daily cribbage resumes"):
        resume_from_log(house, deal.game, path)
    games = dict.fromkeys(DEFINITIONS, deal.game)
    assert UnfinishedGames().find(house, games) == ()


def test_branch_of_a_daily_log_does_not_count_as_a_try(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(SLUG)
    play(house, deal)
    path = only_log(tmp_path)
    with branch_sitting(house, deal.game, path, 20) as branch:
        assert branch.log.header.daily is None
    assert read_try(house, deal).finished


def test_daily_try_has_no_trainer_and_no_undo(tmp_path: Path) -> None:
    for slug in DAILY:
        with open_try(house_in(tmp_path), deal_of(slug)) as session:
            session.advance()
            assert session.reply("a") == ["a: there is no advice before the end of a daily deal"]
            assert not session.sitting.may_undo
            assert session.sitting.house.player == ME


def test_log_header_has_a_daily_key_only_for_a_daily_deal(tmp_path: Path) -> None:
    house = house_in(tmp_path)
    play(house, deal_of(SLUG))
    header = read_log(only_log(tmp_path)).header
    assert b'"daily"' in encode_header(header)
    assert b'"daily"' not in encode_header(replace(header, daily=None))
