"""The play of one deal by the policy, a card at a time: a second source for plays in bulk."""

from __future__ import annotations

from collections.abc import Iterator

from tui_casino.games.cribbage.brains.play_policy import (
    VALUES,
    CardNumbers,
    PlayPolicy,
    playable_cards,
    without_card,
)
from tui_casino.games.cribbage.machine.scoring import MOST


def course(
    play: PlayPolicy,
    mine: CardNumbers,
    theirs: CardNumbers,
    segment: CardNumbers,
    go: bool,
    first: int,
) -> Iterator[tuple[int, int]]:
    """Play a card, then all others by the policy; yield who scores and how much, in order.

    The player of the first card is 0, the other is 1. ``go`` is true if the other player has said
    go and so has no turn in this segment.
    """
    hands, to_lay, last = [mine, theirs], 0, 0
    total = sum(VALUES[card] for card in segment)
    card: int | None = first
    while True:
        if card is not None:
            hands[to_lay] = without_card(hands[to_lay], card)
            segment, total, last = (*segment, card), total + VALUES[card], to_lay
            if points_gained := play.gain(segment):
                yield last, points_gained
            segment_over = total == MOST
            if not go or segment_over:
                to_lay = 1 - to_lay
            if not hands[0] and not hands[1]:
                if not segment_over:
                    yield last, play.end(segment)
                return
        else:
            segment_over = go
            if segment_over:
                yield last, play.end(segment)
            go, to_lay = True, 1 - to_lay
        if segment_over:
            segment, total, go = (), 0, False
        playable = playable_cards(hands[to_lay], total)
        card = play.choose(playable, segment, len(hands[1 - to_lay])) if playable else None


def net_points(
    play: PlayPolicy,
    mine: CardNumbers,
    theirs: CardNumbers,
    segment: CardNumbers,
    go: bool,
    first: int,
) -> int:
    """Play to the end as :func:`course` does; return the points won minus the points lost."""
    points_won = [0, 0]
    for scorer, points in course(play, mine, theirs, segment, go, first):
        points_won[scorer] += points
    return points_won[0] - points_won[1]
