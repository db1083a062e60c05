"""A second computation of the two-deck edges, independent of the builder of the shipped table.

Hands are counts of cards, listed one card after the other. The dealer's final totals are carried
along card by card for all hands of the player at once. Both hands of a split are played
independently of each other, so the results are a little below those of the lab. `python -m
tests.games.thirty_one.fresh_shoe` goes through all deals in about half an hour, and prints the
edges of the rules that allow one split.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import numpy.typing as npt

from tests.games.thirty_one.simple_rules import counted, dealer_stops
from tui_casino.games.thirty_one.machine.rules import Rules

Counts = tuple[int, ...]
Floats = npt.NDArray[np.float64]
VALUES = range(1, 11)
PACK = (8,) * 9 + (32,)
LOST = 32
ROWS = 1 << 11


def more(counts: Counts, value: int) -> Counts:
    return (*counts[: value - 1], counts[value - 1] + 1, *counts[value:])


def less(counts: Counts, value: int) -> Counts:
    return (*counts[: value - 1], counts[value - 1] - 1, *counts[value:])


def cards_of(counts: Counts) -> list[int]:
    return [value for value, count in enumerate(counts, 1) for _ in range(count)]


def points_of(start: int, counts: Counts) -> int:
    return counted([start, *cards_of(counts)])[0]


def finals(up: int, soft: bool, only_31: bool, shoes: Floats) -> dict[int, Floats]:
    """Return the chance of each final total, as an array (shoes, 10); 32 means bust."""
    found: dict[int, Floats] = {}
    level: dict[Counts, Floats] = {(0,) * 10: np.ones(len(shoes))}
    drawn = 0
    while level:
        size = np.maximum(shoes.sum(axis=1) - drawn, 1)
        nexts: dict[Counts, Floats] = {}
        for counts, chance in level.items():
            if dealer_stops((up, *cards_of(counts)), soft, only_31):
                final = min(points_of(up, counts), LOST)
                found[final] = found.get(final, np.zeros(len(shoes))) + chance
                continue
            share = chance / size
            for value in VALUES:
                left = shoes[:, value - 1] - counts[value - 1]
                child = more(counts, value)
                came = share * np.maximum(left, 0)
                nexts[child] = nexts[child] + came if child in nexts else came
        level, drawn = nexts, drawn + 1
    return found


class Fresh:
    """All hands that can follow one card against another, from the cards left in the shoe."""

    def __init__(self, first: int, up: int, left: Counts, soft: bool) -> None:
        self.first, self.left = first, left
        self.points: dict[Counts, int] = {}
        level: Iterable[Counts] = [(0,) * 10]
        while level:
            now = {counts: points_of(first, counts) for counts in level}
            alive = {
                counts: points
                for counts, points in now.items()
                if points < LOST and all(c <= there for c, there in zip(counts, left, strict=True))
            }
            self.points |= alive
            level = {
                more(counts, value)
                for counts, points in alive.items()
                for value in VALUES
                if points < LOST - 1
            }
        self.stand: dict[Counts, float] = {}
        self.on_14: dict[Counts, float] = {}
        hands = [*self.points]
        for row in range(0, len(hands), ROWS):
            some = hands[row : row + ROWS]
            self._settle(up, soft, some, np.array(left) - np.array(some, np.float64))

    def _settle(self, up: int, soft: bool, hands: list[Counts], shoes: Floats) -> None:
        usual = finals(up, soft, False, shoes)
        fourteens = [n for n, hand in enumerate(hands) if self.points[hand] == 14]
        to_31 = finals(up, soft, True, shoes[fourteens])[31] if fourteens else np.zeros(0)
        for number, hand in enumerate(hands):
            points = self.points[hand]
            won = sum(
                float(chance[number]) * (1 if end == LOST or 14 != end < points else -1)
                for end, chance in usual.items()
                if end != points or end == 14
            )
            self.stand[hand] = won
        for place, number in enumerate(fourteens):
            chance = float(to_31[place])
            self.stand[hands[number]] = 1 - 2 * chance
            self.on_14[hands[number]] = chance - float(usual[31][number])

    def best(
        self, rules: Rules, back: float = 0.0, *, doubles: bool = True, split: float = -9.0
    ) -> tuple[float, float]:
        """Return the EV of the first card, and its EV if it has to be hit.

        ``back``: what an open side bet returns on 31; ``split``: the EV of splitting a pair.
        """
        known: dict[Counts, float] = {}
        hit = 0.0
        for hand in sorted(self.points, key=sum, reverse=True):
            bonus = back * self.on_14.get(hand, 0.0)
            stand = self.stand[hand] + bonus
            if self.points[hand] == LOST - 1:
                known[hand] = stand
                continue
            size = sum(self.left) - sum(hand)
            hit = twice = 0.0
            for value in VALUES:
                chance = (self.left[value - 1] - hand[value - 1]) / size
                if not chance:
                    continue
                child = more(hand, value)
                hit += chance * known.get(child, -1.0)
                once = self.stand.get(child, -1.0)
                twice += chance * (2 * once + back * self.on_14.get(child, 0.0))
            choices = [stand, hit]
            if doubles and (sum(hand) == 1 or not rules.double_two_cards):
                choices.append(twice)
            if hand == more((0,) * 10, self.first):
                choices.append(split)
            known[hand] = max(choices)
        return known[(0,) * 10], hit


def worth(up: int, first: int, rules: Rules) -> float:
    """Return the EV of perfect play from a deal, with one blind split and no insurance."""
    left = less(less(PACK, up), first)
    pair = Fresh(first, up, less(left, first), rules.dealer_hits_soft)
    blind = 2 * pair.best(rules, doubles=rules.double_after_split)[1]
    return Fresh(first, up, left, rules.dealer_hits_soft).best(rules, split=blind)[0]


def edges(soft: bool) -> dict[tuple[bool, bool], float]:
    """Return the edges of the rules that allow one split, without insurance.

    The keys say whether only two cards can be doubled, and whether a split hand can be.
    """
    found = {(two, after): 0.0 for two in (False, True) for after in (False, True)}
    for up, first in product(VALUES, VALUES):
        rest = less(PACK, up)
        left = less(rest, first)
        chance = PACK[up - 1] / sum(PACK) * rest[first - 1] / sum(rest)
        pair, deal = (Fresh(first, up, cards, soft) for cards in (less(left, first), left))
        for two, after in found:
            rules = Rules(double_two_cards=two)
            blind = 2 * pair.best(rules, doubles=after)[1]
            found[two, after] -= chance * deal.best(rules, split=blind)[0]
    return found


if __name__ == "__main__":
    for soft in (False, True):
        for (two, after), edge in edges(soft).items():
            print(f"{soft=} {two=} {after=} {edge:.7f}")
