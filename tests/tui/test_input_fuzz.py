"""Whatever comes from the keyboard's side, the program lives, and answers the next key."""

from __future__ import annotations

import math
import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.parameter_ids import labelled
from tests.helpers.pty_terminal import Terminal, casino
from tests.tui import monkey
from tests.tui.ledger_audit import books
from tui_casino.cli import BAD_USAGE

HUGE = (0, 1, 65, 0xD800, 0x110000, 99_999, 2**31, 2**63, 99_999_999_999, 10**25)
NASTY = (
    *(b"\x1b[99999999999u", b"\x1b[1114112u", b"\x1b[55296u", b"\x1b[97;1;55296u", b"\x1b[;;;u"),
    *(b"\x1b[97;99999999999u", b"\x1b[97;2;1114112:65u", b"\x1b[::::u", b"\x1b[57358u"),
    *(
        b"\xff\xfe",
        b"\xc3",
        b"\xe2\x82",
        b"\xf0\x9f",
        b"\xed\xa0\x80",
        b"\xc0\xaf",
        b"\xf8\x88\x80",
    ),
    *(b"\x1b[<0;99999999999;99999999999M", b"\x1b[<0;-5;-5M", b"\x1b[<99999999999;1;1m"),
    *(b"\x1b[<35;0;0M", b"\x1b[<67;10;10M", b"\x1b[M\xff\xff\xff", b"\x1b[M   "),
    *(b"\x1b[200~\x00\x07\x1b[31m\r\n\x9b2J\x08 b 5\r\x1b[201~", b"\x1b[200~", b"\x1b[201~"),
    *(b"\x1b[200~" + b"h 1 2 " * 100 + b"\x1b[201~", b"\x1b[200~\xff\xfe\x1b[201~"),
    *(b"\x1b[48;24;80;0;0t", b"\x1b[48;0;0;0;0t", b"\x1b[48;99999;99999;0;0t\x1b[<35;5;5M"),
    *(b"\x1b[48;24;80;999999999;1t", b"\x1b[?2026;2$y", b"\x1b[?2048;1$y", b"\x1b[?2048;9$y"),
    *(b"\x1b[99999999999;99999999999R", b"\x1b[0;0R", b"\x1bP+r\x1b\\", b"\x1b]11;rgb:z\x07"),
    *(b"\x1b[I", b"\x1b[O", b"\x1b" * 40, b"\x1b[" + b"9" * 500, b"\x1bO", b"\x1b[1;5"),
    *(b"\x00" * 50, b"9" * 500 + b"\r", b":b " + b"9" * 500 + b"\r", b"\x1a", b"\x03", b"\x1c"),
    *(b"b \xd9\xa3\r", b":\x1f\r", b"h " + "²".encode() + b"\r", b"\t\x1b[Z", b":s\r", b":?\r"),
)
ENDS = (b"\x11", b"\x1b[113;5u", b"\x1b[81;5u")
"""Keys that quit."""


def random_bytes(dice: random.Random) -> bytes:
    return dice.randbytes(dice.randint(1, 60))


def random_sequence(dice: random.Random) -> bytes:
    """Something that begins like what terminals send, with numbers as no terminal sends them."""
    opening = dice.choice(("\x1b[", "\x1b[<", "\x1b[?", "\x1bO", "\x1b[M", "\x1b[48;", "\x1b[1;"))
    joint = dice.choice((";", ":", ";;"))
    numbers = joint.join(str(dice.choice(HUGE)) for _ in range(dice.randrange(6)))
    return (opening + numbers + dice.choice("uABCDFHPRSMmtyIOZ~$c")).encode()


def random_typing(dice: random.Random) -> bytes:
    letters = "bdhas$?:12345 +-\r\t\x7f♠é\x0b\x17tTeo"
    return "".join(dice.choices(letters, k=dice.randint(1, 12))).encode()


KINDS: tuple[Callable[[random.Random], bytes], ...] = (
    random_bytes,
    random_sequence,
    random_typing,
    lambda dice: dice.choice(NASTY),
)


def answers(terminal: Terminal) -> bool:
    """Tell whether the program still answers keys: one of these does something on any screen."""
    while terminal.watch(1):  # until all that was sent has been dealt with
        pass
    before = len(terminal.raw)
    for key in ("\x1b[201~", "\x1b", "\x1bOP", "n", "\x1bOP"):  # F1 between ways out
        terminal.type(key)
        terminal.rest(0.3)
        if terminal.process.poll() is not None:
            return terminal.process.returncode == 0
    return len(terminal.raw) > before


def at_rest(text: str) -> bool:
    """Tell whether a table shows neither a window nor a half-typed line: Esc leads out alone."""
    return text.count("Esc") == text.count("Esc Leave") == 1 and "Stay (n, Esc)" not in text


def come_home(terminal: Terminal) -> None:
    """Find the way from anywhere to a table, by keys alone."""
    terminal.resize(80, 24)
    until = time.monotonic() + 20
    while terminal.watch(1):  # until all that was sent has been dealt with
        pass
    while "CREDIT" not in terminal.text or not at_rest(terminal.text):
        waits = re.search(r"(\d) resumes it", terminal.text)
        home = waits[1] if waits else "1"
        terminal.type(home if "q Quit" in terminal.text else "\x1b")
        terminal.rest(0.4)
        assert terminal.process.poll() is None, "it has ended"
        assert time.monotonic() < until, f"no way home:\n{terminal.text}"


def no_error(home: Path, description: str) -> None:
    for report in (home / "tmp").glob("tui-casino-error-*"):
        raise AssertionError(f"{description}\n{report.read_text()[-3_000:]}")


STRIKES = {b"\x1c": -signal.SIGQUIT, b"\x03": BAD_USAGE}
"""What strikes whoever is still closing, once the terminal is as it was; and what he ends with."""


def send(terminal: Terminal, dice: random.Random, sent: list[bytes]) -> None:
    """Send some bytes, but no key that quits; the program may quit for all that."""
    chunk = dice.choice(KINDS)(dice)
    for end in ENDS:
        chunk = chunk.replace(end, b"")
    sent.append(chunk)
    terminal.type(chunk)
    terminal.rest(dice.choice((0, 0, 0.005, 0.03)))


def fuzz(home: Path, seed: int, seconds: float) -> None:
    """Send bytes for so long; a program that was asked to quit is started again."""
    dice = random.Random(seed)
    until = time.monotonic() + seconds
    sent: list[bytes] = []
    while time.monotonic() < until:
        with casino(home, "video-poker", "--player", "player") as terminal:
            # a bet may wait at another game, which the bytes before have opened
            terminal.wait_for(lambda text: "CREDIT" in text or "resumes it" in text)
            while terminal.process.poll() is None and time.monotonic() < until:
                send(terminal, dice, sent)
            description = f"seed {seed}; the last that was sent: {sent[-12:]}"
            no_error(home, description)
            if terminal.process.poll() is None:
                assert answers(terminal), description
            else:
                code = terminal.ended()
                latest = b"".join(sent[-12:])
                struck = {end for byte, end in STRIKES.items() if byte in latest}
                assert code in {0, *struck}, f"exit code {code}; {description}\n{terminal.text}"
            assert "Traceback" not in terminal.raw.decode(errors="replace"), description
        no_error(home, description)
        books(home)


@pytest.mark.prove
@pytest.mark.parametrize(("seed", "seconds"), [(1, 3), (2, 60)], ids=["3 seconds", "a minute"])
def test_program_keeps_running_after_random_input_bytes(
    seed: int, seconds: float, tmp_path: Path
) -> None:
    fuzz(tmp_path, seed, seconds)


@pytest.mark.prove
def test_keys_are_answered_after_each_invalid_input_sequence(tmp_path: Path) -> None:
    """One after the other: it lives, and the table is reached and plays."""
    with casino(tmp_path, "video-poker") as terminal:
        terminal.wait_for("CREDIT")
        for nasty in NASTY:
            for keys in (nasty, "\x1b[201~", "\x15"):  # ends a paste; empties the command line
                terminal.type(keys)
                terminal.rest(0.03)
            assert terminal.process.poll() is None, f"{nasty[:60]!r} ended it:\n{terminal.text}"
            no_error(tmp_path, repr(nasty[:60]))
        come_home(terminal)
        terminal.type_until(":$\r", "player's credit is")


def test_a_few_random_keys_and_lines_cause_no_error(tmp_path: Path) -> None:
    assert monkey.play(tmp_path, random.Random(1), math.inf, actions=20)["key"]
    monkey.verify(tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("seed", [1, 2], ids=labelled("seed {}"))
def test_random_keys_and_lines_cause_no_error(seed: int) -> None:
    did = monkey.run(45.0, seed)
    assert did["key"] > 50
    assert did["line"] > 10
