"""The adviser, compared with exact counts and symmetry, and its order of results."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from tests.games.five_card_draw.all_draws import strengths_after
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import PACK, parse_hand
from tui_casino.cards.poker import STRENGTHS, HandCategory, category_of, strength_of
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw.brains.adviser import advise, sample_wins
from tui_casino.games.five_card_draw.brains.odds import (
    after_the_algorithm,
    algorithm_keeps,
    standings_after_each_discard,
    strengths_after_the_algorithm,
)
from tui_casino.games.five_card_draw.brains.players import EXACT, decide
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.state import Options, Phase
from tui_casino.structs import replace

PAIR = parse_hand("KS KD 9H 5C 2D")


def test_vectorised_course_algorithm_equals_the_one_for_single_hands() -> None:
    rng = np.random.default_rng(1)
    hands = np.array([rng.permutation(52)[:5] for _ in range(3_000)])
    keeps = algorithm_keeps(hands.T).T
    for cards, kept in zip(hands.tolist(), keeps.tolist(), strict=True):
        gone = decide([PACK[index] for index in cards]).discards
        assert kept == [place not in gone for place in range(1, 6)]


def test_strengths_after_the_algorithm_add_up_to_its_category_counts() -> None:
    counts = [0] * len(HandCategory)
    for strength, count in enumerate(strengths_after_the_algorithm().tolist()):
        if strength:
            counts[category_of(strength)] += count
    assert tuple(counts) == after_the_algorithm().counts


@pytest.mark.parametrize("gone", [(), (3,), (3, 4, 5), (2, 3, 4)], ids=value_id)
def test_chance_to_beat_the_algorithm_after_a_discard_equals_all_draws(
    gone: tuple[int, ...],
) -> None:
    counts = strengths_after_the_algorithm().tolist()
    below, points = 0, [0]
    for strength in STRENGTHS:
        points.append(2 * below + counts[strength])
        below += counts[strength]
    came = strengths_after(PAIR, gone).tolist()
    exact = sum(point * times for point, times in zip(points, came, strict=True))
    expected = Fraction(exact, 2 * below * comb(47, len(gone)))
    assert standings_after_each_discard(PAIR)[gone] == expected


def test_the_exact_player_keeps_a_pair_and_stands_pat_on_a_straight() -> None:
    assert EXACT.discards(PAIR) == (3, 4, 5)
    assert EXACT.discards(parse_hand("9S 8D 7H 6C 5D")) == ()


def test_win_chance_of_standing_pat_equals_enumeration_of_few_cards() -> None:
    """With 42 cards out of play nine are left, so every deal and draw can be counted."""
    left = parse_hand("2S 3D 4C 5H 7C 8D 9S TH JC")
    mine = parse_hand("6S 6D AH KC QD")
    seen = tuple(card for card in PACK if card not in (*left, *mine))
    # this seat's draw never uses four cards, but they must be left
    seen, more = seen[:-4], seen[-4:]
    left += more
    total = wins = 0.0
    strength = strength_of(mine)
    for held in combinations(left, 5):
        gone = decide(held).discards
        rest = [card for card in left if card not in held]
        keep = [card for place, card in enumerate(held, 1) if place not in gone]
        finals = [strength_of((*keep, *drawn)) for drawn in combinations(rest, len(gone))]
        total += 1
        wins += sum((strength > final) + (strength == final) / 2 for final in finals) / len(finals)
    found = sample_wins(mine, [()], [None], seen, samples=20_000)[()]
    assert abs(found.chance - wins / total) < 4 * found.error


def test_player_who_draws_like_the_others_wins_an_equal_share() -> None:
    rng = np.random.default_rng(5)
    for others in (1, 2, 3):
        shares = []
        for _ in range(40):
            mine = tuple(PACK[index] for index in rng.permutation(52)[:5].tolist())
            gone = decide(mine).discards
            shares.append(sample_wins(mine, [gone], [None] * others, samples=50)[gone].chance)
        error = np.std(shares, ddof=1) / len(shares) ** 0.5
        assert abs(np.mean(shares) - 1 / (1 + others)) < 4 * error


@pytest.mark.parametrize("drew", range(5), ids=labelled("drew {}"))
def test_win_chance_uses_the_number_of_cards_that_the_opponent_drew(drew: int) -> None:
    """Count all hands of twelve cards with this number of discards, and all their draws."""
    mine = parse_hand("8S 8D AH KC QD")
    left = parse_hand("2S 3S 4S 5S 7S 9S 9D TH AC AD 2C 2D")
    # this seat draws four of them
    seen = tuple(card for card in PACK if card not in (*left, *mine))[:-4]
    left += tuple(card for card in PACK if card not in (*left, *mine, *seen))
    strength = strength_of(mine)
    shares = []
    for held in combinations(left, 5):
        gone = decide(held).discards
        if len(gone) == drew:
            rest = [card for card in left if card not in held]
            keep = [card for place, card in enumerate(held, 1) if place not in gone]
            finals = [strength_of((*keep, *drawn)) for drawn in combinations(rest, drew)]
            won = sum((strength > final) + (strength == final) / 2 for final in finals)
            shares.append(won / len(finals))
    found = sample_wins(mine, [()], [drew], seen, samples=20_000)[()]
    assert abs(found.chance - sum(shares) / len(shares)) < 4 * found.error + 1e-9


def test_win_chance_rises_with_the_hand_and_falls_with_more_opponents() -> None:
    pats = ["7S 5D 4H 3C 2D", "KS KD 9H 5C 2D", "9S 9D 9H 5C 2D", "9S 8D 7H 6C 5D"]
    chances = [sample_wins(parse_hand(text), [()], [None, None])[()].chance for text in pats]
    assert chances == sorted(chances)
    by_opponents = [sample_wins(PAIR, [()], [None] * others)[()].chance for others in (1, 2, 3)]
    assert by_opponents == sorted(by_opponents, reverse=True)
    royal = sample_wins(parse_hand("AS KS QS JS TS"), [()], [None] * 3, samples=1_000, seed=1)[()]
    assert (royal.chance, royal.error) == (1, 0)


def test_adviser_evaluates_every_discard_before_the_draw_and_one_after_it() -> None:
    state = replace(
        start(Options(opponents=2)),
        phase=Phase.DRAW,
        dealt_in=(0, 1, 2),
        hands=(PAIR, (), ()),
        drawing=(0, 1, 2),
    )
    told = not_none(advise(state, Seat(0), samples=2_000))
    assert len(told.wins) == len(told.chances) == 26
    assert told.best == (3, 4, 5)
    assert told == advise(state, Seat(0), samples=2_000)
    after = not_none(advise(replace(state, phase=Phase.CLOSING, drawn=(0, None, None)), Seat(0)))
    assert list(after.wins) == [()]
    assert advise(replace(state, folded=(0,)), Seat(0)) is None
    assert advise(replace(state, phase=Phase.REST), Seat(0)) is None
