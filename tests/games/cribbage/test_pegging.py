"""The pegging adviser, against the machine, against exact counts, and against the plain rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby, product
from math import sqrt
from random import Random
from statistics import fmean, pstdev, stdev
from typing import Any

import numpy as np
import pytest

from tests.games.cribbage.single_play import course, net_points
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import BACK, PACK, Card, Hand, parse_hand
from tui_casino.engine.chance import JavaRandomSource
from tui_casino.engine.croupier import JavaCroupier
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.cribbage.brains import pegging, pegging_tree
from tui_casino.games.cribbage.brains.bulk_play import continue_play
from tui_casino.games.cribbage.brains.endplay import Endplay
from tui_casino.games.cribbage.brains.pegging import PeggingAdvice, PeggingPosition, weigh_cards
from tui_casino.games.cribbage.brains.pegging_tree import PeggingTree
from tui_casino.games.cribbage.brains.play_policy import (
    hands_of,
    number_of_hands,
    policy_for,
)
from tui_casino.games.cribbage.brains.players import PLAYERS
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.rules import ACC, TRAINER, RuleSet, play_scores, points_of
from tui_casino.games.cribbage.machine.scoring import (
    LastCard,
    PlayPair,
    PlayRun,
    TotalReached,
)
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    Action,
    Discard,
    Event,
    Go,
    Lay,
    Options,
    Phase,
    Placed,
    State,
)
from tui_casino.structs import replace

ODD_POINTS = replace(
    ACC,
    name="odd points",
    play=(TotalReached("odd", 17, 3), PlayRun(2, 4), PlayPair((1, 5, 9)), LastCard(1)),
    last=(LastCard(2), TotalReached("odd", 20, 4)),
)
LEAD = PeggingPosition(parse_hand("7C QC QD KH"), (), 4, parse_hand("2C 2H 7C QC QD KH 8H"))


def in_play(mine: Hand, theirs: Hand, **more: Any) -> State:
    """Set up the play for seat 0, who lays first."""
    state = State(
        TRAINING, phase=Phase.PLAY, hands=(mine, theirs), starter=parse_hand("KS")[0], player=0
    )
    return replace(state, **more)


def by_the_machine(state: State, first: Action) -> int:
    """Play on in the machine by the adviser's policy; give the points of seat 0 less seat 1's."""
    play = policy_for(TRAINER)
    before = state.points
    action = first
    while True:
        state = game.step(state, Seat(state.player), action).state
        if state.phase is not Phase.PLAY:
            won, lost = (now - then for now, then in zip(state.points, before, strict=True))
            return won - lost
        seat = state.player
        able = tuple(sorted(card.rank - 1 for card in state.playable(seat)))
        if not able:
            action = Go()
            continue
        laid = tuple(card.rank - 1 for card in state.segment)
        rank = play.choose(able, laid, len(state.unplayed(1 - seat))) + 1
        card = next(card for card in state.playable(seat) if card.rank == rank)
        action = Lay(state.hands[seat].index(card) + 1)


def test_net_points_of_the_play_simulation_equal_those_of_the_game() -> None:
    random, play = Random("rest"), policy_for(TRAINER)
    for _ in range(80):
        cards = random.sample([card for card in PACK if str(card) != "KS"], 8)
        mine, theirs = tuple(sorted(cards[:4])), tuple(sorted(cards[4:]))
        for place, card in enumerate(mine, 1):
            expected = by_the_machine(in_play(mine, theirs), Lay(place))
            ranks = [tuple(card.rank - 1 for card in held) for held in (mine, theirs)]
            assert net_points(play, ranks[0], ranks[1], (), False, card.rank - 1) == expected


@pytest.mark.parametrize("rules", [ACC, ODD_POINTS], ids=["acc", "other points"])
def test_net_points_of_plays_in_bulk_equal_those_of_single_plays(rules: RuleSet) -> None:
    random, play = Random(f"on {rules.name}"), policy_for(rules)
    for _ in range(40):
        ranks = [card.index % 13 for card in random.sample(PACK, 16)]
        mine, laid = tuple(sorted(ranks[:3])), tuple(ranks[3 : 3 + random.randrange(3)])
        theirs = [tuple(sorted(ranks[6 + k : 9 + k])) for k in range(5)]
        room = 31 - sum(min(rank + 1, 10) for rank in laid)
        firsts = [rank for rank in mine if min(rank + 1, 10) <= room]
        go = random.random() < 0.3
        told = continue_play(mine, np.array(theirs), laid, go, firsts, rules).T.tolist()
        for events, (first, his) in zip(told, product(firsts, theirs), strict=True):
            alone = course(play, mine, his, laid, go, first)
            signed = [-points if who else points for who, points in alone]
            assert sums_by_turn(events) == sums_by_turn(signed)


def sums_by_turn(events: list[int]) -> list[int]:
    """Put points together that a player has one after the other."""
    scored = [points for points in events if points]
    return [sum(group) for _, group in groupby(scored, lambda points: points > 0)]


@pytest.mark.parametrize("rules", [ACC, ODD_POINTS], ids=["acc", "other points"])
def test_points_for_a_card_in_bulk_play_equal_those_of_the_rules(rules: RuleSet) -> None:
    random, play, seen = Random("numbers"), policy_for(rules), 0
    for _ in range(2_000):
        near = random.randrange(1, 12)
        laid = tuple(min(12, near + random.randrange(-1, 3)) for _ in range(random.randrange(1, 8)))
        if sum(min(rank + 1, 10) for rank in laid) <= 31:
            scored = play_scores(tuple(PACK[rank] for rank in laid), rules)
            assert play.gain(laid) == points_of(scored)
            seen += bool(scored)
    assert seen > 100


@pytest.mark.parametrize("rules", [ACC, ODD_POINTS], ids=["acc", "other points"])
def test_points_in_the_pegging_tree_equal_those_of_the_rules(rules: RuleSet) -> None:
    random, play, tree = Random("tree"), policy_for(rules), PeggingTree(rules)
    for _ in range(60):
        laid: tuple[int, ...] = ()
        node = np.zeros(1, np.int64)
        while True:
            able = [
                rank
                for rank in range(13)
                if tree.total[node[0]] + min(rank + 1, 10) <= 31 and laid.count(rank) < 4
            ]
            if not able:
                break
            for rank in able:
                then = (*laid, rank)
                assert tree.gain[node[0], rank] == play.gain(then), then
                assert tree.answers[node[0], rank] == play.answers(then), then
            near = [rank for rank in able if laid and abs(rank - laid[-1]) < 3]
            card = random.choice(near or able)
            laid, node = (*laid, card), tree.child_nodes(node, np.array([card]))
            if tree.total[node[0]] < 31:
                assert tree.end[node[0]] == play.end(laid)


def test_pegging_tree_beyond_its_size_limit_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    before = pegging_tree.tree_for(ODD_POINTS)
    assert pegging_tree.tree_for(ODD_POINTS) is before
    monkeypatch.setattr(pegging_tree, "_FULL", 0)
    assert pegging_tree.tree_for(ODD_POINTS) is not before


def test_simulated_player_continues_after_the_go_of_the_opponent() -> None:
    """At 27, 4 then goes; A, 2 bring 30; nobody can lay, last card; then 10 and a king."""
    play = policy_for(TRAINER)
    mine, theirs = (0, 1, 9), (12,)
    laid = (9, 9, 6)  # 10, 10, 7
    # A (28), 2 (30), go for one; the king is laid, then the ten: one for the last card
    assert net_points(play, mine, theirs, laid, True, 0) == 2


def test_ev_of_the_last_card_is_the_exact_mean_over_unseen_cards() -> None:
    """The last two cards of the play: mine, the answer, and one point for the last card."""
    seen = parse_hand("5C 4D 2H 3S 8H KH KD JS QS 9D 6S")
    position = PeggingPosition(parse_hand("5C"), parse_hand("JS"), 1, seen)
    unseen = [card for card in PACK if card not in seen]
    exact = []
    for card in unseen:  # fifteen for me; he pairs my five or makes no more, and lays last
        pair = 2 if card.rank == 5 else 0
        exact.append(2 - pair - 1)
    advice = PeggingAdvice(position.hand[0], fmean(exact), 0.0, won=2)
    assert weigh_cards(position, ACC) == (advice,)


def test_hands_of_two_cards_are_weighted_by_their_combinations() -> None:
    """His two of five cards that are left: ten hands; a pair of mine, whatever he lays."""
    seen = tuple(card for card in PACK if card not in parse_hand("2C 5D 9H 9S KC"))
    play, position = policy_for(ACC), PeggingPosition(parse_hand("AC"), (), 2, seen)
    exact = [
        net_points(play, (0,), tuple(sorted(c.rank - 1 for c in held)), (), False, 0)
        for held in combinations(position.unseen, 2)
    ]
    (found,) = weigh_cards(position, ACC)
    assert found.ev == pytest.approx(fmean(exact))
    assert found.error == 0


@pytest.mark.parametrize("size", [0, 1, 2, 4], ids=labelled("{} cards"))
def test_possible_opponent_hands_are_counted_with_all_combinations(size: int) -> None:
    cards = {0: 2, 3: 4, 9: 1, 12: 3}
    every = [rank for rank, count in cards.items() for _ in range(count)]
    assert hands_of(cards, size) == Counter(combinations(every, size))
    assert number_of_hands(cards, size) == len(hands_of(cards, size))
    assert hands_of({}, size) == ({} if size else {(): 1})


def test_endplay_solver_gains_at_least_as_much_as_the_fixed_policy() -> None:
    """The policy would keep its low card: here it can be known that he holds a ten."""
    endplay, play = Endplay(policy_for(ACC)), policy_for(ACC)
    for mine, his in (((0, 4), (9,)), ((3, 6, 7), (7, 8)), ((1, 2, 3), (0, 4))):
        for card in mine:
            solved = endplay.value(card, mine, {his: 1}, ())
            assert solved >= net_points(play, mine, his, (), False, card)


def test_ev_against_three_cards_weights_all_opponent_hands_equally() -> None:
    seen = tuple(card for card in PACK if card not in parse_hand("2C 5D 9H TS KC JH"))
    position = PeggingPosition(parse_hand("AC 8D"), (), 3, seen)
    play = policy_for(ACC)
    counted = {one.card: one for one in weigh_cards(position, ACC)}
    for one in weigh_cards(position, ACC, samples=19, seed=3):
        exact = [
            net_points(
                play, (0, 7), tuple(sorted(c.rank - 1 for c in held)), (), False, one.card.rank - 1
            )
            for held in combinations(position.unseen, 3)
        ]
        assert len(exact) == 20
        assert counted[one.card] == PeggingAdvice(one.card, fmean(exact), 0.0)
        assert 0 < one.error == pytest.approx(pstdev(exact) / sqrt(19), rel=0.4)
        assert abs(one.ev - fmean(exact)) <= 4 * one.error


def test_mean_and_error_of_sampled_points_equal_the_statistics_module() -> None:
    random = np.random.default_rng(121)
    for count in (2, 3, 19, 455):
        for spread in (0, 1, 30):
            points = random.integers(-spread, spread + 1, count)
            error = stdev(points.tolist()) / sqrt(count)
            assert pegging._mean_of_points(points) == (fmean(points.tolist()), error)


def test_card_evs_are_the_same_for_the_same_seed_or_position() -> None:
    assert weigh_cards(LEAD, ACC, samples=50, seed=1) == weigh_cards(LEAD, ACC, samples=50, seed=1)
    assert weigh_cards(LEAD, ACC, samples=50, seed=1) != weigh_cards(LEAD, ACC, samples=50, seed=2)
    assert weigh_cards(LEAD, ACC, samples=50) == weigh_cards(LEAD, ACC, samples=50)


def test_playable_cards_are_ranked_by_ev_and_others_left_out() -> None:
    told = weigh_cards(LEAD, ACC, samples=100)
    assert {one.card for one in told} == set(LEAD.hand)
    assert [one.ev for one in told] == sorted((one.ev for one in told), reverse=True)
    at_28 = replace(
        LEAD, hand=parse_hand("AC 3D KH"), segment=parse_hand("QS JD 8C"), opponent_cards=2
    )
    assert {one.card for one in weigh_cards(at_28, ACC, samples=10)} == set(parse_hand("AC 3D"))


def test_pegging_advice_takes_a_pair_and_never_leads_a_five() -> None:
    second = replace(
        LEAD,
        segment=parse_hand("7D"),
        opponent_cards=3,
        seen_cards=(*LEAD.seen_cards, *parse_hand("7D")),
    )
    assert weigh_cards(second, ACC)[0].card in parse_hand("7C")
    lead = PeggingPosition(parse_hand("5C 6D QC KH"), (), 4, parse_hand("5C 6D QC KH 2S 9S 3H"))
    assert str(weigh_cards(lead, ACC)[-1].card) == "5C"


def test_seen_cards_and_cards_the_opponent_could_have_played_are_excluded() -> None:
    position = replace(LEAD, segment=parse_hand("TC JD 5H 3S"), go=True, counts_above=6)
    assert min(card.rank for card in position.unseen) == 7
    assert not set(position.unseen) & set(position.seen_cards)
    assert len(LEAD.unseen) == 52 - len(set(LEAD.seen_cards))


def test_pegging_advice_from_one_sample_is_refused() -> None:
    with pytest.raises(ValueError, match="two samples, not 1"):
        weigh_cards(LEAD, ACC, samples=1)


def test_pegging_position_contains_all_and_only_what_the_seat_may_know() -> None:
    """He laid a queen, I a nine, he a ten; he says go after my next card, and I lay once more."""
    mine, theirs = parse_hand("AD AH 9C KS"), parse_hand("TH JC QC KC")
    placed = [
        Placed(1, parse_hand("QC")[0]),
        Placed(0, parse_hand("9C")[0]),
        Placed(1, parse_hand("TH")[0]),
    ]
    placed.append(Placed(0, parse_hand("AD")[0]))
    state = in_play(
        mine,
        theirs,
        discards=(parse_hand("2S 3S"), parse_hand("4S 6S")),
        laid=tuple(placed),
        go=True,
        options=Options(),
    )
    for state_or_view in (game.view(state, Seat(0)), replace(state, options=TRAINING)):
        position = PeggingPosition.from_view(state_or_view, Seat(0))
        assert position.hand == parse_hand("AH KS")
        assert position.options == parse_hand("AH")
        assert position.segment == parse_hand("QC 9C TH AD")
        assert (position.go, position.counts_above) == (True, 1)  # at 30 he holds no ace
        assert position.opponent_cards == 2
        assert set(position.seen_cards) == {*mine, *parse_hand("2S 3S QC TH"), state.starter}
    assert BACK in game.view(state, Seat(0)).unplayed(1)


def beyond(mine: str, laid: str, begun: int, *, go: bool = False) -> int:
    """What is known of his cards, after these: ``.KC`` is his."""
    placed = [Placed(int(word[0] == "."), Card.parse(word.strip("."))) for word in laid.split()]
    more = {"laid": tuple(placed), "begun": begun, "go": go}
    return PeggingPosition.from_view(
        in_play(parse_hand(mine), parse_hand("KC QC QD JC"), **more), Seat(0)
    ).counts_above


def test_opponent_go_is_inferred_when_i_play_after_it() -> None:
    assert beyond("9C AD AH 2S", ".KC 9C AD AH", 0, go=True) == 12  # at 19 he could not


def test_finished_segment_shows_what_the_opponent_could_not_play() -> None:
    """He cannot lay at 18; I go on to 28, and he leads. Then: he could, and only 28 stopped him."""
    assert beyond("8C 8D 2H 9C", ".KC 8C 8D 2H .QC", 4, go=False) == 13
    assert beyond("8C 8D 2H 9C", ".QD 8C .8H 2H .QC", 4) == 3


def test_opponent_stopping_below_31_after_my_go_holds_no_playable_card() -> None:
    assert beyond("6S 9C 9H KD", ".9S 6S .8S .2H", 4) == 6
    assert beyond("6S 9C 9H KD", ".9S 6S .8S .8H", 4) == 0  # a segment of 31 tells nothing


def test_stronger_inference_about_opponent_cards_from_two_segments_is_used() -> None:
    laid = ".TC 9C .8S .2H 5C .KC KD"  # over at 29; then at 25, and it is for me to lay again
    assert beyond("9C 5C KD AC", laid, 4, go=True) == 6


def test_evs_at_seed_5033_use_the_inference_from_the_last_segment() -> None:
    """He stopped at 25: his last card counts 7 or more. The figures are from outside."""
    human = {Seat(0): PLAYERS["random"](), Seat(1): None}
    table: Table[Options, State, Action, Event] = Table(
        game, TRAINING, JavaCroupier(), JavaRandomSource(5033), human
    )
    table.run()
    for action in (Discard((1, 6)), Lay(1), Go()):  # x 1 6, 6S, g
        table.submit(Seat(1), action)
        table.run()
    told = weigh_cards(PeggingPosition.from_view(table.state, Seat(1)), TRAINER)
    figures = [(str(one.card), round(one.ev, 3), one.error) for one in told]
    assert figures == [("9C", 2.364, 0), ("9H", 2.364, 0), ("KD", 1.909, 0)]


def test_last_card_counts_under_rules_without_other_scores_in_the_play() -> None:
    seen = tuple(card for card in PACK if card not in parse_hand("2C 2D"))
    plain = replace(ACC, name="plain", play=())
    (sure,) = weigh_cards(PeggingPosition(parse_hand("TH"), (), 1, seen), plain)
    assert (sure.ev, sure.error) == (-1, 0)


def test_seed_text_of_the_pegging_samples_does_not_change() -> None:
    """Ledgers hold costs that came from samples: other words would sample other hands."""
    position = PeggingPosition(parse_hand("AS 2S"), parse_hand("4D"), 3, parse_hand("AS 2S 3S"))
    assert position.seed_text == (
        "Position(hand=(Card.parse('AS'), Card.parse('2S')), laid=(Card.parse('4D'),), held=3, "
        "seen=(Card.parse('AS'), Card.parse('2S'), Card.parse('3S')), go=False, beyond=0)"
    )
