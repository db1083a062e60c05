"""Many deals played together by the same policy.

Both players choose the discard with the highest EV against a good player, as
:func:`.discards.weigh` ranks it, and play cards by the policy of `play_policy`. Their choices
depend on neither the starter nor the score.

In the play, each deal follows a path through the tree of `pegging_tree`. All deals advance through
the tree together, from their first card or from a given position in the play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.card import PACK
from ..machine.rules import ACC, DEALT, RuleSet
from ..machine.scoring import MOST
from .bulk_points import CHOICES, KEPT_PLACES, best_discards, points_of_hands, sorted_hands
from .discards import shipped_frequencies
from .pegging_tree import KINDS, NONE, ROOT, TOO_MUCH, PeggingTree, tree_for
from .play_policy import VALUES, CardNumbers

Integers: TypeAlias = npt.NDArray[np.int64]
Small: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]
Events: TypeAlias = npt.NDArray[np.int16]
"""The points scored, one row per step and one column per deal.

Points of the first player are positive, points of the second negative. In a deal that is played
from the start, the pone is the first player.
"""

_VALUES = np.array([*VALUES, 0], np.int32)
_RANK_BITS, _PLACE_BITS = 4, 2  # worth, rank and place are packed into one number


class PlayedDeals(Struct, frozen=True):
    """Deals after the play: cards as ``card.index``, in shape (n, k), and the pegging points."""

    pone: Integers
    dealer: Integers
    crib: Integers
    undealt: Integers
    events: Events


def play_deals(packs: Integers, rules: RuleSet = ACC) -> PlayedDeals:
    """Deal six cards to each player from each pack, the pone first; then discard and play."""
    hands_kept, crib = [], []
    for dealer, begin in ((False, 0), (True, DEALT)):
        hands = sorted_hands(packs[:, begin : begin + DEALT])
        choice = best_discards(hands, dealer, rules, shipped_frequencies().weights_against(dealer))
        hands_kept.append(np.take_along_axis(hands, KEPT_PLACES[choice], axis=1))
        crib.append(np.take_along_axis(hands, CHOICES[choice], axis=1))
    events = play_out(hands_kept[0] % 13, hands_kept[1] % 13, rules)
    return PlayedDeals(hands_kept[0], hands_kept[1], np.hstack(crib), packs[:, 2 * DEALT :], events)


def points_by_starter(
    hands: Integers, starters: Integers, rules: RuleSet, crib: bool = False
) -> Integers:
    """Return the points of n hands with each of k starters, in shape (n, k)."""
    n, k = starters.shape
    cards = np.empty((5, n, k), np.uint8)
    cards[:4] = hands.T[:, :, None]
    cards[4] = starters
    return points_of_hands(cards.reshape(5, -1), rules, crib).reshape(n, k).astype(np.int64)


# ---- the play ------------------------------------------------------------------------------------


def play_out(pone: Integers, dealer: Integers, rules: RuleSet) -> Events:
    """Play n deals to the end and return the points scored in each step.

    ``pone`` and ``dealer`` hold four ranks each, 0 to 12, in shape (n, 4). Raises ``ValueError``
    for rules that the adviser does not know.
    """
    tree, n = tree_for(rules), len(pone)
    return _play_from(tree, (pone, dealer), np.full(n, ROOT), np.zeros(n, bool), None)


def continue_play(
    mine: CardNumbers,
    theirs: Integers,
    segment: CardNumbers,
    go: bool,
    firsts: Sequence[int],
    rules: RuleSet,
) -> Events:
    """Continue the play with each of the ``firsts`` against each of the opponent's n hands.

    ``theirs`` holds ranks, in shape (n, k). ``go`` is true if the opponent has said go in this
    ``segment``. Each column of the result is a card against a hand; all hands against the first
    card come first. Raises the errors of :func:`play_out`.
    """
    tree, columns = tree_for(rules), len(firsts) * len(theirs)
    node = np.full(1, ROOT)
    for card in segment:
        node = tree.child_nodes(node, np.full(1, card))
    hands = np.tile(np.array(mine), (columns, 1)), np.tile(theirs, (len(firsts), 1))
    first = np.repeat(np.array(firsts), len(theirs))
    return _play_from(tree, hands, np.repeat(node, columns), np.full(columns, go), first)


def _play_from(
    tree: PeggingTree,
    hands: tuple[Integers, Integers],
    node: Integers,
    alone: Flags,
    first: Integers | None,
) -> Events:
    """Continue from the nodes with the ``first`` cards, or as the policy chooses if ``None``."""
    n = len(node)
    cards = np.full((2, max(each.shape[1] for each in hands), n), NONE, np.int32)
    for seat, each in enumerate(hands):
        cards[seat, : each.shape[1]] = each.T
    mine, his = (np.full(n, each.shape[1], np.int32) for each in hands)
    turn, last = np.zeros((2, n), np.bool_)
    deals = _Deals(cards, mine, his, node, turn, last, alone)
    active, events = np.arange(n), []
    while len(active):
        points = np.zeros(n, np.int16)
        deals, points[active] = _step(tree, deals, first)
        events.append(points)
        first = None
        unfinished = deals.cards_left + deals.other_cards_left > 0
        if not unfinished.all():
            active, deals = active[unfinished], deals.select(unfinished)
    return np.array(events)


class _Deals(NamedTuple):
    """Deals that are played in parallel; ``cards`` contains the axes player, place and deal.

    ``cards_left`` counts the first player's cards, and ``other_cards_left`` the second player's.
    ``second_to_play`` is true if it is the second player's turn, ``last`` if the second player
    played the last card. ``alone`` is true if the player who is not to play has said go.
    """

    cards: Small
    cards_left: Small
    other_cards_left: Small
    node: Integers
    second_to_play: Flags
    last: Flags
    alone: Flags

    def select(self, mask: Flags) -> _Deals:
        """Return the selected deals."""
        cards, cards_left, other_cards_left, node, second_to_play, last, alone = self
        return _Deals(
            cards[:, :, mask],
            cards_left[mask],
            other_cards_left[mask],
            node[mask],
            second_to_play[mask],
            last[mask],
            alone[mask],
        )


def _step(tree: PeggingTree, deals: _Deals, first: Integers | None) -> tuple[_Deals, Events]:
    """Play a card or say go in each deal; return the new deals and the points scored."""
    cards, cards_left, other_cards_left, node, second_to_play, last, alone = deals
    hand = np.where(second_to_play, cards[1], cards[0])
    places = np.arange(len(hand), dtype=np.int32)[:, None]
    entry = node * (1 + KINDS) + hand
    worth = len(PACK) * tree.gain.take(entry)
    worth -= np.where(second_to_play, cards_left, other_cards_left) * tree.answers.take(entry)
    if first is not None:
        worth[hand != first] = TOO_MUCH * len(PACK)
    best = (worth << _RANK_BITS + _PLACE_BITS | hand << _PLACE_BITS | places).max(axis=0)
    # the highest of equal cards; no value exceeds this bound if no card may be played
    lays = best > TOO_MUCH * len(PACK) << _RANK_BITS + _PLACE_BITS - 1
    place = best & (1 << _PLACE_BITS) - 1
    card = np.where(lays, best >> _PLACE_BITS & (1 << _RANK_BITS) - 1, NONE)
    played_entry = node * (1 + KINDS) + card
    full = tree.total.take(node) + _VALUES.take(card) == MOST
    cards_left, other_cards_left = (
        cards_left - (lays & ~second_to_play),
        other_cards_left - (lays & second_to_play),
    )
    deal_over = cards_left + other_cards_left == 0
    goes_on = lays & ~(full | deal_over)
    points = np.where(lays, tree.gain.take(played_entry), tree.end.take(node) * alone)
    if deal_over.any():
        points += tree.ends.take(played_entry) * deal_over
    last = np.where(lays, second_to_play, last)
    segment_over = lays | alone
    next_node = np.where(segment_over, ROOT, node)
    next_node[goes_on] = tree.child_nodes(node[goes_on], card[goes_on])
    playing = np.flatnonzero(lays)
    cards[second_to_play.view(np.int8)[playing], place[playing], playing] = NONE
    same_player = lays & alone & ~full
    return _Deals(
        cards,
        cards_left,
        other_cards_left,
        next_node,
        second_to_play == same_player,
        last,
        same_player | ~segment_over,
    ), np.where(last, -points, points).astype(np.int16)
