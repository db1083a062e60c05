"""The pegging adviser: what each card that may be laid is worth over the rest of the play.

All sets of unseen cards are as likely to be held by the opponent that the rules allow after what
he did: where he could not lay, in this segment or in one that is over, he holds no card that he
could have laid. He is taken to lay by the careful policy of `play`.

Against two cards or less every hand is counted, and the player goes on with what is best
(`endplay`): no error. Against more, hands are sampled, and the player himself goes on by the same
policy; all cards meet the same samples, so that differences are surer than the errors say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

from ....cards.card import PACK, Card, Hand
from ....engine.game import Seat
from ..machine.rules import RuleSet, may_lay
from ..machine.scoring import MOST, value_of
from ..machine.state import State
from .endplay import Endplay
from .play import hands_of, numbering, play_by

SAMPLES = 400
"""Deals sampled, each of which meets all cards; that takes some 50 ms for four cards."""
COUNTED = 2
"""Against so many cards, and less, every hand is counted."""


@dataclass(frozen=True, slots=True)
class Position:
    """The play as the player sees it who is to lay a card.

    ``laid`` are the cards of the present segment. ``held`` is the number of the opponent's cards,
    none of which is among those ``seen``: the player's own six, the starter, and all that was
    laid. ``go`` tells that the opponent has said go in this segment. Each of his cards counts
    more than ``beyond``: less could have been laid when he could not lay.
    """

    hand: Hand
    laid: Hand
    held: int
    seen: Hand
    go: bool = False
    beyond: int = 0

    @classmethod
    def of(cls, view: State, seat: Seat) -> Position:
        """Take it from the view of the seat that is to lay, all cards face up or not."""
        other = 1 - seat
        laid_by_other = tuple(placed.card for placed in view.laid if placed.seat == other)
        starter = (view.starter,) if view.starter else ()
        return cls(
            hand=tuple(sorted(view.rest(seat))),
            laid=view.segment,
            held=len(view.rest(other)),
            seen=view.hands[seat] + view.discards[seat] + laid_by_other + starter,
            go=view.go,
            beyond=max((MOST - total for total in _unable(view, other)), default=0),
        )

    @property
    def options(self) -> Hand:
        """The cards that may be laid."""
        return tuple(card for card in self.hand if may_lay(card, self.laid))

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that the opponent may hold."""
        return tuple(c for c in PACK if c not in self.seen and value_of(c) > self.beyond)


def _unable(view: State, seat: int) -> Iterator[int]:
    """Give the totals on which a seat could not lay, said or not, while the other is to lay."""
    laid, total = view.laid, 0
    for place, placed in enumerate(laid, 1):
        total += value_of(placed.card)
        if place < len(laid):
            then = laid[place]
            over, next_to_lay = total + value_of(then.card) > MOST, then.seat
        else:
            over, next_to_lay = place == view.begun, 1 - seat
        passed_over = placed.seat == next_to_lay != seat
        if total < MOST and (over or passed_over):
            yield total
        if over:
            total = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """A card, the points it is worth in the rest of the play, less the opponent's, and the error.

    ``error`` is the standard error of ``ev``, a mean over samples; 0 where all was counted.
    """

    card: Card
    ev: float
    error: float


def advise(
    position: Position, rules: RuleSet, *, samples: int = SAMPLES, seed: int | None = None
) -> tuple[Advice, ...]:
    """Weigh the cards that may be laid, the best first; equal ones in the hand's order.

    The same seed gives the same figures; without one it comes from the position. Raises
    ``ValueError`` for less than two samples.
    """
    if samples < 2:
        raise ValueError(f"an error needs two samples, not {samples}")
    weigh = _counted if position.held <= COUNTED else _sampled
    return tuple(sorted(weigh(position, rules, samples, seed), key=lambda one: -one.ev))


def _counted(position: Position, rules: RuleSet, *_: object) -> Iterator[Advice]:
    number, endplay = numbering(rules), Endplay(play_by(rules))
    held = hands_of(Counter(number[card.index] for card in position.unseen), position.held)
    laid = tuple(number[card.index] for card in position.laid)
    hand = tuple(sorted(number[card.index] for card in position.hand))
    for card in position.options:
        worth = endplay.worth(number[card.index], hand, held, laid, position.go)
        yield Advice(card, worth / sum(held.values()), 0.0)


def _sampled(
    position: Position, rules: RuleSet, samples: int, seed: int | None
) -> Iterator[Advice]:
    number, play = numbering(rules), play_by(rules)
    random = Random(repr(position) if seed is None else seed)
    pack = [number[card.index] for card in position.unseen]
    theirs = [tuple(sorted(random.sample(pack, position.held))) for _ in range(samples)]
    laid = tuple(number[card.index] for card in position.laid)
    hand = tuple(sorted(number[card.index] for card in position.hand))
    for card in position.options:
        first = number[card.index]
        won = [play.rest(hand, held, laid, position.go, first) for held in theirs]
        yield Advice(card, fmean(won), stdev(won) / sqrt(samples))
