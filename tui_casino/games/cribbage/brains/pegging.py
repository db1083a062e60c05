"""The pegging adviser: what each card that may be laid is worth over the rest of the play.

All sets of unseen cards are as likely to be held by the opponent that the rules allow after what
he did: where he could not lay, in this segment or in one that is over, he holds no card that he
could have laid. He is taken to lay by the careful policy of `play`.

Against two cards or less every hand is counted, and the player goes on with what is best
(`endplay`). Against more the player himself goes on by the same policy; every hand is counted if
there are no more than samples asked for, else hands are sampled. All cards meet the same samples,
so that differences are surer than the errors say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, zip_longest
from math import isqrt, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK, Card, Hand
from ....engine.game import Seat
from ..machine.rules import RuleSet, may_lay
from ..machine.scoring import MOST, value_of
from ..machine.state import State
from .bulk_play import Events, continue_play
from .endplay import Endplay, EndplayValuation, OpponentHands
from .play_policy import Laid, card_numbers, hands_of, number_of_hands, policy_for
from .segment_tree import KINDS

Points: TypeAlias = npt.NDArray[np.int64]

SAMPLES = 455
"""Hands that each card meets: as many as three cards of thirteen ranks make."""
SOLVED = 2
"""Against so many cards, and less, what is best afterwards is found, too."""
_BITS = 64
"""Binary places of a root before rounding to the 53 bits of a float."""


@dataclass(frozen=True, slots=True)
class PeggingPosition:
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
    def of(cls, view: State, seat: Seat) -> PeggingPosition:
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


class PeggingValuation(Protocol):
    """What points of the play are worth beyond points, as :class:`.WinChanceValuation` says."""

    def shown(self, held: Sequence[Hand], /) -> Sequence[int]:
        """Give what the opponent's hand scores at the show, for each set of cards he may hold."""
        ...

    def over(self, won: int, lost: int, /) -> bool:
        """Tell whether the game is over with these points of the play."""
        ...

    def worth(self, won: int, lost: int, his_hand: int, /) -> float:
        """Give the chance to win after these points of the play, his hand scoring so much."""
        ...


@dataclass(frozen=True, slots=True)
class PeggingAdvice:
    """A card, the points it is worth in the rest of the play, less the opponent's, and the error.

    ``error`` is the standard error of ``ev``, a mean over samples; 0 where all was counted.
    ``win`` and ``win_error`` are the chance to win the game, if there is something at stake.
    """

    card: Card
    ev: float
    error: float
    win: float | None = None
    win_error: float = 0.0


def weigh_cards(
    position: PeggingPosition,
    rules: RuleSet,
    stake: PeggingValuation | None = None,
    *,
    samples: int = SAMPLES,
    seed: int | None = None,
) -> tuple[PeggingAdvice, ...]:
    """Weigh the cards that may be laid, the most points first; equal ones in the hand's order.

    The same seed gives the same figures; without one it comes from the position. Raises
    ``ValueError`` for less than two samples.
    """
    if samples < 2:
        raise ValueError(f"an error needs two samples, not {samples}")
    number = card_numbers(rules)
    unseen, size = Counter(number[card.index] for card in position.unseen), position.held
    if size <= SOLVED:
        found = _solved(position, rules, hands_of(unseen, size), stake)
    elif number_of_hands(unseen, size) <= samples:
        found = _counted(position, rules, hands_of(unseen, size), stake)
    else:
        found = _sampled(
            position, rules, Random(repr(position) if seed is None else seed), samples, stake
        )
    return tuple(sorted(found, key=lambda one: -one.ev))


def _solved(
    position: PeggingPosition, rules: RuleSet, held: OpponentHands, stake: PeggingValuation | None
) -> Iterator[PeggingAdvice]:
    laid, hand = _in_numbers(position, rules)
    number, play, every = card_numbers(rules), policy_for(rules), sum(held.values())
    to_win = None
    if stake:
        to_win = Endplay(play, EndplayValuation(_chances(position, rules, stake), stake.over))
    known: dict[int, float] = {}
    for card in position.options:
        first = number[card.index]
        if first not in known:
            known[first] = Endplay(play).worth(first, hand, held, laid, position.go) / every
        worth = known[first]
        if to_win is None:
            yield PeggingAdvice(card, worth, 0.0)
        else:
            win = to_win.worth(first, hand, held, laid, position.go) / every
            yield PeggingAdvice(card, worth, 0.0, win)


def _counted(
    position: PeggingPosition, rules: RuleSet, held: OpponentHands, stake: PeggingValuation | None
) -> Iterator[PeggingAdvice]:
    every, ways = sum(held.values()), np.array([*held.values()])
    chance = stake and _chances(position, rules, stake)
    for card, events in _courses(position, rules, list(held)):
        worth, win = int(events.sum(axis=0) @ ways) / every, None
        if stake and chance:
            ended = zip(events.T.tolist(), held.items(), strict=True)
            chances = [count * chance(*_until_over(one, stake), his) for one, (his, count) in ended]
            win = sum(chances) / every
        yield PeggingAdvice(card, worth, 0.0, win)


def _sampled(
    position: PeggingPosition,
    rules: RuleSet,
    random: Random,
    samples: int,
    stake: PeggingValuation | None,
) -> Iterator[PeggingAdvice]:
    number, unseen = card_numbers(rules), position.unseen
    of_card = [number[card.index] for card in unseen]
    places = [random.sample(range(len(unseen)), position.held) for _ in range(samples)]
    theirs = [tuple(sorted([of_card[place] for place in held])) for held in places]
    shown = stake.shown([tuple(unseen[n] for n in held) for held in places]) if stake else ()
    for card, events in _courses(position, rules, theirs):
        worth = _mean_of_points(events.sum(axis=0))
        if stake is None:
            yield PeggingAdvice(card, *worth)
        else:
            ended = zip(events.T.tolist(), shown, strict=True)
            win = [stake.worth(*_until_over(one, stake), points) for one, points in ended]
            yield PeggingAdvice(card, *worth, *_mean(win))


def _courses(
    position: PeggingPosition, rules: RuleSet, theirs: Sequence[Laid]
) -> Iterator[tuple[Card, Events]]:
    """Play each card out against each hand; all at once, if the rules see ranks alone."""
    laid, hand = _in_numbers(position, rules)
    number, go = card_numbers(rules), position.go
    firsts = [number[card.index] for card in position.options]
    if max(number) < KINDS:  # equal cards and hands are played once
        some, hands = list(dict.fromkeys(firsts)), list(dict.fromkeys(theirs))
        events = continue_play(hand, np.array(hands), laid, go, some, rules)
        of_first = dict(zip(some, np.split(events, len(some), axis=1), strict=True))
        place = {held: at for at, held in enumerate(hands)}
        of_hand = [place[held] for held in theirs]
        parts = [of_first[first][:, of_hand] for first in firsts]
    else:
        play = policy_for(rules)
        parts = [
            _events(play.course(hand, his, laid, go, first) for his in theirs) for first in firsts
        ]
    yield from zip(position.options, parts, strict=True)


def _events(courses: Iterable[Iterable[tuple[int, int]]]) -> Events:
    """Put courses side by side: who scores, the player 0 or the other 1, and how much."""
    signed = [[-points if who else points for who, points in course] for course in courses]
    return np.array([*zip_longest(*signed, fillvalue=0)], np.int16)


def _in_numbers(position: PeggingPosition, rules: RuleSet) -> tuple[Laid, Laid]:
    """Give the segment, and the hand in rising order."""
    number = card_numbers(rules)
    laid = tuple(number[card.index] for card in position.laid)
    return laid, tuple(sorted(number[card.index] for card in position.hand))


def _chances(
    position: PeggingPosition, rules: RuleSet, stake: PeggingValuation
) -> Callable[[int, int, Laid], float]:
    """Give the chance to win after the play: the mean over the suits of what he may hold."""
    number, hands = card_numbers(rules), list(combinations(position.unseen, position.held))
    shown: dict[Laid, list[int]] = {}
    for cards, points in zip(hands, stake.shown(hands), strict=True):
        shown.setdefault(tuple(sorted(number[card.index] for card in cards)), []).append(points)
    ways = {held: Counter(points).items() for held, points in shown.items()}

    @lru_cache(1 << 16)
    def chance(won: int, lost: int, held: Laid) -> float:
        sums = sum(count * stake.worth(won, lost, points) for points, count in ways[held])
        return sums / len(shown[held])

    return chance


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Give the mean, and its standard error."""
    return fmean(values), stdev(values) / sqrt(len(values))


def _mean_of_points(points: Points) -> tuple[float, float]:
    """Return the same as :func:`_mean`, without fractions, since points are integers."""
    count, total = len(points), int(points.sum())
    spread = count * int(points @ points) - total**2  # the variance times count * (count - 1)
    return total / count, _root(spread, count * (count - 1)) / sqrt(count)


def _root(numerator: int, denominator: int) -> float:
    """Return the square root of a fraction, correctly rounded.

    >>> _root(9, 4), _root(2, 1) == sqrt(2)
    (1.5, True)
    """
    shifted = numerator << 2 * _BITS
    root = isqrt(shifted // denominator)
    root |= root * root * denominator != shifted  # the last bit represents all omitted digits
    return root / (1 << _BITS)


def _until_over(course: Sequence[int], stake: PeggingValuation) -> tuple[int, int]:
    """Give the points of both when the play, or with it the game, is over."""
    won = lost = 0
    for points in course:
        if points > 0:
            won += points
        else:
            lost -= points
        if points and stake.over(won, lost):
            break
    return won, lost
