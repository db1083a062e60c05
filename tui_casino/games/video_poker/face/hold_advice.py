"""Advice on a hold as a page and as a line, and the figures of a session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ....cards.card import Hand
from ....gamekit.adviser import Decision
from ....tui.draw.glyphs import transliterate
from ....tui.table.snapshot import FiguresPage, SeatTotals, TableSnapshot
from ....tui.terminal.detection import GlyphSet
from ..brains import adviser
from ..machine.game import Action, Hold, Phase, State, between_rounds
from .tally import Tally, percent, row_in_words
from .widgets.sitting_panel import CostlyMistake
from .widgets.sitting_panel import SittingFigures as Sitting

HandGlance: TypeAlias = TableSnapshot[State, Action, Tally]


def figures(glance: HandGlance) -> FiguresPage:
    """Give the figures of the cards that are marked now, and of all other holds."""
    view, held, holding = _last_choice(glance)
    ranking = None
    if view.phase is Phase.HOLD:
        ranking = adviser.rank_holds(view.options.paytable, view.hand, view.coins)
    if ranking is None:
        return FiguresPage("There is no hand to weigh now.", ())
    hold = ranking.hold_at(held)
    lines = [
        f"{row_in_words(row):<20}{100 * count / hold.outcomes.total:>9.4f}%"
        for row, count in hold.outcomes.hands.items()
        if count
    ]
    lines += [f"worth{float(hold.ev):>25.4f}", "", *_all_holds(ranking, plain=glance.plain)]
    return FiguresPage(f"{holding} {hold_signs(view.hand, held, plain=glance.plain)}", tuple(lines))


def _last_choice(glance: HandGlance) -> tuple[State, tuple[int, ...], str]:
    """Give the hand of this moment, or else the one that was weighed last, and what is held."""
    match glance.totals.last:
        case Decision(view=view, action=Hold(held)) if between_rounds(glance.view):
            return view, held, "You held"
    return glance.view, glance.selection, "Holding"


def _all_holds(ranking: adviser.HoldRanking, *, plain: bool) -> Iterator[str]:
    """List the holds, the best first, and mark the one that the list makes."""
    yield f"{'all 32 holds':<16}{'worth':>10}{'cost':>11}{'pays':>7}"
    for hold in ranking.holds:
        cost = f"{float(hold.cost):.4f}" if hold.cost else "best"
        pays = f"{100 * float(hold.outcomes.share_paid):.0f}%"
        list_mark = "  list" if hold.positions == ranking.list_play.positions else ""
        cards = hold_signs(ranking.hand, hold.positions, plain=plain)
        yield f"{cards:<16}{float(hold.ev):>10.4f}{cost:>11}{pays:>7}{list_mark}"


def advice(glance: HandGlance) -> tuple[str, ...]:
    """Say what to hold and its exact value; nothing where that is not known."""
    judged = adviser.weigh_hold(glance.view, ())
    if judged is None:
        return ()
    hand = glance.view.hand
    if judged.list_cost:
        return (
            f"The list holds {hold_in_words(hand, judged.list_hold)}, the best is "
            f"{hold_in_words(hand, judged.best)}: {float(judged.list_cost):.4f} better",
        )
    worth = f"worth {float(judged.best_value):.2f}"
    return (f"Hold {hold_in_words(hand, judged.best)}: {judged.line}, {worth}",)


def hold_value_text(ranking: adviser.HoldRanking, held: tuple[int, ...], room: int) -> str:
    """Say what a hold is worth, and the best one; in fewer words where there is little room."""
    hold = ranking.hold_at(held)
    cards, worth = hold_in_words(ranking.hand, held), f"{float(hold.ev):,.2f}"
    best = f"the best is {float(ranking.best.ev):,.2f}" if hold.cost else "the best"
    text = f"You hold {cards}   worth {worth}{'   ' if hold.cost else ', '}{best}"
    return text if len(text) <= room else f"{cards}  {worth}, {best}"


def sitting_figures(tally: Tally, journal: SeatTotals[State, Action]) -> Sitting:
    """Give the figures of a sitting."""
    return Sitting(
        tally.rounds,
        tally.won - tally.wagered,
        percent(tally.won, tally.wagered),
        journal.choices,
        journal.mistakes,
        journal.cost,
        tuple(
            sorted(
                filter(None, map(_costly_mistake, journal.costliest)),
                key=lambda mistake: -mistake.cost,
            )
        ),
    )


def _costly_mistake(decision: Decision[State, Action]) -> CostlyMistake | None:
    match decision.action, decision.best:
        case Hold(held), Hold(best):
            return CostlyMistake(decision.view.hand, held, best, decision.cost)
    return None


def hold_cost_text(view: State, hold: Hold) -> str | None:
    """Say what a hold costs; ``None`` for the best hold, and if the cost is not known."""
    ranking = adviser.rank_holds(view.options.paytable, view.hand, view.coins)
    if ranking is None or not (cost := ranking.hold_at(hold.positions).cost):
        return None
    best = hold_in_words(view.hand, ranking.best.positions)
    return f"That costs {float(cost):.2f}: {best} is best. Draw anyway?"


def hold_in_words(hand: Hand, positions: tuple[int, ...]) -> str:
    """Name a hold by its cards, as they are said in a sentence."""
    if len(positions) == len(hand):
        return "all five"
    return " ".join(hand[place - 1].symbol for place in positions) or "nothing"


def hold_signs(hand: Hand, positions: tuple[int, ...], *, plain: bool) -> str:
    """Name a hold by its cards in the glyphs that a page may use."""
    return transliterate(
        hold_in_words(hand, positions), GlyphSet.ASCII if plain else GlyphSet.UNICODE
    )
