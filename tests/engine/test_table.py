"""The table's loop, on the toy game and on video poker."""

from typing import Any

import pytest

from tests.contract.toy.brains.players import Keeper
from tests.contract.toy.machine.game import AllAnswered, Answered, Change, Dealt, Keep
from tests.helpers.faulty_toy import ante, toy
from tests.helpers.random_play import AnyTable, fair_table, seed_of
from tui_casino.cards.card import BACK, Card
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.event_bus import ALL_CARDS, TableUpdate
from tui_casino.engine.game import AskSeats, IllegalAction, Refusal, Seat, Shoe
from tui_casino.engine.offers import Dice
from tui_casino.engine.table import Table
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold

SEED = seed_of(7)
ME, YOU = Seat(0), Seat(1)


def seated(record: Any = None, *, humans: tuple[Seat, ...] = (ME,)) -> AnyTable:
    """A human against a player who keeps the card, or other humans; the antes are paid."""
    definition = toy()
    game: Any = definition.game
    players = {seat: None if seat in humans else Keeper() for seat in (ME, YOU)}
    table = Table(game, game.Options(), ShuffledShoe(), CommittedSource(SEED), players)
    ante(table)
    table.bus.recorder = record
    return table


def refused(table: AnyTable, seat: Seat) -> Refusal:
    """Have a seat's action refused, nothing changed, and give why."""
    before = table.state
    with pytest.raises(IllegalAction) as why:
        table.submit(seat, Keep())
    assert table.state == before
    return why.value.kind


def test_table_runs_until_a_human_is_asked() -> None:
    table = seated()
    table.run()
    assert table.waiting
    assert table.game.turn(table.state) == AskSeats((ME,))
    table.submit(ME, Keep())
    table.run()
    assert table.state.chips != (50, 50)


def test_human_action_for_another_seat_or_out_of_turn_is_refused() -> None:
    table = seated()
    assert refused(table, ME) is Refusal.TURN, "there is no shoe yet"
    table.run()
    for seat in (YOU, Seat(5)):
        assert refused(table, seat) is Refusal.TURN
    table.submit(ME, Keep())
    for seat in (YOU, ME):
        assert refused(table, seat) is Refusal.TURN, "the computer antes first"


# ---- several are asked at once -------------------------------------------------------------------


@pytest.mark.parametrize(
    "human", [ME, YOU], ids=["human in the first seat", "human in the second seat"]
)
def test_computer_asked_with_a_human_chooses_first(human: Seat) -> None:
    table, computer = seated(humans=(human,)), YOU if human == ME else ME
    while table.game.turn(table.state) != AskSeats((ME, YOU)):
        assert table.advance()
    assert refused(table, human) is Refusal.TURN
    assert table.ask() == (computer, Keep())
    assert refused(table, human) is Refusal.TURN, "it has chosen, but not played yet"
    assert table.advance()
    assert table.game.turn(table.state) == AskSeats((human,))
    assert table.waiting
    assert not table.advance()
    with pytest.raises(RuntimeError, match="nobody to ask"):
        table.ask()
    table.submit(human, Keep())
    assert table.advance(), "the computer antes for the next round"


def test_computers_asked_together_choose_in_the_order_of_their_seats() -> None:
    acted: list[Seat] = []
    table = seated(lambda actor, *_: acted.append(actor), humans=())
    for _ in range(19):
        table.advance()
    assert [actor for actor in acted if actor is not None] == [ME, YOU] * 5


@pytest.mark.parametrize(
    "order",
    [(ME, YOU), (YOU, ME)],
    ids=["the first seat answers first", "the second seat answers first"],
)
@pytest.mark.parametrize(
    "changing",
    [(), (ME,), (YOU,), (ME, YOU)],
    ids=["nobody changes", "the first seat changes", "the second seat changes", "both change"],
)
def test_two_humans_asked_together_may_answer_in_either_order(
    order: tuple[Seat, ...], changing: tuple[Seat, ...]
) -> None:
    table = seated(humans=(ME, YOU))
    table.run()
    mine, yours = table.state.cards
    for seat in order:
        assert not table.advance(), "the other is waited for"
        table.submit(seat, Change(1) if seat in changing else Keep())
    assert [mine in table.state.thrown, yours in table.state.thrown] == [
        seat in changing for seat in (ME, YOU)
    ]
    table.run()
    ante(table)
    assert table.advance(), "both have answered, and put in their antes for the next round"
    assert sum(table.state.chips) == 100 - 2


def test_second_answer_to_a_simultaneous_choice_is_refused() -> None:
    table = seated(humans=(ME, YOU))
    table.run()
    table.submit(YOU, Keep())
    assert refused(table, YOU) is Refusal.TURN
    table.submit(ME, Keep())
    assert not table.state.staked, "the round is over"


def test_simultaneous_answer_is_hidden_until_all_have_answered() -> None:
    updates: list[TableUpdate[Any, Any]] = []
    views: list[tuple[Any, Any]] = []
    for action in (Keep(), Change(1)):
        table = seated(humans=(ME, YOU))
        table.run()
        for viewer in (ME, None):
            table.bus.subscribe(viewer, updates.append)
        table.submit(YOU, action)
        views.append((table.view(ME), table.view(None)))
        table.submit(ME, Keep())
    kept, changed = updates[:4], updates[4:]
    assert kept[:2] == changed[:2], "that it has answered is known, but not how"
    assert [step.events for step in kept[:2]] == [(Answered(YOU, None),)] * 2
    assert views[0] == views[1]
    assert all(AllAnswered(()) in step.events for step in kept[2:])
    assert all(AllAnswered((YOU,)) in step.events for step in changed[2:])


class Noting(CommittedSource):
    """Keeps for what it was asked for dice."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.occasions: list[str] = []

    def dice(self, occasion: str, /) -> Dice:
        self.occasions.append(occasion)
        return super().dice(occasion)


def test_dice_of_a_choice_do_not_depend_on_other_seats_being_asked() -> None:
    table, source = seated(), Noting(SEED)
    table.source = source
    for _ in range(2):
        table.run()
        table.submit(ME, Keep())
        ante(table)
    assert [said for said in source.occasions if said.startswith("seat")] == [
        "seat 1 choice 2",
        "seat 1 choice 4",
    ]


# ---- the loop ------------------------------------------------------------------------------------


def test_table_asked_twice_for_its_next_step_gives_the_same_step() -> None:
    table = seated()
    assert table.ask() == table.ask() == (None, Shoe(52))
    table.advance()
    first = table.ask()
    assert table.ask() == first
    table.advance()
    assert table.ask() != first


def test_table_subscriber_gets_events_with_only_the_cards_its_seat_may_see() -> None:
    table = seated()
    heard: dict[Seat | None, list[Card]] = {ME: [], YOU: [], None: []}
    for viewer, cards in heard.items():
        table.bus.subscribe(viewer, lambda updates, cards=cards: cards.extend(dealt(updates)))  # type: ignore[misc]
    all_of_it: list[Card] = []
    table.bus.subscribe(ALL_CARDS, lambda update: all_of_it.extend(dealt(update)))
    table.run()
    mine, yours = table.state.cards
    assert heard == {ME: [mine, BACK], YOU: [BACK, yours], None: [BACK, BACK]}
    assert all_of_it == [mine, yours]


def dealt(updates: TableUpdate[Any, Any]) -> list[Card]:
    return [event.card for event in updates.events if isinstance(event, Dealt)]


def test_table_subscriber_gets_the_state_with_only_its_visible_cards() -> None:
    table = seated()
    updates: dict[Seat | None, list[TableUpdate[Any, Any]]] = {ME: [], YOU: [], None: []}
    for viewer, steps in updates.items():
        table.bus.subscribe(viewer, steps.append)
    house: list[TableUpdate[Any, Any]] = []
    table.bus.subscribe(ALL_CARDS, house.append)
    table.run()
    mine, yours = table.state.cards
    assert house[-1].state == table.state
    seen = {viewer: steps[-1].state for viewer, steps in updates.items()}
    hands = {viewer: state.cards for viewer, state in seen.items()}
    assert hands == {ME: (mine, BACK), YOU: (BACK, yours), None: (BACK, BACK)}
    assert all(state == table.view(viewer) for viewer, state in seen.items())


def test_ended_subscription_gets_no_more_updates() -> None:
    table = seated()
    updates: list[TableUpdate[Any, Any]] = []
    end = table.bus.subscribe(ALL_CARDS, updates.append)
    table.advance()
    end()
    table.advance()
    assert len(updates) == 1


def test_subscriber_that_raises_does_not_stop_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # as in a player's program, where the fault is not fatal
    table = seated()
    updates: list[TableUpdate[Any, Any]] = []

    def breaks(_: TableUpdate[Any, Any]) -> None:
        raise ZeroDivisionError

    table.bus.subscribe(ALL_CARDS, breaks)
    table.bus.subscribe(ALL_CARDS, updates.append)
    table.run()
    assert len(updates) == 4
    assert [type(fault) for fault in table.bus.faults] == [ZeroDivisionError] * 4


def test_statistics_are_up_to_date_before_any_subscriber_is_called() -> None:
    table, seen, folded = seated(), list[Card](), list[int]()

    def compare(update: TableUpdate[Any, Any]) -> None:
        seen.extend(dealt(update))
        folded.append(cards.value - len(seen))

    table.bus.subscribe(ME, compare)  # before the fold that it reads
    cards = table.bus.accumulate(ME, 0, lambda value, event: value + isinstance(event, Dealt))
    table.run()
    assert len(seen) == 2
    assert folded == [0] * len(folded)


def test_state_and_events_are_filtered_once_for_each_viewer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = seated()
    game: Any = table.game
    views: list[Seat | None] = []
    view = game.view

    def counted(state: Any, viewer: Seat | None) -> Any:
        views.append(viewer)
        return view(state, viewer)

    monkeypatch.setattr(game, "view", counted)
    updates = list[TableUpdate[Any, Any]]()
    for viewer in (ME, ME, None, ALL_CARDS, ME):
        table.bus.subscribe(viewer, updates.append)
    table.bus.accumulate(ME, 0, lambda value, event: value)
    views.clear()
    table.play(*table.ask())
    assert sorted(views, key=str) == [ME, None]
    assert updates[0] is updates[1] is updates[4]


def test_action_checked_and_then_submitted_is_checked_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = seated()
    table.run()
    game: Any = table.game
    asked: list[Seat] = []
    offers = game.offers

    def counted(state: Any, seat: Seat) -> Any:
        asked.append(seat)
        return offers(state, seat)

    monkeypatch.setattr(game, "offers", counted)
    action = Keep()
    table.check(ME, action)
    table.submit(ME, action)
    assert asked == [ME]


def test_checked_action_is_refused_if_the_table_moved_on_meanwhile() -> None:
    table = seated(humans=(ME, YOU))
    table.run()
    action = Keep()
    table.check(ME, action)
    table.submit(YOU, Keep())
    table.submit(ME, Keep())
    assert not table.state.staked, "the round is over"
    with pytest.raises(IllegalAction):
        table.play(ME, action)


def test_subscriber_that_advances_the_table_gets_an_error() -> None:
    table = seated()
    table.bus.subscribe(ALL_CARDS, lambda _: table.run())
    with pytest.raises(RuntimeError, match="may not drive"):
        table.advance()


def test_step_that_cannot_be_recorded_changes_nothing_and_is_repeated_later() -> None:
    full = True
    written: list[Any] = []

    def record(*step: Any) -> None:
        if full:
            raise OSError("no space left on device")
        written.append(step)

    table, updates = seated(record), list[Any]()
    table.bus.subscribe(ALL_CARDS, updates.append)
    before, said = table.state, table.ask()
    with pytest.raises(OSError, match="no space"):
        table.advance()
    assert table.state == before
    assert not updates
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


def test_refused_human_action_does_not_change_the_table_state() -> None:
    table = seated()
    table.run()
    before = table.state
    with pytest.raises(IllegalAction):
        table.submit(ME, Change(9))
    assert table.state == before


def test_different_hold_does_not_change_the_hands_of_later_rounds() -> None:
    """Duplicate play, and trying a round again with another hold."""
    dealt = []
    for hold in ((), (1, 2, 3, 4, 5)):
        table: Any = Table(
            DEFINITION.game,
            DEFINITION.game.Options(),
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


def test_table_with_the_same_seed_plays_the_same_game() -> None:
    states = set()
    for _ in range(2):
        table = fair_table(toy(), SEED)
        for _ in range(60):
            table.advance()
        states.add(table.state)
    assert len(states) == 1
