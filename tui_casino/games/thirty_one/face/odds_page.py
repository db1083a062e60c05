"""The odds of Hit me in pictures: what the dealer ends on, and what each rule is worth."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ....tui.draw.plots import shares
from ..brains import two_decks
from ..brains.chart import UPS, card_name
from ..brains.odds import BUST, dealer_odds, house_edge, lab, up_card
from ..machine.rules import Rules
from .figures import Seen
from .report import edge_lines

WIDTH = 52


def odds_page(glance: Seen) -> Iterator[str]:
    """Tell the odds by the rules of the table, from an endless shoe and from two fresh decks."""
    rules = glance.view.options.rules
    yield "How often the dealer goes bust, by his open card"
    busts = [(card_name(up), float(dealer_odds(up_card(up), rules)[BUST])) for up in UPS]
    yield from shares(((name, share, f"{share:.2%}") for name, share in busts), WIDTH, glance.plain)
    yield ""
    for line in edge_lines(rules):
        yield from wrap(line.strip(), WIDTH)
    yield ""
    yield "Rules lab: what the house keeps"
    yield f"{'':<30}{'endless':>11}{'two decks':>11}"
    of_two = two_decks.edges()
    for name, changed in lab():
        yield f"{name:<30}{float(house_edge(changed)):>11.4%}{of_two[changed].value:>11.4%}"
    yield ""
    usual = of_two[Rules()].value
    changes = [(name, of_two[changed].value - usual) for name, changed in lab()]
    for title, sign in (("What costs you more, of two decks", 1), ("What costs you less", -1)):
        yield title
        told = [(name, sign * more, f"{more:+.4%}") for name, more in changes if sign * more > 0]
        yield from shares(told, WIDTH, glance.plain)
