"""Levels and styles derived from the blueprint, the exploiter, and matches between policies."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.build_data.five_card_draw.matches import (
    MatchResult,
    first_seat_winnings,
    play_match,
)
from tests.build_data.five_card_draw.sampled_deals import deal
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import value_id
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.equilibrium import blueprint
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import DEALER, FIRST
from tui_casino.games.five_card_draw.brains.equilibrium.player_profiles import (
    LEVELS,
    STYLES,
    PlayerProfile,
    derive_policies,
    profile_of,
)
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import DecisionPoint, Policies
from tui_casino.games.five_card_draw.brains.levels import (
    ANY,
    BLUEPRINT_LEVELS,
    EXPLOITER,
    MIXED,
    PLAYERS,
    is_hidden,
    level_of,
    seats_of,
)
from tui_casino.games.five_card_draw.face import command
from tui_casino.games.five_card_draw.face.table_catalog import TABLES
from tui_casino.games.five_card_draw.machine.state import Options, Stakes
from tui_casino.inputs.errors import BadInput

FACING = DecisionPoint("closing", "b")
OPENS = DecisionPoint("opening", "")
FOLD, BET = 0, 1


@cache
def solution() -> Policies:
    return blueprint.read_blueprint()[1][0]


@cache
def styled(style: str) -> Policies:
    return derive_policies(solution(), profile_of("strong", style))


# ---- policies ------------------------------------------------------------------------------------


def test_blueprint_levels_have_decreasing_blur_down_to_zero() -> None:
    assert tuple(LEVELS) == BLUEPRINT_LEVELS
    blurs = [character.blur for character in LEVELS.values()]
    assert blurs == sorted(blurs, reverse=True)
    assert blurs[-1] == 0


def test_profile_without_blur_and_bonus_equals_the_blueprint() -> None:
    same = derive_policies(solution(), PlayerProfile())
    for policy, of in zip(same, solution(), strict=True):
        for place in policy:
            np.testing.assert_allclose(policy[place], of[place], atol=1e-6)


def test_action_frequencies_of_style_players_add_up_to_1() -> None:
    for policy in derive_policies(solution(), PlayerProfile(0.3, STYLES["tight"])):
        for shares in policy.values():
            np.testing.assert_allclose(shares.sum(axis=0), 1, atol=1e-4)
            assert (shares >= 0).all()


def test_blurred_policy_has_fewer_than_half_as_many_certain_choices() -> None:
    pure = np.mean(np.isclose(solution()[FIRST][OPENS], 1))
    blurred = np.mean(np.isclose(derive_policies(solution(), PlayerProfile(0.3))[FIRST][OPENS], 1))
    assert blurred < pure / 2


def test_loose_folds_less_than_tight_and_passive_bets_less_than_aggressive() -> None:
    folds = {style: styled(style)[DEALER][FACING][FOLD].mean() for style in STYLES}
    opens = {style: styled(style)[FIRST][OPENS][BET].mean() for style in STYLES}
    usual = derive_policies(solution(), LEVELS["strong"])
    assert folds["loose"] < usual[DEALER][FACING][FOLD].mean() < folds["tight"]
    assert opens["passive"] < usual[FIRST][OPENS][BET].mean() < opens["aggressive"]


# ---- matches -------------------------------------------------------------------------------------


def test_match_of_the_solution_against_itself_is_even() -> None:
    found = play_match(solution(), solution(), 300)
    assert found.credits == pytest.approx(0, abs=1e-6)
    assert not MatchResult(0.1, 0.2).is_significant
    assert MatchResult(-0.3, 0.2).is_significant


def test_player_who_always_folds_loses_the_ante_in_a_match() -> None:
    """Worked out by hand: the first seat checks, and folds to the first bet."""
    folding = tuple(
        {place: np.zeros_like(shares) for place, shares in policy.items()} for policy in solution()
    )
    betting = tuple(
        {place: np.zeros_like(shares) for place, shares in policy.items()} for policy in solution()
    )
    for policy in (*folding, *betting):
        for shares in policy.values():
            shares[0] = 1
    for policy in betting:
        for name in ("", "k"):
            if (place := DecisionPoint("opening", name)) in policy:
                policy[place][0], policy[place][1] = 0, 1
    sides = deal(50, 3)
    np.testing.assert_allclose(first_seat_winnings(folding[FIRST], betting[DEALER], sides), -0.5)
    np.testing.assert_allclose(first_seat_winnings(betting[FIRST], folding[DEALER], sides), 0.5)


@pytest.mark.prove
def test_each_blueprint_level_beats_the_one_below() -> None:
    played = [derive_policies(solution(), character) for character in LEVELS.values()]
    for below, above in pairwise(played):
        found = play_match(above, below, 20_000)
        assert found.is_significant
        assert found.credits > 0


@pytest.mark.prove
def test_every_style_loses_to_the_blueprint() -> None:
    for style in STYLES:
        found = play_match(styled(style), solution(), 20_000)
        assert found.credits < 0
        assert found.is_significant


# ---- players -------------------------------------------------------------------------------------


def play(names: tuple[str, ...], number: int, stakes: Stakes = Stakes.LIMIT) -> Any:
    options = Options(opponents=len(names) - 1, stakes=stakes)
    players = {Seat(seat): PLAYERS[name]() for seat, name in enumerate(names)}
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, options, ShuffledShoe(), SeededSource(number), players
    )
    for _ in range(3):
        played = table.state.played
        while table.state.played == played or table.state.phase.value != "rest":
            table.advance()
    assert not table.bus.faults
    return table.state


@pytest.mark.parametrize(
    "names",
    [
        ("strong", "casual-tight"),
        ("exploiter", "regular-any.hidden"),
        ("exploiter.2", "regular-any.hidden"),
        ("blueprint", "novice-loose", "tight.2"),
        ("blueprint-aggressive", "regular-passive", "strong", "exploiter"),
    ],
    ids=value_id,
)
def test_style_players_keep_all_chips_and_play_the_same_again(names: tuple[str, ...]) -> None:
    state = play(names, 5)
    assert sum(state.stacks) == 400 * len(names)
    assert play(names, 5) == state


def test_style_players_can_play_without_betting() -> None:
    assert play(("blueprint", "novice"), 1, Stakes.ANTE).played == 3


# ---- how one sits down ---------------------------------------------------------------------------


def test_level_and_style_names_select_the_players_of_all_seats() -> None:
    assert [*seats_of(2, "strong", "tight").values()] == [None, "strong-tight", "strong-tight"]
    mixed = [*seats_of(3, "casual", MIXED).values()]
    assert mixed == [None, "casual-tight", "casual-loose", "casual-aggressive"]
    hidden = not_none(seats_of(1, "strong", ANY, hidden=True)[Seat(1)])
    assert is_hidden(hidden)
    assert hidden in PLAYERS
    assert level_of("strong-tight") == "strong tight"
    assert not is_hidden("strong-tight")
    for level in BLUEPRINT_LEVELS:
        for style in ("", *STYLES, ANY, MIXED):
            for hides in (False, True):
                names = {*seats_of(3, level, style, hidden=hides).values()} - {None}
                assert names <= {*PLAYERS}


def seated(*words: str) -> TableSetup[Options]:
    parser = ArgumentParser()
    command.add_arguments(parser)
    parser.add_argument("--console", action="store_true")
    return command.seating(parser.parse_args(words))


def test_command_seats_players_by_level_and_style() -> None:
    limit = ("--stakes", "limit", "--opponents", "2")
    players = seated(*limit, "--level", "strong", "--style", "loose").players
    assert [*players.values()] == [None, "strong-loose", "strong-loose"]
    players = seated(*limit, "--level", "tight", "--hidden").players
    assert [*players.values()] == [None, "tight.2.hidden", "tight.2.hidden"]
    players = seated(*limit, "--level", EXPLOITER).players
    assert [*players.values()] == [None, "exploiter.2", "exploiter.2"]


def test_command_refuses_levels_and_styles_without_a_table() -> None:
    with pytest.raises(BadInput, match=r"strong needs --stakes limit$"):
        seated("--level", "strong")
    with pytest.raises(BadInput, match="loose needs --stakes limit --level novice"):
        seated("--stakes", "limit", "--level", "tight", "--style", "loose")


def test_menu_asks_for_the_style_of_opponents_after_their_level() -> None:
    levels = not_none(TABLES.choices["limit-2"].variants)
    styles = not_none(levels.choices["strong"].variants)
    assert [*styles.setup("tight").players.values()][1:] == ["strong-tight"] * 2
    hidden = [*styles.setup(ANY).players.values()][1:]
    assert all(name is not None and is_hidden(name) for name in hidden)
    assert levels.choices["tight"].variants is None
