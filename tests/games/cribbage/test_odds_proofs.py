"""All hands and cribs scored one by one by the rules, a hand for each class of suits."""

from __future__ import annotations

from collections import Counter

import pytest

from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK
from tui_casino.games.cribbage.brains.odds import odds_of
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("cribbage odds")]


@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_hand_and_crib_odds_equal_scoring_every_hand_by_the_rules(crib: bool) -> None:
    classes = hand_indexing.hand_classes()
    counts: Counter[int] = Counter()
    for indices, deals in zip(classes.cards.T.tolist(), classes.deals.tolist(), strict=True):
        cards = tuple(PACK[index] for index in indices)
        for place, starter in enumerate(cards):
            hand = cards[:place] + cards[place + 1 :]
            counts[points_of(show_scores(hand, starter, ACC, crib))] += deals
    odds = odds_of(ACC)
    expected = (odds.crib if crib else odds.hand).counts
    assert counts == {points: count for points, count in expected.items() if count}
