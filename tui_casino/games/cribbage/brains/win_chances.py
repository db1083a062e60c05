"""The chances to win at cribbage: from any score, as shipped, and with each choice in a deal.

The shipped chances are those of two players with the same policy, which `bulk_play` describes.
`tests/build_data/cribbage/win_chances.py` calculates the counts and the chances, and writes the
file.

For a choice, the score and the points still to be counted are given. The opponent discards as good
players do and plays cards by the policy of `play_policy`. Unknown points of this deal are estimated
from the shipped deals. For a discard, all starters and all pairs that the opponent may discard are
considered. The pegging after the discard and the opponent's hand are taken from an average deal.

A seat's chance to win during a deal, :func:`in_game_chance`, is computed at these moments, from the
seat's own knowledge:

* before the deal: by the score;
* with six cards: the chance of the discard that wins most often;
* after the discard: the chance of the discard that was made, so the difference is the cost of the
  choice;
* with the starter: from all possible cribs (and his heels), and from the play and opponent's hand
  of an average deal;
* when all cards are played: from both hands, which are known by now, and all possible cribs;
* at the end of the game: 1 or 0.

At other moments there is no figure. The rest of the game is assumed to be played by the two model
players.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.card import PACK, Card, Hand
from ....cards.memo import memoize
from ....engine.game import Seat
from ..machine.rules import ACC, DISCARDS, RuleSet, points_of, show_scores
from ..machine.state import CountingMode, GameForm, Phase, State
from .bulk_points import points_of_hands, points_table, table_offsets
from .discards import STARTERS, Weights, shipped_frequencies
from .known_rules import unknown_rule
from .show_points import CARD_CLASSES

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

TARGET = ACC.target
UNIT = 100_000
"""Shipped chances are integers in units of 1/100,000."""
FILE = Path(__file__).parents[1] / "data" / "winning.json"
SIZE = 128
"""The length of each axis of the tables: more points than either player can score in a deal."""

TABLES = (
    "dealer_reaches",
    "pone_reaches",
    "play",
    "pone_shown",
    "dealer_first",
    "all_shown",
)


class DealOutcomes(Struct, frozen=True):
    """The number of cases (a deal with a starter) by the dealer's points, then the pone's points.

    ``play`` contains the points after the play, including his heels; ``pone_shown`` adds the pone's
    hand; ``all_shown`` contains the points at the end of the deal. ``dealer_first`` is ``play``
    plus the dealer's hand, as if it were counted before the pone's.

    The first index of ``dealer_reaches`` is a number of points that the dealer reaches in the play,
    the second the points of the pone at that moment. In ``pone_reaches`` the roles are swapped. All
    tables have the same shape.
    """

    dealer_reaches: Integers
    pone_reaches: Integers
    play: Integers
    pone_shown: Integers
    dealer_first: Integers
    all_shown: Integers

    @property
    def cases(self) -> int:
        """The number of cases: each deal is counted once with each possible starter."""
        return int(self.play.sum())

    def __add__(self, other: DealOutcomes) -> DealOutcomes:
        return DealOutcomes(*(getattr(self, name) + getattr(other, name) for name in TABLES))


class WinChances(Struct, frozen=True):
    """The deal outcomes, and the dealer's chance to win, indexed by the dealer's and pone's scores.

    ``deals`` is the number of deals played, each counted with every starter. ``error`` is the
    largest standard error of all chances.
    """

    chances: Floats
    outcomes: DealOutcomes
    deals: int
    error: float

    def chance(self, score: int, other: int, dealer: bool) -> float:
        """Return the chance to win at a score, as the next dealer or as pone.

        Raises ``ValueError`` for a score at which the game is over.
        """
        for points in (score, other):
            if not 0 <= points < TARGET:
                raise ValueError(f"a score during the game is 0 to {TARGET - 1}, not {points}")
        return float(self.chances[score, other] if dealer else 1 - self.chances[other, score])


@memoize()
def shipped_win_chances() -> WinChances:
    """Read the shipped chances to win."""
    read = json.loads(FILE.read_text(encoding="utf-8"))
    outcomes = DealOutcomes(*(_square(read["counts"][name]) for name in TABLES))
    win = np.array(read["win"]) / UNIT
    return WinChances(win, outcomes, read["deals"], read["error"])


def _square(rows: Sequence[Sequence[int]]) -> Integers:
    table = np.zeros((SIZE, SIZE), np.int64)
    table[: len(rows), : len(rows[0])] = rows
    return table


def trim_table(table: Integers) -> Integers:
    """Return the table without the empty rows and columns at its end."""
    rows, columns = np.argwhere(table).max(axis=0) + 1
    return table[:rows, :columns]


_OVERSHOOT = 256  # the most points by which counts may exceed the last hole


class GameStanding(Struct, frozen=True):
    """A player's points, the opponent's points, and whether the player deals this deal."""

    score: int
    other: int
    dealer: bool

    @classmethod
    def from_view(cls, view: State, seat: Seat) -> GameStanding | None:
        """Return the standing in a game to 121; ``None`` in other games and without an adviser."""
        rules = view.options.rule_set
        if view.options.form is not GameForm.GAME or rules.target != TARGET:
            return None
        if unknown_rule(rules) is not None:
            return None
        return cls(view.points[seat], view.points[1 - seat], seat == view.dealer)


# ---- the chance at the end of a deal -----------------------------------------------------------


@lru_cache(2)
def _chances_after_deal(dealer: bool) -> Floats:
    """Return the chance to win after a deal, by your own points and the opponent's.

    ``dealer`` is true if you dealt. A player beyond the last hole has won; entries in which both
    players are beyond the last hole are not used.
    """
    win = shipped_win_chances().chances
    chances = np.zeros((TARGET + _OVERSHOOT, TARGET + _OVERSHOOT))
    chances[:TARGET, :TARGET] = 1 - win.T if dealer else win
    chances[TARGET:, :TARGET] = 1
    return chances


# ---- discards ----------------------------------------------------------------------------------


def discard_chances(
    hand: Sequence[Card],
    standing: GameStanding,
    rules: RuleSet,
    discards: Iterable[Hand] | None = None,
) -> dict[Hand, float]:
    """Return the chance to win with each of the fifteen discards, or with some of them."""
    weights = shipped_frequencies().weights_against(standing.dealer)
    unseen = np.array([card.index for card in PACK if card not in hand])
    first, second, starter = _unseen_combinations()
    cards = unseen[first], unseen[second], unseen[starter]
    likely = _matrix(weights)[cards[0] % 13, cards[1] % 13]
    likely = likely / likely.sum()
    cribs = [
        sum(table_offsets(look)[2 + i].take(one) for i, one in enumerate(cards))
        for look in CARD_CLASSES
    ]
    chance_of = _by_dealer if standing.dealer else _by_pone
    win_chances = {}
    for discard in combinations(hand, DISCARDS) if discards is None else discards:
        kept_cards = [card.index for card in hand if card not in discard]
        hands = np.array([np.full(STARTERS, card) for card in kept_cards] + [unseen])
        crib = np.zeros(len(starter), np.int64)
        for look, partial_place in zip(CARD_CLASSES, cribs, strict=True):
            place = sum(int(table_offsets(look)[i, card.index]) for i, card in enumerate(discard))
            crib += points_table(rules, look, True).ravel().take(partial_place + place)
        mine = points_of_hands(hands, rules).astype(np.int64)
        span = int(crib.max()) + 1
        weight_of_points = np.bincount(mine[starter] * span + crib, likely)
        win_chances[discard] = sum(
            float(weight_of_points[both]) * chance_of(standing, *divmod(both, span))
            for both in np.flatnonzero(weight_of_points).tolist()
        )
    return win_chances


@lru_cache(1)
def _unseen_combinations() -> tuple[Integers, Integers, Integers]:
    """Return all possible places of the opponent's pair and the starter among the unseen cards."""
    every = np.arange(STARTERS)
    a, b, starter = (axis.ravel() for axis in np.meshgrid(every, every, every, indexing="ij"))
    valid = (a < b) & (starter != a) & (starter != b)
    return a[valid], b[valid], starter[valid]


@lru_cache(8)
def _matrix(weights: Weights) -> Floats:
    return np.array(weights, np.float64)


@lru_cache(1 << 12)
def _by_dealer(standing: GameStanding, hand: int, crib: int) -> float:
    """Return the dealer's chance to win by the points of the dealer's hand and crib."""
    outcomes, dealer, pone = shipped_win_chances().outcomes, standing.score, standing.other
    short, his_short = TARGET - dealer, TARGET - pone
    at_once = outcomes.dealer_reaches[short, :his_short].sum()
    after_pone = trim_table(outcomes.pone_shown)[:short, :his_short]
    rows, columns = after_pone.shape
    chances_after = _chances_after_deal(True)[dealer + hand + crib :, pone:][:rows, :columns]
    return float(at_once + (after_pone * chances_after).sum()) / outcomes.cases


@lru_cache(1 << 12)
def _by_pone(standing: GameStanding, hand: int, crib: int) -> float:
    """Return the pone's chance to win by the points of the pone's hand and of the dealer's crib."""
    outcomes, pone, dealer = shipped_win_chances().outcomes, standing.score, standing.other
    short, his_short = TARGET - pone, TARGET - dealer
    points_needed = max(short - hand, 0)
    at_once = outcomes.pone_reaches[short, :his_short].sum()
    at_once += outcomes.play[:his_short, points_needed:short].sum()
    # The dealer's play and hand with the pone's play; neither has won before the crib is counted.
    both = trim_table(outcomes.dealer_first)[:his_short, :points_needed]
    columns, rows = both.shape
    chances_after = _chances_after_deal(False)[pone + hand :, dealer + crib :][:rows, :columns]
    return float(at_once + (both * chances_after.T).sum()) / outcomes.cases


# ---- the play ----------------------------------------------------------------------------------


class WinChanceValuation:
    """Values pegging points by the chance to win the game for the seat whose turn it is.

    The player's own hand is known. The opponent's hand consists of the cards already played and a
    possible set of remaining cards. For the crib, all pairs that the opponent may have discarded
    are weighted as good players discard.
    """

    def __init__(self, view: State, seat: Seat, standing: GameStanding) -> None:
        assert view.starter is not None
        self._standing, self._rules, self._starter = standing, view.options.rule_set, view.starter
        other = 1 - seat
        self._opponent_played = tuple(placed.card for placed in view.laid if placed.seat == other)
        seen_cards = {*view.hands[seat], *view.discards[seat], *self._opponent_played, view.starter}
        self._hand = points_of(show_scores(view.hands[seat], view.starter, self._rules))
        self._cribs = self._crib_chances(view.discards[seat], seen_cards)
        self._win_chances: dict[tuple[int, int, int], float] = {}

    @classmethod
    def from_view(cls, view: State, seat: Seat) -> WinChanceValuation | None:
        """Return the valuation in a game to 121; ``None`` in any other game."""
        standing = GameStanding.from_view(view, seat)
        return None if standing is None else cls(view, seat, standing)

    def _crib_chances(self, own_discards: Hand, seen_cards: set[Card]) -> Floats:
        unseen = np.array([card.index for card in PACK if card not in seen_cards])
        first, second = np.triu_indices(len(unseen), 1)
        opponent_pair = unseen[first], unseen[second]
        own_cards = [np.full(len(first), card.index) for card in (*own_discards, self._starter)]
        cards = np.array([*own_cards[:DISCARDS], *opponent_pair, own_cards[DISCARDS]])
        points = points_of_hands(cards, self._rules, crib=True)
        likely = _matrix(shipped_frequencies().weights_against(self._standing.dealer))[
            opponent_pair[0] % 13, opponent_pair[1] % 13
        ]
        chances: Floats = np.bincount(points, likely) / likely.sum()
        return chances

    def show_points(self, hands: Sequence[Hand]) -> Sequence[int]:
        """Return the points of the opponent's hand at the show, for each possible hand."""
        played = [np.full(len(hands), card.index) for card in self._opponent_played]
        cards_in_hand = [[card.index for card in cards] for cards in zip(*hands, strict=True)]
        cards = np.array([*played, *cards_in_hand, np.full(len(hands), self._starter.index)])
        points: list[int] = points_of_hands(cards, self._rules).tolist()
        return points

    def before_the_play(self) -> float:
        """Return the chance before the first card, with average pegging and opponent's hand."""
        chance_of = _by_dealer if self._standing.dealer else _by_pone
        cribs: list[float] = self._cribs.tolist()
        return sum(
            likely * chance_of(self._standing, self._hand, crib)
            for crib, likely in enumerate(cribs)
            if likely
        )

    def after_the_play(self) -> float:
        """Return the chance after the last card, when the opponent's hand is known."""
        (his,) = self.show_points([()])
        return self.win_chance(0, 0, his)

    def game_over(self, won: int, lost: int) -> bool:
        """Return whether the game is over with these points of the play."""
        return self._standing.score + won >= TARGET or self._standing.other + lost >= TARGET

    def win_chance(self, won: int, lost: int, his_hand: int) -> float:
        """Return the chance to win after these points of the play and of the opponent's hand."""
        key = won, lost, his_hand
        if key not in self._win_chances:
            self._win_chances[key] = self._chance(*key)
        return self._win_chances[key]

    def _chance(self, won: int, lost: int, his_hand: int) -> float:
        mine, his = self._standing.score + won, self._standing.other + lost
        if mine >= TARGET or his >= TARGET:
            return float(mine >= TARGET)
        wins, loses = mine + self._hand >= TARGET, his + his_hand >= TARGET
        if wins or loses:  # the pone counts first
            return float(wins and not (loses and self._standing.dealer))
        mine, his, chances_after = (
            mine + self._hand,
            his + his_hand,
            _chances_after_deal(self._standing.dealer),
        )
        if self._standing.dealer:
            by_crib = chances_after[mine : mine + len(self._cribs), his]
        else:
            by_crib = chances_after[mine, his : his + len(self._cribs)]
        # not a dot product: its last bits depend on the processor, and a player chooses by them
        return float((self._cribs * by_crib).sum())


def in_game_chance(view: State, seat: Seat) -> float | None:
    """Return a seat's chance to win a game to 121; ``None`` at other moments and in other games."""
    standing = GameStanding.from_view(view, seat)
    if standing is None:
        return None
    if view.winner is not None and view.phase in (Phase.REST, Phase.OVER):
        return float(view.winner == seat)
    match view.phase:
        case Phase.SHUFFLE | Phase.DEAL:
            return shipped_win_chances().chance(standing.score, standing.other, standing.dealer)
        case Phase.DISCARD if seat in view.waiting:
            hand = view.hands[seat]
            return max(discard_chances(hand, standing, view.options.rule_set).values())
        case Phase.DISCARD | Phase.STARTER:
            discard = view.discards[seat]
            six = (*view.hands[seat], *discard)
            return discard_chances(six, standing, view.options.rule_set, (discard,))[discard]
        case Phase.PLAY if not view.laid:
            return WinChanceValuation(view, seat, standing).before_the_play()
        case Phase.SHOW if not _hands_counted(view):
            return WinChanceValuation(view, seat, standing).after_the_play()
        case Phase.REST:
            return shipped_win_chances().chance(standing.score, standing.other, not standing.dealer)
    return None


def _hands_counted(view: State) -> int:
    """Return how many hands have been counted, which may not include the hand on show."""
    return view.shown - (view.options.counting is not CountingMode.TABLE)
