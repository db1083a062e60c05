"""The reasons of verdicts at cribbage: figures are computed in another way, rules are obeyed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import numpy as np
import pytest

from tests.games.cribbage.single_play import course
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import PACK, Card, Hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.adviser import Decision, Reason, ValuesScope
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.brains.bulk_points import points_of_hands
from tui_casino.games.cribbage.brains.discards import shipped_frequencies
from tui_casino.games.cribbage.brains.pegging import PeggingPosition
from tui_casino.games.cribbage.brains.play_policy import card_numbers, policy_for
from tui_casino.games.cribbage.brains.reasons import columns, laid_cards, reason
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import play_scores, points_of, show_scores
from tui_casino.games.cribbage.machine.state import TRAINING, Action, Discard, Lay, Options, State

Judged = Decision[State, Action]
WORDS = [
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
]
PLURALS = [f"{word}es" if word == "six" else f"{word}s" for word in WORDS]
PIPS = [card.rank.pip for card in PACK[:13]]
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")


def decisions(name: str, count: int, kind: type[Action]) -> Iterator[tuple[Judged, Reason | None]]:
    """Play at random and yield the choices of this kind with their reasons."""
    dice = Random(name)
    while True:
        seats = {Seat(0): None, Seat(1): None}
        options = dice.choice((Options(), Options(), TRAINING))
        table = Table(game, options, ShuffledShoe(), SeededSource(dice.randrange(10**9)), seats)
        table.run()
        for _ in range(40):
            turn = game.turn(table.state)
            if not isinstance(turn, AskSeats):
                break
            seat = turn.seats[0]
            view = table.view(seat)
            offered = [action for offer in game.offers(view, seat) for action in offer.all()]
            action = dice.choice(offered)
            if isinstance(action, kind):
                decision = DEFINITION.decision(view, seat, action, ValuesScope.OF_ALL)
                if decision is not None:
                    yield decision, reason(decision)
                    count -= 1
                    if not count:
                        return
            table.submit(seat, action)
            table.run()


def chosen_and_best(decision: Judged) -> tuple[Action, Action]:
    """Return the two actions that are compared: the worse one, and the best."""
    if decision.mistake is not None:
        return decision.action, decision.best
    value = next(one.value for one in decision.values if one.action == decision.action)
    lower = next((one.action for one in decision.values if one.value < value), decision.action)
    return lower, decision.action


# ---- discards ------------------------------------------------------------------------------------


def parted(decision: Judged, action: Action) -> tuple[Hand, Hand]:
    """Return the cards kept and those discarded."""
    assert isinstance(action, Discard)
    hand = decision.view.hands[decision.seat]
    gone = tuple(hand[place - 1] for place in action.places)
    return tuple(card for card in hand if card not in gone), gone


def averages(decision: Judged, action: Action) -> tuple[float, float]:
    """Return the averages of the hand and of the crib, with every case dealt out."""
    view = decision.view
    hand, rules = view.hands[decision.seat], view.options.rule_set
    kept, gone = parted(decision, action)
    left = [card for card in PACK if card not in hand]
    mean = sum(points_of(show_scores(kept, starter, rules)) for starter in left) / len(left)
    unseen = np.array([card.index for card in left])
    a, b, starter = (way.ravel() for way in np.meshgrid(unseen, unseen, unseen))
    able = (a < b) & (starter != a) & (starter != b)
    a, b, starter = a[able], b[able], starter[able]
    weights = shipped_frequencies().weights_against(decision.seat == view.dealer)
    likely = np.array(weights)[a % 13, b % 13]
    thrown = [np.full(len(a), card.index) for card in gone]
    cribs = points_of_hands(np.array([*thrown, a, b, starter]), rules, crib=True)
    return mean, float(cribs @ likely / likely.sum())


def ranks_of(cards: Hand) -> Counter[str]:
    return Counter(card.rank.pip for card in cards)


def check_name(name: str, holder: Hand, lacking: Hand) -> None:
    """Check a combination by name: the one hand has more of it than the other."""
    mine, other = ranks_of(holder), ranks_of(lacking)
    if match := re.fullmatch(r"(?:the pair of|the three|the four) (\w+)", name):
        pip = PIPS[PLURALS.index(match.group(1))]
        assert mine[pip] > other[pip]
        assert mine[pip] == {"pair": 2, "three": 3, "four": 4}[name.split()[1]]
    elif match := re.fullmatch(r"(the|a second) (run|fifteen) ([\dAJQK-]+)", name):
        pips = match.group(3).split("-")
        again = 1 + (match.group(1) == "a second")
        if match.group(2) == "run":
            places = sorted(PIPS.index(pip) for pip in pips)
            assert places == list(range(places[0], places[0] + len(places)))
            assert len(places) >= 3
        else:
            assert sum(min(PIPS.index(pip) + 1, 10) for pip in pips) == 15
        assert ways(pips, holder) >= again
        assert ways(pips, lacking) < ways(pips, holder)
    elif match := re.fullmatch(r"the (?:double run|runs) ([\dAJQK-]+)", name):
        needed = Counter(match.group(1).split("-"))
        assert needed <= mine
        assert not needed <= other
        assert max(needed.values()) > 1
        assert len(needed) >= 3
    elif match := re.fullmatch(r"(\w+) fifteens(?: \((.*)\))?", name):
        assert fifteens(holder) >= 2 + NUMBERS.index(match.group(1))
        for pattern in (match.group(2) or "").split(" and "):
            pips = pattern.split("-") if pattern else []
            assert not pips or sum(min(PIPS.index(pip) + 1, 10) for pip in pips) == 15
            assert not pips or ways(pips, lacking) < ways(pips, holder)
    else:
        assert re.fullmatch(r"the flush in (clubs|diamonds|hearts|spades)", name)
        assert len({card.suit for card in holder}) == 1
        assert len({card.suit for card in lacking}) > 1


def ways(pips: list[str], cards: Hand) -> int:
    """Return in how many ways cards of these ranks can be picked."""
    return sum(ranks_of(some) == Counter(pips) for some in combinations(cards, len(pips)))


def fifteens(cards: Hand) -> int:
    every = (some for size in range(2, 5) for some in combinations(cards, size))
    return sum(sum(min(card.rank, 10) for card in some) == 15 for some in every)


SEPARATOR = r"(?:, | and )(?![^(]*\))"  # not in parentheses


def check_names(decision: Judged, told: Reason) -> int:
    """Check the combinations of the first sentence; return how many are named."""
    worse, better = (parted(decision, one)[0] for one in chosen_and_best(decision))
    sentence = re.sub(
        r",? and (?:(?:does )?not give|(?:give|put|help)s?) .*", "", told.cause[0].rstrip(".")
    )
    sentence, together = re.subn(" out of your hand$", "", sentence)
    match = re.search(r"(?:keeps? (?P<kept>.*) but )?(?:break|take)s? (?P<lost>.*)", sentence)
    if match is None:
        return 0
    if together:
        worse_gone = parted(decision, chosen_and_best(decision)[0])[1]
        assert len(ranks_of(worse_gone)) == 1 or fifteens(worse_gone), "two cards that score"
    lost = re.split(SEPARATOR, match["lost"])
    for name in lost:
        check_name(name, better, worse)
    kept = re.split(SEPARATOR, match["kept"]) if match["kept"] else []
    for name in kept:
        check_name(name, worse, better)
    return len(lost) + len(kept)


def check_discard_rule(decision: Judged, rule: str) -> None:
    """Check that the best discard obeys the rule, and that the other one does not."""
    worse, better = chosen_and_best(decision)
    (kept, gone), (best_kept, best_gone) = parted(decision, worse), parted(decision, better)
    rules, own = decision.view.options.rule_set, decision.seat == decision.view.dealer
    points, best_points = (points_of(show_scores(one, None, rules)) for one in (kept, best_kept))
    match rule:
        case "":
            return
        case "Do not put a pair in their crib.":
            assert not own
            assert len(ranks_of(gone)) == 1 < len(ranks_of(best_gone))
        case "Do not put a five in their crib.":
            assert not own
            assert ranks_of(gone)["5"] > ranks_of(best_gone)["5"] == 0
        case "Do not put a fifteen in their crib.":
            assert not own
            assert fifteens(gone) == 1 > fifteens(best_gone)
        case "Keep a double run together.":
            assert longest_run(best_kept) >= 3
            assert len(ranks_of(best_kept)) == 3
            assert best_points > points
        case "Keep a run of three or more together.":
            assert longest_run(best_kept) >= 3
            assert longest_run(best_kept) >= longest_run(kept)
            assert best_points > points
        case "Keep a pair together, in your hand or in your own crib.":
            assert own
            assert ranks_of(gone).keys() & ranks_of(kept).keys()
            assert not ranks_of(best_gone).keys() & ranks_of(best_kept).keys()
        case "Keep the four cards that score most before the starter.":
            hand = decision.view.hands[decision.seat]
            every = [points_of(show_scores(four, None, rules)) for four in combinations(hand, 4)]
            assert best_points == max(every) > points
        case "Give their crib cards that are far apart.":
            gaps = [abs(one.rank - two.rank) for one, two in (gone, best_gone)]
            assert not own
            assert gaps[0] < gaps[1]
        case "Give their crib the higher of two ten-cards: it makes fewer runs.":
            assert not own
            (lower,), (higher,) = (
                ranks_of(gone) - ranks_of(best_gone),
                ranks_of(best_gone) - ranks_of(gone),
            )
            assert runs_with(higher) < runs_with(lower)
            assert min(PIPS.index(higher), PIPS.index(lower)) >= PIPS.index("10")
            assert averages(decision, better)[1] < averages(decision, worse)[1]
        case "Between similar hands, feed your own crib.":
            assert own
            assert averages(decision, better)[1] > averages(decision, worse)[1]
        case _:
            assert rule.startswith("If two hands score the same, keep the one")
            assert points == best_points
            assert averages(decision, better)[0] > averages(decision, worse)[0]


def runs_with(pip: str) -> int:
    """Return how many runs of three ranks contain this one."""
    return sum(pip in PIPS[low : low + 3] for low in range(11))


def longest_run(cards: Hand) -> int:
    ranks = sorted({card.rank for card in cards})
    runs = (range(low, low + size) for size in (4, 3) for low in ranks)
    return next((len(run) for run in runs if set(run) <= set(ranks)), 0)


@pytest.mark.parametrize(
    "count", [40, pytest.param(800, marks=pytest.mark.prove)], ids=labelled("{} deals")
)
def test_figures_names_and_rule_in_a_discard_reason_are_correct(count: int) -> None:
    names, rules = 0, 0
    for place, (decision, told) in enumerate(decisions(f"discards {count}", count, Discard)):
        if told is None:
            continue
        names += check_names(decision, told)
        rules += bool(told.rule)
        check_discard_rule(decision, told.rule)
        figures = dict(told.figures)
        first, *rest = told.cause
        written = re.findall(r"\d+\.\d\d", " ".join(rest))
        assert set(written) <= {f"{float(value):.2f}" for _, value in told.figures}
        gap = abs(round(float(figures["best crib"]), 2) - round(float(figures["crib"]), 2))
        assert re.findall(r"crib (\d+\.\d\d) points", first) in ([], [f"{gap:.2f}"])
        if place % 4 == 0:
            worse, better = chosen_and_best(decision)
            expected = (*averages(decision, worse), *averages(decision, better))
            keep, hand, crib = (column.texts[worse] for column in columns(decision))
            assert keep == " ".join(card.symbol for card in parted(decision, worse)[0])
            assert [hand, crib] == [f"{value:.2f}" for value in expected[:2]]
            assert [float(value) for value in figures.values()] == pytest.approx(expected)
    assert names >= count // 2
    assert rules >= count // 2


# ---- the play ------------------------------------------------------------------------------------


def gained(cards: list[Card]) -> dict[str, int]:
    """Return what the last card scores, by the rules as simply as possible."""
    ranks = [int(card.rank) for card in cards]
    found = {}
    total = sum(min(rank, 10) for rank in ranks)
    if total in (15, 31):
        found["fifteen" if total == 15 else "thirtyone"] = 2
    for size in range(len(ranks), 2, -1):
        tail = sorted(ranks[-size:])
        if tail == list(range(tail[0], tail[0] + size)):
            found[f"run{size}"] = size
            break
    alike = 1
    while alike < len(ranks) and ranks[-alike - 1] == ranks[-1]:
        alike += 1
    if alike > 1:
        found[f"pair{alike}"] = {2: 2, 3: 6, 4: 12}[alike]
    return found


def answers(decision: Judged, card: Card) -> tuple[float, dict[Card, dict[str, int]]]:
    """Return the chance that the opponent holds a card that scores, and all such cards."""
    position = PeggingPosition.from_view(decision.view, decision.seat)
    segment = [*position.segment, card]
    total = sum(min(one.rank, 10) for one in segment)
    if position.go or total == 31 or not position.opponent_cards:
        return 0.0, {}
    replies = {
        reply: scores
        for reply in position.unseen
        if total + min(reply.rank, 10) <= 31 and (scores := gained([*segment, reply]))
    }
    none, unseen = 1.0, len(position.unseen)
    for drawn in range(position.opponent_cards):
        none *= max(0, unseen - len(replies) - drawn) / (unseen - drawn)
    return 1 - none, replies


def check_lay_rule(decision: Judged, rule: str, other: Card, best: Card) -> None:
    view = decision.view
    playable = view.playable(decision.seat)
    now = {card: sum(gained([*view.segment, card]).values()) for card in playable}
    chances = {card: answers(decision, card)[0] for card in playable}
    match rule:
        case "":
            return
        case "If a card scores now, take the points.":
            assert now[best] == max(now.values()) > now[other]
        case "Do not leave 5 or 21: every ten-card scores on it.":
            assert view.count + min(other.rank, 10) in (5, 21)
            assert view.count + min(best.rank, 10) not in (5, 21)
        case "Lead a card below 5: no card makes fifteen on it.":
            assert not view.segment
            assert best.rank < 5 <= other.rank
        case "Leave a count on which the fewest cards score.":
            assert chances[best] == pytest.approx(min(chances.values()))
            assert chances[best] < chances[other]
        case _:
            assert rule == "Save your low cards for the end of a count."
            assert view.segment
            assert other.rank < 5
            assert other.rank < best.rank


def check_answer_names(decision: Judged) -> None:
    """Check that each named answer is scored by all cards of its ranks, and by no others."""
    for laid in laid_cards(decision.view, decision.seat):
        chance, replies = answers(decision, laid.card)
        assert laid.chance == pytest.approx(chance)
        named: list[tuple[str, int]] = []
        for answer in laid.answers:
            words = re.sub(r"\ban? ", "", answer.name)
            for word in re.split(", | or ", words):
                tens = ["10", "J", "Q", "K"] if word == "ten-card" else []
                pips = tens or [word if word.isdigit() else PIPS[WORDS.index(word)]]
                named += [(answer.kind, PIPS.index(pip)) for pip in pips]
        assert set(named) == {(next(iter(s)), card.rank - 1) for card, s in replies.items()}


def check_points(decision: Judged, dice: Random) -> None:
    """Compare the points of the rest of the play with games played out one by one.

    They are exact if the player has no choice left. Otherwise both are samples and may differ by
    seven standard errors.
    """
    view, rules = decision.view, decision.view.options.rule_set
    position = PeggingPosition.from_view(view, decision.seat)
    is_last = len(position.hand) == 1
    if not is_last and position.opponent_cards < 3:
        return
    play = policy_for(rules)
    held = combinations(position.unseen, position.opponent_cards)
    hands = [*held] if is_last else [sample(position, dice) for _ in range(400)]
    segment, mine = card_numbers(position.segment), tuple(sorted(card_numbers(position.hand)))
    for laid in laid_cards(view, decision.seat):
        points = np.zeros((len(hands), 2))
        for row, hand in enumerate(hands):
            theirs = tuple(sorted(card_numbers(hand)))
            (first,) = card_numbers([laid.card])
            for scorer, gain in course(play, mine, theirs, segment, position.go, first):
                points[row, scorer] += gain
        means, errors = points.mean(axis=0), points.std(axis=0) / len(hands) ** 0.5
        margin = 1e-9 if is_last else 0.05 + 7 * errors.max()  # both may be samples
        assert laid.won == pytest.approx(means[0], abs=margin)
        assert laid.lost == pytest.approx(means[1], abs=margin)


def sample(position: PeggingPosition, dice: Random) -> Hand:
    return tuple(dice.sample(position.unseen, position.opponent_cards))


def check_later_points(told: Reason) -> None:
    """Check a statement about who scores more in the rest of the play."""
    figures = {name: float(value) for name, value in told.figures}
    if "scores more for you" in told.cause[0]:
        assert figures["won"] < figures["best won"]
    elif "score less in the rest" in told.cause[0]:
        assert figures["lost"] > figures["best lost"]


def goes_and_follow_up(decision: Judged, card: Card) -> tuple[float, float]:
    """Return the chance of a go and the score of the next card, by listing hands and answers."""
    position = PeggingPosition.from_view(decision.view, decision.seat)
    segment = [*position.segment, card]
    total = sum(min(one.rank, 10) for one in segment)

    def fits(one: Card, count: int) -> bool:
        return count + min(one.rank, 10) <= 31

    hands = [*combinations(position.unseen, position.opponent_cards)]
    go = sum(not any(fits(one, total) for one in held) for held in hands) / len(hands)
    scores = []
    for reply in position.unseen:
        if fits(reply, total):
            count = total + min(reply.rank, 10)
            able = [one for one in position.hand if one != card and fits(one, count)]
            scores.append(
                max((sum(gained([*segment, reply, one]).values()) for one in able), default=0)
            )
    return (1.0 if position.go else go), sum(scores) / max(len(scores), 1)


@pytest.mark.parametrize(
    "count", [60, pytest.param(1000, marks=pytest.mark.prove)], ids=labelled("{} deals")
)
def test_figures_names_and_rule_in_a_card_play_reason_are_correct(count: int) -> None:
    reasons, rules, dice = 0, 0, Random(f"points {count}")
    for decision, told in decisions(f"cards {count}", count, Lay):
        check_answer_names(decision)
        if dice.random() < 0.2:
            check_points(decision, dice)
        if told is None:
            continue
        check_later_points(told)
        hand = decision.view.hands[decision.seat]
        cards = []
        for action in chosen_and_best(decision):
            assert isinstance(action, Lay)
            cards.append(hand[action.place - 1])
        other, best = cards
        values = {
            hand[one.action.place - 1]: float(one.value)
            for one in decision.values
            if isinstance(one.action, Lay)
        }
        for name, value in told.figures:
            card = best if name.startswith("best") else other
            match name.removeprefix("best "):
                case "go":
                    expected = goes_and_follow_up(decision, card)[0]
                case "follow-up":
                    expected = goes_and_follow_up(decision, card)[1]
                case "gap":
                    assert isinstance(decision.action, Lay)
                    expected = max(values.values()) - values[hand[decision.action.place - 1]]
                case "won" | "lost":
                    figures = {part: float(number) for part, number in told.figures}
                    best_part = "best " * name.startswith("best")
                    assert min(figures[f"{best_part}{part}"] for part in ("won", "lost")) >= 0
                    expected = figures[f"{best_part}won"] - figures[f"{best_part}lost"]
                    assert expected == pytest.approx(values[card], abs=1e-4)
                    continue
                case "answer":
                    expected = answers(decision, card)[0]
                case "points":
                    segment = (*decision.view.segment, card)
                    expected = sum(gained(list(segment)).values())
                    assert expected == points_of(
                        play_scores(segment, decision.view.options.rule_set)
                    )
                case _:
                    raise AssertionError(name)
            assert float(value) == pytest.approx(expected, abs=1e-4), (name, told)
        if "as good as any" not in told.cause[0]:
            check_lay_rule(decision, told.rule, other, best)
        reasons, rules = reasons + 1, rules + bool(told.rule)
    assert reasons >= count // 2
    assert rules >= count // 4
