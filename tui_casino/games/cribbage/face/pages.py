"""Side panel and statistics page of cribbage, the result of a game, the cards of a choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Hand
from ....engine.game import Seat
from ....gamekit.adviser import Decision
from ....inputs.numbers import count_noun
from ....structs import replace
from ....tui.draw.card_art import CardState
from ....tui.draw.card_groups import CardGroup
from ....tui.draw.plots import figure_line, share_bars
from ....tui.table.snapshot import (
    FiguresPage,
    PanelSection,
    SeatTotals,
    StatisticsPage,
    TableSnapshot,
)
from ....tui.widgets.text_blocks import Meter
from ..brains.show_points import PLAYED
from ..machine import state as m
from ..machine.rules import points_of
from ..machine.state import Action, Phase, State
from .advice import advice, in_a_line, signs
from .tally import Tally, averages
from .words import cards_of

CribbageGlance: TypeAlias = TableSnapshot[m.State, m.Action, Tally]

NOTHING_TO_CHOOSE = "There is nothing to choose now."


def figures(glance: CribbageGlance) -> FiguresPage:
    """Return the page that shows the EV and the cost of each choice."""
    lines = advice(glance.view, glance.seat)
    return (
        FiguresPage("EV and cost of each choice, in points", lines)
        if lines
        else FiguresPage(NOTHING_TO_CHOOSE, ())
    )


def answer(glance: CribbageGlance) -> tuple[str, ...]:
    """Return the trainer's advice as one line."""
    return (in_a_line(glance.view, glance.seat, signs) or NOTHING_TO_CHOOSE,)


def _cards(view: m.State, seat: Seat, action: m.Action) -> Hand:
    """Return the cards that an action discards or plays."""
    places: tuple[int, ...] = ()
    match action:
        case m.Discard():
            places = action.places
        case m.Lay():
            places = (action.place,)
    return tuple(view.hands[seat][place - 1] for place in places)


def _choices(glance: CribbageGlance) -> str:
    if glance.unaided:
        return ""  # nothing is judged until the session is over
    journal = glance.totals
    rows = [("choices", f"{journal.choices:,}"), ("mistakes", f"{journal.mistakes:,}")]
    rows.append(("cost in points", f"{journal.displayed_cost():,.2f}"))
    return "\n".join(f"{name:<16}{value:>8}" for name, value in rows)


def _session(glance: CribbageGlance) -> str:
    tally = glance.tally
    rows = [
        ("rounds", tally.rounds),
        ("pegging points", tally.pegged),
        ("hand points", tally.hands),
        ("crib points", tally.cribs),
        ("opponent points", tally.against),
    ]
    if tally.games:
        rows += [("games", tally.games), ("won", tally.games_won)]
    return "\n".join(f"{name:<16}{value:>8,}" for name, value in rows)


def _log(glance: CribbageGlance) -> str:
    return "\n".join(glance.recent_lines)


PANEL: tuple[PanelSection[m.State, m.Action, Tally], ...] = (
    PanelSection("your choices", _choices),
    PanelSection("session", _session),
    PanelSection("log", _log, tail=True),
)


WIDTH = 46
COLUMNS = (WIDTH, 92)


def statistics(snapshot: TableSnapshot[m.State, m.Action, Tally]) -> StatisticsPage:
    """Return the session's points and games, next to the averages of two good players."""
    tally = snapshot.tally
    return StatisticsPage(
        "\n".join(_counts(tally, plain=snapshot.plain)),
        lambda: "\n".join(_averages(tally)),
        tally.report(),
        COLUMNS,
        for_money=False,
    )


def _counts(tally: Tally, *, plain: bool) -> Iterator[str]:
    """Chart the points by source, and list the games."""
    sources = (
        ("Pegged", tally.pegged),
        ("In hands", tally.hands),
        ("In cribs", tally.cribs),
    )
    total = sum(points for _, points in sources)
    yield figure_line("Rounds", tally.rounds, WIDTH)
    yield ""
    yield "Your points"
    yield from share_bars(
        ((name, points / total if total else 0, f"{points:,}") for name, points in sources),
        WIDTH,
        plain,
    )
    yield figure_line("In total", total, WIDTH)
    yield figure_line("The opponent", tally.against, WIDTH)
    if tally.games:
        yield ""
        yield figure_line("Games", tally.games, WIDTH)
        yield figure_line("Won", tally.games_won, WIDTH)
        yield figure_line("Won by a skunk", tally.skunks, WIDTH)
        yield figure_line("Lost by a skunk", tally.skunked, WIDTH)
        yield "The last score of a game counts in full."


def _averages(tally: Tally) -> Iterator[str]:
    """List the averages of this session, and those of two good players."""
    yield f"{'Average':<20}{'yours':>10}{'good play':>12}"
    for name, points, count, good in (
        ("Hand", tally.hands, tally.shown, f"{PLAYED['hand']:.1f}"),
        ("Crib", tally.cribs, tally.own, f"{PLAYED['crib']:.1f}"),
        ("Pegged per round", tally.pegged, tally.rounds, "-"),
    ):
        average = f"{points / count:.2f}" if count else "-"
        yield f"{name:<20}{average:>10}{good:>12}"
    yield "Good play: the average of two good players"


def game_result(
    game: Tally,
    table_tally: Tally,
    journal: SeatTotals[m.State, m.Action],
    totals_before: SeatTotals[m.State, m.Action],
    costliest: Iterable[str],
) -> Iterator[str]:
    """Yield the lines of a game's result: averages, mistakes and their cost.

    ``journal`` contains the current totals, ``totals_before`` the totals before the game.
    ``table_tally`` covers all games at this table; if there are several, a last line counts them.
    """
    yield "   ".join(" ".join(row) for row in averages(game))
    choices, mistakes = (
        journal.choices - totals_before.choices,
        journal.mistakes - totals_before.mistakes,
    )
    choices_text = f"in {count_noun(choices, 'choice')}"
    if mistakes:
        cost = f"{float(journal.cost - totals_before.cost):.2f} points"
        yield f"{count_noun(mistakes, 'mistake')} {choices_text}, costing {cost}"
    elif choices:
        yield f"no mistake {choices_text}"
    yield from costliest
    if table_tally.games > 1:
        lost = table_tally.games - table_tally.games_won
        skunks = f", {table_tally.skunked} of them by a skunk" if table_tally.skunked else ""
        won_skunks = f", {table_tally.skunks} of them by a skunk" if table_tally.skunks else ""
        yield f"at this table {table_tally.games_won} won{won_skunks}; {lost} lost{skunks}"


class CountingStatistics(Struct, frozen=True):
    """A seat's hands and their points, without cribs; the player's own counts and missed points."""

    hands: int = 0
    points: int = 0
    counts: int = 0
    right: int = 0
    missed: int = 0

    def with_hand(self, counted: m.HandCounted, me: Seat | None, crib: bool) -> CountingStatistics:
        """Return the statistics with a hand added if it belongs to ``me`` and has been counted."""
        if counted.seat != me:
            return self
        total, counts = points_of(counted.scores), self
        if not crib:
            counts = replace(counts, hands=counts.hands + 1)
        if counted.said is None:
            return counts
        return replace(
            counts,
            counts=counts.counts + 1,
            right=counts.right + (counted.said == total),
            missed=counts.missed + max(0, total - counted.said),
        )

    def with_points(self, scored: m.Scored, me: Seat | None) -> CountingStatistics:
        """Return the statistics with the points that a hand scored; a win ends the count early."""
        if scored.seat != me or scored.part is not m.RoundPart.HAND:
            return self
        return replace(self, points=self.points + scored.points)

    def meters(self, options: m.Options) -> Iterator[Meter]:
        """Yield how well the player counts or, in games, the average hand with par."""
        if self.counts:
            yield Meter("counted right", str(self.right), "", f"of {self.counts}")
            yield Meter("given away", str(self.missed), "bad" if self.missed else "")
        elif options.form is m.GameForm.GAME and self.hands:
            average = f"{self.points / self.hands:.1f}"
            yield Meter("average hand", average, "", f"par {PLAYED['hand']:.1f}")


# ---- the cards of a choice, outside the table ----------------------------------------------------


def decision_cards(
    decision: Decision[State, Action], ending: State | None
) -> tuple[CardGroup, ...]:
    """Return the hand with the discards or the card played, and the cards of the segment.

    Cards that only the best choice names have the caption ``best``; cards played before are dimmed.
    """
    view, seat = decision.view, decision.seat
    hand, playing = view.hands[seat], view.phase is Phase.PLAY
    own = cards_of(view, seat, decision.action) or ()
    best = cards_of(view, seat, decision.best) or ()
    left = view.unplayed(seat)
    states = (
        CardState.HELD
        if card in own
        else CardState.WINNING
        if card in best
        else CardState.NORMAL
        if card in left
        else CardState.DIMMED
        for card in hand
    )
    name = "PLAY" if playing else "CRIB"
    captions = (name if card in own else "best" if card in best else "" for card in hand)
    crib = "your crib" if view.dealer == seat else "your opponent's crib"
    cards = CardGroup("YOU", hand, tuple(states), tuple(captions), "" if playing else crib)
    if not playing:
        return (cards,)
    groups = [cards]
    if view.segment:
        groups.append(CardGroup("PLAYED", view.segment, note=f"count {view.count}"))
    if view.starter is not None:
        groups.append(CardGroup("STARTER", (view.starter,)))
    return tuple(groups)
