"""Today's five mistakes, the runs of rounds without a mistake, and what the menu says of both."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Decision, Mistake, MistakeKind
from tui_casino.records.log_catalog import CatalogEntry
from tui_casino.records.summaries import WrittenDecision
from tui_casino.teacher.mistake_queue import (
    DAY_MILLISECONDS,
    AnswerFile,
    MistakeQueue,
    PracticeAnswer,
    daily_five,
)
from tui_casino.teacher.mistakes import ReviewedSitting
from tui_casino.teacher.overview import mistake_overview, rounds_without_mistake

ME = "ann"
NOON = 20_000 * DAY_MILLISECONDS + DAY_MILLISECONDS // 2
NEXT_DAY = NOON + DAY_MILLISECONDS


def sitting(
    game: str, costs: Sequence[int], rounds: Sequence[int] = (), of: int = 50, started: int = 1
) -> ReviewedSitting:
    """Return a session with mistakes of these costs, at step 1, 2, ..., in these rounds."""
    log = Path(f"{game}-{started}.jsonl")
    numbers = rounds or range(1, len(costs) + 1)
    mistakes = tuple(
        Decision(
            Seat(0),
            "",
            "a",
            "spot",
            Mistake(Fraction(cost), "b", MistakeKind("spot", "slip")),
            (),
            step,
            number,
            0,
            game,
            log,
        )
        for step, (cost, number) in enumerate(zip(costs, numbers, strict=True), 1)
    )
    return ReviewedSitting(CatalogEntry(log, game=game, started=started), of, "bets", 1.0, mistakes)


def queue_of(*sittings: ReviewedSitting) -> MistakeQueue:
    queue = MistakeQueue(AnswerFile(None, ME), lambda: NOON)
    for each in sittings:
        queue.add(each)
    return queue


def answer(queue: MistakeQueue, mistake: WrittenDecision, *, right: bool, at: int = NOON) -> None:
    queue.answers.add(
        PracticeAnswer(
            ME, at, mistake.game, "spot", mistake.log.name, mistake.step, right, 0.0, 1.0
        )
    )


def named(mistakes: Sequence[WrittenDecision]) -> list[tuple[str, int]]:
    return [(one.game, int(one.cost)) for one in mistakes]


def test_daily_five_takes_the_costliest_mistakes_of_each_game_in_turn() -> None:
    daily = daily_five(queue_of(sitting("a", [9, 8, 7, 6, 5]), sitting("b", [1, 2])), NOON)
    assert named(daily.rest) == [("a", 9), ("b", 2), ("a", 8), ("b", 1), ("a", 7)]
    assert (daily.marks, daily.count) == ("· · · · ·", "0 of 5")


def test_daily_five_counts_each_answer_once_and_adds_no_mistakes() -> None:
    queue = queue_of(sitting("a", [9, 8, 7, 6, 5, 4, 3]))
    first, second, *_ = daily_five(queue, NOON).rest
    answer(queue, first, right=True)
    answer(queue, second, right=False)
    answer(queue, second, right=True)
    daily = daily_five(queue, NOON)
    assert (daily.marks, daily.count) == ("✓ ✗ · · ·", "2 of 5")
    assert named(daily.rest) == [("a", 7), ("a", 6), ("a", 5)]
    for mistake in daily.rest:
        answer(queue, mistake, right=True)
    daily = daily_five(queue, NOON)
    assert (daily.marks, daily.count, daily.rest) == ("✓ ✗ ✓ ✓ ✓", "5 of 5", ())


def test_daily_five_repeats_rightly_answered_mistakes_the_next_day() -> None:
    queue = queue_of(sitting("a", [9, 8, 7]))
    for mistake in daily_five(queue, NOON).rest:
        answer(queue, mistake, right=True)
    assert daily_five(queue, NOON).count == "3 of 3"
    tomorrow = MistakeQueue(queue.answers, lambda: NEXT_DAY)
    tomorrow.add(sitting("a", [9, 8, 7]))
    assert named(daily_five(tomorrow, NEXT_DAY).rest) == [("a", 9), ("a", 8), ("a", 7)]


def test_daily_five_does_not_count_drill_answers() -> None:
    queue = queue_of(sitting("a", [9]))
    queue.answers.add(PracticeAnswer(ME, NOON, "a", "spot", "", 0, True, 0.0, 1.0))
    assert daily_five(queue, NOON).answers == ()


@pytest.mark.parametrize(
    ("sittings", "runs"),
    [
        ([], (0, 0)),
        ([sitting("a", [], of=7)], (7, 7)),
        ([sitting("a", [1], [10], of=10)], (0, 9)),
        ([sitting("a", [1, 1, 1], [3, 3, 8], of=10)], (2, 4)),
        ([sitting("b", [], of=5, started=2), sitting("a", [1], [4], of=10)], (11, 11)),
    ],
    ids=[
        "no sessions",
        "no mistakes",
        "mistake in the last round",
        "three mistakes",
        "run across two sessions",
    ],
)
def test_rounds_without_a_mistake_are_counted_across_sessions(
    sittings: list[ReviewedSitting], runs: tuple[int, int]
) -> None:
    assert rounds_without_mistake(sittings) == runs


def test_mistake_overview_counts_waiting_and_learned_mistakes_and_runs() -> None:
    queue = queue_of(sitting("a", [9, 8], [1, 2], of=10))
    for at in (NOON - DAY_MILLISECONDS, NOON):
        answer(queue, queue.sittings[0].mistakes[0], right=True, at=at)
    overview = mistake_overview(queue, NOON)
    assert (overview.waiting, overview.learned) == (1, 1)
    assert (overview.streak, overview.longest_streak) == (8, 8)
    assert overview.habit is None, "the mistakes of this game belong to no habit"
