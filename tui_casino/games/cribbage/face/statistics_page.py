"""The statistics page of cribbage: points by source, averages next to good play, and games."""

from __future__ import annotations

from collections.abc import Iterator

from ....tui.draw.plots import share_bars
from ....tui.table.snapshot import StatisticsPage, TableSnapshot
from ..brains.par import PLAYED
from ..machine.moves import Action
from ..machine.state import State
from .tally import Tally

WIDTH = 46
COLUMNS = (WIDTH, 92)


def statistics(snapshot: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's points and games, next to the averages of two good players."""
    tally = snapshot.tally
    return StatisticsPage(
        "\n".join(_counts(tally, plain=snapshot.plain)),
        lambda: "\n".join(_averages(tally)),
        tally.report(),
        COLUMNS,
        for_money=False,
    )


def _counts(tally: Tally, *, plain: bool) -> Iterator[str]:
    """Chart the points by source, and list the games."""
    sources = (
        ("Pegged", tally.pegged),
        ("In hands", tally.hands),
        ("In cribs", tally.cribs),
    )
    total = sum(points for _, points in sources)
    yield f"{'Rounds':<22}{tally.rounds:>{WIDTH - 22},}"
    yield ""
    yield "Your points"
    yield from share_bars(
        ((name, points / total if total else 0, f"{points:,}") for name, points in sources),
        WIDTH,
        plain,
    )
    yield f"{'In total':<22}{total:>{WIDTH - 22},}"
    yield f"{'The opponent':<22}{tally.against:>{WIDTH - 22},}"
    if tally.games:
        yield ""
        yield f"{'Games':<22}{tally.games:>{WIDTH - 22},}"
        yield f"{'Won':<22}{tally.games_won:>{WIDTH - 22},}"
        yield f"{'Won by a skunk':<22}{tally.skunks:>{WIDTH - 22},}"
        yield f"{'Lost by a skunk':<22}{tally.skunked:>{WIDTH - 22},}"
        yield "The last score of a game counts in full."


def _averages(tally: Tally) -> Iterator[str]:
    """List the averages of this session, and those of two good players."""
    yield f"{'Average':<20}{'yours':>10}{'good play':>12}"
    for name, points, count, good in (
        ("Hand", tally.hands, tally.shown, f"{PLAYED['hand']:.1f}"),
        ("Crib", tally.cribs, tally.own, f"{PLAYED['crib']:.1f}"),
        ("Pegged per round", tally.pegged, tally.rounds, "-"),
    ):
        average = f"{points / count:.2f}" if count else "-"
        yield f"{name:<20}{average:>10}{good:>12}"
    yield "Good play: the average of two good players"
