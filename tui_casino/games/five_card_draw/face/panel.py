"""What is told of a moment of five-card draw: in the side panel, and on pages of its own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from textual.content import Content

from ....cards.poker import rank_hand
from ....tui.table.glance import Figures, Glance, Section, Text
from ....tui.terminal.detection import Tier
from ....tui.widgets.hints import spelled
from ....tui.widgets.meters import spelled_net
from ....tui.widgets.panel import PANEL_WIDTH
from ....tui.widgets.plots import plot
from ..brains.players import NAMES
from ..brains.price import price_of
from ..machine import game
from ..machine.moves import Action, Bet, Raise
from ..machine.rules import HAND_CARDS
from ..machine.state import Phase, State
from .tally import Tally
from .telling import deed_of
from .weighing import (
    chance_of,
    page_lines,
    percent,
    places,
    sentence,
    signed,
    worth_of_acts,
)

if TYPE_CHECKING:
    from ..brains.adviser import Advice

DrawGlance: TypeAlias = Glance[State, Action, Tally]
NO_HAND = "There is no hand to weigh now."
SILENT = Content.styled("Ask the trainer: t", "$muted")
MOST_DRAWS = 6
PLOT_ROWS = 5


def figures(glance: DrawGlance) -> Figures:
    """Give what the adviser says of the hand, on a page."""
    advice = _advice(glance)
    if advice is None:
        return Figures(NO_HAND, ())
    lines = page_lines(glance.view, glance.seat, advice, glance.draft)
    return Figures("Your hand", tuple(_spelled(line, glance) for line in lines))


def answer(glance: DrawGlance) -> tuple[str, ...]:
    """Say in a sentence what the adviser would do; nothing where there is nothing to weigh."""
    advice = _advice(glance)
    return (f"{sentence(glance.view, glance.seat, advice)}.",) if advice else ()


def _advice(glance: DrawGlance) -> Advice | None:
    from ..brains.adviser import advise  # numpy, late

    return advise(glance.view, glance.seat)


def _told(glance: DrawGlance) -> Advice | None:
    """Give the advice if the trainer is on."""
    return _advice(glance) if glance.weighs else None


def _spelled(text: str, glance: DrawGlance) -> str:
    return spelled(text, Tier.ASCII if glance.plain else Tier.UNICODE)


# ---- the sections ------------------------------------------------------------------------------


def _your_hand(glance: DrawGlance) -> Text:
    view, seat = glance.view, glance.seat
    hand = view.hands[seat]
    if len(hand) != HAND_CARDS or len({*hand}) < HAND_CARDS:
        return ""
    lines = [Content.styled(rank_hand(hand).name, "bold")]
    advice, price = _told(glance), price_of(view, seat)
    chance = chance_of(advice) if advice else None
    if chance is not None:
        others = len(view.alive) - 1
        against = "wins against all" if others > 2 else "wins against both"
        lines += [
            _row(against if others > 1 else "wins", percent(chance)),
            _bar(chance, price.need if price else None, glance.plain),
        ]
    if price is not None:
        lines.append(_row("needed to call", percent(price.need), "$gold"))
    return Content("\n").join(lines)


def _bar(chance: Fraction, need: Fraction | None, plain: bool) -> Content:
    """Draw a chance as a bar, with a mark where it would have to reach."""
    full, blank, mark = "#.|" if plain else "█─┃"
    cells = [full] * round(chance * PANEL_WIDTH)
    cells += [blank] * (PANEL_WIDTH - len(cells))
    at = PANEL_WIDTH if need is None else min(round(need * PANEL_WIDTH), PANEL_WIDTH - 1)
    line, rest = "".join(cells[:at]), "".join(cells[at + 1 :])
    marked = (mark, "$gold bold") if need is not None else ("", "")
    return Content.assemble(*_inked(line, full), marked, *_inked(rest, full))


def _inked(cells: str, full: str) -> Iterator[tuple[str, str]]:
    won = cells.count(full)
    yield cells[:won], "$good"
    yield cells[won:], "$muted"


def _price_of_acts(glance: DrawGlance) -> Text:
    view, seat = glance.view, glance.seat
    offers = game.offers(view, seat)
    if not offers or view.phase is Phase.REST:
        return ""
    advice = _told(glance)
    if advice is None:
        return SILENT if _advice(glance) else ""
    if view.phase is Phase.DRAW:
        return Content("\n").join(_draws(glance, advice))
    acts = [offer.kind() for offer in offers if not offer.barred]
    return Content("\n").join(_worths(view, seat, acts, advice))


def _worths(view: State, seat: int, acts: list[Action], advice: Advice) -> Iterator[Content]:
    weighed = worth_of_acts(view, seat, acts, advice)
    best = max((worth for _, worth in weighed), default=Fraction(0))
    yield Content.styled(f"{'':<14}{'worth':>8}{'cost':>8}", "$muted")
    for act, worth in weighed:
        lit = worth == best
        name, cost = deed_of(act, view, seat), "best" if lit else f"{float(best - worth):.2f}"
        line = f"{name:<14}{signed(worth):>8}{cost:>8}"
        yield Content.styled(line, "$good bold" if lit else "$foreground")
    if any(isinstance(act, Bet | Raise) for act in acts):
        yield Content.styled("if all call, and then check", "$muted")


def _draws(glance: DrawGlance, advice: Advice) -> Iterator[Content]:
    ways = sorted(advice.wins, key=lambda way: advice.wins[way].chance, reverse=True)
    shown, marked = ways[:MOST_DRAWS], glance.draft
    if marked not in shown and marked in advice.wins:
        shown = [*shown[:-1], marked]
    best = advice.wins[ways[0]].chance
    yield Content.styled(f"{'throw':<14}{'wins':>8}{'cost':>8}", "$muted")
    for way in shown:
        chance = advice.wins[way].chance
        cost = "best" if way == ways[0] else percent(best - chance)
        line = f"{places(way):<14}{percent(chance):>8}{cost:>8}"
        ink = "$good bold" if way == ways[0] else "$gold" if way == marked else "$foreground"
        yield Content.styled(line, ink)


def _what_they_hold(glance: DrawGlance) -> Text:
    """Tell what those may hold who are in after the draw, by how many cards they drew."""
    if not glance.weighs or _advice(glance) is None:
        return ""
    from ..brains.adviser import standings  # numpy, late

    held = standings(glance.view, glance.seat)
    if not held:
        return ""
    head = "".join(f"{NAMES[each.seat]:>8}" for each in held)
    two = "".join(f"{percent(each.two_pair):>8}" for each in held)
    better = "".join(f"{percent(each.better):>8}" for each in held)
    return Content("\n").join(
        (
            Content.styled(f"{'':<6}{head}", "$muted"),
            Content(f"2 pair{two}"),
            Content(f"better{better}"),
        )
    )


def _this_hand(glance: DrawGlance) -> str:
    return _spelled("\n".join(glance.story), glance)


def _session(glance: DrawGlance) -> Text:
    tally, money = glance.tally, glance.journal.bankroll
    net = tally.won - tally.wagered
    hands = f"{tally.rounds:,} hand{'s' * (tally.rounds != 1)}"
    ink = "$good" if net > 0 else "$bad" if net < 0 else "$foreground"
    shown = _spelled(spelled_net(net, f"{abs(net):,}"), glance)
    lines = [_row(hands, shown, ink), _row("won", f"{tally.won_hands:,}")]
    if len(money) > 1:
        drawn = plot(money, PANEL_WIDTH, PLOT_ROWS, glance.plain)
        lines += [Content.styled(line, "$gold") for line in drawn]
    return Content("\n").join(lines)


def _row(words: str, figure: str, ink: str = "bold") -> Content:
    return Content.assemble(words.ljust(PANEL_WIDTH - len(figure)), (figure, ink))


PANEL: tuple[Section[State, Action, Tally], ...] = (
    Section("your hand", _your_hand),
    Section("price of each action", _price_of_acts, weighs=True),
    Section("what they may have", _what_they_hold),
    Section("this hand", _this_hand, tail=True),
    Section("session", _session),
)
