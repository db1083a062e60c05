"""The discards in a list: worth and cost as the adviser has them, equal ones in one row."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt
from random import Random
from statistics import fmean

import pytest

from tui_casino.cards.card import PACK, Hand, hand
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.brains.discards import weigh
from tui_casino.games.cribbage.brains.habits import good_players
from tui_casino.games.cribbage.brains.par import PAR, PAR_HAND
from tui_casino.games.cribbage.brains.ranking import Ranking, ranking, starters
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores
from tui_casino.games.cribbage.machine.state import Options, Phase, State

ME = Seat(1)
OUR_DEAL, THEIR_DEAL = 1, 0


def ranked(cards: Hand, dealer: int = OUR_DEAL) -> Ranking:
    view = State(Options(), Phase.DISCARD, dealer, hands=((), cards), waiting=(0, 1))
    found = ranking(view, ME)
    assert found is not None
    return found


@pytest.mark.parametrize("dealer", [OUR_DEAL, THEIR_DEAL])
def test_rows_are_what_the_adviser_weighs(dealer: int) -> None:
    cards = hand("4H 5C 5S 6D JD KC")
    weights = good_players().against(dealer == OUR_DEAL)
    every = weigh(cards, dealer == OUR_DEAL, ACC, weights)
    rows = ranked(cards, dealer).rows
    by_places = {places: row for row in rows for places in row.choices}
    assert len(by_places) == len(every) == 15
    for one in every:
        row = by_places[tuple(cards.index(card) + 1 for card in one.discard)]
        assert (row.worth, row.cost) == (one.ev, every[0].ev - one.ev)
    assert [row.cost for row in rows] == sorted(row.cost for row in rows)


def test_cards_that_differ_in_suit_alone_share_a_row() -> None:
    """The fives are alike, but not beside the king: two clubs may make a flush in the crib."""
    rows = ranked(hand("4H 5C 5S 6D JD KC")).rows
    names = Counter(" ".join(row.names) for row in rows)
    assert len(rows) == 12
    assert names["5♣ 5♠"] == names["4♥ 5"] == names["5 6♦"] == names["5 J♦"] == 1
    assert names["5♣ K♣"] == names["5♠ K♣"] == 1
    assert all(count == 1 for count in names.values())
    found = ranked(hand("4H 5C 5S 6D JD KC"))
    row = found.row_of((2, 5))
    assert row is not None
    assert row is found.row_of((3, 5))
    assert row.names == ("5", "J♦")


def test_starters_are_those_with_most_and_least_points() -> None:
    seen = hand("5C 5D 5H JS 2C 9H")
    kept = hand("5C 5D 5H JS")
    view = State(Options(), Phase.DISCARD)
    best, worst = starters(kept, seen, view)
    assert best[0] == "5", "the perfect hand"
    unseen = [card for card in PACK if card not in seen]
    points = {card: points_of(show_scores(kept, card, ACC)) for card in unseen}
    least = {card.rank.pip for card in unseen if points[card] == min(points.values())}
    assert {name[: -1 if name[-1] in "♠♥♦♣" else None] for name in worst} <= least


def test_there_is_nothing_to_rank_but_before_a_discard() -> None:
    view = State(Options(), Phase.DISCARD, hands=((), hand("4H 5C 5S 6D JD KC")), waiting=(0, 1))
    assert ranking(replace(view, phase=Phase.PLAY), ME) is None
    assert ranking(replace(view, waiting=(0,)), ME) is None


def test_par_is_what_the_best_discards_bring() -> None:
    """Fewer deals than it was found with: within five standard errors."""
    random, deals, hands = Random(3), 2_000, list[float]()
    for dealer in (True, False):
        weights = good_players().against(dealer)
        best = [weigh(random.sample(PACK, 6), dealer, ACC, weights)[0] for _ in range(deals)]
        worth = [float(one.ev) for one in best]
        mean = fmean(worth)
        error = sqrt(fmean((one - mean) ** 2 for one in worth) / deals)
        assert abs(mean - PAR[dealer]) < 5 * error + 0.05
        hands += [one.hand[0] / one.hand[1] for one in best]
    assert abs(fmean(hands) - PAR_HAND) < 0.3
