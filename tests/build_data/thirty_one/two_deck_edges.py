"""Build the two-deck house edges that `two_deck_edges` reads.

The player sees the first card of both hands, knows which of the 104 cards are left, and follows the
adviser. The EVs of standing, hitting and doubling are computed for every possible hand, without
Newton's formula. The EV of a split comes from `split_odds`, if it could be the best choice at all.
To build the table `data/two-decks.json` again, run

    python -m tests.build_data.thirty_one.two_deck_edges > two-decks.json

This takes a quarter of an hour on one core. With ``--check``, the program only reports whether its
result equals the shipped file.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from math import inf
from types import MappingProxyType
from typing import Any

import numpy as np

from tui_casino.games.thirty_one.brains.newton_interpolation import Floats, Ints
from tui_casino.games.thirty_one.brains.odds import WEIGHTS, card_total
from tui_casino.games.thirty_one.brains.rules_lab import (
    FILE,
    INSURANCE,
    UNIT,
    EdgeEstimate,
    lab_houses,
)
from tui_casino.games.thirty_one.brains.shoe_dealer_odds import dealer_ends
from tui_casino.games.thirty_one.brains.shoe_odds import (
    perfect_play_values,
    player_draw_tree,
    standing_values,
)
from tui_casino.games.thirty_one.brains.split_odds import SplitSampler, SplitShoe, estimate_split
from tui_casino.games.thirty_one.machine.rules import DECKS, LIMIT, Odds, Rules
from tui_casino.structs import replace

FRESH_SHOE: Ints = np.array([4 * DECKS * WEIGHTS[value] for value in WEIGHTS], np.int64)
"""The number of cards of each value in a fresh shoe."""
MOST_LOOKING = 0.02
"""An upper bound of the gain from looking at other hands in a fresh shoe; about 0.0005 is usual."""
FREEST: Mapping[str, Any] = MappingProxyType(
    {"double_two_cards": False, "most_hands": 4, "double_after_split": True}
)
"""The rules under which splits have their highest EV."""
SAME, CHANGED = "the file is the same as a new one\n", "the file is NOT the same as a new one\n"


@dataclass(frozen=True, slots=True)
class TwoCardDeal:
    """The first two cards: the cards left after them, and the EV of standing with every hand.

    ``on_14`` is what standing on 14 adds to the chance of the dealer's 31.
    """

    up_card: int
    first: int
    remaining: tuple[int, ...]
    chance: float
    gains: Floats
    on_14: Floats
    blind_cache: dict[tuple[Rules, float], float] = field(default_factory=dict, compare=False)

    def best_gain(self, rules: Rules, insurance: float, threshold: float) -> EdgeEstimate | None:
        """Return the player's EV without the side bet, or ``None`` if it is at most ``threshold``.

        An open side bet returns ``insurance`` on 31.
        """
        plain_gain = self._best_from_first_card(rules, insurance, None)
        # the first bound is often cached already, and usually sufficient
        for house in (replace(rules, **FREEST), rules):
            bound = self.blind_gain(house, insurance) + MOST_LOOKING
            may_gain = self._best_from_first_card(rules, insurance, bound)
            if may_gain <= max(plain_gain, threshold):
                return EdgeEstimate(plain_gain, 0.0) if plain_gain > threshold else None
        split_estimate = estimate_split(self.first, self._shoe_after_pair(rules, insurance))
        gain, matching_cards = (
            self._best_from_first_card(rules, insurance, split_estimate.value),
            self.remaining[self.first - 1],
        )
        return EdgeEstimate(
            gain,
            split_estimate.error * matching_cards / sum(self.remaining)
            if gain > plain_gain
            else 0.0,
        )

    def _best_from_first_card(
        self, rules: Rules, insurance: float, split_value: float | None
    ) -> float:
        """Return the best EV after the first card, if a pair may be split for ``split_value``."""
        values = perfect_play_values(
            card_total(self.first),
            self.remaining,
            rules,
            self.gains,
            insurance * self.on_14,
            cards=1,
            double=True,
            split=split_value,
        )
        return max(values.values())

    def blind_gain(self, rules: Rules, insurance: float) -> float:
        """Return the exact EV of a split without looking at its other hands."""
        key = rules, insurance
        if key not in self.blind_cache:
            shoe = self._shoe_after_pair(rules, insurance)
            self.blind_cache[key] = SplitSampler(self.first, shoe, 2).blind_gain
        return self.blind_cache[key]

    def _shoe_after_pair(self, rules: Rules, insurance: float) -> SplitShoe:
        """Return the cards and rules for a split, after a pair was dealt."""
        remaining = tuple(
            count - (value == self.first) for value, count in enumerate(self.remaining, 1)
        )
        return SplitShoe(self.up_card, remaining, rules, True, insurance)


def deal_two_cards(up_card: int, first: int, soft: bool) -> TwoCardDeal:
    """Deal two cards of these values; ``soft`` means that the dealer hits a soft 27."""
    rules, cards, remaining = Rules(dealer_hits_soft=soft), int(FRESH_SHOE.sum()), FRESH_SHOE.copy()
    remaining[up_card - 1] -= 1
    chance = FRESH_SHOE[up_card - 1] / cards * remaining[first - 1] / (cards - 1)
    remaining[first - 1] -= 1
    gains, on_14 = standing_values(
        player_draw_tree(card_total(first)), remaining, up_card, rules, exact=True
    )
    return TwoCardDeal(up_card, first, tuple(remaining.tolist()), float(chance), gains[0], on_14)


def deal_value(
    deal: TwoCardDeal, rules: Rules, cached: dict[tuple[Rules, float], EdgeEstimate | None]
) -> EdgeEstimate:
    """Return the player's EV from a deal; ``cached`` holds results of equivalent rules."""
    if deal.first < 10:
        rules = replace(rules, split_same_rank=False)

    def best(insurance: float, threshold: float) -> EdgeEstimate | None:
        key = replace(rules, insurance=Odds()), insurance
        if key not in cached:
            cached[key] = deal.best_gain(*key, threshold)
        return cached[key]

    plain = best(0.0, -inf)
    assert plain is not None, "every gain exceeds minus infinity"
    if deal.up_card == 1:
        insurance_return = 1 + rules.insurance.paid / rules.insurance.staked
        side_value = insurance_return * dealer_ends(1, deal.remaining, rules)[LIMIT] - 1
        insured = best(insurance_return, plain.value - side_value)
        if insured is not None and insured.value + side_value > plain.value:
            return EdgeEstimate(insured.value + side_value, insured.error)
    return plain


def compute_edges() -> Mapping[Rules, EdgeEstimate]:
    """Compute the house edges of all sets of rules."""
    edges = {rules: EdgeEstimate(0.0, 0.0) for rules in lab_houses()}
    for soft in (False, True):
        for up_card, first in product(WEIGHTS, WEIGHTS):
            deal = deal_two_cards(up_card, first, soft)
            cached: dict[tuple[Rules, float], EdgeEstimate | None] = {}
            for rules, edge in edges.items():
                if rules.dealer_hits_soft == soft:
                    gain = deal_value(deal, rules, cached)
                    edges[rules] = EdgeEstimate(
                        edge.value - deal.chance * gain.value,
                        edge.error + deal.chance * gain.error,
                    )
    return edges


def edges_json(edges: Mapping[Rules, EdgeEstimate]) -> str:
    """Return the text of the shipped file: a line per rule set, an entry per insurance odds."""
    rows = [f"[{round(one.value * UNIT)},{round(one.error * UNIT)}]" for one in edges.values()]
    size = len(INSURANCE)
    lines = (",".join(rows[row : row + size]) for row in range(0, len(rows), size))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main(check: bool) -> int:
    """Print the figures, or report whether the shipped figures are the same; return 1 if not."""
    text = edges_json(compute_edges())
    if not check:
        sys.stdout.write(text)
        return 0
    same = text == FILE.read_text(encoding="utf-8")
    message = SAME if same else CHANGED
    sys.stderr.write(message)
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv[1:]))
