"""The daily deal of a server: the same cards for all, and a seed that nobody sees too early."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import asyncssh
import pytest

from tests.daily.play import DAILY, DAY, best, deal_of, noon, play, worst
from tests.daily.test_tries import chained
from tests.helpers.narrow import not_none
from tests.host.cage_processes import Cages, cage_in
from tests.host.loopback_server import Host, connected, new_key, until
from tui_casino.cards.card import PACK
from tui_casino.cli import verify
from tui_casino.daily.deal import SEALED, DayDeal
from tui_casino.daily.session import open_try, read_try
from tui_casino.engine.chance import CommittedSource
from tui_casino.gamekit.registry import DEFINITIONS, GAMES
from tui_casino.host.cage import cage_process
from tui_casino.host.cage.daily_desk import DailyDesk
from tui_casino.host.cage_protocol import (
    BuyIn,
    ChooseSeed,
    PublishCommitment,
    ReadDailyAnswers,
    ReadDailyBoard,
    ReadDailySeed,
    RevealSeed,
)
from tui_casino.host.commitment_log import CommitmentLogWriter, HouseWitness
from tui_casino.host.daily_deals import (
    AHEAD,
    GRACE,
    DailyResults,
    DailySeed,
    DailySeeds,
    JudgedAnswers,
    Judgement,
    read_daily_seeds,
)
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.session.cage_client import CageClient, CageDaily, SealedSource
from tui_casino.house.daily_ranking import Board, BoardKind, JudgedTry, Standing
from tui_casino.house.house import House
from tui_casino.house.sitting import branch_sitting
from tui_casino.inputs.errors import BadInput
from tui_casino.records.ledger import LedgerError, LogCheckpoint, OpenSitting
from tui_casino.records.promises import check_promises, daily_name, read_promises, revealed_source
from tui_casino.records.replay import ProofLevel, source_of_log, verify_log
from tui_casino.records.session_log import SessionLog, read_log
from tui_casino.structs import replace

KEY = bytes(range(32))
SLUG = "video-poker"
NEXT = DAY + timedelta(days=1)
MINUTE = 60_000


def current_names() -> dict[str, str]:
    return {"bob": "Bob", "cem": "Cem"}


class ServerClock:
    """The clock of the server, which a test can set."""

    def __init__(self) -> None:
        self.at = noon(DAY)

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def clock() -> ServerClock:
    return ServerClock()


@pytest.fixture
def names() -> dict[str, str]:
    """The current names of players, which a test can change."""
    return current_names()


@pytest.fixture
def server(tmp_path: Path, clock: ServerClock, names: dict[str, str]) -> Iterator[Cages]:
    data = DataFolder(tmp_path)
    desk = DailyDesk(
        DailySeeds(KEY, clock), DailyResults(data.daily), HouseWitness(data), lambda: names
    )
    with closing(Cages(data.ledger, daily=desk)) as cages:
        yield cages


def daily_of(line: CageClient) -> CageDaily:
    return CageDaily(line, lambda: None)


def deal_over(line: CageClient, slug: str = SLUG, day: date = DAY) -> DayDeal:
    return DayDeal(day, DEFINITIONS[slug], daily_of(line).source(day, slug))


def player_of(server: Cages, folder: Path, name: str) -> tuple[House, CageClient]:
    """Return a player's house in free play, as a session has it, and the connection to the cage."""
    line = server.line(name, str(folder / name))
    house = House(
        folder / name / "logs",
        None,
        name,
        clock=lambda: noon(DAY),
        remote=True,
        daily=daily_of(line),
    )
    return house, line


def dealt_in(log: SessionLog) -> list[str]:
    """Return all cards that the croupier dealt, in order."""
    return [
        str(value)
        for step in log.steps()
        if step.by is None
        for event in step.ev
        for value in event.values()
    ]


# ---- playing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", DAILY)
def test_all_players_get_the_same_sealed_daily_cards_without_the_seed(
    slug: str, server: Cages, tmp_path: Path
) -> None:
    logs = []
    for name in ("ann", "bob"):
        house, line = player_of(server, tmp_path, name)
        deal = deal_over(line, slug)
        assert isinstance(deal.source, SealedSource)
        assert deal.secrecy == SEALED
        assert deal.spec != deal_of(slug).spec, "the deal does not follow from the date"
        play(house, deal)
        attempt = read_try(house, deal)
        assert attempt.finished, attempt.fault
        result = not_none(attempt.result())
        assert result.cost == 0
        logs.append(read_log(attempt.path))
    assert dealt_in(logs[0]) == dealt_in(logs[1])
    for log in logs:
        assert log.header.seed is None
        assert log.end is not None
        assert log.end.seed is None
        assert source_of_log(log) is None
        check = verify_log(DEFINITIONS[slug], log)
        assert (check.proof, check.shuffle_checked) == (ProofLevel.CONSISTENT, False)


def test_sealed_daily_try_with_the_worst_choices_has_a_cost(server: Cages, tmp_path: Path) -> None:
    house, line = player_of(server, tmp_path, "ann")
    deal = deal_over(line)
    play(house, deal, worst)
    result = not_none(read_try(house, deal).result())
    assert result.cost > 0
    assert not any(result.marks)


def test_sealed_daily_try_resumes_over_a_new_connection(server: Cages, tmp_path: Path) -> None:
    house, line = player_of(server, tmp_path, "ann")
    assert play(house, deal_over(line), best, 3) == 3
    line.close()
    house, line = player_of(server, tmp_path, "ann")
    assert read_try(house, deal_over(line)).unfinished
    assert play(house, deal_over(line)) == 7
    assert read_try(house, deal_over(line)).finished
    whole, other = player_of(server, tmp_path, "bob")
    play(whole, deal_over(other))
    mine, theirs = (
        read_log(read_try(who, deal_over(at)).path) for who, at in ((house, line), (whole, other))
    )
    assert dealt_in(mine) == dealt_in(theirs)


def test_card_not_dealt_by_the_cage_is_detected_in_a_daily_log(
    server: Cages, tmp_path: Path
) -> None:
    house, line = player_of(server, tmp_path, "ann")
    deal = deal_over(line)
    play(house, deal, best, 0)  # up to the first choice
    path = read_try(house, deal).path
    text = path.read_bytes()
    hand = [card for card in dealt_in(read_log(path)) if card in map(str, PACK)]
    other = next(card for card in ("2C", "3C", "4C", "5C", "6C", "7C") if card not in hand)
    forged = text.replace(f'"{hand[0]}"'.encode(), f'"{other}"'.encode())
    path.write_bytes(chained(forged.splitlines()))
    assert verify_log(deal.game, read_log(path)).proof is ProofLevel.CONSISTENT
    fault = read_try(house, deal).fault
    assert "the log differs here from what was dealt" in fault
    assert hand[0] not in fault, "the right card is still secret"
    assert str(tmp_path) not in fault
    with pytest.raises(BadInput, match="does not count"):
        open_try(house, deal)


def test_daily_seed_is_revealed_after_the_day_and_proves_the_log(
    server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    house, line = player_of(server, tmp_path, "ann")
    play(house, deal_over(line))
    path = read_try(house, deal_over(line)).path
    with pytest.raises(BadInput, match="until the day of the daily deal is over"):
        branch_sitting(house, DEFINITIONS[SLUG], path, 5)
    clock.at = noon(NEXT)
    deal = deal_over(line)
    assert isinstance(deal.source, CommittedSource)
    log = read_log(read_try(house, deal).path)
    check = verify_log(deal.game, log, source=deal.source)
    assert (check.proof, check.shuffle_checked) == (ProofLevel.CONSISTENT, True)
    assert hashlib.sha256(deal.source.seed).hexdigest() == log.header.source.value
    with branch_sitting(house, deal.game, log.path, 5) as branch:
        assert branch.practice
    wrong = verify_log(deal.game, log, source=CommittedSource(bytes(32)))
    assert (wrong.proof, wrong.line) == (ProofLevel.DIFFERS, 1)


# ---- secrets -----------------------------------------------------------------------------------


def test_sealed_daily_seed_follows_from_the_key_the_game_and_the_day(clock: ServerClock) -> None:
    label = b"tui-casino sealed daily 1|video-poker|2026-11-28"
    seed = hmac.new(KEY, label, hashlib.sha256).digest()
    seeds = DailySeeds(KEY, clock)
    assert seeds.seed(DAY, SLUG) == seed
    assert seeds.look_up(DAY, SLUG) == DailySeed(hashlib.sha256(seed).digest(), None)
    everything = {
        seeds.seed(DAY + timedelta(days=day), game.slug) for day in (0, 1) for game in GAMES
    }
    assert len(everything) == 2 * len(GAMES)
    assert KEY.hex() not in repr(seeds)
    assert str(KEY) not in repr(seeds)


@pytest.mark.parametrize(
    ("minutes", "revealed"),
    [(-1, False), (0, False), (GRACE - 1, False), (GRACE, True)],
    ids=["before midnight", "at midnight", "in the last minute", "revealed"],
)
def test_daily_seed_stays_secret_until_tries_can_no_longer_be_finished(
    minutes: int, revealed: bool, clock: ServerClock
) -> None:
    clock.at = noon(NEXT) - 12 * 60 * MINUTE + minutes * MINUTE
    found = DailySeeds(KEY, clock).look_up(DAY, SLUG)
    assert (found.seed is not None) == revealed


def test_cage_refuses_future_daily_deals_and_the_seed_of_today(
    server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    line = server.line("ann", str(tmp_path))
    with pytest.raises(LedgerError, match="has not begun"):
        daily_of(line).source(NEXT, SLUG)
    source = daily_of(line).source(DAY, SLUG)
    digest = not_none(source.stored_seed)
    with pytest.raises(LedgerError, match="revealed when its day is over"):
        line.ask(RevealSeed(digest), bytes)
    sitting = OpenSitting("s", SLUG, tmp_path / "s.jsonl", digest, 500, LogCheckpoint())
    for request in (PublishCommitment(digest), BuyIn(sitting, "ann", 1, 0)):
        with pytest.raises(LedgerError, match="sit down again"):
            line.ask(request, None)
    for _ in range(20):
        line.ask(ChooseSeed(), bytes)  # the oldest unused seeds are forgotten, this one is not
    with pytest.raises(LedgerError, match="revealed when its day is over"):
        line.ask(RevealSeed(digest), bytes)


def test_guests_of_a_server_have_no_daily_deal(server: Cages, tmp_path: Path) -> None:
    line = server.line("guest", str(tmp_path), guest=True)
    assert line.ask(ReadDailySeed(DAY, SLUG), DailySeed | None) is None
    for request in (ReadDailyBoard(BoardKind.TODAY), ReadDailyAnswers(DAY, SLUG)):
        with pytest.raises(LedgerError, match="guests have no daily deal"):
            line.ask(request, tuple[Board, ...])
    assert not House(tmp_path, None, "guest", remote=True).has_daily


def test_unknown_games_have_no_daily_deal_on_a_server(server: Cages, tmp_path: Path) -> None:
    line = server.line("ann", str(tmp_path))
    with pytest.raises(LedgerError, match="no such game"):
        daily_of(line).source(DAY, "rummy")


def test_daily_key_file_is_created_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "daily_key"
    first = read_daily_seeds(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_daily_seeds(path).key == first.key
    assert read_daily_seeds(tmp_path / "other").key != first.key


def _open_to_others(path: Path) -> None:
    path.chmod(0o640)


def _cut_off(path: Path) -> None:
    path.write_text(path.read_text()[:40])


def _replaced_by_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir(0o700)


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (_open_to_others, "chmod 600"),
        (_cut_off, "64 hexadecimal digits"),
        (_replaced_by_a_folder, "cannot be used"),
    ],
)
def test_unusable_daily_key_file_is_refused_with_its_path(
    harm: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "daily_key"
    read_daily_seeds(path)
    harm(path)
    with pytest.raises(BadInput, match=reason) as refusal:
        read_daily_seeds(path)
    assert str(path) in str(refusal.value)


# ---- commitments -------------------------------------------------------------------------------


def announce(path: Path, clock: ServerClock) -> None:
    seeds = DailySeeds(KEY, clock)
    writer = CommitmentLogWriter(path)
    writer.announces(dict(seeds.commitments()), dict(seeds.revealed()), clock())


def test_daily_commitments_are_published_days_ahead_and_seeds_afterwards(
    tmp_path: Path, clock: ServerClock
) -> None:
    seeds, path = DailySeeds(KEY, clock), tmp_path / "promises.log"
    for _ in range(2):
        announce(path, clock)
    lines = read_promises(path)
    assert len(lines) == (AHEAD + 1) * len(DAILY), "nothing is published twice"
    last = {one.sitting: one for one in lines}[daily_name(DAY + timedelta(days=AHEAD), SLUG)]
    assert last.commitment == seeds.commitment(DAY + timedelta(days=AHEAD), SLUG).hex()
    assert not last.shown
    clock.at = noon(NEXT)
    for _ in range(2):
        announce(path, clock)
    later = read_promises(path)[len(lines) :]
    assert [(one.sitting, bool(one.commitment)) for one in later] == [
        *((daily_name(NEXT + timedelta(days=AHEAD), slug), True) for slug in DAILY),
        *((daily_name(DAY, slug), False) for slug in DAILY),
    ]
    revealed = next(one.last for one in later if one.sitting == daily_name(DAY, SLUG))
    assert revealed == seeds.seed(DAY, SLUG).hex()


def test_daily_seeds_are_published_after_a_long_pause(tmp_path: Path, clock: ServerClock) -> None:
    announce(tmp_path / "promises.log", clock)
    clock.at = noon(DAY + timedelta(days=30))
    announce(tmp_path / "promises.log", clock)
    lines = read_promises(tmp_path / "promises.log")
    revealed = {one.sitting for one in lines if one.last}
    assert revealed == {
        daily_name(DAY + timedelta(days=later), slug)
        for later in range(AHEAD + 1)
        for slug in DAILY
    }


async def test_cage_publishes_the_daily_seeds_as_soon_as_the_day_is_over(
    tmp_path: Path, clock: ServerClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataFolder(tmp_path)
    desk = DailyDesk(
        DailySeeds(KEY, clock), DailyResults(data.daily), HouseWitness(data), current_names
    )
    over = noon(NEXT) + (GRACE - 12 * 60) * MINUTE
    clock.at = over - 90 * MINUTE
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if clock.at >= over:
            raise asyncio.CancelledError
        clock.at += round(1000 * seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await cage_process._keep_announcing(desk, print)
    assert waits == [3600, 1800, 3600]
    last = {one.sitting: one.last for one in read_promises(tmp_path / "promises.log")}
    assert last[daily_name(DAY, SLUG)] == DailySeeds(KEY).seed(DAY, SLUG).hex()


async def test_cage_publishes_the_daily_commitments_when_it_starts(tmp_path: Path) -> None:
    def names() -> list[str]:
        path = tmp_path / "promises.log"
        return [one.sitting for one in read_promises(path)] if path.exists() else []

    for _ in range(2):
        with cage_in(tmp_path):
            await until(lambda: len(names()) == (AHEAD + 1) * len(DAILY))
    assert len(names()) == len(set(names()))


def test_no_daily_card_is_dealt_before_its_commitment_is_published(
    server: Cages, tmp_path: Path
) -> None:
    (tmp_path / "promises.log").mkdir()
    line = server.line("ann", str(tmp_path))
    with pytest.raises(LedgerError, match="no cards are dealt without it"):
        daily_of(line).source(DAY, SLUG)
    (tmp_path / "promises.log").rmdir()
    daily_of(line).source(DAY, SLUG)
    assert daily_name(DAY, SLUG) in {
        one.sitting for one in read_promises(tmp_path / "promises.log")
    }


def buy_in(line: CageClient, sitting: str, folder: Path, head: str = "") -> None:
    seed: bytes = line.ask(ChooseSeed(), bytes)
    log = folder / "s.jsonl"
    line.ask(
        BuyIn(OpenSitting(sitting, SLUG, log, seed, 5, LogCheckpoint(head=head)), "eve", 1, 0), None
    )


def test_session_cannot_take_the_name_of_a_daily_deal(
    server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    name = daily_name(DAY + timedelta(days=AHEAD), SLUG)
    with pytest.raises(LedgerError, match="for daily deals"):
        buy_in(server.line("eve", str(tmp_path)), name, tmp_path)
    daily_of(server.line("ann", str(tmp_path))).source(DAY, SLUG)
    lines = [one for one in read_promises(tmp_path / "promises.log") if one.sitting == name]
    commitment = DailySeeds(KEY, clock).commitment(DAY + timedelta(days=AHEAD), SLUG)
    assert [one.commitment for one in lines] == [commitment.hex()]


@pytest.mark.parametrize(
    ("sitting", "head"), [("s" * 5000, ""), ("s", "h" * 5000)], ids=["name", "head"]
)
def test_session_cannot_make_the_commitment_log_unreadable(
    sitting: str, head: str, server: Cages, tmp_path: Path
) -> None:
    with pytest.raises(LedgerError, match="takes no line of"):
        buy_in(server.line("eve", str(tmp_path)), sitting, tmp_path, head)
    daily_of(server.line("ann", str(tmp_path))).source(DAY, SLUG)
    buy_in(server.line("eve", str(tmp_path)), "s", tmp_path)


def test_daily_log_is_checked_against_the_commitment_of_its_day(
    server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    house, line = player_of(server, tmp_path, "ann")
    deal = deal_over(line)
    play(house, deal)
    log = read_log(read_try(house, deal).path)
    path = tmp_path / "promises.log"
    announce(path, clock)  # again, which changes nothing
    lines = read_promises(path)
    name = daily_name(DAY, SLUG)
    check = check_promises(log, lines)
    assert (check.fault, check.begun and check.begun.sitting, check.ended) == ("", name, None)
    assert revealed_source(log, lines) is None
    others = [one for one in lines if one.sitting != name]
    assert check_promises(log, others).fault == f"no line has a commitment for {name}"
    swapped = [replace(one, commitment="0" * 64) if one is check.begun else one for one in lines]
    assert "is a different one" in check_promises(log, swapped).fault
    late = [replace(one, at=log.header.at + 1) if one is check.begun else one for one in lines]
    assert "later than its first card" in check_promises(log, late).fault


def test_player_verifies_every_daily_card_from_the_published_seed(
    server: Cages, clock: ServerClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house, line = player_of(server, tmp_path, "ann")
    deal = deal_over(line)
    play(house, deal)
    path, promises = read_try(house, deal).path, tmp_path / "promises.log"
    announce(promises, clock)
    assert verify.check(path, lists=[promises]) == 0
    before = capsys.readouterr().out
    assert "the seed is revealed after the day, so the cards could not be checked" in before
    assert "no entry reveals the seed" in before
    clock.at = noon(NEXT)
    announce(promises, clock)
    assert verify.check(path, lists=[promises]) == 0
    after = capsys.readouterr().out
    assert "every card follows from the committed seed" in after
    assert "reveals the seed of the daily deal" in after
    text = promises.read_text().replace(DailySeeds(KEY).seed(DAY, SLUG).hex(), "0" * 64)
    promises.write_text(text)  # its last line but one; the chain is no longer valid
    with pytest.raises(BadInput, match="hash of the previous line"):
        verify.check(path, lists=[promises])


# ---- results -----------------------------------------------------------------------------------


def test_daily_boards_are_shown_immediately_and_answers_after_the_day(
    server: Cages, clock: ServerClock, tmp_path: Path
) -> None:
    tried = JudgedTry(DAY, SLUG, "ann", "Ann", "3/25", "bets", "10")
    answers = JudgedAnswers(SLUG, (("q1", "held AS"),))
    DailyResults(tmp_path / "daily").add([Judgement(tried, answers)], DAY)
    ann, bob = (daily_of(server.line(name, str(tmp_path))) for name in ("ann", "bob"))
    for daily, own, marks in ((ann, True, "10"), (bob, False, "")):
        boards = {board.game: board for board in daily.boards(BoardKind.TODAY)}
        assert set(boards) == {game.slug for game in GAMES}
        place = Standing(1, "Ann", "cost 0.12 bets, 1 of 2 best", own, 0.12, marks)
        assert boards[SLUG] == Board(SLUG, (place,), 1), "marks are hidden before one's own try"
    with pytest.raises(LedgerError, match="10 minutes after the day ends"):
        ann.answers(DAY, SLUG)
    clock.at = noon(NEXT)
    assert ann.answers(DAY, SLUG) == {"q1": {"held AS": 1}}
    assert bob.boards(BoardKind.YESTERDAY)[0].players == 1


@pytest.mark.parametrize("kind", [BoardKind.TODAY, BoardKind.WEEK, BoardKind.RUNS])
def test_daily_boards_show_the_new_name_of_a_renamed_player(
    kind: BoardKind, server: Cages, names: dict[str, str], tmp_path: Path
) -> None:
    tries = [JudgedTry(DAY, SLUG, one, one.title(), "1", "bets", "11") for one in ("ann", "bob")]
    DailyResults(tmp_path / "daily").add(
        [Judgement(one, JudgedAnswers(SLUG, ())) for one in tries], DAY
    )
    names.update({"ann": "Zoe", "dan": "Ann"})
    daily = daily_of(server.line("ann", str(tmp_path)))
    board = next(one for one in daily.boards(kind) if one.game == SLUG)
    assert [(one.name, one.own) for one in board.standings] == [("Bob", False), ("Zoe", True)]


def test_cage_reads_daily_boards_for_one_player_at_a_time(
    server: Cages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, both = 0, threading.Event()

    def read(results: DailyResults, *of: object) -> tuple[JudgedTry, ...]:
        nonlocal reading
        reading += 1
        if reading > 1:
            both.set()
        both.wait(0.1)
        reading -= 1
        return ()

    monkeypatch.setattr(DailyResults, "read", read)
    lines = [daily_of(server.line(name, str(tmp_path))) for name in ("ann", "bob")]
    with ThreadPoolExecutor() as pool:
        boards = pool.map(lambda line: line.boards(BoardKind.RUNS), lines)
    assert all(boards)
    assert not both.is_set()


# ---- over SSH ----------------------------------------------------------------------------------


async def command_output(house: Host, key: asyncssh.SSHKey, command: str, typed: str = "") -> str:
    """Return what a command prints for a player."""
    async with connected(house, key) as conn:
        done = await conn.run(command, input=typed)
    assert isinstance(done.stdout, str)
    return done.stdout


async def test_finished_daily_try_is_judged_and_ranked_on_the_board(house: Host) -> None:
    ann, bob = new_key(), new_key()
    for key, name in ((ann, "Ann"), (bob, "Bob")):
        house.add_player(key, name)
    assert "Nobody has finished a deal yet." in await command_output(house, ann, "daily")
    output = await command_output(
        house, ann, "reader", "daily\nvideo\n" + "d\n".join(["h 1 2 3 4 5\n"] * 10) + "b\nq\n"
    )
    assert SEALED in output
    assert "choices were best" in output
    while "Ann" not in (board := await command_output(house, ann, "daily")):
        await asyncio.sleep(0.2)
    assert re.search(
        r"^Video poker\n +1  Ann: cost \d+\.\d\d bets, \d of 10 best \(you\)$", board, re.M
    )
    again = await command_output(house, ann, "reader", "daily\nvideo\nb\nq\n")
    assert "one try per game and day" in again
    await command_output(
        house, bob, "reader", "daily\nvideo\n" + "d\n".join(["h\n"] * 10) + "b\nq\n"
    )
    while "Bob" not in (board := await command_output(house, bob, "daily week")):
        await asyncio.sleep(0.2)
    assert len(re.findall(r"cost \d+\.\d\d bets, 1 day", board)) == 2
    assert "(you)" in next(line for line in board.splitlines() if "Bob" in line)
    for command, words in (
        ("daily yesterday", "Nobody has finished a deal yet."),
        ("daily runs", "longest run of best choices"),
        ("daily 2026-11-01", "Daily deal, 2026-11-01 (UTC)"),
        ("daily tomorrow", "the command is daily [today|yesterday|week|runs|DAY]"),
    ):
        assert words in await command_output(house, bob, command)
