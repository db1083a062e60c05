"""The adviser: what a seat's choices are worth, and what a choice costs beside the best."""

from __future__ import annotations

from fractions import Fraction

from ....cards.card import BACK, Hand
from ....cards.once import once
from ....engine.game import Seat
from ....gamekit.adviser import Mistake, Worth
from ..machine.moves import Action, Discard, Lay
from ..machine.rules import RuleSet
from ..machine.state import Phase, State
from .discards import Weighed, cost, weigh
from .habits import good_players
from .pegging import SAMPLES, Advice, Position, advise
from .play import numbering
from .standing import Stake, Standing, throw_chances

KEPT = 16
"""Hands and positions whose advice is cached, since judge, kind, panel and replay share it."""


def weighed(view: State, seat: Seat) -> tuple[Weighed, ...]:
    """Weigh the discards of a seat, the best first; nothing unless it is to discard.

    The opponent is taken to throw as good players do.
    """
    hand, dealer = view.hands[seat], seat == view.dealer
    if view.phase is not Phase.DISCARD or seat not in view.waiting or BACK in hand:
        return ()
    return _weighed(hand, dealer, view.options.rule_set)


@once(most=KEPT)
def _weighed(hand: Hand, dealer: bool, rules: RuleSet) -> tuple[Weighed, ...]:
    return weigh(hand, dealer, rules, good_players().against(dealer))


def throws_that_win(view: State, seat: Seat) -> dict[Hand, float]:
    """Give the chance to win with each discard of a seat; nothing but in a game to 121."""
    standing = Standing.of(view, seat)
    if standing is None or not weighed(view, seat):
        return {}
    return throw_chances(view.hands[seat], standing, view.options.rule_set)


def advised(
    view: State, seat: Seat, samples: int = SAMPLES, *, to_win: bool = False
) -> tuple[Advice, ...]:
    """Weigh the cards that a seat may lay, the most points first; nothing unless it is to lay one.

    ``to_win`` asks for the chances to win, too, which are told in a game to 121.
    """
    if not lays(view, seat):
        return ()
    position, rules = Position.of(view, seat), view.options.rule_set
    if not to_win:
        return _advise(position, rules, samples)
    return advise(position, rules, Stake.of(view, seat), samples=samples)


@once(most=KEPT)
def _advise(position: Position, rules: RuleSet, samples: int) -> tuple[Advice, ...]:
    return advise(position, rules, samples=samples)


def lays(view: State, seat: Seat) -> bool:
    """Tell whether a seat is to lay a card."""
    return view.phase is Phase.PLAY and view.player == seat and bool(view.able(seat))


def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
    """Say what a choice costs beside the best, in points expected; nothing for the best.

    A card as good as the best by the sample, within two standard errors, is no mistake.
    """
    match action:
        case Discard(places) if ranked := weighed(view, seat):
            lost = cost(ranked, [view.hands[seat][place - 1] for place in places])
            return Mistake(lost, Discard(_places(view, seat, ranked[0].discard))) if lost else None
        case Lay(place) if lays(view, seat) and _differ(view.able(seat), view.options.rule_set):
            card = view.hands[seat][place - 1]
            advice = advised(view, seat)
            best = advice[0]
            less = best.ev - next(one.ev for one in advice if one.card == card)
            if less > 2 * best.error:
                better = Lay(*_places(view, seat, (best.card,)))
                return Mistake(Fraction(less).limit_denominator(SAMPLES), better)
    return None


def _differ(cards: Hand, rules: RuleSet) -> bool:
    """Tell whether the play tells any of these cards from another."""
    number = numbering(rules)
    return len({number[card.index] for card in cards}) > 1


def worths(view: State, seat: Seat) -> tuple[Worth[Action], ...]:
    """Give all discards, or all cards that may be laid, with the points expected."""
    if ranked := weighed(view, seat):
        return tuple(Worth(Discard(_places(view, seat, one.discard)), one.ev) for one in ranked)
    return tuple(
        Worth(Lay(*_places(view, seat, (one.card,))), one.ev, one.error)
        for one in advised(view, seat)
    )


def _places(view: State, seat: Seat, cards: Hand) -> tuple[int, ...]:
    return tuple(view.hands[seat].index(card) + 1 for card in cards)
