"""The luck at five-card draw: choices without bias, and results that follow from luck alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev

import pytest

from tests.helpers.narrow import not_none
from tests.helpers.played_steps import played_steps
from tests.helpers.scripted_sessions import ME, by_level
from tui_casino.cards.card import PACK, parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.game import AskSeats, Deal, Seat, Shoe
from tui_casino.gamekit.adviser import PlayedStep
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.luck import FIRST_SEAT, fair, luck
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Check,
    Discard,
    Options,
    Phase,
    Play,
    Stakes,
    State,
)
from tui_casino.structs import replace

Step = PlayedStep[State, Action]
FOR_TWO = Options(opponents=1, credit=10_000)


def steps_of(options: Options, hands: int, level: str, names: tuple[str, ...]) -> Iterator[Step]:
    """Yield the steps of hands that computer players of a level play."""
    players = {Seat(seat): by_level("five-card-draw", level, Seat(seat)) for seat in options.seats}
    seats, stakes, credit = options.opponents, options.stakes, options.credit
    cards = Random(f"Options(opponents={seats}, stakes={stakes!r}, credit={credit})")
    source = SeededSource(1)
    for step, _ in played_steps(DEFINITION, options, players, names, cards, source):
        if step.before.phase is Phase.REST and step.before.played == hands:
            return
        yield step


def won(step: Step) -> int | None:
    """Return the credits that the first seat of the table won by the end of a hand."""
    if step.after.phase is not Phase.REST or step.before.phase is Phase.REST:
        return None
    seated = step.before.stacks[ME] + step.before.put_in[ME]
    return step.after.stacks[ME] - seated


def results(steps: Iterator[Step]) -> Iterator[tuple[float, float, float]]:
    """Yield the result of each hand, its luck and its fair result."""
    total, at_start = 0.0, 0.0
    for step in steps:
        if step.before.phase is Phase.DEAL and not any(step.before.hands):
            at_start = fair(step.before, ME)
        total += not_none(luck(step))
        if (net := won(step)) is not None:
            yield net, total, at_start
            total = 0.0


def test_result_of_the_gto_level_against_itself_is_its_place_and_luck() -> None:
    """Nothing is left of the results if the strategies of both players are known, except errors of
    the sampled draws."""
    hands = [*results(steps_of(FOR_TWO, 60, "equilibrium", ("equilibrium",) * 2))]
    rest = [net - total - at_start for net, total, at_start in hands]
    assert {at_start for *_, at_start in hands} == {FIRST_SEAT, -FIRST_SEAT}
    assert stdev(net for net, *_ in hands) > 10 * stdev(rest)
    assert abs(fmean(rest)) < 3 * stdev(rest) / len(rest) ** 0.5


@pytest.mark.parametrize(
    ("options", "least"),
    [(Options(stakes=Stakes.ANTE), 4), (Options(), 1.2), (Options(opponents=1, credit=100), 1.2)],
    ids=["ante", "limit for four", "limit for two with short stacks"],
)
def test_share_of_the_pot_explains_results_at_other_tables(options: Options, least: float) -> None:
    names = ("strong",) * len(options.seats)
    hands = [*results(steps_of(options, 40, "strong", names))]
    lucks = [total for _, total, _ in hands]
    assert stdev(net for net, *_ in hands) > least * stdev(net - total for net, total, _ in hands)
    assert abs(fmean(lucks)) < 3 * stdev(lucks) / len(lucks) ** 0.5


def test_choices_of_a_human_have_no_luck_and_those_of_the_gto_level_have() -> None:
    steps = [*steps_of(FOR_TWO, 20, "equilibrium", ("human", "equilibrium"))]
    choices = [step for step in steps if not isinstance(step.action, Deal)]
    by_seat: dict[int, list[float]] = {0: [], 1: []}
    for step in choices:
        if isinstance(turn := game.turn(step.before), AskSeats):
            by_seat[turn.seats[0]].append(not_none(luck(step)))
    assert not any(by_seat[0])
    assert sum(map(bool, by_seat[1])) > 5


def test_table_without_stakes_has_no_luck() -> None:
    options = Options(stakes=Stakes.NOTHING)
    assert not any(map(luck, steps_of(options, 3, "strong", ("human",) * 4)))


def hand_of(cards: str, options: Options = FOR_TWO) -> list[Step]:
    """Deal these cards in turn; return the steps."""
    state, steps = game.step(game.start(options), ME, Play()).state, list[Step]()
    state = game.step(state, None, Shoe(len(PACK))).state
    for card in parse_hand(cards):
        after = game.step(state, None, Deal(card)).state
        steps.append(Step(state, Deal(card), after, ME, ("equilibrium", "equilibrium")))
        state = after
    return steps


def test_luck_is_unknown_if_a_card_is_dealt_twice() -> None:
    assert luck(hand_of("2C 3D 4C 5D 6C 7D 9C TD JC QD")[-1]) is not None
    assert luck(hand_of("2C 3D 4C 5D 6C 7D 9C TD JC 2C")[-1]) is None


def test_luck_of_a_choice_that_a_computer_player_never_makes_is_unknown() -> None:
    """The GTO level never discards a card of a royal flush, but a log can be changed by hand."""
    state = hand_of("TS 2C JS 3C QS 5D KS 7H AS 9H")[-1].after
    for _ in range(2):
        state = game.step(state, None, Check()).state
    for discards, known in (((), True), ((1, 2), False)):
        action = Discard(discards)
        after = game.step(state, ME, action).state
        step = Step(state, action, after, ME, ("equilibrium", "equilibrium"))
        assert (luck(step) is not None) is known


def test_seat_without_cards_has_no_fair_result() -> None:
    """Two of four players have chips for the ante, so the hand follows the table for two."""
    state = replace(game.start(Options()), stacks=(400, 400, 0, 0))
    state = game.step(game.step(state, ME, Play()).state, None, Shoe(len(PACK))).state
    assert [fair(state, Seat(seat)) for seat in (2, 3)] == [0, 0]
    assert fair(state, Seat(0)) == -fair(state, Seat(1)) != 0
