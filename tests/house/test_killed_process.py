"""``kill -9`` in the middle of real play: the ledger adds up, logs verify, sittings go on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.helpers.ledger_sessions import ME, PURSED, cents, play_on, play_round_out, verdict_of
from tests.helpers.quick_cases import by_game, by_game_first
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import GameListing
from tui_casino.house.lobby import resume, review_open_sittings
from tui_casino.house.sitting import House, SittingEnding, branch_sitting
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.replay import (
    ProofLevel,
    log_options,
    make_table,
    replay_log,
    rerun_log,
    verify_log,
)
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

ROOT = Path(__file__).parents[2]
MOMENTS = 300
"""With a purse, so many a game; those of practice come on top."""
BATCHES, PRACTICE = 5, 12
LONGEST = 250
"""Steps, of which one sitting or several come."""
WITHIN_A_STEP = 0.002
"""Seconds: a few steps, and as long as a cash-out takes."""


@contextmanager
def playing_program(
    listing: GameListing, home: Path, dice: random.Random, *before: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Let a program, started by the module ``before`` it, play some steps; it plays on."""
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "XDG_STATE_HOME": str(home),
    }
    modules = (*before, "tests.helpers.play_until_killed")
    program = [sys.executable, "-m", *modules, listing.slug, str(dice.random())]
    with subprocess.Popen(
        program, env=environ, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as playing:
        assert playing.stdout is not None
        assert playing.stdout.readline() == b"begun\n", playing.communicate()
        for _ in range(dice.randrange(LONGEST)):
            assert playing.stdout.readline() == b"step\n", playing.communicate()
        yield playing


def strike(listing: GameListing, home: Path, dice: random.Random) -> None:
    """Let a program play, and kill it at any moment, now and then even as it begins."""
    with playing_program(listing, home, dice) as playing:
        time.sleep(dice.uniform(0, WITHIN_A_STEP))
        assert playing.poll() is None, playing.communicate()
        playing.kill()


def check_books(listing: GameListing, home: Path, checked: set[Path]) -> None:
    """Add up the purse from the logs alone, verify each, and see that what is open can go on.

    A log that was found ended and authentic is not read again.
    """
    definition, folder = listing.definition(), home / "tui-casino"
    ledger = SqliteLedger(folder / "ledger.db")
    try:
        entries = {entry.log: entry for entry in ledger.open_sittings(ME)}
        for path in set((folder / "sessions").glob("*.jsonl")) - checked:
            try:
                log = read_log(path)
            except BadFile as error:
                assert "cut off before it began" in error.reason  # noqa: PT017
                assert path not in entries
                continue
            state = definition.game.start(log_options(definition.game, log))
            rounds, staked = [0], False
            for played in replay_log(definition.game, log):
                state, was = played.state, staked
                staked = bool(definition.game.money(state, Seat(0)).staked)
                if was and not staked:
                    rounds.append(played.line.n)
            entry = entries.pop(path, None)
            known = ledger.checkpoint_of(path, (log.head, log.hash))
            verdict = verify_log(definition, log, known)
            assert verdict.reason is None, (path, verdict)
            if entry is not None:
                assert entry.seed is not None
                assert entry.checkpoint.head == log.head
                # a note comes once its log is on the disk, which takes as long as some rounds
                assert entry.checkpoint.steps in rounds, (entry, rounds)
                assert log.end or entry.seed.hex().encode() not in path.read_bytes()
                table = make_table(definition, log, CommittedSource(entry.seed))
                rerun_log(table, log)  # with the ledger's seed the very same cards
                assert table.state == state
            elif listing not in PURSED:
                assert verdict.shuffle_checked
                goes_on(listing, path, state)
                checked.add(path)
            elif known is None:  # killed between its first line and the buy-in
                assert not log.lines
            else:
                assert verdict.proof is ProofLevel.AUTHENTIC
                assert verdict.shuffle_checked
                assert ledger.accounts()[path.stem].cashed_out == cents(listing, state)
                assert known.head == log.head
                assert known.last == log.hash
                assert known.steps in rounds
                checked.add(path)
        assert not entries, "a session is open whose log is gone"
        accounts = ledger.accounts().values()
        brought_back = sum((account.cashed_out or 0) - account.bought_in for account in accounts)
        assert ledger.balance(ME) == OPENING_BALANCE + ledger.debt(ME) + brought_back
    finally:
        ledger.close()


def goes_on(listing: GameListing, path: Path, state: object) -> None:
    """Check that free play can be resumed where it was cut off."""
    sitting = branch_sitting(
        House(path.parent, None, ME), listing.definition(), path, len(read_log(path).lines)
    )
    assert sitting.table.state == state
    play_on(sitting, 5)
    if sitting.leave() is not SittingEnding.UNPLAYED:
        assert verdict_of(sitting.log.path).proof is ProofLevel.CONSISTENT


def finish(listing: GameListing, home: Path) -> None:
    """Take up what the last kill left open, and play it out: no money stays at a table."""
    definition = listing.definition()
    ledger = SqliteLedger(home / "tui-casino" / "ledger.db")
    house = House(home / "tui-casino" / "sessions", ledger, ME)
    for entry in review_open_sittings(house, {listing.slug: definition}).waiting:
        sitting = resume(house, definition, entry)
        assert sitting is not None
        with sitting:
            play_round_out(sitting)
            assert sitting.leave() is SittingEnding.CASHED_OUT
    assert ledger.open_sittings(ME) == []
    ledger.close()


def struck(listing: GameListing, home: Path, seed: int, moments: int) -> int:
    """Strike at so many moments, the books checked after each; count the sittings that ended."""
    dice, checked = random.Random(f"{listing.slug} {seed}"), set[Path]()
    for _ in range(moments):
        strike(listing, home, dice)
        check_books(listing, home, checked)
    if listing in PURSED:
        finish(listing, home)
        check_books(listing, home, checked)
    return len(checked)


@by_game_first("video-poker")
def test_killed_program_loses_no_money_and_no_step(listing: GameListing, tmp_path: Path) -> None:
    struck(listing, tmp_path, 1, 2)


@pytest.mark.prove
@by_game
@pytest.mark.parametrize("batch", range(BATCHES))
def test_program_killed_at_hundreds_of_moments_loses_no_money_and_no_step(
    listing: GameListing, batch: int, tmp_path: Path
) -> None:
    moments = MOMENTS // (BATCHES * len(PURSED)) if listing in PURSED else PRACTICE
    assert struck(listing, tmp_path, 2 + batch, moments) > moments // 2
