"""``logs``, ``stats``, ``replay --states``: what they print, refuse, remove and write."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.golden.write import golden
from tests.helpers.command_runner import Output, output
from tests.helpers.parameter_ids import value_id
from tui_casino.engine.game import Seat
from tui_casino.engine.money import dollars
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing, listing_of
from tui_casino.games.five_card_draw.machine.state import Phase
from tui_casino.house.paths import cache_file, ledger_file, log_folder
from tui_casino.house.sitting import PRACTICE
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.numbers import parse_age, parse_date, parse_size
from tui_casino.records.codec import decode
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.replay import replay_log
from tui_casino.records.session_log import read_log

Patch = pytest.MonkeyPatch


def play(*arguments: str, typed: str) -> None:
    output("video-poker", "--console", *arguments, typed=typed)


def stats(folder: Path, *arguments: str, code: int = 0) -> Output:
    return output("stats", "--log-dir", str(folder), *arguments, code=code)


def prune(folder: Path, *arguments: str, typed: str | None = None, code: int = 0) -> Output:
    return output("logs", str(folder), "--prune", *arguments, typed=typed, code=code)


def test_logs_and_stats_print_hit_me_and_cashed_out_as_the_screen_does(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    """Hit Me has its shown name, and a session that was left for the balance is cashed out."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    output("hit-me", "--console", typed="b 20\nn\ns\nq\n")
    for command in ("logs", "stats"):
        out = output(command).out
        assert " hit-me " in f" {out}".replace("\n", " ")
        assert "thirty-one  " not in out
        assert command == "stats" or "cashed out" in out


THREE = [game for game in GAMES if game.slug in ("baccarat", "five-card-draw", "video-poker")]
ROUND = "b 5\nd\nh 1\nq\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three golden sittings, at the beginning of 2026."""
    logs = tmp_path / "golden"
    logs.mkdir()
    for listing in THREE:
        shutil.copy(golden(listing).log, logs / f"{listing.slug}.jsonl")
    return logs


def test_logs_lists_each_session_with_its_ending() -> None:
    play(typed=ROUND)
    play("--seed", "1", typed=ROUND)
    play(typed="b 1\nd\n")
    out, err = output("logs")
    assert not err
    head, *lines, last = out.splitlines()
    assert head.split()[:3] == ["began", "(UTC)", "game"]
    assert [line.split()[5] for line in lines] == ["waiting", "left", "cashed"]
    assert last.startswith("3 logs, ")


def test_logs_as_json_describe_each_session_and_can_be_limited_to_a_game(folder: Path) -> None:
    (line,) = output("logs", str(folder), "--json", "--game", "baccarat").out.splitlines()
    told = json.loads(line)
    assert told["log"] == str(folder / "baccarat.jsonl")
    assert (told["game"], told["ending"], told["player"]) == ("baccarat", "left", None)
    log = read_log(folder / "baccarat.jsonl")
    assert log.end is not None
    assert told["result"] == log.end.money[0] - PRACTICE
    assert (told["steps"], told["began"]) == (len(log.lines), 1_767_225_600_000)


def test_damaged_logs_are_listed_with_the_reason(folder: Path) -> None:
    (folder / "new.jsonl").write_text('{"format":9}\n')
    (folder / "bi\x1bn.jsonl").write_bytes(b"\0\1\2\n")
    out = output("logs", str(folder)).out
    assert "damaged: written by a newer program: format 9, this one reads 1 to 5" in out
    assert "damaged: not the first line of a log" in out
    assert "\x1b" not in out


def test_logs_lists_nothing_for_an_empty_folder_and_refuses_a_missing_one(tmp_path: Path) -> None:
    assert output("logs").out == "0 logs, 0 B\n"
    assert "there is no such folder" in output("logs", str(tmp_path / "none"), code=2).err


@pytest.mark.parametrize("damage", ["nonsense", "newer"])
def test_unreadable_ledger_allows_logs_but_refuses_prune_and_stats(damage: str) -> None:
    play(typed="b 1\nd\n")
    if damage == "nonsense":
        ledger_file().write_text("no database at all, this is only a text\n" * 99)
        why = "cannot be used"
    else:
        with sqlite3.connect(ledger_file()) as db:
            db.execute("pragma user_version = 99")
        why = "written by a newer program (version 99, this one knows 2)"
    out, err = output("logs")
    assert why in err
    assert "cut off" in out
    assert why in output("logs", "--prune", "--larger-than", "0KB", "--yes", code=2).err
    assert why in output("stats", code=2).err
    assert len(list(log_folder(None, os.environ).iterdir())) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--prune"], "--prune needs --older-than AGE or --larger-than SIZE"),
        (["--older-than", "1d"], "need --prune"),
        (["--yes"], "need --prune"),
        (["--prune", "--older-than", "90"], "--older-than: '90' cannot be used; give hours, days"),
        (["--prune", "--larger-than", "5XB"], "--larger-than: '5XB' cannot be used; give bytes"),
        (["--game", "whist"], "--game: 'whist' is not one of "),
        (["--prune", "--older-than", "1d", "--larger-than", "1KB"], "cannot be combined with"),
    ],
    ids=value_id,
)
def test_logs_command_refuses_invalid_options_with_a_reason(
    arguments: list[str], said: str
) -> None:
    assert said in output("logs", *arguments, code=2).err


def test_pruning_removes_logs_only_after_the_answer_y(folder: Path) -> None:
    for answer in ("", "n\n", "what\n"):
        # with exit code 2, a script notices that nothing was removed
        out, err = prune(folder, "--older-than", "0d", typed=answer, code=2)
        assert "baccarat.jsonl" in out
        assert re.match(r"permanently remove 3 logs, \d+ KB\? \[y/N\] ", err)
        assert "nothing was removed" in err
        assert len(list(folder.iterdir())) == 3
    err = prune(folder, "--older-than", "0d", "--game", "baccarat", typed="y\n").err
    assert "removed: 1 log, " in err
    assert not (folder / "baccarat.jsonl").exists()
    assert len(list(folder.iterdir())) == 2


def test_pruning_by_age_removes_older_logs(folder: Path, monkeypatch: Patch) -> None:
    later = 1_767_225_600_000 + 10 * 86_400_000
    monkeypatch.setattr(time, "time_ns", lambda: later * 1_000_000)
    assert "there is nothing to remove" in prune(folder, "--older-than", "11d", "--yes").err
    prune(folder, "--older-than", "9d", "--yes")
    assert list(folder.iterdir()) == []


def test_pruning_by_size_takes_the_oldest(folder: Path) -> None:
    for number, listing in enumerate(THREE):
        path = folder / f"{listing.slug}.jsonl"
        raw = path.read_bytes()
        path.write_bytes(raw.replace(b'"at":1767225600000', b'"at":176722560000%d' % number, 1))
    most = sum(path.stat().st_size for path in folder.iterdir()) // 1000  # a little too few
    prune(folder, "--larger-than", f"{most}KB", "--yes")
    assert {path.stem for path in folder.iterdir()} == {game.slug for game in THREE[1:]}


def test_open_session_is_never_pruned() -> None:
    play(typed=ROUND)
    play(typed="b 1\nd\n")
    assert "removed: 1 log" in output("logs", "--prune", "--larger-than", "0KB", "--yes").err
    assert len(list(log_folder(None, os.environ).iterdir())) == 1
    play(typed="h\nq\n")  # it goes on
    assert " cashed out " in output("logs").out


@pytest.mark.parametrize("which", [("--older-than", "0d"), ("--larger-than", "0KB")])
def test_log_damaged_in_the_middle_is_never_offered_for_removal(
    folder: Path, which: tuple[str, str]
) -> None:
    path = folder / "baccarat.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], *lines[2:]]))
    out, err = prune(folder, *which, "--yes")
    assert "baccarat.jsonl" not in out
    assert f"{path} stays, because it is damaged: line 4: " in err
    assert "removed: 2 logs, " in err
    assert [*folder.iterdir()] == [path]


def test_log_that_cannot_be_removed_is_reported(folder: Path, monkeypatch: Patch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr("tui_casino.records.prune.os.unlink", refuse)
    err = prune(folder, "--older-than", "0d", "--yes").err
    assert err.count("was not removed: it cannot be removed: Permission denied") == 3
    assert "removed: 0 logs" in err


# ---- stats -----------------------------------------------------------------------------------


@pytest.fixture
def local_zone() -> Iterator[Callable[[str], None]]:
    """Return a function that sets the local time zone until the end of the test."""

    def use(zone: str) -> None:
        os.environ["TZ"] = zone
        time.tzset()

    before = os.environ.get("TZ")
    yield use
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


def test_statistics_separate_money_from_free_play() -> None:
    play(typed=ROUND)
    play("--player", "bob", typed=ROUND * 2)
    play("--seed", "1", typed=ROUND)
    told = json.loads(output("stats", "--json").out)
    assert told["money"]["overall"]["sittings"] == 2
    assert told["practice"]["overall"]["sittings"] == 1
    assert told["money"]["games"]["video-poker"]["tally"]["wagered"] == 10
    assert told["money"]["overall"]["wagered"] == 1000
    told = json.loads(output("stats", "--json", "--player", "bob").out)
    assert told["money"]["overall"]["sittings"] == 1
    assert told["practice"]["overall"]["sittings"] == 0
    path = cache_file()
    assert path is not None
    assert path.exists()


def test_statistics_are_printed_as_a_table(folder: Path) -> None:
    out, err = stats(folder)
    assert not err
    lines = out.splitlines()
    assert lines[0].startswith("Free play")
    assert [line.split()[0] for line in lines[1:5]] == [
        "baccarat",
        "five-card-draw",
        "video-poker",
        "overall",
    ]
    results = {entry.path.stem: entry.result or 0 for entry in list_logs(folder, DEFINITIONS, {})}
    best = max(results, key=lambda name: results[name])
    sign = "+" if results[best] > 0 else ""
    assert f"best session {sign}{dollars(results[best])} in {best}" in lines
    assert [line for line in lines if line.startswith("mistakes: ")]
    assert all(len(line) <= 110 for line in lines)
    assert not re.search(r"\b1 (rounds|sessions)\b", out), "one of them is singular"
    assert "overall" not in stats(folder, "--game", "five-card-draw").out


def test_statistics_have_a_column_for_each_period(
    tmp_path: Path, local_zone: Callable[[str], None]
) -> None:
    """A game for points has no sums of money, and a column for each period."""
    local_zone("UTC")
    listing = listing_of("cribbage")
    for day in (1, 2):
        shutil.copy(golden(listing).log, tmp_path / f"{day}.jsonl")
    lines = stats(tmp_path).out.splitlines()
    assert [line for line in lines if line.startswith("points ahead: ")]
    assert not [line for line in lines if line.startswith("best session")]
    at = lines.index("cribbage:")
    assert lines[at + 1].split() == ["period", "from", "01-01", "01-01"]
    names = ["rounds", "points ahead", "average hand", "average crib", "average pegged"]
    assert [line[:17].strip() for line in lines[at + 2 : at + 8]] == [*names, "cost/round"]
    games = json.loads(stats(tmp_path, "--json").out)["practice"]["games"]
    eras = games["cribbage"]["eras"]
    assert list(eras) == ["1", "2"]
    assert [f"{era['average']['hand']:.2f}" for era in eras.values()] == lines[at + 4].split()[2:]


def test_statistics_can_begin_at_a_day(folder: Path, local_zone: Callable[[str], None]) -> None:
    local_zone("UTC")
    for day, sittings in (("2026-01-01", 3), ("2026-01-02", 0)):
        told = json.loads(stats(folder, "--since", day, "--json").out)
        assert told["practice"]["overall"]["sittings"] == sittings
    since = stats(folder, "--since", "2026-01-02").out
    assert since == "no finished sessions since 2026-01-02\n"


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", "2026-01-01"), ("Pacific/Auckland", "2026-01-02"), ("America/New_York", "2025-12-31")],
)
def test_statistics_begin_with_the_local_day(
    zone: str, day: str, folder: Path, local_zone: Callable[[str], None]
) -> None:
    """In Auckland (UTC+13), noon is on the next day; in New York, midnight on the previous one."""
    midnight = 1_767_225_600_000
    began = midnight + (12 * 3_600_000 if zone == "Pacific/Auckland" else 0)
    for path in folder.iterdir():
        raw = path.read_bytes()
        path.write_bytes(raw.replace(b'"at":1767225600000', b'"at":%d' % began, 1))
    local_zone(zone)
    after = date.fromisoformat(day) + timedelta(days=1)
    for since, sittings in ((day, 3), (after.isoformat(), 0)):
        told = json.loads(stats(folder, "--since", since, "--json").out)
        assert told["practice"]["overall"]["sittings"] == sittings


def test_empty_results_name_the_filters(folder: Path) -> None:
    which = ("--log-dir", str(folder), "--player", "bob", "--game", "hit-me")
    for command in ("mistakes", "leaks"):
        out = output(command, *which).out
        assert out == "no mistakes in finished sessions at hit-me of bob\n"
    assert output("mistakes", *which, "--kind", "x").out.endswith(", of a kind that contains 'x'\n")
    since = output("stats", *which, "--since", "2026-01-01").out
    assert since == "no finished sessions at hit-me of bob since 2026-01-01\n"
    empty = folder / "empty"
    empty.mkdir()
    assert output("stats", "--log-dir", str(empty)).out == "no finished sessions yet\n"


def test_statistics_name_damaged_logs(folder: Path) -> None:
    (folder / "new.jsonl").write_text('{"format":9}\n')
    out, err = stats(folder)
    assert f"{folder / 'new.jsonl'}: written by a newer program" in err
    assert "not counted, damaged: 1" in out


def test_statistics_are_exported_to_a_file(folder: Path, tmp_path: Path) -> None:
    for ending in ("csv", "json"):
        path = tmp_path / f"out.{ending}"
        assert not stats(folder, "--export", str(path)).out
    told = json.loads((tmp_path / "out.json").read_text())
    rows = dict(csv.reader((tmp_path / "out.csv").read_text().splitlines()))
    assert rows["practice.overall.won"] == str(told["practice"]["overall"]["won"])


def test_exports_with_a_plain_file_name_are_written_into_the_working_folder(
    folder: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    stats(folder, "--export", "out.csv")
    deals = ["video-poker", "-s", "100", "5", "10", "--seed", "1"]
    output(*deals, "--export", "deals.json")
    output("thirty-one", "--battle", "10", "--seed", "1", "--export", "battle.csv")
    for name in ("out.csv", "deals.json", "battle.csv"):
        assert (tmp_path / name).stat().st_size > 100


@pytest.mark.parametrize(
    "command",
    [("video-poker", "-s", "100", "5", "1000000000"), ("hit-me", "--battle", "1000000000")],
)
def test_export_into_a_missing_folder_is_refused_before_the_simulation(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    path = str(tmp_path / "none" / "out.csv")
    err = output(*command, "--seed", "1", "--export", path, code=2).err
    assert f"{path}: cannot be written: No such file or directory" in err


def test_deleted_working_folder_stops_only_exports_to_relative_paths(
    folder: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    stats(folder, "--export", str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").exists()
    play(typed=ROUND)
    err = stats(folder, "--export", "out.csv", code=2).err
    assert "out.csv: cannot be written: No such file or directory" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--since", "yesterday"], "--since: 'yesterday' is not a day; give one like 2026-01-31"),
        (["--since", "2026-02-30"], "is not a day"),
        (["--export", "out.txt"], "the name of an export must end in .csv or .json"),
        (["--log-dir", "/none"], "there is no such folder"),
        (["--game", "whist"], "--game: 'whist' is not one of "),
    ],
    ids=value_id,
)
def test_stats_command_refuses_invalid_options_with_a_reason(
    arguments: list[str], said: str
) -> None:
    assert said in output("stats", *arguments, code=2).err


def test_option_values_for_age_size_and_date_are_parsed_or_refused() -> None:
    assert (parse_age("", "36h"), parse_age("", "90d"), parse_age("", "2w")) == (
        129_600_000,
        7_776_000_000,
        1_209_600_000,
    )
    assert (parse_size("", "800KB"), parse_size("", "500MB"), parse_size("", "2GB")) == (
        800_000,
        5 * 10**8,
        2 * 10**9,
    )
    assert parse_date("", "2026-01-01") == 1_767_225_600_000
    for text in ("0001-01-01", "9999-12-31"):  # there may be no local time
        with contextlib.suppress(BadInput):
            parse_date("", text, None)
    for parse, text in (
        (parse_age, "-1d"),
        (parse_size, "1.5GB"),
        (parse_size, "9" * 30 + "GB"),
        (parse_date, "1/2/2026"),
    ):
        with pytest.raises(BadInput):
            parse("--x", text)


# ---- replay --states -------------------------------------------------------------------------


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_replay_with_states_option_shows_what_the_watched_seat_sees(
    listing: GameListing, tmp_path: Path
) -> None:
    """Line by line as in the log; the human's cards are open, wherever he sits."""
    game, path = listing.definition().game, tmp_path / "log.jsonl"
    first, *rest = golden(listing).log.read_text().splitlines()
    header = json.loads(first)
    (_, *others), (me, *nobody) = header["players"], header["who"]
    for seat in range(len(others) + 1):
        header["players"] = [*others[:seat], "human", *others[seat:]]
        header["who"] = [*nobody[:seat], me, *nobody[seat:]]
        path.write_text("\n".join([json.dumps(header, separators=(",", ":")), *rest, ""]))
        out, err = output("replay", str(path), "--states")
        assert not err
        lines = out.splitlines()
        assert out.isascii()
        views = [game.view(played.state, Seat(seat)) for played in replay_log(game, read_log(path))]
        assert [decode(line.encode(), type(views[0])) for line in lines] == views
        assert any("??" in line for line in lines) == bool(others)


def test_replay_prints_states_up_to_a_step_that_breaks_the_rules(folder: Path) -> None:
    path = folder / "video-poker.jsonl"
    lines = output("replay", str(path), "--states").out.splitlines()
    path.write_bytes(path.read_bytes().replace(b'"coins":3', b'"coins":6', 1))
    out, err = output("replay", str(path), "--states", code=1)
    assert f"{path}:3: the rules refuse this step" in err
    assert out.splitlines() == lines[:1]


def test_replay_accepts_only_one_output_form(folder: Path) -> None:
    replayed = ("replay", str(folder / "baccarat.jsonl"), "--states", "--json")
    assert "cannot be combined with" in output(*replayed, code=2).err


# ---- replay of what can still be gone on with ----------------------------------------------------


def test_replay_of_an_unfinished_hand_hides_the_cards_of_opponents(folder: Path) -> None:
    """Who leaves a hand, reads its log and goes on has seen what he could see at the table."""
    path = folder / "five-card-draw.jsonl"
    steps = replay_log(
        next(one for one in THREE if one.slug in path.name).definition().game, read_log(path)
    )
    step = next(one for one in steps if one.state.phase is Phase.DRAW)
    told = output("replay", str(path), "--text").out
    mine, *others = [[str(card) for card in hand] for hand in step.state.hands]
    assert all(card in told for hand in (mine, *others) for card in hand)

    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join((*lines[: step.line.n + 1], b"")))
    told, cut = output("replay", str(path), "--text")
    assert "not ended" in cut
    assert all(card in told for card in mine)
    assert not any(card in told for hand in others for card in hand)


def test_tables_become_lines_with_headings_for_a_screen_reader(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = {name: output("odds", name).out for name in ("video-poker", "hit-me", "cribbage")}
    as_json = output("odds", "hit-me", "--json").out
    monkeypatch.setenv("TUI_CASINO_SCREEN_READER", "1")
    spoken = {name: output("odds", name).out for name in plain}
    assert "\nPerfect play returns 1.001725 of each bet\n" in spoken["video-poker"]
    assert "\nTWO PAIR, pays: 5, perfect count: 2,484,844,034,580, " in spoken["video-poker"]
    assert "\nhard 14, 2: S, 3: S, 4: S, " in spoken["hit-me"]
    assert "\nno side action: -0.075339\n" in spoken["hit-me"]
    assert "\nPoints 29, hands: 4, chance: 0.000031%, cribs: 4, " in spoken["cribbage"]
    for name, text in spoken.items():
        assert "  " not in text, name
        figures = re.findall(r"\d[\d,.]*\d", plain[name])
        assert {one for one in figures if len(one) < 12} <= set(re.findall(r"\d[\d,.]*\d", text))
    assert ", sessions: " in stats(folder).out
    assert ", length: " in output("logs", str(folder)).out
    assert output("odds", "hit-me", "--json").out == as_json
    monkeypatch.setenv("TUI_CASINO_SCREEN_READER", "0")
    assert output("odds", "hit-me").out == plain["hit-me"]
