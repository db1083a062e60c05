"""The end of the play, solved: what a card is worth against every hand that the opponent may hold.

He lays by the policy of `play`; the player lays what is best, knowing of him no more than what he
lays or cannot lay from now on. Nothing is sampled: sums are over hands, by the ways in which they
may be held. What is best is for whoever asks to say, who settles the points of the play at its
end: `BY_POINTS` takes those won less those lost.

>>> from tui_casino.games.cribbage.brains.play import play_by
>>> from tui_casino.games.cribbage.machine.rules import ACC
>>> held = {(4,): 3, (8,): 1}
>>> Endplay(play_by(ACC)).worth(9, (9,), held, ())  # by hand: 3 x -3, and -1
-10
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..machine.scoring import MOST
from .play import VALUES, Laid, Play, able_of, without

Held: TypeAlias = Mapping[Laid, int]
"""The hands that the opponent may hold, all of one size, and in how many ways each."""


@dataclass(frozen=True, slots=True)
class Settle:
    """What the end of the play is worth: by the points won and lost, and the hand he held.

    ``over`` tells, by both points, that the play need not go on.
    """

    worth: Callable[[int, int, Laid], float]
    over: Callable[[int, int], bool] = lambda won, lost: False


BY_POINTS = Settle(lambda won, lost, held: won - lost)

_Worlds: TypeAlias = dict[tuple[Laid, Laid], int]  # the cards he has left, and all he held


class _Spot(NamedTuple):
    """My cards, those of the segment and their total, who laid the last one; points so far.

    ``alone`` tells that only one player has a turn in this segment any more.
    """

    mine: Laid
    laid: Laid
    total: int
    last: int = 0
    alone: bool = False
    won: int = 0
    lost: int = 0

    def ended(self, points: int) -> _Spot:
        """Give the last card its points, and begin a new segment."""
        won, lost = (0, points) if self.last else (points, 0)
        return _Spot(self.mine, (), 0, self.last, False, self.won + won, self.lost + lost)


@dataclass(frozen=True, slots=True)
class Endplay:
    """The play to its end, by the best cards of one against the policy of the other."""

    play: Play
    settle: Settle = BY_POINTS

    def worth(self, card: int, mine: Laid, held: Held, laid: Laid, go: bool = False) -> float:
        """Give what it is worth to lay this card, summed over the hands held.

        ``go`` tells that the opponent has said go in this segment. Divided by the sum of all ways
        it is the mean.
        """
        total = sum(VALUES[number] for number in laid)
        worlds = {(hand, hand): ways for hand, ways in held.items()}
        return self._lay(card, _Spot(mine, laid, total, alone=go), worlds, 0)

    def _settled(self, spot: _Spot, worlds: _Worlds) -> float:
        won, lost, worth = spot.won, spot.lost, self.settle.worth
        return sum([ways * worth(won, lost, whole) for (_, whole), ways in worlds.items()])

    def _lay(self, card: int, spot: _Spot, worlds: _Worlds, who: int) -> float:
        """Go on after a card: end the segment on 31, pass the turn."""
        laid, total = (*spot.laid, card), spot.total + VALUES[card]
        mine = spot.mine if who else without(spot.mine, card)
        points = self.play.gain(laid)
        won, lost = (spot.won, spot.lost + points) if who else (spot.won + points, spot.lost)
        if total == MOST:
            spot, who = _Spot(mine, (), 0, who, False, won, lost), 1 - who
        else:
            spot = _Spot(mine, laid, total, who, spot.alone, won, lost)
            who = who if spot.alone else 1 - who
        return self._turn(spot, worlds, who)

    def _turn(self, spot: _Spot, worlds: _Worlds, who: int) -> float:
        if self.settle.over(spot.won, spot.lost):
            return self._settled(spot, worlds)
        if not spot.mine and not next(iter(worlds))[0]:
            end = self.play.end(spot.laid) if spot.laid else 0
            return self._settled(spot.ended(end), worlds)
        return self._his(spot, worlds) if who else self._mine(spot, worlds)

    def _cannot(self, spot: _Spot, worlds: _Worlds, who: int) -> float:
        """Say go, or end the segment if the other has said it."""
        if spot.alone:
            return self._turn(spot.ended(self.play.end(spot.laid)), worlds, 1 - who)
        alone = _Spot(spot.mine, spot.laid, spot.total, spot.last, True, spot.won, spot.lost)
        return self._turn(alone, worlds, 1 - who)

    def _mine(self, spot: _Spot, worlds: _Worlds) -> float:
        able = set(able_of(spot.mine, spot.total))
        if not able:
            return self._cannot(spot, worlds, 0)
        return max(self._lay(card, spot, worlds, 0) for card in able)

    def _his(self, spot: _Spot, worlds: _Worlds) -> float:
        """Let him lay by the policy: what he does parts the hands that he may hold."""
        parts: dict[int | None, _Worlds] = {}
        for (hand, whole), ways in worlds.items():
            card: int | None = None
            if able := able_of(hand, spot.total):
                card = self.play.choose(able, spot.laid, len(spot.mine))
                hand = without(hand, card)
            parts.setdefault(card, {})[hand, whole] = ways
        return sum(
            self._cannot(spot, then, 1) if card is None else self._lay(card, spot, then, 1)
            for card, then in parts.items()
        )
