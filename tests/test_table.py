"""The table's loop, on the toy game and on video poker."""

from typing import Any

import pytest

from tests.contract.play import AnyTable, fair_table, seed_of
from tests.contract.toy import Change, Keep, Keeper, toy
from tui_casino.cards.card import BACK, Card
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Ask, IllegalAction, Refusal, Seat, Shoe
from tui_casino.engine.table import Table, Told
from tui_casino.games.video_poker import PARTS
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold

SEED = seed_of(7)
ME, YOU = Seat(0), Seat(1)


def seated(record: Any = None) -> AnyTable:
    """A human against a player who keeps his card."""
    parts = toy()
    game: Any = parts.game
    players = {ME: None, YOU: Keeper()}
    return Table(game, game.Options(), ShuffledShoe(), CommittedSource(SEED), players, record)


def test_it_runs_until_a_human_is_asked() -> None:
    table = seated()
    table.run()
    assert table.waiting
    assert table.game.turn(table.state) == Ask((ME,))
    table.submit(ME, Keep())
    table.run()
    assert table.state.chips != (50, 50)


def test_humans_act_for_themselves_and_in_turn() -> None:
    table = seated()
    table.run()
    for seat in (YOU, Seat(5)):
        with pytest.raises(IllegalAction) as refused:
            table.submit(seat, Keep())
        assert refused.value.kind is Refusal.TURN
    table.submit(ME, Keep())
    with pytest.raises(IllegalAction):  # it is the computer's turn now
        table.submit(YOU, Keep())
    with pytest.raises(IllegalAction):
        table.submit(ME, Keep())


def test_asked_twice_the_answer_is_the_same() -> None:
    table = seated()
    assert table.ask() == table.ask() == (None, Shoe(52))
    table.advance()
    first = table.ask()
    assert table.ask() == first
    table.advance()
    assert table.ask() != first


def test_each_viewer_is_told_what_it_may_know() -> None:
    table = seated()
    heard: dict[Seat | None, list[Card]] = {ME: [], YOU: [], None: []}
    for viewer, cards in heard.items():
        table.subscribe(viewer, lambda told, c=cards: c.extend(e.card for e in told.events))  # type: ignore[misc]
    all_of_it: list[Card] = []
    table.overhear(lambda told: all_of_it.extend(event.card for event in told.events))
    table.run()
    mine, yours = table.state.cards
    assert heard == {ME: [mine, BACK], YOU: [BACK, yours], None: [BACK, BACK]}
    assert all_of_it == [mine, yours]


def test_each_viewer_is_told_the_state_as_it_sees_it() -> None:
    table = seated()
    told: dict[Seat | None, list[Told[Any, Any]]] = {ME: [], YOU: [], None: []}
    for viewer, steps in told.items():
        table.subscribe(viewer, steps.append)
    house: list[Told[Any, Any]] = []
    table.overhear(house.append)
    table.run()
    mine, yours = table.state.cards
    assert house[-1].state == table.state
    seen = {viewer: steps[-1].state for viewer, steps in told.items()}
    hands = {viewer: state.cards for viewer, state in seen.items()}
    assert hands == {ME: (mine, BACK), YOU: (BACK, yours), None: (BACK, BACK)}
    assert all(state == table.view(viewer) for viewer, state in seen.items())


def test_a_subscription_ends() -> None:
    table = seated()
    told: list[Told[Any, Any]] = []
    end = table.overhear(told.append)
    table.advance()
    end()
    table.advance()
    assert len(told) == 1


def test_a_subscriber_that_raises_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # as in a player's program, where the fault is not fatal
    table = seated()
    told: list[Told[Any, Any]] = []

    def breaks(_: Told[Any, Any]) -> None:
        raise ZeroDivisionError

    table.overhear(breaks)
    table.overhear(told.append)
    table.run()
    assert len(told) == 3
    assert [type(fault) for fault in table.faults] == [ZeroDivisionError] * 3


def test_a_subscriber_may_not_drive() -> None:
    table = seated()
    table.overhear(lambda _: table.run())
    with pytest.raises(RuntimeError, match="may not drive"):
        table.advance()


def test_a_step_that_cannot_be_recorded_has_not_happened() -> None:
    full = True
    written: list[Any] = []

    def record(*step: Any) -> None:
        if full:
            raise OSError("no space left on device")
        written.append(step)

    table, told = seated(record), list[Any]()
    table.overhear(told.append)
    before, said = table.state, table.ask()
    with pytest.raises(OSError, match="no space"):
        table.advance()
    assert table.state == before
    assert not told
    full = False
    table.advance()
    assert (written[0][0], written[0][1]) == said
    full = True
    card = table.ask()[1]
    with pytest.raises(OSError, match="no space"):
        table.advance()
    full = False
    table.advance()
    assert written[1][1] == card  # the same card, not the next


def test_a_humans_refused_or_unwritten_action_changes_nothing() -> None:
    table = seated()
    table.run()
    before = table.state
    with pytest.raises(IllegalAction):
        table.submit(ME, Change(9))
    assert table.state == before


def test_other_choices_leave_the_next_deals_as_they_were() -> None:
    """Duplicate play, and trying a round again with another hold."""
    dealt = []
    for hold in ((), (1, 2, 3, 4, 5)):
        table: Any = Table(
            PARTS.game,
            PARTS.game.Options(),
            ShuffledShoe(),
            CommittedSource(SEED),
            {ME: None},
        )
        hands = []
        for _ in range(3):
            for action in (Bet(1), Draw(), Hold(hold)):
                table.run()
                if isinstance(action, Hold):
                    hands.append(table.state.hand)
                table.submit(ME, action)
        dealt.append(hands)
    assert dealt[0] == dealt[1]


def test_one_seed_one_game() -> None:
    states = set()
    for _ in range(2):
        table = fair_table(toy(), SEED)
        for _ in range(60):
            table.advance()
        states.add(table.state)
    assert len(states) == 1
