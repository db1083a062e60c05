"""The trainer's advice before a choice; it takes time, so call it off the event loop."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ....engine.game import Seat
from ....tui.draw.text import with_minus_signs
from ....tui.table.listed_view import ChoiceRanking, RankedChoice
from ..brains.adviser import is_without_advice, weigh_lays
from ..brains.discard_ranking import DiscardRanking, rank_discards
from ..machine.state import Action, Discard, Lay, State
from .advice import no_adviser


class ChoiceAdvice(Struct, frozen=True):
    """The choices in a position with their EVs; with a choice of discards also their ranking.

    ``without`` is the reason why there is no advice under the table's rules.
    """

    view: State
    ranking: DiscardRanking | None = None
    choices: ChoiceRanking[Action] | None = None
    without: str = ""


def advise_before_choice(view: State, seat: Seat) -> ChoiceAdvice:
    """Return the EV of a seat's choices; without values if only one choice is possible."""
    if is_without_advice(view, seat):
        return ChoiceAdvice(view, without=no_adviser(view))
    if (ranked := rank_discards(view, seat)) is not None:
        return ChoiceAdvice(view, ranked, _discards(ranked, view.dealer == seat))
    if len(view.playable(seat)) < 2:
        return ChoiceAdvice(view)
    hand = view.hands[seat]
    plays: Iterator[RankedChoice[Action]] = (
        RankedChoice((Lay(hand.index(one.card) + 1),), one.card.symbol, one.ev)
        for one in weigh_lays(view, seat)
    )
    return ChoiceAdvice(
        view, None, ChoiceRanking("cards", tuple(plays), "in points, rest of the play")
    )


def _discards(ranking: DiscardRanking, is_dealer: bool) -> ChoiceRanking[Action]:
    choices: Iterator[RankedChoice[Action]] = (
        RankedChoice(
            tuple(map(Discard, row.choices)),
            " ".join(row.names),
            row.ev,
            "".join(row.names),
            (f"{float(row.hand):.2f}", _signed(float(row.crib))),
        )
        for row in ranking.rows
    )
    whose = "plus your crib" if is_dealer else "minus the opponent's crib"
    note = f"of your hand {whose} in points"
    bare = tuple(dict.fromkeys(name for row in ranking.rows for name in row.bare_ranks))
    if bare:
        note = f"in points; {' or '.join(bare)} without a suit: any suit"
    return ChoiceRanking("discards", tuple(choices), note, ("hand", "crib"))


def _signed(points: float) -> str:
    return with_minus_signs(f"{points:.2f}")
