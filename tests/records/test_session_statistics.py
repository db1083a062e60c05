"""Statistics over sittings: summaries, their cache, sums, luck, runs, and what does not count."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sqlite3
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import chain, pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.test_records import record
from tests.golden.write import golden
from tests.helpers.ledger_sessions import act
from tests.helpers.parameter_ids import value_id
from tests.helpers.random_play import seed_of, with_wild
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Expectation
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, listing_of
from tui_casino.games import video_poker
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options, RoundPaid
from tui_casino.house.lobby import AnySitting
from tui_casino.house.sitting import House, begin_sitting, branch_sitting
from tui_casino.inputs.files import BadFile
from tui_casino.records import summaries
from tui_casino.records.cache import Cache
from tui_casino.records.codec import encode
from tui_casino.records.export import export_report
from tui_casino.records.log_catalog import CatalogEntry, SittingStatus, list_logs
from tui_casino.records.log_header import BranchOrigin
from tui_casino.records.replay import replay_log
from tui_casino.records.session_log import read_log
from tui_casino.records.session_statistics import (
    MOST_PERIODS,
    Statistics,
    compute_statistics,
    format_trend,
)
from tui_casino.records.summaries import (
    MOST_CURVE_POINTS,
    NO_STREAKS,
    ExclusionReason,
    LongestStreaks,
    ReviewedLog,
    SittingSummary,
    bankroll_curve,
    longest_streaks,
    review_log,
    review_logs,
)
from tui_casino.structs import replace


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """The golden sittings of all games."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for listing in GAMES:
        shutil.copy(golden(listing).log, folder / f"{listing.slug}.jsonl")
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache.db")


def of(logs: Path, cache: Cache | None = None) -> Statistics:
    return compute_statistics(
        review_logs(list_logs(logs, DEFINITIONS, {}), DEFINITIONS, cache or Cache(None)),
        DEFINITIONS,
    )


def fold(nets: list[int], **other: Any) -> SittingSummary:
    """A sitting of rounds that each bet a dollar, with these net results in cents."""
    won = sum(nets) + 100 * len(nets)
    known: dict[str, Any] = {
        "rounds": len(nets),
        "wagered": 100 * len(nets),
        "won": won,
        "best": max(nets, default=None),
        "worst": min(nets, default=None),
        "run": longest_streaks(nets),
        "mistakes": None,
        "score": None,
        "course": bankroll_curve(nets),
        "cost": "0",
        "mean": None,
        "variance": None,
        "tally": '{"hands":[],"wagered":0,"won":0}',
        "played": 60_000,
    }
    return SittingSummary(**{**known, **other})


def sat(day: int, nets: list[int], player: str | None = "ann", **other: Any) -> ReviewedLog:
    entry = CatalogEntry(
        Path(f"session-{day}.jsonl"),
        game="video-poker",
        players=("human",),
        started=86_400_000 * day,
        ended=86_400_000 * day + 60_000,
        ending=SittingStatus.LEFT,
        player=player,
    )
    return ReviewedLog(entry, fold(nets, **other))


# ---- sums ------------------------------------------------------------------------------------


def test_statistics_have_totals_and_best_and_worst_sessions_and_rounds() -> None:
    found = compute_statistics(
        [sat(3, [500, -100]), sat(1, [-100]), sat(2, [-100, 0, 200])], DEFINITIONS
    )
    told = found.report()["money"]["overall"]
    assert (told["sittings"], told["rounds"], told["seconds"]) == (3, 6, 180)
    assert (told["wagered"], told["won"], told["net"]) == (600, 1000, 400)
    assert told["return_percent"] == 166.6667
    assert told["best_sitting"] == {"net": 400, "log": "session-3"}
    assert told["worst_sitting"] == {"net": -100, "log": "session-1"}
    assert (told["best_round"], told["worst_round"]) == (500, -100)
    assert told == {
        key: value
        for key, value in found.report()["money"]["games"]["video-poker"].items()
        if key not in ("tally", "eras")
    }


def test_bankroll_curve_is_sorted_by_time() -> None:
    found = compute_statistics([sat(3, [500]), sat(1, [-100]), sat(2, [50])], DEFINITIONS)
    points = list(found.money.overall.points())
    assert [(point.name, point.bankroll) for point in points] == [
        ("session-1", -100),
        ("session-2", -50),
        ("session-3", 450),
    ]


def test_bankroll_curve_adds_up_rounds_and_has_a_limited_number_of_points() -> None:
    assert bankroll_curve([]) == ()
    assert bankroll_curve([5, -7, 3]) == (5, -2, 1)
    nets = [1] * (3 * MOST_CURVE_POINTS) + [-1]
    kept = bankroll_curve(nets)
    assert len(kept) == MOST_CURVE_POINTS
    assert kept[-1] == sum(nets)
    steps = {later - before for before, later in pairwise((0, *kept[:-1]))}
    assert steps <= {3, 4}, "they lie evenly"


def test_bankroll_curve_of_statistics_has_a_value_for_every_round() -> None:
    """A sitting of ten rounds has ten times the room of one of a single round."""
    found = compute_statistics([sat(1, [100] * 10), sat(2, [-500])], DEFINITIONS).money.overall
    course = found.course(12)
    assert course == [100 * n for n in range(11)] + [500]
    assert compute_statistics([], DEFINITIONS).money.overall.course(5) == [0] * 5


def test_curve_of_a_game_for_points_adds_up_the_leads_of_its_sessions() -> None:
    won, lost = (
        sat(day, [0] * 9, player=None, score=score, course=())
        for day, score in ((1, (121, 100)), (2, (90, 121)))
    )
    points = compute_statistics([won, lost], DEFINITIONS).practice.overall
    assert points.course(19) == [0] * 9 + [21] * 9 + [-10]


def test_sessions_of_a_game_are_split_into_periods_by_rounds() -> None:
    """Each where its middle lies; a long one leaves parts out, and one alone is one part."""
    sittings = [sat(day, [100] * 5, mistakes=1, cost="50") for day in range(1, 25)]
    eras = compute_statistics(sittings, DEFINITIONS).money.eras["video-poker"]
    assert [len(era.figures.sittings) for era in eras] == [3] * MOST_PERIODS
    assert [era.net for era in eras] == [1500] * MOST_PERIODS
    assert [era.cost for era in eras] == [10] * MOST_PERIODS
    assert fold([], cost="50").cost_in_units(100) == Fraction(1, 2)
    assert [era.started for era in eras] == sorted(era.started for era in eras)
    long = compute_statistics([sat(1, [0] * 900), sat(2, [0]), sat(3, [0])], DEFINITIONS).money.eras
    assert [era.figures.rounds for era in long["video-poker"]] == [900, 2]
    (one,) = compute_statistics([sat(1, [])], DEFINITIONS).money.eras["video-poker"]
    assert (one.net, one.cost, one.averages) == (0, None, {})


def test_periods_of_a_game_have_its_averages_and_all_its_rounds(logs: Path) -> None:
    """Of cribbage and of draw; a sum of both parts is the game's own tally."""
    for slug, names in (
        ("cribbage", {"hand", "crib", "pegged"}),
        ("five-card-draw", {"put_in", "net"}),
    ):
        for day in (1, 2):
            shutil.copy(golden(listing_of(slug)).log, logs / f"{slug}-{day}.jsonl")
        book = of(logs).practice
        assert set(book.eras[slug][0].averages) == names
        assert [era.report()["average"] for era in book.eras[slug]] == [
            book.tallies[slug].report()["average"]
        ] * len(book.eras[slug])
        assert sum(era.figures.rounds for era in book.eras[slug]) == book.games[slug].rounds
        lines = [*format_trend(book.eras[slug], lambda at: "1 Jan", book.games[slug].for_points)]
        assert lines[0].split() == ["period", "from"] + ["1", "Jan"] * len(book.eras[slug])
        assert {
            line[8:17].strip().replace(" ", "_") for line in lines if line[:8] == "average "
        } == names
        assert [*format_trend(book.eras[slug][:1], str, False)] == []


def test_mistakes_and_costs_are_summed_and_listed_per_session() -> None:
    sittings = [
        sat(1, [0], mistakes=2, cost="25/2"),
        sat(2, [0]),
        sat(3, [0], mistakes=1, cost="1/3"),
    ]
    told = compute_statistics(sittings, DEFINITIONS).report()["money"]["overall"]
    assert told["mistakes"] == {"sittings": 2, "count": 3, "cost": 12.83}
    costs = [point["cost"] for point in told["over_time"].values()]
    counts = [point["mistakes"] for point in told["over_time"].values()]
    assert (costs, counts) == ([12.5, 0.0, 0.33], [2, None, 1])


def test_points_are_summed_only_in_statistics_without_money() -> None:
    """A game for points tells how far ahead it was; beside money its points cost nothing."""
    won, lost = (
        sat(day, [], player=None, score=score, mistakes=1, cost="5/2")
        for day, score in ((1, (121, 100)), (2, (90, 121)))
    )
    points = compute_statistics([won, lost], DEFINITIONS).practice.overall
    assert points.for_points
    assert [point.bankroll for point in points.points()] == [21, 21 - 31]
    assert points.report()["mistakes"] == {"sittings": 2, "count": 2, "cost": 5.0}
    money = sat(3, [500], player=None, mistakes=1, cost="40")
    both = compute_statistics([won, money], DEFINITIONS).practice.overall
    assert not both.for_points
    assert [point.bankroll for point in both.points()] == [0, 500]
    assert both.report()["mistakes"] == {"sittings": 1, "count": 1, "cost": 40.0}


def test_luck_in_statistics_is_measured_in_standard_deviations() -> None:
    """Even money on fair coins, 100 tosses at a dollar: mean 100, variance 100 dollars squared."""
    tosses = {"mean": str(100 * 100), "variance": str(100 * 100**2)}
    found = compute_statistics(
        [sat(1, [100] * 60 + [-100] * 40, **tosses)], DEFINITIONS
    ).money.overall
    assert found.luck is not None
    assert found.luck.deviation == 1000
    assert found.luck.luck == 2.0  # 20 dollars above, the deviation is 10


def test_luck_in_statistics_covers_only_sessions_with_known_odds() -> None:
    known = {"mean": "90", "variance": "10000"}
    found = compute_statistics(
        [sat(1, [100], **known), sat(2, [10_000])], DEFINITIONS
    ).money.overall
    assert found.luck is not None
    assert (found.luck.wagered, found.luck.won) == (100, 200)
    assert compute_statistics([sat(2, [10_000])], DEFINITIONS).money.overall.luck is None
    assert found.luck.luck == 1.1


def test_statistics_without_a_bet_have_no_return_and_no_luck() -> None:
    none = compute_statistics([sat(1, [], mean="0", variance="0")], DEFINITIONS)
    told = none.report()["money"]["overall"]
    assert (told["return_percent"], told["expected"]["luck"]) == (None, None)
    assert (told["best_round"], told["worst_round"]) == (None, None)
    assert compute_statistics([], DEFINITIONS).report()["money"]["overall"]["best_sitting"] is None


def test_statistics_count_free_play_separately() -> None:
    found = compute_statistics([sat(1, [5]), sat(2, [-9], player=None)], DEFINITIONS)
    assert (found.money.overall.net, found.practice.overall.net) == (5, -9)


@pytest.mark.parametrize(
    ("nets", "run"),
    [
        ([], LongestStreaks(0, 0, 0, 0)),
        ([0, 0], LongestStreaks(0, 0, 0, 0)),
        ([1, 1, -1, 1], LongestStreaks(2, 1, 2, 1)),
        ([1, 0, 1, -5, -5, 0, -5], LongestStreaks(2, 3, 2, -3)),  # a push ends no streak
    ],
    ids=value_id,
)
def test_longest_winning_and_losing_runs_of_rounds_are_computed(
    nets: list[int], run: LongestStreaks
) -> None:
    assert longest_streaks(nets) == run


@given(st.lists(st.lists(st.integers(-1, 1), max_size=6), max_size=6))
def test_streaks_of_sessions_are_joined(sessions: list[list[int]]) -> None:
    joined = sum(map(longest_streaks, sessions), NO_STREAKS)
    assert joined == longest_streaks(chain.from_iterable(sessions))
    words = "".join({1: "w", -1: "l"}.get(net, "") for nets in sessions for net in nets)
    assert joined.won == max(map(len, words.split("l")))
    assert joined.lost == max(map(len, words.split("w")))


@given(st.lists(st.integers(-2, 2), max_size=30))
def test_winning_runs_equal_losing_runs_of_the_negated_results(nets: list[int]) -> None:
    run, mirrored = longest_streaks(nets), longest_streaks(-net for net in nets)
    assert (run.won, run.lost) == (mirrored.lost, mirrored.won)
    text = "".join("+" if net > 0 else "-" for net in nets if net)
    assert run.won == max(map(len, text.split("-")))


def test_statistics_have_the_longest_runs_of_sessions_and_of_rounds() -> None:
    found = compute_statistics(
        [sat(1, [1]), sat(2, [1, 1, -1]), sat(3, [-9]), sat(4, [2])], DEFINITIONS
    )
    assert found.report()["money"]["overall"]["longest_runs"] == {
        "sittings_won": 2,
        "sittings_lost": 1,
        "rounds_won": 3,
        "rounds_lost": 2,
    }


# ---- summaries -------------------------------------------------------------------------------


def test_net_results_of_golden_sessions_agree_with_their_logs(logs: Path) -> None:
    """The figures follow from the logs' own events and results, counted again here."""
    book = of(logs).practice
    assert sorted(book.games) == sorted(DEFINITIONS)
    for entry in list_logs(logs, DEFINITIONS, {}):
        figures = book.games[entry.game or ""]
        assert figures.net == (entry.result or 0)
    assert book.overall.net == sum(entry.result or 0 for entry in list_logs(logs, DEFINITIONS, {}))


def test_expected_video_poker_result_follows_from_the_bets(logs: Path) -> None:
    from tui_casino.games.video_poker.brains.odds import odds_of

    log = read_log(logs / "video-poker.jsonl")
    game = DEFINITIONS["video-poker"].game
    coins = [
        event.coins
        for played in replay_log(game, log)
        for event in played.events
        if isinstance(event, RoundPaid)
    ]
    reports = [odds_of(Options().paytable, each).report("optimal") for each in coins]
    mean = 100 * sum(each * r.expected_return for each, r in zip(coins, reports, strict=True))
    square = 100**2 * sum(each**2 * r.variance for each, r in zip(coins, reports, strict=True))
    luck = of(logs).practice.games["video-poker"].luck
    assert luck is not None
    assert luck.expected == Expectation(Fraction(mean), Fraction(square))
    assert luck.luck == float(luck.won - mean) / sqrt(square)


def test_statistics_of_five_card_draw_have_no_expected_result(logs: Path) -> None:
    assert of(logs).practice.games["five-card-draw"].luck is None


def test_game_tallies_of_copied_sessions_are_twice_as_large(logs: Path) -> None:
    once = of(logs)
    for listing in GAMES:
        shutil.copy(logs / f"{listing.slug}.jsonl", logs / f"{listing.slug}-again.jsonl")
    twice = of(logs)
    for game, tally in once.practice.tallies.items():
        both = twice.practice.tallies[game]
        assert (both.rounds, both.wagered, both.won) == (
            2 * tally.rounds,
            2 * tally.wagered,
            2 * tally.won,
        )


def test_logs_excluded_from_statistics_are_counted_by_reason(logs: Path) -> None:
    raw = (logs / "baccarat.jsonl").read_bytes()
    lines = raw.splitlines(keepends=True)
    (logs / "damaged.jsonl").write_bytes(b"nonsense\n")
    (logs / "middle.jsonl").write_bytes(b"".join([*lines[:9], b"{}\n", *lines[10:]]))
    (logs / "cut.jsonl").write_bytes(b"".join(lines[:-1]))
    (logs / "other.jsonl").write_bytes(raw.replace(b'"game":"baccarat"', b'"game":"whist"', 1))
    record(with_wild(DEFINITIONS["baccarat"]), logs / "alone.jsonl", seed_of(1), 20, ())
    found = list(review_logs(list_logs(logs, DEFINITIONS, {}), DEFINITIONS, Cache(None)))
    assert compute_statistics(found, DEFINITIONS).left_out == {
        ExclusionReason.DAMAGED: 2,
        ExclusionReason.NOT_ENDED: 1,
        ExclusionReason.UNKNOWN: 1,
        ExclusionReason.COMPUTERS: 1,
    }
    faults = {each.entry.path.stem: each.fault for each in found if each.fault}
    assert faults["middle"] == "line 10: not a step: Object missing required field `n`"
    assert "not the first line" in faults["damaged"]
    assert of(logs).practice.overall.sittings


def test_log_deleted_meanwhile_is_excluded_as_damaged(logs: Path, cache: Cache) -> None:
    found = list_logs(logs, DEFINITIONS, {})
    (logs / "baccarat.jsonl").unlink()
    reviewed = {each.entry.game: each for each in review_logs(found, DEFINITIONS, cache)}
    assert reviewed["baccarat"].left_out is ExclusionReason.DAMAGED
    assert "No such file" in (reviewed["baccarat"].fault or "")


# ---- the cache -------------------------------------------------------------------------------


def test_statistics_of_cached_logs_are_computed_without_replaying(
    logs: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = of(logs, cache).report()
    monkeypatch.setattr("tui_casino.records.summaries.review_log", None)  # would raise
    assert of(logs, cache).report() == first


def test_finished_summaries_stay_cached_if_statistics_are_interrupted(
    logs: Path, cache: Cache
) -> None:
    work = review_logs(list_logs(logs, DEFINITIONS, {}), DEFINITIONS, cache)
    next(work), next(work)
    work.close()
    assert len(cache.reviews()) == 2


def test_changed_log_is_summarized_again_despite_the_cache(logs: Path, cache: Cache) -> None:
    of(logs, cache)
    shutil.copy(logs / "video-poker.jsonl", logs / "baccarat.jsonl")
    os.utime(logs / "baccarat.jsonl", ns=(1, 1))
    assert set(of(logs, cache).practice.games) == DEFINITIONS.keys() - {"baccarat"}


def test_log_changed_with_the_same_size_and_time_is_excluded_from_statistics(
    logs: Path, cache: Cache
) -> None:
    of(logs, cache)
    path = logs / "baccarat.jsonl"
    before = path.stat()
    raw = path.read_bytes()
    at = raw.index(b'"is":"Deal","card":"') + 20
    path.write_bytes(raw[:at] + (b"2" if raw[at] != ord("2") else b"3") + raw[at + 1 :])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert set(of(logs, cache).practice.games) == DEFINITIONS.keys() - {"baccarat"}


def test_cache_rows_changed_by_hand_do_not_change_statistics(logs: Path, cache: Cache) -> None:
    right = of(logs, cache).report()
    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        for (value,) in db.execute("select value from review").fetchall():
            kept = json.loads(value)
            kept["summary"].update(won=10**9, best=10**9)
            more = json.dumps(kept).encode()
            db.execute("update review set value = ? where value = ?", (more, value))
    assert of(logs, Cache(cache.path)).report() == right


def test_cache_signed_with_a_foreign_key_does_not_change_statistics(
    logs: Path, cache: Cache, tmp_path: Path
) -> None:
    """A cache from elsewhere, key and all, is not ours: neither is the file of its key."""
    right = of(logs).report()
    other = Cache(tmp_path / "other.db")
    [one, *_] = [*review_logs(list_logs(logs, DEFINITIONS, {}), DEFINITIONS, Cache(None))]
    assert one.summary is not None
    wrong = encode({"summary": replace(one.summary, won=10**9), "choices": None})
    other.keep_reviews([(one.entry.path, one.entry.size, one.entry.touched, wrong)])
    assert other.path is not None
    assert cache.path is not None
    cache.reviews()  # makes a key
    shutil.copy(other.path, cache.path)
    assert of(logs, Cache(cache.path)).report() == right


BAD_STEPS = (-5, -1, 10**18, 10**30, 1.5, "3", None)


@pytest.mark.parametrize("step", BAD_STEPS)
def test_log_with_an_invalid_parent_affects_only_itself(step: object, logs: Path) -> None:
    right = of(logs).report()
    first, *rest = (logs / "baccarat.jsonl").read_bytes().splitlines(keepends=True)
    header = {**json.loads(first), "parent": {"log": "other.jsonl", "step": step}}
    bad = logs / "bad.jsonl"
    bad.write_bytes(b"".join([json.dumps(header).encode() + b"\n", *rest]))
    [damaged] = [entry for entry in list_logs(logs, DEFINITIONS, {}) if entry.fault is not None]
    assert damaged.path == bad
    assert "step" in str(damaged.fault)
    found = of(logs).report()
    assert {**found, "left_out": {}} == right
    assert found["left_out"] == {"damaged": 1}
    with pytest.raises(BadFile, match=f"^{bad}:1: not the first line of a log: .*step"):
        read_log(bad)


@pytest.mark.parametrize(
    "bomb",
    [ZeroDivisionError(), KeyError("x"), RecursionError(), TypeError()],
    ids=value_id,
)
def test_exception_in_one_log_does_not_stop_the_statistics(
    bomb: Exception, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a log brings about in the rules of its game, the others are counted."""

    def reviewed(definition: Any, path: Path, **how: Any) -> Any:
        if path.stem == "baccarat":
            raise bomb
        return review_log(definition, path, **how)

    monkeypatch.setattr(summaries, "review_log", reviewed)
    found = of(logs)
    assert set(found.practice.games) == DEFINITIONS.keys() - {"baccarat"}
    assert found.left_out == {ExclusionReason.DAMAGED: 1}
    [one] = [
        one
        for one in review_logs(list_logs(logs, DEFINITIONS, {}), DEFINITIONS, Cache(None))
        if one.fault
    ]
    assert one.entry.path.stem == "baccarat"
    assert type(bomb).__name__ in str(one.fault)


@pytest.mark.parametrize("value", [b"", b"{}", b"[1]", b'{"rounds":"many"}'])
def test_invalid_cache_entry_is_computed_again(value: bytes, logs: Path, cache: Cache) -> None:
    right = of(logs).report()
    cache.keep_reviews((e.path, e.size, e.touched, value) for e in list_logs(logs, DEFINITIONS, {}))
    assert of(logs, cache).report() == right


def test_statistics_are_correct_with_a_broken_cache(logs: Path, tmp_path: Path) -> None:
    right = of(logs).report()
    (tmp_path / "broken.db").write_bytes(b"no database at all" * 300)
    (tmp_path / "file").touch()
    for path in (tmp_path / "broken.db", tmp_path, tmp_path / "file" / "cache.db"):
        assert of(logs, Cache(path)).report() == right
    assert Cache(tmp_path / "broken.db").reviews()  # begun anew and filled


def work(arguments: tuple[Path, Path]) -> str:
    logs, path = arguments
    return json.dumps(of(logs, Cache(path)).report())


def test_programs_sharing_a_cache_compute_the_same_statistics(logs: Path, cache: Cache) -> None:
    assert cache.path is not None
    with ProcessPoolExecutor(3) as pool:
        reports = set(pool.map(work, [(logs, cache.path)] * 6))
    assert reports == {json.dumps(of(logs).report())}
    assert len(cache.reviews()) == len(GAMES)


def test_cache_of_another_program_version_is_not_used(
    logs: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    of(logs, cache)
    monkeypatch.setattr("tui_casino.records.cache.__version__", "99")
    assert cache.reviews() == {}
    assert cache.frames(logs / "baccarat.jsonl") == []


def test_forgotten_log_is_removed_from_the_cache(logs: Path, cache: Cache) -> None:
    of(logs, cache)
    cache.forget(logs / "baccarat.jsonl")
    assert len(cache.reviews()) == len(GAMES) - 1


# ---- exports ---------------------------------------------------------------------------------


def test_exported_statistics_can_be_read_back(logs: Path, tmp_path: Path) -> None:
    report = of(logs).report()
    export_report(report, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == json.loads(json.dumps(report))
    export_report(report, tmp_path / "out.csv")
    rows = dict(csv.reader((tmp_path / "out.csv").read_text().splitlines()))
    overall = report["practice"]["overall"]
    assert rows["practice.overall.net"] == str(overall["net"])
    assert rows["practice.overall.over_time.baccarat.net"] == str(
        overall["over_time"]["baccarat"]["net"]
    )


@pytest.mark.parametrize(
    "name", ["=HYPERLINK(1)", "+1", "-1", "@a", "a\x1b[2J", "\udcff", "a,b\n=1"]
)
def test_log_names_in_exports_cannot_be_spreadsheet_formulas(name: str, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    shutil.copy(golden(GAMES[0]).log, logs / f"{name}.jsonl")
    report = of(logs).report()
    export_report(report, tmp_path / "out.json")
    export_report(report, tmp_path / "out.csv")
    rows = [*csv.reader((tmp_path / "out.csv").read_text().splitlines())]
    for cell in (cell for row in rows for cell in row):
        assert cell.isprintable()
        assert not cell.startswith(("=", "+", "@"))
        assert not cell.startswith("-") or float(cell) < 0
    told = json.loads((tmp_path / "out.json").read_text())["practice"]["overall"]
    expected = {"\udcff": r"\xff", "a\x1b[2J": r"a\x1b[2J", "a,b\n=1": r"a,b\n=1"}.get(name, name)
    assert told["best_sitting"]["log"] == expected


def test_session_summary_is_that_of_the_first_human_seat(tmp_path: Path) -> None:
    definition = with_wild(DEFINITIONS["five-card-draw"])
    record(definition, tmp_path / "log.jsonl", seed_of(2), 200, (1,))
    tally = json.loads(review_log(definition, tmp_path / "log.jsonl")[0].tally)
    assert tally["seat"] == 1


def test_log_with_an_undecodable_name_can_be_branched(tmp_path: Path) -> None:
    house = House(tmp_path / "logs", None, "ann")
    definition = video_poker.DEFINITION
    sitting = begin_sitting(
        house, definition, Options(), ShuffledShoe(), SeededSource(5), {Seat(0): None}
    )
    act(sitting, Bet(1), Draw(), Hold(()))
    sitting.table.run()
    sitting.leave()
    odd = sitting.log.path.rename(sitting.log.path.with_name("\udcff.jsonl"))
    with branch_sitting(house, definition, odd, 4) as other:
        assert other.log.header.parent == BranchOrigin("?.jsonl", 4)


def test_statistics_count_rounds_before_a_branch_once(tmp_path: Path) -> None:
    """The rounds before the fork are those of the sitting that it goes on from."""
    house = House(tmp_path / "logs", None, "ann")
    definition = video_poker.DEFINITION
    sitting = begin_sitting(
        house, definition, Options(), ShuffledShoe(), SeededSource(5), {Seat(0): None}
    )

    def round_of(sitting: AnySitting, hold: tuple[int, ...]) -> None:
        act(sitting, Bet(5), Draw(), Hold(hold))
        sitting.table.run()

    round_of(sitting, ())
    round_of(sitting, (1,))
    fork = sitting.log.steps
    sitting.leave()
    other = branch_sitting(house, definition, sitting.log.path, fork)
    round_of(other, (2,))
    other.leave()
    found = {entry.parent is None: entry for entry in list_logs(house.logs, DEFINITIONS, {})}
    first, second = (review_log(definition, found[whole].path)[0] for whole in (True, False))
    assert (first.rounds, first.wagered) == (2, 1000)
    assert (second.rounds, second.wagered) == (1, 500)
    assert second.won == other.cents - sitting.cents + 500
    assert second.expectation is not None
    assert first.expectation is not None
    assert first.expectation.mean == 2 * second.expectation.mean
