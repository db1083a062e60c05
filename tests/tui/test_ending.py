"""What a sitting came to, told as it is left for the menu."""

from __future__ import annotations

from pathlib import Path

from tests.golden.write import golden
from tests.tui.houses import (
    arcade,
    lines,
    opened,
    practice,
    press,
    shuffles,
    text,
    until,
    with_purse,
)
from tui_casino.gamekit.registry import GAMES
from tui_casino.records.cache import Cache
from tui_casino.records.folds import Folded, fold_all
from tui_casino.records.shelf import entry
from tui_casino.tui.desk import TOLD
from tui_casino.tui.menu import Menu
from tui_casino.tui.records.ending import SittingEnd, dearest, told
from tui_casino.tui.records.own import games
from tui_casino.tui.records.replay import ReplayTable

LISTED = {game.slug: game for game in GAMES}


def folded(slug: str, *, slips: bool) -> Folded:
    found = entry(golden(LISTED[slug]).log, games(), {})
    (one,) = fold_all([found], games(), Cache(None), slips=slips)
    return one


def rows(slug: str, *, slips: bool = True) -> dict[str, str]:
    said = told(LISTED[slug], folded(slug, slips=slips), slips)
    return {line[:24].strip(): line[24:] for line in said if line[:1].isalpha()}


def test_it_tells_rounds_net_luck_mistakes_and_accuracy() -> None:
    one = folded("video-poker", slips=True)
    assert one.fold is not None
    found = rows("video-poker")
    assert found["rounds"].startswith(f"{one.fold.rounds}")
    assert found["net"].startswith("−" if one.fold.net < 0 else "+")
    assert "standard deviations" in found["luck"]
    assert found["mistakes"].startswith(f"{len(one.slips)}, costing ")
    choices = sum(one.spots.values())
    assert choices == one.fold.rounds, "a hold a round; bets and deals are no choices"
    assert found["accuracy"] == f"{1 - len(one.slips) / choices:.1%} of {choices} choices"
    assert rows("video-poker", slips=False)["mistakes"] == "being weighed …"


def test_the_dearest_come_first_and_have_keys() -> None:
    one = folded("video-poker", slips=True)
    best = dearest(one.slips)
    assert [slip.units for slip in best] == sorted((s.units for s in one.slips), reverse=True)[:3]
    said = [line for line in told(LISTED["video-poker"], one, True) if line.startswith("  ")]
    assert [line[2] for line in said] == ["a", "b", "c"]
    assert all(", best " in line for line in said)


def test_cribbage_is_held_against_par() -> None:
    """Points given away are the cost of all mistakes, parted; a game for points has no luck."""
    one = folded("cribbage", slips=True)
    found = rows("cribbage")
    assert one.fold is not None
    assert one.fold.score is not None
    assert found["score"].startswith(f"{one.fold.score[0]} : {one.fold.score[1]}, ")
    assert found["average hand"].endswith("par 8.1")
    assert found["average crib"].endswith("par 4.7")
    lost = [float(found[f"given away in {where}"].split()[0]) for where in ("discards", "the play")]
    assert round(sum(lost), 1) == round(float(sum(slip.units for slip in one.slips)), 1)
    assert "net" not in found
    assert "given away in discards" not in rows("cribbage", slips=False)


def test_a_game_without_a_judge_tells_no_mistakes() -> None:
    assert not {"mistakes", "accuracy"} & rows("baccarat").keys()


async def test_who_leaves_is_told_and_goes_on_with_any_key(tmp_path: Path) -> None:
    async with opened(arcade(with_purse(tmp_path), fresh=shuffles(1))) as pilot:
        await press(pilot, "1", *("space", "1", "space") * TOLD, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SittingEnd))
        await until(pilot, lambda: "accuracy" in text(pilot.app))
        await press(pilot, "a")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable))
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Menu)
        await press(pilot, "r")
        assert "RECORDS" in lines(pilot.app)[0]


async def test_a_key_of_the_menu_is_heard_and_few_rounds_are_not_told_of(tmp_path: Path) -> None:
    async with opened(arcade(practice(tmp_path), fresh=shuffles(1, 2))) as pilot:
        await press(pilot, "1", *("space", "1", "space") * (TOLD - 1), "escape")
        assert isinstance(pilot.app.screen, Menu)
        await press(pilot, "1", *("space", "1", "space") * TOLD, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SittingEnd))
        await press(pilot, "r")
        await until(pilot, lambda: "RECORDS" in lines(pilot.app)[0])
