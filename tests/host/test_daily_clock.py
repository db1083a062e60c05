"""The daily deals of a server whose clock is wrong or changes, and of a restored server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from tests.daily.play import DAILY, DAY, best, noon, play, play_on
from tests.helpers.narrow import not_none
from tests.host.cage_processes import Cages
from tests.host.loopback_server import Host, host, new_key, until, visiting
from tests.host.shifted_clock import PROGRAM, set_clock
from tests.host.test_daily_results import judged
from tests.host.test_sealed_daily import (
    KEY,
    MINUTE,
    SLUG,
    ServerClock,
    announce,
    command_output,
    current_names,
    deal_over,
    player_of,
)
from tui_casino.daily.deal import OVER
from tui_casino.daily.session import open_try, read_day, read_try
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.host.backup import back_up, restore
from tui_casino.host.cage.daily_desk import DailyDesk
from tui_casino.host.commitment_log import (
    CLOCK_ERROR,
    CommitmentLogWriter,
    HouseWitness,
    clock_warning,
)
from tui_casino.host.config import Config
from tui_casino.host.daily_deals import GRACE, DailyResults, DailySeeds
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.gateway import daily_judge
from tui_casino.host.gateway.visit import ProcessSockets, Visit
from tui_casino.host.identities import Identities
from tui_casino.host.rate_limits import JobLimit
from tui_casino.host.session_protocol import Hello
from tui_casino.house.house import House
from tui_casino.inputs.errors import BadInput
from tui_casino.records.ledger import LedgerError
from tui_casino.records.log_header import Identity
from tui_casino.records.promises import daily_name, read_promises
from tui_casino.records.session_log import LogWriteError, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.daily import state_text
from tui_casino.structs import replace

HOURS = 3_600_000
MIDNIGHT = noon(DAY) + 12 * HOURS
"""The end of the day."""


@pytest.fixture
def clock() -> ServerClock:
    return ServerClock()


@pytest.fixture
def server(tmp_path: Path, clock: ServerClock) -> Iterator[Cages]:
    data = DataFolder(tmp_path)
    seeds, results = DailySeeds(KEY, clock), DailyResults(data.daily)
    desk = DailyDesk(seeds, results, HouseWitness(data), current_names)
    with closing(Cages(data.ledger, daily=desk)) as cages:
        yield cages


def player_at(server: Cages, folder: Path, name: str, clock: ServerClock) -> House:
    """Return a player's house whose clock is that of the server."""
    return replace(player_of(server, folder, name)[0], clock=clock)


# ---- a clock that was ahead --------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [timedelta(hours=13), timedelta(days=1), timedelta(days=5)])
@pytest.mark.parametrize("slug", [SLUG, "cribbage"])
def test_day_whose_seed_was_published_too_early_is_over_for_good(
    slug: str, ahead: timedelta, server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    lines = {}
    for name, choices in (("ann", 1000), ("bob", 1)):
        house, lines[name] = player_of(server, tmp_path, name)
        play(house, deal_over(lines[name], slug), best, choices)
    clock.at += int(ahead.total_seconds()) * 1000
    deal_over(server.line("dan", str(tmp_path)), slug, DAY + timedelta(days=1))  # publishes
    clock.at = noon(DAY)
    states = {}
    for name in ("ann", "bob", "cem"):
        house, line = player_of(server, tmp_path, name)
        deal = deal_over(line, slug)
        assert deal.over
        assert deal.secrecy == OVER
        attempt = read_try(house, deal)
        states[name] = state_text(attempt)
        assert not attempt.unfinished
        assert not attempt.fault
        log = attempt.path.read_bytes() if attempt.path.exists() else b""
        with pytest.raises(BadInput, match="have played" if name == "ann" else "seed .* public"):
            open_try(house, deal)
        assert log == (attempt.path.read_bytes() if attempt.path.exists() else b"")
    assert "best" in states["ann"]
    assert states["bob"] == states["cem"] == "over"
    tomorrow = DAY + timedelta(days=1 + ahead.days)
    clock.at = noon(tomorrow)
    house, line = player_of(server, tmp_path, "cem")
    deal = deal_over(line, slug, tomorrow)
    assert not deal.over
    play(house, deal)
    assert read_try(house, deal).finished, "a later day is played as usual"


def test_open_try_gets_no_cards_after_its_seed_is_public(
    server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    house, line = player_of(server, tmp_path, "ann")
    with open_try(house, deal_over(line)) as session:
        play_on(session, best, 1)
        clock.at = noon(DAY + timedelta(days=1))
        deal_over(server.line("bob", str(tmp_path)), SLUG, DAY + timedelta(days=1))
        clock.at = noon(DAY)
        with pytest.raises(LogWriteError, match="the day of this daily deal is over"):
            play_on(session, best)
        assert not session.over


@pytest.mark.parametrize("minutes", [-1, 0, GRACE - 1, GRACE, GRACE + 1])
def test_try_begun_before_midnight_can_be_finished_until_the_seed_is_revealed(
    minutes: int, server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    clock.at = MIDNIGHT - MINUTE
    house, line = player_of(server, tmp_path, "ann")
    deal = deal_over(line)
    with open_try(house, deal) as session:
        play_on(session, best, 1)
        clock.at = MIDNIGHT + minutes * MINUTE
        if minutes < GRACE:
            play_on(session, best)
        else:
            with pytest.raises(LogWriteError, match="is over"):
                play_on(session, best)
    assert deal_over(line).over == (minutes >= GRACE)
    attempt = read_try(house, deal_over(line))
    assert (attempt.finished, attempt.unfinished) == (minutes < GRACE, False)


def test_published_deals_are_found_after_the_log_was_cut(
    clock: ServerClock, tmp_path: Path
) -> None:
    path = tmp_path / "promises.log"
    writer, next_day = CommitmentLogWriter(path), noon(DAY + timedelta(days=1))
    assert not writer.deals.is_revealed(DAY)
    announce(path, clock)
    assert not writer.deals.is_revealed(DAY)
    clock.at = next_day
    announce(path, clock)
    assert writer.deals.is_revealed(DAY)
    assert not writer.deals.is_revealed(DAY + timedelta(days=1))
    path.write_bytes(path.read_bytes()[:-1])  # the machine crashed during a write
    clock.at += 24 * HOURS
    announce(path, clock)
    assert writer.deals.is_revealed(DAY + timedelta(days=1))
    names = [(one.sitting, bool(one.last)) for one in read_promises(path)]
    assert len(names) == len(set(names)), "nothing is published twice"


@pytest.mark.parametrize(
    ("behind", "warned"),
    [
        (-HOURS, False),
        (0, False),
        (CLOCK_ERROR, False),
        (CLOCK_ERROR + 1, True),
        (72 * HOURS, True),
    ],
)
def test_start_with_the_clock_behind_the_commitment_log_is_reported(
    behind: int, warned: bool, clock: ServerClock, tmp_path: Path
) -> None:
    path = tmp_path / "promises.log"
    assert clock_warning(path, 0) == "", "there is no log yet"
    announce(path, clock)
    warning = clock_warning(path, clock.at - behind)
    assert bool(warning) == warned
    if warned:
        assert "2026-11-28 12:00 UTC" in warning, "the time of the last line"
        assert "stop the server and set it" in warning


# ---- a clock that was set back -----------------------------------------------------------------


@pytest.mark.parametrize("choices", [1, 1000], ids=["unfinished", "finished"])
def test_daily_room_shows_an_earlier_day_after_the_clock_was_set_back(
    choices: int, server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    house, next_day = player_at(server, tmp_path, "ann", clock), DAY + timedelta(days=1)
    daily = not_none(house.daily)
    play(house, deal_over(server.line("ann", str(tmp_path))))
    clock.at = noon(next_day)
    deal = deal_over(server.line("ann", str(tmp_path)), day=next_day)
    play(house, deal, best, choices)
    later = read_log(read_try(house, deal).path)
    clock.at = noon(DAY)
    overview = read_day(house, DEFINITIONS)
    assert (overview.day, overview.run, overview.played) == (DAY, 1, "1 of 4 played")
    result = next(one for one in overview.tries if one.deal.slug == SLUG).result()
    assert not_none(result).cost == 0
    assert house.daily_shuffle(later.header) is None, "its seed is still secret"
    with pytest.raises(LedgerError, match="has not begun"):
        daily.source(next_day, SLUG)


# ---- judging -----------------------------------------------------------------------------------


class CountingJudge:
    """A judge whose jobs wait until they are released; ``judged`` are their players and days."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.judged, self.free, self.at = list[tuple[str, str | None]](), asyncio.Event(), 0

        async def work(visit: Visit, sockets: ProcessSockets) -> None:
            self.judged.append((visit.player, visit._hello.judge))
            await self.free.wait()

        monkeypatch.setattr(Visit, "play", work)
        monkeypatch.setattr(daily_judge, "now", lambda: self.at)
        self.judge = daily_judge.DailyJudge(
            Config(), DataFolder(folder), cast(ProcessSockets, None), JobLimit(1)
        )

    def report(self, player: str) -> None:
        self.judge.judge_tries(Hello(player, player, "/home", 80, 24, {}, 1, 1, 1))


async def test_slow_judge_counts_tries_finished_before_the_seed_was_published_only(
    clock: ServerClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(tmp_path / "promises.log", clock)
    judge = CountingJudge(tmp_path, monkeypatch)
    judge.at = noon(DAY)
    judge.report("eve")
    await until(lambda: len(judge.judged) == 1)
    judge.report("ann")
    clock.at = noon(DAY + timedelta(days=1))
    announce(tmp_path / "promises.log", clock)  # with a wrong clock, which is then put right
    judge.report("bob")
    judge.free.set()
    await until(lambda: len(judge.judged) == 2)
    await asyncio.sleep(0)
    await judge.judge.close()
    assert judge.judged == [("eve", DAY.isoformat()), ("ann", DAY.isoformat())]


async def test_finished_try_without_a_result_is_judged_for_each_player_who_has_one(
    server: Cages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataFolder(tmp_path)
    players = [Identity(name, name.title()) for name in ("ann", "bob", "cem", "dan")]
    for one, choices in zip(players, (1000, 1, 0, 1000), strict=True):
        house, line = player_of(server, tmp_path, one.id)
        if choices:
            logs = data.player(one.id) / "sessions"
            play(replace(house, logs=logs), deal_over(line), best, choices)
    judge = CountingJudge(tmp_path, monkeypatch)
    judge.at, ann_and_dan = noon(DAY), [(name, DAY.isoformat()) for name in ("ann", "dan")]
    judge.free.set()
    judge.judge.judge_missing(lambda: players)
    await until(lambda: len(judge.judged) == 2)
    assert judge.judged == ann_and_dan
    judge.judge.results.add([judged("ann")], DAY)
    judge.judge.judge_missing(lambda: players)
    await until(lambda: len(judge.judged) == 3)
    assert judge.judged[2:] == ann_and_dan[1:]
    await judge.judge.close()


# ---- restored servers --------------------------------------------------------------------------


def test_todays_deals_of_a_restored_server_are_over(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    data.lock()
    with closing(Identities(data.identities)) as book:
        players = [book.enrol(f"SHA256:{name}", name, 1).id for name in ("Ann", "Bob")]
    SqliteLedger(data.ledger).close()
    data.daily_key.write_text(KEY.hex() + "\n")
    data.daily_key.chmod(0o600)
    seeds = DailySeeds(KEY)
    today = seeds.today
    desk = DailyDesk(seeds, DailyResults(data.daily), HouseWitness(data), current_names)
    with closing(Cages(data.ledger, daily=desk)) as cages:
        house, line = player_of(cages, tmp_path, players[0])
        house = replace(house, logs=data.player(players[0]) / "sessions")
        deal = deal_over(line, day=today)
        play(house, deal, best, 3)
        back_up(data, tmp_path / "backup.tar")
        play(house, deal)  # and now the player knows all cards
    again = DataFolder(tmp_path / "again")
    assert restore(tmp_path / "backup.tar", again).faults == ()
    desk = DailyDesk(seeds, DailyResults(again.daily), HouseWitness(again), current_names)
    with closing(Cages(again.ledger, daily=desk)) as cages:
        for player in players:
            house, line = player_of(cages, tmp_path, player)
            house = replace(house, logs=again.player(player) / "sessions")
            attempt = read_try(house, deal := deal_over(line, day=today))
            assert (attempt.log is not None) == (player == players[0])
            assert not attempt.finished
            assert state_text(attempt) == "over"
            with pytest.raises(BadInput, match="seed of this deal is public"):
                open_try(house, deal)
    revealed = {one.sitting for one in read_promises(again.promises) if one.last}
    assert {daily_name(today, slug) for slug in DAILY} <= revealed


# ---- over SSH ----------------------------------------------------------------------------------

PLAYED = "daily\nvideo\n" + "d\n".join(["h 1 2 3 4 5\n"] * 10) + "b\nq\n"


async def result_on(house: Host, name: str) -> list[str]:
    """Wait until a player has a result, and return the lines of today's results."""

    def lines() -> list[str]:
        files = [*house.data.daily.glob("*[0-9].jsonl")]
        return [line for file in files for line in file.read_text().splitlines()]

    await until(lambda: any(f'"name":"{name}"' in line for line in lines()))
    return lines()


@pytest.mark.prove
async def test_try_whose_judgement_was_lost_is_judged_at_the_next_login_or_start(
    tmp_path: Path,
) -> None:
    key = new_key()
    with host(tmp_path) as house:
        house.add_player(key, "Ann")
        await command_output(house, key, "reader", PLAYED)
        first = await result_on(house, "Ann")
        for way in ("reader", "daily", "screen"):
            for file in house.data.daily.glob("*.jsonl"):
                file.unlink()
            if way == "screen":
                async with visiting(house, key) as visitor:
                    await visitor.sees("Daily deal")
                    assert await result_on(house, "Ann") == first
            else:
                await command_output(house, key, way, "q\n" * (way == "reader"))
            assert await result_on(house, "Ann") == first, way
        for file in house.data.daily.glob("*.jsonl"):
            file.unlink()
    with host(tmp_path) as house:
        assert await result_on(house, "Ann") == first


def published(house: Host) -> int:
    """Return how many lines of the commitment log are about today's video poker."""
    if not house.data.promises.exists():
        return 0
    name = daily_name(DailySeeds(KEY).today, SLUG)
    return sum(one.sitting == name for one in read_promises(house.data.promises))


@pytest.mark.prove
async def test_server_started_with_the_clock_ahead_ends_those_days_and_warns_later(
    tmp_path: Path,
) -> None:
    key = new_key()
    for ahead in (0, 48 * HOURS):
        set_clock(tmp_path, ahead)
        with host(tmp_path, program=PROGRAM) as house:
            assert house.warnings.read_text() == ""
            lines = 1 if ahead == 0 else 2
            while published(house) < lines:
                await asyncio.sleep(0.05)
    house.add_player(key, "Ann")
    set_clock(tmp_path, 0)
    with host(tmp_path, program=PROGRAM) as house:
        warning = house.warnings.read_text()
        assert warning.startswith("tui-casino: the clock says ")
        assert "are over: nobody can play them" in warning
        output = await command_output(house, key, "reader", PLAYED)
        assert "1. Video poker: over" in output
        assert OVER.capitalize() in output or OVER in output
        assert not [*(tmp_path / "data" / "players").glob("*/sessions/*")]
        set_clock(tmp_path, 72 * HOURS)  # while the server runs
        output = await command_output(house, key, "reader", PLAYED)
        assert "choices were best" in output
        await result_on(house, "Ann")
        set_clock(tmp_path, 0)
        output = await command_output(house, key, "reader", "daily\nb\nq\n")
        assert "1. Video poker: over" in output
        assert "Nobody has finished a deal yet." in await command_output(house, key, "daily")


@pytest.mark.prove
async def test_two_keys_of_one_account_have_one_daily_try(tmp_path: Path) -> None:
    keys = [new_key() for _ in range(2)]
    with host(tmp_path) as house:
        player = house.add_player(keys[0], "Ann")
        with closing(Identities(house.data.identities)) as book:
            book.add_key(player, keys[1].get_fingerprint("sha256"), 1)
        outputs = await asyncio.gather(
            *(command_output(house, key, "reader", PLAYED) for key in keys for _ in range(2)),
            return_exceptions=True,
        )
        await command_output(house, keys[1], "reader", PLAYED)
        results = await result_on(house, "Ann")
        (log,) = (house.data.player(player.id) / "sessions").glob("*.jsonl")
        assert read_log(log).over
    assert sum('"marks"' in line for line in results) == 1
    scores = re.findall(r"your choices cost [^;]*; \d+ of 10", " ".join(map(str, outputs)), re.I)
    assert len(set(scores)) <= 1, "all logins play or show the same try"


@pytest.mark.prove
async def test_flood_of_requests_for_boards_does_not_delay_a_daily_try(tmp_path: Path) -> None:
    ann, eve = new_key(), new_key()
    with host(tmp_path) as house:
        for key, name in ((ann, "Ann"), (eve, "Eve")):
            house.add_player(key, name)
        flood = [asyncio.create_task(command_output(house, eve, "daily runs")) for _ in range(30)]
        assert "choices were best" in await command_output(house, ann, "reader", PLAYED)
        assert len(await result_on(house, "Ann")) == 1
        for answer in await asyncio.gather(*flood, return_exceptions=True):
            assert isinstance(answer, BaseException) or "Daily deal" in answer
