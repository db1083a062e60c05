"""Compare the levels and styles of five-card draw's limit table for two on duplicate deals.

    python tests/studies/draw_matches.py [--short] [DEALS]

Print Markdown: what each level wins against the level below it, and each style of the strong
level against the blueprint, in credits per hand with a 95% interval. Results are averaged over
both mixed policies in every deal. The last column shows what a best response wins from each, in mb
(100 mb are a credit).
"""

from __future__ import annotations

from itertools import pairwise

from tests.bench.measure import heading, options
from tests.build_data.five_card_draw.best_response import evaluate_policy
from tests.build_data.five_card_draw.matches import play_match
from tests.build_data.five_card_draw.solver_model import two_models
from tui_casino.games.five_card_draw.brains.equilibrium import blueprint
from tui_casino.games.five_card_draw.brains.equilibrium.player_profiles import (
    LEVELS,
    STYLES,
    derive_policies,
    profile_of,
)

DEALS, FEW = 200_000, 5_000


def main(deals: int) -> None:
    solution = blueprint.read_blueprint()[1][0]
    print(heading("numpy"))
    print(f"{deals:,} deals, each dealt twice\n")
    print(
        "| plays | against | wins per hand | significant | exploitable, mb |\n|---|---|--:|---|--:|"
    )
    model = two_models()[0]
    played = {name: derive_policies(solution, character) for name, character in LEVELS.items()}
    for below, name in pairwise(("", *LEVELS)):
        row = [name, below or "-", "", ""]
        if below:
            won = play_match(played[name], played[below], deals)
            row[2:] = f"{won.credits:+.3f} ± {won.error:.3f}", "yes" if won.is_significant else "no"
        print(
            f"| {' | '.join(row)} | {evaluate_policy(model, played[name]).exploitability:.0f} |",
            flush=True,
        )
    for style in STYLES:
        policies = derive_policies(solution, profile_of("strong", style))
        won = play_match(policies, solution, deals)
        row = [
            f"strong {style}",
            "blueprint",
            f"{won.credits:+.3f} ± {won.error:.3f}",
            "yes" if won.is_significant else "no",
        ]
        print(
            f"| {' | '.join(row)} | {evaluate_policy(model, policies).exploitability:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("deals", metavar="DEALS", nargs="?", type=int, default=DEALS)
    chosen = parser.parse_args()
    main(FEW if chosen.short else chosen.deals)
