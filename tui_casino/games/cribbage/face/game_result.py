"""The result of a game of cribbage: averages compared with par, skunks, points given away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ....records.summaries import WrittenDecision
from ....tui.table.snapshot import SeatTotals
from ..brains.lazy import mistake_kinds
from ..brains.par import PLAYED
from ..machine.moves import Action
from ..machine.state import State
from .tally import Tally


def averages(tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield the average hand, crib and pegging of a round in points, with par."""
    parts = (
        ("hand", tally.hands, tally.shown, PLAYED["hand"]),
        ("crib", tally.cribs, tally.own, PLAYED["crib"]),
    )
    for name, points, count, par in parts:
        if count:
            yield f"average {name}", f"{points / count:.1f}, par {par:.1f}"
    if tally.rounds:
        yield "pegged per round", f"{tally.pegged / tally.rounds:.1f}"


def result_rows(
    tally: Tally, mistakes: Sequence[WrittenDecision], choices_weighed: bool
) -> Iterator[tuple[str, str]]:
    """Yield the rows of a finished session, with the points given away if choices were analysed."""
    yield from averages(tally)
    if tally.skunks or tally.skunked:
        yield "skunks", f"{tally.skunks} won, {tally.skunked} lost"
    if choices_weighed:
        cribs = mistake_kinds.OWN, mistake_kinds.OTHERS
        discard_cost = sum(one.cost for one in mistakes if one.spot in cribs)
        play_cost = sum(one.cost for one in mistakes if one.spot not in cribs)
        yield "given away in discards", f"{float(discard_cost):.2f} points"
        yield "given away in the play", f"{float(play_cost):.2f} points"


def game_result(
    game: Tally,
    table_tally: Tally,
    journal: SeatTotals[State, Action],
    totals_before: SeatTotals[State, Action],
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
    choices_text = f"in {choices:,} choice{'s' * (choices > 1)}"
    if mistakes:
        cost = f"{float(journal.cost - totals_before.cost):.2f} points"
        yield f"{mistakes:,} mistake{'s' * (mistakes > 1)} {choices_text}, costing {cost}"
    elif choices:
        yield f"no mistake {choices_text}"
    yield from costliest
    if table_tally.games > 1:
        lost = table_tally.games - table_tally.games_won
        skunks = f", {table_tally.skunked} of them by a skunk" if table_tally.skunked else ""
        won_skunks = f", {table_tally.skunks} of them by a skunk" if table_tally.skunks else ""
        yield f"at this table {table_tally.games_won} won{won_skunks}; {lost} lost{skunks}"
