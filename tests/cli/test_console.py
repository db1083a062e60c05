"""The console on a terminal and in trouble."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tui_casino.cards.card import parse_hand
from tui_casino.cli.console import clear_screen
from tui_casino.engine.chance import CommittedSource, SeededSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.house.sitting import House, Sitting, SittingEnding, begin_sitting
from tui_casino.inputs.sanitize import printable_stream
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.table import play_at_table
from tui_casino.structs import replace


def sit(tmp_path: Path, **options: Any) -> Sitting[Any, Any, Any, Any, Any]:
    house = House(tmp_path / "logs", None, "ann")
    cards = options.pop("cards", None)
    croupier = FixedShoe(parse_hand(cards)) if cards else ShuffledShoe()
    source = SeededSource(1)
    return begin_sitting(house, DEFINITION, Options(**options), croupier, source, {Seat(0): None})


def test_console_game_ends_with_out_of_credit_when_the_last_credit_is_lost(tmp_path: Path) -> None:
    sitting, said = sit(tmp_path, credit=2, cards="2H 3S 5D 7C 9H"), list[str]()
    left = play_at_table(sitting, ["b 2", "d", "h 1 2 3 4 5", "$"], said.append, said.append)
    assert left is SittingEnding.CASHED_OUT
    assert said[-2:] == ["player loses and his credit is 0", "The game is over: out of credit."]
    log = read_log(sitting.log.path)
    assert log.end is not None
    assert log.end.why == "out of credit"


def test_console_game_of_computers_only_runs_to_its_end_without_reading_input(
    tmp_path: Path,
) -> None:
    house = House(tmp_path / "logs", None, "ann")
    sitting = begin_sitting(
        house, DEFINITION, Options(credit=9), ShuffledShoe(), SeededSource(4), {Seat(0): "list"}
    )

    def nobody() -> str:
        raise AssertionError("a line was asked for")

    said: list[str] = []
    assert (
        play_at_table(sitting, iter(nobody, None), said.append, said.append)
        is SittingEnding.CASHED_OUT
    )
    assert said[-1] == "The game is over: out of credit."


@pytest.mark.parametrize(
    ("afar", "number", "advice"),
    [
        (False, errno.ENOSPC, "; nothing is lost. Free some space, then press"),
        (True, errno.ENOSPC, "; nothing is lost. The server needs more disk space. Press"),
        (True, errno.EIO, "; nothing is lost. Press Enter to try again"),
    ],
    ids=["at home", "on a server", "refused by a table"],
)
def test_console_game_pauses_while_the_disk_is_full_and_its_log_stays_valid(
    afar: bool, number: int, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = sit(tmp_path)
    sitting.house = replace(sitting.house, remote=afar)
    real, full = os.write, [False]

    def write(file: int, data: Any) -> int:
        if full[0]:
            raise OSError(number, os.strerror(number))
        return real(file, data)

    def lines() -> Iterator[str]:
        yield "b 5"
        full[0] = True
        yield "d"
        yield ""  # still full
        yield "$"  # still, and this too is kept for later
        full[0] = False
        yield ""  # room again
        yield "h 1 2 3 4 5"

    monkeypatch.setattr(os, "write", write)
    said: list[str] = []
    warned: list[str] = []
    assert play_at_table(sitting, lines(), said.append, warned.append) is SittingEnding.CASHED_OUT
    assert f"{os.strerror(number)}{advice}" in warned[0]
    assert str(tmp_path) not in warned[0]
    assert [line.split()[0:2] for line in said[:4]] == [
        ["player", "is"],
        ["player's", "hand"],
        ["player's", "credit"],
        ["player's", "hand"],
    ]
    assert verify_log(DEFINITION, read_log(sitting.log.path)).proof is ProofLevel.CONSISTENT


@pytest.mark.parametrize(
    "stands", [False, True], ids=["nothing in its place", "another file in its place"]
)
def test_console_reports_and_restores_a_log_deleted_during_play(
    stands: bool, tmp_path: Path
) -> None:
    """Mended at once; where another file has taken its place only when that one is gone."""
    sitting = sit(tmp_path)
    path = sitting.log.path

    def lines() -> Iterator[str]:
        yield "b 5"
        path.unlink()
        if stands:
            path.write_text("another")
        yield "d"
        path.unlink(missing_ok=not stands)
        yield ""
        yield "h"

    warned: list[str] = []
    assert (
        play_at_table(sitting, lines(), lambda line: None, warned.append)
        is SittingEnding.CASHED_OUT
    )
    mended = "the log was deleted; it has been restored"
    if stands:
        assert "another file has taken its place; nothing is lost" in warned[0]
        assert warned[1:] == [mended]
    else:
        assert warned == [mended, mended]
    assert verify_log(DEFINITION, read_log(path)).proof is ProofLevel.CONSISTENT


def test_money_stays_at_the_table_if_the_last_log_line_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = SqliteLedger(tmp_path / "ledger.db")
    house = House(tmp_path / "logs", ledger, "ann")
    sitting = begin_sitting(
        house, DEFINITION, Options(), ShuffledShoe(), CommittedSource(), {Seat(0): None}
    )
    warned: list[str] = []

    def lines() -> Iterator[str]:
        yield "$"

        def write(file: int, data: Any) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "write", write)
        yield "q"

    assert play_at_table(sitting, lines(), lambda line: None, warned.append) is None
    assert "your money stays at the table" in warned[0]
    assert len(ledger.open_sittings("ann")) == 1
    assert ledger.balance("ann") == 0


def test_clear_screen_clears_a_terminal_and_writes_nothing_to_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clear_screen({"TERM": "xterm"})
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", printable_stream(sys.stdout))  # as the program has it
    clear_screen({"TERM": "xterm"})
    assert capsys.readouterr().out == "\x1b[H\x1b[2J\x1b[3J"
    clear_screen({"TERM": "dumb"})
    assert capsys.readouterr().out == "\n" * 100
