"""The reasons of verdicts at Hit Me: figures are computed in another way, and rules are obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest

from tests.games.thirty_one.fresh_shoe import PACK, finals, less
from tests.games.thirty_one.simple_rules import counted
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import PACK as PACK_OF_CARDS
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.adviser import Decision, ValuesScope
from tui_casino.gamekit.number_formats import whole_percent
from tui_casino.gamekit.reason import Reason
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.brains.reasons import bets_text, columns, reason
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import VALUES, Odds, Rules
from tui_casino.games.thirty_one.machine.state import (
    Action,
    Bet,
    Decline,
    Double,
    Hit,
    Insure,
    Options,
    Phase,
    PlayerHand,
    Split,
    Stand,
    State,
)

SEAT = Seat(0)
HOUSES = (
    Rules(),
    Rules(),
    Rules(dealer_hits_soft=True, insurance=Odds(5)),
    Rules(double_two_cards=True, most_hands=4),
)
Counts = tuple[int, ...]
Judged = Decision[State, Action]
Outcome = tuple[float, float, float]


def decisions(name: str, count: int) -> Iterator[tuple[Judged, Reason]]:
    """Play at random and yield choices with their reasons; most first cards are hit."""
    dice = Random(name)
    while True:
        rules = dice.choice(HOUSES)
        table = Table(
            game,
            Options(rules, credit=10**8),
            ShuffledShoe(),
            SeededSource(dice.randrange(10**9)),
            {SEAT: None},
        )
        table.run()
        for _ in range(60):
            view = table.view(SEAT)
            actions: list[Action] = [Bet(dice.randrange(20, 200))]
            if view.phase is not Phase.BET:
                actions = [action for offer in game.offers(view, SEAT) for action in offer.all()]
            action = dice.choice(actions)
            place = view.active
            if place is not None and len(view.hands[place].cards) == 1 and dice.random() < 0.8:
                action = Hit()
            if view.phase is not Phase.BET and dice.random() < 0.5:
                decision = DEFINITION.decision(view, SEAT, action, ValuesScope.OF_ALL)
                if decision is not None and (one := reason(decision)) is not None:
                    yield decision, one
                    count -= 1
                    if not count:
                        return
            table.submit(SEAT, action)
            table.run()


def position_parts(view: State) -> tuple[tuple[int, ...], int, Counts, int]:
    """Return the hand, the dealer's card, the cards left, and the bet in cents."""
    place = not_none(view.active if view.phase is Phase.PLAY else 0)
    left: Counts = PACK
    for card in (*view.discards, *view.dealer, *(c for hand in view.hands for c in hand.cards)):
        left = less(left, VALUES[card.rank])
    hand = tuple(VALUES[card.rank] for card in view.hands[place].cards)
    return hand, VALUES[view.dealer[0].rank], left, view.hands[place].bet


@cache
def dealt(up: int, soft: bool, only_31: bool, left: Counts) -> dict[int, float]:
    found = finals(up, soft, only_31, np.array([left], np.float64))
    return {final: float(chances[0]) for final, chances in found.items()}


def stood(hand: tuple[int, ...], up: int, left: Counts, rules: Rules) -> tuple[float, float]:
    """Return the chances to win and to push, by going through the dealer's totals."""
    points = counted(hand)[0]
    ends = dealt(up, rules.dealer_hits_soft, points == 14, left)
    if points == 14:
        return 1 - ends[31], 0.0
    wins = sum(chance for end, chance in ends.items() if end == 32 or 14 != end < points)
    return wins, ends.get(points, 0.0)


def doubled(hand: tuple[int, ...], up: int, left: Counts, rules: Rules) -> tuple[float, float]:
    wins = pushes = 0.0
    for value, count in enumerate(left, 1):
        if count and counted((*hand, value))[0] <= 31:
            won, pushed = stood((*hand, value), up, less(left, value), rules)
            wins, pushes = wins + count * won, pushes + count * pushed
    return wins / sum(left), pushes / sum(left)


def hit(hand: tuple[int, ...], up: int, left: Counts, rules: Rules, double: bool) -> Outcome:
    """Return EV, wins and pushes of a hit and perfect play, hand by hand; for high totals."""
    sums = np.zeros(3)
    for value, count in enumerate(left, 1):
        longer, rest = (*hand, value), less(left, value)
        points = counted(longer)[0]
        if not count or points > 31:
            sums += (-count, 0, 0)
            continue
        wins, pushes = stood(longer, up, rest, rules)
        ways = [(2 * wins + pushes - 1, wins, pushes)]
        if points < 31:
            ways.append(hit(longer, up, rest, rules, double))
            if double and not rules.double_two_cards:
                wins, pushes = doubled(longer, up, rest, rules)
                ways.append((2 * (2 * wins + pushes - 1), wins, pushes))
        sums += count * np.array(max(ways))
    one, two, three = sums / sum(left)
    return float(one), float(two), float(three)


def check_figures(decision: Judged, told: Reason) -> int:
    """Compare the figures of a reason; return how many were compared."""
    view, rules = decision.view, decision.view.options.rules
    hand, up, left, bet = position_parts(view)
    size, compared = sum(left), 0
    values = {one.action: float(one.value) / bet for one in decision.values}
    nexts = [(counted((*hand, value))[0], count) for value, count in enumerate(left, 1) if count]
    names: dict[str, Action] = {
        "stand": Stand(),
        "hit": Hit(),
        "double": Double(),
        "split": Split(),
        "insurance": Insure(),
        "no insurance": Decline(),
    }
    if Stand() in values and left:
        shown = [float(column.texts[Stand()].strip("underov %")) for column in columns(decision)]
        stands = [100 * chance for chance in stood(hand, up, left, rules)]
        assert shown == pytest.approx(stands, abs=1)
    for name, value in told.figures:
        subject, _, what = name.rpartition(" ")
        expected: float
        match subject, what:
            case "", "bust":
                expected = sum(count for points, count in nexts if points > 31) / size
            case "", "made":
                made = (14, 27, 28, 29, 30, 31)
                expected = sum(count for points, count in nexts if points in made) / size
            case "", "highest":
                expected = max(points for points, _ in nexts if points <= 31)
            case "", "needed":
                expected = rules.insurance.staked / (rules.insurance.paid + rules.insurance.staked)
            case "dealer", "31":
                expected = dealt(up, rules.dealer_hits_soft, False, left)[31]
            case _, "EV":
                expected = values[names[subject]]
            case "stand", "wins":
                expected = stood(hand, up, left, rules)[0]
            case "stand", "loses":
                expected = 1 - stood(hand, up, left, rules)[0]
            case "stand", "pushes":
                expected = stood(hand, up, left, rules)[1]
            case "double", "wins":
                expected = doubled(hand, up, left, rules)[0]
            case "double", "loses":
                expected = 1 - sum(doubled(hand, up, left, rules))
            case "double", "pushes":
                expected = doubled(hand, up, left, rules)[1]
            case "hit", "wins" | "pushes" if counted(hand)[0] >= 24 and not counted(hand)[1]:
                covered = view.credit >= bet
                double = covered and (len(view.hands) == 1 or rules.double_after_split)
                expected = hit(hand, up, left, rules, double)[1 + (what == "pushes")]
            case "hit", "wins" | "pushes":
                continue
            case _:
                raise AssertionError(name)
        compared += 1
        assert float(value) == pytest.approx(expected, abs=2e-3), (name, told)
    return compared


def check_numbers(told: Reason) -> None:
    """Check that each share and each EV in the cause is one of the figures."""
    text = " ".join(told.cause)
    figures = [float(value) for _, value in told.figures]
    shares = {whole_percent(value) for value in figures if 0 <= value <= 1}
    assert set(re.findall(r"(?:under |over )?\d+%", text)) <= shares
    for written in re.findall(r"(?:\w+ )?\d+\.\d\d", text):
        assert written in {bets_text(value) for value in figures}


def check_rule(decision: Judged, told: Reason) -> None:
    """Check that the best action obeys the rule of thumb."""
    hand, up, left, _ = position_parts(decision.view)
    points, rules = counted(hand)[0], decision.view.options.rules
    best, rule = type(decision.best), told.rule
    if not rule:
        return
    if rule.startswith("Stand on 14"):
        assert points == 14
        assert best is Stand
    elif rule.startswith("With a single card"):
        assert len(hand) == 1
        assert best is Hit
    elif rule.startswith("Double only if"):
        wins, pushes = doubled(hand, up, left, rules)
        assert (wins > 1 - wins - pushes) == (best is Double)
    elif rule.startswith("Below 22"):
        assert points < 22
        assert best is not Stand
        assert all(counted((*hand, value))[0] <= 31 for value in range(1, 11))
    elif match := re.match(r"Against an? (\w+), stand on (hard|soft) (\d+) or more", rule):
        card, kind, least = match.groups()
        assert (1 if card == "ace" else int(card)) == up
        assert (kind == "soft") == counted(hand)[1]
        assert (points >= int(least)) == (best is Stand)
    elif rule.startswith(("Never split", "Always split")):
        assert (best is Split) == rule.startswith("Always")
    elif match := re.match(r"Split \w+ (only if|unless) the dealer shows (.*)\.", rule):
        shown = re.split(", | or ", match.group(2))
        is_shown = ("ace" if up == 1 else str(up)) in shown
        assert (is_shown == (match.group(1) == "only if")) == (best is Split)
    else:
        assert rule.startswith("Take insurance only if")
        figures = dict(told.figures)
        assert (figures["dealer 31"] > figures["needed"]) == (best is Insure)


@pytest.mark.parametrize(
    "count", [6, pytest.param(80, marks=pytest.mark.prove)], ids=labelled("{} positions")
)
def test_figures_and_rules_in_hit_me_reasons_are_correct(count: int) -> None:
    """Each reason is computed again from the rules, without tables: half a second per reason."""
    compared, rules = 0, 0
    for decision, told in decisions(f"reasons {count}", count):
        assert told.cause
        check_numbers(told)
        check_rule(decision, told)
        compared += check_figures(decision, told)
        if "favourite" in " ".join(told.cause):
            hand, up, left, _ = position_parts(decision.view)
            wins, pushes = doubled(hand, up, left, decision.view.options.rules)
            assert wins > 1 - wins - pushes
        rules += bool(told.rule)
    assert compared >= 3 * count // 2
    assert rules >= count // 2


def test_hit_me_reason_exists_for_a_shoe_that_runs_out() -> None:
    dice = Random("short shoes")
    for _ in range(25):
        cards = [*PACK_OF_CARDS, *PACK_OF_CARDS]
        dice.shuffle(cards)
        end = dice.randrange(1, 3)
        view = State(
            Options(),
            credit=10**6,
            phase=Phase.PLAY,
            discards=tuple(cards[end + 1 : len(cards) - dice.choice([0, 1, 3, 6])]),
            last=20,
            dealer=(cards[end],),
            hands=(PlayerHand(2000, tuple(cards[:end])),),
        )
        for offer in game.offers(view, SEAT):
            for action in offer.all():
                decision = not_none(DEFINITION.decision(view, SEAT, action, ValuesScope.OF_ALL))
                told = not_none(reason(decision))
                check_numbers(told)
                assert " ".join(told.cause).lower().count("no card can bust") < 2


def test_hit_me_bet_has_no_reason() -> None:
    view = game.start(Options())
    assert reason(Decision(SEAT, view, Bet(20), "")) is None


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0, "0%"), (0.001, "under 1%"), (0.126, "13%"), (0.999, "over 99%"), (1, "100%")],
)
def test_whole_percent_shows_0_and_100_only_for_certain_outcomes(chance: float, text: str) -> None:
    assert whole_percent(chance) == text
