"""The contract of every ledger: one suite for all implementations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest

from tests.helpers.ledger_sessions import ME, house_in, sit
from tui_casino.gamekit.registry import GAMES
from tui_casino.house.house import MoneyElsewhere
from tui_casino.records.ledger import (
    LOAN_CENTS,
    NO_CHECKPOINT,
    OPENING_BALANCE,
    Ledger,
    LedgerContents,
    LedgerError,
    LedgerLost,
    LedgerWitness,
    LogCheckpoint,
    Marker,
    MoneyMovement,
    OpenSitting,
    PlayerWinnings,
)
from tui_casino.records.redo_log import RedoLog
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

Opener = Callable[[], Ledger]
WitnessedOpener = Callable[[LedgerWitness | None], "Grouping"]


def sitting(name: str, cents: int, known: LogCheckpoint = NO_CHECKPOINT) -> OpenSitting:
    return OpenSitting(name, "toy", Path(f"/logs/{name}.jsonl"), b"seed", cents, known)


class Grouping(Ledger, Protocol):
    """A ledger that commits several changes at once."""

    def together(self, *, lasting: bool) -> AbstractContextManager[None]: ...

    def standings(self) -> list[PlayerWinnings]: ...

    def publish(self, commitment: str, at: int) -> None: ...


def in_a_file(folder: Path, request: pytest.FixtureRequest) -> WitnessedOpener:
    return lambda witness: SqliteLedger(folder / "ledger.db", None, witness)


def in_memory(folder: Path, request: pytest.FixtureRequest) -> WitnessedOpener:
    return lambda witness: SqliteLedger(None, None, witness)


def in_postgres(folder: Path, request: pytest.FixtureRequest) -> WitnessedOpener:
    from tui_casino.records.postgres import Postgres
    from tui_casino.records.postgres_stores import PostgresLedger

    url = request.getfixturevalue("database")
    return lambda witness: PostgresLedger(Postgres(url), Path("/house"), witness)


@pytest.fixture(params=(in_a_file, in_memory, in_postgres))
def witnessed(request: pytest.FixtureRequest, tmp_path: Path) -> WitnessedOpener:
    """Open the book with a witness."""
    opener: WitnessedOpener = request.param(tmp_path, request)
    return opener


@pytest.fixture
def again(witnessed: WitnessedOpener) -> Opener:
    """Open the book, or open it once more."""
    return lambda: witnessed(None)


@pytest.fixture
def ledger(again: Opener) -> Iterator[Ledger]:
    ledger = again()
    yield ledger
    ledger.close()


def test_new_player_has_a_balance_of_one_thousand(ledger: Ledger) -> None:
    assert ledger.balance("ann") == OPENING_BALANCE == 100_000
    assert ledger.books() == LedgerContents()


def test_ledger_is_marked_new_unless_its_storage_existed_before(
    ledger: Ledger, again: Opener
) -> None:
    other = again()
    assert ledger.new
    assert other.new is not ledger.persistent
    other.close()


def test_standings_count_finished_sessions_without_loans(ledger: Grouping) -> None:
    assert ledger.standings() == []
    for name, player, cents in (("a", "ann", 130), ("b", "ann", 80), ("c", "bob", 120)):
        ledger.buy_in(sitting(name, 100), player, 1, loan=7)
        ledger.cash_out(name, cents, None, 2)
    ledger.buy_in(sitting("d", 500), "ann", 3)
    ledger.buy_in(sitting("e", 500), "cid", 3)
    assert ledger.standings() == [PlayerWinnings("bob", 20, 1), PlayerWinnings("ann", 10, 2)]


def test_session_without_a_bet_is_not_a_result(ledger: Grouping) -> None:
    """One that brought nothing counts if a round has ended, or if that is not known."""
    played = {"looked at": False, "played": True, "of an older program": True}
    for at, name in enumerate(played):
        head = None if name == "of an older program" else "head"
        ledger.buy_in(sitting(name, 100, LogCheckpoint(head)), "ann", at=at)
        if name == "played":
            ledger.checkpoint(name, 4, "mark", 100)
        ledger.cash_out(name, 100, "last", at=at)
    assert [Path(move.log).stem for move in ledger.movements("ann")] == [
        name for name, counts in played.items() if counts
    ]
    assert ledger.standings() == [PlayerWinnings("ann", 0, 2)]
    assert len(ledger.books().sittings) == 3, "the book itself has them all"


def test_money_moves_at_buy_in_and_cash_out(ledger: Ledger) -> None:
    ledger.buy_in(sitting("s1", 60_000), "ann", at=1)
    assert ledger.balance("ann") == 40_000
    assert ledger.open_sittings("ann") == [sitting("s1", 60_000)]
    assert ledger.cash_out("s1", 75_050, "abc", at=2)
    assert ledger.balance("ann") == 115_050
    assert ledger.open_sittings("ann") == []
    assert ledger.balance("bob") == OPENING_BALANCE


def test_cashing_out_twice_pays_once(ledger: Ledger) -> None:
    ledger.buy_in(sitting("s1", OPENING_BALANCE), "ann", at=1)
    assert ledger.cash_out("s1", 5, None, at=2)
    assert not ledger.cash_out("s1", 5, None, at=3)
    assert not ledger.cash_out("unknown", 5, None, at=3)
    assert ledger.balance("ann") == 5


def test_buy_in_above_the_balance_is_refused(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="is below the buy-in"):
        ledger.buy_in(sitting("s1", OPENING_BALANCE + 1), "ann", at=1)
    ledger.buy_in(sitting("s2", OPENING_BALANCE), "ann", at=1)
    with pytest.raises(LedgerError):
        ledger.buy_in(sitting("s3", 1), "ann", at=1)
    with pytest.raises(LedgerError):  # one name, one sitting
        ledger.buy_in(sitting("s2", 0), "ann", at=1)
    assert ledger.balance("ann") == 0
    assert len(ledger.open_sittings("ann")) == 1


def test_loan_raises_balance_and_debt_only_if_the_buy_in_succeeds(ledger: Ledger) -> None:
    ledger.buy_in(sitting("s1", OPENING_BALANCE), "ann", at=1)
    ledger.buy_in(sitting("s2", LOAN_CENTS - 5), "ann", at=2, loan=LOAN_CENTS)
    assert ledger.balance("ann") == 5
    assert ledger.debt("ann") == LOAN_CENTS
    with pytest.raises(LedgerError):
        ledger.buy_in(sitting("s3", 2 * LOAN_CENTS), "ann", at=2, loan=LOAN_CENTS)
    assert ledger.debt("ann") == LOAN_CENTS
    assert ledger.debt("bob") == 0


def test_loan_is_possible_without_a_session(ledger: Ledger) -> None:
    ledger.lend("ann", 500, at=1)
    ledger.lend("ann", 20, at=2)
    assert (ledger.balance("ann"), ledger.debt("ann")) == (OPENING_BALANCE + 520, 520)
    assert [(move.at, move.game, move.cents) for move in ledger.movements("ann")] == [
        (1, "", 500),
        (2, "", 20),
    ]
    assert (ledger.balance("bob"), ledger.debt("bob")) == (OPENING_BALANCE, 0)


def test_a_debt_can_be_repaid_in_parts(ledger: Ledger) -> None:
    ledger.lend("ann", 500, at=1)
    ledger.repay("ann", 200, at=2)
    assert (ledger.balance("ann"), ledger.debt("ann")) == (OPENING_BALANCE + 300, 300)
    ledger.repay("ann", 300, at=3)
    assert (ledger.balance("ann"), ledger.debt("ann")) == (OPENING_BALANCE, 0)
    assert [(move.at, move.game, move.cents) for move in ledger.movements("ann")] == [
        (1, "", 500),
        (2, "", -200),
        (3, "", -300),
    ]
    assert ledger.books().markers == (
        Marker("ann", 1, 500),
        Marker("ann", 2, -200),
        Marker("ann", 3, -300),
    )


def test_repayment_above_the_debt_or_the_balance_is_refused(ledger: Ledger) -> None:
    for cents in (-1, 0, 1):
        with pytest.raises(LedgerError, match="can repay"):
            ledger.repay("ann", cents, at=1)
    ledger.lend("ann", 500, at=1)
    with pytest.raises(LedgerError, match="can repay at most 500 cents, not 501"):
        ledger.repay("ann", 501, at=2)
    ledger.buy_in(sitting("s1", OPENING_BALANCE + 100), "ann", at=2)
    with pytest.raises(LedgerError, match="can repay at most 400 cents, not 401"):
        ledger.repay("ann", 401, at=3)
    assert (ledger.balance("ann"), ledger.debt("ann")) == (400, 500)


def test_seed_is_deleted_at_cash_out(ledger: Ledger) -> None:
    ledger.buy_in(sitting("s1", 1), "ann", at=1)
    assert [one.seed for one in ledger.books().sittings] == [b"seed"]
    ledger.cash_out("s1", 1, None, at=2)
    assert [one.seed for one in ledger.books().sittings] == [None]


def test_seed_is_not_in_the_repr() -> None:
    assert "seed" not in repr(sitting("s1", 1))


# ---- the logs are bound -----------------------------------------------------------------------

PATH = Path("/logs/s1.jsonl")


def test_checkpoint_has_the_first_line_then_each_round_then_the_last(ledger: Ledger) -> None:
    known = LogCheckpoint(head="first")
    assert ledger.checkpoint_of(PATH) is None
    ledger.buy_in(sitting("s1", 5, known), "ann", at=1)
    assert ledger.checkpoint_of(PATH) == known
    assert ledger.open_sittings("ann") == [sitting("s1", 5, known)]
    assert ledger.checkpoint("s1", 12, "twelfth", 7)
    known = LogCheckpoint("first", 12, "twelfth")
    assert ledger.checkpoint_of(PATH) == known
    assert ledger.open_sitting("s1") == replace(sitting("s1", 5, known), last_money=7)
    ledger.cash_out("s1", 5, "last", at=2)
    assert ledger.checkpoint_of(PATH) == replace(known, last="last")
    assert ledger.open_sitting("s1") is None


def test_moved_log_is_found_by_its_first_or_last_hash(ledger: Ledger) -> None:
    ledger.buy_in(sitting("s1", 5, LogCheckpoint(head="first")), "ann", at=1)
    ledger.buy_in(sitting("s2", 5, LogCheckpoint(head="other")), "ann", at=2)
    ledger.cash_out("s1", 5, "last", at=3)
    away = Path("/moved.jsonl")
    for hashes in (("first", "x"), ("x", "last"), ("first", "last")):
        assert ledger.checkpoint_of(away, hashes) == LogCheckpoint(head="first", last="last")
    assert ledger.checkpoint_of(away, ("other", "x")) == LogCheckpoint(head="other")
    assert ledger.checkpoint_of(away, ("x", "y")) is None
    assert ledger.checkpoint_of(PATH.with_name("s2.jsonl"), ("first", "last")) == LogCheckpoint(
        head="first", last="last"
    ), "the hash of the last line says more than a name"


def test_checkpoint_of_a_finished_or_unknown_session_is_refused(ledger: Ledger) -> None:
    ledger.buy_in(sitting("s1", 5), "ann", at=1)
    ledger.cash_out("s1", 5, "last", at=2)
    for name in ("s1", "s2"):
        with pytest.raises(LedgerLost):
            ledger.checkpoint(name, 1, "x", 7)
    assert ledger.checkpoint_of(PATH) == LogCheckpoint(last="last")


def test_ledger_confirms_only_the_current_checkpoint_of_a_session(ledger: Ledger) -> None:
    known = LogCheckpoint(head="first")
    ledger.buy_in(sitting("s1", 5, known), "ann", at=1)
    ledger.confirm("s1", known)
    ledger.checkpoint("s1", 3, "third", 7)
    with pytest.raises(LedgerLost):
        ledger.confirm("s1", known)
    ledger.confirm("s1", LogCheckpoint("first", 3, "third"))
    with pytest.raises(LedgerLost):
        ledger.confirm("s2", known)
    ledger.cash_out("s1", 5, "last", at=2)
    ledger.confirm("s1", known)  # settled meanwhile: who cashes out is told so


# ---- the witness ------------------------------------------------------------------------------


class Heard:
    """A witness that records its calls, and refuses those that a test names."""

    def __init__(self) -> None:
        self.said: list[tuple[object, ...]] = []
        self.refuses = ""

    def _hear(self, *what: object) -> None:
        if what[0] == self.refuses:
            raise LedgerError("the list is full")
        self.said.append(what)

    def shows(self, commitment: str, at: int) -> None:
        self._hear("shows", commitment, at)

    def begins(self, sitting: OpenSitting, player: str, at: int, loan: int) -> None:
        self._hear("begins", sitting.id, player, at, loan)

    def ends(self, sitting: str, last_hash: str | None, at: int) -> None:
        self._hear("ends", sitting, last_hash, at)

    def settle(self, redo: RedoLog | None = None) -> None:
        self._hear("settle")

    def recover(self, redo: RedoLog) -> None:
        self._hear("recover")


@pytest.fixture
def witness() -> Heard:
    return Heard()


@pytest.fixture
def witnessed_ledger(witnessed: WitnessedOpener, witness: Heard) -> Iterator[Grouping]:
    """A ledger that tells a witness."""
    with closing(witnessed(witness)) as ledger:
        witness.said.clear()
        yield ledger


def test_witness_is_notified_of_a_commitment_before_a_session(
    witnessed_ledger: Grouping, witness: Heard
) -> None:
    witnessed_ledger.publish("commitment", at=1)
    assert witness.said == [("shows", "commitment", 1), ("settle",)]
    witness.refuses = "shows"
    with pytest.raises(LedgerError, match="the list is full"):
        witnessed_ledger.publish("another", at=1)


def test_witness_is_notified_of_buy_in_and_cash_out_and_then_settles(
    witnessed_ledger: Ledger, witness: Heard
) -> None:
    witnessed_ledger.buy_in(sitting("s1", 5), "ann", at=1, loan=7)
    assert witness.said == [("begins", "s1", "ann", 1, 7), ("settle",)]
    witnessed_ledger.checkpoint("s1", 3, "third", 7)
    assert len(witness.said) == 2
    assert witnessed_ledger.cash_out("s1", 5, "last", at=2)
    assert witness.said[2:] == [("ends", "s1", "last", 2), ("settle",)]
    assert not witnessed_ledger.cash_out("s1", 5, "last", at=2)
    with pytest.raises(LedgerError, match="is below the buy-in"):
        witnessed_ledger.buy_in(sitting("s2", 2 * OPENING_BALANCE), "ann", at=1)
    assert len([one for one in witness.said if one != ("settle",)]) == 2


@pytest.mark.parametrize("refused", ["begins", "settle"])
def test_buy_in_refused_by_the_witness_moves_no_money(
    witnessed_ledger: Ledger, witness: Heard, refused: str
) -> None:
    witness.refuses = refused
    with pytest.raises(LedgerError, match="the list is full"):
        witnessed_ledger.buy_in(sitting("s1", 5), "ann", at=1, loan=7)
    assert witnessed_ledger.books().sittings == ()
    assert (witnessed_ledger.balance("ann"), witnessed_ledger.debt("ann")) == (OPENING_BALANCE, 0)


@pytest.mark.parametrize("refused", ["ends", "settle"])
def test_session_stays_open_if_the_witness_refuses_the_cash_out(
    witnessed_ledger: Ledger, witness: Heard, refused: str
) -> None:
    witnessed_ledger.buy_in(sitting("s1", 5), "ann", at=1)
    witness.refuses = refused
    with pytest.raises(LedgerError, match="the list is full"):
        witnessed_ledger.cash_out("s1", 5, "last", at=2)
    assert witnessed_ledger.open_sittings("ann") == [sitting("s1", 5)]
    assert witnessed_ledger.balance("ann") == OPENING_BALANCE - 5


def test_witness_settles_once_for_a_group_of_entries_or_none_are_booked(
    witnessed_ledger: Grouping, witness: Heard
) -> None:
    with witnessed_ledger.together(lasting=True):
        witnessed_ledger.buy_in(sitting("s1", 5), "ann", at=1)
        witnessed_ledger.buy_in(sitting("s2", 6), "bob", at=2)
        witnessed_ledger.cash_out("s1", 5, "last", at=3)
    assert [one[0] for one in witness.said] == ["begins", "begins", "ends", "settle"]
    witness.refuses = "settle"
    with (
        pytest.raises(LedgerError, match="the list is full"),
        witnessed_ledger.together(lasting=True),
    ):
        witnessed_ledger.buy_in(sitting("s3", 7), "ann", at=4)
    assert (witnessed_ledger.balance("ann"), witnessed_ledger.balance("bob")) == (
        OPENING_BALANCE,
        OPENING_BALANCE - 6,
    )
    assert witnessed_ledger.open_sittings("ann") == []


# ---- all of it --------------------------------------------------------------------------------


def filled(ledger: Ledger) -> Ledger:
    ledger.buy_in(sitting("s1", OPENING_BALANCE, LogCheckpoint(head="first")), "ann", at=1)
    ledger.checkpoint("s1", 4, "fourth", 7)
    ledger.cash_out("s1", 50, "last", at=2)
    ledger.buy_in(
        sitting("s2", LOAN_CENTS, LogCheckpoint(head="other")), "ann", at=3, loan=LOAN_CENTS
    )
    ledger.buy_in(sitting("s3", 7), "bob", at=4)
    return ledger


def test_ledger_contents_copied_to_another_ledger_are_the_same(
    ledger: Ledger, tmp_path: Path
) -> None:
    books = filled(ledger).books()
    assert books.balances == (("ann", 50), ("bob", OPENING_BALANCE - 7))
    assert books.markers == (Marker("ann", 3, LOAN_CENTS),)
    assert [one.id for one in books.sittings] == ["s1", "s2", "s3"]
    other = SqliteLedger(tmp_path / "other.db")
    other.amend(LedgerContents(), books)
    assert other.books() == books
    assert other.movements("ann") == ledger.movements("ann")
    assert other.movements("ann")[0] == MoneyMovement(2, "toy", 50 - OPENING_BALANCE, str(PATH))
    assert other.open_sittings("ann") == ledger.open_sittings("ann")
    assert (
        other.checkpoint_of(PATH)
        == ledger.checkpoint_of(PATH)
        == LogCheckpoint("first", 4, "fourth", "last")
    )
    other.close()


def test_amending_a_ledger_that_changed_meanwhile_is_refused(ledger: Ledger) -> None:
    before = filled(ledger).books()
    ledger.cash_out("s3", 9, None, at=5)
    now = ledger.books()
    with pytest.raises(LedgerError, match="changed in the meantime"):
        ledger.amend(before, LedgerContents())
    assert ledger.books() == now
    ledger.amend(now, LedgerContents())
    assert ledger.books() == LedgerContents()


# ---- many threads -----------------------------------------------------------------------------

THREADS, TURNS = 8, 50


def all_at_once(work: Callable[[int], object]) -> list[BaseException]:
    """Let threads work at the same time; give what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_ledger_balances_add_up_after_entries_by_many_threads(ledger: Ledger) -> None:
    """Two players in eight threads: each sitting bought and cashed once, to the cent."""

    def work(number: int) -> None:
        player = ("ann", "bob")[number % 2]
        for turn in range(TURNS):
            one = sitting(f"s{number}-{turn}", 100 + turn)
            ledger.buy_in(one, player, at=turn)
            assert one in ledger.open_sittings(player)
            assert ledger.cash_out(one.id, one.bought_in + number, None, at=turn)
            assert ledger.open_sitting(one.id) is None

    assert all_at_once(work) == []
    assert ledger.balance("ann") == OPENING_BALANCE + TURNS * (0 + 2 + 4 + 6)
    assert ledger.balance("bob") == OPENING_BALANCE + TURNS * (1 + 3 + 5 + 7)
    accounts = ledger.accounts()
    assert len(accounts) == THREADS * TURNS
    assert all(one.cashed_out is not None for one in accounts.values())
    assert len(ledger.movements("ann")) == THREADS * TURNS // 2
    ledger.close()


def test_ledger_balances_add_up_after_entries_by_many_programs(
    ledger: Ledger, again: Opener
) -> None:
    """Each with a ledger of its own, all at one purse; it adds up to the cent."""
    if not ledger.persistent:
        return

    def work(number: int) -> None:
        own = again()
        for turn in range(5):
            name = f"s{number}-{turn}"
            own.buy_in(sitting(name, 100), "ann", at=turn)
            own.cash_out(name, 100 + number, None, at=turn)
        own.close()

    assert all_at_once(work) == []
    assert ledger.balance("ann") == OPENING_BALANCE + 5 * sum(range(THREADS))


def test_threads_that_use_a_closed_ledger_get_an_error_and_book_nothing(
    ledger: Ledger, again: Opener
) -> None:

    def work(number: int) -> None:
        for turn in count():
            if number == 0 and turn == 20:
                ledger.close()
                return
            ledger.buy_in(sitting(f"s{number}-{turn}", 1), "ann", at=turn)

    raised = all_at_once(work)
    assert len(raised) == THREADS - 1
    assert all(isinstance(error, LedgerError) for error in raised)
    assert all("closed" in str(error) for error in raised)
    ledger.close()  # again
    if ledger.persistent:
        other = again()
        open_ones = other.open_sittings("ann")
        assert other.balance("ann") == OPENING_BALANCE - len(open_ones)
        assert len([one for one in open_ones if one.id.startswith("s0-")]) == 20
        other.close()


def test_buy_in_without_money_names_the_game_that_another_program_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other program buys in between the look at the balance and the buy-in."""
    house = house_in(tmp_path)
    ledger = house.ledger
    assert ledger is not None
    before = ledger.balance(ME)
    entry = OpenSitting("other", "baccarat", tmp_path / "other.jsonl", None, before)
    ledger.buy_in(entry, ME, 1)
    monkeypatch.setattr(ledger, "balance", lambda player: before)
    with pytest.raises(MoneyElsewhere, match="finish baccarat first"):
        sit(GAMES[0], house)
    assert not [*house.logs.glob("*.jsonl")], "no log is left behind"
