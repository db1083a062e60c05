"""The luck of the deal, of the cards drawn, and of computer players' random choices, in credits.

At the limit table for two, the value of a position is what a player wins on average with these two
hands if both follow the solution from here on, without knowing the other hand. Their mixed
strategies are averaged exactly. All values are the winnings of the first seat in credits, counted
from the start of the hand. At other tables, the value is a share of the pot: how often the player
has the best hand after the draw, if all discard by the course's algorithm.

Before the draw, values are means over sampled draws from the cards that nobody has seen. They have
errors, but no bias, because the samples depend only on cards that are known before the draw. So the
same position always has the same samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK, Hand
from ....cards.poker import strengths_of_indices
from ....engine.game import Deal, Seat
from ....engine.monte_carlo import seeded_generator
from ....gamekit.adviser import PlayedStep
from ..machine.betting import ANTE, LIMITS
from ..machine.rules import HAND_CARDS, MOST_FROM_AN_ACE, kept_cards
from ..machine.state import Action, Discard, Phase, Stakes, State
from . import players
from .equilibrium import betting_tree as tree
from .equilibrium.blueprint import blueprint, bucket_of, discard_positions, played_chances
from .equilibrium.hand_buckets import class_of_strength
from .equilibrium.player_profiles import profile_blueprint
from .equilibrium.traversal import DRAW, DecisionPoint, Policies, state_shares
from .levels import ANY, BLUEPRINT_LEVELS, level_of
from .limit_choices import LETTER_OF_ACTION
from .players import (
    EQUILIBRIUM,
    SOLVED_PHASES,
    decision_name,
    first_round_close_index,
    fits_blueprint,
    has_known_bets,
)

Integers: TypeAlias = npt.NDArray[np.integer[Any]]

SAMPLES = 64
"""The number of sampled draws."""


def unseen_cards(hands: Iterable[Hand]) -> Hand:
    """Return the cards of the pack that are in none of the hands."""
    seen = {card for hand in hands for card in hand}
    return tuple(card for card in PACK if card not in seen)


def sample_draws(unseen: Hand, seats: int) -> Integers:
    """Sample the cards that each seat may draw, in shape (samples, seats, 4)."""
    pool = np.array([card.index for card in sorted(unseen)], np.uint8)
    generator = np.random.Generator(seeded_generator(int.from_bytes(pool.tobytes())))
    packs = generator.permuted(np.broadcast_to(pool, (SAMPLES, len(pool))), axis=1)
    return packs[:, : seats * MOST_FROM_AN_ACE].reshape(SAMPLES, seats, MOST_FROM_AN_ACE)


def final_strengths(kept: Hand, drawn: Integers) -> Integers:
    """Complete the cards kept with each of the draws, (n, 4); return the strengths of the hands."""
    cards = np.empty((len(drawn), HAND_CARDS), np.uint8)
    cards[:, : len(kept)] = [card.index for card in kept]
    cards[:, len(kept) :] = drawn[:, : HAND_CARDS - len(kept)]
    return strengths_of_indices(cards)


def share_of_pot(kept: Sequence[Hand], unseen: Hand, place: int) -> float:
    """Return the mean share of the pot that the hand at a place wins, after all have drawn.

    ``kept`` are the cards that each seat keeps; whole hands draw no cards.
    """
    drawn = sample_draws(unseen, len(kept))
    finals = np.array([final_strengths(hand, drawn[:, n]) for n, hand in enumerate(kept)])
    winning = finals == finals.max(axis=0)
    return float((winning[place] / winning.sum(axis=0)).mean())


Floats: TypeAlias = npt.NDArray[np.floating[Any]]
Shares: TypeAlias = Callable[[tree.DecisionNode], Floats]
"""Returns how often the player to act chooses each act."""


class DrawLine(NamedTuple):
    """How many cards the seats draw, and the index in `CLOSES` of how the first round closed."""

    first_drew: int
    dealer_drew: int
    close: int


def draw_chances(
    policies: Policies, position: int, hand: Hand, close: int, first_drew: int = 0
) -> dict[int, float]:
    """Return how often the player at a position draws each number of cards; never is left out.

    ``first_drew`` is the number that the first seat drew, which the dealer knows.
    """
    known = () if position == tree.FIRST else (first_drew,)
    state = (*known, close, bucket_of(hand))
    chances = played_chances(state_shares(policies[position], DRAW, *state))
    return {number: chance for number, chance in enumerate(chances) if chance}


def keep(hand: Hand, number: int) -> Hand:
    """Return the cards that the solution keeps if it draws this number."""
    return kept_cards(hand, discard_positions(hand, number))


@lru_cache(maxsize=1 << 4)
def opening_values(first: Hand, dealer: Hand) -> Mapping[str, float]:
    """Return the value of each node of the first round, by its name."""
    drawn, policies = sample_draws(unseen_cards((first, dealer)), 2), blueprint().policies
    lines, chances = list[DrawLine](), list[float]()
    for close in range(len(tree.CLOSES)):
        for one, first_chance in draw_chances(policies, tree.FIRST, first, close).items():
            for other, chance in draw_chances(policies, tree.DEALER, dealer, close, one).items():
                lines.append(DrawLine(one, other, close))
                chances.append(first_chance * chance)
    finals = [
        {number: _classes(keep(hand, number), drawn[:, seat]) for number in numbers}
        for seat, hand, numbers in (
            (tree.FIRST, first, {line.first_drew for line in lines}),
            (tree.DEALER, dealer, {line.dealer_drew for line in lines}),
        )
    ]
    values = closing_values(
        lines,
        np.array([finals[tree.FIRST][line.first_drew] for line in lines]),
        np.array([finals[tree.DEALER][line.dealer_drew] for line in lines]),
    )[tree.ROOT.name]
    ends = {fold.name: np.array(_lost(fold, ANTE + LIMITS[0] * fold.bets)) for fold in tree.FOLDS}
    ends |= {close.name: np.zeros(()) for close in tree.CLOSES}
    for line, chance, value in zip(lines, chances, values.mean(axis=1), strict=True):
        ends[tree.CLOSES[line.close].name] = ends[tree.CLOSES[line.close].name] + chance * value
    buckets = bucket_of(first), bucket_of(dealer)

    def shares(node: tree.DecisionNode) -> Floats:
        place = DecisionPoint("opening", node.name)
        return state_shares(policies[node.seat], place, buckets[node.seat])

    return {name: float(value) for name, value in _back_up(tree.ROOT, shares, ends).items()}


def closing_values(
    lines: Sequence[DrawLine], first: Integers, dealer: Integers
) -> Mapping[str, Floats]:
    """Return the value of each node of the second round, by its name.

    ``first`` and ``dealer`` are classes of final hands, in shape (lines, n), as are the values.
    """
    one, other, close = np.array(lines).T[:, :, None]
    put_in, sign = (
        tree.SMALL_BET * np.array(tree.FIRST_ROUND_PUT_IN)[close],
        np.sign(first - dealer),
    )
    ends: dict[str, Floats] = {}
    for end in tree.ENDS:
        paid = put_in + LIMITS[1] * end.bets
        ends[end.name] = _lost(end, paid) if isinstance(end, tree.FoldNode) else sign * paid
    finals, policies = (first, dealer), blueprint().policies

    def shares(node: tree.DecisionNode) -> Floats:
        policy = policies[node.seat][DecisionPoint("closing", node.name)]
        chosen: Floats = policy[:, one, other, close, finals[node.seat]]
        return chosen

    return _back_up(tree.ROOT, shares, ends)


def value_before_draw(
    position: int, line: DrawLine, hands: tuple[Hand, Hand], unseen: Hand
) -> float:
    """Return the value before the player at a position draws cards.

    ``hands`` are the first seat's and the dealer's. Hands with fewer than five cards are completed
    by samples of the ``unseen`` cards. If the first seat draws, the dealer follows with the
    solution's draws, whatever the ``line`` says.
    """
    first, dealer = hands
    drawn = sample_draws(unseen, 2)
    finals = _classes(first, drawn[:, tree.FIRST])
    draws = {line.dealer_drew: 1.0}
    kept = {line.dealer_drew: dealer}
    if position == tree.FIRST:
        policies = blueprint().policies
        draws = draw_chances(policies, tree.DEALER, dealer, line.close, line.first_drew)
        kept = {number: keep(dealer, number) for number in draws}
    values = closing_values(
        [line._replace(dealer_drew=number) for number in draws],
        np.array([finals] * len(draws)),
        np.array([_classes(hand, drawn[:, tree.DEALER]) for hand in kept.values()]),
    )[tree.ROOT.name]
    return float(values.mean(axis=1) @ list(draws.values()))


def final_class(hand: Hand) -> Integers:
    """Return the class of a final hand, in shape (1,)."""
    return _classes(hand, np.empty((1, 0), np.uint8))


def _classes(kept: Hand, drawn: Integers) -> Integers:
    return class_of_strength()[final_strengths(kept, drawn)]


def _lost(fold: tree.FoldNode, put_in: Any) -> Any:
    """Return what the first seat wins by a fold of a player who has put in this much."""
    return -put_in if fold.seat == tree.FIRST else put_in


def _back_up(child: tree.Child, shares: Shares, ends: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the values of a node and of all nodes below it, from the values of the ends."""
    if not isinstance(child, tree.DecisionNode):
        return {child.name: ends[child.name]}
    values: dict[str, Floats] = {}
    for below in child.children:
        values |= _back_up(below, shares, ends)
    mean = np.zeros(())
    for share, below in zip(shares(child), child.children, strict=True):
        mean = mean + share * values[below.name]
    return values | {child.name: mean}


FIRST_SEAT = -0.587
"""The first seat's mean winnings at the limit table for two, with a standard error of 0.002.

:func:`.matches.measure_first_seat` computes it.
"""
SHARE_VALUE = 30.0
"""The credits that a whole pot is worth before the draw at other limit tables."""

Step = PlayedStep[State, Action]


def luck(step: Step) -> float | None:
    """Return the luck of the last card of the deal, and of the last card that a seat draws.

    At the limit table for two, also return the luck of a choice of a computer player who follows
    known frequencies. Other steps have no luck, nor has a table without stakes.

    Return ``None`` if a card was dealt twice, and if a computer player made a choice that its
    frequencies rule out, as in a log that was changed by hand.
    """
    before, seat = step.before, step.seat
    if before.options.stakes is Stakes.NOTHING or seat not in before.alive:
        return 0.0
    if not isinstance(step.action, Deal):
        return _luck_of_choice(step, step.action)
    if len(before.waiting) > 1:
        return 0.0
    cards = [card for hand in (*step.after.hands, *step.after.thrown) for card in hand]
    if len({*cards}) < len(cards):
        return None
    if before.phase is Phase.DEAL:
        return _luck_of_deal(step.after, seat)
    return _luck_of_draw(before, step.after, seat)


def fair(state: State, seat: Seat) -> float:
    """Return what a seat wins on average by its place at the limit table for two."""
    dealt_in = seat in state.dealt_in
    return _of_seat(FIRST_SEAT, state, seat) if dealt_in and _is_solved(state) else 0.0


def _is_solved(state: State) -> bool:
    return bool(state.dealt_in) and fits_blueprint(state)


def _of_seat(value: float, state: State, seat: Seat) -> float:
    """Return what a seat wins, given what the first seat wins."""
    return value if state.dealt_in[tree.FIRST] == seat else -value


def _hands(state: State) -> tuple[Hand, ...]:
    return tuple(state.hands[place] for place in state.dealt_in)


def _luck_of_deal(state: State, seat: Seat) -> float:
    hands, place = _hands(state), state.dealt_in.index(seat)
    if _is_solved(state):
        return _of_seat(opening_values(*hands)[tree.ROOT.name] - FIRST_SEAT, state, seat)
    share = share_of_pot([*map(_kept_by_algorithm, hands)], unseen_cards(hands), place)
    pot = SHARE_VALUE if has_known_bets(state.options) else float(state.pot)
    return pot * (share - 1 / len(hands))


def _kept_by_algorithm(hand: Hand) -> Hand:
    return kept_cards(hand, players.decide(hand).discards)


def _luck_of_draw(before: State, after: State, seat: Seat) -> float:
    drawer = before.waiting[0]
    # a hand that still draws begins with the cards kept; it is sorted when it is whole
    kept = before.hands[drawer][: HAND_CARDS - (before.drawn[drawer] or 0)]
    others = (hand for place, hand in enumerate(before.hands) if place != drawer)
    unseen = unseen_cards((*others, *before.thrown, kept))
    whole = after.hands[drawer]
    rest = tuple(card for card in unseen if card not in whole)
    if _is_solved(before):
        gain = _value_of_draw(before, drawer, whole, rest) - _value_of_draw(
            before, drawer, kept, unseen
        )
        return _of_seat(gain, before, seat)
    later, places = before.drawing[1:], before.alive
    hands = {
        place: _kept_by_algorithm(before.hands[place]) if place in later else before.hands[place]
        for place in places
    }
    own = places.index(seat)
    gain = share_of_pot([*(hands | {drawer: whole}).values()], rest, own) - share_of_pot(
        [*(hands | {drawer: kept}).values()], unseen, own
    )
    return before.pot * gain


# ---- the solved table for two ------------------------------------------------------------------


def _line(state: State) -> DrawLine:
    first, dealer = (state.drawn[place] or 0 for place in state.dealt_in)
    return DrawLine(first, dealer, first_round_close_index(state))


def _value_of_draw(state: State, drawer: int, hand: Hand, unseen: Hand) -> float:
    """Return what the first seat wins if the drawer has this hand, whole or without its draw."""
    first, dealer = (hand if place == drawer else state.hands[place] for place in state.dealt_in)
    position = state.dealt_in.index(drawer)
    return value_before_draw(position, _line(state), (first, dealer), unseen)


def _luck_of_choice(step: Step, action: Action) -> float | None:
    """Return the luck of a choice that a computer player makes at random, with known frequencies.

    It is the value of the choice for the seat, minus the mean of the values of all its choices.
    """
    state = step.before
    if state.phase not in SOLVED_PHASES or not _is_solved(state):
        return 0.0
    assert state.phase is Phase.DRAW or state.betting is not None
    actor = state.drawing[0] if state.betting is None else state.betting.pending[0]
    policies = _policies_of(step.players[actor])
    if policies is None:
        return 0.0
    if isinstance(action, Discard):
        values, chosen = _draws(state, actor, policies), len(action.positions)
    else:
        values, chosen = (
            _acts(state, actor, policies),
            _node(state).acts.index(LETTER_OF_ACTION[type(action)]),
        )
    if chosen not in values:
        return None
    mean = sum(chance * value for chance, value in values.values())
    return _of_seat(values[chosen][1] - mean, state, step.seat)


def _policies_of(player: str) -> Policies | None:
    """Return the frequencies of a player, by its name in the log; ``None`` if it has none."""
    level, _, style = level_of(player).partition(" ")
    if level == EQUILIBRIUM:
        return blueprint().policies
    if level in BLUEPRINT_LEVELS and style != ANY:
        return profile_blueprint(level, style).policies
    return None


Chances: TypeAlias = dict[int, tuple[float, float]]
"""The chance of each choice, and its value for the first seat."""


def _draws(state: State, actor: int, policies: Policies) -> Chances:
    """Return the choices before the draw, by the number of cards drawn."""
    position, line, hand = state.dealt_in.index(actor), _line(state), state.hands[actor]
    unseen = unseen_cards((*state.hands, *state.thrown))
    values: Chances = {}
    for number, chance in draw_chances(
        policies, position, hand, line.close, line.first_drew
    ).items():
        drew = (
            line._replace(first_drew=number)
            if position == tree.FIRST
            else line._replace(dealer_drew=number)
        )
        first, dealer = (
            keep(hand, number) if place == actor else state.hands[place] for place in state.dealt_in
        )
        values[number] = chance, value_before_draw(position, drew, (first, dealer), unseen)
    return values


def _node(state: State) -> tree.DecisionNode:
    assert state.betting is not None
    name = decision_name(state.betting, state.dealt_in)
    return next(node for node in tree.NODES if node.name == name)


def _acts(state: State, actor: int, policies: Policies) -> Chances:
    """Return the choices in a betting round, by their places among the acts of the decision."""
    node, position = _node(state), state.dealt_in.index(actor)
    first, dealer = _hands(state)
    if state.phase is Phase.OPENING:
        policy = policies[position][DecisionPoint("opening", node.name)]
        shares = policy[:, bucket_of(state.hands[actor])]
        of_node = opening_values(first, dealer)
        values = [of_node[child.name] for child in node.children]
    else:
        line, finals = _line(state), (final_class(first), final_class(dealer))
        policy = policies[position][DecisionPoint("closing", node.name)]
        shares = policy[:, *line, finals[position][0]]
        of_end = closing_values([line], finals[tree.FIRST][None], finals[tree.DEALER][None])
        values = [float(of_end[child.name][0, 0]) for child in node.children]
    return dict(enumerate(zip(played_chances(shares), values, strict=True)))
