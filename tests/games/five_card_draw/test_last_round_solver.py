"""The last betting round, re-solved for two: checked by the solution, by hand, and by its pots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.games.five_card_draw.test_limit_adviser import ME, NOTHING, facing, limit
from tests.helpers.narrow import instance_of, not_none
from tui_casino.cards.card import parse_hand
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw.brains import last_round_solver, limit_adviser, regret_matching
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import Floats
from tui_casino.games.five_card_draw.brains.equilibrium.opponent_ranges import blueprint_ranges
from tui_casino.games.five_card_draw.brains.last_round_solver import ChipState, grow_tree
from tui_casino.games.five_card_draw.brains.pot_odds import EvBasis
from tui_casino.games.five_card_draw.brains.regret_matching import SubgameDecision, SubgameEnd
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.state import Call, Check, Fold, Phase, Raise, State
from tui_casino.structs import replace

TWO = (0, 1)


def chips(stacks: tuple[int, ...], put_in: tuple[int, ...], able: tuple[int, ...]) -> ChipState:
    return ChipState(Betting(20, (0,) * len(stacks), able), stacks, put_in)


def letters(place: SubgameDecision | SubgameEnd) -> str:
    return place.acts if isinstance(place, SubgameDecision) else ""


def along(place: SubgameDecision | SubgameEnd, path: str) -> SubgameDecision | SubgameEnd:
    for letter in path:
        assert isinstance(place, SubgameDecision)
        place = place.children[place.acts.index(letter)]
    return place


def count_ends(place: SubgameDecision | SubgameEnd) -> int:
    return 1 if isinstance(place, SubgameEnd) else sum(map(count_ends, place.children))


def test_tree_of_the_last_betting_round_has_10_decisions_and_17_ends() -> None:
    root = grow_tree(chips((395, 395), (5, 5), TWO), TWO)
    assert [letters(along(root, path)) for path in ("", "k", "b", "br", "brrr")] == [
        *("kb", "kb", "fcr", "fcr", "fc")
    ]
    assert count_ends(root) == 17
    assert along(root, "brf") == SubgameEnd(along(root, "brf").number, (-20, 30), (-20, 30))
    shown = instance_of(SubgameEnd, along(root, "bc"))
    assert (shown.if_better, shown.if_worse) == ((30, 30), (-20, -20))


def test_player_all_in_can_win_only_the_matched_amount() -> None:
    """Three players put in 60. One of the last two calls with the last 8; 12 are returned."""
    root = grow_tree(chips((100, 8, 0), (20, 20, 20), TWO), TWO)
    facing_bet = along(root, "b")
    assert letters(facing_bet) == "fc", "a raise needs chips"
    shown = instance_of(SubgameEnd, along(root, "bc"))
    assert shown.if_better == (76 + 12 - 20, 76 - 8)
    assert shown.if_worse == (12 - 20, -8)
    bets = along(root, "kb")
    assert letters(bets) == "fc", "nobody raises who is all in"


def test_last_round_evs_with_full_stacks_equal_those_of_the_solution() -> None:
    """Two methods agree: regrets of this round only, and the file of the whole game."""
    for drew, cards in (((3, 1), "QH QD AC 9S 5D"), ((3, 3), "QH QD AC 9S 5D")):
        view = facing(parse_hand(cards), drew=drew)
        solution, anew = (
            limit_adviser.advise_limit(view, ME),
            last_round_solver.advise_last_round(view, ME),
        )
        assert solution is not None
        assert solution.basis is EvBasis.SOLUTION
        assert anew.basis is EvBasis.LAST_ROUND
        for action in (Fold(), Call()):
            one, two = solution.choice_for(action), anew.choice_for(action)
            assert one is not None
            assert two is not None
            assert two.value == pytest.approx(one.value, abs=1)
        assert anew.win_chance == pytest.approx(solution.win_chance, abs=0.03)


def values_of(
    place: SubgameDecision | SubgameEnd,
    player: int,
    reach: Floats,
    kernel: Floats,
    policy: Sequence[Floats],
    best: bool,
) -> Floats:
    """Return a player's value of a node with each final hand, times how often it is met.

    ``reach`` is that of the other player's hands, along the second axis of ``kernel``. The player
    plays the policy, or the best response to it.
    """
    if isinstance(place, SubgameEnd):
        numbers = np.arange(len(reach))
        wins = (np.sign(numbers[:, None] - numbers) + 1) / 2  # a tie counts half
        better, worse = place.if_better[player], place.if_worse[player]
        ends: Floats = (kernel * (worse + (better - worse) * wins)) @ reach
        return ends
    shares = policy[place.number]
    if place.player != player:
        return sum(
            (
                values_of(child, player, reach * share, kernel, policy, best)
                for child, share in zip(place.children, shares, strict=True)
            ),
            np.zeros_like(reach),
        )
    acts = np.array(
        [values_of(child, player, reach, kernel, policy, best) for child in place.children]
    )
    values: Floats = acts.max(axis=0) if best else (acts * shares).sum(axis=0)
    return values


def test_solved_last_round_can_be_exploited_by_under_0_1_credits() -> None:
    view, book = facing(NOTHING, stack=35), blueprint_ranges()
    root = instance_of(SubgameDecision, grow_tree(last_round_solver._round_start(view), TWO))
    drawn = (3, 1, 0)
    likely = book.second_round_reach[0][drawn], book.second_round_reach[1][drawn]
    kernel = book.final_kernel(drawn)
    policy = regret_matching.solve_subgame(root, likely, kernel)
    total = likely[0] @ kernel @ likely[1]
    gains = [
        [
            likely[me] @ values_of(root, me, likely[1 - me], meets, policy, best) / total
            for best in (False, True)
        ]
        for me, meets in enumerate((kernel, kernel.T))
    ]
    assert sum(plays for plays, _ in gains) == pytest.approx(10, abs=1e-3), "the antes"
    assert all(0 <= best - plays < 0.1 for plays, best in gains)


def test_one_of_four_bets_of_half_the_pot_is_a_bluff() -> None:
    """The textbook game: a polarised bettor bets 20 into 40, and the other has a bluff-catcher.

    The bettor has the nuts or nothing equally often. A caller is indifferent if one bet in four is
    a bluff; the bluffer is indifferent if two thirds call. Three classes are enough: nothing,
    middle, nuts.
    """
    root = instance_of(SubgameDecision, grow_tree(chips((20, 20), (20, 20), TWO), TWO))
    bettor, catcher = np.array([1, 0, 1], np.float32), np.array([0, 1, 0], np.float32)
    kernel = np.ones((3, 3), np.float32)
    policy = regret_matching.solve_subgame(root, (bettor, catcher), kernel, 800)
    bets = policy[root.number][1]
    assert bets[2] == pytest.approx(1, abs=0.01)
    assert bets[0] == pytest.approx(1 / 3, abs=0.03)
    answer = instance_of(SubgameDecision, root.children[1])
    assert policy[answer.number][1][1] == pytest.approx(2 / 3, abs=0.03)


def three(folded: tuple[int, ...], bets: tuple[int, ...], pending: tuple[int, ...]) -> State:
    return replace(
        limit(2),
        phase=Phase.CLOSING,
        hands=(parse_hand("QH QD AC 9S 5D"), (), ()),
        thrown=((), (), ()),
        drawn=(3, 3, 1),
        put_in=tuple(15 + bet for bet in bets),
        stacks=tuple(385 - bet for bet in bets),
        folded=folded,
        opener=0,
        betting=Betting(20, bets, pending),
    )


def test_last_round_with_two_remaining_of_three_players_is_solved() -> None:
    weighed = not_none(limit_adviser.advise_limit(three((1,), (0, 0, 20), (0,)), ME))
    assert weighed.basis is EvBasis.LAST_ROUND
    assert {choice.action for choice in weighed.choices} == {Fold(), Call(), Raise()}
    assert sum(choice.frequency for choice in weighed.choices) == pytest.approx(1, abs=1e-4)
    assert [rival.seat for rival in weighed.rivals] == [2]


def test_hand_with_chips_of_a_folded_third_player_is_played_out() -> None:
    """The chips of the third player do not fit a round of two."""
    view = three((1,), (0, 20, 40), (0,))
    assert not last_round_solver.fits_round(view)
    weighed = not_none(limit_adviser.advise_limit(view, ME))
    assert weighed.basis is EvBasis.PLAYED_OUT


def test_costly_call_in_a_round_of_two_is_a_mistake() -> None:
    view = replace(three((1,), (0, 0, 20), (0,)), hands=(NOTHING, (), ()))
    mistake = not_none(limit_adviser.judge(view, ME, Call()))
    assert mistake.best == Fold()
    assert mistake.cost > 10
    assert limit_adviser.judge(view, ME, Fold()) is None
    first = three((1,), (0, 0, 0), (0, 2))
    weighed = not_none(limit_adviser.advise_limit(first, Seat(0)))
    assert weighed.choice_for(Check()) is not None


def test_equal_last_rounds_at_different_seats_are_solved_once() -> None:
    """Neither the folded player nor the deeper stack's remaining chips matter for the round."""
    one = grow_tree(chips((100, 300, 12), (30, 30, 10), TWO), TWO)
    two = grow_tree(chips((50, 100, 300), (10, 30, 30), (1, 2)), (1, 2))
    assert one == two
    assert isinstance(one, SubgameDecision)
    assert isinstance(two, SubgameDecision)
    assert last_round_solver._solution(one, (1, 2, 0)) is last_round_solver._solution(
        two, (1, 2, 0)
    )


def test_solver_plays_actions_of_unreachable_hands_equally_often() -> None:
    """A class of final hands that never occurs has no regrets: its acts are equally likely."""
    root = instance_of(SubgameDecision, grow_tree(chips((20, 20), (20, 20), TWO), TWO))
    never, always = np.zeros(2, np.float32), np.ones(2, np.float32)
    policy = regret_matching.solve_subgame(root, (always, never), np.ones((2, 2), np.float32), 3)
    assert policy[root.number].sum(axis=0) == pytest.approx([1, 1])
    assert policy[root.number] == pytest.approx(np.full((2, 2), 0.5))
