"""The contract of a game, kept at its other tables, too: other stakes, houses and forms of play.

All tables that a game names are tried, and beside them options that stand at none.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import fields

from tests.contract.checks import CHECKS, SHOES
from tests.contract.test_games import by_check
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tests.helpers.random_play import advance, seed_of
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.event_bus import ALL_CARDS, TableUpdate
from tui_casino.engine.table import Table
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.gamekit.table_catalog import AnyTableSetup
from tui_casino.games import cribbage, five_card_draw, thirty_one
from tui_casino.games.cribbage.machine.state import CountingMode, GameForm
from tui_casino.games.cribbage.machine.state import Options as Cribbage
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.state import STACK, Stakes
from tui_casino.games.five_card_draw.machine.state import Options as FiveCardDraw
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import Options as ThirtyOne
from tui_casino.records.codec import build_struct, decode, encode, to_builtins
from tui_casino.structs import replace

GENEROUS = Rules(dealer_hits_soft=True, most_hands=4, insurance=Odds(43, 10))
STRICT = Rules(double_two_cards=True, split_same_rank=True, double_after_split=False)


class ForNothing(FiveCardDraw, frozen=True):
    """A table of the course: no stakes, two opponents."""

    opponents: int = 2
    stakes: Stakes = Stakes.NOTHING


class ForAnAnte(FiveCardDraw, frozen=True):
    """A table with an ante, one opponent, and little money."""

    opponents: int = 1
    stakes: Stakes = Stakes.ANTE
    credit: int = 60


class ShortStacks(FiveCardDraw, frozen=True):
    """Fixed limit, with a stack that soon runs out."""

    credit: int = 45


class Generous(ThirtyOne, frozen=True):
    """Four hands, insurance at fractional odds, and a dealer who draws to a soft 27."""

    rules: Rules = field(default_factory=lambda: GENEROUS)


class Strict(ThirtyOne, frozen=True):
    """Double and split as seldom as a house may have it."""

    rules: Rules = field(default_factory=lambda: STRICT)


class Poor(ThirtyOne, frozen=True):
    """A purse that seldom covers a side action, with odd cents."""

    credit: int = 12_345


class Trainer(Cribbage, frozen=True):
    """Two rounds, all cards face up."""

    rules: str = "trainer"
    form: GameForm = GameForm.ROUND
    games: int = 2
    open: bool = True


class HiddenRound(Cribbage, frozen=True):
    """A round in which the players count, and the other's cards are hidden."""

    form: GameForm = GameForm.ROUND
    counting: CountingMode = CountingMode.SELF


class Muggins(Cribbage, frozen=True):
    """Games in which the other scores what was missed."""

    games: int = 3
    counting: CountingMode = CountingMode.MUGGINS


TABLES: dict[type[Any], AnyDefinition] = {
    ForAnAnte: five_card_draw.DEFINITION,
    Generous: thirty_one.DEFINITION,
    Muggins: cribbage.DEFINITION,
    ForNothing: five_card_draw.DEFINITION,
    ShortStacks: five_card_draw.DEFINITION,
    Strict: thirty_one.DEFINITION,
    Poor: thirty_one.DEFINITION,
    Trainer: cribbage.DEFINITION,
    HiddenRound: cribbage.DEFINITION,
}
"""The first, one of each game, are tried at every change, and the others as proof."""


@pytest.fixture(params=first_of(TABLES, 3), ids=lambda options: options.__name__)
def definition(request: pytest.FixtureRequest) -> AnyDefinition:
    return with_options(TABLES[request.param], request.param)


def with_options(usual: AnyDefinition, options: Callable[[], Any]) -> AnyDefinition:
    """Give the game with other options than its usual ones."""
    names = {name: getattr(usual.game, name) for name in dir(usual.game) if name[:2] != "__"}
    at_table: Any = SimpleNamespace(**{**names, "Options": options})
    return replace(usual, game=at_table)


@by_check
def test_game_with_changed_options_passes_every_contract_check(
    definition: AnyDefinition, check: str, number: int
) -> None:
    given: dict[str, Any] = {}
    if check == "states as JSON":  # JSON has no name for a class that a test derived
        options = definition.game.Options()
        told = {each.name: getattr(options, each.name) for each in fields(options)}
        usual: Any = type(options).__base__
        given["options"] = usual(**told)
    CHECKS[check](definition, number, **given)


def test_stacks_at_the_five_card_draw_table_add_up_to_four_buy_ins() -> None:
    assert sum(start(FiveCardDraw()).stacks) == 4 * STACK


# ---- the tables that have a name -----------------------------------------------------------------


class Named(Struct, frozen=True):
    """A table that can be chosen."""

    listing: GameListing
    name: str

    def __str__(self) -> str:
        return f"{self.listing.slug}-{self.name}"

    def seating(self) -> AnyTableSetup:
        """Sit down; the file that a table asks for is given by the game's own tests."""
        tables = self.listing.tables()
        table = tables.choices[self.name]
        if table.file_request is None:
            return tables.setup(self.name)
        folder = self.listing.slug.replace("-", "_")
        answers = import_module(f"tests.games.{folder}.tables").ASKED
        return table.setup(tables.options(), answers[self.name])


NAMED = [Named(listing, name) for listing in GAMES for name in listing.tables().choices]
STEPS = 150
by_table = pytest.mark.parametrize("named", NAMED, ids=str)
LESS: dict[str, Any] = {
    **dict.fromkeys(
        ("offers", "money and cards", "hidden cards", "states as JSON", "printed events"), 40
    ),
    "tally sums": 60,
    "short shoe": SHOES[::8],
}
"""Fewer steps or shoes for the checks that take long."""


@by_table
@pytest.mark.parametrize(
    ("check", "less"),
    [
        *(
            pytest.param(check, True, id=check)
            for check in CHECKS
            if check not in ("frozen values", "computer players")
        ),
        *(
            pytest.param(check, False, id=f"{check}, all steps", marks=pytest.mark.prove)
            for check in LESS
        ),
    ],
)
def test_named_table_passes_every_contract_check(named: Named, check: str, less: bool) -> None:
    options = named.seating().options
    definition = with_options(named.listing.definition(), lambda: options)
    CHECKS[check](definition, 3, *([LESS[check]] if less and check in LESS else []))


@by_table
@pytest.mark.parametrize("number", first_of(range(3)), ids=labelled("session {}"))
def test_money_of_each_seat_at_a_named_table_equals_won_minus_wagered(
    named: Named, number: int
) -> None:
    """By the croupier and the chance of the table, a human at random; no money comes or goes."""
    definition, seating = named.listing.definition(), named.seating()
    game, seed = definition.game, seed_of(number)
    source = seating.source(number) if seating.source else CommittedSource(seed)
    players = {
        seat: None if name is None else definition.players[name]()
        for seat, name in seating.players.items()
    }
    table = Table(game, seating.options, seating.croupier, source, players)
    tallies = {seat: definition.tally(seat) for seat in players}
    opening = {seat: game.money(table.state, seat).free for seat in players}

    def hear(told: TableUpdate[Any, Any]) -> None:
        for seat in players:
            for event in told.events:
                tallies[seat] = tallies[seat].add(game.hear(told.state, event, seat))

    table.bus.subscribe(ALL_CARDS, hear)
    for step in range(STEPS):
        if not advance(table, seed):
            assert step, "nothing was played"
            break
        for seat, tally in tallies.items():
            money = game.money(table.state, seat)
            should = opening[seat] + tally.won - tally.wagered
            assert money.free + money.staked == should, "money changed without the tally"


@by_table
def test_named_table_has_loggable_options_and_a_known_player_per_seat(named: Named) -> None:
    """Options that can be written into a log, and players of the game, one for each seat."""
    seating, definition = named.seating(), named.listing.definition()
    options = seating.options
    assert isinstance(options, definition.game.Options)
    assert (
        build_struct(decode(encode(to_builtins(options)), dict), definition.game.Options) == options
    )
    assert named.seating().options == options
    assert [*seating.players] == [*range(definition.game.seats(options))]
    assert {*seating.players.values()} <= {None, *definition.players}


def test_default_table_is_a_named_table() -> None:
    for listing in GAMES:
        assert listing.tables().default in listing.tables().choices
