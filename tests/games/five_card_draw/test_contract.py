"""The contract of a game, kept at every table: for nothing, for an ante, with fixed limit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.contract import checks
from tests.contract.play import AnyParts
from tui_casino.games.five_card_draw import PARTS, game
from tui_casino.games.five_card_draw.game import STACK, Options, Stakes


@dataclass(frozen=True, slots=True)
class ForNothing(Options):
    """A table of the course: no stakes, two opponents."""

    opponents: int = 2
    stakes: Stakes = Stakes.NOTHING


@dataclass(frozen=True, slots=True)
class ForAnAnte(Options):
    """A table with an ante, one opponent, and little money."""

    opponents: int = 1
    stakes: Stakes = Stakes.ANTE
    credit: int = 60


@dataclass(frozen=True, slots=True)
class ShortStacks(Options):
    """Fixed limit, with a stack that soon runs out."""

    credit: int = 45


TABLES = [ForNothing, ForAnAnte, ShortStacks, Options]
seeds = pytest.mark.parametrize("number", range(6))


@pytest.fixture(params=TABLES, ids=lambda options: options.__name__)
def parts(request: pytest.FixtureRequest) -> AnyParts:
    names = {name: getattr(game, name) for name in dir(game) if not name.startswith("__")}
    at_table: Any = SimpleNamespace(**{**names, "Options": request.param})
    return replace(PARTS, game=at_table)


@seeds
def test_offers(parts: AnyParts, number: int) -> None:
    checks.check_offers(parts, number)


@seeds
def test_money_and_cards(parts: AnyParts, number: int) -> None:
    checks.check_money_and_cards(parts, number)


@seeds
def test_hidden(parts: AnyParts, number: int) -> None:
    checks.check_hidden(parts, number)


@seeds
def test_tally(parts: AnyParts, number: int) -> None:
    checks.check_tally(parts, number)


@seeds
def test_players(parts: AnyParts, number: int) -> None:
    checks.check_players(parts, number)


@seeds
def test_sayable(parts: AnyParts, number: int) -> None:
    checks.check_sayable(parts, number)


def test_short_shoes(parts: AnyParts) -> None:
    checks.check_short_shoes(parts)


def test_values_and_words(parts: AnyParts) -> None:
    checks.check_values(parts)
    checks.check_words(parts)


def test_all_chips_stay_at_the_table() -> None:
    assert sum(game.start(Options()).stacks) == 4 * STACK
