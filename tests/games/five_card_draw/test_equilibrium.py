"""The parts of the solver, and the report on the shipped solution."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from tests.build_data.five_card_draw import (
    blueprint_writer,
    exploitability_bounds,
    matches,
    removal_kernels,
    sampled_deals,
)
from tests.build_data.five_card_draw.best_response import (
    follow_policy,
)
from tests.build_data.five_card_draw.play_tables_builder import build_tables
from tests.build_data.five_card_draw.solver import solve
from tests.build_data.five_card_draw.solver_model import SolverModel, compute_bucket_values
from tests.helpers.parameter_ids import labelled
from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK
from tui_casino.cards.poker import strength_of
from tui_casino.games.five_card_draw.brains.equilibrium import (
    betting_tree,
    blueprint,
    hand_buckets,
    opponent_ranges,
    solution_figures,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    PLAY_TABLES_PATH,
    PlayTables,
    play_tables,
)
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DRAW,
    Policies,
    compute_reach,
    state_shares,
    take_best_act,
)
from tui_casino.games.five_card_draw.brains.odds import standings_after_each_discard
from tui_casino.games.five_card_draw.face.odds_report import (
    solution_as_json,
    solution_as_text,
    solution_summary,
)
from tui_casino.games.five_card_draw.machine.rules import every_discard, kept_cards
from tui_casino.inputs.errors import BadInput

# ---- the game tree -------------------------------------------------------------------------------


def test_betting_tree_of_a_round_has_ten_decisions() -> None:
    assert len(betting_tree.NODES) == 10
    assert [fold.bets for fold in betting_tree.FOLDS if fold.seat == betting_tree.FIRST] == [
        0,
        2,
        1,
        3,
    ]
    assert sorted(close.bets for close in betting_tree.CLOSES) == [0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert all(node.seat == len(node.name) % 2 for node in betting_tree.NODES)


def test_at_most_125_credits_per_player_go_into_a_limit_pot() -> None:
    assert betting_tree.MOST_PUT_IN == 125


def test_pots_of_the_draw_are_10_to_90_credits() -> None:
    pots = {round(2 * paid * betting_tree.SMALL_BET) for paid in betting_tree.FIRST_ROUND_PUT_IN}
    assert pots == {10, 30, 50, 70, 90}


# ---- hands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(0, 134_459, 13_007), ids=labelled("hand {}"))
def test_ratings_of_hands_equal_those_of_the_adviser(number: int) -> None:
    known = hand_buckets.rate_hands()
    dealt_cards = [PACK[card] for card in hand_indexing.hand_classes().cards[:, number]]
    standings = standings_after_each_discard(dealt_cards)
    allowed = np.flatnonzero(known.chances[:, number] >= 0)
    assert len(allowed) == len(list(every_discard(dealt_cards)))
    for discards, standing in standings.items():
        stay = set(kept_cards(dealt_cards, discards))
        mask = sum(1 << place for place, card in enumerate(dealt_cards) if card in stay)
        rated = Fraction(int(known.chances[mask, number]), hand_buckets.CHANCE_ONE)
        assert abs(rated - standing) < Fraction(3, hand_buckets.CHANCE_ONE)


def test_hand_ratings_allow_four_drawn_cards_only_with_an_ace() -> None:
    known = hand_buckets.rate_hands()
    aces = (hand_indexing.hand_classes().cards % 13 == 0).any(axis=0)
    np.testing.assert_array_equal(known.best[hand_buckets.MOST_DRAWN] >= 0, aces)
    assert (known.best[: hand_buckets.MOST_DRAWN] >= 0).all()


def test_classes_of_final_hands_follow_the_order_of_strengths() -> None:
    classes = hand_buckets.class_of_strength()[1:]
    assert set(np.diff(classes).tolist()) == {0, 1}
    assert classes[0] == 0
    assert classes[-1] + 1 == hand_buckets.class_count()


# ---- card removal --------------------------------------------------------------------------------


def test_kernel_within_a_rank_equals_a_hand_calculation() -> None:
    assert opponent_ranges.SHARES[1, 1] == 3 / 4
    assert opponent_ranges.SHARES[2, 2] == 1 / 6
    assert opponent_ranges.SHARES[2, 3] == opponent_ranges.SHARES[4, 1] == 0
    np.testing.assert_array_equal(opponent_ranges.SHARES[0], 1)


@pytest.mark.parametrize(("own", "other"), [(0, 1), (3, 0), (4, 4)])
def test_rows_of_the_kernel_do_not_depend_on_the_rows_computed_before(own: int, other: int) -> None:
    few, all_ = opponent_ranges.FinalKernel(own, other), opponent_ranges.FinalKernel(own, other)
    count = hand_buckets.class_count()
    whole = all_.rows(np.arange(count, dtype=np.int32))
    for finals in ([count - 1], [0, 5, 200], range(3, count, 4)):
        rows = few.rows(np.array(finals, np.int32))
        assert rows.tobytes() == whole[[*finals]].tobytes()
    one, two = (play_tables().seen[number] for number in (own, other))
    by_rank = np.einsum("irm,mn,jrn->rij", one[:9], opponent_ranges.SHARES, two)
    np.testing.assert_allclose(whole[:9], by_rank.prod(axis=0), rtol=1e-5)


def test_mean_of_the_kernel_equals_that_of_true_deals() -> None:
    """Every hand leaves C(47, 5) others, counted as whole numbers for each set of ranks."""
    sets = removal_kernels.find_rank_sets()[0]
    assert len(sets) == 6175
    ways = np.array([[comb(4 - one, other) for other in range(5)] for one in range(5)])
    shares = [
        [Fraction(share).limit_denominator(24) for share in row] for row in opponent_ranges.SHARES
    ]
    for one in range(5):
        for other in range(5):
            assert shares[one][other] * comb(4, other) == ways[one, other]
    for counts in sets[:: len(sets) // 40]:
        left = np.ones(len(sets), np.int64)
        for rank in range(opponent_ranges.RANKS):
            left *= ways[counts[rank]][sets[:, rank]]
        assert left.sum() == comb(47, 5)
    assert pytest.approx(0.590213, abs=5e-7) == removal_kernels.MEAN


# ---- true deals ----------------------------------------------------------------------------------


def test_drawn_cards_take_the_places_of_discarded_cards() -> None:
    cards = np.array([[1, 2, 3, 4, 5]], np.uint8)
    drawn = np.array([[40, 41]], np.uint8)
    final = sampled_deals.replace_discards(cards, np.array([0b10101], np.uint8), drawn)
    assert final.tolist() == [[1, 40, 3, 41, 5]]


def test_sampled_deals_use_one_pack_and_repeat() -> None:
    first, dealer = sampled_deals.deal(2000, 5)
    for number in hand_buckets.NUMBERS:
        seen = first.ranks[number] + dealer.ranks[number]
        assert (seen <= 4).all()
        assert (seen.sum(axis=1) == 2 * (5 + number)).all()
    again = sampled_deals.deal(2000, 5)[0]
    np.testing.assert_array_equal(first.final, again.final)


def test_deals_for_learning_and_measuring_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[tuple[int, ...]] = []

    def note(count: int, *seed: int) -> tuple[sampled_deals.SeatDeals, sampled_deals.SeatDeals]:
        seeds.append(seed)
        return sampled_deals.deal(count, *seed)

    monkeypatch.setattr(exploitability_bounds, "deal", note)
    monkeypatch.setattr(exploitability_bounds, "BLOCK", 2)
    monkeypatch.setattr(exploitability_bounds, "_second_round_deals", lambda *_: ())
    monkeypatch.setattr(exploitability_bounds, "_class_response", lambda *_: {})
    nothing: Policies = ({}, {})
    exploitability_bounds.class_response_bound(toy(), nothing, 9, 8, seed=3)
    assert len(seeds) == len({*seeds}) == 9
    assert {part for _, part, _ in seeds[:5]}.isdisjoint(part for _, part, _ in seeds[5:])
    one, other = (sampled_deals.deal(500, *seed)[0].bucket for seed in (seeds[0], seeds[5]))
    assert (one != other).any()


def test_sampled_deal_keeps_a_pat_hand_as_its_final_hand() -> None:
    cards = np.array([[0, 9, 10, 11, 12, 13, 14, 15, 16]], np.uint8)  # a royal flush in clubs
    side = sampled_deals.classify_deals(cards)
    royal = strength_of([PACK[card] for card in cards[0, :5]])
    assert side.final[0, 0] == hand_buckets.class_of_strength()[royal]
    assert side.final[1, 0] < side.final[0, 0]


# ---- the solver, on a game of three cards --------------------------------------------------------


def toy() -> SolverModel:
    """A game with two betting rounds, one of three cards each, and no effective draw."""
    cards = np.eye(3, dtype=np.float32)
    place = np.arange(3)
    sign = np.sign(place[:, None] - place).astype(np.float32)
    one = np.ones((5, 5, 3, 3), np.float32)
    return SolverModel(
        bucket_shares=np.full(3, 1 / 3, np.float32),
        legal=np.ones((5, 3), np.float32),
        final_shares=np.stack([cards] * 5),
        bucket_kernel=None,
        final_kernel=one,
        showdown_kernel=one * sign,
    )


def exploitability(model: SolverModel, policies: Policies) -> float:
    best_of = [
        compute_bucket_values(
            model, seat, compute_reach(model, 1 - seat, policies[1 - seat]), take_best_act
        )
        for seat in betting_tree.SEATS
    ]
    return float(sum(model.bucket_shares @ each for each in best_of)) * 500


def test_solver_makes_a_toy_game_nearly_unexploitable_in_150_rounds() -> None:
    model = toy()
    early, late = (exploitability(model, solve(model, rounds)) for rounds in (1, 150))
    assert early > 500
    assert 0 <= late < 5


def test_values_of_both_seats_in_a_solution_add_up_to_zero() -> None:
    model = toy()
    policies = solve(model, 3)
    worths = [
        model.bucket_shares
        @ compute_bucket_values(
            model,
            seat,
            compute_reach(model, 1 - seat, policies[1 - seat]),
            follow_policy(policies[seat]),
        )
        for seat in betting_tree.SEATS
    ]
    assert sum(worths) == pytest.approx(0, abs=1e-5)


def test_solver_run_twice_gives_the_same_policies() -> None:
    one, other = (solve(toy(), 4) for _ in range(2))
    for policy, again in zip(one, other, strict=True):
        for place, frequencies in policy.items():
            np.testing.assert_array_equal(frequencies, again[place])


def test_value_of_the_first_seat_equals_sampled_play() -> None:
    """A few thousand deals, with both hands in each seat, agree with the file's ten million."""
    known, policies = blueprint.read_head().figures, blueprint.read_blueprint()[1][0]
    found = matches.measure_first_seat(policies, 4_000, seed=3)
    assert abs(found.credits - known.true_value) < 4 * found.error
    assert found.error < 0.15


# ---- the file ------------------------------------------------------------------------------------


def test_policies_are_packed_in_parts_of_120() -> None:
    model = toy()
    policies = solve(model, 20)
    body = blueprint_writer.pack_policies((model, model), (policies, policies))
    found = blueprint.unpack_policies(body, model.buckets, model.finals)
    for policy, again in zip((*policies, *policies), (*found[0], *found[1]), strict=True):
        for place, frequencies in again.items():
            np.testing.assert_allclose(frequencies.sum(axis=0), 1, atol=1e-5)
            if place.name == "" and place.phase == "opening":
                np.testing.assert_allclose(frequencies, policy[place], atol=1 / 120)


def test_policies_used_in_play_equal_the_first_in_the_blueprint_file() -> None:
    played = blueprint.read_played_policies()
    for policy, again in zip(played, blueprint.read_blueprint()[1][0], strict=True):
        assert [*policy] == [*again]
        for place, frequencies in policy.items():
            np.testing.assert_array_equal(frequencies, again[place])


def test_frequencies_in_a_state_equal_a_part_of_those_of_the_whole_decision() -> None:
    for policy in blueprint.read_played_policies():
        for place, frequencies in policy.items():
            for state in np.ndindex(frequencies.shape[1:-1][:2]):
                part = state_shares(policy, place, *state)
                assert part.tobytes() == frequencies[(slice(None), *state)].tobytes(), (
                    place,
                    state,
                )
        plain = dict(policy)
        np.testing.assert_array_equal(state_shares(plain, DRAW, 2, 1), policy[DRAW][:, 2, 1])


def test_only_the_frequencies_in_a_state_are_converted() -> None:
    _, dealer = blueprint.read_played_policies()
    tracemalloc.start()
    try:
        part = state_shares(dealer, DRAW, 3, 0)
        assert tracemalloc.get_traced_memory()[1] < 3 * part.nbytes < dealer[DRAW].nbytes / 10
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("content", [b"", b"{}\n", b"[1]\nabc", b"\xff\xfe"])
def test_file_that_is_not_a_blueprint_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.zz"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"other\.zz: not a blueprint file"):
        blueprint.read_blueprint(path)


def test_truncated_blueprint_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.zz"
    path.write_bytes(blueprint.PATH.read_bytes()[:-1000])
    with pytest.raises(BadInput, match=r"cut\.zz: not a blueprint file"):
        blueprint.read_blueprint(path)


def test_shipped_blueprint_files_fit_the_model_and_are_small() -> None:
    sizes = [path.stat().st_size for path in (blueprint.PATH, blueprint.ARRIVALS_PATH)]
    assert sum(sizes) <= 1_100_000
    head = blueprint.read_head()
    assert (head.buckets, head.finals) == (
        hand_buckets.hand_buckets().buckets,
        hand_buckets.class_count(),
    )


def test_shipped_play_tables_of_the_blueprint_equal_computed_ones() -> None:
    shipped, computed = play_tables(), build_tables()
    for name in PlayTables._fields:
        one, other = getattr(shipped, name), getattr(computed, name)
        assert one.dtype == other.dtype, name
        np.testing.assert_array_equal(one, other, name)


def test_invalid_file_of_blueprint_play_tables_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.npz"
    spoilt = bytearray(PLAY_TABLES_PATH.read_bytes())
    spoilt[1000:1100] = bytes(100)
    for content in (b"", b"no archive", bytes(spoilt), bytes(spoilt[:-50])):
        path.write_bytes(content)
        with pytest.raises(BadInput, match="not a file of tables for play"):
            play_tables(path)
    np.savez(path, masks=np.zeros(3))
    with pytest.raises(BadInput, match=r"not a file of tables for play .*archive"):
        play_tables(path)


def test_invalid_file_of_arrivals_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.zz"
    for body in (blueprint.ARRIVALS_PATH.read_bytes()[:-1000], zlib.compress(b"none")):
        path.write_bytes(body)
        with pytest.raises(BadInput, match=r"cut\.zz: not a file of reach probabilities"):
            blueprint.read_arrivals(path)


# ---- what is told --------------------------------------------------------------------------------


def test_report_on_the_draw_solution_is_printed_as_json() -> None:
    told = json.loads(solution_as_json())
    assert [*told] == [
        "value",
        "model",
        "true_value",
        "true_value_error",
        "exploitability_mb",
        "true_mb_at_least",
        "true_mb_error",
        "opens",
        "after_check",
        "facing_bet",
        "two_decks",
    ]
    assert told["model"] == "kernel"
    assert sum(told["facing_bet"].values()) == pytest.approx(1, abs=2e-4)
    assert -1 < told["value"] < 0  # the player who acts first has a disadvantage
    assert abs(told["true_value"] - told["value"]) < 0.02
    assert 0 < told["true_value_error"] < 0.005


def test_text_report_on_the_solution_states_lower_bounds() -> None:
    text = "\n".join(solution_summary(blueprint.read_head().figures))
    assert "with real deals, at least" in text
    assert "In the model, the first seat loses 0." in text
    assert "with real deals, it loses 0." in text
    assert "The dealer raises a bet" in text


@pytest.mark.prove
def test_report_has_the_charts_and_the_value_of_skill() -> None:
    text = solution_as_text()
    for words in ("aces", "facing a bet", "pat, 1", "loses 0.004 credits per hand"):
        assert words in text


@pytest.mark.prove
def test_charts_in_the_report_agree_with_the_solution() -> None:
    head, found = blueprint.read_blueprint()
    kinds = solution_figures.opening_frequencies(found[0])
    assert sum(kind.dealt for kind in kinds) == pytest.approx(1, abs=1e-5)
    opens = sum(kind.dealt * kind.opens for kind in kinds)
    assert opens == pytest.approx(head.figures.opens, abs=0.002)
    assert {kind.name: kind for kind in kinds}["three of a kind"].facing[0] == 0
    for row in solution_figures.bluff_frequencies(found):
        assert row.bluffs == pytest.approx(row.due, abs=0.004)


@pytest.mark.prove
def test_exact_draw_and_algorithm_lose_little_without_bets() -> None:
    exact, algorithm = solution_figures.exact_draw_loss(), solution_figures.algorithm_loss()
    assert exact == pytest.approx(0.004, abs=0.0005)
    assert algorithm == pytest.approx(0.0535, abs=0.002)
    nothing = np.full(len(hand_buckets.hand_buckets().deals), 31, np.uint8)
    # a player who never draws loses more than a credit
    assert solution_figures.discard_loss(nothing) > 1
