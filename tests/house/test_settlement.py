"""``tui-casino ledger settle``: the money of sittings whose logs are lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.command_runner import Ran, output, run
from tests.helpers.ledger_sessions import (
    ME,
    house_in,
    ledger_of,
    lines_of,
    only_open,
    play_on,
    play_round_out,
    played,
    sit,
    verdict_of,
    write,
)
from tests.helpers.random_play import seed_of
from tui_casino.gamekit.registry import listing_of
from tui_casino.house.lobby import AnySitting, review_open_sittings
from tui_casino.house.paths import ledger_file
from tui_casino.house.settlement import settle_sitting
from tui_casino.house.sitting import House
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.replay import ProofLevel
from tui_casino.structs import replace

POKER = listing_of("video-poker")


@pytest.fixture
def house() -> Iterator[House]:
    house = house_in(ledger_file().parent)
    yield house
    ledger_of(house).close()


def left_staked(house: House) -> tuple[AnySitting, int]:
    """Be killed with a bet at stake; give what there was before it was made, in cents."""
    sitting = sit(POKER, house, 5)
    play_on(sitting, 20)
    play_round_out(sitting)
    cents = sitting.cents
    while not sitting.staked:
        play_on(sitting, 1)
    sitting.close()
    return sitting, cents


def settled(*more: str, typed: str = "") -> Ran:
    ran = run(["ledger", "settle", *more], typed)
    assert ran.code == 0, ran
    return ran


@pytest.mark.parametrize("harm", ["missing", "cut back", "changed"])
def test_settle_pays_the_last_known_amount_for_a_lost_or_damaged_log(
    harm: str, house: House
) -> None:
    sitting, cents = left_staked(house)
    path, known = sitting.log.path, only_open(house).checkpoint
    assert only_open(house).last_money == cents
    if harm == "missing":
        path.unlink()
    elif harm == "cut back":
        write(path, lines_of(path)[:4])
    else:
        path.write_bytes(path.read_bytes().replace(b'"by":0', b'"by":1', 1))
    for typed in ("", "n\n"):
        ran = run(["ledger", "settle"], typed)
        assert f"{sitting.id} of {ME}: {path}" in ran.out
        assert f"settling pays {cents // 100:,}.00, the money after step {known.steps}" in ran.out
        assert "nothing was settled" in ran.err
        assert ran.code == 2, "a script must notice"
        assert ledger_of(house).balance(ME) == 0
    ran = settled("--yes")
    assert f"the balance of {ME} is {cents // 100:,}.00" in ran.out
    assert f"its seed was {seed_of(5).hex()}" in ran.out
    assert ledger_of(house).balance(ME) == cents
    assert ledger_of(house).open_sittings(ME) == []
    assert "nothing to settle" in settled("--yes").out
    assert ledger_of(house).balance(ME) == cents


def test_settle_pays_the_buy_in_before_the_first_round_ends(house: House) -> None:
    sitting = sit(POKER, house, 5)
    while not sitting.staked:
        play_on(sitting, 1)
    sitting.close()
    sitting.log.path.unlink()
    assert "settling pays 1,000.00, the buy-in" in settled("--yes").out
    assert ledger_of(house).balance(ME) == OPENING_BALANCE


def test_settle_does_not_change_resumable_sessions(house: House) -> None:
    played(POKER, house)
    left_staked(replace(house, player="bob"))
    ledger = ledger_of(house)
    (entry,) = ledger.open_sittings("bob")
    with sit(POKER, house, 6):  # in play
        assert "nothing to settle" in settled("--yes").out
        assert ledger.open_sittings("bob") == [entry]
        assert len(ledger.open_sittings(ME)) == 1


def test_settle_without_a_ledger_names_the_rebuild_command() -> None:
    err = output("ledger", "settle", code=2).err
    assert "there is nothing to settle" in err
    assert "tui-casino ledger rebuild" in err
    assert not ledger_file().exists()


@pytest.mark.parametrize("afar", [False, True], ids=["at home", "on a server"])
def test_notice_of_a_damaged_log_states_the_amount_and_how_to_settle(
    afar: bool, house: House
) -> None:
    sitting, cents = left_staked(house)
    write(sitting.log.path, lines_of(sitting.log.path)[:4])
    found = review_open_sittings(replace(house, remote=afar), {POKER.slug: POKER.definition()})
    assert found.unresumable == (only_open(house),)
    (note,) = found.notes
    assert f"You had {cents // 100:,}.00 after its last known round" in note
    assert (str(house.logs) in note) is not afar, "no path of another machine"
    operator = "ask the operator to pay it out with tui-casino admin settle"
    assert note.endswith(operator if afar else "tui-casino ledger settle pays it out")
    assert ("line 4: it ends here" if afar else ":4: it ends here") in note


def test_log_of_a_settled_session_still_verifies(house: House) -> None:
    """A log that was longer than the ledger knew, but could not be resumed, ends at the mark."""
    sitting, _ = left_staked(house)
    entry = only_open(house)
    assert sitting.log.steps > entry.checkpoint.steps
    assert settle_sitting(house, ledger_of(house), entry)
    assert verdict_of(sitting.log.path, house).proof is not ProofLevel.DIFFERS
    write(sitting.log.path, lines_of(sitting.log.path)[:4])
    assert verdict_of(sitting.log.path, house).proof is ProofLevel.DIFFERS
