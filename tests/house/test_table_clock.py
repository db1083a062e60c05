"""The time that a choice may still take, in short and in words."""

from __future__ import annotations

import pytest

from tui_casino.engine.seating import DAY, pace_text
from tui_casino.house.shared_tables import TableLine, TableSeat
from tui_casino.house.table_clock import clock_text, clock_words, seconds_until
from tui_casino.house.table_list import OwnMoves, read_moves


@pytest.mark.parametrize(
    ("seconds", "short", "words"),
    [
        (0, "0 s", "0 seconds"),
        (1, "1 s", "1 second"),
        (119, "119 s", "119 seconds"),
        (120, "2 min", "2 minutes"),
        (179, "2 min", "2 minutes"),
        (3_599, "59 min", "59 minutes"),
        (3_600, "1 h", "1 hour"),
        (3_660, "1 h 1 min", "1 hour and 1 minute"),
        (85_200, "23 h 40 min", "23 hours and 40 minutes"),
        (86_400, "24 h", "24 hours"),
    ],
)
def test_times_in_short_and_in_words(seconds: int, short: str, words: str) -> None:
    assert (clock_text(seconds), clock_words(seconds)) == (short, words)


def test_seconds_until_a_time_are_never_negative() -> None:
    assert [seconds_until(5_999, now) for now in (0, 5_000, 6_000)] == [5, 0, 0]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (15, "15 seconds for each choice"),
        (60, "60 seconds for each choice"),
        (DAY, "a day for each move"),
        (3 * DAY, "3 days for each move"),
    ],
)
def test_pace_in_words(seconds: int, text: str) -> None:
    assert pace_text(seconds) == text


class Lines:
    """Tables with these opponents, where a move is awaited until these times."""

    def __init__(self, *asked: tuple[str, int | None]) -> None:
        self.asked = asked

    def list(self) -> list[TableLine]:
        return [
            TableLine(
                f"AAA{number}",
                "cribbage",
                "open",
                5,
                (TableSeat("Ann", "seated", 0), TableSeat(name, "away", 0)),
                b"{}",
                "",
                own=0,
                seconds=DAY,
                asked_until=until,
            )
            for number, (name, until) in enumerate(self.asked)
        ]


@pytest.mark.parametrize(
    ("asked", "text", "sentence"),
    [
        ((), "", ""),
        ((("Bob", None),), "", ""),
        (
            (("Bob", 4_000_000), ("Cat", None)),
            "Your move: cribbage with Bob, 1 h 5 min left",
            "Your move: cribbage with Bob, 1 hour and 5 minutes left",
        ),
        (
            (("Bob", 4_000_000), ("Cat", 3_000_000), ("Dan", 9)),
            "Your move at 3 tables",
            "Your move at 3 tables",
        ),
    ],
)
def test_own_moves_in_one_line(
    asked: tuple[tuple[str, int | None], ...], text: str, sentence: str
) -> None:
    moves: OwnMoves = read_moves(Lines(*asked))  # type: ignore[arg-type]  # only its list is read
    assert (moves.text(100_000), moves.sentence(100_000)) == (text, sentence)
