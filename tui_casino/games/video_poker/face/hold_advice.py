"""The trainer's advice on a hold, as a page and as a single line, and the session's figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ....cards.card import Hand
from ....gamekit.adviser import Decision
from ....gamekit.number_formats import percent as share_text
from ....tui.draw.text import transliterate
from ....tui.table.listed_view import ChoiceRanking, RankedChoice
from ....tui.table.snapshot import FiguresPage, SeatTotals, TableSnapshot
from ....tui.terminal.detection import GlyphSet
from ..brains import adviser
from ..machine.game import Action, Hold, Phase, State, between_rounds
from ..machine.rules import row_of
from .tally import Tally, percent, row_in_words
from .widgets.sitting_panel import CostlyMistake, hold_name
from .widgets.sitting_panel import SittingFigures as Sitting

HandGlance: TypeAlias = TableSnapshot[State, Action, Tally]


def figures(glance: HandGlance) -> FiguresPage:
    """Return the page of figures: all 32 holds, then the chances with the cards marked now."""
    view, held, holding = _last_choice(glance)
    ranking = None
    if view.phase is Phase.HOLD:
        ranking = adviser.rank_holds(view.options.paytable, view.hand, view.coins)
    if ranking is None:
        return FiguresPage("There is no hand to analyse now.", ())
    hold = ranking.hold_at(held)
    lines = [
        *_all_holds(ranking, plain=glance.plain),
        "",
        f"EV in credits{float(hold.ev):>17.4f}",
        "",
        *(
            f"{row_in_words(row):<20}{100 * count / hold.outcomes.total:>9.4f}%"
            for row, count in hold.outcomes.hands.items()
            if count
        ),
    ]
    return FiguresPage(f"{holding} {hold_signs(view.hand, held, plain=glance.plain)}", tuple(lines))


def _last_choice(glance: HandGlance) -> tuple[State, tuple[int, ...], str]:
    """Return the present hand, or between rounds the last one, with the held positions."""
    match glance.totals.last:
        case Decision(view=view, action=Hold(held)) if between_rounds(glance.view):
            return view, held, "You held"
    return glance.view, glance.selection, "Holding"


def _all_holds(ranking: adviser.HoldRanking, *, plain: bool) -> Iterator[str]:
    """List the holds, best first, and mark the hold of the 34-line strategy."""
    yield f"{'all 32 holds':<16}{'EV':>10}{'cost':>11}{'pays':>7}"
    for hold in ranking.holds:
        cost = f"{float(hold.cost):.4f}" if hold.cost else "best"
        pays = f"{100 * float(hold.outcomes.share_paid):.0f}%"
        list_mark = "  list" if hold.positions == ranking.list_play.positions else ""
        cards = hold_signs(ranking.hand, hold.positions, plain=plain)
        yield f"{cards:<16}{float(hold.ev):>10.4f}{cost:>11}{pays:>7}{list_mark}"


def hold_choices(ranking: adviser.HoldRanking) -> ChoiceRanking[Action]:
    """Return the holds for the trainer's list, with how often each of them pays."""
    choices: Iterator[RankedChoice[Action]] = (
        RankedChoice(
            (Hold(hold.positions),),
            hold_name(ranking.hand, hold.positions),
            float(hold.ev),
            hold_name(ranking.hand, hold.positions, 0),
            (share_text(hold.outcomes.share_paid, 0),),
        )
        for hold in ranking.holds
    )
    return ChoiceRanking("holds", tuple(choices), "in credits", ("pays",))


def advice(glance: HandGlance) -> tuple[str, ...]:
    """Return the best hold with its exact EV, if the EV is known."""
    judged = adviser.weigh_hold(glance.view, ())
    if judged is None:
        return ()
    hand = glance.view.hand
    if judged.list_cost:
        return (
            f"Hold {hold_in_words(hand, judged.best)}: EV {float(judged.list_cost):.4f} credits "
            f"higher than {hold_in_words(hand, judged.list_hold)}, which the 34-line strategy "
            "holds",
        )
    paytable, coins = glance.view.options.paytable, glance.view.coins
    made = row_of(paytable, hand, coins) if len(judged.best) == len(hand) else None
    line = f"{row_in_words(made.name) if made else judged.line}, "
    if not judged.best:
        line = ""  # the last line only repeats "hold nothing"
    ev = f"EV {float(judged.best_value):.2f} credits"
    return (f"Hold {hold_in_words(hand, judged.best)}: {line}{ev}",)


def hold_value_text(ranking: adviser.HoldRanking, held: tuple[int, ...], room: int) -> str:
    """Describe a hold and the best hold with their EVs, in at most ``room`` columns if possible.

    The text becomes shorter if there is little room.
    """
    hand, hold = ranking.hand, ranking.hold_at(held)
    cards, ev = hold_in_words(hand, held), f"{float(hold.ev):,.2f}"
    best, best_ev = ranking.best.positions, f"{float(ranking.best.ev):,.2f}"
    if not hold.cost:
        texts = [f"You hold {cards}   EV {ev} credits, the best hold", f"{cards}  EV {ev}, best"]
    else:
        texts = [
            f"You hold {cards}   EV {ev} credits   best {hold_in_words(hand, best)}, EV {best_ev}",
            f"{cards}  EV {ev}, best {hold_in_words(hand, best)} {best_ev}",
            f"{hold_name(hand, held, 0)} {ev}, best {hold_name(hand, best, 0)} {best_ev}",
        ]
    return next((text for text in texts if len(text) <= room), texts[-1])


def sitting_figures(tally: Tally, journal: SeatTotals[State, Action]) -> Sitting:
    """Return the figures for a session."""
    return Sitting(
        tally.rounds,
        tally.won - tally.wagered,
        percent(tally.won, tally.wagered),
        journal.choices,
        journal.mistakes,
        float(journal.cost),
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
            return CostlyMistake(decision.view.hand, held, best, float(decision.cost))
    return None


def hold_in_words(hand: Hand, positions: tuple[int, ...]) -> str:
    """Name a hold by its cards, for use in a sentence."""
    if len(positions) == len(hand):
        return "all five"
    return " ".join(hand[place - 1].symbol for place in positions) or "nothing"


def hold_signs(hand: Hand, positions: tuple[int, ...], *, plain: bool) -> str:
    """Name a hold by its cards, in ASCII if the page is ``plain``."""
    return transliterate(
        hold_in_words(hand, positions), GlyphSet.ASCII if plain else GlyphSet.UNICODE
    )
