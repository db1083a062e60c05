"""Measure how many points the dealer leads by after a deal, for the luck of cribbage's deals.

    python tests/studies/cribbage_deals.py [--short]

Print a Markdown table with standard errors. Show and play are measured in many deals with the
policy's course of the play. In fewer deals, the difference between this course and the mean play is
measured as well.
"""

from __future__ import annotations

from math import hypot
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.bench.measure import chosen, heading
from tests.build_data.cribbage.win_chances import BLOCK, play_block
from tui_casino.cards.card import PACK
from tui_casino.games.cribbage.brains.luck import pones_mean_lead, show_leads
from tui_casino.games.cribbage.brains.play_policy import card_numbers
from tui_casino.games.cribbage.machine.rules import ACC, RULE_SETS, RuleSet

SEED = 2026
BLOCKS, FEWER_DEALS = 200, 100_000


def main(work: tuple[int, int]) -> None:
    """Print the table."""
    blocks, fewer = work
    print(heading("numpy"))
    print("| rules | deals | dealer's lead |")
    print("|---|---:|---:|")
    change, change_error = mean_change(fewer)
    for name, rules in RULE_SETS.items():
        leads = np.concatenate([policy_leads(rules, number) for number in range(blocks)])
        mean, error = mean_of(leads)
        print(
            f"| {name} | {len(leads):,} | {mean + change:.4f} ± {hypot(error, change_error):.4f} |"
        )


def policy_leads(rules: RuleSet, number: int) -> npt.NDArray[np.float64]:
    """Return the dealer's lead in each deal of a block, averaged over the starters."""
    deals = play_block(SEED, number, BLOCK, rules)
    shows = show_leads(deals.pone, deals.dealer, deals.crib, deals.undealt, rules)
    leads: npt.NDArray[np.float64] = shows.mean(axis=1) - deals.events.sum(axis=0)
    return leads


def mean_change(deals: int) -> tuple[float, float]:
    """Return by how much the dealer's lead in the mean play differs from the policy's."""
    played = play_block(SEED + 1, 0, deals, ACC)

    def ranks(hand: npt.NDArray[Any]) -> tuple[int, ...]:
        return tuple(sorted(card_numbers(PACK[card] for card in hand.tolist())))

    means = [
        -pones_mean_lead(ranks(pone), ranks(dealer), ACC)
        for pone, dealer in zip(played.pone, played.dealer, strict=True)
    ]
    return mean_of(np.array(means) + played.events.sum(axis=0))


def mean_of(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of values and its standard error."""
    return float(values.mean()), float(values.std() / np.sqrt(len(values)))


if __name__ == "__main__":
    main(chosen(__doc__, (BLOCKS, FEWER_DEALS), (1, 200)))
