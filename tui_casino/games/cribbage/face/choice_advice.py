"""The trainer's advice before a choice: each choice with its EV, and the ranked discards.

It takes time, so call it off the event loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from ....cards.card import Hand
from ....engine.game import Seat
from ....gamekit.number_formats import with_minus_signs
from ....tui.table.listed_view import ChoiceRanking, RankedChoice
from ..brains.adviser import is_without_advice, weigh_discards, weigh_lays
from ..brains.discards import DiscardValue
from ..brains.show_points import PAR, starters_of
from ..machine.state import Action, Discard, Lay, State
from .advice import no_adviser


class RankedDiscard(Struct, frozen=True):
    """A discard, or a group of discards that differ only in suits and have the same EV.

    ``names`` holds the names of the two cards on the screen; a rank without a suit means a card of
    any suit. ``choices`` holds the places of the two cards in the hand for each of these discards.
    ``ev`` is the EV of the hand in points, plus the crib for the dealer, minus the crib for the
    pone; ``hand`` and ``crib`` are its parts. ``cost`` is the EV lost compared with the best
    discard. ``best`` and ``worst`` are the starters with which the hand scores most and least.
    """

    names: tuple[str, str]
    choices: tuple[tuple[int, ...], ...]
    ev: Fraction
    hand: Fraction
    crib: Fraction
    cost: Fraction
    best: tuple[str, ...]
    worst: tuple[str, ...]

    @property
    def bare_ranks(self) -> tuple[str, ...]:
        """The ranks that are shown without a suit, for cards of any suit."""
        return tuple(dict.fromkeys(name for name in self.names if name[-1].isalnum()))


class DiscardRanking(Struct, frozen=True):
    """All discards from a hand, best first; ``par`` is the average EV of the best discards."""

    rows: tuple[RankedDiscard, ...]
    dealer: bool
    par: float

    def row_of(self, places: Sequence[int]) -> RankedDiscard | None:
        """Return the row that contains the discard of the cards at these two places."""
        return next((row for row in self.rows if tuple(places) in row.choices), None)


def rank_discards(view: State, seat: Seat) -> DiscardRanking | None:
    """Return the ranked discards of a seat; ``None`` if it need not discard."""
    every = weigh_discards(view, seat)
    if not every:
        return None
    groups: dict[object, list[DiscardValue]] = {}
    for one in every:
        alike = (tuple(card.rank for card in one.discard), one.hand, one.crib)
        groups.setdefault(alike, []).append(one)
    hand = view.hands[seat]
    named = Counter(names_of(group) for group in groups.values())
    clear = (
        part
        for group in groups.values()  # two rows with the same name need the suits of each discard
        for part in ([group] if named[names_of(group)] == 1 else [[one] for one in group])
    )
    rows = tuple(_ranked_discard(group, every[0].ev, hand, view) for group in clear)
    dealer = seat == view.dealer
    return DiscardRanking(rows, dealer, PAR[dealer])


def names_of(group: Sequence[DiscardValue]) -> tuple[str, str]:
    """Return the names of a group's two cards, without a suit if the suits differ."""
    one, other = (
        card.symbol if all(each.discard[place] is card for each in group) else card.rank.pip
        for place, card in enumerate(group[0].discard)
    )
    return one, other


def _ranked_discard(
    group: Sequence[DiscardValue], best: Fraction, hand: Hand, view: State
) -> RankedDiscard:
    first, names = group[0], names_of(group)
    kept_cards = tuple(card for card in hand if card not in first.discard)
    starters = starters_of(kept_cards, hand, view.options.rule_set)
    return RankedDiscard(
        names,
        tuple(tuple(hand.index(card) + 1 for card in one.discard) for one in group),
        first.ev,
        Fraction(*first.hand),
        Fraction(*first.crib),
        best - first.ev,
        starters.best,
        starters.worst,
    )


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
