"""The statistics page of baccarat: outcomes of coups, and the net and house edge of each bet."""

from __future__ import annotations

from ....engine.money import dollars
from ....gamekit.number_formats import percent
from ....tui.table.snapshot import StatisticsPage, TableSnapshot
from ..brains.odds import odds_of, rank_counts
from ..machine.moves import Action
from ..machine.rules import CENTS, BetSpot
from ..machine.state import Options, State
from .tally import Tally, table

COLUMNS = (52, 106)


def statistics(glance: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's coups and money, next to the expected figures for a full shoe."""
    tally, view = glance.tally, glance.view
    return StatisticsPage(
        table(tally, view.credit), lambda: _expected(tally, view.options), tally.report(), COLUMNS
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
        count = counts[spot.label]
        share = percent(count, of=tally.rounds) if tally.rounds else "-"
        chance = percent(odds.chance(spot))
        lines.append(f"{spot.label:<14}{count:>8,}{share:>10}{chance:>12}")
    lines += ["", f"{'Bet':<14}{'net':>12}{'expected':>14}{'edge':>10}"]
    for spot, _, staked, returned in tally.by_spot():
        edge = odds.edge(spot, options.commission)
        net = dollars(returned - CENTS * staked)
        should = dollars(-round(CENTS * staked * edge))
        lines.append(f"{spot.label:<14}{net:>12}{should:>14}{percent(edge, 3):>10}")
    lines.append("Expected: for coups from a full shoe")
    return "\n".join(lines)
