"""The end of the play, solved: what a card is worth against every hand that the opponent may hold.

He lays by the policy of `play`; the player lays what is best, knowing of him no more than what he
lays or cannot lay from now on. Nothing is sampled: sums are whole numbers, over hands by the ways
in which they may be held.

>>> from tui_casino.games.cribbage.brains.play import play_by
>>> from tui_casino.games.cribbage.machine.rules import ACC
>>> Endplay(play_by(ACC)).worth(9, (9,), {(4,): 3, (8,): 1}, ())  # by hand: 3 x -3, and -1
-10
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..machine.scoring import MOST
from .play import VALUES, Laid, Play, able_of, without

Held: TypeAlias = Mapping[Laid, int]
"""The hands that the opponent may hold, all of one size, and in how many ways each."""


@dataclass(frozen=True, slots=True)
class _Segment:
    """The cards that lie, their total, who laid the last one, and whether the other can lay on.

    ``alone`` tells that only one player has a turn in this segment any more.
    """

    laid: Laid = ()
    total: int = 0
    last: int = 0
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Endplay:
    """The play to its end, by the best cards of one against the policy of the other."""

    play: Play

    def worth(self, card: int, mine: Laid, held: Held, laid: Laid, go: bool = False) -> int:
        """Give the points won less those lost, if this card is laid, summed over the hands held.

        ``go`` tells that the opponent has said go in this segment. Divided by the sum of all ways
        it is the mean.
        """
        total = sum(VALUES[number] for number in laid)
        return self._lay(card, mine, held, _Segment(laid, total, alone=go))

    def _lay(self, card: int, mine: Laid, held: Held, segment: _Segment) -> int:
        then = self._with(segment, card, 0)
        won = self.play.gain(then.laid) * sum(held.values())
        return won + self._go_on(without(mine, card), held, then, 0)

    def _with(self, segment: _Segment, card: int, who: int) -> _Segment:
        total = segment.total + VALUES[card]
        return _Segment((*segment.laid, card), total, who, segment.alone)

    def _go_on(self, mine: Laid, held: Held, segment: _Segment, who: int) -> int:
        """Go on after a card was laid: end the segment on 31, pass the turn."""
        if segment.total == MOST:
            segment = _Segment()
            who = 1 - who
        elif not segment.alone:
            who = 1 - who
        return self._turn(mine, held, segment, who)

    def _turn(self, mine: Laid, held: Held, segment: _Segment, who: int) -> int:
        if not mine and not next(iter(held)):
            return self._end(segment, held) if segment.laid else 0
        return self._his(mine, held, segment) if who else self._mine(mine, held, segment)

    def _end(self, segment: _Segment, held: Held) -> int:
        points = self.play.end(segment.laid) * sum(held.values())
        return -points if segment.last else points

    def _cannot(self, mine: Laid, held: Held, segment: _Segment, who: int) -> int:
        """Say go, or end the segment if the other has said it."""
        if segment.alone:
            return self._end(segment, held) + self._turn(mine, held, _Segment(), 1 - who)
        alone = _Segment(segment.laid, segment.total, segment.last, alone=True)
        return self._turn(mine, held, alone, 1 - who)

    def _mine(self, mine: Laid, held: Held, segment: _Segment) -> int:
        able = set(able_of(mine, segment.total))
        if not able:
            return self._cannot(mine, held, segment, 0)
        return max(self._lay(card, mine, held, segment) for card in able)

    def _his(self, mine: Laid, held: Held, segment: _Segment) -> int:
        """Let him lay by the policy: what he does parts the hands that he may hold."""
        total, laid, choose = segment.total, segment.laid, self.play.choose
        parts: dict[int, dict[Laid, int]] = {}
        unable: dict[Laid, int] = {}
        for hand, ways in held.items():
            if able := able_of(hand, total):
                card = choose(able, laid, len(mine))
                parts.setdefault(card, {})[without(hand, card)] = ways
            else:
                unable[hand] = ways
        won = self._cannot(mine, unable, segment, 1) if unable else 0
        for card, rest in parts.items():
            then = self._with(segment, card, 1)
            lost = self.play.gain(then.laid) * sum(rest.values())
            won += self._go_on(mine, rest, then, 1) - lost
        return won
