"""Money and seeds in the cage: no player reaches another's, and no session sees undealt cards."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from tests.helpers.ledger_sessions import ME, PURSED, play_on, play_round_out, sit, step
from tests.helpers.narrow import not_none
from tests.host.cage_processes import Cages, bought, sat, shoe_of
from tui_casino.cards.card import PACK, Card
from tui_casino.engine.chance import CommittedSource, SourceSpec
from tui_casino.gamekit.registry import GameListing, listing_of
from tui_casino.host.cage.ledger_writer import Durability, LedgerWriter
from tui_casino.host.session.cage_client import CageLedger, CageSource, new_source, restore_source
from tui_casino.house.house import House
from tui_casino.house.lobby import AnySitting, resume
from tui_casino.records.ledger import (
    OPENING_BALANCE,
    BalanceTooLow,
    LedgerContents,
    LedgerError,
    LedgerLost,
    LogCheckpoint,
    OpenSitting,
)
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import LogWriteError, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

NAMES = "".join(map(str, PACK))
by_game = pytest.mark.parametrize("listing", PURSED, ids=lambda listing: listing.slug)


# ---- what is played ---------------------------------------------------------------------------


@by_game
def test_game_dealt_by_the_cage_resumes_and_verifies(
    listing: GameListing, cages: Cages, tmp_path: Path
) -> None:
    line = cages.line(ME, str(tmp_path))
    house = cages.house(tmp_path, line=line)
    sitting = sat(listing, house, line, "my word")
    play_on(sitting, 40)
    assert any(sitting.staked or not step(sitting) for _ in range(200))
    assert sitting.staked
    path, cents = sitting.log.path, sitting.cents
    before = sitting.table.view(sitting.dialogue.seat)
    sitting.close()
    line.close()  # the process has died

    line = cages.line(ME, str(tmp_path))
    house = cages.house(tmp_path, line=line)
    assert house.ledger is not None
    (entry,) = house.ledger.open_sittings(ME)
    taken_up = not_none(resume(house, listing.definition(), entry))
    assert taken_up.cents == cents
    assert taken_up.table.view(taken_up.dialogue.seat) == before
    play_on(taken_up, 25)
    play_round_out(taken_up)
    taken_up.leave()
    log = read_log(path)
    verdict = verify_log(
        listing.definition(), log, house.ledger.checkpoint_of(path, (log.head, log.hash))
    )
    assert (verdict.proof, verdict.shuffle_checked, verdict.reason) == (
        ProofLevel.AUTHENTIC,
        True,
        None,
    )
    assert house.ledger.balance(ME) == taken_up.cents + OPENING_BALANCE - entry.bought_in
    assert cages.audit == []


def reachable(root: object) -> Iterator[object]:
    """Go through all that an object leads to, but for code, and for what all programs share."""
    seen, todo = {id(root)}, [root]
    skipped = ModuleType, FunctionType, type, Cages
    while todo:
        one = todo.pop()
        yield one
        for other in gc.get_referents(one):
            if id(other) not in seen and not isinstance(other, skipped):
                seen.add(id(other))
                todo.append(other)


def knows_more(sitting: AnySitting, seed: bytes) -> bool:
    """Return whether the seed or coming cards are anywhere in the state of a sitting."""
    table = sitting.table
    coming = shoe_of(seed, PACK)[table._cards :]
    assert len(coming) > 30
    ours: set[int] = {id(coming)}
    for one in reachable(sitting):
        if one == seed:
            return True
        if isinstance(one, list | tuple) and len(one) >= 5 and id(one) not in ours:
            cards = [card for card in one if isinstance(card, Card)]
            if cards[-5:] == coming[-5:]:
                return True
    return False


def test_memory_of_a_session_with_a_cage_has_no_seed_and_no_undealt_card(
    cages: Cages, tmp_path: Path
) -> None:
    listing = listing_of("video-poker")
    line = cages.line(ME, str(tmp_path))
    sitting = sat(listing, cages.house(tmp_path, line=line), line)
    assert any(sitting.table._cards == 5 or not step(sitting) for _ in range(200))
    assert sitting.staked
    book = SqliteLedger.look_at(cages.ledger)
    (booked,) = book.open_sittings(ME)
    book.close()
    assert booked.seed is not None
    assert CommittedSource(booked.seed).spec == sitting.table.source.spec
    assert not knows_more(sitting, booked.seed)
    sitting.close()
    own = House(tmp_path / "own", SqliteLedger(None), ME)
    plain = sit(listing, own)  # what plays alone has both: they would be found
    play_on(plain, 8)
    assert plain.table.source.seed is not None
    assert knows_more(plain, plain.table.source.seed)
    plain.close()


def test_free_play_has_its_seed_at_the_start_and_continues_without_the_cage(
    cages: Cages, tmp_path: Path
) -> None:
    listing = PURSED[0]
    line = cages.line(ME, str(tmp_path))
    house = replace(cages.house(tmp_path, line=line), ledger=None)
    sitting = sat(listing, house, line)
    assert sitting.log.path.exists()
    line.close()
    play_on(sitting, 20)
    sitting.close()
    assert read_log(sitting.log.path).header.seed is not None


def test_cage_deals_no_card_after_revealing_the_seed(cages: Cages) -> None:
    line = cages.line(ME)
    source = new_source(line).with_client_seed("word")
    shoe = source.dice("shoe 1").shuffle(PACK)  # type: ignore[attr-defined]
    first = [shoe[0], shoe[1]]
    with pytest.raises(TypeError):
        shoe[:5]
    seed = not_none(source.seed)
    assert source.spec == CommittedSource(seed, "word").spec
    cards = shoe_of(seed, PACK, word="word")
    assert first == cards[:2] == [shoe[0], shoe[1]]
    with pytest.raises(LogWriteError, match="no more cards are dealt"):
        shoe[2]


def test_cage_restores_a_source_only_with_the_seed_of_its_log(cages: Cages) -> None:
    line = cages.line(ME)
    source = new_source(line)
    assert restore_source(line, SourceSpec("numbered", "5"), None) is not None
    assert restore_source(line, source.spec, None) is None
    assert isinstance(restore_source(line, source.spec, source.stored_seed), CageSource)
    with pytest.raises(ValueError, match="not the one"):
        restore_source(line, source.spec, bytes(32))
    with pytest.raises(ValueError, match="one line"):
        source.with_client_seed("two\nlines")


# ---- nobody else's ----------------------------------------------------------------------------

REQUESTS: dict[str, Callable[[CageLedger], object]] = {
    "balance": lambda ledger: ledger.balance("bob"),
    "debt": lambda ledger: ledger.debt("bob"),
    "repayment": lambda ledger: ledger.repay("bob", 1, 1),
    "open sessions": lambda ledger: ledger.open_sittings("bob"),
    "movements": lambda ledger: ledger.movements("bob"),
    "open session": lambda ledger: ledger.open_sitting("bobs"),
    "checkpoint": lambda ledger: ledger.checkpoint("bobs", 1, "x", 5),
    "confirmation": lambda ledger: ledger.confirm("bobs", LogCheckpoint()),
    "cash out": lambda ledger: ledger.cash_out("bobs", 10**9, None, 2),
    "checkpoint of a log": lambda ledger: ledger.checkpoint_of(
        Path("/data/players/b/sessions/x.jsonl")
    ),
    "log path with two dots": lambda ledger: ledger.checkpoint_of(
        Path("/data/players/a/../b/x.jsonl")
    ),
    "buy-in with a foreign log path": lambda ledger: ledger.buy_in(
        OpenSitting("s", "toy", Path("/etc/passwd"), bytes(32), 5), "ann", 1
    ),
    "buy-in": lambda ledger: ledger.buy_in(
        OpenSitting("s", "toy", Path("/data/players/a/x.jsonl"), bytes(32), 5), "bob", 1
    ),
}


@pytest.mark.parametrize("request_name", REQUESTS)
def test_request_for_another_players_session_is_refused_and_audited(
    cages: Cages, request_name: str
) -> None:
    bought(cages.line("bob"), "bobs", "bob")
    line = cages.line("ann", "/data/players/a")
    with pytest.raises(LedgerError, match="another player"):
        REQUESTS[request_name](CageLedger(line))
    (message,) = cages.audit
    assert message.startswith("a session of the player ann asked for ")
    assert CageLedger(cages.line("bob")).balance("bob") == OPENING_BALANCE - 5


def test_shuffle_of_another_player_cannot_be_read_or_bought_in_with(cages: Cages) -> None:
    theirs = bought(cages.line("bob"), "bobs", "bob")
    line = cages.line("ann")
    assert theirs.seed is not None
    source = not_none(restore_source(line, SourceSpec("committed", theirs.seed.hex()), theirs.seed))
    with pytest.raises(LedgerError, match="has lost this shuffle"):
        _ = source.seed
    with pytest.raises(LedgerError, match="has lost this shuffle"):
        CageLedger(line).buy_in(replace(theirs, id="mine"), "ann", 1)


def test_cage_refuses_a_foreign_seed_and_requests_only_for_the_operator(cages: Cages) -> None:
    ledger = CageLedger(cages.line("ann"))
    for seed in (None, bytes(32), b"short"):
        with pytest.raises(LedgerError):
            ledger.buy_in(OpenSitting("s", "toy", Path("/x.jsonl"), seed, 5), "ann", 1)
    for refused in (ledger.books, partial(ledger.amend, LedgerContents(), LedgerContents())):
        with pytest.raises(LedgerError, match="only the operator"):
            refused()
    assert ledger.balance("ann") == OPENING_BALANCE


def test_each_guest_has_a_balance_that_the_ledger_does_not_store(cages: Cages) -> None:
    one, two = (cages.line("guest-1", guest=True) for _ in range(2))
    bought(one, "s", "guest-1")
    assert CageLedger(one).balance("guest-1") == OPENING_BALANCE - 5
    assert CageLedger(two).balance("guest-1") == OPENING_BALANCE
    assert not CageLedger(one).persistent
    assert CageLedger(cages.line("guest-1")).balance("guest-1") == OPENING_BALANCE


# ---- many at once -----------------------------------------------------------------------------


async def test_grouped_ledger_entries_roll_back_only_the_refused_one(
    tmp_path: Path,
) -> None:
    book = SqliteLedger(tmp_path / "ledger.db")
    writer = LedgerWriter(book)
    sittings = [
        OpenSitting(f"s{n}", "toy", Path(f"/{n}"), bytes(32), 5 if n else OPENING_BALANCE + 1)
        for n in range(40)
    ]
    jobs = [
        writer.do(partial(book.buy_in, one, f"player {one.id}", 1), Durability.MOVES)
        for one in sittings
    ]
    marks = [
        writer.do(partial(book.checkpoint, f"s{n}", 1, "x", 5), Durability.NOTES) for n in range(40)
    ]
    bought_in = await asyncio.gather(*jobs, return_exceptions=True)
    assert [type(answer) for answer in bought_in] == [BalanceTooLow, *[type(None)] * 39]
    noted = await asyncio.gather(*marks, return_exceptions=True)
    assert [type(answer) for answer in noted] == [LedgerLost, *[bool] * 39]
    assert writer.commits < 40
    other = SqliteLedger.look_at(tmp_path / "ledger.db")
    assert len(other.books().balances) == 39, "nothing is left of who was refused"
    assert len(other.accounts("player s7")) == 1
    other.close()
    writer.close()


async def test_cage_entry_fails_while_the_ledger_is_locked_and_succeeds_later(
    tmp_path: Path,
) -> None:
    book = SqliteLedger(tmp_path / "ledger.db", 0.01)
    writer = LedgerWriter(book)
    with SqliteLedger(tmp_path / "ledger.db")._transaction():
        sitting = OpenSitting("s1", "toy", Path("/1"), bytes(32), 5)
        with pytest.raises(LedgerError, match="locked"):
            await writer.do(partial(book.buy_in, sitting, "ann", 1), Durability.MOVES)
        assert await writer.do(partial(book.balance, "ann")) == OPENING_BALANCE
    await writer.do(partial(book.buy_in, sitting, "ann", 1), Durability.MOVES)
    writer.close()
