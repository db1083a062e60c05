"""The common behaviour of all tables, tested on a small game with a slow computer player."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.contract.toy.face.face import FACE
from tests.contract.toy.machine.game import Action, Ante, Keep, Options, State
from tests.golden.write import SEED, golden
from tests.helpers.arcade_pilot import (
    ME,
    arcade,
    at_table,
    hint_text,
    leave,
    lines,
    practice,
    press,
    resize,
    run_app,
    send,
    settle,
    strike,
    strike_until,
    table,
    text,
    until,
    with_purse,
)
from tests.helpers.faulty_toy import toy
from tests.helpers.narrow import instance_of, not_none
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tests.helpers.screen_walks import key_of
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import PRACTICE, House, Sitting, begin_sitting
from tui_casino.records.session_log import LogWriter, read_log
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ConfirmationDialog, TextPage
from tui_casino.tui.table.face import face_of
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.paced_view import PacedView
from tui_casino.tui.table.pacing import Pacing
from tui_casino.tui.table.seated_table import BET, GAME
from tui_casino.tui.widgets.command_line import LineSubmitted
from tui_casino.tui.widgets.key_bar import KeyBar
from tui_casino.tui.widgets.title_bar import MessageLine

AnyTable = LiveTable[Any, Any, Any, Any, Any]


class Slow:
    """Antes, and keeps its card after a long thought, which ends when it is told so."""

    begun, enough = threading.Event(), threading.Event()

    def choose(self, view: Any, seat: Seat, offers: Any, dice: Any) -> Action:
        if not view.staked:
            return Ante()
        self.begun.set()
        self.enough.wait(20)
        return Keep()


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


def sit_at_toy(house: House, **planted: Any) -> Sitting[Any, Any, Any, Any, Any]:
    Slow.begun.clear()
    Slow.enough.clear()
    definition = toy(players={"slow": Slow}, **planted)
    players = {Seat(0): None, Seat(1): "slow"}
    return begin_sitting(house, definition, Options(), ShuffledShoe(), SeededSource(1), players)


async def at_toy(pilot: Pilot[None], house: House) -> AnyTable:
    """Sit down and ante, and wait until the computer, who is asked beside the human, thinks."""
    screen = LiveTable("Toy", FACE, sit_at_toy(house))
    pilot.app.push_screen(screen)
    await settle(pilot)
    await strike_until(pilot, "d", Slow.begun.is_set)
    return screen


def message_text(screen: AnyTable) -> str:
    return str(screen.query_one(MessageLine).content)


def refused(screen: AnyTable) -> str:
    """Give the word that the line of hints refuses."""
    message = not_none(screen.line.current_message)
    assert message.mark == "refused"
    return message.word


async def test_escape_leaves_and_cashes_out_when_nothing_is_at_stake(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    ledger = house.ledger
    assert ledger is not None
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "1", "escape")
        assert isinstance(pilot.app.screen, Menu), "an unplayed table has nothing to lose"
        await press(pilot, "1", "space", "space")
        cents = table(pilot.app).sitting.cents
        await strike(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu))
        assert ledger.open_sittings(ME) == []
        assert ledger.balance(ME) == cents != 0


STAKES = {  # keys that put something at stake, and the title of the question
    "video-poker": (("space",), BET),
    "five-card-draw": (("space",), BET),
    "thirty-one": (("space",), BET),
    "cribbage": (("f4", *["down"] * 4, "enter", "1", "2", "space"), GAME),  # a game to 121
}
"""Without baccarat, which plays a coup to its end, and gives back bets that were not dealt."""


@pytest.mark.parametrize("game", STAKES)
async def test_leaving_asks_in_the_same_way_in_every_game(game: str, tmp_path: Path) -> None:
    keys, title = STAKES[game]
    number = [listing.slug for listing in GAMES].index(game) + 1
    async with run_app(arcade(with_purse(tmp_path), seed=7)) as pilot:
        await press(pilot, str(number), *keys)
        for stays in ("n", "escape"):
            await strike(pilot, "escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
            assert pilot.app.screen.query_one(".window").border_title == title
            assert "Stay (n, Esc)" in text(pilot.app), "the question says what Escape does"
            await strike(pilot, stays)
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
        await strike(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
        await strike(pilot, "y")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu))


async def test_help_typed_keys_and_resizing_work_while_an_opponent_thinks(house: House) -> None:
    """While it thinks, help opens, lines can be typed, the window can change; then it goes on."""
    async with run_app(arcade(house)) as pilot:
        screen = await at_toy(pilot, house)
        assert screen.table.game.turn(screen.table.state) == AskSeats((Seat(0), Seat(1)))
        assert screen.view.check_action("word", ("k",)) is None, "greyed"
        await strike_until(pilot, "f1", lambda: isinstance(pilot.app.screen, TextPage))
        await strike_until(pilot, "escape", lambda: pilot.app.screen is screen)
        await strike(pilot, "k")
        assert hint_text(pilot.app) == "told k follows when it is your turn."
        await strike(pilot, "space")
        await resize(pilot, 100, 30, workers=False)
        assert screen.table.game.turn(screen.table.state) == AskSeats((Seat(0), Seat(1))), (
            "it thinks"
        )
        steps = screen.sitting.log.steps
        Slow.enough.set()
        await settle(pilot)
        assert screen.sitting.log.steps > steps + 2, "its choice, k, and the cards"
        assert screen.table.game.turn(screen.table.state) == AskSeats((Seat(0),)), "the next round"
        assert message_text(screen).endswith("Space deals")


async def test_leaving_while_an_opponent_thinks_ends_the_log_without_its_choice(
    house: House,
) -> None:
    async with run_app(arcade(house)) as pilot:
        screen = await at_toy(pilot, house)
        await strike(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
        await strike_until(pilot, "y", lambda: isinstance(pilot.app.screen, Menu))
        steps = screen.sitting.log.steps
        Slow.enough.set()
        await settle(pilot)
        assert screen.sitting.log.steps == steps, "what it chose then counts no more"
        assert not screen.sitting.house.can_resume
        assert screen.sitting.log.ended, "practice is not kept"


async def test_letter_of_a_command_with_arguments_opens_the_command_line(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        screen = await at_toy(pilot, house)
        Slow.enough.set()
        await settle(pilot)
        await press(pilot, "c")
        assert message_text(screen) == "Keep or change?", "nothing is done yet"
        await press(pilot, "k", "escape", "dollar_sign")
        assert message_text(screen) == "49"
        await press(pilot, "c", "space", "3", "enter")
        assert refused(screen) == "c"
        await press(pilot, "c", "enter")
        assert refused(screen) == "c"
        await press(pilot, "c", "space", "1", "enter")
        assert screen.view.seen.cards
        await press(pilot, "space")
        assert screen.table.waiting
        assert screen.sitting.log.steps > 4
        assert [entry.words for _, entry in screen.query_one(KeyBar).placed()]


async def test_live_table_says_that_the_game_is_over(house: House) -> None:
    Slow.enough.set()
    async with run_app(arcade(house)) as pilot:
        sitting = sit_at_toy(house)
        Slow.enough.set()
        sitting.table.state = State((0, 5))
        pilot.app.push_screen(LiveTable("Toy", FACE, sitting))
        await settle(pilot)
        screen = instance_of(LiveTable, pilot.app.screen)
        assert message_text(screen) == "! The game is over: no chips or cards."
        await press(pilot, "k", "c", "enter")
        assert pilot.app.screen is screen
        await leave(pilot)


@pytest.mark.parametrize("game", first_of(range(1, len(GAMES) + 1), 2), ids=labelled("game {}"))
async def test_only_one_window_opens_at_a_time_over_a_table(house: House, game: int) -> None:
    """Lines that are on their way while a window opens do nothing, least of all open another."""
    async with at_table(house, game=str(game)) as pilot:
        table: Any = pilot.app.screen
        before = len(pilot.app.screen_stack)
        for _ in range(15):
            for word in ("?", "s", "a"):
                table.call_later(table.handle, LineSubmitted(word))
            table.call_later(table.action_leave)
            table.call_later(table.run_action, "tables")
        await settle(pilot)
        assert len(pilot.app.screen_stack) == before + 1
        await press(pilot, "escape")
        assert pilot.app.screen is table


async def test_only_one_window_opens_at_a_time_over_the_menu(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        before = len(pilot.app.screen_stack)
        for action in ("add_word", "verify", "add_word", "help", "add_word") * 20:
            pilot.app.call_later(pilot.app.screen.run_action, f"app.{action}")
        await settle(pilot)
        assert len(pilot.app.screen_stack) == before + 1


async def test_function_keys_open_windows_during_the_deal(house: House) -> None:
    """They ask for a window: the cards lie there at once, and it opens."""
    moving = Settings(animation=True)
    async with at_table(house, settings=moving, game="5") as pilot:
        assert isinstance(pilot.app.screen, LiveTable)
        for key in ("f1", "f4"):
            await strike(pilot, "f5")  # the cards are dealt again
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
            await strike_until(pilot, key, lambda: not isinstance(pilot.app.screen, LiveTable))
            await press(pilot, "escape")


async def test_repeated_keys_in_the_menu_open_only_one_table(house: House) -> None:
    """However often the keys of games are pressed before the first table is there."""
    app = arcade(house)
    async with run_app(app) as pilot:
        before = len(pilot.app.screen_stack)
        for listing in GAMES * 8:
            app.desk.open_game(listing.slug)
        await settle(pilot)
        assert len(pilot.app.screen_stack) == before + 1
        assert isinstance(pilot.app.screen, LiveTable)
        assert len([*house.logs.iterdir()]) == 1
        await press(pilot, "escape", "2")
        assert isinstance(pilot.app.screen, LiveTable), "and the next one later"


async def test_messages_of_an_earlier_table_are_not_shown_at_the_next(house: House) -> None:
    """Each table that is left says so in the menu, and nowhere else."""
    async with run_app(app := arcade(house)) as pilot:
        for _ in range(4):
            await press(pilot, "1", "space", "space")
            assert "You leave" not in text(app)
            await press(pilot, "escape")
            assert "You leave" in lines(app)[0]
        assert isinstance(menu := app.screen, Menu)
        assert not menu.query("Toast, ToastHolder")


@pytest.mark.parametrize("key", ["u", "U"])
async def test_undo_is_refused_with_a_reason_in_play_for_money(house: House, key: str) -> None:
    async with run_app(arcade(house)) as pilot:  # of practice
        await press(pilot, key_of("five-card-draw"), key)
        assert hint_text(pilot.app) == f"refused {key} choices are final against opponents."
        await press(pilot, "escape")
    async with at_table(with_purse(house.logs.parent / "money")) as pilot:
        await press(pilot, key)
        assert hint_text(pilot.app) == f"refused {key} choices are final when you play for money."
        await leave(pilot)


async def test_command_typed_while_an_opponent_thinks_is_carried_out_later(house: House) -> None:
    """It is on offer, but the computer who is asked beside the player comes first."""
    async with run_app(arcade(house)) as pilot:
        screen = await at_toy(pilot, house)
        for key in ("colon", "k", "enter"):
            await strike(pilot, key)
        assert screen.table.game.turn(screen.table.state) == AskSeats((Seat(0), Seat(1))), "not yet"
        Slow.enough.set()
        await settle(pilot)
        assert isinstance(screen.table.game.turn(screen.table.state), AskSeats)
        assert screen.dialogue.tally.rounds == 1, "kept, when the other had"


async def test_thinking_opponent_is_not_asked_again_after_a_pause(house: House) -> None:
    """Whoever thinks when the table is stopped thinks on; nobody asks him again beside that."""
    async with run_app(arcade(house)) as pilot:
        screen = await at_toy(pilot, house)
        await strike(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
        Slow.begun.clear()
        await strike_until(pilot, "n", lambda: pilot.app.screen is screen)
        Slow.enough.set()
        await settle(pilot)
        assert not Slow.begun.is_set()


async def test_two_tasks_waiting_for_the_same_opponent_both_finish(house: House) -> None:
    """As when the table is stopped, and plays on, in the moment in which the thought ends."""
    with sit_at_toy(house) as sitting:
        table = sitting.table
        table.run()
        table.submit(Seat(0), Ante())
        pacing = Pacing(table, PacedView())
        first = asyncio.ensure_future(pacing.play(lambda: None))
        await asyncio.to_thread(Slow.begun.wait, 20)
        second = asyncio.ensure_future(pacing.play(lambda: None))
        await asyncio.sleep(0)
        Slow.enough.set()
        await asyncio.gather(first, second)
        assert table.waiting


async def test_key_typed_as_a_window_opens_does_not_reach_the_table(house: House) -> None:
    async with at_table(house) as pilot:
        screen: Any = pilot.app.screen
        for key in ("f2", "left"):
            send(pilot, key)
        await settle(pilot)
        assert pilot.app.screen is not screen
        assert screen.line.current_message is None


@pytest.mark.parametrize("game", range(1, len(GAMES) + 1), ids=labelled("game {}"))
async def test_quitting_the_program_closes_the_session_log(house: House, game: int) -> None:
    """Whatever stands on the screen when the program ends, another one may go on with the log."""
    async with run_app(arcade(house)) as pilot:
        await press(pilot, str(game), "space", "ctrl+q")
    for path in house.logs.glob("*.jsonl"):
        log, _ = LogWriter.resume(path, house.clock)
        log.close()


async def test_program_can_quit_before_a_table_is_laid_out(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        for key in ("1", "ctrl+q"):
            pilot.app.call_later(pilot.app.simulate_key, key)
        await settle(pilot, workers=False)
    assert pilot.app.return_code in (0, None)


@pytest.mark.prove
@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
async def test_typed_lines_write_the_same_log_as_the_console(
    listing: GameListing, tmp_path: Path
) -> None:
    """The golden session's lines, typed at a table on the screen, lead to the very same log."""
    house = practice(tmp_path)
    definition = listing.definition()
    options = definition.game.sit(definition.game.Options(), PRACTICE // definition.game.unit)
    others = next(iter(definition.players))
    players = {Seat(s): None if s == 0 else others for s in range(definition.game.seats(options))}
    sitting = begin_sitting(house, definition, options, ShuffledShoe(), SeededSource(SEED), players)
    async with run_app(arcade(house)) as pilot:
        screen: AnyTable = LiveTable(listing.title, face_of(listing), sitting)
        pilot.app.push_screen(screen)
        await settle(pilot)
        for line in golden(listing).typed.read_text().splitlines():
            if line.split() and line.strip() != "q":
                screen.handle(LineSubmitted(line))
                await settle(pilot)
                if pilot.app.screen is not screen:
                    await press(pilot, "escape")
        said_by_console = [step.do for step in read_log(golden(listing).log).steps()]
        assert [step.do for step in read_log(sitting.log.path).steps()] == said_by_console
