"""What a game of cribbage came to: averages against par, skunks, points given away."""

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
    """Give what a hand, a crib and the play brought on average, beside par."""
    parts = (
        ("hand", tally.hands, tally.shown, PLAYED["hand"]),
        ("crib", tally.cribs, tally.own, PLAYED["crib"]),
    )
    for name, points, count, par in parts:
        if count:
            yield f"average {name}", f"{points / count:.1f}, par {par:.1f}"
    if tally.rounds:
        yield "pegged a round", f"{tally.pegged / tally.rounds:.1f}"


def result_rows(
    tally: Tally, mistakes: Sequence[WrittenDecision], weighed: bool
) -> Iterator[tuple[str, str]]:
    """Yield the rows of a finished session; points given away once the choices are weighed."""
    yield from averages(tally)
    if tally.skunks or tally.skunked:
        yield "skunks", f"{tally.skunks} won, {tally.skunked} lost"
    if weighed:
        cribs = mistake_kinds.OWN, mistake_kinds.OTHERS
        thrown = sum(one.cost for one in mistakes if one.spot in cribs)
        laid = sum(one.cost for one in mistakes if one.spot not in cribs)
        yield "given away in discards", f"{float(thrown):.2f} points"
        yield "given away in the play", f"{float(laid):.2f} points"


def game_result(
    game: Tally,
    here: Tally,
    journal: SeatTotals[State, Action],
    began: SeatTotals[State, Action],
    dearest: Iterable[str],
) -> Iterator[str]:
    """Tell what a game came to, from its tally, and the journal now and as it ``began``.

    ``here`` are all games at this table: of several it tells how they went.
    """
    yield "   ".join(" ".join(row) for row in averages(game))
    choices, mistakes = journal.choices - began.choices, journal.mistakes - began.mistakes
    weighed = f"in {choices:,} choice{'s' * (choices > 1)}"
    if mistakes:
        cost = f"{float(journal.cost - began.cost):.2f} points"
        yield f"{mistakes:,} mistake{'s' * (mistakes > 1)} {weighed}, costing {cost}"
    elif choices:
        yield f"no mistake {weighed}"
    yield from dearest
    if here.games > 1:
        lost = here.games - here.games_won
        skunks = f", {here.skunked} by a skunk" if here.skunked else ""
        won = f", {here.skunks} by a skunk" if here.skunks else ""
        yield f"at this table {here.games_won} won{won}; {lost} lost{skunks}"
