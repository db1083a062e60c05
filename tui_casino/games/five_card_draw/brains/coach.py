"""The coach of the limit table: what each choice is worth, and how often the solution makes it.

Between two at full stakes the worths are those of the solution: the opponent's hands are read from
all that he did, and both go on as the blueprint does (`equilibrium.reading`). Elsewhere, where two
remain, the last round of bets is solved anew (`last_round`); else worths are a rough reckoning of
our own from the same hands (`rough`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ....cards.once import once
from ....engine.game import Seat
from ....gamekit.adviser import Mistake, Worth
from ..machine.moves import Action, Discard, Fold
from ..machine.rules import (
    HAND_CARDS,
    every_discard,
)
from ..machine.state import Phase, Stakes, State
from . import last_round, rough
from .basis import Basis
from .choices import Choice, Weighed, acts_of, called, numbers_of, ranked, told
from .equilibrium import lookup
from .equilibrium.hands import NUMBERS
from .equilibrium.passes import Place
from .equilibrium.reading import reading
from .equilibrium.tree import FIRST, SMALL_BET
from .odds import hold_mask
from .solved import fits, name_of, way_of

USUAL = 0.1
"""What the solution itself does as often as this is no mistake."""
ROUGHLY = 1.0
"""Credits: what is only roughly reckoned is a mistake from here on."""
KEPT = 16


def weighs(view: State, seat: Seat) -> bool:
    """Tell whether a seat of the limit table has to choose between bets or discards now."""
    hand = (*view.hands[seat], *view.thrown[seat]) if view.hands else ()
    if view.options.stakes is not Stakes.LIMIT or seat not in view.alive:
        return False
    if len(view.hands[seat]) < HAND_CARDS or len({*hand}) < len(hand):
        return False
    if view.phase is Phase.DRAW:
        return view.drawing[:1] == (seat,) and not view.waiting
    return view.betting is not None and view.betting.pending[:1] == (seat,)


def weigh(view: State, seat: Seat) -> Weighed | None:
    """Weigh what a seat may do; ``None`` where it has nothing to choose at the limit table.

    Takes up to a tenth of a second, and some tenths the first time. The last ones are kept.
    """
    return _weighed(view, seat) if weighs(view, seat) else None


@once(most=KEPT)
def _weighed(view: State, seat: Seat) -> Weighed:
    match _basis(view):
        case Basis.SOLUTION:
            return _solved(view, seat)
        case Basis.LAST_ROUND:
            return last_round.reckon(view, seat)
    return rough.reckon(view, seat)


def _basis(view: State) -> Basis:
    """Tell by what the choices of a seat that has some are weighed."""
    if fits(view):
        return Basis.SOLUTION
    return Basis.LAST_ROUND if last_round.fits_round(view) else Basis.ROUGH


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Say what a choice costs beside the best, in credits; nothing for one that is as good.

    What the solution itself does often is as good: between such acts it does not matter to a
    player like it, and the worths are not sure to the tenth of a credit.
    """
    if weighs(view, seat) and _basis(view) is Basis.ROUGH and view.phase is not Phase.DRAW:
        return None  # who bets by rough worths loses to the algorithm: they prove nobody wrong
    weighed = weigh(view, seat)
    chosen = weighed.of(action) if weighed else None
    if weighed is None or chosen is None or weighed.as_good(chosen):
        return None
    cost = weighed.best.value - chosen.value
    solved = weighed.basis is Basis.SOLUTION
    if chosen.often >= USUAL if solved else cost < ROUGHLY:
        return None
    return Mistake(Fraction(round(1000 * cost), 1000), weighed.best.action)


def worths(view: State, seat: Seat) -> tuple[Worth[Action], ...]:
    """Give all that a seat may choose with its worth in credits, the best first."""
    weighed = weigh(view, seat)
    if weighed is None:
        return ()
    return tuple(
        Worth(one.action, one.value, 0.0 if isinstance(one.action, Fold) else weighed.error)
        for one in weighed.choices
    )


# ---- between two -------------------------------------------------------------------------------


def _solved(view: State, seat: Seat) -> Weighed:
    place = view.dealt_in.index(seat)
    if view.phase is Phase.OPENING:
        return _opening(view, seat, place)
    return _draw(view, seat, place) if view.phase is Phase.DRAW else _closing(view, seat, place)


def _opening(view: State, seat: Seat, place: int) -> Weighed:
    assert view.betting is not None
    book, hand, name = reading(), view.hands[seat], name_of(view.betting, view.dealt_in)
    often = book.policies[place][Place("opening", name)][:, lookup.bucket_of(hand)]
    values = book.opening(place, hand, name)
    way = called(name)
    found = []
    for number in numbers_of(hand):  # not the solution's own: where it never comes it stands pat
        kept = book.becomes(hand)[hold_mask(hand, lookup.discards(hand, number))]
        ends = [(number, n, way) if place == FIRST else (n, number, way) for n in NUMBERS]
        likely = np.sum([book.finals(1 - place, at, hand) for at in ends], axis=0)
        found.append((float(kept @ book.beats(likely)), kept, likely))
    _, kept, likely = max(found, key=lambda one: one[0])
    return told(
        view,
        seat,
        acts_of(name, values, often, view.put_in[seat]),
        kept,
        (),
        Basis.SOLUTION,
        likely,
    )


def _draw(view: State, seat: Seat, place: int) -> Weighed:
    book, hand, way = reading(), view.hands[seat], way_of(view)
    seen = None if place == FIRST else view.drawn[view.dealt_in[FIRST]]
    often, becomes = book.drawing(place, way, seen, hand), book.becomes(hand)
    worth = {number: book.drawn(place, way, seen, hand, number) for number in numbers_of(hand)}
    choices = []
    for gone in every_discard(hand):
        value = SMALL_BET * float(becomes[hold_mask(hand, gone)] @ worth[len(gone)])
        usual = gone == lookup.discards(hand, len(gone))
        share = float(often[len(gone)]) if usual else 0.0
        choices.append(Choice(Discard(gone), value + view.put_in[seat], share))
    found = ranked(choices)
    best = found[0].action
    assert isinstance(best, Discard)
    number = len(best.positions)
    ends = [(number, n, way) for n in NUMBERS] if seen is None else [(seen, number, way)]
    likely = np.sum([book.finals(1 - place, at, hand) for at in ends], axis=0)
    rivals = () if seen is None else (view.dealt_in[FIRST],)
    kept = becomes[hold_mask(hand, best.positions)]
    return told(view, seat, found, kept, rivals, Basis.SOLUTION, likely)


def _closing(view: State, seat: Seat, place: int) -> Weighed:
    assert view.betting is not None
    book, hand, name = reading(), view.hands[seat], name_of(view.betting, view.dealt_in)
    first, dealer = (view.drawn[one] or 0 for one in view.dealt_in)
    at, cards = (first, dealer, way_of(view)), (*hand, *view.thrown[seat])
    own = book.final_of(hand)
    often = book.policies[place][Place("closing", name)][(slice(None), *at, own)]
    values = book.closing(place, at, hand, cards, name)
    likely = book.after(1 - place, at, book.finals(1 - place, at, cards), name)
    ends = np.zeros(len(likely), np.float32)
    ends[own] = 1
    choices = acts_of(name, values, often, view.put_in[seat])
    return told(view, seat, choices, ends, (view.dealt_in[1 - place],), Basis.SOLUTION, likely)
