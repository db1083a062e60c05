"""The side panel of five-card draw, its figures page, and the trainer's answer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from textual.content import Content

from ....cards.poker import HandCategory, rank_hand
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent, rounded_cost
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
from ..machine.state import Phase, Stakes, State
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
from .table_messages import action_label
from .tally import Tally

if TYPE_CHECKING:
    from ..brains.adviser import DiscardAdvice
    from ..brains.limit_choices import LimitAdvice, LimitChoice
    from . import gto_chart_page  # late: needs numpy
else:
    gto_chart_page = LazyModule(".gto_chart_page", __package__)

DrawSnapshot: TypeAlias = TableSnapshot[State, Action, Tally]
NO_HAND = "There is no hand to analyse now."
SILENT = Content.styled("Ask the trainer: t", "$muted")
MOST_DRAWS = 6
BAR = 24
"""The width, in columns, of the bar that shows how often an action is chosen."""
PLOT_ROWS = 5


def figures(snapshot: DrawSnapshot) -> FiguresPage:
    """Return the page with the trainer's figures for the hand."""
    advice = _advice(snapshot)
    if advice is None:
        return FiguresPage(NO_HAND, ())
    lines = advice_page(snapshot.view, snapshot.seat, advice, snapshot.selection)
    return FiguresPage("Your hand", tuple(_for_terminal(line, snapshot) for line in lines))


def answer(snapshot: DrawSnapshot) -> tuple[str, ...]:
    """Return the trainer's recommendation as one sentence, if a hand is in play."""
    advice = _advice(snapshot)
    return (f"{advice_sentence(snapshot.view, snapshot.seat, advice)}.",) if advice else ()


def _advice(snapshot: DrawSnapshot) -> DrawTrainerData | None:
    return weigh_position(snapshot.view, snapshot.seat)


def _advice_if_shown(snapshot: DrawSnapshot) -> DrawTrainerData | None:
    """Return the advice if the trainer is on."""
    return _advice(snapshot) if snapshot.weighs else None


def _for_terminal(text: str, snapshot: DrawSnapshot) -> str:
    return transliterate(text, GlyphSet.ASCII if snapshot.plain else GlyphSet.UNICODE)


# ---- the sections ------------------------------------------------------------------------------


def _your_hand(snapshot: DrawSnapshot) -> ContentLike:
    view, seat = snapshot.view, snapshot.seat
    hand = view.hands[seat]
    if len(hand) != HAND_CARDS or len({*hand}) < HAND_CARDS:
        return ""
    lines = [Content.styled(rank_hand(hand).name, "bold")]
    advice, price = _advice_if_shown(snapshot), pot_odds_of(view, seat)
    chance = chance_of(advice) if advice else None
    if chance is not None:
        others = len(view.alive) - 1
        against = "wins against all" if others > 2 else "wins against both"
        lines += [
            _row(against if others > 1 else "wins", percent(chance, 0)),
            _bar(chance, price.need if price else None, snapshot.plain),
        ]
    if price is not None:
        lines.append(_row("needed to call", percent(price.need, 0), "$gold"))
    return Content("\n").join(lines)


def _bar(chance: Fraction, need: Fraction | None, plain: bool) -> Content:
    """Draw a chance as a bar, with a mark at the chance needed to call."""
    full, blank, mark = "#.|" if plain else "█─┃"
    cells = [full] * round(chance * PANEL_WIDTH)
    cells += [blank] * (PANEL_WIDTH - len(cells))
    mark_column = PANEL_WIDTH if need is None else min(round(need * PANEL_WIDTH), PANEL_WIDTH - 1)
    line, after_mark = "".join(cells[:mark_column]), "".join(cells[mark_column + 1 :])
    marked = (mark, "$gold bold") if need is not None else ("", "")
    return Content.assemble(*_inked(line, full), marked, *_inked(after_mark, full))


def _inked(cells: str, full: str) -> Iterator[tuple[str, str]]:
    length = cells.count(full)
    yield cells[:length], "$good"
    yield cells[length:], "$muted"


def _price_of_acts(snapshot: DrawSnapshot) -> ContentLike:
    view, seat = snapshot.view, snapshot.seat
    offers = game.offers(view, seat)
    if not offers or view.phase is Phase.REST:
        return ""
    trainer_data = _advice_if_shown(snapshot)
    if trainer_data is None:
        return SILENT if adviser.has_hand(view, seat) else ""
    if trainer_data.limit_advice is not None:
        return Content("\n").join(_limit_advice_lines(snapshot, trainer_data.limit_advice))
    if view.phase is Phase.DRAW:
        return Content("\n").join(_discard_lines(snapshot, trainer_data.advice))
    acts = [offer.kind() for offer in offers if not offer.barred]
    return Content("\n").join(_value_lines(view, seat, acts, trainer_data))


def _value_lines(
    view: State, seat: int, acts: list[Action], advice: DrawTrainerData
) -> Iterator[Content]:
    values = action_ev(view, seat, acts, advice)
    best = max((value for _, value in values), default=Fraction(0))
    yield Content.styled(f"{'':<10}{'EV, credits':>12}{'cost':>8}", "$muted")
    for act, value in values:
        is_best = value == best
        name, cost = (
            action_label(act, view, seat),
            "best" if is_best else f"{rounded_cost(best, value):.2f}",
        )
        line = f"{name:<14}{signed_ev(value):>8}{cost:>8}"
        yield Content.styled(line, "$good bold" if is_best else "$foreground")
    if any(isinstance(act, Bet | Raise) for act in acts):
        yield Content.styled("if all call and nobody bets more", "$muted")


def _limit_advice_lines(snapshot: DrawSnapshot, advice: LimitAdvice) -> Iterator[Content]:
    """Yield each choice with its EV and cost, and a bar for how often the solution makes it."""
    drawing = snapshot.view.phase is Phase.DRAW
    choices = [choice for choice, _ in best_draws_by_ev(advice, snapshot.selection, MOST_DRAWS)]
    yield Content.styled(
        f"{'discard' if drawing else '':<10}{'EV, credits':>12}{'cost':>8}", "$muted"
    )
    for choice in choices if drawing else advice.choices:
        act = choice.action
        name = (
            format_positions(act.positions)
            if isinstance(act, Discard)
            else _act_label(snapshot, choice)
        )
        figures = f"{signed_ev(Fraction(choice.value)):>8}{cost_of(advice, choice):>8}"
        is_best = advice.ties_best(choice)
        yield Content.styled(f"{name:<14}{figures}", "$good bold" if is_best else "$foreground")
        if advice.has_frequencies and not drawing:
            yield _frequency_bar(choice.frequency, is_best, snapshot.plain)
    if drawing:
        return
    if advice.has_frequencies:
        yield Content.styled("bars: how often the solution", "$muted")
        yield Content.styled(_CHOICE[advice.basis], "$muted")
    else:
        yield Content.styled("the solution never comes here", "$muted")


_CHOICE = {
    EvBasis.SOLUTION: "chooses it with this hand",
    EvBasis.LAST_ROUND: "chooses it; re-solved",
    EvBasis.ROUGH: "chooses it; rough estimate",
}


def _act_label(snapshot: DrawSnapshot, choice: LimitChoice) -> str:
    return action_label(choice.action, snapshot.view, snapshot.seat)


def _frequency_bar(share: float, is_best: bool, plain: bool) -> Content:
    full, blank = "#." if plain else "█─"
    cells = round(share * BAR)
    ink = "$gold" if is_best else "$foreground"
    return Content.assemble(
        (full * cells, ink),
        (blank * (BAR - cells), "$muted"),
        (f"{percent(share, 0):>{PANEL_WIDTH - BAR}}", "$muted"),
    )


def _gto_chart(snapshot: DrawSnapshot) -> ContentLike:
    """Return the GTO chart if the trainer is on; until then, its module is not loaded."""
    return gto_chart_page.chart_section(snapshot) if snapshot.weighs else ""


def _discard_lines(snapshot: DrawSnapshot, advice: DiscardAdvice) -> Iterator[Content]:
    ranked = sorted(advice.wins, key=lambda discards: advice.wins[discards].chance, reverse=True)
    listed, draft = ranked[:MOST_DRAWS], snapshot.selection
    if draft not in listed and draft in advice.wins:
        listed = [*listed[:-1], draft]
    best = advice.wins[ranked[0]].chance
    yield Content.styled(f"{'discard':<14}{'wins':>8}{'cost':>8}", "$muted")
    for discards in listed:
        chance = advice.wins[discards].chance
        cost = "best" if discards == ranked[0] else percent(best - chance, 0)
        line = f"{format_positions(discards):<14}{percent(chance, 0):>8}{cost:>8}"
        ink = (
            "$good bold"
            if discards == ranked[0]
            else "$gold"
            if discards == draft
            else "$foreground"
        )
        yield Content.styled(line, ink)


def _opponent_hands(snapshot: DrawSnapshot) -> ContentLike:
    """Estimate the hands of the opponents who are still in after the draw."""
    advice = _advice_if_shown(snapshot)
    if advice is None:
        return ""
    if advice.limit_advice is not None:
        return Content("\n").join(_range_lines(snapshot, advice.limit_advice))
    ranges = adviser.sample_ranges(snapshot.view, snapshot.seat)
    if not ranges:
        return ""
    head = "".join(f"{NAMES[each.seat]:>8}" for each in ranges)
    two_pair = "".join(f"{percent(each.two_pair, 0):>8}" for each in ranges)
    stronger = "".join(f"{percent(each.stronger, 0):>8}" for each in ranges)
    return Content("\n").join(
        (
            Content.styled(f"{'':<6}{head}", "$muted"),
            Content(f"2pair+{two_pair}"),
            Content(f"better{stronger}"),
        )
    )


def _range_lines(snapshot: DrawSnapshot, advice: LimitAdvice) -> Iterator[Content]:
    """Yield each opponent's chance of a higher category, a better hand in yours, or a worse one."""
    if not advice.rivals:
        return
    drew = "".join(f"{snapshot.view.drawn[each.seat] or 'pat':>5}" for each in advice.rivals)
    yield Content.styled(f"{'they drew':<{PANEL_WIDTH - len(drew)}}{drew}", "$muted")
    higher = [*HandCategory][advice.category + 1 :]
    higher_label = f"{higher[0].words} or better".replace("one pair", "a pair") if higher else ""
    better_label = f"better {advice.category.words}".replace("better one pair", "a better pair")
    rows = [
        (higher_label, "higher category", [one.higher_category for one in advice.rivals]),
        (better_label, "same but better", [one.better_in_category for one in advice.rivals]),
        ("a worse hand", "a worse hand", [one.worse for one in advice.rivals]),
    ]
    for label, short_label, shares in rows:
        figures = "".join(f"{round(100 * share)}%".rjust(5) for share in shares)
        room = PANEL_WIDTH - len(figures)
        if label:
            yield Content(f"{label if len(label) < room else short_label:<{room}}{figures}")


def _this_hand(snapshot: DrawSnapshot) -> str:
    return _for_terminal("\n".join(snapshot.recent_lines), snapshot)


def _session(snapshot: DrawSnapshot) -> ContentLike:
    tally, money = snapshot.tally, snapshot.totals.bankroll
    net = tally.won - tally.wagered
    hands = f"{tally.rounds:,} hand{'s' * (tally.rounds != 1)}"
    ink = "$good" if net > 0 else "$bad" if net < 0 else "$foreground"
    net_text = _for_terminal(signed_count(net), snapshot)
    lines = [_row(hands, net_text, ink), _row("won", f"{tally.won_hands:,}")]
    if snapshot.totals.choices:
        cost = f"cost {snapshot.totals.displayed_cost():.2f}"
        lines.append(_row(f"mistakes {snapshot.totals.mistakes}", cost, "$bad"))
    in_hand = snapshot.view.phase is not Phase.REST
    has_chart = snapshot.weighs and in_hand and snapshot.view.options.stakes is Stakes.LIMIT
    if len(money) > 1 and not has_chart:  # the chart needs the rows of the plot
        plot_lines = plot(money, PANEL_WIDTH, PLOT_ROWS, snapshot.plain)
        lines += [Content.styled(line, "$gold") for line in plot_lines]
    return Content("\n").join(lines)


def _row(label: str, value: str, ink: str = "bold") -> Content:
    return Content.assemble(label.ljust(PANEL_WIDTH - len(value)), (value, ink))


PANEL: tuple[PanelSection[State, Action, Tally], ...] = (
    PanelSection("your hand", _your_hand),
    PanelSection("your choices", _price_of_acts, weighs=True),
    PanelSection("gto chart", _gto_chart),
    PanelSection("opponents may hold", _opponent_hands),
    PanelSection("this hand", _this_hand, tail=True),
    PanelSection("session", _session),
)
