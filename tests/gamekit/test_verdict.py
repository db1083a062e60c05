"""Verdicts in words: the figures that are shown together add up, and a verdict reads as a fact."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

import pytest

from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import PACK, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import ActionValue, Decision, Mistake, ValuesScope
from tui_casino.gamekit.number_formats import rounded_cost
from tui_casino.gamekit.verdict import alternative_lines, gerund, short_verdicts, verdict_sentence
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Action, Hold, Options, Phase, State, start
from tui_casino.structs import replace

ME = Seat(0)


def decide(cards: str, held: tuple[int, ...]) -> Decision[State, Action]:
    view = replace(start(Options()), phase=Phase.HOLD, coins=5, hand=parse_hand(cards))
    decision = DEFINITION.decision(view, ME, Hold(held), ValuesScope.OF_ALL)
    assert decision is not None
    return decision


def test_shown_cost_is_the_difference_of_the_rounded_evs() -> None:
    assert rounded_cost(2.304, 2.216) == 0.08
    assert rounded_cost(Fraction(13674, 1000), Fraction(13366, 1000)) == 0.3


def test_verdict_on_a_mistake_without_known_evs_shows_its_exact_cost() -> None:
    """The same mistake costs 0.09, or 0.08 next to its rounded EVs of 2.30 and 2.22."""
    mistake = Mistake(Fraction(88, 1000), Hold((1,)))
    unknown = Decision(ME, start(Options()), Hold(()), "", mistake)
    evs = (ActionValue(Hold((1,)), 2.304), ActionValue(Hold(()), 2.216))
    assert DEFINITION.format_cost(unknown) == "0.09"
    assert DEFINITION.format_cost(replace(unknown, values=evs)) == "0.08"


@pytest.mark.parametrize("seed", range(40), ids=labelled("seed {}"))
def test_evs_and_costs_in_the_list_and_the_verdict_add_up(seed: int) -> None:
    source = Random(seed)
    cards = " ".join(map(str, source.sample(PACK, 5)))
    held = tuple(sorted(source.sample(range(1, 6), source.randrange(6))))
    decision = decide(cards, held)
    best, *others = alternative_lines(DEFINITION, decision)
    top = Fraction(best.rpartition("EV ")[2].partition(",")[0])
    own = ""
    for line in others:
        match = re.search(r": costs (\d+\.\d\d), EV (\d+\.\d\d)(, your choice)?", line)
        if match is None:
            assert "less than 0.01" in line or ": best, EV " in line
            continue
        assert top - Fraction(match[2]) == Fraction(match[1]), line
        own = match[1] if match[3] else own
    assert not own or f"that cost {own} credits" in verdict_sentence(DEFINITION, decision)


def test_verdict_on_holding_nothing_names_the_best_hold() -> None:
    text = verdict_sentence(DEFINITION, decide("4H 6C AS KC 6H", ()))
    assert re.fullmatch(
        r"You held nothing; that cost \d\.\d\d credits\. Best: hold 6C and 6H\.", text
    )


def test_verdict_on_a_right_choice_says_best_or_equal_or_names_a_higher_ev() -> None:
    decision = decide("2C 4H JS 3D 8S", (3,))
    assert verdict_sentence(DEFINITION, decision) == "Right: you held JS, the best choice."
    first, second, *rest = decision.values
    swapped = replace(decision, values=(replace(second, value=first.value + 1), first, *rest))
    text = verdict_sentence(DEFINITION, swapped)
    assert re.fullmatch(
        r"You held JS, no mistake, although holding .+ has an EV that is \d\.\d\d higher\.", text
    )
    alike = tuple(ActionValue(one.action, Fraction(1)) for one in decision.values)
    text = verdict_sentence(DEFINITION, replace(decision, values=alike))
    assert text == "Right: you held JS, and every other choice is as good."


def test_verdict_says_which_choice_looks_worse_within_the_error() -> None:
    decision = decide("2C 4H JS 3D 8S", (3,))
    other = decision.values[1].action

    def judged(gap: float, error: float) -> Decision[State, Action]:
        own = ActionValue(decision.action, 1.0, error)
        rival = ActionValue(other, 1.0 + gap, error)
        values = tuple(sorted((own, rival), key=lambda one: -one.value))
        return replace(decision, values=values)

    def verdict(gap: float, error: float) -> str:
        return verdict_sentence(DEFINITION, judged(gap, error))

    def short(gap: float, error: float) -> tuple[str, ...]:
        return short_verdicts(DEFINITION, judged(gap, error))

    assert short(0.3, 0.2) == ("No clear difference: you held JS",)
    assert short(-0.3, 0.2) == ("Best, but close: you held JS",)
    assert short(-0.3, 0.1) == ("Right: you held JS",)
    assert short(0.3, 0.1) == ("No mistake: you held JS",)
    start = r"No clear difference: you held JS; holding .+ "
    top = r"Best, but close: you held JS; holding .+ "
    end = r" by 0\.30, but EVs may be off by 0\.40\."
    assert re.fullmatch(f"{start}looks better{end}", verdict(0.3, 0.2))
    assert re.fullmatch(f"{top}looks worse{end}", verdict(-0.3, 0.2))
    assert re.fullmatch(f"{start}is equally good\\.", verdict(0.001, 0.2))
    assert verdict(-0.3, 0.1) == "Right: you held JS, the best choice."


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        *(("hold J♠ 7♣", "holding J♠ 7♣"), ("bet 20", "betting 20"), ("hit", "hitting")),
        *(("split", "splitting"), ("raise to 40", "raising to 40"), ("double", "doubling")),
        *(("take insurance", "taking insurance"), ("decline insurance", "declining insurance")),
        *(("say go", "saying go"), ("stand pat", "standing pat"), ("play 5♦", "playing 5♦")),
        *(("check", "checking"), ("discard 9♦ 7♥", "discarding 9♦ 7♥"), ("fold", "folding")),
    ],
)
def test_actions_of_all_games_have_a_noun_for_verdicts(words: str, noun: str) -> None:
    assert gerund(words) == noun
