"""The last round of bets between two, solved anew: against the solution, by hand, and its pots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.games.five_card_draw.test_coach import ME, NOTHING, facing, limit
from tui_casino.cards.card import hand
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw.brains import coach, last_round, regrets
from tui_casino.games.five_card_draw.brains.basis import Basis
from tui_casino.games.five_card_draw.brains.equilibrium.reading import reading
from tui_casino.games.five_card_draw.brains.last_round import Chips, grown
from tui_casino.games.five_card_draw.brains.regrets import End, Turn
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.moves import Call, Check, Fold, Raise
from tui_casino.games.five_card_draw.machine.state import Phase, State

TWO = (0, 1)


def chips(stacks: tuple[int, ...], put_in: tuple[int, ...], able: tuple[int, ...]) -> Chips:
    return Chips(Betting(20, (0,) * len(stacks), able), stacks, put_in)


def letters(place: Turn | End) -> str:
    return place.acts if isinstance(place, Turn) else ""


def along(place: Turn | End, path: str) -> Turn | End:
    for letter in path:
        assert isinstance(place, Turn)
        place = place.after[place.acts.index(letter)]
    return place


def test_a_full_round_has_ten_decisions_and_seventeen_ends() -> None:
    root = grown(chips((395, 395), (5, 5), TWO), TWO)
    assert [letters(along(root, path)) for path in ("", "k", "b", "br", "brrr")] == [
        *("kb", "kb", "fcr", "fcr", "fc")
    ]
    ends = [place for place in regrets.walk(root) if isinstance(place, End)]
    assert len(ends) == 17
    assert along(root, "brf") == End(along(root, "brf").number, (-20, 30), (-20, 30))
    shown = along(root, "bc")
    assert isinstance(shown, End)
    assert (shown.better, shown.worse) == ((30, 30), (-20, -20))


def test_who_is_all_in_can_win_what_he_matched() -> None:
    """60 lie there from three; one of the two has 8 left: he calls with them, and 12 go back."""
    root = grown(chips((100, 8, 0), (20, 20, 20), TWO), TWO)
    facing_bet = along(root, "b")
    assert letters(facing_bet) == "fc", "a raise needs chips"
    shown = along(root, "bc")
    assert isinstance(shown, End)
    assert shown.better == (76 + 12 - 20, 76 - 8)
    assert shown.worse == (12 - 20, -8)
    bets = along(root, "kb")
    assert letters(bets) == "fc", "nobody raises who is all in"


def test_full_stacks_give_what_the_solution_says() -> None:
    """Both ways to know it: regrets of this round alone, and the file of the whole game."""
    for drew, cards in (((3, 1), "QH QD AC 9S 5D"), ((3, 3), "QH QD AC 9S 5D")):
        view = facing(hand(cards), drew=drew)
        solution, anew = coach.weigh(view, ME), last_round.reckon(view, ME)
        assert solution is not None
        assert solution.basis is Basis.SOLUTION
        assert anew.basis is Basis.LAST_ROUND
        for action in (Fold(), Call()):
            one, two = solution.of(action), anew.of(action)
            assert one is not None
            assert two is not None
            assert two.value == pytest.approx(one.value, abs=1)
        assert anew.chance == pytest.approx(solution.chance, abs=0.03)


def test_neither_can_win_much_more() -> None:
    view, book = facing(NOTHING, stack=35), reading()
    root = grown(last_round._begun(view), TWO)
    assert isinstance(root, Turn)
    drawn = (3, 1, 0)
    likely = book.reached[0][drawn], book.reached[1][drawn]
    policy = regrets.learn(root, likely, book.shown(drawn))
    gains = regrets.gained(root, likely, book.shown(drawn), policy)
    assert sum(plays for plays, _ in gains) == pytest.approx(10, abs=1e-3), "the antes"
    assert all(0 <= best - plays < 0.1 for plays, best in gains)


def test_one_of_four_bets_of_half_the_pot_is_a_bluff() -> None:
    """The textbook's game: the nuts or nothing bets 20 into 40, the other has a bluff-catcher.

    The bettor has either as often. A caller is indifferent where one bet in four is a bluff; the
    bluff is worth nothing where two thirds call. Three classes do: nothing, middle, nuts.
    """
    root = grown(chips((20, 20), (20, 20), TWO), TWO)
    assert isinstance(root, Turn)
    bettor, catcher = np.array([1, 0, 1], np.float32), np.array([0, 1, 0], np.float32)
    kernel = np.ones((3, 3), np.float32)
    policy = regrets.learn(root, (bettor, catcher), kernel, 800)
    bets = policy[root.number][1]
    assert bets[2] == pytest.approx(1, abs=0.01)
    assert bets[0] == pytest.approx(1 / 3, abs=0.03)
    answer = root.after[1]
    assert isinstance(answer, Turn)
    assert policy[answer.number][1][1] == pytest.approx(2 / 3, abs=0.03)


def three(folded: tuple[int, ...], bets: tuple[int, ...], pending: tuple[int, ...]) -> State:
    return replace(
        limit(2),
        phase=Phase.CLOSING,
        hands=(hand("QH QD AC 9S 5D"), (), ()),
        thrown=((), (), ()),
        drawn=(3, 3, 1),
        put_in=tuple(15 + bet for bet in bets),
        stacks=tuple(385 - bet for bet in bets),
        folded=folded,
        opener=0,
        betting=Betting(20, bets, pending),
    )


def test_two_of_three_play_the_round_as_two() -> None:
    weighed = coach.weigh(three((1,), (0, 0, 20), (0,)), ME)
    assert weighed is not None
    assert weighed.basis is Basis.LAST_ROUND
    assert {choice.action for choice in weighed.choices} == {Fold(), Call(), Raise()}
    assert sum(choice.often for choice in weighed.choices) == pytest.approx(1, abs=1e-4)
    assert [rival.seat for rival in weighed.rivals] == [2]


def test_a_third_who_bet_and_folded_makes_it_rough() -> None:
    """What he put in cannot come of a round of two."""
    view = three((1,), (0, 20, 40), (0,))
    assert not last_round.fits_round(view)
    weighed = coach.weigh(view, ME)
    assert weighed is not None
    assert weighed.basis is Basis.ROUGH


def test_what_costs_a_credit_there_is_a_mistake() -> None:
    view = replace(three((1,), (0, 0, 20), (0,)), hands=(NOTHING, (), ()))
    mistake = coach.judge(view, ME, Call())
    assert mistake is not None
    assert mistake.best == Fold()
    assert mistake.cost > 10
    assert coach.judge(view, ME, Fold()) is None
    first = three((1,), (0, 0, 0), (0, 2))
    weighed = coach.weigh(first, Seat(0))
    assert weighed is not None
    assert weighed.of(Check()) is not None


def test_the_same_chips_at_other_seats_are_solved_once() -> None:
    """Who folded, and how much the deeper stack has behind, is nothing to the round."""
    one = grown(chips((100, 300, 12), (30, 30, 10), TWO), TWO)
    two = grown(chips((50, 100, 300), (10, 30, 30), (1, 2)), (1, 2))
    assert one == two
    assert isinstance(one, Turn)
    assert isinstance(two, Turn)
    assert last_round._solution(one, (1, 2, 0)) is last_round._solution(two, (1, 2, 0))


def test_a_policy_of_nothing_but_zeros_is_even() -> None:
    """A class of finals that never comes has no regrets: each act is as likely."""
    root = grown(chips((20, 20), (20, 20), TWO), TWO)
    assert isinstance(root, Turn)
    never, always = np.zeros(2, np.float32), np.ones(2, np.float32)
    policy = regrets.learn(root, (always, never), np.ones((2, 2), np.float32), 3)
    assert policy[root.number].sum(axis=0) == pytest.approx([1, 1])
    assert policy[root.number] == pytest.approx(np.full((2, 2), 0.5))
