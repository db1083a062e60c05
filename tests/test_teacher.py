"""The teacher: whoever errs in one way finds that first, and costs are the same everywhere."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from tests.cases import by_game, by_game_first
from tests.contract.play import Wild, seed_of
from tests.contract.sittings import clock
from tests.contract.test_open_sittings import left_open
from tests.golden.write import golden
from tui_casino import cli
from tui_casino.engine.chance import CommittedSource, DiceStream, SourceSpec
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.gamekit.adviser import Decision, Mistake, MistakeKind
from tui_casino.gamekit.definition import AnyDefinition, GameDefinition
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.games.cribbage.machine.moves import Discard as Throw
from tui_casino.games.five_card_draw.machine.moves import Discard
from tui_casino.games.thirty_one.machine import moves
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Hold
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import CatalogEntry, SittingStatus, list_logs
from tui_casino.records.log_header import HUMAN
from tui_casino.records.log_review import weigh_decisions
from tui_casino.records.playback import Playback
from tui_casino.records.recording_review import RecordingReview
from tui_casino.records.session_log import read_log
from tui_casino.records.session_statistics import compute_statistics
from tui_casino.records.summaries import SittingSummary, known_mistakes, review_logs
from tui_casino.teacher.answers import AnswerFile
from tui_casino.teacher.leaks import Trend, cost_rate, find_leaks
from tui_casino.teacher.mistake_queue import MistakeQueue
from tui_casino.teacher.mistakes import (
    ReviewedSitting,
    StakesFilter,
    costliest_mistakes,
    default_stakes,
    review_sittings,
)
from tui_casino.teacher.practice_tasks import DrillRequest, MistakeRequest, TaskScheduler

Capture = pytest.CaptureFixture[str]
ALL = {game.slug: game.definition for game in GAMES}
ME = Seat(0)
QUICK = by_game_first("video-poker", "baccarat")
"""The other judges sample, or read a solution that takes seconds to load."""


def studied_in(folder: Path, cache: Cache | None = None) -> list[ReviewedSitting]:
    found = review_sittings(list_logs(folder, ALL, {}), ALL, cache or Cache(None))
    return [each for each in found if isinstance(each, ReviewedSitting)]


# ---- who errs in one way -----------------------------------------------------------------------


@dataclass(frozen=True)
class Errs:
    """Does something in particular wherever a spot comes up, and else what the judge finds best."""

    kind: MistakeKind
    wrong: Callable[[Any], Any]
    opponent: str = ""
    usual: Any = None


def throws_points(view: Any) -> Any:
    """Give the first discard that loses most in the four cards that are kept."""
    kind = ALL["cribbage"]().adviser.kind
    assert kind is not None
    best = ALL["cribbage"]().adviser.alternatives(view, ME, Throw((1, 2)))[0].action
    ways = (Throw((one, two)) for two in range(6, 1, -1) for one in range(1, two))
    return next(
        (way for way in ways if kind(view, ME, way, best).slip == "kept fewer points"), best
    )


ERRS: Mapping[str, Errs] = {
    "video-poker": Errs(MistakeKind("Low pair", "Discard everything"), lambda view: Hold(())),
    "thirty-one": Errs(
        MistakeKind("first card 10 against 10", "stood"),
        lambda view: moves.Stand(),
        usual=moves.Bet(20),
    ),
    "cribbage": Errs(
        MistakeKind("discard to their crib", "kept fewer points"), throws_points, "greedy"
    ),
    "five-card-draw": Errs(
        MistakeKind("the draw with a low pair", "stood pat"), lambda view: Discard(())
    ),
}


def play(listing: GameListing, errs: Errs, folder: Path, rounds: int) -> int:
    """Play sittings of so many rounds together, with shuffles that are known; count the errors."""
    definition, played, made, number = listing.definition(), 0, 0, 0
    while played < rounds:
        number += 1
        options = definition.game.sit(definition.game.Options(), 100_000 // definition.game.unit)
        others = errs.opponent or next(iter(definition.players))
        seats = range(definition.game.seats(options))
        who = {Seat(seat): None if seat == ME else others for seat in seats}
        source = CommittedSource(seed_of(number))
        house = House(folder, None, "ann", clock=clock)
        sitting = begin_sitting(house, definition, options, ShuffledShoe(), source, who)
        table = sitting.table
        while played + sitting.dialogue.tally.rounds < rounds:
            if not table.waiting:
                if not table.advance():
                    break
                continue
            if not isinstance(table.game.turn(table.state), AskSeats):
                break
            view = table.view(ME)
            able = [one for one in table.game.offers(view, ME) if one.barred is None]
            if not able:
                break
            action, err = choice(
                definition, errs, view, able, DiceStream(b"me", str(sitting.log.steps))
            )
            made += err
            table.submit(ME, action)
        played += max(1, sitting.dialogue.tally.rounds)
        sitting.leave()
    return made


def choice(
    definition: AnyDefinition, errs: Errs, view: Any, able: list[Any], dice: DiceStream
) -> tuple[Any, bool]:
    """Choose what is best by the judge where he knows it; err at the spot."""
    if errs.usual is not None and any(one.contains(errs.usual) for one in able):
        return errs.usual, False
    action = Wild().choose(view, ME, tuple(able), dice)
    adviser = definition.adviser
    assert adviser.kind is not None
    assert adviser.judge is not None
    found = adviser.judge(view, ME, action)
    best = found.best if found else action
    try:
        spot = adviser.kind(view, ME, best, best).spot
    except (TypeError, ValueError):  # nothing to decide
        return best, False
    wrong = errs.wrong(view) if spot == errs.kind.spot else best
    return wrong, wrong != best


@QUICK
def test_one_kind_of_error_is_found_first(listing: GameListing, tmp_path: Path) -> None:
    finds_first(listing, tmp_path, 30 if listing.slug == "thirty-one" else 12)


@pytest.mark.prove
@by_game
def test_one_kind_of_error_is_found_first_in_200_rounds(
    listing: GameListing, tmp_path: Path
) -> None:
    finds_first(listing, tmp_path, 200)


def finds_first(listing: GameListing, folder: Path, rounds: int) -> None:
    errs = ERRS.get(listing.slug)
    if errs is None:
        assert not listing.definition().adviser.has_judge or listing.slug not in ALL
        return
    made = play(listing, errs, folder, rounds)
    assert made
    found = studied_in(folder)
    first = find_leaks(found)[0]
    assert (first.game, first.kind) == (listing.slug, errs.kind)
    assert first.count <= made
    assert first.rounds >= rounds
    assert first.unit == ("points" if listing.definition().points else "bets")
    mistakes = costliest_mistakes(found, str(errs.kind))
    assert len(mistakes) == first.count
    assert {mistake.kind for mistake in mistakes} == {errs.kind}
    drilled_first(listing, found, errs.kind)


def drilled_first(listing: GameListing, found: list[ReviewedSitting], kind: MistakeKind) -> None:
    """Whoever errs there is drilled there first, and the mistakes of that kind wait."""
    queue = MistakeQueue(AnswerFile(None, "ann"))
    for each in found:
        queue.add(each)
    tasks = TaskScheduler(ALL, queue, Cache(None), clock, DiceStream(b"me", "drills"))
    aim, *others = tasks.targets()
    assert (aim.game, aim.spot) == (listing.slug, kind.spot)
    assert aim.weight > sum(other.weight for other in others)
    drill = tasks.next(DrillRequest(listing.slug, aim.spot))
    assert drill is not None
    assert drill.spot == kind.spot
    task = tasks.next(MistakeRequest(kind=kind))
    assert task is not None
    assert task.spot == kind.spot
    assert queue.groups()[0].kind == kind


# ---- the same figures everywhere ---------------------------------------------------------------


@QUICK
def test_costs_are_the_same_everywhere(listing: GameListing, tmp_path: Path) -> None:
    """In mistakes, statistics, the replay and its advice."""
    definition = listing.definition()
    path, cache = tmp_path / "log.jsonl", Cache(tmp_path / "cache.db")
    shutil.copy(golden(listing).log, path)
    found = list_logs(tmp_path, ALL, {})
    if not definition.adviser.has_judge:
        assert not studied_in(tmp_path)
        (reviewed,) = review_logs(found, ALL, cache, choices=True)
        assert reviewed.summary is not None
        assert reviewed.summary.mistakes is None
        return
    (one,) = studied_in(tmp_path, cache)
    told = compute_statistics(review_logs(found, ALL, cache), ALL).report()["practice"]["overall"][
        "mistakes"
    ]
    cost = sum((mistake.cost for mistake in one.mistakes), Fraction(0))
    assert told["count"] == len(one.mistakes)
    assert told["cost"] == round(float(definition.game.unit * cost), 2)
    with Playback(definition, path, Cache(None)) as recording:
        reviewer = RecordingReview(recording)
        while reviewer.advance(100):
            pass
        wrong = reviewer.review.mistakes
        again = RecordingReview(recording, only={one.step for one in wrong})
        while again.advance(100):
            pass
    assert again.review.mistakes == wrong
    assert one.mistakes
    assert [(each.step, each.cost) for each in wrong] == [
        (mistake.step, mistake.cost) for mistake in one.mistakes
    ]
    by_step = {mistake.step: mistake for mistake in one.mistakes}
    last = one.mistakes[min(2, len(one.mistakes) - 1)].step  # the advice weighs every choice
    for choice in weigh_decisions(definition, read_log(path)):
        if choice.step > last:
            break
        mistake = by_step.get(choice.step) if choice.seat == ME else None
        if choice.seat == ME:
            assert choice.cost == (mistake.cost if mistake else 0)
        if mistake:
            assert mistake.action == definition.format_action(choice.view, ME, choice.action)
            assert mistake.best in {
                definition.format_action(choice.view, ME, worth.action)
                for worth in choice.values
                if float(worth.value) == pytest.approx(float(choice.values[0].value))
            }
            assert [float(worth.value) for worth in choice.values[:5]] == [
                valued.value for valued in mistake.values[:5]
            ]


def test_what_is_not_over_or_anothers_is_not_looked_at(tmp_path: Path) -> None:
    listing = next(game for game in GAMES if game.slug == "video-poker")
    path = left_open(listing, tmp_path, practice=True)[0]
    assert not studied_in(path.parent)
    raw = golden(listing).log.read_bytes()
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "good.jsonl").write_bytes(raw)
    (alone / "cut.jsonl").write_bytes(b"".join(raw.splitlines(keepends=True)[:-1]))
    (one,) = studied_in(alone)
    assert one.entry.path.name == "good.jsonl"


def test_several_at_one_keyboard_are_left_out(tmp_path: Path) -> None:
    listing = next(game for game in GAMES if game.slug == "cribbage")
    definition = listing.definition()
    house = House(tmp_path, None, "ann", clock=clock)
    sitting = begin_sitting(
        house,
        definition,
        definition.game.Options(),
        ShuffledShoe(),
        CommittedSource(seed_of(1)),
        {Seat(0): None, Seat(1): None},
    )
    sitting.table.run()
    assert sitting.dialogue.switch_seat(looking=True)
    sitting.dialogue.reply("x 1 2")
    sitting.leave()
    (entry,) = list_logs(tmp_path, ALL, {})
    assert entry.finished
    assert entry.players == (HUMAN, HUMAN)
    assert not studied_in(tmp_path)


def test_weighing_ends_when_nobody_waits(tmp_path: Path) -> None:
    """And what was known before is known still."""
    path, cache = tmp_path / "log.jsonl", Cache(tmp_path / "cache.db")
    shutil.copy(golden(GAMES[0]).log, path)
    found = list_logs(tmp_path, ALL, {})
    (reviewed,) = review_logs(found, ALL, cache)
    assert reviewed.summary is not None
    assert reviewed.summary.mistakes is None
    asked = iter([True, True, False])
    assert [*review_logs(found, ALL, cache, choices=True, still=lambda: next(asked))] == []
    assert [*review_logs(found, ALL, cache)] == [reviewed]
    assert len(cache.reviews()) == 1


# ---- sums --------------------------------------------------------------------------------------


def wrong(cost: float) -> Mistake[str]:
    return Mistake(Fraction(cost), "y", MistakeKind("a", "b"))


def studied(
    began: int, rounds: int, costs: Mapping[int, float], stake: float | None = 2
) -> ReviewedSitting:
    """A sitting in which rounds, from 1, cost so much by one kind of mistake."""
    path = Path(f"{began}.jsonl")
    entry = CatalogEntry(path, game="game", started=began, ending=SittingStatus.LEFT)
    mistakes = tuple(
        Decision(ME, "", "x", "a", wrong(cost), (), 9, n, 0, "game", path)
        for n, cost in costs.items()
    )
    return ReviewedSitting(entry, rounds, "bets", stake, mistakes)


def test_a_rate_is_the_mean_of_all_rounds_with_the_error_of_the_mean() -> None:
    """By hand: 3, 1, 0, 0 have the mean 1 and the variance 6/3, of the mean 6/3/4."""
    assert cost_rate([3, 1], 4).cost == 100
    assert cost_rate([3, 1], 4).error == pytest.approx(100 * sqrt(0.5))
    assert (cost_rate([], 0).cost, cost_rate([5], 1).error) == (0, 0)


def test_costs_are_in_the_bets_of_each_sitting_and_a_round_is_one() -> None:
    (leak,) = find_leaks(
        [studied(2, 10, {1: 6}), studied(1, 10, {3: 4}, 1), studied(3, 5, {1: 1}, None)]
    )
    assert (leak.count, leak.rounds, leak.each) == (2, 20, (6 / 2 + 4 / 1) / 2)
    assert leak.earlier.cost == 100 * 4 / 10
    assert leak.later.cost == 100 * 3 / 10


@pytest.mark.parametrize(
    ("early", "late", "trend"),
    [
        (range(1, 90), range(0), Trend.BETTER),
        (range(0), range(1, 90), Trend.WORSE),
        (range(1, 50), range(2, 51), Trend.UNSURE),
    ],
)
def test_a_trend_is_told_where_it_is_sure(early: range, late: range, trend: Trend) -> None:
    costs = [dict.fromkeys(each, 1.0) for each in (early, late)]
    (leak,) = find_leaks([studied(2, 100, costs[1]), studied(1, 100, costs[0])])
    assert leak.trend is trend


def test_no_trend_is_told_of_fewer_than_20_mistakes() -> None:
    """Not even where the plain figures are far apart."""
    for mistakes, trend in ((19, Trend.UNSURE), (20, Trend.WORSE)):
        (leak,) = find_leaks(
            [studied(1, 100, {}), studied(2, 100, dict.fromkeys(range(mistakes), 1.0))]
        )
        assert leak.trend is trend
    (once,) = find_leaks([studied(1, 1, {1: 110.85})])
    assert once.trend is Trend.UNSURE
    assert once.rate.error > once.rate.cost > 0


# ---- what is kept, and the commands ------------------------------------------------------------


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    for listing in GAMES:
        if listing.slug in ("video-poker", "cribbage"):
            shutil.copy(golden(listing).log, folder / f"{listing.slug}.jsonl")
    return folder


def test_mistakes_are_kept_with_the_summary(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache.db")
    first = studied_in(logs, cache)
    assert len(cache.reviews()) == 2

    def never(*_: Any) -> SittingSummary:
        raise AssertionError("it is kept")

    monkeypatch.setattr("tui_casino.records.summaries.review_log", never)
    assert studied_in(logs, cache) == first
    for path in logs.iterdir():
        cache.forget(path)
    assert not cache.reviews()


def test_a_replay_weighs_only_what_the_cache_names_as_mistakes(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a log was reviewed; before that, and after a change of the file, every choice."""
    cache, path = Cache(tmp_path / "cache.db"), logs / "video-poker.jsonl"
    assert known_mistakes(path, cache) is None
    first = next(one for one in studied_in(logs, cache) if one.entry.path == path)
    known = known_mistakes(path, cache)
    assert known
    assert known == frozenset(mistake.step for mistake in first.mistakes)
    weighed, decide = list[object](), GameDefinition.decision

    def counted(definition: Any, view: Any, seat: Any, action: Any, *values: Any) -> Any:
        weighed.append(action)
        return decide(definition, view, seat, action, *values)

    monkeypatch.setattr(GameDefinition, "decision", counted)
    with Playback(DEFINITION, path, cache) as recording:
        reviewer = RecordingReview(recording, only=known)
        assert reviewer.next_mistake(0) == min(known)
        assert reviewer.previous_mistake(recording.steps + 1) == max(known)
        while reviewer.advance(50):
            pass
    assert {one.step for one in reviewer.review.mistakes} == known
    assert len(weighed) == len(known)
    path.write_bytes(path.read_bytes() + b"\n")
    assert known_mistakes(path, cache) is None


def test_a_frame_s_seal_is_no_seal_of_a_review(logs: Path, tmp_path: Path) -> None:
    """Nor is that of another log."""
    cache = Cache(tmp_path / "cache.db")
    first = studied_in(logs, cache)

    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        (one, other) = db.execute("select log, value, seal from review").fetchall()
        db.execute("update review set value = ?, seal = ? where log = ?", (*other[1:], one[0]))
    assert len(Cache(cache.path).reviews()) == 1
    assert studied_in(logs, cache) == first


@pytest.mark.parametrize(
    ("version", "tables"), [(3, ("fold", "slip", "frame")), (4, ("frame", "review"))]
)
def test_a_cache_of_an_older_version_is_made_again(
    version: int, tables: tuple[str, ...], logs: Path, tmp_path: Path
) -> None:
    """It happens silently, and nothing of the older version is used."""
    cache = Cache(tmp_path / "cache.db")
    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        for table in tables:
            db.execute(f"create table {table} (log text)")
        db.execute(f"pragma user_version = {version}")
    first = studied_in(logs, cache)
    assert len(cache.reviews()) == len(first) == 2
    with sqlite3.connect(cache.path) as db:
        made = {name for (name,) in db.execute("select name from sqlite_schema")}
    assert {"frame", "review"} <= made
    assert not {"fold", "slip"} & made


def test_mistakes_are_listed_the_dearest_first(logs: Path, capsys: Capture) -> None:
    assert cli.main(["mistakes", "--log-dir", str(logs), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["game"] for one in told} == {"video-poker", "cribbage"}
    for one in told:
        assert [*one] == ["game", "log", "step", "kind", "cost", "choice", "best"]
        assert one["cost"] > 0
    of_game = [one["cost"] for one in told if one["game"] == "cribbage"]
    assert of_game == sorted(of_game, reverse=True)
    command = ["replay", str(logs / "video-poker.jsonl"), "--advice", "--json"]
    assert cli.main(command) == 0
    advice = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    wrong = {one["step"]: (one["cost"], one["choice"]) for one in advice if one["cost"]}
    assert wrong == {
        one["step"]: (one["cost"], one["choice"]) for one in told if one["game"] == "video-poker"
    }
    few = ["mistakes", "--log-dir", str(logs), "--game", "cribbage", "--limit", "1"]
    assert cli.main([*few, "--kind", "DISCARD", "--json"]) == 0
    (dear,) = json.loads(capsys.readouterr().out)
    assert "discard" in dear["kind"]
    assert cli.main(few) == 0
    first, second, more = capsys.readouterr().out.splitlines()
    assert first.startswith("cribbage, ")
    assert first.endswith(" points)")
    assert second.startswith("   cribbage.jsonl, step ")
    assert more.startswith("and ")


def test_leaks_are_told_the_dearest_first(logs: Path, capsys: Capture) -> None:
    assert cli.main(["leaks", "--log-dir", str(logs), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    for one in told:
        assert [*one] == ["game", "kind", "count", "cost", "error", "rounds", "unit"]
    keys = [(one["unit"] == "points", -one["cost"]) for one in told]
    assert keys == sorted(keys)
    assert cli.main(["leaks", "--log-dir", str(logs), "--game", "video-poker"]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("video-poker: ")
    assert " rounds" in first
    assert second.startswith("   costs ")
    assert cli.main(["leaks", "--log-dir", str(logs), "--game", "baccarat"]) == 0
    assert capsys.readouterr().out == "no mistakes in finished sessions\n"


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1.5"])
def test_a_limit_is_a_number_from_one(limit: str, logs: Path, capsys: Capture) -> None:
    assert cli.main(["mistakes", "--log-dir", str(logs), f"--limit={limit}"]) == 2
    assert "--limit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "player", "unit", "counts"),
    [
        ("committed", "ann", "bets", {StakesFilter.MONEY, StakesFilter.ALL}),
        ("committed", None, "bets", {StakesFilter.PRACTICE, StakesFilter.ALL}),
        ("committed", None, "points", {*StakesFilter}),
        ("java", None, "points", {*StakesFilter}),
        ("numbered", None, "bets", {StakesFilter.ALL}),
        ("numbered", None, "points", {StakesFilter.ALL}),
    ],
)
def test_money_counts_apart_from_practice_and_shuffles_by_number_when_asked(
    kind: Any, player: str | None, unit: str, counts: set[StakesFilter]
) -> None:
    value = "0" * 64 if kind == "committed" else "7"
    entry = CatalogEntry(Path("a.jsonl"), game="toy", player=player, source=SourceSpec(kind, value))
    one = ReviewedSitting(entry, 1, unit, 1.0, ())
    assert {stakes for stakes in StakesFilter if stakes.admits(one)} == counts
    assert default_stakes([one]) in counts
    assert default_stakes(()) is StakesFilter.MONEY
    queue = MistakeQueue(AnswerFile(None, "ann"))
    queue.add(one)
    for stakes in StakesFilter:
        queue.stakes = stakes
        assert queue.admitted == [one] * (stakes in counts)
