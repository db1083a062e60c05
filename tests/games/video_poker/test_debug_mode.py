"""Debug mode: whole sessions from files, byte for byte, and errors about bad input.

A case in ``debug/`` is a command file, a card file, and the output worked out by hand from the
rules; ``cases.toml`` holds the credit at its start.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from tests.helpers.parameter_ids import labelled
from tui_casino.cli import main

CASES = Path(__file__).with_name("debug")
CREDITS: dict[str, int] = tomllib.loads((CASES / "cases.toml").read_text("utf-8"))["credit"]
COURSE = Path(__file__).parents[2] / "data" / "video_poker" / "course-example"
LARGEST_CREDIT = 10**15
THIRTY_NINES = "9" * 30
MANY_NINES = "9" * 5000  # more digits than int() reads by itself

SESSION_OF_THE_COURSE = """
-cmd s
Hand                     Nb
---------------------------
Jacks or Better           0
Two Pair                  1
Three of a Kind           0
Straight                  0
Flush                     0
Full house                0
Four of a Kind            0
Straight Flush            0
Royal Flush               0
Other                     2
---------------------------
Total                     3
---------------------------
Credit        9990 (33.33%)
"""


class Result(Struct, frozen=True):
    """The result of a run: its exit code and the bytes of both streams."""

    code: int
    out: bytes
    err: bytes


Run = Callable[..., Result]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs ``tui-casino video-poker`` with these arguments."""

    def video_poker(*arguments: str | int | Path) -> Result:
        code: str | int | None
        try:
            code = main(["video-poker", *map(str, arguments)])
        except SystemExit as usage_error:
            code = usage_error.code
        assert isinstance(code, int)
        captured = capsysbinary.readouterr()
        return Result(code, captured.out, captured.err)

    return video_poker


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    file = tmp_path / "commands"
    file.write_text("b d h 1 3 s\n", "utf-8")
    return file


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    file = tmp_path / "cards"
    file.write_text("2H KH 2S JS 6D JH TC 9H\n", "utf-8")
    return file


def complaint(result: Result) -> str:
    """Return the error line of a refused run, and check that there is no other output."""
    assert result.out == b""
    assert result.code == 2
    text = result.err.decode("utf-8")
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text.removesuffix("\n")


def expected_of_the_course() -> bytes:
    return b"".join((COURSE / "expected-output.txt").read_bytes().splitlines(keepends=True)[2:])


# -- sessions


@pytest.mark.parametrize("name", CREDITS)
def test_debug_session_prints_the_expected_bytes(name: str, run: Run) -> None:
    result = run("-d", CREDITS[name], CASES / f"{name}.cmd", CASES / f"{name}.cards")
    expected = (CASES / f"{name}.out").read_bytes()
    assert result.out.decode("utf-8") == expected.decode("utf-8")
    assert result.out == expected
    assert (result.code, result.err) == (0, b"")


def test_every_debug_test_file_belongs_to_a_listed_case() -> None:
    whole = {f"{name}.{part}" for name in CREDITS for part in ("cmd", "cards", "out")}
    assert {file.name for file in CASES.iterdir()} == whole | {"cases.toml"}


def test_example_of_the_course_prints_the_expected_bytes(run: Run) -> None:
    result = run("-d", 10000, COURSE / "cmd-file.txt", COURSE / "card-file.txt")
    assert result == Result(0, expected_of_the_course(), b"")


def test_example_of_the_course_with_statistics_prints_the_expected_bytes(run: Run) -> None:
    result = run("-d", 10000, COURSE / "cmd-file-with-s.txt", COURSE / "card-file.txt")
    expected = expected_of_the_course() + SESSION_OF_THE_COURSE.encode()
    assert result == Result(0, expected, b"")


def test_program_in_a_process_prints_the_same_bytes() -> None:
    files = [str(COURSE / "cmd-file.txt"), str(COURSE / "card-file.txt")]
    program = [sys.executable, "-m", "tui_casino", "video-poker", "-d", "10000", *files]
    process = subprocess.run(
        program, cwd=COURSE.parents[3], capture_output=True, check=False, timeout=60
    )
    assert Result(process.returncode, process.stdout, process.stderr) == Result(
        0, expected_of_the_course(), b""
    )


@pytest.mark.parametrize("number", [THIRTY_NINES, MANY_NINES, f"-{MANY_NINES}"])
def test_command_file_may_contain_numbers_of_any_length(
    number: str, run: Run, tmp_path: Path, cards: Path
) -> None:
    commands = tmp_path / "long-numbers"
    commands.write_text(f"b {number} h {number} b 1 d h {number} $", "utf-8")
    result = run("-d", 10, commands, cards)
    assert result.out.decode("utf-8") == (
        f"-cmd b {number}\nb: illegal amount\n\n"
        f"-cmd h {number}\nh: illegal command\n\n"
        "-cmd b 1\nplayer is betting 1\n\n"
        "-cmd d\nplayer's hand 2H KH 2S JS 6D\n\n"
        f"-cmd h {number}\nh: illegal command\n\n"
        "-cmd $\nplayer's credit is 9\n"
    )
    assert (result.code, result.err) == (0, b"")


def test_debug_mode_counts_the_largest_credit_exactly(
    run: Run, tmp_path: Path, cards: Path
) -> None:
    commands = tmp_path / "one-coin"
    commands.write_text("b 1 $", "utf-8")
    result = run("-d", LARGEST_CREDIT, commands, cards)
    assert result.out == (
        b"-cmd b 1\nplayer is betting 1\n\n-cmd $\nplayer's credit is 999999999999999\n"
    )
    assert (result.code, result.err) == (0, b"")


# -- bad files


@pytest.mark.parametrize(
    ("text", "word", "line", "column"),
    [
        ("1H", "1H", 1, 1),
        ("2H KH XX JS 6D", "XX", 1, 7),
        ("2H KH 2S JS 6D\nJH  11D 9H", "11D", 2, 5),
        ("\n\n\tZS", "ZS", 3, 2),
        ("2H KH 2S JS 6D JH TC H9\n", "H9", 1, 22),
        ("2H,KH 2S", "2H,KH", 1, 1),
        ("2H KH 2S JS 6D\r\nJH 0C", "0C", 2, 4),
        ("2H KH 2S JS 6D 7", "7", 1, 16),
        ("2H KH 2S JS 6D TX KY", "TX", 1, 16),  # the first of two
        ("2H KH 2S 2HH", "2HH", 1, 10),
        ("2H b", "b", 1, 4),
    ],
)
@pytest.mark.parametrize("orders", ["b d h 1 3 s", "$", ""])
def test_debug_card_file_with_a_word_that_is_not_a_card_is_refused(
    text: str, word: str, line: int, column: int, orders: str, run: Run, tmp_path: Path
) -> None:
    commands, cards = tmp_path / "commands", tmp_path / "cards"
    commands.write_text(orders, "utf-8")
    cards.write_bytes(text.encode())
    said = complaint(run("-d", 10, commands, cards))
    assert said.startswith(f"tui-casino: {cards}:{line}:{column}: {word!r} is not a card; ")
    what_a_card_is = said.split("; ", 1)[1]
    for part in ("write a rank", "rank", "A 2 3 4 5 6 7 8 9 T J Q K", "suit", "C D H S"):
        assert part in what_a_card_is


def test_debug_card_file_with_the_back_of_a_card_is_refused(
    run: Run, commands: Path, tmp_path: Path
) -> None:
    cards = tmp_path / "cards"
    cards.write_text("2H KH\n2S ?? 6D", "utf-8")
    said = complaint(run("-d", 10, commands, cards))
    assert said.startswith(f"tui-casino: {cards}:2:4: '??' ")


@pytest.mark.parametrize("bad", ["commands", "cards"])
@pytest.mark.parametrize("why", ["No such file", "directory"])
def test_debug_mode_refuses_a_missing_file_or_a_folder(
    bad: str, why: str, run: Run, commands: Path, cards: Path, tmp_path: Path
) -> None:
    (tmp_path / bad).unlink()
    if why == "directory":
        (tmp_path / bad).mkdir()
    said = complaint(run("-d", 10, commands, cards))
    assert said.startswith(f"tui-casino: {tmp_path / bad}: ")
    assert why in said


@pytest.mark.parametrize("bad", ["commands", "cards"])
@pytest.mark.parametrize(
    ("content", "line", "column"),
    [
        (b"\xff2\x00H\x00", 1, 1),
        (b"\n\n \xff", 3, 2),
        (b"2H KH\n2S JS 6D \xff", 2, 10),
        (b"\xef\xbb\xbf2H KH\n2S \xff", 2, 4),  # behind a byte order mark
    ],
)
def test_debug_file_that_is_not_utf_8_is_refused(
    bad: str,
    content: bytes,
    line: int,
    column: int,
    run: Run,
    commands: Path,
    cards: Path,
    tmp_path: Path,
) -> None:
    (tmp_path / bad).write_bytes(content)
    said = complaint(run("-d", 10, commands, cards))
    assert said.startswith(f"tui-casino: {tmp_path / bad}:{line}:{column}: ")
    assert "0xff" in said
    assert "UTF-8" in said


def test_byte_order_mark_in_a_debug_file_is_ignored(run: Run, tmp_path: Path) -> None:
    commands, cards = tmp_path / "commands", tmp_path / "cards"
    commands.write_text("b d", "utf-8-sig")
    cards.write_text("2H KH 2S JS 6D", "utf-8-sig")
    result = run("-d", 10, commands, cards)
    expected = b"-cmd b\nplayer is betting 5\n\n-cmd d\nplayer's hand 2H KH 2S JS 6D\n"
    assert result == Result(0, expected, b"")


# -- bad numbers

NO_WHOLE_NUMBERS = ["x", "", "1_000", "1e3", "5.0", "1,000", "0x10", "²", "- 5", " 5", "nan"]


@pytest.mark.parametrize("credit", NO_WHOLE_NUMBERS)
def test_credit_that_is_not_a_whole_number_is_refused(
    credit: str, run: Run, commands: Path, cards: Path
) -> None:
    for said in (
        complaint(run("-d", credit, commands, cards)),
        complaint(run("-s", credit, 5, 10)),
    ):
        assert said.startswith(f"tui-casino: CREDIT: {credit!r} is not a whole number; ")


@pytest.mark.parametrize("credit", ["-1", "-100000", str(LARGEST_CREDIT + 1), THIRTY_NINES])
def test_debug_credit_out_of_range_is_refused(
    credit: str, run: Run, commands: Path, cards: Path
) -> None:
    for said in (
        complaint(run("-d", credit, commands, cards)),
        complaint(run("-s", credit, 5, 10)),
    ):
        assert said == (
            f"tui-casino: CREDIT: {credit} is out of range; "
            f"give a whole number from 0 to {LARGEST_CREDIT}"
        )


def test_credit_of_thousands_of_digits_is_refused(run: Run, commands: Path, cards: Path) -> None:
    assert "CREDIT" in complaint(run("-d", MANY_NINES, commands, cards))
    assert "CREDIT" in complaint(run("-s", MANY_NINES, 5, 10))


@pytest.mark.parametrize(
    ("name", "number", "limits"),
    [
        *(("BET", number, "from 1 to 5") for number in ("0", "6", "-1", THIRTY_NINES)),
        *(("NBDEALS", number, "") for number in ("-1", THIRTY_NINES)),
    ],
)
def test_bet_or_number_of_deals_out_of_range_is_refused(
    name: str, number: str, limits: str, run: Run
) -> None:
    said = complaint(run("-s", 100, *((number, 10) if name == "BET" else (5, number))))
    assert said.startswith(
        f"tui-casino: {name}: {number} is out of range; give a whole number {limits}"
    )
    assert said.endswith(limits)


@pytest.mark.parametrize("word", ["x", "1.5", "1_0", "1e3", ""])
@pytest.mark.parametrize("place", ["BET", "NBDEALS"])
def test_bet_or_number_of_deals_that_is_not_a_whole_number_is_refused(
    word: str, place: str, run: Run
) -> None:
    bet, deals = (word, 10) if place == "BET" else (5, word)
    said = complaint(run("-s", 100, bet, deals))
    assert said.startswith(f"tui-casino: {place}: {word!r} is not a whole number; ")


def test_debug_mode_refuses_bad_input_before_play(run: Run, commands: Path, tmp_path: Path) -> None:
    cards = tmp_path / "cards"
    cards.write_text("2H KH 2S JS 6D JH TC 9H\n" * 50 + "Joker\n", "utf-8")
    assert f"{cards}:51:1: 'Joker' is not a card" in complaint(run("-d", 10, commands, cards))


# -- bad usage


def usage_error(result: Result) -> str:
    """Return the last line; the usage of the command may be above it."""
    assert result.out == b""
    assert result.code == 2
    text = result.err.decode("utf-8")
    assert "Traceback" not in text
    return text.splitlines()[-1]


@pytest.mark.parametrize("first", ["-d", "-s"])
def test_debug_and_simulation_cannot_be_combined(
    first: str, run: Run, commands: Path, cards: Path
) -> None:
    debug = ("-d", 10, commands, cards)
    simulation = ("-s", 10, 5, 3)
    both = (*debug, *simulation) if first == "-d" else (*simulation, *debug)
    said = usage_error(run(*both))
    assert "-d" in said
    assert "-s" in said
    assert "cannot be combined with" in said


@pytest.mark.parametrize("count", [0, 1, 2], ids=labelled("{} values"))
def test_debug_option_with_fewer_than_three_values_is_refused(
    count: int, run: Run, commands: Path, cards: Path
) -> None:
    said = usage_error(run("-d", *(10, commands, cards)[:count]))
    assert said == "tui-casino: -d: needs 3 values; see tui-casino video-poker --help"
