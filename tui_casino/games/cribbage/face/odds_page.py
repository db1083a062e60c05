"""The odds of cribbage as charts: your hand by starter, points of all hands, par, chance to win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....cards.card import BACK, Hand
from ....engine.game import Seat
from ....tui.draw.plots import plot, share_bars
from ..brains.known_rules import unknown_rule
from ..brains.odds import HANDS, odds_of
from ..brains.show_points import starters_of
from ..brains.win_chances import TARGET, GameStanding, in_game_chance, shipped_win_chances
from ..machine.rules import KEPT
from ..machine.state import Phase, State
from .advice import no_adviser, signs
from .odds_report import par_lines, starter_lines
from .pages import CribbageGlance

WIDTH, ROWS = 52, 7
OTHERS = (30, 60, 90)
"""The opponent's scores for which the dealer's chance to win is drawn."""


def odds_page(glance: CribbageGlance) -> Iterator[str]:
    """Yield the odds under the table's rules: for the player's hand, the score, par and all hands.

    The hand comes first: the four cards that the player has kept, or would keep after discarding
    the marked cards.
    """
    view, plain = glance.view, glance.plain
    rules = view.options.rule_set
    if unknown_rule(rules) is not None:
        yield no_adviser(view)
        return
    if (hand_and_seen := _kept_and_seen(view, glance.seat, glance.selection)) is not None:
        kept_cards, seen_cards = hand_and_seen
        yield f"{signs(kept_cards)}: points with each starter"
        yield from starter_lines(starters_of(kept_cards, seen_cards, rules), WIDTH)
        yield ""
    if (standing := GameStanding.from_view(view, glance.seat)) is not None:
        yield from _win_chance_lines(view, glance.seat, standing)
    yield from par_lines()
    yield ""
    yield f"Points of all hands with a starter, {rules.name} rules"
    odds = odds_of(rules).hand
    counts = sorted(odds.counts.items())
    yield from share_bars(
        ((f"{n}", c / HANDS, f"{c / HANDS:.4%}") for n, c in counts), WIDTH, plain
    )
    yield f"average {float(odds.mean):.3f} points"
    figures = shipped_win_chances()
    for other in OTHERS:
        yield ""
        yield f"Dealer's chance to win in %, opponent at {other}"
        chances = [100 * figures.chance(mine, other, True) for mine in range(TARGET)]
        yield from plot(chances, WIDTH, ROWS, plain, floor=0.0)
        yield f"{'at 0':<{WIDTH - 8}}{f'at {TARGET - 1}':>8}"


def _kept_and_seen(view: State, seat: Seat, draft: Sequence[int]) -> tuple[Hand, Hand] | None:
    """Return the four cards that a seat keeps, and all seen cards that cannot be the starter."""
    hand = view.hands[seat]
    if view.phase is Phase.DISCARD and seat in view.waiting:
        kept_cards = tuple(card for place, card in enumerate(hand, 1) if place not in draft)
        return (kept_cards, hand) if len(kept_cards) == KEPT and BACK not in hand else None
    is_known = len(hand) == KEPT and BACK not in hand
    return (hand, (*hand, *view.discards[seat])) if is_known else None


def _win_chance_lines(view: State, seat: Seat, standing: GameStanding) -> Iterator[str]:
    """Yield the chance to win at this score, and the chance given the known cards."""
    mine, other, figures = standing.score, standing.other, shipped_win_chances()
    if max(mine, other) >= TARGET:
        return
    yield f"Your chance to win at {mine} to {other}"
    for name, dealer in (("if you deal next", True), ("if your opponent does", False)):
        yield f"  {name:<23}{figures.chance(mine, other, dealer):>7.1%}"
    if (chance := in_game_chance(view, seat)) is not None:
        yield f"  {'with the cards you know':<23}{chance:>7.1%}"
    yield ""
