"""Practice on the screen: from the menu to a position, to the verdict, and on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.golden.write import copy_as_own
from tests.helpers.arcade_pilot import (
    arcade,
    lines,
    notes,
    practice,
    press,
    press_until,
    resize,
    run_app,
    text,
    text_after,
    type_line,
    until,
)
from tests.helpers.parameter_ids import size_id
from tui_casino.gamekit.action_grammar import format_command
from tui_casino.gamekit.adviser import MistakeKind
from tui_casino.gamekit.registry import GAMES, listing_of
from tui_casino.house.house import House
from tui_casino.structs import replace
from tui_casino.teacher.mistake_queue import AnswerFile
from tui_casino.teacher.practice_tasks import CardsRequest, DrillRequest, MistakeRequest
from tui_casino.tui.draw.canvas import Canvas
from tui_casino.tui.draw.choice_list import BEFORE, NOW, ChoiceList, ChoiceRow
from tui_casino.tui.draw.look import Look
from tui_casino.tui.history.summary_screen import SummaryWindow
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import TextPage
from tui_casino.tui.positions.position_screen import PositionScreen
from tui_casino.tui.positions.verdict_screen import (
    VerdictContent,
    VerdictPage,
    VerdictScreen,
)
from tui_casino.tui.practice.screen import PracticeScreen, PracticeTopic, TopicList
from tui_casino.tui.replay.screen import ReplayTable
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.theme import FELT

JUDGED = [game.slug for game in GAMES if game.slug != "baccarat"]


def house_of(folder: Path, *slugs: str) -> House:
    """Give a house in which these games have been played, and answers are kept."""
    house = practice(folder)
    house.logs.mkdir(parents=True)
    for slug in slugs:
        listing = listing_of(slug)
        copy_as_own(listing, house.logs / f"{slug}.jsonl")
    return House(
        house.logs, None, house.player, clock=house.clock, folder=folder, answers=folder / "a.jsonl"
    )


def on(pilot: Pilot[None], kind: type[Any]) -> Any:
    assert isinstance(pilot.app.screen, kind), pilot.app.screen
    return pilot.app.screen


async def come(pilot: Pilot[None], kind: type[Any]) -> Any:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    return pilot.app.screen


async def test_m_in_the_session_summary_practises_mistakes_of_that_session(tmp_path: Path) -> None:
    house = house_of(tmp_path, "video-poker", "cribbage")
    listing = listing_of("video-poker")
    log = house.logs / "video-poker.jsonl"
    async with run_app(arcade(house)) as pilot:
        pilot.app.screen._show_end(listing, log, None)  # type: ignore[attr-defined]
        await come(pilot, SummaryWindow)
        await until(pilot, lambda: "m: practise, a" in text(pilot.app))
        await press(pilot, "m")
        await come(pilot, PositionScreen)
        room = next(one for one in pilot.app.screen_stack if isinstance(one, PracticeScreen))
        mistakes = room.tasks.pending(MistakeRequest("video-poker", log=log.name))
        assert {one.mistake.log.name for one in mistakes} == {log.name}
        assert not room.tasks.pending(MistakeRequest("cribbage", log=log.name))


@pytest.mark.parametrize("games", [["video-poker"], ["video-poker", "cribbage"]], ids=len)
async def test_practice_says_how_mistakes_of_several_games_are_ordered(
    games: list[str], tmp_path: Path
) -> None:
    async with run_app(arcade(house_of(tmp_path, *games))) as pilot:
        await press(pilot, "m")
        room = await come(pilot, PracticeScreen)
        await until(pilot, lambda: not room.reading)
        title = lines(pilot.app)[0]
        assert "all games" in title
        assert ("ordered by × strong play" in title) == (len(games) > 1)


async def test_practice_asks_a_mistake_again_before_its_verdict(tmp_path: Path) -> None:
    house = house_of(tmp_path, "video-poker")
    async with run_app(arcade(house)) as pilot:
        assert "m  Your mistakes" in text(pilot.app)
        await press(pilot, "m")
        room = await come(pilot, PracticeScreen)
        await until(pilot, lambda: not room.reading)
        assert "All of them" in text(pilot.app)
        mistake = room.queue.pending()[0].mistake
        count = len(room.queue.pending())
        assert f"Practise {count}" in lines(pilot.app)[-2]

        await press(pilot, "space")
        table = await come(pilot, PositionScreen)
        shown = text(pilot.app)
        assert "Which cards do you hold?" in shown
        assert not any(words in shown for words in ("LAST HANDS", "CREDIT", "LAST ROUND", "hits"))
        assert "worth" not in shown.lower()
        assert str(mistake.kind) not in shown
        assert not table.view.trains
        await press(pilot, "a")
        assert "no advice before you choose" in lines(pilot.app)[-2]
        await press(pilot, "z", "space")
        assert "there is no such command" in lines(pilot.app)[-2]
        await press(pilot, "enter", "enter")
        assert table.is_current
        assert not table.view.selection
        hand = [str(card) for card in table.at.view.hand]
        for card in mistake.best.split()[1:]:
            await press(pilot, str(hand.index(card) + 1))
        await press(pilot, "space")
        verdict = await come(pilot, VerdictScreen)
        shown = text(pilot.app)
        assert "Right: you held" in shown
        assert "Last time you held" in shown
        assert "RIGHT ONCE: IT COMES BACK ANOTHER DAY" in shown
        assert verdict.posed_task.mistake == mistake
        (stored,) = AnswerFile(tmp_path / "a.jsonl", house.player).all()
        assert (stored.right, stored.log, stored.step) == (True, mistake.log.name, mistake.step)

        await press(pilot, "u")  # choosing again does not count
        await come(pilot, PositionScreen)
        await type_line(pilot, "h")
        await come(pilot, VerdictScreen)
        assert "You held nothing; that cost " in text(pilot.app)
        assert len(AnswerFile(tmp_path / "a.jsonl", house.player).all()) == 1

        await press(pilot, "space")
        following = await come(pilot, PositionScreen)
        assert following.at.view != table.at.view
        await press_until(pilot, lambda: pilot.app.screen not in (following, room), "pagedown")
        await come(pilot, PositionScreen)
        await press(pilot, "escape")
        assert on(pilot, PracticeScreen) is room
        assert "right 1 of 1" in lines(pilot.app)[0]
        await press(pilot, "escape")
        on(pilot, Menu)


@pytest.mark.prove
async def test_g_at_a_practice_verdict_opens_the_replay_before_the_mistake(tmp_path: Path) -> None:
    async with run_app(arcade(house_of(tmp_path, "cribbage"), practice=MistakeRequest())) as pilot:
        await come(pilot, PositionScreen)
        await press(pilot, "1", "2", "space")
        verdict = await come(pilot, VerdictScreen)
        await press(pilot, "down", "up", "f1", "escape", "g")
        replay = await come(pilot, ReplayTable)
        await until(pilot, lambda: replay.step == verdict.posed_task.mistake.step - 1)
        await press(pilot, "escape")
        assert on(pilot, VerdictScreen) is verdict
        await press(pilot, "u")
        await come(pilot, PositionScreen)
        await press(pilot, "escape")
        on(pilot, PracticeScreen)


@pytest.mark.parametrize(
    ("slug", "size"),
    [
        ("video-poker", (80, 24)),
        *(
            pytest.param(*drill, marks=pytest.mark.prove)
            for drill in (
                *((slug, (80, 24)) for slug in JUDGED if slug != "video-poker"),
                ("thirty-one", (60, 20)),
                ("cribbage", (132, 43)),
                ("video-poker", (200, 60)),
            )
        ),
    ],
    ids=size_id,
)
async def test_drills_of_every_game_give_verdicts_at_every_window_size(
    slug: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """One chooses with the game's own words, and any alternative gets its verdict."""
    async with run_app(arcade(house_of(tmp_path), practice=DrillRequest(slug)), *size) as pilot:
        for place in (0, -1):
            await until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen))
            table = on(pilot, PositionScreen)
            at = table.at
            assert "?" in table.view.message.content, "the table asks in words"
            rows = at.definition.adviser.action_values(at.view, at.seat)
            row = rows[place]
            await type_line(pilot, f":{format_command(row.action, at.definition.words.verbs)}")
            await come(pilot, VerdictScreen)
            shown = lines(pilot.app)
            assert all(len(line) == size[0] for line in shown)
            assert f" {len(rows)} CHOICES " in text(pilot.app)
            assert "now" in text(pilot.app)
            await resize(pilot, size[0], size[1] - 1)
            await resize(pilot, *size)
            await press(pilot, "space")
        await come(pilot, PositionScreen)  # it is being made: the app is not to end in the middle


async def test_chart_in_practice_opens_only_after_the_verdict(tmp_path: Path) -> None:
    start = DrillRequest("five-card-draw", words="facing a bet before the draw with a low pair")
    async with run_app(arcade(house_of(tmp_path), practice=start)) as pilot:
        table = await come(pilot, PositionScreen)
        await press(pilot, "C")
        assert "no chart before you choose" in lines(pilot.app)[-2]
        assert pilot.app.screen is table
        await press(pilot, "f")
        verdict = await come(pilot, VerdictScreen)
        assert "C Chart" in lines(pilot.app)[-2]
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "C")
        assert "Before the draw, facing a bet" in text(pilot.app)
        assert "> " in text(pilot.app)
        await press(pilot, "escape")
        assert pilot.app.screen is verdict


async def test_practice_of_a_game_without_a_chart_has_no_chart_key(tmp_path: Path) -> None:
    async with run_app(arcade(house_of(tmp_path), practice=DrillRequest("video-poker"))) as pilot:
        await come(pilot, PositionScreen)
        await type_line(pilot, "h")
        verdict = await come(pilot, VerdictScreen)
        assert "Chart" not in lines(pilot.app)[-2]
        await press(pilot, "C")
        assert pilot.app.screen is verdict


async def test_practice_screen_starts_with_the_kind_given(tmp_path: Path) -> None:
    """With a drill where no mistake of that kind waits; words that no kind has are refused."""
    start = MistakeRequest(words="low pair")
    async with run_app(arcade(house_of(tmp_path), practice=start)) as pilot:
        posed = await come(pilot, PositionScreen)
        assert posed.at.definition.game.slug == "video-poker"
        assert any("No mistake of this kind is waiting" in one for one in notes(pilot.app))
        await press(pilot, "escape")
        room = await come(pilot, PracticeScreen)
        room._practise(DrillRequest(words="zzz"))
        await until(pilot, lambda: "no kind of position has 'zzz' in its name" in text(pilot.app))


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 15)], ids=size_id)
async def test_narrow_practice_list_names_each_kind_differently(
    size: tuple[int, int], tmp_path: Path
) -> None:
    """And none of them reads as an instruction."""
    errors = ("Discard everything", "held cards that match no line", "held cards that are a flush")
    kinds = [MistakeKind("3 to a straight flush with no high cards", each) for each in errors]
    rows = [PracticeTopic("video-poker", kind, 1, "0.10 bets", 0) for kind in kinds]
    async with run_app(arcade(house_of(tmp_path)), *size) as pilot:
        await press(pilot, "m")
        room = await come(pilot, PracticeScreen)
        await until(pilot, lambda: not room.reading)
        room.query_one(TopicList).show(rows)
        await pilot.pause()
        shown = [line.strip(" ▌") for line in lines(pilot.app) if "0.10 bets" in line]
        names = [re.sub(r" +1 +0\.10 bets.*", "", line) for line in shown]
        assert len(names) == len(set(names)) == len(kinds)
        assert not any("iscard everything" in name for name in names)


@pytest.mark.prove
async def test_every_key_of_the_practice_screens_is_answered(tmp_path: Path) -> None:
    async with run_app(arcade(house_of(tmp_path, "video-poker"))) as pilot:
        await press(pilot, "m")
        room = await come(pilot, PracticeScreen)
        await until(pilot, lambda: not room.reading)
        for key in ("z", "x", "1", "colon", "A"):
            before = text(pilot.app)
            assert await text_after(pilot, key) != before, key
        await press(pilot, "escape", "space")
        await come(pilot, PositionScreen)
        for key in ("z", "x", "0", "A", "S"):
            before = text(pilot.app)
            assert await text_after(pilot, key) != before, key
            await press(pilot, "escape")
            if isinstance(pilot.app.screen, PracticeScreen):
                await press(pilot, "space")
                await come(pilot, PositionScreen)


@pytest.mark.prove
async def test_typed_cards_and_a_chosen_kind_can_be_practised(tmp_path: Path) -> None:
    async with run_app(arcade(house_of(tmp_path))) as pilot:
        await press(pilot, "m")
        room = await come(pilot, PracticeScreen)
        await until(pilot, lambda: not room.reading)
        assert "No mistakes are waiting" in text(pilot.app)
        await press(pilot, "space")
        assert "no mistakes are waiting here" in lines(pilot.app)[-2]
        await press_until(pilot, lambda: "Which game?" in text(pilot.app), "c")
        await press(pilot, "space")  # video poker
        await until(pilot, lambda: "play these cards" in text(pilot.app))
        await type_line(pilot, "KS KD 9S 6S 2S")
        table = await come(pilot, PositionScreen)
        assert [str(card) for card in table.at.view.hand] == ["KS", "KD", "9S", "6S", "2S"]
        await press(pilot, "1", "2", "space")
        await come(pilot, VerdictScreen)
        assert "the best choice." in text(pilot.app)
        await press(pilot, "space")
        await come(pilot, PracticeScreen)
        await press_until(pilot, lambda: "Which game?" in text(pilot.app), "c")
        await press_until(pilot, lambda: "play these cards" in text(pilot.app), "space")
        await type_line(pilot, "KS KS")
        await until(pilot, lambda: room.hints.current_message is not None)
        assert "twice" in lines(pilot.app)[-2]
        await press_until(pilot, lambda: "Which game?" in text(pilot.app), "D")
        await press_until(pilot, lambda: "which kind?" in text(pilot.app), "space")
        await press(pilot, *["down"] * 9, "space")
        await until(
            pilot,
            lambda: isinstance(pilot.app.screen, PositionScreen) or room.hints.current_message,
        )


async def test_practice_question_about_a_14_does_not_mention_standing_on_14(tmp_path: Path) -> None:
    start = CardsRequest("thirty-one", "TS 4D against TC")
    async with run_app(arcade(house_of(tmp_path), practice=start)) as pilot:
        await come(pilot, PositionScreen)
        shown = text(pilot.app)
        assert "Hard 14 against 10: hit, stand or double?" in shown
        assert "space  Hit   s Stand   d Double" in shown
        assert "stand on 14" not in shown.lower()
        await press(pilot, "g")
        assert "the advice comes after your choice" in lines(pilot.app)[-2]
        await press(pilot, "escape", "t")
        assert "no advice before you choose" in lines(pilot.app)[-2]


def test_practice_verdict_shows_the_cards_of_its_position() -> None:
    content = VerdictContent(True, "Right.", (), "A♥ 10♦ against K♠", (), (), ChoiceList("choices"))
    own, link, opposing = content.sides
    assert [str(card) for card in own] == ["AH", "TD"]
    assert link == "against"
    assert [str(card) for card in opposing] == ["KS"]
    assert replace(content, standing="A♥ 10♦ at 15").sides == (own, "at 15", ())


@pytest.mark.parametrize(("height", "times"), [(12, 6), (15, 10), (20, 9)])
def test_long_reasons_are_complete_above_a_short_list(height: int, times: int) -> None:
    """A short list leaves the rows that it does not need to the reasons."""
    reason = "The pot is 60 and it costs 20, so you must win 25.0%; " * times + "you win 7.8%."
    rows = tuple(ChoiceRow(name) for name in ("fold", "call", "raise"))
    content = VerdictContent(
        False, "You called.", (reason, "And so on."), "A♣ A♥ K♣ 6♠ 5♠", (), (),
        ChoiceList("choices", rows),
    )  # fmt: skip
    page, canvas = VerdictPage(content), Canvas(80, height, Look(FELT, GlyphSet.UNICODE))
    page._paint(canvas)
    shown = "\n".join(strip.text for strip in canvas.strips())
    assert "…" not in shown
    assert "you win 7.8%." in " ".join(shown.split())
    assert all(row.name in shown for row in rows)


def test_scrolled_list_always_shows_present_and_past_choice() -> None:
    labels = {7: NOW, 2: BEFORE}
    every = ChoiceList(
        "choices", tuple(ChoiceRow(str(n), label=labels.get(n, "")) for n in range(9)), scroll=0
    )
    assert [row.name for row in every.visible_rows(4)] == ["0", "1", "2", "7"]
    assert [row.name for row in every.visible_rows(3)] == ["0", "2", "7"]
    scrolled = replace(every, scroll=5)
    assert [row.name for row in scrolled.visible_rows(4)] == ["5", "6", "7", "8"]
    assert len(every.visible_rows(20)) == 9
