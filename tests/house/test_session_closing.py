"""Each opened sitting is closed: its log can be locked afterwards, and no file stays open."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from errno import EPIPE
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command_runner import Typed
from tests.helpers.ledger_sessions import ME, clock, play_on, play_round_out
from tests.helpers.narrow import not_none
from tests.helpers.open_files import open_files
from tests.helpers.parameter_ids import value_id
from tui_casino.cli import main
from tui_casino.engine.chance import CommittedSource
from tui_casino.gamekit.registry import listing_of
from tui_casino.house.lobby import AnySitting, resume, review_open_sittings, sit_down
from tui_casino.house.paths import log_folder
from tui_casino.house.resumption import resume_from_ledger, resume_from_log
from tui_casino.house.sitting import House, SittingEnding, branch_sitting
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import LedgerError, OpenSitting
from tui_casino.records.session_log import LogInUse, LogWriter, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader import table as console
from tui_casino.structs import replace

LISTING = listing_of("video-poker")
DEFINITION, SEATING = LISTING.definition(), LISTING.tables().setup()
HAVE = {LISTING.slug: DEFINITION}


class Stopped(BaseException):
    """What comes from outside in the middle of anything, as Ctrl+C does."""


class Clock:
    """A clock that stops everything after a number of calls."""

    def __init__(self, times: int = 10**6) -> None:
        self.times = times

    def __call__(self) -> int:
        self.times -= 1
        if self.times < 0:
            raise Stopped
        return clock()


class Failing(SqliteLedger):
    """A ledger of which a move fails, or is stopped."""

    error: BaseException | None = None

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        self._fail()
        super().buy_in(sitting, player, at, loan)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        self._fail()
        return super().cash_out(sitting, cents, last_hash, at)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Failing]:
    ledger = Failing(tmp_path / "ledger.db")
    ledger.buy_in(OpenSitting("a", "faro", tmp_path, None, 0), "nobody", 1)  # opens all its files
    yield ledger
    ledger.close()


@pytest.fixture
def house(tmp_path: Path, ledger: Failing) -> House:
    return House(tmp_path / "logs", ledger, ME, clock=clock)


@contextmanager
def closes_all_logs(folder: Path) -> Iterator[None]:
    """Check that a block leaves no additional file open, and that every log can be locked."""
    before = open_files()
    yield
    assert open_files() == before
    for path in folder.glob("*.jsonl"):
        LogWriter.resume(path, clock)[0].close()


def sit(house: House, staked: bool = True) -> AnySitting:
    """Play on until a bet is at stake, or none is."""
    sitting = sit_down(house, DEFINITION, SEATING, CommittedSource(b"s" * 32))
    play_on(sitting, 20)
    while sitting.staked is not staked:
        play_on(sitting, 1)
    return sitting


def broken_off(house: House, staked: bool = True) -> OpenSitting:
    sit(house, staked=staked).close()
    assert house.ledger is not None
    (entry,) = house.ledger.open_sittings(ME)
    return entry


def parts_that_stop() -> Any:
    """The game, but that nobody gets as far as to listen to the table."""

    def tally(seat: object) -> Any:
        raise Stopped

    return replace(DEFINITION, tally=tally)


# ---- a sitting --------------------------------------------------------------------------------


def test_leaving_the_session_context_unlocks_its_log_without_cash_out(house: House) -> None:
    with closes_all_logs(house.logs):
        with sit(house) as sitting:
            state = sitting.table.state
            with pytest.raises(LogInUse):
                LogWriter.resume(sitting.log.path, clock)
        sitting.close()
        assert read_log(sitting.log.path).end is None
    assert house.ledger is not None
    (entry,) = house.ledger.open_sittings(ME)
    again = not_none(resume(house, DEFINITION, entry))
    with again:
        assert again.table.state == state


def test_session_log_is_closed_after_an_error(house: House) -> None:
    with closes_all_logs(house.logs), pytest.raises(Stopped), sit(house):
        raise Stopped


def test_closing_or_leaving_a_finished_session_again_does_nothing(house: House) -> None:
    with closes_all_logs(house.logs), sit(house, staked=False) as sitting:
        assert sitting.leave() is SittingEnding.CASHED_OUT
        sitting.close()
        assert sitting.leave() is SittingEnding.CASHED_OUT
    assert read_log(sitting.log.path).end is not None


def test_log_of_a_session_that_cannot_be_cashed_out_is_closed(
    house: House, ledger: Failing
) -> None:
    with closes_all_logs(house.logs):
        with sit(house, staked=False) as sitting:
            ledger.error = LedgerError("no room")
            with pytest.raises(LedgerError):
                sitting.leave()
            with pytest.raises(LogInUse):  # one may try again
                LogWriter.resume(sitting.log.path, clock)
        ledger.error = None


# ---- opened anew ------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [Stopped(), LedgerError("no room")], ids=value_id)
def test_failed_buy_in_leaves_no_log(error: BaseException, house: House, ledger: Failing) -> None:
    with closes_all_logs(house.logs):
        ledger.error = error
        with pytest.raises(type(error)):
            sit(house)
    assert [*house.logs.iterdir()] == []


def test_interrupt_while_sitting_down_leaves_no_log_and_no_session(house: House) -> None:
    source = CommittedSource(b"s" * 32)
    with closes_all_logs(house.logs), pytest.raises(Stopped):
        sit_down(house, parts_that_stop(), SEATING, source)
    assert [*house.logs.iterdir()] == []
    assert house.ledger is not None
    assert house.ledger.open_sittings(ME) == []


def test_interrupted_branch_closes_and_removes_its_log(house: House) -> None:
    with sit(house, staked=False) as sitting:
        sitting.leave()
    path = sitting.log.path
    with closes_all_logs(house.logs):
        for times in range(13):  # the look at its beginning, and those of twelve steps
            with pytest.raises(Stopped):
                branch_sitting(replace(house, clock=Clock(times)), DEFINITION, path, 12)
        with pytest.raises(Stopped):
            branch_sitting(house, parts_that_stop(), path, 12)
        assert [*house.logs.iterdir()] == [path]
        with branch_sitting(replace(house, clock=Clock(13)), DEFINITION, path, 12) as other:
            assert other.log.steps == 12


def test_interrupted_undo_closes_its_logs(house: House) -> None:
    practice = replace(house, ledger=None)
    with closes_all_logs(house.logs):
        for times in range(100):
            time = Clock()
            with sit(replace(practice, clock=time)) as sitting:
                path, time.times = sitting.log.path, times
                try:
                    assert sitting.step_back()
                except Stopped:
                    assert sitting.log.path == path
                    with pytest.raises(LogInUse):
                        LogWriter.resume(path, clock)
                    path.unlink()
                    continue
                assert sitting.log.path != path
                LogWriter.resume(path, clock)[0].close()
                with pytest.raises(LogInUse):
                    LogWriter.resume(sitting.log.path, clock)
                break
        assert times > 10
    assert len([*house.logs.iterdir()]) == 2, "the one left behind, and the new one"


# ---- taken up ---------------------------------------------------------------------------------


def test_review_of_open_sessions_leaves_resumable_logs_closed(house: House) -> None:
    entry = broken_off(house)
    with closes_all_logs(house.logs):
        assert review_open_sittings(house, HAVE).waiting == (entry,)
        assert review_open_sittings(house, HAVE).waiting == (entry,)


def test_review_cashes_out_a_session_without_a_bet_and_closes_its_log(house: House) -> None:
    broken_off(house, staked=False)
    with closes_all_logs(house.logs):
        (note,) = review_open_sittings(house, HAVE).notes
        assert note.startswith(f"an interrupted session at {LISTING.title} was cashed out; ")


@pytest.mark.parametrize("harm", ["spoilt", "cut off before it began", "missing"])
def test_review_of_open_sessions_closes_logs_that_cannot_be_resumed(
    harm: str, house: House
) -> None:
    path = broken_off(house).log
    raw = path.read_bytes()
    with closes_all_logs(house.logs):
        if harm == "missing":
            path.unlink()
        else:
            path.write_bytes(raw.replace(b'"by":0', b'"by":1', 1) if harm == "spoilt" else b"{")
        (note,) = review_open_sittings(house, HAVE).notes
        assert "cannot be resumed" in note
        path.write_bytes(raw)


@pytest.mark.parametrize("error", [Stopped(), LedgerError("no room")], ids=value_id)
@pytest.mark.parametrize(
    "ended", [False, True], ids=["log without its last line", "log with its last line"]
)
def test_failed_cash_out_of_an_interrupted_session_closes_its_log(
    ended: bool, error: BaseException, house: House, ledger: Failing
) -> None:
    entry = broken_off(house, staked=False)
    if ended:  # its last line stands already
        ledger.error = LedgerError("no room")
        assert "no room" in review_open_sittings(house, HAVE).notes[0]
        assert read_log(entry.log).end is not None
    with closes_all_logs(house.logs):
        ledger.error = error
        for way in (
            resume,
            lambda house, definition, entry: resume_from_ledger(house, ledger, definition, entry),
        ):
            with pytest.raises(type(error)):
                way(house, DEFINITION, entry)
        if isinstance(error, Stopped):
            with pytest.raises(Stopped):
                review_open_sittings(house, HAVE)
        else:
            assert "no room" in review_open_sittings(house, HAVE).notes[0]
        ledger.error = None


def test_log_of_a_resumed_session_stays_open_until_its_caller_closes_it(house: House) -> None:
    entry = broken_off(house)
    with closes_all_logs(house.logs):
        with pytest.raises(Stopped):
            resume(house, parts_that_stop(), entry)
        sitting = not_none(resume(house, DEFINITION, entry))
        with sitting, pytest.raises(LogInUse):
            resume(house, DEFINITION, entry)


def test_log_of_a_session_settled_meanwhile_is_closed(house: House, ledger: Failing) -> None:
    entry = broken_off(house)
    ledger.cash_out(entry.id, 1, None, 1)
    with closes_all_logs(house.logs):
        assert resume(house, DEFINITION, entry) is None


def test_log_of_resumed_free_play_is_closed_after_leaving_or_an_error(house: House) -> None:
    practice = replace(house, ledger=None)
    with sit(practice) as sitting:
        path = sitting.log.path
    with closes_all_logs(house.logs):
        with pytest.raises(Stopped):
            resume_from_log(practice, parts_that_stop(), path)
        with resume_from_log(practice, DEFINITION, path) as again, pytest.raises(LogInUse):
            resume_from_log(practice, DEFINITION, path)
        with resume_from_log(practice, DEFINITION, path) as again:
            play_round_out(again)
            again.leave()
        with pytest.raises(BadFile, match="it has ended"):
            resume_from_log(practice, DEFINITION, path)


# ---- on the console ---------------------------------------------------------------------------


def test_failing_console_session_closes_its_files(house: House) -> None:
    def broken(line: str) -> None:
        raise Stopped

    with closes_all_logs(house.logs), pytest.raises(Stopped), sit(house) as sitting:
        console.play_at_table(sitting, ["$", "q"], broken, broken)


class Broken(io.StringIO):
    """A stream that is closed after a number of lines."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.lines = lines

    def write(self, text: str, /) -> int:
        self.lines -= text.count("\n")
        if self.lines < 0:
            raise BrokenPipeError(EPIPE, "Broken pipe")
        return super().write(text)


class Interrupted(Typed):
    """The typed input ends with Ctrl+C."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        if line := super().readline(size):
            return line
        raise KeyboardInterrupt


ROUNDS = "b 5\nd\nh 1\ns\n$\nb 5\nd\n"


@pytest.mark.parametrize(
    "table", [[], ["--seed", "3"]], ids=["shuffle of the program", "numbered shuffle"]
)
def test_interrupted_console_closes_its_log_at_any_line(
    table: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the output gone or by Ctrl+C; it begins anew, or takes up what was broken off."""
    command = ["video-poker", "--console", *table]
    monkeypatch.setattr(sys, "stdin", Typed("q\n"))
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        assert main(command) == 0  # what is loaded once is loaded
    with closes_all_logs(log_folder(None, os.environ)):
        for lines in (0, 1, 3, 8, 20):
            monkeypatch.setattr(sys, "stdin", Typed(ROUNDS))
            with (
                redirect_stdout(Broken(lines)),
                redirect_stderr(io.StringIO()),
                pytest.raises(BrokenPipeError),
            ):
                main(command)
        with (
            redirect_stdout(io.StringIO()),
            redirect_stderr(Broken(0)),
            pytest.raises(BrokenPipeError),
        ):
            main(command)
        monkeypatch.setattr(sys, "stdin", Interrupted("b 5\nd\n"))
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            assert main(command) == 2
