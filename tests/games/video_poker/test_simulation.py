"""The bulk simulation, replayed card by card and compared with the exact odds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.helpers.command_runner import output
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import PACK
from tui_casino.cards.hand_indexing import DEAL_COUNT, STAND_PAT, all_deals, deal_numbers
from tui_casino.engine.monte_carlo import seeded_generator
from tui_casino.games.video_poker.brains import simulation
from tui_casino.games.video_poker.brains.odds import Strategy, hold_masks, odds_of
from tui_casino.games.video_poker.brains.simulation import BulkPlayer, simulate
from tui_casino.games.video_poker.face.tally import return_error
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.games.video_poker.machine.rules import NOTHING, row_of

DOUBLE_BONUS = load("double-bonus-10-7")
JACKS_OR_BETTER = load("jacks-or-better-9-6")

Final = tuple[int, ...]

masks_of = cache(hold_masks)
every_deal = cache(all_deals)


@pytest.fixture(autouse=True)
def _tables_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "hold_masks", masks_of)
    monkeypatch.setattr(simulation, "all_deals", every_deal)


# ---- a round in plain Python, from the module's description alone ----------------------------


def nth_set(number: int, size: int) -> list[int]:
    """Return the set with this number in colexicographic order (combinatorial number system)."""
    found = []
    for k in range(size, 0, -1):
        top = k - 1
        while comb(top + 1, k) <= number:
            top += 1
        found.append(top)
        number -= comb(top, k)
    return found[::-1]


def fair_words(block: int, rounds: int, seed: int) -> Iterator[tuple[int, int]]:
    stream = seeded_generator(seed).jumped(block)
    halves = dict.fromkeys(range(rounds), (2**32, 2**32))
    while wanted := [
        place
        for place, (high, low) in halves.items()
        if high >= 1652 * 2_598_960 or low >= 559 * 7_669_695
    ]:
        for place in wanted:
            halves[place] = divmod(int(stream.random_raw()), 2**32)
    yield from halves.values()


def replay(
    masks: npt.NDArray[np.uint8], block: int, rounds: int, seed: int
) -> Iterator[tuple[list[int], int, Final]]:
    """Yield the deal, the hold mask and the final hand of each round of a block."""
    for high, low in fair_words(block, rounds, seed):
        number = high // 1652
        dealt = nth_set(number, 5)
        mask = int(masks[number])
        others = [card.index for card in PACK if card.index not in dealt]
        gaps = [place for place in range(5) if not mask >> place & 1]
        group = 559 * 7_669_695 // comb(47, len(gaps))
        final = list(dealt)
        for gap, other in zip(gaps, nth_set(low // group, len(gaps)), strict=True):
            final[gap] = others[other]
        yield dealt, mask, tuple(final)


@pytest.mark.parametrize("strategy", ["list", "optimal"])
def test_simulated_video_poker_hands_equal_a_replay_of_the_random_words(strategy: Strategy) -> None:
    masks = masks_of(DOUBLE_BONUS, 5, strategy)
    final = BulkPlayer.from_masks(masks).final_hands(seeded_generator(8).jumped(3), 1000)
    rounds = list(replay(masks, 3, 1000, 8))
    assert [tuple(hand) for hand in final.T.tolist()] == [hand for _, _, hand in rounds]
    for dealt, mask, hand in rounds:
        held = {card for place, card in enumerate(dealt) if mask >> place & 1}
        assert len(set(hand)) == 5
        assert set(dealt) & set(hand) == held
    assert {mask.bit_count() for _, mask, _ in rounds} == set(range(6))


def test_random_words_that_would_bias_a_hand_are_discarded() -> None:
    raw = seeded_generator(8).jumped(3).random_raw(2000).tolist()
    kept = [high << 32 | low for high, low in fair_words(3, 2000, 8)]
    assert 0 < sum(before != after for before, after in zip(raw, kept, strict=True)) < 20


def test_simulated_counts_over_several_blocks_equal_hands_by_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation, "ROUNDS_PER_BLOCK", 500)
    masks = masks_of(JACKS_OR_BETTER, 1, "optimal")
    counts: Counter[str] = Counter()
    for block, rounds in enumerate((500, 500, 45)):
        for _, _, final in replay(masks, block, rounds, -7):
            row = row_of(JACKS_OR_BETTER, [PACK[index] for index in final], 1)
            counts[row.name if row else NOTHING] += 1
    played = simulate(JACKS_OR_BETTER, 1, 1045, "optimal", seed=-7)
    assert {row: count for row, count in played.counts.items() if count} == counts


# ---- chance ----------------------------------------------------------------------------------


def assert_chi_square(statistic: float, freedom: int) -> None:
    assert abs(statistic - freedom) < 4.5 * sqrt(2 * freedom)


def assert_uniform(often: npt.NDArray[np.int64], cells: int) -> None:
    assert len(often) == cells
    expected = often.sum() / cells
    assert_chi_square(float(((often - expected) ** 2).sum()) / expected, cells - 1)


@pytest.fixture(scope="module")
def dealt() -> npt.NDArray[np.uint8]:
    """The first million deals of seed 1, as a player sees them who holds all cards."""
    return BulkPlayer.from_masks(np.full(DEAL_COUNT, STAND_PAT, np.uint8)).final_hands(
        seeded_generator(1), 1_000_000
    )


def test_simulated_video_poker_deals_are_uniformly_distributed(
    dealt: npt.NDArray[np.uint8],
) -> None:
    assert_uniform(np.bincount(deal_numbers(dealt.T) // 1040), DEAL_COUNT // 1040)


@pytest.mark.parametrize(
    "mask", [0b00000, 0b10010, 0b01101, 0b11101], ids=labelled("hold mask {:05b}")
)
def test_replacements_are_uniform_among_the_47_others(
    dealt: npt.NDArray[np.uint8], mask: int
) -> None:
    final = BulkPlayer.from_masks(np.full(DEAL_COUNT, mask, np.uint8)).final_hands(
        seeded_generator(1), 1_000_000
    )
    held = [place for place in range(5) if mask >> place & 1]
    gaps = [place for place in range(5) if not mask >> place & 1]
    assert (final[held] == dealt[held]).all()
    drawn = final[gaps]
    assert (drawn[1:] > drawn[:-1]).all()
    assert not (drawn[:, None] == dealt).any()

    among_others = drawn - (dealt < drawn[:, None]).sum(axis=1)
    often = np.bincount(among_others.ravel(), minlength=47)
    n, p = drawn.shape[1], len(gaps) / 47
    # with k of 47 drawn, the counts have variance n p (1 - p) and sum to n k
    spread = float(((often - n * p) ** 2).sum()) / (n * p * (1 - p)) * 46 / 47
    assert_chi_square(spread, 46)
    if len(gaps) == 2:
        lower, higher = among_others.astype(np.int32)
        assert_uniform(np.bincount(higher * (higher - 1) // 2 + lower), comb(47, 2))


@pytest.mark.parametrize("strategy", ["list", "optimal"])
def test_million_deals_agree_with_the_exact_odds(strategy: Strategy) -> None:
    exact = odds_of(DOUBLE_BONUS, 5).report(strategy)
    played = simulate(DOUBLE_BONUS, 5, 1_000_000, strategy, seed=2024)
    assert played.deals == sum(played.counts.values()) == 1_000_000
    for row, count in exact.hands.items():
        chance = count / exact.total
        error = sqrt(1_000_000 * chance * (1 - chance))
        assert abs(played.counts[row] - 1_000_000 * chance) < 4.5 * error, row


# ---- seeds, jobs, progress -------------------------------------------------------------------


def test_simulation_of_seed_1_has_the_same_counts_as_in_earlier_versions() -> None:
    played = simulate(DOUBLE_BONUS, 5, 10_000, seed=1)
    assert list(played.counts.values()) == [0, 3, 1, 5, 10, 93, 162, 153, 758, 1266, 1885, 5664]


def test_any_whole_number_is_a_seed_with_its_own_random_words() -> None:
    seeds = [0, 1, -1, 2, -2, 2**64, -(2**64), 2**128, 10**5000, -(10**5000)]
    assert len({int(seeded_generator(seed).random_raw()) for seed in seeds}) == len(seeds)


def test_zero_deals_give_an_empty_result() -> None:
    told: list[int] = []
    played = simulate(DOUBLE_BONUS, 3, 0, seed=1, progress=told.append)
    assert list(played.counts) == [*(row.name for row in DOUBLE_BONUS.rows), NOTHING]
    assert (played.deals, played.coins, told) == (0, 3, [])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"deals": -1}, "the number of deals must be 0 or more, not -1"),
        ({"coins": 0}, "a bet is 1 to 5 coins, not 0"),
        ({"coins": 6}, "a bet is 1 to 5 coins, not 6"),
        ({"strategy": "luck"}, "'luck' is not a strategy; give optimal or list"),
    ],
    ids=value_id,
)
def test_simulation_refuses_numbers_of_deals_or_coins_out_of_range(
    wrong: dict[str, Any], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        simulate(**{"table": DOUBLE_BONUS, "coins": 5, "deals": 10, **wrong})


def test_standard_error_of_a_simulated_return_equals_a_hand_calculation() -> None:
    """Pays 5, 5, 0, 0 on bets of 5: mean 2.5, variance 25 / 3, error of the mean 2.5 / √3."""
    counts = {"JACKS OR BETTER": 2, NOTHING: 2}
    assert return_error(JACKS_OR_BETTER, 5, counts) == pytest.approx(50 / sqrt(3))
    assert return_error(JACKS_OR_BETTER, 5, {NOTHING: 1}) is None


def test_simulation_as_json_states_the_standard_error_of_its_return() -> None:
    """The error of 20,000 rounds agrees with the variance that the exact odds give."""
    command = "video-poker", "-s", "0", "5", "20000", "--seed", "1", "--json"
    said = json.loads(output(*command).out)
    exact = 100 * sqrt(odds_of(DOUBLE_BONUS, 5).report("list").variance / 20_000)
    assert 0.5 * exact < said["standard_error_percent"] < 1.5 * exact
