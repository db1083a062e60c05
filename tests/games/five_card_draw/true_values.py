"""The true values of choices at the limit table for two, sampled with deals from one pack.

The other player continues with the solution, and this seat with its best choices, as the adviser
assumes. Half of the deals decide which choices are best, the other half their value. The other
player's cards are dealt from all cards that this seat has not seen, and each deal is weighted by
how often the solution plays these cards so. The tree, the policies and the ranking of hands are the
only parts shared with the adviser: there is no kernel, no estimated range, and showdowns compare
the hands themselves, not their classes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tests.build_data.five_card_draw import sampled_deals
from tests.build_data.five_card_draw.best_response import (
    follow_policy,
)
from tests.build_data.five_card_draw.exploitability_bounds import expected_ends
from tui_casino.cards import hand_indexing
from tui_casino.cards.card import Hand
from tui_casino.cards.poker import strengths_of_indices
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.offers import Dice
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.equilibrium import blueprint
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import (
    BETS_SB,
    CLOSES,
    ENDS,
    FIRST,
    FIRST_ROUND_PUT_IN,
    FOLDS,
    ROOT,
    SMALL_BET,
    CloseNode,
    DecisionNode,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    NUMBERS,
    Floats,
    class_count,
    class_of_strength,
    hand_buckets,
)
from tui_casino.games.five_card_draw.brains.equilibrium.opponent_ranges import node_by_name
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DRAW,
    DecisionPoint,
    Policy,
    back_up_values,
    propagate_reach,
    round_policy,
    round_values,
    take_best_act,
)
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import DrawState as Drawn
from tui_casino.games.five_card_draw.brains.limit_adviser import is_limit_decision
from tui_casino.games.five_card_draw.brains.limit_choices import ACTION_OF_LETTER
from tui_casino.games.five_card_draw.brains.mistakes import action_values
from tui_casino.games.five_card_draw.brains.odds import hold_mask
from tui_casino.games.five_card_draw.brains.players import (
    EquilibriumPlayer,
    Offers,
    decision_name,
    first_round_close_index,
)
from tui_casino.games.five_card_draw.machine.rules import (
    Positions,
    allowed_draw_counts,
    every_discard,
)
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Discard,
    Options,
    Phase,
    Stakes,
    State,
)

LIMIT = Options(opponents=1, stakes=Stakes.LIMIT)
MOST_DRAWN = 4
OTHER_DISCARDS = 4
"""One in this many discards is valued although the solution never makes it."""
RARE = 1e-5


class Truth(NamedTuple):
    """The value of a choice in credits, relative to folding, and its standard error."""

    value: float
    error: float


class Ends(Struct, frozen=True):
    """The final hands of a hand in n deals: strength, and the class used by the policies."""

    strength: npt.NDArray[np.uint16]
    kind: npt.NDArray[np.int32]


def ends_of(cards: npt.NDArray[np.uint8]) -> Ends:
    strength = strengths_of_indices(cards)
    return Ends(strength, class_of_strength()[strength])


def best_response(
    policy: Policy, seat: int, at: Drawn, opponents: npt.NDArray[np.int32], weight: Floats
) -> Policy:
    """Return the best acts of each kind of hand after the draw against the opponent's hands."""
    kinds = np.arange(class_count(), dtype=np.int32)
    weights = np.bincount(opponents, weight, len(kinds)).astype(np.float32)
    ends = expected_ends(policy, seat, at, kinds, np.broadcast_to(weights, (len(kinds),) * 2))
    best: dict[DecisionPoint, Floats] = {}

    def decide(place: DecisionPoint, values: Floats) -> Floats:
        best[place] = np.eye(len(values), dtype=np.float32)[:, values.argmax(axis=0)]
        return take_best_act(place, values)

    round_values(seat, at[2], ends, decide)
    return best


class Position:
    """A decision of a seat, with a number of deals of all cards that it has not seen."""

    def __init__(self, view: State, seat: Seat, deals: int, seed: int) -> None:
        self.view, self.seat = view, seat
        self.place = view.dealt_in.index(seat)
        self.hand: Hand = view.hands[seat]
        policies = blueprint.read_blueprint()[1][0]
        self.other: Policy = policies[1 - self.place]
        known = [card.index for card in (*self.hand, *view.thrown[seat])]
        left = np.array([card for card in range(52) if card not in known], np.uint8)
        packs = np.tile(left[:, None], deals)
        rng, rows = np.random.default_rng(seed), np.arange(deals)
        for at in range(9 + MOST_DRAWN):
            chosen = rng.integers(at, len(left), deals)
            packs[at], packs[chosen, rows] = packs[chosen, rows], packs[at].copy()
        self.deals = deals
        self.draws = packs[9 : 9 + MOST_DRAWN].T
        self.its = packs[:9].T
        self.its_dealt = np.sort(self.its[:, :5], axis=1)
        self.its_number = hand_indexing.deal_numbers(self.its_dealt)
        self.bucket = hand_buckets().bucket[sampled_deals._hand_of_deal()[self.its_number]]
        self._its_ends: dict[int, Ends] = {}
        begun = np.ones(deals, np.float32)
        opening = {p: s[:, self.bucket] for p, s in self.other.items() if p.phase == "opening"}
        self.opened = propagate_reach(ROOT, 1 - self.place, opening, "opening", begun)

    # ---- what the two end with --------------------------------------------------------------

    def its_ends(self, number: int) -> Ends:
        if number not in self._its_ends:
            masks = sampled_deals._masks_of_deal(number)[self.its_number]
            cards = sampled_deals.replace_discards(
                self.its_dealt, masks, self.its[:, 5 : 5 + number]
            )
            self._its_ends[number] = ends_of(cards)
        return self._its_ends[number]

    def own_ends(self, gone: Positions) -> Ends:
        cards = np.array([sorted(card.index for card in self.hand)], np.uint8)
        masks = np.full(self.deals, hold_mask(self.hand, gone), np.uint8)
        whole = np.repeat(cards, self.deals, axis=0)
        return ends_of(sampled_deals.replace_discards(whole, masks, self.draws[:, : len(gone)]))

    # ---- what it is worth -------------------------------------------------------------------

    def closing(self, at: Drawn, own: Ends, weight: Floats, node: DecisionNode) -> list[Floats]:
        """Return by deal the value of each act of a decision after the draw, weighted."""
        other = self.its_ends(at[1 - self.place])
        policy = round_policy(self.other, at, other.kind)
        reached = propagate_reach(ROOT, 1 - self.place, policy, "closing", weight)
        sign = np.sign(own.strength.astype(int) - other.strength.astype(int))
        worths: dict[str, Floats] = {}
        for end in ENDS:
            paid = np.float32(FIRST_ROUND_PUT_IN[at[2]] + BETS_SB[1] * end.bets)
            won = sign if isinstance(end, CloseNode) else -1 if end.seat == self.place else 1
            worths[end.name] = (reached[end.name] * won * paid).astype(np.float32)
        self.came = reached[node.name]
        best = best_response(self.other, self.place, at, other.kind[::2], weight[::2])
        decide = follow_policy({p: acts[:, own.kind] for p, acts in best.items()})
        if node.seat != self.place:
            return [back_up_values(node, self.place, "closing", worths, decide)]
        self.best = best[DecisionPoint("closing", node.name)][:, own.kind]
        return [
            back_up_values(child, self.place, "closing", worths, decide) for child in node.children
        ]

    def played(self, at: Drawn, own: Ends, weight: Floats) -> Floats:
        """Return by deal the value of the second round for the seat, weighted."""
        acts = self.closing(at, own, weight, ROOT)
        if self.place != FIRST:
            return acts[0]
        total: Floats = np.sum(self.best * np.array(acts), axis=0)
        return total

    def drawing(self, way: int, gone: Positions, seen: int | None, weight: Floats) -> Floats:
        """Return by deal the value of a discard, weighted."""
        own, number = self.own_ends(gone), len(gone)
        if self.place != FIRST:
            assert seen is not None
            return self.played((seen, number, way), own, weight)
        total = np.zeros(self.deals, np.float32)
        for drew in NUMBERS:
            often = self.other[DRAW][drew, number, way][self.bucket] * weight
            if often.max() > RARE:
                total += self.played((number, drew, way), own, often)
        return total

    def came_to_draw(self, way: int, seen: int | None) -> Floats:
        weight = self.opened[CLOSES[way].name]
        return weight if seen is None else weight * self.other[DRAW][seen, way][self.bucket]

    def opening(self, node: DecisionNode) -> list[Floats]:
        """Return by deal the value of each act before the draw, weighted."""
        worths = {}
        for fold in FOLDS:
            paid = FIRST_ROUND_PUT_IN[0] + BETS_SB[0] * fold.bets
            won = -paid if fold.seat == self.place else paid
            worths[fold.name] = self.opened[fold.name] * won
        usual = self.usual_discards()
        for way, close in enumerate(CLOSES):
            worths[close.name] = np.zeros(self.deals, np.float32)
            if not close.name.startswith(node.name):
                continue
            for seen in NUMBERS if self.place != FIRST else (None,):
                weight = self.came_to_draw(way, seen)
                if weight.max() > RARE:
                    draws = [self.drawing(way, gone, seen, weight) for gone in usual]
                    worths[close.name] += draws[np.argmax([draw[::2].mean() for draw in draws])]
        self.came = self.opened[node.name]

        def decide(place: DecisionPoint, values: Floats) -> Floats:
            act: Floats = values[values[:, ::2].mean(axis=1).argmax()]
            return act

        return [
            back_up_values(child, self.place, "opening", worths, decide) for child in node.children
        ]

    def usual_discards(self) -> list[Positions]:
        """Return the discard that the solution chooses for each number of cards."""
        return [
            blueprint.discard_positions(self.hand, number)
            for number in allowed_draw_counts(self.hand)
        ]

    def truths(self) -> dict[Action, Truth]:
        """Return the value of each choice; of discards, the usual ones and some others."""
        view, first = self.view, self.view.drawn[self.view.dealt_in[FIRST]]
        if view.phase is Phase.DRAW:
            way, seen = first_round_close_index(view), None if self.place == FIRST else first
            came = self.came_to_draw(way, seen)
            return {
                Discard(gone): self.mean(self.drawing(way, gone, seen, came), came)
                for gone in {*self.usual_discards(), *[*every_discard(self.hand)][::OTHER_DISCARDS]}
            }
        assert view.betting is not None
        node = node_by_name(decision_name(view.betting, view.dealt_in))
        if view.phase is Phase.OPENING:
            worths = self.opening(node)
        else:
            drew = [view.drawn[one] or 0 for one in view.dealt_in]
            at = drew[0], drew[1], first_round_close_index(view)
            weight = self.opened[CLOSES[at[2]].name]
            its = (drew[0], at[2]) if self.place != FIRST else (drew[1], drew[0], at[2])
            weight = weight * self.other[DRAW][its][self.bucket]
            worths = self.closing(at, self.own_ends(()), weight, node)
        return {
            ACTION_OF_LETTER[letter]: self.mean(worth, self.came)
            for letter, worth in zip(node.acts, worths, strict=True)
        }

    def mean(self, worth: Floats, came: Floats) -> Truth:
        """Return the mean over the deals with an odd number."""
        worth, came = worth[1::2], came[1::2]
        total = float(came.sum(dtype=np.float64))
        value = float(worth.sum(dtype=np.float64)) / total
        error = float(np.sqrt(((worth - value * came) ** 2).sum(dtype=np.float64))) / total
        return Truth(SMALL_BET * value + self.view.put_in[self.seat], SMALL_BET * error)


class Noting(EquilibriumPlayer):
    """Plays the solution, or any legal choice, and records its decisions."""

    def __init__(self, decisions: list[tuple[State, Seat]], *, at_random: bool = False) -> None:
        self.decisions = decisions
        self.at_random = at_random

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        if is_limit_decision(view, seat):
            self.decisions.append((view, seat))
            if self.at_random:
                choices = action_values(view, seat)
                return choices[dice.below(len(choices))].action
        return super().choose(view, seat, offers, dice)


def positions(number: int, *, at_random: bool = False) -> list[tuple[State, Seat]]:
    """Return the decisions of a hand between two players of the solution.

    If one of them plays at random instead, only its decisions are returned: the ranges of the
    other are still those of the solution.
    """
    decisions: list[tuple[State, Seat]] = []
    first = Noting(decisions, at_random=at_random)
    players = {Seat(0): first, Seat(1): EquilibriumPlayer() if at_random else Noting(decisions)}
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, LIMIT, ShuffledShoe(), SeededSource(number), players
    )
    while not (table.state.winners and table.state.phase is Phase.REST):
        table.advance()
    return decisions
