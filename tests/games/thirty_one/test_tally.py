"""The statistics of Hit Me: every figure from rounds that can be counted by hand."""

from __future__ import annotations

import csv
import json
from functools import reduce
from itertools import groupby
from operator import add
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.games.thirty_one.tables import dealt
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.face.tally import RunLengths, Tally, begin
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.state import (
    Action,
    Decline,
    Event,
    Hit,
    Options,
    RoundOver,
    State,
    Stood,
)
from tui_casino.records.export import export_report

ROUNDS = (  # cards, and the words of a round
    ("9C TD 5H KD TS", "hs"),  # stood on 14, the dealer bust: won
    ("9C TD 5D KC AD", "hs"),  # stood on 14, the dealer has 31: lost
    ("9C TD 4D", "s"),  # lost to the dealer's 14
    ("9C TD KH TS 5C", "hhh"),  # bust, so the dealer does not draw
    ("9C TD KH 8S KD 7D", "hhs"),  # 27 each: a push
    ("9C AD TS KD", "is"),  # 9 against 31, insured: even
)


def tally_of_all() -> Tally:
    total = Tally()
    for cards, words in ROUNDS:
        table = dealt(cards + " 2C" * 5)
        table.play("b 20", *words)
        total += table.tally
    return total


def test_every_figure_of_the_hit_me_tally_equals_a_hand_count() -> None:
    tally = tally_of_all()
    report = tally.report()
    assert report["rounds"] == report["hands"] == 6
    assert (report["wins"], report["pushes"], report["losses"]) == (1, 1, 4)
    assert (report["player_14"], report["player_14_won"]) == (2, 1)
    assert (report["player_14_win_share"], report["wins_on_14_share"]) == (1 / 2, 1)
    assert report["dealer_14_won"] == 1
    assert report["player_bust"] == 1
    assert (report["player_27"], report["dealer_27"]) == (1, 1)
    assert report["dealer_hands"] == 5  # the dealer did not draw after the bust
    assert report["hands_27_share"] == 2 / 11
    assert report["wagered"] == 7 * 2_000
    assert report["won"] == 4_000 + 2_000 + 4_000
    assert report["net"] == -4_000
    assert report["return"] == 10_000 / 14_000
    assert (report["longest_winning_run"], report["longest_losing_run"]) == (1, 3)


def test_hit_me_tally_counts_each_split_hand() -> None:
    table = dealt("9C TD 9H 5S TS TH KD 8D 4D" + " 2C" * 5)
    table.play("b 20", *"hpshs")
    report = table.tally.report()
    assert (report["rounds"], report["hands"], report["wins"]) == (1, 2, 2)
    assert (report["player_14"], report["player_14_won"]) == (1, 1)
    assert report["longest_winning_run"] == 1


def test_session_without_a_round_has_an_empty_tally() -> None:
    report = begin(Seat(0)).report()
    assert {*report.values()} == {0}


def test_round_evened_by_insurance_does_not_end_a_winning_or_losing_run() -> None:
    lost, insured = ROUNDS[2], ROUNDS[5]
    total = Tally()
    for cards, words in (lost, insured, lost):
        table = dealt(cards + " 2C" * 5)
        table.play("b 20", *words)
        total += table.tally
    assert total.won == total.wagered - 4_000  # the insured round cost nothing
    assert total.losing.longest == 3


@given(st.lists(st.booleans()), st.integers(0, 50))
def test_longest_runs_do_not_depend_on_how_sessions_are_joined(held: list[bool], cut: int) -> None:
    def runs(rounds: list[bool]) -> RunLengths:
        return reduce(add, (RunLengths(1, *[int(one)] * 3) for one in rounds), RunLengths())

    longest = max((len([*group]) for key, group in groupby(held) if key), default=0)
    assert runs(held).longest == longest
    assert runs(held[:cut]) + runs(held[cut:]) == runs(held)


def test_tally_is_exported_as_csv_and_json(tmp_path: Path) -> None:
    report = tally_of_all().report()
    export_report(report, tmp_path / "31.json")
    export_report(report, tmp_path / "31.csv")
    assert json.loads((tmp_path / "31.json").read_text()) == report
    rows = dict(csv.reader((tmp_path / "31.csv").read_text().splitlines()))
    assert rows.pop("figure") == "value"
    assert {name: float(value) for name, value in rows.items()} == report


def test_simulated_player_plays_like_a_dealer_who_hits_soft_27() -> None:
    options = Options(credit=10**9)
    players = {Seat(0): DEFINITION.players["dealer"]()}
    table: Table[Options, State, Action, Event] = Table(
        game, options, ShuffledShoe(), SeededSource(5), players
    )
    stood: list[Stood] = []
    hits = declined = rounds = 0

    def hear(actor: object, action: object, events: tuple[Event, ...]) -> None:
        nonlocal hits, declined, rounds
        declined += isinstance(action, Decline)
        rounds += sum(isinstance(event, RoundOver) for event in events)
        stood.extend(event for event in events if isinstance(event, Stood))
        if isinstance(action, Hit):
            total = table.state.hands[0].total
            assert (total.points < 27 and total.points != 14) or (total.points == 27 and total.soft)
            hits += total.points == 27

    table.bus.recorder = hear
    for _ in range(8_000):
        table.advance()
    assert {event.points for event in stood} == {14, 27, 28, 29, 30}
    assert min(hits, declined, rounds) > 0
