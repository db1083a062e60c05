"""Habits: one bad habit leads the leaks, and every kind of mistake has a habit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.helpers.ledger_sessions import clock
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import by_game_first, first_of
from tests.helpers.random_play import Wild
from tests.helpers.scripted_sessions import ME, play_sessions, reviewed_in
from tui_casino.cards.card import parse_hand
from tui_casino.engine.chance import DiceStream
from tui_casino.engine.offers import Dice
from tui_casino.gamekit.adviser import (
    OTHER_HABIT,
    ActFrequencies,
    ActFrequency,
    Decision,
    Mistake,
    MistakeKind,
    add_frequencies,
    compare_act,
)
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import DEFINITIONS, GameListing
from tui_casino.games.cribbage.brains import mistake_kinds as cribbage
from tui_casino.games.cribbage.brains import mistake_kinds as cribbage_kinds
from tui_casino.games.cribbage.machine import state as crib
from tui_casino.games.cribbage.machine.state import Discard as CribDiscard
from tui_casino.games.five_card_draw.brains import mistakes as draw
from tui_casino.games.five_card_draw.brains.equilibrium.blueprint import blueprint, bucket_of
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import DecisionPoint
from tui_casino.games.five_card_draw.brains.limit_adviser import advise_limit
from tui_casino.games.five_card_draw.brains.players import EQUILIBRIUM, decision_name
from tui_casino.games.five_card_draw.machine import state as poker
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.state import Call
from tui_casino.games.thirty_one.brains import mistake_kinds as hit_me
from tui_casino.games.thirty_one.brains import mistake_kinds as hit_me_kinds
from tui_casino.games.thirty_one.machine import state
from tui_casino.games.thirty_one.machine import state as thirty_one
from tui_casino.games.video_poker.brains import mistake_kinds as video_poker
from tui_casino.games.video_poker.brains.strategy import LINES
from tui_casino.games.video_poker.machine.game import Hold
from tui_casino.records.cache import Cache
from tui_casino.structs import replace
from tui_casino.teacher.leaks import HabitLeak, describe_habit, find_habits
from tui_casino.teacher.mistake_queue import AnswerFile, MistakeQueue
from tui_casino.teacher.mistakes import ReviewedSitting, costliest_mistakes
from tui_casino.teacher.practice_tasks import DrillRequest, MistakeRequest, TaskScheduler

# ---- one bad habit -------------------------------------------------------------------------------


class BadHabit(Struct, frozen=True):
    """A player with one bad habit, who otherwise makes the choice that the judge finds best.

    ``wrong`` returns the bad choice in a view with a spot, or ``None`` if the habit does not show.
    """

    name: str
    wrong: Callable[[Any, str], Any]
    benchmark: str
    opponent: str = ""
    usual: Any = None
    options: Any = None


def break_pair(view: Any, spot: str) -> Any:
    """Return the best discard that puts one card of a pair into the crib."""
    if not spot.startswith("discard to "):
        return None
    ranks = [card.rank for card in view.hands[ME]]
    pairs = combinations(range(len(ranks)), 2)
    breaking = [
        CribDiscard((one + 1, two + 1))
        for one, two in pairs
        if ranks[one] != ranks[two] and max(ranks.count(ranks[one]), ranks.count(ranks[two])) > 1
    ]
    values = DEFINITIONS["cribbage"].adviser.values(view, ME)
    return next((one.action for one in values if one.action in breaking), None)


def call_loosely(view: Any, spot: str) -> Any:
    """Call before the draw with less than a pair of kings."""
    weak = spot.endswith((*draw.PAIRS[1:], *draw.HIGH))
    return Call() if weak and may_call_loosely(spot) else None


def may_call_loosely(spot: str) -> bool:
    """Return whether a spot is before the draw, facing a bet with less than aces or kings."""
    before = spot.startswith("facing ") and " before the draw with " in spot
    return before and not spot.endswith((*draw.MADE, draw.PAIRS[0]))


HABITS: Mapping[str, BadHabit] = {
    "video-poker": BadHabit(
        "breaking a low pair",
        lambda view, spot: Hold(()) if spot == "Low pair" else None,
        "; perfect play never does.",
    ),
    "thirty-one": BadHabit(
        "stopping or doubling on the first card",
        lambda view, spot: state.Stand() if spot.startswith("first card ") else None,
        "; perfect play never does.",
        usual=state.Bet(20),
    ),
    "cribbage": BadHabit(
        "breaking a pair for the crib", break_pair, "; the trainer does in ", opponent="greedy"
    ),
    "five-card-draw": BadHabit(
        "calling too loosely before the draw",
        call_loosely,
        "; the GTO level does in ",
        EQUILIBRIUM,
        options=poker.Options(opponents=1),
    ),
}


@by_game_first("video-poker", "baccarat")
@pytest.mark.parametrize("rounds", first_of([30, 200]), ids=labelled("{} rounds"))
def test_player_with_one_bad_habit_has_it_as_first_leak_with_true_frequency(
    listing: GameListing, rounds: int, tmp_path: Path
) -> None:
    habit, definition = HABITS.get(listing.slug), listing.definition()
    if habit is None:
        assert not definition.adviser.has_judge
        return
    calls, chances = list[bool](), list[float]()

    def choose(view: Any, able: tuple[Any, ...], dice: Dice) -> Any:
        action = chosen(definition, habit, view, able, dice)
        if listing.slug == "five-card-draw" and may_call_loosely(draw.spot(view, ME)):
            advice = advise_limit(view, ME)
            if advice is not None and advice.has_frequencies:
                calls.append(isinstance(action, Call))
                chances.append(blueprint_call(view))
        return action

    play_sessions(definition, choose, tmp_path, rounds, habit.options, habit.opponent)
    found = reviewed_in(tmp_path)
    first, *others = find_habits(found)
    assert first.total.habit == habit.name
    assert first.total.rounds >= rounds
    assert first.total.unit == ("points" if definition.points else "bets")
    assert first.total.count == sum(leak.count for leak in first.leaks) <= first.total.moments
    assert first.total.rate.cost > sum(other.total.rate.cost for other in others)
    assert habit.benchmark in describe_habit(first)[0]
    if chances:  # the same hands in the blueprint itself
        _, compared, done, benchmark = first.total.frequency
        assert (compared, done) == (len(calls), sum(calls))
        assert benchmark == pytest.approx(sum(chances), abs=1e-4)
    drilled_first(listing, found, first)


def chosen(
    definition: AnyDefinition, habit: BadHabit, view: Any, able: tuple[Any, ...], dice: Dice
) -> Any:
    """Return the choice of a player with the habit."""
    if habit.usual is not None and any(one.contains(habit.usual) for one in able):
        return habit.usual
    adviser, action = definition.adviser, Wild().choose(view, ME, able, dice)
    mistake = adviser.mistake(view, ME, action)
    best = mistake.best if mistake else action
    wrong = habit.wrong(view, adviser.spot(view, ME, best) or "")
    legal = wrong is not None and any(one.contains(wrong) for one in able)
    return wrong if legal else best


def blueprint_call(view: Any) -> float:
    """Return how often the blueprint calls with the hand, facing a bet before the draw."""
    node = decision_name(view.betting, view.dealt_in)
    position = view.dealt_in.index(ME)
    policy = blueprint().policies[position][DecisionPoint("opening", node)]
    return float(policy[1, bucket_of(view.hands[ME])])


def drilled_first(listing: GameListing, found: list[ReviewedSitting], habit: HabitLeak) -> None:
    """Most drills are of the habit, and its mistakes are in the queue."""
    queue = MistakeQueue(AnswerFile(None, "ann"))
    for each in found:
        queue.add(each)
    tasks = TaskScheduler(DEFINITIONS, queue, Cache(None), clock, DiceStream(b"me", "drills"))
    spots, targets = {leak.kind.spot for leak in habit.leaks}, tasks.targets()
    weights = Counter[bool]()
    for aim in targets:
        weights[aim.spot in spots] += round(1000 * aim.weight)
    assert weights[True] > weights[False]
    kind = habit.leaks[0].kind
    drill = not_none(tasks.next(DrillRequest(listing.slug, kind.spot)))
    assert drill.spot == kind.spot
    task = not_none(tasks.next(MistakeRequest(kind=kind)))
    assert task.spot == kind.spot
    assert {group.kind for group in queue.groups()} >= {leak.kind for leak in habit.leaks}
    mistakes = costliest_mistakes(found, str(kind))
    assert len(mistakes) == habit.leaks[0].count


# ---- kinds and frequencies -----------------------------------------------------------------------


def test_every_kind_of_mistake_belongs_to_a_named_habit() -> None:
    for line in LINES:
        assert video_poker.habit_of(MistakeKind(line, "held Ace")) != OTHER_HABIT
    possible = ("hit", "stood", "doubled")
    for place in hit_me_kinds.spots():
        slips = ("insured", "went without") if place == "insurance" else possible
        for slip in (*slips, "split") if place.startswith("pair") else slips:
            assert hit_me.habit_of(MistakeKind(place, slip)) != OTHER_HABIT
    for place in draw.spots():
        slips = ("folded", "called", "raised")
        if place.startswith(("the draw", "opening")):
            slips = ("stood pat", "discarded 2") if place[0] == "t" else ("checked", "bet")
        for slip in slips:
            assert draw.habit_of(MistakeKind(place, slip)) != OTHER_HABIT
    for place, slip in cribbage_pairs():
        assert cribbage.habit_of(MistakeKind(place, slip)) != OTHER_HABIT


def cribbage_pairs() -> set[tuple[str, str]]:
    discards = {(place, slip) for place, slips in cribbage.BY_CRIB.items() for slip in slips}
    return discards | {(cribbage_kinds.LEAD, slip) for slip in cribbage.IN_THE_PLAY}


def test_every_habit_name_has_at_most_38_characters() -> None:
    """The leaks screen shows them in full at 80 columns."""
    names = {cribbage.habit_of(MistakeKind(*pair)).name for pair in cribbage_pairs()}
    for place in hit_me_kinds.spots():
        names |= {
            hit_me.habit_of(MistakeKind(place, slip)).name for slip in hit_me_kinds.DONE.values()
        }
    for place in draw.spots():
        slips = (*draw.DONE.values(), "stood pat", "discarded 2")
        names |= {draw.habit_of(MistakeKind(place, slip)).name for slip in slips}
    for line in LINES:
        slips = ("held Ace", "held cards that match no line")
        names |= {video_poker.habit_of(MistakeKind(line, slip)).name for slip in slips}
    assert len(names) > 30
    assert max(map(len, names)) <= 38


def decision(view: Any, action: Any, best: Any = None) -> Decision[Any, Any]:
    mistake = None if best is None else Mistake(Fraction(1), best)
    return Decision(ME, view, action, "", mistake)


def test_frequencies_of_an_act_are_added_up() -> None:
    sums = ActFrequencies()
    for done in (True, False, True):
        add_frequencies(sums, {"a spot": {"hit": compare_act(done=done, benchmark=0.25)}})
    add_frequencies(sums, {"a spot": {"stood": ActFrequency(1)}})
    assert sums == {"a spot": {"hit": ActFrequency(3, 3, 2, 0.75), "stood": ActFrequency(1)}}


def test_draw_habit_frequency_is_compared_with_the_gto_level_at_the_same_hand() -> None:
    hands = parse_hand("QS TD 7S 4H 2S"), parse_hand("KS QD 8H 6C 2H")
    view = poker.State(
        poker.Options(1),
        (395, 385),
        poker.Phase.OPENING,
        dealer=0,
        dealt_in=(1, 0),
        hands=hands,
        thrown=((), ()),
        drawn=(None, None),
        put_in=(5, 15),
        betting=Betting(10, (0, 10), (0,)),
        opener=1,
    )
    found = draw.act_frequencies(decision(view, Call()))
    policy = blueprint().policies[1][DecisionPoint("opening", "b")][:, bucket_of(hands[0])]
    for slip, share in zip(("folded", "called", "raised"), policy.tolist(), strict=True):
        assert found[slip][:3] == (1, 1, int(slip == "called"))
        assert found[slip].benchmark == pytest.approx(share)
    alone = replace(view, options=poker.Options(1, poker.Stakes.ANTE))
    assert draw.act_frequencies(decision(alone, Call())) == {}


def test_habit_frequency_counts_only_hands_where_the_choice_was_possible() -> None:
    view = thirty_one.State(
        thirty_one.Options(),
        100_000,
        thirty_one.Phase.PLAY,
        dealer=parse_hand("6C"),
        hands=(thirty_one.PlayerHand(500, parse_hand("TS 4D")),),
    )
    found = hit_me.act_frequencies(decision(view, state.Hit(), state.Stand()))
    assert found["hit"] == ActFrequency(1, 1, 1, 0)
    assert found["stood"] == ActFrequency(1, 1, 0, 1)
    assert "split" not in found, "ten and four are not a pair"


def test_cribbage_habits_count_broken_pairs_and_runs_of_player_and_best() -> None:
    hands = parse_hand("4H 5C 5S 6D JD KC"), ()
    view = crib.State(crib.Options(), crib.Phase.DISCARD, 1, hands=hands, waiting=(0, 1))
    found = cribbage.act_frequencies(decision(view, CribDiscard((2, 6)), CribDiscard((5, 6))))
    assert found == {
        "broke a pair": ActFrequency(1, 1, 1, 0),
        "broke a run": ActFrequency(1, 1, 0, 0),
    }
    both = cribbage.act_frequencies(decision(view, CribDiscard((2, 6))))
    assert both["broke a pair"] == ActFrequency(1, 1, 1, 1)
    plain = replace(view, hands=(parse_hand("2H 4C 7S 9D JD KC"), ()))
    assert cribbage.act_frequencies(decision(plain, CribDiscard((5, 6)))) == {}
