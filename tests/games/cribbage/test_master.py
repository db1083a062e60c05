"""The master: choices by the chance to win, against plain loops and what must be so."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from statistics import fmean

import numpy as np
import pytest

from tests.games.cribbage.single_play import course
from tests.helpers.narrow import not_none
from tui_casino.cards.card import PACK, Card, Hand, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage.brains.adviser import discard_win_chances, weigh_lays
from tui_casino.games.cribbage.brains.discards import shipped_frequencies, weigh
from tui_casino.games.cribbage.brains.pegging import PeggingPosition, weigh_cards
from tui_casino.games.cribbage.brains.play_policy import policy_for
from tui_casino.games.cribbage.brains.players import ExpertPlayer, MasterPlayer
from tui_casino.games.cribbage.brains.win_chances import (
    GameStanding,
    WinChanceValuation,
    discard_chances,
    shipped_win_chances,
)
from tui_casino.games.cribbage.face.advice import advice, in_a_line
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    Discard,
    Lay,
    Options,
    Phase,
    Placed,
    State,
)
from tui_casino.structs import replace

SIX = parse_hand("2C 2H 7C QC QD KH")


class NoDice:
    def below(self, n: int, /) -> int:
        raise AssertionError("the master draws from the table's dice")


def discarding(six: Hand, points: tuple[int, int], dealer: int) -> State:
    others = tuple(card for card in PACK if card not in six)[:6]
    return State(
        Options(), Phase.DISCARD, dealer, points=points, hands=(six, others), waiting=(0, 1)
    )


def playing(mine: str, his: str, laid: str, points: tuple[int, int], dealer: int) -> State:
    """The play of seat 0; ``laid`` are the cards of the segment, his with a dot."""
    placed = [Placed(int(word[0] == "."), Card.parse(word.strip("."))) for word in laid.split()]
    return State(
        Options(),
        Phase.PLAY,
        dealer,
        points=points,
        hands=(parse_hand(mine), parse_hand(his)),
        discards=(parse_hand("AC AD"), parse_hand("KC KD")),
        starter=Card.parse("6C"),
        laid=tuple(placed),
        player=0,
    )


# ---- discards ----------------------------------------------------------------------------------


STANDINGS = pytest.mark.parametrize(
    "standing",
    [GameStanding(108, 101, True), GameStanding(109, 98, False)],
    ids=["108 to 101, dealer", "109 to 98, pone"],
)


@pytest.mark.parametrize(
    ("some", "near"), [(400, 0.06), pytest.param(45_540, 1e-9, marks=pytest.mark.prove)]
)
@STANDINGS
def test_win_chance_of_a_discard_equals_plain_loops(
    standing: GameStanding, some: int, near: float
) -> None:
    thrown = SIX[:2]
    left = [card for card in PACK if card not in SIX]
    likely = shipped_frequencies().weights_against(standing.dealer)
    random = Random(1)
    total = won = 0.0
    worth: dict[tuple[int, int], float] = {}
    cases = [(s, a, b) for s in left for a, b in combinations(left, 2) if s not in (a, b)]
    for starter, a, b in random.sample(cases, some):
        mine = points_of(show_scores(SIX[2:], starter, ACC))
        crib = points_of(show_scores((*thrown, a, b), starter, ACC, crib=True))
        if (mine, crib) not in worth:
            worth[mine, crib] = by_loops(standing, mine, crib)
        ways = likely[a.rank - 1][b.rank - 1]
        total += ways
        won += ways * worth[mine, crib]
    found = discard_chances(SIX, standing, ACC)[thrown]
    assert found == pytest.approx(won / total, abs=near)


def by_loops(standing: GameStanding, mine: int, crib: int) -> float:
    """The chance with these points of hand and crib, over what deals bring otherwise."""
    figures = shipped_win_chances()
    brought, cases = figures.outcomes, figures.outcomes.cases
    score, other, won = standing.score, standing.other, 0.0
    need, his_need = 121 - score, 121 - other
    first = brought.dealer_reaches if standing.dealer else brought.pone_reaches
    won += first[need, :his_need].sum()
    if standing.dealer:
        for (pegged, his), ways in entries(brought.pone_shown):
            if pegged >= need or his >= his_need:
                continue
            now = score + pegged + mine + crib
            won += ways * (1 if now >= 121 else figures.chance(now, other + his, False))
        return float(won / cases)
    for (his, pegged), ways in entries(brought.play):
        won += ways * (his < his_need and pegged < need <= pegged + mine)
    for (his, pegged), ways in entries(brought.dealer_first):
        now, then = score + pegged + mine, other + his + crib
        if now < 121 and then < 121:
            won += ways * figures.chance(now, then, True)
    return float(won / cases)


def entries(
    table: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> list[tuple[tuple[int, int], int]]:
    return [((int(a), int(b)), int(table[a, b])) for a, b in np.argwhere(table)]


def test_best_discard_by_win_chance_is_near_the_best_by_points_only_early() -> None:
    random = Random(2)
    parts = Counter[bool]()
    for _ in range(12):
        six = tuple(sorted(random.sample(PACK, 6)))
        by_points = weigh(six, True, ACC, shipped_frequencies().weights_against(True))
        early = discard_chances(six, GameStanding(0, 0, True), ACC)
        best = max(early, key=early.__getitem__)
        gap = next(by_points[0].ev - one.ev for one in by_points if one.discard == best)
        assert gap < 0.5
        late = discard_chances(six, GameStanding(114, 119, True), ACC)
        parts[late[by_points[0].discard] < max(late.values())] += 1
    assert parts[True]


def test_hand_that_reaches_the_target_wins_whatever_the_crib_scores() -> None:
    """Pone counts first, and needs four: both pairs."""
    chances = discard_chances(SIX, GameStanding(117, 100, False), ACC)
    for thrown, chance in chances.items():
        kept = tuple(card for card in SIX if card not in thrown)
        assert points_of(show_scores(kept, None, ACC)) < 4 or chance > 0.99
    assert max(chances.values()) > 0.99 > min(chances.values())


# ---- the play ----------------------------------------------------------------------------------


def test_card_that_reaches_121_has_a_win_chance_of_1() -> None:
    state = playing("2H 8D QS KH", "7S 9C 9D JH", ".7S", (120, 119), dealer=0)
    told = {str(one.card): one for one in weigh_lays(state, Seat(0), to_win=True)}
    assert told["8D"].win == 1
    assert told["8D"].win_error == 0
    assert all(one.win is not None and one.win < 1 for name, one in told.items() if name != "8D")


@pytest.mark.parametrize(("dealer", "expected"), [(0, 0.0), (1, 1.0)])
def test_win_chance_gives_the_game_to_pone_who_counts_first(dealer: int, expected: float) -> None:
    """Both hands are enough for both."""
    state = playing("2H 8D QS KH", "7S 8C 9D JH", ".7S", (118, 118), dealer)
    stake = not_none(WinChanceValuation.from_view(state, Seat(0)))
    mine = points_of(show_scores(parse_hand("2H 8D QS KH"), state.starter, ACC))
    assert mine == 0
    state = replace(state, hands=(parse_hand("7D 8D 8S KH"), state.hands[1]))
    stake = not_none(WinChanceValuation.from_view(state, Seat(0)))
    (his,) = stake.show_points([parse_hand("8C 9D JH")])
    assert his == points_of(show_scores(state.hands[1], state.starter, ACC)) >= 5
    assert stake.win_chance(0, 0, his) == expected
    assert stake.win_chance(0, 3, his) == 0
    assert stake.win_chance(3, 0, his) == 1
    assert stake.game_over(3, 0)
    assert not stake.game_over(2, 2)


def test_win_chance_against_three_cards_is_close_to_enumeration() -> None:
    state = playing("2H 8D QS KH", "7S 9C 9D JH", ".7S", (105, 108), dealer=0)
    stake = not_none(WinChanceValuation.from_view(state, Seat(0)))
    seen = tuple(card for card in PACK if card not in parse_hand("9C 9D JH 3S 4S 5D TC 8H"))
    position = replace(PeggingPosition.from_view(state, Seat(0)), seen_cards=seen)
    play = policy_for(ACC)
    laid, mine = (6,), (1, 7, 11, 12)
    counted = {one.card: one for one in weigh_cards(position, ACC, stake)}
    for one in weigh_cards(position, ACC, stake, samples=30, seed=1):
        exact = []
        for held in combinations(position.unseen, 3):
            his = tuple(sorted(card.rank - 1 for card in held))
            won = [0, 0]
            for who, points in course(play, mine, his, laid, False, one.card.rank - 1):
                if not stake.game_over(*won):
                    won[who] += points
            exact.append(stake.win_chance(won[0], won[1], stake.show_points([held])[0]))
        assert one.win is not None
        assert one.win_error > 0
        assert abs(one.win - fmean(exact)) < 4 * one.win_error
        assert counted[one.card].win == pytest.approx(fmean(exact))
        assert counted[one.card].win_error == 0


def test_win_chance_against_one_card_equals_enumeration_of_every_hand() -> None:
    """One card each, at 17: mine, then his; what he makes of it is plain."""
    way = "2H .TC TS .3C 8D .9C"
    state = playing("2H 8D TS 3H", "TC 3C 9C 4S", way, (110, 112), dealer=1)
    state = replace(state, begun=4)
    seat = Seat(0)
    assert state.count == 17
    stake = not_none(WinChanceValuation.from_view(state, seat))
    position, play = PeggingPosition.from_view(state, seat), policy_for(ACC)
    mine = tuple(card.rank - 1 for card in position.hand)
    laid = tuple(card.rank - 1 for card in position.segment)
    chances = []
    for card in position.unseen:
        won = [0, 0]
        for who, points in course(play, mine, (card.rank - 1,), laid, position.go, mine[0]):
            if not stake.game_over(*won):
                won[who] += points
        chances.append(stake.win_chance(won[0], won[1], stake.show_points([(card,)])[0]))
    (one,) = weigh_cards(position, ACC, stake)
    assert one.win == pytest.approx(fmean(chances))
    assert one.win_error == 0


# ---- the player and the coach ------------------------------------------------------------------


def test_master_chooses_the_highest_win_chance_without_dice() -> None:
    state = discarding(SIX, (114, 112), dealer=0)
    chances = discard_win_chances(state, Seat(0))
    action = MasterPlayer().choose(state, Seat(0), game.offers(state, Seat(0)), NoDice())
    assert isinstance(action, Discard)
    thrown = tuple(SIX[place - 1] for place in action.places)
    assert chances[thrown] == max(chances.values())
    state = playing("2H 8D QS KH", "7S 9C 9D JH", ".7S", (120, 119), dealer=0)
    assert MasterPlayer().choose(state, Seat(0), game.offers(state, Seat(0)), NoDice()) == Lay(2)


def test_master_plays_like_the_expert_outside_a_game() -> None:
    state = replace(discarding(SIX, (0, 0), dealer=1), options=TRAINING)
    offers = game.offers(state, Seat(0))
    assert discard_win_chances(state, Seat(0)) == {}
    one, other = MasterPlayer(), ExpertPlayer()
    same = [player.choose(state, Seat(0), offers, NoDice()) for player in (one, other)]
    assert same[0] == same[1]
    assert not any("win" in line for line in advice(state, Seat(0)))


def test_advice_shows_points_and_win_chances_and_where_they_differ() -> None:
    together = discarding(SIX, (0, 0), dealer=0)
    lines = advice(together, Seat(0))
    assert lines[0].split() == ["discard", "hand", "crib", "EV", "cost", "win"]
    assert lines[1].split()[-1] == f"{discard_win_chances(together, Seat(0))[SIX[:2]]:.1%}"
    assert lines[-1].startswith("2♣ 2♥ also wins the game most often: ")
    line = not_none(in_a_line(together, Seat(0)))
    assert line.split(". ")[-1].startswith("2C 2H also wins the game most often: ")
    apart = playing("3H 7D 7H 8S", "8D 9C 9S JH", ".8D", (115, 119), dealer=1)
    told = weigh_lays(apart, Seat(0), to_win=True)
    often = max(told, key=lambda one: one.win or 0)
    assert (str(often.card), str(told[0].card)) == ("8S", "7D")  # a pair in place of fifteen
    expected = (
        f"{often.card} wins the game more often: {often.win:.1%}, {told[0].card} {told[0].win:.1%}"
    )
    said = not_none(in_a_line(apart, Seat(0)))
    assert said.endswith(expected)
