"""The answer to the command ``a``: the odds of the next coup, and why each side drew or stood."""

from __future__ import annotations

from ....gamekit.number_formats import percent
from ..brains.adviser import next_odds
from ..brains.odds import Odds
from ..machine.rules import (
    CAPACITY,
    HITS_UP_TO,
    SPOTS,
    Hand,
    Options,
    is_natural,
    must_hit,
    value_of,
)
from ..machine.state import State


def drawing_reasons(player: Hand, banker: Hand) -> tuple[str, ...]:
    """Return one sentence per side about the rule for its third card, or one about a natural.

    The hands are those of a finished coup.
    """
    ours, theirs = (Hand(cards=hand.cards[:2]) for hand in (player, banker))
    for name, hand in (("player", ours), ("banker", theirs)):
        if is_natural(hand):
            return (f"The {name} has a natural {value_of(hand)}, so no third card is drawn.",)
    return _player_reason(ours), _banker_reason(theirs, player)


def _player_reason(two: Hand) -> str:
    value = value_of(two)
    if must_hit(two):
        return f"The player draws on {value}: it must draw on 0 to 5."
    return f"The player stands on {value}: it must stand on 6 or 7."


def _banker_reason(two: Hand, player: Hand) -> str:
    value, third = value_of(two), player.get(CAPACITY - 1)
    if third is None:
        verb, rule = ("draws", "0 to 5") if must_hit(two) else ("stands", "6 or 7")
        return f"The banker {verb} on {value}: if the player stands, it {verb} on {rule}."
    highest = HITS_UP_TO[value_of(third)]
    verb = "draws" if must_hit(third, two) else "stands"
    return (
        f"The banker {verb} on {value}: against a third card of {value_of(third)} "
        f"it draws on 0 to {highest}."
    )


def odds_lines(odds: Odds | None, options: Options) -> list[str]:
    """Return a line for each spot with its chance of winning and its house edge, in %."""
    if odds is None:
        return ["too few cards for another coup"]
    return [
        f"{'':<12}{'wins':>8}{'edge':>10}",
        *(
            f"{spot.label:<12}{percent(odds.chance(spot), 3):>8}"
            f"{percent(odds.edge(spot, options), 3):>10}"
            for spot in SPOTS
        ),
    ]


def next_coup(view: State) -> list[str]:
    """Return the odds of the next coup, and the spot with the lowest house edge."""
    fresh = view.finished and view.options.decks
    cards = len(view.options.pack) if fresh else sum(view.unseen)
    odds, options = next_odds(view), view.options
    lines = []
    if odds is not None:
        best = min(SPOTS, key=lambda spot: odds.edge(spot, options))
        edge = percent(odds.edge(best, options), 3)
        lines.append(f"Best bet: {best.label}, house edge {edge}")
    lines.append(f"The next coup, from {'a new shoe of ' if fresh else ''}{cards} unseen cards:")
    return lines + odds_lines(odds, options)


def advice(view: State) -> list[str]:
    """Return the odds of the next coup, and the rules that decided the last one."""
    lines = next_coup(view)
    if view.coups and view.player.cards:
        lines += ["The last coup:", *drawing_reasons(view.player, view.banker)]
    return lines
