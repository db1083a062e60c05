"""A full disk, and folders that cannot be written: play stops politely, and nothing is lost."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest

from tests.helpers.parameter_ids import labelled
from tests.helpers.pty_terminal import PATIENCE, casino
from tests.helpers.quick_cases import first_of
from tests.tui.ledger_audit import (
    at_hold,
    bet_lost_or_won,
    books,
    limit,
    newest,
    open_table,
    purse_shown,
    shows,
    state_of,
    taken_up,
)
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.session_log import read_log

# ---- no room --------------------------------------------------------------------------------


REFUSED = "The log cannot be written"


@pytest.mark.parametrize("seed", first_of([1, 2]), ids=labelled("seed {}"))
def test_full_disk_pauses_the_game_on_the_screen_until_there_is_space(
    seed: int, tmp_path: Path
) -> None:
    dice = random.Random(seed)
    with casino(tmp_path) as terminal:
        open_table(terminal)
        path = newest(tmp_path)
        for _ in range(8):
            full = path.stat().st_size + dice.randrange(1_500)
            limit(terminal, full)
            until = time.monotonic() + PATIENCE
            while REFUSED not in terminal.text:
                terminal.type(dice.choice(("1", " ", "\r")))
                terminal.rest(0.03)
                assert time.monotonic() < until, terminal.text
            terminal.rest(0.1)
            assert path.stat().st_size <= full
            log = read_log(path)
            assert log.torn == 0
            state = state_of(log)
            books(tmp_path)
            assert shows(terminal.text, state)
            limit(terminal, None)
            terminal.commit(" ", lambda _: len(read_log(path).lines) > len(log.lines))  # noqa: B023
            terminal.wait_for(lambda text: REFUSED not in text)
            terminal.wait_until(lambda: shows(terminal.text, state_of(read_log(path))))
            books(tmp_path)
        terminal.signal(signal.SIGKILL)
        terminal.ended()
    books(tmp_path)


def test_program_killed_on_a_full_disk_loses_no_money(tmp_path: Path) -> None:
    with at_hold(tmp_path) as terminal:
        path = newest(tmp_path)
        limit(terminal, path.stat().st_size + 20)
        terminal.commit(" ", REFUSED)
        terminal.signal(signal.SIGKILL)
        terminal.ended()
    purse, before = books(tmp_path)
    with casino(tmp_path) as terminal:
        taken_up(terminal, tmp_path, purse, before)


@pytest.mark.prove
def test_leaving_on_a_full_disk_waits_for_space(tmp_path: Path) -> None:
    """The last line cannot be written: said so, nobody leaves; with room one does."""
    with at_hold(tmp_path) as terminal:
        bet_lost_or_won(terminal)
        path = newest(tmp_path)
        limit(terminal, path.stat().st_size + 20)
        terminal.type_until("q\r", "cannot be written")
        books(tmp_path)
        limit(terminal, None)
        terminal.type_until("q\r", "You cash out")
        purse, before = books(tmp_path)
        assert not before
        terminal.wait_for(lambda text: purse_shown(text) == purse)
        terminal.rest(0.2)
        terminal.type("q")
        assert terminal.ended() == 0


def test_cash_out_is_paid_later_if_the_ledger_cannot_be_written(tmp_path: Path) -> None:
    """The log's last line is written, the ledger's is not: the money is owed, and paid later."""
    with at_hold(tmp_path) as terminal:
        bet_lost_or_won(terminal)
        wal = tmp_path / "state/tui-casino/ledger.db-wal"
        path = newest(tmp_path)
        assert path.stat().st_size + 1_000 < 12_000 < wal.stat().st_size
        limit(terminal, 12_000)
        terminal.type_until("q\r", "ledger")
        assert read_log(path).end is not None
        terminal.type(" ")  # no more steps behind the last line
        terminal.rest(0.5)
        books(tmp_path)
        limit(terminal, None)
        terminal.type_until("q\r", "You cash out")
        assert books(tmp_path)[1] == []


def test_full_disk_at_the_start_of_a_table_is_reported(tmp_path: Path) -> None:
    """Not even the ledger can be begun: a clear sentence, and nothing else."""
    with casino(tmp_path, shell="trap '' XFSZ; ulimit -f 0; ") as terminal:
        assert terminal.ended() == 2
        assert "Traceback" not in terminal.text
        output = terminal.text.replace("\n", "")
        ledger = tmp_path / "state/tui-casino/ledger.db"
        reason = "disk I/O error; --guest plays without it"
        expected = f"tui-casino: the ledger {ledger} cannot be used: {reason}"
        assert output.replace(" ", "") == expected.replace(" ", ""), "lines may end at a space"
        assert terminal.spoilt() == []


# ---- folders that cannot be written ---------------------------------------------------------


def test_unusable_state_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    with casino(tmp_path) as terminal:
        assert terminal.ended() == 2
        assert "Traceback" not in terminal.text
        joined = terminal.text.replace("\n", "")
        assert f"the ledger {tmp_path / 'state/tui-casino/ledger.db'} cannot be used" in joined
        assert terminal.spoilt() == []


def test_unusable_log_folder_opens_no_table(tmp_path: Path) -> None:
    """The menu opens; no table does, and no money moves."""
    (tmp_path / "file").write_text("in the way")
    with casino(tmp_path, "--log-dir", str(tmp_path / "file/logs")) as terminal:
        terminal.wait_for("balance 1,000.00")
        terminal.type_until("1", lambda text: "Cannot open" in text)
        assert books(tmp_path) == (OPENING_BALANCE, [])
        terminal.rest(0.2)
        terminal.type("q")
        assert terminal.ended() == 0


def test_changed_setting_is_reported_as_temporary_if_its_folder_is_unusable(tmp_path: Path) -> None:
    """The house opens all the same, and says that settings cannot be kept."""
    (tmp_path / "config").write_text("in the way")
    with casino(tmp_path) as terminal:
        terminal.wait_for("balance 1,000.00")
        terminal.type("\x1bOR")  # F3
        terminal.wait_for("Four-colour deck")
        terminal.type_until("\r", "the settings apply to")
        assert terminal.process.poll() is None
        assert "Traceback" not in terminal.text
