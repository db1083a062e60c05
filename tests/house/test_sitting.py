"""Sittings with real money: cut anywhere, the purse and the table add up to the cent."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.ledger_sessions import act_and_run, ledger_of
from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.random_play import hash_of
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import CommittedSource, DiceStream, SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Deal, Seat
from tui_casino.games import baccarat, cribbage
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.games.baccarat.machine.state import Bet as CoupBet
from tui_casino.games.baccarat.machine.state import Play
from tui_casino.games.cribbage.machine.state import Options as CribbageOptions
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options
from tui_casino.house.house import LoanNeeded
from tui_casino.house.resumption import resume_from_ledger
from tui_casino.house.sitting import House, Sitting, SittingEnding, begin_sitting, branch_sitting
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import LOAN_CENTS, OPENING_BALANCE, LedgerError, OpenSitting
from tui_casino.records.log_header import LOG_FORMAT, BranchOrigin
from tui_casino.records.replay import ProofLevel, replay_log, verify_log
from tui_casino.records.session_log import LogInUse, LogWriter, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

ME = Seat(0)
AnySitting = Sitting[Any, Any, Any, Any, Any]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "logs", SqliteLedger(tmp_path / "ledger.db"), "ann")


def sit(
    house: House, source: Any = None, options: Any = None, *, borrow: bool = False
) -> AnySitting:
    source, options = source or CommittedSource(b"s" * 32), options or Options()
    players = {ME: None}
    return begin_sitting(house, DEFINITION, options, ShuffledShoe(), source, players, borrow=borrow)


def crash(sitting: AnySitting) -> None:
    """The state after a killed program: the log as it is, no lock, no checkpoint in progress."""
    if sitting.binding is not None:
        sitting.binding.wait()
    sitting.log.close()


def only_open(house: House) -> OpenSitting:
    (entry,) = ledger_of(house).open_sittings("ann")
    return entry


def test_whole_balance_is_bought_in_and_cashed_out(house: House) -> None:
    sitting = sit(house)
    assert sitting.table.state.credit == 1000
    assert ledger_of(house).balance("ann") == 0
    act_and_run(sitting, Bet(5), Draw(), Hold((1, 2)))
    assert sitting.leave() is SittingEnding.CASHED_OUT
    credit = sitting.table.state.credit
    assert ledger_of(house).balance("ann") == 100 * credit
    log = read_log(sitting.log.path)
    assert log.end is not None
    assert log.end.money == (credit,)
    assert log.end.seed == (b"s" * 32).hex()
    recorded = ledger_of(house).checkpoint_of(sitting.log.path)
    assert verify_log(DEFINITION, log, recorded).proof is ProofLevel.AUTHENTIC


def test_cents_stay_in_the_balance_at_a_buy_in_of_whole_credits(house: House) -> None:
    ledger = ledger_of(house)
    ledger.buy_in(OpenSitting("x", "video-poker", Path("x"), None, OPENING_BALANCE), "ann", 1)
    ledger.cash_out("x", 12_345, None, 2)
    sitting = sit(house)
    assert sitting.table.state.credit == 123
    assert ledger.balance("ann") == 45
    sitting.leave()
    assert ledger.balance("ann") == 12_345


def test_buy_in_setting_limits_the_amount_taken_to_a_table(house: House) -> None:
    limited = House(house.logs, house.ledger, "ann", buy_in=20_000)
    sitting = sit(limited)
    assert sitting.table.state.credit == 200
    assert ledger_of(house).balance("ann") == 80_000


def test_house_lends_money_to_a_player_who_cannot_bet(house: House) -> None:
    ledger = ledger_of(house)
    ledger.buy_in(OpenSitting("x", "video-poker", Path("x"), None, OPENING_BALANCE), "ann", 1)
    ledger.cash_out("x", 99, None, 2)
    with pytest.raises(LoanNeeded, match="did not ask for a loan"):
        sit(house)
    source = CommittedSource(b"s" * 32)
    with pytest.raises(LoanNeeded):
        begin_sitting(house, DEFINITION, Options(), ShuffledShoe(), source, {ME: None})
    assert (ledger.balance("ann"), ledger.debt("ann")) == (99, 0), "a loan is never unasked"
    assert not [*house.logs.glob("*")]
    sitting = sit(house, borrow=True)
    assert sitting.lent == LOAN_CENTS
    assert ledger.debt("ann") == LOAN_CENTS
    assert sitting.table.state.credit == 1000
    assert ledger.balance("ann") == 99


def test_session_with_a_bet_at_stake_stays_open_and_resumes_at_its_step(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw())
    state = sitting.table.state
    assert sitting.leave() is SittingEnding.BROKEN_OFF
    assert ledger_of(house).balance("ann") == 0
    again = resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house))
    assert isinstance(again, Sitting)
    assert again.table.state == state
    act_and_run(again, Hold(()))
    assert again.leave() is SittingEnding.CASHED_OUT
    assert verify_log(DEFINITION, read_log(again.log.path)).proof is ProofLevel.CONSISTENT
    assert ledger_of(house).balance("ann") == 100 * again.table.state.credit


def test_killed_session_without_a_bet_is_cashed_out(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw(), Hold(()))
    credit = sitting.table.state.credit
    crash(sitting)
    assert resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house)) is None
    assert ledger_of(house).balance("ann") == 100 * credit
    assert read_log(sitting.log.path).end is not None


def test_session_killed_before_its_cash_out_is_paid_in_full(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw(), Hold(()))
    money = sitting.table.state.credit
    assert sitting.binding is not None
    sitting.binding.wait()
    ledgerless = replace(sitting, house=House(house.logs, None, "ann"))
    ledgerless.leave()  # the last line, and no ledger
    assert resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house)) is None
    assert ledger_of(house).balance("ann") == 100 * money
    assert ledger_of(house).open_sittings("ann") == []


def test_money_of_a_crashed_session_is_paid_only_once_its_log_is_back(house: House) -> None:
    """A disk that is not mounted shall not give back what was lost at the table."""
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw(), Hold(()))
    money = sitting.table.state.credit
    crash(sitting)
    away = sitting.log.path.rename(sitting.log.path.with_suffix(".away"))
    with pytest.raises(BadFile, match="not found; your money is safe in the ledger"):
        resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house))
    assert ledger_of(house).balance("ann") == 0
    away.rename(sitting.log.path)
    assert resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house)) is None
    assert ledger_of(house).balance("ann") == 100 * money


def test_session_settled_by_another_program_is_not_paid_twice(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw(), Hold((1, 2)))
    money = sitting.cents
    entry = only_open(house)
    crash(sitting)
    assert resume_from_ledger(house, ledger_of(house), DEFINITION, entry) is None
    assert resume_from_ledger(house, ledger_of(house), DEFINITION, entry) is None
    assert ledger_of(house).balance("ann") == money
    ledger_of(house).buy_in(OpenSitting("y", "video-poker", Path("y"), None, 5), "ann", 1)
    other = replace(sitting, id="y", log=begun_again(sitting))
    ledger_of(house).cash_out("y", 5, None, 2)
    with pytest.raises(LedgerError, match="already been settled"):
        other.leave()


def test_unplayed_session_returns_its_buy_in_and_leaves_no_log(house: House) -> None:
    """The ledger pays back what was brought; neither log, nor result, nor standing is left."""
    ledger = ledger_of(house)
    sitting = sit(house)
    assert sitting.leave() is SittingEnding.UNPLAYED
    assert not [*house.logs.iterdir()]
    assert (ledger.balance("ann"), ledger.movements("ann"), ledger.open_sittings("ann")) == (
        OPENING_BALANCE,
        [],
        [],
    )
    (booked,) = ledger.books().sittings
    assert booked.bought_in == booked.cashed_out == OPENING_BALANCE
    assert isinstance(ledger, SqliteLedger)
    assert ledger.standings() == []


def test_session_interrupted_before_a_bet_leaves_no_trace(house: House) -> None:
    crash(sit(house))
    entry = only_open(house)
    assert resume_from_ledger(house, ledger_of(house), DEFINITION, entry) is None
    assert resume_from_ledger(house, ledger_of(house), DEFINITION, entry) is None, (
        "from an older look"
    )
    assert (ledger_of(house).balance("ann"), [*house.logs.iterdir()]) == (OPENING_BALANCE, [])


def test_deleted_log_is_written_again_when_the_player_leaves(house: House) -> None:
    sitting = sit(house)
    sitting.log.path.unlink()
    assert sitting.leave() is SittingEnding.CASHED_OUT
    assert read_log(sitting.log.path).end is not None


def test_unplayed_game_for_points_leaves_no_log(tmp_path: Path) -> None:
    definition = cribbage.DEFINITION
    players = {ME: None, Seat(1): "greedy"}
    options = CribbageOptions()
    for acts in (False, True):
        sitting = begin_sitting(
            House(tmp_path, None, "ann"),
            definition,
            options,
            ShuffledShoe(),
            SeededSource(1),
            players,
        )
        sitting.table.run()
        if acts:
            offer = definition.game.offers(sitting.table.view(ME), ME)[0]
            sitting.table.submit(ME, offer.kind((1, 2)))
        assert sitting.leave(keep=True) is (
            SittingEnding.BROKEN_OFF if acts else SittingEnding.UNPLAYED
        )
        assert len([*tmp_path.iterdir()]) == acts


def begun_again(sitting: AnySitting) -> Any:
    return LogWriter.resume(sitting.log.path, lambda: 1)[0]


def test_session_without_a_bet_leaves_no_log(house: House) -> None:
    """Not even if the player has asked for cards, as baccarat allows."""
    options, source = baccarat.DEFINITION.game.Options(), CommittedSource(b"s" * 32)
    for bets in (False, True):
        where = baccarat.DEFINITION, options, ShuffledShoe(), source, {ME: None}
        sitting = begin_sitting(house, *where)
        act_and_run(sitting, *[CoupBet(20, BetSpot.BANKER)] * bets, Play())
        ending = sitting.leave()
        assert ending is (SittingEnding.CASHED_OUT if bets else SittingEnding.UNPLAYED)
        assert sitting.log.path.exists() is bets
        (row,) = (one for one in ledger_of(house).books().sittings if one.id == sitting.id)
        assert row.checkpoint.head, "the ledger keeps the commitment to the log"
        assert row.checkpoint.last


def test_winnings_repay_a_debt_and_losses_do_not(house: House) -> None:
    ledger, home = ledger_of(house), replace(house, repays_debt=True, buy_in=50_000)
    ledger.lend("ann", 500, 1)
    for credit, repaid in ((494, 0), (501, 100), (520, 400), (550, 0)):
        sitting = sit(home)
        act_and_run(sitting, Bet(1), Draw(), Hold(()))
        sitting.table.state = replace(sitting.table.state, credit=credit)
        sitting.leave()
        assert sitting.repaid == repaid
    assert ledger.debt("ann") == 0
    assert ledger.balance("ann") == OPENING_BALANCE + 100 * (-6 + 1 + 20 + 50)


def test_loan_is_refused_while_the_money_is_at_another_table(house: House) -> None:
    sit(house)
    with pytest.raises(LedgerError, match="at another table"):
        sit(house)
    assert ledger_of(house).debt("ann") == 0


def test_loan_is_not_booked_if_the_log_cannot_be_created(house: House, tmp_path: Path) -> None:
    ledger = ledger_of(house)
    ledger.buy_in(OpenSitting("x", "video-poker", Path("x"), None, OPENING_BALANCE), "ann", 1)
    ledger.cash_out("x", 99, None, 2)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        sit(House(tmp_path / "file", house.ledger, "ann"), borrow=True)
    assert ledger.debt("ann") == 0
    assert ledger.balance("ann") == 99


def test_refusal_of_a_guessed_card_in_a_log_does_not_name_the_true_card(house: House) -> None:
    """Somebody guesses the next card and chains it on; the refusal must not correct him."""
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw())
    sitting.table.submit(ME, Hold((1, 2, 3, 4)))
    card = sitting.table.ask()[1]
    assert isinstance(card, Deal)
    guess = next(c for c in PACK if c != card.card)
    sitting.log.step(None, Deal(guess), ())
    crash(sitting)
    with pytest.raises(BadFile) as refused:
        resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house))
    assert str(card.card) not in str(refused.value).split(": ", 1)[1]


def test_session_with_a_damaged_log_can_be_resumed_after_its_repair(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw())
    crash(sitting)
    raw = sitting.log.path.read_bytes()
    lines = raw.splitlines(keepends=True)
    sitting.log.path.write_bytes(b"".join([*lines[:3], b"nonsense\n", *lines[4:]]))
    with pytest.raises(BadFile, match=":4: "):
        resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house))
    sitting.log.path.write_bytes(raw)  # mended, it goes on
    assert isinstance(
        resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house)), Sitting
    )


def test_session_in_play_cannot_be_resumed_by_another_program(house: House) -> None:
    sit(house)
    with pytest.raises(LogInUse):
        resume_from_ledger(house, ledger_of(house), DEFINITION, only_open(house))


def test_buy_in_is_not_booked_if_the_log_cannot_be_created(house: House, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        sit(House(tmp_path / "file", house.ledger, "ann"))
    assert ledger_of(house).balance("ann") == OPENING_BALANCE
    assert ledger_of(house).open_sittings("ann") == []


def test_free_play_does_not_change_the_balance_and_ends_even_with_a_bet(house: House) -> None:
    practice = House(house.logs, None, "ann")
    sitting = sit(practice, SeededSource(3), Options(credit=50))
    act_and_run(sitting, Bet(5), Draw())
    assert sitting.leave() is SittingEnding.CASHED_OUT
    assert ledger_of(house).balance("ann") == OPENING_BALANCE
    assert verify_log(DEFINITION, read_log(sitting.log.path)).shuffle_checked


def test_log_does_not_contain_the_seed_before_its_end(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw())
    assert (b"s" * 32).hex().encode() not in sitting.log.path.read_bytes()
    assert b"s" * 32 not in sitting.log.path.read_bytes()


@pytest.mark.parametrize("seed", range(6), ids=labelled("seed {}"))
def test_money_adds_up_after_a_log_is_cut_at_any_byte(seed: int, tmp_path: Path) -> None:
    """Play at random, cut the log anywhere, take it up: purse and table hold what they should."""
    ledger = SqliteLedger(tmp_path / "ledger.db")
    house = House(tmp_path / "logs", ledger, "ann")
    sitting = sit(house, CommittedSource(bytes([seed]) * 32))
    dice = DiceStream(bytes([seed]), "play")
    money = {0: 1000}
    states = {0: hash_of(sitting.table.state)}
    for _ in range(90):
        if not sitting.table.advance():
            offers = DEFINITION.game.offers(sitting.table.state, ME)
            sitting.table.submit(ME, offers[dice.below(len(offers))].sample(dice))
        state = sitting.table.state
        money[sitting.log.steps] = state.credit + state.coins
        states[sitting.log.steps] = hash_of(state)
    crash(sitting)
    raw = sitting.log.path.read_bytes()
    sure = only_open(house).checkpoint.steps if seed % 2 else 0  # what a cut may not touch
    first = len(b"\n".join(raw.split(b"\n")[: sure + 1])) + 1
    sitting.log.path.write_bytes(raw[: first + dice.below(len(raw) - first + 1)])
    steps, entry = len(read_log(sitting.log.path).lines), only_open(house)
    if steps < entry.checkpoint.steps:  # a whole round is missing
        with pytest.raises(BadFile, match="nothing is paid"):
            resume_from_ledger(house, ledger, DEFINITION, entry)
        assert only_open(house) == entry
        return
    found = resume_from_ledger(house, ledger, DEFINITION, entry)
    if isinstance(found, Sitting):
        assert hash_of(found.table.state) == states[steps]
        assert ledger.balance("ann") + found.cents == 100 * money[steps]
    else:
        assert ledger.balance("ann") == 100 * money[steps]


# ---- playing on from a step of a recorded sitting -----------------------------------------------


def played_and_left(house: House, source: Any = None) -> Path:
    """A sitting of two rounds that has ended; give its log."""
    sitting = sit(house, source)
    act_and_run(sitting, Bet(5), Draw(), Hold((1, 2)), Bet(3), Draw(), Hold(()))
    assert sitting.leave() is SittingEnding.CASHED_OUT
    return sitting.log.path


@pytest.mark.parametrize("source", [CommittedSource(b"s" * 32), SeededSource(7)], ids=value_id)
def test_branch_names_its_parent_moves_no_money_and_verifies(house: House, source: Any) -> None:
    path = played_and_left(house, source)
    before, purse = path.read_bytes(), ledger_of(house).balance("ann")
    old = read_log(path)
    step = next(line.n for line in old.steps() if line.by == ME and line.do["is"] == "Hold") - 1
    branched = branch_sitting(house, DEFINITION, path, step)
    assert branched.table.state.hand == replayed(path, step).hand
    act_and_run(branched, Hold(()))
    assert branched.leave() is SittingEnding.CASHED_OUT
    new = read_log(branched.log.path)
    assert new.header.parent == BranchOrigin(path.name, step)
    assert [*new.steps()][step - 1].ev == [*old.steps()][step - 1].ev
    assert new.header.source == old.header.source
    assert verify_log(DEFINITION, new).proof is ProofLevel.CONSISTENT
    assert verify_log(DEFINITION, new).shuffle_checked
    assert path.read_bytes() == before
    assert ledger_of(house).balance("ann") == purse
    assert not ledger_of(house).open_sittings("ann")
    assert ledger_of(house).checkpoint_of(branched.log.path, (new.head, new.hash)) is None


def test_branch_with_a_different_hold_draws_from_the_same_shoe(house: House) -> None:
    """Where the parent drew three cards and the branch draws five, the first three are the same."""
    path = played_and_left(house)
    hold = next(line for line in read_log(path).steps() if line.do["is"] == "Hold")
    sitting = branch_sitting(house, DEFINITION, path, hold.n - 1)
    act_and_run(sitting, Hold(()))
    sitting.leave()
    drawn = [
        [
            line.do["card"]
            for line in list(read_log(log).steps())[hold.n :]
            if line.do["is"] == "Deal"
        ]
        for log in (path, sitting.log.path)
    ]
    assert drawn[0][:3] == drawn[1][:3]


def test_branch_is_refused_before_the_seed_is_revealed(house: House) -> None:
    sitting = sit(house)
    act_and_run(sitting, Bet(5), Draw())
    with pytest.raises(BadInput, match="still secret"):
        branch_sitting(house, DEFINITION, sitting.log.path, 2)
    assert [*house.logs.iterdir()] == [sitting.log.path]
    crash(sitting)


def test_branch_from_a_changed_log_is_refused(house: House) -> None:
    """Cards that the seed does not deal are refused, and nothing is left behind."""
    path = played_and_left(house)
    first = next(line for line in read_log(path).steps() if line.do["is"] == "Deal")
    raw = path.read_text().split("\n")
    card = first.do["card"]
    raw[first.n] = raw[first.n].replace(card, "2C" if card != "2C" else "2D")
    path.write_text("\n".join(raw))
    with pytest.raises(BadFile, match=f":{first.n + 1}:"):
        branch_sitting(house, DEFINITION, path, 12)
    assert [*house.logs.iterdir()] == [path]


def replayed(path: Path, step: int) -> Any:
    *_, last = islice(replay_log(DEFINITION.game, read_log(path)), step)
    return last.state


def test_interrupted_free_play_resumes_at_any_step(house: House) -> None:
    """Its seed stands in the first line: nothing is at stake that it could be kept from."""
    practice = replace(house, ledger=None)
    source = CommittedSource(b"s" * 32)
    sitting = begin_sitting(
        practice, DEFINITION, Options(), ShuffledShoe(), source, {Seat(0): None}
    )
    act_and_run(sitting, Bet(5), Draw())
    crash(sitting)
    path = sitting.log.path
    found = read_log(path)
    assert (found.header.format, found.header.seed) == (LOG_FORMAT, (b"s" * 32).hex())
    assert found.end is None
    assert verify_log(DEFINITION, found).shuffle_checked
    again = branch_sitting(house, DEFINITION, path, len(found.lines))
    assert again.table.state == sitting.table.state
    assert again.may_undo
    again.leave()


def test_session_for_money_reveals_its_seed_only_at_its_end(house: House) -> None:
    sitting = begin_sitting(
        house, DEFINITION, Options(), ShuffledShoe(), CommittedSource(b"s" * 32), {Seat(0): None}
    )
    act_and_run(sitting, Bet(5), Draw())
    path, seed = sitting.log.path, (b"s" * 32).hex()
    assert seed not in path.read_text()
    crash(sitting)
