"""The pegging adviser: the EV of each card that may be played, to the end of the play.

The opponent may hold any set of unseen cards that agrees with the play so far; all such sets are
equally likely. If the opponent could not play at some count, in this segment or an earlier one,
they hold no card that could have been played at that count. The opponent is assumed to play by the
careful policy of `play_policy`.

If the opponent has at most two cards, every possible hand is evaluated, and the player's later
cards are the best ones (`endplay`). If the opponent has more, the player's later cards follow the
policy. In that case every hand is evaluated only if there are no more hands than samples; otherwise
hands are sampled. All cards are compared with the same samples, so their differences are more
certain than the errors suggest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import isqrt, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.card import PACK, Card, Hand
from ....engine.game import Seat
from ..machine.rules import RuleSet, may_lay
from ..machine.scoring import MOST, value_of
from ..machine.state import State
from .bulk_play import Events, continue_play
from .endplay import BY_BOTH_POINTS, POINTS_SHARE, Endplay, EndplayValuation, OpponentHands
from .play_policy import CardNumbers, card_numbers, hands_of, number_of_hands, policy_for

Points: TypeAlias = npt.NDArray[np.int64]

SAMPLES = 455
"""The number of sampled hands, which equals the number of three-card hands by rank."""
SOLVED_CARDS = 2
"""Against this many cards or fewer, the player's best continuation is calculated."""
_BITS = 64
"""The number of computed bits of a square root; rounding to a float leaves 53 of them."""


class PeggingPosition(Struct, frozen=True):
    """The play as seen by the player whose turn it is.

    ``segment`` contains the cards of the present segment. ``opponent_cards`` is the number of cards
    in the opponent's hand. None of them can be one of the ``seen_cards``: the player's own six, the
    starter and all cards played. ``go`` is true if the opponent has said go in this segment. Each
    card of the opponent has a value above ``counts_above``, because a lower one could have been
    played instead of a go.
    """

    hand: Hand
    segment: Hand
    opponent_cards: int
    seen_cards: Hand
    go: bool = False
    counts_above: int = 0

    @classmethod
    def from_view(cls, view: State, seat: Seat) -> PeggingPosition:
        """Return the position of the seat that must play; the opponent's open cards are ignored."""
        other = 1 - seat
        played_by_opponent = tuple(placed.card for placed in view.laid if placed.seat == other)
        starter = (view.starter,) if view.starter else ()
        return cls(
            hand=tuple(sorted(view.unplayed(seat))),
            segment=view.segment,
            opponent_cards=len(view.unplayed(other)),
            seen_cards=view.hands[seat] + view.discards[seat] + played_by_opponent + starter,
            go=view.go,
            counts_above=max((MOST - total for total in _passed_totals(view, other)), default=0),
        )

    @property
    def seed_text(self) -> str:
        """The text that seeds the sampling; changing the text would change the samples."""
        return (
            f"Position(hand={self.hand}, laid={self.segment}, held={self.opponent_cards}, "
            f"seen={self.seen_cards}, go={self.go}, beyond={self.counts_above})"
        )

    @property
    def options(self) -> Hand:
        """The cards that may be played."""
        return tuple(card for card in self.hand if may_lay(card, self.segment))

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that the opponent may hold."""
        return tuple(
            c for c in PACK if c not in self.seen_cards and value_of(c) > self.counts_above
        )


def _passed_totals(view: State, seat: int) -> Iterator[int]:
    """Yield the totals at which a seat could not play, with or without saying go.

    It must be the other player's turn.
    """
    placed_cards, total = view.laid, 0
    for place, placed in enumerate(placed_cards, 1):
        total += value_of(placed.card)
        if place < len(placed_cards):
            next_placed = placed_cards[place]
            segment_over, next_to_lay = total + value_of(next_placed.card) > MOST, next_placed.seat
        else:
            segment_over, next_to_lay = place == view.begun, 1 - seat
        passed_over = placed.seat == next_to_lay != seat
        if total < MOST and (segment_over or passed_over):
            yield total
        if segment_over:
            total = 0


class PeggingValuation(Protocol):
    """How pegging points are valued for the whole game; see :class:`.WinChanceValuation`."""

    def show_points(self, hands: Sequence[Hand], /) -> Sequence[int]:
        """Return the points of the opponent's hand at the show, for each possible hand."""
        ...

    def game_over(self, won: int, lost: int, /) -> bool:
        """Return whether the game is over with these points of the play."""
        ...

    def win_chance(self, won: int, lost: int, his_hand: int, /) -> float:
        """Return the chance to win after these points of the play and of the opponent's hand."""
        ...


class PeggingAdvice(Struct, frozen=True):
    """A card and its EV: the player's points in the rest of the play, minus the opponent's.

    ``error`` is the standard error of ``ev``, a mean over samples; 0 if everything was counted.
    ``won`` are the points that the player wins in the rest of the play on average. ``win`` and
    ``win_error`` are the chance to win the game and its error, if they were requested.
    """

    card: Card
    ev: float
    error: float
    win: float | None = None
    win_error: float = 0.0
    won: float = 0.0

    @property
    def lost(self) -> float:
        """The points that the opponent wins in the rest of the play on average."""
        return self.won - self.ev


def weigh_cards(
    position: PeggingPosition,
    rules: RuleSet,
    stake: PeggingValuation | None = None,
    *,
    samples: int = SAMPLES,
    seed: int | None = None,
) -> tuple[PeggingAdvice, ...]:
    """Return the cards that may be played with their EVs, best first; ties are in hand order.

    The same seed gives the same figures; without a seed, it is derived from the position. Raises
    ``ValueError`` for fewer than two samples, and for rules that the adviser does not know.
    """
    if samples < 2:
        raise ValueError(f"an error needs two samples, not {samples}")
    unseen, size = Counter(card_numbers(position.unseen)), position.opponent_cards
    if size <= SOLVED_CARDS:
        advice = _solve(position, rules, hands_of(unseen, size), stake)
    elif number_of_hands(unseen, size) <= samples:
        advice = _count_every_hand(position, rules, hands_of(unseen, size), stake)
    else:
        advice = _sample_hands(
            position, rules, Random(position.seed_text if seed is None else seed), samples, stake
        )
    return tuple(sorted(advice, key=lambda one: -one.ev))


def _solve(
    position: PeggingPosition,
    rules: RuleSet,
    opponent_hands: OpponentHands,
    stake: PeggingValuation | None,
) -> Iterator[PeggingAdvice]:
    segment, hand = _segment_and_hand(position)
    play, hand_count = policy_for(rules), sum(opponent_hands.values())
    win_endplay = None
    if stake:
        win_endplay = Endplay(
            play, EndplayValuation(_win_chance_function(position, stake), stake.game_over)
        )
    points_of_card: dict[int, tuple[float, float]] = {}
    for card, first in zip(position.options, card_numbers(position.options), strict=True):
        if first not in points_of_card:
            both = Endplay(play, BY_BOTH_POINTS).value(
                first, hand, opponent_hands, segment, position.go
            )
            net_sum, won_sum = divmod(int(both), POINTS_SHARE)
            points_of_card[first] = net_sum / hand_count, won_sum / hand_count
        worth, won = points_of_card[first]
        if win_endplay is None:
            yield PeggingAdvice(card, worth, 0.0, won=won)
        else:
            win = win_endplay.value(first, hand, opponent_hands, segment, position.go) / hand_count
            yield PeggingAdvice(card, worth, 0.0, win, won=won)


def _count_every_hand(
    position: PeggingPosition,
    rules: RuleSet,
    opponent_hands: OpponentHands,
    stake: PeggingValuation | None,
) -> Iterator[PeggingAdvice]:
    hand_count, weights = sum(opponent_hands.values()), np.array([*opponent_hands.values()])
    chance = stake and _win_chance_function(position, stake)
    for card, events in _courses(position, rules, list(opponent_hands)):
        worth, win = int(events.sum(axis=0) @ weights) / hand_count, None
        won = int(_points_won(events) @ weights) / hand_count
        if stake and chance:
            courses = zip(events.T.tolist(), opponent_hands.items(), strict=True)
            chances = [
                count * chance(*_points_until_over(one, stake), his)
                for one, (his, count) in courses
            ]
            win = sum(chances) / hand_count
        yield PeggingAdvice(card, worth, 0.0, win, won=won)


def _sample_hands(
    position: PeggingPosition,
    rules: RuleSet,
    random: Random,
    samples: int,
    stake: PeggingValuation | None,
) -> Iterator[PeggingAdvice]:
    unseen, of_card = position.unseen, card_numbers(position.unseen)
    places = [random.sample(range(len(unseen)), position.opponent_cards) for _ in range(samples)]
    theirs = [tuple(sorted([of_card[place] for place in held])) for held in places]
    show_points = (
        stake.show_points([tuple(unseen[n] for n in held) for held in places]) if stake else ()
    )
    for card, events in _courses(position, rules, theirs):
        worth, won = _mean_of_points(events.sum(axis=0)), float(_points_won(events).mean())
        if stake is None:
            yield PeggingAdvice(card, *worth, won=won)
        else:
            courses = zip(events.T.tolist(), show_points, strict=True)
            win = [
                stake.win_chance(*_points_until_over(one, stake), points) for one, points in courses
            ]
            yield PeggingAdvice(card, *worth, *_mean(win), won=won)


def _points_won(events: Events) -> Points:
    """Return the points that the player scores in the play against each hand."""
    return np.asarray(np.maximum(events, 0).sum(axis=0), np.int64)


def _courses(
    position: PeggingPosition, rules: RuleSet, opponent_hands: Sequence[CardNumbers]
) -> Iterator[tuple[Card, Events]]:
    """Yield the play of each card against each hand; equal cards and hands are played only once."""
    segment, hand = _segment_and_hand(position)
    firsts = card_numbers(position.options)
    distinct_firsts, hands = list(dict.fromkeys(firsts)), list(dict.fromkeys(opponent_hands))
    events = continue_play(hand, np.array(hands), segment, position.go, distinct_firsts, rules)
    of_first = dict(
        zip(distinct_firsts, np.split(events, len(distinct_firsts), axis=1), strict=True)
    )
    place = {held: column for column, held in enumerate(hands)}
    of_hand = [place[held] for held in opponent_hands]
    for card, first in zip(position.options, firsts, strict=True):
        yield card, of_first[first][:, of_hand]


def _segment_and_hand(position: PeggingPosition) -> tuple[CardNumbers, CardNumbers]:
    """Return the segment and the hand as card numbers, the hand in ascending order."""
    return card_numbers(position.segment), tuple(sorted(card_numbers(position.hand)))


def _win_chance_function(
    position: PeggingPosition, stake: PeggingValuation
) -> Callable[[int, int, CardNumbers], float]:
    """Return the function that computes the chance to win after the play, averaged over suits."""
    hands = list(combinations(position.unseen, position.opponent_cards))
    show_points: dict[CardNumbers, list[int]] = {}
    for cards, points in zip(hands, stake.show_points(hands), strict=True):
        show_points.setdefault(tuple(sorted(card_numbers(cards))), []).append(points)
    point_counts = {held: Counter(points).items() for held, points in show_points.items()}

    @lru_cache(1 << 16)
    def chance(won: int, lost: int, held: CardNumbers) -> float:
        sums = sum(
            count * stake.win_chance(won, lost, points) for points, count in point_counts[held]
        )
        return sums / len(show_points[held])

    return chance


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return fmean(values), stdev(values) / sqrt(len(values))


def _mean_of_points(points: Points) -> tuple[float, float]:
    """Return the same as :func:`_mean`, but exactly, because points are integers."""
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


def _points_until_over(course: Sequence[int], stake: PeggingValuation) -> tuple[int, int]:
    """Return the points of both players at the end of the play, or when the game ends earlier."""
    won = lost = 0
    for points in course:
        if points > 0:
            won += points
        else:
            lost -= points
        if points and stake.game_over(won, lost):
            break
    return won, lost
