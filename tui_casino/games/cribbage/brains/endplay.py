"""The end of the play, solved: the value of a card against all hands the opponent may hold.

The opponent lays by the policy of `play_policy`. The player lays the best card and knows only what
the opponent lays or cannot lay from now on. Nothing is sampled: sums run over hands, weighted by
the number of ways to hold them. The caller says how the points of the play are valued at its end;
`BY_POINTS` takes the points won less the points lost.

>>> from tui_casino.games.cribbage.brains.play_policy import policy_for
>>> from tui_casino.games.cribbage.machine.rules import ACC
>>> held = {(4,): 3, (8,): 1}
>>> Endplay(policy_for(ACC)).value(9, (9,), held, ())  # by hand: 3 x -3, and -1
-10
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..machine.scoring import MOST
from .play_policy import VALUES, CardNumbers, PlayPolicy, playable_cards, without_card

OpponentHands: TypeAlias = Mapping[CardNumbers, int]
"""The hands that the opponent may hold, all of one size, and in how many ways each."""


@dataclass(frozen=True, slots=True)
class EndplayValuation:
    """What the end of the play is worth: by the points won and lost, and the hand he held.

    ``is_over`` tells, by both points, that the play need not go on.
    """

    value: Callable[[int, int, CardNumbers], float]
    is_over: Callable[[int, int], bool] = lambda won, lost: False


BY_POINTS = EndplayValuation(lambda won, lost, held: won - lost)

_PossibleHands: TypeAlias = dict[
    tuple[CardNumbers, CardNumbers], int
]  # the cards he has left, and all he held


@dataclass(frozen=True, slots=True)
class Endplay:
    """The play to its end, by the best cards of one against the policy of the other."""

    policy: PlayPolicy
    valuation: EndplayValuation = BY_POINTS

    def value(
        self,
        card: int,
        mine: CardNumbers,
        opponent_hands: OpponentHands,
        segment: CardNumbers,
        go: bool = False,
    ) -> float:
        """Give what it is worth to lay this card, summed over the hands held.

        ``go`` tells that the opponent has said go in this segment. Divided by the sum of all ways
        it is the mean.
        """
        total = sum(VALUES[number] for number in segment)
        possible_hands = {(hand, hand): count for hand, count in opponent_hands.items()}
        return self._play_card(card, mine, segment, total, go, 0, 0, possible_hands, 0)

    # The state of the play is passed as arguments, because objects for hundreds of states per card
    # cost a third of the time. The arguments are the player's cards (``mine``), the cards of the
    # segment (``laid``) and their total, the player of the ``last`` card, whether a player has
    # said go (``alone``), the points ``won`` and ``lost`` so far, the remaining worlds, and the
    # player to play (``who``; 0: the player, 1: the opponent).

    def _play_card(
        self,
        card: int,
        mine: CardNumbers,
        segment: CardNumbers,
        total: int,
        alone: bool,
        won: int,
        lost: int,
        possible_hands: _PossibleHands,
        to_play: int,
    ) -> float:
        """Go on after a card: end the segment on 31, pass the turn."""
        segment, total = (*segment, card), total + VALUES[card]
        if to_play:
            lost += self.policy.gain(segment)
        else:
            won += self.policy.gain(segment)
            mine = without_card(mine, card)
        if total == MOST:
            return self._take_turn(
                mine, (), 0, to_play, False, won, lost, possible_hands, 1 - to_play
            )
        next_to_play = to_play if alone else 1 - to_play
        return self._take_turn(
            mine, segment, total, to_play, alone, won, lost, possible_hands, next_to_play
        )

    def _take_turn(
        self,
        mine: CardNumbers,
        segment: CardNumbers,
        total: int,
        last: int,
        alone: bool,
        won: int,
        lost: int,
        possible_hands: _PossibleHands,
        to_play: int,
    ) -> float:
        """Continue with the player to play; settle the play if it is over."""
        if self.valuation.is_over(won, lost):
            return self._value_at_end(won, lost, possible_hands)
        if not mine and not next(iter(possible_hands))[0]:
            end = self.policy.end(segment) if segment else 0
            return self._value_at_end(won + end * (1 - last), lost + end * last, possible_hands)
        if to_play:
            return self._opponents_turn(
                mine, segment, total, last, alone, won, lost, possible_hands
            )
        playable = {card for card in mine if total + VALUES[card] <= MOST}
        if not playable:
            return self._say_go(mine, segment, total, last, alone, won, lost, possible_hands, 0)
        return max(
            [
                self._play_card(card, mine, segment, total, alone, won, lost, possible_hands, 0)
                for card in playable
            ]
        )

    def _say_go(
        self,
        mine: CardNumbers,
        segment: CardNumbers,
        total: int,
        last: int,
        alone: bool,
        won: int,
        lost: int,
        possible_hands: _PossibleHands,
        to_play: int,
    ) -> float:
        """Say go; if the other player said go before, score the last card and end the segment."""
        if not alone:
            return self._take_turn(
                mine, segment, total, last, True, won, lost, possible_hands, 1 - to_play
            )
        end = self.policy.end(segment)
        won, lost = won + end * (1 - last), lost + end * last
        return self._take_turn(mine, (), 0, last, False, won, lost, possible_hands, 1 - to_play)

    def _opponents_turn(
        self,
        mine: CardNumbers,
        segment: CardNumbers,
        total: int,
        last: int,
        alone: bool,
        won: int,
        lost: int,
        possible_hands: _PossibleHands,
    ) -> float:
        """Let him lay by the policy: what he does parts the hands that he may hold."""
        parts: dict[int | None, _PossibleHands] = {}
        for (hand, full_hand), count in possible_hands.items():
            card: int | None = None
            if playable := playable_cards(hand, total):
                card = self.policy.choose(playable, segment, len(mine))
                hand = without_card(hand, card)
            parts.setdefault(card, {})[hand, full_hand] = count
        return sum(
            [
                self._say_go(mine, segment, total, last, alone, won, lost, hands_left, 1)
                if card is None
                else self._play_card(card, mine, segment, total, alone, won, lost, hands_left, 1)
                for card, hands_left in parts.items()
            ]
        )

    def _value_at_end(self, won: int, lost: int, possible_hands: _PossibleHands) -> float:
        value = self.valuation.value
        return sum(
            [
                count * value(won, lost, full_hand)
                for (_, full_hand), count in possible_hands.items()
            ]
        )
