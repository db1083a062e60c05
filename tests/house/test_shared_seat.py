"""A seat at a shared table is a session like any other, with the table's cards and money."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest

from tests.helpers.random_play import Wild
from tests.helpers.shared_table import SEED, Client, Desk
from tui_casino.engine.chance import DiceStream
from tui_casino.engine.game import AskSeats, IllegalAction, Seat, SittingOver, is_asked
from tui_casino.gamekit.registry import listing_of
from tui_casino.games.baccarat import DEFINITION
from tui_casino.games.baccarat.machine import state as m
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.games.thirty_one.machine import shared_game
from tui_casino.games.thirty_one.machine import state as hit_me
from tui_casino.house import shared_seat
from tui_casino.house.house import House
from tui_casino.house.lobby import review_open_sittings
from tui_casino.house.shared_seat import SharedSeat, sit_down
from tui_casino.house.shared_tables import TableNews
from tui_casino.house.sitting import SittingEnding
from tui_casino.house.visit_state import VisitState
from tui_casino.records.ledger import OPENING_BALANCE, LedgerBusy, LedgerError
from tui_casino.records.log_catalog import make_entry
from tui_casino.records.replay import ProofLevel, describe_proof, replay_log, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger)
    ledger.close()


Sat = SharedSeat[Any, Any, Any, Any, Any]


def house_of(desk: Desk, folder: Path, player: str) -> House:
    return House(folder / player, desk.ledger, player, clock=desk.clock, buy_in=50_00)


def seated(desk: Desk, folder: Path, player: str) -> Sat:
    house = house_of(desk, folder, player)
    seat = sit_down(house, Client(desk, player), desk.line(), DEFINITION)
    seat.feed.start()
    return seat


def bet(seat: Sat, credits: int, spot: BetSpot) -> None:
    seat.sitting.table.submit(Seat(0), m.Bet(credits, spot))


def ready(seat: Sat) -> None:
    seat.sitting.table.submit(Seat(0), m.Play())


def finish(*seats: Sat) -> None:
    """Play what the table has dealt, until the seats are asked again."""
    for seat in seats:
        seat.sitting.table.run()


def test_two_sessions_have_the_cards_of_one_table_and_their_own_money(
    desk: Desk, tmp_path: Path
) -> None:
    ann, bob = seated(desk, tmp_path, "ann"), seated(desk, tmp_path, "bob")
    for _ in range(5):
        bet(ann, 10, BetSpot.PLAYER)
        ready(ann)
        bet(bob, 10, BetSpot.BANKER)
        ready(bob)
        finish(ann, bob)
    first, second = ann.sitting.table.state, bob.sitting.table.state
    assert first.coups == second.coups == desk.replica.state.shoe.coups
    assert len(first.coups) == 5
    credits = [one.credit for one in desk.replica.state.bettors[:2]]
    assert [first.credit, second.credit] == credits
    for seat, player in ((ann, "ann"), (bob, "bob")):
        assert seat.sitting.leave() is SittingEnding.CASHED_OUT
        seat.close()
        assert not desk.ledger.open_sittings(player)
        won = seat.sitting.cents - 50_00
        assert desk.ledger.balance(player) == OPENING_BALANCE + won
        (move,) = desk.ledger.movements(player)
        assert move.cents == won
        log = read_log(seat.sitting.log.path)
        *_, last = replay_log(DEFINITION.game, log)
        assert last.state.coups == first.coups
        assert (log.header.table, log.header.seat) == ("K7QX", 0)
        verified = verify_log(DEFINITION, log)
        assert (verified.proof, verified.shuffle_checked) == (ProofLevel.CONSISTENT, False)
        assert "as seen from the seat" in describe_proof(verified, log)
    assert desk.replica.state.bettors == (None, None, None)


def test_player_who_joins_later_has_the_coups_of_the_shoe_without_bets(
    desk: Desk, tmp_path: Path
) -> None:
    ann = seated(desk, tmp_path, "ann")
    for _ in range(3):
        bet(ann, 10, BetSpot.PLAYER)
        ready(ann)
        finish(ann)
    bob = seated(desk, tmp_path, "bob")
    assert bob.sitting.table.state.coups == ann.sitting.table.state.coups
    assert bob.sitting.table.state.credit == 50_00
    bet(bob, 5, BetSpot.TIE)
    ready(bob)
    assert not bob.feed.has_next, "Ann is not ready"
    ready(ann)
    finish(ann, bob)
    assert len(bob.sitting.table.state.coups) == 4
    for seat in (ann, bob):
        seat.close()
        seat.sitting.close()


def has_next(seat: Sat) -> bool:
    return seat.feed.has_next


def test_clock_of_the_table_plays_for_a_seat_that_waits(desk: Desk, tmp_path: Path) -> None:
    ann, bob = seated(desk, tmp_path, "ann"), seated(desk, tmp_path, "bob")
    bet(ann, 10, BetSpot.TIE)
    bet(bob, 20, BetSpot.TIE)
    ready(bob)
    desk.expire()
    for seat in (ann, bob):
        with seat.feed._arrived:
            assert seat.feed._arrived.wait_for(partial(has_next, seat), 5)
        seat.catch_up()
    assert len(ann.sitting.table.state.coups) == len(bob.sitting.table.state.coups) == 1
    assert ann.sitting.table.state.credit == desk.replica.state.bettors[0].credit
    for seat in (ann, bob):
        seat.close()
        seat.sitting.close()


@pytest.mark.parametrize("chooses", ["ann", "the clock", "another program"])
def test_choice_of_the_clock_is_not_the_players(tmp_path: Path, chooses: str) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "thirty-one", {"seats": 2})
    game = listing_of("thirty-one").definition()
    ann = sit_down(house_of(desk, tmp_path, "ann"), Client(desk, "ann"), desk.line(), game)
    ann.sitting.table.submit(Seat(0), hit_me.Bet(20))
    ann.catch_up()
    while ann.sitting.table.state.phase is not hit_me.Phase.BET:
        if chooses == "the clock":
            desk.expire()
        else:
            choice = shared_game.default(desk.replica.state, Seat(0))
            if chooses == "ann":
                ann.sitting.table.submit(Seat(0), choice)
            else:
                desk.replica.act(Seat(0), choice, "ann")
        ann.catch_up()
    log = read_log(ann.sitting.log.path)
    own = [type(step.action) for step in replay_log(game.game, log) if step.action is not None]
    assert own[0] is hit_me.Bet
    assert (hit_me.Stand in own) is (chooses != "the clock")
    stood = [line.by for line in log.steps() if line.do["is"] == "Stand"]
    assert stood == [None if chooses == "the clock" else 0]
    ann.close()
    ann.sitting.close()
    desk.ledger.close()


def test_player_who_is_slower_takes_the_next_free_seat(desk: Desk, tmp_path: Path) -> None:
    line = desk.line()
    ann = sit_down(house_of(desk, tmp_path, "ann"), Client(desk, "ann"), line, DEFINITION)
    bob = sit_down(house_of(desk, tmp_path, "bob"), Client(desk, "bob"), line, DEFINITION)
    assert [one.player for one in desk.replica.occupants.values()] == ["ann", "bob"]
    assert len([*(tmp_path / "bob").rglob("*.jsonl")]) == 1, "the log of the first attempt is gone"
    cat = sit_down(house_of(desk, tmp_path, "cat"), Client(desk, "cat"), line, DEFINITION)
    with pytest.raises(LedgerError, match="all seats of the table K7QX are taken"):
        sit_down(house_of(desk, tmp_path, "eve"), Client(desk, "eve"), line, DEFINITION)
    for seat in (ann, bob, cat):
        seat.close()
        seat.sitting.close()


def test_choice_that_the_table_refuses_has_not_happened(desk: Desk, tmp_path: Path) -> None:
    ann = seated(desk, tmp_path, "ann")
    desk.replica.act(Seat(0), m.Bet(50, BetSpot.TIE), "ann")  # from another program of hers
    steps = ann.sitting.log.steps
    with pytest.raises(IllegalAction, match="the table has continued"):
        bet(ann, 10, BetSpot.PLAYER)
    assert ann.sitting.table.state.bets == (0, 0, 0, 0, 0)
    assert ann.sitting.log.steps == steps
    ann.close()
    ann.sitting.close()


def test_player_whose_program_was_killed_comes_back_to_the_seat(desk: Desk, tmp_path: Path) -> None:
    """The table went on with the bets that were there; the log has what the table has."""
    ann, bob = seated(desk, tmp_path, "ann"), seated(desk, tmp_path, "bob")
    bet(ann, 10, BetSpot.TIE)
    bet(bob, 10, BetSpot.TIE)
    desk.replica.act(Seat(0), m.Bet(5, BetSpot.PLAYER), "ann")  # sent, but not written down
    ann.close()
    ann.sitting.close()  # as if the program had been killed
    path = ann.sitting.log.path
    ready(bob)
    desk.expire()
    finish(bob)
    again = seated(desk, tmp_path, "ann")
    assert again.sitting.log.path == path
    state = again.sitting.table.state
    assert state.coups == bob.sitting.table.state.coups
    assert len(state.coups) == 1
    assert state.last == (5, 0, 10, 0, 0)
    assert state.credit == desk.replica.state.bettors[0].credit
    bet(again, 20, BetSpot.BANKER)
    ready(again)
    ready(bob)
    finish(again, bob)
    assert again.sitting.leave() is SittingEnding.CASHED_OUT
    *_, last = replay_log(DEFINITION.game, read_log(path))
    assert last.state.coups == again.sitting.table.state.coups
    assert desk.ledger.balance("ann") == OPENING_BALANCE - 50_00 + again.sitting.cents
    for seat in (again, bob):
        seat.close()
        seat.sitting.close()


def test_log_of_a_seat_says_which_entropy_it_has_brought(desk: Desk, tmp_path: Path) -> None:
    desk.mixes_entropy = True
    ann, bob = seated(desk, tmp_path, "ann"), seated(desk, tmp_path, "bob")
    rows = [json.loads(row.line) for row in desk.tables.rows("K7QX")[1:]]
    brought = [row["do"]["entropy"] for row in rows if row["do"]["is"] == "Join"]
    assert len({*brought}) == 2
    for seat, entropy in zip((ann, bob), brought, strict=True):
        assert read_log(seat.sitting.log.path).header.source.word == entropy
        seat.close()
        seat.sitting.close()  # the program has ended
    again = seated(desk, tmp_path, "ann")
    assert again.is_continued
    assert again.sitting.table.source.spec.word == brought[0]
    bet(again, 5, BetSpot.TIE)
    ready(again)
    desk.expire()
    finish(again)
    assert again.sitting.leave() is SittingEnding.CASHED_OUT
    again.close()
    log = read_log(again.sitting.log.path)
    assert verify_log(DEFINITION, log).proof is ProofLevel.CONSISTENT


def test_menu_leaves_a_held_seat_alone_and_says_how_to_come_back(
    desk: Desk, tmp_path: Path
) -> None:
    """Its log has no bet at stake, but its money is at the table."""
    ann = seated(desk, tmp_path, "ann")
    ann.close()
    ann.sitting.close()  # as if the connection had been cut
    report = review_open_sittings(house_of(desk, tmp_path, "ann"), {"baccarat": DEFINITION})
    assert report.notes == (
        "your seat at the table K7QX waits for you: ssh -t HOST table K7QX takes you back",
    )
    assert not report.waiting
    assert not report.unresumable
    again = seated(desk, tmp_path, "ann")
    assert again.is_continued
    assert again.sitting.leave() is SittingEnding.UNPLAYED
    assert desk.ledger.balance("ann") == OPENING_BALANCE
    again.close()
    again.sitting.close()


def test_table_ends_with_its_shoe_and_reveals_its_seed(desk: Desk, tmp_path: Path) -> None:
    ann = seated(desk, tmp_path, "ann")
    bet(ann, 10, BetSpot.PLAYER)
    while not desk.replica.why_over:
        ready(ann)
        finish(ann)
    assert desk.replica.state.bettors == (None, None, None), "everybody was paid out"
    with desk.changed:
        desk.replica.finish()
        desk.changed.notify_all()
    with ann.feed._arrived:
        assert ann.feed._arrived.wait_for(ann.end, 5)
    bet_last = len(ann.sitting.table.state.coups)
    assert bet_last == len(desk.replica.state.shoe.coups) > 60
    ann.sitting.leave()
    ann.close()
    log = read_log(ann.sitting.log.path)
    verified = verify_log(DEFINITION, log)
    assert (verified.proof, verified.shuffle_checked) == (ProofLevel.CONSISTENT, False)
    assert log.end is not None
    assert log.end.seed == SEED.hex()
    assert not desk.tables.open_tables()
    *_, last = desk.tables.rows("K7QX")
    assert json.loads(last.line)["end"]["seed"] == SEED.hex()
    assert desk.ledger.balance("ann") == OPENING_BALANCE - 50_00 + ann.sitting.cents


def test_cribbage_for_two_is_played_to_its_end_with_hidden_cards(tmp_path: Path) -> None:
    """Both sessions have the same points, and each log only what its seat saw."""
    ledger = SqliteLedger(tmp_path / "ledger")
    desk = Desk(ledger, "cribbage", {})
    definition = listing_of("cribbage").definition()
    seats = {}
    for place, player in enumerate(("ann", "bob")):
        house = house_of(desk, tmp_path, player)
        seats[place] = sit_down(house, Client(desk, player), desk.line(), definition)
    for number in range(2_000):
        for seat in seats.values():
            seat.catch_up()
        tables = {place: seat.sitting.table for place, seat in seats.items()}
        turn = definition.game.turn(tables[0].state)
        if isinstance(turn, SittingOver):
            break
        assert isinstance(turn, AskSeats)
        own = turn.seats[0]
        offers = definition.game.offers(tables[own].state, own)
        action = Wild().choose(None, own, offers, DiceStream(SEED, f"choice {number}"))
        tables[own].submit(own, action)
    states = [seat.sitting.table.state for seat in seats.values()]
    assert max(states[0].points) == 121
    assert states[0].points == states[1].points
    for place, seat in seats.items():
        assert seat.sitting.leave() is SittingEnding.CASHED_OUT
        seat.close()
        log = read_log(seat.sitting.log.path)
        assert log.header.seat == place
        assert log.header.players == (("human", "other"), ("other", "human"))[place]
        *_, last = replay_log(definition.game, log)
        assert last.state == states[place]
        assert verify_log(definition, log).proof is ProofLevel.CONSISTENT
    ledger.close()


def test_hit_me_is_played_at_the_same_time_and_each_log_has_its_own_hands(tmp_path: Path) -> None:
    """Ann plays, Bob sits the first round out; their sessions have the money of the table."""
    ledger = SqliteLedger(tmp_path / "ledger")
    desk = Desk(ledger, "thirty-one", {"seats": 2})
    definition = listing_of("thirty-one").definition()
    seats = {}
    for place, player in enumerate(("ann", "bob")):
        house = house_of(desk, tmp_path, player)
        seats[place] = sit_down(house, Client(desk, player), desk.line(), definition)
    seats[0].sitting.table.submit(Seat(0), hit_me.Bet(20))
    desk.expire()
    seats[1].catch_up()
    assert not seats[1].sitting.table.waiting, "Bob sits out"
    for number in range(200):
        for seat in seats.values():
            seat.catch_up()
        asked = [seat for seat in seats.values() if seat.sitting.table.waiting]
        if not asked or seats[1].sitting.dialogue.tally.rounds:
            break
        table = asked[number % len(asked)].sitting.table
        if isinstance(definition.game.turn(table.state), SittingOver):
            break
        offers = definition.game.offers(table.state, Seat(0))
        action = Wild().choose(None, Seat(0), offers, DiceStream(SEED, f"choice {number}"))
        table.submit(Seat(0), action)
    rounds = [seat.sitting.dialogue.tally.rounds for seat in seats.values()]
    assert rounds[0] == rounds[1] + 1 == 2
    for seat, player in zip(seats.values(), ("ann", "bob"), strict=True):
        assert seat.sitting.leave() is SittingEnding.CASHED_OUT
        seat.close()
        log = read_log(seat.sitting.log.path)
        *_, last = replay_log(definition.game, log)
        assert last.state == seat.sitting.table.state
        assert verify_log(definition, log).proof is ProofLevel.CONSISTENT
        tally = seat.sitting.dialogue.tally
        won = tally.won - tally.wagered
        assert ledger.balance(player) == OPENING_BALANCE + won
    ledger.close()


def test_draw_for_two_people_and_a_computer_books_what_each_wins(tmp_path: Path) -> None:
    """Both sessions have the same hands, each log only what its seat saw, and every credit."""
    ledger = SqliteLedger(tmp_path / "ledger")
    desk = Desk(ledger, "five-card-draw", {"seats": 3, "computers": "algorithm"})
    definition = listing_of("five-card-draw").definition()
    seats = {}
    for place, player in ((2, "bob"), (0, "ann")):
        house, line = house_of(desk, tmp_path, player), desk.line()
        offered = tuple(
            replace(one, state="free" if seat == place else one.state)
            for seat, one in enumerate(line.seats)
        )
        line = replace(line, seats=offered)
        seats[place] = sit_down(house, Client(desk, player), line, definition)
    for number in range(400):
        desk.play_computers()
        for seat in seats.values():
            seat.catch_up()
        if desk.replica.state.play.played == 6:
            break
        tables = {place: seat.sitting.table for place, seat in seats.items()}
        asked = [
            place
            for place, table in tables.items()
            if is_asked(definition.game.turn(table.state), Seat(place))
        ]
        if not asked:
            break  # somebody has lost everything
        offers = definition.game.offers(tables[asked[0]].state, Seat(asked[0]))
        action = Wild().choose(None, Seat(asked[0]), offers, DiceStream(SEED, f"choice {number}"))
        tables[asked[0]].submit(Seat(asked[0]), action)
    for place, seat in seats.items():
        while desk.replica.state.play.phase.value != "rest":
            desk.expire() if desk.replica.due else desk.play_computers()
        seat.sitting.leave()
        seat.close()
        log = read_log(seat.sitting.log.path)
        assert log.header.seat == place
        assert log.header.players == tuple(
            "human" if other == place else "other" for other in range(3)
        )
        assert verify_log(definition, log).proof is ProofLevel.CONSISTENT
        player = {0: "ann", 2: "bob"}[place]
        assert not ledger.open_sittings(player)
        won = seat.sitting.cents - 50_00
        assert ledger.balance(player) == OPENING_BALANCE + won
        listed = make_entry(seat.sitting.log.path, {"five-card-draw": definition}, {})
        assert listed.result == won
    assert seats[0].sitting.dialogue.tally.rounds >= 2
    ledger.close()


def test_player_who_is_ready_without_a_bet_leaves_only_after_the_coup(
    desk: Desk, tmp_path: Path
) -> None:
    """The log ends only once the table lets the player go; until then the session is whole."""
    ann, bob = seated(desk, tmp_path, "ann"), seated(desk, tmp_path, "bob")
    ready(ann)
    assert ann.sitting.leave() is SittingEnding.BROKEN_OFF
    ann.close()
    assert not read_log(ann.sitting.log.path).over
    bet(bob, 10, BetSpot.PLAYER)
    ready(bob)
    again = seated(desk, tmp_path, "ann")
    assert again.is_continued
    again.catch_up()
    assert again.sitting.leave() is SittingEnding.UNPLAYED
    bob.catch_up()
    assert bob.sitting.leave() is SittingEnding.CASHED_OUT
    log = read_log(bob.sitting.log.path)
    checkpoint = desk.ledger.checkpoint_of(log.path, (log.head, log.hash))
    assert verify_log(DEFINITION, log, checkpoint).proof is ProofLevel.AUTHENTIC
    for seat in (again, bob):
        seat.close()
    assert desk.ledger.balance("ann") == OPENING_BALANCE


def test_phrases_stay_muted_at_the_next_visit(tmp_path: Path) -> None:
    path = tmp_path / "visits.json"
    assert not VisitState(path).is_muted
    VisitState(path).mute(on=True)
    assert VisitState(path).is_muted
    VisitState(path).mute(on=False)
    assert not VisitState(path).is_muted


def test_only_the_thread_that_reads_on_hears_phrases(desk: Desk, tmp_path: Path) -> None:
    """A phrase that arrives with an answer to an own action is not lost."""
    house = house_of(desk, tmp_path, "ann")
    ann = sit_down(house, Client(desk, "ann"), desk.line(), DEFINITION)
    bob = seated(desk, tmp_path, "bob")
    heard, arrived = list[int](), Event()

    def hear(news: TableNews | None) -> None:
        if news is not None and news.phrases:
            heard.extend(one.phrase for one in news.phrases)
            arrived.set()

    bob.feed.say(3)
    bet(ann, 10, BetSpot.PLAYER)  # reads the table on this thread
    ann.feed.told = hear
    ann.feed.start()
    assert arrived.wait(5)
    arrived.clear()
    bob.feed.say(4)
    assert arrived.wait(5)
    assert heard == [3, 4]
    for seat in (ann, bob):
        seat.close()


def test_seat_says_that_the_table_cannot_be_read_and_reads_on(desk: Desk, tmp_path: Path) -> None:
    house = house_of(desk, tmp_path, "ann")
    seat = sit_down(house, Client(desk, "ann"), desk.line(), DEFINITION)
    feed, read = seat.feed, seat.feed._client.read
    reasons, changed = list[str](), Event()
    answers = iter([LedgerBusy("the ledger cannot be reached")] * 2)

    def away(*request: Any) -> TableNews:
        if (error := next(answers, None)) is not None:
            raise error
        return read(*request)

    def pause(reason: str) -> None:
        reasons.append(reason)
        if not reason:
            changed.set()

    feed.paused = pause
    with patch.object(feed._client, "read", away), patch.object(shared_seat, "BUSY", 0.01):
        feed.start()
        assert changed.wait(5)
    assert reasons == ["the ledger cannot be reached", ""]
    assert feed.trouble == ""
    seat.close()
    seat.sitting.close()
