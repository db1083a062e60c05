"""The side panel and the statistics page of video poker, and the cards of a choice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....cards.text_art import GlyphSet, corner_index
from ....gamekit.adviser import Decision, Mistake
from ....gamekit.number_formats import signed_count
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ....tui.draw.text import capitalize
from ....tui.table.snapshot import PanelSection, ReferenceLines, StatisticsPage, bankroll_plot
from ..brains.lazy import bankroll, odds
from ..machine.game import Action, Hold, State
from ..machine.rules import MAX_COINS, NOTHING, PayTable
from .hold_advice import HandGlance, hold_signs
from .risk import risk_lines
from .tally import Tally, percent, row_in_words
from .words import cards_of


def _session(glance: HandGlance) -> str:
    """Show the session's result, the return expected from the holds made, and the mistakes."""
    tally, journal = glance.tally, glance.totals
    net = tally.won - tally.wagered
    lines = [
        f"rounds   {tally.rounds:>10,}",
        f"net      {signed_count(net):>10}",
        f"return   {percent(tally.won, tally.wagered):>9}%",
    ]
    if journal.choices:
        lines.append(f"expected {float(100 * journal.worth / max(tally.wagered, 1)):>9.2f}%")
        lines.append(f"mistakes {journal.mistakes:>10,}")
        lines.append(f"cost     {journal.displayed_cost():>10.2f} credits")
    return "\n".join(lines)


def _hands(glance: HandGlance) -> str:
    """List the most recent hands."""
    return "\n".join(glance.recent_lines) or "none yet"


def _mistake(glance: HandGlance) -> str:
    """Describe the last mistake and its cost."""
    match glance.totals.last_mistake:
        case Decision(view=view, action=Hold(held), mistake=Mistake(best=Hold(best))) as decision:
            held_cards, best_cards = (
                hold_signs(view.hand, positions, plain=glance.plain) for positions in (held, best)
            )
            cards = " ".join(
                corner_index(card, GlyphSet.ASCII if glance.plain else GlyphSet.UNICODE)
                for card in view.hand
            )
            cost = f"cost {decision.displayed_cost():.2f} credits"
            return f"{cards}\nheld {held_cards}\nbest {best_cards}\n{cost}"
        case _:
            is_off = bool(glance.totals.postponed) and not glance.weighs
            return "the trainer is off" if is_off else "none yet"


PANEL: tuple[PanelSection[State, Action, Tally], ...] = (
    PanelSection("session", _session),
    PanelSection("bankroll", bankroll_plot),
    PanelSection("last hands", _hands),
    PanelSection("last mistake", _mistake),
)


POINTS = 16
"""The number of steps in which the bankroll bands are worked out."""


def statistics(glance: HandGlance) -> StatisticsPage:
    """Return the totals, the hits and the chance of each row, and the bankroll bands."""
    tally, view = glance.tally, glance.view
    paytable = view.options.paytable
    return StatisticsPage(
        counts="\n".join(_totals(tally, view.credit)),
        expected=partial(_expected, glance),
        report=tally.report(),
        columns=(49, 78),
        bands=partial(_bands, tally, paytable) if tally.rounds else None,
    )


def _totals(tally: Tally, credit: int) -> Iterator[str]:
    """Yield the rounds, the credits bet and paid, the return and the credit."""
    yield f"{'Rounds':<14}{tally.rounds:>11,}"
    yield f"{'Credits bet':<14}{tally.wagered:>11,}"
    yield f"{'Credits paid':<14}{tally.won:>11,}"
    yield f"{'Net':<14}{signed_count(tally.won - tally.wagered):>11}"
    returned = f"{percent(tally.won, tally.wagered)}%" if tally.wagered else "-"
    yield f"{'Return':<14}{returned:>11}"
    yield f"{'Credit':<14}{credit:>11,}"


def _expected(glance: HandGlance) -> str:
    tally, journal, view = glance.tally, glance.totals, glance.view
    cost = journal.cost / tally.wagered if journal.choices and tally.wagered else None
    paytable, coins = view.options.paytable, view.coins or MAX_COINS
    return "\n".join([_shares(tally, paytable), *risk_lines(paytable, coins, view.credit, cost)])


def _bands(tally: Tally, paytable: PayTable, rounds: int) -> ReferenceLines:
    """Return the bankroll bands of perfect play at the session's average bet."""
    coins = max(1, min(MAX_COINS, round(tally.wagered / tally.rounds)))
    hands = [round(rounds * place / POINTS) for place in range(POINTS + 1)]
    try:
        bands = bankroll.bankroll_bands(odds.odds_of(paytable, coins).report("optimal"), hands)
    except ValueError:
        return ReferenceLines((), "")
    lines = tuple(zip(*bands, strict=True))
    return ReferenceLines(lines, "(dotted: 5%, 50%, 95% of results are lower)")


def _shares(tally: Tally, paytable: PayTable) -> str:
    """List the share of every row next to its exact probability."""
    optimum = odds.odds_of(paytable, MAX_COINS).report("optimal")
    counts, rounds = tally.counts, tally.rounds
    lines = [f"{'Row':<20}{'hits':>8}{'share':>10}{'expected':>11}"]
    for row, count in optimum.hands.items():
        share = f"{100 * counts[row] / rounds:.3f}%" if rounds else "-"
        name = capitalize(row_in_words(row)) if row != NOTHING else "Nothing"
        lines.append(f"{name:<20}{counts[row]:>8,}{share:>10}{100 * count / optimum.total:>10.4f}%")
    lines.append("Expected: perfect play with 5 coins")
    return "\n".join(lines)


# ---- the cards of a choice, outside the table ----------------------------------------------------


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the five cards; cards that only the best hold keeps have the caption ``best``."""
    view, seat = decision.view, decision.seat
    held = cards_of(view, seat, decision.action) or ()
    best = cards_of(view, seat, decision.best) or ()
    states = (
        CardState.HELD if card in held else CardState.WINNING if card in best else CardState.NORMAL
        for card in view.hand
    )
    captions = ("HELD" if card in held else "best" if card in best else "" for card in view.hand)
    return (CardGroup("", view.hand, tuple(states), tuple(captions)),)
