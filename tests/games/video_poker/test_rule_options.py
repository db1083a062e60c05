"""A new option of a pay table: the machine, the odds and the advice follow it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from tui_casino.cards.card import Card, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.games.video_poker.brains import adviser, hand_odds, odds, reasons, simulation
from tui_casino.games.video_poker.brains.hand_odds import HandOdds
from tui_casino.games.video_poker.brains.simulation import simulate
from tui_casino.games.video_poker.face.odds_report import as_json, as_text
from tui_casino.games.video_poker.machine import game, rules
from tui_casino.games.video_poker.machine.game import Hold, Options, Phase, RoundPaid, State
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.games.video_poker.machine.rules import PayTable, Row

SEAT = Seat(0)
TENS = parse_hand("TC TD 4H 8S 2D")
JACKS = parse_hand("JC JD 4H 8S 2D")
PLAIN = load("jacks-or-better-9-6")


class HouseRow(Row, frozen=True):
    """A row with one more option: a bonus in credits per coin."""

    bonus: int = 0

    def pay(self, coins: int) -> int:
        """Return the credits paid, with the bonus."""
        return super().pay(coins) + coins * self.bonus


class HouseTable(PayTable, frozen=True):
    """A pay table with one more option: pairs of tens count as jacks."""

    pays_tens: bool = False


def house_row_of(table: PayTable, hand: Sequence[Card], coins: int) -> Row | None:
    """Return the row of a hand; with the option, a pair of tens fits the lowest one."""
    row = plain_row_of(table, hand, coins)
    if row is None and isinstance(table, HouseTable) and table.pays_tens:
        return table.rows[-1] if rules.fits("TENS OR BETTER", hand) else None
    return row


plain_row_of = rules.row_of


@pytest.fixture(autouse=True)
def _options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules know the option, wherever the row of a hand is read."""
    for module in (rules, game, hand_odds, simulation, reasons):
        monkeypatch.setattr(module, "row_of", house_row_of)


def house(*, bonus: int = 0, pays_tens: bool = False) -> PayTable:
    """Return the plain table with a bonus on its lowest row, or with pairs of tens."""
    *others, lowest = PLAIN.rows
    rows = (*others, HouseRow(lowest.name, lowest.pays, bonus))
    return HouseTable(PLAIN.name, PLAIN.title, rows, pays_tens)


def holding(table: PayTable) -> State:
    """Return the machine after a deal of two tens at one coin."""
    return State(Options(paytable=table), 100, 47, Phase.HOLD, 1, 1, TENS)


PAID = RoundPaid(TENS, None, 1, 0, 100)

FIGURES: dict[str, Callable[[PayTable], object]] = {
    "the odds of a hand": lambda table: HandOdds(table, 1).holds(TENS),
    "the odds of a hand from tables": lambda table: odds.Odds(table, 1).holds(TENS),
    "the return": lambda table: odds.Odds(table, 1).report("optimal").credits,
    "the EV of each hold": lambda table: adviser.action_values(holding(table), SEAT),
    "the list of holds": lambda table: adviser.rank_holds(table, TENS, 1),
    "the EV of a round": lambda table: adviser.expect(Options(paytable=table), PAID),
    "the distribution of a round": lambda table: adviser.distribution(
        Options(paytable=table), PAID
    ),
    "the report": lambda table: as_text(table, 1),
    "the report as JSON": lambda table: as_json(table, 1),
}


@pytest.mark.parametrize(
    "table", [house(bonus=1), house(pays_tens=True)], ids=["a bonus", "pairs of tens"]
)
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_new_option_changes_odds_and_advice(
    figure: Callable[[PayTable], object], table: PayTable
) -> None:
    assert figure(house()) != figure(table)


def test_simulation_counts_pairs_of_tens_in_their_row() -> None:
    counts = [
        simulate(table, 1, 20_000, seed=3).counts for table in (house(), house(pays_tens=True))
    ]
    assert counts[0]["JACKS OR BETTER"] < counts[1]["JACKS OR BETTER"]


@pytest.mark.parametrize(
    ("table", "hand", "won"),
    [
        (house(), JACKS, 1),
        (house(bonus=1), JACKS, 2),
        (house(), TENS, 0),
        (house(pays_tens=True), TENS, 1),
    ],
    ids=["jacks", "jacks with a bonus", "tens", "tens that count as jacks"],
)
def test_machine_pays_what_the_odds_expect(
    table: PayTable, hand: tuple[Card, ...], won: int
) -> None:
    """Hold all cards, so that the hand is paid as it was dealt."""
    state = State(Options(paytable=table), 100, 47, Phase.HOLD, 1, 1, hand)
    paid = game.step(state, SEAT, Hold((1, 2, 3, 4, 5))).events[-1]
    assert isinstance(paid, RoundPaid)
    assert paid.won == won
    for exact in (HandOdds(table, 1), odds.Odds(table, 1)):
        assert exact.outcomes(hand, (1, 2, 3, 4, 5)).credits == Fraction(won)
