"""The rules of Hit Me as simply as possible: hands are tuples of values, and nothing is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from tui_casino.games.thirty_one.machine.rules import Rules

RANKS: Mapping[int, Fraction] = {v: Fraction(4 if v == 10 else 1, 13) for v in range(1, 11)}

Hand = tuple[int, ...]


def counted(hand: Iterable[int]) -> tuple[int, bool]:
    """Find how many aces can count 11; return the points, and whether any ace does."""
    values = list(hand)
    for high in range(values.count(1), 0, -1):
        if sum(values) + 10 * high <= 31:
            return sum(values) + 10 * high, True
    return sum(values), False


def dealer_stops(hand: Hand, hits_soft: bool, only_31: bool) -> bool:
    points, soft = counted(hand)
    if only_31:
        return points >= 31
    return points == 14 or points > 27 or (points == 27 and not (soft and hits_soft))


def dealer(hand: Hand, hits_soft: bool = False, only_31: bool = False) -> dict[int, Fraction]:
    """Deal every sequence of cards, without caching."""
    if dealer_stops(hand, hits_soft, only_31):
        return {min(counted(hand)[0], 32): Fraction(1)}
    found: dict[int, Fraction] = {}
    for value, chance in RANKS.items():
        for final, share in dealer((*hand, value), hits_soft, only_31).items():
            found[final] = found.get(final, Fraction(0)) + chance * share
    return found


def settle(points: int, on_14: bool, finals: Mapping[int, Fraction]) -> Fraction:
    """Return the gain of a bet of 1 with these points."""
    gain = Fraction(0)
    for final, chance in finals.items():
        if on_14:
            gain += -chance if final == 31 else chance
        elif final == 14 or points < final < 32:
            gain -= chance
        elif final == 32 or points > final:
            gain += chance
    return gain


class Player:
    """The player's EVs against known final totals, by recursion over the cards of the hand."""

    def __init__(
        self, rules: Rules, ordinary: Mapping[int, Fraction], to_31: Mapping[int, Fraction]
    ) -> None:
        self.rules, self.ordinary, self.to_31 = rules, ordinary, to_31
        self.known: dict[tuple[Hand, bool], Fraction] = {}

    def stand(self, hand: Hand) -> Fraction:
        points, _ = counted(hand)
        if points > 31:
            return Fraction(-1)
        return settle(points, points == 14, self.to_31 if points == 14 else self.ordinary)

    def over_cards(self, value_of: Callable[[int], Fraction]) -> Fraction:
        return sum((chance * value_of(value) for value, chance in RANKS.items()), Fraction(0))

    def double(self, hand: Hand) -> Fraction:
        return 2 * self.over_cards(lambda value: self.stand((*hand, value)))

    def hit(self, hand: Hand, split: bool = False) -> Fraction:
        return self.over_cards(lambda value: self.best(tuple(sorted((*hand, value))), split))

    def split(self, hand: Hand) -> Fraction:
        return 2 * self.hit(hand[:1], split=True)

    def best(self, hand: Hand, split: bool = False) -> Fraction:
        """Return the best EV of a hand; two cards of equal value may be split once."""
        if counted(hand)[0] >= 31:
            return self.stand(hand)
        if (hand, split) not in self.known:
            choices = [self.stand(hand), self.hit(hand, split)]
            if len(hand) == 2 or not self.rules.double_two_cards:
                choices.append(self.double(hand))
            if len(hand) == 2 and hand[0] == hand[1] and not split:
                choices.append(self.split(hand))
            self.known[hand, split] = max(choices)
        return self.known[hand, split]
