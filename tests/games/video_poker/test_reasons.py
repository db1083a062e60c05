"""The reasons of holds: each figure is counted again, by drawing all cards."""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from tests.helpers.narrow import instance_of, not_none
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tui_casino.cards.card import PACK, Card, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Decision, ValuesScope
from tui_casino.gamekit.number_formats import rough_percent
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.brains.reasons import LIST_TABLE, columns, reason, row_phrase
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.machine.game import Action, Hold, Options, Phase, State, start
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.games.video_poker.machine.rules import row_of
from tui_casino.structs import replace

ME = Seat(0)


def dealt(cards: tuple[Card, ...], table: str = LIST_TABLE, coins: int = 5) -> State:
    options = Options(paytable=load(table))
    return replace(start(options), phase=Phase.HOLD, coins=coins, hand=cards)


def decide(view: State, held: tuple[int, ...]) -> Decision[State, Action]:
    decision = not_none(DEFINITION.decision(view, ME, Hold(held), ValuesScope.OF_ALL))
    return decision


def draw_all(view: State, held: tuple[int, ...]) -> tuple[Counter[str], int]:
    """Count the rows of all draws after a hold by dealing each one."""
    rest = [card for card in PACK if card not in view.hand]
    kept = tuple(view.hand[place - 1] for place in held)
    rows: Counter[str] = Counter()
    draws = 0
    for new in combinations(rest, 5 - len(held)):
        row = row_of(view.options.paytable, (*kept, *new), view.coins)
        rows[row.name if row else ""] += 1
        draws += 1
    return rows, draws


def costly_hold(source: random.Random) -> tuple[State, Hold, Hold]:
    """Return a random hand, its best hold and a worse one, with at most three cards to draw.

    Drawing four or five cards takes too long to count card by card.
    """
    while True:
        table = source.choice([LIST_TABLE, "jacks-or-better-9-6"])
        view = dealt(tuple(source.sample(PACK, 5)), table, source.choice([1, 5]))
        best, *others = DEFINITION.adviser.values(view, ME)
        worse = [
            one.action
            for one in others
            if isinstance(one.action, Hold)
            and len(one.action.positions) >= 2
            and one.value < best.value
        ]
        if worse and isinstance(best.action, Hold) and len(best.action.positions) >= 2:
            return view, best.action, source.choice(worse)


@pytest.mark.parametrize("seed", first_of(range(25), 8), ids=labelled("seed {}"))
def test_figures_in_the_reason_for_a_hold_equal_enumeration_of_all_draws(seed: int) -> None:
    source = random.Random(seed)
    view, best, wrong = costly_hold(source)
    decision = decide(view, wrong.positions)
    found = not_none(reason(decision))
    right = not_none(reason(decide(view, best.positions), wrong))
    counts = {one: draw_all(view, one.positions) for one in (best, wrong)}
    (column,) = columns(decision)
    for one, (rows, draws) in counts.items():
        assert column.texts[one] == rough_percent(Fraction(draws - rows[""], draws))
    pays = {row.name: row.pays[view.coins - 1] for row in view.options.paytable.rows}
    gains = {
        name: pay
        * (
            Fraction(counts[best][0][name], counts[best][1])
            - Fraction(counts[wrong][0][name], counts[wrong][1])
        )
        for name, pay in pays.items()
    }
    assert sum(gains.values()) == decision.cost
    most = max(gains, key=lambda name: gains[name])
    for told in (found, right):
        assert row_phrase(most) in " ".join(told.cause), "the row that brings most is named"
    for name, figure in (*found.figures, *right.figures):
        match name.split(" ", 2):
            case ["pay", "of", row]:
                assert figure == pays[row]
                assert row == row_of(view.options.paytable, view.hand, view.coins).name  # type: ignore[union-attr]
            case ["credits", "from", "the other rows"]:
                assert figure == decision.cost - min(gains.values())
            case ["pays", "otherwise"]:
                rows, draws = counts[wrong]
                assert figure == Fraction(draws - rows[""], draws)
                assert not counts[best][0][""], "the best hold always pays"
            case ["credits", "from", row]:
                assert figure == -gains[row] > 0
            case ["chance", "of", row]:
                chances = [
                    Fraction(rows[row.removesuffix(" otherwise")], draws)
                    for rows, draws in counts.values()
                ]
                assert figure in chances


def test_reason_names_the_made_hand_that_a_wrong_hold_breaks_and_its_pay() -> None:
    found = not_none(reason(decide(dealt(parse_hand("5S 7S 9D 5C 7D")), (2, 5))))
    assert found.cause[0] == "You broke two pair, which already paid 5 credits."
    assert found.cause[1].startswith("Holding 5S 7S 5C 7D always pays; your hold pays ")
    assert found.rule == (
        '"Two pair" comes before "Low pair" (lines 7 and 12 of the 34-line strategy).'
    )


def test_reason_says_that_breaking_a_flush_for_a_royal_draw_is_right() -> None:
    """Four to a royal flush is worth more than a flush that pays 35 credits."""
    view = dealt(parse_hand("KS QS JS TS 4S"))
    found = not_none(reason(decide(view, (1, 2, 3, 4, 5))))
    assert found.cause[0] == (
        "Your cards already made a flush, which pays 35 credits; it is right to break it."
    )


@pytest.mark.parametrize("seed", range(60), ids=labelled("seed {}"))
def test_rule_in_a_hold_reason_agrees_with_strategy_list_and_best_hold(seed: int) -> None:
    source = random.Random(seed)
    view = dealt(tuple(source.sample(PACK, 5)))
    holds = [one.action for one in DEFINITION.adviser.values(view, ME)]
    wrong = instance_of(Hold, source.choice(holds[1:8]))
    found = not_none(reason(decide(view, wrong.positions)))
    best, listed = holds[0], advise(view.hand)
    assert isinstance(best, Hold)
    if listed.positions != best.positions:
        assert found.rule == ""
    elif found.rule:
        (named,) = re.findall(r"\(lines? ([\d and]+)", found.rule)
        lines = [int(line) for line in re.findall(r"\d+", named)]
        assert lines[0] == listed.line
        assert lines == sorted(set(lines))


def test_reason_for_a_right_hold_compares_it_with_the_next_best() -> None:
    view = dealt(parse_hand("2C 4H JS 3D 3S"))
    best = instance_of(Hold, DEFINITION.adviser.values(view, ME)[0].action)
    found = not_none(reason(decide(view, best.positions)))
    assert not any("You" in sentence for sentence in found.sentences)


def test_reason_at_a_pay_table_without_a_list_names_no_strategy_line() -> None:
    view = dealt(parse_hand("5S 7S 9D 5C 7D"), "jacks-or-better-9-6")
    found = not_none(reason(decide(view, (2, 5))))
    assert found.rule == ""


def test_hand_with_repeated_cards_or_another_phase_has_no_reason() -> None:
    twice = dealt(parse_hand("KS KS JS TS 4H"))
    assert reason(Decision(ME, twice, Hold(()), "")) is None
    assert reason(Decision(ME, start(Options()), Hold(()), "")) is None
