"""The bulk simulation compared with exact chances, the game's machine, and perfect play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import islice
from math import sqrt
from typing import Any

import numpy as np
import pytest

from tests.games.thirty_one.infinite_shoe import (
    BET,
    Best,
    by_the_best_play,
    by_the_dealers_rule,
    endless,
    gains,
    machine_rounds,
)
from tests.games.thirty_one.simple_rules import counted
from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.quick_cases import first_of
from tui_casino.cards.card import RANKS, Rank
from tui_casino.engine.monte_carlo import seeded_generator
from tui_casino.games.thirty_one.brains.dealer_simulation import (
    KINDS,
    NOT_PLAYED,
    SESSION,
    DealerBattle,
    FiniteShoes,
    Lanes,
    Places,
    play_rounds,
    run_battle,
)
from tui_casino.games.thirty_one.brains.odds import (
    BUST,
    FINALS,
    Ending,
    battle_endings,
    battle_return,
    game_ev,
    house_edge,
)
from tui_casino.games.thirty_one.face.odds_report import battle_report, battle_text
from tui_casino.games.thirty_one.machine.rules import VALUES, Odds, Rules
from tui_casino.structs import replace

USUAL = Rules()
SOFT = Rules(dealer_hits_soft=True)


# ---- the machine, round by round -------------------------------------------------------------


class Known:
    """A shoe with known cards for each lane."""

    def __init__(self, ranks: np.ndarray[Any, np.dtype[np.int64]]) -> None:
        self._values = np.minimum(ranks, 10).astype(np.uint8)
        self.dealt = np.zeros(len(ranks), np.int64)

    def begin(self) -> None:
        pass

    def draw(self, lanes: Lanes) -> Places:
        values: Places = self._values[lanes, self.dealt[lanes]]
        self.dealt[lanes] += 1
        return values


@pytest.mark.parametrize("rounds", first_of([500, 50_000]), ids=labelled("{} rounds"))
@pytest.mark.parametrize("rules", [USUAL, SOFT], ids=value_id)
def test_simulation_and_game_agree_on_the_same_cards(rounds: int, rules: Rules) -> None:
    ranks = np.random.default_rng(31).integers(1, 14, (rounds, 64))
    shoes = Known(ranks)
    ends = play_rounds(shoes, rounds, rules)
    for row, end, dealt in zip(ranks.tolist(), ends.tolist(), shoes.dealt.tolist(), strict=True):
        cards: Iterator[Rank] = map(Rank, row)
        over = next(machine_rounds(rules, cards, by_the_dealers_rule))
        ours, theirs = divmod(end, KINDS[1])
        hand = over.hands[0]
        values = [VALUES[card.rank] for card in hand.cards]
        assert FINALS[ours] == min(counted(values)[0], BUST)
        if theirs == NOT_PLAYED:
            assert (len(over.dealer), hand.back) == (1, 0)
        else:
            assert FINALS[theirs] == min(hand.against, BUST)
        assert dealt == len(values) + len(over.dealer)
        back = 0 if theirs == NOT_PLAYED else battle_return((FINALS[ours], FINALS[theirs]))
        assert hand.back == back * hand.bet


# ---- the exact chances -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounds", "seed"), [(1_000_000, 31), pytest.param(100_000_000, 32, marks=pytest.mark.prove)]
)
@pytest.mark.parametrize("rules", [USUAL, SOFT], ids=value_id)
def test_simulation_of_an_infinite_shoe_agrees_with_the_exact_chances(
    rounds: int, seed: int, rules: Rules
) -> None:
    battle, exact = run_battle(rules, rounds, decks=None, seed=seed), battle_endings(rules)
    assert set(battle.ends) <= {end for end, chance in exact.items() if chance}
    for end, chance in exact.items():
        error = sqrt(battle.rounds * chance * (1 - chance))
        assert abs(battle.ends.get(end, 0) - battle.rounds * chance) <= 4.5 * error, end


OPTIONS = {
    "usual rules": USUAL,
    "hit soft 27": SOFT,
    "double on two cards only": replace(USUAL, double_two_cards=True),
    "split equal ranks only": replace(SOFT, split_same_rank=True, most_hands=3),
    "four hands": replace(USUAL, most_hands=4),
    "no double after a split": replace(USUAL, double_after_split=False, most_hands=3),
    "insurance 5:1": replace(USUAL, insurance=Odds(5)),
    "insurance 9:2": replace(SOFT, insurance=Odds(9, 2), double_two_cards=True),
}


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        ("insurance 5:1", 20_000),
        *(pytest.param(name, 120_000, marks=pytest.mark.prove) for name in OPTIONS),
    ],
)
def test_perfect_play_wins_the_exact_ev(name: str, rounds: int) -> None:
    rules = OPTIONS[name]
    found = np.fromiter(
        islice(gains(rules, endless("best"), Best(rules)), rounds), np.float64, rounds
    )
    error = float(found.std(ddof=1)) / sqrt(rounds)
    assert abs(float(found.mean()) + float(house_edge(rules))) < 4 * error


@pytest.mark.prove
@pytest.mark.parametrize(
    ("double", "split"),
    [(False, False), (True, False), (False, True)],
    ids=["neither double nor split", "only double", "only split"],
)
def test_perfect_play_without_side_actions_wins_the_exact_ev(double: bool, split: bool) -> None:
    rounds = 120_000
    best = Best(USUAL, double=double, split=split)
    found = np.fromiter(islice(gains(USUAL, endless("less"), best), rounds), np.float64, rounds)
    error = float(found.std(ddof=1)) / sqrt(rounds)
    expected = float(game_ev(USUAL, double=double, split=split))
    assert abs(float(found.mean()) - expected) < 4 * error


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        *((name, 300) for name in ("usual rules", "four hands", "insurance 5:1")),
        *(pytest.param(name, 5_000, marks=pytest.mark.prove) for name in OPTIONS),
    ],
)
def test_game_pays_perfect_play_like_the_simulation(name: str, rounds: int) -> None:
    rules, best = OPTIONS[name], Best(OPTIONS[name])
    plainly = islice(gains(rules, endless("machine"), best), rounds)
    machine = machine_rounds(rules, endless("machine"), by_the_best_play(rules, best))
    for gain, over in zip(plainly, machine, strict=False):
        assert over.won - over.wagered == round(100 * BET * gain)


# ---- the shoe --------------------------------------------------------------------------------


def test_two_decks_are_dealt_out_before_any_card_repeats() -> None:
    lanes = np.arange(50)
    shoes = FiniteShoes(seeded_generator(1), 2, len(lanes))
    dealt = np.array([shoes.draw(lanes) for _ in range(104)])
    pack = sorted(VALUES[rank] for rank in RANKS for _ in range(8))
    assert (np.sort(dealt, axis=0) == np.array(pack)[:, None]).all()
    assert len(np.unique(dealt, axis=1).T) == len(lanes)  # no two shoes are alike


@pytest.mark.parametrize(
    ("dealt", "shuffled"), [(74, False), (75, True)], ids=["30 left", "29 left"]
)
def test_a_shoe_is_shuffled_when_fewer_than_30_cards_are_left(dealt: int, shuffled: bool) -> None:
    lanes = np.arange(1)
    shoes = FiniteShoes(seeded_generator(2), 2, 1)
    before = [int(shoes.draw(lanes)[0]) for _ in range(dealt)]
    shoes.begin()
    after = [int(shoes.draw(lanes)[0]) for _ in range(30)]
    aces_to_nines = [len([v for v in before + after if v == value]) for value in range(1, 10)]
    assert (max(aces_to_nines) > 8 or len(before + after) > 104) is shuffled


def test_values_are_uniform_at_each_place_of_a_shoe() -> None:
    lanes = np.arange(50_000)
    shoes = FiniteShoes(seeded_generator(3), 2, len(lanes))
    chances = np.array([1 / 13] * 9 + [4 / 13])
    for _ in range(12):
        often = np.bincount(shoes.draw(lanes), minlength=11)[1:]
        off = (often - len(lanes) * chances) / np.sqrt(len(lanes) * chances * (1 - chances))
        assert np.abs(off).max() < 4.5


def test_second_card_is_drawn_without_the_first() -> None:
    lanes = np.arange(400_000)
    shoes = FiniteShoes(seeded_generator(4), 1, len(lanes))
    first, second = shoes.draw(lanes), shoes.draw(lanes)
    aces = (second == 1)[first == 1]
    chance = 3 / 51
    assert abs(aces.mean() - chance) < 4.5 * sqrt(chance * (1 - chance) / len(aces))


# ---- rounds, seeds, jobs, progress -----------------------------------------------------------


@pytest.mark.parametrize(
    "rounds", [1, SESSION - 1, SESSION, SESSION + 1, 1000], ids=labelled("{} rounds")
)
def test_simulation_has_the_requested_number_of_rounds(rounds: int) -> None:
    assert sum(run_battle(USUAL, rounds, seed=1).ends.values()) == rounds


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (partial(run_battle, USUAL, 0), "the number of rounds must be at least 1, not 0"),
        (partial(run_battle, USUAL, 5, decks=0), "a shoe must have at least one deck, not 0"),
    ],
    ids=["rounds", "decks"],
)
def test_simulation_refuses_zero_rounds_and_zero_decks(
    wrong: partial[DealerBattle], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        wrong()


# ---- the report ------------------------------------------------------------------------------

ENDS: dict[Ending, int] = {
    (14, 31): 10,
    (14, BUST): 50,
    (27, 27): 8,
    (27, 14): 12,
    (28, 27): 20,
    (30, 31): 40,
    (BUST, None): 60,
}


@pytest.fixture
def battle() -> DealerBattle:
    return DealerBattle(2, 7, 200, ENDS)


def test_battle_report_figures_equal_a_hand_count(battle: DealerBattle) -> None:
    report = battle_report(battle)
    errors = report.pop("standard_errors")
    assert report == {
        "rounds": 200,
        "decks": 2,
        "seed": "7",
        "wins": 70,
        "pushes": 8,
        "losses": 122,
        "ev": -52 / 200,
        "player_27": 20,
        "dealer_27": 28,
        "hands_27_share": 48 / 340,
        "player_14": 60,
        "player_14_won": 50,
        "player_14_win_share": 50 / 60,
        "wins_on_14_share": 50 / 70,
        "dealer_14_won": 12,
        "player_bust": 60,
    }
    assert errors["wins"] == pytest.approx(sqrt(0.35 * 0.65 / 200))
    assert errors["ev"] == pytest.approx(sqrt((192 / 200 - 0.26**2) / 200))
    assert errors["player_14_win_share"] == pytest.approx(sqrt(5 / 6 * 1 / 6 / 60))


def test_shares_of_14_are_zero_without_a_14() -> None:
    report = battle_report(DealerBattle(None, 1, 2, {(BUST, None): 2}))
    assert (report["player_14_win_share"], report["wins_on_14_share"]) == (0, 0)
    assert report["decks"] == "inf"
    json.dumps(report)


def test_figure_that_all_rounds_share_has_no_standard_error() -> None:
    lines = battle_text(DealerBattle(None, 1, 1, {(BUST, None): 1}), USUAL).splitlines()
    assert lines[0] == "Dealer simulation: 1 round from an infinite shoe"
    assert {line.split()[-2] for line in lines[4:]} == {"-"}


def test_stated_errors_agree_with_the_spread_of_many_simulations() -> None:
    """The spread of forty simulations agrees with the stated error."""
    reports = [battle_report(run_battle(USUAL, 2000, decks=None, seed=seed)) for seed in range(40)]
    for name in ("hands_27_share", "player_14_win_share", "ev"):
        apart = float(np.std([report[name] for report in reports], ddof=1))
        said = float(np.mean([report["standard_errors"][name] for report in reports]))
        assert 0.6 < apart / said < 1.5, name


def test_battle_report_as_text_fits_80_columns_and_has_exact_chances(battle: DealerBattle) -> None:
    greatest = dict.fromkeys(ENDS, 10**11)
    for page in (
        battle_text(battle, USUAL),
        battle_text(DealerBattle(None, -(10**18), 7 * 10**11, greatest), USUAL),
    ):
        assert max(map(len, page.splitlines())) <= 80
        assert not any(line.endswith(" ") for line in page.splitlines())
    lines = [line.split() for line in battle_text(battle, USUAL).splitlines()]
    exact = battle_endings(USUAL)
    bust = f"{float(exact[BUST, None]):.6f}"
    error = f"{sqrt(0.3 * 0.7 / 200):.6f}"
    assert ["the", "player", "is", "bust", "60", "0.300000", error, bust] in lines
