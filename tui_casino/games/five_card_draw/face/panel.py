"""What is told of a moment of five-card draw: in the side panel, and on pages of its own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from textual.content import Content

from ....cards.poker import HandCategory, rank_hand
from ....gamekit.number_formats import percent
from ....tui.draw.glyphs import transliterate
from ....tui.draw.number_formats import signed_count
from ....tui.draw.plots import plot
from ....tui.table.snapshot import ContentLike, FiguresPage, PanelSection, TableSnapshot
from ....tui.terminal.detection import GlyphSet
from ....tui.widgets.panel import PANEL_WIDTH
from ..brains.ev_basis import EvBasis
from ..brains.lazy import adviser
from ..brains.players import NAMES
from ..brains.pot_odds import pot_odds_of
from ..machine import game
from ..machine.moves import Action, Bet, Discard, Raise
from ..machine.rules import HAND_CARDS
from ..machine.state import Phase, State
from .messages import action_label
from .screen_advice import (
    DrawTrainerData,
    action_ev,
    advice_page,
    advice_sentence,
    best_draws_by_ev,
    chance_of,
    cost_of,
    format_positions,
    signed_ev,
    weigh_position,
)
from .tally import Tally

if TYPE_CHECKING:
    from ..brains.adviser import DiscardAdvice
    from ..brains.limit_choices import LimitAdvice, LimitChoice

DrawGlance: TypeAlias = TableSnapshot[State, Action, Tally]
NO_HAND = "There is no hand to weigh now."
SILENT = Content.styled("Ask the trainer: t", "$muted")
MOST_DRAWS = 6
BAR = 24
"""Columns of the bar of how often an act is done."""
PLOT_ROWS = 5


def figures(glance: DrawGlance) -> FiguresPage:
    """Give what the adviser says of the hand, on a page."""
    advice = _advice(glance)
    if advice is None:
        return FiguresPage(NO_HAND, ())
    lines = advice_page(glance.view, glance.seat, advice, glance.selection)
    return FiguresPage("Your hand", tuple(_spelled(line, glance) for line in lines))


def answer(glance: DrawGlance) -> tuple[str, ...]:
    """Say in a sentence what the adviser would do; nothing where there is nothing to weigh."""
    advice = _advice(glance)
    return (f"{advice_sentence(glance.view, glance.seat, advice)}.",) if advice else ()


def _advice(glance: DrawGlance) -> DrawTrainerData | None:
    return weigh_position(glance.view, glance.seat)


def _told(glance: DrawGlance) -> DrawTrainerData | None:
    """Give the advice if the trainer is on."""
    return _advice(glance) if glance.weighs else None


def _spelled(text: str, glance: DrawGlance) -> str:
    return transliterate(text, GlyphSet.ASCII if glance.plain else GlyphSet.UNICODE)


# ---- the sections ------------------------------------------------------------------------------


def _your_hand(glance: DrawGlance) -> ContentLike:
    view, seat = glance.view, glance.seat
    hand = view.hands[seat]
    if len(hand) != HAND_CARDS or len({*hand}) < HAND_CARDS:
        return ""
    lines = [Content.styled(rank_hand(hand).name, "bold")]
    advice, price = _told(glance), pot_odds_of(view, seat)
    chance = chance_of(advice) if advice else None
    if chance is not None:
        others = len(view.alive) - 1
        against = "wins against all" if others > 2 else "wins against both"
        lines += [
            _row(against if others > 1 else "wins", percent(chance, 0)),
            _bar(chance, price.need if price else None, glance.plain),
        ]
    if price is not None:
        lines.append(_row("needed to call", percent(price.need, 0), "$gold"))
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


def _price_of_acts(glance: DrawGlance) -> ContentLike:
    view, seat = glance.view, glance.seat
    offers = game.offers(view, seat)
    if not offers or view.phase is Phase.REST:
        return ""
    advice = _told(glance)
    if advice is None:
        return SILENT if _advice(glance) else ""
    if advice.coach is not None:
        return Content("\n").join(_coached(glance, advice.coach))
    if view.phase is Phase.DRAW:
        return Content("\n").join(_draws(glance, advice.advice))
    acts = [offer.kind() for offer in offers if not offer.barred]
    return Content("\n").join(_worths(view, seat, acts, advice))


def _worths(
    view: State, seat: int, acts: list[Action], advice: DrawTrainerData
) -> Iterator[Content]:
    weighed = action_ev(view, seat, acts, advice)
    best = max((worth for _, worth in weighed), default=Fraction(0))
    yield Content.styled(f"{'':<14}{'worth':>8}{'cost':>8}", "$muted")
    for act, worth in weighed:
        lit = worth == best
        name, cost = action_label(act, view, seat), "best" if lit else f"{float(best - worth):.2f}"
        line = f"{name:<14}{signed_ev(worth):>8}{cost:>8}"
        yield Content.styled(line, "$good bold" if lit else "$foreground")
    if any(isinstance(act, Bet | Raise) for act in acts):
        yield Content.styled("if all call, and then check", "$muted")


def _coached(glance: DrawGlance, coach: LimitAdvice) -> Iterator[Content]:
    """List what may be done with worth and cost, and bars of how often the solution does it."""
    drawing = glance.view.phase is Phase.DRAW
    choices = [choice for choice, _ in best_draws_by_ev(coach, glance.selection, MOST_DRAWS)]
    yield Content.styled(f"{'throw' if drawing else '':<14}{'worth':>8}{'cost':>8}", "$muted")
    for choice in choices if drawing else coach.choices:
        act = choice.action
        name = (
            format_positions(act.positions) if isinstance(act, Discard) else _deed(glance, choice)
        )
        figures = f"{signed_ev(Fraction(choice.value)):>8}{cost_of(coach, choice):>8}"
        lit = coach.as_good(choice)
        yield Content.styled(f"{name:<14}{figures}", "$good bold" if lit else "$foreground")
        if not drawing:
            yield _often(choice.often, lit, glance.plain)
    if not drawing:
        yield Content.styled("bars: how often the solution", "$muted")
        yield Content.styled(f"does it{_ROUGHLY[coach.basis]}", "$muted")


_ROUGHLY = {
    EvBasis.SOLUTION: "",
    EvBasis.LAST_ROUND: "; solved anew",
    EvBasis.ROUGH: "; here only roughly",
}


def _deed(glance: DrawGlance, choice: LimitChoice) -> str:
    return action_label(choice.action, glance.view, glance.seat)


def _often(share: float, lit: bool, plain: bool) -> Content:
    full, blank = "#." if plain else "█─"
    cells = round(share * BAR)
    ink = "$gold" if lit else "$foreground"
    return Content.assemble(
        (full * cells, ink),
        (blank * (BAR - cells), "$muted"),
        (f"{percent(share, 0):>{PANEL_WIDTH - BAR}}", "$muted"),
    )


def _draws(glance: DrawGlance, advice: DiscardAdvice) -> Iterator[Content]:
    ways = sorted(advice.wins, key=lambda way: advice.wins[way].chance, reverse=True)
    shown, marked = ways[:MOST_DRAWS], glance.selection
    if marked not in shown and marked in advice.wins:
        shown = [*shown[:-1], marked]
    best = advice.wins[ways[0]].chance
    yield Content.styled(f"{'throw':<14}{'wins':>8}{'cost':>8}", "$muted")
    for way in shown:
        chance = advice.wins[way].chance
        cost = "best" if way == ways[0] else percent(best - chance, 0)
        line = f"{format_positions(way):<14}{percent(chance, 0):>8}{cost:>8}"
        ink = "$good bold" if way == ways[0] else "$gold" if way == marked else "$foreground"
        yield Content.styled(line, ink)


def _what_they_hold(glance: DrawGlance) -> ContentLike:
    """Tell what those may hold who are in after the draw, by how many cards they drew."""
    told = _told(glance)
    if told is None:
        return ""
    if told.coach is not None:
        return Content("\n").join(_ranges(glance, told.coach))
    held = adviser.sample_ranges(glance.view, glance.seat)
    if not held:
        return ""
    head = "".join(f"{NAMES[each.seat]:>8}" for each in held)
    two = "".join(f"{percent(each.two_pair, 0):>8}" for each in held)
    better = "".join(f"{percent(each.better, 0):>8}" for each in held)
    return Content("\n").join(
        (
            Content.styled(f"{'':<6}{head}", "$muted"),
            Content(f"2 pair{two}"),
            Content(f"better{better}"),
        )
    )


def _ranges(glance: DrawGlance, coach: LimitAdvice) -> Iterator[Content]:
    """Tell how likely each opponent has a higher kind of hand, a better one of this, or a worse."""
    if not coach.rivals:
        return
    drew = "".join(f"{glance.view.drawn[each.seat] or 'pat':>5}" for each in coach.rivals)
    yield Content.styled(f"{'they drew':<{PANEL_WIDTH - len(drew)}}{drew}", "$muted")
    higher = [*HandCategory][coach.category + 1 :]
    above = f"{higher[0].words} or better".replace("one pair", "a pair") if higher else ""
    better = f"better {coach.category.words}".replace("better one pair", "a better pair")
    rows = [
        (above, "a higher kind", [one.higher for one in coach.rivals]),
        (better, "better of mine", [one.better for one in coach.rivals]),
        ("a worse hand", "a worse hand", [one.worse for one in coach.rivals]),
    ]
    for words, short, shares in rows:
        figures = "".join(f"{round(100 * share)}%".rjust(5) for share in shares)
        room = PANEL_WIDTH - len(figures)
        if words:
            yield Content(f"{words if len(words) < room else short:<{room}}{figures}")


def _this_hand(glance: DrawGlance) -> str:
    return _spelled("\n".join(glance.recent_lines), glance)


def _session(glance: DrawGlance) -> ContentLike:
    tally, money = glance.tally, glance.totals.bankroll
    net = tally.won - tally.wagered
    hands = f"{tally.rounds:,} hand{'s' * (tally.rounds != 1)}"
    ink = "$good" if net > 0 else "$bad" if net < 0 else "$foreground"
    shown = _spelled(signed_count(net), glance)
    lines = [_row(hands, shown, ink), _row("won", f"{tally.won_hands:,}")]
    if glance.totals.choices:
        cost = f"cost {float(glance.totals.cost):.2f}"
        lines.append(_row(f"mistakes {glance.totals.mistakes}", cost, "$bad"))
    if len(money) > 1:
        drawn = plot(money, PANEL_WIDTH, PLOT_ROWS, glance.plain)
        lines += [Content.styled(line, "$gold") for line in drawn]
    return Content("\n").join(lines)


def _row(words: str, figure: str, ink: str = "bold") -> Content:
    return Content.assemble(words.ljust(PANEL_WIDTH - len(figure)), (figure, ink))


PANEL: tuple[PanelSection[State, Action, Tally], ...] = (
    PanelSection("your hand", _your_hand),
    PanelSection("price of each action", _price_of_acts, weighs=True),
    PanelSection("what they may have", _what_they_hold),
    PanelSection("this hand", _this_hand, tail=True),
    PanelSection("session", _session),
)
