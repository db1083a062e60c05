"""``replay --advice``: what every choice of a recorded sitting cost, for every game."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_open_sittings import left_open
from tests.contract.toy import DEFINITION as TOY
from tests.golden.write import golden
from tests.helpers.command_runner import output
from tests.helpers.quick_cases import by_game
from tui_casino.cli.replay import advice_lines
from tui_casino.gamekit.adviser import ActionValue, Adviser, Decision
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.gamekit.verdict import alternative_cost, own_cost
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.numbers import count_noun
from tui_casino.records.log_review import weigh_decisions
from tui_casino.records.replay import replay_log
from tui_casino.records.seat_steps import permitted_viewer, reviewed_seat
from tui_casino.records.session_log import SessionLog, read_log
from tui_casino.records.summaries import review_log
from tui_casino.structs import replace
from tui_casino.tui.table.listed_view import rank_values
from tui_casino.tui.table.snapshot import SeatTotals

Capture = pytest.CaptureFixture[str]
FIRST = 6
"""Choices of each golden session that are weighed here."""
CARD = r"[2-9TJQKA][SHDC]"
NAMED: dict[str, str] = {
    "baccarat": r"b \d+ (p|b|t|pp|bp)",
    "cribbage": rf"x {CARD} {CARD}|p {CARD}",
    "five-card-draw": rf"x( {CARD}){{0,4}}|[kbcrf]",
    "thirty-one": r"[hsdpin]",
    "video-poker": rf"h( {CARD}){{0,5}}",
}
"""How each game's choices are written: with cards, no places."""


def first_of(definition: AnyDefinition, log: SessionLog) -> list[Decision[Any, Any]]:
    return [
        choice for choice, _ in zip(weigh_decisions(definition, log), range(FIRST), strict=False)
    ]


def says_that_nothing_is_known(definition: AnyDefinition, log: SessionLog) -> None:
    """Expect that to be said of a game that weighs no choice."""
    with pytest.raises(BadInput, match="there is no trainer for"):
        advice_lines(definition, log, as_json=True)


@by_game
def test_advice_on_a_log_has_the_costs_of_the_judge_and_values_of_the_adviser(
    listing: GameListing,
) -> None:
    """The judge is whom the replay's screen asks, at the same moment."""
    definition, log = listing.definition(), read_log(golden(listing).log)
    if not definition.adviser.has_alternatives:
        return says_that_nothing_is_known(definition, log)
    found = first_of(definition, log)
    assert found
    by_step = {choice.step: choice for choice in found}
    before = definition.game.start(definition.game.Options())
    for played in replay_log(definition.game, log):
        choice = by_step.get(played.line.n)
        if choice is not None:
            seat = choice.seat
            assert seat == played.line.by
            assert choice.action == played.action
            values = [float(worth.value) for worth in choice.values]
            assert values == sorted(values, reverse=True)
            made = next(worth for worth in choice.values if worth.action == choice.action)
            less = values[0] - float(made.value)
            if definition.adviser.has_judge:
                assert definition.adviser.judge is not None
                mistake = definition.adviser.judge(
                    definition.game.view(before, seat), seat, choice.action
                )
                assert choice.cost == (mistake.cost if mistake else 0)
                assert mistake is None or choice.values[0].value == pytest.approx(
                    next(w.value for w in choice.values if w.action == mistake.best)
                )
            if choice.cost:
                assert float(choice.cost) == pytest.approx(less, abs=1e-3)
        before = played.state
        if played.line.n >= found[-1].step:
            break


@by_game
def test_advice_line_in_json_has_step_seat_choice_cost_and_values_by_card_names(
    listing: GameListing,
) -> None:
    definition, log = listing.definition(), read_log(golden(listing).log)
    if not definition.adviser.has_alternatives:
        return says_that_nothing_is_known(definition, log)
    shape = NAMED.get(listing.slug, ".+")
    told = advice_lines(definition, log, as_json=True)
    lines = [json.loads(line) for line, _ in zip(told, range(5), strict=False)]
    assert lines
    for line in lines:
        assert list(line) == ["step", "seat", "choice", "cost", "values"]
        assert line["cost"] >= 0
        assert line["choice"] in line["values"]
        for words, worth in line["values"].items():
            assert re.fullmatch(shape, words), words
            assert list(worth) == ["value", "error"]
            assert worth["error"] >= 0


@by_game
def test_mistake_costs_the_same_in_lists_verdicts_logs_and_meters(listing: GameListing) -> None:
    """A cost is the difference of the EVs shown beside it; the meter rounds the exact sum."""
    definition, log = listing.definition(), read_log(golden(listing).log)
    if not definition.adviser.has_judge:
        return
    summary, _, in_words = review_log(definition, golden(listing).log, choices=True)
    seat = reviewed_seat(log.header)
    decisions = [
        one for one in weigh_decisions(definition, log) if one.mistake and one.seat == seat
    ]
    assert len(decisions) == len(in_words) > 0
    totals = SeatTotals[Any, Any]()
    scale = Fraction(1) if definition.points else Fraction(definition.game.unit, 100)
    for decision, written in zip(decisions, in_words, strict=True):
        evs = [
            round(float(one.value * scale), 2)
            for action in (decision.best, decision.action)
            for one in decision.values
            if one.action == action
        ]
        exact = float(round(decision.cost * scale, 2))
        shown = f"{evs[0] - evs[1] if evs else exact:.2f}"
        assert definition.format_cost(decision) == definition.format_cost(written) == shown
        shown = shown if float(shown) else "less than 0.01"
        assert own_cost(definition, decision) == own_cost(definition, written) == shown
        assert {
            alternative_cost(definition, each, one)
            for each in (decision, written)
            for one in each.values
            if one.action == each.action
        } == {shown}
        ranking = rank_values(definition, decision.view, decision.seat, decision.values)
        rows = replace(ranking, best=decision.best).as_list((decision.action,)).rows
        assert {row.cost for row in rows if row.label} <= {shown, "either", "0.00"}
        totals = totals.with_decision(decision)
    cost = sum((one.cost for one in decisions), Fraction(0))
    shown = f"{float(round(cost * scale, 2)):.2f}"
    assert definition.format_amount(totals.cost) == shown
    assert definition.format_amount(summary.cost_in_units(definition.game.unit)) == shown


def advice(path: Path, *options: str) -> list[str]:
    return output("replay", str(path), "--advice", *options).out.splitlines()


def test_advice_is_printed_as_text_and_as_json() -> None:
    listing = listing_of("video-poker")
    path = golden(listing).log
    choices = [json.loads(line) for line in advice(path, "--json")]
    head, *told, last, end = advice(path)
    assert head.startswith("video-poker")
    assert end == "ended: left"
    assert sum(line.startswith("step ") for line in told) == len(choices)
    cost, wrong = sum(one["cost"] for one in choices), sum(one["cost"] > 0 for one in choices)
    assert last == (
        f"{count_noun(len(choices), 'choice')}, {count_noun(wrong, 'mistake')}, "
        f"expected cost {cost:.2f}"
    )


@by_game
def test_advice_says_best_only_of_the_highest_ev_and_states_errors_of_costs(
    listing: GameListing,
) -> None:
    definition, log = listing.definition(), read_log(golden(listing).log)
    if not definition.adviser.has_alternatives:
        return says_that_nothing_is_known(definition, log)
    heads = (
        line for line in advice_lines(definition, log, as_json=False) if line.startswith("step ")
    )
    seen = set[str]()
    for head, choice in zip(heads, weigh_decisions(definition, log), strict=True):
        verdict = head.rpartition(": ")[2]
        (own,) = (one for one in choice.values if one.action == choice.action)
        is_first = own.value >= choice.values[0].value
        is_estimate = any(one.error for one in choice.values)
        if choice.cost:
            assert re.fullmatch(r"costs \d+\.\d\d(, error \d+\.\d\d)?", verdict), head
            assert ("error" in verdict) <= is_estimate, head
        elif verdict == "best":
            assert is_first or not is_estimate, head
        else:
            assert verdict == "no clear difference from the best", head
            assert is_estimate, head
            assert not is_first, head
        seen.add(verdict.partition(" ")[0])
    assert {"best", "costs"} <= seen


@pytest.mark.parametrize("slug", ["five-card-draw", "cribbage"])
def test_advice_text_ends_with_choices_mistakes_and_total_cost_per_seat(slug: str) -> None:
    path = golden(listing_of(slug)).log
    costs: dict[int, list[float]] = {}
    for line in advice(path, "--json"):
        choice = json.loads(line)
        costs.setdefault(choice["seat"], []).append(choice["cost"])
    told = [line for line in advice(path) if line.startswith("seat ")]
    players = read_log(path).header.players
    for line, (seat, own) in zip(told, sorted(costs.items()), strict=True):
        wrong = count_noun(sum(cost > 0 for cost in own), "mistake")
        counts = f"{count_noun(len(own), 'choice')}, {wrong}, expected cost "
        assert line.startswith(f"seat {seat} ({players[seat]}): {counts}")


@pytest.mark.parametrize("form", ["--text", "--states"])
def test_advice_option_is_refused_together_with_text_or_states(form: str) -> None:
    refusal = output("replay", "any.jsonl", "--advice", form, code=2).err
    assert f"--advice can be combined with --json, but not with {form}" in refusal


def test_advice_for_a_game_without_an_adviser_is_refused() -> None:
    log = read_log(golden(GAMES[0]).log)
    assert not TOY.adviser.has_alternatives
    for as_json in (False, True):
        with pytest.raises(BadInput, match="there is no trainer for"):
            advice_lines(TOY, log, as_json=as_json)


def test_adviser_with_only_action_values_costs_mistakes_beyond_two_errors() -> None:
    """Without a judge the cost is what the best is worth more, beyond two standard errors."""
    listing = listing_of("video-poker")
    definition, log = listing.definition(), read_log(golden(listing).log)
    worths = definition.adviser.action_values
    assert worths is not None
    exactly: AnyDefinition = replace(definition, adviser=Adviser(action_values=worths))
    judged_ones, found = first_of(definition, log), first_of(exactly, log)
    assert [one.cost for one in found] == [one.cost for one in judged_ones]
    highest = max(float(one.cost) for one in found if one.cost)
    for error, are_mistakes in ((0.3, True), (0.4, False)):  # the limit is 1 / √8

        def roughly(
            view: Any, seat: Any, error: float = error * highest
        ) -> tuple[ActionValue[Any], ...]:
            return tuple(replace(worth, error=error) for worth in worths(view, seat))

        vague: AnyDefinition = replace(definition, adviser=Adviser(action_values=roughly))
        assert any(one.cost for one in first_of(vague, log)) is are_mistakes


@by_game
def test_advice_for_an_open_session_covers_only_choices_of_its_player(
    listing: GameListing, tmp_path: Path
) -> None:
    definition = listing.definition()
    log = read_log(left_open(listing, tmp_path, practice=True)[0])
    if not definition.adviser.has_alternatives:
        return says_that_nothing_is_known(definition, log)
    assert not log.over
    found = first_of(definition, log)
    assert {choice.seat for choice in found} <= {permitted_viewer(log.header)}
