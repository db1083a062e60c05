"""The true values of choices at the limit table for two, sampled with deals from one pack.

Both players continue with the solution, as the adviser assumes. The other player's cards are dealt
from all cards that this seat has not seen, and each deal is weighted by how often the solution
plays these cards so. The tree, the policies and the ranking of hands are the only parts shared with
the adviser: there is no kernel, no estimated range, and showdowns compare the hands themselves, not
their classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tui_casino.cards import hand_indexing
from tui_casino.cards.card import Hand
from tui_casino.cards.poker import strengths_of_indices
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.offers import Dice
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.equilibrium import (
    blueprint_file,
    blueprint_lookup,
    hand_classes,
    sampled_deals,
)
from tui_casino.games.five_card_draw.brains.equilibrium.best_response import follow_policy
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
    hand_buckets,
)
from tui_casino.games.five_card_draw.brains.equilibrium.opponent_ranges import node_by_name
from tui_casino.games.five_card_draw.brains.equilibrium.second_round_values import (
    DrawState as Drawn,
)
from tui_casino.games.five_card_draw.brains.equilibrium.second_round_values import round_policy
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DRAW,
    DecisionPoint,
    Policy,
    back_up_values,
    propagate_reach,
)
from tui_casino.games.five_card_draw.brains.equilibrium_player import (
    EquilibriumPlayer,
    decision_name,
    first_round_close_index,
)
from tui_casino.games.five_card_draw.brains.limit_adviser import is_limit_decision
from tui_casino.games.five_card_draw.brains.limit_choices import (
    ACTION_OF_LETTER,
    allowed_draw_counts,
)
from tui_casino.games.five_card_draw.brains.odds import hold_mask
from tui_casino.games.five_card_draw.brains.players import Offers
from tui_casino.games.five_card_draw.machine.moves import Action, Discard
from tui_casino.games.five_card_draw.machine.rules import Positions
from tui_casino.games.five_card_draw.machine.state import Options, Phase, Stakes, State

LIMIT = Options(opponents=1, stakes=Stakes.LIMIT)
MOST_DRAWN = 4
RARE = 1e-5


class Truth(NamedTuple):
    """The value of a choice in credits, relative to folding, and its standard error."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Ends:
    """The final hands of a hand in n deals: strength, and the class used by the policies."""

    strength: npt.NDArray[np.uint16]
    kind: npt.NDArray[np.int32]


def ends_of(cards: npt.NDArray[np.uint8]) -> Ends:
    strength = strengths_of_indices(cards)
    return Ends(strength, hand_classes.class_of_strength()[strength])


class Position:
    """A decision of a seat, with a number of deals of all cards that it has not seen."""

    def __init__(self, view: State, seat: Seat, deals: int, seed: int) -> None:
        self.view, self.seat = view, seat
        self.place = view.dealt_in.index(seat)
        self.hand: Hand = view.hands[seat]
        policies = blueprint_file.read_blueprint()[1][0]
        self.own: Policy = policies[self.place]
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
        decide = follow_policy(round_policy(self.own, at, own.kind))
        if node.seat != self.place:
            return [back_up_values(node, self.place, "closing", worths, decide)]
        return [
            back_up_values(child, self.place, "closing", worths, decide) for child in node.children
        ]

    def played(self, at: Drawn, own: Ends, weight: Floats) -> Floats:
        """Return by deal the value of the second round for the seat, weighted."""
        acts = self.closing(at, own, weight, ROOT)
        if self.place != FIRST:
            return acts[0]
        shares = self.own[DecisionPoint("closing", "")][(slice(None), *at)][:, own.kind]
        total: Floats = np.sum(shares * np.array(acts), axis=0)
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
        bucket = blueprint_lookup.bucket_of(self.hand)
        for way, close in enumerate(CLOSES):
            worths[close.name] = np.zeros(self.deals, np.float32)
            if not close.name.startswith(node.name):
                continue
            for seen in NUMBERS if self.place != FIRST else (None,):
                weight = self.came_to_draw(way, seen)
                at = (way,) if seen is None else (seen, way)
                shares = self.own[DRAW][(slice(None), *at, bucket)]
                for number, share in enumerate(shares.tolist()):
                    if share * weight.max() > RARE:
                        gone = blueprint_lookup.discard_positions(self.hand, number)
                        worths[close.name] += share * self.drawing(way, gone, seen, weight)
        own = {p: s[:, [bucket]] for p, s in self.own.items() if p.phase == "opening"}
        self.came = self.opened[node.name]
        return [
            back_up_values(child, self.place, "opening", worths, follow_policy(own))
            for child in node.children
        ]

    def truths(self) -> dict[Action, Truth]:
        """Return the value of each choice; of discards, those that the solution makes."""
        view, first = self.view, self.view.drawn[self.view.dealt_in[FIRST]]
        if view.phase is Phase.DRAW:
            way, seen = first_round_close_index(view), None if self.place == FIRST else first
            came = self.came_to_draw(way, seen)
            usual = (
                blueprint_lookup.discard_positions(self.hand, number)
                for number in allowed_draw_counts(self.hand)
            )
            return {
                Discard(gone): self.mean(self.drawing(way, gone, seen, came), came)
                for gone in usual
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
        total = float(came.sum(dtype=np.float64))
        value = float(worth.sum(dtype=np.float64)) / total
        error = float(np.sqrt(((worth - value * came) ** 2).sum(dtype=np.float64))) / total
        return Truth(SMALL_BET * value + self.view.put_in[self.seat], SMALL_BET * error)


class Noting(EquilibriumPlayer):
    """Plays the solution, and records its decisions."""

    def __init__(self, asked: list[tuple[State, Seat]]) -> None:
        self.asked = asked

    def choose(self, view: State, seat: Seat, offers: Offers, dice: Dice) -> Action:
        if is_limit_decision(view, seat):
            self.asked.append((view, seat))
        return super().choose(view, seat, offers, dice)


def positions(number: int) -> list[tuple[State, Seat]]:
    """Return the decisions of a hand between two players of the solution."""
    asked: list[tuple[State, Seat]] = []
    players = {Seat(0): Noting(asked), Seat(1): Noting(asked)}
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, LIMIT, ShuffledShoe(), SeededSource(number), players
    )
    while not (table.state.winners and table.state.phase is Phase.REST):
        table.advance()
    return asked
