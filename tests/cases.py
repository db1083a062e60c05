"""Which cases are tried at every change, and which are left to ``make prove``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

from tui_casino.gamekit.registry import GAMES

T = TypeVar("T")
by_game = pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)


def by_game_first(*slugs: str) -> pytest.MarkDecorator:
    """Try a test with these games at every change, and with the others as proof."""
    return pytest.mark.parametrize(
        "listing",
        [
            pytest.param(
                listing, id=listing.slug, marks=() if listing.slug in slugs else pytest.mark.prove
            )
            for listing in GAMES
        ],
    )


def first_of(cases: Iterable[T], usual: int = 1) -> list[T | ParameterSet]:
    """Return cases: some of them run at every change, the others only in the proofs."""
    every = [*cases]
    return [
        *every[:usual],
        *(pytest.param(case, marks=pytest.mark.prove) for case in every[usual:]),
    ]
