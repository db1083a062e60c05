"""The rule sets of cribbage: all ways to score, in the order of the log, and the game's target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from ....cards.card import Card, Hand
from ....structs import replace
from . import scoring

DEALT = 6
"""The number of cards dealt to each player."""
DISCARDS = 2
"""The number of cards that each player gives to the crib."""
KEPT = DEALT - DISCARDS
HANDS = 3
"""The hands at the show: the pone's hand, the dealer's hand, and the crib."""


class RuleSet(Struct, frozen=True):
    """All ways to score, as lists of rules, and the scores that decide a game.

    The rules of ``starter``, ``play`` and ``show`` are applied in this order, which is the order of
    the log. The rules of ``last`` apply when a segment of the play has ended. The first player with
    ``target`` points wins immediately. A loser is skunked with at most as many points as the first
    of the ``skunks``, and doubly skunked with at most the second, if there is one. A game is worth
    ``win`` game points to the winner, plus one for each skunk line.
    """

    name: str
    starter: tuple[scoring.StarterRule, ...] = (scoring.StarterJack(),)
    play: tuple[scoring.PlayRule, ...] = (
        scoring.TotalReached("fifteen", scoring.FIFTEEN),
        scoring.TotalReached("thirtyone", scoring.MOST),
        scoring.PlayRun(),
        scoring.PlayPair(),
    )
    last: tuple[scoring.PlayRule, ...] = (scoring.LastCard(),)
    show: tuple[scoring.ShowRule, ...] = (
        scoring.Fifteens(),
        scoring.Runs(),
        scoring.Pairs(),
        scoring.Flush(),
        scoring.NobsJack(),
    )
    target: int = 121
    skunks: tuple[int, ...] = (90, 60)
    win: int = 1

    @property
    def title(self) -> str:
        """The name as the screen shows it before the word "rules"."""
        return _TITLES.get(self.name, self.name)


_TITLES = {"trainer": "trainer's", "acc": "ACC"}
TRAINER = RuleSet("trainer")
"""The rules of the source: a flush of four counts in the crib as in a hand."""
ACC = replace(
    TRAINER,
    name="acc",
    show=(
        scoring.Fifteens(),
        scoring.Runs(),
        scoring.Pairs(),
        scoring.Flush(crib_needs_five=True),
        scoring.NobsJack(),
    ),
    skunks=(90,),
    win=2,
)
"""The tournament rules of the American Cribbage Congress.

In the crib, a flush needs all five cards. A won game is worth two game points, or three if it is
won by 31 points or more (a skunk).
"""
RULE_SETS: Mapping[str, RuleSet] = MappingProxyType({rules.name: rules for rules in (TRAINER, ACC)})
"""All rule sets; the keys are their names."""


def starter_scores(starter: Card, rules: RuleSet) -> tuple[scoring.Score, ...]:
    """Return the dealer's scores for the starter."""
    return tuple(score for rule in rules.starter for score in rule.scores(starter))


def play_scores(segment: Hand, rules: RuleSet) -> tuple[scoring.Score, ...]:
    """Return the scores of the last of these cards of a segment, in the order of the log."""
    return tuple(score for rule in rules.play for score in rule.scores(segment))


def last_scores(segment: Hand, rules: RuleSet) -> tuple[scoring.Score, ...]:
    """Return the scores of the last card of a segment that has ended."""
    return tuple(score for rule in rules.last for score in rule.scores(segment))


def show_scores(
    hand: Hand, starter: Card | None, rules: RuleSet, crib: bool = False
) -> tuple[scoring.Score, ...]:
    """Return the scores of four cards, with or without a starter, in the order of the log."""
    show_hand = scoring.ShowHand(hand, starter, crib)
    scores: list[scoring.Score] = []
    for rule in rules.show:
        scores += rule.scores(show_hand)
    return tuple(scores)


def points_of(scores: Sequence[scoring.Score]) -> int:
    """Return the sum of the points."""
    return sum([score.points for score in scores])


def may_lay(card: Card, segment: Hand) -> bool:
    """Return whether a card may be played on the cards of a segment: the count stays within 31."""
    return scoring.total_of(segment) + scoring.value_of(card) <= scoring.MOST
