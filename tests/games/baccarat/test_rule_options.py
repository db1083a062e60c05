"""A new option of a table: the odds, the advice and the pages follow it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from tui_casino.cards.card import Card, Rank
from tui_casino.engine.game import Seat
from tui_casino.games.baccarat import DEFINITION
from tui_casino.games.baccarat.brains.adviser import next_odds, spot_values
from tui_casino.games.baccarat.brains.odds import distribution, expect, odds_of, rank_counts
from tui_casino.games.baccarat.face.advice import advice
from tui_casino.games.baccarat.face.odds_page import odds_page
from tui_casino.games.baccarat.face.odds_report import as_json, as_text
from tui_casino.games.baccarat.face.pages import BaccaratGlance
from tui_casino.games.baccarat.machine import game, rules
from tui_casino.games.baccarat.machine.rules import (
    CENTS,
    NO_BETS,
    SPOTS,
    BetSpot,
    Coup,
    CoupOutcome,
    Hand,
    Options,
)
from tui_casino.games.baccarat.machine.state import Bet, CoupOver, State
from tui_casino.tui.table.snapshot import TableSnapshot


class HouseOptions(Options, frozen=True):
    """Options with two more: what a tie pays to one, and a shoe without tens."""

    tie_pays: int = 8
    has_tens: bool = True

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of a full shoe, in some houses without the tens."""
        whole = Options(decks=self.decks).pack
        return whole if self.has_tens else tuple(c for c in whole if c.rank is not Rank.TEN)


USUAL = HouseOptions()
TIE_PAYS_9 = HouseOptions(tie_pays=9)
WITHOUT_TENS = HouseOptions(has_tens=False)

plain_payout = rules.payout


def house_payout(spot: BetSpot, credits: int, coup: Coup, options: Options) -> int:
    """Pay a tie as the option says, and everything else as the game's rules say."""
    paid = plain_payout(spot, credits, coup, options)
    if spot is not BetSpot.TIE or not paid:
        return paid
    assert isinstance(options, HouseOptions)
    return (options.tie_pays + 1) * CENTS * credits


@pytest.fixture(autouse=True)
def _options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules know the option."""
    monkeypatch.setattr(rules, "payout", house_payout)


def snapshot(options: Options) -> BaccaratGlance:
    """Return the page's input for a table with a new shoe."""
    view = game.start(options)
    return TableSnapshot(view, Seat(0), DEFINITION.tally(Seat(0)))


def over(bets: rules.Bets) -> CoupOver:
    """Return the end of a coup with these bets."""
    return CoupOver(Hand(), Hand(), CoupOutcome.TIE, bets, NO_BETS, 0)


TIE_BET = over((0, 0, 10, 0, 0))

FIGURES: dict[str, Callable[[Options], object]] = {
    "house edges": lambda house: [
        odds_of(rank_counts(house.pack)).edge(spot, house) for spot in SPOTS
    ],
    "the EV of a coup": lambda house: expect(house, TIE_BET),
    "the distribution of a coup": lambda house: distribution(house, TIE_BET),
    "the EV of each spot": lambda house: spot_values(
        finished(house), Seat(0), Bet(10, BetSpot.TIE)
    ),
    "advice": lambda house: advice(finished(house)),
    "the page of odds": lambda house: [*odds_page(snapshot(house))],
    "the report": as_text,
    "the report as JSON": as_json,
}


def finished(options: Options) -> State:
    """Return a table whose next coup comes from a new shoe."""
    view = game.start(options)
    assert view.finished
    assert next_odds(view) is not None
    return view


@pytest.mark.parametrize(
    "house", [TIE_PAYS_9, WITHOUT_TENS], ids=["a tie pays 9:1", "a shoe without tens"]
)
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_new_option_changes_odds_and_advice(
    figure: Callable[[Options], object], house: HouseOptions
) -> None:
    assert figure(USUAL) != figure(house)


def test_house_edge_of_a_tie_at_9_to_1_is_one_unit_per_tie_lower() -> None:
    shoe = odds_of(rank_counts(USUAL.pack))
    lower = shoe.edge(BetSpot.TIE, USUAL) - shoe.edge(BetSpot.TIE, TIE_PAYS_9)
    assert lower == Fraction(shoe.tie, shoe.total)


def test_coup_at_the_table_pays_the_new_option() -> None:
    tie = Coup(CoupOutcome.TIE, 6)
    assert house_payout(BetSpot.TIE, 10, tie, TIE_PAYS_9) == 100 * CENTS
    assert house_payout(BetSpot.TIE, 10, tie, USUAL) == plain_payout(BetSpot.TIE, 10, tie, USUAL)
