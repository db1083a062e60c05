"""What ``a`` tells: the exact odds of the next coup, and why the last one went as it did."""

from __future__ import annotations

from .game import State
from .odds import Odds, odds_of
from .rules import COUP_CARDS, SPOTS
from .words import why


def next_odds(view: State) -> Odds | None:
    """Weigh the cards that have not been shown; ``None`` if they are too few for a coup."""
    return odds_of(view.unseen) if sum(view.unseen) >= COUP_CARDS else None


def odds_lines(odds: Odds, commission: bool) -> list[str]:
    """Give a line for each spot: how often it wins, and the house's edge, in per cent."""
    return [
        f"{spot.words:<12}{100 * float(odds.chance(spot)):>7.3f} %"
        f"{100 * float(odds.edge(spot, commission)):>8.3f} %"
        for spot in SPOTS
    ]


def advice(view: State) -> list[str]:
    """Say the odds of the next coup and the rules that the last one followed."""
    odds = next_odds(view)
    if odds is None:
        lines = ["There are too few cards for another coup."]
    else:
        head = f"The next coup, from {sum(view.unseen)} unseen cards:"
        lines = [head, f"{'':<12}{'wins':>9}{'edge':>10}"]
        lines += odds_lines(odds, view.options.commission)
    if view.coups and view.player.cards:
        lines += ["The last coup:", *why(view.player, view.banker)]
    return lines
