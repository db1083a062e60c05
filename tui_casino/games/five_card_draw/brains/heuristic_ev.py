"""What choices are worth where the game is not the one that was solved: a rough reckoning.

Against two or three opponents, and with stacks too short for all that may be bet, each opponent is
taken to hold what the solution for two says of a seat that drew as many and bet as much, whatever
the others do. Hands are beaten or not one by one. A bet or a raise is called or folded to as the
solution does, and nothing is bet after it; a check or a call ends the betting. There is no claim
that anybody could not win from who plays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ....engine.game import Seat
from ..machine.moves import Action, Bet, Discard, Raise
from ..machine.rules import every_discard
from ..machine.state import ANTE, LIMITS, Phase, State
from .equilibrium import blueprint_lookup
from .equilibrium.betting_tree import DEALER, FIRST, NODES
from .equilibrium.hand_buckets import NUMBERS, Floats
from .equilibrium.opponent_ranges import blueprint_ranges, node_by_name
from .equilibrium.traversal import DecisionPoint
from .equilibrium_player import closing_way
from .ev_basis import EvBasis
from .limit_choices import (
    ACTION_OF_LETTER,
    LimitAdvice,
    LimitChoice,
    allowed_draw_counts,
    closing_way_by_call,
    make_limit_advice,
    sort_by_value,
)
from .odds import hold_mask
from .pot_odds import chips_for, winnable_chips

_MOST_BETS = 4
_CALL = 1
"""The place of a call among the acts of who faces a bet."""
_NAMES = {node.name for node in NODES}


@dataclass(frozen=True, slots=True)
class HeadsUpPair:
    """A seat and one of its opponents, as if they were two.

    ``place`` is the seat's in that game, ``name`` the decision that it has in a round of bets.
    """

    other: int
    place: int
    way: int
    name: str
    raiser: bool


def advise_heuristically(view: State, seat: Seat) -> LimitAdvice:
    """Weigh what a seat may do, roughly."""
    pairs = [heads_up_pair(view, seat, other) for other in view.alive if other != seat]
    main = max(pairs, key=lambda pair: (_bet(view, pair.other), -pairs.index(pair)))
    if view.phase is Phase.DRAW:
        return _draw(view, seat, pairs, main)
    return _bets(view, seat, pairs, main)


def heads_up_pair(view: State, seat: int, other: int) -> HeadsUpPair:
    """Take a seat and an opponent as the two of the game that was solved."""
    place = FIRST if view.dealt_in.index(seat) < view.dealt_in.index(other) else DEALER
    now = max(view.betting.bets) if view.betting else 0
    before = 0 if view.phase is Phase.OPENING else max(view.put_in) - now - ANTE
    opened = view.opener == seat if view.opener in (seat, other) else True
    way = closing_way(min(-(-before // LIMITS[0]), _MOST_BETS), opened == (place == FIRST))
    name = ""
    if view.betting is not None:
        if not view.betting.opened:
            name = "" if place == FIRST else "k"
        else:
            dealer_opened = (view.betting.raises % 2 == 0) == (place == FIRST)
            name = ("kb" if dealer_opened else "b") + "r" * view.betting.raises
            if view.phase is Phase.OPENING:
                way = closing_way_by_call(name)
    return HeadsUpPair(other, place, way, name, now > 0 and _raiser(view) == other)


def _raiser(view: State) -> int:
    """Give who bet or raised last: the others have acted since, or have still to act."""
    assert view.betting is not None
    most, last = max(view.betting.bets), view.betting.pending[-1]
    at = view.dealt_in.index(last) + 1
    after = (*view.dealt_in[at:], *view.dealt_in[:at])
    return next(seat for seat in after if view.betting.bets[seat] == most)


def _bet(view: State, seat: int) -> int:
    return view.betting.bets[seat] if view.betting else 0


# ---- the draw ----------------------------------------------------------------------------------


def _draw(view: State, seat: Seat, pairs: Sequence[HeadsUpPair], main: HeadsUpPair) -> LimitAdvice:
    book, hand = blueprint_ranges(), view.hands[seat]
    seen = view.drawn[main.other] if main.place == DEALER else None
    often, becomes = book.drawing(main.place, main.way, seen or 0, hand), book.becomes(hand)
    met: dict[int, list[Floats]] = {}
    found: dict[int, Floats] = {}
    usual = [
        blueprint_lookup.discard_positions(hand, number) for number in allowed_draw_counts(hand)
    ]
    choices = []
    pot = winnable_chips(view.put_in, seat, 0)
    for gone in every_discard(hand):
        number = len(gone)
        if number not in found:
            met[number] = [opponent_finals(view, seat, pair, number) for pair in pairs]
            found[number] = np.prod([book.beats(each) for each in met[number]], axis=0)
        wins = float(becomes[hold_mask(hand, gone)] @ found[number])
        share = float(often[number]) * (gone == usual[number])
        choices.append(LimitChoice(Discard(gone), pot * wins, share))
    best = sort_by_value(choices)
    action = best[0].action
    assert isinstance(action, Discard)
    likely = met[len(action.positions)]
    kept = becomes[hold_mask(hand, action.positions)]
    return make_limit_advice(view, seat, best, kept, (), EvBasis.ROUGH, *likely)


def opponent_finals(view: State, seat: int, pair: HeadsUpPair, mine: int | None) -> Floats:
    """Give how likely the finals of an opponent are as the second round begins."""
    book, cards = blueprint_ranges(), (*view.hands[seat], *view.thrown[seat])
    own, its = view.drawn[seat] if mine is None else mine, view.drawn[pair.other]
    numbers = NUMBERS if its is None else (its,)
    total = sum(
        book.finals(1 - pair.place, (own or 0, n, pair.way), cards)
        if pair.place == FIRST
        else book.finals(1 - pair.place, (n, own or 0, pair.way), cards)
        for n in numbers
    )
    likely: Floats = np.asarray(total, np.float32)
    return likely


# ---- bets --------------------------------------------------------------------------------------


def _bets(view: State, seat: Seat, pairs: Sequence[HeadsUpPair], main: HeadsUpPair) -> LimitAdvice:
    book, hand, opening = blueprint_ranges(), view.hands[seat], view.phase is Phase.OPENING
    mine = view.drawn[seat]
    if opening:
        ends, mine = _ends(view, seat, pairs)
        often = book.policies[main.place][DecisionPoint("opening", main.name)][
            :, blueprint_lookup.bucket_of(hand)
        ]
    else:
        ends = np.zeros(len(book.all), np.float32)
        ends[book.final_of(hand)] = 1
        at = draw_state(view, seat, main)
        place = DecisionPoint("closing", main.name)
        often = book.policies[main.place][place][(slice(None), *at, book.final_of(hand))]
    held = [_held(view, seat, pair, mine) for pair in pairs]
    shares = dict(zip(node_by_name(main.name).acts, often.tolist(), strict=True))
    choices = []
    for letter, share in shares.items():
        action = ACTION_OF_LETTER[letter]
        value = 0.0
        if isinstance(action, Bet | Raise):
            value = _raised(view, seat, action, [*zip(pairs, held, strict=True)], ends)
        elif letter != "f":
            chips = chips_for(action, view, seat)
            wins = float(ends @ np.prod([book.beats(each) for each in held], axis=0))
            value = wins * winnable_chips(view.put_in, seat, chips) - chips
        choices.append(LimitChoice(action, value, share))
    rivals = () if opening else tuple(pair.other for pair in pairs)
    able = [choice for choice in choices if _able(view, seat, choice.action)]
    return make_limit_advice(view, seat, sort_by_value(able), ends, rivals, EvBasis.ROUGH, *held)


def _ends(view: State, seat: int, pairs: Sequence[HeadsUpPair]) -> tuple[Floats, int]:
    """Give how a hand ends with as many cards drawn as win most, and how many that are.

    What the solution draws is no guide here: where it never comes with a hand it stands pat.
    """
    book, hand = blueprint_ranges(), view.hands[seat]
    found = []
    for number in allowed_draw_counts(hand):
        ends = book.becomes(hand)[hold_mask(hand, blueprint_lookup.discard_positions(hand, number))]
        beats = [book.beats(_held(view, seat, pair, number)) for pair in pairs]
        found.append((float(ends @ np.prod(beats, axis=0)), ends, number))
    _, ends, number = max(found, key=lambda one: one[0])
    return ends, number


def _able(view: State, seat: int, action: Action) -> bool:
    """Tell whether an act puts in what it should: a raise of nothing is none."""
    owes = view.betting.owes(seat) if view.betting else 0
    if not isinstance(action, Raise):
        return True
    others = any(view.stacks[other] for other in view.alive if other != seat)
    return others and chips_for(action, view, seat) > owes


def draw_state(view: State, seat: int, pair: HeadsUpPair) -> tuple[int, int, int]:
    """Give what the two drew, and in which way their first round is taken to have closed."""
    own, its = view.drawn[seat] or 0, view.drawn[pair.other] or 0
    return (own, its, pair.way) if pair.place == FIRST else (its, own, pair.way)


def _held(view: State, seat: int, pair: HeadsUpPair, mine: int | None) -> Floats:
    likely = opponent_finals(view, seat, pair, mine)
    if view.phase is Phase.OPENING or not _bet(view, pair.other):
        return likely
    at, other = draw_state(view, seat, pair), 1 - pair.place
    if pair.raiser:
        return blueprint_ranges().after(other, at, likely, pair.name)
    facing = DecisionPoint("closing", "kb" if other == FIRST else "b")
    calls: Floats = likely * blueprint_ranges().others[other][facing][(_CALL, *at)]
    return calls


def _raised(
    view: State,
    seat: int,
    action: Action,
    against: Sequence[tuple[HeadsUpPair, Floats]],
    ends: Floats,
) -> float:
    """Weigh a bet: whoever does not fold calls, and it is shown who has what."""
    book = blueprint_ranges()
    chips = chips_for(action, view, seat)
    answers = [_answer(view, seat, action, pair, likely) for pair, likely in against]
    total = 0.0
    for calling in product((False, True), repeat=len(answers)):
        share = float(
            np.prod([c if y else 1 - c for y, (c, _) in zip(calling, answers, strict=True)])
        )
        callers = [pair.other for y, (pair, _) in zip(calling, against, strict=True) if y]
        level = view.put_in[seat] + chips
        put_in = tuple(
            min(max(paid, level), paid + stack) if other in (*callers, seat) else paid
            for other, (paid, stack) in enumerate(zip(view.put_in, view.stacks, strict=True))
        )
        beats = [book.beats(each) for y, (_, each) in zip(calling, answers, strict=True) if y]
        wins = float(ends @ np.prod(beats, axis=0)) if beats else 1.0
        total += share * (wins * winnable_chips(put_in, seat, 0) - chips)
    return total


def _answer(
    view: State, seat: int, action: Action, pair: HeadsUpPair, likely: Floats
) -> tuple[float, Floats]:
    """Give how often an opponent stays in, and what he has then."""
    book, other = blueprint_ranges(), 1 - pair.place
    name = pair.name + ("b" if isinstance(action, Bet) else "r")
    if not view.stacks[pair.other] or name not in _NAMES:
        return 1.0, likely
    if view.phase is Phase.OPENING:
        met = book.opened(other, view.hands[seat])[name]
        folds = float(book.others[other][DecisionPoint("opening", name)][0] @ met / met.sum())
        own = int(book.drawing(pair.place, pair.way, 0, view.hands[seat]).argmax())
        after = HeadsUpPair(pair.other, pair.place, closing_way_by_call(name), name, True)
        return 1 - folds, opponent_finals(view, seat, after, own)
    stays = likely * (
        1 - book.others[other][DecisionPoint("closing", name)][(0, *draw_state(view, seat, pair))]
    )
    return float(stays.sum() / likely.sum()), stays
