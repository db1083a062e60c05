"""At every table a typed line acts as a whole or not at all, however fast it comes."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import arcade, practice, press, run_app, settle, table, text
from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.quick_cases import by_game, first_of
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.house.table_commands import RefusedCommand
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.terminal.input_reader import InputReader
from tui_casino.tui.widgets import hint_line

SEED = 20_261_123
MANY, FEW = 200, 6
PACES = {"fast": 0.005, "immediately": 0.0, "slowly": 0.12}
"""Seconds between two characters, as the terminal's reader sees them."""
COMMANDS = ("b", "d", "h", "x", "p", "k", "c", "r", "f", "s", "n", "i", "g", "stats", "deck31")
NONSENSE = ("quux", "hello", "yes", "zzz", "bet", "HOLD", "jetzt", "日本", "été", "qq")
WORDS = ("0", "1 1", "1,2", "-1", "x", "99", "999999", "1 2 3 4 5 6 7", "b", "5 q", "2.5", "AS", "")


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what follows a refused letter belong to it, however busy the machine is."""
    monkeypatch.setattr(hint_line, "STRAY_SECONDS", math.inf)


class Typist:
    """Sends characters to a table through the reader of a terminal, whose clock is the test's."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot, self.now = pilot, 0.0
        self.intake = InputReader(clock=lambda: self.now)

    async def type(self, line: str, pace: float) -> None:
        """Type a line; without a pace the reader gets all of it in one piece."""
        for piece in line if pace else [line]:
            self.now += pace or 1.0
            for message in self.intake.feed(piece.encode()):
                driver = self.pilot.app._driver
                assert driver is not None
                message.set_sender(self.pilot.app)
                driver.send_message(message)
            await settle(self.pilot)

    async def strike(self, key: str) -> None:
        """Strike a key, with a pause before and after it."""
        self.now += 1.0
        await self.type(key, 1.0)


@asynccontextmanager
async def seated(listing: GameListing, folder: Path) -> AsyncIterator[Typist]:
    """Sit down at a game, for practice."""
    async with run_app(arcade(practice(folder), seed=7), 100, 30) as pilot:
        typist = Typist(pilot)
        await typist.strike(str(GAMES.index(listing) + 1))
        yield typist


def everything(typist: Typist) -> tuple[object, ...]:
    """Give all that a line may change: log, state, marks, the chosen bet, money, what is open."""
    at = table(typist.pilot.app)
    view, log = at.view, at.sitting.log
    chosen = [getattr(view, name, None) for name in ("coins", "chip", "bet", "weighs")]
    money = at.table.game.money(at.table.state, view.seat)
    return (
        log.steps,
        at.table.state,
        view.selection,
        *chosen,
        money,
        len(typist.pilot.app.screen_stack),
    )


def lines_of(dice: random.Random) -> Iterator[str]:
    """Give lines without end: nonsense, other games' commands, capitals, wrong words."""
    while True:
        if dice.random() < 0.3:
            line = " ".join(dice.choices(NONSENSE, k=dice.randint(1, 3)))
        else:
            line = f"{dice.choice(COMMANDS)}{dice.choice((' ', '  ', ''))}{dice.choice(WORDS)}"
        yield dice.choice((line, line.upper(), line.capitalize())).strip()


def is_wrong(at: Any, line: str) -> bool:
    """Return whether a line is refused at this moment."""
    return isinstance(at.dialogue.read(line, may_undo=at.sitting.may_undo), RefusedCommand)


def is_refused(at: Any) -> bool:
    """Return whether the hint line says that a line is refused."""
    return at.line.current_message is not None and at.line.current_message.mark == "refused"


def acts(at: Any, letter: str) -> bool:
    """Return whether a letter is a key that acts at once at this moment."""
    keys = letter, letter.lower()  # a capital without a meaning is read as a small letter
    bound = next((at.active_bindings[key] for key in keys if key in at.active_bindings), None)
    return bound is not None and bound.enabled


def choices(typist: Typist) -> tuple[object, ...]:
    """Give what choices may change: log, state and money, but not marks and windows.

    At baccarat these are the coups, because a digit places a chip, which another key takes back.
    """
    at = table(typist.pilot.app)
    if hasattr(at.table.state, "coups"):
        return at.table.state.coups, at.table.state.player
    money = at.table.game.money(at.table.state, at.view.seat)
    return at.sitting.log.steps, at.table.state, money


async def check_choices_are_refused(typist: Typist, line: str, pace: float) -> None:
    """Type a wrong line, some keys of which mark or show something, and find no choice made."""
    before, app = choices(typist), typist.pilot.app
    await typist.type(f"{line}\r", pace)
    assert choices(typist) == before, (line, pace)
    at = table(app)
    while not isinstance(app.screen, LiveTable) or at.line.value or is_refused(at):
        await press(typist.pilot, "escape")
    assert choices(typist) == before, (line, pace, "Escape")


async def check_lines(listing: GameListing, folder: Path, count: int) -> None:
    """Type wrong lines between random choices, and find that nothing has changed."""
    dice = random.Random(f"{SEED} {listing.slug}")
    lines = lines_of(dice)
    typed = dict.fromkeys(PACES, 0)
    async with seated(listing, folder) as typist:
        while sum(typed.values()) < count:
            at, line = table(typist.pilot.app), next(lines)
            pace = min(typed, key=lambda name: (typed[name], name))
            if not is_wrong(at, line) or (pace != "immediately" and acts(at, line[0])):
                continue  # such a letter is a key, and what it does is no line
            if pace != "immediately" and any(acts(at, letter) for letter in line):
                await check_choices_are_refused(typist, line, PACES[pace])
                typed[pace] += 1
                continue
            before = everything(typist)
            await typist.type(line, PACES[pace])
            typed_text = at.line.value.lower()  # a capital may be read as its small letter
            assert typed_text == line.lower() or is_refused(at), (line, pace)
            assert everything(typist) == before, (line, pace)
            await typist.strike("\r")
            assert everything(typist) == before, (line, pace, "Enter")
            await typist.strike("\r")
            assert everything(typist) == before, (line, pace, "Enter again")
            said = at.line.current_message
            assert said is None or said.mark == "refused", (line, pace)
            await press(typist.pilot, "escape")  # the reader would wait for what may follow it
            assert everything(typist) == before, (line, pace, "Escape")
            assert isinstance(typist.pilot.app.screen, LiveTable)
            typed[pace] += 1
            if dice.random() < 0.4:
                await typist.strike(dice.choice(" 12"))
    assert min(typed.values()) >= count // len(PACES)


@by_game
@pytest.mark.parametrize("count", first_of([FEW, MANY]))
async def test_invalid_typed_lines_are_answered_and_change_nothing_at_a_table(
    listing: GameListing, count: int, tmp_path: Path
) -> None:
    await check_lines(listing, tmp_path, count)


@by_game
async def test_enter_on_an_empty_command_line_does_nothing(
    listing: GameListing, tmp_path: Path
) -> None:
    async with seated(listing, tmp_path) as typist:
        for _ in range(6):
            before = everything(typist)
            await typist.strike("\r")
            assert everything(typist) == before
            await typist.strike(" ")
        assert table(typist.pilot.app).sitting.log.steps > 0


EXAMPLES = (
    ("video-poker", " ", "H 1 2", True),
    ("video-poker", " ", "b 3", False),
    ("video-poker", "", "D", False),
    ("baccarat", "", "B 25 b", True),
    ("baccarat", "", "h 1 2", False),
    ("five-card-draw", " ", "h 1 2", False),
    ("thirty-one", "", "h 1 2", False),
    ("thirty-one", "", "stats", False),
    ("thirty-one", "", "deck31", False),
    ("cribbage", "", "X", False),
)
"""A game, the keys before, what is typed, and whether it is a command of that moment."""


@pytest.mark.parametrize("pace", first_of(PACES, 2))
@pytest.mark.parametrize(
    ("game", "keys", "line", "valid"),
    EXAMPLES,
    ids=[
        f"{game} {line!r}, {'a command' if valid else 'no command'}{' after a bet' * bool(keys)}"
        for game, keys, line, valid in EXAMPLES
    ],
)
async def test_typed_line_acts_once_if_valid_and_not_at_all_if_invalid(
    game: str, keys: str, line: str, valid: bool, pace: str, tmp_path: Path
) -> None:
    listing = listing_of(game)
    async with seated(listing, tmp_path) as typist:
        for key in keys:
            await typist.strike(key)
        marks = not valid and pace != "immediately" and any(map(str.isdecimal, line))
        fixed = choices if marks else everything  # a digit after a refused letter still marks
        before = fixed(typist)
        await typist.type(line, PACES[pace])
        at = table(typist.pilot.app)
        assert at.line.value == line or (is_refused(at) and not valid)
        assert fixed(typist) == before
        await typist.strike("\r")
        after = fixed(typist)
        if line == "stats":
            assert before[-1] != after[-1], "the page of statistics is open"
        else:
            assert (after != before) is valid
            await typist.strike("\r")
            assert fixed(typist) == after


@by_game
@pytest.mark.parametrize("pace", first_of(["slowly", "fast"]))
async def test_spaces_after_a_refused_letter_and_a_mark_make_no_choice(
    listing: GameListing, pace: str, tmp_path: Path
) -> None:
    async with seated(listing, tmp_path) as typist:
        for _ in range(3):
            before = choices(typist)
            for key in "zz1  2   1 ":
                await typist.type(key, PACES[pace])
                assert choices(typist) == before
            while not table(typist.pilot.app).is_current:
                await press(typist.pilot, "escape")
            await press(typist.pilot, "escape")
            await typist.strike(" ")


def opening_letter(at: LiveTable[Any, Any, Any, Any, Any]) -> str:
    """Return a letter that is no key and no command, but may begin one."""
    return next(
        letter
        for letter in ascii_lowercase
        if not acts(at, letter)
        and not at.labels.can_be_command(f"{letter} ")
        and at.labels.begins_command(letter)
    )


@by_game
async def test_space_after_a_letter_and_a_pause_acts_as_if_the_letter_were_not_typed(
    listing: GameListing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hint_line, "STRAY_SECONDS", -1)  # each key comes after a pause
    async with seated(listing, tmp_path / "a") as typist:
        await typist.strike(" ")
        wanted = choices(typist)
    async with seated(listing, tmp_path / "b") as typist:
        at = table(typist.pilot.app)
        await typist.strike(letter := opening_letter(at))
        assert at.line.value == letter
        await typist.strike(" ")
        assert at.line.value == ""
        assert choices(typist) == wanted


@by_game
async def test_space_soon_after_a_letter_is_refused_together_with_it(
    listing: GameListing, tmp_path: Path
) -> None:
    async with seated(listing, tmp_path) as typist:
        at, before = table(typist.pilot.app), everything(typist)
        letter = opening_letter(at)
        await typist.type(f"{letter} ", PACES["fast"])
        assert (at.line.value, is_refused(at)) == ("", True)
        assert at.line.current_message.word == letter
        await typist.type(" ", PACES["fast"])
        assert everything(typist) == before


async def test_first_escape_clears_a_refusal_and_the_second_leaves_the_table(
    tmp_path: Path,
) -> None:
    async with seated(GAMES[0], tmp_path) as typist:
        await press(typist.pilot, "9")
        assert table(typist.pilot.app).line.current_message.mark == "refused"
        await press(typist.pilot, "escape")
        assert table(typist.pilot.app).is_current
        assert table(typist.pilot.app).line.current_message is None
        await press(typist.pilot, "escape")
        assert isinstance(typist.pilot.app.screen, Menu)


async def test_text_typed_in_the_menu_opens_no_game_and_is_refused(tmp_path: Path) -> None:
    """Not even by the space and the digits in them; Enter ends them, and then chooses again."""
    async with run_app(arcade(practice(tmp_path)), 100, 30) as pilot:
        typist = Typist(pilot)
        for pace in PACES.values():
            await typist.type("b 5 1", pace)
            assert "b 5 1" in text(pilot.app) or pace
            assert "you cannot type commands here." in text(pilot.app)
            await typist.strike("\r")
            assert isinstance(pilot.app.screen, Menu)
        await press(pilot, "escape")
        await typist.strike("\r")
        assert isinstance(pilot.app.screen, LiveTable)


async def test_text_typed_in_a_window_changes_nothing_and_does_not_close_it(tmp_path: Path) -> None:
    async with seated(GAMES[0], tmp_path) as typist:
        await press(typist.pilot, "f1")
        before = everything(typist)
        await typist.type("b 5", PACES["slowly"])
        await typist.strike("\r")
        assert everything(typist) == before
        await typist.strike("\r")
        assert isinstance(typist.pilot.app.screen, LiveTable)


# ---- the reader of a terminal -------------------------------------------------------------------


def read_by(intake: InputReader, *pieces: str) -> list[str]:
    """Give the names of the keys that are read, and the texts in angles."""
    messages = (message for piece in pieces for message in intake.feed(piece.encode()))
    return [m.key if isinstance(m, Key) else f"<{getattr(m, 'text', '')}>" for m in messages]


@pytest.mark.parametrize(
    ("piece", "wanted"),
    [
        ("b", ["b"]),
        ("b 5", ["<b 5>"]),
        ("b 5\r", ["<b 5>", "enter"]),
        ("d\r", ["d", "enter"]),
        ("135 ", ["1", "3", "5", "space"]),
        ("     ", ["space"] * 5),
        ("2 of hearts", ["<2 of hearts>"]),
        ("b 5\rd\rh 1 2\r", ["<b 5>", "enter", "d", "enter", "<h 1 2>", "enter"]),
        ("\x1b[A\x1b[B", ["up", "down"]),
        ("日本", ["<日本>"]),
    ],
    ids=value_id,
)
def test_characters_received_together_with_a_letter_are_read_as_text(
    piece: str, wanted: list[str]
) -> None:
    assert read_by(InputReader(clock=lambda: 0.0), piece) == wanted


@pytest.mark.parametrize("now", [0.0, 0.1, 12.3, 1234.567, 98_765.432], ids=labelled("at {} s"))
def test_characters_received_with_enter_or_an_arrow_are_read_as_keys(now: float) -> None:
    read = read_by(InputReader(clock=lambda: now), "1\r ", "\x1b[A5", "h\r12")
    assert read == ["1", "enter", "space", "up", "5", "h", "enter", "1", "2"]


def test_characters_received_shortly_after_a_letter_are_read_as_text() -> None:
    now = iter((0.0, 0.02, 0.04, 0.2, 1.0, 1.02))
    intake = InputReader(clock=lambda: next(now))
    assert read_by(intake, "b", " ", "5", "6") == ["b", "< >", "<5>", "6"]
    assert read_by(intake, "1", "2") == ["1", "2"]


@pytest.mark.parametrize("end", ["\x07", "\x1b\\"], ids=["BEL", "ST"])
@pytest.mark.parametrize("kind", "P]X^_")
def test_late_terminal_answers_are_not_read_as_typed_text(kind: str, end: str) -> None:
    answer = f"\x1b{kind}11;rgb:1e1e/1e1e/2e2e{end}"
    assert read_by(InputReader(clock=lambda: 0.0), answer, "d") == ["d"]
    assert read_by(InputReader(clock=lambda: 0.0), *answer, "d") == ["d"]


@pytest.mark.parametrize("answer", ["\x1b[>0;276;0c", "\x1b[?62;22c", "\x1b[?12;2$y"])
def test_answers_about_the_terminal_type_are_not_read_as_typed_text(answer: str) -> None:
    assert "d" in read_by(InputReader(clock=lambda: 0.0), answer, "d")
    assert not {*read_by(InputReader(clock=lambda: 0.0), answer)} & {*"0123456789c$y;"}
