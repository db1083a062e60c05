"""The side panel of video poker: session figures, bankroll, last hands and last mistake."""

from __future__ import annotations

from ....cards.text_art import GlyphSet, corner_index
from ....gamekit.adviser import Decision, Mistake
from ....tui.draw.number_formats import signed_count
from ....tui.table.snapshot import PanelSection, bankroll_plot
from ..machine.game import Action, Hold, State
from .hold_advice import HandGlance, hold_signs
from .tally import Tally, percent


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
