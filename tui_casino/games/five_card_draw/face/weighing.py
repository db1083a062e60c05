"""What the adviser tells on the screen: in a sentence, in a few figures, on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ....cards.poker import Category, rank_hand
from ....engine.game import Seat
from ....gamekit.formats import percent
from ....tui.draw.formats import with_sign
from ....tui.draw.tables import Rows, figure_row
from ..brains.basis import Basis
from ..brains.lazy import adviser
from ..brains.price import price_of, worths
from ..machine.moves import Action, Discard
from ..machine.rules import Positions
from ..machine.state import State
from .telling import deed_of, signs
from .widgets.beside import ROOM

if TYPE_CHECKING:
    from ..brains.adviser import Advice
    from ..brains.choices import Choice, Weighed


class Told(NamedTuple):
    """What the trainer knows of a moment; ``coach`` only where bets are made, and it is one's turn.

    There the worths are the coach's, and else those of a hand that is shown as it is.
    """

    advice: Advice
    coach: Weighed | None = None


def ask(view: State, seat: Seat) -> Told | None:
    """Have a moment weighed; ``None`` without a hand in play."""
    from ..brains.coach import weigh  # late: numpy

    advice = adviser.advise(view, seat)
    return None if advice is None else Told(advice, weigh(view, seat))


MOST_ON_PAGE = 8
MOST_DRAWS = 4
"""Discards that are listed, the best first."""


def chance_of(told: Told, gone: Positions = ()) -> Fraction:
    """Give the chance to win with a discard; before the draw with the best."""
    advice, coach = told
    if coach is not None:
        return Fraction(coach.chance)
    win = advice.wins.get(gone if len(advice.wins) == 1 else advice.best)
    return Fraction(win.chance) if win else Fraction(0)


def worth_of_acts(
    view: State, seat: int, actions: Sequence[Action], told: Told
) -> list[tuple[Action, Fraction]]:
    """Give what each act is worth in credits, in their order."""
    if told.coach is None:
        return [*worths(view, seat, actions, chance_of(told))]
    found = ((action, told.coach.of(action)) for action in actions)
    return [(action, Fraction(choice.value)) for action, choice in found if choice]


def worth_lines(view: State, seat: int, actions: Sequence[Action], told: Told) -> Rows:
    """List what each act is worth, the best one lit, and what is as good."""
    weighed = worth_of_acts(view, seat, actions, told)
    best = max((worth for _, worth in weighed), default=Fraction(0))
    return tuple(
        figure_row(
            type(act).__name__.lower(),
            signed(worth),
            "good" if worth == best or as_good(told, act) else "muted",
            ROOM,
        )
        for act, worth in weighed
    )


def as_good(told: Told, action: Action) -> bool:
    """Tell whether the coach finds an act as good as the best."""
    choice = told.coach.of(action) if told.coach else None
    return choice is not None and told.coach is not None and told.coach.as_good(choice)


def draw_lines(told: Told, gone: Positions) -> Rows:
    """List the discards that are worth most, or win most, and the marked one among them."""
    if told.coach is not None:
        return tuple(
            figure_row(places(way.positions), signed(Fraction(choice.value)), tone, ROOM)
            for choice, tone in coached_draws(told.coach, gone, MOST_DRAWS)
            if isinstance(way := choice.action, Discard)
        )
    advice = told.advice
    ways = sorted(advice.wins, key=lambda way: advice.wins[way].chance, reverse=True)
    shown = ways[:MOST_DRAWS]
    if gone and gone not in shown:
        shown = [*shown[:-1], gone]
    return tuple(
        figure_row(
            places(way),
            percent(advice.wins[way].chance, 0) if way in advice.wins else "",
            "good" if way == ways[0] else "gold" if way == gone else "muted",
            ROOM,
        )
        for way in shown
    )


def coached_draws(coach: Weighed, gone: Positions, most: int) -> Iterator[tuple[Choice, str]]:
    """Give the discards that are worth most, and the marked one, each with its tone."""
    marked = coach.of(Discard(gone)) if gone else None
    shown = [*coach.choices[:most]]
    if marked is not None and marked not in shown:
        shown = [*shown[:-1], marked]
    for choice in shown:
        yield choice, "good" if coach.as_good(choice) else "gold" if choice == marked else "muted"


def sentence(view: State, seat: int, told: Told) -> str:
    """Say what to throw and how often that wins, and what a bet needs; or what the coach says."""
    advice, price = told.advice, price_of(view, seat)
    if told.coach is not None:
        return _coached(view, seat, told.coach, advice)
    chance = chance_of(told)
    wins = f"ou win {percent(chance, 0)}"
    if len(advice.wins) > 1:
        wins = f"{throwing(advice, advice.best)}: y{wins}"
    else:
        wins = f"Y{wins}"
    if price is None:
        return wins
    return f"{wins} and need {percent(price.need, 0)}: {'call' if chance >= price.need else 'fold'}"


def _coached(view: State, seat: int, coach: Weighed, advice: Advice) -> str:
    best, price = coach.best.action, coach.price
    worth = f"worth {signed(Fraction(coach.best.value))}"
    if isinstance(best, Discard):
        return f"{throwing(advice, best.positions)}: {worth}, you win {percent(coach.chance, 0)}"
    need = f" and need {percent(price.need, 0)}" if price else ""
    alike = [deed_of(one.action, view, seat) for one in coach.choices if coach.as_good(one)]
    either = f"either {' or '.join(alike).lower()}" if len(alike) > 1 else alike[0].lower()
    return f"You win {percent(coach.chance, 0)}{need}: {either}, {worth}"


def throwing(advice: Advice, gone: Positions) -> str:
    """Say what is thrown: ``Throw 9♥ 5♣``, ``Stand pat``."""
    return f"Throw {signs([advice.hand[place - 1] for place in gone])}" if gone else "Stand pat"


def page_lines(view: State, seat: int, told: Told, draft: Positions) -> tuple[str, ...]:
    """Give what the marked discard makes of the hand, the best one where none is marked."""
    if told.coach is not None:
        return coach_page(view, seat, told.coach, told.advice, draft)
    advice = told.advice
    before = len(advice.wins) > 1
    gone = draft or advice.best if before else ()
    lines = [rank_hand(advice.hand).name, ""]
    if gone not in advice.wins:
        return *lines, "That may not be thrown."
    if before:
        lines.append(f"{throwing(advice, gone)}, and the hand becomes")
    lines += category_lines(advice, gone)
    win = advice.wins[gone]
    lines.append(f"You win {percent(win.chance, 1)}, error {100 * win.error:.1f}")
    if before and gone != advice.best:
        best = percent(advice.wins[advice.best].chance, 1)
        lines.append(f"Best: {throwing(advice, advice.best).lower()}, {best}")
    if (price := price_of(view, seat)) is not None:
        lines.append(f"To call {price.call} into {price.pot} needs {percent(price.need, 0)}")
    return (*lines, "", MODEL)


MODEL = """\
The categories are exact. The chance to win is sampled against
hands that draw by the algorithm; their bets are not considered."""


def coach_page(
    view: State, seat: int, coach: Weighed, advice: Advice, draft: Positions
) -> tuple[str, ...]:
    """Give every choice with its worth, its cost, and how often the solution makes it."""
    lines = [rank_hand(advice.hand).name, "", f"{'':<18}{'worth':>9}{'cost':>9}{'often':>8}"]
    marked = coach.of(Discard(draft)) if draft else None
    shown = [*coach.choices[:MOST_ON_PAGE]]
    if marked is not None and marked not in shown:
        shown.append(marked)
    for choice in shown:
        act = choice.action
        name = places(act.positions) if isinstance(act, Discard) else deed_of(act, view, seat)
        cost = cost_of(coach, choice)
        worth = signed(Fraction(choice.value))
        lines.append(f"{name:<18}{worth:>9}{cost:>9}{percent(choice.often, 0):>8}")
    lines.append(f"standard error of EVs {coach.error:.2f}")
    lines += ["", f"You win {percent(coach.chance, 0)} if no more is bet"]
    if coach.price is not None:
        price = coach.price
        lines.append(f"To call {price.call} into {price.pot} needs {percent(price.need, 0)}")
    if isinstance(coach.best.action, Discard):
        gone = draft if draft in advice.chances and draft else coach.best.action.positions
        lines += ["", f"{throwing(advice, gone)}, and the hand becomes"]
        lines += category_lines(advice, gone)
    return (*lines, "", BASIS[coach.basis])


def cost_of(coach: Weighed, choice: Choice) -> str:
    """Write what a choice costs beside the best: ``either`` where that is next to nothing."""
    if choice is coach.best:
        return "best"
    return "either" if coach.as_good(choice) else f"{coach.best.value - choice.value:.2f}"


SOLVED = """\
Worth in credits beside folding, if both go on as the solution
for two does; often: how often it does this with your hand."""
ROUGH = """\
A rough reckoning: they are taken to play as the solution for
two does, whatever the others do; often: how often it does this."""
LAST_ROUND = """\
You two are left: this round is solved anew, from what either may
hold by a rough reading; often: how often that does it."""
BASIS = {Basis.SOLUTION: SOLVED, Basis.LAST_ROUND: LAST_ROUND, Basis.ROUGH: ROUGH}


def category_lines(advice: Advice, gone: Positions) -> list[str]:
    """List what a discard makes of the hand, the best first."""
    chances = advice.chances[gone]
    return [
        f"{category.words:<18}{percent(chances.chance(category), 3):>10}"
        for category in reversed(Category)
        if chances.count(category)
    ]


def places(positions: Positions) -> str:
    """Write a discard as it is typed."""
    return " ".join(map(str, positions)) or "stand pat"


def signed(worth: Fraction) -> str:
    """Write what an act is worth, with its sign."""
    cents = round(100 * worth)
    return with_sign(cents, f"{abs(cents) / 100:.2f}")
