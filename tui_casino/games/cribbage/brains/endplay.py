"""The exact value of a card near the end of the play, over all hands that the opponent may hold.

The opponent plays by the policy of `play_policy`. The player always plays the best card, and learns
only from the cards that the opponent plays, or cannot play, from now on. Nothing is sampled: sums
run over hands, weighted by the number of ways to hold them. The caller chooses how the points are
valued at the end of the play; `BY_POINTS` values them as the points won minus the points lost.

>>> from tui_casino.games.cribbage.brains.play_policy import policy_for
>>> from tui_casino.games.cribbage.machine.rules import ACC
>>> held = {(4,): 3, (8,): 1}
>>> Endplay(policy_for(ACC)).value(9, (9,), held, ())  # by hand: 3 x -3, and -1
-10
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from ..machine.scoring import MOST
from .play_policy import VALUES, CardNumbers, PlayPolicy, playable_cards, without_card

OpponentHands: TypeAlias = Mapping[CardNumbers, int]
"""The hands that the opponent may hold, all of one size, with the number of ways to hold each."""


class EndplayValuation(Struct, frozen=True):
    """How the end of the play is valued, given points won, points lost and the opponent's hand.

    ``is_over`` returns whether the game is over, given the points won and lost.
    """

    value: Callable[[int, int, CardNumbers], float]
    is_over: Callable[[int, int], bool] = lambda won, lost: False


BY_POINTS = EndplayValuation(lambda won, lost, held: won - lost)
POINTS_SHARE = 1_000_000
"""A number above any sum of points won over all hands that an opponent with few cards may hold."""
BY_BOTH_POINTS = EndplayValuation(lambda won, lost, held: (won - lost) * POINTS_SHARE + won)
"""Like `BY_POINTS`, with the points won in the remainder; if results tie, more won is better.

If values are summed over hands, ``divmod`` by `POINTS_SHARE` splits the result into both sums.
"""

_PossibleHands: TypeAlias = dict[tuple[CardNumbers, CardNumbers], int]
"""The number of ways to hold a hand, for each set of cards left and each full hand."""


class Endplay(Struct, frozen=True):
    """The rest of the play: the player's best cards against an opponent who follows the policy."""

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
        """Return the value of playing this card, summed over the hands that the opponent may hold.

        ``go`` is true if the opponent has said go in this segment. Divide the sum by the total
        number of ways for the mean value.
        """
        total = sum(VALUES[number] for number in segment)
        possible_hands = {(hand, hand): count for hand, count in opponent_hands.items()}
        return self._play_card(card, mine, segment, total, go, 0, 0, possible_hands, 0)

    # The state of the play is passed as arguments, because creating objects for hundreds of states
    # per card took a third of the time. The arguments are the player's cards (``mine``), the cards
    # of the ``segment`` and their ``total``, who played the ``last`` card, whether a player has
    # said go (``alone``), the points ``won`` and ``lost`` so far, the hands that are still
    # possible, and who is ``to_play``. In ``last`` and ``to_play``, 0 is the player and 1 the
    # opponent.

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
        """Continue after a card: end the segment on 31, and pass the turn."""
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
        """Continue with the player whose turn it is; return the value if the play is over."""
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
        """Say go; if the other player has also said go, score the last card and end the segment."""
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
        """Let the opponent play by the policy; group their possible hands by the card played."""
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
