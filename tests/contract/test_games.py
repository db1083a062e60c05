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
def test_values(definition: AnyDefinition) -> None:
    checks.check_values(definition)


@by_game
@slow_seeds
def test_offers(definition: AnyDefinition, number: int) -> None:
    checks.check_offers(definition, number)


@by_game
@seeds
def test_money_and_cards(definition: AnyDefinition, number: int) -> None:
    checks.check_money_and_cards(definition, number)


@by_game
def test_short_shoes(definition: AnyDefinition) -> None:
    checks.check_short_shoes(definition)


@by_game
@slow_seeds
def test_hidden(definition: AnyDefinition, number: int) -> None:
    checks.check_hidden(definition, number)


@by_game
@slow_seeds
def test_notation(definition: AnyDefinition, number: int) -> None:
    checks.check_notation(definition, number)


@by_game
def test_words(definition: AnyDefinition) -> None:
    checks.check_words(definition)


@by_game
@seeds
def test_sayable(definition: AnyDefinition, number: int) -> None:
    checks.check_sayable(definition, number)


@by_game
@slow_seeds
def test_tally(definition: AnyDefinition, number: int) -> None:
    checks.check_tally(definition, number)


@by_game
@slow_seeds
def test_players(definition: AnyDefinition, number: int) -> None:
    checks.check_players(definition, number)


@by_game
def test_names(listing: GameListing, definition: AnyDefinition) -> None:
    assert definition.game.slug == listing.slug
    assert listing.title
    assert listing.line
