"""The discards of good players: the shipped figures, and their computation."""

from __future__ import annotations

import json
from importlib.resources import files
from math import sqrt

from tests.build_data.cribbage.discard_frequencies import DEALS, as_json, learn_frequencies
from tui_casino.cards.card import parse_hand
from tui_casino.games.cribbage.brains.discards import DiscardFrequencies, shipped_frequencies, weigh
from tui_casino.games.cribbage.machine.rules import ACC


def test_shipped_discard_frequencies_equal_the_output_of_the_program() -> None:
    text = files("tui_casino.games.cribbage").joinpath("data/discards.json").read_text()
    assert as_json(shipped_frequencies()) == text
    assert set(json.loads(text)) == {"dealer", "pone"}


def test_shipped_discard_counts_add_up_to_the_number_of_deals() -> None:
    for counts in (shipped_frequencies().dealer, shipped_frequencies().pone):
        assert [len(row) for row in counts] == list(range(1, 14))
        assert sum(map(sum, counts)) == DEALS


def test_discard_frequencies_of_other_deals_agree_with_the_shipped_ones() -> None:
    deals = 800
    learned, shipped = learn_frequencies(deals, 2, 7, ACC), shipped_frequencies()
    for role in ("dealer", "pone"):
        off = 0.0
        for row, known in zip(getattr(learned, role), getattr(shipped, role), strict=True):
            for count, of_all in zip(row, known, strict=True):
                expected = of_all * deals / DEALS
                off += (count - expected) ** 2 / (expected + 1)
        assert off < 91 + 5 * sqrt(2 * 91)  # chi-squared with 90 degrees of freedom, with room


def test_discard_weight_is_the_frequency_divided_by_the_number_of_pairs() -> None:
    """Thrown equally often, a pair of one rank weighs 16/6 of what one of two ranks does."""
    counts = tuple((6,) * rank for rank in range(1, 14))
    weights = DiscardFrequencies(counts, counts).weights_against(dealer=True)
    assert (weights[0][0] * 6, weights[4][4] * 6) == (weights[0][1] * 16, weights[4][9] * 16)
    assert all(weights[a][b] == weights[b][a] for a in range(13) for b in range(13))


def test_shipped_frequencies_have_few_discards_of_fives_by_pone() -> None:
    habits = shipped_frequencies()
    five = sum(habits.pone[4]) + sum(row[4] for row in habits.pone[5:])
    fives_of_dealer = sum(habits.dealer[4]) + sum(row[4] for row in habits.dealer[5:])
    assert five < fives_of_dealer / 5
    six = parse_hand("2C 2H 7C QC QD KH")
    uniform = {one.discard: one for one in weigh(six, True, ACC)}
    for one in weigh(six, True, ACC, habits.weights_against(dealer=True)):
        assert one.hand == uniform[one.discard].hand
        assert one.crib[0] / one.crib[1] < uniform[one.discard].crib[0] / 45_540
