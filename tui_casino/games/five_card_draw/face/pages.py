"""The side panel, the pages of figures and statistics, advice, and the cards of a choice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from textual.content import Content

from ....cards.card import BACK, Hand
from ....cards.poker import HandCategory, rank_hand
from ....gamekit.adviser import Decision
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent, share_text, signed_count
from ....inputs.numbers import count_noun
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ....tui.draw.look import result_tone
from ....tui.draw.plots import figure_line, plot, share_bars
from ....tui.draw.text import transliterate
from ....tui.table.snapshot import (
    ContentLike,
    FiguresPage,
    PanelSection,
    StatisticsPage,
    TableSnapshot,
)
from ....tui.terminal.detection import GlyphSet
from ....tui.widgets.text_blocks import PANEL_WIDTH
from ..brains.lazy import adviser, odds
from ..brains.players import NAMES, names_at
from ..brains.pot_odds import pot_odds_of
from ..machine.rules import HAND_CARDS
from ..machine.state import Action, Phase, Stakes, State
from .advice import DrawTrainerData, advice_page, advice_sentence, chance_of, weigh_position
from .tally import Tally
from .words import discard_in_words

if TYPE_CHECKING:
    from ..brains.limit_choices import LimitAdvice
    from . import gto_chart_page  # late: needs numpy
else:
    gto_chart_page = LazyModule(".gto_chart_page", __package__)

DrawSnapshot: TypeAlias = TableSnapshot[State, Action, Tally]
NO_HAND = "There is no hand to analyse now."
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


def _gto_chart(snapshot: DrawSnapshot) -> ContentLike:
    """Return the GTO chart if the trainer is on; until then, its module is not loaded."""
    return gto_chart_page.chart_section(snapshot) if snapshot.weighs else ""


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
    hands = count_noun(tally.rounds, "hand")
    ink = f"${result_tone(net, even='foreground')}"
    net_text = _for_terminal(signed_count(net), snapshot)
    lines = [_row(hands, net_text, ink), _row("won", f"{tally.won_hands:,}")]
    if snapshot.totals.choices:
        totals = snapshot.totals
        cost = f"cost {totals.displayed_cost():.2f}" if totals.mistakes else ""
        text = _for_terminal(f"mistakes {totals.displayed_mistakes}", snapshot)
        lines.append(_row(text, cost, "$bad" if totals.mistakes else "$foreground"))
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
    PanelSection("gto chart", _gto_chart),
    PanelSection("opponents may hold", _opponent_hands),
    PanelSection("this hand", _this_hand, tail=True),
    PanelSection("session", _session),
)


WIDTH = 46
COLUMNS = (WIDTH, 96)


def statistics(snapshot: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's counts next to the shares expected in the long run."""
    tally = snapshot.tally
    counts = _counts(tally, snapshot.view.stacks[snapshot.seat], plain=snapshot.plain)
    return StatisticsPage("\n".join(counts), lambda: _expected(tally), tally.report(), COLUMNS)


def _counts(tally: Tally, stack: int, *, plain: bool) -> Iterator[str]:
    """Chart how the seat's hands ended and what it drew, and list its credits."""
    lost = tally.rounds - tally.won_hands - tally.folded
    endings = (
        ("Won", tally.won_hands - tally.tied),
        ("Won, split pot", tally.tied),
        ("Folded", tally.folded),
        ("Lost at the showdown", lost),
    )
    drawn = ((f"Drew {cards}" if cards else "Stood pat", count) for cards, count in tally.draws)
    yield figure_line("Hands", tally.rounds, WIDTH)
    for title, counts in (("How your hands ended", endings), ("Cards you drew", (*drawn,))):
        total = sum(count for _, count in counts)
        if total:
            bars = (
                (name, count / total, f"{count:,}{share_text(count, total):>9}")
                for name, count in counts
            )
            yield from ("", title, *share_bars(bars, WIDTH, plain))
    yield from ("", figure_line("Money", "credits", WIDTH))
    for name, credits in (
        ("Put in", tally.wagered),
        ("Won", tally.won),
        ("Net", signed_count(tally.won - tally.wagered)),
        ("Credit now", stack),
    ):
        yield figure_line(name, credits, WIDTH)


def _expected(tally: Tally) -> str:
    """List the share of each hand category shown, next to its chance after the algorithm's draw."""
    counts = dict(tally.categories)
    total = sum(counts.values())
    exact = odds.after_the_algorithm()
    lines = [f"{'Hand':<18}{'shown':>7}{'share':>9}{'expected':>12}"]
    for category in reversed(HandCategory):
        count = counts.get(category, 0)
        share = share_text(count, total)
        chance = percent(exact.chance(category), 4)
        lines.append(f"{category.words.capitalize():<18}{count:>7,}{share:>9}{chance:>12}")
    lines.append("Expected: after the algorithm's draw")
    return "\n".join(lines)


# ---- the cards of a choice, outside the table ----------------------------------------------------


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the hand of the choice, the winner's hand or the opponent's, and the own final hand.

    Kept cards have the caption ``kept``, discards are dimmed; cards that only the best choice keeps
    have the caption ``best``.
    """
    view, seat = decision.view, decision.seat
    hand = view.hands[seat]
    out = discard_in_words(view, seat, decision.action)
    best = discard_in_words(view, seat, decision.best) or ()
    states, captions = list[CardState](), list[str]()
    for card in hand if out is not None else ():
        kept = card not in (out or ())
        states.append(CardState.NORMAL if kept else CardState.DIMMED)
        captions.append("kept" if kept else "best" if card not in best else "")
    now = CardGroup("YOU", hand, tuple(states), tuple(captions), _name(hand))
    if ending is None:
        return (now,)
    others = [other for other in ending.dealt_in if other != seat]
    shown = sorted(others, key=lambda other: other not in ending.winners)[:1]
    groups = [now, *(_final(ending, other, names_at(ending.options)[other]) for other in shown)]
    if {*ending.hands[seat]} != {*hand}:
        groups.append(_final(ending, seat, "YOUR FINAL HAND"))
    return tuple(groups)


def _final(ending: State, seat: int, name: str) -> CardGroup:
    """Return a seat's hand at the end, dimmed if it folded."""
    cards = ending.hands[seat]
    if seat in ending.folded:
        return CardGroup(name.upper(), cards, (CardState.DIMMED,) * len(cards), (), "folded")
    is_winner = seat in ending.winners
    state = CardState.WINNING if is_winner else CardState.NORMAL
    note = " ".join(filter(None, (_name(cards), "wins" * is_winner)))
    return CardGroup(name.upper(), cards, (state,) * len(cards), (), note)


def _name(hand: Hand) -> str:
    return "" if BACK in hand or len(hand) != 5 else rank_hand(hand).name
