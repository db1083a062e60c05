"""The expert: it follows the advisers, and knows and draws nothing that it should not."""

from __future__ import annotations

import pytest

from tests.games.cribbage.rounds import trainer
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.offers import Dice
from tui_casino.engine.table import Table
from tui_casino.games.cribbage.brains.discards import discard_cost, shipped_frequencies, weigh
from tui_casino.games.cribbage.brains.pegging import PeggingPosition, weigh_cards
from tui_casino.games.cribbage.brains.players import SAMPLES, ExpertPlayer
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.state import (
    Action,
    Discard,
    Event,
    Lay,
    Options,
    Phase,
    State,
)
from tui_casino.structs import replace


class NoDice:
    """Dice that nobody may throw."""

    def below(self, n: int, /) -> int:
        raise AssertionError("the expert draws from the table's dice")


NO_DICE: Dice = NoDice()


def rounds(count: int, options: Options) -> list[tuple[State, Seat, Action]]:
    """Let two experts play; give each view from which one chose, and what."""
    seats = (Seat(0), Seat(1))
    table: Table[Options, State, Action, Event] = Table(
        game, options, ShuffledShoe(), SeededSource(count), {s: ExpertPlayer() for s in seats}
    )
    chosen: list[tuple[State, Seat, Action]] = []
    while not table.waiting and len(chosen) < count:
        actor, action = table.ask()
        match game.turn(table.state), action:
            case AskSeats((seat,)), Discard() | Lay():
                chosen.append((table.view(seat), seat, action))
        table.play(actor, action)
    return chosen


@pytest.fixture(scope="module")
def choices() -> list[tuple[State, Seat, Action]]:
    return rounds(24, Options())


def test_expert_discards_the_best_cards_by_ev(
    choices: list[tuple[State, Seat, Action]],
) -> None:
    thrown = [(view, seat, a) for view, seat, a in choices if isinstance(a, Discard)]
    assert {seat == view.dealer for view, seat, _ in thrown} == {True, False}
    for view, seat, action in thrown:
        dealer, hand = seat == view.dealer, view.hands[seat]
        ranked = weigh(
            hand, dealer, view.options.rule_set, shipped_frequencies().weights_against(dealer)
        )
        assert isinstance(action, Discard)
        assert discard_cost(ranked, [hand[place - 1] for place in action.places]) == 0


def test_expert_plays_the_card_that_the_adviser_ranks_first(
    choices: list[tuple[State, Seat, Action]],
) -> None:
    several = 0
    for view, seat, action in choices:
        if isinstance(action, Lay):
            position = PeggingPosition.from_view(view, seat)
            told = weigh_cards(position, view.options.rule_set, samples=SAMPLES)
            laid = view.hands[seat][action.place - 1]
            several += len(told) > 1
            assert laid.rank is told[0].card.rank
    assert several


def test_expert_uses_no_dice_and_repeats_its_choices(
    choices: list[tuple[State, Seat, Action]],
) -> None:
    for view, seat, action in choices:
        again = ExpertPlayer().choose(view, seat, game.offers(view, seat), NO_DICE)
        assert again == action


def test_expert_plays_the_same_with_open_and_hidden_cards() -> None:
    for view, seat, action in rounds(20, Options(open=True)):
        hidden = game.view(with_cards_hidden(view), seat)
        assert view.hands != hidden.hands or view.phase is not Phase.DISCARD
        assert ExpertPlayer().choose(hidden, seat, game.offers(hidden, seat), NO_DICE) == action


def with_cards_hidden(state: State) -> State:
    return replace(state, options=replace(state.options, open=False))


def test_starter_is_the_same_with_expert_and_greedy_players() -> None:
    """Beside an expert and a greedy player alike the croupier picks the same starter."""
    starters = set()
    for one, other in (("expert", "greedy"), ("greedy", "expert"), ("greedy", "greedy")):
        table, _ = trainer(55_510, one, other)
        while table.state.starter is None:
            table.advance()
        starters.add(table.state.starter)
    assert len(starters) == 1
