"""The luck of the deal, of the cards drawn, and of computer players' random choices, in credits.

At the limit table for two, the value of a position is what a player wins on average with these two
hands if both follow the solution from here on (`open_hands`). At other tables, it is a share of the
pot: how often the player has the best hand after the draw, if all discard by the course's
algorithm.

Before the draw, values are means over sampled draws. They have errors, but no bias, because the
samples depend only on cards that are known before the draw.
"""

from __future__ import annotations

from typing import TypeAlias

from ....cards.card import Hand
from ....engine.game import Deal, Seat
from ....gamekit.adviser import PlayedStep
from ..machine.rules import HAND_CARDS, kept_cards
from ..machine.state import Action, Discard, Phase, Stakes, State
from . import course_algorithm
from .equilibrium.betting_tree import DEALER, FIRST, NODES, ROOT, DecisionNode
from .equilibrium.blueprint_lookup import blueprint, bucket_of, played_chances
from .equilibrium.player_profiles import profile_blueprint
from .equilibrium.traversal import DecisionPoint, Policies
from .equilibrium_player import (
    LEVEL,
    PHASES,
    decision_name,
    first_round_close_index,
    fits_blueprint,
)
from .levels import level_of
from .limit_choices import LETTER_OF_ACTION
from .open_hands import (
    DrawLine,
    closing_values,
    draw_chances,
    final_class,
    keep,
    opening_values,
    value_before_draw,
)
from .sampled_draws import share_of_pot, unseen_cards
from .style_players import ANY, BLUEPRINT_LEVELS

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
    return value if state.dealt_in[FIRST] == seat else -value


def _hands(state: State) -> tuple[Hand, ...]:
    return tuple(state.hands[place] for place in state.dealt_in)


def _luck_of_deal(state: State, seat: Seat) -> float:
    hands, place = _hands(state), state.dealt_in.index(seat)
    if _is_solved(state):
        return _of_seat(opening_values(*hands)[ROOT.name] - FIRST_SEAT, state, seat)
    share = share_of_pot([*map(_kept_by_algorithm, hands)], unseen_cards(hands), place)
    pot = SHARE_VALUE if state.options.stakes is Stakes.LIMIT else float(state.pot)
    return pot * (share - 1 / len(hands))


def _kept_by_algorithm(hand: Hand) -> Hand:
    return kept_cards(hand, course_algorithm.decide(hand).discards)


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
    if state.phase not in PHASES or not _is_solved(state):
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
    if level == LEVEL:
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
            if position == FIRST
            else line._replace(dealer_drew=number)
        )
        first, dealer = (
            keep(hand, number) if place == actor else state.hands[place] for place in state.dealt_in
        )
        values[number] = chance, value_before_draw(position, drew, (first, dealer), unseen)
    return values


def _node(state: State) -> DecisionNode:
    assert state.betting is not None
    name = decision_name(state.betting, state.dealt_in)
    return next(node for node in NODES if node.name == name)


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
        of_end = closing_values([line], finals[FIRST][None], finals[DEALER][None])
        values = [float(of_end[child.name][0, 0]) for child in node.children]
    return dict(enumerate(zip(played_chances(shares), values, strict=True)))
