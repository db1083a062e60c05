"""The edge of every house of the lab from two fresh decks: the maker of what `two_decks` ships.

The player sees his first card and the dealer's, knows what is left of the 104, and plays as the
adviser says. What standing gains is worked out for every hand that may come, without Newton's
formula, and so is what hitting and doubling do. A split is worth what `split_odds` says, where it
could be the best choice at all. The table, `data/two-decks.json`, is made anew by

    python -m tui_casino.games.thirty_one.brains.two_deck_edges_builder > two-decks.json

in a quarter of an hour on one core; with ``--check`` it tells whether the shipped one is that.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf
from types import MappingProxyType
from typing import Any

import numpy as np

from ..machine.rules import DECKS, LIMIT, Odds, Rules
from .newton_interpolation import Floats, Ints
from .odds import WEIGHTS, up_card
from .shoe_dealer_odds import dealer_ends
from .shoe_odds import perfect_play_values, player_draw_tree, standing_values
from .split_odds import SplitSampler, SplitShoe, estimate_split
from .two_deck_edges import FILE, INSURANCE, UNIT, EdgeEstimate, lab_houses

FRESH_SHOE: Ints = np.array([4 * DECKS * WEIGHTS[value] for value in WEIGHTS], np.int64)
"""The cards by value."""
MOST_LOOKING = 0.02
"""More than looking at other hands adds to any split of a fresh shoe; it is 0.0005 or so."""
FREEST: Mapping[str, Any] = MappingProxyType(
    {"double_two_cards": False, "most_hands": 4, "double_after_split": True}
)
"""With these no split is worth less than without."""
SAME, CHANGED = "the file is as it is made anew\n", "the file is NOT as it is made anew\n"


@dataclass(frozen=True, slots=True)
class TwoCardDeal:
    """The first two cards: what is left behind them, and what standing gains with every hand.

    ``on_14`` is what standing on 14 adds to the chance of the dealer's 31.
    """

    up: int
    first: int
    left: tuple[int, ...]
    chance: float
    gains: Floats
    on_14: Floats
    known: dict[tuple[Rules, float], float] = field(default_factory=dict, compare=False)

    def best(self, rules: Rules, insurance: float, beside: float) -> EdgeEstimate | None:
        """Give what the player gains, but for the side bet itself; ``None`` if no more than beside.

        An open side bet returns ``insurance`` on 31.
        """
        plain = self._hit(rules, insurance, None)
        for house in (replace(rules, **FREEST), rules):  # the one is known, and seldom enough
            bound = self.blind(house, insurance) + MOST_LOOKING
            may_gain = self._hit(rules, insurance, bound)
            if may_gain <= max(plain, beside):
                return EdgeEstimate(plain, 0.0) if plain > beside else None
        found = estimate_split(self.first, self._pair(rules, insurance))
        gain, mates = self._hit(rules, insurance, found.value), self.left[self.first - 1]
        return EdgeEstimate(gain, found.error * mates / sum(self.left) if gain > plain else 0.0)

    def _hit(self, rules: Rules, insurance: float, apart: float | None) -> float:
        """Give the best from the first card on, if a pair may be split for so much."""
        found = perfect_play_values(
            up_card(self.first),
            self.left,
            rules,
            self.gains,
            insurance * self.on_14,
            cards=1,
            double=True,
            split=apart,
        )
        return max(found.values())

    def blind(self, rules: Rules, insurance: float) -> float:
        """Give what a split gains without looking at its other hands, exactly."""
        key = rules, insurance
        if key not in self.known:
            shoe = self._pair(rules, insurance)
            self.known[key] = SplitSampler(self.first, shoe, 2).blind
        return self.known[key]

    def _pair(self, rules: Rules, insurance: float) -> SplitShoe:
        """Give the shoe behind a pair."""
        rest = tuple(count - (value == self.first) for value, count in enumerate(self.left, 1))
        return SplitShoe(self.up, rest, rules, True, insurance)


def deal_two_cards(up: int, first: int, soft: bool) -> TwoCardDeal:
    """Deal two cards of such values; ``soft``: the dealer draws to a soft 27."""
    rules, cards, behind = Rules(dealer_hits_soft=soft), int(FRESH_SHOE.sum()), FRESH_SHOE.copy()
    behind[up - 1] -= 1
    chance = FRESH_SHOE[up - 1] / cards * behind[first - 1] / (cards - 1)
    behind[first - 1] -= 1
    gains, on_14 = standing_values(player_draw_tree(up_card(first)), behind, up, rules, exact=True)
    return TwoCardDeal(up, first, tuple(behind.tolist()), float(chance), gains[0], on_14)


def deal_value(
    deal: TwoCardDeal, rules: Rules, known: dict[tuple[Rules, float], EdgeEstimate | None]
) -> EdgeEstimate:
    """Give what the player gains from a deal; ``known`` are houses that are alike there."""
    if deal.first < 10:
        rules = replace(rules, split_same_rank=False)

    def best(insurance: float, beside: float) -> EdgeEstimate | None:
        key = replace(rules, insurance=Odds()), insurance
        if key not in known:
            known[key] = deal.best(*key, beside)
        return known[key]

    found = best(0.0, -inf)
    assert found is not None, "anything is more"
    if deal.up == 1:
        back = 1 + rules.insurance.paid / rules.insurance.staked
        side = back * dealer_ends(1, deal.left, rules)[LIMIT] - 1
        insured = best(back, found.value - side)
        if insured is not None and insured.value + side > found.value:
            return EdgeEstimate(insured.value + side, insured.error)
    return found


def compute_edges() -> Mapping[Rules, EdgeEstimate]:
    """Work the edges of all houses out."""
    found = {rules: EdgeEstimate(0.0, 0.0) for rules in lab_houses()}
    for soft in (False, True):
        for up, first in product(WEIGHTS, WEIGHTS):
            dealt = deal_two_cards(up, first, soft)
            known: dict[tuple[Rules, float], EdgeEstimate | None] = {}
            for rules, edge in found.items():
                if rules.dealer_hits_soft == soft:
                    gain = deal_value(dealt, rules, known)
                    found[rules] = EdgeEstimate(
                        edge.value - dealt.chance * gain.value,
                        edge.error + dealt.chance * gain.error,
                    )
    return found


def edges_json(edges: Mapping[Rules, EdgeEstimate]) -> str:
    """Give the figures as they are shipped, the houses with the same options a line."""
    rows = [f"[{round(one.value * UNIT)},{round(one.error * UNIT)}]" for one in edges.values()]
    size = len(INSURANCE)
    lines = (",".join(rows[row : row + size]) for row in range(0, len(rows), size))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main(check: bool) -> int:
    """Print the figures, or tell whether they are those that are shipped: 0 if they are."""
    text = edges_json(compute_edges())
    if not check:
        sys.stdout.write(text)
        return 0
    same = text == FILE.read_text(encoding="utf-8")
    said = SAME if same else CHANGED
    sys.stderr.write(said)
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv[1:]))
