"""The odds of Hit Me as bar charts: the dealer's final totals, and the effect of each rule."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ....tui.draw.plots import share_bars
from ..brains.odds import BUST, card_total, dealer_odds, house_edge
from ..brains.rules_lab import lab_rules, read_edges
from ..brains.strategy_chart import UP_CARDS, card_name
from ..machine.rules import Rules
from .odds_report import edge_lines, lab_title
from .pages import ThirtyOneSnapshot

WIDTH = 52


def odds_page(snapshot: ThirtyOneSnapshot) -> Iterator[str]:
    """Yield the odds under the table's rules, with an infinite shoe and with two fresh decks."""
    rules = snapshot.view.options.rules
    yield "How often the dealer goes bust, by the card shown"
    busts = [
        (card_name(up_card), float(dealer_odds(card_total(up_card), rules)[BUST]))
        for up_card in UP_CARDS
    ]
    yield from share_bars(
        ((name, share, f"{share:.2%}") for name, share in busts), WIDTH, snapshot.plain
    )
    yield ""
    for line in edge_lines(rules):
        yield from wrap(line.strip(), WIDTH)
    yield ""
    yield "Rules lab: the house edge"
    yield f"{'':<30}{'infinite':>11}{'two decks':>11}"
    of_two = read_edges()
    for name, changed in lab_rules():
        edge, fresh = float(house_edge(changed)), of_two[changed].value
        yield f"{lab_title(name):<30}{edge:>11.4%}{fresh:>11.4%}"
    yield ""
    usual = of_two[Rules()].value
    changes = [(lab_title(name), of_two[changed].value - usual) for name, changed in lab_rules()]
    for title, sign in (
        ("Rules that cost you more (two decks)", 1),
        ("Rules that cost you less", -1),
    ):
        yield title
        bars = [
            (name, sign * change, f"{change:+.4%}") for name, change in changes if sign * change > 0
        ]
        yield from share_bars(bars, WIDTH, snapshot.plain)
