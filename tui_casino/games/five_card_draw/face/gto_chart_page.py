"""GTO charts on the screen: a window and a section of the side panel, with the cell lit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from textual.content import Content

from ....gamekit.number_formats import percent
from ....tui.table.snapshot import ChartPage, ContentLike, TableSnapshot
from ....tui.widgets.text_blocks import PANEL_WIDTH, wrap_text
from ..brains.gto_chart import GtoChart, chart_for
from ..brains.mistakes import DRAWS, HIGH, MADE, PAIRS
from ..machine.state import Action, Stakes, State
from . import gto_chart_text as charts
from .tally import Tally

NO_CHOICE = "you have no choice to make now."
NO_BETTING = "this table has no betting, so it has no GTO chart."
SHORT: Mapping[str, str] = MappingProxyType(
    dict(zip(MADE, ("straight +", "trips", "two pair"), strict=True))
    | dict(zip(DRAWS, ("4-flush", "4-straight"), strict=True))
    | dict(zip(PAIRS, ("AA or KK", "QQ or JJ", "low pair"), strict=True))
    | {group: group for group in HIGH}
)
"""The groups of hands in ten columns."""
SHORT_LABEL, SHORT_CELL = 10, 6
OWN = "$gold bold"
LIT = "$block-cursor-text-style $block-cursor-foreground on $block-cursor-background"


def chart_page(snapshot: TableSnapshot[State, Action, Tally], columns: int) -> ChartPage:
    """Return the page with the chart of the current decision, for a window of this width."""
    chart = chart_for(snapshot.view, snapshot.seat)
    if chart is None:
        at_limit = snapshot.view.options.stakes is Stakes.LIMIT
        return ChartPage(NO_CHOICE if at_limit else NO_BETTING)
    if not charts.is_reached(chart):
        return ChartPage(
            charts.title_of(chart), "\n".join(wrap_text(" ".join(charts.notes(chart)), columns))
        )
    wide = columns >= 2 + charts.LABEL + charts.CELL * len(charts.columns_of(chart))
    rows = _lit_rows(chart) if wide else _short_rows(chart)
    below = ["", *wrap_text(" ".join(charts.notes(chart)), columns)]
    own = charts.own_rows(chart) if wide else ()
    text = Content("\n").join([*rows, *map(Content, (*own, *below))])
    return ChartPage(charts.title_of(chart), text)


def chart_section(snapshot: TableSnapshot[State, Action, Tally]) -> ContentLike:
    """Return the chart of the current decision for the side panel."""
    chart = chart_for(snapshot.view, snapshot.seat)
    if chart is None:
        return ""
    if not charts.is_reached(chart):
        return Content.styled("\n".join(wrap_text(charts.NOBODY, PANEL_WIDTH)), "$muted")
    if chart.players > 2:  # its frequencies would contradict the EVs next to it
        return Content.styled("only for two players", "$muted")
    rows = [*_short_rows(chart)]
    if not chart.is_exact:
        rows += [Content.styled("for two players, roughly right", "$muted")]
    return Content("\n").join(rows)


def _lit_rows(chart: GtoChart) -> Iterator[Content]:
    heads, *rows = charts.table_rows(chart)
    yield Content.styled(heads, "$muted")
    for group, row in zip(chart.rows, rows, strict=True):
        if group.group == chart.own_group:
            before, bracket, rest = row.partition("[")
            cell, end, after = rest.partition("]")
            yield Content.assemble((before, OWN), (bracket + cell + end, LIT), (after, OWN))
        else:
            yield Content(row)


def _short_rows(chart: GtoChart) -> Iterator[Content]:
    """Yield the chart in the columns of the side panel."""
    columns = charts.columns_of(chart)
    cell = min(SHORT_CELL, (PANEL_WIDTH - SHORT_LABEL) // len(columns))
    heads = "".join(f"{head:>{cell}}" for head in columns.values())
    yield Content.styled(f"{'':<{SHORT_LABEL}}{heads}", "$muted")
    for row in chart.rows:
        own = row.group == chart.own_group
        style = OWN if own else "$foreground"
        parts = [(f"{SHORT[row.group]:<{SHORT_LABEL}}", style)]
        for index in columns if row.frequencies else ():
            share = percent(row.frequencies[index], 0)
            share = share if cell == SHORT_CELL else share.removesuffix("%")
            parts += [
                (" " * (cell - len(share)), style),
                (share, LIT if own and index == row.usual else style),
            ]
        if not row.frequencies:
            parts.append((f"{charts.NEVER:>{cell}}", style))
        yield Content.assemble(*parts)
