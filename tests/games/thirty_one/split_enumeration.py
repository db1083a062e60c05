"""Splits from small shoes, enumerated card by card: every order, every hand, the dealer last.

This is an independent check of `split_odds`, without expansion, sampling or shortcuts. Each hand is
played in the best way for itself, given all face-up cards; the dealer draws after all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tests.games.thirty_one.simple_rules import counted, dealer_stops
from tui_casino.games.thirty_one.machine.rules import Rules

Left = tuple[int, ...]
Cards = tuple[int, ...]
Done = tuple[tuple[int, int], ...]
"""Finished hands: their points, 0 if bust, and their bets."""


def without(left: Left, value: int) -> Left:
    return (*left[: value - 1], left[value - 1] - 1, *left[value:])


class TwoHands:
    """The rounds of a split against an up card; ``side`` is what an open side bet returns on 31."""

    def __init__(self, rules: Rules, up: int, side: float = 0.0) -> None:
        self.rules, self.up, self.side = rules, up, side
        self.finals = cache(self._finals)
        self.best = cache(self._best)

    def over_cards(self, left: Left, value_of: Callable[[int, Left], float]) -> float:
        size = sum(left)
        return sum(
            count / size * value_of(value, without(left, value))
            for value, count in enumerate(left, 1)
            if count
        )

    def _finals(self, hand: Cards, left: Left, only_31: bool) -> dict[int, float]:
        if dealer_stops(hand, self.rules.dealer_hits_soft, only_31):
            return {min(counted(hand)[0], 32): 1.0}
        found: dict[int, float] = {}
        for value, count in enumerate(left, 1):
            if count:
                rest = without(left, value)
                more = self.finals(tuple(sorted((*hand, value))), rest, only_31)
                for final, chance in more.items():
                    found[final] = found.get(final, 0.0) + count / sum(left) * chance
        return found

    def settled(self, points: int, left: Left, *, bonus: bool) -> float:
        """Return the gain of a hand for a bet of 1 if the dealer draws now, with a 14's effect."""
        if points > 31 or not points:
            return -1.0
        ends = self.finals((self.up,), left, points == 14)
        if points == 14:
            usual = self.finals((self.up,), left, False).get(31, 0.0)
            return 1 - 2 * ends.get(31, 0.0) + bonus * self.side * (ends.get(31, 0.0) - usual)
        won = sum(chance for final, chance in ends.items() if final == 32 or 14 != final < points)
        return won - (1 - won - ends.get(points, 0.0))

    def _best(self, hand: Cards, left: Left, bonus: bool) -> tuple[float, str]:
        """Return the EV of a hand by itself, and its play."""
        points, _ = counted(hand)
        stand = self.settled(points, left, bonus=bonus)
        if points >= 31:
            return stand, "s"

        def hit(value: int, rest: Left) -> float:
            return self.best(tuple(sorted((*hand, value))), rest, bonus)[0]

        def twice(value: int, rest: Left) -> float:
            came = counted((*hand, value))[0]
            once, with_bonus = (self.settled(came, rest, bonus=more) for more in (False, bonus))
            return once + with_bonus

        choices = [(stand, "s"), (self.over_cards(left, hit), "h")]
        if self.rules.double_after_split and (len(hand) == 2 or not self.rules.double_two_cards):
            choices.append((self.over_cards(left, twice), "d"))
        return max(choices)

    def split(self, value: int, left: Left, again: Callable[[int, int, int], bool]) -> float:
        """Return the EV of splitting.

        ``again`` decides whether to split again, by the waiting hands, all hands, and the splits so
        far.
        """

        @cache
        def go_on(waiting: Cards, made: int, left: Left, done: Done, known: int) -> float:
            if not waiting:
                return self.paid(done, left)
            *others, second = waiting
            if (
                second == value
                and made < self.rules.most_hands
                and again(len(waiting), made, known)
            ):
                return two_more(tuple(others), made + 1, left, done, known + 1)
            return play(tuple(sorted((value, second))), 1, tuple(others), made, left, done, known)

        def two_more(others: Cards, made: int, left: Left, done: Done, known: int) -> float:
            return self.over_cards(
                left,
                lambda one, less: self.over_cards(
                    less, lambda two, rest: go_on((*others, one, two), made, rest, done, known)
                ),
            )

        def play(
            hand: Cards, bet: int, waiting: Cards, made: int, left: Left, done: Done, known: int
        ) -> float:
            points, _ = counted(hand)
            bonus = not any(points == 14 for points, _ in done)
            choice = "s" if bet == 2 else self.best(hand, left, bonus)[1]
            if choice == "s":
                more = tuple(sorted((*done, (points if points <= 31 else 0, bet))))
                return go_on(waiting, made, left, more, known)
            bet = 2 if choice == "d" else 1
            return self.over_cards(
                left,
                lambda drawn, rest: play(
                    tuple(sorted((*hand, drawn))), bet, waiting, made, rest, done, known
                ),
            )

        return two_more((), 2, left, (), 0)

    def paid(self, done: Done, left: Left) -> float:
        """Return the gain of all hands against one dealer's hand, with the first 14's effect."""
        gain, bonus = 0.0, True
        for points, bet in done:
            once = self.settled(points, left, bonus=False)
            gain += bet * once
            if points == 14 and bonus:
                gain += self.settled(points, left, bonus=True) - once
                bonus = False
        return gain
