"""The boards of the daily deals: ranks by cost, weeks and runs."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.helpers.parameter_ids import value_id
from tui_casino.house.daily_ranking import (
    SHOWN,
    Board,
    BoardKind,
    JudgedTry,
    Standing,
    board_lines,
    boards_of,
    days_of,
    empty_text,
)

TODAY = date(2026, 11, 28)
GAME = "video-poker"


def tried(
    player: str, cost: str, marks: str = "1110", back: int = 0, game: str = GAME
) -> JudgedTry:
    day = TODAY - timedelta(days=back)
    return JudgedTry(day, game, player, player.title(), cost, "bets", marks)


def board(kind: BoardKind, *tries: JudgedTry, player: str = "") -> Board:
    (only,) = boards_of(kind, [GAME], tries, player, days_of(kind, TODAY))
    return only


def test_daily_board_ranks_lower_costs_first_and_ties_share_a_rank() -> None:
    shown = board(
        BoardKind.TODAY,
        tried("cem", "1/3"),
        tried("bob", "1/8"),
        tried("ann", "2/16", "0111"),
        tried("dan", "0", "1111"),
        tried("eve", "1/1000", game="cribbage"),
        player="bob",
    )
    assert shown == Board(
        GAME,
        (
            Standing(1, "Dan", "cost 0.00 bets, 4 of 4 best", False, 0.0, "1111"),
            Standing(2, "Ann", "cost 0.12 bets, 3 of 4 best", False, 0.125, "0111"),
            Standing(2, "Bob", "cost 0.12 bets, 3 of 4 best", True, 0.125, "1110"),
            Standing(4, "Cem", "cost 0.33 bets, 3 of 4 best", False, 1 / 3, "1110"),
        ),
        4,
    )


@pytest.mark.parametrize(
    ("kind", "player", "marks"),
    [
        (BoardKind.TODAY, "ann", "0111"),
        (BoardKind.TODAY, "bob", ""),
        (BoardKind.YESTERDAY, "bob", "0111"),
    ],
)
def test_marks_of_today_are_shown_only_to_players_with_a_result(
    kind: BoardKind, player: str, marks: str
) -> None:
    (only,) = board(kind, tried("ann", "1/8", "0111"), player=player).standings
    assert only.marks == marks


def test_tiny_cost_on_the_daily_board_is_not_shown_as_nothing() -> None:
    (only,) = board(BoardKind.TODAY, tried("ann", "1/1000")).standings
    assert only.result.startswith("cost less than 0.01 bets")


def test_weekly_board_counts_the_five_best_days_and_prefers_more_days() -> None:
    everyday = [
        tried("ann", str(cost), back=back) for back, cost in enumerate((9, 1, 2, 3, 4, 5, 8))
    ]
    rarely = [tried("bob", "0", back=back) for back in range(4)]
    shown = board(BoardKind.WEEK, *everyday, *rarely)
    assert [(one.rank, one.name, one.result) for one in shown.standings] == [
        (1, "Ann", "cost 15.00 bets, 5 days"),
        (2, "Bob", "cost 0.00 bets, 4 days"),
    ]


def test_weekly_board_has_a_mark_for_each_day() -> None:
    tries = [tried("ann", "0", "111", back=6), tried("ann", "1", "110"), tried("bob", "1", back=1)]
    ann, bob = board(BoardKind.WEEK, *tries).standings
    assert (ann.marks, ann.amount) == ("1-----0", 1.0)
    assert (bob.marks, bob.amount) == ("-----0-", 1.0)


def test_run_of_best_choices_on_the_board_continues_on_the_next_day() -> None:
    shown = board(
        BoardKind.RUNS,
        tried("ann", "1", "0111", back=1),
        tried("ann", "1", "1101", back=0),
        tried("bob", "1", "1111", back=3),
        tried("cem", "1", "0000"),
    )
    assert [(one.rank, one.name, one.result) for one in shown.standings] == [
        (1, "Ann", "5 best choices"),
        (2, "Bob", "4 best choices"),
    ]
    assert shown.players == 2, "a player without a best choice has no run"
    assert board(BoardKind.RUNS, tried("cem", "1", "0000")).players == 0
    assert empty_text(BoardKind.RUNS) == "Nobody has a run of best choices yet."
    assert empty_text(BoardKind.WEEK) == "Nobody has finished a deal yet."


def test_daily_board_ends_after_the_first_places_and_your_own() -> None:
    tries = [tried(f"p{number:02}", str(number)) for number in range(SHOWN + 5)]
    shown = board(BoardKind.TODAY, *tries, player=f"p{SHOWN + 3}")
    assert [one.rank for one in shown.standings] == [*range(1, SHOWN + 1), SHOWN + 4]
    assert shown.standings[-1].own
    assert shown.players == SHOWN + 5
    assert [*board_lines(shown)][-1] == f"   {SHOWN + 4}  P23: cost 23.00 bets, 3 of 4 best (you)"


@pytest.mark.parametrize(
    ("kind", "first", "count"),
    [
        (BoardKind.TODAY, TODAY, 1),
        (BoardKind.YESTERDAY, date(2026, 11, 27), 1),
        (BoardKind.WEEK, date(2026, 11, 22), 7),
        (BoardKind.RUNS, date(2026, 10, 30), 30),
    ],
    ids=value_id,
)
def test_each_kind_of_daily_board_covers_its_days(kind: BoardKind, first: date, count: int) -> None:
    days = days_of(kind, TODAY)
    assert (days[0], len(days)) == (first, count)


@pytest.mark.parametrize(("cost", "marks"), [("-1/2", "1"), ("x", "1"), ("1/0", "1"), ("1", "12")])
def test_invalid_daily_result_is_refused(cost: str, marks: str) -> None:
    with pytest.raises(ValueError, match="a fraction of at least 0"):
        tried("ann", cost, marks)
