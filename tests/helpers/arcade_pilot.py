"""Helpers that run the arcade in a test: a house in its own folder, and a known shuffle.

There is no motion. The books of the house can be checked against its logs."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual.app import App
from textual.events import Key
from textual.geometry import Size
from textual.keys import _character_to_key, key_to_character
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import DEFINITIONS, listing_of
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House
from tui_casino.records.ledger import OPENING_BALANCE, OpenSitting
from tui_casino.records.replay import ProofLevel, replay_log, verify_log
from tui_casino.records.session_log import SessionLog, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace
from tui_casino.tui.app import Arcade, StartOptions
from tui_casino.tui.history.summary_screen import SummaryWindow
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ConfirmationDialog
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.pacing import Pacing
from tui_casino.tui.table.seated_table import GAME
from tui_casino.tui.terminal.detection import ColourDepth, GlyphSet, TerminalCapabilities, prepare
from tui_casino.tui.terminal.input_reader import RepeatedKey
from tui_casino.tui.widgets.command_line import CommandLine
from tui_casino.tui.widgets.key_bar import KeyBar
from tui_casino.tui.widgets.title_bar import HasNotices, MessageLine

os.environ["TZ"] = "UTC"  # screens show local time
time.tzset()

ME = "player"
STILL = Settings(animation=False)
WHOLE_BALANCE = 10**9
TRUE = TerminalCapabilities(ColourDepth.TRUE, GlyphSet.UNICODE)
TURNS, QUIET, ROUNDS = 100, 3, 4
"""How long :func:`settle` waits, because messages cause more messages.

The values are the largest number of turns of the event loop between two paints of the screen, the
number of idle turns in a row after which it paints at once, and the number of paints."""
PATIENCE = 20.0
"""Seconds after which a test stops waiting; a busy machine may need several."""


def clock() -> int:
    return 1_767_225_600_000  # the first moment of 2026


def practice(folder: Path) -> House:
    """Return a house for free play, without a ledger."""
    return House(folder / "logs", None, ME, clock=clock, folder=folder)


def with_purse(folder: Path, cents: int = OPENING_BALANCE) -> House:
    """Return a house with a ledger; a balance other than the usual one is from an old session."""
    ledger = SqliteLedger(folder / "ledger.db")
    if cents != OPENING_BALANCE:
        ledger.buy_in(OpenSitting("old", "video-poker", folder, None, OPENING_BALANCE), ME, at=0)
        ledger.cash_out("old", cents, None, at=0)
    return House(folder / "logs", ledger, ME, clock=clock, folder=folder)


def arcade(
    house: House,
    terminal: TerminalCapabilities = TRUE,
    settings: Settings = STILL,
    *,
    whole_balance: bool = True,
    **more: Any,
) -> Arcade:
    """Return the app as the program makes it for this terminal, not for the real one.

    With ``whole_balance``, the player takes it to a table, unless the house limits the buy-in.
    """
    if whole_balance and house.ledger is not None:
        house = replace(house, buy_in=house.buy_in or WHOLE_BALANCE)
    with patch.dict(os.environ):
        ansi_color = prepare(terminal, os.environ)
        start = StartOptions(house, terminal, settings, house.logs.parent / "settings.toml", **more)
        return Lasting(start, ansi_color)


class Lasting(Arcade):
    """The arcade with notices that do not disappear, even if the machine is slow."""

    NOTIFICATION_TIMEOUT = 3600.0


def shuffles(*seeds: int) -> Callable[[], CommittedSource]:
    """Return a function that returns shuffles with these seeds, one for each new session."""
    rest = iter(seeds)
    return lambda: CommittedSource(next(rest).to_bytes(32, "big"))


@asynccontextmanager
async def run_app(app: App[None], width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    """Run the app in a window of this size, and yield its pilot."""
    async with app.run_test(size=(width, height), notifications=True) as pilot:
        await settle(pilot)
        yield pilot


@asynccontextmanager
async def at_table(
    house: House,
    seed: int = 1,
    settings: Settings = STILL,
    width: int = 80,
    height: int = 24,
    game: str = "1",
) -> AsyncIterator[Pilot[None]]:
    """Open the table of a game by its key in the menu, with a known seed."""
    async with run_app(
        arcade(house, settings=settings, fresh=shuffles(seed, seed + 1, seed + 2)), width, height
    ) as pilot:
        await press(pilot, game)
        yield pilot


async def settle(pilot: Pilot[None], workers: bool = True) -> None:
    """Wait until nothing more happens without input.

    If ``workers`` is false, do not wait for workers, such as a deal that was stopped.

    Textual's own pilot waits until the processor is idle. That takes longer, and on a busy machine
    it means nothing.
    """
    rounds, heard = 0, asyncio.Event()
    while rounds < ROUNDS:
        if (error := pilot.app._exception) is not None:
            raise error  # the app has ended, and would never hear the call
        pilot.app.call_later(heard.set)  # heard only after an opening table is open
        await _idle()
        pilot.app.screen._on_timer_update()
        rounds += 1
        opens = not heard.is_set() and not pilot.app._exit
        if workers and (opens or any(map(partial(_works, pilot.app), pilot.app.workers))):
            await asyncio.sleep(0.005)
            rounds = 0
        heard.clear()


async def _idle() -> None:
    """Let other tasks run until none is ready, or for at most :data:`TURNS` turns of the loop."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    quiet = 0
    for _ in range(TURNS):
        await asyncio.sleep(0)
        quiet = 0 if ready else quiet + 1
        if quiet == QUIET:
            return


def _works(app: App[None], worker: Worker[Any]) -> bool:
    """Return whether something works, not counting a table that waits for a key or for others."""
    table = app.screen
    if isinstance(table, LiveTable) and (
        table.pacing.waits_for_others or (table.pacing.is_reading and not table.view.is_revealing)
    ):
        return worker.name != "table" and not worker.is_finished
    return not worker.is_finished and not worker.name.startswith("action_")


async def press(pilot: Pilot[None], *keys: str, time: float | None = None) -> None:
    """Press keys by their Textual names, at this time if given; wait for the effect of each one.

    If the table then asks whether to leave an unfinished game, the answer is yes.
    """
    for key in keys:
        send(pilot, key, time)
        await settle(pilot)
        if key == "escape" and _asks_to_leave_game(pilot):
            send(pilot, "y")
            await settle(pilot)


def _asks_to_leave_game(pilot: Pilot[None]) -> bool:
    window = pilot.app.screen
    return (
        isinstance(window, ConfirmationDialog) and window.query_one(".window").border_title == GAME
    )


_CHARACTERS = {"plus": "+", "minus": "-", "slash": "/", "at": "@", "backslash": "\\"}
_CHARACTERS |= {"underscore": "_", "escape": "\x1b"}


async def strike(pilot: Pilot[None], key: str) -> None:
    """Press a key and only wait until the app has received it."""
    send(pilot, key)
    await _idle()


def send(pilot: Pilot[None], key: str, time: float | None = None) -> None:
    """Send a key without waiting."""
    driver = pilot.app._driver
    assert driver is not None
    event = Key(key, _CHARACTERS.get(key) or key_to_character(key))
    event.time = event.time if time is None else time
    event.set_sender(pilot.app)
    driver.send_message(event)


async def hold(pilot: Pilot[None], key: str, character: str, times: int = 60) -> list[bool]:
    """Hold a key down at a table, and return after each repetition whether money is at stake."""
    driver, staked = pilot.app._driver, []
    assert driver is not None
    for _ in range(times):
        driver.send_message(RepeatedKey(key, character).set_sender(pilot.app))
        await settle(pilot)
        staked.append(bool(table(pilot.app).sitting.staked))
    return staked


async def type_line(pilot: Pilot[None], line: str) -> None:
    """Type a line letter by letter, and send it with Enter."""
    await press(pilot, *map(_character_to_key, line), "enter")


async def screen_after(pilot: Pilot[None], *keys: str) -> Screen[Any]:
    """Press keys, and return the screen that is then on top."""
    await press(pilot, *keys)
    return pilot.app.screen


async def text_after(pilot: Pilot[None], *keys: str) -> str:
    """Press keys, and return the text of the screen."""
    await press(pilot, *keys)
    return text(pilot.app)


async def message_after(pilot: Pilot[None], *keys: str) -> str:
    """Press keys, and return the text of the table's message line."""
    await press(pilot, *keys)
    return message_text(pilot.app)


async def click(pilot: Pilot[None], widget: Widget, x: int = 1, y: int = 0) -> None:
    with patch("textual.pilot.wait_for_idle", lambda *_: _idle()):
        await pilot.click(widget, offset=(x, y))
    await settle(pilot)


async def click_key(pilot: Pilot[None], key: str) -> None:
    """Click on a key in the key bar or in the hint line."""
    screen = pilot.app.screen
    bars = (*screen.query(KeyBar), *screen.query(CommandLine))
    ((bar, x),) = ((bar, x) for bar in bars for x, entry in bar.placed() if entry.key == key)
    await click(pilot, bar, x)


async def resize(pilot: Pilot[None], width: int, height: int, *, workers: bool = True) -> None:
    """Resize the terminal, and wait until the screen is laid out anew.

    Textual waits a little for further sizes first; meanwhile the app has its new size already.
    """
    await pilot.resize_terminal(width, height)
    app, size = pilot.app, Size(width, height)
    await until(pilot, lambda: app._size == size and app._resize_event is None, workers=workers)


async def clear_notices(pilot: Pilot[None]) -> None:
    """Remove the notices, which may cover other text."""
    pilot.app.clear_notifications()
    await settle(pilot)


async def until(pilot: Pilot[None], holds: Callable[[], object], *, workers: bool = False) -> None:
    """Wait until a condition holds, and then until its effects are complete.

    If ``workers`` is true, also wait for workers.
    """
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "the condition never held"
        await pilot.pause(0.001)
    await settle(pilot, workers)


async def press_until(pilot: Pilot[None], holds: Callable[[], object], *keys: str) -> None:
    """Press keys, and wait until a condition holds."""
    await press(pilot, *keys)
    await until(pilot, holds)


async def strike_until(pilot: Pilot[None], key: str, holds: Callable[[], object]) -> None:
    """Press a key, and wait until a condition holds."""
    await strike(pilot, key)
    await until(pilot, holds)


@contextmanager
def stopped_after(cards: int) -> Iterator[Callable[[], bool]]:
    """Stop the deal after this number of cards; yield a function that says if it has stopped."""
    lie = False

    begun: int | None = None

    def pace(pacing: Pacing[Any, Any, Any, Any]) -> float:
        nonlocal lie, begun
        dealt = pacing.table._cards
        if begun is None:  # a new shoe, or the first new card
            begun = max(0, dealt - 1)
        lie = lie or dealt - begun == cards
        return 1e6 if lie else 0.0

    with patch.object(Pacing, "pace", property(pace)):
        yield lambda: lie


# ---- the screen ----------------------------------------------------------------------------------


def lines(app: App[Any]) -> list[str]:
    """Return the lines of the screen in their full width."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def text(app: App[Any]) -> str:
    return "\n".join(line.rstrip() for line in lines(app))


def message_text(app: App[Any]) -> str:
    """Return the text of the table's message line."""
    return str(table(app).query_one(MessageLine).content)


def hint_text(app: App[Any]) -> str:
    """Return the message shown instead of the hints: its mark, word and text."""
    line: CommandLine = table(app).line
    message = line.meaning if line.value else line.current_message
    return (
        ""
        if message is None
        else " ".join(filter(None, (message.mark, message.word, message.text)))
    )


def hints(app: App[Any]) -> list[str]:
    """Return the hints of the table; disabled hints are in brackets."""
    shown = ((hint, f"{hint.display} {hint.words}") for hint in table(app).line.hints)
    return [words if hint.enabled else f"({words})" for hint, words in shown]


def typing(app: App[Any]) -> str:
    """Return the text in the command line of the table."""
    line: CommandLine = table(app).query_one(CommandLine)
    return line.value


def notes(app: App[Any]) -> list[str]:
    """Return the notices that were shown, oldest first."""
    assert isinstance(app, HasNotices)
    return [notice.text for notice in app.notices.history]


def table(app: App[Any]) -> Any:
    """Return the screen of the open table, even if windows cover it."""
    (screen,) = (screen for screen in app.screen_stack if isinstance(screen, LiveTable))
    return screen


def state(pilot: Pilot[None]) -> Any:
    """Return the state that the player sees at the open table."""
    return table(pilot.app).view.seen


async def leave(pilot: Pilot[None]) -> None:
    """Go back to the menu; a bet stays on the table."""
    if typing(pilot.app) or hint_text(pilot.app).startswith("refused"):
        await press(pilot, "escape")
    await press(pilot, "escape")
    if isinstance(pilot.app.screen, ConfirmationDialog):
        await press(pilot, "y")
    if isinstance(pilot.app.screen, SummaryWindow):
        await press(pilot, "escape")
    assert isinstance(pilot.app.screen, Menu)


# ---- the books ----------------------------------------------------------------------------------


NET: dict[str, tuple[str, Callable[[dict[str, Any]], int]]] = {
    "video-poker": ("RoundPaid", lambda event: 100 * (event["won"] - event["coins"])),
    "baccarat": ("CoupOver", lambda event: sum(event["paid"]) - 100 * sum(event["bets"])),
    "thirty-one": (
        "RoundOver",
        lambda event: (
            event["insurance_back"]
            - event["insurance"]
            + sum(hand["back"] - hand["bet"] for hand in event["hands"])
        ),
    ),
    "five-card-draw": ("HandOver", lambda event: 100 * (event["won"][0] - event["put_in"][0])),
}
"""The event that ends a round, and its net result in cents, by game; from the log only."""


def net_of(log: SessionLog) -> int:
    """Return the net result of all rounds of a log in cents, by NET or the game's tally."""
    if log.header.game in NET:
        ends, brought = NET[log.header.game]
        message = [event for line in log.lines for event in json.loads(line)["ev"]]
        return sum(brought(event) for event in message if event["is"] == ends)
    definition = listing_of(log.header.game).definition()
    tally = definition.tally(Seat(0))
    for played in replay_log(definition.game, log):
        for event in played.events:
            tally = tally.add(definition.game.hear(played.state, event, Seat(0)))
    net: int = definition.game.unit * (tally.won - tally.wagered)
    return net


def check_books(house: House) -> None:
    """Check that the balance equals the result of all rounds, and verify every log."""
    ledger = house.ledger
    assert ledger is not None
    open_ones = {entry.log: entry for entry in ledger.open_sittings(ME)}
    should = ledger.debt(ME) + OPENING_BALANCE
    for path in sorted(house.logs.glob("*.jsonl")):
        log = read_log(path)
        verdict = verify_log(
            DEFINITIONS[log.header.game], log, ledger.checkpoint_of(path, (log.head, log.hash))
        )
        assert verdict.reason is None, verdict
        if path in open_ones:
            should -= open_ones[path].bought_in
        else:
            assert log.end is not None
            assert verdict.proof is ProofLevel.AUTHENTIC
            should += net_of(log)
    assert ledger.balance(ME) == should


def logged_actions(house: House) -> list[list[Any]]:
    """Return the player's actions in the newest log, as lists of the name and the values."""
    path = max(house.logs.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    actions = [
        json.loads(line)["do"] for line in read_log(path).lines if json.loads(line)["by"] == 0
    ]
    return [[action.pop("is"), *action.values()] for action in actions]
