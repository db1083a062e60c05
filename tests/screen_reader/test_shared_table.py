"""A baccarat table with others by ear: who is there, what they bet, whose time was over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeAlias

import pytest

from tests.helpers.shared_table import Client, Desk
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import listing_of
from tui_casino.games.baccarat import DEFINITION
from tui_casino.games.baccarat.machine import state as m
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.games.five_card_draw.machine.state import Check, Play
from tui_casino.house.house import House
from tui_casino.house.settings import Settings
from tui_casino.house.shared_seat import NOT_HELPED, SharedSeat, sit_down
from tui_casino.house.shared_tables import FROZEN, STOPPED
from tui_casino.house.visit_state import VisitState
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.shared_table import NOT_USED, clock_texts, people_lines
from tui_casino.screen_reader.visit import begin_visit

QUESTION = "Bet, or deal without a bet?"
Bob: TypeAlias = SharedSeat[Any, Any, Any, Any, Any]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger)
    ledger.close()


@pytest.fixture
def bob(desk: Desk, tmp_path: Path) -> Iterator[Bob]:
    house = house_of(desk, tmp_path, "bob")
    seat = sit_down(house, Client(desk, "bob"), desk.line(), DEFINITION)
    yield seat
    seat.close()
    seat.sitting.close()


def house_of(desk: Desk, folder: Path, player: str) -> House:
    return House(
        folder / player,
        desk.ledger,
        player,
        clock=desk.clock,
        name=player.title(),
        buy_in=50_00,
        shared_tables=Client(desk, player),
    )


class Visit:
    """Ann's visit by ear at the table; a step is a typed line, or something that happens."""

    def __init__(
        self,
        desk: Desk,
        folder: Path,
        *steps: str | Callable[[Visit], object],
        memory: VisitState | None = None,
        table: str | None = "K7QX",
    ) -> None:
        self.said: list[str] = []
        self.steps = steps
        house = house_of(desk, folder, "ann")
        begin_visit(
            house,
            self.lines(),
            self.said.append,
            Settings(),
            None,
            "--screen-reader",
            memory=memory or VisitState(None),
            wait_notice=nullcontext,
            table=table,
        ).run()

    def lines(self) -> Iterator[str]:
        for step in self.steps:
            if isinstance(step, str):
                self.said.append(f"> {step}")
                yield step
            else:
                step(self)

    def after(self, typed: str) -> list[str]:
        rest = self.said[self.said.index(f"> {typed}") + 1 :]
        return rest[: next((n for n, line in enumerate(rest) if line[:2] == "> "), len(rest))]

    def wait_for(self, line: str, times: int = 1) -> None:
        """Wait until a line that begins so was said this often."""
        until = monotonic() + 5
        while sum(said.startswith(line) for said in self.said) < times:
            assert monotonic() < until, "\n".join((line, *self.said[-8:]))
            sleep(0.01)


def bets(bob: Bob, credits: int = 10) -> None:
    bob.sitting.table.submit(Seat(0), m.Bet(credits, BetSpot.BANKER))


def is_ready(bob: Bob) -> None:
    bob.sitting.table.submit(Seat(0), m.Play())


def test_coup_with_another_player_by_ear(desk: Desk, tmp_path: Path, bob: Bob) -> None:
    visit = Visit(
        desk,
        tmp_path,
        "bet 25 on player",
        lambda _: bets(bob),
        lambda one: one.wait_for("Bob: 10 on Banker."),
        "who",
        "deal",
        "hit me",
        lambda _: is_ready(bob),
        lambda one: one.wait_for(QUESTION, 2),
        "q",
        "q",
    )
    assert visit.after("hit me")[0] == f"Waiting for Bob. {NOT_USED}"
    seated = visit.said.index("Here too: Bob with 50.")
    assert visit.said[seated + 1 : seated + 3] == [
        QUESTION,
        "> bet 25 on player",
    ]
    assert visit.after("who")[:2] == ["Here too: Bob with 50.", "Bob: 10 on Banker."]
    assert "Waiting for Bob." in visit.after("deal")
    (won,) = [line for line in visit.said if line.startswith(("You win", "You lose"))]
    assert not desk.ledger.open_sittings("ann")
    credit = desk.ledger.balance("ann") - (OPENING_BALANCE - 50_00)
    assert won.endswith(f"your credit is {credit / 100:g}.")
    assert desk.replica.state.bettors[0] is not None, "Bob still sits there"


def test_phrases_by_ear(desk: Desk, tmp_path: Path, bob: Bob) -> None:
    visit = Visit(
        desk,
        tmp_path,
        "help",
        "more",
        "more",
        "say",
        "say 2",
        "say 9",
        "say you play badly",
        lambda _: bob.feed.say(5),
        lambda one: one.wait_for("Bob says: thank you."),
        "mute",
        lambda _: bob.feed.say(1),
        lambda _: bets(bob),
        lambda one: one.wait_for("Bob: 10 on Banker."),
        "unmute",
        lambda _: bob.feed.say(8),
        lambda one: one.wait_for("Bob says: good night."),
        "q",
        "q",
    )
    assert any(line.startswith("say: lists the phrases") for line in visit.said)
    assert visit.after("say")[:2] == ["1: hello", "2: nice hand"]
    assert "You say: nice hand." in visit.after("say 2")
    refused = "say: type one of the numbers 1 to 8, such as say 2."
    assert refused in visit.after("say 9")
    assert refused in visit.after("say you play badly")
    assert "Bob says: hello." not in visit.said, "it was muted"
    assert [(one.name, one.phrase) for one in desk.phrases if one.name == "Ann"] == [("Ann", 2)]


def test_player_is_blocked_by_ear(desk: Desk, tmp_path: Path, bob: Bob) -> None:
    visit = Visit(
        *(desk, tmp_path),
        *("blocked", "block", "block eve", "block bob", "Blocked", "unblock BOB", "q", "q"),
    )
    for typed, answer in (
        ("blocked", "You block nobody."),
        ("block", "block: type the name of a player after it."),
        ("block eve", "block: nobody called eve is there."),
        ("block bob", "You block Bob."),
        ("Blocked", "You block Bob."),
        ("unblock BOB", "You no longer block Bob."),
    ):
        assert answer in visit.after(typed)


def test_line_after_the_time_was_over_does_nothing(desk: Desk, tmp_path: Path, bob: Bob) -> None:
    visit = Visit(desk, tmp_path, "b 5 p", lambda _: desk.expire(), "b 40 t", "q", "q")
    said = " ".join(visit.said)
    assert said.count("Your time was over.") == said.count("Your line was not used.") == 1
    assert len(desk.replica.state.shoe.coups) == 1
    (paid,) = [line for line in visit.said if line.startswith(("You win", "You lose"))]
    assert paid == "You win and lose nothing; your credit is 50.", "a tie, which pays bets on Tie"


def test_connection_that_is_cut_leaves_the_seat_taken(desk: Desk, tmp_path: Path) -> None:
    Visit(desk, tmp_path, "b 5 p")
    (sitting,) = desk.ledger.open_sittings("ann")
    assert sitting.owed == 50_00
    again = Visit(desk, tmp_path, "where", "q", "q")
    assert "You are back in your seat." in again.said
    assert not desk.ledger.open_sittings("ann")


@pytest.mark.parametrize("word", ["a", "o", "t", "why"])
def test_nobody_is_helped_by_ear(desk: Desk, tmp_path: Path, word: str) -> None:
    assert f"{word}: {NOT_HELPED}" in Visit(desk, tmp_path, word, "q", "q").after(word)


@pytest.mark.parametrize("game", ["baccarat", "thirty-one", "five-card-draw", "cribbage"])
def test_help_where_nobody_is_helped_lists_no_advice(tmp_path: Path, game: str) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), game, {})
    visit = Visit(desk, tmp_path, "help", *["more"] * 9, "q", "q")
    listed = [line for line in visit.said if re.match(r"(a|o|ev|why|t|u|U)\b.{0,20}:", line)]
    assert any(line.startswith("say: lists the phrases") for line in visit.said)
    assert not listed
    advice = re.compile(r"\b(best (?!hand)|EVs?|odds|trainer)\b")
    assert not [line for line in visit.said if advice.search(line)]


def test_trainer_of_other_tables_is_off_where_nobody_is_helped(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "thirty-one", {})
    memory = VisitState(None)
    memory.trains_at("thirty-one", on=True)
    visit = Visit(desk, tmp_path, "bet 20", "q", "s", "q", "q", memory=memory)
    assert not [line for line in visit.said if "trainer" in line or "best" in line]
    assert memory.trains("thirty-one"), "it is on again at the next table without others"


def test_player_who_comes_back_to_a_table_is_not_called_there(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"))
    Visit(desk, tmp_path, "b 5 p")
    again = Visit(desk, tmp_path, "where", "q", "q")
    assert "You are back in your seat." in again.said
    assert not [line for line in again.said if line.startswith("Your seat at the table")]
    elsewhere = Visit(desk, tmp_path, "b 5 p")
    elsewhere = Visit(desk, tmp_path, "q", table=None)
    assert [line for line in elsewhere.said if line.startswith("Your seat at the table K7QX")]


def test_player_who_waits_hears_when_a_computer_plays_and_then_that_it_came(
    tmp_path: Path,
) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "cribbage", {"computer": "greedy"})

    def comes(visit: Visit) -> None:
        desk.expire(32)
        visit.wait_for("Computer, greedy sits down.")
        desk.play_computers()

    def waits(visit: Visit) -> None:
        desk.now += 13_000

    visit = Visit(desk, tmp_path, waits, "who", comes, "q", "q")
    assert "Nobody else is here yet; a computer plays in 45 seconds." in visit.said
    answer, came, *_ = visit.after("who")
    assert answer == "Nobody else is here yet; a computer plays in 32 seconds."
    assert came == "Computer, greedy sits down."


def clock_of(desk: Desk, folder: Path, game: str) -> Iterator[Bob]:
    """Seat Ann at a table of a game, for what her clock says."""
    house = house_of(desk, folder, "ann")
    seat = sit_down(house, Client(desk, "ann"), desk.line(), listing_of(game).definition())
    yield seat
    seat.close()
    seat.sitting.close()


def test_seconds_until_a_computer_plays_are_said(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "cribbage", {"computer": "greedy"})
    for ann in clock_of(desk, tmp_path, "cribbage"):
        assert [*clock_texts(ann)] == [
            (35, "A computer plays in 10 seconds."),
            (40, "A computer plays in 5 seconds."),
        ]


def test_time_bank_is_said_once_the_usual_time_is_over(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "five-card-draw", {"seats": 2})
    draw = listing_of("five-card-draw").definition()
    other = sit_down(house_of(desk, tmp_path, "bob"), Client(desk, "bob"), desk.line(), draw)
    for ann in clock_of(desk, tmp_path, "five-card-draw"):
        for seat, player in enumerate(("bob", "ann")):
            desk.replica.act(Seat(seat), Play(), player)
        ann.catch_up()
        assert [*clock_texts(ann)] == [
            (10, "10 seconds left."),
            (15, "5 seconds left."),
            (20, "Time bank: 60 seconds."),
            (70, "10 seconds left."),
            (75, "5 seconds left."),
        ]
        assert "20 seconds left." in people_lines(ann)
        desk.now += 37_000
        assert "Time bank: 43 seconds left." in people_lines(ann)
        assert [*clock_texts(ann)] == [(33, "10 seconds left."), (38, "5 seconds left.")]
    other.close()
    other.sitting.close()


def test_action_that_the_game_reports_is_said_once(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "five-card-draw", {"seats": 2})
    draw = listing_of("five-card-draw").definition()
    bob = sit_down(house_of(desk, tmp_path, "bob"), Client(desk, "bob"), desk.line(), draw)

    def does(visit: Visit, action: Play | Check, said: str) -> None:
        bob.catch_up()
        bob.sitting.table.submit(Seat(0), action)
        visit.wait_for(said)

    visit = Visit(
        desk,
        tmp_path,
        lambda one: does(one, Play(), "Bob: ready."),
        "d",
        lambda one: does(one, Check(), "Bob checks"),
        "q",
        "q",
    )
    assert sum("checks" in line for line in visit.said) == 1, "\n".join(visit.said)
    bob.close()
    bob.sitting.close()


def test_player_who_comes_back_while_others_choose_is_answered_and_may_leave(
    tmp_path: Path,
) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "five-card-draw", {"seats": 3})
    draw = listing_of("five-card-draw").definition()
    others = [
        sit_down(house_of(desk, tmp_path, name), Client(desk, name), desk.line(), draw)
        for name in ("bob", "carol")
    ]

    def begins(_: Visit) -> None:
        for seat, other in enumerate(others):
            other.catch_up()
            other.sitting.table.submit(Seat(seat), Play())

    first = Visit(desk, tmp_path, "d", begins, lambda one: one.wait_for("Everybody puts in"))
    assert first.said[-1] == "Goodbye.", "the line was cut"
    again = Visit(desk, tmp_path, "k", "who", "q", "q")
    assert again.after("k") == [f"Waiting for Bob. {NOT_USED}"]
    assert again.said[-1] == "Goodbye."
    waits = [line for line in again.said if "seat" in line and "waits" in line]
    assert waits == ["Your seat waits for a while: table K7QX takes you back."]
    for other in others:
        other.close()
        other.sitting.close()


def test_player_who_is_alone_may_leave_while_the_table_waits_for_others(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "cribbage", {})
    visit = Visit(desk, tmp_path, "", "who", "q", "q")
    assert "Waiting for the others." in visit.said
    assert visit.after("who") == ["Nobody else is here yet."]
    assert visit.said[-1] == "Goodbye."
    assert not desk.replica.occupants


def test_frozen_and_closed_table_by_ear(desk: Desk, tmp_path: Path, bob: Bob) -> None:
    visit = Visit(
        desk,
        tmp_path,
        "bet 5 on player",
        lambda _: desk.freeze(on=True),
        lambda one: one.wait_for(STOPPED),
        "deal",
        "who",
        lambda _: desk.freeze(on=False),
        lambda one: one.wait_for("The table continues."),
        lambda _: desk.close(),
        lambda one: one.wait_for("The table is closed: the operator closed it. Press Enter."),
        "",
        "q",
    )
    assert f"d: {FROZEN}" in visit.after("deal")
    assert STOPPED in visit.after("who")
    assert "Your time was over." not in visit.said
    assert not desk.ledger.open_sittings("ann")
    assert desk.ledger.balance("ann") == OPENING_BALANCE, "nothing was at stake yet"


def test_player_who_comes_to_a_frozen_table_is_told(desk: Desk, tmp_path: Path) -> None:
    desk.freeze(on=True)
    visit = Visit(desk, tmp_path, "q")
    assert any(FROZEN in line for line in visit.said), visit.said
    assert not desk.ledger.open_sittings("ann")
