"""The tries that the pictures of the daily deal show."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tui_casino.daily.deal import deals_of
from tui_casino.daily.session import read_try
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.records.log_catalog import list_logs

SCREENSHOTS = Path(__file__).parents[2] / "screenshots"


def test_pictured_tries_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCREENSHOTS)
    samples = importlib.import_module("sample_daily")
    monkeypatch.setattr(samples, "DAYS", 1)
    samples.play_daily_samples(tmp_path / "daily")
    house = samples.daily_house(tmp_path / "daily")
    deals = deals_of(samples.TODAY, DEFINITIONS, house.daily)
    listed = list_logs(house.logs, {}, {})
    assert {entry.shown_status for entry in listed} == {"daily deal"}
    assert {entry.daily for entry in listed} == {samples.TODAY.isoformat()}
    mistakes = {}
    for deal in deals:
        if (result := read_try(house, deal).result()) is not None:
            mistakes[deal.slug] = result.marks.count(False)
    assert mistakes == {slug: len(wrong) for slug, wrong in samples.MISTAKES.items()}
