"""The teacher: whoever errs in one way finds that first, and costs are the same everywhere."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_open_sittings import left_open
from tests.golden.write import golden
from tests.helpers.command_runner import output
from tests.helpers.ledger_sessions import act, clock
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import value_id
from tests.helpers.quick_cases import by_game, by_game_first
from tests.helpers.random_play import seed_of
from tests.helpers.scripted_sessions import ME, play_sessions, reviewed_in
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import CommittedSource, SourceSpec
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.offers import Dice, Offer
from tui_casino.gamekit.adviser import Decision, Mistake, MistakeKind
from tui_casino.gamekit.definition import GameDefinition
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing, listing_of
from tui_casino.games.five_card_draw.machine import state as five_card_draw
from tui_casino.games.five_card_draw.machine.state import Stakes
from tui_casino.games.thirty_one.machine import state as thirty_one
from tui_casino.games.thirty_one.machine.rules import MINIMUM
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import CatalogEntry, SittingStatus, list_logs
from tui_casino.records.log_header import HUMAN
from tui_casino.records.log_review import weigh_decisions
from tui_casino.records.playback import Playback
from tui_casino.records.recording_review import RecordingReview
from tui_casino.records.session_log import read_log
from tui_casino.records.session_statistics import compute_statistics
from tui_casino.records.summaries import (
    ExclusionReason,
    SittingSummary,
    known_mistakes,
    review_logs,
)
from tui_casino.structs import replace
from tui_casino.teacher.drills import draw_target, weigh_targets
from tui_casino.teacher.leaks import (
    CostRate,
    Leak,
    Trend,
    cost_rate,
    find_habits,
    find_leaks,
    total_cost,
    trend_of,
)
from tui_casino.teacher.mistake_queue import AnswerFile, MistakeQueue
from tui_casino.teacher.mistakes import (
    ReviewedSitting,
    StakesFilter,
    costliest_mistakes,
    default_stakes,
)

Capture = pytest.CaptureFixture[str]
QUICK = by_game_first("video-poker", "baccarat")
"""The other judges sample, or read a solution that takes seconds to load."""


# ---- the same figures everywhere ---------------------------------------------------------------


@QUICK
def test_mistakes_statistics_and_replay_show_the_same_costs(
    listing: GameListing, tmp_path: Path
) -> None:
    """In mistakes, statistics, the replay and its advice."""
    definition = listing.definition()
    path, cache = tmp_path / "log.jsonl", Cache(tmp_path / "cache.db")
    shutil.copy(golden(listing).log, path)
    found = list_logs(tmp_path, DEFINITIONS, {})
    if not definition.adviser.has_judge:
        assert not reviewed_in(tmp_path)
        (reviewed,) = review_logs(found, DEFINITIONS, cache, choices=True)
        assert reviewed.summary is not None
        assert reviewed.summary.mistakes is None
        return
    (one,) = reviewed_in(tmp_path, cache)
    told = compute_statistics(review_logs(found, DEFINITIONS, cache), DEFINITIONS).report()[
        "practice"
    ]["overall"]["mistakes"]
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


def test_mistakes_leave_out_unfinished_sessions_and_other_players(tmp_path: Path) -> None:
    listing = listing_of("video-poker")
    path = left_open(listing, tmp_path, practice=True)[0]
    assert not reviewed_in(path.parent)
    raw = golden(listing).log.read_bytes()
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "good.jsonl").write_bytes(raw)
    (alone / "cut.jsonl").write_bytes(b"".join(raw.splitlines(keepends=True)[:-1]))
    (one,) = reviewed_in(alone)
    assert one.entry.path.name == "good.jsonl"


def test_undone_choices_do_not_count_as_mistakes_and_others_count_once(tmp_path: Path) -> None:
    """The hold and then the bet of the fourth hand are taken back."""
    house = House(tmp_path, None, "ann", clock=clock)
    source = CommittedSource(seed_of(1))
    sitting = begin_sitting(house, DEFINITION, Options(), ShuffledShoe(), source, {ME: None})

    def play(*actions: Any) -> None:
        act(sitting, *actions)
        sitting.table.run()

    for _ in range(4):
        play(Bet(5), Draw(), Hold((1, 2)))
    assert sitting.step_back()
    assert sitting.step_back()
    play(Bet(5), Draw(), Hold((3, 4)), Bet(5), Draw(), Hold((2, 3)))
    sitting.leave()
    holds = [
        step.do["positions"]
        for step in read_log(sitting.log.path).steps()
        if step.do["is"] == "Hold"
    ]
    assert holds == [[1, 2], [1, 2], [1, 2], [3, 4], [2, 3]]
    (one,) = reviewed_in(tmp_path)
    assert one.entry.path == sitting.log.path
    assert one.rounds == sum(one.choices.values()) == len(holds)
    assert len([*list_logs(tmp_path, DEFINITIONS, {})]) == 3
    left_out = [
        each.left_out
        for each in review_logs(list_logs(tmp_path, DEFINITIONS, {}), DEFINITIONS, Cache(None))
    ]
    assert left_out.count(ExclusionReason.CONTINUED) == 2


def test_mistakes_leave_out_sessions_of_several_humans(tmp_path: Path) -> None:
    listing = listing_of("cribbage")
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
    (entry,) = list_logs(tmp_path, DEFINITIONS, {})
    assert entry.finished
    assert entry.players == (HUMAN, HUMAN)
    assert not reviewed_in(tmp_path)


def test_cancelled_review_stops_evaluating(tmp_path: Path) -> None:
    """And what was known before is known still."""
    path, cache = tmp_path / "log.jsonl", Cache(tmp_path / "cache.db")
    shutil.copy(golden(GAMES[0]).log, path)
    found = list_logs(tmp_path, DEFINITIONS, {})
    (reviewed,) = review_logs(found, DEFINITIONS, cache)
    assert reviewed.summary is not None
    assert reviewed.summary.mistakes is None
    asked = iter([True, True, False])
    assert [*review_logs(found, DEFINITIONS, cache, choices=True, still=lambda: next(asked))] == []
    assert [*review_logs(found, DEFINITIONS, cache)] == [reviewed]
    assert len(cache.reviews()) == 1


# ---- sums --------------------------------------------------------------------------------------


def wrong(cost: float) -> Mistake[str]:
    return Mistake(Fraction(cost), "y", MistakeKind("a", "b"))


def studied(
    began: int, rounds: int, costs: Mapping[int, float], stake: float | None = 2
) -> ReviewedSitting:
    """A sitting in which rounds, from 1, cost so much by one kind of mistake; each has a choice."""
    path = Path(f"{began}.jsonl")
    entry = CatalogEntry(path, game="game", started=began, ending=SittingStatus.LEFT)
    mistakes = tuple(
        Decision(ME, "", "x", "a", wrong(cost), (), 9, n, 0, "game", path)
        for n, cost in costs.items()
    )
    return ReviewedSitting(entry, rounds, "bets", stake, mistakes, {"a": rounds})


def test_cost_per_round_is_the_mean_of_all_rounds_with_its_error() -> None:
    """By hand: 3, 1, 0, 0 have the mean 1 and the variance 6/3, of the mean 6/3/4."""
    assert cost_rate([3, 1], 4).cost == 100
    assert cost_rate([3, 1], 4).error == pytest.approx(100 * sqrt(0.5))
    assert (cost_rate([], 0).cost, cost_rate([5], 1).error) == (0, 0)


def test_costs_of_mistakes_are_measured_in_bets_of_each_session() -> None:
    (leak,) = find_leaks(
        [studied(2, 10, {1: 6}), studied(1, 10, {3: 4}, 1), studied(3, 5, {1: 1}, None)]
    )
    assert (leak.count, leak.rounds, leak.each) == (2, 20, (6 / 2 + 4 / 1) / 2)
    assert leak.earlier.cost == 100 * 4 / 10
    assert leak.later.cost == 100 * 3 / 10


def _waste(view: Any, able: tuple[Offer[Any], ...], dice: Dice) -> Any:
    """Bet another amount on each hand, and then play badly: discard all, or double and hit."""
    kinds = {offer.kind for offer in able}
    if Bet in kinds:
        return Bet(1 + dice.below(5))
    if thirty_one.Bet in kinds:
        return thirty_one.Bet(MINIMUM * (1 + dice.below(4)))
    if Draw in kinds:
        return Draw()
    if Hold in kinds:
        return Hold(())
    order = thirty_one.Double, thirty_one.Split, thirty_one.Insure, thirty_one.Hit, thirty_one.Stand
    return next(kind() for kind in order if kind in kinds)


@pytest.mark.parametrize(("slug", "unit"), [("video-poker", 1), ("thirty-one", 100)])
def test_costs_of_mistakes_are_measured_in_bets_of_their_own_hand(
    slug: str, unit: int, tmp_path: Path
) -> None:
    """The log itself tells which bet came last before each mistake."""
    play_sessions(DEFINITIONS[slug], _waste, tmp_path, 20)
    (one,) = reviewed_in(tmp_path)
    bets, last = dict[int, int](), 0
    for step in read_log(one.entry.path).steps():
        if step.do["is"] == "Bet":
            last = int(step.do.get("coins") or unit * step.do["dollars"])
        bets[step.n] = last
    assert len({bets[mistake.step] for mistake in one.mistakes}) > 2
    for mistake in one.mistakes:
        assert one.cost_of(mistake) == float(mistake.cost) / bets[mistake.step]
    costs = sum(float(mistake.cost) / bets[mistake.step] for mistake in one.mistakes)
    total = total_cost([one])
    assert total is not None
    assert total.rate.cost * total.rounds / 100 == pytest.approx(costs)
    queue = MistakeQueue(AnswerFile(None, "ann"))
    queue.add(one)
    queue.chosen_stakes = StakesFilter.ALL
    assert sum(group.cost for group in queue.groups()) == pytest.approx(costs)


def test_bet_of_five_card_draw_is_the_same_on_all_pages(tmp_path: Path) -> None:
    definition = DEFINITIONS["five-card-draw"]
    daily = not_none(definition.daily)
    shutil.copy(golden(listing_of("five-card-draw")).log, tmp_path / "session.jsonl")
    (sitting,) = reviewed_in(tmp_path)
    assert daily.stake == definition.adviser.bet(daily.setup().options) == 10, "bets of 10 and 20"
    assert {mistake.bet for mistake in sitting.mistakes} == {10}
    bets = {
        stakes: definition.adviser.bet(five_card_draw.Options(stakes=stakes)) for stakes in Stakes
    }
    assert bets == {Stakes.LIMIT: 10, Stakes.ANTE: 5, Stakes.NOTHING: 0}


def test_bets_of_hands_without_a_bet_before_the_cards_are_the_average_of_the_session() -> None:
    sitting = studied(1, 10, {1: 6, 2: 3}, 2)
    assert [*map(sitting.cost_of, sitting.mistakes)] == [3, 1.5]
    first, second = sitting.mistakes
    sitting = replace(sitting, mistakes=(replace(first, bet=3), second))
    assert [*map(sitting.cost_of, sitting.mistakes)] == [2, 1.5]


@pytest.mark.parametrize(
    ("early", "late", "trend"),
    [
        (range(1, 90), range(0), Trend.BETTER),
        (range(0), range(1, 90), Trend.WORSE),
        (range(1, 50), range(2, 51), Trend.UNSURE),
    ],
    ids=value_id,
)
def test_trend_of_a_leak_is_shown_if_it_is_significant(
    early: range, late: range, trend: Trend
) -> None:
    costs = [dict.fromkeys(each, 1.0) for each in (early, late)]
    (leak,) = find_leaks([studied(2, 100, costs[1]), studied(1, 100, costs[0])])
    assert leak.trend is trend


def test_trend_of_a_leak_needs_20_choices_and_more_than_two_errors() -> None:
    """By hand: errors of 0.3 and 0.4 make 0.5 together, so a change of 1 is not enough."""
    before, same, more = CostRate(1.0, 0.3), CostRate(2.0, 0.4), CostRate(2.01, 0.4)
    assert trend_of(before, same, 20) is Trend.UNSURE
    assert trend_of(before, more, 20) is Trend.WORSE
    assert trend_of(more, before, 20) is Trend.BETTER
    assert trend_of(before, more, 19) is Trend.UNSURE


def test_trend_of_a_leak_with_fewer_than_20_choices_is_not_shown() -> None:
    """The choices count, not the mistakes; here there are five mistakes in the later half."""
    for choices, trend in ((9, Trend.UNSURE), (10, Trend.WORSE)):
        early, late = studied(1, 100, {}), studied(2, 100, dict.fromkeys(range(1, 6), 1.0))
        both = [replace(one, choices={"a": choices, "b": 50}) for one in (early, late)]
        (leak,) = find_leaks(both)
        assert (leak.count, leak.moments) == (5, 2 * choices)
        assert leak.trend is trend
    (once,) = find_leaks([studied(1, 1, {1: 110.85})])
    assert once.trend is Trend.UNSURE
    assert once.rate.error > once.rate.cost > 0


def test_games_and_leaks_are_ranked_relative_to_a_strong_players_loss() -> None:
    """By hand: 8 points, where a strong player loses 10, are less than 1 bet against 1."""
    bets = studied(1, 10, {1: 2.0})
    points = replace(
        studied(2, 10, {1: 8.0}, 1),
        entry=CatalogEntry(Path("2.jsonl"), game="points", started=2, ending=SittingStatus.LEFT),
        unit="points",
        strong_loss=10.0,
    )
    points = replace(points, mistakes=tuple(replace(m, game="points") for m in points.mistakes))
    both = [points, bets]
    assert [leak.game for leak in find_leaks(both)] == ["game", "points"]
    assert [habit.total.game for habit in find_habits(both)] == ["game", "points"]
    assert [one.game for one in costliest_mistakes(both)] == ["game", "points"]
    queue = MistakeQueue(AnswerFile(None, "ann"))
    for each in both:
        queue.add(each)
    assert [one.mistake.game for one in queue.pending()] == ["game", "points"]
    assert [one.cost for one in queue.pending()] == [1.0, 8.0], "in bets and in points"
    assert [one.game for one in queue.groups()] == ["game", "points"]
    assert [(one.game, one.relative) for one in queue.games()] == [("game", 1.0), ("points", 0.8)]
    dearer = [replace(points, strong_loss=7.0), bets]
    assert [leak.game for leak in find_leaks(dearer)] == ["points", "game"]


def test_drills_without_a_chosen_game_are_spread_over_all_games() -> None:
    """Compared with strong players, 240 points at cribbage are about as bad as 12 bets at draw."""
    costs = {"cribbage": 240, "five-card-draw": 12, "thirty-one": 18, "video-poker": 9.36}
    leaks = []
    for game, cost in costs.items():
        rate, loss = CostRate(cost, 0.0), DEFINITIONS[game].adviser.strong_loss
        kind = MistakeKind("here", "done")
        leaks.append(Leak(game, kind, 9, rate, 100, "", rate, rate, strong_loss=loss))
    targets = weigh_targets(leaks)
    drawn = Counter[str]()
    for number in range(50):
        dice = CommittedSource(seed_of(number)).dice("drills")
        eight = [draw_target(targets, dice).game for _ in range(8)]
        assert len({*eight}) > 1
        drawn.update(eight)
    assert {*drawn} == {*costs}
    assert max(drawn.values()) < 200, "half of all drills"


# ---- what is kept, and the commands ------------------------------------------------------------


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    for listing in GAMES:
        if listing.slug in ("video-poker", "cribbage"):
            shutil.copy(golden(listing).log, folder / f"{listing.slug}.jsonl")
    return folder


def test_reviewed_mistakes_are_cached_with_the_session_summary(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache.db")
    first = reviewed_in(logs, cache)
    assert len(cache.reviews()) == 2

    def never(*_: Any) -> SittingSummary:
        raise AssertionError("it is kept")

    monkeypatch.setattr("tui_casino.records.summaries.review_log", never)
    assert reviewed_in(logs, cache) == first
    for path in logs.iterdir():
        cache.forget(path)
    assert not cache.reviews()


def test_replay_evaluates_only_mistakes_in_the_cache(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a log was reviewed; before that, and after a change of the file, every choice."""
    cache, path = Cache(tmp_path / "cache.db"), logs / "video-poker.jsonl"
    assert known_mistakes(path, cache) is None
    first = next(one for one in reviewed_in(logs, cache) if one.entry.path == path)
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


def test_cached_review_with_the_seal_of_another_log_is_rejected(logs: Path, tmp_path: Path) -> None:
    """Nor is that of another log."""
    cache = Cache(tmp_path / "cache.db")
    first = reviewed_in(logs, cache)

    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        (one, other) = db.execute("select log, value, seal from review").fetchall()
        db.execute("update review set value = ?, seal = ? where log = ?", (*other[1:], one[0]))
    assert len(Cache(cache.path).reviews()) == 1
    assert reviewed_in(logs, cache) == first


@pytest.mark.parametrize(
    ("version", "tables"),
    [(3, ("fold", "slip", "frame")), (4, ("frame", "review"))],
    ids=value_id,
)
def test_review_cache_of_an_older_version_is_rebuilt(
    version: int, tables: tuple[str, ...], logs: Path, tmp_path: Path
) -> None:
    """It happens silently, and nothing of the older version is used."""
    cache = Cache(tmp_path / "cache.db")
    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        for table in tables:
            db.execute(f"create table {table} (log text)")
        db.execute(f"pragma user_version = {version}")
    first = reviewed_in(logs, cache)
    assert len(cache.reviews()) == len(first) == 2
    with sqlite3.connect(cache.path) as db:
        made = {name for (name,) in db.execute("select name from sqlite_schema")}
    assert {"frame", "review"} <= made
    assert not {"fold", "slip"} & made


def test_mistakes_are_listed_costliest_first(logs: Path) -> None:
    told = json.loads(output("mistakes", "--log-dir", str(logs), "--json").out)
    assert {one["game"] for one in told} == {"video-poker", "cribbage"}
    for one in told:
        assert [*one] == ["game", "log", "step", "kind", "cost", "choice", "best"]
        assert one["cost"] > 0
    of_game = [one["cost"] for one in told if one["game"] == "cribbage"]
    assert of_game == sorted(of_game, reverse=True)
    command = ["replay", str(logs / "video-poker.jsonl"), "--advice", "--json"]
    advice = [json.loads(line) for line in output(*command).out.splitlines()]
    wrong = {one["step"]: (one["cost"], one["choice"]) for one in advice if one["cost"]}
    assert wrong == {
        one["step"]: (one["cost"], one["choice"]) for one in told if one["game"] == "video-poker"
    }
    few = ["mistakes", "--log-dir", str(logs), "--game", "cribbage", "--limit", "1"]
    (dear,) = json.loads(output(*few, "--kind", "DISCARD", "--json").out)
    assert "discard" in dear["kind"]
    first, second, more = output(*few).out.splitlines()
    assert first.startswith("cribbage, ")
    assert first.endswith(" points)")
    assert second.startswith("   cribbage.jsonl, step ")
    assert more.startswith("and ")


@by_game
def test_mistakes_are_printed_in_the_words_and_units_of_the_screens(listing: GameListing) -> None:
    definition = listing.definition()
    if not definition.adviser.has_judge:
        return
    folder = str(golden(listing).log.parent)
    told = json.loads(output("mistakes", "--log-dir", folder, "--json").out)
    lines = output("mistakes", "--log-dir", folder).out.splitlines()
    assert told
    for one, line in zip(told, lines[::2], strict=False):
        did = definition.words.spoken.describe(one["choice"], past=True)
        best = definition.words.spoken.describe(one["best"])
        assert f"(you {did}; best: {best}; cost " in line
        assert line.endswith(f" {'points' if definition.points else 'credits'})")
        assert not re.search(r"\((you|best:) [a-z]\b|dollars", line), "a command, or another unit"


def test_leaks_are_listed_costliest_first(logs: Path) -> None:
    told = json.loads(output("leaks", "--log-dir", str(logs), "--json").out)
    for one in told:
        fields = ["game", "kind", "count", "cost", "error", "rounds", "unit", "habit"]
        assert [*one] == [*fields, "relative_cost"]
        loss = DEFINITIONS[one["game"]].adviser.strong_loss
        assert one["relative_cost"] == pytest.approx(one["cost"] / loss, abs=1e-5)
    costs = [one["relative_cost"] for one in told]
    assert costs == sorted(costs, reverse=True)
    leaks = ("leaks", "--log-dir", str(logs), "--game")
    first, second, *_ = output(*leaks, "video-poker").out.splitlines()
    assert first.startswith("video-poker: ")
    assert " rounds" in first
    assert second.startswith("   costs ")
    assert output(*leaks, "baccarat").out == "no mistakes in finished sessions at baccarat\n"


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1.5"])
def test_mistakes_command_refuses_a_limit_below_one(limit: str, logs: Path) -> None:
    assert "--limit" in output("mistakes", "--log-dir", str(logs), f"--limit={limit}", code=2).err


def test_mistakes_with_cards_from_a_file_count_only_when_requested(tmp_path: Path) -> None:
    house = House(tmp_path, None, "ann", clock=clock)
    source = CommittedSource(seed_of(1))
    sitting = begin_sitting(house, DEFINITION, Options(), FixedShoe(PACK), source, {ME: None})
    act(sitting, Bet(5), Draw(), Hold((1,)))
    sitting.table.run()
    sitting.leave()
    (one,) = reviewed_in(tmp_path)
    assert one.entry.known_cards
    assert [stakes for stakes in StakesFilter if stakes.admits(one)] == [StakesFilter.ALL]


@pytest.mark.parametrize("game", [one for one in DEFINITIONS if DEFINITIONS[one].daily])
def test_mistakes_in_daily_deals_of_all_games_count_as_free_play(game: str) -> None:
    unit = "points" if DEFINITIONS[game].points else "bets"
    entry = CatalogEntry(Path("log"), game=game, daily="2026-11-28", ending=SittingStatus.OVER)
    one = replace(studied(1, 1, {1: 1.0}), entry=entry, unit=unit)
    assert {stakes for stakes in StakesFilter if stakes.admits(one)} == {
        StakesFilter.PRACTICE,
        StakesFilter.ALL,
    }


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
    ids=value_id,
)
def test_stakes_option_selects_money_free_play_or_numbered_shuffles(
    kind: Any, player: str | None, unit: str, counts: set[StakesFilter]
) -> None:
    value = "0" * 64 if kind == "committed" else "7"
    entry = CatalogEntry(Path("a.jsonl"), game="toy", player=player, source=SourceSpec(kind, value))
    one = ReviewedSitting(entry, 1, unit, 1.0, ())
    assert {stakes for stakes in StakesFilter if stakes.admits(one)} == counts
    assert default_stakes([one]) in counts
    points = ReviewedSitting(CatalogEntry(Path("b.jsonl"), game="toy"), 1, "points", 1.0, ())
    assert default_stakes([points, one]) is (
        StakesFilter.PRACTICE
        if counts >= {StakesFilter.PRACTICE} and unit == "bets"
        else StakesFilter.MONEY
    ), "bets decide"
    assert default_stakes(()) is StakesFilter.MONEY
    queue = MistakeQueue(AnswerFile(None, "ann"))
    queue.add(one)
    assert queue.admitted == [one] * (kind != "numbered"), "scripts count only when asked"
    for stakes in StakesFilter:
        queue.chosen_stakes = stakes
        assert queue.admitted == [one] * (stakes in counts)
