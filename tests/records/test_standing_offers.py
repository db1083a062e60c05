"""A computer takes a free seat at a table of cribbage if nobody else comes in time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.random_play import Wild, seed_of
from tui_casino.cli.verify import check
from tui_casino.engine.chance import CommittedSource, DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import IllegalAction, Seat
from tui_casino.engine.seating import ComputerJoin, Join, Leave
from tui_casino.games.cribbage import DEFINITION, SEATED
from tui_casino.games.cribbage.machine.state import COMPUTERS, Options, TableOptions
from tui_casino.records.codec import to_builtins
from tui_casino.records.ledger import OPENING_BALANCE, OpenSitting
from tui_casino.records.log_header import HUMAN, LOG_FORMAT, Identity, LogHeader, encode_header
from tui_casino.records.shared_tables import SharedRow, SharedTable
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import SeatAct, TableReplica

Replica = TableReplica[Any, Any, Any, Any]
SECONDS = 60
ANN, BOB = Seat(0), Seat(1)
_SITTINGS = count()


class Time:
    """A clock that only the test moves, in milliseconds."""

    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield ledger
    ledger.close()


def made(ledger: SqliteLedger, time: Time, options: TableOptions) -> Replica:
    entry = SharedTable("K7QX", "cribbage", "ann", time(), seed_of(1))
    tables, shoe = ledger.shared_tables(), ShuffledShoe()
    return TableReplica.create(tables, entry, SEATED, options, shoe, time, SECONDS)


def another(ledger: SqliteLedger, time: Time) -> Replica:
    """Return the replica that another program makes from the rows."""
    tables = ledger.shared_tables()
    (entry,) = tables.open_tables()
    return TableReplica(tables, entry, SEATED, time, SECONDS)


def sit(replica: Replica, seat: Seat, player: str) -> None:
    name = f"sitting-{next(_SITTINGS)}"
    booked = OpenSitting(name, SEATED.slug, Path(f"{name}.jsonl"), None, 0)
    replica.join(seat, Join(0), player, booked)


def turn_of(state: Any) -> Any:
    assert DEFINITION.shared is not None
    assert DEFINITION.shared.computer is not None
    return DEFINITION.shared.computer(state)


def play(replica: Replica, steps: int) -> int:
    """Let Ann choose at random, and the computer as it does; return its number of choices."""
    chosen = 0
    for number in range(steps):
        if replica.why_over:
            break
        if (choose := replica.ask_computer(turn_of)) is not None:
            assert replica.play_computer(choose())
            chosen += 1
            continue
        (seat,) = SEATED.awaited(replica.state)
        assert seat == ANN
        offers = tuple(x for x in SEATED.offers(replica.state, seat) if x.kind is not Leave)
        dice = DiceStream(seed_of(7), f"choice {number}")
        replica.act(seat, Wild().choose(None, seat, offers, dice), "ann")
    return chosen


def test_computer_comes_after_45_seconds_at_any_server(ledger: SqliteLedger, time: Time) -> None:
    ann = made(ledger, time, TableOptions(computer="greedy"))
    dues = [ann.due]
    time.now += 7_000
    sit(ann, ANN, "ann")
    dues.append(ann.due)
    assert dues == [None, time() + 45_000], "before, nobody waits"
    waits = ann.is_offer
    other = another(ledger, time)
    time.now += 44_999
    assert not ann.expire()
    assert not other.expire()
    time.now += 1
    rows = ann.rows
    assert other.expire()
    assert not ann.expire(), "the row is there"
    assert ann.state == other.state
    assert ann.state.computers == (BOB,)
    joined = next(update for update, _ in ann._played_rows[rows - 1 :])
    assert [type(one).__name__ for one in joined.events] == ["ComputerJoined"]
    assert (waits, ann.is_offer) == (True, False)
    assert SEATED.computer_name(ann.state, BOB) == "Computer, greedy"
    assert [*ann.occupants] == [ANN]


def test_two_servers_that_see_the_same_time_append_one_row(
    ledger: SqliteLedger, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = made(ledger, time, TableOptions(computer="greedy"))
    sit(ann, ANN, "ann")
    other = another(ledger, time)
    time.now += 45_000
    assert other.expire()
    monkeypatch.setattr(ann, "refresh", lambda: None)  # it has not read the row yet
    rows = other.rows
    ann.expire()
    other.refresh()
    assert other.rows == ann.rows == rows
    assert ann.state == other.state


@pytest.mark.parametrize("level", COMPUTERS)
def test_choices_of_the_computer_follow_from_seed_and_row(
    level: str, ledger: SqliteLedger, time: Time
) -> None:
    ann = made(ledger, time, TableOptions(computer=level))
    sit(ann, ANN, "ann")
    time.now += 45_000
    assert ann.expire()
    for _ in range(6):
        while ann.ask_computer(turn_of) is None:
            play(ann, 1)
        choices = [one.ask_computer(turn_of) for one in (ann, another(ledger, time))]
        acts = [choose() for choose in choices if choose is not None]
        assert len(acts) == 2
        assert acts[0] == acts[1]
        assert ann.play_computer(acts[0])


def test_game_against_the_computer_moves_no_money_and_its_log_can_be_verified(
    ledger: SqliteLedger, time: Time, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = made(ledger, time, TableOptions(computer="greedy"))
    sit(ann, ANN, "ann")
    time.now += 45_000
    assert ann.expire()
    assert play(ann, 3_000) > 10
    assert ann.why_over == "a player has 121 points"
    assert not ann.occupants
    assert not ledger.open_sittings("ann")
    assert ledger.balance("ann") == OPENING_BALANCE
    assert ledger.books().balances == (("ann", OPENING_BALANCE),)
    assert len(ledger.accounts()) == 1
    ann.finish()
    path = tmp_path / "table.jsonl"
    path.write_bytes(b"".join(row.line + b"\n" for row in ledger.shared_tables().rows("K7QX")))
    assert check(path) == 0
    assert "steps follow the rules" in capsys.readouterr().out


def test_table_is_over_when_the_person_leaves_the_computer(
    ledger: SqliteLedger, time: Time
) -> None:
    ann = made(ledger, time, TableOptions(computer="random"))
    sit(ann, ANN, "ann")
    time.now += 45_000
    ann.expire()
    play(ann, 5)
    while not SEATED.offers(ann.state, ANN):
        play(ann, 1)
    ann.act(ANN, Leave(), "ann")
    assert ann.why_over == "somebody has left"
    assert not ann.occupants
    assert ann.ask_computer(turn_of) is None
    assert ann.due is None


def test_second_person_in_time_plays_instead_of_the_computer(
    ledger: SqliteLedger, time: Time
) -> None:
    ann = made(ledger, time, TableOptions(computer="greedy"))
    sit(ann, ANN, "ann")
    time.now += 30_000
    sit(ann, BOB, "bob")
    assert ann.state.computers == ()
    assert not ann.is_offer
    assert ann.due == time() + 1000 * SECONDS
    with pytest.raises(IllegalAction):
        ann.act(BOB, ComputerJoin(), "bob")


def test_player_who_leaves_before_takes_the_offer_back(ledger: SqliteLedger, time: Time) -> None:
    ann = made(ledger, time, TableOptions(computer="greedy"))
    sit(ann, ANN, "ann")
    time.now += 30_000
    ann.act(ANN, Leave(), "ann")
    assert ann.due is None
    sit(ann, BOB, "bob")
    assert ann.due == time() + 45_000, "the time begins again"


def test_no_computer_comes_unless_it_is_wanted(ledger: SqliteLedger, time: Time) -> None:
    ann = made(ledger, time, TableOptions())
    sit(ann, ANN, "ann")
    assert ann.due is None
    with pytest.raises(IllegalAction):
        ann._act(SeatAct(BOB, ComputerJoin(), row=ann.rows))
    assert SEATED.offers(ann.state, BOB)[1:] == ()


def test_table_of_an_older_program_has_no_computer(ledger: SqliteLedger, time: Time) -> None:
    header = LogHeader(
        format=LOG_FORMAT,
        game=SEATED.slug,
        options=to_builtins(Options()),
        players=(HUMAN, HUMAN),
        croupier=ShuffledShoe().kind,
        source=CommittedSource(seed_of(1)).spec,
        program="test",
        at=0,
        who=(Identity("seat-0", "Seat 1"), Identity("seat-1", "Seat 2")),
    )
    assert "computer" not in header.options
    entry = SharedTable("K7QX", "cribbage", "ann", time(), seed_of(1))
    ledger.shared_tables().create(entry, [SharedRow(encode_header(header))])
    ann = another(ledger, time)
    sit(ann, ANN, "ann")
    assert ann.due is None
    sit(ann, BOB, "bob")
    assert SEATED.awaited(ann.state)


def test_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="no level is called master; the levels are random"):
        TableOptions(computer="master")


def test_rules_of_the_table_say_that_a_computer_comes() -> None:
    assert DEFINITION.shared is not None
    describe = DEFINITION.shared.describe
    assert describe(TableOptions(computer="expert")) == "to 121, ACC rules, computer after 45 s"
    assert describe(TableOptions()) == "to 121, ACC rules"
