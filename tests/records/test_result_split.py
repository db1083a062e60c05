"""Results split into luck and play: examples on paper, and sums over random sessions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from pathlib import Path
from random import Random

import pytest

from tests.helpers.ledger_sessions import act
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.scripted_sessions import by_level, play_sessions
from tui_casino.cards.card import parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games import baccarat, cribbage, thirty_one, video_poker
from tui_casino.games.cribbage.machine.state import Discard
from tui_casino.games.thirty_one.machine.state import Bet as Bet31
from tui_casino.games.thirty_one.machine.state import Stand
from tui_casino.games.video_poker.brains.hand_odds import HandOdds
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options, RoundPaid
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.house.sitting import House, begin_sitting, branch_sitting
from tui_casino.records.codec import decode, encode
from tui_casino.records.log_catalog import CatalogEntry
from tui_casino.records.replay import replay_log
from tui_casino.records.result_split import ResultSplit
from tui_casino.records.session_log import read_log
from tui_casino.records.session_statistics import PlayedSitting, SittingTotals
from tui_casino.records.summaries import SittingSummary, review_log
from tui_casino.structs import replace

JACKS = load("jacks-or-better-9-6")
RETURN = Fraction(1653526326983, 1661102543100)
"""The published return of Jacks or Better 9/6 with 5 coins and perfect play."""


def play(
    folder: Path, holds: Sequence[tuple[int, ...]], shoe: FixedShoe | ShuffledShoe, seed: int = 1
) -> Path:
    sitting = begin_sitting(
        House(folder, None, "ann"),
        video_poker.DEFINITION,
        Options(paytable=JACKS),
        shoe,
        SeededSource(seed),
        {Seat(0): None},
    )
    for hold in holds:
        act(sitting, Bet(5), Draw(), Hold(hold))
    sitting.table.run()
    sitting.leave()
    return sitting.log.path


def split_of(path: Path) -> ResultSplit:
    split = not_none(review_log(video_poker.DEFINITION, path, choices=True)[0].split)
    return split


@pytest.mark.parametrize(
    ("hold", "won", "cost"),
    [
        ((1, 2, 3, 4), 4000, Fraction(0)),
        ((1, 2, 3, 4, 5), 0, Fraction(4625, 47)),  # four to a royal flush, given up
    ],
    ids=value_id,
)
def test_luck_and_play_in_the_result_of_one_hand_equal_a_hand_calculation(
    hold: tuple[int, ...], won: int, cost: Fraction, tmp_path: Path
) -> None:
    """The EV before the deal is 5 credits times the return; 4625/47 is the EV of the best hold."""
    shoe = FixedShoe(parse_hand("KS QS JS TS 4H") + parse_hand("AS 2C 3C 5C 6C"))
    split = split_of(play(tmp_path, [hold], shoe))
    assert split.net == 100 * (won - 5)
    assert split.cost == 100 * cost
    assert split.play == 100 * (5 * RETURN - 5 - cost)
    deal, draw = Fraction(4625, 47) - 5 * RETURN, won - (Fraction(4625, 47) - cost)
    assert split.luck == 100 * (deal + draw)


@pytest.mark.parametrize("seed", range(5), ids=labelled("seed {}"))
def test_luck_in_a_result_is_the_sum_of_ev_changes_by_deals_and_draws(
    seed: int, tmp_path: Path
) -> None:
    """Each chance event counts the EV after it less the EV before it, in fractions."""
    random, exact = Random(seed), HandOdds(JACKS, 5)
    holds = [tuple(n for n in range(1, 6) if random.random() < 0.5) for _ in range(12)]
    path = play(tmp_path, holds, ShuffledShoe(), seed)
    luck, before = Fraction(0), video_poker.DEFINITION.game.start(Options(paytable=JACKS))
    for played in replay_log(video_poker.DEFINITION.game, read_log(path)):
        if isinstance(played.action, Hold):
            held = played.action.positions
            evs = {hold.positions: hold.credits for hold in exact.holds(before.hand)}
            luck += max(evs.values()) - 5 * RETURN - evs[held]
        luck += sum(event.won for event in played.events if isinstance(event, RoundPaid))
        before = played.state
    split = split_of(path)
    assert split.luck == 100 * luck
    assert split.play + split.luck == split.net
    assert split.mistakes


def test_luck_and_play_of_two_sessions_add_up(tmp_path: Path) -> None:
    splits = [split_of(play(tmp_path, [()] * 3, ShuffledShoe(), seed)) for seed in (1, 2)]
    both = reduce(add, splits)
    assert both.net == splits[0].net + splits[1].net
    assert both.luck == splits[0].luck + splits[1].luck
    assert (both.mistakes, both.cost) == (6, splits[0].cost + splits[1].cost)


@pytest.mark.parametrize(
    ("split", "text"),
    [
        (
            ResultSplit(4000, Fraction(-2500), 3, Fraction(1800)),
            "You won 40.00. Luck: +65.00. Your play: -25.00, of which 18.00 are 3 mistakes.",
        ),
        (
            ResultSplit(-500, Fraction(-1, 2) - 300, 1, Fraction(299)),
            "You lost 5.00. Luck: -2.00. Your play: -3.00, of which 2.99 is 1 mistake.",
        ),
        (
            ResultSplit(500, Fraction(-100), None),
            "You won 5.00. Luck: +6.00. House edge: -1.00.",
        ),
        (
            ResultSplit(0, Fraction(7, 4)),
            "You won 0.00. Luck: -0.02. Your play: +0.02, without a mistake.",
        ),
        (
            # the rounds' results without luck are 100 and 300 cents, each 50 above a fair result;
            # the error is that of four mistakes of 0.4 bets of 50 cents: sqrt(4) * 20
            ResultSplit(900, Fraction(400), 0, rounds=2, fair=300.0, squares=5e3, wagered=100),
            "You won 9.00. Luck: +5.00. Your play: +4.00 ± 0.40, without a mistake.",
        ),
        (
            # the same without a choice to make
            ResultSplit(900, Fraction(400), None, rounds=2, fair=300.0, squares=5e3, wagered=100),
            "You won 9.00. Luck: +5.00. House edge: +4.00 ± 0.00.",
        ),
        (
            # 1 and 5 points: their mean is 3, and each is 2 away from it; sqrt(16 + 4 * 0.4 ** 2)
            ResultSplit(-1, Fraction(6), rounds=2, squares=1.0 + 25.0, points=True),
            "In 2 finished rounds, you scored 1 fewer point than your opponent."
            " Luck: -7.0. Your play: +6.0 ± 4.1, without a mistake.",
        ),
        (
            ResultSplit(1200, Fraction(700), 2, Fraction(150)),
            "You won 12.00. Luck: +5.00. Your play: +7.00. 2 mistakes cost 1.50.",
        ),
        (
            # the costs do not vary, but four more mistakes of 0.4 points are allowed for
            ResultSplit(14, Fraction(36, 10), 9, Fraction(329, 10), 4, points=True),
            "In 4 finished rounds, you scored 14 more points than your opponent."
            " Luck: +10.4. Your play: +3.6 ± 0.8. 9 mistakes cost 32.9.",
        ),
        (
            ResultSplit(-1, Fraction(-2), 1, Fraction(3), 1, points=True),
            "In 1 finished round, you scored 1 fewer point than your opponent."
            " Luck: +1.0. Your play: -2.0. 1 mistake costs 3.0.",
        ),
        (
            ResultSplit(points=True),
            "In 0 finished rounds, you scored as many points as your opponent."
            " Luck: 0.0. Your play: 0.0, without a mistake.",
        ),
    ],
    ids=value_id,
)
def test_sentence_on_luck_and_play_has_amounts_that_add_up(split: ResultSplit, text: str) -> None:
    assert str(split) == text


def test_mistakes_of_an_unfinished_round_are_left_out_of_the_split(tmp_path: Path) -> None:
    sitting = begin_sitting(
        House(tmp_path, None, "ann"),
        cribbage.DEFINITION,
        cribbage.game.Options(),
        ShuffledShoe(),
        SeededSource(1),
        {Seat(0): None, Seat(1): "greedy"},
    )
    act(sitting, Discard((1, 2)))
    sitting.leave()
    summary = review_log(cribbage.DEFINITION, sitting.log.path, choices=True)[0]
    assert summary.mistakes == 1
    assert summary.split == ResultSplit(points=True)


def test_round_that_began_before_a_branch_is_left_out_of_the_split(tmp_path: Path) -> None:
    """A branch that begins between two rounds has the luck of all its rounds."""
    house, definition = House(tmp_path, None, "ann"), thirty_one.DEFINITION
    sitting = begin_sitting(
        house,
        definition,
        thirty_one.game.Options(),
        ShuffledShoe(),
        SeededSource(1),
        {Seat(0): None},
    )
    act(sitting, Bet31(20), Stand())
    sitting.table.run()
    sitting.leave()
    steps = [played.action for played in replay_log(definition.game, read_log(sitting.log.path))]
    bet = steps.index(Bet31(20)) + 1
    rounds = {}
    for step in (bet - 1, bet, bet + 1, bet + 2):
        other = branch_sitting(house, definition, sitting.log.path, step)
        if step < bet:
            act(other, Bet31(20))
        act(other, Stand(), Bet31(20), Stand())
        other.table.run()
        other.leave()
        summary = review_log(definition, other.log.path, choices=True)[0]
        rounds[step - bet] = summary.rounds, not_none(summary.split).rounds
    assert rounds == {-1: (2, 2), 0: (2, 2), 1: (2, 1), 2: (2, 1)}


def test_result_has_luck_and_play_only_if_choices_were_analysed_exactly(tmp_path: Path) -> None:
    path = play(tmp_path, [()], ShuffledShoe())
    unweighed = review_log(video_poker.DEFINITION, path)[0]
    assert unweighed.expectation is not None
    assert unweighed.split is None


def test_result_of_baccarat_without_luck_is_the_house_edge_and_names_no_mistakes(
    tmp_path: Path,
) -> None:
    """The published edge of bets on the player, with eight decks, is 1.2351%."""
    play_sessions(baccarat.DEFINITION, by_level("baccarat", "player"), tmp_path, 5)
    (path,) = tmp_path.glob("*.jsonl")
    split = not_none(review_log(baccarat.DEFINITION, path, choices=True)[0].split)
    summary = review_log(baccarat.DEFINITION, path)[0]
    assert split.play / summary.wagered == pytest.approx(-0.012351, abs=1e-6)
    assert split.net == summary.net
    assert split.error == pytest.approx(0, abs=1e-3), "all bets were equal"
    assert "mistake" not in str(split)


def test_summary_of_an_earlier_version_is_read_without_luck_and_play(tmp_path: Path) -> None:
    summary = review_log(
        video_poker.DEFINITION, play(tmp_path, [()], ShuffledShoe()), choices=True
    )[0]
    assert summary.split is not None
    old = encode(summary).partition(b',"plays":')[0] + b"}"
    assert old != encode(summary)
    assert decode(old, SittingSummary).split is None


def test_statistics_show_luck_and_play_only_if_every_session_has_them(tmp_path: Path) -> None:
    summary = review_log(
        video_poker.DEFINITION, play(tmp_path, [()], ShuffledShoe()), choices=True
    )[0]
    one = PlayedSitting(CatalogEntry(tmp_path / "log.jsonl"), summary)
    other = PlayedSitting(one.entry, replace(summary, plays=None))
    both = not_none(SittingTotals((one, one)).split)
    assert both.net == 2 * summary.net
    assert SittingTotals((one, other)).split is None
    assert SittingTotals(()).split is None


@pytest.mark.parametrize(
    ("slug", "level"),
    [("thirty-one", "dealer"), ("five-card-draw", "strong"), ("cribbage", "greedy")],
)
def test_session_of_every_game_with_choices_has_luck_and_play(
    slug: str, level: str, tmp_path: Path
) -> None:
    definition = DEFINITIONS[slug]
    play_sessions(definition, by_level(slug, level), tmp_path, 3, opponent=level)
    (path,) = tmp_path.glob("*.jsonl")
    summary = review_log(definition, path, choices=True)[0]
    split = not_none(summary.split)
    mine, other = summary.score or (0, 0)
    assert split.net == summary.net + mine - other
    assert split.points == (summary.score is not None)
    assert 0 < abs(split.luck) < 100_000
    assert not_none(split.error) > 0
