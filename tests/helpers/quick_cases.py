"""Choose the cases that run at every change; the others only run in ``make prove``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

from tui_casino.gamekit.registry import GAMES

T = TypeVar("T")
by_game = pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)


def by_game_first(*slugs: str, without: str = "") -> pytest.MarkDecorator:
    """Run a test with these games at every change, and with the others in ``make prove``.

    The test does not apply to the game ``without``.
    """
    return pytest.mark.parametrize(
        "listing",
        [
            pytest.param(
                listing, id=listing.slug, marks=() if listing.slug in slugs else pytest.mark.prove
            )
            for listing in GAMES
            if listing.slug != without
        ],
    )


def first_of(cases: Iterable[T], usual: int = 1) -> list[T | ParameterSet]:
    """Return the cases: the first ones run at every change, the others only in ``make prove``."""
    every = [*cases]
    return [
        *every[:usual],
        *(pytest.param(case, marks=pytest.mark.prove) for case in every[usual:]),
    ]
