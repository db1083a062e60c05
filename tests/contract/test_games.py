"""Every registered game keeps the contract; a game added to the registry is tried unasked."""

from __future__ import annotations

import pytest

from tests.contract.checks import CHECKS, WITHOUT_CHANCE
from tests.helpers.quick_cases import by_game
from tui_casino.gamekit.registry import GameListing

QUICK = ("money and cards", "printed events")
"""The checks that run with every number; the others do so only in ``make prove``."""

by_check = pytest.mark.parametrize(
    ("check", "number"),
    [
        pytest.param(
            check,
            number,
            id=check if check in WITHOUT_CHANCE else f"{check}, session {number}",
            marks=pytest.mark.prove if number and check not in QUICK else (),
        )
        for check in CHECKS
        for number in range(1 if check in WITHOUT_CHANCE else 3)
    ],
)


@by_game
@by_check
def test_shipped_game_passes_every_contract_check(
    listing: GameListing, check: str, number: int
) -> None:
    CHECKS[check](listing.definition(), number)


@by_game
def test_game_listing_says_whether_the_game_has_a_daily_deal(listing: GameListing) -> None:
    assert listing.has_daily == (listing.definition().daily is not None)


@by_game
def test_game_listing_has_the_slug_of_its_definition_a_title_and_a_line(
    listing: GameListing,
) -> None:
    assert listing.definition().game.slug == listing.slug
    assert listing.title
    assert listing.line
