"""Faults between a session and the cage: no money is lost, and others are not affected."""

from __future__ import annotations

import random
import resource
import socket
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.ledger_sessions import ME, PURSED, play_on
from tests.host.cage_processes import CageProcess, Cages, bought, cage_in, sat
from tui_casino.cards.card import PACK
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.host.cage_protocol import BuyIn, ChooseSeed, MarkProgress, pack_message
from tui_casino.host.session.cage_client import CageClient, CageGone, CageLedger, new_source
from tui_casino.house.lobby import review_open_sittings
from tui_casino.inputs.errors import BadInput
from tui_casino.records.ledger import OPENING_BALANCE, LedgerError, OpenSitting
from tui_casino.records.session_log import LogWriteError
from tui_casino.records.sqlite_ledger import SqliteLedger

NAMES = "".join(map(str, PACK))
by_game = pytest.mark.parametrize("listing", PURSED, ids=lambda listing: listing.slug)


def test_cage_lost_after_a_buy_in_keeps_the_log_and_returns_the_money(
    cages: Cages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The buy-in is written, and the cage gone before it says so."""
    listing = PURSED[0]
    line = cages.line(ME, str(tmp_path))
    house = cages.house(tmp_path, line=line)
    book = cages.ledger_writer.book
    buy_in = book.buy_in

    def done_and_gone(*args: Any) -> None:
        buy_in(*args)
        line._line.shutdown(socket.SHUT_RDWR)

    monkeypatch.setattr(book, "buy_in", done_and_gone)
    with pytest.raises(CageGone):
        sat(listing, house, line)
    assert line.check_disconnected()
    assert [*house.logs.iterdir()], "who knows whether it is needed"
    house = cages.house(tmp_path)
    report = review_open_sittings(house, DEFINITIONS)
    assert report.waiting == ()
    assert house.ledger is not None
    assert house.ledger.balance(ME) == OPENING_BALANCE


def test_table_pauses_while_the_cage_is_unreachable(cages: Cages, tmp_path: Path) -> None:
    listing = PURSED[0]
    line = cages.line(ME, str(tmp_path))
    sitting = sat(listing, cages.house(tmp_path, line=line), line)
    play_on(sitting, 3)
    cages.hang_up()
    steps = sitting.log.steps
    with pytest.raises(LogWriteError, match="is restarting"):
        play_on(sitting, 30)
    assert line.disconnected
    assert sitting.log.steps < steps + 30
    sitting.close()


@pytest.mark.prove
def test_killed_cage_loses_no_cent_and_no_confirmed_entry(tmp_path: Path) -> None:
    answered: dict[str, list[str]] = {f"player {number}": [] for number in range(6)}

    def play(cage: CageProcess, player: str) -> None:
        line = CageClient(cage.socket(player))
        with suppress(CageGone):
            ledger = CageLedger(line)
            for number in count():
                name = f"{player}-{number}"
                log = cage.folder / f"{name}.jsonl"
                sitting = OpenSitting(name, "toy", log, new_source(line).stored_seed, 100)
                ledger.buy_in(sitting, player, number)
                answered[player].append("buys in")
                assert ledger.checkpoint(name, 1, "x", 120)
                assert ledger.cash_out(name, 150, "last", number)
                answered[player].append("cashes out")
        line.close()

    with cage_in(tmp_path / "data") as cage:
        threads = [threading.Thread(target=play, args=(cage, player)) for player in answered]
        for thread in threads:
            thread.start()
        while min(map(len, answered.values())) < 9:
            time.sleep(0.01)
        cage.process.kill()
        for thread in threads:
            thread.join()
    ledger = SqliteLedger(tmp_path / "data" / "ledger.db")
    for player, done in answered.items():
        accounts = ledger.accounts(player)
        closed = sum(one.cashed_out is not None for one in accounts.values())
        assert len(accounts) - done.count("buys in") in (0, 1)
        assert closed - done.count("cashes out") in (0, 1)
        assert len(accounts) + closed - len(done) in (0, 1), "what was on its way, and no more"
        assert ledger.balance(player) == OPENING_BALANCE + 50 * closed - 100 * (
            len(accounts) - closed
        )
    ledger.close()


def test_cage_may_open_many_files_and_dumps_no_core(tmp_path: Path) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = 65_536 if most == resource.RLIM_INFINITY else min(most, 65_536)
    with cage_in(tmp_path / "data") as cage:  # it is started with a limit of 256 files
        assert resource.prlimit(cage.process.pid, resource.RLIMIT_NOFILE) == (files, most)
        assert resource.prlimit(cage.process.pid, resource.RLIMIT_CORE) == (0, 0)


NONSENSE = [
    b"\xff" * 40,
    (2 << 20).to_bytes(4, "big") + b"x" * 100,
    pack_message({"type": "Fresh", "player": 5})[:7],
    pack_message({"type": "Robbery"}),
    pack_message([1, 2, 3]),
    pack_message(MarkProgress("s", 1, "x", 5)).replace(b"s\xa1", b"s\xff"),
    pack_message(ChooseSeed()) + b"\x00\x00\x00\x01\xc1",
    random.Random(5).randbytes(5_000),
]


@pytest.mark.parametrize("raw", NONSENSE, ids=range(len(NONSENSE)))
def test_invalid_message_to_the_cage_closes_only_its_own_connection(
    cages: Cages, raw: bytes
) -> None:
    bystander = CageLedger(cages.line("bob"))
    line = cages.line("ann")
    line._line.sendall(raw)
    line._line.shutdown(socket.SHUT_WR)
    while line._line.recv(1 << 16):
        pass
    assert bystander.balance("bob") == OPENING_BALANCE


def test_cage_refuses_amounts_out_of_range(cages: Cages) -> None:
    line = cages.line("ann")
    ledger = CageLedger(line)
    bought(line, "s")
    for cents in (-1, 1 << 63):
        with pytest.raises(LedgerError):
            ledger.cash_out("s", cents, None, 2)
    big = OpenSitting("b", "toy", Path("/b"), new_source(line).stored_seed, -5)
    with pytest.raises(LedgerError):
        line.ask(BuyIn(big, "ann", 1, 0), None)
    assert ledger.cash_out("s", 5, None, 2)
    assert ledger.balance("ann") == OPENING_BALANCE


def test_closed_connection_to_the_cage_is_detected() -> None:
    ours, theirs = socket.socketpair()
    line = CageClient(ours)
    assert not line.check_disconnected()
    theirs.close()
    assert line.check_disconnected()
    with pytest.raises(CageGone):
        line.ask(ChooseSeed(), bytes)
    line.close()
    assert isinstance(CageGone(), BadInput)
