"""Every registered game keeps the contract; a game added to the registry is tried unasked."""

from __future__ import annotations

import pytest

from tests.cases import by_game
from tui_casino.gamekit.parts import AnyParts
from tui_casino.gamekit.registry import Listing

from . import checks

seeds = pytest.mark.parametrize("number", range(3))
first_seed, *other_seeds = range(3)
slow_seeds = pytest.mark.parametrize(
    "number", [first_seed, *(pytest.param(n, marks=pytest.mark.prove) for n in other_seeds)]
)
"""The first in every run, the others as proof."""


@pytest.fixture
def parts(listing: Listing) -> AnyParts:
    return listing.parts()


@by_game
def test_values(parts: AnyParts) -> None:
    checks.check_values(parts)


@by_game
@slow_seeds
def test_offers(parts: AnyParts, number: int) -> None:
    checks.check_offers(parts, number)


@by_game
@seeds
def test_money_and_cards(parts: AnyParts, number: int) -> None:
    checks.check_money_and_cards(parts, number)


@by_game
def test_short_shoes(parts: AnyParts) -> None:
    checks.check_short_shoes(parts)


@by_game
@slow_seeds
def test_hidden(parts: AnyParts, number: int) -> None:
    checks.check_hidden(parts, number)


@by_game
@slow_seeds
def test_notation(parts: AnyParts, number: int) -> None:
    checks.check_notation(parts, number)


@by_game
def test_words(parts: AnyParts) -> None:
    checks.check_words(parts)


@by_game
@seeds
def test_sayable(parts: AnyParts, number: int) -> None:
    checks.check_sayable(parts, number)


@by_game
@slow_seeds
def test_tally(parts: AnyParts, number: int) -> None:
    checks.check_tally(parts, number)


@by_game
@slow_seeds
def test_players(parts: AnyParts, number: int) -> None:
    checks.check_players(parts, number)


@by_game
def test_names(listing: Listing, parts: AnyParts) -> None:
    assert parts.game.slug == listing.slug
    assert listing.title
    assert listing.line
