"""Evaluate the points of all hands at the show under the shipped rule sets, in a second.

This command creates the file again:

    python -m tests.build_data.cribbage.show_points >
    tui_casino/games/cribbage/data/show-points.json
"""

from __future__ import annotations

import json
import sys

from tui_casino.games.cribbage.brains.show_points import (
    CARD_CLASSES,
    DIGITS,
    evaluated,
    rules_of_classes,
    table_name,
)
from tui_casino.games.cribbage.machine.rules import RULE_SETS


def evaluated_points() -> dict[str, str]:
    """Evaluate all tables of the shipped rule sets: the contents of the file."""
    return {
        table_name(rules, crib): "".join(DIGITS[each] for each in evaluated(rules, look, crib))
        for rule_set in RULE_SETS.values()
        for look in CARD_CLASSES
        for crib in {False, look.crib}
        if (rules := rules_of_classes(look, rule_set))
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(evaluated_points(), indent=0, sort_keys=True) + "\n")
