"""Limits on a terminal's input: window sizes, sequences, pastes, and the app's queue."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.message import Message
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import arcade, notes, run_app, settle, with_purse
from tests.helpers.parameter_ids import value_id
from tui_casino.inputs.escape_limiter import LONGEST_PASTE, PATIENCE, EscapeLimiter
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.terminal.driver import MOST_COLUMNS, MOST_ROWS, GuardedDriver, clamp_size
from tui_casino.tui.terminal.input_reader import (
    FLOOD_ENDS,
    LONGEST,
    MOST,
    REPEAT_ENDS,
    InputReader,
    MessageBacklog,
    RepeatedKey,
)

OPENS, CLOSES = "\x1b[200~", "\x1b[201~"
KNOWN = ("\x1b[A", "\x1b[1;5C", "\x1b[97;1;97u", "\x1b[<35;500;200M", "\x1b[48;24;80;480;800t")
LONG = ("\x1b[" + "1;" * 200 + "A", "\x1b[" + "9" * 200_000 + "u", "\x1b[" + "0" * 40 + "$y")


def test_terminal_window_size_is_limited() -> None:
    assert clamp_size(80, 24) == (80, 24)
    assert clamp_size(65_535, 20_000) == (MOST_COLUMNS, MOST_ROWS)
    assert clamp_size(0, -1) == (1, 1)


# ---- the limiter --------------------------------------------------------------------------------


def cut(text: str, places: list[int]) -> list[str]:
    ends = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[begin:end] for begin, end in pairwise(ends)]


PIECES = st.sampled_from(
    [*KNOWN, *LONG, "d", "b 5\r", "é", "\x1b", "\x1b\x1b", "\x1b[[A", "[", "\t"]
)


@given(st.lists(PIECES, max_size=12), st.lists(st.integers(0, 10**6), max_size=6))
def test_escape_limiter_drops_only_long_sequences_however_they_are_split(
    pieces: list[str], places: list[int]
) -> None:
    """Of a sequence that is too long an Escape may have passed, if it came alone."""
    typed_text = [f"{piece}." if piece in ("\x1b", "\x1b\x1b", "[") else piece for piece in pieces]
    text, limiter = "".join(typed_text), EscapeLimiter(LONGEST)
    passed = "".join([*map(limiter.filter, parts := cut(text, places)), limiter.flush()])
    alone = [part for part in parts if part.endswith("\x1b")]
    expected = "".join(piece for piece in typed_text if piece not in LONG)
    if alone:
        passed, expected = passed.replace("\x1b", ""), expected.replace("\x1b", "")
    assert passed == expected


@given(st.text("\x1b[0;<?~ umAé", max_size=200), st.lists(st.integers(0, 200), max_size=6))
def test_escape_limiter_drops_too_long_sequences(text: str, places: list[int]) -> None:
    limiter = EscapeLimiter(LONGEST)
    passed = "".join(map(limiter.filter, cut(text, places)))
    for part in passed.split("\x1b[")[1:]:
        body = part[: next((n for n, c in enumerate(part) if not " " <= c <= "?"), len(part))]
        assert len(body) + 2 < LONGEST
    assert len(limiter.flush()) < LONGEST


def test_escape_limiter_holds_back_the_start_of_a_sequence_briefly() -> None:
    limiter = EscapeLimiter(LONGEST)
    assert limiter.filter("\x1b") == "\x1b", "the key itself waits for nothing here"
    assert limiter.filter("[1;1") == ""
    assert limiter.filter("A") == "[1;1A", "it was the beginning of a sequence"
    assert limiter.filter("\x1b") == "\x1b"
    assert limiter.filter("[" + "1;" * 100_000 + "A") == ""
    assert limiter.filter("\x1b") == "\x1b"
    assert limiter.flush() == ""
    assert limiter.filter("[1") == "[1", "it was the key"
    assert limiter.filter("d\x1b[") == "d"
    assert limiter.flush() == "\x1b["
    assert limiter.filter("A") == "A"
    assert limiter.filter("\x1b[1;" * 1 + "5") == ""
    assert limiter.filter("C") == "\x1b[1;5C"


def test_escape_limiter_stops_dropping_a_sequence_after_a_pause() -> None:
    limiter = EscapeLimiter(LONGEST)
    assert limiter.filter("\x1b[" + "1" * 1000) == ""
    assert limiter.filter("22222") == ""
    assert limiter.flush() == ""
    assert limiter.filter("h 1 2\r") == "h 1 2\r"


def test_escape_limiter_cuts_and_closes_a_long_paste() -> None:
    limiter = EscapeLimiter(LONGEST)
    passed = limiter.filter(OPENS + "x" * 1_000_000 + "\x1b[A" + CLOSES + "d")
    assert passed == OPENS + "x" * LONGEST_PASTE + CLOSES + "d"
    assert limiter.filter(f"{OPENS}b 5{CLOSES}") == f"{OPENS}b 5{CLOSES}", "the next one has room"


def test_escapes_in_a_paste_and_too_long_answers_are_dropped() -> None:
    limiter = EscapeLimiter(LONGEST)
    assert limiter.filter(f"{OPENS}b \x1b[A5{CLOSES}") == f"{OPENS}b [A5{CLOSES}"
    assert limiter.filter("\x1b]52;c;" + "y" * 100_000 + "\x07d") == "d"
    assert limiter.filter("\x1b]11;rgb:0/0/0\x07") == "\x1b]11;rgb:0/0/0\x07"


def test_end_of_a_paste_is_recognised_in_two_pieces() -> None:
    limiter = EscapeLimiter(LONGEST)
    passed = limiter.filter(OPENS + "b 5" + CLOSES[:3]) + limiter.flush()
    assert passed + limiter.filter(CLOSES[3:] + "d") == f"{OPENS}b 5{CLOSES}d"


def test_escape_limiter_closes_a_paste_without_an_end() -> None:
    limiter = EscapeLimiter(LONGEST)
    assert limiter.filter(OPENS + "b 5") == OPENS + "b 5"
    quiet = [limiter.flush() for _ in range(PATIENCE)]
    assert quiet == [*[""] * (PATIENCE - 1), CLOSES]
    assert limiter.filter("q") == "q"


# ---- the intake ---------------------------------------------------------------------------------


def typed(messages: Iterator[Message]) -> list[str]:
    return [message.key for message in messages if isinstance(message, events.Key)]


def test_key_is_read_after_invalid_input_bytes() -> None:
    for nonsense in (b"\x1b[99999999999u", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[97;2;1114112:65u"):
        intake = InputReader()
        [*intake.feed(nonsense)]
        assert typed(intake.feed(b"d"))[-1] == "d"


@pytest.mark.parametrize("flood", LONG)
def test_flood_of_keys_is_not_read_as_typed_text(flood: str) -> None:
    intake = InputReader()
    raw = flood.encode()
    blocks = (raw[at : at + 4096] for at in range(0, len(raw), 4096))
    assert [key for block in blocks for key in typed(intake.feed(block))] == []
    assert typed(intake.feed(b"d")) == ["d"]


def read(messages: Iterator[Message]) -> list[str]:
    return [
        message.key if isinstance(message, events.Key) else type(message).__name__
        for message in messages
    ]


TEXTS = ("some words, as of a letter\r", "\r\n", "7 8 9\t", "b 5\rd\r", "日本\n", " ")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("block", [256, 4096])
def test_unmarked_paste_is_dropped_with_one_message(text: str, block: int) -> None:
    now = 0.0
    intake, raw = InputReader(clock=lambda: now), (text * 100_000).encode()[:100_000]
    messages = []
    for at in range(0, len(raw), block):
        messages += read(intake.feed(raw[at : at + block]))
        now += 0.05  # as over a slow connection, and it is still faster than anybody types
    assert messages == ["InputFlooded"]
    assert read(intake.feed(b"\r\x1b[A\x11")) == [], "still the end of the paste"
    now += FLOOD_ENDS
    assert read(intake.feed(b"d\r")) == ["d", "enter"]
    now += FLOOD_ENDS
    assert read(intake.feed(raw)) == ["InputFlooded"], "the next paste"


def test_keys_at_the_rate_of_hands_lines_and_repeats_are_not_dropped() -> None:
    now = 0.0
    intake = InputReader(clock=lambda: now)
    for _ in range(1000):
        now += 1 / 60
        assert read(intake.feed(b" ")) == ["space"], "a held key"
    for _ in range(100):
        now += 1.0
        assert read(intake.feed(b"b 5\r" * 20)) == ["Paste", "enter"] * 20, (
            "after a slow connection"
        )
    assert read(intake.feed(b"\x1b[A" * 1000)) == ["up"] * 1000, "no paste contains them"
    assert read(intake.feed(f"{OPENS}{'x' * 9000}{CLOSES}".encode())) == ["Paste"]


def held(intake: InputReader, *pieces: bytes) -> str:
    """Return a letter for each key: ``r`` for a repeated one, ``k`` for others."""
    keys = (key for piece in pieces for key in intake.feed(piece) if isinstance(key, events.Key))
    return "".join("r" if isinstance(key, RepeatedKey) else "k" for key in keys)


@pytest.mark.parametrize("space", [b" ", b"\x1b[32;1;32u"], ids=["character", "kitty"])
@pytest.mark.parametrize("gap", [1 / 60, 1 / 30, 0.0917])
def test_held_key_is_recognised_by_its_rate_until_another_key_or_a_pause(
    space: bytes, gap: float
) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += gap
        return now

    intake = InputReader(clock=clock)
    assert held(intake, *[space] * 20) == "kkk" + "r" * 17
    assert held(intake, b"\x1b[A", *[space] * 5) == "kkkkrr", "an arrow ends it"
    assert held(intake, b"5", space) == "kk"
    now += REPEAT_ENDS
    assert held(intake, *[space] * 4) == "kkkr", "the pause ended it"
    now += REPEAT_ENDS - 2 * gap
    assert held(intake, space) == "r", "a held key over a slow connection"


def test_key_pressed_again_and_again_by_hand_is_not_a_held_key() -> None:
    now = 0.0
    intake = InputReader(clock=lambda: now)
    for _ in range(50):
        now += 0.125
        assert held(intake, b" ") == "k"
    assert held(intake, b"12 3 45 1 1 1") == "k" * 13, "different keys at the same time"


LOCKS = (0, 64, 128, 192)
"""The bits of Caps Lock and Num Lock (https://sw.kovidgoyal.net/kitty/keyboard-protocol)."""
SHIFT, CTRL = 1, 4
KITTY_KEYS = [
    *[(32, bits, "space", " ") for bits in (0, SHIFT, CTRL, SHIFT | CTRL)],
    *[(number, bits, "enter", "") for number in (13, 57414) for bits in (0, SHIFT, CTRL)],
    *[(27, bits, "escape", "") for bits in (0, SHIFT)],
    *[(127, bits, "backspace", "") for bits in (0, SHIFT)],
    *[(57399 + digit, 0, str(digit), str(digit)) for digit in range(10)],
    (57409, 0, "full_stop", "."),
    (57410, 0, "slash", "/"),
    (57411, 0, "asterisk", "*"),
    (57412, 0, "minus", "-"),
    (57413, 0, "plus", "+"),
    (57415, 0, "equals_sign", "="),
    *[(57417 + place, 0, name, "") for place, name in enumerate(("left", "right", "up", "down"))],
    (100, 0, "d", "d"),
]


@pytest.mark.parametrize("locks", LOCKS)
@pytest.mark.parametrize(("number", "bits", "name", "character"), KITTY_KEYS, ids=value_id)
def test_key_of_the_kitty_protocol_is_read_as_the_key_of_other_terminals(
    number: int, bits: int, name: str, character: str, locks: int
) -> None:
    codes = [f"{number};{1 + bits + locks}"]
    if character:
        codes.append(f"{codes[0]};{ord(character)}")
    for code in codes:
        (key,) = InputReader().feed(f"\x1b[{code}u".encode())
        assert isinstance(key, events.Key)
        assert key.key == name
        assert not character or key.character == character


def test_keys_with_modifiers_in_other_protocols_are_read_as_usual_keys() -> None:
    read_keys = {
        raw: read(InputReader().feed(raw))
        for raw in (
            b"\x00",
            b"\x1b[27;2;32~",
            b"\x1b[27;5;13~",
            b"\x1b[27;2;13~",
        )
    }
    assert [*read_keys.values()] == [["space"], ["space"], ["enter"], ["enter"]]


def test_letter_received_in_two_pieces_is_read_as_one() -> None:
    intake = InputReader()
    assert typed(intake.feed(b"\xc3")) == []
    (key,) = intake.feed(b"\xa9")
    assert isinstance(key, events.Key)
    assert key.character == "é"


def escaped(intake: InputReader) -> list[str]:
    """Press Escape, and wait until the reader takes it for a key."""
    keys = typed(intake.feed(b"\x1b"))
    assert intake.is_unfinished
    while not keys:
        time.sleep(0.01)
        keys = typed(intake.tick())
    return keys


@pytest.mark.parametrize("rest", ["[C", "[1;5C", "[3~", "OP"])
def test_late_rest_of_a_key_sequence_is_not_read_as_text(rest: str) -> None:
    now = 0.0
    intake = InputReader(clock=lambda: now)
    assert escaped(intake) == ["escape"]
    assert not intake.is_unfinished
    now = 0.5
    assert typed(intake.feed(rest.encode())) == []
    assert typed(intake.feed(b"d")) == ["d"]


def test_text_typed_soon_after_escape_is_read() -> None:
    now = 0.0
    intake = InputReader(clock=lambda: now)
    assert escaped(intake) == ["escape"]
    assert typed(intake.feed(b"h")) == ["h"]
    assert escaped(intake) == ["escape"]
    now = 2.0
    assert typed(intake.feed(b"[3")) == ["left_square_bracket", "3"]


def test_key_sequence_received_in_two_pieces_is_read_as_one_key() -> None:
    now = 0.0
    intake = InputReader(clock=lambda: now)
    assert typed(intake.feed(b"\x1b")) == []
    now = 0.15
    assert typed(intake.feed(b"[C")) == ["right"]


# ---- answers of the terminal --------------------------------------------------------------------

ANSWERS = (
    *("\x1b[?0u", "\x1b[?15u", "\x1b[8;24;80t", "\x1b[4;600;800t", "\x1b[6;20;10t", "\x1b[1t"),
    *("\x1b[?62;22c", "\x1b[>0;276;0c", "\x1b[=0;0c", "\x1b[12;40R", "\x1b[?12;40R", "\x1b[0n"),
    *("\x1b[?997;1n", "\x1b[2;1;1;112;112;1;0x", "\x1b[?2026;2$y", "\x1b[4;1$y", "\x1b[?1;0;256S"),
    *("\x1b[1;2;3;4u", "\x1b[0*{", "\x1b[3;1$w", "\x1b[!p", "\x1b[ q", "\x1b[1@", "\x1b[5i"),
    *("\x1b]4;1;rgb:cd/00/00\x07", "\x1b]11;rgb:0/0/0\x1b\\", "\x1b]52;c;aGVsbG8=\x07"),
    *("\x1bP1$r0m\x1b\\", "\x1bP>|xterm(390)\x1b\\", "\x1bP+r544e=78\x1b\\", "\x1bP!|0\x1b\\"),
    *("\x1b_Gi=1;OK\x1b\\", "\x1b^private\x1b\\", "\x1bXstart\x1b\\"),
    *("\x9b?0u", "\x9d11;rgb:0/0/0\x9c", "\x90>|foot\x9c"),
)
"""Answers and reports of terminals, by the lists of xterm, kitty and ECMA-48."""
RANDOM_ANSWERS = st.builds(
    "\x1b[{}{}{}{}".format,
    st.sampled_from(["?", ">", "=", "<"]),
    st.text("0123456789;:", max_size=12),
    st.sampled_from(["", " ", "$", "*", "!"]),
    st.characters(min_codepoint=0x40, max_codepoint=0x7E, exclude_characters="Mm"),
)
"""Any control sequence with a private mark; no key has one, only the mouse (M and m)."""
LINUX_F1 = "\x1b[[A"


def keys_of(intake: InputReader, *pieces: str) -> list[str]:
    """Return the keys and the pasted texts of some input, and the next key."""
    messages = [message for piece in pieces for message in intake.feed(piece.encode())]
    pastes = [message.text for message in messages if isinstance(message, events.Paste)]
    return typed(iter(messages)) + pastes


@pytest.mark.parametrize("answer", ANSWERS)
def test_answer_of_the_terminal_is_no_key_however_it_is_split(answer: str) -> None:
    for at in range(len(answer)):
        intake = InputReader()
        assert keys_of(intake, answer[:at], answer[at:]) == []
        assert keys_of(intake, "d") == ["d"]


@given(st.lists(st.one_of(RANDOM_ANSWERS, st.sampled_from(ANSWERS)), min_size=1, max_size=5))
def test_no_private_control_sequence_becomes_a_key(answers: list[str]) -> None:
    intake = InputReader()
    assert keys_of(intake, "".join(answers)) == []
    assert keys_of(intake, "d") == ["d"]


@pytest.mark.parametrize("answer", [one for one in ANSWERS if one.startswith("\x1b")])
def test_answer_that_stalls_for_a_moment_is_no_key(answer: str) -> None:
    """An Escape alone is a key by then, and so is an Escape with one more character, with Alt."""
    for at in range(3, len(answer)):
        now = 0.0
        intake = InputReader(clock=lambda: now)  # noqa: B023
        keys = keys_of(intake, answer[:at]) + typed(intake.tick())
        now = 0.5
        assert keys + keys_of(intake, answer[at:]) == []
        assert keys_of(intake, "d") == ["d"]


def test_keys_with_modifiers_of_every_protocol_still_act() -> None:
    sequences = {
        "\x1b[A": "up",
        "\x1b[1;5C": "ctrl+right",
        "\x1b[15~": "f5",
        "\x1b[Z": "shift+tab",
        "\x1b[97;5u": "ctrl+a",
        LINUX_F1: "f1",
        "\x1bOP": "f1",
    }
    assert {text: keys_of(InputReader(), text) for text in sequences} == {
        text: [key] for text, key in sequences.items()
    }
    rxvt = InputReader()
    assert keys_of(rxvt, "\x1b[23$") + typed(rxvt.tick()) == ["f23"]


# ---- the valve and the driver -------------------------------------------------------------------


class Window(GuardedDriver, HeadlessDriver):
    """A driver whose terminal says that it is huge."""

    says = 20_000, 20_000
    ends = False
    sent = 0

    def send_message(self, message: Message) -> None:
        self.sent += 1
        super().send_message(message)

    def terminal_size(self) -> tuple[int, int]:
        return self.says

    def should_stop(self) -> bool:
        return self.ends


class Slow(App[None]):
    """An app that needs a while for each key; what waits is counted."""

    heard = 0
    moved = 0

    def __init__(self) -> None:
        super().__init__(driver_class=Window)

    @property
    def window(self) -> Window:
        assert isinstance(self._driver, Window)
        return self._driver

    def running(self) -> AbstractAsyncContextManager[Pilot[None]]:
        return self.run_test(headless=False)

    async def on_key(self) -> None:
        self.heard += 1
        await asyncio.sleep(0)

    def on_mouse_move(self) -> None:
        self.moved += 1


def key() -> events.Key:
    return events.Key("d", "d")


def move() -> events.MouseMove:
    return events.MouseMove(None, 1, 1, 0, 0, 0, False, False, False)


def flooded(app: Slow, messages: Iterator[Message]) -> tuple[Thread, list[int]]:
    """Give an app messages from a thread, as a driver does; and how many waited at most."""
    driver, waiting = app.window, [0]

    def read() -> None:
        for message in messages:
            driver.process_message(message)
            waiting[0] = max(waiting[0], app._message_queue.qsize())

    thread = Thread(target=read)
    thread.start()
    return thread, waiting


async def test_unmarked_paste_in_the_menu_opens_nothing_and_is_explained(tmp_path: Path) -> None:
    app, intake = arcade(with_purse(tmp_path)), InputReader()
    async with run_app(app) as pilot:
        assert isinstance(app.screen, Menu)
        for message in intake.feed(b"line\r\n" * 500):
            message.set_sender(app)
            app.post_message(message)
        await settle(pilot)
        assert isinstance(app.screen, Menu)
        assert notes(app) == ["Text arrived too fast to be typed, and was ignored."]


async def joined(thread: Thread) -> None:
    while thread.is_alive():
        await asyncio.sleep(0.001)


async def test_keys_wait_while_the_message_queue_is_full_and_none_is_lost() -> None:
    app = Slow()
    async with app.running() as pilot:
        thread, waiting = flooded(app, (key() for _ in range(500)))
        await joined(thread)
        await pilot.pause()
        assert app.heard == 500
        assert waiting[0] <= 2 * MOST, "of ours, and what the framework adds for them"


async def test_mouse_events_are_dropped_if_the_message_queue_is_full() -> None:
    app = Slow()
    async with app.running() as pilot:
        before = app.window.sent
        thread, _ = flooded(app, (move() for _ in range(5_000)))
        thread.join()  # the app has no turn meanwhile
        assert app.window.sent - before == MOST
        await pilot.pause()
        thread, _ = flooded(app, iter([key()]))
        await joined(thread)
        await pilot.pause()
        assert app.heard == 1, "afterwards all is as before"


async def test_input_thread_stops_waiting_for_a_full_queue_when_the_app_ends() -> None:
    app = Slow()
    async with app.running() as pilot:
        app.window.ends = True
        thread, _ = flooded(app, (key() for _ in range(100)))
        thread.join()
        assert app.window.backlog.is_full
        await pilot.pause()


async def test_keys_after_the_end_of_the_app_are_not_delivered() -> None:
    app = Slow()
    async with app.running():
        app.exit()
        thread, _ = flooded(app, iter([key()]))
        thread.join()
    assert app.heard == 0


async def test_lost_wakeup_of_the_input_thread_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the screen that it went through is closed."""
    monkeypatch.setattr("tui_casino.tui.terminal.input_reader._AGAIN", 0.0)
    lost: list[int] = []
    through = MessageBacklog._through_screen

    def once(self: MessageBacklog, raw: int) -> None:
        if len(lost) < 2:
            lost.append(raw)
        else:
            through(self, raw)

    monkeypatch.setattr(MessageBacklog, "_through_screen", once)
    app = Slow()
    async with app.running() as pilot:
        thread, _ = flooded(app, (key() for _ in range(3 * MOST)))
        await joined(thread)
        await pilot.pause()
        assert app.heard == 3 * MOST
        assert len(lost) == 2


async def test_window_size_reported_by_the_terminal_is_limited() -> None:
    sizes: list[Any] = []

    class Sized(Slow):
        def on_resize(self, event: events.Resize) -> None:
            sizes.append(event.size)

    app = Sized()
    async with app.running() as pilot:
        driver = app.window
        sizes.clear()
        driver.process_message(events.Resize.from_dimensions((90, 30), None))
        await pilot.pause()
        assert sizes == [], "the terminal says another"
        driver.process_message(events.Resize.from_dimensions((20_000, 20_000), (1, 1)))
        await pilot.pause(0.1)
        assert {*sizes} == {Size(MOST_COLUMNS, MOST_ROWS)}
