"""The pegging adviser: what each card that may be laid is worth over the rest of the play.

The opponent's cards are sampled from those that the player has not seen, and the play is laid to
its end with each card first, both sides choosing by one careful policy: most points at once, less
what an answer is likely to score. All cards meet the same samples, so that differences are surer
than the errors say.

The play sees no more of a card than its rank, unless a rule set has a rule of its own for the
play. So cards are numbers here: ``card.index`` modulo 13, or for such a rule set ``card.index``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import TypeAlias

from ....cards.card import PACK, Card, Hand
from ....cards.once import once
from ....engine.game import Seat
from ..machine.rules import RuleSet, last_scores, play_scores, points_of
from ..machine.scoring import MOST, LastCard, PlayPair, PlayRun, Reaches, total_of, value_of
from ..machine.state import State

SAMPLES = 400
"""Deals sampled, each of which meets all cards; that takes some 50 ms for four cards."""

Laid: TypeAlias = tuple[int, ...]
"""Cards as numbers: those of a segment, in the order laid, or a hand, in rising order."""

_BY_RANK = (Reaches, PlayRun, PlayPair, LastCard)
_VALUES = tuple(map(value_of, PACK))
_REMEMBERED = 1 << 17  # answers kept by each function, of some hundred bytes
_RULE_SETS = 2  # kept at once: as many as there are, for their answers may fill 50 MB each


@dataclass(frozen=True, slots=True)
class Position:
    """The play as the player sees it who is to lay a card.

    ``laid`` are the cards of the present segment, and ``said_go`` how many of these lay there when
    the opponent said go, if he did. ``held`` is the number of the opponent's cards, none of which
    is among those ``seen``: the player's own six, the starter, and all that was laid.
    """

    hand: Hand
    laid: Hand
    said_go: int | None
    held: int
    seen: Hand

    @classmethod
    def of(cls, view: State, seat: Seat) -> Position:
        """Take it from the view of the seat that is to lay, all cards face up or not."""
        other, segment = 1 - seat, view.segment
        mine_at_the_end = 0
        for placed in reversed(view.laid[view.begun :]):
            if placed.seat == other:
                break
            mine_at_the_end += 1
        laid_by_other = tuple(placed.card for placed in view.laid if placed.seat == other)
        starter = (view.starter,) if view.starter else ()
        return cls(
            hand=tuple(sorted(view.rest(seat))),
            laid=segment,
            # he said it when his turn came after the first of these, and has had none since
            said_go=len(segment) - mine_at_the_end + 1 if view.go else None,
            held=len(view.rest(other)),
            seen=view.hands[seat] + view.discards[seat] + laid_by_other + starter,
        )

    @property
    def options(self) -> Hand:
        """The cards that may be laid."""
        return tuple(card for card in self.hand if total_of((*self.laid, card)) <= MOST)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that the opponent may hold: after his go, none that he could have laid."""
        least = 0 if self.said_go is None else MOST - total_of(self.laid[: self.said_go])
        return tuple(card for card in PACK if card not in self.seen and value_of(card) > least)


@dataclass(frozen=True, slots=True)
class Advice:
    """A card, the points it is worth in the rest of the play, less the opponent's, and the error.

    ``ev`` is a mean over samples, and ``error`` the standard error of it.
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
    number, play = _numbering(rules), play_by(rules)
    random = Random(repr(position) if seed is None else seed)
    pack = [number[card.index] for card in position.unseen]
    theirs = [tuple(sorted(random.sample(pack, position.held))) for _ in range(samples)]
    laid = tuple(number[card.index] for card in position.laid)
    hand = tuple(sorted(number[card.index] for card in position.hand))
    advice = []
    for card in position.options:
        first = number[card.index]
        won = [play.rest(hand, held, laid, position.said_go is not None, first) for held in theirs]
        advice.append(Advice(card, fmean(won), stdev(won) / sqrt(samples)))
    return tuple(sorted(advice, key=lambda one: -one.ev))


def _sees_ranks_alone(rules: RuleSet) -> bool:
    return all(type(rule) in _BY_RANK for rule in (*rules.play, *rules.last))


@lru_cache(maxsize=_RULE_SETS)
def _numbering(rules: RuleSet) -> tuple[int, ...]:
    """Give each card a number, the same for those that the rules do not tell apart."""
    kinds = 13 if _sees_ranks_alone(rules) else len(PACK)
    return tuple(card.index % kinds for card in PACK)


@dataclass(frozen=True, slots=True)
class Play:
    """The play under a rule set, in numbers: cards are numbered from 0, and lie in their order.

    ``gain`` is what the last card laid scores, ``end`` what the last of a segment does; ``choose``
    is the policy, a card of those that may be laid, where the other holds so many.
    """

    gain: Callable[[Laid], int]
    end: Callable[[Laid], int]
    choose: Callable[[Laid, Laid, int], int]

    def rest(self, mine: Laid, theirs: Laid, laid: Laid, go: bool, first: int) -> int:
        """Lay a card, and then all others by the policy; give the points won less those lost.

        ``go`` tells that the opponent has said go, so that he has no turn in this segment.
        """
        hands, to_lay, last, won = [mine, theirs], 0, 0, 0
        total = sum(_VALUES[card] for card in laid)
        card: int | None = first
        while True:
            if card is not None:
                hands[to_lay] = _without(hands[to_lay], card)
                laid, total, last = (*laid, card), total + _VALUES[card], to_lay
                won += -self.gain(laid) if to_lay else self.gain(laid)
                ended = total == MOST
                if not go or ended:
                    to_lay = 1 - to_lay
                if not hands[0] and not hands[1]:
                    end = self.end(laid)
                    return won - end if last else won + end
            else:
                ended = go
                if ended:
                    won += -self.end(laid) if last else self.end(laid)
                go, to_lay = True, 1 - to_lay
            if ended:
                laid, total, go = (), 0, False
            left = MOST - total
            able = tuple(card for card in hands[to_lay] if _VALUES[card] <= left)
            card = self.choose(able, laid, len(hands[1 - to_lay])) if able else None


def _without(hand: Laid, card: int) -> Laid:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


@once(most=_RULE_SETS)
def play_by(rules: RuleSet) -> Play:
    """Give the play under these rules, worked out once."""
    of_number = Counter(_numbering(rules))

    @lru_cache(_REMEMBERED)
    def gain(laid: Laid) -> int:
        return points_of(play_scores(tuple(PACK[card] for card in laid), rules))

    @lru_cache(_REMEMBERED)
    def end(laid: Laid) -> int:
        return points_of(last_scores(tuple(PACK[card] for card in laid), rules))

    @lru_cache(_REMEMBERED)
    def risk(laid: Laid) -> float:
        """Give the mean of what a card of the pack answers, those laid counting nothing."""
        left = MOST - sum(_VALUES[card] for card in laid)
        copies = {card: of_number[card] - laid.count(card) for card in of_number}
        answers = (
            gain((*laid, card)) * more
            for card, more in copies.items()
            if more and _VALUES[card] <= left  # a fifth card of a rank cannot be scored
        )
        return sum(answers) / len(PACK)

    @lru_cache(_REMEMBERED)
    def choose(able: Laid, laid: Laid, held: int) -> int:
        worth = {card: gain((*laid, card)) - held * risk((*laid, card)) for card in able}
        return max(reversed(able), key=worth.__getitem__)  # of equal ones the higher: low ones last

    return Play(gain, end, choose)
