"""The command ``tui-casino daily``."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.daily.play import DAILY, DAY, best, deal_of, house_in, noon, play, worst
from tests.helpers.command_runner import Output, output
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import value_id
from tui_casino import cli
from tui_casino.cli import daily
from tui_casino.cli.house_setup import open_house
from tui_casino.daily.deal import day_before
from tui_casino.daily.session import NO_ADVICE, read_try
from tui_casino.gamekit.unaided import unaided
from tui_casino.records.session_log import LogWriteError, LogWriter
from tui_casino.structs import replace

HOLDS = "d\n".join(["h 1 2 3 4 5\n"] * 10)
MARKS = "TUI Casino daily 327 · video poker\n"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*arguments: Any, **options: Any) -> Any:
        return replace(open_house(*arguments, **options), clock=lambda: noon(DAY))

    monkeypatch.setattr(daily, "open_house", opened)


def run(tmp_path: Path, *arguments: str, typed: str = "", code: int = 0) -> Output:
    place = ("--log-dir", str(tmp_path / "logs"), "--player", "ann")
    return output("daily", *arguments, *place, typed=typed, code=code)


def test_daily_list_shows_each_game_as_unplayed_unfinished_or_with_result(tmp_path: Path) -> None:
    house = house_in(tmp_path)
    play(house, deal_of("cribbage"))
    play(house, deal_of("thirty-one"), best, 1)
    lines = run(tmp_path).out.splitlines()
    assert lines[0] == "TUI Casino daily 327 · 2026-11-28 (UTC)"
    assert lines[1:4] == [
        "  video-poker     not played",
        "  five-card-draw  not played",
        "  hit-me          unfinished",
    ]
    assert lines[4].startswith("  cribbage        8 of 8 best, cost 0.00 points")
    assert lines[5] == "run 1 day"
    assert "follows from the date" in lines[6]


def test_daily_try_on_the_console_ends_with_its_cost_and_plays_only_once(tmp_path: Path) -> None:
    out, err = run(tmp_path, "video-poker", typed=HOLDS)
    assert err.count("nobody can be kept from looking ahead") == 1
    assert out.count("Which cards do you hold?") == 10
    played, _, end = out.partition("\n\n")
    assert "cost" not in played
    verdict, _, end = end.partition("\n\n")
    result = not_none(read_try(house_in(tmp_path), deal_of("video-poker")).result())
    assert end.startswith(f"{MARKS}{'□' * 10}  0 of 10 best · cost 6.59 bets · run 1 day\n")
    assert f"Your choices cost {result.cost_text}, which is 6.59 bets; 0 of 10 choices" in verdict
    assert "tui-casino replay --advice" in end
    again, err = run(tmp_path, "video-poker", "--console", typed=HOLDS)
    assert again == out[out.index("Your choices cost") :]
    assert "you have played this deal" in err


def test_ascii_option_prints_the_daily_result_in_ascii(tmp_path: Path) -> None:
    out = run(tmp_path, "video-poker", "--ascii", typed=HOLDS).out
    assert out.isascii()
    assert "..........  0 of 10 best - cost 6.59 bets - run 1 day" in out


@pytest.mark.parametrize("slug", DAILY)
def test_daily_try_left_with_q_is_resumed_later(slug: str, tmp_path: Path) -> None:
    out, err = run(tmp_path, slug, typed="?\na\nnonsense\nq\n")
    assert "there is no advice" in out
    assert "nonsense" in out
    assert "you can resume your try until the day ends" in out
    assert "your try is kept" in err
    out, err = run(tmp_path, slug)
    assert "you resume your try" in err
    assert out
    play(house_in(tmp_path), deal_of(slug))
    assert json.loads(run(tmp_path, slug, "--json").out)["cost"] == 0


def test_daily_hold_is_accepted_as_words_or_short_command(tmp_path: Path) -> None:
    typed = "hold 1 and 2\nd\nh12\nh 1 2\n\nHOLD 1\n"
    assert run(tmp_path, "video-poker", typed=typed).out.count("Your final hand") == 3


@pytest.mark.parametrize("slug", DAILY)
def test_daily_json_describes_a_game_before_and_after_its_try(slug: str, tmp_path: Path) -> None:
    deal = deal_of(slug)
    printed = json.loads(run(tmp_path, slug, "--json").out)
    assert printed == {
        "day": "2026-11-28",
        "game": slug,
        "choices": None,
        "cost": None,
        "best": None,
        "unit": None,
        "deal": deal.spec.value,
    }
    count = play(house_in(tmp_path), deal, worst)
    played = json.loads(run(tmp_path, slug, "--json").out)
    assert [*played] == [*printed]
    result = not_none(read_try(house_in(tmp_path), deal).result())
    assert played["cost"] == pytest.approx(result.cost_in_units, abs=1e-6)
    assert (played["choices"], played["best"]) == (count, result.best)
    units = {"thirty-one": "dollars", "cribbage": "points"}
    assert played["unit"] == units.get(slug, "credits"), "scripts read these words"
    assert played["deal"] == printed["deal"]


def test_daily_json_without_a_game_lists_all_deals(tmp_path: Path) -> None:
    lines = run(tmp_path, "--json").out.splitlines()
    assert [json.loads(line)["game"] for line in lines] == DAILY


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["baccarat"], "baccarat has no choices, so it has no daily deal; choose video-poker"),
        (["whist"], "GAME: 'whist' is not one of video-poker"),
        (["video-poker", "--seed", "3"], "--seed: 3: the table and the shuffle"),
        (["--word", "x"], "leave out --word"),
        (["--buy-in", "50"], "leave out --buy-in"),
    ],
    ids=value_id,
)
def test_daily_command_refuses_bad_arguments(
    arguments: list[str], error: str, tmp_path: Path
) -> None:
    assert error in run(tmp_path, *arguments, code=2).err


def test_daily_command_reports_a_log_changed_by_hand(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of("video-poker")
    play(house, deal)
    path = read_try(house, deal).path
    path.write_bytes(path.read_bytes().replace(b'"card":"5S"', b'"card":"AS"', 1))
    for arguments in (["video-poker"], ["video-poker", "--json"]):
        out, err = run(tmp_path, *arguments, typed=HOLDS, code=2)
        assert not out
        assert f"{path}: it was changed by hand near line " in err
        assert "The try does not count, and there is no second one" in err
    out, err = run(tmp_path, "--json")
    assert json.loads(out.splitlines()[0])["cost"] is None
    assert "was changed by hand" in err
    out = run(tmp_path).out
    assert "was changed by hand" in out
    assert "run 0 days" in out


def test_daily_try_continues_after_a_full_disk_without_loss(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real, failures = LogWriter.step, [5]

    def step(self: LogWriter, *arguments: Any) -> None:
        failures[0] += 1
        if failures[0] % 20 == 0:
            raise LogWriteError(28, "No space left on device")
        real(self, *arguments)

    monkeypatch.setattr(LogWriter, "step", step)
    typed = HOLDS.replace("\n", "\n\n")
    out, err = run(tmp_path, "video-poker", typed=typed)
    assert "No space left on device; nothing is lost" in err
    assert "10 choices" in out


def test_daily_command_refuses_a_clock_in_1970(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def opened(*arguments: Any, **options: Any) -> Any:
        return replace(open_house(*arguments, **options), clock=lambda: 0)

    monkeypatch.setattr(daily, "open_house", opened)
    assert "the clock says 1970-01-01" in run(tmp_path, code=2).err


def test_daily_log_gives_advice_and_mistakes_only_after_its_end(tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of("video-poker")
    play(house, deal, worst, 4)
    path = str(read_try(house, deal).path)
    assert (
        "no advice before the end of a daily deal" in output("replay", "--advice", path, code=2).err
    )
    play(house, deal, worst)
    output("replay", "--advice", path)
    mistakes = json.loads(output("mistakes", "--json", "--log-dir", str(tmp_path / "logs")).out)
    result = not_none(read_try(house, deal).result())
    assert sum(one["cost"] for one in mistakes) == pytest.approx(float(result.cost))


def test_daily_result_of_yesterday_is_not_shown_for_today(tmp_path: Path) -> None:
    yesterday = day_before(DAY)
    play(house_in(tmp_path, yesterday), deal_of("cribbage", yesterday))
    assert json.loads(run(tmp_path, "cribbage", "--json").out)["best"] is None
    assert "run 1 day" in run(tmp_path).out


@pytest.mark.parametrize(
    ("options", "screen"),
    [("", True), ("video-poker", True), ("--console", False), ("--json", False)],
    ids=["no options", "a game", "--console", "--json"],
)
def test_daily_opens_the_screen_on_a_terminal_unless_console_is_requested(
    options: str, screen: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []

    def open_arcade(args: Any, loaded: Any, *, daily: str) -> int:
        opened.append(daily)
        return 0

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(daily, "open_arcade", open_arcade)
    monkeypatch.setenv("TERM", "xterm")
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, Terminal())
    place = ("--log-dir", str(tmp_path / "logs"), "--player", "ann")
    assert cli.main(["daily", *options.split(), *place]) == 0
    assert opened == ([options] if screen else [])
    monkeypatch.setenv("TERM", "dumb")
    assert cli.main(["daily", *place]) == 0
    assert cli.main(["daily", "--screen-reader", *place]) == 0
    assert cli.main(["daily", "baccarat", *place]) == 2
    assert len(opened) == screen


@pytest.mark.parametrize("slug", DAILY)
def test_help_during_a_daily_try_lists_no_advice_commands(slug: str) -> None:
    """The questions that a try does not answer have a line of their own in the game's help."""
    deal = deal_of(slug)
    view = deal.game.game.start(deal.setup.options)
    shown = unaided(deal.game, NO_ADVICE).words.help(view)
    whole = deal.game.words.help(view)
    if (tips := deal.game.words.tips) is not None:
        assert tips.search(whole)
        assert not tips.search(shown)
        whole = tips.sub("", whole)
    left_out = [line for line in whole.splitlines() if line not in shown.splitlines()]
    commands = [line.split()[0] for line in left_out if not line.startswith(" " * 5)]
    assert deal.game.words.advice
    assert {*commands} == {*deal.game.words.advice}
