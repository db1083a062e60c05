"""Replay in the games' own views, and playing on from there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from tests.golden.write import golden
from tests.helpers.arcade_pilot import (
    ME,
    arcade,
    click,
    lines,
    notes,
    practice,
    press,
    press_until,
    resize,
    run_app,
    screen_after,
    settle,
    shuffles,
    text,
    text_after,
    type_line,
    until,
    with_purse,
)
from tests.helpers.ledger_sessions import act
from tests.helpers.narrow import instance_of, not_none
from tests.helpers.parameter_ids import size_id
from tests.helpers.quick_cases import by_game_first, first_of
from tests.tui.sample_logs import (
    SEAT,
    copy_golden,
    in_records,
    play,
    replay_screen,
    run_replay,
    sit,
    spoilt,
    status_text,
)
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat, SittingOver, is_asked
from tui_casino.gamekit.registry import GameListing, listing_of
from tui_casino.gamekit.words import QuestionContext
from tui_casino.games.cribbage.machine.state import Lay
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records import playback
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import make_entry
from tui_casino.records.log_header import BranchOrigin
from tui_casino.records.playback import ReplayMark
from tui_casino.records.recording_review import RecordingReview
from tui_casino.records.replay import ProofLevel, replay_log, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.tui.modals import TextPage
from tui_casino.tui.positions.position_screen import PositionScreen
from tui_casino.tui.positions.verdict_screen import VerdictScreen
from tui_casino.tui.replay.screen import ReplayTable, open_replay
from tui_casino.tui.replay.seat_view import SeatView
from tui_casino.tui.table.background_tasks import NO_MEMORY
from tui_casino.tui.table.face import face_of
from tui_casino.tui.widgets.cards import CardRow
from tui_casino.tui.widgets.key_bar import VERB, KeyBar
from tui_casino.tui.widgets.key_names import bindings_of
from tui_casino.tui.widgets.title_bar import MessageLine

SOME = 3
"""Choices that are looked at one by one."""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


async def test_replay_step_chosen_before_the_first_drawing_is_shown(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen draws its first step twice, and must not go back to it."""
    play(house)
    opening = ReplayTable.open_table

    def hasty(table: ReplayTable[Any, Any, Any, Any, Any]) -> None:
        opening(table)
        table.action_go_to(table.recording.steps)

    monkeypatch.setattr(ReplayTable, "open_table", hasty)
    async with run_replay(house) as pilot:
        table = replay_screen(pilot.app)
        await until(pilot, lambda: table.step == table.recording.steps > 0, workers=True)
        assert table.step == table.recording.steps


@pytest.mark.parametrize(
    ("width", "height"), [(80, 24), pytest.param(132, 43, marks=pytest.mark.prove)]
)
async def test_replay_of_hit_me_offers_no_trainer_simulation_or_rules_lab(
    house: House, width: int, height: int
) -> None:
    copy_golden(house, listing_of("thirty-one"))
    async with run_replay(house, width, height) as pilot:
        await until(pilot, lambda: "DEALER" in text(pilot.app))
        assert not re.search("Rules lab|rules lab|Simulate|t Trainer", text(pilot.app))


@by_game_first("video-poker")
async def test_replay_shows_the_view_of_the_seat_at_every_step(
    house: House, listing: GameListing
) -> None:
    """At every step the seat's own view, and where it was asked, what the table said then."""
    path = copy_golden(house, listing)
    definition = listing.definition()
    played = [*replay_log(definition.game, read_log(path))]
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        assert type(screen.view) is face_of(listing).view
        for step in played[:25]:
            await press(pilot, "right")
            assert screen.step == step.line.n
            assert screen.view.seen == definition.game.view(step.state, screen.view.seat)
            turn = definition.game.turn(step.state)
            if is_asked(turn, screen.view.seat) or isinstance(turn, SittingOver):
                assert str(screen.query_one(MessageLine).content)
        await press(pilot, "end")
        assert screen.step == len(played)
        assert screen.view.seen == definition.game.view(played[-1].state, screen.view.seat)
        end = text(pilot.app)
        assert await text_after(pilot, "home", "end") == end
        assert "tatistics" in await text_after(pilot, "f2")
        await press(pilot, "escape")
        assert pilot.app.screen is screen


@by_game_first("five-card-draw")
async def test_steps_back_show_the_same_as_steps_forward(
    house: House, listing: GameListing
) -> None:
    copy_golden(house, listing)
    async with run_replay(house) as pilot:
        seen = [text(pilot.app)]
        for _ in range(15):
            await press(pilot, "right")
            seen.append(text(pilot.app))
        for before in reversed(seen[:-1]):
            assert await text_after(pilot, "left") == before


def test_first_replay_keys_in_the_hints_are_play_and_next_mistake() -> None:
    bindings = bindings_of(ReplayTable)
    own = [binding for binding in bindings if (binding.id or "").startswith("replay.")]
    shown_first = [binding.action for binding in own if binding.group == VERB]
    assert shown_first[:2] == ["play", "seek('mistake', True)"]
    assert len(own) >= len(ReplayTable.BINDINGS)


async def test_replay_does_not_accept_game_actions(house: House) -> None:
    path = play(house)
    before = path.read_bytes()
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        await press(pilot, *["right"] * 8)
        assert screen.query_one(CardRow).views[0].card is not None
        seen = text(pilot.app)
        await pilot.click(CardRow)
        await settle(pilot)
        assert text(pilot.app) == seen
        for key in ("1", "enter", "dollar_sign", "colon", "d"):
            await press(pilot, key)
            assert "this key has no action here" in lines(pilot.app)[-2]
        assert lines(pilot.app)[:-2] == [line.ljust(80) for line in seen.split("\n")[:-2]]
        assert path.read_bytes() == before
        assert [*house.logs.iterdir()] == [path]


async def test_replay_of_computers_shows_the_view_and_offers_of_the_first_seat(
    house: House,
) -> None:
    listing = listing_of("cribbage")
    definition, players = listing.definition(), {Seat(0): "random", Seat(1): "random"}
    options, source = definition.game.Options(), CommittedSource(b"c" * 32)
    sitting = begin_sitting(house, definition, options, ShuffledShoe(), source, players)
    while not is_asked(definition.game.turn(sitting.table.state), Seat(0)):
        sitting.table.advance()
    view = sitting.table.view(Seat(0))
    sitting.leave()
    async with run_replay(house) as pilot:
        await press(pilot, "end")
        assert replay_screen(pilot.app).view.seen == view
        assert replay_screen(pilot.app).view.offers == definition.game.offers(view, Seat(0)) != ()


async def test_replay_status_shows_step_round_and_last_action(house: House) -> None:
    path = play(house)
    steps = len(read_log(path).lines)
    async with run_replay(house) as pilot:
        assert status_text(pilot.app) == f"start · step 0 of {steps} · round 1"
        await press(pilot, "b")
        assert status_text(pilot.app).startswith("You: deal for 5"), (
            "what comes next is the player's own"
        )
        assert status_text(pilot.app).endswith("You: bet 5")
        await press(pilot, "end")
        assert f" · end: left · step {steps} of {steps} · round 2" in status_text(pilot.app)
        assert "end: left" in lines(pilot.app)[-3]


async def test_replay_keys_jump_to_rounds_bets_mistakes_and_step_numbers(house: House) -> None:
    path = play(house, 3, hold=())  # nothing is held: a mistake, if anything was worth it
    with playback.Playback(DEFINITION, path, Cache(None)) as known:
        rounds = [known.next_mark(ReplayMark.ROUND, step) for step in (0, 1)]
        bets = [known.next_mark(ReplayMark.BET, 0)]
        reviewer = RecordingReview(known)
        mistake = reviewer.next_mistake(0)
        win = known.next_mark(ReplayMark.WIN, 0)
        assert mistake is not None
        weighed = reviewer.mistake(mistake)
        known_hand = known.moment_at(mistake - 1).state.hand
        steps = known.steps
    assert weighed is not None
    assert isinstance(weighed.best, Hold)
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        await press(pilot, "down")
        assert screen.step == rounds[0]
        await press(pilot, "pagedown")
        assert screen.step == rounds[1]
        await press(pilot, "up", "up")
        assert screen.step == 0
        await press(pilot, "b")
        assert screen.step == bets[0]
        await press(pilot, "home", "m")
        assert screen.step == mistake - 1, "the table as it was before the choice"
        cards = [known_hand[place - 1].symbol for place in weighed.best.positions]
        line = f"✗ You: hold nothing, cost {float(weighed.cost):.2f} · best {' '.join(cards)}"
        assert status_text(pilot.app).startswith(line)
        assert f"cost {float(weighed.cost):.2f}" in lines(pilot.app)[-3], "before anything else"
        await press(pilot, "right")
        assert screen.step == mistake
        assert status_text(pilot.app).startswith(line), "and after it still"
        await press(pilot, "end", "m")
        assert "no mistake after this step" in lines(pilot.app)[-2]
        await press(pilot, "home", "B")
        assert "no bet before this step" in lines(pilot.app)[-2]
        await press(pilot, "w")
        assert screen.step == (win or 0)
        await press(pilot, "n")
        await type_line(pilot, "5")
        assert screen.step == 5
        await press(pilot, "n")
        await type_line(pilot, "5000")
        assert f"not a step from 0 to {steps}" in lines(pilot.app)[-2]
        assert screen.step == 5


@pytest.mark.prove
async def test_replay_finds_mistakes_in_games_with_slow_judging(house: House) -> None:
    """Such a game's choices are weighed one by one, off the screen's thread."""
    listing = listing_of("thirty-one")
    definition = listing.definition()
    assert definition.adviser.has_judge
    path = copy_golden(house, listing)
    with playback.Playback(definition, path, Cache(None)) as known:
        step = RecordingReview(known).next_mistake(0)
    async with run_replay(house) as pilot:
        await press(pilot, "m")
        assert replay_screen(pilot.app).step == (step or 0) - 1
        assert " · best " in status_text(pilot.app)
        await press(pilot, "M")
        assert "no mistake before this step" in lines(pilot.app)[-2]


async def test_guess_first_in_a_replay_hides_the_choice_until_the_step(house: House) -> None:
    """With ``t`` neither cost, nor best, nor the cards that were held are told before the step."""
    play(house, 3, hold=(1, 2))
    async with run_replay(house, 132, 43) as pilot:
        assert "HELD" in await text_after(pilot, "m")
        assert " best " in text(pilot.app)
        await press(pilot, "t")
        assert "guess first" in lines(pilot.app)[0]
        told = text(pilot.app)
        assert "What would you choose?" in told
        assert not any(word in told for word in ("HELD", " best ", "ALL 32 CHOICES"))
        assert "✗ You: hold " in await text_after(pilot, "right")
        assert "HELD" in await text_after(pilot, "t", "left")


async def test_guess_in_a_replay_is_made_with_the_keys_of_the_game(house: House) -> None:
    """Then the verdict is shown, and the replay goes on with the choice that was made."""
    play(house, 2, hold=(1, 2))
    async with run_replay(house) as pilot:
        await press(pilot, "m", "t")
        replay = replay_screen(pilot.app)
        step = replay.step
        assert "Enter: choose" in text(pilot.app)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen), "enter")
        await press_until(pilot, lambda: isinstance(pilot.app.screen, VerdictScreen), "3", "space")
        assert "32 CHOICES" in text(pilot.app)
        assert "space  Continue" in text(pilot.app)
        await press_until(pilot, lambda: pilot.app.screen is replay, "space")
        assert replay.step == step + 1
        assert "✗ You: hold " in text(pilot.app)
        await press(pilot, "t", "enter")
        assert pilot.app.screen is replay, "nothing is hidden now"


@by_game_first("video-poker")
async def test_replay_panel_shows_mistakes_and_all_alternatives(
    house: House, listing: GameListing
) -> None:
    """The same figures in the list, under the table, and in the row of what was chosen."""
    path = copy_golden(house, listing)
    definition = listing.definition()
    with playback.Playback(definition, path, Cache(None)) as known:
        reviewer = RecordingReview(known)
        step = reviewer.next_mistake(0)
        mistake = reviewer.mistake(step) if step else None
    async with run_replay(house, 132, 43) as pilot:
        if mistake is None:
            assert "choices are not evaluated in this game" in text(pilot.app)
            await press(pilot, "m")
            assert "choices are not evaluated" in lines(pilot.app)[-2], "a greyed key says why"
            return
        await press(pilot, "m")
        await until(
            pilot,
            lambda: (
                re.search("CHOICES, |ADVICE", text(pilot.app)) and "so far" not in text(pilot.app)
            ),
        )
        side = [line[88:] for line in lines(pilot.app)]
        cost = definition.format_cost(mistake)
        (first,) = (line for line in side if "▲1 " in line)
        assert first.rstrip().endswith(cost)
        (taken,) = (line for line in side if "▌" in line and "▲" not in line)
        assert taken.split()[-1] == cost
        assert sum("best" in line.split()[-1:] for line in side) >= 1
        assert f"cost {cost}" in status_text(pilot.app)


async def test_replay_status_names_players_and_not_seats(house: House) -> None:
    copy_golden(house, listing_of("five-card-draw"))
    async with run_replay(house) as pilot:
        deeds = []
        for _ in range(40):
            await press(pilot, "right")
            deeds.append(status_text(pilot.app))
        line = " ".join(deeds)
        assert "Ada " in line
        assert "seat " not in line
        assert "Computer Player" not in line


async def test_click_on_the_replay_scrubber_moves_to_that_step(house: House) -> None:
    play(house)
    async with run_replay(house, 132, 43) as pilot:
        screen = replay_screen(pilot.app)
        steps = screen.recording.steps
        await click(pilot, screen.scrubber, x=screen.scrubber.size.width - len(f"  0/{steps} ") - 3)
        assert screen.step >= steps - 1
        await click(pilot, screen.scrubber, x=1)
        assert screen.step == 0


async def test_replay_plays_automatically_and_pauses(house: House) -> None:
    play(house)
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        await press(pilot, "plus", "plus", "plus", "plus")
        assert "20 steps/s" in status_text(pilot.app)
        assert "space  Play " in lines(pilot.app)[-2]
        await press(pilot, "space")
        assert "▶ 20/s" in status_text(pilot.app)
        assert "space  Pause " in lines(pilot.app)[-2]
        await until(pilot, lambda: screen.step >= 3)
        await press(pilot, "minus")
        assert "▶ 5/s" in status_text(pilot.app)
        await press(pilot, "plus", "space")
        at = screen.step
        assert "▶" not in status_text(pilot.app)
        await pilot.pause(0.2)
        assert screen.step == at
        await press_until(pilot, lambda: screen.step == screen.recording.steps, "space")
        await until(pilot, lambda: "▶" not in status_text(pilot.app))


async def test_replay_shows_a_damaged_log_up_to_the_damage(house: House) -> None:
    path = play(house)
    spoilt(path, 12)
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        await press(pilot, "end")
        assert screen.step == 11
        assert "! damaged, line 13: " in status_text(pilot.app)
        await press(pilot, "left")
        assert "damaged" not in status_text(pilot.app)


async def test_replay_reports_a_growing_or_deleted_log(house: House) -> None:
    sitting = sit(house)
    sitting.table.run()
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        before = screen.recording.steps
        sitting.table.submit(SEAT, Bet(5))
        await until(pilot, lambda: screen.recording.steps == before + 1, workers=True)
        assert f"of {before + 1}" in status_text(pilot.app)
        sitting.log.path.unlink()
        await until(pilot, lambda: "it no longer exists" in status_text(pilot.app))
        await press(pilot, "end")
        assert screen.step == before + 1, "what was read can be seen still"
    sitting.log.close()


async def test_replay_that_ran_out_of_memory_continues_and_tries_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    work_out, lacks = playback.Playback._compute_frame, True

    def needs_memory(recording: playback.Playback[Any, Any, Any, Any, Any]) -> None:
        if lacks:
            raise MemoryError
        work_out(recording)

    monkeypatch.setattr(playback.Playback, "_compute_frame", needs_memory)
    sitting = sit(house)
    sitting.table.run()
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        await settle(pilot)
        assert NO_MEMORY in text(pilot.app)
        assert not screen.analysis.indexing
        await press(pilot, "b")
        assert NO_MEMORY in lines(pilot.app)[-2]
        await press(pilot, "right")
        assert screen.step == 1
        lacks, before = False, screen.recording.steps
        sitting.table.submit(SEAT, Bet(5))
        await until(pilot, lambda: screen.recording.indexed == before + 1)
        await press(pilot, "b")
        assert screen.step == before + 1
    sitting.log.close()


async def test_replay_reads_a_long_log_in_the_background_to_its_end(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("tui_casino.records.playback", "tui_casino.tui.replay.screen"):
        monkeypatch.setattr(f"{module}.FRAME_INTERVAL", 10)
    path = play(house, 12)
    steps = len(read_log(path).lines)
    async with run_replay(house) as pilot:
        screen = replay_screen(pilot.app)
        await press(pilot, "end")
        assert screen.step == steps
        assert "read)" not in status_text(pilot.app), "all is read now"


@pytest.mark.parametrize("size", first_of([(60, 20), (132, 43), (40, 15)]), ids=size_id)
async def test_replay_keeps_its_step_at_other_window_sizes(
    house: House, size: tuple[int, int]
) -> None:
    play(house)
    async with run_replay(house, *size) as pilot:
        await press(pilot, *["right"] * 8)
        assert f"8/{replay_screen(pilot.app).recording.steps}" in text(pilot.app)
        await resize(pilot, 80, 24)
        assert "Which cards do you hold?" in text(pilot.app)
        assert replay_screen(pilot.app).step == 8


@by_game_first("cribbage")
async def test_replay_advice_on_each_choice_equals_that_of_the_adviser(
    house: House, listing: GameListing
) -> None:
    """Whether it was a mistake or not; nothing where the game has nothing to say."""
    path = copy_golden(house, listing)
    definition = listing.definition()
    advised = 0
    async with run_replay(house, 200, 50) as pilot:
        screen = replay_screen(pilot.app)
        with playback.Playback(definition, path, Cache(None)) as known:
            reviewer = RecordingReview(known)
            for step in range(1, known.steps + 1):
                if step > 1:
                    await press(pilot, "right")
                if known.moment_at(step).by != screen.view.seat:
                    continue
                before = known.moment_at(step - 1)
                view = definition.game.view(before.state, screen.view.seat)
                line = definition.words.questions["a"](
                    QuestionContext(view, screen.view.seat, before.tally)
                )
                if (mistake := reviewer.mistake(step)) is not None:
                    text = definition.format_cost(mistake) + " points" * bool(definition.points)
                    assert f"cost {text} · best " in status_text(pilot.app)
                elif line is None:
                    assert "no mistake" not in status_text(pilot.app)
                    continue
                elif not definition.adviser.has_judge:
                    assert line.splitlines()[0] in status_text(pilot.app)
                else:
                    offers = definition.game.offers(view, screen.view.seat)
                    choices = sum(1 for offer in offers if not offer.barred for _ in offer.all())
                    praise = "no mistake" if choices > 1 else "the only choice"
                    assert status_text(pilot.app).split(" · ")[1] == praise
                advised += 1
                if advised == SOME:
                    break
                await press(pilot, "a")
                page = instance_of(TextPage, pilot.app.screen)
                assert line is not None
                typed = re.sub(r"(?<![\w.])-(?=\d)", "−", line)  # as it is written on the screen
                shown, expected = str(page.query_one(Static).content).split(), typed.split()
                assert shown[: len(expected)] == expected, "the reasons follow"
                await press(pilot, "escape")
    assert advised


def test_replay_treats_the_only_playable_card_as_forced() -> None:
    """Of the cards of a play the last one fits alone, if it fits."""
    listing = listing_of("cribbage")
    with playback.Playback(listing.definition(), golden(listing).log, Cache(None)) as known:
        reading = SeatView(known)
        lays = [
            known.moment_at(step - 1)
            for step in range(1, known.steps + 1)
            if known.moment_at(step).by == known.seat
            and isinstance(known.moment_at(step).action, Lay)
        ]
        for moment in lays:
            able = moment.state.playable(known.seat)
            assert reading.is_forced(moment) == (len(able) == 1)
        assert {reading.is_forced(moment) for moment in lays} == {True, False}


async def test_replay_refuses_advice_at_a_step_without_a_choice(house: House) -> None:
    play(house, 1)
    async with run_replay(house) as pilot:
        await press(pilot, "end", "a")
        assert "there is no choice to make here" in lines(pilot.app)[-2]


# ---- playing on ---------------------------------------------------------------------------------


async def test_free_play_branches_from_a_replayed_step_and_keeps_old_log_and_money(
    tmp_path: Path,
) -> None:
    """Another hold than then, for practice: the purse and the old log stay as they are."""
    house = with_purse(tmp_path)
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, "1", "space", "1", "space", "escape")
        ledger = not_none(house.ledger)
        (path,) = house.logs.glob("*.jsonl")
        purse, before = ledger.balance(ME), path.read_bytes()
        await press(pilot, "r", "enter", *["right"] * 8, "p")
        assert not isinstance(pilot.app.screen, ReplayTable)
        assert "You continue where you stopped, as free play." in notes(pilot.app)
        assert "Which cards do you hold?" in text(pilot.app)
        assert isinstance(await screen_after(pilot, "2", "3", "space", "escape"), ReplayTable)
        assert "2 sessions" in await text_after(pilot, "escape")
        (branch,) = {*house.logs.glob("*.jsonl")} - {path}
        log = read_log(branch)
        assert log.header.parent == BranchOrigin(path.name, 8)
        assert verify_log(DEFINITION, log).proof is ProofLevel.CONSISTENT
        assert verify_log(DEFINITION, log).shuffle_checked
        assert ledger.balance(ME) == purse
        assert path.read_bytes() == before
        found = make_entry(branch, {}, {})
        assert f"branched off {path.name} after step 8" in found.notes


async def test_replay_of_an_unfinished_session_cannot_branch_or_show_its_seed(
    tmp_path: Path,
) -> None:
    house = with_purse(tmp_path)
    sitting = begin_sitting(
        house, DEFINITION, Options(), ShuffledShoe(), CommittedSource(b"s" * 32), {SEAT: None}
    )
    act(sitting, Bet(5), Draw())
    sitting.log.close()
    async with run_replay(house, 132, 43) as pilot:
        assert isinstance(await screen_after(pilot, "right", "p"), ReplayTable)
        assert "still secret" in lines(pilot.app)[-2]
        assert len([*house.logs.iterdir()]) == 1


# ---- looks --------------------------------------------------------------------------------------


async def test_last_line_of_history_and_replay_names_destinations_and_escape(house: House) -> None:
    play(house)
    async with in_records(house) as pilot:
        assert len([*pilot.app.screen.query_one(KeyBar).placed()]) == 7
        assert lines(pilot.app)[-1].endswith("Esc Menu ")
        await press(pilot, "enter")
        placed = [entry.words for _, entry in pilot.app.screen.query_one(KeyBar).placed()]
        assert placed[:6] == ["Advice", "Help", "Statistics", "Speed", "Bet", "Win"]
        assert lines(pilot.app)[-1].endswith("Esc History ")
        await press(pilot, "escape", "l")
        assert lines(pilot.app)[-1].endswith("Esc History ")
        await press(pilot, "escape", "escape")
        (log,) = house.logs.glob("*.jsonl")
        await open_replay(pilot.app.desk, listing_of("video-poker"), log)  # type: ignore[attr-defined]
        await settle(pilot)
        assert lines(pilot.app)[-1].endswith("Esc Menu ")
