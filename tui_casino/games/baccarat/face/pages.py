"""The side panel and the statistics page of baccarat."""

from __future__ import annotations

from typing import TypeAlias

from ....gamekit.number_formats import percent, signed_money
from ....tui.table.snapshot import (
    PanelSection,
    StatisticsPage,
    TableSnapshot,
    bankroll_plot,
)
from ..brains.adviser import next_odds
from ..brains.odds import odds_of, rank_counts
from ..machine.rules import CENTS, BetSpot, Options
from ..machine.state import Action, Phase, State
from .advice import drawing_reasons, odds_lines
from .tally import Tally, outcome_line, table

BaccaratGlance: TypeAlias = TableSnapshot[State, Action, Tally]


def _next_coup(glance: BaccaratGlance) -> str:
    if glance.unaided:
        return ""
    return "\n".join(odds_lines(next_odds(glance.view), glance.view.options))


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


COLUMNS = (52, 106)
"""The widths of the blocks of the statistics page."""


def statistics(glance: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's coups and money, next to the expected figures for a full shoe."""
    tally, view = glance.tally, glance.view
    return StatisticsPage(
        table(tally, view.credit, signed_money),
        lambda: _expected(tally, view.options),
        tally.report(),
        COLUMNS,
    )


def _expected(tally: Tally, options: Options) -> str:
    """List the expected share of every outcome, and the expected net of every bet."""
    odds = odds_of(rank_counts(options.pack))
    lines = [f"{'Outcome':<14}{'coups':>8}{'share':>10}{'expected':>12}"]
    counts = dict(tally.endings())
    for spot in (
        BetSpot.BANKER,
        BetSpot.PLAYER,
        BetSpot.TIE,
        BetSpot.PLAYER_PAIR,
        BetSpot.BANKER_PAIR,
    ):
        start = outcome_line(spot.label, counts[spot.label], tally)
        lines.append(f"{start}{percent(odds.chance(spot)):>12}")
    lines += ["", f"{'Bet':<14}{'net':>12}{'expected':>14}{'edge':>10}"]
    for spot, _, staked, returned in tally.by_spot():
        edge = odds.edge(spot, options)
        net = signed_money(returned - CENTS * staked)
        should = signed_money(-round(CENTS * staked * edge))
        lines.append(f"{spot.label:<14}{net:>12}{should:>14}{percent(edge, 3):>10}")
    lines.append("Expected: for coups from a full shoe")
    return "\n".join(lines)
