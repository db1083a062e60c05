"""The discards in a list: worth and cost as the adviser has them, equal ones in one row."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean

import numpy as np
import pytest

from tests.helpers.narrow import not_none
from tui_casino.cards.card import PACK, Hand, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.brains.bulk_points import (
    CHOICES,
    KEPT_PLACES,
    best_discards,
    points_of_hands,
    sorted_hands,
)
from tui_casino.games.cribbage.brains.discards import shipped_frequencies, weigh
from tui_casino.games.cribbage.brains.show_points import PAR, PAR_HAND, PLAYED, starters_of
from tui_casino.games.cribbage.face.choice_advice import DiscardRanking, rank_discards
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores
from tui_casino.games.cribbage.machine.state import Options, Phase, State
from tui_casino.structs import replace

ME = Seat(1)
OUR_DEAL, THEIR_DEAL = 1, 0


def ranked(cards: Hand, dealer: int = OUR_DEAL) -> DiscardRanking:
    view = State(Options(), Phase.DISCARD, dealer, hands=((), cards), waiting=(0, 1))
    found = not_none(rank_discards(view, ME))
    return found


@pytest.mark.parametrize("dealer", [OUR_DEAL, THEIR_DEAL])
def test_rows_of_the_discard_ranking_have_the_ev_and_cost_of_the_adviser(dealer: int) -> None:
    cards = parse_hand("4H 5C 5S 6D JD KC")
    weights = shipped_frequencies().weights_against(dealer == OUR_DEAL)
    every = weigh(cards, dealer == OUR_DEAL, ACC, weights)
    rows = ranked(cards, dealer).rows
    by_places = {places: row for row in rows for places in row.choices}
    assert len(by_places) == len(every) == 15
    for one in every:
        row = by_places[tuple(cards.index(card) + 1 for card in one.discard)]
        assert (row.ev, row.cost) == (one.ev, every[0].ev - one.ev)
    assert [row.cost for row in rows] == sorted(row.cost for row in rows)


def test_discards_that_differ_only_in_suit_share_a_row() -> None:
    """The fives are alike, but not beside the king: two clubs may make a flush in the crib."""
    rows = ranked(parse_hand("4H 5C 5S 6D JD KC")).rows
    names = Counter(" ".join(row.names) for row in rows)
    assert len(rows) == 12
    assert names["5♣ 5♠"] == names["4♥ 5"] == names["5 6♦"] == names["5 J♦"] == 1
    assert names["5♣ K♣"] == names["5♠ K♣"] == 1
    assert all(count == 1 for count in names.values())
    found = ranked(parse_hand("4H 5C 5S 6D JD KC"))
    row = not_none(found.row_of((2, 5)))
    assert row is found.row_of((3, 5))
    assert row.names == ("5", "J♦")


@pytest.mark.parametrize("cards", ["5C 5D 5H JS 2C 9H", "AC 4C 9C KC 2H QD", "2H 2D 2S 2C 7H 7D"])
def test_points_by_starter_add_up_to_the_adviser_sum(cards: str) -> None:
    """The adviser multiplies tables by the numbers of unseen cards; here each card is turned up."""
    six = parse_hand(cards)
    for one in weigh(six, True, ACC):
        kept = tuple(card for card in six if card not in one.discard)
        found = starters_of(kept, one.discard, ACC)
        assert found.mean == Fraction(*one.hand)
        assert sum(count for _, count, _ in found.by_points()) == len(found.points) == 46
        for card in found.points:
            assert found.points[card] == points_of(show_scores(kept, card, ACC))


def test_starters_are_named_by_rank_and_if_needed_by_suit() -> None:
    kept, thrown = parse_hand("5C 5D 5H JS"), parse_hand("2C 9H")
    found = starters_of(kept, thrown, ACC)
    assert (found.best[0], found.names["5♠"] if "5♠" in found.names else found.names["5"]) == (
        "5",
        29,
    )
    assert found.names["2"] == found.names["2♠"] - 1, "the right jack"
    least = min(found.points.values())
    assert all(found.names[name] == least for name in found.worst)
    assert [points for points, _, _ in found.by_points()] == sorted(
        set(found.points.values()), reverse=True
    )


def test_discards_are_ranked_only_before_a_discard() -> None:
    view = State(
        Options(), Phase.DISCARD, hands=((), parse_hand("4H 5C 5S 6D JD KC")), waiting=(0, 1)
    )
    assert rank_discards(replace(view, phase=Phase.PLAY), ME) is None
    assert rank_discards(replace(view, waiting=(0,)), ME) is None


def test_stated_par_equals_the_mean_ev_of_the_best_discards() -> None:
    """Fewer deals than it was found with: within five standard errors."""
    random, deals, hands = Random(3), 2_000, list[float]()
    for dealer in (True, False):
        weights = shipped_frequencies().weights_against(dealer)
        best = [weigh(random.sample(PACK, 6), dealer, ACC, weights)[0] for _ in range(deals)]
        worth = [float(one.ev) for one in best]
        mean = fmean(worth)
        error = sqrt(fmean((one - mean) ** 2 for one in worth) / deals)
        assert abs(mean - PAR[dealer]) < 5 * error + 0.05
        hands += [one.hand[0] / one.hand[1] for one in best]
    assert abs(fmean(hands) - PAR_HAND) < 0.3


def played(deals: int, seed: int) -> dict[str, tuple[float, float]]:
    """Deal to two who discard as advised, and count: mean and standard error of each figure."""
    random = Random(seed)
    dealt = np.array([[card.index for card in random.sample(PACK, 13)] for _ in range(deals)])
    starter, kept, crib = dealt[:, 12:], [], []
    for dealer, six in ((True, dealt[:, :6]), (False, dealt[:, 6:12])):
        hands, weights = sorted_hands(six), shipped_frequencies().weights_against(dealer)
        best = best_discards(hands, dealer, ACC, weights)
        kept.append(np.take_along_axis(hands, KEPT_PLACES[best], axis=1))
        crib.append(np.take_along_axis(hands, CHOICES[best], axis=1))
    one, other, crib_points = (
        points_of_hands(np.hstack([*cards, starter]).T, ACC, crib=cards is crib).astype(float)
        for cards in ([kept[0]], [kept[1]], crib)
    )
    found = {
        "hand": (one + other) / 2,
        "crib": crib_points,
        "dealer": one + crib_points,
        "pone": other - crib_points,
    }
    return {
        name: (float(points.mean()), float(points.std() / sqrt(deals)))
        for name, points in found.items()
    }


def test_advised_discards_score_the_stated_points() -> None:
    for name, (mean, error) in played(500, 4).items():
        assert abs(mean - PLAYED[name]) < 4 * error


@pytest.mark.prove
def test_advised_discards_score_the_stated_points_over_100_000_deals() -> None:
    """Enough to tell the dealer's points and the crib from what the adviser expects."""
    found = played(100_000, 5)
    for name, (mean, error) in found.items():
        assert abs(mean - PLAYED[name]) < 4 * (error + 0.005)
    assert found["crib"][0] - 4.7 > 4 * found["crib"][1]
