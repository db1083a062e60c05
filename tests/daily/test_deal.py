"""The deal of a day: the same everywhere, different by day and game."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.contract import toy
from tests.daily.play import DAILY, DAY, deal_of, house_in, logs_in, noon, play, worst
from tui_casino.cards.card import PACK
from tui_casino.daily.deal import FIRST_DAY, DayDeal, day_of, deals_of
from tui_casino.daily.session import open_try, read_try
from tui_casino.engine.croupier import shuffle_pack
from tui_casino.engine.game import Seat
from tui_casino.gamekit.definition import DailyDeal
from tui_casino.gamekit.registry import DEFINITIONS, GAMES
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.inputs.errors import BadInput
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.structs import replace

ROOT = Path(__file__).parents[2]


def test_every_game_except_baccarat_has_a_daily_deal() -> None:
    deals = deals_of(DAY, DEFINITIONS)
    assert [deal.slug for deal in deals] == DAILY
    assert {*DAILY} == {game.slug for game in GAMES} - {"baccarat"}
    with pytest.raises(BadInput, match="baccarat has no daily deal"):
        DayDeal(DAY, DEFINITIONS["baccarat"])


def test_daily_seed_is_the_hash_of_label_game_and_day() -> None:
    seed = hashlib.sha256(b"tui-casino daily 1|video-poker|2026-11-28").digest()
    deal = deal_of("video-poker")
    assert deal.source.seed == seed
    assert deal.spec.value == hashlib.sha256(seed).hexdigest()
    assert deal.spec.value == "8ab7474d4a7e33997ab1c00b390da274fd051d2ee0dc6a78d40f0df19be67599"


def test_daily_number_counts_days_from_the_first_day() -> None:
    assert date(2026, 1, 5) == FIRST_DAY
    assert deal_of("cribbage", FIRST_DAY).number == 0
    assert deal_of("cribbage").number == 327


def test_daily_day_begins_at_midnight_utc_and_a_clock_in_1970_is_refused() -> None:
    midnight = noon(DAY) - 12 * 3_600_000
    assert day_of(midnight) == DAY
    assert day_of(midnight - 1) == DAY - timedelta(days=1)
    with pytest.raises(BadInput, match="the clock says 1970-01-01"):
        day_of(0)


def test_daily_deals_differ_by_day_and_game() -> None:
    days = [DAY + timedelta(days=n) for n in range(50)]
    values = {deal.spec.value for day in days for deal in deals_of(day, DEFINITIONS)}
    assert len(values) == len(days) * len(DAILY)


@pytest.mark.parametrize("slug", DAILY)
def test_two_players_with_separate_homes_get_the_same_daily_cards(
    slug: str, tmp_path: Path
) -> None:
    cards = []
    for home in ("a", "b"):
        play(house_in(tmp_path / home), deal_of(slug))
        (path,) = logs_in(tmp_path / home)
        lines = [json.loads(line) for line in path.read_bytes().splitlines()[1:-1]]
        cards.append([line["do"].get("card") for line in lines])
    assert cards[0] == cards[1]


def test_first_daily_hand_follows_from_the_documented_shuffle(tmp_path: Path) -> None:
    deal = deal_of("video-poker")
    play(house_in(tmp_path), deal)
    (path,) = logs_in(tmp_path)
    dealt = [step.do["card"] for step in read_log(path).steps() if step.do["is"] == "Deal"]
    shoe = shuffle_pack(PACK, deal.source.dice("shoe 1"))
    assert dealt[:5] == [str(card) for card in shoe[:5]]


@pytest.mark.parametrize("slug", DAILY)
def test_log_of_a_daily_try_can_be_verified_like_any_other(slug: str, tmp_path: Path) -> None:
    play(house_in(tmp_path), deal_of(slug))
    (path,) = logs_in(tmp_path)
    log = read_log(path)
    assert (log.header.daily, log.header.format) == ("2026-11-28", 4)
    assert log.end is not None
    assert verify_log(DEFINITIONS[slug], log).proof is ProofLevel.CONSISTENT
    check = [sys.executable, str(ROOT / "docs" / "check.py"), str(path)]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("slug", DAILY)
def test_stacks_of_the_daily_draw_deal_last_for_all_rounds(slug: str, tmp_path: Path) -> None:
    """Even the worst play leaves enough credit for every round."""
    house, deal = house_in(tmp_path), deal_of(slug)
    play(house, deal, worst)
    (path,) = logs_in(tmp_path)
    log = read_log(path)
    assert log.end is not None
    assert log.end.why == "left"


def test_added_game_gets_a_daily_deal_by_declaring_it(tmp_path: Path) -> None:
    players = {Seat(0): None, Seat(1): "keeper"}
    daily = DailyDeal(lambda: TableSetup(toy.game.Options(), players=players), 3, toy.game.Ante())
    house, deal = house_in(tmp_path), DayDeal(DAY, replace(toy.DEFINITION, daily=daily))
    with open_try(house, deal) as session:
        session.advance()
        while not session.over:
            assert session.reply("k") == []
            session.begin_next()
            session.advance()
        session.finish()
    result = read_try(house, deal).result()
    assert result is not None
    assert result.choices == 3
