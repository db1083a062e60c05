"""Five-card draw's levels and styles at the limit table for two, on duplicate deals.

    python tests/bench/bench_draw_matches.py [--short] [DEALS]

Prints Markdown: what each level wins of the one below it and each style of the blueprint, in
credits a hand with an interval of 95 percent, expected over both mixed policies in every deal; and
what a best response wins of each, in mb (100 are a credit).
"""

from __future__ import annotations

from itertools import pairwise

from tests.bench.measure import heading, options
from tui_casino.games.five_card_draw.brains.equilibrium import blueprint
from tui_casino.games.five_card_draw.brains.equilibrium.characters import (
    LEVELS,
    STYLES,
    character_of,
    derived,
)
from tui_casino.games.five_card_draw.brains.equilibrium.matches import match
from tui_casino.games.five_card_draw.brains.equilibrium.model import two_models
from tui_casino.games.five_card_draw.brains.equilibrium.response import measure

DEALS, FEW = 200_000, 5_000


def main(deals: int) -> None:
    solution = blueprint.read()[1][0]
    print(heading("numpy"))
    print(f"{deals:,} deals, each dealt twice\n")
    print("| plays | against | wins a hand | told apart | exploitable, mb |\n|---|---|--:|---|--:|")
    model = two_models()[0]
    played = {name: derived(solution, character) for name, character in LEVELS.items()}
    for below, name in pairwise(("", *LEVELS)):
        row = [name, below or "-", "", ""]
        if below:
            won = match(played[name], played[below], deals)
            row[2:] = f"{won.credits:+.3f} ± {won.error:.3f}", "yes" if won.told_apart else "no"
        print(
            f"| {' | '.join(row)} | {measure(model, played[name]).exploitability:.0f} |", flush=True
        )
    for style in STYLES:
        policies = derived(solution, character_of("strong", style))
        won = match(policies, solution, deals)
        row = [
            f"strong {style}",
            "blueprint",
            f"{won.credits:+.3f} ± {won.error:.3f}",
            "yes" if won.told_apart else "no",
        ]
        print(f"| {' | '.join(row)} | {measure(model, policies).exploitability:.0f} |", flush=True)


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("deals", metavar="DEALS", nargs="?", type=int, default=DEALS)
    chosen = parser.parse_args()
    main(FEW if chosen.short else chosen.deals)
