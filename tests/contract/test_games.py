"""Every registered game keeps the contract; a game added to the registry is tried unasked."""

from __future__ import annotations

import pytest

from tests.contract import checks
from tests.helpers.quick_cases import by_game
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GameListing

seeds = pytest.mark.parametrize("number", range(3))
first_seed, *other_seeds = range(3)
slow_seeds = pytest.mark.parametrize(
    "number", [first_seed, *(pytest.param(n, marks=pytest.mark.prove) for n in other_seeds)]
)
"""The first in every run, the others as proof."""


@pytest.fixture
def definition(listing: GameListing) -> AnyDefinition:
    return listing.definition()


@by_game
def test_values_are_frozen_and_names_are_unique(definition: AnyDefinition) -> None:
    checks.check_values(definition)


@by_game
@slow_seeds
def test_offered_actions_are_accepted_and_others_refused(
    definition: AnyDefinition, number: int
) -> None:
    checks.check_offers(definition, number)


@by_game
@seeds
def test_money_and_cards_are_conserved(definition: AnyDefinition, number: int) -> None:
    checks.check_money_and_cards(definition, number)


@by_game
def test_game_never_asks_for_more_cards_than_the_shoe_has(definition: AnyDefinition) -> None:
    checks.check_short_shoes(definition)


@by_game
@slow_seeds
def test_hidden_cards_stay_hidden(definition: AnyDefinition, number: int) -> None:
    checks.check_hidden(definition, number)


@by_game
@slow_seeds
def test_states_are_written_and_read_back(definition: AnyDefinition, number: int) -> None:
    checks.check_notation(definition, number)


@by_game
def test_words_do_not_clash_and_are_in_the_help(definition: AnyDefinition) -> None:
    checks.check_words(definition)


@by_game
@seeds
def test_every_event_has_lines_for_every_viewer(definition: AnyDefinition, number: int) -> None:
    checks.check_sayable(definition, number)


@by_game
@slow_seeds
def test_tallies_of_two_halves_add_up(definition: AnyDefinition, number: int) -> None:
    checks.check_tally(definition, number)


@by_game
@slow_seeds
def test_computer_players_choose_only_offered_actions(
    definition: AnyDefinition, number: int
) -> None:
    checks.check_players(definition, number)


@by_game
def test_listing_and_definition_have_the_same_names(
    listing: GameListing, definition: AnyDefinition
) -> None:
    assert definition.game.slug == listing.slug
    assert listing.title
    assert listing.line
