"""Every game's logs can be gone about in: frames, marks and summaries agree with a plain replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_records import record
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import by_game, by_game_first
from tests.helpers.random_play import fair_table, play, seed_of, with_wild
from tui_casino.engine.game import Seat, is_asked
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GameListing
from tui_casino.records import playback
from tui_casino.records.cache import Cache
from tui_casino.records.codec import decode, encode
from tui_casino.records.playback import Playback, ReplayMark
from tui_casino.records.recording_review import RecordingReview
from tui_casino.records.replay import replay_log
from tui_casino.records.session_log import read_log
from tui_casino.records.summaries import review_log

STEPS = 330


@pytest.fixture
def definition(listing: GameListing) -> AnyDefinition:
    return with_wild(listing.definition())


@pytest.fixture
def log(definition: AnyDefinition, tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    record(definition, path, seed_of(4), STEPS, (0,))  # at every table there is a bet
    return path


@by_game
@pytest.mark.parametrize("number", range(3), ids=labelled("session {}"))
def test_game_states_and_tallies_are_equal_after_encoding_as_json(
    definition: AnyDefinition, number: int
) -> None:
    table = fair_table(definition, seed_of(number))
    tally = definition.tally(Seat(0))
    for _ in range(STEPS):
        heard: list[Any] = []
        forget = table.bus.subscribe(Seat(0), lambda told, heard=heard: heard.extend(told.events))  # type: ignore[misc]
        play(table, seed_of(number), 1)
        forget()
        for event in heard:
            tally = tally.add(event)
        assert decode(encode(table.state), type(table.state)) == table.state
        assert decode(encode(tally), type(tally)) == tally


@by_game
def test_playback_and_replay_of_a_log_give_the_same_moment_at_each_step(
    definition: AnyDefinition, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playback, "FRAME_INTERVAL", 40)
    plain = list(replay_log(definition.game, read_log(log)))
    cache = Cache(tmp_path / "cache.db")
    for _ in range(2):  # worked out, and then from what was kept
        with Playback(definition, log, cache) as found:
            assert found.steps == len(plain)
            list(found.index())
            assert found.indexed == found.steps
            for step in (*range(found.steps, 0, -7), *range(1, found.steps, 11)):
                moment, played = found.moment_at(step), plain[step - 1]
                assert (moment.state, moment.events) == (played.state, played.events)
                assert (moment.by, moment.action) == (played.line.by, played.action)
                assert moment.at == played.line.at
            assert found.moment_at(0).state == definition.game.start(definition.game.Options())
            assert found.fault is None
    assert len(cache.frames(log)) == len(plain) // 40


@by_game_first("baccarat", "five-card-draw")
def test_playback_marks_for_bets_rounds_wins_and_mistakes_match_a_replay(
    definition: AnyDefinition, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By other means: bets by the money that is staked, rounds and wins by the seat's tally."""
    monkeypatch.setattr(playback, "FRAME_INTERVAL", 50)
    seat, game = Seat(0), definition.game
    state, tally = game.start(game.Options()), definition.tally(seat)
    should: dict[ReplayMark, list[int]] = {mark: [] for mark in ReplayMark}
    wrong = list[int]()
    should[ReplayMark.ROUND].append(1)
    whole = read_log(log)
    for played in replay_log(game, whole):
        n, before = played.line.n, tally
        turn = game.turn(state)
        judge = definition.adviser.judge if is_asked(turn, seat) else None
        if judge is not None and judge(game.view(state, seat), seat, played.action):
            wrong.append(n)
        if game.money(played.state, seat).staked > game.money(state, seat).staked:
            should[ReplayMark.BET].append(n)
        for event in played.events:
            tally = tally.add(game.hear(played.state, event, seat))
        if tally.rounds > before.rounds:
            should[ReplayMark.ROUND] += [n + 1] if n < len(whole.lines) else []
            if tally.won - before.won > tally.wagered - before.wagered:
                should[ReplayMark.WIN].append(n)
        state = played.state
    assert should[ReplayMark.ROUND]
    assert should[ReplayMark.BET] or not game.money(game.start(game.Options()), seat).free
    with Playback(definition, log, Cache(None)) as found:
        for mark, steps in should.items():
            assert list(follow(partial(found.next_mark, mark), 0)) == steps
            assert list(follow(partial(found.previous_mark, mark), found.steps + 1)) == steps[::-1]
        assert found.moment_at(found.steps).tally == tally
        reviewer = RecordingReview(found)
        assert list(follow(reviewer.next_mistake, 0)) == wrong
        assert list(follow(RecordingReview(found).previous_mistake, found.steps + 1)) == wrong[::-1]
        for step in wrong:
            mistake = reviewer.mistake(step)
            assert mistake is not None
            assert mistake.cost > 0
            assert mistake.best != found.moment_at(step).action == mistake.action


def follow(find: Callable[[int], int | None], step: int) -> Iterator[int]:
    while (found := find(step)) is not None:
        yield (step := found)


@by_game
def test_session_summary_has_the_rounds_bets_and_result_of_a_replay(
    definition: AnyDefinition, log: Path
) -> None:
    summary = review_log(definition, log)[0]
    game, seat = definition.game, Seat(0)
    *_, last = replay_log(game, read_log(log))
    brought = game.money(game.start(game.Options()), seat).free
    money = game.money(last.state, seat)
    with Playback(definition, log, Cache(None)) as found:
        tally = found.moment_at(found.steps).tally
    assert decode(summary.tally.encode(), type(tally)) == tally
    assert summary.rounds == tally.rounds > 0
    assert (summary.wagered, summary.won) == (game.unit * tally.wagered, game.unit * tally.won)
    assert summary.net == game.unit * (money.free + money.staked - brought)
    assert summary.mistakes is None, "nothing was weighed"
    assert (summary.expectation is None) is (definition.adviser.expect is None)
