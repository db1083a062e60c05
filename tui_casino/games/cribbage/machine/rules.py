"""The rule sets of cribbage: what scores, in the order of the log, and the game's target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ....cards.card import Card, Hand
from .scoring import (
    FIFTEEN,
    MOST,
    Fifteens,
    Flush,
    LastCard,
    NobsJack,
    Pairs,
    PlayPair,
    PlayRule,
    PlayRun,
    Runs,
    Score,
    ShowHand,
    ShowRule,
    StarterJack,
    StarterRule,
    TotalReached,
    total_of,
    value_of,
)

DEALT = 6
"""Cards dealt to each player."""
DISCARDS = 2
"""Cards that each player gives to the crib."""
KEPT = DEALT - DISCARDS
HANDS = 3
"""Hands at the show: pone's, the dealer's, the crib."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every way to score, as lists of rules, and the scores that decide a game.

    ``starter``, ``play`` and ``show`` are looked at in this order, as the log tells them;
    ``last`` when a segment of the play has ended. Who has ``target`` points wins at once; a loser
    with no more than ``skunks`` points is skunked, doubly so by the second line, if there is one.
    A game counts ``win`` for the winner, and one more for each line. ``title`` stands before the
    word "rules" on the screen: it is the name unless the rules are :meth:`titled`.
    """

    name: str
    starter: tuple[StarterRule, ...] = (StarterJack(),)
    play: tuple[PlayRule, ...] = (
        TotalReached("fifteen", FIFTEEN),
        TotalReached("thirtyone", MOST),
        PlayRun(),
        PlayPair(),
    )
    last: tuple[PlayRule, ...] = (LastCard(),)
    show: tuple[ShowRule, ...] = (Fifteens(), Runs(), Pairs(), Flush(), NobsJack())
    target: int = 121
    skunks: tuple[int, ...] = (90, 60)
    win: int = 1
    title: str = field(init=False, compare=False)  # so that rules made from others go by their name

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.name)

    def titled(self, title: str) -> RuleSet:
        """Give the same rules under a title."""
        rules = replace(self)
        object.__setattr__(rules, "title", title)
        return rules


TRAINER = RuleSet("trainer").titled("trainer's")
"""The source's rules: the crib flushes like a hand."""
ACC = replace(
    TRAINER,
    name="acc",
    show=(Fifteens(), Runs(), Pairs(), Flush(crib_needs_five=True), NobsJack()),
    skunks=(90,),
    win=2,
).titled("ACC")
"""The tournament's rules of the American Cribbage Congress: the crib flushes with all five cards
only; a game won counts two game points, by 31 points or more, a skunk, three, and never more."""
RULE_SETS: Mapping[str, RuleSet] = MappingProxyType({rules.name: rules for rules in (TRAINER, ACC)})
"""By name."""


def starter_scores(starter: Card, rules: RuleSet) -> tuple[Score, ...]:
    """Give what the dealer scores for the starter."""
    return tuple(score for rule in rules.starter for score in rule.scores(starter))


def play_scores(segment: Hand, rules: RuleSet) -> tuple[Score, ...]:
    """Give what the last of these cards of a segment scores, in the order of the log."""
    return tuple(score for rule in rules.play for score in rule.scores(segment))


def last_scores(segment: Hand, rules: RuleSet) -> tuple[Score, ...]:
    """Give what the last card of a segment that has ended scores."""
    return tuple(score for rule in rules.last for score in rule.scores(segment))


def show_scores(
    hand: Hand, starter: Card | None, rules: RuleSet, crib: bool = False
) -> tuple[Score, ...]:
    """Give what a hand of four scores with the starter, or by itself, in the order of the log."""
    show_hand = ShowHand(hand, starter, crib)
    scores: list[Score] = []
    for rule in rules.show:
        scores += rule.scores(show_hand)
    return tuple(scores)


def points_of(scores: Sequence[Score]) -> int:
    """Add up points."""
    return sum([score.points for score in scores])


def may_lay(card: Card, segment: Hand) -> bool:
    """Tell whether a card may be laid on the cards of a segment: the count stays within 31."""
    return total_of(segment) + value_of(card) <= MOST
