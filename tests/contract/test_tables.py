"""The contract of a game, kept at its other tables, too: other stakes, houses and forms of play."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.contract import checks
from tests.contract.play import AnyParts
from tui_casino.games import cribbage, five_card_draw, thirty_one
from tui_casino.games.cribbage.machine.state import Counting, Form
from tui_casino.games.cribbage.machine.state import Options as Cribbage
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.state import STACK, Stakes
from tui_casino.games.five_card_draw.machine.state import Options as FiveCardDraw
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import Options as ThirtyOne

GENEROUS = Rules(dealer_hits_soft=True, most_hands=4, insurance=Odds(43, 10))
STRICT = Rules(double_two_cards=True, split_same_rank=True, double_after_split=False)


@dataclass(frozen=True, slots=True)
class ForNothing(FiveCardDraw):
    """A table of the course: no stakes, two opponents."""

    opponents: int = 2
    stakes: Stakes = Stakes.NOTHING


@dataclass(frozen=True, slots=True)
class ForAnAnte(FiveCardDraw):
    """A table with an ante, one opponent, and little money."""

    opponents: int = 1
    stakes: Stakes = Stakes.ANTE
    credit: int = 60


@dataclass(frozen=True, slots=True)
class ShortStacks(FiveCardDraw):
    """Fixed limit, with a stack that soon runs out."""

    credit: int = 45


@dataclass(frozen=True, slots=True)
class Generous(ThirtyOne):
    """Four hands, insurance at fractional odds, and a dealer who draws to a soft 27."""

    rules: Rules = field(default_factory=lambda: GENEROUS)


@dataclass(frozen=True, slots=True)
class Strict(ThirtyOne):
    """Double and split as seldom as a house may have it."""

    rules: Rules = field(default_factory=lambda: STRICT)


@dataclass(frozen=True, slots=True)
class Poor(ThirtyOne):
    """A purse that seldom covers a side action, with odd cents."""

    credit: int = 12_345


@dataclass(frozen=True, slots=True)
class Trainer(Cribbage):
    """Two rounds, all cards face up."""

    rules: str = "trainer"
    form: Form = Form.ROUND
    games: int = 2
    open: bool = True


@dataclass(frozen=True, slots=True)
class HiddenRound(Cribbage):
    """A round in which the players count, and the other's cards are hidden."""

    form: Form = Form.ROUND
    counting: Counting = Counting.SELF


@dataclass(frozen=True, slots=True)
class Muggins(Cribbage):
    """Games in which the other scores what was missed."""

    games: int = 3
    counting: Counting = Counting.MUGGINS


TABLES: dict[type[Any], AnyParts] = {
    ForNothing: five_card_draw.PARTS,
    ForAnAnte: five_card_draw.PARTS,
    ShortStacks: five_card_draw.PARTS,
    Generous: thirty_one.PARTS,
    Strict: thirty_one.PARTS,
    Poor: thirty_one.PARTS,
    Trainer: cribbage.PARTS,
    HiddenRound: cribbage.PARTS,
    Muggins: cribbage.PARTS,
}
seeds = pytest.mark.parametrize("number", range(3))


@pytest.fixture(params=TABLES, ids=lambda options: options.__name__)
def parts(request: pytest.FixtureRequest) -> AnyParts:
    usual = TABLES[request.param]
    names = {name: getattr(usual.game, name) for name in dir(usual.game) if name[:2] != "__"}
    at_table: Any = SimpleNamespace(**{**names, "Options": request.param})
    return replace(usual, game=at_table)


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


@seeds
def test_notation(parts: AnyParts, number: int) -> None:
    """Options are the game's own class here: a line has no name for a class that a test derived."""
    options = parts.game.Options()
    told = {each.name: getattr(options, each.name) for each in fields(options)}
    usual: Any = type(options).__base__
    checks.check_notation(parts, number, usual(**told))


def test_short_shoes(parts: AnyParts) -> None:
    checks.check_short_shoes(parts)


def test_values_and_words(parts: AnyParts) -> None:
    checks.check_values(parts)
    checks.check_words(parts)


def test_all_chips_stay_at_the_table_of_draw() -> None:
    assert sum(start(FiveCardDraw()).stacks) == 4 * STACK
