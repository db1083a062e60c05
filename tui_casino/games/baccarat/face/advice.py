"""The answer to the command ``a``: the odds of the next coup, and the rules behind the last."""

from __future__ import annotations

from ....gamekit.number_formats import percent
from ..brains.adviser import next_odds
from ..brains.odds import Odds
from ..machine.rules import SPOTS
from ..machine.state import State
from .drawing_reasons import drawing_reasons


def odds_lines(odds: Odds | None, commission: bool) -> list[str]:
    """Return a line for each spot with its chance of winning and its house edge, in %."""
    if odds is None:
        return ["too few cards for another coup"]
    return [
        f"{'':<12}{'wins':>8}{'edge':>10}",
        *(
            f"{spot.label:<12}{percent(odds.chance(spot), 3):>8}"
            f"{percent(odds.edge(spot, commission), 3):>10}"
            for spot in SPOTS
        ),
    ]


def next_coup(view: State) -> list[str]:
    """Return the odds of the next coup, and the spot with the lowest house edge."""
    fresh = view.finished and view.options.decks
    cards = len(view.options.pack) if fresh else sum(view.unseen)
    odds, commission = next_odds(view), view.options.commission
    lines = []
    if odds is not None:
        best = min(SPOTS, key=lambda spot: odds.edge(spot, commission))
        edge = percent(odds.edge(best, commission), 3)
        lines.append(f"Best bet: {best.label}, house edge {edge}")
    lines.append(f"The next coup, from {'a new shoe of ' if fresh else ''}{cards} unseen cards:")
    return lines + odds_lines(odds, commission)


def advice(view: State) -> list[str]:
    """Return the odds of the next coup, and the rules that decided the last one."""
    lines = next_coup(view)
    if view.coups and view.player.cards:
        lines += ["The last coup:", *drawing_reasons(view.player, view.banker)]
    return lines
