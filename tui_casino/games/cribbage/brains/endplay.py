"""The end of the play, solved: what a card is worth against every hand that the opponent may hold.

He lays by the policy of `play`; the player lays what is best, knowing of him no more than what he
lays or cannot lay from now on. Nothing is sampled: sums are over hands, by the ways in which they
may be held. What is best is for whoever asks to say, who settles the points of the play at its
end: `BY_POINTS` takes those won less those lost.

>>> from tui_casino.games.cribbage.brains.play_policy import play_by
>>> from tui_casino.games.cribbage.machine.rules import ACC
>>> held = {(4,): 3, (8,): 1}
>>> Endplay(play_by(ACC)).worth(9, (9,), held, ())  # by hand: 3 x -3, and -1
-10
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..machine.scoring import MOST
from .play_policy import VALUES, Laid, PlayPolicy, playable_cards, without_card

OpponentHands: TypeAlias = Mapping[Laid, int]
"""The hands that the opponent may hold, all of one size, and in how many ways each."""


@dataclass(frozen=True, slots=True)
class EndplayValuation:
    """What the end of the play is worth: by the points won and lost, and the hand he held.

    ``over`` tells, by both points, that the play need not go on.
    """

    worth: Callable[[int, int, Laid], float]
    over: Callable[[int, int], bool] = lambda won, lost: False


BY_POINTS = EndplayValuation(lambda won, lost, held: won - lost)

_Worlds: TypeAlias = dict[tuple[Laid, Laid], int]  # the cards he has left, and all he held


@dataclass(frozen=True, slots=True)
class Endplay:
    """The play to its end, by the best cards of one against the policy of the other."""

    play: PlayPolicy
    settle: EndplayValuation = BY_POINTS

    def worth(
        self, card: int, mine: Laid, held: OpponentHands, laid: Laid, go: bool = False
    ) -> float:
        """Give what it is worth to lay this card, summed over the hands held.

        ``go`` tells that the opponent has said go in this segment. Divided by the sum of all ways
        it is the mean.
        """
        total = sum(VALUES[number] for number in laid)
        worlds = {(hand, hand): ways for hand, ways in held.items()}
        return self._lay(card, mine, laid, total, go, 0, 0, worlds, 0)

    # The state of the play is passed as arguments, because objects for hundreds of states per card
    # cost a third of the time. The arguments are the player's cards (``mine``), the cards of the
    # segment (``laid``) and their total, the player of the ``last`` card, whether a player has
    # said go (``alone``), the points ``won`` and ``lost`` so far, the remaining worlds, and the
    # player to play (``who``; 0: the player, 1: the opponent).

    def _lay(
        self,
        card: int,
        mine: Laid,
        laid: Laid,
        total: int,
        alone: bool,
        won: int,
        lost: int,
        worlds: _Worlds,
        who: int,
    ) -> float:
        """Go on after a card: end the segment on 31, pass the turn."""
        laid, total = (*laid, card), total + VALUES[card]
        if who:
            lost += self.play.gain(laid)
        else:
            won += self.play.gain(laid)
            mine = without_card(mine, card)
        if total == MOST:
            return self._turn(mine, (), 0, who, False, won, lost, worlds, 1 - who)
        then = who if alone else 1 - who
        return self._turn(mine, laid, total, who, alone, won, lost, worlds, then)

    def _turn(
        self,
        mine: Laid,
        laid: Laid,
        total: int,
        last: int,
        alone: bool,
        won: int,
        lost: int,
        worlds: _Worlds,
        who: int,
    ) -> float:
        """Continue with the player to play; settle the play if it is over."""
        if self.settle.over(won, lost):
            return self._settled(won, lost, worlds)
        if not mine and not next(iter(worlds))[0]:
            end = self.play.end(laid) if laid else 0
            return self._settled(won + end * (1 - last), lost + end * last, worlds)
        if who:
            return self._opponents_turn(mine, laid, total, last, alone, won, lost, worlds)
        able = {card for card in mine if total + VALUES[card] <= MOST}
        if not able:
            return self._cannot(mine, laid, total, last, alone, won, lost, worlds, 0)
        return max(
            [self._lay(card, mine, laid, total, alone, won, lost, worlds, 0) for card in able]
        )

    def _cannot(
        self,
        mine: Laid,
        laid: Laid,
        total: int,
        last: int,
        alone: bool,
        won: int,
        lost: int,
        worlds: _Worlds,
        who: int,
    ) -> float:
        """Say go; if the other player said go before, score the last card and end the segment."""
        if not alone:
            return self._turn(mine, laid, total, last, True, won, lost, worlds, 1 - who)
        end = self.play.end(laid)
        won, lost = won + end * (1 - last), lost + end * last
        return self._turn(mine, (), 0, last, False, won, lost, worlds, 1 - who)

    def _opponents_turn(
        self,
        mine: Laid,
        laid: Laid,
        total: int,
        last: int,
        alone: bool,
        won: int,
        lost: int,
        worlds: _Worlds,
    ) -> float:
        """Let him lay by the policy: what he does parts the hands that he may hold."""
        parts: dict[int | None, _Worlds] = {}
        for (hand, whole), ways in worlds.items():
            card: int | None = None
            if able := playable_cards(hand, total):
                card = self.play.choose(able, laid, len(mine))
                hand = without_card(hand, card)
            parts.setdefault(card, {})[hand, whole] = ways
        return sum(
            [
                self._cannot(mine, laid, total, last, alone, won, lost, then, 1)
                if card is None
                else self._lay(card, mine, laid, total, alone, won, lost, then, 1)
                for card, then in parts.items()
            ]
        )

    def _settled(self, won: int, lost: int, worlds: _Worlds) -> float:
        worth = self.settle.worth
        return sum([ways * worth(won, lost, whole) for (_, whole), ways in worlds.items()])
