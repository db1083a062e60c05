"""The same figure of a played session is the same text on all pages and in all commands."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.daily.play import DAILY, deal_of, house_in, logs_in, play, worst
from tests.golden.write import copy_as_own, golden
from tests.helpers.command_runner import output
from tests.helpers.narrow import not_none
from tests.helpers.quick_cases import by_game
from tests.screen_reader.transcripts import visited
from tui_casino.daily.result_text import headline
from tui_casino.daily.session import read_try
from tui_casino.gamekit.registry import DEFINITIONS, TITLES, GameListing
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.session_statistics import compute_statistics
from tui_casino.records.summaries import ReviewedLog, review_logs
from tui_casino.screen_reader.table_session import summary_sentences
from tui_casino.teacher.session_report import statistics_rows
from tui_casino.tui.history.log_list import COLUMNS, LogRow
from tui_casino.tui.history.statistics_screen import statistics_lines
from tui_casino.tui.history.summary_screen import NAME, summary_lines


def reviewed_in(folder: Path) -> ReviewedLog:
    found = list_logs(folder, DEFINITIONS, {})
    (reviewed,) = review_logs(found, DEFINITIONS, Cache(None), choices=True)
    return reviewed


def rows_of(lines: Iterable[str]) -> dict[str, str]:
    """Return the text after each name, which at least two blanks separate from it."""
    parts = (re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines)
    return {part[0]: part[1] for part in parts if len(part) == 2}


def amount(text: str) -> str:
    """Return the first number of a text, with the signs of a terminal."""
    return not_none(re.search(r"[+-]?[\d,]+(?:\.\d+)?", text.replace("−", "-")))[0]


@by_game
def test_figures_of_a_session_agree_between_pages_and_commands(
    listing: GameListing, tmp_path: Path
) -> None:
    definition = listing.definition()
    shutil.copy(golden(listing).log, tmp_path / "session.jsonl")
    reviewed = reviewed_in(tmp_path)
    summary = not_none(reviewed.summary)
    card = rows_of(summary_lines(listing, reviewed, weighed=True))
    columns = {one.heading: one for one in COLUMNS}
    log_row = LogRow(reviewed.entry, summary=summary)
    history = {name: one.say(log_row, 0)[0] for name, one in columns.items()}
    figures = compute_statistics([reviewed], DEFINITIONS).practice.overall
    page = rows_of(statistics_lines(figures, 0))
    where = ("--log-dir", str(tmp_path))
    stats = output("stats", *where).out
    header, row, *_ = (re.split(r" +", line.strip()) for line in stats.splitlines())
    command = dict(zip(header[2:], row[1:], strict=True))
    told = json.loads(output("mistakes", *where, "--json").out)

    assert card["rounds"] == history["rounds"] == page["rounds"] == command["rounds"]
    if definition.points:
        assert card["score"].partition(",")[0].replace(" ", "") == history["result"]
        assert f"points ahead: {amount(page['points ahead'])} " in stats
    else:
        assert card["net"] == history["result"] == page["net"]
        assert amount(page["net"]) == command["net"]
        assert page["return"] == command["return"]
        assert page["wagered"] == command["wagered"]
        assert page["won"] == command["won"]
    if summary.luck is not None:
        assert amount(card["deviation"]) == amount(history["dev."])
        assert amount(page["deviation"]) == command["dev."]
        assert abs(float(command["dev."]) - float(amount(card["deviation"]))) <= 0.055, (
            "one decimal"
        )
    name = "your play" if definition.adviser.has_judge else "house edge"
    assert (name in card) == (name in page) == (f"{name.capitalize()}: " in stats)
    assert name in card or not history["your play"].strip("–")
    if name in card:
        assert amount(card[name]) == amount(page[name]) == amount(history["your play"])
        assert f"{name.capitalize()}: {amount(card[name])}" in stats
    if not definition.adviser.has_judge:
        assert not told
        assert "mistakes" not in page
        assert history["mistakes"] == "–"
        return
    count, cost = (amount(part) for part in card["mistakes"].split(",", 1))
    assert count == history["mistakes"] == amount(page["mistakes"]) == f"{len(told)}"
    units = sum(one["cost"] for one in told) * (1 if definition.points else definition.game.unit)
    assert cost == history["cost"] == f"{units / (1 if definition.points else 100):.2f}"
    assert f"mistakes: {count}, total cost {cost}" in stats
    assert amount(page["mistakes"].removeprefix(count)) == cost


@by_game
def test_figures_that_the_screen_shows_of_a_session_are_also_said(
    listing: GameListing, tmp_path: Path
) -> None:
    log = tmp_path / "session.jsonl"
    shutil.copy(golden(listing).log, log)
    reviewed = reviewed_in(tmp_path)
    shown = [*summary_lines(listing, reviewed, weighed=True)]
    said = [*summary_sentences(listing.definition(), log, Cache(None))]
    keyed = [line for line in shown if re.match(r"  [abc]  ", line)]
    rows = [
        (line[:NAME].strip(), line[NAME:]) for line in shown if line[NAME:] and line not in keyed
    ]
    assert [f"{name[0].upper()}{name[1:]}: {text}." for name, text in rows] == [
        line for line in said if not line.startswith(("Cost ", "The costliest"))
    ]
    costs = [re.findall(r"[\d,]+\.\d+", line)[0] for line in keyed]
    assert costs == [
        re.findall(r"[\d,]+\.\d+", line)[0] for line in said if line.startswith("Cost ")
    ]
    figures = compute_statistics([reviewed], DEFINITIONS).practice.overall
    told = [row.sentence for row in statistics_rows(figures, 0, TITLES) if not row.is_heading]
    page = rows_of(statistics_lines(figures, 0))
    assert len(told) == len(page)
    for (name, text), sentence in zip(page.items(), told, strict=True):
        assert sentence.replace(",", "") == (
            f"{name[0].upper()}{name[1:]}: {re.sub(r' {2,}', ' ', text)}.".replace(",", "")
        )


@by_game
def test_figures_of_a_session_in_the_history_are_also_said(
    listing: GameListing, tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    copy_as_own(listing, tmp_path / "logs" / "session.jsonl")
    typed = ("history", "1", "summary", *["more"] * 4, "id", "b", "b", "q")
    said = "\n".join(visited(typed, tmp_path))
    reviewed = reviewed_in(tmp_path / "logs")
    row = LogRow(reviewed.entry, summary=reviewed.summary)
    history = {one.heading: one.say(row, 0)[0] for one in COLUMNS}
    assert listing.title in said
    assert f"Rounds: {history['rounds']}." in said
    assert "ID: session" in said
    for name in ("result", "mistakes", "cost", "dev.", "your play"):
        for part in re.findall(r"\d[\d,.]*\d|\d", history[name]):
            figure = re.escape(part.removesuffix(".00"))  # which are not said
            assert re.search(rf"(?<!\d){figure}(?!\d)", said), (name, part)


@pytest.mark.parametrize("slug", DAILY)
def test_figures_of_a_daily_deal_agree_with_the_history(slug: str, tmp_path: Path) -> None:
    house, deal = house_in(tmp_path), deal_of(slug)
    play(house, deal, worst)
    result = not_none(read_try(house, deal).result())
    reviewed = reviewed_in(next(logs_in(tmp_path)).parent)
    row = LogRow(reviewed.entry, summary=reviewed.summary)
    history = {one.heading: one.say(row, 0)[0] for one in COLUMNS}
    best, cost = headline(result)
    assert f"{result.choices - result.best}" == history["mistakes"]
    assert best == f"{result.best} of {result.choices} best"
    assert cost.endswith(f"{history['cost']} {deal.game.unit_name}")
    shown = {f"{deal.game.format_cost(one)}" for one in result.decisions if one.mistake}
    assert shown == {deal.game.format_cost(one) for one in reviewed.mistakes}
