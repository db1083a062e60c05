"""The side panel of baccarat: the next coup, the last coup, session figures and bankroll."""

from __future__ import annotations

from typing import TypeAlias

from ....tui.draw.number_formats import signed_money
from ....tui.table.snapshot import PanelSection, TableSnapshot, bankroll_plot
from ..brains.adviser import next_odds
from ..machine.moves import Action
from ..machine.state import Phase, State
from .advice import odds_lines
from .drawing_reasons import drawing_reasons
from .tally import Tally

BaccaratGlance: TypeAlias = TableSnapshot[State, Action, Tally]


def _next_coup(glance: BaccaratGlance) -> str:
    return "\n".join(odds_lines(next_odds(glance.view), glance.view.options.commission))


def _last_coup(glance: BaccaratGlance) -> str:
    view = glance.view
    has_cards = view.coups and view.player.cards and view.phase is Phase.BET
    return "\n".join(drawing_reasons(view.player, view.banker)) if has_cards else ""


def _session(glance: BaccaratGlance) -> str:
    tally = glance.tally
    net = tally.won - tally.wagered
    lines = [f"coups    {tally.rounds:>10,}"]
    lines.append(f"net      {signed_money(net):>10}")
    lines += [f"{name:<9}{count:>10,}" for name, count in tally.endings()[:3]]
    return "\n".join(lines)


PANEL: tuple[PanelSection[State, Action, Tally], ...] = (
    PanelSection("next coup", _next_coup),
    PanelSection("last coup", _last_coup),
    PanelSection("session", _session),
    PanelSection("bankroll", bankroll_plot),
)
