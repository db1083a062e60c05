"""The result of a try: its cost, the run of days, and the text to share."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from tests.daily.play import DAILY, DAY, best, deal_of, house_in, logs_in, play, worst
from tui_casino.daily.result_text import share_text
from tui_casino.daily.session import DailyResult, read_try, run_length, run_on
from tui_casino.engine.game import Deal, Seat, Shoe
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.records.log_header import HUMAN
from tui_casino.records.replay import log_options, replay_log
from tui_casino.records.session_log import read_log


def cost_in(path: Path, slug: str) -> Fraction:
    """Add up what the judge of the game says about every action of the human."""
    definition, log, total = DEFINITIONS[slug], read_log(path), Fraction(0)
    game, judge = definition.game, definition.adviser.judge
    assert judge is not None
    seat = Seat(log.header.players.index(HUMAN))
    before = game.start(log_options(game, log))
    for step in replay_log(game, log):
        if step.line.by == seat and not isinstance(step.action, Shoe | Deal):
            mistake = judge(game.view(before, seat), seat, step.action)
            total += mistake.cost if mistake else 0
        before = step.state
    return total


@pytest.mark.parametrize("slug", DAILY)
def test_daily_try_with_perfect_play_costs_nothing(slug: str, tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(slug)
    count = play(house, deal, best)
    result = read_try(house, deal).result()
    assert result is not None
    assert (result.best, result.choices) == (count, count)
    assert not result.cost


@pytest.mark.parametrize("slug", DAILY)
def test_cost_of_a_daily_try_is_the_sum_of_its_mistakes(slug: str, tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(slug)
    count = play(house, deal, worst)
    result = read_try(house, deal).result()
    (path,) = logs_in(tmp_path)
    assert result is not None
    assert result.choices == count
    assert result.cost == cost_in(path, slug) > 0
    assert result.best < count
    stake = deal.daily.stake
    assert result.bets == (result.cost / stake if stake else None)


def result_with(slug: str, marks: str, cost: Fraction) -> DailyResult:
    return DailyResult(deal_of(slug), tuple(mark == "#" for mark in marks), cost)


def test_daily_text_to_share_names_no_cards() -> None:
    result = result_with("video-poker", "####.#####", Fraction(6, 10))
    assert share_text(result, 14) == (
        "TUI Casino daily 327 · video poker\n"
        "■■■■□■■■■■  9 of 10 best · cost 0.12 bets · run 14 days"
    )
    assert share_text(result, 1, plain=True) == (
        "TUI Casino daily 327 - video poker\n####.#####  9 of 10 best - cost 0.12 bets - run 1 day"
    )


def test_daily_text_to_share_has_several_rows_for_many_choices() -> None:
    result = result_with("thirty-one", "#" * 41, Fraction(1))
    assert share_text(result, 2).splitlines() == [
        "TUI Casino daily 327 · Hit Me",
        "■" * 20,
        "■" * 20,
        "■  41 of 41 best · cost less than 0.01 bets · run 2 days",
    ]


def test_daily_cribbage_result_is_in_points_instead_of_bets() -> None:
    result = result_with("cribbage", "#.", Fraction(5, 4))
    assert share_text(result, 0).endswith("■□  1 of 2 best · cost 1.25 points · run 0 days")


@pytest.mark.parametrize(
    ("days", "length"),
    [
        ("", 0),
        ("#", 1),
        ("####", 4),
        ("#.###", 4),
        ("#..##", 2),
        ("##.#####.#", 4 + 2),
        ("##.######.#", 9),
        ("#.#.#", 2),
    ],
)
def test_one_missed_day_in_seven_does_not_break_a_daily_run(days: str, length: int) -> None:
    played = {DAY - timedelta(days=n) for n, mark in enumerate(reversed(days)) if mark == "#"}
    assert run_length(played.__contains__, DAY) == length


def test_run_of_daily_days_is_computed_from_the_logs(tmp_path: Path) -> None:
    days = [DAY - timedelta(days=n) for n in (0, 1, 3, 4, 8)]
    for number, day in enumerate(days):
        slug = DAILY[number % 2 * 3]
        play(house_in(tmp_path, day), deal_of(slug, day))
    house = house_in(tmp_path)
    assert run_on(house, DEFINITIONS, DAY) == 4
    assert run_on(house, DEFINITIONS, DAY + timedelta(days=1)) == 4, "today can still be played"
    assert run_on(house, DEFINITIONS, DAY - timedelta(days=8)) == 1
    assert run_on(house, DEFINITIONS, date(2026, 1, 5)) == 0
    assert run_on(house_in(tmp_path, player="bob"), DEFINITIONS, DAY) == 0
    log = next(path for path in logs_in(tmp_path) if path.name.startswith("20261124"))
    log.write_bytes(log.read_bytes().replace(b'"prev":"', b'"prev":"0', 1))
    assert run_on(house, DEFINITIONS, DAY) == 3
