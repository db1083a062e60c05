"""The reasons of bets and discards at five-card draw: each figure is computed in another way."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from msgspec import Struct

from tests.helpers.narrow import instance_of, not_none
from tests.helpers.parameter_ids import labelled
from tests.helpers.random_play import seed_of
from tui_casino.cards.card import PACK, Hand, parse_hand
from tui_casino.cards.poker import HandCategory, rank_hand
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.adviser import Decision, ValuesScope
from tui_casino.gamekit.number_formats import rough_percent
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.adviser import DiscardAdvice, advise
from tui_casino.games.five_card_draw.brains.discard_reasons import _COUNTED
from tui_casino.games.five_card_draw.brains.equilibrium.blueprint import blueprint, bucket_of
from tui_casino.games.five_card_draw.brains.equilibrium.opponent_ranges import blueprint_ranges
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import DecisionPoint
from tui_casino.games.five_card_draw.brains.limit_adviser import (
    advise_limit,
    opponent_reach,
    showdown_chance,
    wins_against,
)
from tui_casino.games.five_card_draw.brains.limit_choices import (
    LimitAdvice,
    LimitChoice,
    close_index_after_call,
)
from tui_casino.games.five_card_draw.brains.pot_odds import EvBasis, winnable_chips
from tui_casino.games.five_card_draw.brains.reasons import (
    ACT_OF_LETTER,
    columns,
    reason,
    which_to_follow,
)
from tui_casino.games.five_card_draw.face.advice import limit_advice_page
from tui_casino.games.five_card_draw.machine.betting import Betting, last_acts
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.rules import every_discard, kept_cards
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Bet,
    Call,
    Check,
    Discard,
    Fold,
    Options,
    Phase,
    Play,
    Raise,
    Stakes,
    State,
)
from tui_casino.structs import replace

ME = Seat(0)
CATEGORY_OF = {name: category for category, name in _COUNTED.items()}


def drawing(cards: Hand, stakes: Stakes = Stakes.LIMIT) -> State:
    state = start(Options(opponents=1, stakes=stakes))
    return replace(
        state,
        dealt_in=(0, 1),
        put_in=(5, 5),
        stacks=(395, 395),
        phase=Phase.DRAW,
        hands=(cards, ()),
        thrown=((), ()),
        drawn=(None, None),
        drawing=(0, 1),
    )


def decide(view: State, action: Action) -> Decision[State, Action]:
    decision = not_none(DEFINITION.decision(view, ME, action, ValuesScope.OF_ALL))
    return decision


def random_decisions(seed: int, hands: int, opponents: int = 1) -> Iterator[Decision[Any, Any]]:
    """Play random hands at the limit table; yield the decisions of the first seat."""
    dice = random.Random(seed)
    options = DEFINITION.game.sit(Options(opponents=opponents, stakes=Stakes.LIMIT), 400)
    players = {Seat(each): None for each in range(opponents + 1)}
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, options, ShuffledShoe(), CommittedSource(seed_of(seed)), players
    )
    finished = 0
    while finished < hands:
        if not table.waiting:
            if not table.advance():
                return
            continue
        turn = table.game.turn(table.state)
        if not isinstance(turn, AskSeats):
            return
        seat = turn.seats[0]
        view = table.view(seat)
        able = [
            action
            for offer in table.game.offers(view, seat)
            if offer.barred is None
            for action in offer.all()
            if not isinstance(action, Fold) or dice.random() < 0.2
        ]
        action = dice.choice(able) if able else Fold()
        if isinstance(action, Play):
            finished += 1
        elif seat == ME:
            decision = DEFINITION.decision(view, seat, action, ValuesScope.OF_ALL)
            if decision is not None:
                yield decision
        table.submit(seat, action)


# ---- bets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8), ids=labelled("seed {}"))
def test_figures_in_the_reason_for_a_bet_are_correct_for_the_position(seed: int) -> None:
    checked = 0
    for decision in random_decisions(seed, 12, opponents=1 + seed % 2):
        if isinstance(decision.action, Discard):
            continue
        found, view = reason(decision), decision.view
        advice = advise_limit(view, decision.seat)
        assert found is not None
        assert advice is not None
        checked += 1
        figures, text = dict(found.figures), " ".join(found.sentences)
        assert figures.get("win chance", advice.win_chance) == advice.win_chance
        call = min(view.betting.owes(ME), view.stacks[ME])
        pot = winnable_chips(view.put_in, ME, call)
        if "pot odds" in figures:
            assert figures["pot odds"] == Fraction(call, pot)
            assert f"it costs {call} to win {pot - call}" in text
        if "without later bets" in figures:
            shown = float(figures["without later bets"])
            assert shown == pytest.approx(advice.win_chance * pot - call)
            choice = not_none(advice.choice_for(Call() if call else Check()))
            change = choice.value - shown
            bets = "the bets after the draw|and later bets"
            told = re.search(f"(?:{bets}) (win|cost) you (more than)?", text)
            least = 0.005 if advice.basis is EvBasis.SOLUTION else 1
            assert (told is not None) == (view.phase is Phase.OPENING and abs(change) >= least)
            assert told is None or bool(told[2]) or (told[1] == "win") == (change > 0)
        for choice in advice.choices:
            name = type(choice.action).__name__
            assert figures[f"EV of {name.lower()}"] == choice.value
            share = figures.get(f"frequency of {name}", choice.frequency)
            assert share == choice.frequency
            _check_responses(view, choice, figures)
            _check_called_bet(view, choice, figures)
        shares = [column.texts for column in columns(decision)]
        solved = advice.basis is EvBasis.SOLUTION
        usual = {one.action: rough_percent(one.frequency) for one in advice.choices}
        assert shares == [usual] * (solved and advice.has_frequencies)
        _check_bluff(decision, figures, text)
        _check_shares(text)
        for raised in re.findall(r"your opponent raises ([\d.]+%) of the time", text):
            assert f"raise {raised} (" in text, "a share has the same digits in both places"
        _check_claims(advice, text, figures)
        _check_rule(found.rule, advice.best.action, advice.win_chance, advice.pot_odds)
    assert checked > 10


def _check_responses(view: Any, choice: LimitChoice, figures: dict[str, Any]) -> None:
    """The EVs after all responses, weighted by their frequencies, give the EV of the choice."""
    if not choice.responses:
        return
    word = type(choice.action).__name__.lower()
    assert sum(one.share for one in choice.responses) == pytest.approx(1, abs=1e-4)
    total = sum(one.share * one.value for one in choice.responses)
    assert total == pytest.approx(choice.value, abs=0.02)
    for one in choice.responses:
        name = f"{word}, {ACT_OF_LETTER[one.letter]}"
        assert figures.get(name, one.share) == one.share
        if one.letter == "f":
            assert one.value == pytest.approx(view.pot, abs=0.001), "the pot as it was"


def _check_bluff(decision: Decision[Any, Any], figures: dict[str, Any], text: str) -> None:
    view = decision.view
    for action in (decision.best, decision.action):
        name = f"{type(action).__name__.lower()} wins"
        if name in figures:
            assert figures[name] == wins_against(view, ME, action)
    assert ("is a bluff" in text) == ("folds needed" in figures)
    if "folds needed" in figures:
        top = max(view.betting.bets)
        risk = min(top + view.betting.size - view.betting.bets[ME], view.stacks[ME])
        evs = {one.action: one.value for one in decision.values}
        others = {decision.best, decision.action} - {Bet(), Raise()} or {*evs} - {Bet(), Raise()}
        need = (risk + max(evs[one] for one in others)) / (risk + sum(view.put_in))
        assert figures["folds needed"] == pytest.approx(need)
        word = "raise" if top else "bet"
        assert figures[f"{word} wins"] < 0.3
        is_best = isinstance(decision.best, Bet | Raise)
        start = rf"{word.capitalize()}[^:]*, EV [^:]*: your opponent should "
        fold = not_none(re.search(rf"{start}fold ([\d.]+%)", text))
        assert f"and it gets {fold[1]}." in text, "a share has the same digits in both places"
        assert (figures[f"{word}, fold"] > figures["folds needed"]) == is_best


def _check_called_bet(view: Any, choice: LimitChoice, figures: dict[str, Any]) -> None:
    """After the draw, a called bet wins the pot and the call as often as the figures say."""
    called = next((one for one in choice.responses if one.letter == "c"), None)
    word = type(choice.action).__name__.lower()
    if view.phase is not Phase.CLOSING or called is None or f"{word} wins" not in figures:
        return
    top = max(view.betting.bets) + view.betting.size
    risk, call = (top - view.betting.bets[one] for one in (ME, Seat(1)))
    pot = sum(view.put_in) + risk + call
    assert called.value == pytest.approx(figures[f"{word} wins"] * pot - risk, abs=0.02)


def _check_shares(text: str) -> None:
    """Shares add up to 100%, and together with their EVs they give the stated EV."""
    for stated, responses in re.findall(r"EV (\S+): your opponent should ([^:]+)\.", text):
        parts = re.findall(r"(\d+\.\d)% \((\S+?)[;)]", responses)
        assert not parts or sum(Decimal(share) for share, _ in parts) == 100
        total = sum(float(share) / 100 * number(ev) for share, ev in parts)
        assert not parts or total == pytest.approx(number(stated), abs=0.06)
        if "then fold" in responses:
            assert re.search(r"\((0|−\d+\.00); you then fold\)", responses)


def _check_claims(advice: LimitAdvice, text: str, figures: dict[str, Any]) -> None:
    """Each sentence about the reason follows from the figures."""
    price = advice.pot_odds.need if advice.pot_odds else 0
    if "You win often enough" in text or "make up for the price" in text:
        assert (advice.win_chance >= price) == ("You win often enough" in text)
    assert "not win often enough to call" not in text or advice.win_chance < price
    if match := re.search("(worse|better) hands call your (bet|raise)", text):
        share = figures[f"{match[2]} wins"]
        assert (share >= 0.5) == (match[1] == "worse")
        assert ("Almost only" in text) == (min(share, 1 - share) < 0.1)
    evs = {name.removeprefix("EV of "): ev for name, ev in figures.items() if " of " in name}
    if match := re.search("A (bet|raise) is worse mainly because your opponent raises", text):
        assert figures[f"{match[1]}, raise EV"] < max(evs.values())
    if match := re.search("Your (bet|raise) is best because it makes your opponent fold", text):
        others = [ev for name, ev in evs.items() if name != match[1]]
        assert figures[f"{match[1]}, fold EV"] > max(others)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def response_of(view: State, action: Action, letter: str) -> float:
    """Return how often the adviser expects a response."""
    advice = advise_limit(view, ME)
    choice = not_none(advice.choice_for(action) if advice else None)
    return next(one.share for one in choice.responses if one.letter == letter)


def test_frequency_of_folds_to_a_bet_equals_the_mean_over_all_hands() -> None:
    """Deal its hands at random, and look up each; three standard errors are about three points."""
    dice, hand = random.Random(3), parse_hand("KC JH 9S 8C 6D")
    view = replace(drawing(hand), phase=Phase.OPENING, betting=Betting(10, (0, 0), (0, 1)))
    rest = [card for card in PACK if card not in hand]
    policy = blueprint().policies[1][DecisionPoint("opening", "b")]
    folds = [policy[0, bucket_of(tuple(dice.sample(rest, 5)))] for _ in range(2_000)]
    found = response_of(view, Bet(), "f")
    assert found == pytest.approx(sum(folds) / len(folds), abs=0.035)
    bets = policy_of("opening", "k")
    shares = [bets[1, bucket_of(tuple(dice.sample(rest, 5)))] for _ in range(2_000)]
    bet = pytest.approx(sum(shares) / len(shares), abs=0.035)
    assert response_of(view, Check(), "b") == bet
    assert wins_against(view, ME, Call()) is None
    assert opponent_reach(view, ME) is None, "it has not acted"
    facing_bet = replace(view, betting=Betting(10, (0, 10), (0,)), put_in=(5, 15))
    assert opponent_reach(facing_bet, ME) == bet


@pytest.mark.parametrize("cards", ["JS JC 4S 4D AD", "AS KD 9C 5H 3D", "8S 8C 8D 5H 3D"])
def test_shares_of_hands_that_continue_or_bet_agree_with_the_policy(cards: str) -> None:
    """Weigh the opponent's final hands by its policy, and compare each with the own hand."""
    hand = parse_hand(cards)
    view = replace(
        drawing(hand),
        phase=Phase.CLOSING,
        drawn=(2, 3),
        betting=Betting(20, (0, 0), (0, 1)),
        drawing=(),
    )
    ranges = blueprint_ranges()
    weights = ranges.final_weights(1, (2, 3, 0), hand)
    own = ranges.final_of(hand)
    for action, letter, act in ((Bet(), "b", 0), (Check(), "k", 1)):
        share = policy_of("closing", letter)[act, 2, 3, 0]
        held = weights * (share if letter == "k" else policy_of("closing", letter)[1, 2, 3, 0])
        answers = float((weights * share).sum() / weights.sum())
        assert response_of(view, action, "b" if letter == "k" else "f") == pytest.approx(
            answers, abs=0.01
        )
        beaten = float((held[:own].sum() + held[own] / 2) / held.sum())
        assert wins_against(view, ME, action) == pytest.approx(beaten, abs=0.02)


def policy_of(phase: str, name: str) -> Any:
    return blueprint().policies[1][DecisionPoint(phase, name)]  # type: ignore[arg-type]


@pytest.mark.parametrize("opponents", [1, 2, 3], ids=labelled("{} opponents"))
def test_last_actions_derived_from_the_bets_equal_the_real_ones(opponents: int) -> None:
    """Compare what follows from the bets with what was done."""
    dice, acts, checked = random.Random(opponents), dict[int, str](), 0
    moment: object = None
    options = DEFINITION.game.sit(Options(opponents=opponents, stakes=Stakes.LIMIT), 400)
    players = {Seat(each): None for each in range(opponents + 1)}
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, options, ShuffledShoe(), CommittedSource(seed_of(opponents)), players
    )
    while checked < 120:
        if not table.waiting:
            table.advance()
            continue
        turn, state = table.game.turn(table.state), table.state
        if not isinstance(turn, AskSeats):
            break
        seat = turn.seats[0]
        if (state.played, state.phase) != moment:
            acts, moment = {}, (state.played, state.phase)
        if state.betting is not None:
            found = last_acts(state.betting, state.alive, state.stacks)
            assert found.items() <= acts.items()
            rest = set(acts) - set(found) - set(state.folded)
            assert not rest or opponents > 1 or rest == {seat}, "an opponent's act is known"
            checked += bool(found)
        able = [
            action
            for offer in table.game.offers(table.view(seat), seat)
            if offer.barred is None
            for action in offer.all()
            if not isinstance(action, Fold) or dice.random() < 0.2
        ]
        action = dice.choice(able) if able else Fold()
        acts[seat] = type(action).__name__.lower()
        table.submit(seat, action)
    assert checked > 20


def _check_rule(rule: str, best: Action, win: float, price: Any) -> None:
    match rule.split(" ")[0]:
        case "Last":
            assert isinstance(best, Bet)
        case "Follow":
            better, other = re.findall(r"a (\w+)", rule)
            assert better == type(best).__name__.lower() != other


# ---- discards --------------------------------------------------------------------------------


def chance_of_at_least(hand: Hand, discards: tuple[int, ...], category: HandCategory) -> Fraction:
    """Return the chance of a category or better by dealing each possible draw."""
    rest = [card for card in PACK if card not in hand]
    kept = kept_cards(hand, discards)
    results = [
        rank_hand((*kept, *new)).category >= category for new in combinations(rest, len(discards))
    ]
    return Fraction(sum(results), len(results))


@pytest.mark.parametrize("seed", range(12), ids=labelled("seed {}"))
def test_figures_in_the_reason_for_a_discard_equal_counts_of_all_draws(seed: int) -> None:
    dice = random.Random(seed)
    checked = 0
    while not checked:
        hand = tuple(dice.sample(PACK, 5))
        view = drawing(hand, dice.choice([Stakes.LIMIT, Stakes.ANTE]))
        chosen = dice.choice([one for one in every_discard(hand) if len(one) <= 2])
        decision = decide(view, Discard(chosen))
        best = instance_of(Discard, decision.best)
        found = reason(decision)
        if decision.mistake is None or found is None or len(best.positions) > 2:
            continue
        figures = dict(found.figures)
        for name, figure in figures.items():
            if name.endswith("or better"):
                category = CATEGORY_OF[name.removesuffix(" or better")]
                assert figure == chance_of_at_least(hand, best.positions, category)
                other = figures[f"{name} otherwise"]
                assert other == chance_of_at_least(hand, chosen, category) < figure
                checked += 1


@pytest.mark.parametrize("seed", range(80), ids=labelled("seed {}"))
def test_reason_names_a_combination_in_the_hand_and_a_rule_of_the_best_discard(seed: int) -> None:
    dice = random.Random(seed)
    hand = tuple(dice.sample(PACK, 5))
    decision = decide(drawing(hand), Discard(dice.choice(list(every_discard(hand)))))
    assert isinstance(decision.best, Discard)
    assert isinstance(decision.action, Discard)
    found = reason(decision)
    if found is None:
        return
    text, kept = " ".join(found.cause), kept_cards(hand, decision.best.positions)
    if match := re.search(r"breaks the (pair of|three|four) (\w+)\.", text):
        rank = match[2].upper().removesuffix("S").removesuffix("E" if match[2] == "sixes" else "_")
        size = {"pair of": 2, "three": 3, "four": 4}[match[1]]
        assert sum(card.rank.name == rank for card in kept) == size
        held = kept_cards(hand, decision.action.positions)
        assert sum(card.rank.name == rank for card in held) < size
    groups = sorted(Counter(card.rank for card in kept).values())
    match found.rule.split(" ")[:3]:
        case ["Keep", "the", "pair"]:
            assert groups == [2]
        case ["With", "three", "of"]:
            assert groups == [3]
        case ["With", "four", "cards"]:
            assert len({card.suit for card in kept}) == 1
            assert len(kept) == 4
        case ["With", "two", "pair,"]:
            assert groups == [2, 2]
        case ["Stand", "pat", "with"]:
            assert rank_hand(hand).category >= HandCategory.STRAIGHT


def test_reason_names_the_pair_that_a_discard_breaks() -> None:
    found = not_none(reason(decide(drawing(parse_hand("8H 8D KC 5S 2D")), Discard((1, 4, 5)))))
    assert found.cause[0] == "Your discard breaks the pair of eights."
    assert found.rule == "Keep the pair and draw three cards."


@pytest.mark.parametrize("seed", range(60), ids=labelled("seed {}"))
def test_reason_calls_discards_equal_only_if_their_figures_are(seed: int) -> None:
    dice = random.Random(seed)
    hand = tuple(dice.sample(PACK, 5))
    stakes = dice.choice([Stakes.LIMIT, Stakes.ANTE])
    first = decide(drawing(hand, stakes), Discard(()))
    near = [one.action for one in first.values[1:4]]
    decision = decide(drawing(hand, stakes), dice.choice(near))
    found = reason(decision)
    if found is None or not isinstance(decision.best, Discard):
        return
    text = " ".join(found.cause)
    worse = decision.action
    best = decision.values[0].action
    if best == worse:
        own = decision.value or 0
        worse = next(one.action for one in decision.values if one.value < own)
    assert isinstance(best, Discard)
    assert isinstance(worse, Discard)
    figures = dict(found.figures)
    assert figures["EV"] >= figures["EV otherwise"]
    if "later bets" in figures:
        for each, name in ((best, "later bets"), (worse, "later bets otherwise")):
            win = showdown_chance(decision.view, ME, each.positions)
            value = next(one.value for one in first.values if one.action == each)
            assert win is not None
            assert float(figures[name]) + win * decision.view.pot == pytest.approx(float(value))
    if match := re.search("You already have (.*?);", text):
        assert rank_hand(hand).category >= CATEGORY_OF[match[1]]


def test_discards_that_improve_equally_are_compared_by_their_higher_cards() -> None:
    """With an ace or without it, a pair is about as likely, but a pair of aces wins more often."""
    found = not_none(reason(decide(drawing(parse_hand("KS 5C 9C AS 3H")), Discard((2, 4, 5)))))
    figures = dict(found.figures)
    assert figures["win chance"] > figures["win chance otherwise"]
    assert found.cause[0].endswith(" are higher than KS and 9C.")


class RandomDice(Struct):
    """Dice for the blueprint's choices."""

    source: random.Random

    def below(self, limit: int) -> int:
        return self.source.randrange(limit)


PAIR = parse_hand("4S 4D JS TH 9D")
DRAWN = 3


def deals_after(name: str, act: str, seed: int) -> Iterator[tuple[int, int, int, Hand]]:
    """Deal hands that go to the draw with a pair of fours in the first seat, as the solution plays.

    Yield, for each, the close of the first round, the opponent's draw, the sign of the comparison
    of both final hands, and the opponent's final hand. The opponent made ``act`` at ``name``.
    """
    source, rest = random.Random(seed), [card for card in PACK if card not in PAIR]
    dice: Any = RandomDice(source)
    close_index = close_index_after_call("kb" if act == "b" else name)
    kept = kept_cards(PAIR, (3, 4, 5))
    for _ in range(12_000):
        cards = tuple(source.sample(rest, 12))
        other, own = cards[:5], rank_hand((*kept, *cards[5:8]))
        if blueprint().opening(1, name, other, dice) == act:
            discards = blueprint().discards(1, close_index, DRAWN, other, dice)
            final = (*kept_cards(other, discards), *cards[8 : 8 + len(discards)])
            theirs = rank_hand(final)
            yield close_index, len(discards), (own > theirs) - (own < theirs), final


def share_won(signs: Sequence[int]) -> float:
    return sum((sign + 1) / 2 for sign in signs) / len(signs)


def test_hands_that_call_before_the_draw_win_as_often_as_in_deals() -> None:
    view = replace(drawing(PAIR), phase=Phase.OPENING, betting=Betting(10, (0, 0), (0, 1)))
    signs = [sign for _, _, sign, _ in deals_after("b", "c", 5)]
    assert wins_against(view, ME, Bet()) == pytest.approx(share_won(signs), abs=0.03)


def test_discard_wins_as_many_showdowns_as_in_deals() -> None:
    view = drawing(PAIR)
    signs = [sign for _, _, sign, _ in deals_after("k", "k", 7)]
    assert showdown_chance(view, ME, (3, 4, 5)) == pytest.approx(share_won(signs), abs=0.03)


@pytest.mark.parametrize("seed", range(6), ids=labelled("seed {}"))
def test_reason_for_a_right_discard_compares_it_with_a_lower_ev(seed: int) -> None:
    """Also if it is not the best, but within the error of the best."""
    dice = random.Random(seed)
    compared = 0
    while compared < 5:
        view = drawing(tuple(dice.sample(PACK, 5)))
        ranked = decide(view, Discard(())).values
        for value in ranked[:2]:
            decision = decide(view, value.action)
            found = reason(decision) if decision.mistake is None else None
            if found is not None:
                figures = dict(found.figures)
                assert figures.get("EV", 1) > figures.get("EV otherwise", 0)
                compared += "EV" in figures


def test_reason_against_a_hopeless_call_names_its_price() -> None:
    """Ten credits to win 20: one win in three is needed."""
    view = replace(
        drawing(parse_hand("KC JH 9S 8C 6D")),
        phase=Phase.OPENING,
        put_in=(5, 15),
        stacks=(395, 385),
        betting=Betting(10, (0, 10), (0,)),
    )
    found = not_none(reason(decide(view, Call())))
    assert dict(found.figures)["pot odds"] == Fraction(10, 30)
    assert found.cause[0] == "Your opponent bet 10."
    text = " ".join(found.cause)
    assert "it costs 10 to win 20, so you must win 33.3%" in text
    assert "the bets after the draw cost you" in text
    assert any(re.match("The GTO level .*folds", sentence) for sentence in found.cause)


def test_play_action_and_hand_with_a_repeated_card_have_no_reason() -> None:
    view = drawing(parse_hand("KC JH 9S 8C 6D"))
    assert reason(Decision(ME, view, Play(), "")) is None
    twice = drawing(parse_hand("KC KC 9S 8C 6D"))
    assert reason(Decision(ME, twice, Discard((1,)), "")) is None


def test_page_of_choices_says_whether_to_follow_ev_or_frequency() -> None:
    """If the GTO level often makes a choice that clearly costs something, the page explains it."""
    found = 0
    for decision in random_decisions(3, 120):
        view = decision.view
        advice = advise_limit(view, ME)
        if advice is None or advice.basis is not EvBasis.SOLUTION or view.phase is Phase.DRAW:
            continue
        rule = which_to_follow(view, advice)
        page = limit_advice_page(view, ME, advice, draw_advice(view), ())
        assert not rule or rule in " ".join(page)
        gaps = [
            advice.best.value - one.value
            for one in advice.choices
            if one != advice.best and one.frequency >= 0.1
        ]
        if any(gap > 2 * advice.error for gap in gaps):
            assert re.match("Follow the EV here|.*The GTO level prefers", rule)
            found += 1
        assert gaps or not rule
    assert found > 0


def draw_advice(view: State) -> DiscardAdvice:
    found = not_none(advise(view, ME))
    return found


def test_page_of_all_choices_shows_each_cost_and_how_large_errors_are() -> None:
    ties = 0
    for seed in range(6):
        view = drawing(tuple(random.Random(seed).sample(PACK, 5)))
        advice = not_none(advise_limit(view, ME))
        ties += sum(map(advice.ties_best, advice.choices)) - 1
        page = limit_advice_page(view, ME, advice, draw_advice(view), ())
        best = round(advice.best.value, 2)
        listed = [line.split()[-2:] for line in page[3 : 3 + len(advice.choices)]]
        evs = [float(ev.replace("−", "-")) for ev, _ in listed]
        assert evs == sorted((round(one.value, 2) for one in advice.choices), reverse=True)
        for ev, (_, cost) in zip(evs, listed, strict=True):
            assert cost == "best" if cost[0].isalpha() else float(cost) == round(best - ev, 2)
        assert f"costs up to {2 * advice.error:.2f} may be only errors of the EVs" in page
    assert ties > 0, "some discards are about as good as the best"
