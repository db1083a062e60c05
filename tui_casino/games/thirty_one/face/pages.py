"""The statistics page, the page with the odds of the position, and the cards of a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from ....cards.card import Hand
from ....engine.money import dollars
from ....gamekit.adviser import Decision
from ....gamekit.number_formats import percent, share_text, signed_money
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ....tui.draw.plots import figure_line, share_bars
from ....tui.table.snapshot import FiguresPage, StatisticsPage, TableSnapshot
from ..brains.odds import Ending, battle_endings, battle_return
from ..machine.rules import DEALER_WINS_ON, SAFE_TOTAL, Rules, total_of
from ..machine.state import Action, State
from .advice import odds_lines
from .tally import Tally, ending_rows, money_rows, special_rows
from .words import say_total

WIDTH = 46
BY_THE_RULE = "By the dealer's rule"


COUNT_NAMES = {
    "wins": "you won",
    "pushes": "push",
    "losses": "the dealer won",
    "player 27": "your 27s",
    "dealer 27": "the dealer's 27s",
    "dealer hands": "the dealer's hands",
    "hands 27 share": "27, both sides",
    "player 14": "you stood on 14",
    "player 14 won": "you won on 14",
    "player 14 win share": "wins among the 14s",
    "wins on 14 share": "14s among the wins",
    "dealer 14 won": "lost to dealer 14",
    "player bust": "you went bust",
}
"""The names on the screen of the counts in the tally's report."""


def statistics(snapshot: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's hands and money, and the shares expected with the dealer's rule."""
    tally, view = snapshot.tally, snapshot.view
    return StatisticsPage(
        counts="\n".join(_counts(tally, view.credit, plain=snapshot.plain)),
        expected=lambda: expected_text(view.options.rules),
        report=tally.report(),
        columns=(WIDTH, 86),
    )


def _counts(tally: Tally, credit: int, *, plain: bool) -> Iterator[str]:
    """Chart how the player's hands ended, and list the longest runs and the money in credits."""
    yield figure_line("Rounds", tally.rounds, WIDTH)
    yield figure_line("Hands", tally.hands, WIDTH)
    for title, counts in (
        ("How your hands ended", ending_rows(tally)),
        ("Hands of 14 and 27", special_rows(tally)),
    ):
        bars = (
            (row.name, row.hands / row.of if row.of else 0, f"{row.hands:,}{row.share:>9}")
            for row in counts
        )
        yield from ("", title, *share_bars(bars, WIDTH, plain))
    yield from ("", figure_line("Longest runs", "rounds", WIDTH))
    yield figure_line("Winning", tally.winning.longest, WIDTH)
    yield figure_line("Losing", tally.losing.longest, WIDTH)
    yield from ("", figure_line("Money", "credits", WIDTH))
    returned = share_text(tally.won, tally.wagered)
    for name, figure in (
        *money_rows(tally)[:-1],
        ("Net", signed_money(tally.won - tally.wagered)),
        ("Credit", dollars(credit)),
        ("Return", returned),
    ):
        yield figure_line(name, figure, WIDTH)


def expected_text(rules: Rules) -> str:
    """Return the exact shares of results for a player who follows the dealer's rule."""
    endings = battle_endings(rules)

    def share(matches: Callable[[Ending], bool]) -> Fraction:
        return sum((chance for end, chance in endings.items() if matches(end)), Fraction(0))

    def on_14(end: Ending) -> bool:
        return end[0] == SAFE_TOTAL

    won = share(lambda end: battle_return(end) == 2)
    won_on_14 = share(lambda end: on_14(end) and battle_return(end) == 2)
    expected = {
        "You win": won,
        "Push": share(lambda end: battle_return(end) == 1),
        "The dealer wins": share(lambda end: battle_return(end) == 0),
        "You are bust": share(lambda end: end[1] is None),
        "Lost to the dealer's 14": share(lambda end: end[1] == DEALER_WINS_ON),
        "You stand on 14": share(on_14),
        "Wins among the 14s": won_on_14 / share(on_14),
        "14s among the wins": won_on_14 / won,
        "Return": sum((battle_return(end) * p for end, p in endings.items()), Fraction(0)),
    }
    return "\n".join(
        (
            f"{BY_THE_RULE:<22}{'expected':>12}",
            *(f"{name:<22}{percent(part):>12}" for name, part in expected.items()),
            "Expected: from an infinite shoe",
        )
    )


ThirtyOneSnapshot: TypeAlias = TableSnapshot[State, Action, Tally]


def figures(snapshot: ThirtyOneSnapshot) -> FiguresPage:
    """Return the page that shows the odds of the current position."""
    lines = odds_lines(snapshot.view)
    return (
        FiguresPage("Odds", lines) if lines else FiguresPage("There is no hand to analyse now.", ())
    )


# ---- the cards of a choice, outside the table ----------------------------------------------------


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the hand of the choice, the dealer's cards, and the other hands after a split.

    Cards that were dealt after the choice have the caption ``new``.
    """
    view, end = decision.view, ending or decision.view
    active = view.active or 0
    order = sorted(range(len(end.hands)), key=lambda place: place != active)
    hands = [
        _group("YOU" if len(order) == 1 else f"HAND {place + 1}", end.hands[place].cards, before)
        for place in order
        for before in (view.hands[place].cards if place < len(view.hands) else (),)
    ]
    dealer = _group("DEALER", end.dealer, view.dealer)
    return (*hands[:1], dealer, *hands[1:])


def _group(title: str, cards: Hand, before: Hand) -> CardGroup:
    """Return a hand with its total; ``before`` are the cards at the time of the choice."""
    total = total_of(cards)
    same = cards[: len(before)] == before
    captions = tuple("new" * (same and place >= len(before)) for place in range(len(cards)))
    state = CardState.DIMMED if total.bust else CardState.NORMAL
    return CardGroup(title, cards, (state,) * len(cards), captions, say_total(total))
