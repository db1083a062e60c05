"""The daily deal in the menu of screen-reader mode."""

from __future__ import annotations

from pathlib import Path

from tests.daily.play import DAILY, deal_of, house_in, play, worst
from tests.daily.server import Server
from tui_casino.daily.session import read_try
from tui_casino.screen_reader.daily import daily_entry
from tui_casino.screen_reader.records import records_entry
from tui_casino.screen_reader.voice import Voice
from tui_casino.structs import replace


def entered(folder: Path, *typed: str) -> str:
    said: list[str] = []
    daily_entry(lambda: house_in(folder), lambda: True).enter(Voice(typed, said.append))
    return "\n".join(said)


def test_daily_try_in_screen_reader_mode_is_resumed_and_finished(tmp_path: Path) -> None:
    said = entered(tmp_path, "1", "h 1", "q", "b")
    assert "1. Video poker: not played" in said
    assert "Your try is kept: this menu resumes it" in said
    said = entered(tmp_path, "1", *["h 1", "d"] * 8, "h 1", "b", "b")
    assert "1. Video poker: unfinished" in said
    assert "You resume your try of today's deal" in said
    assert "Your choices cost" in said
    assert "Your run is 1 day." in said
    assert read_try(house_in(tmp_path), deal_of("video-poker")).finished
    assert "there is one try per game and day" in entered(tmp_path, "1", "b", "b")


def test_nothing_is_dealt_in_screen_reader_mode_before_the_player_asks_for_it(
    tmp_path: Path,
) -> None:
    said = entered(tmp_path, "1", "h 1", "h 2", "3", "where", "q", "b")
    assert said.count("Which cards do you hold?") == 1
    assert said.count("no cards are dealt. Deal the next round?") == 2
    for n, answer in enumerate(("d", "", "yes", "Next")):
        said = entered(tmp_path / str(n), "1", "h 1", answer, "q", "b")
        assert said.count("Which cards do you hold?") == 2


def test_daily_in_screen_reader_mode_says_the_round_the_place_and_each_choice(
    tmp_path: Path,
) -> None:
    said = entered(tmp_path, "1", "where", *["h 1", "d"] * 9, "h 1", "b", "b").split("\n")
    for number in range(1, 11):
        assert said.count(f"Round {number} of 10.") == 1 + (number == 1)
    where = said.index("Daily deal 327, Video poker.")
    assert said[where + 1] == "Round 1 of 10."
    assert said[where + 2 :][:3][-1] == "Which cards do you hold?"
    result = read_try(house_in(tmp_path), deal_of("video-poker")).result()
    assert result is not None
    listed = [line for line in said if line.startswith("You held ")]
    assert len(listed) == 5, "the first rows of the list"
    assert f"Type more for {result.choices - 5} more." in said
    mistakes = [one for one in result.decisions[:5] if one.mistake]
    assert sum("; best: held " in line for line in listed) == len(mistakes) > 0


def test_finished_daily_in_screen_reader_mode_offers_share_replay_and_practice(
    tmp_path: Path,
) -> None:
    rooms = ("more", "share", "replay", "id", "m", "b", "practise", "q", "b", "b")
    said = entered(tmp_path, "1", *["h 1", "d"] * 9, "h 1", *rooms)
    begin = said.index("Your result:")
    assert said[:begin].count("\nYou held ") == 5
    assert "You held " in said[begin:], "more continues the list of the choices"
    assert "TUI Casino daily 327 - video poker" in said
    assert "ID: 20261128-000000-video-poker-" in said
    assert "Video poker, a mistake of yours, 10 waiting" in said
    assert said.endswith("Daily deal 327. Type a number, or help for the list.")


def test_history_in_screen_reader_mode_marks_the_daily_deals_of_all_games(tmp_path: Path) -> None:
    house = house_in(tmp_path)
    for slug in DAILY:
        play(house, deal_of(slug), worst)
    said: list[str] = []
    records_entry(lambda: house).enter(Voice(["b"], said.append))
    rows = [line for line in said if line[0].isdigit()]
    assert len(rows) == len(DAILY)
    assert all(", daily deal" in row for row in rows), rows


def test_menu_in_screen_reader_mode_lists_the_daily_deal_if_there_is_one(tmp_path: Path) -> None:
    house = house_in(tmp_path)
    assert daily_entry(lambda: house, lambda: True).is_listed()
    assert not daily_entry(lambda: house, lambda: False).is_listed()
    assert not daily_entry(lambda: replace(house, remote=True), lambda: True).is_listed()
    assert not daily_entry(lambda: replace(house, clock=lambda: 0), lambda: True).is_listed()


def test_daily_boards_are_printed_one_by_one_in_screen_reader_mode(tmp_path: Path) -> None:
    said: list[str] = []
    house = replace(house_in(tmp_path), remote=True, daily=Server())
    typed = iter(["boards", "today", "longest", "b", "b"])
    daily_entry(lambda: house, lambda: True).enter(Voice(typed, said.append))
    assert "5. Boards: everybody's results" in said
    at = said.index("Video poker:")
    assert said[at + 1 : at + 3] == [
        "1 [b]王小明: today cost 0 bets, 10 of 10 best",
        "2 Ann: cost 0.12 bets, 9 of 10 best (you)",
    ]
    assert "1 [b]王小明: runs cost 0 bets, 10 of 10 best" in said
    assert "Baccarat:" not in said
