"""What the adviser tells on the screen: in a sentence, in a few figures, on a page."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ....cards.poker import Category, rank_hand
from ....tui.widgets.meters import spelled_net
from ..brains.price import price_of, worths
from ..machine.moves import Action
from ..machine.rules import Positions
from ..machine.state import State
from .telling import signs
from .widgets.beside import Line

if TYPE_CHECKING:
    from ..brains.adviser import Advice

MOST_DRAWS = 4
"""Discards that are listed, the best first."""


def percent(chance: float | Fraction) -> str:
    """Write a chance as its players say it."""
    return f"{100 * float(chance):.0f} %"


def chance_of(advice: Advice, gone: Positions = ()) -> Fraction:
    """Give the chance to win with a discard; before the draw with the best."""
    win = advice.wins.get(gone if len(advice.wins) == 1 else advice.best)
    return Fraction(win.chance) if win else Fraction(0)


def worth_of_acts(
    view: State, seat: int, actions: Sequence[Action], advice: Advice
) -> list[tuple[Action, Fraction]]:
    """Give what each act is worth in credits, in their order."""
    return [*worths(view, seat, actions, chance_of(advice))]


def worth_lines(
    view: State, seat: int, actions: Sequence[Action], advice: Advice
) -> tuple[Line, ...]:
    """List what each act is worth, the best one lit."""
    weighed = worth_of_acts(view, seat, actions, advice)
    best = max((worth for _, worth in weighed), default=Fraction(0))
    return tuple(
        Line(type(act).__name__.lower(), signed(worth), "good" if worth == best else "muted")
        for act, worth in weighed
    )


def draw_lines(advice: Advice, gone: Positions) -> tuple[Line, ...]:
    """List the discards that win most, and the marked one among them."""
    ways = sorted(advice.wins, key=lambda way: advice.wins[way].chance, reverse=True)
    shown = ways[:MOST_DRAWS]
    if gone and gone not in shown:
        shown = [*shown[:-1], gone]
    return tuple(
        Line(
            places(way),
            percent(advice.wins[way].chance) if way in advice.wins else "",
            "good" if way == ways[0] else "gold" if way == gone else "muted",
        )
        for way in shown
    )


def sentence(view: State, seat: int, advice: Advice) -> str:
    """Say what to throw and how often that wins, and what a bet needs."""
    chance, price = chance_of(advice), price_of(view, seat)
    wins = f"ou win {percent(chance)}"
    if len(advice.wins) > 1:
        wins = f"{throwing(advice, advice.best)}: y{wins}"
    else:
        wins = f"Y{wins}"
    if price is None:
        return wins
    return f"{wins} and need {percent(price.need)}: {'call' if chance >= price.need else 'fold'}"


def throwing(advice: Advice, gone: Positions) -> str:
    """Say what is thrown: ``Throw 9♥ 5♣``, ``Stand pat``."""
    return f"Throw {signs([advice.hand[place - 1] for place in gone])}" if gone else "Stand pat"


def page_lines(view: State, seat: int, advice: Advice, draft: Positions) -> tuple[str, ...]:
    """Give what the marked discard makes of the hand, the best one where none is marked."""
    before = len(advice.wins) > 1
    gone = draft or advice.best if before else ()
    lines = [rank_hand(advice.hand).name, ""]
    if gone not in advice.wins:
        return *lines, "That may not be thrown."
    if before:
        lines.append(f"{throwing(advice, gone)}, and the hand becomes")
    lines += category_lines(advice, gone)
    win = advice.wins[gone]
    lines.append(f"You win {100 * win.chance:.1f} %, error {100 * win.error:.1f}")
    if before and gone != advice.best:
        best = 100 * advice.wins[advice.best].chance
        lines.append(f"Best: {throwing(advice, advice.best).lower()}, {best:.1f} %")
    if (price := price_of(view, seat)) is not None:
        lines.append(f"To call {price.call} into {price.pot} needs {percent(price.need)}")
    return (*lines, "", MODEL)


MODEL = """\
The categories are exact. The chance to win is sampled against
hands that draw by the algorithm; their bets are not considered."""


def category_lines(advice: Advice, gone: Positions) -> list[str]:
    """List what a discard makes of the hand, the best first."""
    chances = advice.chances[gone]
    return [
        f"{category.words:<18}{100 * float(chances.chance(category)):>8.3f} %"
        for category in reversed(Category)
        if chances.count(category)
    ]


def places(positions: Positions) -> str:
    """Write a discard as it is typed."""
    return " ".join(map(str, positions)) or "stand pat"


def signed(worth: Fraction) -> str:
    """Write what an act is worth, with its sign."""
    cents = round(100 * worth)
    return spelled_net(cents, f"{abs(cents) / 100:.2f}")
