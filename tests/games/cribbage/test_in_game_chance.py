"""The chance to win as a game goes on: against plain loops over the rules, and what must be so."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean
from typing import Any

import pytest

from tests.golden.write import golden
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import PACK, Card, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import listing_of
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.brains.discards import shipped_frequencies
from tui_casino.games.cribbage.brains.win_chances import (
    GameStanding,
    discard_chances,
    in_game_chance,
    shipped_win_chances,
)
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores, starter_scores
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    CountingMode,
    Options,
    Phase,
    Placed,
    State,
)
from tui_casino.records.cache import Cache
from tui_casino.records.playback import Playback
from tui_casino.records.recording_review import RecordingReview
from tui_casino.structs import replace

ME, OTHER = Seat(0), Seat(1)
SIX = parse_hand("2C 2H 7C QC QD KH")
KEPT, THROWN = parse_hand("2C 7C QC QD"), parse_hand("2H KH")
HIS = parse_hand("5H 6D JS KS")
STARTER = Card.parse("8C")


def deal(phase: Phase, points: tuple[int, int], dealer: int, **more: Any) -> State:
    """Seat 0 with its six cards, or after its discard; what the other holds it does not see."""
    thrown = phase is not Phase.DISCARD
    state = State(
        Options(),
        phase,
        dealer,
        points=points,
        hands=(KEPT if thrown else SIX, HIS),
        discards=(THROWN if thrown else (), parse_hand("AC AD") if thrown else ()),
        waiting=() if thrown else (0, 1),
    )
    return game.view(replace(state, **more), ME)


def laid() -> tuple[Placed, ...]:
    pairs = zip(KEPT, HIS, strict=True)
    return tuple(placed for a, b in pairs for placed in (Placed(0, a), Placed(1, b)))


@pytest.mark.parametrize("dealer", [0, 1], ids=labelled("seat {} deals"))
def test_win_chance_between_deals_equals_the_table_of_win_chances(dealer: int) -> None:
    mine = dealer == ME
    assert in_game_chance(
        deal(Phase.SHUFFLE, (80, 70), dealer), ME
    ) == shipped_win_chances().chance(80, 70, mine)
    rest = deal(Phase.REST, (80, 70), dealer)
    assert in_game_chance(rest, ME) == shipped_win_chances().chance(80, 70, not mine), (
        "the other deals next"
    )
    both = (in_game_chance(rest, ME), in_game_chance(rest, OTHER))
    assert sum(filter(None, both)) == pytest.approx(1)


@pytest.mark.parametrize("dealer", [0, 1], ids=labelled("seat {} deals"))
def test_cost_of_a_discard_is_the_difference_of_two_win_chances(dealer: int) -> None:
    before = deal(Phase.DISCARD, (95, 98), dealer)
    every = discard_chances(SIX, GameStanding(95, 98, dealer == ME), ACC)
    assert in_game_chance(before, ME) == max(every.values())
    after = in_game_chance(deal(Phase.STARTER, (95, 98), dealer), ME)
    assert after == pytest.approx(every[THROWN])
    assert after is not None
    assert after < max(every.values())


@pytest.mark.parametrize("dealer", [0, 1], ids=labelled("seat {} deals"))
def test_win_chance_of_a_discard_is_the_mean_over_starters(dealer: int) -> None:
    """Each of the 46 is as likely; but for heels, which count in the play of any deal as well."""
    chances = []
    for starter in (card for card in PACK if card not in SIX):
        points = [60, 66]
        points[dealer] += points_of(starter_scores(starter, ACC))
        view = deal(Phase.PLAY, (points[0], points[1]), dealer, starter=starter)
        chances.append(in_game_chance(view, ME))
    before = in_game_chance(deal(Phase.STARTER, (60, 66), dealer), ME)
    assert fmean(filter(None, chances)) == pytest.approx(before, abs=0.006)


@pytest.mark.parametrize("dealer", [0, 1], ids=labelled("seat {} deals"))
def test_win_chance_after_the_play_equals_a_loop_over_the_rules(dealer: int) -> None:
    """Both hands by the rules, and every pair that the other may have thrown, as players do."""
    view = deal(Phase.SHOW, (100, 95), dealer, starter=STARTER, laid=laid())
    mine, his = (points_of(show_scores(cards, STARTER, ACC)) for cards in (KEPT, HIS))
    weights = shipped_frequencies().weights_against(dealer == ME)
    unseen = [card for card in PACK if card not in (*SIX, *HIS, STARTER)]
    ways = total = 0.0
    for pair in combinations(unseen, 2):
        likely = weights[pair[0].rank - 1][pair[1].rank - 1]
        crib = points_of(show_scores((*THROWN, *pair), STARTER, ACC, crib=True))
        scores = [100 + mine, 95 + his]
        scores[dealer] += crib
        total += likely
        if max(scores) < 121:
            ways += likely * shipped_win_chances().chance(scores[0], scores[1], dealer != ME)
        else:
            ways += likely * (scores[0] >= 121)
    assert in_game_chance(view, ME) == pytest.approx(ways / total)


def test_pone_who_counts_first_wins_if_both_hands_reach_121() -> None:
    points = (113, 113)  # both hands bring eight and more
    mine, his = parse_hand("5C 5D 5H JC"), parse_hand("6D 7D 7S 8H")
    starter = Card.parse("8D")
    pairs = zip(mine, his, strict=True)
    order = tuple(placed for a, b in pairs for placed in (Placed(0, a), Placed(1, b)))
    for dealer in (0, 1):
        view = deal(Phase.SHOW, points, dealer, hands=(mine, his), starter=starter, laid=order)
        assert in_game_chance(view, ME) == float(dealer != ME)


def test_win_chance_is_unknown_during_the_play_and_once_a_hand_is_counted() -> None:
    assert (
        in_game_chance(deal(Phase.PLAY, (10, 12), 0, starter=STARTER, laid=laid()[:2]), ME) is None
    )
    one = replace(Options(), counting=CountingMode.SELF)
    shown = deal(Phase.SHOW, (10, 12), 0, starter=STARTER, laid=laid(), shown=1, options=one)
    assert in_game_chance(shown, ME) is not None, "its owner has not counted it yet"
    counted = deal(Phase.SHOW, (10, 12), 0, starter=STARTER, laid=laid(), shown=1)
    assert in_game_chance(counted, ME) is None
    for winner, points in enumerate(((121, 80), (80, 121))):
        over = deal(Phase.OVER, points, 0, winner=winner)
        assert in_game_chance(over, ME) == float(winner == ME)


def test_curve_of_a_trainer_round_shows_the_lead_in_points() -> None:
    """There is no game to win; so it is where rules play to another target."""
    assert DEFINITION.curve_metric(Options()).ends == (0.0, 100.0)
    ahead = DEFINITION.curve_metric(TRAINING)
    assert ahead.ends is None
    assert not ahead.by_rounds
    assert ahead.value(State(TRAINING, points=(9, 14)), ME) == -5
    assert in_game_chance(State(TRAINING), ME) is None


def test_win_chance_curve_covers_the_whole_game() -> None:
    listing = listing_of("cribbage")
    with Playback(DEFINITION, golden(listing).log, Cache(None)) as recording:
        reviewer = RecordingReview(recording, only=())
        reviewer.advance(recording.steps + 1)
        review = reviewer.review
        phases = {recording.moment_at(step).state.phase for step in review.steps}
    assert review.values[0] == 100 * shipped_win_chances().chance(0, 0, dealer=False)
    assert phases >= {Phase.DISCARD, Phase.PLAY, Phase.SHOW, Phase.REST}
